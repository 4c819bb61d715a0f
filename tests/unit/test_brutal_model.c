/* SPDX-License-Identifier: MIT */
/* Brutal malloc for models: configuration, training, model files, answers. */
#include "support/brutal.h"

#include <stdio.h>
#include <string.h>

#include "credence_private.h"
#include "models/model.h"
#include "support/failing_memory.h"

static crd_status config_read(const char *path, crd_error *error)
{
    crd_config config;
    crd_config_defaults(&config);
    assert_int_equal(crd_config_set(&config, "model", "gpn", NULL), CRD_OK);
    crd_status status = crd_config_read(&config, path, error);
    /* If reading fails, the configuration does not change. */
    if (status == CRD_OK) assert_int_equal(config.hidden, 8);
    else assert_int_not_equal(config.hidden, 8);
    return status;
}

static crd_status config_parse(const char *json, crd_error *error)
{
    crd_config config;
    crd_config_defaults(&config);
    crd_status status = crd_config_parse(&config, json, error);
    if (status == CRD_OK) assert_int_equal(config.hidden, 8);
    else assert_int_not_equal(config.hidden, 8);
    return status;
}

static crd_status config_json(const char *argument, crd_error *error)
{
    (void)argument;
    char *json = NULL;
    crd_status status = crd_config_json(&crd_tiny.config, &json, error);
    CHECK_AND_FREE(status, json, crd_string_free);
    return status;
}

static void test_config(void **state)
{
    (void)state;
    crd_brutal_write("config.json", "{\"hidden\": 8, \"lr\": 0.01, \"activation\": \"gelu\", \"class-scale\": true}");
    crd_brutalise(config_read, crd_brutal_input("config.json"));
    crd_brutalise(config_parse, "{\"hidden\": 8, \"lr\": 0.01}");
    crd_brutalise(config_json, "config_json");
}

static crd_status train(const char *reg, crd_error *error)
{
    crd_config config = crd_tiny.config;
    crd_model *model = NULL;
    crd_train_options options = {.size = sizeof options, .init = strcmp(reg, "none") == 0 ? crd_tiny.model : NULL};
    assert_int_equal(crd_config_set(&config, "reg", reg, NULL), CRD_OK);
    config.reg_strength = 0.0;
    config.reg_weight = strcmp(reg, "none") == 0 ? 0.0 : 0.1;
    crd_status status = crd_train(crd_tiny.dataset, crd_tiny.split, &config, &options, &model, error);
    CHECK_AND_FREE(status, model, crd_model_free);
    return status;
}

static crd_status train_memory(const char *kind, crd_error *error)
{
    crd_config config = crd_tiny.config;
    int64_t bytes = -7;
    assert_int_equal(crd_config_set(&config, "model", kind, NULL), CRD_OK);
    crd_status status = crd_train_memory(crd_tiny.dataset, crd_tiny.split, &config, &bytes, error);
    assert_true(status == CRD_OK ? bytes > 0 : bytes == -7);
    return status;
}

static bool stop_soon(const crd_progress *progress, void *user)
{
    int *epochs = user;
    return progress->epoch == NULL || ++*epochs < 2;
}

/* Stops after two epochs, then goes on. */
static crd_status train_with_checkpoint(const char *kind, crd_error *error)
{
    crd_config config = crd_tiny.config;
    crd_model *model = NULL;
    char path[128];
    int epochs = 0;
    const crd_control control = {.size = sizeof control, .progress = stop_soon, .user = &epochs};
    crd_train_options options = {.size = sizeof options, .control = &control, .checkpoint = path};
    snprintf(path, sizeof path, "%s/checkpoint", crd_tiny.outputs);
    assert_int_equal(crd_config_set(&config, "model", kind, NULL), CRD_OK);
    config.max_epochs = 3;
    crd_status status = crd_train(crd_tiny.dataset, crd_tiny.split, &config, &options, &model, error);
    crd_model_free(&model);
    options.control = NULL;
    if (status == CRD_OK) status = crd_train(crd_tiny.dataset, crd_tiny.split, &config, &options, &model, error);
    remove(path);
    CHECK_AND_FREE(status, model, crd_model_free);
    return status;
}

