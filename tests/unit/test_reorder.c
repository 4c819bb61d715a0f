/* SPDX-License-Identifier: MIT */
/* Another order of the nodes: the same graph, in the promised order. */
#include <stdlib.h>

#include "base/random.h"
#include "graph/graph.h"
#include "graph/reorder.h"
#include "support/outcome.h"

static bool has_edge(const crd_graph *graph, int32_t from, int32_t to)
{
    for (int64_t e = graph->start[from]; e < graph->start[from + 1]; e++)
        if (graph->neighbour[e] == to) return true;
    return false;
}

/* Every place is taken once. Each row is ascending without repetition, as long as the node's own row, and contains
 * only existing edges: so it contains all of them. */
static void check_same_graph(const crd_graph *graph, const crd_reordered *r)
{
    const int64_t nodes = graph->nodes;
    assert_int_equal(r->nodes, nodes);
    int32_t *node_at = malloc((size_t)(nodes + 1) * sizeof *node_at);
    assert_non_null(node_at);
    for (int64_t k = 0; k < nodes; k++) node_at[k] = -1;
    for (int64_t i = 0; i < nodes; i++) {
        assert_in_range(r->place[i], 0, nodes - 1);
        assert_int_equal(node_at[r->place[i]], -1);
        node_at[r->place[i]] = (int32_t)i;
    }
    assert_int_equal(r->start[0], 0);
    for (int64_t k = 0; k < nodes; k++) {
        int32_t node = node_at[k];
        assert_int_equal(r->order[k], node);
        assert_int_equal(r->start[k + 1] - r->start[k], graph->start[node + 1] - graph->start[node]);
        for (int64_t e = r->start[k]; e < r->start[k + 1]; e++) {
            assert_in_range(r->neighbour[e], 0, nodes - 1);
            if (e > r->start[k]) assert_true(r->neighbour[e - 1] < r->neighbour[e]);
            assert_true(has_edge(graph, node, node_at[r->neighbour[e]]));
        }
    }
    free(node_at);
}

/* Each edge is given once, from either end. */
static crd_graph graph_of(int64_t nodes, int64_t count, const int32_t *source, const int32_t *target)
{
    crd_graph once, graph;
    int64_t duplicates;
    assert_ok(crd_graph_from_pairs(nodes, count, source, target, &once, &duplicates, NULL));
    assert_ok(crd_graph_symmetric(&once, &graph, NULL));
    crd_graph_free(&once);
    return graph;
}

static crd_reordered reorder(const crd_graph *graph)
{
    crd_reordered r;
    assert_ok(crd_reorder(graph->nodes, graph->start, graph->neighbour, NULL, &r, NULL));
    check_same_graph(graph, &r);
    return r;
}

#define COUNT(array) ((int64_t)(sizeof(array) / sizeof *(array)))

static void check_places(int64_t nodes, int64_t edges, const int32_t *source, const int32_t *target,
                         const int32_t *place)
{
    crd_graph graph = graph_of(nodes, edges, source, target);
    crd_reordered r = reorder(&graph);
    for (int64_t i = 0; i < nodes; i++) assert_int_equal(r.place[i], place[i]);
    crd_reordered_free(&r);
    crd_graph_free(&graph);
}

static void nothing(void **state)
{
    (void)state;
    crd_graph graph = graph_of(0, 0, NULL, NULL);
    crd_reordered r = reorder(&graph);
    assert_int_equal(r.start[0], 0);
    crd_reordered_free(&r);
    assert_null(r.start);
    assert_null(r.neighbour);
    assert_null(r.place);
    assert_null(r.order);
    crd_reordered_free(&r); /* a second time does no harm */
    crd_graph_free(&graph);
}

/* The walk is 0, 1, 3, 2; then nodes with an edge come first. */
static void isolated_nodes(void **state)
{
    (void)state;
    static const int32_t source[] = {1}, target[] = {3}, place[] = {2, 0, 3, 1};
    static const int32_t alone[] = {0, 1, 2, 3, 4};
    check_places(4, 1, source, target, place);
    check_places(5, 0, NULL, NULL, alone);
}

