/* SPDX-License-Identifier: MIT */
/* Named arrays: the layouts of .npz files and of folders of .npy files. */
#include "unit/dataset_helpers.h"

/* 3 nodes with the edges 0>2 0>1 1>2 2>0: the first row is out of order. */
static const int64_t indptr[] = {0, 2, 3, 4}, indices[] = {2, 1, 2, 0}, shape3[] = {3, 3};
static const float ones[] = {1, 1, 1, 1};
static const int64_t labels3[] = {1, 0, 1};

static array_writer *start_graph(const char *path, const char *prefix)
{
    char name[64];
    array_writer *writer = start_npz(path);
    snprintf(name, sizeof name, "%sdata", prefix);
    add_array(writer, name, CRD_NPY_F4, 1, 4, 0, ones);
    snprintf(name, sizeof name, "%sindices", prefix);
    add_array(writer, name, CRD_NPY_I8, 1, 4, 0, indices);
    snprintf(name, sizeof name, "%sindptr", prefix);
    add_array(writer, name, CRD_NPY_I8, 1, 4, 0, indptr);
    snprintf(name, sizeof name, "%sshape", prefix);
    add_array(writer, name, CRD_NPY_I8, 1, 2, 0, shape3);
    return writer;
}

static void compressed_layout_in_every_spelling(void **state)
{
    static const char *const prefixes[] = {"adj_", "adj_matrix.", "adj."};
    static const int64_t start[] = {0, 1, 1, 2}, column[] = {4, 0}, shape[] = {3, 5};
    static const float value[] = {0.5f, 2.0f};
    for (int i = 0; i < 3; i++) {
        const char *path = in(state, "d.npz");
        array_writer *writer = start_graph(path, prefixes[i]);
        add_array(writer, i == 1 ? "attr_matrix.data" : "attr_data", CRD_NPY_F4, 1, 2, 0, value);
        add_array(writer, i == 1 ? "attr_matrix.indices" : "attr_indices", CRD_NPY_I8, 1, 2, 0, column);
        add_array(writer, i == 1 ? "attr_matrix.indptr" : "attr_indptr", CRD_NPY_I8, 1, 4, 0, start);
        add_array(writer, i == 1 ? "attr_matrix.shape" : "attr_shape", CRD_NPY_I8, 1, 2, 0, shape);
        add_array(writer, "labels", CRD_NPY_I8, 1, 3, 0, labels3);
        end_npz(writer);
        crd_dataset *dataset = open_with(path, NULL, NULL);
        assert_string_equal(edges_of(&dataset->input), "0>1 0>2 1>2 2>0");
        assert_int_equal(crd_dataset_features(dataset), 5);
        assert_true(feature(dataset, 0, 4) == 0.5f && feature(dataset, 2, 0) == 2.0f);
        assert_string_equal(labels_of(dataset), "1 0 1");
        assert_int_equal(crd_dataset_note_count(dataset), 1);
        assert_true(has_note(dataset, "directed"));
        crd_dataset_free(&dataset);
    }
}

static void weights_and_zeros_are_noted(void **state)
{
    static const float weights[] = {0.0f, 2.5f, 1.0f, 0.0f};
    const char *path = in(state, "w.npz");
    array_writer *writer = start_npz(path);
    add_array(writer, "adj_data", CRD_NPY_F4, 1, 4, 0, weights);
    add_array(writer, "adj_indices", CRD_NPY_I8, 1, 4, 0, indices);
    add_array(writer, "adj_indptr", CRD_NPY_I8, 1, 4, 0, indptr);
    end_npz(writer);
    crd_dataset *dataset = open_with(path, NULL, NULL);
    assert_string_equal(edges_of(&dataset->input), "0>1 1>2");
    assert_true(has_note(dataset, "2 stored edges of weight 0 were left out"));
    assert_true(has_note(dataset, "weights are not used"));
    crd_dataset_free(&dataset);
}

static void missing_data_are_ones(void **state)
{
    const char *path = in(state, "p.npz");
    array_writer *writer = start_npz(path);
    add_array(writer, "adj_indices", CRD_NPY_I8, 1, 4, 0, indices);
    add_array(writer, "adj_indptr", CRD_NPY_I8, 1, 4, 0, indptr);
    add_array(writer, "attr_indices", CRD_NPY_I8, 1, 4, 0, indices);
    add_array(writer, "attr_indptr", CRD_NPY_I8, 1, 4, 0, indptr);
    end_npz(writer);
    crd_dataset *dataset = open_with(path, NULL, NULL);
    assert_string_equal(edges_of(&dataset->input), "0>1 0>2 1>2 2>0");
    assert_int_equal(crd_dataset_features(dataset), 3);
    assert_true(feature(dataset, 0, 1) == 1.0f && feature(dataset, 0, 0) == 0.0f);
    crd_dataset_free(&dataset);
}

