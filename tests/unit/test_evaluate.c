/* SPDX-License-Identifier: MIT */
/* Evaluation: which nodes count, their metrics, and the JSON; then the golden CoraML run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answers/answers.h"
#include "credence_private.h"
#include "io/archive.h"

static void assert_close(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.17g is not %.17g", a, b);
}

/* ---- classes ---- */

static void classes_match_by_name(void **state)
{
    (void)state;
    const int32_t labels[] = {0, 1, 2, 3, -1, 1};
    const char *const data_names[] = {"cat", "dog", "cow", "dogs"};
    crd_arrays arrays = {
        .size = sizeof(crd_arrays), .nodes = 6, .labels = labels, .classes = 4, .class_names = data_names};
    crd_dataset *dataset;
    assert_int_equal(crd_dataset_from_arrays(&arrays, &dataset, NULL), CRD_OK);
    const char *const model_names[] = {"dog", "ant", "cat"};
    int32_t *truth;
    assert_int_equal(crd_truth_make(dataset, model_names, 3, &truth, NULL), CRD_OK);
    const int32_t out = CRD_TRUTH_OUT_OF_CLASSES, expected[] = {2, 0, out, out, CRD_TRUTH_UNKNOWN, 0};
    assert_memory_equal(truth, expected, sizeof expected);
    free(truth);
    crd_dataset_free(&dataset);
}

/* ---- by hand ---- */

enum { NODES = 6, CLASSES = 2 };

static float probability[] = {0.75f, 0.25f, 0.25f, 0.75f, 0.5f, 0.5f, 0.875f, 0.125f, 0.5f, 0.5f, 0.9f, 0.1f};
static float alpha[] = {3.0f, 1.0f, 2.0f, 6.0f, 1.0f, 1.0f, 14.0f, 2.0f, 1.5f, 1.5f, 9.0f, 1.0f};
static const int32_t truth[] = {0, 0, CRD_TRUTH_OUT_OF_CLASSES, 0, CRD_TRUTH_OUT_OF_CLASSES, CRD_TRUTH_UNKNOWN};

/* Computes scores from alpha; the evidence is alpha - 1. Without alpha, only from the probabilities. */
static void make_scores(crd_prediction *p)
{
    const int64_t cells = p->nodes * p->classes;
    float *evidence = malloc((size_t)cells * sizeof *evidence);
    assert_non_null(evidence);
    for (int64_t i = 0; i < cells; i++) evidence[i] = p->alpha != NULL ? p->alpha[i] - 1.0f : logf(p->probability[i]);
    const crd_status status = p->alpha != NULL
                                  ? crd_scores_make(evidence, NULL, p->nodes, p->classes, p->score, NULL)
                                  : crd_scores_from_logits(evidence, false, p->nodes, p->classes, p->score, NULL);
    assert_int_equal(status, CRD_OK);
    free(evidence);
}

static void open_prediction(crd_prediction *p, bool dirichlet)
{
    static int32_t answer[NODES];
    *p = (crd_prediction){.nodes = NODES,
                          .classes = CLASSES,
                          .class_index = answer,
                          .probability = probability,
                          .alpha = dirichlet ? alpha : NULL};
    crd_most_probable(probability, NODES, CLASSES, answer);
    make_scores(p);
}

static void out_of_distribution(void **state)
{
    (void)state;
    crd_prediction p;
    open_prediction(&p, true);
    crd_evaluation e;
    assert_int_equal(crd_evaluate_prediction(&p, truth, CRD_TASK_OOD, &e, NULL, NULL), CRD_OK);
    assert_int_equal(e.task, CRD_TASK_OOD);
    assert_int_equal(e.nodes, 5);
    assert_int_equal(e.positives, 2);
    assert_close(e.prevalence, 0.4, 1e-15);
    assert_close(e.accuracy, 2.0 / 3.0, 1e-15);
    assert_close(e.ood_aleatoric.auroc, 1.0, 1e-15);
    assert_close(e.ood_epistemic.auroc, 1.0, 1e-15); /* -2 and -3 above -4, -8, -16 */
    assert_true(isnan(e.ood_epistemic_features.auroc) && isnan(e.ood_epistemic_features.fpr95));
    assert_true(isnan(e.failure_aleatoric.auroc) && isnan(e.ece) && isnan(e.brier) && isnan(e.nll));
    crd_scores_free(p.score);
}

