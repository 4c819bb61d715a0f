/* SPDX-License-Identifier: MIT */
/* Every format keeps everything: save, open, compare. */
#include "unit/dataset_helpers.h"

#include <dirent.h>

static const crd_format formats[] = {CRD_FORMAT_NPZ, CRD_FORMAT_NPY, CRD_FORMAT_CSV, CRD_FORMAT_MTX, CRD_FORMAT_OGB};
enum { FORMATS = sizeof formats / sizeof *formats };

static const char *target_of(void **state, const char *stem, int format)
{
    static const char *const endings[] = {".npz", "-npy", "-csv", "-mtx", "-ogb"};
    char name[64];
    snprintf(name, sizeof name, "%s%s", stem, endings[format]);
    return in(state, name);
}

static void save(const crd_dataset *dataset, const char *path, crd_format format)
{
    crd_error error = {0};
    if (crd_dataset_save(dataset, path, format, &error) != CRD_OK) fail_msg("%s", error.message);
}

static void check_equal(const crd_dataset *a, const crd_dataset *b)
{
    assert_string_equal(crd_dataset_fingerprint(a), crd_dataset_fingerprint(b));
    assert_int_equal(a->input.nodes, b->input.nodes);
    int64_t edges = a->input.start[a->input.nodes];
    assert_memory_equal(a->input.start, b->input.start, (size_t)(a->input.nodes + 1) * sizeof *a->input.start);
    if (edges > 0)
        assert_memory_equal(a->input.neighbour, b->input.neighbour, (size_t)edges * sizeof *a->input.neighbour);
    assert_int_equal(crd_dataset_features(a), crd_dataset_features(b));
    assert_int_equal(a->features.sparse, b->features.sparse);
    for (int64_t i = 0; i < a->input.nodes; i++) {
        assert_int_equal(crd_dataset_label(a, i), crd_dataset_label(b, i));
        const char *name = crd_dataset_node_name(a, i), *other = crd_dataset_node_name(b, i);
        assert_int_equal(name == NULL, other == NULL);
        if (name != NULL) assert_string_equal(name, other);
        for (int64_t c = 0; c < crd_dataset_features(a) && c < 100; c++)
            assert_true(feature(a, i, c) == feature(b, i, c));
    }
    assert_int_equal(crd_dataset_classes(a), crd_dataset_classes(b));
    for (int32_t c = 0; c < crd_dataset_classes(a); c++)
        assert_string_equal(crd_dataset_class_name(a, c), crd_dataset_class_name(b, c));
    assert_int_equal(a->splits, b->splits);
    if (a->splits > 0) assert_memory_equal(a->split_roles, b->split_roles, (size_t)(a->splits * a->input.nodes));
}

static void check_every_format(void **state, const char *stem, const crd_dataset *dataset)
{
    for (int f = 0; f < FORMATS; f++) {
        const char *path = target_of(state, stem, f);
        save(dataset, path, formats[f]);
        crd_dataset *again = open_with(path, NULL, NULL);
        check_equal(dataset, again);
        crd_dataset_free(&again);
    }
}

static crd_dataset *make(const crd_arrays *arrays, int splits)
{
    crd_dataset *dataset = NULL;
    crd_error error = {0};
    if (crd_dataset_from_arrays(arrays, &dataset, &error) != CRD_OK) fail_msg("%s", error.message);
    if (splits > 0) {
        dataset->splits = splits;
        dataset->split_roles = calloc((size_t)splits, (size_t)arrays->nodes);
        assert_non_null(dataset->split_roles);
        for (int64_t i = 0; i < splits * arrays->nodes; i++)
            dataset->split_roles[i] = (uint8_t)((i * 7 + i / arrays->nodes) % 4);
    }
    return dataset;
}

/* Directed, with a self-loop, a class and a last column that no node has, an unlabelled and an isolated node, names
 * that need quotes or look like something else, and numbers that are hard to print. */
