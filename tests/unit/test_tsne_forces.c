/* SPDX-License-Identifier: MIT */
/* Hartley transforms, forces on the points of a map and their gradient, in every instruction set of this machine,
 * against twins in double precision. */
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

/* ---- Hartley transforms ---- */

static void check_hartley(const crd_kernels *kernels, int length)
{
    crd_fft plan;
    assert_ok(crd_fft_open(&plan, length, NULL));
    crd_rng rng = crd_rng_start(9, (uint64_t)length);
    const int64_t size = (int64_t)length * CRD_FFT_WIDTH;
    double *column = new_doubles(length), *expected = new_doubles(length);
    float *before[2] = {new_floats(&rng, size), new_floats(&rng, size)}, *in[2] = {new_result(size), new_result(size)};
    float *spare[2] = {new_result(size), new_result(size)};
    for (int a = 0; a < 2; a++) memcpy(in[a], before[a], (size_t)size * sizeof *in[a]);
    kernels->hartley(&plan, in[0], in[1], spare[0], spare[1]);
    for (int a = 0; a < 2; a++) {
        for (int c = 0; c < CRD_FFT_WIDTH; c += 5) {
            for (int k = 0; k < length; k++) column[k] = (double)before[a][k * CRD_FFT_WIDTH + c];
            ref_hartley(length, column, expected);
            for (int k = 0; k < length; k++)
                assert_true(fabs((double)in[a][k * CRD_FFT_WIDTH + c] - expected[k]) < 2e-6 * sqrt(length));
        }
        check_guard(in[a], size);
        check_guard(spare[a], size);
        free(before[a]);
        free(in[a]);
        free(spare[a]);
    }
    free(column);
    free(expected);
    crd_fft_close(&plan);
}

static void hartley_in(const crd_kernels *kernels)
{
    const int lengths[] = {1,  2,  3,  4,  5,  6,  8,  9,  10,  12,  15,  16,  20,
                           25, 27, 30, 32, 40, 60, 64, 90, 125, 128, 144, 360, 432};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) check_hartley(kernels, lengths[i]);
}

static void test_hartley(void **state)
{
    (void)state;
    assert_int_equal(crd_fft_length(1), 1);
    assert_int_equal(crd_fft_length(7), 8);
    assert_int_equal(crd_fft_length(97), 100);
    assert_int_equal(crd_fft_length(433), 450);
    with_each_isa(hartley_in);
}

/* ---- forces ---- */

/* Clusters on a map of a given extent, with some points in the same place. */
static float *new_map(int64_t count, double extent)
{
    crd_rng rng = crd_rng_start(12, (uint64_t)count);
    float *map = malloc((size_t)(2 * count) * sizeof *map);
    assert_non_null(map);
    for (int64_t i = 0; i < count; i++) {
        const double angle = (double)(i % 9), radius = extent * (0.1 + 0.04 * (double)(i % 9));
        map[2 * i] = (float)(radius * cos(angle) + 0.03 * extent * crd_rng_normal(&rng));
        map[2 * i + 1] = (float)(radius * sin(angle) + 0.03 * extent * crd_rng_normal(&rng));
        if (i % 10 == 9) memcpy(map + 2 * i, map + 2 * i - 2, 2 * sizeof *map);
    }
    return map;
}

static double repel_twin(int64_t count, const float *map, double *force)
{
    double total = 0.0;
    for (int64_t i = 0; i < count; i++) {
        force[2 * i] = force[2 * i + 1] = 0.0;
        for (int64_t j = 0; j < count; j++) {
            const double dx = (double)map[2 * i] - (double)map[2 * j],
                         dy = (double)map[2 * i + 1] - (double)map[2 * j + 1];
            const double q = 1.0 / (1.0 + dx * dx + dy * dy);
            force[2 * i] += q * q * dx;
            force[2 * i + 1] += q * q * dy;
            if (j != i) total += q;
        }
    }
    return total;
}

/* The root mean squared difference, relative to that of the forces, must be at most `most`. */
static void check_repulsion(const crd_kernels *kernels, int64_t count, double extent, bool exact, double most)
{
    float *map = new_map(count, extent), *force = malloc((size_t)(2 * count) * sizeof *force);
    double *expected = new_doubles(2 * count), total, difference = 0.0, size = 0.0;
    assert_non_null(force);
    const double true_total = repel_twin(count, map, expected);
    crd_repulsion repulsion;
    assert_ok(crd_repulsion_open(&repulsion, count, exact, kernels, team, NULL));
    for (int time = 0; time < 2; time++) { /* the second time with an existing grid */
        memset(force, 0xff, (size_t)(2 * count) * sizeof *force);
        assert_ok(crd_repulsion_run(&repulsion, map, force, &total, NULL));
    }
    for (int64_t i = 0; i < 2 * count; i++) {
        difference += ((double)force[i] - expected[i]) * ((double)force[i] - expected[i]);
        size += expected[i] * expected[i];
    }
    if (!(sqrt(difference / size) <= most && fabs(total / true_total - 1.0) <= most))
        fail_msg("%lld points, extent %g: forces off by %.2g, the total by %.2g, more than %.2g", (long long)count,
                 extent, sqrt(difference / size), total / true_total - 1.0, most);
    crd_repulsion_close(&repulsion);
    free(map);
    free(force);
    free(expected);
}

