/* SPDX-License-Identifier: MIT */
/* The hot kernels: pure loops over a range of rows, on one thread.
 *
 * Their sources, in hot/, are compiled once for every instruction set; crd_kernels_pick chooses the best one that
 * this machine has. The caller provides threads, blocks and buffers. Nothing here allocates. */
#ifndef CRD_KERNELS_HOT_H
#define CRD_KERNELS_HOT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "credence_private.h"

/* Rows of evidence are padded with zeros to a multiple of this, so that a row consists of whole vectors. */
enum { CRD_PAD = 8 };

/* Dropout depends on the place, not on the thread: the hash of (key, row, column) decides whether to
 * keep an element. */
typedef struct crd_dropout {
    double rate;  /* 0: none */
    uint64_t key; /* of seed and epoch */
} crd_dropout;

/* A chain of L radial layers for each of K classes, in D dimensions. */
typedef struct crd_flow {
    int64_t layers, classes, dims;
    const float *center; /* [L][K][D] */
    const float *a;      /* [L][K], softplus(a') */
    const float *b;      /* [L][K], -a + softplus(b') */
    const float *s;      /* [L][K], softplus(b') = a + b, which rounding would lose if b is close to -a */
} crd_flow;

/* Kernels work on strips of up to CRD_STRIP floats of the width. A strip of a block's weights has CRD_BLOCK_FLOATS,
 * which fit the first-level cache, unless the weights are read in place. */
enum { CRD_STRIP = 64, CRD_BLOCK_FLOATS = 8192 };

/* A block of columns, cut into one or more segments. The sum of a row's entries in a segment is a partial sum. The
 * partial sums of a block's segments are joined along the tree of base/tree.h, and so are those of blocks, by their
 * index. */
typedef struct crd_column_block {
    int64_t first;   /* column */
    int64_t segment; /* its first segment */
    int64_t segments;
    int64_t index; /* among the nodes of the tree's level that blocks belong to */
    bool starts;   /* else it continues the sum of the block before */
    bool ends;     /* else the next block continues its sum */
} crd_column_block;

/* A sparse matrix in blocks; see kernels/linear.h. A piece is the entries of one row in one segment. Pieces are
 * sorted by panel of rows, then by block of columns, then by row, then by segment. */
typedef struct crd_packed {
    int64_t rows, columns;
    int64_t panel; /* rows of a panel; the last one may have fewer */
    int64_t blocks, segments;
    int levels;    /* of partial sums that wait for their partners */
    bool in_place; /* weights are read in place, not copied */
    crd_plan plan; /* of all the arrays except `value` */
    crd_column_block *block;
    int64_t *segment_end; /* one per segment: the column after its last one */
    int64_t *start;       /* one per panel: its first entry */
    uint16_t *count;      /* one per piece: its entries */
    uint16_t *column;     /* one per entry, counted from the block's first column */
    float *value;         /* one per entry; NULL: the value is the row's scale, or the column's weights were
                           * multiplied with it beforehand */
    float *row_scale;     /* NULL: 1 */
    float *column_scale;  /* NULL: 1 */
} crd_packed;

/* The steps of a diffusion over a graph, of rows of `width` floats: one or two times CRD_PAD. */
typedef struct crd_steps {
    const int64_t *start;
    const int32_t *neighbour;
    int64_t entries; /* of `neighbour` */
    const float *s;  /* 1/sqrt(degree + 1) */
    float teleport;
    int64_t width;
    bool far;            /* too many rows for the nearer caches */
    const float *origin; /* NULL: 0 */
    int64_t stride;      /* from one row of `origin` to the next */
} crd_steps;

/* A matrix by rows: sparse if start is set, else dense. */
typedef struct crd_rows {
    int64_t rows, columns;
    const int64_t *start;
    const int32_t *column;
    const float *value;
    const float *dense;
} crd_rows;

/* A dense matrix that is prepared while it is read, without a copy: its row i is row order[i] of `value`, and an
 * entry x of that row and of column j is (x - mean[j]) * scale[j], or (with `factor`) x * factor[order[i]]; with
 * binary, x counts as 1 if it is positive, else as 0. Each pointer but `value` may be NULL; mean and scale come
 * together, without factor. */
typedef struct crd_dense {
    int64_t rows, columns;
    const float *value;
    const int32_t *order;
    const float *mean, *scale; /* of columns */
    const float *factor;       /* of rows of `value` */
    bool binary;
} crd_dense;

/* What an evidential network learns from, with alpha = 1 + exp(logits), p = alpha / alpha0. The logarithms are
 * constants of the prior and the teacher; see kernels/losses.h. */
typedef struct crd_evidential {
    int64_t nodes, classes, stride;
    const int32_t *labels;        /* one per node; -1: not a training node */
    const double *class_weight;   /* of the risk of a training node; NULL: all are 1 */
    const float *prior;           /* evidence, [nodes][classes] */
    const double *prior_log_beta; /* one per node */
    double prior_weight;
    const float *teacher;          /* logits, [nodes][classes] */
    const double *teacher_log_sum; /* one per node */
    double teacher_weight;
} crd_evidential;

