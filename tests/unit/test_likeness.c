/* SPDX-License-Identifier: MIT */
/* Names of features, from files to models, and data that look unlike those of training. */
#include <math.h>
#include <stdlib.h>

#include "unit/dataset_helpers.h"

#include "base/random.h"
#include "models/model.h"

enum { NODES = 60, COLUMNS = 12 };

/* Feature j is positive in about one of 1 + j nodes. Column c of the data is feature order[c]; NULL: in order. */
static crd_dataset *make(const int *order, bool named, bool dense, uint64_t seed)
{
    static float x[NODES * COLUMNS];
    static char text[COLUMNS][16];
    const char *names[COLUMNS];
    int64_t from[NODES], to[NODES];
    int32_t labels[NODES];
    crd_rng rng = crd_rng_start(seed, 0);
    for (int i = 0; i < NODES; i++) {
        float value[COLUMNS];
        from[i] = i;
        to[i] = (i + 1) % NODES;
        labels[i] = i % 3;
        for (int j = 0; j < COLUMNS; j++) {
            const double drawn = crd_rng_uniform(&rng);
            value[j] = dense ? (float)(drawn + 0.2 * (j + 1)) : drawn * (1 + j) < 1.0 ? 1.0f : 0.0f;
        }
        for (int c = 0; c < COLUMNS; c++) x[i * COLUMNS + c] = value[order != NULL ? order[c] : c];
    }
    for (int c = 0; c < COLUMNS; c++) {
        snprintf(text[c], sizeof text[c], "word %c", 'a' + (order != NULL ? order[c] : c));
        names[c] = text[c];
    }
    crd_arrays arrays = {.size = sizeof(crd_arrays),
                         .nodes = NODES,
                         .edges = NODES,
                         .source = {from, CRD_INT64},
                         .target = {to, CRD_INT64},
                         .features = COLUMNS,
                         .dense = {x, CRD_FLOAT32},
                         .labels = labels,
                         .feature_names = named ? names : NULL};
    crd_dataset *dataset = NULL;
    crd_error error = {0};
    if (crd_dataset_from_arrays(&arrays, &dataset, &error) != CRD_OK) fail_msg("%s", error.message);
    return dataset;
}

static crd_model *train(const crd_dataset *dataset)
{
    crd_config *config = NULL;
    crd_split *split = NULL;
    crd_model *model = NULL;
    crd_error error = {0};
    assert_int_equal(crd_config_new(&config, NULL), CRD_OK);
    assert_int_equal(crd_config_set(config, "model", "gpn", NULL), CRD_OK);
    assert_int_equal(crd_config_set(config, "max-epochs", "1", NULL), CRD_OK);
    assert_int_equal(crd_config_set(config, "hidden", "4", NULL), CRD_OK);
    assert_int_equal(crd_split_make(dataset, "40/20/40", 0, 1, &split, NULL), CRD_OK);
    if (crd_train(dataset, split, config, NULL, &model, &error) != CRD_OK) fail_msg("%s", error.message);
    crd_split_free(&split);
    crd_config_free(&config);
    return model;
}

/* Saves the model and reads it again. */
static crd_model *reread(void **state, crd_model *model)
{
    crd_model *read = NULL;
    const char *path = in(state, "m.safetensors");
    assert_int_equal(crd_model_save(model, path, NULL), CRD_OK);
    assert_int_equal(crd_model_load(path, &read, NULL), CRD_OK);
    crd_model_free(&model);
    return read;
}

static crd_status predict(const crd_model *model, const crd_dataset *dataset, crd_error *error)
{
    crd_prediction *prediction = NULL;
    crd_status status = crd_predict(model, dataset, CRD_THREADS(1), &prediction, error);
    crd_prediction_free(&prediction);
    return status;
}

static const int SHUFFLED[COLUMNS] = {7, 2, 10, 0, 4, 11, 1, 9, 3, 6, 8, 5};

static void names_come_from_every_file(void **state)
{
    crd_dataset *dataset = make(NULL, true, true, 1);
    static const crd_format formats[] = {CRD_FORMAT_NPZ, CRD_FORMAT_NPY, CRD_FORMAT_CSV, CRD_FORMAT_MTX};
    static const char *const paths[] = {"d.npz", "npy", "csv", "mtx"};
    for (int i = 0; i < 4; i++) {
        crd_error error = {0};
        const char *path = in(state, paths[i]);
        if (crd_dataset_save(dataset, path, formats[i], &error) != CRD_OK) fail_msg("%s", error.message);
        crd_dataset *read = open_with(path, NULL, NULL);
        assert_string_equal(crd_dataset_feature_name(read, 11), "word l");
        assert_string_equal(crd_dataset_fingerprint(read), crd_dataset_fingerprint(dataset));
        crd_dataset_free(&read);
    }
    assert_null(crd_dataset_feature_name(dataset, 12));
    assert_null(crd_dataset_feature_name(dataset, -1));
    crd_dataset_free(&dataset);
}

