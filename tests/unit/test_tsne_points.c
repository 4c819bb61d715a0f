/* SPDX-License-Identifier: MIT */
/* From points to affinities, and the start of a map, in every instruction set of this machine, against twins in
 * double precision. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "reference/tsne.h"
#include "support/each_isa.h"
#include "support/guarded.h"
#include "support/outcome.h"
#include "tsne/tsne.h"

/* Points, some of them equal to others and some almost equal. */
static float *new_points(int64_t count, int64_t dims)
{
    crd_rng rng = crd_rng_start(3, (uint64_t)(count * 1000 + dims));
    float *points = new_floats(&rng, count * dims);
    for (int64_t i = 5; i < count; i += 7)
        memcpy(points + i * dims, points + i / 2 * dims, (size_t)dims * sizeof *points);
    for (int64_t i = 6; i < count; i += 11) points[i * dims] = points[(i - 1) * dims] + 1e-4f;
    return points;
}

/* ---- neighbours and affinities ---- */

static void check_neighbours(const crd_kernels *kernels, int count, int dims, int each)
{
    float *values = new_points(count, dims);
    crd_points points;
    crd_neighbours found;
    assert_ok(crd_points_open(&points, values, count, dims, NULL));
    assert_ok(crd_neighbours_open(&found, &points, each, kernels, team, NULL, NULL));
    assert_false(found.stopped);
    double *squared = new_doubles((int64_t)count * count);
    int *nearest = malloc((size_t)(count * each + 1) * sizeof *nearest);
    assert_non_null(nearest);
    ref_distances(count, dims, points.value, squared);
    ref_nearest(count, each, squared, nearest);
    for (int i = 0; i < count; i++) {
        double farthest = 0.0;
        for (int k = 0; k < each; k++) farthest = fmax(farthest, squared[i * count + nearest[i * each + k]]);
        for (int k = 0; k < each; k++) {
            const int j = found.index[i * each + k];
            const double expected = squared[i * count + j], got = (double)found.distance[i * each + k];
            assert_true(j != i && j >= 0 && j < count && (k == 0 || j > found.index[i * each + k - 1]));
            assert_true(fabs(got - expected) <= 1e-6 * (expected + 1e-6));
            /* Rounding may exchange two points at equal distances in float, but no others. */
            if (j != nearest[i * each + k]) assert_true(expected <= farthest * (1.0 + 1e-5));
        }
    }
    free(nearest);
    free(squared);
    crd_neighbours_close(&found);
    crd_points_close(&points);
    free(values);
}

static void neighbours_in(const crd_kernels *kernels)
{
    check_neighbours(kernels, 2, 1, 1);
    check_neighbours(kernels, 3, 2, 2);
    check_neighbours(kernels, 17, 5, 16);
    check_neighbours(kernels, 70, 3, 1);
    check_neighbours(kernels, 300, 16, 20);
    check_neighbours(kernels, 541, 10, 200);
    check_neighbours(kernels, 600, 33, 7);
}

static void test_neighbours(void **state)
{
    (void)state;
    with_each_isa(neighbours_in);
}

