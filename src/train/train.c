/* SPDX-License-Identifier: MIT */
/* The training loop: warm-up, full-batch epochs, early stopping with the best parameters kept. */
#include "train/train.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/random.h"
#include "base/sized.h"
#include "base/tree.h"
#include "base/watch.h"
#include "train/checkpoint.h"

/* ---- the optimiser ---- */

/* Forgets all moments: a fresh Adam. */
static void reset_optimiser(crd_training *s)
{
    s->steps = 0;
    for (int p = 0; p < s->model->parameters; p++) {
        size_t bytes = (size_t)s->model->parameter[p].count * sizeof(float);
        memset(s->moment[p], 0, bytes);
        memset(s->square[p], 0, bytes);
    }
}

typedef struct {
    crd_training *s;
    int parameter;
    float decay;
} adam_job;

static void adam_range(int64_t begin, int64_t end, void *context)
{
    const adam_job *j = context;
    const crd_training *s = j->s;
    const int p = j->parameter;
    s->run->kernels->adam(begin, end, s->steps, (float)s->model->config.lr, j->decay, s->gradient[p], s->moment[p],
                          s->square[p], s->model->parameter[p].value);
}

/* Moves the parameters along the gradients; in the warm-up only those that warm up, without decay. */
static void move_parameters(crd_training *s, bool warmup)
{
    s->steps++;
    for (int p = 0; p < s->model->parameters; p++) {
        const crd_parameter *parameter = &s->model->parameter[p];
        if (warmup && !parameter->form->warms_up) continue;
        adam_job j = {s, p, parameter->form->decays ? (float)s->model->config.weight_decay : 0.0f};
        crd_parallel_rows(s->team, parameter->count, 16384, adam_range, &j);
    }
}

/* ---- epochs ---- */

/* The sums of right answers, of nodes and of -log p_y. */
static void validate_rows(int64_t begin, int64_t end, double *sums, void *context)
{
    const crd_training *s = context;
    const int32_t classes = s->model->classes;
    for (int64_t v = begin; v < end; v++) {
        const float *row = s->output + v * classes;
        int32_t best = 0;
        for (int32_t k = 1; k < classes; k++)
            if (row[k] > row[best]) best = k;
        sums[0] += best == s->validation.labels[v] ? 1.0 : 0.0;
        sums[1] += 1.0;
        sums[2] += crd_output_surprise(s->model->kind->output, row, classes, s->validation.labels[v]);
    }
}

enum { OF_VIEWS = 2 + CRD_VIEWS * CRD_TEMPERATURES };

/* The same for a network of a committee: right answers of all views together, among the known classes, for nodes whose
 * class is known; how many these are; and the surprises of each view. */
static void validate_views(int64_t begin, int64_t end, double *sums, void *context)
{
    const crd_training *s = context;
    const int32_t classes = s->model->classes;
    for (int64_t v = begin; v < end; v++) {
        const float *rows = s->output + v * CRD_VIEWS * classes;
        const int32_t label = s->validation.labels[v];
        int32_t best = 0;
        float most = -INFINITY;
        for (int view = 0; view < CRD_VIEWS; view++)
            crd_views_surprise(rows + view * classes, classes, label, s->validation_weight[label] / CRD_VIEWS,
                               sums + 2 + view * CRD_TEMPERATURES);
        if (label == classes - 1) continue;
        for (int32_t k = 0; k < classes - 1; k++) {
            float sum = 0.0f;
            for (int view = 0; view < CRD_VIEWS; view++) sum += rows[view * classes + k];
            if (sum > most) best = k;
            most = fmaxf(most, sum);
        }
        sums[0] += best == label ? 1.0 : 0.0;
        sums[1] += 1.0;
    }
}

static bool is_validated(const crd_training *s)
{
    return s->validation.count > 0 && !s->unchecked;
}

