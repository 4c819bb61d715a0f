#include "kernels/diffusion.h"

#include <math.h>
#include <stdlib.h>


enum { BLOCK = 256 };

crd_status crd_diffusion_open(crd_diffusion *d, int64_t nodes, const int64_t *start, const int32_t *neighbour,
                              int64_t stride, double teleport, int64_t steps, crd_error *error)
{
    *d = (crd_diffusion){.nodes = nodes, .steps = steps};
    crd_status status = CRD_NEW(&d->s, nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&d->now, nodes * stride, error);
    if (status == CRD_OK) status = CRD_NEW(&d->next, nodes * stride, error);
    if (status != CRD_OK) {
        crd_diffusion_close(d);
        return status;
    }
    for (int64_t i = 0; i < nodes; i++)
        d->s[i] = (float)(1.0 / sqrt((double)(start[i + 1] - start[i]) + 1.0));
    d->each = (crd_steps){start, neighbour, d->s, (float)teleport, stride, NULL};
    return CRD_OK;
}

void crd_diffusion_close(crd_diffusion *d)
{
    free(d->s);
    free(d->now);
    free(d->next);
    *d = (crd_diffusion){0};
}

typedef struct {
    crd_diffusion *d;
    const crd_kernels *kernels;
    bool last;
} job;

/* The steps work on rows scaled by s, where the adjacency needs no values: only sums of neighbours. Without
 * steps the rows stay as they are. */
static void scale_rows(int64_t begin, int64_t end, void *context)
{
    job *j = context;
    crd_diffusion *d = j->d;
    const int64_t stride = d->each.stride;
    for (int64_t i = begin; i < end; i++) {
        const float scale = d->steps > 0 ? d->s[i] : 1.0f;
        for (int64_t c = i * stride; c < (i + 1) * stride; c++) d->now[c] = scale * d->each.origin[c];
    }
}

static void step_rows(int64_t begin, int64_t end, void *context)
{
    job *j = context;
    j->kernels->diffuse(begin, end, &j->d->each, j->d->now, j->last, j->d->next);
}

float *crd_diffusion_run(crd_diffusion *d, const crd_kernels *kernels, crd_team *team, const float *x)
{
    job j = {d, kernels, false};
    d->each.origin = x;
    crd_parallel_rows(team, d->nodes, BLOCK, scale_rows, &j);
    for (int64_t step = 1; step <= d->steps; step++) {
        j.last = step == d->steps;
        crd_parallel_rows(team, d->nodes, BLOCK, step_rows, &j);
        float *done = d->now;
        d->now = d->next;
        d->next = done;
    }
    return d->now;
}

void crd_diffusion_row(int64_t nodes, const int64_t *start, const int32_t *neighbour, double teleport,
                       int64_t steps, int64_t node, double *spare, double *weight)
{
    /* The matrix is symmetric: its row is what diffusion makes of the node's indicator. */
    for (int64_t i = 0; i < nodes; i++) weight[i] = 0.0;
    weight[node] = 1.0;
    for (int64_t step = 0; step < steps; step++) {
        for (int64_t i = 0; i < nodes; i++) {
            double own = 1.0 / sqrt((double)(start[i + 1] - start[i]) + 1.0);
            double sum = own * weight[i];
            for (int64_t e = start[i]; e < start[i + 1]; e++) {
                int64_t other = neighbour[e];
                sum += weight[other] / sqrt((double)(start[other + 1] - start[other]) + 1.0);
            }
            spare[i] = (1.0 - teleport) * own * sum + (i == node ? teleport : 0.0);
        }
        for (int64_t i = 0; i < nodes; i++) weight[i] = spare[i];
    }
}
