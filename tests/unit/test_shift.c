/* SPDX-License-Identifier: MIT */
/* Shifts of features and edges change only what they may. */
#include "support/outcome.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "graph/shift.h"

enum { NODES = 200, COLUMNS = 300, CLASSES = 3 };

/* ---- parsing ---- */

static void test_parse(void **state)
{
    (void)state;
    crd_shift shift;
    crd_shift_defaults(&shift);
    assert_int_equal(shift.kind, CRD_SHIFT_BERNOULLI);
    assert_true(shift.amount == 0.1 && !shift.isolated && shift.most_nodes == 100 && shift.seed == 1);
    assert_ok(crd_shift_parse("dice:0.25:isolated", &shift, NULL));
    assert_int_equal(shift.kind, CRD_SHIFT_DICE);
    assert_true(shift.amount == 0.25 && shift.isolated);
    assert_ok(crd_shift_parse("normal:1", &shift, NULL)); /* the mode does not change */
    assert_true(shift.kind == CRD_SHIFT_NORMAL && shift.amount == 1.0 && shift.isolated);
    assert_ok(crd_shift_parse("rewire:1e-3:all", &shift, NULL));
    assert_true(shift.kind == CRD_SHIFT_REWIRE && shift.amount == 1e-3 && !shift.isolated);
    for (int kind = CRD_SHIFT_BERNOULLI; kind <= CRD_SHIFT_DICE; kind++) {
        char text[40];
        snprintf(text, sizeof text, "%s:0.5", crd_shift_kind_name((crd_shift_kind)kind));
        assert_ok(crd_shift_parse(text, &shift, NULL));
        assert_int_equal(shift.kind, kind);
    }
    assert_null(crd_shift_kind_name((crd_shift_kind)4));
    assert_null(crd_shift_kind_name((crd_shift_kind)-1));
}

