/* SPDX-License-Identifier: MIT */
#include "graph/encode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dates.h"
#include "base/text.h"
#include "base/watch.h"

void crd_columns_free(crd_column **columns, int64_t count)
{
    for (int64_t c = 0; c < count && *columns != NULL; c++) crd_name_index_free(&(*columns)[c].values);
    crd_free(*columns);
    *columns = NULL;
}

/* ---- reading ---- */

static crd_status refuse(const crd_csv *csv, int64_t field, const char *problem, const char *hint, crd_error *error)
{
    return crd_fail(error, CRD_ERROR_FORMAT, "%.250s: line %lld, column %lld: %s, found '%.40s'%s",
                    crd_source_name(csv->source), (long long)csv->line, (long long)field + 1, problem,
                    csv->field[field], hint);
}

static crd_status refuse_number(const crd_column *column, const crd_csv *csv, int64_t field, crd_error *error)
{
    double number;
    const char *text = csv->field[field], *problem = "expected a number";
    const char *hint = field == 0 && !column->named ? " (a first column of names needs the header \"node\")" : "";
    if (crd_is_missing(text)) problem = "a value is missing";
    else if (crd_parse_double(text, &number)) problem = "expected a finite number within the range of a float";
    return refuse(csv, field, problem, hint, error);
}

static crd_status refuse_kind(const crd_column *column, const crd_csv *csv, int64_t field, crd_error *error)
{
    static const char *const expected[] = {"", "a number", "a date", "a text, neither a number nor a date,"};
    char problem[80];
    snprintf(problem, sizeof problem, "expected %s as in line %lld", expected[column->kind], (long long)column->line);
    return refuse(csv, field, problem, " (if this column has categories, category-columns can say so)", error);
}

static crd_status read_text(crd_column *column, const crd_csv *csv, int64_t field, float *value, crd_error *error)
{
    int64_t number;
    crd_status status = column->values == NULL ? crd_name_index_new(&column->values, error) : CRD_OK;
    if (status == CRD_OK) status = crd_name_index_add(column->values, csv->field[field], &number, error);
    if (status != CRD_OK) return status;
    *value = (float)number;
    if (number < CRD_MOST_CATEGORIES) return CRD_OK;
    char problem[80];
    snprintf(problem, sizeof problem, "expected at most %d different texts", CRD_MOST_CATEGORIES);
    return refuse(csv, field, problem, " (ignore-columns can leave the column out)", error);
}

crd_status crd_column_read(crd_column *column, const crd_csv *csv, int64_t field, float *value, crd_error *error)
{
    const char *text = csv->field[field];
    double number = 0.0;
    const bool is_missing = column->named && crd_is_missing(text);
    const bool is_number = !column->category && crd_parse_double(text, &number);
    if (!column->named && (!is_number || !crd_to_float(number, value))) return refuse_number(column, csv, field, error);
    if (!column->named) return CRD_OK;
    if (is_missing) {
        *value = NAN;
        column->missing++;
        return CRD_OK;
    }
    crd_column_kind kind = is_number                                            ? CRD_COLUMN_NUMBER
                           : !column->category && crd_parse_date(text, &number) ? CRD_COLUMN_DATE
                                                                                : CRD_COLUMN_TEXT;
    if (column->kind == CRD_COLUMN_OPEN) {
        column->kind = kind;
        column->line = csv->line;
    }
    if (kind != column->kind) return refuse_kind(column, csv, field, error);
    if (kind == CRD_COLUMN_TEXT) return read_text(column, csv, field, value, error);
    return crd_to_float(number, value) ? CRD_OK : refuse_number(column, csv, field, error);
}

/* ---- encoding ---- */

/* What becomes of a column. */
typedef struct code {
    const crd_column *column;
    const char *name;
    int64_t first;  /* of its features */
    int64_t width;  /* how many features */
    int32_t *place; /* texts: of each value among the column's features; true and false: its number; or NULL */
    bool boolean;
    double sum; /* of the values that are there */
    float mean;
} code;

typedef struct encoding {
    const crd_column *columns;
    int64_t rows, count; /* of columns */
    code *codes;
    int64_t features;
    int64_t numbers_missing, texts, booleans, dates; /* how many columns */
    int64_t first_missing, first_text;               /* of those columns; -1: none */
} encoding;

