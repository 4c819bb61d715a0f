/* SPDX-License-Identifier: MIT */
#include "answers/strips.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256 };

crd_status crd_strips_open(crd_strips *s, int64_t columns, int64_t steps, double teleport, crd_error *error)
{
    const int64_t padded = (columns + CRD_PAD - 1) / CRD_PAD * CRD_PAD;
    *s = (crd_strips){.columns = columns, .steps = teleport < 1.0 ? steps : 0, .teleport = (float)teleport};
    s->width = padded < CRD_DIFFUSED_COLUMNS ? CRD_PAD : CRD_DIFFUSED_COLUMNS;
    s->strips = (padded + s->width - 1) / s->width;
    crd_status status = CRD_NEW_ZERO(&s->row, s->strips * (s->steps + 1), error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&s->origin, s->strips, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&s->room, s->strips * (s->steps + 2), error);
    return status;
}

void crd_strips_close(crd_strips *s)
{
    for (int64_t i = 0; s->row != NULL && i < s->strips * (s->steps + 1); i++) crd_free(s->row[i]);
    for (int64_t i = 0; s->origin != NULL && i < s->strips; i++) crd_free(s->origin[i]);
    crd_free(s->row);
    crd_free(s->origin);
    crd_free(s->room);
    crd_free(s->s);
    *s = (crd_strips){0};
}

crd_status crd_strips_reserve(crd_strips *s, int64_t nodes, crd_error *error)
{
    const int64_t rows = s->strips * (s->steps + 1);
    int64_t cells;
    if (!crd_multiply(nodes, s->width, &cells)) return crd_fail_memory(error, SIZE_MAX);
    crd_status status = CRD_GROW(&s->s, &s->s_room, nodes, error);
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
    s->nodes++;
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
    float *to = crd_strips_row(j->strips, j->strip, 0, 0);
    for (int64_t i = begin; i < end; i++)
        for (int64_t c = 0; c < width; c++) to[i * width + c] = j->strips->s[i] * from[i * width + c];
}

static void step_rows(int64_t begin, int64_t end, void *context)
{
    const run_job *j = context;
    j->kernels->diffuse(begin, end, &j->each, crd_strips_row(j->strips, j->strip, j->step, 0), false,
                        crd_strips_row(j->strips, j->strip, j->step + 1, 0), j->strips->width);
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
}
