/* SPDX-License-Identifier: MIT */
/* Synthetic graphs have the requested properties. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "graph/dataset.h"

static crd_dataset *generate(const crd_generate_options *options)
{
    crd_dataset *dataset;
    crd_error error = {0};
    if (crd_generate(options, &dataset, &error) != CRD_OK) fail_msg("%s", error.message);
    return dataset;
}

static crd_generate_options defaults(void)
{
    crd_generate_options options;
    crd_generate_defaults(&options);
    /* The tests below rely on these, whatever the demo's graph becomes. */
    options.nodes = 2000;
    options.classes = 6;
    options.features = 600;
    options.degree = 5.0;
    options.homophily = 0.85;
    options.words = 20.0;
    options.strength = 0.6;
    options.overlap = 0.5;
    options.lookalikes = 2;
    return options;
}

static double homophily_of(const crd_dataset *d)
{
    int64_t inside = 0, edges = d->graph.start[d->graph.nodes];
    for (int64_t i = 0; i < d->graph.nodes; i++)
        for (int64_t e = d->graph.start[i]; e < d->graph.start[i + 1]; e++)
            inside += d->labels[i] == d->labels[d->graph.neighbour[e]];
    return (double)inside / (double)edges;
}

static void test_sizes(void **state)
{
    (void)state;
    crd_generate_options o = defaults();
    crd_dataset *d = generate(&o);
    assert_int_equal(crd_dataset_nodes(d), 2000);
    assert_int_equal(crd_dataset_features(d), 600);
    assert_int_equal(crd_dataset_classes(d), 6);
    assert_int_equal(d->graph.start[2000], 2000 * 5); /* both directions of nodes * degree / 2 edges */
    assert_false(d->directed);
    assert_int_equal(d->self_loops, 0);
    assert_int_equal(d->duplicates, 0);
    assert_int_equal(crd_dataset_note_count(d), 0);
    assert_true(d->features.sparse);
    int64_t count[6], least = INT64_MAX, most = 0, all = 0;
    crd_dataset_class_counts(d, count);
    for (int c = 0; c < 6; c++) {
        least = count[c] < least ? count[c] : least;
        most = count[c] > most ? count[c] : most;
        all += count[c];
    }
    assert_int_equal(all, 2000);
    assert_true(least > 200 && most < 2 * least && most > least + 10); /* unequal, mildly */
    assert_string_equal(crd_dataset_class_name(d, 0), "A");
    assert_string_equal(crd_dataset_class_name(d, 5), "F");
    /* The order of the nodes does not reveal the class. */
    int changes = 0;
    for (int i = 1; i < 2000; i++) changes += d->labels[i] != d->labels[i - 1];
    assert_true(changes > 1500);
    crd_dataset_free(&d);
}

static void test_class_names(void **state)
{
    (void)state;
    crd_generate_options o = defaults();
    o.nodes = o.classes = 28; /* one node per class is enough */
    o.degree = 3;
    crd_dataset *d = generate(&o);
    assert_string_equal(crd_dataset_class_name(d, 25), "Z");
    assert_string_equal(crd_dataset_class_name(d, 26), "c26");
    assert_string_equal(crd_dataset_class_name(d, 27), "c27");
    int64_t count[28];
    crd_dataset_class_counts(d, count);
    for (int c = 0; c < 28; c++) assert_int_equal(count[c], 1);
    crd_dataset_free(&d);
}

/* 10,000 edges: the standard deviation of the fraction is at most 0.005. */
static void test_homophily(void **state)
{
    (void)state;
    static const double wanted[] = {0.0, 0.3, 0.85, 1.0};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        crd_generate_options o = defaults();
        o.nodes = 4000;
        o.homophily = wanted[i];
        crd_dataset *d = generate(&o);
        double found = homophily_of(d);
        assert_true(fabs(found - wanted[i]) < 0.02);
        if (wanted[i] == 0.0 || wanted[i] == 1.0) assert_true(found == wanted[i]);
        crd_dataset_free(&d);
    }
}

static void test_degrees(void **state)
{
    (void)state;
    static const double wanted[] = {0.0, 1.0, 2.5, 12.0};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        crd_generate_options o = defaults();
        o.nodes = 1000;
        o.degree = wanted[i];
        crd_dataset *d = generate(&o);
        assert_int_equal(d->graph.start[1000], (int64_t)(1000 * wanted[i]));
        int64_t most = 0, modest = 0;
        for (int n = 0; n < 1000; n++) {
            int64_t degree = d->graph.start[n + 1] - d->graph.start[n];
            most = degree > most ? degree : most;
            modest += (double)degree < wanted[i];
        }
        if (wanted[i] > 2.0) {
            assert_true((double)most > 4.0 * wanted[i]); /* hubs, */
            assert_true(modest > 600);                   /* and most nodes below the mean */
        }
        crd_dataset_free(&d);
    }
}

