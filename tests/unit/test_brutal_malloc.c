/* SPDX-License-Identifier: MIT */
/* Brutal malloc for data: opening, making, saving, splitting; for comparing results, and for maps. */
#include "support/brutal.h"
#include "support/failing_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "credence_private.h"
#include "io/archive.h"

static crd_status make(crd_dataset **dataset, crd_error *error)
{
    crd_generate_options options;
    crd_generate_defaults(&options);
    options.nodes = 24;
    options.features = 20;
    options.classes = 3;
    options.lookalikes = 1;
    return crd_generate(&options, dataset, error);
}

static crd_status generate(const char *nothing, crd_error *error)
{
    (void)nothing;
    crd_dataset *dataset = NULL;
    crd_status status = make(&dataset, error);
    CHECK_AND_FREE(status, dataset, crd_dataset_free);
    return status;
}

static void test_generate(void **state)
{
    (void)state;
    crd_brutalise(generate, NULL);
}

/* A failure does not change the order. */
static crd_status order_classes(const char *nothing, crd_error *error)
{
    (void)nothing;
    static const int32_t order[] = {1, 0, 2};
    crd_dataset *dataset = NULL;
    crd_status status = make(&dataset, error);
    if (status == CRD_OK) {
        char before[17];
        snprintf(before, sizeof before, "%s", crd_dataset_fingerprint(dataset));
        status = crd_dataset_order_classes(dataset, order, error);
        assert_int_equal(strcmp(crd_dataset_fingerprint(dataset), before) == 0, status != CRD_OK);
    }
    crd_dataset_free(&dataset);
    return status;
}

static crd_status move_last(const char *nothing, crd_error *error)
{
    (void)nothing;
    static const bool last[] = {true, false, false};
    crd_dataset *dataset = NULL;
    crd_status status = make(&dataset, error);
    const int32_t label = status == CRD_OK ? crd_dataset_label(dataset, 0) : 0;
    if (status == CRD_OK) {
        status = crd_dataset_move_last(dataset, last, error);
        assert_int_equal(crd_dataset_label(dataset, 0), status == CRD_OK ? (label + 2) % 3 : label);
    }
    crd_dataset_free(&dataset);
    return status;
}

static void test_order_classes(void **state)
{
    (void)state;
    crd_brutalise(order_classes, NULL);
    crd_brutalise(move_last, NULL);
}

static crd_status open_path(const char *path, crd_error *error)
{
    crd_dataset *dataset = NULL;
    crd_status status = crd_dataset_open(path, NULL, &dataset, error);
    CHECK_AND_FREE(status, dataset, crd_dataset_free);
    return status;
}

static crd_status open_with_parts(const char *features, crd_error *error)
{
    char edges[256], labels[256], columns[256];
    snprintf(edges, sizeof edges, "%s/edges.csv", crd_tiny.folder);
    snprintf(labels, sizeof labels, "%s/labels.csv", crd_tiny.folder);
    snprintf(columns, sizeof columns, "%s/%s", crd_tiny.folder, features);
    crd_open_options options = {.size = sizeof options, .features = columns, .labels = labels};
    crd_dataset *dataset = NULL;
    crd_status status = crd_dataset_open(edges, &options, &dataset, error);
    CHECK_AND_FREE(status, dataset, crd_dataset_free);
    return status;
}

/* The labels come with the features. */
static crd_status open_signs(const char *features, crd_error *error)
{
    char edges[256], columns[256];
    snprintf(edges, sizeof edges, "%s/edges.csv", crd_tiny.folder);
    snprintf(columns, sizeof columns, "%s/%s", crd_tiny.folder, features);
    crd_open_options options = {.size = sizeof options, .features = columns};
    crd_dataset *dataset = NULL;
    crd_status status = crd_dataset_open(edges, &options, &dataset, error);
    CHECK_AND_FREE(status, dataset, crd_dataset_free);
    return status;
}

