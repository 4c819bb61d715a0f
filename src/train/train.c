/* The training loop: warm-up, full-batch epochs, early stopping with the best parameters kept. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/random.h"
#include "base/tree.h"
#include "graph/reorder.h"
#include "io/npy.h"
#include "kernels/losses.h"
#include "models/config.h"
#include "models/remember.h"
#include "train/train.h"

/* Adam over a model's parameters. */
typedef struct {
    int64_t steps;
    float *gradient[CRD_MAX_PARAMETERS];
    float *moment[CRD_MAX_PARAMETERS];
    float *square[CRD_MAX_PARAMETERS];
} optimiser;

typedef struct {
    int64_t *nodes;
    int32_t *labels;
    int64_t count;
} labelled;

typedef struct {
    const crd_dataset *dataset;
    crd_model *model;
    const crd_train_options *options;
    crd_reordered order;        /* the graph, to train on: a node's row is order.place[node] */
    crd_graph graph;            /* the arrays of that order */
    crd_prepared features;      /* in that order */
    labelled train, validation; /* for a trained kind, the nodes are rows in that order */
    crd_run *run;
    optimiser adam;
    float *output; /* [validation nodes][classes] */
    float *best[CRD_MAX_PARAMETERS];
    crd_team *team;
    crd_plan lists; /* of the labelled nodes */
    int64_t drawn;  /* epochs so far, warm-up included: the dropout's coordinate */
} training;

/* ---- preparation ---- */

static bool belongs(const training *s, const crd_split *split, crd_role role, int64_t node)
{
    const int32_t label = s->dataset->labels[node];
    return split->roles[node] == role && label >= 0 && label < s->model->classes;
}

/* Plans the list of a role's nodes whose class is known and in distribution. */
static void plan_list(training *s, const crd_split *split, crd_role role, labelled *set)
{
    for (int64_t i = 0; i < split->nodes; i++) set->count += belongs(s, split, role, i);
    CRD_PLAN(&s->lists, &set->nodes, set->count);
    CRD_PLAN(&s->lists, &set->labels, set->count);
}

/* Fills it with their rows in the order of training, ascending. */
static void fill_list(training *s, const crd_split *split, crd_role role, labelled *set)
{
    const int32_t *order = s->order.order; /* NULL: nodes are rows */
    int64_t next = 0;
    for (int64_t row = 0; row < split->nodes; row++) {
        const int64_t i = order != NULL ? order[row] : row;
        if (!belongs(s, split, role, i)) continue;
        set->nodes[next] = row;
        set->labels[next++] = s->dataset->labels[i];
    }
}

static crd_status list_nodes(training *s, const crd_split *split, crd_error *error)
{
    plan_list(s, split, CRD_ROLE_TRAIN, &s->train);
    plan_list(s, split, CRD_ROLE_VALIDATION, &s->validation);
    crd_status status = crd_plan_allocate(&s->lists, error);
    if (status != CRD_OK) return status;
    fill_list(s, split, CRD_ROLE_TRAIN, &s->train);
    fill_list(s, split, CRD_ROLE_VALIDATION, &s->validation);
    return CRD_OK;
}

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

static crd_status count_classes(training *s, crd_error *error)
{
    crd_model *model = s->model;
    crd_status status = crd_model_count_classes(model, s->train.labels, s->train.count, error);
    if (status != CRD_OK) return status;
    for (int32_t k = 0; k < model->classes; k++)
        if (model->class_counts[k] == 0.0f)
            return crd_fail(error, CRD_ERROR_MISMATCH,
                            "class %s has no training node: each class that is not left out needs at least one",
                            s->dataset->class_names[k]);
    return CRD_OK;
}

static crd_status copy_names(crd_model *model, const crd_dataset *dataset, crd_error *error)
{
    crd_status status = CRD_NEW_ZERO(&model->class_names, dataset->classes, error);
    if (status != CRD_OK) return status;
    model->left_out = dataset->classes - model->classes;
    for (int32_t k = 0; k < dataset->classes && status == CRD_OK; k++)
        status = crd_copy_string(&model->class_names[k], dataset->class_names[k], error);
    return status;
}

