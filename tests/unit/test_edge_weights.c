/* SPDX-License-Identifier: MIT */
/* Weights of edges, in every form that a graph may have: ignored, refused, or a reason to leave an edge out. */
#include "unit/dataset_helpers.h"

#include <math.h>

static crd_status open_weighted(const char *path, crd_edge_weights weights, double least, crd_dataset **dataset,
                                crd_error *error)
{
    const crd_open_options options = {.size = sizeof options, .edge_weights = weights, .min_edge_weight = least};
    return crd_dataset_open(path, &options, dataset, error);
}

static void check_edges(const char *path, crd_edge_weights weights, double least, const char *edges, const char *note)
{
    crd_dataset *dataset = NULL;
    crd_error error = {0};
    if (open_weighted(path, weights, least, &dataset, &error) != CRD_OK) fail_msg("%s", error.message);
    assert_string_equal(edges_of(&dataset->input), edges);
    assert_int_equal(crd_dataset_nodes(dataset), 4);
    if (note != NULL) assert_true(has_note(dataset, note));
    else assert_false(has_note(dataset, "weight"));
    crd_dataset_free(&dataset);
}

static void check_refused(const char *path, crd_edge_weights weights, double least, const char *part)
{
    crd_dataset *dataset = NULL;
    crd_error error = {0};
    assert_int_not_equal(open_weighted(path, weights, least, &dataset, &error), CRD_OK);
    assert_null(dataset);
    if (strstr(error.message, part) == NULL) fail_msg("'%s' is not in '%s'", part, error.message);
}

/* Four nodes, 0>1 of weight 0.5, 1>2 of 2, 2>3 of 1, 3>0 of 0. */
static const char *path_of(void **state, int form)
{
    static const int64_t start[] = {0, 1, 2, 3, 4}, column[] = {1, 2, 3, 0}, pairs[] = {0, 1, 2, 3, 1, 2, 3, 0};
    static const float weight[] = {0.5f, 2.0f, 1.0f, 0.0f};
    if (form == 0) return put(state, "e.csv", "0,1,0.5\n1,2,2\n2,3,1\n3,0,0\n");
    if (form == 1) return put(state, "h.csv", "source,target,year,weight\n0,1,7,0.5\n1,2,8,2\n2,3,9,1\n3,0,9,0\n");
    if (form == 2)
        return put(state, "m.mtx",
                   "%%MatrixMarket matrix coordinate real general\n4 4 4\n1 2 0.5\n2 3 2\n3 4 1\n4 1 0\n");
    const char *path = in(state, form == 3 ? "c.npz" : "p.npz");
    array_writer *writer = start_npz(path);
    if (form == 3) {
        add_array(writer, "adj_data", CRD_NPY_F4, 1, 4, 0, weight);
        add_array(writer, "adj_indices", CRD_NPY_I8, 1, 4, 0, column);
        add_array(writer, "adj_indptr", CRD_NPY_I8, 1, 5, 0, start);
    } else {
        add_array(writer, "edge_index", CRD_NPY_I8, 2, 2, 4, pairs);
        add_array(writer, "edge_weight", CRD_NPY_F4, 1, 4, 0, weight);
    }
    end_npz(writer);
    return path;
}

