/* SPDX-License-Identifier: MIT */
/* Folders: of arrays, of text files, OGB's. */
#include "unit/dataset_helpers.h"

#include <zlib.h>

static void put_gz(void **state, const char *name, const char *text)
{
    gzFile file = gzopen(in(state, name), "wb");
    assert_non_null(file);
    assert_int_equal(gzputs(file, text), (int)strlen(text));
    assert_int_equal(gzclose(file), Z_OK);
}

static void make(void **state, const char *name)
{
    assert_int_equal(mkdir(in(state, name), 0777), 0);
}

static void text_files_by_their_names(void **state)
{
    put(state, "edges.tsv", "0\t1\n1\t2\n");
    put(state, "Features.csv", "1,0\n0,1\n1,1\n2,2\n");
    put_gz(state, "labels.txt.gz", "a\nb\na\nb\n");
    put(state, "split.csv", "node,split\n0,train\n1,val\n2,test\n");
    put(state, "README.md", "nothing to read here");
    crd_dataset *dataset = open_with(*state, NULL, NULL);
    assert_int_equal(crd_dataset_nodes(dataset), 4);
    assert_string_equal(edges_of(&dataset->input), "0>1 1>2");
    assert_true(feature(dataset, 3, 1) == 2.0f);
    assert_string_equal(labels_of(dataset), "0 1 0 1");
    assert_string_equal(roles_of(dataset), "tve-");
    crd_dataset_free(&dataset);
    const char *other = put(state, "other.csv", "0\n0\n1\n1\n"); /* a named file takes precedence */
    dataset = open_with(*state, NULL, other);
    assert_string_equal(labels_of(dataset), "0 0 1 1");
    crd_dataset_free(&dataset);
    put(state, "edges.csv", "0,1\n");
    refuses_with(*state, NULL, NULL, CRD_ERROR_FORMAT, "has both edges.csv and edges.tsv");
}

static void names_and_classes_have_files(void **state)
{
    put(state, "edges.csv", "source,target\n10,12\n12,11\n");
    put(state, "nodes.csv", "number,name\n0,10\n1,11\n2,12\n");
    put(state, "classes.csv", "number,name\n0,zebra\n1,none\n2,ape\n");
    put(state, "labels.csv", "node,label\n10,ape\n11,none\n12,zebra\n");
    put(state, "split-10.csv", "node,split\n10,test\n");
    put(state, "split-9.csv", "node,split\n10,train\n");
    crd_dataset *dataset = open_with(*state, NULL, NULL);
    assert_int_equal(crd_dataset_nodes(dataset), 3);
    assert_string_equal(edges_of(&dataset->input), "0>2 2>1");
    assert_string_equal(labels_of(dataset), "2 1 0"); /* "none" is a class here, because it is listed */
    assert_string_equal(roles_of(dataset), "t--e--");
    crd_dataset_free(&dataset);
    put(state, "labels.csv", "node,label\n10,cow\n");
    refuses_with(*state, NULL, NULL, CRD_ERROR_FORMAT, "labels.csv: line 2: label 'cow' is not in the list");
    put(state, "nodes.csv", "number,name\n0,10\n2,11\n");
    refuses_with(*state, NULL, NULL, CRD_ERROR_FORMAT, "nodes.csv: line 3: expected node number 1");
}

static void arrays_in_a_folder(void **state)
{
    static const int64_t edges[] = {0, 1, 1, 2}, labels[] = {0, 1, 1};
    static const float x[] = {1, 2, 3};
    const char *path = in(state, "arrays");
    array_writer *writer = start_arrays(path, CRD_ARCHIVE_FOLDER);
    add_array(writer, "edges", CRD_NPY_I8, 2, 2, 2, edges);
    add_array(writer, "y", CRD_NPY_I8, 1, 3, 0, labels);
    add_array(writer, "x", CRD_NPY_F4, 1, 3, 0, x);
    end_npz(writer);
    crd_dataset *dataset = open_with(path, NULL, NULL);
    assert_string_equal(edges_of(&dataset->input), "0>1 1>2");
    assert_string_equal(labels_of(dataset), "0 1 1");
    assert_int_equal(crd_dataset_features(dataset), 1);
    crd_dataset_free(&dataset);
    /* Text supplies what the arrays lack, and arrays supplement text. */
    assert_int_equal(unlink(in(state, "arrays/y.npy")), 0);
    put(state, "arrays/labels.csv", "2,b\n0,a\n");
    dataset = open_with(path, NULL, NULL);
    assert_string_equal(labels_of(dataset), "0 -1 1");
    crd_dataset_free(&dataset);
    const char *list = put(state, "list.csv", "0,1\n1,2\n");
    dataset = open_with(list, in(state, "arrays/x.npy"), NULL);
    assert_true(feature(dataset, 1, 0) == 2.0f);
    crd_dataset_free(&dataset);
    dataset = open_with(in(state, "arrays/edges.npy"), NULL, NULL);
    assert_string_equal(edges_of(&dataset->input), "0>1 1>2");
    crd_dataset_free(&dataset);
}

static void folders_without_a_graph(void **state)
{
    refuses_with(*state, NULL, NULL, CRD_ERROR_FORMAT, "is a folder without a graph; expected");
    put(state, "cora.npz", "");
    refuses_with(*state, NULL, NULL, CRD_ERROR_FORMAT, "did you mean cora.npz");
    refuses_with(in(state, "cora.npz"), NULL, NULL, CRD_ERROR_FORMAT, "cora.npz: the file is empty");
}

