/* SPDX-License-Identifier: MIT */
/* Two things make a sum over neighbours slow: fetching rows from far away, and mispredicting the end of a short list
 * of neighbours. A breadth-first walk helps with the first: the neighbours of a node come one after the other, and
 * their neighbours soon after. Sorting by degree helps with the second. Sorting everything would undo the walk, but
 * sorting inside windows that are small compared with the cache costs nothing.
 *
 * In large graphs the walk's front is soon wider than any cache. So nodes are grouped into communities whose rows,
 * one cache line each, fit a core's own cache, and these into larger ones that fit the shared cache. For small graphs
 * the gain is not worth the time to find communities. */
#include "graph/reorder.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/watch.h"

/* ---- communities ---- */

/* Further rounds would move few nodes. */
enum { ROUNDS = 6 };

typedef struct {
    const int64_t *start;
    const int32_t *neighbour;
    int32_t *community; /* of a node */
    int32_t *size;      /* of a community */
    int32_t *votes;     /* for a community; all 0 between nodes */
    int64_t most;
} propagation;

/* A hash that differs from node to node breaks ties: a fixed preference, such as the smaller number, would let one
 * community flood the graph. */
static uint64_t preference(int32_t node, int32_t community)
{
    return crd_hash((uint64_t)node, (uint64_t)community);
}

/* Steps of this length, modulo the number of nodes, visit every node, each far from the last. If nodes were visited
 * one after the other along edges, they would all follow the first. */
static int64_t stride(int64_t nodes)
{
    int64_t step = (int64_t)((double)nodes * 0.6180339887498949) | 1;
    for (;; step += 2) {
        int64_t a = nodes, b = step;
        while (b != 0) {
            const int64_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1) return step;
    }
}

/* Moves the node if another community has more of its neighbours; true if it moved. */
static bool join(propagation *p, int32_t node)
{
    const int64_t begin = p->start[node], end = p->start[node + 1];
    const int32_t own = p->community[node];
    int32_t best = own;
    for (int64_t e = begin; e < end; e++) p->votes[p->community[p->neighbour[e]]]++;
    for (int64_t e = begin; e < end; e++) {
        const int32_t other = p->community[p->neighbour[e]], ahead = p->votes[other] - p->votes[best];
        if (ahead < 0 || other == best || p->size[other] >= p->most) continue;
        if (ahead > 0 || (best != own && preference(node, other) < preference(node, best))) best = other;
    }
    for (int64_t e = begin; e < end; e++) p->votes[p->community[p->neighbour[e]]] = 0;
    if (best == own) return false;
    p->size[own]--;
    p->size[best]++;
    p->community[node] = best;
    return true;
}

crd_status crd_communities(int64_t nodes, const int64_t *start, const int32_t *neighbour, int64_t most,
                           int32_t *community, crd_error *error)
{
    propagation p = {start, neighbour, community, NULL, NULL, most};
    crd_status status = CRD_NEW_ZERO(&p.votes, 2 * nodes, error);
    if (status != CRD_OK) return status;
    p.size = p.votes + nodes;
    for (int64_t i = 0; i < nodes; i++) {
        community[i] = (int32_t)i;
        p.size[i] = 1;
    }
    const int64_t step = nodes > 0 ? stride(nodes) % nodes : 0;
    for (int64_t round = 0, moved = 1; round < ROUNDS && moved > 0; round++) {
        moved = 0;
        for (int64_t k = 0, node = 0; k < nodes && status == CRD_OK; k++, node = (node + step) % nodes) {
            if (crd_watch_at(k)) status = crd_watch_stopped(error);
            moved += join(&p, (int32_t)node);
        }
    }
    crd_free(p.votes);
    return status;
}

/* ---- the order ---- */

/* Measured: windows of 256 to 2048 nodes make little difference. Lists longer than LONG are mispredicted too seldom
 * for their lengths to matter; in the walk's order their rows stay together. */
enum { WINDOW = 1024, LONG = 256, MANY = 65536 };

void crd_reordered_free(crd_reordered *r)
{
    crd_free(r->start);
    crd_free(r->neighbour);
    crd_free(r->place);
    crd_free(r->order);
    *r = (crd_reordered){0};
}

/* Breadth first from the smallest node, then from the smallest not met so far, and so on; starts only from needed
 * ones, unless `needed` is NULL. `order` is also the queue; its first `met` nodes are done. `place` says which nodes
 * were met. *count becomes their number. */
static crd_status walk(int64_t nodes, const int64_t *start, const int32_t *neighbour, const bool *needed, int64_t met,
                       int32_t *order, int32_t *place, int64_t *count, crd_error *error)
{
    int64_t next = met;
    for (int64_t seed = 0; seed < nodes; seed++) {
        if (place[seed] >= 0 || (needed != NULL && !needed[seed])) continue;
        place[seed] = (int32_t)met;
        order[met++] = (int32_t)seed;
        for (; next < met; next++) {
            if (crd_watch_at(next)) return crd_watch_stopped(error);
            for (int64_t e = start[order[next]]; e < start[order[next] + 1]; e++) {
                int32_t other = neighbour[e];
                if (place[other] >= 0) continue;
                place[other] = (int32_t)met;
                order[met++] = other;
            }
        }
    }
    *count = met;
    return CRD_OK;
}