static crd_status train_inductive(const char *kind, crd_error *error)
{
    crd_config config = crd_tiny.config;
    crd_model *model = NULL;
    assert_int_equal(crd_config_set(&config, "model", kind, NULL), CRD_OK);
    config.inductive = true;
    crd_status status = crd_train(crd_tiny.dataset, crd_tiny.split, &config, NULL, &model, error);
    CHECK_AND_FREE(status, model, crd_model_free);
    return status;
}

/* Features with many non-zeros per row, which training packs: with one value per row and column, or with all of
 * them. */
static crd_status train_packed(const char *features, crd_error *error)
{
    enum { NODES = 40, COLUMNS = 30 };
    int64_t source[NODES], target[NODES], start[NODES + 1] = {0};
    int32_t column[NODES * COLUMNS], labels[NODES];
    float value[NODES * COLUMNS];
    for (int i = 0; i < NODES; i++) {
        source[i] = i;
        target[i] = (i + 2) % NODES;
        labels[i] = i % 4;
        start[i + 1] = start[i];
        for (int j = 0; j < COLUMNS; j++) {
            if ((i * 7 + j * 5 + i * j) % 9 >= 4) continue;
            column[start[i + 1]] = j;
            value[start[i + 1]++] = (float)(1 + (i + j) % 3);
        }
    }
    const crd_arrays arrays = {.size = sizeof(crd_arrays),
                               .nodes = NODES,
                               .edges = NODES,
                               .source = {source, CRD_INT64},
                               .target = {target, CRD_INT64},
                               .features = COLUMNS,
                               .entries = start[NODES],
                               .row_start = {start, CRD_INT64},
                               .column = {column, CRD_INT32},
                               .value = {value, CRD_FLOAT32},
                               .labels = labels};
    crd_config config = crd_tiny.config;
    crd_dataset *dataset = NULL;
    crd_split *split = NULL;
    crd_model *model = NULL;
    assert_int_equal(crd_config_set(&config, "features", features, NULL), CRD_OK);
    crd_status status = crd_dataset_from_arrays(&arrays, &dataset, error);
    if (status == CRD_OK) status = crd_split_make(dataset, "30/20/50", 0, 1, &split, error);
    if (status == CRD_OK) status = crd_train(dataset, split, &config, NULL, &model, error);
    if (status == CRD_OK) assert_non_null(model);
    else assert_null(model);
    crd_model_free(&model);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
    return status;
}

/* Features in another order, prepared for a product and its gradient; then settled. */
static crd_status open_product(const char *how, crd_error *error)
{
    static float dense[] = {1.0f, 2.0f, -3.0f, 4.0f, 5.0f, 6.0f}, mean[2], scale[] = {1.0f, 2.0f};
    static int64_t start[] = {0, 2, 4, 6};
    static int32_t column[] = {0, 1, 0, 1, 0, 1};
    static const int32_t order[] = {2, 0, 1};
    const crd_preprocessing chosen =
        strstr(how, "standard") != NULL ? CRD_FEATURES_STANDARD : CRD_FEATURES_BINARY_ROWNORM;
    const crd_features features = {.rows = 3,
                                   .columns = 2,
                                   .sparse = strstr(how, "sparse") != NULL,
                                   .start = start,
                                   .column = column,
                                   .value = dense,
                                   .dense = dense};
    crd_prepared prepared;
    crd_feature_product product;
    crd_status status = crd_preprocess(&features, chosen, mean, scale, order, &prepared, error);
    if (status != CRD_OK) return status;
    status = crd_feature_product_open(&product, &prepared, 4, true, 2, error);
    if (status == CRD_OK) crd_feature_product_close(&product);
    if (status == CRD_OK) status = crd_prepared_settle(&prepared, error);
    crd_prepared_free(&prepared);
    return status;
}

static void test_feature_product(void **state)
{
    (void)state;
    crd_brutalise(open_product, "dense standard");
    crd_brutalise(open_product, "dense binary");
    crd_brutalise(open_product, "sparse standard");
    crd_brutalise(open_product, "sparse binary");
}

