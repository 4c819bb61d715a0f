/* SPDX-License-Identifier: MIT */
#include "models/config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "io/source.h"
#include "models/model.h"

typedef enum { INTEGER, NUMBER, SWITCH, CHOICE, MODEL } option_type;

/* Which models have an option, and whether choosing a model sets it. */
typedef enum {
    OF_RUN,       /* all models; it belongs to the data or the run, so choosing a model does not change it */
    OF_TRAINED,   /* those that are trained; choosing a model does not change it either */
    OF_UNTRAINED, /* the others */
    OF_METHOD,    /* those that are trained; their settings may name another default */
    OF_KIND       /* those whose settings name it */
} owner;

typedef struct {
    crd_option shown;
    owner owner;
    option_type type;
    size_t offset;
    double least, most;         /* inclusive */
    const char *const *choices; /* CHOICE: NULL-terminated, in the enum's order */
} option;

static const char *const FEATURES[] = {"auto", "none", "rownorm", "binary,rownorm", "unit", "standard", NULL};
static const char *const ACTIVATIONS[] = {"relu", "gelu", "logsigmoid", "hardtanh", "sigmoid", "linear", NULL};
static const char *const CALIBRATIONS[] = {"none", "temperature", "ets", "gats", NULL};
static const char *const REGULARISERS[] = {"none", "distance", "evidence", NULL};
static const char *const CLASS_WEIGHTS[] = {"none", "balanced", NULL};
static const char *const SCORES[] = {"own", "energy",  "gnnsafe",      "gebm",   "grasp",
                                     "epn", "vacuity", "log-evidence", "anchor", NULL};

#define HUGE_NUMBER 1e30
#define LARGEST_SEED 9223372036854775807.0

#define AT(field) offsetof(crd_config, field)
#define RANGE(owner, type, name, argument, value, field, least, most, help)                                            \
    {                                                                                                                  \
        {name, argument, value, help}, owner, type, AT(field), least, most, NULL                                       \
    }
#define WORDS(owner, type, name, argument, value, field, choices, help)                                                \
    {                                                                                                                  \
        {name, argument, value, help}, owner, type, AT(field), 0, 0, choices                                           \
    }

