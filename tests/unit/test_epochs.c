/* SPDX-License-Identifier: MIT */
/* What happens from epoch to epoch: dropout's masks, ties, a teacher, divergence; and the split that a model keeps. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "models/model.h"
#include "support/outcome.h"
#include "support/watched.h"

#define OK(call)                                                                                                       \
    do {                                                                                                               \
        crd_error error_ = {0};                                                                                        \
        if ((call) != CRD_OK) fail_msg("%s: %s", #call, error_.message);                                               \
    } while (0)

enum { N = 48, F = 6, CLASSES = 3, MOST_EPOCHS = 64 };

/* A graph of three classes with one or two features each; every fourth node is a training node. */
typedef struct {
    int64_t source[2 * N], target[2 * N];
    float x[N * F];
    int32_t labels[N];
    uint8_t roles[N];
} arrays;

static void make_arrays(arrays *a, float size)
{
    static const uint8_t ROLES[] = {CRD_ROLE_TRAIN, CRD_ROLE_VALIDATION, CRD_ROLE_TEST, CRD_ROLE_TEST};
    for (int i = 0; i < N; i++) {
        a->labels[i] = i % CLASSES;
        a->roles[i] = ROLES[i / CLASSES % 4];
        for (int f = 0; f < F; f++)
            a->x[i * F + f] =
                size * ((f % CLASSES == i % CLASSES ? 1.0f : 0.0f) + 0.1f * (float)((i * 7 + f * 5) % 11));
        a->source[2 * i] = a->source[2 * i + 1] = i;
        a->target[2 * i] = (i + CLASSES) % N;
        a->target[2 * i + 1] = (i + 5) % N;
    }
}

static crd_dataset *open_arrays(const arrays *a)
{
    const crd_arrays description = {.size = sizeof(crd_arrays),
                                    .nodes = N,
                                    .edges = 2 * N,
                                    .source = {a->source, CRD_INT64},
                                    .target = {a->target, CRD_INT64},
                                    .features = F,
                                    .dense = {a->x, CRD_FLOAT32},
                                    .labels = a->labels};
    crd_dataset *dataset;
    OK(crd_dataset_from_arrays(&description, &dataset, &error_));
    return dataset;
}

static crd_config quick(void)
{
    crd_config config;
    crd_config_defaults(&config);
    assert_int_equal(crd_config_set(&config, "model", "gpn", NULL), CRD_OK);
    config.features = CRD_FEATURES_NONE;
    config.hidden = 8;
    config.latent = 3;
    config.flow_layers = 2;
    config.warmup = 3;
    config.threads = 1;
    return config;
}

/* What the call-back saw. */
typedef struct {
    int64_t count;
    crd_epoch epoch[MOST_EPOCHS];
} history;

static bool remember(const crd_progress *progress, void *user)
{
    const crd_epoch *epoch = progress->epoch;
    if (epoch == NULL) return true;
    history *h = user;
    assert_true(h->count < MOST_EPOCHS);
    h->epoch[h->count++] = *epoch;
    return true;
}

static crd_model *train(const arrays *a, const crd_config *config, const crd_model *init, history *h)
{
    crd_dataset *dataset = open_arrays(a);
    crd_split *split;
    crd_model *model;
    crd_train_options options = *WATCHED(init, h != NULL ? remember : NULL, h);
    OK(crd_split_from_roles(a->roles, N, &split, &error_));
    OK(crd_train(dataset, split, config, &options, &model, &error_));
    crd_split_free(&split);
    crd_dataset_free(&dataset);
    return model;
}

/* Weights that a learning rate of 1e-12 cannot change: all are at least 2^-10, where neighbouring floats are 1e-10
 * apart. */
static crd_model *immovable(const arrays *a)
{
    crd_config config = quick();
    config.max_epochs = 2;
    crd_model *model = train(a, &config, NULL, NULL);
    for (int p = 0; p < model->parameters; p++)
        for (int64_t i = 0; i < model->parameter[p].count; i++) {
            float *value = &model->parameter[p].value[i];
            if (fabsf(*value) < 0x1p-10f) *value = 0x1p-10f;
        }
    return model;
}

