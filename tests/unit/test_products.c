/* SPDX-License-Identifier: MIT */
/* The products that dominate training, packed and transposed, in every instruction set of this machine, against
 * sums in double precision: all widths, empty rows, columns and blocks. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/tree.h"
#include "base/random.h"
#include "graph/preprocess.h"
#include "kernels/linear.h"
#include "models/feature_product.h"
#include "support/each_isa.h"
#include "support/guarded.h"

enum { MOST_WIDTH = 70 };

/* ---- sparse matrices ---- */

typedef enum { ANY, BY_ROW, BY_COLUMN } values_kind;

/* A matrix with about `density` of its places filled; rows 0, 63, 64 and the last are empty, and so are
 * column 1, the last column and columns 512 .. 1023 (whole blocks of any width). */
static crd_features new_matrix(int64_t rows, int64_t columns, double density, values_kind kind)
{
    crd_rng rng = crd_rng_start(7, (uint64_t)kind);
    crd_features f = {.rows = rows, .columns = columns, .sparse = true};
    f.start = malloc((size_t)(rows + 1) * sizeof *f.start);
    f.column = malloc((size_t)(rows * columns + 1) * sizeof *f.column);
    f.value = malloc((size_t)(rows * columns + 1) * sizeof *f.value);
    assert_true(f.start != NULL && f.column != NULL && f.value != NULL);
    f.start[0] = 0;
    for (int64_t i = 0; i < rows; i++) {
        const bool empty = i == 0 || i == 63 || i == 64 || i == rows - 1;
        f.start[i + 1] = f.start[i];
        for (int64_t j = 0; j < columns; j++) {
            const float value = (float)(1.0 - 2.0 * crd_rng_uniform(&rng));
            const bool there = crd_rng_uniform(&rng) < density;
            if (empty || !there || j == 1 || j == columns - 1 || (j >= 512 && j < 1024)) continue;
            f.column[f.start[i + 1]] = (int32_t)j;
            f.value[f.start[i + 1]++] = kind == ANY      ? (value != 0.0f ? value : 0.5f)
                                        : kind == BY_ROW ? 1.0f / (float)(i + 1)
                                                         : 0.25f + (float)(j % 7);
        }
    }
    return f;
}

static crd_rows rows_of(const crd_features *f)
{
    return (crd_rows){f->rows, f->columns, f->start, f->column, f->value, NULL};
}

/* Sums have some hundred terms of about 1, in floats: a wrong term shows, rounding does not. */
static void check_product(const crd_rows *x, const float *weight, int64_t width, const float *bias, const float *out)
{
    double *sum = malloc((size_t)width * sizeof *sum), *size = malloc((size_t)width * sizeof *size);
    assert_true(sum != NULL && size != NULL);
    for (int64_t i = 0; i < x->rows; i++) {
        for (int64_t w = 0; w < width; w++) {
            sum[w] = bias != NULL ? (double)bias[w] : 0.0;
            size[w] = fabs(sum[w]);
        }
        for (int64_t e = x->start[i]; e < x->start[i + 1]; e++)
            for (int64_t w = 0; w < width; w++) {
                const double term = (double)x->value[e] * (double)weight[x->column[e] * width + w];
                sum[w] += term;
                size[w] += fabs(term);
            }
        for (int64_t w = 0; w < width; w++)
            if (!(fabs((double)out[i * width + w] - sum[w]) <= 2e-6 * size[w]))
                fail_msg("row %lld, column %lld of %lld: %.9g, expected %.9g", (long long)i, (long long)w,
                         (long long)width, (double)out[i * width + w], sum[w]);
    }
    free(sum);
    free(size);
}

static void multiply(const crd_kernels *kernels, crd_team *with, const crd_packed *packed, const float *weight,
                     int64_t width, const float *bias, bool gradient, float *out)
{
    if (!gradient) {
        crd_packed_forward(kernels, with, packed, weight, width, bias, out);
        return;
    }
    const size_t bytes = (size_t)(packed->columns * width) * sizeof *weight;
    const int64_t numbers = crd_packed_room(packed, width, crd_team_size(with));
    float *spent = malloc(bytes), *room = new_result(numbers);
    assert_non_null(spent);
    memcpy(spent, weight, bytes);
    crd_packed_gradient(kernels, with, packed, spent, width, room, out);
    check_guard(room, numbers);
    free(spent);
    free(room);
}

