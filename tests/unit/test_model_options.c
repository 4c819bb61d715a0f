/* SPDX-License-Identifier: MIT */
/* Each kind of model has its own options: their initial values, and those that it lacks. */
#include <stdio.h>
#include <stdlib.h>

#include "dataset_helpers.h"
#include "support/outcome.h"

/* A kind's hyper-parameters as in JSON, one after the other; and options of other kinds that it lacks. */
static const struct {
    const char *name, *values, *lacks[6];
} EXPECTED[] = {
    {"committee",
     "\"hidden\": 64, \"teleport\": 0.1, \"steps\": 10, \"dropout\": 0.5, \"activation\": \"relu\", "
     "\"lr\": 0.01, \"weight-decay\": 0.001, \"calibration\": \"temperature\", \"hold-out\": 0.3, \"patience\": 20, "
     "\"networks\": 2, \"max-epochs\": 150, \"seed\": 1",
     {"score", "latent", "class-scale", "reg", "entropy-weight", "warmup"}},
    {"appnp",
     "\"hidden\": 64, \"teleport\": 0.1, \"steps\": 10, \"dropout\": 0.5, \"activation\": \"relu\", "
     "\"lr\": 0.01, \"weight-decay\": 0.0001, \"calibration\": \"temperature\", \"hold-out\": 0, \"patience\": 50, "
     "\"max-epochs\": -1, \"seed\": 1",
     {"latent", "flow-layers", "class-scale", "reg", "entropy-weight", "warmup"}},
    {"vgcn",
     "\"hidden\": 64, \"dropout\": 0.8, \"activation\": \"relu\", \"lr\": 0.01, \"weight-decay\": 0.0001, "
     "\"calibration\": \"temperature\", \"hold-out\": 0, \"patience\": 50, \"max-epochs\": -1, \"seed\": 1",
     {"latent", "teleport", "steps", "reg-weight", "rounded-alpha", "warmup"}},
    {"gkde-gcn",
     "\"hidden\": 16, \"dropout\": 0.5, \"activation\": \"relu\", \"lr\": 0.01, \"weight-decay\": 0.0005, "
     "\"calibration\": \"temperature\", \"hold-out\": 0, \"patience\": 50, \"max-epochs\": -1, \"seed\": 1",
     {"latent", "teleport", "steps", "reg", "entropy-weight", "warmup"}},
    {"egcn",
     "\"score\": \"vacuity\", \"hidden\": 64, \"dropout\": 0.5, \"activation\": \"relu\", \"entropy-weight\": 1, "
     "\"lr\": 0.01, \"weight-decay\": 0.005, \"calibration\": \"temperature\", \"hold-out\": 0, \"patience\": 50, "
     "\"max-epochs\": -1, \"seed\": 1",
     {"latent", "teleport", "steps", "reg", "share-weight", "warmup"}},
    {"lp",
     "\"teleport\": 0.1, \"steps\": 10, \"rounded-alpha\": false, \"seed\": 1",
     {"features", "hidden", "dropout", "lr", "patience", "max-epochs"}},
    {"gkde",
     "\"rounded-alpha\": false, \"seed\": 1",
     {"features", "hidden", "steps", "teleport", "lr", "weight-decay"}},
};
enum { COUNT = sizeof EXPECTED / sizeof *EXPECTED };

/* Those of a GPN, which has most options. */
static crd_config defaults(void)
{
    crd_config config;
    crd_config_defaults(&config);
    assert_ok(crd_config_set(&config, "model", "gpn", NULL));
    return config;
}

static void set(crd_config *config, const char *name, const char *value)
{
    crd_error error = {0};
    if (crd_config_set(config, name, value, &error) != CRD_OK) fail_msg("%s: %s", name, error.message);
}

static char *json_of(const crd_config *config)
{
    char *json;
    assert_ok(crd_config_json(config, &json, NULL));
    return json;
}

