/* Labels and names from single files. */
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "graph/raw.h"
#include "io/text_formats.h"
#include "io/sniff.h"

/* Labels being read. The first row waits here until all others are known, because it may be a header. */
typedef struct label_list {
    crd_raw *raw;
    crd_raw_labels *labels;
    crd_csv *csv;
    bool is_first;
    char *id, *label;
    int64_t line;
    int64_t blank_lines; /* before the first row */
    int64_t blank_seen;  /* of those, the ones before the row last read */
} label_list;

static bool is_any_word(const char *text, const char *const *words)
{
    for (; *words != NULL; words++)
        if (crd_is_word(text, *words)) return true;
    return false;
}

static bool others_are_numbers(const crd_raw_labels *labels)
{
    for (int64_t i = 0; i < crd_name_index_count(labels->texts); i++) {
        const char *text = crd_name_index_name(labels->texts, i);
        int64_t number;
        if (!crd_label_number(text, &number) && !crd_is_missing(text)) return false;
    }
    return true;
}

/* In a file of names and classes, a header looks like any other row. The first row is one if its node is unknown and
 * its label never comes again; in a file of one column, if there is one row too many. */
static bool is_row_of_words(const label_list *list)
{
    const crd_raw_labels *labels = list->labels;
    const char *file;
    bool new_label = crd_name_index_find(labels->texts, list->label) < 0 && !crd_is_missing(list->label);
    if (!labels->by_id) return new_label && labels->count == crd_raw_known_nodes(list->raw, &file);
    return new_label && labels->count >= 2 && labels->ids.names != NULL && !crd_is_number(list->id);
}

static crd_status is_header(const label_list *list, bool *header, crd_error *error)
{
    const crd_raw_labels *labels = list->labels;
    int64_t number;
    *header = false;
    if (labels->count == 0 || (list->id != NULL && crd_raw_has_name(list->raw, list->id))) return CRD_OK;
    bool id_stands_out = labels->by_id && labels->ids.names == NULL && !crd_is_number(list->id);
    /* A row whose node is a number is never a header: "0,x" above "1,3". */
    bool label_stands_out = !(labels->by_id && crd_is_number(list->id)) && !crd_label_number(list->label, &number) &&
                            !crd_is_missing(list->label) && others_are_numbers(labels);
    *header = id_stands_out || label_stands_out || is_row_of_words(list);
    if (!*header || id_stands_out || label_stands_out) return CRD_OK;
    return crd_note_header(list->raw, labels->file, list->id != NULL ? list->id : list->label,
                           list->id != NULL ? list->label : NULL, error);
}

/* Puts the waiting row, and the missing labels above it, in front of the others. */
static crd_status prepend_first(label_list *list, crd_error *error)
{
    crd_raw_labels *labels = list->labels;
    const char *id = list->id;
    int64_t others = labels->count, missing = labels->by_id ? 0 : list->blank_lines;
    crd_status status = labels->by_id ? crd_ids_prepend(&labels->ids, &id, 1, error) : CRD_OK;
    for (int64_t i = 0; i < missing && status == CRD_OK; i++) status = crd_raw_add_label(labels, "", list->line, error);
    if (status == CRD_OK) status = crd_raw_add_label(labels, list->label, list->line, error);
    if (status != CRD_OK) return status;
    int32_t *text = labels->text, label = text[labels->count - 1], blank = text[others];
    uint32_t *line = labels->lines.line, place = line[others];
    memmove(text + missing + 1, text, (size_t)others * sizeof *text);
    memmove(line + missing + 1, line, (size_t)others * sizeof *line);
    for (int64_t i = 0; i <= missing; i++) {
        text[i] = i < missing ? blank : label;
        line[i] = place;
    }
    return CRD_OK;
}

static crd_status settle_first(label_list *list, crd_error *error)
{
    bool header;
    if (list->label == NULL) return CRD_OK;
    crd_status status = is_header(list, &header, error);
    return status != CRD_OK || header ? status : prepend_first(list, error);
}

static crd_status keep_first(label_list *list, const char *id, const char *label, int64_t line, crd_error *error)
{
    list->line = line;
    list->blank_lines = list->blank_seen = crd_csv_blank_lines(list->csv);
    crd_status status = id == NULL ? CRD_OK : crd_copy_string(&list->id, id, error);
    return status == CRD_OK ? crd_copy_string(&list->label, label, error) : status;
}

/* In a file with one label per line, an empty line is an unknown label. */
static crd_status add_blank_lines(label_list *list, int64_t line, crd_error *error)
{
    int64_t blank_lines = crd_csv_blank_lines(list->csv);
    crd_status status = CRD_OK;
    for (; list->blank_seen < blank_lines && status == CRD_OK; list->blank_seen++)
        status = crd_raw_add_label(list->labels, "", line, error);
    return status;
}

