/* SPDX-License-Identifier: MIT */
/* Sizes that do not fit together: refused early with a sentence, or settled with a note. */
#include "unit/dataset_helpers.h"

static const int64_t indptr[] = {0, 1, 2, 2}, indices[] = {1, 2};

/* An archive of 3 nodes with the edges 0>1 1>2, which the caller ends. */
static array_writer *start_graph(const char *path)
{
    array_writer *writer = start_npz(path);
    add_array(writer, "adj_indptr", CRD_NPY_I8, 1, 4, 0, indptr);
    add_array(writer, "adj_indices", CRD_NPY_I8, 1, 2, 0, indices);
    return writer;
}

/* A .npy file whose items are missing. */
static void put_header(void **state, const char *name, const char *descr, const char *shape)
{
    char bytes[128];
    int length = snprintf(bytes + 10, sizeof bytes - 10, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
                          descr, shape);
    memcpy(bytes, "\x93NUMPY\1\0", 8);
    bytes[8] = (char)length;
    bytes[9] = 0;
    put_bytes(state, name, bytes, (size_t)length + 10);
}

/* Arrays of the wrong length are refused by their header: the missing items are not even noticed. */
static void lengths_are_compared_before_items_are_read(void **state)
{
    assert_int_equal(mkdir(in(state, "d"), 0777), 0);
    put(state, "d/graph.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n");
    const char *path = in(state, "d");
    put_header(state, "d/labels.npy", "<i8", "4,");
    refuses_with(path, NULL, NULL, CRD_ERROR_MISMATCH, "labels.npy: has 4 nodes, but ");
    put_header(state, "d/labels.npy", "<i8", "3,");
    refuses_with(path, NULL, NULL, CRD_ERROR_FORMAT, "labels.npy: is cut off");
    put_header(state, "d/features.npy", "<f4", "2,7");
    refuses_with(path, NULL, NULL, CRD_ERROR_MISMATCH, "features.npy: has 2 nodes, but ");
    put_header(state, "d/features.npy", "<f4", "3,7");
    refuses_with(path, NULL, NULL, CRD_ERROR_FORMAT, "features.npy: is cut off");
}

