/* What plots draw: curves, histograms and the bins of calibration. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "credence_private.h"
#include "uncertainty/metrics.h"

/* ---- whole curves: a point for every threshold ---- */

static int64_t whole_roc(const crd_ranking *ranking, crd_point *curve)
{
    if (ranking->positives == 0 || ranking->negatives == 0) return 0;
    int64_t found = 0, alarms = 0;
    curve[0] = (crd_point){0.0, 0.0};
    for (int64_t i = 0; i < ranking->steps; i++) {
        found += ranking->step[i].positives;
        alarms += ranking->step[i].negatives;
        curve[i + 1] =
            (crd_point){(double)alarms / (double)ranking->negatives, (double)found / (double)ranking->positives};
    }
    return ranking->steps + 1;
}

static int64_t whole_pr(const crd_ranking *ranking, crd_point *curve)
{
    if (ranking->positives == 0) return 0;
    int64_t found = 0, taken = 0;
    curve[0] = (crd_point){0.0, 1.0};
    for (int64_t i = 0; i < ranking->steps; i++) {
        found += ranking->step[i].positives;
        taken += ranking->step[i].positives + ranking->step[i].negatives;
        curve[i + 1] = (crd_point){(double)found / (double)ranking->positives, (double)found / (double)taken};
    }
    return ranking->steps + 1;
}

static int64_t whole_risk(const crd_ranking *ranking, crd_point *curve)
{
    const int64_t count = ranking->positives + ranking->negatives;
    int64_t answered = 0, wrong = 0;
    for (int64_t i = ranking->steps - 1; i >= 0; i--) {
        const struct crd_ranking_step *s = &ranking->step[i];
        const int64_t tied = s->positives + s->negatives;
        for (int64_t j = 1; j <= tied; j++)
            curve[answered + j - 1] =
                (crd_point){(double)(answered + j) / (double)count, crd_risk_inside(s, wrong, answered, j)};
        answered += tied;
        wrong += s->positives;
    }
    return count;
}

/* ---- fewer points ---- */

/* The directions, as angles, of the rays from `origin` that pass all points so far within the tolerance. */
typedef struct cone {
    crd_point origin;
    double low, high;
    double reach; /* the distance of the farthest point */
} cone;

/* False once no direction is left. */
static bool narrow(cone *c, double dx, double dy, double distance, double tolerance)
{
    if (distance > c->reach) c->reach = distance;
    if (distance <= tolerance) return true;
    const double direction = atan2(dy, dx), spread = asin(tolerance / distance);
    c->low = fmax(c->low, direction - spread);
    c->high = fmin(c->high, direction + spread);
    return c->low <= c->high;
}

/* Whether the line from the origin to this point passes all earlier points: its direction is in the cone, and none of
 * them lies beyond its end. */
static bool may_end(const cone *c, double dx, double dy, double distance, double tolerance)
{
    if (c->reach <= tolerance) return true;
    const double direction = atan2(dy, dx);
    return distance >= c->reach && direction >= c->low && direction <= c->high;
}

/* The last point found that a straight line from `first` can reach; at least the next one. */
static int64_t farthest(const crd_point *curve, int64_t count, int64_t first, double tolerance)
{
    /* Curves never go left, so all directions are between straight down and straight up. */
    cone c = {.origin = curve[first], .low = -4.0, .high = 4.0};
    int64_t best = first + 1;
    for (int64_t i = first + 1; i < count; i++) {
        const double dx = curve[i].x - c.origin.x, dy = curve[i].y - c.origin.y;
        const double distance = sqrt(dx * dx + dy * dy);
        if (may_end(&c, dx, dy, distance, tolerance)) best = i;
        if (!narrow(&c, dx, dy, distance, tolerance)) break;
        if (i - first > 2 * (best - first) + 64) break; /* so that all pieces together stay linear in time */
    }
    return best;
}

/* Writes points between which straight lines stay within the tolerance; false if `most` are not enough. */
static bool thin(const crd_point *curve, int64_t count, double tolerance, crd_point *points, int64_t most,
                 int64_t *found)
{
    int64_t used = 1;
    points[0] = curve[0];
    for (int64_t i = 0; i < count - 1; points[used++] = curve[i]) {
        if (used == most) return false;
        i = farthest(curve, count, i, tolerance);
    }
    *found = used;
    return true;
}

