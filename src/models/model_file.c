/* SPDX-License-Identifier: MIT */
/* Reading model files; model_save.c says what they hold. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "io/npy.h"
#include "kernels/linear.h"
#include "models/config.h"
#include "models/model.h"
#include "uncertainty/conformal.h"
#include "uncertainty/recalibrate.h"

static crd_status bad_metadata(const crd_tensors *tensors, const char *key, crd_error *error)
{
    return crd_fail(error, CRD_ERROR_FORMAT, "%s: the metadata \"%s\" is missing or damaged", crd_tensors_name(tensors),
                    key);
}

static crd_status parse_metadata(const crd_tensors *tensors, const char *key, json_t **json, crd_error *error)
{
    const char *text = crd_tensors_metadata(tensors, key);
    json_error_t problem;
    if (text != NULL && crd_json_too_deep(text, strlen(text))) text = NULL;
    *json = text == NULL ? NULL : json_loads(text, JSON_REJECT_DUPLICATES, &problem);
    if (*json != NULL) return CRD_OK;
    if (text != NULL && json_error_code(&problem) == json_error_out_of_memory)
        return crd_fail_memory(error, strlen(text));
    return bad_metadata(tensors, key, error);
}

static crd_status read_config(crd_model *model, const crd_tensors *tensors, crd_error *error)
{
    json_t *json;
    crd_status status = parse_metadata(tensors, "config", &json, error);
    if (status != CRD_OK) return status;
    status = crd_config_from_json(&model->config, json, crd_tensors_name(tensors), error);
    json_decref(json);
    if (status == CRD_OK && strcmp(model->config.model, model->kind->name) != 0)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: a model of the kind %s with the options of a %s",
                          crd_tensors_name(tensors), model->kind->name, model->config.model);
    return status;
}

/* Class names: the in-distribution ones, then the left-out ones; numbers for bare weights. */
static crd_status read_names(crd_model *model, const crd_tensors *tensors, bool ours, crd_error *error)
{
    json_t *names = NULL, *left_out = NULL;
    crd_status status = ours ? parse_metadata(tensors, "classes", &names, error) : CRD_OK;
    if (status == CRD_OK && ours) status = parse_metadata(tensors, "left_out_classes", &left_out, error);
    const size_t left = json_array_size(left_out);
    if (status == CRD_OK && ours &&
        (json_array_size(names) != (size_t)model->classes || !json_is_array(left_out) || left > 1000000))
        status = bad_metadata(tensors, "classes", error);
    if (status == CRD_OK && ours && json_array_extend(names, left_out) != 0)
        status = crd_fail_memory(error, left * sizeof(json_t *));
    if (status == CRD_OK) status = CRD_NEW_ZERO(&model->class_names, model->classes + (int32_t)left, error);
    if (status == CRD_OK) model->left_out = (int32_t)left;
    for (int32_t i = 0; i < model->classes + model->left_out && status == CRD_OK; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", i);
        const char *name = ours ? json_string_value(json_array_get(names, (size_t)i)) : number;
        status = name == NULL ? bad_metadata(tensors, "classes", error)
                              : crd_copy_string(&model->class_names[i], name, error);
    }
    json_decref(names);
    json_decref(left_out);
    return status;
}

/* The sizes of a file's tensor, which must have `dims` dimensions. */
static crd_status sizes_of(const crd_tensors *tensors, const char *name, int dims, int64_t shape[CRD_TENSOR_MAX_DIMS],
                           crd_error *error)
{
    int found;
    crd_status status = crd_tensors_shape(tensors, name, &found, shape, error);
    if (status == CRD_OK && found != dims)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: %s has %d dimensions, expected %d", crd_tensors_name(tensors),
                          name, found, dims);
    return status;
}

