/* SPDX-License-Identifier: MIT */
/* Options, presets and JSON configurations: every value that training accepts. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "credence_private.h"
#include "dataset_helpers.h"
#include "support/outcome.h"

/* Values that every option accepts, and values that it must refuse. */
typedef struct {
    const char *name;
    const char *first; /* the default */
    const char *other; /* not the default */
    const char *good[4];
    const char *bad[8];
} expectation;

#define NOT_NUMBERS "", "x", "nan", "inf"

static const expectation OPTIONS[] = {
    {"model", "committee", "gpn", {"committee", "gpn"}, {"", "GPN", "gpn ", "gpnx", "none"}},
    {"features", "auto", "binary,rownorm", {"none", "rownorm", "unit", "standard"}, {"", "binary", "Auto"}},
    {"left-out", "0", "3", {"0", "1000000"}, {"-1", "1000001", "1.5", NOT_NUMBERS}},
    {"inductive", "off", "on", {"on", "off", "true", "false"}, {"", "yes", "1", "On", "nan"}},
    {"class-weights", "none", "balanced", {"none", "balanced"}, {"", "Balanced", "1", "on"}},
    {"score", "own", "grasp", {"vacuity", "anchor", "log-evidence"}, {"", "Own", "entropy"}},
    {"hidden", "64", "7", {"1", "65536"}, {"0", "65537", "-1", "7.5", NOT_NUMBERS}},
    {"latent", "10", "9", {"1", "512"}, {"0", "513", "-1", "1e1", NOT_NUMBERS}},
    {"flow-layers", "10", "11", {"1", "256"}, {"0", "257", "-1", "3x", NOT_NUMBERS}},
    {"teleport", "0.1", "0.125", {"0", "1", "1e-3"}, {"-1e-9", "1.0000001", "0.1x", "-inf", NOT_NUMBERS}},
    {"steps", "10", "4", {"0", "10000"}, {"-1", "10001", "99999999999999999999", "0x4", NOT_NUMBERS}},
    {"class-scale", "off", "on", {"on", "off", "true", "false"}, {"", "yes", "1", "On", "nan"}},
    {"rounded-alpha", "off", "on", {"on", "off", "true", "false"}, {"", "yes", "1", "On", "nan"}},
    {"dropout", "0.5", "0.375", {"0", "0.999"}, {"-0.1", "0.9991", "1", "0,5", NOT_NUMBERS}},
    {"activation", "relu", "hardtanh", {"gelu", "logsigmoid", "sigmoid", "linear"}, {"", "ReLU", "tanh"}},
    {"reg", "evidence", "distance", {"none", "evidence"}, {"", "off", "Distance", "1"}},
    {"reg-strength", "2e-3", "0.0390625", {"0", "1e30"}, {"-1e-30", "1.1e30", "1e400", "-inf", NOT_NUMBERS}},
    {"reg-weight", "0", "0.0078125", {"0", "1e30"}, {"-1e-30", "1.1e30", "1e400", "-inf", NOT_NUMBERS}},
    {"entropy-weight", "1e-4", "0.03125", {"0", "1e30"}, {"-1", "1.1e30", "1e", "-inf", NOT_NUMBERS}},
    {"share-weight", "0.3", "0.28125", {"0", "1e30"}, {"-1", "1.1e30", "1e", "-inf", NOT_NUMBERS}},
    {"lr", "0.01", "0.0625", {"1e-12", "1e6"}, {"0", "9e-13", "1000001", "-1", NOT_NUMBERS}},
    {"weight-decay", "1e-3", "0.015625", {"0", "1e6"}, {"-1e-3", "1000001", "-nan", "-inf", NOT_NUMBERS}},
    {"warmup", "5", "2", {"0", "1000000000"}, {"-1", "1000000001", "2.0", "+", NOT_NUMBERS}},
    {"calibration", "temperature", "ets", {"none", "gats"}, {"", "Temperature", "1"}},
    {"hold-out", "0.3", "0.25", {"0", "0.9"}, {"-0.1", "0.91", NOT_NUMBERS}},
    {"patience", "20", "30", {"1", "1000000000"}, {"0", "1000000001", "-1", "1,0", NOT_NUMBERS}},
    {"networks", "2", "3", {"2", "32"}, {"1", "33", "-2", "2.5", NOT_NUMBERS}},
    {"max-epochs", "150", "300", {"-1", "0", "1000000000"}, {"-2", "1000000001", "--1", "1e3", NOT_NUMBERS}},
    {"seed", "1", "9223372036854775807", {"0"}, {"-1", "9223372036854775808", "1.0", "1e3", NOT_NUMBERS}},
    {"threads", "0", "6", {"0", "1024"}, {"-1", "1025", "2.5", "all", NOT_NUMBERS}},
};
enum { OPTION_COUNT = sizeof OPTIONS / sizeof *OPTIONS };

