/* Edges that change: rewiring, and DICE (disconnect internally, connect externally).
 *
 * Everything is drawn in order from one stream. Edges are listed as pairs i < j in the graph's own order, so
 * that a walk over the graph meets them again in the list's order. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "graph/shift.h"

/* Draws for the new end of an edge before it is given up: where a fraction f of the pairs can be connected,
 * a draw finds none with probability (1 - f)^TRIES. */
enum { TRIES = 1000 };

/* Pairs, for the question whether one was added already: a table with open addressing. */
typedef struct {
    uint64_t *key; /* 0: free; pairs i < j are never 0 */
    uint64_t mask;
} pair_set;

static crd_status open_pairs(pair_set *set, int64_t most, crd_error *error)
{
    int64_t size = 16;
    while (size < 2 * most) size *= 2;
    set->mask = (uint64_t)size - 1;
    return CRD_NEW_ZERO(&set->key, size, error);
}

static uint64_t *find_pair(const pair_set *set, int32_t a, int32_t b)
{
    uint64_t low = (uint64_t)(a < b ? a : b), key = low << 32 | (uint64_t)(a < b ? b : a);
    uint64_t at = crd_mix(key) & set->mask;
    while (set->key[at] != 0 && set->key[at] != key) at = (at + 1) & set->mask;
    return &set->key[at];
}

static void add_pair(pair_set *set, int32_t a, int32_t b)
{
    uint64_t low = (uint64_t)(a < b ? a : b);
    *find_pair(set, a, b) = low << 32 | (uint64_t)(a < b ? b : a);
}

typedef struct {
    int32_t from, to; /* from < to */
    bool removed;
} edge;

typedef struct {
    const crd_graph *graph;
    const int32_t *class_of;
    int32_t node;    /* the only one whose edges change; -1: any */
    int32_t *nodes;  /* those that may change */
    int64_t node_count;
    edge *edges;     /* between them */
    int64_t edge_count;
    int64_t *order;  /* numbers of edges */
    int32_t *source, *target; /* what is added */
    int64_t added, removed;
    pair_set pairs;  /* the same */
    crd_rng rng;
    uint8_t *touched;
} work;

static bool may_change(const work *w, int32_t a, int32_t b)
{
    return w->class_of[a] >= 0 && w->class_of[b] >= 0 && (w->node < 0 || a == w->node || b == w->node);
}

static bool connected(const work *w, int32_t a, int32_t b)
{
    int64_t low = w->graph->start[a], high = w->graph->start[a + 1];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (w->graph->neighbour[middle] < b) low = middle + 1;
        else high = middle;
    }
    if (low < w->graph->start[a + 1] && w->graph->neighbour[low] == b) return true;
    return *find_pair(&w->pairs, a, b) != 0;
}

static crd_status list_edges(work *w, crd_error *error)
{
    const crd_graph *graph = w->graph;
    int64_t count = 0;
    for (int32_t i = 0; i < graph->nodes; i++)
        for (int64_t e = graph->start[i]; e < graph->start[i + 1]; e++)
            count += graph->neighbour[e] > i && may_change(w, i, graph->neighbour[e]);
    crd_status status = CRD_NEW(&w->edges, count, error);
    if (status == CRD_OK) status = CRD_NEW(&w->order, count, error);
    if (status == CRD_OK) status = CRD_NEW(&w->nodes, graph->nodes, error);
    if (status != CRD_OK) return status;
    for (int32_t i = 0; i < graph->nodes; i++) {
        if (w->class_of[i] >= 0) w->nodes[w->node_count++] = i;
        for (int64_t e = graph->start[i]; e < graph->start[i + 1]; e++)
            if (graph->neighbour[e] > i && may_change(w, i, graph->neighbour[e]))
                w->edges[w->edge_count++] = (edge){i, graph->neighbour[e], false};
    }
    return CRD_OK;
}

static void remove_edge(work *w, edge *e)
{
    e->removed = true;
    w->removed++;
    w->touched[e->from] = w->touched[e->to] = 1;
}

static void add_edge(work *w, int32_t a, int32_t b)
{
    add_pair(&w->pairs, a, b);
    w->source[w->added] = a;
    w->target[w->added++] = b;
    w->touched[a] = w->touched[b] = 1;
}

static int32_t any_node(work *w)
{
    return w->nodes[crd_rng_below(&w->rng, (uint64_t)w->node_count)];
}

