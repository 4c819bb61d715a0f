/* VGCN-Energy: a graph convolutional network whose epistemic uncertainty is the energy of its logits. */
#include "kernels/losses.h"
#include "models/gcn.h"

typedef struct {
    crd_run run;
    crd_gcn gcn;
} vgcn_run;

static void plan(crd_run *run)
{
    crd_gcn_plan(&((vgcn_run *)run)->gcn, run);
}

static crd_status start(crd_run *run, crd_error *error)
{
    return crd_gcn_start(&((vgcn_run *)run)->gcn, &run->inputs, error);
}

static void stop(crd_run *run)
{
    crd_gcn_stop(&((vgcn_run *)run)->gcn);
}

static void step(crd_run *run, bool warmup, uint64_t dropout_key, float *const *gradient, crd_loss *loss)
{
    vgcn_run *r = (vgcn_run *)run;
    (void)warmup; /* it has none */
    const crd_model *model = run->model;
    const crd_dropout dropout = {model->config.dropout, dropout_key};
    crd_gcn_forward(&r->gcn, dropout);
    const double mean = crd_cross_entropy(r->gcn.logits, r->gcn.nodes, model->classes, r->gcn.stride, run->inputs.nodes,
                                          run->inputs.labels, run->inputs.count, run->inputs.team, r->gcn.d_logits);
    *loss = (crd_loss){1, {"cross_entropy"}, {mean}};
    crd_gcn_backward(&r->gcn, dropout, gradient);
}

static void infer(crd_run *run, float *logits, float *before_graph)
{
    vgcn_run *r = (vgcn_run *)run;
    (void)before_graph;
    crd_gcn_forward(&r->gcn, (crd_dropout){0});
    crd_inputs_wanted(&run->inputs, run->model->classes, r->gcn.stride, r->gcn.logits, logits);
}

static void latent(const crd_run *run, float *hidden)
{
    crd_gcn_hidden(&((const vgcn_run *)run)->gcn, hidden);
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
    .run_size = sizeof(vgcn_run),
    .plan = plan,
    .start = start,
    .stop = stop,
    .step = step,
    .infer = infer,
    .latent = latent,
};