static const char *name_at(const char *edges, const char *features, int64_t column)
{
    static char name[64];
    crd_dataset *dataset = open_with(edges, features, NULL);
    const char *found = crd_dataset_feature_name(dataset, column);
    snprintf(name, sizeof name, "%s", found != NULL ? found : "none");
    crd_dataset_free(&dataset);
    return name;
}

/* Columns of ids and indices have no place among the names. */
static void headers_are_names(void **state)
{
    const char *edges = put(state, "e.csv", "0,1\n1,2\n");
    assert_string_equal(name_at(edges, put(state, "a.csv", "age,income\n1,2\n3,4\n5,6\n"), 1), "income");
    assert_string_equal(name_at(edges, put(state, "b.csv", "node,age,income\n0,1,2\n1,3,4\n2,5,6\n"), 0), "age");
    assert_string_equal(name_at(edges, put(state, "c.csv", ",id,age\n0,0,2\n1,1,4\n2,2,6\n"), 0), "age");
    assert_string_equal(name_at(edges, put(state, "d.csv", "1,2\n3,4\n5,6\n"), 0), "none");
    assert_string_equal(name_at(edges, put(state, "f.csv", "f0,f1\n1,2\n3,4\n5,6\n"), 0), "none");
    assert_string_equal(name_at(edges, put(state, "g.csv", "f1,f0\n1,2\n3,4\n5,6\n"), 0), "f1");
    assert_string_equal(name_at(edges, put(state, "h.csv", "age,age\n1,2\n3,4\n5,6\n"), 0), "none"); /* with a note */
    crd_dataset *dataset = open_with(edges, in(state, "h.csv"), NULL);
    assert_true(has_note(dataset, "the names are not used: feature 1 has the name of an earlier one"));
    crd_dataset_free(&dataset);
}

static void lists_that_do_not_fit(void **state)
{
    static const int64_t pairs[] = {0, 1, 1, 2};
    static const float x[] = {1, 2, 3, 4, 5, 6};
    static const char *const names[] = {"a", "b", "c"};
    for (int64_t count = 2; count <= 3; count++) {
        const char *path = in(state, "n.npz");
        array_writer *writer = start_npz(path);
        add_array(writer, "edge_index", CRD_NPY_I8, 2, 2, 2, pairs);
        add_array(writer, "x", CRD_NPY_F4, 2, 3, 2, x);
        add_strings(writer, "attr_names", count, names);
        end_npz(writer);
        crd_dataset *dataset = open_with(path, NULL, NULL);
        if (count == 2) assert_string_equal(crd_dataset_feature_name(dataset, 1), "b");
        else assert_true(has_note(dataset, "has the names of 3 features, but there are 2: left out"));
        crd_dataset_free(&dataset);
    }
}

static void columns_in_another_order(void **state)
{
    for (int dense = 0; dense < 2; dense++) {
        crd_dataset *dataset = make(NULL, true, dense, 1), *other = make(SHUFFLED, true, dense, 1);
        crd_model *model = reread(state, train(dataset));
        crd_error error = {0};
        bool moved;
        assert_int_equal(predict(model, dataset, &error), CRD_OK);
        assert_int_equal(predict(model, other, &error), CRD_ERROR_MISMATCH);
        assert_non_null(strstr(error.message, "number 0 is 'word h', expected 'word a'"));
        assert_int_equal(crd_model_align(model, other, &moved, &error), CRD_OK);
        assert_true(moved);
        assert_string_equal(crd_dataset_feature_name(other, 5), "word f");
        for (int i = 0; i < NODES; i++)
            for (int j = 0; j < COLUMNS; j++) assert_true(feature(other, i, j) == feature(dataset, i, j));
        assert_string_equal(crd_dataset_fingerprint(other), crd_dataset_fingerprint(dataset));
        assert_int_equal(crd_model_align(model, other, &moved, &error), CRD_OK);
        assert_false(moved);
        assert_int_equal(predict(model, other, &error), CRD_OK);
        crd_string_free(&other->feature_names[3]);
        assert_int_equal(crd_copy_string(&other->feature_names[3], "new", NULL), CRD_OK);
        assert_int_equal(crd_model_align(model, other, &moved, &error), CRD_ERROR_MISMATCH);
        assert_non_null(
            strstr(error.message, "no feature called 'word d', which the model was trained on as number 3"));
        crd_model_free(&model);
        crd_dataset_free(&dataset);
        crd_dataset_free(&other);
    }
}

