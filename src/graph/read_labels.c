/* Labels and names from single files. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/array_parts.h"
#include "graph/parts.h"
#include "io/numbers.h"

bool crd_label_number(const char *text, int64_t *number)
{
    double value;
    if (crd_parse_int64(text, number)) return true;
    if (!crd_parse_double(text, &value) || value != floor(value) || fabs(value) > 1e15) return false;
    *number = (int64_t)value;
    return true;
}

/* The first row waits here until all others are known: it is a header if it alone is not made of numbers. */
typedef struct first_row {
    char *id, *label;
    int64_t line;
} first_row;

static bool is_any_word(const char *text, const char *const *words)
{
    for (; *words != NULL; words++)
        if (crd_is_word(text, *words)) return true;
    return false;
}

static bool is_header(const char *id, const char *label)
{
    static const char *const id_words[] = {"node", "id", "name", "node_id", "nodes", "node id", NULL};
    static const char *const label_words[] = {"label", "class", "y", "labels", "target", "category", NULL};
    return (id == NULL || is_any_word(id, id_words)) && is_any_word(label, label_words);
}

static crd_status add_label(crd_label_part *labels, const char *text, int64_t line, crd_error *error)
{
    int64_t number = 0;
    crd_status status = crd_name_index_add(labels->texts, text, &number, error);
    if (status == CRD_OK) status = CRD_GROW(&labels->text, &labels->text_capacity, labels->count + 1, error);
    if (status == CRD_OK) status = crd_lines_add(&labels->lines, line, error);
    if (status != CRD_OK) return status;
    if (labels->count >= INT32_MAX)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: line %lld: too many labels", labels->file,
                        (long long)line);
    labels->text[labels->count++] = (int32_t)number;
    return CRD_OK;
}

static bool others_are_numbers(const crd_label_part *labels)
{
    for (int64_t i = 0; i < crd_name_index_count(labels->texts); i++) {
        const char *text = crd_name_index_name(labels->texts, i);
        int64_t number;
        if (!crd_label_number(text, &number) && !crd_is_missing(text)) return false;
    }
    return true;
}

/* Decides whether the row that waited is a header, and puts it in front of the others if it is not. */
static crd_status settle_first(crd_label_part *labels, const first_row *first, crd_error *error)
{
    if (first->label == NULL) return CRD_OK;
    int64_t number;
    bool id_stands_out = labels->by_id && labels->ids.names == NULL && !crd_id_number(first->id, &number);
    bool label_stands_out = !crd_label_number(first->label, &number) && !crd_is_missing(first->label)
                            && others_are_numbers(labels);
    if (labels->count > 0 && (id_stands_out || label_stands_out)) return CRD_OK;
    const char *id = first->id;
    crd_status status = labels->by_id ? crd_ids_prepend(&labels->ids, &id, 1, error) : CRD_OK;
    if (status == CRD_OK) status = add_label(labels, first->label, first->line, error);
    if (status != CRD_OK) return status;
    size_t others = (size_t)labels->count - 1;
    int32_t text = labels->text[others];
    uint32_t line = labels->lines.line[others];
    memmove(labels->text + 1, labels->text, others * sizeof *labels->text);
    memmove(labels->lines.line + 1, labels->lines.line, others * sizeof *labels->lines.line);
    labels->text[0] = text;
    labels->lines.line[0] = line;
    return CRD_OK;
}

static crd_status keep_first(first_row *first, const char *id, const char *label, int64_t line,
                             crd_error *error)
{
    first->line = line;
    crd_status status = id == NULL ? CRD_OK : crd_copy_string(&first->id, id, error);
    return status == CRD_OK ? crd_copy_string(&first->label, label, error) : status;
}

static crd_status take_row(crd_label_part *labels, first_row *first, char **fields, int64_t count,
                           int64_t line, bool is_first, crd_error *error)
{
    if (is_first) labels->by_id = count == 2;
    const char *expected = labels->by_id ? "a node and its label" : "one label";
    if (is_first) expected = "a label, or a node and its label";
    if (count != (labels->by_id ? 2 : 1))
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: line %lld: expected %s, found %lld columns",
                        labels->file, (long long)line, expected, (long long)count);
    char *id = labels->by_id ? crd_trim(fields[0]) : NULL;
    char *label = crd_trim(fields[count - 1]);
    int64_t number;
    if (id != NULL && id[0] == '\0')
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: line %lld: expected a node, found an empty field",
                        labels->file, (long long)line);
    if (is_first && is_header(id, label)) return CRD_OK;
    if (is_first && !((id == NULL || crd_id_number(id, &number)) && crd_label_number(label, &number)))
        return keep_first(first, id, label, line, error);
    crd_status status = id == NULL ? CRD_OK : crd_ids_add(&labels->ids, id, error);
    return status == CRD_OK ? add_label(labels, label, line, error) : status;
}

