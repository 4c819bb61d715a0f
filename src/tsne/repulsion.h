/* The forces between all points of a map: force_i = sum over the others of q^2 (map_i - map_j), q = 1 / (1 + squared
 * distance), and the sum of all q. Exactly, or by interpolation on a grid (Linderman and others, Nature Methods 16,
 * 2019; there, however, each force takes three sums). */
#ifndef CRD_TSNE_REPULSION_H
#define CRD_TSNE_REPULSION_H

#include "tsne/convolution.h"

typedef struct crd_repulsion {
    int64_t count;
    bool exact;
    const crd_kernels *kernels;
    crd_team *team;
    float *x, *y;                /* exact: the map's columns, padded */
    crd_convolution convolution; /* else */
    int32_t *order;              /* the points by rows of the grid */
    int64_t *row_start;          /* [nodes + 1] */
    int64_t *block_start;        /* [blocks][nodes]: of each block of points */
    int64_t nodes;               /* the number that these have room for */
} crd_repulsion;

crd_status crd_repulsion_open(crd_repulsion *repulsion, int64_t count, bool exact, const crd_kernels *kernels,
                              crd_team *team, crd_error *error);
void crd_repulsion_close(crd_repulsion *repulsion);

/* Fails unless all numbers of the map are finite and below 1e15. map and force are [count][2]. */
crd_status crd_repulsion_run(crd_repulsion *repulsion, const float *map, float *force, double *total, crd_error *error);

/* Only the total, exactly, for any map. x and y as in kernels/hot.h. */
double crd_repulsion_total(const float *x, const float *y, int64_t count, const crd_kernels *kernels, crd_team *team);
/* The columns of a map, padded. Both have room for count + CRD_PANEL floats. */
void crd_map_columns(const float *map, int64_t count, float *x, float *y);

typedef struct crd_extent {
    float low[2], high[2];
} crd_extent;

crd_status crd_map_extent(const float *map, int64_t count, crd_extent *extent, crd_error *error);

#endif
