/* SPDX-License-Identifier: MIT */
/* Splits of a dataset whose node names look like numbers: what an id in the file means. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "graph/split.h"

enum { N = 6 };

static const int32_t labels[N] = {0, 1, 0, 1, 0, 1};
/* No name is its node's number; "1" and "3" are numbers of nodes and no names, "6" and "-2" names only. */
static const char *const names[N] = {"5", "6", "0", "2", "-2", "4"};

static crd_status read_split(const char *const *node_names, const char *text, crd_split **split, crd_error *error)
{
    const crd_arrays arrays = {.size = sizeof(crd_arrays), .nodes = N, .labels = labels, .node_names = node_names};
    crd_dataset *dataset;
    assert_int_equal(crd_dataset_from_arrays(&arrays, &dataset, NULL), CRD_OK);
    crd_status status = crd_split_read_memory(dataset, text, strlen(text), "s.csv", split, error);
    crd_dataset_free(&dataset);
    return status;
}

/* `roles` has one letter per node: - none, t train, v validation, e test. */
static void assert_roles(const char *const *node_names, const char *text, const char *roles)
{
    crd_split *split;
    crd_error error = {0};
    if (read_split(node_names, text, &split, &error) != CRD_OK) fail_msg("%s: %s", text, error.message);
    char found[N + 1] = "";
    for (int i = 0; i < N; i++) found[i] = "-tve"[split->roles[i]];
    if (strcmp(found, roles) != 0) fail_msg("%s: %s, expected %s", text, found, roles);
    crd_split_free(&split);
}

/* All ids are whole numbers below N: they are node numbers, whatever the names. */
static void numbers(void **state)
{
    (void)state;
    assert_roles(names, "0,train\n5,test\n", "t----e");
    assert_roles(names, "node,split\n0,train\n5,test\n2,val\n", "t-v--e");
    assert_roles(names, "4,train\n", "----t-");
    assert_roles(names, "1,test\n3,train\n", "-e-t--"); /* numbers that are nobody's name */
    assert_roles(NULL, "0,train\n5,test\n", "t----e");
}

/* One id is not such a number: all of them are names first. */
static void by_name(void **state)
{
    (void)state;
    assert_roles(names, "5,train\n6,test\n", "te----");
    assert_roles(names, "6,test\n5,train\n", "te----"); /* wherever it stands */
    assert_roles(names, "node,split\n0,train\n5,val\n4,test\n2,test\n-2,none\n", "v-te-e");
    assert_roles(names, "5,train\n-2,val\n", "t---v-");
    /* an id that is not a name is still a number */
    assert_roles(names, "-2,test\n1,none\n3,train\n", "---te-");
}

static void assert_refused(const char *text, crd_status status, const char *message)
{
    crd_split *split = NULL;
    crd_error error = {0};
    assert_int_equal(read_split(names, text, &split, &error), status);
    assert_string_equal(error.message, message);
    assert_null(split);
}

/* A node given twice, by name and by number; an id that is neither name nor number. */
static void refused(void **state)
{
    (void)state;
    assert_refused("6,test\n1,train\n", CRD_ERROR_FORMAT, "s.csv: line 2: node 1 is named twice, as test and as train");
    assert_refused("5,test\n7,train\n", CRD_ERROR_MISMATCH,
                   "s.csv: line 2: the data have no node \"7\", expected a name or a number from 0 to 5");
    assert_refused("5,test\n5,train\n", CRD_ERROR_FORMAT, "s.csv: line 2: node 5 is named twice, as test and as train");
    assert_refused("5,test\n5,train\n6,test\n", CRD_ERROR_FORMAT,
                   "s.csv: line 2: node 0 is named twice, as test and as train");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers), cmocka_unit_test(by_name), cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
