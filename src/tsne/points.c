#include "tsne/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

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

/* ---- place and scale ---- */

static crd_status find_mean(const float *value, int64_t count, int64_t dims, double *mean, crd_error *error)
{
    for (int64_t i = 0; i < count; i++)
        for (int64_t d = 0; d < dims; d++) {
            const float x = value[i * dims + d];
            if (!isfinite(x))
                return crd_fail(error, CRD_ERROR_NUMERIC, "point %lld: coordinate %lld is not a finite number",
                                (long long)i, (long long)d);
            mean[d] += (double)x / (double)count;
        }
    return CRD_OK;
}

static void scale_points(const float *value, int64_t count, int64_t dims, const double *mean, float *scaled)
{
    double most = 0.0;
    for (int64_t i = 0; i < count * dims; i++) most = fmax(most, fabs((double)value[i] - mean[i % dims]));
    const double scale = most > 0.0 ? 1.0 / most : 0.0;
    for (int64_t i = 0; i < count * dims; i++) scaled[i] = (float)(((double)value[i] - mean[i % dims]) * scale);
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

/* Halves consist of whole tiles, so the depth depends on the number of tiles. `key` has room for count. */
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

crd_status crd_points_open(crd_points *points, const float *value, int64_t count, int64_t dims, crd_error *error)
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

/* ---- the start of the map ---- */

enum { DIRECTIONS = 8, ROUNDS = 100, BLOCKS = 64 };

typedef struct {
    const crd_points *points;
    int64_t directions;
    double *direction; /* [directions][dims], orthonormal */
    double *product;   /* the covariance (up to its scale) times these */
    double *partial;   /* [BLOCKS][directions][dims] */
} components;

static int64_t block_of(const crd_points *points)
{
    return (points->count + BLOCKS - 1) / BLOCKS;
}

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

static void multiply_block(int64_t begin, int64_t end, void *context)
{
    const components *c = context;
    const int64_t dims = c->points->dims, size = c->directions * dims;
    double *partial = c->partial + begin / block_of(c->points) * size;
    memset(partial, 0, (size_t)size * sizeof *partial);
    for (int64_t i = begin; i < end; i++) {
        const float *point = c->points->value + i * dims;
        for (int64_t k = 0; k < c->directions; k++) {
            const double along = dot_point(point, c->direction + k * dims, dims);
            for (int64_t d = 0; d < dims; d++) partial[k * dims + d] += along * (double)point[d];
        }
    }
}

static void multiply(components *c, crd_team *team)
{
    const int64_t block = block_of(c->points), size = c->directions * c->points->dims;
    crd_parallel_rows(team, c->points->count, block, multiply_block, c);
    memset(c->product, 0, (size_t)size * sizeof *c->product);
    for (int64_t b = 0; b * block < c->points->count; b++)
        for (int64_t k = 0; k < size; k++) c->product[k] += c->partial[b * size + k];
}

/* Gram-Schmidt, twice, because once leaves rounding errors; a direction that vanishes stays 0. */
static void make_orthonormal(double *direction, int64_t directions, int64_t dims)
{
    for (int64_t k = 0; k < directions; k++) {
        double *own = direction + k * dims;
        const double before = sqrt(dot(own, own, dims));
        for (int time = 0; time < 2; time++)
            for (int64_t j = 0; j < k; j++) {
                const double along = dot(own, direction + j * dims, dims);
                for (int64_t d = 0; d < dims; d++) own[d] -= along * direction[j * dims + d];
            }
        const double length = sqrt(dot(own, own, dims));
        const double scale = length > 1e-13 * before && length > 1e-150 ? 1.0 / length : 0.0;
        for (int64_t d = 0; d < dims; d++) own[d] *= scale;
    }
}

/* Jacobi's rotations: the symmetric `a` becomes diagonal; the rows of `basis` become its eigenvectors. */
static void diagonalise(double a[DIRECTIONS][DIRECTIONS], double basis[DIRECTIONS][DIRECTIONS], int64_t size)
{
    for (int64_t i = 0; i < size; i++)
        for (int64_t j = 0; j < size; j++) basis[i][j] = i == j;
    for (int sweep = 0; sweep < 30; sweep++)
        for (int64_t p = 0; p < size; p++)
            for (int64_t q = p + 1; q < size; q++) {
                if (fabs(a[p][q]) <= 1e-17 * (fabs(a[p][p]) + fabs(a[q][q]))) continue;
                const double angle = 0.5 * atan2(2.0 * a[p][q], a[q][q] - a[p][p]), c = cos(angle), s = sin(angle);
                for (int64_t k = 0; k < size; k++) {
                    const double kp = a[k][p], kq = a[k][q];
                    a[k][p] = c * kp - s * kq;
                    a[k][q] = s * kp + c * kq;
                }
                for (int64_t k = 0; k < size; k++) {
                    const double pk = a[p][k], qk = a[q][k], bp = basis[p][k], bq = basis[q][k];
                    a[p][k] = c * pk - s * qk;
                    a[q][k] = s * pk + c * qk;
                    basis[p][k] = c * bp - s * bq;
                    basis[q][k] = s * bp + c * bq;
                }
            }
}

/* Rotates the directions inside their span so that they are eigenvectors there, the largest eigenvalues first.
 * Returns the cosine of the angle by which the second moved, or the first if there is no second. */
static double rotate(components *c)
{
    const int64_t dims = c->points->dims, n = c->directions;
    double a[DIRECTIONS][DIRECTIONS], basis[DIRECTIONS][DIRECTIONS];
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) a[i][j] = dot(c->direction + i * dims, c->product + j * dims, dims);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++) a[i][j] = a[j][i] = 0.5 * (a[i][j] + a[j][i]);
    diagonalise(a, basis, n);
    int64_t place[DIRECTIONS];
    for (int64_t i = 0; i < n; i++) {
        int64_t at = i;
        for (; at > 0 && a[place[at - 1]][place[at - 1]] < a[i][i]; at--) place[at] = place[at - 1];
        place[at] = i;
    }
    memset(c->partial, 0, (size_t)(n * dims) * sizeof *c->partial);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            for (int64_t d = 0; d < dims; d++)
                c->partial[i * dims + d] += basis[place[i]][j] * c->product[j * dims + d];
    memcpy(c->product, c->partial, (size_t)(n * dims) * sizeof *c->product);
    make_orthonormal(c->product, n, dims);
    const int64_t watched = n > 1 ? dims : 0;
    const double cosine = fabs(dot(c->direction + watched, c->product + watched, dims));
    memcpy(c->direction, c->product, (size_t)(n * dims) * sizeof *c->direction);
    return cosine;
}

