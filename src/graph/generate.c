/* SPDX-License-Identifier: MIT */
/* Synthetic graphs: a stochastic block model with bags of words. How often a node is the end of an edge follows a power
 * law, and each edge independently stays inside its class or not. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/sized.h"
#include "base/watch.h"
#include "graph/raw.h"

/* The demo's graph: class probability detects its look-alikes badly, evidence detects them well (tested). */
void crd_generate_defaults_sized(crd_generate_options *options, size_t size)
{
    const crd_generate_options usual = {
        .size = size,
        .nodes = 2000,
        .classes = 7,
        .features = 600,
        .degree = 4.0,
        .homophily = 0.75,
        .words = 30.0,
        .strength = 0.7,
        .overlap = 0.5,
        .lookalikes = 3,
        .seed = 1,
    };
    crd_give_sized(&usual, sizeof usual, options, size);
}

/* ---- checks ---- */

typedef struct {
    const char *name;
    double value, low, high;
    const char *why;
} limit;

/* NaN is never within limits. */
static crd_status check(const crd_generate_options *o, crd_error *error)
{
    /* More entries would take tens of gigabytes. A system that overcommits memory would kill the program in the middle
     * of the work. */
    const double most = 4e9;
    const double nodes = (double)o->nodes, classes = (double)o->classes;
    const limit limits[] = {
        {"nodes", nodes, 2, CRD_MAX_NODES, ""},
        {"classes", classes, 1, nodes, " (no more classes than nodes)"},
        {"features", (double)o->features, classes, 1e8, " (at least one word per class)"},
        {"lookalikes", (double)o->lookalikes, 0, classes - 1, " (one class must be left to look like)"},
        {"degree", o->degree, 0, nodes - 1, " (no more neighbours than other nodes)"},
        {"homophily", o->homophily, 0, 1, ""},
        {"words", o->words, 1, 1e6, ""},
        {"strength", o->strength, 0, 1, ""},
        {"overlap", o->overlap, 0, 1, ""},
        {"nodes x degree", nodes * o->degree, 0, most, " (more would hardly fit in memory)"},
        {"nodes x words", nodes * o->words, 0, most, " (more would hardly fit in memory)"},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const limit *l = &limits[i];
        if (!(l->value >= l->low && l->value <= l->high))
            return crd_fail(error, CRD_ERROR_ARGUMENT, "generate: %s is %.10g, expected %.10g to %.10g%s", l->name,
                            l->value, l->low, l->high, l->why);
    }
    return CRD_OK;
}

/* ---- labels and edges ---- */

typedef struct {
    const crd_generate_options *options;
    const int32_t *label;
    int64_t *class_start; /* classes + 1: where each class begins in `member` */
    int64_t *member;      /* the nodes, class by class */
    crd_alias everyone;   /* nodes by propensity */
    crd_alias *in_class;  /* the same inside every class */
} blocks;

/* The class that a look-alike imitates; any other class is its own. */
static int32_t sibling_of(const crd_generate_options *options, int32_t class_index)
{
    const int32_t originals = options->classes - options->lookalikes;
    return class_index < originals ? class_index : (class_index - originals) % originals;
}

/* The sizes of classes differ by a factor below two; each class has at least one node. */
static crd_status draw_labels(const crd_generate_options *o, int32_t *label, crd_error *error)
{
    crd_rng rng = crd_rng_start(o->seed, CRD_RNG_GENERATE_LABELS);
    int64_t *drawn = NULL;
    double *upto = NULL, total = 0.0; /* cumulative shares of the classes */
    crd_status status = CRD_NEW(&drawn, o->nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&upto, o->classes, error);
    if (status == CRD_OK) {
        for (int32_t c = 0; c < o->classes; c++) upto[c] = total += 0.75 + 0.5 * crd_rng_uniform(&rng);
        int64_t at = 0, spare = o->nodes - o->classes;
        for (int32_t c = 0; c < o->classes; c++) {
            int64_t end = c + 1 + llround((double)spare * (upto[c] / total));
            while (at < end) drawn[at++] = c;
        }
        crd_rng_shuffle(&rng, drawn, o->nodes);
        for (int64_t i = 0; i < o->nodes; i++) label[i] = (int32_t)drawn[i];
    }
    crd_free(drawn);
    crd_free(upto);
    return status;
}

