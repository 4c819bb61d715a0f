#include "graph/communities.h"

#include <stdlib.h>

#include "base/random.h"

/* More rounds move few nodes. */
enum { ROUNDS = 6 };

typedef struct {
    const int64_t *start;
    const int32_t *neighbour;
    int32_t *community; /* of a node */
    int32_t *size;      /* of a community */
    int32_t *votes;     /* for a community; all 0 between nodes */
    int64_t most;
} propagation;

/* Equal numbers of votes are decided by a hash that differs from node to node: any fixed preference, such as for
 * the smaller number, would let one community flood the graph. */
static uint64_t preference(int32_t node, int32_t community)
{
    return crd_hash((uint64_t)node, (uint64_t)community);
}

/* Steps of this length, round and round, come to every node, and far from where the last one was: nodes that are
 * asked one after the other along edges would all follow the first. */
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

/* True if the node moves: to where more neighbours are than where it is. */
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
    crd_status status = CRD_NEW(&p.size, nodes, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&p.votes, nodes, error);
    if (status == CRD_OK) {
        for (int64_t i = 0; i < nodes; i++) {
            community[i] = (int32_t)i;
            p.size[i] = 1;
        }
        const int64_t step = nodes > 0 ? stride(nodes) % nodes : 0;
        for (int round = 0; round < ROUNDS; round++) {
            int64_t moved = 0;
            for (int64_t k = 0, node = 0; k < nodes; k++, node = (node + step) % nodes)
                moved += join(&p, (int32_t)node);
            if (moved == 0) break;
        }
    }
    free(p.size);
    free(p.votes);
    return status;
}
