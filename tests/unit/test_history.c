/* SPDX-License-Identifier: MIT */
/* The epochs of training that a model keeps: the same as the call-back got, also after saving and loading. */
#include <math.h>
#include <stdlib.h>

#include <jansson.h>

#include "dataset_helpers.h"
#include "models/history.h"
#include "support/outcome.h"
#include "support/quick_model.h"
#include "support/seal.h"
#include "support/watched.h"

enum { MOST = 400 };

typedef struct {
    crd_epoch epoch[MOST];
    int64_t count, stop_after; /* 0: never */
} diary;

static bool note(const crd_progress *progress, void *user)
{
    const crd_epoch *epoch = progress->epoch;
    if (epoch == NULL) return true;
    diary *d = user;
    assert_true(d->count < MOST);
    d->epoch[d->count++] = *epoch;
    return d->count != d->stop_after;
}

static crd_dataset *make_graph(void)
{
    crd_generate_options options;
    crd_dataset *dataset;
    crd_generate_defaults(&options);
    options.nodes = 120;
    options.classes = 4;
    options.features = 40;
    options.lookalikes = 1;
    assert_ok(crd_generate(&options, &dataset, NULL));
    return dataset;
}

static crd_config quick(const char *kind)
{
    crd_config config;
    crd_config_defaults(&config);
    assert_ok(crd_config_set(&config, "model", kind, NULL));
    config.left_out = 1;
    config.max_epochs = 12;
    config.threads = 1;
    if (config.hidden > 0) config.hidden = 6;
    return config;
}

static void same_number(double found, double expected)
{
    if (isnan(expected)) assert_true(isnan(found));
    else assert_true(found == (double)(float)expected);
}

static void same_epoch(const crd_epoch *found, const crd_epoch *expected)
{
    assert_int_equal(found->warmup, expected->warmup);
    assert_int_equal(found->epoch, expected->epoch);
    assert_int_equal(found->best, expected->best);
    assert_int_equal(found->best_epoch, expected->best_epoch);
    same_number(found->loss, expected->loss);
    same_number(found->validation_cross_entropy, expected->validation_cross_entropy);
    same_number(found->validation_accuracy, expected->validation_accuracy);
    assert_int_equal(found->terms, expected->terms);
    for (int t = 0; t < found->terms; t++) {
        assert_string_equal(found->term_name[t], expected->term_name[t]);
        same_number(found->term[t], expected->term[t]);
    }
    assert_true(found->seconds == 0.0);
}

static void same_diary(const crd_model *model, const diary *d)
{
    crd_epoch epoch;
    int64_t before = 0; /* epochs of a committee's networks before this one, which its history does not count */
    assert_int_equal(crd_model_history_count(model), d->count);
    for (int64_t i = 0; i < d->count; i++) {
        crd_epoch told = d->epoch[i];
        if (i > 0 && told.network != d->epoch[i - 1].network) before = d->epoch[i - 1].epoch;
        told.epoch -= before;
        if (told.best_epoch > 0) told.best_epoch -= before;
        assert_true(crd_model_history_at(model, i, &epoch));
        same_epoch(&epoch, &told);
    }
    assert_false(crd_model_history_at(model, -1, &epoch));
    assert_false(crd_model_history_at(model, d->count, &epoch));
}

/* Every kind, with and without validation, complete and interrupted; the model and its file. */
static void what_was_told(void **state)
{
    crd_dataset *dataset = make_graph();
    static diary d;
    for (int k = 0; k < crd_kind_count(); k++)
        for (int form = 0; form < 4; form++) {
            crd_config config = quick(crd_kind_name(k));
            crd_split *split;
            crd_model *model, *loaded;
            config.inductive = form == 3;
            d = (diary){.stop_after = form == 1 ? 7 : 0};
            const crd_train_options options = *WATCHED(NULL, note, &d);
            assert_ok(crd_split_make(dataset, form == 2 ? "40/0/60" : "20/20/60", 0, 3, &split, NULL));
            assert_ok(crd_train(dataset, split, &config, &options, &model, NULL));
            assert_int_equal(d.count > 0, crd_kind_trained(crd_kind_name(k)));
            same_diary(model, &d);
            assert_ok(crd_model_save(model, in(state, "m"), NULL));
            assert_ok(crd_model_load(in(state, "m"), &loaded, NULL));
            same_diary(loaded, &d);
            crd_model_free(&loaded);
            crd_model_free(&model);
            crd_split_free(&split);
        }
    crd_dataset_free(&dataset);
}

