/* SPDX-License-Identifier: MIT */
#include "graph/shift.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/sized.h"
#include "base/watch.h"
#include "io/text_formats.h"

static const char *const KINDS[] = {"bernoulli", "normal", "rewire", "dice"};
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0] };

void crd_shift_defaults_sized(crd_shift *shift, size_t size)
{
    const crd_shift usual = {.size = size, .kind = CRD_SHIFT_BERNOULLI, .amount = 0.1, .most_nodes = 100, .seed = 1};
    crd_give_sized(&usual, sizeof usual, shift, size);
}

const char *crd_shift_kind_name(crd_shift_kind kind)
{
    int index = (int)kind;
    return index < 0 || index >= KIND_COUNT ? NULL : KINDS[index];
}

bool crd_shift_is_noise(const crd_shift *shift)
{
    return shift->kind == CRD_SHIFT_BERNOULLI || shift->kind == CRD_SHIFT_NORMAL;
}

int64_t crd_shift_share(const crd_shift *shift, int64_t count)
{
    int64_t share = (int64_t)llround(shift->amount * (double)count);
    return share > count ? count : share < 1 && count > 0 ? 1 : share;
}

crd_status crd_shift_check(const crd_shift *shift, crd_error *error)
{
    if (crd_shift_kind_name(shift->kind) == NULL)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "the shift of kind %d does not exist", (int)shift->kind);
    if (!(shift->amount > 0.0 && shift->amount <= 1.0))
        return crd_fail(error, CRD_ERROR_ARGUMENT, "the amount of a shift is a fraction above 0, up to 1, found %g",
                        shift->amount);
    if (shift->isolated && shift->most_nodes < 1)
        return crd_fail(error, CRD_ERROR_ARGUMENT,
                        "at most %lld nodes are to be shifted one by one, expected at least 1",
                        (long long)shift->most_nodes);
    return CRD_OK;
}

static crd_status not_understood(const char *text, const char *what, crd_error *error)
{
    return crd_fail(error, CRD_ERROR_ARGUMENT,
                    "the shift \"%.60s\" is not understood: %s, such as bernoulli:0.1 or dice:0.2:isolated", text,
                    what);
}

crd_status crd_shift_parse(const char *text, crd_shift *shift, crd_error *error)
{
    char part[3][32];
    int end = 0;
    int parts = sscanf(text, "%31[^:]%n:%31[^:]%n:%31[^:]%n", part[0], &end, part[1], &end, part[2], &end);
    if (parts < 1 || text[end] != '\0') return not_understood(text, "expected KIND:AMOUNT or KIND:AMOUNT:MODE", error);
    crd_shift read = *shift;
    int kind = 0;
    while (kind < KIND_COUNT && strcmp(part[0], KINDS[kind]) != 0) kind++;
    if (kind == KIND_COUNT) return not_understood(text, "expected the kind bernoulli, normal, rewire or dice", error);
    read.kind = (crd_shift_kind)kind;
    if (parts < 2 || !crd_parse_double(part[1], &read.amount) || !(read.amount > 0.0 && read.amount <= 1.0))
        return not_understood(text, "expected as amount a fraction above 0, up to 1", error);
    if (parts == 3 && strcmp(part[2], "all") != 0 && strcmp(part[2], "isolated") != 0)
        return not_understood(text, "expected the mode all or isolated", error);
    if (parts == 3) read.isolated = strcmp(part[2], "isolated") == 0;
    *shift = read;
    return CRD_OK;
}

/* ---- noise ---- */

static crd_rng row_noise(const crd_shift *shift, int64_t row)
{
    return crd_rng_start(crd_hash(shift->seed, (uint64_t)row), CRD_RNG_SHIFT_NOISE);
}

static float draw(const crd_shift *shift, crd_rng *rng)
{
    if (shift->kind == CRD_SHIFT_BERNOULLI) return (float)(crd_rng_next(rng) >> 63);
    return (float)crd_rng_normal(rng);
}

