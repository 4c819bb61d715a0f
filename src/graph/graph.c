#include "graph/graph.h"

#include <stdlib.h>
#include <string.h>

void crd_graph_free(crd_graph *graph)
{
    free(graph->start);
    free(graph->neighbour);
    *graph = (crd_graph){0};
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

void crd_transpose_rows(int64_t rows, int64_t columns, const int64_t *start, const int32_t *column, const float *value,
                        int64_t *start_out, int32_t *column_out, float *value_out)
{
    for (int64_t e = 0; e < start[rows]; e++) start_out[column[e] + 1]++;
    sum_up(start_out, columns);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t e = start[i]; e < start[i + 1]; e++) {
            const int64_t at = start_out[column[e]]++;
            column_out[at] = (int32_t)i;
            if (value != NULL) value_out[at] = value[e];
        }
    restore_start(start_out, columns);
}

void crd_gather_rows(int64_t rows, int64_t count, const int32_t *row, const int32_t *column, const float *value,
                     int64_t *start_out, int32_t *column_out, float *value_out)
{
    for (int64_t e = 0; e < count; e++) start_out[row[e] + 1]++;
    sum_up(start_out, rows);
    for (int64_t e = 0; e < count; e++) {
        const int64_t at = start_out[row[e]]++;
        column_out[at] = column[e];
        if (value != NULL) value_out[at] = value[e];
    }
    restore_start(start_out, rows);
}

static crd_status transpose(const crd_graph *graph, crd_graph *transposed, crd_error *error)
{
    const int64_t nodes = graph->nodes;
    crd_status status = crd_graph_new(nodes, graph->start[nodes], transposed, error);
    if (status == CRD_OK)
        crd_transpose_rows(nodes, nodes, graph->start, graph->neighbour, NULL, transposed->start, transposed->neighbour,
                           NULL);
    return status;
}

/* Drops repetitions from rows that are in order. */
static int64_t drop_repetitions(crd_graph *graph)
{
    int64_t kept = 0, begin = 0, before = graph->start[graph->nodes];
    for (int64_t i = 0; i < graph->nodes; i++) {
        int64_t end = graph->start[i + 1], row = kept;
        for (int64_t e = begin; e < end; e++)
            if (kept == row || graph->neighbour[kept - 1] != graph->neighbour[e])
                graph->neighbour[kept++] = graph->neighbour[e];
        begin = end;
        graph->start[i + 1] = kept;
    }
    if (kept < before) CRD_SHRINK(&graph->neighbour, kept);
    return before - kept;
}

crd_status crd_graph_from_pairs(int64_t nodes, int64_t count, const int32_t *source, const int32_t *target,
                                crd_graph *graph, int64_t *duplicates, crd_error *error)
{
    *graph = (crd_graph){0};
    *duplicates = 0;
    if (nodes < 0 || nodes > INT32_MAX)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "a graph of %lld nodes: at most %lld can be held", (long long)nodes,
                        (long long)INT32_MAX);
    for (int64_t e = 0; e < count; e++)
        if (source[e] < 0 || source[e] >= nodes || target[e] < 0 || target[e] >= nodes)
            return crd_fail(error, CRD_ERROR_ARGUMENT, "edge %lld joins nodes %ld and %ld, but the nodes are 0 to %lld",
                            (long long)e, (long)source[e], (long)target[e], (long long)nodes - 1);
    /* Rows by target first, then one transposition: this gives sorted rows by source. */
    crd_graph by_target;
    crd_status status = crd_graph_new(nodes, count, &by_target, error);
    if (status != CRD_OK) return status;
    crd_gather_rows(nodes, count, target, source, NULL, by_target.start, by_target.neighbour, NULL);
    status = transpose(&by_target, graph, error);
    crd_graph_free(&by_target);
    if (status == CRD_OK) *duplicates = drop_repetitions(graph);
    return status;
}

