/* SPDX-License-Identifier: MIT */
#include "answers/lag.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How wrong the columns of an answer may be, relative to what can be seen of them. */
static const double MOST_WRONG = 6e-6;
/* The part of what groups give that may be wrong: at first, and at least. */
static const double FIRST_PART = 0.25, LEAST_PART = 0.15;
/* What else may be wrong: at first, and if the part is right. What is learnt of both is forgotten slowly. */
static const double ELSE_WRONG = 2.5e-6, MEMORY = 0.8;
/* What rounding may make of a column, which is no error of the groups. */
static const double ROUNDING = 2e-7;
/* One node in SHARE may lag, within these limits. */
enum { SHARE = 64, FEWEST = 64, MOST = 4096 };
/* A walk may look at so many neighbours. */
enum { WALK = 131072 };

static int64_t within(int64_t least, int64_t x, int64_t most)
{
    return x < least ? least : x > most ? most : x;
}

/* ---- memory ---- */

static int64_t padded(const crd_strips *s)
{
    return s->strips * s->width;
}

static float *over_of(const crd_lag *lag, const crd_strips *s, int64_t place, int64_t step)
{
    return lag->over + (place * (s->steps + 1) + step) * padded(s);
}

crd_status crd_lag_open(crd_lag *lag, const crd_strips *s, bool evidence, double weight, crd_error *error)
{
    *lag = (crd_lag){.evidence = evidence, .weight = weight, .part = FIRST_PART, .always = ELSE_WRONG};
    crd_status status = CRD_NEW_ZERO(&lag->size, (s->steps + 1) * padded(s), error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&lag->row, padded(s), error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&lag->by_groups, padded(s), error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&lag->tried_row, CRD_LAG_TRIED * padded(s), error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&lag->tried_by_groups, CRD_LAG_TRIED * padded(s), error);
    return status;
}

void crd_lag_close(crd_lag *lag)
{
    void *const arrays[] = {lag->node,      lag->place,    lag->over,      lag->volume,    lag->arrives,
                            lag->size,      lag->row,      lag->by_groups, lag->tried_row, lag->tried_by_groups,
                            lag->groups.of, lag->kept_size};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) crd_free(arrays[i]);
    crd_random_walk_close(&lag->walk);
    *lag = (crd_lag){0};
}

crd_status crd_lag_reserve(crd_lag *lag, const crd_strips *s, int64_t nodes, crd_error *error)
{
    const int64_t most = within(FEWEST, nodes / SHARE, MOST), marked = lag->place_room;
    int64_t cells;
    if (!crd_multiply(most, (s->steps + 1) * padded(s), &cells)) return crd_fail_memory(error, SIZE_MAX);
    crd_status status = CRD_GROW(&lag->node, &lag->node_room, most, error);
    if (status == CRD_OK) status = CRD_GROW(&lag->over, &lag->over_room, cells, error);
    if (status == CRD_OK) status = CRD_GROW(&lag->volume, &lag->volume_room, most, error);
    if (status == CRD_OK) status = CRD_GROW(&lag->arrives, &lag->arrives_room, most * CRD_GROUPS, error);
    if (status == CRD_OK) status = CRD_GROW(&lag->groups.of, &lag->groups.room, nodes, error);
    if (status == CRD_OK) status = CRD_GROW(&lag->place, &lag->place_room, nodes, error);
    if (status == CRD_OK && lag->place_room > marked)
        memset(lag->place + marked, 0, (size_t)(lag->place_room - marked) * sizeof *lag->place);
    if (status == CRD_OK) status = crd_random_walk_reserve(&lag->walk, nodes, error);
    if (status == CRD_OK) lag->most = most;
    return status;
}

/* ---- what is left over ---- */

/* Whether all its edges are new. */
static bool was_alone(const crd_growing *graph, int64_t node)
{
    return node >= graph->settled || graph->start[node + 1] == graph->start[node];
}

/* A node that was alone or not there gets the rows that follow from those of its neighbours: then little is left over.
 * New neighbours that come after a new node count as it does. */