static void every_form_alike(void **state)
{
    for (int form = 0; form < 5; form++) {
        const char *path = path_of(state, form);
        check_edges(path, CRD_WEIGHTS_AUTO, 0.0, "0>1 1>2 2>3", form < 2 ? "weights are not" : "weights are not used");
        if (form != 2)
            check_edges(path, CRD_WEIGHTS_AUTO, 0.0, "0>1 1>2 2>3", "1 stored edge of weight 0 was left out");
        check_edges(path, CRD_WEIGHTS_IGNORE, 0.0, "0>1 1>2 2>3", form == 2 ? NULL : "of weight 0");
        check_edges(path, CRD_WEIGHTS_AUTO, 0.5, "0>1 1>2 2>3", "0 stored edges of a weight below 0.5");
        check_edges(path, CRD_WEIGHTS_AUTO, 0.51, "1>2 2>3", "1 stored edge of a weight below 0.51 was left out");
        check_edges(path, CRD_WEIGHTS_IGNORE, 1.5, "1>2", "2 stored edges of a weight below 1.5 were left out");
        check_refused(path, CRD_WEIGHTS_REFUSE, 0.0, "has the weight 0.5, and weights are refused");
        check_refused(path, CRD_WEIGHTS_AUTO, -1.0, "min-edge-weight is -1");
        check_refused(path, CRD_WEIGHTS_AUTO, NAN, "min-edge-weight");
    }
    check_refused(path_of(state, 1), CRD_WEIGHTS_REFUSE, 0.0, "h.csv: line 2: has the weight");
}

static void lists_without_weights(void **state)
{
    const char *bare = put(state, "b.csv", "0,1\n1,2\n2,3\n"), *ones = put(state, "o.csv", "0 1 1\n1 2 1.0\n2 3 1\n");
    const char *year = put(state, "y.csv", "source,target,year\n0,1,1999\n1,2,2000\n2,3,0\n");
    const char *networkx = put(state, "n.txt", "0 1 {'weight': 0.5}\n1 2 {}\n2 3 {'weight': 2}\n");
    const char *gap = put(state, "g.csv", "0,1,0.5\n1,2,\n2,3,2\n");
    check_edges(bare, CRD_WEIGHTS_REFUSE, 0.0, "0>1 1>2 2>3", NULL);
    check_edges(ones, CRD_WEIGHTS_REFUSE, 0.0, "0>1 1>2 2>3", NULL);
    check_edges(year, CRD_WEIGHTS_AUTO, 0.0, "0>1 1>2 2>3",
                "first two columns are used"); /* a year of 0 is no weight */
    check_edges(networkx, CRD_WEIGHTS_IGNORE, 0.0, "0>1 1>2 2>3", NULL);
    check_edges(gap, CRD_WEIGHTS_AUTO, 0.0, "0>1 1>2 2>3", "first two columns are used");
    check_refused(bare, CRD_WEIGHTS_AUTO, 0.5, "min-edge-weight is 0.5, but no edge of ");
    check_refused(year, CRD_WEIGHTS_AUTO, 0.5, "min-edge-weight is 0.5, but no edge of ");
    check_refused(networkx, CRD_WEIGHTS_REFUSE, 0.0, "has more than the two nodes of an edge, and weights are refused");
    check_refused(gap, CRD_WEIGHTS_AUTO, 0.5, "g.csv: line 2: has no weight that can be read");
}

/* A first row with a weight is no header. Nodes of an edge that is left out are still there. */
static void names_with_weights(void **state)
{
    check_edges(put(state, "a.csv", "ann,ben,3\ncas,dan,4\nben,cas,0.1\n"), CRD_WEIGHTS_AUTO, 1.0, "0>1 2>3",
                "1 stored edge of a weight below 1");
    check_edges(put(state, "w.csv", "giver,taker,w\nann,ben,3\ncas,dan,0\n"), CRD_WEIGHTS_AUTO, 0.0, "0>1",
                "1 stored edge of weight 0");
}

static void bad_weight_arrays(void **state)
{
    static const int64_t pairs[] = {0, 1, 1, 2};
    static const float weight[] = {0.5f, 2.0f, 1.0f};
    const char *path = in(state, "bad.npz");
    array_writer *writer = start_npz(path);
    add_array(writer, "edge_index", CRD_NPY_I8, 2, 2, 2, pairs);
    add_array(writer, "edge_weight", CRD_NPY_F4, 1, 3, 0, weight);
    end_npz(writer);
    check_refused(path, CRD_WEIGHTS_AUTO, 0.0, "edge_weight: expected one weight for each edge, found");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_form_alike, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(lists_without_weights, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(names_with_weights, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(bad_weight_arrays, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
