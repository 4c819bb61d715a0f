/* SPDX-License-Identifier: MIT */
/* A .npy array in memory, made by hand and opened up to its items. */
#ifndef CRD_TESTS_NPY_ARRAY_H
#define CRD_TESTS_NPY_ARRAY_H

#include <stdio.h>
#include <stdlib.h>

#include "io/npy.h"
#include "support/outcome.h"
#include "support/zip_maker.h"

typedef struct {
    zip_bytes bytes;
    crd_source *source;
    crd_npy npy;
} array;

static inline crd_status open_bytes(array *a, crd_error *error)
{
    crd_status status = crd_source_memory(a->bytes.bytes, a->bytes.size, "a.npy", &a->source, error);
    if (status == CRD_OK) status = crd_npy_header(a->source, &a->npy, error);
    return status;
}

static inline void close_array(array *a)
{
    crd_source_free(&a->source);
    free(a->bytes.bytes);
}

static inline crd_status open_with(array *a, const char *dictionary, const void *items, size_t size, crd_error *error)
{
    a->bytes = npy_make(dictionary, items, size);
    return open_bytes(a, error);
}

/* An array of type `descr`; the shape is as Python writes it. */
static inline array open_array(const char *descr, const char *order, const char *shape, const void *items, size_t size)
{
    array a;
    char dictionary[200];
    snprintf(dictionary, sizeof dictionary, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n", descr, order,
             shape);
    assert_ok(open_with(&a, dictionary, items, size, NULL));
    return a;
}

#endif
