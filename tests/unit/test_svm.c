/* SPDX-License-Identifier: MIT */
/* LIBSVM. */
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
    assert_int_equal(crd_source_memory(text, strlen(text), "in.svm", &source, NULL), CRD_OK);
    crd_status status = crd_svm_read(source, triplets, error);
    crd_source_free(&source);
    return status;
}

/* "rows x columns: (row,column)=value ... targets ..." in reading order. */
static const char *entries(const char *text)
{
    static char all[2048];
    crd_triplets t;
    crd_error error = {0};
    if (read_text(text, &t, &error) != CRD_OK) {
        assert_null(t.row);
        assert_null(t.target);
        assert_int_equal(t.count, 0);
        snprintf(all, sizeof all, "!%s", error.message);
        return all;
    }
    size_t used = (size_t)sprintf(all, "%lldx%lld:", (long long)t.rows, (long long)t.columns);
    for (int64_t i = 0; i < t.count; i++)
        used += (size_t)sprintf(all + used, " (%d,%d)=%g", (int)t.row[i], (int)t.column[i], (double)t.value[i]);
    for (int64_t r = 0; t.target != NULL && r < t.rows; r++)
        used += (size_t)sprintf(all + used, "%s%g", r == 0 ? " targets " : ",", (double)t.target[r]);
    crd_triplets_free(&t);
    return all;
}

static void test_with_targets(void **state)
{
    (void)state;
    assert_string_equal(entries("1 1:0.5 3:2\n-1 2:1\n"), "2x3: (0,0)=0.5 (0,2)=2 (1,1)=1 targets 1,-1");
    assert_string_equal(entries("+1 0:0.5 3:2\n2.5 2:1"), "2x4: (0,0)=0.5 (0,3)=2 (1,2)=1 targets 1,2.5");
    assert_string_equal(entries("3\n4 1:1\n\n5\n"), "3x1: (1,0)=1 targets 3,4,5"); /* blank lines are none */
    assert_string_equal(entries("1 3:1 1:2 3:4\n"), "1x3: (0,2)=1 (0,0)=2 (0,2)=4 targets 1");
    assert_string_equal(entries("# head\n1 1:2 # tail 9:9\r\n  2\t2:3#x\n"), "2x2: (0,0)=2 (1,1)=3 targets 1,2");
    assert_string_equal(entries("1 2:3 5:0\n"), "1x5: (0,1)=3 targets 1"); /* a zero is a column, no entry */
    assert_string_equal(entries("0\n"), "1x0: targets 0");
}

static void test_without_targets(void **state)
{
    (void)state;
    assert_string_equal(entries("1:0.5 3:2\n2:1\n"), "2x3: (0,0)=0.5 (0,2)=2 (1,1)=1");
    /* Blank lines are rows. */
    assert_string_equal(entries("\n# none\n1:1\n \n0:2\n\n"), "5x2: (1,1)=1 (3,0)=2");
}

static void test_errors(void **state)
{
    (void)state;
    assert_string_equal(entries(""), "!in.svm: expected lines of index:value, found none");
    assert_string_equal(entries("\n#\n"), "!in.svm: expected lines of index:value, found none");
    assert_string_equal(entries("a 1:2\n"),
                        "!in.svm: line 1: expected a number as the target, or index:value, found 'a 1:2'");
    assert_string_equal(entries("1,2 1:2\n"),
                        "!in.svm: line 1: expected a number as the target, or index:value, found '1,2 1:2'");
    assert_string_equal(entries("nan 1:2\n"),
                        "!in.svm: line 1: expected a number as the target, or index:value, found 'nan 1:2'");
    assert_string_equal(entries("1 1:2\n1:2\n"),
                        "!in.svm: line 2: expected a target before the pairs, as in the lines before, found "
                        "'1:2'");
    assert_string_equal(entries("1:2\n1 1:2\n"),
                        "!in.svm: line 2: expected index:value and no target, as in the lines before, found "
                        "'1 1:2'");
    assert_string_equal(entries("1 2\n"), "!in.svm: line 1: expected index:value, found '2'");
    assert_string_equal(entries("1 x:2\n"), "!in.svm: line 1: expected index:value, found 'x:2'");
    assert_string_equal(entries("1 1.5:2\n"), "!in.svm: line 1: expected index:value, found '1.5:2'");
    static const char *const bad[] = {"3:", "3:x", "3: 1", "3:nan", "3:1e39", "3:1:2", "3:1,"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[64], message[128];
        snprintf(text, sizeof text, "1 %s\n", bad[i]);
        snprintf(message, sizeof message, "!in.svm: line 1: expected index:value with a finite value, found '%s'",
                 bad[i]);
        assert_string_equal(entries(text), message);
    }
    assert_string_equal(entries("1 -1:2\n"), "!in.svm: line 1: expected an index from 0 to 2147483647, found '-1:2'");
    assert_string_equal(entries("1 2147483648:2\n"),
                        "!in.svm: line 1: expected an index from 0 to 2147483647, found '2147483648:2'");
    assert_string_equal(entries("1 2147483647:2\n"), "1x2147483647: (0,2147483646)=2 targets 1");
    assert_string_equal(entries("1 0:1 2147483647:2\n"),
                        "!in.svm: indices count from 0 and reach 2147483647, one too many");
}

static void test_many_entries_come_back(void **state)
{
    (void)state;
    enum { ROWS = 300, COLUMNS = 50 };
    static float value[ROWS][COLUMNS];
    char *text = malloc(ROWS * COLUMNS * 24);
    crd_rng rng = crd_rng_start(2, 0);
    size_t used = 0;
    int64_t nonzero = 0;
    for (int r = 0; r < ROWS; r++) {
        used += (size_t)sprintf(text + used, "%d", r);
        for (int c = 0; c < COLUMNS; c++) {
            bool present = crd_rng_below(&rng, 3) == 0 || c == COLUMNS - 1;
            value[r][c] = present ? (float)crd_rng_normal(&rng) : 0.0f;
            if (value[r][c] == 0.0f) continue;
            used += (size_t)sprintf(text + used, " %d:%.9g", c + 1, (double)value[r][c]);
            nonzero++;
        }
        used += (size_t)sprintf(text + used, "\n");
    }
    crd_triplets t;
    assert_int_equal(read_text(text, &t, NULL), CRD_OK);
    assert_int_equal(t.rows, ROWS);
    assert_int_equal(t.columns, COLUMNS);
    assert_int_equal(t.count, nonzero);
    for (int64_t i = 0; i < t.count; i++) assert_true(t.value[i] == value[t.row[i]][t.column[i]]);
    for (int r = 0; r < ROWS; r++) assert_true(t.target[r] == (float)r);
    crd_triplets_free(&t);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_with_targets),
        cmocka_unit_test(test_without_targets),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_many_entries_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
