#include "models/config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "kernels/losses.h"
#include "models/model.h"

typedef enum { INTEGER, NUMBER, SWITCH, CHOICE, NAME } option_type;

typedef struct {
    crd_option shown;
    option_type type;
    size_t offset;
    double least, most;         /* inclusive */
    const char *const *choices; /* CHOICE: NULL-terminated, in the enum's order */
} option;

static const char *const FEATURES[] = {"auto", "none", "rownorm", "binary,rownorm", "standard", NULL};
static const char *const ACTIVATIONS[] = {"relu", "gelu", "logsigmoid", "hardtanh", "sigmoid", "linear", NULL};
static const char *const REGULARISERS[] = {"none", "distance", "evidence", NULL};

#define AT(field) offsetof(crd_config, field)
#define HUGE_NUMBER 1e30
#define LARGEST_SEED 9223372036854775807.0

/* The only place that defines options, their defaults and their ranges. */
static const option OPTIONS[] = {
    {{"model", "NAME", "gpn",
      "the model: gpn, appnp, vgcn, gkde-gcn, lp or gkde; each sets its own hyper-parameters, the defaults "
      "here are gpn's"},
     NAME,
     AT(model),
     0,
     0,
     NULL},
    {{"features", "HOW", "auto",
      "what is done to features first: none, rownorm, binary,rownorm, standard, or auto (rownorm for sparse "
      "non-negative ones, standard for dense ones)"},
     CHOICE,
     AT(features),
     0,
     0,
     FEATURES},
    {{"left-out", "N", "0", "keep the last N classes from training: they become out-of-distribution"},
     INTEGER,
     AT(left_out),
     0,
     1e6,
     NULL},
    {{"inductive", NULL, "off",
      "remove the nodes of left-out classes, and their edges, from the graph of training; predictions are "
      "made on the whole graph"},
     SWITCH,
     AT(inductive),
     0,
     0,
     NULL},
    {{"hidden", "N", "64", "width of the encoder's hidden layer"}, INTEGER, AT(hidden), 1, 65536, NULL},
    {{"latent", "N", "10", "dimensions of the latent space"}, INTEGER, AT(latent), 1, 512, NULL},
    {{"flow-layers", "N", "10", "radial layers of each class's density"}, INTEGER, AT(flow_layers), 1, 256, NULL},
    {{"teleport", "X", "0.25", "teleport probability of the diffusion; 1: no diffusion"},
     NUMBER,
     AT(teleport),
     0,
     1,
     NULL},
    {{"steps", "N", "10", "steps of the diffusion"}, INTEGER, AT(steps), 0, 10000, NULL},
    {{"class-scale", NULL, "off", "multiply evidence by the number of classes (the Amazon presets do)"},
     SWITCH,
     AT(class_scale),
     0,
     0,
     NULL},
    {{"rounded-alpha", NULL, "off",
      "for lp and gkde: 1 + evidence in single precision, where evidence below 6e-8 is lost, so that nodes "
      "far "
      "from all labelled ones are alike; CiteSeer's published GKDE row is so"},
     SWITCH,
     AT(rounded_alpha),
     0,
     0,
     NULL},
    {{"dropout", "X", "0.5", "dropout on the hidden layer"}, NUMBER, AT(dropout), 0, 0.999, NULL},
    {{"activation", "NAME", "relu", "relu, gelu, logsigmoid, hardtanh, sigmoid or linear"},
     CHOICE,
     AT(activation),
     0,
     0,
     ACTIVATIONS},
    {{"reg", "NAME", "evidence",
      "regulariser over the edges: none, distance (between latent positions) or evidence (between Dirichlet "
      "distributions before the graph)"},
     CHOICE,
     AT(reg),
     0,
     0,
     REGULARISERS},
    {{"reg-strength", "X", "2e-3",
      "weight of the regulariser as a mean: multiplied by training nodes / edges, so that one value suits "
      "graphs of any size (distance: 0.1)"},
     NUMBER,
     AT(reg_strength),
     0,
     HUGE_NUMBER,
     NULL},
    {{"reg-weight", "X", "0", "weight of the regulariser as a sum, the paper's lambda 2; replaces reg-strength"},
     NUMBER,
     AT(reg_weight),
     0,
     HUGE_NUMBER,
     NULL},
    {{"entropy-weight", "X", "1e-4", "weight of the entropy that is rewarded"},
     NUMBER,
     AT(entropy_weight),
     0,
     HUGE_NUMBER,
     NULL},
    {{"share-weight", "X", "0.3",
      "weight of the cross-entropy of the evidence's shares, which keeps classes alive whose evidence is "
      "small"},
     NUMBER,
     AT(share_weight),
     0,
     HUGE_NUMBER,
     NULL},
    {{"lr", "X", "0.01", "learning rate"}, NUMBER, AT(lr), 1e-12, 1e6, NULL},
    {{"weight-decay", "X", "1e-2", "L2 decay of the encoder's weights"}, NUMBER, AT(weight_decay), 0, 1e6, NULL},
    {{"warmup", "N", "5", "epochs that train the densities alone, before the rest"}, INTEGER, AT(warmup), 0, 1e9, NULL},
    {{"patience", "N", "50", "stop after N epochs without a better validation cross-entropy"},
     INTEGER,
     AT(patience),
     1,
     1e9,
     NULL},
    {{"max-epochs", "N", "-1",
      "most epochs after the warm-up; -1: until patience ends it, or 200 without validation nodes"},
     INTEGER,
     AT(max_epochs),
     -1,
     1e9,
     NULL},
    {{"seed", "N", "1", "seed of the split, the initial weights and dropout"},
     INTEGER,
     AT(seed),
     0,
     LARGEST_SEED,
     NULL},
    {{"threads", "N", "0", "threads; 0: all cores. Results do not depend on it"}, INTEGER, AT(threads), 0, 1024, NULL},
};
/* int64_t and uint64_t fields are both INTEGER: the seed stays below 2^63. */
enum { OPTION_COUNT = sizeof OPTIONS / sizeof OPTIONS[0] };

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
    return index < 0 || index >= crd_option_count() ? NULL : OPTIONS[index].choices;
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