static void guess_rows(crd_strips *s, const crd_growing *graph, int64_t node)
{
    const int64_t width = s->width;
    const float share = (1.0f - s->teleport) / ((float)graph->degree[node] + 1.0f);
    for (int64_t b = 0; b < s->strips; b++) {
        const float *first = crd_strips_row(s, b, 0, node), *origin = s->origin[b] + node * width;
        for (int64_t c = 0; c < width; c++) crd_strips_row(s, b, 0, node)[c] = s->s[node] * origin[c];
        for (int64_t step = 1; step <= s->steps; step++) {
            const float *own = crd_strips_row(s, b, step - 1, node);
            float sum[CRD_DIFFUSED_COLUMNS], *row = crd_strips_row(s, b, step, node);
            for (int64_t c = 0; c < width; c++) sum[c] = own[c];
            for (int32_t l = graph->last[node]; l >= 0; l = graph->link[l].next) {
                const int32_t j = graph->link[l].neighbour;
                const float *other = j < node || node < graph->settled ? crd_strips_row(s, b, step - 1, j) : own;
                for (int64_t c = 0; c < width; c++) sum[c] += other[c];
            }
            for (int64_t c = 0; c < width; c++) row[c] = share * sum[c] + s->teleport * first[c];
        }
    }
}

/* L of a node. What its neighbours of before add up to is what its own rows say. */
static void make_over(const crd_lag *lag, const crd_strips *s, const crd_growing *graph, int64_t place)
{
    const int64_t node = lag->node[place], width = s->width;
    const bool is_new = was_alone(graph, node);
    const double degree = is_new ? 0.0 : (double)(graph->start[node + 1] - graph->start[node]);
    const double keep = 1.0 - (double)s->teleport, teleport = (double)s->teleport;
    const double share = 1.0 / ((double)graph->degree[node] + 1.0);
    for (int64_t b = 0; b < s->strips; b++) {
        const float *first = crd_strips_row(s, b, 0, node), *origin = s->origin[b] + node * width;
        float *over = over_of(lag, s, place, 0) + b * width;
        for (int64_t c = 0; c < width; c++) over[c] = s->s[node] * origin[c] - first[c];
        for (int64_t step = 1; step <= s->steps; step++) {
            const float *row = crd_strips_row(s, b, step, node), *before = crd_strips_row(s, b, step - 1, node);
            double sum[CRD_DIFFUSED_COLUMNS];
            for (int64_t c = 0; c < width; c++)
                sum[c] =
                    is_new ? keep * (double)before[c] : (degree + 1.0) * ((double)row[c] - teleport * (double)first[c]);
            for (int32_t l = graph->last[node]; l >= 0; l = graph->link[l].next) {
                const float *other = crd_strips_row(s, b, step - 1, graph->link[l].neighbour);
                for (int64_t c = 0; c < width; c++) sum[c] += keep * (double)other[c];
            }
            over = over_of(lag, s, place, step) + b * width;
            for (int64_t c = 0; c < width; c++)
                over[c] = (float)(share * sum[c] + teleport * (double)(s->s[node] * origin[c]) - (double)row[c]);
        }
    }
}

/* Adds a node's L to the sizes, or takes it away. */
static void count_over(const crd_lag *lag, const crd_strips *s, int64_t place, double sign)
{
    /* Nodes with few neighbours differ most from what their group says. */
    const double volume = sign * sqrt((double)lag->volume[place] * lag->groups.whole / (double)s->nodes);
    const float *over = over_of(lag, s, place, 0);
    for (int64_t c = 0; c < (s->steps + 1) * padded(s); c++) lag->size[c] += volume * fabs((double)over[c]);
}

static void follow_node(crd_lag *lag, const crd_strips *s, const crd_growing *graph, int32_t node)
{
    if (lag->place[node] > 0) count_over(lag, s, lag->place[node] - 1, -1.0);
    if (lag->place[node] == 0 || lag->supposed) {
        lag->node[lag->count++] = node;
        lag->place[node] = (int32_t)lag->count;
    }
    const int64_t place = lag->place[node] - 1;
    lag->volume[place] = (float)graph->degree[node] + 1.0f;
    make_over(lag, s, graph, place);
    count_over(lag, s, place, 1.0);
    crd_groups_arrive(&lag->groups, graph, 1.0f - s->teleport, node, lag->arrives + place * CRD_GROUPS);
}

