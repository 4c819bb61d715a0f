#include "answers/evaluate.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "credence_private.h"
#include "graph/split.h"
#include "uncertainty/metrics.h"

/* ---- classes of data and model ---- */

typedef struct named_class {
    const char *name;
    int32_t index;
} named_class;

/* By name; equal names by number. */
static int by_name(const void *a, const void *b)
{
    const named_class *left = a, *right = b;
    int order = strcmp(left->name, right->name);
    return order != 0 ? order : (left->index > right->index) - (left->index < right->index);
}

/* The first class with that name; CRD_TRUTH_OUT_OF_CLASSES if there is none. */
static int32_t find_class(const named_class *sorted, int32_t count, const char *name)
{
    int32_t low = 0, high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (strcmp(sorted[middle].name, name) < 0) low = middle + 1;
        else high = middle;
    }
    return low < count && strcmp(sorted[low].name, name) == 0 ? sorted[low].index : CRD_TRUTH_OUT_OF_CLASSES;
}

crd_status crd_classes_match(const crd_dataset *dataset, const char *const *names, int32_t count, int32_t **map,
                             crd_error *error)
{
    *map = NULL;
    named_class *sorted;
    int32_t classes = crd_dataset_classes(dataset);
    crd_status status = CRD_NEW(&sorted, count, error);
    if (status != CRD_OK) return status;
    for (int32_t c = 0; c < count; c++) sorted[c] = (named_class){names[c], c};
    if (count > 1) qsort(sorted, (size_t)count, sizeof *sorted, by_name);
    status = CRD_NEW(map, classes, error);
    for (int32_t c = 0; c < classes && status == CRD_OK; c++)
        (*map)[c] = find_class(sorted, count, crd_dataset_class_name(dataset, c));
    free(sorted);
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
    free(map);
    return status;
}

crd_status crd_truth_for_model(const crd_dataset *dataset, const crd_model *model, int32_t **truth, crd_error *error)
{
    crd_model_facts facts;
    const char **names;
    *truth = NULL;
    crd_model_get_facts(model, &facts);
    crd_status status = CRD_NEW(&names, facts.classes, error);
    if (status != CRD_OK) return status;
    for (int32_t c = 0; c < facts.classes; c++) names[c] = crd_model_class_name(model, c);
    status = crd_truth_make(dataset, names, facts.classes, truth, error);
    free(names);
    return status;
}

/* ---- the evaluated nodes ---- */

static crd_status allocate(const crd_prediction *p, crd_task task, crd_sample *s, crd_error *error)
{
    crd_status status = CRD_NEW(&s->node, s->count, error);
    if (status == CRD_OK) status = CRD_NEW(&s->positive, s->count, error);
    if (status == CRD_OK && task == CRD_TASK_MISCLASSIFICATION) status = CRD_NEW(&s->confidence, s->count, error);
    for (int k = 0; k < CRD_SCORES && status == CRD_OK; k++)
        if (p->score[k] != NULL) status = CRD_NEW(&s->score[k], s->count, error);
    return status;
}

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

crd_status crd_sample_take(const crd_prediction *prediction, const int32_t *truth, crd_task task, crd_sample **sample,
                           crd_error *error)
{
    const bool detection = task != CRD_TASK_MISCLASSIFICATION;
    crd_sample *s;
    *sample = NULL;
    crd_status status = CRD_NEW_ZERO(&s, 1, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < prediction->nodes; i++)
        s->count += detection ? truth[i] != CRD_TRUTH_UNKNOWN : truth[i] >= 0;
    status = allocate(prediction, task, s, error);
    if (status != CRD_OK) {
        crd_sample_free(&s);
        return status;
    }
    fill(prediction, truth, detection, s);
    *sample = s;
    return CRD_OK;
}

void crd_sample_free(crd_sample **sample)
{
    if (sample == NULL || *sample == NULL) return;
    free((*sample)->node);
    free((*sample)->positive);
    free((*sample)->confidence);
    crd_scores_free((*sample)->score);
    free(*sample);
    *sample = NULL;
}

int64_t crd_sample_count(const crd_sample *sample)
{
    return sample->count;
}

const int64_t *crd_sample_node(const crd_sample *sample)
{
    return sample->node;
}

const bool *crd_sample_positive(const crd_sample *sample)
{
    return sample->positive;
}

const double *crd_sample_confidence(const crd_sample *sample)
{
    return sample->confidence;
}

const double *crd_sample_score(const crd_sample *sample, crd_score score)
{
    const int index = (int)score; /* a caller's value may be outside the enumeration */
    return index < 0 || index >= CRD_SCORES ? NULL : sample->score[index];
}

/* ---- a prediction and its truth ---- */

static crd_status check_sample(const crd_sample *s, crd_task task, crd_error *error)
{
    if (task != CRD_TASK_OOD) {
        if (s->count > 0) return CRD_OK;
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "no test node is labelled with a class of the model: train with a split that has test "
                        "nodes (60/20/20), or evaluate another split, for example all nodes");
    }
    if (s->count == 0)
        return crd_fail(error, CRD_ERROR_MISMATCH,
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
                        "them needs some",
                        (long long)s->count);
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

