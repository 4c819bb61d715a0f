/* SPDX-License-Identifier: MIT */
/* Another order of the classes, or other labels: everything about classes follows; on failure nothing changes. */
#include "unit/dataset_helpers.h"

#include "credence_private.h"
#include "graph/dataset.h"

static const int32_t LABELS[] = {0, 1, 2, 1, -1, 2};

/* Six nodes in a ring, of three classes. */
static crd_dataset *ring_of(const int32_t *labels, const char *const *names)
{
    static const int64_t source[] = {0, 1, 2, 3, 4, 5}, target[] = {1, 2, 3, 4, 5, 0};
    static const float x[] = {1, 2, 3, 4, 5, 6};
    crd_arrays arrays = {.size = sizeof(crd_arrays),
                         .nodes = 6,
                         .edges = 6,
                         .source = {source, CRD_INT64},
                         .target = {target, CRD_INT64},
                         .features = 1,
                         .dense = {x, CRD_FLOAT32},
                         .labels = labels,
                         .classes = 3,
                         .class_names = names};
    crd_dataset *dataset = NULL;
    crd_error error = {0};
    if (crd_dataset_from_arrays(&arrays, &dataset, &error) != CRD_OK) fail_msg("%s", error.message);
    return dataset;
}

static crd_dataset *ring(const char *const *names)
{
    return ring_of(LABELS, names);
}

static const char *names_of(const crd_dataset *dataset)
{
    static char text[128];
    text[0] = '\0';
    for (int32_t c = 0; c < crd_dataset_classes(dataset); c++)
        strcat(strcat(text, c > 0 ? " " : ""), crd_dataset_class_name(dataset, c));
    return text;
}

static const char *const NAMES[] = {"red", "green", "blue"};

static void everything_follows(void **state)
{
    (void)state;
    static const int32_t order[] = {2, 0, 1}; /* blue, red, green */
    int64_t counts[3];
    crd_dataset *dataset = ring(NAMES);
    assert_int_equal(crd_dataset_order_classes(dataset, order, NULL), CRD_OK);
    assert_string_equal(labels_of(dataset), "1 2 0 2 -1 0");
    assert_string_equal(names_of(dataset), "blue red green");
    crd_dataset_class_counts(dataset, counts);
    assert_int_equal(counts[0], 2);
    assert_int_equal(counts[1], 1);
    assert_int_equal(counts[2], 2);
    /* equal to data that had this order from the beginning */
    static const int32_t labels[] = {1, 2, 0, 2, -1, 0};
    crd_dataset *other = ring_of(labels, NULL);
    assert_string_equal(crd_dataset_fingerprint(dataset), crd_dataset_fingerprint(other));
    crd_dataset_free(&other);
    crd_dataset_free(&dataset);
}

/* Both parts keep their order, classes their names, and the data their fingerprint. */
static void marked_classes_go_last(void **state)
{
    (void)state;
    static const bool first[] = {true, false, false}, two[] = {true, false, true}, none[] = {false, false, false};
    for (int named = 0; named < 2; named++) {
        crd_dataset *dataset = ring(named ? NAMES : NULL), *same = ring(NULL);
        assert_int_equal(crd_dataset_move_last(dataset, none, NULL), CRD_OK);
        assert_string_equal(labels_of(dataset), "0 1 2 1 -1 2");
        assert_int_equal(crd_dataset_move_last(dataset, first, NULL), CRD_OK);
        assert_string_equal(labels_of(dataset), "2 0 1 0 -1 1");
        assert_string_equal(names_of(dataset), named ? "green blue red" : "1 2 0");
        assert_int_equal(crd_dataset_move_last(dataset, two, NULL), CRD_OK);
        assert_string_equal(names_of(dataset), named ? "blue green red" : "2 1 0");
        assert_string_equal(crd_dataset_fingerprint(dataset), crd_dataset_fingerprint(same));
        crd_dataset_free(&dataset);
        crd_dataset_free(&same);
    }
}

static void back_is_back(void **state)
{
    (void)state;
    static const int32_t order[] = {2, 0, 1}, back[] = {1, 2, 0}, same[] = {0, 1, 2};
    const char *const *choices[] = {NAMES, NULL};
    for (int i = 0; i < 2; i++) {
        crd_dataset *dataset = ring(choices[i]);
        char before[17];
        strcpy(before, crd_dataset_fingerprint(dataset));
        bool given = dataset->class_names_given;
        assert_int_equal(given, choices[i] != NULL);
        assert_int_equal(crd_dataset_order_classes(dataset, same, NULL), CRD_OK);
        assert_string_equal(crd_dataset_fingerprint(dataset), before);
        assert_int_equal(crd_dataset_order_classes(dataset, order, NULL), CRD_OK);
        assert_string_not_equal(crd_dataset_fingerprint(dataset), before);
        assert_int_equal(dataset->class_names_given, given);
        assert_int_equal(crd_dataset_order_classes(dataset, back, NULL), CRD_OK);
        assert_string_equal(crd_dataset_fingerprint(dataset), before);
        assert_int_equal(dataset->class_names_given, given);
        assert_string_equal(names_of(dataset), given ? "red green blue" : "0 1 2");
        assert_string_equal(labels_of(dataset), "0 1 2 1 -1 2");
        crd_dataset_free(&dataset);
    }
}