/* The only place that defines options, their defaults and their ranges. */
static const option OPTIONS[] = {
    WORDS(OF_RUN, MODEL, "model", "NAME", "committee", model, NULL,
          "the model: committee, gpn, appnp, vgcn, gkde-gcn, egcn, lp or gkde; each sets its own hyper-parameters. The "
          "defaults here are the committee's, and gpn's for options that a committee does not have"),
    WORDS(OF_TRAINED, CHOICE, "features", "HOW", "auto", features, FEATURES,
          "what is done to features first: none, rownorm, binary,rownorm, unit, standard, or auto (for sparse "
          "non-negative ones rownorm, in a committee unit; standard for dense ones)"),
    RANGE(OF_RUN, INTEGER, "left-out", "N", "0", left_out, 0, 1e6,
          "keep the last N classes from training: they become out-of-distribution"),
    WORDS(OF_RUN, SWITCH, "inductive", NULL, "off", inductive, NULL,
          "remove the nodes of left-out classes, and their edges, from the graph of training; predictions are made on "
          "the whole graph"),
    WORDS(OF_TRAINED, CHOICE, "class-weights", "HOW", "none", class_weights, CLASS_WEIGHTS,
          "how much the loss of a training node counts: none (all nodes alike) or balanced (all classes alike, so that "
          "small classes are not given up for large ones)"),
    WORDS(OF_KIND, CHOICE, "score", "NAME", "own", score, SCORES,
          "how the epistemic uncertainty is made: own (as the model does it); energy, gnnsafe, gebm or epn (of "
          "appnp and vgcn); vacuity or log-evidence (of evidence); grasp or anchor (from the labelled nodes)"),
    RANGE(OF_KIND, INTEGER, "hidden", "N", "64", hidden, 1, CRD_MAX_HIDDEN, "width of the encoder's hidden layer"),
    RANGE(OF_KIND, INTEGER, "latent", "N", "10", latent, 1, CRD_MAX_LATENT, "dimensions of the latent space"),
    RANGE(OF_KIND, INTEGER, "flow-layers", "N", "10", flow_layers, 1, 256, "radial layers of each class's density"),
    RANGE(OF_KIND, NUMBER, "teleport", "X", "0.1", teleport, 0, 1,
          "teleport probability of the diffusion; 1: no diffusion"),
    RANGE(OF_KIND, INTEGER, "steps", "N", "10", steps, 0, 10000, "steps of the diffusion"),
    WORDS(OF_KIND, SWITCH, "class-scale", NULL, "off", class_scale, NULL,
          "multiply evidence by the number of classes (the Amazon presets do)"),
    WORDS(OF_UNTRAINED, SWITCH, "rounded-alpha", NULL, "off", rounded_alpha, NULL,
          "for lp and gkde: 1 + evidence in single precision, where evidence below 6e-8 is lost, so that nodes far "
          "from all labelled ones are alike; CiteSeer's published GKDE row is so"),
    RANGE(OF_KIND, NUMBER, "dropout", "X", "0.5", dropout, 0, 0.999, "dropout on the hidden layer"),
    WORDS(OF_KIND, CHOICE, "activation", "NAME", "relu", activation, ACTIVATIONS,
          "relu, gelu, logsigmoid, hardtanh, sigmoid or linear"),
    WORDS(OF_KIND, CHOICE, "reg", "NAME", "evidence", reg, REGULARISERS,
          "regulariser over the edges: none, distance (between latent positions) or evidence (between Dirichlet "
          "distributions before the graph)"),
    RANGE(OF_KIND, NUMBER, "reg-strength", "X", "2e-3", reg_strength, 0, HUGE_NUMBER,
          "weight of the regulariser as a mean: multiplied by training nodes / edges, so that one value suits graphs "
          "of any size (distance: 0.1)"),
    RANGE(OF_KIND, NUMBER, "reg-weight", "X", "0", reg_weight, 0, HUGE_NUMBER,
          "weight of the regulariser as a sum, the paper's lambda 2; replaces reg-strength"),
    RANGE(OF_KIND, NUMBER, "entropy-weight", "X", "1e-4", entropy_weight, 0, HUGE_NUMBER,
          "weight of the entropy that is rewarded"),
    RANGE(OF_KIND, NUMBER, "share-weight", "X", "0.3", share_weight, 0, HUGE_NUMBER,
          "weight of the cross-entropy of the evidence's shares, which keeps classes alive whose evidence is small"),
    RANGE(OF_TRAINED, NUMBER, "lr", "X", "0.01", lr, 1e-12, 1e6, "learning rate"),
    RANGE(OF_KIND, NUMBER, "weight-decay", "X", "1e-3", weight_decay, 0, 1e6, "L2 decay of the encoder's weights"),
    RANGE(OF_KIND, INTEGER, "warmup", "N", "5", warmup, 0, 1e9,
          "epochs that train the densities alone, before the rest"),
    WORDS(OF_METHOD, CHOICE, "calibration", "HOW", "temperature", calibration, CALIBRATIONS,
          "how probabilities are calibrated after training, on nodes that did not teach: none, temperature, ets (a "
          "mixture) or gats (a temperature for every node)"),
    RANGE(OF_METHOD, NUMBER, "hold-out", "X", "0.3", hold_out, 0, 0.9,
          "make the fraction X of the validation nodes, at most 1000, calibration nodes, unless the split has some: "
          "they neither train nor validate, and the promises of predict rest on them"),
    RANGE(OF_METHOD, INTEGER, "patience", "N", "20", patience, 1, 1e9,
          "stop after N epochs without a better validation cross-entropy"),
    RANGE(
        OF_KIND, INTEGER, "networks", "N", "2", networks, 2, 32,
        "networks of a committee: each is checked on its own part of the validation nodes and learns from the others"),
    RANGE(OF_METHOD, INTEGER, "max-epochs", "N", "150", max_epochs, -1, 1e9,
          "most epochs after the warm-up, in a committee of each network; -1: until patience ends it, or 200 without "
          "validation nodes"),
    RANGE(OF_RUN, INTEGER, "seed", "N", "1", seed, 0, LARGEST_SEED,
          "seed of the split, the initial weights and dropout"),
    RANGE(OF_RUN, INTEGER, "threads", "N", "0", threads, 0, CRD_MAX_THREADS,
          "threads; 0: all cores that it may use. Results do not depend on it"),
};
/* int64_t and uint64_t fields are both INTEGER: the seed stays below 2^63. */
enum { OPTION_COUNT = sizeof OPTIONS / sizeof OPTIONS[0] };

