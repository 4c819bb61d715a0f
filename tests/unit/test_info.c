/* SPDX-License-Identifier: MIT */
/* Facts about a graph small enough to count by hand. */
#include "unit/dataset_helpers.h"

#include <jansson.h>
#include <math.h>

/*   0 - 1 - 2   3 - 4   5     and the loop 3-3; 0>1 is given twice, 1>2 in one direction.
 *   a   a   b   b   ?   a  */
static const int64_t source[] = {0, 0, 1, 1, 3, 4, 3}, target[] = {1, 1, 0, 2, 4, 3, 3};
static const int32_t labels[] = {0, 0, 1, 1, -1, 0};
static const char *const class_names[] = {"a \"quoted\"", "b", "c"};
static const float dense[] = {1, 0, 0, 0, 0, 0, -2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0};

static crd_dataset *make(const crd_arrays *arrays)
{
    crd_dataset *dataset = NULL;
    crd_error error = {0};
    if (crd_dataset_from_arrays(arrays, &dataset, &error) != CRD_OK) fail_msg("%s", error.message);
    return dataset;
}

static crd_dataset *make_six(void)
{
    crd_arrays arrays = {.size = sizeof(crd_arrays),
                         .nodes = 6,
                         .edges = 7,
                         .source = {source, CRD_INT64},
                         .target = {target, CRD_INT64},
                         .features = 3,
                         .dense = {dense, CRD_FLOAT32},
                         .labels = labels,
                         .classes = 3,
                         .class_names = class_names};
    return make(&arrays);
}

static void counted_by_hand(void **state)
{
    (void)state;
    crd_dataset *dataset = make_six();
    crd_info info;
    assert_int_equal(crd_dataset_info(dataset, &info, NULL), CRD_OK);
    assert_int_equal(info.nodes, 6);
    assert_int_equal(info.input_edges, 6);
    assert_int_equal(info.edges, 3);
    assert_true(info.directed);
    assert_int_equal(info.self_loops, 1);
    assert_int_equal(info.duplicates, 1);
    assert_int_equal(info.isolated, 1);
    assert_int_equal(info.components, 3);
    assert_int_equal(info.largest_component, 3);
    assert_int_equal(info.degree_min, 0);
    assert_int_equal(info.degree_max, 2);
    assert_true(info.degree_mean == 1.0);
    assert_true(info.degree_median == 1.0);
    assert_int_equal(info.features, 3);
    assert_true(info.features_sparse); /* 3 of 18: less than a quarter */
    assert_int_equal(info.features_nonzero, 3);
    assert_true(info.feature_density == 3.0 / 18.0);
    assert_true(info.feature_min == -2.0f && info.feature_max == 4.0f);
    assert_int_equal(info.featureless, 4);
    assert_int_equal(info.classes, 2); /* the third has no node */
    assert_int_equal(info.labelled, 5);
    assert_true(info.edge_homophily == 0.5);          /* 0-1 inside, 1-2 across; 3-4 has an unknown end */
    assert_true(info.edge_homophily_chance == 0.625); /* of four ends, three are of class a, one of class b */
    assert_false(info.edges_mislead);                 /* two edges show nothing */
    assert_int_equal(info.splits, 0);
    int64_t counts[2];
    crd_dataset_class_counts(dataset, counts);
    assert_int_equal(counts[0], 3);
    assert_int_equal(counts[1], 2);
    crd_dataset_free(&dataset);
}

static void medians_and_extremes(void **state)
{
    (void)state;
    /* A star of four: degrees 3, 1, 1, 1; then with a fifth node alone: 0, 1, 1, 1, 3; two nodes: 1, 1. */
    const int64_t from[] = {0, 0, 0}, to[] = {1, 2, 3};
    const float positive[] = {2, 3, 5, 7};
    crd_arrays arrays = {.size = sizeof(crd_arrays),
                         .nodes = 4,
                         .edges = 3,
                         .source = {from, CRD_INT64},
                         .target = {to, CRD_INT64},
                         .features = 1,
                         .dense = {positive, CRD_FLOAT32}};
    crd_dataset *dataset = make(&arrays);
    crd_info info;
    assert_int_equal(crd_dataset_info(dataset, &info, NULL), CRD_OK);
    assert_true(info.degree_median == 1.0 && info.degree_mean == 1.5);
    assert_int_equal(info.degree_min, 1);
    assert_true(info.feature_min == 2.0f && info.feature_max == 7.0f && info.feature_density == 1.0);
    assert_false(info.features_sparse);
    assert_true(info.edge_homophily == -1.0);
    assert_int_equal(info.featureless, 0);
    crd_dataset_free(&dataset);
    arrays = (crd_arrays){
        .size = sizeof(crd_arrays), .nodes = 4, .edges = 2, .source = {from, CRD_INT64}, .target = {to, CRD_INT64}};
    dataset = make(&arrays); /* degrees 2, 1, 1, 0: the median lies between 1 and 1 */
    assert_int_equal(crd_dataset_info(dataset, &info, NULL), CRD_OK);
    assert_true(info.degree_median == 1.0);
    assert_int_equal(info.featureless, 0); /* without features, no node lacks them */
    crd_dataset_free(&dataset);
    arrays = (crd_arrays){
        .size = sizeof(crd_arrays), .nodes = 4, .edges = 1, .source = {from, CRD_INT64}, .target = {to, CRD_INT64}};
    dataset = make(&arrays); /* 1, 1, 0, 0 */
    assert_int_equal(crd_dataset_info(dataset, &info, NULL), CRD_OK);
    assert_true(info.degree_median == 0.5);
    crd_dataset_free(&dataset);
}

