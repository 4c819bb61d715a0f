/* SPDX-License-Identifier: MIT */
/* Edge lists, Matrix Market and the text files beside them. */
#include "unit/dataset_helpers.h"

static void numbers_with_and_without_header(void **state)
{
    (void)state;
    static const char *const same[] = {"0,1\n1,2\n2,0\n",          "source,target\n0,1\n1,2\n2,0\n",
                                       "0 1\n1 2\n2 0\n",          "# a comment\n0\t1\n\n1\t2\n2\t0",
                                       "a;b\n0;1\n1;2\r\n2;0\r\n", "From,To\n0,1\n1,2\n2,0\n0,1\n"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        crd_dataset *dataset = open_text(same[i]);
        assert_int_equal(crd_dataset_nodes(dataset), 3);
        assert_string_equal(edges_of(&dataset->input), "0>1 1>2 2>0");
        assert_string_equal(edges_of(&dataset->graph), "0>1 0>2 1>0 1>2 2>0 2>1");
        assert_false(dataset->directed); /* each edge is there once */
        assert_int_equal(dataset->duplicates, i == 5);
        assert_null(crd_dataset_node_name(dataset, 0));
        assert_true(has_note(dataset, "no node features"));
        assert_true(has_note(dataset, "no labels"));
        crd_dataset_free(&dataset);
    }
}

static void names_are_numbered_as_they_appear(void **state)
{
    (void)state;
    static const char *const same[] = {"bob,alice\nalice,carol\n", "source,target\nbob,alice\nalice,carol\n"};
    for (size_t i = 0; i < 2; i++) {
        crd_dataset *dataset = open_text(same[i]);
        assert_int_equal(crd_dataset_nodes(dataset), 3);
        assert_string_equal(crd_dataset_node_name(dataset, 0), "bob");
        assert_string_equal(crd_dataset_node_name(dataset, 2), "carol");
        assert_string_equal(edges_of(&dataset->input), "0>1 1>2");
        assert_int_equal(crd_dataset_find_node(dataset, "carol"), 2);
        assert_int_equal(crd_dataset_find_node(dataset, "1"), 1);
        assert_int_equal(crd_dataset_find_node(dataset, "dave"), -1);
        crd_dataset_free(&dataset);
    }
}

/* One name late in the file turns the numbers before it into names, in order. */
static void a_late_name_makes_all_names(void **state)
{
    (void)state;
    crd_dataset *dataset = open_text("7,3\n3,x\n");
    assert_int_equal(crd_dataset_nodes(dataset), 3);
    assert_string_equal(crd_dataset_node_name(dataset, 0), "7");
    assert_string_equal(edges_of(&dataset->input), "0>1 1>2");
    crd_dataset_free(&dataset);
    dataset = open_text("x,7\n7,3\n3,y\n"); /* the first row was a possible header */
    assert_string_equal(crd_dataset_node_name(dataset, 0), "x");
    assert_string_equal(crd_dataset_node_name(dataset, 3), "y");
    assert_string_equal(edges_of(&dataset->input), "0>1 1>2 2>3");
    crd_dataset_free(&dataset);
    dataset = open_text("ann,ben\n"); /* a lone row of names is an edge */
    assert_int_equal(crd_dataset_nodes(dataset), 2);
    crd_dataset_free(&dataset);
    dataset = open_text("007,7\n");
    assert_int_equal(crd_dataset_nodes(dataset), 2);
    crd_dataset_free(&dataset);
}

static void huge_numbers_are_names(void **state)
{
    (void)state;
    crd_dataset *dataset = open_text("14025209,68600740\n68600740,99999999999\n");
    assert_int_equal(crd_dataset_nodes(dataset), 3);
    assert_true(has_note(dataset, "taken as names"));
    assert_int_equal(crd_dataset_find_node(dataset, "68600740"), 1);
    crd_dataset_free(&dataset);
    /* Up to 10 x edges + 1000 nodes are accepted. */
    dataset = open_text("0,1009\n");
    assert_int_equal(crd_dataset_nodes(dataset), 1010);
    crd_dataset_free(&dataset);
    dataset = open_text("0,1010\n");
    assert_int_equal(crd_dataset_nodes(dataset), 2);
    crd_dataset_free(&dataset);
}

static void more_columns_are_noted(void **state)
{
    (void)state;
    crd_dataset *dataset = open_text("0,1,1\n1,2,1.0\n");
    assert_false(has_note(dataset, "first two columns are used"));
    crd_dataset_free(&dataset);
    dataset = open_text("0,1,0.5\n1,2,1\n");
    assert_true(has_note(dataset, "first two columns are used"));
    assert_string_equal(edges_of(&dataset->input), "0>1 1>2");
    crd_dataset_free(&dataset);
}