const char *crd_calibration_name(crd_calibration calibration)
{
    return CALIBRATIONS[calibration];
}

int crd_option_count(void)
{
    return OPTION_COUNT;
}

const crd_option *crd_option_at(int index)
{
    return index < 0 || index >= OPTION_COUNT ? NULL : &OPTIONS[index].shown;
}

const char *const *crd_option_choices(int index)
{
    return index < 0 || index >= OPTION_COUNT ? NULL : OPTIONS[index].choices;
}

/* "reg_weight" is the same as "reg-weight": JSON written by hand or from Python has underscores. */
static bool same_name(const char *option_name, const char *name)
{
    while (*option_name != '\0' && (*option_name == *name || (*option_name == '-' && *name == '_'))) {
        option_name++;
        name++;
    }
    return *option_name == '\0' && *name == '\0';
}

static const option *find(const char *name)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (same_name(OPTIONS[i].shown.name, name)) return &OPTIONS[i];
    return NULL;
}

/* ---- what each model has ---- */

enum { SETTING = 32 }; /* bytes of a name or a value */

/* Takes the first "name=value" from a list of them; false at its end. */
static bool next_setting(const char **settings, char name[SETTING], char value[SETTING])
{
    int length;
    if (sscanf(*settings, " %31[^=]=%31s%n", name, value, &length) != 2) return false;
    *settings += length;
    return true;
}

/* The value that a kind of model gives to an option; false if it does not have the option. */
static bool setting(const crd_model_kind *kind, const option *o, char value[SETTING])
{
    char name[SETTING];
    if ((o->owner == OF_TRAINED || o->owner == OF_METHOD) && !kind->trained) return false;
    if (o->owner == OF_UNTRAINED && kind->trained) return false;
    for (const char *s = kind->settings; o->owner >= OF_METHOD && s != NULL && next_setting(&s, name, value);)
        if (strcmp(name, o->shown.name) == 0) return true;
    snprintf(value, SETTING, "%s", o->shown.default_value);
    return o->owner != OF_KIND;
}

/* An unknown model has every option, and fails elsewhere. */
static bool has(const crd_config *config, const option *o)
{
    char name[sizeof config->model], value[SETTING];
    snprintf(name, sizeof name, "%.15s", config->model);
    const crd_model_kind *kind = crd_model_kind_find(name);
    return kind == NULL || setting(kind, o, value);
}

bool crd_config_has(const crd_config *config, const char *name)
{
    const option *o = find(name);
    return o != NULL && has(config, o);
}

static void clear_option(crd_config *config, const option *o)
{
    static const size_t sizes[] = {
        [INTEGER] = sizeof(int64_t), [NUMBER] = sizeof(double), [SWITCH] = sizeof(bool), [CHOICE] = sizeof(int)};
    memset((char *)config + o->offset, 0, sizes[o->type]);
}

void crd_config_tidy(crd_config *config)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (OPTIONS[i].owner >= OF_UNTRAINED && !has(config, &OPTIONS[i])) clear_option(config, &OPTIONS[i]);
}

/* ---- values as text ---- */

/* The words that a CHOICE or MODEL can be; NULL past the last. */
static const char *word(const option *o, int index)
{
    if (o->type == MODEL) return crd_kind_name(index);
    for (int i = 0; i <= index; i++)
        if (o->choices[i] == NULL || i == index) return o->choices[i];
    return NULL;
}

