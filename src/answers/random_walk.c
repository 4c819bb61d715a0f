/* SPDX-License-Identifier: MIT */
#include "answers/random_walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A smaller chance is none: it must not become 0 by rounding. */
static const float LEAST = 1e-30f;
/* The part of what a walk may still look at that is for one step. */
static const double OF_STEP = 0.75;
/* The neighbours of nodes of the first step, of the second, and of any one of these that are looked at for those that
 * come back. */
enum { FIRST_LOOKS = 65536, HOME_LOOKS = 24576, FEW_NEIGHBOURS = 256 };
/* A node with more neighbours is a hub. */
enum { HUB = 512 };
/* Sizes of chances: a bin for every power of 2. */
enum { BINS = 128, AHEAD = 8 };

crd_status crd_random_walk_reserve(crd_random_walk *w, int64_t nodes, crd_error *error)
{
    int32_t **const lists[] = {&w->node, &w->next_node, &w->gone, &w->home};
    float **const zeros[] = {&w->chance, &w->next, &w->left};
    int64_t room = w->room;
    crd_status status = CRD_OK;
    /* All arrays have the same room: that of each grows from what all have. */
    for (int a = 0; a < 4 && status == CRD_OK; a++) status = CRD_GROW(lists[a], &(int64_t){w->room}, nodes + 1, error);
    for (int a = 0; a < 3 && status == CRD_OK; a++) status = CRD_GROW(zeros[a], &(int64_t){w->room}, nodes + 1, error);
    if (status == CRD_OK) status = CRD_GROW(&w->is_home, &room, nodes + 1, error);
    if (status != CRD_OK) return status;
    for (int a = 0; a < 3; a++) memset(*zeros[a] + w->room, 0, (size_t)(room - w->room) * sizeof **zeros[a]);
    memset(w->is_home + w->room, 0, (size_t)(room - w->room));
    w->room = room;
    return CRD_OK;
}

void crd_random_walk_close(crd_random_walk *w)
{
    crd_free(w->node);
    crd_free(w->next_node);
    crd_free(w->gone);
    crd_free(w->left);
    crd_free(w->home);
    crd_free(w->is_home);
    crd_free(w->chance);
    crd_free(w->next);
    *w = (crd_random_walk){0};
}

void crd_random_walk_begin(crd_random_walk *w, int64_t node, float keep, int64_t allowed)
{
    w->keep = keep;
    w->allowed = allowed;
    w->count = 1;
    w->node[0] = (int32_t)node;
    w->chance[node] = 1.0f;
    w->gone_by = 0.0;
    memset(w->by_group, 0, sizeof w->by_group);
    w->steps = 0;
    w->by_hub = false;
}

static void forget_left(crd_random_walk *w)
{
    for (int64_t i = 0; i < w->leaving; i++) w->left[w->gone[i]] = 0.0f;
    w->leaving = 0;
}

void crd_random_walk_end(crd_random_walk *w)
{
    for (int64_t i = 0; i < w->count; i++) w->chance[w->node[i]] = 0.0f;
    for (int64_t i = 0; i < w->at_home; i++) w->is_home[w->home[i]] = 0;
    w->count = w->at_home = 0;
    forget_left(w);
}

static int bin_of(float chance)
{
    uint32_t bits;
    memcpy(&bits, &chance, sizeof bits);
    const int bin = 127 - (int)(bits >> 23 & 0xff);
    return bin < BINS ? bin : BINS - 1;
}

/* The least chance that is followed on: so small that the step looks at no more neighbours than it may. */
static float least_followed(crd_random_walk *w, const crd_growing *graph)
{
    int64_t ahead[BINS] = {0}, all = 0;
    for (int64_t i = 0; i < w->count; i++) all += graph->degree[w->node[i]];
    const int64_t most = (int64_t)(OF_STEP * (double)w->allowed);
    if (all <= most) {
        w->allowed -= all;
        return LEAST;
    }
    for (int64_t i = 0; i < w->count; i++) ahead[bin_of(w->chance[w->node[i]])] += graph->degree[w->node[i]];
    int bin = 0;
    for (all = 0; bin < BINS && all + ahead[bin] <= most; bin++) all += ahead[bin];
    w->allowed -= all;
    return fmaxf(ldexpf(1.0f, 1 - bin), LEAST);
}

/* Moves what is known by group along an edge. */
static void mix(const crd_groups *groups, float keep, double chance[CRD_GROUPS])
{
    double mixed[CRD_GROUPS] = {0.0};
    for (int g = 0; g < CRD_GROUPS; g++)
        for (int h = 0; h < CRD_GROUPS && groups->volume[g] > 0.0; h++)
            mixed[h] += (double)keep * chance[g] * groups->between[g][h] / groups->volume[g];
    memcpy(chance, mixed, sizeof mixed);
}

static void fetch(const crd_growing *graph, int32_t node, bool row)
{
    if (node >= graph->settled) return;
    if (row) __builtin_prefetch(graph->neighbour + graph->start[node]);
    else __builtin_prefetch(graph->start + node);
}