/* A model that starts from the weights of another one has its own history. */
static void started_from_another(void **state)
{
    (void)state;
    crd_dataset *dataset = make_graph();
    crd_config config = quick("gpn");
    static diary d;
    d = (diary){0};
    crd_model *first = train(dataset, &config, NULL);
    config.max_epochs = 3;
    const crd_train_options options = *WATCHED(first, note, &d);
    crd_model *second = train(dataset, &config, &options);
    assert_int_equal(d.count, 3 + config.warmup);
    same_diary(second, &d);
    crd_model_free(&first);
    crd_model_free(&second);
    crd_dataset_free(&dataset);
}

static void thinned_out(void **state)
{
    (void)state;
    crd_history history;
    assert_ok(crd_history_open(&history, NULL));
    const int64_t epochs = 5 * CRD_HISTORY_MOST;
    for (int64_t e = 1; e <= epochs; e++) {
        const crd_epoch epoch = {.epoch = e, .loss = 1.0 / (double)e};
        crd_history_add(&history, &epoch);
        assert_true(history.count <= CRD_HISTORY_MOST);
    }
    assert_int_equal(history.every, 8);
    assert_int_equal(history.count, (epochs - 1) / 8 + 1);
    for (int64_t i = 0; i < history.count; i++) {
        assert_int_equal((int64_t)history.rows[i].value[CRD_HISTORY_EPOCH], 1 + 8 * i);
        assert_true(history.rows[i].value[CRD_HISTORY_LOSS] == (double)(float)(1.0 / (double)(1 + 8 * i)));
    }
    crd_history_free(&history);
}

/* A loss too large for single precision is missing; a term without a column is left out. */
static void what_does_not_fit(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
    crd_history history;
    assert_ok(crd_history_open(&history, NULL));
    for (int e = 0; e < 9; e++) {
        const crd_epoch epoch = {.epoch = e + 1, .loss = 1e300, .terms = 1, .term_name = {names[e]}, .term = {2}};
        crd_history_add(&history, &epoch);
    }
    assert_int_equal(history.count, 9);
    assert_int_equal(history.terms, CRD_HISTORY_TERMS);
    assert_true(isnan(history.rows[0].value[CRD_HISTORY_LOSS]));
    char *json;
    assert_ok(crd_history_json(&history, &json, NULL));
    assert_non_null(strstr(json, "\"loss\":[null,null,"));
    free(json);
    crd_history_free(&history);
}

static void try(const char *text, bool good)
{
    crd_history history;
    json_t *json = json_loads(text, JSON_DECODE_ANY, NULL);
    assert_non_null(json);
    const crd_status status = crd_history_read(&history, json, NULL);
    if (status != (good ? CRD_OK : CRD_ERROR_FORMAT)) fail_msg("%s: status %d", text, (int)status);
    if (!good) assert_null(history.rows);
    crd_history_free(&history);
    json_decref(json);
}

