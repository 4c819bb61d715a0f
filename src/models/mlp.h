/* SPDX-License-Identifier: MIT */
/* Two linear layers with an activation and dropout between them: z = W2 dropout(act(W1 x + b1)) + b2. The encoder of
 * a Graph Posterior Network, and all of APPNP before its diffusion.
 *
 * For the hidden layer, only the input of the activation is kept for all nodes; the rest is computed again for some
 * rows at a time, while they are in cache. */
#ifndef CRD_MODELS_MLP_H
#define CRD_MODELS_MLP_H

#include "models/model.h"

/* Its parameters are the model's first ones; weight decay applies to all of them. */
enum { CRD_MLP_W1, CRD_MLP_B1, CRD_MLP_W2, CRD_MLP_B2, CRD_MLP_PARAMETERS };

typedef struct crd_mlp {
    const crd_run *run;
    int64_t nodes, width; /* rows and columns of the output */
    bool fresh;           /* `before` belongs to the current weights, */
    int64_t restored;     /* if this is still the run's number */
    float *before;        /* [N][hidden], the first layer's output before the activation; in the backward pass
                           * its gradient */
    float *w2_transposed; /* [width][hidden] */
    int64_t panel;        /* rows that a thread works on at a time */
    float *scratch;       /* one per thread: [panel][hidden] after activation and dropout, or its gradient */
    float *product;       /* one per thread: [hidden][width], of one panel */
    double *sums;         /* over all rows: the gradients of W2, B2 and B1 */
} crd_mlp;

/* Lists its arrays in the run's plan; without training nodes in the inputs there is no backward pass. */
void crd_mlp_plan(crd_mlp *mlp, crd_run *run, int64_t width);
/* out is [N][width]; only the first `rows` rows are computed. */
void crd_mlp_forward(crd_mlp *mlp, crd_dropout dropout, int64_t rows, float *out);
/* The hidden layer for the weights of the last forward, without dropout, [N][hidden]. */
void crd_mlp_hidden(const crd_mlp *mlp, float *hidden);
/* From d_out to the gradients of its four parameters, after a forward with the same dropout. It assumes that the
 * optimiser changes the weights next. */
void crd_mlp_backward(crd_mlp *mlp, crd_dropout dropout, const float *d_out, float *const *gradient);

#endif
