#include "graph/array_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static crd_status refuse_array(const crd_source *source, const crd_npy *npy, const char *expected,
                               crd_error *error)
{
    char found[64];
    crd_npy_describe(npy, found, sizeof found);
    return crd_fail(error, CRD_ERROR_FORMAT, "%s: expected %s, found %s%s", crd_source_name(source), expected,
                    found, npy->kind == CRD_NPY_OBJECT ? " (pickled objects cannot be read safely)" : "");
}

static bool is_number(const crd_npy *npy)
{
    return npy->kind != CRD_NPY_UNICODE && npy->kind != CRD_NPY_BYTES && npy->kind != CRD_NPY_OBJECT;
}

crd_status crd_take_edge_pairs(crd_source *source, const crd_npy *npy, bool two_rows, crd_parts *parts,
                               crd_error *error)
{
    crd_edge_part *part = &parts->edges;
    bool rows = npy->dims == 2 && npy->shape[0] == 2, columns = npy->dims == 2 && npy->shape[1] == 2;
    if ((!rows && !columns) || !is_number(npy) || npy->kind == CRD_NPY_BOOL)
        return refuse_array(source, npy, "pairs of node numbers of shape [2,E] or [E,2]", error);
    if (rows && columns) rows = two_rows;
    int32_t *items = NULL;
    crd_status status = crd_copy_string(&part->file, crd_source_name(source), error);
    if (status == CRD_OK) status = crd_npy_read_int32(source, npy, &items, error);
    int64_t count = npy->count / 2;
    if (status == CRD_OK) status = CRD_NEW(&part->source, count, error);
    if (status == CRD_OK) status = CRD_NEW(&part->target, count, error);
    for (int64_t i = 0; i < count && status == CRD_OK; i++) {
        part->source[i] = items[rows ? i : 2 * i];
        part->target[i] = items[rows ? count + i : 2 * i + 1];
        if (part->source[i] < 0 || part->target[i] < 0)
            status = crd_fail(error, CRD_ERROR_FORMAT, "%s: edge %lld has the negative node number %d",
                              part->file, (long long)i,
                              part->source[i] < 0 ? part->source[i] : part->target[i]);
    }
    part->count = count;
    free(items);
    return status;
}

crd_status crd_take_feature_array(crd_source *source, const crd_npy *npy, crd_parts *parts, crd_error *error)
{
    if (npy->dims < 1 || npy->dims > 2 || !is_number(npy))
        return refuse_array(source, npy, "numbers of shape [nodes,features]", error);
    crd_features_part_free(parts);
    crd_features *features = &parts->dataset->features;
    crd_status status = crd_parts_expect(parts, crd_source_name(source), npy->shape[0], error);
    if (status == CRD_OK) status = crd_copy_string(&parts->features.file, crd_source_name(source), error);
    if (status == CRD_OK) status = crd_npy_read_float(source, npy, &features->dense, error);
    if (status != CRD_OK) return status;
    features->rows = parts->features.rows = npy->shape[0];
    features->columns = npy->dims == 2 ? npy->shape[1] : 1;
    parts->features.rows_declared = features->columns == 0; /* such an array has a shape, but no bytes */
    return CRD_OK;
}

/* NaN is how arrays of floats say that a label is not known. */
static crd_status take_float_labels(crd_source *source, const crd_npy *npy, crd_label_part *labels,
                                    crd_error *error)
{
    double *items;
    crd_status status = crd_npy_read_double(source, npy, &items, error);
    if (status != CRD_OK) return status;
    status = CRD_NEW(&labels->number, npy->count, error);
    for (int64_t i = 0; i < npy->count && status == CRD_OK; i++) {
        double item = items[i];
        if (isnan(item)) labels->number[i] = CRD_LABEL_MISSING;
        else if (item == floor(item) && fabs(item) <= 1e15) labels->number[i] = (int64_t)item;
        else
            status = crd_fail(error, CRD_ERROR_FORMAT, "%s: label %lld is %g, expected a whole number",
                              crd_source_name(source), (long long)i, item);
    }
    free(items);
    return status;
}

static crd_status take_text_labels(crd_source *source, const crd_npy *npy, crd_label_part *labels,
                                   crd_error *error)
{
    char **items;
    crd_status status = crd_npy_read_strings(source, npy, &items, error);
    if (status != CRD_OK) return status;
    status = crd_name_index_new(&labels->texts, error);
    if (status == CRD_OK) status = CRD_NEW(&labels->text, npy->count, error);
    for (int64_t i = 0; i < npy->count && status == CRD_OK; i++) {
        int64_t number = 0;
        status = crd_name_index_add(labels->texts, crd_trim(items[i]), &number, error);
        labels->text[i] = (int32_t)number;
        if (number > INT32_MAX)
            status = crd_fail(error, CRD_ERROR_FORMAT, "%s: too many classes", crd_source_name(source));
    }
    labels->names_only = true;
    crd_strings_free(&items, npy->count);
    return status;
}

crd_status crd_take_label_array(crd_source *source, const crd_npy *npy, crd_parts *parts, crd_error *error)
{
    bool column = npy->dims == 2 && npy->shape[1] == 1;
    if ((npy->dims != 1 && !column) || npy->kind == CRD_NPY_OBJECT)
        return refuse_array(source, npy, "one label a node: whole numbers or names of shape [nodes]", error);
    crd_label_part *labels = &parts->labels;
    crd_labels_part_free(labels);
    crd_status status = crd_parts_expect(parts, crd_source_name(source), npy->count, error);
    if (status == CRD_OK) status = crd_copy_string(&labels->file, crd_source_name(source), error);
    if (status != CRD_OK) return status;
    labels->count = npy->count;
    labels->class_indices = true;
    if (npy->kind == CRD_NPY_FLOAT) return take_float_labels(source, npy, labels, error);
    if (is_number(npy)) return crd_npy_read_int64(source, npy, &labels->number, error);
    labels->class_indices = false;
    return take_text_labels(source, npy, labels, error);
}