static void test_train(void **state)
{
    (void)state;
    crd_brutalise(train_packed, "binary,rownorm");
    crd_brutalise(train_packed, "none");
    crd_brutalise(train_inductive, "committee");
    crd_brutalise(train_inductive, "gpn");
    crd_brutalise(train_inductive, "lp");
    crd_brutalise(train, "none");
    crd_brutalise(train, "distance");
    crd_brutalise(train, "evidence");
    crd_brutalise(train_memory, "gpn");
    crd_brutalise(train_memory, "gkde-gcn");
    crd_brutalise(train_with_checkpoint, "gkde-gcn");
}

/* What crd_train_memory says is at least what a training allocates, and not far from it. */
static void test_train_memory(void **state)
{
    (void)state;
    static const char *const settings[] = {"model=committee", "model=committee features=standard",
                                           "model=committee networks=7 hidden=20 calibration=gats",
                                           "model=committee hold-out=0 calibration=none"};
    crd_generate_options options;
    crd_dataset *dataset;
    crd_split *split;
    crd_generate_defaults(&options);
    options.nodes = 2000;
    assert_int_equal(crd_generate(&options, &dataset, NULL), CRD_OK);
    assert_int_equal(crd_split_make(dataset, "10/20/70", 0, 1, &split, NULL), CRD_OK);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        crd_config config;
        crd_model *model;
        crd_error error = {0};
        int64_t said;
        crd_config_defaults(&config);
        assert_int_equal(crd_config_set_all(&config, settings[i], &error), CRD_OK);
        config.max_epochs = 2;
        config.threads = 1;
        assert_int_equal(crd_train_memory(dataset, split, &config, &said, &error), CRD_OK);
        (void)crd_memory_watch();
        assert_int_equal(crd_train(dataset, split, &config, NULL, &model, &error), CRD_OK);
        const int64_t taken = crd_memory_watch();
        if (said < taken || said > 2 * taken)
            fail_msg("%s: %lld bytes were taken, %lld expected", settings[i], (long long)taken, (long long)said);
        crd_model_free(&model);
    }
    crd_split_free(&split);
    crd_dataset_free(&dataset);
}

/* The whole life of another kind of model, from training to its last answer; for gpn the calls are tested one by
 * one. */
static crd_status whole_life(const char *settings, crd_error *error)
{
    crd_config config = crd_tiny.config;
    crd_model *model = NULL, *loaded = NULL;
    crd_prediction *prediction = NULL;
    crd_explanation *explanation = NULL;
    char path[256];
    snprintf(path, sizeof path, "%s/life.safetensors", crd_tiny.folder);
    assert_int_equal(crd_config_set_all(&config, settings, NULL), CRD_OK);
    if (config.hidden > 0) config.hidden = 4;
    if (config.lr > 0.0 && crd_kind_trained(config.model)) {
        config.hold_out = 0.5;
        config.calibration = strcmp(config.model, "appnp") == 0 ? CRD_CALIBRATION_GATS : CRD_CALIBRATION_ETS;
    }
    crd_status status = crd_train(crd_tiny.dataset, crd_tiny.split, &config, NULL, &model, error);
    if (status == CRD_OK) status = crd_model_save(model, path, error);
    if (status == CRD_OK) status = crd_model_load(path, &loaded, error);
    if (status == CRD_OK) status = crd_predict(loaded, crd_tiny.dataset, CRD_THREADS(1), &prediction, error);
    if (status == CRD_OK && crd_prediction_doubt(prediction) != NULL) {
        status = crd_prediction_sets(prediction, crd_tiny.dataset, 0.5, CRD_SETS_DAPS, 0.5, error);
        if (status == CRD_OK) status = crd_prediction_flag_unknown(prediction, 0.5, NULL, error);
        if (status == CRD_OK) status = crd_prediction_answer(prediction, 0.999, 0.5, NULL, error);
        if (status == CRD_ERROR_MISMATCH) status = CRD_OK; /* so few nodes may promise nothing */
    }
    const bool explained = strcmp(config.model, "lp") == 0 || strcmp(config.model, "gkde") == 0;
    if (status == CRD_OK && explained)
        status = crd_explain(loaded, crd_tiny.dataset, 0, 5, CRD_THREADS(1), &explanation, error);
    crd_explanation_free(&explanation);
    crd_prediction_free(&prediction);
    crd_model_free(&loaded);
    crd_model_free(&model);
    remove(path);
    return status;
}

