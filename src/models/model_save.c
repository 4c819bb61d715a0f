/* SPDX-License-Identifier: MIT */
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

/* What a file holds, and what was allocated for it. */
typedef struct {
    int count, parameters;
    crd_tensor_out tensor[MOST_PARAMETERS + EXTRA];
    float *ordered[MOST_PARAMETERS];
    char name[MOST_PARAMETERS][CRD_TENSOR_NAME];
    float *labels;
    uint8_t *feature_names;
    char *config, *classes, *left_out, *training, *history, *pool, seed[24], format_version[12];
    uint8_t digest[CRD_SHA256_BYTES]; /* of the tensors */
    crd_metadata *metadata;           /* with room for identifier and checksum */
    int entries;
} content;

void crd_tensor_name(char name[CRD_TENSOR_NAME], int32_t fold, const char *parameter)
{
    if (fold < 0) snprintf(name, CRD_TENSOR_NAME, "%s", parameter);
    else snprintf(name, CRD_TENSOR_NAME, "fold.%d.%s", fold, parameter);
}

static crd_status list_parameters(content *list, const crd_model *model, int32_t fold, crd_error *error)
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

static void add_tensor(content *c, const char *name, bool is_u8, int dims, int64_t first, int64_t second,
                       const void *data)
{
    if (data != NULL) c->tensor[c->count++] = (crd_tensor_out){name, is_u8, dims, {first, second}, data};
}

static crd_status list_tensors(content *c, const crd_model *model, crd_error *error)
{
    const int64_t features = model->features;
    int64_t labels = 0, bytes = 0;
    crd_status status = list_parameters(c, model, -1, error);
    if (status == CRD_OK && model->remembered > 0) status = remembered_labels(model, &c->labels, &labels, error);
    if (status == CRD_OK && model->feature_names != NULL)
        status = join_names(model->feature_names, features, &c->feature_names, &bytes, error);
    if (status != CRD_OK) return status;
    add_tensor(c, "prior.counts", false, 1, model->classes, 0, model->class_counts);
    add_tensor(c, "features.mean", false, 1, features, 0, model->feature_mean);
    add_tensor(c, "features.scale", false, 1, features, 0, model->feature_scale);
    add_tensor(c, "features.seen", false, 2, CRD_SEEN, features, model->seen);
    add_tensor(c, "features.bounds", false, 2, 2, features, model->bounds);
    add_tensor(c, "features.usual", false, 1, 1, 0, model->bounds != NULL ? &model->usual : NULL);
    add_tensor(c, "train.labels", false, 1, labels, 0, c->labels);
    add_tensor(c, "calibration.parameters", false, 1, model->calibrations, 0, model->calibration);
    if (model->held_count > 0) add_tensor(c, "calibration.nodes", false, 2, model->held_count, CRD_HELD, model->held);
    if (model->split != NULL) add_tensor(c, "split.roles", true, 1, model->split->nodes, 0, model->split->roles);
    add_tensor(c, "features.names", true, 1, bytes, 0, c->feature_names);
    return crd_tensors_out_digest(c->tensor, c->count, c->digest, error);
}

static crd_status list_metadata(content *c, const crd_model *model, crd_error *error)
{
    crd_status status = crd_config_write(&model->config, false, &c->config, error);
    if (status == CRD_OK) status = names_json(model->class_names, model->classes, &c->classes, error);
    if (status == CRD_OK)
        status = names_json(model->class_names + model->classes, model->left_out, &c->left_out, error);
    if (status == CRD_OK) status = training_json(model, &c->training, error);
    if (status == CRD_OK) status = crd_history_json(&model->history, &c->history, error);
    if (status == CRD_OK && model->members > 0) status = pool_json(&model->pool, &c->pool, error);
    snprintf(c->seed, sizeof c->seed, "%llu", (unsigned long long)model->config.seed);
    snprintf(c->format_version, sizeof c->format_version, "%d", CRD_MODEL_VERSION);
    const crd_metadata own[] = {
        {"format", CRD_MODEL_FORMAT},
        {"format_version", c->format_version},
        {"version", model->version},
        {"model", model->kind->name},
        {"config", c->config},
        {"classes", c->classes},
        {"left_out_classes", c->left_out},
        {"preprocessing", crd_preprocess_name(model->config.features)},
        {"seed", c->seed},
        {"fingerprint", model->fingerprint},
        {"split", model->split != NULL ? model->split->description : ""},
        {"training", c->training},
        {"history", c->history}, /* an untrained kind has none */
        {"pool", c->pool},
    };
    /* Bare weights stay bare: they lack what our own files have. */
    const int owned = model->class_counts != NULL ? (int)(sizeof own / sizeof *own) : 0;
    if (status == CRD_OK) status = CRD_NEW(&c->metadata, owned + model->extras.count + 2, error);
    if (status != CRD_OK) return status;
    memcpy(c->metadata, own, (size_t)owned * sizeof *own);
    c->entries = owned;
    for (int64_t i = 0; i < model->extras.count; i++)
        c->metadata[c->entries++] = (crd_metadata){model->extras.entry[i].key, model->extras.entry[i].value};
    return CRD_OK;
}

