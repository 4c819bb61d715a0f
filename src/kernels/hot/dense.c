/* SPDX-License-Identifier: MIT */
/* Products of a dense matrix, and of its transpose, with a matrix whose rows are short (hidden or latent width).
 *
 * Both consist of tiles of SIDE x VECTORS vectors of sums that stay in registers through some steps. A step
 * multiplies SIDE numbers of one matrix, each broadcast to all lanes, with VECTORS vectors of the other. So many sums
 * share each load that arithmetic is the bottleneck, not loads. The vectors come from strips: an aligned copy of the
 * part of their matrix in use. Read in place, every second load would touch two cache lines, and rows of powers of
 * two would collide in few cache sets. */
#include "kernels/hot/all.h"
#include "kernels/hot/vector.h"

/* The sums, the vectors of a step, a broadcast number and (without fused multiply-add) a product must fit in the
 * registers: 32 with AVX-512, else 16. AArch64 has 32, but compilers load all numbers of a step at once and would
 * spill the sums of a larger tile; twelve sums keep its units busy. */
#if LANES == 16
enum { SIDE = 12, VECTORS = 2 };
#else
enum { SIDE = 6, VECTORS = 2 };
#endif

/* Sizes of the work at one time. Forward, a step is a column: the strips of STEPS columns and a panel of some rows of
 * the matrix. Transposed, a step is a row: ROW_STEPS rows and a panel of some columns, whose rows are an odd number
 * of cache lines so that they spread over all sets. Sides of 6 and 12 divide the panels. */
enum { STEPS = CRD_BLOCK_FLOATS / CRD_STRIP, PANEL_ROWS = 60, ROW_STEPS = 96, PANEL_COLUMNS = 48, LINE = 16 };

/* out = from + the sum over the steps s of a[s * step + r * side] * strip[s], for r < SIDE; rows of from and
 * out are `stride` and `width` apart. */
#define TILE(T)                                                                                                        \
    INLINE void tile_##T(int64_t steps, const float *a, int64_t step, int64_t side, const float *strip,                \
                         const float *from, int64_t stride, float *out, int64_t width)                                 \
    {                                                                                                                  \
        vec sum[SIDE][T];                                                                                              \
        for (int r = 0; r < SIDE; r++)                                                                                 \
            for (int t = 0; t < T; t++) sum[r][t] = vec_load(from + r * stride + t * LANES);                           \
        for (int64_t s = 0; s < steps; s++) {                                                                          \
            vec v[T];                                                                                                  \
            for (int t = 0; t < T; t++) v[t] = vec_load(strip + t * LANES);                                            \
            for (int r = 0; r < SIDE; r++)                                                                             \
                for (int t = 0; t < T; t++) sum[r][t] += a[r * side] * v[t];                                           \
            a += step;                                                                                                 \
            strip += T * LANES;                                                                                        \
        }                                                                                                              \
        for (int r = 0; r < SIDE; r++)                                                                                 \
            for (int t = 0; t < T; t++) vec_store(out + r * width + t * LANES, sum[r][t]);                             \
    }
TILE(1)
TILE(2)

INLINE void tile(int64_t vectors, int64_t steps, const float *a, int64_t step, int64_t side, const float *strip,
                 const float *from, int64_t stride, float *out, int64_t width)
{
    if (VECTORS == 2 && vectors == 2) tile_2(steps, a, step, side, strip, from, stride, out, width);
    else tile_1(steps, a, step, side, strip, from, stride, out, width);
}

/* A tile of which only `rows` rows of `lanes` numbers are needed. */
INLINE void tile_edge(int64_t rows, int64_t lanes, int64_t vectors, int64_t steps, const float *a, int64_t step,
                      int64_t side, const float *strip, const float *from, int64_t stride, float *out, int64_t width)
{
    _Alignas(64) float part[SIDE * VECTORS * LANES] = {0};
    const int64_t whole = vectors * LANES;
    for (int64_t r = 0; r < rows; r++) memcpy(part + r * whole, from + r * stride, (size_t)lanes * sizeof *part);
    tile(vectors, steps, a, step, side, strip, part, whole, part, whole);
    for (int64_t r = 0; r < rows; r++) memcpy(out + r * width, part + r * whole, (size_t)lanes * sizeof *part);
}

static int64_t at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t whole_sides(int64_t count)
{
    return (count + SIDE - 1) / SIDE * SIDE;
}

/* The number of vectors of the next strip, if `lanes` columns are left. */
static int64_t vectors_of(int64_t lanes)
{
    return lanes > (VECTORS - 1) * LANES ? VECTORS : 1;
}

/* The strips of up to CRD_STRIP columns; a strip of `vectors` vectors has vectors * LANES numbers per step, 0 if
 * there is no column. */
