/* SPDX-License-Identifier: MIT */
/* Diffused columns of every node of a graph after each step.
 *
 * Diffusion is that of kernels/diffusion.h. Its steps work on rows that are divided by the root of degree + 1:
 *
 *     X(k+1)_i = (1 - teleport) / (degree_i + 1) * (X(k)_i + sum over neighbours of X(k)_j) + teleport * X(0)_i
 *
 * so a new edge changes the equations of its two ends and of no other node. The rows are those of the graph when they
 * were computed last; lag.h says what later edges change. */
#ifndef CRD_ANSWERS_STRIPS_H
#define CRD_ANSWERS_STRIPS_H

#include "graph/growing.h"
#include "kernels/diffusion.h"

typedef struct crd_strips {
    int64_t columns, width, strips; /* `strips` times `width` columns, of which the first `columns` count */
    int64_t steps, nodes;
    float teleport;
    float **row;    /* [strips][steps + 1]: rows after each step, [nodes][width] */
    float **origin; /* [strips]: what is diffused, [nodes][width] */
    int64_t *room;  /* of these arrays */
    float *s;       /* [nodes]: 1/sqrt(degree + 1) of the graph as it is */
    int64_t s_room;
} crd_strips;

/* Closing is always allowed, even after a failure. */
crd_status crd_strips_open(crd_strips *strips, int64_t columns, int64_t steps, double teleport, crd_error *error);
void crd_strips_close(crd_strips *strips);
/* Room for this many nodes in all. */
crd_status crd_strips_reserve(crd_strips *strips, int64_t nodes, crd_error *error);
/* Adds a node, for which there is room, and the columns to diffuse. It has no rows yet. */
void crd_strips_add(crd_strips *strips, const float *columns);
/* Computes everything; the graph is settled and has the same nodes. */
void crd_strips_run(crd_strips *strips, const crd_growing *graph, const crd_kernels *kernels, crd_team *team);

static inline float *crd_strips_row(const crd_strips *s, int64_t strip, int64_t step, int64_t node)
{
    return s->row[strip * (s->steps + 1) + step] + node * s->width;
}

static inline float crd_strips_last(const crd_strips *s, int64_t node, int64_t column)
{
    return crd_strips_row(s, column / s->width, s->steps, node)[column % s->width];
}

#endif
