/* SPDX-License-Identifier: MIT */
#include "uncertainty/metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/watch.h"

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

static crd_status new_scores(const bool has[CRD_SCORES], int64_t nodes, double *score[CRD_SCORES], crd_error *error)
{
    crd_status status = CRD_OK;
    for (int s = 0; s < CRD_SCORES; s++) score[s] = NULL;
    for (int s = 0; s < CRD_SCORES && status == CRD_OK; s++)
        if (has[s]) status = CRD_NEW(&score[s], nodes, error);
    if (status != CRD_OK) crd_scores_free(score);
    return status;
}

crd_status crd_scores_make(const float *evidence, const float *evidence_features, int64_t nodes, int32_t classes,
                           double *score[CRD_SCORES], crd_error *error)
{
    const bool has[CRD_SCORES] = {true, true, [CRD_SCORE_EPISTEMIC_FEATURES] = evidence_features != NULL, true};
    crd_status status = new_scores(has, nodes, score, error);
    for (int64_t i = 0; i < nodes && status == CRD_OK; i++) {
        if (crd_watch_at(i)) status = crd_watch_stopped(error);
        const float *row = evidence + i * classes;
        const double total = total_alpha(row, classes), most = 1.0 + (double)row[largest(row, classes)];
        score[CRD_SCORE_EPISTEMIC][i] = -total;
        score[CRD_SCORE_EPISTEMIC_CLASS][i] = -most;
        score[CRD_SCORE_ALEATORIC][i] = -most / total;
        if (evidence_features != NULL)
            score[CRD_SCORE_EPISTEMIC_FEATURES][i] = -total_alpha(evidence_features + i * classes, classes);
    }
    return status;
}

crd_status crd_scores_from_logits(const float *logits, bool energy, int64_t nodes, int32_t classes,
                                  double *score[CRD_SCORES], crd_error *error)
{
    const bool has[CRD_SCORES] = {[CRD_SCORE_ALEATORIC] = true, [CRD_SCORE_EPISTEMIC] = energy};
    crd_status status = new_scores(has, nodes, score, error);
    for (int64_t i = 0; i < nodes && status == CRD_OK; i++) {
        if (crd_watch_at(i)) status = crd_watch_stopped(error);
        const float *row = logits + i * classes;
        const double most = (double)row[largest(row, classes)];
        double sum = 0.0; /* in double: float has no p between 1 - 6e-8 and 1 */
        for (int32_t k = 0; k < classes; k++) sum += exp((double)row[k] - most);
        score[CRD_SCORE_ALEATORIC][i] = -1.0 / sum;
        if (energy) score[CRD_SCORE_EPISTEMIC][i] = -(most + log(sum));
    }
    return status;
}

void crd_scores_free(double *score[CRD_SCORES])
{
    for (int s = 0; s < CRD_SCORES; s++) {
        crd_free(score[s]);
        score[s] = NULL;
    }
}

/* ---- a ranking ---- */

/* Scores in order: one step for every distinct value, the largest first. All metrics and curves of a ranking need this,
 * so it is sorted once. Equal scores share a step, so their order in the input does not matter. */
typedef struct step {
    double score;
    int64_t positives, negatives;
} step;

typedef struct ranking {
    int64_t steps;
    step *step;
    int64_t positives, negatives;
} ranking;

static int by_falling_score(const void *a, const void *b)
{
    double left = ((const step *)a)->score, right = ((const step *)b)->score;
    return (left < right) - (left > right);
}

static crd_status make_ranking(const double *score, const bool *positive, int64_t count, ranking *r, crd_error *error)
{
    *r = (ranking){0};
    if (count < 0) return crd_fail(error, CRD_ERROR_ARGUMENT, "%lld scores were given", (long long)count);
    for (int64_t i = 0; i < count; i++)
        if (isnan(score[i])) return crd_fail(error, CRD_ERROR_ARGUMENT, "score %lld is not a number", (long long)i);
    step *steps;
    crd_status status = CRD_NEW(&steps, count, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < count; i++) steps[i] = (step){score[i], positive[i], !positive[i]};
    status = crd_sort(steps, count, sizeof *steps, by_falling_score, error);
    if (status != CRD_OK) {
        crd_free(steps);
        return status;
    }
    /* Equal scores become one step, so that their order after sorting does not matter. */
    int64_t used = 0;
    for (int64_t i = 0; i < count; i++) {
        r->positives += steps[i].positives;
        r->negatives += steps[i].negatives;
        if (used > 0 && steps[used - 1].score == steps[i].score) {
            steps[used - 1].positives += steps[i].positives;
            steps[used - 1].negatives += steps[i].negatives;
        } else {
            steps[used++] = steps[i];
        }
    }
    r->step = steps;
    r->steps = used;
    return CRD_OK;
}

/* ---- its curves, with a point for every threshold ---- */

/* ROC, or else precision and recall. Returns how many points there are. */
static int64_t whole_curve(const ranking *r, bool roc, crd_point *curve)
{
    if (r->positives == 0 || (roc && r->negatives == 0)) return 0;
    int64_t found = 0, alarms = 0;
    curve[0] = (crd_point){0.0, roc ? 0.0 : 1.0};
    for (int64_t i = 0; i < r->steps; i++) {
        found += r->step[i].positives;
        alarms += r->step[i].negatives;
        const double recall = (double)found / (double)r->positives;
        curve[i + 1] = roc ? (crd_point){(double)alarms / (double)r->negatives, recall}
                           : (crd_point){recall, (double)found / (double)(found + alarms)};
    }
    return r->steps + 1;
}

/* The error rate among the k least uncertain answers, for k = 1 .. count; inside a tie, the expected rate over all
 * orders. Returns the mean, the area under the curve; `curve` may be NULL. */
