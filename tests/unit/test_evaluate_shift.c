/* SPDX-License-Identifier: MIT */
/* Shifted test nodes: which are shifted, what is compared, and that models notice noise. */
#include "support/outcome.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "credence_private.h"
#include "graph/shift.h"
#include "models/model.h"

static crd_dataset *dataset; /* three classes and a look-alike of one, which models leave out */
static crd_split *split;
static const char *const MODELS[] = {"gpn", "appnp", "vgcn", "gkde-gcn", "lp", "gkde", "egcn"};
enum { MODEL_COUNT = sizeof MODELS / sizeof MODELS[0] };
static crd_model *model[MODEL_COUNT];

/* A teleport of 0 means the model's own. */
static crd_model *train(const crd_dataset *data, const char *name, double teleport)
{
    crd_config config;
    crd_model *trained;
    crd_error error;
    crd_config_defaults(&config);
    assert_ok(crd_config_set(&config, "model", name, NULL));
    config.left_out = 1;
    if (strcmp(name, "lp") != 0 && strcmp(name, "gkde") != 0) {
        config.max_epochs = 60;
        config.features = CRD_FEATURES_ROWNORM;
    }
    config.threads = 1;
    if (teleport > 0.0) config.teleport = teleport;
    if (crd_train(data, split, &config, NULL, &trained, &error) != CRD_OK) fail_msg("%s", error.message);
    return trained;
}

