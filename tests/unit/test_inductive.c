/* SPDX-License-Identifier: MIT */
/* Inductive training: nodes of left-out classes are absent, and come back for prediction. */
#include "support/outcome.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "answers/answers.h"
#include "graph/dataset.h"
#include "models/model.h"

enum { NODES = 240, CLASSES = 4, LEFT_OUT = 1 };

static crd_dataset *dataset;
static crd_split *split;

static int set_up(void **state)
{
    (void)state;
    crd_generate_options options;
    crd_generate_defaults(&options);
    options.nodes = NODES;
    options.classes = CLASSES;
    options.features = 50;
    options.lookalikes = 1;
    assert_ok(crd_generate(&options, &dataset, NULL));
    assert_ok(crd_split_make(dataset, "20/20/60", 0, 1, &split, NULL));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    crd_split_free(&split);
    crd_dataset_free(&dataset);
    return 0;
}

static crd_config make_config(const char *model, crd_preprocessing features, bool inductive)
{
    crd_config config;
    crd_config_defaults(&config);
    assert_ok(crd_config_set(&config, "model", model, NULL));
    config.left_out = LEFT_OUT;
    config.inductive = inductive;
    config.features = features;
    config.max_epochs = 12;
    config.threads = 1;
    return config;
}

static crd_model *train(const crd_dataset *data, const crd_split *roles, const crd_config *config)
{
    crd_model *model;
    crd_error error;
    if (crd_train(data, roles, config, NULL, &model, &error) != CRD_OK) fail_msg("%s", error.message);
    return model;
}

/* The data without the left-out nodes, made through the public interface. */
static crd_dataset *without_left_out(const crd_dataset *data, int64_t *node_of, crd_split **roles)
{
    static float dense[NODES * 50];
    static int64_t source[NODES * NODES], target[NODES * NODES];
    int64_t place[NODES], count = 0, edges = 0;
    int32_t labels[NODES];
    uint8_t role[NODES];
    crd_dataset *smaller;
    memset(dense, 0, sizeof dense);
    for (int64_t i = 0; i < NODES; i++) {
        place[i] = data->labels[i] < CLASSES - LEFT_OUT ? count : -1;
        if (place[i] < 0) continue;
        node_of[count] = i;
        labels[count] = data->labels[i];
        role[count] = split->roles[i];
        for (int64_t e = data->features.start[i]; e < data->features.start[i + 1]; e++)
            dense[count * 50 + data->features.column[e]] = data->features.value[e];
        count++;
    }
    for (int64_t i = 0; i < NODES; i++)
        for (int64_t e = data->graph.start[i]; e < data->graph.start[i + 1]; e++) {
            if (place[i] < 0 || place[data->graph.neighbour[e]] < 0) continue;
            source[edges] = place[i];
            target[edges++] = place[data->graph.neighbour[e]];
        }
    const crd_arrays arrays = {.size = sizeof(crd_arrays),
                               .nodes = count,
                               .edges = edges,
                               .source = {source, CRD_INT64},
                               .target = {target, CRD_INT64},
                               .features = 50,
                               .dense = {dense, CRD_FLOAT32},
                               .labels = labels,
                               .classes = CLASSES};
    assert_ok(crd_dataset_from_arrays(&arrays, &smaller, NULL));
    assert_ok(crd_split_from_roles(role, count, roles, NULL));
    return smaller;
}

/* The model equals the one trained on the smaller data, bit by bit. */
static void test_same_as_by_hand(void **state)
{
    (void)state;
    const char *const names[] = {"gpn", "vgcn", "gkde-gcn", "lp", "gkde"};
    int64_t node_of[NODES];
    crd_split *roles;
    crd_dataset *smaller = without_left_out(dataset, node_of, &roles);
    assert_true(smaller->graph.nodes > 100 && smaller->graph.nodes < NODES);
    assert_true(smaller->features.sparse && dataset->features.sparse);
    for (int m = 0; m < 5; m++)
        for (int standard = 0; standard < 2; standard++) {
            crd_config config = make_config(names[m], standard ? CRD_FEATURES_STANDARD : CRD_FEATURES_ROWNORM, true);
            crd_model *model = train(dataset, split, &config);
            config.inductive = false;
            crd_config same = config;
            same.left_out = 0; /* classes without nodes do not exist in the smaller data */
            crd_model *expected = train(smaller, roles, &same);
            crd_model *transductive = train(dataset, split, &config);
            bool differs = false;
            assert_int_equal(model->parameters, expected->parameters);
            for (int p = 0; p < model->parameters; p++) {
                const size_t size = (size_t)model->parameter[p].count * sizeof(float);
                assert_memory_equal(model->parameter[p].value, expected->parameter[p].value, size);
                differs = differs || memcmp(model->parameter[p].value, transductive->parameter[p].value, size) != 0;
            }
            assert_int_equal(differs, model->parameters > 0);
            for (int c = 0; model->feature_mean != NULL && c < 50; c++)
                assert_true(model->feature_mean[c] == expected->feature_mean[c]);
            assert_int_equal(model->remembered, expected->remembered);
            for (int64_t t = 0; t < model->remembered; t++) {
                assert_int_equal(model->remembered_node[t], node_of[expected->remembered_node[t]]);
                assert_int_equal(model->remembered_class[t], expected->remembered_class[t]);
            }
            crd_model_free(&model);
            crd_model_free(&expected);
            crd_model_free(&transductive);
        }
    crd_split_free(&roles);
    crd_dataset_free(&smaller);
}

