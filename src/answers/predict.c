/* From a model and a graph to probabilities and uncertainties for every node. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers/infer.h"
#include "answers/prediction.h"
#include "models/output.h"
#include "uncertainty/scores.h"

/* Weights or features can be finite and still too large: an answer that is no number is not an answer. */
static crd_status check_finite(const crd_model *model, const float *output, const float *before_graph,
                               int64_t nodes, const int32_t *numbers, crd_error *error)
{
    for (int64_t i = 0; i < nodes * model->classes; i++) {
        if (isfinite(output[i]) && (before_graph == NULL || isfinite(before_graph[i]))) continue;
        const int64_t node = i / model->classes;
        return crd_fail(error, CRD_ERROR_NUMERIC,
                        "the model gives node %lld no number for its %s: its weights or the node's "
                        "features are too large", (long long)(numbers != NULL ? numbers[node] : node),
                        model->kind->output == CRD_OUTPUT_EVIDENCE ? "evidence" : "logits");
    }
    return CRD_OK;
}

crd_status crd_infer(const crd_model *model, const crd_dataset *dataset, const int32_t *numbers, int threads,
                     float *output, float *before_graph, float *latent, crd_error *error)
{
    crd_prepared prepared;
    crd_run *run;
    crd_status status = crd_preprocess(&dataset->features, model->config.features, model->feature_mean,
                                       model->feature_scale, NULL, &prepared, error);
    if (status != CRD_OK) return status;
    crd_team *team = NULL;
    status = crd_team_open(threads, &team, error);
    const crd_inputs inputs = {.graph = &dataset->graph, .features = &prepared, .team = team};
    if (status == CRD_OK) status = crd_run_open(model, &inputs, NULL, &run, error);
    if (status == CRD_OK) {
        model->kind->infer(run, output, before_graph);
        if (latent != NULL) model->kind->latent(run, latent);
        crd_run_close(&run);
        status = check_finite(model, output, before_graph, dataset->graph.nodes, numbers, error);
    }
    crd_team_close(&team);
    crd_prepared_free(&prepared);
    return status;
}

static void add_one(float *evidence, int64_t cells)
{
    for (int64_t i = 0; i < cells; i++) evidence[i] += 1.0f;
}

static crd_status copy_cells(const float *cells, int64_t count, float **copy, crd_error *error)
{
    crd_status status = CRD_NEW(copy, count, error);
    if (status == CRD_OK) memcpy(*copy, cells, (size_t)count * sizeof *cells);
    return status;
}

/* Fills the prediction from the model's output, which becomes its alpha if that is evidence. */
static crd_status judge(const crd_model_kind *kind, float **output, float **before_graph, crd_prediction *p,
                        crd_error *error)
{
    const bool evidence = kind->output == CRD_OUTPUT_EVIDENCE;
    crd_status status =
        evidence ? crd_scores_make(NULL, *output, *before_graph, p->nodes, p->classes, p->score, error)
                 : crd_scores_from_logits(*output, kind->energy, p->nodes, p->classes, p->score, error);
    if (status != CRD_OK) return status;
    crd_most_probable(*output, p->nodes, p->classes, p->class_index);
    for (int64_t i = 0; i < p->nodes; i++)
        crd_output_probability(kind->output, *output + i * p->classes, p->classes,
                               p->probability + i * p->classes);
    if (!evidence) return CRD_OK;
    p->alpha = *output;
    p->alpha_features = *before_graph;
    *output = *before_graph = NULL;
    add_one(p->alpha, p->nodes * p->classes);
    if (p->alpha_features != NULL) add_one(p->alpha_features, p->nodes * p->classes);
    return CRD_OK;
}

/* Of evidence, copies are made where they are asked for. */
static crd_status fill(const crd_model *model, const crd_dataset *dataset, int threads, crd_prediction *p,
                       float **evidence, float **evidence_features, crd_error *error)
{
    float *output = NULL, *before_graph = NULL;
    p->nodes = dataset->graph.nodes;
    p->classes = model->classes;
    const int64_t cells = p->nodes * p->classes;
    crd_status status = CRD_NEW(&p->class_index, p->nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&p->probability, cells, error);
    if (status == CRD_OK) status = CRD_NEW(&output, cells, error);
    if (status == CRD_OK && model->kind->features_alone) status = CRD_NEW(&before_graph, cells, error);
    if (status == CRD_OK && model->kind->latent != NULL) {
        p->latent_dims = crd_model_latent_dims(model);
        status = CRD_NEW(&p->latent, p->nodes * p->latent_dims, error);
    }
    if (status == CRD_OK) status = CRD_NEW_ZERO(&p->class_names, p->classes, error);
    for (int32_t k = 0; k < p->classes && status == CRD_OK; k++)
        status = crd_copy_string(&p->class_names[k], model->class_names[k], error);
    if (status == CRD_OK) status = crd_infer(model, dataset, NULL, threads, output, before_graph, p->latent, error);
    const bool wanted = evidence != NULL && model->kind->output == CRD_OUTPUT_EVIDENCE;
    if (status == CRD_OK && wanted) status = copy_cells(output, cells, evidence, error);
    if (status == CRD_OK && wanted && before_graph != NULL)
        status = copy_cells(before_graph, cells, evidence_features, error);
    if (status == CRD_OK) status = judge(model->kind, &output, &before_graph, p, error);
    free(output);
    free(before_graph);
    return status;
}

static crd_status predict(const crd_model *model, const crd_dataset *dataset, int threads,
                          crd_prediction **prediction, float **evidence, float **evidence_features,
                          crd_error *error)
{
    *prediction = NULL;
    crd_status status = crd_model_fits(model, dataset, error);
    if (status != CRD_OK) return status;
    crd_prediction *made;
    status = CRD_NEW_ZERO(&made, 1, error);
    if (status != CRD_OK) return status;
    status = fill(model, dataset, threads, made, evidence, evidence_features, error);
    if (status == CRD_OK) *prediction = made;
    else crd_prediction_free(&made);
    return status;
}

crd_status crd_predict(const crd_model *model, const crd_dataset *dataset, int threads,
                       crd_prediction **prediction, crd_error *error)
{
    return predict(model, dataset, threads, prediction, NULL, NULL, error);
}

crd_status crd_predict_evidence(const crd_model *model, const crd_dataset *dataset, int threads,
                                crd_prediction **prediction, float **evidence, float **evidence_features,
                                crd_error *error)
{
    *evidence = *evidence_features = NULL;
    crd_status status = predict(model, dataset, threads, prediction, evidence, evidence_features, error);
    if (status == CRD_OK) return CRD_OK;
    free(*evidence);
    free(*evidence_features);
    *evidence = *evidence_features = NULL;
    return status;
}
