/* Products of feature rows with a weight matrix whose rows are short (hidden or latent width). */
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

/* R rows at once share every load of a weight row. */
#define DENSE_TILE(R, T)                                                                                    \
    INLINE void dense_tile_##R##_##T(const float *x, int64_t columns, const float *weight, int64_t width,  \
                                     const float *bias, float *out)                                        \
    {                                                                                                       \
        vec sum[R][T];                                                                                      \
        for (int r = 0; r < R; r++)                                                                         \
            for (int t = 0; t < T; t++)                                                                     \
                sum[r][t] = bias != NULL ? vec_load(bias + t * LANES) : vec_set(0.0f);                      \
        for (int64_t j = 0; j < columns; j++)                                                               \
            for (int t = 0; t < T; t++) {                                                                   \
                vec w = vec_load(weight + j * width + t * LANES);                                           \
                for (int r = 0; r < R; r++) sum[r][t] += x[r * columns + j] * w;                            \
            }                                                                                               \
        for (int r = 0; r < R; r++)                                                                         \
            for (int t = 0; t < T; t++) vec_store(out + r * width + t * LANES, sum[r][t]);                  \
    }
DENSE_TILE(4, 2)
DENSE_TILE(4, 1)
DENSE_TILE(1, 2)
DENSE_TILE(1, 1)

void CRD_NAME(dense_rows)(int64_t begin, int64_t end, const float *x, int64_t columns, const float *weight,
                          int64_t width, const float *bias, float *out)
{
    for (int64_t i = begin; i < end;) {
        int64_t rows = i + 4 <= end ? 4 : 1;
        const float *from = x + i * columns;
        float *to = out + i * width;
        int64_t w = 0;
        for (; w + 2 * LANES <= width; w += 2 * LANES) {
            const float *b = bias != NULL ? bias + w : NULL;
            if (rows == 4) dense_tile_4_2(from, columns, weight + w, width, b, to + w);
            else dense_tile_1_2(from, columns, weight + w, width, b, to + w);
        }
        for (; w + LANES <= width; w += LANES) {
            const float *b = bias != NULL ? bias + w : NULL;
            if (rows == 4) dense_tile_4_1(from, columns, weight + w, width, b, to + w);
            else dense_tile_1_1(from, columns, weight + w, width, b, to + w);
        }
        for (; w < width; w++)
            for (int64_t r = 0; r < rows; r++) {
                float sum = bias != NULL ? bias[w] : 0.0f;
                for (int64_t j = 0; j < columns; j++) sum += from[r * columns + j] * weight[j * width + w];
                to[r * width + w] = sum;
            }
        i += rows;
    }
}

/* Rows of x and y that are worked on at a time, so that they stay in the first-level cache while column
 * after column uses them. */
enum { PANEL = 128 };

/* Adds the products of C columns of x and T vectors of y's columns, over some rows; sums stay in registers.
 * Of a single vector, some lanes may be padding. */
#define TRANSPOSED_TILE(C, T)                                                                               \
    INLINE void transposed_tile_##C##_##T(const float *x, int64_t rows, int64_t columns, const float *y,   \
                                          int64_t stride, float *out, int64_t width, int64_t lanes)        \
    {                                                                                                       \
        const bool whole = lanes == T * LANES;                                                              \
        vec sum[C][T];                                                                                      \
        for (int c = 0; c < C; c++)                                                                         \
            for (int t = 0; t < T; t++) {                                                                   \
                const float *from = out + c * width + t * LANES;                                            \
                sum[c][t] = whole ? vec_load(from) : vec_load_lanes(from, lanes);                           \
            }                                                                                               \
        for (int64_t i = 0; i < rows; i++)                                                                  \
            for (int t = 0; t < T; t++) {                                                                   \
                vec source = vec_load(y + i * stride + t * LANES);                                          \
                for (int c = 0; c < C; c++) sum[c][t] += x[i * columns + c] * source;                       \
            }                                                                                               \
        for (int c = 0; c < C; c++)                                                                         \
            for (int t = 0; t < T; t++) {                                                                   \
                float *to = out + c * width + t * LANES;                                                    \
                if (whole) vec_store(to, sum[c][t]);                                                        \
                else vec_store_lanes(to, sum[c][t], lanes);                                                 \
            }                                                                                               \
    }
TRANSPOSED_TILE(4, 2)
TRANSPOSED_TILE(4, 1)
TRANSPOSED_TILE(1, 2)
TRANSPOSED_TILE(1, 1)

void CRD_NAME(dense_transposed)(int64_t first, int64_t last, const float *x, int64_t rows, int64_t columns,
                                const float *y, int64_t width, float *out)
{
    _Alignas(64) float padded[PANEL * LANES]; /* the last columns of y, if they are no whole vector */
    const int64_t rest = width % LANES, full = width - rest;
    for (int64_t j = first; j < last; j++) memset(out + j * width, 0, (size_t)width * sizeof *out);
    for (int64_t begin = 0; begin < rows; begin += PANEL) {
        const int64_t count = begin + PANEL < rows ? PANEL : rows - begin;
        const float *source = y + begin * width;
        for (int64_t i = 0; i < count && rest > 0; i++)
            vec_store(padded + i * LANES, vec_load_lanes(source + i * width + full, rest));
        for (int64_t j = first; j < last;) {
            const int64_t together = j + 4 <= last ? 4 : 1;
            const float *from = x + begin * columns + j;
            float *to = out + j * width;
            int64_t w = 0;
            for (; w + 2 * LANES <= width; w += 2 * LANES) {
                const float *s = source + w;
                if (together == 4)
                    transposed_tile_4_2(from, count, columns, s, width, to + w, width, 2 * LANES);
                else transposed_tile_1_2(from, count, columns, s, width, to + w, width, 2 * LANES);
            }
            if (w < full) {
                const float *s = source + w;
                if (together == 4) transposed_tile_4_1(from, count, columns, s, width, to + w, width, LANES);
                else transposed_tile_1_1(from, count, columns, s, width, to + w, width, LANES);
            }
            if (rest > 0) {
                if (together == 4)
                    transposed_tile_4_1(from, count, columns, padded, LANES, to + full, width, rest);
                else transposed_tile_1_1(from, count, columns, padded, LANES, to + full, width, rest);
            }
            j += together;
        }
    }
}