static crd_status wrong(const option *o, const char *value, crd_error *error)
{
    const char *kind = o->type == INTEGER ? "a whole number" : "a number";
    char expected[160] = "on or off";
    if (o->type == CHOICE || o->type == MODEL) {
        for (int i = 0, used = 0; word(o, i) != NULL && used < (int)sizeof expected; i++)
            used +=
                snprintf(expected + used, sizeof expected - (size_t)used, "%s %s%s", i > 0 ? "," : "one of", word(o, i),
                         o->type == MODEL && strcmp(word(o, i), o->shown.default_value) == 0 ? " (the default)" : "");
    } else if (o->type != SWITCH && o->most >= LARGEST_SEED) {
        snprintf(expected, sizeof expected, "%s of at least %g", kind, o->least);
    } else if (o->type != SWITCH) {
        snprintf(expected, sizeof expected, "%s from %.15g to %.15g", kind, o->least, o->most);
    }
    return crd_fail_about(error, CRD_ERROR_ARGUMENT, o->shown.name, "is '%.100s', expected %s", value, expected);
}

static crd_status set_option(crd_config *config, const option *o, const char *value, crd_error *error)
{
    void *field = (char *)config + o->offset;
    int64_t integer;
    double number;
    bool on;
    int choice = 0;
    switch (o->type) {
    case INTEGER:
        if (!crd_parse_int64(value, &integer) || (double)integer < o->least || (double)integer > o->most) break;
        *(int64_t *)field = integer;
        return CRD_OK;
    case NUMBER:
        if (!crd_parse_double(value, &number) || !(number >= o->least && number <= o->most)) break;
        *(double *)field = number;
        return CRD_OK;
    case SWITCH:
        on = strcmp(value, "on") == 0 || strcmp(value, "true") == 0;
        if (!on && strcmp(value, "off") != 0 && strcmp(value, "false") != 0) break;
        *(bool *)field = on;
        return CRD_OK;
    case CHOICE:
    case MODEL:
        while (word(o, choice) != NULL && strcmp(word(o, choice), value) != 0) choice++;
        if (word(o, choice) == NULL) break;
        if (o->type == MODEL) snprintf(field, sizeof config->model, "%s", value);
        else memcpy(field, &choice, sizeof choice); /* the enums of crd_config are ints */
        return CRD_OK;
    }
    return wrong(o, value, error);
}

/* The value as set_option takes it; the number of a choice that does not exist. */
static void get_option(const crd_config *config, const option *o, char text[CRD_NUMBER_SIZE])
{
    const void *field = (const char *)config + o->offset;
    int choice;
    switch (o->type) {
    case INTEGER:
        snprintf(text, CRD_NUMBER_SIZE, "%" PRId64, *(const int64_t *)field);
        break;
    case NUMBER:
        crd_number_text(*(const double *)field, text);
        break;
    case SWITCH:
        snprintf(text, CRD_NUMBER_SIZE, "%s", *(const bool *)field ? "on" : "off");
        break;
    case CHOICE:
        memcpy(&choice, field, sizeof choice);
        if (word(o, choice) != NULL) snprintf(text, CRD_NUMBER_SIZE, "%s", word(o, choice));
        else snprintf(text, CRD_NUMBER_SIZE, "%d", choice);
        break;
    case MODEL:
        snprintf(text, CRD_NUMBER_SIZE, "%.15s", (const char *)field);
        break;
    }
}

/* ---- a whole configuration ---- */

void crd_config_defaults(crd_config *config)
{
    *config = (crd_config){0};
    for (int i = 0; i < OPTION_COUNT; i++) /* a test checks that the table's defaults are valid */
        (void)!set_option(config, &OPTIONS[i], OPTIONS[i].shown.default_value, NULL);
    crd_config_tidy(config);
}

