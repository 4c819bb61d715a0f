/* SPDX-License-Identifier: MIT */
/* Keeping some rows of a prediction: every array follows, and files name the original nodes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "answers/answers.h"
#include "credence_private.h"
#include "dataset_helpers.h"
#include "support/outcome.h"

enum { NODES = 5, CLASSES = 2 };

static const char *const node_names[NODES] = {"ann", "bob", "cat", "dan", "eve"};
static const float evidence[] = {3.0f, 0.0f, 0.0f, 2.0f, 8.0f, 6.0f, 0.0f, 1.0f, 14.0f, 0.0f};
static const float before[] = {1.0f, 0.0f, 0.0f, 0.5f, 2.0f, 1.0f, 0.0f, 0.25f, 5.0f, 0.0f};

static void *allocate(size_t size)
{
    void *memory = calloc(1, size);
    assert_non_null(memory);
    return memory;
}

/* alpha: (4,1) (1,3) (9,7) (1,2) (15,1), so the totals are 5, 4, 16, 3, 16. */
static crd_prediction *make_prediction(bool dirichlet)
{
    crd_prediction *p = allocate(sizeof *p);
    p->nodes = NODES;
    p->classes = CLASSES;
    p->class_index = allocate(NODES * sizeof *p->class_index);
    p->probability = allocate(NODES * CLASSES * sizeof *p->probability);
    p->class_names = allocate(CLASSES * sizeof *p->class_names);
    p->class_names[0] = strdup("red");
    p->class_names[1] = strdup("blue");
    for (int i = 0; i < NODES * CLASSES; i++) {
        const float total = 2.0f + evidence[i / 2 * 2] + evidence[i / 2 * 2 + 1];
        p->probability[i] = (1.0f + evidence[i]) / total;
    }
    crd_most_probable(p->probability, NODES, CLASSES, p->class_index);
    if (dirichlet) {
        p->alpha = allocate(NODES * CLASSES * sizeof *p->alpha);
        p->alpha_features = allocate(NODES * CLASSES * sizeof *p->alpha_features);
        for (int i = 0; i < NODES * CLASSES; i++) {
            p->alpha[i] = 1.0f + evidence[i];
            p->alpha_features[i] = 1.0f + before[i];
        }
    }
    assert_ok(crd_scores_make(evidence, before, NODES, CLASSES, p->score, NULL));
    for (int s = 0; s < CRD_SCORES && !dirichlet; s++) {
        if (s == CRD_SCORE_ALEATORIC) continue;
        free(p->score[s]);
        p->score[s] = NULL;
    }
    return p;
}

static crd_dataset *named_dataset(int64_t nodes)
{
    const int32_t labels[NODES] = {0, 1, 0, 1, 0};
    const crd_arrays arrays = {.size = sizeof(crd_arrays), .nodes = nodes, .labels = labels, .node_names = node_names};
    crd_dataset *dataset;
    assert_ok(crd_dataset_from_arrays(&arrays, &dataset, NULL));
    return dataset;
}

static void reject_above(crd_prediction *p, double above, int64_t expected)
{
    const crd_rejection r = {.size = sizeof r, .by_threshold = true, .above = above, .score = CRD_SCORE_EPISTEMIC};
    int64_t rejected;
    assert_ok(crd_prediction_reject(p, &r, &rejected, NULL));
    assert_int_equal(rejected, expected);
}

/* The rows equal those of these nodes in the whole prediction, in every array. */
static void assert_rows(const crd_prediction *p, const crd_prediction *whole, const int64_t *nodes, int64_t count)
{
    assert_int_equal(crd_prediction_nodes(p), count);
    for (int64_t row = 0; row < count; row++) {
        const int64_t n = nodes[row];
        assert_int_equal(crd_prediction_node(p, row), n);
        assert_int_equal(crd_prediction_class(p)[row], crd_prediction_class(whole)[n]);
        const float *found[] = {crd_prediction_probability(p), crd_prediction_alpha(p),
                                crd_prediction_alpha_features(p)};
        const float *expected[] = {crd_prediction_probability(whole), crd_prediction_alpha(whole),
                                   crd_prediction_alpha_features(whole)};
        for (int a = 0; a < 3; a++) {
            assert_int_equal(found[a] == NULL, expected[a] == NULL);
            for (int k = 0; k < CLASSES && found[a] != NULL; k++)
                assert_true(found[a][row * CLASSES + k] == expected[a][n * CLASSES + k]);
        }
        for (int s = CRD_SCORE_EPISTEMIC; s <= CRD_SCORE_EPISTEMIC_CLASS; s++) {
            const double *score = crd_prediction_score(p, (crd_score)s);
            const double *all = crd_prediction_score(whole, (crd_score)s);
            assert_int_equal(score == NULL, all == NULL);
            if (score != NULL) assert_true(score[row] == all[n]);
        }
        const uint8_t *marks = crd_prediction_rejected(p), *all_marks = crd_prediction_rejected(whole);
        assert_int_equal(marks == NULL, all_marks == NULL);
        if (marks != NULL) assert_int_equal(marks[row], all_marks[n]);
    }
    assert_int_equal(crd_prediction_node(p, -1), -1);
    assert_int_equal(crd_prediction_node(p, count), -1);
}