const crd_option *crd_option_find(const char *name)
{
    const option *o = find(name);
    return o == NULL ? NULL : &o->shown;
}

static crd_status wrong(const option *o, const char *value, const char *expected, crd_error *error)
{
    return crd_fail_about(error, CRD_ERROR_ARGUMENT, o->shown.name, "is '%.100s', expected %s", value, expected);
}

static crd_status out_of_range(const option *o, const char *value, crd_error *error)
{
    char expected[96];
    const char *kind = o->type == INTEGER ? "a whole number" : "a number";
    if (o->most >= LARGEST_SEED) snprintf(expected, sizeof expected, "%s of at least %g", kind, o->least);
    else snprintf(expected, sizeof expected, "%s from %.15g to %.15g", kind, o->least, o->most);
    return wrong(o, value, expected, error);
}

/* ---- what each model has ---- */

/* These belong to the data and the run, not to the kind of model: choosing a model does not change them. */
static const char *const OF_ALL[] = {"model", "left-out", "inductive", "seed", "threads", NULL};
static const char *const OF_UNTRAINED[] = {"rounded-alpha", NULL};
static const char *const OF_TRAINED[] = {"features", "lr", "patience", "max-epochs", NULL};

static bool is_listed(const char *const *names, const char *name)
{
    while (*names != NULL && strcmp(*names, name) != 0) names++;
    return *names != NULL;
}

/* The value that a kind of model gives to an option; NULL if it does not have the option. */
static const char *setting(const crd_model_kind *kind, const option *o)
{
    if (is_listed(OF_UNTRAINED, o->shown.name)) return kind->trained ? NULL : o->shown.default_value;
    if (kind->settings == NULL) return o->shown.default_value;
    for (const crd_setting *s = kind->settings; s->option != NULL; s++)
        if (strcmp(s->option, o->shown.name) == 0) return s->value;
    return NULL;
}

