#include "answers/evaluate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers/classes.h"
#include "credence_private.h"
#include "graph/split.h"
#include "uncertainty/metrics.h"

/* ---- a prediction and its truth ---- */

static crd_status check_sample(const crd_sample *s, crd_task task, crd_error *error)
{
    if (task != CRD_TASK_OOD) {
        if (s->count > 0) return CRD_OK;
        return crd_fail(
            error, CRD_ERROR_MISMATCH,
            "no test node is labelled with a class of the model: train with a split that has test "
            "nodes (60/20/20), or evaluate another split, for example all nodes");
    }
    if (s->count == 0)
        return crd_fail(
            error, CRD_ERROR_MISMATCH,
            "no test node has a label: train with a split that has test nodes (60/20/20), or evaluate "
            "another split, for example all nodes");
    if (s->positives == 0)
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "all %lld labelled test nodes are of the model's classes: detecting others needs "
                        "nodes of classes that it was not trained on (left-out classes)",
                        (long long)s->count);
    if (s->positives == s->count)
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "none of the %lld labelled test nodes is of the model's classes: telling others from "
                        "them needs some", (long long)s->count);
    return CRD_OK;
}

static crd_status detect(const crd_sample *s, crd_score score, crd_detection *metrics, crd_error *error)
{
    if (s->score[score] == NULL) return CRD_OK;
    return crd_detection_metrics(s->score[score], s->positive, s->count, metrics, error);
}

static crd_status find_failures(const crd_sample *s, crd_score score, crd_failure *metrics, crd_error *error)
{
    if (s->score[score] == NULL) return CRD_OK;
    return crd_failure_metrics(s->score[score], s->positive, s->count, metrics, error);
}

/* What the task does not give is NaN. */
static crd_status measure(const crd_prediction *p, const int32_t *truth, const crd_sample *s, crd_task task,
                          crd_evaluation *evaluation, crd_error *error)
{
    const crd_detection no_detection = {NAN, NAN, NAN, NAN};
    const crd_failure no_failure = {NAN, NAN, NAN, NAN};
    crd_evaluation e = {.task = task,
                        .nodes = s->count,
                        .positives = s->positives,
                        .accuracy = crd_accuracy(p->class_index, truth, p->nodes),
                        .prevalence = (double)s->positives / (double)s->count,
                        .ood_aleatoric = no_detection,
                        .ood_epistemic = no_detection,
                        .ood_epistemic_features = no_detection,
                        .failure_aleatoric = no_failure,
                        .failure_epistemic = no_failure,
                        .ece = NAN,
                        .brier = NAN,
                        .nll = NAN,
                        .accuracy_shifted = NAN,
                        .accuracy_before = NAN};
    crd_status status = CRD_OK;
    if (task == CRD_TASK_MISCLASSIFICATION) {
        status = find_failures(s, CRD_SCORE_ALEATORIC, &e.failure_aleatoric, error);
        if (status == CRD_OK)
            status = find_failures(s, CRD_SCORE_EPISTEMIC_CLASS, &e.failure_epistemic, error);
        e.ece = crd_ece(p->probability, p->class_index, truth, p->nodes, p->classes, CRD_ECE_BINS);
        e.brier = crd_brier(p->probability, truth, p->nodes, p->classes);
        e.nll = crd_nll(p->probability, truth, p->nodes, p->classes);
    } else if (s->positives > 0 && s->positives < s->count) {
        /* if all nodes were shifted, or none could be, there is nothing to tell apart */
        status = detect(s, CRD_SCORE_ALEATORIC, &e.ood_aleatoric, error);
        if (status == CRD_OK) status = detect(s, CRD_SCORE_EPISTEMIC, &e.ood_epistemic, error);
        if (status == CRD_OK)
            status = detect(s, CRD_SCORE_EPISTEMIC_FEATURES, &e.ood_epistemic_features, error);
    }
    if (status == CRD_OK) *evaluation = e;
    return status;
}

crd_status crd_evaluate_prediction(const crd_prediction *prediction, const int32_t *truth, crd_task task,
                                   crd_evaluation *evaluation, crd_sample **sample, crd_error *error)
{
    crd_sample *s;
    crd_status status = crd_sample_take(prediction, truth, task, &s, error);
    if (status == CRD_OK) status = check_sample(s, task, error);
    if (status == CRD_OK) status = measure(prediction, truth, s, task, evaluation, error);
    if (status == CRD_OK && sample != NULL) *sample = s;
    else crd_sample_free(&s);
    return status;
}