static void test_other_kinds(void **state)
{
    (void)state;
    crd_brutalise(whole_life, "model=committee");
    crd_brutalise(whole_life, "model=committee hold-out=0 networks=3 class-weights=balanced");
    crd_brutalise(whole_life, "model=appnp");
    crd_brutalise(whole_life, "model=appnp score=grasp");
    crd_brutalise(whole_life, "model=vgcn");
    crd_brutalise(whole_life, "model=vgcn score=gebm");
    crd_brutalise(whole_life, "model=vgcn score=epn");
    crd_brutalise(whole_life, "model=gkde-gcn");
    crd_brutalise(whole_life, "model=egcn");
    crd_brutalise(whole_life, "model=gpn score=log-evidence");
    crd_brutalise(whole_life, "model=lp");
    crd_brutalise(whole_life, "model=gkde");
}

static crd_status model_save(const char *name, crd_error *error)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", crd_tiny.outputs, name);
    crd_status status = crd_model_save(crd_tiny.model, path, error);
    if (status == CRD_OK) assert_int_equal(remove(path), 0);
    return status;
}

/* Does not allocate, unlike those who call it. */
static bool count_bytes(const void *bytes, size_t size, void *user)
{
    assert_non_null(bytes);
    *(size_t *)user += size;
    return true;
}

static crd_status model_write(const char *argument, crd_error *error)
{
    (void)argument;
    size_t size = 0;
    crd_status status = crd_model_write(crd_tiny.model, count_bytes, &size, error);
    if (status == CRD_OK) assert_true(size > 1000);
    return status;
}

static crd_status model_save_memory(const char *argument, crd_error *error)
{
    (void)argument;
    uint8_t *bytes = NULL;
    size_t size = 7;
    crd_status status = crd_model_save_memory(crd_tiny.model, &bytes, &size, error);
    assert_int_equal(size == 7, status != CRD_OK);
    CHECK_AND_FREE(status, bytes, crd_bytes_free);
    return status;
}

/* A failure changes nothing. */
static crd_status set_metadata(const char *value, crd_error *error)
{
    crd_model *model = crd_tiny.model;
    crd_status status = crd_model_set_metadata(model, "new", value, error);
    if (status == CRD_OK) assert_string_equal(crd_model_metadata(model, "new"), value);
    else assert_null(crd_model_metadata(model, "new"));
    crd_error second;
    assert_int_equal(crd_model_set_metadata(model, "new", NULL, &second), CRD_OK);
    assert_null(crd_model_metadata_key(model, 0));
    crd_extras_free(&model->extras); /* so that the next call allocates its list again */
    return status;
}

static crd_status load_metadata(const char *path, crd_error *error)
{
    crd_model *model = NULL;
    char *json = NULL;
    crd_status status = crd_model_load(path, &model, error);
    if (status == CRD_OK) assert_string_equal(crd_model_metadata(model, "note"), "kept");
    if (status == CRD_OK) status = crd_model_facts_json(model, &json, error);
    crd_string_free(&json);
    crd_model_free(&model);
    return status;
}

static crd_status model_load(const char *path, crd_error *error)
{
    crd_model *model = NULL;
    crd_status status = crd_model_load(path, &model, error);
    CHECK_AND_FREE(status, model, crd_model_free);
    return status;
}

static crd_status model_load_memory(const char *path, crd_error *error)
{
    static char bytes[1 << 17];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    crd_model *model = NULL;
    crd_status status = crd_model_load_memory(bytes, size, "model", &model, error);
    CHECK_AND_FREE(status, model, crd_model_free);
    return status;
}