static const int64_t source[] = {0, 1, 1, 3}, target[] = {1, 1, 2, 0};
static const int32_t labels[] = {2, 0, -1, 2, 0};
static const char *const node_names[] = {"a,b", "3", "say \"hi\"", "# no", "2"};
static const char *const class_names[] = {"none", "", "10"};
static const char *const good_class_names[] = {"none", "Zo\xc3\xab; x", "10", "nan"};

static void everything_awkward(void **state)
{
    static const int64_t row_start[] = {0, 2, 2, 3, 4, 5};
    static const int32_t column[] = {0, 6, 3, 3, 1};
    static const float value[] = {0.1f, 1e-38f, -16777217.0f, 3.40282347e38f, 1.0f / 3.0f};
    crd_arrays arrays = {.size = sizeof(crd_arrays),
                         .nodes = 5,
                         .edges = 4,
                         .source = {source, CRD_INT64},
                         .target = {target, CRD_INT64},
                         .features = 9,
                         .entries = 5,
                         .row_start = {row_start, CRD_INT64},
                         .column = {column, CRD_INT32},
                         .value = {value, CRD_FLOAT32},
                         .labels = labels,
                         .classes = 4,
                         .class_names = good_class_names,
                         .node_names = node_names};
    crd_dataset *dataset = make(&arrays, 1);
    assert_true(dataset->features.sparse);
    check_every_format(state, "one", dataset);
    crd_dataset_free(&dataset);
    dataset = make(&arrays, 12); /* more than ten splits: their order is not alphabetical */
    check_every_format(state, "twelve", dataset);
    crd_dataset_free(&dataset);
    arrays.classes = 3;
    arrays.class_names = class_names; /* an empty name */
    crd_error error = {0};
    assert_int_equal(crd_dataset_from_arrays(&arrays, &dataset, &error), CRD_ERROR_FORMAT);
}

/* The five nodes with two dense features. */
static crd_arrays with_two_features(const float *dense, const int32_t *labels_of_nodes)
{
    return (crd_arrays){.size = sizeof(crd_arrays),
                        .nodes = 5,
                        .edges = 4,
                        .source = {source, CRD_INT64},
                        .target = {target, CRD_INT64},
                        .features = 2,
                        .dense = {dense, CRD_FLOAT32},
                        .labels = labels_of_nodes};
}

static void dense_features_and_numbers(void **state)
{
    float dense[10];
    for (int i = 0; i < 10; i++) dense[i] = (float)(i + 1) / 7.0f - 0.9f;
    crd_arrays arrays = with_two_features(dense, labels);
    crd_dataset *dataset = make(&arrays, 0);
    assert_false(dataset->features.sparse);
    check_every_format(state, "dense", dataset);
    crd_dataset_free(&dataset);
    arrays.classes = 5; /* more than the labels show */
    dataset = make(&arrays, 2);
    check_every_format(state, "gaps", dataset);
    crd_dataset_free(&dataset);
}

/* A first column that looks like the ids 4, 3, ... 0; and labels that leave out classes. */
static void first_column_like_ids(void **state)
{
    static const float dense[] = {4, 0.5f, 3, 0.25f, 2, 0.5f, 1, 2, 0, 1};
    static const int32_t gaps[] = {3, 1, 1, -1, 3};
    crd_arrays arrays = with_two_features(dense, gaps);
    crd_dataset *dataset = make(&arrays, 1);
    assert_int_equal(crd_dataset_classes(dataset), 2); /* called 1 and 3 */
    check_every_format(state, "like-ids", dataset);
    crd_dataset_free(&dataset);
}

static void next_to_nothing(void **state)
{
    crd_arrays arrays = {.size = sizeof(crd_arrays), .nodes = 3};
    crd_dataset *dataset = make(&arrays, 0);
    check_every_format(state, "bare", dataset);
    crd_dataset_free(&dataset);
    static const float zeros[6000] = {0};
    arrays = (crd_arrays){.size = sizeof(crd_arrays), .nodes = 3000, .features = 2, .dense = {zeros, CRD_FLOAT32}};
    dataset = make(&arrays, 0); /* features that are all zero, many nodes without edges */
    check_every_format(state, "zeros", dataset);
    crd_dataset_free(&dataset);
}