static bool has_option(const crd_model_kind *kind, const option *o)
{
    return is_listed(OF_ALL, o->shown.name) || (kind->trained && is_listed(OF_TRAINED, o->shown.name)) ||
           (!is_listed(OF_TRAINED, o->shown.name) && setting(kind, o) != NULL);
}

/* The same for a configuration. An unknown model has every option, and fails elsewhere. */
static bool config_has(const crd_config *config, const option *o)
{
    char name[sizeof config->model];
    snprintf(name, sizeof name, "%.15s", config->model);
    const crd_model_kind *kind = crd_model_kind_find(name);
    return kind == NULL || has_option(kind, o);
}

static void clear_option(crd_config *config, const option *o)
{
    void *field = (char *)config + o->offset;
    const int first = 0;
    switch (o->type) {
    case INTEGER:
        *(int64_t *)field = 0;
        break;
    case NUMBER:
        *(double *)field = 0.0;
        break;
    case SWITCH:
        *(bool *)field = false;
        break;
    case CHOICE:
        memcpy(field, &first, sizeof first);
        break;
    case NAME:
        break;
    }
}

void crd_config_tidy(crd_config *config)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (!config_has(config, &OPTIONS[i]) && !is_listed(OF_TRAINED, OPTIONS[i].shown.name))
            clear_option(config, &OPTIONS[i]);
}

static crd_status wrong_model(const option *o, const char *value, crd_error *error)
{
    char expected[160] = "one of";
    for (int i = 0; i < crd_kind_count(); i++) {
        size_t used = strlen(expected);
        snprintf(expected + used, sizeof expected - used, "%s %s", i > 0 ? "," : "", crd_kind_name(i));
    }
    return wrong(o, value, expected, error);
}

static crd_status set_option(crd_config *config, const option *o, const char *value, crd_error *error)
{
    void *field = (char *)config + o->offset;
    switch (o->type) {
    case INTEGER: {
        int64_t number;
        if (!crd_parse_int64(value, &number) || (double)number < o->least || (double)number > o->most)
            return out_of_range(o, value, error);
        *(int64_t *)field = number;
        return CRD_OK;
    }
    case NUMBER: {
        double number;
        if (!crd_parse_double(value, &number) || !(number >= o->least && number <= o->most))
            return out_of_range(o, value, error);
        *(double *)field = number;
        return CRD_OK;
    }
    case SWITCH:
        if (strcmp(value, "on") == 0 || strcmp(value, "true") == 0) *(bool *)field = true;
        else if (strcmp(value, "off") == 0 || strcmp(value, "false") == 0) *(bool *)field = false;
        else return wrong(o, value, "on or off", error);
        return CRD_OK;
    case CHOICE: {
        char expected[160] = "one of";
        for (int i = 0; o->choices[i] != NULL; i++) {
            if (strcmp(o->choices[i], value) == 0) {
                memcpy(field, &i, sizeof i); /* enums of credence.h are ints */
                return CRD_OK;
            }
            size_t used = strlen(expected);
            snprintf(expected + used, sizeof expected - used, "%s %s", i > 0 ? "," : "", o->choices[i]);
        }
        return wrong(o, value, expected, error);
    }
    case NAME:
        if (crd_model_kind_find(value) == NULL) return wrong_model(o, value, error);
        snprintf(field, sizeof config->model, "%s", value);
        return CRD_OK;
    }
    return CRD_OK;
}

void crd_config_defaults(crd_config *config)
{
    *config = (crd_config){0};
    for (int i = 0; i < OPTION_COUNT; i++) /* a test checks that the table's defaults are valid */
        (void)!set_option(config, &OPTIONS[i], OPTIONS[i].shown.default_value, NULL);
}

/* Sets every hyper-parameter to the value of a kind of model. */
static void choose_model(crd_config *config, const crd_model_kind *kind)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        const option *o = &OPTIONS[i];
        if (is_listed(OF_ALL, o->shown.name) || is_listed(OF_TRAINED, o->shown.name)) continue;
        /* a test checks that the values are valid */
        if (has_option(kind, o)) (void)!set_option(config, o, setting(kind, o), NULL);
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

