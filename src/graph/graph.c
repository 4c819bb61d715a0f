/* SPDX-License-Identifier: MIT */
#include "graph/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/watch.h"

void crd_graph_free(crd_graph *graph)
{
    if (!graph->start_borrowed) crd_free(graph->start);
    if (!graph->neighbour_borrowed) crd_free(graph->neighbour);
    *graph = (crd_graph){0};
}

static crd_status own_start(crd_graph *graph, crd_error *error)
{
    int64_t *start;
    if (!graph->start_borrowed) return CRD_OK;
    crd_status status = CRD_NEW(&start, graph->nodes + 1, error);
    if (status != CRD_OK) return status;
    memcpy(start, graph->start, (size_t)(graph->nodes + 1) * sizeof *start);
    graph->start = start;
    graph->start_borrowed = false;
    return CRD_OK;
}

static crd_status own_neighbours(crd_graph *graph, crd_error *error)
{
    const int64_t edges = graph->start[graph->nodes];
    int32_t *neighbour;
    if (!graph->neighbour_borrowed) return CRD_OK;
    crd_status status = CRD_NEW(&neighbour, edges, error);
    if (status != CRD_OK) return status;
    if (edges > 0) memcpy(neighbour, graph->neighbour, (size_t)edges * sizeof *neighbour);
    graph->neighbour = neighbour;
    graph->neighbour_borrowed = false;
    return CRD_OK;
}

crd_status crd_graph_own(crd_graph *graph, crd_error *error)
{
    crd_status status = own_neighbours(graph, error);
    return status == CRD_OK ? own_start(graph, error) : status;
}

crd_status crd_graph_new(int64_t nodes, int64_t edges, crd_graph *graph, crd_error *error)
{
    *graph = (crd_graph){.nodes = nodes};
    crd_status status = CRD_NEW_ZERO(&graph->start, nodes + 1, error);
    if (status == CRD_OK) status = CRD_NEW(&graph->neighbour, edges, error);
    if (status != CRD_OK) crd_graph_free(graph);
    return status;
}

/* start[i + 1] holds how many entries row i has; afterwards, start[i] says where row i begins. */
static void sum_up(int64_t *start, int64_t nodes)
{
    for (int64_t i = 0; i < nodes; i++) start[i + 1] += start[i];
}

/* Scattering moves start[i] from row i's beginning to its end, which is row i + 1's beginning. Moving all of them one
 * place up undoes this, without a second array of cursors. */
static void restore_start(int64_t *start, int64_t nodes)
{
    for (int64_t i = nodes; i > 0; i--) start[i] = start[i - 1];
    start[0] = 0;
}

/* start_out[i + 1] grows by how often `item` has i. */
static crd_status count_items(const int32_t *item, int64_t count, int64_t *start_out, crd_error *error)
{
    for (int64_t e = 0; e < count; e++) {
        if (crd_watch_at(e)) return crd_watch_stopped(error);
        start_out[item[e] + 1]++;
    }
    return CRD_OK;
}

crd_status crd_transpose_rows(int64_t rows, int64_t columns, const int64_t *start, const int32_t *column,
                              const float *value, int64_t *start_out, int32_t *column_out, float *value_out,
                              crd_error *error)
{
    crd_status status = count_items(column, start[rows], start_out, error);
    if (status != CRD_OK) return status;
    sum_up(start_out, columns);
    for (int64_t i = 0; i < rows; i++) {
        if (crd_watch_at(i)) return crd_watch_stopped(error);
        for (int64_t e = start[i]; e < start[i + 1]; e++) {
            const int64_t at = start_out[column[e]]++;
            column_out[at] = (int32_t)i;
            if (value != NULL) value_out[at] = value[e];
        }
    }
    restore_start(start_out, columns);
    return CRD_OK;
}

crd_status crd_gather_rows(int64_t rows, int64_t count, const int32_t *row, const int32_t *column, const float *value,
                           int64_t *start_out, int32_t *column_out, float *value_out, crd_error *error)
{
    crd_status status = count_items(row, count, start_out, error);
    if (status != CRD_OK) return status;
    sum_up(start_out, rows);
    for (int64_t e = 0; e < count; e++) {
        if (crd_watch_at(e)) return crd_watch_stopped(error);
        const int64_t at = start_out[row[e]]++;
        column_out[at] = column[e];
        if (value != NULL) value_out[at] = value[e];
    }
    restore_start(start_out, rows);
    return CRD_OK;
}

