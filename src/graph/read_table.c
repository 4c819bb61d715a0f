/* SPDX-License-Identifier: MIT */
/* Node features from a table: CSV and the like. */
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "graph/encode.h"
#include "graph/raw.h"

/* What a column of the table is. */
enum { FEATURE, CATEGORY, LEFT_OUT };
/* What `id` may be besides a column. */
enum { NO_IDS = -1, PERHAPS_FIRST = -2 };

/* With or without a header, with or without a column of ids. Digits alone may be ids as well as values: such a first
 * column is read as values, and its ids are kept too until the last row, when all is known. */
typedef struct table {
    crd_raw *raw;
    int64_t columns;    /* in every row */
    int64_t first_line; /* the row that decided `columns` */
    uint8_t *use;       /* of every column */
    int64_t id;         /* the column of names, or NO_IDS, or PERHAPS_FIRST before the first row of values */
    int64_t first;      /* the first column; 1 if an index is in front of it */
    bool header;        /* the first row is one; its first two words: */
    unsigned word, second;
    bool named;             /* an option has a name that it has */
    bool unnamed;           /* the first of them is empty */
    crd_name_index *digits; /* the first column while it may be ids; NULL: it is not */
    int64_t features;
    int64_t *from;      /* the column of every feature */
    crd_column *column; /* the same columns, as they were read */
    int64_t value_capacity, name_capacity;
} table;