static void set(crd_config *config, const char *name, const char *value)
{
    crd_error error = {0};
    if (crd_config_set(config, name, value, &error) != CRD_OK) fail_msg("%s: %s", name, error.message);
}

static crd_config of_the_table(void)
{
    crd_config config;
    memset(&config, 0xa5, sizeof config); /* so that a field without a default is noticed */
    crd_config_defaults(&config);
    return config;
}

/* Those of a GPN. */
static crd_config defaults(void)
{
    crd_config config = of_the_table();
    set(&config, "model", "gpn");
    return config;
}

/* Options that a GPN lacks; it has all others. */
static bool is_of_others(const char *name)
{
    return strcmp(name, "rounded-alpha") == 0 || strcmp(name, "networks") == 0;
}

/* Every option of a GPN with a value other than its default. */
static crd_config others(void)
{
    crd_config config = defaults();
    for (int i = 0; i < OPTION_COUNT; i++)
        if (!is_of_others(OPTIONS[i].name)) set(&config, OPTIONS[i].name, OPTIONS[i].other);
    return config;
}

static char *json_of(const crd_config *config)
{
    char *json;
    assert_ok(crd_config_json(config, &json, NULL));
    return json;
}

static void assert_same(const crd_config *a, const crd_config *b)
{
    char *left = json_of(a), *right = json_of(b);
    assert_string_equal(left, right);
    crd_string_free(&left);
    crd_string_free(&right);
}

/* ---- the options ---- */

static void the_table(void **state)
{
    (void)state;
    assert_int_equal(crd_option_count(), OPTION_COUNT);
    assert_null(crd_option_at(-1));
    assert_null(crd_option_at(OPTION_COUNT));
    for (int i = 0; i < OPTION_COUNT; i++) {
        const crd_option *option = crd_option_at(i);
        assert_string_equal(option->name, OPTIONS[i].name);
        assert_string_equal(option->default_value, OPTIONS[i].first);
        assert_true(strlen(option->help) > 5);
        const bool is_switch = strcmp(option->name, "class-scale") == 0 || strcmp(option->name, "inductive") == 0 ||
                               strcmp(option->name, "rounded-alpha") == 0;
        assert_int_equal(option->argument == NULL, is_switch);
        if (strcmp(option->name, "rounded-alpha") == 0) continue;
        crd_config config = of_the_table();
        char *text;
        /* the defaults are the committee's, and gpn's for options that a committee lacks */
        if (crd_config_get(&config, option->name, &text, NULL) != CRD_OK) set(&config, "model", "gpn");
        crd_string_free(&text);
        crd_config same = config;
        set(&config, option->name, option->default_value);
        /* either weight of the regulariser replaces the other, even if it is 0 */
        if (strcmp(option->name, "reg-weight") == 0) same.reg_strength = 0.0;
        assert_same(&config, &same);
    }
}

static void default_fields(void **state)
{
    (void)state;
    crd_config c = of_the_table();
    assert_string_equal(c.model, "committee");
    assert_int_equal(c.hidden, 64);
    assert_true(c.teleport == 0.1 && c.dropout == 0.5 && c.weight_decay == 1e-3 && c.hold_out == 0.3);
    assert_int_equal(c.steps, 10);
    assert_int_equal(c.patience, 20);
    assert_int_equal(c.networks, 2);
    assert_true(c.latent == 0 && c.flow_layers == 0 && c.warmup == 0 && c.reg == CRD_REG_NONE);
    assert_ok(crd_config_check(&c, NULL));
    c = defaults();
    assert_true(c.networks == 0 && c.hold_out == 0.0);
    assert_string_equal(c.model, "gpn");
    assert_int_equal(c.features, CRD_FEATURES_AUTO);
    assert_int_equal(c.left_out, 0);
    assert_false(c.inductive);
    assert_int_equal(c.class_weights, CRD_CLASS_WEIGHTS_NONE);
    assert_int_equal(c.hidden, 64);
    assert_int_equal(c.latent, 10);
    assert_int_equal(c.flow_layers, 10);
    assert_true(c.teleport == 0.25);
    assert_int_equal(c.steps, 10);
    assert_false(c.class_scale);
    assert_true(c.dropout == 0.5);
    assert_int_equal(c.activation, CRD_ACT_RELU);
    assert_int_equal(c.reg, CRD_REG_EVIDENCE);
    assert_true(c.reg_strength == 2e-3);
    assert_true(c.reg_weight == 0.0);
    assert_true(c.entropy_weight == 1e-4);
    assert_true(c.share_weight == 0.3);
    assert_true(c.lr == 0.01);
    assert_true(c.weight_decay == 1e-2);
    assert_int_equal(c.warmup, 5);
    assert_int_equal(c.patience, 50);
    assert_int_equal(c.max_epochs, -1);
    assert_true(c.seed == 1);
    assert_int_equal(c.threads, 0);
    assert_ok(crd_config_check(&c, NULL));
}

