#include "kernels/flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>


enum { ROWS_FORWARD = 256, MAX_BLOCKS = 64, ROWS_BACKWARD = 1024, MAX_LANES = 16, MAX_GROUP = 4 };

int64_t crd_flow_scratch(const crd_flow *flow)
{
    const int64_t of_group = flow->dims * (flow->layers + 4) + 4 * flow->layers;
    return (of_group * MAX_GROUP + flow->layers * flow->classes * (flow->dims + 2)) * MAX_LANES;
}

crd_status crd_flow_open(crd_flow_workspace *w, int64_t layers, int64_t classes, int64_t dims, int64_t rows,
                         crd_error *error)
{
    *w = (crd_flow_workspace){.flow = {.layers = layers, .classes = classes, .dims = dims}};
    int64_t pairs = layers * classes;
    crd_status status = CRD_NEW(&w->a, pairs, error);
    if (status == CRD_OK) status = CRD_NEW(&w->b, pairs, error);
    if (status == CRD_OK) status = CRD_NEW(&w->s, pairs, error);
    if (status == CRD_OK && rows > 0) {
        w->blocks = (rows + ROWS_BACKWARD - 1) / ROWS_BACKWARD;
        if (w->blocks > MAX_BLOCKS) w->blocks = MAX_BLOCKS;
        status = CRD_NEW(&w->partial, w->blocks * pairs * (dims + 2), error);
        if (status == CRD_OK) status = CRD_NEW(&w->scratch, w->blocks * crd_flow_scratch(&w->flow), error);
    }
    if (status != CRD_OK) crd_flow_close(w);
    return status;
}

void crd_flow_close(crd_flow_workspace *w)
{
    free(w->a);
    free(w->b);
    free(w->s);
    free(w->partial);
    free(w->scratch);
    *w = (crd_flow_workspace){0};
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
                      const float *alpha, const float *beta, int64_t rows, const float *z,
                      float *log_density, int64_t stride)
{
    int64_t pairs = w->flow.layers * w->flow.classes;
    for (int64_t p = 0; p < pairs; p++) {
        /* A floor, so that 1/(a + r) stays finite for a node on the very centre. */
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

/* The rows are cut into w->blocks parts, whatever the threads; a part adds up its own sums. */
static void backward_blocks(int64_t begin, int64_t end, void *context)
{
    job *j = context;
    const crd_flow *flow = &j->w->flow;
    const int64_t pairs = flow->layers * flow->classes, width = pairs * (flow->dims + 2);
    for (int64_t block = begin; block < end; block++) {
        double *center = j->w->partial + block * width, *a = center + pairs * flow->dims, *b = a + pairs;
        memset(center, 0, (size_t)width * sizeof *center);
        int64_t first = block * j->rows / j->w->blocks, last = (block + 1) * j->rows / j->w->blocks;
        for (int64_t i = first; i < last; i += ROWS_BACKWARD)
            j->kernels->flow_backward(i, i + ROWS_BACKWARD < last ? i + ROWS_BACKWARD : last, flow, j->z,
                                      j->d_log_density, j->stride, j->out, center, a, b,
                                      j->w->scratch + block * crd_flow_scratch(flow));
    }
}

void crd_flow_backward(crd_flow_workspace *w, const crd_kernels *kernels, crd_team *team, const float *alpha,
                       const float *beta, int64_t rows, const float *z, const float *d_log_density,
                       int64_t stride, float *dz, float *d_center, float *d_alpha, float *d_beta)
{
    const int64_t pairs = w->flow.layers * w->flow.classes, centers = pairs * w->flow.dims;
    const int64_t width = pairs * (w->flow.dims + 2);
    job j = {w, kernels, rows, stride, z, d_log_density, dz};
    crd_parallel_rows(team, w->blocks, 1, backward_blocks, &j);
    double *sum = w->partial; /* the first block's, to which the others are added in order */
    for (int64_t block = 1; block < w->blocks; block++)
        for (int64_t p = 0; p < width; p++) sum[p] += w->partial[block * width + p];
    for (int64_t p = 0; p < centers; p++) d_center[p] = (float)sum[p];
    for (int64_t p = 0; p < pairs; p++) {
        double d_a = sum[centers + p], d_b = sum[centers + pairs + p];
        d_alpha[p] = (float)((d_a - d_b) * sigmoid(alpha[p]));
        d_beta[p] = (float)(d_b * sigmoid(beta[p]));
    }
}
