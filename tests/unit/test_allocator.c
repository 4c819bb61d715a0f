/* SPDX-License-Identifier: MIT */
/* crd_set_allocator: everything comes from the caller's functions and goes back to them, with any of the optional
 * functions; answers do not change; and what these functions refuse is CRD_ERROR_MEMORY. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "credence_private.h"
#include "support/outcome.h"

/* ---- an allocator that counts ---- */

/* Blocks begin with their size and a mark, 16 bytes past a line: the worst place for aligned memory. */
enum { FRONT = 80, MARK = 0x600dcafe, GONE = 0xdead };

typedef struct {
    size_t bytes;
    unsigned mark;
} front;

static struct {
    atomic_int_fast64_t live, bytes, calls, wrong;
    atomic_int_fast64_t left; /* allocations until one fails; negative: none fails */
} counted;

static void *hand_out(size_t bytes, int filling)
{
    atomic_fetch_add(&counted.calls, 1);
    if (atomic_load(&counted.left) >= 0 && atomic_fetch_sub(&counted.left, 1) == 0) return NULL;
    void *memory;
    if (posix_memalign(&memory, 64, FRONT + bytes) != 0) return NULL;
    *(front *)memory = (front){bytes, MARK};
    memset((char *)memory + FRONT, filling, bytes);
    atomic_fetch_add(&counted.live, 1);
    atomic_fetch_add(&counted.bytes, (int64_t)bytes);
    return (char *)memory + FRONT;
}

static void *allocate(size_t bytes, void *user)
{
    if (user != &counted) atomic_fetch_add(&counted.wrong, 1);
    return hand_out(bytes, 0xa5);
}

static void *allocate_zero(size_t bytes, void *user)
{
    if (user != &counted) atomic_fetch_add(&counted.wrong, 1);
    return hand_out(bytes, 0);
}

static void release(void *block, void *user)
{
    front *f = (front *)((char *)block - FRONT);
    if (user != &counted || f->mark != MARK) {
        atomic_fetch_add(&counted.wrong, 1);
        return;
    }
    f->mark = GONE;
    atomic_fetch_sub(&counted.live, 1);
    atomic_fetch_sub(&counted.bytes, (int64_t)f->bytes);
    memset(block, 0xdd, f->bytes);
    free(f);
}

static void *reallocate(void *block, size_t bytes, void *user)
{
    const front *f = (const front *)((char *)block - FRONT);
    if (f->mark != MARK) atomic_fetch_add(&counted.wrong, 1);
    void *moved = allocate(bytes, user);
    if (moved == NULL) return NULL;
    memcpy(moved, block, f->bytes < bytes ? f->bytes : bytes);
    release(block, user);
    return moved;
}

static const crd_allocator whole = {sizeof whole, allocate, allocate_zero, reallocate, release, &counted},
                           least = {sizeof least, allocate, NULL, NULL, release, &counted};

static void choose(const crd_allocator *allocator)
{
    crd_error error;
    counted.live = counted.bytes = counted.calls = counted.wrong = 0;
    counted.left = -1;
    if (crd_set_allocator(allocator, &error) != CRD_OK) fail_msg("%s", error.message);
}

static void assert_all_is_back(void)
{
    assert_int_equal(counted.wrong, 0);
    assert_int_equal(counted.live, 0);
    assert_int_equal(counted.bytes, 0);
}

/* ---- the functions of base/memory.h ---- */

static void blocks_are_aligned(void **state)
{
    const crd_allocator *const allocators[] = {NULL, &whole, &least};
    (void)state;
    for (int i = 0; i < 3; i++) {
        choose(allocators[i]);
        for (int64_t bytes = 0; bytes < 5000; bytes = bytes * 5 / 4 + 1) {
            unsigned char *plain, *zero;
            assert_ok(CRD_NEW(&plain, bytes, NULL));
            assert_ok(CRD_NEW_ZERO(&zero, bytes, NULL));
            assert_int_equal((uintptr_t)plain % (bytes < 64 ? 16 : 64), 0);
            assert_int_equal((uintptr_t)zero % 16, 0);
            memset(plain, 1, (size_t)bytes);
            for (int64_t b = 0; b < bytes; b++) assert_int_equal(zero[b], 0);
            crd_free(plain);
            crd_free(zero);
        }
        crd_free(NULL);
        int64_t *grown = NULL, capacity = 0;
        for (int64_t n = 0; n < 3000; n++) {
            assert_ok(CRD_GROW(&grown, &capacity, n + 1, NULL));
            grown[n] = n;
        }
        CRD_SHRINK(&grown, 2000);
        for (int64_t n = 0; n < 2000; n++) assert_int_equal(grown[n], n);
        CRD_SHRINK(&grown, 0);
        crd_free(grown);
        crd_plan plan = {0};
        float *first, *second;
        CRD_PLAN(&plan, &first, 3);
        CRD_PLAN_ZERO(&plan, &second, 100);
        assert_ok(crd_plan_allocate(&plan, NULL));
        assert_int_equal((uintptr_t)first % 64 + (uintptr_t)second % 64, 0);
        assert_true(second[0] == 0.0f && second[99] == 0.0f);
        crd_plan_free(&plan);
        if (allocators[i] != NULL) assert_true(counted.calls > 0);
        assert_all_is_back();
    }
    choose(NULL);
}