/* It is a model of the whole dataset: evaluation needs nothing else, before and after saving. */
static void test_whole(void **state)
{
    (void)state;
    const char *const names[] = {"gpn", "lp"};
    for (int m = 0; m < 2; m++) {
        crd_config config = make_config(names[m], CRD_FEATURES_NONE, true);
        crd_model *model = train(dataset, split, &config), *read;
        char path[] = "/tmp/credence-inductive-XXXXXX";
        crd_evaluation before, after;
        assert_string_equal(model->fingerprint, dataset->fingerprint);
        assert_true(model->config.inductive);
        assert_int_equal(model->split->nodes, NODES);
        assert_string_equal(model->split->description, split->description);
        for (int64_t i = 0; i < NODES; i++) {
            const bool known = dataset->labels[i] < CLASSES - LEFT_OUT;
            assert_int_equal(model->split->roles[i],
                             known || split->roles[i] == CRD_ROLE_TEST ? split->roles[i] : CRD_ROLE_NONE);
        }
        assert_ok(crd_evaluate(model, dataset, NULL, CRD_TASK_OOD, CRD_THREADS(1), &before, NULL));
        assert_true(before.positives > 0 && before.accuracy > 0.5);
        int file = mkstemp(path);
        assert_true(file >= 0);
        close(file);
        assert_ok(crd_model_save(model, path, NULL));
        assert_ok(crd_model_load(path, &read, NULL));
        remove(path);
        assert_true(read->config.inductive);
        assert_ok(crd_evaluate(read, dataset, NULL, CRD_TASK_OOD, CRD_THREADS(1), &after, NULL));
        assert_true(after.accuracy == before.accuracy && after.ood_epistemic.auroc == before.ood_epistemic.auroc);
        crd_model_free(&model);
        crd_model_free(&read);
    }
}

/* Promises are about answers on the whole graph: the record of the calibration nodes is what predicting it says. */
static void test_promises(void **state)
{
    (void)state;
    const char *const names[] = {"committee", "gpn"};
    for (int m = 0; m < 2; m++) {
        crd_config config = make_config(names[m], CRD_FEATURES_NONE, true);
        config.hold_out = 0.5;
        crd_model *model = train(dataset, split, &config);
        crd_prediction *prediction;
        int64_t held = 0;
        assert_ok(crd_predict(model, dataset, CRD_THREADS(1), &prediction, NULL));
        for (int64_t i = 0; i < NODES; i++) {
            if (model->split->roles[i] != CRD_ROLE_CALIBRATION) continue;
            const float *row = model->held + CRD_HELD * held++;
            assert_true(row[CRD_HELD_ALEATORIC] == (float)prediction->score[CRD_SCORE_ALEATORIC][i]);
            assert_true(row[CRD_HELD_DOUBT] == (float)prediction->score[CRD_SCORE_EPISTEMIC][i]);
        }
        assert_true(held > 5 && held == model->held_count);
        crd_prediction_free(&prediction);
        crd_model_free(&model);
    }
}

static void test_nothing_left_out(void **state)
{
    (void)state;
    crd_error error;
    crd_model *model;
    crd_config config = make_config("gpn", CRD_FEATURES_NONE, true);
    config.left_out = 0;
    assert_fails(crd_train(dataset, split, &config, NULL, &model, &error), CRD_ERROR_ARGUMENT, "but left-out is 0");
    assert_null(model);
}

/* Unlabelled nodes stay, nothing else is lost, dense features stay dense. */
static void test_subset(void **state)
{
    (void)state;
    const int64_t source[] = {0, 1, 2, 3, 4}, target[] = {1, 2, 3, 4, 0};
    const int32_t labels[] = {0, 2, -1, 1, 0};
    const float dense[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    const char *const names[] = {"a", "b", "c"};
    const uint8_t keep[] = {1, 0, 1, 1, 1};
    const crd_arrays arrays = {.size = sizeof(crd_arrays),
                               .nodes = 5,
                               .edges = 5,
                               .source = {source, CRD_INT64},
                               .target = {target, CRD_INT64},
                               .features = 2,
                               .dense = {dense, CRD_FLOAT32},
                               .labels = labels,
                               .classes = 3,
                               .class_names = names};
    crd_dataset *whole, *some;
    assert_ok(crd_dataset_from_arrays(&arrays, &whole, NULL));
    assert_ok(crd_dataset_subset(whole, keep, &some, NULL));
    /* 0 - 4 and 2 - 3 - 4, renumbered 0 - 3 and 1 - 2 - 3 */
    const int64_t start[] = {0, 1, 2, 4, 6};
    const int32_t neighbour[] = {3, 2, 1, 3, 0, 2}, left[] = {0, -1, 1, 0};
    const float rows[] = {1, 2, 5, 6, 7, 8, 9, 10};
    assert_int_equal(some->graph.nodes, 4);
    assert_memory_equal(some->graph.start, start, sizeof start);
    assert_memory_equal(some->graph.neighbour, neighbour, sizeof neighbour);
    assert_memory_equal(some->labels, left, sizeof left);
    assert_memory_equal(some->features.dense, rows, sizeof rows);
    assert_false(some->features.sparse);
    assert_int_equal(some->classes, 3);
    assert_string_equal(some->class_names[2], "c");
    assert_string_equal(some->fingerprint, whole->fingerprint);
    crd_dataset_free(&some);
    crd_dataset_free(&whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_by_hand),  cmocka_unit_test(test_whole),  cmocka_unit_test(test_promises),
        cmocka_unit_test(test_nothing_left_out), cmocka_unit_test(test_subset),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