static void defects_of_edge_lists(void **state)
{
    (void)state;
    refuses_text("", CRD_ERROR_FORMAT, "test: the file is empty");
    refuses_text("# nothing\n", CRD_ERROR_FORMAT, "empty");
    refuses_text("0,1\n2\n", CRD_ERROR_FORMAT, "line 2: expected the two nodes");
    refuses_text("0,1\n,2\n", CRD_ERROR_FORMAT, "line 2: expected the two nodes of an edge, found an empty field");
    refuses_text("source,target\n", CRD_ERROR_FORMAT, "no nodes");
    refuses_text("\x93NUMPY", CRD_ERROR_FORMAT, "test");
    refuses_text("PK\3\4 not really", CRD_ERROR_FORMAT, "test");
}

static void matrix_market(void **state)
{
    (void)state;
    crd_dataset *dataset = open_text("%%MatrixMarket matrix coordinate pattern symmetric\n4 4 2\n2 1\n3 2\n");
    assert_int_equal(crd_dataset_nodes(dataset), 4);
    assert_string_equal(edges_of(&dataset->input), "0>1 1>0 1>2 2>1");
    assert_false(dataset->directed);
    assert_true(dataset->graph_is_input);
    crd_dataset_free(&dataset);
    dataset = open_text("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n1 2 3.5\n");
    assert_true(has_note(dataset, "weights are not used"));
    assert_true(has_note(dataset, "1 self-loop was dropped"));
    assert_string_equal(edges_of(&dataset->graph), "0>1 1>0");
    crd_dataset_free(&dataset);
    refuses_text("%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 3\n", CRD_ERROR_FORMAT, "2 x 3");
    refuses_text("%%MatrixMarket matrix coordinate pattern general\n0 0 0\n", CRD_ERROR_FORMAT, "no nodes");
    refuses_text("%%MatrixMarket matrix coordinate pattern general\n900000 900000 1\n1 2\n", CRD_ERROR_FORMAT,
                 "declares 900000 nodes");
    dataset = open_text("%%MatrixMarket matrix coordinate pattern general\n3 3 0\n");
    assert_true(has_note(dataset, "no edges"));
    crd_dataset_free(&dataset);
}

static void features_and_labels_beside(void **state)
{
    const char *edges = put(state, "g.txt", "0 1\n1 2\n");
    const char *csv = put(state, "f.csv", "1,0,0\n0,2,0\n0,0,0.5\n0,0,0\n");
    const char *svm = put(state, "f.svm", "2 1:1\n0 2:2\n1 3:0.5\n-1\n");
    const char *mtx = put(state, "f.mtx",
                          "%%MatrixMarket matrix coordinate real general\n4 3 3\n1 1 1\n2 2 2\n"
                          "3 3 0.5\n");
    const char *ways[] = {csv, svm, mtx};
    const char *labels = put(state, "l.csv", "2\n0\n1\nnan\n");
    char fingerprint[17] = "";
    for (int i = 0; i < 3; i++) {
        crd_dataset *dataset = open_with(edges, ways[i], labels);
        assert_int_equal(crd_dataset_nodes(dataset), 4);
        assert_int_equal(crd_dataset_features(dataset), 3);
        assert_true(feature(dataset, 2, 2) == 0.5f);
        assert_string_equal(labels_of(dataset), "2 0 1 -1");
        if (i == 0) strcpy(fingerprint, crd_dataset_fingerprint(dataset));
        assert_string_equal(crd_dataset_fingerprint(dataset), fingerprint);
        crd_dataset_free(&dataset);
    }
    /* Without a file of labels, the first column of LIBSVM is the label. */
    crd_dataset *dataset = open_with(edges, svm, NULL);
    assert_string_equal(labels_of(dataset), "2 0 1 -1");
    assert_string_equal(crd_dataset_fingerprint(dataset), fingerprint);
    crd_dataset_free(&dataset);
    refuses_with(edges, put(state, "bad.svm", "0.5 1:1\n1 2:1\n1 1:1\n"), NULL, CRD_ERROR_FORMAT, "target is 0.5");
}

