/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/tree.h"
#include "tsne/tsne.h"

/* Nodes are two fifths of a unit apart, at least LEAST of them, and never more than MOST: a map of more than 800 units
 * has a coarser grid. */
#define SPACING 0.4
enum {
    LEAST = 64,
    MOST = 2160,
    MARGIN = 16, /* nodes around the points: near its edge, an interpolation is worse */
    GROUP = 8,   /* rows of a grid that are processed together: more than the three that two rows share */
    SORT_BLOCKS = 16
};

typedef struct {
    float low[2], high[2];
} extent;

static crd_status find_extent(const float *map, int64_t count, extent *found, crd_error *error)
{
    *found = (extent){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int64_t i = 0; i < count; i++)
        for (int axis = 0; axis < 2; axis++) {
            const float at = map[2 * i + axis];
            if (!(fabsf(at) < 1e15f))
                return crd_fail(error, CRD_ERROR_NUMERIC,
                                "point %lld of the map is at %g, which is too far away: the learning rate may be too "
                                "large",
                                (long long)i, (double)at);
            found->low[axis] = fminf(found->low[axis], at);
            found->high[axis] = fmaxf(found->high[axis], at);
        }
    return CRD_OK;
}

/* ---- exactly ---- */

typedef struct {
    crd_repulsion *repulsion;
    float *force;
} exact_job;

static void repel_exactly(int64_t begin, int64_t end, double *sums, void *context)
{
    const exact_job *job = context;
    const crd_repulsion *r = job->repulsion;
    sums[0] += r->kernels->repel(begin, end, r->count, r->x, r->y, job->force);
}

static double run_exactly(crd_repulsion *r, const float *map, float *force)
{
    for (int64_t i = 0; i < r->count; i++) {
        r->x[i] = map[2 * i];
        r->y[i] = map[2 * i + 1];
    }
    for (int64_t i = r->count; i % CRD_PANEL != 0; i++) r->x[i] = r->y[i] = 1e18f;
    exact_job job = {r, force};
    double total;
    crd_parallel_sum(r->team, r->count, repel_exactly, &job, 1, &total);
    return total;
}

/* ---- by a grid ---- */

/* Chooses a grid for points that are at most `span` apart. Spacings come in steps, so that the kernels' spectra
 * serve many iterations. */
static void choose(double span, int64_t *nodes, double *spacing)
{
    double step = SPACING;
    while (span / (0.5 * step) + MARGIN <= LEAST && step > 1e-12) step *= 0.5;
    while (span / step + MARGIN > MOST) step *= 1.25;
    const double needed = ceil(span / step) + MARGIN;
    *nodes = crd_fft_length(needed < LEAST ? LEAST : (int64_t)needed);
    *spacing = step;
}

static crd_status fit_grid(crd_repulsion *r, const extent *e, crd_error *error)
{
    int64_t nodes;
    double spacing;
    choose(fmax((double)e->high[0] - (double)e->low[0], (double)e->high[1] - (double)e->low[1]), &nodes, &spacing);
    if (nodes == r->convolution.nodes) {
        if (spacing != r->convolution.spacing) crd_convolution_space(&r->convolution, spacing, r->kernels, r->team);
        return CRD_OK;
    }
    crd_convolution_close(&r->convolution);
    crd_plan_free(&r->arrays);
    CRD_PLAN(&r->arrays, &r->row_start, nodes + 1);
    CRD_PLAN(&r->arrays, &r->block_start, SORT_BLOCKS * nodes);
    crd_status status = crd_plan_allocate(&r->arrays, error);
    if (status != CRD_OK) return status;
    return crd_convolution_open(&r->convolution, nodes, spacing, r->kernels, r->team, error);
}

typedef struct {
    crd_repulsion *repulsion;
    crd_on_grid points;
    int64_t nodes;
    bool place;     /* in the second pass of the sort */
    int64_t parity; /* of the groups of rows */
    float *force;
} grid_job;

static int64_t row_of(const grid_job *job, int64_t point)
{
    const float v = (job->points.map[2 * point + 1] - job->points.bottom) * job->points.per_unit;
    const int64_t row = (int64_t)v, most = job->nodes - 3;
    return row < 1 ? 1 : row > most ? most : row;
}