static void rows_move_together(void **state)
{
    (void)state;
    for (int form = 0; form < 3; form++) { /* bare, with evidence, with evidence and marks */
        crd_prediction *p = make_prediction(form > 0), *whole = make_prediction(form > 0);
        assert_null(crd_prediction_rejected(p));
        assert_rows(p, whole, (int64_t[]){0, 1, 2, 3, 4}, 5);
        if (form == 2) {
            reject_above(p, -4.5, 2); /* bob and dan */
            reject_above(whole, -4.5, 2);
        }
        assert_ok(crd_prediction_keep(p, (bool[]){true, true, true, true, true}, NULL));
        assert_rows(p, whole, (int64_t[]){0, 1, 2, 3, 4}, 5);
        assert_ok(crd_prediction_keep(p, (bool[]){false, true, false, true, true}, NULL));
        assert_rows(p, whole, (int64_t[]){1, 3, 4}, 3);
        assert_ok(crd_prediction_keep(p, (bool[]){false, true, true}, NULL)); /* rows now, not nodes */
        assert_rows(p, whole, (int64_t[]){3, 4}, 2);
        assert_ok(crd_prediction_keep(p, (bool[]){false, true}, NULL));
        assert_rows(p, whole, (int64_t[]){4}, 1);
        assert_ok(crd_prediction_keep(p, (bool[]){false}, NULL));
        assert_rows(p, whole, NULL, 0);
        assert_ok(crd_prediction_keep(p, (bool[]){true}, NULL)); /* no rows stay no rows */
        assert_rows(p, whole, NULL, 0);
        crd_prediction_free(&p);
        crd_prediction_free(&whole);
    }
}

/* Rejection marks the kept rows, by their uncertainties. */
static void reject_what_is_kept(void **state)
{
    (void)state;
    crd_prediction *p = make_prediction(true);
    assert_ok(crd_prediction_keep(p, (bool[]){true, false, false, true, true}, NULL)); /* -5, -3, -16 */
    reject_above(p, -4.0, 1);
    assert_memory_equal(crd_prediction_rejected(p), ((uint8_t[]){0, 1, 0}), 3);
    const crd_rejection third = {
        .size = sizeof third, .by_coverage = true, .coverage = 0.34, .score = CRD_SCORE_EPISTEMIC};
    int64_t rejected;
    assert_ok(crd_prediction_reject(p, &third, &rejected, NULL));
    assert_int_equal(rejected, 2);
    assert_memory_equal(crd_prediction_rejected(p), ((uint8_t[]){1, 1, 0}), 3);
    const crd_rejection none = {.size = sizeof none};
    assert_ok(crd_prediction_reject(p, &none, NULL, NULL));
    assert_null(crd_prediction_rejected(p));
    crd_prediction_free(&p);
}

/* ---- files ---- */

static const char *written(void **state, const crd_prediction *p, const crd_dataset *dataset, const char *name)
{
    static char text[2048];
    const char *path = in(state, name);
    crd_error error = {0};
    if (crd_prediction_write(p, dataset, path, CRD_TABLE_AUTO, true, &error) != CRD_OK) fail_msg("%s", error.message);
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    fclose(stream);
    return text;
}

#define HEADER                                                                                                         \
    "node,name,class,probability,aleatoric,epistemic,epistemic_features,reject,alpha_red,alpha_blue,"                  \
    "p_red,p_blue\n"