/* A failure changes nothing. */
static crd_status align(const char *argument, crd_error *error)
{
    (void)argument;
    crd_generate_options options;
    crd_dataset *dataset = NULL;
    crd_generate_defaults(&options);
    options.nodes = 12;
    options.features = crd_tiny.model->features;
    crd_status status = crd_generate(&options, &dataset, error);
    if (status == CRD_OK)
        status = crd_copy_strings(&dataset->feature_names, crd_tiny.model->feature_names, options.features, error);
    if (status == CRD_OK) {
        char *name = dataset->feature_names[0], before[17];
        bool moved;
        dataset->feature_names[0] = dataset->feature_names[1];
        dataset->feature_names[1] = name;
        snprintf(before, sizeof before, "%s", crd_dataset_fingerprint(dataset));
        status = crd_model_align(crd_tiny.model, dataset, &moved, error);
        assert_int_equal(moved, status == CRD_OK);
        crd_dataset_take_fingerprint(dataset);
        assert_int_equal(strcmp(before, crd_dataset_fingerprint(dataset)) != 0, status == CRD_OK);
        assert_string_equal(dataset->feature_names[status == CRD_OK ? 0 : 1], crd_tiny.model->feature_names[0]);
    }
    crd_dataset_free(&dataset);
    return status;
}

static crd_status notes(const char *argument, crd_error *error)
{
    (void)argument;
    char *text = NULL;
    float *seen = crd_tiny.model->seen;
    for (int64_t j = 0; j < crd_tiny.model->features; j++) seen[j] = 1.0f - seen[j]; /* unlike the data */
    crd_status status = crd_model_notes(crd_tiny.model, crd_tiny.dataset, &text, error);
    for (int64_t j = 0; j < crd_tiny.model->features; j++) seen[j] = 1.0f - seen[j];
    CHECK_AND_FREE(status, text, crd_string_free);
    return status;
}

static void test_model_file(void **state)
{
    (void)state;
    crd_brutalise(align, "align");
    crd_brutalise(notes, "notes");
    crd_brutalise(model_save, "model.safetensors");
    crd_brutalise(model_write, "model_write");
    crd_brutalise(model_save_memory, "model_save_memory");
    crd_brutalise(set_metadata, "some text");
    assert_int_equal(crd_model_set_metadata(crd_tiny.model, "note", "kept", NULL), CRD_OK);
    assert_int_equal(crd_model_save(crd_tiny.model, crd_brutal_input("noted.safetensors"), NULL), CRD_OK);
    crd_brutalise(load_metadata, crd_brutal_input("noted.safetensors"));
    crd_extras_free(&crd_tiny.model->extras);
    assert_int_equal(crd_model_save(crd_tiny.model, crd_brutal_input("model.safetensors"), NULL), CRD_OK);
    crd_brutalise(model_load, crd_brutal_input("model.safetensors"));
    crd_brutalise(model_load_memory, crd_brutal_input("model.safetensors"));
}

static crd_status predict(const char *argument, crd_error *error)
{
    (void)argument;
    crd_prediction *prediction = NULL;
    crd_status status = crd_predict(crd_tiny.model, crd_tiny.dataset, CRD_THREADS(1), &prediction, error);
    CHECK_AND_FREE(status, prediction, crd_prediction_free);
    return status;
}

static crd_status predict_some(const char *argument, crd_error *error)
{
    (void)argument;
    const int64_t nodes[] = {3, 0, 3};
    int64_t degrees[1000];
    crd_prediction *prediction = NULL;
    crd_status status =
        crd_predict_nodes(crd_tiny.model, crd_tiny.dataset, nodes, 3, CRD_THREADS(1), &prediction, error);
    CHECK_AND_FREE(status, prediction, crd_prediction_free);
    for (int i = 0; i < 1000; i++) degrees[i] = 50;
    if (status == CRD_OK)
        status =
            crd_predict_part(crd_tiny.model, crd_tiny.dataset, degrees, nodes, 3, CRD_THREADS(1), &prediction, error);
    CHECK_AND_FREE(status, prediction, crd_prediction_free);
    return status;
}

/* A failed addition adds nothing; one that succeeds may lack memory to be followed, and everything is computed later.
 */
