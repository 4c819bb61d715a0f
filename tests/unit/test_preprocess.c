/* SPDX-License-Identifier: MIT */
/* Preprocessing of features, on matrices worked by hand, sparse and dense. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "graph/preprocess.h"

enum { ROWS = 4, COLUMNS = 3, CELLS = ROWS * COLUMNS };

/* A row of counts, an empty one, one with a negative value, one with a sum of zero. */
static float cells[CELLS] = {
    1.0f,  3.0f, 0.0f, //
    0.0f,  0.0f, 0.0f, //
    -2.0f, 0.5f, 5.5f, //
    2.0f,  0.0f, -2.0f,
};
static int64_t start[ROWS + 1] = {0, 2, 2, 5, 7};
static int32_t column[] = {0, 1, 0, 1, 2, 0, 2};
static float value[] = {1.0f, 3.0f, -2.0f, 0.5f, 5.5f, 2.0f, -2.0f};

static crd_features as_dense(void)
{
    return (crd_features){.rows = ROWS, .columns = COLUMNS, .dense = cells};
}

static crd_features as_sparse(void)
{
    return (crd_features){
        .rows = ROWS, .columns = COLUMNS, .sparse = true, .start = start, .column = column, .value = value};
}

static float at(const crd_features *f, int64_t row, int64_t col)
{
    if (!f->sparse) return f->dense[row * f->columns + col];
    for (int64_t e = f->start[row]; e < f->start[row + 1]; e++)
        if (f->column[e] == col) return f->value[e];
    return 0.0f;
}

/* An entry, computed as readers of prepared features must do. */
static float read_at(const crd_prepared *p, int64_t row, int64_t col)
{
    const int64_t source = p->order != NULL ? p->order[row] : row;
    const float x = at(&p->features, source, col);
    if (p->mean != NULL) return (x - p->mean[col]) * p->scale[col];
    if (p->factor != NULL) return (p->binary ? (x > 0.0f ? 1.0f : 0.0f) : x) * p->factor[source];
    return x;
}

static void assert_entries(const crd_prepared *prepared, const char *what, const int32_t *order,
                           const float expected[CELLS])
{
    assert_int_equal(prepared->features.rows, ROWS);
    assert_int_equal(prepared->features.columns, COLUMNS);
    for (int i = 0; i < CELLS; i++) {
        const float found = read_at(prepared, i / COLUMNS, i % COLUMNS);
        const int row = order != NULL ? order[i / COLUMNS] : i / COLUMNS;
        const float wanted = expected[row * COLUMNS + i % COLUMNS];
        if (found != wanted)
            fail_msg("%s%s: [%d][%d] is %.9g, expected %.9g", what, order != NULL ? ", in an order" : "", i / COLUMNS,
                     i % COLUMNS, (double)found, (double)wanted);
    }
}

/* Prepares the matrix in both storages, in its order and in another one. The results must equal the expected values
 * to the last bit and leave the input unchanged. Dense features are not copied until settled. */
static void assert_prepared(crd_preprocessing how, const float *mean, const float *scale, const float expected[CELLS])
{
    static const int32_t other[ROWS] = {2, 0, 3, 1};
    for (int form = 0; form < 4; form++) {
        const bool sparse = form & 1;
        const int32_t *order = form & 2 ? other : NULL;
        const crd_features input = sparse ? as_sparse() : as_dense();
        float cells_before[CELLS], value_before[7];
        memcpy(cells_before, cells, sizeof cells);
        memcpy(value_before, value, sizeof value);
        crd_prepared prepared;
        assert_int_equal(crd_preprocess(&input, how, mean, scale, order, &prepared, NULL), CRD_OK);
        assert_entries(&prepared, sparse ? "sparse" : "dense", order, expected);
        if (!sparse) assert_ptr_equal(prepared.features.dense, cells);
        if (sparse) assert_true(prepared.order == NULL && prepared.mean == NULL && prepared.factor == NULL);
        assert_int_equal(crd_prepared_settle(&prepared, NULL), CRD_OK);
        assert_true(prepared.order == NULL && prepared.mean == NULL && prepared.factor == NULL);
        assert_entries(&prepared, sparse ? "sparse, settled" : "dense, settled", order, expected);
        crd_prepared_free(&prepared);
        assert_memory_equal(cells, cells_before, sizeof cells);
        assert_memory_equal(value, value_before, sizeof value);
    }
}

