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

/* Scores in order: one step for every distinct value, the largest first. All metrics of a ranking need this, so it is
 * sorted once. Equal scores share a step, so their order in the input does not matter. */
typedef struct crd_ranking {
    int64_t steps;
    struct crd_ranking_step {
        double score;
        int64_t positives, negatives;
    } * step;
    int64_t positives, negatives;
} crd_ranking;

/* NaN is an error; infinities are ordered like other numbers. */
crd_status crd_ranking_make(const double *score, const bool *positive, int64_t count, crd_ranking *ranking,
                            crd_error *error);
void crd_ranking_free(crd_ranking *ranking);

/* The risk-coverage curve, for positives that are wrong answers and scores that are uncertainties: the error rate
 * among the k least uncertain, for k = 1 .. count. Inside a tie it is the expected rate over all orders. Returns the
 * mean, the area under the curve; `curve`, with room for count points, may be NULL. */
double crd_ranking_risk(const crd_ranking *ranking, crd_point *curve);

/* The next ones use the nodes whose truth is a class and skip a negative truth. probability is nodes x classes;
 * answer and truth have one class per node. */
double crd_accuracy(const int32_t *answer, const int32_t *truth, int64_t nodes);
/* Mean of the sum over classes of (p - y)^2: from 0 to 2. */
double crd_brier(const float *probability, const int32_t *truth, int64_t nodes, int32_t classes);
/* Mean of -log p of the true class, with p at least CRD_NLL_FLOOR: one node with a probability that float rounds to
 * zero must not make the mean infinite. */
#define CRD_NLL_FLOOR 1e-12
double crd_nll(const float *probability, const int32_t *truth, int64_t nodes, int32_t classes);

#endif
