/* SPDX-License-Identifier: MIT */
/* Station 2, arrays that a program holds.
 *
 * The raw form borrows them for the time of the call wherever they already are what the library holds, and has its own
 * converted copy of the others. In the end the dataset keeps the borrowed arrays, or finish.c copies them. So nothing
 * is ever there more than once besides the caller's own. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "base/watch.h"
#include "graph/raw.h"
#include "graph/typed.h"

static const char arrays_name[] = "arrays";

/* ---- checks ---- */

enum { WHOLE = 1, REAL = 2 };

static crd_status check_type(const crd_numbers *array, const char *name, int kinds, crd_error *error)
{
    static const struct {
        crd_type type;
        int kind;
        size_t size;
    } types[] = {{CRD_INT32, WHOLE, 4}, {CRD_INT64, WHOLE, 8}, {CRD_FLOAT32, REAL, 4}, {CRD_FLOAT64, REAL, 8}};
    if (array->data == NULL) return CRD_OK;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        if (types[t].type != array->type || (types[t].kind & kinds) == 0) continue;
        if ((uintptr_t)array->data % types[t].size == 0) return CRD_OK;
        return crd_fail(error, CRD_ERROR_ARGUMENT,
                        "%s: the address of %s is not a multiple of the %zu bytes of an item", arrays_name, name,
                        types[t].size);
    }
    return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: %s has the type %d, expected %s%s%s", arrays_name, name,
                    (int)array->type, kinds & WHOLE ? "CRD_INT32 or CRD_INT64" : "",
                    kinds == (WHOLE | REAL) ? " or " : "", kinds & REAL ? "CRD_FLOAT32 or CRD_FLOAT64" : "");
}

static crd_status check_types(const crd_arrays *a, crd_error *error)
{
    const struct {
        const crd_numbers *array;
        const char *name;
        int kinds;
    } arrays[] = {
        {&a->source, "source", WHOLE},       {&a->target, "target", WHOLE},        {&a->start, "start", WHOLE},
        {&a->neighbour, "neighbour", WHOLE}, {&a->weight, "weight", WHOLE | REAL}, {&a->dense, "dense", REAL},
        {&a->row_start, "row_start", WHOLE}, {&a->column, "column", WHOLE},        {&a->value, "value", REAL},
    };
    crd_status status = CRD_OK;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays && status == CRD_OK; i++)
        status = check_type(arrays[i].array, arrays[i].name, arrays[i].kinds, error);
    return status;
}

/* More items of 8 bytes cannot be in memory. */
#define MOST_ITEMS (INT64_MAX / 16)

static crd_status check(const crd_arrays *a, crd_error *error)
{
    const bool pairs = a->source.data != NULL || a->target.data != NULL;
    const bool rows = a->start.data != NULL || a->neighbour.data != NULL;
    const bool dense = a->dense.data != NULL;
    const bool sparse = a->row_start.data != NULL || a->column.data != NULL || a->value.data != NULL;
    const struct {
        bool wrong;
        const char *problem;
    } checks[] = {
        {a->nodes < 1 || a->nodes > CRD_MAX_NODES, "nodes must be 1 to 2147483647"},
        {a->edges < 0, "edges must not be negative"},
        {a->edges > MOST_ITEMS, "edges are more than can be in memory"},
        {pairs && rows, "edges are either pairs (source, target) or rows (start, neighbour), not both"},
        {a->edges > 0 && !rows && (a->source.data == NULL || a->target.data == NULL),
         "edges need source and target, or start and neighbour"},
        {rows && a->start.data == NULL, "neighbour needs start"},
        {a->edges > 0 && rows && a->neighbour.data == NULL, "start needs neighbour"},
        {(int)a->edge_weights < 0 || (int)a->edge_weights > CRD_WEIGHTS_REFUSE,
         "edge_weights must be CRD_WEIGHTS_AUTO, _IGNORE or _REFUSE"},
        {a->features < 0 || a->features > CRD_MAX_FEATURES, "features must be 0 to 2147483647"},
        {dense && sparse, "features are either dense or sparse, not both"},
        {a->features > 0 && !dense && a->row_start.data == NULL, "features need dense, or row_start and column"},
        {a->features == 0 && (dense || sparse), "the number of features must not be 0 if there is an array of them"},
        {a->entries < 0, "entries must not be negative"},
        {a->entries > MOST_ITEMS, "entries are more than can be in memory"},
        {a->entries > 0 && a->column.data == NULL, "entries of sparse features need column"},
        {a->classes < 0, "classes must not be negative"},
        {a->class_names != NULL && a->classes == 0, "class_names need classes"},
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (checks[i].wrong) return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: %s", arrays_name, checks[i].problem);
    if (a->classes > a->nodes && a->class_names == NULL)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: has %d classes but only %lld nodes", arrays_name,
                        (int)a->classes, (long long)a->nodes);
    return check_types(a, error);
}

