/* SPDX-License-Identifier: MIT */
/* Predictions: rejection, and their files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answers/answers.h"
#include "io/archive.h"

enum { NODES = 4, CLASSES = 2 };

static char folder[64];

static const char *in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void *copy(const void *data, size_t size)
{
    void *made = malloc(size);
    assert_non_null(made);
    return memcpy(made, data, size);
}

static char *copy_string(const char *string)
{
    return copy(string, strlen(string) + 1);
}

static const float probability[] = {0.75f, 0.25f, 0.1f, 0.9f, 0.5f, 0.5f, 1.0f, 0.0f};
static const float alpha[] = {3.0f, 1.0f, 1.0f, 9.0f, 1.0f, 1.0f, 2.0e10f, 1.0f};
static const float alpha_features[] = {1.5f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 7.0f, 1.0f};
/* alpha - 1 */
static const float evidence[] = {2.0f, 0.0f, 0.0f, 8.0f, 0.0f, 0.0f, 2.0e10f, 0.0f};
static const float evidence_features[] = {0.5f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 6.0f, 0.0f};

static crd_prediction *make_prediction(bool dirichlet, const char *first_class, const char *second_class)
{
    crd_prediction *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->nodes = NODES;
    p->classes = CLASSES;
    p->class_index = malloc(NODES * sizeof *p->class_index);
    assert_non_null(p->class_index);
    crd_most_probable(probability, NODES, CLASSES, p->class_index);
    p->probability = copy(probability, sizeof probability);
    if (dirichlet) {
        p->alpha = copy(alpha, sizeof alpha);
        p->alpha_features = copy(alpha_features, sizeof alpha_features);
    }
    p->class_names = calloc(CLASSES, sizeof *p->class_names);
    assert_non_null(p->class_names);
    p->class_names[0] = copy_string(first_class);
    p->class_names[1] = copy_string(second_class);
    if (dirichlet) {
        assert_int_equal(crd_scores_make(evidence, evidence_features, NODES, CLASSES, p->score, NULL), CRD_OK);
        return p;
    }
    p->score[CRD_SCORE_ALEATORIC] = malloc(NODES * sizeof(double));
    assert_non_null(p->score[CRD_SCORE_ALEATORIC]);
    for (int i = 0; i < NODES; i++)
        p->score[CRD_SCORE_ALEATORIC][i] = -(double)probability[i * CLASSES + p->class_index[i]];
    return p;
}

static crd_dataset *named_dataset(int64_t nodes)
{
    static const char *const names[] = {"ann", "b,ob", "say \"hi\"", "two\nlines", "eve"};
    const int32_t labels[] = {0, 1, 0, 1, 0};
    crd_arrays arrays = {.size = sizeof(crd_arrays), .nodes = nodes, .labels = labels, .node_names = names};
    crd_dataset *dataset;
    crd_error error = {0};
    if (crd_dataset_from_arrays(&arrays, &dataset, &error) != CRD_OK) fail_msg("%s", error.message);
    return dataset;
}

/* Writes a prediction and returns the file's text. */
static const char *written(const crd_prediction *p, const crd_dataset *dataset, const char *name,
                           crd_table_format format, bool full)
{
    static char text[4096];
    const char *path = in_folder(name);
    crd_error error = {0};
    if (crd_prediction_write(p, dataset, path, format, full, &error) != CRD_OK) fail_msg("%s", error.message);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    unlink(path);
    return text;
}

static void accessors(void **state)
{
    (void)state;
    crd_prediction *p = make_prediction(true, "red", "blue");
    assert_int_equal(crd_prediction_nodes(p), NODES);
    assert_int_equal(crd_prediction_classes(p), CLASSES);
    assert_int_equal(crd_prediction_class(p)[1], 1);
    assert_memory_equal(crd_prediction_probability(p), probability, sizeof probability);
    assert_memory_equal(crd_prediction_alpha(p), alpha, sizeof alpha);
    assert_memory_equal(crd_prediction_alpha_features(p), alpha_features, sizeof alpha_features);
    assert_true(crd_prediction_score(p, CRD_SCORE_EPISTEMIC)[1] == -10.0);
    assert_true(crd_prediction_score(p, CRD_SCORE_EPISTEMIC_CLASS)[1] == -9.0);
    assert_null(crd_prediction_score(p, (crd_score)4));
    assert_null(crd_prediction_score(p, (crd_score)-1));
    crd_prediction_free(&p);
    assert_null(p);
    crd_prediction_free(&p);
    p = make_prediction(false, "red", "blue");
    assert_null(crd_prediction_alpha(p));
    assert_null(crd_prediction_score(p, CRD_SCORE_EPISTEMIC));
    crd_prediction_free(&p);
}