/* Sorts in place: by the highest bit, then both parts by the next one. Linear in the items, whatever they are. */
static void sort_by_bits(int32_t *item, int64_t count, uint32_t bit)
{
    enum { FEW = 24 };
    while (count > FEW && bit != 0) {
        int64_t low = 0, high = count;
        while (low < high) {
            const int32_t first = item[low];
            if (((uint32_t)first & bit) == 0) {
                low++;
                continue;
            }
            item[low] = item[--high];
            item[high] = first;
        }
        bit >>= 1;
        sort_by_bits(item + low, count - low, bit);
        count = low;
    }
    for (int64_t i = 1; i < count; i++) { /* few, or all are equal */
        const int32_t moved = item[i];
        int64_t at = i;
        for (; at > 0 && item[at - 1] > moved; at--) item[at] = item[at - 1];
        item[at] = moved;
    }
}

static bool is_sorted(const int32_t *item, int64_t count)
{
    for (int64_t i = 1; i < count; i++)
        if (item[i - 1] > item[i]) return false;
    return true;
}

static crd_status sort_rows(crd_graph *graph, crd_error *error)
{
    uint32_t bit = 1;
    while ((int64_t)bit << 1 < graph->nodes) bit <<= 1;
    for (int64_t i = 0; i < graph->nodes; i++) {
        if (crd_watch_at(i)) return crd_watch_stopped(error);
        int32_t *row = graph->neighbour + graph->start[i];
        const int64_t count = graph->start[i + 1] - graph->start[i];
        if (!is_sorted(row, count)) sort_by_bits(row, count, bit);
    }
    return CRD_OK;
}

/* In rows that are in order. */
static crd_status count_repetitions(const crd_graph *graph, int64_t *count, crd_error *error)
{
    *count = 0;
    for (int64_t i = 0; i < graph->nodes; i++) {
        if (crd_watch_at(i)) return crd_watch_stopped(error);
        for (int64_t e = graph->start[i] + 1; e < graph->start[i + 1]; e++)
            *count += graph->neighbour[e - 1] == graph->neighbour[e];
    }
    return CRD_OK;
}

/* Drops repetitions from rows that are in order. */
static crd_status drop_repetitions(crd_graph *graph, crd_error *error)
{
    int64_t kept = 0, begin = 0;
    for (int64_t i = 0; i < graph->nodes; i++) {
        if (crd_watch_at(i)) return crd_watch_stopped(error);
        int64_t end = graph->start[i + 1], row = kept;
        for (int64_t e = begin; e < end; e++)
            if (kept == row || graph->neighbour[kept - 1] != graph->neighbour[e])
                graph->neighbour[kept++] = graph->neighbour[e];
        begin = end;
        graph->start[i + 1] = kept;
    }
    CRD_SHRINK(&graph->neighbour, kept);
    return CRD_OK;
}

static crd_status check_pairs(int64_t nodes, int64_t count, const int32_t *source, const int32_t *target,
                              crd_error *error)
{
    for (int64_t e = 0; e < count; e++) {
        if (crd_watch_at(e)) return crd_watch_stopped(error);
        if (source[e] < 0 || source[e] >= nodes || target[e] < 0 || target[e] >= nodes)
            return crd_fail(error, CRD_ERROR_ARGUMENT, "edge %lld joins nodes %ld and %ld, but the nodes are 0 to %lld",
                            (long long)e, (long)source[e], (long)target[e], (long long)nodes - 1);
    }
    return CRD_OK;
}

crd_status crd_graph_from_pairs(int64_t nodes, int64_t count, const int32_t *source, const int32_t *target,
                                crd_graph *graph, int64_t *duplicates, crd_error *error)
{
    *graph = (crd_graph){0};
    *duplicates = 0;
    if (nodes < 0 || nodes > CRD_MAX_NODES)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "a graph of %lld nodes: at most %lld can be held", (long long)nodes,
                        (long long)CRD_MAX_NODES);
    crd_status status = check_pairs(nodes, count, source, target, error);
    if (status == CRD_OK) status = crd_graph_new(nodes, count, graph, error);
    if (status == CRD_OK)
        status = crd_gather_rows(nodes, count, source, target, NULL, graph->start, graph->neighbour, NULL, error);
    if (status == CRD_OK) status = sort_rows(graph, error);
    if (status == CRD_OK) status = count_repetitions(graph, duplicates, error);
    if (status == CRD_OK && *duplicates > 0) status = drop_repetitions(graph, error);
    if (status != CRD_OK) crd_graph_free(graph);
    return status;
}