static void test_parse_wrong(void **state)
{
    (void)state;
    const struct {
        const char *text, *message;
    } cases[] = {
        {"", "expected KIND:AMOUNT"},
        {"dice", "as amount a fraction"},
        {"dice:", "expected KIND:AMOUNT"},
        {":0.1", "expected KIND:AMOUNT"},
        {"dice:0.1:all:1", "expected KIND:AMOUNT"},
        {"dice:0.1:", "expected KIND:AMOUNT"},
        {"dice:0.10000000000000000000000000000000000", "expected KIND:AMOUNT"},
        {"mice:0.1", "expected the kind bernoulli, normal, rewire or dice"},
        {"dice:0", "as amount a fraction"},
        {"dice:1.01", "as amount a fraction"},
        {"dice:-0.1", "as amount a fraction"},
        {"dice:nan", "as amount a fraction"},
        {"dice:10%", "as amount a fraction"},
        {"dice:0.1:alone", "expected the mode all or isolated"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        crd_shift shift = {.size = sizeof shift, .kind = CRD_SHIFT_REWIRE, .amount = 0.75, .isolated = true};
        crd_error error;
        assert_fails(crd_shift_parse(cases[c].text, &shift, &error), CRD_ERROR_ARGUMENT, cases[c].message);
        assert_true(shift.kind == CRD_SHIFT_REWIRE && shift.amount == 0.75 && shift.isolated);
    }
}

static void test_check(void **state)
{
    (void)state;
    crd_error error;
    crd_shift shift, good;
    crd_shift_defaults(&good);
    assert_ok(crd_shift_check(&good, NULL));
    shift = good;
    shift.amount = NAN;
    assert_fails(crd_shift_check(&shift, &error), CRD_ERROR_ARGUMENT, "above 0, up to 1");
    shift.amount = 0.0;
    assert_fails(crd_shift_check(&shift, &error), CRD_ERROR_ARGUMENT, "found 0");
    shift = good;
    shift.kind = (crd_shift_kind)4;
    assert_fails(crd_shift_check(&shift, &error), CRD_ERROR_ARGUMENT, "kind 4");
    shift = good;
    shift.most_nodes = 0;
    assert_ok(crd_shift_check(&shift, NULL)); /* it is not used */
    shift.isolated = true;
    assert_fails(crd_shift_check(&shift, &error), CRD_ERROR_ARGUMENT, "at least 1");
}

static void test_share(void **state)
{
    (void)state;
    crd_shift shift = {.size = sizeof shift, .amount = 0.1};
    assert_int_equal(crd_shift_share(&shift, 0), 0);
    assert_int_equal(crd_shift_share(&shift, 3), 1);
    assert_int_equal(crd_shift_share(&shift, 100), 10);
    assert_int_equal(crd_shift_share(&shift, 144), 14);
    shift.amount = 1.0;
    assert_int_equal(crd_shift_share(&shift, 7), 7);
}

/* ---- features ---- */

static crd_features make_features(bool sparse)
{
    crd_features f = {.rows = NODES, .columns = COLUMNS, .sparse = sparse};
    crd_rng rng = crd_rng_start(3, 60);
    if (!sparse) {
        f.dense = malloc(sizeof(float) * NODES * COLUMNS);
        assert_non_null(f.dense);
        for (int64_t i = 0; i < NODES * COLUMNS; i++) f.dense[i] = (float)crd_rng_uniform(&rng);
        return f;
    }
    f.start = malloc((NODES + 1) * sizeof *f.start);
    f.column = malloc(sizeof *f.column * NODES * 4);
    f.value = malloc(sizeof *f.value * NODES * 4);
    assert_true(f.start != NULL && f.column != NULL && f.value != NULL);
    f.start[0] = 0;
    for (int64_t i = 0; i < NODES; i++) {
        int64_t at = f.start[i];
        for (int32_t e = 0; e < i % 5 && e < 4; e++) { /* some rows are empty */
            f.column[at] = (int32_t)(e * 70 + i % 70);
            f.value[at++] = 0.25f;
        }
        f.start[i + 1] = at;
    }
    return f;
}

/* A row as plain numbers. */
static void read_row(const crd_features *f, int64_t row, float *values)
{
    for (int64_t c = 0; c < f->columns; c++) values[c] = f->sparse ? 0.0f : f->dense[row * f->columns + c];
    for (int64_t e = f->sparse ? f->start[row] : 0; f->sparse && e < f->start[row + 1]; e++) {
        assert_true(e == f->start[row] || f->column[e] > f->column[e - 1]);
        assert_true(f->value[e] != 0.0f);
        values[f->column[e]] = f->value[e];
    }
}

static void check_noise(crd_shift_kind kind, bool sparse)
{
    crd_features f = make_features(sparse), shifted, again;
    crd_shift shift = {.size = sizeof shift, .kind = kind, .amount = 0.5, .seed = 7};
    uint8_t chosen[NODES];
    for (int i = 0; i < NODES; i++) chosen[i] = i % 2 == 0;
    assert_ok(crd_shift_features(&f, &shift, chosen, &shifted, NULL));
    assert_int_equal(shifted.sparse, sparse);
    double sum = 0.0, squares = 0.0, count = 0.0;
    float old[COLUMNS], new[COLUMNS], one[COLUMNS];
    for (int64_t i = 0; i < NODES; i++) {
        read_row(&f, i, old);
        read_row(&shifted, i, new);
        if (!chosen[i]) assert_memory_equal(old, new, sizeof old);
        for (int c = 0; c < COLUMNS && chosen[i]; c++, count += 1.0) {
            if (kind == CRD_SHIFT_BERNOULLI) assert_true(new[c] == 0.0f || new[c] == 1.0f);
            sum += (double)new[c];
            squares += (double)new[c] * (double)new[c];
        }
    }
    /* 30,000 draws: five standard errors */
    const double mean = kind == CRD_SHIFT_BERNOULLI ? 0.5 : 0.0;
    const double square = kind == CRD_SHIFT_BERNOULLI ? 0.5 : 1.0;
    assert_true(fabs(sum / count - mean) < 5.0 / sqrt(count));
    assert_true(fabs(squares / count - square) < 5.0 * sqrt(2.0 / count));
    /* a row's noise does not depend on which others are chosen; another seed gives different noise */
    memset(chosen, 0, sizeof chosen);
    chosen[4] = 1;
    assert_ok(crd_shift_features(&f, &shift, chosen, &again, NULL));
    read_row(&shifted, 4, new);
    read_row(&again, 4, one);
    assert_memory_equal(one, new, sizeof one);
    read_row(&shifted, 6, new);
    assert_memory_not_equal(one, new, sizeof one);
    crd_features_free(&again);
    shift.seed = 8;
    assert_ok(crd_shift_features(&f, &shift, chosen, &again, NULL));
    read_row(&again, 4, new);
    assert_memory_not_equal(one, new, sizeof one);
    crd_features_free(&again);
    crd_features_free(&shifted);
    crd_features_free(&f);
}

static void test_noise(void **state)
{
    (void)state;
    check_noise(CRD_SHIFT_BERNOULLI, true);
    check_noise(CRD_SHIFT_BERNOULLI, false);
    check_noise(CRD_SHIFT_NORMAL, true);
    check_noise(CRD_SHIFT_NORMAL, false);
}

/* ---- edges ---- */

static crd_graph make_graph(int64_t edges)
{
    int32_t source[2000], target[2000];
    int64_t duplicates;
    crd_rng rng = crd_rng_start(11, 61);
    crd_graph input, graph;
    for (int64_t e = 0; e < edges; e++) {
        source[e] = (int32_t)crd_rng_below(&rng, NODES);
        target[e] = (int32_t)crd_rng_below(&rng, NODES);
    }
    assert_ok(crd_graph_from_pairs(NODES, edges, source, target, &input, &duplicates, NULL));
    assert_ok(crd_graph_symmetric(&input, &graph, NULL));
    crd_graph_free(&input);
    return graph;
}

static bool has_edge(const crd_graph *graph, int64_t from, int64_t to)
{
    for (int64_t e = graph->start[from]; e < graph->start[from + 1]; e++)
        if (graph->neighbour[e] == to) return true;
    return false;
}

/* Compares the graphs pair by pair with the allowed changes. */
static void check_edges(const crd_graph *graph, const crd_shifted_edges *shifted, const crd_shift *shift,
                        const int32_t *class_of, int64_t node, const uint8_t *touched)
{
    int64_t removed = 0, added = 0, could_change = 0;
    uint8_t expected[NODES] = {0};
    assert_true(crd_graph_is_symmetric(&shifted->graph));
    for (int64_t i = 0; i < NODES; i++) {
        assert_false(has_edge(&shifted->graph, i, i));
        for (int64_t j = i + 1; j < NODES; j++) {
            const bool before = has_edge(graph, i, j), after = has_edge(&shifted->graph, i, j);
            const bool allowed = class_of[i] >= 0 && class_of[j] >= 0 && (node < 0 || i == node || j == node);
            could_change += before && allowed;
            if (before == after) continue;
            assert_true(allowed);
            removed += before;
            added += after;
            expected[i] = expected[j] = 1;
            if (shift->kind == CRD_SHIFT_DICE) assert_int_equal(before, class_of[i] == class_of[j]);
        }
    }
    assert_int_equal(removed, shifted->removed);
    assert_int_equal(added, shifted->added);
    assert_memory_equal(expected, touched, sizeof expected);
    int64_t budget = crd_shift_share(shift, could_change);
    if (shift->kind == CRD_SHIFT_DICE) {
        if (budget == 1) budget = 2;
        assert_int_equal(removed + added, budget);
        assert_true(removed <= (budget + 1) / 2);
    } else {
        assert_int_equal(removed, budget);
        assert_int_equal(added, budget);
    }
}

static void change_edges(crd_shift_kind kind, double amount, int64_t node)
{
    crd_graph graph = make_graph(1200);
    crd_shift shift = {.size = sizeof shift, .kind = kind, .amount = amount, .seed = 5};
    crd_shifted_edges shifted, again;
    int32_t class_of[NODES];
    uint8_t touched[NODES], touched_again[NODES];
    for (int32_t i = 0; i < NODES; i++) class_of[i] = i % 4 == 0 ? -1 : i % CLASSES;
    assert_ok(crd_shift_edges(&graph, &shift, class_of, node, &shifted, touched, NULL));
    check_edges(&graph, &shifted, &shift, class_of, node, touched);
    assert_ok(crd_shift_edges(&graph, &shift, class_of, node, &again, touched_again, NULL));
    assert_memory_equal(touched, touched_again, sizeof touched);
    const size_t rows = sizeof *graph.start * (NODES + 1);
    const size_t size = sizeof *graph.neighbour * (size_t)shifted.graph.start[NODES];
    assert_memory_equal(shifted.graph.start, again.graph.start, rows);
    assert_memory_equal(shifted.graph.neighbour, again.graph.neighbour, size);
    crd_graph_free(&again.graph);
    shift.seed = 6; /* another seed changes other edges */
    assert_ok(crd_shift_edges(&graph, &shift, class_of, node, &again, touched_again, NULL));
    assert_true(memcmp(shifted.graph.start, again.graph.start, rows) != 0 ||
                memcmp(shifted.graph.neighbour, again.graph.neighbour, size) != 0);
    crd_graph_free(&again.graph);
    crd_graph_free(&shifted.graph);
    crd_graph_free(&graph);
}

static void test_rewire(void **state)
{
    (void)state;
    change_edges(CRD_SHIFT_REWIRE, 0.1, -1);
    change_edges(CRD_SHIFT_REWIRE, 1.0, -1);
    change_edges(CRD_SHIFT_REWIRE, 0.5, 17);
    change_edges(CRD_SHIFT_REWIRE, 0.01, 17);
}

static void test_dice(void **state)
{
    (void)state;
    change_edges(CRD_SHIFT_DICE, 0.2, -1);
    change_edges(CRD_SHIFT_DICE, 1.0, -1);
    change_edges(CRD_SHIFT_DICE, 0.5, 17);
    change_edges(CRD_SHIFT_DICE, 0.01, 17);
}

/* Half of a budget of 4 deletes, if there is enough to delete: 0-1, 0-2, 1-2 are inside one class, 3 has another
 * class, 4 has none; the pairs left to connect are 0-3 and 1-3. */
static void test_dice_by_hand(void **state)
{
    (void)state;
    int64_t start[] = {0, 2, 5, 8, 9, 10};
    int32_t neighbour[] = {1, 2, 0, 2, 4, 0, 1, 3, 2, 1}, class_of[] = {0, 0, 0, 1, -1};
    const crd_graph graph = {.nodes = 5, .start = start, .neighbour = neighbour};
    const crd_shift shift = {.size = sizeof shift, .kind = CRD_SHIFT_DICE, .amount = 1.0, .seed = 2};
    crd_shifted_edges shifted;
    uint8_t touched[5];
    assert_ok(crd_shift_edges(&graph, &shift, class_of, -1, &shifted, touched, NULL));
    assert_int_equal(shifted.removed, 2);
    assert_int_equal(shifted.added, 2);
    assert_true(has_edge(&shifted.graph, 0, 3) && has_edge(&shifted.graph, 1, 3));
    assert_true(has_edge(&shifted.graph, 2, 3) && has_edge(&shifted.graph, 1, 4));
    assert_int_equal(shifted.graph.start[5], 10);
    assert_true(touched[0] && touched[1] && touched[2] && touched[3] && !touched[4]);
    crd_graph_free(&shifted.graph);
}

/* If every pair is connected, or none may change, the graph stays the same. */
static void test_nothing_to_change(void **state)
{
    (void)state;
    int64_t start[] = {0, 2, 4, 6};
    int32_t neighbour[] = {1, 2, 0, 2, 0, 1}, all[] = {0, 0, 0}, none[] = {0, -1, -1};
    const crd_graph graph = {.nodes = 3, .start = start, .neighbour = neighbour};
    crd_shift shift = {.size = sizeof shift, .kind = CRD_SHIFT_REWIRE, .amount = 1.0, .seed = 2};
    for (int c = 0; c < 3; c++) {
        crd_shifted_edges shifted;
        uint8_t touched[] = {1, 1, 1};
        if (c == 2) shift.kind = CRD_SHIFT_DICE;
        assert_ok(crd_shift_edges(&graph, &shift, c == 0 ? all : none, -1, &shifted, touched, NULL));
        assert_true(shifted.removed == 0 && shifted.added == 0);
        assert_memory_equal(shifted.graph.start, start, sizeof start);
        assert_memory_equal(shifted.graph.neighbour, neighbour, sizeof neighbour);
        assert_false(touched[0] || touched[1] || touched[2]);
        crd_graph_free(&shifted.graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse), cmocka_unit_test(test_parse_wrong),  cmocka_unit_test(test_check),
        cmocka_unit_test(test_share), cmocka_unit_test(test_noise),        cmocka_unit_test(test_rewire),
        cmocka_unit_test(test_dice),  cmocka_unit_test(test_dice_by_hand), cmocka_unit_test(test_nothing_to_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
