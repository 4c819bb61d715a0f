/* Sparse matrices whose rows are not so sparse, packed for products with a narrow matrix of weights.
 *
 * The bottleneck of such a product is loads, not arithmetic: every non-zero fetches a row of weights from the second-
 * or third-level cache. So the columns are cut into blocks whose weights fit a cache: the first-level one or, if rows
 * have too few non-zeros for that, the second-level one. The non-zeros are stored in the order of their use: by panel
 * of rows, then by block of columns, then by row. A column then takes two bytes. If all values of a row, or all of a
 * column, are the same, as in a normalised bag of words and its transpose, values need not be stored at all. */
#ifndef CRD_KERNELS_PACKED_H
#define CRD_KERNELS_PACKED_H

#include "base/memory.h"
#include "kernels/linear.h"

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

#endif
