/* SPDX-License-Identifier: MIT */
/* Datasets from arrays, their accessors and fingerprints. */
#include "unit/dataset_helpers.h"

#include "graph/raw.h"

static const int64_t source[] = {0, 1, 1, 2, 0}, target[] = {1, 0, 1, 1, 1};
static const int32_t labels[] = {1, 0, -1, 1};
static const float dense[] = {1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, -3};

static crd_arrays four_nodes(void)
{
    return (crd_arrays){.size = sizeof(crd_arrays),
                        .nodes = 4,
                        .edges = 5,
                        .source = {source, CRD_INT64},
                        .target = {target, CRD_INT64},
                        .features = 3,
                        .dense = {dense, CRD_FLOAT32},
                        .labels = labels};
}

static crd_dataset *make(const crd_arrays *arrays)
{
    crd_dataset *dataset = NULL;
    crd_error error = {0};
    if (crd_dataset_from_arrays(arrays, &dataset, &error) != CRD_OK) fail_msg("%s", error.message);
    return dataset;
}

static void arrays_become_a_dataset(void **state)
{
    (void)state;
    crd_arrays arrays = four_nodes();
    crd_dataset *dataset = make(&arrays);
    assert_int_equal(crd_dataset_nodes(dataset), 4);
    assert_int_equal(crd_dataset_features(dataset), 3);
    assert_int_equal(crd_dataset_classes(dataset), 2);
    assert_int_equal(crd_dataset_label(dataset, 0), 1);
    assert_int_equal(crd_dataset_label(dataset, 2), -1);
    assert_int_equal(crd_dataset_label(dataset, -1), -1);
    assert_int_equal(crd_dataset_label(dataset, 4), -1);
    assert_string_equal(edges_of(&dataset->input), "0>1 1>0 1>1 2>1");
    assert_string_equal(edges_of(&dataset->graph), "0>1 1>0 1>2 2>1");
    assert_false(dataset->graph_is_input);
    assert_true(dataset->directed);
    assert_int_equal(dataset->self_loops, 1);
    assert_int_equal(dataset->duplicates, 1);
    assert_true(has_note(dataset, "1 self-loop was dropped"));
    assert_true(has_note(dataset, "1 repeated edge was dropped"));
    assert_null(crd_dataset_node_name(dataset, 0));
    assert_string_equal(crd_dataset_class_name(dataset, 1), "1");
    assert_null(crd_dataset_class_name(dataset, 2));
    assert_null(crd_dataset_note(dataset, -1));
    assert_null(crd_dataset_note(dataset, 99));
    assert_int_equal(crd_dataset_find_node(dataset, "3"), 3);
    assert_int_equal(crd_dataset_find_node(dataset, "4"), -1);
    assert_int_equal(crd_dataset_find_node(dataset, "-1"), -1);
    assert_int_equal(crd_dataset_find_node(dataset, ""), -1);
    crd_dataset_free(&dataset);
    assert_null(dataset);
    crd_dataset_free(&dataset);
    crd_dataset_free(NULL);
}

/* A graph that is already symmetric is not stored twice. */
static void symmetric_input_is_shared(void **state)
{
    (void)state;
    const int64_t from[] = {0, 1}, to[] = {1, 0};
    crd_arrays arrays = {
        .size = sizeof(crd_arrays), .nodes = 2, .edges = 2, .source = {from, CRD_INT64}, .target = {to, CRD_INT64}};
    crd_dataset *dataset = make(&arrays);
    assert_true(dataset->graph_is_input);
    assert_ptr_equal(dataset->graph.neighbour, dataset->input.neighbour);
    assert_false(dataset->directed);
    crd_dataset_free(&dataset);
}

static void check_same(const crd_arrays *a, const crd_arrays *b, bool same)
{
    crd_dataset *one = make(a), *other = make(b);
    assert_int_equal(strlen(crd_dataset_fingerprint(one)), 16);
    assert_int_equal(strspn(crd_dataset_fingerprint(one), "0123456789abcdef"), 16);
    assert_int_equal(strcmp(crd_dataset_fingerprint(one), crd_dataset_fingerprint(other)) == 0, same);
    bool same_graph = strcmp(crd_dataset_graph_fingerprint(one), crd_dataset_graph_fingerprint(other)) == 0;
    if (same) assert_true(same_graph);
    if (a->labels == b->labels && a->edges == b->edges) assert_true(same_graph); /* features do not count */
    if (a->labels != b->labels) assert_false(same_graph);
    crd_dataset_free(&one);
    crd_dataset_free(&other);
}

