/* SPDX-License-Identifier: MIT */
#include "kernels/linear.h"

#include <string.h>

#include "base/tree.h"
#include "base/watch.h"

/* Blocks small enough to balance rows of uneven length, large enough to be worth handing out. A dense block copies
 * the weights again and consists of whole panels. */
enum { BLOCK = 128, DENSE_BLOCK = 240 };

typedef struct {
    const crd_kernels *kernels;
    const crd_rows *x; /* or `dense` */
    const crd_dense *dense;
    const float *weight, *bias;
    int64_t width;
    float *out;
    const int64_t *shard_end; /* NULL: rows are summed from left to right */
} product;

static void product_rows(int64_t begin, int64_t end, void *context)
{
    const product *j = context;
    if (j->dense != NULL) j->kernels->dense_rows(begin, end, j->dense, j->weight, j->width, j->bias, j->out);
    else j->kernels->sparse_rows(begin, end, j->x, j->shard_end, j->weight, j->width, j->bias, j->out);
}

void crd_linear_forward(const crd_kernels *kernels, crd_team *team, const crd_rows *x, const float *weight,
                        int64_t width, const float *bias, float *out)
{
    if (x->start == NULL) {
        const crd_dense dense = {.rows = x->rows, .columns = x->columns, .value = x->dense};
        crd_dense_forward(kernels, team, &dense, weight, width, bias, out);
        return;
    }
    product j = {kernels, x, NULL, weight, bias, width, out, NULL};
    crd_parallel_rows(team, x->rows, BLOCK, product_rows, &j);
}

void crd_sparse_backward_weight(const crd_kernels *kernels, crd_team *team, const crd_rows *transposed,
                                const float *gradient, int64_t width, float *d_weight)
{
    const crd_cut cut = crd_cut_rows(transposed->columns);
    int64_t shard_end[CRD_SHARDS];
    for (int64_t s = 0; s < cut.shards; s++) shard_end[s] = crd_shard_begin(&cut, s + 1);
    product j = {kernels, transposed, NULL, gradient, NULL, width, d_weight, shard_end};
    crd_parallel_rows(team, transposed->rows, BLOCK, product_rows, &j);
}

void crd_dense_forward(const crd_kernels *kernels, crd_team *team, const crd_dense *x, const float *weight,
                       int64_t width, const float *bias, float *out)
{
    product j = {kernels, NULL, x, weight, bias, width, out, NULL};
    crd_parallel_rows(team, x->rows, DENSE_BLOCK, product_rows, &j);
}

/* ---- gradients of dense layers ---- */

/* If there is room for the partial sums of all shards, a thread takes a shard. If they would be too large, a thread
 * takes some columns and joins the shards itself; it takes fewer if there are few, so that all threads have some.
 * Both add along the same tree. */
enum { MOST_SUMS = 1 << 20, MANY_COLUMNS = 768, SMALL_COLUMN_BLOCK = 24, COLUMN_BLOCK = 96, JOINED_AT_A_TIME = 1024 };
enum { LEVELS = 7 }; /* of the tree over CRD_SHARDS shards */

typedef struct {
    const crd_kernels *kernels;
    const crd_dense *x;
    const float *gradient;
    int64_t width;
    crd_cut cut;
    int64_t columns; /* of a task; 0: tasks are shards */
    float *room, *out;
} weight_job;

static int64_t columns_of_task(const crd_dense *x, int64_t width)
{
    const crd_cut cut = crd_cut_rows(x->rows);
    if (x->columns * width <= MOST_SUMS / cut.shards) return 0;
    return x->columns < MANY_COLUMNS ? SMALL_COLUMN_BLOCK : COLUMN_BLOCK;
}

int64_t crd_dense_weight_room(const crd_dense *x, int64_t width, int threads)
{
    const int64_t columns = columns_of_task(x, width);
    if (columns == 0) return crd_cut_rows(x->rows).shards * x->columns * width;
    return (int64_t)threads * (LEVELS + 1) * columns * width;
}

static void weight_of_shard(int64_t shard, int worker, void *context)
{
    const weight_job *j = context;
    (void)worker;
    j->kernels->dense_transposed(crd_shard_begin(&j->cut, shard), crd_shard_begin(&j->cut, shard + 1), 0, j->x->columns,
                                 j->x, j->gradient, j->width, j->room + shard * j->x->columns * j->width);
}

typedef struct {
    const weight_job *j;
    int64_t begin, end;
} weight_range;

static void join_range(int64_t into, int64_t from, void *context)
{
    const weight_range *r = context;
    const int64_t sums = r->j->x->columns * r->j->width;
    r->j->kernels->add(r->end - r->begin, r->j->room + from * sums + r->begin, r->j->room + into * sums + r->begin);
}