static void misclassification(void **state)
{
    (void)state;
    crd_prediction p;
    open_prediction(&p, true);
    crd_evaluation e;
    crd_sample *sample;
    assert_int_equal(crd_evaluate_prediction(&p, truth, CRD_TASK_MISCLASSIFICATION, &e, &sample, NULL), CRD_OK);
    assert_int_equal(e.nodes, 3);                        /* 0, 1 and 3; 1 is wrong */
    assert_close(e.balanced_accuracy, 2.0 / 3.0, 1e-15); /* no node has the second class */
    assert_int_equal(sample->classes, 2);
    assert_true(sample->of_class[0].precision == 1.0 && sample->of_class[0].support == 3);
    assert_close(sample->of_class[0].recall, 2.0 / 3.0, 1e-15);
    assert_true(sample->of_class[1].precision == 0.0 && sample->of_class[1].support == 0);
    assert_true(isnan(sample->of_class[1].recall));
    crd_sample_free(&sample);
    assert_int_equal(e.positives, 1);
    assert_close(e.prevalence, 1.0 / 3.0, 1e-15);
    assert_close(e.accuracy, 2.0 / 3.0, 1e-15);
    assert_close(e.failure_aleatoric.auroc, 0.75, 1e-15); /* -0.75 ties with -0.75, above -0.875 */
    assert_close(e.failure_epistemic.auroc, 0.5, 1e-15);  /* -6 below -3, above -14 */
    assert_close(e.failure_aleatoric.aurc, (0.0 + 0.25 + 1.0 / 3.0) / 3.0, 1e-15);
    assert_close(e.failure_epistemic.aurc, (0.0 + 0.5 + 1.0 / 3.0) / 3.0, 1e-15);
    /* Fifteenths: 0.75 twice in one bin (one right), 0.875 alone. */
    assert_close(e.ece, (fabs(1.0 - 1.5) + 0.125) / 3.0, 1e-15);
    assert_close(e.brier, 2.0 * (0.0625 + 0.5625 + 0.015625) / 3.0, 1e-15);
    assert_close(e.nll, -(log(0.75) + log(0.25) + log(0.875)) / 3.0, 1e-15);
    assert_true(isnan(e.ood_aleatoric.auroc));
    crd_scores_free(p.score);
}

static void max_alpha_decides_failures(void **state)
{
    (void)state;
    /* Sums 10 and 9, largest 5 and 8: the two scores order these nodes differently. */
    static float p2[] = {0.5f, 0.5f, 0.75f, 0.25f}, a2[] = {5.0f, 5.0f, 8.0f, 1.0f};
    static int32_t answer[] = {0, 0};
    const int32_t truth2[] = {1, 0};
    crd_prediction p = {.nodes = 2, .classes = 2, .class_index = answer, .probability = p2, .alpha = a2};
    make_scores(&p);
    crd_evaluation e;
    assert_int_equal(crd_evaluate_prediction(&p, truth2, CRD_TASK_MISCLASSIFICATION, &e, NULL, NULL), CRD_OK);
    assert_close(e.failure_epistemic.auroc, 1.0, 0.0);
    crd_scores_free(p.score);
}

static void models_without_evidence(void **state)
{
    (void)state;
    crd_prediction p;
    open_prediction(&p, false);
    crd_evaluation e;
    assert_int_equal(crd_evaluate_prediction(&p, truth, CRD_TASK_OOD, &e, NULL, NULL), CRD_OK);
    assert_close(e.ood_aleatoric.auroc, 1.0, 1e-15);
    assert_true(isnan(e.ood_epistemic.auroc));
    crd_scores_free(p.score);
}

static void assert_not_evaluated(const int32_t *with_truth, crd_task task, const char *message)
{
    crd_prediction p;
    open_prediction(&p, true);
    crd_evaluation e = {.nodes = -7};
    crd_error error;
    assert_int_equal(crd_evaluate_prediction(&p, with_truth, task, &e, NULL, &error), CRD_ERROR_MISMATCH);
    assert_string_equal(error.message, message);
    assert_int_equal(e.nodes, -7);
    crd_scores_free(p.score);
}

