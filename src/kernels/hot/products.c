/* Products of sparse rows with a weight matrix whose rows are short (hidden or latent width). */
#include "kernels/hot/all.h"
#include "kernels/hot/vector.h"

/* One row's tile of T vectors: the accumulators stay in registers because T is a constant. */
#define TILE(T)                                                                                             \
    INLINE void sparse_tile_##T(int64_t count, const int32_t *column, const float *value,                  \
                                const float *weight, int64_t width, const float *bias, float *out)         \
    {                                                                                                       \
        vec sum[T];                                                                                         \
        for (int t = 0; t < T; t++) sum[t] = bias != NULL ? vec_load(bias + t * LANES) : vec_set(0.0f);     \
        for (int64_t e = 0; e < count; e++) {                                                               \
            const float *row = weight + column[e] * width;                                                  \
            for (int t = 0; t < T; t++) sum[t] += value[e] * vec_load(row + t * LANES);                     \
        }                                                                                                   \
        for (int t = 0; t < T; t++) vec_store(out + t * LANES, sum[t]);                                     \
    }
TILE(8)
TILE(4)
TILE(2)
TILE(1)

void CRD_NAME(sparse_rows)(int64_t begin, int64_t end, const int64_t *start, const int32_t *column,
                           const float *value, const float *weight, int64_t width, const float *bias,
                           float *out)
{
    for (int64_t i = begin; i < end; i++) {
        const int64_t first = start[i], count = start[i + 1] - first;
        const int32_t *c = column + first;
        const float *v = value + first;
        float *o = out + i * width;
        int64_t w = 0;
        for (; w + 8 * LANES <= width; w += 8 * LANES)
            sparse_tile_8(count, c, v, weight + w, width, bias != NULL ? bias + w : NULL, o + w);
        for (; w + 4 * LANES <= width; w += 4 * LANES)
            sparse_tile_4(count, c, v, weight + w, width, bias != NULL ? bias + w : NULL, o + w);
        for (; w + 2 * LANES <= width; w += 2 * LANES)
            sparse_tile_2(count, c, v, weight + w, width, bias != NULL ? bias + w : NULL, o + w);
        for (; w + LANES <= width; w += LANES)
            sparse_tile_1(count, c, v, weight + w, width, bias != NULL ? bias + w : NULL, o + w);
        for (; w < width; w++) {
            float sum = bias != NULL ? bias[w] : 0.0f;
            for (int64_t e = 0; e < count; e++) sum += v[e] * weight[c[e] * width + w];
            o[w] = sum;
        }
    }
}

/* One row, and `lanes` columns of the result, no more than T vectors of them. The sum of a shard climbs the tree until it must wait for
 * the other half of a subtree: level l has room for a subtree of 2^l shards. Shards without an entry are passed over. */
enum { LEVELS = 7 };

#define TREE_TILE(T)                                                                                        \
    INLINE void tree_tile_##T(bool whole, int64_t lanes, int64_t count, const int32_t *column,              \
                              const float *value, const int64_t *shard_end, const float *weight,           \
                              int64_t width, float *out)                                                   \
    {                                                                                                       \
        vec sum[T], waiting[LEVELS][T];                                                                     \
        unsigned waits = 0; /* a bit per level */                                                           \
        int64_t e = 0, shard = 0, next = 0;                                                                 \
        do {                                                                                                \
            for (int t = 0; t < T; t++) sum[t] = vec_set(0.0f);                                             \
            for (shard = next; e < count && column[e] >= shard_end[shard];) shard++;                        \
            for (; e < count && column[e] < shard_end[shard]; e++) {                                        \
                const float *row = weight + column[e] * width;                                              \
                for (int t = 0; t < T; t++)                                                                 \
                    sum[t] += value[e] * (whole ? vec_load(row + t * LANES) : vec_load_lanes(row, lanes));  \
            }                                                                                               \
            for (next = shard; e < count && column[e] >= shard_end[next];) next++;                          \
            for (int l = 0; l < LEVELS; l++) {                                                              \
                if (e < count && next >> l == (shard >> l) + 1 && !(shard >> l & 1)) {                      \
                    for (int t = 0; t < T; t++) waiting[l][t] = sum[t];                                     \
                    waits |= 1u << l;                                                                       \
                    break;                                                                                  \
                }                                                                                           \
                if (!(waits >> l & 1)) continue;                                                            \
                for (int t = 0; t < T; t++) sum[t] += waiting[l][t];                                        \
                waits &= ~(1u << l);                                                                        \
            }                                                                                               \
        } while (e < count);                                                                                \
        for (int t = 0; t < T; t++) {                                                                       \
            if (whole) vec_store(out + t * LANES, sum[t]);                                                  \
            else vec_store_lanes(out, sum[t], lanes);                                                       \
        }                                                                                                   \
    }
TREE_TILE(4)
TREE_TILE(1)

void CRD_NAME(sparse_tree_rows)(int64_t begin, int64_t end, const int64_t *start, const int32_t *column,
                                const float *value, const int64_t *shard_end, const float *weight, int64_t width,
                                float *out)
{
    for (int64_t i = begin; i < end; i++) {
        const int64_t first = start[i], count = start[i + 1] - first;
        const int32_t *c = column + first;
        const float *v = value + first;
        float *o = out + i * width;
        int64_t w = 0;
        for (; w + 4 * LANES <= width; w += 4 * LANES)
            tree_tile_4(true, 4 * LANES, count, c, v, shard_end, weight + w, width, o + w);
        for (; w + LANES <= width; w += LANES)
            tree_tile_1(true, LANES, count, c, v, shard_end, weight + w, width, o + w);
        if (w < width) tree_tile_1(false, width - w, count, c, v, shard_end, weight + w, width, o + w);
    }
}

void CRD_NAME(scale_rows)(int64_t count, const float *scale, int64_t width, float *rows)
{
    for (int64_t i = 0; i < count; i++)
        for (int64_t w = 0; w < width; w++) rows[i * width + w] *= scale[i];
}
