/* R_alpha. In the symmetrised divergence the log-Gamma terms cancel:
 *     KL(i,j) + KL(j,i) = sum_k (a_ik - a_jk)(psi(a_ik) - psi(a_jk)) - (a_i0 - a_j0)(psi(a_i0) - psi(a_j0)),
 * so the costly part is only one digamma per node and class, and one trigamma for the gradient
 *     2 sum_j [psi(a_ik) - psi(a_jk) + (a_ik - a_jk) psi'(a_ik)] - the same for the totals a_i0.
 * Each row visits its own neighbours, so every edge counts from both its ends: both directions.
 *
 * The totals come first, then one tile of classes after the other: the sums over edges read the tile's table, which
 * stays in cache because it has few classes. Differences of alpha = 1 + evidence are taken of the evidence, before
 * any sum, so that 1 + e^30 loses nothing. */
#include "base/tree.h"
#include "kernels/losses.h"

enum { BLOCK = 256 };

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
} job;

static void fill_totals(int64_t begin, int64_t end, void *context)
{
    const job *j = context;
    j->kernels->digamma_totals(begin, end, j->d->classes, j->d->stride, j->d->evidence, j->w->table, j->w->common);
}

static void sum_totals(int64_t begin, int64_t end, double *sums, void *context)
{
    const job *j = context;
    sums[0] += j->kernels->divergence_totals(begin, end, j->d->start, j->d->neighbour, j->w->table, j->w->common);
}

static void fill_tile(int64_t begin, int64_t end, void *context)
{
    const job *j = context;
    j->kernels->digamma_tile(begin, end, j->d->stride, j->d->evidence + j->first, j->w->table);
}

static void sum_tile(int64_t begin, int64_t end, double *sums, void *context)
{
    const job *j = context;
    float *gradient = j->d->gradient != NULL ? j->d->gradient + j->first : NULL;
    sums[0] += j->kernels->divergence_tile(begin, end, j->d->start, j->d->neighbour, j->w->table, j->w->common,
                                           j->d->classes - j->first, j->d->stride, j->d->weight, gradient);
}

double crd_evidence_distance_sum(crd_evidence_distance *w, const crd_kernels *kernels, crd_team *team,
                                 const crd_divergence *d)
{
    job j = {kernels, w, d, 0};
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
