/* SPDX-License-Identifier: MIT */
/* t-SNE in its steps, from points to a map: the points in an order of our own (points.c), neighbours and affinities
 * (neighbours.c), forces (repulsion.c, convolution.c), the descent (tsne.c). */
#ifndef CRD_TSNE_TSNE_H
#define CRD_TSNE_TSNE_H

#include <stdint.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "credence_private.h"
#include "kernels/hot.h"

/* ---- points, and where each starts in the map ---- */

/* Moves the smallest `wanted` items to the front, the largest of these last. All items differ. */
void crd_select_smallest(uint64_t *item, int64_t count, int64_t wanted);

/* Points that are consecutive in memory: whole panels. */
enum { CRD_TILE = 16 * CRD_PANEL };

/* Points are centred at their mean and scaled so that the largest coordinate is 1 or -1: neither a map nor its
 * divergence depends on place and scale, and squares of coordinates then neither overflow nor vanish. They are
 * ordered so that each CRD_TILE consecutive points are near each other: halves of halves along the widest direction. */
typedef struct crd_points {
    int64_t count, dims;
    float *value;   /* [count][dims], with room for CRD_QUERIES more points */
    int32_t *order; /* which of the caller's points each is */
} crd_points;

/* Fails for a coordinate that is not a finite number. */
crd_status crd_points_open(crd_points *points, const float *value, int64_t count, int64_t dims, crd_error *error);
void crd_points_close(crd_points *points);

/* The first two principal components, the first with a standard deviation of 1e-4; zeros if all points are the same.
 * map is [count][2]. */
crd_status crd_start_principal(const crd_points *points, crd_team *team, float *map, crd_error *error);

/* Moves every point by about a ten-thousandth of the map's extent (1e-8 if it has none): points at the same place
 * feel the same forces and would never separate. */
void crd_start_loosen(float *map, int64_t count, uint64_t seed);

/* ---- which points belong together, and how much ---- */

typedef struct crd_neighbours {
    int64_t count, each;
    int32_t *index;  /* [count][each], in ascending order */
    float *distance; /* squared, [count][each] */
    bool stopped;    /* by the caller's progress: there are no neighbours */
} crd_neighbours;

/* The `each` (< count) nearest other points of every point; ties are broken arbitrarily, but always the same way.
 * Calls the progress of `options` (may be NULL) now and then. */
crd_status crd_neighbours_open(crd_neighbours *neighbours, const crd_points *points, int64_t each,
                               const crd_kernels *kernels, crd_team *team, const crd_tsne_options *options,
                               crd_error *error);
void crd_neighbours_close(crd_neighbours *neighbours);

/* p_ij, symmetric, with a sum of 1: a sparse matrix whose rows are filled up with weights of 0 to a multiple of
 * CRD_PANEL. */
typedef struct crd_affinities {
    int64_t count;
    int64_t *start;
    int32_t *column;
    float *weight;
    double entropy; /* the sum of p log p */
} crd_affinities;

/* From a Gaussian around each point, whose width makes the entropy over its neighbours log(perplexity). If that is
 * impossible (too many neighbours at the same distance), as close as possible. */
crd_status crd_affinities_open(crd_affinities *affinities, const crd_neighbours *neighbours, double perplexity,
                               crd_team *team, crd_error *error);
void crd_affinities_close(crd_affinities *affinities);

/* One row: probabilities, in double precision, from squared distances. */
void crd_conditional(int64_t count, const float *distance, double perplexity, double *probability);

/* ---- forces between all points ---- */

/* Transforms of lengths whose only prime factors are 2, 3 and 5; kernels/hot.h has the transform itself. */

/* The smallest such length that is not below `least` (>= 1). */
int64_t crd_fft_length(int64_t least);
crd_status crd_fft_open(crd_fft *plan, int64_t length, crd_error *error);
void crd_fft_close(crd_fft *plan);

/* A square grid of nodes `spacing` apart. A run turns the charges g of its nodes into forces, the sum over all nodes of
 * g q^2 (dx, dy) with q = 1 / (1 + dx^2 + dy^2), and returns the sum of g_i g_j q_ij. Cubic B-splines carry points to
 * the grid and forces from it (kernels/hot.h: spread, gather). The transforms correct the smoothing by the splines, so
 * that the result is interpolation by cubic splines. */
