/* SPDX-License-Identifier: MIT */
/* The model against tensors of an independent double-precision implementation with automatic differentiation:
 * forward pass, every gradient of every term, and 45 epochs of training on CoraML. Needs the golden tensors and the
 * dataset; without them it says so and skips. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "io/archive.h"
#include "kernels/linear.h"
#include "models/model.h"
#include "support/watched.h"

static char golden_folder[4096], cora_path[4096];

static bool find_files(void)
{
    const char *data = getenv("CREDENCE_DATA");
    if (data == NULL) data = "../shared/datasets";
    snprintf(cora_path, sizeof cora_path, "%s/cora_ml.npz", data);
    snprintf(golden_folder, sizeof golden_folder, "%s/../golden", data);
    return access(cora_path, R_OK) == 0 && access(golden_folder, R_OK) == 0;
}

static crd_archive *open_golden(const char *name)
{
    char path[8192];
    crd_archive *bag;
    crd_error error;
    snprintf(path, sizeof path, "%s/%s", golden_folder, name);
    if (crd_archive_open(path, &bag, &error) != CRD_OK) fail_msg("%s", error.message);
    return bag;
}

static float *floats(crd_archive *bag, const char *name, int64_t *count)
{
    crd_npy npy;
    crd_source *source;
    crd_error error;
    float *values;
    if (crd_archive_array(bag, name, &npy, &source, &error) != CRD_OK) fail_msg("%s", error.message);
    if (crd_npy_read(source, &npy, CRD_NPY_F4, &values, &error) != CRD_OK) fail_msg("%s", error.message);
    crd_source_free(&source);
    if (count != NULL) *count = npy.count;
    return values;
}

/* A number in a small JSON file: the first one after its key. */
static double scalar(const char *file, const char *key)
{
    char path[8192], text[4096] = "", quoted[64];
    snprintf(path, sizeof path, "%s/%s", golden_folder, file);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(text, quoted);
    assert_non_null(at);
    return strtod(at + strlen(quoted), NULL);
}

typedef struct {
    crd_dataset *dataset;
    crd_split *split, *without_validation;
    crd_model *init;
    crd_prepared features;
    int64_t *nodes;
    int32_t *labels;
    int64_t count;
} world;

static void read_roles(crd_archive *bag, const char *name, crd_role role, uint8_t *roles)
{
    crd_npy npy;
    crd_source *source;
    int64_t *nodes;
    assert_int_equal(crd_archive_array(bag, name, &npy, &source, NULL), CRD_OK);
    assert_int_equal(crd_npy_read(source, &npy, CRD_NPY_I8, &nodes, NULL), CRD_OK);
    for (int64_t i = 0; i < npy.count; i++) roles[nodes[i]] = (uint8_t)role;
    crd_source_free(&source);
    free(nodes);
}

static void set_parameters(crd_model *model, crd_archive *bag, const char *prefix)
{
    for (int p = 0; p < model->parameters; p++) {
        crd_parameter *parameter = &model->parameter[p];
        char name[128];
        int64_t count;
        snprintf(name, sizeof name, "%s%s", prefix, parameter->form->name);
        float *values = floats(bag, name, &count);
        assert_int_equal(count, parameter->count);
        if (parameter->form->transposed)
            crd_transpose(values, parameter->shape[0], parameter->shape[1], parameter->value);
        else memcpy(parameter->value, values, (size_t)count * sizeof *values);
        free(values);
    }
}

