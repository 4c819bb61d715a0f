/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers/answers.h"
#include "base/sized.h"
#include "base/watch.h"

/* ---- from a model ---- */

crd_status crd_check_output(const crd_model *model, const float *output, const float *before_graph, int64_t nodes,
                            const int32_t *numbers, crd_error *error)
{
    for (int64_t i = 0; i < nodes * model->classes; i++) {
        if (isfinite(output[i]) && (before_graph == NULL || isfinite(before_graph[i]))) continue;
        const int64_t node = i / model->classes;
        return crd_fail(error, CRD_ERROR_NUMERIC,
                        "the model gives node %lld no number for its %s: its weights or the node's "
                        "features are too large",
                        (long long)(numbers != NULL ? numbers[node] : node),
                        model->kind->output == CRD_OUTPUT_EVIDENCE ? "evidence" : "logits");
    }
    return CRD_OK;
}

int64_t crd_before_graph_count(const crd_model *model, int64_t nodes)
{
    if (model->kind != &crd_committee) return nodes * model->classes;
    return nodes * model->members * CRD_VIEWS * ((int64_t)model->classes + 1);
}

crd_status crd_infer(const crd_model *model, const crd_dataset *dataset, const int32_t *numbers, int threads,
                     float *output, float *before_graph, float *latent, crd_error *error)
{
    crd_prepared prepared;
    crd_run *run;
    if (model->kind == &crd_committee) {
        crd_status status =
            crd_infer_committee(model, dataset, threads, output, NULL, NULL, before_graph, latent, error);
        return status == CRD_OK ? crd_check_output(model, output, NULL, dataset->graph.nodes, numbers, error) : status;
    }
    crd_status status = crd_preprocess(&dataset->features, model->config.features, model->feature_mean,
                                       model->feature_scale, NULL, &prepared, error);
    if (status != CRD_OK) return status;
    crd_team *team = NULL;
    status = crd_team_open(threads, &team, error);
    if (status == CRD_OK) crd_team_watch(team, true);
    const crd_inputs inputs = {
        .graph = &dataset->graph, .features = &prepared, .team = team, .degree = dataset->degree};
    if (status == CRD_OK) status = crd_run_open(model, &inputs, NULL, &run, error);
    if (status == CRD_OK) {
        model->kind->infer(run, output, before_graph);
        if (latent != NULL) model->kind->latent(run, latent);
        crd_run_close(&run);
        status = crd_watch_check(error);
    }
    if (status == CRD_OK) status = crd_check_output(model, output, before_graph, dataset->graph.nodes, numbers, error);
    crd_team_close(&team);
    crd_prepared_free(&prepared);
    return status;
}

/* alpha is 1 + evidence: in the same array, unless the evidence is kept. */
static crd_status make_alpha(float **evidence, int64_t cells, bool keep, float **alpha, crd_error *error)
{
    if (*evidence == NULL) return CRD_OK;
    if (keep) {
        crd_status status = CRD_NEW(alpha, cells, error);
        if (status != CRD_OK) return status;
    } else {
        *alpha = *evidence;
    }
    for (int64_t i = 0; i < cells; i++) (*alpha)[i] = (*evidence)[i] + 1.0f;
    if (!keep) *evidence = NULL;
    return CRD_OK;
}

static crd_status allocate(const crd_model *model, int64_t nodes, crd_prediction *p, crd_error *error)
{
    p->nodes = nodes;
    p->classes = model->classes;
    crd_model_facts facts;
    crd_model_get_facts(model, &facts);
    p->calibration = facts.calibration;
    crd_status status = CRD_NEW(&p->class_index, nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&p->probability, nodes * p->classes, error);
    if (status == CRD_OK && crd_model_latent_dims(model) > 0) {
        p->latent_dims = crd_model_latent_dims(model);
        status = CRD_NEW(&p->latent, nodes * p->latent_dims, error);
    }
    if (status == CRD_OK) status = CRD_NEW_ZERO(&p->class_names, p->classes, error);
    for (int32_t k = 0; k < p->classes && status == CRD_OK; k++)
        status = crd_copy_string(&p->class_names[k], model->class_names[k], error);
    return status;
}

