#include "report/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers/classes.h"
#include "answers/evaluate.h"

void crd_view_close(crd_view *v)
{
    crd_prediction_free(&v->prediction);
    free(v->evidence);
    free(v->own);
    free(v->class_name);
    free(v->class_on_page);
    free(v->truth);
    *v = (crd_view){0};
}

/* The model's classes as it numbers them; behind them those of the data that it does not know. */
static crd_status list_classes(crd_view *v, crd_error *error)
{
    enum { MOST = 32767 }; /* the page's labels are 16 bits */
    const int32_t of_data = crd_dataset_classes(v->dataset);
    v->known = v->classes = v->model->classes;
    crd_status status = CRD_NEW(&v->class_name, (int64_t)v->known + of_data, error);
    if (status != CRD_OK) return status;
    for (int32_t k = 0; k < v->known; k++) v->class_name[k] = crd_model_class_name(v->model, k);
    status = crd_classes_match(v->dataset, v->class_name, v->known, &v->class_on_page, error);
    for (int32_t c = 0; c < of_data && status == CRD_OK; c++) {
        if (v->class_on_page[c] >= 0) continue;
        if (v->classes == MOST)
            return crd_fail(error, CRD_ERROR_MISMATCH,
                            "the data have %d classes, a report has room for %d: are the labels classes?", of_data,
                            (int)MOST);
        v->class_name[v->classes] = crd_dataset_class_name(v->dataset, c);
        v->class_on_page[c] = v->classes++;
    }
    return status;
}

/* The test nodes are those that crd_evaluate takes. Where there are none, the page says why. */
static crd_status choose_nodes(crd_view *v, crd_error *error)
{
    const crd_split *given = v->options->split;
    crd_error problem = {0};
    if (given != NULL && given->nodes != crd_dataset_nodes(v->dataset))
        return crd_fail(error, CRD_ERROR_MISMATCH, "the split is of %lld nodes, the data have %lld",
                        (long long)given->nodes, (long long)crd_dataset_nodes(v->dataset));
    crd_status status = crd_evaluation_truth(v->model, v->dataset, given, &v->truth, &problem);
    if (status != CRD_OK && status != CRD_ERROR_MISMATCH) {
        if (error != NULL) *error = problem;
        return status;
    }
    v->split = given;
    if (status == CRD_OK && given == NULL) v->split = v->model->split;
    if (status != CRD_OK) memcpy(v->why, problem.message, sizeof v->why);
    int64_t known = 0;
    for (int64_t i = 0; i < crd_dataset_nodes(v->dataset) && v->truth != NULL; i++)
        known += v->truth[i] != CRD_TRUTH_UNKNOWN;
    if (v->truth != NULL && known == 0) {
        free(v->truth);
        v->truth = NULL;
        snprintf(v->why, sizeof v->why, "none of the split's test nodes has a known class");
    }
    return CRD_OK;
}

crd_status crd_view_open(crd_view *v, const crd_model *model, const crd_dataset *dataset,
                         const crd_report_options *options, crd_error *error)
{
    *v = (crd_view){.model = model, .dataset = dataset, .options = options};
    crd_status status = crd_predict_evidence(model, dataset, options->threads, &v->prediction, &v->evidence,
                                             &v->own, error);
    if (status == CRD_OK) status = list_classes(v, error);
    if (status == CRD_OK) status = choose_nodes(v, error);
    if (status != CRD_OK) crd_view_close(v);
    return status;
}

int32_t crd_view_label(const crd_view *v, int64_t node)
{
    const int32_t label = crd_dataset_label(v->dataset, node);
    return label < 0 ? -1 : v->class_on_page[label];
}

double crd_view_total(const crd_view *v, const float *evidence, int64_t node)
{
    double total = 0.0;
    for (int32_t k = 0; k < v->known; k++) total += (double)evidence[node * v->known + k];
    return total;
}
