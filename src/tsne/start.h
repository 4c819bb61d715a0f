/* Where the points of a map begin. */
#ifndef CRD_TSNE_START_H
#define CRD_TSNE_START_H

#include "base/parallel.h"
#include "tsne/points.h"

/* The first two principal components, the first with a standard deviation of 1e-4; zeros where all points are
 * the same. map is [count][2]. */
crd_status crd_start_principal(const crd_points *points, crd_team *team, float *map, crd_error *error);

/* Moves every point by about a ten-thousandth of the map's extent (1e-8 where it has none): points at the
 * same place feel the same forces, and would never part. */
void crd_start_loosen(float *map, int64_t count, uint64_t seed);

#endif
