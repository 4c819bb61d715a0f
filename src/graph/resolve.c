/* SPDX-License-Identifier: MIT */
/* Station 3: how many nodes there are, what they are called, and which node every id is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "base/watch.h"
#include "graph/raw.h"

/* What is known so far. */
typedef struct plan {
    crd_raw *raw;
    int64_t nodes;          /* -1 until it is known */
    const char *nodes_from; /* the file that said so */
    crd_name_index *index;  /* names of nodes; NULL if nodes are numbers */
    const char *index_from;
    bool index_from_ids; /* the names are those of edges and labels, not a list */
    bool from_one;       /* ids are numbers from 1 */
} plan;

/* ---- a first row of edges that waits ---- */

/* Once all files are read, a row that still waits is a header unless another file has one of its names. */
static crd_status settle_edge_header(crd_raw *raw, crd_error *error)
{
    crd_raw_edges *edges = &raw->edges;
    char *const *waiting = edges->ids.waiting;
    if (waiting[0] == NULL) return CRD_OK;
    if (crd_raw_has_name(raw, waiting[0]) || crd_raw_has_name(raw, waiting[1]))
        return crd_take_waiting_edge(edges, error);
    crd_status status = crd_note_header(raw, edges->file, waiting[0], waiting[1], error);
    crd_ids_drop_waiting(&edges->ids);
    return status;
}

/* ---- numbers from 1 ---- */

/* Whether every number from 1 to `largest` is an id. There are at least `largest` ids. */
static crd_status are_all(const crd_ids *ids, int64_t largest, bool *all, crd_error *error)
{
    *all = false;
    if (ids->count < largest) return CRD_OK;
    uint8_t *seen;
    int64_t count = 0;
    crd_status status = CRD_NEW_ZERO(&seen, largest + 1, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < ids->count; i++) {
        count += !seen[ids->token[i]];
        seen[ids->token[i]] = 1;
    }
    crd_free(seen);
    *all = count == largest;
    return CRD_OK;
}

static void look_at(const crd_ids *ids, int64_t *smallest, int64_t *largest)
{
    for (int64_t i = 0; i < ids->count; i++) {
        if (ids->token[i] < *smallest) *smallest = ids->token[i];
        if (ids->token[i] > *largest) *largest = ids->token[i];
    }
}

static void shift_ids(crd_raw *raw, int64_t by)
{
    for (int64_t i = 0; i < raw->edges.ids.count; i++) raw->edges.ids.token[i] += by;
    for (int64_t i = 0; i < raw->labels.ids.count; i++) raw->labels.ids.token[i] += by;
}

/* If a file has as many rows as the largest id, ids start at 1: otherwise the largest would not exist. Without such a
 * file, labels for exactly 1 to the largest show the same. Edges alone cannot: node 0 may have none. */
static crd_status guess_base(plan *p, int64_t smallest, int64_t largest, crd_error *error)
{
    const crd_raw *raw = p->raw;
    int64_t rows = -1;
    if (raw->features.file != NULL) rows = raw->features.matrix.rows;
    else if (raw->labels.file != NULL && !raw->labels.by_id) rows = raw->labels.count;
    p->from_one = rows == largest;
    if (rows >= 0) return CRD_OK;
    crd_status status = are_all(&raw->labels.ids, largest, &p->from_one, error);
    if (status != CRD_OK || p->from_one || smallest > 1 || !crd_believable_nodes(largest + 1, raw->edges.count))
        return status;
    return crd_note(&p->raw->notes, error,
                    "no edge and no label has node 0: if ids start at 1, it is one node too many");
}

static crd_status settle_base(plan *p, crd_error *error)
{
    crd_raw *raw = p->raw;
    int64_t smallest = INT64_MAX, largest = 0;
    look_at(&raw->edges.ids, &smallest, &largest);
    look_at(&raw->labels.ids, &smallest, &largest);
    crd_status status = CRD_OK;
    if (raw->first_id == CRD_FIRST_ID_1 && smallest == 0)
        return crd_fail_about(error, CRD_ERROR_MISMATCH, "first-id", "is 1, but %s has node 0", raw->name);
    p->from_one = raw->first_id == CRD_FIRST_ID_1 && largest > 0;
    if (raw->first_id == CRD_FIRST_ID_AUTO && raw->edges.ids.count > 0 && smallest > 0)
        status = guess_base(p, smallest, largest, error);
    if (status != CRD_OK || !p->from_one) return status;
    shift_ids(raw, -1);
    return CRD_OK;
}

