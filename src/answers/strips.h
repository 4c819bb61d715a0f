/* SPDX-License-Identifier: MIT */
/* Diffused columns of every node after each step, kept while the graph grows.
 *
 * Diffusion is that of kernels/diffusion.h. Its steps work on rows that are divided by the root of degree + 1:
 *
 *     X(k+1)_i = (1 - teleport) / (degree_i + 1) * (X(k)_i + sum over neighbours of X(k)_j) + teleport * X(0)_i
 *
 * so a new edge changes the equations of its two ends and of no other node. What follows for other nodes is a ripple: a
 * difference that spreads along the edges and gets smaller by the degree at every step. It is computed exactly where it
 * is large enough. What flows on from there is spread evenly over groups of nodes, as if walks that are long forgot
 * where in a group they began: one number per group, step and column. A running estimate says when these
 * approximations together may be seen in an answer; then everything is computed again. */
#ifndef CRD_ANSWERS_STRIPS_H
#define CRD_ANSWERS_STRIPS_H

#include "graph/growing.h"
#include "kernels/diffusion.h"

enum { CRD_STRIP_GROUPS = 64 };

/* Nodes near a change, and the difference that it makes to them. */
typedef struct crd_ripple {
    int64_t count, changed; /* nodes; the first of them are those whose equations change */
    int64_t out_count;      /* candidates of the next ring */
    int64_t scanned;        /* neighbours looked at so far */
    int32_t *node;          /* [count] */
    float *reach;           /* [count]: about how large the difference is */
    float *outside;         /* [count]: neighbours that the ripple leaves out; */
    float *share;           /* [count]: the mean of 1 / (degree + 1) of these */
    int64_t last_ring;      /* where the ring begins whose own neighbours are not known; count: none */
    int64_t edges, new_edges;
    int32_t *end;   /* [2 edges]: both ends of every edge in it, by their places */
    int64_t *start; /* [count + 1]: where the neighbours begin that it has, by their places in it */
    int32_t *neighbour;
    int64_t *new_start; /* [changed + 1]: the same for the ends of new edges */
    int32_t *new_neighbour;
    int32_t *candidate;
    float *now, *next; /* [count][width]: the difference after a step */
    float *border;     /* [count][width]: the mean difference of the neighbours outside */
    float *before;     /* [steps + 1][changed][width]: rows before the change */
    int64_t room[14];  /* of these arrays */
    int32_t *place;    /* [nodes]: 1 + the place of a node; 0: it is not here */
    float *inflow;     /* [nodes]: for candidates; else 0 */
    int64_t marks, inflow_room;
} crd_ripple;

typedef struct crd_strips {
    int64_t columns, width, strips; /* `strips` times `width` columns, of which the first `columns` count */
    int64_t steps, nodes;
    float teleport;
    float **row;    /* [strips][steps + 1]: rows after each step, [nodes][width] */
    float **origin; /* [strips]: what is diffused, [nodes][width] */
    int64_t *room;  /* of these arrays */
    float *s;       /* [nodes]: 1/sqrt(degree + 1) */
    uint8_t *group; /* [nodes] */
    int64_t s_room, group_room;
    int groups;
    int64_t grouped;                                    /* the nodes when groups were last made */
    double between[CRD_STRIP_GROUPS][CRD_STRIP_GROUPS]; /* edges between groups, in both directions; nodes count as
                                                          their own neighbours */
    double volume[CRD_STRIP_GROUPS];                    /* the sum of a row of `between` */
    float *far;                                         /* [strips][steps + 1][groups][width]: added to every row */
    double usual_share;                                 /* the mean over edges of 1 / (degree + 1) of an end */
    double doubt;  /* how wrong a column may be since everything was computed, in units of the columns */
    bool evidence; /* else logits */
    double *unit;  /* [columns]: what counts as 1 in a column */
    double size;   /* of the largest column */
    double weight; /* about how much an answer changes with a column */
    bool fresh;    /* else everything has to be computed before the next answer */
    crd_ripple ripple;
} crd_strips;

/* `groups` of the columns, the first ones, say to which group a node belongs: the largest. Freeing is always allowed,
 * even after a failure. */
crd_status crd_strips_open(crd_strips *strips, int64_t columns, int64_t groups, int64_t steps, double teleport,
                           bool evidence, crd_error *error);
void crd_strips_close(crd_strips *strips);
/* Room for this many nodes in all. */
crd_status crd_strips_reserve(crd_strips *strips, int64_t nodes, crd_error *error);
/* Adds a node, for which there is room, and the columns to diffuse. */
void crd_strips_add(crd_strips *strips, const float *columns);
/* Computes everything; the graph is settled and has the same nodes. */
void crd_strips_run(crd_strips *strips, const crd_growing *graph, const crd_kernels *kernels, crd_team *team);

typedef struct crd_change {
    const int32_t *node; /* all ends of new edges and all new nodes, each once */
    int64_t count;
    const int32_t *degree; /* of these nodes before; -1: the node is new */
    int64_t links;         /* of the graph before */
} crd_change;

/* After a change of the graph and crd_strips_add. If it would cost more than crd_strips_run, or if there is no memory,
 * the strips are no longer fresh. */
void crd_strips_follow(crd_strips *strips, const crd_growing *graph, const crd_change *change);
/* The parts of this that ripple.c does. Finds the nodes near a change, if their neighbours are not many more than
 * `most`: then `scanned` is more than that; their edges, by both ends; how many neighbours they have outside. */
crd_status crd_ripple_find(crd_strips *strips, const crd_growing *graph, const crd_change *change, int64_t most,
                           crd_error *error);
crd_status crd_ripple_sort(crd_strips *strips, crd_error *error);
void crd_ripple_count_outside(const crd_growing *graph, double usual_share, crd_ripple *ripple);
void crd_ripple_close(crd_ripple *ripple);

/* The columns of a node after all steps. The strips are fresh. */
void crd_strips_get(const crd_strips *strips, int64_t node, float *columns);

#endif