static int set_up(void **state)
{
    (void)state;
    crd_generate_options options;
    crd_generate_defaults(&options);
    options.nodes = 300;
    options.classes = 4;
    options.features = 60;
    options.lookalikes = 1;
    options.words = 15;
    assert_ok(crd_generate(&options, &dataset, NULL));
    assert_ok(crd_split_make(dataset, "20/20/60", 0, 1, &split, NULL));
    for (int m = 0; m < MODEL_COUNT; m++) model[m] = train(dataset, MODELS[m], 0.0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (int m = 0; m < MODEL_COUNT; m++) crd_model_free(&model[m]);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
    return 0;
}

static crd_evaluation evaluate(const crd_model *with, const char *text, uint64_t seed, int64_t most)
{
    crd_shift shift;
    crd_evaluation e;
    crd_error error;
    crd_shift_defaults(&shift);
    assert_ok(crd_shift_parse(text, &shift, NULL));
    shift.seed = seed;
    if (most > 0) shift.most_nodes = most;
    if (crd_evaluate_shift(with, dataset, NULL, &shift, CRD_THREADS(2), &e, &error) != CRD_OK)
        fail_msg("%s: %s", text, error.message);
    return e;
}

/* Whatever the model and the kind of shift, the sample's metrics are the evaluation's. */
static void samples(void **state)
{
    (void)state;
    static const char *const shifts[] = {"normal:0.3", "normal:0.3:isolated", "dice:0.2"};
    for (int m = 0; m < MODEL_COUNT; m++)
        for (int s = 0; s < 3; s++) {
            crd_shift shift;
            crd_evaluation e;
            crd_sample *sample;
            crd_detection metrics;
            crd_shift_defaults(&shift);
            assert_ok(crd_shift_parse(shifts[s], &shift, NULL));
            shift.most_nodes = 5;
            assert_ok(crd_evaluate_sample(model[m], dataset, NULL, CRD_TASK_SHIFT, &shift, 1, &e, &sample, NULL));
            assert_int_equal(sample->count, e.nodes);
            assert_null(sample->confidence);
            assert_ok(
                crd_detection_metrics(sample->score[CRD_SCORE_ALEATORIC], sample->positive, e.nodes, &metrics, NULL));
            assert_memory_equal(&metrics, &e.ood_aleatoric, sizeof metrics);
            crd_sample_free(&sample);
        }
}

static int64_t count_test_nodes(void)
{
    int64_t count = 0;
    for (int64_t i = 0; i < dataset->graph.nodes; i++)
        count += split->roles[i] == CRD_ROLE_TEST && dataset->labels[i] < 3;
    return count;
}

/* Which nodes are shifted; the same ones for every model. */
static void test_numbers(void **state)
{
    (void)state;
    const int64_t nodes = count_test_nodes();
    for (int m = 0; m < MODEL_COUNT; m++) {
        crd_evaluation e = evaluate(model[m], "bernoulli:0.1", 1, 0);
        assert_int_equal(e.task, CRD_TASK_SHIFT);
        assert_int_equal(e.nodes, nodes);
        assert_int_equal(e.positives, llround(0.1 * (double)nodes));
        assert_true(e.edges_removed == 0 && e.edges_added == 0);
        assert_true(e.prevalence == (double)e.positives / (double)e.nodes);
        assert_true(isnan(e.failure_aleatoric.auroc) && isnan(e.ece));
        e = evaluate(model[m], "normal:0.5:isolated", 1, 7);
        assert_int_equal(e.nodes, nodes);
        assert_int_equal(e.positives, 7);
        e = evaluate(model[m], "rewire:0.1", 1, 0);
        assert_int_equal(e.nodes, nodes);
        assert_true(e.edges_removed > 0 && e.edges_removed == e.edges_added);
        assert_true(e.positives > e.edges_added && e.positives <= 3 * e.edges_added);
        e = evaluate(model[m], "dice:0.1", 1, 0);
        assert_true(e.edges_removed >= e.edges_added && e.edges_removed <= e.edges_added + 1);
        e = evaluate(model[m], "dice:0.1:isolated", 1, 5);
        assert_int_equal(e.positives, 5);
        assert_true(e.edges_removed <= 10 && e.edges_added >= 5);
        assert_true(isfinite(e.accuracy) && isfinite(e.accuracy_shifted) && isfinite(e.accuracy_before));
        assert_true(isfinite(e.ood_aleatoric.auroc));
    }
}

/* Noise is unlike any features: before the graph a GPN notices it at once. With the graph it still does if all
 * neighbours are noise too. */
static void test_noise_is_noticed(void **state)
{
    (void)state;
    const char *const kinds[] = {"bernoulli:0.2", "normal:0.2", "bernoulli:0.2:isolated", "normal:0.2:isolated"};
    for (int k = 0; k < 4; k++) {
        crd_evaluation e = evaluate(model[0], kinds[k], 3, 0);
        assert_true(e.ood_epistemic_features.auroc > 0.99);
        assert_true(e.ood_epistemic.auroc > 0.6);
        assert_true(e.accuracy > 0.6);
    }
    /* a model that uses features answers worse */
    crd_evaluation e = evaluate(model[2], "normal:0.3", 3, 0);
    assert_true(e.accuracy_shifted < e.accuracy_before - 0.1);
}

/* Models that use no features give the same answers. */
static void test_noise_is_not_looked_at(void **state)
{
    (void)state;
    for (int m = 4; m < 6; m++) {
        crd_evaluation all = evaluate(model[m], "normal:0.3", 3, 0);
        crd_evaluation alone = evaluate(model[m], "normal:0.3:isolated", 3, 1000);
        assert_true(all.accuracy_shifted == all.accuracy_before);
        assert_true(alone.accuracy_shifted == alone.accuracy_before);
        assert_true(all.accuracy == alone.accuracy);
        assert_true(all.ood_epistemic.auroc == alone.ood_epistemic.auroc);
        assert_true(isnan(all.ood_epistemic_features.auroc));
    }
}

/* Edges between classes mislead models that follow them; a GPN that does not follow them far is robust. */
static void test_edges_matter(void **state)
{
    (void)state;
    crd_model *follower = train(dataset, "gpn", 0.05);
    for (int m = 0; m < MODEL_COUNT; m++) {
        crd_evaluation e = evaluate(m == 0 ? follower : model[m], "dice:1", 3, 0);
        assert_true(e.accuracy_shifted < e.accuracy_before);
    }
    double lost = 0.0, followers = 0.0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        crd_evaluation e = evaluate(model[0], "dice:1", seed, 0);
        assert_true(e.accuracy_before > 0.9);
        lost += e.accuracy_before - e.accuracy_shifted;
        e = evaluate(follower, "dice:1", seed, 0);
        followers += e.accuracy_before - e.accuracy_shifted;
    }
    assert_true(lost < 0.75 * followers);
    crd_model_free(&follower);
}

/* If everything is shifted, the accuracy is that of a plain prediction on data made by hand, and nothing is left to
 * compare with. */
