/* SPDX-License-Identifier: MIT */
#include "answers/strips.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A ripple may look at this share of all neighbours, or at this many. */
enum { SHARE = 6, FEW = 16384 };
/* How wrong columns may be before everything is computed again, and the part of what the groups get that is wrong. */
static const double MOST_DOUBT = 2.5e-6, WRONG_PART = 0.3;
/* What rounding adds to a column of size 1 each time that a row changes. */
static const double ROUNDING = 1.5e-7;
/* Groups are made again when the graph has grown by one part in GROWN. */
enum { GROWN = 50, BLOCK = 256 };

/* ---- memory ---- */

crd_status crd_strips_open(crd_strips *s, int64_t columns, int64_t groups, int64_t steps, double teleport,
                           bool evidence, crd_error *error)
{
    const int64_t padded = (columns + CRD_PAD - 1) / CRD_PAD * CRD_PAD;
    *s = (crd_strips){.columns = columns, .steps = teleport < 1.0 ? steps : 0, .teleport = (float)teleport};
    s->width = padded < CRD_DIFFUSED_COLUMNS ? CRD_PAD : CRD_DIFFUSED_COLUMNS;
    s->strips = (padded + s->width - 1) / s->width;
    s->groups = groups < CRD_STRIP_GROUPS ? (int)groups : CRD_STRIP_GROUPS;
    const int64_t arrays = s->strips * (s->steps + 2);
    crd_status status = CRD_NEW_ZERO(&s->row, s->strips * (s->steps + 1), error);
    s->evidence = evidence;
    s->weight = 1.0;
    if (status == CRD_OK) status = CRD_NEW_ZERO(&s->origin, s->strips, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&s->unit, s->strips * s->width, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&s->room, arrays, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&s->far, s->strips * (s->steps + 1) * s->groups * s->width, error);
    return status;
}

void crd_strips_close(crd_strips *s)
{
    for (int64_t i = 0; s->row != NULL && i < s->strips * (s->steps + 1); i++) crd_free(s->row[i]);
    for (int64_t i = 0; s->origin != NULL && i < s->strips; i++) crd_free(s->origin[i]);
    crd_free(s->row);
    crd_free(s->origin);
    crd_free(s->room);
    crd_free(s->unit);
    crd_free(s->far);
    crd_free(s->s);
    crd_free(s->group);
    crd_ripple_close(&s->ripple);
    *s = (crd_strips){0};
}

crd_status crd_strips_reserve(crd_strips *s, int64_t nodes, crd_error *error)
{
    const int64_t rows = s->strips * (s->steps + 1), marked = s->ripple.marks, inflows = s->ripple.inflow_room;
    int64_t cells;
    if (!crd_multiply(nodes, s->width, &cells)) return crd_fail_memory(error, SIZE_MAX);
    crd_status status = CRD_GROW(&s->s, &s->s_room, nodes, error);
    if (status == CRD_OK) status = CRD_GROW(&s->group, &s->group_room, nodes, error);
    if (status == CRD_OK) status = CRD_GROW(&s->ripple.place, &s->ripple.marks, nodes, error);
    if (status == CRD_OK && s->ripple.marks > marked)
        memset(s->ripple.place + marked, 0, (size_t)(s->ripple.marks - marked) * sizeof *s->ripple.place);
    if (status == CRD_OK) status = CRD_GROW(&s->ripple.inflow, &s->ripple.inflow_room, nodes, error);
    if (status == CRD_OK && s->ripple.inflow_room > inflows)
        memset(s->ripple.inflow + inflows, 0, (size_t)(s->ripple.inflow_room - inflows) * sizeof *s->ripple.inflow);
    for (int64_t i = 0; i < rows && status == CRD_OK; i++) status = CRD_GROW(&s->row[i], &s->room[i], cells, error);
    for (int64_t b = 0; b < s->strips && status == CRD_OK; b++)
        status = CRD_GROW(&s->origin[b], &s->room[rows + b], cells, error);
    return status;
}

void crd_strips_add(crd_strips *s, const float *columns)
{
    for (int64_t b = 0; b < s->strips; b++)
        for (int64_t c = 0; c < s->width; c++)
            s->origin[b][s->nodes * s->width + c] = b * s->width + c < s->columns ? columns[b * s->width + c] : 0.0f;
    s->group[s->nodes++] = 0;
}

/* ---- everything ---- */

static float *row_of(const crd_strips *s, int64_t strip, int64_t step, int64_t node)
{
    return s->row[strip * (s->steps + 1) + step] + node * s->width;
}

