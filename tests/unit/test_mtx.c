/* SPDX-License-Identifier: MIT */
/* Matrix Market. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "io/text_formats.h"

static crd_status read_text(const char *text, crd_triplets *triplets, crd_error *error)
{
    crd_source *source;
    assert_int_equal(crd_source_memory(text, strlen(text), "in.mtx", &source, NULL), CRD_OK);
    crd_status status = crd_mtx_read(source, triplets, error);
    crd_source_free(&source);
    return status;
}

/* "rows x columns: (row,column)=value ..." in reading order. */
static const char *entries(const char *text)
{
    static char all[2048];
    crd_triplets t;
    crd_error error = {0};
    if (read_text(text, &t, &error) != CRD_OK) {
        assert_null(t.row);
        assert_int_equal(t.count, 0);
        snprintf(all, sizeof all, "!%s", error.message);
        return all;
    }
    size_t used = (size_t)sprintf(all, "%lldx%lld:", (long long)t.rows, (long long)t.columns);
    for (int64_t i = 0; i < t.count; i++) {
        used += (size_t)sprintf(all + used, " (%d,%d)", (int)t.row[i], (int)t.column[i]);
        if (t.value != NULL) used += (size_t)sprintf(all + used, "=%g", (double)t.value[i]);
    }
    assert_null(t.target);
    crd_triplets_free(&t);
    return all;
}

static void test_coordinate(void **state)
{
    (void)state;
    assert_string_equal(entries("%%MatrixMarket matrix coordinate real general\n"
                                "% a comment\n\n 3 4  3 \n3 1 2.5\n\n1 4 -1e2\n%x\n3 1 1\n"),
                        "3x4: (2,0)=2.5 (0,3)=-100 (2,0)=1");
    assert_string_equal(entries("%%matrixmarket MATRIX Coordinate Integer General\n2 2 1\n 2\t1 7 "), "2x2: (1,0)=7");
    assert_string_equal(entries("%%MatrixMarket matrix coordinate pattern general\r\n"
                                "2 2 2\r\n2 1\r\n1 1\r\n"),
                        "2x2: (1,0) (0,0)");
    assert_string_equal(entries("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 0\n1 2 3\n"),
                        "2x2: (0,1)=3"); /* a zero is no entry */
    assert_string_equal(entries("%%MatrixMarket matrix coordinate pattern general\n0 0 0\n"), "0x0:");
}

static void test_symmetric(void **state)
{
    (void)state;
    assert_string_equal(entries("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n2 1\n3 3\n3 2\n"),
                        "3x3: (1,0) (0,1) (2,2) (2,1) (1,2)");
    assert_string_equal(entries("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 4\n"),
                        "2x2: (1,0)=4 (0,1)=4");
    assert_string_equal(entries("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 4\n"),
                        "2x2: (1,0)=4 (0,1)=-4");
}

static void test_array(void **state)
{
    (void)state;
    assert_string_equal(entries("%%MatrixMarket matrix array real general\n2 3\n1\n2\n0\n4\n5 6\n"),
                        "2x3: (0,0)=1 (1,0)=2 (1,1)=4 (0,2)=5 (1,2)=6");
    /* From the diagonal down, column by column. */
    assert_string_equal(entries("%%MatrixMarket matrix array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n"),
                        "3x3: (0,0)=1 (1,0)=2 (0,1)=2 (2,0)=3 (0,2)=3 (1,1)=4 (2,1)=5 (1,2)=5 (2,2)=6");
    assert_string_equal(entries("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n"),
                        "3x3: (1,0)=1 (0,1)=-1 (2,0)=2 (0,2)=-2 (2,1)=3 (1,2)=-3");
    assert_string_equal(entries("%%MatrixMarket matrix array real skew-symmetric\n1 1\n"), "1x1:");
}

#define REAL "%%MatrixMarket matrix coordinate real general\n"