/* ---- how many nodes ---- */

static crd_status agree(plan *p, const char *file, int64_t count, crd_error *error)
{
    if (p->nodes < 0) {
        p->nodes = count;
        p->nodes_from = file;
    }
    if (p->nodes == count) return CRD_OK;
    bool edges = p->raw->edges.by_id, labels = p->raw->labels.by_id;
    if (p->index_from_ids)
        return crd_fail(error, CRD_ERROR_MISMATCH, "%.250s: has %lld rows, but the %s name %lld nodes", file,
                        (long long)count,
                        edges && labels ? "edges and labels"
                        : edges         ? "edges"
                                        : "labels",
                        (long long)p->nodes);
    return crd_fail(error, CRD_ERROR_MISMATCH, "%.250s: has %lld nodes, but %.250s has %lld", file, (long long)count,
                    p->nodes_from, (long long)p->nodes);
}

/* The files that say how many nodes there are must agree. A number in a header far beyond what the files hold is not
 * believed, because it would decide how much memory to allocate. */
static crd_status count_nodes(plan *p, crd_error *error)
{
    const crd_raw *raw = p->raw;
    const crd_features *matrix = &raw->features.matrix;
    int64_t entries = matrix->sparse ? matrix->start[matrix->rows] : 0;
    int64_t rows = raw->edges.count + raw->labels.count + entries;
    bool declared = p->nodes < 0 && raw->edges.rows.start == NULL && !raw->edges.nodes_certain;
    crd_status status = CRD_OK;
    if (raw->edges.nodes >= 0) status = agree(p, raw->edges.file, raw->edges.nodes, error);
    if (status == CRD_OK && raw->features.file != NULL) {
        status = agree(p, raw->features.file, matrix->rows, error);
        if (!raw->features.rows_declared) declared = false;
    }
    if (status == CRD_OK && raw->labels.file != NULL && !raw->labels.by_id) {
        status = agree(p, raw->labels.file, raw->labels.count, error);
        declared = false;
    }
    if (status == CRD_OK && declared && p->nodes >= 0 && !crd_believable_nodes(p->nodes, rows))
        status = crd_fail(error, CRD_ERROR_FORMAT,
                          "%s: declares %lld nodes, but there are only %lld edges, labels and features", p->nodes_from,
                          (long long)p->nodes, (long long)rows);
    return status;
}

/* Node numbers alone: one more than the largest. */
static crd_status count_by_numbers(plan *p, bool *named, crd_error *error)
{
    crd_raw *raw = p->raw;
    const crd_raw_edges *edges = &raw->edges;
    int64_t smallest = 0, largest = -1;
    look_at(&edges->ids, &smallest, &largest);
    look_at(&raw->labels.ids, &smallest, &largest);
    for (int64_t i = 0; i < edges->count && !edges->by_id; i++) {
        if (edges->source[i] > largest) largest = edges->source[i];
        if (edges->target[i] > largest) largest = edges->target[i];
    }
    p->nodes = largest + 1;
    p->nodes_from = edges->file;
    *named = false;
    if (crd_believable_nodes(p->nodes, edges->count + raw->labels.count)) return CRD_OK;
    if (!edges->by_id)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: has node number %lld, but there are only %lld edges", edges->file,
                        (long long)largest, (long long)edges->count);
    *named = true;
    p->nodes = -1;
    if (p->from_one) shift_ids(raw, 1); /* names stay as they are */
    p->from_one = false;
    return crd_note(&raw->notes, error, "node ids are as large as %lld: they are taken as names, not as numbers",
                    (long long)largest);
}

/* ---- what nodes are called ---- */

/* Takes a complete list of names. Bad ones are an error if ids refer to them. */
static crd_status list_names(plan *p, char **names, int64_t count, const char *file, crd_error *error)
{
    const crd_raw *raw = p->raw;
    const bool required = raw->nodes.required || raw->edges.by_id || raw->labels.by_id;
    p->index_from = file;
    return crd_index_names(p->raw, names, count, file, "node", required, &p->index, error);
}

/* Distinct names come in the order of their first appearance, so it is enough to add each once. */
static crd_status add_ids(plan *p, const crd_ids *ids, crd_error *error)
{
    crd_status status = CRD_OK;
    for (int64_t i = 0; i < crd_ids_distinct(ids) && status == CRD_OK; i++) {
        if (crd_watch_at(i)) return crd_watch_stopped(error);
        char buffer[CRD_ID_SIZE];
        int64_t number;
        status = crd_name_index_add(p->index, crd_ids_distinct_text(ids, i, buffer), &number, error);
    }
    return status;
}