/* Features, classes and the configuration's sizes, each from the first tensor that has it in its shape. */
static crd_status recognise(crd_model *model, const crd_tensors *tensors, crd_error *error)
{
    static const crd_form counts[] = {{.name = "prior.counts", .shape = {CRD_CLASSES}}, {.name = NULL}};
    static const crd_form committee[] = {{.name = "fold.0.encoder.0.weight", .shape = {CRD_HIDDEN, CRD_INPUTS}},
                                         {.name = "prior.counts", .shape = {CRD_CLASSES}},
                                         {.name = NULL}};
    int64_t classes = 0, outputs = 0, shape[CRD_TENSOR_MAX_DIMS];
    crd_config *c = &model->config;
    int64_t *unknown[CRD_SIZES] = {NULL, &model->features, &c->hidden, &c->latent, &c->flow_layers, &classes, &outputs};
    const crd_form *others = model->kind == &crd_committee ? committee : counts;
    for (const crd_form *f = model->kind->forms != NULL ? model->kind->forms : others; f->name != NULL; f++) {
        int dims = 0;
        while (dims < 3 && f->shape[dims] != CRD_NO_SIZE) dims++;
        crd_status status = sizes_of(tensors, f->name, dims, shape, error);
        if (status != CRD_OK) return status;
        for (int d = 0; d < dims; d++) {
            int64_t **size = &unknown[f->shape[d]];
            if (*size != NULL) **size = shape[d];
            *size = NULL;
        }
        if (unknown[CRD_CLASSES] == NULL && (classes < 1 || classes > CRD_MAX_CLASSES))
            return crd_fail(error, CRD_ERROR_FORMAT, "%s: %s has %lld classes, expected 1 to %d",
                            crd_tensors_name(tensors), f->name, (long long)classes, CRD_MAX_CLASSES);
    }
    model->classes = (int32_t)classes;
    return CRD_OK;
}

static void shape_text(const int64_t *shape, int dims, char text[192])
{
    text[0] = '\0';
    for (int d = 0; d < dims; d++)
        snprintf(text + strlen(text), 192 - strlen(text), "%s%lld", d > 0 ? "," : "", (long long)shape[d]);
}

static crd_status expect_shape(const crd_tensors *tensors, const char *name, int dims, const int64_t *shape,
                               crd_error *error)
{
    int found_dims;
    int64_t found[CRD_TENSOR_MAX_DIMS];
    char expected[192], got[192];
    crd_status status = crd_tensors_shape(tensors, name, &found_dims, found, error);
    if (status != CRD_OK) return status;
    if (found_dims == dims && memcmp(found, shape, (size_t)dims * sizeof *shape) == 0) return CRD_OK;
    shape_text(shape, dims, expected);
    shape_text(found, found_dims, got);
    return crd_fail(error, CRD_ERROR_MISMATCH, "%s: the tensor %s has the shape [%s], expected [%s]",
                    crd_tensors_name(tensors), name, got, expected);
}

static crd_status read_vector(const crd_tensors *tensors, const char *name, int64_t count, float **values,
                              crd_error *error)
{
    crd_status status = expect_shape(tensors, name, 1, &count, error);
    if (status == CRD_OK) status = CRD_NEW(values, count, error);
    if (status == CRD_OK) status = crd_tensors_read_float(tensors, name, *values, count, error);
    return status;
}

static crd_status read_parameter(const crd_tensors *tensors, crd_parameter *p, int32_t fold, crd_error *error)
{
    char name[CRD_TENSOR_NAME];
    float *ordered = NULL;
    crd_tensor_name(name, fold, p->form->name);
    crd_status status = expect_shape(tensors, name, p->dims, p->shape, error);
    if (status == CRD_OK) status = CRD_NEW(&ordered, p->count, error);
    if (status == CRD_OK) status = crd_tensors_read_float(tensors, name, ordered, p->count, error);
    if (status == CRD_OK && p->form->transposed) crd_transpose(ordered, p->shape[0], p->shape[1], p->value);
    else if (status == CRD_OK) memcpy(p->value, ordered, (size_t)p->count * sizeof *ordered);
    crd_free(ordered);
    return status;
}

static bool has_member(const crd_tensors *tensors, int32_t fold)
{
    char name[CRD_TENSOR_NAME];
    for (const crd_form *f = crd_views.forms; f->name != NULL; f++) {
        crd_tensor_name(name, fold, f->name);
        if (crd_tensors_has(tensors, name)) return true;
    }
    return false;
}

