/* SPDX-License-Identifier: MIT */
/* Node features, against plain tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "graph/features.h"

enum { MOST_ROWS = 30, MOST_COLUMNS = 50, MOST_ENTRIES = 900 };

static crd_features sparse(int64_t rows, int64_t columns, const int64_t *start, const int32_t *column,
                           const float *value)
{
    crd_features f = {.rows = rows, .columns = columns, .sparse = true};
    assert_int_equal(CRD_NEW(&f.start, rows + 1, NULL), CRD_OK);
    assert_int_equal(CRD_NEW(&f.column, start[rows], NULL), CRD_OK);
    assert_int_equal(CRD_NEW(&f.value, start[rows], NULL), CRD_OK);
    memcpy(f.start, start, (size_t)(rows + 1) * sizeof *start);
    if (start[rows] > 0) memcpy(f.column, column, (size_t)start[rows] * sizeof *column);
    if (start[rows] > 0) memcpy(f.value, value, (size_t)start[rows] * sizeof *value);
    return f;
}

static crd_features dense(int64_t rows, int64_t columns, const float *values)
{
    crd_features f = {.rows = rows, .columns = columns};
    assert_int_equal(CRD_NEW(&f.dense, rows * columns, NULL), CRD_OK);
    if (rows * columns > 0) memcpy(f.dense, values, (size_t)(rows * columns) * sizeof *values);
    return f;
}

static void test_tidy_by_hand(void **state)
{
    (void)state;
    /* Row 0: out of order, with a repetition; row 1: empty; row 2: a zero, and two that cancel. */
    static const int64_t start[] = {0, 4, 4, 8};
    static const int32_t column[] = {3, 1, 3, 0, 2, 0, 2, 1};
    static const float value[] = {1, 2, 0.5f, 4, 3, 0, -3, 7};
    crd_features f = sparse(3, 4, start, column, value);
    assert_int_equal(crd_features_tidy(&f, "x", NULL), CRD_OK);
    static const int64_t tidy_start[] = {0, 3, 3, 4};
    static const int32_t tidy_column[] = {0, 1, 3, 1};
    static const float tidy_value[] = {4, 2, 1.5f, 7};
    assert_memory_equal(f.start, tidy_start, sizeof tidy_start);
    assert_memory_equal(f.column, tidy_column, sizeof tidy_column);
    assert_memory_equal(f.value, tidy_value, sizeof tidy_value);
    assert_int_equal(crd_features_nonzero(&f), 4);
    crd_features_free(&f);
    assert_null(f.start);
    crd_features_free(&f);
}

/* Values are small whole numbers, so that every order of addition gives the same sum. `spread` puts columns far
 * apart, so that sorting takes several passes. */
static void check_tidy(crd_rng *rng, int64_t spread)
{
    static double table[MOST_ROWS][MOST_COLUMNS];
    static int64_t start[MOST_ROWS + 1];
    static int32_t column[MOST_ENTRIES];
    static float value[MOST_ENTRIES];
    int rows = (int)crd_rng_below(rng, MOST_ROWS + 1), columns = 1 + (int)crd_rng_below(rng, MOST_COLUMNS);
    int at = 0, most = (int)crd_rng_below(rng, 30) + 1;
    memset(table, 0, sizeof table);
    start[0] = 0;
    for (int r = 0; r < rows; r++) {
        for (int n = (int)crd_rng_below(rng, (uint64_t)most); n > 0; n--) {
            int c = (int)crd_rng_below(rng, (uint64_t)columns);
            value[at] = (float)crd_rng_below(rng, 7) - 3.0f;
            table[r][c] += (double)value[at];
            column[at++] = (int32_t)(c * spread);
        }
        start[r + 1] = at;
    }
    crd_features f = sparse(rows, (columns - 1) * spread + 1, start, column, value);
    assert_int_equal(crd_features_tidy(&f, "x", NULL), CRD_OK);
    int64_t e = 0;
    for (int r = 0; r < rows; r++) {
        assert_int_equal(f.start[r], e);
        for (int c = 0; c < columns; c++) {
            if (table[r][c] == 0.0) continue;
            assert_true(e < f.start[rows]);
            assert_int_equal(f.column[e], c * spread);
            assert_true((double)f.value[e++] == table[r][c]);
        }
    }
    assert_int_equal(f.start[rows], e);
    crd_features_free(&f);
}

static void test_tidy(void **state)
{
    (void)state;
    crd_rng rng = crd_rng_start(1, 0);
    static const int64_t spreads[] = {1, 45, 2048, 999983, INT32_MAX / MOST_COLUMNS};
    for (int trial = 0; trial < 200; trial++) check_tidy(&rng, spreads[trial % 5]);
}

/* The sum of repeated entries is rounded only once. */
static void test_repetitions_are_added_exactly(void **state)
{
    (void)state;
    static const int64_t start[] = {0, 5};
    static const int32_t column[] = {1, 0, 0, 0, 0};
    static const float value[] = {1, 16777216, 1, 1, -16777216};
    crd_features f = sparse(1, 2, start, column, value);
    assert_int_equal(crd_features_tidy(&f, "x", NULL), CRD_OK);
    assert_int_equal(f.start[1], 2);
    assert_true(f.value[0] == 2.0f);
    crd_features_free(&f);
}

