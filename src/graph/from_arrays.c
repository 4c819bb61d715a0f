/* A dataset from arrays that the program holds. */
#include <stdlib.h>
#include <string.h>

#include "graph/dataset.h"
#include "graph/parts.h"
#include "io/npy.h"

static const char name[] = "arrays";

static crd_status check(const crd_arrays *arrays, crd_error *error)
{
    const char *problem = NULL;
    if (arrays->nodes < 1 || arrays->nodes > INT32_MAX) problem = "nodes must be 1 to 2147483647";
    else if (arrays->edges < 0) problem = "edges must not be negative";
    else if (arrays->edges > 0 && (arrays->source == NULL || arrays->target == NULL))
        problem = "edges need source and target";
    else if (arrays->features < 0 || arrays->features > INT32_MAX) problem =
        "features must be 0 to 2147483647";
    else if (arrays->dense != NULL && arrays->row_start != NULL)
        problem = "features are either dense or sparse, not both";
    else if (arrays->features > 0 && arrays->dense == NULL && arrays->row_start == NULL)
        problem = "features need dense, or row_start and column";
    else if (arrays->row_start != NULL && arrays->column == NULL) problem = "sparse features need column";
    else if (arrays->classes < 0) problem = "classes must not be negative";
    else if (arrays->class_names != NULL && arrays->classes == 0) problem = "class_names need classes";
    if (problem != NULL) return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: %s", name, problem);
    for (int64_t i = 0; i < arrays->edges; i++)
        if (arrays->source[i] < 0 || arrays->source[i] >= arrays->nodes || arrays->target[i] < 0
            || arrays->target[i] >= arrays->nodes)
            return crd_fail(error, CRD_ERROR_ARGUMENT,
                            "%s: edge %lld joins %lld and %lld, expected 0 to %lld",
                            name, (long long)i, (long long)arrays->source[i], (long long)arrays->target[i],
                            (long long)arrays->nodes - 1);
    return CRD_OK;
}

static crd_status copy_edges(const crd_arrays *arrays, crd_dataset *dataset, crd_error *error)
{
    int32_t *source = NULL, *target = NULL;
    crd_status status = CRD_NEW(&source, arrays->edges, error);
    if (status == CRD_OK) status = CRD_NEW(&target, arrays->edges, error);
    for (int64_t i = 0; i < arrays->edges && status == CRD_OK; i++) {
        source[i] = (int32_t)arrays->source[i];
        target[i] = (int32_t)arrays->target[i];
    }
    if (status == CRD_OK)
        status = crd_graph_from_pairs(arrays->nodes, arrays->edges, source, target, &dataset->input,
                                      &dataset->duplicates, error);
    free(source);
    free(target);
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
    features->sparse = true;
    for (int64_t i = 0; i < arrays->nodes; i++)
        if (arrays->row_start[0] != 0 || arrays->row_start[i + 1] < arrays->row_start[i])
            return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: row_start must begin with 0 and never fall",
                            name);
    int64_t count = arrays->row_start[arrays->nodes];
    crd_status status = CRD_NEW(&features->start, arrays->nodes + 1, error);
    if (status == CRD_OK) status = CRD_NEW(&features->column, count, error);
    if (status == CRD_OK) status = CRD_NEW(&features->value, count, error);
    if (status != CRD_OK) return status;
    memcpy(features->start, arrays->row_start, (size_t)(arrays->nodes + 1) * sizeof *features->start);
    if (count > 0) memcpy(features->column, arrays->column, (size_t)count * sizeof *features->column);
    for (int64_t i = 0; i < count; i++) features->value[i] = arrays->value == NULL ? 1.0f : arrays->value[i];
    return CRD_OK;
}

static crd_status copy_labels(const crd_arrays *arrays, crd_dataset *dataset, crd_error *error)
{
    int32_t largest = -1;
    for (int64_t i = 0; i < arrays->nodes && arrays->labels != NULL; i++) {
        int32_t label = arrays->labels[i];
        if (label < -1 || (arrays->classes > 0 ? label >= arrays->classes : label >= arrays->nodes))
            return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: node %lld has the label %d, expected -1 to %lld",
                            name, (long long)i, label,
                            (long long)(arrays->classes > 0 ? arrays->classes : arrays->nodes) - 1);
        if (label > largest) largest = label;
    }
    if (arrays->labels != NULL) {
        crd_status status = CRD_NEW(&dataset->labels, arrays->nodes, error);
        if (status != CRD_OK) return status;
        memcpy(dataset->labels, arrays->labels, (size_t)arrays->nodes * sizeof *dataset->labels);
    }
    dataset->classes = arrays->classes > 0 ? arrays->classes : largest + 1;
    return CRD_OK;
}

static crd_status copy_names(const char *const *names, int64_t count, char ***copies, crd_error *error)
{
    if (names == NULL) return CRD_OK;
    crd_status status = CRD_NEW_ZERO(copies, count, error);
    for (int64_t i = 0; i < count && status == CRD_OK; i++) {
        if (names[i] == NULL)
            status = crd_fail(error, CRD_ERROR_ARGUMENT, "%s: name %lld is NULL", name, (long long)i);
        else status = crd_copy_string(&(*copies)[i], names[i], error);
        if (status != CRD_OK) break;
        char *trimmed = crd_trim((*copies)[i]);
        memmove((*copies)[i], trimmed, strlen(trimmed) + 1);
    }
    if (status != CRD_OK) crd_strings_free(copies, count);
    return status;
}

crd_status crd_dataset_from_arrays(const crd_arrays *arrays, crd_dataset **dataset, crd_error *error)
{
    *dataset = NULL;
    crd_dataset *made = NULL;
    crd_status status = check(arrays, error);
    if (status == CRD_OK) status = crd_dataset_new(&made, error);
    if (status == CRD_OK) status = copy_edges(arrays, made, error);
    if (status == CRD_OK && arrays->features > 0) {
        made->features.rows = arrays->nodes;
        made->features.columns = arrays->features;
        status = arrays->dense != NULL ? copy_dense(arrays, &made->features, error)
                                       : copy_sparse(arrays, &made->features, error);
    }
    if (status == CRD_OK) status = copy_labels(arrays, made, error);
    if (status == CRD_OK) status = copy_names(arrays->class_names, made->classes, &made->class_names, error);
    if (status == CRD_OK) status = copy_names(arrays->node_names, arrays->nodes, &made->node_names, error);
    if (status == CRD_OK) status = crd_dataset_finish(made, name, error);
    if (status == CRD_OK) *dataset = made;
    else crd_dataset_free(&made);
    return status;
}
