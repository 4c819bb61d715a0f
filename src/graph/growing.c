/* SPDX-License-Identifier: MIT */
#include "graph/growing.h"

#include <stdlib.h>
#include <string.h>

crd_status crd_growing_open(const crd_graph *graph, crd_growing *g, crd_error *error)
{
    *g = (crd_growing){.settled = graph->nodes, .start = graph->start, .neighbour = graph->neighbour};
    crd_status status = crd_growing_reserve(g, graph->nodes, 0, error);
    if (status != CRD_OK) {
        crd_growing_close(g);
        return status;
    }
    crd_growing_add_nodes(g, graph->nodes);
    for (int64_t i = 0; i < g->nodes; i++) g->degree[i] = (int32_t)(graph->start[i + 1] - graph->start[i]);
    return CRD_OK;
}

void crd_growing_close(crd_growing *g)
{
    crd_graph_free(&g->own);
    crd_free(g->degree);
    crd_free(g->last);
    crd_free(g->link);
    *g = (crd_growing){0};
}

crd_status crd_growing_reserve(crd_growing *g, int64_t nodes, int64_t edges, crd_error *error)
{
    int64_t all, links;
    if (!crd_add(g->nodes, nodes, &all) || all > INT32_MAX)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "a graph of %lld nodes and %lld new ones: at most %lld can be held",
                        (long long)g->nodes, (long long)nodes, (long long)INT32_MAX);
    if (edges > INT32_MAX / 2 || !crd_add(g->links, 2 * edges, &links) || links > INT32_MAX)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "%lld new edges are too many at once", (long long)edges);
    crd_status status = CRD_GROW(&g->degree, &g->degree_room, all, error);
    if (status == CRD_OK) status = CRD_GROW(&g->last, &g->last_room, all, error);
    if (status == CRD_OK) status = CRD_GROW(&g->link, &g->link_room, links, error);
    return status;
}

void crd_growing_add_nodes(crd_growing *g, int64_t count)
{
    for (int64_t i = g->nodes; i < g->nodes + count; i++) {
        g->degree[i] = 0;
        g->last[i] = -1;
    }
    g->nodes += count;
}

static bool has_edge(const crd_growing *g, int64_t from, int64_t to)
{
    const crd_graph rows = {
        .nodes = g->settled, .start = (int64_t *)(uintptr_t)g->start, .neighbour = (int32_t *)(uintptr_t)g->neighbour};
    for (int32_t l = g->last[from]; l >= 0; l = g->link[l].next)
        if (g->link[l].neighbour == to) return true;
    return from < g->settled && crd_graph_has_edge(&rows, from, to);
}

static void append(crd_growing *g, int64_t from, int64_t to)
{
    g->link[g->links] = (crd_link){(int32_t)to, g->last[from]};
    g->last[from] = (int32_t)g->links++;
    g->degree[from]++;
}

bool crd_growing_add_edge(crd_growing *g, int64_t from, int64_t to)
{
    /* The search is short from the end with fewer neighbours. */
    const bool swap = g->degree[from] > g->degree[to];
    if (from == to || has_edge(g, swap ? to : from, swap ? from : to)) return false;
    append(g, from, to);
    append(g, to, from);
    return true;
}

void crd_growing_forget(crd_growing *g, int64_t nodes, int64_t links)
{
    while (g->links > links) {
        const crd_link *link = &g->link[--g->links];
        const int32_t node = g->link[g->links ^ 1].neighbour; /* the two links of an edge stand side by side */
        g->last[node] = link->next;
        g->degree[node]--;
    }
    g->nodes = nodes;
}

static int ascending(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Writes the neighbours of a node in ascending order. The later ones are sorted at the end of the row, where they have
 * room, and then merged from the front. */
static void write_row(const crd_growing *g, int64_t node, int32_t *row)
{
    crd_neighbours n = crd_neighbours_of(g, node);
    const int64_t old = n.end - n.at, later = g->degree[node] - old;
    int32_t *extra = row + old;
    for (int64_t k = 0; k < later; k++) extra[k] = crd_neighbours_next(&n);
    if (later > 1) qsort(extra, (size_t)later, sizeof *extra, ascending);
    for (int64_t k = 0, l = 0; k < g->degree[node]; k++) {
        const bool from_row = l == later || (n.at < n.end && *n.at < extra[l]);
        row[k] = from_row ? *n.at++ : extra[l++];
    }
}

crd_status crd_growing_settle(crd_growing *g, crd_error *error)
{
    crd_graph rows;
    int64_t entries = 0;
    if (g->settled == g->nodes && g->links == 0) return CRD_OK;
    for (int64_t i = 0; i < g->nodes; i++) entries += g->degree[i];
    crd_status status = crd_graph_new(g->nodes, entries, &rows, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < g->nodes; i++) {
        rows.start[i + 1] = rows.start[i] + g->degree[i];
        if (g->last[i] >= 0) write_row(g, i, rows.neighbour + rows.start[i]);
        else if (i < g->settled && g->degree[i] > 0)
            memcpy(rows.neighbour + rows.start[i], g->neighbour + g->start[i],
                   (size_t)g->degree[i] * sizeof *rows.neighbour);
        g->last[i] = -1;
    }
    crd_graph_free(&g->own);
    g->own = rows;
    g->start = rows.start;
    g->neighbour = rows.neighbour;
    g->settled = g->nodes;
    g->links = 0;
    return CRD_OK;
}
