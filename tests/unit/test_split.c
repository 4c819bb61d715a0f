/* SPDX-License-Identifier: MIT */
/* Splits that are drawn, and the data's own splits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "graph/dataset.h"
#include "graph/split.h"

enum { MOST_NODES = 256 };

/* A graph without edges: splits use only labels. */
static crd_dataset *dataset_of(const int32_t *labels, int64_t nodes)
{
    crd_arrays arrays = {.size = sizeof(crd_arrays), .nodes = nodes, .labels = labels};
    crd_dataset *dataset;
    crd_error error = {0};
    if (crd_dataset_from_arrays(&arrays, &dataset, &error) != CRD_OK) fail_msg("%s", error.message);
    return dataset;
}

/* sizes[c] nodes of class c, the classes interleaved, then `unlabelled` nodes without a label. */
static crd_dataset *dataset_of_sizes(const int64_t *sizes, int32_t classes, int64_t unlabelled)
{
    int32_t labels[MOST_NODES];
    int64_t nodes = 0, left[8];
    bool any = true;
    for (int32_t c = 0; c < classes; c++) left[c] = sizes[c];
    while (any) {
        any = false;
        for (int32_t c = 0; c < classes; c++)
            if (left[c] > 0) {
                labels[nodes++] = c;
                left[c]--;
                any = true;
            }
    }
    for (int64_t i = 0; i < unlabelled; i++) labels[nodes++] = -1;
    return dataset_of(labels, nodes);
}

static crd_split *make(const crd_dataset *dataset, const char *spec, uint64_t seed)
{
    crd_split *split;
    crd_error error = {0};
    if (crd_split_make(dataset, spec, 0, seed, &split, &error) != CRD_OK) fail_msg("%s", error.message);
    return split;
}

static int64_t class_count(const crd_dataset *dataset, const crd_split *split, int32_t label, crd_role role)
{
    int64_t count = 0;
    for (int64_t i = 0; i < split->nodes; i++)
        count += crd_dataset_label(dataset, i) == label && crd_split_role(split, i) == role;
    return count;
}

static void assert_class(const crd_dataset *dataset, const crd_split *split, int32_t label, int64_t train,
                         int64_t validation, int64_t test)
{
    assert_int_equal(class_count(dataset, split, label, CRD_ROLE_TRAIN), train);
    assert_int_equal(class_count(dataset, split, label, CRD_ROLE_VALIDATION), validation);
    assert_int_equal(class_count(dataset, split, label, CRD_ROLE_TEST), test);
}

/* Checks the sizes for a class of `nodes` nodes. */
static void assert_cut(const char *spec, int64_t nodes, int64_t train, int64_t validation, int64_t test)
{
    const int64_t sizes[] = {nodes};
    crd_dataset *dataset = dataset_of_sizes(sizes, 1, 0);
    crd_split *split = make(dataset, spec, 1);
    assert_class(dataset, split, 0, train, validation, test);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
}

static void percentages(void **state)
{
    (void)state;
    const int64_t sizes[] = {10, 20, 3};
    crd_dataset *dataset = dataset_of_sizes(sizes, 3, 0);
    crd_split *split = make(dataset, "5/15/80", 1);
    assert_class(dataset, split, 0, 1, 2, 7); /* 0.5 and 1.5 are rounded up */
    assert_class(dataset, split, 1, 1, 3, 16);
    assert_class(dataset, split, 2, 1, 1, 1);
    assert_string_equal(crd_split_description(split),
                        "5/15/80 stratified by class (seed 1): 3 train, 6 validation, 24 test");
    assert_int_equal(crd_split_count(split, CRD_ROLE_TRAIN), 3);
    assert_int_equal(crd_split_count(split, CRD_ROLE_NONE), 0);
    crd_split *fractions = make(dataset, "0.05/0.15/0.8", 1);
    assert_memory_equal(split->roles, fractions->roles, 33);
    crd_split_free(&fractions);
    crd_split_free(&split);
    assert_null(split);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
}