static void set_fields(void **state)
{
    (void)state;
    crd_config c = others();
    assert_int_equal(c.features, CRD_FEATURES_BINARY_ROWNORM);
    assert_int_equal(c.left_out, 3);
    assert_true(c.inductive);
    assert_int_equal(c.hidden, 7);
    assert_int_equal(c.latent, 9);
    assert_int_equal(c.flow_layers, 11);
    assert_true(c.teleport == 0.125);
    assert_int_equal(c.steps, 4);
    assert_true(c.class_scale);
    assert_true(c.dropout == 0.375);
    assert_int_equal(c.activation, CRD_ACT_HARDTANH);
    assert_int_equal(c.reg, CRD_REG_DISTANCE);
    assert_true(c.reg_strength == 0.0); /* it was set, until the other weight replaced it */
    assert_true(c.reg_weight == 0.0078125);
    assert_true(c.entropy_weight == 0.03125);
    assert_true(c.share_weight == 0.28125);
    assert_true(c.lr == 0.0625);
    assert_true(c.weight_decay == 0.015625);
    assert_int_equal(c.warmup, 2);
    assert_int_equal(c.patience, 30);
    assert_int_equal(c.max_epochs, 300);
    assert_true(c.seed == INT64_MAX);
    assert_int_equal(c.threads, 6);
    assert_ok(crd_config_check(&c, NULL));
}

static void choices(void **state)
{
    (void)state;
    static const char *const features[] = {"auto", "none", "rownorm", "binary,rownorm", "unit", "standard"};
    static const char *const activations[] = {"relu", "gelu", "logsigmoid", "hardtanh", "sigmoid", "linear"};
    static const char *const regs[] = {"none", "distance", "evidence"};
    crd_config c = defaults();
    for (int i = CRD_FEATURES_AUTO; i <= CRD_FEATURES_STANDARD; i++) {
        set(&c, "features", features[i]);
        assert_int_equal(c.features, i);
    }
    for (int i = CRD_ACT_RELU; i <= CRD_ACT_LINEAR; i++) {
        set(&c, "activation", activations[i]);
        assert_int_equal(c.activation, i);
    }
    for (int i = CRD_REG_NONE; i <= CRD_REG_EVIDENCE; i++) {
        set(&c, "reg", regs[i]);
        assert_int_equal(c.reg, i);
    }
}

static void ranges(void **state)
{
    (void)state;
    for (int i = 0; i < OPTION_COUNT; i++) {
        const expectation *e = &OPTIONS[i];
        crd_config config = defaults();
        config.left_out = 1; /* inductive training needs a left-out class */
        if (is_of_others(e->name)) set(&config, "model", strcmp(e->name, "networks") == 0 ? "committee" : "gkde");
        for (size_t g = 0; g < sizeof e->good / sizeof *e->good && e->good[g] != NULL; g++) {
            set(&config, e->name, e->good[g]);
            assert_ok(crd_config_check(&config, NULL));
        }
        for (size_t b = 0; b < sizeof e->bad / sizeof *e->bad && e->bad[b] != NULL; b++) {
            crd_config before = config;
            crd_error error = {0};
            char start[64];
            snprintf(start, sizeof start, "%s is '%s', expected ", e->name, e->bad[b]);
            if (crd_config_set(&config, e->name, e->bad[b], &error) != CRD_ERROR_ARGUMENT)
                fail_msg("--%s took '%s'", e->name, e->bad[b]);
            assert_int_equal(strncmp(error.message, start, strlen(start)), 0);
            assert_same(&config, &before); /* a refused value changes nothing */
        }
    }
}