/* The networks of a committee; training that was interrupted leaves fewer of them than folds. */
static crd_status read_members(crd_model *model, const crd_tensors *tensors, crd_error *error)
{
    crd_status status = CRD_NEW_ZERO(&model->member, model->config.networks, error);
    while (status == CRD_OK && model->members < model->config.networks) {
        const int32_t fold = model->members;
        crd_model *member;
        if (fold > 0 && !has_member(tensors, fold)) break;
        status = crd_model_new(&crd_views, &member, error);
        if (status != CRD_OK) break;
        model->member[model->members++] = member;
        member->config = model->config;
        member->features = model->features;
        member->classes = model->classes + 1;
        status = crd_model_declare(member, error);
        for (int p = 0; p < member->parameters && status == CRD_OK; p++)
            status = read_parameter(tensors, &member->parameter[p], fold, error);
    }
    return status;
}

static crd_status read_pool(crd_model *model, const crd_tensors *tensors, crd_error *error)
{
    json_t *json;
    crd_status status = parse_metadata(tensors, "pool", &json, error);
    if (status != CRD_OK) return status;
    if (json_array_size(json) != CRD_POOL_NUMBERS) status = bad_metadata(tensors, "pool", error);
    for (int i = 0; i < CRD_POOL_NUMBERS && status == CRD_OK; i++) {
        const json_t *number = json_array_get(json, (size_t)i);
        const double value = json_number_value(number);
        const double least = i < CRD_POOL_NUMBERS - 1 ? 0.0 : -1e30; /* only the bias may be negative */
        if (!json_is_number(number) || !(value >= least && value < 1e30)) status = bad_metadata(tensors, "pool", error);
        else *crd_pool_place(&model->pool, i) = value;
    }
    json_decref(json);
    return status;
}

static crd_status read_counts(crd_model *model, const crd_tensors *tensors, crd_error *error)
{
    crd_status status = read_vector(tensors, "prior.counts", model->classes, &model->class_counts, error);
    for (int32_t k = 0; k < model->classes && status == CRD_OK; k++)
        if (!(model->class_counts[k] >= 1.0f && model->class_counts[k] <= 2147483648.0f))
            status = crd_fail(error, CRD_ERROR_FORMAT, "%s: prior.counts of class %d is %g, expected a number of nodes",
                              crd_tensors_name(tensors), k, (double)model->class_counts[k]);
    return status;
}

static crd_status read_standard(crd_model *model, const crd_tensors *tensors, crd_error *error)
{
    if (model->config.features != CRD_FEATURES_STANDARD) return CRD_OK;
    crd_status status = read_vector(tensors, "features.mean", model->features, &model->feature_mean, error);
    if (status == CRD_OK)
        status = read_vector(tensors, "features.scale", model->features, &model->feature_scale, error);
    return status;
}

static crd_status read_seen(crd_model *model, const crd_tensors *tensors, crd_error *error)
{
    const int64_t shape[] = {CRD_SEEN, model->features};
    if (!crd_tensors_has(tensors, "features.seen")) return CRD_OK; /* files of earlier versions */
    crd_status status = expect_shape(tensors, "features.seen", 2, shape, error);
    if (status == CRD_OK) status = CRD_NEW(&model->seen, CRD_SEEN * model->features, error);
    if (status == CRD_OK)
        status = crd_tensors_read_float(tensors, "features.seen", model->seen, CRD_SEEN * model->features, error);
    return status;
}

static crd_status read_bounds(crd_model *model, const crd_tensors *tensors, crd_error *error)
{
    const int64_t shape[] = {2, model->features};
    if (!crd_tensors_has(tensors, "features.bounds")) return CRD_OK;
    crd_status status = expect_shape(tensors, "features.bounds", 2, shape, error);
    if (status == CRD_OK) status = CRD_NEW(&model->bounds, 2 * model->features, error);
    if (status == CRD_OK)
        status = crd_tensors_read_float(tensors, "features.bounds", model->bounds, 2 * model->features, error);
    if (status == CRD_OK) status = expect_shape(tensors, "features.usual", 1, (const int64_t[]){1}, error);
    if (status == CRD_OK) status = crd_tensors_read_float(tensors, "features.usual", &model->usual, 1, error);
    if (status == CRD_OK && !(model->usual >= 0.0f))
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: features.usual is %g, expected 0 or more",
                          crd_tensors_name(tensors), (double)model->usual);
    for (int64_t j = 0; j < model->features && status == CRD_OK; j++)
        if (!(model->bounds[j] <= model->bounds[model->features + j]))
            status = crd_fail(error, CRD_ERROR_FORMAT, "%s: features.bounds of feature %lld are not in order",
                              crd_tensors_name(tensors), (long long)j);
    return status;
}