/* The split as training uses it: left-out nodes neither teach nor validate. */
static crd_status keep_split(crd_model *model, const crd_dataset *dataset, const crd_split *split, crd_error *error)
{
    crd_status status = crd_split_from_roles(split->roles, split->nodes, &model->split, error);
    if (status != CRD_OK) return status;
    memcpy(model->split->description, split->description, sizeof split->description);
    for (int64_t i = 0; i < split->nodes; i++)
        if (dataset->labels[i] >= model->classes && model->split->roles[i] != CRD_ROLE_TEST)
            model->split->roles[i] = CRD_ROLE_NONE;
    return CRD_OK;
}

static crd_status prepare_features(training *s, crd_error *error)
{
    crd_model *model = s->model;
    const crd_features *features = &s->dataset->features;
    model->config.features = crd_preprocess_choose(features, model->config.features);
    crd_status status = CRD_OK;
    if (model->config.features == CRD_FEATURES_STANDARD) {
        status = CRD_NEW(&model->feature_mean, features->columns, error);
        if (status == CRD_OK) status = CRD_NEW(&model->feature_scale, features->columns, error);
        if (status == CRD_OK)
            status = crd_preprocess_measure(features, model->feature_mean, model->feature_scale, error);
    }
    if (status == CRD_OK)
        status = crd_preprocess(features, model->config.features, model->feature_mean, model->feature_scale,
                                s->order.order, &s->features, error);
    return status;
}

static crd_status start_weights(crd_model *model, const crd_model *init, crd_error *error)
{
    if (init == NULL) {
        model->kind->initialise(model, model->config.seed);
        return CRD_OK;
    }
    if (!model->kind->trained)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "the model %s has no weights that could start from others",
                        model->kind->name);
    if (init->kind != model->kind)
        return crd_fail(error, CRD_ERROR_MISMATCH, "the initial weights are of the model %s, expected %s",
                        init->kind->name, model->kind->name);
    for (int p = 0; p < model->parameters; p++) {
        const crd_parameter *from = &init->parameter[p];
        crd_parameter *to = &model->parameter[p];
        for (int d = 0; d < to->dims; d++)
            if (from->shape[d] != to->shape[d])
                return crd_fail(error, CRD_ERROR_MISMATCH,
                                "the initial %s has %lld in dimension %d, expected %lld (features, classes, "
                                "hidden, latent and flow-layers must agree)",
                                to->name, (long long)from->shape[d], d, (long long)to->shape[d]);
        memcpy(to->value, from->value, (size_t)to->count * sizeof *to->value);
    }
    return CRD_OK;
}

/* Nodes without a path to training and validation nodes come last. */
static crd_status reorder(training *s, const crd_split *split, crd_error *error)
{
    const crd_graph *graph = &s->dataset->graph;
    bool *needed;
    crd_status status = CRD_NEW(&needed, graph->nodes, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < graph->nodes; i++)
        needed[i] = split->roles[i] == CRD_ROLE_TRAIN || split->roles[i] == CRD_ROLE_VALIDATION;
    status = crd_reorder(graph->nodes, graph->start, graph->neighbour, needed, &s->order, error);
    s->graph = (crd_graph){s->order.nodes, s->order.start, s->order.neighbour};
    free(needed);
    return status;
}

/* Everything but features and weights. */
static crd_status prepare(training *s, const crd_split *split, const crd_config *config, crd_error *error)
{
    crd_status status = crd_model_new(crd_model_kind_find(config->model), &s->model, error);
    if (status != CRD_OK) return status;
    crd_model *model = s->model;
    model->config = *config;
    crd_config_tidy(&model->config);
    model->classes = s->dataset->classes - (int32_t)config->left_out;
    memcpy(model->fingerprint, s->dataset->fingerprint, sizeof model->fingerprint);
    snprintf(model->version, sizeof model->version, "%s", crd_version());
    status = copy_names(model, s->dataset, error);
    if (status == CRD_OK && model->kind->trained) status = reorder(s, split, error);
    if (status == CRD_OK) status = list_nodes(s, split, error);
    if (status == CRD_OK) status = count_classes(s, error);
    if (status == CRD_OK) status = keep_split(model, s->dataset, split, error);
    return status;
}

static void plan_optimiser(optimiser *o, crd_plan *plan, const crd_model *model)
{
    for (int p = 0; p < model->parameters; p++) {
        CRD_PLAN_ZERO(plan, &o->gradient[p], model->parameter[p].count);
        CRD_PLAN_ZERO(plan, &o->moment[p], model->parameter[p].count);
        CRD_PLAN_ZERO(plan, &o->square[p], model->parameter[p].count);
    }
}