/* Rows without names are matched with names only by their order, which we cannot check. */
static crd_status note_order(const plan *p, crd_error *error)
{
    crd_raw *raw = p->raw;
    const char *const files[] = {raw->features.file, raw->labels.by_id ? NULL : raw->labels.file};
    crd_status status = CRD_OK;
    for (int i = 0; i < 2 && status == CRD_OK; i++)
        if (files[i] != NULL && (i == 0 || files[0] == NULL || strcmp(files[0], files[1]) != 0))
            status = crd_note(&raw->notes, error, "rows of %.200s follow the order of %.200s", files[i], p->index_from);
    return status;
}

static crd_status settle_names(plan *p, crd_error *error)
{
    crd_raw *raw = p->raw;
    crd_status status;
    if (raw->nodes.name != NULL) status = list_names(p, raw->nodes.name, raw->nodes.count, raw->nodes.file, error);
    else if (raw->features.row_names != NULL)
        status = list_names(p, raw->features.row_names, raw->features.matrix.rows, raw->features.file, error);
    else {
        status = crd_name_index_new(&p->index, error);
        p->index_from = raw->labels.by_id ? raw->labels.file : raw->edges.file;
        p->index_from_ids = true;
        if (status == CRD_OK && raw->labels.by_id) status = add_ids(p, &raw->labels.ids, error);
        if (status == CRD_OK && raw->edges.by_id) status = add_ids(p, &raw->edges.ids, error);
    }
    if (status != CRD_OK || p->index == NULL) return status;
    status = agree(p, p->index_from, crd_name_index_count(p->index), error);
    return status == CRD_OK && p->index_from_ids ? note_order(p, error) : status;
}

static crd_status settle_nodes(plan *p, crd_error *error)
{
    crd_raw *raw = p->raw;
    bool named = raw->nodes.name != NULL || raw->features.row_names != NULL || raw->edges.ids.names != NULL ||
                 raw->labels.ids.names != NULL;
    crd_status status = named ? settle_names(p, error) : settle_base(p, error);
    if (status == CRD_OK) status = count_nodes(p, error);
    if (status == CRD_OK && p->nodes < 0) {
        status = count_by_numbers(p, &named, error);
        if (status == CRD_OK && named) status = settle_names(p, error);
    }
    if (status != CRD_OK) return status;
    if (p->nodes < 1) return crd_fail(error, CRD_ERROR_FORMAT, "%s: there are no nodes, expected a graph", raw->name);
    if (p->nodes > CRD_MAX_NODES)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: %lld nodes are more than the %lld that can be held", raw->name,
                        (long long)p->nodes, (long long)CRD_MAX_NODES);
    return CRD_OK;
}

/* ---- which node every id is ---- */

static crd_status refuse_id(const plan *p, const crd_ids *ids, int64_t index, const crd_lines *lines, int width,
                            const char *file, crd_error *error)
{
    long long line = lines->line[index / width];
    const crd_raw *raw = p->raw;
    if (p->index != NULL) {
        char buffer[CRD_ID_SIZE];
        bool unnamed = (p->index_from == raw->features.file && raw->features.unnamed_ids) ||
                       (ids == &raw->labels.ids && raw->labels.unnamed_ids);
        return crd_fail(error, CRD_ERROR_MISMATCH, "%.200s: line %lld: node '%.60s' is not in %.200s%s", file, line,
                        crd_ids_text(ids, index, buffer), p->index_from,
                        unnamed ? "; a first column without a name is read as node ids: if it is an index, "
                                  "name the column of ids \"node\""
                                : "");
    }
    bool from_one = !p->from_one && ids->token[index] == p->nodes;
    for (int64_t i = 0; i < ids->count && from_one; i++) from_one = ids->token[i] > 0;
    return crd_fail(error, CRD_ERROR_MISMATCH,
                    "%.250s: line %lld: node %lld does not exist: %.200s has %lld nodes, numbered from %d%s", file,
                    line, (long long)ids->token[index] + p->from_one, p->nodes_from, (long long)p->nodes, p->from_one,
                    from_one ? " (these ids seem to count from 1)" : "");
}

/* The node of an id, -1 if there is none. If the graph has node numbers besides the names, an id may also be such a
 * number. */
