/* SPDX-License-Identifier: MIT */
/* Node features from single files: .npy, Matrix Market, LIBSVM, CSV. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "graph/raw.h"

enum { LOOK_AHEAD = 4096 };

static bool is_svm_name(const char *path)
{
    static const char *const endings[] = {".svm", ".libsvm", ".svmlight", ".svm.gz", ".libsvm.gz", ".svmlight.gz"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (crd_ends_with(path, endings[i])) return true;
    return false;
}

crd_status crd_check_columns(const char *file, int64_t columns, int64_t rows, int64_t entries, crd_error *error)
{
    if (columns <= 1000000 || (columns - 1000001) / 1000 < rows + entries) return CRD_OK;
    return crd_fail(error, CRD_ERROR_FORMAT,
                    "%s: has %lld columns of features, which is out of all proportion to its %lld rows and "
                    "%lld entries",
                    file, (long long)columns, (long long)rows, (long long)entries);
}

static crd_status read_triplets(crd_source *source, bool mtx, crd_raw_features *features, crd_error *error)
{
    crd_triplets triplets = {0};
    crd_features *matrix = &features->matrix;
    crd_status status = crd_copy_string(&features->file, crd_source_name(source), error);
    if (status == CRD_OK)
        status = mtx ? crd_mtx_read(source, &triplets, error) : crd_svm_read(source, &triplets, error);
    if (status == CRD_OK)
        status = crd_check_columns(features->file, triplets.columns, triplets.rows, triplets.count, error);
    if (status == CRD_OK)
        status = crd_features_new_sparse(triplets.rows, triplets.columns, triplets.count, matrix, error);
    if (status == CRD_OK)
        status = crd_gather_rows(triplets.rows, triplets.count, triplets.row, triplets.column, triplets.value,
                                 matrix->start, matrix->column, matrix->value, error);
    for (int64_t i = 0; i < triplets.count && status == CRD_OK && triplets.value == NULL; i++) matrix->value[i] = 1.0f;
    features->rows_declared = mtx;
    features->target = triplets.target;
    triplets.target = NULL;
    crd_triplets_free(&triplets);
    return status;
}

/* ---- a table of numbers ---- */

/* With or without a header, with or without a first column of ids. Digits alone may be ids as well as values: such a
 * column is read as values, and its ids are kept too until the last row, when all is known. */
typedef struct table {
    crd_raw *raw;
    int64_t columns;    /* in every row */
    int64_t first_line; /* the row that decided `columns` */
    bool header;        /* the first row is one; its first two words: */
    unsigned word, second;
    bool unnamed;           /* the first of them is empty */
    bool names;             /* the first column holds names */
    crd_name_index *digits; /* the first column while it may be ids; NULL: it is not */
    int64_t value_capacity, name_capacity;
} table;

