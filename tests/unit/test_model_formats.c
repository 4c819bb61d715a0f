/* SPDX-License-Identifier: MIT */
/* Files of every format version that can be read, made by tests/model_files/make.sh: they give the answers that they
 * gave when they were made. */
#include <math.h>

#include "dataset_helpers.h"
#include "models/model.h"
#include "support/collect.h"
#include "support/outcome.h"

static const char *const names[] = {"committee", "committee-standard", "gpn", "appnp", "vgcn", "gkde-gcn", "egcn", "lp",
                                    "gkde"};
enum { NAMES = sizeof names / sizeof *names };

static const char *path_of(int version, const char *name, const char *ending)
{
    static char path[128];
    if (version == 0) snprintf(path, sizeof path, "tests/model_files/%s", name);
    else snprintf(path, sizeof path, "tests/model_files/%d/%s%s", version, name, ending);
    return path;
}

static crd_model *load(int version, const char *name)
{
    crd_model *model;
    crd_error error = {0};
    if (crd_model_load(path_of(version, name, ".safetensors"), &model, &error) != CRD_OK) fail_msg("%s", error.message);
    return model;
}

static char *answers_of(const crd_model *model, const crd_dataset *dataset)
{
    crd_prediction *prediction;
    crd_error error = {0};
    collected text = {0};
    if (crd_predict(model, dataset, CRD_THREADS(1), &prediction, &error) != CRD_OK) fail_msg("%s", error.message);
    assert_ok(crd_prediction_write_to(prediction, dataset, collect, &text, CRD_TABLE_AUTO, true, &error));
    crd_prediction_free(&prediction);
    return text.bytes;
}

/* The same words; numbers may differ by rounding, which depends on the processor. Doubt is the place of a score among
 * those of the calibration nodes, which changes by a whole step if the node is one of them: its score is equal to one
 * of theirs but for rounding. */
static void assert_alike(const char *got, const char *wanted, double step, const char *where)
{
    int doubt = -1;
    for (int line = 1, column = 0; *got != '\0' || *wanted != '\0';) {
        const size_t a = strcspn(got, ",\n"), b = strcspn(wanted, ",\n");
        char *end;
        const double x = strtod(got, NULL), y = strtod(wanted, &end);
        const bool number = end == wanted + b && b > 0;
        const double most = (column == doubt ? step : 0.0) + 1e-5 + 1e-4 * fabs(y);
        const bool same = number ? fabs(x - y) <= most : a == b && memcmp(got, wanted, a) == 0;
        if (!same || got[a] != wanted[b])
            fail_msg("%s: line %d: '%.*s', expected '%.*s'", where, line, (int)a, got, (int)b, wanted);
        if (line == 1 && b == 5 && memcmp(wanted, "doubt", 5) == 0) doubt = column;
        column = wanted[b] == '\n' ? 0 : column + 1;
        line += wanted[b] == '\n';
        got += a + (got[a] != '\0');
        wanted += b + (wanted[b] != '\0');
    }
}

static void give_their_answers(void **state)
{
    (void)state;
    crd_dataset *dataset = open_with(path_of(0, "graph", ""), NULL, NULL);
    for (int version = CRD_OLDEST_MODEL_VERSION; version <= CRD_MODEL_VERSION; version++)
        for (int i = 0; i < NAMES; i++) {
            size_t size;
            crd_model *model = load(version, names[i]);
            char *got = answers_of(model, dataset);
            const char *path = path_of(version, names[i], ".csv");
            char *wanted = (char *)get_bytes(path, &size);
            wanted = realloc(wanted, size + 1);
            assert_non_null(wanted);
            wanted[size] = '\0';
            assert_alike(got, wanted, 1.0 / (double)(model->held_count + 1), path);
            free(wanted);
            free(got);
            crd_model_free(&model);
        }
    crd_dataset_free(&dataset);
}

/* Every kind is among them. */
static void all_kinds(void **state)
{
    (void)state;
    for (int k = 0; k < crd_kind_count(); k++) {
        int found = 0;
        for (int i = 0; i < NAMES; i++) {
            crd_model *model = load(CRD_MODEL_VERSION, names[i]);
            found += model->kind == crd_model_kind_find(crd_kind_name(k));
            crd_model_free(&model);
        }
        assert_true(found > 0);
    }
}

/* A file of an earlier version becomes one of the present version, with the same identifier and the same answers; one
 * of the present version stays as it is, byte by byte. */
static void saved_again(void **state)
{
    (void)state;
    crd_dataset *dataset = open_with(path_of(0, "graph", ""), NULL, NULL);
    for (int version = CRD_OLDEST_MODEL_VERSION; version <= CRD_MODEL_VERSION; version++)
        for (int i = 0; i < NAMES; i++) {
            crd_model *model = load(version, names[i]), *again;
            crd_model_facts facts, facts_again;
            uint8_t *bytes;
            size_t size, file_size;
            assert_ok(crd_model_save_memory(model, &bytes, &size, NULL));
            assert_ok(crd_model_load_memory(bytes, size, "again", &again, NULL));
            crd_model_get_facts(model, &facts);
            crd_model_get_facts(again, &facts_again);
            assert_int_equal(strlen(facts.id), 64);
            assert_string_equal(facts.id, facts_again.id);
            char *got = answers_of(again, dataset), *wanted = answers_of(model, dataset);
            assert_string_equal(got, wanted);
            if (version == CRD_MODEL_VERSION) {
                unsigned char *file = get_bytes(path_of(version, names[i], ".safetensors"), &file_size);
                assert_int_equal(size, file_size);
                assert_memory_equal(bytes, file, size);
                free(file);
            }
            free(got);
            free(wanted);
            crd_bytes_free(&bytes);
            assert_null(bytes);
            crd_model_free(&again);
            crd_model_free(&model);
        }
    crd_dataset_free(&dataset);
}

/* Versions 3 and 4 were made by the same trainings: the identifier is of the model, not of the file. */
static void same_identifier(void **state)
{
    (void)state;
    for (int i = 0; i < NAMES; i++) {
        crd_model *third = load(3, names[i]), *fourth = load(4, names[i]), *other = load(4, names[(i + 1) % NAMES]);
        assert_string_equal(third->id, fourth->id);
        assert_string_not_equal(third->id, other->id);
        crd_model_free(&third);
        crd_model_free(&fourth);
        crd_model_free(&other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(give_their_answers), cmocka_unit_test(all_kinds),
                                       cmocka_unit_test(saved_again), cmocka_unit_test(same_identifier)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
