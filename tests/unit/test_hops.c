/* SPDX-License-Identifier: MIT */
/* The evidence from nodes some hops away, against a plain search from every source. */
#include "support/outcome.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "graph/graph.h"
#include "kernels/diffusion.h"

#define INV_SQRT_2PI 0.39894228040143267794

static void assert_near(float found, double expected)
{
    assert_true(fabs((double)found - expected) <= 1e-7 * expected);
}

/* A random symmetric graph; with `parts` > 1, edges stay inside the residue classes modulo `parts`. */
static crd_graph random_graph(int64_t nodes, int64_t edges, int64_t parts, uint64_t seed)
{
    crd_rng rng = crd_rng_start(seed, 77);
    int32_t *source = malloc((size_t)(2 * edges + 1) * sizeof *source);
    int32_t *target = malloc((size_t)(2 * edges + 1) * sizeof *target);
    assert_non_null(source);
    assert_non_null(target);
    int64_t count = 0, duplicates;
    for (int64_t e = 0; e < edges; e++) {
        int32_t a = (int32_t)crd_rng_below(&rng, (uint64_t)nodes);
        int32_t b = (int32_t)crd_rng_below(&rng, (uint64_t)nodes);
        if (a == b || a % parts != b % parts) continue;
        source[count] = target[count + 1] = a;
        target[count] = source[count + 1] = b;
        count += 2;
    }
    crd_graph graph;
    assert_ok(crd_graph_from_pairs(nodes, count, source, target, &graph, &duplicates, NULL));
    free(source);
    free(target);
    return graph;
}

/* The definition in the header, one source after the other; the caller frees it. */
static double *by_plain_search(const crd_graph *graph, const int64_t *sources, const int32_t *source_class,
                               int64_t count, int32_t classes, int32_t most_hops)
{
    double *evidence = calloc((size_t)(graph->nodes * classes + 1), sizeof *evidence);
    int32_t *hops = malloc((size_t)(graph->nodes + 1) * sizeof *hops);
    int32_t *queue = malloc((size_t)(graph->nodes + 1) * sizeof *queue);
    assert_true(evidence != NULL && hops != NULL && queue != NULL);
    for (int64_t t = 0; t < count; t++) {
        for (int64_t i = 0; i < graph->nodes; i++) hops[i] = -1;
        int64_t head = 0, tail = 0;
        hops[sources[t]] = 0;
        queue[tail++] = (int32_t)sources[t];
        while (head < tail) {
            int32_t at = queue[head++];
            if (hops[at] <= most_hops)
                evidence[(int64_t)at * classes + source_class[t]] +=
                    INV_SQRT_2PI * exp(-0.5 * (double)hops[at] * (double)hops[at]);
            for (int64_t e = graph->start[at]; e < graph->start[at + 1]; e++) {
                int32_t next = graph->neighbour[e];
                if (hops[next] >= 0) continue;
                hops[next] = hops[at] + 1;
                queue[tail++] = next;
            }
        }
    }
    free(hops);
    free(queue);
    return evidence;
}

/* With teams of 1, 2 and 5, and with the sources in reverse: close to the plain search, and the same bytes. */
static void compare(const crd_graph *graph, int64_t *sources, int32_t *source_class, int64_t count, int32_t classes,
                    int32_t most_hops)
{
    const int threads[] = {1, 2, 5, 2};
    const size_t cells = (size_t)(graph->nodes * classes);
    double *expected = by_plain_search(graph, sources, source_class, count, classes, most_hops);
    float *first = malloc(cells * sizeof *first + 1), *found = malloc(cells * sizeof *found + 1);
    assert_true(first != NULL && found != NULL);
    for (int run = 0; run < 4; run++) {
        crd_team *team = NULL;
        assert_ok(crd_team_open(threads[run], &team, NULL));
        for (size_t c = 0; c < cells; c++) found[c] = -1.0f; /* every cell must be written */
        for (int64_t t = 0; run == 3 && t < count / 2; t++) {
            int64_t node = sources[t];
            int32_t of = source_class[t];
            sources[t] = sources[count - 1 - t];
            source_class[t] = source_class[count - 1 - t];
            sources[count - 1 - t] = node;
            source_class[count - 1 - t] = of;
        }
        assert_ok(crd_hop_evidence(graph->nodes, graph->start, graph->neighbour, sources, source_class, count, classes,
                                   most_hops, team, found, NULL));
        crd_team_close(&team);
        for (size_t c = 0; c < cells; c++)
            if (!(fabs((double)found[c] - expected[c]) <= 1e-7 * expected[c]))
                fail_msg("cell %zu: %.9g, expected %.9g", c, (double)found[c], expected[c]);
        if (run == 0) memcpy(first, found, cells * sizeof *first);
        else assert_memory_equal(first, found, cells * sizeof *first);
    }
    free(expected);
    free(first);
    free(found);
}

