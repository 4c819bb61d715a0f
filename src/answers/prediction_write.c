/* Predictions as files: CSV and JSON lines row by row, NPZ array by array. */
#include "answers/prediction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/outfile.h"
#include "base/text.h"
#include "credence_private.h"
#include "io/archive.h"

/* What every writer needs. */
typedef struct table {
    const crd_prediction *prediction;
    const crd_dataset *dataset; /* NULL unless it has node names */
    bool full;
} table;

/* The uncertainties in the file and their names there. */
static const struct {
    const char *name;
    crd_score score;
} score_columns[] = {{"aleatoric", CRD_SCORE_ALEATORIC},
                     {"epistemic", CRD_SCORE_EPISTEMIC},
                     {"epistemic_features", CRD_SCORE_EPISTEMIC_FEATURES}};
enum { SCORE_COLUMNS = sizeof score_columns / sizeof *score_columns };

static float answer_probability(const crd_prediction *p, int64_t node)
{
    return p->probability[node * p->classes + p->class_index[node]];
}

static const char *answer_name(const crd_prediction *p, int64_t node)
{
    return p->class_names[p->class_index[node]];
}

/* ---- CSV ---- */

static void add_csv_prefixed(crd_text *text, const char *prefix, const char *name)
{
    crd_text whole = {0};
    crd_text_format(&whole, "%s%s", prefix, name);
    if (whole.status == CRD_OK) crd_text_add_csv(text, whole.bytes);
    else text->status = whole.status;
    crd_text_free(&whole);
}

static void add_csv_classes(crd_text *text, const crd_prediction *p, const char *prefix)
{
    for (int32_t c = 0; c < p->classes; c++) {
        crd_text_add(text, ",");
        add_csv_prefixed(text, prefix, p->class_names[c]);
    }
}

static void add_csv_header(crd_text *text, const table *t)
{
    crd_text_add(text, t->dataset != NULL ? "node,name" : "node");
    crd_text_add(text, t->prediction->x != NULL ? ",x,y,class,probability" : ",class,probability");
    for (int s = 0; s < SCORE_COLUMNS; s++) crd_text_format(text, ",%s", score_columns[s].name);
    if (t->prediction->rejected != NULL) crd_text_add(text, ",reject");
    if (t->full) {
        add_csv_classes(text, t->prediction, "alpha_");
        add_csv_classes(text, t->prediction, "p_");
    }
    crd_text_add(text, "\n");
}

/* A row of nodes x classes; empty cells if the model has no such matrix. */
static void add_csv_matrix_row(crd_text *text, const float *matrix, int64_t node, int32_t classes)
{
    for (int32_t c = 0; c < classes; c++) {
        crd_text_add(text, ",");
        if (matrix != NULL && isfinite(matrix[node * classes + c]))
            crd_text_add_json_float(text, matrix[node * classes + c]);
    }
}

static void add_csv_row(crd_text *text, const table *t, int64_t node)
{
    const crd_prediction *p = t->prediction;
    crd_text_format(text, "%lld,", (long long)crd_prediction_node(p, node));
    if (t->dataset != NULL) {
        crd_text_add_csv(text, crd_dataset_node_name(t->dataset, crd_prediction_node(p, node)));
        crd_text_add(text, ",");
    }
    for (int axis = 0; axis < 2 && p->x != NULL; axis++) {
        const float at = axis == 0 ? p->x[node] : p->y[node];
        if (isfinite(at)) crd_text_add_json_float(text, at);
        crd_text_add(text, ",");
    }
    crd_text_add_csv(text, answer_name(p, node));
    crd_text_add(text, ",");
    float probability = answer_probability(p, node);
    if (isfinite(probability)) crd_text_add_json_float(text, probability);
    for (int s = 0; s < SCORE_COLUMNS; s++) {
        const double *score = p->score[score_columns[s].score];
        crd_text_add(text, ",");
        if (score != NULL && isfinite(score[node])) crd_text_add_json_number(text, score[node]);
    }
    if (p->rejected != NULL) crd_text_add(text, p->rejected[node] ? ",1" : ",0");
    if (t->full) {
        add_csv_matrix_row(text, p->alpha, node, p->classes);
        add_csv_matrix_row(text, p->probability, node, p->classes);
    }
    crd_text_add(text, "\n");
}

/* ---- JSON lines ---- */

static void add_json_matrix_row(crd_text *text, const char *key, const float *matrix, int64_t node, int32_t classes)
{
    if (matrix == NULL) {
        crd_json_add_string(text, key, NULL);
        return;
    }
    crd_json_open(text, key, "[");
    for (int32_t c = 0; c < classes; c++) crd_json_add_float(text, NULL, matrix[node * classes + c]);
    crd_text_add(text, "]");
}

static void add_json_row(crd_text *text, const table *t, int64_t row)
{
    const crd_prediction *p = t->prediction;
    const int64_t node = crd_prediction_node(p, row);
    crd_text_add(text, "{\"node\":");
    crd_json_add_integer(text, NULL, node);
    if (t->dataset != NULL) crd_json_add_string(text, "name", crd_dataset_node_name(t->dataset, node));
    if (p->x != NULL) {
        crd_json_add_float(text, "x", p->x[row]);
        crd_json_add_float(text, "y", p->y[row]);
    }
    crd_json_add_string(text, "class", answer_name(p, row));
    crd_json_add_float(text, "probability", answer_probability(p, row));
    for (int s = 0; s < SCORE_COLUMNS; s++) {
        const double *score = p->score[score_columns[s].score];
        crd_json_add_number(text, score_columns[s].name, score != NULL ? score[row] : NAN);
    }
    if (p->rejected != NULL) crd_json_add_integer(text, "reject", p->rejected[row] != 0);
    if (t->full) {
        add_json_matrix_row(text, "alpha", p->alpha, row, p->classes);
        add_json_matrix_row(text, "p", p->probability, row, p->classes);
    }
    crd_text_add(text, "}\n");
}