/* Lists what training needs besides the model's arrays. */
static crd_inputs plan_training(training *s, crd_plan *plan)
{
    const crd_model *model = s->model;
    plan_optimiser(&s->adam, plan, model);
    CRD_PLAN(plan, &s->output, s->validation.count * model->classes);
    for (int p = 0; p < model->parameters; p++) CRD_PLAN(plan, &s->best[p], model->parameter[p].count);
    return (crd_inputs){&s->graph, &s->features,        s->train.nodes,      s->train.labels, s->train.count,
                        s->team,   s->validation.nodes, s->validation.count, s->order.reached};
}

static crd_status prepare_training(training *s, crd_error *error)
{
    crd_model *model = s->model;
    model->features = s->dataset->features.columns;
    crd_status status = crd_team_open(model->config.threads, &s->team, error);
    if (status == CRD_OK) status = prepare_features(s, error);
    if (status == CRD_OK) status = model->kind->declare(model, error);
    if (status == CRD_OK) status = start_weights(model, s->options->init, error);
    if (status == CRD_OK) status = crd_history_open(&model->history, error);
    if (status != CRD_OK) return status;
    crd_plan plan = {0};
    const crd_inputs inputs = plan_training(s, &plan);
    return crd_run_open(model, &inputs, &plan, &s->run, error);
}

/* ---- the optimiser ---- */

/* Forgets all moments: a fresh Adam. */
static void reset_optimiser(optimiser *o, const crd_model *model)
{
    o->steps = 0;
    for (int p = 0; p < model->parameters; p++) {
        size_t bytes = (size_t)model->parameter[p].count * sizeof(float);
        memset(o->moment[p], 0, bytes);
        memset(o->square[p], 0, bytes);
    }
}

typedef struct {
    optimiser *optimiser;
    const crd_kernels *kernels;
    crd_parameter *parameter;
    int index;
    float rate, decay;
} adam_job;

static void adam_range(int64_t begin, int64_t end, void *context)
{
    adam_job *j = context;
    optimiser *o = j->optimiser;
    j->kernels->adam(begin, end, o->steps, j->rate, j->decay, o->gradient[j->index], o->moment[j->index],
                     o->square[j->index], j->parameter->value);
}

/* Moves the parameters along the gradients; in the warm-up only those that warm up, without decay. */
static void move_parameters(optimiser *o, crd_model *model, bool warmup, const crd_run *run)
{
    o->steps++;
    for (int p = 0; p < model->parameters; p++) {
        crd_parameter *parameter = &model->parameter[p];
        if (warmup && !parameter->warms_up) continue;
        float decay = parameter->decays ? (float)model->config.weight_decay : 0.0f;
        adam_job j = {o, run->kernels, parameter, p, (float)model->config.lr, decay};
        crd_parallel_rows(run->inputs.team, parameter->count, 16384, adam_range, &j);
    }
}

/* ---- epochs ---- */

/* The sums of -log p_y and of right answers. */
static void validate_rows(int64_t begin, int64_t end, double *sums, void *context)
{
    const training *s = context;
    const int32_t classes = s->model->classes;
    for (int64_t v = begin; v < end; v++) {
        const float *row = s->output + v * classes;
        int32_t best = 0;
        for (int32_t k = 1; k < classes; k++)
            if (row[k] > row[best]) best = k;
        sums[0] += crd_output_surprise(s->model->kind->output, row, classes, s->validation.labels[v]);
        sums[1] += best == s->validation.labels[v] ? 1.0 : 0.0;
    }
}

/* -mean log p_y and accuracy on the validation nodes, without dropout. */
static void validate(training *s, crd_epoch *epoch)
{
    if (s->validation.count == 0) {
        epoch->validation_cross_entropy = epoch->validation_accuracy = NAN;
        return;
    }
    s->model->kind->infer(s->run, s->output, NULL);
    double sums[2];
    crd_parallel_sum_listed(s->team, s->graph.nodes, s->validation.nodes, s->validation.count, validate_rows, s, 2,
                            sums);
    epoch->validation_cross_entropy = sums[0] / (double)s->validation.count;
    epoch->validation_accuracy = sums[1] / (double)s->validation.count;
}

static uint64_t dropout_key(const training *s)
{
    return crd_hash(crd_hash(s->model->config.seed, CRD_RNG_DROPOUT), (uint64_t)s->drawn);
}