static void names(void **state)
{
    (void)state;
    crd_config config = defaults();
    crd_error error = {0};
    set(&config, "reg_weight", "0.5");
    assert_true(config.reg_weight == 0.5);
    set(&config, "flow_layers", "3");
    assert_int_equal(config.flow_layers, 3);
    set(&config, "max_epochs", "9");
    assert_int_equal(config.max_epochs, 9);
    static const char *const unknown[] = {"",           "reg-weigh",    "reg-weights", "regweight", "Reg-weight",
                                          "reg weight", "--reg-weight", "preset",      "_reg"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        assert_fails(crd_config_set(&config, unknown[i], "1", &error), CRD_ERROR_ARGUMENT, unknown[i]);
}

/* ---- presets ---- */

typedef struct {
    const char *name;
    int64_t latent;
    double teleport, weight_decay;
    bool class_scale;
    crd_preprocessing features;
    crd_regulariser reg;
    double entropy_weight, reg_weight; /* lambda 1, lambda 2 */
    crd_activation activation;
} published;

#define PLAIN 16, 0.1, 1e-3, false
#define AMAZON 10, 0.2, 5e-4, true
#define WORDS CRD_FEATURES_BINARY_ROWNORM

/* 10^-9.5 and 10^-4.5 by hand. */
static const published PUBLISHED[] = {
    {"gpn", PLAIN, WORDS, CRD_REG_NONE, 1e-4, 0.0, CRD_ACT_RELU},
    {"gpn-amazon", AMAZON, WORDS, CRD_REG_NONE, 1e-5, 0.0, CRD_ACT_RELU},
    {"coraml", PLAIN, WORDS, CRD_REG_DISTANCE, 0.0, 1e-4, CRD_ACT_GELU},
    {"citeseer", PLAIN, WORDS, CRD_REG_DISTANCE, 1e-4, 3.1622776601683795e-10, CRD_ACT_LOGSIGMOID},
    {"pubmed", PLAIN, WORDS, CRD_REG_DISTANCE, 1e-5, 1e-4, CRD_ACT_RELU},
    {"computers", AMAZON, WORDS, CRD_REG_DISTANCE, 1e-5, 1e-4, CRD_ACT_RELU},
    {"photos", AMAZON, WORDS, CRD_REG_DISTANCE, 1e-5, 1e-11, CRD_ACT_RELU},
    {"cs", PLAIN, WORDS, CRD_REG_DISTANCE, 0.0, 1e-6, CRD_ACT_RELU},
    {"physics", PLAIN, WORDS, CRD_REG_DISTANCE, 1e-4, 3.1622776601683795e-5, CRD_ACT_LOGSIGMOID},
    {"arxiv", PLAIN, CRD_FEATURES_NONE, CRD_REG_DISTANCE, 1e-5, 1e-8, CRD_ACT_RELU},
};
enum { PRESET_COUNT = sizeof PUBLISHED / sizeof *PUBLISHED };

/* The choices of tuning: the defaults with its changes. */
static const struct {
    const char *name;
    int64_t latent;
    double teleport, weight_decay, reg_strength;
    bool class_scale;
    crd_activation activation;
    crd_regulariser reg;
    double share;
} BEST[] = {
    {"coraml-best", 10, 0.1, 1e-2, 8e-3, false, CRD_ACT_RELU, CRD_REG_EVIDENCE, 0.3},
    {"citeseer-best", 10, 0.1, 1e-3, 5e-4, false, CRD_ACT_LOGSIGMOID, CRD_REG_EVIDENCE, 0.3},
    {"pubmed-best", 10, 0.1, 1e-2, 3e-2, false, CRD_ACT_RELU, CRD_REG_EVIDENCE, 0.3},
    {"computers-best", 10, 0.25, 1e-2, 2e-3, false, CRD_ACT_RELU, CRD_REG_EVIDENCE, 0.3},
    {"photos-best", 10, 0.4, 1e-2, 8e-3, true, CRD_ACT_RELU, CRD_REG_EVIDENCE, 0.3},
    {"cs-best", 10, 0.4, 1e-2, 8e-3, false, CRD_ACT_RELU, CRD_REG_EVIDENCE, 0.3},
    {"physics-best", 10, 0.4, 1e-2, 2e-3, false, CRD_ACT_RELU, CRD_REG_EVIDENCE, 0.3},
    {"coraml-errors", 10, 0.25, 1e-3, 0.0, false, CRD_ACT_RELU, CRD_REG_NONE, 0.3},
    {"citeseer-errors", 10, 0.25, 1e-3, 0.0, false, CRD_ACT_RELU, CRD_REG_NONE, 0.0},
    {"pubmed-errors", 10, 0.25, 1e-3, 2e-3, false, CRD_ACT_RELU, CRD_REG_EVIDENCE, 0.0},
    {"computers-errors", 10, 0.25, 1e-2, 0.0, false, CRD_ACT_RELU, CRD_REG_NONE, 0.3},
    {"photos-errors", 10, 0.25, 1e-3, 2e-3, false, CRD_ACT_RELU, CRD_REG_EVIDENCE, 0.0},
    {"cs-errors", 10, 0.25, 1e-2, 0.0, false, CRD_ACT_RELU, CRD_REG_NONE, 0.0},
    {"physics-errors", 10, 0.25, 1e-3, 0.0, false, CRD_ACT_RELU, CRD_REG_NONE, 0.0},
};
enum { BEST_COUNT = sizeof BEST / sizeof *BEST };

static void best_presets(void **state)
{
    (void)state;
    for (int i = 0; i < BEST_COUNT; i++) {
        assert_string_equal(crd_preset_name(PRESET_COUNT + i), BEST[i].name);
        crd_config found = others(), expected = others(), base = defaults();
        assert_ok(crd_config_preset(&found, BEST[i].name, NULL));
        /* these belong to the run, not to the method */
        base.left_out = expected.left_out;
        base.inductive = expected.inductive;
        base.class_weights = expected.class_weights;
        base.calibration = CRD_CALIBRATION_NONE;
        base.warmup = expected.warmup;
        base.patience = expected.patience;
        base.max_epochs = expected.max_epochs;
        base.seed = expected.seed;
        base.threads = expected.threads;
        base.latent = BEST[i].latent;
        base.teleport = BEST[i].teleport;
        base.weight_decay = BEST[i].weight_decay;
        base.reg_strength = BEST[i].reg_strength;
        base.class_scale = BEST[i].class_scale;
        base.activation = BEST[i].activation;
        base.reg = BEST[i].reg;
        base.share_weight = BEST[i].share;
        assert_same(&found, &base);
    }
}

static void presets(void **state)
{
    (void)state;
    assert_int_equal(crd_preset_count(), PRESET_COUNT + BEST_COUNT);
    for (int i = 0; i < PRESET_COUNT; i++) {
        const published *p = &PUBLISHED[i];
        assert_string_equal(crd_preset_name(i), p->name);
        assert_true(strlen(crd_preset_help(i)) > 5);
        crd_config c = others();
        c.reg_strength = 0.5;
        const crd_config before = c; /* no value is what a preset wants */
        assert_ok(crd_config_preset(&c, p->name, NULL));
        assert_int_equal(c.latent, p->latent);
        assert_true(c.teleport == p->teleport);
        assert_true(c.weight_decay == p->weight_decay);
        assert_int_equal(c.class_scale, p->class_scale);
        assert_int_equal(c.features, p->features);
        assert_int_equal(c.reg, p->reg);
        assert_true(c.entropy_weight == p->entropy_weight);
        assert_true(c.reg_weight == p->reg_weight);
        assert_true(c.reg_strength == 0.0 && c.share_weight == 0.0); /* the paper has neither of them */
        assert_int_equal(c.activation, p->activation);
        assert_int_equal(c.hidden, 64);
        assert_int_equal(c.flow_layers, 10);
        assert_int_equal(c.steps, 10);
        assert_true(c.dropout == 0.5);
        assert_true(c.lr == 0.01);
        assert_ok(crd_config_check(&c, NULL));
        /* these belong to the run, not to the method */
        assert_int_equal(c.left_out, before.left_out);
        assert_int_equal(c.max_epochs, before.max_epochs);
        assert_true(c.seed == before.seed);
        assert_int_equal(c.threads, before.threads);
        /* and on top of the defaults, which have the other kind of class scale */
        c = defaults();
        assert_ok(crd_config_preset(&c, p->name, NULL));
        assert_int_equal(c.class_scale, p->class_scale);
    }
    assert_null(crd_preset_name(-1));
    assert_null(crd_preset_name(PRESET_COUNT + BEST_COUNT));
    assert_null(crd_preset_help(-1));
    assert_null(crd_preset_help(PRESET_COUNT + BEST_COUNT));
}

static void unknown_preset(void **state)
{
    (void)state;
    crd_config config = others(), before = config;
    crd_error error = {0};
    static const char *const wrong[] = {"", "cora", "CoraML", "gpn "};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_fails(crd_config_preset(&config, wrong[i], &error), CRD_ERROR_ARGUMENT,
                     "gpn, gpn-amazon, coraml, citeseer, pubmed, computers, photos, cs, physics, arxiv, "
                     "coraml-best, citeseer-best, pubmed-best, computers-best, photos-best, cs-best, physics-best, "
                     "coraml-errors, citeseer-errors, pubmed-errors, computers-errors, photos-errors, cs-errors, "
                     "physics-errors");
        assert_same(&config, &before);
    }
}