static void gather_strips(const float *from, int64_t steps, int64_t width, int64_t lanes, float *strips)
{
    int64_t vectors;
    for (int64_t l = 0; l < lanes; l += vectors * LANES, strips += steps * vectors * LANES) {
        vectors = vectors_of(lanes - l);
        for (int64_t v = 0; v < vectors; v++) {
            const int64_t first = l + v * LANES, left = lanes - first;
            float *to = strips + v * LANES;
            if (left >= LANES)
                for (int64_t s = 0; s < steps; s++)
                    vec_store(to + s * vectors * LANES, vec_load(from + s * width + first));
            else
                for (int64_t s = 0; s < steps; s++)
                    vec_store(to + s * vectors * LANES, vec_load_lanes(from + s * width + first, left));
        }
    }
}

/* to[j] = f(from[j], j) for j < columns: whole vectors, then the rest. */
#define PREPARE(columns, in_vector, alone)                                                                             \
    do {                                                                                                               \
        int64_t j = 0;                                                                                                 \
        for (; j + LANES <= (columns); j += LANES) vec_store(to + j, in_vector);                                       \
        for (; j < (columns); j++) to[j] = alone;                                                                      \
    } while (0)

/* Some columns of a row, prepared. */
INLINE void prepare_row(const crd_dense *x, int64_t row, int64_t first, int64_t columns, float *to)
{
    const int64_t source = x->order != NULL ? x->order[row] : row;
    const float *from = x->value + source * x->columns + first;
    if (x->mean != NULL) {
        const float *mean = x->mean + first, *scale = x->scale + first;
        PREPARE(columns, (vec_load(from + j) - vec_load(mean + j)) * vec_load(scale + j),
                (from[j] - mean[j]) * scale[j]);
    } else if (x->factor != NULL && x->binary) {
        const float factor = x->factor[source];
        PREPARE(columns, vec_select(vec_load(from + j) > 0.0f, vec_set(factor), vec_set(0.0f)),
                from[j] > 0.0f ? factor : 0.0f);
    } else { /* a factor of 1 costs nothing; for a copy, compilers would call a function per row */
        const float factor = x->factor != NULL ? x->factor[source] : 1.0f;
        PREPARE(columns, vec_load(from + j) * factor, from[j] * factor);
    }
}

/* Rows of the matrix from `begin` on, `stride` apart, padded with 0 to `height` rows and `wide` columns. */
static void prepare_panel(const crd_dense *x, int64_t begin, int64_t rows, int64_t first, int64_t columns,
                          int64_t stride, int64_t wide, int64_t height, float *panel)
{
    for (int64_t i = 0; i < rows; i++) {
        float *to = panel + i * stride;
        prepare_row(x, begin + i, first, columns, to);
        for (int64_t j = columns; j < wide; j++) to[j] = 0.0f;
    }
    if (rows < height) memset(panel + rows * stride, 0, (size_t)((height - rows) * stride) * sizeof *panel);
}

/* ---- blocks of tiles ---- */

/* Some columns of rows that will be needed soon. */
typedef struct {
    const crd_dense *x; /* NULL: none */
    int64_t begin, rows, first, columns;
} ahead;

typedef struct {
    int64_t rows, lanes; /* of the result */
    int64_t steps;
    const float *a;
    const float *strips;
    const float *from; /* where sums start */
    int64_t stride;    /* from one row of `from` to the next */
    float *out;
    int64_t width;
    ahead soon[2];
} block;

/* Prefetches one of `shares` shares of the rows, if there are any: they arrive during arithmetic. Hardware cannot
 * predict rows in an arbitrary order. */
INLINE void fetch(const ahead *soon, int64_t share, int64_t shares)
{
    const crd_dense *x = soon->x;
    if (x == NULL) return;
    const int64_t end = at_most(soon->begin + soon->rows * (share + 1) / shares, x->rows);
    for (int64_t i = soon->begin + soon->rows * share / shares; i < end; i++) {
        const float *row = x->value + (x->order != NULL ? x->order[i] : i) * x->columns + soon->first;
        for (int64_t j = 0; j < soon->columns; j += LINE) __builtin_prefetch(row + j, 0, 2);
    }
}

/* All tiles of a block: all rows use one strip, then the next. */
INLINE void multiply(const block *k, int64_t step, int64_t side)
{
    const int64_t strips = (k->lanes + VECTORS * LANES - 1) / (VECTORS * LANES);
    const int64_t shares = whole_sides(k->rows) / SIDE * strips;
    int64_t share = 0, vectors;
    for (int64_t l = 0; l < k->lanes; l += vectors * LANES) {
        vectors = vectors_of(k->lanes - l);
        const int64_t lanes = at_most(k->lanes - l, vectors * LANES);
        const float *strip = k->strips + l * k->steps;
        for (int64_t r = 0; r < k->rows; r += SIDE, share++) {
            const float *a = k->a + r * side, *from = k->from + r * k->stride + l;
            const int64_t rows = at_most(k->rows - r, SIDE);
            float *out = k->out + r * k->width + l;
            fetch(&k->soon[0], share, shares);
            fetch(&k->soon[1], share, shares);
            if (rows == SIDE && lanes == vectors * LANES)
                tile(vectors, k->steps, a, step, side, strip, from, k->stride, out, k->width);
            else tile_edge(rows, lanes, vectors, k->steps, a, step, side, strip, from, k->stride, out, k->width);
        }
    }
}

