/* SPDX-License-Identifier: MIT */
/* Long calls can be stopped at any moment, and structures of another size than the library's are understood. */
#include <string.h>

#include "dataset_helpers.h"
#include "support/outcome.h"
#include "support/quick_model.h"

typedef struct {
    int64_t calls, epochs, stop_at; /* the call that stops; 0: none does */
    bool by_flag;
    int flag;
} listener;

static bool listen(const crd_progress *progress, void *user)
{
    listener *l = user;
    l->epochs += progress->epoch != NULL;
    if (++l->calls != l->stop_at) return true;
    if (l->by_flag) l->flag = 1;
    return l->by_flag;
}

static crd_dataset *make_graph(void)
{
    crd_generate_options options;
    crd_dataset *dataset;
    crd_generate_defaults(&options);
    options.nodes = 300;
    options.classes = 3;
    options.features = 40;
    options.lookalikes = 0;
    assert_ok(crd_generate(&options, &dataset, NULL));
    return dataset;
}

/* Every kind, stopped at every call of its call-back, by the call-back's answer and by the flag: there is a model that
 * answers, or, before the first epoch is done, an error and no model. */
static void stopped_training(void **state)
{
    static const char *const kinds[] = {"committee", "gpn", "appnp", "vgcn", "gkde-gcn", "egcn"};
    crd_dataset *dataset = make_graph();
    crd_split *split;
    (void)state;
    assert_ok(crd_split_make(dataset, "20/20/60", 0, 1, &split, NULL));
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int way = 0; way < 2; way++)
            for (int64_t at = 1, stopped = 1; stopped > 0 && at < 40; at++) {
                listener l = {.stop_at = at, .by_flag = way == 1};
                const crd_control control = {
                    .size = sizeof control, .threads = 2, .stop = &l.flag, .progress = listen, .user = &l};
                const crd_train_options options = {.size = sizeof options, .control = &control};
                crd_config config;
                crd_config_defaults(&config);
                assert_ok(crd_config_set(&config, "model", kinds[k], NULL));
                assert_ok(crd_config_set(&config, "max-epochs", "6", NULL));
                crd_model *model;
                crd_prediction *prediction;
                crd_error error = {0};
                const crd_status status = crd_train(dataset, split, &config, &options, &model, &error);
                stopped = l.calls >= at;
                if (status != CRD_OK) {
                    assert_int_equal(status, CRD_ERROR_STOPPED);
                    assert_true(model == NULL && l.by_flag && strstr(error.message, "stopped on request") != NULL);
                    continue;
                }
                crd_model_facts facts;
                crd_model_get_facts(model, &facts);
                if (stopped && l.calls == at && !l.by_flag && facts.epochs < 6)
                    assert_int_equal(facts.stop, CRD_STOP_REQUESTED);
                if (!l.by_flag) assert_string_equal(facts.calibration, "temperature");
                assert_ok(crd_predict(model, dataset, NULL, &prediction, NULL));
                crd_prediction_free(&prediction);
                crd_model_free(&model);
            }
    crd_split_free(&split);
    crd_dataset_free(&dataset);
}

/* A flag that is set before the call: nothing is made. */
static void stopped_before(void **state)
{
    const int flag = 1;
    const crd_control control = {.size = sizeof control, .stop = &flag};
    crd_dataset *dataset = make_graph();
    crd_config config;
    crd_prediction *prediction;
    crd_evaluation evaluation;
    crd_explanation *explanation;
    crd_error error;
    (void)state;
    crd_config_defaults(&config);
    config.max_epochs = 3;
    crd_model *model = train(dataset, &config, NULL);
    assert_int_equal(crd_predict(model, dataset, &control, &prediction, &error), CRD_ERROR_STOPPED);
    assert_null(prediction);
    assert_string_equal(error.message, "stopped on request");
    assert_int_equal(crd_evaluate(model, dataset, NULL, CRD_TASK_MISCLASSIFICATION, &control, &evaluation, &error),
                     CRD_ERROR_STOPPED);
    assert_int_equal(crd_explain(model, dataset, 0, 5, &control, &explanation, &error), CRD_ERROR_STOPPED);
    assert_null(explanation);
    /* a control without its size is an error, and is not ignored */
    assert_fails(crd_predict(model, dataset, &(const crd_control){.stop = &flag}, &prediction, &error),
                 CRD_ERROR_ARGUMENT, "the size of crd_control is 0, expected sizeof(crd_control)");
    assert_null(prediction);
    crd_generate_options options;
    crd_generate_defaults(&options);
    options.control = &control;
    crd_dataset *other;
    assert_int_equal(crd_generate(&options, &other, &error), CRD_ERROR_STOPPED);
    assert_null(other);
    crd_model_free(&model);
    crd_dataset_free(&dataset);
}

/* Structures that are smaller, larger or have no size. */
static void sizes(void **state)
{
    struct {
        crd_generate_options known;
        char more[16];
    } newer = {.known = {.size = sizeof newer}};
    crd_dataset *dataset;
    crd_error error;
    (void)state;
    crd_generate_defaults_sized(&newer.known, sizeof newer);
    newer.known.nodes = 50;
    assert_ok(crd_generate(&newer.known, &dataset, &error));
    crd_dataset_free(&dataset);
    newer.more[3] = 1;
    assert_fails(crd_generate(&newer.known, &dataset, &error), CRD_ERROR_ARGUMENT, "does not know");
    newer.known.size = 0;
    assert_fails(crd_generate(&newer.known, &dataset, &error), CRD_ERROR_ARGUMENT,
                 "the size of crd_generate_options is 0");
    newer.known.size = offsetof(crd_generate_options, seed); /* an older program: the seed is the usual one */
    newer.known.seed = 77;
    assert_ok(crd_generate(&newer.known, &dataset, NULL));
    struct {
        crd_info info;
        char guard[8];
    } old;
    memset(&old, 'x', sizeof old);
    assert_ok(crd_dataset_info_sized(dataset, &old.info, offsetof(crd_info, edges), NULL));
    assert_true(old.info.nodes == 50 && memcmp(&old.info.edges, "xxxxxxxx", 8) == 0);
    crd_dataset_free(&dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stopped_training),
        cmocka_unit_test(stopped_before),
        cmocka_unit_test(sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