/* ---- tables with categories ---- */

/* Nodes in a ring with classes, and a table of features that has so many rows per line of `rows`. */
static crd_dataset *table(void **state, const char *header, const char *const *rows, const char *categories)
{
    char text[NODES * 48], edges[NODES * 8], labels[NODES * 8];
    size_t length = (size_t)snprintf(text, sizeof text, "%s\n", header), e = 0, l = 0;
    int count = 0;
    while (rows[count] != NULL) count++;
    for (int i = 0; i < NODES; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "%d,%s\n", i, rows[i % count]);
        e += (size_t)snprintf(edges + e, sizeof edges - e, "%d,%d\n", i, (i + 1) % NODES);
        l += (size_t)snprintf(labels + l, sizeof labels - l, "%d,%d\n", i, i % 3);
    }
    crd_open_options options = {.size = sizeof options,
                                .features = put(state, "f.csv", text),
                                .labels = put(state, "l.csv", labels),
                                .category_columns = categories};
    crd_dataset *dataset = NULL;
    crd_error error = {0};
    if (crd_dataset_open(put(state, "e.csv", edges), &options, &dataset, &error) != CRD_OK)
        fail_msg("%s", error.message);
    return dataset;
}

static void check_aligned(const crd_model *model, crd_dataset *dataset, const char *row, const char *note)
{
    char found[64] = "";
    crd_error error = {0};
    bool moved;
    if (crd_model_align(model, dataset, &moved, &error) != CRD_OK) fail_msg("%s", error.message);
    for (int64_t j = 0; j < crd_dataset_features(dataset); j++) {
        const size_t length = strlen(found);
        snprintf(found + length, sizeof found - length, "%s%g", j > 0 ? " " : "", (double)feature(dataset, 0, j));
        assert_string_equal(crd_dataset_feature_name(dataset, j), model->feature_names[j]);
    }
    assert_string_equal(found, row);
    if (note != NULL) assert_true(has_note(dataset, note));
    assert_int_equal(predict(model, dataset, &error), CRD_OK);
    crd_dataset_free(&dataset);
}

static void refuses_table(const crd_model *model, crd_dataset *dataset, const char *message)
{
    crd_error error = {0};
    bool moved;
    assert_int_equal(crd_model_align(model, dataset, &moved, &error), CRD_ERROR_MISMATCH);
    assert_false(moved);
    if (strstr(error.message, message) == NULL) fail_msg("'%s' is not in '%s'", message, error.message);
    crd_dataset_free(&dataset);
}

#define ROWS(...)                                                                                                      \
    (const char *const[])                                                                                              \
    {                                                                                                                  \
        __VA_ARGS__, NULL                                                                                              \
    }

static void other_values_of_columns(void **state)
{
    const char *header = "node,age,colour";
    crd_dataset *training = table(state, header, ROWS("20,red", "30,blue", ",green"), NULL);
    crd_model *model = reread(state, train(training)); /* age, age is missing, colour=blue, =green, =red */
    crd_dataset_free(&training);
    check_aligned(model, table(state, "node,colour,age", ROWS("green,20", "red,30", "blue,"), NULL), "20 0 0 1 0",
                  NULL);
    check_aligned(model, table(state, header, ROWS("20,red", "30,violet"), NULL), "20 0 0 0 1",
                  "1 feature, such as 'colour=violet', did not occur when the model was trained: left out");
    check_aligned(model, table(state, header, ROWS("20,violet"), NULL), "20 0 0 0 0", "'colour=violet'");
    check_aligned(model, table(state, header, ROWS("20,NA"), NULL), "20 0 0 0 0", NULL); /* a column without values */
    check_aligned(model, table(state, "node,age,colour,size", ROWS("20,red,3"), NULL), "20 0 0 0 1",
                  "1 feature that the model does not know, such as 'size': left out");
    check_aligned(model, table(state, header, ROWS("20,7", "30,8"), "colour"), "20 0 0 0 0", "'colour=7'");
    refuses_table(model, table(state, header, ROWS("20,7", "30,8"), NULL),
                  "column 'colour' has numbers, but it had categories when the model was trained, such as "
                  "'colour=blue'; category-columns can say");
    refuses_table(model, table(state, header, ROWS("old,red"), NULL),
                  "column 'age' has texts, but it had numbers when the model was trained");
    refuses_table(model, table(state, "node,age,size", ROWS("20,3"), NULL),
                  "the data have no feature called 'colour=blue'");
    crd_model_free(&model);
}

