/* SPDX-License-Identifier: MIT */
/* Cross-validation: how good are models trained like this one, if its split has left no nodes to test? */
#include <stdlib.h>
#include <string.h>

#include "answers/answers.h"
#include "base/random.h"

enum { NO_FOLD = -1 };

typedef struct {
    const crd_model *model;
    const crd_dataset *dataset;
    const crd_folds *folds;
    const crd_split *split; /* the model's own */
    int64_t nodes;
    int64_t *fold;   /* of each node, or NO_FOLD */
    uint8_t *roles;  /* of each node, for one training */
    int32_t *truth;  /* of all nodes, as in crd_truth_make */
    int32_t *label;  /* the same, of some nodes only */
    int64_t current; /* fold */
    crd_plan plan;
    crd_prediction *answers; /* each node of a fold has the answer of the model that has not seen it */
} trial;

/* Training leaves out the last classes, so these must be the ones that the model does not have. */
static crd_status check_classes(const crd_model *model, const crd_dataset *dataset, crd_error *error)
{
    for (int32_t c = 0; c < model->classes; c++)
        if (strcmp(crd_dataset_class_name(dataset, c), model->class_names[c]) != 0)
            return crd_fail(error, CRD_ERROR_MISMATCH,
                            "the data have \"%.80s\" where the model has the class \"%.80s\": the classes are in "
                            "another order",
                            crd_dataset_class_name(dataset, c), model->class_names[c]);
    return CRD_OK;
}

/* Whether the model has learned from a node: it trained, or helped to choose. */
static bool has_learned_from(const trial *t, int64_t node)
{
    const crd_role role = crd_split_role(t->split, node);
    return t->truth[node] >= 0 && role != CRD_ROLE_NONE && role != CRD_ROLE_TEST;
}

/* Deals nodes of one class, those that train or the others, like cards. A single training node stays where it is: no
 * class may lose all of them. */
static void deal_class(trial *t, const int64_t *member, int64_t count, bool train, int64_t *dealt)
{
    int64_t those = 0;
    for (int64_t m = 0; m < count; m++) those += (crd_split_role(t->split, member[m]) == CRD_ROLE_TRAIN) == train;
    if (train && those == 1) return;
    for (int64_t m = 0; m < count; m++)
        if ((crd_split_role(t->split, member[m]) == CRD_ROLE_TRAIN) == train)
            t->fold[member[m]] = (*dealt)++ % t->folds->count;
}

static crd_status deal(trial *t, crd_error *error)
{
    int64_t *members = NULL, *start = NULL, dealt = 0;
    for (int64_t i = 0; i < t->nodes; i++) {
        t->label[i] = has_learned_from(t, i) ? t->truth[i] : CRD_TRUTH_UNKNOWN;
        t->fold[i] = NO_FOLD;
    }
    crd_status status = crd_nodes_by_class(t->label, t->nodes, t->model->classes, &members, &start, error);
    crd_rng rng = crd_rng_start(t->model->config.seed, CRD_RNG_FOLDS);
    for (int train = 1; train >= 0 && status == CRD_OK; train--)
        for (int32_t c = 0; c < t->model->classes; c++) {
            const int64_t count = start[c + 1] - start[c];
            if (train) crd_rng_shuffle(&rng, members + start[c], count);
            deal_class(t, members + start[c], count, train, &dealt);
        }
    crd_free(members);
    crd_free(start);
    if (status == CRD_OK && dealt < t->folds->count)
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "%lld folds need as many nodes, but only %lld can be held out (a class keeps its last "
                        "training node)",
                        (long long)t->folds->count, (long long)dealt);
    return status;
}

static bool report(const crd_progress *progress, void *user)
{
    const trial *t = user;
    if (progress->epoch != NULL) t->folds->progress(t->current, progress->epoch->epoch, t->folds->user);
    return true;
}

/* Trains without the nodes of the current fold; all others keep their roles. */
static crd_status train_without(trial *t, crd_model **model, crd_error *error)
{
    crd_split *split;
    crd_config config = t->model->config;
    const crd_control control = {
        .size = sizeof control, .progress = t->folds->progress != NULL ? report : NULL, .user = t};
    const crd_train_options options = {.size = sizeof options, .control = &control};
    config.threads = t->folds->threads;
    *model = NULL;
    for (int64_t i = 0; i < t->nodes; i++)
        t->roles[i] = t->fold[i] == t->current ? CRD_ROLE_TEST : (uint8_t)crd_split_role(t->split, i);
    crd_status status = crd_split_from_roles(t->roles, t->nodes, &split, error);
    if (t->folds->progress != NULL) t->folds->progress(t->current, 0, t->folds->user);
    if (status == CRD_OK) status = crd_train(t->dataset, split, &config, &options, model, error);
    crd_split_free(&split);
    return status;
}

static crd_status run_fold(trial *t, crd_evaluation *evaluation, crd_error *error)
{
    crd_model *model;
    crd_prediction *prediction = NULL;
    crd_status status = train_without(t, &model, error);
    if (status == CRD_OK) status = crd_predict_evidence(model, t->dataset, t->folds->threads, &prediction, error);
    crd_model_free(&model);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < t->nodes; i++) t->label[i] = t->fold[i] == t->current ? t->truth[i] : CRD_TRUTH_UNKNOWN;
    status = crd_evaluate_prediction(prediction, t->label, CRD_TASK_MISCLASSIFICATION, evaluation, NULL, error);
    if (t->answers == NULL) {
        t->answers = prediction;
        return status;
    }
    for (int64_t i = 0; i < t->nodes; i++)
        if (t->fold[i] == t->current) crd_prediction_take(t->answers, i, prediction);
    crd_prediction_free(&prediction);
    return status;
}

crd_status crd_evaluate_folds(const crd_model *model, const crd_dataset *dataset, const crd_folds *folds,
                              crd_evaluation *of_fold, crd_evaluation *evaluation, crd_sample **sample,
                              crd_error *error)
{
    trial t = {.model = model, .dataset = dataset, .folds = folds, .nodes = crd_dataset_nodes(dataset)};
    if (sample != NULL) *sample = NULL;
    if (folds->count < 2)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "%lld folds were asked for, expected 2 or more",
                        (long long)folds->count);
    crd_status status = crd_evaluation_split(model, dataset, &t.split, error);
    if (status == CRD_OK) status = check_classes(model, dataset, error);
    if (status == CRD_OK)
        status = crd_truth_make(dataset, (const char *const *)model->class_names, model->classes, &t.truth, error);
    CRD_PLAN(&t.plan, &t.fold, t.nodes);
    CRD_PLAN(&t.plan, &t.label, t.nodes);
    CRD_PLAN(&t.plan, &t.roles, t.nodes);
    if (status == CRD_OK) status = crd_plan_allocate(&t.plan, error);
    if (status == CRD_OK) status = deal(&t, error);
    for (; t.current < folds->count && status == CRD_OK; t.current++) status = run_fold(&t, &of_fold[t.current], error);
    for (int64_t i = 0; i < t.nodes && status == CRD_OK; i++)
        if (t.fold[i] == NO_FOLD) t.truth[i] = CRD_TRUTH_UNKNOWN;
    if (status == CRD_OK)
        status = crd_evaluate_prediction(t.answers, t.truth, CRD_TASK_MISCLASSIFICATION, evaluation, sample, error);
    crd_prediction_free(&t.answers);
    crd_plan_free(&t.plan);
    crd_free(t.truth);
    return status;
}
