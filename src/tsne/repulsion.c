#include "base/tree.h"
#include "tsne/repulsion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Nodes are two fifths of a unit apart, at least LEAST of them, and never more than MOST: a map of more than
 * 800 units has a coarser grid. */
#define SPACING 0.4
enum {
    LEAST = 64,
    MOST = 2160,
    MARGIN = 16, /* nodes around the points; see tsne/convolution.c */
    GROUP = 8,   /* rows of a grid that are processed together: more than the three that two rows share */
    SORT_BLOCKS = 16
};

/* ---- exactly ---- */

void crd_map_columns(const float *map, int64_t count, float *x, float *y)
{
    for (int64_t i = 0; i < count; i++) {
        x[i] = map[2 * i];
        y[i] = map[2 * i + 1];
    }
    for (int64_t i = count; i % CRD_PANEL != 0; i++) x[i] = y[i] = 1e18f;
}

typedef struct {
    const crd_kernels *kernels;
    int64_t count;
    const float *x, *y;
    float *force;
} exact_job;

static void repel_exactly(int64_t begin, int64_t end, double *sums, void *context)
{
    const exact_job *job = context;
    sums[0] += job->kernels->repel(begin, end, job->count, job->x, job->y, job->force);
}

double crd_repulsion_total(const float *x, const float *y, int64_t count, const crd_kernels *kernels, crd_team *team)
{
    exact_job job = {kernels, count, x, y, NULL};
    double total;
    crd_parallel_sum(team, count, repel_exactly, &job, 1, &total);
    return total;
}

/* ---- by a grid ---- */

crd_status crd_map_extent(const float *map, int64_t count, crd_extent *extent, crd_error *error)
{
    *extent = (crd_extent){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int64_t i = 0; i < count; i++)
        for (int axis = 0; axis < 2; axis++) {
            const float at = map[2 * i + axis];
            if (!(fabsf(at) < 1e15f))
                return crd_fail(error, CRD_ERROR_NUMERIC,
                                "point %lld of the map is at %g, which is too far away: the learning rate may be too "
                                "large",
                                (long long)i, (double)at);
            extent->low[axis] = fminf(extent->low[axis], at);
            extent->high[axis] = fmaxf(extent->high[axis], at);
        }
    return CRD_OK;
}

/* Chooses a grid for points that are at most `span` apart. Spacings come in steps, so that the kernels' spectra serve
 * many iterations. */
static void choose(double span, int64_t *nodes, double *spacing)
{
    double step = SPACING;
    while (span / (0.5 * step) + MARGIN <= LEAST && step > 1e-12) step *= 0.5;
    while (span / step + MARGIN > MOST) step *= 1.25;
    const double needed = ceil(span / step) + MARGIN;
    *nodes = crd_fft_length(needed < LEAST ? LEAST : (int64_t)needed);
    *spacing = step;
}

static crd_status fit_grid(crd_repulsion *r, const crd_extent *extent, crd_error *error)
{
    int64_t nodes;
    double spacing;
    choose(fmax((double)extent->high[0] - (double)extent->low[0], (double)extent->high[1] - (double)extent->low[1]),
           &nodes, &spacing);
    if (nodes != r->convolution.nodes) {
        crd_convolution_close(&r->convolution);
        crd_status status = crd_convolution_open(&r->convolution, nodes, spacing, r->kernels, r->team, error);
        if (status != CRD_OK) return status;
    } else if (spacing != r->convolution.spacing) {
        crd_convolution_space(&r->convolution, spacing, r->kernels, r->team);
    }
    if (nodes <= r->nodes) return CRD_OK;
    free(r->row_start);
    free(r->block_start);
    r->row_start = r->block_start = NULL;
    r->nodes = 0;
    crd_status status = CRD_NEW(&r->row_start, nodes + 1, error);
    if (status == CRD_OK) status = CRD_NEW(&r->block_start, SORT_BLOCKS * nodes, error);
    if (status == CRD_OK) r->nodes = nodes;
    return status;
}

typedef struct {
    crd_repulsion *repulsion;
    crd_on_grid points;
    int64_t nodes;
    int64_t parity; /* of the groups of rows */
    float *force;
} grid_job;

static int64_t row_of(const grid_job *job, int64_t point)
{
    const float v = (job->points.map[2 * point + 1] - job->points.bottom) * job->points.per_unit;
    const int64_t row = (int64_t)v, most = job->nodes - 3;
    return row < 1 ? 1 : row > most ? most : row;
}