static void sizes_do_not_overflow(void **state)
{
    (void)state;
    crd_error error;
    char *huge;
    choose(&whole);
    assert_fails(CRD_NEW(&huge, PTRDIFF_MAX, &error), CRD_ERROR_MEMORY, "out of memory");
    assert_fails(CRD_NEW_ZERO(&huge, PTRDIFF_MAX - 70, &error), CRD_ERROR_MEMORY, "out of memory");
    assert_int_equal(counted.calls, 0);
    choose(NULL);
}

static void wrong_allocators_are_refused(void **state)
{
    (void)state;
    crd_error error;
    crd_allocator wrong = whole;
    choose(&whole);
    wrong.size = 0;
    assert_fails(crd_set_allocator(&wrong, &error), CRD_ERROR_ARGUMENT, "the size of crd_allocator is 0");
    wrong = whole;
    wrong.allocate = NULL;
    assert_fails(crd_set_allocator(&wrong, &error), CRD_ERROR_ARGUMENT, "allocate is NULL");
    wrong = whole;
    wrong.release = NULL;
    assert_fails(crd_set_allocator(&wrong, &error), CRD_ERROR_ARGUMENT, "release is NULL");
    /* The one before stays. */
    char *block;
    assert_ok(CRD_NEW(&block, 1, NULL));
    assert_int_equal(counted.live, 1);
    crd_free(block);
    assert_all_is_back();
    choose(NULL);
}

/* ---- the public calls ---- */

static char folder[64];

static const char *in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* Saves in a format, reads it again, and removes it. */
static crd_status convert(const crd_dataset *dataset, const char *name, crd_format format, crd_error *error)
{
    char command[160];
    crd_dataset *again = NULL;
    crd_status status = crd_dataset_save(dataset, in_folder(name), format, error);
    if (status == CRD_OK) status = crd_dataset_open(in_folder(name), NULL, &again, error);
    if (status == CRD_OK) assert_string_equal(crd_dataset_fingerprint(again), crd_dataset_fingerprint(dataset));
    crd_dataset_free(&again);
    snprintf(command, sizeof command, "rm -rf %s", in_folder(name));
    assert_int_equal(system(command), 0);
    return status;
}

static crd_status add_part(const crd_model *model, const crd_dataset *dataset, const crd_split *split, crd_error *error)
{
    crd_report *report = NULL;
    crd_report_options options;
    crd_report_defaults(&options);
    crd_tsne_options tsne;
    crd_tsne_defaults(&tsne);
    tsne.iterations = 5;
    options.split = split;
    options.tsne = &tsne;
    crd_status status = crd_report_new("Memory", &report, error);
    if (status == CRD_OK) status = crd_report_add_model(report, model, dataset, &options, error);
    if (status == CRD_OK) status = crd_report_save(report, in_folder("report.html"), error);
    crd_report_free(&report);
    return status;
}

static crd_status serve(const crd_model *model, const crd_dataset *dataset, crd_error *error)
{
    crd_serving *serving = NULL;
    crd_prediction *prediction = NULL;
    const int64_t source[] = {0, 1}, target[] = {crd_dataset_nodes(dataset), crd_dataset_nodes(dataset)};
    const float features[40] = {1.0f};
    const crd_addition addition = {
        .size = sizeof addition, .nodes = 1, .dense = features, .edges = 2, .source = source, .target = target};
    crd_status status = crd_serving_open(model, dataset, NULL, &serving, error);
    if (status == CRD_OK) status = crd_serving_add(serving, &addition, NULL, error);
    if (status == CRD_OK) status = crd_serving_predict(serving, target, 1, &prediction, error);
    crd_prediction_free(&prediction);
    crd_serving_free(&serving);
    return status;
}

