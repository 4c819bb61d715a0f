#include "models/mlp.h"

#include <math.h>
#include <string.h>

#include "base/tree.h"
#include "kernels/linear.h"

crd_status crd_mlp_declare(crd_model *model, int64_t width, crd_error *error)
{
    const int64_t hidden = model->config.hidden;
    const crd_parameter listed[] = {
        {.name = "encoder.0.weight", .dims = 2, .shape = {hidden, model->features}, .transposed = true, .decays = true},
        {.name = "encoder.0.bias", .dims = 1, .shape = {hidden}, .decays = true},
        {.name = "encoder.1.weight", .dims = 2, .shape = {width, hidden}, .transposed = true, .decays = true},
        {.name = "encoder.1.bias", .dims = 1, .shape = {width}, .decays = true},
    };
    return crd_model_declare(model, listed, 4, error);
}

crd_status crd_mlp_recognise(crd_model *model, const crd_tensors *tensors, crd_error *error)
{
    int64_t first[CRD_TENSOR_MAX_DIMS];
    crd_status status = crd_model_sizes(tensors, "encoder.0.weight", 2, first, error);
    if (status != CRD_OK) return status;
    model->config.hidden = first[0];
    model->features = first[1];
    return CRD_OK;
}

void crd_mlp_initialise(crd_model *model, uint64_t seed)
{
    const double first = 1.0 / sqrt(model->features > 0 ? (double)model->features : 1.0);
    const double second = 1.0 / sqrt((double)model->config.hidden);
    const double bound[CRD_MLP_PARAMETERS] = {first, first, second, second};
    for (int p = 0; p < CRD_MLP_PARAMETERS; p++) crd_parameter_uniform(&model->parameter[p], bound[p], seed, p);
}

enum { BLOCK_ROWS = 256, PANEL_FLOATS = 8192 };

/* Sums of the backward pass: W2, B2, B1. */
static int64_t sums_of(const crd_mlp *m)
{
    const int64_t hidden = m->model->config.hidden;
    return hidden * m->width + m->width + hidden;
}

void crd_mlp_plan(crd_mlp *m, crd_run *run, int64_t width)
{
    const crd_inputs *inputs = &run->inputs;
    const int64_t nodes = inputs->graph->nodes, hidden = run->model->config.hidden;
    const int threads = crd_team_size(inputs->team);
    *m = (crd_mlp){.model = run->model, .kernels = run->kernels, .team = inputs->team, .nodes = nodes, .width = width};
    m->panel = PANEL_FLOATS / hidden < 4 ? 4 : PANEL_FLOATS / hidden;
    CRD_PLAN(&run->plan, &m->before, nodes * hidden);
    CRD_PLAN(&run->plan, &m->scratch, threads * m->panel * hidden);
    if (inputs->nodes == NULL) return;
    CRD_PLAN(&run->plan, &m->w2_transposed, width * hidden);
    CRD_PLAN(&run->plan, &m->product, threads * hidden * width);
    CRD_PLAN(&run->plan, &m->sums, crd_shard_sums_room(nodes, sums_of(m)));
}

crd_status crd_mlp_start(crd_mlp *m, const crd_inputs *inputs, crd_error *error)
{
    return crd_feature_product_open(&m->first, inputs->features, m->model->config.hidden, inputs->nodes != NULL,
                                    crd_team_size(inputs->team), error);
}

void crd_mlp_stop(crd_mlp *m)
{
    crd_feature_product_close(&m->first);
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
    const crd_config *c = &m->model->config;
    float *hidden = m->scratch + worker * m->panel * c->hidden;
    m->kernels->activate(begin, end, c->activation, j->dropout, m->before, c->hidden, hidden);
    return hidden;
}

static void forward_rows(int64_t task, int worker, void *context)
{
    const job *j = context;
    const crd_mlp *m = j->m;
    const crd_parameter *p = m->model->parameter;
    const int64_t first = task * BLOCK_ROWS, last = at_most(first + BLOCK_ROWS, j->rows);
    for (int64_t begin = first; begin < last; begin += m->panel) {
        const int64_t end = at_most(begin + m->panel, last);
        m->kernels->dense_rows(0, end - begin, hidden_panel(j, worker, begin, end), m->model->config.hidden,
                               p[CRD_MLP_W2].value, m->width, p[CRD_MLP_B2].value, j->out + begin * m->width);
    }
}

void crd_mlp_forward(crd_mlp *m, crd_dropout dropout, int64_t rows, float *out)
{
    const crd_parameter *p = m->model->parameter;
    if (!m->fresh)
        crd_feature_product_forward(&m->first, m->kernels, m->team, p[CRD_MLP_W1].value, p[CRD_MLP_B1].value,
                                    m->before);
    m->fresh = true;
    job j = {.m = m, .dropout = dropout, .rows = rows, .out = out};
    crd_parallel_tasks(m->team, (rows + BLOCK_ROWS - 1) / BLOCK_ROWS, forward_rows, &j);
}

void crd_mlp_hidden(const crd_mlp *m, float *hidden)
{
    const crd_config *c = &m->model->config;
    const crd_hidden_layer layer = {m->nodes, c->hidden, c->activation, {0.0, 0}, m->before};
    crd_activation_forward(m->kernels, m->team, &layer, hidden);
}

/* Adds the rows' part to the gradients of W2 and both biases; their gradient of the first layer overwrites that
 * layer's output. */
static void backward_panel(const job *j, int64_t begin, int64_t end, int worker, double *sums)
{
    const crd_mlp *m = j->m;
    const crd_config *c = &m->model->config;
    const int64_t rows = end - begin, cells = c->hidden * m->width;
    const float *d_out = j->d_out + begin * m->width;
    float *hidden = hidden_panel(j, worker, begin, end), *product = m->product + worker * cells;
    m->kernels->dense_transposed(0, c->hidden, hidden, rows, c->hidden, d_out, m->width, product);
    m->kernels->add_to_doubles(cells, product, sums);
    m->kernels->sum_rows(rows, d_out, m->width, sums + cells);
    m->kernels->dense_rows(0, rows, d_out, m->width, m->w2_transposed, c->hidden, NULL, hidden);
    m->kernels->activate_backward(begin, end, c->activation, j->dropout, m->before, c->hidden, hidden);
    m->kernels->sum_rows(rows, hidden, c->hidden, sums + cells + m->width);
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
    const crd_parameter *p = m->model->parameter;
    const int64_t hidden = m->model->config.hidden;
    crd_transpose(p[CRD_MLP_W2].value, hidden, m->width, m->w2_transposed);
    job j = {.m = m, .dropout = dropout, .rows = m->nodes, .d_out = d_out};
    crd_parallel_shard_sums(m->team, m->nodes, sums_of(m), backward_shard, &j, m->sums);
    const double *sums = round_to(gradient[CRD_MLP_W2], hidden * m->width, m->sums);
    sums = round_to(gradient[CRD_MLP_B2], m->width, sums);
    round_to(gradient[CRD_MLP_B1], hidden, sums);
    crd_feature_product_backward(&m->first, m->kernels, m->team, m->before, gradient[CRD_MLP_W1]);
    m->fresh = false;
}
