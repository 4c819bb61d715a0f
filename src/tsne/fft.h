/* Fourier transforms of lengths whose only prime factors are 2, 3 and 5; kernels/hot.h has the transform
 * itself. */
#ifndef CRD_TSNE_FFT_H
#define CRD_TSNE_FFT_H

#include "base/memory.h"
#include "kernels/hot.h"

/* The smallest such length that is not below `least` (>= 1). */
int64_t crd_fft_length(int64_t least);

crd_status crd_fft_open(crd_fft *plan, int64_t length, crd_error *error);
void crd_fft_close(crd_fft *plan);

/* [length][CRD_FFT_WIDTH], real and imaginary parts apart. */
typedef struct crd_strip {
    float *re, *im;
} crd_strip;

/* The transform, or the inverse without its factor 1 / length; which of the two strips the result is in. */
crd_strip crd_fft_run(const crd_fft *plan, const crd_kernels *kernels, crd_strip from, crd_strip spare);
crd_strip crd_fft_run_back(const crd_fft *plan, const crd_kernels *kernels, crd_strip from, crd_strip spare);

#endif