static void assert_same_weights(const crd_model *a, const crd_model *b)
{
    for (int p = 0; p < a->parameters; p++)
        assert_memory_equal(a->parameter[p].value, b->parameter[p].value,
                            (size_t)a->parameter[p].count * sizeof(float));
}

static crd_model *saved_and_loaded(const crd_model *model)
{
    char path[] = "/tmp/credence-test-epochs-XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    crd_model *loaded;
    OK(crd_model_save(model, path, &error_));
    OK(crd_model_load(path, &loaded, &error_));
    unlink(path);
    return loaded;
}

/* ---- dropout ---- */

/* The weights do not change, so the loss depends only on the mask: it differs in every epoch, also in the warm-up;
 * without dropout it is the same in all of them. */
static void masks(void **state)
{
    (void)state;
    arrays a;
    make_arrays(&a, 1.0f);
    crd_model *init = immovable(&a);
    crd_config config = quick();
    config.lr = 1e-12;
    config.max_epochs = 5;
    config.dropout = 0.5;
    history with = {0}, without = {0}, again = {0};
    crd_model *model = train(&a, &config, init, &with);
    assert_same_weights(model, init);
    assert_int_equal(with.count, 8);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < i; j++)
            if (with.epoch[i].loss == with.epoch[j].loss) fail_msg("epochs %d and %d share a mask", j, i);
    crd_model_free(&model);
    model = train(&a, &config, init, &again); /* the seed determines the masks */
    for (int i = 0; i < 8; i++) assert_true(again.epoch[i].loss == with.epoch[i].loss);
    crd_model_free(&model);
    again.count = 0;
    config.seed = 2;
    model = train(&a, &config, init, &again);
    for (int i = 0; i < 8; i++) assert_true(again.epoch[i].loss != with.epoch[i].loss);
    crd_model_free(&model);
    config.dropout = 0.0;
    model = train(&a, &config, init, &without);
    for (int i = 0; i < 8; i++) assert_true(without.epoch[i].loss == without.epoch[0].loss);
    crd_model_free(&model);
    crd_model_free(&init);
}

/* ---- ties ---- */

/* If the validation cross-entropy stays the same to the last bit, there is no new best epoch. */
static void ties(void **state)
{
    (void)state;
    arrays a;
    make_arrays(&a, 1.0f);
    crd_model *init = immovable(&a);
    crd_config config = quick();
    config.lr = 1e-12;
    config.patience = 4;
    config.warmup = 0;
    history h = {0};
    crd_model *model = train(&a, &config, init, &h);
    crd_model_facts facts;
    crd_model_get_facts(model, &facts);
    assert_int_equal(h.count, 1 + 4);
    for (int64_t e = 0; e < h.count; e++) {
        assert_true(h.epoch[e].validation_cross_entropy == h.epoch[0].validation_cross_entropy);
        assert_int_equal(h.epoch[e].best, e == 0);
        assert_int_equal(h.epoch[e].best_epoch, 1);
    }
    assert_int_equal(facts.stop, CRD_STOP_PATIENCE);
    assert_int_equal(facts.best_epoch, 1);
    assert_int_equal(facts.epochs, 5);
    crd_model_free(&model);
    crd_model_free(&init);
}

/* ---- a teacher ---- */

/* The reason for stopping covers the whole training: even if patience ended a gkde-gcn, it counts as cut off if its
 * teacher was. Here the teacher needs more epochs than its pupil; with one epoch less than that it is cut off. */
