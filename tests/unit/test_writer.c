/* SPDX-License-Identifier: MIT */
/* Everything that can be saved, to a writer: the bytes of the file, and a clean end if the writer refuses some. */
#include "dataset_helpers.h"
#include "support/collect.h"
#include "support/outcome.h"
#include "support/quick_model.h"

static struct {
    crd_dataset *dataset;
    crd_model *model;
    crd_prediction *prediction;
    crd_report *report;
} made;

static int make_all(void **state)
{
    (void)state;
    crd_config config;
    crd_generate_options graph;
    crd_report_options options;
    crd_tsne_options tsne;
    crd_generate_defaults(&graph);
    crd_config_defaults(&config);
    crd_report_defaults(&options);
    crd_tsne_defaults(&tsne);
    tsne.iterations = 1;
    options.tsne = &tsne;
    if (crd_generate(&graph, &made.dataset, NULL) != CRD_OK) return -1;
    if (crd_config_set_all(&config, "model=gpn max-epochs=1 warmup=0", NULL) != CRD_OK) return -1;
    made.model = train(made.dataset, &config, NULL);
    if (crd_predict(made.model, made.dataset, CRD_THREADS(1), &made.prediction, NULL) != CRD_OK) return -1;
    if (crd_report_new("A report", &made.report, NULL) != CRD_OK) return -1;
    return crd_report_add_model(made.report, made.model, made.dataset, &options, NULL) == CRD_OK ? 0 : -1;
}

static int free_all(void **state)
{
    (void)state;
    crd_report_free(&made.report);
    crd_prediction_free(&made.prediction);
    crd_model_free(&made.model);
    crd_dataset_free(&made.dataset);
    return 0;
}

/* The outputs, each to a file and to a writer. */
enum { MODEL, CSV, NPZ, JSONL, DATASET, REPORT, OUTPUTS };

static crd_status to_file(int output, const char *path)
{
    static const crd_table_format tables[] = {[CSV] = CRD_TABLE_CSV, [NPZ] = CRD_TABLE_NPZ, [JSONL] = CRD_TABLE_JSONL};
    if (output == MODEL) return crd_model_save(made.model, path, NULL);
    if (output == DATASET) return crd_dataset_save(made.dataset, path, CRD_FORMAT_NPZ, NULL);
    if (output == REPORT) return crd_report_save(made.report, path, NULL);
    return crd_prediction_write(made.prediction, made.dataset, path, tables[output], true, NULL);
}

static crd_status to_writer(int output, crd_writer writer, void *user, crd_error *error)
{
    static const crd_table_format tables[] = {[CSV] = CRD_TABLE_AUTO, [NPZ] = CRD_TABLE_NPZ, [JSONL] = CRD_TABLE_JSONL};
    if (output == MODEL) return crd_model_write(made.model, writer, user, error);
    if (output == DATASET) return crd_dataset_write(made.dataset, writer, user, error);
    if (output == REPORT) return crd_report_write(made.report, writer, user, error);
    return crd_prediction_write_to(made.prediction, made.dataset, writer, user, tables[output], true, error);
}

static void the_bytes_of_the_file(void **state)
{
    for (int output = 0; output < OUTPUTS; output++) {
        collected got = {0};
        size_t size;
        const char *path = in(state, "file");
        assert_ok(to_file(output, path));
        assert_ok(to_writer(output, collect, &got, NULL));
        unsigned char *file = get_bytes(path, &size);
        assert_int_equal(got.size, size);
        assert_memory_equal(got.bytes, file, size);
        assert_true(got.calls > 1);
        free(file);
        free(got.bytes);
    }
}

static void refused_at_every_call(void **state)
{
    (void)state;
    for (int output = 0; output < OUTPUTS; output++) {
        collected all = {0};
        assert_ok(to_writer(output, collect, &all, NULL));
        free(all.bytes);
        for (int call = 1; call <= all.calls; call++) {
            collected some = {.refuse = call};
            crd_error error = {0};
            char sentence[64];
            const crd_status status = to_writer(output, collect, &some, &error);
            snprintf(sentence, sizeof sentence, "the writer stopped after %zu bytes", some.size);
            assert_fails(status, CRD_ERROR_IO, sentence);
            assert_int_equal(some.calls, call); /* not called again */
            free(some.bytes);
        }
    }
}

static void no_writer(void **state)
{
    (void)state;
    for (int output = 0; output < OUTPUTS; output++) {
        crd_error error = {0};
        assert_fails(to_writer(output, NULL, NULL, &error), CRD_ERROR_ARGUMENT, "the writer is NULL");
    }
    crd_error error = {0};
    collected got = {0};
    assert_fails(crd_prediction_write_to(made.prediction, NULL, collect, &got, (crd_table_format)9, false, &error),
                 CRD_ERROR_ARGUMENT, "the writer: the table format 9 does not exist");
    assert_int_equal(got.calls, 0);
}

static void from_memory_and_back(void **state)
{
    const char *path = in(state, "model");
    uint8_t *bytes;
    size_t size, file_size;
    crd_model *model;
    crd_dataset *dataset;
    collected graph = {0};
    assert_ok(crd_model_save_memory(made.model, &bytes, &size, NULL));
    assert_ok(crd_model_save(made.model, path, NULL));
    unsigned char *file = get_bytes(path, &file_size);
    assert_int_equal(size, file_size);
    assert_memory_equal(bytes, file, size);
    free(file);
    assert_ok(crd_model_load_memory(bytes, size, "memory", &model, NULL));
    crd_model_free(&model);
    crd_bytes_free(&bytes);
    assert_ok(crd_dataset_write(made.dataset, collect, &graph, NULL));
    assert_ok(crd_dataset_open_memory(graph.bytes, graph.size, "memory", &dataset, NULL));
    assert_string_equal(crd_dataset_fingerprint(dataset), crd_dataset_fingerprint(made.dataset));
    crd_dataset_free(&dataset);
    free(graph.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {FOLDER_TEST(the_bytes_of_the_file), cmocka_unit_test(refused_at_every_call),
                                       cmocka_unit_test(no_writer), FOLDER_TEST(from_memory_and_back)};
    return cmocka_run_group_tests(tests, make_all, free_all);
}