/* 0 - 1 - 2 - 3 and 4 alone; sources 0 (class 0), 3 (class 1), 3 again (class 1); class 2 has none. */
static void test_by_hand(void **state)
{
    (void)state;
    const int64_t start[] = {0, 1, 3, 5, 6, 6}, sources[] = {0, 3, 3};
    const int32_t neighbour[] = {1, 0, 2, 1, 3, 2}, source_class[] = {0, 1, 1};
    const double at[] = {INV_SQRT_2PI, INV_SQRT_2PI * exp(-0.5), INV_SQRT_2PI * exp(-2.0), INV_SQRT_2PI * exp(-4.5)};
    float evidence[15];
    assert_ok(crd_hop_evidence(5, start, neighbour, sources, source_class, 3, 3, 10, NULL, evidence, NULL));
    for (int i = 0; i < 4; i++) {
        assert_near(evidence[3 * i], at[i]);
        assert_near(evidence[3 * i + 1], 2.0 * at[3 - i]);
        assert_true(evidence[3 * i + 2] == 0.0f);
    }
    for (int c = 0; c < 3; c++) assert_true(evidence[12 + c] == 0.0f);
    /* at most two hops, and none */
    assert_ok(crd_hop_evidence(5, start, neighbour, sources, source_class, 3, 3, 2, NULL, evidence, NULL));
    assert_near(evidence[3 * 2], at[2]);
    assert_true(evidence[3 * 3] == 0.0f);
    assert_ok(crd_hop_evidence(5, start, neighbour, sources, source_class, 3, 3, 0, NULL, evidence, NULL));
    assert_near(evidence[0], at[0]);
    assert_true(evidence[3 * 1] == 0.0f);
}

static void test_random(void **state)
{
    (void)state;
    const struct {
        int64_t nodes, edges, parts, sources;
        int32_t classes, most_hops;
    } cases[] = {
        {1, 0, 1, 1, 1, 10},      {40, 0, 1, 9, 3, 10},      {300, 900, 1, 60, 4, 10},
        {300, 900, 3, 60, 4, 10}, {500, 520, 1, 200, 2, 10}, {3000, 9000, 2, 700, 2, 10},
        {400, 800, 1, 256, 1, 3}, {400, 800, 1, 257, 1, 1},  {200, 210, 1, 30, 7, 1000},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        crd_graph graph = random_graph(cases[c].nodes, cases[c].edges, cases[c].parts, 5 + c);
        crd_rng rng = crd_rng_start(c, 78);
        int64_t sources[1000];
        int32_t source_class[1000];
        for (int64_t t = 0; t < cases[c].sources; t++) { /* with repetition; the last class stays empty */
            int32_t used = cases[c].classes > 2 ? cases[c].classes - 1 : cases[c].classes;
            sources[t] = (int64_t)crd_rng_below(&rng, (uint64_t)cases[c].nodes);
            source_class[t] = (int32_t)crd_rng_below(&rng, (uint64_t)used);
        }
        compare(&graph, sources, source_class, cases[c].sources, cases[c].classes, cases[c].most_hops);
        crd_graph_free(&graph);
    }
}

/* A path has the longest distances: beyond those whose evidence double precision can tell from zero. */
static void test_long_path(void **state)
{
    (void)state;
    enum { NODES = 90 };
    int32_t source[NODES], target[NODES], source_class[] = {0};
    int64_t duplicates, sources[] = {0};
    for (int32_t i = 0; i + 1 < NODES; i++) {
        source[i] = i;
        target[i] = i + 1;
    }
    crd_graph input, graph;
    assert_ok(crd_graph_from_pairs(NODES, NODES - 1, source, target, &input, &duplicates, NULL));
    assert_ok(crd_graph_symmetric(&input, &graph, NULL));
    compare(&graph, sources, source_class, 1, 1, 10);
    float evidence[NODES];
    assert_ok(crd_hop_evidence(NODES, graph.start, graph.neighbour, sources, source_class, 1, 1, INT32_MAX, NULL,
                               evidence, NULL));
    assert_true(evidence[13] > 0.0f && evidence[NODES - 1] == 0.0f);
    crd_graph_free(&input);
    crd_graph_free(&graph);
}

static void test_nothing(void **state)
{
    (void)state;
    const int64_t start[] = {0, 0, 0};
    const int32_t neighbour[] = {0};
    float evidence[] = {7.0f, 7.0f, 7.0f, 7.0f};
    assert_ok(crd_hop_evidence(0, start, neighbour, NULL, NULL, 0, 2, 10, NULL, evidence, NULL));
    assert_true(evidence[0] == 7.0f);
    assert_ok(crd_hop_evidence(2, start, neighbour, NULL, NULL, 0, 2, 10, NULL, evidence, NULL));
    for (int c = 0; c < 4; c++) assert_true(evidence[c] == 0.0f);
}

static void test_wrong(void **state)
{
    (void)state;
    const int64_t start[] = {0, 0, 0}, outside[] = {1, 2}, fine[] = {0};
    const int32_t neighbour[] = {0}, zero[] = {0, 0}, two[] = {2};
    float evidence[4];
    crd_error error;
    assert_fails(crd_hop_evidence(2, start, neighbour, outside, zero, 2, 2, 10, NULL, evidence, &error),
                 CRD_ERROR_ARGUMENT, "source 1 is node 2");
    assert_fails(crd_hop_evidence(2, start, neighbour, fine, two, 1, 2, 10, NULL, evidence, &error), CRD_ERROR_ARGUMENT,
                 "of class 2");
    assert_fails(crd_hop_evidence(2, start, neighbour, fine, zero, 1, 2, -1, NULL, evidence, &error),
                 CRD_ERROR_ARGUMENT, "-1 hops");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand), cmocka_unit_test(test_random), cmocka_unit_test(test_long_path),
        cmocka_unit_test(test_nothing), cmocka_unit_test(test_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