static void tasks_that_cannot_be_evaluated(void **state)
{
    (void)state;
    const int32_t known[] = {0, 0, 1, 0, 1, -1}, strange[] = {-2, -2, -2, -1, -1, -1};
    const int32_t unknown[] = {-1, -1, -1, -1, -1, -1};
    assert_not_evaluated(known, CRD_TASK_OOD,
                         "all 5 labelled test nodes are of the model's classes: detecting others needs "
                         "nodes of classes that it was not trained on (left-out classes)");
    assert_not_evaluated(strange, CRD_TASK_OOD,
                         "none of the 3 labelled test nodes is of the model's classes: telling others from "
                         "them needs some");
    assert_not_evaluated(unknown, CRD_TASK_OOD,
                         "no test node has a label: cross-validate, evaluate another split, or train with one that "
                         "has test nodes, such as 60/20/20");
    assert_not_evaluated(strange, CRD_TASK_MISCLASSIFICATION,
                         "no test node is labelled with a class of the model: cross-validate, evaluate another split, "
                         "or train with one that has test nodes, such as 60/20/20");
}

/* ---- JSON ---- */

static void json_of_detection(void **state)
{
    (void)state;
    const crd_evaluation e = {.size = sizeof e,
                              .task = CRD_TASK_OOD,
                              .nodes = 8,
                              .positives = 2,
                              .trained = 3,
                              .accuracy = 0.875,
                              .balanced_accuracy = 0.5,
                              .prevalence = 0.25,
                              .ood_aleatoric = {0.5, 0.25, 0.125, 1.0},
                              .ood_epistemic = {1, 1, 1, 0},
                              .ood_epistemic_features = {NAN, NAN, NAN, NAN}};
    char *json;
    assert_int_equal(crd_evaluation_json(&e, &json, NULL), CRD_OK);
    assert_string_equal(json, "{\"task\":\"ood\",\"nodes\":8,\"trained_on\":3,\"positives\":2,"
                              "\"id_accuracy\":0.875,\"balanced_accuracy\":0.5,\"ood\":{"
                              "\"prevalence\":0.25,"
                              "\"aleatoric\":{\"auroc\":0.5,\"aupr\":0.25,\"ap\":0.125,\"fpr95\":1},"
                              "\"epistemic\":{\"auroc\":1,\"aupr\":1,\"ap\":1,\"fpr95\":0},"
                              "\"epistemic_features\":{\"auroc\":null,\"aupr\":null,\"ap\":null,\"fpr95\":null}}}");
    crd_string_free(&json);
}

static void json_of_misclassification(void **state)
{
    (void)state;
    const crd_evaluation e = {.size = sizeof e,
                              .task = CRD_TASK_MISCLASSIFICATION,
                              .nodes = 8,
                              .positives = 2,
                              .accuracy = 0.75,
                              .balanced_accuracy = NAN,
                              .prevalence = 0.25,
                              .failure_aleatoric = {0.5, 0.25, 0.125, 1.0},
                              .failure_epistemic = {NAN, 1, 1, 0},
                              .ece = 0.5,
                              .brier = 1.5,
                              .nll = 0.1};
    char *json;
    assert_int_equal(crd_evaluation_json(&e, &json, NULL), CRD_OK);
    assert_string_equal(json, "{\"task\":\"misclassification\",\"nodes\":8,\"trained_on\":0,\"positives\":2,"
                              "\"accuracy\":0.75,\"balanced_accuracy\":null,"
                              "\"misclassification\":{\"prevalence\":0.25,"
                              "\"aleatoric\":{\"auroc\":0.5,\"aupr_error\":0.25,\"aupr_success\":0.125,\"aurc\":1},"
                              "\"epistemic\":{\"auroc\":null,\"aupr_error\":1,\"aupr_success\":1,\"aurc\":0}},"
                              "\"ece\":0.5,\"brier\":1.5,\"nll\":0.1,\"ece_bins\":15}");
    crd_string_free(&json);
}

/* ---- a trained model ---- */

static crd_dataset *generate(uint64_t seed)
{
    crd_generate_options options;
    crd_generate_defaults(&options);
    options.nodes = 240;
    options.classes = 4;
    options.lookalikes = 1;
    options.seed = seed;
    crd_dataset *dataset;
    crd_error error = {0};
    if (crd_generate(&options, &dataset, &error) != CRD_OK) fail_msg("%s", error.message);
    return dataset;
}

static crd_model *train(const crd_dataset *dataset, const crd_split *split)
{
    crd_config config;
    crd_config_defaults(&config);
    assert_int_equal(crd_config_set(&config, "model", "gpn", NULL), CRD_OK);
    config.left_out = 1;
    config.max_epochs = 3;
    crd_model *model;
    crd_error error = {0};
    if (crd_train(dataset, split, &config, NULL, &model, &error) != CRD_OK) fail_msg("%s", error.message);
    return model;
}

