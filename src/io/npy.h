/* NumPy's .npy arrays: every numeric type from int8 to float64, bool, either byte order, unicode and byte strings, C
 * or Fortran order (two dimensions at most). Pickled objects are recognised, never opened. We have our own reader
 * because no maintained C reader exists. */
#ifndef CRD_IO_NPY_H
#define CRD_IO_NPY_H

#include "base/memory.h"
#include "base/outfile.h"
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

/* Reads the header; the items follow in the source. */
crd_status crd_npy_header(crd_source *source, crd_npy *npy, crd_error *error);

/* Read the items, converted, in C order whatever the file's order. The caller frees *items. Memory grows with the
 * bytes that really arrive, so a header with a false size costs nothing. A value that the target cannot hold (a
 * fraction or NaN for integers, an overflow) is a format error that names the item. */
crd_status crd_npy_read_float(crd_source *source, const crd_npy *npy, float **items, crd_error *error);
crd_status crd_npy_read_double(crd_source *source, const crd_npy *npy, double **items, crd_error *error);
crd_status crd_npy_read_int32(crd_source *source, const crd_npy *npy, int32_t **items, crd_error *error);
crd_status crd_npy_read_int64(crd_source *source, const crd_npy *npy, int64_t **items, crd_error *error);
crd_status crd_npy_read_bool(crd_source *source, const crd_npy *npy, uint8_t **items, crd_error *error);
/* UTF-8, from unicode or byte strings; numbers are written out. *items and each string are freed with
 * crd_strings_free. */
crd_status crd_npy_read_strings(crd_source *source, const crd_npy *npy, char ***items, crd_error *error);

/* What we write: little-endian, C order, version 1.0. */
typedef enum crd_npy_type {
    CRD_NPY_U1, /* bool */
    CRD_NPY_I4,
    CRD_NPY_I8,
    CRD_NPY_F4,
    CRD_NPY_F8
} crd_npy_type;

/* A .npy file to be written: header and items, ready for a single file or an archive. */
typedef struct crd_npy_image {
    char *header;
    int64_t header_size;
    const void *items; /* the caller's array, or `owned` */
    int64_t items_size;
    void *owned;
} crd_npy_image;

/* `data` is not copied and must outlive the image. An impossible shape is an argument error. */
crd_status crd_npy_image_numbers(crd_npy_image *image, crd_npy_type type, int dims, const int64_t *shape,
                                 const void *data, crd_error *error);
/* A unicode array of one dimension; what is not UTF-8 becomes U+FFFD. The strings are copied. */
crd_status crd_npy_image_strings(crd_npy_image *image, int64_t count, const char *const *strings, crd_error *error);
void crd_npy_image_free(crd_npy_image *image);

/* For messages: int64[2,5], float32[3], ... */
void crd_npy_describe(const crd_npy *npy, char *text, size_t size);

#endif