static void test_all_by_hand(void **state)
{
    (void)state;
    for (int m = 0; m < 4; m++) {
        crd_shift shift = {.size = sizeof shift, .kind = CRD_SHIFT_NORMAL, .amount = 1.0, .seed = 9};
        crd_evaluation e = evaluate(model[m], "normal:1", 9, 0);
        crd_prepared prepared;
        crd_dataset noisy = *dataset;
        crd_prediction *prediction;
        uint8_t chosen[300];
        for (int64_t i = 0; i < 300; i++) chosen[i] = split->roles[i] == CRD_ROLE_TEST && dataset->labels[i] < 3;
        assert_ok(crd_preprocess(&dataset->features, CRD_FEATURES_ROWNORM, NULL, NULL, NULL, &prepared, NULL));
        assert_ok(crd_shift_features(&prepared.features, &shift, chosen, &noisy.features, NULL));
        model[m]->config.features = CRD_FEATURES_NONE; /* they are already prepared */
        assert_ok(crd_predict(model[m], &noisy, CRD_THREADS(1), &prediction, NULL));
        model[m]->config.features = CRD_FEATURES_ROWNORM;
        int64_t right = 0, count = 0;
        for (int64_t i = 0; i < 300; i++) {
            count += chosen[i];
            right += chosen[i] && crd_prediction_class(prediction)[i] == dataset->labels[i];
        }
        assert_int_equal(e.nodes, count);
        assert_int_equal(e.positives, count);
        assert_true(e.accuracy_shifted == (double)right / (double)count);
        assert_true(isnan(e.accuracy) && isnan(e.ood_aleatoric.auroc) && isnan(e.ood_epistemic.aupr));
        crd_prediction_free(&prediction);
        crd_features_free(&noisy.features);
        crd_prepared_free(&prepared);
    }
}

static void assert_same_detection(const crd_detection *a, const crd_detection *b)
{
    assert_true(fabs(a->auroc - b->auroc) < 1e-9);
    assert_true(fabs(a->ap - b->ap) < 1e-9);
}

/* One node at a time: weights and features give the same as a prediction for each node. For a single node, AUROC is
 * its rank. */
static void test_isolated_is_exact(void **state)
{
    (void)state;
    const char *const kinds[] = {"bernoulli:0.001:isolated", "normal:0.001:isolated"};
    crd_model_kind without_weights = crd_gpn;
    crd_model slow = *model[0];
    without_weights.weigh = NULL;
    slow.kind = &without_weights;
    for (int k = 0; k < 2; k++)
        for (uint64_t seed = 1; seed <= 25; seed++) {
            crd_evaluation fast = evaluate(model[0], kinds[k], seed, 0);
            crd_evaluation plain = evaluate(&slow, kinds[k], seed, 0);
            assert_int_equal(fast.positives, 1);
            assert_same_detection(&fast.ood_epistemic, &plain.ood_epistemic);
            assert_same_detection(&fast.ood_aleatoric, &plain.ood_aleatoric);
            assert_same_detection(&fast.ood_epistemic_features, &plain.ood_epistemic_features);
            assert_true(fast.accuracy_shifted == plain.accuracy_shifted);
            assert_true(fast.accuracy == plain.accuracy);
        }
    /* and of many nodes, the others are those of the clean graph */
    crd_evaluation many = evaluate(model[0], "normal:0.3:isolated", 4, 1000);
    crd_evaluation one = evaluate(&slow, "normal:0.3:isolated", 4, 1000);
    assert_true(many.positives > 20 && many.positives == one.positives);
    assert_true(many.accuracy_shifted == one.accuracy_shifted && many.accuracy == one.accuracy);
    assert_same_detection(&many.ood_epistemic, &one.ood_epistemic);
}

static void test_threads(void **state)
{
    (void)state;
    const char *const kinds[] = {"normal:0.2", "bernoulli:0.2:isolated", "rewire:0.2", "dice:0.2:isolated"};
    for (int m = 0; m < 3; m++)
        for (int k = 0; k < 4; k++) {
            char *first = NULL, *second = NULL;
            crd_shift shift;
            crd_evaluation e;
            crd_shift_defaults(&shift);
            assert_ok(crd_shift_parse(kinds[k], &shift, NULL));
            shift.most_nodes = 10;
            assert_ok(crd_evaluate_shift(model[m], dataset, split, &shift, CRD_THREADS(1), &e, NULL));
            assert_ok(crd_evaluation_json(&e, &first, NULL));
            assert_ok(crd_evaluate_shift(model[m], dataset, split, &shift, CRD_THREADS(3), &e, NULL));
            assert_ok(crd_evaluation_json(&e, &second, NULL));
            assert_string_equal(first, second);
            crd_string_free(&first);
            crd_string_free(&second);
        }
}

