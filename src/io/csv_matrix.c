/* A matrix of floats from CSV: with or without a header, with or without a column of names. */
#include "io/text_formats.h"

#include <stdlib.h>
#include <string.h>

#include "io/header_words.h"
#include "base/numbers.h"

static void free_names(crd_text_matrix *matrix)
{
    if (matrix->row_names != NULL)
        for (int64_t r = 0; r < matrix->rows; r++) free(matrix->row_names[r]);
    free(matrix->row_names);
    matrix->row_names = NULL;
}

void crd_text_matrix_free(crd_text_matrix *matrix)
{
    free_names(matrix);
    free(matrix->values);
    *matrix = (crd_text_matrix){0};
}

void crd_text_matrix_decide(crd_text_matrix *matrix, bool names)
{
    if (!matrix->undecided) return;
    matrix->undecided = false;
    if (!names) {
        free_names(matrix);
        return;
    }
    int64_t before = matrix->columns--;
    for (int64_t r = 0; r < matrix->rows; r++)
        memmove(matrix->values + r * matrix->columns, matrix->values + r * before + 1,
                (size_t)matrix->columns * sizeof *matrix->values);
    CRD_SHRINK(&matrix->values, matrix->rows * matrix->columns);
}

typedef struct {
    crd_source *source;
    crd_csv *csv;
    crd_text_matrix *matrix;
    int64_t fields;         /* of every row; 0 before the first */
    int64_t first_line;     /* the row that decided it */
    bool names;             /* whether the first field is one */
    bool decided;           /* whether `names` is known */
    bool no_names;          /* the header says that the first field is a value */
    bool perhaps_index;     /* the header is empty first, then a word for ids: */
    bool second_is_node, second_is_thing;
    int64_t value_capacity;
    int64_t name_capacity;
} reading;

static bool is_number(const char *text)
{
    double number;
    return crd_parse_double(text, &number);
}

/* Digits alone, as ids are written. A column of zeros and ones soon shows itself by repeating one. */
static bool may_be_id(const crd_text_matrix *matrix, const char *text)
{
    if (*text == '\0' || text[strspn(text, "0123456789")] != '\0') return false;
    return matrix->rows == 0 || strcmp(text, matrix->row_names[matrix->rows - 1]) != 0;
}

/* The first row is a header if it begins with a word for names, or if no other cell of it is a number: a
 * row where some are and one is not has a typing error that the reader should hear about. */
static bool is_header(char **fields, int64_t count)
{
    if (crd_is_node_header(fields[0])) return true;
    if (count == 1) return !is_number(fields[0]);
    for (int64_t f = 1; f < count; f++)
        if (is_number(fields[f]) || crd_is_missing(fields[f])) return false;
    return true;
}

static crd_status read_cell(const reading *r, const char *text, int64_t column, float *value,
                            crd_error *error)
{
    double number;
    bool is_any_number = crd_parse_double(text, &number);
    if (is_any_number && crd_to_float(number, value)) return CRD_OK;
    const char *problem = "expected a number";
    if (crd_is_missing(text)) problem = "a value is missing";
    else if (is_any_number) problem = "expected a finite number within the range of a float";
    const char *hint = column == 0 ? " (a first column of names needs the header \"node\")" : "";
    return crd_fail(error, CRD_ERROR_FORMAT, "%.250s: line %lld, column %lld: %s, found '%.40s'%s",
                    crd_source_name(r->source), (long long)crd_csv_line(r->csv), (long long)column + 1,
                    problem, text, hint);
}

