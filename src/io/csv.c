#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "io/text_formats.h"

/* ---- rows ---- */

/* Rows of CSV and TSV. A row is cut up in place, in the source's line; only a quoted field that spans lines makes a
 * copy. */

struct crd_csv {
    crd_source *source;
    char separator; /* ' ': any run of blanks; '\n': a row is one field; '\0': before the first row */
    bool join_words;
    bool drop_first;     /* skip the first field of every row */
    int64_t columns;     /* of the first row; 0 before it */
    int64_t blank_lines; /* skipped */
    int64_t comments;    /* skipped after the first row */
    int64_t line;        /* where the last returned row begins */
    char *joined;        /* a row that spans several lines */
    int64_t joined_capacity;
    int64_t *offset; /* where each field begins: the text may still move during the cutting */
    int64_t offset_capacity;
    char **field;
    int64_t field_capacity;
};

/* A row while it is cut up: terminated fields overwrite the text already read. */
typedef struct {
    char *text;
    size_t read, write;
    int64_t count;
} cutting;

crd_status crd_csv_open(crd_source *source, crd_csv **csv, crd_error *error)
{
    crd_status status = CRD_NEW_ZERO(csv, 1, error);
    if (status == CRD_OK) (*csv)->source = source;
    return status;
}

void crd_csv_free(crd_csv **csv)
{
    if (*csv == NULL) return;
    free((*csv)->joined);
    free((*csv)->offset);
    free((*csv)->field);
    free(*csv);
    *csv = NULL;
}

int64_t crd_csv_line(const crd_csv *csv)
{
    return csv->line;
}

void crd_csv_join_words(crd_csv *csv)
{
    csv->join_words = true;
}

void crd_csv_drop_first(crd_csv *csv)
{
    csv->drop_first = true;
}

bool crd_csv_has_words(const crd_csv *csv)
{
    return csv->separator == ' ';
}

int64_t crd_csv_blank_lines(const crd_csv *csv)
{
    return csv->blank_lines;
}

int64_t crd_csv_comments(const crd_csv *csv)
{
    return csv->comments;
}

/* A tab is hardly ever part of a field, so one is enough; between comma and semicolon the more frequent one wins.
 * Quoted parts do not count. If the first line has none of them, like the header of a single column, rows have one
 * field: "Neural Networks" below it is one name. */
static char find_separator(const char *line)
{
    int64_t commas = 0, semicolons = 0;
    bool tab = false, blank = false, quoted = false;
    size_t length = strlen(line);
    while (length > 0 && crd_is_blank(line[length - 1])) length--;
    const char *first = line + strspn(line, " "); /* a leading tab ends an empty field */
    for (const char *c = first; c < line + length; c++) {
        if (quoted) {
            if (*c == '"' && c[1] == '"') c++;
            else quoted = *c != '"';
            continue;
        }
        quoted = *c == '"' && (c == first || strchr(",;\t ", c[-1]) != NULL);
        commas += *c == ',';
        semicolons += *c == ';';
        tab |= *c == '\t';
        blank |= *c == ' ';
    }
    if (tab) return '\t';
    if (semicolons > commas) return ';';
    if (commas > 0 || quoted) return ','; /* only CSV has fields that span lines */
    return blank ? ' ' : '\n';
}

static const char *separator_name(char separator)
{
    switch (separator) {
    case '\t':
        return "a tab";
    case ' ':
        return "a blank";
    case '\n':
        return "the line's end";
    case ';':
        return "';'";
    default:
        return "','";
    }
}

/* Appends a line end and the next line to what was written so far. */
static crd_status join_next_line(crd_csv *csv, cutting *row, crd_error *error)
{
    bool first = row->text != csv->joined;
    crd_status status = CRD_GROW(&csv->joined, &csv->joined_capacity, row->write + 1, error);
    if (status != CRD_OK) return status;
    if (first) memcpy(csv->joined, row->text, row->write);
    csv->joined[row->write++] = '\n';
    char *line;
    size_t length;
    status = crd_source_line(csv->source, &line, &length, error);
    if (status != CRD_OK) return status;
    if (line == NULL)
        return crd_fail(error, CRD_ERROR_FORMAT, "%.250s: line %lld: a quoted field is never closed",
                        crd_source_name(csv->source), (long long)csv->line);
    status = CRD_GROW(&csv->joined, &csv->joined_capacity, row->write + length + 1, error);
    if (status != CRD_OK) return status;
    memcpy(csv->joined + row->write, line, length + 1);
    row->text = csv->joined;
    row->read = row->write;
    return CRD_OK;
}

