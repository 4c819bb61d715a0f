/* SPDX-License-Identifier: MIT */
/* The training of a committee: one network per fold of the validation nodes. A network learns from the training nodes
 * and from the validation nodes of the other folds. It never sees the labels of its own fold, on which it stops, and
 * which then say how far to trust it. So every label teaches, and every weight is chosen by labels that were not
 * taught. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/watch.h"
#include "train/checkpoint.h"
#include "train/train.h"

/* Of the nodes that say when the networks stop and how they are weighed, at most this many are unlabelled: more change
 * nothing. */
enum { MOST_UNLABELLED = 8192 };

typedef struct {
    crd_training shared;
    const crd_lesson *lesson;
    int64_t nodes;
    int32_t *known;    /* the class of labelled nodes that may teach or validate; -1: unlabelled */
    int32_t *fold;     /* -1: it teaches every network */
    int32_t *label;    /* for the network being trained, */
    int32_t *held_out; /* like this */
    int64_t stride;    /* every stride-th unlabelled node validates, and is in the sample */
    float *logits;     /* the sample of crd_pool_fit */
    int32_t *class_index;
    int64_t *node;
    int64_t sampled, logits_room, class_room, node_room;
    int64_t epochs, best_epoch; /* of the networks that are done; of the last one */
    bool stopped;
    crd_plan plan;
} committee;

/* Deals the nodes that are held out to folds, class by class, in an order drawn from the seed. Without validation nodes
 * these are training nodes of classes that have several. */
static crd_status deal(committee *c, crd_error *error)
{
    const crd_model *model = c->shared.model;
    const crd_split *split = model->split;
    const int64_t validating = crd_split_count(split, CRD_ROLE_VALIDATION);
    const crd_role role = validating > 0 ? CRD_ROLE_VALIDATION : CRD_ROLE_TRAIN;
    int64_t *members, *start, dealt = 0;
    crd_status status = crd_nodes_by_class(c->known, c->nodes, model->classes, &members, &start, error);
    for (int64_t i = 0; i < c->nodes; i++) c->fold[i] = -1;
    for (int32_t k = 0; k < model->classes && status == CRD_OK; k++) {
        int64_t count = 0;
        int64_t *of_class = members + start[k];
        model->class_counts[k] = (float)(start[k + 1] - start[k]); /* every label teaches some network */
        for (int64_t m = 0; m < start[k + 1] - start[k]; m++)
            if (split->roles[of_class[m]] == role) of_class[count++] = of_class[m];
        crd_rng rng = crd_rng_start(crd_hash(model->config.seed, CRD_RNG_FOLDS), (uint64_t)k);
        crd_rng_shuffle(&rng, of_class, count);
        for (int64_t m = 0; m < count && (validating > 0 || count > 1); m++)
            c->fold[of_class[m]] = (int32_t)(dealt++ % model->config.networks);
    }
    crd_free(members);
    crd_free(start);
    return status;
}

static crd_status open(committee *c, const crd_split *split, const crd_config *config, crd_error *error)
{
    crd_status status = crd_training_prepare(&c->shared, split, config, error);
    if (status == CRD_OK) status = crd_training_share(&c->shared, error);
    if (status != CRD_OK) return status;
    const crd_model *model = c->shared.model;
    int64_t unlabelled = 0;
    c->nodes = c->shared.dataset->graph.nodes;
    CRD_PLAN(&c->plan, &c->known, c->nodes);
    CRD_PLAN(&c->plan, &c->fold, c->nodes);
    CRD_PLAN(&c->plan, &c->label, c->nodes);
    CRD_PLAN(&c->plan, &c->held_out, c->nodes);
    status = crd_plan_allocate(&c->plan, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < c->nodes; i++) {
        const uint8_t role = model->split->roles[i];
        const bool labelled = role == CRD_ROLE_TRAIN || role == CRD_ROLE_VALIDATION;
        const int32_t class_index = c->shared.dataset->labels[i];
        c->known[i] = labelled && class_index < model->classes ? class_index : -1;
        unlabelled += c->known[i] < 0;
    }
    c->stride = unlabelled * model->config.networks / MOST_UNLABELLED + 1;
    status = deal(c, error);
    return status == CRD_OK ? crd_watch_check(error) : status;
}