static bool is_boolean(const crd_name_index *values)
{
    for (int64_t v = 0; v < crd_name_index_count(values); v++) {
        const char *text = crd_name_index_name(values, v);
        if (!crd_is_word(text, "true") && !crd_is_word(text, "false")) return false;
    }
    return crd_name_index_count(values) > 0;
}

typedef struct listed_value {
    const char *text;
    int64_t index;
} listed_value;

static int by_text(const void *a, const void *b)
{
    return strcmp(((const listed_value *)a)->text, ((const listed_value *)b)->text);
}

static crd_status plan_text(code *c, crd_error *error)
{
    const crd_name_index *values = c->column->values;
    const int64_t count = crd_name_index_count(values);
    listed_value *listed = NULL;
    crd_status status = CRD_NEW(&c->place, count, error);
    if (status == CRD_OK) status = CRD_NEW(&listed, count, error);
    if (status != CRD_OK) return status;
    c->boolean = !c->column->category && is_boolean(values);
    for (int64_t v = 0; v < count; v++) listed[v] = (listed_value){crd_name_index_name(values, v), v};
    qsort(listed, (size_t)count, sizeof *listed, by_text);
    for (int64_t v = 0; v < count; v++)
        c->place[listed[v].index] = c->boolean ? crd_is_word(listed[v].text, "true") : (int32_t)v;
    c->width = count;
    crd_free(listed);
    return CRD_OK;
}

static crd_status plan_column(encoding *e, int64_t index, crd_error *error)
{
    code *c = &e->codes[index];
    const bool text = c->column->kind == CRD_COLUMN_TEXT || c->column->category;
    crd_status status = text ? plan_text(c, error) : CRD_OK;
    const bool category = text && !c->boolean;
    if (!category) c->width = 1 + (c->column->missing > 0);
    c->first = e->features;
    e->features += c->width;
    if (category && c->width > 0 && e->texts++ == 0) e->first_text = index;
    e->booleans += c->boolean;
    e->dates += c->column->kind == CRD_COLUMN_DATE;
    if (!category && c->column->missing > 0 && e->numbers_missing++ == 0) e->first_missing = index;
    return status;
}

/* The number that a value stands for, in columns that are no categories. */
static float number_of(const code *c, float value)
{
    return c->boolean ? (float)c->place[(int64_t)value] : value;
}

static void find_means(const encoding *e, const float *dense)
{
    for (int64_t r = 0; r < e->rows; r++)
        for (int64_t j = 0; j < e->count; j++) {
            code *c = &e->codes[j];
            const float value = dense[r * e->count + j];
            if (c->column->missing > 0 && (c->place == NULL || c->boolean) && !isnan(value))
                c->sum += (double)number_of(c, value);
        }
    for (int64_t j = 0; j < e->count; j++) {
        const int64_t known = e->rows - e->codes[j].column->missing;
        e->codes[j].mean = known > 0 ? (float)(e->codes[j].sum / (double)known) : 0.0f;
    }
}

/* Appends the features of one value to a row. Returns how many entries that made: at most two. */
static int write_value(const code *c, float value, int32_t *column, float *to)
{
    const bool missing = isnan(value), category = c->place != NULL && !c->boolean;
    if (category && missing) return 0;
    column[0] = (int32_t)(c->first + (category ? c->place[(int64_t)value] : 0));
    to[0] = category ? 1.0f : missing ? c->mean : number_of(c, value);
    if (!missing) return 1;
    column[1] = (int32_t)c->first + 1;
    to[1] = 1.0f;
    return 2;
}

static crd_status write_rows(const encoding *e, const float *dense, crd_features *made, crd_error *error)
{
    int64_t entries = e->rows * e->count, at = 0;
    for (int64_t j = 0; j < e->count; j++) entries += e->codes[j].column->missing;
    crd_status status = crd_features_new_sparse(e->rows, e->features, entries, made, error);
    for (int64_t r = 0; r < e->rows && status == CRD_OK; r++) {
        if (crd_watch_at(r)) return crd_watch_stopped(error);
        for (int64_t j = 0; j < e->count; j++)
            at += write_value(&e->codes[j], dense[r * e->count + j], made->column + at, made->value + at);
        made->start[r + 1] = at;
    }
    return status;
}