/* Tables with columns that the options name. */
static crd_status open_tables(const char *features, crd_error *error)
{
    char edges[256], labels[256], columns[256];
    snprintf(edges, sizeof edges, "%s/edges.csv", crd_tiny.folder);
    snprintf(labels, sizeof labels, "%s/labels.csv", crd_tiny.folder);
    snprintf(columns, sizeof columns, "%s/%s", crd_tiny.folder, features);
    crd_open_options options = {.size = sizeof options,
                                .features = columns,
                                .labels = labels,
                                .label_column = "risk",
                                .id_column = "who",
                                .category_columns = "zone",
                                .ignore_columns = "note"};
    crd_dataset *dataset = NULL;
    crd_status status = crd_dataset_open(edges, &options, &dataset, error);
    CHECK_AND_FREE(status, dataset, crd_dataset_free);
    return status;
}

static crd_status open_matrices(const char *matrix, crd_error *error)
{
    crd_open_options options = {.size = sizeof options, .features = matrix};
    crd_dataset *dataset = NULL;
    crd_status status = crd_dataset_open(matrix, &options, &dataset, error);
    CHECK_AND_FREE(status, dataset, crd_dataset_free);
    return status;
}

/* What scipy.sparse.save_npz writes. */
static const char *write_scipy(const char *format, const char *first, const char *second, int64_t firsts)
{
    static const int32_t starts[] = {0, 1, 2, 2}, items[] = {1, 2}, shape[] = {3, 3};
    static const float data[] = {1, 2};
    const crd_array arrays[] = {
        {"format", CRD_NPY_TEXT, 1, {1}, &format}, {"shape", CRD_NPY_I4, 1, {2}, shape},
        {first, CRD_NPY_I4, 1, {firsts}, starts},  {second, CRD_NPY_I4, 1, {2}, items},
        {"data", CRD_NPY_F4, 1, {2}, data},
    };
    char name[32];
    snprintf(name, sizeof name, "%s.npz", format);
    const char *path = crd_brutal_input(name);
    assert_int_equal(crd_archive_write(path, CRD_ARCHIVE_STORED, arrays, 5, NULL), CRD_OK);
    return path;
}

static crd_status open_memory(const char *text, crd_error *error)
{
    crd_dataset *dataset = NULL;
    crd_status status = crd_dataset_open_memory(text, strlen(text), "text", &dataset, error);
    CHECK_AND_FREE(status, dataset, crd_dataset_free);
    return status;
}

static crd_status from_arrays(const char *features, crd_error *error)
{
    const int64_t source[] = {0, 1, 2, 3, 3, 0}, target[] = {1, 2, 3, 0, 3, 1};
    const float dense[] = {1, 2, 3, 4, 5, 6, 7, 8}, value[] = {1, 2};
    const int64_t row_start[] = {0, 1, 1, 2, 2};
    const int32_t column[] = {0, 1}, labels[] = {0, 1, 0, -1};
    const char *const class_names[] = {"yes", "no"}, *const node_names[] = {"a", "b", "c", "d"};
    crd_arrays arrays = {.size = sizeof(crd_arrays),
                         .nodes = 4,
                         .edges = 6,
                         .source = {source, CRD_INT64},
                         .target = {target, CRD_INT64},
                         .features = 2,
                         .labels = labels,
                         .classes = 2,
                         .class_names = class_names,
                         .node_names = node_names};
    if (strcmp(features, "dense") == 0) {
        arrays.dense = (crd_numbers){dense, CRD_FLOAT32};
    } else {
        arrays.entries = 2;
        arrays.row_start = (crd_numbers){row_start, CRD_INT64};
        arrays.column = (crd_numbers){column, CRD_INT32};
        arrays.value = (crd_numbers){value, CRD_FLOAT32};
    }
    crd_dataset *dataset = NULL;
    crd_status status = crd_dataset_from_arrays(&arrays, &dataset, error);
    CHECK_AND_FREE(status, dataset, crd_dataset_free);
    return status;
}

