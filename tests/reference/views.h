/* SPDX-License-Identifier: MIT */
/* The slow, obvious twin of a network of a committee, in double precision and with dense matrices. */
#ifndef CREDENCE_TESTS_VIEWS_H
#define CREDENCE_TESTS_VIEWS_H

#include "credence_private.h"

/* A network on a small problem. Parameters are in the model file's order and shapes: w1 [hidden][features], b1,
 * w2 [3 classes][hidden], b2. */
typedef struct ref_views {
    int nodes, features, hidden, steps;
    int classes; /* with the last one, "unlabelled" */
    double teleport;
    crd_activation activation;
    const double *x;         /* [nodes][features] */
    const double *adjacency; /* [nodes][nodes], symmetric, 0 or 1 */
    const int *label;        /* of every node */
    bool balanced;           /* the known classes weigh the same */
} ref_views;

int ref_views_parameters(const ref_views *problem);
/* How much a node counts: the labelled ones four fifths of all. */
double ref_views_weight(const ref_views *problem, int label);
/* The sum over the views of the weighted mean cross-entropy. `output` may be NULL: logits [nodes][3][classes]. */
double ref_views_loss(const ref_views *problem, const double *parameters, double *output);

#endif