static void every_class_keeps_a_node_of_each(void **state)
{
    (void)state;
    assert_cut("5/15/80", 2, 1, 0, 1);
    assert_cut("5/15/80", 3, 1, 1, 1);
    assert_cut("5/15/80", 4, 1, 1, 2);
    assert_cut("5/80/15", 2, 1, 1, 0);
    assert_cut("40/30/30", 2, 1, 1, 0);
    assert_cut("90/5/5", 10, 8, 1, 1);
    assert_cut("75/25/0", 2, 1, 1, 0);
    assert_cut("75/25/0", 100, 75, 25, 0);
    assert_cut("100/0/0", 5, 5, 0, 0);
    assert_cut("2.5/7.5/90", 200, 5, 15, 180);
    assert_cut("10/10/10", 20, 2, 2, 2);
    assert_cut("0.1/0.1/0.1", 200, 20, 20, 20); /* one or less in all: fractions */
    assert_cut("0.1/0.2/rest", 20, 2, 4, 14);
    assert_cut("0.33/0.33/0.33", 100, 33, 33, 33);
    assert_cut("10/20/rest", 20, 2, 4, 14);
    assert_cut("rest/20/30", 20, 10, 4, 6);
}

static void counts_per_class(void **state)
{
    (void)state;
    assert_cut("2n/3n/rest", 10, 2, 3, 5);
    assert_cut("2n/3n/4n", 10, 2, 3, 4);
    assert_cut("2n/3n/rest", 5, 2, 3, 0); /* exactly as requested */
    assert_cut("rest/2n/3n", 10, 5, 2, 3);
    assert_cut("rest/2n/3n", 6, 1, 2, 3);
    assert_cut("2n/50/rest", 10, 2, 5, 3);
    assert_cut("2n/0/100", 10, 2, 0, 8);
    const int64_t sizes[] = {10, 4};
    crd_dataset *dataset = dataset_of_sizes(sizes, 2, 0);
    crd_split *split = NULL;
    crd_error error;
    assert_int_equal(crd_split_make(dataset, "2n/3n/rest", 0, 1, &split, &error), CRD_ERROR_ARGUMENT);
    assert_null(split);
    assert_string_equal(error.message, "the split \"2n/3n/rest\" takes more nodes of every class than class "
                                       "\"1\" has (4): ask for fewer, or for percentages");
    assert_int_equal(crd_split_make(dataset, "rest/2n/2n", 0, 1, &split, &error), CRD_ERROR_ARGUMENT);
    assert_int_equal(crd_split_make(dataset, "1n/9223372036854775807n/9223372036854775807n", 0, 1, &split, &error),
                     CRD_ERROR_ARGUMENT);
    crd_dataset_free(&dataset);
}

static void bad_specs(void **state)
{
    (void)state;
    static const char *const specs[] = {"",
                                        "5",
                                        "5/15",
                                        "5/15/80/0/0",
                                        "a/b/c",
                                        "-5/15/80",
                                        "nan/1/1",
                                        "inf/0/0",
                                        "60/60/10",
                                        "rest/rest/1",
                                        "0/20/80",
                                        "5//80",
                                        "101/0/0",
                                        "5/15/80x",
                                        "1.5n/1n/rest",
                                        "0n/1n/rest",
                                        "-1n/1n/rest",
                                        "n/1n/rest",
                                        "5/15/",
                                        "/15/80",
                                        "5,15,80",
                                        "5/15/rest of them",
                                        "0.000000000000000000000000005/15/80",
                                        "AUTO"};
    const int64_t sizes[] = {10, 10};
    crd_dataset *dataset = dataset_of_sizes(sizes, 2, 0);
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        crd_split *split = NULL;
        crd_error error = {0};
        crd_status status = crd_split_make(dataset, specs[i], 0, 1, &split, &error);
        if (status != CRD_ERROR_ARGUMENT || split != NULL || strncmp(error.message, "the split \"", 11) != 0)
            fail_msg("\"%s\": status %d, \"%s\"", specs[i], status, error.message);
    }
    crd_dataset_free(&dataset);
}

static void assert_cannot_split(const crd_dataset *dataset, const char *message)
{
    crd_split *split = NULL;
    crd_error error;
    assert_int_equal(crd_split_make(dataset, NULL, 0, 1, &split, &error), CRD_ERROR_MISMATCH);
    assert_null(split);
    assert_string_equal(error.message, message);
}