static double risk_curve(const ranking *r, crd_point *curve)
{
    const double count = (double)(r->positives + r->negatives);
    double sum = 0.0;
    int64_t answered = 0, wrong = 0;
    for (int64_t i = r->steps - 1; i >= 0; i--) {
        const step *s = &r->step[i];
        const int64_t tied = s->positives + s->negatives;
        const double rate = (double)s->positives / (double)tied;
        for (int64_t j = 1; j <= tied; j++) {
            const double risk = ((double)wrong + (double)j * rate) / (double)(answered + j);
            if (curve != NULL) curve[answered + j - 1] = (crd_point){(double)(answered + j) / count, risk};
            sum += risk;
        }
        answered += tied;
        wrong += s->positives;
    }
    return sum / count;
}

/* ---- fewer points ---- */

static double distance(crd_point a, crd_point b)
{
    /* Not hypot, which would need glibc 2.35: curves are between 0 and 1, so nothing can overflow. */
    const double x = b.x - a.x, y = b.y - a.y;
    return sqrt(x * x + y * y);
}

/* Keeps the first and the last point, and every point that is farther than the tolerance from the one kept before;
 * false if `most` are not enough. */
static bool thin(const crd_point *curve, int64_t count, double tolerance, crd_point *points, int64_t most,
                 int64_t *found)
{
    int64_t used = 1;
    points[0] = curve[0];
    for (int64_t i = 1; i < count; i++) {
        if (i < count - 1 && distance(points[used - 1], curve[i]) <= tolerance) continue;
        if (used == most) return false;
        points[used++] = curve[i];
    }
    *found = used;
    return true;
}

/* Finds the smallest tolerance, to about 1 %, for which `most` points suffice. The curve's length divided by the
 * number of pieces is always enough, because all pieces but the last are longer than the tolerance. */
static void choose(const crd_point *curve, int64_t count, crd_point *points, int64_t most, int64_t *found)
{
    double length = 0.0;
    for (int64_t i = 1; i < count; i++) length += distance(curve[i - 1], curve[i]);
    double enough = length / (double)(most - 1) * (1.0 + 1e-9);
    double little = 1e-6 * enough;
    for (int halving = 0; halving < 11; halving++) {
        const double middle = sqrt(little * enough);
        if (thin(curve, count, middle, points, most, found)) enough = middle;
        else little = middle;
    }
    thin(curve, count, enough, points, most, found);
}

crd_status crd_curve_points(crd_curve kind, const double *score, const bool *positive, int64_t count, crd_point *points,
                            int64_t most, int64_t *found, crd_error *error)
{
    if (CRD_ANY_NULL(error, points, found)) return CRD_ERROR_ARGUMENT;
    if (count > 0 && CRD_ANY_NULL(error, score, positive)) return CRD_ERROR_ARGUMENT;
    if (kind != CRD_CURVE_ROC && kind != CRD_CURVE_PR && kind != CRD_CURVE_RISK)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "the curve %d does not exist", (int)kind);
    if (most < 2)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "a curve of at most %lld points was asked for, expected 2 or more",
                        (long long)most);
    ranking r;
    crd_point *curve = NULL;
    crd_status status = make_ranking(score, positive, count, &r, error);
    if (status == CRD_OK) status = CRD_NEW(&curve, count + 1, error);
    if (status == CRD_OK) {
        int64_t whole = count;
        if (kind == CRD_CURVE_RISK) (void)risk_curve(&r, curve);
        else whole = whole_curve(&r, kind == CRD_CURVE_ROC, curve);
        if (whole > most) {
            choose(curve, whole, points, most, found);
        } else {
            memcpy(points, curve, (size_t)whole * sizeof *points);
            *found = whole;
        }
    }
    crd_free(curve);
    crd_free(r.step);
    return status;
}

/* ---- its metrics ---- */

/* Walks down the ranking once; `turned`: up, with the negatives as positives. */
static crd_detection measure(const ranking *r, bool turned)
{
    const double positives = (double)(turned ? r->negatives : r->positives);
    const double negatives = (double)(turned ? r->positives : r->negatives);
    double pairs_won = 0.0, area = 0.0, sum = 0.0, precision_before = 1.0, alarms_at_95 = NAN;
    int64_t found = 0, alarms = 0;
    for (int64_t i = 0; i < r->steps; i++) {
        const step *s = &r->step[turned ? r->steps - 1 - i : i];
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
        const int64_t all = turned ? r->negatives : r->positives;
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
    if (CRD_ANY_NULL(error, metrics)) return CRD_ERROR_ARGUMENT;
    if (count > 0 && CRD_ANY_NULL(error, score, positive)) return CRD_ERROR_ARGUMENT;
    ranking r;
    crd_status status = make_ranking(score, positive, count, &r, error);
    if (status != CRD_OK) return status;
    *metrics = measure(&r, false);
    crd_free(r.step);
    return CRD_OK;
}

crd_status crd_failure_metrics(const double *uncertainty, const bool *wrong, int64_t count, crd_failure *metrics,
                               crd_error *error)
{
    if (CRD_ANY_NULL(error, metrics)) return CRD_ERROR_ARGUMENT;
    if (count > 0 && CRD_ANY_NULL(error, uncertainty, wrong)) return CRD_ERROR_ARGUMENT;
    ranking r;
    crd_status status = make_ranking(uncertainty, wrong, count, &r, error);
    if (status != CRD_OK) return status;
    const crd_detection of_wrong = measure(&r, false), of_right = measure(&r, true);
    *metrics = (crd_failure){.auroc = of_wrong.auroc,
                             .aupr_error = of_wrong.aupr,
                             .aupr_success = of_right.aupr,
                             .aurc = risk_curve(&r, NULL)};
    crd_free(r.step);
    return CRD_OK;
}
