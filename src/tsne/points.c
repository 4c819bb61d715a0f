/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/tree.h"
#include "tsne/tsne.h"

/* ---- the smallest of many numbers ---- */

static void exchange(uint64_t *a, uint64_t *b)
{
    const uint64_t a_was = *a;
    *a = *b;
    *b = a_was;
}

/* Hoare's. */
void crd_select_smallest(uint64_t *item, int64_t count, int64_t wanted)
{
    int64_t low = 0, high = count - 1;
    while (low < high) {
        const uint64_t a = item[low], b = item[low + (high - low) / 2], c = item[high];
        const uint64_t pivot = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
        int64_t i = low, j = high;
        while (i <= j) {
            while (item[i] < pivot) i++;
            while (item[j] > pivot) j--;
            if (i <= j) exchange(&item[i++], &item[j--]);
        }
        if (wanted - 1 <= j) high = j;
        else if (wanted - 1 >= i) low = i;
        else return;
    }
}

/* ---- order ---- */

/* The direction in which some points are widest, and their least coordinate there. */
static int64_t widest(const float *value, int64_t dims, const int32_t *order, int64_t count, float *least)
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
            *least = low;
        }
    }
    return direction;
}

/* Halves consist of whole tiles, so the depth depends on the number of tiles. `key` has room for count. */
static void order_points(const float *value, int64_t dims, int32_t *order, int64_t count, uint64_t *key)
{
    if (count <= CRD_TILE) return;
    const int64_t half = (count + CRD_TILE - 1) / CRD_TILE / 2 * CRD_TILE;
    float least = 0.0f;
    const int64_t direction = widest(value, dims, order, count, &least);
    for (int64_t i = 0; i < count; i++) key[i] = crd_size_key(value[order[i] * dims + direction] - least, order[i]);
    crd_select_smallest(key, count, half);
    for (int64_t i = 0; i < count; i++) order[i] = (int32_t)(uint32_t)key[i];
    order_points(value, dims, order, half, key);
    order_points(value, dims, order + half, count - half, key);
}

/* ---- points ---- */

static crd_status find_mean(const float *value, int64_t count, int64_t dims, double *mean, crd_error *error)
{
    for (int64_t i = 0; i < count * dims; i++) {
        if (!isfinite(value[i]))
            return crd_fail(error, CRD_ERROR_NUMERIC, "point %lld: coordinate %lld is not a finite number",
                            (long long)(i / dims), (long long)(i % dims));
        mean[i % dims] += (double)value[i] / (double)count;
    }
    return CRD_OK;
}

static void fill(crd_points *points, const float *value, const double *mean, uint64_t *key)
{
    const int64_t count = points->count, dims = points->dims;
    double most = 0.0;
    for (int64_t i = 0; i < count * dims; i++) most = fmax(most, fabs((double)value[i] - mean[i % dims]));
    const double scale = most > 0.0 ? 1.0 / most : 0.0;
    for (int64_t i = 0; i < count; i++) points->order[i] = (int32_t)i;
    order_points(value, dims, points->order, count, key);
    for (int64_t i = 0; i < count * dims; i++) {
        const int64_t d = i % dims;
        points->value[i] = (float)(((double)value[points->order[i / dims] * dims + d] - mean[d]) * scale);
    }
}

crd_status crd_points_open(crd_points *points, const float *value, int64_t count, int64_t dims, crd_error *error)
{
    *points = (crd_points){.count = count, .dims = dims};
    int64_t size;
    if (!crd_multiply(count + CRD_QUERIES, dims, &size)) return crd_fail_memory(error, SIZE_MAX);
    double *mean = NULL;
    uint64_t *key = NULL;
    crd_status status = CRD_NEW_ZERO(&points->value, size, error);
    if (status == CRD_OK) status = CRD_NEW(&points->order, count, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&mean, dims, error);
    if (status == CRD_OK) status = CRD_NEW(&key, count, error);
    if (status == CRD_OK) status = find_mean(value, count, dims, mean, error);
    if (status == CRD_OK) fill(points, value, mean, key);
    else crd_points_close(points);
    crd_free(mean);
    crd_free(key);
    return status;
}

void crd_points_close(crd_points *points)
{
    crd_free(points->value);
    crd_free(points->order);
    *points = (crd_points){0};
}

/* ---- the start of the map ---- */

enum { ROUNDS = 100 };

typedef struct {
    const crd_points *points;
    double *direction; /* [2][dims], orthonormal */
} components;

static double dot(const double *a, const double *b, int64_t dims)
{
    double sum = 0.0;
    for (int64_t d = 0; d < dims; d++) sum += a[d] * b[d];
    return sum;
}

