/* Edges from single files: an edge list, Matrix Market, an array of pairs. */
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "graph/raw.h"
#include "io/text_formats.h"
#include "io/sniff.h"

typedef struct edge_list {
    crd_source *source;
    crd_csv *csv;
    crd_raw *raw;
    crd_raw_edges *part;
    int64_t columns;   /* of the first row; 0 before it */
    bool has_header;   /* the first row names the columns */
    bool more_columns; /* with something other than 1 in them */
} edge_list;

static void look_at_more_columns(edge_list *list, char **fields, int64_t count)
{
    for (int64_t i = 2; i < count && !list->more_columns; i++) {
        double value;
        if (!crd_parse_double(fields[i], &value) || value != 1.0) list->more_columns = true;
    }
}

/* If blanks separate the fields and no header names them, lines of different lengths mean an adjacency list: a node and
 * its neighbours. What NetworkX writes after an edge ("{'weight': 3}") does not count. Between commas or tabs a weight
 * may be missing. */
static crd_status check_length(edge_list *list, char **fields, int64_t count, crd_error *error)
{
    const char *name = crd_source_name(list->source);
    long long line = (long long)crd_csv_line(list->csv);
    if (count < 2 && list->columns == 0)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: line %lld: expected the two nodes of an edge, found %s", name,
                        line, count == 0 ? "nothing" : "a single field");
    if (count < 2)
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%.150s: line %lld: expected the two nodes of an edge, found a single field; perhaps "
                        "this is " CRD_ADJACENCY_LIST,
                        name, line);
    if (count > 2 && fields[2][0] == '{') return CRD_OK;
    if (list->columns == 0) list->columns = count;
    if (count == list->columns || list->has_header || !crd_csv_has_words(list->csv)) return CRD_OK;
    return crd_fail(error, CRD_ERROR_FORMAT,
                    "%.150s: line %lld: has %lld fields, but the rows before it have %lld; perhaps this "
                    "is " CRD_ADJACENCY_LIST,
                    name, line, (long long)count, (long long)list->columns);
}

static crd_status take_row(edge_list *list, char **fields, int64_t count, bool is_first, crd_error *error)
{
    int64_t line = crd_csv_line(list->csv);
    crd_status status = check_length(list, fields, count, error);
    if (status != CRD_OK) return status;
    char *text[2] = {crd_trim(fields[0]), crd_trim(fields[1])};
    if (is_first && count > 2 && text[0][0] == '\0') {
        crd_csv_drop_first(list->csv);
        return crd_note_index(list->raw, list->part->file, error);
    }
    if (text[0][0] == '\0' || text[1][0] == '\0')
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%s: line %lld: expected the two nodes of an edge, found an "
                        "empty field",
                        crd_source_name(list->source), (long long)line);
    if (is_first && crd_is_end_header(text[0]) && crd_is_end_header(text[1])) {
        list->has_header = true;
        return CRD_OK;
    }
    if (is_first && !(crd_is_number(text[0]) && crd_is_number(text[1]))) {
        crd_ids *ids = &list->part->ids;
        ids->waiting_line = line;
        status = crd_copy_string(&ids->waiting[0], text[0], error);
        return status == CRD_OK ? crd_copy_string(&ids->waiting[1], text[1], error) : status;
    }
    status = crd_ids_add(&list->part->ids, text[0], error);
    if (status == CRD_OK) status = crd_ids_add(&list->part->ids, text[1], error);
    if (status == CRD_OK) status = crd_lines_add(&list->part->lines, line, error);
    look_at_more_columns(list, fields, count);
    return status;
}

static crd_status refuse_numbers(const crd_raw_edges *part, int64_t wrong, crd_error *error)
{
    char buffer[CRD_ID_SIZE];
    return crd_fail(error, CRD_ERROR_FORMAT, "%.300s: line %lld: expected a node number or name, found '%.40s'",
                    part->file, (long long)part->lines.line[wrong / 2], crd_ids_text(&part->ids, wrong, buffer));
}

crd_status crd_take_waiting_edge(crd_raw_edges *edges, crd_error *error)
{
    const char *texts[2] = {edges->ids.waiting[0], edges->ids.waiting[1]};
    int64_t others = edges->lines.count;
    crd_status status = crd_lines_add(&edges->lines, edges->ids.waiting_line, error);
    if (status == CRD_OK) status = crd_ids_prepend(&edges->ids, texts, 2, error);
    if (status != CRD_OK) return status;
    uint32_t line = edges->lines.line[others];
    memmove(edges->lines.line + 1, edges->lines.line, (size_t)others * sizeof line);
    edges->lines.line[0] = line;
    edges->count = edges->ids.count / 2;
    return CRD_OK;
}

/* Among numbers, a row of words is a header. Among names it may be one if its words occur nowhere else; then it waits
 * until the other files are read. A lone row is an edge. */