static int open_world(void **state)
{
    crd_error error;
    if (!find_files()) {
        fprintf(stderr, "skipped: golden tensors and CoraML were not found (../shared, or CREDENCE_DATA)\n");
        exit(77);
    }
    world *w = calloc(1, sizeof *w);
    if (crd_dataset_open(cora_path, NULL, &w->dataset, &error) != CRD_OK) fail_msg("%s", error.message);
    crd_archive *bag = open_golden("coraml_inputs.npz");
    const int64_t nodes = crd_dataset_nodes(w->dataset);
    uint8_t *roles = calloc((size_t)nodes, 1);
    read_roles(bag, "train_idx", CRD_ROLE_TRAIN, roles);
    read_roles(bag, "test_idx", CRD_ROLE_TEST, roles);
    read_roles(bag, "ood_test_idx", CRD_ROLE_TEST, roles);
    assert_int_equal(crd_split_from_roles(roles, nodes, &w->without_validation, NULL), CRD_OK);
    for (int64_t i = 0; i < nodes; i++)
        if (roles[i] == CRD_ROLE_TRAIN) w->count++;
    w->nodes = calloc((size_t)w->count, sizeof *w->nodes);
    w->labels = calloc((size_t)w->count, sizeof *w->labels);
    int64_t next = 0;
    for (int64_t i = 0; i < nodes; i++)
        if (roles[i] == CRD_ROLE_TRAIN) {
            w->nodes[next] = i;
            w->labels[next++] = crd_dataset_label(w->dataset, i);
        }
    read_roles(bag, "val_idx", CRD_ROLE_VALIDATION, roles);
    assert_int_equal(crd_split_from_roles(roles, nodes, &w->split, NULL), CRD_OK);
    free(roles);

    assert_int_equal(crd_model_new(&crd_gpn, &w->init, NULL), CRD_OK);
    assert_int_equal(crd_config_preset(&w->init->config, "gpn", NULL), CRD_OK);
    w->init->features = crd_dataset_features(w->dataset);
    w->init->classes = 4;
    w->init->class_counts = calloc(4, sizeof(float));
    for (int64_t t = 0; t < w->count; t++) w->init->class_counts[w->labels[t]] += 1.0f;
    assert_int_equal(crd_model_declare(w->init, NULL), CRD_OK);
    set_parameters(w->init, bag, "init.");
    crd_archive_free(&bag);
    assert_int_equal(
        crd_preprocess(&w->dataset->features, CRD_FEATURES_BINARY_ROWNORM, NULL, NULL, NULL, &w->features, NULL),
        CRD_OK);
    *state = w;
    return 0;
}

static int close_world(void **state)
{
    world *w = *state;
    crd_prepared_free(&w->features);
    crd_model_free(&w->init);
    crd_split_free(&w->split);
    crd_split_free(&w->without_validation);
    crd_dataset_free(&w->dataset);
    free(w->nodes);
    free(w->labels);
    free(w);
    return 0;
}

/* |found - expected| relative to the size of the whole tensor, or to `floor` per element if that is more. */
static double relative_error(const float *found, const float *expected, int64_t count, double floor)
{
    double difference = 0.0, size = 0.0;
    for (int64_t i = 0; i < count; i++) {
        difference += pow((double)found[i] - (double)expected[i], 2);
        size += pow((double)expected[i], 2);
    }
    return sqrt(difference) / fmax(sqrt(size), floor * sqrt((double)count));
}

static void compare(const char *what, const float *found, const float *expected, int64_t count, double floor,
                    double tolerance)
{
    double error = relative_error(found, expected, count, floor);
    if (!(error <= tolerance)) fail_msg("%s: relative error %.3g, allowed %.3g", what, error, tolerance);
}

/* ---- forward and gradients ---- */

typedef struct {
    double terms[CRD_MAX_TERMS];
    float *gradient[CRD_MAX_PARAMETERS];
} step_result;

static void run_step(world *w, double entropy_weight, crd_regulariser reg, double reg_weight, step_result *r)
{
    crd_model *model = w->init;
    model->config.entropy_weight = entropy_weight;
    model->config.reg = reg;
    model->config.reg_weight = reg_weight;
    model->config.reg_strength = 0.0;
    model->config.share_weight = 0.0;
    model->config.dropout = 0.0;
    crd_inputs inputs = {&w->dataset->graph, &w->features, w->nodes, w->labels, w->count, NULL, NULL, 0, 0, NULL};
    crd_run *run;
    assert_int_equal(crd_run_open(model, &inputs, NULL, &run, NULL), CRD_OK);
    for (int p = 0; p < model->parameters; p++)
        r->gradient[p] = calloc((size_t)model->parameter[p].count, sizeof(float));
    crd_loss loss;
    crd_gpn.step(run, false, 0, r->gradient, &loss);
    memcpy(r->terms, loss.value, sizeof r->terms);
    crd_run_close(&run);
}

