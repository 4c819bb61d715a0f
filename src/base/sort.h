/* SPDX-License-Identifier: MIT */
/* Sorting of many items, which looks at the stop flag now and then. */
#ifndef CRD_BASE_SORT_H
#define CRD_BASE_SORT_H

#include "base/status.h"

/* As qsort; equal items keep their order. Many items need as much memory again. On failure the order is undefined. */
crd_status crd_sort(void *items, int64_t count, size_t size, int (*compare)(const void *a, const void *b),
                    crd_error *error);

#endif