/* bob, cat and eve, then bob and eve; of these only bob is marked. */
static void text_files(void **state)
{
    crd_prediction *p = make_prediction(true);
    crd_dataset *dataset = named_dataset(NODES);
    reject_above(p, -10.0, 3);
    assert_ok(crd_prediction_keep(p, (bool[]){false, true, true, false, true}, NULL));
    assert_string_equal(written(state, p, dataset, "a.csv"),
                        HEADER "1,bob,blue,0.75,-0.75,-4,-2.5,1,1,3,0.25,0.75\n"
                               "2,cat,red,0.5625,-0.5625,-16,-5,0,9,7,0.5625,0.4375\n"
                               "4,eve,red,0.9375,-0.9375,-16,-7,0,15,1,0.9375,0.0625\n");
    assert_ok(crd_prediction_keep(p, (bool[]){true, false, true}, NULL));
    assert_string_equal(written(state, p, dataset, "a.jsonl"),
                        "{\"node\":1,\"name\":\"bob\",\"class\":\"blue\",\"probability\":0.75,"
                        "\"aleatoric\":-0.75,\"epistemic\":-4,\"epistemic_features\":-2.5,\"reject\":1,"
                        "\"alpha\":[1,3],\"p\":[0.25,0.75]}\n"
                        "{\"node\":4,\"name\":\"eve\",\"class\":\"red\",\"probability\":0.9375,"
                        "\"aleatoric\":-0.9375,\"epistemic\":-16,\"epistemic_features\":-7,\"reject\":0,"
                        "\"alpha\":[15,1],\"p\":[0.9375,0.0625]}\n");
    crd_dataset *small = named_dataset(NODES - 1); /* without eve */
    crd_error error = {0};
    assert_fails(crd_prediction_write(p, small, in(state, "b.csv"), CRD_TABLE_CSV, false, &error), CRD_ERROR_MISMATCH,
                 "the dataset has 4");
    assert_int_equal(access(in(state, "b.csv"), F_OK), -1);
    assert_ok(crd_prediction_keep(p, (bool[]){false, false}, NULL));
    assert_string_equal(written(state, p, dataset, "none.csv"), HEADER);
    assert_string_equal(written(state, p, dataset, "none.jsonl"), "");
    crd_dataset_free(&small);
    crd_dataset_free(&dataset);
    crd_prediction_free(&p);
}

static void assert_array(crd_archive *bag, const char *name, const char *description, const double *expected)
{
    crd_npy npy;
    crd_source *source;
    char found[64];
    double *items;
    assert_ok(crd_archive_array(bag, name, &npy, &source, NULL));
    crd_npy_describe(&npy, found, sizeof found);
    assert_string_equal(found, description);
    assert_ok(crd_npy_read(source, &npy, CRD_NPY_F8, &items, NULL));
    for (int64_t i = 0; i < npy.count; i++) assert_true(items[i] == expected[i]);
    free(items);
    crd_source_free(&source);
}

static void assert_names(crd_archive *bag, int64_t count, const char *const *expected)
{
    crd_npy npy;
    crd_source *source;
    char **items;
    assert_ok(crd_archive_array(bag, "node_names", &npy, &source, NULL));
    assert_int_equal(npy.count, count);
    assert_ok(crd_npy_read(source, &npy, CRD_NPY_TEXT, &items, NULL));
    for (int64_t i = 0; i < count; i++) assert_string_equal(items[i], expected[i]);
    crd_strings_free(&items, npy.count);
    crd_source_free(&source);
}

static void npz_file(void **state)
{
    crd_prediction *p = make_prediction(true);
    crd_dataset *dataset = named_dataset(NODES);
    const char *path = in(state, "a.npz");
    crd_archive *bag;
    reject_above(p, -10.0, 3);
    assert_ok(crd_prediction_keep(p, (bool[]){false, true, true, false, true}, NULL));
    assert_ok(crd_prediction_keep(p, (bool[]){true, false, true}, NULL));
    assert_ok(crd_prediction_write(p, dataset, path, CRD_TABLE_AUTO, true, NULL));
    assert_ok(crd_archive_open(path, &bag, NULL));
    assert_array(bag, "node", "int64[2]", (double[]){1, 4});
    assert_array(bag, "class", "int32[2]", (double[]){1, 0});
    assert_array(bag, "probability", "float32[2]", (double[]){0.75, 0.9375});
    assert_array(bag, "aleatoric", "float64[2]", (double[]){-0.75, -0.9375});
    assert_array(bag, "epistemic", "float64[2]", (double[]){-4, -16});
    assert_array(bag, "epistemic_features", "float64[2]", (double[]){-2.5, -7});
    assert_array(bag, "reject", "bool[2]", (double[]){1, 0});
    assert_array(bag, "alpha", "float32[2,2]", (double[]){1, 3, 15, 1});
    assert_array(bag, "p", "float32[2,2]", (double[]){0.25, 0.75, 0.9375, 0.0625});
    assert_names(bag, 2, (const char *const[]){"bob", "eve"});
    crd_archive_free(&bag);
    assert_ok(crd_prediction_keep(p, (bool[]){false, false}, NULL));
    assert_ok(crd_prediction_write(p, dataset, path, CRD_TABLE_AUTO, true, NULL));
    assert_ok(crd_archive_open(path, &bag, NULL));
    assert_array(bag, "node", "int64[0]", NULL);
    assert_array(bag, "alpha", "float32[0,2]", NULL);
    assert_names(bag, 0, NULL);
    crd_archive_free(&bag);
    crd_dataset_free(&dataset);
    crd_prediction_free(&p);
}