static bool is_digits(const char *text)
{
    return *text != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/* The first row is a header if it begins with a word for names, or if none of its other cells is a number. If some
 * are numbers and one is not, it is a typing error, which we report. */
static bool looks_like_header(const crd_csv *csv)
{
    if (crd_header_word(csv->field[0]) & CRD_WORD_NODE) return true;
    if (csv->count == 1) return !crd_is_number(csv->field[0]);
    for (int64_t f = 1; f < csv->count; f++)
        if (crd_is_number(csv->field[f]) || crd_is_missing(csv->field[f])) return false;
    return true;
}

/* Names of columns that turn out to be no features are dropped later. */
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

/* The last names are those of the features: ids and indices come before them. */
static void drop_first_names(crd_raw_names *names, int64_t columns)
{
    const int64_t more = names->count - columns;
    if (names->name == NULL || more <= 0) return;
    for (int64_t i = 0; i < more; i++) crd_string_free(&names->name[i]);
    memmove(names->name, names->name + more, (size_t)columns * sizeof *names->name);
    names->count = columns;
}

/* Decides about the first column when the first row of values is there. A nameless column of numbers in front of a
 * column of ids is an index and left out: pandas writes one by default. */
static crd_status plan_columns(table *t, crd_csv *csv, crd_error *error)
{
    crd_status status = CRD_OK;
    if (t->unnamed && (t->second & CRD_WORD_ID) != 0 && is_digits(csv->field[0])) {
        crd_csv_drop_first(csv);
        t->columns--;
        t->word = t->second;
        t->unnamed = false;
        status = crd_note_index(t->raw, t->raw->features.file, error);
    }
    const char *cell = csv->field[0];
    bool value = crd_is_number(cell) || crd_is_missing(cell);
    if (csv->count == 1 || status != CRD_OK) return status;
    t->names = (t->header && (t->word & CRD_WORD_NODE) != 0) || !value;
    t->raw->features.unnamed_ids = t->unnamed;
    return t->names || (t->word & CRD_WORD_VALUE) != 0 ? CRD_OK : crd_name_index_new(&t->digits, error);
}

static crd_status read_cell(const crd_csv *csv, int64_t column, float *value, crd_error *error)
{
    const char *text = csv->field[column];
    double number;
    bool is_any_number = crd_parse_double(text, &number);
    if (is_any_number && crd_to_float(number, value)) return CRD_OK;
    const char *problem = "expected a number";
    if (crd_is_missing(text)) problem = "a value is missing";
    else if (is_any_number) problem = "expected a finite number within the range of a float";
    const char *hint = column == 0 ? " (a first column of names needs the header \"node\")" : "";
    return crd_fail(error, CRD_ERROR_FORMAT, "%.250s: line %lld, column %lld: %s, found '%.40s'%s",
                    crd_source_name(csv->source), (long long)csv->line, (long long)column + 1, problem, text, hint);
}

/* Ids are digits, each once; another cell shows that the column holds values. */
static crd_status keep_digits(table *t, const char *cell, int64_t row, crd_error *error)
{
    int64_t number = -1;
    crd_status status = is_digits(cell) ? crd_name_index_add(t->digits, cell, &number, error) : CRD_OK;
    if (status != CRD_OK || number != row) crd_name_index_free(&t->digits);
    return status;
}

static crd_status add_row(table *t, const crd_csv *csv, crd_error *error)
{
    crd_raw_features *features = &t->raw->features;
    crd_features *matrix = &features->matrix;
    const int64_t first = t->names, columns = t->columns - first, row = matrix->rows;
    if (row == CRD_MAX_NODES)
        return crd_fail(error, CRD_ERROR_FORMAT, "%.250s: line %lld: more than %lld rows", features->file,
                        (long long)csv->line, (long long)CRD_MAX_NODES);
    matrix->columns = columns; /* row * columns fits: that many cells were read */
    crd_status status = CRD_GROW(&matrix->dense, &t->value_capacity, (row + 1) * columns, error);
    for (int64_t c = 0; c < columns && status == CRD_OK; c++)
        status = read_cell(csv, first + c, &matrix->dense[row * columns + c], error);
    if (status == CRD_OK && t->digits != NULL) status = keep_digits(t, csv->field[0], row, error);
    if (status == CRD_OK && t->names) {
        status = CRD_GROW(&features->row_names, &t->name_capacity, row + 1, error);
        if (status == CRD_OK) status = crd_copy_string(&features->row_names[row], csv->field[0], error);
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
        if (crd_is_header(t->raw, looks_like_header(csv))) {
            return take_header(t, csv, error);
        }
    }
    if (csv->count != t->columns)
        return crd_fail(error, CRD_ERROR_FORMAT, "%.250s: line %lld: expected %lld columns as in line %lld, found %lld",
                        crd_source_name(csv->source), (long long)csv->line, (long long)t->columns,
                        (long long)t->first_line, (long long)csv->count);
    if (csv->row == t->header) status = plan_columns(t, csv, error);
    return status == CRD_OK ? add_row(t, csv, error) : status;
}

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
    matrix->columns--;
    for (int64_t r = 0; r < matrix->rows; r++)
        memmove(matrix->dense + r * matrix->columns, matrix->dense + r * t->columns + 1,
                (size_t)matrix->columns * sizeof *matrix->dense);
    if (status != CRD_OK || (t->word & CRD_WORD_ID) != 0) return status;
    return crd_note(&t->raw->notes, error, "%.300s: the first column is read as node ids", t->raw->features.file);
}