/* Compares the gradient of one term, weight * (`with` minus `base`), with the golden one. */
static void compare_term(world *w, crd_archive *bag, const char *term, const step_result *with, const step_result *base,
                         double weight, double floor, double tolerance)
{
    for (int p = 0; p < w->init->parameters; p++) {
        const crd_parameter *parameter = &w->init->parameter[p];
        char name[128];
        snprintf(name, sizeof name, "grad.%s.%s", term, parameter->form->name);
        float *found = calloc((size_t)parameter->count, sizeof *found);
        for (int64_t i = 0; i < parameter->count; i++) {
            double b = base != NULL ? (double)base->gradient[p][i] : 0.0;
            found[i] = (float)(((double)with->gradient[p][i] - b) / weight);
        }
        if (crd_archive_has(bag, name)) {
            float *expected = floats(bag, name, NULL), *ordered = expected;
            if (parameter->form->transposed) {
                ordered = malloc((size_t)parameter->count * sizeof *ordered);
                crd_transpose(expected, parameter->shape[0], parameter->shape[1], ordered);
                free(expected);
            }
            /* The second bias cancels over both ends of every edge: zero relative to the other gradients. */
            compare(name, found, ordered, parameter->count, floor, tolerance);
            free(ordered);
        } else {
            for (int64_t i = 0; i < parameter->count; i++)
                if (fabs((double)found[i]) > 1e-6) fail_msg("%s: %g, expected zero", name, (double)found[i]);
        }
        free(found);
    }
}

static void free_step(world *w, step_result *r)
{
    for (int p = 0; p < w->init->parameters; p++) free(r->gradient[p]);
}

static void assert_scalar(const char *what, double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance * fabs(expected)))
        fail_msg("%s: %.12g, expected %.12g", what, found, expected);
}

static void check_initial(world *w, const char *name, crd_activation activation)
{
    char npz[64], json[64];
    snprintf(npz, sizeof npz, "coraml_init_%s.npz", name);
    snprintf(json, sizeof json, "coraml_init_%s.json", name);
    crd_archive *bag = open_golden(npz);
    w->init->config.activation = activation;

    const int64_t nodes = crd_dataset_nodes(w->dataset), cells = nodes * 4;
    float *alpha = malloc((size_t)cells * sizeof *alpha), *features = malloc((size_t)cells * sizeof *features);
    crd_inputs inputs = {&w->dataset->graph, &w->features, NULL, NULL, 0, NULL, NULL, 0, 0, NULL};
    crd_run *run;
    assert_int_equal(crd_run_open(w->init, &inputs, NULL, &run, NULL), CRD_OK);
    crd_gpn.infer(run, alpha, features); /* evidence */
    crd_run_close(&run);
    for (int64_t i = 0; i < cells; i++) {
        alpha[i] += 1.0f;
        features[i] += 1.0f;
    }
    float *expected = floats(bag, "alpha", NULL);
    compare("alpha", alpha, expected, cells, 0.0, 1e-6);
    free(expected);
    expected = floats(bag, "alpha_features", NULL);
    compare("alpha_features", features, expected, cells, 0.0, 2e-6);
    free(expected);
    free(alpha);
    free(features);

    step_result uce, entropy, distance, evidence;
    run_step(w, 0.0, CRD_REG_NONE, 0.0, &uce);
    run_step(w, 1.0, CRD_REG_NONE, 0.0, &entropy);
    /* The regularisers are sums of squares of small differences of float32 positions, hence their tolerance. The
     * weights are so large that the rest does not blur the difference. */
    run_step(w, 0.0, CRD_REG_DISTANCE, 1e6, &distance);
    run_step(w, 0.0, CRD_REG_EVIDENCE, 1e6, &evidence);
    assert_scalar("uce", uce.terms[0], scalar(json, "uce"), 1e-6);
    assert_scalar("entropy", -entropy.terms[1], scalar(json, "entropy"), 1e-6);
    assert_scalar("r_distance", distance.terms[2] / 1e6, scalar(json, "r_distance"), 1e-5);
    assert_scalar("r_evidence", evidence.terms[2] / 1e6, scalar(json, "r_evidence"), 1e-4);
    compare_term(w, bag, "uce", &uce, NULL, 1.0, 0.0, 3e-6);
    compare_term(w, bag, "entropy", &entropy, &uce, -1.0, 0.0, 3e-6);
    compare_term(w, bag, "r_distance", &distance, &uce, 1e6, 0.01, 1e-4);
    compare_term(w, bag, "r_evidence", &evidence, &uce, 1e6, 0.01, 1e-3);
    free_step(w, &uce);
    free_step(w, &entropy);
    free_step(w, &distance);
    free_step(w, &evidence);
    crd_archive_free(&bag);
}

static void initial_relu(void **state)
{
    check_initial(*state, "relu", CRD_ACT_RELU);
}

static void initial_gelu(void **state)
{
    check_initial(*state, "gelu", CRD_ACT_GELU);
}

static void initial_logsigmoid(void **state)
{
    check_initial(*state, "logsigmoid", CRD_ACT_LOGSIGMOID);
}

/* ---- training ---- */

