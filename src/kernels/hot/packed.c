/* Products of packed sparse rows with a narrow matrix of weights; kernels/packed.h says why to pack. */
#include "kernels/hot/all.h"
#include "kernels/hot/vector.h"

/* One block of one panel, and a strip of `lanes` columns of the output. */
typedef struct {
    int64_t rows, lanes, width;
    const uint16_t *count, *column;
    const float *value;
    const float *strip; /* the block's weights, padded to whole vectors */
    bool first, last;   /* block of the panel */
    const float *scale, *bias;
    float *out;
} work;

/* Sums of T vectors stay in registers through a piece. U entries are added to sums of their own, because an
 * addition waits for the one before it: eight sums keep the units busy. */
#define PIECES(T, U)                                                                                        \
    INLINE void pieces_##T##_of(const work *k, bool whole, bool valued)                                     \
    {                                                                                                       \
        const uint16_t *column = k->column;                                                                 \
        const float *value = k->value;                                                                      \
        for (int64_t i = 0; i < k->rows; i++) {                                                             \
            const int64_t count = k->count[i];                                                              \
            float *out = k->out + i * k->width;                                                             \
            if (count == 0 && !k->first && !k->last) continue;                                              \
            vec sum[U][T];                                                                                  \
            for (int u = 0; u < U; u++)                                                                     \
                for (int t = 0; t < T; t++) sum[u][t] = vec_set(0.0f);                                      \
            if (!k->first)                                                                                  \
                for (int t = 0; t < T; t++)                                                                 \
                    sum[0][t] = whole ? vec_load(out + t * LANES) : vec_load_lanes(out, k->lanes);          \
            int64_t e = 0;                                                                                  \
            for (; e + U <= count; e += U)                                                                  \
                for (int u = 0; u < U; u++) {                                                               \
                    const float *row = k->strip + (size_t)column[e + u] * (T * LANES);                      \
                    for (int t = 0; t < T; t++)                                                             \
                        sum[u][t] += valued ? value[e + u] * vec_load(row + t * LANES)                      \
                                            : vec_load(row + t * LANES);                                    \
                }                                                                                           \
            for (; e < count; e++) {                                                                        \
                const float *row = k->strip + (size_t)column[e] * (T * LANES);                              \
                for (int t = 0; t < T; t++)                                                                 \
                    sum[0][t] += valued ? value[e] * vec_load(row + t * LANES) : vec_load(row + t * LANES); \
            }                                                                                               \
            for (int u = 1; u < U; u++)                                                                     \
                for (int t = 0; t < T; t++) sum[0][t] += sum[u][t];                                         \
            if (k->last && k->scale != NULL)                                                                \
                for (int t = 0; t < T; t++) sum[0][t] *= k->scale[i];                                       \
            if (k->last && k->bias != NULL)                                                                 \
                for (int t = 0; t < T; t++)                                                                 \
                    sum[0][t] += whole ? vec_load(k->bias + t * LANES) : vec_load_lanes(k->bias, k->lanes); \
            for (int t = 0; t < T; t++) {                                                                   \
                if (whole) vec_store(out + t * LANES, sum[0][t]);                                           \
                else vec_store_lanes(out, sum[0][t], k->lanes);                                             \
            }                                                                                               \
            column += count;                                                                                \
            if (valued) value += count;                                                                     \
        }                                                                                                   \
    }                                                                                                       \
    static void pieces_##T(const work *k)                                                                   \
    {                                                                                                       \
        if (k->value != NULL) pieces_##T##_of(k, true, true);                                               \
        else pieces_##T##_of(k, true, false);                                                               \
    }
#if LANES <= 8
PIECES(8, 1)
#endif
PIECES(4, 2)
PIECES(2, 4)
PIECES(1, 4)

/* The last columns of a width that is no multiple of LANES. */
static void pieces_rest(const work *k)
{
    if (k->value != NULL) pieces_1_of(k, false, true);
    else pieces_1_of(k, false, false);
}

/* A strip of a block's weights, next to each other and aligned: where they lie as they are, every second
 * load would touch two cache lines, and widths of powers of two would meet in few cache sets. */
static void gather(const float *weight, int64_t columns, int64_t width, int64_t lanes, const float *scale,
                   float *strip)
{
    const int64_t padded = (lanes + LANES - 1) / LANES * LANES;
    for (int64_t j = 0; j < columns; j++) {
        const float *from = weight + j * width;
        float *to = strip + j * padded;
        const float factor = scale != NULL ? scale[j] : 1.0f;
        int64_t l = 0;
        for (; l + LANES <= lanes; l += LANES) vec_store(to + l, factor * vec_load(from + l));
        if (l < lanes) vec_store(to + l, factor * vec_load_lanes(from + l, lanes - l));
    }
}

/* Columns of the strip that begins where `left` columns of the width are left, and its function. */
static int64_t choose(int64_t left, void (**pieces)(const work *))
{
#if LANES <= 8
    if (left >= 8 * LANES) return *pieces = pieces_8, 8 * LANES;
#endif
    if (left >= 4 * LANES) return *pieces = pieces_4, 4 * LANES;
    if (left >= 2 * LANES) return *pieces = pieces_2, 2 * LANES;
    if (left >= LANES) return *pieces = pieces_1, LANES;
    return *pieces = pieces_rest, left;
}

void CRD_NAME(packed_panel)(int64_t panel, const crd_packed *x, const float *weight, int64_t width,
                            const float *bias, float *out)
{
    _Alignas(64) float strip[CRD_BLOCK_FLOATS];
    const int64_t begin = panel * x->panel, left = x->rows - begin, blocks = (x->columns - 1) / x->block + 1;
    const int64_t rows = left < x->panel ? left : x->panel;
    work k = {.rows = rows, .width = width, .count = x->count + begin * blocks, .strip = strip,
              .scale = x->row_scale != NULL ? x->row_scale + begin : NULL};
    int64_t entry = x->start[panel];
    for (int64_t b = 0; b < blocks; b++) {
        const int64_t from = b * x->block, rest = x->columns - from;
        const int64_t columns = rest < x->block ? rest : x->block;
        k.first = b == 0;
        k.last = b == blocks - 1;
        k.column = x->column + entry;
        k.value = x->value != NULL ? x->value + entry : NULL;
        for (int64_t w = 0; w < width; w += k.lanes) {
            void (*pieces)(const work *);
            k.lanes = choose(width - w, &pieces);
            k.bias = bias != NULL ? bias + w : NULL;
            k.out = out + begin * width + w;
            gather(weight + from * width + w, columns, width, k.lanes,
                   x->column_scale != NULL ? x->column_scale + from : NULL, strip);
            pieces(&k);
        }
        for (int64_t i = 0; i < rows; i++) entry += k.count[i];
        k.count += rows;
    }
}
