/* SPDX-License-Identifier: MIT */
/* Breadth-first search from many sources at once: one bit per source.
 *
 * A batch is up to BITS sources of one class. A node's row of WORDS words says which of them have reached it. A level
 * is one sweep over the nodes that some source has not reached yet: such a node takes what was new at its neighbours
 * in the level before. Nodes only pull, so one thread alone writes a node. One byte per node says whether anything is
 * new there: while few nodes are new, a sweep reads little more than these bytes. It skips nodes that all sources
 * have reached.
 *
 * The search works on a copy of the graph with its nodes in the order of a walk from the node with the most
 * neighbours. Neighbours are then close together in memory. Sources batched in this order are about equally far from
 * the rest, so all bits of a batch finish at the same level. On ogbn-arxiv's graph this takes a quarter of the time.
 *
 * It counts whole sources per hop, and only the sums over the hops round: the result depends on neither threads nor
 * batches. */
#include "kernels/diffusion.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/watch.h"

/* 256 sources per batch. On ogbn-arxiv's graph 512 take as long, other numbers longer. */
enum { WORDS = 4, BITS = 64 * WORDS, BLOCK = 1024 };

/* exp(-39^2 / 2) is 0 in double precision: hops beyond this one add nothing. */
enum { LAST_HOP = 38 };

typedef struct {
    int64_t nodes;
    int32_t *order; /* the node of each place of the walk */
    int32_t *place; /* the inverse of order; from here on, nodes are places */
    int64_t *start;
    int32_t *neighbour;
    uint64_t *missing;           /* nodes x WORDS: the sources that have not reached a node */
    uint64_t *now, *next;        /* nodes x WORDS: those that reached it in the last level, and in this one */
    uint8_t *fresh, *next_fresh; /* whether there are any; if not, a row of `now` or `next` is meaningless */
    uint8_t *complete;           /* nothing is missing */
    int32_t *found;              /* [hop][node]: sources of the current class */
    int32_t *level;              /* the row of `found` for the current level */
    atomic_bool any;             /* something is new in this level */
    int64_t *key;                /* of every source: class * nodes + place, to sort by; both are below 2^31 */
    int32_t *sorted;             /* the sources as places, in that order */
    crd_plan plan;
} search;

/* Breadth first from the node with the most neighbours; after each component, from the first node left. */
static void walk(search *s, const int64_t *start, const int32_t *neighbour)
{
    int64_t hub = 0, tail = 0, left = 0;
    for (int64_t i = 0; i < s->nodes; i++) {
        if (start[i + 1] - start[i] > start[hub + 1] - start[hub]) hub = i;
        s->place[i] = -1;
    }
    for (int64_t head = 0; head < s->nodes && !crd_watch_at(head); head++) {
        if (head == tail) {
            while (tail > 0 && s->place[left] >= 0) left++;
            int64_t seed = tail == 0 ? hub : left;
            s->place[seed] = (int32_t)tail;
            s->order[tail++] = (int32_t)seed;
        }
        int64_t i = s->order[head];
        for (int64_t e = start[i]; e < start[i + 1]; e++) {
            int32_t j = neighbour[e];
            if (s->place[j] >= 0) continue;
            s->place[j] = (int32_t)tail;
            s->order[tail++] = j;
        }
    }
}

static void copy_graph(search *s, const int64_t *start, const int32_t *neighbour)
{
    s->start[0] = 0;
    for (int64_t at = 0; at < s->nodes && !crd_watch_at(at); at++) {
        int64_t i = s->order[at], to = s->start[at];
        for (int64_t e = start[i]; e < start[i + 1]; e++) s->neighbour[to++] = s->place[neighbour[e]];
        s->start[at + 1] = to;
    }
}

