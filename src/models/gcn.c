#include "models/gcn.h"

#include <math.h>
#include <string.h>

#include "base/tree.h"
#include "kernels/linear.h"

enum { W1, B1, W2, B2 };

crd_status crd_gcn_declare(crd_model *model, crd_error *error)
{
    const int64_t hidden = model->config.hidden, classes = model->classes;
    const crd_parameter listed[] = {
        {.name = "conv.0.weight", .dims = 2, .shape = {hidden, model->features}, .transposed = true, .decays = true},
        {.name = "conv.0.bias", .dims = 1, .shape = {hidden}, .decays = true},
        {.name = "conv.1.weight", .dims = 2, .shape = {classes, hidden}, .transposed = true, .decays = true},
        {.name = "conv.1.bias", .dims = 1, .shape = {classes}, .decays = true},
    };
    return crd_model_declare(model, listed, 4, error);
}

crd_status crd_gcn_recognise(crd_model *model, const crd_tensors *tensors, crd_error *error)
{
    int64_t first[CRD_TENSOR_MAX_DIMS], second[CRD_TENSOR_MAX_DIMS];
    crd_status status = crd_model_sizes(tensors, "conv.0.weight", 2, first, error);
    if (status == CRD_OK) status = crd_model_sizes(tensors, "conv.1.weight", 2, second, error);
    if (status != CRD_OK) return status;
    model->config.hidden = first[0];
    model->features = first[1];
    return crd_model_set_classes(model, tensors, "conv.1.weight", second[0], error);
}

void crd_gcn_initialise(crd_model *model, uint64_t seed)
{
    for (int p = W1; p <= W2; p += W2 - W1) { /* biases stay zero */
        crd_parameter *weight = &model->parameter[p];
        crd_parameter_uniform(weight, sqrt(6.0 / (double)(weight->shape[0] + weight->shape[1])), seed, p);
    }
}

static double degree(const int64_t *start, int64_t node)
{
    return (double)(start[node + 1] - start[node]) + 1.0;
}

static void plan_adjacency(crd_adjacency *a, crd_plan *plan, int64_t nodes, int64_t edges)
{
    CRD_PLAN(plan, &a->start, nodes + 1);
    CRD_PLAN(plan, &a->column, edges + nodes);
    CRD_PLAN(plan, &a->value, edges + nodes);
}

static void fill_adjacency(crd_adjacency *a, int64_t nodes, const int64_t *start, const int32_t *neighbour)
{
    int64_t at = 0;
    for (int64_t i = 0; i < nodes; i++) {
        const double own = degree(start, i);
        a->start[i] = at;
        a->column[at] = (int32_t)i;
        a->value[at++] = (float)(1.0 / own);
        for (int64_t e = start[i]; e < start[i + 1]; e++) {
            a->column[at] = neighbour[e];
            a->value[at++] = (float)(1.0 / sqrt(own * degree(start, neighbour[e])));
        }
    }
    a->start[nodes] = at;
    a->rows = (crd_rows){nodes, nodes, a->start, a->column, a->value, NULL};
}

void crd_gcn_plan(crd_gcn *g, crd_run *run)
{
    const crd_inputs *inputs = &run->inputs;
    const int64_t nodes = inputs->graph->nodes, hidden = run->model->config.hidden;
    const int64_t stride = crd_padded(run->model->classes), wider = hidden > stride ? hidden : stride;
    const int threads = crd_team_size(inputs->team);
    const crd_dense layer = {.rows = nodes, .columns = hidden};
    *g =
        (crd_gcn){.model = run->model, .kernels = run->kernels, .team = inputs->team, .nodes = nodes, .stride = stride};
    plan_adjacency(&g->adjacency, &run->plan, nodes, inputs->graph->start[nodes]);
    CRD_PLAN(&run->plan, &g->product, nodes * wider);
    CRD_PLAN(&run->plan, &g->before, nodes * hidden);
    CRD_PLAN(&run->plan, &g->hidden, nodes * hidden);
    CRD_PLAN(&run->plan, &g->logits, nodes * stride);
    CRD_PLAN_ZERO(&run->plan, &g->second, (hidden + 1) * stride);
    if (inputs->nodes == NULL) return;
    CRD_PLAN_ZERO(&run->plan, &g->d_logits, nodes * stride);
    CRD_PLAN(&run->plan, &g->d_hidden, nodes * hidden);
    CRD_PLAN(&run->plan, &g->second_transposed, stride * hidden);
    CRD_PLAN(&run->plan, &g->d_second, hidden * stride);
    CRD_PLAN(&run->plan, &g->room, crd_dense_weight_room(&layer, stride, threads));
    CRD_PLAN(&run->plan, &g->sums, crd_shard_sums_room(nodes, wider, threads));
}

