/* SPDX-License-Identifier: MIT */
/* Labels and names from single files. */
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "graph/raw.h"
#include "io/text_formats.h"

/* ---- which columns ---- */

typedef struct label_columns {
    int64_t id, label; /* id -1: there is none, labels are in the nodes' order */
    int64_t count;     /* of the first row, without an index in front */
    bool index;        /* there is one: the first of three or more columns has no name */
    bool chosen;       /* by the options, and */
    bool named;        /* by a name, so that the first row is a header */
} label_columns;

/* Three columns or more: which of them has the labels cannot be guessed. */
static crd_status ask_for(const char *option, const crd_raw *raw, const crd_csv *csv, const char *what,
                          crd_error *error)
{
    char names[CRD_COLUMN_LIST];
    crd_list_columns(csv, names);
    return crd_fail_about(error, CRD_ERROR_FORMAT, option, "is needed: %.150s: line %lld has %lld columns (%s), %s",
                          raw->labels.file, (long long)csv->line, (long long)csv->count, names, what);
}

/* Without an option, the nodes are in the only column that is called so. */
static crd_status find_ids(crd_raw *raw, const crd_csv *csv, label_columns *c, crd_error *error)
{
    int64_t found = -1, count = 0;
    for (int64_t f = 0; f < csv->count && c->named; f++) {
        const char *word = crd_trim(csv->field[f]);
        if (f == c->label || word[0] == '\0' || !(crd_header_word(word) & CRD_WORD_ID)) continue;
        found = f;
        count++;
    }
    c->id = found;
    return count == 1
               ? CRD_OK
               : ask_for("id-column", raw, csv,
                         "expected the one that has the nodes, or none if rows follow the order of the nodes", error);
}

static crd_status choose_by_options(crd_raw *raw, const crd_csv *csv, label_columns *c, crd_error *error)
{
    const char *label = raw->label_column, *id = raw->id_column;
    int64_t found;
    bool named = false;
    c->chosen = true;
    crd_status status = crd_find_column(raw, csv, "id-column", id, &found, &c->named, error);
    const bool no_ids = found < 0 && crd_is_none(id);
    if (status == CRD_OK && (found >= 0 || no_ids)) raw->id_column_found = true;
    if (status == CRD_OK && found < 0 && id != NULL && !no_ids && csv->count > 2)
        status = crd_refuse_column(raw->labels.file, csv, "id-column", id, error);
    if (found >= 0 || no_ids) c->id = found;
    if (status == CRD_OK && label == NULL && csv->count > 2)
        status = ask_for("label-column", raw, csv, "expected the one that has the labels", error);
    if (status == CRD_OK && label == NULL && csv->count == 2 && found >= 0) c->label = 1 - found;
    if (status != CRD_OK || label == NULL) return status;
    status = crd_find_column(raw, csv, "label-column", label, &c->label, &named, error);
    if (status == CRD_OK && c->label < 0)
        status = crd_refuse_column(raw->labels.file, csv, "label-column", label, error);
    c->named = c->named || named;
    raw->label_column_found = true;
    if (status != CRD_OK || found >= 0 || no_ids) return status;
    if (csv->count == 2) c->id = 1 - c->label;
    return csv->count > 2 ? find_ids(raw, csv, c, error) : CRD_OK;
}

/* The first row says how many columns there are. Of two, nodes come first. */
static crd_status choose_columns(crd_raw *raw, crd_csv *csv, label_columns *c, crd_error *error)
{
    const bool options = raw->label_column != NULL || raw->id_column != NULL;
    *c = (label_columns){.index = !options && csv->count > 2 && crd_trim(csv->field[0])[0] == '\0'};
    if (c->index) crd_csv_drop_first(csv);
    c->count = csv->count;
    c->id = csv->count > 1 ? 0 : -1;
    c->label = csv->count - 1;
    if (options) return choose_by_options(raw, csv, c, error);
    return csv->count <= 2 ? CRD_OK
                           : ask_for("label-column", raw, csv, "expected a label, or a node and its label", error);
}

/* ---- a look at all rows ---- */

/* Labels are read twice: in a file of names and classes only the other rows show whether the first is a header, and
 * whether blanks separate nodes from labels. */
