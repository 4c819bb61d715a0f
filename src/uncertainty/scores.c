#include "uncertainty/scores.h"

#include <math.h>
#include <stdlib.h>

static int32_t largest(const float *row, int32_t classes)
{
    int32_t best = 0;
    for (int32_t k = 1; k < classes; k++)
        if (row[k] > row[best]) best = k;
    return best;
}

void crd_most_probable(const float *probability, int64_t nodes, int32_t classes, int32_t *class_index)
{
    for (int64_t i = 0; i < nodes; i++) class_index[i] = largest(probability + i * classes, classes);
}

/* -(prior + largest of the row), over the row's total with `prior` a class if `share`. */
static crd_status minus_largest(const float *matrix, double prior, bool share, int64_t nodes, int32_t classes,
                                double **score, crd_error *error)
{
    crd_status status = CRD_NEW(score, nodes, error);
    for (int64_t i = 0; i < nodes && status == CRD_OK; i++) {
        const float *row = matrix + i * classes;
        double total = prior * (double)classes;
        for (int32_t k = 0; k < classes; k++) total += (double)row[k];
        (*score)[i] = -(prior + (double)row[largest(row, classes)]) / (share ? total : 1.0);
    }
    return status;
}

/* -alpha0, in double: evidence goes from e^-30 to e^30. */
static crd_status minus_total(const float *matrix, int64_t nodes, int32_t classes, double **score,
                              crd_error *error)
{
    crd_status status = CRD_NEW(score, nodes, error);
    for (int64_t i = 0; i < nodes && status == CRD_OK; i++) {
        const float *row = matrix + i * classes;
        double total = (double)classes;
        for (int32_t k = 0; k < classes; k++) total += (double)row[k];
        (*score)[i] = -total;
    }
    return status;
}

crd_status crd_scores_make(const float *probability, const float *evidence, const float *evidence_features,
                           int64_t nodes, int32_t classes, double *score[CRD_SCORES], crd_error *error)
{
    for (int s = 0; s < CRD_SCORES; s++) score[s] = NULL;
    double **aleatoric = &score[CRD_SCORE_ALEATORIC];
    crd_status status = evidence != NULL
                            ? minus_largest(evidence, 1.0, true, nodes, classes, aleatoric, error)
                            : minus_largest(probability, 0.0, false, nodes, classes, aleatoric, error);
    if (status == CRD_OK && evidence != NULL)
        status = minus_total(evidence, nodes, classes, &score[CRD_SCORE_EPISTEMIC], error);
    if (status == CRD_OK && evidence != NULL)
        status =
            minus_largest(evidence, 1.0, false, nodes, classes, &score[CRD_SCORE_EPISTEMIC_CLASS], error);
    if (status == CRD_OK && evidence_features != NULL)
        status = minus_total(evidence_features, nodes, classes, &score[CRD_SCORE_EPISTEMIC_FEATURES], error);
    if (status != CRD_OK) crd_scores_free(score);
    return status;
}

crd_status crd_scores_from_logits(const float *logits, bool energy, int64_t nodes, int32_t classes,
                                  double *score[CRD_SCORES], crd_error *error)
{
    for (int s = 0; s < CRD_SCORES; s++) score[s] = NULL;
    crd_status status = CRD_NEW(&score[CRD_SCORE_ALEATORIC], nodes, error);
    if (status == CRD_OK && energy) status = CRD_NEW(&score[CRD_SCORE_EPISTEMIC], nodes, error);
    if (status != CRD_OK) {
        crd_scores_free(score);
        return status;
    }
    for (int64_t i = 0; i < nodes; i++) {
        const float *row = logits + i * classes;
        const double most = (double)row[largest(row, classes)];
        double sum = 0.0; /* in double: float has no p between 1 - 6e-8 and 1 */
        for (int32_t k = 0; k < classes; k++) sum += exp((double)row[k] - most);
        score[CRD_SCORE_ALEATORIC][i] = -1.0 / sum;
        if (energy) score[CRD_SCORE_EPISTEMIC][i] = -(most + log(sum));
    }
    return CRD_OK;
}

void crd_scores_free(double *score[CRD_SCORES])
{
    for (int s = 0; s < CRD_SCORES; s++) {
        free(score[s]);
        score[s] = NULL;
    }
}
