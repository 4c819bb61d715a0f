#include "models/mlp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/activation.h"

crd_status crd_mlp_declare(crd_model *model, int64_t width, crd_error *error)
{
    const int64_t hidden = model->config.hidden;
    crd_status status = crd_model_declare(model, "encoder.0.weight", 2, (int64_t[]){hidden, model->features},
                                          true, true, false, error);
    if (status == CRD_OK)
        status =
            crd_model_declare(model, "encoder.0.bias", 1, (int64_t[]){hidden}, false, true, false, error);
    if (status == CRD_OK)
        status = crd_model_declare(model, "encoder.1.weight", 2, (int64_t[]){width, hidden}, true, true,
                                   false, error);
    if (status == CRD_OK)
        status =
            crd_model_declare(model, "encoder.1.bias", 1, (int64_t[]){width}, false, true, false, error);
    return status;
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
    for (int p = 0; p < CRD_MLP_PARAMETERS; p++)
        crd_parameter_uniform(&model->parameter[p], bound[p], seed, p);
}

enum { MOST_BLOCKS = 64, BLOCK_ROWS = 256, PANEL_FLOATS = 8192, MOST_SUMS = 1 << 22 };

void crd_mlp_close(crd_mlp *m)
{
    crd_feature_product_close(&m->first);
    free(m->before);
    free(m->w2_transposed);
    free(m->scratch);
    free(m->product);
    free(m->sum);
    *m = (crd_mlp){0};
}

/* How the rows are cut depends on sizes alone, never on threads. Every block has sums of its own. */
static void cut(crd_mlp *m, int64_t hidden)
{
    const int64_t sums = MOST_SUMS / (hidden * m->width), wanted = (m->nodes - 1) / BLOCK_ROWS + 1;
    m->blocks = wanted < MOST_BLOCKS ? wanted : MOST_BLOCKS;
    if (m->blocks > sums) m->blocks = sums;
    if (m->blocks < 1) m->blocks = 1;
    m->panel = PANEL_FLOATS / hidden;
    if (m->panel < 4) m->panel = 4;
}

crd_status crd_mlp_open(crd_mlp *m, const crd_model *model, const crd_inputs *inputs, int64_t width,
                        const crd_kernels *kernels, crd_error *error)
{
    const int64_t nodes = inputs->graph->nodes, hidden = model->config.hidden;
    const bool training = inputs->nodes != NULL;
    *m = (crd_mlp){.model = model, .kernels = kernels, .team = inputs->team, .nodes = nodes, .width = width};
    cut(m, hidden);
    crd_status status = crd_feature_product_open(&m->first, inputs->features, hidden, training, error);
    if (status == CRD_OK) status = CRD_NEW(&m->before, nodes * hidden, error);
    if (status == CRD_OK) status = CRD_NEW(&m->scratch, m->blocks * m->panel * hidden, error);
    if (status == CRD_OK && training) status = CRD_NEW(&m->w2_transposed, width * hidden, error);
    if (status == CRD_OK && training) status = CRD_NEW(&m->product, m->blocks * hidden * width, error);
    if (status == CRD_OK && training) status = CRD_NEW(&m->sum, m->blocks * hidden * width, error);
    if (status != CRD_OK) crd_mlp_close(m);
    return status;
}

typedef struct {
    crd_mlp *m;
    crd_dropout dropout;
    int64_t rows;       /* that are wanted; they come first */
    float *out;         /* forward: [N][width] */
    const float *d_out; /* backward: [N][width] */
} job;

/* Calls work for every panel of some blocks. */
static void for_panels(const crd_mlp *m, int64_t first, int64_t last, const job *j,
                       void (*work)(const job *, int64_t block, int64_t begin, int64_t end))
{
    for (int64_t block = first; block < last; block++) {
        const int64_t whole = (block + 1) * m->nodes / m->blocks, end = whole < j->rows ? whole : j->rows;
        for (int64_t i = block * m->nodes / m->blocks; i < end; i += m->panel)
            work(j, block, i, i + m->panel < end ? i + m->panel : end);
    }
}

/* The rows' hidden layer after activation and dropout, in the block's scratch. */
static float *hidden_panel(const job *j, int64_t block, int64_t begin, int64_t end)
{
    const crd_mlp *m = j->m;
    const crd_config *c = &m->model->config;
    float *hidden = m->scratch + block * m->panel * c->hidden;
    m->kernels->activate(begin, end, c->activation, j->dropout, m->before, c->hidden, hidden);
    return hidden;
}