static void fingerprints_ignore_storage_alone(void **state)
{
    (void)state;
    crd_arrays base = four_nodes(), other = base;
    check_same(&base, &other, true);
    /* Direction, repetition and self-loops make no difference. */
    const int64_t from[] = {2, 1}, to[] = {1, 0};
    other.edges = 2;
    other.source = (crd_numbers){from, CRD_INT64};
    other.target = (crd_numbers){to, CRD_INT64};
    check_same(&base, &other, true);
    /* Sparse, unsorted, with a zero, and with a repeated entry whose values add up. */
    const int64_t row_start[] = {0, 1, 4, 4, 5};
    const int32_t column[] = {0, 2, 1, 1, 2};
    const float value[] = {1, 0, 1.5f, 0.5f, -3};
    other.dense = (crd_numbers){0};
    other.entries = 5;
    other.row_start = (crd_numbers){row_start, CRD_INT64};
    other.column = (crd_numbers){column, CRD_INT32};
    other.value = (crd_numbers){value, CRD_FLOAT32};
    check_same(&base, &other, true);
    const char *const names[] = {"a", "b"};
    other.classes = 2;
    other.class_names = names; /* names of classes make no difference */
    check_same(&base, &other, true);
    other.class_names = NULL;
    other.classes = 3; /* a class without nodes is left out */
    check_same(&base, &other, true);
    const int32_t three[] = {0, 1, 2, 2};
    other.labels = three;
    check_same(&base, &other, false);
    other = base;
    other.edges = 1;
    check_same(&base, &other, false);
    float changed[12];
    memcpy(changed, dense, sizeof changed);
    changed[4] = 2.5f;
    other = base;
    other.dense = (crd_numbers){changed, CRD_FLOAT32};
    check_same(&base, &other, false);
    memcpy(changed, dense, sizeof changed);
    changed[4] = 0;
    changed[7] = 2; /* the same entry, one row further down */
    check_same(&base, &other, false);
    const int32_t other_labels[] = {1, 0, 0, 1};
    other = base;
    other.labels = other_labels;
    check_same(&base, &other, false);
    other = base;
    other.features = 2; /* the first 8 numbers, cut differently */
    check_same(&base, &other, false);
}

static void names_are_kept_and_found(void **state)
{
    (void)state;
    const char *const nodes[] = {"ann", " ben ", "2", "1"}, *const classes[] = {"x", "y", "z"};
    crd_arrays arrays = four_nodes();
    arrays.node_names = nodes;
    arrays.class_names = classes;
    arrays.classes = 3;
    crd_dataset *dataset = make(&arrays);
    assert_string_equal(crd_dataset_node_name(dataset, 1), "ben");
    assert_int_equal(crd_dataset_find_node(dataset, "1"), 1); /* a number takes precedence over a name */
    assert_int_equal(crd_dataset_find_node(dataset, "ben"), 1);
    assert_int_equal(crd_dataset_find_node(dataset, "0"), 0);
    assert_string_equal(crd_dataset_class_name(dataset, 1), "y");
    assert_null(crd_dataset_class_name(dataset, 2));
    assert_true(has_note(dataset, "class z has no labelled node and is left out"));
    crd_dataset_free(&dataset);
    const char *const numbers[] = {"0", "1", "2", "3"};
    arrays.node_names = numbers; /* these are only the nodes' numbers */
    dataset = make(&arrays);
    assert_null(crd_dataset_node_name(dataset, 0));
    crd_dataset_free(&dataset);
}

static void refuse(const crd_arrays *arrays, const char *part)
{
    crd_dataset *dataset = NULL;
    crd_error error = {0};
    assert_int_not_equal(crd_dataset_from_arrays(arrays, &dataset, &error), CRD_OK);
    assert_null(dataset);
    if (strstr(error.message, part) == NULL) fail_msg("'%s' is not in '%s'", part, error.message);
    assert_int_not_equal(crd_dataset_from_arrays(arrays, &dataset, NULL), CRD_OK);
}