static void test_errors(void **state)
{
    (void)state;
    assert_string_equal(entries(""), "!in.mtx: expected a Matrix Market file, found an empty one");
    assert_string_equal(entries("0 1\n"), "!in.mtx: line 1: expected \"%%MatrixMarket\", found '0'");
    assert_string_equal(entries("%%MatrixMarket vector\n"), "!in.mtx: line 1: expected \"matrix\", found 'vector'");
    assert_string_equal(entries("%%MatrixMarket matrix dense real general\n"),
                        "!in.mtx: line 1: expected \"coordinate\" or \"array\", found 'dense'");
    assert_string_equal(entries("%%MatrixMarket matrix coordinate complex general\n"),
                        "!in.mtx: line 1: expected \"pattern\", \"integer\" or \"real\" values, found "
                        "'complex'");
    assert_string_equal(entries("%%MatrixMarket matrix coordinate real hermitian\n"),
                        "!in.mtx: line 1: expected \"general\", \"symmetric\" or \"skew-symmetric\", found "
                        "'hermitian'");
    assert_string_equal(entries("%%MatrixMarket matrix array pattern general\n"),
                        "!in.mtx: line 1: expected values in an array, found 'pattern'");
    assert_string_equal(entries("%%MatrixMarket matrix coordinate pattern skew-symmetric\n"),
                        "!in.mtx: line 1: expected \"general\" or \"symmetric\" for a pattern, found "
                        "'skew-symmetric'");
    static const char *const wrong[] = {"2 2",   "2 2 1 1", "-1 2 1",  "2147483648 2 1",
                                        "2 x 1", "2 2 1x",  "2.0 2 1", "2 2 99999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[256], message[512];
        snprintf(text, sizeof text, "%s%s\n1 1 1\n", REAL, wrong[i]);
        snprintf(message, sizeof message,
                 "!in.mtx: line 2: expected the sizes \"rows columns entries\", rows and columns up to "
                 "2147483647, found '%s'",
                 wrong[i]);
        assert_string_equal(entries(text), message);
    }
    assert_string_equal(entries(REAL "% only\n"),
                        "!in.mtx: expected the sizes \"rows columns entries\", rows and columns up to "
                        "2147483647, found the file's end");
    assert_string_equal(entries(REAL "2 2 2\n1 1 1\n"),
                        "!in.mtx: ends after 1 of the 2 entries that its sizes declare");
    assert_string_equal(entries(REAL "2 2 1\n1 1 1\n2 2 1\n"),
                        "!in.mtx: line 4: more than the 1 entries that the sizes declare");
    assert_string_equal(entries(REAL "2 3 1\n3 1 1\n"),
                        "!in.mtx: line 3: entry (3, 1) is outside the declared 2 rows and 3 columns");
    assert_string_equal(entries(REAL "2 3 1\n1 4 1\n"),
                        "!in.mtx: line 3: entry (1, 4) is outside the declared 2 rows and 3 columns");
    assert_string_equal(entries(REAL "2 3 1\n0 1 1\n"),
                        "!in.mtx: line 3: entry (0, 1) is outside the declared 2 rows and 3 columns");
    static const char *const bad[] = {"1 1", "1 1 x", "1 1 nan", "1 1 1e39", "1 1 1 1", "1.5 1 1", "11 1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[256], message[256];
        snprintf(text, sizeof text, "%s2 2 1\n%s\n", REAL, bad[i]);
        snprintf(message, sizeof message,
                 "!in.mtx: line 3: expected \"row column value\" with a finite value, found '%s'", bad[i]);
        assert_string_equal(entries(text), message);
    }
    assert_string_equal(entries("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 5\n"),
                        "!in.mtx: line 3: expected \"row column\", found '1 1 5'");
    assert_string_equal(entries("%%MatrixMarket matrix coordinate pattern symmetric\n2 3 1\n1 1\n"),
                        "!in.mtx: line 2: expected as many columns as rows in a symmetric matrix, found "
                        "'2 3 1'");
    assert_string_equal(entries("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 3\n"),
                        "!in.mtx: line 3: expected no entry on the diagonal of a skew-symmetric matrix, "
                        "found '1 1 3'");
    assert_string_equal(entries("%%MatrixMarket matrix array real general\n2 1\n1\nx\n"),
                        "!in.mtx: line 4: expected a finite number, found 'x'");
    assert_string_equal(entries("%%MatrixMarket matrix array real general\n2 1\n1 2 3\n"),
                        "!in.mtx: line 3: more than the 2 values that the sizes declare");
    assert_string_equal(entries("%%MatrixMarket matrix array real general\n2 1\n1\n"),
                        "!in.mtx: ends after 1 of the 2 values that its sizes declare");
}

/* A few bytes that declare a giant matrix are refused before any memory is allocated for it. */
static void test_declared_giants(void **state)
{
    (void)state;
    assert_string_equal(entries(REAL "2147483647 2147483647 1\n1 1 1\n"),
                        "!in.mtx: declares 2147483647 rows for 1 entries, which is out of all proportion");
    assert_string_equal(entries("%%MatrixMarket matrix array real general\n2000000000 0\n"),
                        "!in.mtx: declares 2000000000 rows for 0 entries, which is out of all proportion");
    assert_string_equal(entries(REAL "1000000 1000000 1\n1 1 1\n"), "1000000x1000000: (0,0)=1");
    assert_string_equal(entries(REAL "2147483647 2147483647 4000000000000000000\n1 1 1\n"),
                        "!in.mtx: ends after 1 of the 4000000000000000000 entries that its sizes declare");
}

static void test_many_entries_come_back(void **state)
{
    (void)state;
    enum { COUNT = 5000, SIZE = 100 };
    static int row[COUNT], column[COUNT];
    static float value[COUNT];
    char *text = malloc(COUNT * 48 + 128);
    crd_rng rng = crd_rng_start(1, 0);
    size_t used = (size_t)sprintf(text, "%s%d %d %d\n", REAL, SIZE, SIZE, COUNT);
    for (int i = 0; i < COUNT; i++) {
        row[i] = (int)crd_rng_below(&rng, SIZE);
        column[i] = (int)crd_rng_below(&rng, SIZE);
        value[i] = (float)crd_rng_normal(&rng);
        used += (size_t)sprintf(text + used, "%d %d %.9g\n", row[i] + 1, column[i] + 1, (double)value[i]);
    }
    crd_triplets t;
    assert_int_equal(read_text(text, &t, NULL), CRD_OK);
    assert_int_equal(t.count, COUNT);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(t.row[i], row[i]);
        assert_int_equal(t.column[i], column[i]);
        assert_true(t.value[i] == value[i]);
    }
    crd_triplets_free(&t);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coordinate),      cmocka_unit_test(test_symmetric),
        cmocka_unit_test(test_array),           cmocka_unit_test(test_errors),
        cmocka_unit_test(test_declared_giants), cmocka_unit_test(test_many_entries_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
