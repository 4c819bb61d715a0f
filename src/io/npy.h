/* SPDX-License-Identifier: MIT */
/* NumPy's .npy arrays: every numeric type from int8 to float64, bool, either byte order, unicode and byte strings, C
 * or (up to two dimensions) Fortran order. Pickled objects are recognised, never opened. We have our own reader
 * because no maintained C reader exists. */
#ifndef CRD_IO_NPY_H
#define CRD_IO_NPY_H

#include "base/memory.h"
#include "io/source.h"

typedef enum crd_npy_kind {
    CRD_NPY_BOOL,
    CRD_NPY_INT,
    CRD_NPY_UINT,
    CRD_NPY_FLOAT,   /* 2, 4 or 8 bytes */
    CRD_NPY_UNICODE, /* 4 bytes per character */
    CRD_NPY_BYTES,   /* 1 byte per character */
    CRD_NPY_OBJECT   /* pickled: cannot be read safely */
} crd_npy_kind;

#define CRD_NPY_MAX_DIMS 4

typedef struct crd_npy {
    crd_npy_kind kind;
    int64_t item_size;
    bool big_endian;
    bool fortran_order;
    int dims; /* 0: a scalar */
    int64_t shape[CRD_NPY_MAX_DIMS];
    int64_t count; /* the product of the shape */
} crd_npy;

/* The types of arrays in memory, to which items are converted and from which they are written. */
typedef enum crd_npy_type {
    CRD_NPY_U1, /* uint8_t that is 0 or 1; a bool in files */
    CRD_NPY_I4,
    CRD_NPY_I8,
    CRD_NPY_F4,
    CRD_NPY_F8,
    CRD_NPY_TEXT /* char *, UTF-8 */
} crd_npy_type;

/* Reads the header; the items follow in the source. */
crd_status crd_npy_header(crd_source *source, crd_npy *npy, crd_error *error);

/* Reads the items, converted, in C order whatever the file's order. `items` is the address of a pointer to the type
 * (float ** for CRD_NPY_F4), which is NULL after a failure. The caller frees the array, strings with
 * crd_strings_free. Memory grows with the bytes that really arrive, so a header with a false size costs nothing. A
 * value that the type cannot hold (a fraction or NaN for integers, an overflow) is a format error that names the item.
 * Numbers can be read as text: they are written out. */
crd_status crd_npy_read(crd_source *source, const crd_npy *npy, crd_npy_type type, void *items, crd_error *error);

bool crd_npy_has_text(const crd_npy *npy);
/* For messages: int64[2,5], float32[3], ... */
void crd_npy_describe(const crd_npy *npy, char *text, size_t size);

#endif
