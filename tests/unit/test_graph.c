/* SPDX-License-Identifier: MIT */
/* Compressed rows, against a table of all pairs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "graph/graph.h"

enum { MOST_NODES = 40, MOST_PAIRS = 600 };

typedef struct {
    int nodes;
    int times[MOST_NODES][MOST_NODES]; /* how often a pair occurs */
} table;

static void check_rows(const crd_graph *graph, int nodes, bool expected[MOST_NODES][MOST_NODES])
{
    assert_int_equal(graph->nodes, nodes);
    assert_int_equal(graph->start[0], 0);
    int64_t at = 0;
    for (int i = 0; i < nodes; i++) {
        assert_int_equal(graph->start[i], at);
        for (int j = 0; j < nodes; j++)
            if (expected[i][j]) assert_int_equal(graph->neighbour[at++], j);
        assert_int_equal(graph->start[i + 1], at);
    }
}

static void check_against(const crd_graph *graph, const table *t)
{
    bool expected[MOST_NODES][MOST_NODES];
    for (int i = 0; i < t->nodes; i++)
        for (int j = 0; j < t->nodes; j++) expected[i][j] = t->times[i][j] > 0;
    check_rows(graph, t->nodes, expected);
}

static int64_t repetitions(const table *t)
{
    int64_t count = 0;
    for (int i = 0; i < t->nodes; i++)
        for (int j = 0; j < t->nodes; j++) count += t->times[i][j] > 0 ? t->times[i][j] - 1 : 0;
    return count;
}

static int draw_pairs(crd_rng *rng, table *t, int32_t *source, int32_t *target)
{
    memset(t, 0, sizeof *t);
    t->nodes = 1 + (int)crd_rng_below(rng, MOST_NODES);
    int count = (int)crd_rng_below(rng, MOST_PAIRS);
    for (int e = 0; e < count; e++) {
        source[e] = (int32_t)crd_rng_below(rng, (uint64_t)t->nodes);
        target[e] = (int32_t)crd_rng_below(rng, (uint64_t)t->nodes);
        t->times[source[e]][target[e]]++;
    }
    return count;
}

static void test_from_pairs_by_hand(void **state)
{
    (void)state;
    static const int32_t source[] = {2, 0, 2, 2, 0}, target[] = {1, 3, 0, 1, 0};
    static const int64_t start[] = {0, 2, 2, 4, 4};
    static const int32_t neighbour[] = {0, 3, 0, 1};
    crd_graph graph;
    int64_t duplicates = -1;
    assert_int_equal(crd_graph_from_pairs(4, 5, source, target, &graph, &duplicates, NULL), CRD_OK);
    assert_int_equal(duplicates, 1);
    assert_memory_equal(graph.start, start, sizeof start);
    assert_memory_equal(graph.neighbour, neighbour, sizeof neighbour);
    crd_graph_free(&graph);
    assert_null(graph.start);
    assert_null(graph.neighbour);
    crd_graph_free(&graph);
}

static void test_from_pairs(void **state)
{
    (void)state;
    static table t;
    static int32_t source[MOST_PAIRS], target[MOST_PAIRS];
    crd_rng rng = crd_rng_start(1, 0);
    for (int trial = 0; trial < 200; trial++) {
        int count = draw_pairs(&rng, &t, source, target);
        crd_graph graph;
        int64_t duplicates;
        assert_int_equal(crd_graph_from_pairs(t.nodes, count, source, target, &graph, &duplicates, NULL), CRD_OK);
        check_against(&graph, &t);
        assert_int_equal(duplicates, repetitions(&t));
        crd_graph_free(&graph);
    }
}

static void test_empty(void **state)
{
    (void)state;
    for (int nodes = 0; nodes < 3; nodes++) {
        crd_graph graph, symmetric;
        int64_t duplicates;
        assert_int_equal(crd_graph_from_pairs(nodes, 0, NULL, NULL, &graph, &duplicates, NULL), CRD_OK);
        assert_int_equal(graph.start[nodes], 0);
        assert_int_equal(crd_graph_tidy(&graph, &duplicates, NULL), CRD_OK);
        assert_int_equal(duplicates, 0);
        assert_true(crd_graph_is_symmetric(&graph));
        assert_int_equal(crd_graph_symmetric(&graph, &symmetric, NULL), CRD_OK);
        assert_int_equal(symmetric.nodes, nodes);
        assert_int_equal(symmetric.start[nodes], 0);
        crd_graph_free(&graph);
        crd_graph_free(&symmetric);
    }
}

