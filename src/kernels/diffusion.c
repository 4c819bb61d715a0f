/* SPDX-License-Identifier: MIT */
#include "kernels/diffusion.h"

#include <math.h>
#include <string.h>

#include "base/watch.h"

enum { BLOCK = 256 };

static int64_t strip_width(int64_t columns)
{
    return columns < CRD_DIFFUSED_COLUMNS ? columns : CRD_DIFFUSED_COLUMNS;
}

void crd_diffusion_plan(crd_diffusion *d, crd_plan *plan, int64_t nodes, int64_t stride, double teleport, int64_t steps)
{
    const int64_t width = strip_width(stride);
    *d = (crd_diffusion){
        .nodes = nodes, .steps = steps, .stride = stride, .each = {.teleport = (float)teleport, .stride = stride}};
    CRD_PLAN(plan, &d->s, nodes);
    CRD_PLAN(plan, &d->now, nodes * width);
    CRD_PLAN(plan, &d->next, nodes * width);
    if (stride > width) CRD_PLAN(plan, &d->result, nodes * stride);
}

void crd_diffusion_start(crd_diffusion *d, const int64_t *start, const int32_t *neighbour)
{
    crd_diffusion_start_part(d, start, neighbour, NULL);
}

void crd_diffusion_start_part(crd_diffusion *d, const int64_t *start, const int32_t *neighbour, const int32_t *degree)
{
    for (int64_t i = 0; i < d->nodes; i++) {
        const double neighbours = degree != NULL ? (double)degree[i] : (double)(start[i + 1] - start[i]);
        d->s[i] = (float)(1.0 / sqrt(neighbours + 1.0));
    }
    d->each.start = start;
    d->each.neighbour = neighbour;
    d->each.entries = start[d->nodes];
    d->each.s = d->s;
}

void crd_diffusion_limit(crd_diffusion *d, int64_t nodes)
{
    d->nodes = nodes;
    d->each.entries = d->each.start[nodes];
}

typedef struct {
    crd_diffusion *d;
    const crd_kernels *kernels;
    const int64_t *rows; /* the rows that are not 0; NULL: all */
    int64_t count;
    const float *x;      /* of the strip */
    crd_row_list needed; /* of the result */
    bool last;
    float *out;
    int64_t out_stride;
} job;

/* The steps work on rows scaled by s: then the adjacency needs no values, only sums over neighbours. */
static void scale_rows(int64_t begin, int64_t end, void *context)
{
    const job *j = context;
    crd_diffusion *d = j->d;
    const int64_t width = d->each.width;
    for (int64_t t = begin; t < end; t++) {
        const int64_t i = j->rows != NULL ? j->rows[t] : t;
        for (int64_t c = 0; c < width; c++) d->now[i * width + c] = d->s[i] * j->x[t * d->stride + c];
    }
}

static void clear_rows(int64_t begin, int64_t end, void *context)
{
    const job *j = context;
    const int64_t width = j->d->each.width;
    memset(j->d->now + begin * width, 0, (size_t)((end - begin) * width) * sizeof *j->d->now);
}

static void step_rows(int64_t begin, int64_t end, void *context)
{
    const job *j = context;
    j->kernels->diffuse(begin, end, &j->d->each, j->d->now, j->last, j->out, j->out_stride);
}

static void step_needed(int64_t begin, int64_t end, void *context)
{
    const job *j = context;
    for (int64_t t = begin; t < end; t++) step_rows(j->needed.row[t], j->needed.row[t] + 1, context);
}

/* Adds the teleport term, which the step leaves out if it has no origin. */
static void add_rows(int64_t begin, int64_t end, void *context)
{
    const job *j = context;
    const crd_diffusion *d = j->d;
    for (int64_t t = begin; t < end; t++) {
        const int64_t i = j->rows[t];
        const float back = d->each.teleport * (j->last ? 1.0f : d->s[i]);
        for (int64_t c = 0; c < d->each.width; c++) j->out[i * j->out_stride + c] += back * j->x[t * d->stride + c];
    }
}

/* Runs all steps of the strip that begins at this column. */
static void run_strip(job *j, crd_team *team, int64_t column)
{
    crd_diffusion *d = j->d;
    crd_steps *each = &d->each;
    each->width = strip_width(d->stride - column);
    each->far = d->nodes * each->width * (int64_t)sizeof(float) > CRD_FAR_BYTES;
    each->origin = j->rows != NULL ? NULL : j->x;
    if (j->rows != NULL) crd_parallel_rows(team, d->nodes, 16 * BLOCK, clear_rows, j);
    crd_parallel_rows(team, j->count, BLOCK, scale_rows, j);
    for (int64_t step = 1; step <= d->steps; step++) {
        j->last = step == d->steps;
        const bool to_result = j->last && d->result != NULL;
        j->out = to_result ? d->result + column : d->next;
        j->out_stride = to_result ? d->stride : each->width;
        if (j->last && j->needed.row != NULL) crd_parallel_rows(team, j->needed.count, BLOCK, step_needed, j);
        else crd_parallel_rows(team, d->nodes, BLOCK, step_rows, j);
        if (j->rows != NULL) crd_parallel_rows(team, j->count, BLOCK, add_rows, j);
        if (to_result) break;
        float *done = d->now;
        d->now = d->next;
        d->next = done;
    }
}