static void generated_graph(void **state)
{
    crd_generate_options options;
    crd_generate_defaults(&options);
    options.nodes = 300;
    crd_dataset *dataset = NULL;
    crd_error error = {0};
    if (crd_generate(&options, &dataset, &error) != CRD_OK) fail_msg("%s", error.message);
    check_every_format(state, "generated", dataset);
    crd_dataset_free(&dataset);
}

static char *read_whole(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = calloc(1, 1 << 16);
    assert_non_null(bytes);
    *size = fread(bytes, 1, 1 << 16, file);
    fclose(file);
    return bytes;
}

static void check_text(void **state, const char *name, const char *expected)
{
    size_t size;
    char *text = read_whole(in(state, name), &size);
    assert_string_equal(text, expected);
    free(text);
}

static void text_is_what_it_should_be(void **state)
{
    static const int64_t row_start[] = {0, 1, 1, 3, 3, 3};
    static const int32_t column[] = {2, 0, 1};
    static const float value[] = {0.5f, 3.0f, -0.1f};
    static const char *const names[] = {"p q", "b", "c", "d", "e"}, *const classes[] = {"x", "none", "y,z"};
    crd_arrays arrays = {.size = sizeof(crd_arrays),
                         .nodes = 5,
                         .edges = 4,
                         .source = {source, CRD_INT64},
                         .target = {target, CRD_INT64},
                         .features = 4,
                         .entries = 3,
                         .row_start = {row_start, CRD_INT64},
                         .column = {column, CRD_INT32},
                         .value = {value, CRD_FLOAT32},
                         .labels = labels,
                         .classes = 3,
                         .class_names = classes,
                         .node_names = names};
    crd_dataset *dataset = make(&arrays, 1);
    save(dataset, in(state, "t"), CRD_FORMAT_CSV);
    check_text(state, "t/edges.csv", "source,target\np q,b\nb,b\nb,c\nd,p q\n");
    check_text(state, "t/features.svm", "1 3:0.5 4:0\n0\n-1 1:3 2:-0.1\n1\n0\n");
    check_text(state, "t/labels.csv", "node,label\np q,\"y,z\"\nb,x\nc,\nd,\"y,z\"\ne,x\n");
    check_text(state, "t/nodes.csv", "number,name\n0,p q\n1,b\n2,c\n3,d\n4,e\n");
    check_text(state, "t/classes.csv", "number,name\n0,x\n1,\"y,z\"\n");
    check_text(state, "t/split.csv", "node,split\np q,none\nb,test\nc,val\nd,train\ne,none\n");
    save(dataset, in(state, "m"), CRD_FORMAT_MTX);
    check_text(state, "m/graph.mtx", "%%MatrixMarket matrix coordinate pattern general\n5 5 4\n1 2\n2 2\n2 3\n4 1\n");
    check_text(state, "m/features.mtx",
               "%%MatrixMarket matrix coordinate real general\n5 4 3\n1 3 0.5\n3 1 3\n"
               "3 2 -0.1\n");
    crd_dataset_free(&dataset);
}