/* Bounded Pareto between 1 and the square root of the number of nodes: hubs, but none that is joined to everything. */
static double draw_propensity(crd_rng *rng, double largest)
{
    const double shape = 1.8;
    const double beyond = 1.0 - pow(largest, -shape);
    return pow(1.0 - crd_rng_uniform(rng) * beyond, -1.0 / shape);
}

static crd_status make_tables(blocks *b, crd_rng *rng, crd_error *error)
{
    const int64_t nodes = b->options->nodes;
    const double largest = fmax(2.0, sqrt((double)nodes));
    double *propensity = NULL, *inside = NULL;
    crd_status status = CRD_NEW_ZERO(&b->in_class, b->options->classes, error);
    if (status == CRD_OK) status = CRD_NEW(&propensity, 2 * nodes, error);
    if (status == CRD_OK) {
        inside = propensity + nodes;
        for (int64_t i = 0; i < nodes && status == CRD_OK; i++) {
            if (crd_watch_at(i)) status = crd_watch_stopped(error);
            propensity[i] = draw_propensity(rng, largest);
        }
        for (int64_t m = 0; m < nodes && status == CRD_OK; m++) inside[m] = propensity[b->member[m]];
        if (status == CRD_OK) status = crd_alias_new(propensity, nodes, &b->everyone, error);
    }
    for (int32_t c = 0; c < b->options->classes && status == CRD_OK; c++) {
        status = crd_watch_check(error);
        if (status != CRD_OK) break;
        status = crd_alias_new(inside + b->class_start[c], b->class_start[c + 1] - b->class_start[c], &b->in_class[c],
                               error);
    }
    crd_free(propensity);
    return status;
}

static void free_blocks(blocks *b)
{
    for (int32_t c = 0; b->in_class != NULL && c < b->options->classes; c++) crd_alias_free(&b->in_class[c]);
    crd_free(b->in_class);
    crd_alias_free(&b->everyone);
    crd_free(b->class_start);
    crd_free(b->member);
}

static int64_t draw_member(const blocks *b, int32_t class_index, crd_rng *rng)
{
    return b->member[b->class_start[class_index] + crd_alias_draw(&b->in_class[class_index], rng)];
}

/* An edge that leaves its class goes anywhere, but an edge of a look-alike goes to the class it imitates. All
 * neighbours of a look-alike then support that class, and only the small amount of evidence gives it away. */
static int64_t draw_partner(const blocks *b, int32_t own, crd_rng *rng)
{
    if (crd_rng_uniform(rng) < b->options->homophily) return draw_member(b, own, rng);
    const int32_t sibling = sibling_of(b->options, own);
    if (sibling != own) return draw_member(b, sibling, rng);
    int64_t partner;
    int attempts = b->options->classes == 1 ? 1 : 64; /* enough even if one class has most of the nodes */
    do partner = crd_alias_draw(&b->everyone, rng);
    while (b->label[partner] == own && --attempts > 0);
    return partner;
}

/* Draws `count` edges into pairs of a smaller and a larger node, from *length on; loops are skipped. */
static crd_status draw_pairs(const blocks *b, int64_t count, crd_rng *rng, int32_t *low, int32_t *high, int64_t *length,
                             crd_error *error)
{
    for (int64_t e = 0; e < count; e++) {
        if (crd_watch_at(e)) return crd_watch_stopped(error);
        const int64_t node = crd_alias_draw(&b->everyone, rng), partner = draw_partner(b, b->label[node], rng);
        if (node == partner) continue;
        low[*length] = (int32_t)(node < partner ? node : partner);
        high[(*length)++] = (int32_t)(node < partner ? partner : node);
    }
    return CRD_OK;
}

/* Edges lost to loops and repetitions are drawn again, but only a few times: a class that needs more edges than it
 * has pairs of nodes would never finish. */
