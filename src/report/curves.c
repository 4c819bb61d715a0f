/* SPDX-License-Identifier: MIT */
/* How well the uncertainties find the answers not to trust, as curves and histograms. */
#include <math.h>
#include <stdlib.h>

#include "report/report.h"

enum {
    MOST_POINTS = 200, /* of a curve: more than a chart has room for */
    BINS = 40,
    MOST_CELLS = 250000 /* of a confusion matrix: nobody reads a larger one */
};

/* The evaluated nodes of a task, and room for what is drawn. */
typedef struct {
    const crd_view *view;
    crd_evaluation evaluation;
    crd_sample *sample;
    double *shown; /* a score as people read it */
    crd_point points[MOST_POINTS];
} task_curves;

/* ---- one score ---- */

static crd_status add_curve(task_curves *s, const double *score, crd_curve kind, const char *name, crd_text *text,
                            crd_error *error)
{
    int64_t found;
    crd_status status =
        crd_curve_points(kind, score, s->sample->positive, s->sample->count, s->points, MOST_POINTS, &found, error);
    if (status != CRD_OK) return status;
    crd_json_open(text, name, "[");
    for (int64_t i = 0; i < found; i++) {
        crd_json_open(text, NULL, "[");
        crd_json_add_float(text, NULL, (float)s->points[i].x);
        crd_json_add_float(text, NULL, (float)s->points[i].y);
        crd_text_add(text, "]");
    }
    crd_text_add(text, "]");
    return CRD_OK;
}

static void add_counts(crd_text *text, const char *name, const int64_t *counts)
{
    crd_json_open(text, name, "[");
    for (int b = 0; b < BINS; b++) crd_json_add_integer(text, NULL, counts[b]);
    crd_text_add(text, "]");
}

static crd_status add_histogram(const task_curves *s, const char *label, crd_text *text, crd_error *error)
{
    double edges[BINS + 1];
    int64_t negatives[BINS], positives[BINS];
    crd_status status =
        crd_histogram(s->shown, s->sample->positive, s->sample->count, BINS, edges, negatives, positives, error);
    if (status != CRD_OK) return status;
    crd_json_open(text, "histogram", "{");
    crd_json_add_string(text, "label", label);
    crd_json_open(text, "edges", "[");
    for (int b = 0; b <= BINS; b++) crd_json_add_float(text, NULL, (float)edges[b]);
    crd_text_add(text, "]");
    add_counts(text, "negatives", negatives);
    add_counts(text, "positives", positives);
    crd_text_add(text, "}");
    return CRD_OK;
}

/* Fills a score as people read it; returns its name. */
static const char *show_score(task_curves *s, crd_score score)
{
    const crd_view *v = s->view;
    const crd_prediction *p = v->prediction;
    const double *values = s->sample->score[score];
    const int64_t *node = s->sample->node;
    const bool committee = v->model->kind == &crd_committee;
    const char *chosen = score == CRD_SCORE_EPISTEMIC ? crd_config_score(&v->model->config) : NULL;
    const float *evidence = score == CRD_SCORE_EPISTEMIC_FEATURES ? p->evidence_features
                            : chosen != NULL                      ? NULL
                                                                  : p->evidence;
    const bool doubt = score == CRD_SCORE_ALEATORIC, answer = score == CRD_SCORE_EPISTEMIC_CLASS;
    for (int64_t i = 0; i < s->sample->count; i++)
        if (doubt) s->shown[i] = 1.0 + values[i];
        else if (committee && answer) s->shown[i] = -log10(-values[i]);
        else if (evidence == NULL) s->shown[i] = values[i];
        else if (!answer) s->shown[i] = log10(crd_view_total(v, evidence, node[i]));
        else s->shown[i] = log10((double)evidence[node[i] * v->known + p->class_index[node[i]]]);
    if (chosen != NULL) return chosen;
    if (committee && !doubt)
        return answer ? "minus log10 of the answer's strength" : "log-odds of being unlike the labelled nodes";
    return doubt ? "1 - p" : evidence == NULL ? "energy" : answer ? "log10 evidence of the answer" : "log10 evidence";
}

static crd_status add_score(task_curves *s, const crd_measure *by, crd_text *text, crd_error *error)
{
    const double *score = s->sample->score[by->score];
    const char *label = show_score(s, by->score);
    crd_json_open(text, by->name, "{");
    crd_measure_add_json(text, by, &s->evaluation);
    crd_status status = add_curve(s, score, CRD_CURVE_ROC, "roc", text, error);
    if (status == CRD_OK) status = add_curve(s, score, CRD_CURVE_PR, "pr", text, error);
    if (status == CRD_OK && s->evaluation.task == CRD_TASK_MISCLASSIFICATION)
        status = add_curve(s, score, CRD_CURVE_RISK, "risk", text, error);
    if (status == CRD_OK) status = add_histogram(s, label, text, error);
    crd_text_add(text, "}");
    return status;
}

/* ---- one task ---- */

static crd_status add_bins(const task_curves *s, const double *confidence, const char *name, crd_text *text,
                           crd_error *error)
{
    crd_reliability_bin bins[CRD_ECE_BINS];
    double ece;
    crd_status status = crd_reliability(confidence, s->sample->positive, s->sample->count, bins, &ece, error);
    if (status != CRD_OK) return status;
    crd_json_open(text, name, "[");
    for (int b = 0; b < CRD_ECE_BINS; b++) {
        crd_json_open(text, NULL, "{");
        crd_json_add_number(text, "low", bins[b].low);
        crd_json_add_number(text, "high", bins[b].high);
        crd_json_add_integer(text, "count", bins[b].count);
        crd_json_add_number(text, "confidence", bins[b].confidence);
        crd_json_add_number(text, "accuracy", bins[b].accuracy);
        crd_text_add(text, "}");
    }
    crd_text_add(text, "]");
    return CRD_OK;
}