/* ---- compressed rows ---- */

/* `entries` is what the last start must be, and `entries_name` who says so. */
static crd_status check_starts(const crd_numbers *array, const char *name, int64_t rows, int64_t entries,
                               const char *entries_name, crd_error *error)
{
    int64_t before = crd_whole_at(array, 0);
    if (before != 0)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: %s begins with %lld, expected 0", arrays_name, name,
                        (long long)before);
    for (int64_t i = 1; i <= rows; i++) {
        const int64_t next = crd_whole_at(array, i);
        if (next < before)
            return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: item %lld of %s is %lld, less than the one before, %lld",
                            arrays_name, (long long)i, name, (long long)next, (long long)before);
        before = next;
    }
    if (before == entries) return CRD_OK;
    return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: %s ends with %lld, but %s is %lld", arrays_name, name,
                    (long long)before, entries_name, (long long)entries);
}

static crd_status take_starts(const crd_numbers *array, int64_t rows, int64_t **start, bool *borrowed, crd_error *error)
{
    if (array->type == CRD_INT64) {
        *start = (int64_t *)array->data;
        *borrowed = true;
        return CRD_OK;
    }
    crd_status status = CRD_NEW(start, rows + 1, error);
    for (int64_t i = 0; i <= rows && status == CRD_OK; i++) (*start)[i] = crd_whole_at(array, i);
    return status;
}

/* Numbers that an int32 can hold are checked when the rows are tidied; others are wrong in any case. */
static crd_status take_columns(const crd_numbers *array, const int64_t *start, int64_t rows, const char *has,
                               const char *what, int64_t columns, int32_t **column, bool *borrowed, crd_error *error)
{
    if (array->data != NULL && array->type == CRD_INT32) {
        *column = (int32_t *)array->data;
        *borrowed = true;
        return CRD_OK;
    }
    crd_status status = CRD_NEW(column, start[rows], error);
    for (int64_t r = 0; r < rows && status == CRD_OK; r++) {
        if (crd_watch_at(r)) status = crd_watch_stopped(error);
        for (int64_t e = start[r]; e < start[r + 1]; e++) {
            const int64_t found = crd_whole_at(array, e);
            if (found < INT32_MIN || found > INT32_MAX)
                return crd_fail(error, CRD_ERROR_FORMAT, "%s: row %lld of the %s %lld, but the %s are 0 to %lld",
                                arrays_name, (long long)r, has, (long long)found, what, (long long)columns - 1);
            (*column)[e] = (int32_t)found;
        }
    }
    return status;
}

/* ---- edges ---- */

static crd_status take_rows(const crd_arrays *a, crd_graph *rows, crd_error *error)
{
    rows->nodes = a->nodes;
    crd_status status = check_starts(&a->start, "start", a->nodes, a->edges, "edges", error);
    if (status == CRD_OK) status = take_starts(&a->start, a->nodes, &rows->start, &rows->start_borrowed, error);
    if (status == CRD_OK)
        status = take_columns(&a->neighbour, rows->start, a->nodes, "graph has neighbour", "nodes", a->nodes,
                              &rows->neighbour, &rows->neighbour_borrowed, error);
    return status;
}

static crd_status copy_pairs(const crd_arrays *a, crd_raw_edges *edges, crd_error *error)
{
    crd_status status = CRD_NEW(&edges->source, a->edges, error);
    if (status == CRD_OK) status = CRD_NEW(&edges->target, a->edges, error);
    for (int64_t i = 0; i < a->edges && status == CRD_OK; i++) {
        if (crd_watch_at(i)) status = crd_watch_stopped(error);
        const int64_t source = crd_whole_at(&a->source, i), target = crd_whole_at(&a->target, i);
        if (source < 0 || source >= a->nodes || target < 0 || target >= a->nodes)
            return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: edge %lld joins %lld and %lld, expected 0 to %lld",
                            arrays_name, (long long)i, (long long)source, (long long)target, (long long)a->nodes - 1);
        edges->source[i] = (int32_t)source;
        edges->target[i] = (int32_t)target;
    }
    return status;
}

static crd_status take_edges(const crd_arrays *a, crd_raw_edges *edges, crd_error *error)
{
    crd_status status = crd_copy_string(&edges->file, arrays_name, error);
    if (status != CRD_OK) return status;
    edges->nodes = a->nodes;
    edges->nodes_certain = true;
    edges->count = a->edges;
    edges->lent_weight = a->weight;
    return a->start.data != NULL ? take_rows(a, &edges->rows, error) : copy_pairs(a, edges, error);
}