static double length_of(const crd_point *curve, int64_t count)
{
    double length = 0.0;
    for (int64_t i = 1; i < count; i++) length += hypot(curve[i].x - curve[i - 1].x, curve[i].y - curve[i - 1].y);
    return length;
}

/* Finds the smallest tolerance, to about 1 %, for which `most` points suffice. The curve's length divided by the
 * number of pieces is always enough: the first point farther away than the tolerance may end a piece, so all pieces
 * but the last are longer than that. */
static void choose(const crd_point *curve, int64_t count, crd_point *points, int64_t most, int64_t *found)
{
    double enough = length_of(curve, count) / (double)(most - 1) * (1.0 + 1e-9);
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
        const int64_t whole = kind == CRD_CURVE_ROC  ? whole_roc(&ranking, curve)
                              : kind == CRD_CURVE_PR ? whole_pr(&ranking, curve)
                                                     : whole_risk(&ranking, curve);
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

/* The bin according to the edges: edges[bin] <= value < edges[bin + 1], the last one up to its upper edge. */
static int64_t bin_of(double value, const double *edges, int64_t bins)
{
    if (value < edges[1]) return 0; /* -infinity too */
    if (value >= edges[bins - 1]) return bins - 1;
    int64_t low = 0, high = bins; /* edges[low] <= value < edges[high] */
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (value < edges[middle]) high = middle;
        else low = middle;
    }
    return low;
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
        const int64_t bin = bin_of(value[i], edges, bins);
        if (positive[i]) positives[bin]++;
        else negatives[bin]++;
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

/* A bin's |accuracy - mean confidence| times its nodes is |right - sum of confidence|: one sum is enough. */
typedef struct tally {
    int64_t count, right;
    double gap; /* right - sum of confidence */
} tally;

static void count_answer(tally *bin, int bins, double confidence, bool right)
{
    double place = ceil(confidence * bins) - 1.0;
    tally *t = &bin[!(place > 0.0) ? 0 : place < bins ? (int)place : bins - 1];
    t->count++;
    t->right += right;
    t->gap += (right ? 1.0 : 0.0) - confidence;
}

static double calibration_error(const tally *bin, int bins)
{
    double sum = 0.0;
    int64_t counted = 0;
    for (int b = 0; b < bins; b++) {
        sum += fabs(bin[b].gap);
        counted += bin[b].count;
    }
    return counted == 0 ? NAN : sum / (double)counted;
}

double crd_ece(const float *probability, const int32_t *answer, const int32_t *truth, int64_t nodes, int32_t classes,
               int bins)
{
    tally bin[CRD_ECE_MAX_BINS] = {0};
    for (int64_t i = 0; i < nodes; i++)
        if (truth[i] >= 0) count_answer(bin, bins, (double)probability[i * classes + answer[i]], answer[i] == truth[i]);
    return calibration_error(bin, bins);
}

crd_status crd_reliability(const double *confidence, const bool *right, int64_t count,
                           crd_reliability_bin bins[CRD_ECE_BINS], double *ece, crd_error *error)
{
    tally bin[CRD_ECE_BINS] = {0};
    if (count < 0) return crd_fail(error, CRD_ERROR_ARGUMENT, "%lld answers were given", (long long)count);
    for (int64_t i = 0; i < count; i++) {
        if (isnan(confidence[i]))
            return crd_fail(error, CRD_ERROR_ARGUMENT, "confidence %lld is not a number", (long long)i);
        count_answer(bin, CRD_ECE_BINS, confidence[i], right[i]);
    }
    for (int b = 0; b < CRD_ECE_BINS; b++) {
        const double answers = (double)bin[b].count; /* without answers, the means are 0 / 0 */
        bins[b] = (crd_reliability_bin){.low = (double)b / CRD_ECE_BINS,
                                        .high = (double)(b + 1) / CRD_ECE_BINS,
                                        .count = bin[b].count,
                                        .confidence = ((double)bin[b].right - bin[b].gap) / answers,
                                        .accuracy = (double)bin[b].right / answers};
    }
    if (ece != NULL) *ece = calibration_error(bin, CRD_ECE_BINS);
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