void crd_lag_scale(crd_strips *s, const crd_growing *graph, int64_t node)
{
    s->s[node] = (float)(1.0 / sqrt((double)graph->degree[node] + 1.0));
}

void crd_lag_follow(crd_lag *lag, crd_strips *s, const crd_growing *graph, const int32_t *nodes, int64_t count)
{
    for (int64_t i = 0; i < count; i++) crd_lag_scale(s, graph, nodes[i]);
    lag->fresh = lag->fresh && (lag->supposed || lag->count + count <= lag->most);
    if (!lag->fresh) return;
    for (int64_t i = 0; i < count; i++) {
        if (!was_alone(graph, nodes[i]) || lag->place[nodes[i]] > 0) continue;
        if (lag->supposed && nodes[i] < graph->settled)
            continue; /* its rows stay: more is left over, but no less right */
        guess_rows(s, graph, nodes[i]);
        lag->groups.of[nodes[i]] = crd_groups_find(&lag->groups, s, nodes[i]);
    }
    for (int64_t i = 0; i < count; i++) follow_node(lag, s, graph, nodes[i]);
}

/* ---- what is only supposed ---- */

crd_status crd_lag_suppose(crd_lag *lag, const crd_strips *s, int64_t nodes, crd_error *error)
{
    const int64_t sizes = (s->steps + 1) * padded(s), most = lag->count + nodes;
    int64_t cells;
    if (!crd_multiply(most, sizes, &cells)) return crd_fail_memory(error, SIZE_MAX);
    crd_status status = CRD_GROW(&lag->node, &lag->node_room, most, error);
    if (status == CRD_OK) status = CRD_GROW(&lag->over, &lag->over_room, cells, error);
    if (status == CRD_OK) status = CRD_GROW(&lag->volume, &lag->volume_room, most, error);
    if (status == CRD_OK) status = CRD_GROW(&lag->arrives, &lag->arrives_room, most * CRD_GROUPS, error);
    if (status == CRD_OK) status = CRD_GROW(&lag->kept_size, &lag->kept_size_room, sizes, error);
    if (status != CRD_OK) return status;
    memcpy(lag->kept_size, lag->size, (size_t)sizes * sizeof *lag->size);
    lag->kept = lag->count;
    lag->kept_most = lag->most;
    lag->supposed = true;
    return CRD_OK;
}

void crd_lag_forget(crd_lag *lag)
{
    double *const size = lag->size;
    for (int64_t p = lag->kept; p < lag->count; p++) lag->place[lag->node[p]] = 0;
    for (int64_t p = 0; p < lag->kept; p++) lag->place[lag->node[p]] = (int32_t)p + 1;
    lag->size = lag->kept_size;
    lag->kept_size = size;
    lag->count = lag->kept;
    lag->most = lag->kept_most;
    lag->supposed = false;
}

/* ---- answers ---- */

bool crd_lag_pays(const crd_lag *lag, const crd_strips *s, const crd_growing *graph, int64_t answers)
{
    const double all = (double)(graph->start[graph->settled] + graph->links) * (double)(s->steps * s->strips);
    return lag->count == 0 || lag->supposed || (double)answers * (double)WALK <= all;
}

/* Adds what is left over after a step where the walk is. */
static void add_over(crd_lag *lag, const crd_strips *s, const crd_growing *graph, int64_t step)
{
    const crd_random_walk *w = &lag->walk;
    const double *size = lag->size + step * padded(s);
    for (int64_t p = 0; p < lag->count; p++) {
        if (lag->place[lag->node[p]] != p + 1) continue; /* it is supposed to be another */
        const float chance = crd_random_walk_at(w, graph, lag->node[p], lag->arrives + p * CRD_GROUPS);
        if (chance == 0.0f) continue;
        const float *over = over_of(lag, s, p, step);
        for (int64_t c = 0; c < padded(s); c++) lag->row[c] += (double)(chance * over[c]);
    }
    for (int64_t c = 0; c < s->columns && w->gone_by > 0.0; c++)
        lag->by_groups[c] += w->gone_by / lag->groups.whole * fmax(size[c], 0.0);
}

