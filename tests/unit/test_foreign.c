/* SPDX-License-Identifier: MIT */
/* Common files that are not graphs in our formats: one sentence says what each is. Also tables with an index column
 * left over from pandas. */
#include "unit/dataset_helpers.h"

static void refuses_bytes(const void *bytes, size_t size, const char *part)
{
    crd_dataset *dataset = NULL;
    crd_error error = {0};
    assert_int_equal(crd_dataset_open_memory(bytes, size, "test", &dataset, &error), CRD_ERROR_FORMAT);
    assert_null(dataset);
    if (strstr(error.message, part) == NULL) fail_msg("'%s' is not in '%s'", part, error.message);
}

#define REFUSES(literal, part) refuses_bytes(literal, sizeof(literal) - 1, part)

static void pickles(void **state)
{
    (void)state;
    REFUSES("\x80\x02}q\x01(K\x00K\x01u.", "test: this is a Python pickle");
    REFUSES("\x80\x03"
            "cscipy.sparse.csr\ncsr_matrix\nq\x00.",
            "Python pickle");
    REFUSES("\x80\x04\x95\x0b\x00\x00\x00\x00\x00\x00\x00}\x94K\x00K\x01s.", "Python pickle");
    REFUSES("\x80\x05\x95\x0b\x00\x00\x00\x00\x00\x00\x00}\x94K\x00K\x01s.", "Python pickle");
    REFUSES("(dp0\nI0\n(lp1\nI1\nas.", "Python pickle");
    REFUSES("(lp0\nI1\na.", "Python pickle");
    REFUSES("ccopy_reg\n_reconstructor\np0\n(c", "Python pickle");
    REFUSES("cnumpy.core.multiarray\n_reconstruct\np0\n(c", "Python pickle");
    REFUSES("}q\x00(K\x00K\x01u.", "Python pickle");
    REFUSES("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", "PyTorch");
}

static void other_binary_files(void **state)
{
    (void)state;
    REFUSES("PAR1\x15\x04\x15\x10\x15\x14L\x15\x02\x15\x00", "this is a parquet file");
    REFUSES("ARROW1\x00\x00\xff\xff\xff\xff", "feather (Arrow)");
    REFUSES("FEA1\x00\x00\x00\x00", "feather");
    REFUSES("MATLAB 5.0 MAT-file, Platform: GLNXA64\x00\x01IM", "this is a MATLAB file");
    REFUSES("MATLAB 7.3 MAT-file, Platform: GLNXA64\x00\x02IM", "this is a MATLAB 7.3 file");
    REFUSES("\x89HDF\r\n\x1a\n\x00\x00\x00\x00", "this is an HDF5 file");
    REFUSES("SQLite format 3\x00\x10\x00", "SQLite");
    REFUSES("PK\3\4\x00\x00\x08\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
            "\x10\x00\x00\x00"
            "archive/data.pklFB",
            "this is a PyTorch file");
    REFUSES("PK\3\4\x14\x00\x06\x00\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
            "\x13\x00\x00\x00"
            "[Content_Types].xml",
            "office document");
}

static void other_text_files(void **state)
{
    (void)state;
    /* compact: on one line, a word could be a node */
    refuses_text("<?xml version=\"1.0\"?><graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\"><graph "
                 "edgedefault=\"undirected\"><node id=\"a\"/><edge source=\"a\" target=\"b\"/></graph></graphml>\n",
                 CRD_ERROR_FORMAT, "test: this is a GraphML file; convert it with Python");
    refuses_text("<graphml>\n<graph edgedefault=\"directed\">\n<node id=\"a\"/>\n</graph>\n</graphml>\n",
                 CRD_ERROR_FORMAT, "GraphML");
    refuses_text("<gexf version=\"1.2\">\n<graph>\n", CRD_ERROR_FORMAT, "GEXF");
    refuses_text("<!DOCTYPE html>\n<html>\n", CRD_ERROR_FORMAT, "XML or HTML");
    refuses_text("graph [\n  node [\n    id 0\n  ]\n  edge [ source 0 target 0 ]\n]\n", CRD_ERROR_FORMAT,
                 "this is a GML file");
    refuses_text("Creator \"igraph version 0.10\"\nVersion 1\ngraph\n[\n  directed 0\n", CRD_ERROR_FORMAT, "GML");
    refuses_text("digraph G {\n a -> b\n}\n", CRD_ERROR_FORMAT, "Graphviz");
    refuses_text("*Vertices 2\n1 \"a\"\n2 \"b\"\n*Edges\n1 2\n", CRD_ERROR_FORMAT, "Pajek");
    refuses_text("{\"directed\": false, \"nodes\": []}\n", CRD_ERROR_FORMAT, "this is a JSON file");
    refuses_text("[[0, 1], [1, 2]]\n", CRD_ERROR_FORMAT, "JSON");
}

