/* GKDE-GCN: a graph convolutional network whose logits are the logarithm of evidence, held near a kernel
 * density of the labelled nodes and near the answers of a plain network, its teacher. */
#include <math.h>
#include <string.h>

#include "kernels/losses.h"
#include "kernels/hops.h"
#include "models/gcn.h"
#include "models/remember.h"

static const double PRIOR_WEIGHT = 0.001;
static const double TEACHER_EPOCHS = 200.0; /* until the teacher has its full weight */

typedef struct {
    crd_run run;
    crd_gcn gcn;
    int64_t epoch;
    int32_t *labels;                          /* to train: one per node, -1 if it is not a training node */
    float *prior;                             /* to train: evidence, [N][classes] */
    float *teacher;                           /* to train: logits, [N][classes] */
    double *prior_log_beta, *teacher_log_sum; /* to train: their constants, one per node */
} gkde_gcn_run;

static void plan(crd_run *run)
{
    gkde_gcn_run *r = (gkde_gcn_run *)run;
    const int64_t nodes = run->inputs.graph->nodes, cells = nodes * run->model->classes;
    crd_gcn_plan(&r->gcn, run);
    if (run->inputs.nodes == NULL) return;
    CRD_PLAN(&run->plan, &r->labels, nodes);
    CRD_PLAN(&run->plan, &r->prior, cells);
    CRD_PLAN_ZERO(&run->plan, &r->teacher, cells);
    CRD_PLAN(&run->plan, &r->prior_log_beta, nodes);
    CRD_PLAN(&run->plan, &r->teacher_log_sum, nodes);
}

static crd_status start(crd_run *run, crd_error *error)
{
    gkde_gcn_run *r = (gkde_gcn_run *)run;
    const crd_inputs *inputs = &run->inputs;
    const crd_graph *graph = inputs->graph;
    const int64_t classes = run->model->classes;
    crd_status status = CRD_OK;
    if (inputs->nodes != NULL) {
        status = crd_hop_evidence(graph->nodes, graph->start, graph->neighbour, inputs->nodes, inputs->labels,
                                  inputs->count, run->model->classes, CRD_GKDE_HOPS, inputs->team, r->prior, error);
        if (status != CRD_OK) return status;
        for (int64_t i = 0; i < graph->nodes; i++) r->labels[i] = -1;
        for (int64_t t = 0; t < inputs->count; t++) r->labels[inputs->nodes[t]] = inputs->labels[t];
        crd_prior_log_beta(graph->nodes, classes, r->prior, inputs->team, r->prior_log_beta);
        crd_teacher_log_sum(graph->nodes, classes, r->teacher, inputs->team, r->teacher_log_sum);
    }
    return crd_gcn_start(&r->gcn, inputs, error);
}

static void stop(crd_run *run)
{
    crd_gcn_stop(&((gkde_gcn_run *)run)->gcn);
}

static void teach(crd_run *run, const float *logits)
{
    gkde_gcn_run *r = (gkde_gcn_run *)run;
    const int64_t nodes = run->inputs.graph->nodes, classes = run->model->classes;
    memcpy(r->teacher, logits, (size_t)(nodes * classes) * sizeof *logits);
    crd_teacher_log_sum(nodes, classes, r->teacher, run->inputs.team, r->teacher_log_sum);
}

static void step(crd_run *run, bool warmup, uint64_t dropout_key, float *const *gradient, crd_loss *loss)
{
    gkde_gcn_run *r = (gkde_gcn_run *)run;
    (void)warmup; /* its teacher's training is the warm-up */
    const crd_dropout dropout = {run->model->config.dropout, dropout_key};
    const crd_evidential told = {
        .nodes = run->inputs.graph->nodes,
        .classes = run->model->classes,
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
        crd_evidential_loss(run->kernels, &told, r->gcn.logits, run->inputs.team, r->gcn.d_logits);
    *loss = (crd_loss){3, {"risk", "prior", "teacher"}, {terms.risk, terms.prior, terms.teacher}};
    crd_gcn_backward(&r->gcn, dropout, gradient);
}

static void infer(crd_run *run, float *evidence, float *before_graph)
{
    gkde_gcn_run *r = (gkde_gcn_run *)run;
    (void)before_graph;
    crd_gcn_forward(&r->gcn, (crd_dropout){0});
    const int64_t classes = run->model->classes;
    const int64_t rows = crd_inputs_wanted(&run->inputs, classes, r->gcn.stride, r->gcn.logits, evidence);
    for (int64_t i = 0; i < rows * classes; i++) evidence[i] = (float)exp((double)evidence[i]);
}

static void latent(const crd_run *run, float *hidden)
{
    crd_gcn_hidden(&((const gkde_gcn_run *)run)->gcn, hidden);
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
    .run_size = sizeof(gkde_gcn_run),
    .plan = plan,
    .start = start,
    .stop = stop,
    .teach = teach,
    .step = step,
    .infer = infer,
    .latent = latent,
};
