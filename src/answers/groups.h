/* SPDX-License-Identifier: MIT */
/* Nodes grouped by their diffused columns.
 *
 * Where a long walk is likely to be changes slowly along the edges, and so do diffused columns: within a group of nodes
 * with similar columns it is about the same everywhere, in proportion to degree + 1. */
#ifndef CRD_ANSWERS_GROUPS_H
#define CRD_ANSWERS_GROUPS_H

#include "answers/strips.h"

enum { CRD_GROUPS = 64 };

typedef struct crd_groups {
    struct {
        int64_t column;
        float below;     /* those below go left */
    } split[CRD_GROUPS]; /* a tree: from split i to 2i or 2i + 1, from 1 on, and at last to a group */
    uint8_t *of;         /* [nodes] */
    int64_t room;
    double between[CRD_GROUPS][CRD_GROUPS]; /* edges between groups, both ways; every node is its own neighbour */
    double volume[CRD_GROUPS], whole;       /* the sums of its rows, and of all */
} crd_groups;

/* By the last step of the strips; there is room in `of`. It fails only if somebody asks to stop. */
crd_status crd_groups_make(crd_groups *groups, const crd_strips *strips, const crd_growing *graph, crd_error *error);
/* The group of a node that came later. */
uint8_t crd_groups_find(const crd_groups *groups, const crd_strips *strips, int64_t node);
/* For a node i, of each group the sum over its nodes j of (degree_j + 1) times the chance to come from j to i in two
 * steps: (degree_i + 1) times that from i to j. Neighbours of nodes with very many are taken as their group has them.
 */
void crd_groups_arrive(const crd_groups *groups, const crd_growing *graph, float keep, int64_t node,
                       float arrives[CRD_GROUPS]);

#endif