static void refuse_compressed(void **state, int64_t first, int64_t middle, int64_t last, int64_t index,
                              const int64_t *shape, const char *part)
{
    const int64_t start[] = {first, middle, 2, last}, column[] = {index, 1, 2};
    const char *path = in(state, "bad.npz");
    array_writer *writer = start_npz(path);
    add_array(writer, "adj_indices", CRD_NPY_I8, 1, 3, 0, column);
    add_array(writer, "adj_indptr", CRD_NPY_I8, 1, 4, 0, start);
    add_array(writer, "adj_shape", CRD_NPY_I8, 1, 2, 0, shape);
    end_npz(writer);
    refuses_with(path, NULL, NULL, CRD_ERROR_FORMAT, part);
}

static void defects_of_compressed_arrays(void **state)
{
    static const int64_t four[] = {4, 4}, wide[] = {3, 5};
    refuse_compressed(state, 1, 1, 3, 0, shape3, "adj_indptr: starts with 1");
    refuse_compressed(state, 0, 3, 3, 0, shape3, "adj_indptr: item 2 is 2, less than");
    refuse_compressed(state, 0, 1, 4, 0, shape3, "adj_indptr: ends with 4, but 'adj_indices' has 3");
    refuse_compressed(state, 0, 1, 3, 3, shape3, "row 0 of the graph has neighbour 3, but the nodes are 0 to 2");
    refuse_compressed(state, 0, 1, 3, -1, shape3, "row 0 of the graph has neighbour -1");
    refuse_compressed(state, 0, 1, 3, 0, four, "adj_shape: expected [3, columns]");
    refuse_compressed(state, 0, 1, 3, 0, wide, "3 x 5, expected a square");
    const char *path = in(state, "none.npz");
    array_writer *writer = start_npz(path);
    add_array(writer, "labels", CRD_NPY_I8, 1, 3, 0, labels3);
    end_npz(writer);
    refuses_with(path, NULL, NULL, CRD_ERROR_FORMAT, "has no graph");
    writer = start_npz(path);
    add_array(writer, "adj_indptr", CRD_NPY_I8, 1, 4, 0, indptr);
    end_npz(writer);
    refuses_with(path, NULL, NULL, CRD_ERROR_FORMAT, "has no array 'adj_indices'");
}

static crd_dataset *open_pairs(void **state, const char *edges, int64_t rows, int64_t columns, const int64_t *pairs,
                               const char *features, const char *labels)
{
    static const float x[] = {1, 2, 3, 4, 5, 6};
    const char *path = in(state, "e.npz");
    array_writer *writer = start_npz(path);
    add_array(writer, edges, CRD_NPY_I8, 2, rows, columns, pairs);
    add_array(writer, features, CRD_NPY_F4, 2, 3, 2, x);
    add_array(writer, labels, CRD_NPY_I8, 2, 3, 1, labels3);
    end_npz(writer);
    crd_dataset *dataset = open_with(path, NULL, NULL);
    assert_int_equal(crd_dataset_nodes(dataset), 3);
    assert_true(feature(dataset, 1, 0) == 3.0f);
    assert_string_equal(labels_of(dataset), "1 0 1");
    return dataset;
}

static void pairs_in_either_shape(void **state)
{
    static const int64_t rows[] = {0, 1, 2, 1, 2, 0}, columns[] = {0, 1, 1, 2, 2, 0}, square[] = {0, 1, 1, 2};
    crd_dataset *dataset = open_pairs(state, "edge_index", 2, 3, rows, "x", "y");
    assert_string_equal(edges_of(&dataset->input), "0>1 1>2 2>0");
    crd_dataset_free(&dataset);
    dataset = open_pairs(state, "edges", 3, 2, columns, "node_features", "node_labels");
    assert_string_equal(edges_of(&dataset->input), "0>1 1>2 2>0");
    crd_dataset_free(&dataset);
    dataset = open_pairs(state, "edge_index", 2, 2, square, "features", "labels");
    assert_string_equal(edges_of(&dataset->input), "0>1 1>2");
    crd_dataset_free(&dataset);
    dataset = open_pairs(state, "edges", 2, 2, square, "attr_matrix", "labels");
    assert_string_equal(edges_of(&dataset->input), "0>1 1>2");
    crd_dataset_free(&dataset);
    static const int64_t asymmetric[] = {0, 2, 1, 1}; /* [2,E]: 0>1 2>1; [E,2]: 0>2 1>1 */
    dataset = open_pairs(state, "edge_index", 2, 2, asymmetric, "x", "y");
    assert_string_equal(edges_of(&dataset->input), "0>1 2>1");
    crd_dataset_free(&dataset);
    dataset = open_pairs(state, "edges", 2, 2, asymmetric, "x", "y");
    assert_string_equal(edges_of(&dataset->input), "0>2 1>1");
    crd_dataset_free(&dataset);
}

