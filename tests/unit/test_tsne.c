/* SPDX-License-Identifier: MIT */
/* Maps: as good as those of exact t-SNE, the same bytes for any number of threads, and robust. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "credence_private.h"
#include "reference/tsne.h"
#include "support/each_isa.h"
#include "support/guarded.h"
#include "support/outcome.h"
#include "tsne/tsne.h"

/* Point i is in cluster i % clusters; the distance between clusters is `apart` times their width. */
static float *new_clusters(int64_t count, int64_t dims, int clusters, double apart)
{
    crd_rng rng = crd_rng_start(4, (uint64_t)(count + clusters));
    float *points = malloc((size_t)(count * dims + 1) * sizeof *points);
    assert_non_null(points);
    for (int64_t i = 0; i < count; i++)
        for (int64_t d = 0; d < dims; d++)
            points[i * dims + d] = (float)(crd_rng_normal(&rng) + (d == i % clusters ? apart : 0.0));
    return points;
}

/* The fraction of the ten nearest neighbours on the map that are in the same cluster. */
static double same_cluster(int count, const float *map, int clusters)
{
    enum { EACH = 10 };
    double same = 0.0;
    for (int i = 0; i < count; i++) {
        double squared[EACH + 1]; /* ascending; the last place is for the next candidate */
        int nearest[EACH + 1], found = 0;
        for (int j = 0; j < count; j++) {
            const double x = (double)map[2 * i] - (double)map[2 * j],
                         y = (double)map[2 * i + 1] - (double)map[2 * j + 1];
            int at = found;
            if (j == i) continue;
            for (; at > 0 && squared[at - 1] > x * x + y * y; at--) {
                squared[at] = squared[at - 1];
                nearest[at] = nearest[at - 1];
            }
            squared[at] = x * x + y * y;
            nearest[at] = j;
            if (found < EACH) found++;
        }
        for (int k = 0; k < EACH; k++) same += nearest[k] % clusters == i % clusters;
    }
    return same / (count * EACH);
}

/* ---- quality ---- */

enum { POINTS = 163, WIDE = 6, CLUSTERS = 4 };
static const double PERPLEXITY = 15.0, RATE = 50.0;

/* The points, their affinities in double precision, and the twin's map. */
typedef struct {
    float *points;
    double squared[POINTS * POINTS], p[POINTS * POINTS], twin[2 * POINTS];
} exact_problem;

static exact_problem problem;

static int make_problem(void **state)
{
    problem.points = new_clusters(POINTS, WIDE, CLUSTERS, 5.0);
    ref_distances(POINTS, WIDE, problem.points, problem.squared);
    ref_affinities(POINTS, POINTS - 1, problem.squared, PERPLEXITY, problem.p);
    return open_team(state);
}

static int free_problem(void **state)
{
    free(problem.points);
    return close_team(state);
}

/* Our map after that many iterations; after none it is the start for the seed. Returns the divergence that the run
 * reports. */
static double descend(bool exact, int64_t iterations, int64_t early, uint64_t seed, const float *start, float *map)
{
    const crd_tsne_plan plan = {.perplexity = PERPLEXITY, .neighbours = POINTS - 1, .exact = exact};
    crd_tsne_options options;
    crd_tsne_defaults(&options);
    options.perplexity = PERPLEXITY;
    options.iterations = iterations;
    options.early = early;
    options.learning_rate = RATE;
    options.seed = seed;
    options.start = start;
    options.control = CRD_THREADS(2);
    double reached;
    assert_ok(crd_tsne_run(problem.points, POINTS, WIDE, &options, plan, map, &reached, NULL));
    return reached;
}

/* The twin's map after that many iterations from `start`; returns its divergence. */
static double descend_twin(int iterations, int early, const float *start)
{
    for (int i = 0; i < 2 * POINTS; i++) problem.twin[i] = (double)start[i];
    return ref_tsne(POINTS, problem.p, iterations, early, RATE, problem.twin);
}

