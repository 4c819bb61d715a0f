/* SPDX-License-Identifier: MIT */
/* Predictions as files, from one table of columns: CSV and JSON lines row by row, NPZ array by array. */
#include "answers/answers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/archive.h"

/* STRINGS and SETS (the names of the classes in a set) are instead of a crd_npy_type. */
enum { TEXT = 1, NPZ = 2, MOST_COLUMNS = 20, STRINGS = -1, SETS = -2 };

typedef struct column {
    const char *name;
    int files; /* TEXT, NPZ or both */
    int type;
    const void *data;   /* NULL: empty cells in a text, no array in NPZ */
    int64_t width;      /* 0: one cell per row */
    const char *prefix; /* of the classes' names in a CSV header, if there is one cell per class */
} column;

typedef struct table {
    const crd_prediction *prediction;
    column columns[MOST_COLUMNS];
    int count;
    /* Columns that exist only in files, rows each: */
    int64_t *node;
    float *probability;
    const char **answer, **node_name;
} table;

static void close_table(table *t)
{
    crd_free(t->node);
    crd_free(t->probability);
    crd_free(t->answer);
    crd_free(t->node_name);
}

/* `dataset` is NULL unless it has node names. */
static crd_status fill(table *t, const crd_dataset *dataset, crd_error *error)
{
    const crd_prediction *p = t->prediction;
    crd_status status = CRD_NEW(&t->node, p->nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&t->probability, p->nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&t->answer, p->nodes, error);
    if (status == CRD_OK && dataset != NULL) status = CRD_NEW(&t->node_name, p->nodes, error);
    for (int64_t i = 0; i < p->nodes && status == CRD_OK; i++) {
        t->node[i] = crd_prediction_node(p, i);
        t->probability[i] = p->probability[i * p->classes + p->class_index[i]];
        t->answer[i] = p->class_names[p->class_index[i]];
        if (dataset != NULL) t->node_name[i] = crd_dataset_node_name(dataset, t->node[i]);
    }
    return status;
}

static void add_column(table *t, int files, const char *name, int type, const void *data)
{
    t->columns[t->count++] = (column){.files = files, .name = name, .type = type, .data = data};
}

static void add_matrix(table *t, int files, const char *name, const char *prefix, const float *data, int64_t width)
{
    add_column(t, files, name, CRD_NPY_F4, data);
    t->columns[t->count - 1].prefix = prefix;
    t->columns[t->count - 1].width = width;
}

static void list_columns(table *t, bool full)
{
    const crd_prediction *p = t->prediction;
    add_column(t, TEXT | NPZ, "node", CRD_NPY_I8, t->node);
    if (t->node_name != NULL) add_column(t, TEXT, "name", STRINGS, t->node_name);
    if (p->x != NULL) {
        add_column(t, TEXT | NPZ, "x", CRD_NPY_F4, p->x);
        add_column(t, TEXT | NPZ, "y", CRD_NPY_F4, p->y);
    }
    add_column(t, TEXT, "class", STRINGS, t->answer);
    add_column(t, NPZ, "class", CRD_NPY_I4, p->class_index);
    add_column(t, TEXT | NPZ, "probability", CRD_NPY_F4, t->probability);
    add_column(t, TEXT | NPZ, "aleatoric", CRD_NPY_F8, p->score[CRD_SCORE_ALEATORIC]);
    add_column(t, TEXT | NPZ, "epistemic", CRD_NPY_F8, p->score[CRD_SCORE_EPISTEMIC]);
    add_column(t, TEXT | NPZ, "epistemic_features", CRD_NPY_F8, p->score[CRD_SCORE_EPISTEMIC_FEATURES]);
    if (p->doubt != NULL) add_column(t, TEXT | NPZ, "doubt", CRD_NPY_F8, p->doubt);
    if (p->rejected != NULL) add_column(t, TEXT | NPZ, "reject", CRD_NPY_U1, p->rejected);
    if (p->unknown != NULL) add_column(t, TEXT | NPZ, "unknown", CRD_NPY_U1, p->unknown);
    if (p->answered != NULL) add_column(t, TEXT | NPZ, "answered", CRD_NPY_U1, p->answered);
    if (p->set != NULL) {
        add_column(t, TEXT, "set", SETS, p->set);
        add_column(t, NPZ, "set", CRD_NPY_U1, p->set);
        t->columns[t->count - 1].width = p->classes;
    }
    if (!full) return;
    add_matrix(t, TEXT | NPZ, "alpha", "alpha_", p->alpha, p->classes);
    add_matrix(t, TEXT | NPZ, "p", "p_", p->probability, p->classes);
    add_matrix(t, NPZ, "latent", NULL, p->latent, p->latent_dims);
}

