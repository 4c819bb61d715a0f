/* SPDX-License-Identifier: MIT */
#include "kernels/linear.h"

#include <stdlib.h>
#include <string.h>

#include "base/tree.h"
#include "base/watch.h"

/* A piece, a row's non-zeros in one block, costs a load and a store of its sums: it needs enough non-zeros to pay for
 * them. Large blocks, for the second-level cache, save less, but there a few non-zeros pay for fetching sums. */
enum { WORTHWHILE = 10, WORTHWHILE_LARGE = 4, LARGE_BLOCK_FLOATS = 131072 };
/* Each panel fetches all weights again, so panels are large, unless that leaves too few to share. */
enum { SMALLEST_PANEL = 64, LARGEST_PANEL = 512, PANELS = 8, LARGEST_OF_LARGE = 1024, PANELS_OF_LARGE = 4 };

static int64_t at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Columns of a block: as many as fit in `floats` floats, with up to CRD_STRIP floats of the width each. */
static int64_t block_columns(int64_t columns, int64_t width, int64_t floats)
{
    const int64_t strip = width < CRD_STRIP ? (width + 15) / 16 * 16 : CRD_STRIP;
    return at_most(columns, floats / strip);
}

static int64_t count_blocks(int64_t columns, int64_t block)
{
    return (columns + block - 1) / block;
}

static int64_t entries_a_piece(const crd_rows *x, int64_t block)
{
    return x->start[x->rows] / x->rows / count_blocks(x->columns, block);
}

int64_t crd_packed_block(const crd_rows *x, int64_t width)
{
    if (x->start == NULL || x->rows == 0 || x->columns == 0 || width == 0) return 0;
    const int64_t small = block_columns(x->columns, width, CRD_BLOCK_FLOATS);
    const int64_t large = block_columns(x->columns, width, LARGE_BLOCK_FLOATS);
    if (entries_a_piece(x, small) >= WORTHWHILE) return small;
    /* In place, weights are whole vectors only if their width is. */
    return width % 16 == 0 && entries_a_piece(x, large) >= WORTHWHILE_LARGE ? large : 0;
}

/* scale[i] = the common value of the entries of row i, 0 if it has none; false if a row has different values */
static bool scale_of_rows(const crd_rows *x, float *scale)
{
    for (int64_t i = 0; i < x->rows; i++) {
        const int64_t first = x->start[i];
        scale[i] = first < x->start[i + 1] ? x->value[first] : 0.0f;
        for (int64_t e = first; e < x->start[i + 1]; e++)
            if (x->value[e] != scale[i]) return false;
    }
    return true;
}

/* scale[j] = the common value of the entries of column j, 0 if it has none; false if a column has different values.
 * An entry of 0 looks like a column without entries, and is not worth a scale. */
static bool scale_of_columns(const crd_rows *x, float *scale)
{
    for (int64_t j = 0; j < x->columns; j++) scale[j] = 0.0f;
    for (int64_t e = 0; e < x->start[x->rows]; e++) {
        float *s = &scale[x->column[e]];
        if (x->value[e] == 0.0f) return false;
        if (*s == 0.0f) *s = x->value[e];
        else if (*s != x->value[e]) return false;
    }
    return true;
}

/* ---- how columns are cut ---- */

/* For a gradient, the columns are the graph's nodes, and sums over them follow base/tree.h: a segment is a shard, or
 * a part of one if a shard has more columns than a block. A block is then a part of one shard, or all shards below
 * one inner node of the tree. Otherwise the columns are features: a block is one segment, and there is one sum. */
typedef struct {
    crd_cut cut;
    bool gradient;
    int64_t most;      /* columns of a block */
    int64_t per_block; /* shards */
} column_cut;

static column_cut cut_columns(int64_t columns, int64_t most, bool gradient)
{
    column_cut c = {crd_cut_rows(columns), gradient, most, 1};
    while (2 * c.per_block * (columns / c.cut.shards) <= most && c.per_block < c.cut.shards) c.per_block *= 2;
    return c;
}

/* The end of the block that begins at this column. */
static int64_t end_of_block(const column_cut *c, int64_t first, crd_column_block *block)
{
    *block = (crd_column_block){.first = first, .segments = 1, .starts = first == 0};
    if (!c->gradient) {
        const int64_t end = at_most(first + c->most, c->cut.rows);
        block->ends = end == c->cut.rows;
        return end;
    }
    int64_t shard = 0;
    while (shard + 1 < c->cut.shards && crd_shard_begin(&c->cut, shard + 1) <= first) shard++;
    const int64_t end_of_shard = crd_shard_begin(&c->cut, shard + 1);
    block->starts = crd_shard_begin(&c->cut, shard) == first;
    if (c->per_block == 1) {
        const int64_t parts = count_blocks(end_of_shard - first, c->most);
        const int64_t even = (count_blocks(end_of_shard - first, parts) + 15) / 16 * 16;
        const int64_t end = at_most(first + at_most(even, c->most), end_of_shard);
        block->ends = end == end_of_shard;
        block->index = shard;
        return end;
    }
    block->segments = at_most(c->per_block, c->cut.shards - shard);
    block->ends = true;
    block->index = shard / c->per_block;
    return crd_shard_begin(&c->cut, shard + block->segments);
}

/* Fills the tables of blocks and segments, or only counts them if there are none yet. */
static void cut_blocks(crd_packed *p, const column_cut *c)
{
    p->blocks = p->segments = 0;
    for (int64_t first = 0; first < p->columns; p->blocks++) {
        crd_column_block block;
        const int64_t end = end_of_block(c, first, &block);
        block.segment = p->segments;
        for (int64_t s = 0; s < block.segments && p->segment_end != NULL; s++)
            p->segment_end[p->segments + s] =
                s + 1 < block.segments ? crd_shard_begin(&c->cut, block.index * c->per_block + s + 1) : end;
        if (p->block != NULL) p->block[p->blocks] = block;
        p->segments += block.segments;
        for (p->levels = 0; block.index >> p->levels > 0;) p->levels++;
        first = end;
    }
}