static void none(void **state)
{
    (void)state;
    assert_prepared(CRD_FEATURES_NONE, NULL, NULL, cells);
    const crd_features input = as_sparse();
    crd_prepared prepared;
    assert_int_equal(crd_preprocess(&input, CRD_FEATURES_NONE, NULL, NULL, NULL, &prepared, NULL), CRD_OK);
    assert_ptr_equal(prepared.features.value, value); /* shared, not copied */
    crd_prepared_free(&prepared);
    assert_null(prepared.features.value);
}

/* Rows divided by their sums: 4, nothing, 4, nothing. */
static void rownorm(void **state)
{
    (void)state;
    const float expected[CELLS] = {
        0.25f, 0.75f,  0.0f,   //
        0.0f,  0.0f,   0.0f,   //
        -0.5f, 0.125f, 1.375f, //
        2.0f,  0.0f,   -2.0f,
    };
    assert_prepared(CRD_FEATURES_ROWNORM, NULL, NULL, expected);
}

/* A positive value becomes 1, a negative one 0. */
static void binary_rownorm(void **state)
{
    (void)state;
    const float expected[CELLS] = {
        0.5f, 0.5f, 0.0f, //
        0.0f, 0.0f, 0.0f, //
        0.0f, 0.5f, 0.5f, //
        1.0f, 0.0f, 0.0f,
    };
    assert_prepared(CRD_FEATURES_BINARY_ROWNORM, NULL, NULL, expected);
}

/* Only negative values: no ones, so nothing to divide by. */
static void binary_of_a_negative_row(void **state)
{
    (void)state;
    float row[] = {-1.0f, -0.25f};
    const crd_features input = {.rows = 1, .columns = 2, .dense = row};
    crd_prepared prepared;
    assert_int_equal(crd_preprocess(&input, CRD_FEATURES_BINARY_ROWNORM, NULL, NULL, NULL, &prepared, NULL), CRD_OK);
    assert_true(read_at(&prepared, 0, 0) == 0.0f && read_at(&prepared, 0, 1) == 0.0f);
    assert_int_equal(crd_prepared_settle(&prepared, NULL), CRD_OK);
    assert_true(prepared.features.dense[0] == 0.0f && prepared.features.dense[1] == 0.0f);
    crd_prepared_free(&prepared);
}

/* Sparse features store no zeros: neither those from negative values nor values that division makes too small for a
 * float. If there are none, the positions stay shared. */
