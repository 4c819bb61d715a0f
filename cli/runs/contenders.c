#include "runs/plan.h"

#include <stdlib.h>
#include <string.h>

#include "config_text.h"

static const crd_cli_contender CONTENDERS[] = {
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
};
enum { CONTENDER_COUNT = sizeof CONTENDERS / sizeof CONTENDERS[0] };

const crd_cli_contender *crd_cli_contender_at(int index)
{
    return index < 0 || index >= CONTENDER_COUNT ? NULL : &CONTENDERS[index];
}

const crd_cli_contender *crd_cli_contender_find(const char *name)
{
    for (int i = 0; i < CONTENDER_COUNT; i++)
        if (strcmp(CONTENDERS[i].name, name) == 0) return &CONTENDERS[i];
    return NULL;
}

int crd_cli_check_features(const char *data, const crd_dataset *dataset, const char *kind)
{
    if (crd_dataset_features(dataset) > 0 || !crd_kind_trained(kind)) return CRD_CLI_DONE;
    return crd_cli_failf(CRD_CLI_FAILED, "%s: has no features, which %s needs; lp and gkde do without", data, kind);
}

bool crd_cli_contender_applies(const crd_cli_contender *contender, const crd_public_graph *known)
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

crd_status crd_cli_contender_configure(const crd_cli_contender *contender, const crd_public_graph *known, bool errors,
                                       const char *file, crd_config *config, crd_error *error)
{
    const char *name = contender->name, *preset = NULL;
    bool gpn = strcmp(name, "gpn") == 0;
    crd_status status = CRD_OK;
    crd_config_defaults(config);
    if (strcmp(name, "config") == 0) return crd_cli_config_read(config, file, error);
    if (contender->kind != NULL) status = crd_config_set(config, "model", contender->kind, error);
    else if (gpn) preset = known != NULL ? known->gpn : "gpn";
    else if (known != NULL && strcmp(name, "paper") == 0) preset = known->published;
    else if (known != NULL && strcmp(name, "ours") == 0) preset = errors ? known->errors : known->best;
    if (status == CRD_OK && preset != NULL) status = crd_config_preset(config, preset, error);
    if (status == CRD_OK && (gpn || contender->kind != NULL)) status = prepare_features(known, config, error);
    return status;
}

/* ---- tasks ---- */

static const crd_cli_task TASKS[] = {
    {"ood", "Out-of-distribution detection", "find the nodes of classes that were left out of training",
     "lp,gkde,vgcn,gkde-gcn,gpn,default"},
    {"misclassification", "Misclassification detection", "find the wrong answers", "appnp,vgcn,gkde-gcn,gpn,default"},
    {"shift", "Detection of shifted nodes", "find test nodes whose features or edges were changed",
     "appnp,vgcn,gkde-gcn,gpn,default"},
};
enum { TASK_COUNT = sizeof TASKS / sizeof TASKS[0] };

const crd_cli_task *crd_cli_task_at(int index)
{
    return index < 0 || index >= TASK_COUNT ? NULL : &TASKS[index];
}

const crd_cli_task *crd_cli_task_find(const char *name)
{
    for (int i = 0; i < TASK_COUNT; i++)
        if (strcmp(TASKS[i].name, name) == 0) return &TASKS[i];
    return NULL;
}

/* ---- changes ---- */

/* A weight only means something for models with a regulariser. */
static bool has_option(const crd_config *config, const char *option)
{
    bool weight = strcmp(option, "reg-weight") == 0 || strcmp(option, "reg-strength") == 0;
    return !(weight && config->reg == CRD_REG_NONE) && crd_config_has(config, option);
}

static bool command_has(const crd_cli_options *options, const char *name)
{
    for (int i = 0; i < options->count; i++)
        if (strcmp(options->option[i].name, name) == 0) return true;
    return false;
}

/* The index of an option in the library's list; -1 after reporting an error. */
static int find_option(const crd_cli_options *options, const char *name)
{
    const char *const elsewhere[][2] = {{"model", command_has(options, "models") ? "models" : "space"},
                                        {"seed", "seeds"},
                                        {"threads", "jobs"},
                                        {"left-out", "left-out"}};
    for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++)
        if (strcmp(name, elsewhere[i][0]) == 0) {
            crd_cli_misused(options, "--set %s: this is what --%s is for", name, elsewhere[i][1]);
            return -1;
        }
    for (int i = 0; i < crd_option_count(); i++)
        if (strcmp(crd_option_at(i)->name, name) == 0) return i;
    crd_cli_unknown_option("--set", name, strlen(name));
    return -1;
}