static void arrays_are_compared_with_those_before(void **state)
{
    static const int64_t labels[] = {0, 1, 0, 1}, pairs[] = {0, 1, 1, 2};
    static const float x[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const char *path = in(state, "a.npz");
    array_writer *writer = start_graph(path);
    add_array(writer, "labels", CRD_NPY_I8, 1, 4, 0, labels);
    end_npz(writer);
    refuses_with(path, NULL, NULL, CRD_ERROR_MISMATCH, "a.npz:labels: has 4 nodes, but ");
    crd_dataset *dataset = open_with(path, NULL, put(state, "l.csv", "0\n1\n1\n")); /* not read at all */
    assert_string_equal(labels_of(dataset), "0 1 1");
    crd_dataset_free(&dataset);
    writer = start_graph(path);
    add_array(writer, "x", CRD_NPY_F4, 2, 4, 2, x);
    end_npz(writer);
    refuses_with(path, NULL, NULL, CRD_ERROR_MISMATCH, "a.npz:x: has 4 nodes, but ");
    dataset = open_with(path, put(state, "f.csv", "1\n2\n3\n"), NULL);
    assert_true(feature(dataset, 2, 0) == 3.0f);
    crd_dataset_free(&dataset);
    writer = start_graph(path);
    const char *names[] = {"a", "b"};
    add_strings(writer, "node_names", 2, names);
    end_npz(writer);
    refuses_with(path, NULL, NULL, CRD_ERROR_MISMATCH, "a.npz:node_names: has 2 nodes, but ");
    writer = start_npz(path); /* pairs do not tell the number of nodes; features do */
    add_array(writer, "edge_index", CRD_NPY_I8, 2, 2, 2, pairs);
    add_array(writer, "x", CRD_NPY_F4, 2, 3, 2, x);
    add_array(writer, "y", CRD_NPY_I8, 1, 4, 0, labels);
    end_npz(writer);
    refuses_with(path, NULL, NULL, CRD_ERROR_MISMATCH, "a.npz:y: has 4 nodes, but ");
    writer = start_graph(path);
    static const int64_t short_rows[] = {0, 1, 2};
    add_array(writer, "attr_indptr", CRD_NPY_I8, 1, 3, 0, short_rows);
    add_array(writer, "attr_indices", CRD_NPY_I8, 1, 2, 0, indices);
    end_npz(writer);
    refuses_with(path, NULL, NULL, CRD_ERROR_MISMATCH, "attr_indptr: has 2 rows, but the graph has 3 nodes");
}

static void features_without_a_shape(void **state)
{
    const char *path = in(state, "s.npz");
    int64_t column[] = {6, 0};
    array_writer *writer = start_graph(path);
    add_array(writer, "attr_indptr", CRD_NPY_I8, 1, 4, 0, indptr);
    add_array(writer, "attr_indices", CRD_NPY_I8, 1, 2, 0, column);
    end_npz(writer);
    crd_dataset *dataset = open_with(path, NULL, NULL);
    assert_int_equal(crd_dataset_features(dataset), 7);
    assert_true(feature(dataset, 0, 6) == 1.0f && feature(dataset, 1, 0) == 1.0f);
    assert_true(has_note(dataset, "there is no 'attr_shape': the largest column makes it 7 features"));
    assert_false(has_note(dataset, "adj_shape"));
    crd_dataset_free(&dataset);
    /* Up to 1000 x (3 rows + 2 entries) + 1000000 are accepted. */
    column[0] = 1005000;
    writer = start_graph(path);
    add_array(writer, "attr_indptr", CRD_NPY_I8, 1, 4, 0, indptr);
    add_array(writer, "attr_indices", CRD_NPY_I8, 1, 2, 0, column);
    end_npz(writer);
    refuses_with(path, NULL, NULL, CRD_ERROR_FORMAT,
                 "s.npz: has 1005001 columns of features, which is out of all proportion to its 3 rows and 2 "
                 "entries");
    column[0] = 6; /* an adjacency is square */
    writer = start_npz(path);
    add_array(writer, "adj_indptr", CRD_NPY_I8, 1, 4, 0, indptr);
    add_array(writer, "adj_indices", CRD_NPY_I8, 1, 2, 0, column);
    end_npz(writer);
    refuses_with(path, NULL, NULL, CRD_ERROR_FORMAT, "row 0 of the graph has neighbour 6, but the nodes are 0 to 2");
}

static void columns_of_text(void **state)
{
    const char *edges = put(state, "e.csv", "0,1\n1,2\n");
    crd_dataset *dataset = open_with(edges, put(state, "f.svm", "0 1:1\n1 1005000:2\n0 \n"), NULL);
    assert_int_equal(crd_dataset_features(dataset), 1005000);
    crd_dataset_free(&dataset);
    refuses_with(edges, put(state, "f.svm", "0 1:1\n1 1005001:2\n0 \n"), NULL, CRD_ERROR_FORMAT,
                 "f.svm: has 1005001 columns of features, which is out of all proportion to its 3 rows and 2 "
                 "entries");
    refuses_with(edges,
                 put(state, "f.mtx",
                     "%%MatrixMarket matrix coordinate real general\n3 30000000 1\n"
                     "1 1 0.5\n"),
                 NULL, CRD_ERROR_FORMAT, "f.mtx: has 30000000 columns of features");
}

static void class_names_of_ogb_are_decoration(void **state)
{
    static const struct {
        const char *list, *note;
    } cases[] = {{"label idx,name\n0,a\n1,b\n2,a\n", "the names are not used: class 2 has the name of an earlier one"},
                 {"label idx,name\n0,a\n1,\n2,b\n", "the names are not used: class 1 has an empty name"}};
    static const char *const folders[] = {"o", "o/raw", "o/mapping"};
    for (int i = 0; i < 3; i++) assert_int_equal(mkdir(in(state, folders[i]), 0777), 0);
    put(state, "o/raw/edge.csv", "0,1\n1,2\n");
    put(state, "o/raw/num-node-list.csv", "3\n");
    put(state, "o/raw/node-label.csv", "0\n2\n1\n");
    for (int i = 0; i < 2; i++) {
        put(state, "o/mapping/labelidx2name.csv", cases[i].list);
        crd_dataset *dataset = open_with(in(state, "o"), NULL, NULL);
        assert_string_equal(labels_of(dataset), "0 2 1");
        assert_string_equal(crd_dataset_class_name(dataset, 2), "2");
        assert_true(has_note(dataset, cases[i].note));
        crd_dataset_free(&dataset);
    }
}

static void splits_as_files_end_at_a_thousand(void **state)
{
    assert_int_equal(mkdir(in(state, "d"), 0777), 0);
    put(state, "d/edges.csv", "0,1\n");
    char name[32];
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "d/split-%d.csv", i);
        put(state, name, i % 2 == 0 ? "0,train\n1,test\n" : "0,val\n1,train\n");
    }
    const char *path = in(state, "d");
    crd_dataset *dataset = open_with(path, NULL, NULL);
    assert_int_equal(dataset->splits, 1000);
    for (int i = 0; i < 2000; i += 4) assert_memory_equal(dataset->split_roles + i, ((uint8_t[]){1, 3, 2, 1}), 4);
    crd_dataset_free(&dataset);
    put(state, "d/split-1000.csv", "0,train\n");
    refuses_with(path, NULL, NULL, CRD_ERROR_FORMAT, "/d: has 1001 splits, expected 1000 at most");
}

