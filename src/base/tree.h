/* SPDX-License-Identifier: MIT */
/* Sums over rows: one cut into blocks, and one order in which partial sums are added.
 *
 * Rows are cut into at most CRD_BLOCKS blocks, whose boundaries depend on the number of rows alone. Each block adds
 * up its own rows. Partial sums are then joined along one binary tree: block 0 with 1, 2 with 3 and so on, then these
 * pairs, until one is left. A block without a partner moves up unchanged. So it does not matter which thread or
 * process works on a block: the owner of a range of blocks owns whole subtrees, and others need only their roots.
 *
 * Sums of few numbers start at blocks. Sums of many numbers, such as gradients, start one or two levels higher, at
 * shards of up to four blocks: there are at most CRD_SHARDS of them, which bounds the memory for partial sums. */
#ifndef CRD_BASE_TREE_H
#define CRD_BASE_TREE_H

#include "base/parallel.h"

enum { CRD_BLOCKS = 256, CRD_SHARDS = 64, CRD_MAX_SUMS = 16 };

typedef struct crd_cut {
    int64_t rows;
    int64_t blocks;
    int64_t blocks_per_shard; /* 1, 2 or 4 */
    int64_t shards;
} crd_cut;

crd_cut crd_cut_rows(int64_t rows);
/* The first row of a block or shard; the one after the last begins at the end of the rows. Boundaries are multiples
 * of 64 rows, so that kernels fill all lanes of their vectors. */
int64_t crd_block_begin(const crd_cut *cut, int64_t block);
int64_t crd_shard_begin(const crd_cut *cut, int64_t shard);

/* Walks the tree over `leaves` leaves: calls join(into, from) for every inner node, children first. The result of a
 * join replaces its left child; in the end leaf 0 holds the root. */
typedef void (*crd_join_function)(int64_t into, int64_t from, void *context);
void crd_tree_join(int64_t leaves, crd_join_function join, void *context);

/* Adds the partial sums of the rows begin .. end - 1 to `sums`, which starts at zero. */
typedef void (*crd_sum_function)(int64_t begin, int64_t end, double *sums, void *context);

/* totals[w] = the blocks' sums[w], joined along the tree; width <= CRD_MAX_SUMS. Allocates nothing. */
void crd_parallel_sum(crd_team *team, int64_t rows, crd_sum_function work, void *context, int width, double *totals);
/* The same over an ascending list of some of the rows: `work` gets places in the list, and each row counts in its own
 * block. */
void crd_parallel_sum_listed(crd_team *team, int64_t rows, const int64_t *list, int64_t count, crd_sum_function work,
                             void *context, int width, double *totals);

/* The same for many sums at once, by shards. The result, `width` numbers, is at the beginning of `room`, which holds
 * crd_shard_sums_room(rows, width) numbers. */
typedef void (*crd_shard_function)(int64_t begin, int64_t end, int worker, double *sums, void *context);
int64_t crd_shard_sums_room(int64_t rows, int64_t width);
void crd_parallel_shard_sums(crd_team *team, int64_t rows, int64_t width, crd_shard_function work, void *context,
                             double *room);

#endif