/* Without names, only their numbers show that columns are in another order. */
static void unlike_data_are_noted(void **state)
{
    for (int dense = 0; dense < 2; dense++) {
        crd_dataset *dataset = make(NULL, false, dense, 1);
        crd_dataset *others[] = {make(NULL, true, dense, 2), make(SHUFFLED, true, dense, 2)};
        crd_model *model = reread(state, train(dataset));
        for (int i = 0; i < 2; i++) {
            char *notes = NULL;
            crd_error error = {0};
            assert_int_equal(crd_model_notes(model, others[i], &notes, &error), CRD_OK);
            if (i == 0) assert_null(notes);
            else assert_non_null(strstr(notes, "are their columns in the same order"));
            assert_int_equal(predict(model, others[i], &error), CRD_OK);
            crd_string_free(&notes);
            crd_dataset_free(&others[i]);
        }
        crd_model_free(&model);
        crd_dataset_free(&dataset);
    }
}

/* If features differ less from each other than from one sample to the next, nothing can be said. */
/* A column in another unit has the same level and share, but another size. */
static void units_are_noted(void **state)
{
    (void)state;
    for (int named = 0; named < 2; named++) {
        crd_dataset *dataset = make(NULL, named, true, 1), *other = make(NULL, named, true, 2);
        crd_model *model = train(dataset);
        char *notes;
        for (int64_t i = 0; i < NODES; i++) other->features.dense[i * COLUMNS + 3] *= 4.0f;
        assert_int_equal(crd_model_notes(model, other, &notes, NULL), CRD_OK);
        assert_null(notes);
        for (int64_t i = 0; i < NODES; i++) other->features.dense[i * COLUMNS + 3] *= 25.0f;
        assert_int_equal(crd_model_notes(model, other, &notes, NULL), CRD_OK);
        assert_non_null(
            strstr(notes, named ? "the values of feature 3 ('word d') are about 1" : "of feature 3 are about"));
        assert_non_null(strstr(notes, " times those of training; are the units the same?"));
        crd_string_free(&notes);
        for (int64_t i = 0; i < NODES; i++) other->features.dense[i * COLUMNS + 7] *= 0.01f;
        assert_int_equal(crd_model_notes(model, other, &notes, NULL), CRD_OK);
        assert_non_null(strstr(notes, "times those of training, and 1 other feature differs too;"));
        crd_string_free(&notes);
        crd_model_free(&model);
        crd_dataset_free(&dataset);
        crd_dataset_free(&other);
    }
}

static void nothing_to_compare(void **state)
{
    (void)state;
    crd_dataset *dataset = make(NULL, false, false, 1), *other = make(NULL, false, false, 2);
    crd_model *model = train(dataset);
    char *notes = NULL;
    for (int j = 0; j < 2 * COLUMNS; j++) model->seen[j] = 0.5f + (j % 2 ? 1e-3f : -1e-3f);
    assert_int_equal(crd_model_notes(model, other, &notes, NULL), CRD_OK);
    assert_null(notes);
    free(model->seen);
    model->seen = NULL; /* a file of an earlier version */
    assert_int_equal(crd_model_notes(model, other, &notes, NULL), CRD_OK);
    assert_null(notes);
    crd_model_free(&model);
    crd_dataset_free(&dataset);
    crd_dataset_free(&other);
}

/* A file whose names are not as many as its features. */
static void damaged_names(void **state)
{
    crd_dataset *dataset = make(NULL, true, false, 1);
    crd_model *model = train(dataset), *read = NULL;
    crd_error error = {0};
    size_t size;
    const char *path = in(state, "m.safetensors");
    assert_int_equal(crd_model_save(model, path, NULL), CRD_OK);
    unsigned char *bytes = get_bytes(path, &size);
    size_t at = 0;
    while (at + 7 < size && memcmp(bytes + at, "word f", 7) != 0) at++;
    assert_true(at + 7 < size);
    bytes[at + 6] = 'x'; /* two names become one */
    assert_int_equal(crd_model_load_memory(bytes, size, "test", &read, &error), CRD_ERROR_FORMAT);
    assert_string_equal(error.message, "test: features.names has 11 names, expected 12");
    bytes[at + 6] = 0;
    assert_int_equal(crd_model_load_memory(bytes, size, "test", &read, &error), CRD_OK);
    assert_string_equal(read->feature_names[5], "word f");
    crd_model_free(&read);
    free(bytes);
    crd_model_free(&model);
    crd_dataset_free(&dataset);
}