/* -mean log p_y and accuracy on the validation nodes, without dropout. */
static void validate(crd_training *s, crd_epoch *epoch)
{
    if (!is_validated(s)) {
        epoch->validation_cross_entropy = epoch->validation_accuracy = NAN;
        return;
    }
    s->model->kind->infer(s->run, s->output, NULL);
    const bool views = s->validation_weight != NULL;
    double sums[OF_VIEWS], surprise = 0.0;
    crd_parallel_sum_listed(s->team, s->graph.nodes, s->validation.nodes, s->validation.count,
                            views ? validate_views : validate_rows, s, views ? OF_VIEWS : 3, sums);
    for (int view = 0; view < CRD_VIEWS && views; view++) {
        double least = INFINITY;
        for (int t = 0; t < CRD_TEMPERATURES; t++) least = fmin(least, sums[2 + view * CRD_TEMPERATURES + t]);
        surprise += least;
    }
    epoch->validation_cross_entropy = (views ? surprise : sums[2]) / (double)s->validation.count;
    epoch->validation_accuracy = sums[0] / sums[1];
}

static uint64_t dropout_key(const crd_training *s)
{
    return crd_hash(crd_hash(s->model->config.seed, CRD_RNG_DROPOUT), (uint64_t)s->drawn);
}

typedef enum { EPOCH_DONE, EPOCH_DIVERGED, EPOCH_CUT } epoch_end;

/* One step and its validation. It diverges if the loss is no longer a number. If somebody asks to stop in the middle,
 * it is cut: the step was taken as a whole or not at all, and nothing is known about it. */
static epoch_end run_epoch(crd_training *s, bool warmup, int64_t number, crd_epoch *epoch)
{
    const double start = crd_seconds();
    crd_loss loss;
    const crd_model_kind *kind = s->model->kind;
    kind->step(s->run, warmup, dropout_key(s), s->gradient, &loss);
    if (crd_watch_asks_to_stop()) return EPOCH_CUT;
    s->drawn++;
    *epoch = (crd_epoch){.warmup = warmup, .epoch = number, .terms = loss.terms};
    for (int t = 0; t < loss.terms; t++) {
        epoch->term_name[t] = loss.name[t];
        epoch->term[t] = loss.value[t];
        epoch->loss += loss.value[t];
    }
    if (!isfinite(epoch->loss)) return EPOCH_DIVERGED;
    crd_team_watch(s->team, false);
    move_parameters(s, warmup);
    crd_team_watch(s->team, true);
    if (kind->expect != NULL) kind->expect(s->run, dropout_key(s));
    validate(s, epoch);
    epoch->seconds = crd_seconds() - start;
    if (is_validated(s) && crd_watch_asks_to_stop()) return EPOCH_CUT;
    return !is_validated(s) || isfinite(epoch->validation_cross_entropy) ? EPOCH_DONE : EPOCH_DIVERGED;
}

static void copy_parameters(const crd_model *model, float *const *best, bool restore)
{
    for (int p = 0; p < model->parameters; p++) {
        size_t bytes = (size_t)model->parameter[p].count * sizeof(float);
        if (restore) memcpy(model->parameter[p].value, best[p], bytes);
        else memcpy(best[p], model->parameter[p].value, bytes);
    }
}

static bool report(const crd_training *s, const crd_epoch *epoch)
{
    crd_history_add(&s->model->history, epoch); /* a network of a committee has none */
    return s->lesson->report(epoch, s->lesson->user);
}

static crd_status diverged(const crd_epoch *epoch, crd_error *error)
{
    return crd_fail(error, CRD_ERROR_NUMERIC,
                    "the loss is not a number in %sepoch %lld: try a smaller lr or reg-weight, or "
                    "other features",
                    epoch->warmup ? "warm-up " : "", (long long)epoch->epoch);
}

/* The warm-up: the flows alone. *stopped if the call-back returned false. */
static crd_status warm_up(crd_training *s, crd_stage *stage, bool *stopped, crd_error *error)
{
    crd_status status = CRD_OK;
    while (stage->warmup_epochs < s->model->config.warmup && !*stopped && status == CRD_OK) {
        crd_epoch epoch;
        const epoch_end end = run_epoch(s, true, stage->warmup_epochs + 1, &epoch);
        if (end == EPOCH_DIVERGED) return diverged(&epoch, error);
        if (end == EPOCH_DONE) stage->warmup_epochs++;
        *stopped = end == EPOCH_CUT || !report(s, &epoch);
        if (end == EPOCH_DONE) status = crd_checkpoint_write(s->lesson->checkpoint, s, stage, *stopped, error);
    }
    return status;
}