static void forward_panel(const job *j, int64_t block, int64_t begin, int64_t end)
{
    const crd_mlp *m = j->m;
    const crd_parameter *p = m->model->parameter;
    m->kernels->dense_rows(0, end - begin, hidden_panel(j, block, begin, end), m->model->config.hidden,
                           p[CRD_MLP_W2].value, m->width, p[CRD_MLP_B2].value, j->out + begin * m->width);
}

static void forward_blocks(int64_t first, int64_t last, void *context)
{
    const job *j = context;
    for_panels(j->m, first, last, j, forward_panel);
}

void crd_mlp_forward(crd_mlp *m, crd_dropout dropout, int64_t rows, float *out)
{
    const crd_parameter *p = m->model->parameter;
    if (!m->fresh)
        crd_feature_product_forward(&m->first, m->kernels, m->team, p[CRD_MLP_W1].value, p[CRD_MLP_B1].value,
                                    m->before);
    m->fresh = true;
    job j = {.m = m, .dropout = dropout, .rows = rows, .out = out};
    crd_parallel_rows(m->team, m->blocks, 1, forward_blocks, &j);
}

void crd_mlp_hidden(const crd_mlp *m, float *hidden)
{
    const crd_config *c = &m->model->config;
    const crd_hidden_layer layer = {m->nodes, c->hidden, c->activation, {0.0, 0}, m->before};
    crd_activation_forward(m->kernels, m->team, &layer, hidden);
}

/* Adds the rows' part to the block's gradient of W2; their gradient of the first layer takes the place of what
 * that layer gave. */
static void backward_panel(const job *j, int64_t block, int64_t begin, int64_t end)
{
    const crd_mlp *m = j->m;
    const crd_config *c = &m->model->config;
    const int64_t rows = end - begin, cells = c->hidden * m->width;
    const float *d_out = j->d_out + begin * m->width;
    float *hidden = hidden_panel(j, block, begin, end), *product = m->product + block * cells;
    double *sum = m->sum + block * cells;
    m->kernels->dense_transposed(0, c->hidden, hidden, rows, c->hidden, d_out, m->width, product);
    for (int64_t i = 0; i < cells; i++) sum[i] += (double)product[i];
    m->kernels->dense_rows(0, rows, d_out, m->width, m->w2_transposed, c->hidden, NULL, hidden);
    m->kernels->activate_backward(begin, end, c->activation, j->dropout, m->before, c->hidden, hidden);
    memcpy(m->before + begin * c->hidden, hidden, (size_t)(rows * c->hidden) * sizeof *hidden);
}

static void backward_blocks(int64_t first, int64_t last, void *context)
{
    const job *j = context;
    const int64_t cells = j->m->model->config.hidden * j->m->width;
    memset(j->m->sum + first * cells, 0, (size_t)((last - first) * cells) * sizeof *j->m->sum);
    for_panels(j->m, first, last, j, backward_panel);
}

void crd_mlp_backward(crd_mlp *m, crd_dropout dropout, const float *d_out, float *const *gradient)
{
    const crd_parameter *p = m->model->parameter;
    const int64_t hidden = m->model->config.hidden, cells = hidden * m->width;
    crd_transpose(p[CRD_MLP_W2].value, hidden, m->width, m->w2_transposed);
    job j = {.m = m, .dropout = dropout, .rows = m->nodes, .d_out = d_out};
    crd_parallel_rows(m->team, m->blocks, 1, backward_blocks, &j);
    for (int64_t i = 0; i < cells; i++) {
        double sum = 0.0;
        for (int64_t block = 0; block < m->blocks; block++) sum += m->sum[block * cells + i];
        gradient[CRD_MLP_W2][i] = (float)sum;
    }
    crd_linear_backward_bias(m->team, d_out, m->nodes, m->width, gradient[CRD_MLP_B2]);
    crd_linear_backward_bias(m->team, m->before, m->nodes, hidden, gradient[CRD_MLP_B1]);
    crd_feature_product_backward(&m->first, m->kernels, m->team, m->before, gradient[CRD_MLP_W1]);
    m->fresh = false;
}