static void refuse_pairs(void **state, int64_t last, int dims, int64_t second, const char *part)
{
    const int64_t pairs[] = {0, 1, 1, last};
    const float x[] = {1, 2, 3};
    const char *path = in(state, "e.npz");
    array_writer *writer = start_npz(path);
    add_array(writer, "edge_index", CRD_NPY_I8, dims, dims == 1 ? 4 : 4 / second, second, pairs);
    add_array(writer, "x", CRD_NPY_F4, 1, 3, 0, x);
    end_npz(writer);
    crd_dataset *dataset = NULL;
    crd_error error = {0};
    assert_int_not_equal(crd_dataset_open(path, NULL, &dataset, &error), CRD_OK);
    if (strstr(error.message, part) == NULL) fail_msg("'%s' is not in '%s'", part, error.message);
}

static void defects_of_pairs(void **state)
{
    refuse_pairs(state, 3, 2, 2, "edge 1 joins nodes 1 and 3");
    refuse_pairs(state, -1, 2, 2, "negative node number -1");
    refuse_pairs(state, 2, 1, 0, "[2,E] or [E,2], found int64[4]");
    refuse_pairs(state, 2, 2, 4, "[2,E] or [E,2]");
    static const int64_t far[] = {0, 2000000};
    const char *path = in(state, "far.npz");
    array_writer *writer = start_npz(path);
    add_array(writer, "edge_index", CRD_NPY_I8, 2, 2, 1, far);
    end_npz(writer);
    refuses_with(path, NULL, NULL, CRD_ERROR_FORMAT, "node number 2000000, but there are only 1 edges");
}

static void open_labels(void **state, crd_npy_type type, const void *items, const char *expected, const char *part)
{
    const char *path = in(state, "l.npz");
    array_writer *writer = start_graph(path, "adj_");
    add_array(writer, "labels", type, 1, 3, 0, items);
    end_npz(writer);
    if (part != NULL) {
        refuses_with(path, NULL, NULL, CRD_ERROR_FORMAT, part);
        return;
    }
    crd_dataset *dataset = open_with(path, NULL, NULL);
    assert_string_equal(labels_of(dataset), expected);
    crd_dataset_free(&dataset);
}

static void labels_of_every_type(void **state)
{
    const double nan = strtod("nan", NULL);
    open_labels(state, CRD_NPY_I4, (int32_t[]){0, -1, 2}, "0 -1 1", NULL);
    open_labels(state, CRD_NPY_U1, (uint8_t[]){0, 1, 0}, "0 1 0", NULL);
    open_labels(state, CRD_NPY_F8, (double[]){1.0, nan, 0.0}, "1 -1 0", NULL);
    open_labels(state, CRD_NPY_F8, (double[]){1.0, 0.5, 0.0}, NULL, "label 1 is 0.5");
    open_labels(state, CRD_NPY_I8, (int64_t[]){0, -2, 1}, NULL, "label 1: label '-2' is negative");
    open_labels(state, CRD_NPY_I8, (int64_t[]){0, 1, 4}, NULL, "more classes than nodes");
    open_labels(state, CRD_NPY_I8, (int64_t[]){0, 1, INT64_MAX}, NULL, "label 2");
}

static void add_names(array_writer *writer, const char *array, const char *a, const char *b, const char *c)
{
    const char *names[] = {a, b, c};
    add_strings(writer, array, 3, names);
}

