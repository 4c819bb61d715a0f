/* SPDX-License-Identifier: MIT */
/* Every call that does much work fits into a stack of CRD_STACK_SIZE: it runs in a thread that has no more, with a page
 * below that no one may touch. CREDENCE_STACK=1 prints how much each call used. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "credence_private.h"
#include "models/model.h"
#include "support/each_isa.h"
#include "support/outcome.h"

/* The sanitizers make frames larger. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { STACK = 16 * CRD_STACK_SIZE };
#else
enum { STACK = CRD_STACK_SIZE };
#endif
enum { PAINT = 0x5a };

typedef crd_status (*call)(const char *argument, crd_error *error);

typedef struct {
    call made;
    const char *argument;
    crd_status status;
    crd_error error;
} order;

static void *carry_out(void *argument)
{
    order *o = argument;
    o->status = o->made(o->argument, &o->error);
    return NULL;
}

static size_t largest;

/* Makes the call in a thread with STACK bytes, and notes how many of them it used. */
static crd_status on_small_stack(call made, const char *what, const char *argument, crd_error *error)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    order o = {made, argument, CRD_OK, {0}};
    pthread_attr_t attributes;
    pthread_t thread;
    unsigned char *memory =
        mmap(NULL, STACK + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    assert_true(memory != MAP_FAILED);
    assert_int_equal(mprotect(memory, page, PROT_NONE), 0);
    memset(memory + page, PAINT, STACK);
    pthread_attr_init(&attributes);
    assert_int_equal(pthread_attr_setstack(&attributes, memory + page, STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, carry_out, &o), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    size_t untouched = 0;
    while (untouched < STACK && memory[page + untouched] == PAINT) untouched++;
    if (STACK - untouched > largest) largest = STACK - untouched;
    if (getenv("CREDENCE_STACK") != NULL)
        print_message("%8zu bytes: %s %s\n", (size_t)STACK - untouched, what, argument);
    munmap(memory, STACK + page);
    *error = o.error;
    return o.status;
}

#define SMALL(made, argument)                                                                                          \
    do {                                                                                                               \
        crd_error error_;                                                                                              \
        if (on_small_stack(made, #made, argument, &error_) != CRD_OK) fail_msg("%s: %s", #made, error_.message);       \
    } while (0)

/* ---- the calls ---- */

static struct {
    char folder[64];
    crd_dataset *dataset;
    crd_split *split;
    crd_model *model;
    crd_prediction *prediction;
} world;

static const char *in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", world.folder, name);
    return path;
}

static crd_status generate(const char *argument, crd_error *error)
{
    crd_generate_options options;
    (void)argument;
    crd_generate_defaults(&options);
    options.nodes = 1500;
    options.features = 300;
    return crd_generate(&options, &world.dataset, error);
}

static crd_status split(const char *spec, crd_error *error)
{
    return crd_split_make(world.dataset, spec, 0, 1, &world.split, error);
}

/* KIND or KIND:SCORE. */
static crd_status train(const char *kind, crd_error *error)
{
    char name[32];
    crd_config *config;
    int64_t bytes;
    crd_model_free(&world.model);
    snprintf(name, sizeof name, "%s", kind);
    char *score = strchr(name, ':');
    if (score != NULL) *score++ = '\0';
    crd_status status = crd_config_new(&config, error);
    if (status == CRD_OK) status = crd_config_set(config, "model", name, error);
    if (status == CRD_OK && score != NULL) status = crd_config_set(config, "score", score, error);
    if (status == CRD_OK && crd_model_kind_find(name)->trained)
        status = crd_config_set(config, "max-epochs", "2", error);
    if (status == CRD_OK) status = crd_train_memory(world.dataset, world.split, config, &bytes, error);
    if (status == CRD_OK) status = crd_train(world.dataset, world.split, config, NULL, &world.model, error);
    crd_config_free(&config);
    return status;
}

static crd_status predict(const char *argument, crd_error *error)
{
    (void)argument;
    crd_prediction_free(&world.prediction);
    return crd_predict(world.model, world.dataset, CRD_THREADS(2), &world.prediction, error);
}

static crd_status promises(const char *argument, crd_error *error)
{
    int64_t count;
    (void)argument;
    crd_status status = crd_prediction_flag_unknown(world.prediction, 0.5, &count, error);
    if (status == CRD_OK) status = crd_prediction_sets(world.prediction, world.dataset, 0.5, CRD_SETS_DAPS, 0.5, error);
    return status;
}

static crd_status write_rows(const char *name, crd_error *error)
{
    return crd_prediction_write(world.prediction, world.dataset, in_folder(name), CRD_TABLE_AUTO, true, error);
}

static crd_status evaluate(const char *argument, crd_error *error)
{
    crd_evaluation evaluation;
    (void)argument;
    return crd_evaluate(world.model, world.dataset, world.split, CRD_TASK_MISCLASSIFICATION, CRD_THREADS(2),
                        &evaluation, error);
}

static crd_status evaluate_shift(const char *argument, crd_error *error)
{
    crd_evaluation evaluation;
    crd_shift shift;
    (void)argument;
    crd_shift_defaults(&shift);
    shift.kind = CRD_SHIFT_REWIRE;
    shift.isolated = true;
    shift.most_nodes = 3;
    return crd_evaluate_shift(world.model, world.dataset, world.split, &shift, CRD_THREADS(2), &evaluation, error);
}

static crd_status explain(const char *argument, crd_error *error)
{
    crd_explanation *explanation;
    (void)argument;
    crd_status status = crd_explain(world.model, world.dataset, 7, 10, CRD_THREADS(2), &explanation, error);
    crd_explanation_free(&explanation);
    return status;
}

static crd_status serve(const char *argument, crd_error *error)
{
    crd_serving *serving = NULL;
    crd_prediction *prediction = NULL;
    const int64_t first = crd_dataset_nodes(world.dataset);
    const int64_t source[] = {first, first}, target[] = {0, 1}, row_start[] = {0, 2};
    const int32_t column[] = {0, 3};
    const crd_addition addition = {.size = sizeof addition,
                                   .nodes = 1,
                                   .row_start = row_start,
                                   .column = column,
                                   .edges = 2,
                                   .source = source,
                                   .target = target};
    (void)argument;
    crd_status status = crd_serving_open(world.model, world.dataset, CRD_THREADS(2), &serving, error);
    if (status == CRD_OK) status = crd_serving_add(serving, &addition, NULL, error);
    if (status == CRD_OK) status = crd_serving_predict(serving, source, 1, &prediction, error);
    crd_prediction_free(&prediction);
    const int64_t next[] = {first + 1, first + 1};
    const crd_addition other = {.size = sizeof other,
                                .nodes = 1,
                                .row_start = row_start,
                                .column = column,
                                .edges = 2,
                                .source = next,
                                .target = target};
    if (status == CRD_OK) status = crd_serving_predict_new(serving, &other, CRD_THREADS(2), &prediction, error);
    crd_prediction_free(&prediction);
    crd_serving_free(&serving);
    return status;
}

static crd_status save_and_load(const char *argument, crd_error *error)
{
    (void)argument;
    crd_model *again = NULL;
    crd_status status = crd_model_save(world.model, in_folder("model"), error);
    if (status == CRD_OK) status = crd_model_load(in_folder("model"), &again, error);
    crd_model_free(&again);
    return status;
}

static crd_status map(const char *argument, crd_error *error)
{
    crd_tsne_options options;
    float *points;
    (void)argument;
    const int64_t dims = crd_prediction_latent_dims(world.prediction), nodes = crd_dataset_nodes(world.dataset);
    crd_tsne_defaults(&options);
    options.iterations = 3;
    options.control = CRD_THREADS(2);
    crd_status status = CRD_NEW(&points, nodes * 2, error);
    if (status == CRD_OK)
        status = crd_tsne(crd_prediction_latent(world.prediction), nodes, dims, &options, points, NULL, error);
    free(points);
    return status;
}

static crd_status report(const char *argument, crd_error *error)
{
    crd_report *page;
    crd_report_options options;
    crd_tsne_options tsne;
    (void)argument;
    crd_report_defaults(&options);
    crd_tsne_defaults(&tsne);
    tsne.iterations = 3;
    options.split = world.split;
    options.tsne = &tsne;
    options.control = CRD_THREADS(2);
    crd_status status = crd_report_new("Stack", &page, error);
    if (status == CRD_OK) status = crd_report_add_model(page, world.model, world.dataset, &options, error);
    if (status == CRD_OK) status = crd_report_save(page, in_folder("report.html"), error);
    crd_report_free(&page);
    return status;
}

static crd_status convert(const char *name, crd_error *error)
{
    crd_dataset *again = NULL;
    crd_format format = strstr(name, "npz") != NULL   ? CRD_FORMAT_NPZ
                        : strstr(name, "npy") != NULL ? CRD_FORMAT_NPY
                        : strstr(name, "csv") != NULL ? CRD_FORMAT_CSV
                        : strstr(name, "mtx") != NULL ? CRD_FORMAT_MTX
                                                      : CRD_FORMAT_OGB;
    crd_status status = crd_dataset_save(world.dataset, in_folder(name), format, error);
    if (status == CRD_OK) status = crd_dataset_open(in_folder(name), NULL, &again, error);
    crd_dataset_free(&again);
    return status;
}

/* ---- the tests ---- */

static int set_up(void **state)
{
    (void)state;
    snprintf(world.folder, sizeof world.folder, "/tmp/credence-stack-XXXXXX");
    return mkdtemp(world.folder) == NULL ? -1 : 0;
}

static int tear_down(void **state)
{
    char command[96];
    (void)state;
    crd_prediction_free(&world.prediction);
    crd_model_free(&world.model);
    crd_split_free(&world.split);
    crd_dataset_free(&world.dataset);
    snprintf(command, sizeof command, "rm -rf %s", world.folder);
    return system(command);
}

static void data_fit(void **state)
{
    (void)state;
    SMALL(generate, "");
    static const char *const formats[] = {"graph.npz", "npy", "csv", "mtx", "ogb"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) SMALL(convert, formats[i]);
    SMALL(split, "20/20/10/50");
}

static void every_kind(const crd_kernels *kernels)
{
    static const char *const kinds[] = {"appnp:epn", "vgcn:gebm", "vgcn:grasp", "gkde-gcn", "egcn",
                                        "lp",        "gkde",      "committee",  "gpn"};
    (void)kernels;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        SMALL(train, kinds[i]);
        SMALL(predict, kinds[i]);
        SMALL(evaluate, kinds[i]);
        if (strchr(kinds[i], ':') == NULL) SMALL(serve, kinds[i]); /* other scores need the data of training */
        SMALL(save_and_load, kinds[i]);
        if (world.model->kind->weigh != NULL) SMALL(explain, kinds[i]);
    }
}

static void kinds_fit(void **state)
{
    (void)state;
    with_each_isa(every_kind);
}

/* Of a gpn, the last one above. */
static void answers_fit(void **state)
{
    (void)state;
    SMALL(promises, "");
    SMALL(write_rows, "rows.csv");
    SMALL(write_rows, "rows.npz");
    SMALL(write_rows, "rows.jsonl");
    SMALL(evaluate_shift, "");
    SMALL(map, "");
    SMALL(report, "");
}

static crd_status load_nested(const char *argument, crd_error *error)
{
    enum { DEPTH = 100000 };
    static char bytes[8 + 8 + 2 * DEPTH];
    const uint64_t length = sizeof bytes - 8;
    crd_model *model;
    (void)argument;
    memset(bytes, '[', sizeof bytes);
    for (int i = 0; i < 8; i++) bytes[i] = (char)(length >> 8 * i & 0xff);
    memcpy(bytes + 8, "{\"a\":", 5);
    return crd_model_load_memory(bytes, sizeof bytes, "nested", &model, error);
}

static crd_status read_nested(const char *argument, crd_error *error)
{
    crd_config *config;
    FILE *file = fopen(in_folder("nested.json"), "w");
    (void)argument;
    if (file == NULL) return CRD_ERROR_IO;
    fputs("{\"a\":", file);
    for (int i = 0; i < 100000; i++) fputc('[', file);
    fclose(file);
    crd_status status = crd_config_new(&config, error);
    if (status == CRD_OK) status = crd_config_read(config, in_folder("nested.json"), error);
    crd_config_free(&config);
    return status;
}

static void nested_json_fits(void **state)
{
    (void)state;
    crd_error error;
    assert_fails(on_small_stack(load_nested, "load_nested", "", &error), CRD_ERROR_FORMAT, "64 levels deep");
    assert_fails(on_small_stack(read_nested, "read_nested", "", &error), CRD_ERROR_FORMAT, "64 levels deep");
}

static void a_margin_is_left(void **state)
{
    (void)state;
    print_message("the most that a call used: %zu of %d bytes\n", largest, (int)STACK);
    assert_true(largest < STACK / 8 * 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_fit),         cmocka_unit_test(kinds_fit),        cmocka_unit_test(answers_fit),
        cmocka_unit_test(nested_json_fits), cmocka_unit_test(a_margin_is_left),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
