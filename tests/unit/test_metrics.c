/* SPDX-License-Identifier: MIT */
/* Metrics: cases worked by hand, and a slow, obvious twin of each on random scores full of ties. */
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
#define assert_close(a, b) assert_double_close(a, b, 1e-14, __FILE__, __LINE__)

static void assert_double_close(double a, double b, double tolerance, const char *file, int line)
{
    if (fabs(a - b) <= tolerance * fmax(1.0, fabs(b))) return;
    print_error("%.17g is not %.17g\n", a, b);
    _fail(file, line);
}

/* ---- by hand ---- */

/* From the top: 0.9 (+), 0.8 (+ + -), 0.5 (-), 0.3 (+ -), 0.1 (-). */
static const double tied_score[] = {0.8, 0.3, 0.9, 0.5, 0.8, 0.1, 0.3, 0.8};
static const bool tied_positive[] = {true, true, true, false, false, false, false, true};

static void detection_by_hand(void **state)
{
    (void)state;
    crd_detection d;
    assert_int_equal(crd_detection_metrics(tied_score, tied_positive, COUNT(tied_score), &d, NULL), CRD_OK);
    /* Pairs won by 0.9: 4; by each 0.8: 3.5; by 0.3: 1.5. */
    assert_close(d.auroc, 12.5 / 16.0);
    /* Precision 1, 3/4, 3/5, 4/7, 4/8 at recall 1/4, 3/4, 3/4, 1, 1. */
    assert_close(d.ap, 0.25 + 0.5 * 0.75 + 0.25 * 4.0 / 7.0);
    assert_close(d.aupr, 0.25 + 0.5 * (1.0 + 0.75) / 2.0 + 0.25 * (3.0 / 5.0 + 4.0 / 7.0) / 2.0);
    assert_close(d.fpr95, 3.0 / 4.0); /* 95 % of 4 are all 4 */
}

static void perfect_and_useless_scores(void **state)
{
    (void)state;
    const double perfect[] = {3, 2, 1, 0}, constant[] = {7, 7, 7, 7}, inverted[] = {0, 1, 2, 3};
    const bool positive[] = {true, true, false, false};
    crd_detection d;
    assert_int_equal(crd_detection_metrics(perfect, positive, 4, &d, NULL), CRD_OK);
    assert_close(d.auroc, 1.0);
    assert_close(d.aupr, 1.0);
    assert_close(d.ap, 1.0);
    assert_close(d.fpr95, 0.0);
    assert_int_equal(crd_detection_metrics(constant, positive, 4, &d, NULL), CRD_OK);
    assert_close(d.auroc, 0.5);
    assert_close(d.aupr, 0.75); /* from (0, 1) to (1, 1/2) */
    assert_close(d.ap, 0.5);
    assert_close(d.fpr95, 1.0);
    assert_int_equal(crd_detection_metrics(inverted, positive, 4, &d, NULL), CRD_OK);
    assert_close(d.auroc, 0.0);
    assert_close(d.ap, 0.5 / 3.0 + 0.5 * 0.5);
    /* Precision 0, 0, 1/3, 1/2 at recall 0, 0, 1/2, 1. */
    assert_close(d.aupr, 0.5 * (0.0 + 1.0 / 3.0) / 2.0 + 0.5 * (1.0 / 3.0 + 0.5) / 2.0);
    assert_close(d.fpr95, 1.0);
}

/* With 20 positives, 19 are exactly 95 %; with 19, all of them are needed. */
static void fpr95_counts_exactly(void **state)
{
    (void)state;
    double score[24];
    bool positive[24];
    for (int i = 0; i < 24; i++) {
        score[i] = -i;
        positive[i] = i < 19 || i == 23; /* 19 positives, 4 negatives, the last positive */
    }
    crd_detection d;
    assert_int_equal(crd_detection_metrics(score, positive, 24, &d, NULL), CRD_OK);
    assert_close(d.fpr95, 0.0);
    positive[0] = false; /* 19 positives: the last one is needed, and all 5 negatives come before it */
    assert_int_equal(crd_detection_metrics(score, positive, 24, &d, NULL), CRD_OK);
    assert_close(d.fpr95, 1.0);
}

