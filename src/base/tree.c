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

/* ---- few sums ---- */

typedef struct {
    crd_cut cut;
    const int64_t *list;
    int64_t count;
    crd_sum_function work;
    void *context;
    int width;
    double partial[CRD_BLOCKS][CRD_MAX_SUMS];
} few_sums;

/* The first place in the list whose row is at or above this one. */
static int64_t place_of(const few_sums *s, int64_t row)
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

static void sum_block(int64_t block, int worker, void *context)
{
    few_sums *s = context;
    const int64_t begin = place_of(s, crd_block_begin(&s->cut, block));
    const int64_t end = place_of(s, crd_block_begin(&s->cut, block + 1));
    (void)worker;
    memset(s->partial[block], 0, sizeof s->partial[block]);
    if (begin < end) s->work(begin, end, s->partial[block], s->context);
}

static void join_blocks(int64_t into, int64_t from, void *context)
{
    few_sums *s = context;
    for (int w = 0; w < s->width; w++) s->partial[into][w] += s->partial[from][w];
}

void crd_parallel_sum_listed(crd_team *team, int64_t rows, const int64_t *list, int64_t count, crd_sum_function work,
                             void *context, int width, double *totals)
{
    few_sums s;
    s.cut = crd_cut_rows(rows);
    s.list = list;
    s.count = count;
    s.work = work;
    s.context = context;
    s.width = width;
    crd_parallel_tasks(team, s.cut.blocks, sum_block, &s);
    crd_tree_join(s.cut.blocks, join_blocks, &s);
    memcpy(totals, s.partial[0], (size_t)width * sizeof *totals);
}

void crd_parallel_sum(crd_team *team, int64_t rows, crd_sum_function work, void *context, int width, double *totals)
{
    crd_parallel_sum_listed(team, rows, NULL, 0, work, context, width, totals);
}

/* ---- many sums ---- */

enum { JOINED_AT_A_TIME = 1024 };

typedef struct {
    crd_cut cut;
    int64_t width;
    crd_shard_function work;
    void *context;
    double *partial;    /* one per shard */
    int64_t begin, end; /* the columns that are joined */
} many_sums;

int64_t crd_shard_sums_room(int64_t rows, int64_t width)
{
    return crd_cut_rows(rows).shards * width;
}

static void sum_shard(int64_t shard, int worker, void *context)
{
    const many_sums *s = context;
    double *sums = s->partial + shard * s->width;
    const int64_t begin = crd_shard_begin(&s->cut, shard), end = crd_shard_begin(&s->cut, shard + 1);
    memset(sums, 0, (size_t)s->width * sizeof *sums);
    if (begin < end) s->work(begin, end, worker, sums, s->context);
}

static void join_shards(int64_t into, int64_t from, void *context)
{
    const many_sums *s = context;
    const double *added = s->partial + from * s->width;
    double *sums = s->partial + into * s->width;
    for (int64_t c = s->begin; c < s->end; c++) sums[c] += added[c];
}

static void join_columns(int64_t begin, int64_t end, void *context)
{
    many_sums s = *(const many_sums *)context;
    s.begin = begin;
    s.end = end;
    crd_tree_join(s.cut.shards, join_shards, &s);
}

void crd_parallel_shard_sums(crd_team *team, int64_t rows, int64_t width, crd_shard_function work, void *context,
                             double *room)
{
    many_sums s = {.cut = crd_cut_rows(rows), .width = width, .work = work, .context = context, .partial = room};
    crd_parallel_tasks(team, s.cut.shards, sum_shard, &s);
    crd_parallel_rows(team, width, JOINED_AT_A_TIME, join_columns, &s);
}