/* Everything that a program does, with one kind of model; *sum depends on all answers. */
static crd_status work(const char *kind, double *sum, crd_error *error)
{
    crd_dataset *dataset = NULL;
    crd_split *split = NULL;
    crd_config *config = NULL;
    crd_model *model = NULL, *loaded = NULL;
    crd_prediction *prediction = NULL;
    crd_explanation *explanation = NULL;
    crd_evaluation evaluation;
    char *json = NULL;
    uint8_t *image = NULL;
    size_t size;
    crd_generate_options options;
    crd_generate_defaults(&options);
    options.nodes = 150;
    options.features = 40;
    options.classes = 4;
    options.lookalikes = 1;
    crd_status status = crd_generate(&options, &dataset, error);
    if (status == CRD_OK) status = convert(dataset, "ogb", CRD_FORMAT_OGB, error);
    if (status == CRD_OK) status = convert(dataset, "csv", CRD_FORMAT_CSV, error);
    if (status == CRD_OK) status = convert(dataset, "npy", CRD_FORMAT_NPY, error);
    if (status == CRD_OK) status = crd_split_make(dataset, "20/20/20/40", 0, 1, &split, error);
    if (status == CRD_OK) status = crd_config_new(&config, error);
    if (status == CRD_OK) status = crd_config_set(config, "model", kind, error);
    if (status == CRD_OK) status = crd_config_set(config, "max-epochs", "3", error);
    if (status == CRD_OK) status = crd_config_set(config, "threads", "2", error);
    if (status == CRD_OK) status = crd_train(dataset, split, config, NULL, &model, error);
    if (status == CRD_OK) status = crd_model_save(model, in_folder("model"), error);
    if (status == CRD_OK) status = crd_model_load(in_folder("model"), &loaded, error);
    if (status == CRD_OK) status = crd_predict(loaded, dataset, CRD_THREADS(2), &prediction, error);
    if (status == CRD_OK) status = crd_prediction_sets(prediction, dataset, 0.5, CRD_SETS_DAPS, 0.5, error);
    if (status == CRD_OK)
        status = crd_prediction_write(prediction, dataset, in_folder("rows.csv"), CRD_TABLE_CSV, true, error);
    if (status == CRD_OK)
        status = crd_evaluate(loaded, dataset, split, CRD_TASK_MISCLASSIFICATION, CRD_THREADS(2), &evaluation, error);
    if (status == CRD_OK) status = crd_model_save_memory(loaded, &image, &size, error);
    if (status == CRD_OK) status = serve(loaded, dataset, error);
    if (status == CRD_OK) status = crd_explain(loaded, dataset, 3, 5, CRD_THREADS(2), &explanation, error);
    if (status == CRD_OK) status = crd_explanation_json(explanation, &json, error);
    if (status == CRD_OK) status = add_part(loaded, dataset, split, error);
    *sum = 0.0;
    for (int64_t i = 0; status == CRD_OK && i < crd_prediction_nodes(prediction); i++)
        *sum += crd_prediction_score(prediction, CRD_SCORE_EPISTEMIC)[i] * (double)(i + 1);
    crd_string_free(&json);
    crd_bytes_free(&image);
    crd_explanation_free(&explanation);
    crd_prediction_free(&prediction);
    crd_model_free(&loaded);
    crd_model_free(&model);
    crd_config_free(&config);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
    return status;
}

static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/credence-allocator-XXXXXX");
    return mkdtemp(folder) == NULL ? -1 : 0;
}

static int tear_down(void **state)
{
    char command[96];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static void every_byte_comes_back(void **state)
{
    static const char *const kinds[] = {"committee", "gpn"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        crd_error error;
        double usual, sum;
        choose(NULL);
        if (work(kinds[k], &usual, &error) != CRD_OK) fail_msg("%s", error.message);
        assert_int_equal(counted.calls, 0);
        for (int i = 0; i < 2; i++) {
            choose(i == 0 ? &whole : &least);
            if (work(kinds[k], &sum, &error) != CRD_OK) fail_msg("%s", error.message);
            assert_true(counted.calls > 1000);
            assert_true(sum == usual);
            assert_all_is_back();
        }
    }
    choose(NULL);
}

/* Not every one of many thousand allocations, as test_brutal_* do with the C library's: some from the beginning to the
 * end. */
static void a_refusal_is_an_error(void **state)
{
    (void)state;
    crd_error error;
    double sum;
    choose(&whole);
    assert_ok(work("gpn", &sum, &error));
    const int64_t calls = counted.calls;
    int failed = 0;
    for (int64_t n = 0; n < calls; n += 1 + calls / 150) {
        choose(n % 2 == 0 ? &whole : &least);
        counted.left = n;
        const crd_status status = work("gpn", &sum, &error);
        if (status == CRD_ERROR_MEMORY) failed++;
        else assert_ok(status); /* a block that could not shrink stays as it is */
        assert_all_is_back();
        char command[96];
        snprintf(command, sizeof command, "rm -rf %s/*", folder);
        assert_int_equal(system(command), 0);
    }
    assert_true(failed > 100);
    choose(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_aligned),           cmocka_unit_test(sizes_do_not_overflow),
        cmocka_unit_test(wrong_allocators_are_refused), cmocka_unit_test(every_byte_comes_back),
        cmocka_unit_test(a_refusal_is_an_error),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
