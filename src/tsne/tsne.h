/* t-SNE with its choices made by the caller: for tests and measurements. */
#ifndef CRD_TSNE_TSNE_H
#define CRD_TSNE_TSNE_H

#include "tsne/descent.h"

typedef struct crd_tsne_plan {
    double perplexity;  /* no larger than the number of points allows */
    int64_t neighbours; /* of each point */
    bool exact;         /* all pairs of points instead of a grid */
} crd_tsne_plan;

crd_tsne_plan crd_tsne_plan_of(int64_t count, double perplexity);

crd_status crd_tsne_run(const float *points, int64_t count, int64_t dims, const crd_tsne_options *options,
                        crd_tsne_plan plan, float *map, double *divergence, crd_error *error);

#endif