/* A map's columns come before the answer, move with their rows, and can be removed again. */
static void maps(void **state)
{
    crd_prediction *p = make_prediction(false);
    crd_dataset *dataset = named_dataset(NODES);
    const float map[] = {1, 2, 3, 4, 0.5f, -6, 1e-7f, 8, 9, NAN};
    assert_ok(crd_prediction_set_map(p, map, NULL));
    assert_ok(crd_prediction_keep(p, (bool[]){false, true, true, false, true}, NULL));
    const char *path = in(state, "map.csv");
    assert_ok(crd_prediction_write(p, dataset, path, CRD_TABLE_AUTO, false, NULL));
    FILE *stream = fopen(path, "rb");
    char text[512] = "";
    assert_non_null(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    fclose(stream);
    assert_string_equal(text, "node,name,x,y,class,probability,aleatoric,epistemic,epistemic_features\n"
                              "1,bob,3,4,blue,0.75,-0.75,,\n"
                              "2,cat,0.5,-6,red,0.5625,-0.5625,,\n"
                              "4,eve,9,,red,0.9375,-0.9375,,\n");
    assert_string_equal(written(state, p, dataset, "map.jsonl"),
                        "{\"node\":1,\"name\":\"bob\",\"x\":3,\"y\":4,\"class\":\"blue\",\"probability\":0.75,"
                        "\"aleatoric\":-0.75,\"epistemic\":null,\"epistemic_features\":null,\"alpha\":null,"
                        "\"p\":[0.25,0.75]}\n"
                        "{\"node\":2,\"name\":\"cat\",\"x\":0.5,\"y\":-6,\"class\":\"red\",\"probability\":0.5625,"
                        "\"aleatoric\":-0.5625,\"epistemic\":null,\"epistemic_features\":null,\"alpha\":null,"
                        "\"p\":[0.5625,0.4375]}\n"
                        "{\"node\":4,\"name\":\"eve\",\"x\":9,\"y\":null,\"class\":\"red\",\"probability\":0.9375,"
                        "\"aleatoric\":-0.9375,\"epistemic\":null,\"epistemic_features\":null,\"alpha\":null,"
                        "\"p\":[0.9375,0.0625]}\n");
    crd_archive *bag;
    path = in(state, "map.npz");
    assert_ok(crd_prediction_keep(p, (bool[]){true, true, false}, NULL));
    assert_ok(crd_prediction_write(p, dataset, path, CRD_TABLE_AUTO, false, NULL));
    assert_ok(crd_archive_open(path, &bag, NULL));
    assert_array(bag, "x", "float32[2]", (double[]){3, 0.5});
    assert_array(bag, "y", "float32[2]", (double[]){4, -6});
    crd_archive_free(&bag);
    assert_ok(crd_prediction_set_map(p, NULL, NULL));
    assert_ok(crd_prediction_write(p, dataset, path, CRD_TABLE_AUTO, false, NULL));
    assert_ok(crd_archive_open(path, &bag, NULL));
    assert_false(crd_archive_has(bag, "x"));
    crd_archive_free(&bag);
    crd_dataset_free(&dataset);
    crd_prediction_free(&p);
}

/* The formats of file name endings. */
static void endings(void **state)
{
    (void)state;
    crd_error error;
    crd_table_format format;
    const struct {
        const char *path;
        crd_table_format format;
    } known[] = {{"a.csv", CRD_TABLE_CSV},     {"-", CRD_TABLE_CSV},         {"/dev/stdout", CRD_TABLE_CSV},
                 {"x.y/a.npz", CRD_TABLE_NPZ}, {"a.jsonl", CRD_TABLE_JSONL}, {"a.ndjson", CRD_TABLE_JSONL},
                 {"x.y/a", CRD_TABLE_CSV}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_ok(crd_table_format_of(known[i].path, &format, NULL));
        assert_int_equal(format, known[i].format);
    }
    assert_fails(crd_table_format_of("a.png", &format, &error), CRD_ERROR_ARGUMENT, "the ending .png is none of");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_move_together),
        cmocka_unit_test(reject_what_is_kept),
        FOLDER_TEST(text_files),
        FOLDER_TEST(npz_file),
        FOLDER_TEST(maps),
        cmocka_unit_test(endings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
