/* SPDX-License-Identifier: MIT */
/* bench_serving: appends nodes to a large graph one after the other and scores each, beside predictions of the whole
 * graph; prints the times and the largest differences as one JSON object. See bench/README.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "credence_private.h"
#include "graph/dataset.h"

enum { NEIGHBOURS = 10, WORDS = 20 };

static void die(const char *what)
{
    fprintf(stderr, "bench_serving: %s\n", what);
    exit(1);
}

static void must(crd_status status, const crd_error *error)
{
    if (status != CRD_OK) die(error->message);
}

static void *must_have(void *memory)
{
    if (memory == NULL) die("out of memory");
    return memory;
}

/* The graph as arrays that grow, to make it again from. */
typedef struct {
    int64_t nodes, edges, columns, entries;
    int64_t *source, *target, *row_start;
    int32_t *column;
    float *value;
} arrays;

static void copy_graph(const crd_dataset *d, int64_t more, arrays *a)
{
    const int64_t edges = d->graph.start[d->graph.nodes], entries = d->features.start[d->graph.nodes];
    *a = (arrays){.nodes = d->graph.nodes, .columns = d->features.columns, .entries = entries};
    a->source = must_have(malloc((size_t)(edges + more * NEIGHBOURS) * sizeof *a->source));
    a->target = must_have(malloc((size_t)(edges + more * NEIGHBOURS) * sizeof *a->target));
    a->row_start = must_have(malloc((size_t)(a->nodes + more + 1) * sizeof *a->row_start));
    a->column = must_have(malloc((size_t)(entries + more * WORDS) * sizeof *a->column));
    a->value = must_have(malloc((size_t)(entries + more * WORDS) * sizeof *a->value));
    for (int64_t i = 0; i < a->nodes; i++)
        for (int64_t e = d->graph.start[i]; e < d->graph.start[i + 1]; e++) {
            a->source[a->edges] = i;
            a->target[a->edges++] = d->graph.neighbour[e];
        }
    memcpy(a->row_start, d->features.start, (size_t)(a->nodes + 1) * sizeof *a->row_start);
    memcpy(a->column, d->features.column, (size_t)entries * sizeof *a->column);
    memcpy(a->value, d->features.value, (size_t)entries * sizeof *a->value);
}

static uint64_t state = 88172645463325252u;
static int64_t draw(int64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int64_t)(state % (uint64_t)below);
}

/* A new node with the words of an old one, ten edges near it or anywhere, and one in three to an earlier new node. */
static void append(arrays *a, int64_t first, crd_addition *addition)
{
    const int64_t like = draw(first), edges = a->edges, entries = a->entries;
    int64_t words = a->row_start[like + 1] - a->row_start[like];
    if (words > WORDS) words = WORDS;
    for (int64_t w = 0; w < words; w++) {
        a->column[a->entries] = a->column[a->row_start[like] + w];
        a->value[a->entries++] = a->value[a->row_start[like] + w];
    }
    for (int64_t n = 0; n < NEIGHBOURS; n++) {
        const bool to_new = n == 0 && a->nodes > first && draw(3) == 0;
        a->source[a->edges] = a->nodes;
        a->target[a->edges++] = to_new ? first + draw(a->nodes - first) : draw(first);
    }
    static int64_t row_start[2];
    row_start[1] = words;
    *addition = (crd_addition){.size = sizeof *addition,
                               .nodes = 1,
                               .row_start = row_start,
                               .column = a->column + entries,
                               .value = a->value + entries,
                               .edges = NEIGHBOURS,
                               .source = a->source + edges,
                               .target = a->target + edges};
    a->row_start[++a->nodes] = a->entries;
}

static crd_dataset *rebuild(const arrays *a)
{
    crd_error error;
    crd_dataset *dataset;
    const crd_arrays given = {.size = sizeof given,
                              .nodes = a->nodes,
                              .edges = a->edges,
                              .source = {a->source, CRD_INT64},
                              .target = {a->target, CRD_INT64},
                              .features = a->columns,
                              .entries = a->entries,
                              .row_start = {a->row_start, CRD_INT64},
                              .column = {a->column, CRD_INT32},
                              .value = {a->value, CRD_FLOAT32}};
    must(crd_dataset_from_arrays(&given, &dataset, &error), &error);
    return dataset;
}

static double relative(double x, double y, double least)
{
    return fabs(x - y) / fmax(least, fabs(y));
}