/* A network of a committee is not judged before this epoch: where held-out nodes are hard to tell apart, one that has
 * learned nothing yet has the best cross-entropy, and does not know the classes. */
enum { LEAST_EPOCHS = 20 };

/* Whether the epoch is the best so far; then its parameters are kept. */
static void judge(crd_training *s, crd_epoch *epoch)
{
    crd_model *model = s->model;
    if (model->best_epoch == 0 || epoch->validation_cross_entropy < model->best_cross_entropy) {
        epoch->best = true;
        model->best_epoch = epoch->epoch;
        model->best_cross_entropy = epoch->validation_cross_entropy;
        model->best_accuracy = epoch->validation_accuracy;
        copy_parameters(model, s->best, false);
    }
}

/* What the validation of the last epoch has left in the run, for the next step. */
static void catch_up(crd_training *s)
{
    crd_epoch epoch;
    if (s->model->kind->expect != NULL) s->model->kind->expect(s->run, dropout_key(s));
    validate(s, &epoch);
}

/* The epochs from where the stage is, until something ends them. */
static crd_status run_epochs(crd_training *s, crd_stage *stage, int64_t most, crd_error *error)
{
    crd_model *model = s->model;
    const bool validated = is_validated(s);
    while (stage->epochs < most) {
        const int64_t e = stage->epochs + 1;
        crd_epoch epoch;
        const epoch_end end = run_epoch(s, false, e, &epoch);
        if (end == EPOCH_DIVERGED && model->best_epoch == 0) return diverged(&epoch, error);
        if (end != EPOCH_DONE) {
            model->stop = end == EPOCH_CUT ? CRD_STOP_REQUESTED : CRD_STOP_DIVERGED;
            return CRD_OK;
        }
        model->epochs = stage->epochs = e;
        const bool judged = validated && (s->validation_weight == NULL || e >= LEAST_EPOCHS || e == most);
        if (judged) judge(s, &epoch);
        epoch.best_epoch = model->best_epoch;
        const bool goes_on = report(s, &epoch);
        const bool patient = !judged || e - model->best_epoch < model->config.patience;
        if (!goes_on || patient) {
            crd_status status = crd_checkpoint_write(s->lesson->checkpoint, s, stage, !goes_on, error);
            if (status != CRD_OK) return status;
        }
        if (!goes_on || !patient) {
            model->stop = goes_on ? CRD_STOP_PATIENCE : CRD_STOP_REQUESTED;
            return CRD_OK;
        }
    }
    return CRD_OK;
}

static crd_status main_phase(crd_training *s, crd_stage *stage, crd_error *error)
{
    crd_model *model = s->model;
    int64_t most = model->config.max_epochs;
    if (most < 0) most = is_validated(s) ? INT64_MAX : CRD_EPOCHS_WITHOUT_VALIDATION;
    model->stop = CRD_STOP_EPOCHS;
    if (stage->epochs == 0) reset_optimiser(s);
    crd_status status = run_epochs(s, stage, most, error);
    if (status == CRD_OK && model->best_epoch > 0) {
        copy_parameters(model, s->best, true);
        s->run->restored++;
    }
    return status;
}

/* Without validation, nothing has checked the weights after the last step. */
static crd_status check_parameters(const crd_model *model, crd_error *error)
{
    for (int p = 0; p < model->parameters; p++)
        for (int64_t i = 0; i < model->parameter[p].count; i++)
            if (!isfinite(model->parameter[p].value[i]))
                return crd_fail(error, CRD_ERROR_NUMERIC,
                                "after %lld epochs %s is not a number any more: try a smaller lr or reg-weight",
                                (long long)model->epochs, model->parameter[p].form->name);
    return CRD_OK;
}

