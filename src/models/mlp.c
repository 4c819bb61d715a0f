/* SPDX-License-Identifier: MIT */
#include "models/mlp.h"

#include <string.h>

#include "base/tree.h"
#include "kernels/linear.h"

enum { BLOCK_ROWS = 256, PANEL_FLOATS = 8192 };

/* Sums of the backward pass: W2, B2, B1. */
static int64_t sums_of(const crd_mlp *m)
{
    const int64_t hidden = m->run->model->config.hidden;
    return hidden * m->width + m->width + hidden;
}

void crd_mlp_plan(crd_mlp *m, crd_run *run, int64_t width)
{
    const crd_inputs *inputs = &run->inputs;
    const int64_t nodes = inputs->graph->nodes, hidden = run->model->config.hidden;
    const int threads = crd_team_size(inputs->team);
    *m = (crd_mlp){.run = run, .nodes = nodes, .width = width};
    m->panel = PANEL_FLOATS / hidden < 4 ? 4 : PANEL_FLOATS / hidden;
    CRD_PLAN(&run->plan, &m->before, nodes * hidden);
    CRD_PLAN(&run->plan, &m->scratch, threads * m->panel * hidden);
    if (inputs->nodes == NULL) return;
    CRD_PLAN(&run->plan, &m->w2_transposed, width * hidden);
    CRD_PLAN(&run->plan, &m->product, threads * hidden * width);
    CRD_PLAN(&run->plan, &m->sums, crd_shard_sums_room(nodes, sums_of(m)));
}

static int64_t at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

typedef struct {
    crd_mlp *m;
    crd_dropout dropout;
    int64_t rows;       /* the rows that are wanted; they come first */
    float *out;         /* forward: [N][width] */
    const float *d_out; /* backward: [N][width] */
} job;

/* The rows' hidden layer after activation and dropout, in the worker's scratch. */
static float *hidden_panel(const job *j, int worker, int64_t begin, int64_t end)
{
    const crd_mlp *m = j->m;
    const crd_config *c = &m->run->model->config;
    float *hidden = m->scratch + worker * m->panel * c->hidden;
    m->run->kernels->activate(begin, end, c->activation, j->dropout, m->before, c->hidden, hidden);
    return hidden;
}

static void forward_rows(int64_t task, int worker, void *context)
{
    const job *j = context;
    const crd_mlp *m = j->m;
    const crd_parameter *p = m->run->model->parameter;
    const int64_t first = task * BLOCK_ROWS, last = at_most(first + BLOCK_ROWS, j->rows);
    for (int64_t begin = first; begin < last; begin += m->panel) {
        const int64_t end = at_most(begin + m->panel, last);
        const crd_dense hidden = {
            .rows = end - begin, .columns = m->run->model->config.hidden, .value = hidden_panel(j, worker, begin, end)};
        m->run->kernels->dense_rows(0, end - begin, &hidden, p[CRD_MLP_W2].value, m->width, p[CRD_MLP_B2].value,
                                    j->out + begin * m->width);
    }
}

void crd_mlp_forward(crd_mlp *m, crd_dropout dropout, int64_t rows, float *out)
{
    const crd_parameter *p = m->run->model->parameter;
    if (!m->fresh || m->restored != m->run->restored)
        crd_feature_product_forward(&m->run->first, m->run->kernels, m->run->inputs.team, p[CRD_MLP_W1].value,
                                    p[CRD_MLP_B1].value, m->before);
    m->fresh = true;
    m->restored = m->run->restored;
    job j = {.m = m, .dropout = dropout, .rows = rows, .out = out};
    crd_parallel_tasks(m->run->inputs.team, (rows + BLOCK_ROWS - 1) / BLOCK_ROWS, forward_rows, &j);
}

void crd_mlp_hidden(const crd_mlp *m, float *hidden)
{
    const crd_config *c = &m->run->model->config;
    const crd_hidden_layer layer = {m->nodes, c->hidden, c->activation, {0.0, 0}, m->before};
    crd_activation_forward(m->run->kernels, m->run->inputs.team, &layer, hidden);
}

/* Adds the rows' part to the gradients of W2 and both biases; their gradient of the first layer overwrites that
 * layer's output. */
static void backward_panel(const job *j, int64_t begin, int64_t end, int worker, double *sums)
{
    const crd_mlp *m = j->m;
    const crd_config *c = &m->run->model->config;
    const int64_t rows = end - begin, cells = c->hidden * m->width;
    const float *d_out = j->d_out + begin * m->width;
    float *hidden = hidden_panel(j, worker, begin, end), *product = m->product + worker * cells;
    const crd_dense of_hidden = {.rows = rows, .columns = c->hidden, .value = hidden};
    const crd_dense of_out = {.rows = rows, .columns = m->width, .value = d_out};
    m->run->kernels->dense_transposed(0, rows, 0, c->hidden, &of_hidden, d_out, m->width, product);
    m->run->kernels->add_to_doubles(cells, product, sums);
    m->run->kernels->sum_rows(rows, d_out, m->width, sums + cells);
    m->run->kernels->dense_rows(0, rows, &of_out, m->w2_transposed, c->hidden, NULL, hidden);
    m->run->kernels->activate_backward(begin, end, c->activation, j->dropout, m->before, c->hidden, hidden);
    m->run->kernels->sum_rows(rows, hidden, c->hidden, sums + cells + m->width);
    memcpy(m->before + begin * c->hidden, hidden, (size_t)(rows * c->hidden) * sizeof *hidden);
}

static void backward_shard(int64_t first, int64_t last, int worker, double *sums, void *context)
{
    const job *j = context;
    for (int64_t begin = first; begin < last; begin += j->m->panel)
        backward_panel(j, begin, at_most(begin + j->m->panel, last), worker, sums);
}

static const double *round_to(float *gradient, int64_t count, const double *sums)
{
    for (int64_t i = 0; i < count; i++) gradient[i] = (float)sums[i];
    return sums + count;
}

void crd_mlp_backward(crd_mlp *m, crd_dropout dropout, const float *d_out, float *const *gradient)
{
    const crd_parameter *p = m->run->model->parameter;
    const int64_t hidden = m->run->model->config.hidden;
    crd_transpose(p[CRD_MLP_W2].value, hidden, m->width, m->w2_transposed);
    job j = {.m = m, .dropout = dropout, .rows = m->nodes, .d_out = d_out};
    crd_parallel_shard_sums(m->run->inputs.team, m->nodes, sums_of(m), backward_shard, &j, m->sums);
    const double *sums = round_to(gradient[CRD_MLP_W2], hidden * m->width, m->sums);
    sums = round_to(gradient[CRD_MLP_B2], m->width, sums);
    round_to(gradient[CRD_MLP_B1], hidden, sums);
    crd_feature_product_backward(&m->run->first, m->run->kernels, m->run->inputs.team, m->before, gradient[CRD_MLP_W1]);
    m->fresh = false;
}