/* A counting sort by blocks of points: first counts a block's points per row, then places them. */
static void sort_block(int64_t block, int worker, void *context)
{
    const grid_job *job = context;
    const crd_repulsion *r = job->repulsion;
    const int64_t size = (r->count + SORT_BLOCKS - 1) / SORT_BLOCKS, from = block * size, end = from + size;
    int64_t *start = r->block_start + block * job->nodes;
    (void)worker;
    if (!job->place) memset(start, 0, (size_t)job->nodes * sizeof *start);
    for (int64_t i = from; i < end && i < r->count; i++) {
        const int64_t at = start[row_of(job, i)]++;
        if (job->place) r->order[at] = (int32_t)i;
    }
}

static void sort_by_rows(grid_job *job)
{
    crd_repulsion *r = job->repulsion;
    crd_parallel_tasks(r->team, SORT_BLOCKS, sort_block, job);
    int64_t next = 0;
    for (int64_t row = 0; row < job->nodes; row++) {
        r->row_start[row] = next;
        for (int64_t b = 0; b < SORT_BLOCKS; b++) {
            const int64_t here = r->block_start[b * job->nodes + row];
            r->block_start[b * job->nodes + row] = next;
            next += here;
        }
    }
    r->row_start[job->nodes] = next;
    job->place = true;
    crd_parallel_tasks(r->team, SORT_BLOCKS, sort_block, job);
}

static int64_t end_of_group(const grid_job *job, int64_t group)
{
    return (group + 1) * GROUP < job->nodes ? (group + 1) * GROUP : job->nodes;
}

/* Spreads the points of every second group of rows: two such groups share no node. */
static void spread_group(int64_t pair, int worker, void *context)
{
    const grid_job *job = context;
    const int64_t group = 2 * pair + job->parity;
    (void)worker;
    job->repulsion->kernels->spread(group * GROUP, end_of_group(job, group), &job->points,
                                    job->repulsion->convolution.grid);
}

static void gather_group(int64_t group, int worker, void *context)
{
    const grid_job *job = context;
    const crd_convolution *c = &job->repulsion->convolution;
    (void)worker;
    job->repulsion->kernels->gather(group * GROUP, end_of_group(job, group), &job->points, c->grid, c->force_y,
                                    job->force);
}

static double run_grid(crd_repulsion *r, const extent *e, const float *map, float *force)
{
    crd_convolution *c = &r->convolution;
    const double half = 0.5 * c->spacing * (double)(c->nodes - 1);
    grid_job job = {.repulsion = r,
                    .nodes = c->nodes,
                    .force = force,
                    .points = {.map = map,
                               .order = r->order,
                               .row_start = r->row_start,
                               .left = (float)(0.5 * ((double)e->low[0] + (double)e->high[0]) - half),
                               .bottom = (float)(0.5 * ((double)e->low[1] + (double)e->high[1]) - half),
                               .per_unit = (float)(1.0 / c->spacing),
                               .columns = c->nodes,
                               .stride = c->stride}};
    sort_by_rows(&job);
    memset(c->grid, 0, (size_t)(c->nodes * c->stride) * sizeof *c->grid);
    const int64_t groups = (c->nodes + GROUP - 1) / GROUP;
    for (job.parity = 0; job.parity < 2; job.parity++)
        crd_parallel_tasks(r->team, (groups + 1 - job.parity) / 2, spread_group, &job);
    const double total = crd_convolution_run(c, r->kernels, r->team);
    crd_parallel_tasks(r->team, groups, gather_group, &job);
    return total - (double)r->count; /* each point's own q is 1 */
}

/* ---- both ---- */

crd_status crd_repulsion_open(crd_repulsion *r, int64_t count, bool exact, const crd_kernels *kernels, crd_team *team,
                              crd_error *error)
{
    *r = (crd_repulsion){.count = count, .exact = exact, .kernels = kernels, .team = team};
    if (!exact) return CRD_NEW(&r->order, count, error);
    CRD_PLAN(&r->arrays, &r->x, count + CRD_PANEL);
    CRD_PLAN(&r->arrays, &r->y, count + CRD_PANEL);
    return crd_plan_allocate(&r->arrays, error);
}

crd_status crd_repulsion_run(crd_repulsion *r, const float *map, float *force, double *total, crd_error *error)
{
    extent e;
    crd_status status = find_extent(map, r->count, &e, error);
    if (status == CRD_OK && !r->exact) status = fit_grid(r, &e, error);
    if (status == CRD_OK) *total = r->exact ? run_exactly(r, map, force) : run_grid(r, &e, map, force);
    return status;
}

void crd_repulsion_close(crd_repulsion *r)
{
    crd_convolution_close(&r->convolution);
    crd_plan_free(&r->arrays);
    crd_free(r->order);
    *r = (crd_repulsion){0};
}
