/* SPDX-License-Identifier: MIT */
/* Where a walk from a node may be after some steps, and how likely.
 *
 * A step goes to a neighbour or stays, all with the same chance, or the walk ends (teleport). The nodes where it is
 * likely to be are followed one by one, as many as are allowed. Of the others, the chance to be there is followed for
 * one more step, and from then on by groups of nodes only: as if long walks forgot where in a group they are. */
#ifndef CRD_ANSWERS_RANDOM_WALK_H
#define CRD_ANSWERS_RANDOM_WALK_H

#include "answers/groups.h"

typedef struct crd_random_walk {
    float keep;      /* the chance that it does not end with a step */
    int64_t allowed; /* neighbours that it may still look at */
    int64_t count;   /* nodes that are followed: */
    int32_t *node;   /* [count], */
    float *chance;   /* [nodes]: to be there; 0 for all others */
    int64_t leaving; /* nodes that were followed until the last step: */
    int32_t *gone;   /* [leaving], */
    float *left;     /* [nodes]: the chance to have gone from there to any one of its neighbours; 0 for all others */
    int64_t steps;
    bool by_hub;      /* a node of the first step has so many neighbours that groups say little of what follows */
    int64_t at_home;  /* nodes where it may be after two steps: what comes back to them is followed again */
    int32_t *home;    /* [at_home] */
    uint8_t *is_home; /* [nodes] */
    double by_group[CRD_GROUPS];  /* the chance to have been in a group before the last step, followed no more; */
    float two_before[CRD_GROUPS]; /* one step earlier still, divided by the group's volume; */
    double gone_by;               /* the sum of that, not divided: how much is known by groups alone */
    int32_t *next_node;           /* for a step */
    float *next;                  /* [nodes]: 0 */
    int64_t room;                 /* of every array */
} crd_random_walk;

crd_status crd_random_walk_reserve(crd_random_walk *walk, int64_t nodes, crd_error *error);
void crd_random_walk_close(crd_random_walk *walk);
/* Each walk that begins has to end. */
void crd_random_walk_begin(crd_random_walk *walk, int64_t node, float keep, int64_t allowed);
void crd_random_walk_step(crd_random_walk *walk, const crd_growing *graph, const crd_groups *groups);
void crd_random_walk_end(crd_random_walk *walk);
/* The chance to be at a node now. `arrives` is what crd_groups_arrive says of it. */
float crd_random_walk_at(const crd_random_walk *walk, const crd_growing *graph, int64_t node,
                         const float arrives[CRD_GROUPS]);

#endif