static bool is_digits(const char *text)
{
    return *text != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/* ---- the first row ---- */

/* The first row is a header if it begins with a word for names, or if none of its other cells is a number. If some
 * are numbers and one is not, it is a typing error, which we report. */
static bool looks_like_header(const table *t, const crd_csv *csv)
{
    if (t->named || crd_header_word(csv->field[0]) & CRD_WORD_NODE) return true;
    if (csv->count == 1) return !crd_is_number(csv->field[0]);
    for (int64_t f = 1; f < csv->count; f++)
        if (crd_is_number(csv->field[f]) || crd_is_missing(csv->field[f])) return false;
    return true;
}

/* The next name in a list: the longest one of a column, because names may have commas, else up to the comma. */
static size_t next_name(const crd_csv *csv, const char *list)
{
    size_t length = strcspn(list, ",");
    for (int64_t f = 0; f < csv->count; f++) {
        const size_t its = strlen(csv->field[f]);
        if (its > length && strncmp(list, csv->field[f], its) == 0 && (list[its] == ',' || list[its] == '\0'))
            length = its;
    }
    return length;
}

/* Marks the columns that an option lists. */
static crd_status mark_listed(table *t, const crd_csv *csv, const char *option, const char *list, uint8_t use,
                              crd_error *error)
{
    crd_status status = CRD_OK;
    char *names = NULL, *at;
    if (list == NULL) return CRD_OK;
    t->raw->feature_columns_found = true;
    status = crd_copy_string(&names, list, error);
    for (at = names; at != NULL && status == CRD_OK;) {
        int64_t column;
        const size_t length = next_name(csv, at);
        const bool more = at[length] == ',';
        at[length] = '\0';
        status = crd_find_column(t->raw, csv, option, at, &column, &t->named, error);
        if (status == CRD_OK && column < 0) status = crd_refuse_column(t->raw->features.file, csv, option, at, error);
        if (status == CRD_OK) t->use[column] = use;
        at = more ? at + length + 1 : NULL;
    }
    crd_free(names);
    return status;
}

/* A table that also holds the labels must not tell them to a model. Without their name, we cannot know. */
static crd_status leave_out_labels(table *t, const crd_csv *csv, crd_error *error)
{
    crd_raw *raw = t->raw;
    int64_t column;
    bool named = false;
    crd_status status = crd_find_column(raw, csv, "label-column", raw->label_column, &column, &named, error);
    if (status != CRD_OK || column < 0 || !(named || raw->labels_beside)) return status;
    t->named = t->named || named;
    t->use[column] = LEFT_OUT;
    return crd_note(&raw->notes, error, "%.250s: column %lld ('%.60s') has the labels: it is no feature",
                    raw->features.file, (long long)column + 1, named ? raw->label_column : "");
}

static crd_status take_options(table *t, const crd_csv *csv, crd_error *error)
{
    crd_raw *raw = t->raw;
    int64_t column;
    crd_status status = CRD_NEW_ZERO(&t->use, csv->count, error);
    if (status == CRD_OK) status = crd_find_column(raw, csv, "id-column", raw->id_column, &column, &t->named, error);
    if (status != CRD_OK) return status;
    t->id = column >= 0 ? column : crd_is_none(raw->id_column) ? NO_IDS : PERHAPS_FIRST;
    if (t->id != PERHAPS_FIRST) raw->id_column_found = true;
    status = leave_out_labels(t, csv, error);
    if (status == CRD_OK) status = mark_listed(t, csv, "category-columns", raw->category_columns, CATEGORY, error);
    return status == CRD_OK ? mark_listed(t, csv, "ignore-columns", raw->ignore_columns, LEFT_OUT, error) : status;
}

static crd_status take_header(table *t, const crd_csv *csv, crd_error *error)
{
    crd_raw *raw = t->raw;
    crd_raw_names_free(&raw->columns);
    t->header = true;
    t->word = crd_header_word(csv->field[0]);
    t->unnamed = csv->field[0][0] == '\0';
    if (csv->count > 2 && csv->field[1][0] != '\0') t->second = crd_header_word(csv->field[1]);
    return crd_raw_copy_names(&raw->columns, raw->features.file, (const char *const *)csv->field, csv->count, error);
}

/* ---- the columns, when the first row of values is there ---- */

/* A nameless column of numbers in front of a column of ids is an index and left out: pandas writes one by default. */
static crd_status leave_out_index(table *t, const crd_csv *csv, crd_error *error)
{
    const bool ids_follow = t->id == PERHAPS_FIRST ? (t->second & CRD_WORD_ID) != 0 : t->id != 0;
    if (!t->unnamed || !ids_follow || !is_digits(csv->field[0])) return CRD_OK;
    t->first = 1;
    t->word = t->second;
    t->unnamed = false;
    return crd_note_index(t->raw, t->raw->features.file, error);
}

/* Decides whether the first column has ids. */
static crd_status plan_first(table *t, const crd_csv *csv, crd_error *error)
{
    const char *cell = csv->field[t->first];
    const bool value = crd_is_number(cell) || crd_is_missing(cell);
    t->id = t->header && (t->word & CRD_WORD_NODE) != 0 && !value ? t->first : NO_IDS;
    if (csv->count - t->first == 1 || t->use[t->first] != FEATURE) return CRD_OK;
    if ((t->header && (t->word & CRD_WORD_NODE) != 0) || !value) t->id = t->first;
    t->raw->features.unnamed_ids = t->unnamed;
    return t->id != NO_IDS || (t->word & CRD_WORD_VALUE) != 0 ? CRD_OK : crd_name_index_new(&t->digits, error);
}

static crd_status plan_columns(table *t, const crd_csv *csv, crd_error *error)
{
    crd_status status = leave_out_index(t, csv, error);
    if (status == CRD_OK && t->id == PERHAPS_FIRST) status = plan_first(t, csv, error);
    if (status == CRD_OK) status = CRD_NEW(&t->from, csv->count, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&t->column, csv->count, error);
    for (int64_t f = t->first; f < csv->count && status == CRD_OK; f++) {
        if (f == t->id || t->use[f] == LEFT_OUT) continue;
        const bool category = t->use[f] == CATEGORY;
        t->column[t->features] = (crd_column){.named = t->header, .category = category};
        t->from[t->features++] = f;
    }
    if (status == CRD_OK && t->features == 0)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%.250s: line %lld: no column is left for features",
                          t->raw->features.file, (long long)csv->line);
    return status;
}

/* ---- the values ---- */

/* Ids are digits, each once; another cell shows that the column holds values. */
static crd_status keep_digits(table *t, const char *cell, int64_t row, crd_error *error)
{
    int64_t number = -1;
    crd_status status = is_digits(cell) ? crd_name_index_add(t->digits, cell, &number, error) : CRD_OK;
    if (status != CRD_OK || number != row) crd_name_index_free(&t->digits);
    return status;
}

