/* GKDE-GCN: a graph convolutional network whose logits are the logarithm of evidence, held near a kernel
 * density of the labelled nodes and near the answers of a plain network, its teacher. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/evidential.h"
#include "kernels/hops.h"
#include "models/gcn.h"
#include "models/remember.h"

static const double PRIOR_WEIGHT = 0.001;
static const double TEACHER_EPOCHS = 200.0; /* until the teacher is listened to in full */

struct crd_run {
    const crd_model *model;
    crd_inputs inputs;
    crd_gcn gcn;
    int64_t epoch;
    int32_t *labels; /* to train: one a node, -1 where it does not teach */
    float *prior;    /* to train: evidence, [N][classes] */
    float *teacher;  /* to train: logits, [N][classes] */
    double *prior_log_beta, *teacher_log_sum; /* to train: their constants, one a node */
};

static void close_run(crd_run **run)
{
    crd_run *r = *run;
    if (r == NULL) return;
    crd_gcn_close(&r->gcn);
    free(r->labels);
    free(r->prior);
    free(r->teacher);
    free(r->prior_log_beta);
    free(r->teacher_log_sum);
    free(r);
    *run = NULL;
}

static crd_status open_training(crd_run *r, crd_error *error)
{
    const crd_graph *graph = r->inputs.graph;
    const int64_t cells = graph->nodes * r->model->classes;
    crd_status status = CRD_NEW(&r->labels, graph->nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&r->prior, cells, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&r->teacher, cells, error);
    if (status == CRD_OK) status = CRD_NEW(&r->prior_log_beta, graph->nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&r->teacher_log_sum, graph->nodes, error);
    if (status == CRD_OK)
        status = crd_hop_evidence(graph->nodes, graph->start, graph->neighbour, r->inputs.nodes,
                                  r->inputs.labels, r->inputs.count, r->model->classes, CRD_GKDE_HOPS,
                                  r->inputs.team, r->prior, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < graph->nodes; i++) r->labels[i] = -1;
    for (int64_t t = 0; t < r->inputs.count; t++) r->labels[r->inputs.nodes[t]] = r->inputs.labels[t];
    crd_prior_log_beta(graph->nodes, r->model->classes, r->prior, r->inputs.team, r->prior_log_beta);
    crd_teacher_log_sum(graph->nodes, r->model->classes, r->teacher, r->inputs.team, r->teacher_log_sum);
    return CRD_OK;
}

static crd_status open_run(const crd_model *model, const crd_inputs *inputs, crd_run **run, crd_error *error)
{
    crd_status status = CRD_NEW_ZERO(run, 1, error);
    if (status != CRD_OK) return status;
    crd_run *r = *run;
    r->model = model;
    r->inputs = *inputs;
    status = crd_gcn_open(&r->gcn, model, inputs, error);
    if (status == CRD_OK && inputs->nodes != NULL) status = open_training(r, error);
    if (status != CRD_OK) close_run(run);
    return status;
}

static void teach(crd_run *r, const float *logits)
{
    const int64_t nodes = r->inputs.graph->nodes, classes = r->model->classes;
    memcpy(r->teacher, logits, (size_t)(nodes * classes) * sizeof *logits);
    crd_teacher_log_sum(nodes, classes, r->teacher, r->inputs.team, r->teacher_log_sum);
}

static void step(crd_run *r, bool warmup, uint64_t dropout_key, float *const *gradient, crd_loss *loss)
{
    (void)warmup; /* its teacher's training is the warm-up */
    const crd_dropout dropout = {r->model->config.dropout, dropout_key};
    const crd_evidential told = {
        .nodes = r->inputs.graph->nodes,
        .classes = r->model->classes,
        .stride = r->gcn.stride,
        .labels = r->labels,
        .prior = r->prior,
        .prior_log_beta = r->prior_log_beta,
        .prior_weight = PRIOR_WEIGHT,
        .teacher = r->teacher,
        .teacher_log_sum = r->teacher_log_sum,
        .teacher_weight = fmin(1.0, (double)++r->epoch / TEACHER_EPOCHS),
    };
    crd_gcn_forward(&r->gcn, dropout);
    const crd_evidential_terms terms =
        crd_evidential_loss(r->gcn.kernels, &told, r->gcn.logits, r->inputs.team, r->gcn.d_logits);
    *loss = (crd_loss){3, {"risk", "prior", "teacher"}, {terms.risk, terms.prior, terms.teacher}};
    crd_gcn_backward(&r->gcn, dropout, gradient);
}

static void infer(crd_run *r, float *evidence, float *before_graph)
{
    (void)before_graph;
    crd_gcn_forward(&r->gcn, (crd_dropout){0});
    const int64_t classes = r->model->classes;
    const int64_t rows = crd_inputs_wanted(&r->inputs, classes, r->gcn.stride, r->gcn.logits, evidence);
    for (int64_t i = 0; i < rows * classes; i++) evidence[i] = (float)exp((double)evidence[i]);
}

static void latent(const crd_run *r, float *hidden)
{
    crd_gcn_hidden(&r->gcn, hidden);
}

static const crd_setting SETTINGS[] = {
    {"hidden", "16"}, {"dropout", "0.5"}, {"activation", "relu"}, {"weight-decay", "5e-4"}, {NULL, NULL}};

const crd_model_kind crd_gkde_gcn = {
    .name = "gkde-gcn",
    .help = "graph convolutional network that gives evidence, guided by gkde and a vgcn as its teacher",
    .output = CRD_OUTPUT_EVIDENCE,
    .trained = true,
    .settings = SETTINGS,
    .teacher = &crd_vgcn,
    .declare = crd_gcn_declare,
    .recognise = crd_gcn_recognise,
    .initialise = crd_gcn_initialise,
    .open = open_run,
    .close = close_run,
    .teach = teach,
    .step = step,
    .infer = infer,
    .latent = latent,
};
