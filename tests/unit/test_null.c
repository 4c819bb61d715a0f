/* SPDX-License-Identifier: MIT */
/* NULL for every pointer of every public function in turn: one sentence, or nothing, never a crash. The last test reads
 * credence.h and fails if a pointer has no line here. */
#include <ctype.h>
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

#include "credence_private.h"

/* What has been tried: "crd_predict: model". */
enum { MOST = 400 };
static char tried[MOST][96];
static int tries;

static void note(const char *function, const char *argument)
{
    assert_true(tries < MOST);
    snprintf(tried[tries++], sizeof tried[0], "%s: %s", function, argument);
}

/* The call fails because `argument` is NULL. It is made twice, the second time without an error to fill. */
#define REFUSED(function, argument, ...)                                                                               \
    do {                                                                                                               \
        crd_error filled = {0}, *error = &filled;                                                                      \
        note(#function, #argument);                                                                                    \
        assert_int_equal(function(__VA_ARGS__), CRD_ERROR_ARGUMENT);                                                   \
        assert_string_equal(filled.message, #function ": " #argument " is NULL");                                      \
        assert_string_equal(filled.about, #argument);                                                                  \
        assert_int_equal(filled.status, CRD_ERROR_ARGUMENT);                                                           \
        error = NULL;                                                                                                  \
        assert_int_equal(function(__VA_ARGS__), CRD_ERROR_ARGUMENT);                                                   \
    } while (0)

/* The call takes NULL for `argument`. */
#define TAKEN(function, argument, ...)                                                                                 \
    do {                                                                                                               \
        crd_error filled = {0}, *error = &filled;                                                                      \
        note(#function, #argument);                                                                                    \
        if (function(__VA_ARGS__) != CRD_OK) fail_msg("%s", filled.message);                                           \
    } while (0)

/* A function that cannot fail has nothing to give. */
#define NOTHING(condition, function, argument)                                                                         \
    do {                                                                                                               \
        note(#function, #argument);                                                                                    \
        assert_true(condition);                                                                                        \
    } while (0)
/* One that returns nothing does nothing. */
#define QUIET(function, argument, ...)                                                                                 \
    do {                                                                                                               \
        note(#function, #argument);                                                                                    \
        function(__VA_ARGS__);                                                                                         \
    } while (0)

/* A handle that is not NULL before a failing call is NULL afterwards. */
#define EMPTIED(handle)                                                                                                \
    do {                                                                                                               \
        assert_null(handle);                                                                                           \
        (handle) = (void *)&somewhere;                                                                                 \
    } while (0)
static int somewhere;

static struct {
    char folder[64], file[96];
    crd_dataset *data;
    crd_split *split;
    crd_config *config;
    crd_model *model;
    crd_prediction *prediction;
    crd_explanation *explanation;
    crd_report *report;
} w;

static int set_up(void **state)
{
    (void)state;
    crd_error error = {0};
    crd_generate_options options;
    crd_generate_defaults(&options);
    options.nodes = 80;
    options.classes = 3;
    options.features = 20;
    options.lookalikes = 1;
    snprintf(w.folder, sizeof w.folder, "/tmp/credence-null-XXXXXX");
    if (mkdtemp(w.folder) == NULL) return -1;
    snprintf(w.file, sizeof w.file, "%s/file", w.folder);
    crd_status status = crd_generate(&options, &w.data, &error);
    if (status == CRD_OK) status = crd_split_make(w.data, "20/20/20/40", 0, 1, &w.split, &error);
    if (status == CRD_OK) status = crd_config_new(&w.config, &error);
    if (status == CRD_OK) status = crd_config_set(w.config, "model", "gpn", &error);
    if (status == CRD_OK) status = crd_config_set(w.config, "max-epochs", "60", &error);
    if (status == CRD_OK) status = crd_train(w.data, w.split, w.config, NULL, &w.model, &error);
    if (status == CRD_OK) status = crd_predict(w.model, w.data, CRD_THREADS(1), &w.prediction, &error);
    if (status == CRD_OK) status = crd_explain(w.model, w.data, 0, 5, CRD_THREADS(1), &w.explanation, &error);
    if (status == CRD_OK) status = crd_report_new("NULL", &w.report, &error);
    if (status != CRD_OK) print_error("%s\n", error.message);
    return status == CRD_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    crd_report_free(&w.report);
    crd_explanation_free(&w.explanation);
    crd_prediction_free(&w.prediction);
    crd_model_free(&w.model);
    crd_config_free(&w.config);
    crd_split_free(&w.split);
    crd_dataset_free(&w.data);
    unlink(w.file);
    return rmdir(w.folder);
}

static void memory_and_handles(void **state)
{
    (void)state;
    TAKEN(crd_set_allocator, allocator, NULL, error);
    QUIET(crd_set_log, user, NULL, NULL);
    QUIET(crd_string_free, string, NULL);
    QUIET(crd_bytes_free, bytes, NULL);
    QUIET(crd_serving_free, serving, NULL);
    QUIET(crd_dataset_free, dataset, NULL);
    QUIET(crd_split_free, split, NULL);
    QUIET(crd_config_free, config, NULL);
    QUIET(crd_model_free, model, NULL);
    QUIET(crd_prediction_free, prediction, NULL);
    QUIET(crd_explanation_free, explanation, NULL);
    QUIET(crd_report_free, report, NULL);
    QUIET(crd_generate_defaults, options, (crd_generate_options *)NULL);
    QUIET(crd_shift_defaults, shift, (crd_shift *)NULL);
    QUIET(crd_tsne_defaults, options, (crd_tsne_options *)NULL);
    QUIET(crd_report_defaults, options, (crd_report_options *)NULL);
}

static bool swallow(const void *bytes, size_t size, void *user)
{
    (void)bytes, (void)size, (void)user;
    return true;
}

static void datasets(void **state)
{
    (void)state;
    crd_dataset *d = (void *)&somewhere;
    char *json = (void *)&somewhere;
    const crd_arrays arrays = {.size = sizeof arrays, .nodes = 1};
    crd_info info;
    int64_t count = 7;
    const int64_t *start;
    const int32_t *neighbour;
    const float *value;
    REFUSED(crd_dataset_open, path, NULL, NULL, &d, error);
    EMPTIED(d);
    REFUSED(crd_dataset_open, dataset, w.file, NULL, NULL, error);
    REFUSED(crd_dataset_open_memory, bytes, NULL, 5, "x", &d, error);
    EMPTIED(d);
    REFUSED(crd_dataset_open_memory, dataset, "0,1", 3, "x", NULL, error);
    REFUSED(crd_dataset_from_arrays, arrays, NULL, &d, error);
    EMPTIED(d);
    REFUSED(crd_dataset_from_arrays, dataset, &arrays, NULL, error);
    TAKEN(crd_generate, options, NULL, &d, error);
    crd_dataset_free(&d);
    REFUSED(crd_generate, dataset, NULL, NULL, error);
    REFUSED(crd_dataset_save, dataset, NULL, w.file, CRD_FORMAT_NPZ, error);
    REFUSED(crd_dataset_save, path, w.data, NULL, CRD_FORMAT_AUTO, error);
    REFUSED(crd_dataset_info, dataset, NULL, &info, error);
    REFUSED(crd_dataset_info, info, w.data, (crd_info *)NULL, error);
    REFUSED(crd_dataset_info_json, dataset, NULL, &json, error);
    EMPTIED(json);
    REFUSED(crd_dataset_info_json, json, w.data, NULL, error);
    REFUSED(crd_dataset_write, dataset, NULL, swallow, NULL, error);
    TAKEN(crd_dataset_write, user, w.data, swallow, NULL, error);
    assert_int_equal(crd_dataset_write(w.data, NULL, NULL, NULL), CRD_ERROR_ARGUMENT);
    FILE *file = fopen(w.file, "w");
    assert_non_null(file);
    fputs("a,b\nb,c\n", file);
    assert_int_equal(fclose(file), 0);
    TAKEN(crd_dataset_open, options, w.file, NULL, &d, error);
    crd_dataset_free(&d);
    TAKEN(crd_dataset_open_memory, name, "a,b\nb,c\n", 8, NULL, &d, error);
    crd_dataset_free(&d);
    NOTHING(crd_dataset_nodes(NULL) == 0, crd_dataset_nodes, dataset);
    NOTHING(crd_dataset_features(NULL) == 0, crd_dataset_features, dataset);
    NOTHING(crd_dataset_classes(NULL) == 0, crd_dataset_classes, dataset);
    NOTHING(crd_dataset_label(NULL, 0) == -1, crd_dataset_label, dataset);
    NOTHING(crd_dataset_node_name(NULL, 0) == NULL, crd_dataset_node_name, dataset);
    NOTHING(crd_dataset_feature_name(NULL, 0) == NULL, crd_dataset_feature_name, dataset);
    NOTHING(crd_dataset_class_name(NULL, 0) == NULL, crd_dataset_class_name, dataset);
    NOTHING(crd_dataset_find_node(NULL, "1") == -1, crd_dataset_find_node, dataset);
    NOTHING(crd_dataset_find_node(w.data, NULL) == -1, crd_dataset_find_node, name_or_number);
    NOTHING(crd_dataset_labels(NULL) == NULL, crd_dataset_labels, dataset);
    NOTHING(crd_dataset_adjacency(NULL, &start, &neighbour) == 0, crd_dataset_adjacency, dataset);
    NOTHING(crd_dataset_adjacency(w.data, NULL, &neighbour) > 0, crd_dataset_adjacency, start);
    NOTHING(crd_dataset_adjacency(w.data, &start, NULL) > 0, crd_dataset_adjacency, neighbour);
    NOTHING(crd_dataset_input(NULL, &start, &neighbour) == 0, crd_dataset_input, dataset);
    NOTHING(crd_dataset_input(w.data, NULL, &neighbour) > 0, crd_dataset_input, start);
    NOTHING(crd_dataset_input(w.data, &start, NULL) > 0, crd_dataset_input, neighbour);
    NOTHING(crd_dataset_dense(NULL) == NULL, crd_dataset_dense, dataset);
    NOTHING(crd_dataset_sparse(NULL, &start, &neighbour, &value) == 0, crd_dataset_sparse, dataset);
    NOTHING(crd_dataset_sparse(w.data, NULL, &neighbour, &value) > 0, crd_dataset_sparse, row_start);
    NOTHING(crd_dataset_sparse(w.data, &start, NULL, &value) > 0, crd_dataset_sparse, column);
    NOTHING(crd_dataset_sparse(w.data, &start, &neighbour, NULL) > 0, crd_dataset_sparse, value);
    NOTHING(crd_dataset_node_names(NULL) == NULL, crd_dataset_node_names, dataset);
    NOTHING(crd_dataset_feature_names(NULL) == NULL, crd_dataset_feature_names, dataset);
    NOTHING(crd_dataset_class_names(NULL) == NULL, crd_dataset_class_names, dataset);
    NOTHING(crd_dataset_fingerprint(NULL) == NULL, crd_dataset_fingerprint, dataset);
    NOTHING(crd_dataset_note_count(NULL) == 0, crd_dataset_note_count, dataset);
    NOTHING(crd_dataset_note(NULL, 0) == NULL, crd_dataset_note, dataset);
    QUIET(crd_dataset_class_counts, dataset, NULL, &count);
    assert_int_equal(count, 7);
    QUIET(crd_dataset_class_counts, counts, w.data, NULL);
}

static void splits_and_options(void **state)
{
    (void)state;
    crd_split *s = (void *)&somewhere;
    char *text = (void *)&somewhere;
    const uint8_t roles[1] = {0};
    REFUSED(crd_split_make, dataset, NULL, "auto", 0, 1, &s, error);
    EMPTIED(s);
    TAKEN(crd_split_make, spec, w.data, NULL, 0, 1, &s, error);
    crd_split_free(&s);
    REFUSED(crd_split_make, split, w.data, "auto", 0, 1, NULL, error);
    REFUSED(crd_split_read, dataset, NULL, w.file, &s, error);
    REFUSED(crd_split_read, path, w.data, NULL, &s, error);
    REFUSED(crd_split_read, split, w.data, w.file, NULL, error);
    REFUSED(crd_split_from_roles, roles, NULL, 1, &s, error);
    REFUSED(crd_split_from_roles, split, roles, 1, NULL, error);
    assert_int_equal(crd_split_from_roles(NULL, 0, &s, NULL), CRD_OK);
    crd_split_free(&s);
    NOTHING(crd_split_role(NULL, 0) == CRD_ROLE_NONE, crd_split_role, split);
    NOTHING(crd_split_roles(NULL) == NULL, crd_split_roles, split);
    NOTHING(crd_split_count(NULL, CRD_ROLE_TRAIN) == 0, crd_split_count, split);
    NOTHING(crd_split_description(NULL) == NULL, crd_split_description, split);
    REFUSED(crd_config_new, config, NULL, error);
    REFUSED(crd_config_set, config, NULL, "lr", "1", error);
    REFUSED(crd_config_set, name, w.config, NULL, "1", error);
    REFUSED(crd_config_set, value, w.config, "lr", NULL, error);
    REFUSED(crd_config_get, config, NULL, "lr", &text, error);
    EMPTIED(text);
    REFUSED(crd_config_get, name, w.config, NULL, &text, error);
    EMPTIED(text);
    REFUSED(crd_config_get, value, w.config, "lr", NULL, error);
    REFUSED(crd_config_preset, config, NULL, "gpn", error);
    REFUSED(crd_config_preset, preset, w.config, NULL, error);
    REFUSED(crd_config_read, config, NULL, w.file, error);
    REFUSED(crd_config_read, path, w.config, NULL, error);
    REFUSED(crd_config_parse, config, NULL, "{}", error);
    REFUSED(crd_config_parse, json, w.config, NULL, error);
    REFUSED(crd_config_json, config, NULL, &text, error);
    EMPTIED(text);
    REFUSED(crd_config_json, json, w.config, NULL, error);
}

static void models(void **state)
{
    (void)state;
    crd_model *m = (void *)&somewhere;
    char *text = (void *)&somewhere;
    uint8_t *image = (void *)&somewhere;
    size_t size;
    int64_t bytes;
    bool moved;
    crd_epoch epoch;
    crd_model_facts facts = {.classes = 7};
    REFUSED(crd_train, dataset, NULL, w.split, w.config, NULL, &m, error);
    EMPTIED(m);
    REFUSED(crd_train, split, w.data, NULL, w.config, NULL, &m, error);
    TAKEN(crd_train, config, w.data, w.split, NULL, NULL, &m, error);
    crd_model_free(&m);
    TAKEN(crd_train, options, w.data, w.split, w.config, NULL, &m, error);
    crd_model_free(&m);
    REFUSED(crd_train, model, w.data, w.split, w.config, NULL, NULL, error);
    REFUSED(crd_train_memory, dataset, NULL, w.split, w.config, &bytes, error);
    REFUSED(crd_train_memory, split, w.data, NULL, w.config, &bytes, error);
    TAKEN(crd_train_memory, config, w.data, w.split, NULL, &bytes, error);
    REFUSED(crd_train_memory, bytes, w.data, w.split, w.config, NULL, error);
    QUIET(crd_model_get_facts, model, NULL, &facts);
    assert_int_equal(facts.classes, 0);
    QUIET(crd_model_get_facts, facts, w.model, (crd_model_facts *)NULL);
    REFUSED(crd_model_facts_json, model, NULL, &text, error);
    EMPTIED(text);
    REFUSED(crd_model_facts_json, json, w.model, NULL, error);
    NOTHING(crd_model_config(NULL) == NULL, crd_model_config, model);
    NOTHING(crd_model_class_name(NULL, 0) == NULL, crd_model_class_name, model);
    NOTHING(crd_model_split(NULL) == NULL, crd_model_split, model);
    NOTHING(crd_model_history_count(NULL) == 0, crd_model_history_count, model);
    NOTHING(!crd_model_history_at(NULL, 0, &epoch), crd_model_history_at, model);
    NOTHING(!crd_model_history_at(w.model, 0, (crd_epoch *)NULL), crd_model_history_at, epoch);
    REFUSED(crd_model_save, model, NULL, w.file, error);
    REFUSED(crd_model_save, path, w.model, NULL, error);
    REFUSED(crd_model_write, model, NULL, swallow, NULL, error);
    TAKEN(crd_model_write, user, w.model, swallow, NULL, error);
    assert_int_equal(crd_model_write(w.model, NULL, NULL, NULL), CRD_ERROR_ARGUMENT);
    REFUSED(crd_model_save_memory, model, NULL, &image, &size, error);
    EMPTIED(image);
    REFUSED(crd_model_save_memory, bytes, w.model, NULL, &size, error);
    REFUSED(crd_model_save_memory, size, w.model, &image, NULL, error);
    REFUSED(crd_model_set_metadata, model, NULL, "key", "value", error);
    REFUSED(crd_model_set_metadata, key, w.model, NULL, "value", error);
    TAKEN(crd_model_set_metadata, value, w.model, "key", NULL, error);
    NOTHING(crd_model_metadata(NULL, "key") == NULL, crd_model_metadata, model);
    NOTHING(crd_model_metadata(w.model, NULL) == NULL, crd_model_metadata, key);
    NOTHING(crd_model_metadata_key(NULL, 0) == NULL, crd_model_metadata_key, model);
    REFUSED(crd_model_load, path, NULL, &m, error);
    REFUSED(crd_model_load, model, w.file, NULL, error);
    REFUSED(crd_model_load_memory, bytes, NULL, 9, "x", &m, error);
    REFUSED(crd_model_load_memory, model, "x", 1, "x", NULL, error);
    note("crd_model_load_memory", "name");
    crd_error damaged;
    assert_int_equal(crd_model_load_memory("x", 1, NULL, &m, &damaged), CRD_ERROR_FORMAT);
    assert_int_equal(strncmp(damaged.message, "memory: ", 8), 0);
    REFUSED(crd_model_align, model, NULL, w.data, &moved, error);
    REFUSED(crd_model_align, dataset, w.model, NULL, &moved, error);
    REFUSED(crd_model_align, moved, w.model, w.data, NULL, error);
    REFUSED(crd_model_notes, model, NULL, w.data, &text, error);
    EMPTIED(text);
    REFUSED(crd_model_notes, dataset, w.model, NULL, &text, error);
    REFUSED(crd_model_notes, notes, w.model, w.data, NULL, error);
}

static void predictions(void **state)
{
    (void)state;
    crd_prediction *p = (void *)&somewhere;
    const crd_rejection rejection = {.size = sizeof rejection};
    const bool keep[1] = {true};
    const int64_t nodes[1] = {0}, *start;
    int64_t count, degrees[80];
    crd_dataset_adjacency(w.data, &start, NULL);
    for (int i = 0; i < 80; i++) degrees[i] = start[i + 1] - start[i];
    REFUSED(crd_predict, model, NULL, w.data, NULL, &p, error);
    EMPTIED(p);
    REFUSED(crd_predict, dataset, w.model, NULL, NULL, &p, error);
    REFUSED(crd_predict, prediction, w.model, w.data, NULL, NULL, error);
    TAKEN(crd_predict, control, w.model, w.data, NULL, &p, error);
    crd_prediction_free(&p);
    REFUSED(crd_predict_nodes, model, NULL, w.data, nodes, 1, NULL, &p, error);
    EMPTIED(p);
    REFUSED(crd_predict_nodes, dataset, w.model, NULL, nodes, 1, NULL, &p, error);
    REFUSED(crd_predict_nodes, nodes, w.model, w.data, NULL, 1, NULL, &p, error);
    TAKEN(crd_predict_nodes, control, w.model, w.data, nodes, 1, NULL, &p, error);
    crd_prediction_free(&p);
    REFUSED(crd_predict_nodes, prediction, w.model, w.data, nodes, 1, NULL, NULL, error);
    REFUSED(crd_predict_part, model, NULL, w.data, degrees, nodes, 1, NULL, &p, error);
    REFUSED(crd_predict_part, part, w.model, NULL, degrees, nodes, 1, NULL, &p, error);
    REFUSED(crd_predict_part, degrees, w.model, w.data, NULL, nodes, 1, NULL, &p, error);
    TAKEN(crd_predict_part, nodes, w.model, w.data, degrees, NULL, 1, NULL, &p, error);
    crd_prediction_free(&p);
    TAKEN(crd_predict_part, control, w.model, w.data, degrees, nodes, 1, NULL, &p, error);
    crd_prediction_free(&p);
    REFUSED(crd_predict_part, prediction, w.model, w.data, degrees, nodes, 1, NULL, NULL, error);
    NOTHING(crd_prediction_nodes(NULL) == 0, crd_prediction_nodes, prediction);
    NOTHING(crd_prediction_node(NULL, 0) == -1, crd_prediction_node, prediction);
    NOTHING(crd_prediction_classes(NULL) == 0, crd_prediction_classes, prediction);
    NOTHING(crd_prediction_class(NULL) == NULL, crd_prediction_class, prediction);
    NOTHING(crd_prediction_probability(NULL) == NULL, crd_prediction_probability, prediction);
    NOTHING(crd_prediction_alpha(NULL) == NULL, crd_prediction_alpha, prediction);
    NOTHING(crd_prediction_alpha_features(NULL) == NULL, crd_prediction_alpha_features, prediction);
    NOTHING(crd_prediction_latent(NULL) == NULL, crd_prediction_latent, prediction);
    NOTHING(crd_prediction_latent_dims(NULL) == 0, crd_prediction_latent_dims, prediction);
    NOTHING(crd_prediction_score(NULL, CRD_SCORE_EPISTEMIC) == NULL, crd_prediction_score, prediction);
    NOTHING(crd_prediction_rejected(NULL) == NULL, crd_prediction_rejected, prediction);
    NOTHING(crd_prediction_doubt(NULL) == NULL, crd_prediction_doubt, prediction);
    NOTHING(crd_prediction_unknown(NULL) == NULL, crd_prediction_unknown, prediction);
    NOTHING(crd_prediction_answered(NULL) == NULL, crd_prediction_answered, prediction);
    NOTHING(crd_prediction_set(NULL) == NULL, crd_prediction_set, prediction);
    REFUSED(crd_prediction_reject, prediction, NULL, &rejection, &count, error);
    REFUSED(crd_prediction_reject, rejection, w.prediction, NULL, &count, error);
    TAKEN(crd_prediction_reject, rejected, w.prediction, &rejection, NULL, error);
    REFUSED(crd_prediction_flag_unknown, prediction, NULL, 0.5, &count, error);
    TAKEN(crd_prediction_flag_unknown, flagged, w.prediction, 0.5, NULL, error);
    REFUSED(crd_prediction_answer, prediction, NULL, 0.5, 0.9, &count, error);
    TAKEN(crd_prediction_answer, answered, w.prediction, 0.9, 0.1, NULL, error);
    REFUSED(crd_prediction_sets, prediction, NULL, w.data, 0.9, CRD_SETS_APS, 0.5, error);
    REFUSED(crd_prediction_sets, dataset, w.prediction, NULL, 0.9, CRD_SETS_APS, 0.5, error);
    REFUSED(crd_prediction_keep, prediction, NULL, keep, error);
    REFUSED(crd_prediction_keep, keep, w.prediction, NULL, error);
    REFUSED(crd_prediction_write, prediction, NULL, w.data, w.file, CRD_TABLE_CSV, true, error);
    TAKEN(crd_prediction_write, dataset, w.prediction, NULL, w.file, CRD_TABLE_CSV, true, error);
    REFUSED(crd_prediction_write, path, w.prediction, w.data, NULL, CRD_TABLE_CSV, true, error);
    REFUSED(crd_prediction_write_to, prediction, NULL, w.data, swallow, NULL, CRD_TABLE_CSV, true, error);
    TAKEN(crd_prediction_write_to, dataset, w.prediction, NULL, swallow, NULL, CRD_TABLE_CSV, true, error);
    TAKEN(crd_prediction_write_to, user, w.prediction, w.data, swallow, NULL, CRD_TABLE_CSV, true, error);
}

static void serving(void **state)
{
    (void)state;
    crd_serving *s = (void *)&somewhere;
    crd_prediction *p = (void *)&somewhere;
    const crd_addition nothing = {.size = sizeof nothing};
    const int64_t nodes[1] = {0};
    int64_t first;
    REFUSED(crd_serving_open, model, NULL, w.data, NULL, &s, error);
    EMPTIED(s);
    REFUSED(crd_serving_open, dataset, w.model, NULL, NULL, &s, error);
    REFUSED(crd_serving_open, serving, w.model, w.data, NULL, NULL, error);
    TAKEN(crd_serving_open, control, w.model, w.data, NULL, &s, error);
    NOTHING(crd_serving_nodes(NULL) == 0, crd_serving_nodes, serving);
    REFUSED(crd_serving_add, serving, NULL, &nothing, &first, error);
    REFUSED(crd_serving_add, addition, s, NULL, &first, error);
    TAKEN(crd_serving_add, first_node, s, &nothing, NULL, error);
    REFUSED(crd_serving_predict, serving, NULL, nodes, 1, &p, error);
    EMPTIED(p);
    REFUSED(crd_serving_predict, nodes, s, NULL, 1, &p, error);
    REFUSED(crd_serving_predict, prediction, s, nodes, 1, NULL, error);
    p = (void *)&somewhere;
    REFUSED(crd_serving_predict_new, serving, NULL, &nothing, NULL, &p, error);
    EMPTIED(p);
    REFUSED(crd_serving_predict_new, addition, s, NULL, NULL, &p, error);
    REFUSED(crd_serving_predict_new, prediction, s, &nothing, NULL, NULL, error);
    TAKEN(crd_serving_predict_new, control, s, &nothing, NULL, &p, error);
    crd_prediction_free(&p);
    crd_serving_free(&s);
}

static void evaluations_and_explanations(void **state)
{
    (void)state;
    const double score[2] = {1.0, 2.0};
    const bool yes[2] = {true, false};
    crd_point points[3];
    crd_reliability_bin bins[CRD_ECE_BINS];
    crd_comparison comparison;
    int64_t found;
    crd_detection detection;
    crd_failure failure;
    crd_shift shift;
    crd_evaluation e;
    crd_class_result results[8];
    crd_explanation *x = (void *)&somewhere;
    char *json = (void *)&somewhere;
    double one;
    crd_shift_defaults(&shift);
    REFUSED(crd_detection_metrics, score, NULL, yes, 2, &detection, error);
    REFUSED(crd_detection_metrics, positive, score, NULL, 2, &detection, error);
    REFUSED(crd_detection_metrics, metrics, score, yes, 2, NULL, error);
    REFUSED(crd_failure_metrics, uncertainty, NULL, yes, 2, &failure, error);
    REFUSED(crd_failure_metrics, wrong, score, NULL, 2, &failure, error);
    REFUSED(crd_failure_metrics, metrics, score, yes, 2, NULL, error);
    assert_int_equal(crd_detection_metrics(NULL, NULL, 0, &detection, NULL), CRD_OK);
    REFUSED(crd_curve_points, score, CRD_CURVE_ROC, NULL, yes, 2, points, 3, &found, error);
    REFUSED(crd_curve_points, positive, CRD_CURVE_ROC, score, NULL, 2, points, 3, &found, error);
    REFUSED(crd_curve_points, points, CRD_CURVE_ROC, score, yes, 2, NULL, 3, &found, error);
    REFUSED(crd_curve_points, found, CRD_CURVE_ROC, score, yes, 2, points, 3, NULL, error);
    REFUSED(crd_reliability, confidence, NULL, yes, 2, bins, &one, error);
    REFUSED(crd_reliability, wrong, score, NULL, 2, bins, &one, error);
    REFUSED(crd_reliability, bins, score, yes, 2, NULL, &one, error);
    REFUSED(crd_reliability, ece, score, yes, 2, bins, NULL, error);
    REFUSED(crd_compare, a, NULL, score, 2, 1, &comparison, error);
    REFUSED(crd_compare, b, score, NULL, 2, 1, &comparison, error);
    REFUSED(crd_compare, comparison, score, score, 2, 1, NULL, error);
    REFUSED(crd_evaluate, model, NULL, w.data, w.split, CRD_TASK_MISCLASSIFICATION, NULL, &e, error);
    REFUSED(crd_evaluate, dataset, w.model, NULL, w.split, CRD_TASK_MISCLASSIFICATION, NULL, &e, error);
    TAKEN(crd_evaluate, split, w.model, w.data, NULL, CRD_TASK_MISCLASSIFICATION, NULL, &e, error);
    REFUSED(crd_evaluate, evaluation, w.model, w.data, w.split, CRD_TASK_MISCLASSIFICATION, NULL,
            (crd_evaluation *)NULL, error);
    REFUSED(crd_evaluate_shift, model, NULL, w.data, w.split, &shift, NULL, &e, error);
    REFUSED(crd_evaluate_shift, dataset, w.model, NULL, w.split, &shift, NULL, &e, error);
    TAKEN(crd_evaluate_shift, split, w.model, w.data, NULL, &shift, NULL, &e, error);
    REFUSED(crd_evaluate_shift, shift, w.model, w.data, w.split, NULL, NULL, &e, error);
    REFUSED(crd_evaluate_shift, evaluation, w.model, w.data, w.split, &shift, NULL, (crd_evaluation *)NULL, error);
    TAKEN(crd_evaluate, control, w.model, w.data, NULL, CRD_TASK_MISCLASSIFICATION, NULL, &e, error);
    TAKEN(crd_evaluate_shift, control, w.model, w.data, NULL, &shift, NULL, &e, error);
    REFUSED(crd_evaluation_json, evaluation, NULL, &json, error);
    EMPTIED(json);
    REFUSED(crd_evaluation_json, json, &e, NULL, error);
    REFUSED(crd_evaluate_classes, model, NULL, w.data, w.split, NULL, results, error);
    REFUSED(crd_evaluate_classes, dataset, w.model, NULL, w.split, NULL, results, error);
    TAKEN(crd_evaluate_classes, split, w.model, w.data, NULL, NULL, results, error);
    REFUSED(crd_evaluate_classes, results, w.model, w.data, w.split, NULL, NULL, error);
    TAKEN(crd_evaluate_classes, control, w.model, w.data, NULL, NULL, results, error);
    REFUSED(crd_explain, model, NULL, w.data, 0, 5, NULL, &x, error);
    EMPTIED(x);
    REFUSED(crd_explain, dataset, w.model, NULL, 0, 5, NULL, &x, error);
    REFUSED(crd_explain, explanation, w.model, w.data, 0, 5, NULL, NULL, error);
    TAKEN(crd_explain, control, w.model, w.data, 0, 5, NULL, &x, error);
    crd_explanation_free(&x);
    NOTHING(crd_explanation_classes(NULL) == 0, crd_explanation_classes, explanation);
    NOTHING(crd_explanation_quantity(NULL) == NULL, crd_explanation_quantity, explanation);
    NOTHING(crd_explanation_alpha(NULL) == NULL, crd_explanation_alpha, explanation);
    NOTHING(crd_explanation_logits(NULL) == NULL, crd_explanation_logits, explanation);
    NOTHING(isnan(crd_explanation_doubt(NULL, &one, &one)), crd_explanation_doubt, explanation);
    NOTHING(isnan(crd_explanation_doubt(w.explanation, NULL, &one)), crd_explanation_doubt, rest);
    NOTHING(isnan(crd_explanation_doubt(w.explanation, &one, NULL)), crd_explanation_doubt, fixed);
    NOTHING(crd_explanation_count(NULL) == 0, crd_explanation_count, explanation);
    NOTHING(crd_explanation_at(NULL, 0) == NULL, crd_explanation_at, explanation);
    NOTHING(crd_explanation_rest(NULL) == NULL, crd_explanation_rest, explanation);
    REFUSED(crd_explanation_json, explanation, NULL, &json, error);
    REFUSED(crd_explanation_json, json, w.explanation, NULL, error);
}

static void maps_and_reports(void **state)
{
    (void)state;
    float points[6] = {0, 1, 2, 3, 4, 5}, map[6];
    double divergence;
    crd_report *r = (void *)&somewhere;
    crd_report_options options;
    crd_report_defaults(&options);
    REFUSED(crd_tsne, points, NULL, 3, 2, NULL, map, &divergence, error);
    TAKEN(crd_tsne, options, points, 3, 2, NULL, map, &divergence, error);
    REFUSED(crd_tsne, map, points, 3, 2, NULL, NULL, &divergence, error);
    TAKEN(crd_tsne, divergence, points, 3, 2, NULL, map, NULL, error);
    REFUSED(crd_report_new, title, NULL, &r, error);
    EMPTIED(r);
    REFUSED(crd_report_new, report, "x", NULL, error);
    REFUSED(crd_report_add_model, report, NULL, w.model, w.data, &options, error);
    REFUSED(crd_report_add_model, model, w.report, NULL, w.data, &options, error);
    REFUSED(crd_report_add_model, dataset, w.report, w.model, NULL, &options, error);
    TAKEN(crd_report_add_model, options, w.report, w.model, w.data, NULL, error);
    REFUSED(crd_report_save, report, NULL, w.file, error);
    REFUSED(crd_report_save, path, w.report, NULL, error);
    REFUSED(crd_report_write, report, NULL, swallow, NULL, error);
    TAKEN(crd_report_write, user, w.report, swallow, NULL, error);
}

/* ---- no pointer is forgotten ---- */

static bool was_tried(const char *function, const char *argument)
{
    const size_t length = strlen(function);
    for (int i = 0; i < tries; i++)
        if (strncmp(tried[i], function, length) == 0 && strncmp(tried[i] + length, ": ", 2) == 0 &&
            strcmp(tried[i] + length + 2, argument) == 0)
            return true;
    return false;
}

/* Looks at the arguments in "crd_name(const char *path, int64_t node, ..."; returns how many were not tried. */
static int look_at(char *declaration)
{
    int missing = 0;
    char *open = strchr(declaration, '('), *save = NULL;
    assert_non_null(open);
    *open = '\0';
    char *sized = strstr(declaration, "_sized"); /* programs call it by the name of its macro */
    if (sized != NULL) *sized = '\0';
    for (char *a = strtok_r(open + 1, ",", &save); a != NULL; a = strtok_r(NULL, ",", &save)) {
        char *name = a + strlen(a);
        if (strchr(a, '*') == NULL) continue;
        while (name > a && (isalnum((unsigned char)name[-1]) || name[-1] == '_')) name--;
        if (strcmp(name, "error") == 0 || was_tried(declaration, name)) continue;
        print_error("%s: NULL for %s is not tried\n", declaration, name);
        missing++;
    }
    return missing;
}

static void every_pointer_was_tried(void **state)
{
    static char header[200000];
    (void)state;
    FILE *file = fopen("include/credence.h", "r");
    assert_non_null(file);
    const size_t size = fread(header, 1, sizeof header - 1, file);
    assert_true(size < sizeof header - 1);
    fclose(file);
    int functions = 0, missing = 0;
    for (char *at = header; (at = strstr(at, "\nCRD_")) != NULL; at++) {
        if (strncmp(at, "\nCRD_CALL ", 10) != 0 && strncmp(at, "\nCRD_API ", 9) != 0) continue;
        char declaration[1000] = "";
        const char *name = strstr(at, "crd_"), *end = strstr(at, ");");
        /* The name stands before the first bracket; a type like crd_role may stand before the name. */
        for (const char *bracket = strchr(at, '('); name != NULL && (name = strstr(name, "crd_")) != NULL; name++)
            if (name + strcspn(name, " (*") == bracket) break;
        assert_true(name != NULL && end != NULL && end - name < (ptrdiff_t)sizeof declaration);
        memcpy(declaration, name, (size_t)(end - name));
        missing += look_at(declaration);
        functions++;
    }
    assert_true(functions > 100);
    assert_int_equal(missing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_and_handles),
        cmocka_unit_test(datasets),
        cmocka_unit_test(splits_and_options),
        cmocka_unit_test(models),
        cmocka_unit_test(predictions),
        cmocka_unit_test(serving),
        cmocka_unit_test(evaluations_and_explanations),
        cmocka_unit_test(maps_and_reports),
        cmocka_unit_test(every_pointer_was_tried),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