static void same_data_same_bytes(void **state)
{
    static const char *const files[] = {"x.npz", "ogb/raw/node-feat.csv.gz", "ogb/raw/edge.csv.gz"};
    static const float dense[] = {0.25f, 0, 3, 0.125f, 9};
    crd_arrays arrays = {.size = sizeof(crd_arrays),
                         .nodes = 5,
                         .edges = 4,
                         .source = {source, CRD_INT64},
                         .target = {target, CRD_INT64},
                         .features = 1,
                         .dense = {dense, CRD_FLOAT32},
                         .labels = labels};
    crd_dataset *dataset = make(&arrays, 1);
    assert_int_equal(mkdir(in(state, "first"), 0777), 0);
    assert_int_equal(mkdir(in(state, "second"), 0777), 0);
    for (int i = 0; i < 2; i++) {
        save(dataset, in(state, i == 0 ? "first/x.npz" : "second/x.npz"), CRD_FORMAT_AUTO);
        save(dataset, in(state, i == 0 ? "first/ogb" : "second/ogb"), CRD_FORMAT_OGB);
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char first[64], second[64];
        size_t size, other_size;
        snprintf(first, sizeof first, "first/%s", files[i]);
        snprintf(second, sizeof second, "second/%s", files[i]);
        char *bytes = read_whole(in(state, first), &size), *others = read_whole(in(state, second), &other_size);
        assert_int_equal(size, other_size);
        assert_memory_equal(bytes, others, size);
        free(bytes);
        free(others);
    }
    crd_dataset_free(&dataset);
}

static int count_entries(const char *path)
{
    int count = 0;
    DIR *folder = opendir(path);
    assert_non_null(folder);
    while (readdir(folder) != NULL) count++;
    closedir(folder);
    return count - 2;
}

static void failures_leave_nothing(void **state)
{
    crd_arrays arrays = {.size = sizeof(crd_arrays), .nodes = 3};
    crd_dataset *dataset = make(&arrays, 0);
    crd_error error = {0};
    put(state, "file", "mine");
    assert_int_equal(mkdir(in(state, "full"), 0777), 0);
    put(state, "full/mine", "mine");
    for (int f = 0; f < FORMATS; f++) {
        assert_int_not_equal(crd_dataset_save(dataset, in(state, "none/there"), formats[f], &error), CRD_OK);
        assert_int_not_equal(crd_dataset_save(dataset, in(state, "full"), formats[f], &error), CRD_OK);
        assert_true(strlen(error.message) > 0);
        if (f > 0) assert_int_not_equal(crd_dataset_save(dataset, in(state, "file"), formats[f], &error), CRD_OK);
    }
    assert_int_equal(count_entries(*state), 2);
    assert_int_equal(count_entries(in(state, "full")), 1);
    check_text(state, "file", "mine");
    assert_int_equal(crd_dataset_save(dataset, in(state, "x"), (crd_format)99, &error), CRD_ERROR_ARGUMENT);
    /* An empty folder works like a new one; the path decides what AUTO means. */
    assert_int_equal(mkdir(in(state, "empty"), 0777), 0);
    save(dataset, in(state, "empty"), CRD_FORMAT_AUTO);
    assert_int_equal(access(in(state, "empty/adj_indptr.npy"), F_OK), 0);
    crd_dataset_free(&dataset);
}

static void names_of_formats(void **state)
{
    (void)state;
    crd_format format;
    crd_error error = {0};
    assert_int_equal(crd_format_parse("ogb", &format, &error), CRD_OK);
    assert_int_equal(format, CRD_FORMAT_OGB);
    assert_int_equal(crd_format_parse("auto", &format, &error), CRD_OK);
    assert_int_equal(format, CRD_FORMAT_AUTO);
    assert_int_equal(crd_format_parse("mtx", &format, &error), CRD_OK);
    assert_int_equal(format, CRD_FORMAT_MTX);
    assert_int_equal(crd_format_parse("xml", &format, &error), CRD_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "'xml'"));
    assert_int_equal(crd_format_parse(NULL, &format, NULL), CRD_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(everything_awkward),    FOLDER_TEST(dense_features_and_numbers),
        FOLDER_TEST(first_column_like_ids), FOLDER_TEST(next_to_nothing),
        FOLDER_TEST(generated_graph),       FOLDER_TEST(text_is_what_it_should_be),
        FOLDER_TEST(same_data_same_bytes),  FOLDER_TEST(failures_leave_nothing),
        cmocka_unit_test(names_of_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
