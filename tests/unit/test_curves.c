/* SPDX-License-Identifier: MIT */
/* Curves, histograms and reliability: by hand, against the metrics, and how much thinning loses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "credence_private.h"
#include "uncertainty/metrics.h"

#define COUNT(array) ((int64_t)(sizeof(array) / sizeof *(array)))
#define assert_close(a, b) assert_near(a, b, 1e-14, __FILE__, __LINE__)

static void assert_near(double a, double b, double tolerance, const char *file, int line)
{
    if (fabs(a - b) <= tolerance) return;
    print_error("%.17g is not %.17g\n", a, b);
    _fail(file, line);
}

static void assert_points(const crd_point *points, int64_t found, const crd_point *expected, int64_t count)
{
    assert_int_equal(found, count);
    for (int64_t i = 0; i < count; i++) {
        assert_close(points[i].x, expected[i].x);
        assert_close(points[i].y, expected[i].y);
    }
}

/* ---- curves ---- */

/* From the top: 0.9 (+), 0.8 (+ + -), 0.5 (-), 0.3 (+ -), 0.1 (-). */
static const double tied_score[] = {0.8, 0.3, 0.9, 0.5, 0.8, 0.1, 0.3, 0.8};
static const bool tied_positive[] = {true, true, true, false, false, false, false, true};

static void curves_by_hand(void **state)
{
    (void)state;
    crd_point points[20];
    int64_t found;
    const crd_point roc[] = {{0, 0}, {0, 0.25}, {0.25, 0.75}, {0.5, 0.75}, {0.75, 1}, {1, 1}};
    assert_int_equal(crd_curve_points(CRD_CURVE_ROC, tied_score, tied_positive, 8, points, 20, &found, NULL), CRD_OK);
    assert_points(points, found, roc, COUNT(roc));
    const crd_point pr[] = {{0, 1}, {0.25, 1}, {0.75, 0.75}, {0.75, 0.6}, {1, 4.0 / 7.0}, {1, 0.5}};
    assert_int_equal(crd_curve_points(CRD_CURVE_PR, tied_score, tied_positive, 8, points, 20, &found, NULL), CRD_OK);
    assert_points(points, found, pr, COUNT(pr));
    /* From the bottom, with the expected rate inside each tie. */
    const crd_point risk[] = {{0.125, 0},
                              {0.25, 0.5 / 2},
                              {0.375, 1.0 / 3},
                              {0.5, 1.0 / 4},
                              {0.625, (1 + 2.0 / 3) / 5},
                              {0.75, (1 + 4.0 / 3) / 6},
                              {0.875, 3.0 / 7},
                              {1, 0.5}};
    assert_int_equal(crd_curve_points(CRD_CURVE_RISK, tied_score, tied_positive, 8, points, 20, &found, NULL), CRD_OK);
    assert_points(points, found, risk, COUNT(risk));
}

