/* SPDX-License-Identifier: MIT */
/* The class densities: radial flows from the latent space to a standard normal. */
#ifndef CRD_KERNELS_FLOW_H
#define CRD_KERNELS_FLOW_H

#include "base/memory.h"
#include "base/parallel.h"
#include "kernels/hot.h"

/* The flow's parameters as trained, and as the kernels need them. */
typedef struct crd_flow_workspace {
    crd_flow flow;
    float *a, *b, *s; /* [L][K] */
    int64_t nodes;    /* of the graph: they decide how sums over rows are cut */
    double *sums;     /* [L][K][D + 2], of the gradient */
    float *scratch;   /* of the gradient, for each thread */
} crd_flow_workspace;

/* Lists its arrays in a plan. nodes > 0 also plans the gradient's, for `threads` threads. */
void crd_flow_plan(crd_flow_workspace *workspace, crd_plan *plan, int64_t layers, int64_t classes, int64_t dims,
                   int64_t nodes, int threads);

/* center [L][K][D], alpha (a') and beta (b') [L][K]; log_density[i * stride + k] for all rows. */
void crd_flow_forward(crd_flow_workspace *workspace, const crd_kernels *kernels, crd_team *team, const float *center,
                      const float *alpha, const float *beta, int64_t rows, const float *z, float *log_density,
                      int64_t stride);
/* Gradients of the first rows, after crd_flow_forward with the same parameters; overwrites, does not add. */
void crd_flow_backward(crd_flow_workspace *workspace, const crd_kernels *kernels, crd_team *team, const float *alpha,
                       const float *beta, int64_t rows, const float *z, const float *d_log_density, int64_t stride,
                       float *dz, float *d_center, float *d_alpha, float *d_beta);

#endif