static void failure_by_hand(void **state)
{
    (void)state;
    /* Rising: 0.1 right, 0.2 right and wrong, 0.4 wrong, 0.7 right. */
    const double uncertainty[] = {0.4, 0.2, 0.1, 0.7, 0.2};
    const bool wrong[] = {true, true, false, false, false};
    crd_failure f;
    assert_int_equal(crd_failure_metrics(uncertainty, wrong, 5, &f, NULL), CRD_OK);
    /* Expected error rates among the 1 .. 5 least uncertain. */
    assert_close(f.aurc, (0.0 + 0.5 / 2.0 + 1.0 / 3.0 + 2.0 / 4.0 + 2.0 / 5.0) / 5.0);
    assert_close(f.auroc, (2.0 + 1.5) / 6.0);
    /* Errors from the top: 0.7 (-), 0.4 (+), 0.2 (+ -), 0.1 (-): precision 0, 1/2, 2/4. */
    assert_close(f.aupr_error, 0.5 * (0.0 + 0.5) / 2.0 + 0.5 * (0.5 + 0.5) / 2.0);
    /* Right answers from the bottom: 0.1 (+), 0.2 (+ -), 0.4 (-), 0.7 (+): precision 1, 2/3, 2/4, 3/5. */
    assert_close(f.aupr_success, (1.0 + (1.0 + 2.0 / 3.0) / 2.0 + (0.5 + 0.6) / 2.0) / 3.0);
}

static void empty_classes_are_not_numbers(void **state)
{
    (void)state;
    const double score[] = {1, 2, 3};
    const bool none[] = {false, false, false}, all[] = {true, true, true};
    crd_detection d;
    crd_failure f;
    assert_int_equal(crd_detection_metrics(score, none, 3, &d, NULL), CRD_OK);
    assert_true(isnan(d.auroc) && isnan(d.aupr) && isnan(d.ap) && isnan(d.fpr95));
    assert_int_equal(crd_detection_metrics(score, all, 3, &d, NULL), CRD_OK);
    assert_true(isnan(d.auroc) && isnan(d.fpr95));
    assert_close(d.aupr, 1.0);
    assert_int_equal(crd_failure_metrics(score, none, 3, &f, NULL), CRD_OK);
    assert_true(isnan(f.auroc) && isnan(f.aupr_error));
    assert_close(f.aupr_success, 1.0);
    assert_close(f.aurc, 0.0);
    assert_int_equal(crd_failure_metrics(score, none, 0, &f, NULL), CRD_OK);
    assert_true(isnan(f.auroc) && isnan(f.aupr_error) && isnan(f.aupr_success) && isnan(f.aurc));
}

static void extreme_scores_are_ordered(void **state)
{
    (void)state;
    const double score[] = {INFINITY, DBL_MAX, -0.0, 0.0, -INFINITY};
    const bool positive[] = {true, false, true, false, false};
    crd_detection d;
    assert_int_equal(crd_detection_metrics(score, positive, 5, &d, NULL), CRD_OK);
    assert_close(d.auroc, (3.0 + 0.5 + 1.0) / 6.0); /* the two zeros tie */
}

static void nan_scores_are_errors(void **state)
{
    (void)state;
    const double score[] = {1, 2, NAN};
    const bool positive[] = {true, false, true};
    crd_detection d = {-1, -1, -1, -1};
    crd_failure f = {-1, -1, -1, -1};
    crd_error error;
    assert_int_equal(crd_detection_metrics(score, positive, 3, &d, &error), CRD_ERROR_ARGUMENT);
    assert_string_equal(error.message, "score 2 is not a number");
    assert_close(d.auroc, -1.0);
    assert_int_equal(crd_failure_metrics(score, positive, 3, &f, &error), CRD_ERROR_ARGUMENT);
    assert_close(f.aurc, -1.0);
    assert_int_equal(crd_detection_metrics(score, positive, -1, &d, &error), CRD_ERROR_ARGUMENT);
}

