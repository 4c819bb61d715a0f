#include "tsne/neighbours.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/tree.h"
#include "tsne/points.h"

/* ---- the search ---- */

enum {
    TILE_PANELS = CRD_TILE / CRD_PANEL,
    BLOCK = 64,        /* points that are compared with one tile after the other */
    CHUNK = 64 * BLOCK /* points between two calls of `ask` */
};

/* A candidate is (squared distance, number) as one integer: the bits of non-negative floats are in the order of their
 * values. */
static uint64_t candidate(float distance, int64_t index)
{
    uint32_t bits;
    memcpy(&bits, &distance, sizeof bits);
    return (uint64_t)bits << 32 | (uint64_t)index;
}

static float distance_of(uint64_t a_candidate)
{
    const uint32_t bits = (uint32_t)(a_candidate >> 32);
    float distance;
    memcpy(&distance, &bits, sizeof distance);
    return distance;
}

static int by_size(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static int by_index(const void *a, const void *b)
{
    const uint32_t left = (uint32_t) * (const uint64_t *)a, right = (uint32_t) * (const uint64_t *)b;
    return (left > right) - (left < right);
}

typedef struct {
    int64_t count;
    float limit;
} list;

/* The memory of one thread. */
typedef struct {
    uint64_t *item; /* [BLOCK][room] */
    float *query;   /* [BLOCK][dims], the last ones repeated; then the corners of the box around them */
    uint64_t *tile; /* (least squared distance, number) as a candidate is */
    int32_t at[CRD_QUERIES * CRD_TILE];
    float distance[CRD_QUERIES * CRD_TILE];
    list lists[BLOCK];
} worker;

typedef struct {
    const crd_points *points;
    const crd_kernels *kernels;
    crd_neighbours *found;
    float *panel;      /* all points, in panels */
    float *low, *high; /* the box around each tile, [tiles][dims] */
    int64_t panels, tiles, room;
    worker *workers;
    int64_t first, last; /* of the chunk's points */
    atomic_int_fast64_t next;
} search;

static void keep_nearest(search *s, list *mine, uint64_t *item)
{
    if (mine->count < s->found->each) return;
    crd_select_smallest(item, mine->count, s->found->each);
    mine->count = s->found->each;
    mine->limit = distance_of(item[mine->count - 1]);
}

/* Compares four points with a tile at a distance of at least `least`. The first is number `query` of the block that
 * begins at `begin`. */
static void compare(search *s, worker *d, int64_t begin, int64_t end, int64_t query, int64_t tile, float least)
{
    int64_t hits[CRD_QUERIES];
    float limit[CRD_QUERIES], most = -1.0f;
    for (int q = 0; q < CRD_QUERIES; q++) {
        limit[q] = begin + query + q < end ? d->lists[query + q].limit : -1.0f;
        most = fmaxf(most, limit[q]);
    }
    if (least >= most) return;
    const int64_t dims = s->points->dims, panel = tile * TILE_PANELS, left = s->panels - panel;
    const int64_t panels = left < TILE_PANELS ? left : TILE_PANELS;
    s->kernels->nearer(panels, dims, s->panel + panel * CRD_PANEL * dims, d->query + query * dims, limit, hits, d->at,
                       d->distance);
    for (int q = 0; q < CRD_QUERIES && begin + query + q < end; q++) {
        list *mine = &d->lists[query + q];
        uint64_t *item = d->item + (query + q) * s->room;
        for (int64_t h = q * panels * CRD_PANEL; h < q * panels * CRD_PANEL + hits[q]; h++) {
            const int64_t other = panel * CRD_PANEL + d->at[h];
            if (other != begin + query + q && other < s->points->count)
                item[mine->count++] = candidate(d->distance[h], other);
        }
        if (mine->count + CRD_TILE > s->room) keep_nearest(s, mine, item);
    }
}

/* The box around some points. */
static void surround(const float *value, int64_t count, int64_t dims, float *low, float *high)
{
    for (int64_t d = 0; d < dims; d++) {
        low[d] = INFINITY;
        high[d] = -INFINITY;
        for (int64_t i = 0; i < count; i++) {
            low[d] = fminf(low[d], value[i * dims + d]);
            high[d] = fmaxf(high[d], value[i * dims + d]);
        }
    }
}

/* Sorts the tiles by their least distance from the block, its own first. */
static void order_tiles(search *s, worker *d, int64_t begin)
{
    const int64_t dims = s->points->dims;
    float *low = d->query + BLOCK * dims, *high = low + dims;
    surround(d->query, BLOCK, dims, low, high);
    for (int64_t t = 0; t < s->tiles; t++) {
        float sum = 0.0f;
        for (int64_t k = 0; k < dims; k++) {
            const float above = s->low[t * dims + k] - high[k], below = low[k] - s->high[t * dims + k];
            const float apart = fmaxf(0.0f, fmaxf(above, below));
            sum += apart * apart;
        }
        /* A little less, because rounding may have added something; above 0, because its own tile comes first. */
        d->tile[t] = t == begin / CRD_TILE ? candidate(0.0f, t) : candidate(0.999f * sum + 1e-37f, t);
    }
    qsort(d->tile, (size_t)s->tiles, sizeof *d->tile, by_size);
}

static void search_block(search *s, worker *d, int64_t begin, int64_t end)
{
    const int64_t dims = s->points->dims, each = s->found->each;
    for (int64_t i = 0; i < BLOCK; i++) {
        const int64_t point = begin + i < end ? begin + i : end - 1;
        memcpy(d->query + i * dims, s->points->value + point * dims, (size_t)dims * sizeof *d->query);
        d->lists[i] = (list){0, INFINITY};
    }
    order_tiles(s, d, begin);
    for (int64_t t = 0; t < s->tiles; t++) {
        const float least = distance_of(d->tile[t]);
        float most = -1.0f;
        for (int64_t i = 0; begin + i < end; i++) most = fmaxf(most, d->lists[i].limit);
        if (least >= most) break;
        for (int64_t query = 0; begin + query < end; query += CRD_QUERIES)
            compare(s, d, begin, end, query, (int64_t)(uint32_t)d->tile[t], least);
    }
    for (int64_t i = begin; i < end; i++) {
        uint64_t *item = d->item + (i - begin) * s->room;
        keep_nearest(s, &d->lists[i - begin], item);
        qsort(item, (size_t)each, sizeof *item, by_index);
        for (int64_t k = 0; k < each; k++) {
            s->found->index[i * each + k] = (int32_t)(uint32_t)item[k];
            s->found->distance[i * each + k] = distance_of(item[k]);
        }
    }
}

static void search_chunk(int64_t begin, int64_t end, void *context)
{
    search *s = context;
    for (int64_t d = begin; d < end; d++)
        for (;;) {
            const int64_t from = s->first + BLOCK * atomic_fetch_add(&s->next, 1);
            if (from >= s->last) break;
            search_block(s, &s->workers[d], from, from + BLOCK < s->last ? from + BLOCK : s->last);
        }
}

static void fill_panels(search *s)
{
    const int64_t count = s->points->count, dims = s->points->dims;
    for (int64_t i = 0; i < s->panels * CRD_PANEL; i++) {
        const float *from = s->points->value + (i < count ? i : count - 1) * dims;
        float *to = s->panel + i / CRD_PANEL * CRD_PANEL * dims + i % CRD_PANEL;
        for (int64_t d = 0; d < dims; d++) to[d * CRD_PANEL] = from[d];
    }
}

static void find_boxes(search *s)
{
    const int64_t dims = s->points->dims, count = s->points->count;
    for (int64_t t = 0; t < s->tiles; t++) {
        const int64_t first = t * CRD_TILE, left = count - first;
        surround(s->points->value + first * dims, left < CRD_TILE ? left : CRD_TILE, dims, s->low + t * dims,
                 s->high + t * dims);
    }
}

static crd_status open_search(search *s, int workers, crd_error *error)
{
    const int64_t dims = s->points->dims;
    int64_t room = 0, size = 0;
    s->panels = (s->points->count + CRD_PANEL - 1) / CRD_PANEL;
    s->tiles = (s->panels + TILE_PANELS - 1) / TILE_PANELS;
    if (!crd_add(s->found->each, s->found->each, &room) || !crd_multiply(s->panels * CRD_PANEL, dims, &size))
        return crd_fail_memory(error, SIZE_MAX);
    s->room = room + CRD_TILE;
    crd_status status = CRD_NEW(&s->panel, size, error);
    if (status == CRD_OK) status = CRD_NEW(&s->low, s->tiles * dims, error);
    if (status == CRD_OK) status = CRD_NEW(&s->high, s->tiles * dims, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&s->workers, workers, error);
    for (int d = 0; d < workers && status == CRD_OK; d++) {
        status = CRD_NEW(&s->workers[d].item, BLOCK * s->room, error);
        if (status == CRD_OK) status = CRD_NEW(&s->workers[d].query, (BLOCK + 2) * dims, error);
        if (status == CRD_OK) status = CRD_NEW(&s->workers[d].tile, s->tiles, error);
    }
    return status;
}

static void close_search(search *s, int workers)
{
    for (int d = 0; d < workers && s->workers != NULL; d++) {
        free(s->workers[d].item);
        free(s->workers[d].query);
        free(s->workers[d].tile);
    }
    free(s->workers);
    free(s->panel);
    free(s->low);
    free(s->high);
}

crd_status crd_neighbours_open(crd_neighbours *neighbours, const crd_points *points, int64_t each,
                               const crd_kernels *kernels, crd_team *team, crd_tsne_ask ask, void *context,
                               bool *stopped, crd_error *error)
{
    *neighbours = (crd_neighbours){.count = points->count, .each = each};
    *stopped = false;
    search s = {.points = points, .kernels = kernels, .found = neighbours};
    const int workers = crd_team_size(team);
    int64_t size = 0;
    if (!crd_multiply(points->count, each, &size)) return crd_fail_memory(error, SIZE_MAX);
    crd_status status = CRD_NEW(&neighbours->index, size, error);
    if (status == CRD_OK) status = CRD_NEW(&neighbours->distance, size, error);
    if (status == CRD_OK) status = open_search(&s, workers, error);
    if (status == CRD_OK) {
        fill_panels(&s);
        find_boxes(&s);
        for (s.first = 0; s.first < points->count && !*stopped; s.first += CHUNK) {
            s.last = s.first + CHUNK < points->count ? s.first + CHUNK : points->count;
            atomic_store(&s.next, 0);
            crd_parallel_rows(team, workers, 1, search_chunk, &s);
            *stopped = ask != NULL && s.last < points->count && !ask(context);
        }
    }
    close_search(&s, workers);
    if (status != CRD_OK || *stopped) crd_neighbours_close(neighbours);
    return status;
}

void crd_neighbours_close(crd_neighbours *neighbours)
{
    free(neighbours->index);
    free(neighbours->distance);
    neighbours->index = NULL;
    neighbours->distance = NULL;
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
    float *conditional; /* [count][each] */
    double *spare;      /* [blocks][each] */
} widths_job;

enum { WIDTHS_BLOCK = 256 };

static void find_widths(int64_t begin, int64_t end, void *context)
{
    const widths_job *job = context;
    const int64_t each = job->neighbours->each;
    double *probability = job->spare + begin / WIDTHS_BLOCK * each;
    for (int64_t i = begin; i < end; i++) {
        crd_conditional(each, job->neighbours->distance + i * each, job->perplexity, probability);
        for (int64_t k = 0; k < each; k++) job->conditional[i * each + k] = (float)probability[k];
    }
}

/* ---- affinities: both directions ---- */

typedef struct {
    const crd_neighbours *neighbours;
    const float *conditional;
    /* The points that have each point among their neighbours, ascending, and with which weight. */
    int64_t *start;
    int32_t *from;
    float *back;
    crd_affinities *out;
} symmetric_job;

static void turn_round(symmetric_job *job)
{
    const int64_t count = job->neighbours->count, each = job->neighbours->each;
    for (int64_t e = 0; e < count * each; e++) job->start[job->neighbours->index[e] + 1]++;
    for (int64_t i = 0; i < count; i++) job->start[i + 1] += job->start[i];
    for (int64_t i = 0; i < count; i++)
        for (int64_t e = i * each; e < (i + 1) * each; e++) {
            const int64_t to = job->start[job->neighbours->index[e]]++;
            job->from[to] = (int32_t)i;
            job->back[to] = job->conditional[e];
        }
    for (int64_t i = count; i > 0; i--) job->start[i] = job->start[i - 1];
    job->start[0] = 0;
}

/* The union of two ascending rows; if `column` is NULL, only its length. */
static int64_t merge_row(const symmetric_job *job, int64_t i, int32_t *column, float *weight)
{
    const int64_t each = job->neighbours->each;
    const float scale = (float)(0.5 / (double)job->neighbours->count);
    const int32_t *own = job->neighbours->index;
    int64_t a = i * each, b = job->start[i], size = 0;
    const int64_t a_end = a + each, b_end = job->start[i + 1];
    while (a < a_end || b < b_end) {
        const bool in_own = a < a_end && (b == b_end || own[a] <= job->from[b]);
        const bool in_back = b < b_end && (a == a_end || job->from[b] <= own[a]);
        if (column != NULL) {
            column[size] = in_own ? own[a] : job->from[b];
            weight[size] = scale * ((in_own ? job->conditional[a] : 0.0f) + (in_back ? job->back[b] : 0.0f));
        }
        size++;
        a += in_own;
        b += in_back;
    }
    return size;
}

static int64_t whole(int64_t size)
{
    return (size + CRD_PAD - 1) / CRD_PAD * CRD_PAD;
}

static void count_rows(int64_t begin, int64_t end, void *context)
{
    const symmetric_job *job = context;
    for (int64_t i = begin; i < end; i++) job->out->start[i + 1] = whole(merge_row(job, i, NULL, NULL));
}

static void merge_rows(int64_t begin, int64_t end, void *context)
{
    const symmetric_job *job = context;
    for (int64_t i = begin; i < end; i++) {
        const int64_t first = job->out->start[i];
        int32_t *column = job->out->column + first;
        float *weight = job->out->weight + first;
        for (int64_t e = merge_row(job, i, column, weight); first + e < job->out->start[i + 1]; e++) {
            column[e] = (int32_t)i;
            weight[e] = 0.0f;
        }
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

static crd_status merge(symmetric_job *job, crd_team *team, crd_error *error)
{
    const int64_t count = job->neighbours->count, size = count * job->neighbours->each;
    crd_affinities *out = job->out;
    crd_status status = CRD_NEW_ZERO(&job->start, count + 1, error);
    if (status == CRD_OK) status = CRD_NEW(&job->from, size, error);
    if (status == CRD_OK) status = CRD_NEW(&job->back, size, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&out->start, count + 1, error);
    if (status == CRD_OK) {
        turn_round(job);
        crd_parallel_rows(team, count, 1024, count_rows, job);
        for (int64_t i = 0; i < count; i++) out->start[i + 1] += out->start[i];
        status = CRD_NEW(&out->column, out->start[count], error);
    }
    if (status == CRD_OK) status = CRD_NEW(&out->weight, out->start[count], error);
    if (status == CRD_OK) {
        crd_parallel_rows(team, count, 1024, merge_rows, job);
        crd_parallel_sum(team, count, sum_entropy, out, 1, &out->entropy);
    }
    free(job->start);
    free(job->from);
    free(job->back);
    return status;
}

crd_status crd_affinities_open(crd_affinities *affinities, const crd_neighbours *neighbours, double perplexity,
                               crd_team *team, crd_error *error)
{
    const int64_t count = neighbours->count, each = neighbours->each;
    *affinities = (crd_affinities){.count = count};
    float *conditional = NULL;
    widths_job widths = {.neighbours = neighbours, .perplexity = perplexity};
    crd_status status = CRD_NEW(&conditional, count * each, error);
    if (status == CRD_OK) status = CRD_NEW(&widths.spare, (count / WIDTHS_BLOCK + 1) * each, error);
    if (status == CRD_OK) {
        widths.conditional = conditional;
        crd_parallel_rows(team, count, WIDTHS_BLOCK, find_widths, &widths);
        free(widths.spare);
        widths.spare = NULL;
        symmetric_job job = {.neighbours = neighbours, .conditional = conditional, .out = affinities};
        status = merge(&job, team, error);
    }
    free(conditional);
    free(widths.spare);
    if (status != CRD_OK) crd_affinities_close(affinities);
    return status;
}

void crd_affinities_close(crd_affinities *affinities)
{
    free(affinities->start);
    free(affinities->column);
    free(affinities->weight);
    *affinities = (crd_affinities){0};
}