static void classes_that_cannot_be_split(void **state)
{
    (void)state;
    const int64_t single[] = {5, 1}, gap[] = {5, 0, 5}, none[] = {0};
    crd_dataset *dataset = dataset_of_sizes(single, 2, 0);
    static const char *const specs[] = {"20/30/50", "1n/2n/rest", "2n/1n/rest", "0.2/0.8/0"};
    for (int i = 0; i < 4; i++) { /* the single node of class 1 trains, whatever the parts are */
        crd_split *alone = make(dataset, specs[i], 1);
        assert_int_equal(crd_split_role(alone, 5), CRD_ROLE_TRAIN);
        assert_int_equal(crd_split_count(alone, CRD_ROLE_TRAIN), i == 2 ? 3 : 2);
        assert_non_null(strstr(crd_split_description(alone), ", the single node of class 1 trains: "));
        crd_split_free(&alone);
    }
    crd_dataset_free(&dataset);
    dataset = dataset_of_sizes((const int64_t[]){1, 1, 4}, 3, 0);
    crd_split *split = make(dataset, "auto", 1);
    assert_non_null(strstr(crd_split_description(split), ", the single nodes of 2 classes train: 3 train"));
    crd_split_free(&split);
    crd_dataset_free(&dataset);
    dataset = dataset_of_sizes(gap, 3, 0);
    split = make(dataset, "20/30/50", 1); /* class 1 has no labelled node: it is left out */
    assert_int_equal(crd_dataset_classes(dataset), 2);
    assert_int_equal(crd_split_count(split, CRD_ROLE_TRAIN), 2);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
    dataset = dataset_of_sizes(none, 0, 4);
    assert_cannot_split(dataset, "no node has a label: there is nothing to split");
    crd_dataset_free(&dataset);
}

static void seeds(void **state)
{
    (void)state;
    const int64_t sizes[] = {40, 60};
    crd_dataset *dataset = dataset_of_sizes(sizes, 2, 0);
    crd_split *first = make(dataset, "20/30/50", 5), *same = make(dataset, "20/30/50", 5);
    crd_split *other = make(dataset, "20/30/50", 6), *larger = make(dataset, "40/30/30", 5);
    assert_memory_equal(first->roles, same->roles, 100);
    assert_memory_not_equal(first->roles, other->roles, 100);
    for (int64_t i = 0; i < 100; i++)
        if (first->roles[i] == CRD_ROLE_TRAIN) assert_int_equal(larger->roles[i], CRD_ROLE_TRAIN);
    crd_split_free(&first);
    crd_split_free(&same);
    crd_split_free(&other);
    crd_split_free(&larger);
    crd_dataset_free(&dataset);
}

/* Drawing one class does not depend on the others. */
static void classes_are_drawn_apart(void **state)
{
    (void)state;
    int32_t labels[60];
    for (int i = 0; i < 60; i++) labels[i] = i % 3;
    crd_dataset *before = dataset_of(labels, 60);
    for (int i = 0; i < 30; i++)
        if (labels[i] == 1) labels[i] = 2;
    crd_dataset *after = dataset_of(labels, 60);
    crd_split *a = make(before, "20/20/60", 3), *b = make(after, "20/20/60", 3);
    for (int i = 0; i < 60; i += 3) assert_int_equal(a->roles[i], b->roles[i]);
    int alike = 0; /* two classes of one size draw different members */
    for (int i = 0; i < 60; i += 3) alike += a->roles[i] == a->roles[i + 1];
    assert_int_not_equal(alike, 20);
    crd_split_free(&a);
    crd_split_free(&b);
    crd_dataset_free(&before);
    crd_dataset_free(&after);
}

/* Over 2000 seeds each of 10 nodes is the training node about 200 times; 5 standard deviations are 67. */
static void draws_are_fair(void **state)
{
    (void)state;
    const int64_t sizes[] = {10};
    crd_dataset *dataset = dataset_of_sizes(sizes, 1, 0);
    int drawn[10] = {0};
    for (uint64_t seed = 0; seed < 2000; seed++) {
        crd_split *split = make(dataset, "10/20/70", seed);
        for (int i = 0; i < 10; i++) drawn[i] += split->roles[i] == CRD_ROLE_TRAIN;
        crd_split_free(&split);
    }
    for (int i = 0; i < 10; i++) assert_in_range(drawn[i], 133, 267);
    crd_dataset_free(&dataset);
}

static void automatic(void **state)
{
    (void)state;
    const int64_t sizes[] = {20, 20};
    crd_dataset *full = dataset_of_sizes(sizes, 2, 0), *partial = dataset_of_sizes(sizes, 2, 7);
    crd_split *split = make(full, NULL, 9);
    assert_string_equal(crd_split_description(split),
                        "5/15/80 stratified by class (seed 9): 2 train, 6 validation, 32 test");
    crd_split_free(&split);
    split = make(partial, "auto", 9);
    assert_string_equal(crd_split_description(split),
                        "75/25/0 stratified by class (seed 9): 30 train, 10 validation, 0 test");
    for (int64_t i = 40; i < 47; i++) assert_int_equal(crd_split_role(split, i), CRD_ROLE_NONE);
    crd_split_free(&split);
    crd_error error;
    assert_int_equal(crd_split_make(full, NULL, 1, 1, &split, &error), CRD_ERROR_ARGUMENT);
    assert_string_equal(error.message, "the split index is 1, but the data carry no split of their own");
    assert_int_equal(crd_split_make(full, "5/15/80", 1, 1, &split, &error), CRD_ERROR_ARGUMENT);
    crd_dataset_free(&full);
    crd_dataset_free(&partial);
}