/* ---- rejection ---- */

static void assert_rejected(crd_prediction *p, crd_rejection rejection, const char *flags)
{
    int64_t rejected = -1, expected = 0;
    crd_error error = {0};
    if (crd_prediction_reject(p, &rejection, &rejected, &error) != CRD_OK) fail_msg("%s", error.message);
    for (int i = 0; i < NODES; i++) {
        assert_int_equal(p->rejected[i], flags[i] - '0');
        expected += flags[i] - '0';
    }
    assert_int_equal(rejected, expected);
}

static void reject_by_threshold(void **state)
{
    (void)state;
    crd_prediction *p = make_prediction(true, "red", "blue");
    crd_rejection r = {.size = sizeof r, .by_threshold = true, .score = CRD_SCORE_EPISTEMIC}; /* -4, -10, -2, -2e10 */
    r.above = -4.0;                                                                           /* above, not at */
    assert_rejected(p, r, "0010");
    r.above = -4.5;
    assert_rejected(p, r, "1010");
    r.above = 0.0;
    assert_rejected(p, r, "0000");
    r.above = -INFINITY;
    assert_rejected(p, r, "1111");
    r = (crd_rejection){
        .size = sizeof(crd_rejection), .by_threshold = true, .above = -0.8, .score = CRD_SCORE_ALEATORIC};
    assert_rejected(p, r, "1010");
    /* No rejection: the marks are removed. */
    int64_t rejected = -1;
    r = (crd_rejection){.size = sizeof(crd_rejection)};
    assert_int_equal(crd_prediction_reject(p, &r, &rejected, NULL), CRD_OK);
    assert_int_equal(rejected, 0);
    assert_null(p->rejected);
    crd_prediction_free(&p);
}

static void reject_by_coverage(void **state)
{
    (void)state;
    crd_prediction *p = make_prediction(true, "red", "blue");
    crd_rejection r = {.size = sizeof r, .by_coverage = true, .score = CRD_SCORE_EPISTEMIC};
    r.coverage = 1.0;
    assert_rejected(p, r, "0000");
    r.coverage = 0.75;
    assert_rejected(p, r, "0010");
    r.coverage = 0.5;
    assert_rejected(p, r, "1010");
    r.coverage = 0.6; /* 2.4 nodes, rounded to the nearest number */
    assert_rejected(p, r, "1010");
    r.coverage = 0.0;
    assert_rejected(p, r, "1111");
    /* Ties: exactly the requested fraction; smaller numbers are answered first. */
    for (int i = 0; i < NODES; i++) p->score[CRD_SCORE_EPISTEMIC][i] = -1.0;
    r.coverage = 0.5;
    assert_rejected(p, r, "0011");
    p->score[CRD_SCORE_EPISTEMIC][0] = NAN; /* NaN counts as the largest doubt */
    r.coverage = 0.75;
    assert_rejected(p, r, "1000");
    r = (crd_rejection){
        .size = sizeof(crd_rejection), .by_threshold = true, .above = 5.0, .score = CRD_SCORE_EPISTEMIC};
    assert_rejected(p, r, "1000");
    crd_prediction_free(&p);
}

static void assert_not_rejected(crd_prediction *p, crd_rejection rejection, const char *message)
{
    int64_t rejected = -1;
    crd_error error;
    assert_int_equal(crd_prediction_reject(p, &rejection, &rejected, &error), CRD_ERROR_ARGUMENT);
    assert_string_equal(error.message, message);
    assert_int_equal(rejected, -1);
}

