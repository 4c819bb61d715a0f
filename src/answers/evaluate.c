/* SPDX-License-Identifier: MIT */
#include "answers/answers.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "base/watch.h"
#include "graph/names.h"

/* ---- classes of data and model ---- */

crd_status crd_classes_match(const crd_dataset *dataset, const char *const *names, int32_t count, int32_t **map,
                             crd_error *error)
{
    const int32_t classes = crd_dataset_classes(dataset);
    crd_name_index *index = NULL;
    int32_t *first; /* the first place of each distinct name */
    int64_t number, distinct = 0;
    *map = NULL;
    crd_status status = CRD_NEW(&first, count, error);
    if (status == CRD_OK) status = crd_name_index_new(&index, error);
    for (int32_t c = 0; c < count && status == CRD_OK; c++) {
        status = crd_name_index_add(index, names[c], &number, error);
        if (status == CRD_OK && number == distinct) first[distinct++] = c;
    }
    if (status == CRD_OK) status = CRD_NEW(map, classes, error);
    for (int32_t c = 0; c < classes && status == CRD_OK; c++) {
        number = crd_name_index_find(index, crd_dataset_class_name(dataset, c));
        (*map)[c] = number < 0 ? CRD_TRUTH_OUT_OF_CLASSES : first[number];
    }
    crd_name_index_free(&index);
    crd_free(first);
    return status;
}

crd_status crd_truth_make(const crd_dataset *dataset, const char *const *names, int32_t count, int32_t **truth,
                          crd_error *error)
{
    int32_t *map;
    *truth = NULL;
    crd_status status = crd_classes_match(dataset, names, count, &map, error);
    if (status != CRD_OK) return status;
    int64_t nodes = crd_dataset_nodes(dataset);
    status = CRD_NEW(truth, nodes, error);
    for (int64_t i = 0; i < nodes && status == CRD_OK; i++) {
        int32_t label = crd_dataset_label(dataset, i);
        (*truth)[i] = label < 0 ? CRD_TRUTH_UNKNOWN : map[label];
    }
    crd_free(map);
    return status;
}

/* ---- the evaluated nodes ---- */

static void fill(const crd_prediction *p, const int32_t *truth, bool detection, crd_sample *s)
{
    int64_t taken = 0;
    for (int64_t i = 0; i < p->nodes; i++) {
        const bool outside = truth[i] == CRD_TRUTH_OUT_OF_CLASSES;
        if (truth[i] < 0 && !(outside && detection)) continue;
        s->node[taken] = i;
        s->positive[taken] = detection ? outside : p->class_index[i] != truth[i];
        s->positives += s->positive[taken];
        if (s->confidence != NULL) s->confidence[taken] = (double)p->probability[i * p->classes + p->class_index[i]];
        for (int k = 0; k < CRD_SCORES; k++)
            if (s->score[k] != NULL) s->score[k][taken] = p->score[k][i];
        taken++;
    }
}

/* OOD: every labelled node; positive if the model does not have its class. Shift: the same, because shifted nodes are
 * marked in the same way. Misclassification: the nodes of the model's classes; positive if the answer is wrong. */
static crd_status take_sample(const crd_prediction *p, const int32_t *truth, crd_task task, crd_sample **sample,
                              crd_error *error)
{
    const bool detection = task != CRD_TASK_MISCLASSIFICATION;
    crd_status status = CRD_NEW_ZERO(sample, 1, error);
    if (status != CRD_OK) return status;
    crd_sample *s = *sample;
    for (int64_t i = 0; i < p->nodes; i++) s->count += detection ? truth[i] != CRD_TRUTH_UNKNOWN : truth[i] >= 0;
    status = CRD_NEW(&s->node, s->count, error);
    if (status == CRD_OK) status = CRD_NEW(&s->positive, s->count, error);
    if (status == CRD_OK && !detection) status = CRD_NEW(&s->confidence, s->count, error);
    s->classes = p->classes;
    if (status == CRD_OK) status = CRD_NEW(&s->of_class, s->classes, error);
    for (int k = 0; k < CRD_SCORES && status == CRD_OK; k++)
        if (p->score[k] != NULL) status = CRD_NEW(&s->score[k], s->count, error);
    if (status == CRD_OK) fill(p, truth, detection, s);
    else crd_sample_free(sample);
    return status;
}