static crd_status draw_edges(const blocks *b, crd_rng *rng, crd_raw *raw, crd_error *error)
{
    enum { ROUNDS = 16 };
    int64_t nodes = b->options->nodes, low_capacity = 0, high_capacity = 0, length = 0, distinct = 0;
    int64_t wanted = llround((double)nodes * b->options->degree / 2.0);
    int32_t *low = NULL, *high = NULL;
    crd_graph once = {0}; /* every edge from its smaller node alone */
    crd_status status = CRD_OK;
    int round = 0;
    do {
        int64_t missing = wanted - distinct, duplicates;
        crd_graph_free(&once);
        status = CRD_GROW(&low, &low_capacity, length + missing, error);
        if (status == CRD_OK) status = CRD_GROW(&high, &high_capacity, length + missing, error);
        if (status != CRD_OK) break;
        status = draw_pairs(b, missing, rng, low, high, &length, error);
        if (status == CRD_OK) status = crd_graph_from_pairs(nodes, length, low, high, &once, &duplicates, error);
        if (status == CRD_OK) distinct = length - duplicates;
    } while (status == CRD_OK && distinct < wanted && ++round < ROUNDS);
    crd_free(low);
    crd_free(high);
    if (status == CRD_OK) status = crd_graph_symmetric(&once, &raw->edges.rows, error);
    crd_graph_free(&once);
    if (status == CRD_OK && distinct < wanted)
        status = crd_note(&raw->notes, error,
                          "only %lld of the %lld edges asked for found a place: so many do not fit the classes",
                          (long long)distinct, (long long)wanted);
    return status;
}

/* ---- blocks: bags of words ----
 *
 * The vocabulary is ranked: common words first, then the topic of every class, look-alikes last. The background is
 * Zipf's law over all ranks: every node uses the common words, and hardly any uses a word of another class's topic. A
 * topic is Zipf's law over its own words.
 *
 * A look-alike takes some of its topic words from the class it imitates. If it is left out of training, these make a
 * classifier sure of the wrong class, while its own words are new: density can detect it, probability cannot. */

typedef struct {
    const crd_generate_options *options;
    int64_t *word_of_rank; /* a shuffle: a word's number says nothing about it */
    int64_t topic_size;    /* words of every class's topic */
    int64_t common;        /* words of no topic; they rank first */
    crd_alias background;  /* over all ranks */
    crd_alias topic;       /* over the ranks inside a topic, the same for all */
} vocabulary;

static crd_status zipf(int64_t count, crd_alias *alias, crd_error *error)
{
    double *weight;
    crd_status status = CRD_NEW(&weight, count, error);
    if (status != CRD_OK) return status;
    for (int64_t r = 0; r < count; r++) weight[r] = 1.0 / (double)(r + 1);
    status = crd_alias_new(weight, count, alias, error);
    crd_free(weight);
    return status;
}

/* Half of the words belong to topics. */
static crd_status make_vocabulary(vocabulary *v, crd_rng *rng, crd_error *error)
{
    const int64_t words = v->options->features, classes = v->options->classes;
    v->topic_size = words < 2 * classes ? 1 : words / (2 * classes);
    v->common = words - v->topic_size * classes;
    crd_status status = CRD_NEW(&v->word_of_rank, words, error);
    if (status != CRD_OK) return status;
    for (int64_t w = 0; w < words; w++) v->word_of_rank[w] = w;
    crd_rng_shuffle(rng, v->word_of_rank, words);
    status = zipf(words, &v->background, error);
    return status == CRD_OK ? zipf(v->topic_size, &v->topic, error) : status;
}

static int32_t draw_word(const vocabulary *v, int32_t class_index, crd_rng *rng)
{
    int64_t rank;
    if (crd_rng_uniform(rng) < v->options->strength) {
        int32_t owner = class_index, sibling = sibling_of(v->options, class_index);
        if (sibling != class_index && crd_rng_uniform(rng) < v->options->overlap) owner = sibling;
        rank = v->common + owner * v->topic_size + crd_alias_draw(&v->topic, rng);
    } else {
        rank = crd_alias_draw(&v->background, rng);
    }
    return (int32_t)v->word_of_rank[rank];
}

/* Every word counts 1; tidying adds up the repetitions. Every node has at least one word. */
static crd_status draw_bags(const vocabulary *v, const int32_t *labels, crd_rng *rng, crd_features *features,
                            crd_error *error)
{
    int64_t capacity = 0, at = 0;
    crd_status status = CRD_NEW(&features->start, features->rows + 1, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < features->rows; i++) {
        if (crd_watch_at(i)) return crd_watch_stopped(error);
        features->start[i] = at;
        const int64_t words = 1 + crd_rng_poisson(rng, v->options->words - 1.0);
        status = CRD_GROW(&features->column, &capacity, at + words, error);
        if (status != CRD_OK) return status;
        for (int64_t w = 0; w < words; w++) features->column[at++] = draw_word(v, labels[i], rng);
    }
    features->start[features->rows] = at;
    status = CRD_NEW(&features->value, at, error);
    for (int64_t e = 0; e < at && status == CRD_OK; e++) features->value[e] = 1.0f;
    return status;
}