/* Metrics that the task does not have are NaN. */
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
        if (status == CRD_OK) status = find_failures(s, CRD_SCORE_EPISTEMIC_CLASS, &e.failure_epistemic, error);
        e.ece = crd_ece(p->probability, p->class_index, truth, p->nodes, p->classes, CRD_ECE_BINS);
        e.brier = crd_brier(p->probability, truth, p->nodes, p->classes);
        e.nll = crd_nll(p->probability, truth, p->nodes, p->classes);
    } else if (s->positives > 0 && s->positives < s->count) {
        /* these stay NaN if all nodes were shifted, or none */
        status = detect(s, CRD_SCORE_ALEATORIC, &e.ood_aleatoric, error);
        if (status == CRD_OK) status = detect(s, CRD_SCORE_EPISTEMIC, &e.ood_epistemic, error);
        if (status == CRD_OK) status = detect(s, CRD_SCORE_EPISTEMIC_FEATURES, &e.ood_epistemic_features, error);
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
    if (*split == NULL) return crd_fail(error, CRD_ERROR_MISMATCH, "the model carries no split of its own: %s", remedy);
    crd_model_facts facts;
    crd_model_get_facts(model, &facts);
    const char *trained_on = facts.fingerprint != NULL ? facts.fingerprint : "";
    if (trained_on[0] == '\0')
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "the model's file is of an older version and does not tell its training data from others, so "
                        "its test nodes are not known here: %s",
                        remedy);
    if (strcmp(trained_on, crd_dataset_fingerprint(dataset)) != 0)
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "the model was trained on other data (fingerprint %.32s, these have %s), so its test "
                        "nodes are not known here: %s",
                        trained_on, crd_dataset_fingerprint(dataset), remedy);
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

/* Like crd_evaluate; `sample` may be NULL. */
static crd_status evaluate(const crd_model *model, const crd_dataset *dataset, const crd_split *split, crd_task task,
                           int threads, crd_evaluation *evaluation, crd_sample **sample, crd_error *error)
{
    int32_t *truth;
    crd_prediction *prediction = NULL;
    crd_status status = crd_evaluation_truth(model, dataset, split, &truth, error);
    if (status == CRD_OK) status = crd_predict(model, dataset, threads, &prediction, error);
    if (status == CRD_OK) status = crd_evaluate_prediction(prediction, truth, task, evaluation, sample, error);
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

crd_status crd_evaluate(const crd_model *model, const crd_dataset *dataset, const crd_split *split, crd_task task,
                        int threads, crd_evaluation *evaluation, crd_error *error)
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

/* ---- as JSON ---- */

void crd_detection_add_json(crd_text *text, const crd_detection *d)
{
    crd_json_add_number(text, "auroc", d->auroc);
    crd_json_add_number(text, "aupr", d->aupr);
    crd_json_add_number(text, "ap", d->ap);
    crd_json_add_number(text, "fpr95", d->fpr95);
}

void crd_failure_add_json(crd_text *text, const crd_failure *f)
{
    crd_json_add_number(text, "auroc", f->auroc);
    crd_json_add_number(text, "aupr_error", f->aupr_error);
    crd_json_add_number(text, "aupr_success", f->aupr_success);
    crd_json_add_number(text, "aurc", f->aurc);
}

static void add_detection(crd_text *text, const char *name, const crd_detection *d)
{
    crd_json_open(text, name, "{");
    crd_detection_add_json(text, d);
    crd_text_add(text, "}");
}

static void add_failure(crd_text *text, const char *name, const crd_failure *f)
{
    crd_json_open(text, name, "{");
    crd_failure_add_json(text, f);
    crd_text_add(text, "}");
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

crd_status crd_evaluation_json(const crd_evaluation *evaluation, char **json, crd_error *error)
{
    const crd_evaluation *e = evaluation;
    const bool failures = e->task == CRD_TASK_MISCLASSIFICATION, shift = e->task == CRD_TASK_SHIFT;
    const char *task = failures ? "misclassification" : shift ? "shift" : "ood";
    crd_text text = {0};
    crd_text_add(&text, "{");
    crd_json_add_string(&text, "task", task);
    crd_json_add_integer(&text, "nodes", e->nodes);
    crd_json_add_integer(&text, "positives", e->positives);
    crd_json_add_number(&text, failures ? "accuracy" : "id_accuracy", e->accuracy);
    if (shift) {
        crd_json_add_number(&text, "shifted_accuracy", e->accuracy_shifted);
        crd_json_add_number(&text, "shifted_accuracy_before", e->accuracy_before);
    }
    crd_json_open(&text, task, "{");
    crd_json_add_number(&text, "prevalence", e->prevalence);
    if (shift) add_shift(&text, e);
    if (!failures) {
        add_detection(&text, "aleatoric", &e->ood_aleatoric);
        add_detection(&text, "epistemic", &e->ood_epistemic);
        add_detection(&text, "epistemic_features", &e->ood_epistemic_features);
        crd_text_add(&text, "}");
    } else {
        add_failure(&text, "aleatoric", &e->failure_aleatoric);
        add_failure(&text, "epistemic", &e->failure_epistemic);
        crd_text_add(&text, "}");
        crd_json_add_number(&text, "ece", e->ece);
        crd_json_add_number(&text, "brier", e->brier);
        crd_json_add_number(&text, "nll", e->nll);
        crd_json_add_integer(&text, "ece_bins", CRD_ECE_BINS);
    }
    crd_text_add(&text, "}");
    return crd_text_finish(&text, json, error);
}