static crd_status take_row(label_list *list, char **fields, int64_t count, crd_error *error)
{
    crd_raw_labels *labels = list->labels;
    int64_t line = crd_csv_line(list->csv), number;
    bool is_first = list->is_first;
    list->is_first = false;
    if (is_first && count > 1 && crd_trim(fields[0])[0] == '\0') {
        /* A header whose first column has no name: an index if two columns follow, else ids. */
        labels->by_id = true;
        labels->unnamed_ids = count == 2;
        if (count == 2) return CRD_OK;
        crd_csv_drop_first(list->csv);
        count--;
        crd_status status = crd_note_index(list->raw, labels->file, error);
        if (status != CRD_OK || count == 2) return status;
    }
    if (is_first) labels->by_id = count == 2;
    const char *expected = labels->by_id ? "a node and its label" : "one label";
    if (is_first) expected = "a label, or a node and its label";
    if (count != (labels->by_id ? 2 : 1))
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: line %lld: expected %s, found %lld columns", labels->file,
                        (long long)line, expected, (long long)count);
    char *id = labels->by_id ? crd_trim(fields[0]) : NULL;
    char *label = crd_trim(fields[count - 1]);
    if (id != NULL && id[0] == '\0')
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: line %lld: expected a node, found an empty field", labels->file,
                        (long long)line);
    if (is_first && (id == NULL || crd_is_thing_header(id)) && crd_is_label_header(label)) {
        list->blank_seen = crd_csv_blank_lines(list->csv);
        return CRD_OK;
    }
    if (is_first && !((id == NULL || crd_is_number(id)) && crd_label_number(label, &number)))
        return keep_first(list, id, label, line, error);
    crd_status status = id == NULL ? add_blank_lines(list, line, error) : crd_ids_add(&labels->ids, id, error);
    return status == CRD_OK ? crd_raw_add_label(labels, label, line, error) : status;
}

/* Empty lines at the end are labels only if some nodes have none. */
static crd_status take_last_blank_lines(label_list *list, crd_error *error)
{
    crd_raw_labels *labels = list->labels;
    const char *file;
    int64_t nodes = crd_raw_known_nodes(list->raw, &file);
    int64_t blank_lines = crd_csv_blank_lines(list->csv) - list->blank_seen;
    crd_status status = CRD_OK;
    if (labels->by_id || blank_lines == 0) return CRD_OK;
    if (nodes - labels->count > blank_lines)
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "%.200s: has %lld labels and %lld blank line%s, but %.200s has %lld nodes (an "
                        "unknown label is written NA)",
                        labels->file, (long long)labels->count, (long long)blank_lines, blank_lines == 1 ? "" : "s",
                        file, (long long)nodes);
    while (status == CRD_OK && labels->count < nodes)
        status = crd_raw_add_label(labels, "", crd_csv_line(list->csv), error);
    return status;
}

static crd_status settle_ids(label_list *list, crd_error *error)
{
    const crd_raw_labels *labels = list->labels;
    int64_t wrong;
    crd_status status = crd_ids_settle(&list->labels->ids, &wrong, error);
    if (status != CRD_OK || wrong < 0) return status;
    return crd_fail(error, CRD_ERROR_FORMAT, "%.300s: line %lld: expected a node number or name, found '%.40s'",
                    labels->file, (long long)labels->lines.line[wrong],
                    crd_name_index_name(labels->ids.names, labels->ids.token[wrong]));
}

static crd_status read_rows(label_list *list, crd_error *error)
{
    crd_status status = CRD_OK;
    while (status == CRD_OK) {
        char **fields;
        int64_t count;
        status = crd_csv_row(list->csv, &fields, &count, error);
        if (status != CRD_OK || fields == NULL) break;
        status = take_row(list, fields, count, error);
    }
    if (status == CRD_OK && list->is_first)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: the file is empty, expected labels", list->labels->file);
    if (status == CRD_OK) status = settle_ids(list, error);
    if (status == CRD_OK) status = settle_first(list, error);
    if (status == CRD_OK) status = settle_ids(list, error); /* again, now with the first row */
    if (status == CRD_OK) status = take_last_blank_lines(list, error);
    if (status == CRD_OK) status = crd_note_comments(list->raw, list->labels->file, list->csv, error);
    return status;
}

/* Blanks separate nodes from labels only if every row has two words, and if the first one can be a node: "Neural
 * Networks" is one label. Feature names are not indexed, so only some rows are looked up among them. */