/* Weights belong to a regulariser: a different regulariser comes with its usual strength, and so does one whose
 * weight was 0. */
static void regulariser_brings_its_weight(void **state)
{
    (void)state;
    crd_config c = defaults();
    assert_true(c.reg == CRD_REG_EVIDENCE && c.reg_strength == 2e-3 && c.reg_weight == 0.0);
    assert_ok(crd_config_preset(&c, "gpn", NULL));
    set(&c, "reg", "none");
    assert_true(c.reg_weight == 0.0 && c.reg_strength == 0.0);
    set(&c, "reg", "evidence");
    assert_true(c.reg_weight == 0.0 && c.reg_strength == 2e-3);
    set(&c, "reg-weight", "0.5"); /* one replaces the other */
    assert_true(c.reg_weight == 0.5 && c.reg_strength == 0.0);
    set(&c, "reg", "evidence"); /* the same as before */
    assert_true(c.reg_weight == 0.5 && c.reg_strength == 0.0);
    set(&c, "reg-strength", "0.25");
    assert_true(c.reg_weight == 0.0 && c.reg_strength == 0.25);
    set(&c, "reg-weight", "0"); /* the sum has weight 0, so nothing has weight */
    assert_true(c.reg_weight == 0.0 && c.reg_strength == 0.0);
    set(&c, "reg", "distance");
    assert_true(c.reg_weight == 0.0 && c.reg_strength == 0.1);
    c.reg_weight = 1.0;
    crd_error error;
    assert_fails(crd_config_check(&c, &error), CRD_ERROR_ARGUMENT, "one of them must be 0");
    c.reg_weight = 0.0;
    set(&c, "reg-strength", "0"); /* set last, so it is intended */
    assert_true(c.reg_weight == 0.0 && c.reg_strength == 0.0);
}

