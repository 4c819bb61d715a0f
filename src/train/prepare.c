/* SPDX-License-Identifier: MIT */
/* From a dataset to everything that training needs; how much memory that takes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/watch.h"
#include "models/config.h"
#include "train/train.h"

crd_status crd_train_check(const crd_dataset *dataset, const crd_split *split, const crd_config *config,
                           crd_error *error)
{
    crd_status status = crd_config_check(config, error);
    if (status != CRD_OK) return status;
    if (dataset->features.columns == 0 && crd_model_kind_find(config->model)->trained)
        return crd_fail(error, CRD_ERROR_MISMATCH, "the data have no node features, which the model %s needs",
                        config->model);
    if (dataset->graph.start[dataset->graph.nodes] == 0)
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "the graph has no edges (self-loops do not count), along which the model %s spreads what it "
                        "knows",
                        config->model);
    if (dataset->classes == 0)
        return crd_fail(error, CRD_ERROR_MISMATCH, "the data have no labels, so there is nothing to learn from");
    if (dataset->classes == 1)
        return crd_fail(error, CRD_ERROR_MISMATCH, "all labels are of one class, '%.100s': at least 2 are needed",
                        dataset->class_names[0]);
    if (config->left_out > dataset->classes - 2)
        return crd_fail_about(
            error, CRD_ERROR_ARGUMENT, "left-out",
            "is %lld, which leaves %lld of %d classes, expected at least 2 to tell apart", (long long)config->left_out,
            (long long)(dataset->classes > config->left_out ? dataset->classes - config->left_out : 0),
            dataset->classes);
    if (dataset->classes - config->left_out > CRD_MAX_CLASSES)
        return crd_fail(error, CRD_ERROR_MISMATCH, "the data have %d classes, expected at most %d", dataset->classes,
                        CRD_MAX_CLASSES);
    if (split->nodes != dataset->input.nodes)
        return crd_fail(error, CRD_ERROR_MISMATCH, "the split is for %lld nodes, the data have %lld",
                        (long long)split->nodes, (long long)dataset->input.nodes);
    return CRD_OK;
}

/* ---- the model and its nodes ---- */

/* A model without parameters. */
static crd_status open_model(crd_training *s, const crd_config *config, crd_error *error)
{
    crd_status status = crd_model_new(crd_model_kind_find(config->model), &s->model, error);
    if (status != CRD_OK) return status;
    s->model->config = *config;
    crd_config_tidy(&s->model->config);
    s->model->classes = s->dataset->classes - (int32_t)config->left_out;
    s->model->features = s->model->kind->trained ? s->dataset->features.columns : 0;
    return CRD_OK;
}

static bool belongs(const crd_training *s, const crd_split *split, crd_role role, int64_t node)
{
    const int32_t label = s->dataset->labels[node];
    return split->roles[node] == role && label >= 0 && label < s->model->classes;
}

/* Plans the list of a role's nodes whose class is known and in distribution. */
static void plan_list(crd_training *s, crd_role role, crd_labelled *set)
{
    const crd_split *split = s->model->split;
    for (int64_t i = 0; i < split->nodes; i++) set->count += belongs(s, split, role, i);
    CRD_PLAN(&s->lists, &set->nodes, set->count);
    CRD_PLAN(&s->lists, &set->labels, set->count);
}

/* Fills it with their rows in the order of training, ascending. */
static void fill_list(crd_training *s, crd_role role, crd_labelled *set)
{
    const crd_split *split = s->model->split;
    const int32_t *order = s->order.order; /* NULL: nodes are rows */
    int64_t next = 0;
    for (int64_t row = 0; row < split->nodes; row++) {
        const int64_t i = order != NULL ? order[row] : row;
        if (!belongs(s, split, role, i)) continue;
        set->nodes[next] = row;
        set->labels[next++] = s->dataset->labels[i];
    }
}

static crd_status list_nodes(crd_training *s, crd_error *error)
{
    plan_list(s, CRD_ROLE_TRAIN, &s->train);
    plan_list(s, CRD_ROLE_VALIDATION, &s->validation);
    crd_status status = crd_plan_allocate(&s->lists, error);
    if (status != CRD_OK) return status;
    fill_list(s, CRD_ROLE_TRAIN, &s->train);
    fill_list(s, CRD_ROLE_VALIDATION, &s->validation);
    return CRD_OK;
}