static void strings_are_class_names(void **state)
{
    const char *path = in(state, "s.npz");
    array_writer *writer = start_graph(path, "adj_");
    add_names(writer, "labels", "red", "blue", "red");
    add_names(writer, "node_names", "n1\n", " n2", "n3");
    end_npz(writer);
    crd_dataset *dataset = open_with(path, NULL, NULL);
    assert_string_equal(labels_of(dataset), "1 0 1");
    assert_string_equal(crd_dataset_class_name(dataset, 1), "red");
    assert_string_equal(crd_dataset_node_name(dataset, 0), "n1");
    assert_int_equal(crd_dataset_find_node(dataset, "n2"), 1);
    crd_dataset_free(&dataset);
    writer = start_graph(path, "adj_");
    add_names(writer, "labels", "10", "2", "10"); /* numbers as names: in the order of numbers, without gaps */
    end_npz(writer);
    dataset = open_with(path, NULL, NULL);
    assert_string_equal(labels_of(dataset), "1 0 1");
    assert_string_equal(crd_dataset_class_name(dataset, 0), "2");
    crd_dataset_free(&dataset);
    writer = start_graph(path, "adj_");
    add_names(writer, "labels", "b", "c", "b");
    add_names(writer, "class_names", "c", "x", "b");
    end_npz(writer);
    dataset = open_with(path, NULL, NULL);
    assert_string_equal(labels_of(dataset), "1 0 1");
    assert_string_equal(crd_dataset_class_name(dataset, 1), "b");
    assert_true(has_note(dataset, "class x has no labelled node and is left out"));
    crd_dataset_free(&dataset);
}

static void names_that_do_not_serve(void **state)
{
    const char *path = in(state, "n.npz");
    array_writer *writer = start_graph(path, "adj_");
    add_array(writer, "labels", CRD_NPY_I8, 1, 3, 0, labels3);
    add_names(writer, "class_names", "a", "b", "a");
    add_names(writer, "node_names", "p", "q", "p");
    add_array(writer, "year", CRD_NPY_I8, 1, 3, 0, labels3);
    end_npz(writer);
    crd_dataset *dataset = open_with(path, NULL, NULL);
    assert_string_equal(crd_dataset_class_name(dataset, 0), "0");
    assert_null(crd_dataset_node_name(dataset, 0));
    assert_true(has_note(dataset, "class 2 has the name of an earlier one"));
    assert_true(has_note(dataset, "node 2 has the name of an earlier one"));
    assert_true(has_note(dataset, "not used: 'year'"));
    crd_dataset_free(&dataset);
    writer = start_graph(path, "adj_");
    static const int64_t large[] = {0, 3, 1};
    add_array(writer, "labels", CRD_NPY_I8, 1, 3, 0, large);
    add_names(writer, "class_names", "a", "b", "c");
    end_npz(writer);
    refuses_with(path, NULL, NULL, CRD_ERROR_FORMAT, "label '3' is not below the number of class names");
}

static void class_names_for_labels_from_one(void **state)
{
    const char *path = in(state, "g.npz");
    static const int64_t all[] = {3, 1, 2}, some[] = {3, -1, 1}, zero[] = {3, 1, 0};
    array_writer *writer = start_graph(path, "adj_");
    add_array(writer, "labels", CRD_NPY_I8, 1, 3, 0, all);
    add_names(writer, "class_names", "a", "b", "c");
    end_npz(writer);
    crd_dataset *dataset = open_with(path, NULL, NULL);
    assert_string_equal(labels_of(dataset), "2 0 1");
    assert_string_equal(crd_dataset_class_name(dataset, 0), "a");
    assert_string_equal(crd_dataset_class_name(dataset, 2), "c");
    assert_true(has_note(dataset, "labels start at 1, which is the class a"));
    crd_dataset_free(&dataset);
    writer = start_graph(path, "adj_");
    add_array(writer, "labels", CRD_NPY_I8, 1, 3, 0, some);
    add_names(writer, "class_names", "a", "b", "c");
    end_npz(writer);
    dataset = open_with(path, NULL, NULL);
    assert_string_equal(labels_of(dataset), "1 -1 0");
    assert_string_equal(crd_dataset_class_name(dataset, 1), "c");
    assert_true(has_note(dataset, "class b has no labelled node and is left out"));
    crd_dataset_free(&dataset);
    writer = start_graph(path, "adj_");
    add_array(writer, "labels", CRD_NPY_I8, 1, 3, 0, zero);
    add_names(writer, "class_names", "a", "b", "c");
    end_npz(writer);
    refuses_with(path, NULL, NULL, CRD_ERROR_FORMAT, "label '3' is not below the number of class names");
}