static void a_star(void **state)
{
    (void)state;
    static const int32_t source[] = {3, 3, 3, 3, 3}, target[] = {0, 1, 2, 4, 5};
    static const int32_t place[] = {1, 2, 3, 0, 4, 5};
    check_places(6, 5, source, target, place);
}

/* More leaves than a window has nodes, and a degree beyond the largest that is distinguished. */
static void a_large_star(void **state)
{
    (void)state;
    enum { LEAVES = 3000, CENTRE = 1234 };
    static int32_t source[LEAVES], target[LEAVES];
    for (int32_t e = 0; e < LEAVES; e++) {
        source[e] = CENTRE;
        target[e] = e < CENTRE ? e : e + 1;
    }
    crd_graph graph = graph_of(LEAVES + 1, LEAVES, source, target);
    crd_reordered r = reorder(&graph);
    assert_int_equal(r.place[CENTRE], 0);
    for (int32_t e = 0; e < LEAVES; e++) assert_int_equal(r.place[target[e]], e + 1);
    crd_reordered_free(&r);
    crd_graph_free(&graph);
}

/* Nodes 0, 2, 4, 6 and 1, 3, 5, 7, joined by 6-1. The walk is 0, 2, 4, 6, 1, 3, 5, 7; then 6 and 1, which have one
 * more neighbour, come first. */
static void two_small_cliques(void **state)
{
    (void)state;
    static const int32_t source[] = {0, 0, 0, 2, 2, 4, 1, 1, 1, 3, 3, 5, 6};
    static const int32_t target[] = {2, 4, 6, 4, 6, 6, 3, 5, 7, 5, 7, 7, 1};
    static const int32_t place[] = {2, 1, 3, 5, 4, 6, 0, 7};
    static const int64_t start[] = {0, 4, 8, 11, 14, 17, 20, 23, 26};
    static const int32_t neighbour[] = {1, 2, 3, 4, 0, 5, 6, 7, 0, 3, 4, 0, 2, 4, 0, 2, 3, 1, 6, 7, 1, 5, 7, 1, 5, 6};
    check_places(8, COUNT(source), source, target, place);
    crd_graph graph = graph_of(8, COUNT(source), source, target);
    crd_reordered r = reorder(&graph);
    assert_memory_equal(r.start, start, sizeof start);
    assert_memory_equal(r.neighbour, neighbour, sizeof neighbour);
    crd_reordered_free(&r);
    crd_graph_free(&graph);
}

/* Even and odd nodes. All have so many neighbours that their number makes no difference. */
static void two_large_cliques_end_up_apart(void **state)
{
    (void)state;
    enum { SIZE = 600, EDGES = 2 * (SIZE * (SIZE - 1) / 2) + 1 };
    int32_t *source = malloc(EDGES * sizeof *source), *target = malloc(EDGES * sizeof *target);
    assert_true(source != NULL && target != NULL);
    int64_t count = 0;
    for (int32_t i = 0; i < 2 * SIZE; i++)
        for (int32_t j = i + 2; j < 2 * SIZE; j += 2) {
            source[count] = i;
            target[count++] = j;
        }
    source[count] = 300;
    target[count++] = 77;
    assert_int_equal(count, EDGES);
    crd_graph graph = graph_of(2 * SIZE, count, source, target);
    crd_reordered r;
    assert_ok(crd_reorder(graph.nodes, graph.start, graph.neighbour, NULL, &r, NULL));
    for (int32_t i = 0; i < 2 * SIZE; i++)
        if (i % 2 == 0) assert_in_range(r.place[i], 0, SIZE - 1);
        else assert_in_range(r.place[i], SIZE, 2 * SIZE - 1);
    assert_int_equal(r.place[77], SIZE); /* where the walk enters the second */
    crd_reordered_free(&r);
    crd_graph_free(&graph);
    free(source);
    free(target);
}

/* A ring with scattered numbers: the walk goes both ways at once, so no edge is longer than two, also across
 * windows. */