void crd_sample_free(crd_sample **sample)
{
    if (sample == NULL || *sample == NULL) return;
    crd_free((*sample)->of_class);
    crd_free((*sample)->node);
    crd_free((*sample)->positive);
    crd_free((*sample)->confidence);
    crd_free((*sample)->by_class);
    crd_scores_free((*sample)->score);
    crd_free(*sample);
    *sample = NULL;
}

/* ---- a prediction and its truth ---- */

static crd_status check_sample(const crd_sample *s, crd_task task, crd_error *error)
{
    if (s->count == 0)
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "no test node %s: cross-validate, evaluate another split, or train with one that has test "
                        "nodes, such as 60/20/20",
                        task == CRD_TASK_OOD ? "has a label" : "is labelled with a class of the model");
    if (task != CRD_TASK_OOD) return CRD_OK;
    if (s->positives == 0)
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "all %lld labelled test nodes are of the model's classes: detecting others needs "
                        "nodes of classes that it was not trained on (left-out classes)",
                        (long long)s->count);
    if (s->positives == s->count)
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "none of the %lld labelled test nodes is of the model's classes: telling others from "
                        "them needs some",
                        (long long)s->count);
    return CRD_OK;
}

int crd_measured_by(crd_task task, const crd_measure **measures)
{
    static const crd_measure detection[] = {
        {"aleatoric", CRD_SCORE_ALEATORIC, offsetof(crd_evaluation, ood_aleatoric)},
        {"epistemic", CRD_SCORE_EPISTEMIC, offsetof(crd_evaluation, ood_epistemic)},
        {"epistemic_features", CRD_SCORE_EPISTEMIC_FEATURES, offsetof(crd_evaluation, ood_epistemic_features)}};
    static const crd_measure failure[] = {
        {"aleatoric", CRD_SCORE_ALEATORIC, offsetof(crd_evaluation, failure_aleatoric)},
        {"epistemic", CRD_SCORE_EPISTEMIC_CLASS, offsetof(crd_evaluation, failure_epistemic)}};
    *measures = task == CRD_TASK_MISCLASSIFICATION ? failure : detection;
    return task == CRD_TASK_MISCLASSIFICATION ? 2 : 3;
}

/* Of the answers of one class, or of all (-1), before and after calibration. */
static crd_status measure_calibration(const crd_prediction *p, const int32_t *truth, int32_t answer,
                                      crd_class_calibration *found, crd_error *error)
{
    double *confidence = NULL;
    bool *wrong = NULL;
    int32_t *chosen = NULL; /* the truth of these answers, and unknown for others */
    *found = (crd_class_calibration){0};
    crd_status status = CRD_NEW(&confidence, p->nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&wrong, p->nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&chosen, p->nodes, error);
    for (int after = 0; after < 2 && status == CRD_OK; after++) {
        const float *probability = after || p->before == NULL ? p->probability : p->before;
        crd_reliability_bin bins[CRD_ECE_BINS];
        int64_t count = 0;
        for (int64_t i = 0; i < p->nodes; i++) {
            const bool counts = truth[i] >= 0 && (answer < 0 || p->class_index[i] == answer);
            chosen[i] = counts ? truth[i] : CRD_TRUTH_UNKNOWN;
            if (!counts) continue;
            wrong[count] = p->class_index[i] != truth[i];
            confidence[count++] = (double)probability[i * p->classes + p->class_index[i]];
        }
        found->answers = count;
        status = crd_watch_check(error);
        if (status == CRD_OK) status = crd_reliability(confidence, wrong, count, bins, &found->ece[after], error);
        if (status == CRD_OK) status = crd_watch_check(error);
        crd_proper_scores(probability, chosen, p->nodes, p->classes, &found->brier[after], &found->nll[after]);
    }
    crd_free(confidence);
    crd_free(wrong);
    crd_free(chosen);
    return status;
}

