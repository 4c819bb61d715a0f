/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "uncertainty/metrics.h"

enum { NODES = 3, CLASSES = 3 };

static const float probability[] = {0.5f, 0.25f, 0.25f, 0.125f, 0.125f, 0.75f, 0.375f, 0.25f, 0.375f};
static const float evidence[] = {1.0f, 0.0f, 0.0f, 0.5f, 0.5f, 8.0f, 2.0f, 1.0f, 2.0f};
/* e^30 beside 1: a float sum would lose the ones. */
static const float evidence_features[] = {0.0f, 0.0f, 0.0f, 1.0e13f, 0.0f, 0.0f, 3.0f, 4.0f, 5.0f};

static void assert_score(const double *score, double a, double b, double c)
{
    assert_non_null(score);
    assert_true(score[0] == a);
    assert_true(score[1] == b);
    assert_true(score[2] == c);
}

static void all_four(void **state)
{
    (void)state;
    double *score[CRD_SCORES];
    assert_int_equal(crd_scores_make(evidence, evidence_features, NODES, CLASSES, score, NULL), CRD_OK);
    assert_score(score[CRD_SCORE_ALEATORIC], -0.5, -0.75, -0.375);
    assert_score(score[CRD_SCORE_EPISTEMIC], -4.0, -12.0, -8.0);
    assert_score(score[CRD_SCORE_EPISTEMIC_FEATURES], -3.0, -((double)1.0e13f + 3.0), -15.0);
    assert_score(score[CRD_SCORE_EPISTEMIC_CLASS], -2.0, -9.0, -3.0);
    crd_scores_free(score);
    for (int s = 0; s < CRD_SCORES; s++) assert_null(score[s]);
}

/* Evidence that float32 cannot add to 1 still counts. */
static void little_evidence_is_ranked(void **state)
{
    (void)state;
    const float little[] = {0.0f, 0.0f, 1e-12f, 0.0f, 0.0f, 1e-9f, 0.0f, 0.0f, 1e-10f};
    double *score[CRD_SCORES];
    assert_int_equal(crd_scores_make(little, little, NODES, CLASSES, score, NULL), CRD_OK);
    for (int s = 0; s < CRD_SCORES; s++) {
        assert_true(score[s][0] > score[s][2]);
        assert_true(score[s][2] > score[s][1]);
    }
    crd_scores_free(score);
}

static void what_a_model_lacks_is_null(void **state)
{
    (void)state;
    double *score[CRD_SCORES];
    assert_int_equal(crd_scores_make(evidence, NULL, NODES, CLASSES, score, NULL), CRD_OK);
    assert_non_null(score[CRD_SCORE_EPISTEMIC]);
    assert_null(score[CRD_SCORE_EPISTEMIC_FEATURES]);
    crd_scores_free(score);
}

/* Energy and -max p from logits, also from logits beyond the range of exp. */
static void from_logits(void **state)
{
    (void)state;
    const float logits[] = {0.0f, 0.6931471805599453f, 0.0f, 1000.0f, 1000.0f, -1000.0f, -2000.0f, -2000.0f, -2000.0f};
    const double log_2 = 0.69314718055994531, log_3 = 1.0986122886681098, log_4 = 2.0 * log_2;
    double *score[CRD_SCORES];
    assert_int_equal(crd_scores_from_logits(logits, true, 3, 3, score, NULL), CRD_OK);
    const double doubt[] = {-0.5, -0.5, -1.0 / 3.0}, energy[] = {-log_4, -1000.0 - log_2, 2000.0 - log_3};
    for (int i = 0; i < 3; i++) { /* log 2 is not a float */
        assert_true(fabs(score[CRD_SCORE_ALEATORIC][i] - doubt[i]) < 1e-8);
        assert_true(fabs(score[CRD_SCORE_EPISTEMIC][i] - energy[i]) < 1e-7);
    }
    assert_null(score[CRD_SCORE_EPISTEMIC_FEATURES]);
    assert_null(score[CRD_SCORE_EPISTEMIC_CLASS]);
    crd_scores_free(score);
    assert_int_equal(crd_scores_from_logits(logits, false, 3, 3, score, NULL), CRD_OK);
    assert_null(score[CRD_SCORE_EPISTEMIC]);
    crd_scores_free(score);
    /* answers that are all certain in float are still ranked */
    const float sure[] = {20.0f, 0.0f, 0.0f, 25.0f, 0.0f, 0.0f, 30.0f, 0.0f, 0.0f};
    assert_int_equal(crd_scores_from_logits(sure, true, 3, 3, score, NULL), CRD_OK);
    assert_true(score[CRD_SCORE_ALEATORIC][0] > score[CRD_SCORE_ALEATORIC][1]);
    assert_true(score[CRD_SCORE_ALEATORIC][1] > score[CRD_SCORE_ALEATORIC][2]);
    assert_true(score[CRD_SCORE_EPISTEMIC][0] > score[CRD_SCORE_EPISTEMIC][1]);
    crd_scores_free(score);
}

static void first_of_equal_classes(void **state)
{
    (void)state;
    int32_t answer[NODES];
    crd_most_probable(probability, NODES, CLASSES, answer);
    assert_int_equal(answer[0], 0);
    assert_int_equal(answer[1], 2);
    assert_int_equal(answer[2], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_four),
        cmocka_unit_test(little_evidence_is_ranked),
        cmocka_unit_test(what_a_model_lacks_is_null),
        cmocka_unit_test(from_logits),
        cmocka_unit_test(first_of_equal_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