static crd_status draw_words(const crd_generate_options *options, const int32_t *labels, crd_features *features,
                             crd_error *error)
{
    crd_rng rng = crd_rng_start(options->seed, CRD_RNG_GENERATE_FEATURES);
    vocabulary v = {.options = options};
    *features = (crd_features){.rows = options->nodes, .columns = options->features, .sparse = true};
    crd_status status = make_vocabulary(&v, &rng, error);
    if (status == CRD_OK) status = draw_bags(&v, labels, &rng, features, error);
    crd_free(v.word_of_rank);
    crd_alias_free(&v.background);
    crd_alias_free(&v.topic);
    return status;
}

static crd_status make_blocks(const crd_generate_options *options, crd_raw *raw, crd_error *error)
{
    crd_rng rng = crd_rng_start(options->seed, CRD_RNG_GENERATE_EDGES);
    blocks b = {.options = options, .label = raw->labels.text};
    crd_status status = draw_labels(options, raw->labels.text, error);
    if (status == CRD_OK)
        status = crd_nodes_by_class(b.label, options->nodes, options->classes, &b.member, &b.class_start, error);
    if (status == CRD_OK) status = crd_watch_check(error);
    if (status == CRD_OK) status = make_tables(&b, &rng, error);
    if (status == CRD_OK) status = draw_edges(&b, &rng, raw, error);
    free_blocks(&b);
    return status == CRD_OK ? draw_words(options, raw->labels.text, &raw->features.matrix, error) : status;
}

/* ---- all of it ---- */

/* A, B, ... Z, c26, c27, ... */
static crd_status name_classes(crd_raw *raw, int32_t classes, crd_error *error)
{
    crd_status status = crd_name_index_new(&raw->labels.texts, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&raw->classes.name, classes, error);
    if (status == CRD_OK) raw->classes.count = classes;
    for (int32_t c = 0; c < classes && status == CRD_OK; c++) {
        char name[16];
        int64_t number;
        snprintf(name, sizeof name, c < 26 ? "%c" : "c%d", c < 26 ? 'A' + (int)c : (int)c);
        status = crd_copy_string(&raw->classes.name[c], name, error);
        if (status == CRD_OK) status = crd_name_index_add(raw->labels.texts, name, &number, error);
    }
    return status;
}

static crd_status generate(const crd_generate_options *options, crd_dataset **dataset, crd_error *error)
{
    crd_status status = check(options, error);
    if (status != CRD_OK) return status;
    static const char name[] = "generated graph";
    crd_raw raw;
    crd_raw_start(&raw, name);
    raw.edges.nodes = raw.labels.count = options->nodes;
    char **const files[] = {&raw.edges.file, &raw.features.file, &raw.labels.file, &raw.classes.file};
    for (int i = 0; i < 4 && status == CRD_OK; i++) status = crd_copy_string(files[i], name, error);
    if (status == CRD_OK) status = name_classes(&raw, options->classes, error);
    if (status == CRD_OK) status = CRD_NEW(&raw.labels.text, options->nodes, error);
    if (status == CRD_OK) status = make_blocks(options, &raw, error);
    if (status == CRD_OK) status = crd_finish(&raw, dataset, error);
    crd_raw_free(&raw);
    return status;
}

crd_status crd_generate(const crd_generate_options *options, crd_dataset **dataset, crd_error *error)
{
    if (dataset != NULL) *dataset = NULL;
    if (CRD_ANY_NULL(error, dataset)) return CRD_ERROR_ARGUMENT;
    crd_generate_options complete;
    crd_watch watch;
    crd_generate_defaults(&complete);
    crd_status status = crd_take_sized("crd_generate_options", options, &complete, sizeof complete, error);
    if (status == CRD_OK) status = crd_watch_begin(&watch, complete.control, "generating", error);
    if (status != CRD_OK) return status;
    status = generate(&complete, dataset, error);
    crd_watch_end(&watch);
    return status;
}