/* ---- text ---- */

/* An empty cell of CSV is null in JSON. */
static void add_cell(crd_text *text, const column *c, int64_t cell, bool csv)
{
    const double number = c->data == NULL         ? NAN
                          : c->type == CRD_NPY_F4 ? (double)((const float *)c->data)[cell]
                          : c->type == CRD_NPY_F8 ? ((const double *)c->data)[cell]
                                                  : 0.0;
    if (!isfinite(number)) crd_text_add(text, csv ? "" : "null");
    else if (c->type == CRD_NPY_F4) crd_text_add_json_float(text, (float)number);
    else if (c->type == CRD_NPY_F8) crd_text_add_json_number(text, number);
    else if (c->type == CRD_NPY_I8) crd_text_format(text, "%lld", (long long)((const int64_t *)c->data)[cell]);
    else if (c->type == CRD_NPY_U1) crd_text_add(text, ((const uint8_t *)c->data)[cell] != 0 ? "1" : "0");
    else if (csv) crd_text_add_csv(text, ((const char *const *)c->data)[cell]);
    else crd_text_add_json_string(text, ((const char *const *)c->data)[cell]);
}

static void add_csv_header(crd_text *text, const column *c, const char *const *class_names)
{
    if (c->width == 0) crd_text_add(text, c->name);
    for (int64_t k = 0; k < c->width; k++) {
        crd_text whole = {0};
        if (k > 0) crd_text_add(text, ",");
        crd_text_format(&whole, "%s%s", c->prefix, class_names[k]);
        if (whole.status == CRD_OK) crd_text_add_csv(text, whole.bytes);
        else text->status = whole.status;
        crd_text_free(&whole);
    }
}

static void add_cells(crd_text *text, const column *c, int64_t row, bool csv)
{
    const bool several = c->width > 0 && (csv || c->data != NULL), list = several && !csv;
    const int64_t cells = several ? c->width : 1;
    if (!csv) crd_text_format(text, "\"%s\":", c->name);
    for (int64_t k = 0; k < cells; k++) {
        crd_text_add(text, k > 0 ? "," : list ? "[" : "");
        add_cell(text, c, row * cells + k, csv);
    }
    if (list) crd_text_add(text, "]");
}

/* The names of a row's set: joined by | in CSV, a list in JSON. */
static void add_set(crd_text *text, const table *t, const column *c, int64_t row, bool csv)
{
    const crd_prediction *p = t->prediction;
    const uint8_t *set = (const uint8_t *)c->data + row * p->classes;
    crd_text joined = {0};
    bool first = true;
    crd_text_add(&joined, csv ? "" : "[");
    for (int32_t k = 0; k < p->classes; k++) {
        if (!set[k]) continue;
        if (!first) crd_text_add(&joined, csv ? "|" : ",");
        if (csv) crd_text_add(&joined, p->class_names[k]);
        else crd_text_add_json_string(&joined, p->class_names[k]);
        first = false;
    }
    if (!csv) crd_text_format(text, "\"%s\":", c->name);
    if (joined.status != CRD_OK) text->status = joined.status;
    else if (csv) crd_text_add_csv(text, joined.bytes != NULL ? joined.bytes : "");
    else crd_text_format(text, "%s]", joined.bytes);
    crd_text_free(&joined);
}

/* Row -1 is the header of CSV. */
static void add_row(crd_text *text, const table *t, int64_t row, bool csv)
{
    if (!csv) crd_text_add(text, "{");
    for (int i = 0; i < t->count; i++) {
        const column *c = &t->columns[i];
        if (!(c->files & TEXT)) continue;
        if (i > 0) crd_text_add(text, ",");
        if (row < 0) add_csv_header(text, c, (const char *const *)t->prediction->class_names);
        else if (c->type == SETS) add_set(text, t, c, row, csv);
        else add_cells(text, c, row, csv);
    }
    crd_text_add(text, csv ? "\n" : "}\n");
}

static crd_status write_rows(const table *t, const crd_destination *to, bool csv, crd_error *error)
{
    crd_outfile *file;
    crd_status status = crd_outfile_open_to(to, &file, error);
    if (status != CRD_OK) return status;
    crd_text row = {0}; /* one buffer for all rows: `length` is reset, the memory stays */
    for (int64_t i = csv ? -1 : 0; i < t->prediction->nodes && row.status == CRD_OK && crd_outfile_good(file); i++) {
        row.length = 0;
        add_row(&row, t, i, csv);
        if (row.status == CRD_OK) crd_outfile_write(file, row.bytes, (size_t)row.length);
    }
    status = row.status;
    if (status != CRD_OK) {
        crd_fail_memory(error, (size_t)row.capacity);
        crd_outfile_discard(&file);
    } else {
        status = crd_outfile_commit(&file, error);
    }
    crd_text_free(&row);
    return status;
}