/* A ring of 40 nodes whose class changes every `run` nodes. */
static crd_dataset *ring(int32_t run)
{
    int64_t from[40], to[40];
    int32_t classes[40];
    for (int32_t i = 0; i < 40; i++) {
        from[i] = i;
        to[i] = (i + 1) % 40;
        classes[i] = i / run % 2;
    }
    crd_arrays arrays = {.size = sizeof(crd_arrays),
                         .nodes = 40,
                         .edges = 40,
                         .source = {from, CRD_INT64},
                         .target = {to, CRD_INT64},
                         .labels = classes};
    return make(&arrays);
}

static void edges_that_mislead(void **state)
{
    (void)state;
    for (int32_t run = 1; run <= 5; run++) {
        if (40 % (2 * run) != 0) continue;
        crd_dataset *dataset = ring(run);
        crd_info info;
        assert_int_equal(crd_dataset_info(dataset, &info, NULL), CRD_OK);
        assert_true(fabs(info.edge_homophily - (1.0 - 1.0 / run)) < 1e-12 && info.edge_homophily_chance == 0.5);
        assert_int_equal(info.edges_mislead, run == 1); /* 0, 50, 75 and 80 % stay inside */
        assert_false(info.directed);
        crd_dataset_free(&dataset);
    }
}

/* Only labels that training may look at count. */
static void edges_between_seen_nodes(void **state)
{
    (void)state;
    crd_dataset *dataset = ring(1);
    crd_split *split = NULL;
    uint8_t roles[40];
    crd_homophily homophily;
    for (int i = 0; i < 40; i++) roles[i] = i < 30 ? CRD_ROLE_TEST : i % 2 ? CRD_ROLE_TRAIN : CRD_ROLE_VALIDATION;
    assert_int_equal(crd_split_from_roles(roles, 40, &split, NULL), CRD_OK);
    assert_int_equal(crd_dataset_homophily(dataset, split, 2, &homophily, NULL), CRD_OK);
    assert_int_equal(homophily.edges, 9);
    assert_true(homophily.inside == 0.0 && homophily.chance == 0.5 && homophily.misleads);
    assert_int_equal(crd_dataset_homophily(dataset, split, 1, &homophily, NULL), CRD_OK); /* one class is left out */
    assert_int_equal(homophily.edges, 0);
    assert_true(homophily.inside == -1.0 && !homophily.misleads);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
}

static void facts_as_json(void **state)
{
    (void)state;
    crd_dataset *dataset = make_six();
    char *text = NULL;
    crd_error error = {0};
    assert_int_equal(crd_dataset_info_json(dataset, &text, &error), CRD_OK);
    assert_string_equal(text + strlen(text) - 2, "\"}"); /* the caller ends the line */
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(json);
    assert_int_equal(json_integer_value(json_object_get(json, "nodes")), 6);
    assert_int_equal(json_integer_value(json_object_get(json, "input_edges")), 6);
    assert_true(json_is_true(json_object_get(json, "directed")));
    assert_true(json_real_value(json_object_get(json, "edge_homophily")) == 0.5);
    assert_int_equal(json_integer_value(json_object_get(json, "feature_min")), -2);
    json_t *counts = json_object_get(json, "class_counts");
    assert_int_equal(json_array_size(counts), 2);
    json_t *first = json_array_get(counts, 0);
    assert_string_equal(json_string_value(json_object_get(first, "class")), "a \"quoted\"");
    assert_int_equal(json_integer_value(json_object_get(first, "nodes")), 3);
    assert_int_equal(json_array_size(json_object_get(json, "notes")), crd_dataset_note_count(dataset));
    assert_string_equal(json_string_value(json_object_get(json, "fingerprint")), crd_dataset_fingerprint(dataset));
    assert_int_equal(json_object_size(json), 29); /* crd_info's 26 facts and three more */
    json_decref(json);
    crd_string_free(&text);
    crd_dataset_free(&dataset);
    crd_arrays arrays = {.size = sizeof(crd_arrays), .nodes = 1};
    dataset = make(&arrays);
    assert_int_equal(crd_dataset_info_json(dataset, &text, &error), CRD_OK);
    json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(json);
    assert_true(json_is_null(json_object_get(json, "edge_homophily")));
    assert_int_equal(json_array_size(json_object_get(json, "class_counts")), 0);
    json_decref(json);
    crd_string_free(&text);
    crd_dataset_free(&dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counted_by_hand),    cmocka_unit_test(medians_and_extremes),
        cmocka_unit_test(edges_that_mislead), cmocka_unit_test(edges_between_seen_nodes),
        cmocka_unit_test(facts_as_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
