/* SPDX-License-Identifier: MIT */
/* The public datasets, if available: the counts must equal those from elsewhere. */
#include "unit/dataset_helpers.h"

static const struct facts {
    const char *file;
    int64_t nodes, directions, features, nonzero;
    int32_t classes;
    int splits;
} known[] = {
    {"cora_ml.npz", 2995, 16316, 2879, 151171, 7, 0},
    {"citeseer.npz", 4230, 10674, 602, 19391, 6, 0},
    {"citeseer_planetoid.npz", 3327, 9104, 3703, 105165, 6, 0},
    {"pubmed.npz", 19717, 88648, 500, 988031, 3, 0},
    {"amazon_computers.npz", 13752, 491722, 767, 3675081, 10, 0},
    {"amazon_photo.npz", 7650, 238162, 745, 1979909, 8, 0},
    {"coauthor_cs.npz", 18333, 163788, 6805, 1092079, 15, 0},
    {"coauthor_physics.npz", 34493, 495924, 8415, 1137311, 5, 0},
    {"ogbn_arxiv_nofeat.npz", 169343, 2315598, 0, 0, 40, 1},
};

static const char *find(const char *file)
{
    static char path[512];
    const char *folder = getenv("CREDENCE_DATA");
    snprintf(path, sizeof path, "%s/%s", folder != NULL ? folder : "../shared/datasets", file);
    return access(path, R_OK) == 0 ? path : NULL;
}

static void counts_are_the_published_ones(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct facts *fact = &known[i];
        const char *path = find(fact->file);
        if (path == NULL) {
            print_message("skipped: %s is not there\n", fact->file);
            continue;
        }
        crd_dataset *dataset = open_with(path, NULL, NULL);
        crd_info info;
        assert_int_equal(crd_dataset_info(dataset, &info, NULL), CRD_OK);
        assert_int_equal(info.nodes, fact->nodes);
        assert_int_equal(2 * info.edges, fact->directions);
        assert_int_equal(info.features, fact->features);
        assert_int_equal(info.features_nonzero, fact->nonzero);
        assert_int_equal(info.classes, fact->classes);
        assert_int_equal(info.labelled, fact->nodes);
        assert_int_equal(info.splits, fact->splits);
        bool pickled = strncmp(fact->file, "coauthor", 8) == 0;
        assert_int_equal(has_note(dataset, "'class_names' holds pickled objects"), pickled);
        crd_dataset_free(&dataset);
    }
}

static void names_and_splits_of_the_published_ones(void **state)
{
    (void)state;
    const char *path = find("cora_ml.npz");
    if (path != NULL) {
        crd_dataset *dataset = open_with(path, NULL, NULL);
        assert_string_equal(crd_dataset_node_name(dataset, 0), "129558"); /* the file has a line break there */
        assert_int_equal(crd_dataset_find_node(dataset, "95225"), 1);
        assert_string_equal(crd_dataset_class_name(dataset, 0), "Artificial_Intelligence/Machine_Learning/Case-Based");
        crd_dataset_free(&dataset);
    }
    path = find("ogbn_arxiv_nofeat.npz");
    if (path != NULL) {
        crd_dataset *dataset = open_with(path, NULL, NULL);
        int64_t counts[4] = {0};
        for (int64_t i = 0; i < crd_dataset_nodes(dataset); i++) counts[dataset->split_roles[i]]++;
        assert_int_equal(counts[CRD_ROLE_TRAIN], 90941);
        assert_int_equal(counts[CRD_ROLE_VALIDATION], 29799);
        assert_int_equal(counts[CRD_ROLE_TEST], 48603);
        assert_true(has_note(dataset, "not used: 'node_year'"));
        crd_dataset_free(&dataset);
    }
}

static void every_format_keeps_cora(void **state)
{
    static const crd_format formats[] = {CRD_FORMAT_NPZ, CRD_FORMAT_NPY, CRD_FORMAT_CSV, CRD_FORMAT_MTX};
    const char *path = find("cora_ml.npz");
    if (path == NULL) skip();
    crd_dataset *dataset = open_with(path, NULL, NULL);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        char name[16];
        snprintf(name, sizeof name, "cora%d", (int)f);
        crd_error error = {0};
        if (crd_dataset_save(dataset, in(state, name), formats[f], &error) != CRD_OK) fail_msg("%s", error.message);
        crd_dataset *again = open_with(in(state, name), NULL, NULL);
        assert_string_equal(crd_dataset_fingerprint(again), crd_dataset_fingerprint(dataset));
        assert_string_equal(crd_dataset_class_name(again, 4), crd_dataset_class_name(dataset, 4));
        assert_string_equal(crd_dataset_node_name(again, 2994), crd_dataset_node_name(dataset, 2994));
        crd_dataset_free(&again);
    }
    crd_dataset_free(&dataset);
}

int main(void)
{
    bool any = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) any |= find(known[i].file) != NULL;
    if (!any) {
        fprintf(stderr, "skipped: no dataset was found (../shared/datasets, or CREDENCE_DATA)\n");
        exit(77);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_the_published_ones),
        cmocka_unit_test(names_and_splits_of_the_published_ones),
        FOLDER_TEST(every_format_keeps_cora),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