/* Reads one "name=value". */
static int set_one(const crd_cli_options *options, const char *name, const char *value, crd_cli_changes *changes)
{
    crd_config spare;
    crd_error error;
    int place = find_option(options, name);
    if (place < 0) return CRD_CLI_MISUSED;
    if (changes->value[place] != NULL) return crd_cli_misused(options, "--set: %s is given twice", name);
    crd_config_defaults(&spare);
    for (int i = 0; i < crd_kind_count() && !crd_config_has(&spare, name); i++)
        if (crd_config_set(&spare, "model", crd_kind_name(i), &error) != CRD_OK)
            return crd_cli_misused(options, "--set: %s", error.message);
    if (crd_config_set(&spare, name, value, &error) != CRD_OK)
        return crd_cli_misused(options, "--set %s=%s: %s", name, value, error.message);
    changes->value[place] = crd_cli_text("%s", value);
    return CRD_CLI_DONE;
}

/* A regulariser has only one of the two weights: if both were given, one would be lost silently. */
static int check_weights(const crd_cli_options *options, const crd_cli_changes *changes)
{
    int given = 0;
    for (int i = 0; i < crd_option_count(); i++) {
        const char *name = crd_option_at(i)->name;
        if (strcmp(name, "reg-strength") == 0 || strcmp(name, "reg-weight") == 0) given += changes->value[i] != NULL;
    }
    if (given < 2) return CRD_CLI_DONE;
    return crd_cli_misused(options, "--set: only one of reg-strength and reg-weight can be given");
}

int crd_cli_changes_read(const crd_cli_options *options, crd_cli_changes *changes)
{
    const char *text = crd_cli_value(options, "set");
    const size_t count = (size_t)crd_option_count();
    int code = CRD_CLI_DONE;
    changes->value = crd_cli_allocate(NULL, count * sizeof *changes->value);
    changes->taken = crd_cli_allocate(NULL, count * sizeof *changes->taken);
    changes->made = crd_cli_allocate(NULL, count * sizeof *changes->made);
    memset(changes->value, 0, count * sizeof *changes->value);
    memset(changes->taken, 0, count * sizeof *changes->taken);
    memset(changes->made, 0, count * sizeof *changes->made);
    if (text == NULL) return CRD_CLI_DONE;
    char *copy = crd_cli_text("%s", text);
    for (char *at = copy; at != NULL && code == CRD_CLI_DONE;) {
        char *value = strchr(at, '=');
        if (value == NULL || value == at || memchr(at, ',', (size_t)(value - at)) != NULL) {
            code = crd_cli_misused(options, "--set: expected NAME=VALUE,..., found '%s'", at);
            break;
        }
        *value++ = '\0';
        /* A comma ends the value if a name and '=' follow; else it belongs to the value. */
        char *comma = strchr(value, ','), *equals = strchr(value, '=');
        if (equals == NULL) comma = NULL;
        for (char *later = comma; later != NULL && later < equals; later = strchr(later + 1, ',')) comma = later;
        if (comma != NULL) *comma++ = '\0';
        code = set_one(options, at, value, changes);
        at = comma;
    }
    free(copy);
    return code == CRD_CLI_DONE ? check_weights(options, changes) : code;
}

/* Applies them in the library's order, whatever the order they were given in: a regulariser before its weight. */
crd_status crd_cli_changes_apply(crd_cli_changes *changes, crd_config *config, crd_error *error)
{
    crd_status status = CRD_OK;
    for (int i = 0; i < crd_option_count() && status == CRD_OK; i++) {
        const char *name = crd_option_at(i)->name;
        if (changes->value[i] == NULL || !has_option(config, name)) continue;
        char *before = crd_cli_config_value(config, name);
        status = crd_config_set(config, name, changes->value[i], error);
        char *after = crd_cli_config_value(config, name);
        changes->taken[i] = true;
        changes->made[i] = changes->made[i] || strcmp(before, after) != 0;
        free(before);
        free(after);
    }
    return status;
}

const char *crd_cli_changes_unused(const crd_cli_changes *changes)
{
    for (int i = 0; i < crd_option_count(); i++)
        if (changes->value[i] != NULL && !changes->taken[i]) return crd_option_at(i)->name;
    return NULL;
}

char *crd_cli_changes_text(const crd_cli_changes *changes)
{
    char *text = NULL;
    for (int i = 0; i < crd_option_count(); i++) {
        if (!changes->made[i]) continue;
        char *longer = crd_cli_text("%s%s%s=%s", text == NULL ? "" : text, text == NULL ? "" : ", ",
                                    crd_option_at(i)->name, changes->value[i]);
        free(text);
        text = longer;
    }
    return text;
}

void crd_cli_changes_free(crd_cli_changes *changes)
{
    for (int i = 0; i < crd_option_count() && changes->value != NULL; i++) free(changes->value[i]);
    free(changes->value);
    free(changes->taken);
    free(changes->made);
    *changes = (crd_cli_changes){0};
}