typedef struct crd_convolution {
    int64_t nodes; /* in a row and in a column */
    double spacing;
    int64_t stride; /* floats from one row of a grid to the next */
    float *grid;    /* [nodes][stride]: charges, then forces in x */
    float *force_y; /* [nodes][stride] */
    /* The rest is private. */
    crd_fft plan; /* of twice as many nodes, so that the sums do not wrap around */
    int64_t spectrum_stride;
    float *spectrum, *second;           /* of the columns of both grids, [stride][spectrum_stride] */
    float *potential, *push_x, *push_y; /* spectra of q and of q^2 (dx, dy), [nodes + 1][spectrum_stride] */
    double *partial;                    /* parts of the sum */
    float *strips;                      /* of every thread */
    crd_plan arrays;
} crd_convolution;

/* `nodes` must be a length from crd_fft_length. */
crd_status crd_convolution_open(crd_convolution *convolution, int64_t nodes, double spacing, const crd_kernels *kernels,
                                crd_team *team, crd_error *error);
void crd_convolution_close(crd_convolution *convolution);
/* Changes the spacing of an open grid. */
void crd_convolution_space(crd_convolution *convolution, double spacing, const crd_kernels *kernels, crd_team *team);
double crd_convolution_run(crd_convolution *convolution, const crd_kernels *kernels, crd_team *team);

/* force_i = sum over the others of q^2 (map_i - map_j), and the sum of all q. Exactly, or by interpolation on a grid
 * (Linderman and others, Nature Methods 16, 2019; there, however, each force takes three sums). */
typedef struct crd_repulsion {
    int64_t count;
    bool exact;
    const crd_kernels *kernels;
    crd_team *team;
    float *x, *y;                /* exact: the map's columns, padded */
    crd_convolution convolution; /* else */
    int32_t *order;              /* the points by rows of the grid */
    int64_t *row_start;          /* [nodes + 1] */
    int64_t *block_start;        /* [blocks][nodes]: of each block of points */
    crd_plan arrays;             /* these two, for a number of nodes, or x and y */
} crd_repulsion;

crd_status crd_repulsion_open(crd_repulsion *repulsion, int64_t count, bool exact, const crd_kernels *kernels,
                              crd_team *team, crd_error *error);
void crd_repulsion_close(crd_repulsion *repulsion);
/* Fails unless all numbers of the map are finite and below 1e15. map and force are [count][2]. */
crd_status crd_repulsion_run(crd_repulsion *repulsion, const float *map, float *force, double *total, crd_error *error);

/* ---- the descent ---- */

/* Gradient descent on the divergence of a map, as van der Maaten does it: momentum, and a gain for every coordinate. */
typedef struct crd_descent {
    const crd_affinities *affinities;
    crd_repulsion repulsion;
    float *pull, *push;   /* forces, [count][2] */
    float *change, *gain; /* [count][2] */
    crd_plan arrays;
} crd_descent;

crd_status crd_descent_open(crd_descent *descent, const crd_affinities *affinities, bool exact,
                            const crd_kernels *kernels, crd_team *team, crd_error *error);
void crd_descent_close(crd_descent *descent);
/* The forces on the points of a map; the gradient is 4 (exaggeration * pull - push / *total). */
crd_status crd_descent_forces(crd_descent *descent, const float *map, double *total, crd_error *error);
/* The Kullback-Leibler divergence, given the sum of all q. */
double crd_descent_divergence(const crd_descent *descent, const float *map, double total);

/* ---- all of it, with its choices made by the caller, for tests and measurements ---- */

typedef struct crd_tsne_plan {
    double perplexity;  /* no larger than the number of points allows */
    int64_t neighbours; /* of each point */
    bool exact;         /* all pairs of points instead of a grid */
    bool still;         /* the start is not moved at all */
} crd_tsne_plan;

crd_tsne_plan crd_tsne_plan_of(int64_t count, double perplexity);

crd_status crd_tsne_run(const float *points, int64_t count, int64_t dims, const crd_tsne_options *options,
                        crd_tsne_plan plan, float *map, double *divergence, crd_error *error);

#endif
