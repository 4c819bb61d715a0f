/* SPDX-License-Identifier: MIT */
/* Products of packed sparse rows with a narrow matrix of weights; kernels/linear.h says why to pack. */
#include "kernels/hot/all.h"
#include "kernels/hot/vector.h"

/* Of the tree over CRD_SHARDS shards. */
enum { MOST_LEVELS = 7, MOST_VECTORS = 8 };

/* One block of one panel, and a strip of `lanes` columns of the output. */
typedef struct {
    int64_t rows, lanes, width;
    const uint16_t *count, *column;
    const float *value;
    const float *strip; /* the block's weights, in whole vectors */
    int64_t stride;     /* from one column's weights to the next's */
    int64_t segments;
    bool starts; /* else sums continue from `out` */
    bool idle;   /* rows without an entry stay unchanged */
    int joined;  /* partial sums of earlier blocks, which these join */
    const float *join[MOST_LEVELS];
    const float *scale, *bias; /* after the last block; else NULL */
    float *out, *to;
} block_work;

/* Joins the partial sums of a block's segments along the tree as they come. The last segment joins all waiting sums;
 * another one joins those with which it completes a power of two. */
#define JOIN_SEGMENT(T)                                                                                                \
    do {                                                                                                               \
        const bool last = s + 1 == k->segments;                                                                        \
        int l = 0;                                                                                                     \
        for (; s >> l & 1 || (last && s >> l > 0); l++)                                                                \
            if (s >> l & 1)                                                                                            \
                for (int t = 0; t < T; t++) sum[0][t] += waiting[l][t];                                                \
        if (!last)                                                                                                     \
            for (int t = 0; t < T; t++) waiting[l][t] = sum[0][t];                                                     \
    } while (0)

/* Sums of T vectors stay in registers through a piece. U entries are added to separate sums, because an addition
 * waits for the one before it; eight sums keep the units busy. */