static crd_status serve(const char *argument, crd_error *error)
{
    (void)argument;
    const int64_t before = crd_dataset_nodes(crd_tiny.dataset);
    const int64_t source[] = {before, before, before + 1, 0}, target[] = {0, before + 1, 3, 5}, row_start[] = {0, 1, 1};
    const int32_t column[] = {1};
    const crd_addition addition = {.size = sizeof addition,
                                   .nodes = 2,
                                   .row_start = row_start,
                                   .column = column,
                                   .edges = 4,
                                   .source = source,
                                   .target = target};
    const int64_t nodes[] = {before, 3};
    crd_serving *serving = NULL;
    crd_prediction *prediction = NULL;
    crd_status status = crd_serving_open(crd_tiny.model, crd_tiny.dataset, CRD_THREADS(1), &serving, error);
    assert_int_equal(status == CRD_OK, serving != NULL);
    if (status == CRD_OK) {
        status = crd_serving_add(serving, &addition, NULL, error);
        assert_int_equal(crd_serving_nodes(serving), before + (status == CRD_OK ? 2 : 0));
    }
    if (status == CRD_OK) {
        const int64_t new[] = {before + 2}, old[] = {1};
        crd_addition one = addition;
        one.nodes = one.edges = 1;
        one.source = new;
        one.target = old;
        status = crd_serving_predict_new(serving, &one, CRD_THREADS(1), &prediction, error);
        assert_int_equal(crd_serving_nodes(serving), before + 2);
        CHECK_AND_FREE(status, prediction, crd_prediction_free);
    }
    if (status == CRD_OK) {
        status = crd_serving_predict(serving, nodes, 2, &prediction, error);
        CHECK_AND_FREE(status, prediction, crd_prediction_free);
    }
    crd_serving_free(&serving);
    return status;
}

/* Not crd_brutalise: without memory to follow it, an addition succeeds all the same. */
static void test_serving(void **state)
{
    (void)state;
    for (int for_good = 0; for_good < 2; for_good++) {
        crd_memory_outcome outcome = CRD_MEMORY_FAILED;
        for (int64_t n = 0; outcome != CRD_MEMORY_NOT_REACHED; n++) {
            crd_error error = {0};
            const int64_t live = crd_memory_live();
            crd_memory_fail(n, for_good);
            const crd_status status = serve(NULL, &error);
            outcome = crd_memory_stop();
            assert_int_equal(crd_memory_live(), live);
            assert_true(status == CRD_OK || (status == CRD_ERROR_MEMORY && error.message[0] != '\0'));
        }
    }
}

static crd_status set_map(const char *argument, crd_error *error)
{
    (void)argument;
    static const float map[2 * 1000];
    crd_prediction *prediction = NULL;
    crd_status status = crd_predict(crd_tiny.model, crd_tiny.dataset, CRD_THREADS(1), &prediction, error);
    if (status == CRD_OK) assert_true(crd_prediction_nodes(prediction) <= 1000);
    if (status == CRD_OK) status = crd_prediction_set_map(prediction, map, error);
    crd_prediction_free(&prediction);
    return status;
}

static crd_status reject(const char *by, crd_error *error)
{
    crd_prediction *prediction = NULL;
    crd_status status = crd_predict(crd_tiny.model, crd_tiny.dataset, CRD_THREADS(1), &prediction, error);
    if (status != CRD_OK) return status;
    int64_t rejected = -1;
    crd_rejection rejection = {.size = sizeof rejection, .score = CRD_SCORE_EPISTEMIC};
    if (strcmp(by, "coverage") == 0) {
        rejection.by_coverage = true;
        rejection.coverage = 0.5;
    } else {
        rejection.by_threshold = true;
        rejection.above = -10;
    }
    status = crd_prediction_reject(prediction, &rejection, &rejected, error);
    if (status != CRD_OK) assert_int_equal(rejected, -1);
    crd_prediction_free(&prediction);
    return status;
}

static crd_status write_prediction_to(const char *format, crd_error *error)
{
    size_t size = 0;
    crd_status status = crd_prediction_write_to(crd_tiny.prediction, crd_tiny.dataset, count_bytes, &size,
                                                (crd_table_format)(format[0] - '0'), true, error);
    if (status == CRD_OK) assert_true(size > 100);
    return status;
}