/* The largest relative difference of probabilities, epistemic scores and alpha. Scores are logarithms that may be 0. */
static double compare(const crd_prediction *served, const crd_prediction *whole)
{
    const int64_t node = crd_prediction_node(served, 0);
    const int32_t classes = crd_prediction_classes(served);
    const double *score = crd_prediction_score(served, CRD_SCORE_EPISTEMIC);
    const float *alpha = crd_prediction_alpha(served);
    double most = score == NULL ? 0.0 : relative(score[0], crd_prediction_score(whole, CRD_SCORE_EPISTEMIC)[node], 1.0);
    for (int32_t k = 0; k < classes; k++) {
        const int64_t at = node * classes + k;
        most = fmax(most, relative(crd_prediction_probability(served)[k], crd_prediction_probability(whole)[at], 1e-3));
        if (alpha == NULL) continue;
        most = fmax(most, relative(alpha[k], crd_prediction_alpha(whole)[at], 1e-3));
    }
    return most;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static crd_model *train(const crd_dataset *dataset, const char *kind, const char *epochs)
{
    crd_error error;
    crd_config *config;
    crd_split *split;
    crd_model *model;
    must(crd_config_new(&config, &error), &error);
    must(crd_config_set(config, "model", kind, &error), &error);
    must(crd_config_set(config, "max-epochs", epochs, &error), &error);
    must(crd_split_make(dataset, "5/15/80", 0, 1, &split, &error), &error);
    must(crd_train(dataset, split, config, NULL, &model, &error), &error);
    crd_split_free(&split);
    crd_config_free(&config);
    return model;
}

int main(int argc, char **argv)
{
    if (argc != 6) die("usage: bench_serving KIND NODES ADDITIONS EVERY EPOCHS (compared at every EVERY-th addition)");
    const int64_t nodes = atoll(argv[2]), additions = atoll(argv[3]), every = atoll(argv[4]);
    crd_error error;
    crd_generate_options options;
    crd_generate_defaults(&options);
    options.nodes = nodes;
    options.degree = 20;
    options.words = 8; /* few, so that edges count */
    options.strength = 0.3;
    crd_dataset *dataset;
    must(crd_generate(&options, &dataset, &error), &error);
    if (!dataset->features.sparse) die("the features are dense");
    crd_model *model = train(dataset, argv[1], argv[5]);
    arrays a;
    copy_graph(dataset, 2 * additions, &a);
    crd_serving *serving;
    double begin = bench_now();
    must(crd_serving_open(model, dataset, CRD_THREADS(1), &serving, &error), &error);
    const double open_seconds = bench_now() - begin;
    double *seconds = must_have(malloc((size_t)additions * sizeof *seconds)), most = 0.0, mean = 0.0;
    double rebuild_seconds = 0.0, predict_seconds = 0.0;
    int64_t compared = 0;
    for (int64_t i = 0; i < additions; i++) {
        crd_addition addition;
        crd_prediction *served, *whole;
        int64_t node;
        append(&a, nodes, &addition);
        begin = bench_now();
        must(crd_serving_add(serving, &addition, &node, &error), &error);
        must(crd_serving_predict(serving, &node, 1, &served, &error), &error);
        seconds[i] = bench_now() - begin;
        mean += seconds[i] / (double)additions;
        if (every > 0 && i % every == every - 1) {
            begin = bench_now();
            crd_dataset *grown = rebuild(&a);
            rebuild_seconds += bench_now() - begin;
            begin = bench_now();
            must(crd_predict(model, grown, CRD_THREADS(1), &whole, &error), &error);
            predict_seconds += bench_now() - begin;
            const double difference = compare(served, whole);

            most = fmax(most, difference);
            compared++;
            crd_prediction_free(&whole);
            crd_dataset_free(&grown);
        }
        crd_prediction_free(&served);
    }
    qsort(seconds, (size_t)additions, sizeof *seconds, ascending);
    /* As many at once. */
    const int64_t first = a.nodes, first_edge = a.edges, first_entry = a.entries;
    crd_addition addition;
    for (int64_t i = 0; i < additions; i++) append(&a, nodes, &addition);
    int64_t *row_start = must_have(malloc((size_t)(additions + 1) * sizeof *row_start));
    int64_t *asked = must_have(malloc((size_t)additions * sizeof *asked));
    for (int64_t i = 0; i <= additions; i++) row_start[i] = a.row_start[first + i] - first_entry;
    for (int64_t i = 0; i < additions; i++) asked[i] = first + i;
    addition.nodes = additions;
    addition.row_start = row_start;
    addition.column = a.column + first_entry;
    addition.value = a.value + first_entry;
    addition.edges = additions * NEIGHBOURS;
    addition.source = a.source + first_edge;
    addition.target = a.target + first_edge;
    crd_prediction *served;
    begin = bench_now();
    must(crd_serving_add(serving, &addition, NULL, &error), &error);
    must(crd_serving_predict(serving, asked, additions, &served, &error), &error);
    const double together = bench_now() - begin;
    const double times = compared > 0 ? 1.0 / (double)compared : 0.0;
    printf(
        "{\"kind\":\"%s\",\"nodes\":%lld,\"additions\":%lld,\"open\":%.6f,\"median\":%.6f,\"mean\":%.6f,\"p99\":%.6f,"
        "\"together\":%.6f,\"rebuild\":%.6f,\"predict\":%.6f,\"compared\":%lld,\"difference\":%.3g}\n",
        argv[1], (long long)nodes, (long long)additions, open_seconds, seconds[additions / 2], mean,
        seconds[additions * 99 / 100], together, rebuild_seconds * times, predict_seconds * times, (long long)compared,
        most);
    crd_prediction_free(&served);
    crd_serving_free(&serving);
    crd_model_free(&model);
    crd_dataset_free(&dataset);
    free(seconds);
    free(row_start);
    free(asked);
    free(a.source);
    free(a.target);
    free(a.row_start);
    free(a.column);
    free(a.value);
    return 0;
}