static void put_ogb(void **state)
{
    make(state, "arxiv");
    make(state, "arxiv/raw");
    put_gz(state, "arxiv/raw/edge.csv.gz", "0,1\n1,2\n3,0\n");
    put_gz(state, "arxiv/raw/node-feat.csv.gz", "0.5,-1\n0.25,0\n1,1\n0,3\n");
    put_gz(state, "arxiv/raw/node-label.csv.gz", "1.0\nnan\n0.0\n1.0\n");
    put(state, "arxiv/raw/num-node-list.csv", "4\n");
    put_gz(state, "arxiv/raw/num-edge-list.csv.gz", "3\n");
    make(state, "arxiv/split");
    make(state, "arxiv/split/time");
    put_gz(state, "arxiv/split/time/train.csv.gz", "0\n2\n");
    put_gz(state, "arxiv/split/time/valid.csv.gz", "3\n");
    put_gz(state, "arxiv/split/time/test.csv.gz", "1\n");
    make(state, "arxiv/mapping");
    /* Names that look like the numbers of other nodes: numbers in edges stay numbers. */
    put_gz(state, "arxiv/mapping/nodeidx2paperid.csv.gz", "node idx,paper id\n0,3\n1,2\n2,1\n3,77\n");
    put_gz(state, "arxiv/mapping/labelidx2category.csv.gz", "label idx,category\n0,cs.LG\n1,cs.AI\n");
}

static void ogb_folder(void **state)
{
    put_ogb(state);
    const char *ways[] = {in(state, "arxiv"), *state}; /* the folder itself, or the one around it */
    for (int i = 0; i < 2; i++) {
        crd_dataset *dataset = open_with(ways[i], NULL, NULL);
        assert_int_equal(crd_dataset_nodes(dataset), 4);
        assert_string_equal(edges_of(&dataset->input), "0>1 1>2 3>0");
        assert_true(feature(dataset, 0, 1) == -1.0f && feature(dataset, 3, 1) == 3.0f);
        assert_string_equal(labels_of(dataset), "1 -1 0 1");
        assert_string_equal(crd_dataset_class_name(dataset, 1), "cs.AI");
        assert_string_equal(crd_dataset_node_name(dataset, 0), "3");
        assert_int_equal(crd_dataset_find_node(dataset, "3"), 3); /* the number, not the name */
        assert_string_equal(roles_of(dataset), "tetv");
        crd_dataset_free(&dataset);
    }
    crd_dataset *dataset = open_with(in(state, "arxiv/raw"), NULL, NULL);
    assert_int_equal(crd_dataset_features(dataset), 2);
    crd_dataset_free(&dataset);
    assert_int_equal(unlink(in(state, "arxiv/raw/node-feat.csv.gz")), 0);
    assert_int_equal(unlink(in(state, "arxiv/raw/node-label.csv.gz")), 0);
    dataset = open_with(in(state, "arxiv"), NULL, NULL);
    assert_int_equal(crd_dataset_features(dataset), 0);
    assert_int_equal(crd_dataset_nodes(dataset), 4);
    crd_dataset_free(&dataset);
}

static void defects_of_ogb_folders(void **state)
{
    put_ogb(state);
    const char *path = in(state, "arxiv");
    put_gz(state, "arxiv/split/time/test.csv.gz", "0\n");
    refuses_with(path, NULL, NULL, CRD_ERROR_FORMAT, "test.csv.gz: node 0 has another role");
    put_gz(state, "arxiv/split/time/test.csv.gz", "4\n");
    refuses_with(path, NULL, NULL, CRD_ERROR_FORMAT, "line 1: expected a number from 0 to 3");
    put_gz(state, "arxiv/raw/node-label.csv.gz", "1,0\n0,1\n1,1\n0,0\n");
    refuses_with(path, NULL, NULL, CRD_ERROR_FORMAT, "expected one label per node");
    put_gz(state, "arxiv/raw/num-edge-list.csv.gz", "4\n");
    refuses_with(path, NULL, NULL, CRD_ERROR_MISMATCH, "has 3 edges, but num-edge-list says 4");
    put_gz(state, "arxiv/raw/num-edge-list.csv.gz", "3\n7\n");
    refuses_with(path, NULL, NULL, CRD_ERROR_FORMAT, "holds the sizes of 2 graphs, expected one");
    put_gz(state, "arxiv/raw/num-edge-list.csv.gz", "3\n");
    put_gz(state, "arxiv/raw/node-label.csv.gz", "1\n0\n1\n0\n");
    put(state, "arxiv/raw/num-node-list.csv", "5\n");
    refuses_with(path, NULL, NULL, CRD_ERROR_MISMATCH, "4");
    put(state, "arxiv/raw/num-node-list.csv", "4\n");
    put_gz(state, "arxiv/raw/edge.csv.gz", "0,1\n1,2\n4,0\n");
    refuses_with(path, NULL, NULL, CRD_ERROR_MISMATCH, "edge 2 joins nodes 4 and 0");
    put_gz(state, "arxiv/raw/edge.csv.gz", "0,1\n1,x\n3,0\n");
    refuses_with(path, NULL, NULL, CRD_ERROR_FORMAT, "expected node numbers");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(text_files_by_their_names),
        FOLDER_TEST(names_and_classes_have_files),
        FOLDER_TEST(arrays_in_a_folder),
        FOLDER_TEST(folders_without_a_graph),
        FOLDER_TEST(ogb_folder),
        FOLDER_TEST(defects_of_ogb_folders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
