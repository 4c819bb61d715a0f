/* SPDX-License-Identifier: MIT */
/* The two kernels that read neighbours: diffusion and the distance regulariser. */
#include "kernels/hot/all.h"
#include "kernels/hot/vector.h"

/* Rows of evidence are padded to CRD_PAD floats: a vector is that much, or a part of it if vectors are shorter. */
enum { PART = LANES < CRD_PAD ? LANES : CRD_PAD, PARTS = CRD_PAD / PART };
typedef float part __attribute__((vector_size(PART * 4)));

INLINE part part_load(const float *p)
{
    part v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* Rows are prefetched this many neighbours ahead: distant ones must be fetched concurrently, and a processor looks
 * only some twenty ahead. */
enum { AHEAD = 48 };

/* Rows of T times CRD_PAD floats. U neighbours are added to separate sums, because an addition waits for the one
 * before it. */
INLINE void diffuse_rows(int T, int U, bool ahead, int64_t begin, int64_t end, const crd_steps *k, const float *x,
                         bool last, float *out, int64_t stride)
{
    const int64_t *start = k->start, width = T * CRD_PAD;
    const int32_t *neighbour = k->neighbour;
    for (int64_t i = begin; i < end; i++) {
        part sum[4][2 * PARTS];
        for (int t = 0; t < T * PARTS; t++) sum[0][t] = part_load(x + i * width + t * PART);
        for (int u = 1; u < U; u++)
            for (int t = 0; t < T * PARTS; t++) sum[u][t] = (part){0};
        int64_t e = start[i];
        for (; e + U <= start[i + 1]; e += U)
            for (int u = 0; u < U; u++) {
                if (ahead) __builtin_prefetch(x + neighbour[e + u + AHEAD] * width);
                const float *row = x + neighbour[e + u] * width;
                for (int t = 0; t < T * PARTS; t++) sum[u][t] += part_load(row + t * PART);
            }
        for (; e < start[i + 1]; e++) {
            if (ahead) __builtin_prefetch(x + neighbour[e + AHEAD] * width);
            const float *row = x + neighbour[e] * width;
            for (int t = 0; t < T * PARTS; t++) sum[0][t] += part_load(row + t * PART);
        }
        for (int u = 1; u < U; u++)
            for (int t = 0; t < T * PARTS; t++) sum[0][t] += sum[u][t];
        const float scale = last ? 1.0f : k->s[i];
        const float keep = (1.0f - k->teleport) * k->s[i] * scale, back = k->teleport * scale;
        for (int t = 0; t < T * PARTS; t++) {
            part value = keep * sum[0][t];
            if (k->origin != NULL) value += back * part_load(k->origin + i * k->stride + t * PART);
            memcpy(out + i * stride + t * PART, &value, sizeof value);
        }
    }
}

void CRD_NAME(diffuse)(int64_t begin, int64_t end, const crd_steps *steps, const float *x, bool last, float *out,
                       int64_t stride)
{
    const bool ahead = steps->far && steps->start[end] + AHEAD <= steps->entries;
    if (steps->width == CRD_PAD) {
        if (ahead) diffuse_rows(1, 4, true, begin, end, steps, x, last, out, stride);
        else diffuse_rows(1, 4, false, begin, end, steps, x, last, out, stride);
    } else {
        if (ahead) diffuse_rows(2, 2, true, begin, end, steps, x, last, out, stride);
        else diffuse_rows(2, 2, false, begin, end, steps, x, last, out, stride);
    }
}

/* The distance of row i from its neighbours in LANES dimensions; the first `skip` of these are already counted. */
INLINE double apart(int64_t i, const int64_t *start, const int32_t *neighbour, const float *z, int64_t dims,
                    int64_t skip, float factor, float *dz)
{
    const vec own = vec_load(z + i * dims);
    vec pull = vec_set(0.0f), square = vec_set(0.0f);
    for (int64_t e = start[i]; e < start[i + 1]; e++) {
        const vec delta = own - vec_load(z + neighbour[e] * dims);
        pull += delta;
        square += delta * delta;
    }
    pull *= factor;
    if (skip > 0)
        for (int64_t l = 0; l < skip; l++) pull[l] = square[l] = 0.0f;
    if (dz != NULL) vec_store(dz + i * dims, vec_load(dz + i * dims) + pull);
    return (double)vec_sum(square);
}

/* The same for less than a vector. */
static double apart_narrow(int64_t i, const int64_t *start, const int32_t *neighbour, const float *z, int64_t dims,
                           float factor, float *dz)
{
    double row = 0.0;
    for (int64_t d = 0; d < dims; d++) {
        float pull = 0.0f, square = 0.0f;
        for (int64_t e = start[i]; e < start[i + 1]; e++) {
            const float delta = z[i * dims + d] - z[neighbour[e] * dims + d];
            pull += delta;
            square += delta * delta;
        }
        row += (double)square;
        if (dz != NULL) dz[i * dims + d] += factor * pull;
    }
    return row;
}

double CRD_NAME(distance)(int64_t begin, int64_t end, const int64_t *start, const int32_t *neighbour, const float *z,
                          int64_t dims, float weight, float *dz)
{
    double total = 0.0;
    const float factor = 4.0f * weight;
    for (int64_t i = begin; i < end; i++) {
        double row = 0.0;
        int64_t d = 0;
        for (; d + LANES <= dims; d += LANES)
            row += apart(i, start, neighbour, z + d, dims, 0, factor, dz != NULL ? dz + d : NULL);
        if (d < dims && dims >= LANES) { /* the last vector overlaps the one before */
            const int64_t last = dims - LANES;
            row += apart(i, start, neighbour, z + last, dims, d - last, factor, dz != NULL ? dz + last : NULL);
        } else if (d < dims) {
            row += apart_narrow(i, start, neighbour, z, dims, factor, dz);
        }
        total += row;
    }
    return total;
}
