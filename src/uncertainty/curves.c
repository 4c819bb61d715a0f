/* The curves behind the metrics, in few points. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
        curve[i + 1] = (crd_point){(double)alarms / (double)ranking->negatives,
                                   (double)found / (double)ranking->positives};
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
        curve[i + 1] =
            (crd_point){(double)found / (double)ranking->positives, (double)found / (double)taken};
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
            curve[answered + j - 1] = (crd_point){(double)(answered + j) / (double)count,
                                                  crd_risk_inside(s, wrong, answered, j)};
        answered += tied;
        wrong += s->positives;
    }
    return count;
}

/* ---- fewer points ---- */

/* The directions, as angles, in which a ray from `origin` comes as near to all points so far as it must. */
typedef struct cone {
    crd_point origin;
    double low, high;
    double reach; /* how far away the farthest point is */
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

/* Whether the line from the origin to this point passes all points before it: it points where it must, and
 * none of them lies beyond its end. */
static bool may_end(const cone *c, double dx, double dy, double distance, double tolerance)
{
    if (c->reach <= tolerance) return true;
    const double direction = atan2(dy, dx);
    return distance >= c->reach && direction >= c->low && direction <= c->high;
}

/* The last point found to which a straight line from `first` will do; at least the next one. */
static int64_t farthest(const crd_point *curve, int64_t count, int64_t first, double tolerance)
{
    /* Curves never go to the left, so all directions lie between straight down and straight up. */
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
    for (int64_t i = 1; i < count; i++)
        length += hypot(curve[i].x - curve[i - 1].x, curve[i].y - curve[i - 1].y);
    return length;
}

/* The smallest tolerance for which `most` points do, but for about 1 %. The curve's length over the number of
 * pieces is always enough: the first point farther away than the tolerance may end a piece, so that all pieces
 * but the last are longer. */
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

crd_status crd_curve_points(crd_curve kind, const double *score, const bool *positive, int64_t count,
                            crd_point *points, int64_t most, int64_t *found, crd_error *error)
{
    if (kind != CRD_CURVE_ROC && kind != CRD_CURVE_PR && kind != CRD_CURVE_RISK)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "the curve %d does not exist", (int)kind);
    if (most < 2)
        return crd_fail(error, CRD_ERROR_ARGUMENT,
                        "a curve of at most %lld points was asked for, expected 2 or more", (long long)most);
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
