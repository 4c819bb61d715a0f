/* SPDX-License-Identifier: MIT */
/* Model files with changed bytes: numbers that a model cannot have, and numbers that it can have but not compute
 * with. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dataset_helpers.h"
#include "support/outcome.h"
#include "support/seal.h"

enum { N = 24, F = 4, CLASSES = 3, LONELY = 7 };

typedef struct {
    unsigned char *bytes;
    size_t size;
} file;

/* Rings of three classes; node LONELY has no edge, and its features have the given size. */
static crd_dataset *make_dataset(float lonely)
{
    int64_t source[N], target[N], edges = 0;
    float x[N * F];
    int32_t labels[N];
    for (int i = 0; i < N; i++) {
        labels[i] = i % CLASSES;
        for (int f = 0; f < F; f++) x[i * F + f] = (f == i % CLASSES ? 1.0f : 0.25f) + 0.01f * (float)i;
        if (i == LONELY || (i + CLASSES) % N == LONELY) continue;
        source[edges] = i;
        target[edges++] = (i + CLASSES) % N;
    }
    for (int f = 0; f < F; f++) x[LONELY * F + f] = lonely;
    const crd_arrays arrays = {.size = sizeof(crd_arrays),
                               .nodes = N,
                               .edges = edges,
                               .source = {source, CRD_INT64},
                               .target = {target, CRD_INT64},
                               .features = F,
                               .dense = {x, CRD_FLOAT32},
                               .labels = labels};
    crd_dataset *dataset;
    crd_error error = {0};
    if (crd_dataset_from_arrays(&arrays, &dataset, &error) != CRD_OK) fail_msg("%s", error.message);
    return dataset;
}

/* A trained model's file, in memory. */
static file trained(void **state)
{
    crd_dataset *dataset = make_dataset(1.0f);
    crd_config config;
    crd_config_defaults(&config);
    assert_int_equal(crd_config_set(&config, "model", "gpn", NULL), CRD_OK);
    config.features = CRD_FEATURES_NONE;
    config.hidden = 5;
    config.latent = 2;
    config.flow_layers = 2;
    config.max_epochs = 3;
    config.threads = 1;
    crd_split *split;
    crd_model *model;
    crd_error error = {0};
    if (crd_split_make(dataset, "50/25/25", 0, 1, &split, &error) != CRD_OK) fail_msg("%s", error.message);
    if (crd_train(dataset, split, &config, NULL, &model, &error) != CRD_OK) fail_msg("%s", error.message);
    const char *path = in(state, "m.safetensors");
    assert_ok(crd_model_save(model, path, NULL));
    crd_model_free(&model);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
    file made;
    made.bytes = get_bytes(path, &made.size);
    return made;
}

/* A tensor's numbers: 8 bytes of header length, the header with its offsets, the data. */
static unsigned char *tensor(const file *f, const char *name, size_t *count)
{
    uint64_t header;
    char key[64];
    memcpy(&header, f->bytes, sizeof header);
    assert_true(8 + header < f->size);
    char *json = malloc(header + 1);
    assert_non_null(json);
    memcpy(json, f->bytes + 8, header);
    json[header] = '\0';
    snprintf(key, sizeof key, "\"%s\"", name);
    const char *at = strstr(json, key);
    if (at == NULL) fail_msg("the file has no tensor %s", name);
    at = strstr(at, "\"data_offsets\"");
    assert_non_null(at);
    char *next;
    const size_t first = strtoul(strchr(at, '[') + 1, &next, 10), end = strtoul(next + 1, NULL, 10);
    free(json);
    assert_true(first < end && 8 + header + end <= f->size);
    *count = (end - first) / sizeof(float);
    return f->bytes + 8 + header + first;
}

static void patch(const file *f, const char *name, size_t index, float value)
{
    size_t count;
    unsigned char *data = tensor(f, name, &count);
    assert_true(index < count);
    memcpy(data + index * sizeof value, &value, sizeof value);
}

static void patch_all(const file *f, const char *name, float value)
{
    size_t count;
    tensor(f, name, &count);
    for (size_t i = 0; i < count; i++) patch(f, name, i, value);
}

/* ---- the training nodes of each class ---- */

static void class_counts(void **state)
{
    const file f = trained(state);
    static const float bad[] = {0.0f, -0.0f, -1.0f, 0.5f, 0.999999f, 2147483904.0f, 1e30f, -1e30f, 1e-40f};
    for (size_t k = 0; k < CLASSES; k++) {
        for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
            crd_model *model = (crd_model *)1;
            crd_error error = {0};
            char part[128];
            snprintf(part, sizeof part, "x: prior.counts of class %zu is %g, expected a number of nodes", k,
                     (double)bad[b]);
            patch(&f, "prior.counts", k, bad[b]);
            assert_fails(crd_model_load_memory(f.bytes, f.size, "x", &model, &error), CRD_ERROR_FORMAT, part);
            assert_null(model);
        }
        patch(&f, "prior.counts", k, 4.0f);
    }
    static const float good[] = {1.0f, 2.0f, 16777216.0f, 2147483648.0f};
    for (size_t g = 0; g < sizeof good / sizeof *good; g++) {
        crd_model *model;
        crd_model_facts facts;
        patch(&f, "prior.counts", 1, good[g]);
        seal(f.bytes, f.size);
        assert_ok(crd_model_load_memory(f.bytes, f.size, "x", &model, NULL));
        crd_model_get_facts(model, &facts);
        assert_true(facts.training_nodes == 8 + (int64_t)good[g]);
        crd_model_free(&model);
    }
    free(f.bytes);
}

