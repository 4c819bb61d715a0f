/* SPDX-License-Identifier: MIT */
/* Splits read from files: rows of node,split, and archives of arrays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "graph/split.h"
#include "io/archive.h"

/* A graph without edges: splits use only labels. */
static crd_dataset *dataset_of(const int32_t *labels, int64_t nodes, const char *const *names)
{
    crd_arrays arrays = {.size = sizeof(crd_arrays), .nodes = nodes, .labels = labels, .node_names = names};
    crd_dataset *dataset;
    crd_error error = {0};
    if (crd_dataset_from_arrays(&arrays, &dataset, &error) != CRD_OK) fail_msg("%s", error.message);
    return dataset;
}

static const int32_t file_labels[] = {0, 0, 1, 1, 0, 1};
static const char *const file_names[] = {"ann", "bob", "7", "dee, the 4th", "eve", "fay"};

static crd_status read_text(const char *text, crd_split **split, crd_error *error)
{
    crd_dataset *dataset = dataset_of(file_labels, 6, file_names);
    crd_status status = crd_split_read_memory(dataset, text, strlen(text), "dir/s.csv", split, error);
    crd_dataset_free(&dataset);
    return status;
}

static void assert_text(const char *text, const uint8_t roles[6])
{
    crd_split *split;
    crd_error error = {0};
    if (read_text(text, &split, &error) != CRD_OK) fail_msg("%s", error.message);
    assert_memory_equal(split->roles, roles, 6);
    assert_string_equal(crd_split_description(split), "s.csv: 2 train, 1 validation, 1 test");
    crd_split_free(&split);
}

static void csv(void **state)
{
    (void)state;
    const uint8_t roles[] = {1, 3, 1, 2, 0, 0};
    assert_text("node,split\nann,train\nbob,test\n7,train\n\"dee, the 4th\",val\neve,none\n", roles);
    assert_text("0,train\n1,test\n2,train\n3,validation\n", roles);
    assert_text("# mine\nnode\tSplit\n1\tTEST\nann\tTrain\n\n2\ttrain\n3\tvalid\n", roles);
}

static void assert_bad_text(const char *text, crd_status expected, const char *message)
{
    crd_split *split = NULL;
    crd_error error = {0};
    crd_status status = read_text(text, &split, &error);
    assert_null(split);
    assert_string_equal(error.message, message);
    assert_int_equal(status, expected);
}

static void bad_csv(void **state)
{
    (void)state;
    assert_bad_text("ann,train\nann,test\n", CRD_ERROR_FORMAT,
                    "dir/s.csv: line 2: node 0 is named twice, as train and as test");
    assert_bad_text("ann,none\n0,train\n", CRD_ERROR_FORMAT,
                    "dir/s.csv: line 2: node 0 is named twice, as none and as train");
    assert_bad_text("ann,train\n-1,test\n", CRD_ERROR_MISMATCH,
                    "dir/s.csv: line 2: the data have no node \"-1\", expected a name or a number from 0 "
                    "to 5");
    assert_bad_text("node,split\nzoe,test\n", CRD_ERROR_MISMATCH,
                    "dir/s.csv: line 2: the data have no node \"zoe\", expected a name or a number from 0 "
                    "to 5");
    assert_bad_text("6,test\n", CRD_ERROR_MISMATCH,
                    "dir/s.csv: line 1: the data have no node \"6\", expected a name or a number from 0 "
                    "to 5");
    assert_bad_text("ann,training\n", CRD_ERROR_FORMAT,
                    "dir/s.csv: line 1: the split is \"training\", expected train, val, calibration, test or none");
    assert_bad_text("ann,train\nbob,tes\n", CRD_ERROR_FORMAT,
                    "dir/s.csv: line 2: the split is \"tes\", expected train, val, calibration, test or none");
    assert_bad_text("ann,train,1\n", CRD_ERROR_FORMAT, "dir/s.csv: line 1: expected two columns (node,split), found 3");
    static const char *const empty = "dir/s.csv: holds no split, expected .npz with train, val and test, or "
                                     "rows of node,split";
    assert_bad_text("", CRD_ERROR_FORMAT, empty);
    assert_bad_text("node,split\n", CRD_ERROR_FORMAT, empty);
}

static char npz_path[64];

/* One array of an archive under test. */
typedef struct array {
    const char *name;
    crd_npy_type type;
    int64_t shape[2];
    const void *data;
} array;