/* ---- features ---- */

/* A row of dense features as floats. */
static crd_status read_row(const crd_arrays *a, int64_t stride, int64_t row, float *values, crd_error *error)
{
    for (int64_t c = 0; c < a->features; c++) {
        const double found = crd_number_at(&a->dense, row * stride + c);
        values[c] = (float)found;
        if (isfinite(found) && !isfinite(values[c]))
            return crd_fail(error, CRD_ERROR_FORMAT,
                            "%s: row %lld, column %lld of the features: expected a number that a float can hold, found "
                            "%g",
                            arrays_name, (long long)row, (long long)c, found);
    }
    return CRD_OK;
}

/* Counts first, so that features with few non-zeros become sparse at once. */
static crd_status convert_dense(const crd_arrays *a, int64_t stride, int64_t cells, crd_features *f, crd_error *error)
{
    float *values;
    int64_t nonzero = 0, at = 0;
    crd_status status = CRD_NEW(&values, a->features, error);
    for (int64_t r = 0; r < a->nodes && status == CRD_OK; r++) {
        status = crd_watch_at(r) ? crd_watch_stopped(error) : read_row(a, stride, r, values, error);
        for (int64_t c = 0; c < a->features && status == CRD_OK; c++) nonzero += values[c] != 0.0f;
    }
    if (status == CRD_OK)
        status = crd_features_are_sparse(nonzero, cells)
                     ? crd_features_new_sparse(a->nodes, a->features, nonzero, f, error)
                     : CRD_NEW(&f->dense, cells, error);
    for (int64_t r = 0; r < a->nodes && status == CRD_OK; r++) {
        if (crd_watch_at(r)) status = crd_watch_stopped(error);
        else status = read_row(a, stride, r, f->sparse ? values : f->dense + r * a->features, error);
        for (int64_t c = 0; c < a->features && f->sparse && status == CRD_OK; c++) {
            if (values[c] == 0.0f) continue;
            f->column[at] = (int32_t)c;
            f->value[at++] = values[c];
        }
        if (f->sparse) f->start[r + 1] = at;
    }
    crd_free(values);
    return status;
}

static crd_status take_dense(const crd_arrays *a, crd_features *f, crd_error *error)
{
    const int64_t stride = a->dense_stride == 0 ? a->features : a->dense_stride;
    int64_t items;
    if (stride < a->features)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: dense_stride is %lld, expected at least the %lld features",
                        arrays_name, (long long)stride, (long long)a->features);
    if (!crd_multiply(a->nodes, stride, &items) || items > MOST_ITEMS)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: nodes x %s is more than can be in memory", arrays_name,
                        a->dense_stride == 0 ? "features" : "dense_stride");
    if (a->dense.type != CRD_FLOAT32 || stride != a->features)
        return convert_dense(a, stride, a->nodes * a->features, f, error);
    f->dense = (float *)a->dense.data;
    f->dense_borrowed = true;
    return CRD_OK;
}

static crd_status take_values(const crd_arrays *a, crd_features *f, crd_error *error)
{
    if (a->value.data != NULL && a->value.type == CRD_FLOAT32) {
        f->value = (float *)a->value.data;
        f->value_borrowed = true;
        return CRD_OK;
    }
    crd_status status = CRD_NEW(&f->value, a->entries, error);
    for (int64_t e = 0; e < a->entries && status == CRD_OK; e++) {
        if (crd_watch_at(e)) status = crd_watch_stopped(error);
        const double found = a->value.data != NULL ? crd_number_at(&a->value, e) : 1.0;
        f->value[e] = (float)found;
        if (isfinite(found) && !isfinite(f->value[e]))
            return crd_fail(error, CRD_ERROR_FORMAT,
                            "%s: item %lld of value: expected a number that a float can hold, found %g", arrays_name,
                            (long long)e, found);
    }
    return status;
}

static crd_status take_sparse(const crd_arrays *a, crd_features *f, crd_error *error)
{
    f->sparse = true;
    crd_status status = check_starts(&a->row_start, "row_start", a->nodes, a->entries, "entries", error);
    if (status == CRD_OK) status = take_starts(&a->row_start, a->nodes, &f->start, &f->start_borrowed, error);
    if (status == CRD_OK)
        status = take_columns(&a->column, f->start, a->nodes, "features has column", "columns", a->features, &f->column,
                              &f->column_borrowed, error);
    return status == CRD_OK ? take_values(a, f, error) : status;
}