static void assert_mismatch(const crd_model *model, const crd_dataset *dataset, const crd_split *split,
                            const char *message)
{
    crd_evaluation e = {.nodes = -7};
    crd_error error;
    assert_int_equal(crd_evaluate(model, dataset, split, CRD_TASK_OOD, CRD_THREADS(1), &e, &error), CRD_ERROR_MISMATCH);
    assert_non_null(strstr(error.message, message));
    assert_int_equal(e.nodes, -7);
}

static void trained_model(void **state)
{
    (void)state;
    crd_dataset *dataset = generate(1), *other = generate(2);
    crd_split *split, *every, *small;
    assert_int_equal(crd_split_make(dataset, "20/20/60", 0, 1, &split, NULL), CRD_OK);
    crd_model *model = train(dataset, split);
    int64_t out = 0, in = 0, all_in = 0, trained = 0;
    uint8_t test[240];
    for (int64_t i = 0; i < 240; i++) {
        bool left_out = crd_dataset_label(dataset, i) == 3;
        test[i] = CRD_ROLE_TEST;
        all_in += crd_dataset_label(other, i) != 3;
        trained += crd_split_role(split, i) != CRD_ROLE_TEST && !left_out; /* it trains or validates */
        if (crd_split_role(split, i) != CRD_ROLE_TEST) continue;
        if (left_out) out++;
        else in++;
    }
    assert_int_equal(crd_split_from_roles(test, 240, &every, NULL), CRD_OK);
    assert_int_equal(crd_split_from_roles(test, 239, &small, NULL), CRD_OK);
    crd_split *unseen, *strange;
    assert_int_equal(crd_split_all(model, dataset, &unseen, NULL), CRD_OK);
    assert_int_equal(crd_split_all(model, other, &strange, NULL), CRD_OK);
    for (int64_t i = 0; i < 240; i++) {
        const bool used = crd_split_role(split, i) != CRD_ROLE_TEST && crd_dataset_label(dataset, i) != 3;
        assert_int_equal(crd_split_role(unseen, i), used ? crd_split_role(split, i) : CRD_ROLE_TEST);
        assert_int_equal(crd_split_role(strange, i), CRD_ROLE_TEST);
    }
    crd_split_free(&unseen);
    crd_split_free(&strange);
    crd_evaluation stored, given;
    assert_int_equal(crd_evaluate(model, dataset, NULL, CRD_TASK_OOD, CRD_THREADS(1), &stored, NULL), CRD_OK);
    assert_int_equal(crd_evaluate(model, dataset, split, CRD_TASK_OOD, CRD_THREADS(2), &given, NULL), CRD_OK);
    assert_int_equal(stored.nodes, in + out);
    assert_int_equal(stored.positives, out);
    assert_true(stored.ood_epistemic.auroc == given.ood_epistemic.auroc);
    assert_true(stored.ood_epistemic_features.auroc >= 0.0);
    assert_int_equal(crd_evaluate(model, dataset, NULL, CRD_TASK_MISCLASSIFICATION, CRD_THREADS(1), &given, NULL),
                     CRD_OK);
    assert_int_equal(given.nodes, in);
    assert_close(given.accuracy, stored.accuracy, 0.0);
    assert_close(given.accuracy, 1.0 - given.prevalence, 1e-12);
    assert_int_equal(given.trained, 0);
    /* Training nodes that are counted are told. */
    for (int task = CRD_TASK_OOD; task <= CRD_TASK_MISCLASSIFICATION; task++) {
        assert_int_equal(crd_evaluate(model, dataset, every, (crd_task)task, CRD_THREADS(1), &given, NULL), CRD_OK);
        assert_true(trained > 0 && given.trained == trained);
    }
    crd_class_result results[3];
    assert_int_equal(crd_evaluate_classes(model, dataset, every, CRD_THREADS(1), results, NULL), CRD_OK);
    assert_int_equal(results[0].support + results[1].support + results[2].support, given.nodes);
    assert_close(given.balanced_accuracy, (results[0].recall + results[1].recall + results[2].recall) / 3.0, 1e-15);
    /* A different graph: the stored split does not apply to it, its own split does. */
    assert_mismatch(model, other, NULL, "give a split of these data, or evaluate every labelled node");
    assert_mismatch(model, dataset, small, "the split is of 239 nodes, the data have 240");
    assert_int_equal(crd_evaluate(model, other, every, CRD_TASK_MISCLASSIFICATION, CRD_THREADS(1), &given, NULL),
                     CRD_OK);
    assert_int_equal(given.nodes, all_in);
    assert_int_equal(given.trained, 0);
    assert_int_equal(crd_evaluate(model, dataset, NULL, (crd_task)7, CRD_THREADS(1), &given, NULL), CRD_ERROR_ARGUMENT);
    crd_model_free(&model);
    crd_split_free(&split);
    crd_split_free(&every);
    crd_split_free(&small);
    crd_dataset_free(&dataset);
    crd_dataset_free(&other);
}

