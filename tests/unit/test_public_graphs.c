/* SPDX-License-Identifier: MIT */
/* The public graphs by name: the table is sound, and the real graphs, if available, are recognised. */
#include "credence_private.h"
#include "unit/dataset_helpers.h"

#include "../../cli/public_graphs.c"
#include "../../cli/public_graphs_table.c"

static void the_table_is_sound(void **state)
{
    (void)state;
    assert_int_equal(crd_public_graph_count(), 10);
    for (int i = 0; i < crd_public_graph_count(); i++) {
        const crd_public_graph *known = crd_public_graph_at(i);
        crd_config config;
        crd_error error = {0};
        assert_ptr_equal(crd_public_graph_find(known->name), known);
        assert_null(strpbrk(known->name, "/. "));
        assert_non_null(known->title);
        assert_non_null(known->files[0]);
        assert_non_null(known->licence);
        assert_true(known->nodes > 0 && known->classes > 1);
        assert_true(known->left_out > 0 && known->left_out < known->classes);
        /* there is a way to get it */
        assert_true((known->address != NULL) != (known->instead != NULL));
        if (known->address != NULL) {
            char file[64];
            const char *name = strrchr(known->address, '/') + 1;
            bool packed = strstr(name, ".zip") != NULL;
            snprintf(file, sizeof file, "%.*s", (int)(strlen(name) - (packed ? 4 : 0)), name);
            assert_string_equal(known->files[0], file);
            assert_int_equal(strncmp(known->address, "https://", 8), 0);
            /* and the download can be verified */
            if (!packed) assert_non_null(known->blob);
            else assert_true(known->graph_fingerprint != NULL);
        }
        if (known->blob != NULL) assert_int_equal(strspn(known->blob, "0123456789abcdef"), 40);
        if (known->blob != NULL) assert_int_equal(strlen(known->blob), 40);
        if (known->fingerprint != NULL) assert_int_equal(strspn(known->fingerprint, "0123456789abcdef"), 16);
        /* the presets exist */
        const char *presets[] = {known->gpn, known->published, known->best, known->errors};
        assert_non_null(known->gpn);
        for (int p = 0; p < 4; p++) {
            crd_config_defaults(&config);
            if (presets[p] != NULL && crd_config_preset(&config, presets[p], &error) != CRD_OK)
                fail_msg("%s: %s", known->name, error.message);
        }
        /* names and files are unique */
        for (int j = 0; j < i; j++) {
            const crd_public_graph *other = crd_public_graph_at(j);
            assert_string_not_equal(known->title, other->title);
            for (const char *const *a = known->files; *a != NULL; a++)
                for (const char *const *b = other->files; *b != NULL; b++) assert_string_not_equal(*a, *b);
        }
    }
    assert_null(crd_public_graph_at(-1));
    assert_null(crd_public_graph_at(crd_public_graph_count()));
    assert_null(crd_public_graph_find("cora"));
    assert_null(crd_public_graph_find(""));
}

static void titles_and_left_out_are_the_papers(void **state)
{
    (void)state;
    static const struct {
        const char *name, *title;
        int left_out;
    } paper[] = {
        {"coraml", "CoraML", 3},  {"citeseer", "CiteSeer-4230", 2},   {"citeseer-planetoid", "CiteSeer", 2},
        {"pubmed", "PubMed", 1},  {"computers", "Computers", 5},      {"photos", "Photos", 3},
        {"cs", "Coauthor CS", 4}, {"physics", "Coauthor Physics", 2}, {"arxiv", "ogbn-arxiv", 15},
    };
    for (size_t i = 0; i < sizeof paper / sizeof *paper; i++) {
        const crd_public_graph *known = crd_public_graph_find(paper[i].name);
        assert_non_null(known);
        assert_string_equal(known->title, paper[i].title);
        assert_int_equal(known->left_out, paper[i].left_out);
    }
}

/* A graph with PubMed's numbers and this order of classes: sizes[c] nodes have class c. */
static crd_dataset *like_pubmed(const int64_t sizes[3], const char *const *names)
{
    enum { NODES = 19717 };
    static const int64_t source[] = {0}, target[] = {1};
    int32_t *labels = malloc(NODES * sizeof *labels);
    assert_non_null(labels);
    int64_t next = 0;
    for (int32_t c = 0; c < 3; c++)
        for (int64_t i = 0; i < sizes[c]; i++) labels[next++] = c;
    assert_int_equal(next, NODES);
    crd_arrays arrays = {.size = sizeof(crd_arrays),
                         .nodes = NODES,
                         .edges = 1,
                         .source = {source, CRD_INT64},
                         .target = {target, CRD_INT64},
                         .labels = labels,
                         .classes = 3,
                         .class_names = names};
    crd_dataset *dataset = NULL;
    crd_error error = {0};
    if (crd_dataset_from_arrays(&arrays, &dataset, &error) != CRD_OK) fail_msg("%s", error.message);
    free(labels);
    return dataset;
}

