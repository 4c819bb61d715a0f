/* SPDX-License-Identifier: MIT */
/* Distribution shifts: noise instead of features, other edges. */
#ifndef CRD_GRAPH_SHIFT_H
#define CRD_GRAPH_SHIFT_H

#include "graph/features.h"
#include "graph/graph.h"

/* Checks all values; fails with one clear sentence. */
crd_status crd_shift_check(const crd_shift *shift, crd_error *error);
/* Whether it replaces features by noise; else it changes edges. */
bool crd_shift_is_noise(const crd_shift *shift);
/* The share of `count` things that a shift takes: at least one, unless there are none. */
int64_t crd_shift_share(const crd_shift *shift, int64_t count);

/* The features with noise in the chosen rows (one byte per row). A row's noise depends only on the seed and its
 * number. */
crd_status crd_shift_features(const crd_features *features, const crd_shift *shift, const uint8_t *chosen,
                              crd_features *shifted, crd_error *error);

typedef struct crd_shifted_edges {
    crd_graph graph;
    int64_t removed, added;
} crd_shifted_edges;

/* The graph with other edges between the nodes i with class_of[i] >= 0. If node >= 0, only edges of this node change.
 * touched[i] is set if node i gained or lost an edge. If hardly any pair is left to connect, fewer edges are added
 * than the budget allows. */
crd_status crd_shift_edges(const crd_graph *graph, const crd_shift *shift, const int32_t *class_of, int64_t node,
                           crd_shifted_edges *shifted, uint8_t *touched, crd_error *error);

#endif