crd_status crd_gcn_start(crd_gcn *g, const crd_inputs *inputs, crd_error *error)
{
    fill_adjacency(&g->adjacency, g->nodes, inputs->graph->start, inputs->graph->neighbour);
    return crd_feature_product_open(&g->first, inputs->features, g->model->config.hidden, inputs->nodes != NULL,
                                    crd_team_size(inputs->team), error);
}

void crd_gcn_stop(crd_gcn *g)
{
    crd_feature_product_close(&g->first);
}

/* out = rows x + bias, over all threads */
static void multiply(crd_gcn *g, const crd_rows *rows, const float *x, int64_t width, const float *bias, float *out)
{
    crd_linear_forward(g->kernels, g->team, rows, x, width, bias, out);
}

static crd_hidden_layer layer_of(const crd_gcn *g, crd_dropout dropout)
{
    const crd_config *c = &g->model->config;
    return (crd_hidden_layer){g->nodes, c->hidden, c->activation, dropout, g->before};
}

/* The second layer with padded rows. */
static void pad_second(crd_gcn *g)
{
    const crd_parameter *p = g->model->parameter;
    const int64_t width = g->model->config.hidden, classes = g->model->classes;
    for (int64_t j = 0; j <= width; j++)
        memcpy(g->second + j * g->stride, j < width ? p[W2].value + j * classes : p[B2].value,
               (size_t)classes * sizeof *g->second);
}

void crd_gcn_forward(crd_gcn *g, crd_dropout dropout)
{
    const crd_parameter *p = g->model->parameter;
    const int64_t width = g->model->config.hidden;
    const crd_hidden_layer layer = layer_of(g, dropout);
    if (!g->fresh) { /* A^ (X W1) and not (A^ X) W1: the product is narrower than the features */
        crd_feature_product_forward(&g->first, g->kernels, g->team, p[W1].value, NULL, g->product);
        multiply(g, &g->adjacency.rows, g->product, width, p[B1].value, g->before);
    }
    g->fresh = true;
    crd_activation_forward(g->kernels, g->team, &layer, g->hidden);
    const crd_rows hidden = {.rows = g->nodes, .columns = width, .dense = g->hidden};
    pad_second(g);
    multiply(g, &hidden, g->second, g->stride, NULL, g->product);
    multiply(g, &g->adjacency.rows, g->product, g->stride, g->second + width * g->stride, g->logits);
}

void crd_gcn_hidden(const crd_gcn *g, float *hidden)
{
    memcpy(hidden, g->hidden, (size_t)(g->nodes * g->model->config.hidden) * sizeof *hidden);
}

void crd_gcn_backward(crd_gcn *g, crd_dropout dropout, float *const *gradient)
{
    const int64_t width = g->model->config.hidden, classes = g->model->classes, stride = g->stride;
    const crd_hidden_layer layer = layer_of(g, dropout);
    const crd_dense hidden = {.rows = g->nodes, .columns = width, .value = g->hidden};
    const crd_rows product = {.rows = g->nodes, .columns = stride, .dense = g->product};
    crd_linear_backward_bias(g->kernels, g->team, g->d_logits, g->nodes, stride, g->sums, g->d_second);
    memcpy(gradient[B2], g->d_second, (size_t)classes * sizeof *gradient[B2]);
    multiply(g, &g->adjacency.rows, g->d_logits, stride, NULL, g->product);
    crd_dense_backward_weight(g->kernels, g->team, &hidden, g->product, stride, g->room, g->d_second);
    crd_unpad(width, classes, stride, g->d_second, gradient[W2]);
    crd_transpose(g->second, width, stride, g->second_transposed);
    multiply(g, &product, g->second_transposed, width, NULL, g->d_hidden);
    crd_activation_backward(g->kernels, g->team, &layer, g->d_hidden);
    crd_linear_backward_bias(g->kernels, g->team, g->d_hidden, g->nodes, width, g->sums, gradient[B1]);
    multiply(g, &g->adjacency.rows, g->d_hidden, width, NULL, g->product);
    crd_feature_product_backward(&g->first, g->kernels, g->team, g->product, gradient[W1]);
    g->fresh = false;
}
