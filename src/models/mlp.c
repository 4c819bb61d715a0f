#include "models/mlp.h"

#include <math.h>
#include <stdlib.h>

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

void crd_mlp_close(crd_mlp *m)
{
    crd_feature_product_close(&m->first);
    free(m->before);
    free(m->hidden);
    free(m->d_hidden);
    free(m->w2_transposed);
    *m = (crd_mlp){0};
}

crd_status crd_mlp_open(crd_mlp *m, const crd_model *model, const crd_inputs *inputs, int64_t width,
                        const crd_kernels *kernels, crd_error *error)
{
    const int64_t nodes = inputs->graph->nodes, hidden = model->config.hidden;
    const bool training = inputs->nodes != NULL;
    *m = (crd_mlp){.model = model, .kernels = kernels, .team = inputs->team, .nodes = nodes, .width = width};
    crd_status status = crd_feature_product_open(&m->first, inputs->features, hidden, training, error);
    if (status == CRD_OK) status = CRD_NEW(&m->before, nodes * hidden, error);
    if (status == CRD_OK) status = CRD_NEW(&m->hidden, nodes * hidden, error);
    if (status == CRD_OK && training) status = CRD_NEW(&m->d_hidden, nodes * hidden, error);
    if (status == CRD_OK && training) status = CRD_NEW(&m->w2_transposed, width * hidden, error);
    if (status != CRD_OK) crd_mlp_close(m);
    return status;
}

static crd_hidden_layer layer_of(const crd_mlp *m, crd_dropout dropout)
{
    const crd_config *c = &m->model->config;
    return (crd_hidden_layer){m->nodes, c->hidden, c->activation, dropout, m->before};
}

void crd_mlp_forward(crd_mlp *m, crd_dropout dropout, float *out)
{
    const crd_parameter *p = m->model->parameter;
    const int64_t width = m->model->config.hidden;
    const crd_hidden_layer layer = layer_of(m, dropout);
    if (!m->fresh)
        crd_feature_product_forward(&m->first, m->kernels, m->team, p[CRD_MLP_W1].value, p[CRD_MLP_B1].value,
                                    m->before);
    m->fresh = true;
    crd_activation_forward(m->kernels, m->team, &layer, m->hidden);
    const crd_rows hidden = {.rows = m->nodes, .columns = width, .dense = m->hidden};
    crd_linear_forward(m->kernels, m->team, &hidden, p[CRD_MLP_W2].value, m->width, p[CRD_MLP_B2].value, out);
}

void crd_mlp_backward(crd_mlp *m, crd_dropout dropout, const float *d_out, float *const *gradient)
{
    const crd_parameter *p = m->model->parameter;
    const int64_t width = m->model->config.hidden;
    const crd_hidden_layer layer = layer_of(m, dropout);
    const crd_rows hidden = {.rows = m->nodes, .columns = width, .dense = m->hidden};
    const crd_rows d_rows = {.rows = m->nodes, .columns = m->width, .dense = d_out};
    crd_linear_backward_weight(m->kernels, m->team, &hidden, NULL, d_out, m->width, gradient[CRD_MLP_W2]);
    crd_linear_backward_bias(m->team, d_out, m->nodes, m->width, gradient[CRD_MLP_B2]);
    crd_transpose(p[CRD_MLP_W2].value, width, m->width, m->w2_transposed);
    crd_linear_forward(m->kernels, m->team, &d_rows, m->w2_transposed, width, NULL, m->d_hidden);
    crd_activation_backward(m->kernels, m->team, &layer, m->d_hidden);
    crd_feature_product_backward(&m->first, m->kernels, m->team, m->d_hidden, gradient[CRD_MLP_W1]);
    crd_linear_backward_bias(m->team, m->d_hidden, m->nodes, width, gradient[CRD_MLP_B1]);
    m->fresh = false;
}
