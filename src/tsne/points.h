/* The points to map, ordered so that neighbours are near each other, and where each starts in the map. */
#ifndef CRD_TSNE_POINTS_H
#define CRD_TSNE_POINTS_H

#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "kernels/hot.h"

/* Ascends with the value, and among equal ones with the index; the index (below 2^32) is its lower half. */
static inline uint64_t crd_sort_key(float value, int64_t index)
{
    uint32_t bits;
    value += 0.0f; /* -0 becomes 0 */
    memcpy(&bits, &value, sizeof bits);
    bits = bits >> 31 != 0 ? ~bits : bits | UINT32_C(1) << 31; /* the bits of negative floats descend */
    return (uint64_t)bits << 32 | (uint64_t)index;
}

/* Moves the smallest `wanted` items to the front, the largest of these last. All items differ. */
void crd_select_smallest(uint64_t *item, int64_t count, int64_t wanted);

/* Points that are consecutive in memory: whole panels. */
enum { CRD_TILE = 16 * CRD_PANEL };

/* Points are centred at their mean and scaled so that the largest coordinate is 1 or -1: neither a map nor its
 * divergence depends on place and scale, and squares of coordinates then neither overflow nor vanish. They are
 * ordered so that each CRD_TILE consecutive points are near each other: halves of halves along the widest direction. */
typedef struct crd_points {
    int64_t count, dims;
    float *value;   /* [count][dims] */
    int32_t *order; /* which of the caller's points each is */
} crd_points;

/* Fails for a coordinate that is not a finite number. */
crd_status crd_points_open(crd_points *points, const float *value, int64_t count, int64_t dims, crd_error *error);
void crd_points_close(crd_points *points);

/* The first two principal components, the first with a standard deviation of 1e-4; zeros if all points are the same.
 * map is [count][2]. */
crd_status crd_start_principal(const crd_points *points, crd_team *team, float *map, crd_error *error);

/* Moves every point by about a ten-thousandth of the map's extent (1e-8 if it has none): points at the same place
 * feel the same forces and would never separate. */
void crd_start_loosen(float *map, int64_t count, uint64_t seed);

#endif