static float *far_of(const crd_strips *s, int64_t strip, int64_t step, int64_t group)
{
    return s->far + ((strip * (s->steps + 1) + step) * s->groups + group) * s->width;
}

typedef struct {
    crd_strips *strips;
    const crd_kernels *kernels;
    crd_steps each;
    int64_t strip, step;
} run_job;

static void scale_rows(int64_t begin, int64_t end, void *context)
{
    const run_job *j = context;
    const int64_t width = j->strips->width;
    const float *from = j->strips->origin[j->strip];
    float *to = row_of(j->strips, j->strip, 0, 0);
    for (int64_t i = begin; i < end; i++)
        for (int64_t c = 0; c < width; c++) to[i * width + c] = j->strips->s[i] * from[i * width + c];
}

static void step_rows(int64_t begin, int64_t end, void *context)
{
    const run_job *j = context;
    j->kernels->diffuse(begin, end, &j->each, row_of(j->strips, j->strip, j->step, 0), false,
                        row_of(j->strips, j->strip, j->step + 1, 0), j->strips->width);
}

static float column_of(const crd_strips *s, int64_t node, int64_t column)
{
    return row_of(s, column / s->width, s->steps, node)[column % s->width];
}

static void make_groups(crd_strips *s, const crd_growing *graph)
{
    for (int64_t i = 0; i < s->nodes; i++) {
        int32_t largest = 0;
        for (int32_t c = 1; c < s->groups; c++)
            if (column_of(s, i, c) > column_of(s, i, largest)) largest = c;
        s->group[i] = (uint8_t)largest;
    }
    memset(s->between, 0, sizeof s->between);
    memset(s->volume, 0, sizeof s->volume);
    for (int64_t i = 0; i < s->nodes; i++) {
        double *between = s->between[s->group[i]];
        between[s->group[i]] += 1.0;
        for (int64_t e = graph->start[i]; e < graph->start[i + 1]; e++) between[s->group[graph->neighbour[e]]] += 1.0;
        s->volume[s->group[i]] += (double)graph->degree[i] + 1.0;
    }
    s->grouped = s->nodes;
    s->usual_share = 0.0;
    for (int64_t i = 0; i < s->nodes; i++)
        s->usual_share += (double)graph->degree[i] / ((double)graph->degree[i] + 1.0) / (double)graph->start[s->nodes];
}

/* What counts as 1 in a column. Evidence matters by how much it changes 1 + evidence, most of all where it is small. */
static void measure_units(crd_strips *s)
{
    for (int64_t c = 0; c < s->columns; c++) {
        double sum = 0.0, squares = 0.0;
        for (int64_t i = 0; i < s->nodes; i++) {
            const double x = (double)(column_of(s, i, c) / s->s[i]);
            sum += 1.0 / (1.0 + fmax(0.0, x));
            squares += x * x / (double)s->nodes;
        }
        s->size = fmax(s->size, s->evidence ? 3.0 : sqrt(squares));
        s->unit[c] = s->evidence && sum > 0.0 ? (double)s->nodes / sum : 1.0;
    }
}

void crd_strips_run(crd_strips *s, const crd_growing *graph, const crd_kernels *kernels, crd_team *team)
{
    run_job job = {.strips = s, .kernels = kernels};
    for (int64_t i = 0; i < s->nodes; i++) s->s[i] = (float)(1.0 / sqrt((double)graph->degree[i] + 1.0));
    for (int64_t b = 0; b < s->strips; b++) {
        job.strip = b;
        job.each = (crd_steps){.start = graph->start,
                               .neighbour = graph->neighbour,
                               .entries = graph->start[s->nodes],
                               .s = s->s,
                               .teleport = s->teleport,
                               .width = s->width,
                               .far = s->nodes * s->width * (int64_t)sizeof(float) > CRD_FAR_BYTES,
                               .origin = s->origin[b],
                               .stride = s->width};
        crd_parallel_rows(team, s->nodes, BLOCK, scale_rows, &job);
        for (job.step = 0; job.step < s->steps; job.step++) crd_parallel_rows(team, s->nodes, BLOCK, step_rows, &job);
    }
    if (s->grouped == 0 || s->nodes - s->grouped > s->grouped / GROWN) {
        make_groups(s, graph);
        measure_units(s);
    }
    memset(s->far, 0, (size_t)(s->strips * (s->steps + 1) * s->groups * s->width) * sizeof *s->far);
    s->doubt = 0.0;
    s->fresh = true;
}

