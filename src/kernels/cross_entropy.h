/* The loss of models that end in logits. Rows of logits are `stride` floats apart. */
#ifndef CRD_KERNELS_CROSS_ENTROPY_H
#define CRD_KERNELS_CROSS_ENTROPY_H

#include "base/parallel.h"
#include "kernels/dirichlet.h"

/* The mean of -log softmax(logits)_y over `count` of the rows, ascending, with classes `labels`, and its gradient for the
 * logits of those nodes (others are not touched); gradient may be NULL. */
double crd_cross_entropy(const float *logits, int64_t rows, int64_t classes, int64_t stride, const int64_t *nodes,
                         const int32_t *labels, int64_t count, crd_team *team, float *gradient);

#endif