static void pubmed_is_put_in_order(void **state)
{
    (void)state;
    static const int64_t right[] = {4103, 7739, 7875}, other[] = {7875, 4103, 7739};
    static const char *const names[] = {"two", "none", "one"};
    const crd_public_graph *pubmed = crd_public_graph_find("pubmed");
    for (int n = 0; n < 3; n++) {
        crd_dataset *dataset = like_pubmed(n == 0 ? right : other, n == 2 ? names : NULL);
        int64_t counts[3];
        crd_error error = {0};
        char before[17];
        strcpy(before, crd_dataset_fingerprint(dataset));
        int32_t first = crd_dataset_label(dataset, 0);
        if (crd_public_graph_prepare(pubmed, dataset, &error) != CRD_OK) fail_msg("%s", error.message);
        crd_dataset_class_counts(dataset, counts);
        assert_memory_equal(counts, right, sizeof counts);
        assert_int_equal(strcmp(crd_dataset_fingerprint(dataset), before) == 0, n == 0);
        assert_int_equal(first, 0);
        assert_int_equal(crd_dataset_label(dataset, 0), n == 0 ? 0 : 2);
        assert_string_equal(crd_dataset_class_name(dataset, 2), n == 2 ? "two" : "2");
        assert_string_equal(crd_dataset_class_name(dataset, 0), n == 2 ? "none" : "0");
        /* a second time changes nothing */
        strcpy(before, crd_dataset_fingerprint(dataset));
        assert_int_equal(crd_public_graph_prepare(pubmed, dataset, NULL), CRD_OK);
        assert_string_equal(crd_dataset_fingerprint(dataset), before);
        crd_dataset_free(&dataset);
    }
}

static void other_data_are_refused(void **state)
{
    (void)state;
    static const int64_t sizes[] = {4103, 7740, 7874}, twice[] = {4103, 4103, 11511};
    const crd_public_graph *pubmed = crd_public_graph_find("pubmed");
    crd_error error = {0};
    crd_dataset *dataset = like_pubmed(sizes, NULL);
    assert_int_equal(crd_public_graph_prepare(pubmed, dataset, &error), CRD_ERROR_MISMATCH);
    assert_string_equal(error.message, "these data are not pubmed (PubMed): one class with 7739 nodes was "
                                       "expected, found 0");
    assert_int_equal(crd_public_graph_prepare(crd_public_graph_find("coraml"), dataset, &error), CRD_ERROR_MISMATCH);
    assert_string_equal(error.message, "these data are not coraml (CoraML): 2995 nodes and 7 classes were "
                                       "expected, found 19717 and 3");
    crd_dataset_free(&dataset);
    dataset = like_pubmed(twice, NULL);
    assert_int_equal(crd_public_graph_prepare(pubmed, dataset, &error), CRD_ERROR_MISMATCH);
    assert_string_equal(error.message, "these data are not pubmed (PubMed): one class with 4103 nodes was "
                                       "expected, found 2");
    assert_null(crd_public_graph_of(crd_dataset_fingerprint(dataset)));
    crd_dataset_free(&dataset);
}

static void the_real_ones_are_known(void **state)
{
    (void)state;
    const char *folder = getenv("CREDENCE_DATA");
    for (int i = 0; i < crd_public_graph_count(); i++) {
        const crd_public_graph *known = crd_public_graph_at(i);
        char path[512];
        bool found = false;
        for (const char *const *file = known->files; *file != NULL && !found; file++) {
            snprintf(path, sizeof path, "%s/%s", folder != NULL ? folder : "../shared/datasets", *file);
            found = access(path, R_OK) == 0;
        }
        if (!found || (known->fingerprint == NULL && known->graph_fingerprint == NULL)) {
            print_message("skipped: %s is not there, or has no fingerprint\n", known->name);
            continue;
        }
        crd_dataset *dataset = open_with(path, NULL, NULL);
        crd_error error = {0};
        if (crd_public_graph_prepare(known, dataset, &error) != CRD_OK) fail_msg("%s", error.message);
        if (known->fingerprint != NULL) assert_ptr_equal(crd_public_graph_of(crd_dataset_fingerprint(dataset)), known);
        if (known->graph_fingerprint != NULL)
            assert_string_equal(crd_dataset_graph_fingerprint(dataset), known->graph_fingerprint);
        crd_dataset_free(&dataset);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_sound),      cmocka_unit_test(titles_and_left_out_are_the_papers),
        cmocka_unit_test(pubmed_is_put_in_order),  cmocka_unit_test(other_data_are_refused),
        cmocka_unit_test(the_real_ones_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
