/* SPDX-License-Identifier: MIT */
/* The nodes near a change of the graph: how far to look. See strips.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers/strips.h"

/* Nodes whose difference, relative to the usual size of their rows, is about this small are left to the groups. */
static const double LEAST_REACH = 1e-7;
/* The neighbours of a ring are looked at if they are not more than this, and it has at most so many nodes. */
enum { WIDE = 40000, MOST_OF_RING = 2048 };

enum {
    NODE,
    REACH,
    OUTSIDE,
    OF_SHARE,
    END,
    START,
    NEIGHBOUR,
    NEW_START,
    NEW_NEIGHBOUR,
    CANDIDATE,
    NOW,
    NEXT,
    BORDER,
    BEFORE
};

void crd_ripple_close(crd_ripple *r)
{
    void *const arrays[] = {r->node,  r->reach,     r->outside,   r->share,         r->end,       r->border,
                            r->start, r->neighbour, r->new_start, r->new_neighbour, r->candidate, r->now,
                            r->next,  r->before,    r->place,     r->inflow};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) crd_free(arrays[i]);
}

static crd_status enter(crd_ripple *r, int32_t node, float reach, crd_error *error)
{
    crd_status status = CRD_GROW(&r->node, &r->room[NODE], r->count + 1, error);
    if (status == CRD_OK) status = CRD_GROW(&r->reach, &r->room[REACH], r->count + 1, error);
    if (status == CRD_OK) status = CRD_GROW(&r->outside, &r->room[OUTSIDE], r->count + 1, error);
    if (status == CRD_OK) status = CRD_GROW(&r->share, &r->room[OF_SHARE], r->count + 1, error);
    if (status != CRD_OK) return status;
    r->node[r->count] = node;
    r->reach[r->count++] = reach;
    r->place[node] = (int32_t)r->count;
    return CRD_OK;
}

static crd_status join(crd_ripple *r, int64_t one, int64_t other, crd_error *error)
{
    crd_status status = CRD_GROW(&r->end, &r->room[END], 2 * (r->edges + 1), error);
    if (status != CRD_OK) return status;
    r->end[2 * r->edges] = (int32_t)one;
    r->end[2 * r->edges++ + 1] = (int32_t)other;
    return CRD_OK;
}

/* Looks at the neighbours of a node. Those that are in the ripple, and came before it, are its edges: so every edge is
 * found once, by its later end. The others may come into the next ring. */
static crd_status scan(crd_ripple *r, const crd_growing *graph, const crd_change *change, int64_t i, crd_error *error)
{
    const int64_t degree = graph->degree[r->node[i]];
    r->scanned += degree;
    crd_status status = CRD_GROW(&r->candidate, &r->room[CANDIDATE], r->out_count + degree, error);
    if (status == CRD_OK && i < r->changed)
        status = CRD_GROW(&r->new_neighbour, &r->room[NEW_NEIGHBOUR], r->new_edges + degree, error);
    if (status != CRD_OK) return status;
    crd_neighbours n = crd_neighbours_of(graph, r->node[i]);
    if (i < r->changed) r->new_start[i] = r->new_edges;
    while (i < r->changed && n.next >= change->links) /* both ends of a new edge are changed nodes */
        r->new_neighbour[r->new_edges++] = r->place[crd_neighbours_next(&n)] - 1;
    for (int32_t j; (j = crd_neighbours_next(&n)) >= 0 && status == CRD_OK;) {
        const int32_t place = r->place[j] - 1;
        if (place >= 0 && place < i) status = join(r, i, place, error);
        if (place >= 0) continue;
        if (r->inflow[j] == 0.0f) r->candidate[r->out_count++] = j;
        r->inflow[j] += r->reach[i];
    }
    return status;
}

/* The edges to the last ring, which begins at `end`. Its own neighbours are not looked at: there are too many. */
static crd_status join_rings(crd_ripple *r, const crd_growing *graph, int64_t end, crd_error *error)
{
    crd_status status = CRD_OK;
    for (int64_t i = 0; i < end; i++) {
        crd_neighbours n = crd_neighbours_of(graph, r->node[i]);
        for (int32_t j; (j = crd_neighbours_next(&n)) >= 0 && status == CRD_OK;)
            if (r->place[j] > end) status = join(r, i, r->place[j] - 1, error);
    }
    return status;
}

static double size_of_reach(const crd_ripple *r, const crd_growing *graph, int32_t node, float *reach)
{
    const double degree = (double)graph->degree[node] + 1.0;
    *reach = (float)((double)r->inflow[node] / degree);
    return (double)r->inflow[node] / sqrt(degree);
}

/* Takes the candidates that get enough, if what arrives first grows by so much until the last step; if these are too
 * many, those that get most. The others are forgotten. */
static crd_status take_ring(crd_ripple *r, const crd_growing *graph, double growth, crd_error *error)
{
    crd_status status = CRD_OK;
    double least = LEAST_REACH / growth;
    float reach;
    for (int64_t count = MOST_OF_RING + 1; count > MOST_OF_RING; least *= 2.0) {
        count = 0;
        for (int64_t c = 0; c < r->out_count; c++) count += size_of_reach(r, graph, r->candidate[c], &reach) >= least;
        if (count <= MOST_OF_RING) break;
    }
    for (int64_t c = 0; c < r->out_count; c++) {
        const int32_t node = r->candidate[c];
        const bool enough = size_of_reach(r, graph, node, &reach) >= least;
        r->inflow[node] = 0.0f;
        if (status == CRD_OK && enough) status = enter(r, node, reach, error);
    }
    r->out_count = 0;
    return status;
}

