/* SPDX-License-Identifier: MIT */
/* A graph as compressed rows: the neighbours of node i are neighbour[start[i]] .. neighbour[start[i+1]-1],
 * in ascending order and without repetition. */
#ifndef CRD_GRAPH_GRAPH_H
#define CRD_GRAPH_GRAPH_H

#include "base/memory.h"

typedef struct crd_graph {
    int64_t nodes;
    int64_t *start;                          /* nodes + 1 */
    int32_t *neighbour;                      /* start[nodes] */
    bool start_borrowed, neighbour_borrowed; /* such an array is a caller's: it is neither written nor freed */
} crd_graph;

void crd_graph_free(crd_graph *graph);
/* Copies what is borrowed. After a failure the graph is still good. */
crd_status crd_graph_own(crd_graph *graph, crd_error *error);
/* Room for `edges` edges; every start is 0. A failure leaves nothing to free. */
crd_status crd_graph_new(int64_t nodes, int64_t edges, crd_graph *graph, crd_error *error);
/* From pairs in any order; drops repetitions and counts them. Needs no memory besides the graph's own. */
crd_status crd_graph_from_pairs(int64_t nodes, int64_t count, const int32_t *source, const int32_t *target,
                                crd_graph *graph, int64_t *duplicates, crd_error *error);
/* Sorts the rows and drops repetitions, in place; borrowed arrays that are not right already are copied first. The
 * starts must be good; neighbours are checked. */
crd_status crd_graph_tidy(crd_graph *graph, int64_t *duplicates, crd_error *error);
/* What every model sees: 1[(A + A') != 0] without self-loops. Besides the graph it needs 8 bytes for each node. */
crd_status crd_graph_symmetric(const crd_graph *input, crd_graph *graph, crd_error *error);
/* Entries of a graph: how many there are besides self-loops, and how many of them have their reverse. */
typedef struct crd_directions {
    int64_t entries, mutual, self_loops;
} crd_directions;

/* The same, but if the input is that already, *shared is true and *graph has the arrays of the input. */
crd_status crd_graph_share_symmetric(const crd_graph *input, crd_directions *found, bool *shared, crd_graph *graph,
                                     crd_error *error);
/* Whether every edge has its reverse; self-loops do not matter. */
bool crd_graph_is_symmetric(const crd_graph *graph);
bool crd_graph_has_edge(const crd_graph *graph, int64_t from, int64_t to);

/* Compressed rows from pairs in any order, with values or without (NULL). start_out begins as rows + 1 zeros. Pairs of
 * the same row stay in their order. */
crd_status crd_gather_rows(int64_t rows, int64_t count, const int32_t *row, const int32_t *column, const float *value,
                           int64_t *start_out, int32_t *column_out, float *value_out, crd_error *error);

/* Transposes compressed rows, with values or without (NULL). start_out begins as columns + 1 zeros. Rows of the
 * result ascend, even if those of the input do not: this is a counting sort by column, and transposing twice sorts the
 * rows in linear time. */
crd_status crd_transpose_rows(int64_t rows, int64_t columns, const int64_t *start, const int32_t *column,
                              const float *value, int64_t *start_out, int32_t *column_out, float *value_out,
                              crd_error *error);

/* The labelled nodes, class after class and in ascending order within each: the nodes of class c are
 * (*members)[(*start)[c]] .. (*members)[(*start)[c + 1] - 1]. The caller frees both, even after a failure. */
crd_status crd_nodes_by_class(const int32_t *labels, int64_t nodes, int32_t classes, int64_t **members, int64_t **start,
                              crd_error *error);

#endif
