/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/tree.h"
#include "base/watch.h"
#include "tsne/tsne.h"

/* ---- the search ---- */

enum {
    TILE_PANELS = CRD_TILE / CRD_PANEL,
    BLOCK = 64,        /* points that are compared with one tile after the other */
    CHUNK = 64 * BLOCK /* points between two calls of the caller's progress */
};

typedef struct {
    const crd_points *points;
    const crd_kernels *kernels;
    crd_neighbours *found;
    int64_t panels, tiles, room;
    float *panel;      /* all points, in panels; the last one is filled up with points at infinity */
    float *low, *high; /* the box around each tile, [tiles][dims] */
    uint64_t *item;    /* lists for every thread, [BLOCK][room] */
    int64_t first;     /* point of the chunk */
} search;

static float distance_of(uint64_t item)
{
    const uint32_t bits = (uint32_t)(item >> 32);
    float distance;
    memcpy(&distance, &bits, sizeof distance);
    return distance;
}

static int by_index(const void *a, const void *b)
{
    const uint32_t left = (uint32_t) * (const uint64_t *)a, right = (uint32_t) * (const uint64_t *)b;
    return (left > right) - (left < right);
}

/* A point is its own nearest neighbour, so lists keep one more than wanted. */
static void keep_nearest(const search *s, crd_near_list *list)
{
    const int64_t kept = s->found->each + 1;
    if (list->count < kept) return;
    crd_select_smallest(list->item, list->count, kept);
    list->count = kept;
    list->limit = distance_of(list->item[kept - 1]);
}

/* The least squared distance of a point from those in a tile; a little less, because rounding may have added
 * something. */
static float distance_from_tile(const search *s, int64_t point, int64_t tile)
{
    const int64_t dims = s->points->dims;
    const float *at = s->points->value + point * dims, *low = s->low + tile * dims, *high = s->high + tile * dims;
    float sum = 0.0f;
    for (int64_t d = 0; d < dims; d++) {
        const float apart = at[d] < low[d] ? low[d] - at[d] : at[d] > high[d] ? at[d] - high[d] : 0.0f;
        sum += apart * apart;
    }
    return 0.999f * sum;
}

/* Compares some points with a tile, unless it is too far away from all of them. */
static void compare(const search *s, int64_t query, int64_t end, int64_t tile, crd_near_list *lists)
{
    const int64_t dims = s->points->dims, panel = tile * TILE_PANELS, left = s->panels - panel;
    crd_near_list near[CRD_QUERIES] = {{.limit = -1.0f}, {.limit = -1.0f}, {.limit = -1.0f}, {.limit = -1.0f}};
    bool any = false;
    for (int q = 0; q < CRD_QUERIES && query + q < end; q++)
        if (distance_from_tile(s, query + q, tile) < lists[q].limit) {
            near[q] = lists[q];
            any = true;
        }
    if (!any) return;
    s->kernels->nearer(left < TILE_PANELS ? left : TILE_PANELS, dims, s->panel + panel * CRD_PANEL * dims,
                       s->points->value + query * dims, panel * CRD_PANEL, near);
    for (int q = 0; q < CRD_QUERIES && query + q < end; q++) {
        if (near[q].count <= lists[q].count) continue;
        lists[q].count = near[q].count;
        if (lists[q].count + CRD_TILE > s->room) keep_nearest(s, &lists[q]);
    }
}

/* Without the point itself, or without the farthest if many others are in its place. */
static void store(const search *s, int64_t point, crd_near_list *list)
{
    const int64_t each = s->found->each;
    keep_nearest(s, list);
    for (int64_t k = 0; k < each; k++)
        if ((int64_t)(uint32_t)list->item[k] == point) list->item[k] = list->item[each];
    qsort(list->item, (size_t)each, sizeof *list->item, by_index);
    for (int64_t k = 0; k < each; k++) {
        s->found->index[point * each + k] = (int32_t)(uint32_t)list->item[k];
        s->found->distance[point * each + k] = distance_of(list->item[k]);
    }
}

/* Tiles that follow each other are near each other: begins with the points' own, then to both sides. */
static void search_block(int64_t task, int worker, void *context)
{
    const search *s = context;
    const int64_t begin = s->first + task * BLOCK, own = begin / CRD_TILE;
    const int64_t end = begin + BLOCK < s->points->count ? begin + BLOCK : s->points->count;
    crd_near_list lists[BLOCK];
    for (int64_t i = 0; i < BLOCK; i++)
        lists[i] = (crd_near_list){.limit = INFINITY, .item = s->item + (worker * BLOCK + i) * s->room};
    for (int64_t step = 0; step < 2 * s->tiles; step++) {
        const int64_t tile = step % 2 == 0 ? own + step / 2 : own - 1 - step / 2;
        for (int64_t i = begin; i < end && tile >= 0 && tile < s->tiles; i += CRD_QUERIES)
            compare(s, i, end, tile, lists + (i - begin));
    }
    for (int64_t i = begin; i < end; i++) store(s, i, &lists[i - begin]);
}