static crd_status count_classes(crd_training *s, crd_error *error)
{
    crd_model *model = s->model;
    crd_status status = crd_model_count_classes(model, s->train.labels, s->train.count, error);
    if (status != CRD_OK) return status;
    for (int32_t k = 0; k < model->classes; k++)
        if (model->class_counts[k] == 0.0f)
            return crd_fail(error, CRD_ERROR_MISMATCH,
                            "class %s has no training node: each class needs at least one, or must be left out; "
                            "another split, such "
                            "as 20/20/60, may have one",
                            s->dataset->class_names[k]);
    return CRD_OK;
}

static crd_status copy_names(crd_model *model, const crd_dataset *dataset, crd_error *error)
{
    crd_status status = crd_copy_strings(&model->class_names, dataset->class_names, dataset->classes, error);
    if (status != CRD_OK) return status;
    model->left_out = dataset->classes - model->classes;
    if (model->kind->trained && dataset->feature_names != NULL)
        status = crd_copy_strings(&model->feature_names, dataset->feature_names, model->features, error);
    return status;
}

enum { MOST_HELD_OUT = 1000 };

/* Moves hold-out's share of the validation nodes of every class to calibration, drawn by the seed. */
static crd_status hold_out(crd_model *model, const crd_dataset *dataset, crd_error *error)
{
    crd_split *split = model->split;
    int32_t *labels; /* of the validation nodes; -1: none of them */
    int64_t *members = NULL, *start = NULL, held = 0;
    crd_status status = CRD_NEW(&labels, split->nodes, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < split->nodes; i++)
        labels[i] = split->roles[i] == CRD_ROLE_VALIDATION ? dataset->labels[i] : -1;
    status = crd_nodes_by_class(labels, split->nodes, model->classes, &members, &start, error);
    for (int32_t c = 0; c < model->classes && status == CRD_OK; c++) {
        const double share = fmin(model->config.hold_out, MOST_HELD_OUT / (double)start[model->classes]);
        const int64_t end = (int64_t)floor(share * (double)start[c + 1] + 1e-9); /* of the first c + 1 classes */
        crd_rng rng = crd_rng_start(model->config.seed, CRD_RNG_HOLD_OUT);
        rng.state = crd_hash(rng.state, (uint64_t)c);
        crd_rng_shuffle(&rng, members + start[c], start[c + 1] - start[c]);
        for (int64_t i = start[c]; held < end; held++) split->roles[members[i++]] = CRD_ROLE_CALIBRATION;
    }
    const size_t length = strlen(split->description);
    if (status == CRD_OK && held > 0)
        snprintf(split->description + length, sizeof split->description - length,
                 "; %lld validation nodes became calibration nodes", (long long)held);
    crd_free(labels);
    crd_free(members);
    crd_free(start);
    return status;
}

crd_status crd_training_split(crd_model *model, const crd_dataset *dataset, const crd_split *split, crd_error *error)
{
    crd_split_free(&model->split);
    crd_status status = crd_split_from_roles(split->roles, split->nodes, &model->split, error);
    if (status != CRD_OK) return status;
    memcpy(model->split->description, split->description, sizeof split->description);
    for (int64_t i = 0; i < split->nodes; i++)
        if (dataset->labels[i] >= model->classes && model->split->roles[i] != CRD_ROLE_TEST)
            model->split->roles[i] = CRD_ROLE_NONE;
    const bool drawn = model->config.hold_out > 0.0 && crd_split_count(model->split, CRD_ROLE_CALIBRATION) == 0;
    return drawn ? hold_out(model, dataset, error) : CRD_OK;
}

/* Nodes without a path to training and validation nodes come last. */
static crd_status reorder(crd_training *s, const crd_split *split, crd_error *error)
{
    const crd_graph *graph = &s->dataset->graph;
    bool *needed;
    crd_status status = CRD_NEW(&needed, graph->nodes, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < graph->nodes; i++)
        needed[i] = (split->roles[i] == CRD_ROLE_TRAIN || split->roles[i] == CRD_ROLE_VALIDATION) &&
                    s->model->split->roles[i] != CRD_ROLE_CALIBRATION;
    status = crd_reorder(graph->nodes, graph->start, graph->neighbour, needed, &s->order, error);
    s->graph = (crd_graph){.nodes = s->order.nodes, .start = s->order.start, .neighbour = s->order.neighbour};
    crd_free(needed);
    return status;
}