static void refuse(crd_features f, const char *message)
{
    crd_error error = {0};
    assert_int_equal(crd_features_tidy(&f, "x.npz", &error), CRD_ERROR_FORMAT);
    assert_string_equal(error.message, message);
    crd_features_free(&f);
}

static void test_defects(void **state)
{
    (void)state;
    static const float ones[] = {1, 1}, nan_second[] = {1, NAN}, infinite[] = {-INFINITY, 1}, huge[] = {3e38f, 3e38f};
    refuse(sparse(2, 3, (int64_t[]){0, 1, 2}, (int32_t[]){0, 3}, ones),
           "x.npz: row 1 of the features has column 3, but the columns are 0 to 2");
    refuse(sparse(2, 3, (int64_t[]){0, 1, 2}, (int32_t[]){-1, 0}, ones),
           "x.npz: row 0 of the features has column -1, but the columns are 0 to 2");
    refuse(sparse(2, 3, (int64_t[]){0, 1, 2}, (int32_t[]){0, 2}, nan_second),
           "x.npz: row 1, column 2 of the features: expected a finite number, found nan");
    refuse(sparse(2, 3, (int64_t[]){0, 1, 2}, (int32_t[]){0, 2}, infinite),
           "x.npz: row 0, column 0 of the features: expected a finite number, found -inf");
    refuse(sparse(1, 3, (int64_t[]){0, 2}, (int32_t[]){1, 1}, huge),
           "x.npz: row 0, column 1 of the features: its repeated entries add up to 6e+38, too large "
           "for a float");
    refuse(dense(2, 1, nan_second), "x.npz: row 1, column 0 of the features: expected a finite number, found nan");
    crd_features fine = dense(2, 1, ones);
    assert_int_equal(crd_features_tidy(&fine, "x", NULL), CRD_OK);
    crd_features_free(&fine);
}

/* A table of `cells` cells; `nonzero` of them, scattered, are not zero. */
static void check_settle(int rows, int columns, int nonzero, bool from_sparse, bool to_sparse)
{
    int cells = rows * columns;
    float *table = calloc((size_t)cells + 1, sizeof *table);
    for (int i = 0; i < nonzero; i++) table[i * 7 % cells] = (float)i + 1.0f; /* 7 and cells are coprime */
    crd_features f;
    if (from_sparse) {
        f = (crd_features){.rows = rows, .columns = columns, .sparse = true};
        assert_int_equal(CRD_NEW(&f.start, rows + 1, NULL), CRD_OK);
        assert_int_equal(CRD_NEW(&f.column, nonzero, NULL), CRD_OK);
        assert_int_equal(CRD_NEW(&f.value, nonzero, NULL), CRD_OK);
        int64_t at = 0;
        for (int r = 0; r < rows; r++) {
            f.start[r] = at;
            for (int c = 0; c < columns; c++)
                if (table[r * columns + c] != 0.0f) {
                    f.column[at] = c;
                    f.value[at++] = table[r * columns + c];
                }
        }
        f.start[rows] = at;
    } else {
        f = dense(rows, columns, table);
    }
    assert_int_equal(crd_features_nonzero(&f), nonzero);
    assert_int_equal(crd_features_choose_storage(&f, NULL), CRD_OK);
    assert_int_equal(f.sparse, to_sparse);
    assert_int_equal(f.rows, rows);
    assert_int_equal(f.columns, columns);
    assert_int_equal(crd_features_nonzero(&f), nonzero);
    if (to_sparse) {
        int64_t at = 0;
        for (int i = 0; i < cells; i++) {
            if (i % columns == 0) assert_int_equal(f.start[i / columns], at);
            if (table[i] == 0.0f) continue;
            assert_int_equal(f.column[at], i % columns);
            assert_true(f.value[at++] == table[i]);
        }
        assert_null(f.dense);
    } else {
        assert_memory_equal(f.dense, table, (size_t)cells * sizeof *table);
        assert_null(f.start);
    }
    crd_features_free(&f);
    free(table);
}

static void test_settle(void **state)
{
    (void)state;
    for (int from_sparse = 0; from_sparse < 2; from_sparse++) { /* the original storage does not matter */
        check_settle(4, 5, 0, from_sparse, true);
        check_settle(4, 5, 1, from_sparse, true);
        check_settle(4, 5, 9, from_sparse, true);
        check_settle(4, 5, 10, from_sparse, false); /* half is not fewer than half */
        check_settle(4, 5, 20, from_sparse, false);
        check_settle(3, 3, 4, from_sparse, true);
        check_settle(3, 3, 5, from_sparse, false);
    }
    crd_features none = {.rows = 3};
    assert_int_equal(crd_features_choose_storage(&none, NULL), CRD_OK);
    assert_false(none.sparse);
    crd_features wide = sparse(1, INT32_MAX, (int64_t[]){0, 1}, (int32_t[]){5}, (float[]){1});
    assert_int_equal(crd_features_choose_storage(&wide, NULL), CRD_OK);
    assert_true(wide.sparse);
    crd_features_free(&wide);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tidy_by_hand),
        cmocka_unit_test(test_tidy),
        cmocka_unit_test(test_repetitions_are_added_exactly),
        cmocka_unit_test(test_defects),
        cmocka_unit_test(test_settle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