/* The largest distance between our map and one of the twin's, relative to the extent of the twin's. */
static double apart_from(const double *twin, const float *map)
{
    double apart = 0.0, extent = 0.0;
    for (int i = 0; i < 2 * POINTS; i++) {
        apart = fmax(apart, fabs((double)map[i] - twin[i]));
        extent = fmax(extent, fabs(twin[i]));
    }
    return apart / extent;
}

/* t-SNE is chaotic: after twenty iterations two roundings of the same start give different maps. Before that they
 * give the same map, and it must be the twin's: from a small start with exaggeration, and from a settled map
 * without. */
enum { FIRST = 3 };

static struct {
    float settled[2 * POINTS];
    double first[2 * POINTS], last[2 * POINTS]; /* the twin's maps */
} steps[FIRST];

static void first_steps_in(const crd_kernels *kernels)
{
    float map[2 * POINTS];
    for (int s = 0; s < FIRST; s++)
        for (int exact = 0; exact < 2; exact++) {
            descend(exact, 5, 5, (uint64_t)s + 1, NULL, map);
            double apart = apart_from(steps[s].first, map);
            if (!(apart < 1e-3)) fail_msg("%s: %g from the twin after the first steps", kernels->name, apart);
            descend(exact, 5, 0, (uint64_t)s + 1, steps[s].settled, map);
            apart = apart_from(steps[s].last, map);
            if (!(apart < (exact ? 1e-3 : 1e-2)))
                fail_msg("%s: %g from the twin after the last steps", kernels->name, apart);
        }
}

static void test_first_steps(void **state)
{
    (void)state;
    float start[2 * POINTS];
    for (int s = 0; s < FIRST; s++) {
        descend(true, 0, 0, (uint64_t)s + 1, NULL, start);
        descend_twin(5, 5, start);
        memcpy(steps[s].first, problem.twin, sizeof problem.twin);
        descend_twin(150, 50, start);
        for (int i = 0; i < 2 * POINTS; i++) steps[s].settled[i] = (float)problem.twin[i];
        descend(true, 0, 0, (uint64_t)s + 1, steps[s].settled, start); /* a seed also moves a given start a little */
        descend_twin(5, 0, start);
        memcpy(steps[s].last, problem.twin, sizeof problem.twin);
    }
    with_each_isa(first_steps_in);
}

/* The result from several starts: each ends in its own minimum, a few percent apart. On average both ways reach
 * what exact t-SNE in double precision reaches, and each run reports what it reached. */
enum { STARTS = 6, ITERATIONS = 200, EARLY = 60 };

static double mean_reached(bool exact)
{
    float map[2 * POINTS];
    double copy[2 * POINTS], measured, sum = 0.0;
    for (uint64_t seed = 1; seed <= STARTS; seed++) {
        const double reached = descend(exact, ITERATIONS, EARLY, seed, NULL, map);
        for (int i = 0; i < 2 * POINTS; i++) copy[i] = (double)map[i];
        const double truth = ref_map_divergence(POINTS, problem.p, copy);
        assert_ok(crd_tsne_divergence(problem.points, POINTS, WIDE, PERPLEXITY, map, 2, &measured, NULL));
        assert_true(fabs(measured / truth - 1.0) < 1e-4);
        assert_true(fabs(reached / truth - 1.0) < (exact ? 1e-4 : 5e-3));
        assert_true(same_cluster(POINTS, map, CLUSTERS) > 0.97);
        sum += truth;
    }
    return sum / STARTS;
}

static double wanted; /* the twin's mean */

static void quality_in(const crd_kernels *kernels)
{
    for (int exact = 0; exact < 2; exact++) {
        const double reached = mean_reached(exact);
        if (!(reached < 1.05 * wanted))
            fail_msg("%s, %s: reached %.5f in the mean of %d starts, the twin %.5f", kernels->name,
                     exact ? "all pairs" : "grid", reached, STARTS, wanted);
    }
}