static void own_splits(void **state)
{
    (void)state;
    const int32_t labels[] = {0, 0, 1, 1};
    static const uint8_t roles[] = {1, 2, 3, 0, 3, 3, 1, 2};
    crd_dataset *dataset = dataset_of(labels, 4);
    dataset->splits = 2;
    dataset->split_roles = malloc(sizeof roles);
    assert_non_null(dataset->split_roles);
    memcpy(dataset->split_roles, roles, sizeof roles);
    crd_split *split;
    crd_error error;
    assert_int_equal(crd_split_make(dataset, NULL, 1, 0, &split, NULL), CRD_OK);
    assert_memory_equal(split->roles, roles + 4, 4);
    assert_string_equal(crd_split_description(split),
                        "the data's own, index 1 of 0 to 1: 1 train, 1 validation, 2 test");
    crd_split_free(&split);
    assert_int_equal(crd_split_make(dataset, "auto", 2, 0, &split, &error), CRD_ERROR_ARGUMENT);
    assert_string_equal(error.message, "the split index is 2, expected 0 to 1: the data carry 2");
    assert_int_equal(crd_split_make(dataset, "auto", -1, 0, &split, &error), CRD_ERROR_ARGUMENT);
    assert_null(split);
    split = make(dataset, "50/50/0", 1); /* a spec draws, even if the data have splits */
    assert_int_equal(crd_split_count(split, CRD_ROLE_TRAIN), 2);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
}

static void four_parts(void **state)
{
    (void)state;
    const int64_t sizes[] = {200, 40};
    crd_dataset *dataset = dataset_of_sizes(sizes, 2, 0);
    crd_split *split = make(dataset, "5/10/5/80", 3);
    assert_class(dataset, split, 0, 10, 20, 160);
    assert_class(dataset, split, 1, 2, 4, 32);
    assert_int_equal(crd_split_count(split, CRD_ROLE_CALIBRATION), 12);
    crd_split_free(&split);
    split = make(dataset, "2n/3n/rest/5n", 3);
    assert_class(dataset, split, 1, 2, 3, 5);
    assert_int_equal(class_count(dataset, split, 1, CRD_ROLE_CALIBRATION), 30);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
}

static void from_roles(void **state)
{
    (void)state;
    const uint8_t good[] = {1, 1, 2, 3, 0}, calibrating[] = {1, 4, 4, 3}, bad[] = {1, 5};
    crd_split *split;
    crd_error error;
    assert_int_equal(crd_split_from_roles(good, 5, &split, NULL), CRD_OK);
    assert_int_equal(crd_split_role(split, 3), CRD_ROLE_TEST);
    assert_int_equal(crd_split_role(split, 5), CRD_ROLE_NONE);
    assert_int_equal(crd_split_role(split, -1), CRD_ROLE_NONE);
    assert_string_equal(crd_split_description(split), "given by the caller: 2 train, 1 validation, 1 test");
    crd_split_free(&split);
    assert_int_equal(crd_split_from_roles(calibrating, 4, &split, NULL), CRD_OK);
    assert_string_equal(crd_split_description(split),
                        "given by the caller: 1 train, 0 validation, 2 calibration, 1 test");
    crd_split_free(&split);
    assert_int_equal(crd_split_from_roles(bad, 2, &split, &error), CRD_ERROR_ARGUMENT);
    assert_string_equal(error.message, "node 1 has the role 5, expected 0 to 4");
    assert_null(split);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(percentages),
        cmocka_unit_test(every_class_keeps_a_node_of_each),
        cmocka_unit_test(counts_per_class),
        cmocka_unit_test(bad_specs),
        cmocka_unit_test(classes_that_cannot_be_split),
        cmocka_unit_test(seeds),
        cmocka_unit_test(classes_are_drawn_apart),
        cmocka_unit_test(draws_are_fair),
        cmocka_unit_test(automatic),
        cmocka_unit_test(own_splits),
        cmocka_unit_test(four_parts),
        cmocka_unit_test(from_roles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