/* The sample has the numbers behind the evaluation: its metrics are the same, to the last bit. */
static void samples(void **state)
{
    (void)state;
    crd_dataset *dataset = generate(1);
    crd_split *split;
    assert_int_equal(crd_split_make(dataset, "20/20/60", 0, 1, &split, NULL), CRD_OK);
    crd_model *model = train(dataset, split);
    crd_evaluation plain, e;
    crd_sample *sample = NULL;
    crd_detection detection;
    crd_failure failure;
    static const crd_score scores[] = {CRD_SCORE_EPISTEMIC, CRD_SCORE_ALEATORIC, CRD_SCORE_EPISTEMIC_FEATURES};
    const crd_detection *const of_ood[] = {&e.ood_epistemic, &e.ood_aleatoric, &e.ood_epistemic_features};

    assert_int_equal(crd_evaluate(model, dataset, NULL, CRD_TASK_OOD, CRD_THREADS(1), &plain, NULL), CRD_OK);
    assert_int_equal(crd_evaluate_sample(model, dataset, NULL, CRD_TASK_OOD, NULL, 1, &e, &sample, NULL), CRD_OK);
    assert_int_equal(sample->count, plain.nodes);
    for (int s = 0; s < 3; s++) {
        const double *score = sample->score[scores[s]];
        assert_int_equal(crd_detection_metrics(score, sample->positive, plain.nodes, &detection, NULL), CRD_OK);
        assert_memory_equal(&detection, of_ood[s], sizeof detection);
    }
    assert_memory_equal(&e.ood_epistemic, &plain.ood_epistemic, sizeof detection);
    for (int64_t i = 0; i < plain.nodes; i++) {
        const int64_t node = sample->node[i];
        assert_true(i == 0 || node > sample->node[i - 1]);
        assert_int_equal(crd_split_role(split, node), CRD_ROLE_TEST);
        assert_int_equal(sample->positive[i], crd_dataset_label(dataset, node) == 3);
    }
    assert_null(sample->confidence);
    crd_sample_free(&sample);
    assert_null(sample);

    const crd_task errors = CRD_TASK_MISCLASSIFICATION;
    assert_int_equal(crd_evaluate_sample(model, dataset, NULL, errors, NULL, 1, &e, &sample, NULL), CRD_OK);
    const int64_t count = sample->count;
    double ece;
    crd_reliability_bin bins[CRD_ECE_BINS];
    assert_int_equal(
        crd_failure_metrics(sample->score[CRD_SCORE_EPISTEMIC_CLASS], sample->positive, count, &failure, NULL), CRD_OK);
    assert_memory_equal(&failure, &e.failure_epistemic, sizeof failure);
    assert_int_equal(crd_reliability(sample->confidence, sample->positive, count, bins, &ece, NULL), CRD_OK);
    assert_true(ece == e.ece);
    crd_sample_free(&sample);
    crd_sample_free(&sample);

    crd_error error;
    assert_int_equal(crd_evaluate_sample(model, dataset, NULL, CRD_TASK_SHIFT, NULL, 1, &e, &sample, &error),
                     CRD_ERROR_ARGUMENT);
    assert_int_equal(crd_evaluate_sample(model, dataset, NULL, (crd_task)7, NULL, 1, &e, &sample, &error),
                     CRD_ERROR_ARGUMENT);
    assert_null(sample);
    crd_model_free(&model);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
}

/* ---- cross-validation ---- */

enum { FOLDS = 4 };

typedef struct {
    crd_evaluation all, of_fold[FOLDS];
    crd_sample *sample;
} crossed;