/* ---- a teacher ---- */

static crd_status train_on(const crd_dataset *dataset, const crd_split *split, const crd_config *config,
                           const crd_lesson *lesson, const crd_model *trained, crd_model **model, crd_error *error);

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
static crd_status learn_from_teacher(crd_training *s, const crd_split *split, const crd_config *config,
                                     crd_stop *its_stop, crd_error *error)
{
    const crd_model_kind *kind = s->model->kind->teacher;
    crd_config its = *config;
    const crd_lesson lesson = {.report = report_lesson, .user = s, .checkpoint = s->lesson->checkpoint};
    const crd_inputs inputs = {.graph = &s->graph, .features = &s->features, .team = s->team};
    crd_model *teacher = NULL;
    crd_run *run = NULL;
    float *answers = NULL; /* [N][classes] */
    crd_status status = crd_config_set(&its, "model", kind->name, error);
    its.inductive = false;           /* the dataset is what it should see */
    its.hold_out = config->hold_out; /* the same nodes */
    its.patience = config->patience;
    its.max_epochs = config->max_epochs;
    its.calibration = CRD_CALIBRATION_NONE;
    if (status == CRD_OK) status = crd_train_check(s->dataset, split, &its, error);
    if (status == CRD_OK) status = train_on(s->dataset, split, &its, &lesson, NULL, &teacher, error);
    if (status == CRD_OK) status = CRD_NEW(&answers, s->graph.nodes * s->model->classes, error);
    if (status == CRD_OK) status = crd_run_open(teacher, &inputs, NULL, &run, error);
    if (status == CRD_OK) {
        kind->infer(run, answers, NULL);
        s->model->kind->teach(s->run, answers);
        crd_run_close(&run);
        *its_stop = teacher->stop;
    }
    crd_free(answers);
    crd_model_free(&teacher);
    return status;
}

/* All that is learnt in steps: from where a checkpoint left off, if there is one. */
static crd_status learn(crd_training *s, bool warms_up, bool stopped, crd_error *error)
{
    crd_stage stage;
    crd_checkpoint *checkpoint = s->lesson->checkpoint;
    crd_status status = crd_checkpoint_begin(checkpoint, s, &stage, error);
    if (status == CRD_OK && !stage.done && s->drawn > 0) catch_up(s);
    if (status == CRD_OK && !stage.done && warms_up) status = warm_up(s, &stage, &stopped, error);
    if (status == CRD_OK && stopped) s->model->stop = CRD_STOP_REQUESTED; /* the model so far is kept */
    else if (status == CRD_OK && !stage.done) status = main_phase(s, &stage, error);
    return status == CRD_OK ? crd_checkpoint_end(checkpoint, s, error) : status;
}

static crd_status run_training(crd_training *s, const crd_split *split, const crd_config *config, crd_error *error)
{
    crd_stop teachers = CRD_STOP_NOTHING;
    crd_status status = crd_checkpoint_list(s->lesson->checkpoint, &s->model->history, error);
    if (status == CRD_OK && s->model->kind->teacher != NULL)
        status = learn_from_teacher(s, split, config, &teachers, error);
    if (status == CRD_OK) status = learn(s, true, teachers == CRD_STOP_REQUESTED, error);
    /* A pupil with all the epochs it could use is not fully trained if its teacher ran out of epochs. */
    if (status == CRD_OK && teachers == CRD_STOP_EPOCHS && s->model->stop == CRD_STOP_PATIENCE)
        s->model->stop = CRD_STOP_EPOCHS;
    if (status == CRD_OK) status = check_parameters(s->model, error);
    CRD_SHRINK(&s->model->history.rows, s->model->history.count);
    return status;
}

crd_status crd_training_stopped(const crd_model *model, crd_error *error)
{
    if (!crd_watch_asks_to_stop()) return CRD_OK;
    if (model->epochs == 0 && crd_watch_at_once())
        return crd_fail(error, CRD_ERROR_STOPPED, "stopped on request before the first epoch was done");
    crd_watch_go_on();
    return CRD_OK;
}

