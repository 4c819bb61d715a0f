/* SPDX-License-Identifier: MIT */
/* Rows of CSV and TSV. A row is cut up in place, in the source's line; only a quoted field that spans lines makes a
 * copy. */
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "io/text_formats.h"

/* A row while it is cut up: terminated fields overwrite the text already read. */
typedef struct {
    char *text;
    size_t read, write;
    int64_t count;
} cutting;

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
                                "%.250s: line %lld: expected field %lld to end at its closing quote, found '%.20s'",
                                crd_source_name(csv->source), (long long)crd_source_line_number(csv->source),
                                (long long)row->count, row->text + row->read);
        } else {
            cut_plain(csv, row);
        }
        char end = row->text[row->read]; /* read before the terminator may overwrite it */
        row->text[row->write++] = '\0';
        if (end == '\0') return CRD_OK;
        row->read++;
    }
}

/* Whether a line is a comment for sure. "#ml" may be a name: so once the first row is known, a comment must have a
 * blank after its sign, a quote that its line does not close, or, when it is cut up, a different number of fields. */
static bool is_comment(const crd_csv *csv, const char *line, bool *perhaps)
{
    const char *first = crd_skip_blanks(line);
    *perhaps = *first == '#' || *first == '%';
    int64_t quotes = 0;
    for (const char *c = first; *c != '\0' && *perhaps; c++) quotes += *c == '"';
    return *perhaps && (csv->columns == 0 || first[1] == '\0' || first[1] == ' ' || quotes % 2 == 1);
}

/* The next row, whose fields are where csv->offset says; its text is NULL at the end. */
static crd_status cut_next(crd_csv *csv, cutting *row, crd_error *error)
{
    for (;;) {
        size_t length;
        bool perhaps;
        *row = (cutting){0};
        crd_status status = crd_source_line(csv->source, &row->text, &length, error);
        if (status != CRD_OK || row->text == NULL) return status;
        csv->line = crd_source_line_number(csv->source);
        if (*crd_skip_blanks(row->text) == '\0') {
            csv->blank_lines++;
            continue;
        }
        if (!is_comment(csv, row->text, &perhaps)) {
            if (csv->separator == '\0') csv->separator = find_separator(row->text);
            if (csv->separator == ' ' && csv->join_words) csv->separator = '\n';
            status = cut_row(csv, row, error);
            if (status != CRD_OK || !perhaps || row->count == csv->columns) return status;
        }
        csv->comments += csv->columns > 0;
    }
}

/* The next row; `field` is NULL at the end. */
static crd_status next_row(crd_csv *csv, crd_error *error)
{
    cutting row;
    csv->field = NULL;
    crd_status status = cut_next(csv, &row, error);
    if (status != CRD_OK || row.text == NULL) return status;
    status = CRD_GROW(&csv->place, &csv->place_capacity, row.count, error);
    if (status != CRD_OK) return status;
    for (int64_t f = 0; f < row.count; f++) csv->place[f] = row.text + csv->offset[f];
    csv->row = csv->columns == 0 ? 0 : csv->row + 1;
    if (csv->columns == 0) csv->columns = row.count;
    csv->field = csv->place;
    csv->count = row.count;
    if (csv->first_dropped && csv->count > 1) crd_csv_drop_first(csv);
    return CRD_OK;
}

void crd_csv_drop_first(crd_csv *csv)
{
    csv->first_dropped = true;
    csv->field++;
    csv->count--;
}

crd_status crd_csv_each(crd_csv *csv, crd_csv_taker take, void *state, crd_error *error)
{
    crd_status status;
    do {
        status = next_row(csv, error);
        if (status == CRD_OK && csv->field != NULL) status = take(csv, state, error);
    } while (status == CRD_OK && csv->field != NULL && !csv->stop);
    crd_free(csv->joined);
    crd_free(csv->offset);
    crd_free(csv->place);
    csv->joined = NULL;
    csv->offset = NULL;
    csv->field = csv->place = NULL;
    return status;
}
