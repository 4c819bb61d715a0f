/* Degree-corrected stochastic blocks: how often a node is an edge's end follows a power law, and whether an
 * edge stays inside its class is decided edge by edge. */
#include <math.h>
#include <stdlib.h>

#include "graph/alias.h"
#include "graph/generate.h"

typedef struct {
    const crd_generate_options *options;
    const int32_t *label;
    int64_t *class_start; /* classes + 1: where each class begins in `member` */
    int32_t *member;      /* the nodes, class by class */
    crd_alias everyone;   /* nodes by propensity */
    crd_alias *in_class;  /* the same inside every class */
} blocks;

/* Classes differ in size by a factor below two; each has a node at least. */
static crd_status draw_labels(const crd_generate_options *o, int32_t *label, crd_error *error)
{
    crd_rng rng = crd_rng_start(o->seed, CRD_RNG_GENERATE_LABELS);
    int64_t *drawn = NULL;
    double *upto = NULL; /* the share of the classes up to each */
    crd_status status = CRD_NEW(&drawn, o->nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&upto, o->classes, error);
    if (status == CRD_OK) {
        double total = 0.0;
        for (int32_t c = 0; c < o->classes; c++) upto[c] = total += 0.75 + 0.5 * crd_rng_uniform(&rng);
        int64_t at = 0, spare = o->nodes - o->classes;
        for (int32_t c = 0; c < o->classes; c++) {
            int64_t end = c + 1 + llround((double)spare * (upto[c] / total));
            while (at < end) drawn[at++] = c;
        }
        crd_rng_shuffle(&rng, drawn, o->nodes);
        for (int64_t i = 0; i < o->nodes; i++) label[i] = (int32_t)drawn[i];
    }
    free(drawn);
    free(upto);
    return status;
}

/* Bounded Pareto between 1 and the square root of the nodes: hubs, but none that knows everybody. */
static double draw_propensity(crd_rng *rng, double largest)
{
    const double shape = 1.8;
    double beyond = 1.0 - pow(largest, -shape);
    return pow(1.0 - crd_rng_uniform(rng) * beyond, -1.0 / shape);
}

static crd_status group_by_class(blocks *b, crd_error *error)
{
    int64_t nodes = b->options->nodes;
    int32_t classes = b->options->classes;
    crd_status status = CRD_NEW_ZERO(&b->class_start, (int64_t)classes + 1, error);
    if (status == CRD_OK) status = CRD_NEW(&b->member, nodes, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < nodes; i++) b->class_start[b->label[i] + 1]++;
    for (int32_t c = 0; c < classes; c++) b->class_start[c + 1] += b->class_start[c];
    for (int64_t i = 0; i < nodes; i++) b->member[b->class_start[b->label[i]]++] = (int32_t)i;
    for (int32_t c = classes; c > 0; c--) b->class_start[c] = b->class_start[c - 1];
    b->class_start[0] = 0;
    return CRD_OK;
}

static crd_status make_tables(blocks *b, crd_rng *rng, crd_error *error)
{
    int64_t nodes = b->options->nodes;
    double *propensity = NULL, *inside = NULL, largest = fmax(2.0, sqrt((double)nodes));
    crd_status status = CRD_NEW_ZERO(&b->in_class, b->options->classes, error);
    if (status == CRD_OK) status = CRD_NEW(&propensity, nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&inside, nodes, error);
    if (status == CRD_OK) {
        for (int64_t i = 0; i < nodes; i++) propensity[i] = draw_propensity(rng, largest);
        for (int64_t m = 0; m < nodes; m++) inside[m] = propensity[b->member[m]];
        status = crd_alias_new(propensity, nodes, &b->everyone, error);
    }
    for (int32_t c = 0; c < b->options->classes && status == CRD_OK; c++)
        status = crd_alias_new(inside + b->class_start[c], b->class_start[c + 1] - b->class_start[c],
                               &b->in_class[c], error);
    free(propensity);
    free(inside);
    return status;
}

static void free_blocks(blocks *b)
{
    if (b->in_class != NULL)
        for (int32_t c = 0; c < b->options->classes; c++) crd_alias_free(&b->in_class[c]);
    free(b->in_class);
    crd_alias_free(&b->everyone);
    free(b->class_start);
    free(b->member);
}

static int32_t draw_member(const blocks *b, int32_t class_index, crd_rng *rng)
{
    return b->member[b->class_start[class_index] + crd_alias_draw(&b->in_class[class_index], rng)];
}

/* An edge that leaves its class goes anywhere, but that of a look-alike goes to the class it imitates: its
 * neighbours then speak for that class with one voice, and only how little they say tells it apart. */
static int32_t draw_partner(const blocks *b, int32_t own, crd_rng *rng)
{
    if (crd_rng_uniform(rng) < b->options->homophily) return draw_member(b, own, rng);
    const int32_t sibling = crd_sibling(b->options, own);
    if (sibling != own) return draw_member(b, sibling, rng);
    int64_t partner;
    int attempts = b->options->classes == 1 ? 1 : 64; /* no class holds so much that 64 would not do */
    do partner = crd_alias_draw(&b->everyone, rng);
    while (b->label[partner] == own && --attempts > 0);
    return (int32_t)partner;
}

/* Draws `count` edges into pairs of a smaller and a larger node, from *length on; loops are passed over. */
static void draw_pairs(const blocks *b, int64_t count, crd_rng *rng, int32_t *low, int32_t *high,
                       int64_t *length)
{
    for (int64_t e = 0; e < count; e++) {
        int32_t node = (int32_t)crd_alias_draw(&b->everyone, rng);
        int32_t partner = draw_partner(b, b->label[node], rng);
        if (node == partner) continue;
        low[*length] = node < partner ? node : partner;
        high[(*length)++] = node < partner ? partner : node;
    }
}

/* What loops and repetitions took away is drawn again, a few times at most: a class with more edges to hold
 * than it has pairs would never be done. */
static crd_status draw_edges(const blocks *b, crd_rng *rng, crd_dataset *dataset, crd_error *error)
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
        draw_pairs(b, missing, rng, low, high, &length);
        status = crd_graph_from_pairs(nodes, length, low, high, &once, &duplicates, error);
        distinct = length - duplicates;
    } while (status == CRD_OK && distinct < wanted && ++round < ROUNDS);
    free(low);
    free(high);
    if (status == CRD_OK) status = crd_graph_symmetric(&once, &dataset->input, error);
    crd_graph_free(&once);
    if (status == CRD_OK && distinct < wanted)
        status = crd_dataset_add_note(dataset, error,
                                      "only %lld of the %lld edges asked for found a place: so many do not "
                                      "fit the classes",
                                      (long long)distinct, (long long)wanted);
    return status;
}

crd_status crd_generate_blocks(const crd_generate_options *options, crd_dataset *dataset, crd_error *error)
{
    crd_rng rng = crd_rng_start(options->seed, CRD_RNG_GENERATE_EDGES);
    crd_status status = CRD_NEW(&dataset->labels, options->nodes, error);
    if (status == CRD_OK) status = draw_labels(options, dataset->labels, error);
    if (status != CRD_OK) return status;
    blocks b = {.options = options, .label = dataset->labels};
    status = group_by_class(&b, error);
    if (status == CRD_OK) status = make_tables(&b, &rng, error);
    if (status == CRD_OK) status = draw_edges(&b, &rng, dataset, error);
    free_blocks(&b);
    if (status == CRD_OK)
        status = crd_generate_words(options, dataset->labels, &dataset->features, error);
    return status;
}
