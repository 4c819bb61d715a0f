/* SPDX-License-Identifier: MIT */
/* The work of each kernel, counted from the algorithm and not from the machine code: see bench_work. Vectors have
 * half as many doubles as floats, so an operation on doubles counts as two. */
#ifndef BENCH_KERNEL_COUNTS_H
#define BENCH_KERNEL_COUNTS_H

#include "graph/features.h"
#include "kernel_cases.h"

/* Polynomials, and combining them. The last three pairs are for doubles. */
enum {
    LOG_OPERATIONS = 15,
    LOG_FLOPS = 26,
    EXP_OPERATIONS = 13,
    EXP_FLOPS = 22,
    DIGAMMA_OPERATIONS = 45,
    DIGAMMA_FLOPS = 70,
    TRIGAMMA_OPERATIONS = 35,
    TRIGAMMA_FLOPS = 60,
    GAMMA_OPERATIONS = 85, /* log Gamma and both of them at once, with two logarithms */
    GAMMA_FLOPS = 140
};

static inline bench_work sparse_work(const crd_features *x, int64_t width)
{
    const double rows = (double)x->rows, entries = (double)x->start[x->rows], w = (double)width;
    return (bench_work){.flops = 2.0 * entries * w,
                        .operations = entries * w,
                        .read = 8.0 * rows + 8.0 * entries,
                        .written = 4.0 * rows * w,
                        .gathered = 4.0 * entries * w,
                        .table = x->columns * width * 4};
}

/* Values are stored or factored out; in the latter case entries are only added. */
static inline bench_work packed_work(const crd_packed *x, int64_t count, int64_t width)
{
    const double rows = (double)x->rows, entries = (double)count, w = (double)width;
    const double blocks = (double)x->blocks;
    const bool valued = x->value != NULL;
    return (bench_work){.flops = (valued ? 2.0 : 1.0) * entries * w,
                        .operations = entries * w,
                        .read = (valued ? 6.0 : 2.0) * entries + 2.0 * rows * blocks + 4.0 * (double)x->columns * w,
                        .written = 4.0 * rows * w,
                        .gathered = 4.0 * entries * w,
                        .table = x->columns / x->blocks * width * 4};
}

/* [rows][inner] times [inner][width]; a transposed product does the same. */
static inline bench_work dense_work(int64_t rows, int64_t inner, int64_t width, bool transposed)
{
    const double products = (double)rows * (double)inner * (double)width;
    const double x = 4.0 * (double)(rows * inner), y = 4.0 * (double)(rows * width);
    const double weight = 4.0 * (double)(inner * width);
    return (bench_work){.flops = 2.0 * products,
                        .operations = products,
                        .read = x + (transposed ? y : weight),
                        .written = transposed ? weight : y};
}

/* A comparison, a multiplication and a selection, and nine integer operations for the dropout. */
static inline bench_work activate_work(int64_t nodes, int64_t width, bool backward)
{
    const double n = (double)(nodes * width);
    return (bench_work){
        .flops = 2.0 * n, .operations = 12.0 * n, .read = (backward ? 8.0 : 4.0) * n, .written = 4.0 * n};
}

/* For every node, class and layer: the distance from the centre, some arithmetic with it, two logarithms, and the
 * step to the next layer. Backward: the same again, then the gradients of everything. */
static inline bench_work flow_work(const bench_shape *shape, int64_t nodes, int64_t stride, bool backward)
{
    const double rows = (double)nodes, dims = (double)shape->latent;
    const double pairs = rows * (double)shape->classes, layers = pairs * (double)shape->flow_layers;
    bench_work w = {.operations = layers * (4.0 * dims + 15.0 + 2.0 * LOG_OPERATIONS) + pairs * 2.0 * dims,
                    .flops = layers * (6.0 * dims + 18.0 + 2.0 * LOG_FLOPS) + pairs * 2.0 * dims,
                    .read = 4.0 * rows * dims,
                    .written = 4.0 * rows * (double)stride};
    if (!backward) return w;
    w.operations += layers * (9.0 * dims + 35.0);
    w.flops += layers * (12.0 * dims + 43.0);
    w.read = 4.0 * rows * (dims + (double)stride);
    w.written = 4.0 * rows * dims;
    return w;
}

static inline bench_work evidence_work(int64_t nodes, int64_t stride)
{
    const double n = (double)(nodes * stride);
    return (bench_work){
        .operations = n * (EXP_OPERATIONS + 3.0), .flops = n * (EXP_FLOPS + 3.0), .read = 4.0 * n, .written = 4.0 * n};
}