static void test_more_edges_than_fit(void **state)
{
    (void)state;
    crd_generate_options o = defaults();
    o.nodes = 12;
    o.classes = 3;
    o.lookalikes = 0;
    o.degree = 11;
    o.homophily = 1;
    crd_dataset *d = generate(&o);
    assert_int_equal(crd_dataset_note_count(d), 1);
    assert_non_null(strstr(crd_dataset_note(d, 0), "of the 66 edges asked for"));
    assert_true(homophily_of(d) == 1.0);
    crd_dataset_free(&d);
}

static void test_one_class(void **state)
{
    (void)state;
    crd_generate_options o = defaults();
    o.nodes = 100;
    o.classes = 1;
    o.lookalikes = 0;
    o.homophily = 0.5;
    crd_dataset *d = generate(&o);
    assert_int_equal(d->graph.start[100], 500);
    crd_dataset_free(&d);
}

/* Adds up the bags of words of every class: classes x features, each row divided by its length. */
static double *class_directions(const crd_dataset *d)
{
    int64_t features = d->features.columns;
    double *sum = calloc((size_t)(d->classes * features), sizeof *sum);
    for (int64_t i = 0; i < d->features.rows; i++)
        for (int64_t e = d->features.start[i]; e < d->features.start[i + 1]; e++)
            sum[d->labels[i] * features + d->features.column[e]] += (double)d->features.value[e];
    for (int32_t c = 0; c < d->classes; c++) {
        double square = 0.0;
        for (int64_t f = 0; f < features; f++) square += sum[c * features + f] * sum[c * features + f];
        for (int64_t f = 0; f < features; f++) sum[c * features + f] /= sqrt(square);
    }
    return sum;
}

static double cosine(const double *directions, int64_t features, int a, int b)
{
    double product = 0.0;
    for (int64_t f = 0; f < features; f++) product += directions[a * features + f] * directions[b * features + f];
    return product;
}

static void test_words(void **state)
{
    (void)state;
    crd_generate_options o = defaults();
    o.words = 30;
    crd_dataset *d = generate(&o);
    double words = 0.0;
    for (int64_t i = 0; i < 2000; i++) {
        double own = 0.0;
        for (int64_t e = d->features.start[i]; e < d->features.start[i + 1]; e++) own += (double)d->features.value[e];
        assert_true(own >= 1.0 && own == floor(own));
        words += own;
    }
    assert_true(fabs(words / 2000 - 30.0) < 0.5); /* four standard deviations */
    crd_dataset_free(&d);
    o.words = 1;
    d = generate(&o);
    assert_int_equal(crd_features_nonzero(&d->features), 2000);
    crd_dataset_free(&d);
}

/* Without a background, classes that imitate none share no word. */
static void test_topics(void **state)
{
    (void)state;
    crd_generate_options o = defaults();
    o.strength = 1.0;
    crd_dataset *d = generate(&o);
    double *direction = class_directions(d);
    for (int a = 0; a < 4; a++) {
        int distinct = 0;
        for (int64_t f = 0; f < 600; f++) distinct += direction[a * 600 + f] > 0.0;
        assert_int_equal(distinct, 600 / (2 * 6)); /* its whole topic and nothing else */
        for (int b = 0; b < a; b++) assert_true(cosine(direction, 600, a, b) == 0.0);
    }
    free(direction);
    crd_dataset_free(&d);
    o.strength = 0.0;
    d = generate(&o);
    direction = class_directions(d);
    for (int a = 1; a < 6; a++) assert_true(cosine(direction, 600, 0, a) > 0.98); /* all the same */
    free(direction);
    crd_dataset_free(&d);
}