static void neighbours_come_near(void **state)
{
    (void)state;
    enum { NODES = 5000, STRIDE = 1777 };
    static int32_t source[NODES], target[NODES];
    for (int32_t i = 0; i < NODES; i++) {
        source[i] = i * STRIDE % NODES;
        target[i] = (i + 1) * STRIDE % NODES;
    }
    crd_graph graph = graph_of(NODES, NODES, source, target);
    crd_reordered r = reorder(&graph);
    for (int32_t i = 0; i < NODES; i++) assert_in_range(abs(r.place[source[i]] - r.place[target[i]]), 1, 2);
    crd_reordered_free(&r);
    crd_graph_free(&graph);
}

/* A ring again, numbered along it, with node 3000 hanging from node 700. The walk meets 0, 1, 2999, 2, 2998, ...,
 * so node k is its 2k - 1 st and node 3000 - k its 2k th, until node 700, its 1399 th, also finds 3000. Node 700
 * moves to the front of the window from 1024 to 2047, node 3000 to its end, and those between make room; no other
 * window notices. */
static void degrees_are_sorted_inside_windows(void **state)
{
    (void)state;
    enum { RING = 3000 };
    static const struct {
        int32_t node, place;
    } expected[] = {{0, 0},      {1, 1},       {2999, 2},    {512, 1023}, {700, 1024},  {2488, 1025},
                    {699, 1398}, {2301, 1399}, {2300, 1400}, {701, 1401}, {2299, 1402}, {3000, 2047}};
    static int32_t source[RING + 1], target[RING + 1];
    for (int32_t i = 0; i < RING; i++) {
        source[i] = i;
        target[i] = (i + 1) % RING;
    }
    source[RING] = RING;
    target[RING] = 700;
    crd_graph graph = graph_of(RING + 1, RING + 1, source, target);
    crd_reordered r = reorder(&graph);
    for (int64_t i = 0; i < COUNT(expected); i++) assert_int_equal(r.place[expected[i].node], expected[i].place);
    crd_reordered_free(&r);
    crd_graph_free(&graph);
}

/* Graphs of many sizes, some larger than one window, in several parts; twice the same result. */
static void random_graphs(void **state)
{
    (void)state;
    enum { MOST = 4000 };
    static int32_t source[MOST], target[MOST];
    for (uint64_t seed = 0; seed < 60; seed++) {
        crd_rng rng = crd_rng_start(seed, 1);
        int64_t nodes = 1 + (int64_t)crd_rng_below(&rng, seed % 3 == 0 ? 3000 : 50);
        int64_t edges = (int64_t)crd_rng_below(&rng, MOST);
        for (int64_t e = 0; e < edges; e++) {
            source[e] = (int32_t)crd_rng_below(&rng, (uint64_t)nodes);
            target[e] = (int32_t)crd_rng_below(&rng, (uint64_t)nodes);
        }
        crd_graph graph = graph_of(nodes, edges, source, target);
        crd_reordered r = reorder(&graph), again = reorder(&graph);
        assert_memory_equal(r.place, again.place, (size_t)nodes * sizeof *r.place);
        crd_reordered_free(&r);
        crd_reordered_free(&again);
        crd_graph_free(&graph);
    }
}

static void too_large_is_an_error(void **state)
{
    (void)state;
    static const int64_t start[] = {0, INT64_MAX / 2};
    static const int32_t neighbour[] = {0};
    crd_error error = {0};
    crd_reordered r;
    assert_fails(crd_reorder(1, start, neighbour, NULL, &r, &error), CRD_ERROR_MEMORY, "out of memory");
    assert_null(r.start);
    assert_null(r.neighbour);
    assert_null(r.place);
    assert_null(r.order);
    assert_int_equal(r.nodes, 0);
}

/* Two paths and a lone node: the path that contains a needed node comes first. */
static void needed_components(void **state)
{
    (void)state;
    const int32_t source[] = {0, 2, 3, 5}, target[] = {2, 4, 5, 6};
    const bool needed[7] = {[6] = true};
    crd_graph graph = graph_of(7, COUNT(source), source, target);
    crd_reordered r;
    assert_ok(crd_reorder(7, graph.start, graph.neighbour, needed, &r, NULL));
    check_same_graph(&graph, &r);
    assert_int_equal(r.reached, 3);
    for (int i = 0; i < 7; i++) assert_int_equal(r.place[i] < 3, i == 3 || i == 5 || i == 6);
    crd_reordered_free(&r);
    r = reorder(&graph);
    assert_int_equal(r.reached, 7);
    crd_reordered_free(&r);
    crd_graph_free(&graph);
}