typedef struct survey {
    crd_raw *raw;
    label_columns columns;
    char *id, *label;       /* of the first row; the id is NULL if it has none */
    int64_t blank_before;   /* blank lines before it */
    int64_t others;         /* the rows after it, */
    int64_t blank_lines;    /* and the blank lines between them */
    bool pairs;             /* every row has two fields */
    bool node_numbers;      /* the others' nodes are numbers; */
    bool label_numbers;     /* so are their labels; */
    bool label_again;       /* one of them has the first row's label */
    int64_t known, unknown; /* first fields that can be nodes, and that cannot */
} survey;

/* Feature names are not indexed, so only some rows are looked up among them. */
static void count_node(survey *s, const char *id)
{
    enum { LOOKED_UP = 8 };
    bool is_number = crd_is_number(id);
    s->node_numbers = s->node_numbers && is_number;
    if (is_number || crd_ids_have_name(&s->raw->edges.ids, id) ||
        (s->unknown < LOOKED_UP && crd_raw_has_name(s->raw, id)))
        s->known++;
    else s->unknown++;
}

/* Whether the first row alone shows what it is. A row whose node is a number or another file's is never a header: "0,x"
 * above "1,3". */
static bool first_row_tells(const survey *s, bool *header)
{
    unsigned over_id = s->id != NULL ? crd_header_word(s->id) : CRD_WORD_ID;
    *header = s->columns.named || (s->id != NULL && s->id[0] == '\0') ||
              ((over_id & CRD_WORD_ID) != 0 && (crd_header_word(s->label) & CRD_WORD_LABEL) != 0);
    return *header || (s->id != NULL && (crd_is_number(s->id) || crd_raw_has_name(s->raw, s->id)));
}

static crd_status look_at_row(crd_csv *csv, void *state, crd_error *error)
{
    survey *s = state;
    int64_t number;
    label_columns *c = &s->columns;
    s->pairs = s->pairs && csv->count == 2;
    /* Between blanks the first row may still turn out to be one label of several words. */
    crd_status status = CRD_OK;
    if (csv->row == 0 && (csv->separator != ' ' || csv->count <= 2 || s->raw->label_column != NULL))
        status = choose_columns(s->raw, csv, c, error);
    else if (csv->row == 0) *c = (label_columns){.id = 0, .label = csv->count - 1};
    if (status != CRD_OK) return status;
    const int64_t last = csv->count - 1; /* a row of another length is refused when it is read */
    const char *id = c->id < 0 ? NULL : crd_trim(csv->field[c->id < last ? c->id : last]);
    const char *label = crd_trim(csv->field[c->label < last ? c->label : last]);
    if (csv->row == 0) {
        s->blank_before = csv->blank_lines;
        status = id != NULL ? crd_copy_string(&s->id, id, error) : CRD_OK;
        if (status == CRD_OK) status = crd_copy_string(&s->label, label, error);
        bool header;
        csv->stop = status == CRD_OK && csv->separator != ' ' && first_row_tells(s, &header);
        return status;
    }
    s->others = csv->row;
    s->blank_lines = csv->blank_lines - s->blank_before;
    if (id != NULL) count_node(s, id);
    s->label_numbers = s->label_numbers && (crd_label_number(label, &number) || crd_is_missing(label));
    s->label_again = s->label_again || strcmp(label, s->label) == 0;
    return CRD_OK;
}

static void survey_free(survey *s)
{
    crd_string_free(&s->id);
    crd_string_free(&s->label);
}

static crd_status look(const void *bytes, size_t size, crd_raw *raw, bool join_words, survey *s, bool *blanks,
                       crd_error *error)
{
    crd_csv csv = {.join_words = join_words};
    *s = (survey){.raw = raw, .pairs = true, .node_numbers = true, .label_numbers = true};
    crd_status status = crd_source_memory(bytes, size, raw->labels.file, &csv.source, error);
    if (status == CRD_OK) status = crd_csv_each(&csv, look_at_row, s, error);
    crd_source_free(&csv.source);
    *blanks = csv.separator == ' ';
    if (status == CRD_OK && s->label == NULL)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: the file is empty, expected labels", raw->labels.file);
    return status;
}

/* Whether the first row is a header. *guessed is set if only its being unlike the others says so. */
static bool looks_like_header(const survey *s, bool *guessed)
{
    const char *file;
    int64_t number;
    bool header, words = !crd_label_number(s->label, &number) && !crd_is_missing(s->label);
    *guessed = false;
    if (first_row_tells(s, &header)) return header;
    if (s->others == 0) return false;
    if ((s->id != NULL && s->node_numbers) || (words && s->label_numbers)) return true;
    if (!words || s->label_again) return false;
    /* In one column, a header is one row too many. */
    *guessed = s->id != NULL ? s->others >= 2 : s->others + s->blank_lines == crd_raw_known_nodes(s->raw, &file);
    return *guessed;
}

