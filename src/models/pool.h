/* SPDX-License-Identifier: MIT */
/* How a committee joins what its networks say about a node: one sum for the classes, one for doubt. */
#ifndef CRD_MODELS_POOL_H
#define CRD_MODELS_POOL_H

#include <stdint.h>

#include "base/status.h"

/* A signal of doubt per view and kind: "unlabelled" against the known classes, and the answer's uncertainty. */
enum { CRD_POOL_VIEWS = 3, CRD_SIGNALS = 2 * CRD_POOL_VIEWS };

typedef struct crd_pool {
    double view[CRD_POOL_VIEWS]; /* the weight of each view's logits in the logits of the classes; their sum is 1 */
    double signal[CRD_SIGNALS];  /* the weight of each signal in the logarithm of the odds of being unlabelled */
    double bias;                 /* of that logarithm: 0 where labelled and unlabelled nodes are equally likely */
} crd_pool;

/* Its numbers one after the other, as a model file has them. */
enum { CRD_POOL_NUMBERS = CRD_POOL_VIEWS + CRD_SIGNALS + 1 };
double *crd_pool_place(crd_pool *pool, int index);
double crd_pool_number(const crd_pool *pool, int index);

/* What one network says about a node: the logits of each view, `classes` known classes and then "unlabelled". */
void crd_pool_signals(const float *logits, int32_t classes, double signals[CRD_SIGNALS]);

/* What one view's signals add to doubt is constant + sum of slope x logit, for the logits of this row. Returns the
 * constant; `slope` has classes + 1 numbers. */
double crd_pool_slope(const crd_pool *pool, int view, const float *row, int32_t classes, double *slope);

/* The logits of the classes, as one network says. */
void crd_pool_classes(const crd_pool *pool, const float *logits, int32_t classes, float *joined);

/* Nodes that the network which speaks of them has not seen the label of. */
typedef struct crd_pool_sample {
    int64_t count;
    int32_t classes;
    const float *logits;  /* [count][views][classes + 1] */
    const int32_t *label; /* -1: an unlabelled node */
    bool all_known;       /* the unlabelled nodes are of known classes too: being unlike labelled ones means nothing */
} crd_pool_sample;

/* Chooses the weights: those of the classes by the cross-entropy of the labelled nodes, those of doubt by telling
 * labelled nodes from unlabelled ones. Weights are not negative, and few nodes leave them near equal ones. */
crd_status crd_pool_fit(crd_pool *pool, const crd_pool_sample *sample, crd_error *error);

#endif
