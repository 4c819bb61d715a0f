/* The parts of t-SNE in every instruction set this machine has, against twins in double precision:
 * neighbours, affinities, start, Fourier transforms, forces and their gradient. */
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
#include "tsne/start.h"
#include "tsne/tsne.h"

static double *new_doubles(int64_t count)
{
    double *values = calloc((size_t)(count + 1), sizeof *values);
    assert_non_null(values);
    return values;
}

/* Points of which some are the same as others, and some only nearly. */
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
    bool stopped;
    assert_ok(crd_points_open(&points, values, count, dims, NULL));
    assert_ok(crd_neighbours_open(&found, &points, each, kernels, team, NULL, NULL, &stopped, NULL));
    assert_false(stopped);
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
            /* Rounding may exchange two that are equally far for a float; nobody else. */
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

/* On a line whole numbers apart there is no rounding: ties are everywhere, and distances are those of the
 * twin. */
static void ties_in(const crd_kernels *kernels)
{
    enum { COUNT = 700, EACH = 31 };
    float values[COUNT];
    for (int i = 0; i < COUNT; i++) values[i] = (float)(i * 389 % COUNT / 4);
    const crd_points points = {.count = COUNT, .dims = 1, .value = values};
    crd_neighbours found;
    bool stopped;
    assert_ok(crd_neighbours_open(&found, &points, EACH, kernels, team, NULL, NULL, &stopped, NULL));
    double *squared = new_doubles(COUNT * COUNT);
    int nearest[COUNT * EACH];
    ref_distances(COUNT, 1, values, squared);
    ref_nearest(COUNT, EACH, squared, nearest);
    for (int i = 0; i < COUNT; i++) {
        float expected[EACH];
        for (int k = 0; k < EACH; k++) {
            assert_true(k == 0 || found.index[i * EACH + k] > found.index[i * EACH + k - 1]);
            assert_true((double)found.distance[i * EACH + k] ==
                        squared[i * COUNT + found.index[i * EACH + k]]);
            expected[k] = (float)squared[i * COUNT + nearest[i * EACH + k]];
        }
        qsort(expected, EACH, sizeof *expected, by_distance);
        qsort(found.distance + i * EACH, EACH, sizeof *expected, by_distance);
        assert_memory_equal(expected, found.distance + i * EACH, sizeof expected);
    }
    free(squared);
    crd_neighbours_close(&found);
}