static void wrong_arrays_are_refused(void **state)
{
    (void)state;
    crd_arrays arrays = four_nodes();
    arrays.nodes = 0;
    refuse(&arrays, "nodes");
    arrays = four_nodes();
    arrays.nodes = 1;
    refuse(&arrays, "edge 0 joins 0 and 1");
    arrays = four_nodes();
    arrays.edges = -1;
    refuse(&arrays, "edges");
    arrays = four_nodes();
    arrays.source = (crd_numbers){0};
    refuse(&arrays, "source and target");
    arrays = four_nodes();
    arrays.dense = (crd_numbers){0};
    refuse(&arrays, "dense, or row_start");
    arrays = four_nodes();
    arrays.classes = 1;
    refuse(&arrays, "node 0 has the label 1, expected -1 to 0");
    arrays = four_nodes();
    arrays.classes = 9;
    refuse(&arrays, "9 classes but only 4 nodes");
    const char *const twice[] = {"a", "b", "c", "a"}, *const empty[] = {"a", " ", "c", "d"};
    arrays = four_nodes();
    arrays.node_names = twice;
    refuse(&arrays, "node 3 has the name of an earlier one: 'a'");
    arrays.node_names = empty;
    refuse(&arrays, "node 1 has an empty name");
    arrays = four_nodes();
    arrays.classes = 4;
    arrays.class_names = twice;
    refuse(&arrays, "class 3 has the name of an earlier one");
    const int64_t falling[] = {0, 2, 1, 2, 2};
    const int32_t column[] = {0, 3};
    arrays = four_nodes();
    arrays.dense = (crd_numbers){0};
    arrays.entries = 2;
    arrays.row_start = (crd_numbers){falling, CRD_INT64};
    arrays.column = (crd_numbers){column, CRD_INT32};
    refuse(&arrays, "row_start");
    const int64_t good[] = {0, 2, 2, 2, 2};
    arrays.row_start = (crd_numbers){good, CRD_INT64};
    refuse(&arrays, "column 3");
    float bad[12] = {0};
    bad[5] = strtof("nan", NULL);
    arrays = four_nodes();
    arrays.dense = (crd_numbers){bad, CRD_FLOAT32};
    refuse(&arrays, "row 1, column 2");
}

static void notes_are_numbered(void **state)
{
    (void)state;
    crd_raw raw;
    crd_dataset *dataset = NULL;
    crd_error error = {0};
    crd_raw_start(&raw, "nothing");
    assert_int_equal(crd_finish(&raw, &dataset, &error), CRD_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "nothing: there are no nodes"));
    for (int i = 0; i < 40; i++) assert_int_equal(crd_note(&raw.notes, NULL, "note %d", i), CRD_OK);
    raw.edges.nodes = 1;
    assert_int_equal(crd_finish(&raw, &dataset, &error), CRD_OK);
    assert_true(crd_dataset_note_count(dataset) >= 40);
    assert_string_equal(crd_dataset_note(dataset, 39), "note 39");
    crd_raw_free(&raw);
    crd_dataset_free(&dataset);
}

static void names_have_numbers(void **state)
{
    (void)state;
    crd_name_index *index = NULL;
    assert_int_equal(crd_name_index_new(&index, NULL), CRD_OK);
    assert_int_equal(crd_name_index_find(NULL, "x"), -1);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 5000; i++) {
            char name[40];
            int64_t number;
            snprintf(name, sizeof name, "%s%d", i % 3 == 0 ? "a rather longer name " : "", i);
            assert_int_equal(crd_name_index_add(index, name, &number, NULL), CRD_OK);
            assert_int_equal(number, i);
            assert_int_equal(crd_name_index_find(index, name), i);
            assert_string_equal(crd_name_index_name(index, i), name);
        }
    assert_int_equal(crd_name_index_count(index), 5000);
    assert_int_equal(crd_name_index_find(index, "5000"), -1);
    assert_int_equal(crd_name_index_find(index, ""), -1);
    crd_name_index_free(&index);
    assert_null(index);
}

static void numbers_are_told_from_names(void **state)
{
    (void)state;
    int64_t number;
    assert_true(crd_id_number("0", &number) && number == 0);
    assert_true(crd_id_number("123", &number) && number == 123);
    assert_true(crd_id_number("999999999999999999", &number) && number == INT64_C(999999999999999999));
    static const char *const names[] = {
        "", "00", "01", "-1", "+1", "1.0", "1e3", " 1", "1 ", "x", "1000000000000000000"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) assert_false(crd_id_number(names[i], &number));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_become_a_dataset),
        cmocka_unit_test(symmetric_input_is_shared),
        cmocka_unit_test(fingerprints_ignore_storage_alone),
        cmocka_unit_test(names_are_kept_and_found),
        cmocka_unit_test(wrong_arrays_are_refused),
        cmocka_unit_test(notes_are_numbered),
        cmocka_unit_test(names_have_numbers),
        cmocka_unit_test(numbers_are_told_from_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