static void names_across_files(void **state)
{
    const char *edges = put(state, "g.csv", "ann,ben\nben,cas\n");
    const char *features = put(state, "f.csv", "node,x,y\ncas,1,2\nann,3,4\nben,5,6\ndan,7,8\n");
    const char *labels = put(state, "l.csv", "ben,red\nann,blue\ncas,red\n");
    crd_dataset *dataset = open_with(edges, features, labels);
    assert_int_equal(crd_dataset_nodes(dataset), 4); /* in the order of the features */
    assert_string_equal(crd_dataset_node_name(dataset, 0), "cas");
    assert_string_equal(edges_of(&dataset->input), "1>2 2>0");
    assert_string_equal(labels_of(dataset), "1 0 1 -1");
    assert_string_equal(crd_dataset_class_name(dataset, 0), "blue");
    crd_dataset_free(&dataset);
    dataset = open_with(edges, NULL, labels); /* without features, in the order of the labels */
    assert_string_equal(crd_dataset_node_name(dataset, 0), "ben");
    assert_string_equal(labels_of(dataset), "1 0 1");
    crd_dataset_free(&dataset);
    refuses_with(put(state, "g2.csv", "ann,ben\nann,eve\n"), features, NULL, CRD_ERROR_MISMATCH,
                 "g2.csv: line 2: node 'eve' is not in");
    refuses_with(edges, features, put(state, "l2.csv", "node,label\n\nann,1\nzed,0\n"), CRD_ERROR_MISMATCH,
                 "l2.csv: line 4: node 'zed'");
    refuses_with(edges, put(state, "f2.csv", "node,x\nann,1\nann,2\n"), NULL, CRD_ERROR_FORMAT, "earlier one");
}

static void sizes_must_agree(void **state)
{
    const char *edges = put(state, "g.csv", "1,2\n2,3\n");
    const char *three = put(state, "f.csv", "1\n2\n3\n"), *four = put(state, "f4.csv", "1\n2\n3\n4\n");
    refuses_with(put(state, "g0.csv", "0,2\n2,3\n"), three, NULL, CRD_ERROR_MISMATCH,
                 "g0.csv: line 2: node 3 does not exist");
    refuses_with(edges, four, put(state, "l.csv", "0\n1\n0\n"), CRD_ERROR_MISMATCH, "l.csv: has 3 nodes");
    refuses_with(put(state, "big.csv", "0,1\n0,123456789012\n"), four, NULL, CRD_ERROR_MISMATCH, "line 2");
    refuses_with(edges, *state, NULL, CRD_ERROR_IO, "is a folder, expected a file of node features");
    refuses_with(edges, in(state, "none.csv"), NULL, CRD_ERROR_IO, "none.csv");
    refuses_with(edges, put(state, "empty.csv", ""), NULL, CRD_ERROR_FORMAT, "empty");
    refuses_with(edges, NULL, put(state, "empty2.csv", ""), CRD_ERROR_FORMAT, "empty");
    refuses_with(in(state, "missing"), NULL, NULL, CRD_ERROR_IO, "missing");
    refuses_with("", NULL, NULL, CRD_ERROR_ARGUMENT, "empty");
}

static void check_labels(void **state, const char *text, const char *labels, int32_t classes, const char *first_class)
{
    const char *edges = put(state, "g.csv", "0,1\n1,2\n2,3\n");
    crd_dataset *dataset = open_with(edges, NULL, put(state, "l.csv", text));
    assert_string_equal(labels_of(dataset), labels);
    assert_int_equal(crd_dataset_classes(dataset), classes);
    if (classes > 0) assert_string_equal(crd_dataset_class_name(dataset, 0), first_class);
    crd_dataset_free(&dataset);
}

static void labels_become_classes(void **state)
{
    check_labels(state, "0\n1\n1\n0\n", "0 1 1 0", 2, "0");
    check_labels(state, "label\n0\n1\n1\n0\n", "0 1 1 0", 2, "0");   /* a word */
    check_labels(state, "venue\n0\n1\n1\n0\n", "0 1 1 0", 2, "0");   /* not a number, all others are */
    check_labels(state, "3.0\nnan\n1.0\n-1\n", "1 -1 0 -1", 2, "1"); /* as written by others' tables */
    check_labels(state, "nan\n0\n0\n1\n", "-1 0 0 1", 2, "0");       /* a missing one first */
    check_labels(state, "10\n20\n10\n9\n", "1 2 1 0", 3, "9");       /* in numeric order */
    check_labels(state, "1\n3\n2\n1\n", "0 2 1 0", 3, "1");          /* those that occur, and no others */
    check_labels(state, "2\n2.0\n02\n0\n", "1 1 1 0", 2, "0");       /* one number, one class */
    check_labels(state, "b\na\nb\n?\n", "1 0 1 -1", 2, "a");
    check_labels(state, "b\n10\n9\nb\n", "2 0 1 2", 3, "10"); /* names are in the order of bytes */
    check_labels(state, "3,1\n0,0\n1,0\n", "0 0 -1 1", 2, "0");
    check_labels(state, "node,label\n3,x\n0,y\n", "1 -1 -1 0", 2, "x");
    check_labels(state, "paper;venue\n3;x\n0;y\n", "1 -1 -1 0", 2, "x"); /* its node is no number */
    check_labels(state, "0,1\n0,1\n1,0\n0,nan\n", "1 0 -1 -1", 2, "0");  /* the same twice is fine */
    check_labels(state, "0,nan\n", "-1 -1 -1 -1", 0, NULL);
    check_labels(state, "0,\"a, b\"\n1,c\n", "0 1 -1 -1", 2, "a, b");
}