static void refuses_to_save(const crd_dataset *dataset, const char *path, crd_format format, const char *part)
{
    crd_error error = {0};
    struct stat facts;
    assert_int_equal(crd_dataset_save(dataset, path, format, &error), CRD_ERROR_ARGUMENT);
    if (strstr(error.message, part) == NULL) fail_msg("'%s' is not in '%s'", part, error.message);
    assert_int_not_equal(stat(path, &facts), 0);
}

static void more_splits_are_for_arrays(void **state)
{
    enum { SPLITS = 1001 };
    static uint8_t masks[SPLITS][3];
    for (int i = 0; i < SPLITS; i++) masks[i][i % 3] = 1;
    const char *path = in(state, "m.npz"), *out = in(state, "out");
    array_writer *writer = start_graph(path);
    add_array(writer, "train_mask", CRD_NPY_U1, 2, SPLITS, 3, masks);
    end_npz(writer);
    crd_dataset *dataset = open_with(path, NULL, NULL);
    assert_int_equal(dataset->splits, SPLITS);
    static const crd_format text[] = {CRD_FORMAT_CSV, CRD_FORMAT_MTX, CRD_FORMAT_OGB};
    for (int i = 0; i < 3; i++)
        refuses_to_save(dataset, out, text[i], "/out: the data have 1001 splits, but a folder of text takes 1000");
    assert_int_equal(crd_dataset_save(dataset, out, CRD_FORMAT_NPY, NULL), CRD_OK);
    crd_dataset_free(&dataset);
    dataset = open_with(out, NULL, NULL);
    assert_int_equal(dataset->splits, SPLITS);
    assert_memory_equal(dataset->split_roles, masks, sizeof masks);
    crd_dataset_free(&dataset);
}

/* OGB writes zeros out: 3 x 40000000 features are 1.2e8 zeros, and 4 that are not. */
static void zeros_are_not_written_out_endlessly(void **state)
{
    static const int64_t start[] = {0, 1, 2, 4}, shape[] = {3, 40000000}, small[] = {3, 1000};
    static const int32_t column[] = {7, 0, 0, 999};
    for (int i = 0; i < 2; i++) {
        const char *path = in(state, "w.npz");
        array_writer *writer = start_graph(path);
        add_array(writer, "attr_indptr", CRD_NPY_I8, 1, 4, 0, start);
        add_array(writer, "attr_indices", CRD_NPY_I4, 1, 4, 0, column);
        add_array(writer, "attr_shape", CRD_NPY_I8, 1, 2, 0, i == 0 ? shape : small);
        end_npz(writer);
        crd_dataset *dataset = open_with(path, NULL, NULL);
        if (i == 0)
            refuses_to_save(dataset, in(state, "o"), CRD_FORMAT_OGB,
                            "/o: an OGB folder writes every zero out: 3 x 40000000 features for 4 that are "
                            "not zero; choose npz, npy, csv or mtx");
        else assert_int_equal(crd_dataset_save(dataset, in(state, "o"), CRD_FORMAT_OGB, NULL), CRD_OK);
        crd_dataset_free(&dataset);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(lengths_are_compared_before_items_are_read),
        FOLDER_TEST(arrays_are_compared_with_those_before),
        FOLDER_TEST(features_without_a_shape),
        FOLDER_TEST(columns_of_text),
        FOLDER_TEST(class_names_of_ogb_are_decoration),
        FOLDER_TEST(splits_as_files_end_at_a_thousand),
        FOLDER_TEST(more_splits_are_for_arrays),
        FOLDER_TEST(zeros_are_not_written_out_endlessly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