static int64_t find_node(const plan *p, const char *text)
{
    int64_t node = crd_name_index_find(p->index, text), number;
    if (node < 0 && (p->index == NULL || !p->raw->edges.by_id) && crd_id_number(text, &number) && number < p->nodes)
        node = number;
    return node;
}

/* Finds the node of every id. Looks up each distinct name once. */
static crd_status resolve(const plan *p, const crd_ids *ids, const crd_lines *lines, int width, const char *file,
                          int32_t **nodes, crd_error *error)
{
    int64_t distinct = crd_name_index_count(ids->names);
    int32_t *node_of_name = NULL;
    crd_status status = CRD_NEW(nodes, ids->count, error);
    if (status == CRD_OK) status = CRD_NEW(&node_of_name, distinct, error);
    if (status != CRD_OK) return status;
    for (int64_t n = 0; n < distinct && status == CRD_OK; n++) {
        if (crd_watch_at(n)) status = crd_watch_stopped(error);
        node_of_name[n] = (int32_t)find_node(p, crd_name_index_name(ids->names, n));
    }
    for (int64_t i = 0; i < ids->count && status == CRD_OK; i++) {
        if (crd_watch_at(i)) {
            status = crd_watch_stopped(error);
            break;
        }
        int64_t node = ids->token[i];
        char buffer[CRD_ID_SIZE];
        if (ids->names != NULL) node = node_of_name[node];
        else if (p->index != NULL) node = find_node(p, crd_ids_text(ids, i, buffer));
        else if (node >= p->nodes) node = -1;
        if (node < 0) status = refuse_id(p, ids, i, lines, width, file, error);
        (*nodes)[i] = (int32_t)node;
    }
    crd_free(node_of_name);
    return status;
}

static crd_status resolve_edges(const plan *p, crd_error *error)
{
    crd_raw_edges *edges = &p->raw->edges;
    int32_t *ends = NULL;
    crd_status status = resolve(p, &edges->ids, &edges->lines, 2, edges->file, &ends, error);
    if (status == CRD_OK) status = CRD_NEW(&edges->source, edges->count, error);
    if (status == CRD_OK) status = CRD_NEW(&edges->target, edges->count, error);
    for (int64_t i = 0; i < edges->count && status == CRD_OK; i++) {
        if (crd_watch_at(i)) status = crd_watch_stopped(error);
        edges->source[i] = ends[2 * i];
        edges->target[i] = ends[2 * i + 1];
    }
    crd_free(ends);
    return status;
}

static crd_status list_nodes(const plan *p, crd_nodes *nodes, crd_error *error)
{
    if (p->index == NULL && !p->from_one) return CRD_OK;
    crd_status status = CRD_NEW_ZERO(&nodes->names, p->nodes, error);
    for (int64_t i = 0; i < p->nodes && status == CRD_OK; i++) {
        if (crd_watch_at(i)) return crd_watch_stopped(error);
        char number[CRD_ID_SIZE];
        snprintf(number, sizeof number, "%lld", (long long)i + 1);
        status = crd_copy_string(&nodes->names[i], p->from_one ? number : crd_name_index_name(p->index, i), error);
    }
    if (status != CRD_OK || !p->from_one) return status;
    return crd_note(&p->raw->notes, error, "ids start at 1: the node called 1 is number 0, and so on");
}

void crd_nodes_free(crd_nodes *nodes)
{
    crd_strings_free(&nodes->names, nodes->count);
    crd_name_index_free(&nodes->index);
    crd_free(nodes->label_of);
    *nodes = (crd_nodes){0};
}

crd_status crd_resolve(crd_raw *raw, crd_nodes *nodes, crd_error *error)
{
    plan p = {.raw = raw, .nodes = -1};
    crd_raw_labels *labels = &raw->labels;
    *nodes = (crd_nodes){0};
    crd_status status = settle_edge_header(raw, error);
    if (status == CRD_OK) status = settle_nodes(&p, error);
    if (status == CRD_OK) nodes->count = p.nodes;
    if (status == CRD_OK && raw->edges.by_id) status = resolve_edges(&p, error);
    if (status == CRD_OK && labels->by_id)
        status = resolve(&p, &labels->ids, &labels->lines, 1, labels->file, &nodes->label_of, error);
    if (status == CRD_OK) status = list_nodes(&p, nodes, error);
    nodes->index = p.index;
    return status;
}