/* ---- communities ---- */

enum { CLIQUES = 5, SIZE = 8, MEMBERS = CLIQUES * SIZE };

/* Cliques in a ring, each connected to the next by one edge; clique c has the nodes c, c + CLIQUES, ... */
static crd_graph ring_of_cliques(void)
{
    static int32_t source[MEMBERS * SIZE], target[MEMBERS * SIZE];
    int64_t count = 0;
    for (int32_t c = 0; c < CLIQUES; c++) {
        for (int32_t a = 0; a < SIZE; a++)
            for (int32_t b = 0; b < a; b++) {
                source[count] = c + a * CLIQUES;
                target[count++] = c + b * CLIQUES;
            }
        source[count] = c;
        target[count++] = (c + 1) % CLIQUES + CLIQUES;
    }
    return graph_of(MEMBERS, count, source, target);
}

static void communities(void **state)
{
    (void)state;
    crd_graph graph = ring_of_cliques();
    int32_t community[MEMBERS];
    assert_ok(crd_communities(MEMBERS, graph.start, graph.neighbour, MEMBERS, community, NULL));
    for (int i = 0; i < MEMBERS; i++)
        for (int j = 0; j < i; j++) assert_int_equal(community[i] == community[j], i % CLIQUES == j % CLIQUES);
    for (int64_t most = 1; most < SIZE; most++) { /* smaller than a clique */
        int size[MEMBERS] = {0};
        assert_ok(crd_communities(MEMBERS, graph.start, graph.neighbour, most, community, NULL));
        for (int i = 0; i < MEMBERS; i++) {
            assert_in_range(community[i], 0, MEMBERS - 1);
            size[community[i]]++;
        }
        for (int i = 0; i < MEMBERS; i++) assert_true(size[i] <= most);
    }
    crd_graph_free(&graph);
}

/* So many nodes that communities order them: groups of 64 nodes with interleaved numbers, with eight edges per node
 * inside its group and one to any node. Most edges are short in the new order, few in that of a walk. */
static void many(void **state)
{
    (void)state;
    enum { GROUPS = 1100, GROUP = 64, ALL = GROUPS * GROUP, EACH = 5 };
    int32_t *source = malloc(sizeof *source * ALL * EACH), *target = malloc(sizeof *target * ALL * EACH);
    assert_true(source != NULL && target != NULL);
    crd_rng rng = crd_rng_start(5, 5);
    int64_t count = 0;
    for (int32_t i = 0; i < ALL; i++)
        for (int e = 0; e < EACH; e++) {
            const int32_t member = (int32_t)(crd_rng_uniform(&rng) * GROUP);
            source[count] = i;
            target[count++] = e == 0 ? (int32_t)(crd_rng_uniform(&rng) * ALL) : i % GROUPS + member * GROUPS;
        }
    crd_graph graph = graph_of(ALL, count, source, target);
    crd_reordered r = reorder(&graph);
    int64_t near = 0;
    for (int64_t k = 0; k < ALL; k++)
        for (int64_t e = r.start[k]; e < r.start[k + 1]; e++) near += llabs((long long)r.neighbour[e] - k) < 2048;
    assert_true(near > r.start[ALL] / 2);
    crd_reordered_free(&r);
    crd_graph_free(&graph);
    free(source);
    free(target);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(needed_components),
        cmocka_unit_test(communities),
        cmocka_unit_test(many),
        cmocka_unit_test(nothing),
        cmocka_unit_test(isolated_nodes),
        cmocka_unit_test(a_star),
        cmocka_unit_test(a_large_star),
        cmocka_unit_test(two_small_cliques),
        cmocka_unit_test(two_large_cliques_end_up_apart),
        cmocka_unit_test(neighbours_come_near),
        cmocka_unit_test(degrees_are_sorted_inside_windows),
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(too_large_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
