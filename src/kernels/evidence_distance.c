/* R_alpha. In the symmetrised divergence the log-Gamma terms cancel:
 *     KL(i,j) + KL(j,i) = sum_k (a_ik - a_jk)(psi(a_ik) - psi(a_jk)) - (a_i0 - a_j0)(psi(a_i0) - psi(a_j0)),
 * so digamma (and trigamma for the gradient) once per node and class is all the hard work. */
#include <stdlib.h>

#include "kernels/dirichlet.h"
#include "kernels/special.h"

crd_status crd_evidence_distance_open(crd_evidence_distance *w, int64_t nodes, int64_t classes,
                                      crd_error *error)
{
    *w = (crd_evidence_distance){0};
    crd_status status = CRD_NEW(&w->psi, nodes * (classes + 1), error);
    if (status == CRD_OK) status = CRD_NEW(&w->trigamma, nodes * (classes + 1), error);
    if (status != CRD_OK) crd_evidence_distance_close(w);
    return status;
}

void crd_evidence_distance_close(crd_evidence_distance *w)
{
    free(w->psi);
    free(w->trigamma);
    *w = (crd_evidence_distance){0};
}

typedef struct {
    crd_evidence_distance *w;
    const int64_t *start;
    const int32_t *neighbour;
    const float *evidence;
    int64_t classes, stride;
    double weight;
    float *gradient;
} job;

static void special_rows(int64_t begin, int64_t end, void *context)
{
    job *j = context;
    const int64_t classes = j->classes;
    for (int64_t i = begin; i < end; i++) {
        double *psi = j->w->psi + i * (classes + 1), *trigamma = j->w->trigamma + i * (classes + 1);
        double total = 0.0;
        for (int64_t k = 0; k < classes; k++) {
            double alpha = 1.0 + (double)j->evidence[i * j->stride + k];
            total += alpha;
            psi[k] = crd_digamma(alpha);
            if (j->gradient != NULL) trigamma[k] = crd_trigamma(alpha);
        }
        psi[classes] = crd_digamma(total);
        if (j->gradient != NULL) trigamma[classes] = crd_trigamma(total);
    }
}

/* Each row looks at its own neighbours, so every edge is met from both its ends: both directions. The
 * gradient for row i then counts twice, once for each direction. */
static void edge_rows(int64_t begin, int64_t end, double *sums, void *context)
{
    job *j = context;
    const int64_t classes = j->classes;
    double slope[CRD_MAX_CLASSES];
    for (int64_t i = begin; i < end; i++) {
        const float *mine = j->evidence + i * j->stride;
        const double *psi = j->w->psi + i * (classes + 1), *trigamma = j->w->trigamma + i * (classes + 1);
        for (int64_t k = 0; k < classes; k++) slope[k] = 0.0;
        for (int64_t e = j->start[i]; e < j->start[i + 1]; e++) {
            const int64_t other = j->neighbour[e];
            const float *theirs = j->evidence + other * j->stride;
            const double *psi_theirs = j->w->psi + other * (classes + 1);
            /* The differences of the evidence add up to that of the totals: nothing is lost to 1 + e^30. */
            double total = 0.0, sum = 0.0;
            for (int64_t k = 0; k < classes; k++) {
                double delta = (double)mine[k] - (double)theirs[k];
                total += delta;
                sum += delta * (psi[k] - psi_theirs[k]);
            }
            const double psi_total = psi[classes] - psi_theirs[classes];
            sums[0] += sum - total * psi_total;
            if (j->gradient == NULL) continue;
            const double common = psi_total + total * trigamma[classes];
            for (int64_t k = 0; k < classes; k++) {
                double delta = (double)mine[k] - (double)theirs[k];
                slope[k] += psi[k] - psi_theirs[k] + delta * trigamma[k] - common;
            }
        }
        if (j->gradient != NULL)
            for (int64_t k = 0; k < classes; k++)
                j->gradient[i * j->stride + k] += (float)(2.0 * j->weight * slope[k]);
    }
}

double crd_evidence_distance_sum(crd_evidence_distance *w, int64_t nodes, const int64_t *start,
                                 const int32_t *neighbour, const float *evidence, int64_t classes,
                                 int64_t stride, double weight, crd_team *team, float *gradient)
{
    job j = {w, start, neighbour, evidence, classes, stride, weight, gradient};
    crd_parallel_rows(team, nodes, 256, special_rows, &j);
    double sum;
    crd_parallel_sum(team, nodes, edge_rows, &j, 1, &sum);
    return sum;
}