void crd_strips_get(const crd_strips *s, int64_t node, float *columns)
{
    for (int64_t c = 0; c < s->columns; c++) {
        const int64_t strip = c / s->width, at = c % s->width;
        columns[c] =
            (row_of(s, strip, s->steps, node)[at] + far_of(s, strip, s->steps, s->group[node])[at]) / s->s[node];
    }
}

/* ---- the differences ---- */

/* The rows of changed nodes before the change, 0 for new ones; the first differences. */
static void begin_strip(crd_strips *s, const crd_growing *graph, const crd_change *change, int64_t strip)
{
    crd_ripple *r = &s->ripple;
    const int64_t width = s->width;
    for (int64_t step = 0; step <= s->steps; step++)
        for (int64_t b = 0; b < r->changed; b++) {
            const float *row = row_of(s, strip, step, r->node[b]), *far = far_of(s, strip, step, s->group[r->node[b]]);
            float *before = r->before + (step * r->changed + b) * width;
            for (int64_t c = 0; c < width; c++) before[c] = change->degree[b] < 0 ? 0.0f : row[c] + far[c];
        }
    memset(r->now, 0, (size_t)(r->count * width) * sizeof *r->now);
    memset(r->border, 0, (size_t)(r->count * width) * sizeof *r->border);
    for (int64_t b = 0; b < r->changed; b++) {
        const float *origin = s->origin[strip] + (int64_t)r->node[b] * width;
        const float scale = (float)(1.0 / sqrt((double)graph->degree[r->node[b]] + 1.0));
        float *row = row_of(s, strip, 0, r->node[b]);
        for (int64_t c = 0; c < width; c++) {
            row[c] = scale * origin[c]; /* groups add nothing before the first step */
            r->now[b * width + c] = row[c] - r->before[b * width + c];
        }
    }
}

/* The difference of a changed node after the next step. The sum over its neighbours before the change is what its own
 * rows say of it. */
static inline void step_changed(const crd_strips *s, const crd_growing *graph, const crd_change *change, int64_t strip,
                                int64_t step, int64_t b, const float *far, const int64_t width, float *out)
{
    const crd_ripple *r = &s->ripple;
    const float keep = 1.0f - s->teleport;
    const float *before = r->before + (step * r->changed + b) * width, *after = before + r->changed * width;
    const float *first = r->before + b * width, *own = row_of(s, strip, 0, r->node[b]);
    const float old = ((float)change->degree[b] + 1.0f) / keep,
                share = keep / ((float)graph->degree[r->node[b]] + 1.0f);
    double sum[CRD_DIFFUSED_COLUMNS];
    for (int64_t c = 0; c < width; c++)
        sum[c] = (change->degree[b] < 0 ? 0.0 : ((double)after[c] - (double)(s->teleport * first[c])) * (double)old) +
                 (double)r->now[b * width + c] + (double)(r->outside[b] * (r->border[b * width + c] + far[c]));
    for (int64_t e = r->start[b]; e < r->start[b + 1]; e++)
        for (int64_t c = 0; c < width; c++) sum[c] += (double)r->now[r->neighbour[e] * width + c];
    for (int64_t e = r->new_start[b]; e < r->new_start[b + 1]; e++) {
        const int64_t end = r->new_neighbour[e];
        const float *row = r->before + (step * r->changed + end) * width;
        for (int64_t c = 0; c < width; c++) sum[c] += (double)row[c] + (double)r->now[end * width + c];
    }
    for (int64_t c = 0; c < width; c++)
        out[c] = (float)((double)share * sum[c] + (double)(s->teleport * own[c]) - (double)after[c]);
}

static inline void step_others(const crd_strips *s, const crd_growing *graph, float (*of_group)[CRD_DIFFUSED_COLUMNS],
                               const int64_t width)
{
    const crd_ripple *r = &s->ripple;
    for (int64_t i = r->changed; i < r->count; i++) {
        float sum[CRD_DIFFUSED_COLUMNS];
        const float *far = of_group[s->group[r->node[i]]];
        for (int64_t c = 0; c < width; c++) sum[c] = r->now[i * width + c];
        for (int64_t e = r->start[i]; e < r->start[i + 1]; e++) {
            const float *row = r->now + r->neighbour[e] * width;
            for (int64_t c = 0; c < width; c++) sum[c] += row[c];
        }
        const float share = (1.0f - s->teleport) / ((float)graph->degree[r->node[i]] + 1.0f);
        for (int64_t c = 0; c < width; c++)
            r->next[i * width + c] = share * (sum[c] + r->outside[i] * (r->border[i * width + c] + far[c]));
    }
}

