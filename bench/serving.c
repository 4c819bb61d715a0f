/* SPDX-License-Identifier: MIT */
/* bench_serving: appends nodes to a large graph one after the other and scores each, beside predictions of the whole
 * graph; prints the times and the largest differences as one JSON object. See bench/README.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers/answers.h"
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

/* The largest relative differences of all that is compared, and where one of them is first. */
enum { PROBABILITY, ALPHA, ALPHA_FEATURES, SCORES, LATENT = SCORES + CRD_SCORES, COMPARED };

typedef struct {
    double most[COMPARED];
    int64_t rows, doubts; /* compared; and those whose doubt is by more than one place among the held nodes another */
    double doubt;         /* the largest difference */
} differences;

static void note(differences *d, int what, double served, double whole, double least)
{
    const double difference = fabs(served - whole) / fmax(least, fabs(whole));
    if (!(difference <= d->most[what])) d->most[what] = difference;
}

/* A row of one prediction and a row of another. Probabilities and alpha below 1e-3 count as if they were 1e-3. Scores
 * and positions are logarithms, or sums of numbers with both signs, that may be 0: what is less than 1 counts as 1. */
static void compare(const crd_prediction *served, int64_t row, const crd_prediction *whole, differences *d)
{
    const int64_t node = crd_prediction_node(served, row), dims = crd_prediction_latent_dims(served);
    const int32_t classes = crd_prediction_classes(served);
    for (int32_t k = 0; k < classes; k++) {
        const int64_t at = row * classes + k, from = node * classes + k;
        note(d, PROBABILITY, crd_prediction_probability(served)[at], crd_prediction_probability(whole)[from], 1e-3);
        if (crd_prediction_alpha(whole) != NULL)
            note(d, ALPHA, crd_prediction_alpha(served)[at], crd_prediction_alpha(whole)[from], 1e-3);
        if (crd_prediction_alpha_features(whole) != NULL)
            note(d, ALPHA_FEATURES, crd_prediction_alpha_features(served)[at],
                 crd_prediction_alpha_features(whole)[from], 1e-3);
    }
    for (int i = 0; i < CRD_SCORES; i++) {
        const double *score = crd_prediction_score(whole, (crd_score)i);
        if (score != NULL) note(d, SCORES + i, crd_prediction_score(served, (crd_score)i)[row], score[node], 1.0);
    }
    for (int64_t i = 0; i < dims; i++)
        note(d, LATENT, crd_prediction_latent(served)[row * dims + i], crd_prediction_latent(whole)[node * dims + i],
             1.0);
    if (crd_prediction_doubt(whole) != NULL) {
        const double doubt = fabs(crd_prediction_doubt(served)[row] - crd_prediction_doubt(whole)[node]);
        d->doubt = fmax(d->doubt, doubt);
        d->doubts += doubt * (double)(whole->held_count + 1) > 1.5;
    }
    d->rows++;
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

/* ---- times ---- */

typedef struct {
    double wall, cpu;
} moment;

static moment now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (moment){bench_now(), (double)t.tv_sec + 1e-9 * (double)t.tv_nsec};
}

static moment since(moment begin)
{
    const moment end = now();
    return (moment){end.wall - begin.wall, end.cpu - begin.cpu};
}

typedef struct {
    int64_t count;
    double *wall, *cpu;
} times;

static times times_of(int64_t room)
{
    return (times){0, must_have(malloc((size_t)room * sizeof(double))),
                   must_have(malloc((size_t)room * sizeof(double)))};
}

static void keep_time(times *t, moment took)
{
    t->wall[t->count] = took.wall;
    t->cpu[t->count++] = took.cpu;
}

static void print_spread(const char *name, double *seconds, int64_t count)
{
    double mean = 0.0;
    qsort(seconds, (size_t)count, sizeof *seconds, ascending);
    for (int64_t i = 0; i < count; i++) mean += seconds[i] / (double)count;
    printf("\"%s\":{\"least\":%.6f,\"median\":%.6f,\"mean\":%.6f,\"p99\":%.6f},", name, seconds[0], seconds[count / 2],
           mean, seconds[count * 99 / 100]);
}

/* ---- the run ---- */

typedef struct {
    const crd_model *model;
    crd_serving *serving;
    arrays graph;
    int64_t nodes; /* of the graph at first */
    differences differences;
    times whole;
} serving_run;

/* Predicts the grown graph as a whole, and asks for the newest nodes again, one by one. */
static void compare_newest(serving_run *r, int64_t count, const crd_prediction *answer)
{
    crd_error error;
    crd_prediction *whole, *served;
    const moment begin = now();
    crd_dataset *grown = rebuild(&r->graph);
    must(crd_predict(r->model, grown, CRD_THREADS(1), &whole, &error), &error);
    keep_time(&r->whole, since(begin));
    compare(answer, 0, whole, &r->differences);
    for (int64_t i = 1; i < count; i++) {
        const int64_t node = r->graph.nodes - 1 - i;
        must(crd_serving_predict(r->serving, &node, 1, &served, &error), &error);
        compare(served, 0, whole, &r->differences);
        crd_prediction_free(&served);
    }
    crd_prediction_free(&whole);
    crd_dataset_free(&grown);
}