static void cut_off_teacher(void **state)
{
    (void)state;
    arrays a;
    make_arrays(&a, 1.0f);
    crd_config config = quick();
    OK(crd_config_set(&config, "model", "gkde-gcn", &error_));
    config.hidden = 8;
    config.lr = 0.03;
    config.patience = 2;
    config.seed = 5;
    history h = {0};
    crd_model_facts facts;
    crd_model *model = train(&a, &config, NULL, &h);
    crd_model_get_facts(model, &facts);
    const int64_t of_teacher = h.count - facts.epochs;
    assert_int_equal(facts.stop, CRD_STOP_PATIENCE);
    assert_true(of_teacher > facts.epochs + 1);
    for (int64_t e = 0; e < h.count; e++) assert_int_equal(h.epoch[e].warmup, e < of_teacher);
    crd_model_free(&model);

    config.max_epochs = of_teacher; /* just enough for both */
    model = train(&a, &config, NULL, NULL);
    crd_model_get_facts(model, &facts);
    assert_int_equal(facts.stop, CRD_STOP_PATIENCE);
    crd_model_free(&model);

    config.max_epochs = of_teacher - 1;
    model = train(&a, &config, NULL, NULL);
    crd_model *loaded = saved_and_loaded(model);
    crd_model_get_facts(model, &facts);
    assert_true(facts.epochs < config.max_epochs);
    assert_int_equal(facts.epochs - facts.best_epoch, config.patience); /* the pupil itself had finished */
    assert_int_equal(facts.stop, CRD_STOP_EPOCHS);
    crd_model_get_facts(loaded, &facts);
    assert_int_equal(facts.stop, CRD_STOP_EPOCHS);
    crd_model_free(&loaded);
    crd_model_free(&model);
}

/* ---- divergence ---- */

/* Two ways to diverge in the second epoch, after a good first one: features so large that the distance term is
 * infinite before the step, and a regulariser so heavy that the step turns the weights into NaN. */
static const struct {
    float size;
    double reg_weight;
} WILD[] = {{1e8f, 1e-4}, {1.0f, 1e16}};
enum { WAYS = sizeof WILD / sizeof *WILD };

static crd_config wild(int way)
{
    crd_config config = quick();
    config.lr = 1e6;
    config.warmup = 0;
    config.activation = CRD_ACT_LINEAR; /* no dead units, whose distances would be 0 */
    config.reg = CRD_REG_DISTANCE;
    config.reg_strength = 0.0;
    config.reg_weight = WILD[way].reg_weight;
    config.max_epochs = 20;
    return config;
}

static void divergence(void **state)
{
    (void)state;
    for (int way = 0; way < WAYS; way++) {
        arrays a;
        make_arrays(&a, WILD[way].size);
        crd_config config = wild(way);
        history h = {0};
        crd_model *model = train(&a, &config, NULL, &h), *loaded = saved_and_loaded(model);
        crd_model_facts facts;
        crd_model_get_facts(model, &facts);
        assert_int_equal(facts.stop, CRD_STOP_DIVERGED);
        assert_int_equal(h.count, 1); /* a failed epoch is neither reported nor counted */
        assert_int_equal(facts.epochs, 1);
        assert_int_equal(facts.best_epoch, 1);
        assert_true(facts.best_cross_entropy == h.epoch[0].validation_cross_entropy);
        assert_true(isfinite(facts.best_cross_entropy));
        config.max_epochs = 1; /* the kept model is that of one epoch */
        crd_model *short_one = train(&a, &config, NULL, NULL);
        assert_same_weights(model, short_one);
        assert_int_equal(short_one->stop, CRD_STOP_EPOCHS);
        assert_same_weights(loaded, model);
        crd_model_get_facts(loaded, &facts);
        assert_int_equal(facts.stop, CRD_STOP_DIVERGED);
        assert_string_equal(crd_stop_name(facts.stop), "diverged");
        crd_dataset *dataset = open_arrays(&a);
        crd_prediction *prediction;
        OK(crd_predict(model, dataset, CRD_THREADS(1), &prediction, &error_));
        for (int i = 0; i < N * CLASSES; i++) assert_true(isfinite(crd_prediction_alpha(prediction)[i]));
        crd_prediction_free(&prediction);
        crd_dataset_free(&dataset);
        crd_model_free(&short_one);
        crd_model_free(&loaded);
        crd_model_free(&model);
    }
}