/* Everything but features and weights. */
crd_status crd_training_prepare(crd_training *s, const crd_split *split, const crd_config *config, crd_error *error)
{
    crd_status status = open_model(s, config, error);
    if (status != CRD_OK) return status;
    crd_model *model = s->model;
    memcpy(model->fingerprint, s->dataset->fingerprint, sizeof model->fingerprint);
    snprintf(model->version, sizeof model->version, "%s", crd_version());
    status = copy_names(model, s->dataset, error);
    if (status == CRD_OK) status = crd_training_split(model, s->dataset, split, error);
    if (status == CRD_OK && model->kind->trained) status = reorder(s, split, error);
    if (status == CRD_OK) status = list_nodes(s, error);
    if (status == CRD_OK) status = count_classes(s, error);
    return status;
}

/* ---- features, weights, and the run ---- */

static crd_status prepare_features(crd_training *s, crd_error *error)
{
    crd_model *model = s->model;
    const crd_features *features = &s->dataset->features;
    const bool committee = model->kind == &crd_committee && model->config.features == CRD_FEATURES_AUTO;
    model->config.features = crd_preprocess_choose(features, model->config.features);
    /* Longer rows learn faster, and sums of a network that is trained for few epochs must not be small. */
    if (committee && model->config.features == CRD_FEATURES_ROWNORM) model->config.features = CRD_FEATURES_UNIT;
    crd_status status = crd_watch_check(error); /* the nodes are in order now */
    if (status == CRD_OK) status = crd_model_see(model, features, error);
    if (status == CRD_OK && model->config.features == CRD_FEATURES_STANDARD) {
        status = CRD_NEW(&model->feature_mean, features->columns, error);
        if (status == CRD_OK) status = CRD_NEW(&model->feature_scale, features->columns, error);
        if (status == CRD_OK)
            status = crd_preprocess_measure(features, model->feature_mean, model->feature_scale, error);
    }
    if (status == CRD_OK)
        status = crd_preprocess(features, model->config.features, model->feature_mean, model->feature_scale,
                                s->order.order, &s->features, error);
    if (status == CRD_OK && model->kind == &crd_committee) status = crd_model_bound(model, &s->features, error);
    return status;
}

/* Whether a model may start from the weights of another one; their sizes are checked later. */
static crd_status check_init(const crd_model *model, const crd_model *init, crd_error *error)
{
    if (init == NULL) return CRD_OK;
    crd_status status = crd_model_check_names(init, model->feature_names, model->features, error);
    if (status == CRD_OK && init->kind != model->kind)
        status = crd_fail(error, CRD_ERROR_MISMATCH, "the initial weights are of the model %s, expected %s",
                          init->kind->name, model->kind->name);
    return status;
}

static crd_status start_weights(crd_model *model, const crd_model *init, crd_error *error)
{
    if (init == NULL) {
        crd_model_initialise(model, model->config.seed);
        return CRD_OK;
    }
    for (int p = 0; p < model->parameters && p < init->parameters; p++) { /* either may lack a head */
        const crd_parameter *from = &init->parameter[p];
        crd_parameter *to = &model->parameter[p];
        for (int d = 0; d < to->dims; d++)
            if (from->shape[d] != to->shape[d])
                return crd_fail(error, CRD_ERROR_MISMATCH,
                                "the initial %s has %lld in dimension %d, expected %lld (features, classes, "
                                "hidden, latent and flow-layers must agree)",
                                to->form->name, (long long)from->shape[d], d, (long long)to->shape[d]);
        memcpy(to->value, from->value, (size_t)to->count * sizeof *to->value);
    }
    return CRD_OK;
}

/* Lists what training needs besides the model's arrays. */
static crd_inputs plan_training(crd_training *s, crd_plan *plan)
{
    const crd_model *model = s->model;
    for (int p = 0; p < model->parameters; p++) {
        CRD_PLAN_ZERO(plan, &s->gradient[p], model->parameter[p].count);
        CRD_PLAN_ZERO(plan, &s->moment[p], model->parameter[p].count);
        CRD_PLAN_ZERO(plan, &s->square[p], model->parameter[p].count);
    }
    CRD_PLAN(plan, &s->output, s->validation.count * crd_model_outputs(model));
    for (int p = 0; p < model->parameters; p++) CRD_PLAN(plan, &s->best[p], model->parameter[p].count);
    return (crd_inputs){&s->graph, &s->features,        s->train.nodes,      s->train.labels,  s->train.count,
                        s->team,   s->validation.nodes, s->validation.count, s->order.reached, NULL};
}