/* The longest rows are 0. */
static int64_t shortness(const int64_t *start, int32_t node)
{
    int64_t degree = start[node + 1] - start[node];
    return degree < LONG ? LONG - degree : 0;
}

/* Sorts a window by falling degree; ties stay in the walk's order. */
static void sort_window(const int64_t *start, int32_t *window, int64_t count)
{
    int32_t sorted[WINDOW];
    int64_t at[LONG + 2] = {0};
    for (int64_t k = 0; k < count; k++) at[shortness(start, window[k]) + 1]++;
    for (int64_t s = 0; s < LONG; s++) at[s + 1] += at[s];
    for (int64_t k = 0; k < count; k++) sorted[at[shortness(start, window[k])]++] = window[k];
    memcpy(window, sorted, (size_t)count * sizeof *window);
}

/* The largest numbers of nodes of small and of large communities. */
enum { FEW = 4096, MORE = 65536 };

/* Sorts an order by communities of at most `most` nodes. Communities come as the order meets them; inside a community
 * the order stays. No community spans two components, so reached nodes still come first. */
static crd_status gather(int64_t nodes, const int64_t *start, const int32_t *neighbour, int64_t most, crd_reordered *r,
                         crd_error *error)
{
    int32_t *community, *number = r->place, count = 0;
    int64_t *at = NULL; /* for each community, where its next node goes */
    crd_status status = CRD_NEW(&community, 2 * nodes, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&at, nodes + 1, error);
    if (status == CRD_OK) status = crd_communities(nodes, start, neighbour, most, community, error);
    if (status == CRD_OK) {
        int32_t *walked = community + nodes;
        memcpy(walked, r->order, (size_t)nodes * sizeof *walked);
        for (int64_t i = 0; i < nodes; i++) number[i] = -1;
        for (int64_t k = 0; k < nodes && status == CRD_OK; k++) {
            if (crd_watch_at(k)) status = crd_watch_stopped(error);
            int32_t *its = &number[community[walked[k]]];
            if (*its < 0) *its = count++;
            at[*its + 1]++;
        }
        for (int32_t c = 0; c < count; c++) at[c + 1] += at[c];
        for (int64_t k = 0; k < nodes && status == CRD_OK; k++) {
            if (crd_watch_at(k)) status = crd_watch_stopped(error);
            r->order[at[number[community[walked[k]]]]++] = walked[k];
        }
    }
    crd_free(community);
    crd_free(at);
    return status;
}

static void sort_windows(const int64_t *start, int32_t *order, int64_t count)
{
    for (int64_t k = 0; k < count; k += WINDOW) sort_window(start, order + k, count - k < WINDOW ? count - k : WINDOW);
}

/* Each node, in the new order, appends its number to each neighbour's row, so all rows ascend. start[k + 1] is the
 * current end of row k; once all rows are full it is where row k + 1 begins. */
static crd_status fill_rows(const int64_t *start, const int32_t *neighbour, crd_reordered *r, crd_error *error)
{
    const int32_t *order = r->order;
    int64_t begin = 0;
    r->start[0] = 0;
    for (int64_t k = 0; k < r->nodes; k++) {
        r->start[k + 1] = begin;
        begin += start[order[k] + 1] - start[order[k]];
    }
    for (int64_t k = 0; k < r->nodes; k++) {
        if (crd_watch_at(k)) return crd_watch_stopped(error);
        for (int64_t e = start[order[k]]; e < start[order[k] + 1]; e++)
            r->neighbour[r->start[r->place[neighbour[e]] + 1]++] = (int32_t)k;
    }
    return CRD_OK;
}

crd_status crd_reorder(int64_t nodes, const int64_t *start, const int32_t *neighbour, const bool *needed,
                       crd_reordered *r, crd_error *error)
{
    *r = (crd_reordered){.nodes = nodes};
    crd_status status = CRD_NEW(&r->start, nodes + 1, error);
    if (status == CRD_OK) status = CRD_NEW(&r->neighbour, start[nodes], error);
    if (status == CRD_OK) status = CRD_NEW(&r->place, nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&r->order, nodes, error);
    if (status == CRD_OK) {
        for (int64_t i = 0; i < nodes; i++) r->place[i] = -1;
        int64_t all;
        status = walk(nodes, start, neighbour, needed, 0, r->order, r->place, &r->reached, error);
        if (status == CRD_OK) status = walk(nodes, start, neighbour, NULL, r->reached, r->order, r->place, &all, error);
        if (nodes >= MANY && status == CRD_OK) status = gather(nodes, start, neighbour, FEW, r, error);
        if (nodes >= MANY && status == CRD_OK) status = gather(nodes, start, neighbour, MORE, r, error);
    }
    if (status == CRD_OK) {
        sort_windows(start, r->order, r->reached);
        sort_windows(start, r->order + r->reached, nodes - r->reached);
        for (int64_t k = 0; k < nodes; k++) r->place[r->order[k]] = (int32_t)k;
        status = fill_rows(start, neighbour, r, error);
    }
    if (status != CRD_OK) crd_reordered_free(r);
    return status;
}