/* ---- reading ---- */

typedef struct label_list {
    crd_raw *raw;
    crd_raw_labels *labels;
    label_columns columns;
    bool header;        /* the first row is one */
    int64_t blank_seen; /* blank lines before the row last read */
} label_list;

/* In a file with one label per line, an empty line is an unknown label. */
static crd_status add_blank_lines(label_list *list, const crd_csv *csv, crd_error *error)
{
    crd_status status = CRD_OK;
    for (; list->blank_seen < csv->blank_lines && status == CRD_OK; list->blank_seen++)
        status = crd_raw_add_label(list->labels, "", csv->line, error);
    return status;
}

static crd_status take_first(label_list *list, crd_csv *csv, crd_error *error)
{
    crd_status status = CRD_OK;
    const label_columns *c = &list->columns;
    if (list->header && c->index) {
        crd_csv_drop_first(csv);
        status = crd_note_index(list->raw, list->labels->file, error);
    }
    list->labels->by_id = c->id >= 0;
    list->labels->unnamed_ids = list->header && c->id == 0 && crd_trim(csv->field[0])[0] == '\0' && !c->index;
    return status;
}

static crd_status check_count(const label_list *list, const crd_csv *csv, crd_error *error)
{
    const label_columns *c = &list->columns;
    if (csv->count == c->count) return CRD_OK;
    if (c->count > 2)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: line %lld: expected %lld columns as in the first row, found %lld",
                        list->labels->file, (long long)csv->line, (long long)c->count, (long long)csv->count);
    const char *expected = csv->row == 0 ? "a label, or a node and its label"
                           : c->id >= 0  ? "a node and its label"
                                         : "one label";
    return crd_fail(error, CRD_ERROR_FORMAT, "%s: line %lld: expected %s, found %lld columns", list->labels->file,
                    (long long)csv->line, expected, (long long)csv->count);
}

static crd_status take_row(crd_csv *csv, void *state, crd_error *error)
{
    label_list *list = state;
    crd_raw_labels *labels = list->labels;
    const bool is_first = csv->row == 0;
    crd_status status = is_first ? take_first(list, csv, error) : CRD_OK;
    if (status != CRD_OK) return status;
    status = check_count(list, csv, error);
    if (status != CRD_OK) return status;
    if (is_first && list->header) {
        list->blank_seen = csv->blank_lines;
        return CRD_OK;
    }
    if (labels->by_id) {
        const char *id = crd_trim(csv->field[list->columns.id]);
        status = id[0] != '\0'
                     ? crd_ids_add(&labels->ids, id, error)
                     : crd_fail(error, CRD_ERROR_FORMAT, "%s: line %lld: expected a node, found an empty field",
                                labels->file, (long long)csv->line);
    } else if (list->columns.count == 1) status = add_blank_lines(list, csv, error);
    return status == CRD_OK ? crd_raw_add_label(labels, crd_trim(csv->field[list->columns.label]), csv->line, error)
                            : status;
}

/* Empty lines at the end are labels only if some nodes have none. */
static crd_status take_last_blank_lines(const label_list *list, const crd_csv *csv, crd_error *error)
{
    crd_raw_labels *labels = list->labels;
    const char *file;
    int64_t nodes = crd_raw_known_nodes(list->raw, &file);
    int64_t blank_lines = csv->blank_lines - list->blank_seen;
    crd_status status = CRD_OK;
    if (list->columns.count > 1 || blank_lines == 0) return CRD_OK;
    if (nodes - labels->count > blank_lines)
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "%.200s: has %lld labels and %lld blank line%s, but %.200s has %lld nodes (an "
                        "unknown label is written NA)",
                        labels->file, (long long)labels->count, (long long)blank_lines, blank_lines == 1 ? "" : "s",
                        file, (long long)nodes);
    while (status == CRD_OK && labels->count < nodes) status = crd_raw_add_label(labels, "", csv->line, error);
    return status;
}

/* Blanks separate nodes from labels only if every row has two words, and if the first one can be a node: "Neural
 * Networks" is one label. */
