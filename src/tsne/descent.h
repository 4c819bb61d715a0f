/* Gradient descent on the divergence of a map, as van der Maaten does it: momentum, and a gain for every
 * number. */
#ifndef CRD_TSNE_DESCENT_H
#define CRD_TSNE_DESCENT_H

#include "tsne/affinities.h"
#include "tsne/repulsion.h"

typedef struct crd_descent {
    const crd_affinities *affinities;
    crd_repulsion repulsion;
    float *pull, *push;   /* forces, [count][2] */
    float *change, *gain; /* [count][2] */
} crd_descent;

crd_status crd_descent_open(crd_descent *descent, const crd_affinities *affinities, bool exact,
                            const crd_kernels *kernels, crd_team *team, crd_error *error);
void crd_descent_close(crd_descent *descent);

/* The forces on the points of a map, of which the gradient is 4 (exaggeration * pull - push / *total). */
crd_status crd_descent_forces(crd_descent *descent, const float *map, double *total, crd_error *error);
/* Kullback and Leibler's divergence, for the total of the q. */
double crd_descent_divergence(const crd_descent *descent, const float *map, double total);
/* Moves the map; `divergence` is that of what it becomes. */
crd_status crd_descent_run(crd_descent *descent, const crd_tsne_options *options, float *map,
                           double *divergence, crd_error *error);

#endif