static void no_stored_zeros(void **state)
{
    (void)state;
    const crd_features input = as_sparse();
    crd_prepared prepared;
    assert_int_equal(crd_preprocess(&input, CRD_FEATURES_BINARY_ROWNORM, NULL, NULL, NULL, &prepared, NULL), CRD_OK);
    assert_memory_equal(prepared.features.start, ((int64_t[]){0, 2, 2, 4, 5}), 5 * sizeof(int64_t));
    assert_memory_equal(prepared.features.column, ((int32_t[]){0, 1, 1, 2, 0}), 5 * sizeof(int32_t));
    assert_memory_equal(prepared.features.value, ((float[]){0.5f, 0.5f, 0.5f, 0.5f, 1.0f}), 5 * sizeof(float));
    assert_memory_equal(start, ((int64_t[]){0, 2, 2, 5, 7}), sizeof start);
    assert_memory_equal(column, ((int32_t[]){0, 1, 0, 1, 2, 0, 2}), sizeof column);
    crd_prepared_free(&prepared);

    float small[] = {1e-30f, 1e30f};
    int32_t columns[] = {1, 2};
    int64_t starts[] = {0, 2};
    const crd_features row = {
        .rows = 1, .columns = 3, .sparse = true, .start = starts, .column = columns, .value = small};
    assert_int_equal(crd_preprocess(&row, CRD_FEATURES_ROWNORM, NULL, NULL, NULL, &prepared, NULL), CRD_OK);
    assert_int_equal(prepared.features.start[1], 1);
    assert_int_equal(prepared.features.column[0], 2);
    assert_true(prepared.features.value[0] == 1.0f);
    crd_prepared_free(&prepared);

    small[0] = -1.0f, small[1] = -2.0f; /* nothing remains */
    assert_int_equal(crd_preprocess(&row, CRD_FEATURES_BINARY_ROWNORM, NULL, NULL, NULL, &prepared, NULL), CRD_OK);
    assert_int_equal(prepared.features.start[1], 0);
    crd_prepared_free(&prepared);

    assert_int_equal(crd_preprocess(&input, CRD_FEATURES_ROWNORM, NULL, NULL, NULL, &prepared, NULL), CRD_OK);
    assert_ptr_equal(prepared.features.start, start);
    assert_ptr_equal(prepared.features.column, column);
    crd_prepared_free(&prepared);
}

/* Three thirds: the sum is in double precision, so they are the nearest floats. For dense features a factor is
 * kept, which is accurate to one unit in the last place. */
static void thirds(void **state)
{
    (void)state;
    float row[] = {0.1f, 0.1f, 0.1f};
    int64_t starts[] = {0, 3};
    int32_t columns[] = {0, 1, 2};
    const crd_features dense = {.rows = 1, .columns = 3, .dense = row};
    const crd_features sparse = {
        .rows = 1, .columns = 3, .sparse = true, .start = starts, .column = columns, .value = row};
    crd_prepared prepared;
    assert_int_equal(crd_preprocess(&dense, CRD_FEATURES_ROWNORM, NULL, NULL, NULL, &prepared, NULL), CRD_OK);
    for (int c = 0; c < 3; c++) assert_true(fabsf(read_at(&prepared, 0, c) - 1.0f / 3.0f) <= 3e-8f);
    crd_prepared_free(&prepared);
    assert_int_equal(crd_preprocess(&sparse, CRD_FEATURES_ROWNORM, NULL, NULL, NULL, &prepared, NULL), CRD_OK);
    for (int c = 0; c < 3; c++) assert_true(prepared.features.value[c] == 1.0f / 3.0f);
    crd_prepared_free(&prepared);
}

/* No float is the inverse of these sums: with such a row, all rows are divided at once. */
static void sums_out_of_range(void **state)
{
    (void)state;
    static const int32_t other[] = {1, 0};
    for (int small = 0; small < 2; small++) {
        const float x = small ? 1e-39f : 3e38f;
        float rows[] = {x, x, 1.0f, 3.0f};
        const crd_features input = {.rows = 2, .columns = 2, .dense = rows};
        crd_prepared prepared;
        for (int ordered = 0; ordered < 2; ordered++) {
            assert_int_equal(
                crd_preprocess(&input, CRD_FEATURES_ROWNORM, NULL, NULL, ordered ? other : NULL, &prepared, NULL),
                CRD_OK);
            assert_true(prepared.factor == NULL && prepared.order == NULL && prepared.features.dense != rows);
            for (int c = 0; c < 4; c++)
                assert_true(prepared.features.dense[c] ==
                            ((const float[]){0.5f, 0.5f, 0.25f, 0.75f, 0.5f, 0.5f})[c + 2 * ordered]);
            crd_prepared_free(&prepared);
        }
    }
}