int64_t crd_committee_bytes(const crd_model *network, int64_t nodes, int64_t labelled)
{
    const int64_t outputs = crd_model_outputs(network), hidden = network->config.hidden,
                  networks = network->config.networks;
    const int64_t weights = (network->features + 1) * hidden + (hidden + 1) * outputs;
    const int64_t unlabelled = networks * nodes < MOST_UNLABELLED ? networks * nodes : MOST_UNLABELLED + networks;
    const int64_t of_lists = 4 * sizeof(int32_t) + 2 * (sizeof(int64_t) + sizeof(int32_t)); /* and of each network */
    const int64_t of_sample = (int64_t)(sizeof(int64_t) + sizeof(int32_t)) + outputs * (int64_t)sizeof(float);
    return nodes * of_lists + (networks - 1) * weights * (int64_t)sizeof(float) +
           2 * (labelled + unlabelled) * of_sample;
}

/* ---- progress ---- */

/* Progress numbers epochs through all networks; in the history each network has its own. */
static bool report(const crd_epoch *epoch, void *user)
{
    committee *c = user;
    crd_epoch shown = *epoch;
    shown.network = c->shared.model->members + 1;
    shown.epoch += c->epochs;
    if (shown.best_epoch > 0) shown.best_epoch += c->epochs;
    crd_history_add(&c->shared.model->history, epoch);
    c->stopped = !c->lesson->report(&shown, c->lesson->user);
    return !c->stopped;
}

/* ---- networks ---- */

/* Keeps what the network says about the nodes that it was validated on: its fold, and some unlabelled nodes. */
static crd_status take_sample(committee *c, crd_training *s, crd_error *error)
{
    const int64_t outputs = crd_model_outputs(s->model);
    const int32_t unlabelled = s->model->classes - 1;
    const int64_t more = s->validation.count;
    crd_status status = CRD_GROW(&c->logits, &c->logits_room, (c->sampled + more) * outputs, error);
    if (status == CRD_OK) status = CRD_GROW(&c->node, &c->node_room, c->sampled + more, error);
    if (status == CRD_OK) status = CRD_GROW(&c->class_index, &c->class_room, c->sampled + more, error);
    if (status != CRD_OK) return status;
    s->model->kind->infer(s->run, s->output, NULL);
    if (crd_watch_asks_to_stop()) { /* in the middle of that */
        c->stopped = true;
        if (crd_watch_at_once()) return CRD_OK;
        const bool before = crd_watch_finish(true);
        s->model->kind->infer(s->run, s->output, NULL);
        crd_watch_finish(before);
    }
    for (int64_t v = 0; v < s->validation.count; v++) {
        const int32_t label = s->validation.labels[v];
        memcpy(c->logits + c->sampled * outputs, s->output + v * outputs, (size_t)outputs * sizeof *s->output);
        c->node[c->sampled] = s->order.order != NULL ? s->order.order[s->validation.nodes[v]] : s->validation.nodes[v];
        c->class_index[c->sampled++] = label == unlabelled ? -1 : label;
    }
    return CRD_OK;
}

/* Adds a network that has been trained. One that was interrupted is left out if there is another one. */
static void add_member(committee *c, crd_model **member)
{
    crd_model *model = c->shared.model, *made = *member;
    if (model->stop == CRD_STOP_UNTRAINED || made->stop != CRD_STOP_PATIENCE) model->stop = made->stop;
    if (made->best_epoch > 0) c->best_epoch = c->epochs + made->best_epoch;
    c->epochs += made->epochs;
    crd_history_free(&made->history);
    if (c->stopped && model->members > 0) crd_model_free(member);
    else model->member[model->members++] = made;
}

static crd_status train_member(committee *c, int32_t fold, crd_error *error)
{
    crd_model *model = c->shared.model;
    const crd_lesson lesson = {.report = report, .user = c, .checkpoint = c->lesson->checkpoint};
    for (int64_t i = 0, unlabelled = 0; i < c->nodes; i++) {
        const bool out = c->fold[i] == fold;
        c->label[i] = c->known[i] >= 0 && !out ? c->known[i] : model->classes;
        c->held_out[i] = out ? c->known[i] : CRD_NOT_ASKED;
        if (c->known[i] < 0 && unlabelled++ % c->stride == 0) c->held_out[i] = CRD_AS_UNLABELLED;
    }
    crd_training s = {.dataset = c->shared.dataset, .lesson = &lesson};
    crd_status status = crd_training_open_member(&s, &c->shared, c->label, c->held_out, error);
    if (status == CRD_ERROR_STOPPED && model->members > 0) { /* the networks before it are kept */
        c->stopped = true;
        model->stop = CRD_STOP_REQUESTED;
        crd_training_close(&s);
        crd_model_free(&s.model);
        return CRD_OK;
    }
    if (status == CRD_OK) status = crd_training_run(&s, error);
    c->stopped = c->stopped || (status == CRD_OK && s.model->stop == CRD_STOP_REQUESTED);
    const bool kept = !c->stopped || fold == 0;
    if (status == CRD_OK && kept) status = crd_training_stopped(s.model, error);
    if (status == CRD_OK && kept && !crd_watch_at_once()) status = take_sample(c, &s, error);
    crd_training_close(&s);
    if (status == CRD_OK) add_member(c, &s.model);
    else crd_model_free(&s.model);
    return status;
}