static void count_release(void *user)
{
    ++*(int *)user;
}

/* Compressed rows, in types and an order that must be converted, or such that they can be kept. */
static crd_status from_rows(const char *form, crd_error *error)
{
    const bool kept = strcmp(form, "kept") == 0, dense_wide = strcmp(form, "dense") == 0;
    static const int32_t start[] = {0, 3, 5, 6, 8}, start_narrow[] = {0, 1, 1, 3, 3}, labels[] = {0, 1, 0, -1};
    static const int64_t neighbour[] = {3, 1, 1, 0, 2, 2, 0, 3}, column[] = {0, 1, 0}, good_start[] = {0, 1, 3, 4, 4};
    static const int64_t row_start[] = {0, 1, 1, 3, 3};
    static const int32_t good_neighbour[] = {1, 0, 2, 1}, good_column[] = {0, 0, 1};
    static const double weight[] = {1, 1, 2, 0, 1, 1, 1, 1}, value[] = {1, 2, 3}, wide[] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const float good_value[] = {1, 2, 3};
    int releases = 0;
    crd_arrays arrays = {.size = sizeof arrays,
                         .nodes = 4,
                         .edges = kept ? 4 : 8,
                         .start = {start, CRD_INT32},
                         .neighbour = {neighbour, CRD_INT64},
                         .weight = {kept ? NULL : weight, CRD_FLOAT64},
                         .features = 2,
                         .labels = labels,
                         .release = count_release,
                         .user = &releases};
    if (kept) {
        arrays.start = (crd_numbers){good_start, CRD_INT64};
        arrays.neighbour = (crd_numbers){good_neighbour, CRD_INT32};
    }
    if (dense_wide) {
        arrays.dense = (crd_numbers){wide, CRD_FLOAT64};
        arrays.dense_stride = 2;
    } else {
        arrays.entries = 3;
        arrays.row_start = kept ? (crd_numbers){row_start, CRD_INT64} : (crd_numbers){start_narrow, CRD_INT32};
        arrays.column = kept ? (crd_numbers){good_column, CRD_INT32} : (crd_numbers){column, CRD_INT64};
        arrays.value = kept ? (crd_numbers){good_value, CRD_FLOAT32} : (crd_numbers){value, CRD_FLOAT64};
    }
    if (strcmp(form, "copied") == 0) arrays.release = NULL;
    crd_dataset *dataset = NULL;
    crd_status status = crd_dataset_from_arrays(&arrays, &dataset, error);
    assert_int_equal(releases, arrays.release != NULL && (status != CRD_OK || !kept));
    CHECK_AND_FREE(status, dataset, crd_dataset_free);
    assert_int_equal(releases, arrays.release != NULL);
    return status;
}

static const char *const formats[] = {"npz", "npy", "csv", "mtx", "ogb"};
enum { FORMATS = sizeof formats / sizeof *formats };

static void test_open(void **state)
{
    (void)state;
    for (int i = 0; i < FORMATS; i++) {
        crd_format format;
        char path[256];
        snprintf(path, sizeof path, "%s/graph.%s", crd_tiny.folder, formats[i]);
        assert_int_equal(crd_format_parse(formats[i], &format, NULL), CRD_OK);
        assert_int_equal(crd_dataset_save(crd_tiny.dataset, path, format, NULL), CRD_OK);
        crd_brutalise(open_path, path);
    }
}