/* Rows of Euclidean length 1, negative entries too; a row of zeros stays. */
static void unit(void **state)
{
    (void)state;
    static const int32_t other[ROWS] = {2, 0, 3, 1};
    const double length[ROWS] = {sqrt(10.0), 1.0, sqrt(34.5), sqrt(8.0)};
    for (int form = 0; form < 8; form++) {
        const int32_t *order = form & 2 ? other : NULL;
        const crd_features input = form & 1 ? as_sparse() : as_dense();
        crd_prepared prepared;
        assert_int_equal(crd_preprocess(&input, CRD_FEATURES_UNIT, NULL, NULL, order, &prepared, NULL), CRD_OK);
        if (form & 4) assert_int_equal(crd_prepared_settle(&prepared, NULL), CRD_OK);
        for (int i = 0; i < CELLS; i++) {
            const int row = order != NULL ? order[i / COLUMNS] : i / COLUMNS;
            const double expected = (double)cells[row * COLUMNS + i % COLUMNS] / length[row];
            const double found = (double)read_at(&prepared, i / COLUMNS, i % COLUMNS);
            if (fabs(found - expected) > 1e-7)
                fail_msg("form %d: [%d] is %.9g, expected %.9g", form, i, found, expected);
        }
        crd_prepared_free(&prepared);
    }
}

/* Squares that no float holds, and lengths whose inverse is no float. */
static void unit_of_extremes(void **state)
{
    (void)state;
    static const float sizes[] = {3e38f, 1e30f, 1e-30f, 1e-39f};
    int64_t starts[] = {0, 2, 4};
    int32_t columns[] = {0, 1, 0, 1};
    for (int form = 0; form < 8; form++) {
        const float x = sizes[form / 2];
        float rows[] = {x, -x, 3.0f, 4.0f};
        const crd_features input = {.rows = 2,
                                    .columns = 2,
                                    .sparse = form % 2,
                                    .start = starts,
                                    .column = columns,
                                    .value = rows,
                                    .dense = rows};
        const double expected[] = {sqrt(0.5), -sqrt(0.5), 0.6, 0.8};
        crd_prepared prepared;
        assert_int_equal(crd_preprocess(&input, CRD_FEATURES_UNIT, NULL, NULL, NULL, &prepared, NULL), CRD_OK);
        for (int i = 0; i < 4; i++)
            if (fabs((double)read_at(&prepared, i / 2, i % 2) - expected[i]) > 1e-6)
                fail_msg("%g: [%d] is %.9g, expected %.9g", (double)x, i, (double)read_at(&prepared, i / 2, i % 2),
                         expected[i]);
        crd_prepared_free(&prepared);
    }
}

/* With another order of rows, zeros are dropped too, and dropped arrays are freed once. */
static void no_stored_zeros_in_an_order(void **state)
{
    (void)state;
    static const int32_t other[ROWS] = {2, 0, 3, 1};
    const crd_features input = as_sparse();
    crd_prepared prepared;
    assert_int_equal(crd_preprocess(&input, CRD_FEATURES_BINARY_ROWNORM, NULL, NULL, other, &prepared, NULL), CRD_OK);
    assert_memory_equal(prepared.features.start, ((int64_t[]){0, 2, 4, 5, 5}), 5 * sizeof(int64_t));
    assert_memory_equal(prepared.features.column, ((int32_t[]){1, 2, 0, 1, 0}), 5 * sizeof(int32_t));
    crd_prepared_free(&prepared);
}

/* ---- zero mean, unit variance ---- */

static void assert_measured(const crd_features *f, const float *mean, const double *deviation)
{
    float found_mean[COLUMNS], found_scale[COLUMNS];
    assert_int_equal(crd_preprocess_measure(f, found_mean, found_scale, NULL), CRD_OK);
    for (int64_t c = 0; c < f->columns; c++) {
        assert_true(found_mean[c] == mean[c]);
        assert_true(found_scale[c] == (float)(1.0 / deviation[c]));
    }
}