/* Clusters far apart, most of whose tiles need not be looked at; and points without any structure. */
static void check_many(const crd_kernels *kernels, int clusters)
{
    enum { COUNT = 5000, DIMS = 6, EACH = 40 };
    crd_rng rng = crd_rng_start(31, 7);
    float *values = malloc(COUNT * DIMS * sizeof *values), *expected = malloc(COUNT * sizeof *expected);
    bool *seen = calloc(COUNT, sizeof *seen), stopped;
    assert_true(values != NULL && expected != NULL && seen != NULL);
    for (int i = 0; i < COUNT * DIMS; i++)
        values[i] = (float)(crd_rng_normal(&rng) + 9.0 * (double)(i / DIMS % clusters * (i % DIMS) % 5));
    crd_points points;
    crd_neighbours found;
    assert_ok(crd_points_open(&points, values, COUNT, DIMS, NULL));
    assert_ok(crd_neighbours_open(&found, &points, EACH, kernels, team, NULL, NULL, &stopped, NULL));
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
    bool stopped;
    assert_ok(crd_points_open(&points, values, count, DIMS, NULL));
    assert_ok(crd_neighbours_open(&found, &points, each, kernels, team, NULL, NULL, &stopped, NULL));
    assert_ok(crd_affinities_open(&affinities, &found, perplexity, team, NULL));
    double *squared = new_doubles((int64_t)count * count), *p = new_doubles((int64_t)count * count);
    ref_distances(count, DIMS, points.value, squared);
    ref_affinities(count, each, squared, perplexity, p);
    double sum = 0.0, entropy = 0.0;
    for (int i = 0; i < count; i++) {
        assert_int_equal((affinities.start[i + 1] - affinities.start[i]) % CRD_PAD, 0);
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

/* Where no width gives the perplexity, the nearest that there is. */
static void test_conditional_extremes(void **state)
{
    (void)state;
    double p[6];
    const float same[] = {4, 4, 4, 4, 4, 4}, zeros[] = {0, 0, 0, 0, 1, 2},
                far[] = {0, 1e30f, 1e30f, 1e30f, 1e30f, 1e30f};
    const float tiny[] = {1e-38f, 2e-38f, 3e-38f, 4e-38f, 5e-38f, 6e-38f};
    crd_conditional(6, same, 2.0, p);
    for (int i = 0; i < 6; i++) assert_true(p[i] == 1.0 / 6);
    crd_conditional(6, zeros, 2.0, p); /* four at once cannot be fewer than four */
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

/* Three directions with variances of 9, 4 and 1, turned: the map has the first two. */
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

/* ---- Fourier transforms ---- */

static void check_fft(const crd_kernels *kernels, int length)
{
    crd_fft plan;
    assert_ok(crd_fft_open(&plan, length, NULL));
    crd_rng rng = crd_rng_start(9, (uint64_t)length);
    const int64_t size = (int64_t)length * CRD_FFT_WIDTH;
    double *re = new_doubles(length), *im = new_doubles(length), *out_re = new_doubles(length);
    double *out_im = new_doubles(length);
    for (int back = 0; back < 2; back++) {
        crd_strip in = {new_floats(&rng, size), new_floats(&rng, size)},
                  spare = {new_result(size), new_result(size)};
        float *before_re = malloc((size_t)size * sizeof *before_re),
              *before_im = malloc((size_t)size * sizeof *before_im);
        assert_true(before_re != NULL && before_im != NULL);
        memcpy(before_re, in.re, (size_t)size * sizeof *before_re);
        memcpy(before_im, in.im, (size_t)size * sizeof *before_im);
        const crd_strip out = (back ? crd_fft_run_back : crd_fft_run)(&plan, kernels, in, spare);
        for (int c = 0; c < CRD_FFT_WIDTH; c += 5) {
            for (int k = 0; k < length; k++) {
                re[k] = (double)before_re[k * CRD_FFT_WIDTH + c];
                im[k] = (double)before_im[k * CRD_FFT_WIDTH + c];
            }
            ref_dft(length, back, re, im, out_re, out_im);
            for (int k = 0; k < length; k++) {
                assert_true(fabs((double)out.re[k * CRD_FFT_WIDTH + c] - out_re[k]) < 2e-6 * sqrt(length));
                assert_true(fabs((double)out.im[k * CRD_FFT_WIDTH + c] - out_im[k]) < 2e-6 * sqrt(length));
            }
        }
        check_guard(spare.re, size);
        check_guard(spare.im, size);
        free(in.re);
        free(in.im);
        free(spare.re);
        free(spare.im);
        free(before_re);
        free(before_im);
    }
    free(re);
    free(im);
    free(out_re);
    free(out_im);
    crd_fft_close(&plan);
}

static void ffts_in(const crd_kernels *kernels)
{
    const int lengths[] = {1,  2,  3,  4,  5,  6,  8,  9,  10,  12,  15,  16,  20,
                           25, 27, 30, 32, 40, 60, 64, 90, 125, 128, 144, 360, 432};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) check_fft(kernels, lengths[i]);
}

static void test_fft(void **state)
{
    (void)state;
    assert_int_equal(crd_fft_length(1), 1);
    assert_int_equal(crd_fft_length(7), 8);
    assert_int_equal(crd_fft_length(97), 100);
    assert_int_equal(crd_fft_length(433), 450);
    with_each_isa(ffts_in);
}

/* ---- forces ---- */

/* Clusters on a map of a given extent, some points at the same place. */
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

/* The root of the mean squared difference, relative to that of the forces, must not be above `most`. */
static void check_repulsion(const crd_kernels *kernels, int64_t count, double extent, bool exact, double most)
{
    float *map = new_map(count, extent), *force = malloc((size_t)(2 * count) * sizeof *force);
    double *expected = new_doubles(2 * count), total, difference = 0.0, size = 0.0;
    assert_non_null(force);
    const double true_total = repel_twin(count, map, expected);
    crd_repulsion repulsion;
    assert_ok(crd_repulsion_open(&repulsion, count, exact, kernels, team, NULL));
    for (int time = 0; time < 2; time++) { /* the second with a grid that is there already */
        memset(force, 0xff, (size_t)(2 * count) * sizeof *force);
        assert_ok(crd_repulsion_run(&repulsion, map, force, &total, NULL));
    }
    for (int64_t i = 0; i < 2 * count; i++) {
        difference += ((double)force[i] - expected[i]) * ((double)force[i] - expected[i]);
        size += expected[i] * expected[i];
    }
    if (!(sqrt(difference / size) <= most && fabs(total / true_total - 1.0) <= most))
        fail_msg("%lld points, extent %g: forces off by %.2g, the total by %.2g, more than %.2g",
                 (long long)count, extent, sqrt(difference / size), total / true_total - 1.0, most);
    crd_repulsion_close(&repulsion);
    free(map);
    free(force);
    free(expected);
}

static void repulsion_in(const crd_kernels *kernels)
{
    const int64_t counts[] = {2, 15, 16, 17, 800};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        check_repulsion(kernels, counts[i], 20.0, true, 1e-5);
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

/* A grid grows and shrinks with the map, and a lonely point far away makes it coarser instead of endless. */
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
    assert_fails(crd_repulsion_run(&repulsion, moved, force, &total, &error), CRD_ERROR_NUMERIC,
                 "learning rate");
    crd_repulsion_close(&repulsion);
    free(map);
}

/* The gradient, of both ways, against differences of the twin's divergence. */
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
    bool stopped;
    assert_ok(crd_points_open(&points, values, COUNT, DIMS, NULL));
    assert_ok(crd_neighbours_open(&found, &points, EACH, kernels, team, NULL, NULL, &stopped, NULL));
    assert_ok(crd_affinities_open(&affinities, &found, 10.0, team, NULL));
    assert_ok(crd_descent_open(&descent, &affinities, exact, kernels, team, NULL));
    assert_ok(crd_descent_forces(&descent, map, &total, NULL));
    ref_distances(COUNT, DIMS, points.value, squared);
    ref_affinities(COUNT, EACH, squared, 10.0, p);
    for (int i = 0; i < 2 * COUNT; i++) moved[i] = (double)map[i];
    const double divergence = ref_map_divergence(COUNT, p, moved);
    assert_true(fabs(crd_descent_divergence(&descent, map, total) / divergence - 1.0) <
                (exact ? 1e-5 : 1e-3));
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
        cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_affinities),
        cmocka_unit_test(test_conditional_extremes),
        cmocka_unit_test(test_principal),
        cmocka_unit_test(test_fft),
        cmocka_unit_test(test_repulsion),
        cmocka_unit_test(test_grid_follows),
        cmocka_unit_test(test_gradient),
    };
    return cmocka_run_group_tests(tests, open_team, close_team);
}