static bool is_separator(const crd_csv *csv, char c)
{
    return csv->separator == ' ' ? c == ' ' || c == '\t' : c == csv->separator;
}

/* Blanks around a field are not part of it; a tab that separates fields is not a blank. */
static void skip_blanks(const crd_csv *csv, cutting *row)
{
    while (row->text[row->read] == ' ' || (row->text[row->read] == '\t' && csv->separator != '\t')) row->read++;
}

static crd_status cut_quoted(crd_csv *csv, cutting *row, crd_error *error)
{
    row->read++;
    for (;;) {
        char c = row->text[row->read];
        if (c == '\0') {
            crd_status status = join_next_line(csv, row, error);
            if (status != CRD_OK) return status;
        } else if (c == '"' && row->text[row->read + 1] != '"') {
            row->read++;
            return CRD_OK;
        } else {
            row->read += c == '"' ? 2 : 1;
            row->text[row->write++] = c;
        }
    }
}

static void cut_plain(const crd_csv *csv, cutting *row)
{
    size_t begin = row->write;
    while (row->text[row->read] != '\0' && !is_separator(csv, row->text[row->read]))
        row->text[row->write++] = row->text[row->read++];
    while (row->write > begin && crd_is_blank(row->text[row->write - 1])) row->write--;
}

static crd_status cut_row(crd_csv *csv, cutting *row, crd_error *error)
{
    for (;;) {
        skip_blanks(csv, row);
        if (csv->separator == ' ' && row->text[row->read] == '\0') return CRD_OK;
        crd_status status = CRD_GROW(&csv->offset, &csv->offset_capacity, row->count + 1, error);
        if (status != CRD_OK) return status;
        csv->offset[row->count++] = (int64_t)row->write;
        if (row->text[row->read] == '"') {
            status = cut_quoted(csv, row, error);
            if (status != CRD_OK) return status;
            if (csv->separator != ' ') skip_blanks(csv, row);
            char next = row->text[row->read];
            if (next != '\0' && !is_separator(csv, next))
                return crd_fail(error, CRD_ERROR_FORMAT,
                                "%.250s: line %lld: expected %s after the closing quote of field %lld, "
                                "found '%.20s'",
                                crd_source_name(csv->source), (long long)crd_source_line_number(csv->source),
                                separator_name(csv->separator), (long long)row->count, row->text + row->read);
        } else {
            cut_plain(csv, row);
        }
        char end = row->text[row->read]; /* read before the terminator may overwrite it */
        row->text[row->write++] = '\0';
        if (end == '\0') return CRD_OK;
        row->read++;
    }
}

/* How many fields a line has, counted without cutting it up; 0 if a quoted field does not end in it. */
static int64_t count_fields(const crd_csv *csv, const char *line)
{
    bool quoted = false, between = true; /* between fields, where a quote begins one */
    int64_t separators = 0, words = 0;
    for (const char *c = line; *c != '\0'; c++) {
        if (quoted) {
            quoted = *c != '"';
            continue;
        }
        bool separates = is_separator(csv, *c);
        if (between && !separates && !crd_is_blank(*c)) words++;
        quoted = *c == '"' && between;
        separators += separates;
        between = separates || (between && crd_is_blank(*c));
    }
    if (quoted) return 0;
    return csv->separator == ' ' ? words : separators + 1;
}

/* "#ml" may be a name. So once the first row is known, a comment must have a blank after its sign, or a different
 * number of fields. */
static bool is_comment(const crd_csv *csv, const char *line)
{
    const char *first = crd_skip_blanks(line);
    if (*first != '#' && *first != '%') return false;
    if (csv->columns == 0 || first[1] == '\0' || first[1] == ' ') return true;
    return count_fields(csv, line) != csv->columns;
}

/* The next line that is, or begins, a row; NULL at the end. */
static crd_status next_row_line(crd_csv *csv, char **line, crd_error *error)
{
    for (;;) {
        size_t length;
        crd_status status = crd_source_line(csv->source, line, &length, error);
        if (status != CRD_OK || *line == NULL) return status;
        bool first_line = csv->line == 0;
        csv->line = crd_source_line_number(csv->source);
        if (first_line && strncmp(*line, "\xef\xbb\xbf", 3) == 0) *line += 3; /* a byte order mark */
        if (*crd_skip_blanks(*line) == '\0') csv->blank_lines++;
        else if (!is_comment(csv, *line)) return CRD_OK;
        else csv->comments += csv->columns > 0;
    }
}