static void empty_and_equal(void **state)
{
    (void)state;
    const double score[] = {1, 2, 3}, equal[] = {4, 4, 4};
    const bool none[] = {false, false, false}, all[] = {true, true, true}, some[] = {true, false, false};
    crd_point points[8];
    int64_t found = -1;
    static const crd_curve kinds[] = {CRD_CURVE_ROC, CRD_CURVE_PR, CRD_CURVE_RISK};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(crd_curve_points(kinds[k], NULL, NULL, 0, points, 8, &found, NULL), CRD_OK);
        assert_int_equal(found, 0);
    }
    assert_int_equal(crd_curve_points(CRD_CURVE_ROC, score, none, 3, points, 8, &found, NULL), CRD_OK);
    assert_int_equal(found, 0);
    assert_int_equal(crd_curve_points(CRD_CURVE_ROC, score, all, 3, points, 8, &found, NULL), CRD_OK);
    assert_int_equal(found, 0);
    assert_int_equal(crd_curve_points(CRD_CURVE_PR, score, none, 3, points, 8, &found, NULL), CRD_OK);
    assert_int_equal(found, 0);
    assert_int_equal(crd_curve_points(CRD_CURVE_PR, score, all, 3, points, 8, &found, NULL), CRD_OK);
    assert_points(points, found, (const crd_point[]){{0, 1}, {1.0 / 3, 1}, {2.0 / 3, 1}, {1, 1}}, 4);
    assert_int_equal(crd_curve_points(CRD_CURVE_RISK, score, none, 3, points, 8, &found, NULL), CRD_OK);
    assert_points(points, found, (const crd_point[]){{1.0 / 3, 0}, {2.0 / 3, 0}, {1, 0}}, 3);
    assert_int_equal(crd_curve_points(CRD_CURVE_ROC, equal, some, 3, points, 8, &found, NULL), CRD_OK);
    assert_points(points, found, (const crd_point[]){{0, 0}, {1, 1}}, 2);
    assert_int_equal(crd_curve_points(CRD_CURVE_PR, equal, some, 3, points, 8, &found, NULL), CRD_OK);
    assert_points(points, found, (const crd_point[]){{0, 1}, {1, 1.0 / 3}}, 2);
    assert_int_equal(crd_curve_points(CRD_CURVE_RISK, equal, some, 3, points, 2, &found, NULL), CRD_OK);
    assert_points(points, found, (const crd_point[]){{1.0 / 3, 1.0 / 3}, {1, 1.0 / 3}}, 2);
}

static void curves_refuse(void **state)
{
    (void)state;
    const double score[] = {1, NAN, INFINITY};
    const bool positive[] = {true, false, false};
    crd_point points[4] = {{-7, -7}};
    int64_t found = -7;
    crd_error error;
    assert_int_equal(crd_curve_points(CRD_CURVE_ROC, score, positive, 3, points, 4, &found, &error),
                     CRD_ERROR_ARGUMENT);
    assert_string_equal(error.message, "score 1 is not a number");
    assert_int_equal(crd_curve_points(CRD_CURVE_ROC, score, positive, 1, points, 1, &found, &error),
                     CRD_ERROR_ARGUMENT);
    assert_string_equal(error.message, "a curve of at most 1 points was asked for, expected 2 or more");
    assert_int_equal(crd_curve_points((crd_curve)3, score, positive, 1, points, 4, &found, &error), CRD_ERROR_ARGUMENT);
    assert_string_equal(error.message, "the curve 3 does not exist");
    assert_int_equal(crd_curve_points(CRD_CURVE_PR, score, positive, -1, points, 4, &found, &error),
                     CRD_ERROR_ARGUMENT);
    assert_int_equal(found, -7);
    assert_close(points[0].x, -7);
}

static double trapezoids(const crd_point *points, int64_t found)
{
    double area = 0.0;
    for (int64_t i = 1; i < found; i++) area += (points[i].x - points[i - 1].x) * (points[i].y + points[i - 1].y) / 2.0;
    return area;
}

static double mean_of(const crd_point *points, int64_t found)
{
    double sum = 0.0;
    for (int64_t i = 0; i < found; i++) sum += points[i].y;
    return sum / (double)found;
}

/* Scores that are higher for positives on average; with `ties`, rounded so that some are equal. */
static void draw(crd_rng *rng, double *score, bool *positive, int64_t count, double apart, bool ties)
{
    for (int64_t i = 0; i < count; i++) {
        positive[i] = i == 0 || (i > 1 && crd_rng_below(rng, 4) == 0);
        score[i] = crd_rng_normal(rng) + (positive[i] ? apart : 0.0);
        if (ties) score[i] = floor(4.0 * score[i]);
    }
}