static crd_status read_feature_names(crd_model *model, const crd_tensors *tensors, crd_error *error)
{
    int64_t shape[CRD_TENSOR_MAX_DIMS], ends = 0;
    uint8_t *bytes = NULL;
    if (!crd_tensors_has(tensors, "features.names")) return CRD_OK;
    crd_status status = sizes_of(tensors, "features.names", 1, shape, error);
    if (status == CRD_OK) status = CRD_NEW(&bytes, shape[0], error);
    if (status == CRD_OK) status = crd_tensors_read_u8(tensors, "features.names", bytes, shape[0], error);
    for (int64_t i = 0; status == CRD_OK && i < shape[0]; i++) ends += bytes[i] == 0;
    if (status == CRD_OK && (ends != model->features || ends == 0 || bytes[shape[0] - 1] != 0))
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: features.names has %lld names, expected %lld",
                          crd_tensors_name(tensors), (long long)ends, (long long)model->features);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&model->feature_names, model->features, error);
    const char *at = (const char *)bytes;
    for (int64_t j = 0; j < model->features && status == CRD_OK; j++, at += strlen(at) + 1)
        status = crd_copy_string(&model->feature_names[j], at, error);
    crd_free(bytes);
    return status;
}

static crd_status read_split(crd_model *model, const crd_tensors *tensors, crd_error *error)
{
    if (!crd_tensors_has(tensors, "split.roles")) return CRD_OK;
    int64_t shape[CRD_TENSOR_MAX_DIMS];
    crd_status status = sizes_of(tensors, "split.roles", 1, shape, error);
    if (status != CRD_OK) return status;
    uint8_t *roles;
    status = CRD_NEW(&roles, shape[0], error);
    if (status == CRD_OK) status = crd_tensors_read_u8(tensors, "split.roles", roles, shape[0], error);
    if (status == CRD_OK) status = crd_split_from_roles(roles, shape[0], &model->split, error);
    crd_free(roles);
    const char *description = crd_tensors_metadata(tensors, "split");
    if (status == CRD_OK && description != NULL)
        snprintf(model->split->description, sizeof model->split->description, "%s", description);
    return status;
}

/* The labelled nodes among the split's training nodes. */
static crd_status take_labels(crd_model *model, const crd_tensors *tensors, const float *labels, crd_error *error)
{
    const char *name = crd_tensors_name(tensors);
    for (int64_t i = 0; i < model->split->nodes; i++) {
        if (model->split->roles[i] != CRD_ROLE_TRAIN) continue;
        const float label = *labels++;
        if (!(label >= -1.0f && label < (float)model->classes) || label != floorf(label))
            return crd_fail(error, CRD_ERROR_FORMAT,
                            "%s: train.labels of node %lld is %g, expected a class from 0 to %d, or -1", name,
                            (long long)i, (double)label, model->classes - 1);
        if (label < 0.0f) continue;
        model->remembered_node[model->remembered] = i;
        model->remembered_class[model->remembered++] = (int32_t)label;
    }
    return CRD_OK;
}

static crd_status check_counts(crd_model *model, const crd_tensors *tensors, crd_error *error)
{
    float *stated = model->class_counts;
    model->class_counts = NULL;
    crd_status status = crd_model_count_classes(model, model->remembered_class, model->remembered, error);
    for (int32_t k = 0; k < model->classes && status == CRD_OK; k++)
        if (model->class_counts[k] != stated[k])
            status = crd_fail(error, CRD_ERROR_FORMAT, "%s: train.labels has %.0f nodes of class %d, prior.counts %g",
                              crd_tensors_name(tensors), (double)model->class_counts[k], k, (double)stated[k]);
    crd_free(stated);
    return status;
}

