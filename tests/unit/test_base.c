/* SPDX-License-Identifier: MIT */
/* The base: loops over rows, planned memory, sums, random numbers. */
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

#include "base/memory.h"
#include "base/random.h"
#include "base/sort.h"
#include "base/tree.h"

/* ---- version ---- */

#if CRD_VERSION_MAJOR < 0 || CRD_VERSION_MINOR < 0 || CRD_VERSION_PATCH < 0
#error "the numbers of the version are for #if"
#endif

static void the_version_is_the_same_everywhere(void **state)
{
    (void)state;
    char numbers[64];
    snprintf(numbers, sizeof numbers, "%d.%d.%d", CRD_VERSION_MAJOR, CRD_VERSION_MINOR, CRD_VERSION_PATCH);
    assert_string_equal(CRD_VERSION, numbers);
    assert_string_equal(crd_version(), CRD_VERSION);
    assert_string_equal(CREDENCE_VERSION, CRD_VERSION); /* CMake's */
}

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

/* ---- planned memory ---- */

static void plans(void **state)
{
    (void)state;
    float *a;
    double *b;
    uint8_t *c;
    crd_plan plan = {0};
    CRD_PLAN(&plan, &a, 3);
    CRD_PLAN_ZERO(&plan, &b, 100);
    CRD_PLAN(&plan, &c, 0);
    assert_null(a);
    assert_int_equal(crd_plan_bytes(&plan), 64 + 832);
    assert_int_equal(crd_plan_allocate(&plan, NULL), CRD_OK);
    assert_int_equal((uintptr_t)a % 64 + (uintptr_t)b % 64, 0);
    assert_true((char *)b >= (char *)(a + 3) && (char *)c >= (char *)(b + 100));
    for (int i = 0; i < 100; i++) assert_true(b[i] == 0.0);
    memset(a, 1, 3 * sizeof *a);
    memset(b, 1, 100 * sizeof *b);
    crd_plan_free(&plan);
    assert_int_equal(crd_plan_bytes(&plan), 0);
    /* sizes beyond any machine */
    const int64_t counts[] = {INT64_MAX / 4, INT64_MAX / 5, -1};
    for (int i = 0; i < 3; i++) {
        crd_error error;
        plan = (crd_plan){0};
        CRD_PLAN(&plan, &a, counts[i]);
        CRD_PLAN(&plan, &b, counts[i] / 2);
        assert_int_equal(crd_plan_bytes(&plan), INT64_MAX);
        assert_int_equal(crd_plan_allocate(&plan, &error), CRD_ERROR_MEMORY);
        crd_plan_free(&plan);
    }
}

/* ---- sums along the tree ---- */

static void cuts(void **state)
{
    (void)state;
    const int64_t rows[] = {0, 1, 255, 512, 2995, 13752, 16384 + 64, 65536, 169343, 111059956};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        const crd_cut cut = crd_cut_rows(rows[r]);
        assert_in_range(cut.blocks, 1, CRD_BLOCKS);
        assert_in_range(cut.shards, 1, CRD_SHARDS);
        assert_true(cut.shards * cut.blocks_per_shard >= cut.blocks);
        assert_true((cut.shards - 1) * cut.blocks_per_shard < cut.blocks);
        assert_int_equal(crd_block_begin(&cut, 0), 0);
        assert_int_equal(crd_block_begin(&cut, cut.blocks), rows[r]);
        assert_int_equal(crd_shard_begin(&cut, cut.shards), rows[r]);
        for (int64_t b = 0; b < cut.blocks; b++) {
            const int64_t begin = crd_block_begin(&cut, b), end = crd_block_begin(&cut, b + 1);
            assert_int_equal(begin % 64, 0);
            assert_true(end - begin >= (cut.blocks > 1 ? 192 : 0));
            assert_true(end - begin <= rows[r] / cut.blocks + 128);
        }
    }
}

/* The tree's sum, written as a recursion: the left half of a range has a power of two of leaves. */
static double root_of(const double *leaf, int64_t count)
{
    if (count == 1) return leaf[0];
    int64_t left = 1;
    while (2 * left < count) left *= 2;
    return root_of(leaf, left) + root_of(leaf + left, count - left);
}