typedef struct {
    const float *per_epoch; /* [45][5] */
    int64_t done;
    double worst; /* relative, over losses and cross-entropies */
} progress;

static void note(progress *p, double found, double expected)
{
    double error = fabs(found - expected) / (fabs(expected) + 1e-3);
    if (!(error <= p->worst)) p->worst = error;
}

static bool follow(const crd_progress *now, void *user)
{
    const crd_epoch *epoch = now->epoch;
    if (epoch == NULL) return true;
    progress *p = user;
    const float *expected = p->per_epoch + p->done++ * 5;
    for (int t = 0; t < epoch->terms; t++) note(p, epoch->term[t], (double)expected[t]);
    note(p, epoch->validation_cross_entropy, (double)expected[3]);
    note(p, epoch->validation_accuracy, (double)expected[4]);
    return true;
}

/* `tolerance` is for the last weights. If the activation has a kink, single precision may put a node on its other
 * side, which gives one hidden unit a different gradient: such weights differ by more. */
static void check_training(world *w, const char *name, double tolerance, const char *const *settings)
{
    char npz[64];
    snprintf(npz, sizeof npz, "coraml_train_%s.npz", name);
    crd_archive *bag = open_golden(npz);
    crd_config config;
    crd_error error;
    crd_config_defaults(&config);
    assert_int_equal(crd_config_preset(&config, "gpn", &error), CRD_OK);
    config.left_out = 3;
    config.dropout = 0.0;
    config.max_epochs = 40;
    config.patience = 1000;
    config.threads = 2;
    for (int i = 0; settings[i] != NULL; i += 2)
        assert_int_equal(crd_config_set(&config, settings[i], settings[i + 1], &error), CRD_OK);

    /* every epoch's losses and validation */
    progress p = {floats(bag, "per_epoch", NULL), 0, 0.0};
    crd_train_options options = *WATCHED(w->init, follow, &p);
    crd_model *model;
    if (crd_train(w->dataset, w->split, &config, &options, &model, &error) != CRD_OK) fail_msg("%s", error.message);
    assert_int_equal(p.done, 45);
    if (!(p.worst <= 2e-4)) fail_msg("%s: losses off by %.3g", name, p.worst);
    crd_model_free(&model);
    free((void *)(uintptr_t)p.per_epoch);

    /* the weights after the warm-up and at the end; without validation nodes the last ones are kept */
    for (int stage = 0; stage < 2; stage++) {
        config.max_epochs = stage == 0 ? 0 : 40;
        options.control = NULL;
        if (crd_train(w->dataset, w->without_validation, &config, &options, &model, &error) != CRD_OK)
            fail_msg("%s", error.message);
        for (int i = 0; i < model->parameters; i++) {
            crd_parameter *parameter = &model->parameter[i];
            char key[128];
            snprintf(key, sizeof key, "%s%s", stage == 0 ? "after_warmup5." : "after45.", parameter->form->name);
            float *expected = floats(bag, key, NULL), *found = malloc((size_t)parameter->count * sizeof *found);
            if (parameter->form->transposed)
                crd_transpose(parameter->value, parameter->shape[1], parameter->shape[0], found);
            else memcpy(found, parameter->value, (size_t)parameter->count * sizeof *found);
            compare(key, found, expected, parameter->count, 0.0, stage == 0 ? 1e-6 : tolerance);
            free(expected);
            free(found);
        }
        crd_model_free(&model);
    }
    crd_archive_free(&bag);
}

static void train_entropy(void **state)
{
    check_training(*state, "relu_entropy1e-4", 1e-3,
                   (const char *[]){"activation", "relu", "entropy-weight", "1e-4", "reg", "none", NULL});
}

static void train_distance(void **state)
{
    check_training(
        *state, "gelu_distance1e-4", 1e-4,
        (const char *[]){"activation", "gelu", "entropy-weight", "0", "reg", "distance", "reg-weight", "1e-4", NULL});
}

static void train_evidence(void **state)
{
    check_training(
        *state, "gelu_evidence1e-4", 1e-4,
        (const char *[]){"activation", "gelu", "entropy-weight", "0", "reg", "evidence", "reg-weight", "1e-4", NULL});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(initial_relu),  cmocka_unit_test(initial_gelu),   cmocka_unit_test(initial_logsigmoid),
        cmocka_unit_test(train_entropy), cmocka_unit_test(train_distance), cmocka_unit_test(train_evidence),
    };
    return cmocka_run_group_tests(tests, open_world, close_world);
}