static void areas_are_the_metrics(void **state)
{
    (void)state;
    enum { LARGEST = 300 };
    crd_rng rng = crd_rng_start(11, 1000);
    for (int round = 0; round < 100; round++) {
        const int64_t count = 2 + (int64_t)crd_rng_below(&rng, LARGEST - 1);
        double score[LARGEST + 1];
        bool positive[LARGEST + 1];
        crd_point points[LARGEST + 2];
        int64_t found;
        crd_detection detection;
        crd_failure failure;
        draw(&rng, score, positive, count, 0.8, round % 2 == 0);
        assert_int_equal(crd_detection_metrics(score, positive, count, &detection, NULL), CRD_OK);
        assert_int_equal(crd_failure_metrics(score, positive, count, &failure, NULL), CRD_OK);
        assert_int_equal(crd_curve_points(CRD_CURVE_ROC, score, positive, count, points, count + 1, &found, NULL),
                         CRD_OK);
        assert_near(trapezoids(points, found), detection.auroc, 1e-13, __FILE__, __LINE__);
        assert_int_equal(crd_curve_points(CRD_CURVE_PR, score, positive, count, points, count + 1, &found, NULL),
                         CRD_OK);
        assert_near(trapezoids(points, found), detection.aupr, 1e-13, __FILE__, __LINE__);
        assert_int_equal(crd_curve_points(CRD_CURVE_RISK, score, positive, count, points, count, &found, NULL), CRD_OK);
        assert_int_equal(found, count);
        assert_near(mean_of(points, found), failure.aurc, 1e-13, __FILE__, __LINE__);
    }
}

/* ---- thinning ---- */

static double distance_to(const crd_point *p, const crd_point *a, const crd_point *b)
{
    const double dx = b->x - a->x, dy = b->y - a->y, square = dx * dx + dy * dy;
    double t = square > 0.0 ? ((p->x - a->x) * dx + (p->y - a->y) * dy) / square : 0.0;
    t = fmin(1.0, fmax(0.0, t));
    return hypot(p->x - a->x - t * dx, p->y - a->y - t * dy);
}

/* The largest distance between a point of the whole curve and the line that replaces it. Checks that the chosen
 * points are points of the whole curve, in its order. */
static double loss(const crd_point *whole, int64_t count, const crd_point *chosen, int64_t found)
{
    double most = 0.0;
    int64_t at = 0;
    assert_memory_equal(&chosen[0], &whole[0], sizeof *whole);
    for (int64_t c = 1; c < found; c++) {
        const int64_t from = at;
        for (at++; at < count && memcmp(&whole[at], &chosen[c], sizeof *whole) != 0;) at++;
        assert_true(at < count);
        for (int64_t i = from; i <= at; i++) most = fmax(most, distance_to(&whole[i], &chosen[c - 1], &chosen[c]));
    }
    assert_int_equal(at, count - 1);
    return most;
}

static double length_of(const crd_point *points, int64_t count)
{
    double length = 0.0;
    for (int64_t i = 1; i < count; i++) length += hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
    return length;
}

/* The bound holds for any number of points; the typical loss is much smaller. */
static void thinned_curves_stay_near(void **state)
{
    (void)state;
    enum { NODES = 20000 };
    static const struct {
        crd_curve kind;
        double typical; /* with 200 points */
    } curves[] = {{CRD_CURVE_ROC, 0.003}, {CRD_CURVE_PR, 0.02}, {CRD_CURVE_RISK, 0.02}};
    static const int64_t most[] = {2, 3, 7, 20, 200, 2000, NODES};
    double *score = malloc(NODES * sizeof *score);
    bool *positive = malloc(NODES * sizeof *positive);
    crd_point *whole = malloc((NODES + 1) * sizeof *whole), *few = malloc((NODES + 1) * sizeof *few);
    assert_true(score != NULL && positive != NULL && whole != NULL && few != NULL);
    crd_rng rng = crd_rng_start(3, 1000);
    for (int round = 0; round < 6; round++) {
        draw(&rng, score, positive, NODES, (double)(round / 2), round % 2 == 1);
        for (int k = 0; k < 3; k++) {
            const crd_curve kind = curves[k].kind;
            int64_t count, found;
            assert_int_equal(crd_curve_points(kind, score, positive, NODES, whole, NODES + 1, &count, NULL), CRD_OK);
            const double length = length_of(whole, count);
            if (kind == CRD_CURVE_ROC) assert_true(length <= 2.0 + 1e-9);
            for (int m = 0; m < COUNT(most); m++) {
                assert_int_equal(crd_curve_points(kind, score, positive, NODES, few, most[m], &found, NULL), CRD_OK);
                assert_in_range(found, 2, most[m]);
                const double lost = loss(whole, count, few, found);
                assert_true(lost <= length / (double)(most[m] - 1) + 1e-12);
                if (most[m] == 200) assert_true(lost <= curves[k].typical);
            }
        }
    }
    free(score);
    free(positive);
    free(whole);
    free(few);
}