static crd_status read_remembered(crd_model *model, const crd_tensors *tensors, crd_error *error)
{
    if (model->split == NULL)
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%s: the tensor split.roles is missing, which says what the training nodes of the "
                        "model %s are",
                        crd_tensors_name(tensors), model->kind->name);
    const int64_t count = crd_split_count(model->split, CRD_ROLE_TRAIN);
    float *labels = NULL;
    crd_status status = read_vector(tensors, "train.labels", count, &labels, error);
    if (status == CRD_OK) status = crd_model_remember(model, NULL, NULL, count, error);
    if (status == CRD_OK) status = take_labels(model, tensors, labels, error);
    if (status == CRD_OK) status = check_counts(model, tensors, error);
    crd_free(labels);
    return status;
}

static crd_status read_calibration(crd_model *model, const crd_tensors *tensors, crd_error *error)
{
    static const char name[] = "calibration.parameters";
    const crd_calibration method = model->config.calibration;
    if (!crd_tensors_has(tensors, name)) return CRD_OK;
    model->calibrations = crd_recalibration_size(method, model->classes);
    crd_status status = read_vector(tensors, name, model->calibrations, &model->calibration, error);
    if (status == CRD_OK &&
        (model->calibrations == 0 || !crd_recalibration_valid(method, model->classes, model->calibration)))
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: %s does not fit the option calibration",
                          crd_tensors_name(tensors), name);
    return status;
}

static crd_status read_held(crd_model *model, const crd_tensors *tensors, crd_error *error)
{
    static const char name[] = "calibration.nodes";
    int64_t shape[CRD_TENSOR_MAX_DIMS], cells;
    if (!crd_tensors_has(tensors, name)) return CRD_OK;
    crd_status status = sizes_of(tensors, name, 2, shape, error);
    if (status != CRD_OK) return status;
    if (shape[1] != CRD_HELD || !crd_multiply(shape[0], CRD_HELD, &cells))
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: %s has %lld columns, expected %d", crd_tensors_name(tensors),
                        name, (long long)shape[1], CRD_HELD);
    status = CRD_NEW(&model->held, cells, error);
    if (status == CRD_OK) status = crd_tensors_read_float(tensors, name, model->held, cells, error);
    if (status == CRD_OK) model->held_count = shape[0];
    for (int64_t i = 0; i < model->held_count && status == CRD_OK; i++)
        if (!crd_held_valid(model->held + i * CRD_HELD, model->classes))
            status = crd_fail(error, CRD_ERROR_FORMAT, "%s: row %lld of %s is damaged", crd_tensors_name(tensors),
                              (long long)i, name);
    return status;
}

static void read_facts(crd_model *model, const crd_tensors *tensors)
{
    const char *fingerprint = crd_tensors_metadata(tensors, "fingerprint");
    const char *version = crd_tensors_metadata(tensors, "version");
    snprintf(model->fingerprint, sizeof model->fingerprint, "%s", fingerprint != NULL ? fingerprint : "");
    snprintf(model->version, sizeof model->version, "%s", version != NULL ? version : "");
    json_t *json;
    if (parse_metadata(tensors, "training", &json, NULL) != CRD_OK) return; /* only facts, which a file may lack */
    model->epochs = json_integer_value(json_object_get(json, "epochs"));
    model->best_epoch = json_integer_value(json_object_get(json, "best_epoch"));
    const json_t *loss = json_object_get(json, "validation_cross_entropy");
    const json_t *accuracy = json_object_get(json, "validation_accuracy");
    if (json_is_number(loss)) model->best_cross_entropy = json_number_value(loss);
    if (json_is_number(accuracy)) model->best_accuracy = json_number_value(accuracy);
    const char *stop = json_string_value(json_object_get(json, "stop"));
    for (int i = CRD_STOP_PATIENCE; i <= CRD_STOP_NOTHING; i++)
        if (stop != NULL && strcmp(stop, crd_stop_name((crd_stop)i)) == 0) model->stop = (crd_stop)i;
    json_decref(json);
}