static void damaged(void **state)
{
    (void)state;
    try("{\"warmup\":1,\"epoch\":[1,1],\"best_epoch\":[0,1],\"loss\":[2,1e3],\"terms\":{\"uce\":[null,1]}}", true);
    try("{\"warmup\":0,\"epoch\":[1],\"best_epoch\":[0],\"loss\":[2],\"validation_accuracy\":[0.5],\"terms\":{}}",
        true);
    static const char *const bad[] = {
        "{}",
        "[]",
        "3",
        "{\"warmup\":0,\"epoch\":[],\"best_epoch\":[],\"loss\":[],\"terms\":{}}",
        "{\"warmup\":2,\"epoch\":[1],\"best_epoch\":[0],\"loss\":[2],\"terms\":{}}",
        "{\"warmup\":-1,\"epoch\":[1],\"best_epoch\":[0],\"loss\":[2],\"terms\":{}}",
        "{\"epoch\":[1],\"best_epoch\":[0],\"loss\":[2],\"terms\":{}}",
        "{\"warmup\":0,\"epoch\":[0],\"best_epoch\":[0],\"loss\":[2],\"terms\":{}}",
        "{\"warmup\":0,\"epoch\":[1.5],\"best_epoch\":[0],\"loss\":[2],\"terms\":{}}",
        "{\"warmup\":0,\"epoch\":[\"1\"],\"best_epoch\":[0],\"loss\":[2],\"terms\":{}}",
        "{\"warmup\":0,\"epoch\":[1],\"best_epoch\":[-1],\"loss\":[2],\"terms\":{}}",
        "{\"warmup\":0,\"epoch\":[1],\"best_epoch\":[0,0],\"loss\":[2],\"terms\":{}}",
        "{\"warmup\":0,\"epoch\":[1],\"best_epoch\":[0],\"loss\":[2,2],\"terms\":{}}",
        "{\"warmup\":0,\"epoch\":[1],\"best_epoch\":[0],\"terms\":{}}",
        "{\"warmup\":0,\"epoch\":[1],\"best_epoch\":[0],\"loss\":[1e300],\"terms\":{}}",
        "{\"warmup\":0,\"epoch\":[1],\"best_epoch\":[0],\"loss\":[true],\"terms\":{}}",
        "{\"warmup\":0,\"epoch\":[1],\"best_epoch\":[0],\"loss\":[2],\"validation_accuracy\":[],\"terms\":{}}",
        "{\"warmup\":0,\"epoch\":[1],\"best_epoch\":[0],\"loss\":[2]}",
        "{\"warmup\":0,\"epoch\":[1],\"best_epoch\":[0],\"loss\":[2],\"terms\":[]}",
        "{\"warmup\":0,\"epoch\":[1],\"best_epoch\":[0],\"loss\":[2],\"terms\":{\"a\":[1,2]}}",
        "{\"warmup\":0,\"epoch\":[1],\"best_epoch\":[0],\"loss\":[2],\"terms\":{\"\":[1]}}",
        "{\"warmup\":0,\"epoch\":[1],\"best_epoch\":[0],\"loss\":[2],\"terms\":{\"<b>\":[1]}}",
        "{\"warmup\":0,\"epoch\":[1],\"best_epoch\":[0],\"loss\":[2],"
        "\"terms\":{\"a_name_of_more_than_thirty_one_letters\":[1]}}",
        "{\"warmup\":0,\"epoch\":[1],\"best_epoch\":[0],\"loss\":[2],\"terms\":{\"a\":[1],\"b\":[1],\"c\":[1],"
        "\"d\":[1],\"e\":[1],\"f\":[1],\"g\":[1],\"h\":[1],\"i\":[1]}}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) try(bad[i], false);
}

/* More epochs than are kept. */
static void too_long(void **state)
{
    (void)state;
    json_t *json = json_pack("{s:i, s:[], s:[], s:[], s:{}}", "warmup", 0, "epoch", "best_epoch", "loss", "terms");
    crd_history history;
    for (int i = 0; i < CRD_HISTORY_MOST; i++) {
        json_array_append_new(json_object_get(json, "epoch"), json_integer(i + 1));
        json_array_append_new(json_object_get(json, "best_epoch"), json_integer(0));
        json_array_append_new(json_object_get(json, "loss"), json_real(1.0));
    }
    assert_ok(crd_history_read(&history, json, NULL));
    assert_int_equal(history.count, CRD_HISTORY_MOST);
    crd_history_free(&history);
    json_array_append_new(json_object_get(json, "epoch"), json_integer(CRD_HISTORY_MOST + 1));
    json_array_append_new(json_object_get(json, "best_epoch"), json_integer(0));
    json_array_append_new(json_object_get(json, "loss"), json_real(1.0));
    assert_int_equal(crd_history_read(&history, json, NULL), CRD_ERROR_FORMAT);
    json_decref(json);
}

/* Replaces some bytes of a file's header by the same number of others. */
static crd_status load_with(const char *path, const char *what, const char *by, crd_model **model, crd_error *error)
{
    size_t size, length = strlen(what);
    unsigned char *bytes = get_bytes(path, &size);
    size_t at = 0;
    while (at + length <= size && memcmp(bytes + at, what, length) != 0) at++;
    assert_true(at + length <= size);
    assert_int_equal(strlen(by), length);
    memcpy(bytes + at, by, length);
    seal(bytes, size);
    const crd_status status = crd_model_load_memory(bytes, size, "x", model, error);
    free(bytes);
    return status;
}

static void files(void **state)
{
    crd_dataset *dataset = make_graph();
    crd_config config = quick("gpn");
    crd_model *model = train(dataset, &config, NULL), *loaded;
    crd_error error = {0};
    const char *path = in(state, "m");
    assert_ok(crd_model_save(model, path, NULL));
    /* a file from before there was a history */
    assert_ok(load_with(path, "\"history\":", "\"historz\":", &loaded, &error));
    assert_int_equal(crd_model_history_count(loaded), 0);
    crd_model_free(&loaded);
    assert_fails(load_with(path, "best_epoch\\\":[", "best_epoxh\\\":[", &loaded, &error), CRD_ERROR_FORMAT,
                 "x: the metadata \"history\" is missing or damaged");
    assert_null(loaded);
    assert_fails(load_with(path, "{\\\"warmup\\\"", "[\\\"warmup\\\"", &loaded, &error), CRD_ERROR_FORMAT,
                 "x: the metadata \"history\" is missing or damaged");
    crd_model_free(&model);
    crd_dataset_free(&dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(what_was_told),
        cmocka_unit_test(started_from_another),
        cmocka_unit_test(thinned_out),
        cmocka_unit_test(what_does_not_fit),
        cmocka_unit_test(damaged),
        cmocka_unit_test(too_long),
        FOLDER_TEST(files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