static crd_status settle_first(crd_raw *raw, crd_error *error)
{
    crd_raw_edges *part = &raw->edges;
    crd_ids *ids = &part->ids;
    char *const *first = ids->waiting;
    if (first[0] == NULL) return CRD_OK;
    bool words = !crd_is_number(first[0]) && !crd_is_number(first[1]);
    if (ids->count > 0 && ids->names == NULL) {
        crd_status status = words ? CRD_OK : crd_note_header(raw, part->file, first[0], first[1], error);
        crd_ids_drop_waiting(ids);
        return status;
    }
    bool occur = crd_ids_have_name(ids, first[0]) || crd_ids_have_name(ids, first[1]);
    bool known = crd_is_possible_end_header(first[0]) && crd_is_possible_end_header(first[1]);
    if (words && !occur && part->count >= (known ? 1 : 2)) return CRD_OK;
    return crd_take_waiting_edge(part, error);
}

/* A file of labels looks like an edge list: nodes on the left, classes on the right. So do graphs between two kinds
 * of nodes, so this is only a note. With one or two edges it would mean nothing. */
static crd_status note_sides(crd_raw *raw, crd_error *error)
{
    const crd_ids *ids = &raw->edges.ids;
    if (ids->names == NULL || raw->edges.count < 3) return CRD_OK;
    bool *is_source;
    crd_status status = CRD_NEW_ZERO(&is_source, crd_name_index_count(ids->names), error);
    if (status != CRD_OK) return status;
    bool meet = false;
    for (int64_t i = 0; i < ids->count; i += 2) is_source[ids->token[i]] = true;
    for (int64_t i = 1; i < ids->count; i += 2) meet = meet || is_source[ids->token[i]];
    free(is_source);
    return meet ? CRD_OK
                : crd_note(&raw->notes, error, "%.300s: no node is both a source and a target: is this an edge list?",
                           raw->edges.file);
}

static crd_status read_list(crd_source *source, crd_raw *raw, crd_error *error)
{
    edge_list list = {.source = source, .raw = raw, .part = &raw->edges};
    crd_raw_edges *part = &raw->edges;
    crd_status status = crd_copy_string(&part->file, crd_source_name(source), error);
    if (status == CRD_OK) status = crd_csv_open(source, &list.csv, error);
    part->by_id = true;
    bool is_first = true;
    int64_t wrong = -1;
    while (status == CRD_OK) {
        char **fields;
        int64_t count;
        status = crd_csv_row(list.csv, &fields, &count, error);
        if (status != CRD_OK || fields == NULL) break;
        status = take_row(&list, fields, count, is_first, error);
        is_first = false;
    }
    if (status == CRD_OK && is_first)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: the file is empty, expected a graph", crd_source_name(source));
    if (status == CRD_OK) status = crd_ids_settle(&part->ids, &wrong, error);
    if (status == CRD_OK && wrong >= 0) status = refuse_numbers(part, wrong, error);
    part->count = part->ids.count / 2;
    if (status == CRD_OK) status = settle_first(raw, error);
    if (status == CRD_OK) status = note_sides(raw, error);
    if (status == CRD_OK) status = crd_note_comments(raw, part->file, list.csv, error);
    crd_csv_free(&list.csv);
    if (status == CRD_OK && list.more_columns)
        status = crd_note(&raw->notes, error, "only the edge list's first two columns are used: weights are not");
    return status;
}

static crd_status read_matrix(crd_source *source, crd_raw *raw, crd_error *error)
{
    crd_raw_edges *part = &raw->edges;
    crd_triplets triplets = {0};
    crd_status status = crd_copy_string(&part->file, crd_source_name(source), error);
    if (status == CRD_OK) status = crd_mtx_read(source, &triplets, error);
    if (status == CRD_OK && triplets.rows != triplets.columns)
        status = crd_fail(error, CRD_ERROR_FORMAT,
                          "%s: the matrix is %lld x %lld, expected a square one: a row and a column per node",
                          part->file, (long long)triplets.rows, (long long)triplets.columns);
    if (status != CRD_OK) {
        crd_triplets_free(&triplets);
        return status;
    }
    bool weighted = false;
    for (int64_t i = 0; i < triplets.count && triplets.value != NULL; i++)
        if (triplets.value[i] != 1.0f) weighted = true;
    part->nodes = triplets.rows;
    part->count = triplets.count;
    part->source = triplets.row;
    part->target = triplets.column;
    triplets.row = triplets.column = NULL;
    crd_triplets_free(&triplets);
    return crd_note_weights(raw, 0, weighted, error);
}

static crd_status read_pairs(crd_source *source, crd_raw *raw, crd_error *error)
{
    crd_npy npy;
    crd_status status = crd_npy_header(source, &npy, error);
    return status == CRD_OK ? crd_take_edge_pairs(source, &npy, false, raw, error) : status;
}

crd_status crd_read_edges(crd_source *source, crd_raw *raw, crd_error *error)
{
    const uint8_t *bytes;
    size_t got;
    crd_status status = crd_source_peek(source, 32, &bytes, &got, error);
    if (status != CRD_OK) return status;
    if (got == 0)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: the file is empty, expected a graph", crd_source_name(source));
    if (crd_is_npy(bytes, got)) return read_pairs(source, raw, error);
    if (crd_is_mtx(bytes, got)) return read_matrix(source, raw, error);
    return read_list(source, raw, error);
}