static int by_distance(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* On a line with whole distances there is no rounding: ties are everywhere, and distances equal the twin's. */
static void ties_in(const crd_kernels *kernels)
{
    enum { COUNT = 700, EACH = 31 };
    float values[COUNT];
    for (int i = 0; i < COUNT; i++) values[i] = (float)(i * 389 % COUNT / 4);
    const crd_points points = {.count = COUNT, .dims = 1, .value = values};
    crd_neighbours found;
    assert_ok(crd_neighbours_open(&found, &points, EACH, kernels, team, NULL, NULL));
    double *squared = new_doubles(COUNT * COUNT);
    int nearest[COUNT * EACH];
    ref_distances(COUNT, 1, values, squared);
    ref_nearest(COUNT, EACH, squared, nearest);
    for (int i = 0; i < COUNT; i++) {
        float expected[EACH];
        for (int k = 0; k < EACH; k++) {
            assert_true(k == 0 || found.index[i * EACH + k] > found.index[i * EACH + k - 1]);
            assert_true((double)found.distance[i * EACH + k] == squared[i * COUNT + found.index[i * EACH + k]]);
            expected[k] = (float)squared[i * COUNT + nearest[i * EACH + k]];
        }
        qsort(expected, EACH, sizeof *expected, by_distance);
        qsort(found.distance + i * EACH, EACH, sizeof *expected, by_distance);
        assert_memory_equal(expected, found.distance + i * EACH, sizeof expected);
    }
    free(squared);
    crd_neighbours_close(&found);
}

/* Clusters far apart, where most tiles can be skipped; and points without any structure. */
static void check_many(const crd_kernels *kernels, int clusters)
{
    enum { COUNT = 5000, DIMS = 6, EACH = 40 };
    crd_rng rng = crd_rng_start(31, 7);
    float *values = malloc(COUNT * DIMS * sizeof *values), *expected = malloc(COUNT * sizeof *expected);
    bool *seen = calloc(COUNT, sizeof *seen);
    assert_true(values != NULL && expected != NULL && seen != NULL);
    for (int i = 0; i < COUNT * DIMS; i++)
        values[i] = (float)(crd_rng_normal(&rng) + 9.0 * (double)(i / DIMS % clusters * (i % DIMS) % 5));
    crd_points points;
    crd_neighbours found;
    assert_ok(crd_points_open(&points, values, COUNT, DIMS, NULL));
    assert_ok(crd_neighbours_open(&found, &points, EACH, kernels, team, NULL, NULL));
    for (int i = 0; i < COUNT; i += 37) {
        for (int j = 0; j < COUNT; j++) {
            double sum = 0.0;
            for (int d = 0; d < DIMS; d++) {
                const double apart = (double)points.value[i * DIMS + d] - (double)points.value[j * DIMS + d];
                sum += apart * apart;
            }
            expected[j] = j == i ? INFINITY : (float)sum;
        }
        qsort(expected, COUNT, sizeof *expected, by_distance);
        qsort(found.distance + i * EACH, EACH, sizeof *expected, by_distance);
        for (int k = 0; k < EACH; k++)
            assert_true(fabsf(found.distance[i * EACH + k] - expected[k]) <= 1e-6f * expected[k]);
    }
    for (int i = 0; i < COUNT; i++) { /* every point once */
        assert_false(seen[points.order[i]]);
        seen[points.order[i]] = true;
    }
    free(seen);
    free(values);
    free(expected);
    crd_neighbours_close(&found);
    crd_points_close(&points);
}

static void many_in(const crd_kernels *kernels)
{
    check_many(kernels, 1);
    check_many(kernels, 7);
}

static void test_many(void **state)
{
    (void)state;
    with_each_isa(many_in);
}

static void test_ties(void **state)
{
    (void)state;
    with_each_isa(ties_in);
}

static void check_affinities(const crd_kernels *kernels, int count, int each, double perplexity)
{
    enum { DIMS = 4 };
    crd_rng rng = crd_rng_start(8, (uint64_t)count);
    float *values = new_floats(&rng, count * DIMS);
    crd_points points;
    crd_neighbours found;
    crd_affinities affinities;
    assert_ok(crd_points_open(&points, values, count, DIMS, NULL));
    assert_ok(crd_neighbours_open(&found, &points, each, kernels, team, NULL, NULL));
    assert_ok(crd_affinities_open(&affinities, &found, perplexity, team, NULL));
    double *squared = new_doubles((int64_t)count * count), *p = new_doubles((int64_t)count * count);
    ref_distances(count, DIMS, points.value, squared);
    ref_affinities(count, each, squared, perplexity, p);
    double sum = 0.0, entropy = 0.0;
    for (int i = 0; i < count; i++) {
        assert_int_equal((affinities.start[i + 1] - affinities.start[i]) % CRD_PANEL, 0);
        for (int64_t e = affinities.start[i]; e < affinities.start[i + 1]; e++) {
            double *expected = &p[i * count + affinities.column[e]];
            const double weight = (double)affinities.weight[e];
            if (weight == 0.0) continue;
            assert_true(fabs(weight - *expected) <= 2e-5 * *expected + 1e-12);
            sum += weight;
            entropy += *expected * log(*expected);
            *expected = 0.0;
        }
    }
    assert_true(fabs(sum - 1.0) < 1e-6);
    assert_true(fabs(entropy - affinities.entropy) < 1e-4);
    for (int i = 0; i < count * count; i++) assert_true(p[i] < 1e-12); /* nothing was left out */
    free(squared);
    free(p);
    crd_affinities_close(&affinities);
    crd_neighbours_close(&found);
    crd_points_close(&points);
    free(values);
}

static void affinities_in(const crd_kernels *kernels)
{
    check_affinities(kernels, 2, 1, 1.0);
    check_affinities(kernels, 40, 39, 10.0);
    check_affinities(kernels, 300, 46, 15.0);
    check_affinities(kernels, 300, 91, 30.0);
}

static void test_affinities(void **state)
{
    (void)state;
    with_each_isa(affinities_in);
}

/* If no width gives the perplexity, the nearest possible one. */
static void test_conditional_extremes(void **state)
{
    (void)state;
    double p[6];
    const float same[] = {4, 4, 4, 4, 4, 4}, zeros[] = {0, 0, 0, 0, 1, 2},
                far[] = {0, 1e30f, 1e30f, 1e30f, 1e30f, 1e30f};
    const float tiny[] = {1e-38f, 2e-38f, 3e-38f, 4e-38f, 5e-38f, 6e-38f};
    crd_conditional(6, same, 2.0, p);
    for (int i = 0; i < 6; i++) assert_true(p[i] == 1.0 / 6);
    crd_conditional(6, zeros, 2.0, p); /* four equal distances cannot count as fewer than four */
    for (int i = 0; i < 4; i++) assert_true(fabs(p[i] - 0.25) < 1e-6);
    crd_conditional(6, far, 2.0, p);
    double sum = 0.0, entropy = 0.0;
    for (int i = 0; i < 6; i++) sum += p[i];
    for (int i = 0; i < 6; i++) entropy -= p[i] * log(p[i]);
    assert_true(fabs(sum - 1.0) < 1e-12 && fabs(exp(entropy) - 2.0) < 1e-6);
    crd_conditional(6, tiny, 3.0, p);
    entropy = 0.0;
    for (int i = 0; i < 6; i++) entropy -= p[i] * log(p[i]);
    assert_true(fabs(exp(entropy) - 3.0) < 1e-6);
    crd_conditional(1, same, 30.0, p);
    assert_true(p[0] == 1.0);
}

/* ---- start ---- */

/* Three directions with variances 9, 4 and 1, rotated: the map has the first two. */
static void test_principal(void **state)
{
    (void)state;
    enum { COUNT = 500, DIMS = 12 };
    crd_rng rng = crd_rng_start(5, 5);
    float *values = malloc(COUNT * DIMS * sizeof *values), map[2 * COUNT];
    double along[COUNT][3], direction[3][DIMS];
    assert_non_null(values);
    for (int k = 0; k < 3; k++)
        for (int d = 0; d < DIMS; d++) direction[k][d] = cos(acos(-1.0) * (d + 0.5) * (k + 1) / DIMS);
    for (int i = 0; i < COUNT; i++)
        for (int d = 0; d < DIMS; d++) values[i * DIMS + d] = 100.0f;
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < 3; k++) {
            along[i][k] = (3.0 - k) * crd_rng_normal(&rng);
            for (int d = 0; d < DIMS; d++) values[i * DIMS + d] += (float)(along[i][k] * direction[k][d]);
        }
    crd_points points;
    assert_ok(crd_points_open(&points, values, COUNT, DIMS, NULL));
    assert_ok(crd_start_principal(&points, team, map, NULL));
    double square[2] = {0, 0}, cross = 0.0, with[2] = {0, 0}, size[2] = {0, 0};
    for (int i = 0; i < COUNT; i++) {
        for (int k = 0; k < 2; k++) {
            square[k] += (double)map[2 * i + k] * (double)map[2 * i + k];
            with[k] += (double)map[2 * i + k] * along[points.order[i]][k];
            size[k] += along[i][k] * along[i][k];
        }
        cross += (double)map[2 * i] * (double)map[2 * i + 1];
    }
    assert_true(fabs(sqrt(square[0] / COUNT) - 1e-4) < 1e-9);
    assert_true(fabs(cross) < 1e-5 * square[0]); /* components are uncorrelated */
    for (int k = 0; k < 2; k++) assert_true(fabs(with[k]) > 0.98 * sqrt(square[k] * size[k]));
    crd_points_close(&points);
    free(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_affinities),
        cmocka_unit_test(test_conditional_extremes),
        cmocka_unit_test(test_principal),
    };
    return cmocka_run_group_tests(tests, open_team, close_team);
}