/* The size of a row is about 1/sqrt(degree + 1): so much comes with every new edge, and the node's own row shrinks. */
static float first_reach(const crd_growing *graph, const crd_change *change, int64_t b)
{
    const int32_t node = change->node[b];
    const double degree = (double)graph->degree[node] + 1.0;
    double sum = (degree - 1.0 - (double)change->degree[b]) / sqrt(degree);
    for (int32_t l = graph->last[node]; l >= change->links; l = graph->link[l].next)
        sum += 1.0 / sqrt((double)graph->degree[graph->link[l].neighbour] + 1.0);
    return (float)(sum / degree);
}

/* What reaches a ring by the shortest ways, and what follows by longer ones: each step that a way stays or returns
 * costs about 2 / (degree + 1), and there are many ways to put such steps between the others. */
static double growth_of(int64_t ring, int64_t steps, double mean)
{
    double sum = 0.0, ways = 1.0;
    for (int64_t more = 0; ring + more <= steps; more++) {
        sum += ways;
        ways *= 2.0 / (mean + 1.0) * (double)(ring + more) / (double)(more + 1);
    }
    return sum;
}

/* The nodes of the ripple, ring by ring, and the edges between them. */
crd_status crd_ripple_find(crd_strips *s, const crd_growing *graph, const crd_change *change, int64_t most,
                           crd_error *error)
{
    crd_ripple *r = &s->ripple;
    const double mean = (double)(graph->start[graph->settled] + graph->links) / (double)graph->nodes;
    crd_status status = CRD_GROW(&r->new_start, &r->room[NEW_START], change->count + 1, error);
    r->count = r->scanned = r->edges = r->new_edges = r->out_count = 0;
    r->changed = change->count;
    for (int64_t b = 0; b < change->count && status == CRD_OK; b++) {
        /* Neighbours of a new node are changed nodes, so it passes nothing on. */
        status = enter(r, change->node[b], change->degree[b] < 0 ? 0.0f : first_reach(graph, change, b), error);
    }
    for (int64_t step = 0, begin = 0; begin < r->count && status == CRD_OK; step++) {
        const int64_t end = r->count;
        int64_t ahead = 0;
        for (int64_t i = begin; i < end; i++) ahead += graph->degree[r->node[i]];
        r->last_ring = step > 0 && ahead > WIDE ? begin : end;
        if (r->last_ring == begin) return join_rings(r, graph, begin, error);
        for (int64_t i = begin; i < end && r->scanned <= most && status == CRD_OK; i++)
            status = scan(r, graph, change, i, error);
        if (step == 0) r->new_start[r->changed] = r->new_edges;
        const crd_status taken =
            take_ring(r, graph, step + 1 < s->steps ? growth_of(step + 1, s->steps, mean) : 0.0, error);
        if (status == CRD_OK) status = taken;
        if (r->scanned > most) break;
        begin = end;
    }
    return status;
}

/* The edges by their ends, both ways, and memory for the differences. */
crd_status crd_ripple_sort(crd_strips *s, crd_error *error)
{
    crd_ripple *r = &s->ripple;
    const int64_t cells = r->count * s->width;
    crd_status status = CRD_GROW(&r->start, &r->room[START], r->count + 2, error);
    if (status == CRD_OK) status = CRD_GROW(&r->neighbour, &r->room[NEIGHBOUR], 2 * r->edges, error);
    if (status == CRD_OK) status = CRD_GROW(&r->now, &r->room[NOW], cells, error);
    if (status == CRD_OK) status = CRD_GROW(&r->next, &r->room[NEXT], cells, error);
    if (status == CRD_OK) status = CRD_GROW(&r->border, &r->room[BORDER], cells, error);
    if (status == CRD_OK)
        status = CRD_GROW(&r->before, &r->room[BEFORE], (s->steps + 1) * r->changed * s->width, error);
    if (status != CRD_OK) return status;
    /* start[i + 2] counts the edges of i, start[i + 1] becomes where they go next, and at last where they end. */
    memset(r->start, 0, (size_t)(r->count + 2) * sizeof *r->start);
    for (int64_t e = 0; e < 2 * r->edges; e++) r->start[r->end[e] + 2]++;
    for (int64_t i = 0; i < r->count; i++) r->start[i + 2] += r->start[i + 1];
    for (int64_t e = 0; e < r->edges; e++) {
        const int32_t one = r->end[2 * e], other = r->end[2 * e + 1];
        r->neighbour[r->start[one + 1]++] = other;
        r->neighbour[r->start[other + 1]++] = one;
    }
    return CRD_OK;
}

/* Counts the neighbours outside. Those of the last ring have usual degrees. */
void crd_ripple_count_outside(const crd_growing *graph, double usual_share, crd_ripple *r)
{
    for (int64_t i = 0; i < r->count; i++) {
        const int64_t fresh = i < r->changed ? r->new_start[i + 1] - r->new_start[i] : 0;
        const int64_t outside = graph->degree[r->node[i]] - fresh - (r->start[i + 1] - r->start[i]);
        r->outside[i] = (float)outside;
        r->share[i] = (float)usual_share;
        if (outside == 0 || i >= r->last_ring) continue;
        double share = 0.0;
        crd_neighbours n = crd_neighbours_of(graph, r->node[i]);
        for (int32_t j; (j = crd_neighbours_next(&n)) >= 0;)
            if (r->place[j] == 0) share += 1.0 / ((double)graph->degree[j] + 1.0);
        r->share[i] = (float)(share / (double)outside);
    }
}