/* Points are compared with panels of CRD_PANEL others: [dims][CRD_PANEL], CRD_QUERIES points at a time. */
enum { CRD_PANEL = 16, CRD_QUERIES = 4 };

/* A number >= 0 and an index below 2^32, its lower half, as one number that ascends with both: the bits of such floats
 * are in the order of their values. */
static inline uint64_t crd_size_key(float size, int64_t index)
{
    uint32_t bits;
    memcpy(&bits, &size, sizeof bits);
    return (uint64_t)bits << 32 | (uint64_t)index;
}

typedef struct crd_near_list {
    int64_t count;
    float limit;
    uint64_t *item;
} crd_near_list;

/* Transforms of CRD_FFT_WIDTH columns side by side; see tsne/tsne.h. A pass of radix r, on a remaining
 * length m r, takes m (r - 1) factors (cos, sin); those of the passes follow each other. */
enum { CRD_FFT_WIDTH = 16, CRD_FFT_PASSES = 32 };

typedef struct crd_fft {
    int64_t length;
    int passes;
    int radix[CRD_FFT_PASSES]; /* 2, 3, 4 or 5; their product is the length */
    float *factor;
} crd_fft;

/* Points of a map over the nodes of a grid: a point (x, y) is at column (x - left) * per_unit and row (y - bottom) *
 * per_unit, with at least one node before it and two after it. */
typedef struct crd_on_grid {
    const float *map;         /* x, y of every point */
    const int32_t *order;     /* the points, by rows of the grid */
    const int64_t *row_start; /* where in `order` each row begins */
    float left, bottom, per_unit;
    int64_t columns, stride; /* of the grid: nodes in a row, floats from one row to the next */
} crd_on_grid;

