#include "runs/runs.h"

#include <stdlib.h>
#include <string.h>

const crd_cli_entry crd_cli_contenders[] = {
    {"lp", "LP", "label propagation: density of labelled nodes, no training", "lp"},
    {"gkde", "GKDE", "graph kernel density of labelled nodes, no training", "gkde"},
    {"appnp", "APPNP", "a neural network whose answers are diffused", "appnp"},
    {"vgcn", "VGCN-Energy", "graph convolutions, energy as epistemic score", "vgcn"},
    {"gkde-gcn", "GKDE-GCN", "graph convolutions with GKDE and a teacher", "gkde-gcn"},
    {"gpn", "GPN", "Graph Posterior Network as published, no distance regulariser", NULL},
    {"paper", "Published choice", "GPN with the options that the paper publishes", NULL},
    {"ours", "Ours", "the preset best (task misclassification: errors) of that public graph, else the defaults", NULL},
    {"default", "Defaults", "what 'credence train' does without options", NULL},
    {"config", "Config", "the options of --config, as your own 'credence tune' chose them; --config-title names it",
     NULL},
    {NULL, NULL, NULL, NULL},
};

const crd_cli_entry crd_cli_tasks[] = {
    {"ood", "Out-of-distribution detection", "find the nodes of classes that were left out of training",
     "lp,gkde,vgcn,gkde-gcn,gpn,default"},
    {"misclassification", "Misclassification detection", "find the wrong answers", "appnp,vgcn,gkde-gcn,gpn,default"},
    {"shift", "Detection of shifted nodes", "find test nodes whose features or edges were changed",
     "appnp,vgcn,gkde-gcn,gpn,default"},
    {NULL, NULL, NULL, NULL},
};

const crd_cli_entry *crd_cli_find(const crd_cli_entry *table, const char *name)
{
    while (table->name != NULL && strcmp(table->name, name) != 0) table++;
    return table->name == NULL ? NULL : table;
}

int crd_cli_check_features(const char *data, const crd_dataset *dataset, const char *kind)
{
    if (crd_dataset_features(dataset) > 0 || !crd_kind_trained(kind)) return CRD_CLI_DONE;
    return crd_cli_failf(CRD_CLI_FAILED, "%s: has no features, which %s needs; lp and gkde do without", data, kind);
}

bool crd_cli_contender_applies(const crd_cli_entry *contender, const crd_public_graph *known)
{
    return strcmp(contender->name, "paper") != 0 || (known != NULL && known->published != NULL);
}

/* All models, except those of a tuned choice, get the features of a graph in the same form: that of the published
 * choice for it, or else the default. The preset of the plain GPN would reduce every graph's features to bags of
 * words. */
static crd_status prepare_features(const crd_public_graph *known, crd_config *config, crd_error *error)
{
    crd_config usual;
    crd_status status = CRD_OK;
    crd_config_defaults(&usual);
    if (known != NULL)
        status = crd_config_preset(&usual, known->published != NULL ? known->published : known->gpn, error);
    if (status == CRD_OK) config->features = usual.features;
    return status;
}

crd_status crd_cli_contender_configure(const crd_cli_entry *contender, const crd_public_graph *known, bool errors,
                                       const char *file, crd_config *config, crd_error *error)
{
    const char *name = contender->name, *preset = NULL;
    bool gpn = strcmp(name, "gpn") == 0;
    crd_status status = CRD_OK;
    crd_config_defaults(config);
    if (strcmp(name, "config") == 0) return crd_cli_config_read(config, file, error);
    if (contender->uses != NULL) status = crd_config_set(config, "model", contender->uses, error);
    else if (gpn) preset = known != NULL ? known->gpn : "gpn";
    else if (known != NULL && strcmp(name, "paper") == 0) preset = known->published;
    else if (known != NULL && strcmp(name, "ours") == 0) preset = errors ? known->errors : known->best;
    if (status == CRD_OK && preset != NULL) status = crd_config_preset(config, preset, error);
    if (status == CRD_OK && (gpn || contender->uses != NULL)) status = prepare_features(known, config, error);
    return status;
}

/* ---- changes ---- */

static int add_change(const crd_cli_options *options, json_t *changes, const char *name, const char *value)
{
    static const char *const elsewhere[][2] = {{"seed", "seeds"}, {"threads", "jobs"}, {"left-out", "left-out"}};
    if (strcmp(name, "model") == 0)
        return crd_cli_misused(options, "--set model: this is what --%s is for",
                               options->command == &crd_cli_tune ? "space" : "models");
    for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++)
        if (strcmp(name, elsewhere[i][0]) == 0)
            return crd_cli_misused(options, "--set %s: this is what --%s is for", name, elsewhere[i][1]);
    if (crd_cli_find_option(name, strlen(name)) == NULL) return crd_cli_unknown_option("--set", name, strlen(name));
    if (json_object_get(changes, name) != NULL) return crd_cli_misused(options, "--set: %s is given twice", name);
    crd_cli_json_set(changes, name, crd_cli_json_string(value));
    return CRD_CLI_DONE;
}

int crd_cli_changes_read(const crd_cli_options *options, json_t **changes)
{
    const char *at = crd_cli_value(options, "set");
    int code = CRD_CLI_DONE;
    *changes = json_object();
    while (at != NULL && code == CRD_CLI_DONE) {
        const size_t name = strcspn(at, "=,");
        if (name == 0 || at[name] != '=')
            return crd_cli_misused(options, "--set: expected NAME=VALUE,..., found '%s'", at);
        /* A comma ends the value if a name and '=' follow; else it belongs to the value. */
        const char *value = at + name + 1, *end = strchr(value, ',');
        while (end != NULL && end[1 + strcspn(end + 1, "=,")] != '=') end = strchr(end + 1, ',');
        char *option = crd_cli_text("%.*s", (int)name, at);
        char *text = crd_cli_text("%.*s", end == NULL ? (int)strlen(value) : (int)(end - value), value);
        code = add_change(options, *changes, option, text);
        at = end == NULL ? NULL : end + 1;
        free(option);
        free(text);
    }
    /* A regulariser has only one of the two weights: if both were given, one would be lost silently. */
    if (code == CRD_CLI_DONE && json_object_get(*changes, "reg-weight") != NULL &&
        json_object_get(*changes, "reg-strength") != NULL)
        return crd_cli_misused(options, "--set: only one of reg-strength and reg-weight can be given");
    return code;
}

/* A weight only means something for models with a regulariser. */
static bool has_option(const crd_config *config, const char *option)
{
    bool weight = strcmp(option, "reg-weight") == 0 || strcmp(option, "reg-strength") == 0;
    return !(weight && config->reg == CRD_REG_NONE) && crd_config_has(config, option);
}

/* Applies them in the library's order, whatever the order they were given in: a regulariser before its weight. */
int crd_cli_changes_apply(const crd_cli_options *options, const json_t *changes, json_t *unused, crd_config *config)
{
    crd_error error;
    for (int i = 0; i < crd_option_count(); i++) {
        const char *name = crd_option_at(i)->name, *value = json_string_value(json_object_get(changes, name));
        if (value == NULL || (unused != NULL && !has_option(config, name))) continue;
        if (crd_config_set(config, name, value, &error) != CRD_OK)
            return crd_cli_misused(options, "--set %s=%s: %s", name, value, error.message);
        json_object_del(unused, name);
    }
    return CRD_CLI_DONE;
}