crd_status crd_config_new(crd_config **config, crd_error *error)
{
    if (config != NULL) *config = NULL;
    if (CRD_ANY_NULL(error, config)) return CRD_ERROR_ARGUMENT;
    crd_status status = CRD_NEW(config, 1, error);
    if (status == CRD_OK) crd_config_defaults(*config);
    return status;
}

void crd_config_free(crd_config **config)
{
    if (config == NULL) return;
    crd_free(*config);
    *config = NULL;
}

/* Sets every hyper-parameter to the value of a kind of model. */
static void choose_model(crd_config *config, const crd_model_kind *kind)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const option *o = &OPTIONS[i];
        char value[SETTING];
        if (o->owner < OF_UNTRAINED) continue;
        if (setting(kind, o, value))
            (void)!set_option(config, o, value, NULL); /* a test checks that the values are valid */
        else clear_option(config, o);
    }
}

/* Weights belong to a regulariser: another one starts with its own. If the weight was 0, as after the preset gpn,
 * setting the regulariser means that it should count. Distances are smaller numbers. */
static void settle_regulariser(crd_config *config, crd_regulariser before)
{
    static const double usual[] = {[CRD_REG_NONE] = 0.0, [CRD_REG_DISTANCE] = 0.1, [CRD_REG_EVIDENCE] = 2e-3};
    if (config->reg == before && (config->reg_weight != 0.0 || config->reg_strength != 0.0)) return;
    config->reg_weight = 0.0;
    config->reg_strength = usual[config->reg];
}

static crd_status find_option(const crd_config *config, const char *name, const option **found, crd_error *error)
{
    *found = find(name);
    if (*found == NULL) return crd_fail_about(error, CRD_ERROR_ARGUMENT, name, "is not an option");
    if (!has(config, *found))
        return crd_fail_about(error, CRD_ERROR_ARGUMENT, (*found)->shown.name, "is not an option of the model %.15s",
                              config->model);
    return CRD_OK;
}

crd_status crd_config_set(crd_config *config, const char *name, const char *value, crd_error *error)
{
    if (CRD_ANY_NULL(error, config, name, value)) return CRD_ERROR_ARGUMENT;
    const option *o;
    const crd_config before = *config;
    crd_status status = find_option(config, name, &o, error);
    if (status == CRD_OK) status = set_option(config, o, value, error);
    if (status != CRD_OK) return status;
    if (o->type == MODEL && strncmp(before.model, value, sizeof before.model) != 0)
        choose_model(config, crd_model_kind_find(value));
    if (o->offset == AT(reg)) settle_regulariser(config, before.reg);
    if (o->offset == AT(reg_weight)) config->reg_strength = 0.0;
    if (o->offset == AT(reg_strength)) config->reg_weight = 0.0;
    return CRD_OK;
}

crd_status crd_config_set_all(crd_config *config, const char *settings, crd_error *error)
{
    char name[SETTING], value[SETTING];
    crd_status status = CRD_OK;
    while (status == CRD_OK && next_setting(&settings, name, value))
        status = crd_config_set(config, name, value, error);
    return status;
}

crd_status crd_config_get(const crd_config *config, const char *name, char **value, crd_error *error)
{
    if (value != NULL) *value = NULL;
    if (CRD_ANY_NULL(error, config, name, value)) return CRD_ERROR_ARGUMENT;
    const option *o;
    char text[CRD_NUMBER_SIZE];
    crd_status status = find_option(config, name, &o, error);
    if (status != CRD_OK) return status;
    get_option(config, o, text);
    return crd_copy_string(value, text, error);
}

const char *crd_config_score(const crd_config *config)
{
    return config->score > CRD_DOUBT_OWN && config->score < CRD_DOUBTS ? SCORES[config->score] : NULL;
}

static crd_status check_score(const crd_config *config, crd_error *error)
{
    const crd_model_kind *kind = crd_model_kind_find(config->model);
    char known[160] = "own";
    if (!crd_config_has(config, "score") || config->score == CRD_DOUBT_OWN || (kind->scores >> config->score & 1) != 0)
        return CRD_OK;
    for (int i = 1; i < CRD_DOUBTS; i++)
        if ((kind->scores >> i & 1) != 0) strcat(strcat(known, ", "), SCORES[i]);
    return crd_fail_about(error, CRD_ERROR_ARGUMENT, "score", "is '%s', expected for the model %s one of %s",
                          SCORES[config->score], kind->name, known);
}