static void bad_rejections(void **state)
{
    (void)state;
    crd_prediction *p = make_prediction(false, "red", "blue");
    assert_not_rejected(p, (crd_rejection){.size = sizeof(crd_rejection), .by_threshold = true, .by_coverage = true},
                        "nodes can be rejected above a threshold or by coverage, not both at once");
    assert_not_rejected(
        p, (crd_rejection){.size = sizeof(crd_rejection), .by_coverage = true, .score = CRD_SCORE_EPISTEMIC},
        "the model gives no epistemic uncertainty to reject nodes by, but aleatoric");
    assert_not_rejected(
        p,
        (crd_rejection){
            .size = sizeof(crd_rejection), .by_threshold = true, .above = NAN, .score = CRD_SCORE_ALEATORIC},
        "the threshold to reject nodes above is not a number");
    assert_not_rejected(
        p,
        (crd_rejection){
            .size = sizeof(crd_rejection), .by_coverage = true, .coverage = 1.5, .score = CRD_SCORE_ALEATORIC},
        "the coverage is 1.5, expected 0 to 1");
    assert_not_rejected(
        p,
        (crd_rejection){
            .size = sizeof(crd_rejection), .by_coverage = true, .coverage = NAN, .score = CRD_SCORE_ALEATORIC},
        "the coverage is nan, expected 0 to 1");
    crd_prediction_free(&p);
}

/* ---- CSV ---- */

static void csv_plain(void **state)
{
    (void)state;
    crd_prediction *p = make_prediction(true, "red", "blue");
    assert_string_equal(written(p, NULL, "out.csv", CRD_TABLE_AUTO, false),
                        "node,class,probability,aleatoric,epistemic,epistemic_features\n"
                        "0,red,0.75,-0.75,-4,-2.5\n"
                        "1,blue,0.9,-0.9,-10,-2\n"
                        "2,red,0.5,-0.5,-2,-2\n"
                        "3,red,1,-0.99999999995,-20000000002,-8\n");
    crd_prediction_free(&p);
}

static void csv_everything(void **state)
{
    (void)state;
    crd_prediction *p = make_prediction(true, "a, b", "the \"other\"");
    crd_dataset *dataset = named_dataset(NODES);
    crd_rejection r = {.size = sizeof r, .by_coverage = true, .coverage = 0.75, .score = CRD_SCORE_EPISTEMIC};
    assert_int_equal(crd_prediction_reject(p, &r, NULL, NULL), CRD_OK);
    assert_string_equal(written(p, dataset, "out.txt", CRD_TABLE_CSV, true),
                        "node,name,class,probability,aleatoric,epistemic,epistemic_features,reject,"
                        "\"alpha_a, b\",\"alpha_the \"\"other\"\"\",\"p_a, b\",\"p_the \"\"other\"\"\"\n"
                        "0,ann,\"a, b\",0.75,-0.75,-4,-2.5,0,3,1,0.75,0.25\n"
                        "1,\"b,ob\",\"the \"\"other\"\"\",0.9,-0.9,-10,-2,0,1,9,0.1,0.9\n"
                        "2,\"say \"\"hi\"\"\",\"a, b\",0.5,-0.5,-2,-2,1,1,1,0.5,0.5\n"
                        "3,\"two\nlines\",\"a, b\",1,-0.99999999995,-20000000002,-8,0,2e+10,1,1,0\n");
    crd_dataset_free(&dataset);
    crd_prediction_free(&p);
}

/* Cells are empty if a model lacks the value, so that tables of all models have the same columns. */
static void csv_of_a_model_without_evidence(void **state)
{
    (void)state;
    crd_prediction *p = make_prediction(false, "", " x");
    assert_string_equal(written(p, NULL, "out.csv", CRD_TABLE_AUTO, true),
                        "node,class,probability,aleatoric,epistemic,epistemic_features,"
                        "alpha_,alpha_ x,p_,p_ x\n"
                        "0,\"\",0.75,-0.75,,,,,0.75,0.25\n"
                        "1,\" x\",0.9,-0.8999999761581421,,,,,0.1,0.9\n"
                        "2,\"\",0.5,-0.5,,,,,0.5,0.5\n"
                        "3,\"\",1,-1,,,,,1,0\n");
    crd_prediction_free(&p);
}

/* ---- JSON lines ---- */

