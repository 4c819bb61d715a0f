/* The loss of a network whose logits are logarithms of evidence; crd_evidential (kernels/hot.h) is what it is
 * told. */
#ifndef CRD_KERNELS_EVIDENTIAL_H
#define CRD_KERNELS_EVIDENTIAL_H

#include "base/parallel.h"
#include "kernels/hot.h"

/* Constants of a network's training, one a node: log B(1 + prior), with log B = sum log Gamma(alpha) -
 * log Gamma(alpha0), and log sum exp(teacher). Both arrays are [nodes][classes]. */
void crd_prior_log_beta(int64_t nodes, int64_t classes, const float *prior, crd_team *team, double *log_beta);
void crd_teacher_log_sum(int64_t nodes, int64_t classes, const float *teacher, crd_team *team,
                         double *log_sum);

/* Sums, weighted as they enter the loss. */
typedef struct crd_evidential_terms {
    double risk;    /* over the training nodes: Bayes risk of the squared error */
    double prior;   /* over all nodes: KL(Dir(alpha) || Dir(1 + prior)) */
    double teacher; /* over all nodes: KL(Cat(p) || Cat(softmax(teacher))) */
} crd_evidential_terms;

/* logits and gradient are [nodes][stride]; all of the gradient but its padding is written. It may be
 * NULL. */
crd_evidential_terms crd_evidential_loss(const crd_kernels *kernels, const crd_evidential *told,
                                         const float *logits, crd_team *team, float *gradient);

#endif