/* Writes the arrays, up to a NULL name, and reads them back as a split. */
static crd_status read_npz(const array *arrays, crd_split **split, crd_error *error)
{
    crd_array written[16];
    size_t count = 0;
    for (; arrays->name != NULL; arrays++)
        written[count++] = (crd_array){arrays->name,
                                       arrays->type,
                                       arrays->shape[1] > 0 ? 2 : 1,
                                       {arrays->shape[0], arrays->shape[1]},
                                       arrays->data};
    assert_int_equal(crd_archive_write(npz_path, CRD_ARCHIVE_DEFLATED, written, count, NULL), CRD_OK);
    crd_dataset *dataset = dataset_of(file_labels, 6, NULL);
    crd_status status = crd_split_read(dataset, npz_path, split, error);
    crd_dataset_free(&dataset);
    return status;
}

static const int64_t zero_two[] = {0, 2}, three[] = {3}, one[] = {1};

static void assert_npz(const array *arrays)
{
    const uint8_t roles[] = {1, 3, 1, 2, 0, 0};
    crd_split *split;
    crd_error error = {0};
    if (read_npz(arrays, &split, &error) != CRD_OK) fail_msg("%s", error.message);
    assert_memory_equal(split->roles, roles, 6);
    assert_non_null(strstr(crd_split_description(split), ".npz: 2 train, 1 validation, 1 test"));
    assert_null(strchr(crd_split_description(split), '/'));
    crd_split_free(&split);
}

static void npz(void **state)
{
    (void)state;
    const int32_t zero_two_32[] = {0, 2};
    const double three_64[] = {3.0};
    const uint8_t train_mask[] = {1, 0, 1, 0, 0, 0}, val_mask[] = {0, 0, 0, 1, 0, 0};
    const uint8_t test_mask[] = {0, 1, 0, 0, 0, 0};
    assert_npz((array[]){
        {"train", CRD_NPY_I8, {2}, zero_two}, {"val", CRD_NPY_I8, {1}, three}, {"test", CRD_NPY_I8, {1}, one}, {0}});
    assert_npz((array[]){{"train_idx", CRD_NPY_I4, {2}, zero_two_32},
                         {"valid", CRD_NPY_F8, {1}, three_64},
                         {"other", CRD_NPY_I8, {1}, one},
                         {"test_idx", CRD_NPY_I8, {1}, one},
                         {0}});
    assert_npz((array[]){{"train_mask", CRD_NPY_U1, {6}, train_mask},
                         {"val_mask", CRD_NPY_U1, {6}, val_mask},
                         {"test_mask", CRD_NPY_U1, {6}, test_mask},
                         {0}});
    /* An array is a mask if its name says so, whatever its type; validation has many spellings. */
    const int32_t train_flags[] = {1, 0, 1, 0, 0, 0}, val_flags[] = {0, 0, 0, 1, 0, 0};
    static const char *const validation[] = {"val_mask", "val_masks", "valid_mask", "valid_masks"};
    for (int i = 0; i < 4; i++)
        assert_npz((array[]){{"train_masks", CRD_NPY_I4, {6}, train_flags},
                             {validation[i], CRD_NPY_I4, {6}, val_flags},
                             {"split_test", CRD_NPY_I8, {1}, one},
                             {0}});
    static const char *const lists[] = {"split_valid", "split_val", "val_idx", "valid_idx", "val", "valid"};
    for (int i = 0; i < 6; i++)
        assert_npz((array[]){{"split_train", CRD_NPY_I8, {2}, zero_two},
                             {lists[i], CRD_NPY_I8, {1}, three},
                             {"test", CRD_NPY_I8, {1}, one},
                             {0}});
    /* Validation and test may be missing, or empty as NumPy writes it. */
    crd_split *split;
    const array sparse[] = {{"train", CRD_NPY_I8, {2}, zero_two}, {"val", CRD_NPY_F8, {0}, three_64}, {0}};
    assert_int_equal(read_npz(sparse, &split, NULL), CRD_OK);
    assert_int_equal(crd_split_count(split, CRD_ROLE_TRAIN), 2);
    assert_int_equal(crd_split_count(split, CRD_ROLE_NONE), 4);
    crd_split_free(&split);
}