static void refuse_pair(int32_t source, int32_t target, int64_t nodes, const char *message)
{
    int32_t sources[] = {0, source}, targets[] = {0, target};
    crd_graph graph;
    int64_t duplicates;
    crd_error error = {0};
    assert_int_equal(crd_graph_from_pairs(nodes, 2, sources, targets, &graph, &duplicates, &error), CRD_ERROR_ARGUMENT);
    assert_string_equal(error.message, message);
    assert_null(graph.start);
}

static void test_pairs_out_of_range(void **state)
{
    (void)state;
    refuse_pair(1, 5, 5, "edge 1 joins nodes 1 and 5, but the nodes are 0 to 4");
    refuse_pair(5, 1, 5, "edge 1 joins nodes 5 and 1, but the nodes are 0 to 4");
    refuse_pair(-1, 1, 5, "edge 1 joins nodes -1 and 1, but the nodes are 0 to 4");
    refuse_pair(1, -2, 5, "edge 1 joins nodes 1 and -2, but the nodes are 0 to 4");
    refuse_pair(0, 0, (int64_t)INT32_MAX + 1, "a graph of 2147483648 nodes: at most 2147483647 can be held");
    refuse_pair(0, 0, -1, "a graph of -1 nodes: at most 2147483647 can be held");
}

/* Rows in the order of the pairs, as in a file. */
static crd_graph untidy(const table *t, int count, const int32_t *source, const int32_t *target)
{
    crd_graph graph = {.nodes = t->nodes};
    assert_int_equal(CRD_NEW(&graph.start, t->nodes + 1, NULL), CRD_OK);
    assert_int_equal(CRD_NEW(&graph.neighbour, count, NULL), CRD_OK);
    int64_t at = 0;
    for (int i = 0; i < t->nodes; i++) {
        graph.start[i] = at;
        for (int e = 0; e < count; e++)
            if (source[e] == i) graph.neighbour[at++] = target[e];
    }
    graph.start[t->nodes] = at;
    return graph;
}

static void test_tidy(void **state)
{
    (void)state;
    static table t;
    static int32_t source[MOST_PAIRS], target[MOST_PAIRS];
    crd_rng rng = crd_rng_start(2, 0);
    for (int trial = 0; trial < 200; trial++) {
        int count = draw_pairs(&rng, &t, source, target);
        crd_graph graph = untidy(&t, count, source, target);
        int64_t duplicates;
        assert_int_equal(crd_graph_tidy(&graph, &duplicates, NULL), CRD_OK);
        check_against(&graph, &t);
        assert_int_equal(duplicates, repetitions(&t));
        /* A second time changes nothing. */
        assert_int_equal(crd_graph_tidy(&graph, &duplicates, NULL), CRD_OK);
        check_against(&graph, &t);
        assert_int_equal(duplicates, 0);
        crd_graph_free(&graph);
    }
}

static void refuse_rows(const int64_t start[3], const int32_t neighbour[2], const char *message)
{
    int64_t starts[3];
    int32_t neighbours[2];
    memcpy(starts, start, sizeof starts);
    memcpy(neighbours, neighbour, sizeof neighbours);
    crd_graph graph = {.nodes = 2, .start = starts, .neighbour = neighbours};
    int64_t duplicates;
    crd_error error = {0};
    assert_int_equal(crd_graph_tidy(&graph, &duplicates, &error), CRD_ERROR_FORMAT);
    assert_string_equal(error.message, message);
}

static void test_rows_out_of_range(void **state)
{
    (void)state;
    refuse_rows((int64_t[]){0, 1, 2}, (int32_t[]){0, 2},
                "row 1 of the graph has neighbour 2, but the nodes are 0 to 1");
    refuse_rows((int64_t[]){0, 1, 2}, (int32_t[]){-1, 0},
                "row 0 of the graph has neighbour -1, but the nodes are 0 to 1");
}

static void test_symmetric(void **state)
{
    (void)state;
    static table t;
    static int32_t source[MOST_PAIRS], target[MOST_PAIRS];
    crd_rng rng = crd_rng_start(3, 0);
    int symmetric_inputs = 0;
    for (int trial = 0; trial < 300; trial++) {
        int count = draw_pairs(&rng, &t, source, target);
        if (trial % 3 == 0) count %= 8; /* some that happen to be symmetric */
        memset(t.times, 0, sizeof t.times);
        for (int e = 0; e < count; e++) t.times[source[e]][target[e]]++;
        bool expected[MOST_NODES][MOST_NODES], was_symmetric = true;
        for (int i = 0; i < t.nodes; i++)
            for (int j = 0; j < t.nodes; j++) {
                expected[i][j] = i != j && (t.times[i][j] > 0 || t.times[j][i] > 0);
                was_symmetric &= (t.times[i][j] > 0) == (t.times[j][i] > 0);
            }
        crd_graph input, graph;
        int64_t duplicates;
        assert_int_equal(crd_graph_from_pairs(t.nodes, count, source, target, &input, &duplicates, NULL), CRD_OK);
        assert_int_equal(crd_graph_is_symmetric(&input), was_symmetric);
        assert_int_equal(crd_graph_symmetric(&input, &graph, NULL), CRD_OK);
        check_rows(&graph, t.nodes, expected);
        assert_true(crd_graph_is_symmetric(&graph));
        symmetric_inputs += was_symmetric;
        crd_graph_free(&input);
        crd_graph_free(&graph);
    }
    assert_in_range(symmetric_inputs, 5, 295); /* both answers occurred */
}

