/* The nearest neighbours of every point, by looking at all of them. */
#ifndef CRD_TSNE_NEIGHBOURS_H
#define CRD_TSNE_NEIGHBOURS_H

#include "base/parallel.h"
#include "kernels/hot.h"
#include "tsne/points.h"

typedef struct crd_neighbours {
    int64_t count, each;
    int32_t *index;  /* [count][each], in ascending order */
    float *distance; /* squared, [count][each] */
} crd_neighbours;

/* Asked now and then while the search goes on; false ends it. */
typedef bool (*crd_tsne_ask)(void *context);

/* The `each` (< count) nearest other points; of points equally near any, but always the same ones. Where
 * `ask` (may be NULL) ended the search, *stopped is set and the neighbours are closed. */
crd_status crd_neighbours_open(crd_neighbours *neighbours, const crd_points *points, int64_t each,
                               const crd_kernels *kernels, crd_team *team, crd_tsne_ask ask, void *context,
                               bool *stopped, crd_error *error);
void crd_neighbours_close(crd_neighbours *neighbours);

#endif