static void fill_panels(search *s)
{
    const int64_t count = s->points->count, dims = s->points->dims;
    for (int64_t i = 0; i < s->tiles * dims; i++) {
        s->low[i] = INFINITY;
        s->high[i] = -INFINITY;
    }
    for (int64_t i = 0; i < s->panels * CRD_PANEL; i++)
        for (int64_t d = 0; d < dims; d++) {
            float *to = s->panel + (i / CRD_PANEL * dims + d) * CRD_PANEL + i % CRD_PANEL;
            float *low = s->low + i / CRD_TILE * dims + d, *high = s->high + i / CRD_TILE * dims + d;
            *to = i < count ? s->points->value[i * dims + d] : INFINITY;
            if (i >= count) continue;
            *low = *to < *low ? *to : *low;
            *high = *to > *high ? *to : *high;
        }
}

static void run_search(search *s, crd_team *team, const crd_tsne_options *options)
{
    const int64_t count = s->points->count;
    fill_panels(s);
    for (; s->first < count && !s->found->stopped; s->first += CHUNK) {
        const int64_t left = count - s->first;
        crd_parallel_tasks(team, left < CHUNK ? (left + BLOCK - 1) / BLOCK : CHUNK / BLOCK, search_block, s);
        if (options == NULL || left <= CHUNK) continue;
        const crd_tsne_state state = {.iterations = options->iterations, .divergence = (double)NAN};
        s->found->stopped = !crd_watch_map(&state);
    }
}

crd_status crd_neighbours_open(crd_neighbours *neighbours, const crd_points *points, int64_t each,
                               const crd_kernels *kernels, crd_team *team, const crd_tsne_options *options,
                               crd_error *error)
{
    *neighbours = (crd_neighbours){.count = points->count, .each = each};
    search s = {.points = points, .kernels = kernels, .found = neighbours};
    s.panels = (points->count + CRD_PANEL - 1) / CRD_PANEL;
    s.tiles = (s.panels + TILE_PANELS - 1) / TILE_PANELS;
    s.room = 2 * (each + 1) + CRD_TILE;
    crd_plan arrays = {0};
    CRD_PLAN(&arrays, &s.panel, s.panels * CRD_PANEL * points->dims);
    CRD_PLAN(&arrays, &s.low, s.tiles * points->dims);
    CRD_PLAN(&arrays, &s.high, s.tiles * points->dims);
    CRD_PLAN(&arrays, &s.item, crd_team_size(team) * BLOCK * s.room);
    crd_status status = CRD_NEW(&neighbours->index, points->count * each, error);
    if (status == CRD_OK) status = CRD_NEW(&neighbours->distance, points->count * each, error);
    if (status == CRD_OK) status = crd_plan_allocate(&arrays, error);
    if (status == CRD_OK) run_search(&s, team, options);
    else crd_neighbours_close(neighbours);
    crd_plan_free(&arrays);
    return status;
}

void crd_neighbours_close(crd_neighbours *neighbours)
{
    crd_free(neighbours->index);
    crd_free(neighbours->distance);
    *neighbours = (crd_neighbours){0};
}

/* ---- affinities: widths ---- */

enum { MOST_STEPS = 200 };

/* With p_k ~ exp(-b d_k), the entropy is log(sum of exp) + b mean(d), and its derivative for log b is -b^2 var(d):
 * Newton's method, kept inside an interval that contains the solution. Distances are counted from the nearest, in
 * units of their mean, so that neither exp nor b leaves its range. */
void crd_conditional(int64_t count, const float *distance, double perplexity, double *probability)
{
    float least = INFINITY; /* as a double, this loop breaks gcc 12 for AArch64 */
    for (int64_t k = 0; k < count; k++) least = fminf(least, distance[k]);
    const double nearest = (double)least;
    double mean = 0.0;
    for (int64_t k = 0; k < count; k++) mean += ((double)distance[k] - nearest) / (double)count;
    if (!(mean > 0.0)) { /* all at the same distance */
        for (int64_t k = 0; k < count; k++) probability[k] = 1.0 / (double)count;
        return;
    }
    const double wanted = log(perplexity), largest = 230.0; /* e^230 = 1e100, beyond any ratio of floats */
    double sum = 0.0, low = -largest, high = largest, at = 0.0;
    for (int step = 0; step < MOST_STEPS; step++) {
        const double b = exp(at);
        double first = 0.0, second = 0.0;
        sum = 0.0;
        for (int64_t k = 0; k < count; k++) {
            const double d = ((double)distance[k] - nearest) / mean;
            probability[k] = exp(-b * d);
            sum += probability[k];
            first += d * probability[k];
            second += d * d * probability[k];
        }
        first /= sum;
        const double beyond = log(sum) + b * first - wanted, slope = b * b * (second / sum - first * first);
        if (fabs(beyond) < 1e-8 || high - low < 1e-10) break;
        if (beyond > 0.0) low = at;
        else high = at;
        at += slope > 0.0 ? fmax(-4.0, fmin(4.0, beyond / slope)) : beyond > 0.0 ? 4.0 : -4.0;
        if (!(at > low && at < high)) at = 0.5 * (low + high);
    }
    for (int64_t k = 0; k < count; k++) probability[k] /= sum;
}

