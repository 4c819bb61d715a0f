/* The raw form from arrays that a program holds. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/raw.h"

static const char name[] = "arrays";

static crd_status check(const crd_arrays *a, crd_error *error)
{
    const struct {
        bool wrong;
        const char *problem;
    } checks[] = {
        {a->nodes < 1 || a->nodes > INT32_MAX, "nodes must be 1 to 2147483647"},
        {a->edges < 0, "edges must not be negative"},
        {a->edges > 0 && (a->source == NULL || a->target == NULL), "edges need source and target"},
        {a->features < 0 || a->features > INT32_MAX, "features must be 0 to 2147483647"},
        {a->dense != NULL && a->row_start != NULL, "features are either dense or sparse, not both"},
        {a->features > 0 && a->dense == NULL && a->row_start == NULL,
         "features need dense, or row_start and column"},
        {a->row_start != NULL && a->column == NULL, "sparse features need column"},
        {a->classes < 0, "classes must not be negative"},
        {a->class_names != NULL && a->classes == 0, "class_names need classes"},
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (checks[i].wrong) return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: %s", name, checks[i].problem);
    if (a->classes > a->nodes && a->class_names == NULL)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: has %d classes but only %lld nodes", name,
                        (int)a->classes, (long long)a->nodes);
    return CRD_OK;
}

static crd_status copy_edges(const crd_arrays *arrays, crd_raw_edges *edges, crd_error *error)
{
    crd_status status = crd_copy_string(&edges->file, name, error);
    if (status == CRD_OK) status = CRD_NEW(&edges->source, arrays->edges, error);
    if (status == CRD_OK) status = CRD_NEW(&edges->target, arrays->edges, error);
    edges->nodes = arrays->nodes;
    edges->count = arrays->edges;
    for (int64_t i = 0; i < arrays->edges && status == CRD_OK; i++) {
        int64_t source = arrays->source[i], target = arrays->target[i];
        if (source < 0 || source >= arrays->nodes || target < 0 || target >= arrays->nodes)
            return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: edge %lld joins %lld and %lld, expected 0 to %lld",
                            name, (long long)i, (long long)source, (long long)target,
                            (long long)arrays->nodes - 1);
        edges->source[i] = (int32_t)source;
        edges->target[i] = (int32_t)target;
    }
    return status;
}

static crd_status copy_dense(const crd_arrays *arrays, crd_features *features, crd_error *error)
{
    int64_t cells;
    if (!crd_multiply(arrays->nodes, arrays->features, &cells))
        return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: nodes x features is too large", name);
    crd_status status = CRD_NEW(&features->dense, cells, error);
    if (status == CRD_OK) memcpy(features->dense, arrays->dense, (size_t)cells * sizeof *features->dense);
    return status;
}

static crd_status copy_sparse(const crd_arrays *arrays, crd_features *features, crd_error *error)
{
    for (int64_t i = 0; i < arrays->nodes; i++)
        if (arrays->row_start[0] != 0 || arrays->row_start[i + 1] < arrays->row_start[i])
            return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: row_start must begin with 0 and never fall", name);
    int64_t count = arrays->row_start[arrays->nodes];
    crd_status status = CRD_NEW(&features->start, arrays->nodes + 1, error);
    if (status == CRD_OK) status = CRD_NEW(&features->column, count, error);
    if (status == CRD_OK) status = CRD_NEW(&features->value, count, error);
    if (status != CRD_OK) return status;
    features->sparse = true;
    memcpy(features->start, arrays->row_start, (size_t)(arrays->nodes + 1) * sizeof *features->start);
    if (count > 0) memcpy(features->column, arrays->column, (size_t)count * sizeof *features->column);
    for (int64_t i = 0; i < count; i++) features->value[i] = arrays->value == NULL ? 1.0f : arrays->value[i];
    return CRD_OK;
}

static crd_status copy_features(const crd_arrays *arrays, crd_raw_features *raw, crd_error *error)
{
    if (arrays->features == 0) return CRD_OK;
    crd_status status = crd_copy_string(&raw->file, name, error);
    if (status != CRD_OK) return status;
    status = arrays->dense != NULL ? copy_dense(arrays, &raw->matrix, error)
                                   : copy_sparse(arrays, &raw->matrix, error);
    raw->matrix.rows = arrays->nodes;
    raw->matrix.columns = arrays->features;
    return status;
}

static crd_status copy_labels(const crd_arrays *arrays, crd_raw_labels *labels, crd_error *error)
{
    const int64_t classes = arrays->classes > 0 ? arrays->classes : arrays->nodes;
    int64_t *number;
    if (arrays->labels == NULL) return CRD_OK;
    for (int64_t i = 0; i < arrays->nodes; i++)
        if (arrays->labels[i] < -1 || arrays->labels[i] >= classes)
            return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: node %lld has the label %d, expected -1 to %lld",
                            name, (long long)i, (int)arrays->labels[i], (long long)classes - 1);
    crd_status status = CRD_NEW(&number, arrays->nodes, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < arrays->nodes; i++) number[i] = arrays->labels[i];
    status = crd_copy_string(&labels->file, name, error);
    if (status == CRD_OK) status = crd_raw_take_numbers(labels, number, arrays->nodes, error);
    free(number);
    return status;
}

/* Classes without names are called by their numbers. */
static crd_status copy_classes(const crd_arrays *arrays, crd_raw_names *classes, crd_error *error)
{
    if (arrays->classes == 0) return CRD_OK;
    if (arrays->class_names != NULL)
        return crd_raw_copy_names(classes, name, arrays->class_names, arrays->classes, error);
    crd_status status = crd_copy_string(&classes->file, name, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&classes->name, arrays->classes, error);
    if (status == CRD_OK) classes->count = arrays->classes;
    for (int32_t c = 0; c < arrays->classes && status == CRD_OK; c++) {
        char number[CRD_ID_SIZE];
        snprintf(number, sizeof number, "%" PRId32, c);
        status = crd_copy_string(&classes->name[c], number, error);
    }
    return status;
}

crd_status crd_dataset_from_arrays(const crd_arrays *arrays, crd_dataset **dataset, crd_error *error)
{
    crd_raw raw;
    *dataset = NULL;
    crd_raw_start(&raw, name);
    raw.names_must_serve = true;
    crd_status status = check(arrays, error);
    if (status == CRD_OK) status = copy_edges(arrays, &raw.edges, error);
    if (status == CRD_OK) status = copy_features(arrays, &raw.features, error);
    if (status == CRD_OK) status = copy_labels(arrays, &raw.labels, error);
    if (status == CRD_OK) status = copy_classes(arrays, &raw.classes, error);
    if (status == CRD_OK && arrays->node_names != NULL)
        status = crd_raw_copy_names(&raw.nodes, name, arrays->node_names, arrays->nodes, error);
    if (status == CRD_OK) status = crd_finish(&raw, dataset, error);
    crd_raw_free(&raw);
    return status;
}