crd_status crd_recalibration_open(const crd_model *model, const crd_dataset *dataset, float *output,
                                  crd_recalibration *on, crd_error *error)
{
    const int64_t nodes = dataset->graph.nodes;
    uint8_t *training = NULL;
    *on = (crd_recalibration){.method = model->config.calibration,
                              .logits = output,
                              .nodes = nodes,
                              .classes = model->classes,
                              .start = dataset->graph.start,
                              .neighbour = dataset->graph.neighbour};
    const bool evidence = model->kind->output == CRD_OUTPUT_EVIDENCE;
    for (int64_t i = 0; i < nodes * model->classes && evidence && !crd_watch_at(i); i++)
        output[i] = (float)log1p((double)output[i]); /* log p, up to a sum per node */
    if (on->method != CRD_CALIBRATION_GATS || !crd_is_training_graph(model, dataset)) return CRD_OK;
    crd_status status = CRD_NEW(&training, nodes, error);
    for (int64_t i = 0; i < nodes && status == CRD_OK; i++)
        training[i] = crd_role_in_training(model, dataset, i) == CRD_ROLE_TRAIN;
    on->training = training;
    return status;
}

void crd_recalibration_close(crd_recalibration *on)
{
    crd_free((void *)(uintptr_t)on->training);
}

/* Calibrated probabilities, and the uncertainty that comes from them. */
static crd_status recalibrate(const crd_model *model, const crd_dataset *dataset, const float *output,
                              crd_prediction *p, crd_error *error)
{
    const int64_t cells = p->nodes * p->classes;
    double *confidence = p->score[CRD_SCORE_ALEATORIC];
    float *logits;
    crd_recalibration on;
    crd_status status = CRD_NEW(&logits, cells, error);
    if (status != CRD_OK) return status;
    memcpy(logits, output, (size_t)cells * sizeof *logits);
    status = crd_recalibration_open(model, dataset, logits, &on, error);
    if (status == CRD_OK) status = crd_recalibration_apply(&on, model->calibration, p->probability, confidence, error);
    crd_recalibration_close(&on);
    crd_free(logits);
    for (int64_t i = 0; i < p->nodes && status == CRD_OK; i++) confidence[i] = -confidence[i];
    return status;
}

/* A Dirichlet distribution keeps its strength alpha0, and the calibrated probabilities become its mean. */
static void move_mean(crd_prediction *p)
{
    for (int64_t i = 0; i < p->nodes && !crd_watch_at(i); i++) {
        float *alpha = p->alpha + i * p->classes;
        double strength = 0.0;
        for (int32_t k = 0; k < p->classes; k++) strength += (double)alpha[k];
        for (int32_t k = 0; k < p->classes; k++)
            alpha[k] = (float)(strength * (double)p->probability[i * p->classes + k]);
    }
}

static crd_status check_doubt(const double *doubt, const double *alone, int64_t nodes, const int32_t *numbers,
                              crd_error *error)
{
    for (int64_t i = 0; i < nodes; i++)
        if (!isfinite(doubt[i]) || !isfinite(alone[i]))
            return crd_fail(error, CRD_ERROR_NUMERIC,
                            "the model gives node %lld no number for its doubt: its weights or the node's features are "
                            "too large",
                            (long long)(numbers != NULL ? numbers[i] : i));
    return CRD_OK;
}

/* Output and uncertainties of a committee. The strength of its Dirichlet distribution is the number of labelled nodes
 * that a node may be compared with: all of them, times the odds that it is like them. */
