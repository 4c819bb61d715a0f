/* SPDX-License-Identifier: MIT */
/* Serving: the answers are those of a prediction of the whole grown graph, which the tests make from arrays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <math.h>

#include "answers/grown.h"
#include "base/random.h"
#include "credence_private.h"
#include "graph/dataset.h"
#include "support/quick_model.h"

enum { MOST_NODES = 4000, MOST_EDGES = 40000, COLUMNS = 12 };

/* A graph as arrays that grow. Edges are kept as they were given, with repetitions and self-loops. */
typedef struct {
    int64_t nodes, edges;
    int64_t source[MOST_EDGES], target[MOST_EDGES];
    float dense[MOST_NODES * COLUMNS];
    int32_t labels[MOST_NODES];
    bool sparse;
    crd_rng rng;
} world;

static int64_t draw(world *w, int64_t below)
{
    return (int64_t)(crd_rng_uniform(&w->rng) * (double)below);
}

static void add_edge(world *w, int64_t from, int64_t to)
{
    assert_true(w->edges < MOST_EDGES);
    w->source[w->edges] = from;
    w->target[w->edges++] = to;
}

/* Features of three classes, mostly 0 if they are to be sparse. */
static void add_node(world *w)
{
    assert_true(w->nodes < MOST_NODES);
    const int32_t label = (int32_t)draw(w, 3);
    for (int c = 0; c < COLUMNS; c++) {
        const bool of_class = c % 3 == label;
        const double x = crd_rng_uniform(&w->rng);
        w->dense[w->nodes * COLUMNS + c] = w->sparse ? (x < (of_class ? 0.5 : 0.1) ? (float)(1.0 + x) : 0.0f)
                                                     : (float)(x + (of_class ? 1.0 : 0.0) + 0.01);
    }
    w->labels[w->nodes++] = label;
}

/* degree: of most nodes; hub: the neighbours of node 0; every seventh node stays alone. */
static world *make_world(int64_t nodes, int64_t degree, int64_t hub, bool sparse, uint64_t seed)
{
    world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->rng = crd_rng_start(seed, 1);
    w->sparse = sparse;
    for (int64_t i = 0; i < nodes; i++) add_node(w);
    for (int64_t i = 0; i < nodes * degree / 2; i++) {
        const int64_t a = draw(w, nodes), b = draw(w, nodes);
        if (a % 7 != 3 && b % 7 != 3) add_edge(w, a, b);
    }
    for (int64_t i = 0; i < hub; i++) add_edge(w, 0, draw(w, nodes));
    return w;
}

static crd_dataset *dataset_of(const world *w)
{
    crd_error error;
    crd_dataset *dataset;
    const crd_arrays arrays = {.size = sizeof arrays,
                               .nodes = w->nodes,
                               .edges = w->edges,
                               .source = {w->source, CRD_INT64},
                               .target = {w->target, CRD_INT64},
                               .features = COLUMNS,
                               .dense = {w->dense, CRD_FLOAT32},
                               .labels = w->labels,
                               .classes = 3};
    if (crd_dataset_from_arrays(&arrays, &dataset, &error) != CRD_OK) fail_msg("%s", error.message);
    return dataset;
}

static crd_model *model_of(const crd_dataset *dataset, const char *const *options)
{
    crd_config *config;
    assert_int_equal(crd_config_new(&config, NULL), CRD_OK);
    for (; options[0] != NULL; options += 2) {
        crd_error error;
        if (crd_config_set(config, options[0], options[1], &error) != CRD_OK) fail_msg("%s", error.message);
    }
    crd_model *model = train(dataset, config, NULL);
    crd_config_free(&config);
    return model;
}

static void near(double found, double expected, double least, const char *what, int64_t node)
{
    if (!(fabs(found - expected) <= 1e-5 * fmax(least, fabs(expected))))
        fail_msg("%s of node %lld: %.9g, expected %.9g", what, (long long)node, found, expected);
}