/* Without steps the result is the input. */
static float *stay(crd_diffusion *d, const job *j)
{
    float *result = d->result != NULL ? d->result : d->now;
    memset(result, 0, (size_t)(d->nodes * d->stride) * sizeof *result);
    for (int64_t t = 0; t < j->count; t++)
        memcpy(result + (j->rows != NULL ? j->rows[t] : t) * d->stride, j->x + t * d->stride,
               (size_t)d->stride * sizeof *result);
    return result;
}

static float *run_all_strips(job *j, crd_team *team)
{
    crd_diffusion *d = j->d;
    const float *x = j->x;
    if (d->steps == 0) return stay(d, j);
    for (int64_t column = 0; column < d->stride; column += CRD_DIFFUSED_COLUMNS) {
        j->x = x + column;
        run_strip(j, team, column);
    }
    return d->result != NULL ? d->result : d->now;
}

float *crd_diffusion_run_some(crd_diffusion *d, const crd_kernels *kernels, crd_team *team, const int64_t *rows,
                              int64_t count, const float *x)
{
    return run_all_strips(&(job){.d = d, .kernels = kernels, .rows = rows, .count = count, .x = x}, team);
}

float *crd_diffusion_run(crd_diffusion *d, const crd_kernels *kernels, crd_team *team, const float *x,
                         crd_row_list needed)
{
    return run_all_strips(&(job){.d = d, .kernels = kernels, .count = d->nodes, .x = x, .needed = needed}, team);
}

/* Clears the last row: only the nodes that it reached. */
static void start_row(crd_weights *w, int64_t node)
{
    for (int64_t t = 0; t < w->count; t++) {
        w->weight[w->reached[t]] = 0.0;
        w->seen[w->reached[t]] = 0;
    }
    w->reached[0] = (int32_t)node;
    w->count = 1;
    w->weight[node] = 1.0;
    w->seen[node] = 1;
}

void crd_diffusion_row(const int64_t *start, const int32_t *neighbour, double teleport, int64_t steps, int64_t node,
                       crd_weights *w)
{
    /* The matrix is symmetric, so its row is the diffusion of the node's indicator. */
    start_row(w, node);
    int64_t ring = 0; /* the first node that the last step reached */
    for (int64_t step = 0; step < steps && !crd_watch_asks_to_stop(); step++) {
        const int64_t end = w->count;
        for (int64_t t = ring; t < end && !crd_watch_at(t); t++)
            for (int64_t e = start[w->reached[t]]; e < start[w->reached[t] + 1]; e++) {
                if (w->seen[neighbour[e]]) continue;
                w->seen[neighbour[e]] = 1;
                w->reached[w->count++] = neighbour[e];
            }
        ring = end;
        for (int64_t t = 0; t < w->count && !crd_watch_at(t); t++) {
            const int64_t i = w->reached[t];
            w->spare[i] = w->weight[i] / sqrt((double)(start[i + 1] - start[i]) + 1.0);
        }
        for (int64_t t = 0; t < w->count && !crd_watch_at(t); t++) {
            const int64_t i = w->reached[t];
            double sum = w->spare[i];
            for (int64_t e = start[i]; e < start[i + 1]; e++)
                if (w->seen[neighbour[e]]) sum += w->spare[neighbour[e]];
            w->weight[i] =
                (1.0 - teleport) * sum / sqrt((double)(start[i + 1] - start[i]) + 1.0) + (i == node ? teleport : 0.0);
        }
    }
}

crd_status crd_weights_open(crd_weights *w, int64_t nodes, crd_error *error)
{
    *w = (crd_weights){.count = 0};
    CRD_PLAN_ZERO(&w->plan, &w->weight, nodes);
    CRD_PLAN(&w->plan, &w->spare, nodes);
    CRD_PLAN(&w->plan, &w->reached, nodes);
    CRD_PLAN_ZERO(&w->plan, &w->seen, nodes);
    return crd_plan_allocate(&w->plan, error);
}

void crd_weights_close(crd_weights *w)
{
    crd_plan_free(&w->plan);
}