static crossed cross(const crd_model *model, const crd_dataset *dataset, int threads)
{
    crossed c;
    crd_error error = {0};
    const crd_folds folds = {.count = FOLDS, .threads = threads};
    if (crd_evaluate_folds(model, dataset, &folds, c.of_fold, &c.all, &c.sample, &error) != CRD_OK)
        fail_msg("%s", error.message);
    return c;
}

/* Every node that the model has learned from is measured once, except a class's only training node. */
static void folds_of_nodes(void **state)
{
    (void)state;
    crd_dataset *dataset = generate(1);
    crd_split *split;
    uint8_t roles[240];
    int64_t used = 0, nodes = 0, right = 0, single = -1;
    for (int64_t i = 0; i < 240; i++) { /* every fourth node validates, every fifth is not used; class 1 has one node */
        const int32_t label = crd_dataset_label(dataset, i);
        roles[i] = i % 5 == 0 ? CRD_ROLE_TEST : i % 4 == 0 ? CRD_ROLE_VALIDATION : CRD_ROLE_TRAIN;
        if (label == 1 && roles[i] != CRD_ROLE_TRAIN) roles[i] = CRD_ROLE_NONE;
        else if (label == 1 && single >= 0) roles[i] = CRD_ROLE_NONE;
        else if (label == 1) single = i;
        used += label != 3 && i != single && (roles[i] == CRD_ROLE_TRAIN || roles[i] == CRD_ROLE_VALIDATION);
    }
    assert_int_equal(crd_split_from_roles(roles, 240, &split, NULL), CRD_OK);
    crd_model *model = train(dataset, split);
    crossed c = cross(model, dataset, 1), again = cross(model, dataset, 2);
    assert_int_equal(c.all.nodes, used);
    assert_int_equal(c.all.trained, 0);
    for (int64_t i = 0; i < c.sample->count; i++) {
        const int64_t node = c.sample->node[i];
        assert_true(i == 0 || node > c.sample->node[i - 1]);
        assert_true(node != single && (roles[node] == CRD_ROLE_TRAIN || roles[node] == CRD_ROLE_VALIDATION));
    }
    for (int f = 0; f < FOLDS; f++) {
        nodes += c.of_fold[f].nodes;
        right += c.of_fold[f].nodes - c.of_fold[f].positives;
        assert_true(c.of_fold[f].nodes >= used / FOLDS && c.of_fold[f].nodes <= used / FOLDS + 1);
    }
    assert_int_equal(nodes, used);
    assert_close(c.all.accuracy, (double)right / (double)used, 1e-12);
    assert_true(c.all.ece == again.all.ece && c.all.failure_epistemic.auroc == again.all.failure_epistemic.auroc);
    crd_sample_free(&c.sample);
    crd_sample_free(&again.sample);

    crd_error error;
    crd_dataset *other = generate(2);
    crd_folds folds = {.count = 1};
    assert_int_equal(crd_evaluate_folds(model, dataset, &folds, c.of_fold, &c.all, NULL, &error), CRD_ERROR_ARGUMENT);
    folds.count = used + 1;
    assert_int_equal(crd_evaluate_folds(model, dataset, &folds, c.of_fold, &c.all, NULL, &error), CRD_ERROR_MISMATCH);
    assert_non_null(strstr(error.message, "folds need as many nodes"));
    folds.count = 2;
    assert_int_equal(crd_evaluate_folds(model, other, &folds, c.of_fold, &c.all, NULL, &error), CRD_ERROR_MISMATCH);
    char *first = model->class_names[0];
    model->class_names[0] = model->class_names[1];
    model->class_names[1] = first;
    assert_int_equal(crd_evaluate_folds(model, dataset, &folds, c.of_fold, &c.all, NULL, &error), CRD_ERROR_MISMATCH);
    assert_non_null(strstr(error.message, "the classes are in another order"));
    crd_dataset_free(&other);
    crd_model_free(&model);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
}

/* Pairs of nodes, one of each class: label propagation knows its training nodes, and says of any other node the class
 * of its partner or, if it knows neither, the first. So no node of the second class can be found, if no answer comes
 * from a model that has seen the node. */