/* Checks that the neighbours exist. *sorted: the rows are in order; *repeated: an entry is there twice in a row. */
static crd_status check_rows(const crd_graph *graph, bool *sorted, bool *repeated, crd_error *error)
{
    *sorted = true;
    *repeated = false;
    for (int64_t i = 0; i < graph->nodes; i++) {
        if (crd_watch_at(i)) return crd_watch_stopped(error);
        for (int64_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
            int32_t neighbour = graph->neighbour[e];
            if (neighbour < 0 || neighbour >= graph->nodes)
                return crd_fail(error, CRD_ERROR_FORMAT,
                                "row %lld of the graph has neighbour %ld, but the nodes are 0 to %lld", (long long)i,
                                (long)neighbour, (long long)graph->nodes - 1);
            if (e == graph->start[i]) continue;
            *sorted &= graph->neighbour[e - 1] <= neighbour;
            *repeated |= graph->neighbour[e - 1] == neighbour;
        }
    }
    return CRD_OK;
}

crd_status crd_graph_tidy(crd_graph *graph, int64_t *duplicates, crd_error *error)
{
    bool sorted, repeated;
    *duplicates = 0;
    crd_status status = check_rows(graph, &sorted, &repeated, error);
    if (status != CRD_OK || (sorted && !repeated)) return status;
    status = own_neighbours(graph, error);
    if (status != CRD_OK) return status;
    int64_t count = 0;
    if (!sorted) status = sort_rows(graph, error);
    if (status == CRD_OK) status = count_repetitions(graph, &count, error);
    if (status != CRD_OK || count == 0) return status;
    status = own_start(graph, error);
    if (status == CRD_OK) status = drop_repetitions(graph, error);
    if (status == CRD_OK) *duplicates = count;
    return status;
}

/* ---- both directions ---- */

/* Whether row j has i. place[j] is where row j was left, at first its beginning: as i only grows, it only moves on, so
 * that all these walks together are linear. */
static bool has_reverse(const crd_graph *graph, int64_t i, int32_t j, int64_t *place)
{
    const int64_t end = graph->start[j + 1];
    int64_t at = place[j];
    while (at < end && graph->neighbour[at] < i) at++;
    place[j] = at;
    return at < end && graph->neighbour[at] == i;
}

static void go_to_beginnings(const crd_graph *graph, int64_t *place)
{
    if (graph->nodes > 0) memcpy(place, graph->start, (size_t)graph->nodes * sizeof *place);
}

/* Counts edges, and the neighbours of each node in both directions: those of node i are length[i], which begins as 0.
 * A neighbour in both directions counts once. */
static crd_status count_directions(const crd_graph *input, int64_t *place, int64_t *length, crd_directions *found,
                                   crd_error *error)
{
    *found = (crd_directions){0};
    go_to_beginnings(input, place);
    for (int64_t i = 0; i < input->nodes; i++) {
        if (crd_watch_at(i)) return crd_watch_stopped(error);
        for (int64_t e = input->start[i]; e < input->start[i + 1]; e++) {
            const int32_t j = input->neighbour[e];
            const bool mutual = j > i && has_reverse(input, i, j, place);
            found->self_loops += j == i;
            found->mutual += 2 * mutual;
            length[i] += (j != i) - mutual;
            length[j] += (j != i) - mutual;
        }
    }
    found->entries = input->start[input->nodes] - found->self_loops;
    return CRD_OK;
}

/* Every row begins with the nodes that lead to it, in ascending order; place[j] becomes the end of them. */
static crd_status scatter_reverses(const crd_graph *input, int64_t *place, crd_graph *graph, crd_error *error)
{
    go_to_beginnings(graph, place);
    for (int64_t i = 0; i < input->nodes; i++) {
        if (crd_watch_at(i)) return crd_watch_stopped(error);
        for (int64_t e = input->start[i]; e < input->start[i + 1]; e++) {
            const int32_t j = input->neighbour[e];
            if (j != i) graph->neighbour[place[j]++] = (int32_t)i;
        }
    }
    return CRD_OK;
}