/* Products with blocks of that many columns, with weights that are needed afterwards or with a gradient. */
static void check_blocks(const crd_kernels *kernels, const crd_features *f, values_kind kind, int64_t width,
                         int64_t block, bool gradient)
{
    const crd_rows x = rows_of(f);
    crd_rng rng = crd_rng_start(8, (uint64_t)width);
    float *weight = new_floats(&rng, f->columns * width), *bias = new_floats(&rng, width);
    float *out = new_result(f->rows * width), *alone = new_result(f->rows * width);
    crd_packed packed;
    assert_int_equal(crd_packed_open(&packed, &x, width, block, gradient, NULL), CRD_OK);
    /* values are stored only if they carry information */
    assert_int_equal(packed.row_scale != NULL, kind == BY_ROW);
    assert_int_equal(packed.column_scale != NULL, kind == BY_COLUMN && gradient);
    assert_int_equal(packed.value != NULL, kind == ANY || (kind == BY_COLUMN && !gradient));
    for (int biased = 0; biased < (gradient ? 1 : 2); biased++) {
        const float *b = biased ? bias : NULL;
        multiply(kernels, team, &packed, weight, width, b, gradient, out);
        check_product(&x, weight, width, b, out);
        check_guard(out, f->rows * width);
        multiply(kernels, NULL, &packed, weight, width, b, gradient, alone);
        assert_memory_equal(alone, out, (size_t)(f->rows * width) * sizeof *out); /* the same as with three threads */
    }
    crd_packed_close(&packed);
    free(weight);
    free(bias);
    free(out);
    free(alone);
}

/* Small blocks and, if possible, large ones. */
static void check_packed(const crd_kernels *kernels, const crd_features *f, values_kind kind, int64_t width)
{
    const int64_t room = 8192 / (width < 64 ? (width + 15) / 16 * 16 : 64);
    const int64_t block = room < f->columns ? room : f->columns;
    check_blocks(kernels, f, kind, width, block, true);
    check_blocks(kernels, f, kind, width, block, false);
    if (width % 16 != 0 || block == f->columns) return;
    check_blocks(kernels, f, kind, width, block + 50 < f->columns ? block + 50 : f->columns, true);
    check_blocks(kernels, f, kind, width, f->columns, false);
}

/* Entries may be 0, even before all others of each column; the products are still right. */
static void packed_zeros(const crd_kernels *kernels)
{
    crd_features columns = new_matrix(131, 391, 0.12, BY_COLUMN), rows = new_matrix(131, 391, 0.12, BY_ROW);
    for (int64_t i = 0; i < 66; i++)
        for (int64_t e = columns.start[i]; e < columns.start[i + 1]; e++) columns.value[e] = 0.0f;
    for (int64_t i = 0; i < 66; i++)
        for (int64_t e = rows.start[i]; e < rows.start[i + 1]; e++) rows.value[e] = 0.0f;
    check_packed(kernels, &columns, ANY, 21);
    check_packed(kernels, &rows, BY_ROW, 21);
    rows.value[rows.start[80]] = 0.0f;
    check_packed(kernels, &rows, ANY, 21);
    crd_features_free(&columns);
    crd_features_free(&rows);
}

/* Three panels; one block for narrow weights, many for wide ones, the last of them with few columns. */
static void packed_widths(const crd_kernels *kernels)
{
    for (int kind = ANY; kind <= BY_COLUMN; kind++) {
        crd_features f = new_matrix(131, 391, 0.12, (values_kind)kind);
        for (int64_t width = 1; width <= MOST_WIDTH; width++) check_packed(kernels, &f, (values_kind)kind, width);
        check_packed(kernels, &f, (values_kind)kind, 200);
        crd_features_free(&f);
    }
}