static void test_json(void **state)
{
    (void)state;
    char *text;
    crd_evaluation e = evaluate(model[0], "dice:0.25:isolated", 12, 8);
    assert_ok(crd_evaluation_json(&e, &text, NULL));
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    assert_string_equal(json_string_value(json_object_get(json, "task")), "shift");
    assert_int_equal(json_integer_value(json_object_get(json, "positives")), 8);
    assert_true(json_number_value(json_object_get(json, "id_accuracy")) == e.accuracy);
    assert_true(json_number_value(json_object_get(json, "shifted_accuracy")) == e.accuracy_shifted);
    assert_true(json_number_value(json_object_get(json, "shifted_accuracy_before")) == e.accuracy_before);
    const json_t *shift = json_object_get(json, "shift");
    assert_string_equal(json_string_value(json_object_get(shift, "kind")), "dice");
    assert_string_equal(json_string_value(json_object_get(shift, "mode")), "isolated");
    assert_true(json_number_value(json_object_get(shift, "amount")) == 0.25);
    assert_int_equal(json_integer_value(json_object_get(shift, "seed")), 12);
    assert_int_equal(json_integer_value(json_object_get(shift, "edges_removed")), e.edges_removed);
    assert_int_equal(json_integer_value(json_object_get(shift, "edges_added")), e.edges_added);
    const json_t *epistemic = json_object_get(shift, "epistemic");
    assert_true(json_number_value(json_object_get(epistemic, "auroc")) == e.ood_epistemic.auroc);
    assert_null(json_object_get(json, "ece"));
    json_decref(json);
    crd_string_free(&text);
    /* nothing to compare with */
    e = evaluate(model[0], "normal:1", 1, 0);
    assert_ok(crd_evaluation_json(&e, &text, NULL));
    assert_non_null(strstr(text, "\"id_accuracy\":null"));
    assert_non_null(strstr(text, "\"auroc\":null"));
    crd_string_free(&text);
}

static void test_wrong(void **state)
{
    (void)state;
    crd_error error;
    crd_evaluation e = {.nodes = 77};
    crd_shift shift;
    crd_shift_defaults(&shift);
    shift.amount = 1.5;
    assert_fails(crd_evaluate_shift(model[0], dataset, split, &shift, CRD_THREADS(1), &e, &error), CRD_ERROR_ARGUMENT,
                 "above 0, up to 1");
    assert_fails(crd_evaluate(model[0], dataset, split, CRD_TASK_SHIFT, CRD_THREADS(1), &e, &error), CRD_ERROR_ARGUMENT,
                 "crd_evaluate_shift");
    crd_shift_defaults(&shift);
    /* a model that needs no features, on data that have none */
    crd_dataset bare = *dataset;
    bare.features = (crd_features){.rows = 300};
    assert_fails(crd_evaluate_shift(model[4], &bare, split, &shift, CRD_THREADS(1), &e, &error), CRD_ERROR_MISMATCH,
                 "no node features that noise could replace");
    /* no labels */
    bare = *dataset;
    bare.classes = 0;
    shift.kind = CRD_SHIFT_DICE;
    assert_fails(crd_evaluate_shift(model[0], &bare, split, &shift, CRD_THREADS(1), &e, &error), CRD_ERROR_MISMATCH,
                 "no labels");
    /* no test node; then two, without an edge between them */
    uint8_t roles[300] = {0};
    crd_split *few;
    assert_ok(crd_split_from_roles(roles, 300, &few, NULL));
    assert_fails(crd_evaluate_shift(model[0], dataset, few, &shift, CRD_THREADS(1), &e, &error), CRD_ERROR_MISMATCH,
                 "no test node is labelled with a class of the model");
    crd_split_free(&few);
    int64_t other = 1;
    while (dataset->labels[other] >= 3 || dataset->labels[0] >= 3) other++;
    for (int64_t k = dataset->graph.start[0]; k < dataset->graph.start[1]; k++)
        if (dataset->graph.neighbour[k] == other) other++;
    roles[0] = roles[other] = CRD_ROLE_TEST;
    assert_ok(crd_split_from_roles(roles, 300, &few, NULL));
    assert_fails(crd_evaluate_shift(model[0], dataset, few, &shift, CRD_THREADS(1), &e, &error), CRD_ERROR_MISMATCH,
                 "no edge joins two test nodes");
    crd_split_free(&few);
    assert_int_equal(e.nodes, 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_noise_is_noticed),
        cmocka_unit_test(test_noise_is_not_looked_at),
        cmocka_unit_test(test_edges_matter),
        cmocka_unit_test(test_all_by_hand),
        cmocka_unit_test(test_isolated_is_exact),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_json),
        cmocka_unit_test(samples),
        cmocka_unit_test(test_wrong),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
