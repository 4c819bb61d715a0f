/* SPDX-License-Identifier: MIT */
/* The same seed gives the same bytes with any number of threads: model files and predictions of every kind of
 * model, in every instruction set of this machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/tree.h"
#include "credence.h"
#include "models/model.h"
#include "support/each_isa.h"

enum { NODES = 1500 };

static crd_error error_;
#define OK(call)                                                                                                       \
    do {                                                                                                               \
        if ((call) != CRD_OK) fail_msg("%s", error_.message);                                                          \
    } while (0)

static crd_dataset *make_dataset(void)
{
    crd_generate_options options;
    crd_generate_defaults(&options);
    options.nodes = NODES;
    options.features = 200;
    crd_dataset *dataset;
    OK(crd_generate(&options, &dataset, &error_));
    return dataset;
}

typedef struct {
    crd_model *model;
    crd_prediction *prediction;
} outcome;

static outcome run(const crd_dataset *dataset, const char *kind, const char *features, int threads)
{
    crd_config config;
    crd_split *split;
    outcome made;
    crd_config_defaults(&config);
    OK(crd_config_set(&config, "model", kind, &error_));
    if (crd_model_kind_find(kind)->trained) {
        OK(crd_config_set(&config, "max-epochs", "3", &error_));
        OK(crd_config_set(&config, "features", features, &error_));
        OK(crd_config_set(&config, "hidden", "32", &error_));
    }
    if (strcmp(kind, "gpn") == 0) OK(crd_config_set(&config, "warmup", "2", &error_));
    if (strcmp(kind, "vgcn") == 0) OK(crd_config_set(&config, "score", "gebm", &error_));
    if (strcmp(kind, "appnp") == 0) OK(crd_config_set(&config, "score", "epn", &error_));
    config.threads = threads;
    OK(crd_split_make(dataset, "20/20/60", 0, 1, &split, &error_));
    OK(crd_train(dataset, split, &config, NULL, &made.model, &error_));
    OK(crd_predict(made.model, dataset, CRD_THREADS(threads), &made.prediction, &error_));
    crd_split_free(&split);
    return made;
}

static void assert_same_weights(const char *kind, int threads, const crd_model *a, const crd_model *b)
{
    for (int p = 0; p < a->parameters; p++)
        if (memcmp(a->parameter[p].value, b->parameter[p].value, (size_t)a->parameter[p].count * sizeof(float)) != 0)
            fail_msg("%s, %d threads: %s differs", kind, threads, a->parameter[p].form->name);
    assert_int_equal(a->members, b->members);
    for (int32_t m = 0; m < a->members; m++) assert_same_weights(kind, threads, a->member[m], b->member[m]);
    assert_memory_equal(&a->pool, &b->pool, sizeof a->pool);
}

static void assert_same(const char *kind, int threads, const outcome *a, const outcome *b)
{
    assert_same_weights(kind, threads, a->model, b->model);
    if (strcmp(kind, "committee") == 0) assert_int_equal(a->model->members, 2);
    assert_int_equal(a->model->best_epoch, b->model->best_epoch);
    if (a->model->kind->trained)
        assert_memory_equal(&a->model->best_cross_entropy, &b->model->best_cross_entropy, sizeof(double));
    if (memcmp(crd_prediction_probability(a->prediction), crd_prediction_probability(b->prediction),
               (size_t)(NODES * a->model->classes) * sizeof(float)) != 0)
        fail_msg("%s, %d threads: probabilities differ", kind, threads);
    if (memcmp(crd_prediction_score(a->prediction, CRD_SCORE_EPISTEMIC),
               crd_prediction_score(b->prediction, CRD_SCORE_EPISTEMIC), NODES * sizeof(double)) != 0)
        fail_msg("%s, %d threads: epistemic scores differ", kind, threads);
}

static void free_outcome(outcome *o)
{
    crd_model_free(&o->model);
    crd_prediction_free(&o->prediction);
}

static void every_kind(const crd_kernels *kernels)
{
    (void)kernels;
    static const char *const kinds[] = {"committee", "gpn", "appnp", "vgcn", "gkde-gcn", "egcn", "lp", "gkde"};
    static const char *const features[] = {"rownorm", "standard"}; /* sparse, dense */
    assert_true(crd_cut_rows(NODES).shards > 2);
    crd_dataset *dataset = make_dataset();
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (int f = 0; f < (crd_model_kind_find(kinds[k])->trained ? 2 : 1); f++) {
            outcome alone = run(dataset, kinds[k], features[f], 1);
            for (int threads = 2; threads <= 5; threads += threads == 2 ? 1 : 2) {
                outcome together = run(dataset, kinds[k], features[f], threads);
                assert_same(kinds[k], threads, &alone, &together);
                free_outcome(&together);
            }
            free_outcome(&alone);
        }
    crd_dataset_free(&dataset);
}

static void test_every_kind(void **state)
{
    (void)state;
    with_each_isa(every_kind);
}

/* The memory of a run is known before it starts, and grows with the model. */
static void test_memory(void **state)
{
    (void)state;
    static const char *const kinds[] = {"committee", "gpn", "appnp", "vgcn", "gkde-gcn", "egcn", "lp", "gkde"};
    crd_dataset *dataset = make_dataset();
    crd_split *split;
    OK(crd_split_make(dataset, "20/20/60", 0, 1, &split, &error_));
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        crd_config config;
        int64_t narrow, wide;
        crd_config_defaults(&config);
        OK(crd_config_set(&config, "model", kinds[k], &error_));
        OK(crd_train_memory(dataset, split, &config, &narrow, &error_));
        assert_true(narrow > 0);
        if (!crd_model_kind_find(kinds[k])->trained) continue;
        const int64_t hidden = config.hidden;
        config.hidden = hidden + 64;
        OK(crd_train_memory(dataset, split, &config, &wide, &error_));
        /* one number per node and hidden unit, and five per weight, at least */
        const int64_t more = 64 * (NODES + 5 * dataset->features.columns) * (int64_t)sizeof(float);
        assert_in_range(wide - narrow, more, 8 * more);
        config.hidden = 0;
        assert_int_equal(crd_train_memory(dataset, split, &config, &wide, NULL), CRD_ERROR_ARGUMENT);
    }
    crd_split_free(&split);
    crd_dataset_free(&dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_kind), cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
