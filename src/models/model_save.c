/* Model files: safetensors with the weights under PyTorch's names and shapes, other arrays (class counts, split,
 * features' names, means and scales, remembered labels, calibration) beside them, and the rest as metadata. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "kernels/linear.h"
#include "models/config.h"
#include "models/model.h"
#include "uncertainty/conformal.h"

static crd_status names_json(char *const *names, int32_t count, char **json, crd_error *error)
{
    crd_text text = {0};
    crd_text_add(&text, "[");
    for (int32_t i = 0; i < count; i++) {
        if (i > 0) crd_text_add(&text, ", ");
        crd_text_add_json_string(&text, names[i]);
    }
    crd_text_add(&text, "]");
    return crd_text_finish(&text, json, error);
}

static crd_status training_json(const crd_model *model, char **json, crd_error *error)
{
    crd_text text = {0};
    crd_text_format(&text,
                    "{\"epochs\": %lld, \"best_epoch\": %lld, \"validation_cross_entropy\": ", (long long)model->epochs,
                    (long long)model->best_epoch);
    crd_text_add_json_number(&text, model->best_cross_entropy);
    crd_text_add(&text, ", \"validation_accuracy\": ");
    crd_text_add_json_number(&text, model->best_accuracy);
    crd_text_format(&text, ", \"stop\": \"%s\"}", crd_stop_name(model->stop));
    return crd_text_finish(&text, json, error);
}

/* A matrix that is (in, out) in memory, in the file's (out, in) order. */
static crd_status file_order(const crd_parameter *p, float **values, crd_error *error)
{
    crd_status status = CRD_NEW(values, p->count, error);
    if (status != CRD_OK) return status;
    if (p->form->transposed) crd_transpose(p->value, p->shape[1], p->shape[0], *values);
    else memcpy(*values, p->value, (size_t)p->count * sizeof **values);
    return CRD_OK;
}

/* What an untrained model remembers: the class of every training node of split.roles, -1 if it is unknown. */
static crd_status remembered_labels(const crd_model *model, float **labels, int64_t *count, crd_error *error)
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

/* The names one after the other, each ended by a zero byte. */
static crd_status join_names(char *const *names, int64_t count, uint8_t **bytes, int64_t *size, crd_error *error)
{
    *size = 0;
    for (int64_t j = 0; j < count; j++) *size += (int64_t)strlen(names[j]) + 1;
    crd_status status = CRD_NEW(bytes, *size, error);
    uint8_t *at = *bytes;
    for (int64_t j = 0; j < count && status == CRD_OK; at += strlen(names[j++]) + 1)
        memcpy(at, names[j], strlen(names[j]) + 1);
    return status;
}

enum { EXTRA = 11, MOST_PARAMETERS = CRD_MOST_NETWORKS * CRD_MAX_PARAMETERS };

/* The tensors of a file, and what they own. */
typedef struct {
    int count, parameters;
    crd_tensor_out tensor[MOST_PARAMETERS + EXTRA];
    float *ordered[MOST_PARAMETERS];
    char name[MOST_PARAMETERS][CRD_TENSOR_NAME];
} tensor_list;

void crd_tensor_name(char name[CRD_TENSOR_NAME], int32_t fold, const char *parameter)
{
    if (fold < 0) snprintf(name, CRD_TENSOR_NAME, "%s", parameter);
    else snprintf(name, CRD_TENSOR_NAME, "fold.%d.%s", fold, parameter);
}

static crd_status list_parameters(tensor_list *list, const crd_model *model, int32_t fold, crd_error *error)
{
    crd_status status = CRD_OK;
    for (int p = 0; p < model->parameters && status == CRD_OK; p++) {
        const crd_parameter *parameter = &model->parameter[p];
        const int at = list->parameters++;
        status = file_order(parameter, &list->ordered[at], error);
        crd_tensor_name(list->name[at], fold, parameter->form->name);
        crd_tensor_out out = {.name = list->name[at], .dims = parameter->dims, .data = list->ordered[at]};
        memcpy(out.shape, parameter->shape, sizeof parameter->shape);
        list->tensor[list->count++] = out;
    }
    for (int32_t m = 0; m < model->members && status == CRD_OK; m++)
        status = list_parameters(list, model->member[m], m, error);
    return status;
}

/* The weights of a committee; the numbers come back as they are. */
static crd_status pool_json(const crd_pool *pool, char **json, crd_error *error)
{
    crd_text text = {0};
    crd_text_add(&text, "[");
    for (int i = 0; i < CRD_POOL_NUMBERS; i++) {
        if (i > 0) crd_text_add(&text, ", ");
        crd_text_add_json_number(&text, crd_pool_number(pool, i));
    }
    crd_text_add(&text, "]");
    return crd_text_finish(&text, json, error);
}