static crd_status name_feature(const code *c, int64_t feature, char **name, crd_error *error)
{
    crd_text text = {0};
    crd_text_add(&text, c->name);
    if (c->place != NULL && !c->boolean) {
        int64_t v = 0;
        while (c->place[v] != feature) v++;
        crd_text_add(&text, "=");
        crd_text_add(&text, crd_name_index_name(c->column->values, v));
    } else if (feature == 1) crd_text_add(&text, " is missing");
    return crd_text_finish(&text, name, error);
}

static crd_status write_names(const encoding *e, crd_raw_names *names, crd_error *error)
{
    char **made = NULL;
    crd_status status = CRD_NEW_ZERO(&made, e->features, error);
    for (int64_t j = 0; j < e->count && status == CRD_OK; j++)
        for (int64_t f = 0; f < e->codes[j].width && status == CRD_OK; f++)
            status = name_feature(&e->codes[j], f, &made[e->codes[j].first + f], error);
    if (status != CRD_OK) {
        if (made != NULL) crd_strings_free(&made, e->features);
        return status;
    }
    crd_strings_free(&names->name, names->count);
    names->name = made;
    names->count = e->features;
    return CRD_OK;
}

/* "1 column has", "3 columns have". */
static const char *columns_have(int64_t count, char text[48], const char *one, const char *many)
{
    snprintf(text, 48, "%lld column%s %s", (long long)count, count == 1 ? "" : "s", count == 1 ? one : many);
    return text;
}

static crd_status note_encoding(const encoding *e, crd_raw *raw, crd_error *error)
{
    char text[48];
    const char *file = raw->features.file;
    crd_status status = CRD_OK;
    if (e->texts > 0)
        status = crd_note(&raw->notes, error,
                          "%.200s: %s categories: every value is a feature of its own, such as '%.40s=%.40s'", file,
                          columns_have(e->texts, text, "has", "have"), e->codes[e->first_text].name,
                          crd_name_index_name(e->codes[e->first_text].column->values, 0));
    if (status == CRD_OK && e->booleans > 0)
        status = crd_note(&raw->notes, error, "%.200s: %s true and false: they are 1 and 0", file,
                          columns_have(e->booleans, text, "has", "have"));
    if (status == CRD_OK && e->dates > 0)
        status = crd_note(&raw->notes, error, "%.200s: %s dates: they are days since 1970-01-01", file,
                          columns_have(e->dates, text, "has", "have"));
    if (status == CRD_OK && e->numbers_missing > 0)
        status =
            crd_note(&raw->notes, error,
                     "%.200s: %s missing values: the mean stands there, and a feature such as '%.40s is missing' is 1",
                     file, columns_have(e->numbers_missing, text, "has", "have"), e->codes[e->first_missing].name);
    return status;
}

static crd_status encode(encoding *e, crd_raw *raw, crd_error *error)
{
    crd_features *matrix = &raw->features.matrix, made = {0};
    crd_status status = CRD_OK;
    for (int64_t j = 0; j < e->count; j++) e->codes[j] = (code){.column = &e->columns[j], .name = raw->columns.name[j]};
    for (int64_t j = 0; j < e->count && status == CRD_OK; j++) status = plan_column(e, j, error);
    if (status == CRD_OK)
        status = crd_check_columns(raw->features.file, e->features, e->rows, e->rows * e->count, error);
    if (status != CRD_OK) return status;
    find_means(e, matrix->dense);
    status = write_rows(e, matrix->dense, &made, error);
    if (status == CRD_OK) status = note_encoding(e, raw, error);
    if (status == CRD_OK) status = write_names(e, &raw->columns, error);
    if (status != CRD_OK) {
        crd_features_free(&made);
        return status;
    }
    crd_features_free(matrix);
    *matrix = made;
    return CRD_OK;
}

crd_status crd_encode(crd_raw *raw, const crd_column *columns, crd_error *error)
{
    const crd_features *matrix = &raw->features.matrix;
    encoding e = {.columns = columns, .rows = matrix->rows, .count = matrix->columns};
    bool needed = false;
    for (int64_t j = 0; j < e.count; j++)
        needed = needed || columns[j].missing > 0 || columns[j].kind == CRD_COLUMN_DATE ||
                 columns[j].kind == CRD_COLUMN_TEXT;
    if (!needed) return CRD_OK;
    crd_status status = CRD_NEW_ZERO(&e.codes, e.count, error);
    if (status == CRD_OK) status = encode(&e, raw, error);
    for (int64_t j = 0; j < e.count && e.codes != NULL; j++) crd_free(e.codes[j].place);
    crd_free(e.codes);
    return status;
}