static crd_status find_words(crd_source *source, const crd_raw *raw, bool *two_words, crd_error *error)
{
    enum { LOOKED_UP = 8 };
    crd_csv *csv;
    int64_t rows = 0, known = 0, unknown = 0;
    *two_words = true;
    crd_status status = crd_csv_open(source, &csv, error);
    while (status == CRD_OK && *two_words) {
        char **fields;
        int64_t count;
        status = crd_csv_row(csv, &fields, &count, error);
        if (status != CRD_OK || fields == NULL || !crd_csv_has_words(csv)) break;
        *two_words = count == 2;
        if (rows++ == 0 || !*two_words) continue; /* the first one may be a header */
        if (crd_is_number(fields[0]) || crd_ids_have_name(&raw->edges.ids, fields[0]) ||
            (unknown < LOOKED_UP && crd_raw_has_name(raw, fields[0])))
            known++;
        else unknown++;
    }
    if (unknown > 0 && known == 0) *two_words = false;
    crd_csv_free(&csv);
    return status;
}

/* Reads the file twice if blanks may be separators. */
static crd_status read_text(crd_source *source, crd_raw *raw, crd_error *error)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    crd_source *again = NULL;
    bool two_words = true;
    label_list list = {.raw = raw, .labels = &raw->labels, .is_first = true};
    crd_status status = crd_copy_string(&raw->labels.file, crd_source_name(source), error);
    if (status == CRD_OK) status = crd_source_read_all(source, &bytes, &size, error);
    if (status == CRD_OK) status = crd_source_memory(bytes, size, raw->labels.file, &again, error);
    if (status == CRD_OK) status = find_words(again, raw, &two_words, error);
    crd_source_free(&again);
    if (status == CRD_OK) status = crd_source_memory(bytes, size, raw->labels.file, &again, error);
    if (status == CRD_OK) status = crd_name_index_new(&raw->labels.texts, error);
    if (status == CRD_OK) status = crd_csv_open(again, &list.csv, error);
    if (status == CRD_OK && !two_words) crd_csv_join_words(list.csv);
    if (status == CRD_OK) status = read_rows(&list, error);
    crd_string_free(&list.id);
    crd_string_free(&list.label);
    crd_csv_free(&list.csv);
    crd_source_free(&again);
    free(bytes);
    return status;
}

crd_status crd_read_labels(crd_source *source, crd_raw *raw, crd_error *error)
{
    const uint8_t *bytes;
    size_t got;
    crd_status status = crd_source_peek(source, 16, &bytes, &got, error);
    if (status != CRD_OK) return status;
    if (crd_is_npy(bytes, got)) {
        crd_npy npy;
        status = crd_npy_header(source, &npy, error);
        return status == CRD_OK ? crd_take_label_array(source, &npy, raw, error) : status;
    }
    if (crd_is_zip(bytes, got))
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: is an archive, expected labels as .csv, .tsv or .npy",
                        crd_source_name(source));
    crd_raw_labels_free(&raw->labels);
    return read_text(source, raw, error);
}

static bool is_name_header(char **fields, int64_t count)
{
    static const char *const words[] = {"name", "node", "class", "label", "nodes", "classes", NULL};
    int64_t number;
    return count == 1 ? is_any_word(fields[0], words) : !crd_id_number(crd_trim(fields[0]), &number);
}

static crd_status add_name(crd_raw_names *names, const char *what, char **fields, int64_t count, int64_t line,
                           int64_t *capacity, crd_error *error)
{
    int64_t number = names->count;
    if (count > 1 && (!crd_id_number(crd_trim(fields[0]), &number) || number != names->count))
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: line %lld: expected %s number %lld, found '%.40s'", names->file,
                        (long long)line, what, (long long)names->count, fields[0]);
    crd_status status = CRD_GROW(&names->name, capacity, names->count + 1, error);
    if (status != CRD_OK) return status;
    status = crd_copy_string(&names->name[names->count], crd_trim(fields[count > 1 ? 1 : 0]), error);
    if (status == CRD_OK) names->count++;
    return status;
}

crd_status crd_read_names(crd_source *source, const char *what, crd_raw_names *names, crd_error *error)
{
    crd_csv *csv = NULL;
    int64_t capacity = 0;
    bool is_first = true;
    crd_raw_names_free(names);
    crd_status status = crd_copy_string(&names->file, crd_source_name(source), error);
    if (status == CRD_OK) status = crd_csv_open(source, &csv, error);
    while (status == CRD_OK) {
        char **fields;
        int64_t columns;
        status = crd_csv_row(csv, &fields, &columns, error);
        if (status != CRD_OK || fields == NULL) break;
        if (!is_first || !is_name_header(fields, columns))
            status = add_name(names, what, fields, columns, crd_csv_line(csv), &capacity, error);
        is_first = false;
    }
    crd_csv_free(&csv);
    if (status == CRD_OK && names->count == 0)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: expected %s names, found none", names->file, what);
    return status;
}