/* Metrics that the task does not have are NaN. */
static crd_status measure(const crd_prediction *p, const int32_t *truth, crd_sample *s, crd_task task,
                          crd_evaluation *evaluation, crd_error *error)
{
    const crd_detection no_detection = {NAN, NAN, NAN, NAN};
    const crd_failure no_failure = {NAN, NAN, NAN, NAN};
    crd_evaluation e = {.task = task,
                        .nodes = s->count,
                        .positives = s->positives,
                        .accuracy = crd_accuracy(p->class_index, truth, p->nodes),
                        .balanced_accuracy =
                            crd_class_results(p->class_index, truth, p->nodes, p->classes, s->of_class),
                        .prevalence = (double)s->positives / (double)s->count,
                        .ood_aleatoric = no_detection,
                        .ood_epistemic = no_detection,
                        .ood_epistemic_features = no_detection,
                        .failure_aleatoric = no_failure,
                        .failure_epistemic = no_failure,
                        .ece = NAN,
                        .brier = NAN,
                        .nll = NAN,
                        .ece_before = NAN,
                        .brier_before = NAN,
                        .nll_before = NAN,
                        .calibration = p->calibration,
                        .accuracy_shifted = NAN,
                        .accuracy_before = NAN};
    const crd_measure *by;
    const int measures = crd_measured_by(task, &by);
    const bool failures = task == CRD_TASK_MISCLASSIFICATION;
    /* if all nodes were shifted, or none, there is nothing to detect */
    const bool defined = failures || (s->positives > 0 && s->positives < s->count);
    crd_status status = CRD_OK;
    for (int m = 0; m < measures && defined && status == CRD_OK; m++) {
        void *metrics = (char *)&e + by[m].metrics;
        const double *score = s->score[by[m].score];
        if (score == NULL) continue;
        status = failures ? crd_failure_metrics(score, s->positive, s->count, metrics, error)
                          : crd_detection_metrics(score, s->positive, s->count, metrics, error);
    }
    if (status == CRD_OK && failures) {
        crd_class_calibration all;
        status = measure_calibration(p, truth, -1, &all, error);
        e.ece_before = all.ece[0], e.brier_before = all.brier[0], e.nll_before = all.nll[0];
        e.ece = all.ece[1], e.brier = all.brier[1], e.nll = all.nll[1];
    }
    if (status == CRD_OK) *evaluation = e;
    return status;
}

static crd_status measure_classes(const crd_prediction *p, const int32_t *truth, crd_sample *s, crd_error *error)
{
    crd_status status = CRD_NEW(&s->by_class, p->classes, error);
    for (int32_t k = 0; k < p->classes && status == CRD_OK; k++)
        status = measure_calibration(p, truth, k, &s->by_class[k], error);
    return status;
}

crd_status crd_evaluate_prediction(const crd_prediction *prediction, const int32_t *truth, crd_task task,
                                   crd_evaluation *evaluation, crd_sample **sample, crd_error *error)
{
    crd_sample *s;
    crd_status status = take_sample(prediction, truth, task, &s, error);
    if (status == CRD_OK) status = check_sample(s, task, error);
    if (status == CRD_OK && sample != NULL && prediction->before != NULL && task == CRD_TASK_MISCLASSIFICATION)
        status = measure_classes(prediction, truth, s, error);
    if (status == CRD_OK) status = measure(prediction, truth, s, task, evaluation, error);
    if (status == CRD_OK && sample != NULL) *sample = s;
    else crd_sample_free(&s);
    return status;
}

void crd_prediction_take(crd_prediction *prediction, int64_t node, const crd_prediction *from)
{
    const int64_t classes = prediction->classes;
    prediction->class_index[node] = from->class_index[node];
    memcpy(prediction->probability + node * classes, from->probability + node * classes,
           (size_t)classes * sizeof *from->probability);
    if (prediction->before != NULL && from->before != NULL)
        memcpy(prediction->before + node * classes, from->before + node * classes,
               (size_t)classes * sizeof *from->before);
    for (int s = 0; s < CRD_SCORES; s++)
        if (from->score[s] != NULL) prediction->score[s][node] = from->score[s][node];
}

/* ---- a model and a dataset ---- */

bool crd_is_training_graph(const crd_model *model, const crd_dataset *dataset)
{
    return model->split != NULL && model->split->nodes == dataset->graph.nodes &&
           strcmp(model->fingerprint, dataset->fingerprint) == 0;
}