/* The columns are (1,0,-2,2), (3,0,0.5,0) and (0,0,5.5,-2): means 1/4, 7/8, 7/8; mean squares 9/4, 37/16 and
 * 137/16, so variances 35/16, 99/64 and 499/64. The zeros that sparse rows do not store count. */
static void measure(void **state)
{
    (void)state;
    const float mean[] = {0.25f, 0.875f, 0.875f};
    const double deviation[] = {sqrt(35.0 / 16.0), sqrt(99.0 / 64.0), sqrt(499.0 / 64.0)};
    const crd_features dense = as_dense(), sparse = as_sparse();
    assert_measured(&dense, mean, deviation);
    assert_measured(&sparse, mean, deviation);
}

static void standard(void **state)
{
    (void)state;
    const float mean[] = {0.25f, 1.0f, -0.5f}, scale[] = {2.0f, 0.5f, 1.0f};
    const float expected[CELLS] = {
        1.5f,  1.0f,   0.5f, //
        -0.5f, -0.5f,  0.5f, //
        -4.5f, -0.25f, 6.0f, //
        3.5f,  -0.5f,  -1.5f,
    };
    assert_prepared(CRD_FEATURES_STANDARD, mean, scale, expected);
}

/* A column without variance (zero, a plain number or one that a float rounds) is centred, not scaled up; one that
 * varies around a large mean is measured. */
static void constant_columns(void **state)
{
    (void)state;
    float rows[] = {0.0f, 0.1f, 5000.0f, //
                    0.0f, 0.1f, 5002.0f, //
                    0.0f, 0.1f, 5000.0f, //
                    0.0f, 0.1f, 5002.0f};
    const crd_features input = {.rows = 4, .columns = 3, .dense = rows};
    float mean[3], scale[3];
    assert_int_equal(crd_preprocess_measure(&input, mean, scale, NULL), CRD_OK);
    assert_true(mean[0] == 0.0f && mean[1] == 0.1f && mean[2] == 5001.0f);
    assert_true(scale[0] == 1.0f && scale[1] == 1.0f && scale[2] == 1.0f);
    rows[2] = rows[8] = 4999.0f; /* 4999, 5002: mean 5000.5, deviation 1.5 */
    assert_int_equal(crd_preprocess_measure(&input, mean, scale, NULL), CRD_OK);
    assert_true(mean[2] == 5000.5f && scale[2] == (float)(1.0 / 1.5));
    crd_prepared prepared;
    assert_int_equal(crd_preprocess(&input, CRD_FEATURES_STANDARD, mean, scale, NULL, &prepared, NULL), CRD_OK);
    for (int i = 0; i < 4; i++) {
        assert_true(read_at(&prepared, i, 0) == 0.0f);
        assert_true(read_at(&prepared, i, 1) == 0.0f);
        assert_true(read_at(&prepared, i, 2) == (i % 2 == 0 ? -1.0f : 1.0f));
    }
    crd_prepared_free(&prepared);
}

static void no_rows(void **state)
{
    (void)state;
    const crd_features input = {.rows = 0, .columns = 2};
    float mean[2], scale[2];
    assert_int_equal(crd_preprocess_measure(&input, mean, scale, NULL), CRD_OK);
    for (int c = 0; c < 2; c++) assert_true(mean[c] == 0.0f && scale[c] == 1.0f);
}

/* ---- choosing ---- */

