/* SPDX-License-Identifier: MIT */
/* What the strips of a diffusion lag behind a graph that has grown since they were computed.
 *
 * With P_ij = (1 - teleport) / (degree_i + 1) if i and j are neighbours or the same, the rows X(k) that are wanted are
 * X(k) = P X(k-1) + teleport X(0). The rows Y(k) that are there leave something over:
 *
 *     L(k) = P Y(k-1) + teleport X(0) - Y(k)    and    L(0) = X(0) - Y(0)
 *
 * which is 0 but for nodes with new edges, and easy to get from these edges. Then
 *
 *     X(steps)_i = Y(steps)_i + sum over m = 0 ... steps of (P^m)_i L(steps - m)
 *
 * and (P^m)_i says where a walk from i is after m steps (random_walk.h): one number per node, however many columns
 * there are. What is approximate about it is the walk alone: a part of what it knows by groups is wrong. How large that
 * part is shows whenever everything is computed again, and later answers go by it. Nothing adds up from answer to
 * answer, for the rows stay as they are until then. */
#ifndef CRD_ANSWERS_LAG_H
#define CRD_ANSWERS_LAG_H

#include "answers/random_walk.h"
#include "answers/strips.h"

enum { CRD_LAG_TRIED = 16 };

typedef struct crd_lag {
    bool fresh;        /* the lag is known; else everything has to be computed before the next answer */
    bool evidence;     /* columns are evidence, and count by what they change of 1 + evidence; else logits */
    double weight;     /* how much an answer changes with a column, at most */
    int64_t count;     /* nodes with a lag: */
    int64_t most;      /* (there may be so many) */
    int32_t *node;     /* [count] */
    int32_t *place;    /* [nodes]: 1 + the place among these; 0: none */
    float *over;       /* [count][steps + 1][columns, padded]: L */
    float *volume;     /* [count]: degree + 1 */
    float *arrives;    /* [count][groups], see crd_groups_arrive */
    double *size;      /* [steps + 1][columns, padded]: the sum of |L|, weighed */
    double *row;       /* [columns, padded]: an answer, divided by the root of degree + 1 */
    double *by_groups; /* [columns, padded]: how much of it the groups may have given */
    double part;       /* of what groups give that may be wrong; */
    double always;     /* and what else was wrong lately, in units of what may be seen */
    int64_t answers;   /* given; the last of them were for these nodes: */
    int32_t asked[CRD_LAG_TRIED];
    int64_t tried;                       /* of these, before everything was computed again: */
    double *tried_row, *tried_by_groups; /* [tried][columns, padded] */
    crd_groups groups;
    crd_random_walk walk;
    int64_t node_room, place_room, over_room, volume_room, arrives_room;
    bool supposed;           /* what came last is only supposed, and stands behind what is kept: */
    int64_t kept, kept_most; /* `count` and `most` before, */
    double *kept_size;       /* and `size` */
    int64_t kept_size_room;
} crd_lag;

/* Closing is always allowed, even after a failure. */
crd_status crd_lag_open(crd_lag *lag, const crd_strips *strips, bool evidence, double weight, crd_error *error);
void crd_lag_close(crd_lag *lag);
/* Room for this many nodes in all. */
crd_status crd_lag_reserve(crd_lag *lag, const crd_strips *strips, int64_t nodes, crd_error *error);
/* Before crd_strips_run, and before the graph is settled: answers for some nodes, to learn from. */
void crd_lag_try(crd_lag *lag, const crd_strips *strips, const crd_growing *graph);
/* After crd_strips_run: nothing lags. */
void crd_lag_clear(crd_lag *lag, const crd_strips *strips, const crd_growing *graph);
/* The scale of a node by its degree. */
void crd_lag_scale(crd_strips *strips, const crd_growing *graph, int64_t node);
/* After nodes and edges were added: these nodes are new or have new edges, each once, new ones ascending. The graph was
 * settled when nothing lagged. */
void crd_lag_follow(crd_lag *lag, crd_strips *strips, const crd_growing *graph, const int32_t *nodes, int64_t count);
/* What is followed from here on, at most so many nodes, is only supposed, until it is forgotten: then everything is as
 * before, to the last bit. Answers
 * are always good: a walk that groups do not know well enough is followed node by node. The lag must be known (fresh).
 */
crd_status crd_lag_suppose(crd_lag *lag, const crd_strips *strips, int64_t nodes, crd_error *error);
void crd_lag_forget(crd_lag *lag);
/* Whether so many answers cost less than computing everything. */
bool crd_lag_pays(const crd_lag *lag, const crd_strips *strips, const crd_growing *graph, int64_t answers);
/* The columns of a node after all steps. False if they may be too wrong; then everything has to be computed. */
bool crd_lag_answer(crd_lag *lag, const crd_strips *strips, const crd_growing *graph, int64_t node, float *columns);

#endif