static void append_one_by_one(serving_run *r, int64_t additions, int64_t every, times *t)
{
    crd_error error;
    for (int64_t i = 0; i < additions; i++) {
        crd_addition addition;
        crd_prediction *served;
        int64_t node;
        append(&r->graph, r->nodes, &addition);
        const moment begin = now();
        must(crd_serving_add(r->serving, &addition, &node, &error), &error);
        must(crd_serving_predict(r->serving, &node, 1, &served, &error), &error);
        keep_time(t, since(begin));
        if (i % every == every - 1) compare_newest(r, every, served);
        crd_prediction_free(&served);
    }
}

static moment append_at_once(serving_run *r, int64_t additions)
{
    crd_error error;
    arrays *a = &r->graph;
    const int64_t first = a->nodes, first_edge = a->edges, first_entry = a->entries;
    crd_addition addition;
    for (int64_t i = 0; i < additions; i++) append(a, r->nodes, &addition);
    int64_t *row_start = must_have(malloc((size_t)(additions + 1) * sizeof *row_start));
    int64_t *asked = must_have(malloc((size_t)additions * sizeof *asked));
    for (int64_t i = 0; i <= additions; i++) row_start[i] = a->row_start[first + i] - first_entry;
    for (int64_t i = 0; i < additions; i++) asked[i] = first + i;
    addition.nodes = additions;
    addition.row_start = row_start;
    addition.column = a->column + first_entry;
    addition.value = a->value + first_entry;
    addition.edges = additions * NEIGHBOURS;
    addition.source = a->source + first_edge;
    addition.target = a->target + first_edge;
    crd_prediction *served, *whole;
    const moment begin = now();
    must(crd_serving_add(r->serving, &addition, NULL, &error), &error);
    must(crd_serving_predict(r->serving, asked, additions, &served, &error), &error);
    const moment took = since(begin);
    crd_dataset *grown = rebuild(a);
    must(crd_predict(r->model, grown, CRD_THREADS(1), &whole, &error), &error);
    for (int64_t i = 0; i < additions; i++) compare(served, i, whole, &r->differences);
    crd_prediction_free(&served);
    crd_prediction_free(&whole);
    crd_dataset_free(&grown);
    free(row_start);
    free(asked);
    return took;
}

static void print_differences(const differences *d)
{
    double most = 0.0;
    for (int i = 0; i < COMPARED; i++) most = d->most[i] <= most ? most : d->most[i];
    printf("\"compared\":%lld,\"difference\":%.3g,\"probability\":%.3g,\"alpha\":%.3g,\"alpha_features\":%.3g,",
           (long long)d->rows, most, d->most[PROBABILITY], d->most[ALPHA], d->most[ALPHA_FEATURES]);
    for (int i = 0; i < CRD_SCORES; i++) printf("\"%s\":%.3g,", crd_score_name((crd_score)i), d->most[SCORES + i]);
    printf("\"latent\":%.3g,\"doubt\":%.3g,\"doubts_off\":%lld", d->most[LATENT], d->doubt, (long long)d->doubts);
}

int main(int argc, char **argv)
{
    if (argc != 6) die("usage: bench_serving KIND NODES ADDITIONS EVERY EPOCHS (compared after every EVERY additions)");
    const int64_t nodes = atoll(argv[2]), additions = atoll(argv[3]), every = atoll(argv[4]);
    crd_error error;
    crd_generate_options options;
    crd_generate_defaults(&options);
    options.nodes = nodes;
    options.degree = 20;
    options.words = 8; /* few, so that edges count */
    options.strength = 0.3;
    crd_dataset *dataset;
    if (additions < 1 || every < 1) die("ADDITIONS and EVERY must be positive");
    must(crd_generate(&options, &dataset, &error), &error);
    if (!dataset->features.sparse) die("the features are dense");
    crd_model *model = train(dataset, argv[1], argv[5]);
    serving_run r = {.model = model, .nodes = nodes, .whole = times_of(additions)};
    copy_graph(dataset, 2 * additions, &r.graph);
    moment begin = now();
    must(crd_serving_open(model, dataset, CRD_THREADS(1), &r.serving, &error), &error);
    const moment opening = since(begin);
    times t = times_of(additions);
    append_one_by_one(&r, additions, every, &t);
    const moment together = append_at_once(&r, additions);
    printf("{\"kind\":\"%s\",\"nodes\":%lld,\"additions\":%lld,", argv[1], (long long)nodes, (long long)additions);
    print_spread("wall", t.wall, t.count);
    print_spread("cpu", t.cpu, t.count);
    if (r.whole.count > 0) print_spread("whole", r.whole.wall, r.whole.count);
    if (r.whole.count > 0) print_spread("whole_cpu", r.whole.cpu, r.whole.count);
    printf("\"open\":%.6f,\"together\":%.6f,\"together_cpu\":%.6f,", opening.wall, together.wall, together.cpu);
    print_differences(&r.differences);
    printf("}\n");
    crd_serving_free(&r.serving);
    crd_model_free(&model);
    crd_dataset_free(&dataset);
    free(t.wall);
    free(t.cpu);
    free(r.whole.wall);
    free(r.whole.cpu);
    free(r.graph.source);
    free(r.graph.target);
    free(r.graph.row_start);
    free(r.graph.column);
    free(r.graph.value);
    return 0;
}
