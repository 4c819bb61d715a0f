/* SPDX-License-Identifier: MIT */
/* The features of data by the names of those that a model was trained on. A table with categories has a feature
 * "column=value" for every value that occurs, and "column is missing" if a value is missing (graph/encode.h). So two
 * tables of the same columns may have other features: what does not occur is 0, what is new is left out. */
#include <stdlib.h>
#include <string.h>

#include "models/model.h"

/* The first feature that has another name than in the model; `count` if there is none. */
static int64_t first_difference(const crd_model *model, char *const *names, int64_t count)
{
    int64_t j = 0;
    while (j < count && strcmp(model->feature_names[j], names[j]) == 0) j++;
    return j;
}

crd_status crd_model_check_names(const crd_model *model, char *const *names, int64_t count, crd_error *error)
{
    if (model->feature_names == NULL || names == NULL || count != model->features) return CRD_OK;
    const int64_t j = first_difference(model, names, count);
    if (j == count) return CRD_OK;
    return crd_fail(error, CRD_ERROR_MISMATCH,
                    "the features have other names, or another order, than those that the model was trained on: "
                    "number %lld is '%.60s', expected '%.60s'",
                    (long long)j, names[j], model->feature_names[j]);
}

/* Names that a damaged file has twice would take a column twice. */
static crd_status check_distinct(char *const *names, int64_t count, crd_error *error)
{
    crd_name_index *index;
    crd_status status = crd_name_index_new(&index, error);
    for (int64_t j = 0; j < count && status == CRD_OK; j++) {
        int64_t number = j;
        status = crd_name_index_add(index, names[j], &number, error);
        if (status == CRD_OK && number != j)
            status = crd_fail(error, CRD_ERROR_MISMATCH, "two features are called '%.60s', so their order is not known",
                              names[j]);
    }
    crd_name_index_free(&index);
    return status;
}

/* ---- columns of tables ---- */

static const char is_missing[] = " is missing";

/* The column of "column is missing"; NULL for another name. The caller frees it. */
static crd_status column_of_missing(const char *name, char **column, crd_error *error)
{
    const size_t length = strlen(name), end = strlen(is_missing);
    *column = NULL;
    if (length <= end || strcmp(name + length - end, is_missing) != 0) return CRD_OK;
    crd_status status = crd_copy_string(column, name, error);
    if (status == CRD_OK) (*column)[length - end] = '\0';
    return status;
}

/* The same of "column=value". */
static crd_status column_of_value(const char *name, char **column, crd_error *error)
{
    const char *sign = strchr(name, '=');
    *column = NULL;
    if (sign == NULL || sign == name) return CRD_OK;
    crd_status status = crd_copy_string(column, name, error);
    if (status == CRD_OK) (*column)[sign - name] = '\0';
    return status;
}

/* The names of features, and the columns that have categories. */
typedef struct index {
    crd_name_index *names, *categories;
} index;

static crd_status make_index(char *const *names, int64_t count, index *made, crd_error *error)
{
    int64_t number;
    crd_status status = crd_name_index_new(&made->names, error);
    if (status == CRD_OK) status = crd_name_index_new(&made->categories, error);
    for (int64_t j = 0; j < count && status == CRD_OK; j++) {
        char *column = NULL;
        status = crd_name_index_add(made->names, names[j], &number, error);
        if (status == CRD_OK) status = column_of_value(names[j], &column, error);
        if (status == CRD_OK && column != NULL) status = crd_name_index_add(made->categories, column, &number, error);
        crd_free(column);
    }
    return status;
}

static void free_index(index *made)
{
    crd_name_index_free(&made->names);
    crd_name_index_free(&made->categories);
}

static bool has(const crd_name_index *names, const char *name)
{
    return crd_name_index_find(names, name) >= 0;
}

/* Whether a feature that one table lacks may be there in another table of the same columns, of which `other` has the
 * features: it says that a value is missing, or it is a value of a column that the other has. */
static crd_status may_differ(const char *name, const index *other, bool *may, crd_error *error)
{
    char *missing, *column = NULL;
    crd_status status = column_of_missing(name, &missing, error);
    if (status == CRD_OK) status = column_of_value(name, &column, error);
    *may = (missing != NULL && has(other->names, missing)) || (column != NULL && has(other->categories, column));
    crd_free(missing);
    crd_free(column);
    return status;
}

/* ---- the model's order ---- */

typedef struct alignment {
    const crd_model *model;
    const crd_dataset *dataset;
    index theirs, own; /* the data's and the model's */
    int32_t *order;    /* of the model's features: the data's column, -1: it has only zeros */
    int64_t new_values, others, first_new, first_other; /* what the data have beyond the model */
    bool moved;
} alignment;

/* A column without any value has no kind: its numbers are all 0. */
static crd_status check_empty(const alignment *a, const char *name, bool *empty, crd_error *error)
{
    const crd_features *f = &a->dataset->features;
    char *column;
    crd_status status = column_of_value(name, &column, error);
    const int64_t place = column != NULL ? crd_name_index_find(a->theirs.names, column) : -1;
    *empty = place >= 0;
    for (int64_t r = 0; r < f->rows && *empty; r++) {
        if (!f->sparse) *empty = f->dense[r * f->columns + place] == 0.0f;
        for (int64_t e = f->sparse ? f->start[r] : 0; f->sparse && e < f->start[r + 1]; e++)
            if (f->column[e] == place) *empty = false;
    }
    if (status == CRD_OK && place >= 0 && !*empty)
        status = crd_fail(error, CRD_ERROR_MISMATCH,
                          "column '%.60s' has numbers, but it had categories when the model was trained, such as "
                          "'%.60s'; category-columns can say that it has categories",
                          column, name);
    crd_free(column);
    return status;
}

