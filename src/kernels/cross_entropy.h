/* The losses of models that end in logits. Rows of logits are `stride` floats apart. */
#ifndef CRD_KERNELS_CROSS_ENTROPY_H
#define CRD_KERNELS_CROSS_ENTROPY_H

#include "base/parallel.h"
#include "kernels/dirichlet.h"

/* The mean of -log softmax(logits)_y over `count` nodes with classes `labels`, and its gradient for the
 * logits of those nodes (others are not touched); gradient may be NULL. */
double crd_cross_entropy(const float *logits, int64_t classes, int64_t stride, const int64_t *nodes,
                         const int32_t *labels, int64_t count, crd_team *team, float *gradient);

/* What an evidential network is told, for alpha = 1 + exp(logits), p = alpha / alpha0. */
typedef struct crd_evidential {
    int64_t nodes, classes, stride;
    const int32_t *labels;  /* one a node; -1: not a training node */
    const float *prior;     /* evidence, [nodes][classes] */
    double prior_weight;
    const float *teacher;   /* logits, [nodes][classes] */
    double teacher_weight;
} crd_evidential;

/* Sums, weighted as they enter the loss. */
typedef struct crd_evidential_terms {
    double risk;    /* over the training nodes: Bayes risk of the squared error */
    double prior;   /* over all nodes: KL(Dir(alpha) || Dir(1 + prior)) */
    double teacher; /* over all nodes: KL(Cat(p) || Cat(softmax(teacher))) */
} crd_evidential_terms;

/* logits and gradient are [nodes][stride]; all of the gradient but its padding is written. It may be
 * NULL. */
crd_evidential_terms crd_evidential_loss(const crd_evidential *told, const float *logits, crd_team *team,
                                         float *gradient);

#endif