/* Adds the differences to the rows, without what the groups add to them. New nodes have none yet. */
static inline void keep_step(const crd_strips *s, const crd_change *change, int64_t strip, int64_t step,
                             float (*of_group)[CRD_DIFFUSED_COLUMNS], const int64_t width)
{
    enum { AHEAD = 16 };
    const crd_ripple *r = &s->ripple;
    for (int64_t i = 0; i < r->count; i++) {
        float *row = row_of(s, strip, step, r->node[i]);
        if (i + AHEAD < r->count) __builtin_prefetch(row_of(s, strip, step, r->node[i + AHEAD]), 1);
        const bool is_new = i < r->changed && change->degree[i] < 0;
        const float *all = far_of(s, strip, step, s->group[r->node[i]]), *far = of_group[s->group[r->node[i]]];
        for (int64_t c = 0; c < width; c++)
            row[c] = is_new ? r->next[i * width + c] - all[c] : row[c] + (r->next[i * width + c] - far[c]);
    }
}

/* The nodes just outside: each has a neighbour in the ripple, to which some of the difference returns. `border` is
 * their mean, by that neighbour. The rest of it leaves. `there` is what they have after the step. */
static inline void step_border(const crd_strips *s, double left[CRD_STRIP_GROUPS][CRD_DIFFUSED_COLUMNS],
                               double there[CRD_STRIP_GROUPS][CRD_DIFFUSED_COLUMNS], const int64_t width)
{
    const crd_ripple *r = &s->ripple;
    for (int64_t i = 0; i < r->count; i++) {
        if (r->outside[i] == 0.0f) continue;
        double *group = left[s->group[r->node[i]]], *at = there[s->group[r->node[i]]];
        const float others = r->outside[i] * fmaxf(1.0f / r->share[i] - 2.0f, 0.0f);
        const float share = (1.0f - s->teleport) * r->share[i];
        float *border = r->border + i * width;
        for (int64_t c = 0; c < width; c++) {
            group[c] += (double)(others * border[c]);
            border[c] = share * (border[c] + r->now[i * width + c]);
            at[c] += (double)(r->outside[i] / r->share[i] * border[c]);
        }
    }
}

/* Moves what groups have along one edge. */
static void mix_groups(const crd_strips *s, double x[CRD_STRIP_GROUPS][CRD_DIFFUSED_COLUMNS], int64_t width)
{
    double mixed[CRD_STRIP_GROUPS][CRD_DIFFUSED_COLUMNS] = {{0.0}};
    for (int g = 0; g < s->groups; g++)
        for (int h = 0; h < s->groups; h++) {
            const double share = s->volume[h] > 0.0 ? s->between[g][h] / s->volume[h] : 0.0;
            for (int64_t c = 0; c < width; c++) mixed[g][c] += share * x[h][c];
        }
    memcpy(x, mixed, sizeof mixed);
}

/* What leaves the ripple reaches the groups in proportion to the edges between them. */
static void spread_far(const crd_strips *s, double left[CRD_STRIP_GROUPS][CRD_DIFFUSED_COLUMNS],
                       double far[CRD_STRIP_GROUPS][CRD_DIFFUSED_COLUMNS], int64_t width)
{
    double flow[CRD_STRIP_GROUPS][CRD_DIFFUSED_COLUMNS];
    for (int g = 0; g < s->groups; g++)
        for (int64_t c = 0; c < width; c++)
            flow[g][c] = far[g][c] + (s->volume[g] > 0.0 ? left[g][c] / s->volume[g] : 0.0);
    for (int g = 0; g < s->groups; g++)
        for (int64_t c = 0; c < width; c++) {
            double sum = 0.0;
            for (int h = 0; h < s->groups; h++) sum += s->between[g][h] * flow[h][c];
            far[g][c] = s->volume[g] > 0.0 ? (1.0 - (double)s->teleport) * sum / s->volume[g] : 0.0;
        }
}

static void swap_now_and_next(crd_ripple *r)
{
    float *done = r->now;
    r->now = r->next;
    r->next = done;
}

/* The root mean square over nodes of what groups add to them, in units of the column: the largest of a strip. */
static double size_of_groups(const crd_strips *s, float (*seen)[CRD_DIFFUSED_COLUMNS], int64_t strip)
{
    double most = 0.0;
    for (int64_t c = 0; c < s->width && strip * s->width + c < s->columns; c++) {
        double sum = 0.0, volume = 0.0;
        for (int g = 0; g < s->groups; g++) {
            sum += s->volume[g] * (double)seen[g][c] * (double)seen[g][c];
            volume += s->volume[g];
        }
        if (volume > 0.0) most = fmax(most, sqrt(sum / volume) / s->unit[strip * s->width + c]);
    }
    return most;
}