static void test_quality(void **state)
{
    (void)state;
    float start[2 * POINTS];
    wanted = 0.0;
    for (uint64_t seed = 1; seed <= STARTS; seed++) {
        descend(true, 0, 0, seed, NULL, start);
        wanted += descend_twin(ITERATIONS, EARLY, start) / STARTS;
    }
    with_each_isa(quality_in);
}

/* More points than are compared pair by pair, through the public call. */
static void test_clusters(void **state)
{
    (void)state;
    enum { COUNT = 1200, DIMS = 8 };
    float *points = new_clusters(COUNT, DIMS, 3, 12.0), *map = malloc(2 * COUNT * sizeof *map);
    double reached, measured;
    assert_non_null(map);
    crd_tsne_options options;
    crd_tsne_defaults(&options);
    options.iterations = 300;
    assert_ok(crd_tsne(points, COUNT, DIMS, &options, map, &reached, NULL));
    assert_ok(crd_tsne_divergence(points, COUNT, DIMS, 30.0, map, 0, &measured, NULL));
    assert_true(fabs(reached / measured - 1.0) < 2e-3);
    assert_true(same_cluster(COUNT, map, 3) == 1.0);
    double centre[3][2] = {{0}}, width = 0.0;
    for (int i = 0; i < 2 * COUNT; i++) centre[i / 2 % 3][i % 2] += (double)map[i] / (COUNT / 3.0);
    for (int i = 0; i < 2 * COUNT; i++) {
        const double off = (double)map[i] - centre[i / 2 % 3][i % 2];
        width += off * off / COUNT;
    }
    for (int c = 0; c < 3; c++) {
        const double *other = centre[(c + 1) % 3];
        assert_true(hypot(centre[c][0] - other[0], centre[c][1] - other[1]) > 2.0 * sqrt(width));
    }
    free(points);
    free(map);
}

/* ---- the same bytes ---- */

static void check_bytes(int64_t count)
{
    enum { DIMS = 3 };
    float *points = new_clusters(count, DIMS, 5, 3.0), *maps[3];
    const int threads[] = {1, 2, 5};
    double divergence[3], measured[3];
    crd_tsne_options options;
    crd_tsne_defaults(&options);
    options.perplexity = 7.0;
    options.iterations = 25;
    options.early = 10;
    options.seed = 3;
    for (int t = 0; t < 3; t++) {
        maps[t] = malloc((size_t)(2 * count) * sizeof *maps[t]);
        assert_non_null(maps[t]);
        options.control = CRD_THREADS(threads[t]);
        assert_ok(crd_tsne(points, count, DIMS, &options, maps[t], &divergence[t], NULL));
        assert_ok(crd_tsne_divergence(points, count, DIMS, 7.0, maps[t], threads[t], &measured[t], NULL));
        assert_memory_equal(maps[0], maps[t], (size_t)(2 * count) * sizeof *maps[t]);
        assert_true(divergence[t] == divergence[0] && measured[t] == measured[0]);
    }
    options.control = CRD_THREADS(2);
    /* Another seed moves the start, and with it the map, a little. */
    options.seed = 4;
    assert_ok(crd_tsne(points, count, DIMS, &options, maps[1], NULL, NULL));
    assert_true(memcmp(maps[0], maps[1], (size_t)(2 * count) * sizeof *maps[1]) != 0);
    for (int t = 0; t < 3; t++) free(maps[t]);
    free(points);
}

static void bytes_in(const crd_kernels *kernels)
{
    (void)kernels;
    check_bytes(333);
    check_bytes(1111);
}

static void test_bytes(void **state)
{
    (void)state;
    with_each_isa(bytes_in);
}

/* ---- progress ---- */

typedef struct {
    int64_t calls, before, shown, stop_at;
    double last;
} told;

