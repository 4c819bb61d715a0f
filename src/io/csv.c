/* Rows of CSV and TSV. A row is cut up where it lies, in the source's line; only a quoted field that runs
 * over a line's end makes a copy. */
#include "io/text_formats.h"

#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"

struct crd_csv {
    crd_source *source;
    char separator; /* ' ': any run of blanks; '\n': a row is one field; '\0': before the first row */
    bool join_words;
    bool drop_first; /* the first field of every row is left out */
    int64_t columns;     /* of the first row; 0 before it */
    int64_t blank_lines; /* passed over */
    int64_t comments;    /* passed over after the first row */
    int64_t line;   /* where the row last returned begins */
    char *joined;   /* a row that spans several lines */
    int64_t joined_capacity;
    int64_t *offset; /* where each field begins: the text may still move while it is being cut up */
    int64_t offset_capacity;
    char **field;
    int64_t field_capacity;
};

/* A row while it is being cut up: fields are written, terminated, over the text that was read already. */
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

/* A tab is hardly ever part of a field, so one is enough; between comma and semicolon the more frequent
 * one decides. Quoted parts do not count. A first line without any of them, such as the header of a single
 * column, says that rows have one field: "Neural Networks" below it is one name. */
static char find_separator(const char *line)
{
    int64_t commas = 0, semicolons = 0;
    bool tab = false, blank = false, quoted = false;
    size_t length = strlen(line);
    while (length > 0 && crd_is_blank(line[length - 1])) length--;
    const char *first = line + strspn(line, " "); /* a tab before the first word ends an empty field */
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
    if (commas > 0 || quoted) return ','; /* a field that runs on into the next line is CSV proper */
    return blank ? ' ' : '\n';
}

static const char *separator_name(char separator)
{
    switch (separator) {
    case '\t': return "a tab";
    case ' ': return "a blank";
    case '\n': return "the line's end";
    case ';': return "';'";
    default: return "','";
    }
}

/* Puts a line's end and the next line behind what was written so far. */
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

/* Blanks around a field are not part of it; a tab that separates is no blank. */
static void skip_blanks(const crd_csv *csv, cutting *row)
{
    while (row->text[row->read] == ' ' || (row->text[row->read] == '\t' && csv->separator != '\t'))
        row->read++;
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
                                separator_name(csv->separator), (long long)row->count,
                                row->text + row->read);
        } else {
            cut_plain(csv, row);
        }
        char end = row->text[row->read]; /* looked at before the terminator may overwrite it */
        row->text[row->write++] = '\0';
        if (end == '\0') return CRD_OK;
        row->read++;
    }
}

/* How many fields a line has, as far as this can be seen without cutting it up; 0 if a quoted one does not
 * end in it. */
static int64_t count_fields(const crd_csv *csv, const char *line)
{
    bool quoted = false, between = true; /* between two fields, where a quote begins one */
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

/* "#ml" may be a name. So once it is known what rows look like, a comment has to look like one: by a blank
 * after its sign, or by not being such a row. */
static bool is_comment(const crd_csv *csv, const char *line)
{
    const char *first = crd_skip_blanks(line);
    if (*first != '#' && *first != '%') return false;
    if (csv->columns == 0 || first[1] == '\0' || first[1] == ' ') return true;
    return count_fields(csv, line) != csv->columns;
}

/* The next line that is a row or begins one; NULL at the end. */
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