static void jsonl(void **state)
{
    (void)state;
    crd_prediction *p = make_prediction(true, "a, b", "the \"other\"");
    crd_dataset *dataset = named_dataset(NODES);
    crd_rejection r = {.size = sizeof r, .by_coverage = true, .coverage = 0.75, .score = CRD_SCORE_EPISTEMIC};
    assert_int_equal(crd_prediction_reject(p, &r, NULL, NULL), CRD_OK);
    const char *text = written(p, dataset, "out.jsonl", CRD_TABLE_AUTO, true);
    assert_non_null(strstr(text, "{\"node\":1,\"name\":\"b,ob\",\"class\":\"the \\\"other\\\"\","
                                 "\"probability\":0.9,\"aleatoric\":-0.9,"
                                 "\"epistemic\":-10,\"epistemic_features\":-2,\"reject\":0,"
                                 "\"alpha\":[1,9],\"p\":[0.1,0.9]}\n"));
    int lines = 0;
    for (const char *c = text; *c != '\0'; c++) lines += *c == '\n';
    assert_int_equal(lines, NODES);
    crd_dataset_free(&dataset);
    crd_prediction_free(&p);
    p = make_prediction(false, "red", "blue");
    text = written(p, NULL, "out.jsonl", CRD_TABLE_AUTO, true);
    static const char first[] = "{\"node\":0,\"class\":\"red\",\"probability\":0.75,\"aleatoric\":-0.75,"
                                "\"epistemic\":null,\"epistemic_features\":null,\"alpha\":null,"
                                "\"p\":[0.75,0.25]}\n";
    assert_memory_equal(text, first, strlen(first));
    crd_prediction_free(&p);
}

/* ---- NPZ ---- */

static crd_source *open_array(crd_archive *bag, const char *name, const char *description, crd_npy *npy)
{
    crd_source *source;
    char found[64];
    crd_error error = {0};
    if (crd_archive_array(bag, name, npy, &source, &error) != CRD_OK) fail_msg("%s", error.message);
    crd_npy_describe(npy, found, sizeof found);
    assert_string_equal(found, description);
    return source;
}

static void assert_doubles(crd_archive *bag, const char *name, const char *description, const double *expected)
{
    crd_npy npy;
    crd_source *source = open_array(bag, name, description, &npy);
    double *items;
    assert_int_equal(crd_npy_read(source, &npy, CRD_NPY_F8, &items, NULL), CRD_OK);
    for (int64_t i = 0; i < npy.count; i++) assert_true(items[i] == expected[i]);
    free(items);
    crd_source_free(&source);
}

static void assert_strings(crd_archive *bag, const char *name, const char *const *expected)
{
    crd_npy npy;
    crd_source *source;
    char **items;
    assert_int_equal(crd_archive_array(bag, name, &npy, &source, NULL), CRD_OK);
    assert_int_equal(crd_npy_read(source, &npy, CRD_NPY_TEXT, &items, NULL), CRD_OK);
    for (int64_t i = 0; i < npy.count; i++) assert_string_equal(items[i], expected[i]);
    crd_strings_free(&items, npy.count);
    crd_source_free(&source);
}

static void npz(void **state)
{
    (void)state;
    crd_prediction *p = make_prediction(true, "a, b", "x");
    crd_dataset *dataset = named_dataset(NODES);
    crd_rejection r = {.size = sizeof r, .by_coverage = true, .coverage = 0.75, .score = CRD_SCORE_EPISTEMIC};
    assert_int_equal(crd_prediction_reject(p, &r, NULL, NULL), CRD_OK);
    const char *path = in_folder("out.npz");
    assert_int_equal(crd_prediction_write(p, dataset, path, CRD_TABLE_AUTO, true, NULL), CRD_OK);
    crd_archive *bag;
    assert_int_equal(crd_archive_open(path, &bag, NULL), CRD_OK);
    double p64[NODES * CLASSES], alpha64[NODES * CLASSES];
    for (int i = 0; i < NODES * CLASSES; i++) {
        p64[i] = (double)probability[i];
        alpha64[i] = (double)alpha[i];
    }
    assert_doubles(bag, "node", "int64[4]", (double[]){0, 1, 2, 3});
    assert_doubles(bag, "class", "int32[4]", (double[]){0, 1, 0, 0});
    assert_doubles(bag, "probability", "float32[4]", (double[]){0.75, (double)0.9f, 0.5, 1.0});
    assert_doubles(bag, "aleatoric", "float64[4]", p->score[CRD_SCORE_ALEATORIC]);
    assert_doubles(bag, "epistemic", "float64[4]", (double[]){-4, -10, -2, -20000000002.0});
    assert_doubles(bag, "epistemic_features", "float64[4]", (double[]){-2.5, -2, -2, -8});
    assert_doubles(bag, "reject", "bool[4]", (double[]){0, 0, 1, 0});
    assert_doubles(bag, "alpha", "float32[4,2]", alpha64);
    assert_doubles(bag, "p", "float32[4,2]", p64);
    assert_strings(bag, "class_names", (const char *const[]){"a, b", "x"});
    assert_strings(bag, "node_names", (const char *const[]){"ann", "b,ob", "say \"hi\"", "two\nlines"});
    crd_archive_free(&bag);
    unlink(path);
    crd_dataset_free(&dataset);
    crd_prediction_free(&p);
}