static bool listen(const crd_progress *progress, void *user)
{
    told *t = user;
    const crd_tsne_state *now = progress->map;
    if (now == NULL) return true;
    t->calls++;
    t->before += now->iteration == 0;
    if (now->iteration > 0) assert_int_equal(now->iteration, t->calls - t->before);
    if (!isnan(now->divergence)) {
        assert_int_equal(now->iteration % 50, 0);
        t->shown++;
        t->last = now->divergence;
    }
    return now->iteration != t->stop_at;
}

static void test_progress(void **state)
{
    (void)state;
    enum { COUNT = 5000, DIMS = 2 };
    float *points = new_clusters(COUNT, DIMS, 2, 6.0), *map = malloc(2 * COUNT * sizeof *map);
    float *other = malloc(2 * COUNT * sizeof *other);
    assert_true(map != NULL && other != NULL);
    told t = {.stop_at = -1};
    double divergence;
    crd_tsne_options options;
    crd_tsne_defaults(&options);
    options.perplexity = 5.0;
    options.iterations = 101;
    options.early = 40;
    const crd_control control = {.size = sizeof control, .progress = listen, .user = &t};
    options.control = &control;
    assert_ok(crd_tsne(points, COUNT, DIMS, &options, map, &divergence, NULL));
    assert_true(t.calls - t.before == 101 && t.before >= 1 && t.shown == 2);
    assert_true(divergence < t.last);

    /* Stopping early gives the map after that many iterations. */
    t = (told){.stop_at = 30};
    assert_ok(crd_tsne(points, COUNT, DIMS, &options, map, &divergence, NULL));
    assert_int_equal(t.calls - t.before, 30);
    options.iterations = 30;
    options.control = NULL;
    double same;
    assert_ok(crd_tsne(points, COUNT, DIMS, &options, other, &same, NULL));
    assert_memory_equal(map, other, 2 * COUNT * sizeof *map);
    assert_true(same == divergence);

    /* Before the first iteration the map is the start. */
    t = (told){.stop_at = 0};
    options.control = &control;
    assert_ok(crd_tsne(points, COUNT, DIMS, &options, map, &divergence, NULL));
    assert_true(t.calls == 1 && isnan(divergence));
    options.iterations = 0;
    options.control = NULL;
    assert_ok(crd_tsne(points, COUNT, DIMS, &options, other, &divergence, NULL));
    assert_memory_equal(map, other, 2 * COUNT * sizeof *map);
    assert_true(divergence > 0.0);
    free(points);
    free(map);
    free(other);
}

/* ---- unusual input ---- */

static void check_finite(const float *map, int64_t count)
{
    for (int64_t i = 0; i < 2 * count; i++) assert_true(isfinite(map[i]));
}

static void test_few_points(void **state)
{
    (void)state;
    const float points[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 9};
    float map[10];
    double divergence, measured;
    for (int64_t count = 0; count <= 5; count++) {
        assert_ok(crd_tsne(points, count, 2, NULL, map, &divergence, NULL));
        assert_ok(crd_tsne_divergence(points, count, 2, 30.0, map, 1, &measured, NULL));
        check_finite(map, count);
        assert_true(fabs(divergence - measured) < 1e-5 && divergence >= -1e-6);
        if (count <= 2) assert_true(divergence < 1e-6); /* two points are always at the right distance */
    }
    crd_tsne_options options;
    crd_tsne_defaults(&options);
    for (options.seed = 0; options.seed < 40; options.seed++)
        for (int64_t count = 2; count <= 5; count++) {
            assert_ok(crd_tsne(points, count, 2, &options, map, NULL, NULL));
            check_finite(map, count);
        }
    assert_true(crd_tsne_plan_of(5, 30.0).perplexity == 4.0 / 3.0);
    assert_true(crd_tsne_plan_of(91, 30.0).perplexity == 30.0);
    assert_int_equal(crd_tsne_plan_of(100, 30.0).neighbours, 99);
    assert_int_equal(crd_tsne_plan_of(5000, 30.0).neighbours, 91);
    assert_ok(crd_tsne(NULL, 0, 1, NULL, NULL, NULL, NULL));
}