static crd_status read_text(crd_source *source, crd_label_part *labels, crd_error *error)
{
    first_row first = {0};
    crd_csv *csv = NULL;
    bool is_first = true;
    crd_status status = crd_copy_string(&labels->file, crd_source_name(source), error);
    if (status == CRD_OK) status = crd_name_index_new(&labels->texts, error);
    if (status == CRD_OK) status = crd_csv_open(source, &csv, error);
    while (status == CRD_OK) {
        char **fields;
        int64_t count;
        status = crd_csv_row(csv, &fields, &count, error);
        if (status != CRD_OK || fields == NULL) break;
        status = take_row(labels, &first, fields, count, crd_csv_line(csv), is_first, error);
        is_first = false;
    }
    if (status == CRD_OK && is_first)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: the file is empty, expected labels", labels->file);
    if (status == CRD_OK) status = settle_first(labels, &first, error);
    crd_string_free(&first.id);
    crd_string_free(&first.label);
    crd_csv_free(&csv);
    return status;
}

crd_status crd_read_labels(crd_source *source, crd_parts *parts, crd_error *error)
{
    const uint8_t *bytes;
    size_t got;
    crd_status status = crd_source_peek(source, 16, &bytes, &got, error);
    if (status != CRD_OK) return status;
    if (crd_is_npy(bytes, got)) {
        crd_npy npy;
        status = crd_npy_header(source, &npy, error);
        return status == CRD_OK ? crd_take_label_array(source, &npy, parts, error) : status;
    }
    if (crd_is_zip(bytes, got))
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%s: is an archive, expected labels as .csv, .tsv or .npy", crd_source_name(source));
    crd_labels_part_free(&parts->labels);
    return read_text(source, &parts->labels, error);
}

static bool is_name_header(char **fields, int64_t count)
{
    static const char *const words[] = {"name", "node", "class", "label", "nodes", "classes", NULL};
    int64_t number;
    return count == 1 ? is_any_word(fields[0], words) : !crd_id_number(crd_trim(fields[0]), &number);
}

static crd_status add_name(const char *file, const char *what, char **fields, int64_t count, int64_t line,
                           char ***names, int64_t *capacity, int64_t *name_count, crd_error *error)
{
    int64_t number = *name_count;
    if (count > 1 && (!crd_id_number(crd_trim(fields[0]), &number) || number != *name_count))
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: line %lld: expected %s number %lld, found '%.40s'",
                        file, (long long)line, what, (long long)*name_count, fields[0]);
    crd_status status = CRD_GROW(names, capacity, *name_count + 1, error);
    if (status != CRD_OK) return status;
    status = crd_copy_string(&(*names)[*name_count], crd_trim(fields[count > 1 ? 1 : 0]), error);
    if (status == CRD_OK) ++*name_count;
    return status;
}

crd_status crd_read_names(crd_source *source, const char *what, char ***names, int64_t *count,
                          crd_error *error)
{
    crd_csv *csv;
    char **read = NULL;
    int64_t capacity = 0, read_count = 0;
    bool is_first = true;
    crd_status status = crd_csv_open(source, &csv, error);
    while (status == CRD_OK) {
        char **fields;
        int64_t columns;
        status = crd_csv_row(csv, &fields, &columns, error);
        if (status != CRD_OK || fields == NULL) break;
        if (!is_first || !is_name_header(fields, columns))
            status = add_name(crd_source_name(source), what, fields, columns, crd_csv_line(csv), &read,
                              &capacity, &read_count, error);
        is_first = false;
    }
    crd_csv_free(&csv);
    if (status == CRD_OK && read_count == 0)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: expected %s names, found none",
                          crd_source_name(source), what);
    if (status != CRD_OK) {
        crd_strings_free(&read, read_count);
        return status;
    }
    *names = read;
    *count = read_count;
    return CRD_OK;
}
