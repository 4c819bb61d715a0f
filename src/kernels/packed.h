/* Sparse matrices whose rows are not so sparse, packed for products with a narrow matrix of weights.
 *
 * What binds such a product is not arithmetic but loads: every non-zero fetches a row of weights, from the
 * second- or third-level cache. So the columns are cut into blocks whose weights a cache holds: the first-level
 * one or, if rows have too few non-zeros for that, the second-level one. The non-zeros are kept in the order in
 * which they are used: by panels of rows, in a panel by blocks of columns, in a block by rows. A column then takes
 * two bytes. Where all values of a row are the same, or all of a column, as in a bag of words that was normalised
 * and in its transpose, values need not be kept at all. */
#ifndef CRD_KERNELS_PACKED_H
#define CRD_KERNELS_PACKED_H

#include "base/memory.h"
#include "kernels/linear.h"

/* How many columns a block should have for the product of sparse rows with weights of this width; 0 if the rows
 * have too few non-zeros for any block, and are better not packed. */
int64_t crd_packed_block(const crd_rows *x, int64_t width);

/* Packs a copy of sparse rows, their columns ascending, of which there is at least one, for weights of this
 * width, in blocks of at most so many columns, as crd_packed_block says. gradient: for crd_packed_gradient alone,
 * where columns are nodes and sums over them follow the tree of base/tree.h; else for crd_packed_forward alone. A
 * failed open leaves nothing to close. */
crd_status crd_packed_open(crd_packed *packed, const crd_rows *x, int64_t width, int64_t block, bool gradient,
                           crd_error *error);
void crd_packed_close(crd_packed *packed);

/* out [rows][width] = packed * weight + bias; bias may be NULL. The width is that of the open. */
void crd_packed_forward(const crd_kernels *kernels, crd_team *team, const crd_packed *packed, const float *weight,
                        int64_t width, const float *bias, float *out);

/* out [rows][width] = packed * weight, of weights that nobody needs afterwards: what comes back in them is of no use.
 * `room` has crd_packed_room numbers, for a team of so many threads. */
void crd_packed_gradient(const crd_kernels *kernels, crd_team *team, const crd_packed *packed, float *weight,
                         int64_t width, float *room, float *out);
int64_t crd_packed_room(const crd_packed *packed, int64_t width, int threads);

#endif
