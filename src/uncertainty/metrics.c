#include "uncertainty/metrics.h"

#include <math.h>
#include <stdlib.h>

/* ---- uncertainties ---- */

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

/* alpha0: the evidence plus one per class. In double: evidence goes from e^-30 to e^30. */
static double total_alpha(const float *row, int32_t classes)
{
    double total = (double)classes;
    for (int32_t k = 0; k < classes; k++) total += (double)row[k];
    return total;
}

crd_status crd_scores_make(const float *evidence, const float *evidence_features, int64_t nodes, int32_t classes,
                           double *score[CRD_SCORES], crd_error *error)
{
    crd_status status = CRD_OK;
    for (int s = 0; s < CRD_SCORES; s++) score[s] = NULL;
    for (int s = 0; s < CRD_SCORES && status == CRD_OK; s++)
        if (s != CRD_SCORE_EPISTEMIC_FEATURES || evidence_features != NULL) status = CRD_NEW(&score[s], nodes, error);
    if (status != CRD_OK) {
        crd_scores_free(score);
        return status;
    }
    for (int64_t i = 0; i < nodes; i++) {
        const float *row = evidence + i * classes;
        const double total = total_alpha(row, classes), most = 1.0 + (double)row[largest(row, classes)];
        score[CRD_SCORE_EPISTEMIC][i] = -total;
        score[CRD_SCORE_EPISTEMIC_CLASS][i] = -most;
        score[CRD_SCORE_ALEATORIC][i] = -most / total;
        if (evidence_features != NULL)
            score[CRD_SCORE_EPISTEMIC_FEATURES][i] = -total_alpha(evidence_features + i * classes, classes);
    }
    return CRD_OK;
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

/* ---- metrics of a ranking ---- */

typedef struct crd_ranking_step step;

static int by_falling_score(const void *a, const void *b)
{
    double left = ((const step *)a)->score, right = ((const step *)b)->score;
    return (left < right) - (left > right);
}

crd_status crd_ranking_make(const double *score, const bool *positive, int64_t count, crd_ranking *ranking,
                            crd_error *error)
{
    *ranking = (crd_ranking){0};
    if (count < 0) return crd_fail(error, CRD_ERROR_ARGUMENT, "%lld scores were given", (long long)count);
    for (int64_t i = 0; i < count; i++)
        if (isnan(score[i])) return crd_fail(error, CRD_ERROR_ARGUMENT, "score %lld is not a number", (long long)i);
    step *steps;
    crd_status status = CRD_NEW(&steps, count, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < count; i++) steps[i] = (step){score[i], positive[i], !positive[i]};
    if (count > 1) qsort(steps, (size_t)count, sizeof *steps, by_falling_score);
    /* Equal scores become one step, so that their order after sorting does not matter. */
    int64_t used = 0;
    for (int64_t i = 0; i < count; i++) {
        ranking->positives += steps[i].positives;
        ranking->negatives += steps[i].negatives;
        if (used > 0 && steps[used - 1].score == steps[i].score) {
            steps[used - 1].positives += steps[i].positives;
            steps[used - 1].negatives += steps[i].negatives;
        } else {
            steps[used++] = steps[i];
        }
    }
    ranking->step = steps;
    ranking->steps = used;
    return CRD_OK;
}

void crd_ranking_free(crd_ranking *ranking)
{
    free(ranking->step);
    *ranking = (crd_ranking){0};
}

/* Walks down the ranking once; `turned`: up, with the negatives as positives. */
static crd_detection measure(const crd_ranking *ranking, bool turned)
{
    const double positives = (double)(turned ? ranking->negatives : ranking->positives);
    const double negatives = (double)(turned ? ranking->positives : ranking->negatives);
    double pairs_won = 0.0, area = 0.0, sum = 0.0, precision_before = 1.0, alarms_at_95 = NAN;
    int64_t found = 0, alarms = 0;
    for (int64_t i = 0; i < ranking->steps; i++) {
        const step *s = &ranking->step[turned ? ranking->steps - 1 - i : i];
        const int64_t new_found = turned ? s->negatives : s->positives;
        const int64_t new_alarms = turned ? s->positives : s->negatives;
        found += new_found;
        alarms += new_alarms;
        const double gain = (double)new_found, precision = (double)found / (double)(found + alarms);
        pairs_won += gain * (negatives - (double)alarms + 0.5 * (double)new_alarms);
        area += gain * 0.5 * (precision + precision_before);
        sum += gain * (double)found / (double)(found + alarms);
        precision_before = precision;
        /* Both rates rise from step to step, so the first step that finds enough has the fewest false alarms. In
         * integers, because there 95 % of 20 is exactly 19. */
        const int64_t all = turned ? ranking->negatives : ranking->positives;
        if (isnan(alarms_at_95) && found * 20 >= all * 19) alarms_at_95 = (double)alarms;
    }
    /* without positives or negatives: 0 / 0 */
    return (crd_detection){.auroc = pairs_won / (positives * negatives),
                           .aupr = area / positives,
                           .ap = sum / positives,
                           .fpr95 = positives > 0.0 ? alarms_at_95 / negatives : NAN};
}

crd_status crd_detection_metrics(const double *score, const bool *positive, int64_t count, crd_detection *metrics,
                                 crd_error *error)
{
    crd_ranking ranking;
    crd_status status = crd_ranking_make(score, positive, count, &ranking, error);
    if (status != CRD_OK) return status;
    *metrics = measure(&ranking, false);
    crd_ranking_free(&ranking);
    return CRD_OK;
}

crd_status crd_failure_metrics(const double *uncertainty, const bool *wrong, int64_t count, crd_failure *metrics,
                               crd_error *error)
{
    crd_ranking ranking;
    crd_status status = crd_ranking_make(uncertainty, wrong, count, &ranking, error);
    if (status != CRD_OK) return status;
    const crd_detection of_wrong = measure(&ranking, false), of_right = measure(&ranking, true);
    *metrics = (crd_failure){.auroc = of_wrong.auroc,
                             .aupr_error = of_wrong.aupr,
                             .aupr_success = of_right.aupr,
                             .aurc = crd_ranking_risk(&ranking, NULL)};
    crd_ranking_free(&ranking);
    return CRD_OK;
}
