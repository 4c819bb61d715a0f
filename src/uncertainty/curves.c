/* What plots draw: curves, histograms and the bins of calibration. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "credence_private.h"
#include "uncertainty/metrics.h"

/* ---- whole curves: a point for every threshold ---- */

/* ROC, or else precision and recall. Returns how many points there are. */
static int64_t whole_curve(const crd_ranking *ranking, bool roc, crd_point *curve)
{
    if (ranking->positives == 0 || (roc && ranking->negatives == 0)) return 0;
    int64_t found = 0, alarms = 0;
    curve[0] = (crd_point){0.0, roc ? 0.0 : 1.0};
    for (int64_t i = 0; i < ranking->steps; i++) {
        found += ranking->step[i].positives;
        alarms += ranking->step[i].negatives;
        const double recall = (double)found / (double)ranking->positives;
        curve[i + 1] = roc ? (crd_point){(double)alarms / (double)ranking->negatives, recall}
                           : (crd_point){recall, (double)found / (double)(found + alarms)};
    }
    return ranking->steps + 1;
}

double crd_ranking_risk(const crd_ranking *ranking, crd_point *curve)
{
    const double count = (double)(ranking->positives + ranking->negatives);
    double sum = 0.0;
    int64_t answered = 0, wrong = 0;
    for (int64_t i = ranking->steps - 1; i >= 0; i--) {
        const struct crd_ranking_step *s = &ranking->step[i];
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
    return hypot(b.x - a.x, b.y - a.y);
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
    if (kind != CRD_CURVE_ROC && kind != CRD_CURVE_PR && kind != CRD_CURVE_RISK)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "the curve %d does not exist", (int)kind);
    if (most < 2)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "a curve of at most %lld points was asked for, expected 2 or more",
                        (long long)most);
    crd_ranking ranking;
    crd_point *curve = NULL;
    crd_status status = crd_ranking_make(score, positive, count, &ranking, error);
    if (status == CRD_OK) status = CRD_NEW(&curve, count + 1, error);
    if (status == CRD_OK) {
        int64_t whole = count;
        if (kind == CRD_CURVE_RISK) (void)crd_ranking_risk(&ranking, curve);
        else whole = whole_curve(&ranking, kind == CRD_CURVE_ROC, curve);
        if (whole > most) {
            choose(curve, whole, points, most, found);
        } else {
            memcpy(points, curve, (size_t)whole * sizeof *points);
            *found = whole;
        }
    }
    free(curve);
    crd_ranking_free(&ranking);
    return status;
}

/* ---- histograms ---- */

static crd_status find_range(const double *value, int64_t count, double *low, double *high, crd_error *error)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int64_t i = 0; i < count; i++) {
        if (isnan(value[i])) return crd_fail(error, CRD_ERROR_ARGUMENT, "value %lld is not a number", (long long)i);
        if (isinf(value[i])) continue;
        *low = fmin(*low, value[i]);
        *high = fmax(*high, value[i]);
    }
    if (*low > *high) { /* nothing finite */
        *low = 0.0;
        *high = 1.0;
    } else if (*low == *high) {
        const double half = fmax(0.5, 1e-9 * fabs(*low));
        *low = fmax(*low - half, -DBL_MAX);
        *high = fmin(*high + half, DBL_MAX);
    }
    return CRD_OK;
}

crd_status crd_histogram(const double *value, const bool *positive, int64_t count, int64_t bins, double *edges,
                         int64_t *negatives, int64_t *positives, crd_error *error)
{
    double low, high;
    if (count < 0) return crd_fail(error, CRD_ERROR_ARGUMENT, "%lld values were given", (long long)count);
    if (bins < 1) return crd_fail(error, CRD_ERROR_ARGUMENT, "%lld bins were asked for", (long long)bins);
    crd_status status = find_range(value, count, &low, &high, error);
    if (status != CRD_OK) return status;
    for (int64_t b = 0; b <= bins; b++) {
        const double part = (double)b / (double)bins;
        const double edge = low * (1.0 - part) + high * part; /* high - low may be too large for a double */
        edges[b] = b == 0 ? low : fmin(fmax(edge, edges[b - 1]), high);
    }
    for (int64_t b = 0; b < bins; b++) negatives[b] = positives[b] = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t bin = 0; /* of -infinity too */
        while (bin < bins - 1 && value[i] >= edges[bin + 1]) bin++;
        (positive[i] ? positives : negatives)[bin]++;
    }
    return CRD_OK;
}

/* ---- calibration ---- */

double crd_accuracy(const int32_t *answer, const int32_t *truth, int64_t nodes)
{
    int64_t counted = 0, right = 0;
    for (int64_t i = 0; i < nodes; i++) {
        if (truth[i] < 0) continue;
        counted++;
        right += answer[i] == truth[i];
    }
    return counted == 0 ? NAN : (double)right / (double)counted;
}

crd_status crd_reliability(const double *confidence, const bool *wrong, int64_t count,
                           crd_reliability_bin bins[CRD_ECE_BINS], double *ece, crd_error *error)
{
    struct {
        int64_t count, right;
        double gap; /* right - sum of confidence: its size is the bin's part of the error */
    } bin[CRD_ECE_BINS] = {0};
    double error_sum = 0.0;
    if (count < 0) return crd_fail(error, CRD_ERROR_ARGUMENT, "%lld answers were given", (long long)count);
    for (int64_t i = 0; i < count; i++) {
        if (isnan(confidence[i]))
            return crd_fail(error, CRD_ERROR_ARGUMENT, "confidence %lld is not a number", (long long)i);
        const int b = (int)fmin(fmax(ceil(confidence[i] * CRD_ECE_BINS) - 1.0, 0.0), CRD_ECE_BINS - 1.0);
        bin[b].count++;
        bin[b].right += !wrong[i];
        bin[b].gap += (wrong[i] ? 0.0 : 1.0) - confidence[i];
    }
    for (int b = 0; b < CRD_ECE_BINS; b++) {
        const double answers = (double)bin[b].count; /* without answers, the means are 0 / 0 */
        bins[b] = (crd_reliability_bin){.low = (double)b / CRD_ECE_BINS,
                                        .high = (double)(b + 1) / CRD_ECE_BINS,
                                        .count = bin[b].count,
                                        .confidence = ((double)bin[b].right - bin[b].gap) / answers,
                                        .accuracy = (double)bin[b].right / answers};
        error_sum += fabs(bin[b].gap);
    }
    *ece = error_sum / (double)count;
    return CRD_OK;
}

double crd_brier(const float *probability, const int32_t *truth, int64_t nodes, int32_t classes)
{
    double sum = 0.0;
    int64_t counted = 0;
    for (int64_t i = 0; i < nodes; i++) {
        if (truth[i] < 0) continue;
        for (int32_t k = 0; k < classes; k++) {
            double distance = (double)probability[i * classes + k] - (k == truth[i] ? 1.0 : 0.0);
            sum += distance * distance;
        }
        counted++;
    }
    return counted == 0 ? NAN : sum / (double)counted;
}

double crd_nll(const float *probability, const int32_t *truth, int64_t nodes, int32_t classes)
{
    double sum = 0.0;
    int64_t counted = 0;
    for (int64_t i = 0; i < nodes; i++) {
        if (truth[i] < 0) continue;
        sum -= log(fmax((double)probability[i * classes + truth[i]], CRD_NLL_FLOOR));
        counted++;
    }
    return counted == 0 ? NAN : sum / (double)counted;
}