static void repulsion_in(const crd_kernels *kernels)
{
    const int64_t counts[] = {2, 15, 16, 17, 800};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) check_repulsion(kernels, counts[i], 20.0, true, 1e-5);
    check_repulsion(kernels, 800, 1e-4, false, 2e-6);
    check_repulsion(kernels, 800, 1.0, false, 2e-6);
    check_repulsion(kernels, 800, 10.0, false, 5e-3);
    check_repulsion(kernels, 2000, 50.0, false, 5e-3);
    check_repulsion(kernels, 2000, 120.0, false, 1e-2);
    check_repulsion(kernels, 3, 20.0, false, 2e-2);
}

static void test_repulsion(void **state)
{
    (void)state;
    with_each_isa(repulsion_in);
}

/* A grid grows and shrinks with the map; a lonely point far away makes it coarser instead of huge. */
static void test_grid_follows(void **state)
{
    (void)state;
    enum { COUNT = 400 };
    const crd_kernels *kernels;
    crd_repulsion repulsion;
    float *map = new_map(COUNT, 1.0), moved[2 * COUNT], force[2 * COUNT];
    double expected[2 * COUNT], total;
    assert_ok(crd_kernels_pick(&kernels, NULL));
    assert_ok(crd_repulsion_open(&repulsion, COUNT, false, kernels, team, NULL));
    const float extents[] = {1e-4f, 60.0f, 0.1f, 100.0f, 30.0f};
    for (size_t e = 0; e < sizeof extents / sizeof *extents; e++) {
        for (int i = 0; i < 2 * COUNT; i++) moved[i] = extents[e] * map[i] + 7.0f;
        assert_ok(crd_repulsion_run(&repulsion, moved, force, &total, NULL));
        assert_true(fabs(total / repel_twin(COUNT, moved, expected) - 1.0) < 5e-3);
    }
    moved[0] = 1e6f;
    assert_ok(crd_repulsion_run(&repulsion, moved, force, &total, NULL));
    assert_true(repulsion.convolution.nodes <= 2200 && isfinite(total));
    crd_error error;
    moved[0] = NAN;
    assert_fails(crd_repulsion_run(&repulsion, moved, force, &total, &error), CRD_ERROR_NUMERIC, "learning rate");
    crd_repulsion_close(&repulsion);
    free(map);
}

/* The gradient, computed both ways, against differences of the twin's divergence. */
static void check_gradient(const crd_kernels *kernels, bool exact, double most)
{
    enum { COUNT = 150, DIMS = 5, EACH = 31 };
    crd_rng rng = crd_rng_start(2, 2);
    float *values = new_floats(&rng, COUNT * DIMS), *map = new_map(COUNT, 12.0);
    double *squared = new_doubles(COUNT * COUNT), *p = new_doubles(COUNT * COUNT), moved[2 * COUNT], total;
    crd_points points;
    crd_neighbours found;
    crd_affinities affinities;
    crd_descent descent;
    assert_ok(crd_points_open(&points, values, COUNT, DIMS, NULL));
    assert_ok(crd_neighbours_open(&found, &points, EACH, kernels, team, NULL, NULL));
    assert_ok(crd_affinities_open(&affinities, &found, 10.0, team, NULL));
    assert_ok(crd_descent_open(&descent, &affinities, exact, kernels, team, NULL));
    assert_ok(crd_descent_forces(&descent, map, &total, NULL));
    ref_distances(COUNT, DIMS, points.value, squared);
    ref_affinities(COUNT, EACH, squared, 10.0, p);
    for (int i = 0; i < 2 * COUNT; i++) moved[i] = (double)map[i];
    const double divergence = ref_map_divergence(COUNT, p, moved);
    assert_true(fabs(crd_descent_divergence(&descent, map, total) / divergence - 1.0) < (exact ? 1e-5 : 1e-3));
    double difference = 0.0, size = 0.0;
    for (int i = 0; i < 2 * COUNT; i++) {
        const double h = 1e-4, gradient = 4.0 * ((double)descent.pull[i] - (double)descent.push[i] / total);
        moved[i] = (double)map[i] + h;
        const double above = ref_map_divergence(COUNT, p, moved);
        moved[i] = (double)map[i] - h;
        const double expected = (above - ref_map_divergence(COUNT, p, moved)) / (2.0 * h);
        moved[i] = (double)map[i];
        difference += (gradient - expected) * (gradient - expected);
        size += expected * expected;
    }
    if (!(sqrt(difference / size) <= most)) fail_msg("the gradient is off by %.2g", sqrt(difference / size));
    crd_descent_close(&descent);
    crd_affinities_close(&affinities);
    crd_neighbours_close(&found);
    crd_points_close(&points);
    free(values);
    free(map);
    free(squared);
    free(p);
}

static void gradient_in(const crd_kernels *kernels)
{
    check_gradient(kernels, true, 2e-5);
    check_gradient(kernels, false, 2e-2);
}

static void test_gradient(void **state)
{
    (void)state;
    with_each_isa(gradient_in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hartley),
        cmocka_unit_test(test_repulsion),
        cmocka_unit_test(test_grid_follows),
        cmocka_unit_test(test_gradient),
    };
    return cmocka_run_group_tests(tests, open_team, close_team);
}
