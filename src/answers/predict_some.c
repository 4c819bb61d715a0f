/* SPDX-License-Identifier: MIT */
/* Predictions of some nodes, and of a part of a graph. */
#include <stdlib.h>

#include "answers/grown.h"
#include "base/watch.h"

crd_status crd_predict_nodes(const crd_model *model, const crd_dataset *dataset, const int64_t *nodes, int64_t count,
                             const crd_control *control, crd_prediction **prediction, crd_error *error)
{
    if (prediction != NULL) *prediction = NULL;
    if (CRD_ANY_NULL(error, model, dataset, prediction) || (count > 0 && CRD_ANY_NULL(error, nodes)))
        return CRD_ERROR_ARGUMENT;
    crd_grown grown;
    crd_watch watch;
    crd_status status = crd_model_fits(model, dataset, error);
    if (status == CRD_OK) status = crd_check_nodes(nodes, count, dataset->graph.nodes, error);
    if (status == CRD_OK) status = crd_grown_open(dataset, &grown, error);
    if (status != CRD_OK) return status;
    status = crd_watch_begin(&watch, control, "predicting", error);
    if (status == CRD_OK) {
        status = crd_grown_predict(model, &grown, nodes, count, watch.control.threads, prediction, error);
        crd_watch_end(&watch);
    }
    crd_grown_close(&grown);
    return status;
}

static crd_status check_part(const crd_model *model, const crd_dataset *part, const int64_t *degrees, crd_error *error)
{
    const int64_t *start = part->graph.start;
    if (!model->kind->trained || !crd_answers_alone(model))
        return crd_fail(error, CRD_ERROR_ARGUMENT,
                        "a model of the kind %s with this score and calibration looks at more than degrees: give it "
                        "the whole graph",
                        model->kind->name);
    for (int64_t i = 0; i < part->graph.nodes; i++)
        if (degrees[i] < start[i + 1] - start[i] || degrees[i] >= INT32_MAX)
            return crd_fail(error, CRD_ERROR_ARGUMENT,
                            "node %lld has the degree %lld, but %lld neighbours in this part of the graph: expected "
                            "its number of different neighbours in the whole",
                            (long long)i, (long long)degrees[i], (long long)(start[i + 1] - start[i]));
    return CRD_OK;
}

crd_status crd_predict_part(const crd_model *model, const crd_dataset *part, const int64_t *degrees,
                            const int64_t *nodes, int64_t count, const crd_control *control,
                            crd_prediction **prediction, crd_error *error)
{
    if (prediction != NULL) *prediction = NULL;
    if (CRD_ANY_NULL(error, model, part, degrees, prediction)) return CRD_ERROR_ARGUMENT;
    crd_dataset with_degrees = *part;
    int32_t *degree = NULL;
    crd_status status = crd_model_fits(model, part, error);
    if (status == CRD_OK) status = check_part(model, part, degrees, error);
    if (status == CRD_OK && nodes != NULL) status = crd_check_nodes(nodes, count, part->graph.nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&degree, part->graph.nodes, error);
    for (int64_t i = 0; i < part->graph.nodes && status == CRD_OK; i++) degree[i] = (int32_t)degrees[i];
    with_degrees.degree = degree;
    if (status == CRD_OK) status = crd_predict(model, &with_degrees, control, prediction, error);
    if (status == CRD_OK && nodes != NULL) status = crd_prediction_choose(*prediction, nodes, count, error);
    if (status != CRD_OK) crd_prediction_free(prediction);
    crd_free(degree);
    return status;
}