static void npz_of_a_model_without_evidence(void **state)
{
    (void)state;
    crd_prediction *p = make_prediction(false, "red", "blue");
    const char *path = in_folder("out.npz");
    assert_int_equal(crd_prediction_write(p, NULL, path, CRD_TABLE_AUTO, true, NULL), CRD_OK);
    crd_archive *bag;
    assert_int_equal(crd_archive_open(path, &bag, NULL), CRD_OK);
    static const char *const absent[] = {"epistemic", "epistemic_features", "reject", "alpha", "node_names"};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) assert_false(crd_archive_has(bag, absent[i]));
    assert_true(crd_archive_has(bag, "p"));
    crd_archive_free(&bag);
    assert_int_equal(crd_prediction_write(p, NULL, path, CRD_TABLE_NPZ, false, NULL), CRD_OK);
    assert_int_equal(crd_archive_open(path, &bag, NULL), CRD_OK);
    assert_false(crd_archive_has(bag, "p"));
    crd_archive_free(&bag);
    unlink(path);
    crd_prediction_free(&p);
}

/* ---- write errors ---- */

static void assert_not_written(const crd_prediction *p, const crd_dataset *dataset, const char *path,
                               crd_table_format format, crd_status expected, const char *message)
{
    crd_error error;
    assert_int_equal(crd_prediction_write(p, dataset, path, format, false, &error), expected);
    if (strstr(error.message, message) == NULL) fail_msg("%s, expected %s", error.message, message);
}

static void bad_outputs(void **state)
{
    (void)state;
    crd_prediction *p = make_prediction(true, "red", "blue");
    crd_dataset *other = named_dataset(NODES + 1);
    assert_not_written(p, NULL, in_folder("out.parquet"), CRD_TABLE_AUTO, CRD_ERROR_ARGUMENT,
                       "the ending .parquet is none of");
    assert_not_written(p, other, in_folder("out.csv"), CRD_TABLE_CSV, CRD_ERROR_MISMATCH,
                       "the prediction is of 4 nodes, the dataset has 5");
    assert_int_equal(access(in_folder("out.csv"), F_OK), -1);
    assert_int_equal(crd_prediction_write(p, NULL, "/nowhere/out.csv", CRD_TABLE_AUTO, false, NULL), CRD_ERROR_IO);
    assert_int_equal(crd_prediction_write(p, NULL, "/nowhere/out.npz", CRD_TABLE_AUTO, false, NULL), CRD_ERROR_IO);
    assert_int_equal(crd_prediction_write(p, NULL, "/dev/full", CRD_TABLE_CSV, false, NULL), CRD_ERROR_IO);
    assert_int_equal(crd_prediction_write(p, NULL, in_folder("x"), (crd_table_format)9, false, NULL),
                     CRD_ERROR_ARGUMENT);
    crd_dataset_free(&other);
    crd_prediction_free(&p);
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/credence-test-prediction-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder); /* fails if a test left something behind */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accessors),
        cmocka_unit_test(reject_by_threshold),
        cmocka_unit_test(reject_by_coverage),
        cmocka_unit_test(bad_rejections),
        cmocka_unit_test(csv_plain),
        cmocka_unit_test(csv_everything),
        cmocka_unit_test(csv_of_a_model_without_evidence),
        cmocka_unit_test(jsonl),
        cmocka_unit_test(npz),
        cmocka_unit_test(npz_of_a_model_without_evidence),
        cmocka_unit_test(bad_outputs),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
