/* SPDX-License-Identifier: MIT */
/* Edges from single files: an edge list, Matrix Market, an array of pairs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "graph/raw.h"
#include "io/text_formats.h"

typedef struct edge_list {
    crd_raw *raw;
    int64_t columns; /* of the first row; 0 before it */
    bool has_header; /* the first row names the columns */
    int64_t weight;  /* the column of weights, -1: none; the third, unless a header names others */
    int64_t weight_capacity;
} edge_list;

/* If blanks separate the fields and no header names them, lines of different lengths mean an adjacency list: a node and
 * its neighbours. What NetworkX writes after an edge ("{'weight': 3}") does not count. Between commas or tabs a weight
 * may be missing. */
static crd_status check_length(edge_list *list, const crd_csv *csv, crd_error *error)
{
    const char *name = crd_source_name(csv->source);
    long long line = (long long)csv->line;
    if (csv->count < 2)
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%.150s: line %lld: expected the two nodes of an edge, found a single field%s", name, line,
                        list->columns == 0 ? "" : "; perhaps this is " CRD_ADJACENCY_LIST);
    if (csv->count > 2 && csv->field[2][0] == '{') return CRD_OK;
    if (list->columns == 0) list->columns = csv->count;
    if (csv->count == list->columns || list->has_header || csv->separator != ' ') return CRD_OK;
    return crd_fail(error, CRD_ERROR_FORMAT,
                    "%.150s: line %lld: has %lld fields, but the rows before it have %lld; perhaps this "
                    "is " CRD_ADJACENCY_LIST,
                    name, line, (long long)csv->count, (long long)list->columns);
}

/* The column that a header calls weights; -1: none. */
static int64_t find_weights(const crd_csv *csv)
{
    for (int64_t i = 2; i < csv->count; i++) {
        const char *word = crd_trim(csv->field[i]);
        if (crd_is_word(word, "weight") || crd_is_word(word, "weights") || crd_is_word(word, "w")) return i;
    }
    return -1;
}

/* Takes the first row if it is a header, or may be one: then it waits. Sets *taken. */
static crd_status take_first(edge_list *list, crd_csv *csv, bool *taken, crd_error *error)
{
    crd_ids *ids = &list->raw->edges.ids;
    const char *first = crd_trim(csv->field[0]), *second = crd_trim(csv->field[1]);
    bool unnamed = csv->count > 2 && first[0] == '\0';
    bool ends = (crd_header_word(first) & crd_header_word(second) & CRD_WORD_END) != 0;
    *taken = list->has_header = crd_is_header(list->raw, unnamed || ends);
    if (*taken && unnamed) {
        crd_csv_drop_first(csv);
        list->weight = find_weights(csv);
        return crd_note_index(list->raw, list->raw->edges.file, error);
    }
    const bool weighs = csv->count > 2 && crd_is_number(crd_trim(csv->field[2])); /* no header has a number there */
    if (*taken || !weighs) list->weight = find_weights(csv);
    if (*taken || weighs || list->raw->header == CRD_HEADER_NO || (crd_is_number(first) && crd_is_number(second)) ||
        first[0] == '\0' || second[0] == '\0')
        return CRD_OK;
    *taken = true;
    ids->waiting_line = csv->line;
    crd_status status = crd_copy_string(&ids->waiting[0], first, error);
    return status == CRD_OK ? crd_copy_string(&ids->waiting[1], second, error) : status;
}

/* Keeps the weight. Whatever else is beside the nodes is not used. */
static crd_status take_weight(edge_list *list, const crd_csv *csv, crd_error *error)
{
    crd_raw_edges *edges = &list->raw->edges;
    float weight = list->weight < 0 ? 1.0f : NAN;
    for (int64_t i = 2; i < csv->count; i++) {
        double value;
        const bool number = crd_parse_double(crd_trim(csv->field[i]), &value);
        edges->more_columns = edges->more_columns || !number || value != 1.0;
        if (i == list->weight && number && !crd_to_float(value, &weight)) weight = NAN;
    }
    return crd_raw_add_weight(edges, &list->weight_capacity, edges->lines.count, weight, error);
}

static crd_status take_row(crd_csv *csv, void *state, crd_error *error)
{
    edge_list *list = state;
    crd_raw_edges *edges = &list->raw->edges;
    bool taken = false;
    crd_status status = check_length(list, csv, error);
    if (status == CRD_OK && csv->row == 0) status = take_first(list, csv, &taken, error);
    for (int i = 0; i < 2 && status == CRD_OK && !taken; i++) {
        const char *id = crd_trim(csv->field[i]);
        status = id[0] != '\0' ? crd_ids_add(&edges->ids, id, error)
                               : crd_fail(error, CRD_ERROR_FORMAT,
                                          "%s: line %lld: expected the two nodes of an edge, found an empty field",
                                          edges->file, (long long)csv->line);
    }
    if (status != CRD_OK || taken) return status;
    status = take_weight(list, csv, error);
    return status != CRD_OK ? status : crd_lines_add(&edges->lines, csv->line, error);
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
    if (edges->weight != NULL) { /* a row that may be a header has no weight */
        status = CRD_GROW(&edges->weight, &others, others + 1, error);
        if (status != CRD_OK) return status;
        memmove(edges->weight + 1, edges->weight, (size_t)(edges->lines.count - 1) * sizeof *edges->weight);
        edges->weight[0] = NAN;
    }
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
    if (words && !occur && part->count >= 2) return CRD_OK;
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
    crd_free(is_source);
    return meet ? CRD_OK
                : crd_note(&raw->notes, error, "%.300s: no node is both a source and a target: is this an edge list?",
                           raw->edges.file);
}

static crd_status read_list(crd_source *source, crd_raw *raw, crd_error *error)
{
    edge_list list = {.raw = raw, .weight = 2};
    crd_csv csv = {.source = source};
    crd_raw_edges *part = &raw->edges;
    part->by_id = true;
    crd_status status = crd_copy_string(&part->file, crd_source_name(source), error);
    if (status == CRD_OK) status = crd_csv_each(&csv, take_row, &list, error);
    if (status == CRD_OK && csv.columns == 0)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: the file is empty, expected a graph", part->file);
    if (status == CRD_OK) status = crd_settle_ids(&part->ids, &part->lines, 2, part->file, error);
    part->count = part->ids.count / 2;
    if (status == CRD_OK) status = settle_first(raw, error);
    if (status == CRD_OK) status = note_sides(raw, error);
    if (status == CRD_OK) status = crd_note_comments(raw, part->file, &csv, error);
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
    part->nodes = triplets.rows;
    part->count = triplets.count;
    part->source = triplets.row;
    part->target = triplets.column;
    part->weight = triplets.value;
    triplets.row = triplets.column = NULL;
    triplets.value = NULL;
    crd_triplets_free(&triplets);
    return CRD_OK;
}

crd_status crd_read_edges(crd_source *source, crd_raw *raw, crd_error *error)
{
    const uint8_t *bytes;
    size_t got;
    crd_status status = crd_source_peek(source, 32, &bytes, &got, error);
    if (status != CRD_OK) return status;
    if (crd_is_mtx(bytes, got)) return read_matrix(source, raw, error);
    return read_list(source, raw, error);
}