static crd_status open_run(crd_training *s, crd_error *error)
{
    crd_model *model = s->model;
    crd_status status = crd_team_open(model->config.threads, &s->team, error);
    if (status == CRD_OK) crd_team_watch(s->team, true);
    if (status == CRD_OK) status = prepare_features(s, error);
    if (status == CRD_OK) status = crd_model_declare(model, error);
    if (status == CRD_OK) status = check_init(model, s->lesson->init, error);
    if (status == CRD_OK) status = start_weights(model, s->lesson->init, error);
    if (status == CRD_OK) status = crd_history_open(&model->history, error);
    if (status != CRD_OK) return status;
    crd_plan plan = {0};
    const crd_inputs inputs = plan_training(s, &plan);
    return crd_run_open(model, &inputs, &plan, &s->run, error);
}

/* There are no epochs and no weights, and features are not used. */
static crd_status remember(crd_training *s, crd_error *error)
{
    s->model->config.features = CRD_FEATURES_NONE;
    s->model->stop = CRD_STOP_NOTHING;
    if (s->lesson->init != NULL)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "the model %s has no weights that could start from others",
                        s->model->kind->name);
    return crd_model_remember(s->model, s->train.nodes, s->train.labels, s->train.count, error);
}

crd_status crd_training_open(crd_training *s, const crd_split *split, const crd_config *config, crd_error *error)
{
    crd_status status = crd_training_prepare(s, split, config, error);
    if (status == CRD_OK) status = s->model->kind->trained ? open_run(s, error) : remember(s, error);
    return status;
}

crd_status crd_training_share(crd_training *shared, crd_error *error)
{
    crd_status status = crd_team_open(shared->model->config.threads, &shared->team, error);
    if (status == CRD_OK) crd_team_watch(shared->team, true);
    return status == CRD_OK ? prepare_features(shared, error) : status;
}

/* Every node teaches. Some of those that teach as unlabelled also validate, with their class if it is known. */
static crd_status list_members_nodes(crd_training *s, const int32_t *label, const int32_t *held_out, crd_error *error)
{
    const int64_t nodes = s->graph.nodes;
    const int32_t unlabelled = s->model->classes - 1;
    const int32_t *order = s->order.order; /* NULL: nodes are rows */
    s->train.count = nodes;
    s->unchecked = true;
    for (int64_t i = 0; i < nodes; i++) s->validation.count += label[i] == unlabelled && held_out[i] != CRD_NOT_ASKED;
    CRD_PLAN(&s->lists, &s->train.nodes, s->train.count);
    CRD_PLAN(&s->lists, &s->train.labels, s->train.count);
    CRD_PLAN(&s->lists, &s->validation.nodes, s->validation.count);
    CRD_PLAN(&s->lists, &s->validation.labels, s->validation.count);
    CRD_PLAN(&s->lists, &s->validation_weight, s->model->classes);
    crd_status status = crd_plan_allocate(&s->lists, error);
    for (int64_t row = 0, next = 0; row < nodes && status == CRD_OK; row++) {
        const int64_t i = order != NULL ? order[row] : row;
        s->train.nodes[row] = row;
        s->train.labels[row] = label[i];
        if (label[i] != unlabelled || held_out[i] == CRD_NOT_ASKED) continue;
        s->validation.nodes[next] = row;
        s->validation.labels[next++] = held_out[i] >= 0 ? held_out[i] : unlabelled;
        s->unchecked = s->unchecked && held_out[i] < 0;
    }
    if (status == CRD_OK)
        crd_views_weigh(s->validation.labels, s->validation.count, s->model->classes, NULL, s->validation_weight);
    return status;
}

crd_status crd_training_open_member(crd_training *s, const crd_training *shared, const int32_t *label,
                                    const int32_t *held_out, crd_error *error)
{
    const crd_model *committee = shared->model;
    const int32_t fold = committee->members; /* those before it are done */
    crd_status status = crd_model_new(&crd_views, &s->model, error);
    if (status != CRD_OK) return status;
    s->borrows = true;
    s->order = shared->order;
    s->graph = shared->graph;
    s->features = shared->features;
    s->team = shared->team;
    s->model->config = committee->config;
    s->model->config.seed += (uint64_t)fold;
    s->model->features = committee->features;
    s->model->classes = committee->classes + 1;
    status = list_members_nodes(s, label, held_out, error);
    if (status == CRD_OK) status = crd_model_declare(s->model, error);
    if (status != CRD_OK) return status;
    crd_model_initialise(s->model, s->model->config.seed);
    crd_plan plan = {0};
    const crd_inputs inputs = plan_training(s, &plan);
    return crd_run_open(s->model, &inputs, &plan, &s->run, error);
}