/* Most columns are numbers alone. */
static crd_status read_values(table *t, const crd_csv *csv, float *values, crd_error *error)
{
    crd_status status = CRD_OK;
    for (int64_t c = 0; c < t->features && status == CRD_OK; c++) {
        double number;
        crd_column *column = &t->column[c];
        if (column->kind != CRD_COLUMN_NUMBER || !crd_parse_double(csv->field[t->from[c]], &number) ||
            !crd_to_float(number, &values[c]))
            status = crd_column_read(column, csv, t->from[c], &values[c], error);
    }
    return status;
}

static crd_status add_row(table *t, const crd_csv *csv, crd_error *error)
{
    crd_raw_features *features = &t->raw->features;
    crd_features *matrix = &features->matrix;
    const int64_t columns = t->features, row = matrix->rows;
    if (row == CRD_MAX_NODES)
        return crd_fail(error, CRD_ERROR_FORMAT, "%.250s: line %lld: more than %lld rows", features->file,
                        (long long)csv->line, (long long)CRD_MAX_NODES);
    matrix->columns = columns; /* row * columns fits: that many cells were read */
    crd_status status = CRD_GROW(&matrix->dense, &t->value_capacity, (row + 1) * columns, error);
    if (status == CRD_OK) status = read_values(t, csv, &matrix->dense[row * columns], error);
    if (status == CRD_OK && t->digits != NULL) status = keep_digits(t, csv->field[t->first], row, error);
    if (status == CRD_OK && t->id >= 0) {
        status = CRD_GROW(&features->row_names, &t->name_capacity, row + 1, error);
        if (status == CRD_OK) status = crd_copy_string(&features->row_names[row], csv->field[t->id], error);
    }
    if (status == CRD_OK) matrix->rows++;
    return status;
}

static crd_status take_row(crd_csv *csv, void *state, crd_error *error)
{
    table *t = state;
    crd_status status = CRD_OK;
    if (csv->row == 0) {
        t->columns = csv->count;
        t->first_line = csv->line;
        status = take_options(t, csv, error);
        if (status == CRD_OK && crd_is_header(t->raw, looks_like_header(t, csv))) return take_header(t, csv, error);
    }
    if (status == CRD_OK && csv->count != t->columns)
        return crd_fail(error, CRD_ERROR_FORMAT, "%.250s: line %lld: expected %lld columns as in line %lld, found %lld",
                        crd_source_name(csv->source), (long long)csv->line, (long long)t->columns,
                        (long long)t->first_line, (long long)csv->count);
    if (status == CRD_OK && csv->row == t->header) status = plan_columns(t, csv, error);
    return status == CRD_OK ? add_row(t, csv, error) : status;
}

/* ---- when all rows are there ---- */

static bool all_listed(const crd_ids *ids, const crd_name_index *list)
{
    for (int64_t i = 0; i < crd_ids_distinct(ids); i++) {
        char buffer[CRD_ID_SIZE];
        if (crd_name_index_find(list, crd_ids_distinct_text(ids, i, buffer)) < 0) return false;
    }
    return true;
}

/* Different digits are ids if their header says so, or if the ids of all edges and labels read so far are among them.
 * Edges without ids refer to rows by number: then only the rows' own numbers can be ids, and only under a header. A
 * table of values alone looks the same, above all OGB's. */
static bool are_ids(const table *t)
{
    const crd_raw *raw = t->raw;
    if (t->word & CRD_WORD_ID) return true;
    if (raw->edges.by_id) return all_listed(&raw->edges.ids, t->digits) && all_listed(&raw->labels.ids, t->digits);
    for (int64_t r = 0; r < raw->features.matrix.rows; r++) {
        int64_t number;
        if (!crd_id_number(crd_name_index_name(t->digits, r), &number) || number != r) return false;
    }
    return t->header;
}

