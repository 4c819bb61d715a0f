#include "tsne/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tsne/select.h"

/* ---- place and scale ---- */

static crd_status find_mean(const float *value, int64_t count, int64_t dims, double *mean, crd_error *error)
{
    for (int64_t i = 0; i < count; i++)
        for (int64_t d = 0; d < dims; d++) {
            const float x = value[i * dims + d];
            if (!isfinite(x))
                return crd_fail(error, CRD_ERROR_NUMERIC,
                                "point %lld: coordinate %lld is not a finite number", (long long)i,
                                (long long)d);
            mean[d] += (double)x / (double)count;
        }
    return CRD_OK;
}

static void scale_points(const float *value, int64_t count, int64_t dims, const double *mean, float *scaled)
{
    double most = 0.0;
    for (int64_t i = 0; i < count * dims; i++) most = fmax(most, fabs((double)value[i] - mean[i % dims]));
    const double scale = most > 0.0 ? 1.0 / most : 0.0;
    for (int64_t i = 0; i < count * dims; i++)
        scaled[i] = (float)(((double)value[i] - mean[i % dims]) * scale);
}

/* ---- order ---- */

static int64_t widest(const float *value, int64_t dims, const int32_t *order, int64_t count)
{
    int64_t direction = 0;
    float most = -1.0f;
    for (int64_t d = 0; d < dims; d++) {
        float low = INFINITY, high = -INFINITY;
        for (int64_t i = 0; i < count; i++) {
            low = fminf(low, value[order[i] * dims + d]);
            high = fmaxf(high, value[order[i] * dims + d]);
        }
        if (high - low > most) {
            most = high - low;
            direction = d;
        }
    }
    return direction;
}

/* Halves are of whole tiles, so the depth is that of the number of tiles. `key` has room for count. */
static void order_points(const float *value, int64_t dims, int32_t *order, int64_t count, uint64_t *key)
{
    if (count <= CRD_TILE) return;
    const int64_t half = (count + CRD_TILE - 1) / CRD_TILE / 2 * CRD_TILE;
    const int64_t direction = widest(value, dims, order, count);
    for (int64_t i = 0; i < count; i++) key[i] = crd_sort_key(value[order[i] * dims + direction], order[i]);
    crd_select_smallest(key, count, half);
    for (int64_t i = 0; i < count; i++) order[i] = (int32_t)(uint32_t)key[i];
    order_points(value, dims, order, half, key);
    order_points(value, dims, order + half, count - half, key);
}

/* ---- life ---- */

static void fill(crd_points *points, const float *scaled, uint64_t *key)
{
    const int64_t dims = points->dims;
    for (int64_t i = 0; i < points->count; i++) points->order[i] = (int32_t)i;
    order_points(scaled, dims, points->order, points->count, key);
    for (int64_t i = 0; i < points->count; i++)
        memcpy(points->value + i * dims, scaled + points->order[i] * dims, (size_t)dims * sizeof *scaled);
}

crd_status crd_points_open(crd_points *points, const float *value, int64_t count, int64_t dims,
                           crd_error *error)
{
    *points = (crd_points){.count = count, .dims = dims};
    int64_t size;
    if (!crd_multiply(count, dims, &size))
        return crd_fail(error, CRD_ERROR_MEMORY, "%lld points of %lld numbers are more than memory can hold",
                        (long long)count, (long long)dims);
    double *mean = NULL;
    float *scaled = NULL;
    uint64_t *key = NULL;
    crd_status status = CRD_NEW_ZERO(&mean, dims, error);
    if (status == CRD_OK) status = CRD_NEW(&points->value, size, error);
    if (status == CRD_OK) status = CRD_NEW(&points->order, count, error);
    if (status == CRD_OK) status = CRD_NEW(&scaled, size, error);
    if (status == CRD_OK) status = CRD_NEW(&key, count, error);
    if (status == CRD_OK) status = find_mean(value, count, dims, mean, error);
    if (status == CRD_OK) {
        scale_points(value, count, dims, mean, scaled);
        fill(points, scaled, key);
    } else {
        crd_points_close(points);
    }
    free(mean);
    free(scaled);
    free(key);
    return status;
}

void crd_points_close(crd_points *points)
{
    free(points->value);
    free(points->order);
    points->value = NULL;
    points->order = NULL;
}