static void choice(void **state)
{
    (void)state;
    float positive[] = {1.0f, 2.0f}, negative[] = {1.0f, -2.0f};
    int32_t columns[] = {0, 1};
    int64_t starts[] = {0, 2};
    crd_features f = {.rows = 1, .columns = 2, .dense = positive};
    assert_int_equal(crd_preprocess_choose(&f, CRD_FEATURES_AUTO), CRD_FEATURES_STANDARD);
    f = (crd_features){.rows = 1, .columns = 2, .sparse = true, .start = starts, .column = columns, .value = positive};
    assert_int_equal(crd_preprocess_choose(&f, CRD_FEATURES_AUTO), CRD_FEATURES_ROWNORM);
    f.value = negative;
    assert_int_equal(crd_preprocess_choose(&f, CRD_FEATURES_AUTO), CRD_FEATURES_NONE);
    for (int how = CRD_FEATURES_NONE; how <= CRD_FEATURES_STANDARD; how++)
        assert_int_equal(crd_preprocess_choose(&f, (crd_preprocessing)how), how);
    f = (crd_features){.rows = 1};
    assert_int_equal(crd_preprocess_choose(&f, CRD_FEATURES_AUTO), CRD_FEATURES_NONE);
}

static void names(void **state)
{
    (void)state;
    assert_string_equal(crd_preprocess_name(CRD_FEATURES_AUTO), "auto");
    assert_string_equal(crd_preprocess_name(CRD_FEATURES_NONE), "none");
    assert_string_equal(crd_preprocess_name(CRD_FEATURES_ROWNORM), "rownorm");
    assert_string_equal(crd_preprocess_name(CRD_FEATURES_BINARY_ROWNORM), "binary,rownorm");
    assert_string_equal(crd_preprocess_name(CRD_FEATURES_STANDARD), "standard");
}

/* ---- the transpose ---- */

static void transpose(void **state)
{
    (void)state;
    const crd_features f = as_sparse();
    crd_features t, back;
    assert_int_equal(crd_features_transpose(&f, &t, NULL), CRD_OK);
    assert_int_equal(t.rows, COLUMNS);
    assert_int_equal(t.columns, ROWS);
    assert_true(t.sparse);
    assert_memory_equal(t.start, ((int64_t[]){0, 3, 5, 7}), 4 * sizeof *t.start);
    assert_memory_equal(t.column, ((int32_t[]){0, 2, 3, 0, 2, 2, 3}), 7 * sizeof *t.column);
    assert_memory_equal(t.value, ((float[]){1.0f, -2.0f, 2.0f, 3.0f, 0.5f, 5.5f, -2.0f}), 7 * sizeof *t.value);
    assert_int_equal(crd_features_transpose(&t, &back, NULL), CRD_OK);
    assert_memory_equal(back.start, start, sizeof start);
    assert_memory_equal(back.column, column, sizeof column);
    assert_memory_equal(back.value, value, sizeof value);
    crd_features_free(&t);
    crd_features_free(&back);
}

static void transpose_of_nothing(void **state)
{
    (void)state;
    int64_t starts[3] = {0, 0, 0};
    const crd_features empty = {.rows = 2, .columns = 3, .sparse = true, .start = starts};
    crd_features t;
    assert_int_equal(crd_features_transpose(&empty, &t, NULL), CRD_OK);
    assert_int_equal(t.rows, 3);
    assert_memory_equal(t.start, ((int64_t[]){0, 0, 0, 0}), 4 * sizeof *t.start);
    crd_features_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none),
        cmocka_unit_test(rownorm),
        cmocka_unit_test(binary_rownorm),
        cmocka_unit_test(binary_of_a_negative_row),
        cmocka_unit_test(no_stored_zeros),
        cmocka_unit_test(thirds),
        cmocka_unit_test(sums_out_of_range),
        cmocka_unit_test(unit),
        cmocka_unit_test(unit_of_extremes),
        cmocka_unit_test(no_stored_zeros_in_an_order),
        cmocka_unit_test(measure),
        cmocka_unit_test(standard),
        cmocka_unit_test(constant_columns),
        cmocka_unit_test(no_rows),
        cmocka_unit_test(choice),
        cmocka_unit_test(names),
        cmocka_unit_test(transpose),
        cmocka_unit_test(transpose_of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