/* Blocks without an entry, at every width; and blocks that are full. */
static void packed_shapes(const crd_kernels *kernels)
{
    const int64_t widths[] = {1, 16, 40, 64};
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        crd_features gap = new_matrix(70, 1200, 0.05, ANY), full = new_matrix(66, 600, 1.1, ANY);
        crd_features column = new_matrix(600, 3, 0.5, BY_ROW), none = new_matrix(0, 5, 0.5, ANY);
        crd_features nodes = new_matrix(70, 5000, 0.02, ANY); /* of more than one shard */
        check_blocks(kernels, &nodes, ANY, widths[w], 100, true);
        if (widths[w] % 16 == 0) check_blocks(kernels, &nodes, ANY, widths[w], 2048, true);
        crd_features_free(&nodes);
        check_packed(kernels, &gap, ANY, widths[w]);
        check_packed(kernels, &full, ANY, widths[w]);
        check_packed(kernels, &column, BY_ROW, widths[w]);
        check_packed(kernels, &none, BY_ROW, widths[w]); /* no rows: all of none have the same value */
        crd_features_free(&gap);
        crd_features_free(&full);
        crd_features_free(&column);
        crd_features_free(&none);
    }
}

static void test_packed(void **state)
{
    (void)state;
    with_each_isa(packed_widths);
    with_each_isa(packed_shapes);
    with_each_isa(packed_zeros);
}

/* Ten non-zeros per row and block are enough if a block has 8192 floats of weights, in strips of up to 64; four are
 * enough if it has 131072 and the width is a multiple of 16. */
static void test_block(void **state)
{
    (void)state;
    int64_t start[] = {0, 20, 39};
    crd_rows x = {.rows = 2, .columns = 128, .start = start};
    assert_int_equal(crd_packed_block(&x, 64), 128); /* one block: 19 a row */
    x.columns = 129;                                 /* two: 9 */
    assert_int_equal(crd_packed_block(&x, 63), 0);
    assert_int_equal(crd_packed_block(&x, 64), 129);
    assert_int_equal(crd_packed_block(&x, 1000), 0);
    assert_int_equal(crd_packed_block(&x, 32), 129);
    x.columns = 513;
    assert_int_equal(crd_packed_block(&x, 1), 0);
    assert_int_equal(crd_packed_block(&x, 16), 513);
    x.columns = 512;
    assert_int_equal(crd_packed_block(&x, 16), 512);
    assert_int_equal(crd_packed_block(&x, 1), 512);
    x.columns = 4 * 2048; /* four large blocks: 4 */
    assert_int_equal(crd_packed_block(&x, 64), 2048);
    assert_int_equal(crd_packed_block(&x, 192), 2048);
    x.columns++;
    assert_int_equal(crd_packed_block(&x, 64), 0);
    assert_int_equal(crd_packed_block(&x, 16), 8192);
    x.rows = 0;
    assert_int_equal(crd_packed_block(&x, 16), 0);
    x = (crd_rows){.rows = 2, .columns = 0, .start = start};
    assert_int_equal(crd_packed_block(&x, 16), 0);
    x = (crd_rows){.rows = 2, .columns = 512}; /* dense */
    assert_int_equal(crd_packed_block(&x, 16), 0);
}

/* ---- the first product of a network ---- */

/* Works on a copy, because the gradient is overwritten. */
static void backward(const crd_feature_product *product, const crd_kernels *kernels, const float *gradient,
                     int64_t count, float *d_weight)
{
    float *spent = malloc((size_t)count * sizeof *spent);
    assert_non_null(spent);
    memcpy(spent, gradient, (size_t)count * sizeof *spent);
    crd_feature_product_backward(product, kernels, team, spent, d_weight);
    free(spent);
}