/* ---- NPZ ---- */

static crd_status write_npz(const table *t, const crd_destination *to, crd_error *error)
{
    const crd_prediction *p = t->prediction;
    crd_array arrays[MOST_COLUMNS + 2];
    size_t count = 0;
    for (int i = 0; i < t->count; i++) {
        const column *c = &t->columns[i];
        if (c->files & NPZ)
            arrays[count++] =
                (crd_array){c->name, (crd_npy_type)c->type, c->width > 0 ? 2 : 1, {p->nodes, c->width}, c->data};
    }
    arrays[count++] = (crd_array){"class_names", CRD_NPY_TEXT, 1, {p->classes}, p->class_names};
    arrays[count++] = (crd_array){"node_names", CRD_NPY_TEXT, 1, {p->nodes}, t->node_name};
    /* Not compressed: the numbers hardly shrink, and deflating them takes longer than everything else. */
    return crd_archive_write_to(to, CRD_ARCHIVE_STORED, arrays, count, error);
}

/* ---- which ---- */

/* A name without an ending (a pipe, a device) means CSV; an unknown ending is an error. */
crd_status crd_table_format_of(const char *path, crd_table_format *format, crd_error *error)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    const char *ending = strrchr(name, '.');
    if (ending == NULL) *format = CRD_TABLE_CSV;
    else if (strcmp(ending, ".npz") == 0) *format = CRD_TABLE_NPZ;
    else if (strcmp(ending, ".jsonl") == 0 || strcmp(ending, ".ndjson") == 0) *format = CRD_TABLE_JSONL;
    else if (strcmp(ending, ".csv") == 0 || ending == name) *format = CRD_TABLE_CSV;
    else
        return crd_fail(error, CRD_ERROR_ARGUMENT,
                        "%s: the ending %s is none of .csv, .npz and .jsonl: use one of them, or say the format", path,
                        ending);
    return CRD_OK;
}

static crd_status check_dataset(const crd_prediction *p, const crd_dataset *dataset, crd_error *error)
{
    const int64_t nodes = p->node == NULL ? p->nodes : p->graph_nodes;
    if (dataset == NULL || crd_dataset_nodes(dataset) == nodes) return CRD_OK;
    return crd_fail(error, CRD_ERROR_MISMATCH, "the prediction is of %lld nodes, the dataset has %lld",
                    (long long)nodes, (long long)crd_dataset_nodes(dataset));
}

static crd_status write_table(const crd_prediction *prediction, const crd_dataset *dataset, const crd_destination *to,
                              crd_table_format format, bool full, crd_error *error)
{
    crd_status status = check_dataset(prediction, dataset, error);
    if (status == CRD_OK && format == CRD_TABLE_AUTO && to->path != NULL)
        status = crd_table_format_of(to->path, &format, error);
    else if (format == CRD_TABLE_AUTO) format = CRD_TABLE_CSV;
    if (status != CRD_OK) return status;
    if (format != CRD_TABLE_CSV && format != CRD_TABLE_JSONL && format != CRD_TABLE_NPZ)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: the table format %d does not exist", crd_destination_name(to),
                        (int)format);
    const bool named = dataset != NULL && crd_dataset_node_name(dataset, 0) != NULL;
    table t = {.prediction = prediction};
    status = fill(&t, named ? dataset : NULL, error);
    if (status == CRD_OK) {
        list_columns(&t, full);
        status =
            format == CRD_TABLE_NPZ ? write_npz(&t, to, error) : write_rows(&t, to, format == CRD_TABLE_CSV, error);
    }
    close_table(&t);
    return status;
}

crd_status crd_prediction_write(const crd_prediction *prediction, const crd_dataset *dataset, const char *path,
                                crd_table_format format, bool full, crd_error *error)
{
    if (CRD_ANY_NULL(error, prediction, path)) return CRD_ERROR_ARGUMENT;
    return write_table(prediction, dataset, &(crd_destination){.path = path}, format, full, error);
}

crd_status crd_prediction_write_to(const crd_prediction *prediction, const crd_dataset *dataset, crd_writer writer,
                                   void *user, crd_table_format format, bool full, crd_error *error)
{
    if (CRD_ANY_NULL(error, prediction)) return CRD_ERROR_ARGUMENT;
    return write_table(prediction, dataset, &(crd_destination){.writer = writer, .user = user}, format, full, error);
}
