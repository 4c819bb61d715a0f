/* Which points belong together, and how much: the nearest neighbours of each. */
#ifndef CRD_TSNE_NEIGHBOURS_H
#define CRD_TSNE_NEIGHBOURS_H

#include "base/parallel.h"
#include "kernels/hot.h"
#include "tsne/points.h"

/* The nearest neighbours of every point, by comparing all points. */
typedef struct crd_neighbours {
    int64_t count, each;
    int32_t *index;  /* [count][each], in ascending order */
    float *distance; /* squared, [count][each] */
} crd_neighbours;

/* Called now and then during the search; false ends it. */
typedef bool (*crd_tsne_ask)(void *context);

/* The `each` (< count) nearest other points; ties are broken arbitrarily, but always the same way. If `ask` (may be
 * NULL) ended the search, *stopped is set and the neighbours are closed. */
crd_status crd_neighbours_open(crd_neighbours *neighbours, const crd_points *points, int64_t each,
                               const crd_kernels *kernels, crd_team *team, crd_tsne_ask ask, void *context,
                               bool *stopped, crd_error *error);
void crd_neighbours_close(crd_neighbours *neighbours);

/* How much points belong together, by t-SNE: p_ij, symmetric, with a sum of 1. */

/* A sparse matrix whose rows are filled up with weights of 0 to a multiple of CRD_PAD. */
typedef struct crd_affinities {
    int64_t count;
    int64_t *start;
    int32_t *column;
    float *weight;
    double entropy; /* the sum of p log p */
} crd_affinities;

/* From a Gaussian around each point, whose width makes the entropy over its neighbours log(perplexity). If that is
 * impossible (too many neighbours at the same distance), as close as possible. */
crd_status crd_affinities_open(crd_affinities *affinities, const crd_neighbours *neighbours, double perplexity,
                               crd_team *team, crd_error *error);
void crd_affinities_close(crd_affinities *affinities);

/* One row: probabilities, in double precision, from squared distances. */
void crd_conditional(int64_t count, const float *distance, double perplexity, double *probability);

#endif