crd_status crd_config_check(const crd_config *config, crd_error *error)
{
    /* A program may have set fields directly, so every value goes through its option again. */
    crd_config spare = *config;
    for (int i = 0; i < OPTION_COUNT; i++) {
        char text[CRD_NUMBER_SIZE];
        get_option(config, &OPTIONS[i], text);
        crd_status status = has(config, &OPTIONS[i]) ? set_option(&spare, &OPTIONS[i], text, error) : CRD_OK;
        if (status != CRD_OK) return status;
    }
    if (config->reg_strength != 0.0 && config->reg_weight != 0.0)
        return crd_fail_about(error, CRD_ERROR_ARGUMENT, "reg-weight",
                              "and reg-strength both weigh the regulariser: one of them must be 0");
    if (config->inductive && config->left_out == 0)
        return crd_fail_about(error, CRD_ERROR_ARGUMENT, "inductive",
                              "removes the nodes of left-out classes from training, but left-out is 0");
    return check_score(config, error);
}

/* ---- JSON ---- */

static bool is_listed(const char *const *names, const char *name)
{
    while (*names != NULL && strcmp(*names, name) != 0) names++;
    return *names != NULL;
}

crd_status crd_config_json_without(const crd_config *config, const char *const *without, bool lines, char **json,
                                   crd_error *error)
{
    crd_text text = {0};
    crd_text_add(&text, "{");
    for (int i = 0; i < OPTION_COUNT; i++) {
        const option *o = &OPTIONS[i];
        char value[CRD_NUMBER_SIZE];
        if (is_listed(without, o->shown.name) || !has(config, o)) continue;
        if (text.length > 1) crd_text_add(&text, lines ? "," : ", ");
        crd_text_format(&text, "%s\"%s\": ", lines ? "\n  " : "", o->shown.name);
        get_option(config, o, value);
        if (o->type == SWITCH) crd_text_add(&text, strcmp(value, "on") == 0 ? "true" : "false");
        else if (o->type == CHOICE || o->type == MODEL) crd_text_add_json_string(&text, value);
        else crd_text_add(&text, value);
    }
    crd_text_add(&text, lines ? "\n}" : "}");
    return crd_text_finish(&text, json, error);
}

crd_status crd_config_write(const crd_config *config, bool runtime, char **json, crd_error *error)
{
    static const char *const of_runtime[] = {"threads", NULL};
    return crd_config_json_without(config, of_runtime + runtime, false, json, error);
}

crd_status crd_config_json(const crd_config *config, char **json, crd_error *error)
{
    if (json != NULL) *json = NULL;
    if (CRD_ANY_NULL(error, config, json)) return CRD_ERROR_ARGUMENT;
    return crd_config_write(config, true, json, error);
}

/* A JSON value as the text that crd_config_set takes. */
static bool value_text(const json_t *value, char *text, size_t size)
{
    if (json_is_string(value)) return (size_t)snprintf(text, size, "%s", json_string_value(value)) < size;
    if (json_is_integer(value)) snprintf(text, size, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value)) crd_format_number(text, size, 17, json_real_value(value));
    else if (json_is_boolean(value)) snprintf(text, size, "%s", json_is_true(value) ? "on" : "off");
    else return false;
    return true;
}

/* The value of every option in an object; NULL if it is not there. */
static crd_status list_values(const json_t *object, const json_t **values, crd_error *error)
{
    json_t *walked = (json_t *)(uintptr_t)object; /* jansson's iterators take no const */
    for (void *at = json_object_iter(walked); at != NULL; at = json_object_iter_next(walked, at)) {
        const char *key = json_object_iter_key(at);
        const option *o = find(key);
        if (o != NULL && values[o - OPTIONS] != NULL)
            return crd_fail(error, CRD_ERROR_ARGUMENT, "\"%.60s\" is given twice, under two spellings", key);
        if (o != NULL) values[o - OPTIONS] = json_object_iter_value(at);
        else if (strcmp(key, "preset") != 0) return crd_fail_about(error, CRD_ERROR_ARGUMENT, key, "is not an option");
    }
    return CRD_OK;
}

