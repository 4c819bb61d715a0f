/* SPDX-License-Identifier: MIT */
/* APPNP: a two-layer network on a node's own features, whose logits are spread over the graph by
 * personalised PageRank. It has no epistemic uncertainty. */
#include <string.h>

#include "kernels/losses.h"
#include "kernels/diffusion.h"
#include "kernels/linear.h"
#include "models/mlp.h"

typedef struct {
    crd_run run;
    crd_mlp mlp;
    crd_diffusion diffusion;
    int64_t stride;  /* of rows that are diffused: classes, padded */
    float *own;      /* [N][classes]: logits before the graph; in the backward pass, their gradient */
    float *padded;   /* [N][stride]: the same, padded for the diffusion */
    float *gradient; /* [N][stride], of the logits */
} appnp_run;

static const crd_form FORMS[] = {
    {"encoder.0.weight", {CRD_HIDDEN, CRD_INPUTS}, CRD_INPUTS, .transposed = true, .decays = true},
    {"encoder.0.bias", {CRD_HIDDEN}, CRD_INPUTS, .decays = true},
    {"encoder.1.weight", {CRD_CLASSES, CRD_HIDDEN}, CRD_HIDDEN, .transposed = true, .decays = true},
    {"encoder.1.bias", {CRD_CLASSES}, CRD_HIDDEN, .decays = true},
    {.name = NULL},
};

static void plan(crd_run *run)
{
    appnp_run *r = (appnp_run *)run;
    const crd_model *model = run->model;
    const int64_t nodes = run->inputs.graph->nodes;
    r->stride = crd_padded(model->classes);
    crd_mlp_plan(&r->mlp, run, model->classes);
    crd_diffusion_plan(&r->diffusion, &run->plan, nodes, r->stride, model->config.teleport, model->config.steps);
    CRD_PLAN(&run->plan, &r->own, nodes * model->classes);
    CRD_PLAN_ZERO(&run->plan, &r->padded, nodes * r->stride);
    if (run->inputs.nodes != NULL) CRD_PLAN(&run->plan, &r->gradient, nodes * r->stride);
}

static crd_status start(crd_run *run, crd_error *error)
{
    appnp_run *r = (appnp_run *)run;
    (void)error;
    crd_diffusion_start_part(&r->diffusion, run->inputs.graph->start, run->inputs.graph->neighbour, run->inputs.degree);
    return CRD_OK;
}

/* The logits, [N][stride]. */
static const float *forward(appnp_run *r, crd_dropout dropout)
{
    const int64_t classes = r->run.model->classes;
    crd_mlp_forward(&r->mlp, dropout, r->run.inputs.graph->nodes, r->own);
    for (int64_t i = 0; i < r->run.inputs.graph->nodes; i++)
        memcpy(r->padded + i * r->stride, r->own + i * classes, (size_t)classes * sizeof *r->own);
    return crd_diffusion_run(&r->diffusion, r->run.kernels, r->run.inputs.team, r->padded, (crd_row_list){0});
}

static void step(crd_run *run, bool warmup, uint64_t dropout_key, float *const *gradient, crd_loss *loss)
{
    appnp_run *r = (appnp_run *)run;
    (void)warmup; /* it has none */
    const crd_dropout dropout = {r->run.model->config.dropout, dropout_key};
    const float *logits = forward(r, dropout);
    memset(r->gradient, 0, (size_t)(r->run.inputs.graph->nodes * r->stride) * sizeof *r->gradient);
    const double mean = crd_cross_entropy(logits, r->run.inputs.graph->nodes, r->run.model->classes, r->stride,
                                          r->run.inputs.nodes, r->run.inputs.labels, r->run.inputs.count,
                                          r->run.class_weight, r->run.inputs.team, r->gradient);
    *loss = (crd_loss){1, {"cross_entropy"}, {mean}};
    const float *back =
        crd_diffusion_run(&r->diffusion, r->run.kernels, r->run.inputs.team, r->gradient, (crd_row_list){0});
    crd_unpad(r->run.inputs.graph->nodes, r->run.model->classes, r->stride, back, r->own);
    crd_mlp_backward(&r->mlp, dropout, r->own, gradient);
}

static void infer(crd_run *run, float *logits, float *before_graph)
{
    appnp_run *r = (appnp_run *)run;
    const float *diffused = forward(r, (crd_dropout){0});
    if (before_graph != NULL) crd_run_give(run, r->stride, r->padded, before_graph);
    crd_run_give(run, r->stride, diffused, logits);
}

static void latent(const crd_run *run, float *hidden)
{
    crd_mlp_hidden(&((const appnp_run *)run)->mlp, hidden);
}

const crd_model_kind crd_appnp = {
    .name = "appnp",
    .help = "answers from a node's own features, spread over the edges; no epistemic uncertainty",
    .output = CRD_OUTPUT_LOGITS,
    .trained = true,
    .forms = FORMS,
    .scores = CRD_SCORES_OF_LOGITS,
    .settings = "score=own hidden=64 teleport=0.1 steps=10 dropout=0.5 activation=relu weight-decay=1e-4 hold-out=0 "
                "patience=50 max-epochs=-1",
    .run_size = sizeof(appnp_run),
    .plan = plan,
    .start = start,
    .step = step,
    .infer = infer,
    .latent = latent,
};