static int compare_nodes(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Rows longer than an insertion sort is for; the arrays are the test's own, and stay as they are. */
static void test_long_rows_are_sorted(void **state)
{
    (void)state;
    enum { NODES = 100000, LONG = 3000 };
    static int64_t start[NODES + 1];
    static int32_t given[2 * LONG], sorted[2 * LONG], before[2 * LONG];
    crd_rng rng = crd_rng_start(3, 1);
    for (int e = 0; e < LONG; e++) given[e] = (int32_t)crd_rng_below(&rng, NODES);
    for (int e = LONG; e < 2 * LONG; e++) given[e] = NODES - 1 - (int32_t)crd_rng_below(&rng, 5); /* often the same */
    for (int i = 0; i <= NODES; i++) start[i] = i == 0 ? 0 : i < 500 ? LONG : 2 * LONG;
    memcpy(before, given, sizeof given);
    memcpy(sorted, given, sizeof given);
    int64_t kept = 0, duplicates;
    for (int row = 0; row < 2; row++) {
        int32_t *items = sorted + row * LONG;
        qsort(items, LONG, sizeof *items, compare_nodes);
        for (int e = 0; e < LONG; e++)
            if (e == 0 || items[e] != items[e - 1]) kept++;
    }
    crd_graph graph = {
        .nodes = NODES, .start = start, .neighbour = given, .start_borrowed = true, .neighbour_borrowed = true};
    assert_int_equal(crd_graph_tidy(&graph, &duplicates, NULL), CRD_OK);
    assert_int_equal(duplicates, 2 * LONG - kept);
    assert_int_equal(graph.start[NODES], kept);
    assert_memory_equal(given, before, sizeof given);
    assert_int_equal(start[NODES], 2 * LONG);
    for (int64_t e = 0, at = 0; e < 2 * LONG; e++) {
        if (e % LONG != 0 && sorted[e] == sorted[e - 1]) continue;
        assert_int_equal(graph.neighbour[at++], sorted[e]);
    }
    crd_graph_free(&graph);
}

/* What models see is the input itself if that has both directions and no self-loop. */
static void test_symmetric_rows_are_shared(void **state)
{
    (void)state;
    static int64_t start[] = {0, 1, 3, 4}, looped_start[] = {0, 2, 4, 5}, once_start[] = {0, 1, 3, 3};
    static int32_t path[] = {1, 0, 2, 1}, looped[] = {0, 1, 0, 2, 1}, once[] = {1, 0, 2};
    const struct {
        crd_graph graph;
        crd_directions expected;
        bool shared;
    } cases[] = {
        {{.nodes = 3, .start = start, .neighbour = path}, {4, 4, 0}, true},
        {{.nodes = 3, .start = looped_start, .neighbour = looped}, {4, 4, 1}, false},
        {{.nodes = 3, .start = once_start, .neighbour = once}, {3, 2, 0}, false},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        crd_directions found;
        crd_graph graph;
        bool shared;
        assert_int_equal(crd_graph_share_symmetric(&cases[c].graph, &found, &shared, &graph, NULL), CRD_OK);
        assert_int_equal(found.entries, cases[c].expected.entries);
        assert_int_equal(found.mutual, cases[c].expected.mutual);
        assert_int_equal(found.self_loops, cases[c].expected.self_loops);
        assert_int_equal(shared, cases[c].shared);
        assert_int_equal(graph.neighbour == cases[c].graph.neighbour, shared);
        assert_memory_equal(graph.start, start, sizeof start);
        assert_memory_equal(graph.neighbour, path, sizeof path);
        if (!shared) crd_graph_free(&graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_from_pairs_by_hand),
        cmocka_unit_test(test_from_pairs),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_pairs_out_of_range),
        cmocka_unit_test(test_tidy),
        cmocka_unit_test(test_rows_out_of_range),
        cmocka_unit_test(test_symmetric),
        cmocka_unit_test(test_long_rows_are_sorted),
        cmocka_unit_test(test_symmetric_rows_are_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