/* How good the joined answers are for nodes that were held out. */
static void measure(crd_model *model, const int32_t *labels, const crd_out_of_fold *said)
{
    const int32_t classes = model->classes;
    double surprise = 0.0, right = 0.0;
    for (int64_t i = 0; i < said->count; i++) {
        const float *row = said->logits + i * classes;
        int32_t best = 0;
        for (int32_t k = 1; k < classes; k++)
            if (row[k] > row[best]) best = k;
        surprise += crd_output_surprise(CRD_OUTPUT_LOGITS, row, classes, labels[said->node[i]]);
        right += best == labels[said->node[i]];
    }
    if (said->count == 0) return;
    model->best_cross_entropy = surprise / (double)said->count;
    model->best_accuracy = right / (double)said->count;
}

/* Weighs the views, then calibrates the answers for nodes that were held out. The sample's logits become those of the
 * classes, and its unlabelled nodes go. */
static crd_status join(committee *c, crd_error *error)
{
    crd_model *model = c->shared.model;
    const int32_t classes = model->classes;
    const crd_pool_sample sample = {c->sampled, classes, c->logits, c->class_index, model->config.inductive};
    crd_status status = crd_pool_fit(&model->pool, &sample, error);
    int64_t count = 0;
    float *joined = NULL;
    if (status == CRD_OK) status = CRD_NEW(&joined, c->sampled * classes, error);
    for (int64_t i = 0; i < c->sampled && status == CRD_OK; i++) {
        if (c->class_index[i] < 0) continue;
        crd_pool_classes(&model->pool, c->logits + i * CRD_VIEWS * (classes + 1), classes, joined + count * classes);
        c->node[count++] = c->node[i];
    }
    const crd_out_of_fold said = {count, c->node, joined};
    if (status == CRD_OK) measure(model, c->shared.dataset->labels, &said);
    if (c->stopped && !crd_watch_at_once()) crd_watch_go_on();
    if (status == CRD_OK && !crd_watch_at_once()) status = crd_training_promise(model, c->shared.dataset, &said, error);
    crd_free(joined);
    return status;
}

crd_status crd_train_committee(const crd_dataset *dataset, const crd_split *split, const crd_config *config,
                               const crd_lesson *lesson, crd_model **model, crd_error *error)
{
    committee c = {.shared = {.dataset = dataset, .lesson = lesson}, .lesson = lesson};
    const double start = crd_seconds();
    if (lesson->init != NULL)
        return crd_fail_about(error, CRD_ERROR_ARGUMENT, "init",
                              "is not for the model committee: none of its networks may know the labels that check it");
    crd_status status = open(&c, split, config, error);
    crd_model *made = c.shared.model;
    if (status == CRD_OK) status = CRD_NEW_ZERO(&made->member, config->networks, error);
    if (status == CRD_OK) status = crd_history_open(&made->history, error);
    if (status == CRD_OK) status = crd_checkpoint_list(lesson->checkpoint, &made->history, error);
    for (int32_t f = 0; f < config->networks && status == CRD_OK && !c.stopped; f++)
        status = train_member(&c, f, error);
    crd_training_close(&c.shared); /* answers prepare features again */
    if (status == CRD_OK) status = join(&c, error);
    if (status == CRD_OK) {
        made->epochs = c.epochs;
        made->best_epoch = c.best_epoch;
        CRD_SHRINK(&made->history.rows, made->history.count);
        made->seconds = crd_seconds() - start;
        *model = made;
    } else {
        crd_model_free(&made);
    }
    crd_free(c.logits);
    crd_free(c.class_index);
    crd_free(c.node);
    crd_plan_free(&c.plan);
    return status;
}