/* Precision that zigzags is the hardest case: + - + - from the top. */
static void saw_teeth_stay_near(void **state)
{
    (void)state;
    enum { NODES = 3000 };
    static double score[NODES];
    static bool positive[NODES];
    static crd_point whole[NODES + 1], few[NODES + 1];
    int64_t count, found;
    for (int i = 0; i < NODES; i++) {
        score[i] = -i;
        positive[i] = i % 2 == 1;
    }
    assert_int_equal(crd_curve_points(CRD_CURVE_PR, score, positive, NODES, whole, NODES + 1, &count, NULL), CRD_OK);
    assert_int_equal(count, NODES + 1);
    for (int64_t most = 2; most < 100; most += 7) {
        assert_int_equal(crd_curve_points(CRD_CURVE_PR, score, positive, NODES, few, most, &found, NULL), CRD_OK);
        assert_in_range(found, 2, most);
        assert_true(loss(whole, count, few, found) <= length_of(whole, count) / (double)(most - 1) + 1e-12);
    }
}

/* ---- histograms ---- */

static void histogram_by_hand(void **state)
{
    (void)state;
    const double value[] = {-1, -0.5, 0, 0.25, 1, 3, 2.999, INFINITY, -INFINITY, 3};
    const bool positive[] = {false, true, true, false, false, true, true, false, true, false};
    double edges[5];
    int64_t negatives[4], positives[4];
    assert_int_equal(crd_histogram(value, positive, COUNT(value), 4, edges, negatives, positives, NULL), CRD_OK);
    for (int b = 0; b <= 4; b++) assert_close(edges[b], b - 1.0);
    const int64_t expected_negatives[] = {1, 1, 1, 2}, expected_positives[] = {2, 1, 0, 2};
    assert_memory_equal(negatives, expected_negatives, sizeof negatives);
    assert_memory_equal(positives, expected_positives, sizeof positives);
    assert_int_equal(crd_histogram(value, positive, COUNT(value), 1, edges, negatives, positives, NULL), CRD_OK);
    assert_close(edges[0], -1);
    assert_close(edges[1], 3);
    assert_int_equal(negatives[0], 5);
    assert_int_equal(positives[0], 5);
}