/* ---- the products ---- */

void CRD_NAME(dense_rows)(int64_t begin, int64_t end, const crd_dense *x, const float *weight, int64_t width,
                          const float *bias, float *out)
{
    _Alignas(64) float strips[CRD_BLOCK_FLOATS], panel[PANEL_ROWS * STEPS];
    const bool plain = x->order == NULL && x->mean == NULL && x->factor == NULL;
    for (int64_t w = 0; w < width; w += CRD_STRIP) {
        const int64_t lanes = at_most(width - w, CRD_STRIP);
        float first_sums[CRD_STRIP] = {0};
        if (bias != NULL) memcpy(first_sums, bias + w, (size_t)lanes * sizeof *bias);
        int64_t j = 0;
        do { /* once if there are no columns: only the bias remains */
            const int64_t steps = at_most(x->columns - j, STEPS);
            gather_strips(weight + j * width + w, steps, width, lanes, strips);
            int64_t rows;
            for (int64_t i = begin; i < end; i += rows) {
                float *to = out + i * width + w;
                int64_t side = steps;
                const float *a = panel;
                rows = at_most(end - i, PANEL_ROWS);
                if (plain && rows >= SIDE) { /* whole tiles can read it in place */
                    rows -= rows % SIDE;
                    side = x->columns;
                    a = x->value + i * side + j;
                } else {
                    prepare_panel(x, i, rows, j, steps, steps, steps, whole_sides(rows), panel);
                }
                const block k = {rows,
                                 lanes,
                                 steps,
                                 a,
                                 strips,
                                 j == 0 ? first_sums : to,
                                 j == 0 ? 0 : width,
                                 to,
                                 width,
                                 {{x, i + rows, rows, j, steps}}};
                multiply(&k, 1, side);
            }
            j += steps;
        } while (j < x->columns);
    }
}

void CRD_NAME(dense_transposed)(int64_t begin, int64_t end, int64_t first, int64_t last, const crd_dense *x,
                                const float *y, int64_t width, float *out)
{
    _Alignas(64) float strips[ROW_STEPS * CRD_STRIP], panel[ROW_STEPS * PANEL_COLUMNS];
    const crd_dense other = {.rows = x->rows, .columns = width, .value = y};
    memset(out, 0, (size_t)((last - first) * width) * sizeof *out);
    for (int64_t w = 0; w < width; w += CRD_STRIP) {
        const int64_t lanes = at_most(width - w, CRD_STRIP);
        for (int64_t i = begin; i < end; i += ROW_STEPS) {
            const int64_t steps = at_most(end - i, ROW_STEPS);
            gather_strips(y + i * width + w, steps, width, lanes, strips);
            for (int64_t j = first; j < last; j += PANEL_COLUMNS) {
                const int64_t columns = at_most(last - j, PANEL_COLUMNS);
                float *to = out + (j - first) * width + w;
                prepare_panel(x, i, steps, j, columns, PANEL_COLUMNS, whole_sides(columns), steps, panel);
                const block k = {
                    columns,
                    lanes,
                    steps,
                    panel,
                    strips,
                    to,
                    width,
                    to,
                    width,
                    {{x, i + steps, steps, j, columns}, {j == first ? &other : NULL, i + steps, steps, w, lanes}}};
                multiply(&k, PANEL_COLUMNS, 1);
            }
        }
    }
}

void CRD_NAME(add)(int64_t count, const float *from, float *into)
{
    for (int64_t i = 0; i < count; i++) into[i] += from[i];
}

void CRD_NAME(add_to_doubles)(int64_t count, const float *from, double *into)
{
    for (int64_t i = 0; i < count; i++) into[i] += (double)from[i];
}

/* This many rows are summed in single precision, which is fast in vectors; their sums are added in double. */
enum { ADDED_ROWS = 64 };

void CRD_NAME(sum_rows)(int64_t count, const float *rows, int64_t width, double *sums)
{
    for (int64_t begin = 0; begin < count; begin += ADDED_ROWS) {
        const int64_t end = at_most(begin + ADDED_ROWS, count);
        int64_t c = 0;
        for (; c + LANES <= width; c += LANES) {
            vec part = vec_set(0.0f);
            for (int64_t i = begin; i < end; i++) part += vec_load(rows + i * width + c);
            for (int l = 0; l < LANES; l++) sums[c + l] += (double)part[l];
        }
        for (; c < width; c++) {
            float part = 0.0f;
            for (int64_t i = begin; i < end; i++) part += rows[i * width + c];
            sums[c] += (double)part;
        }
    }
}