bool crd_config_has(const crd_config *config, const char *name)
{
    const option *o = find(name);
    return o != NULL && config_has(config, o);
}

static crd_status find_option(const crd_config *config, const char *name, const option **found, crd_error *error)
{
    *found = find(name);
    if (*found == NULL) return crd_fail_about(error, CRD_ERROR_ARGUMENT, name, "is not an option");
    if (!config_has(config, *found))
        return crd_fail_about(error, CRD_ERROR_ARGUMENT, (*found)->shown.name, "is not an option of the model %.15s",
                              config->model);
    return CRD_OK;
}

crd_status crd_config_set(crd_config *config, const char *name, const char *value, crd_error *error)
{
    const option *o;
    crd_status status = find_option(config, name, &o, error);
    if (status != CRD_OK) return status;
    const crd_regulariser reg_before = config->reg;
    const bool other_model = o->type == NAME && strncmp(config->model, value, sizeof config->model) != 0;
    status = set_option(config, o, value, error);
    if (status == CRD_OK && other_model) choose_model(config, crd_model_kind_find(value));
    if (status == CRD_OK && o->offset == AT(reg)) settle_regulariser(config, reg_before);
    if (status == CRD_OK && o->offset == AT(reg_weight)) config->reg_strength = 0.0;
    if (status == CRD_OK && o->offset == AT(reg_strength)) config->reg_weight = 0.0;
    return status;
}

crd_status crd_config_get(const crd_config *config, const char *name, char **value, crd_error *error)
{
    const option *o;
    crd_text text = {0};
    int choice;
    *value = NULL;
    crd_status status = find_option(config, name, &o, error);
    if (status != CRD_OK) return status;
    const void *field = (const char *)config + o->offset;
    switch (o->type) {
    case INTEGER:
        crd_text_format(&text, "%" PRId64, *(const int64_t *)field);
        break;
    case NUMBER:
        crd_text_add_json_number(&text, *(const double *)field);
        break;
    case SWITCH:
        crd_text_add(&text, *(const bool *)field ? "on" : "off");
        break;
    case CHOICE:
        memcpy(&choice, field, sizeof choice);
        crd_text_add(&text, o->choices[choice]);
        break;
    case NAME:
        crd_text_add(&text, field);
        break;
    }
    return crd_text_finish(&text, value, error);
}

crd_status crd_config_check(const crd_config *config, crd_error *error)
{
    /* A program may have set fields directly, so every value goes through its option again. */
    for (int i = 0; i < OPTION_COUNT; i++) {
        const option *o = &OPTIONS[i];
        const void *field = (const char *)config + o->offset;
        char text[64] = "";
        int choice, choices = 0;
        if (!config_has(config, o)) continue;
        switch (o->type) {
        case INTEGER:
            snprintf(text, sizeof text, "%" PRId64, *(const int64_t *)field);
            break;
        case NUMBER:
            crd_format_number(text, sizeof text, 17, *(const double *)field);
            break;
        case CHOICE:
            memcpy(&choice, field, sizeof choice);
            while (o->choices[choices] != NULL) choices++;
            if (choice < 0 || choice >= choices)
                return crd_fail_about(error, CRD_ERROR_ARGUMENT, o->shown.name,
                                      "is %d, which is none of its %d choices", choice, choices);
            continue;
        case NAME:
            snprintf(text, sizeof text, "%.15s", (const char *)field);
            break;
        case SWITCH:
            continue;
        }
        crd_config spare = *config;
        crd_status status = set_option(&spare, o, text, error);
        if (status != CRD_OK) return status;
    }
    if (config->reg_strength != 0.0 && config->reg_weight != 0.0)
        return crd_fail_about(error, CRD_ERROR_ARGUMENT, "reg-weight",
                              "and reg-strength both weigh the regulariser: one of them must be 0");
    if (config->inductive && config->left_out == 0)
        return crd_fail_about(error, CRD_ERROR_ARGUMENT, "inductive",
                              "removes the nodes of left-out classes from training, but left-out is 0");
    return CRD_OK;
}