/* Makes lag->row and lag->by_groups. */
static void make_row(crd_lag *lag, const crd_strips *s, const crd_growing *graph, int64_t node, int64_t looks)
{
    for (int64_t c = 0; c < padded(s); c++) {
        lag->row[c] = (double)crd_strips_last(s, node, c);
        lag->by_groups[c] = 0.0;
    }
    if (lag->count == 0) return;
    crd_random_walk_begin(&lag->walk, node, 1.0f - s->teleport, looks);
    add_over(lag, s, graph, s->steps);
    for (int64_t step = s->steps - 1; step >= 0; step--) {
        crd_random_walk_step(&lag->walk, graph, &lag->groups);
        add_over(lag, s, graph, step);
    }
    crd_random_walk_end(&lag->walk);
}

/* What counts as 1 in a column of a node, divided by the root of degree + 1. */
static double unit_of(const crd_lag *lag, const crd_strips *s, int64_t node, double row)
{
    const double root = (double)s->s[node];
    return (lag->evidence ? root + fabs(row) : root) / lag->weight;
}

/* Writes the answer from lag->row. Returns whether it is right enough. */
static bool write_answer(const crd_lag *lag, const crd_strips *s, int64_t node, float *columns)
{
    bool good = lag->count == 0 || lag->walk.gone_by == 0.0 || !lag->walk.by_hub;
    for (int64_t c = 0; c < s->columns; c++) {
        const double wrong = lag->part * lag->by_groups[c] / unit_of(lag, s, node, lag->row[c]);
        columns[c] = (float)(lag->row[c] / (double)s->s[node]);
        good = good && (lag->by_groups[c] == 0.0 || lag->always + wrong <= MOST_WRONG);
    }
    return good;
}

bool crd_lag_answer(crd_lag *lag, const crd_strips *s, const crd_growing *graph, int64_t node, float *columns)
{
    make_row(lag, s, graph, node, WALK);
    if (lag->count > 0 && !lag->supposed) lag->asked[lag->answers++ % CRD_LAG_TRIED] = (int32_t)node;
    const bool good = write_answer(lag, s, node, columns);
    if (good || !lag->supposed) return good;
    make_row(lag, s, graph, node, INT64_MAX); /* node by node to its end */
    write_answer(lag, s, node, columns);
    return true;
}

/* ---- everything again ---- */

void crd_lag_try(crd_lag *lag, const crd_strips *s, const crd_growing *graph)
{
    lag->tried = 0;
    if (!lag->fresh || lag->count == 0) return;
    for (; lag->tried < CRD_LAG_TRIED && lag->tried < lag->answers; lag->tried++) {
        const int64_t at = lag->tried * padded(s);
        make_row(lag, s, graph, lag->asked[lag->tried], WALK);
        memcpy(lag->tried_row + at, lag->row, (size_t)padded(s) * sizeof *lag->row);
        memcpy(lag->tried_by_groups + at, lag->by_groups, (size_t)padded(s) * sizeof *lag->by_groups);
    }
}

static void learn(crd_lag *lag, const crd_strips *s)
{
    double always = 0.0;
    for (int64_t t = 0; t < lag->tried; t++)
        for (int64_t c = 0; c < s->columns; c++) {
            const double right = (double)crd_strips_last(s, lag->asked[t], c);
            const double wrong = fabs(lag->tried_row[t * padded(s) + c] - right) - ROUNDING * fabs(right);
            const double by_groups = lag->tried_by_groups[t * padded(s) + c];
            always = fmax(always, (wrong - lag->part * by_groups) / unit_of(lag, s, lag->asked[t], right));
        }
    if (lag->tried > 0) {
        lag->always = fmax(always, MEMORY * lag->always);
        lag->part = always > ELSE_WRONG ? fmin(1.0, lag->part / MEMORY) : fmax(LEAST_PART, MEMORY * lag->part);
    }
    lag->tried = 0;
}

void crd_lag_clear(crd_lag *lag, const crd_strips *s, const crd_growing *graph)
{
    learn(lag, s);
    for (int64_t c = 0; c < lag->count; c++) lag->place[lag->node[c]] = 0;
    lag->count = 0;
    memset(lag->size, 0, (size_t)((s->steps + 1) * padded(s)) * sizeof *lag->size);
    crd_groups_make(&lag->groups, s, graph);
    lag->fresh = true;
}