static void test_open_text(void **state)
{
    (void)state;
    crd_brutal_write("edges.csv", "source,target,weight\nann,bob,2\nbob,cy,1\ncy,ann,1\ncy,dee,1\nann,ann,1\n");
    crd_brutal_write("labels.csv", "node,label\nann,red\nbob,blue\ncy,red\ndee,\n");
    crd_brutal_write("features.csv", "node,x,y\nann,1,0\nbob,0,2\ncy,0.5,1\ndee,1,1\n");
    crd_brutalise(open_with_parts, "features.csv");
    crd_brutal_write("edges.csv", "0,1\n1,2\n2,3\n");
    crd_brutal_write("labels.csv", "0\n1\n0\n1\n");
    crd_brutal_write("features.svm", "1:1 2:2\n2:0.5\n1:3\n1:1\n");
    crd_brutalise(open_with_parts, "features.svm");
    crd_brutal_write("features.mtx", "%%MatrixMarket matrix array real general\n4 2\n1\n2\n0\n4\n5\n0\n7\n8\n");
    crd_brutalise(open_with_parts, "features.mtx");
    crd_brutal_write("edges.csv", "giver,taker\nann,bob\n#cy,ann\n# none\nbob,#cy\n");
    crd_brutal_write("labels.csv", "who,what\nann,red\nbob,blue\n#cy,red\n");
    crd_brutal_write("features.csv", "1.5\n2\n3\n");
    crd_brutalise(open_with_parts, "features.csv");
    crd_brutal_write("edges.csv", "3,7\n7,12\n");
    crd_brutal_write("labels.csv", "3 Neural\n7 Networks\n");
    crd_brutal_write("features.csv", "12,1\n7,2\n3,3\n");
    crd_brutalise(open_with_parts, "features.csv");
    crd_brutal_write("edges.csv", "1,2\n2,3\n");
    crd_brutal_write("labels.csv", "venue\nNeural Networks\n\nTheory\n");
    crd_brutal_write("features.csv", "1.5\n2\n3\n");
    crd_brutalise(open_with_parts, "features.csv");
    crd_brutal_write("edges.csv", "a,b\n1.0,2.0\n2.0,0.0\n");
    crd_brutal_write("features.svm", "+1 1:1\n-1 2:1\n+1 2:2\n");
    crd_brutal_write("labels.csv", "\nx\ny\n");
    crd_brutalise(open_with_parts, "features.svm");
    crd_brutalise(open_signs, "features.svm");
    crd_brutalise(open_memory, "giver,taker\nann,ben\nben,cas\n# none\n");
    crd_brutalise(open_memory, "0 1\n1 2\n2 3\n3 0\n");
    crd_brutalise(open_memory, "a\tb\nb\tc\n\"d \"\"e\"\"\"\ta\n");
    crd_brutalise(open_memory, "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n");
}

static void test_open_tables(void **state)
{
    (void)state;
    crd_brutal_write("edges.csv", "ann,bob\nbob,cy\n");
    crd_brutal_write("labels.csv", "note,who,risk\n1,ann,high\n2,bob,low\n3,cy,low\n");
    crd_brutal_write("features.csv", "note,age,vip,zone,since,who\n1,,true,7,2020-01-01,ann\n2,30,false,8,NA,bob\n"
                                     "3,40,?,7,2020-01-03,cy\n");
    crd_brutalise(open_tables, "features.csv");
    crd_brutal_write("features.json", "{\"ann\": [3, 1], \"bob\": [], \"cy\": [0]}");
    crd_brutal_write("labels.csv", "ann,1\nbob,2\ncy,1\n");
    crd_brutalise(open_with_parts, "features.json");
    crd_brutalise(open_matrices, write_scipy("csr", "indptr", "indices", 4));
    crd_brutalise(open_matrices, write_scipy("csc", "indptr", "indices", 4));
    crd_brutalise(open_matrices, write_scipy("coo", "row", "col", 2));
}

static void test_from_arrays(void **state)
{
    (void)state;
    crd_brutalise(from_arrays, "dense");
    crd_brutalise(from_arrays, "sparse");
    crd_brutalise(from_rows, "converted");
    crd_brutalise(from_rows, "copied");
    crd_brutalise(from_rows, "dense");
    crd_brutalise(from_rows, "kept");
}