static crd_status ask_committee(const crd_model *model, const crd_answering *from, float *output, crd_prediction *p,
                                crd_error *error)
{
    double *doubt = NULL, *alone = NULL, *strongest = NULL;
    crd_status status = CRD_NEW(&doubt, p->nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&alone, p->nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&strongest, p->nodes, error);
    if (status == CRD_OK) status = from->ask(from->context, (crd_asked){output, NULL, p->latent, doubt, alone}, error);
    if (status == CRD_OK) status = crd_check_output(model, output, NULL, p->nodes, from->numbers, error);
    if (status == CRD_OK) status = check_doubt(doubt, alone, p->nodes, from->numbers, error);
    if (status == CRD_OK) status = crd_scores_from_logits(output, false, p->nodes, p->classes, p->score, error);
    if (status == CRD_OK) {
        p->score[CRD_SCORE_EPISTEMIC] = doubt;
        p->score[CRD_SCORE_EPISTEMIC_FEATURES] = alone;
        p->score[CRD_SCORE_EPISTEMIC_CLASS] = strongest;
        return CRD_OK;
    }
    crd_free(doubt);
    crd_free(alone);
    crd_free(strongest);
    return status;
}

static crd_status make_committee_alpha(const crd_model *model, crd_prediction *p, crd_error *error)
{
    double labelled = 0.0;
    crd_status status = CRD_NEW(&p->alpha, p->nodes * p->classes, error);
    for (int32_t k = 0; k < p->classes; k++) labelled += (double)model->class_counts[k];
    for (int64_t i = 0; i < p->nodes && status == CRD_OK; i++) {
        if (crd_watch_at(i)) status = crd_watch_stopped(error);
        const double strength = 1.0 + labelled * exp(fmin(-p->score[CRD_SCORE_EPISTEMIC][i], 50.0));
        for (int32_t k = 0; k < p->classes; k++)
            p->alpha[i * p->classes + k] = (float)(strength * (double)p->probability[i * p->classes + k]);
        p->score[CRD_SCORE_EPISTEMIC_CLASS][i] = strength * p->score[CRD_SCORE_ALEATORIC][i];
    }
    return status;
}

static crd_status fill(const crd_model *model, const crd_answering *from, int threads, bool keep, crd_prediction *p,
                       crd_error *error)
{
    const crd_model_kind *kind = model->kind;
    const int64_t cells = p->nodes * p->classes;
    const bool dirichlet = kind->output == CRD_OUTPUT_EVIDENCE;
    float *output;
    crd_status status = CRD_NEW(&output, cells, error);
    if (status != CRD_OK) return status;
    if (kind->features_alone) status = CRD_NEW(&p->evidence_features, cells, error);
    const bool committee = model->kind == &crd_committee;
    if (committee) status = ask_committee(model, from, output, p, error);
    else if (status == CRD_OK)
        status = from->ask(from->context, (crd_asked){output, p->evidence_features, p->latent, NULL, NULL}, error);
    if (status == CRD_OK && !committee)
        status = dirichlet ? crd_scores_make(output, p->evidence_features, p->nodes, p->classes, p->score, error)
                           : crd_scores_from_logits(output, kind->energy, p->nodes, p->classes, p->score, error);
    if (status == CRD_OK) status = crd_peer_score(model, from->dataset, threads, output, p, error);
    if (status != CRD_OK) {
        crd_free(output);
        return status;
    }
    crd_most_probable(output, p->nodes, p->classes, p->class_index);
    for (int64_t i = 0; i < p->nodes && !crd_watch_at(i); i++)
        crd_output_probability(kind->output, output + i * p->classes, p->classes, p->probability + i * p->classes);
    const bool calibrated = model->calibration != NULL;
    if (calibrated && keep) status = CRD_NEW(&p->before, cells, error);
    if (p->before != NULL) memcpy(p->before, p->probability, (size_t)cells * sizeof *p->before);
    if (status == CRD_OK && calibrated) status = recalibrate(model, from->dataset, output, p, error);
    if (dirichlet) p->evidence = output;
    else crd_free(output);
    if (status == CRD_OK) status = make_alpha(&p->evidence, cells, keep, &p->alpha, error);
    if (status == CRD_OK && calibrated && dirichlet) move_mean(p);
    if (status == CRD_OK && committee) status = make_committee_alpha(model, p, error);
    if (status == CRD_OK) status = make_alpha(&p->evidence_features, cells, keep, &p->alpha_features, error);
    if (status == CRD_OK) status = crd_watch_check(error);
    return status == CRD_OK ? crd_prediction_hold(model, p, error) : status;
}