crd_status crd_training_run(crd_training *s, crd_error *error)
{
    crd_status status = learn(s, false, false, error);
    return status == CRD_OK ? check_parameters(s->model, error) : status;
}

/* Takes over how the training went that gave the initial weights, as if it had been this one. */
static void take_training(crd_model *model, const crd_model *trained)
{
    model->epochs = trained->epochs;
    model->best_epoch = trained->best_epoch;
    model->best_cross_entropy = trained->best_cross_entropy;
    model->best_accuracy = trained->best_accuracy;
    model->stop = trained->stop;
    crd_history_copy(&model->history, &trained->history);
}

/* Trains on the whole dataset, even if the configuration says `inductive`. With `trained`, as crd_rescore. */
static crd_status train_on(const crd_dataset *dataset, const crd_split *split, const crd_config *config,
                           const crd_lesson *lesson, const crd_model *trained, crd_model **model, crd_error *error)
{
    if (crd_model_kind_find(config->model) == &crd_committee)
        return crd_train_committee(dataset, split, config, lesson, model, error);
    crd_training s = {.dataset = dataset, .lesson = lesson};
    const double start = crd_seconds();
    crd_status status = crd_training_open(&s, split, config, error);
    if (status == CRD_OK && trained != NULL) take_training(s.model, trained);
    else if (status == CRD_OK && s.model->kind->trained) status = run_training(&s, split, config, error);
    if (status == CRD_OK) status = crd_training_stopped(s.model, error);
    double of_head = 0.0;
    if (status == CRD_OK && s.model->config.score == CRD_DOUBT_EPN && !crd_watch_at_once()) {
        const double before = crd_seconds();
        status = crd_head_fit(&s, error);
        of_head = crd_seconds() - before;
    }
    crd_training_close(&s);
    if (status == CRD_OK && !crd_watch_at_once()) status = crd_training_promise(s.model, dataset, NULL, error);
    if (status == CRD_OK) s.model->seconds = trained != NULL ? trained->seconds + of_head : crd_seconds() - start;
    if (status == CRD_OK) *model = s.model;
    else crd_model_free(&s.model);
    return status;
}

/* ---- without the left-out classes ---- */

/* The roles of the kept nodes. */
static crd_status cut_split(const crd_split *split, const uint8_t *keep, crd_split **cut, crd_error *error)
{
    crd_status status = crd_split_from_roles(split->roles, split->nodes, cut, error);
    if (status != CRD_OK) return status;
    memcpy((*cut)->description, split->description, sizeof split->description);
    (*cut)->nodes = 0;
    for (int64_t i = 0; i < split->nodes; i++)
        if (keep[i]) (*cut)->roles[(*cut)->nodes++] = split->roles[i];
    return CRD_OK;
}

/* Numbers the nodes that a model remembers as in the whole dataset. */
static void return_to_whole(crd_model *model, const uint8_t *keep)
{
    int64_t place = 0, next = 0;
    for (int64_t i = 0; next < model->remembered; i++)
        if (keep[i] && model->remembered_node[next] == place++) model->remembered_node[next++] = i;
}

/* train_on for a configuration with `inductive`, on the graph without the nodes of left-out classes. The model has
 * the split and fingerprint of the whole dataset, but has never seen those nodes, neither their features nor their
 * edges. */
static crd_status train_inductive(const crd_dataset *dataset, const crd_split *split, const crd_config *config,
                                  const crd_lesson *lesson, const crd_model *trained, crd_model **model,
                                  crd_error *error)
{
    const int64_t classes = dataset->classes - config->left_out;
    crd_dataset *smaller = NULL;
    crd_split *cut = NULL;
    uint8_t *keep;
    crd_status status = CRD_NEW(&keep, split->nodes, error);
    for (int64_t i = 0; i < split->nodes && status == CRD_OK; i++) keep[i] = dataset->labels[i] < classes;
    if (status == CRD_OK) status = crd_dataset_subset(dataset, keep, &smaller, error);
    if (status == CRD_OK) status = cut_split(split, keep, &cut, error);
    if (status == CRD_OK) status = train_on(smaller, cut, config, lesson, trained, model, error);
    if (status == CRD_OK) status = crd_training_split(*model, dataset, split, error);
    if (status == CRD_OK) return_to_whole(*model, keep);
    /* Promises are about answers on the whole graph. */
    if (status == CRD_OK) status = crd_training_record(*model, dataset, error);
    if (status != CRD_OK) crd_model_free(model);
    crd_split_free(&cut);
    crd_dataset_free(&smaller);
    crd_free(keep);
    return status;
}

