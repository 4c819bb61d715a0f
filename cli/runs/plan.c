/* SPDX-License-Identifier: MIT */
#include "runs/runs.h"

#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"

/* ---- models and tasks ---- */

/* Models of others give their probabilities as they are; our own defaults calibrate them. */
const crd_cli_entry crd_cli_contenders[] = {
    {"lp", "LP", "label propagation: density of labelled nodes, no training", "model=lp"},
    {"gkde", "GKDE", "graph kernel density of labelled nodes, no training", "model=gkde"},
    {"appnp", "APPNP", "a neural network whose answers are diffused", "model=appnp calibration=none"},
    {"appnp-energy", "APPNP-Energy", "the same with the energy as epistemic score",
     "model=appnp calibration=none score=energy"},
    {"vgcn", "VGCN-Energy", "graph convolutions, energy as epistemic score", "model=vgcn calibration=none"},
    {"gnnsafe", "GNNSafe", "vgcn, its energy after two steps along the edges",
     "model=vgcn calibration=none score=gnnsafe"},
    {"gebm", "GEBM", "vgcn, energies of three scales of the graph, with distances",
     "model=vgcn calibration=none score=gebm"},
    {"grasp", "GRASP", "vgcn, its probabilities spread from labelled nodes", "model=vgcn calibration=none score=grasp"},
    {"grasp-appnp", "GRASP (APPNP)", "the same with appnp", "model=appnp calibration=none score=grasp"},
    {"grasp-gpn", "GRASP (GPN)", "the same with gpn-tuned", "model=gpn features=auto score=grasp"},
    {"epn", "EPN-reg", "vgcn, evidence of a head that is fitted to its logits",
     "model=vgcn calibration=none score=epn"},
    {"anchor", "Distance", "appnp, distance from labelled nodes along the edges",
     "model=appnp calibration=none score=anchor"},
    {"gkde-gcn", "GKDE-GCN", "graph convolutions with GKDE and a teacher", "model=gkde-gcn calibration=none"},
    {"egcn", "Evidential GCN", "graph convolutions that give evidence, vacuity propagation",
     "model=egcn calibration=none"},
    {"gpn", "GPN", "Graph Posterior Network as published, no distance regulariser", NULL},
    {"paper", "Published choice", "GPN with the options that the paper publishes", NULL},
    {"gpn-tuned", "GPN, tuned", "Graph Posterior Network with our own default options", "model=gpn features=auto"},
    {"log-evidence", "GPN, log evidence", "gpn-tuned, the logarithm of evidence diffused as epistemic score",
     "model=gpn features=auto score=log-evidence"},
    {"ours", "Ours", "the preset best (task misclassification: errors) of that public graph, else like gpn-tuned",
     "model=gpn features=auto calibration=none"},
    {"default", "Committee (default)", "what 'credence train' does without options: a committee", NULL},
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

/* Whether a model exists for these data (NULL: not a public graph): there are few published choices. */
static bool applies(const crd_cli_entry *contender, const crd_public_graph *known)
{
    return strcmp(contender->name, "paper") != 0 || (known != NULL && known->published != NULL);
}

/* All models, except those of a tuned choice or with a form of their own, get the features of a graph in the same form:
 * that of the published choice for it, or else the default. The preset of the plain GPN would reduce every graph's
 * features to bags of words. */
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

/* Its configuration for these data. `errors`: the task is to find wrong answers, not unseen classes. `file` is for
 * the contender "config". */
static crd_status choose_options(const crd_cli_entry *contender, const crd_public_graph *known, bool errors,
                                 const char *file, crd_config *config, crd_error *error)
{
    const char *name = contender->name, *preset = NULL;
    bool gpn = strcmp(name, "gpn") == 0;
    crd_status status = CRD_OK;
    crd_config_defaults(config);
    if (strcmp(name, "config") == 0) return crd_cli_config_read(config, file, error);
    if (contender->uses != NULL) status = crd_config_set_all(config, contender->uses, error);
    if (gpn) preset = known != NULL ? known->gpn : "gpn";
    else if (known != NULL && strcmp(name, "paper") == 0) preset = known->published;
    else if (known != NULL && strcmp(name, "ours") == 0) preset = errors ? known->errors : known->best;
    if (status == CRD_OK && preset != NULL) status = crd_config_preset(config, preset, error);
    const bool shared = gpn || (contender->uses != NULL && strstr(contender->uses, "features=") == NULL);
    if (status == CRD_OK && shared) status = prepare_features(known, config, error);
    return status;
}

/* ---- changes ---- */

static int add_change(const crd_cli_options *options, json_t *changes, const char *name, const char *value)
{
    const char *const elsewhere[][2] = {{"seed", "seeds"},
                                        {"threads", "jobs"},
                                        {"left-out", "left-out"},
                                        {"model", options->command == &crd_cli_tune ? "space" : "models"}};
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
int crd_cli_changes_apply(const char *given_as, const json_t *changes, json_t *unused, crd_config *config)
{
    crd_error error;
    for (int i = 0; i < crd_option_count(); i++) {
        const char *name = crd_option_at(i)->name, *value = json_string_value(json_object_get(changes, name));
        if (value == NULL || (unused != NULL && !has_option(config, name))) continue;
        if (crd_config_set(config, name, value, &error) != CRD_OK)
            return crd_cli_failf(CRD_CLI_MISUSED, "%s: %s", given_as, error.message);
        json_object_del(unused, name);
    }
    return CRD_CLI_DONE;
}

/* ---- what is chosen ---- */

static bool is_task(const crd_cli_plan *plan, const char *name)
{
    return strcmp(plan->task->name, name) == 0;
}

static int read_models(crd_cli_plan *plan, const crd_cli_options *options)
{
    json_t *list;
    int code = crd_cli_list_read(options, "models", plan->task->uses, &list);
    bool config = false;
    plan->contender = crd_cli_allocate(NULL, json_array_size(list) * sizeof *plan->contender);
    for (size_t i = 0; i < json_array_size(list) && code == CRD_CLI_DONE; i++) {
        const char *name = json_string_value(json_array_get(list, i));
        const crd_cli_entry *contender = crd_cli_find(crd_cli_contenders, name);
        plan->contender[plan->contenders++] = contender;
        config = config || strcmp(name, "config") == 0;
        char *names = NULL;
        for (const crd_cli_entry *one = crd_cli_contenders; contender == NULL && one->name != NULL; one++)
            crd_cli_append(&names, "%s%s", names != NULL ? ", " : "", one->name);
        if (contender == NULL) code = crd_cli_misused(options, "unknown model '%s', expected %s", name, names);
        free(names);
    }
    json_decref(list);
    if (code != CRD_CLI_DONE) return code;
    if (config && !crd_cli_given(options, "config"))
        return crd_cli_misused(options, "the model config needs --config FILE");
    if (!config && (crd_cli_given(options, "config") || crd_cli_given(options, "config-title")))
        return crd_cli_misused(options, "--%s is for the model config, which --models does not name",
                               crd_cli_given(options, "config") ? "config" : "config-title");
    return CRD_CLI_DONE;
}

static int read_choices(crd_cli_plan *plan, const crd_cli_options *options)
{
    const char *task = crd_cli_given(options, "task") ? crd_cli_value(options, "task") : "ood";
    plan->task = crd_cli_find(crd_cli_tasks, task);
    if (plan->task == NULL)
        return crd_cli_misused(options, "unknown task '%s', expected ood, misclassification or shift", task);
    if (!is_task(plan, "ood") && crd_cli_given(options, "left-out"))
        return crd_cli_misused(options, "--left-out has no meaning for %s: all classes are trained", task);
    if (!is_task(plan, "shift") && crd_cli_given(options, "shifts"))
        return crd_cli_misused(options, "--shifts has no meaning for %s", task);
    int code = read_models(plan, options);
    if (code == CRD_CLI_DONE && is_task(plan, "shift")) code = crd_cli_shifts_read(options, &plan->shifts);
    if (code == CRD_CLI_DONE) code = crd_cli_seeds_read(options, "10", &plan->seed, &plan->seeds);
    if (code == CRD_CLI_DONE) code = crd_cli_changes_read(options, &plan->changes);
    plan->unused = json_copy(plan->changes);
    return code;
}

/* ---- graphs ---- */

/* A path's last name, without its ending; the caller frees it. */
static char *short_name(const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') length--;
    char *whole = crd_cli_text("%.*s", (int)length, path), *slash = strrchr(whole, '/');
    char *name = crd_cli_text("%s", slash != NULL && slash[1] != '\0' ? slash + 1 : whole), *end = strrchr(name, '.');
    if (end != NULL && end > name && strcmp(end, ".gz") == 0) *end = '\0';
    end = strrchr(name, '.');
    if (end != NULL && end > name) *end = '\0';
    free(whole);
    return name;
}

/* If its short name would mean another graph. */
static void use_path(crd_cli_graph *graph, const char *typed)
{
    free(graph->name);
    graph->name = crd_cli_text("%s", typed);
}

json_t *crd_cli_graph_line(const crd_cli_graph *graph, const char *task, const char *model, uint64_t seed)
{
    const char *title = graph->known != NULL ? graph->known->title : graph->name;
    return crd_cli_json_new("task", json_string(task), "data", crd_cli_json_string(graph->name), "title",
                            crd_cli_json_string(title), "model", json_string(model), "seed",
                            json_integer((json_int_t)seed), "fingerprint",
                            json_string(crd_dataset_fingerprint(graph->dataset)), "version", json_string(crd_version()),
                            "split", crd_cli_json_string(graph->split), NULL);
}

int crd_cli_graph_open(const crd_cli_options *options, const char *typed, crd_cli_graph *graph)
{
    crd_error error;
    crd_info info = {0};
    *graph = (crd_cli_graph){.split = crd_cli_value(options, "split")};
    int code = crd_cli_open(options, typed, &graph->dataset, &graph->known);
    if (code != CRD_CLI_DONE) return code;
    const crd_public_graph *known = graph->known;
    graph->name = known != NULL ? crd_cli_text("%s", known->name) : short_name(typed);
    if (known == NULL && crd_public_graph_find(graph->name) != NULL) use_path(graph, typed);
    if (graph->split == NULL) graph->split = known != NULL ? known->split : "auto";
    if (strcmp(graph->split, "auto") == 0 && crd_dataset_info(graph->dataset, &info, &error) != CRD_OK)
        return crd_cli_fail(&error);
    graph->own_splits = info.splits;
    return CRD_CLI_DONE;
}

void crd_cli_graph_free(crd_cli_graph *graph)
{
    free(graph->name);
    free(graph->last);
    crd_dataset_free(&graph->dataset);
}

static int split_index(const crd_cli_graph *graph, uint64_t seed)
{
    return graph->own_splits > 1 ? (int)(seed % (uint64_t)graph->own_splits) : 0;
}

crd_status crd_cli_graph_split(const crd_cli_graph *graph, uint64_t seed, crd_split **split, crd_error *error)
{
    return crd_split_make(graph->dataset, graph->split, split_index(graph, seed), seed, split, error);
}

void crd_cli_say_shared_splits(const crd_cli_graph *graph, int64_t seeds)
{
    const int own = graph->own_splits;
    if (own > 0 && own < seeds)
        crd_cli_say("note: %s has %d split%s of its own for %lld seeds: those that share one differ in the "
                    "initialisation alone",
                    graph->name, own, own == 1 ? "" : "s", (long long)seeds);
}

static int choose_left_out(const crd_cli_plan *plan, const crd_cli_options *options, crd_cli_graph *graph)
{
    const int32_t classes = crd_dataset_classes(graph->dataset);
    const bool ood = is_task(plan, "ood");
    graph->left_out = graph->known != NULL && ood ? graph->known->left_out : 0;
    if (ood && graph->known == NULL && !crd_cli_given(options, "left-out"))
        return crd_cli_misused(options,
                               "%s: which classes to leave out is not known, give --left-out N, or "
                               "--task misclassification",
                               graph->name);
    graph->each = crd_cli_is(options, "left-out", "each");
    if (graph->each) graph->left_out = 1;
    else if (crd_cli_given(options, "left-out")) {
        int code = crd_cli_left_out(options, graph->name, graph->dataset, &graph->left_out, &graph->last);
        if (code != CRD_CLI_DONE) return code;
        if (graph->left_out == 0)
            return crd_cli_misused(options, "--left-out 0 leaves no class to detect, expected 1 or more");
    }
    if (classes - graph->left_out < 2)
        return crd_cli_failf(graph->left_out > 0 ? CRD_CLI_MISUSED : CRD_CLI_FAILED,
                             "%s: has %d class%s and %lld left out, at least 2 are needed for training", graph->name,
                             (int)classes, classes == 1 ? "" : "es", (long long)graph->left_out);
    return CRD_CLI_DONE;
}

static int check_split(const crd_cli_graph *graph, uint64_t seed)
{
    crd_split *split = NULL;
    crd_error error;
    crd_status status = crd_cli_graph_split(graph, seed, &split, &error);
    if (status != CRD_OK)
        return crd_cli_failf(status == CRD_ERROR_ARGUMENT ? CRD_CLI_MISUSED : CRD_CLI_FAILED, "%s: %s", graph->name,
                             error.message);
    int64_t testing = crd_split_count(split, CRD_ROLE_TEST);
    crd_split_free(&split);
    if (testing > 0) return CRD_CLI_DONE;
    return crd_cli_failf(CRD_CLI_FAILED, "%s: the split %s leaves no test nodes to measure on: try --split 60/20/20",
                         graph->name, graph->split);
}

/* Opens the typed name or path as the plan's next graph. */
static int open_graph(crd_cli_plan *plan, const crd_cli_options *options, const char *typed)
{
    crd_cli_graph *graph = &plan->graph[plan->graphs++];
    *graph = (crd_cli_graph){0};
    if (strcmp(typed, "-") == 0) return crd_cli_misused(options, "standard input can be read once only, give a file");
    int code = crd_cli_graph_open(options, typed, graph);
    if (code != CRD_CLI_DONE) return code;
    const char *fingerprint = crd_dataset_fingerprint(graph->dataset);
    for (const crd_cli_graph *other = plan->graph; other < graph; other++) {
        if (strcmp(crd_dataset_fingerprint(other->dataset), fingerprint) == 0)
            return crd_cli_misused(options, "%s is the same graph as %s", typed, other->name);
        if (strcmp(other->name, graph->name) == 0) use_path(graph, typed);
    }
    code = choose_left_out(plan, options, graph);
    /* If a split cannot be drawn, it fails for every seed: its sizes do not depend on the seed. Splits that come with
     * the data may differ. */
    for (int64_t i = 0; i < (graph->own_splits > 1 ? plan->seeds : 1) && code == CRD_CLI_DONE; i++)
        code = check_split(graph, plan->seed[i]);
    return code;
}

/* ---- runs ---- */

/* The configuration of a model for a graph, except for the seed. */
static int configure(crd_cli_plan *plan, const crd_cli_options *options, const crd_cli_graph *graph,
                     const crd_cli_entry *contender, crd_config *config)
{
    crd_error error;
    crd_status status = choose_options(contender, graph->known, is_task(plan, "misclassification"),
                                       crd_cli_value(options, "config"), config, &error);
    if (status != CRD_OK) return crd_cli_fail(&error);
    int code = crd_cli_changes_apply("--set", plan->changes, plan->unused, config);
    if (code != CRD_CLI_DONE) return code;
    config->left_out = graph->left_out;
    config->threads = 1;
    if (crd_config_check(config, &error) != CRD_OK) return crd_cli_fail(&error);
    return crd_cli_check_features(graph->name, graph->dataset, config->model);
}

bool crd_cli_is_left_out(const crd_cli_wanted *wanted, int32_t class_index)
{
    return wanted->held >= 0 ? class_index == wanted->held : wanted->graph->last[class_index];
}

/* The names of the classes that a run leaves out; NULL: they are the last ones. The caller frees it. */
static char *left_out_names(const crd_cli_wanted *wanted)
{
    char *names = NULL;
    if (wanted->held < 0 && wanted->graph->last == NULL) return NULL;
    for (int32_t c = 0; c < crd_dataset_classes(wanted->graph->dataset); c++)
        if (crd_cli_is_left_out(wanted, c))
            crd_cli_append(&names, "%s%s", names != NULL ? "," : "", crd_dataset_class_name(wanted->graph->dataset, c));
    return names;
}

/* The fields that a run's line begins with. */
static json_t *line_of(const crd_cli_plan *plan, const crd_cli_wanted *wanted)
{
    const crd_cli_graph *graph = wanted->graph;
    json_t *line = crd_cli_graph_line(graph, plan->task->name, wanted->contender->name, wanted->seed);
    if (wanted->title != NULL) crd_cli_json_set(line, "model_title", crd_cli_json_string(wanted->title));
    if (wanted->shift != NULL) crd_cli_json_set(line, "shift", json_string(wanted->shift));
    if (graph->own_splits > 1) crd_cli_json_set(line, "split_index", json_integer(split_index(graph, wanted->seed)));
    char *classes = left_out_names(wanted);
    if (classes != NULL) crd_cli_json_set(line, "left_out_classes", crd_cli_json_string(classes));
    if (wanted->held >= 0) crd_cli_json_set(line, "left_out_each", json_true());
    crd_cli_json_set(line, "config", crd_cli_json_config(&wanted->config, CRD_CLI_OF_RUN));
    free(classes);
    return line;
}

/* How many runs a model has with every seed: one for each shift, or for each class that is left out in turn. */
static int64_t rounds_of(const crd_cli_plan *plan, const crd_cli_graph *graph)
{
    if (plan->shifts != NULL) return (int64_t)json_array_size(plan->shifts);
    return graph->each ? crd_dataset_classes(graph->dataset) : 1;
}

/* Whether enough nodes have the class to leave one out and look for it. */
static bool can_hold(const crd_cli_graph *graph, int32_t class_index)
{
    int64_t count = 0;
    for (int64_t i = 0; i < crd_dataset_nodes(graph->dataset) && count < 2; i++)
        count += crd_dataset_label(graph->dataset, i) == class_index;
    return count >= 2;
}

static int add_runs(crd_cli_plan *plan, const crd_cli_options *options, const crd_cli_graph *graph)
{
    crd_cli_wanted *models = crd_cli_allocate(NULL, (size_t)plan->contenders * sizeof *models);
    int count = 0, code = CRD_CLI_DONE;
    for (int m = 0; m < plan->contenders && code == CRD_CLI_DONE; m++) {
        const crd_cli_entry *contender = plan->contender[m];
        const char *title = strcmp(contender->name, "config") == 0 ? crd_cli_value(options, "config-title") : NULL;
        if (!applies(contender, graph->known)) continue;
        models[count] = (crd_cli_wanted){.graph = graph, .contender = contender, .title = title};
        code = configure(plan, options, graph, contender, &models[count++].config);
    }
    const int64_t rounds = plan->seeds * rounds_of(plan, graph);
    for (int64_t s = 0; s < rounds && code == CRD_CLI_DONE; s++) {
        const int place = (int)(s / plan->seeds);
        if (graph->each && !can_hold(graph, place)) continue;
        for (int m = 0; m < count; m++) {
            models[m].held = graph->each ? place : -1;
            models[m].shift_place = plan->shifts != NULL ? place : 0;
            models[m].shift = json_string_value(json_array_get(plan->shifts, (size_t)place));
            models[m].seed = models[m].config.seed = plan->seed[s % plan->seeds];
            models[m].line = line_of(plan, &models[m]);
            plan->wanted[plan->count++] = models[m];
        }
    }
    free(models);
    return code;
}

int crd_cli_plan_make(crd_cli_plan *plan, const crd_cli_options *options)
{
    const int words = options->words;
    *plan = (crd_cli_plan){0};
    int code = read_choices(plan, options);
    if (code != CRD_CLI_DONE) return code;
    plan->graph = crd_cli_allocate(NULL, (size_t)words * sizeof *plan->graph);
    for (int i = 0; i < words && code == CRD_CLI_DONE; i++) code = open_graph(plan, options, options->word[i]);
    if (code != CRD_CLI_DONE) return code;
    size_t most = 0;
    for (int d = 0; d < plan->graphs; d++)
        most += (size_t)plan->contenders * (size_t)plan->seeds * (size_t)rounds_of(plan, &plan->graph[d]);
    plan->wanted = crd_cli_allocate(NULL, most * sizeof *plan->wanted);
    for (int d = 0; d < plan->graphs && code == CRD_CLI_DONE; d++) code = add_runs(plan, options, &plan->graph[d]);
    if (code != CRD_CLI_DONE) return code;
    if (plan->count == 0)
        return crd_cli_misused(options, "--models paper: the paper has no choice of options for %s%s",
                               plan->graph[0].name, plan->graphs == 1 ? "" : " nor for the other data");
    if (json_object_size(plan->unused) == 0) return CRD_CLI_DONE;
    return crd_cli_misused(options, "--set %s: none of the models makes use of it",
                           json_object_iter_key(json_object_iter(plan->unused)));
}

void crd_cli_plan_say_notes(const crd_cli_plan *plan)
{
    for (int d = 0; d < plan->graphs; d++) {
        crd_cli_say_shared_splits(&plan->graph[d], plan->seeds);
        for (int m = 0; m < plan->contenders; m++)
            if (!applies(plan->contender[m], plan->graph[d].known))
                crd_cli_say("note: there is no published choice for %s: its row '%s' is left out", plan->graph[d].name,
                            plan->contender[m]->title);
    }
}

void crd_cli_plan_free(crd_cli_plan *plan)
{
    for (int i = 0; i < plan->graphs; i++) crd_cli_graph_free(&plan->graph[i]);
    for (int64_t i = 0; i < plan->count; i++) json_decref(plan->wanted[i].line);
    free(plan->graph);
    free(plan->contender);
    free(plan->seed);
    free(plan->wanted);
    json_decref(plan->shifts);
    json_decref(plan->changes);
    json_decref(plan->unused);
    *plan = (crd_cli_plan){0};
}