/* Every row of a prediction is that of the whole one. */
static void same(const crd_prediction *some, const crd_prediction *whole)
{
    const int32_t classes = crd_prediction_classes(whole);
    const int64_t dims = crd_prediction_latent_dims(whole);
    assert_int_equal(crd_prediction_classes(some), classes);
    assert_int_equal(crd_prediction_latent_dims(some), dims);
    for (int64_t i = 0; i < crd_prediction_nodes(some); i++) {
        const int64_t node = crd_prediction_node(some, i);
        for (int32_t k = 0; k < classes; k++) {
            const int64_t at = i * classes + k, from = node * classes + k;
            near(crd_prediction_probability(some)[at], crd_prediction_probability(whole)[from], 1e-2, "p", node);
            if (crd_prediction_alpha(whole) != NULL)
                near(crd_prediction_alpha(some)[at], crd_prediction_alpha(whole)[from], 1e-2, "alpha", node);
            if (crd_prediction_alpha_features(whole) != NULL)
                near(crd_prediction_alpha_features(some)[at], crd_prediction_alpha_features(whole)[from], 1.0,
                     "alpha by features", node);
        }
        for (int s = 0; s < CRD_SCORES; s++) {
            const double *score = crd_prediction_score(some, (crd_score)s);
            const double *expected = crd_prediction_score(whole, (crd_score)s);
            assert_int_equal(score == NULL, expected == NULL);
            if (score != NULL) near(score[i], expected[node], 1.0, crd_score_name((crd_score)s), node);
        }
        for (int64_t d = 0; d < dims; d++)
            near(crd_prediction_latent(some)[i * dims + d], crd_prediction_latent(whole)[node * dims + d], 1.0,
                 "position", node);
        assert_int_equal(crd_prediction_doubt(some) == NULL, crd_prediction_doubt(whole) == NULL);
    }
}

/* Some new nodes, edges between any nodes, old edges again, self-loops; sometimes nothing at all. */
static void grow(world *w, crd_serving *serving)
{
    const int64_t first = w->nodes, edges = w->edges, count = draw(w, 3);
    crd_error error;
    int64_t got, row_start[4] = {0};
    int32_t column[3 * COLUMNS];
    float value[3 * COLUMNS];
    for (int64_t i = 0; i < count; i++) add_node(w);
    for (int64_t i = first; i < w->nodes; i++)
        for (int64_t n = draw(w, 6); n > 0; n--) add_edge(w, i, draw(w, w->nodes));
    if (draw(w, 3) == 0) add_edge(w, draw(w, first), draw(w, first));
    if (draw(w, 3) == 0 && edges > 0) add_edge(w, w->target[0], w->source[0]);
    if (draw(w, 4) == 0 && w->nodes > 0) add_edge(w, w->nodes - 1, w->nodes - 1);
    if (draw(w, 4) == 0) add_edge(w, 0, w->nodes - 1);
    crd_addition addition = {.size = sizeof addition,
                             .nodes = count,
                             .edges = w->edges - edges,
                             .source = w->source + edges,
                             .target = w->target + edges};
    if (draw(w, 2) == 0) {
        addition.dense = w->dense + first * COLUMNS;
    } else {
        int64_t at = 0;
        for (int64_t i = 0; i < count; i++) {
            for (int32_t c = 0; c < COLUMNS; c++) {
                if (w->dense[(first + i) * COLUMNS + c] == 0.0f) continue;
                column[at] = c;
                value[at++] = w->dense[(first + i) * COLUMNS + c];
            }
            row_start[i + 1] = at;
        }
        addition.row_start = row_start;
        addition.column = column;
        addition.value = value;
    }
    if (crd_serving_add(serving, &addition, &got, &error) != CRD_OK) fail_msg("%s", error.message);
    assert_int_equal(got, first);
    assert_int_equal(crd_serving_nodes(serving), w->nodes);
}

/* Every number of two predictions is the same, to the last bit. */
static void equal(const crd_prediction *a, int64_t row_a, const crd_prediction *b, int64_t row_b)
{
    const int32_t classes = crd_prediction_classes(a);
    const int64_t dims = crd_prediction_latent_dims(a);
    const size_t bytes = (size_t)classes * sizeof(float);
    const float *const of_a[] = {crd_prediction_probability(a), crd_prediction_alpha(a),
                                 crd_prediction_alpha_features(a)};
    const float *const of_b[] = {crd_prediction_probability(b), crd_prediction_alpha(b),
                                 crd_prediction_alpha_features(b)};
    assert_int_equal(crd_prediction_node(a, row_a), crd_prediction_node(b, row_b));
    assert_int_equal(crd_prediction_class(a)[row_a], crd_prediction_class(b)[row_b]);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(of_a[i] == NULL, of_b[i] == NULL);
        if (of_a[i] != NULL) assert_memory_equal(of_a[i] + row_a * classes, of_b[i] + row_b * classes, bytes);
    }
    if (dims > 0)
        assert_memory_equal(crd_prediction_latent(a) + row_a * dims, crd_prediction_latent(b) + row_b * dims,
                            (size_t)dims * sizeof(float));
    for (int i = 0; i < CRD_SCORES; i++) {
        const double *x = crd_prediction_score(a, (crd_score)i), *y = crd_prediction_score(b, (crd_score)i);
        if (x != NULL) assert_memory_equal(x + row_a, y + row_b, sizeof *x);
    }
    if (crd_prediction_doubt(a) != NULL)
        assert_memory_equal(crd_prediction_doubt(a) + row_a, crd_prediction_doubt(b) + row_b, sizeof(double));
}