static void few_sums_follow_the_tree(void **state)
{
    (void)state;
    static loop_case c;
    crd_rng rng = crd_rng_start(2, 2);
    for (int i = 0; i < ROWS; i++) c.value[i] = (float)(crd_rng_uniform(&rng) - 0.5) * 1e6f;
    const crd_cut cut = crd_cut_rows(ROWS);
    assert_true(cut.blocks > 2 && (cut.blocks & (cut.blocks - 1)) != 0);
    double leaf[CRD_BLOCKS], sums[2];
    for (int64_t b = 0; b < cut.blocks; b++) {
        leaf[b] = 0.0;
        for (int64_t i = crd_block_begin(&cut, b); i < crd_block_begin(&cut, b + 1); i++) leaf[b] += (double)c.value[i];
    }
    crd_parallel_sum(NULL, ROWS, add, &c, 2, sums);
    assert_true(sums[0] == root_of(leaf, cut.blocks));
    /* The position of a row in the data counts, not its position in the list. */
    static int64_t list[ROWS];
    static loop_case listed;
    int64_t count = 0;
    for (int64_t b = 0; b < cut.blocks; b++) leaf[b] = 0.0;
    for (int64_t b = 0; b < cut.blocks; b += 2)
        for (int64_t i = crd_block_begin(&cut, b); i < crd_block_begin(&cut, b + 1); i += 3) {
            leaf[b] += (double)c.value[i];
            listed.value[count] = c.value[i];
            list[count++] = i;
        }
    crd_parallel_sum_listed(NULL, ROWS, list, count, add, &listed, 2, sums);
    assert_true(sums[0] == root_of(leaf, cut.blocks));
    assert_true(sums[1] == (double)count);
    crd_parallel_sum_listed(NULL, ROWS, list, 0, add, &listed, 2, sums);
    assert_true(sums[0] == 0.0 && sums[1] == 0.0);
}

/* The entry of row i, column w. */
static double entry(int64_t i, int64_t w)
{
    return (double)((i * 7919 + w * 104729) % 1000003) * 1e-3 - 500.0;
}

static void add_entries(int64_t begin, int64_t end, int worker, double *sums, void *context)
{
    const int64_t width = *(const int64_t *)context;
    (void)worker;
    for (int64_t i = begin; i < end; i += 61)
        for (int64_t w = 0; w < width; w++) sums[w] += 1.0 / entry(i, w);
}

/* The bytes are those of the tree, for few numbers and for many. */
static void many_sums_follow_the_tree(void **state)
{
    (void)state;
    const int64_t rows[] = {100, 2995, 70000}, widths[] = {3, 40000, 600000};
    for (int r = 0; r < 3; r++)
        for (int v = 0; v < 3; v++) {
            if (rows[r] * widths[v] > INT64_C(3000000000)) continue;
            const crd_cut cut = crd_cut_rows(rows[r]);
            double first[CRD_SHARDS] = {0}, last[CRD_SHARDS] = {0};
            for (int64_t s = 0; s < cut.shards; s++)
                for (int64_t i = crd_shard_begin(&cut, s); i < crd_shard_begin(&cut, s + 1); i += 61) {
                    first[s] += 1.0 / entry(i, 0);
                    last[s] += 1.0 / entry(i, widths[v] - 1);
                }
            for (int threads = 1; threads <= 3; threads += 2) {
                crd_team *team;
                double *room;
                assert_int_equal(crd_team_open(threads, &team, NULL), CRD_OK);
                assert_int_equal(CRD_NEW(&room, crd_shard_sums_room(rows[r], widths[v]), NULL), CRD_OK);
                crd_parallel_shard_sums(team, rows[r], widths[v], add_entries, (void *)&widths[v], room);
                assert_true(room[0] == root_of(first, cut.shards));
                assert_true(room[widths[v] - 1] == root_of(last, cut.shards));
                free(room);
                crd_team_close(&team);
            }
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

typedef struct {
    int32_t key, place;
} keyed;

static int by_key(const void *a, const void *b)
{
    return ((const keyed *)a)->key - ((const keyed *)b)->key;
}

/* Few items and many, which are merged: equal ones stay in their order. */
static void sorting(void **state)
{
    const int64_t counts[] = {0, 1, 2, 1000, 32768, 32769, 100000, 200000};
    keyed *items;
    (void)state;
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        crd_rng rng = crd_rng_start(5, c);
        assert_int_equal(CRD_NEW(&items, counts[c], NULL), CRD_OK);
        for (int64_t i = 0; i < counts[c]; i++) items[i] = (keyed){(int32_t)crd_rng_below(&rng, 5000), (int32_t)i};
        assert_int_equal(crd_sort(items, counts[c], sizeof *items, by_key, NULL), CRD_OK);
        for (int64_t i = 1; i < counts[c]; i++)
            assert_true(items[i - 1].key < items[i].key ||
                        (items[i - 1].key == items[i].key && items[i - 1].place < items[i].place));
        crd_free(items);
    }
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
    /* A name from outside may be long and contain anything. */
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
        cmocka_unit_test(the_version_is_the_same_everywhere),
        cmocka_unit_test(rows_are_visited_once),
        cmocka_unit_test(plans),
        cmocka_unit_test(cuts),
        cmocka_unit_test(few_sums_follow_the_tree),
        cmocka_unit_test(many_sums_follow_the_tree),
        cmocka_unit_test(draws),
        cmocka_unit_test(sorting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