static crd_status read_table(crd_source *source, crd_raw *raw, crd_error *error)
{
    table t = {.raw = raw};
    crd_csv csv = {.source = source};
    crd_features *matrix = &raw->features.matrix;
    crd_status status = crd_copy_string(&raw->features.file, crd_source_name(source), error);
    if (status == CRD_OK) status = crd_csv_each(&csv, take_row, &t, error);
    if (status == CRD_OK && matrix->rows == 0)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%.250s: expected rows of numbers, found %s",
                          crd_source_name(source), csv.columns == 0 ? "an empty file" : "a header alone");
    if (status == CRD_OK && t.digits != NULL && are_ids(&t)) status = take_digits(&t, error);
    crd_name_index_free(&t.digits);
    drop_first_names(&raw->columns, matrix->columns);
    CRD_SHRINK(&matrix->dense, matrix->rows * matrix->columns);
    CRD_SHRINK(&raw->features.row_names, matrix->rows);
    return status;
}

crd_status crd_read_features(crd_source *source, crd_raw *raw, crd_error *error)
{
    const uint8_t *bytes;
    size_t got;
    crd_status status = crd_source_peek(source, LOOK_AHEAD, &bytes, &got, error);
    if (status != CRD_OK) return status;
    const bool mtx = crd_is_mtx(bytes, got), svm = crd_is_svm(bytes, got) || is_svm_name(crd_source_name(source));
    return mtx || svm ? read_triplets(source, mtx, &raw->features, error) : read_table(source, raw, error);
}

/* ---- LIBSVM's leading column ---- */

/* Two classes are often written -1 and +1; elsewhere, -1 means "unknown". */
static bool are_signs(const float *target, int64_t rows)
{
    int64_t plus = 0;
    for (int64_t i = 0; i < rows; i++) {
        if (target[i] != 1.0f && target[i] != -1.0f) return false;
        plus += target[i] > 0;
    }
    return plus > 0 && plus < rows;
}

/* Without a file of labels, the leading column is the labels. */
crd_status crd_take_targets(crd_raw *raw, crd_error *error)
{
    static const char *const sign_names[2] = {"-1", "+1"};
    const float *target = raw->features.target;
    const int64_t rows = raw->features.matrix.rows;
    int64_t *number;
    if (raw->labels.file != NULL || target == NULL) return CRD_OK;
    bool signs = raw->classes.name == NULL && are_signs(target, rows);
    crd_status status = CRD_NEW(&number, rows, error);
    if (status != CRD_OK) return status;
    status = crd_copy_string(&raw->labels.file, raw->features.file, error);
    if (status == CRD_OK && signs) status = crd_raw_copy_names(&raw->classes, raw->features.file, sign_names, 2, error);
    if (status == CRD_OK)
        status =
            crd_note(&raw->notes, error, "there is no file of labels: the classes are the first column of %.300s%s",
                     raw->features.file, signs ? ", -1 and +1" : "");
    for (int64_t i = 0; i < rows && status == CRD_OK; i++) {
        if (signs) number[i] = target[i] > 0;
        else if (isnan(target[i])) number[i] = CRD_LABEL_MISSING;
        else if (target[i] == floorf(target[i]) && fabsf(target[i]) < 1e9f) number[i] = (int64_t)target[i];
        else
            status = crd_fail(error, CRD_ERROR_FORMAT,
                              "%s: row %lld: the target is %g, expected a class number (or give the labels)",
                              raw->labels.file, (long long)i, (double)target[i]);
    }
    if (status == CRD_OK) status = crd_raw_take_numbers(&raw->labels, number, rows, error);
    crd_free(number);
    return status;
}