void crd_training_close(crd_training *s)
{
    crd_run_close(&s->run);
    if (s->borrows) {
        crd_plan_free(&s->lists);
        return;
    }
    crd_team_close(&s->team);
    crd_prepared_free(&s->features);
    crd_reordered_free(&s->order);
    crd_plan_free(&s->lists);
}

/* ---- memory ---- */

/* The features as the model sees them; standardising makes sparse ones dense. */
static crd_prepared prepared_features(const crd_features *features, crd_preprocessing wanted, int64_t *bytes)
{
    crd_prepared prepared = {.features = *features};
    const crd_preprocessing chosen = crd_preprocess_choose(features, wanted);
    const int64_t cells = features->rows * features->columns;
    if (features->sparse && chosen == CRD_FEATURES_STANDARD) {
        prepared.features.sparse = false;
        *bytes = cells * (int64_t)sizeof(float);
    } else if (features->sparse) {
        *bytes = features->start[features->rows] * 8 + features->rows * 8;
    } else {
        *bytes = features->rows * (int64_t)sizeof(float);
    }
    return prepared;
}

/* The graph in the order of training, and that order. */
static int64_t graph_bytes(const crd_graph *graph)
{
    return graph->start[graph->nodes] * 4 + graph->nodes * 16;
}

/* Lists what training would list. */
static crd_status planned_bytes(crd_training *s, int64_t *bytes, crd_error *error)
{
    crd_model *model = s->model;
    int64_t of_features, of_run, of_head = 0, parameters = 0;
    const int64_t here = 0;
    crd_plan plan = {0};
    crd_status status = crd_model_declare(model, error);
    if (status == CRD_OK) status = crd_team_open(model->config.threads, &s->team, error);
    if (status != CRD_OK) return status;
    s->graph = s->dataset->graph;
    s->features = prepared_features(&s->dataset->features, model->config.features, &of_features);
    crd_inputs inputs = plan_training(s, &plan);
    inputs.nodes = inputs.wanted = &here; /* never read; it only says that there are such nodes */
    status = crd_run_bytes(model, &inputs, &plan, &of_run, error);
    if (status == CRD_OK && model->config.score == CRD_DOUBT_EPN) status = crd_head_bytes(s, &of_head, error);
    for (int p = 0; p < model->parameters; p++) parameters += model->parameter[p].count;
    if (status == CRD_OK)
        *bytes += of_run + of_head + of_features + graph_bytes(&s->graph) + parameters * (int64_t)sizeof(float) +
                  CRD_HISTORY_MOST * (int64_t)sizeof *model->history.rows;
    crd_team_close(&s->team);
    return status;
}

crd_status crd_train_memory(const crd_dataset *dataset, const crd_split *split, const crd_config *config,
                            int64_t *bytes, crd_error *error)
{
    if (CRD_ANY_NULL(error, dataset, split, bytes)) return CRD_ERROR_ARGUMENT;
    crd_config defaults;
    crd_config_defaults(&defaults);
    if (config == NULL) config = &defaults;
    crd_training s = {.dataset = dataset};
    int64_t all = 0;
    crd_status status = crd_train_check(dataset, split, config, error);
    if (status == CRD_OK) status = open_model(&s, config, error);
    if (status == CRD_OK) status = crd_training_split(s.model, dataset, split, error);
    if (status != CRD_OK) {
        crd_model_free(&s.model);
        return status;
    }
    plan_list(&s, CRD_ROLE_TRAIN, &s.train);
    plan_list(&s, CRD_ROLE_VALIDATION, &s.validation);
    all = crd_plan_bytes(&s.lists);
    if (s.model->kind == &crd_committee) { /* one network at a time, which learns from all nodes */
        s.model->kind = &crd_views;
        s.model->classes++;
        all += crd_committee_bytes(s.model, split->nodes, s.train.count + s.validation.count);
        s.train.count = s.validation.count = split->nodes;
    }
    if (s.model->kind->trained) status = planned_bytes(&s, &all, error);
    else all *= 2;                                            /* an untrained kind keeps its training nodes */
    if (status == CRD_OK && s.model->kind->teacher != NULL) { /* trained while the pupil is ready to start */
        crd_config its = *config;
        int64_t of_teacher = 0;
        status = crd_config_set(&its, "model", s.model->kind->teacher->name, error);
        its.hold_out = config->hold_out;
        if (status == CRD_OK) status = crd_train_memory(dataset, split, &its, &of_teacher, error);
        all += of_teacher;
    }
    if (status == CRD_OK) *bytes = all;
    crd_model_free(&s.model);
    return status;
}