crd_status crd_csv_row(crd_csv *csv, char ***fields, int64_t *count, crd_error *error)
{
    *fields = NULL;
    *count = 0;
    char *line;
    crd_status status = next_row_line(csv, &line, error);
    if (status != CRD_OK || line == NULL) return status;
    if (csv->separator == '\0') csv->separator = find_separator(line);
    if (csv->separator == ' ' && csv->join_words) csv->separator = '\n';
    cutting row = {.text = line};
    status = cut_row(csv, &row, error);
    if (status == CRD_OK) status = CRD_GROW(&csv->field, &csv->field_capacity, row.count, error);
    if (status != CRD_OK) return status;
    for (int64_t f = 0; f < row.count; f++) csv->field[f] = row.text + csv->offset[f];
    if (csv->columns == 0) csv->columns = row.count;
    int64_t dropped = csv->drop_first && row.count > 1;
    *fields = csv->field + dropped;
    *count = row.count - dropped;
    return CRD_OK;
}

/* ---- a matrix ---- */

/* A matrix of floats from CSV: with or without a header, with or without a column of names. */

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
    int64_t fields;     /* in every row; 0 before the first */
    int64_t first_line; /* the row that decided `fields` */
    bool names;         /* whether the first field is a name */
    bool decided;       /* whether `names` is known */
    bool no_names;      /* the header says that the first field is a value */
    bool perhaps_index; /* the first header cell is empty, the second a word for ids: */
    bool second_is_node, second_is_thing;
    int64_t value_capacity;
    int64_t name_capacity;
} reading;

static bool is_number(const char *text)
{
    double number;
    return crd_parse_double(text, &number);
}

/* Only digits, as in ids. A column of zeros and ones soon repeats a value and is then known not to be ids. */
static bool may_be_id(const crd_text_matrix *matrix, const char *text)
{
    if (*text == '\0' || text[strspn(text, "0123456789")] != '\0') return false;
    return matrix->rows == 0 || strcmp(text, matrix->row_names[matrix->rows - 1]) != 0;
}

/* The first row is a header if it begins with a word for names, or if none of its other cells is a number. If some
 * are numbers and one is not, it is a typing error, which we report. */
static bool is_header(char **fields, int64_t count)
{
    if (crd_is_node_header(fields[0])) return true;
    if (count == 1) return !is_number(fields[0]);
    for (int64_t f = 1; f < count; f++)
        if (is_number(fields[f]) || crd_is_missing(fields[f])) return false;
    return true;
}

static crd_status read_cell(const reading *r, const char *text, int64_t column, float *value, crd_error *error)
{
    double number;
    bool is_any_number = crd_parse_double(text, &number);
    if (is_any_number && crd_to_float(number, value)) return CRD_OK;
    const char *problem = "expected a number";
    if (crd_is_missing(text)) problem = "a value is missing";
    else if (is_any_number) problem = "expected a finite number within the range of a float";
    const char *hint = column == 0 ? " (a first column of names needs the header \"node\")" : "";
    return crd_fail(error, CRD_ERROR_FORMAT, "%.250s: line %lld, column %lld: %s, found '%.40s'%s",
                    crd_source_name(r->source), (long long)crd_csv_line(r->csv), (long long)column + 1, problem, text,
                    hint);
}

static crd_status add_row(reading *r, char **fields, crd_error *error)
{
    crd_text_matrix *matrix = r->matrix;
    int64_t first = r->names ? 1 : 0;
    if (matrix->rows == INT32_MAX)
        return crd_fail(error, CRD_ERROR_FORMAT, "%.250s: line %lld: more than %lld rows", crd_source_name(r->source),
                        (long long)crd_csv_line(r->csv), (long long)INT32_MAX);
    int64_t begin = matrix->rows * matrix->columns; /* fits: that many cells were read */
    crd_status status = CRD_GROW(&matrix->values, &r->value_capacity, begin + matrix->columns, error);
    for (int64_t f = first; status == CRD_OK && f < r->fields; f++)
        status = read_cell(r, fields[f], f, &matrix->values[begin + f - first], error);
    if (status == CRD_OK && matrix->undecided && !may_be_id(matrix, fields[0])) crd_text_matrix_decide(matrix, false);
    if (status == CRD_OK && (r->names || matrix->undecided)) {
        status = CRD_GROW(&matrix->row_names, &r->name_capacity, matrix->rows + 1, error);
        if (status == CRD_OK) status = crd_copy_string(&matrix->row_names[matrix->rows], fields[0], error);
    }
    if (status == CRD_OK) matrix->rows++;
    return status;
}

/* Drops a nameless column of numbers in front of a column of ids: pandas writes one by default. */
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
        return crd_fail(error, CRD_ERROR_FORMAT, "%.250s: line %lld: expected %lld columns as in line %lld, found %lld",
                        name, line, (long long)r->fields, (long long)r->first_line, (long long)count);
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
