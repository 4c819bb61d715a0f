/* How much points belong together, by t-SNE: p_ij, symmetric, with a sum of 1. */
#ifndef CRD_TSNE_AFFINITIES_H
#define CRD_TSNE_AFFINITIES_H

#include "tsne/neighbours.h"

/* A sparse matrix whose rows are filled up with weights of 0 to whole CRD_PAD. */
typedef struct crd_affinities {
    int64_t count;
    int64_t *start;
    int32_t *column;
    float *weight;
    double entropy; /* the sum of p log p */
} crd_affinities;

/* Of Gaussians around each point, as wide as makes the entropy over its neighbours the logarithm of
 * `perplexity`. Where that cannot be (too many neighbours at the same distance), as near as can be. */
crd_status crd_affinities_open(crd_affinities *affinities, const crd_neighbours *neighbours,
                               double perplexity, crd_team *team, crd_error *error);
void crd_affinities_close(crd_affinities *affinities);

/* One row: probabilities, in double precision, from squared distances. */
void crd_conditional(int64_t count, const float *distance, double perplexity, double *probability);

#endif
