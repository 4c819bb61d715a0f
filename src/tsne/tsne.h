/* Gradient descent on a map, and t-SNE as a whole with its choices made by the caller, for tests and
 * measurements. */
#ifndef CRD_TSNE_TSNE_H
#define CRD_TSNE_TSNE_H

#include "tsne/neighbours.h"
#include "tsne/repulsion.h"

/* Gradient descent on the divergence of a map, as van der Maaten does it: momentum, and a gain for every coordinate. */
typedef struct crd_descent {
    const crd_affinities *affinities;
    crd_repulsion repulsion;
    float *pull, *push;   /* forces, [count][2] */
    float *change, *gain; /* [count][2] */
} crd_descent;

crd_status crd_descent_open(crd_descent *descent, const crd_affinities *affinities, bool exact,
                            const crd_kernels *kernels, crd_team *team, crd_error *error);
void crd_descent_close(crd_descent *descent);

/* The forces on the points of a map; the gradient is 4 (exaggeration * pull - push / *total). */
crd_status crd_descent_forces(crd_descent *descent, const float *map, double *total, crd_error *error);
/* The Kullback-Leibler divergence, given the sum of all q. */
double crd_descent_divergence(const crd_descent *descent, const float *map, double total);
/* Moves the map; `divergence` is that of the final map. */
crd_status crd_descent_run(crd_descent *descent, const crd_tsne_options *options, float *map, double *divergence,
                           crd_error *error);

/* t-SNE with its choices made by the caller: for tests and measurements. */
typedef struct crd_tsne_plan {
    double perplexity;  /* no larger than the number of points allows */
    int64_t neighbours; /* of each point */
    bool exact;         /* all pairs of points instead of a grid */
} crd_tsne_plan;

crd_tsne_plan crd_tsne_plan_of(int64_t count, double perplexity);

crd_status crd_tsne_run(const float *points, int64_t count, int64_t dims, const crd_tsne_options *options,
                        crd_tsne_plan plan, float *map, double *divergence, crd_error *error);

#endif