/* Moves a first column of ids from the values to the names. */
static crd_status take_digits(table *t, crd_error *error)
{
    crd_features *matrix = &t->raw->features.matrix;
    char ***names = &t->raw->features.row_names;
    crd_status status = CRD_NEW_ZERO(names, matrix->rows, error);
    for (int64_t r = 0; r < matrix->rows && status == CRD_OK; r++)
        status = crd_copy_string(&(*names)[r], crd_name_index_name(t->digits, r), error);
    const int64_t left = --t->features;
    for (int64_t r = 0; r < matrix->rows; r++)
        memmove(matrix->dense + r * left, matrix->dense + r * matrix->columns + 1,
                (size_t)left * sizeof *matrix->dense);
    matrix->columns = left;
    memmove(t->from, t->from + 1, (size_t)left * sizeof *t->from);
    memmove(t->column, t->column + 1, (size_t)left * sizeof *t->column);
    t->column[left] = (crd_column){0}; /* its values have moved */
    if (status != CRD_OK || (t->word & CRD_WORD_ID) != 0) return status;
    return crd_note(&t->raw->notes, error, "%.300s: the first column is read as node ids", t->raw->features.file);
}

/* Only the names of features stay. */
static void pick_names(const table *t)
{
    crd_raw_names *names = &t->raw->columns;
    int64_t next = 0;
    for (int64_t f = 0; f < names->count; f++) {
        if (next < t->features && t->from[next] == f) {
            char *name = names->name[f];
            names->name[f] = NULL;
            names->name[next++] = name;
        } else crd_string_free(&names->name[f]);
    }
    names->count = next;
}

/* Above texts any row looks like a header, so this is said if no word and no option shows it. */
static crd_status note_doubtful_header(const table *t, crd_error *error)
{
    const crd_raw_names *names = &t->raw->columns;
    bool texts = false;
    for (int64_t c = 0; c < t->features; c++) texts = texts || t->column[c].kind == CRD_COLUMN_TEXT;
    if (!texts || t->named || t->word != 0 || t->raw->header == CRD_HEADER_YES) return CRD_OK;
    return crd_note_header(t->raw, t->raw->features.file, names->name[0], names->count > 1 ? names->name[1] : NULL,
                           error);
}

/* A first column of texts may be names or categories. If no word and no option tells, they are names, each once. */
static crd_status check_names(const table *t, crd_error *error)
{
    const crd_raw_features *features = &t->raw->features;
    crd_name_index *index = NULL;
    if (t->id < 0 || t->raw->id_column != NULL || !t->header || (t->word & CRD_WORD_ID) != 0) return CRD_OK;
    crd_status status = crd_name_index_new(&index, error);
    for (int64_t r = 0; r < features->matrix.rows && status == CRD_OK; r++) {
        int64_t number;
        status = crd_name_index_add(index, features->row_names[r], &number, error);
        if (status == CRD_OK && number != r)
            status = crd_fail_about(error, CRD_ERROR_FORMAT, "id-column",
                                    "is needed: %.200s: the first column ('%.60s') has '%.60s' twice, so it does not "
                                    "name nodes; expected the column that does, or none",
                                    features->file, t->raw->columns.name[t->id], features->row_names[r]);
    }
    crd_name_index_free(&index);
    return status;
}

static crd_status finish_table(table *t, crd_error *error)
{
    crd_status status = check_names(t, error);
    if (status == CRD_OK && t->digits != NULL && are_ids(t)) status = take_digits(t, error);
    if (status != CRD_OK || !t->header) return status;
    pick_names(t);
    status = note_doubtful_header(t, error);
    return status == CRD_OK ? crd_encode(t->raw, t->column, error) : status;
}

crd_status crd_read_feature_table(crd_source *source, crd_raw *raw, crd_error *error)
{
    table t = {.raw = raw};
    crd_csv csv = {.source = source};
    crd_features *matrix = &raw->features.matrix;
    crd_status status = crd_copy_string(&raw->features.file, crd_source_name(source), error);
    if (status == CRD_OK) status = crd_csv_each(&csv, take_row, &t, error);
    if (status == CRD_OK && matrix->rows == 0)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%.250s: expected rows of numbers, found %s",
                          crd_source_name(source), csv.columns == 0 ? "an empty file" : "a header alone");
    if (status == CRD_OK) status = finish_table(&t, error);
    crd_name_index_free(&t.digits);
    crd_columns_free(&t.column, t.columns);
    crd_free(t.from);
    crd_free(t.use);
    if (!matrix->sparse) CRD_SHRINK(&matrix->dense, matrix->rows * matrix->columns);
    CRD_SHRINK(&raw->features.row_names, matrix->rows);
    return status;
}