/* Numbers in an array are indices of classes; classes without nodes are left out. */
static void gaps_between_classes_are_noted(void **state)
{
    static const int64_t numbers[] = {0, 3, 0, 1};
    array_writer *writer = start_arrays(in(state, "arrays"), CRD_ARCHIVE_FOLDER);
    add_array(writer, "y", CRD_NPY_I8, 1, 4, 0, numbers);
    end_npz(writer);
    const char *edges = put(state, "g.csv", "0,1\n1,2\n2,3\n");
    crd_dataset *dataset = open_with(edges, NULL, in(state, "arrays/y.npy"));
    assert_int_equal(crd_dataset_classes(dataset), 3);
    assert_string_equal(labels_of(dataset), "0 2 0 1");
    assert_string_equal(crd_dataset_class_name(dataset, 2), "3"); /* as in the file */
    assert_true(has_note(dataset, "class 2 has no labelled node and is left out"));
    crd_dataset_free(&dataset);
    dataset = open_with(edges, NULL, put(state, "l.csv", "0\n3\n0\n1\n"));
    assert_int_equal(crd_dataset_classes(dataset), 3);
    assert_string_equal(crd_dataset_class_name(dataset, 2), "3");
    assert_false(has_note(dataset, "no labelled node"));
    crd_dataset_free(&dataset);
}

static void defects_of_labels(void **state)
{
    const char *edges = put(state, "g.csv", "0,1\n1,2\n");
    refuses_with(edges, NULL, put(state, "a.csv", "0\n-2\n1\n"), CRD_ERROR_FORMAT, "a.csv: line 2: label '-2'");
    refuses_with(edges, NULL, put(state, "b.csv", "0,a\n1,b\n0,b\n"), CRD_ERROR_FORMAT,
                 "b.csv: line 3: label 'b' contradicts");
    refuses_with(edges, NULL, put(state, "c.csv", "0,a,x\n"), CRD_ERROR_FORMAT, "line 1");
    refuses_with(edges, NULL, put(state, "d.csv", "0,a\n1\n"), CRD_ERROR_FORMAT, "line 2: expected a node and");
    refuses_with(edges, NULL, put(state, "e.csv", "0,a\n,b\n"), CRD_ERROR_FORMAT, "line 2: expected a node, found");
}

static void standard_input(void **state)
{
    const char *path = put(state, "g.csv", "0,1\n1,2\n");
    int saved = dup(0);
    assert_non_null(freopen(path, "r", stdin));
    crd_dataset *dataset = open_with("-", NULL, NULL);
    assert_int_equal(crd_dataset_nodes(dataset), 3);
    crd_dataset_free(&dataset);
    dup2(saved, 0);
    close(saved);
}

static void a_model_is_no_graph(void **state)
{
    const char *path = put_bytes(state, "m.safetensors", "\x02\0\0\0\0\0\0\0{}", 10);
    refuses_with(path, NULL, NULL, CRD_ERROR_FORMAT, "is a model");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_with_and_without_header),
        cmocka_unit_test(names_are_numbered_as_they_appear),
        cmocka_unit_test(a_late_name_makes_all_names),
        cmocka_unit_test(huge_numbers_are_names),
        cmocka_unit_test(more_columns_are_noted),
        cmocka_unit_test(defects_of_edge_lists),
        cmocka_unit_test(matrix_market),
        FOLDER_TEST(features_and_labels_beside),
        FOLDER_TEST(names_across_files),
        FOLDER_TEST(sizes_must_agree),
        FOLDER_TEST(labels_become_classes),
        FOLDER_TEST(gaps_between_classes_are_noted),
        FOLDER_TEST(defects_of_labels),
        FOLDER_TEST(standard_input),
        FOLDER_TEST(a_model_is_no_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
