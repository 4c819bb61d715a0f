/* SPDX-License-Identifier: MIT */
/* Products of dense features that are prepared while they are read, and their gradients, in every instruction set
 * of this machine, against sums in double precision: shapes around the sizes of tiles, panels and blocks, all
 * widths, every way to prepare. Three threads and one give the same bytes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/random.h"
#include "kernels/linear.h"
#include "models/feature_product.h"
#include "support/each_isa.h"
#include "support/guarded.h"

enum { MOST_WIDTH = 70 };

/* Ways to prepare; they can be combined. */
enum { PLAIN = 0, ORDERED = 1, STANDARD = 2, FACTOR = 4, BINARY = 8 };
static const int WAYS[] = {PLAIN,  ORDERED,          STANDARD,        ORDERED | STANDARD,
                           FACTOR, ORDERED | FACTOR, FACTOR | BINARY, ORDERED | FACTOR | BINARY};
enum { WAY_COUNT = sizeof WAYS / sizeof WAYS[0] };

typedef struct {
    crd_dense x;
    float *entry; /* the matrix as it should be after preparation, rows x columns */
    float *value, *mean, *scale, *factor;
    int32_t *order;
} matrix;

/* With an order, some rows of `value` are used more than once and some never. */
static matrix new_matrix(int64_t rows, int64_t columns, int way)
{
    crd_rng rng = crd_rng_start(11, (uint64_t)(rows * 5000 + columns));
    matrix m = {.value = new_floats(&rng, rows * columns),
                .entry = new_floats(&rng, rows * columns),
                .mean = new_floats(&rng, columns),
                .scale = new_floats(&rng, columns),
                .factor = new_floats(&rng, rows),
                .order = malloc((size_t)(rows + 1) * sizeof *m.order)};
    assert_non_null(m.order);
    for (int64_t i = 0; i < rows; i++) m.order[i] = (int32_t)(crd_rng_uniform(&rng) * (double)rows);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
            const int64_t source = way & ORDERED ? m.order[i] : i;
            float x = m.value[source * columns + j];
            if (way & BINARY) x = x > 0.0f ? 1.0f : 0.0f;
            if (way & STANDARD) x = (x - m.mean[j]) * m.scale[j];
            if (way & FACTOR) x = x * m.factor[source];
            m.entry[i * columns + j] = x;
        }
    m.x = (crd_dense){.rows = rows, .columns = columns, .value = m.value, .binary = way & BINARY};
    if (way & ORDERED) m.x.order = m.order;
    if (way & STANDARD) m.x.mean = m.mean, m.x.scale = m.scale;
    if (way & FACTOR) m.x.factor = m.factor;
    return m;
}

static void free_matrix(matrix *m)
{
    free(m->entry);
    free(m->value);
    free(m->mean);
    free(m->scale);
    free(m->factor);
    free(m->order);
}

/* sums [rows][width] += the terms of a product; sizes += their absolute values */
static void check_sums(const matrix *m, bool transposed, const float *other, int64_t width, const float *bias,
                       const float *out)
{
    const int64_t rows = m->x.rows, columns = m->x.columns, count = transposed ? columns : rows;
    double *sum = calloc((size_t)(count * width + 1), sizeof *sum);
    double *size = calloc((size_t)(count * width + 1), sizeof *size);
    assert_true(sum != NULL && size != NULL);
    for (int64_t i = 0; bias != NULL && i < count * width; i++) {
        sum[i] = (double)bias[i % width];
        size[i] = fabs(sum[i]);
    }
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
            const double x = (double)m->entry[i * columns + j];
            const float *row = other + (transposed ? i : j) * width;
            double *to = sum + (transposed ? j : i) * width, *large = size + (transposed ? j : i) * width;
            for (int64_t w = 0; w < width; w++) {
                to[w] += x * (double)row[w];
                large[w] += fabs(x * (double)row[w]);
            }
        }
    for (int64_t i = 0; i < count * width; i++)
        if (!(fabs((double)out[i] - sum[i]) <= 2e-6 * size[i]))
            fail_msg("%s%lld x %lld, width %lld: [%lld][%lld] is %.9g, expected %.9g", transposed ? "transposed " : "",
                     (long long)rows, (long long)columns, (long long)width, (long long)(i / width),
                     (long long)(i % width), (double)out[i], sum[i]);
    free(sum);
    free(size);
}

