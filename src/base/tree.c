/* SPDX-License-Identifier: MIT */
#include "base/tree.h"

#include <string.h>

/* Smaller blocks and shards would cost more for their partial sums than they give in balance between threads. */
enum { SMALLEST_BLOCK = 256, SMALLEST_SHARD = 512, ALIGNMENT = 64 };

crd_cut crd_cut_rows(int64_t rows)
{
    crd_cut cut = {.rows = rows, .blocks = rows / SMALLEST_BLOCK, .blocks_per_shard = 1};
    if (cut.blocks > CRD_BLOCKS) cut.blocks = CRD_BLOCKS;
    if (cut.blocks < 1) cut.blocks = 1;
    if (cut.blocks > 1 && rows / cut.blocks < SMALLEST_SHARD) cut.blocks_per_shard = 2;
    while (cut.blocks > CRD_SHARDS * cut.blocks_per_shard) cut.blocks_per_shard *= 2;
    cut.shards = (cut.blocks + cut.blocks_per_shard - 1) / cut.blocks_per_shard;
    return cut;
}

int64_t crd_block_begin(const crd_cut *cut, int64_t block)
{
    if (block >= cut->blocks) return cut->rows;
    return block * ((cut->rows + ALIGNMENT - 1) / ALIGNMENT) / cut->blocks * ALIGNMENT;
}

int64_t crd_shard_begin(const crd_cut *cut, int64_t shard)
{
    return crd_block_begin(cut, shard * cut->blocks_per_shard);
}

void crd_tree_join(int64_t leaves, crd_join_function join, void *context)
{
    for (int64_t step = 1; step < leaves; step *= 2)
        for (int64_t leaf = 0; leaf + step < leaves; leaf += 2 * step) join(leaf, leaf + step, context);
}

/* ---- sums ---- */

/* One row of partial sums for every leaf: a block if there are few sums, a shard if there are many. */
typedef struct {
    crd_cut cut;
    const int64_t *list; /* NULL: all rows */
    int64_t count;
    crd_sum_function few; /* one of these two */
    crd_shard_function many;
    void *context;
    double *partial;
    int64_t stride;     /* from one leaf's sums to the next's */
    int64_t begin, end; /* the columns that are joined */
} sums;

/* The first place in the list whose row is at or above this one. */
static int64_t place_of(const sums *s, int64_t row)
{
    if (s->list == NULL) return row;
    int64_t low = 0, high = s->count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (s->list[middle] < row) low = middle + 1;
        else high = middle;
    }
    return low;
}

static void sum_leaf(int64_t leaf, int worker, void *context)
{
    const sums *s = context;
    const int64_t blocks = s->few != NULL ? 1 : s->cut.blocks_per_shard;
    const int64_t begin = place_of(s, crd_block_begin(&s->cut, leaf * blocks));
    const int64_t end = place_of(s, crd_block_begin(&s->cut, (leaf + 1) * blocks));
    double *partial = s->partial + leaf * s->stride;
    memset(partial, 0, (size_t)s->stride * sizeof *partial);
    if (begin >= end) return;
    if (s->few != NULL) s->few(begin, end, partial, s->context);
    else s->many(begin, end, worker, partial, s->context);
}

static void join_leaves(int64_t into, int64_t from, void *context)
{
    const sums *s = context;
    for (int64_t c = s->begin; c < s->end; c++) s->partial[into * s->stride + c] += s->partial[from * s->stride + c];
}

void crd_parallel_sum_listed(crd_team *team, int64_t rows, const int64_t *list, int64_t count, crd_sum_function work,
                             void *context, int width, double *totals)
{
    double partial[CRD_BLOCKS * CRD_MAX_SUMS];
    sums s = {crd_cut_rows(rows), list, count, work, NULL, context, partial, CRD_MAX_SUMS, 0, width};
    crd_parallel_tasks(team, s.cut.blocks, sum_leaf, &s);
    crd_tree_join(s.cut.blocks, join_leaves, &s);
    memcpy(totals, partial, (size_t)width * sizeof *totals);
}

void crd_parallel_sum(crd_team *team, int64_t rows, crd_sum_function work, void *context, int width, double *totals)
{
    crd_parallel_sum_listed(team, rows, NULL, 0, work, context, width, totals);
}

enum { JOINED_AT_A_TIME = 1024 };

int64_t crd_shard_sums_room(int64_t rows, int64_t width)
{
    return crd_cut_rows(rows).shards * width;
}

static void join_columns(int64_t begin, int64_t end, void *context)
{
    sums s = *(const sums *)context;
    s.begin = begin;
    s.end = end;
    crd_tree_join(s.cut.shards, join_leaves, &s);
}

void crd_parallel_shard_sums(crd_team *team, int64_t rows, int64_t width, crd_shard_function work, void *context,
                             double *room)
{
    sums s = {.cut = crd_cut_rows(rows), .many = work, .context = context, .partial = room, .stride = width};
    crd_parallel_tasks(team, s.cut.shards, sum_leaf, &s);
    crd_parallel_rows(team, width, JOINED_AT_A_TIME, join_columns, &s);
}
