/* The ground floor: loops over rows, random numbers. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <dirent.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/parallel.h"
#include "base/random.h"

/* ---- loops ---- */

enum { ROWS = 10007 };

typedef struct {
    int visits[ROWS];
    float value[ROWS];
} loop_case;

static void visit(int64_t begin, int64_t end, void *context)
{
    loop_case *c = context;
    for (int64_t i = begin; i < end; i++) c->visits[i]++;
}

static void add(int64_t begin, int64_t end, double *sums, void *context)
{
    const loop_case *c = context;
    for (int64_t i = begin; i < end; i++) {
        sums[0] += (double)c->value[i];
        sums[1] += 1.0;
    }
}

static void rows_are_visited_once(void **state)
{
    (void)state;
    static loop_case c;
    crd_rng rng = crd_rng_start(1, 1);
    for (int i = 0; i < ROWS; i++) c.value[i] = (float)(crd_rng_uniform(&rng) - 0.5) * 1e6f;
    double alone[2];
    crd_parallel_sum(NULL, ROWS, add, &c, 2, alone);
    assert_true(alone[1] == ROWS);
    for (int64_t threads = 1; threads <= 9; threads += 2) {
        crd_team *team;
        assert_int_equal(crd_team_open(threads, &team, NULL), CRD_OK);
        for (int loop = 0; loop < 200; loop++) { /* one loop right after the other */
            memset(c.visits, 0, sizeof c.visits);
            int64_t block = 1 + loop % 97 * 13;
            crd_parallel_rows(team, ROWS, block, visit, &c);
            for (int i = 0; i < ROWS; i++)
                if (c.visits[i] != 1) fail_msg("row %d was visited %d times", i, c.visits[i]);
        }
        double sums[2];
        crd_parallel_sum(team, ROWS, add, &c, 2, sums);
        assert_memory_equal(sums, alone, sizeof sums); /* to the last bit */
        crd_parallel_rows(team, 0, 4, visit, &c);
        crd_team_close(&team);
        assert_null(team);
    }
}

/* ---- random numbers ---- */

static void draws(void **state)
{
    (void)state;
    crd_rng rng = crd_rng_start(7, 7), same = crd_rng_start(7, 7), other = crd_rng_start(7, 8);
    assert_true(crd_rng_next(&rng) == crd_rng_next(&same));
    assert_true(crd_rng_next(&rng) != crd_rng_next(&other));
    enum { DRAWS = 60000 };
    int bins[6] = {0};
    double normal = 0.0, square = 0.0, small = 0.0, large = 0.0;
    for (int i = 0; i < DRAWS; i++) {
        bins[crd_rng_below(&rng, 6)]++;
        double x = crd_rng_normal(&rng);
        normal += x;
        square += x * x;
        small += (double)crd_rng_poisson(&rng, 3.5);
        large += (double)crd_rng_poisson(&rng, 200.0);
    }
    for (int b = 0; b < 6; b++) assert_in_range(bins[b], 10000 - 500, 10000 + 500);
    assert_true(fabs(normal / DRAWS) < 0.02);
    assert_true(fabs(square / DRAWS - 1.0) < 0.03);
    assert_true(fabs(small / DRAWS - 3.5) < 0.05);
    assert_true(fabs(large / DRAWS - 200.0) < 0.5);
    assert_int_equal(crd_rng_poisson(&rng, 0.0), 0);
    int64_t items[100], seen[100] = {0};
    for (int i = 0; i < 100; i++) items[i] = i;
    crd_rng_shuffle(&rng, items, 100);
    int moved = 0;
    for (int i = 0; i < 100; i++) {
        seen[items[i]]++;
        moved += items[i] != i;
    }
    for (int i = 0; i < 100; i++) assert_int_equal(seen[i], 1);
    assert_true(moved > 80);
}

static void what_an_error_is_about(void **state)
{
    (void)state;
    crd_error error;
    assert_int_equal(crd_fail_about(&error, CRD_ERROR_ARGUMENT, "reg-weight", "is %d, expected 0 or more", -1),
                     CRD_ERROR_ARGUMENT);
    assert_int_equal(error.status, CRD_ERROR_ARGUMENT);
    assert_string_equal(error.about, "reg-weight");
    assert_string_equal(error.message, "reg-weight is -1, expected 0 or more");
    assert_int_equal(crd_fail(&error, CRD_ERROR_IO, "gone"), CRD_ERROR_IO);
    assert_string_equal(error.about, "");
    assert_string_equal(error.message, "gone");
    /* A name from outside may be long and have anything in it. */
    char name[200];
    memset(name, '\n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    crd_fail_about(&error, CRD_ERROR_ARGUMENT, name, "is not an option");
    assert_int_equal(strlen(error.about), sizeof error.about - 1);
    assert_int_equal(strspn(error.about, "?"), sizeof error.about - 1);
    assert_string_equal(error.message + sizeof error.about, "is not an option");
    assert_int_equal(crd_fail_about(NULL, CRD_ERROR_IO, "lr", "is wrong"), CRD_ERROR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_an_error_is_about),
        cmocka_unit_test(rows_are_visited_once),
        cmocka_unit_test(draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