static void assert_is(const crd_config *config, int kind)
{
    char *json = json_of(config), key[32];
    if (strstr(json, EXPECTED[kind].values) == NULL) fail_msg("%s lacks %s", json, EXPECTED[kind].values);
    for (int i = 0; i < 6; i++) {
        snprintf(key, sizeof key, "\"%s\":", EXPECTED[kind].lacks[i]);
        if (strstr(json, key) != NULL) fail_msg("%s has %s", json, key);
    }
    snprintf(key, sizeof key, "{\"model\": \"%s\",", EXPECTED[kind].name);
    assert_int_equal(strncmp(json, key, strlen(key)), 0);
    crd_string_free(&json);
}

/* Choosing a model sets its own values, whatever the options were before. */
static void each_sets_its_own(void **state)
{
    (void)state;
    crd_config config = defaults();
    char *plain = json_of(&config);
    for (int i = 0; i < COUNT; i++)
        for (int before = 0; before < COUNT; before++) {
            config = defaults();
            set(&config, "hidden", "7");
            set(&config, "entropy-weight", "3");
            set(&config, "model", EXPECTED[before].name);
            set(&config, "model", EXPECTED[i].name);
            assert_is(&config, i);
            assert_ok(crd_config_check(&config, NULL));
            assert_true(config.reg == CRD_REG_NONE && config.reg_weight == 0.0 && config.reg_strength == 0.0);
            assert_true(config.entropy_weight == (strcmp(config.model, "egcn") == 0) && config.share_weight == 0.0);
            assert_true(config.warmup == 0);
            set(&config, "model", "gpn");
            char *again = json_of(&config);
            assert_string_equal(again, plain);
            crd_string_free(&again);
        }
    crd_string_free(&plain);
}

/* Options of the data and the run stay; choosing the same model again changes nothing. */
static void what_stays(void **state)
{
    (void)state;
    crd_config config = defaults();
    assert_ok(crd_config_preset(&config, "coraml", NULL));
    const crd_config preset = config;
    set(&config, "model", "gpn");
    assert_memory_equal(&config, &preset, sizeof config);
    set(&config, "left-out", "3");
    set(&config, "seed", "9");
    set(&config, "threads", "2");
    set(&config, "patience", "20");
    set(&config, "lr", "0.5");
    set(&config, "class-weights", "balanced");
    set(&config, "max-epochs", "4");
    set(&config, "model", "vgcn");
    assert_int_equal(config.features, CRD_FEATURES_BINARY_ROWNORM);
    assert_true(config.left_out == 3 && config.seed == 9 && config.threads == 2);
    assert_true(config.patience == 50 && config.max_epochs == -1); /* of the method: each kind has its own */
    assert_true(config.lr == 0.5);
    assert_int_equal(config.class_weights, CRD_CLASS_WEIGHTS_BALANCED);
    assert_true(config.dropout == 0.8 && config.weight_decay == 1e-4);
    assert_int_equal(config.activation, CRD_ACT_RELU);
    set(&config, "dropout", "0.25"); /* set after the model, so it stays */
    assert_true(config.dropout == 0.25);
    /* a preset belongs to gpn */
    assert_ok(crd_config_preset(&config, "computers", NULL));
    assert_string_equal(config.model, "gpn");
    assert_true(config.latent == 10 && config.flow_layers == 10 && config.warmup == 5);
}

static void what_means_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *model, *option, *value;
    } wrong[] = {
        {"lp", "latent", "8"},
        {"lp", "hidden", "8"},
        {"lp", "features", "none"},
        {"lp", "lr", "0.1"},
        {"lp", "class-weights", "none"},
        {"lp", "max-epochs", "3"},
        {"gkde", "teleport", "0.2"},
        {"gkde", "patience", "9"},
        {"vgcn", "steps", "5"},
        {"vgcn", "teleport", "0.2"},
        {"vgcn", "reg", "none"},
        {"appnp", "warmup", "2"},
        {"appnp", "class-scale", "on"},
        {"gkde-gcn", "latent", "8"},
        {"gkde-gcn", "entropy_weight", "1"},
        {"vgcn", "reg-strength", "1"},
        {"appnp", "share-weight", "1"},
        {"appnp", "networks", "3"},
        {"gpn", "networks", "3"},
        {"committee", "score", "anchor"},
        {"committee", "latent", "8"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        crd_config config = defaults();
        crd_error error = {0};
        char sentence[96];
        set(&config, "model", wrong[i].model);
        const crd_config before = config;
        snprintf(sentence, sizeof sentence, " is not an option of the model %s", wrong[i].model);
        assert_fails(crd_config_set(&config, wrong[i].option, wrong[i].value, &error), CRD_ERROR_ARGUMENT, sentence);
        assert_memory_equal(&config, &before, sizeof config);
    }
}