crd_status crd_prediction_from(const crd_model *model, const crd_answering *from, int threads, bool keep,
                               crd_prediction **prediction, crd_error *error)
{
    crd_prediction *made;
    *prediction = NULL;
    crd_status status = CRD_NEW_ZERO(&made, 1, error);
    if (status != CRD_OK) return status;
    status = allocate(model, from->dataset->graph.nodes, made, error);
    if (status == CRD_OK) status = fill(model, from, threads, keep, made, error);
    if (status == CRD_OK) *prediction = made;
    else crd_prediction_free(&made);
    return status;
}

typedef struct {
    const crd_model *model;
    const crd_dataset *dataset;
    int threads;
} whole_graph;

static crd_status ask_whole(void *context, crd_asked to, crd_error *error)
{
    const whole_graph *w = context;
    if (w->model->kind == &crd_committee)
        return crd_infer_committee(w->model, w->dataset, w->threads, to.output, to.doubt, to.alone, NULL, to.latent,
                                   error);
    return crd_infer(w->model, w->dataset, NULL, w->threads, to.output, to.before_graph, to.latent, error);
}

static crd_status predict(const crd_model *model, const crd_dataset *dataset, int threads, bool keep,
                          crd_prediction **prediction, crd_error *error)
{
    whole_graph whole = {model, dataset, threads};
    const crd_answering from = {dataset, NULL, ask_whole, &whole};
    *prediction = NULL;
    crd_status status = crd_model_fits(model, dataset, error);
    return status == CRD_OK ? crd_prediction_from(model, &from, threads, keep, prediction, error) : status;
}

crd_status crd_predict(const crd_model *model, const crd_dataset *dataset, const crd_control *control,
                       crd_prediction **prediction, crd_error *error)
{
    if (prediction != NULL) *prediction = NULL;
    if (CRD_ANY_NULL(error, model, dataset, prediction)) return CRD_ERROR_ARGUMENT;
    crd_watch watch;
    crd_status status = crd_watch_begin(&watch, control, "predicting", error);
    if (status != CRD_OK) return status;
    status = predict(model, dataset, watch.control.threads, false, prediction, error);
    crd_watch_end(&watch);
    return status;
}

crd_status crd_predict_evidence(const crd_model *model, const crd_dataset *dataset, int threads,
                                crd_prediction **prediction, crd_error *error)
{
    return predict(model, dataset, threads, true, prediction, error);
}

/* ---- as a handle ---- */

void crd_prediction_free(crd_prediction **prediction)
{
    if (prediction == NULL || *prediction == NULL) return;
    crd_prediction *p = *prediction;
    *prediction = NULL;
    crd_free(p->node);
    crd_free(p->class_index);
    crd_free(p->probability);
    crd_free(p->alpha);
    crd_free(p->alpha_features);
    crd_free(p->evidence);
    crd_free(p->evidence_features);
    crd_free(p->latent);
    crd_scores_free(p->score);
    crd_free(p->x);
    crd_free(p->rejected);
    crd_free(p->before);
    crd_free(p->held);
    crd_free(p->doubt);
    crd_free(p->unknown);
    crd_free(p->answered);
    crd_free(p->set);
    crd_strings_free(&p->class_names, p->classes);
    crd_free(p);
}

int64_t crd_prediction_nodes(const crd_prediction *prediction)
{
    return prediction != NULL ? prediction->nodes : 0;
}

int32_t crd_prediction_classes(const crd_prediction *prediction)
{
    return prediction != NULL ? prediction->classes : 0;
}

const int32_t *crd_prediction_class(const crd_prediction *prediction)
{
    return prediction != NULL ? prediction->class_index : NULL;
}

const float *crd_prediction_probability(const crd_prediction *prediction)
{
    return prediction != NULL ? prediction->probability : NULL;
}

const float *crd_prediction_alpha(const crd_prediction *prediction)
{
    return prediction != NULL ? prediction->alpha : NULL;
}

const float *crd_prediction_alpha_features(const crd_prediction *prediction)
{
    return prediction != NULL ? prediction->alpha_features : NULL;
}