static void check_forward(const crd_kernels *kernels, const matrix *m, int64_t width, bool biased)
{
    crd_rng rng = crd_rng_start(12, (uint64_t)width);
    const int64_t count = m->x.rows * width;
    float *weight = new_floats(&rng, m->x.columns * width), *bias = new_floats(&rng, width);
    float *out = new_result(count), *alone = new_result(count);
    crd_dense_forward(kernels, team, &m->x, weight, width, biased ? bias : NULL, out);
    check_sums(m, false, weight, width, biased ? bias : NULL, out);
    check_guard(out, count);
    crd_dense_forward(kernels, NULL, &m->x, weight, width, biased ? bias : NULL, alone);
    assert_memory_equal(alone, out, (size_t)count * sizeof *out);
    free(weight);
    free(bias);
    free(out);
    free(alone);
}

static void check_backward(const crd_kernels *kernels, const matrix *m, int64_t width)
{
    crd_rng rng = crd_rng_start(13, (uint64_t)width);
    const int64_t count = m->x.columns * width, numbers = crd_dense_weight_room(&m->x, width, crd_team_size(team));
    assert_in_range(numbers, 0, 1 << 20);
    float *gradient = new_floats(&rng, m->x.rows * width), *room = new_result(numbers);
    float *out = new_result(count), *alone = new_result(count);
    crd_dense_backward_weight(kernels, team, &m->x, gradient, width, room, out);
    check_sums(m, true, gradient, width, NULL, out);
    check_guard(out, count);
    check_guard(room, numbers);
    crd_dense_backward_weight(kernels, NULL, &m->x, gradient, width, room, alone);
    assert_memory_equal(alone, out, (size_t)count * sizeof *out);
    free(gradient);
    free(room);
    free(out);
    free(alone);
}

static void check_shape(const crd_kernels *kernels, int64_t rows, int64_t columns, int64_t width, int way)
{
    matrix m = new_matrix(rows, columns, way);
    check_forward(kernels, &m, width, (rows + width) % 3 > 0);
    check_backward(kernels, &m, width);
    free_matrix(&m);
}

/* All widths; rows, columns and ways change from one to the next. */
static void widths(const crd_kernels *kernels)
{
    static const int64_t rows[] = {0, 1, 5, 6, 7, 11, 12, 13, 59, 60, 61, 95, 96, 97, 191, 240, 241};
    static const int64_t columns[] = {1, 2, 6, 7, 13, 47, 48, 49, 100, 127, 128, 129};
    const size_t all = sizeof columns / sizeof columns[0];
    size_t turn = 0;
    for (int64_t width = 1; width <= MOST_WIDTH; width++)
        for (size_t c = 0; c < all; c++, turn++)
            check_shape(kernels, rows[turn % (sizeof rows / sizeof rows[0])], columns[c], width,
                        WAYS[(turn + turn / all) % WAY_COUNT]);
}

static void shapes(const crd_kernels *kernels)
{
    for (int w = 0; w < WAY_COUNT; w++) {
        check_shape(kernels, 61, 300, 16, WAYS[w]);  /* several tiles of columns */
        check_shape(kernels, 700, 10, 17, WAYS[w]);  /* several blocks of rows, on the stack */
        check_shape(kernels, 130, 20, 131, WAYS[w]); /* several strips */
        check_shape(kernels, 700, 130, 64, WAYS[w]); /* blocks that need memory */
        check_shape(kernels, 40, 0, 9, WAYS[w]);     /* nothing but the bias */
    }
    check_shape(kernels, 7000, 3, 5, ORDERED | STANDARD); /* blocks of more than one step */
    check_shape(kernels, 100, 2100, 3, STANDARD);
    check_shape(kernels, 97, 4200, 64, ORDERED | STANDARD); /* too many weights: threads own columns */
}

