/* SPDX-License-Identifier: MIT */
#include "kernels/losses.h"

#include <math.h>

#include "base/tree.h"

enum { BLOCK = 256 };

/* Above this, the exact entropy is a difference of numbers far larger than itself. */
static const double ASYMPTOTIC = 1e4;

double crd_dirichlet_entropy(const double *alpha, int64_t classes, double *gradient)
{
    double total = 0.0;
    for (int64_t k = 0; k < classes; k++) total += alpha[k];
    const double n = (double)classes;
    double entropy;
    if (total >= ASYMPTOTIC) {
        const double log_2pi = 1.8378770664093453;
        double logs = 0.0;
        for (int64_t k = 0; k < classes; k++) logs += log(alpha[k]);
        entropy = 0.5 * (n - 1.0) * (1.0 + log_2pi) + 0.5 * logs - (n - 0.5) * log(total);
        if (gradient != NULL)
            for (int64_t k = 0; k < classes; k++) gradient[k] = 0.5 / alpha[k] - (n - 0.5) / total;
        return entropy;
    }
    entropy = (total - n) * crd_digamma(total) - crd_log_gamma(total);
    const double outer = (total - n) * crd_trigamma(total);
    for (int64_t k = 0; k < classes; k++) {
        entropy += crd_log_gamma(alpha[k]) - (alpha[k] - 1.0) * crd_digamma(alpha[k]);
        if (gradient != NULL) gradient[k] = outer - (alpha[k] - 1.0) * crd_trigamma(alpha[k]);
    }
    return entropy;
}

typedef struct {
    const float *rows; /* evidence or logits */
    int64_t classes, stride;
    const int64_t *nodes;
    const int32_t *labels;
    float *gradient;
    crd_dirichlet_weights weights; /* of the terms of evidence */
    double share;                  /* of one node in the mean of logits */
} loss_job;

static double weight_of(const loss_job *j, int32_t label)
{
    return j->weights.of_class != NULL ? j->weights.of_class[label] : 1.0;
}

enum { UCE, ENTROPY, SHARE, TERMS };

/* -log(evidence_y / evidence_0). Unlike that of UCE, its slope for the logarithm of the evidence does not vanish with
 * the evidence: a class whose evidence has fallen to nothing can still be learned. */
static double add_share(const float *evidence, int64_t classes, int32_t label, double weight, float *gradient)
{
    double total = 0.0;
    for (int64_t k = 0; k < classes; k++) total += (double)evidence[k];
    const double own = (double)evidence[label];
    for (int64_t k = 0; k < classes && gradient != NULL; k++)
        gradient[k] += (float)(weight * (1.0 / total - (k == label ? 1.0 / own : 0.0)));
    return log(total / own);
}

static void dirichlet_rows(int64_t begin, int64_t end, double *sums, void *context)
{
    const loss_job *j = context;
    const int64_t classes = j->classes;
    double alpha[CRD_MAX_CLASSES]; /* in the end, the derivatives of the entropy */
    for (int64_t t = begin; t < end; t++) {
        const float *evidence = j->rows + j->nodes[t] * j->stride;
        const int32_t label = j->labels[t];
        const double own = weight_of(j, label);
        double total = 0.0;
        for (int64_t k = 0; k < classes; k++) total += alpha[k] = 1.0 + (double)evidence[k];
        const double of_label = alpha[label];
        sums[UCE] += own * (crd_digamma(total) - crd_digamma(of_label));
        const bool weighs = j->weights.entropy != 0.0, wanted = weighs && j->gradient != NULL;
        if (weighs) sums[ENTROPY] += own * crd_dirichlet_entropy(alpha, classes, wanted ? alpha : NULL);
        float *gradient = j->gradient != NULL ? j->gradient + t * j->stride : NULL;
        const double outer = crd_trigamma(total);
        for (int64_t k = 0; k < classes && gradient != NULL; k++) {
            double g = outer - (k == label ? crd_trigamma(of_label) : 0.0);
            if (wanted) g -= j->weights.entropy * alpha[k];
            gradient[k] = (float)(own * g);
        }
        if (j->weights.share != 0.0)
            sums[SHARE] += own * add_share(evidence, classes, label, own * j->weights.share, gradient);
    }
}

crd_dirichlet_terms crd_dirichlet_loss(const float *evidence, int64_t rows, int64_t classes, int64_t stride,
                                       const int64_t *nodes, const int32_t *labels, int64_t count,
                                       crd_dirichlet_weights weights, crd_team *team, float *gradient)
{
    loss_job job = {evidence, classes, stride, nodes, labels, gradient, weights, 0.0};
    double sums[TERMS];
    crd_parallel_sum_listed(team, rows, nodes, count, dirichlet_rows, &job, TERMS, sums);
    return (crd_dirichlet_terms){sums[UCE], sums[ENTROPY], sums[SHARE]};
}

/* ---- logits ---- */

static void logits_rows(int64_t begin, int64_t end, double *sums, void *context)
{
    const loss_job *j = context;
    for (int64_t t = begin; t < end; t++) {
        const float *row = j->rows + j->nodes[t] * j->stride;
        const double total = crd_log_sum_exp(row, j->classes);
        const double own = weight_of(j, j->labels[t]), share = own * j->share;
        sums[0] += own * (total - (double)row[j->labels[t]]);
        if (j->gradient == NULL) continue;
        float *gradient = j->gradient + j->nodes[t] * j->stride;
        for (int64_t k = 0; k < j->classes; k++)
            gradient[k] = (float)(share * (exp((double)row[k] - total) - (k == j->labels[t] ? 1.0 : 0.0)));
    }
}