/* ---- either text ---- */

static crd_status write_rows(const table *t, const char *path, bool csv, crd_error *error)
{
    crd_outfile *file;
    crd_status status = crd_outfile_open(path, &file, error);
    if (status != CRD_OK) return status;
    crd_text row = {0}; /* one buffer for all rows: `length` is reset, the memory stays */
    if (csv) add_csv_header(&row, t);
    for (int64_t i = 0; i < t->prediction->nodes && row.status == CRD_OK; i++) {
        if (csv) add_csv_row(&row, t, i);
        else add_json_row(&row, t, i);
        if (row.status != CRD_OK) break;
        crd_outfile_write(file, row.bytes, (size_t)row.length);
        row.length = 0;
    }
    if (row.status == CRD_OK && row.length > 0) /* a header without rows */
        crd_outfile_write(file, row.bytes, (size_t)row.length);
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

/* Arrays that exist only in the file. */
typedef struct npz_columns {
    int64_t *node;
    float *probability;
    const char **names;
} npz_columns;

static crd_status make_npz_columns(const table *t, npz_columns *columns, crd_error *error)
{
    const crd_prediction *p = t->prediction;
    crd_status status = CRD_NEW(&columns->node, p->nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&columns->probability, p->nodes, error);
    if (status == CRD_OK && t->dataset != NULL) status = CRD_NEW(&columns->names, p->nodes, error);
    for (int64_t i = 0; i < p->nodes && status == CRD_OK; i++) {
        columns->node[i] = crd_prediction_node(p, i);
        columns->probability[i] = answer_probability(p, i);
        if (t->dataset != NULL) columns->names[i] = crd_dataset_node_name(t->dataset, columns->node[i]);
    }
    return status;
}

static crd_status write_npz(const table *t, const char *path, crd_error *error)
{
    const crd_prediction *p = t->prediction;
    const int64_t rows = p->nodes, classes = p->classes;
    npz_columns columns = {0};
    crd_status status = make_npz_columns(t, &columns, error);
    const crd_array arrays[] = {
        {"node", CRD_NPY_I8, 1, {rows}, columns.node},
        {"x", CRD_NPY_F4, 1, {rows}, p->x},
        {"y", CRD_NPY_F4, 1, {rows}, p->y},
        {"class", CRD_NPY_I4, 1, {rows}, p->class_index},
        {"probability", CRD_NPY_F4, 1, {rows}, columns.probability},
        {"aleatoric", CRD_NPY_F8, 1, {rows}, p->score[CRD_SCORE_ALEATORIC]},
        {"epistemic", CRD_NPY_F8, 1, {rows}, p->score[CRD_SCORE_EPISTEMIC]},
        {"epistemic_features", CRD_NPY_F8, 1, {rows}, p->score[CRD_SCORE_EPISTEMIC_FEATURES]},
        {"reject", CRD_NPY_U1, 1, {rows}, p->rejected},
        {"alpha", CRD_NPY_F4, 2, {rows, classes}, t->full ? p->alpha : NULL},
        {"p", CRD_NPY_F4, 2, {rows, classes}, t->full ? p->probability : NULL},
        {"latent", CRD_NPY_F4, 2, {rows, p->latent_dims}, t->full ? p->latent : NULL},
        {"class_names", CRD_NPY_TEXT, 1, {classes}, p->class_names},
        {"node_names", CRD_NPY_TEXT, 1, {rows}, columns.names},
    };
    /* Not compressed: the numbers hardly shrink, and deflating them takes longer than everything else. */
    if (status == CRD_OK)
        status = crd_archive_write(path, CRD_ARCHIVE_STORED, arrays, sizeof arrays / sizeof *arrays, error);
    free(columns.node);
    free(columns.probability);
    free(columns.names);
    return status;
}

/* ---- which ---- */

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcmp(path + length - tail, ending) == 0;
}

/* A name without an ending (a pipe, a device) means CSV; an unknown ending is an error. */
crd_status crd_table_format_of(const char *path, crd_table_format *format, crd_error *error)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    const char *ending = strrchr(name, '.');
    if (ends_with(path, ".npz")) *format = CRD_TABLE_NPZ;
    else if (ends_with(path, ".jsonl") || ends_with(path, ".ndjson")) *format = CRD_TABLE_JSONL;
    else if (ends_with(path, ".csv") || ending == NULL || ending == name) *format = CRD_TABLE_CSV;
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

crd_status crd_prediction_write(const crd_prediction *prediction, const crd_dataset *dataset, const char *path,
                                crd_table_format format, bool full, crd_error *error)
{
    crd_status status = check_dataset(prediction, dataset, error);
    if (status == CRD_OK && format == CRD_TABLE_AUTO) status = crd_table_format_of(path, &format, error);
    if (status != CRD_OK) return status;
    bool named = dataset != NULL && crd_dataset_node_name(dataset, 0) != NULL;
    table t = {.prediction = prediction, .dataset = named ? dataset : NULL, .full = full};
    switch (format) {
    case CRD_TABLE_CSV:
        return write_rows(&t, path, true, error);
    case CRD_TABLE_JSONL:
        return write_rows(&t, path, false, error);
    case CRD_TABLE_NPZ:
        return write_npz(&t, path, error);
    default:
        return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: the table format %d does not exist", path, (int)format);
    }
}