static void feature_products(const crd_kernels *kernels)
{
    enum { WIDTH = 21 };
    /* density; whether the features, and their transpose of 131 columns, are packed */
    const struct {
        double density;
        bool packed, transposed;
    } cases[] = {{0.3, true, true}, {0.06, true, false}, {0.01, false, false}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        crd_features f = new_matrix(131, 251, cases[c].density, BY_ROW);
        const crd_rows x = rows_of(&f);
        crd_rng rng = crd_rng_start(9, 9);
        float *weight = new_floats(&rng, 251 * WIDTH), *bias = new_floats(&rng, WIDTH);
        float *gradient = new_floats(&rng, 131 * WIDTH);
        float *out = new_result(131 * WIDTH), *d_weight = new_result(251 * WIDTH);
        for (int training = 0; training < 2; training++) {
            const crd_prepared prepared = {.features = f};
            crd_feature_product product;
            assert_int_equal(crd_feature_product_open(&product, &prepared, WIDTH, training, crd_team_size(team), NULL),
                             CRD_OK);
            assert_int_equal(product.packed.columns > 0, training && cases[c].packed);
            assert_int_equal(product.packed_transposed.columns > 0, training && cases[c].transposed);
            crd_feature_product_forward(&product, kernels, team, weight, bias, out);
            check_product(&x, weight, WIDTH, bias, out);
            if (training) backward(&product, kernels, gradient, 131 * WIDTH, d_weight);
            crd_feature_product_close(&product);
        }
        double *sum = calloc(251 * WIDTH, sizeof *sum);
        assert_non_null(sum);
        for (int64_t i = 0; i < x.rows; i++)
            for (int64_t e = x.start[i]; e < x.start[i + 1]; e++)
                for (int w = 0; w < WIDTH; w++)
                    sum[x.column[e] * WIDTH + w] += (double)x.value[e] * (double)gradient[i * WIDTH + w];
        for (int i = 0; i < 251 * WIDTH; i++) assert_true(fabs((double)d_weight[i] - sum[i]) < 1e-6);
        check_guard(out, 131 * WIDTH);
        check_guard(d_weight, 251 * WIDTH);
        free(sum);
        free(weight);
        free(bias);
        free(gradient);
        free(out);
        free(d_weight);
        crd_features_free(&f);
    }
}

static void test_feature_product(void **state)
{
    (void)state;
    with_each_isa(feature_products);
}

/* Words, some of them negative, made binary: the first half of each node's words does not count, in the product and
 * in its gradient. */
static void binary_products(const crd_kernels *kernels)
{
    enum { NODES = 131, WORDS = 251, WIDTH = 21 };
    crd_features f = new_matrix(NODES, WORDS, 0.3, BY_ROW);
    for (int64_t i = 0; i < NODES; i++)
        for (int64_t e = f.start[i]; e < (f.start[i] + f.start[i + 1]) / 2; e++) f.value[e] = -1.0f;
    crd_prepared prepared;
    crd_feature_product product;
    assert_int_equal(crd_preprocess(&f, CRD_FEATURES_BINARY_ROWNORM, NULL, NULL, NULL, &prepared, NULL), CRD_OK);
    assert_int_equal(crd_feature_product_open(&product, &prepared, WIDTH, true, crd_team_size(team), NULL), CRD_OK);
    assert_true(product.packed_transposed.columns > 0);
    assert_non_null(product.packed_transposed.column_scale); /* one value per node */
    crd_rng rng = crd_rng_start(9, 9);
    float *gradient = new_floats(&rng, NODES * WIDTH), *d_weight = new_result(WORDS * WIDTH);
    backward(&product, kernels, gradient, NODES * WIDTH, d_weight);
    double *sum = calloc(WORDS * WIDTH, sizeof *sum);
    assert_non_null(sum);
    for (int64_t i = 0; i < NODES; i++) {
        const int64_t first = (f.start[i] + f.start[i + 1]) / 2;
        for (int64_t e = first; e < f.start[i + 1]; e++)
            for (int w = 0; w < WIDTH; w++)
                sum[f.column[e] * WIDTH + w] += (double)gradient[i * WIDTH + w] / (double)(f.start[i + 1] - first);
    }
    for (int i = 0; i < WORDS * WIDTH; i++) assert_true(fabs((double)d_weight[i] - sum[i]) < 1e-6);
    free(sum);
    free(gradient);
    free(d_weight);
    crd_feature_product_close(&product);
    crd_prepared_free(&prepared);
    crd_features_free(&f);
}

static void test_binary_product(void **state)
{
    (void)state;
    with_each_isa(binary_products);
}

/* If one side owns the first half of the shards and another the second, they only need to exchange their sums:
 * added, these are the gradient of all nodes, to the last bit. */