static crd_status save(const crd_model *model, tensor_list *list, const char *path, crd_error *error)
{
    float *labels = NULL;
    uint8_t *names = NULL;
    char *config = NULL, *classes = NULL, *left_out = NULL, *training = NULL, *history = NULL, *pool = NULL;
    crd_status status = list_parameters(list, model, -1, error);
    crd_tensor_out *tensors = list->tensor;
    int count = list->count;
    if (model->class_counts != NULL)
        tensors[count++] = (crd_tensor_out){"prior.counts", false, 1, {model->classes}, model->class_counts};
    if (model->feature_mean != NULL) {
        tensors[count++] = (crd_tensor_out){"features.mean", false, 1, {model->features}, model->feature_mean};
        tensors[count++] = (crd_tensor_out){"features.scale", false, 1, {model->features}, model->feature_scale};
    }
    if (model->seen != NULL)
        tensors[count++] = (crd_tensor_out){"features.seen", false, 2, {CRD_SEEN, model->features}, model->seen};
    if (model->bounds != NULL)
        tensors[count++] = (crd_tensor_out){"features.bounds", false, 2, {2, model->features}, model->bounds};
    if (model->bounds != NULL) tensors[count++] = (crd_tensor_out){"features.usual", false, 1, {1}, &model->usual};
    if (status == CRD_OK && model->remembered > 0) {
        int64_t entries;
        status = remembered_labels(model, &labels, &entries, error);
        tensors[count++] = (crd_tensor_out){"train.labels", false, 1, {entries}, labels};
    }
    if (model->calibration != NULL)
        tensors[count++] =
            (crd_tensor_out){"calibration.parameters", false, 1, {model->calibrations}, model->calibration};
    if (model->held_count > 0)
        tensors[count++] = (crd_tensor_out){"calibration.nodes", false, 2, {model->held_count, CRD_HELD}, model->held};
    if (model->split != NULL)
        tensors[count++] = (crd_tensor_out){"split.roles", true, 1, {model->split->nodes}, model->split->roles};
    if (status == CRD_OK && model->feature_names != NULL) {
        int64_t size;
        status = join_names(model->feature_names, model->features, &names, &size, error);
        tensors[count++] = (crd_tensor_out){"features.names", true, 1, {size}, names};
    }
    if (status == CRD_OK) status = crd_config_write(&model->config, false, &config, error);
    if (status == CRD_OK) status = names_json(model->class_names, model->classes, &classes, error);
    if (status == CRD_OK) status = names_json(model->class_names + model->classes, model->left_out, &left_out, error);
    if (status == CRD_OK) status = training_json(model, &training, error);
    if (status == CRD_OK) status = crd_history_json(&model->history, &history, error);
    if (status == CRD_OK && model->members > 0) status = pool_json(&model->pool, &pool, error);
    if (status == CRD_OK) {
        char seed[24];
        snprintf(seed, sizeof seed, "%llu", (unsigned long long)model->config.seed);
        const crd_metadata_out metadata[] = {
            {"format", CRD_MODEL_FORMAT},
            {"format_version", CRD_MODEL_VERSION},
            {"version", model->version},
            {"model", model->kind->name},
            {"config", config},
            {"classes", classes},
            {"left_out_classes", left_out},
            {"preprocessing", crd_preprocess_name(model->config.features)},
            {"seed", seed},
            {"fingerprint", model->fingerprint},
            {"split", model->split != NULL ? model->split->description : ""},
            {"training", training},
            {"history", history}, /* an untrained kind has none */
            {"pool", pool},
        };
        /* Bare weights stay bare: they lack what our own files have. */
        int entries = model->class_counts != NULL ? (int)(sizeof metadata / sizeof metadata[0]) : 0;
        status = crd_tensors_write(path, tensors, count, metadata, entries, error);
    }
    free(labels);
    free(pool);
    free(names);
    free(config);
    free(classes);
    free(left_out);
    free(training);
    free(history);
    return status;
}

crd_status crd_model_save(const crd_model *model, const char *path, crd_error *error)
{
    tensor_list *list;
    crd_status status = CRD_NEW_ZERO(&list, 1, error);
    if (status != CRD_OK) return status;
    status = save(model, list, path, error);
    for (int p = 0; p < list->parameters; p++) free(list->ordered[p]);
    free(list);
    return status;
}
