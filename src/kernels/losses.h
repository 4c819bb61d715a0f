/* SPDX-License-Identifier: MIT */
/* The losses that training minimises. */
#ifndef CRD_KERNELS_LOSSES_H
#define CRD_KERNELS_LOSSES_H

#include "base/memory.h"
#include "base/parallel.h"
#include "kernels/hot.h"

/* ---- Dirichlet parameters alpha = 1 + evidence, in double precision: evidence reaches e^30. Rows of evidence are
 * `stride` floats apart; sums over nodes, not means ---- */

/* Each node counts as much as its class weighs. */
typedef struct crd_dirichlet_terms {
    double uce;     /* sum of psi(alpha0) - psi(alpha_y) */
    double entropy; /* sum of H(Dir(alpha)), without the weight of the term; 0 if that is 0 */
    double share;   /* sum of -log(evidence_y / evidence_0), also without its weight; 0 if that is 0 */
} crd_dirichlet_terms;

typedef struct crd_dirichlet_weights {
    double entropy; /* rewarded */
    double share;
    const double *of_class; /* of the classes of nodes; NULL: all are 1 */
} crd_dirichlet_weights;

/* The terms over `count` of the nodes, ascending, with classes `labels`. `gradient`, one row for each of them, gets
 * the gradient of UCE - entropy weight * entropy + share weight * share for their evidence; it may be NULL. */
crd_dirichlet_terms crd_dirichlet_loss(const float *evidence, int64_t rows, int64_t classes, int64_t stride,
                                       const int64_t *nodes, const int32_t *labels, int64_t count,
                                       crd_dirichlet_weights weights, crd_team *team, float *gradient);

/* H(Dir(alpha)) and, if gradient is not NULL, its derivatives; they may take the place of alpha. */
double crd_dirichlet_entropy(const double *alpha, int64_t classes, double *gradient);

/* R_alpha, the symmetrised Kullback-Leibler divergence summed over both directions of every edge. */
typedef struct crd_evidence_distance {
    double *table;  /* per node: digamma and evidence of some classes */
    double *common; /* per node: what the totals add to the gradient of all its classes */
} crd_evidence_distance;

typedef struct crd_divergence {
    int64_t nodes;
    const int64_t *start;
    const int32_t *neighbour;
    const float *evidence; /* rows of a multiple of CRD_PAD; the padding is finite and does not count */
    int64_t classes, stride;
    double weight;
    float *gradient; /* [i * stride + k] += weight * d sum / d evidence; may be NULL */
} crd_divergence;

/* Lists its arrays in a plan. Use the same kernels for the sum. */
void crd_evidence_distance_plan(crd_evidence_distance *workspace, crd_plan *plan, const crd_kernels *kernels,
                                int64_t nodes);
double crd_evidence_distance_sum(crd_evidence_distance *workspace, const crd_kernels *kernels, crd_team *team,
                                 const crd_divergence *divergence);

/* ---- models that end in logits: rows of them are `stride` floats apart ---- */

/* The mean of class_weight_y * -log softmax(logits)_y over `count` of the rows, ascending, with classes `labels`, and
 * its gradient for the logits of those nodes (others are not touched). class_weight may be NULL: all are 1; gradient
 * may be NULL. */
double crd_cross_entropy(const float *logits, int64_t rows, int64_t classes, int64_t stride, const int64_t *nodes,
                         const int32_t *labels, int64_t count, const double *class_weight, crd_team *team,
                         float *gradient);

/* ---- networks whose logits are logarithms of evidence; they learn from crd_evidential (kernels/hot.h) ---- */

/* Constants of a network's training, one per node: log B(1 + prior), with log B = sum log Gamma(alpha) - log
 * Gamma(alpha0), and log sum exp(teacher). Both arrays are [nodes][classes]. */
void crd_evidential_constants(int64_t nodes, int64_t classes, const float *prior, const float *teacher, crd_team *team,
                              double *log_beta, double *log_sum);

/* Sums, weighted as they enter the loss. */
typedef struct crd_evidential_terms {
    double risk;    /* over the training nodes: Bayes risk of the squared error */
    double prior;   /* over all nodes: KL(Dir(alpha) || Dir(1 + prior)) */
    double teacher; /* over all nodes: KL(Cat(p) || Cat(softmax(teacher))) */
} crd_evidential_terms;

/* logits and gradient are [nodes][stride]; the whole gradient except its padding is written. It may be NULL. */
crd_evidential_terms crd_evidential_loss(const crd_kernels *kernels, const crd_evidential *told, const float *logits,
                                         crd_team *team, float *gradient);

/* ---- functions that libm lacks. Digamma and trigamma in double precision: absolute and relative error below 1e-13 for
 * x >= 1e-3 (tested), and no loss for arguments as large as e^30. ---- */

double crd_digamma(double x);
double crd_trigamma(double x);

/* log Gamma; like lgamma, but without its global variable signgam. x > 0. */
double crd_log_gamma(double x);

/* log of the sum of exp(row[k]), without overflow; count >= 1. */
double crd_log_sum_exp(const float *row, int64_t count);

#endif
