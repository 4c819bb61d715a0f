/* SPDX-License-Identifier: MIT */
/* A graph that grows: the compressed rows of a graph, and beside them the edges that came later. */
#ifndef CRD_GRAPH_GROWING_H
#define CRD_GRAPH_GROWING_H

#include "graph/graph.h"

typedef struct crd_link {
    int32_t neighbour, next; /* next: the link before this one of the same node; -1: none */
} crd_link;

typedef struct crd_growing {
    int64_t nodes, settled; /* nodes; how many of them have compressed rows */
    const int64_t *start;   /* the compressed rows, as in crd_graph */
    const int32_t *neighbour;
    crd_graph own;   /* their arrays, unless they still belong to the graph that it began with */
    int32_t *degree; /* [nodes] */
    int32_t *last;   /* [nodes]: the newest link; -1: none */
    int64_t degree_room, last_room;
    crd_link *link;
    int64_t links, link_room;
} crd_growing;

/* Begins with a symmetric graph without self-loops, which must outlive it. A failed open leaves nothing to close. */
crd_status crd_growing_open(const crd_graph *graph, crd_growing *growing, crd_error *error);
void crd_growing_close(crd_growing *growing);
/* Makes room for so many more nodes and edges: the next two calls then cannot fail. */
crd_status crd_growing_reserve(crd_growing *growing, int64_t nodes, int64_t edges, crd_error *error);
void crd_growing_add_nodes(crd_growing *growing, int64_t count);
/* False if there is such an edge already, or if it is a self-loop: then nothing changes. */
bool crd_growing_add_edge(crd_growing *growing, int64_t from, int64_t to);
/* Takes back the newest nodes and links, until so many are left. There was no settling since. */
void crd_growing_forget(crd_growing *growing, int64_t nodes, int64_t links);
/* Moves all edges into the compressed rows, which ascend. A failure changes nothing. */
crd_status crd_growing_settle(crd_growing *growing, crd_error *error);

/* The neighbours of a node: those that came last first, then the compressed row. */
typedef struct crd_neighbours {
    const crd_link *link;
    int32_t next;            /* link */
    const int32_t *at, *end; /* of the row */
} crd_neighbours;

static inline crd_neighbours crd_neighbours_of(const crd_growing *g, int64_t node)
{
    const bool has_row = node < g->settled;
    return (crd_neighbours){g->link, g->last[node], g->neighbour + (has_row ? g->start[node] : 0),
                            g->neighbour + (has_row ? g->start[node + 1] : 0)};
}

/* The next neighbour, or -1. */
static inline int32_t crd_neighbours_next(crd_neighbours *n)
{
    if (n->next >= 0) {
        const crd_link *link = &n->link[n->next];
        n->next = link->next;
        return link->neighbour;
    }
    return n->at < n->end ? *n->at++ : -1;
}

#endif