static crd_status refuse_name(const alignment *a, int64_t j, crd_error *error)
{
    const char *name = a->model->feature_names[j];
    if (has(a->theirs.categories, name))
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "column '%.60s' has texts, but it had numbers when the model was trained", name);
    char there[96] = "";
    if (j < a->dataset->features.columns)
        snprintf(there, sizeof there, " (there the data have '%.60s')", a->dataset->feature_names[j]);
    return crd_fail(error, CRD_ERROR_MISMATCH,
                    "the data have no feature called '%.60s', which the model was trained on as number %lld%s", name,
                    (long long)j, there);
}

/* order[j] is the data's column with the name of the model's feature j. */
static crd_status find_order(alignment *a, crd_error *error)
{
    int64_t last = -1;
    crd_status status = CRD_OK;
    for (int64_t j = 0; j < a->model->features && status == CRD_OK; j++) {
        const char *name = a->model->feature_names[j];
        const int64_t number = crd_name_index_find(a->theirs.names, name);
        bool may = true;
        a->order[j] = (int32_t)number;
        if (number >= 0) {
            a->moved = a->moved || number < last;
            last = number;
            continue;
        }
        status = may_differ(name, &a->theirs, &may, error);
        if (status == CRD_OK && !may) status = check_empty(a, name, &may, error);
        if (status == CRD_OK && !may) status = refuse_name(a, j, error);
    }
    return status;
}

/* What the data have beyond the model is left out. */
static crd_status count_others(alignment *a, crd_error *error)
{
    crd_status status = CRD_OK;
    for (int64_t k = 0; k < a->dataset->features.columns && status == CRD_OK; k++) {
        const char *name = a->dataset->feature_names[k];
        bool value;
        if (has(a->own.names, name)) continue;
        status = may_differ(name, &a->own, &value, error);
        if (status == CRD_OK && value && a->new_values++ == 0) a->first_new = k;
        if (status == CRD_OK && !value && a->others++ == 0) a->first_other = k;
    }
    return status;
}

/* Before the names are replaced. */
static crd_status note_differences(const alignment *a, crd_notes *notes, crd_error *error)
{
    char *const *names = a->dataset->feature_names;
    crd_status status = CRD_OK;
    if (a->new_values > 0)
        status = crd_note(notes, error,
                          "%lld feature%s, such as '%.60s', did not occur when the model was trained: left out",
                          (long long)a->new_values, a->new_values == 1 ? "" : "s", names[a->first_new]);
    if (status == CRD_OK && a->others > 0)
        status = crd_note(notes, error, "%lld feature%s that the model does not know, such as '%.60s': left out",
                          (long long)a->others, a->others == 1 ? "" : "s", names[a->first_other]);
    return status;
}

static crd_status put_in_order(const alignment *a, crd_dataset *dataset, crd_error *error)
{
    const int64_t columns = a->model->features;
    crd_notes *notes = &dataset->notes;
    const int known = notes->count;
    char **names = NULL;
    crd_status status = note_differences(a, notes, error);
    if (status == CRD_OK) status = crd_copy_strings(&names, a->model->feature_names, columns, error);
    if (status == CRD_OK) status = crd_features_take_columns(&dataset->features, a->order, columns, error);
    if (status != CRD_OK) {
        if (names != NULL) crd_strings_free(&names, columns);
        while (notes->count > known) crd_string_free(&notes->text[--notes->count]);
        return status;
    }
    crd_strings_free(&dataset->feature_names, crd_name_index_count(a->theirs.names));
    dataset->feature_names = names;
    crd_dataset_take_fingerprint(dataset);
    return CRD_OK;
}

crd_status crd_model_align(const crd_model *model, crd_dataset *dataset, bool *moved, crd_error *error)
{
    if (CRD_ANY_NULL(error, model, dataset, moved)) return CRD_ERROR_ARGUMENT;
    const int64_t columns = dataset->features.columns;
    *moved = false;
    if (model->feature_names == NULL || dataset->feature_names == NULL || columns == 0 ||
        (columns == model->features && first_difference(model, dataset->feature_names, columns) == columns))
        return CRD_OK;
    alignment a = {.model = model, .dataset = dataset};
    crd_status status = CRD_NEW(&a.order, model->features, error);
    if (status == CRD_OK) status = check_distinct(model->feature_names, model->features, error);
    if (status == CRD_OK) status = check_distinct(dataset->feature_names, columns, error);
    if (status == CRD_OK) status = make_index(dataset->feature_names, columns, &a.theirs, error);
    if (status == CRD_OK) status = make_index(model->feature_names, model->features, &a.own, error);
    if (status == CRD_OK) status = find_order(&a, error);
    if (status == CRD_OK) status = count_others(&a, error);
    if (status == CRD_OK) status = put_in_order(&a, dataset, error);
    if (status == CRD_OK) *moved = a.moved;
    free_index(&a.theirs);
    free_index(&a.own);
    crd_free(a.order);
    return status;
}