/* Checks that the neighbours exist. *sorted: the rows are in order. */
static crd_status check_rows(const crd_graph *graph, bool *sorted, crd_error *error)
{
    *sorted = true;
    for (int64_t i = 0; i < graph->nodes; i++)
        for (int64_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
            int32_t neighbour = graph->neighbour[e];
            if (neighbour < 0 || neighbour >= graph->nodes)
                return crd_fail(error, CRD_ERROR_FORMAT,
                                "row %lld of the graph has neighbour %ld, but the nodes are 0 to %lld", (long long)i,
                                (long)neighbour, (long long)graph->nodes - 1);
            *sorted &= e == graph->start[i] || graph->neighbour[e - 1] <= neighbour;
        }
    return CRD_OK;
}

crd_status crd_graph_tidy(crd_graph *graph, int64_t *duplicates, crd_error *error)
{
    bool sorted;
    *duplicates = 0;
    crd_status status = check_rows(graph, &sorted, error);
    if (status != CRD_OK) return status;
    if (!sorted) {
        crd_graph transposed;
        status = transpose(graph, &transposed, error);
        if (status != CRD_OK) return status;
        memset(graph->start, 0, (size_t)(graph->nodes + 1) * sizeof *graph->start);
        crd_transpose_rows(graph->nodes, graph->nodes, transposed.start, transposed.neighbour, NULL, graph->start,
                           graph->neighbour, NULL);
        crd_graph_free(&transposed);
    }
    *duplicates = drop_repetitions(graph);
    return CRD_OK;
}

/* Writes the union of two ascending rows, without node i itself, to `merged` unless that is NULL;
 * returns its length. */
static int64_t merge_rows(const crd_graph *a, const crd_graph *b, int64_t i, int32_t *merged)
{
    int64_t p = a->start[i], q = b->start[i], length = 0;
    while (p < a->start[i + 1] || q < b->start[i + 1]) {
        bool has_a = p < a->start[i + 1], has_b = q < b->start[i + 1];
        int32_t next;
        if (has_a && (!has_b || a->neighbour[p] <= b->neighbour[q])) next = a->neighbour[p];
        else next = b->neighbour[q];
        p += has_a && a->neighbour[p] == next;
        q += has_b && b->neighbour[q] == next;
        if (next == i) continue;
        if (merged != NULL) merged[length] = next;
        length++;
    }
    return length;
}

crd_status crd_graph_symmetric(const crd_graph *input, crd_graph *graph, crd_error *error)
{
    crd_graph transposed;
    *graph = (crd_graph){.nodes = input->nodes};
    crd_status status = transpose(input, &transposed, error);
    if (status == CRD_OK) status = CRD_NEW(&graph->start, input->nodes + 1, error);
    if (status == CRD_OK) {
        graph->start[0] = 0;
        for (int64_t i = 0; i < input->nodes; i++)
            graph->start[i + 1] = graph->start[i] + merge_rows(input, &transposed, i, NULL);
        status = CRD_NEW(&graph->neighbour, graph->start[input->nodes], error);
    }
    if (status == CRD_OK)
        for (int64_t i = 0; i < input->nodes; i++)
            merge_rows(input, &transposed, i, graph->neighbour + graph->start[i]);
    crd_graph_free(&transposed);
    if (status != CRD_OK) crd_graph_free(graph);
    return status;
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

/* Searches instead of transposing: that needs no memory, so it cannot fail. */
void crd_graph_count_mutual(const crd_graph *graph, int64_t *entries, int64_t *mutual)
{
    *entries = *mutual = 0;
    for (int64_t i = 0; i < graph->nodes; i++)
        for (int64_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
            const int32_t other = graph->neighbour[e];
            *entries += other != i;
            if (other > i && crd_graph_has_edge(graph, other, i)) *mutual += 2;
        }
}

bool crd_graph_is_symmetric(const crd_graph *graph)
{
    int64_t entries, mutual;
    crd_graph_count_mutual(graph, &entries, &mutual);
    return mutual == entries;
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