static crd_status open_search(search *s, const int64_t *start, const int32_t *neighbour, int32_t most_hops,
                              int64_t sources, crd_error *error)
{
    int64_t words, counters;
    if (!crd_multiply(s->nodes, WORDS, &words) || !crd_multiply(s->nodes, most_hops + 1, &counters))
        return crd_fail_memory(error, SIZE_MAX);
    CRD_PLAN(&s->plan, &s->order, s->nodes);
    CRD_PLAN(&s->plan, &s->place, s->nodes);
    CRD_PLAN(&s->plan, &s->start, s->nodes + 1);
    CRD_PLAN(&s->plan, &s->neighbour, start[s->nodes]);
    CRD_PLAN(&s->plan, &s->missing, words);
    CRD_PLAN(&s->plan, &s->now, words);
    CRD_PLAN(&s->plan, &s->next, words);
    CRD_PLAN(&s->plan, &s->fresh, s->nodes);
    CRD_PLAN(&s->plan, &s->next_fresh, s->nodes);
    CRD_PLAN(&s->plan, &s->complete, s->nodes);
    CRD_PLAN(&s->plan, &s->found, counters);
    CRD_PLAN(&s->plan, &s->key, sources);
    CRD_PLAN(&s->plan, &s->sorted, sources);
    const crd_status status = crd_plan_allocate(&s->plan, error);
    if (status != CRD_OK) return status;
    walk(s, start, neighbour);
    if (!crd_watch_asks_to_stop()) copy_graph(s, start, neighbour);
    return crd_watch_check(error);
}

/* Counts the bits set in a row, by arithmetic that compilers vectorise, because not every machine has an instruction
 * for it. */
static int32_t count_bits(const uint64_t *row)
{
    uint64_t bytes[WORDS], total = 0;
    for (int w = 0; w < WORDS; w++) {
        uint64_t x = row[w];
        x -= (x >> 1) & UINT64_C(0x5555555555555555);
        x = (x & UINT64_C(0x3333333333333333)) + ((x >> 2) & UINT64_C(0x3333333333333333));
        bytes[w] = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    }
    for (int w = 0; w < WORDS; w++) total += bytes[w]; /* at most 8 WORDS in a byte */
    total = (total & UINT64_C(0x00ff00ff00ff00ff)) + ((total >> 8) & UINT64_C(0x00ff00ff00ff00ff));
    return (int32_t)((total * UINT64_C(0x0001000100010001)) >> 48);
}

static void sweep(int64_t begin, int64_t end, void *context)
{
    search *s = context;
    bool any = false;
    for (int64_t i = begin; i < end; i++) {
        s->next_fresh[i] = 0;
        if (s->complete[i]) continue;
        uint64_t row[WORDS] = {0};
        bool touched = false;
        for (int64_t e = s->start[i]; e < s->start[i + 1]; e++) {
            int64_t j = s->neighbour[e];
            if (!s->fresh[j]) continue;
            touched = true;
            for (int w = 0; w < WORDS; w++) row[w] |= s->now[j * WORDS + w];
        }
        if (!touched) continue;
        uint64_t *missing = s->missing + i * WORDS, *next = s->next + i * WORDS;
        uint64_t new_here = 0, left = 0;
        for (int w = 0; w < WORDS; w++) {
            next[w] = row[w] & missing[w];
            missing[w] &= ~row[w];
            new_here |= next[w];
            left |= missing[w];
        }
        if (new_here == 0) continue;
        s->next_fresh[i] = 1;
        s->complete[i] = left == 0;
        s->level[i] += count_bits(next);
        any = true;
    }
    if (any) atomic_store_explicit(&s->any, true, memory_order_relaxed);
}

/* Adds the sources of a batch, given as places, to s->found. */
static void run_batch(search *s, const int32_t *sources, int64_t count, int32_t most_hops, crd_team *team)
{
    uint64_t all[WORDS];
    for (int w = 0; w < WORDS; w++) {
        int64_t left = count - 64 * w;
        all[w] = left >= 64 ? ~UINT64_C(0) : left <= 0 ? 0 : (UINT64_C(1) << left) - 1;
    }
    for (int64_t i = 0; i < s->nodes; i++) memcpy(s->missing + i * WORDS, all, sizeof all);
    memset(s->fresh, 0, (size_t)s->nodes);
    memset(s->complete, 0, (size_t)s->nodes);
    for (int64_t b = 0; b < count; b++) {
        const int64_t at = sources[b];
        uint64_t *now = s->now + at * WORDS, bit = UINT64_C(1) << (b % 64);
        if (!s->fresh[at]) memset(now, 0, WORDS * sizeof *now);
        now[b / 64] |= bit;
        s->missing[at * WORDS + b / 64] &= ~bit;
        s->fresh[at] = 1;
        s->found[at]++;
    }
    for (int32_t hop = 1; hop <= most_hops; hop++) {
        s->level = s->found + hop * s->nodes;
        atomic_store(&s->any, false);
        crd_parallel_rows(team, s->nodes, BLOCK, sweep, s);
        if (!atomic_load(&s->any)) return;
        uint64_t *row = s->now;
        s->now = s->next;
        s->next = row;
        uint8_t *flags = s->fresh;
        s->fresh = s->next_fresh;
        s->next_fresh = flags;
    }
}

