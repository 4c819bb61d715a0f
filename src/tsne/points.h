/* The points to be mapped, as the search for neighbours and the start want them. */
#ifndef CRD_TSNE_POINTS_H
#define CRD_TSNE_POINTS_H

#include "base/memory.h"
#include "kernels/hot.h"

/* Points next to each other in memory: whole panels. */
enum { CRD_TILE = 16 * CRD_PANEL };

/* Around their mean, the largest coordinate 1 or -1: neither a map nor its divergence depends on place and
 * scale, and squares of coordinates then neither overflow nor vanish. In an order in which each CRD_TILE
 * points that follow each other are near each other: halves of halves along the widest direction. */
typedef struct crd_points {
    int64_t count, dims;
    float *value;   /* [count][dims] */
    int32_t *order; /* which of the caller's points each is */
} crd_points;

/* Fails for a coordinate that is not a finite number. */
crd_status crd_points_open(crd_points *points, const float *value, int64_t count, int64_t dims,
                           crd_error *error);
void crd_points_close(crd_points *points);

#endif
