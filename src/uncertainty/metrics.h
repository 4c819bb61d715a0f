/* SPDX-License-Identifier: MIT */
/* Uncertainties, and how good answers and uncertainties are, on plain arrays. */
#ifndef CRD_UNCERTAINTY_METRICS_H
#define CRD_UNCERTAINTY_METRICS_H

#include "base/memory.h"
#include "credence_private.h"

/* Uncertainties: one number per node that grows with doubt. */
/* Allocates and fills score[s] for every crd_score s that the model has, and sets the others to NULL; on failure, all
 * of them. Arrays are nodes x classes, row-major; evidence (alpha - 1) before the graph may be NULL. It takes
 * evidence, not alpha, because 1 + 1e-9 is 1 in float32, and nodes with hardly any evidence must still be ranked. */
crd_status crd_scores_make(const float *evidence, const float *evidence_features, int64_t nodes, int32_t classes,
                           double *score[CRD_SCORES], crd_error *error);
/* The same from logits: -max p, and if `energy` the epistemic uncertainty -logsumexp. */
crd_status crd_scores_from_logits(const float *logits, bool energy, int64_t nodes, int32_t classes,
                                  double *score[CRD_SCORES], crd_error *error);
void crd_scores_free(double *score[CRD_SCORES]);

/* The most probable class of every node; the first of equals. */
void crd_most_probable(const float *probability, int64_t nodes, int32_t classes, int32_t *class_index);

/* How good answers and uncertainties are. An undefined metric is NaN. */

/* The next ones use the nodes whose truth is a class and skip a negative truth. probability is nodes x classes;
 * answer and truth have one class per node. */
double crd_accuracy(const int32_t *answer, const int32_t *truth, int64_t nodes);
/* One result for each class. Returns the mean recall of the classes that have nodes: the balanced accuracy. */
double crd_class_results(const int32_t *answer, const int32_t *truth, int64_t nodes, int32_t classes,
                         crd_class_result *results);
/* brier: mean of the sum over classes of (p - y)^2, from 0 to 2. nll: mean of -log p of the true class, with p at least
 * CRD_NLL_FLOOR: one node with a probability that float rounds to zero must not make the mean infinite. */
#define CRD_NLL_FLOOR 1e-12
void crd_proper_scores(const float *probability, const int32_t *truth, int64_t nodes, int32_t classes, double *brier,
                       double *nll);

#endif