/* Rows need no more than their dataset, and some bytes for each node: no pairs, and
 * no transposed copy. */
static void check_peak(int64_t nodes, int64_t edges, const int64_t *start, const int32_t *neighbour, bool lent,
                       bool shared)
{
    int releases = 0;
    const crd_arrays arrays = {.size = sizeof arrays,
                               .nodes = nodes,
                               .edges = edges,
                               .start = {start, CRD_INT64},
                               .neighbour = {neighbour, CRD_INT32},
                               .release = lent ? count_release : NULL,
                               .user = &releases};
    crd_dataset *dataset = NULL;
    (void)crd_memory_watch();
    assert_int_equal(crd_dataset_from_arrays(&arrays, &dataset, NULL), CRD_OK);
    const int64_t peak = crd_memory_watch(), entries = crd_dataset_adjacency(dataset, NULL, NULL);
    const int64_t finished = 4 * ((lent ? 0 : edges) + (shared ? 0 : entries));
    if (peak > finished + 64 * nodes + 4096)
        fail_msg("peak %lld bytes, expected %lld and 64 for each node", (long long)peak, (long long)finished);
    crd_dataset_free(&dataset);
}

static void test_peak(void **state)
{
    (void)state;
    enum { MANY = 1000, DEGREE = 100 };
    static int64_t start[MANY + 1];
    static int32_t neighbour[MANY * DEGREE];
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        int64_t at = 0;
        for (int i = 0; i < MANY; i++) {
            for (int j = 0; j < MANY; j++) { /* i leads to those behind it, and perhaps to those before it */
                const int ahead = (j - i + MANY) % MANY, behind = (i - j + MANY) % MANY;
                if ((ahead > 0 && ahead <= DEGREE / 2) || (symmetric && behind > 0 && behind <= DEGREE / 2))
                    neighbour[at++] = j;
            }
            start[i + 1] = at;
        }
        check_peak(MANY, at, start, neighbour, true, symmetric);
        check_peak(MANY, at, start, neighbour, false, symmetric);
    }
}

static crd_status save(const char *name, crd_error *error)
{
    crd_format format;
    char path[256];
    snprintf(path, sizeof path, "%s/saved.%s", crd_tiny.outputs, name);
    crd_status status = crd_format_parse(name, &format, error);
    if (status == CRD_OK) status = crd_dataset_save(crd_tiny.dataset, path, format, error);
    if (status == CRD_OK) crd_brutal_remove(path);
    return status;
}

static bool count_bytes(const void *bytes, size_t size, void *user)
{
    assert_non_null(bytes);
    *(size_t *)user += size;
    return true;
}

static crd_status write_npz(const char *argument, crd_error *error)
{
    (void)argument;
    size_t size = 0;
    crd_status status = crd_dataset_write(crd_tiny.dataset, count_bytes, &size, error);
    if (status == CRD_OK) assert_true(size > 100);
    return status;
}

static void test_save(void **state)
{
    (void)state;
    crd_brutalise(write_npz, "write_npz");
    for (int i = 0; i < FORMATS; i++) crd_brutalise(save, formats[i]);
}

static crd_status info(const char *what, crd_error *error)
{
    crd_info facts;
    char *json = NULL;
    if (strcmp(what, "info") == 0) return crd_dataset_info(crd_tiny.dataset, &facts, error);
    crd_status status = crd_dataset_info_json(crd_tiny.dataset, &json, error);
    CHECK_AND_FREE(status, json, crd_string_free);
    return status;
}

static void test_info(void **state)
{
    (void)state;
    crd_brutalise(info, "info");
    crd_brutalise(info, "info_json");
}

static crd_status split_make(const char *spec, crd_error *error)
{
    crd_split *split = NULL;
    crd_status status = crd_split_make(crd_tiny.dataset, spec, 0, 1, &split, error);
    CHECK_AND_FREE(status, split, crd_split_free);
    return status;
}