static void odd_histograms(void **state)
{
    (void)state;
    double edges[4];
    int64_t negatives[3], positives[3];
    const bool positive[] = {true, false, true};
    assert_int_equal(crd_histogram(NULL, NULL, 0, 3, edges, negatives, positives, NULL), CRD_OK);
    assert_close(edges[0], 0.0);
    assert_close(edges[3], 1.0);
    for (int b = 0; b < 3; b++) assert_int_equal(negatives[b] + positives[b], 0);
    const double equal[] = {7, 7, 7};
    assert_int_equal(crd_histogram(equal, positive, 3, 3, edges, negatives, positives, NULL), CRD_OK);
    assert_close(edges[0], 6.5);
    assert_close(edges[3], 7.5);
    assert_int_equal(negatives[1], 1);
    assert_int_equal(positives[1], 2);
    const double infinite[] = {INFINITY, -INFINITY, INFINITY};
    assert_int_equal(crd_histogram(infinite, positive, 3, 3, edges, negatives, positives, NULL), CRD_OK);
    assert_close(edges[0], 0.0);
    assert_close(edges[3], 1.0);
    assert_int_equal(negatives[0], 1);
    assert_int_equal(positives[2], 2);
    /* Ranges too wide for a double, or too narrow for edges; numbers so large that 0.5 is lost. */
    const double odd[][3] = {{-DBL_MAX, 0, DBL_MAX},
                             {1.0, 1.0 + DBL_EPSILON, 1.0},
                             {1e300, 1e300, 1e300},
                             {DBL_MAX, DBL_MAX, DBL_MAX},
                             {-5e-324, 0, 5e-324}};
    for (int o = 0; o < COUNT(odd); o++) {
        assert_int_equal(crd_histogram(odd[o], positive, 3, 3, edges, negatives, positives, NULL), CRD_OK);
        int64_t counted = 0;
        for (int b = 0; b < 3; b++) {
            assert_true(isfinite(edges[b]) && edges[b] <= edges[b + 1]);
            counted += negatives[b] + positives[b];
        }
        assert_true(isfinite(edges[3]) && edges[0] < edges[3]);
        assert_int_equal(counted, 3);
    }
}

static void histograms_refuse(void **state)
{
    (void)state;
    const double value[] = {1, 2, NAN};
    const bool positive[] = {true, false, true};
    double edges[4] = {-7};
    int64_t negatives[3] = {-7}, positives[3] = {-7};
    crd_error error;
    assert_int_equal(crd_histogram(value, positive, 3, 3, edges, negatives, positives, &error), CRD_ERROR_ARGUMENT);
    assert_string_equal(error.message, "value 2 is not a number");
    assert_int_equal(crd_histogram(value, positive, 2, 0, edges, negatives, positives, &error), CRD_ERROR_ARGUMENT);
    assert_string_equal(error.message, "0 bins were asked for");
    assert_int_equal(crd_histogram(value, positive, -2, 3, edges, negatives, positives, &error), CRD_ERROR_ARGUMENT);
    assert_close(edges[0], -7);
    assert_true(negatives[0] == -7 && positives[0] == -7);
}

/* Every value lies between the edges of its bin, even if these are rounded. */
static void bins_keep_to_their_edges(void **state)
{
    (void)state;
    enum { VALUES = 500, BINS = 37 };
    crd_rng rng = crd_rng_start(5, 1000);
    double value[VALUES], edges[BINS + 1];
    bool positive[VALUES];
    int64_t negatives[BINS], positives[BINS];
    for (int i = 0; i < VALUES; i++) {
        value[i] = floor(crd_rng_normal(&rng) * 20.0) / 10.0;
        positive[i] = crd_rng_below(&rng, 2) == 0;
    }
    assert_int_equal(crd_histogram(value, positive, VALUES, BINS, edges, negatives, positives, NULL), CRD_OK);
    for (int b = 0; b < BINS; b++) {
        int64_t expected[2] = {0, 0};
        for (int i = 0; i < VALUES; i++)
            expected[positive[i]] +=
                value[i] >= edges[b] && (b == BINS - 1 ? value[i] <= edges[BINS] : value[i] < edges[b + 1]);
        assert_int_equal(negatives[b], expected[0]);
        assert_int_equal(positives[b], expected[1]);
    }
}

/* ---- reliability ---- */