/* Groups of `copies` equal points: nothing breaks. Returns how many points lie exactly on another one. */
static int64_t check_twins(int64_t count, int64_t copies)
{
    enum { DIMS = 3 };
    const int64_t groups = count / copies;
    float *points = malloc((size_t)(count * DIMS) * sizeof *points), *map = malloc((size_t)(2 * count) * sizeof *map);
    assert_true(points != NULL && map != NULL);
    for (int64_t i = 0; i < count * DIMS; i++)
        points[i] = (float)(crd_hash((uint64_t)(i / DIMS % groups), (uint64_t)(i % DIMS)) >> 40);
    crd_tsne_options options;
    crd_tsne_defaults(&options);
    options.iterations = 300;
    options.early = 100;
    double divergence;
    assert_ok(crd_tsne(points, count, DIMS, &options, map, &divergence, NULL));
    check_finite(map, count);
    assert_true(isfinite(divergence));
    int64_t together = 0;
    for (int64_t i = groups; i < count; i++)
        together += map[2 * i] == map[2 * (i - groups)] && map[2 * i + 1] == map[2 * (i - groups) + 1];
    free(points);
    free(map);
    return together;
}

/* All equal, more copies than the perplexity, and pairs, most of which separate. */
static void test_twins(void **state)
{
    (void)state;
    const int64_t counts[] = {200, 1100};
    for (int c = 0; c < 2; c++) {
        check_twins(counts[c], counts[c]);
        check_twins(counts[c], 50);
        assert_true(check_twins(counts[c], 2) < counts[c] / 8);
    }
}

/* Neither position nor scale matters, not even at the limits of floats. */
static void test_scale(void **state)
{
    (void)state;
    enum { COUNT = 100, DIMS = 4 };
    float *points = new_clusters(COUNT, DIMS, 4, 8.0), map[2 * COUNT];
    const float scales[] = {1e-30f, 1.0f, 1e30f};
    crd_tsne_options options;
    crd_tsne_defaults(&options);
    options.iterations = 300;
    options.early = 100;
    options.perplexity = 10.0;
    for (int s = 0; s < 3; s++) {
        float scaled[COUNT * DIMS];
        double divergence;
        for (int i = 0; i < COUNT * DIMS; i++) scaled[i] = points[i] * scales[s];
        assert_ok(crd_tsne(scaled, COUNT, DIMS, &options, map, &divergence, NULL));
        check_finite(map, COUNT);
        assert_true(same_cluster(COUNT, map, 4) > 0.99);
    }
    free(points);
}

static void test_start(void **state)
{
    (void)state;
    enum { COUNT = 64, DIMS = 3 };
    float *points = new_clusters(COUNT, DIMS, 2, 5.0), *start = new_clusters(COUNT, 2, 2, 10.0), map[2 * COUNT];
    crd_tsne_options options;
    crd_tsne_defaults(&options);
    options.iterations = 0;
    options.start = start;
    assert_ok(crd_tsne(points, COUNT, DIMS, &options, map, NULL, NULL));
    for (int i = 0; i < 2 * COUNT; i++) assert_true(fabsf(map[i] - start[i]) < 2e-3f);
    free(points);
    free(start);
}