/* From a node to its neighbours. Returns how many nodes are then followed. */
static int64_t spread(crd_random_walk *w, const crd_growing *graph, int32_t node, float each, int64_t count)
{
    float *next = w->next;
    int32_t *list = w->next_node;
    crd_neighbours n = crd_neighbours_of(graph, node);
    for (int32_t j = node; j >= 0; j = n.next >= 0 ? crd_neighbours_next(&n) : -1) {
        list[count] = j;
        count += next[j] == 0.0f;
        next[j] += each;
    }
    for (; n.at < n.end; n.at++) {
        list[count] = *n.at;
        count += next[*n.at] == 0.0f;
        next[*n.at] += each;
    }
    return count;
}

/* What was made for the next step becomes what is. */
static void turn(crd_random_walk *w)
{
    int32_t *const node = w->node;
    float *const chance = w->chance;
    w->node = w->next_node;
    w->chance = w->next;
    w->next_node = node;
    w->next = chance;
}

/* The sum over a node and its neighbours. */
static float sum_around(const float *x, const crd_growing *graph, int64_t node)
{
    crd_neighbours n = crd_neighbours_of(graph, node);
    float sum = x[node];
    for (; n.next >= 0; n.next = n.link[n.next].next) sum += x[n.link[n.next].neighbour];
    for (; n.at < n.end; n.at++) sum += x[*n.at];
    return sum;
}

/* The nodes of the first step, and those of the second with few neighbours, the likeliest first: a walk that comes back
 * to them may well come to where it began. */
static void choose_home(crd_random_walk *w, const crd_growing *graph)
{
    const int64_t most = w->steps == 1 ? INT32_MAX : FEW_NEIGHBOURS, looks = w->steps == 1 ? FIRST_LOOKS : HOME_LOOKS;
    int64_t all = 0;
    for (float least = 0.01f; least > 1e-7f; least *= 0.25f)
        for (int64_t i = 0; i < w->count; i++) {
            const int32_t node = w->node[i];
            const int64_t degree = graph->degree[node];
            if (w->chance[node] < least || w->is_home[node] || degree > most || all + degree > looks) continue;
            all += degree;
            w->home[w->at_home++] = node;
            w->is_home[node] = 1;
        }
    for (int64_t i = 0; i < w->count && w->steps == 1; i++) w->by_hub = w->by_hub || graph->degree[w->node[i]] > HUB;
}

/* Follows those again that come back from where they were left. Returns how many nodes are then followed. */
static int64_t come_home(crd_random_walk *w, const crd_growing *graph, const crd_groups *groups, int64_t count)
{
    for (int64_t i = 0; i < w->at_home; i++) {
        const int32_t node = w->home[i];
        const float back = sum_around(w->left, graph, node);
        if (!(back >= LEAST)) continue;
        if (w->next[node] == 0.0f) w->next_node[count++] = node;
        w->next[node] += back;
        w->by_group[groups->of[node]] -= (double)(back / w->keep);
    }
    return count;
}

void crd_random_walk_step(crd_random_walk *w, const crd_growing *graph, const crd_groups *groups)
{
    const float least = least_followed(w, graph);
    int64_t count = 0;
    forget_left(w);
    w->gone_by = 0.0;
    for (int g = 0; g < CRD_GROUPS; g++) {
        w->two_before[g] = groups->volume[g] > 0.0 ? (float)(w->by_group[g] / groups->volume[g]) : 0.0f;
        w->gone_by += fabs(w->by_group[g]);
    }
    mix(groups, w->keep, w->by_group);
    for (int64_t i = 0; i < w->count; i++) {
        const int32_t node = w->node[i];
        const float chance = w->chance[node], each = w->keep * chance / ((float)graph->degree[node] + 1.0f);
        if (i + 2 * AHEAD < w->count) fetch(graph, w->node[i + 2 * AHEAD], false);
        if (i + AHEAD < w->count) fetch(graph, w->node[i + AHEAD], true);
        w->chance[node] = 0.0f;
        if (chance >= least && each >= LEAST) {
            count = spread(w, graph, node, each, count);
            continue;
        }
        w->left[node] = each;
        w->gone[w->leaving++] = node;
        w->by_group[groups->of[node]] += (double)chance;
    }
    if (w->leaving > 0) count = come_home(w, graph, groups, count);
    turn(w);
    w->count = count;
    if (++w->steps <= 2) choose_home(w, graph);
}

float crd_random_walk_at(const crd_random_walk *w, const crd_growing *graph, int64_t node,
                         const float arrives[CRD_GROUPS])
{
    float sum = w->chance[node], far = 0.0f;
    if (w->leaving > 0 && !w->is_home[node]) sum += sum_around(w->left, graph, node);
    for (int g = 0; g < CRD_GROUPS && w->gone_by > 0.0; g++) far += w->two_before[g] * arrives[g];
    return sum + far;
}