double crd_cross_entropy(const float *logits, int64_t rows, int64_t classes, int64_t stride, const int64_t *nodes,
                         const int32_t *labels, int64_t count, const double *class_weight, crd_team *team,
                         float *gradient)
{
    loss_job j = {logits, classes, stride, nodes, labels, gradient, {0.0, 0.0, class_weight}, 1.0 / (double)count};
    double sum;
    crd_parallel_sum_listed(team, rows, nodes, count, logits_rows, &j, 1, &sum);
    return sum / (double)count;
}

/* ---- logarithms of evidence ---- */

typedef struct {
    int64_t classes;
    const float *prior, *teacher;
    double *log_beta, *log_sum;
} constants;

static void constant_rows(int64_t begin, int64_t end, void *context)
{
    const constants *c = context;
    for (int64_t i = begin; i < end; i++) {
        double total = (double)c->classes, sum = 0.0;
        for (int64_t k = 0; k < c->classes; k++) {
            const double evidence = (double)c->prior[i * c->classes + k];
            total += evidence;
            sum += crd_log_gamma(1.0 + evidence);
        }
        c->log_beta[i] = sum - crd_log_gamma(total);
        c->log_sum[i] = crd_log_sum_exp(c->teacher + i * c->classes, c->classes);
    }
}

void crd_evidential_constants(int64_t nodes, int64_t classes, const float *prior, const float *teacher, crd_team *team,
                              double *log_beta, double *log_sum)
{
    constants c = {classes, prior, teacher, log_beta, log_sum};
    crd_parallel_rows(team, nodes, BLOCK, constant_rows, &c);
}

typedef struct {
    const crd_kernels *kernels;
    const crd_evidential *told;
    const float *logits;
    float *gradient;
} evidential_job;

static void evidential_rows(int64_t begin, int64_t end, double *sums, void *context)
{
    const evidential_job *j = context;
    j->kernels->evidential(begin, end, j->told, j->logits, j->gradient, sums);
}

crd_evidential_terms crd_evidential_loss(const crd_kernels *kernels, const crd_evidential *told, const float *logits,
                                         crd_team *team, float *gradient)
{
    evidential_job j = {kernels, told, logits, gradient};
    double sums[3];
    crd_parallel_sum(team, told->nodes, evidential_rows, &j, 3, sums);
    return (crd_evidential_terms){sums[0], sums[1], sums[2]};
}

/* ---- R_alpha ----
 *
 * In the symmetrised divergence the log-Gamma terms cancel:
 *     KL(i,j) + KL(j,i) = sum_k (a_ik - a_jk)(psi(a_ik) - psi(a_jk)) - (a_i0 - a_j0)(psi(a_i0) - psi(a_j0)),
 * so the costly part is only one digamma per node and class, and one trigamma for the gradient
 *     2 sum_j [psi(a_ik) - psi(a_jk) + (a_ik - a_jk) psi'(a_ik)] - the same for the totals a_i0.
 * Each row visits its own neighbours, so every edge counts from both its ends: both directions.
 *
 * The totals come first, then one tile of classes after the other: the sums over edges read the tile's table, which
 * stays in cache because it has few classes. Differences of alpha = 1 + evidence are taken of the evidence, before
 * any sum, so that 1 + e^30 loses nothing. */

void crd_evidence_distance_plan(crd_evidence_distance *w, crd_plan *plan, const crd_kernels *kernels, int64_t nodes)
{
    CRD_PLAN(plan, &w->table, nodes * 2 * kernels->tile);
    CRD_PLAN(plan, &w->common, nodes);
}

typedef struct {
    const crd_kernels *kernels;
    crd_evidence_distance *w;
    const crd_divergence *d;
    int64_t first; /* the first class of the tile */
} distance_job;

static void fill_totals(int64_t begin, int64_t end, void *context)
{
    const distance_job *j = context;
    j->kernels->digamma_totals(begin, end, j->d->classes, j->d->stride, j->d->evidence, j->w->table, j->w->common);
}

static void sum_totals(int64_t begin, int64_t end, double *sums, void *context)
{
    const distance_job *j = context;
    sums[0] += j->kernels->divergence_totals(begin, end, j->d->start, j->d->neighbour, j->w->table, j->w->common);
}

static void fill_tile(int64_t begin, int64_t end, void *context)
{
    const distance_job *j = context;
    j->kernels->digamma_tile(begin, end, j->d->stride, j->d->evidence + j->first, j->w->table);
}

static void sum_tile(int64_t begin, int64_t end, double *sums, void *context)
{
    const distance_job *j = context;
    float *gradient = j->d->gradient != NULL ? j->d->gradient + j->first : NULL;
    sums[0] += j->kernels->divergence_tile(begin, end, j->d->start, j->d->neighbour, j->w->table, j->w->common,
                                           j->d->classes - j->first, j->d->stride, j->d->weight, gradient);
}

double crd_evidence_distance_sum(crd_evidence_distance *w, const crd_kernels *kernels, crd_team *team,
                                 const crd_divergence *d)
{
    distance_job j = {kernels, w, d, 0};
    double totals, sum = 0.0;
    crd_parallel_rows(team, d->nodes, BLOCK, fill_totals, &j);
    crd_parallel_sum(team, d->nodes, sum_totals, &j, 1, &totals);
    for (; j.first < d->classes; j.first += kernels->tile) {
        double of_tile;
        crd_parallel_rows(team, d->nodes, BLOCK, fill_tile, &j);
        crd_parallel_sum(team, d->nodes, sum_tile, &j, 1, &of_tile);
        sum += of_tile;
    }
    return sum - totals;
}
