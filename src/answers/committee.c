/* SPDX-License-Identifier: MIT */
/* The answers of a committee: the logits of its networks' views, joined by the weights of models/pool.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers/answers.h"
#include "base/watch.h"

typedef struct {
    const crd_model *model;
    const float *said; /* [N][views][classes + 1], of one network */
    float *logits;     /* [N][classes] */
    double *doubt;     /* [N], or NULL, like the next two */
    double *alone;     /* [N]: by the node's own features */
    float *latent;     /* like `said`, the mean over the networks; or NULL */
} join_job;

static void join_rows(int64_t begin, int64_t end, void *context)
{
    const join_job *j = context;
    const crd_pool *pool = &j->model->pool;
    const int32_t classes = j->model->classes;
    const int64_t width = CRD_VIEWS * (classes + 1);
    const double share = 1.0 / (double)j->model->members;
    double signals[CRD_SIGNALS];
    float joined[CRD_MAX_CLASSES];
    for (int64_t i = begin; i < end; i++) {
        const float *said = j->said + i * width;
        crd_pool_classes(pool, said, classes, joined);
        for (int32_t k = 0; k < classes; k++) j->logits[i * classes + k] += (float)share * joined[k];
        crd_pool_signals(said, classes, signals);
        double odds = pool->bias;
        for (int s = 0; s < CRD_SIGNALS; s++) odds += pool->signal[s] * signals[s];
        if (j->doubt != NULL) j->doubt[i] += share * odds;
        if (j->alone != NULL) j->alone[i] += share * signals[0];
        for (int64_t d = 0; j->latent != NULL && d < width; d++) j->latent[i * width + d] += (float)share * said[d];
    }
}

void crd_committee_add(const crd_model *model, const float *said, int64_t rows, float *logits, double *doubt,
                       double *alone, float *latent)
{
    join_job job = {model, said, logits, doubt, alone, latent};
    join_rows(0, rows, &job);
}

static crd_status ask_members(const crd_model *model, const crd_inputs *inputs, join_job *job, float *before_graph,
                              crd_error *error)
{
    const int64_t nodes = inputs->graph->nodes, width = CRD_VIEWS * ((int64_t)model->classes + 1);
    float *said;
    crd_run *run;
    crd_status status = CRD_NEW(&said, nodes * width, error);
    job->said = said;
    for (int32_t m = 0; m < model->members && status == CRD_OK; m++) {
        status = crd_run_open(model->member[m], inputs, NULL, &run, error);
        if (status != CRD_OK) break;
        run->model->kind->infer(run, said, before_graph != NULL ? before_graph + m * nodes * width : NULL);
        crd_run_close(&run);
        crd_parallel_rows(inputs->team, nodes, 256, join_rows, job);
        status = crd_watch_check(error);
    }
    crd_free(said);
    return status;
}

/* A node whose features are beyond all that training saw is unlike the labelled ones, whatever the networks say. */
static crd_status add_beyond(const crd_model *model, const crd_prepared *prepared, double *doubt, double *alone,
                             crd_error *error)
{
    const int64_t nodes = prepared->features.rows;
    double *sum;
    if (model->bounds == NULL) return CRD_OK;
    crd_status status = CRD_NEW(&sum, nodes, error);
    if (status == CRD_OK) status = crd_model_beyond(model, prepared, sum, error);
    for (int64_t i = 0; i < nodes && status == CRD_OK; i++) {
        if (doubt != NULL) doubt[i] += sum[i];
        if (alone != NULL) alone[i] += sum[i];
    }
    crd_free(sum);
    return status;
}

crd_status crd_beyond(const crd_model *model, const crd_dataset *dataset, double *sum, crd_error *error)
{
    crd_prepared prepared;
    memset(sum, 0, (size_t)dataset->graph.nodes * sizeof *sum);
    if (model->bounds == NULL) return CRD_OK;
    crd_status status = crd_preprocess(&dataset->features, model->config.features, model->feature_mean,
                                       model->feature_scale, NULL, &prepared, error);
    if (status != CRD_OK) return status;
    status = crd_model_beyond(model, &prepared, sum, error);
    crd_prepared_free(&prepared);
    return status;
}

crd_status crd_infer_committee(const crd_model *model, const crd_dataset *dataset, int threads, float *logits,
                               double *doubt, double *alone, float *before_graph, float *latent, crd_error *error)
{
    const int64_t nodes = dataset->graph.nodes, width = CRD_VIEWS * ((int64_t)model->classes + 1);
    crd_prepared prepared;
    crd_team *team = NULL;
    join_job job = {model, NULL, logits, doubt, alone, latent};
    crd_status status = crd_preprocess(&dataset->features, model->config.features, model->feature_mean,
                                       model->feature_scale, NULL, &prepared, error);
    if (status != CRD_OK) return status;
    memset(logits, 0, (size_t)(nodes * model->classes) * sizeof *logits);
    if (doubt != NULL) memset(doubt, 0, (size_t)nodes * sizeof *doubt);
    if (alone != NULL) memset(alone, 0, (size_t)nodes * sizeof *alone);
    if (latent != NULL) memset(latent, 0, (size_t)(nodes * width) * sizeof *latent);
    status = crd_team_open(threads, &team, error);
    if (status == CRD_OK) crd_team_watch(team, true);
    const crd_inputs inputs = {
        .graph = &dataset->graph, .features = &prepared, .team = team, .degree = dataset->degree};
    if (status == CRD_OK) status = ask_members(model, &inputs, &job, before_graph, error);
    if (status == CRD_OK && (doubt != NULL || alone != NULL))
        status = add_beyond(model, &prepared, doubt, alone, error);
    crd_team_close(&team);
    crd_prepared_free(&prepared);
    return status;
}