static double dot_point(const float *point, const double *direction, int64_t dims)
{
    double sum = 0.0;
    for (int64_t d = 0; d < dims; d++) sum += (double)point[d] * direction[d];
    return sum;
}

/* The covariance (up to its scale) times the directions. */
static void multiply_rows(int64_t begin, int64_t end, int worker, double *sums, void *context)
{
    const components *c = context;
    const int64_t dims = c->points->dims;
    (void)worker;
    for (int64_t i = begin; i < end; i++)
        for (int64_t k = 0; k < 2; k++) {
            const float *point = c->points->value + i * dims;
            const double along = dot_point(point, c->direction + k * dims, dims);
            for (int64_t d = 0; d < dims; d++) sums[k * dims + d] += along * (double)point[d];
        }
}

/* Gram-Schmidt, twice, because once leaves rounding errors; a direction that vanishes becomes 0. */
static void make_orthonormal(double *direction, int64_t dims)
{
    for (int64_t k = 0; k < 2; k++) {
        double *own = direction + k * dims;
        const double before = sqrt(dot(own, own, dims));
        for (int time = 0; time < 2 && k > 0; time++) {
            const double along = dot(own, direction, dims);
            for (int64_t d = 0; d < dims; d++) own[d] -= along * direction[d];
        }
        const double length = sqrt(dot(own, own, dims));
        const double scale = length > 1e-13 * before && length > 1e-150 ? 1.0 / length : 0.0;
        for (int64_t d = 0; d < dims; d++) own[d] *= scale;
    }
}

/* A direction and its opposite are equally good, so the largest part is made positive. */
static double sign_of(const double *direction, int64_t dims)
{
    double largest = 0.0;
    for (int64_t d = 0; d < dims; d++)
        if (fabs(direction[d]) > fabs(largest)) largest = direction[d];
    return largest < 0.0 ? -1.0 : 1.0;
}

/* Orthogonal iteration; `room` is for the sums. The loop ends early once neither direction moves. */
static void find_components(components *c, crd_team *team, double *room)
{
    const int64_t dims = c->points->dims;
    crd_rng rng = crd_rng_start(0, CRD_RNG_MAP_START);
    for (int64_t i = 0; i < 2 * dims; i++) c->direction[i] = crd_rng_normal(&rng);
    make_orthonormal(c->direction, dims);
    double cosine = 0.0;
    for (int round = 0; round < ROUNDS && cosine < 1.0 - 1e-10; round++) {
        crd_parallel_shard_sums(team, c->points->count, 2 * dims, multiply_rows, c, room);
        make_orthonormal(room, dims);
        cosine = fmin(dot(room, c->direction, dims), dot(room + dims, c->direction + dims, dims));
        memcpy(c->direction, room, (size_t)(2 * dims) * sizeof *room);
    }
    for (int64_t i = 0; i < 2 * dims; i++) c->direction[i] *= sign_of(room + i / dims * dims, dims);
}

crd_status crd_start_principal(const crd_points *points, crd_team *team, float *map, crd_error *error)
{
    const int64_t count = points->count, dims = points->dims;
    components c = {.points = points};
    double *room = NULL;
    crd_status status = CRD_NEW(&c.direction, 2 * dims, error);
    if (status == CRD_OK) status = CRD_NEW(&room, crd_shard_sums_room(count, 2 * dims), error);
    if (status == CRD_OK) {
        find_components(&c, team, room);
        double variance = 0.0;
        for (int64_t i = 0; i < count; i++)
            variance += pow(dot_point(points->value + i * dims, c.direction, dims), 2.0) / (double)count;
        const double scale = variance > 0.0 ? 1e-4 / sqrt(variance) : 0.0;
        for (int64_t i = 0; i < 2 * count; i++) {
            const double along = dot_point(points->value + i / 2 * dims, c.direction + i % 2 * dims, dims);
            map[i] = (float)(scale * along);
        }
    }
    crd_free(c.direction);
    crd_free(room);
    return status;
}

void crd_start_loosen(float *map, int64_t count, uint64_t seed)
{
    float most = 0.0f;
    for (int64_t i = 0; i < 2 * count; i++) most = fmaxf(most, fabsf(map[i]));
    const double scale = most > 0.0f ? 1e-4 * (double)most : 1e-8;
    crd_rng rng = crd_rng_start(seed, CRD_RNG_MAP_START);
    for (int64_t i = 0; i < 2 * count; i++)
        map[i] = (float)((double)map[i] + scale * (2.0 * crd_rng_uniform(&rng) - 1.0));
}