static crd_status write_prediction(const char *name, crd_error *error)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", crd_tiny.outputs, name);
    crd_status status = crd_prediction_write(crd_tiny.prediction, crd_tiny.dataset, path, CRD_TABLE_AUTO, true, error);
    if (status == CRD_OK) assert_int_equal(remove(path), 0);
    return status;
}

static void test_predict(void **state)
{
    (void)state;
    crd_brutalise(predict, "predict");
    crd_brutalise(predict_some, "some");
    crd_brutalise(set_map, "map");
    crd_brutalise(reject, "coverage");
    crd_brutalise(reject, "threshold");
    crd_brutalise(write_prediction, "answers.csv");
    crd_brutalise(write_prediction, "answers.npz");
    crd_brutalise(write_prediction, "answers.jsonl");
    crd_brutalise(write_prediction_to, "1"); /* CSV, NPZ, JSON lines */
    crd_brutalise(write_prediction_to, "2");
    crd_brutalise(write_prediction_to, "3");
}

static crd_status evaluate(const char *task, crd_error *error)
{
    crd_evaluation evaluation;
    char *json = NULL;
    crd_task what = strcmp(task, "ood") == 0 ? CRD_TASK_OOD : CRD_TASK_MISCLASSIFICATION;
    crd_status status = crd_evaluate(crd_tiny.model, crd_tiny.dataset, NULL, what, CRD_THREADS(1), &evaluation, error);
    if (status != CRD_OK) return status;
    status = crd_evaluation_json(&evaluation, &json, error);
    CHECK_AND_FREE(status, json, crd_string_free);
    return status;
}

static crd_status evaluate_shift(const char *text, crd_error *error)
{
    crd_shift shift;
    crd_evaluation evaluation = {.nodes = -1};
    crd_shift_defaults(&shift);
    assert_int_equal(crd_shift_parse(text, &shift, NULL), CRD_OK);
    shift.most_nodes = 2;
    crd_status status =
        crd_evaluate_shift(crd_tiny.model, crd_tiny.dataset, NULL, &shift, CRD_THREADS(1), &evaluation, error);
    assert_int_equal(evaluation.nodes == -1, status != CRD_OK);
    return status;
}

static crd_status evaluate_sample(const char *task, crd_error *error)
{
    crd_shift shift;
    crd_evaluation evaluation = {.nodes = -1};
    crd_sample *sample = NULL;
    const crd_task what = strcmp(task, "ood") == 0     ? CRD_TASK_OOD
                          : strcmp(task, "shift") == 0 ? CRD_TASK_SHIFT
                                                       : CRD_TASK_MISCLASSIFICATION;
    crd_shift_defaults(&shift);
    crd_status status =
        crd_evaluate_sample(crd_tiny.model, crd_tiny.dataset, NULL, what, &shift, 1, &evaluation, &sample, error);
    assert_int_equal(evaluation.nodes == -1, status != CRD_OK);
    CHECK_AND_FREE(status, sample, crd_sample_free);
    return status;
}

static crd_status evaluate_folds(const char *argument, crd_error *error)
{
    (void)argument;
    const crd_folds folds = {.count = 2, .threads = 1};
    crd_evaluation of_fold[2], evaluation = {.nodes = -1};
    crd_sample *sample = NULL;
    char *json = NULL;
    crd_status status =
        crd_evaluate_folds(crd_tiny.model, crd_tiny.dataset, &folds, of_fold, &evaluation, &sample, error);
    assert_int_equal(evaluation.nodes == -1, status != CRD_OK);
    if (status == CRD_OK)
        status = crd_evaluation_json_full(&evaluation, sample, crd_tiny.model, of_fold, 2, &json, error);
    crd_sample_free(&sample);
    CHECK_AND_FREE(status, json, crd_string_free);
    return status;
}

static crd_status split_all(const char *argument, crd_error *error)
{
    (void)argument;
    crd_split *split;
    crd_status status = crd_split_all(crd_tiny.model, crd_tiny.dataset, &split, error);
    CHECK_AND_FREE(status, split, crd_split_free);
    return status;
}