static crd_status replace_sparse(const crd_features *f, const crd_shift *shift, const uint8_t *chosen,
                                 crd_features *shifted, crd_error *error)
{
    int64_t at = 0, entries = 0; /* at most: some noise is 0 */
    for (int64_t i = 0; i < f->rows; i++) entries += chosen[i] ? f->columns : f->start[i + 1] - f->start[i];
    crd_status status = crd_features_new_sparse(f->rows, f->columns, entries, shifted, error);
    for (int64_t i = 0; i < f->rows && status == CRD_OK; i++) {
        if (crd_watch_at(i)) status = crd_watch_stopped(error);
        crd_rng rng = row_noise(shift, i);
        for (int64_t e = f->start[i]; !chosen[i] && e < f->start[i + 1]; e++) {
            shifted->column[at] = f->column[e];
            shifted->value[at++] = f->value[e];
        }
        for (int64_t c = 0; chosen[i] && c < f->columns; c++) {
            const float noise = draw(shift, &rng);
            if (noise == 0.0f) continue;
            shifted->column[at] = (int32_t)c;
            shifted->value[at++] = noise;
        }
        shifted->start[i + 1] = at;
    }
    CRD_SHRINK(&shifted->column, at);
    CRD_SHRINK(&shifted->value, at);
    return status;
}

crd_status crd_shift_features(const crd_features *f, const crd_shift *shift, const uint8_t *chosen,
                              crd_features *shifted, crd_error *error)
{
    if (f->sparse) return replace_sparse(f, shift, chosen, shifted, error);
    *shifted = (crd_features){.rows = f->rows, .columns = f->columns};
    crd_status status = CRD_NEW(&shifted->dense, f->rows * f->columns, error); /* as large as f->dense */
    for (int64_t i = 0; i < f->rows && status == CRD_OK; i++) {
        if (crd_watch_at(i)) status = crd_watch_stopped(error);
        crd_rng rng = row_noise(shift, i);
        for (int64_t e = i * f->columns; e < (i + 1) * f->columns; e++)
            shifted->dense[e] = chosen[i] ? draw(shift, &rng) : f->dense[e];
    }
    return status;
}

/* ---- edges: rewiring, and DICE (disconnect internally, connect externally) ----
 *
 * Everything is drawn in order from one stream. */

/* How often to draw a new end for an edge before giving it up. If a fraction f of the pairs can be connected, all
 * draws fail with probability (1 - f)^TRIES. */
enum { TRIES = 1000 };

typedef struct {
    const crd_graph *graph;
    const int32_t *class_of;
    int32_t node;             /* the only one whose edges change; -1: any */
    int32_t *nodes;           /* the nodes that may change */
    int32_t *source, *target; /* all edges i < j, 2 e and 2 e + 1 are the directions of edge e; removed ones are -1 */
    int64_t *order;           /* numbers of the edges that may change */
    uint64_t *pair;           /* a hash table of the pairs i < j that were added, as i << 32 | j; 0: free */
    uint64_t pair_mask;
    int64_t node_count, edge_count, order_count, added, removed;
    crd_rng rng;
    uint8_t *touched;
} change;

/* The place of a pair in the table, or where it would go. */
static uint64_t *find_pair(const change *w, int32_t a, int32_t b, uint64_t *key)
{
    *key = (uint64_t)(a < b ? a : b) << 32 | (uint64_t)(a < b ? b : a);
    uint64_t at = crd_mix(*key) & w->pair_mask;
    while (w->pair[at] != 0 && w->pair[at] != *key) at = (at + 1) & w->pair_mask;
    return &w->pair[at];
}

static bool may_change(const change *w, int32_t a, int32_t b)
{
    return w->class_of[a] >= 0 && w->class_of[b] >= 0 && (w->node < 0 || a == w->node || b == w->node);
}

static bool connected(const change *w, int32_t a, int32_t b)
{
    uint64_t key;
    return crd_graph_has_edge(w->graph, a, b) || *find_pair(w, a, b, &key) != 0;
}

static void append_edge(change *w, int32_t a, int32_t b)
{
    const int64_t e = w->edge_count++;
    w->source[2 * e] = w->target[2 * e + 1] = a;
    w->target[2 * e] = w->source[2 * e + 1] = b;
}

static void list_edges(change *w)
{
    const crd_graph *graph = w->graph;
    for (int32_t i = 0; i < graph->nodes && !crd_watch_at(i); i++) {
        if (w->class_of[i] >= 0) w->nodes[w->node_count++] = i;
        for (int64_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
            const int32_t j = graph->neighbour[e];
            if (j < i) continue;
            if (may_change(w, i, j)) w->order[w->order_count++] = w->edge_count;
            append_edge(w, i, j);
        }
    }
}

static void remove_edge(change *w, int64_t e)
{
    w->touched[w->source[2 * e]] = w->touched[w->target[2 * e]] = 1;
    w->source[2 * e] = w->source[2 * e + 1] = -1;
    w->removed++;
}

static void add_edge(change *w, int32_t a, int32_t b)
{
    uint64_t key, *place = find_pair(w, a, b, &key);
    *place = key;
    append_edge(w, a, b);
    w->added++;
    w->touched[a] = w->touched[b] = 1;
}