crd_role crd_role_in_training(const crd_model *model, const crd_dataset *dataset, int64_t node)
{
    const crd_role role = crd_is_training_graph(model, dataset) ? crd_split_role(model->split, node) : CRD_ROLE_NONE;
    return role == CRD_ROLE_VALIDATION && model->members > 0 ? CRD_ROLE_TRAIN : role;
}

/* Whether training has used the label of a node: to learn, to stop, or to calibrate. */
static bool is_used(const crd_model *model, const crd_dataset *dataset, int64_t node)
{
    const crd_role role = crd_role_in_training(model, dataset, node);
    const bool checked = role == CRD_ROLE_VALIDATION || role == CRD_ROLE_CALIBRATION;
    return role == CRD_ROLE_TRAIN || (checked && model->kind->trained);
}

crd_status crd_split_all(const crd_model *model, const crd_dataset *dataset, crd_split **split, crd_error *error)
{
    const int64_t nodes = crd_dataset_nodes(dataset);
    int32_t *truth;
    *split = NULL;
    crd_status status = crd_truth_make(dataset, (const char *const *)model->class_names, model->classes, &truth, error);
    if (status == CRD_OK) status = crd_split_new(nodes, split, error);
    for (int64_t i = 0; i < nodes && status == CRD_OK; i++) {
        const bool stays = truth[i] >= 0 && is_used(model, dataset, i);
        const crd_role role = stays ? crd_role_in_training(model, dataset, i) : CRD_ROLE_TEST;
        if (truth[i] != CRD_TRUTH_UNKNOWN) (*split)->roles[i] = (uint8_t)role;
    }
    if (status == CRD_OK) crd_split_describe(*split, "all labelled nodes");
    crd_free(truth);
    return status;
}

crd_status crd_evaluation_split(const crd_model *model, const crd_dataset *dataset, const crd_split **split,
                                crd_error *error)
{
    const char *remedy = "give a split of these data, or evaluate every labelled node";
    if (*split != NULL) return CRD_OK;
    *split = crd_model_split(model);
    if (*split == NULL) return crd_fail(error, CRD_ERROR_MISMATCH, "the model carries no split of its own: %s", remedy);
    if (strcmp(model->fingerprint, dataset->fingerprint) != 0)
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "the model was trained on other data (fingerprint %.32s, these have %s), so its test "
                        "nodes are not known here: %s",
                        model->fingerprint, dataset->fingerprint, remedy);
    return CRD_OK;
}

crd_status crd_evaluation_truth(const crd_model *model, const crd_dataset *dataset, const crd_split *split,
                                int32_t **truth, crd_error *error)
{
    *truth = NULL;
    if (crd_dataset_classes(dataset) == 0)
        return crd_fail(error, CRD_ERROR_MISMATCH, "the data have no labels to compare the answers with");
    crd_status status = crd_evaluation_split(model, dataset, &split, error);
    if (status != CRD_OK) return status;
    int64_t nodes = crd_dataset_nodes(dataset);
    if (split->nodes != nodes)
        return crd_fail(error, CRD_ERROR_MISMATCH, "the split is of %lld nodes, the data have %lld",
                        (long long)split->nodes, (long long)nodes);
    status = crd_truth_make(dataset, (const char *const *)model->class_names, model->classes, truth, error);
    for (int64_t i = 0; i < nodes && status == CRD_OK; i++)
        if (crd_split_role(split, i) != CRD_ROLE_TEST) (*truth)[i] = CRD_TRUTH_UNKNOWN;
    return status;
}

static crd_status evaluate_clean(const crd_model *model, const crd_dataset *dataset, const crd_split *split,
                                 crd_task task, int threads, crd_evaluation *evaluation, crd_sample **sample,
                                 crd_error *error)
{
    int32_t *truth;
    crd_promises promises;
    crd_prediction *prediction = NULL;
    crd_status status = crd_evaluation_truth(model, dataset, split, &truth, error);
    if (status == CRD_OK) status = crd_predict_evidence(model, dataset, threads, &prediction, error);
    if (status == CRD_OK) status = crd_promises_measure(prediction, dataset, truth, &promises, error);
    if (status == CRD_OK) status = crd_evaluate_prediction(prediction, truth, task, evaluation, sample, error);
    if (status == CRD_OK) evaluation->promises = promises;
    crd_prediction_free(&prediction);
    crd_free(truth);
    return status;
}

