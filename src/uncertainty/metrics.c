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
static crd_status minus_total(const float *matrix, int64_t nodes, int32_t classes, double **score, crd_error *error)
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
    crd_status status = evidence != NULL ? minus_largest(evidence, 1.0, true, nodes, classes, aleatoric, error)
                                         : minus_largest(probability, 0.0, false, nodes, classes, aleatoric, error);
    if (status == CRD_OK && evidence != NULL)
        status = minus_total(evidence, nodes, classes, &score[CRD_SCORE_EPISTEMIC], error);
    if (status == CRD_OK && evidence != NULL)
        status = minus_largest(evidence, 1.0, false, nodes, classes, &score[CRD_SCORE_EPISTEMIC_CLASS], error);
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

static void swap_counts(int64_t *a, int64_t *b)
{
    int64_t kept = *a;
    *a = *b;
    *b = kept;
}

void crd_ranking_turn(crd_ranking *ranking)
{
    for (int64_t i = 0, j = ranking->steps - 1; i < j; i++, j--) {
        step kept = ranking->step[i];
        ranking->step[i] = ranking->step[j];
        ranking->step[j] = kept;
    }
    for (int64_t i = 0; i < ranking->steps; i++) {
        step *s = &ranking->step[i];
        s->score = -s->score;
        swap_counts(&s->positives, &s->negatives);
    }
    swap_counts(&ranking->positives, &ranking->negatives);
}

void crd_ranking_free(crd_ranking *ranking)
{
    free(ranking->step);
    *ranking = (crd_ranking){0};
}

double crd_auroc(const crd_ranking *ranking)
{
    if (ranking->positives == 0 || ranking->negatives == 0) return NAN;
    double pairs_won = 0.0;
    int64_t below = ranking->negatives;
    for (int64_t i = 0; i < ranking->steps; i++) {
        const step *s = &ranking->step[i];
        below -= s->negatives;
        pairs_won += (double)s->positives * ((double)below + 0.5 * (double)s->negatives);
    }
    return pairs_won / ((double)ranking->positives * (double)ranking->negatives);
}

double crd_aupr(const crd_ranking *ranking)
{
    if (ranking->positives == 0) return NAN;
    double area = 0.0, precision_before = 1.0;
    int64_t found = 0, taken = 0;
    for (int64_t i = 0; i < ranking->steps; i++) {
        const step *s = &ranking->step[i];
        found += s->positives;
        taken += s->positives + s->negatives;
        double precision = (double)found / (double)taken;
        area += (double)s->positives * 0.5 * (precision + precision_before);
        precision_before = precision;
    }
    return area / (double)ranking->positives;
}

double crd_average_precision(const crd_ranking *ranking)
{
    if (ranking->positives == 0) return NAN;
    double sum = 0.0;
    int64_t found = 0, taken = 0;
    for (int64_t i = 0; i < ranking->steps; i++) {
        const step *s = &ranking->step[i];
        found += s->positives;
        taken += s->positives + s->negatives;
        sum += (double)s->positives * (double)found / (double)taken;
    }
    return sum / (double)ranking->positives;
}

double crd_fpr95(const crd_ranking *ranking)
{
    if (ranking->positives == 0 || ranking->negatives == 0) return NAN;
    /* Both rates rise from step to step, so the first step that finds enough has the fewest false alarms. In
     * integers, because there 95 % of 20 is exactly 19. */
    int64_t found = 0, alarms = 0;
    for (int64_t i = 0; i < ranking->steps; i++) {
        found += ranking->step[i].positives;
        alarms += ranking->step[i].negatives;
        if (found * 20 >= ranking->positives * 19) break;
    }
    return (double)alarms / (double)ranking->negatives;
}

double crd_aurc(const crd_ranking *ranking)
{
    int64_t count = ranking->positives + ranking->negatives;
    if (count == 0) return NAN;
    double sum = 0.0;
    int64_t answered = 0, wrong = 0;
    for (int64_t i = ranking->steps - 1; i >= 0; i--) {
        const step *s = &ranking->step[i];
        int64_t tied = s->positives + s->negatives;
        for (int64_t j = 1; j <= tied; j++) sum += crd_risk_inside(s, wrong, answered, j);
        answered += tied;
        wrong += s->positives;
    }
    return sum / (double)count;
}

crd_status crd_detection_metrics(const double *score, const bool *positive, int64_t count, crd_detection *metrics,
                                 crd_error *error)
{
    crd_ranking ranking;
    crd_status status = crd_ranking_make(score, positive, count, &ranking, error);
    if (status != CRD_OK) return status;
    *metrics = (crd_detection){.auroc = crd_auroc(&ranking),
                               .aupr = crd_aupr(&ranking),
                               .ap = crd_average_precision(&ranking),
                               .fpr95 = crd_fpr95(&ranking)};
    crd_ranking_free(&ranking);
    return CRD_OK;
}

crd_status crd_failure_metrics(const double *uncertainty, const bool *wrong, int64_t count, crd_failure *metrics,
                               crd_error *error)
{
    crd_ranking ranking;
    crd_status status = crd_ranking_make(uncertainty, wrong, count, &ranking, error);
    if (status != CRD_OK) return status;
    *metrics =
        (crd_failure){.auroc = crd_auroc(&ranking), .aupr_error = crd_aupr(&ranking), .aurc = crd_aurc(&ranking)};
    crd_ranking_turn(&ranking);
    metrics->aupr_success = crd_aupr(&ranking);
    crd_ranking_free(&ranking);
    return CRD_OK;
}