/* Neighbours are added; then the row is scaled and its base added. */
static inline bench_work diffuse_work(int64_t nodes, int64_t edges, int64_t stride)
{
    const double rows = (double)nodes, entries = (double)edges, width = (double)stride;
    return (bench_work){.operations = (entries + rows) * width,
                        .flops = (entries + 2.0 * rows) * width,
                        .read = 12.0 * rows + 4.0 * entries + 8.0 * rows * width,
                        .written = 4.0 * rows * width,
                        .gathered = 4.0 * entries * width,
                        .lines = stride <= 16 ? entries : 0.0,
                        .table = nodes * stride * 4};
}

static inline bench_work distance_work(int64_t nodes, int64_t edges, int64_t latent)
{
    const double rows = (double)nodes, entries = (double)edges, dims = (double)latent;
    return (bench_work){.operations = 3.0 * entries * dims,
                        .flops = 4.0 * entries * dims,
                        .read = 8.0 * rows + 4.0 * entries + 8.0 * rows * dims,
                        .written = 4.0 * rows * dims,
                        .gathered = 4.0 * entries * dims,
                        .lines = latent <= 16 ? entries : 0.0,
                        .table = nodes * latent * 4};
}

static inline bench_work digamma_totals_work(int64_t nodes, int64_t classes, int64_t stride)
{
    const double rows = (double)nodes, width = (double)classes;
    return (bench_work){.operations = 2.0 * rows * (width + DIGAMMA_OPERATIONS + TRIGAMMA_OPERATIONS),
                        .flops = rows * (width + DIGAMMA_FLOPS + TRIGAMMA_FLOPS),
                        .read = 4.0 * rows * (double)stride,
                        .written = 24.0 * rows};
}

/* Two differences, their sums and the sum of their product; the same for a tile. */
static inline bench_work divergence_totals_work(int64_t nodes, int64_t edges)
{
    const double rows = (double)nodes, entries = (double)edges;
    return (bench_work){.operations = 2.0 * 5.0 * entries,
                        .flops = 6.0 * entries,
                        .read = 32.0 * rows + 4.0 * entries,
                        .written = 8.0 * rows,
                        .gathered = 16.0 * entries,
                        .lines = entries,
                        .table = nodes * 16};
}

static inline bench_work digamma_tile_work(int64_t nodes, int64_t classes)
{
    const double n = (double)(nodes * classes);
    return (bench_work){.operations = 2.0 * n * (DIGAMMA_OPERATIONS + 1.0),
                        .flops = n * (DIGAMMA_FLOPS + 1.0),
                        .read = 4.0 * n,
                        .written = 16.0 * n};
}

/* The table is counted as if it held four classes at a time, as with AVX2. */
static inline bench_work divergence_tile_work(int64_t nodes, int64_t edges, int64_t classes)
{
    const double rows = (double)nodes, entries = (double)edges, width = (double)classes;
    const int64_t tile = classes < 4 ? classes : 4;
    return (bench_work){.operations = 2.0 * width * (5.0 * entries + (TRIGAMMA_OPERATIONS + 3.0) * rows),
                        .flops = width * (6.0 * entries + (TRIGAMMA_FLOPS + 4.0) * rows),
                        .read = 16.0 * rows + 4.0 * entries + 20.0 * rows * width,
                        .written = 4.0 * rows * width,
                        .gathered = 16.0 * entries * width,
                        .table = nodes * tile * 16};
}

/* For every class an exponential, three logarithms, the gamma family, differences and sums; for every node the
 * gamma family of the total. Few nodes have a label. */
static inline bench_work evidential_work(int64_t nodes, int64_t classes, int64_t stride)
{
    const double rows = (double)nodes, n = (double)(nodes * classes);
    return (bench_work){.operations = 2.0 * n * (EXP_OPERATIONS + LOG_OPERATIONS + GAMMA_OPERATIONS + 16.0) +
                                      2.0 * rows * (GAMMA_OPERATIONS + LOG_OPERATIONS),
                        .flops = n * (EXP_FLOPS + LOG_FLOPS + GAMMA_FLOPS + 20.0) + rows * (GAMMA_FLOPS + LOG_FLOPS),
                        .read = 4.0 * rows * (double)stride + 8.0 * n + 20.0 * rows,
                        .written = 4.0 * n};
}

static inline bench_work adam_work(int64_t count)
{
    const double n = (double)count;
    return (bench_work){.operations = 11.0 * n, .flops = 14.0 * n, .read = 16.0 * n, .written = 12.0 * n};
}

#endif
