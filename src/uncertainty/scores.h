/* Uncertainties: one number a node that grows with doubt. */
#ifndef CRD_UNCERTAINTY_SCORES_H
#define CRD_UNCERTAINTY_SCORES_H

#include "base/memory.h"

#define CRD_SCORES 4 /* values of crd_score */

/* Allocates and fills score[s] for every crd_score s that the model can give, and sets the others to NULL;
 * all of them on failure. Arrays are nodes x classes, row-major; evidence (alpha - 1) after and before the
 * graph may be NULL. It is evidence and not alpha because 1 + 1e-9 is 1 in float32, and nodes that nobody
 * knows must still be ranked; for the same reason -max p is taken from evidence where there is any. */
crd_status crd_scores_make(const float *probability, const float *evidence, const float *evidence_features,
                           int64_t nodes, int32_t classes, double *score[CRD_SCORES], crd_error *error);
/* The same from logits: -max p, and if `energy` the epistemic uncertainty -logsumexp. */
crd_status crd_scores_from_logits(const float *logits, bool energy, int64_t nodes, int32_t classes,
                                  double *score[CRD_SCORES], crd_error *error);
void crd_scores_free(double *score[CRD_SCORES]);

/* The most probable class of every node; the first of equals. */
void crd_most_probable(const float *probability, int64_t nodes, int32_t classes, int32_t *class_index);

#endif
