/* SPDX-License-Identifier: MIT */
/* Brutal malloc for reports. */
#include "report/report.h"
#include "support/brutal.h"

#include <stdio.h>

static bool count_bytes(const void *bytes, size_t size, void *user)
{
    assert_non_null(bytes);
    *(size_t *)user += size;
    return true;
}

static crd_status make(const char *path, crd_error *error)
{
    static const float numbers[] = {1.0f, 2.0f, 3.0f};
    crd_report *report = NULL;
    crd_status status = crd_report_new("A report <&>", &report, error);
    if (status == CRD_OK) status = crd_report_begin(report, "experiment", "first", error);
    if (status == CRD_OK) status = crd_report_add_json(report, "facts", "{\"a\": [1, 2, \"three\"]}", error);
    if (status == CRD_OK) status = crd_report_add(report, "x", "float32", sizeof *numbers, numbers, 3, error);
    if (status == CRD_OK) status = crd_report_begin(report, "tuning", "second", error);
    if (status == CRD_OK) status = crd_report_add_json(report, "facts", "null", error);
    size_t size = 0;
    if (status == CRD_OK) status = crd_report_save(report, path, error);
    if (status == CRD_OK && crd_report_write(report, count_bytes, &size, error) != CRD_OK) {
        remove(path);
        status = CRD_ERROR_MEMORY;
    }
    crd_report_free(&report);
    if (status == CRD_OK) remove(path);
    return status;
}

static void by_hand(void **state)
{
    (void)state;
    char path[160];
    snprintf(path, sizeof path, "%s/report.html", crd_tiny.outputs);
    crd_brutalise(make, path);
}

/* A model's whole part, with its own map and with a given one. */
static crd_status add_model(const char *how, crd_error *error)
{
    float map[512] = {0};
    crd_report *report = NULL;
    crd_report_options options;
    crd_tsne_options tsne;
    crd_report_defaults(&options);
    crd_tsne_defaults(&tsne);
    tsne.iterations = 3;
    options.tsne = &tsne;
    options.control = CRD_THREADS(1);
    assert_true(crd_dataset_nodes(crd_tiny.dataset) <= 256);
    if (how[0] == 'g') options.map = map;
    crd_status status = crd_report_new("A report", &report, error);
    if (status == CRD_OK) status = crd_report_add_model(report, crd_tiny.model, crd_tiny.dataset, &options, error);
    crd_report_free(&report);
    return status;
}

static void of_a_model(void **state)
{
    (void)state;
    crd_brutalise(add_model, "given");
    crd_brutalise(add_model, "made");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(of_a_model)};
    return cmocka_run_group_tests(tests, crd_brutal_set_up, crd_brutal_tear_down);
}