static crd_status take_features(const crd_arrays *a, crd_raw_features *raw, crd_error *error)
{
    if (a->features == 0) return CRD_OK;
    crd_status status = crd_copy_string(&raw->file, arrays_name, error);
    if (status != CRD_OK) return status;
    raw->matrix.rows = a->nodes;
    raw->matrix.columns = a->features;
    return a->dense.data != NULL ? take_dense(a, &raw->matrix, error) : take_sparse(a, &raw->matrix, error);
}

/* ---- labels and names ---- */

static crd_status copy_labels(const crd_arrays *a, crd_raw_labels *labels, crd_error *error)
{
    const int64_t classes = a->classes > 0 ? a->classes : a->nodes;
    int64_t *number;
    if (a->labels == NULL) return CRD_OK;
    for (int64_t i = 0; i < a->nodes; i++)
        if (a->labels[i] < -1 || a->labels[i] >= classes)
            return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: node %lld has the label %d, expected -1 to %lld",
                            arrays_name, (long long)i, (int)a->labels[i], (long long)classes - 1);
    crd_status status = CRD_NEW(&number, a->nodes, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < a->nodes; i++) number[i] = a->labels[i];
    status = crd_copy_string(&labels->file, arrays_name, error);
    if (status == CRD_OK) status = crd_raw_take_numbers(labels, number, a->nodes, error);
    crd_free(number);
    return status;
}

static crd_status copy_names(const crd_arrays *a, crd_raw *raw, crd_error *error)
{
    crd_status status = CRD_OK;
    if (a->classes > 0) status = crd_raw_copy_names(&raw->classes, arrays_name, a->class_names, a->classes, error);
    if (status == CRD_OK && a->node_names != NULL)
        status = crd_raw_copy_names(&raw->nodes, arrays_name, a->node_names, a->nodes, error);
    if (status == CRD_OK && a->feature_names != NULL)
        status = crd_raw_copy_names(&raw->columns, arrays_name, a->feature_names, a->features, error);
    raw->nodes.required = raw->classes.required = raw->columns.required = true;
    return status;
}

/* ---- together ---- */

static crd_status make(const crd_arrays *a, crd_raw *raw, crd_dataset **dataset, crd_error *error)
{
    raw->edge_weights = a->edge_weights;
    raw->min_edge_weight = a->min_edge_weight;
    raw->lasting_loan = a->release != NULL;
    crd_status status = check(a, error);
    if (status == CRD_OK) status = take_edges(a, &raw->edges, error);
    if (status == CRD_OK) status = take_features(a, &raw->features, error);
    if (status == CRD_OK) status = copy_labels(a, &raw->labels, error);
    if (status == CRD_OK) status = copy_names(a, raw, error);
    return status == CRD_OK ? crd_finish(raw, dataset, error) : status;
}

static bool has_borrowed(const crd_dataset *dataset)
{
    const crd_graph *input = &dataset->input;
    const crd_features *f = &dataset->features;
    return input->start_borrowed || input->neighbour_borrowed || f->start_borrowed || f->column_borrowed ||
           f->value_borrowed || f->dense_borrowed;
}

/* Who lends arrays is told when they are free again, whatever else is wrong. */
static void take_release(const crd_arrays *arrays, crd_arrays *complete)
{
    size_t size;
    memcpy(&size, arrays, sizeof size);
    if (size < offsetof(crd_arrays, user) + sizeof arrays->user) return;
    complete->release = arrays->release;
    complete->user = arrays->user;
}

static crd_status from_arrays(const crd_arrays *arrays, crd_arrays *complete, crd_dataset **dataset, crd_error *error)
{
    crd_raw raw;
    crd_watch watch;
    crd_status status = crd_take_sized("crd_arrays", arrays, complete, sizeof *complete, error);
    if (status == CRD_OK) status = crd_watch_begin(&watch, complete->control, "reading", error);
    if (status != CRD_OK) return status;
    crd_raw_start(&raw, arrays_name);
    status = make(complete, &raw, dataset, error);
    crd_raw_free(&raw);
    crd_watch_end(&watch);
    return status;
}

crd_status crd_dataset_from_arrays(const crd_arrays *arrays, crd_dataset **dataset, crd_error *error)
{
    crd_arrays complete = {.size = sizeof complete};
    crd_status status = CRD_ERROR_ARGUMENT;
    if (dataset != NULL) *dataset = NULL;
    if (arrays != NULL) take_release(arrays, &complete);
    if (!CRD_ANY_NULL(error, arrays, dataset)) status = from_arrays(arrays, &complete, dataset, error);
    if (complete.release == NULL) return status;
    if (status == CRD_OK && has_borrowed(*dataset)) {
        (*dataset)->release = complete.release;
        (*dataset)->release_user = complete.user;
    } else complete.release(complete.user);
    return status;
}