typedef struct crd_kernels {
    const char *name;

    /* ---- products, and sums of their results ---- */

    /* out[i] = bias + sum over the non-zeros of row i of value * weight[column]; bias may be NULL. If the columns are
     * nodes, sums over them follow the tree of base/tree.h: shards end before the columns in `shard_end`, and there is
     * no bias. Else it is NULL. */
    void (*sparse_rows)(int64_t begin, int64_t end, const crd_rows *x, const int64_t *shard_end, const float *weight,
                        int64_t width, const float *bias, float *out);
    /* The same for dense rows. */
    void (*dense_rows)(int64_t begin, int64_t end, const crd_dense *x, const float *weight, int64_t width,
                       const float *bias, float *out);
    /* The same for the rows of one panel of a packed matrix. `room` holds [levels][panel][width]. */
    void (*packed_panel)(int64_t panel, const crd_packed *x, const float *weight, int64_t width, const float *bias,
                         float *room, float *out);
    /* rows[i] *= scale[i] */
    void (*scale_rows)(int64_t count, const float *scale, int64_t width, float *rows);
    /* out[j] = sum over the rows begin <= i < end of x[i][j] * y[i], for the columns first <= j < last of x; out[0]
     * belongs to column `first`. */
    void (*dense_transposed)(int64_t begin, int64_t end, int64_t first, int64_t last, const crd_dense *x,
                             const float *y, int64_t width, float *out);

    /* into += from */
    void (*add)(int64_t count, const float *from, float *into);
    void (*add_to_doubles)(int64_t count, const float *from, double *into);
    /* sums[c] += the sum of column c of some rows */
    void (*sum_rows)(int64_t count, const float *rows, int64_t width, double *sums);

    /* ---- a hidden layer ---- */

    /* out = dropout(act(x)); out has the rows from `begin` on. */
    void (*activate)(int64_t begin, int64_t end, crd_activation activation, crd_dropout dropout, const float *x,
                     int64_t width, float *out);
    /* Turns the gradient of dropout(act(x)) into that of x; it has the rows from `begin` on. */
    void (*activate_backward)(int64_t begin, int64_t end, crd_activation activation, crd_dropout dropout,
                              const float *x, int64_t width, float *gradient);

    /* ---- densities and evidence ---- */

    /* out[i * stride + k] = log p(z_i | k) */
    void (*flow_forward)(int64_t begin, int64_t end, const crd_flow *flow, const float *z, float *out, int64_t stride);
    /* From d log p[i * stride + k] to dz (written) and sums over the rows for the parameters (added):
     * d_center [L][K][D], d_a and d_b [L][K]. `scratch` is that of kernels/flow.c. */
    void (*flow_backward)(int64_t begin, int64_t end, const crd_flow *flow, const float *z, const float *d_log_density,
                          int64_t stride, float *dz, double *d_center, double *d_a, double *d_b, float *scratch);

    /* x[i * stride + k] = exp(clamp(x + shift[k], -30, 30)); padding becomes 0. */
    void (*evidence)(int64_t begin, int64_t end, int64_t classes, int64_t stride, const float *shift, float *x);

    /* ---- along the edges of a graph ---- */

    /* One step of personalised PageRank. x is scaled by s = 1/sqrt(degree + 1), `origin` is not, and `out` is, except
     * in the last step:
     *     out_i = (1 - teleport) s_i^2 (x_i + sum over neighbours of x_j) + teleport s_i origin_i.
     * Rows of out are `stride` apart. */
    void (*diffuse)(int64_t begin, int64_t end, const crd_steps *steps, const float *x, bool last, float *out,
                    int64_t stride);

    /* sum over the neighbours j of |z_i - z_j|^2, and dz_i += weight * 4 * sum of (z_i - z_j), which is the
     * gradient of the sum over both directions of every edge. dz may be NULL. */
    double (*distance)(int64_t begin, int64_t end, const int64_t *start, const int32_t *neighbour, const float *z,
                       int64_t dims, float weight, float *dz);

    /* R_alpha, see kernels/losses.c: a table of digamma and evidence for every node, then sums over the
     * edges. For the totals: table [2] per node, trigamma [1] per node, which becomes the part that all classes
     * share. For a tile of `tile` classes: table [2 * tile] per node. `evidence` and `gradient` start at the tile's
     * first class; from there on there are `classes` classes. gradient may be NULL. */
    int64_t tile;
    void (*digamma_totals)(int64_t begin, int64_t end, int64_t classes, int64_t stride, const float *evidence,
                           double *table, double *trigamma);
    double (*divergence_totals)(int64_t begin, int64_t end, const int64_t *start, const int32_t *neighbour,
                                const double *table, double *common);
    void (*digamma_tile)(int64_t begin, int64_t end, int64_t stride, const float *evidence, double *table);
    double (*divergence_tile)(int64_t begin, int64_t end, const int64_t *start, const int32_t *neighbour,
                              const double *table, const double *common, int64_t classes, int64_t stride, double weight,
                              float *gradient);

    /* ---- losses and the optimiser ---- */

    /* Adds the three terms of an evidential network's loss to `terms`: risk, prior, teacher. logits and gradient are
     * [nodes][stride]; the whole gradient except its padding is written. It may be NULL. */
    void (*evidential)(int64_t begin, int64_t end, const crd_evidential *told, const float *logits, float *gradient,
                       double *terms);

    /* Adam like torch.optim.Adam: L2 decay is added to the gradient. step counts from 1. */
    void (*adam)(int64_t begin, int64_t end, int64_t step, float rate, float decay, const float *gradient,
                 float *moment, float *square, float *value);

    /* ---- maps ---- */

    /* For each of CRD_QUERIES points ([CRD_QUERIES][dims]), appends the points of some panels that are nearer than its
     * limit to its list: the key of their squared distance and number. Numbers begin at `first`. */
    void (*nearer)(int64_t panels, int64_t dims, const float *panel, const float *query, int64_t first,
                   crd_near_list *list);
    /* t-SNE: a map is x, y of every point, each entry of a sparse matrix has a weight p, rows are filled up to a
     * multiple of CRD_PANEL (with weights of 0), and q = 1 / (1 + squared distance). force_i = sum of p q (map_i -
     * map_j). */
    void (*attract)(int64_t begin, int64_t end, const int64_t *start, const int32_t *column, const float *weight,
                    const float *map, float *force);
    /* The sum of p log(1 / q). */
    double (*stretch)(int64_t begin, int64_t end, const int64_t *start, const int32_t *column, const float *weight,
                      const float *map);
    /* force_i = sum over all others of q^2 (map_i - map_j); returns the sum of their q. x and y are padded to a
     * multiple of CRD_PANEL with points far away (1e18). */
    double (*repel)(int64_t begin, int64_t end, int64_t count, const float *x, const float *y, float *force);
    /* Adds the points of some rows to the 4 x 4 nodes around each, with the weights of cubic B-splines. */
    void (*spread)(int64_t begin, int64_t end, const crd_on_grid *points, float *grid);
    /* force_i = the values of two grids at the points of some rows, with the same weights. */
    void (*gather)(int64_t begin, int64_t end, const crd_on_grid *points, const float *grid_x, const float *grid_y,
                   float *force);
    /* The Hartley transforms of the columns of two arrays [length][CRD_FFT_WIDTH]: sum over j of x_j (cos + sin)(2 pi
     * j k / length), in place. The spare arrays are as large. */
    void (*hartley)(const crd_fft *plan, float *one, float *other, float *spare_one, float *spare_other);
} crd_kernels;

/* The best set for this machine; the environment variable CREDENCE_CPU (baseline, avx2, avx512) asks for another one;
 * an unknown one, or one that the machine lacks, is an error. */
crd_status crd_kernels_pick(const crd_kernels **kernels, crd_error *error);

#endif