static crd_status add_row(reading *r, char **fields, crd_error *error)
{
    crd_text_matrix *matrix = r->matrix;
    int64_t first = r->names ? 1 : 0;
    if (matrix->rows == INT32_MAX)
        return crd_fail(error, CRD_ERROR_FORMAT, "%.250s: line %lld: more than %lld rows",
                        crd_source_name(r->source), (long long)crd_csv_line(r->csv), (long long)INT32_MAX);
    int64_t begin = matrix->rows * matrix->columns; /* fits: as many cells were read */
    crd_status status = CRD_GROW(&matrix->values, &r->value_capacity, begin + matrix->columns, error);
    for (int64_t f = first; status == CRD_OK && f < r->fields; f++)
        status = read_cell(r, fields[f], f, &matrix->values[begin + f - first], error);
    if (status == CRD_OK && matrix->undecided && !may_be_id(matrix, fields[0]))
        crd_text_matrix_decide(matrix, false);
    if (status == CRD_OK && (r->names || matrix->undecided)) {
        status = CRD_GROW(&matrix->row_names, &r->name_capacity, matrix->rows + 1, error);
        if (status == CRD_OK) status = crd_copy_string(&matrix->row_names[matrix->rows], fields[0], error);
    }
    if (status == CRD_OK) matrix->rows++;
    return status;
}

/* Numbers in a column without a name, before one with a word for ids: what pandas writes unless told not to. */
static void leave_out_index(reading *r)
{
    crd_csv_drop_first(r->csv);
    r->fields--;
    r->names = r->decided = r->second_is_node;
    r->matrix->names_by_header = r->second_is_thing;
    r->matrix->unnamed_ids = false;
    r->matrix->index_left_out = true;
}

static crd_status take_row(reading *r, char **fields, int64_t count, crd_error *error)
{
    const char *name = crd_source_name(r->source);
    long long line = (long long)crd_csv_line(r->csv);
    if (r->fields == 0) {
        r->fields = count;
        r->first_line = line;
        if (is_header(fields, count)) {
            r->names = count > 1 && crd_is_node_header(fields[0]);
            r->decided = r->names;
            r->no_names = crd_is_feature_header(fields[0]);
            r->matrix->header = true;
            r->matrix->names_by_header = crd_is_thing_header(fields[0]);
            r->matrix->unnamed_ids = fields[0][0] == '\0';
            if (fields[0][0] == '\0' && count > 2 && fields[1][0] != '\0') {
                r->second_is_node = crd_is_node_header(fields[1]);
                r->second_is_thing = crd_is_thing_header(fields[1]);
                r->perhaps_index = r->second_is_thing;
            }
            return CRD_OK;
        }
    }
    if (r->perhaps_index) {
        r->perhaps_index = false;
        if (fields[0][0] != '\0' && fields[0][strspn(fields[0], "0123456789")] == '\0') {
            leave_out_index(r);
            fields++;
            count--;
        }
    }
    if (count != r->fields)
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%.250s: line %lld: expected %lld columns as in line %lld, found %lld", name, line,
                        (long long)r->fields, (long long)r->first_line, (long long)count);
    if (!r->decided) {
        r->names = count > 1 && !is_number(fields[0]) && !crd_is_missing(fields[0]);
        r->decided = true;
        r->matrix->undecided = count > 1 && !r->names && !r->no_names;
    }
    r->matrix->columns = r->fields - (r->names ? 1 : 0);
    return add_row(r, fields, error);
}

crd_status crd_csv_read_matrix(crd_source *source, crd_text_matrix *matrix, crd_error *error)
{
    *matrix = (crd_text_matrix){0};
    reading r = {.source = source, .matrix = matrix};
    crd_status status = crd_csv_open(source, &r.csv, error);
    char **fields = NULL;
    do {
        int64_t count = 0;
        fields = NULL;
        if (status == CRD_OK) status = crd_csv_row(r.csv, &fields, &count, error);
        if (status == CRD_OK && fields != NULL) status = take_row(&r, fields, count, error);
    } while (status == CRD_OK && fields != NULL);
    if (status == CRD_OK && matrix->rows == 0)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%.250s: expected rows of numbers, found %s",
                          crd_source_name(source), r.fields == 0 ? "an empty file" : "a header alone");
    crd_csv_free(&r.csv);
    if (status != CRD_OK) {
        crd_text_matrix_free(matrix);
        return status;
    }
    CRD_SHRINK(&matrix->values, matrix->rows * matrix->columns);
    CRD_SHRINK(&matrix->row_names, matrix->rows);
    return CRD_OK;
}