const float *crd_prediction_latent(const crd_prediction *prediction)
{
    return prediction != NULL ? prediction->latent : NULL;
}

int64_t crd_prediction_latent_dims(const crd_prediction *prediction)
{
    return prediction != NULL ? prediction->latent_dims : 0;
}

const double *crd_prediction_score(const crd_prediction *prediction, crd_score score)
{
    if (prediction == NULL) return NULL;
    /* As int: a caller's value may be outside the enumeration, which some compilers make unsigned. */
    int index = (int)score;
    return index < 0 || index >= CRD_SCORES ? NULL : prediction->score[index];
}

const char *crd_score_name(crd_score score)
{
    static const char *const names[CRD_SCORES] = {"epistemic", "aleatoric", "epistemic_features", "epistemic_class"};
    int index = (int)score;
    return index < 0 || index >= CRD_SCORES ? NULL : names[index];
}

const uint8_t *crd_prediction_rejected(const crd_prediction *prediction)
{
    return prediction != NULL ? prediction->rejected : NULL;
}

int64_t crd_prediction_node(const crd_prediction *prediction, int64_t row)
{
    if (prediction == NULL) return -1;
    if (row < 0 || row >= prediction->nodes) return -1;
    return prediction->node != NULL ? prediction->node[row] : row;
}

/* Moves a row of `bytes` down to its new place; `array` is NULL if the prediction does not have it. */
static void move_row(void *array, size_t bytes, int64_t from, int64_t to)
{
    if (array != NULL) memmove((char *)array + (size_t)to * bytes, (char *)array + (size_t)from * bytes, bytes);
}

crd_status crd_prediction_keep(crd_prediction *prediction, const bool *keep, crd_error *error)
{
    if (CRD_ANY_NULL(error, prediction, keep)) return CRD_ERROR_ARGUMENT;
    crd_prediction *p = prediction;
    if (p->node == NULL) {
        crd_status status = CRD_NEW(&p->node, p->nodes, error);
        if (status != CRD_OK) return status;
        for (int64_t i = 0; i < p->nodes; i++) p->node[i] = i;
        p->graph_nodes = p->nodes;
    }
    const size_t row = (size_t)p->classes * sizeof(float);
    int64_t kept = 0;
    for (int64_t i = 0; i < p->nodes; i++) {
        if (!keep[i]) continue;
        p->node[kept] = p->node[i];
        p->class_index[kept] = p->class_index[i];
        move_row(p->probability, row, i, kept);
        move_row(p->alpha, row, i, kept);
        move_row(p->alpha_features, row, i, kept);
        move_row(p->latent, (size_t)p->latent_dims * sizeof(float), i, kept);
        for (int s = 0; s < CRD_SCORES; s++) move_row(p->score[s], sizeof(double), i, kept);
        move_row(p->x, sizeof(float), i, kept);
        move_row(p->y, sizeof(float), i, kept);
        move_row(p->rejected, 1, i, kept);
        move_row(p->before, row, i, kept);
        move_row(p->doubt, sizeof(double), i, kept);
        move_row(p->unknown, 1, i, kept);
        move_row(p->answered, 1, i, kept);
        move_row(p->set, (size_t)p->classes, i, kept);
        kept++;
    }
    p->nodes = kept;
    return CRD_OK;
}

crd_status crd_prediction_set_map(crd_prediction *prediction, const float *map, crd_error *error)
{
    const int64_t nodes = prediction->nodes;
    float *x = NULL; /* then all y */
    if (map != NULL) {
        crd_status status = CRD_NEW(&x, 2 * nodes, error);
        if (status != CRD_OK) return status;
        for (int64_t i = 0; i < 2 * nodes; i++) x[i % 2 * nodes + i / 2] = map[i];
    }
    crd_free(prediction->x);
    prediction->x = x;
    prediction->y = x != NULL ? x + nodes : NULL;
    return CRD_OK;
}