/* Class 4 imitates class 0 and class 5 class 1. */
static void test_lookalikes(void **state)
{
    (void)state;
    static const double overlap[] = {0.0, 0.5, 1.0};
    double before = 0.0;
    for (int i = 0; i < 3; i++) {
        crd_generate_options o = defaults();
        o.overlap = overlap[i];
        crd_dataset *d = generate(&o);
        double *direction = class_directions(d);
        double like = cosine(direction, 600, 4, 0), unlike = cosine(direction, 600, 4, 1);
        assert_true(like > before);
        if (overlap[i] == 0.0) assert_true(fabs(like - unlike) < 0.1);
        if (overlap[i] == 0.5) {
            assert_true(like > unlike + 0.15 && like < 0.95);
            assert_true(cosine(direction, 600, 5, 1) > cosine(direction, 600, 5, 0) + 0.15);
        }
        if (overlap[i] == 1.0) assert_true(like > 0.98);
        before = like;
        free(direction);
        crd_dataset_free(&d);
    }
}

/* The topic words of look-alikes that no ordinary class has. */
static void test_lookalikes_have_words_of_their_own(void **state)
{
    (void)state;
    static const double overlap[] = {0.0, 0.3, 1.0};
    for (int i = 0; i < 3; i++) {
        crd_generate_options o = defaults();
        o.strength = 1.0;
        o.overlap = overlap[i];
        crd_dataset *d = generate(&o);
        bool ordinary[600] = {false};
        for (int64_t n = 0; n < 2000; n++)
            for (int64_t e = d->features.start[n]; e < d->features.start[n + 1]; e++)
                if (d->labels[n] < 4) ordinary[d->features.column[e]] = true;
        double own = 0.0, all = 0.0;
        for (int64_t n = 0; n < 2000; n++)
            for (int64_t e = d->features.start[n]; e < d->features.start[n + 1]; e++) {
                if (d->labels[n] < 4) continue;
                all += (double)d->features.value[e];
                if (!ordinary[d->features.column[e]]) own += (double)d->features.value[e];
            }
        assert_true(fabs(own / all - (1.0 - overlap[i])) < 0.03); /* about 13,000 words */
        crd_dataset_free(&d);
    }
}

static bool same_graph(const crd_dataset *a, const crd_dataset *b)
{
    int64_t nodes = a->graph.nodes, edges = a->graph.start[nodes];
    return edges == b->graph.start[nodes] &&
           memcmp(a->graph.start, b->graph.start, (size_t)(nodes + 1) * sizeof *a->graph.start) == 0 &&
           memcmp(a->graph.neighbour, b->graph.neighbour, (size_t)edges * sizeof *a->graph.neighbour) == 0;
}

static bool same_features(const crd_dataset *a, const crd_dataset *b)
{
    const crd_features *x = &a->features, *y = &b->features;
    size_t rows = (size_t)x->rows, count = (size_t)x->start[rows];
    return x->start[rows] == y->start[rows] && memcmp(x->start, y->start, (rows + 1) * sizeof *x->start) == 0 &&
           memcmp(x->column, y->column, count * sizeof *x->column) == 0 &&
           memcmp(x->value, y->value, count * sizeof *x->value) == 0;
}

static bool same_labels(const crd_dataset *a, const crd_dataset *b)
{
    return memcmp(a->labels, b->labels, (size_t)a->graph.nodes * sizeof *a->labels) == 0;
}

static void test_same_seed_same_graph(void **state)
{
    (void)state;
    crd_generate_options o = defaults();
    crd_dataset *first = generate(&o), *second = generate(&o);
    assert_true(same_graph(first, second) && same_features(first, second) && same_labels(first, second));
    assert_string_equal(crd_dataset_fingerprint(first), crd_dataset_fingerprint(second));
    crd_dataset_free(&second);
    o.seed = 2;
    second = generate(&o);
    assert_false(same_graph(first, second));
    assert_false(same_features(first, second));
    assert_false(same_labels(first, second));
    crd_dataset_free(&second);
    /* Options for words do not change edges, nor the other way round. */
    o.seed = 1;
    o.strength = 0.9;
    second = generate(&o);
    assert_true(same_graph(first, second) && same_labels(first, second));
    assert_false(same_features(first, second));
    crd_dataset_free(&second);
    o.strength = defaults().strength;
    o.homophily = 0.5;
    second = generate(&o);
    assert_true(same_features(first, second) && same_labels(first, second));
    assert_false(same_graph(first, second));
    crd_dataset_free(&second);
    crd_dataset_free(&first);
}

static void refuse(const crd_generate_options *options, const char *message)
{
    crd_error error = {0};
    crd_dataset *dataset = (crd_dataset *)&error; /* must be overwritten */
    assert_int_equal(crd_generate(options, &dataset, &error), CRD_ERROR_ARGUMENT);
    assert_null(dataset);
    assert_string_equal(error.message, message);
}