static void splits_as_lists_and_masks(void **state)
{
    static const int64_t train[] = {2}, valid[] = {0}, test[] = {1}, both[] = {1, 2}, far[] = {3};
    static const uint8_t mask_train[] = {0, 0, 1}, mask_valid[] = {1, 0, 0}, mask_test[] = {0, 1, 0};
    static const uint8_t two_rows[] = {0, 0, 1, 1, 0, 0}, two_columns[] = {0, 1, 0, 0, 1, 0};
    static const char *const spelled[][3] = {
        {"split_train", "split_valid", "split_test"}, {"train_idx", "val_idx", "test_idx"}, {"train", "valid", "test"}};
    const char *path = in(state, "s.npz");
    for (int i = 0; i < 3; i++) {
        array_writer *writer = start_graph(path, "adj_");
        add_array(writer, spelled[i][0], CRD_NPY_I8, 1, 1, 0, train);
        add_array(writer, spelled[i][1], CRD_NPY_I8, 1, 1, 0, valid);
        add_array(writer, spelled[i][2], CRD_NPY_I8, 1, 1, 0, test);
        end_npz(writer);
        crd_dataset *dataset = open_with(path, NULL, NULL);
        assert_int_equal(dataset->splits, 1);
        assert_string_equal(roles_of(dataset), "vet");
        assert_false(has_note(dataset, "not used"));
        crd_dataset_free(&dataset);
    }
    for (int i = 0; i < 3; i++) { /* [nodes]; [splits,nodes]; [nodes,splits] with one test mask for all */
        array_writer *writer = start_graph(path, "adj_");
        if (i == 0) add_array(writer, "train_mask", CRD_NPY_U1, 1, 3, 0, mask_train);
        else if (i == 1) add_array(writer, "train_masks", CRD_NPY_U1, 2, 2, 3, two_rows);
        else add_array(writer, "train_mask", CRD_NPY_U1, 2, 3, 2, two_columns);
        if (i == 0) add_array(writer, "val_mask", CRD_NPY_U1, 1, 3, 0, mask_valid);
        add_array(writer, "test_mask", CRD_NPY_U1, 1, 3, 0, mask_test);
        end_npz(writer);
        crd_dataset *dataset = open_with(path, NULL, NULL);
        assert_string_equal(roles_of(dataset), i == 0 ? "vet" : "-ette-");
        crd_dataset_free(&dataset);
    }
    array_writer *writer = start_graph(path, "adj_");
    add_array(writer, "train", CRD_NPY_I8, 1, 2, 0, both);
    add_array(writer, "test", CRD_NPY_I8, 1, 1, 0, test);
    end_npz(writer);
    refuses_with(path, NULL, NULL, CRD_ERROR_FORMAT, "node 1 is named twice, as train and as test");
    writer = start_graph(path, "adj_");
    add_array(writer, "train", CRD_NPY_I8, 1, 1, 0, far);
    end_npz(writer);
    refuses_with(path, NULL, NULL, CRD_ERROR_MISMATCH, "train: item 0: node 3 does not exist, expected 0 to 2");
    writer = start_graph(path, "adj_");
    add_array(writer, "train_mask", CRD_NPY_U1, 2, 1, 2, mask_train);
    end_npz(writer);
    refuses_with(path, NULL, NULL, CRD_ERROR_FORMAT, "expected a mask of 3 nodes");
}

static void files_beside_arrays_replace_theirs(void **state)
{
    const char *path = in(state, "r.npz");
    array_writer *writer = start_graph(path, "adj_");
    add_array(writer, "labels", CRD_NPY_I8, 1, 3, 0, labels3);
    add_names(writer, "node_names", "a", "b", "c");
    end_npz(writer);
    crd_dataset *dataset = open_with(path, put(state, "f.csv", "1\n2\n3\n"), put(state, "l.csv", "c,9\nb,5\n"));
    assert_true(feature(dataset, 2, 0) == 3.0f);
    assert_string_equal(labels_of(dataset), "-1 0 1");
    assert_string_equal(crd_dataset_class_name(dataset, 1), "9");
    crd_dataset_free(&dataset);
    dataset = open_with(path, NULL, put(state, "l.csv", "2,1\n1,0\n")); /* numbers work beside names */
    assert_string_equal(labels_of(dataset), "-1 0 1");
    crd_dataset_free(&dataset);
    refuses_with(path, put(state, "f.csv", "1\n2\n"), NULL, CRD_ERROR_MISMATCH, "f.csv: has 2 nodes");
    refuses_with(path, path, NULL, CRD_ERROR_FORMAT, "has no node features; expected a matrix");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(compressed_layout_in_every_spelling),
        FOLDER_TEST(weights_and_zeros_are_noted),
        FOLDER_TEST(missing_data_are_ones),
        FOLDER_TEST(defects_of_compressed_arrays),
        FOLDER_TEST(pairs_in_either_shape),
        FOLDER_TEST(defects_of_pairs),
        FOLDER_TEST(labels_of_every_type),
        FOLDER_TEST(strings_are_class_names),
        FOLDER_TEST(class_names_for_labels_from_one),
        FOLDER_TEST(names_that_do_not_serve),
        FOLDER_TEST(splits_as_lists_and_masks),
        FOLDER_TEST(files_beside_arrays_replace_theirs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