static void unknown_model(void **state)
{
    (void)state;
    crd_config config = defaults();
    const crd_config before = config;
    crd_error error = {0};
    assert_fails(crd_config_set(&config, "model", "mlp", &error), CRD_ERROR_ARGUMENT,
                 "model is 'mlp', expected one of committee (the default), gpn, appnp, vgcn, gkde-gcn, egcn, lp, gkde");
    assert_memory_equal(&config, &before, sizeof config);
    memset(config.model, 'x', sizeof config.model); /* not even terminated */
    assert_fails(crd_config_check(&config, &error), CRD_ERROR_ARGUMENT, "model is 'xxxxxxxxxxxxxxx', expected");
}

/* In a file the model is read first, wherever it stands. */
static void in_a_file(void **state)
{
    crd_config config = defaults();
    crd_error error = {0};
    const char *path = put(state, "a.json", "{\"dropout\": 0.1, \"model\": \"vgcn\", \"preset\": \"arxiv\"}");
    assert_ok(crd_config_read(&config, path, &error));
    assert_string_equal(config.model, "vgcn");
    assert_true(config.dropout == 0.1 && config.weight_decay == 1e-4);
    assert_int_equal(config.features, CRD_FEATURES_NONE);
    for (int i = 0; i < COUNT; i++) { /* what is written reads back the same */
        config = defaults();
        set(&config, "model", EXPECTED[i].name);
        set(&config, "left-out", "2");
        char *json = json_of(&config);
        config = defaults();
        assert_ok(crd_config_read(&config, put(state, "b.json", json), &error));
        char *again = json_of(&config);
        assert_string_equal(again, json);
        crd_string_free(&again);
        crd_string_free(&json);
    }
    config = defaults();
    path = put(state, "c.json", "{\"latent\": 3, \"model\": \"lp\"}");
    assert_fails(crd_config_read(&config, path, &error), CRD_ERROR_ARGUMENT,
                 "c.json: latent is not an option of the model lp");
    assert_string_equal(config.model, "gpn");
}

/* A program may write the name itself: then the model has the program's values, and options that it lacks are 0. */
static void by_hand(void **state)
{
    (void)state;
    crd_generate_options options;
    crd_dataset *dataset;
    crd_split *split;
    crd_model *model;
    crd_config config = defaults();
    crd_generate_defaults(&options);
    options.nodes = 120;
    assert_ok(crd_generate(&options, &dataset, NULL));
    assert_ok(crd_split_make(dataset, "30/20/50", 0, 1, &split, NULL));
    snprintf(config.model, sizeof config.model, "vgcn");
    config.max_epochs = 2;
    config.latent = -5; /* no option of vgcn */
    assert_ok(crd_train(dataset, split, &config, NULL, &model, NULL));
    const crd_config *kept = crd_model_config(model);
    assert_true(kept->dropout == 0.5 && kept->weight_decay == 1e-2);
    assert_true(kept->latent == 0 && kept->warmup == 0 && kept->reg == CRD_REG_NONE);
    assert_true(kept->reg_strength == 0.0 && kept->reg_weight == 0.0 && kept->share_weight == 0.0);
    crd_model_free(&model);
    crd_split_free(&split);
    crd_dataset_free(&dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_sets_its_own), cmocka_unit_test(what_stays), cmocka_unit_test(what_means_nothing),
        cmocka_unit_test(unknown_model),     FOLDER_TEST(in_a_file),       cmocka_unit_test(by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