static int32_t any_node(change *w)
{
    return w->nodes[crd_rng_below(&w->rng, (uint64_t)w->node_count)];
}

/* Every chosen edge keeps one end, `node` or a random one, and gets a new node at the other. */
static void rewire(change *w, int64_t budget)
{
    crd_rng_shuffle(&w->rng, w->order, w->order_count);
    for (int64_t b = 0; b < budget && !crd_watch_at(b); b++) {
        const int64_t e = w->order[b];
        const int32_t from = w->source[2 * e], to = w->target[2 * e];
        const bool keep_from = w->node < 0 ? crd_rng_next(&w->rng) >> 63 : from == w->node;
        const int32_t kept = keep_from ? from : to;
        for (int t = 0; t < TRIES; t++) {
            const int32_t end = any_node(w);
            if (end == kept || connected(w, kept, end)) continue;
            remove_edge(w, e);
            add_edge(w, kept, end);
            break;
        }
    }
}

/* Half of the budget, rounded up, deletes edges, as far as there are any; the rest adds edges. */
static void dice(change *w, int64_t budget)
{
    int64_t inside = 0;
    for (int64_t o = 0; o < w->order_count; o++) {
        const int64_t e = w->order[o];
        if (w->class_of[w->source[2 * e]] == w->class_of[w->target[2 * e]]) w->order[inside++] = e;
    }
    crd_rng_shuffle(&w->rng, w->order, inside);
    const int64_t deleted = (budget + 1) / 2 < inside ? (budget + 1) / 2 : inside;
    for (int64_t b = 0; b < deleted; b++) remove_edge(w, w->order[b]);
    for (int64_t b = deleted; b < budget && !crd_watch_at(b); b++)
        for (int t = 0; t < TRIES; t++) {
            const int32_t from = w->node < 0 ? any_node(w) : w->node, to = any_node(w);
            if (w->class_of[from] == w->class_of[to] || connected(w, from, to)) continue;
            add_edge(w, from, to);
            break;
        }
}

static crd_status build(change *w, crd_graph *shifted, crd_error *error)
{
    int64_t count = 0, duplicates;
    for (int64_t i = 0; i < 2 * w->edge_count; i++) {
        if (w->source[i] < 0) continue;
        w->source[count] = w->source[i];
        w->target[count++] = w->target[i];
    }
    return crd_graph_from_pairs(w->graph->nodes, count, w->source, w->target, shifted, &duplicates, error);
}

crd_status crd_shift_edges(const crd_graph *graph, const crd_shift *shift, const int32_t *class_of, int64_t node,
                           crd_shifted_edges *shifted, uint8_t *touched, crd_error *error)
{
    /* A node's changes do not depend on which other nodes are shifted. */
    const uint64_t seed = node < 0 ? shift->seed : crd_hash(shift->seed, (uint64_t)node);
    const int64_t edges = graph->start[graph->nodes], most_added = crd_shift_share(shift, edges / 2) + 1;
    change w = {.graph = graph,
                .class_of = class_of,
                .node = (int32_t)node,
                .touched = touched,
                .pair_mask = 15,
                .rng = crd_rng_start(seed, CRD_RNG_SHIFT_EDGES)};
    crd_plan plan = {0};
    *shifted = (crd_shifted_edges){0};
    memset(touched, 0, (size_t)graph->nodes);
    while (w.pair_mask + 1 < 2 * (uint64_t)most_added) w.pair_mask = 2 * w.pair_mask + 1;
    CRD_PLAN(&plan, &w.nodes, graph->nodes);
    CRD_PLAN(&plan, &w.source, edges + 2 * most_added);
    CRD_PLAN(&plan, &w.target, edges + 2 * most_added);
    CRD_PLAN(&plan, &w.order, edges / 2);
    CRD_PLAN_ZERO(&plan, &w.pair, w.pair_mask + 1);
    crd_status status = crd_plan_allocate(&plan, error);
    if (status != CRD_OK) return status;
    list_edges(&w);
    if (crd_watch_asks_to_stop()) {
        crd_plan_free(&plan);
        return crd_watch_stopped(error);
    }
    int64_t budget = crd_shift_share(shift, w.order_count);
    if (shift->kind == CRD_SHIFT_DICE && budget == 1) budget = 2;
    if (shift->kind == CRD_SHIFT_REWIRE) rewire(&w, budget);
    else dice(&w, budget);
    shifted->removed = w.removed;
    shifted->added = w.added;
    status = crd_watch_check(error);
    if (status == CRD_OK) status = build(&w, &shifted->graph, error);
    crd_plan_free(&plan);
    return status;
}