static crd_status read_bytes(const void *bytes, size_t size, crd_raw *raw, crd_error *error)
{
    survey s;
    bool blanks, guessed = false;
    label_list list = {.raw = raw, .labels = &raw->labels};
    crd_csv csv = {0};
    crd_status status = look(bytes, size, raw, false, &s, &blanks, error);
    if (status == CRD_OK && blanks && !s.columns.chosen && (!s.pairs || (s.unknown > 0 && s.known == 0))) {
        csv.join_words = true;
        survey_free(&s);
        status = look(bytes, size, raw, true, &s, &blanks, error);
    }
    if (status == CRD_OK) list.header = crd_is_header(raw, looks_like_header(&s, &guessed));
    if (status == CRD_OK && list.header && guessed && raw->header == CRD_HEADER_AUTO)
        status =
            crd_note_header(raw, raw->labels.file, s.id != NULL ? s.id : s.label, s.id != NULL ? s.label : NULL, error);
    list.columns = s.columns;
    survey_free(&s);
    if (status == CRD_OK) status = crd_name_index_new(&raw->labels.texts, error);
    if (status == CRD_OK) status = crd_source_memory(bytes, size, raw->labels.file, &csv.source, error);
    if (status == CRD_OK) status = crd_csv_each(&csv, take_row, &list, error);
    crd_source_free(&csv.source);
    if (status == CRD_OK) status = crd_settle_ids(&raw->labels.ids, &raw->labels.lines, 1, raw->labels.file, error);
    if (status == CRD_OK) status = take_last_blank_lines(&list, &csv, error);
    return status == CRD_OK ? crd_note_comments(raw, raw->labels.file, &csv, error) : status;
}

crd_status crd_read_labels(crd_source *source, crd_raw *raw, crd_error *error)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    crd_status status = crd_copy_string(&raw->labels.file, crd_source_name(source), error);
    if (status == CRD_OK) status = crd_source_read_all(source, &bytes, &size, error);
    if (status == CRD_OK) status = read_bytes(bytes, size, raw, error);
    crd_free(bytes);
    return status;
}

/* ---- names ---- */

typedef struct name_list {
    const crd_raw *raw;
    const char *what;
    crd_raw_names *names;
    int64_t capacity;
} name_list;

static crd_status take_name(crd_csv *csv, void *state, crd_error *error)
{
    name_list *list = state;
    crd_raw_names *names = list->names;
    char *first = crd_trim(csv->field[0]);
    int64_t number;
    bool numbered = crd_id_number(first, &number);
    if (csv->row == 0 &&
        crd_is_header(list->raw, csv->count == 1 ? (crd_header_word(first) & CRD_WORD_LIST) != 0 : !numbered))
        return CRD_OK;
    if (csv->count > 1 && (!numbered || number != names->count))
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: line %lld: expected %s number %lld, found '%.40s'", names->file,
                        (long long)csv->line, list->what, (long long)names->count, first);
    crd_status status = CRD_GROW(&names->name, &list->capacity, names->count + 1, error);
    if (status != CRD_OK) return status;
    status = crd_copy_string(&names->name[names->count], csv->count > 1 ? crd_trim(csv->field[1]) : first, error);
    if (status == CRD_OK) names->count++;
    return status;
}

static crd_status read_names(crd_source *source, const crd_raw *raw, const char *what, crd_raw_names *names,
                             crd_error *error)
{
    crd_csv csv = {.source = source};
    name_list list = {.raw = raw, .what = what, .names = names};
    crd_status status = crd_copy_string(&names->file, crd_source_name(source), error);
    if (status == CRD_OK) status = crd_csv_each(&csv, take_name, &list, error);
    if (status == CRD_OK && names->count == 0)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: expected %s names, found none", names->file, what);
    return status;
}

crd_status crd_read_node_names(crd_source *source, crd_raw *raw, crd_error *error)
{
    return read_names(source, raw, "node", &raw->nodes, error);
}

/* A list of its own replaces the header of the features. */
crd_status crd_read_feature_names(crd_source *source, crd_raw *raw, crd_error *error)
{
    crd_raw_names_free(&raw->columns);
    return read_names(source, raw, "feature", &raw->columns, error);
}

crd_status crd_read_class_names(crd_source *source, crd_raw *raw, crd_error *error)
{
    raw->classes.required = true;
    return read_names(source, raw, "class", &raw->classes, error);
}
