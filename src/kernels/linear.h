/* Linear layers on sparse or dense rows, over all threads. Weights are stored as (in, out): a row of weights is what
 * one input adds to the output. */
#ifndef CRD_KERNELS_LINEAR_H
#define CRD_KERNELS_LINEAR_H

#include "base/parallel.h"
#include "kernels/hot.h"

/* A matrix by rows: sparse if start is set, else dense. */
typedef struct crd_rows {
    int64_t rows, columns;
    const int64_t *start;
    const int32_t *column;
    const float *value;
    const float *dense;
} crd_rows;

/* out [rows][width] = x * weight + bias; bias may be NULL. */
void crd_linear_forward(const crd_kernels *kernels, crd_team *team, const crd_rows *x, const float *weight,
                        int64_t width, const float *bias, float *out);
/* d_weight [columns][width] = x' * gradient, for sparse x, given the rows of its transpose. */
void crd_sparse_backward_weight(const crd_kernels *kernels, crd_team *team, const crd_rows *transposed,
                                const float *gradient, int64_t width, float *d_weight);
/* The same two for a dense matrix that is prepared while it is read. `room` has crd_dense_weight_room numbers, for
 * the team's number of threads. */
void crd_dense_forward(const crd_kernels *kernels, crd_team *team, const crd_dense *x, const float *weight,
                       int64_t width, const float *bias, float *out);
void crd_dense_backward_weight(const crd_kernels *kernels, crd_team *team, const crd_dense *x, const float *gradient,
                               int64_t width, float *room, float *d_weight);
int64_t crd_dense_weight_room(const crd_dense *x, int64_t width, int threads);
/* d_bias [width] = the sum of the gradient's rows. `room` has crd_shard_sums_room(rows, width) numbers. */
void crd_linear_backward_bias(const crd_kernels *kernels, crd_team *team, const float *gradient, int64_t rows,
                              int64_t width, double *room, float *d_bias);
/* transposed [columns][rows] of a small dense matrix. */
void crd_transpose(const float *matrix, int64_t rows, int64_t columns, float *transposed);

/* ---- activation and dropout of a hidden layer ---- */

typedef struct crd_hidden_layer {
    int64_t nodes, width;
    crd_activation activation;
    crd_dropout dropout;
    const float *before; /* [nodes][width], what goes into the activation */
} crd_hidden_layer;

/* after = dropout(act(before)) */
void crd_activation_forward(const crd_kernels *kernels, crd_team *team, const crd_hidden_layer *layer, float *after);
/* In place: the gradient of `after` becomes that of `before`. */
void crd_activation_backward(const crd_kernels *kernels, crd_team *team, const crd_hidden_layer *layer,
                             float *gradient);

/* ---- rows padded with zeros to whole vectors ---- */

/* The stride that rows of `width` numbers need. */
int64_t crd_padded(int64_t width);
/* Rows without their padding. */
void crd_unpad(int64_t count, int64_t width, int64_t stride, const float *padded, float *rows);

#endif