static void assert_numeric(const arrays *a, const crd_config *config, const char *part)
{
    crd_dataset *dataset = open_arrays(a);
    crd_split *split;
    crd_model *model = (crd_model *)1;
    crd_error error = {0};
    OK(crd_split_from_roles(a->roles, N, &split, &error_));
    assert_fails(crd_train(dataset, split, config, NULL, &model, &error), CRD_ERROR_NUMERIC, part);
    assert_null(model);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
}

/* If there is no best model to keep, one sentence says what happened. */
static void divergence_without_a_best(void **state)
{
    (void)state;
    for (int way = 0; way < WAYS; way++) {
        arrays a;
        make_arrays(&a, WILD[way].size);
        for (int i = 0; i < N; i++)
            if (a.roles[i] == CRD_ROLE_VALIDATION) a.roles[i] = CRD_ROLE_TEST;
        crd_config config = wild(way);
        /* without validation only the next epoch's loss shows what the step did to the weights */
        assert_numeric(&a, &config, way == 0 ? "not a number in epoch 2" : "not a number in epoch 3");
        if (way == 0) continue;
        config.max_epochs = 2; /* and if there is no next epoch, the weights themselves are checked */
        assert_numeric(&a, &config, "after 2 epochs encoder.0.weight is not a number any more");
    }
    arrays a;
    make_arrays(&a, 1e20f);
    crd_config config = wild(0);
    assert_numeric(&a, &config, "not a number in epoch 1");
    config.warmup = 1;
    assert_numeric(&a, &config, "not a number in warm-up epoch 1");
}

/* ---- the split that a model keeps ---- */

/* Left-out nodes neither train nor validate; they may test. All other roles stay, also those of unlabelled nodes. */
static void kept_split(void **state)
{
    (void)state;
    arrays a;
    make_arrays(&a, 1.0f);
    for (int i = 0; i < N; i++) {
        a.roles[i] = (uint8_t)(i / CLASSES % 4); /* every role in every class */
        if (i >= 36) a.labels[i] = -1;
    }
    crd_dataset *dataset = open_arrays(&a);
    crd_split *split;
    crd_model *model;
    crd_config config = quick();
    config.left_out = 1;
    config.max_epochs = 2;
    OK(crd_split_from_roles(a.roles, N, &split, &error_));
    OK(crd_train(dataset, split, &config, NULL, &model, &error_));
    crd_model *loaded = saved_and_loaded(model);
    int removed = 0;
    for (int i = 0; i < N; i++) {
        crd_role expected = (crd_role)a.roles[i];
        if (a.labels[i] == 2 && expected != CRD_ROLE_TEST) expected = CRD_ROLE_NONE;
        removed += expected != (crd_role)a.roles[i];
        assert_int_equal(crd_split_role(crd_model_split(model), i), expected);
        assert_int_equal(crd_split_role(crd_model_split(loaded), i), expected);
        assert_int_equal(crd_split_role(split, i), a.roles[i]); /* the caller's split is not changed */
    }
    assert_int_equal(removed, 6); /* of 12 left-out nodes, 3 for training and 3 for validation */
    assert_int_equal(crd_split_count(crd_model_split(model), CRD_ROLE_TRAIN), 9); /* 6 of classes 0 and 1 */
    assert_string_equal(crd_split_description(crd_model_split(model)), crd_split_description(split));
    crd_model_facts facts;
    crd_model_get_facts(model, &facts);
    assert_int_equal(facts.training_nodes, 6); /* and 3 without a label */
    crd_model_free(&loaded);
    crd_model_free(&model);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks),
        cmocka_unit_test(ties),
        cmocka_unit_test(cut_off_teacher),
        cmocka_unit_test(divergence),
        cmocka_unit_test(divergence_without_a_best),
        cmocka_unit_test(kept_split),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