/* The message lists the uncertainties that there are. */
static crd_status no_such_score(const crd_prediction *prediction, crd_score score, crd_error *error)
{
    char others[96] = "";
    for (int s = 0; s < CRD_SCORES; s++) {
        size_t used = strlen(others);
        if (prediction->score[s] != NULL)
            snprintf(others + used, sizeof others - used, "%s %s", used > 0 ? "," : "", crd_score_name((crd_score)s));
    }
    const char *name = crd_score_name(score);
    return crd_fail(error, CRD_ERROR_ARGUMENT, "the model gives no %s uncertainty to reject nodes by, but%s",
                    name != NULL ? name : "such", others);
}

static crd_status check_rejection(const crd_prediction *prediction, const crd_rejection *rejection, crd_error *error)
{
    if (rejection->by_threshold && rejection->by_coverage)
        return crd_fail(error, CRD_ERROR_ARGUMENT,
                        "nodes can be rejected above a threshold or by coverage, not both at once");
    if (crd_prediction_score(prediction, rejection->score) == NULL)
        return no_such_score(prediction, rejection->score, error);
    if (rejection->by_threshold && isnan(rejection->above))
        return crd_fail(error, CRD_ERROR_ARGUMENT, "the threshold to reject nodes above is not a number");
    if (rejection->by_coverage && !(rejection->coverage >= 0.0 && rejection->coverage <= 1.0))
        return crd_fail(error, CRD_ERROR_ARGUMENT, "the coverage is %g, expected 0 to 1", rejection->coverage);
    return CRD_OK;
}

typedef struct ranked_node {
    double uncertainty;
    int64_t node;
} ranked_node;

/* The least uncertain first, NaN last. Ties go by node number, so that the same nodes are answered every time. */
static int by_rising_uncertainty(const void *a, const void *b)
{
    const ranked_node *left = a, *right = b;
    bool left_nan = isnan(left->uncertainty), right_nan = isnan(right->uncertainty);
    if (left_nan != right_nan) return left_nan ? 1 : -1;
    if (left->uncertainty != right->uncertainty && !left_nan) return left->uncertainty < right->uncertainty ? -1 : 1;
    return left->node < right->node ? -1 : left->node > right->node;
}

static crd_status flag_by_coverage(const double *uncertainty, int64_t nodes, double coverage, uint8_t *flags,
                                   crd_error *error)
{
    ranked_node *order;
    crd_status status = CRD_NEW(&order, nodes, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < nodes; i++) order[i] = (ranked_node){uncertainty[i], i};
    if (nodes > 1) qsort(order, (size_t)nodes, sizeof *order, by_rising_uncertainty);
    int64_t answered = (int64_t)floor(coverage * (double)nodes + 0.5);
    for (int64_t i = 0; i < nodes; i++) flags[order[i].node] = i >= answered;
    crd_free(order);
    return CRD_OK;
}

crd_status crd_prediction_reject(crd_prediction *prediction, const crd_rejection *rejection, int64_t *rejected,
                                 crd_error *error)
{
    if (CRD_ANY_NULL(error, prediction, rejection)) return CRD_ERROR_ARGUMENT;
    uint8_t *flags = NULL;
    int64_t count = 0;
    crd_rejection by = {.size = sizeof by};
    const crd_status taken = crd_take_sized("crd_rejection", rejection, &by, sizeof by, error);
    if (taken != CRD_OK) return taken;
    if (by.by_threshold || by.by_coverage) {
        crd_status status = check_rejection(prediction, &by, error);
        if (status == CRD_OK) status = CRD_NEW_ZERO(&flags, prediction->nodes, error);
        if (status != CRD_OK) return status;
        const double *uncertainty = crd_prediction_score(prediction, by.score);
        if (by.by_coverage) status = flag_by_coverage(uncertainty, prediction->nodes, by.coverage, flags, error);
        else /* written so that NaN is flagged */
            for (int64_t i = 0; i < prediction->nodes; i++) flags[i] = !(uncertainty[i] <= by.above);
        if (status != CRD_OK) {
            crd_free(flags);
            return status;
        }
        for (int64_t i = 0; i < prediction->nodes; i++) count += flags[i];
    }
    crd_free(prediction->rejected);
    prediction->rejected = flags;
    if (rejected != NULL) *rejected = count;
    return CRD_OK;
}