/* NaN is refused in any tensor, and the message names the tensor. */
static void not_numbers(void **state)
{
    static const char *const tensors[] = {"encoder.0.weight", "encoder.0.bias", "encoder.1.weight", "encoder.1.bias",
                                          "flow.center",      "flow.alpha",     "flow.beta",        "prior.counts"};
    const file f = trained(state);
    for (size_t t = 0; t < sizeof tensors / sizeof *tensors; t++) {
        static const float none[] = {NAN, INFINITY, -INFINITY};
        size_t count;
        float keep;
        memcpy(&keep, tensor(&f, tensors[t], &count), sizeof keep);
        for (int i = 0; i < 3; i++) {
            crd_model *model = (crd_model *)1;
            crd_error error = {0};
            patch(&f, tensors[t], 0, none[i]);
            assert_fails(crd_model_load_memory(f.bytes, f.size, "x", &model, &error), CRD_ERROR_FORMAT, tensors[t]);
            assert_null(model);
        }
        patch(&f, tensors[t], 0, keep);
    }
    crd_model *model;
    assert_ok(crd_model_load_memory(f.bytes, f.size, "x", &model, NULL));
    crd_model_free(&model);
    free(f.bytes);
}

/* ---- answers that are NaN ---- */

static void assert_no_answers(const file *f, const crd_dataset *dataset, const char *part)
{
    crd_model *model;
    crd_error error = {0};
    assert_ok(crd_model_load_memory(f->bytes, f->size, "x", &model, &error));
    crd_prediction *prediction = (crd_prediction *)1;
    assert_fails(crd_predict(model, dataset, CRD_THREADS(1), &prediction, &error), CRD_ERROR_NUMERIC, part);
    assert_null(prediction);
    error = (crd_error){0};
    crd_explanation *explanation = (crd_explanation *)1;
    /* an explanation uses only the nodes that matter to it */
    assert_fails(crd_explain(model, dataset, LONELY, 3, CRD_THREADS(1), &explanation, &error), CRD_ERROR_NUMERIC,
                 "the model gives node 7 no number for its evidence");
    assert_null(explanation);
    error = (crd_error){0};
    crd_split *split;
    crd_evaluation evaluation = {.nodes = -7};
    assert_ok(crd_split_make(dataset, "50/25/25", 0, 1, &split, NULL));
    assert_fails(crd_evaluate(model, dataset, split, CRD_TASK_MISCLASSIFICATION, CRD_THREADS(1), &evaluation, &error),
                 CRD_ERROR_NUMERIC, part);
    assert_int_equal(evaluation.nodes, -7); /* untouched */
    crd_split_free(&split);
    crd_model_free(&model);
}

/* Weights that are finite, as they must be in a file, but too large to compute with. */
static void huge_weights(void **state)
{
    const file f = trained(state);
    crd_dataset *dataset = make_dataset(1.0f);
    patch_all(&f, "encoder.0.weight", 3e38f);
    patch_all(&f, "encoder.1.weight", 3e38f);
    seal(f.bytes, f.size);
    assert_no_answers(&f, dataset, "the model gives node 0 no number for its evidence");
    crd_dataset_free(&dataset);
    free(f.bytes);
}

/* Features that are too large: the message names the node. It is the only one without an answer, because it has no
 * neighbours. */
static void huge_features(void **state)
{
    const file f = trained(state);
    patch_all(&f, "encoder.0.weight", 2.0f);
    seal(f.bytes, f.size);
    crd_dataset *plain = make_dataset(1.0f), *huge = make_dataset(3e38f);
    assert_no_answers(&f, huge, "the model gives node 7 no number for its evidence");
    crd_model *model;
    crd_prediction *prediction;
    assert_ok(crd_model_load_memory(f.bytes, f.size, "x", &model, NULL));
    assert_ok(crd_predict(model, plain, CRD_THREADS(1), &prediction, NULL));
    crd_prediction_free(&prediction);
    crd_model_free(&model);
    crd_dataset_free(&plain);
    crd_dataset_free(&huge);
    free(f.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(class_counts),
        FOLDER_TEST(not_numbers),
        FOLDER_TEST(huge_weights),
        FOLDER_TEST(huge_features),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
