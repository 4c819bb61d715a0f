#include "models/remember.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

crd_status crd_remember(crd_model *model, const int64_t *nodes, const int32_t *classes, int64_t count, crd_error *error)
{
    crd_status status = CRD_NEW(&model->remembered_node, count, error);
    if (status == CRD_OK) status = CRD_NEW(&model->remembered_class, count, error);
    if (status != CRD_OK) return status;
    memcpy(model->remembered_node, nodes, (size_t)count * sizeof *nodes);
    memcpy(model->remembered_class, classes, (size_t)count * sizeof *classes);
    model->remembered = count;
    return CRD_OK;
}

crd_status crd_remembered_labels(const crd_model *model, float **labels, int64_t *count, crd_error *error)
{
    *count = crd_split_count(model->split, CRD_ROLE_TRAIN);
    crd_status status = CRD_NEW(labels, *count, error);
    int64_t next = 0, at = 0;
    for (int64_t i = 0; i < model->split->nodes && status == CRD_OK; i++) {
        if (model->split->roles[i] != CRD_ROLE_TRAIN) continue;
        const bool known = next < model->remembered && model->remembered_node[next] == i;
        (*labels)[at++] = known ? (float)model->remembered_class[next++] : -1.0f;
    }
    return status;
}

/* Takes the labelled nodes among the split's training nodes. */
static crd_status take(crd_model *model, const crd_tensors *tensors, const float *labels, int64_t count,
                       crd_error *error)
{
    crd_status status = CRD_NEW(&model->remembered_node, count, error);
    if (status == CRD_OK) status = CRD_NEW(&model->remembered_class, count, error);
    if (status != CRD_OK) return status;
    int64_t at = 0;
    for (int64_t i = 0; i < model->split->nodes; i++) {
        if (model->split->roles[i] != CRD_ROLE_TRAIN) continue;
        const float label = labels[at++];
        if (!(label >= -1.0f && label < (float)model->classes) || label != floorf(label))
            return crd_fail(error, CRD_ERROR_FORMAT,
                            "%s: train.labels of node %lld is %g, expected a class from 0 to %d, or -1",
                            crd_tensors_name(tensors), (long long)i, (double)label, model->classes - 1);
        if (label < 0.0f) continue;
        model->remembered_node[model->remembered] = i;
        model->remembered_class[model->remembered++] = (int32_t)label;
    }
    return CRD_OK;
}

static crd_status check_counts(const crd_model *model, const crd_tensors *tensors, crd_error *error)
{
    int64_t *counts;
    crd_status status = CRD_NEW_ZERO(&counts, model->classes, error);
    if (status != CRD_OK) return status;
    for (int64_t t = 0; t < model->remembered; t++) counts[model->remembered_class[t]]++;
    for (int32_t k = 0; k < model->classes && status == CRD_OK; k++)
        if ((float)counts[k] != model->class_counts[k])
            status = crd_fail(error, CRD_ERROR_FORMAT, "%s: train.labels has %lld nodes of class %d, prior.counts %g",
                              crd_tensors_name(tensors), (long long)counts[k], k, (double)model->class_counts[k]);
    free(counts);
    return status;
}

crd_status crd_remembered_read(crd_model *model, const crd_tensors *tensors, crd_error *error)
{
    if (model->split == NULL)
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%s: the tensor split.roles is missing, which says what the training nodes of the "
                        "model %s are",
                        crd_tensors_name(tensors), model->kind->name);
    int64_t shape[CRD_TENSOR_MAX_DIMS], expected = crd_split_count(model->split, CRD_ROLE_TRAIN);
    crd_status status = crd_model_sizes(tensors, "train.labels", 1, shape, error);
    if (status != CRD_OK) return status;
    if (shape[0] != expected)
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%s: train.labels has %lld entries, split.roles %lld "
                        "training nodes",
                        crd_tensors_name(tensors), (long long)shape[0], (long long)expected);
    float *labels;
    status = CRD_NEW(&labels, expected, error);
    if (status == CRD_OK) status = crd_tensors_read_float(tensors, "train.labels", labels, expected, error);
    if (status == CRD_OK) status = take(model, tensors, labels, expected, error);
    if (status == CRD_OK) status = check_counts(model, tensors, error);
    free(labels);
    return status;
}

crd_status crd_remember_declare(crd_model *model, crd_error *error)
{
    (void)model;
    (void)error;
    return CRD_OK;
}

crd_status crd_remember_recognise(crd_model *model, const crd_tensors *tensors, crd_error *error)
{
    int64_t counts[CRD_TENSOR_MAX_DIMS];
    crd_status status = crd_model_sizes(tensors, "prior.counts", 1, counts, error);
    if (status == CRD_OK) status = crd_model_set_classes(model, tensors, "prior.counts", counts[0], error);
    return status;
}

void crd_remember_initialise(crd_model *model, uint64_t seed)
{
    (void)model;
    (void)seed;
}

void crd_remembered_fill(const crd_model *model, int64_t nodes, int64_t stride, float value, float *rows)
{
    memset(rows, 0, (size_t)(nodes * stride) * sizeof *rows);
    for (int64_t t = 0; t < model->remembered; t++)
        rows[model->remembered_node[t] * stride + model->remembered_class[t]] = value;
}

void crd_remembered_round(int64_t count, float *evidence)
{
    for (int64_t i = 0; i < count; i++) {
        const float alpha = 1.0f + evidence[i];
        evidence[i] = alpha - 1.0f;
    }
}
