/* SPDX-License-Identifier: MIT */
/* Linear layers on sparse or dense rows, over all threads. Weights are stored as (in, out): a row of weights is what
 * one input adds to the output. */
#ifndef CRD_KERNELS_LINEAR_H
#define CRD_KERNELS_LINEAR_H

#include "base/parallel.h"
#include "kernels/hot.h"

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

/* ---- sparse matrices whose rows are not so sparse, packed for products with a narrow matrix of weights ----
 *
 * The bottleneck of such a product is loads, not arithmetic: every non-zero fetches a row of weights from the second-
 * or third-level cache. So the columns are cut into blocks whose weights fit a cache: the first-level one or, if rows
 * have too few non-zeros for that, the second-level one. The non-zeros are stored in the order of their use: by panel
 * of rows, then by block of columns, then by row. A column then takes two bytes. If all values of a row, or all of a
 * column, are the same, as in a normalised bag of words and its transpose, values need not be stored at all. */

/* How many columns a block should have for the product of sparse rows with weights of this width; 0 if the rows have
 * too few non-zeros to pack. */
int64_t crd_packed_block(const crd_rows *x, int64_t width);

/* Packs a copy of sparse rows (at least one, with ascending columns) for weights of this width, in blocks of at most
 * `block` columns, as crd_packed_block says. With `gradient` it is only for crd_packed_gradient: columns are nodes,
 * and sums over them follow the tree of base/tree.h. Else it is only for crd_packed_forward. A failed open leaves
 * nothing to close. */
crd_status crd_packed_open(crd_packed *packed, const crd_rows *x, int64_t width, int64_t block, bool gradient,
                           crd_error *error);
void crd_packed_close(crd_packed *packed);

/* out [rows][width] = packed * weight + bias; bias may be NULL. The width is that of crd_packed_open. */
void crd_packed_forward(const crd_kernels *kernels, crd_team *team, const crd_packed *packed, const float *weight,
                        int64_t width, const float *bias, float *out);

/* out [rows][width] = packed * weight. It may overwrite the weights. `room` has crd_packed_room numbers, for the
 * team's number of threads. */
void crd_packed_gradient(const crd_kernels *kernels, crd_team *team, const crd_packed *packed, float *weight,
                         int64_t width, float *room, float *out);
int64_t crd_packed_room(const crd_packed *packed, int64_t width, int threads);

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