static crd_status read_history(crd_model *model, const crd_tensors *tensors, crd_error *error)
{
    json_t *json;
    if (crd_tensors_metadata(tensors, "history") == NULL) return CRD_OK; /* an untrained kind has none */
    crd_status status = parse_metadata(tensors, "history", &json, error);
    if (status != CRD_OK) return status;
    status = crd_history_read(&model->history, json, error);
    json_decref(json);
    return status == CRD_ERROR_FORMAT ? bad_metadata(tensors, "history", error) : status;
}

/* Whether the file is a model of ours, and of which version; if not, it holds bare weights. */
static crd_status read_version(const crd_tensors *tensors, bool *ours, int64_t *version, crd_error *error)
{
    const char *name = crd_tensors_name(tensors), *format = crd_tensors_metadata(tensors, "format");
    const char *text = crd_tensors_metadata(tensors, "format_version");
    *ours = format != NULL && strcmp(format, CRD_MODEL_FORMAT) == 0;
    *version = 0;
    /* Only our files have this checksum: weights that have it are not bare, but damaged. */
    if (!*ours && crd_tensors_metadata(tensors, CRD_METADATA_CHECKSUM) != NULL)
        return bad_metadata(tensors, "format", error);
    if (!*ours) return CRD_OK;
    if (text == NULL || !crd_parse_int64(text, version)) return bad_metadata(tensors, "format_version", error);
    if (*version > CRD_MODEL_VERSION)
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%s: a model of format version %lld, which is newer than version %s of this library: it reads "
                        "%d to %d",
                        name, (long long)*version, crd_version(), CRD_OLDEST_MODEL_VERSION, CRD_MODEL_VERSION);
    if (*version < CRD_OLDEST_MODEL_VERSION)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: a model of format version %lld, this library reads %d to %d",
                        name, (long long)*version, CRD_OLDEST_MODEL_VERSION, CRD_MODEL_VERSION);
    return CRD_OK;
}

static bool is_digest(const char *hex)
{
    return strlen(hex) == CRD_SHA256_HEX - 1 && strspn(hex, "0123456789abcdef") == CRD_SHA256_HEX - 1;
}

/* This comes last, because a sentence about what is wrong says more than one about a checksum. The identifier is that
 * of the file: a later library, which may have more options to write, would compute another one. */
static crd_status check_content(crd_model *model, const crd_tensors *tensors, bool ours, int64_t version,
                                crd_error *error)
{
    const char *checksum = crd_tensors_metadata(tensors, CRD_METADATA_CHECKSUM);
    const char *id = crd_tensors_metadata(tensors, CRD_METADATA_ID);
    const bool must = version >= CRD_CHECKSUM_MODEL_VERSION;
    char computed[CRD_SHA256_HEX];
    uint8_t digest[CRD_SHA256_BYTES];
    crd_metadata *list;
    int count;
    if (must && checksum == NULL) return bad_metadata(tensors, CRD_METADATA_CHECKSUM, error);
    if (must && (id == NULL || !is_digest(id))) return bad_metadata(tensors, CRD_METADATA_ID, error);
    crd_status status = crd_tensors_digest(tensors, digest, error);
    if (status != CRD_OK) return status;
    status = crd_tensors_list_metadata(tensors, &list, &count, error);
    if (status != CRD_OK) return status;
    crd_metadata_checksum(list, count, digest, computed);
    if (checksum != NULL && strcmp(checksum, computed) != 0)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: is damaged: its content does not fit its checksum",
                          crd_tensors_name(tensors));
    if (must) snprintf(model->id, sizeof model->id, "%s", id);
    else crd_metadata_id(list, count, digest, model->id);
    if (status == CRD_OK) status = crd_extras_take(&model->extras, list, count, ours, error);
    crd_free(list);
    return status;
}

