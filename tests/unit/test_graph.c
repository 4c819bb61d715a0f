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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