static void folds_do_not_leak(void **state)
{
    (void)state;
    enum { PAIRS = 20 };
    int64_t source[PAIRS], target[PAIRS];
    int32_t labels[2 * PAIRS];
    uint8_t roles[2 * PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        source[i] = 2 * i;
        target[i] = 2 * i + 1;
        labels[2 * i] = 0;
        labels[2 * i + 1] = 1;
    }
    memset(roles, CRD_ROLE_TRAIN, sizeof roles);
    const crd_arrays arrays = {.size = sizeof(crd_arrays),
                               .nodes = 2 * PAIRS,
                               .edges = PAIRS,
                               .source = {source, CRD_INT64},
                               .target = {target, CRD_INT64},
                               .labels = labels};
    crd_dataset *dataset;
    crd_split *split;
    crd_model *model;
    crd_config config;
    crd_config_defaults(&config);
    assert_int_equal(crd_config_set(&config, "model", "lp", NULL), CRD_OK);
    assert_int_equal(crd_config_set(&config, "teleport", "0.6", NULL), CRD_OK);
    assert_int_equal(crd_dataset_from_arrays(&arrays, &dataset, NULL), CRD_OK);
    assert_int_equal(crd_split_from_roles(roles, 2 * PAIRS, &split, NULL), CRD_OK);
    assert_int_equal(crd_train(dataset, split, &config, NULL, &model, NULL), CRD_OK);
    memset(roles, CRD_ROLE_TEST, sizeof roles);
    crd_split *every;
    crd_class_result seen[2];
    assert_int_equal(crd_split_from_roles(roles, 2 * PAIRS, &every, NULL), CRD_OK);
    assert_int_equal(crd_evaluate_classes(model, dataset, every, CRD_THREADS(1), seen, NULL), CRD_OK);
    assert_true(seen[1].recall == 1.0);
    crossed c = cross(model, dataset, 1);
    assert_int_equal(c.all.nodes, 2 * PAIRS);
    assert_true(c.sample->of_class[1].recall == 0.0);
    crd_sample_free(&c.sample);
    crd_model_free(&model);
    crd_split_free(&every);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
}

/* ---- numbers of another implementation ---- */

/* A file beside the datasets: $CREDENCE_DATA, or ../shared/datasets from the project's root. */
static const char *data_file(const char *name)
{
    static char path[1024];
    const char *data = getenv("CREDENCE_DATA");
    if (data != NULL) {
        snprintf(path, sizeof path, "%s/%s", data, name);
    } else {
        const char *here = strstr(__FILE__, "tests/unit/");
        snprintf(path, sizeof path, "%.*s../shared/datasets/%s", here == NULL ? 0 : (int)(here - __FILE__), __FILE__,
                 name);
    }
    return path;
}

static crd_source *open_golden(const char *file, const char *array, crd_npy *npy, crd_archive **bag)
{
    crd_source *source;
    crd_error error = {0};
    if (crd_archive_open(data_file(file), bag, &error) != CRD_OK) fail_msg("%s", error.message);
    if (crd_archive_array(*bag, array, npy, &source, &error) != CRD_OK) fail_msg("%s", error.message);
    return source;
}

/* Sets the true class of the nodes in an index array. */
static void mark(const char *array, const crd_dataset *dataset, bool out, int32_t *marked)
{
    crd_archive *bag;
    crd_npy npy;
    crd_source *source = open_golden("../golden/coraml_inputs.npz", array, &npy, &bag);
    int64_t *node;
    assert_int_equal(crd_npy_read(source, &npy, CRD_NPY_I8, &node, NULL), CRD_OK);
    for (int64_t i = 0; i < npy.count; i++)
        marked[node[i]] = out ? CRD_TRUTH_OUT_OF_CLASSES : crd_dataset_label(dataset, node[i]);
    free(node);
    crd_source_free(&source);
    crd_archive_free(&bag);
}

static double golden_number(const json_t *root, const char *task, const char *score, const char *metric)
{
    json_t *number = json_object_get(json_object_get(json_object_get(root, task), score), metric);
    assert_true(json_is_real(number));
    return json_real_value(number);
}