static void join_weights(int64_t begin, int64_t end, void *context)
{
    weight_range r = {context, begin, end};
    crd_tree_join(r.j->cut.shards, join_range, &r);
    memcpy(r.j->out + begin, r.j->room + begin, (size_t)(end - begin) * sizeof *r.j->out);
}

/* A binary counter: level l holds the sum of 2^l shards if bit l of the number of shards so far is set. */
static void weight_of_columns(int64_t task, int worker, void *context)
{
    const weight_job *j = context;
    const int64_t first = task * j->columns, end = first + j->columns;
    const int64_t last = end < j->x->columns ? end : j->x->columns, sums = (last - first) * j->width;
    float *level[LEVELS + 1], *spare = NULL;
    for (int l = 0; l <= LEVELS; l++) level[l] = j->room + ((int64_t)worker * (LEVELS + 1) + l) * j->columns * j->width;
    spare = level[LEVELS];
    for (int64_t s = 0; s < j->cut.shards; s++) {
        int l = 0;
        j->kernels->dense_transposed(crd_shard_begin(&j->cut, s), crd_shard_begin(&j->cut, s + 1), first, last, j->x,
                                     j->gradient, j->width, spare);
        for (; s >> l & 1; l++) j->kernels->add(sums, level[l], spare);
        float *free_one = level[l];
        level[l] = spare;
        spare = free_one;
    }
    const float *sum = NULL;
    for (int l = 0; j->cut.shards >> l > 0; l++) {
        if (!(j->cut.shards >> l & 1)) continue;
        if (sum != NULL) j->kernels->add(sums, sum, level[l]);
        sum = level[l];
    }
    memcpy(j->out + first * j->width, sum, (size_t)sums * sizeof *sum);
}

void crd_dense_backward_weight(const crd_kernels *kernels, crd_team *team, const crd_dense *x, const float *gradient,
                               int64_t width, float *room, float *d_weight)
{
    weight_job j = {kernels, x, gradient, width, crd_cut_rows(x->rows), columns_of_task(x, width), room, d_weight};
    if (j.columns == 0) {
        crd_parallel_tasks(team, j.cut.shards, weight_of_shard, &j);
        crd_parallel_rows(team, x->columns * width, JOINED_AT_A_TIME, join_weights, &j);
    } else {
        crd_parallel_tasks(team, (x->columns + j.columns - 1) / j.columns, weight_of_columns, &j);
    }
}

/* ---- biases ---- */

typedef struct {
    const crd_kernels *kernels;
    const float *gradient;
    int64_t width;
} bias_job;

static void bias_of_shard(int64_t begin, int64_t end, int worker, double *sums, void *context)
{
    const bias_job *j = context;
    (void)worker;
    j->kernels->sum_rows(end - begin, j->gradient + begin * j->width, j->width, sums);
}

void crd_linear_backward_bias(const crd_kernels *kernels, crd_team *team, const float *gradient, int64_t rows,
                              int64_t width, double *room, float *d_bias)
{
    bias_job j = {kernels, gradient, width};
    crd_parallel_shard_sums(team, rows, width, bias_of_shard, &j, room);
    for (int64_t c = 0; c < width; c++) d_bias[c] = (float)room[c];
}

void crd_transpose(const float *matrix, int64_t rows, int64_t columns, float *transposed)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) transposed[j * rows + i] = matrix[i * columns + j];
}

/* ---- activation ---- */

enum { ACTIVATED_ROWS = 256 };

typedef struct {
    const crd_kernels *kernels;
    const crd_hidden_layer *layer;
    bool back;
    float *rows;
} activation_job;

static void activate_rows(int64_t begin, int64_t end, void *context)
{
    const activation_job *j = context;
    const crd_hidden_layer *l = j->layer;
    (j->back ? j->kernels->activate_backward : j->kernels->activate)(begin, end, l->activation, l->dropout, l->before,
                                                                     l->width, j->rows + begin * l->width);
}

void crd_activation_forward(const crd_kernels *kernels, crd_team *team, const crd_hidden_layer *layer, float *after)
{
    activation_job j = {kernels, layer, false, after};
    crd_parallel_rows(team, layer->nodes, ACTIVATED_ROWS, activate_rows, &j);
}

void crd_activation_backward(const crd_kernels *kernels, crd_team *team, const crd_hidden_layer *layer, float *gradient)
{
    activation_job j = {kernels, layer, true, gradient};
    crd_parallel_rows(team, layer->nodes, ACTIVATED_ROWS, activate_rows, &j);
}

/* ---- padding ---- */

int64_t crd_padded(int64_t width)
{
    return (width + CRD_PAD - 1) / CRD_PAD * CRD_PAD;
}

void crd_unpad(int64_t count, int64_t width, int64_t stride, const float *padded, float *rows)
{
    for (int64_t i = 0; i < count && !crd_watch_at(i); i++)
        memcpy(rows + i * width, padded + i * stride, (size_t)width * sizeof *rows);
}
