/* Rows of numbers padded with zeros to whole vectors. */
#ifndef CRD_KERNELS_PADDING_H
#define CRD_KERNELS_PADDING_H

#include "kernels/hot.h"

/* The stride that rows of `width` numbers need. */
int64_t crd_padded(int64_t width);
/* Rows without their padding. */
void crd_unpad(int64_t count, int64_t width, int64_t stride, const float *padded, float *rows);

#endif