/* New nodes that are not kept: one without an edge, one with many, some to a node that was alone or is new itself. */
enum { SUPPOSED = 5 };

typedef struct {
    world *w;
    crd_serving *serving;
    crd_addition all;
    int64_t source[SUPPOSED * 80], target[SUPPOSED * 80];
} supposed;

static void suppose(supposed *x, world *w, crd_serving *serving)
{
    const int64_t nodes = w->nodes;
    *x = (supposed){.w = w, .serving = serving};
    x->all = (crd_addition){.size = sizeof x->all,
                            .nodes = SUPPOSED,
                            .dense = w->dense + nodes * COLUMNS,
                            .source = x->source,
                            .target = x->target};
    for (int i = 0; i < SUPPOSED; i++) add_node(w);
    for (int i = 0; i < SUPPOSED; i++)
        for (int n = i == 3 ? 75 : i * 3; n > 0; n--) {
            const int64_t e = x->all.edges++, old = n == 1 ? 3 : n == 2 ? 0 : n == 5 ? nodes - 1 : draw(w, nodes);
            x->source[e] = n % 2 ? nodes + i : old; /* in both directions, and some of them twice */
            x->target[e] = n % 2 ? old : nodes + i;
        }
    w->nodes = nodes; /* their features stand behind it */
}

/* The answer for one of them, asked alone, by its place. */
static crd_prediction *ask_alone(const supposed *x, int i)
{
    const int64_t nodes = x->w->nodes;
    int64_t source[80], target[80];
    crd_error error;
    crd_prediction *answer;
    crd_addition one = {
        .size = sizeof one, .nodes = 1, .dense = x->all.dense + i * COLUMNS, .source = source, .target = target};
    for (int64_t e = 0; e < x->all.edges; e++) {
        if (x->source[e] != nodes + i && x->target[e] != nodes + i) continue;
        source[one.edges] = nodes;
        target[one.edges++] = x->source[e] < nodes ? x->source[e] : x->target[e];
    }
    if (crd_serving_predict_new(x->serving, &one, CRD_THREADS(2), &answer, &error) != CRD_OK)
        fail_msg("%s", error.message);
    return answer;
}

/* The answer by a prediction of the whole graph with it. */
static void check_by_whole(const supposed *x, const crd_model *model, int i, const crd_prediction *all)
{
    world *w = x->w;
    const int64_t nodes = w->nodes, edges = w->edges;
    float kept[COLUMNS], *place = w->dense + nodes * COLUMNS;
    crd_error error;
    crd_prediction *whole, *answer = ask_alone(x, i);
    equal(answer, 0, all, i);
    memcpy(kept, place, sizeof kept);
    memmove(place, x->all.dense + i * COLUMNS, sizeof kept);
    w->labels[w->nodes++] = 0;
    for (int64_t e = 0; e < x->all.edges; e++)
        if (x->source[e] == nodes + i || x->target[e] == nodes + i)
            add_edge(w, nodes, x->source[e] < nodes ? x->source[e] : x->target[e]);
    crd_dataset *grown = dataset_of(w);
    if (crd_predict(model, grown, CRD_THREADS(1), &whole, &error) != CRD_OK) fail_msg("%s", error.message);
    same(answer, whole);
    w->nodes = nodes;
    w->edges = edges;
    memcpy(place, kept, sizeof kept);
    crd_prediction_free(&answer);
    crd_prediction_free(&whole);
    crd_dataset_free(&grown);
}

/* Adds and asks; between that, one of two handles is asked for nodes that are not kept: the other one never notices. */
static void check_supposed(world *w, const char *const *options, int rounds)
{
    crd_error error;
    crd_dataset *dataset = dataset_of(w);
    crd_model *model = model_of(dataset, options);
    crd_serving *serving, *quiet;
    world *twin = malloc(sizeof *twin);
    assert_non_null(twin);
    assert_int_equal(crd_serving_open(model, dataset, CRD_THREADS(1), &serving, &error), CRD_OK);
    assert_int_equal(crd_serving_open(model, dataset, CRD_THREADS(1), &quiet, &error), CRD_OK);
    for (int round = 0; round < rounds; round++) {
        crd_prediction *all, *again, *one, *other;
        supposed x;
        const int64_t asked[] = {0, 3, w->nodes - 1, draw(w, w->nodes)};
        suppose(&x, w, serving);
        if (crd_serving_predict_new(serving, &x.all, CRD_THREADS(1), &all, &error) != CRD_OK)
            fail_msg("%s", error.message);
        assert_int_equal(crd_prediction_nodes(all), SUPPOSED);
        assert_int_equal(crd_serving_nodes(serving), w->nodes);
        assert_int_equal(crd_prediction_node(all, SUPPOSED - 1), w->nodes);
        for (int i = 0; i < SUPPOSED; i++) check_by_whole(&x, model, i, all);
        assert_int_equal(crd_serving_predict_new(serving, &x.all, CRD_THREADS(1), &again, &error), CRD_OK);
        for (int i = 0; i < SUPPOSED; i++) equal(again, i, all, i);
        assert_int_equal(crd_serving_predict(serving, asked, 4, &one, &error), CRD_OK);
        assert_int_equal(crd_serving_predict(quiet, asked, 4, &other, &error), CRD_OK);
        for (int i = 0; i < 4; i++) equal(one, i, other, i);
        crd_prediction_free(&all);
        crd_prediction_free(&again);
        crd_prediction_free(&one);
        crd_prediction_free(&other);
        *twin = *w;
        grow(w, serving);
        grow(twin, quiet);
    }
    crd_serving_free(&serving);
    crd_serving_free(&quiet);
    crd_model_free(&model);
    crd_dataset_free(&dataset);
    free(twin);
    free(w);
}

