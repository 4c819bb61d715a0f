/* SPDX-License-Identifier: MIT */
/* Reorders the nodes of a graph so that sums over neighbours are fast: neighbours are near each other in memory, and
 * consecutive rows mostly have the same length. */
#ifndef CRD_GRAPH_REORDER_H
#define CRD_GRAPH_REORDER_H

#include "base/memory.h"

typedef struct crd_reordered {
    int64_t nodes;
    int64_t *start;     /* nodes + 1: of the rows in the new order */
    int32_t *neighbour; /* new numbers, ascending in each row */
    int32_t *place;     /* [nodes]: a node's new number */
    int32_t *order;     /* [nodes]: the node of a new number */
    int64_t reached;    /* the nodes from here on have no path to one that is needed */
} crd_reordered;

/* Every edge must have its reverse, because rows are filled from their other ends. Components with a needed node come
 * first; needed [nodes] may be NULL: all are. The order depends on nothing else. Linear in nodes and edges. A failure
 * leaves nothing to free. */
crd_status crd_reorder(int64_t nodes, const int64_t *start, const int32_t *neighbour, const bool *needed,
                       crd_reordered *r, crd_error *error);
void crd_reordered_free(crd_reordered *r);

/* Finds groups of nodes with more edges inside than to others. community[i] is a number below `nodes` that the nodes
 * of a community share; no community has more than `most` nodes. It uses label propagation: for some rounds, every
 * node joins the community of most of its neighbours. Linear in nodes and edges. */
crd_status crd_communities(int64_t nodes, const int64_t *start, const int32_t *neighbour, int64_t most,
                           int32_t *community, crd_error *error);

#endif