/* Both tasks with a golden run's own alpha (nodes x 4). */
static void evaluate_golden(const char *file, int64_t nodes, const int32_t *known, crd_evaluation *ood,
                            crd_evaluation *failure)
{
    crd_archive *bag;
    crd_npy npy;
    crd_prediction p = {.nodes = nodes, .classes = 4};
    crd_source *source = open_golden(file, "after45.alpha", &npy, &bag);
    assert_int_equal(npy.count, nodes * 4);
    assert_int_equal(crd_npy_read(source, &npy, CRD_NPY_F4, &p.alpha, NULL), CRD_OK);
    crd_source_free(&source);
    crd_archive_free(&bag);
    p.class_index = malloc((size_t)nodes * sizeof *p.class_index);
    p.probability = malloc((size_t)nodes * 4 * sizeof *p.probability);
    assert_non_null(p.class_index);
    assert_non_null(p.probability);
    for (int64_t i = 0; i < nodes; i++) {
        const float *row = p.alpha + i * 4;
        double total = (double)row[0] + (double)row[1] + (double)row[2] + (double)row[3];
        for (int k = 0; k < 4; k++) p.probability[i * 4 + k] = (float)((double)row[k] / total);
    }
    crd_most_probable(p.probability, nodes, 4, p.class_index);
    make_scores(&p);
    assert_int_equal(crd_evaluate_prediction(&p, known, CRD_TASK_OOD, ood, NULL, NULL), CRD_OK);
    assert_int_equal(crd_evaluate_prediction(&p, known, CRD_TASK_MISCLASSIFICATION, failure, NULL, NULL), CRD_OK);
    crd_scores_free(p.score);
    free(p.class_index);
    free(p.probability);
    free(p.alpha);
}

/* Our metrics must equal those of the golden run's author. In between, the doubles were rounded to float32, which
 * changes the order of a few pairs of nodes in a million. */
static void check_golden(const char *run, int64_t nodes, const int32_t *known)
{
    const double close = 2e-6;
    char name[128];
    crd_evaluation ood, failure;
    snprintf(name, sizeof name, "../golden/coraml_train_%s.npz", run);
    evaluate_golden(name, nodes, known, &ood, &failure);
    snprintf(name, sizeof name, "../golden/coraml_train_%s.json", run);
    json_t *root = json_load_file(data_file(name), 0, NULL);
    assert_non_null(root);
    assert_close(ood.accuracy, json_real_value(json_object_get(root, "id_test_accuracy")), 1e-15);
    const struct {
        const char *score;
        const crd_detection *detection;
        const crd_failure *failure;
    } scores[] = {{"aleatoric", &ood.ood_aleatoric, &failure.failure_aleatoric},
                  {"epistemic", &ood.ood_epistemic, &failure.failure_epistemic}};
    for (int s = 0; s < 2; s++) {
        const char *score = scores[s].score, *failures = "misclassification_on_id_test";
        assert_close(scores[s].detection->auroc, golden_number(root, "ood", score, "auroc"), close);
        assert_close(scores[s].detection->aupr, golden_number(root, "ood", score, "aupr"), close);
        assert_close(scores[s].failure->auroc, golden_number(root, failures, score, "auroc"), close);
        assert_close(scores[s].failure->aupr_success, golden_number(root, failures, score, "aupr_success"), close);
    }
    json_decref(root);
}

static void golden_metrics(void **state)
{
    (void)state;
    if (access(data_file("cora_ml.npz"), R_OK) != 0 || access(data_file("../golden/coraml_inputs.npz"), R_OK) != 0) {
        print_message("skipped: no CoraML, or no golden tensors beside it (%s)\n", data_file("cora_ml.npz"));
        skip();
    }
    crd_dataset *dataset;
    crd_error error = {0};
    if (crd_dataset_open(data_file("cora_ml.npz"), NULL, &dataset, &error) != CRD_OK) fail_msg("%s", error.message);
    int64_t nodes = crd_dataset_nodes(dataset);
    int32_t *known = malloc((size_t)nodes * sizeof *known);
    assert_non_null(known);
    for (int64_t i = 0; i < nodes; i++) known[i] = CRD_TRUTH_UNKNOWN;
    mark("test_idx", dataset, false, known);
    mark("ood_test_idx", dataset, true, known);
    check_golden("gelu_distance1e-4", nodes, known);
    check_golden("gelu_evidence1e-4", nodes, known);
    check_golden("relu_entropy1e-4", nodes, known);
    free(known);
    crd_dataset_free(&dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_match_by_name),   cmocka_unit_test(out_of_distribution),
        cmocka_unit_test(misclassification),       cmocka_unit_test(max_alpha_decides_failures),
        cmocka_unit_test(models_without_evidence), cmocka_unit_test(tasks_that_cannot_be_evaluated),
        cmocka_unit_test(json_of_detection),       cmocka_unit_test(json_of_misclassification),
        cmocka_unit_test(trained_model),           cmocka_unit_test(samples),
        cmocka_unit_test(folds_of_nodes),          cmocka_unit_test(folds_do_not_leak),
        cmocka_unit_test(golden_metrics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
