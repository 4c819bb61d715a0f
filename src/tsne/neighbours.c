/* A block of points goes through the others tile by tile, nearest tiles first, as far as the boxes around
 * both tell; it is done where no tile can have anybody nearer. A tile's panels stay in a near cache while the
 * block, four points at a time, is compared with it. A point keeps a list of candidates; when it is full, all
 * but the nearest leave it, and the farthest of these is the limit from then on. */
#include "tsne/neighbours.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tsne/select.h"

enum {
    TILE_PANELS = CRD_TILE / CRD_PANEL,
    BLOCK = 64,        /* points that are compared with a tile, one after the other */
    CHUNK = 64 * BLOCK /* points between two questions whether to go on */
};

/* A candidate is (squared distance, number) as one number: distances are not negative, and the bits of such
 * floats are in the order of their values. */
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

/* What one thread works with. */
typedef struct {
    uint64_t *item; /* [BLOCK][room] */
    float *query;   /* [BLOCK][dims], the last ones repeated; then the corners of the box around them */
    uint64_t *tile; /* (least squared distance, number) as a candidate is */
    int32_t at[CRD_QUERIES * CRD_TILE];
    float distance[CRD_QUERIES * CRD_TILE];
    list lists[BLOCK];
} desk;

typedef struct {
    const crd_points *points;
    const crd_kernels *kernels;
    crd_neighbours *found;
    float *panel;      /* all points, in panels */
    float *low, *high; /* the box around each tile, [tiles][dims] */
    int64_t panels, tiles, room;
    desk *desks;
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

/* Four points, the first of which is number `query` of the block that begins at `begin`, with a tile that is
 * not nearer than `least`. */
static void compare(search *s, desk *d, int64_t begin, int64_t end, int64_t query, int64_t tile, float least)
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
    s->kernels->nearer(panels, dims, s->panel + panel * CRD_PANEL * dims, d->query + query * dims, limit,
                       hits, d->at, d->distance);
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

/* The tiles in the order of how far they are from the block at least, its own first. */
static void order_tiles(search *s, desk *d, int64_t begin)
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
        /* A little less, for what rounding may have added; and something for those that are not its own. */
        d->tile[t] = t == begin / CRD_TILE ? candidate(0.0f, t) : candidate(0.999f * sum + 1e-37f, t);
    }
    qsort(d->tile, (size_t)s->tiles, sizeof *d->tile, by_size);
}

static void search_block(search *s, desk *d, int64_t begin, int64_t end)
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
            search_block(s, &s->desks[d], from, from + BLOCK < s->last ? from + BLOCK : s->last);
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

static crd_status open_search(search *s, int desks, crd_error *error)
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
    if (status == CRD_OK) status = CRD_NEW_ZERO(&s->desks, desks, error);
    for (int d = 0; d < desks && status == CRD_OK; d++) {
        status = CRD_NEW(&s->desks[d].item, BLOCK * s->room, error);
        if (status == CRD_OK) status = CRD_NEW(&s->desks[d].query, (BLOCK + 2) * dims, error);
        if (status == CRD_OK) status = CRD_NEW(&s->desks[d].tile, s->tiles, error);
    }
    return status;
}

static void close_search(search *s, int desks)
{
    for (int d = 0; d < desks && s->desks != NULL; d++) {
        free(s->desks[d].item);
        free(s->desks[d].query);
        free(s->desks[d].tile);
    }
    free(s->desks);
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
    const int desks = crd_team_size(team);
    int64_t size = 0;
    if (!crd_multiply(points->count, each, &size)) return crd_fail_memory(error, SIZE_MAX);
    crd_status status = CRD_NEW(&neighbours->index, size, error);
    if (status == CRD_OK) status = CRD_NEW(&neighbours->distance, size, error);
    if (status == CRD_OK) status = open_search(&s, desks, error);
    if (status == CRD_OK) {
        fill_panels(&s);
        find_boxes(&s);
        for (s.first = 0; s.first < points->count && !*stopped; s.first += CHUNK) {
            s.last = s.first + CHUNK < points->count ? s.first + CHUNK : points->count;
            atomic_store(&s.next, 0);
            crd_parallel_rows(team, desks, 1, search_chunk, &s);
            *stopped = ask != NULL && s.last < points->count && !ask(context);
        }
    }
    close_search(&s, desks);
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