/* ---- slow twins ---- */

static double slow_auroc(const double *score, const bool *positive, int64_t count)
{
    double won = 0.0, pairs = 0.0;
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < count; j++) {
            if (!positive[i] || positive[j]) continue;
            pairs += 1.0;
            won += score[i] > score[j] ? 1.0 : score[i] == score[j] ? 0.5 : 0.0;
        }
    return won / pairs;
}

/* The next lower threshold below `above`; -infinity if there is none. */
static double next_threshold(const double *score, int64_t count, double above)
{
    double best = -INFINITY;
    for (int64_t i = 0; i < count; i++)
        if (score[i] < above && score[i] > best) best = score[i];
    return best;
}

/* Counts everything at or above each threshold from scratch. */
static void slow_curve(const double *score, const bool *positive, int64_t count, crd_detection *d)
{
    double total = 0.0, recall_before = 0.0, precision_before = 1.0;
    *d = (crd_detection){.fpr95 = 2.0};
    for (int64_t i = 0; i < count; i++) total += positive[i];
    for (double t = next_threshold(score, count, INFINITY); t > -INFINITY; t = next_threshold(score, count, t)) {
        double found = 0.0, alarms = 0.0;
        for (int64_t i = 0; i < count; i++) {
            if (score[i] < t) continue;
            if (positive[i]) found += 1.0;
            else alarms += 1.0;
        }
        double recall = found / total, precision = found / (found + alarms);
        d->ap += (recall - recall_before) * precision;
        d->aupr += (recall - recall_before) * (precision + precision_before) / 2.0;
        double rate = alarms / ((double)count - total);
        if (recall >= 0.95 - 1e-12 && rate < d->fpr95) d->fpr95 = rate;
        recall_before = recall;
        precision_before = precision;
    }
}

/* The probability of each answer to be among the first k, times whether it is wrong. */
static double slow_aurc(const double *uncertainty, const bool *wrong, int64_t count)
{
    double sum = 0.0;
    for (int64_t k = 1; k <= count; k++)
        for (int64_t i = 0; i < count; i++) {
            double less = 0.0, equal = 0.0;
            for (int64_t j = 0; j < count; j++) {
                less += uncertainty[j] < uncertainty[i];
                equal += uncertainty[j] == uncertainty[i];
            }
            double chance = fmin(1.0, fmax(0.0, ((double)k - less) / equal));
            if (wrong[i]) sum += chance / (double)k;
        }
    return sum / (double)count;
}

static void random_scores_agree_with_slow_twins(void **state)
{
    (void)state;
    crd_rng rng = crd_rng_start(7, 1000);
    enum { LARGEST = 70 };
    for (int round = 0; round < 150; round++) {
        int64_t count = 2 + (int64_t)crd_rng_below(&rng, LARGEST - 1);
        uint64_t values = 1 + crd_rng_below(&rng, 40); /* few values: many ties */
        double score[LARGEST + 1], reversed[LARGEST + 1];
        bool positive[LARGEST + 1], right[LARGEST + 1];
        for (int64_t i = 0; i < count; i++) {
            score[i] = -1e9 + (double)crd_rng_below(&rng, values) * 0.37;
            positive[i] = i == 0 || (i > 1 && crd_rng_below(&rng, 3) == 0);
            reversed[i] = -score[i];
            right[i] = !positive[i];
        }
        crd_detection fast, slow, success;
        crd_failure failure;
        assert_int_equal(crd_detection_metrics(score, positive, count, &fast, NULL), CRD_OK);
        assert_int_equal(crd_failure_metrics(score, positive, count, &failure, NULL), CRD_OK);
        slow_curve(score, positive, count, &slow);
        slow_curve(reversed, right, count, &success);
        assert_double_close(fast.auroc, slow_auroc(score, positive, count), 1e-12, __FILE__, __LINE__);
        assert_double_close(fast.aupr, slow.aupr, 1e-12, __FILE__, __LINE__);
        assert_double_close(fast.ap, slow.ap, 1e-12, __FILE__, __LINE__);
        assert_double_close(fast.fpr95, slow.fpr95, 1e-12, __FILE__, __LINE__);
        assert_double_close(failure.auroc, fast.auroc, 0.0, __FILE__, __LINE__);
        assert_double_close(failure.aupr_error, fast.aupr, 0.0, __FILE__, __LINE__);
        assert_double_close(failure.aupr_success, success.aupr, 1e-12, __FILE__, __LINE__);
        assert_double_close(failure.aurc, slow_aurc(score, positive, count), 1e-12, __FILE__, __LINE__);
    }
}