/* ---- a model and a dataset ---- */

static crd_status choose_split(const crd_model *model, const crd_dataset *dataset, const crd_split **split,
                               crd_error *error)
{
    const char *remedy = "give a split of these data, or evaluate every labelled node";
    if (*split != NULL) return CRD_OK;
    *split = crd_model_split(model);
    if (*split == NULL)
        return crd_fail(error, CRD_ERROR_MISMATCH, "the model carries no split of its own: %s", remedy);
    crd_model_facts facts;
    crd_model_get_facts(model, &facts);
    const char *trained_on = facts.fingerprint != NULL ? facts.fingerprint : "";
    if (strcmp(trained_on, crd_dataset_fingerprint(dataset)) != 0)
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "the model was trained on other data (fingerprint %.32s, these have %s), so its test "
                        "nodes are not known here: %s", trained_on, crd_dataset_fingerprint(dataset), remedy);
    return CRD_OK;
}

crd_status crd_evaluation_truth(const crd_model *model, const crd_dataset *dataset, const crd_split *split,
                                int32_t **truth, crd_error *error)
{
    *truth = NULL;
    if (crd_dataset_classes(dataset) == 0)
        return crd_fail(error, CRD_ERROR_MISMATCH, "the data have no labels to compare the answers with");
    crd_status status = choose_split(model, dataset, &split, error);
    if (status != CRD_OK) return status;
    int64_t nodes = crd_dataset_nodes(dataset);
    if (split->nodes != nodes)
        return crd_fail(error, CRD_ERROR_MISMATCH, "the split is of %lld nodes, the data have %lld",
                        (long long)split->nodes, (long long)nodes);
    status = crd_truth_for_model(dataset, model, truth, error);
    for (int64_t i = 0; i < nodes && status == CRD_OK; i++)
        if (crd_split_role(split, i) != CRD_ROLE_TEST) (*truth)[i] = CRD_TRUTH_UNKNOWN;
    return status;
}

/* As crd_evaluate; `sample` may be NULL. */
static crd_status evaluate(const crd_model *model, const crd_dataset *dataset, const crd_split *split,
                           crd_task task, int threads, crd_evaluation *evaluation, crd_sample **sample,
                           crd_error *error)
{
    int32_t *truth;
    crd_prediction *prediction = NULL;
    crd_status status = crd_evaluation_truth(model, dataset, split, &truth, error);
    if (status == CRD_OK) status = crd_predict(model, dataset, threads, &prediction, error);
    if (status == CRD_OK)
        status = crd_evaluate_prediction(prediction, truth, task, evaluation, sample, error);
    crd_prediction_free(&prediction);
    free(truth);
    return status;
}

static crd_status check_task(crd_task task, crd_error *error)
{
    if (task == CRD_TASK_SHIFT)
        return crd_fail(error, CRD_ERROR_ARGUMENT,
                        "which shift is to be evaluated is not said: crd_evaluate_shift takes one");
    if (task != CRD_TASK_OOD && task != CRD_TASK_MISCLASSIFICATION)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "the task %d does not exist", (int)task);
    return CRD_OK;
}

crd_status crd_evaluate(const crd_model *model, const crd_dataset *dataset, const crd_split *split,
                        crd_task task, int threads, crd_evaluation *evaluation, crd_error *error)
{
    crd_status status = check_task(task, error);
    if (status != CRD_OK) return status;
    return evaluate(model, dataset, split, task, threads, evaluation, NULL, error);
}

crd_status crd_evaluate_sample(const crd_model *model, const crd_dataset *dataset, const crd_split *split,
                               crd_task task, const crd_shift *shift, int threads, crd_evaluation *evaluation,
                               crd_sample **sample, crd_error *error)
{
    *sample = NULL;
    if (task == CRD_TASK_SHIFT && shift != NULL)
        return crd_evaluate_shifted(model, dataset, split, shift, threads, evaluation, sample, error);
    crd_status status = check_task(task, error);
    if (status != CRD_OK) return status;
    return evaluate(model, dataset, split, task, threads, evaluation, sample, error);
}