/* The output of NetworkX's write_adjlist, and the same without its first lines. */
static void adjacency_lists(void **state)
{
    (void)state;
    refuses_text("#make.py\n# GMT Tue Nov 17 12:00:00 2026\n# \n0 1 2\n1 3 4\n", CRD_ERROR_FORMAT,
                 "test: this is an adjacency list");
    refuses_text("0 1 2 3\n1 2\n2 3\n", CRD_ERROR_FORMAT, "test: line 2: has 2 fields");
    refuses_text("0 1\n1 2\n1 2 3\n", CRD_ERROR_FORMAT, "line 3: has 3 fields, but the rows before it have 2");
    refuses_text("0,1\n1,2\n2\n", CRD_ERROR_FORMAT, "perhaps this is an adjacency list");
    refuses_text("a b c\nb c\nc a\n", CRD_ERROR_FORMAT, "line 2: has 2 fields, but the rows before it have 3");
    /* but a weight may be missing, and a comma may follow the last field */
    static const char *const uneven[] = {"source,target,weight\n0,1,0.5\n1,2\n", "0,1\n1,2,\n",
                                         "source target weight\n0 1 0.5\n1 2\n"};
    for (size_t i = 0; i < 3; i++) {
        crd_dataset *edges = open_text(uneven[i]);
        assert_string_equal(edges_of(&edges->input), "0>1 1>2");
        crd_dataset_free(&edges);
    }
    /* but what it writes after an edge may have any length */
    crd_dataset *dataset = open_text("0 1 {}\n1 2 {'weight': 3}\n2 0 {'weight': 3, 'year': 5}\n");
    assert_string_equal(edges_of(&dataset->input), "0>1 1>2 2>0");
    crd_dataset_free(&dataset);
}

/* Names may begin like such files. */
static void names_that_look_like_one(void **state)
{
    static const char *const texts[] = {"PAR1,PAR2\nPAR2,F2R\n", "ARROW1 x\nx y\n", "graph,vertex\nvertex,edge\n"};
    for (size_t i = 0; i < 3; i++) {
        crd_dataset *dataset = open_text(texts[i]);
        assert_int_equal(crd_dataset_nodes(dataset), 3);
        crd_dataset_free(&dataset);
    }
    crd_dataset *dataset = open_with(put(state, "g.csv", "0,1\n1,2\n"), NULL, put(state, "l.csv", "cat\ndog\npig\n"));
    assert_int_equal(crd_dataset_classes(dataset), 3);
    crd_dataset_free(&dataset);
}

/* The same for every file beside the graph, with gzip, and on disk. */
static void beside_a_graph(void **state)
{
    const char *edges = put(state, "g.csv", "0,1\n1,2\n");
    const char *pickle = put(state, "x.pkl", "(lp0\nI1\na.");
    refuses_with(edges, pickle, NULL, CRD_ERROR_FORMAT, "x.pkl: this is a Python pickle");
    refuses_with(edges, NULL, pickle, CRD_ERROR_FORMAT, "x.pkl: this is a Python pickle");
    refuses_with(pickle, NULL, NULL, CRD_ERROR_FORMAT, "x.pkl: this is a Python pickle");
    crd_dataset *dataset = open_with(edges, NULL, NULL);
    crd_split *split = NULL;
    crd_error error = {0};
    assert_int_equal(crd_split_read(dataset, pickle, &split, &error), CRD_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "Python pickle"));
    crd_dataset_free(&dataset);
}

static void a_leftover_index(void **state)
{
    static const char *const same[] = {",source,target\n0,0244,0017\n1,0017,0008\n",
                                       "\"\",u,v,weight\n10,0244,0017,1\n11,0017,0008,1\n"};
    for (size_t i = 0; i < 2; i++) {
        crd_dataset *dataset = open_text(same[i]);
        assert_int_equal(crd_dataset_nodes(dataset), 3);
        assert_string_equal(crd_dataset_node_name(dataset, 0), "0244");
        assert_true(has_note(dataset, "it is read as an index and left out"));
        crd_dataset_free(&dataset);
    }
    const char *edges = put(state, "g.csv", "source,target\n0244,0017\n0017,0008\n");
    const char *features = put(state, "f.csv", ",node,f0,f1\n0,0017,1,2\n1,0244,3,4\n2,0008,5,6\n");
    const char *labels = put(state, "l.csv", ",paper_id,label\n0,0017,a\n1,0244,b\n2,0008,a\n");
    crd_dataset *dataset = open_with(edges, features, labels);
    assert_int_equal(crd_dataset_features(dataset), 2);
    assert_string_equal(crd_dataset_node_name(dataset, 0), "0017");
    assert_true(feature(dataset, 1, 0) == 3.0f);
    assert_string_equal(labels_of(dataset), "0 1 0");
    assert_true(has_note(dataset, "f.csv: the first column has no name"));
    assert_true(has_note(dataset, "l.csv: the first column has no name"));
    crd_dataset_free(&dataset);
    /* the only column of ids, even though it has no name */
    dataset = open_with(edges, put(state, "f2.csv", ",f0,f1\n0017,1,2\n0244,3,4\n0008,5,6\n"),
                        put(state, "l2.csv", ",label\n0017,a\n0244,b\n0008,a\n"));
    assert_string_equal(labels_of(dataset), "0 1 0");
    assert_false(has_note(dataset, "has no name"));
    crd_dataset_free(&dataset);
    dataset = open_with(put(state, "n.csv", "ann,ben\nben,cas\n"),
                        put(state, "f3.csv", ",zip_id,f1\nann,12,3\nben,7,1\ncas,8,2\n"), NULL);
    assert_int_equal(crd_dataset_features(dataset), 2);
    crd_dataset_free(&dataset);
    refuses_with(edges, put(state, "f4.csv", ",f0,f1\n0,1,2\n1,3,4\n2,5,6\n"), NULL, CRD_ERROR_MISMATCH,
                 "a first column without a name is read as node ids");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pickles),         cmocka_unit_test(other_binary_files),  cmocka_unit_test(other_text_files),
        cmocka_unit_test(adjacency_lists), FOLDER_TEST(names_that_look_like_one), FOLDER_TEST(beside_a_graph),
        FOLDER_TEST(a_leftover_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