static crd_status metrics(const char *kind, crd_error *error)
{
    const double score[] = {0.1, 0.4, 0.4, 0.9};
    const bool positive[] = {false, true, false, true};
    crd_detection detection;
    crd_failure failure;
    return strcmp(kind, "detection") == 0 ? crd_detection_metrics(score, positive, 4, &detection, error)
                                          : crd_failure_metrics(score, positive, 4, &failure, error);
}

/* If it fails, neither the points nor their number change. */
static crd_status curve(const char *kind, crd_error *error)
{
    const double score[] = {0.1, 0.4, 0.4, 0.9};
    const bool positive[] = {false, true, false, true};
    crd_point points[2] = {{-1.0, -1.0}};
    int64_t found = -1;
    crd_status status = crd_curve_points(strcmp(kind, "roc") == 0 ? CRD_CURVE_ROC : CRD_CURVE_RISK, score, positive, 4,
                                         points, 2, &found, error);
    assert_int_equal(found, status == CRD_OK ? 2 : -1);
    assert_int_equal(points[0].x == -1.0, status != CRD_OK);
    return status;
}

static void test_evaluate(void **state)
{
    (void)state;
    crd_brutalise(evaluate, "ood");
    crd_brutalise(evaluate, "misclassification");
    crd_brutalise(evaluate_shift, "bernoulli:0.2");
    crd_brutalise(evaluate_shift, "normal:0.2:isolated");
    crd_brutalise(evaluate_shift, "rewire:0.2");
    crd_brutalise(evaluate_shift, "dice:0.2:isolated");
    crd_brutalise(evaluate_folds, "folds");
    crd_brutalise(split_all, "all");
    crd_brutalise(evaluate_sample, "ood");
    crd_brutalise(evaluate_sample, "misclassification");
    crd_brutalise(evaluate_sample, "shift");
    crd_brutalise(metrics, "detection");
    crd_brutalise(metrics, "failure");
    crd_brutalise(curve, "roc");
    crd_brutalise(curve, "risk");
}

static crd_status explain(const char *argument, crd_error *error)
{
    (void)argument;
    crd_explanation *explanation = NULL;
    crd_status status = crd_explain(crd_tiny.model, crd_tiny.dataset, 0, 5, CRD_THREADS(1), &explanation, error);
    CHECK_AND_FREE(status, explanation, crd_explanation_free);
    return status;
}

static crd_status explanation_json(const char *argument, crd_error *error)
{
    (void)argument;
    char *json = NULL;
    crd_status status = crd_explanation_json(crd_tiny.explanation, &json, error);
    CHECK_AND_FREE(status, json, crd_string_free);
    return status;
}

static crd_status training_json(const char *what, crd_error *error)
{
    const crd_epoch epoch = {.epoch = 3, .terms = 1, .term_name = {"uce"}, .term = {2.5}};
    char *json = NULL;
    crd_status status = strcmp(what, "epoch") == 0 ? crd_epoch_json(&epoch, &json, error)
                                                   : crd_model_facts_json(crd_tiny.model, &json, error);
    CHECK_AND_FREE(status, json, crd_string_free);
    return status;
}

static void test_training_json(void **state)
{
    (void)state;
    crd_brutalise(training_json, "epoch");
    crd_brutalise(training_json, "facts");
}

static void test_explain(void **state)
{
    (void)state;
    crd_brutalise(explain, "explain");
    crd_brutalise(explanation_json, "explanation_json");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_config),        cmocka_unit_test(test_feature_product), cmocka_unit_test(test_train),
        cmocka_unit_test(test_train_memory),  cmocka_unit_test(test_other_kinds),     cmocka_unit_test(test_model_file),
        cmocka_unit_test(test_predict),       cmocka_unit_test(test_serving),         cmocka_unit_test(test_evaluate),
        cmocka_unit_test(test_training_json), cmocka_unit_test(test_explain),
    };
    return cmocka_run_group_tests(tests, crd_brutal_set_up, crd_brutal_tear_down);
}