static void test_supposed(void **state)
{
    (void)state;
    static const char *const options[][7] = {
        {"model", "committee", "max-epochs", "4", NULL},
        {"model", "gpn", "max-epochs", "5", NULL},
        {"model", "appnp", "max-epochs", "5", "teleport", "0.05", NULL},
        {"model", "appnp", "max-epochs", "5", "steps", "0", NULL},
        {"model", "vgcn", "max-epochs", "5", NULL},
        {"model", "egcn", "max-epochs", "5", NULL},
        {"model", "gpn", "score", "vacuity", "max-epochs", "5", NULL},
        {"model", "appnp", "calibration", "gats", "max-epochs", "5", NULL},
        {"model", "lp", NULL},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        check_supposed(make_world(250, 4, 30, i % 2 == 0, 100 + i), options[i], 8);
    for (size_t i = 0; i < 3; i++) check_supposed(make_world(3500, 18, 2000, i == 1, 110 + i), options[i], 8);
}

/* Adds many times, and compares some nodes, at last all of them, with a whole prediction. */
static void check_growth_by(world *w, const char *const *options, int rounds, int64_t some_nodes)
{
    crd_error error;
    crd_dataset *dataset = dataset_of(w);
    crd_model *model = model_of(dataset, options);
    crd_serving *serving;
    if (crd_serving_open(model, dataset, CRD_THREADS(1), &serving, &error) != CRD_OK) fail_msg("%s", error.message);
    for (int round = 0; round <= rounds; round++) {
        crd_prediction *some, *whole;
        int64_t *asked = malloc((size_t)MOST_NODES * sizeof *asked), count = some_nodes;
        if (round < rounds) grow(w, serving);
        for (int64_t i = 0; i < count; i++) asked[i] = i < 4 && w->nodes > 4 ? w->nodes - 1 - i : draw(w, w->nodes);
        if (round == rounds) {
            count = w->nodes;
            for (int64_t i = 0; i < count; i++) asked[i] = i;
        }
        crd_dataset *grown = dataset_of(w);
        if (crd_serving_predict(serving, asked, count, &some, &error) != CRD_OK) fail_msg("%s", error.message);
        if (crd_predict(model, grown, CRD_THREADS(1), &whole, &error) != CRD_OK) fail_msg("%s", error.message);
        assert_int_equal(crd_prediction_nodes(some), count);
        for (int64_t i = 0; i < count; i++) assert_int_equal(crd_prediction_node(some, i), asked[i]);
        same(some, whole);
        crd_prediction_free(&some);
        crd_prediction_free(&whole);
        if (round == rounds) {
            if (crd_predict_nodes(model, grown, asked, 5, CRD_THREADS(1), &some, &error) != CRD_OK)
                fail_msg("%s", error.message);
            if (crd_predict(model, grown, CRD_THREADS(1), &whole, &error) != CRD_OK) fail_msg("%s", error.message);
            same(some, whole);
            crd_prediction_free(&some);
            crd_prediction_free(&whole);
        }
        crd_dataset_free(&grown);
        free(asked);
    }
    crd_serving_free(&serving);
    crd_serving_free(&serving); /* nothing happens */
    crd_model_free(&model);
    crd_dataset_free(&dataset);
    free(w);
}

static void check_growth(world *w, const char *const *options, int rounds)
{
    check_growth_by(w, options, rounds, 8);
}

static void test_committee(void **state)
{
    (void)state;
    const char *const options[] = {"model", "committee", "max-epochs", "8", NULL};
    check_growth(make_world(300, 4, 0, true, 1), options, 25);
    check_growth(make_world(300, 3, 120, false, 2), options, 25);
    check_growth(make_world(1500, 12, 300, true, 3), options, 25);
    check_growth(make_world(90, 1, 0, true, 4), options, 10);
}

static void test_gpn(void **state)
{
    (void)state;
    const char *const options[] = {"model", "gpn", "max-epochs", "8", NULL};
    check_growth(make_world(300, 4, 0, true, 5), options, 25);
    check_growth(make_world(1500, 12, 300, false, 6), options, 25);
    check_growth(make_world(2500, 2, 30, true, 7), options, 25);
}

static void test_appnp(void **state)
{
    (void)state;
    const char *const options[] = {"model", "appnp", "max-epochs", "8", NULL};
    const char *const without[] = {"model", "appnp", "max-epochs", "8", "steps", "0", NULL};
    const char *const stays[] = {"model", "appnp", "max-epochs", "8", "teleport", "1", NULL};
    const char *const leaves[] = {"model", "appnp", "max-epochs", "8", "teleport", "0", "steps", "14", NULL};
    check_growth(make_world(2000, 14, 0, false, 8), options, 40);
    check_growth(make_world(2500, 5, 800, true, 9), options, 25);
    check_growth(make_world(300, 4, 0, true, 10), without, 6);
    check_growth(make_world(300, 4, 0, true, 11), stays, 6);
    check_growth(make_world(1200, 6, 0, true, 12), leaves, 20);
}

/* In a graph that is large enough, long walks are known by groups of nodes only. Answers for one node are then not
 * worth computing everything, unless they may be wrong. */
static void test_groups(void **state)
{
    (void)state;
    const char *const committee[] = {"model", "committee", "max-epochs", "4", NULL};
    const char *const gpn[] = {"model", "gpn", "max-epochs", "8", NULL};
    const char *const appnp[] = {"model", "appnp", "max-epochs", "8", "teleport", "0.05", NULL};
    check_growth_by(make_world(3700, 18, 2000, true, 70), committee, 30, 1);
    check_growth_by(make_world(3700, 20, 0, false, 71), gpn, 60, 1);
    check_growth_by(make_world(3700, 16, 3000, true, 72), appnp, 60, 1);
}

/* The C library's memory, of which one allocation fails. */
static int64_t until_failure;

static bool fails(void)
{
    return until_failure >= 0 && until_failure-- == 0;
}

static void *allocate(size_t bytes, void *user)
{
    (void)user;
    return fails() ? NULL : malloc(bytes);
}

static void *reallocate(void *block, size_t bytes, void *user)
{
    (void)user;
    return fails() ? NULL : realloc(block, bytes);
}

static void release(void *block, void *user)
{
    (void)user;
    free(block);
}

/* Adds a node to node 0 and asks for it, after every allocation of both calls has failed once. Nothing is added by a
 * call that failed, and what it left behind does no harm. */
static void test_memory(void **state)
{
    (void)state;
    static const char *const options[][5] = {{"model", "committee", "max-epochs", "3", NULL},
                                             {"model", "gpn", "max-epochs", "3", NULL},
                                             {"model", "vgcn", "max-epochs", "3", NULL}};
    const crd_allocator failing = {
        .size = sizeof failing, .allocate = allocate, .reallocate = reallocate, .release = release};
    until_failure = -1;
    assert_int_equal(crd_set_allocator(&failing, NULL), CRD_OK);
    for (int kind = 0; kind < 3; kind++) {
        crd_error error;
        world *w = make_world(256, 6, 0, true, 90); /* the arrays are full: the first addition makes them grow */
        crd_dataset *dataset = dataset_of(w);
        crd_model *model = model_of(dataset, options[kind]);
        crd_serving *serving;
        crd_prediction *some, *whole;
        int failed = 0;
        assert_int_equal(crd_serving_open(model, dataset, CRD_THREADS(1), &serving, &error), CRD_OK);
        for (int round = 0; round < 12; round++) {
            const int64_t node = w->nodes, zero = 0;
            crd_status status = CRD_ERROR_MEMORY;
            add_node(w);
            add_edge(w, node, zero);
            const crd_addition addition = {.size = sizeof addition,
                                           .nodes = 1,
                                           .dense = w->dense + node * COLUMNS,
                                           .edges = 1,
                                           .source = &node,
                                           .target = &zero};
            for (int64_t n = 0; status != CRD_OK; n++) {
                until_failure = n;
                status = crd_serving_add(serving, &addition, NULL, &error);
                failed += status != CRD_OK;
                assert_int_equal(crd_serving_nodes(serving), node + (status == CRD_OK ? 1 : 0));
            }
            status = CRD_ERROR_MEMORY;
            const int64_t next = node + 1;
            crd_addition unkept = addition; /* the same once more, not kept */
            unkept.source = &next;
            for (int64_t n = 0; status != CRD_OK; n++) {
                until_failure = n;
                status = crd_serving_predict_new(serving, &unkept, CRD_THREADS(1), &some, &error);
                failed += status != CRD_OK;
                assert_int_equal(crd_serving_nodes(serving), next);
            }
            crd_prediction_free(&some);
            status = CRD_ERROR_MEMORY;
            for (int64_t n = 0; status != CRD_OK; n++) {
                until_failure = n;
                status = crd_serving_predict(serving, &node, 1, &some, &error);
                failed += status != CRD_OK;
            }
            until_failure = -1;
            crd_dataset *grown = dataset_of(w);
            assert_int_equal(crd_predict(model, grown, CRD_THREADS(1), &whole, &error), CRD_OK);
            same(some, whole);
            crd_prediction_free(&some);
            crd_prediction_free(&whole);
            crd_dataset_free(&grown);
        }
        assert_true(failed > 50);
        crd_serving_free(&serving);
        crd_model_free(&model);
        crd_dataset_free(&dataset);
        free(w);
    }
    assert_int_equal(crd_set_allocator(NULL, NULL), CRD_OK);
}

/* Features that are far beyond those of training, and a graph that was hardly connected. */
static void test_extremes(void **state)
{
    (void)state;
    const char *const gpn[] = {"model", "gpn", "max-epochs", "5", NULL};
    const char *const appnp[] = {"model", "appnp", "max-epochs", "5", NULL};
    check_growth(make_world(200, 0, 2, true, 80), gpn, 10);
    world *w = make_world(200, 4, 40, false, 81);
    for (int64_t i = 0; i < w->nodes; i += 9)
        for (int c = 0; c < COLUMNS; c++) w->dense[i * COLUMNS + c] *= 1e4f;
    check_growth(w, appnp, 10);
}

/* These predict two hops or the whole. */
static void test_others(void **state)
{
    (void)state;
    static const char *const options[][7] = {
        {"model", "vgcn", "max-epochs", "5", NULL},
        {"model", "gkde-gcn", "max-epochs", "5", NULL},
        {"model", "egcn", "max-epochs", "5", NULL},
        {"model", "egcn", "score", "own", "max-epochs", "5", NULL},
        {"model", "gpn", "score", "vacuity", "max-epochs", "5", NULL},
        {"model", "vgcn", "score", "gnnsafe", "max-epochs", "5", NULL},
        {"model", "appnp", "calibration", "gats", "max-epochs", "5", NULL},
        {"model", "lp", NULL},
        {"model", "gkde", NULL},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        check_growth(make_world(250, 4, 30, i % 2 == 0, 20 + i), options[i], 6);
}

/* Many nodes in one call, and the same after it. */
static void test_many_at_once(void **state)
{
    (void)state;
    const char *const options[] = {"model", "committee", "max-epochs", "5", NULL};
    crd_error error;
    world *w = make_world(400, 5, 0, true, 30);
    crd_dataset *dataset = dataset_of(w);
    crd_model *model = model_of(dataset, options);
    crd_serving *serving;
    assert_int_equal(crd_serving_open(model, dataset, CRD_THREADS(2), &serving, &error), CRD_OK);
    const int64_t first = w->nodes, edges = w->edges;
    for (int64_t i = 0; i < 900; i++) add_node(w);
    for (int64_t i = 0; i < 4000; i++) add_edge(w, first + draw(w, 900), draw(w, w->nodes));
    const crd_addition addition = {.size = sizeof addition,
                                   .nodes = 900,
                                   .dense = w->dense + first * COLUMNS,
                                   .edges = w->edges - edges,
                                   .source = w->source + edges,
                                   .target = w->target + edges};
    if (crd_serving_add(serving, &addition, NULL, &error) != CRD_OK) fail_msg("%s", error.message);
    int64_t asked[1000];
    for (int64_t i = 0; i < 1000; i++) asked[i] = 300 + i;
    crd_prediction *some, *whole;
    crd_dataset *grown = dataset_of(w);
    assert_int_equal(crd_serving_predict(serving, asked, 1000, &some, &error), CRD_OK);
    assert_int_equal(crd_predict(model, grown, CRD_THREADS(1), &whole, &error), CRD_OK);
    same(some, whole);
    /* What can be done with a prediction can be done with this one. */
    int64_t flagged;
    assert_non_null(crd_prediction_doubt(some));
    assert_int_equal(crd_prediction_flag_unknown(some, 0.2, &flagged, &error), CRD_OK);
    const crd_rejection half = {
        .size = sizeof half, .by_coverage = true, .coverage = 0.5, .score = CRD_SCORE_EPISTEMIC};
    assert_int_equal(crd_prediction_reject(some, &half, &flagged, &error), CRD_OK);
    assert_int_equal(flagged, 500);
    crd_prediction_free(&some);
    crd_prediction_free(&whole);
    crd_dataset_free(&grown);
    crd_serving_free(&serving);
    crd_model_free(&model);
    crd_dataset_free(&dataset);
    free(w);
}

static void refused(crd_serving *serving, crd_addition addition, const char *says)
{
    crd_error error;
    int64_t before = crd_serving_nodes(serving), first = -7;
    assert_int_not_equal(crd_serving_add(serving, &addition, &first, &error), CRD_OK);
    if (strstr(error.message, says) == NULL) fail_msg("'%s' says nothing of '%s'", error.message, says);
    assert_int_equal(crd_serving_nodes(serving), before);
    assert_int_equal(first, -7);
}

static void refused_new(crd_serving *serving, crd_addition addition, const char *says)
{
    crd_error error;
    crd_prediction *prediction = (crd_prediction *)&error;
    addition.size = sizeof addition;
    assert_int_not_equal(crd_serving_predict_new(serving, &addition, NULL, &prediction, &error), CRD_OK);
    if (strstr(error.message, says) == NULL) fail_msg("'%s' says nothing of '%s'", error.message, says);
    assert_null(prediction);
}

static void test_wrong(void **state)
{
    (void)state;
    const char *const options[] = {"model", "gpn", "max-epochs", "3", NULL};
    crd_error error;
    world *w = make_world(100, 4, 0, true, 40);
    crd_dataset *dataset = dataset_of(w);
    crd_model *model = model_of(dataset, options);
    crd_serving *serving;
    crd_prediction *prediction;
    assert_int_equal(crd_serving_open(model, dataset, CRD_THREADS(1), &serving, &error), CRD_OK);
    const int64_t end[] = {100}, start[] = {0}, falling[] = {1, 0}, rows[] = {0, 1};
    const int32_t column[] = {COLUMNS};
    const float bad[COLUMNS] = {NAN};
    const size_t size = sizeof(crd_addition);
    refused(serving, (crd_addition){.nodes = 1}, "size");
    refused(serving, (crd_addition){.size = size, .nodes = 1}, "need features");
    refused(serving, (crd_addition){.size = size, .nodes = -1}, "negative");
    refused(serving, (crd_addition){.size = size, .edges = 1}, "source and target");
    refused(serving, (crd_addition){.size = size, .edges = 1, .source = start, .target = end}, "nodes are 0 to 99");
    refused(serving, (crd_addition){.size = size, .nodes = 1, .dense = bad}, "finite");
    refused(serving, (crd_addition){.size = size, .nodes = 1, .row_start = falling, .column = column}, "row_start");
    refused(serving, (crd_addition){.size = size, .nodes = 1, .row_start = rows, .column = column}, "column 12");
    const int64_t new[] = {100, 101}, old[] = {101, 0}, other[] = {5};
    refused_new(serving, (crd_addition){.nodes = 1, .dense = bad}, "finite");
    refused_new(serving, (crd_addition){.nodes = 2, .dense = w->dense, .edges = 1, .source = new, .target = old},
                "edge 0 joins nodes 100 and 101, but new nodes are answered one by one");
    refused_new(serving, (crd_addition){.edges = 1, .source = old + 1, .target = other}, "joins nodes 0 and 5");
    assert_int_equal(crd_serving_predict_new(serving, &(crd_addition){.size = size}, NULL, &prediction, &error),
                     CRD_OK);
    assert_int_equal(crd_prediction_nodes(prediction), 0);
    crd_prediction_free(&prediction);
    assert_int_equal(crd_serving_predict(serving, end, 1, &prediction, &error), CRD_ERROR_ARGUMENT);
    assert_null(prediction);
    assert_string_equal(error.message, "there is no node 100: the data have 100, numbered from 0");
    assert_int_equal(crd_predict_nodes(model, dataset, end, 1, CRD_THREADS(1), &prediction, &error),
                     CRD_ERROR_ARGUMENT);
    assert_int_equal(crd_serving_predict(serving, NULL, 0, &prediction, &error), CRD_OK);
    assert_int_equal(crd_prediction_nodes(prediction), 0);
    crd_prediction_free(&prediction);
    crd_serving_free(&serving);
    crd_model_free(&model);
    crd_dataset_free(&dataset);
    free(w);
}

/* A part with true degrees: exact for two convolutions, never too much evidence for a gpn, and better with each hop. */
static void test_part(void **state)
{
    (void)state;
    static const char *const options[][5] = {{"model", "vgcn", "max-epochs", "5", NULL},
                                             {"model", "gpn", "max-epochs", "5", NULL}};
    for (int kind = 0; kind < 2; kind++) {
        crd_error error;
        world *w = make_world(600, 5, 0, true, 50);
        crd_dataset *dataset = dataset_of(w);
        crd_model *model = model_of(dataset, options[kind]);
        crd_prediction *whole, *part;
        assert_int_equal(crd_predict(model, dataset, CRD_THREADS(1), &whole, &error), CRD_OK);
        int64_t node = 0;
        while (dataset->graph.start[node + 1] - dataset->graph.start[node] < 3) node++;
        double missing = INFINITY;
        for (int hops = 1; hops <= 4; hops++) {
            uint8_t keep[MOST_NODES] = {0};
            int64_t degrees[MOST_NODES], count = 0, place = -1;
            keep[node] = 1;
            for (int hop = 0; hop < hops; hop++)
                for (int64_t i = 0; i < w->nodes; i++)
                    for (int64_t e = dataset->graph.start[i]; keep[i] == hop + 1 && e < dataset->graph.start[i + 1];
                         e++)
                        if (keep[dataset->graph.neighbour[e]] == 0)
                            keep[dataset->graph.neighbour[e]] = (uint8_t)(hop + 2);
            for (int64_t i = 0; i < w->nodes; i++) {
                if (i == node) place = count;
                if (keep[i]) degrees[count++] = dataset->graph.start[i + 1] - dataset->graph.start[i];
            }
            crd_dataset *subset;
            assert_int_equal(crd_dataset_subset(dataset, keep, &subset, &error), CRD_OK);
            assert_int_equal(crd_predict_part(model, subset, degrees, &place, 1, CRD_THREADS(1), &part, &error),
                             CRD_OK);
            const int32_t classes = crd_prediction_classes(part);
            double lost = 0.0;
            for (int32_t k = 0; k < classes; k++) {
                if (kind == 0 && hops >= 2)
                    near(crd_prediction_probability(part)[k], crd_prediction_probability(whole)[node * classes + k],
                         1e-2, "p", node);
                if (kind == 1) lost += crd_prediction_alpha(whole)[node * classes + k] - crd_prediction_alpha(part)[k];
            }
            if (kind == 1) assert_true(lost >= -1e-3 && lost < missing);
            if (kind == 1) missing = lost;
            crd_prediction_free(&part);
            /* Degrees that are too small cannot be true. */
            degrees[place] = 1;
            assert_int_equal(crd_predict_part(model, subset, degrees, NULL, 0, CRD_THREADS(1), &part, &error),
                             CRD_ERROR_ARGUMENT);
            assert_null(part);
            crd_dataset_free(&subset);
        }
        crd_prediction_free(&whole);
        crd_model_free(&model);
        crd_dataset_free(&dataset);
        free(w);
    }
}

/* Rows of a graph that grows are those of a graph made at once. */
static void test_growing(void **state)
{
    (void)state;
    world *w = make_world(200, 3, 20, true, 60);
    crd_dataset *dataset = dataset_of(w);
    crd_growing growing;
    assert_int_equal(crd_growing_open(&dataset->graph, &growing, NULL), CRD_OK);
    for (int round = 0; round < 6; round++) {
        for (int i = 0; i < 10; i++) add_node(w);
        assert_int_equal(crd_growing_reserve(&growing, 10, 60, NULL), CRD_OK);
        crd_growing_add_nodes(&growing, 10);
        for (int e = 0; e < 60; e++) {
            const int64_t a = draw(w, w->nodes), b = draw(w, w->nodes);
            add_edge(w, a, b);
            crd_growing_add_edge(&growing, a, b);
            assert_false(crd_growing_add_edge(&growing, b, a));
        }
        if (round % 2 == 1) assert_int_equal(crd_growing_settle(&growing, NULL), CRD_OK);
        crd_dataset *grown = dataset_of(w);
        assert_int_equal(growing.nodes, grown->graph.nodes);
        for (int64_t i = 0; i < growing.nodes; i++) {
            crd_neighbours n = crd_neighbours_of(&growing, i);
            int64_t count = 0;
            for (int32_t j; (j = crd_neighbours_next(&n)) >= 0; count++) {
                assert_true(crd_graph_has_edge(&grown->graph, i, j));
                if (round % 2 == 1) assert_int_equal(j, grown->graph.neighbour[grown->graph.start[i] + count]);
            }
            assert_int_equal(count, grown->graph.start[i + 1] - grown->graph.start[i]);
            assert_int_equal(count, growing.degree[i]);
        }
        crd_dataset_free(&grown);
    }
    crd_growing_close(&growing);
    crd_dataset_free(&dataset);
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_growing),  cmocka_unit_test(test_committee),    cmocka_unit_test(test_gpn),
        cmocka_unit_test(test_appnp),    cmocka_unit_test(test_groups),       cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_memory),   cmocka_unit_test(test_others),       cmocka_unit_test(test_part),
        cmocka_unit_test(test_supposed), cmocka_unit_test(test_many_at_once), cmocka_unit_test(test_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