static crd_status read_model(crd_model *model, const crd_tensors *tensors, crd_error *error)
{
    bool ours;
    int64_t version;
    crd_status status = read_version(tensors, &ours, &version, error);
    if (status == CRD_OK && ours) status = read_config(model, tensors, error);
    if (status == CRD_OK) status = recognise(model, tensors, error);
    crd_error inner;
    if (status == CRD_OK && (status = crd_config_check(&model->config, &inner)) != CRD_OK)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: %s", crd_tensors_name(tensors), inner.message);
    if (status == CRD_OK && ours && model->config.features == CRD_FEATURES_AUTO)
        status = bad_metadata(tensors, "config", error);
    if (status == CRD_OK) status = read_names(model, tensors, ours, error);
    if (status == CRD_OK && ours && model->left_out != model->config.left_out)
        status = bad_metadata(tensors, "left_out_classes", error);
    if (status == CRD_OK) status = crd_model_declare(model, error);
    for (int p = 0; p < model->parameters && status == CRD_OK; p++)
        status = read_parameter(tensors, &model->parameter[p], -1, error);
    const bool committee = model->kind == &crd_committee;
    if (status == CRD_OK && committee && !ours)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: a committee without its metadata", crd_tensors_name(tensors));
    if (status == CRD_OK && committee) status = read_members(model, tensors, error);
    if (status == CRD_OK && committee) status = read_pool(model, tensors, error);
    if (status == CRD_OK && ours) status = read_counts(model, tensors, error);
    if (status == CRD_OK && ours) status = read_standard(model, tensors, error);
    if (status == CRD_OK && ours) status = read_seen(model, tensors, error);
    if (status == CRD_OK && ours) status = read_bounds(model, tensors, error);
    if (status == CRD_OK && ours) status = read_feature_names(model, tensors, error);
    if (status == CRD_OK && ours) status = read_split(model, tensors, error);
    if (status == CRD_OK && ours && !model->kind->trained) status = read_remembered(model, tensors, error);
    if (status == CRD_OK && ours) status = read_calibration(model, tensors, error);
    if (status == CRD_OK && ours) status = read_held(model, tensors, error);
    if (status == CRD_OK && ours) read_facts(model, tensors);
    if (status == CRD_OK && ours) status = read_history(model, tensors, error);
    if (status == CRD_OK) status = check_content(model, tensors, ours, version, error);
    return status;
}

/* A file that holds only weights does not tell these. */
static const char *known(const char *fact)
{
    return fact[0] != '\0' ? fact : "(unknown)";
}

/* Closes the tensors, if they could be opened. */
static crd_status load(crd_status status, crd_tensors *tensors, crd_model **model, crd_error *error)
{
    *model = NULL;
    if (status != CRD_OK) return status;
    const char *name = crd_tensors_metadata(tensors, "model");
    const crd_model_kind *kind = crd_model_kind_find(name != NULL ? name : "gpn");
    if (kind == NULL)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: a model of the unknown kind '%.40s'", crd_tensors_name(tensors),
                          name);
    if (status == CRD_OK) status = crd_model_new(kind, model, error);
    if (status == CRD_OK) status = read_model(*model, tensors, error);
    if (status == CRD_OK)
        crd_log(CRD_LOG_INFO, "%s: loaded a %s of %d classes, trained on data %s by version %s",
                crd_tensors_name(tensors), kind->name, (int)(*model)->classes, known((*model)->fingerprint),
                known((*model)->version));
    else crd_model_free(model);
    crd_tensors_free(&tensors);
    return status;
}

crd_status crd_model_load(const char *path, crd_model **model, crd_error *error)
{
    if (model != NULL) *model = NULL;
    if (CRD_ANY_NULL(error, path, model)) return CRD_ERROR_ARGUMENT;
    crd_tensors *tensors;
    const crd_status status = crd_tensors_open(path, &tensors, error);
    return load(status, tensors, model, error);
}

crd_status crd_model_load_memory(const void *bytes, size_t size, const char *name, crd_model **model, crd_error *error)
{
    if (model != NULL) *model = NULL;
    if (CRD_ANY_NULL(error, model)) return CRD_ERROR_ARGUMENT;
    if (size > 0 && CRD_ANY_NULL(error, bytes)) return CRD_ERROR_ARGUMENT;
    crd_tensors *tensors;
    const crd_status status = crd_tensors_open_memory(bytes, size, name != NULL ? name : "memory", &tensors, error);
    return load(status, tensors, model, error);
}