/* Every chosen edge keeps one end, that of `node` or a random one, and gets another node for the other. */
static void rewire(work *w, int64_t budget)
{
    for (int64_t e = 0; e < w->edge_count; e++) w->order[e] = e;
    crd_rng_shuffle(&w->rng, w->order, w->edge_count);
    for (int64_t b = 0; b < budget; b++) {
        edge *chosen = &w->edges[w->order[b]];
        bool keep_from = w->node < 0 ? crd_rng_next(&w->rng) >> 63 : chosen->from == w->node;
        int32_t kept = keep_from ? chosen->from : chosen->to;
        for (int t = 0; t < TRIES; t++) {
            int32_t end = any_node(w);
            if (end == kept || connected(w, kept, end)) continue;
            remove_edge(w, chosen);
            add_edge(w, kept, end);
            break;
        }
    }
}

/* Half of the budget, rounded up, deletes, as far as there is something to delete; the rest connects. */
static void dice(work *w, int64_t budget)
{
    int64_t inside = 0;
    for (int64_t e = 0; e < w->edge_count; e++)
        if (w->class_of[w->edges[e].from] == w->class_of[w->edges[e].to]) w->order[inside++] = e;
    crd_rng_shuffle(&w->rng, w->order, inside);
    int64_t deleted = (budget + 1) / 2 < inside ? (budget + 1) / 2 : inside;
    for (int64_t b = 0; b < deleted; b++) remove_edge(w, &w->edges[w->order[b]]);
    for (int64_t b = deleted; b < budget; b++)
        for (int t = 0; t < TRIES; t++) {
            int32_t from = w->node < 0 ? any_node(w) : w->node, to = any_node(w);
            if (w->class_of[from] == w->class_of[to] || connected(w, from, to)) continue;
            add_edge(w, from, to);
            break;
        }
}

/* All edges that were not removed, and the new ones, in both directions. */
static crd_status build(const work *w, crd_graph *shifted, crd_error *error)
{
    const crd_graph *graph = w->graph;
    const int64_t count = graph->start[graph->nodes] - 2 * w->removed + 2 * w->added;
    int32_t *source = NULL, *target = NULL;
    int64_t at = 0, listed = 0, duplicates;
    crd_status status = CRD_NEW(&source, count, error);
    if (status == CRD_OK) status = CRD_NEW(&target, count, error);
    for (int32_t i = 0; i < graph->nodes && status == CRD_OK; i++)
        for (int64_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
            int32_t j = graph->neighbour[e];
            if (j < i || (may_change(w, i, j) && w->edges[listed++].removed)) continue;
            source[at] = target[at + 1] = i;
            target[at] = source[at + 1] = j;
            at += 2;
        }
    for (int64_t a = 0; a < w->added && status == CRD_OK; a++, at += 2) {
        source[at] = target[at + 1] = w->source[a];
        target[at] = source[at + 1] = w->target[a];
    }
    if (status == CRD_OK)
        status = crd_graph_from_pairs(graph->nodes, count, source, target, shifted, &duplicates, error);
    free(source);
    free(target);
    return status;
}

crd_status crd_shift_edges(const crd_graph *graph, const crd_shift *shift, const int32_t *class_of,
                           int64_t node, crd_shifted_edges *shifted, uint8_t *touched, crd_error *error)
{
    /* a node's changes are its own, whatever other nodes are shifted */
    const uint64_t seed = node < 0 ? shift->seed : crd_hash(shift->seed, (uint64_t)node);
    work w = {.graph = graph, .class_of = class_of, .node = (int32_t)node, .touched = touched,
              .rng = crd_rng_start(seed, CRD_RNG_SHIFT_EDGES)};
    *shifted = (crd_shifted_edges){0};
    memset(touched, 0, (size_t)graph->nodes);
    crd_status status = list_edges(&w, error);
    int64_t budget = crd_shift_share(shift, w.edge_count);
    if (shift->kind == CRD_SHIFT_DICE && budget == 1) budget = 2;
    if (status == CRD_OK) status = CRD_NEW(&w.source, budget, error);
    if (status == CRD_OK) status = CRD_NEW(&w.target, budget, error);
    if (status == CRD_OK) status = open_pairs(&w.pairs, budget, error);
    if (status == CRD_OK) {
        if (shift->kind == CRD_SHIFT_REWIRE) rewire(&w, budget);
        else dice(&w, budget);
        shifted->removed = w.removed;
        shifted->added = w.added;
        status = build(&w, &shifted->graph, error);
    }
    free(w.edges);
    free(w.order);
    free(w.nodes);
    free(w.source);
    free(w.target);
    free(w.pairs.key);
    return status;
}
