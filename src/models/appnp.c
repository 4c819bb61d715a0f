/* APPNP: a two-layer network on a node's own features, whose logits are spread over the graph by
 * personalised PageRank. It has no epistemic uncertainty. */
#include <stdlib.h>
#include <string.h>

#include "kernels/cross_entropy.h"
#include "kernels/diffusion.h"
#include "kernels/padding.h"
#include "models/mlp.h"

struct crd_run {
    const crd_model *model;
    crd_inputs inputs;
    const crd_kernels *kernels;
    crd_mlp mlp;
    crd_diffusion diffusion;
    int64_t stride;  /* of rows that are diffused: classes, padded */
    float *own;      /* [N][classes]: logits before the graph; in the backward pass their gradient */
    float *padded;   /* [N][stride]: the same, as rows to be diffused */
    float *gradient; /* [N][stride], of the logits */
};

static crd_status declare(crd_model *model, crd_error *error)
{
    return crd_mlp_declare(model, model->classes, error);
}

static crd_status recognise(crd_model *model, const crd_tensors *tensors, crd_error *error)
{
    int64_t second[CRD_TENSOR_MAX_DIMS];
    crd_status status = crd_mlp_recognise(model, tensors, error);
    if (status == CRD_OK) status = crd_model_sizes(tensors, "encoder.1.weight", 2, second, error);
    if (status == CRD_OK)
        status = crd_model_set_classes(model, tensors, "encoder.1.weight", second[0], error);
    return status;
}

static void close_run(crd_run **run)
{
    crd_run *r = *run;
    if (r == NULL) return;
    crd_mlp_close(&r->mlp);
    crd_diffusion_close(&r->diffusion);
    free(r->own);
    free(r->padded);
    free(r->gradient);
    free(r);
    *run = NULL;
}

static crd_status open_run(const crd_model *model, const crd_inputs *inputs, crd_run **run, crd_error *error)
{
    crd_status status = CRD_NEW_ZERO(run, 1, error);
    if (status != CRD_OK) return status;
    crd_run *r = *run;
    const crd_graph *graph = inputs->graph;
    r->model = model;
    r->inputs = *inputs;
    r->stride = crd_padded(model->classes);
    status = crd_kernels_pick(&r->kernels, error);
    if (status == CRD_OK)
        status = crd_mlp_open(&r->mlp, model, inputs, model->classes, r->kernels, error);
    if (status == CRD_OK)
        status = crd_diffusion_open(&r->diffusion, graph->nodes, graph->start, graph->neighbour, r->stride,
                                    model->config.teleport, model->config.steps, error);
    if (status == CRD_OK) status = CRD_NEW(&r->own, graph->nodes * model->classes, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&r->padded, graph->nodes * r->stride, error);
    if (status == CRD_OK && inputs->nodes != NULL)
        status = CRD_NEW(&r->gradient, graph->nodes * r->stride, error);
    if (status != CRD_OK) close_run(run);
    return status;
}

/* The logits, [N][stride]. */
static const float *forward(crd_run *r, crd_dropout dropout)
{
    const int64_t classes = r->model->classes;
    crd_mlp_forward(&r->mlp, dropout, r->inputs.graph->nodes, r->own);
    for (int64_t i = 0; i < r->inputs.graph->nodes; i++)
        memcpy(r->padded + i * r->stride, r->own + i * classes, (size_t)classes * sizeof *r->own);
    return crd_diffusion_run(&r->diffusion, r->kernels, r->inputs.team, r->padded, (crd_row_list){0});
}

static void step(crd_run *r, bool warmup, uint64_t dropout_key, float *const *gradient, crd_loss *loss)
{
    (void)warmup; /* it has none */
    const crd_dropout dropout = {r->model->config.dropout, dropout_key};
    const float *logits = forward(r, dropout);
    memset(r->gradient, 0, (size_t)(r->inputs.graph->nodes * r->stride) * sizeof *r->gradient);
    const double mean = crd_cross_entropy(logits, r->inputs.graph->nodes, r->model->classes, r->stride, r->inputs.nodes,
                                          r->inputs.labels, r->inputs.count, r->inputs.team, r->gradient);
    *loss = (crd_loss){1, {"cross_entropy"}, {mean}};
    const float *back = crd_diffusion_run(&r->diffusion, r->kernels, r->inputs.team, r->gradient,
                                          (crd_row_list){0});
    crd_unpad(r->inputs.graph->nodes, r->model->classes, r->stride, back, r->own);
    crd_mlp_backward(&r->mlp, dropout, r->own, gradient);
}

static void infer(crd_run *r, float *logits, float *before_graph)
{
    (void)before_graph;
    const float *diffused = forward(r, (crd_dropout){0});
    crd_inputs_wanted(&r->inputs, r->model->classes, r->stride, diffused, logits);
}

static void latent(const crd_run *r, float *hidden)
{
    crd_mlp_hidden(&r->mlp, hidden);
}

static const crd_setting SETTINGS[] = {{"hidden", "64"},      {"teleport", "0.1"},
                                       {"steps", "10"},       {"dropout", "0.5"},
                                       {"activation", "relu"}, {"weight-decay", "1e-4"},
                                       {NULL, NULL}};

const crd_model_kind crd_appnp = {
    .name = "appnp",
    .help = "answers from a node's own features, spread over the edges; no epistemic uncertainty",
    .output = CRD_OUTPUT_LOGITS,
    .trained = true,
    .settings = SETTINGS,
    .declare = declare,
    .recognise = recognise,
    .initialise = crd_mlp_initialise,
    .open = open_run,
    .close = close_run,
    .step = step,
    .infer = infer,
    .latent = latent,
};