static crd_status add_reliability(task_curves *s, crd_text *text, crd_error *error)
{
    const crd_prediction *p = s->view->prediction;
    crd_json_open(text, "reliability", "{");
    crd_status status = add_bins(s, s->sample->confidence, "bins", text, error);
    crd_json_add_number(text, "ece", s->evaluation.ece);
    crd_json_add_number(text, "brier", s->evaluation.brier);
    crd_json_add_number(text, "nll", s->evaluation.nll);
    if (p->before != NULL && status == CRD_OK) {
        for (int64_t i = 0; i < s->sample->count; i++) {
            const int64_t node = s->sample->node[i];
            s->shown[i] = (double)p->before[node * p->classes + p->class_index[node]];
        }
        status = add_bins(s, s->shown, "bins_before", text, error);
        crd_json_add_string(text, "calibration", s->evaluation.calibration);
        crd_json_add_number(text, "ece_before", s->evaluation.ece_before);
        crd_json_add_number(text, "brier_before", s->evaluation.brier_before);
        crd_json_add_number(text, "nll_before", s->evaluation.nll_before);
    }
    crd_text_add(text, "}");
    return status;
}

/* All that `credence evaluate --json` prints about these nodes. */
static crd_status add_evaluation(task_curves *s, crd_text *text, crd_error *error)
{
    const crd_view *v = s->view;
    char *json = NULL;
    crd_status status = crd_promises_measure(v->prediction, v->dataset, v->truth, &s->evaluation.promises, error);
    if (status == CRD_OK) status = crd_evaluation_json_full(&s->evaluation, s->sample, v->model, NULL, 0, &json, error);
    if (status == CRD_OK) crd_json_open(text, "evaluation", json);
    crd_string_free(&json);
    return status;
}

static crd_status add_scores(task_curves *s, crd_text *text, crd_error *error)
{
    const crd_evaluation *e = &s->evaluation;
    const crd_measure *by;
    const int measures = crd_measured_by(e->task, &by);
    crd_status status = CRD_NEW(&s->shown, s->sample->count, error);
    crd_text_add(text, "{");
    crd_json_add_integer(text, "nodes", e->nodes);
    crd_json_add_integer(text, "positives", e->positives);
    crd_json_add_number(text, "prevalence", e->prevalence);
    crd_json_add_number(text, "accuracy", e->accuracy);
    crd_json_open(text, "scores", "{");
    for (int m = 0; m < measures && status == CRD_OK; m++)
        if (s->sample->score[by[m].score] != NULL) status = add_score(s, &by[m], text, error);
    crd_text_add(text, "}");
    return status;
}

/* null if the task has nothing to find. */
static crd_status add_task(const crd_view *v, crd_task task, crd_text *text, crd_error *error)
{
    task_curves s = {.view = v};
    crd_error problem = {0};
    crd_status status =
        v->truth == NULL ? CRD_ERROR_MISMATCH
                         : crd_evaluate_prediction(v->prediction, v->truth, task, &s.evaluation, &s.sample, &problem);
    if (status == CRD_ERROR_MISMATCH) {
        crd_text_add(text, "null");
        return CRD_OK;
    }
    if (status != CRD_OK) {
        if (error != NULL) *error = problem;
        return status;
    }
    status = add_scores(&s, text, error);
    if (status == CRD_OK && task == CRD_TASK_MISCLASSIFICATION) {
        status = add_reliability(&s, text, error);
        if (status == CRD_OK) status = add_evaluation(&s, text, error);
    }
    crd_text_add(text, "}");
    crd_sample_free(&s.sample);
    crd_free(s.shown);
    return status;
}

/* ---- confusion ---- */

/* Rows are the truth, columns the answers. */
static crd_status add_confusion(const crd_view *v, crd_text *text, crd_error *error)
{
    const int64_t cells = (int64_t)v->classes * v->known;
    if (v->truth == NULL || cells > MOST_CELLS) {
        crd_text_add(text, "null");
        return CRD_OK;
    }
    int64_t *counts;
    crd_status status = CRD_NEW_ZERO(&counts, cells, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < v->prediction->nodes; i++)
        if (v->truth[i] != CRD_TRUTH_UNKNOWN)
            counts[(int64_t)crd_view_label(v, i) * v->known + v->prediction->class_index[i]]++;
    crd_text_add(text, "[");
    for (int64_t c = 0; c < cells; c++) {
        if (c % v->known == 0) crd_json_open(text, NULL, "[");
        crd_json_add_integer(text, NULL, counts[c]);
        if (c % v->known == v->known - 1) crd_text_add(text, "]");
    }
    crd_text_add(text, "]");
    crd_free(counts);
    return CRD_OK;
}

crd_status crd_view_curves(const crd_view *v, crd_text *text, crd_error *error)
{
    crd_text_add(text, "{\"ood\":");
    crd_status status = add_task(v, CRD_TASK_OOD, text, error);
    crd_text_add(text, ",\"errors\":");
    if (status == CRD_OK) status = add_task(v, CRD_TASK_MISCLASSIFICATION, text, error);
    crd_text_add(text, ",\"confusion\":");
    if (status == CRD_OK) status = add_confusion(v, text, error);
    crd_text_add(text, "}");
    return status;
}