static void close_content(content **list)
{
    content *c = *list;
    if (c == NULL) return;
    for (int p = 0; p < c->parameters; p++) crd_free(c->ordered[p]);
    crd_free(c->labels);
    crd_free(c->feature_names);
    crd_free(c->config);
    crd_free(c->classes);
    crd_free(c->left_out);
    crd_free(c->training);
    crd_free(c->history);
    crd_free(c->pool);
    crd_free(c->metadata);
    crd_free(c);
    *list = NULL;
}

/* Close it even if this fails. */
static crd_status open_content(const crd_model *model, content **list, crd_error *error)
{
    crd_status status = CRD_NEW_ZERO(list, 1, error);
    if (status == CRD_OK) status = list_tensors(*list, model, error);
    if (status == CRD_OK) status = list_metadata(*list, model, error);
    return status;
}

crd_status crd_model_identify(crd_model *model, crd_error *error)
{
    content *c;
    crd_status status = open_content(model, &c, error);
    if (status == CRD_OK) crd_metadata_id(c->metadata, c->entries, c->digest, model->id);
    close_content(&c);
    return status;
}

static crd_status save(const crd_model *model, const crd_destination *to, crd_error *error)
{
    char checksum[CRD_SHA256_HEX];
    content *c;
    crd_status status = open_content(model, &c, error);
    if (status == CRD_OK && model->class_counts != NULL) {
        c->metadata[c->entries++] = (crd_metadata){CRD_METADATA_ID, model->id};
        crd_metadata_checksum(c->metadata, c->entries, c->digest, checksum);
        c->metadata[c->entries++] = (crd_metadata){CRD_METADATA_CHECKSUM, checksum};
    }
    if (status == CRD_OK) status = crd_tensors_write(to, c->tensor, c->count, c->metadata, c->entries, error);
    close_content(&c);
    return status;
}

crd_status crd_model_save(const crd_model *model, const char *path, crd_error *error)
{
    if (CRD_ANY_NULL(error, model, path)) return CRD_ERROR_ARGUMENT;
    return save(model, &(crd_destination){.path = path}, error);
}

crd_status crd_model_write(const crd_model *model, crd_writer writer, void *user, crd_error *error)
{
    if (CRD_ANY_NULL(error, model)) return CRD_ERROR_ARGUMENT;
    return save(model, &(crd_destination){.writer = writer, .user = user}, error);
}

static bool append(const void *bytes, size_t size, void *user)
{
    crd_text *text = user;
    crd_text_add_bytes(text, bytes, size);
    return text->status == CRD_OK;
}

crd_status crd_model_save_memory(const crd_model *model, uint8_t **bytes, size_t *size, crd_error *error)
{
    if (bytes != NULL) *bytes = NULL;
    if (CRD_ANY_NULL(error, model, bytes, size)) return CRD_ERROR_ARGUMENT;
    crd_text text = {0};
    crd_status status = crd_model_write(model, append, &text, error);
    if (text.status != CRD_OK) status = crd_fail_memory(error, (size_t)text.capacity);
    if (status == CRD_OK) {
        *bytes = (uint8_t *)text.bytes;
        *size = (size_t)text.length;
        text.bytes = NULL;
    }
    crd_text_free(&text);
    return status;
}