/* One step and its validation; false if the loss is no longer a number. */
static bool run_epoch(training *s, bool warmup, int64_t number, crd_epoch *epoch)
{
    const double start = crd_seconds();
    crd_loss loss;
    const crd_model_kind *kind = s->model->kind;
    kind->step(s->run, warmup, dropout_key(s), s->adam.gradient, &loss);
    s->drawn++;
    *epoch = (crd_epoch){.warmup = warmup, .epoch = number, .terms = loss.terms};
    for (int t = 0; t < loss.terms; t++) {
        epoch->term_name[t] = loss.name[t];
        epoch->term[t] = loss.value[t];
        epoch->loss += loss.value[t];
    }
    if (!isfinite(epoch->loss)) return false;
    move_parameters(&s->adam, s->model, warmup, s->run);
    if (kind->expect != NULL) kind->expect(s->run, dropout_key(s));
    validate(s, epoch);
    epoch->seconds = crd_seconds() - start;
    return s->validation.count == 0 || isfinite(epoch->validation_cross_entropy);
}

static void copy_parameters(const crd_model *model, float *const *best, bool restore)
{
    for (int p = 0; p < model->parameters; p++) {
        size_t bytes = (size_t)model->parameter[p].count * sizeof(float);
        if (restore) memcpy(model->parameter[p].value, best[p], bytes);
        else memcpy(best[p], model->parameter[p].value, bytes);
    }
}

static bool report(const training *s, const crd_epoch *epoch)
{
    crd_history_add(&s->model->history, epoch);
    return s->options->progress == NULL || s->options->progress(epoch, s->options->user);
}

static crd_status diverged(const crd_epoch *epoch, crd_error *error)
{
    return crd_fail(error, CRD_ERROR_NUMERIC,
                    "the loss is not a number in %sepoch %lld: try a smaller lr or reg-weight, or "
                    "other features",
                    epoch->warmup ? "warm-up " : "", (long long)epoch->epoch);
}

/* The warm-up: the flows alone. *stopped if the call-back returned false. */
static crd_status warm_up(training *s, bool *stopped, crd_error *error)
{
    for (int64_t e = 1; e <= s->model->config.warmup && !*stopped; e++) {
        crd_epoch epoch;
        if (!run_epoch(s, true, e, &epoch)) return diverged(&epoch, error);
        *stopped = !report(s, &epoch);
    }
    return CRD_OK;
}

static crd_status main_phase(training *s, crd_error *error)
{
    crd_model *model = s->model;
    const bool validated = s->validation.count > 0;
    int64_t most = model->config.max_epochs;
    if (most < 0) most = validated ? INT64_MAX : CRD_EPOCHS_WITHOUT_VALIDATION;
    model->stop = CRD_STOP_EPOCHS;
    reset_optimiser(&s->adam, model);
    for (int64_t e = 1; e <= most; e++) {
        crd_epoch epoch;
        if (!run_epoch(s, false, e, &epoch)) {
            if (model->best_epoch == 0) return diverged(&epoch, error);
            model->stop = CRD_STOP_DIVERGED;
            break;
        }
        model->epochs = e;
        if (validated && (model->best_epoch == 0 || epoch.validation_cross_entropy < model->best_cross_entropy)) {
            epoch.best = true;
            model->best_epoch = e;
            model->best_cross_entropy = epoch.validation_cross_entropy;
            model->best_accuracy = epoch.validation_accuracy;
            copy_parameters(model, s->best, false);
        }
        epoch.best_epoch = model->best_epoch;
        if (!report(s, &epoch)) {
            model->stop = CRD_STOP_REQUESTED;
            break;
        }
        if (validated && e - model->best_epoch >= model->config.patience) {
            model->stop = CRD_STOP_PATIENCE;
            break;
        }
    }
    if (model->best_epoch > 0) copy_parameters(model, s->best, true);
    return CRD_OK;
}

/* Without validation, nothing has checked the weights after the last step. */
static crd_status check_parameters(const crd_model *model, crd_error *error)
{
    for (int p = 0; p < model->parameters; p++)
        for (int64_t i = 0; i < model->parameter[p].count; i++)
            if (!isfinite(model->parameter[p].value[i]))
                return crd_fail(error, CRD_ERROR_NUMERIC,
                                "after %lld epochs %s is not a number any more: try a smaller lr or reg-weight",
                                (long long)model->epochs, model->parameter[p].name);
    return CRD_OK;
}