/* ---- JSON ---- */

static crd_config read_text(void **state, const char *text)
{
    crd_config config = defaults();
    crd_error error = {0};
    if (crd_config_read(&config, put(state, "c.json", text), &error) != CRD_OK) fail_msg("%s: %s", text, error.message);
    crd_config parsed = defaults();
    if (crd_config_parse(&parsed, text, &error) != CRD_OK) fail_msg("%s: %s", text, error.message);
    assert_same(&parsed, &config);
    return config;
}

static void json_round_trip(void **state)
{
    const crd_config config = others();
    char *json = json_of(&config);
    crd_config back = read_text(state, json);
    assert_same(&back, &config);
    assert_true(back.seed == config.seed);
    json_t *object = json_loads(json, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(object);
    assert_int_equal(json_object_size(object), OPTION_COUNT - 2);
    for (int i = 0; i < OPTION_COUNT; i++) { /* the names and values of the command line */
        if (is_of_others(OPTIONS[i].name)) continue;
        const json_t *value = json_object_get(object, OPTIONS[i].name);
        /* reg-weight comes after reg-strength and replaces it */
        const char *expected = strcmp(OPTIONS[i].name, "reg-strength") == 0 ? "0" : OPTIONS[i].other;
        assert_non_null(value);
        if (json_is_string(value)) assert_string_equal(json_string_value(value), expected);
        else if (json_is_boolean(value)) assert_true(json_is_true(value));
        else assert_true(json_number_value(value) == strtod(expected, NULL));
    }
    json_decref(object);
    crd_string_free(&json);
    /* every number reads back to the last bit */
    crd_config odd = defaults();
    odd.teleport = 1.0 / 3.0;
    odd.lr = nextafter(0.01, 1.0);
    odd.share_weight = nextafter(0.3, 1.0);
    const double weights[][2] = {{3.1622776601683795e-10, 0.0}, {0.0, 3.1622776601683795e-10}, {0.0, 0.0}};
    for (int w = 0; w < 3; w++) { /* either weight of the regulariser, or none */
        odd.reg_strength = weights[w][0];
        odd.reg_weight = weights[w][1];
        json = json_of(&odd);
        back = read_text(state, json);
        assert_true(back.teleport == odd.teleport && back.lr == odd.lr);
        assert_true(back.share_weight == odd.share_weight);
        assert_true(back.reg_strength == odd.reg_strength && back.reg_weight == odd.reg_weight);
        crd_string_free(&json);
    }
}

static void json_values(void **state)
{
    crd_config a = read_text(state, "{}"), plain = defaults();
    assert_same(&a, &plain);
    a = read_text(state, "{\"flow_layers\": 3, \"teleport\": 1, \"reg_weight\": 2, \"class_scale\": true, "
                         "\"hidden\": \"12\", \"seed\": 9223372036854775807}");
    assert_int_equal(a.flow_layers, 3);
    assert_true(a.teleport == 1.0);
    assert_true(a.reg_weight == 2.0 && a.reg_strength == 0.0);
    assert_true(a.class_scale);
    assert_int_equal(a.hidden, 12);
    assert_true(a.seed == INT64_MAX);
    a = read_text(state, "{\"class-scale\": false}");
    assert_false(a.class_scale);
}

/* The order of a file's keys does not matter. */
static void json_order(void **state)
{
    crd_config a = read_text(state, "{\"preset\": \"gpn\", \"reg\": \"evidence\", \"latent\": 5}");
    crd_config b = read_text(state, "{\"latent\": 5, \"reg\": \"evidence\", \"preset\": \"gpn\"}");
    assert_same(&a, &b);
    assert_int_equal(a.latent, 5);
    assert_true(a.reg_strength == 2e-3 && a.reg_weight == 0.0);
    assert_int_equal(a.reg, CRD_REG_EVIDENCE);
    a = read_text(state, "{\"preset\": \"gpn\", \"reg\": \"evidence\", \"reg-strength\": 0}");
    b = read_text(state, "{\"reg-strength\": 0, \"reg\": \"evidence\", \"preset\": \"gpn\"}");
    assert_same(&a, &b);
    assert_true(a.reg_strength == 0.0 && a.reg_weight == 0.0);
    a = read_text(state, "{\"preset\": \"gpn\", \"reg\": \"evidence\", \"reg-weight\": 1e-4}");
    b = read_text(state, "{\"reg-weight\": 1e-4, \"reg\": \"evidence\", \"preset\": \"gpn\"}");
    assert_same(&a, &b);
    assert_true(a.reg_strength == 0.0 && a.reg_weight == 1e-4);
    a = read_text(state, "{\"preset\": \"photos\"}");
    assert_true(a.class_scale);
    assert_int_equal(a.latent, 10);
}

static void bad_json(void **state)
{
    static const struct {
        const char *text;
        crd_status status;
        const char *part;
    } bad[] = {
        {"", CRD_ERROR_FORMAT, "not JSON"},
        {"{\"hidden\": 3", CRD_ERROR_FORMAT, "line 1: not JSON"},
        {"[]", CRD_ERROR_FORMAT, "expected a JSON object of options"},
        {"{\"hidden\": 3, \"hidden\": 4}", CRD_ERROR_FORMAT, "duplicate"},
        {"{\"hidden\": 3, \"width\": 4}", CRD_ERROR_ARGUMENT, "width is not an option"},
        {"{\"hidden\": 3, \"steps\": null}", CRD_ERROR_ARGUMENT, "\"steps\" has a value"},
        {"{\"hidden\": 3, \"steps\": [1]}", CRD_ERROR_ARGUMENT, "\"steps\" has a value"},
        {"{\"hidden\": 3, \"steps\": -1}", CRD_ERROR_ARGUMENT, "steps is '-1', expected a whole number from 0"},
        {"{\"hidden\": 3, \"steps\": 2.5}", CRD_ERROR_ARGUMENT, "steps is '2.5'"},
        {"{\"hidden\": 3, \"steps\": true}", CRD_ERROR_ARGUMENT, "steps is 'on'"},
        {"{\"hidden\": 3, \"teleport\": 1.5}", CRD_ERROR_ARGUMENT, "teleport is '1.5', expected a number from"},
        {"{\"hidden\": 3, \"class-scale\": 1}", CRD_ERROR_ARGUMENT, "class-scale is '1', expected on or off"},
        {"{\"hidden\": 3, \"preset\": \"cora\"}", CRD_ERROR_ARGUMENT, "preset is 'cora'"},
        {"{\"hidden\": 3, \"preset\": 1}", CRD_ERROR_FORMAT, "\"preset\" is not a string"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        crd_config config = others(), before = config;
        crd_error error = {0};
        const char *path = put(state, "bad.json", bad[i].text);
        assert_fails(crd_config_read(&config, path, &error), bad[i].status, bad[i].part);
        assert_non_null(strstr(error.message, "bad.json"));
        assert_same(&config, &before); /* all of a file or nothing of it */
        assert_fails(crd_config_parse(&config, bad[i].text, &error), bad[i].status, bad[i].part);
        assert_int_equal(strncmp(error.message, "the options: ", 13), 0);
        assert_same(&config, &before);
    }
    crd_config config = defaults();
    crd_error error = {0};
    assert_fails(crd_config_read(&config, in(state, "none.json"), &error), CRD_ERROR_IO, "none.json");
}

/* ---- fields that a program set itself ---- */

#define REFUSED(field, nonsense, option)                                                                               \
    do {                                                                                                               \
        crd_config c_ = defaults();                                                                                    \
        c_.field = (nonsense);                                                                                         \
        assert_fails(crd_config_check(&c_, &error), CRD_ERROR_ARGUMENT, option);                                       \
    } while (0)

static void checked_fields(void **state)
{
    (void)state;
    crd_error error = {0};
    REFUSED(features, (crd_preprocessing)6, "features");
    REFUSED(features, (crd_preprocessing)-1, "features");
    REFUSED(left_out, -1, "left-out");
    REFUSED(inductive, true, "inductive");
    REFUSED(hidden, 0, "hidden");
    REFUSED(hidden, INT64_MAX, "hidden");
    REFUSED(latent, 513, "latent");
    REFUSED(flow_layers, 0, "flow-layers");
    REFUSED(teleport, NAN, "teleport");
    REFUSED(teleport, nextafter(1.0, 2.0), "teleport");
    REFUSED(teleport, -INFINITY, "teleport");
    REFUSED(steps, INT64_MIN, "steps");
    REFUSED(dropout, 1.0, "dropout");
    REFUSED(dropout, -1e-300, "dropout");
    REFUSED(activation, (crd_activation)6, "activation");
    REFUSED(reg, (crd_regulariser)3, "reg");
    REFUSED(reg_weight, INFINITY, "reg-weight");
    REFUSED(entropy_weight, -NAN, "entropy-weight");
    REFUSED(lr, 0.0, "lr");
    REFUSED(lr, NAN, "lr");
    REFUSED(weight_decay, -1.0, "weight-decay");
    REFUSED(warmup, -1, "warmup");
    REFUSED(patience, 0, "patience");
    REFUSED(max_epochs, -2, "max-epochs");
    REFUSED(seed, UINT64_MAX, "seed");
    REFUSED(seed, (uint64_t)1 << 63, "seed");
    REFUSED(threads, 1025, "threads");
    crd_config c = of_the_table();
    c.networks = 1;
    assert_fails(crd_config_check(&c, &error), CRD_ERROR_ARGUMENT, "networks");
    c.networks = 33;
    assert_fails(crd_config_check(&c, &error), CRD_ERROR_ARGUMENT, "networks");
    c = defaults();
    memset(c.model, 'g', sizeof c.model); /* no terminator */
    assert_fails(crd_config_check(&c, &error), CRD_ERROR_ARGUMENT, "model is 'ggg");
    c.model[0] = '\0';
    assert_fails(crd_config_check(&c, &error), CRD_ERROR_ARGUMENT, "model is ''");
}

/* crd_config_set accepts what crd_config_get returns, for every option. */
static void values_read_back(void **state)
{
    (void)state;
    crd_config config, again;
    crd_error error;
    char *text;
    crd_config_defaults(&config);
    crd_config_defaults(&again);
    for (size_t i = 0; i < sizeof OPTIONS / sizeof OPTIONS[0]; i++) {
        if (is_of_others(OPTIONS[i].name)) continue;
        assert_int_equal(crd_config_set(&config, OPTIONS[i].name, OPTIONS[i].other, &error), CRD_OK);
        assert_int_equal(crd_config_get(&config, OPTIONS[i].name, &text, &error), CRD_OK);
        assert_string_equal(text, OPTIONS[i].other);
        assert_int_equal(crd_config_set(&again, OPTIONS[i].name, text, &error), CRD_OK);
        crd_string_free(&text);
    }
    assert_memory_equal(&config, &again, sizeof config);
    assert_int_equal(crd_config_get(&config, "rounded-alpha", &text, &error), CRD_ERROR_ARGUMENT);
    assert_null(text);
    assert_string_equal(error.about, "rounded-alpha");
    assert_string_equal(error.message, "rounded-alpha is not an option of the model gpn");
    assert_int_equal(crd_config_get(&config, "hiden", &text, &error), CRD_ERROR_ARGUMENT);
    assert_string_equal(error.about, "hiden");
    assert_string_equal(error.message, "hiden is not an option");
    assert_int_equal(crd_config_get(&config, "reg_weight", &text, NULL), CRD_OK);
    assert_string_equal(text, "0.0078125");
    crd_string_free(&text);
}

static void limits_are_those_of_the_header(void **state)
{
    static const struct {
        const char *name;
        int64_t most;
    } limits[] = {{"hidden", CRD_MAX_HIDDEN}, {"latent", CRD_MAX_LATENT}, {"threads", CRD_MAX_THREADS}};
    (void)state;
    crd_config *config;
    char value[32];
    assert_int_equal(crd_config_new(&config, NULL), CRD_OK);
    assert_int_equal(crd_config_set(config, "model", "gpn", NULL), CRD_OK);
    for (int i = 0; i < 3; i++) {
        snprintf(value, sizeof value, "%lld", (long long)limits[i].most);
        assert_int_equal(crd_config_set(config, limits[i].name, value, NULL), CRD_OK);
        snprintf(value, sizeof value, "%lld", (long long)limits[i].most + 1);
        assert_int_equal(crd_config_set(config, limits[i].name, value, NULL), CRD_ERROR_ARGUMENT);
    }
    crd_config_free(&config);
    crd_dataset *dataset;
    crd_arrays arrays = {.nodes = (int64_t)CRD_MAX_NODES + 1};
    assert_int_equal(crd_dataset_from_arrays(&arrays, &dataset, NULL), CRD_ERROR_ARGUMENT);
    arrays = (crd_arrays){.nodes = 1, .features = (int64_t)CRD_MAX_FEATURES + 1};
    assert_int_equal(crd_dataset_from_arrays(&arrays, &dataset, NULL), CRD_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_are_those_of_the_header),
        cmocka_unit_test(the_table),
        cmocka_unit_test(default_fields),
        cmocka_unit_test(set_fields),
        cmocka_unit_test(values_read_back),
        cmocka_unit_test(choices),
        cmocka_unit_test(ranges),
        cmocka_unit_test(names),
        cmocka_unit_test(presets),
        cmocka_unit_test(best_presets),
        cmocka_unit_test(unknown_preset),
        cmocka_unit_test(regulariser_brings_its_weight),
        FOLDER_TEST(json_round_trip),
        FOLDER_TEST(json_values),
        FOLDER_TEST(json_order),
        FOLDER_TEST(bad_json),
        cmocka_unit_test(checked_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