crd_status crd_evaluate_sample(const crd_model *model, const crd_dataset *dataset, const crd_split *split,
                               crd_task task, const crd_shift *shift, int threads, crd_evaluation *evaluation,
                               crd_sample **sample, crd_error *error)
{
    crd_sample *s = NULL;
    crd_status status;
    if (sample != NULL) *sample = NULL;
    if (task == CRD_TASK_SHIFT && shift != NULL)
        status = crd_evaluate_shifted(model, dataset, split, shift, threads, evaluation, &s, error);
    else if (task == CRD_TASK_SHIFT)
        status = crd_fail(error, CRD_ERROR_ARGUMENT,
                          "which shift is to be evaluated is not said: crd_evaluate_shift takes one");
    else if (task == CRD_TASK_OOD || task == CRD_TASK_MISCLASSIFICATION)
        status = evaluate_clean(model, dataset, split, task, threads, evaluation, &s, error);
    else status = crd_fail(error, CRD_ERROR_ARGUMENT, "the task %d does not exist", (int)task);
    if (status != CRD_OK) return status;
    evaluation->size = sizeof *evaluation;
    for (int64_t i = 0; i < s->count; i++)
        evaluation->trained += !(task == CRD_TASK_OOD && s->positive[i]) && is_used(model, dataset, s->node[i]);
    if (sample != NULL) *sample = s;
    else crd_sample_free(&s);
    return CRD_OK;
}

/* With a crd_control, into a structure of the caller's size. */
static crd_status evaluate(const crd_model *model, const crd_dataset *dataset, const crd_split *split, crd_task task,
                           const crd_shift *shift, const crd_control *control, crd_evaluation *evaluation, size_t size,
                           crd_sample **sample, crd_error *error)
{
    crd_watch watch;
    crd_evaluation found;
    crd_status status = crd_watch_begin(&watch, control, "evaluating", error);
    if (status != CRD_OK) return status;
    status = crd_evaluate_sample(model, dataset, split, task, shift, watch.control.threads, &found, sample, error);
    crd_watch_end(&watch);
    if (status != CRD_OK) return status;
    found.size = size;
    crd_give_sized(&found, sizeof found, evaluation, size);
    return CRD_OK;
}

crd_status crd_evaluate_sized(const crd_model *model, const crd_dataset *dataset, const crd_split *split, crd_task task,
                              const crd_control *control, crd_evaluation *evaluation, size_t size, crd_error *error)
{
    if (CRD_ANY_NULL(error, model, dataset, evaluation)) return CRD_ERROR_ARGUMENT;
    return evaluate(model, dataset, split, task, NULL, control, evaluation, size, NULL, error);
}

crd_status crd_evaluate_shift_sized(const crd_model *model, const crd_dataset *dataset, const crd_split *split,
                                    const crd_shift *shift, const crd_control *control, crd_evaluation *evaluation,
                                    size_t size, crd_error *error)
{
    if (CRD_ANY_NULL(error, model, dataset, shift, evaluation)) return CRD_ERROR_ARGUMENT;
    crd_shift complete;
    crd_shift_defaults(&complete);
    const crd_status status = crd_take_sized("crd_shift", shift, &complete, sizeof complete, error);
    if (status != CRD_OK) return status;
    return evaluate(model, dataset, split, CRD_TASK_SHIFT, &complete, control, evaluation, size, NULL, error);
}

crd_status crd_evaluate_classes(const crd_model *model, const crd_dataset *dataset, const crd_split *split,
                                const crd_control *control, crd_class_result *results, crd_error *error)
{
    if (CRD_ANY_NULL(error, model, dataset, results)) return CRD_ERROR_ARGUMENT;
    crd_evaluation evaluation;
    crd_sample *sample;
    crd_status status = evaluate(model, dataset, split, CRD_TASK_MISCLASSIFICATION, NULL, control, &evaluation,
                                 sizeof evaluation, &sample, error);
    if (status == CRD_OK) memcpy(results, sample->of_class, (size_t)sample->classes * sizeof *results);
    crd_sample_free(&sample);
    return status;
}

/* ---- as JSON ---- */

