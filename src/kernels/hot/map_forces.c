/* SPDX-License-Identifier: MIT */
/* t-SNE's forces between points of a map: along the entries of a sparse matrix, and between all of them. */
#include "kernels/hot/all.h"
#include "kernels/hot/wide.h"

typedef struct {
    vec x, y;
} places;

/* The positions of LANES points. They are loaded as pairs and separated by shuffles within 16 bytes, because
 * processors gather at best lane by lane; hence the order in which two vectors are filled. */
INLINE places places_of(const float *map, const int32_t *column)
{
    double first[LANES / 2], second[LANES / 2];
    for (int l = 0; l < LANES / 2; l++) {
        memcpy(first + l, map + 2 * (int64_t)column[l / 2 * 4 + l % 2], sizeof *first);
        memcpy(second + l, map + 2 * (int64_t)column[l / 2 * 4 + l % 2 + 2], sizeof *second);
    }
    const vec a = (vec)wide_load(first), b = (vec)wide_load(second);
    places at;
#if LANES == 16
    at.x = __builtin_shufflevector(a, b, 0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30);
    at.y = __builtin_shufflevector(a, b, 1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31);
#elif LANES == 8
    at.x = __builtin_shufflevector(a, b, 0, 2, 8, 10, 4, 6, 12, 14);
    at.y = __builtin_shufflevector(a, b, 1, 3, 9, 11, 5, 7, 13, 15);
#else
    at.x = __builtin_shufflevector(a, b, 0, 2, 4, 6);
    at.y = __builtin_shufflevector(a, b, 1, 3, 5, 7);
#endif
    return at;
}

void CRD_NAME(attract)(int64_t begin, int64_t end, const int64_t *start, const int32_t *column, const float *weight,
                       const float *map, float *force)
{
    for (int64_t i = begin; i < end; i++) {
        const float x = map[2 * i], y = map[2 * i + 1];
        vec force_x = vec_set(0.0f), force_y = vec_set(0.0f);
        for (int64_t e = start[i]; e < start[i + 1]; e += LANES) {
            const places at = places_of(map, column + e);
            const vec dx = x - at.x, dy = y - at.y;
            const vec pull = vec_load(weight + e) / (1.0f + dx * dx + dy * dy);
            force_x += pull * dx;
            force_y += pull * dy;
        }
        force[2 * i] = vec_sum(force_x);
        force[2 * i + 1] = vec_sum(force_y);
    }
}

double CRD_NAME(stretch)(int64_t begin, int64_t end, const int64_t *start, const int32_t *column, const float *weight,
                         const float *map)
{
    double total = 0.0;
    for (int64_t i = begin; i < end; i++) {
        vec sum = vec_set(0.0f);
        for (int64_t e = start[i]; e < start[i + 1]; e += LANES) {
            const places at = places_of(map, column + e);
            const vec dx = map[2 * i] - at.x, dy = map[2 * i + 1] - at.y;
            sum += vec_load(weight + e) * vec_log(1.0f + dx * dx + dy * dy);
        }
        total += (double)vec_sum(sum);
    }
    return total;
}

/* This many other points at a time are summed in floats. */
enum { FLOAT_SUMS = 4096 };

double CRD_NAME(repel)(int64_t begin, int64_t end, int64_t count, const float *x, const float *y, float *force)
{
    const int64_t padded = (count + CRD_PANEL - 1) / CRD_PANEL * CRD_PANEL;
    double total = 0.0;
    for (int64_t i = begin; i < end; i++) {
        double sum = -1.0, sum_x = 0.0, sum_y = 0.0; /* a point's own q is 1 */
        for (int64_t from = 0; from < padded; from += FLOAT_SUMS) {
            const int64_t to = from + FLOAT_SUMS < padded ? from + FLOAT_SUMS : padded;
            vec all = vec_set(0.0f), all_x = vec_set(0.0f), all_y = vec_set(0.0f);
            for (int64_t j = from; j < to; j += LANES) {
                const vec dx = x[i] - vec_load(x + j), dy = y[i] - vec_load(y + j);
                const vec q = 1.0f / (1.0f + dx * dx + dy * dy), push = q * q;
                all += q;
                all_x += push * dx;
                all_y += push * dy;
            }
            sum += (double)vec_sum(all);
            sum_x += (double)vec_sum(all_x);
            sum_y += (double)vec_sum(all_y);
        }
        total += sum;
        force[2 * i] = (float)sum_x;
        force[2 * i + 1] = (float)sum_y;
    }
    return total;
}
