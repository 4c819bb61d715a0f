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