/* Merges row i of the input into a row of `length` that begins with the `count` nodes that lead to it. From the end on:
 * what is not merged yet fits into the room that is left. */
static void merge_row(const crd_graph *input, int64_t i, int32_t *row, int64_t count, int64_t length)
{
    for (int64_t e = input->start[i + 1] - 1; e >= input->start[i]; e--) {
        const int32_t next = input->neighbour[e];
        if (next == i) continue;
        while (count > 0 && row[count - 1] > next) row[--length] = row[--count];
        count -= count > 0 && row[count - 1] == next;
        row[--length] = next;
    }
}

/* `start` of the graph holds the lengths of its rows, one place up. */
static crd_status fill_both(const crd_graph *input, int64_t *place, crd_graph *graph, crd_error *error)
{
    sum_up(graph->start, graph->nodes);
    crd_status status = CRD_NEW(&graph->neighbour, graph->start[graph->nodes], error);
    if (status != CRD_OK) return status;
    status = scatter_reverses(input, place, graph, error);
    for (int64_t i = 0; i < graph->nodes && status == CRD_OK; i++) {
        if (crd_watch_at(i)) status = crd_watch_stopped(error);
        const int64_t begin = graph->start[i];
        merge_row(input, i, graph->neighbour + begin, place[i] - begin, graph->start[i + 1] - begin);
    }
    return status;
}

/* Neither pairs nor a transposed graph: they would take as much memory as the input itself. */
static crd_status make_symmetric(const crd_graph *input, bool may_share, crd_directions *found, bool *shared,
                                 crd_graph *graph, crd_error *error)
{
    int64_t *place;
    *graph = (crd_graph){.nodes = input->nodes};
    crd_status status = CRD_NEW(&place, input->nodes, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&graph->start, input->nodes + 1, error);
    if (status == CRD_OK) status = count_directions(input, place, graph->start + 1, found, error);
    *shared = status == CRD_OK && may_share && found->mutual == found->entries && found->self_loops == 0;
    if (status == CRD_OK && !*shared) status = fill_both(input, place, graph, error);
    crd_free(place);
    if (status != CRD_OK || *shared) crd_graph_free(graph);
    if (*shared) *graph = *input;
    return status;
}

crd_status crd_graph_symmetric(const crd_graph *input, crd_graph *graph, crd_error *error)
{
    crd_directions found;
    bool shared;
    return make_symmetric(input, false, &found, &shared, graph, error);
}

crd_status crd_graph_share_symmetric(const crd_graph *input, crd_directions *found, bool *shared, crd_graph *graph,
                                     crd_error *error)
{
    return make_symmetric(input, true, found, shared, graph, error);
}

bool crd_graph_has_edge(const crd_graph *graph, int64_t from, int64_t to)
{
    int64_t low = graph->start[from], high = graph->start[from + 1];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (graph->neighbour[middle] < to) low = middle + 1;
        else high = middle;
    }
    return low < graph->start[from + 1] && graph->neighbour[low] == to;
}

bool crd_graph_is_symmetric(const crd_graph *graph)
{
    for (int64_t i = 0; i < graph->nodes; i++)
        for (int64_t e = graph->start[i]; e < graph->start[i + 1]; e++)
            if (!crd_graph_has_edge(graph, graph->neighbour[e], i)) return false;
    return true;
}

crd_status crd_nodes_by_class(const int32_t *labels, int64_t nodes, int32_t classes, int64_t **members, int64_t **start,
                              crd_error *error)
{
    *members = NULL;
    crd_status status = CRD_NEW_ZERO(start, (int64_t)classes + 1, error);
    if (status == CRD_OK) status = CRD_NEW(members, nodes, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < nodes; i++)
        if (labels[i] >= 0) (*start)[labels[i] + 1]++;
    sum_up(*start, classes);
    for (int64_t i = 0; i < nodes; i++)
        if (labels[i] >= 0) (*members)[(*start)[labels[i]]++] = i;
    restore_start(*start, classes);
    return CRD_OK;
}
