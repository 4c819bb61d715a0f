#include "tsne/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

typedef struct {
    const float *value;
    int64_t dims, direction;
} along;

static bool before(const along *a, int32_t one, int32_t other)
{
    const float x = a->value[one * a->dims + a->direction], y = a->value[other * a->dims + a->direction];
    return x < y || (x == y && one < other);
}

/* Hoare's selection: the `wanted` that come first are at the beginning. */
static void select_first(const along *a, int32_t *order, int64_t count, int64_t wanted)
{
    int64_t low = 0, high = count - 1;
    while (low < high) {
        int32_t one = order[low], pivot = order[low + (high - low) / 2], last = order[high];
        if (before(a, pivot, one)) {
            const int32_t exchange = one;
            one = pivot;
            pivot = exchange;
        }
        if (before(a, last, pivot)) pivot = before(a, last, one) ? one : last;
        int64_t i = low, j = high;
        while (i <= j) {
            while (before(a, order[i], pivot)) i++;
            while (before(a, pivot, order[j])) j--;
            if (i > j) break;
            const int32_t exchange = order[i];
            order[i++] = order[j];
            order[j--] = exchange;
        }
        if (wanted - 1 <= j)
            high = j;
        else if (wanted - 1 >= i)
            low = i;
        else
            return;
    }
}

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

/* Halves are of whole tiles, so the depth is that of the number of tiles. */
static void order_points(const float *value, int64_t dims, int32_t *order, int64_t count)
{
    if (count <= CRD_TILE) return;
    const int64_t half = (count + CRD_TILE - 1) / CRD_TILE / 2 * CRD_TILE;
    const along a = {value, dims, widest(value, dims, order, count)};
    select_first(&a, order, count, half);
    order_points(value, dims, order, half);
    order_points(value, dims, order + half, count - half);
}

/* ---- life ---- */

static void fill(crd_points *points, float *scaled)
{
    const int64_t dims = points->dims;
    for (int64_t i = 0; i < points->count; i++) points->order[i] = (int32_t)i;
    order_points(scaled, dims, points->order, points->count);
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
    crd_status status = CRD_NEW_ZERO(&mean, dims, error);
    if (status == CRD_OK) status = CRD_NEW(&points->value, size, error);
    if (status == CRD_OK) status = CRD_NEW(&points->order, count, error);
    if (status == CRD_OK) status = CRD_NEW(&scaled, size, error);
    if (status == CRD_OK) status = find_mean(value, count, dims, mean, error);
    if (status == CRD_OK) {
        scale_points(value, count, dims, mean, scaled);
        fill(points, scaled);
    } else {
        crd_points_close(points);
    }
    free(mean);
    free(scaled);
    return status;
}

void crd_points_close(crd_points *points)
{
    free(points->value);
    free(points->order);
    points->value = NULL;
    points->order = NULL;
}
