/* SPDX-License-Identifier: MIT */
/* Preparation of features before a model sees them: chosen at training, kept in the model, applied again in every
 * prediction. */
#ifndef CRD_GRAPH_PREPROCESS_H
#define CRD_GRAPH_PREPROCESS_H

#include "credence_private.h"
#include "graph/features.h"

/* AUTO becomes rownorm for sparse non-negative features, standard for dense ones, none for the rest. */
crd_preprocessing crd_preprocess_choose(const crd_features *features, crd_preprocessing wanted);

/* "binary,rownorm" and so on. */
const char *crd_preprocess_name(crd_preprocessing preprocessing);

/* The mean of every column and the factor that gives it unit variance (1 if the column has no variance). */
crd_status crd_preprocess_measure(const crd_features *features, float *mean, float *scale, crd_error *error);

/* Features ready for a model. The input is not changed; arrays that stay the same are shared with it, not copied, so
 * it must outlive the result, as must mean, scale and order.
 *
 * Dense features stay in place and are prepared while they are read: row i is row order[i] of `features` (i itself if
 * there is no order), and an entry x of that row and of column j is (x - mean[j]) * scale[j], or x *
 * factor[order[i]]; with binary, x counts as 1 if it is positive, else as 0. mean and factor are NULL if there is
 * nothing to do. For sparse features, `features` is the whole result. */
typedef struct crd_prepared {
    crd_features features;
    const int32_t *order;
    const float *mean, *scale;
    float *factor;
    bool binary;
    crd_features owned; /* the arrays of `features` that are not shared */
} crd_prepared;

/* mean and scale are for CRD_FEATURES_STANDARD. Row i of the result is row order[i] of the input; NULL: the same
 * order. Entries of sparse features that become 0 (negative ones made binary) are dropped; standardising makes sparse
 * features dense. A failure leaves nothing to free. */
crd_status crd_preprocess(const crd_features *features, crd_preprocessing preprocessing, const float *mean,
                          const float *scale, const int32_t *order, crd_prepared *prepared, crd_error *error);
/* Makes `features` the whole result for dense ones too: a copy, unless there is nothing to do. A failure changes
 * nothing. */
crd_status crd_prepared_settle(crd_prepared *prepared, crd_error *error);
void crd_prepared_free(crd_prepared *prepared);

#endif