#define REFUSE(field, wrong, message)                                                                                  \
    do {                                                                                                               \
        crd_generate_options o_ = defaults();                                                                          \
        o_.field = wrong;                                                                                              \
        refuse(&o_, "generate: " #field message);                                                                      \
    } while (0)

static void test_wrong_options(void **state)
{
    (void)state;
    REFUSE(nodes, -1, " is -1, expected 2 to 2147483647");
    REFUSE(nodes, INT64_C(3000000000), " is 3000000000, expected 2 to 2147483647");
    REFUSE(classes, 0, " is 0, expected 1 to 2000 (no more classes than nodes)");
    REFUSE(classes, 2001, " is 2001, expected 1 to 2000 (no more classes than nodes)");
    REFUSE(features, 5, " is 5, expected 6 to 100000000 (at least one word per class)");
    REFUSE(lookalikes, 6, " is 6, expected 0 to 5 (one class must be left to look like)");
    REFUSE(lookalikes, -1, " is -1, expected 0 to 5 (one class must be left to look like)");
    REFUSE(degree, -0.5, " is -0.5, expected 0 to 1999 (no more neighbours than other nodes)");
    REFUSE(degree, 2000, " is 2000, expected 0 to 1999 (no more neighbours than other nodes)");
    REFUSE(degree, (double)INFINITY, " is inf, expected 0 to 1999 (no more neighbours than other nodes)");
    REFUSE(homophily, (double)NAN, " is nan, expected 0 to 1");
    REFUSE(homophily, 1.01, " is 1.01, expected 0 to 1");
    REFUSE(words, 0.5, " is 0.5, expected 1 to 1000000");
    REFUSE(words, 1e7, " is 10000000, expected 1 to 1000000");
    REFUSE(strength, -0.1, " is -0.1, expected 0 to 1");
    REFUSE(overlap, 2, " is 2, expected 0 to 1");
    crd_generate_options o = defaults();
    o.nodes = 1000000001; /* of degree 4 */
    o.degree = 4;
    refuse(&o, "generate: nodes x degree is 4000000004, expected 0 to 4000000000 (more would hardly fit "
               "in memory)");
    o.degree = 0;
    o.words = 4;
    refuse(&o, "generate: nodes x words is 4000000004, expected 0 to 4000000000 (more would hardly fit "
               "in memory)");
}

/* The table's parts for every item, added up over its cells, give the item's weight. */
static void test_alias_table(void **state)
{
    (void)state;
    crd_rng rng = crd_rng_start(1, 0);
    for (int trial = 0; trial < 50; trial++) {
        enum { MOST = 300 };
        double weight[MOST], mass[MOST] = {0}, total = 0.0;
        int64_t count = 1 + (int64_t)crd_rng_below(&rng, MOST);
        for (int64_t i = 0; i < count; i++) total += weight[i] = exp(4.0 * crd_rng_normal(&rng));
        crd_alias alias;
        assert_int_equal(crd_alias_new(weight, count, &alias, NULL), CRD_OK);
        for (int64_t i = 0; i < count; i++) {
            double keep = fmin(alias.cell[i].keep, 1.0);
            mass[i] += keep;
            mass[alias.cell[i].other] += 1.0 - keep;
        }
        for (int64_t i = 0; i < count; i++) assert_true(fabs(mass[i] / (double)count - weight[i] / total) < 1e-12);
        crd_alias_free(&alias);
    }
    crd_alias alias;
    int64_t drawn[3] = {0};
    assert_int_equal(crd_alias_new((double[]){1, 2, 5}, 3, &alias, NULL), CRD_OK);
    for (int i = 0; i < 80000; i++) drawn[crd_alias_draw(&alias, &rng)]++;
    assert_in_range(drawn[0], 9500, 10500); /* five standard deviations */
    assert_in_range(drawn[1], 19400, 20600);
    crd_alias_free(&alias);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_class_names),
        cmocka_unit_test(test_homophily),
        cmocka_unit_test(test_degrees),
        cmocka_unit_test(test_more_edges_than_fit),
        cmocka_unit_test(test_one_class),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_topics),
        cmocka_unit_test(test_lookalikes),
        cmocka_unit_test(test_lookalikes_have_words_of_their_own),
        cmocka_unit_test(test_same_seed_same_graph),
        cmocka_unit_test(test_wrong_options),
        cmocka_unit_test(test_alias_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