/* If an object has both weights of the regulariser, as in all our files, the one that is not 0 counts. */
static void drop_idle_weight(const json_t **values)
{
    const json_t **strength = &values[find("reg-strength") - OPTIONS], **weight = &values[find("reg-weight") - OPTIONS];
    if (!json_is_number(*strength) || !json_is_number(*weight)) return;
    const bool strong = json_number_value(*strength) != 0.0, heavy = json_number_value(*weight) != 0.0;
    if (strong && !heavy) *weight = NULL;
    if (heavy && !strong) *strength = NULL;
}

static crd_status set_from_json(crd_config *config, const json_t *object, crd_error *error)
{
    const json_t *values[OPTION_COUNT] = {NULL}, *preset = json_object_get(object, "preset");
    crd_status status = CRD_OK;
    if (!json_is_object(object)) return crd_fail(error, CRD_ERROR_FORMAT, "expected a JSON object of options");
    if (preset != NULL && !json_is_string(preset))
        return crd_fail(error, CRD_ERROR_FORMAT, "\"preset\" is not a string");
    if (preset != NULL) status = crd_config_preset(config, json_string_value(preset), error);
    if (status == CRD_OK) status = list_values(object, values, error);
    drop_idle_weight(values);
    /* In the table's order, so that the order in the file does not matter. */
    for (int i = 0; i < OPTION_COUNT && status == CRD_OK; i++) {
        const char *name = OPTIONS[i].shown.name;
        char text[128];
        if (values[i] == NULL) continue;
        if (!value_text(values[i], text, sizeof text))
            return crd_fail(error, CRD_ERROR_ARGUMENT,
                            "\"%s\" has a value that is neither number, string nor true or false", name);
        status = crd_config_set(config, name, text, error);
    }
    return status;
}

crd_status crd_config_from_json(crd_config *config, const json_t *object, const char *name, crd_error *error)
{
    crd_config changed = *config;
    crd_error inner;
    if (set_from_json(&changed, object, &inner) != CRD_OK) return crd_fail_in(error, name, &inner);
    *config = changed;
    return CRD_OK;
}

/* `name` is the text's, for messages. */
static crd_status parse(crd_config *config, const char *text, size_t size, const char *name, crd_error *error)
{
    json_error_t problem;
    if (crd_json_too_deep(text, size))
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%s: is nested more than %d levels deep, expected an object of options", name, CRD_JSON_DEPTH);
    json_t *object = json_loadb(text, size, JSON_REJECT_DUPLICATES, &problem);
    if (object == NULL) {
        if (json_error_code(&problem) == json_error_out_of_memory) return crd_fail_memory(error, size);
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: line %d: not JSON: %s", name, problem.line, problem.text);
    }
    crd_status status = crd_config_from_json(config, object, name, error);
    json_decref(object);
    return status;
}

crd_status crd_config_read(crd_config *config, const char *path, crd_error *error)
{
    if (CRD_ANY_NULL(error, config, path)) return CRD_ERROR_ARGUMENT;
    crd_source *source;
    uint8_t *bytes;
    size_t size;
    crd_status status = crd_source_open(path, &source, error);
    if (status != CRD_OK) return status;
    status = crd_source_read_all(source, &bytes, &size, error);
    crd_source_free(&source);
    if (status != CRD_OK) return status;
    status = parse(config, (const char *)bytes, size, path, error);
    crd_free(bytes);
    return status;
}

crd_status crd_config_parse(crd_config *config, const char *json, crd_error *error)
{
    if (CRD_ANY_NULL(error, config, json)) return CRD_ERROR_ARGUMENT;
    return parse(config, json, strlen(json), "the options", error);
}
