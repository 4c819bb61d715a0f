/* From a model and a graph to a Dirichlet for every node. */
#include <math.h>
#include <stdlib.h>

#include "answers/infer.h"
#include "answers/prediction.h"
#include "models/model.h"
#include "uncertainty/scores.h"

/* Weights or features can be finite and still too large: an answer that is no number is not an answer. */
static crd_status check_finite(const float *evidence, const float *features, int64_t nodes, int32_t classes,
                               crd_error *error)
{
    for (int64_t i = 0; i < nodes * classes; i++)
        if (!isfinite(evidence[i]) || !isfinite(features[i]))
            return crd_fail(error, CRD_ERROR_NUMERIC,
                            "the model gives node %lld no number for its evidence: its weights or the node's "
                            "features are too large", (long long)(i / classes));
    return CRD_OK;
}

crd_status crd_infer(const crd_model *model, const crd_dataset *dataset, int threads, float *evidence,
                     float *evidence_features, crd_error *error)
{
    crd_prepared prepared;
    crd_run *run;
    crd_status status = crd_preprocess(&dataset->features, model->config.features, model->feature_mean,
                                       model->feature_scale, &prepared, error);
    if (status != CRD_OK) return status;
    crd_team *team = NULL;
    status = crd_team_open(threads, &team, error);
    const crd_inputs inputs = {.graph = &dataset->graph, .features = &prepared.features, .team = team};
    if (status == CRD_OK) status = model->kind->open(model, &inputs, &run, error);
    if (status == CRD_OK) {
        model->kind->infer(run, evidence, evidence_features);
        model->kind->close(&run);
        status = check_finite(evidence, evidence_features, dataset->graph.nodes, model->classes, error);
    }
    crd_team_close(&team);
    crd_prepared_free(&prepared);
    return status;
}

/* p = alpha / alpha0, and evidence becomes alpha. */
static void finish(crd_prediction *p)
{
    for (int64_t i = 0; i < p->nodes; i++) {
        float *alpha = p->alpha + i * p->classes;
        double total = (double)p->classes;
        for (int32_t k = 0; k < p->classes; k++) total += (double)alpha[k];
        for (int32_t k = 0; k < p->classes; k++) {
            p->probability[i * p->classes + k] = (float)((1.0 + (double)alpha[k]) / total);
            alpha[k] += 1.0f;
            p->alpha_features[i * p->classes + k] += 1.0f;
        }
    }
}

static crd_status fill(const crd_model *model, const crd_dataset *dataset, int threads, crd_prediction *p,
                       crd_error *error)
{
    p->nodes = dataset->graph.nodes;
    p->classes = model->classes;
    const int64_t cells = p->nodes * p->classes;
    crd_status status = CRD_NEW(&p->class_index, p->nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&p->probability, cells, error);
    if (status == CRD_OK) status = CRD_NEW(&p->alpha, cells, error);
    if (status == CRD_OK) status = CRD_NEW(&p->alpha_features, cells, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&p->class_names, p->classes, error);
    for (int32_t k = 0; k < p->classes && status == CRD_OK; k++)
        status = crd_copy_string(&p->class_names[k], model->class_names[k], error);
    if (status == CRD_OK)
        status = crd_infer(model, dataset, threads, p->alpha, p->alpha_features, error);
    if (status == CRD_OK) /* while the arrays still hold evidence */
        status = crd_scores_make(p->probability, p->alpha, p->alpha_features, p->nodes, p->classes, p->score,
                                 error);
    if (status != CRD_OK) return status;
    crd_most_probable(p->alpha, p->nodes, p->classes, p->class_index);
    finish(p);
    return CRD_OK;
}

crd_status crd_predict(const crd_model *model, const crd_dataset *dataset, int threads,
                       crd_prediction **prediction, crd_error *error)
{
    *prediction = NULL;
    crd_status status = crd_model_fits(model, dataset, error);
    if (status != CRD_OK) return status;
    crd_prediction *made;
    status = CRD_NEW_ZERO(&made, 1, error);
    if (status != CRD_OK) return status;
    status = fill(model, dataset, threads, made, error);
    if (status == CRD_OK) *prediction = made;
    else crd_prediction_free(&made);
    return status;
}