static void test_dense(void **state)
{
    (void)state;
    with_each_isa(widths);
    with_each_isa(shapes);
}

/* The partial sums of all shards if they take at most 4 MB, else those of some columns for every thread. */
static void test_room(void **state)
{
    (void)state;
    crd_dense x = {.rows = 7000, .columns = 3};
    assert_int_equal(crd_dense_weight_room(&x, 5, 3), 14 * 15);
    x = (crd_dense){.rows = 1000000, .columns = 256};
    assert_int_equal(crd_dense_weight_room(&x, 64, 3), 64 * 256 * 64);
    x.columns = 257;
    assert_int_equal(crd_dense_weight_room(&x, 64, 3), 3 * 8 * 24 * 64);
    x.columns = 4096;
    assert_int_equal(crd_dense_weight_room(&x, 64, 3), 3 * 8 * 96 * 64);
    x.columns = 0;
    assert_int_equal(crd_dense_weight_room(&x, 64, 3), 0);
    x = (crd_dense){.rows = 0, .columns = 4};
    assert_int_equal(crd_dense_weight_room(&x, 64, 3), 4 * 64);
}

/* From features to the product: the preparation is applied while reading. */
static void prepared_products(const crd_kernels *kernels)
{
    enum { ROWS = 130, COLUMNS = 21, WIDTH = 10 };
    static const crd_preprocessing ways[] = {CRD_FEATURES_NONE, CRD_FEATURES_ROWNORM, CRD_FEATURES_BINARY_ROWNORM,
                                             CRD_FEATURES_STANDARD};
    for (int form = 0; form < 8; form++) {
        matrix m = new_matrix(ROWS, COLUMNS, PLAIN);
        const crd_features f = {.rows = ROWS, .columns = COLUMNS, .dense = m.value};
        crd_prepared prepared;
        crd_feature_product product;
        assert_int_equal(
            crd_preprocess(&f, ways[form / 2], m.mean, m.scale, form & 1 ? m.order : NULL, &prepared, NULL), CRD_OK);
        assert_ptr_equal(prepared.features.dense, m.value);
        crd_prepared settled = prepared;
        if (prepared.factor != NULL) { /* a separate copy, because settling releases it */
            settled.factor = malloc(ROWS * sizeof *settled.factor);
            assert_non_null(settled.factor);
            memcpy(settled.factor, prepared.factor, ROWS * sizeof *settled.factor);
        }
        assert_int_equal(crd_prepared_settle(&settled, NULL), CRD_OK);
        memcpy(m.entry, settled.features.dense, ROWS * COLUMNS * sizeof *m.entry);
        crd_prepared_free(&settled);
        crd_rng rng = crd_rng_start(14, 0);
        float *weight = new_floats(&rng, COLUMNS * WIDTH), *gradient = new_floats(&rng, ROWS * WIDTH);
        float *out = new_result(ROWS * WIDTH), *d_weight = new_result(COLUMNS * WIDTH);
        for (int training = 0; training < 2; training++) {
            assert_int_equal(crd_feature_product_open(&product, &prepared, WIDTH, training, crd_team_size(team), NULL),
                             CRD_OK);
            assert_int_equal(product.room != NULL, training);
            crd_feature_product_forward(&product, kernels, team, weight, NULL, out);
            check_sums(&m, false, weight, WIDTH, NULL, out);
            if (training) {
                crd_feature_product_backward(&product, kernels, team, gradient, d_weight);
                check_sums(&m, true, gradient, WIDTH, NULL, d_weight);
            }
            crd_feature_product_close(&product);
        }
        check_guard(out, ROWS * WIDTH);
        check_guard(d_weight, COLUMNS * WIDTH);
        free(weight);
        free(gradient);
        free(out);
        free(d_weight);
        crd_prepared_free(&prepared);
        free_matrix(&m);
    }
}

static void test_prepared(void **state)
{
    (void)state;
    with_each_isa(prepared_products);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dense),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_prepared),
    };
    return cmocka_run_group_tests(tests, open_team, close_team);
}
