/* The three terms of an evidential network's loss and their slopes, a node at a time. */
#include <math.h>

#include "kernels/cross_entropy.h"
#include "kernels/special.h"

enum { RISK, PRIOR, TEACHER, TERMS };

/* One node: alpha, its sum and its shares. */
typedef struct {
    int64_t classes;
    const double *alpha;
    double total;
    const double *p;
} node;

/* sum (y - p)^2 + p (1 - p) / (alpha0 + 1), the expected squared error of a draw from the Dirichlet. */
static double risk(const node *n, int32_t label, double *slope)
{
    const double s = n->total;
    double squares = 0.0, pull = 0.0, error = 0.0;
    for (int64_t k = 0; k < n->classes; k++) {
        const double miss = n->p[k] - (k == label ? 1.0 : 0.0);
        squares += n->p[k] * n->p[k];
        pull += miss * n->p[k];
        error += miss * miss;
    }
    for (int64_t k = 0; k < n->classes; k++) {
        const double miss = n->p[k] - (k == label ? 1.0 : 0.0);
        slope[k] += 2.0 / s * (miss - pull) - 2.0 / s * (n->p[k] - squares) / (s + 1.0) -
                    (1.0 - squares) / ((s + 1.0) * (s + 1.0));
    }
    return error + (1.0 - squares) / (s + 1.0);
}

/* KL(Dir(alpha) || Dir(1 + evidence)) */
static double from_prior(const node *n, const float *evidence, double weight, double *slope)
{
    double total = (double)n->classes;
    for (int64_t k = 0; k < n->classes; k++) total += (double)evidence[k];
    double divergence = crd_log_gamma(n->total) - crd_log_gamma(total);
    const double psi = crd_digamma(n->total), outer = (n->total - total) * crd_trigamma(n->total);
    for (int64_t k = 0; k < n->classes; k++) {
        const double a = n->alpha[k], b = 1.0 + (double)evidence[k];
        divergence += crd_log_gamma(b) - crd_log_gamma(a) + (a - b) * (crd_digamma(a) - psi);
        slope[k] += weight * ((a - b) * crd_trigamma(a) - outer);
    }
    return weight * divergence;
}

/* KL(Cat(p) || softmax(logits)) */
static double from_teacher(const node *n, const float *logits, double weight, double *slope)
{
    float largest = logits[0]; /* GCC 12 for AArch64 breaks down over a fmax of floats made doubles */
    for (int64_t k = 1; k < n->classes; k++) largest = fmaxf(largest, logits[k]);
    const double most = (double)largest;
    double sum = 0.0, divergence = 0.0;
    for (int64_t k = 0; k < n->classes; k++) sum += exp((double)logits[k] - most);
    const double total = log(sum) + most;
    for (int64_t k = 0; k < n->classes; k++)
        divergence += n->p[k] * (log(n->p[k]) - ((double)logits[k] - total));
    for (int64_t k = 0; k < n->classes; k++)
        slope[k] +=
            weight / n->total * (log(n->p[k]) - ((double)logits[k] - total) - divergence);
    return weight * divergence;
}

typedef struct {
    const crd_evidential *told;
    const float *logits;
    float *gradient;
} job;

static void loss_rows(int64_t begin, int64_t end, double *sums, void *context)
{
    const job *j = context;
    const crd_evidential *told = j->told;
    const int64_t classes = told->classes;
    double alpha[CRD_MAX_CLASSES], p[CRD_MAX_CLASSES], slope[CRD_MAX_CLASSES];
    for (int64_t i = begin; i < end; i++) {
        const float *logits = j->logits + i * told->stride;
        node n = {classes, alpha, 0.0, p};
        for (int64_t k = 0; k < classes; k++) {
            n.total += alpha[k] = 1.0 + exp((double)logits[k]);
            slope[k] = 0.0;
        }
        for (int64_t k = 0; k < classes; k++) p[k] = alpha[k] / n.total;
        if (told->labels[i] >= 0) sums[RISK] += risk(&n, told->labels[i], slope);
        sums[PRIOR] += from_prior(&n, told->prior + i * classes, told->prior_weight, slope);
        sums[TEACHER] += from_teacher(&n, told->teacher + i * classes, told->teacher_weight, slope);
        for (int64_t k = 0; k < classes && j->gradient != NULL; k++) /* d alpha / d logit = alpha - 1 */
            j->gradient[i * told->stride + k] = (float)(slope[k] * exp((double)logits[k]));
    }
}

crd_evidential_terms crd_evidential_loss(const crd_evidential *told, const float *logits, crd_team *team,
                                         float *gradient)
{
    job j = {told, logits, gradient};
    double sums[TERMS];
    crd_parallel_sum(team, told->nodes, loss_rows, &j, TERMS, sums);
    return (crd_evidential_terms){sums[RISK], sums[PRIOR], sums[TEACHER]};
}