typedef struct {
    const crd_neighbours *neighbours;
    double perplexity;
    double *spare; /* for every thread, [each] */
    float *own;    /* [count][each]: the probability of each neighbour */
    int64_t *back; /* [count][each]: where the point is among its neighbour's neighbours; -1 if it is not */
} rows_job;

enum { ROWS = 256 };

static void find_widths(int64_t task, int worker, void *context)
{
    const rows_job *job = context;
    const int64_t each = job->neighbours->each, count = job->neighbours->count;
    double *probability = job->spare + worker * each;
    for (int64_t i = task * ROWS; i < (task + 1) * ROWS && i < count; i++) {
        crd_conditional(each, job->neighbours->distance + i * each, job->perplexity, probability);
        for (int64_t k = 0; k < each; k++) job->own[i * each + k] = (float)probability[k];
    }
}

/* ---- affinities: both directions ---- */

static void find_back(int64_t begin, int64_t end, void *context)
{
    const rows_job *job = context;
    const int64_t each = job->neighbours->each;
    const int32_t *index = job->neighbours->index;
    for (int64_t i = begin; i < end; i++)
        for (int64_t e = i * each; e < (i + 1) * each; e++) {
            int64_t low = index[e] * each, high = low + each; /* the first that is not below i */
            const int64_t last = high;
            while (low < high) {
                const int64_t middle = low + (high - low) / 2;
                if (index[middle] < i) low = middle + 1;
                else high = middle;
            }
            job->back[e] = low < last && index[low] == i ? low : -1;
        }
}

/* A row has its own neighbours, then the points that have it among theirs, but are not its own. */
static void fill_rows(const rows_job *job, crd_affinities *out, int64_t *next)
{
    const int64_t count = out->count, each = job->neighbours->each;
    const float scale = (float)(0.5 / (double)count);
    for (int64_t i = 0; i < count; i++) next[i] = out->start[i] + each;
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = 0; k < each; k++) {
            const int64_t e = i * each + k, other = job->neighbours->index[e], to = out->start[i] + k;
            const bool mutual = job->back[e] >= 0;
            out->column[to] = (int32_t)other;
            out->weight[to] = scale * (job->own[e] + (mutual ? job->own[job->back[e]] : 0.0f));
            if (mutual) continue;
            out->column[next[other]] = (int32_t)i;
            out->weight[next[other]++] = out->weight[to];
        }
}

static void sum_entropy(int64_t begin, int64_t end, double *sums, void *context)
{
    const crd_affinities *affinities = context;
    for (int64_t e = affinities->start[begin]; e < affinities->start[end]; e++) {
        const double p = (double)affinities->weight[e];
        if (p > 0.0) sums[0] += p * log(p);
    }
}

static crd_status symmetrise(const rows_job *job, crd_affinities *out, int64_t *next, crd_error *error)
{
    const int64_t count = out->count, each = job->neighbours->each;
    for (int64_t i = 0; i < count; i++) next[i] = each;
    for (int64_t e = 0; e < count * each; e++) next[job->neighbours->index[e]] += job->back[e] < 0;
    out->start[0] = 0;
    for (int64_t i = 0; i < count; i++)
        out->start[i + 1] = out->start[i] + (next[i] + CRD_PANEL - 1) / CRD_PANEL * CRD_PANEL;
    crd_status status = CRD_NEW_ZERO(&out->column, out->start[count], error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&out->weight, out->start[count], error);
    if (status == CRD_OK) fill_rows(job, out, next);
    return status;
}

crd_status crd_affinities_open(crd_affinities *affinities, const crd_neighbours *neighbours, double perplexity,
                               crd_team *team, crd_error *error)
{
    const int64_t count = neighbours->count, each = neighbours->each;
    *affinities = (crd_affinities){.count = count};
    rows_job job = {.neighbours = neighbours, .perplexity = perplexity};
    int64_t *next;
    crd_plan arrays = {0};
    CRD_PLAN(&arrays, &job.spare, crd_team_size(team) * each);
    CRD_PLAN(&arrays, &job.own, count * each);
    CRD_PLAN(&arrays, &job.back, count * each);
    CRD_PLAN(&arrays, &next, count);
    crd_status status = CRD_NEW(&affinities->start, count + 1, error);
    if (status == CRD_OK) status = crd_plan_allocate(&arrays, error);
    if (status == CRD_OK) {
        crd_parallel_tasks(team, (count + ROWS - 1) / ROWS, find_widths, &job);
        crd_parallel_rows(team, count, ROWS, find_back, &job);
        status = symmetrise(&job, affinities, next, error);
    }
    if (status == CRD_OK) crd_parallel_sum(team, count, sum_entropy, affinities, 1, &affinities->entropy);
    else crd_affinities_close(affinities);
    crd_plan_free(&arrays);
    return status;
}

void crd_affinities_close(crd_affinities *affinities)
{
    crd_free(affinities->start);
    crd_free(affinities->column);
    crd_free(affinities->weight);
    *affinities = (crd_affinities){0};
}