void crd_measure_add_json(crd_text *text, const crd_measure *measure, const crd_evaluation *e)
{
    static const char *const detection[] = {"auroc", "aupr", "ap", "fpr95"};
    static const char *const failure[] = {"auroc", "aupr_error", "aupr_success", "aurc"};
    const double *metrics = (const double *)((const char *)e + measure->metrics);
    for (int i = 0; i < 4; i++)
        crd_json_add_number(text, (e->task == CRD_TASK_MISCLASSIFICATION ? failure : detection)[i], metrics[i]);
}

/* The shift and what it changed. */
static void add_shift(crd_text *text, const crd_evaluation *e)
{
    const char *kind = crd_shift_kind_name(e->shift.kind);
    crd_json_add_string(text, "kind", kind != NULL ? kind : "unknown");
    crd_json_add_number(text, "amount", e->shift.amount);
    crd_json_add_string(text, "mode", e->shift.isolated ? "isolated" : "all");
    crd_text_format(text, ",\"seed\":%" PRIu64, e->shift.seed);
    crd_json_add_integer(text, "edges_removed", e->edges_removed);
    crd_json_add_integer(text, "edges_added", e->edges_added);
}

static void add_calibration_numbers(crd_text *text, const char *key, double ece, double brier, double nll)
{
    crd_json_open(text, key, "{");
    crd_json_add_number(text, "ece", ece);
    crd_json_add_number(text, "brier", brier);
    crd_json_add_number(text, "nll", nll);
    crd_text_add(text, "}");
}

static void add_calibration(crd_text *text, const crd_evaluation *e, const crd_sample *s, const crd_model *model)
{
    crd_json_open(text, "calibration", "{");
    crd_json_add_string(text, "method", e->calibration);
    add_calibration_numbers(text, "before", e->ece_before, e->brier_before, e->nll_before);
    add_calibration_numbers(text, "after", e->ece, e->brier, e->nll);
    if (s != NULL && s->by_class != NULL) {
        crd_json_open(text, "classes", "[");
        for (int32_t k = 0; k < s->classes; k++) {
            const crd_class_calibration *c = &s->by_class[k];
            crd_json_open(text, NULL, "{");
            crd_json_add_string(text, "class", crd_model_class_name(model, k));
            crd_json_add_integer(text, "answers", c->answers);
            add_calibration_numbers(text, "before", c->ece[0], c->brier[0], c->nll[0]);
            add_calibration_numbers(text, "after", c->ece[1], c->brier[1], c->nll[1]);
            crd_text_add(text, "}");
        }
        crd_text_add(text, "]");
    }
    crd_text_add(text, "}");
}

static void add_promises(crd_text *text, const crd_promises *p)
{
    static const char *const degrees[] = {"0-1", "2-4", "5+"};
    crd_json_open(text, "promises", "{");
    crd_json_add_integer(text, "calibration_nodes", p->calibration_nodes);
    crd_json_open(text, "false_alarms", "[");
    for (int i = 0; i < 3; i++) {
        crd_json_open(text, NULL, "{");
        crd_json_add_number(text, "promised", crd_alarm_levels[i]);
        crd_json_add_number(text, "false_alarms", p->false_alarms[i]);
        crd_json_add_number(text, "detected", p->detected[i]);
        crd_text_add(text, "}");
    }
    crd_text_add(text, "]");
    crd_json_open(text, "max_error", "[");
    for (int i = 0; i < 3; i++) {
        crd_json_open(text, NULL, "{");
        crd_json_add_number(text, "promised", crd_error_levels[i]);
        crd_json_add_number(text, "confidence", CRD_PROMISE_CONFIDENCE);
        crd_json_add_number(text, "answered", p->answered[i]);
        crd_json_add_number(text, "wrong", p->wrong[i]);
        crd_text_add(text, "}");
    }
    crd_text_add(text, "]");
    crd_json_open(text, "sets", "{");
    crd_json_add_number(text, "promised", CRD_PROMISE_COVERAGE);
    crd_json_add_number(text, "coverage", p->set_coverage);
    crd_json_add_number(text, "size", p->set_size);
    crd_json_open(text, "coverage_by_degree", "{");
    for (int i = 0; i < 3; i++) crd_json_add_number(text, degrees[i], p->set_coverage_degree[i]);
    crd_text_add(text, "}");
    crd_json_open(text, "aps", "{");
    crd_json_add_number(text, "coverage", p->aps_coverage);
    crd_json_add_number(text, "size", p->aps_size);
    crd_text_add(text, "}}}");
}