/* A counting sort by blocks of points: first counts each block's points per row, then places them. */
static void sort_points(int64_t begin, int64_t end, bool place, grid_job *job)
{
    const int64_t size = (job->repulsion->count + SORT_BLOCKS - 1) / SORT_BLOCKS;
    for (int64_t b = begin; b < end; b++) {
        int64_t *start = job->repulsion->block_start + b * job->nodes;
        const int64_t from = b * size, to = from + size < job->repulsion->count ? from + size : job->repulsion->count;
        if (!place) memset(start, 0, (size_t)job->nodes * sizeof *start);
        for (int64_t i = from; i < to; i++) {
            const int64_t at = start[row_of(job, i)]++;
            if (place) job->repulsion->order[at] = (int32_t)i;
        }
    }
}

static void count_points(int64_t begin, int64_t end, void *context)
{
    sort_points(begin, end, false, context);
}

static void place_points(int64_t begin, int64_t end, void *context)
{
    sort_points(begin, end, true, context);
}

static void sort_by_rows(grid_job *job)
{
    crd_repulsion *r = job->repulsion;
    crd_parallel_rows(r->team, SORT_BLOCKS, 1, count_points, job);
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
    crd_parallel_rows(r->team, SORT_BLOCKS, 1, place_points, job);
}

/* Spreads the points of every second group of rows: two such groups share no node. */
static void spread_groups(int64_t begin, int64_t end, void *context)
{
    const grid_job *job = context;
    for (int64_t pair = begin; pair < end; pair++) {
        const int64_t from = (2 * pair + job->parity) * GROUP, to = from + GROUP;
        job->repulsion->kernels->spread(from < job->nodes ? from : job->nodes, to < job->nodes ? to : job->nodes,
                                        &job->points, job->repulsion->convolution.charge);
    }
}

static void gather_rows(int64_t begin, int64_t end, void *context)
{
    const grid_job *job = context;
    const crd_convolution *c = &job->repulsion->convolution;
    job->repulsion->kernels->gather(begin, end, &job->points, c->force_x, c->force_y, job->force);
}

static double run_grid(crd_repulsion *r, const crd_extent *extent, const float *map, float *force)
{
    crd_convolution *c = &r->convolution;
    const double half = 0.5 * c->spacing * (double)(c->nodes - 1);
    const double middle[] = {0.5 * ((double)extent->low[0] + (double)extent->high[0]),
                             0.5 * ((double)extent->low[1] + (double)extent->high[1])};
    grid_job job = {.repulsion = r,
                    .nodes = c->nodes,
                    .force = force,
                    .points = {.map = map,
                               .order = r->order,
                               .row_start = r->row_start,
                               .left = (float)(middle[0] - half),
                               .bottom = (float)(middle[1] - half),
                               .per_unit = (float)(1.0 / c->spacing),
                               .columns = c->nodes,
                               .stride = c->stride}};
    sort_by_rows(&job);
    memset(c->charge, 0, (size_t)(c->nodes * c->stride) * sizeof *c->charge);
    const int64_t groups = (c->nodes + GROUP - 1) / GROUP;
    for (job.parity = 0; job.parity < 2; job.parity++)
        crd_parallel_rows(r->team, (groups + 1) / 2, 1, spread_groups, &job);
    const double total = crd_convolution_run(c, r->kernels, r->team);
    crd_parallel_rows(r->team, c->nodes, GROUP, gather_rows, &job);
    return total - (double)r->count; /* each point's own q is 1 */
}

/* ---- both ---- */

crd_status crd_repulsion_open(crd_repulsion *r, int64_t count, bool exact, const crd_kernels *kernels, crd_team *team,
                              crd_error *error)
{
    *r = (crd_repulsion){.count = count, .exact = exact, .kernels = kernels, .team = team};
    if (!exact) return CRD_NEW(&r->order, count, error);
    crd_status status = CRD_NEW(&r->x, count + CRD_PANEL, error);
    if (status == CRD_OK) status = CRD_NEW(&r->y, count + CRD_PANEL, error);
    if (status != CRD_OK) crd_repulsion_close(r);
    return status;
}

crd_status crd_repulsion_run(crd_repulsion *r, const float *map, float *force, double *total, crd_error *error)
{
    crd_extent extent;
    crd_status status = crd_map_extent(map, r->count, &extent, error);
    if (status != CRD_OK) return status;
    if (r->exact) {
        crd_map_columns(map, r->count, r->x, r->y);
        exact_job job = {r->kernels, r->count, r->x, r->y, force};
        crd_parallel_sum(r->team, r->count, repel_exactly, &job, 1, total);
        return CRD_OK;
    }
    status = fit_grid(r, &extent, error);
    if (status == CRD_OK) *total = run_grid(r, &extent, map, force);
    return status;
}

void crd_repulsion_close(crd_repulsion *r)
{
    free(r->x);
    free(r->y);
    crd_convolution_close(&r->convolution);
    free(r->order);
    free(r->row_start);
    free(r->block_start);
    *r = (crd_repulsion){0};
}