static void halves(const crd_kernels *kernels)
{
    enum { NODES = 4096, WORDS = 70 };
    const struct {
        double density;
        int64_t width;
        bool packed, large;
    } cases[] = {{1.1, 21, false, false}, {0.2, 64, true, false}, {0.01, 64, true, true}, {0.001, 21, false, false}};
    assert_int_equal(crd_cut_rows(NODES).shards, 8);
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const int64_t width = cases[c].width, count = NODES * width;
        crd_features f = new_matrix(NODES, WORDS, cases[c].density, ANY);
        if (c == 0) { /* dense */
            f.dense = calloc(NODES * WORDS, sizeof *f.dense);
            for (int64_t i = 0; i < NODES; i++)
                for (int64_t e = f.start[i]; e < f.start[i + 1]; e++) f.dense[i * WORDS + f.column[e]] = f.value[e];
            f.sparse = false;
        }
        const crd_prepared prepared = {.features = f};
        crd_rng rng = crd_rng_start(10, c);
        float *gradient = new_floats(&rng, count), *half = new_floats(&rng, count), *sum[3];
        crd_feature_product product;
        assert_int_equal(crd_feature_product_open(&product, &prepared, width, true, crd_team_size(team), NULL), CRD_OK);
        assert_int_equal(product.packed_transposed.columns > 0, cases[c].packed);
        assert_int_equal(product.packed_transposed.blocks < 8 && cases[c].packed, cases[c].large);
        for (int part = 0; part < 3; part++) {
            sum[part] = new_result(WORDS * width);
            memcpy(half, gradient, (size_t)count * sizeof *half);
            if (part == 1) memset(half + count / 2, 0, (size_t)(count / 2) * sizeof *half);
            if (part == 2) memset(half, 0, (size_t)(count / 2) * sizeof *half);
            backward(&product, kernels, half, count, sum[part]);
        }
        for (int64_t i = 0; i < WORDS * width; i++) assert_true(sum[0][i] == sum[1][i] + sum[2][i]);
        for (int part = 0; part < 3; part++) free(sum[part]);
        crd_feature_product_close(&product);
        free(gradient);
        free(half);
        crd_features_free(&f);
    }
}

static void test_halves(void **state)
{
    (void)state;
    with_each_isa(halves);
}

/* ---- dense features, transposed ---- */

static void dense_transposed(const crd_kernels *kernels)
{
    const int64_t rows[] = {0, 1, 127, 129, 260}, columns[] = {1, 4, 7, 18, 37};
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++)
        for (int64_t width = 1; width <= MOST_WIDTH; width++) {
            const int64_t n = rows[(c + (size_t)width) % (sizeof rows / sizeof rows[0])], m = columns[c];
            crd_rng rng = crd_rng_start(10, (uint64_t)width);
            float *dense = new_floats(&rng, n * m), *y = new_floats(&rng, n * width);
            float *out = new_result(m * width), *alone = new_result(m * width);
            const crd_dense x = {.rows = n, .columns = m, .value = dense};
            const int64_t numbers = crd_dense_weight_room(&x, width, crd_team_size(team));
            float *room = new_result(numbers);
            crd_dense_backward_weight(kernels, team, &x, y, width, room, out);
            for (int64_t j = 0; j < m; j++)
                for (int64_t w = 0; w < width; w++) {
                    double sum = 0.0, size = 0.0;
                    for (int64_t i = 0; i < n; i++) {
                        const double term = (double)dense[i * m + j] * (double)y[i * width + w];
                        sum += term;
                        size += fabs(term);
                    }
                    if (!(fabs((double)out[j * width + w] - sum) <= 2e-6 * size))
                        fail_msg("%lld rows, column %lld, %lld of %lld: %.9g, expected %.9g", (long long)n,
                                 (long long)j, (long long)w, (long long)width, (double)out[j * width + w], sum);
                }
            check_guard(out, m * width);
            check_guard(room, numbers);
            crd_dense_backward_weight(kernels, NULL, &x, y, width, room, alone);
            assert_memory_equal(alone, out, (size_t)(m * width) * sizeof *out);
            free(dense);
            free(y);
            free(out);
            free(alone);
            free(room);
        }
}

static void test_dense_transposed(void **state)
{
    (void)state;
    with_each_isa(dense_transposed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packed),         cmocka_unit_test(test_block),  cmocka_unit_test(test_feature_product),
        cmocka_unit_test(test_binary_product), cmocka_unit_test(test_halves), cmocka_unit_test(test_dense_transposed),
    };
    return cmocka_run_group_tests(tests, open_team, close_team);
}