/* One strip. Returns the size of what groups get in the end. */
static inline double follow_strip(crd_strips *s, const crd_growing *graph, const crd_change *change, int64_t strip,
                                  const int64_t width)
{
    crd_ripple *r = &s->ripple;
    double far[CRD_STRIP_GROUPS][CRD_DIFFUSED_COLUMNS] = {{0.0}}, most = 0.0;
    float of_group[CRD_STRIP_GROUPS][CRD_DIFFUSED_COLUMNS] = {{0.0f}}, seen[CRD_STRIP_GROUPS][CRD_DIFFUSED_COLUMNS];
    begin_strip(s, graph, change, strip);
    for (int64_t step = 0; step < s->steps; step++) {
        double left[CRD_STRIP_GROUPS][CRD_DIFFUSED_COLUMNS] = {{0.0}};
        double there[CRD_STRIP_GROUPS][CRD_DIFFUSED_COLUMNS] = {{0.0}};
        for (int64_t b = 0; b < r->changed; b++)
            step_changed(s, graph, change, strip, step, b, of_group[s->group[r->node[b]]], width, r->next + b * width);
        step_others(s, graph, of_group, width);
        step_border(s, left, there, width);
        mix_groups(s, left, width); /* they are by the nodes of the ripple, and belong to their neighbours */
        mix_groups(s, there, width);
        spread_far(s, left, far, width);
        for (int g = 0; g < s->groups; g++)
            for (int64_t c = 0; c < width; c++) {
                of_group[g][c] = (float)far[g][c];
                seen[g][c] = s->volume[g] > 0.0 ? (float)(far[g][c] + there[g][c] / s->volume[g]) : 0.0f;
                far_of(s, strip, step + 1, g)[c] += seen[g][c];
            }
        keep_step(s, change, strip, step + 1, seen, width);
        if (step + 1 == s->steps) most = size_of_groups(s, seen, strip);
        swap_now_and_next(r);
    }
    if (s->steps % 2 == 1) swap_now_and_next(r); /* back to their own rooms */
    return most;
}

/* A new node joins the group of a neighbour that has one. */
static void join_group(crd_strips *s, const crd_change *change)
{
    const crd_ripple *r = &s->ripple;
    for (int64_t b = 0; b < r->changed; b++)
        for (int64_t e = r->new_start[b]; e < r->new_start[b + 1] && change->degree[b] < 0; e++)
            if (change->degree[r->new_neighbour[e]] >= 0) {
                s->group[r->node[b]] = s->group[r->node[r->new_neighbour[e]]];
                break;
            }
}

void crd_strips_follow(crd_strips *s, const crd_growing *graph, const crd_change *change)
{
    crd_ripple *r = &s->ripple;
    const int64_t entries = graph->start[graph->settled] + graph->links;
    const int64_t most = entries / SHARE > FEW ? entries / SHARE : FEW;
    double far = 0.0;
    if (!s->fresh) return;
    crd_status status = change->count <= most ? crd_ripple_find(s, graph, change, most, NULL) : CRD_ERROR_MEMORY;
    if (status == CRD_OK && r->scanned <= most) status = crd_ripple_sort(s, NULL);
    s->fresh = status == CRD_OK && r->scanned <= most;
    if (s->fresh) {
        crd_ripple_count_outside(graph, s->usual_share, r);
        join_group(s, change);
        for (int64_t b = 0; b < s->strips; b++) {
            const double its = s->width == CRD_PAD ? follow_strip(s, graph, change, b, CRD_PAD)
                                                   : follow_strip(s, graph, change, b, CRD_DIFFUSED_COLUMNS);
            far = fmax(far, its);
        }
        for (int64_t c = 0; c < r->changed; c++)
            s->s[r->node[c]] = (float)(1.0 / sqrt((double)graph->degree[r->node[c]] + 1.0));
        const double degree = (double)entries / (double)s->nodes;
        s->doubt += WRONG_PART * far * sqrt(degree + 1.0);
        s->doubt += ROUNDING * s->size * (double)r->count / (double)s->nodes;
        s->fresh = s->doubt * s->weight <= MOST_DOUBT;
    }
    for (int64_t i = 0; i < r->count; i++) r->place[r->node[i]] = 0;
}