/* In every format, even if numbers that are names could be mistaken for numbers. */
static void what_is_saved_is_what_is_opened(void **state)
{
    static const int32_t order[] = {2, 0, 1};
    static const char *const formats[] = {"npz", "npy", "csv", "mtx", "ogb"};
    const char *const *choices[] = {NAMES, NULL};
    for (int n = 0; n < 2; n++) {
        crd_dataset *dataset = ring(choices[n]);
        assert_int_equal(crd_dataset_order_classes(dataset, order, NULL), CRD_OK);
        assert_string_equal(names_of(dataset), n == 0 ? "blue red green" : "0 1 2");
        for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
            char name[32];
            crd_format format;
            crd_error error = {0};
            snprintf(name, sizeof name, "%d.%s", n, formats[i]);
            assert_int_equal(crd_format_parse(formats[i], &format, NULL), CRD_OK);
            const char *path = in(state, name);
            if (crd_dataset_save(dataset, path, format, &error) != CRD_OK) fail_msg("%s", error.message);
            crd_dataset *opened = open_with(path, NULL, NULL);
            if (strcmp(crd_dataset_fingerprint(opened), crd_dataset_fingerprint(dataset)) != 0)
                fail_msg("%s: labels %s", name, labels_of(opened));
            assert_string_equal(names_of(opened), n == 0 ? "blue red green" : "0 1 2");
            crd_dataset_free(&opened);
        }
        crd_dataset_free(&dataset);
    }
}

static void splits_stay(void **state)
{
    static const int32_t order[] = {1, 0};
    put(state, "edges.csv", "0,1\n1,2\n2,3\n");
    crd_dataset *dataset = open_with(in(state, "edges.csv"), NULL, put(state, "labels.csv", "0\n1\n0\n1\n"));
    dataset->splits = 1;
    dataset->split_roles = calloc(4, 1);
    assert_non_null(dataset->split_roles);
    memcpy(dataset->split_roles, (uint8_t[]){CRD_ROLE_TRAIN, CRD_ROLE_VALIDATION, CRD_ROLE_TEST, CRD_ROLE_NONE}, 4);
    assert_int_equal(crd_dataset_order_classes(dataset, order, NULL), CRD_OK);
    assert_string_equal(roles_of(dataset), "tve-");
    assert_string_equal(labels_of(dataset), "1 0 1 0");
    crd_dataset_free(&dataset);
}

static void a_wrong_order_changes_nothing(void **state)
{
    (void)state;
    static const struct {
        int32_t order[3];
        const char *message;
    } wrong[] = {
        {{0, 1, 3}, "the order of the classes: place 2 has class 3, expected 0 to 2"},
        {{-1, 1, 2}, "the order of the classes: place 0 has class -1, expected 0 to 2"},
        {{2, 0, 2}, "the order of the classes: class 2 is at places 0 and 2, expected once"},
    };
    crd_dataset *dataset = ring(NAMES);
    char before[17];
    strcpy(before, crd_dataset_fingerprint(dataset));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        crd_error error = {0};
        assert_int_equal(crd_dataset_order_classes(dataset, wrong[i].order, &error), CRD_ERROR_ARGUMENT);
        assert_string_equal(error.message, wrong[i].message);
        assert_string_equal(crd_dataset_fingerprint(dataset), before);
        assert_string_equal(labels_of(dataset), "0 1 2 1 -1 2");
        assert_string_equal(names_of(dataset), "red green blue");
    }
    crd_dataset_free(&dataset);
}

static void no_classes_have_one_order(void **state)
{
    (void)state;
    crd_dataset *dataset = open_text("0,1\n1,2\n");
    assert_int_equal(crd_dataset_classes(dataset), 0);
    assert_int_equal(crd_dataset_order_classes(dataset, NULL, NULL), CRD_OK);
    crd_dataset_free(&dataset);
}

static void other_labels_are_as_if_stored_so(void **state)
{
    (void)state;
    static const int32_t labels[] = {2, -1, 0, 0, 1, -1};
    static const int32_t wrong[] = {0, 0, 0, 3, 0, 0}, below[] = {0, -2, 0, 0, 0, 0};
    crd_error error = {0};
    crd_dataset *dataset = ring(NAMES), *other = ring_of(labels, NAMES);
    assert_int_equal(crd_dataset_set_labels(dataset, labels, NULL), CRD_OK);
    assert_string_equal(labels_of(dataset), "2 -1 0 0 1 -1");
    assert_string_equal(names_of(dataset), "red green blue");
    assert_string_equal(crd_dataset_fingerprint(dataset), crd_dataset_fingerprint(other));
    assert_int_equal(crd_dataset_set_labels(dataset, wrong, &error), CRD_ERROR_ARGUMENT);
    assert_string_equal(error.message, "the labels: node 3 has class 3, expected 0 to 2, or -1 for none");
    assert_int_equal(crd_dataset_set_labels(dataset, below, &error), CRD_ERROR_ARGUMENT);
    assert_string_equal(labels_of(dataset), "2 -1 0 0 1 -1");
    crd_dataset_free(&dataset);
    crd_dataset_free(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_follows),
        cmocka_unit_test(marked_classes_go_last),
        cmocka_unit_test(back_is_back),
        FOLDER_TEST(what_is_saved_is_what_is_opened),
        FOLDER_TEST(splits_stay),
        cmocka_unit_test(a_wrong_order_changes_nothing),
        cmocka_unit_test(no_classes_have_one_order),
        cmocka_unit_test(other_labels_are_as_if_stored_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