static void test_hostile(void **state)
{
    (void)state;
    enum { COUNT = 40, DIMS = 2 };
    float *points = new_clusters(COUNT, DIMS, 2, 4.0), map[2 * COUNT + 2], untouched[2 * COUNT];
    crd_error error;
    double divergence = 77.0;
    float no_start[2 * COUNT] = {0};
    no_start[9] = INFINITY;
    for (int i = 0; i < 2 * COUNT; i++) map[i] = untouched[i] = 5.0f;
    crd_tsne_options good, bad;
    crd_tsne_defaults(&good);
    good.iterations = 100;
#define REFUSED(change, status, part)                                                                                  \
    do {                                                                                                               \
        bad = good;                                                                                                    \
        change;                                                                                                        \
        assert_fails(crd_tsne(points, COUNT, DIMS, &bad, map, &divergence, &error), status, part);                     \
        assert_memory_equal(map, untouched, sizeof untouched);                                                         \
        assert_true(divergence == 77.0);                                                                               \
    } while (0)
    const double no_numbers[] = {NAN, INFINITY, -1.0};
    for (int i = 0; i < 3; i++) {
        REFUSED(bad.perplexity = no_numbers[i], CRD_ERROR_ARGUMENT, "perplexity");
        REFUSED(bad.exaggeration = no_numbers[i], CRD_ERROR_ARGUMENT, "exaggeration");
        REFUSED(bad.learning_rate = no_numbers[i], CRD_ERROR_ARGUMENT, "learning rate");
    }
    REFUSED(bad.perplexity = 0.5, CRD_ERROR_ARGUMENT, "perplexity");
    REFUSED(bad.iterations = -1, CRD_ERROR_ARGUMENT, "iterations");
    REFUSED(bad.early = -1, CRD_ERROR_ARGUMENT, "early");
    REFUSED(bad.learning_rate = 1e30, CRD_ERROR_NUMERIC, "learning rate");
    REFUSED(bad.start = no_start, CRD_ERROR_NUMERIC, "point 4");

    assert_fails(crd_tsne(points, -1, DIMS, &good, map, NULL, &error), CRD_ERROR_ARGUMENT, "-1 points");
    assert_fails(crd_tsne(points, INT64_MAX, DIMS, &good, map, NULL, &error), CRD_ERROR_ARGUMENT, "points");
    assert_fails(crd_tsne(points, COUNT, 0, &good, map, NULL, &error), CRD_ERROR_ARGUMENT, "0 dimensions");
    assert_fails(crd_tsne(NULL, COUNT, DIMS, &good, map, NULL, &error), CRD_ERROR_ARGUMENT, "crd_tsne: points is NULL");
    assert_fails(crd_tsne(points, 1 << 30, INT64_MAX / 4, &good, map, NULL, &error), CRD_ERROR_MEMORY, "memory");
    assert_fails(crd_tsne_divergence(points, COUNT, DIMS, 0.0, map, 1, &divergence, &error), CRD_ERROR_ARGUMENT,
                 "perplexity");
    map[3] = NAN;
    assert_fails(crd_tsne_divergence(points, COUNT, DIMS, 9.0, map, 1, &divergence, &error), CRD_ERROR_NUMERIC,
                 "point 1");
    map[3] = 5.0f;
    points[7] = NAN;
    assert_fails(crd_tsne(points, COUNT, DIMS, &good, map, NULL, &error), CRD_ERROR_NUMERIC,
                 "point 3: coordinate 1 is not a finite number");
    points[0] = INFINITY;
    assert_fails(crd_tsne(points, 1, DIMS, &good, map, NULL, &error), CRD_ERROR_NUMERIC, "point 0");
    assert_fails(crd_tsne_divergence(points, COUNT, DIMS, 9.0, map, 1, &divergence, &error), CRD_ERROR_NUMERIC,
                 "point 0");
    assert_memory_equal(map, untouched, sizeof untouched);
    free(points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_steps), cmocka_unit_test(test_quality),  cmocka_unit_test(test_clusters),
        cmocka_unit_test(test_bytes),       cmocka_unit_test(test_progress), cmocka_unit_test(test_few_points),
        cmocka_unit_test(test_twins),       cmocka_unit_test(test_scale),    cmocka_unit_test(test_start),
        cmocka_unit_test(test_hostile),
    };
    return cmocka_run_group_tests(tests, make_problem, free_problem);
}
