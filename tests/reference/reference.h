/* SPDX-License-Identifier: MIT */
/* Slow, obvious twins in double precision of what src/kernels computes. Nothing here is shared with the library:
 * the formulas are written again, in textbook form if the library uses another one. */
#ifndef CREDENCE_TESTS_REFERENCE_H
#define CREDENCE_TESTS_REFERENCE_H

#include <stdint.h>

#include "credence_private.h"

double ref_digamma(double x); /* by central differences of lgamma, refined: good to about 1e-9 */
double ref_activate(crd_activation activation, double x);

/* log p(z | class) by a chain of radial layers: center [L][D], a_prime and b_prime [L]. */
double ref_log_density(int layers, int dims, const double *center, const double *a_prime, const double *b_prime,
                       const double *z);

/* x [n][k] diffused over a dense symmetric 0/1 adjacency [n][n]. */
void ref_diffuse(int n, int k, const double *adjacency, double teleport, int steps, const double *x, double *out);

double ref_entropy(int k, const double *alpha);         /* exact form, with lgamma */
double ref_kl(int k, const double *p, const double *q); /* KL(Dir(p) || Dir(q)), with lgamma */

/* What a training node of a class weighs if the classes are balanced; train: the class of a training node, else -1. */
double ref_balanced_weight(int n, int k, const int *train, int class_index);

/* A whole Graph Posterior Network on a small dense problem. */
typedef struct ref_problem {
    int nodes, features, hidden, latent, layers, classes, steps;
    double teleport, entropy_weight, reg_strength, reg_weight, share_weight;
    crd_activation activation;
    crd_regulariser reg;
    bool class_scale;
    const double *x;         /* [nodes][features] */
    const double *adjacency; /* [nodes][nodes] */
    const int *train;        /* class of a training node, -1 elsewhere */
    bool balanced;           /* the classes weigh the same in the loss of training nodes */
} ref_problem;

/* The parameters, in the model file's order and shapes: w1 [hidden][features], b1, w2 [latent][hidden], b2,
 * center [L][K][D], alpha [L][K], beta [L][K], one after the other. */
int ref_parameter_count(const ref_problem *problem);
/* UCE - entropy_weight * entropy + share_weight * share + (reg_weight + reg_strength * training nodes / edges)
 * R. alpha [nodes][classes] may be NULL. */
double ref_objective(const ref_problem *problem, const double *parameters, double *alpha);

#endif