static crd_status split_read(const char *path, crd_error *error)
{
    crd_split *split = NULL;
    crd_status status = crd_split_read(crd_tiny.dataset, path, &split, error);
    CHECK_AND_FREE(status, split, crd_split_free);
    return status;
}

static crd_status split_from_roles(const char *argument, crd_error *error)
{
    (void)argument;
    const uint8_t roles[] = {CRD_ROLE_TRAIN, CRD_ROLE_TEST, CRD_ROLE_NONE};
    crd_split *split = NULL;
    crd_status status = crd_split_from_roles(roles, 3, &split, error);
    CHECK_AND_FREE(status, split, crd_split_free);
    return status;
}

static void test_split(void **state)
{
    (void)state;
    crd_brutalise(split_make, "auto");
    crd_brutalise(split_make, "30/30/40");
    crd_brutalise(split_make, "2n/2n/rest");
    crd_brutalise(split_from_roles, "roles");
    crd_brutal_write("split.csv", "node,split\n0,train\n1,val\n2,test\n3,none\n");
    crd_brutalise(split_read, crd_brutal_input("split.csv"));
    static const int64_t train[] = {0, 5, 7}, test[] = {1, 2};
    const crd_array arrays[] = {{"train", CRD_NPY_I8, 1, {3}, train}, {"test", CRD_NPY_I8, 1, {2}, test}};
    assert_int_equal(crd_archive_write(crd_brutal_input("split.npz"), CRD_ARCHIVE_DEFLATED, arrays, 2, NULL), CRD_OK);
    crd_brutalise(split_read, crd_brutal_input("split.npz"));
}

static crd_status compare(const char *unused, crd_error *error)
{
    static const double a[] = {0.9, 0.8, 0.7, 0.9, 0.6}, b[] = {0.8, 0.9, 0.5, 0.6, 0.1};
    (void)unused;
    crd_comparison comparison = {.pairs = -7};
    crd_status status = crd_compare(a, b, 5, 1, &comparison, error);
    /* A failure leaves no partial answer. */
    assert_int_equal(comparison.pairs, status == CRD_OK ? 5 : -7);
    return status;
}

static void test_compare(void **state)
{
    (void)state;
    crd_brutalise(compare, NULL);
}

/* A map with exact forces, or one with a grid. */
static crd_status map_points(const char *count, crd_error *error)
{
    enum { MOST = 1100, DIMS = 2 };
    static float points[MOST * DIMS], map[2 * MOST];
    const int64_t rows = strtoll(count, NULL, 10);
    for (int64_t i = 0; i < rows * DIMS; i++) points[i] = (float)(i * i % 101);
    crd_tsne_options options;
    crd_tsne_defaults(&options);
    options.perplexity = 3.0;
    options.iterations = 2;
    options.control = CRD_THREADS(2);
    double divergence = 0.0;
    crd_status status = crd_tsne(points, rows, DIMS, &options, map, &divergence, error);
    if (status == CRD_OK) status = crd_tsne_divergence(points, rows, DIMS, 3.0, map, 2, &divergence, error);
    return status;
}

static void test_tsne(void **state)
{
    (void)state;
    crd_brutalise(map_points, "20");
    crd_brutalise(map_points, "1100");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generate),  cmocka_unit_test(test_order_classes), cmocka_unit_test(test_open),
        cmocka_unit_test(test_open_text), cmocka_unit_test(test_open_tables),   cmocka_unit_test(test_from_arrays),
        cmocka_unit_test(test_peak),      cmocka_unit_test(test_save),          cmocka_unit_test(test_info),
        cmocka_unit_test(test_split),     cmocka_unit_test(test_compare),       cmocka_unit_test(test_tsne),
    };
    return cmocka_run_group_tests(tests, crd_brutal_set_up, crd_brutal_tear_down);
}
