/* SPDX-License-Identifier: MIT */
/* What a trained model still needs before it can be believed: calibrated probabilities, and its
 * record on calibration nodes, which taught it nothing. Both come from predictions on the graph of training. */
#include <stdlib.h>
#include <string.h>

#include "answers/answers.h"
#include "base/watch.h"
#include "train/train.h"
#include "uncertainty/conformal.h"
#include "uncertainty/recalibrate.h"

/* The classes of the model's nodes with a role; -1 for others. Returns how many have one. */
static int64_t truth_of(const crd_model *model, const crd_dataset *dataset, crd_role role, int32_t *truth)
{
    int64_t count = 0;
    for (int64_t i = 0; i < model->split->nodes; i++) {
        const int32_t label = dataset->labels[i];
        const bool wanted = model->split->roles[i] == role && label >= 0 && label < model->classes;
        truth[i] = wanted ? label : -1;
        count += wanted;
    }
    return count;
}

/* The nodes to calibrate on, and how many. One temperature may be fitted on the calibration nodes, which judge the
 * model best: it hardly changes what they promise. The many numbers of other methods would fit themselves to the
 * promises, so they take other nodes: those that a committee has said something about without knowing their labels, or
 * validation nodes. A committee's temperature takes both kinds, because few nodes are a poor measure. */
static int64_t choose_nodes(const crd_model *model, const crd_dataset *dataset, const crd_out_of_fold *said,
                            int32_t *truth)
{
    int64_t count = 0;
    for (int64_t i = 0; i < model->split->nodes; i++) truth[i] = -1;
    if (model->config.calibration == CRD_CALIBRATION_TEMPERATURE)
        count = truth_of(model, dataset, CRD_ROLE_CALIBRATION, truth);
    if (count == 0 && said == NULL) count = truth_of(model, dataset, CRD_ROLE_VALIDATION, truth);
    for (int64_t i = 0; said != NULL && i < said->count; i++, count++)
        truth[said->node[i]] = dataset->labels[said->node[i]];
    return count;
}

static crd_status calibrate(crd_model *model, const crd_dataset *dataset, const int32_t *truth,
                            const crd_out_of_fold *said, crd_error *error)
{
    const crd_calibration method = model->config.calibration;
    const int64_t size = crd_recalibration_size(method, model->classes);
    float *logits = NULL, *parameters = NULL;
    int32_t *judge = NULL;
    crd_recalibration on;
    crd_status status = CRD_NEW(&logits, model->split->nodes * model->classes, error);
    if (status == CRD_OK)
        status = crd_infer(model, dataset, NULL, (int)model->config.threads, logits, NULL, NULL, error);
    for (int64_t i = 0; said != NULL && i < said->count && status == CRD_OK; i++)
        memcpy(logits + said->node[i] * model->classes, said->logits + i * model->classes,
               (size_t)model->classes * sizeof *logits);
    if (status == CRD_OK) status = CRD_NEW(&parameters, size, error);
    if (status == CRD_OK && method == CRD_CALIBRATION_GATS) status = CRD_NEW(&judge, model->split->nodes, error);
    if (status == CRD_OK) {
        status = crd_recalibration_open(model, dataset, logits, &on, error);
        if (judge != NULL && truth_of(model, dataset, CRD_ROLE_CALIBRATION, judge) > 0) on.judge = judge;
        if (status == CRD_OK) status = crd_recalibration_fit(&on, truth, parameters, error);
        crd_recalibration_close(&on);
    }
    if (status == CRD_OK) {
        model->calibration = parameters;
        model->calibrations = size;
    } else crd_free(parameters);
    crd_free(judge);
    crd_free(logits);
    return status;
}

static void keep_row(const crd_prediction *p, const crd_graph *graph, const float *scores, int64_t node, int32_t label,
                     float row[CRD_HELD])
{
    row[CRD_HELD_DOUBT] = (float)crd_strangeness(p)[node];
    row[CRD_HELD_ALEATORIC] = (float)p->score[CRD_SCORE_ALEATORIC][node];
    row[CRD_HELD_WRONG] = p->class_index[node] != label ? 1.0f : 0.0f;
    row[CRD_HELD_OWN] = scores[node * p->classes + label];
    row[CRD_HELD_NEAR] = crd_set_near(graph->start, graph->neighbour, scores, p->classes, node, label);
    row[CRD_HELD_RANK] = (float)crd_set_rank(p->probability + node * p->classes, p->classes, label);
}

static crd_status keep_rows(crd_model *model, const crd_dataset *dataset, const int32_t *truth, int64_t count,
                            crd_error *error)
{
    crd_prediction *p = NULL;
    float *scores = NULL;
    int64_t next = 0;
    crd_status status = crd_predict(model, dataset, CRD_THREADS((int)model->config.threads), &p, error);
    if (status == CRD_OK) status = CRD_NEW(&scores, p->nodes * p->classes, error);
    if (status == CRD_OK)
        status = crd_set_scores(p->probability, p->nodes, p->classes, model->config.seed, scores, error);
    if (status == CRD_OK) status = CRD_NEW(&model->held, count * CRD_HELD, error);
    for (int64_t i = 0; status == CRD_OK && i < p->nodes; i++)
        if (truth[i] >= 0) keep_row(p, &dataset->graph, scores, i, truth[i], model->held + CRD_HELD * next++);
    if (status == CRD_OK) model->held_count = count;
    crd_free(scores);
    crd_prediction_free(&p);
    return status;
}

/* Features of some node may be so large that it has no answer: others may still be asked. And a model is kept if
 * somebody asks to stop now. */
static crd_status forgive(crd_status status)
{
    return status == CRD_ERROR_NUMERIC || status == CRD_ERROR_STOPPED ? CRD_OK : status;
}

crd_status crd_training_record(crd_model *model, const crd_dataset *dataset, crd_error *error)
{
    int32_t *truth;
    crd_free(model->held);
    model->held = NULL;
    model->held_count = 0;
    if (!model->kind->trained) return CRD_OK;
    crd_status status = CRD_NEW(&truth, model->split->nodes, error);
    if (status != CRD_OK) return status;
    const int64_t count = truth_of(model, dataset, CRD_ROLE_CALIBRATION, truth);
    if (count > 0) status = keep_rows(model, dataset, truth, count, error);
    crd_free(truth);
    return forgive(status);
}

static crd_status promise(crd_model *model, const crd_dataset *dataset, const crd_out_of_fold *said, crd_error *error)
{
    int32_t *truth;
    if (!model->kind->trained) return CRD_OK;
    crd_status status = CRD_NEW(&truth, model->split->nodes, error);
    if (status != CRD_OK) return status;
    const int64_t count = choose_nodes(model, dataset, said, truth);
    if (model->config.calibration != CRD_CALIBRATION_NONE && count > 0)
        status = calibrate(model, dataset, truth, said, error);
    crd_free(truth);
    /* The record of an inductive model is made on the whole graph, later. */
    if (status != CRD_OK || model->config.inductive) return forgive(status);
    return crd_training_record(model, dataset, error);
}

crd_status crd_training_promise(crd_model *model, const crd_dataset *dataset, const crd_out_of_fold *said,
                                crd_error *error)
{
    const bool before = crd_watch_finish(true);
    const crd_status status = promise(model, dataset, said, error);
    crd_watch_finish(before);
    return status;
}