static void close_training(training *s)
{
    crd_run_close(&s->run);
    crd_team_close(&s->team);
    crd_prepared_free(&s->features);
    crd_reordered_free(&s->order);
    crd_plan_free(&s->lists);
}

/* ---- a teacher ---- */

/* For the call-back, the teacher's epochs are a warm-up. */
static bool report_lesson(const crd_epoch *epoch, void *user)
{
    crd_epoch shown = *epoch;
    shown.warmup = true;
    shown.best = false;
    shown.best_epoch = 0;
    return report(user, &shown);
}

/* Trains the teacher on the same nodes and gives its answers to the pupil. *its_stop says how its training ended. */
static crd_status learn_from_teacher(training *s, const crd_split *split, const crd_config *config, crd_stop *its_stop,
                                     crd_error *error)
{
    const crd_model_kind *kind = s->model->kind->teacher;
    crd_config its = *config;
    const crd_train_options options = {.progress = report_lesson, .user = s};
    const crd_inputs inputs = {.graph = &s->graph, .features = &s->features, .team = s->team};
    crd_model *teacher = NULL;
    crd_run *run = NULL;
    float *answers = NULL; /* [N][classes] */
    crd_status status = crd_config_set(&its, "model", kind->name, error);
    if (status == CRD_OK) status = crd_train(s->dataset, split, &its, &options, &teacher, error);
    if (status == CRD_OK) status = CRD_NEW(&answers, s->graph.nodes * s->model->classes, error);
    if (status == CRD_OK) status = crd_run_open(teacher, &inputs, NULL, &run, error);
    if (status == CRD_OK) {
        kind->infer(run, answers, NULL);
        s->model->kind->teach(s->run, answers);
        crd_run_close(&run);
        *its_stop = teacher->stop;
    }
    free(answers);
    crd_model_free(&teacher);
    return status;
}

/* ---- all of it ---- */

static crd_status run_training(training *s, const crd_split *split, const crd_config *config, crd_error *error)
{
    crd_stop teachers = CRD_STOP_NOTHING;
    crd_status status = prepare_training(s, error);
    if (status == CRD_OK && s->model->kind->teacher != NULL)
        status = learn_from_teacher(s, split, config, &teachers, error);
    bool stopped = teachers == CRD_STOP_REQUESTED;
    if (status == CRD_OK) status = warm_up(s, &stopped, error);
    if (status == CRD_OK && stopped) s->model->stop = CRD_STOP_REQUESTED; /* the model so far is kept */
    else if (status == CRD_OK) status = main_phase(s, error);
    /* A pupil with all the epochs it could use is not fully trained if its teacher ran out of epochs. */
    if (status == CRD_OK && teachers == CRD_STOP_EPOCHS && s->model->stop == CRD_STOP_PATIENCE)
        s->model->stop = CRD_STOP_EPOCHS;
    if (status == CRD_OK) status = check_parameters(s->model, error);
    crd_history_shrink(&s->model->history);
    return status;
}

/* There are no epochs and no weights, and features are not used. */
static crd_status remember(training *s, crd_error *error)
{
    crd_model *model = s->model;
    model->config.features = CRD_FEATURES_NONE;
    model->stop = CRD_STOP_NOTHING;
    crd_status status = start_weights(model, s->options->init, error);
    if (status == CRD_OK) status = crd_remember(model, s->train.nodes, s->train.labels, s->train.count, error);
    return status;
}

crd_status crd_train(const crd_dataset *dataset, const crd_split *split, const crd_config *config,
                     const crd_train_options *options, crd_model **model, crd_error *error)
{
    const crd_train_options none = {0};
    crd_config defaults;
    crd_config_defaults(&defaults);
    if (config == NULL) config = &defaults;
    *model = NULL;
    crd_status status = crd_train_check(dataset, split, config, error);
    if (status != CRD_OK) return status;
    if (config->inductive) return crd_train_inductive(dataset, split, config, options, model, error);
    training s = {.dataset = dataset, .options = options != NULL ? options : &none};
    const double start = crd_seconds();
    status = prepare(&s, split, config, error);
    if (status == CRD_OK)
        status = s.model->kind->trained ? run_training(&s, split, config, error) : remember(&s, error);
    if (status == CRD_OK) s.model->seconds = crd_seconds() - start;
    close_training(&s);
    if (status == CRD_OK) *model = s.model;
    else crd_model_free(&s.model);
    return status;
}