static int by_key(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

typedef struct {
    const search *s;
    int32_t most_hops, classes;
    double kernel[LAST_HOP + 1];
    float *evidence; /* of the current class */
} summary;

static void add_up(int64_t begin, int64_t end, void *context)
{
    const summary *sum = context;
    for (int64_t i = begin; i < end; i++) {
        double total = 0.0;
        for (int32_t hop = sum->most_hops; hop >= 0; hop--) /* small terms first */
            total += sum->kernel[hop] * (double)sum->s->found[hop * sum->s->nodes + i];
        sum->evidence[(int64_t)sum->s->order[i] * sum->classes] = (float)total;
    }
}

static crd_status check_sources(int64_t nodes, const int64_t *sources, const int32_t *source_class, int64_t count,
                                int32_t classes, int32_t most_hops, crd_error *error)
{
    if (most_hops < 0)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "a distance of %d hops is no distance", (int)most_hops);
    if (count > INT32_MAX)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "%lld sources are too many to count", (long long)count);
    for (int64_t t = 0; t < count; t++)
        if (sources[t] < 0 || sources[t] >= nodes || source_class[t] < 0 || source_class[t] >= classes)
            return crd_fail(error, CRD_ERROR_ARGUMENT,
                            "source %lld is node %lld of class %d: expected a node below %lld and a class "
                            "below %d",
                            (long long)t, (long long)sources[t], (int)source_class[t], (long long)nodes, (int)classes);
    return CRD_OK;
}

/* Runs one class: its sources are places, in ascending order. */
static void run_class(search *s, const int32_t *sources, int64_t count, crd_team *team, summary *sum)
{
    memset(s->found, 0, (size_t)s->nodes * (size_t)(sum->most_hops + 1) * sizeof *s->found);
    for (int64_t from = 0; from < count; from += BITS)
        run_batch(s, sources + from, count - from < BITS ? count - from : BITS, sum->most_hops, team);
    crd_parallel_rows(team, s->nodes, BLOCK, add_up, sum);
}

double crd_hop_weight(int32_t hops)
{
    return exp(-0.5 * (double)hops * (double)hops) / sqrt(2.0 * 3.14159265358979323846);
}

crd_status crd_hop_evidence(int64_t nodes, const int64_t *start, const int32_t *neighbour, const int64_t *sources,
                            const int32_t *source_class, int64_t count, int32_t classes, int32_t most_hops,
                            crd_team *team, float *evidence, crd_error *error)
{
    crd_status status = check_sources(nodes, sources, source_class, count, classes, most_hops, error);
    if (status != CRD_OK) return status;
    if (most_hops > LAST_HOP) most_hops = LAST_HOP;
    search s = {.nodes = nodes};
    summary sum = {.s = &s, .most_hops = most_hops, .classes = classes};
    for (int32_t hop = 0; hop <= most_hops; hop++) sum.kernel[hop] = crd_hop_weight(hop);
    status = open_search(&s, start, neighbour, most_hops, count, error);
    if (status == CRD_OK) {
        for (int64_t t = 0; t < count; t++) s.key[t] = source_class[t] * nodes + s.place[sources[t]];
        status = crd_sort(s.key, count, sizeof *s.key, by_key, error);
    }
    if (status == CRD_OK) {
        for (int64_t t = 0; t < count; t++) s.sorted[t] = (int32_t)(s.key[t] % nodes);
        int64_t from = 0, to = 0;
        for (int32_t c = 0; c < classes; c++, from = to) {
            while (to < count && s.key[to] / nodes == c) to++;
            sum.evidence = evidence + c;
            run_class(&s, s.sorted + from, to - from, team, &sum);
        }
    }
    crd_plan_free(&s.plan);
    return status;
}
