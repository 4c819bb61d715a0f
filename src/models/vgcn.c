/* VGCN-Energy: a graph convolutional network whose epistemic uncertainty is the energy of its logits. */
#include <stdlib.h>

#include "kernels/cross_entropy.h"
#include "models/gcn.h"

struct crd_run {
    crd_inputs inputs;
    crd_gcn gcn;
};

static void close_run(crd_run **run)
{
    if (*run != NULL) crd_gcn_close(&(*run)->gcn);
    free(*run);
    *run = NULL;
}

static crd_status open_run(const crd_model *model, const crd_inputs *inputs, crd_run **run, crd_error *error)
{
    crd_status status = CRD_NEW_ZERO(run, 1, error);
    if (status != CRD_OK) return status;
    (*run)->inputs = *inputs;
    status = crd_gcn_open(&(*run)->gcn, model, inputs, error);
    if (status != CRD_OK) close_run(run);
    return status;
}

static void step(crd_run *r, bool warmup, uint64_t dropout_key, float *const *gradient, crd_loss *loss)
{
    (void)warmup; /* it has none */
    const crd_model *model = r->gcn.model;
    const crd_dropout dropout = {model->config.dropout, dropout_key};
    crd_gcn_forward(&r->gcn, dropout);
    const double mean =
        crd_cross_entropy(r->gcn.logits, r->gcn.nodes, model->classes, r->gcn.stride, r->inputs.nodes, r->inputs.labels,
                          r->inputs.count, r->inputs.team, r->gcn.d_logits);
    *loss = (crd_loss){1, {"cross_entropy"}, {mean}};
    crd_gcn_backward(&r->gcn, dropout, gradient);
}

static void infer(crd_run *r, float *logits, float *before_graph)
{
    (void)before_graph;
    crd_gcn_forward(&r->gcn, (crd_dropout){0});
    crd_inputs_wanted(&r->inputs, r->gcn.model->classes, r->gcn.stride, r->gcn.logits, logits);
}

static void latent(const crd_run *r, float *hidden)
{
    crd_gcn_hidden(&r->gcn, hidden);
}

static const crd_setting SETTINGS[] = {
    {"hidden", "64"}, {"dropout", "0.8"}, {"activation", "relu"}, {"weight-decay", "1e-4"}, {NULL, NULL}};

const crd_model_kind crd_vgcn = {
    .name = "vgcn",
    .help = "graph convolutional network; its energy is its epistemic uncertainty",
    .output = CRD_OUTPUT_LOGITS,
    .trained = true,
    .energy = true,
    .settings = SETTINGS,
    .declare = crd_gcn_declare,
    .recognise = crd_gcn_recognise,
    .initialise = crd_gcn_initialise,
    .open = open_run,
    .close = close_run,
    .step = step,
    .infer = infer,
    .latent = latent,
};