/* Weights of other features are no start. */
static void initial_weights(void **state)
{
    (void)state;
    crd_dataset *dataset = make(NULL, true, false, 1), *other = make(SHUFFLED, true, false, 1);
    crd_model *model = train(dataset), *second = NULL;
    crd_split *split = NULL;
    crd_error error = {0};
    const crd_train_options options = {.size = sizeof options, .init = model};
    assert_int_equal(crd_split_make(dataset, "40/20/40", 0, 1, &split, NULL), CRD_OK);
    assert_int_equal(crd_train(other, split, crd_model_config(model), &options, &second, &error), CRD_ERROR_MISMATCH);
    assert_non_null(strstr(error.message, "number 0 is 'word h', expected 'word a'"));
    crd_split_free(&split);
    crd_model_free(&model);
    crd_dataset_free(&dataset);
    crd_dataset_free(&other);
}

/* By hand: the bounds, what is usual, and what is beyond, from dense and from sparse features alike. */
static void beyond_bounds(void **state)
{
    (void)state;
    static float seen[] = {1, 0, 5, 2, 0, 6, 3, 4, 7, 9, 0, 8}; /* 4 x 3; 0 is never seen in the last column */
    static float asked[] = {9, 0, 5, 12, 0, 8, 3, 4, 0};
    static const int64_t start[] = {0, 2, 4, 7, 9}, asked_start[] = {0, 2, 4, 6};
    static const int32_t column[] = {0, 2, 0, 2, 0, 1, 2, 0, 2}, asked_column[] = {0, 2, 0, 2, 0, 1};
    static float value[] = {1, 5, 2, 6, 3, 4, 7, 9, 8}, asked_value[] = {9, 5, 12, 8, 3, 4};
    for (int sparse = 0; sparse < 2; sparse++) {
        crd_model model = {.features = 3};
        crd_prepared training = {.features = {4, 3, false, NULL, NULL, NULL, seen}};
        crd_prepared other = {.features = {3, 3, false, NULL, NULL, NULL, asked}};
        if (sparse) {
            training.features = (crd_features){.rows = 4,
                                               .columns = 3,
                                               .sparse = true,
                                               .start = (int64_t *)start,
                                               .column = (int32_t *)column,
                                               .value = value};
            other.features = (crd_features){.rows = 3,
                                            .columns = 3,
                                            .sparse = true,
                                            .start = (int64_t *)asked_start,
                                            .column = (int32_t *)asked_column,
                                            .value = asked_value};
        }
        double sum[4];
        assert_int_equal(crd_model_bound(&model, &training, NULL), CRD_OK);
        const float bounds[] = {1, 0, 5, 9, 4, 8};
        assert_memory_equal(model.bounds, bounds, sizeof bounds);
        /* the last row is 6 beyond 1 to 3, and 1 beyond 5 to 7 */
        assert_true(fabs((double)model.usual - (log1p(3.0) + log1p(0.5))) < 1e-6);
        assert_int_equal(crd_model_beyond(&model, &training, sum, NULL), CRD_OK);
        for (int i = 0; i < 4; i++) assert_true(sum[i] == 0.0);
        model.usual = 0.0f;
        assert_int_equal(crd_model_beyond(&model, &other, sum, NULL), CRD_OK);
        assert_true(sum[0] == 0.0);
        assert_true(fabs(sum[1] - log1p(3.0 / 8.0)) < 1e-12);
        assert_true(fabs(sum[2] - log1p(5.0 / 3.0)) < 1e-12);
        free(model.bounds);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names_come_from_every_file, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(headers_are_names, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(lists_that_do_not_fit, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(columns_in_another_order, make_folder, remove_folder),
        FOLDER_TEST(other_values_of_columns),
        cmocka_unit_test_setup_teardown(unlike_data_are_noted, make_folder, remove_folder),
        cmocka_unit_test(units_are_noted),
        cmocka_unit_test(beyond_bounds),
        cmocka_unit_test(nothing_to_compare),
        cmocka_unit_test_setup_teardown(damaged_names, make_folder, remove_folder),
        cmocka_unit_test(initial_weights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
