/* A .npy file about to be written: header and items, ready for a file of its own or for an archive. */
#ifndef CRD_IO_NPY_WRITE_H
#define CRD_IO_NPY_WRITE_H

#include "io/npy.h"

typedef struct crd_npy_image {
    char *header;
    int64_t header_size;
    const void *items; /* the caller's array, or `owned` */
    int64_t items_size;
    void *owned;
} crd_npy_image;

/* `data` is not copied and must outlive the image. An argument error for an impossible shape. */
crd_status crd_npy_image_numbers(crd_npy_image *image, crd_npy_type type, int dims, const int64_t *shape,
                                 const void *data, crd_error *error);
/* A unicode array of one dimension; what is not UTF-8 becomes U+FFFD. The strings are copied. */
crd_status crd_npy_image_strings(crd_npy_image *image, int64_t count, const char *const *strings,
                                 crd_error *error);
/* Failures show when the file is committed. */
void crd_npy_image_write(const crd_npy_image *image, crd_outfile *file);
void crd_npy_image_free(crd_npy_image *image);

#endif
