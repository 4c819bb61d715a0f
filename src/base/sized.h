/* SPDX-License-Identifier: MIT */
/* Structures that callers allocate may be those of an older or a newer header: their size says which. A structure only
 * grows at its end, so what both know is the beginning. */
#ifndef CRD_BASE_SIZED_H
#define CRD_BASE_SIZED_H

#include "base/status.h"

/* Copies options, which begin with their size and may be NULL, over `complete`, which has the defaults and `own` bytes.
 * Fails if the size is impossible, or if a newer program sets something that this library does not know. */
crd_status crd_take_sized(const char *name, const void *given, void *complete, size_t own, crd_error *error);

/* Copies results, `own` bytes, into a caller's structure of `size` bytes; what only a newer program knows becomes 0. */
void crd_give_sized(const void *complete, size_t own, void *given, size_t size);

#endif