/* ---- all of it ---- */

static bool tell(const crd_epoch *epoch, void *user)
{
    (void)user;
    return crd_watch_epoch(epoch);
}

static crd_status train(const crd_dataset *dataset, const crd_split *split, const crd_config *config,
                        const crd_model *init, crd_checkpoint *checkpoint, const crd_model *trained, crd_model **model,
                        crd_error *error)
{
    const crd_lesson lesson = {.init = init, .report = tell, .checkpoint = checkpoint};
    crd_status status = crd_train_check(dataset, split, config, error);
    if (status != CRD_OK) return status;
    status = (config->inductive ? train_inductive : train_on)(dataset, split, config, &lesson, trained, model, error);
    if (status == CRD_OK) status = crd_model_identify(*model, error);
    if (status != CRD_OK) crd_model_free(model);
    return status;
}

static void note_plan(const crd_dataset *dataset, const crd_split *split, const crd_config *config)
{
    int64_t bytes;
    if (!crd_log_wanted() || crd_train_memory(dataset, split, config, &bytes, NULL) != CRD_OK) return;
    crd_log(CRD_LOG_INFO, "training: a %s on %lld nodes takes about %.1f MB besides the data", config->model,
            (long long)crd_dataset_nodes(dataset), (double)bytes / 1e6);
}

static void note_end(const crd_model *model)
{
    crd_log(model->stop == CRD_STOP_DIVERGED ? CRD_LOG_WARNING : CRD_LOG_INFO,
            "training: took %.1f s and %lld epochs, ended by %s", model->seconds, (long long)model->epochs,
            crd_stop_name(model->stop));
}

crd_status crd_train(const crd_dataset *dataset, const crd_split *split, const crd_config *config,
                     const crd_train_options *options, crd_model **model, crd_error *error)
{
    if (model != NULL) *model = NULL;
    if (CRD_ANY_NULL(error, dataset, split, model)) return CRD_ERROR_ARGUMENT;
    crd_train_options complete = {.size = sizeof complete};
    crd_config wanted;
    crd_watch watch;
    crd_status status = crd_take_sized("crd_train_options", options, &complete, sizeof complete, error);
    if (status == CRD_OK) status = crd_watch_begin(&watch, complete.control, "training", error);
    if (status != CRD_OK) return status;
    if (config != NULL) wanted = *config;
    else crd_config_defaults(&wanted);
    if (watch.control.threads > 0) wanted.threads = watch.control.threads;
    note_plan(dataset, split, &wanted);
    crd_checkpoint *checkpoint = NULL;
    if (complete.checkpoint != NULL && crd_kind_trained(wanted.model)) /* without epochs there is nothing to lose */
        status = crd_checkpoint_open(complete.checkpoint, complete.checkpoint_seconds, dataset, split, &wanted,
                                     complete.init, &checkpoint, error);
    if (status == CRD_OK) status = train(dataset, split, &wanted, complete.init, checkpoint, NULL, model, error);
    crd_checkpoint_close(&checkpoint);
    if (status == CRD_OK) {
        (*model)->config.threads = config != NULL ? config->threads : 0;
        note_end(*model);
    }
    crd_watch_end(&watch);
    return status;
}

crd_status crd_rescore(const crd_model *trained, const crd_dataset *dataset, const crd_split *split, crd_doubt score,
                       crd_model **model, crd_error *error)
{
    crd_config config = trained->config;
    config.score = score;
    *model = NULL;
    return train(dataset, split, &config, trained, NULL, trained, model, error);
}
