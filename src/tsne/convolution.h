/* Sums over all points of a map, on a grid, by Fourier transforms. */
#ifndef CRD_TSNE_CONVOLUTION_H
#define CRD_TSNE_CONVOLUTION_H

#include "base/memory.h"
#include "base/parallel.h"
#include "kernels/hot.h"

/* Fourier transforms of lengths whose only prime factors are 2, 3 and 5; kernels/hot.h has the transform
 * itself. */

/* The smallest such length that is not below `least` (>= 1). */
int64_t crd_fft_length(int64_t least);

crd_status crd_fft_open(crd_fft *plan, int64_t length, crd_error *error);
void crd_fft_close(crd_fft *plan);

/* [length][CRD_FFT_WIDTH], real and imaginary parts apart. */
typedef struct crd_strip {
    float *re, *im;
} crd_strip;

/* The transform, or the inverse without its factor 1 / length; returns the strip that has the result. */
crd_strip crd_fft_run(const crd_fft *plan, const crd_kernels *kernels, crd_strip from, crd_strip spare);
crd_strip crd_fft_run_back(const crd_fft *plan, const crd_kernels *kernels, crd_strip from, crd_strip spare);

/* Sums over all points of a map by way of a square grid of nodes `spacing` apart, by Fourier transforms. Cubic
 * B-splines carry points to the grid and sums from it (kernels/hot.h: spread, gather). The transforms correct the
 * smoothing by the splines, so that the result is interpolation by cubic splines. For the points' charges g it gives
 * the forces at every node, sum of g q^2 (dx, dy) with q = 1 / (1 + dx^2 + dy^2), and the sum of g_i g_j q_ij over
 * all points. */
typedef struct crd_worker crd_worker;

typedef struct crd_convolution {
    int64_t nodes; /* in a row and in a column */
    double spacing;
    int64_t stride;           /* floats from one row of a grid to the next */
    float *charge;            /* [nodes][stride]: to be filled */
    float *force_x, *force_y; /* [nodes][stride] */
    /* The rest is private. */
    crd_fft plan;                       /* of twice as many nodes, so that the sums do not wrap around */
    int64_t half;                       /* columns whose real transforms are done in pairs */
    int64_t spectrum_stride;            /* of the nodes + 1 frequencies of a real row */
    crd_strip first, second;            /* [columns][spectrum_stride] */
    float *potential, *push_x, *push_y; /* spectra of q and of q^2 (dx, dy), [nodes + 1][spectrum_stride] */
    double *sharper;                    /* the correction for the splines, for nodes + 1 frequencies */
    double *partial;                    /* each strip's part of the sum */
    int workers;
    crd_worker *worker; /* one per thread */
} crd_convolution;

/* Opens a grid of `nodes` nodes with all its arrays; `nodes` must be a length from crd_fft_length. */
crd_status crd_convolution_open(crd_convolution *convolution, int64_t nodes, double spacing, const crd_kernels *kernels,
                                crd_team *team, crd_error *error);
void crd_convolution_close(crd_convolution *convolution);
/* Changes the spacing of an open grid. */
void crd_convolution_space(crd_convolution *convolution, double spacing, const crd_kernels *kernels, crd_team *team);
double crd_convolution_run(crd_convolution *convolution, const crd_kernels *kernels, crd_team *team);

#endif