/* The members of an object. `sample` and `model` may be NULL. */
static void add_evaluation(crd_text *text, const crd_evaluation *e, const crd_sample *sample, const crd_model *model)
{
    const bool failures = e->task == CRD_TASK_MISCLASSIFICATION, shift = e->task == CRD_TASK_SHIFT;
    const char *task = failures ? "misclassification" : shift ? "shift" : "ood";
    const crd_measure *by;
    const int measures = crd_measured_by(e->task, &by);
    crd_json_add_string(text, "task", task);
    crd_json_add_integer(text, "nodes", e->nodes);
    crd_json_add_integer(text, "trained_on", e->trained);
    crd_json_add_integer(text, "positives", e->positives);
    crd_json_add_number(text, failures ? "accuracy" : "id_accuracy", e->accuracy);
    crd_json_add_number(text, "balanced_accuracy", e->balanced_accuracy);
    if (shift) {
        crd_json_add_number(text, "shifted_accuracy", e->accuracy_shifted);
        crd_json_add_number(text, "shifted_accuracy_before", e->accuracy_before);
    }
    crd_json_open(text, task, "{");
    crd_json_add_number(text, "prevalence", e->prevalence);
    if (shift) add_shift(text, e);
    for (int m = 0; m < measures; m++) {
        crd_json_open(text, by[m].name, "{");
        crd_measure_add_json(text, &by[m], e);
        crd_text_add(text, "}");
    }
    crd_text_add(text, "}");
    if (failures) {
        crd_json_add_number(text, "ece", e->ece);
        crd_json_add_number(text, "brier", e->brier);
        crd_json_add_number(text, "nll", e->nll);
        crd_json_add_integer(text, "ece_bins", CRD_ECE_BINS);
        if (e->calibration != NULL && strcmp(e->calibration, "none") != 0) add_calibration(text, e, sample, model);
    }
    if (e->promises.calibration_nodes > 0) add_promises(text, &e->promises);
}

static void add_classes(crd_text *text, const crd_sample *sample, const crd_model *model)
{
    crd_json_open(text, "classes", "[");
    for (int32_t c = 0; c < sample->classes; c++) {
        crd_text_add(text, c > 0 ? ",{" : "{");
        crd_json_add_string(text, "name", model->class_names[c]);
        crd_json_add_number(text, "precision", sample->of_class[c].precision);
        crd_json_add_number(text, "recall", sample->of_class[c].recall);
        crd_json_add_integer(text, "support", sample->of_class[c].support);
        crd_text_add(text, "}");
    }
    crd_text_add(text, "]");
}

crd_status crd_evaluation_json_full(const crd_evaluation *evaluation, const crd_sample *sample, const crd_model *model,
                                    const crd_evaluation *of_fold, int64_t folds, char **json, crd_error *error)
{
    crd_text text = {0};
    crd_text_add(&text, "{");
    add_evaluation(&text, evaluation, sample, model);
    if (sample != NULL && evaluation->task != CRD_TASK_SHIFT) add_classes(&text, sample, model);
    if (folds > 0) crd_json_open(&text, "folds", "[");
    for (int64_t f = 0; f < folds; f++) {
        crd_text_add(&text, f > 0 ? ",{" : "{");
        add_evaluation(&text, &of_fold[f], NULL, NULL);
        crd_text_add(&text, "}");
    }
    crd_text_add(&text, folds > 0 ? "]}" : "}");
    return crd_text_finish(&text, json, error);
}

crd_status crd_evaluation_json(const crd_evaluation *evaluation, char **json, crd_error *error)
{
    if (json != NULL) *json = NULL;
    if (CRD_ANY_NULL(error, evaluation, json)) return CRD_ERROR_ARGUMENT;
    crd_evaluation complete = {0};
    const crd_status status = crd_take_sized("crd_evaluation", evaluation, &complete, sizeof complete, error);
    if (status != CRD_OK) return status;
    return crd_evaluation_json_full(&complete, NULL, NULL, NULL, 0, json, error);
}
