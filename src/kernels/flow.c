/* SPDX-License-Identifier: MIT */
#include "kernels/flow.h"

#include <math.h>

#include "base/tree.h"

enum { ROWS_FORWARD = 256, ROWS_BACKWARD = 1024, MAX_LANES = 16, MAX_GROUP = 4 };

static int64_t scratch_floats(const crd_flow *flow)
{
    const int64_t of_group = flow->dims * (flow->layers + 4) + 4 * flow->layers;
    return (of_group * MAX_GROUP + flow->layers * flow->classes * (flow->dims + 2)) * MAX_LANES;
}

void crd_flow_plan(crd_flow_workspace *w, crd_plan *plan, int64_t layers, int64_t classes, int64_t dims, int64_t nodes,
                   int threads)
{
    *w = (crd_flow_workspace){.nodes = nodes, .flow = {.layers = layers, .classes = classes, .dims = dims}};
    const int64_t pairs = layers * classes;
    CRD_PLAN(plan, &w->a, pairs);
    CRD_PLAN(plan, &w->b, pairs);
    CRD_PLAN(plan, &w->s, pairs);
    if (nodes == 0) return;
    CRD_PLAN(plan, &w->sums, crd_shard_sums_room(nodes, pairs * (dims + 2)));
    CRD_PLAN(plan, &w->scratch, threads * scratch_floats(&w->flow));
}

static double softplus(double x)
{
    return x > 0.0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

static double sigmoid(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

typedef struct {
    crd_flow_workspace *w;
    const crd_kernels *kernels;
    int64_t rows, stride;
    const float *z, *d_log_density;
    float *out;
} job;

static void forward_rows(int64_t begin, int64_t end, void *context)
{
    job *j = context;
    j->kernels->flow_forward(begin, end, &j->w->flow, j->z, j->out, j->stride);
}

void crd_flow_forward(crd_flow_workspace *w, const crd_kernels *kernels, crd_team *team, const float *center,
                      const float *alpha, const float *beta, int64_t rows, const float *z, float *log_density,
                      int64_t stride)
{
    int64_t pairs = w->flow.layers * w->flow.classes;
    for (int64_t p = 0; p < pairs; p++) {
        /* A floor, so that 1/(a + r) stays finite for a node exactly at the centre. */
        double a = fmax(softplus(alpha[p]), 1e-12), s = softplus(beta[p]);
        w->a[p] = (float)a;
        w->b[p] = (float)(s - a);
        w->s[p] = (float)s;
    }
    w->flow.center = center;
    w->flow.a = w->a;
    w->flow.b = w->b;
    w->flow.s = w->s;
    job j = {.w = w, .kernels = kernels, .stride = stride, .z = z, .out = log_density};
    crd_parallel_rows(team, rows, ROWS_FORWARD, forward_rows, &j);
}

static void backward_shard(int64_t begin, int64_t end, int worker, double *sums, void *context)
{
    job *j = context;
    const crd_flow *flow = &j->w->flow;
    const int64_t pairs = flow->layers * flow->classes;
    double *center = sums, *a = center + pairs * flow->dims, *b = a + pairs;
    if (end > j->rows) end = j->rows;
    for (int64_t i = begin; i < end; i += ROWS_BACKWARD)
        j->kernels->flow_backward(i, i + ROWS_BACKWARD < end ? i + ROWS_BACKWARD : end, flow, j->z, j->d_log_density,
                                  j->stride, j->out, center, a, b, j->w->scratch + worker * scratch_floats(flow));
}

void crd_flow_backward(crd_flow_workspace *w, const crd_kernels *kernels, crd_team *team, const float *alpha,
                       const float *beta, int64_t rows, const float *z, const float *d_log_density, int64_t stride,
                       float *dz, float *d_center, float *d_alpha, float *d_beta)
{
    const int64_t pairs = w->flow.layers * w->flow.classes, centers = pairs * w->flow.dims;
    job j = {w, kernels, rows, stride, z, d_log_density, dz};
    crd_parallel_shard_sums(team, w->nodes, pairs * (w->flow.dims + 2), backward_shard, &j, w->sums);
    const double *sum = w->sums;
    for (int64_t p = 0; p < centers; p++) d_center[p] = (float)sum[p];
    for (int64_t p = 0; p < pairs; p++) {
        double d_a = sum[centers + p], d_b = sum[centers + pairs + p];
        d_alpha[p] = (float)((d_a - d_b) * sigmoid(alpha[p]));
        d_beta[p] = (float)(d_b * sigmoid(beta[p]));
    }
}
