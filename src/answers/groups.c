/* SPDX-License-Identifier: MIT */
#include "answers/groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/watch.h"

/* Splits are chosen by a sample of the nodes. */
enum { SAMPLE = 4096 };
/* Nodes with more neighbours have very many. */
enum { MANY = 1024 };

static int ascending(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Columns may differ in size by many powers of 10. */
static double tamed(float x)
{
    return copysign(log1p(fabs((double)x)), (double)x);
}

static int64_t most_different_column(const crd_strips *s, const int32_t *nodes, int64_t count)
{
    int64_t chosen = 0;
    double most = -1.0;
    for (int64_t c = 0; c < s->columns; c++) {
        double sum = 0.0, squares = 0.0;
        for (int64_t i = 0; i < count; i++) {
            const double x = tamed(crd_strips_last(s, nodes[i], c));
            sum += x;
            squares += x * x;
        }
        const double variance = squares - sum * sum / (double)count;
        if (variance <= most) continue;
        most = variance;
        chosen = c;
    }
    return chosen;
}

/* Splits these nodes at the median of a column, and each half again; `sorted` has room for a number of each. */
static void split(crd_groups *groups, const crd_strips *s, int32_t *nodes, int64_t count, int at, float *sorted)
{
    if (at >= CRD_GROUPS) return;
    const int64_t column = count > 0 ? most_different_column(s, nodes, count) : 0;
    for (int64_t i = 0; i < count; i++) sorted[i] = crd_strips_last(s, nodes[i], column);
    if (count > 1) qsort(sorted, (size_t)count, sizeof *sorted, ascending);
    const float below = count > 0 ? sorted[count / 2] : 0.0f;
    int64_t left = 0;
    for (int64_t i = 0; i < count; i++) {
        if (!(crd_strips_last(s, nodes[i], column) < below)) continue;
        const int32_t node = nodes[i];
        nodes[i] = nodes[left];
        nodes[left++] = node;
    }
    groups->split[at].column = column;
    groups->split[at].below = below;
    split(groups, s, nodes, left, 2 * at, sorted);
    split(groups, s, nodes + left, count - left, 2 * at + 1, sorted);
}

uint8_t crd_groups_find(const crd_groups *groups, const crd_strips *s, int64_t node)
{
    int at = 1;
    while (at < CRD_GROUPS)
        at = 2 * at + (crd_strips_last(s, node, groups->split[at].column) < groups->split[at].below ? 0 : 1);
    return (uint8_t)(at - CRD_GROUPS);
}

crd_status crd_groups_make(crd_groups *groups, const crd_strips *s, const crd_growing *graph, crd_error *error)
{
    int32_t sample[SAMPLE];
    float sorted[SAMPLE];
    const int64_t count = s->nodes < SAMPLE ? s->nodes : SAMPLE;
    for (int64_t i = 0; i < count; i++) sample[i] = (int32_t)(i * s->nodes / count);
    split(groups, s, sample, count, 1, sorted);
    memset(groups->between, 0, sizeof groups->between);
    memset(groups->volume, 0, sizeof groups->volume);
    groups->whole = 0.0;
    for (int64_t i = 0; i < s->nodes && !crd_watch_at(i); i++) groups->of[i] = crd_groups_find(groups, s, i);
    crd_status status = crd_watch_check(error);
    for (int64_t i = 0; i < s->nodes && status == CRD_OK; i++) {
        if (crd_watch_at(i)) status = crd_watch_stopped(error);
        double *row = groups->between[groups->of[i]];
        row[groups->of[i]] += 1.0;
        for (int64_t e = graph->start[i]; e < graph->start[i + 1]; e++) row[groups->of[graph->neighbour[e]]] += 1.0;
        groups->volume[groups->of[i]] += (double)graph->degree[i] + 1.0;
        groups->whole += (double)graph->degree[i] + 1.0;
    }
    return status;
}

/* Adds a share of each neighbour's group, and of the node's own. */
static void add_neighbours(const crd_groups *groups, const crd_growing *graph, int64_t node, float share,
                           float sum[CRD_GROUPS])
{
    if (graph->degree[node] > MANY) {
        const int own = groups->of[node];
        const double all = (double)share * ((double)graph->degree[node] + 1.0) / groups->volume[own];
        for (int g = 0; g < CRD_GROUPS; g++) sum[g] += (float)(all * groups->between[own][g]);
        return;
    }
    crd_neighbours n = crd_neighbours_of(graph, node);
    for (int64_t j = node; j >= 0; j = crd_neighbours_next(&n)) sum[groups->of[j]] += share;
}

void crd_groups_arrive(const crd_groups *groups, const crd_growing *graph, float keep, int64_t node,
                       float arrives[CRD_GROUPS])
{
    crd_neighbours n = crd_neighbours_of(graph, node);
    memset(arrives, 0, CRD_GROUPS * sizeof *arrives);
    if (graph->degree[node] <= MANY) {
        for (int64_t j = node; j >= 0; j = crd_neighbours_next(&n))
            add_neighbours(groups, graph, j, keep * keep / ((float)graph->degree[j] + 1.0f), arrives);
        return;
    }
    double of[CRD_GROUPS] = {0.0};
    for (int64_t j = node; j >= 0; j = crd_neighbours_next(&n)) of[groups->of[j]] += (double)(keep * keep);
    for (int g = 0; g < CRD_GROUPS; g++)
        for (int h = 0; h < CRD_GROUPS && of[g] > 0.0; h++)
            arrives[h] += (float)(of[g] * groups->between[g][h] / groups->volume[g]);
}