/* With or without ties, the order of the input changes nothing, not even the last bit. */
static void order_does_not_matter(void **state)
{
    (void)state;
    double score[8];
    bool positive[8];
    crd_failure first, other;
    assert_int_equal(crd_failure_metrics(tied_score, tied_positive, 8, &first, NULL), CRD_OK);
    for (int shift = 1; shift < 8; shift++) {
        for (int i = 0; i < 8; i++) {
            score[i] = tied_score[(i * 3 + shift) % 8];
            positive[i] = tied_positive[(i * 3 + shift) % 8];
        }
        assert_int_equal(crd_failure_metrics(score, positive, 8, &other, NULL), CRD_OK);
        assert_memory_equal(&first, &other, sizeof first);
    }
}

/* ---- probabilities ---- */

/* Answers 0 (right), 1 (wrong), 0 (right), and a node that is skipped. */
static const float probability[] = {0.75f, 0.25f, 0.125f, 0.875f, 0.5f, 0.5f, 0.0f, 1.0f};
static const int32_t answer[] = {0, 1, 0, 1};
static const int32_t truth[] = {0, 0, 0, -1};

static void calibration_by_hand(void **state)
{
    (void)state;
    assert_close(crd_accuracy(answer, truth, 4), 2.0 / 3.0);
    double brier, nll;
    crd_proper_scores(probability, truth, 4, 2, &brier, &nll);
    assert_close(brier, 2.0 * (0.0625 + 0.765625 + 0.25) / 3.0);
    assert_close(nll, -(log(0.75) + log(0.125) + log(0.5)) / 3.0);
}

static void extreme_probabilities(void **state)
{
    (void)state;
    const float certain[] = {1.0f, 0.0f};
    const int32_t first[] = {0}, second[] = {1};
    double brier, nll;
    crd_proper_scores(certain, first, 1, 2, &brier, &nll);
    assert_close(nll, 0.0);
    crd_proper_scores(certain, second, 1, 2, &brier, &nll);
    assert_close(nll, -log(CRD_NLL_FLOOR));
    assert_close(brier, 2.0);
    const int32_t unknown[] = {-2};
    assert_true(isnan(crd_accuracy(first, unknown, 1)));
    crd_proper_scores(certain, unknown, 1, 2, &brier, &nll);
    assert_true(isnan(brier) && isnan(nll));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(detection_by_hand),
        cmocka_unit_test(perfect_and_useless_scores),
        cmocka_unit_test(fpr95_counts_exactly),
        cmocka_unit_test(failure_by_hand),
        cmocka_unit_test(empty_classes_are_not_numbers),
        cmocka_unit_test(extreme_scores_are_ordered),
        cmocka_unit_test(nan_scores_are_errors),
        cmocka_unit_test(random_scores_agree_with_slow_twins),
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(calibration_by_hand),
        cmocka_unit_test(extreme_probabilities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