/* ---- packing ---- */

/* next: for every row of a panel, the first entry that is not packed yet. */
static crd_status pack(crd_packed *p, const crd_rows *x, int64_t *next, crd_error *error)
{
    uint16_t *count = p->count;
    int64_t at = 0;
    for (int64_t begin = 0; begin < x->rows; begin += p->panel) {
        if (crd_watch_asks_to_stop()) return crd_watch_stopped(error);
        const int64_t end = at_most(begin + p->panel, x->rows);
        p->start[begin / p->panel] = at;
        for (int64_t i = begin; i < end; i++) next[i - begin] = x->start[i];
        for (const crd_column_block *b = p->block; b < p->block + p->blocks; b++)
            for (int64_t i = begin; i < end; i++)
                for (int64_t s = b->segment; s < b->segment + b->segments; s++) {
                    int64_t e = next[i - begin];
                    for (; e < x->start[i + 1] && x->column[e] < p->segment_end[s]; e++, at++) {
                        p->column[at] = (uint16_t)(x->column[e] - b->first);
                        if (p->value != NULL) p->value[at] = x->value[e];
                    }
                    *count++ = (uint16_t)(e - next[i - begin]);
                    next[i - begin] = e;
                }
    }
    return CRD_OK;
}

crd_status crd_packed_open(crd_packed *p, const crd_rows *x, int64_t width, int64_t block, bool gradient,
                           crd_error *error)
{
    /* Small blocks are read in place if they take the whole width, which is then contiguous and in aligned vectors. */
    const bool large = block > block_columns(x->columns, width, CRD_BLOCK_FLOATS);
    int64_t panel = x->rows / (large ? PANELS_OF_LARGE : PANELS);
    panel = at_most(panel, large ? LARGEST_OF_LARGE : LARGEST_PANEL);
    if (panel < SMALLEST_PANEL) panel = SMALLEST_PANEL;
    *p = (crd_packed){.rows = x->rows,
                      .columns = x->columns,
                      .panel = panel,
                      .in_place = large || (width % 16 == 0 && width <= CRD_STRIP)};
    const column_cut cut = cut_columns(x->columns, block, gradient);
    cut_blocks(p, &cut);
    int64_t *next;
    CRD_PLAN(&p->plan, &next, panel);
    CRD_PLAN(&p->plan, &p->block, p->blocks);
    CRD_PLAN(&p->plan, &p->segment_end, p->segments);
    CRD_PLAN(&p->plan, &p->start, x->rows / panel + 1);
    CRD_PLAN(&p->plan, &p->count, x->rows * p->segments);
    CRD_PLAN(&p->plan, &p->column, x->start[x->rows]);
    CRD_PLAN(&p->plan, &p->row_scale, x->rows);
    CRD_PLAN(&p->plan, &p->column_scale, gradient ? x->columns : 0);
    crd_status status = crd_plan_allocate(&p->plan, error);
    if (status != CRD_OK) return status;
    /* One value per row, or one per column if weights may be multiplied with it, or else all of them. */
    const bool by_row = scale_of_rows(x, p->row_scale);
    const bool by_column = !by_row && gradient && scale_of_columns(x, p->column_scale);
    if (!by_row) p->row_scale = NULL;
    if (!by_column) p->column_scale = NULL;
    if (!by_row && !by_column) status = CRD_NEW(&p->value, x->start[x->rows], error);
    if (status == CRD_OK) {
        cut_blocks(p, &cut);
        status = pack(p, x, next, error);
    }
    if (status != CRD_OK) crd_packed_close(p);
    return status;
}

void crd_packed_close(crd_packed *p)
{
    crd_plan_free(&p->plan);
    crd_free(p->value);
    *p = (crd_packed){0};
}

int64_t crd_packed_room(const crd_packed *p, int64_t width, int threads)
{
    return (int64_t)threads * p->levels * p->panel * width;
}

typedef struct {
    const crd_kernels *kernels;
    const crd_packed *x;
    const float *weight, *bias;
    int64_t width;
    float *room, *out;
    float *used_up; /* weights to be scaled */
} job;

static void multiply_panel(int64_t panel, int worker, void *context)
{
    const job *j = context;
    j->kernels->packed_panel(panel, j->x, j->weight, j->width, j->bias,
                             j->room + crd_packed_room(j->x, j->width, worker), j->out);
}

static void scale_weights(int64_t begin, int64_t end, void *context)
{
    const job *j = context;
    j->kernels->scale_rows(end - begin, j->x->column_scale + begin, j->width, j->used_up + begin * j->width);
}

void crd_packed_gradient(const crd_kernels *kernels, crd_team *team, const crd_packed *packed, float *weight,
                         int64_t width, float *room, float *out)
{
    job j = {kernels, packed, weight, NULL, width, room, out, weight};
    if (packed->column_scale != NULL) crd_parallel_rows(team, packed->columns, 256, scale_weights, &j);
    crd_parallel_tasks(team, count_blocks(packed->rows, packed->panel), multiply_panel, &j);
}

void crd_packed_forward(const crd_kernels *kernels, crd_team *team, const crd_packed *packed, const float *weight,
                        int64_t width, const float *bias, float *out)
{
    float nothing;
    job j = {kernels, packed, weight, bias, width, &nothing, out, NULL};
    crd_parallel_tasks(team, count_blocks(packed->rows, packed->panel), multiply_panel, &j);
}