static void reliability_by_hand(void **state)
{
    (void)state;
    /* Bins of width 1/15: 0 and 1/15 are in the first, 0.5 is in the eighth, 1 in the last. */
    const double confidence[] = {0.0, 1.0 / 15, 0.5, 0.5, 0.51, 1.0, 1.25, -0.5};
    const bool wrong[] = {true, false, false, true, false, false, false, true};
    crd_reliability_bin bins[CRD_ECE_BINS];
    double ece;
    assert_int_equal(crd_reliability(confidence, wrong, COUNT(confidence), bins, &ece, NULL), CRD_OK);
    for (int b = 0; b < CRD_ECE_BINS; b++) {
        assert_close(bins[b].low, b / 15.0);
        assert_close(bins[b].high, (b + 1) / 15.0);
        if (b == 0 || b == 7 || b == 14) continue;
        assert_int_equal(bins[b].count, 0);
        assert_true(isnan(bins[b].confidence) && isnan(bins[b].accuracy));
    }
    assert_int_equal(bins[0].count, 3);
    assert_close(bins[0].confidence, (1.0 / 15 - 0.5) / 3);
    assert_close(bins[0].accuracy, 1.0 / 3);
    assert_int_equal(bins[7].count, 3);
    assert_close(bins[7].confidence, 1.51 / 3);
    assert_close(bins[7].accuracy, 2.0 / 3);
    assert_int_equal(bins[14].count, 2);
    assert_close(bins[14].confidence, 1.125);
    assert_close(bins[14].accuracy, 1.0);
    assert_close(ece, (fabs(1 - (1.0 / 15 - 0.5)) + fabs(2 - 1.51) + fabs(2 - 2.25)) / 8);
    assert_int_equal(crd_reliability(NULL, NULL, 0, bins, &ece, NULL), CRD_OK);
    assert_true(isnan(ece) && bins[3].count == 0);
}

static void reliability_refuses(void **state)
{
    (void)state;
    const double confidence[] = {0.5, NAN};
    const bool wrong[] = {false, true};
    crd_reliability_bin bins[CRD_ECE_BINS] = {{.count = -7}};
    double ece = -7.0;
    crd_error error;
    assert_int_equal(crd_reliability(confidence, wrong, 2, bins, &ece, &error), CRD_ERROR_ARGUMENT);
    assert_string_equal(error.message, "confidence 1 is not a number");
    assert_int_equal(crd_reliability(confidence, wrong, -1, bins, &ece, &error), CRD_ERROR_ARGUMENT);
    assert_true(ece == -7.0 && bins[0].count == -7);
}

/* Errors inside a bin cancel, those of different bins do not. */
static void bins_make_the_error(void **state)
{
    (void)state;
    const double confidence[] = {0.97, 0.97, 0.5, 1.0, 1.0};
    const bool wrong[] = {false, true, false, false, true};
    crd_reliability_bin bins[CRD_ECE_BINS];
    double ece, again = 0.0;
    assert_int_equal(crd_reliability(confidence, wrong, 5, bins, &ece, NULL), CRD_OK);
    assert_close(ece, (fabs(2.0 - 2 * 0.97 - 2.0) + 0.5) / 5.0);
    for (int b = 0; b < CRD_ECE_BINS; b++)
        if (bins[b].count > 0) again += (double)bins[b].count * fabs(bins[b].accuracy - bins[b].confidence);
    assert_close(again / 5.0, ece);
    assert_int_equal(crd_reliability(confidence + 3, wrong + 3, 1, bins, &ece, NULL), CRD_OK);
    assert_close(ece, 0.0);
    assert_int_equal(crd_reliability(confidence + 4, wrong + 4, 1, bins, &ece, NULL), CRD_OK);
    assert_close(ece, 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_by_hand),
        cmocka_unit_test(empty_and_equal),
        cmocka_unit_test(curves_refuse),
        cmocka_unit_test(areas_are_the_metrics),
        cmocka_unit_test(thinned_curves_stay_near),
        cmocka_unit_test(saw_teeth_stay_near),
        cmocka_unit_test(histogram_by_hand),
        cmocka_unit_test(odd_histograms),
        cmocka_unit_test(histograms_refuse),
        cmocka_unit_test(bins_keep_to_their_edges),
        cmocka_unit_test(reliability_by_hand),
        cmocka_unit_test(reliability_refuses),
        cmocka_unit_test(bins_make_the_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