#define PIECES(T, U)                                                                                                   \
    INLINE void pieces_##T##_of(const block_work *k, bool whole, bool valued, bool in_place, bool several)             \
    {                                                                                                                  \
        const uint16_t *column = k->column, *counts = k->count;                                                        \
        const float *value = k->value;                                                                                 \
        const int64_t stride = in_place ? k->stride : T * LANES, segments = several ? k->segments : 1;                 \
        const int at_once = several ? 1 : U; /* pieces of a segment are short: one loop ends sooner than two */        \
        for (int64_t i = 0; i < k->rows; i++) {                                                                        \
            const float *out = k->out + i * k->width;                                                                  \
            float *to = k->to + i * k->width;                                                                          \
            vec sum[U][T], waiting[several ? MOST_LEVELS : 1][T];                                                      \
            if (!several && k->idle && *counts == 0) {                                                                 \
                counts++;                                                                                              \
                continue;                                                                                              \
            }                                                                                                          \
            for (int64_t s = 0; s < segments; s++) {                                                                   \
                const int64_t count = *counts++;                                                                       \
                for (int u = 0; u < at_once; u++)                                                                      \
                    for (int t = 0; t < T; t++) sum[u][t] = vec_set(0.0f);                                             \
                if (!several && !k->starts)                                                                            \
                    for (int t = 0; t < T; t++)                                                                        \
                        sum[0][t] = whole ? vec_load(out + t * LANES) : vec_load_lanes(out, k->lanes);                 \
                int64_t e = 0;                                                                                         \
                for (; at_once > 1 && e + U <= count; e += U)                                                          \
                    for (int u = 0; u < U; u++) {                                                                      \
                        const float *row = k->strip + column[e + u] * stride;                                          \
                        for (int t = 0; t < T; t++)                                                                    \
                            sum[u][t] +=                                                                               \
                                valued ? value[e + u] * vec_load(row + t * LANES) : vec_load(row + t * LANES);         \
                    }                                                                                                  \
                for (; e < count; e++) {                                                                               \
                    const float *row = k->strip + column[e] * stride;                                                  \
                    for (int t = 0; t < T; t++)                                                                        \
                        sum[0][t] += valued ? value[e] * vec_load(row + t * LANES) : vec_load(row + t * LANES);        \
                }                                                                                                      \
                for (int u = 1; u < at_once; u++)                                                                      \
                    for (int t = 0; t < T; t++) sum[0][t] += sum[u][t];                                                \
                column += count;                                                                                       \
                if (valued) value += count;                                                                            \
                if (several) JOIN_SEGMENT(T);                                                                          \
            }                                                                                                          \
            for (int j = 0; j < k->joined; j++)                                                                        \
                for (int t = 0; t < T; t++)                                                                            \
                    sum[0][t] += whole ? vec_load(k->join[j] + i * k->width + t * LANES)                               \
                                       : vec_load_lanes(k->join[j] + i * k->width, k->lanes);                          \
            if (k->scale != NULL)                                                                                      \
                for (int t = 0; t < T; t++) sum[0][t] *= k->scale[i];                                                  \
            if (k->bias != NULL)                                                                                       \
                for (int t = 0; t < T; t++)                                                                            \
                    sum[0][t] += whole ? vec_load(k->bias + t * LANES) : vec_load_lanes(k->bias, k->lanes);            \
            for (int t = 0; t < T; t++) {                                                                              \
                if (whole) vec_store(to + t * LANES, sum[0][t]);                                                       \
                else vec_store_lanes(to, sum[0][t], k->lanes);                                                         \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    static void pieces_##T(const block_work *k)                                                                        \
    {                                                                                                                  \
        if (k->segments > 1 && k->value != NULL) pieces_##T##_of(k, true, true, true, true);                           \
        else if (k->segments > 1) pieces_##T##_of(k, true, false, true, true);                                         \
        else if (k->stride != T * LANES && k->value != NULL) pieces_##T##_of(k, true, true, true, false);              \
        else if (k->stride != T * LANES) pieces_##T##_of(k, true, false, true, false);                                 \
        else if (k->value != NULL) pieces_##T##_of(k, true, true, false, false);                                       \
        else pieces_##T##_of(k, true, false, false, false);                                                            \
    }
#if LANES <= 8
PIECES(8, 1)
#endif
PIECES(4, 2)
PIECES(2, 4)
PIECES(1, 4)

/* The last columns of a width that is not a multiple of LANES. */
static void pieces_rest(const block_work *k)
{
    if (k->value != NULL) pieces_1_of(k, false, true, false, false);
    else pieces_1_of(k, false, false, false, false);
}

/* Copies a strip of a block's weights next to each other and aligned. Read in place, every second load would touch
 * two cache lines, and widths of powers of two would collide in few cache sets. */
static void gather(const float *weight, int64_t columns, int64_t width, int64_t lanes, float *strip)
{
    const int64_t padded = (lanes + LANES - 1) / LANES * LANES;
    for (int64_t j = 0; j < columns; j++) {
        const float *from = weight + j * width;
        float *to = strip + j * padded;
        int64_t l = 0;
        for (; l + LANES <= lanes; l += LANES) vec_store(to + l, vec_load(from + l));
        if (l < lanes) vec_store(to + l, vec_load_lanes(from + l, lanes - l));
    }
}

/* The number of columns of the next strip, if `left` columns of the width are left, and its function. */
static int64_t choose(int64_t left, void (**pieces)(const block_work *))
{
#if LANES <= 8
    if (left >= 8 * LANES) return *pieces = pieces_8, 8 * LANES;
#endif
    if (left >= 4 * LANES) return *pieces = pieces_4, 4 * LANES;
    if (left >= 2 * LANES) return *pieces = pieces_2, 2 * LANES;
    if (left >= LANES) return *pieces = pieces_1, LANES;
    return *pieces = pieces_rest, left;
}

/* Where the sums of a block go, and which partial sums join them. */
static void choose_levels(const crd_packed *x, int64_t width, int64_t block, float *room, float *out, block_work *k)
{
    const crd_column_block *b = &x->block[block];
    const bool last = block + 1 == x->blocks;
    int l = 0;
    k->joined = 0;
    k->to = out;
    if (!b->ends) return;
    for (; b->index >> l & 1 || (last && b->index >> l > 0); l++)
        if (b->index >> l & 1) k->join[k->joined++] = room + l * x->panel * width;
    if (!last) k->to = room + l * x->panel * width;
}

void CRD_NAME(packed_panel)(int64_t panel, const crd_packed *x, const float *weight, int64_t width, const float *bias,
                            float *room, float *out)
{
    _Alignas(64) float strip[CRD_BLOCK_FLOATS];
    const int64_t begin = panel * x->panel, left = x->rows - begin;
    const int64_t rows = left < x->panel ? left : x->panel;
    block_work k = {.rows = rows, .width = width, .count = x->count + begin * x->segments};
    int64_t entry = x->start[panel];
    for (int64_t b = 0; b < x->blocks; b++) {
        const crd_column_block *at = &x->block[b];
        const bool last = b + 1 == x->blocks;
        const int64_t columns = (last ? x->columns : at[1].first) - at->first;
        block_work here = k;
        choose_levels(x, width, b, room, out + begin * width, &here);
        here.segments = at->segments;
        here.starts = at->starts;
        here.idle = !at->starts && !at->ends;
        here.scale = last && x->row_scale != NULL ? x->row_scale + begin : NULL;
        here.column = x->column + entry;
        here.value = x->value != NULL ? x->value + entry : NULL;
        for (int64_t w = 0; w < width; w += here.lanes) {
            block_work strips = here;
            void (*pieces)(const block_work *);
            here.lanes = strips.lanes = choose(width - w, &pieces);
            for (int j = 0; j < strips.joined; j++) strips.join[j] += w;
            strips.bias = last && bias != NULL ? bias + w : NULL;
            strips.out = out + begin * width + w;
            strips.to += w;
            strips.strip = weight + at->first * width + w;
            strips.stride = width;
            if (!x->in_place) {
                gather(strips.strip, columns, width, strips.lanes, strip);
                strips.strip = strip;
                strips.stride = (strips.lanes + LANES - 1) / LANES * LANES;
            }
            pieces(&strips);
        }
        for (int64_t i = 0; i < rows * at->segments; i++) entry += k.count[i];
        k.count += rows * at->segments;
    }
}

/* ---- rows that are not packed ---- */

/* One row, and `lanes` columns of the result, at most T vectors, whose sums stay in registers because T is a constant.
 * With shards, the sum of a shard climbs the tree until it must wait for the other half of a subtree: level l has room
 * for a subtree of 2^l shards. Shards without an entry are skipped. */
INLINE void sparse_tile(int T, int64_t lanes, int64_t i, const crd_rows *x, const int64_t *shard_end,
                        const float *weight, int64_t width, const float *bias, float *out)
{
    const int64_t first = x->start[i], count = x->start[i + 1] - first;
    const int32_t *column = x->column + first;
    const float *value = x->value + first;
    const bool whole = lanes == T * LANES;
    vec sum[MOST_VECTORS], waiting[MOST_LEVELS][MOST_VECTORS];
    unsigned waits = 0; /* a bit per level */
    int64_t e = 0, shard = 0, next = 0;
    do {
        for (int t = 0; t < T; t++) sum[t] = vec_set(0.0f);
        if (bias != NULL)
            for (int t = 0; t < T; t++) sum[t] = whole ? vec_load(bias + t * LANES) : vec_load_lanes(bias, lanes);
        if (shard_end != NULL)
            for (shard = next; e < count && column[e] >= shard_end[shard];) shard++;
        for (; e < count && (shard_end == NULL || column[e] < shard_end[shard]); e++) {
            const float *row = weight + column[e] * width;
            for (int t = 0; t < T; t++)
                sum[t] += value[e] * (whole ? vec_load(row + t * LANES) : vec_load_lanes(row, lanes));
        }
        if (shard_end == NULL) break;
        for (next = shard; e < count && column[e] >= shard_end[next];) next++;
        for (int l = 0; l < MOST_LEVELS; l++) {
            if (e < count && next >> l == (shard >> l) + 1 && !(shard >> l & 1)) {
                for (int t = 0; t < T; t++) waiting[l][t] = sum[t];
                waits |= 1u << l;
                break;
            }
            if (!(waits >> l & 1)) continue;
            for (int t = 0; t < T; t++) sum[t] += waiting[l][t];
            waits &= ~(1u << l);
        }
    } while (e < count);
    for (int t = 0; t < T; t++) {
        if (whole) vec_store(out + i * width + t * LANES, sum[t]);
        else vec_store_lanes(out + i * width, sum[t], lanes);
    }
}

INLINE void all_tiles(int64_t begin, int64_t end, const crd_rows *x, const int64_t *shard_end, const float *weight,
                      int64_t width, const float *bias, float *out)
{
    for (int64_t i = begin; i < end; i++) {
        int64_t w = 0;
        for (; w + 8 * LANES <= width; w += 8 * LANES)
            sparse_tile(8, 8 * LANES, i, x, shard_end, weight + w, width, bias != NULL ? bias + w : NULL, out + w);
        for (; w + 4 * LANES <= width; w += 4 * LANES)
            sparse_tile(4, 4 * LANES, i, x, shard_end, weight + w, width, bias != NULL ? bias + w : NULL, out + w);
        for (; w + 2 * LANES <= width; w += 2 * LANES)
            sparse_tile(2, 2 * LANES, i, x, shard_end, weight + w, width, bias != NULL ? bias + w : NULL, out + w);
        for (; w + LANES <= width; w += LANES)
            sparse_tile(1, LANES, i, x, shard_end, weight + w, width, bias != NULL ? bias + w : NULL, out + w);
        if (shard_end != NULL && w < width)
            sparse_tile(1, width - w, i, x, shard_end, weight + w, width, NULL, out + w);
        for (; shard_end == NULL && w < width; w++) { /* faster than a part of a vector if rows are short */
            float sum = bias != NULL ? bias[w] : 0.0f;
            for (int64_t e = x->start[i]; e < x->start[i + 1]; e++)
                sum += x->value[e] * weight[x->column[e] * width + w];
            out[i * width + w] = sum;
        }
    }
}

void CRD_NAME(sparse_rows)(int64_t begin, int64_t end, const crd_rows *x, const int64_t *shard_end, const float *weight,
                           int64_t width, const float *bias, float *out)
{
    if (shard_end == NULL) all_tiles(begin, end, x, NULL, weight, width, bias, out);
    else all_tiles(begin, end, x, shard_end, weight, width, NULL, out);
}

void CRD_NAME(scale_rows)(int64_t count, const float *scale, int64_t width, float *rows)
{
    for (int64_t i = 0; i < count; i++)
        for (int64_t w = 0; w < width; w++) rows[i * width + w] *= scale[i];
}
