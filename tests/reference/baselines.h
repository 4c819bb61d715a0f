/* SPDX-License-Identifier: MIT */
/* Slow, obvious twins of the other models beside the Graph Posterior Network, in double precision and with dense
 * matrices. */
#ifndef CREDENCE_TESTS_BASELINES_H
#define CREDENCE_TESTS_BASELINES_H

#include "credence_private.h"

typedef enum ref_network { REF_APPNP, REF_VGCN, REF_GKDE_GCN, REF_EGCN } ref_network;

/* A network on a small problem. Parameters are in the model file's order and shapes: w1 [hidden][features],
 * b1, w2 [classes][hidden], b2. */
typedef struct ref_baseline {
    ref_network network;
    int nodes, features, hidden, classes, steps;
    double teleport;
    crd_activation activation;
    const double *x;         /* [nodes][features] */
    const double *adjacency; /* [nodes][nodes], symmetric, 0 or 1 */
    const int *train;        /* class of a training node, -1 elsewhere */
    const double *prior;     /* alpha, [nodes][classes]; GKDE-GCN only, like the two below */
    const double *teacher;   /* logits, [nodes][classes] */
    double teacher_weight;
    bool balanced;         /* the classes weigh the same in the loss of training nodes */
    double uniform_weight; /* of KL(alpha || 1); EGCN only */
} ref_baseline;

int ref_baseline_parameters(const ref_baseline *problem);
/* The loss. `output` may be NULL: logits, or alpha for GKDE-GCN and EGCN. */
double ref_baseline_loss(const ref_baseline *problem, const double *parameters, double *output);

/* For one node: the expected squared error of a draw from Dir(alpha), and KL(alpha / alpha0 || softmax(teacher)). */
double ref_bayes_risk(int k, const double *alpha, int label);
double ref_teacher_kl(int k, const double *alpha, const double *teacher);

/* Evidence [n][k] from the training nodes alone (train as above). */
void ref_gkde(int n, int k, const double *adjacency, const int *train, double *evidence);
void ref_lp(int n, int k, const double *adjacency, const int *train, double teleport, int steps, double *evidence);

#endif