static void assert_bad_npz(const array *arrays, crd_status expected, const char *message)
{
    crd_split *split = NULL;
    crd_error error = {0};
    crd_status status = read_npz(arrays, &split, &error);
    assert_null(split);
    if (strstr(error.message, message) == NULL) fail_msg("\"%s\" is not in \"%s\"", message, error.message);
    assert_int_equal(strncmp(error.message, npz_path, strlen(npz_path)), 0);
    assert_int_equal(status, expected);
}

static void bad_npz(void **state)
{
    (void)state;
    const int64_t negative[] = {0, -1}, large[] = {6}, twice[] = {4, 4};
    const double half[] = {0.5};
    const uint8_t mask[] = {1, 0};
    const array train = {"train", CRD_NPY_I8, {2}, zero_two};
    assert_bad_npz((array[]){{"train", CRD_NPY_I8, {2}, negative}, {0}}, CRD_ERROR_MISMATCH,
                   ":train: item 1: node -1 does not exist, expected 0 to 5");
    assert_bad_npz((array[]){train, {"test", CRD_NPY_I8, {1}, large}, {0}}, CRD_ERROR_MISMATCH,
                   ":test: item 0: node 6 does not exist, expected 0 to 5");
    assert_bad_npz((array[]){{"train", CRD_NPY_I8, {2}, twice}, {0}}, CRD_ERROR_FORMAT,
                   ":train: item 1: node 4 is named twice, as train and as train");
    assert_bad_npz((array[]){train, {"val", CRD_NPY_I8, {2}, zero_two}, {0}}, CRD_ERROR_FORMAT,
                   ":val: item 0: node 0 is named twice, as train and as validation");
    assert_bad_npz((array[]){train, {"val", CRD_NPY_I8, {1}, three}, {"valid", CRD_NPY_I8, {1}, three}, {0}},
                   CRD_ERROR_FORMAT, ": has both \"val\" and \"valid\", expected one of them");
    assert_bad_npz((array[]){{"val", CRD_NPY_I8, {1}, three}, {0}}, CRD_ERROR_FORMAT,
                   ": has neither an array \"train\" nor \"test\"");
    assert_bad_npz((array[]){{"train", CRD_NPY_I8, {1, 2}, zero_two}, {0}}, CRD_ERROR_FORMAT,
                   ":train: expected a list of node numbers or a mask, found int64[1,2]");
    assert_bad_npz((array[]){train,
                             {"dev", CRD_NPY_I8, {1}, three},
                             {"test", CRD_NPY_I8, {1}, one},
                             {"validation", CRD_NPY_I8, {1}, three},
                             {0}},
                   CRD_ERROR_FORMAT, ": has no array \"val\" but 'dev', whose name says nothing; expected train");
    assert_bad_npz((array[]){{"training", CRD_NPY_I8, {2}, zero_two}, {"val", CRD_NPY_I8, {1}, three}, {0}},
                   CRD_ERROR_FORMAT, ": has no array \"train\" but 'training', whose");
    assert_bad_npz((array[]){{"train", CRD_NPY_F8, {1}, half}, {0}}, CRD_ERROR_FORMAT, ":train");
    assert_bad_npz((array[]){{"train", CRD_NPY_U1, {2}, mask}, {0}}, CRD_ERROR_MISMATCH,
                   ":train: expected a mask of 6 nodes, found bool[2]");
}

static void bad_files(void **state)
{
    (void)state;
    crd_dataset *dataset = dataset_of(file_labels, 6, NULL);
    crd_split *split = NULL;
    crd_error error;
    assert_int_equal(crd_split_read(dataset, "/nowhere/split.csv", &split, &error), CRD_ERROR_IO);
    assert_non_null(strstr(error.message, "/nowhere/split.csv"));
    assert_int_not_equal(crd_split_read(dataset, "/tmp", &split, &error), CRD_OK);
    assert_int_equal(crd_split_read_memory(dataset, "PK\3\4rubbish", 11, "x.npz", &split, &error), CRD_ERROR_FORMAT);
    assert_null(split);
    crd_dataset_free(&dataset);
}

static int name_npz(void **state)
{
    (void)state;
    snprintf(npz_path, sizeof npz_path, "/tmp/credence-test-split-%ld.npz", (long)getpid());
    return 0;
}

static int remove_npz(void **state)
{
    (void)state;
    unlink(npz_path);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv),     cmocka_unit_test(bad_csv),   cmocka_unit_test(npz),
        cmocka_unit_test(bad_npz), cmocka_unit_test(bad_files),
    };
    return cmocka_run_group_tests(tests, name_npz, remove_npz);
}