static crd_status open_components(components *c, crd_error *error)
{
    const int64_t dims = c->points->dims;
    c->directions = dims < DIRECTIONS ? dims : DIRECTIONS;
    const int64_t size = c->directions * dims;
    crd_status status = CRD_NEW(&c->direction, size, error);
    if (status == CRD_OK) status = CRD_NEW(&c->product, size, error);
    if (status == CRD_OK) status = CRD_NEW(&c->partial, BLOCKS * size, error);
    if (status != CRD_OK) return status;
    crd_rng rng = crd_rng_start(0, CRD_RNG_MAP_START);
    for (int64_t i = 0; i < size; i++) c->direction[i] = crd_rng_normal(&rng);
    make_orthonormal(c->direction, c->directions, dims);
    return CRD_OK;
}

/* A direction and its opposite are equally good, so the largest part is made positive. */
static double sign_of(const double *direction, int64_t dims)
{
    double largest = 0.0;
    for (int64_t d = 0; d < dims; d++)
        if (fabs(direction[d]) > fabs(largest)) largest = direction[d];
    return largest < 0.0 ? -1.0 : 1.0;
}

crd_status crd_start_principal(const crd_points *points, crd_team *team, float *map, crd_error *error)
{
    const int64_t count = points->count, dims = points->dims;
    components c = {.points = points};
    crd_status status = open_components(&c, error);
    if (status == CRD_OK) {
        double cosine = 0.0;
        for (int round = 0; round < ROUNDS && !(cosine > 1.0 - 1e-10); round++) {
            multiply(&c, team);
            cosine = rotate(&c);
        }
        multiply(&c, team);
        const double variance = dot(c.direction, c.product, dims) / (double)count;
        const double scale = variance > 0.0 ? 1e-4 / sqrt(variance) : 0.0;
        for (int64_t k = 0; k < 2; k++) {
            const double *direction = c.direction + k * dims;
            const double factor = k < c.directions ? scale * sign_of(direction, dims) : 0.0;
            for (int64_t i = 0; i < count; i++)
                map[2 * i + k] =
                    factor != 0.0 ? (float)(factor * dot_point(points->value + i * dims, direction, dims)) : 0.0f;
        }
    }
    free(c.direction);
    free(c.product);
    free(c.partial);
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
