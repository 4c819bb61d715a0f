/* SPDX-License-Identifier: MIT */
/* Two graph convolutions: logits = A^ dropout(act(A^ X W1 + b1)) W2 + b2, and three kinds of model made of them.
 *
 * VGCN-Energy is a plain network; its epistemic uncertainty is the energy of its logits. The logits of a GKDE-GCN are
 * the logarithm of evidence, held near a kernel density of the labelled nodes and near the answers of a plain
 * network, its teacher. Those of an evidential GCN are too: its Dirichlet distributions are trained on the labels, and
 * held near the uniform one. */
#include <math.h>
#include <string.h>

#include "base/tree.h"
#include "kernels/diffusion.h"
#include "kernels/linear.h"
#include "kernels/losses.h"
#include "models/model.h"

static const double PRIOR_WEIGHT = 0.001;
static const double TEACHER_EPOCHS = 200.0; /* until the teacher has its full weight */
static const double UNIFORM_EPOCHS = 10.0;  /* until the divergence from the uniform distribution has */
static const double MOST_LOG_EVIDENCE = 30.0;

enum { W1, B1, W2, B2 };

typedef struct {
    crd_run run;
    int64_t nodes;
    int64_t stride;     /* of rows of classes: padded with 0 to whole vectors */
    crd_rows adjacency; /* A^ = S (A + I) S, S = diag(1/sqrt(degree + 1)); symmetric, so a gradient uses it too */
    int64_t *start;     /* its arrays */
    int32_t *column;
    float *value;
    bool fresh;       /* `before` belongs to the current weights, */
    int64_t restored; /* if this is still the run's number */
    float *product;   /* [N][hidden or stride], between two products */
    float *before;    /* [N][hidden], the first layer's output before the activation */
    float *hidden;    /* [N][hidden], after activation and dropout */
    float *logits;    /* [N][stride] */
    float *second;    /* [hidden][stride], the second weights, and below them the second bias */

    /* To train. */
    float *d_logits;          /* [N][stride] */
    float *d_hidden;          /* [N][hidden] */
    float *second_transposed; /* [stride][hidden] */
    float *d_second;          /* [hidden][stride] */
    float *room;              /* for the gradient of the second weights */
    double *sums;             /* for the gradients of the biases */

    /* To train a GKDE-GCN. */
    int32_t *labels;                          /* one per node, -1 if it is not a training node */
    float *prior;                             /* evidence, [N][classes] */
    float *teacher;                           /* logits, [N][classes] */
    double *prior_log_beta, *teacher_log_sum; /* their constants, one per node */

    /* To train an evidential GCN. */
    float *evidence;   /* [N][stride] */
    float *d_evidence; /* [training nodes][stride] */
} gcn_run;

static const crd_form FORMS[] = {
    {"conv.0.weight", {CRD_HIDDEN, CRD_INPUTS}, .glorot = true, .transposed = true, .decays = true},
    {"conv.0.bias", {CRD_HIDDEN}, .decays = true},
    {"conv.1.weight", {CRD_CLASSES, CRD_HIDDEN}, .glorot = true, .transposed = true, .decays = true},
    {"conv.1.bias", {CRD_CLASSES}, .decays = true},
    {.name = NULL},
};

/* ---- a run ---- */

static void plan(crd_run *run)
{
    gcn_run *r = (gcn_run *)run;
    const crd_inputs *inputs = &run->inputs;
    const int64_t nodes = inputs->graph->nodes, entries = inputs->graph->start[nodes] + nodes;
    const int64_t hidden = run->model->config.hidden, stride = crd_padded(run->model->classes);
    const int64_t wider = hidden > stride ? hidden : stride;
    const int threads = crd_team_size(inputs->team);
    const crd_dense layer = {.rows = nodes, .columns = hidden};
    r->nodes = nodes;
    r->stride = stride;
    CRD_PLAN(&run->plan, &r->start, nodes + 1);
    CRD_PLAN(&run->plan, &r->column, entries);
    CRD_PLAN(&run->plan, &r->value, entries);
    CRD_PLAN(&run->plan, &r->product, nodes * wider);
    CRD_PLAN(&run->plan, &r->before, nodes * hidden);
    CRD_PLAN(&run->plan, &r->hidden, nodes * hidden);
    CRD_PLAN(&run->plan, &r->logits, nodes * stride);
    CRD_PLAN_ZERO(&run->plan, &r->second, (hidden + 1) * stride);
    if (inputs->nodes == NULL) return;
    CRD_PLAN_ZERO(&run->plan, &r->d_logits, nodes * stride);
    CRD_PLAN(&run->plan, &r->d_hidden, nodes * hidden);
    CRD_PLAN(&run->plan, &r->second_transposed, stride * hidden);
    CRD_PLAN(&run->plan, &r->d_second, hidden * stride);
    CRD_PLAN(&run->plan, &r->room, crd_dense_weight_room(&layer, stride, threads));
    CRD_PLAN(&run->plan, &r->sums, crd_shard_sums_room(nodes, wider));
}

static double degree(const crd_inputs *inputs, int64_t node)
{
    const int64_t *start = inputs->graph->start;
    return (inputs->degree != NULL ? (double)inputs->degree[node] : (double)(start[node + 1] - start[node])) + 1.0;
}

static crd_status start(crd_run *run, crd_error *error)
{
    gcn_run *r = (gcn_run *)run;
    (void)error;
    const int64_t *start = run->inputs.graph->start;
    const int32_t *neighbour = run->inputs.graph->neighbour;
    int64_t at = 0;
    for (int64_t i = 0; i < r->nodes; i++) {
        const double own = degree(&run->inputs, i);
        r->start[i] = at;
        r->column[at] = (int32_t)i;
        r->value[at++] = (float)(1.0 / own);
        for (int64_t e = start[i]; e < start[i + 1]; e++) {
            r->column[at] = neighbour[e];
            r->value[at++] = (float)(1.0 / sqrt(own * degree(&run->inputs, neighbour[e])));
        }
    }
    r->start[r->nodes] = at;
    r->adjacency = (crd_rows){r->nodes, r->nodes, r->start, r->column, r->value, NULL};
    return CRD_OK;
}

/* out = rows x + bias, over all threads */
static void multiply(gcn_run *r, const crd_rows *rows, const float *x, int64_t width, const float *bias, float *out)
{
    crd_linear_forward(r->run.kernels, r->run.inputs.team, rows, x, width, bias, out);
}

static crd_hidden_layer layer_of(const gcn_run *r, crd_dropout dropout)
{
    const crd_config *c = &r->run.model->config;
    return (crd_hidden_layer){r->nodes, c->hidden, c->activation, dropout, r->before};
}

/* The second layer with padded rows. */
static void pad_second(gcn_run *r)
{
    const crd_parameter *p = r->run.model->parameter;
    const int64_t width = r->run.model->config.hidden, classes = r->run.model->classes;
    for (int64_t j = 0; j <= width; j++)
        memcpy(r->second + j * r->stride, j < width ? p[W2].value + j * classes : p[B2].value,
               (size_t)classes * sizeof *r->second);
}

static void forward(gcn_run *r, crd_dropout dropout)
{
    const crd_parameter *p = r->run.model->parameter;
    const int64_t width = r->run.model->config.hidden;
    const crd_hidden_layer layer = layer_of(r, dropout);
    if (!r->fresh ||
        r->restored != r->run.restored) { /* A^ (X W1) and not (A^ X) W1: the product is narrower than the features */
        crd_feature_product_forward(&r->run.first, r->run.kernels, r->run.inputs.team, p[W1].value, NULL, r->product);
        multiply(r, &r->adjacency, r->product, width, p[B1].value, r->before);
    }
    r->fresh = true;
    r->restored = r->run.restored;
    crd_activation_forward(r->run.kernels, r->run.inputs.team, &layer, r->hidden);
    const crd_rows hidden = {.rows = r->nodes, .columns = width, .dense = r->hidden};
    pad_second(r);
    multiply(r, &hidden, r->second, r->stride, NULL, r->product);
    multiply(r, &r->adjacency, r->product, r->stride, r->second + width * r->stride, r->logits);
}

/* From d_logits to the gradients, after a forward with the same dropout. The optimiser changes the weights next. */
static void backward(gcn_run *r, crd_dropout dropout, float *const *gradient)
{
    const crd_kernels *kernels = r->run.kernels;
    crd_team *team = r->run.inputs.team;
    const int64_t width = r->run.model->config.hidden, classes = r->run.model->classes, stride = r->stride;
    const crd_hidden_layer layer = layer_of(r, dropout);
    const crd_dense hidden = {.rows = r->nodes, .columns = width, .value = r->hidden};
    const crd_rows product = {.rows = r->nodes, .columns = stride, .dense = r->product};
    crd_linear_backward_bias(kernels, team, r->d_logits, r->nodes, stride, r->sums, r->d_second);
    memcpy(gradient[B2], r->d_second, (size_t)classes * sizeof *gradient[B2]);
    multiply(r, &r->adjacency, r->d_logits, stride, NULL, r->product);
    crd_dense_backward_weight(kernels, team, &hidden, r->product, stride, r->room, r->d_second);
    crd_unpad(width, classes, stride, r->d_second, gradient[W2]);
    crd_transpose(r->second, width, stride, r->second_transposed);
    multiply(r, &product, r->second_transposed, width, NULL, r->d_hidden);
    crd_activation_backward(kernels, team, &layer, r->d_hidden);
    crd_linear_backward_bias(kernels, team, r->d_hidden, r->nodes, width, r->sums, gradient[B1]);
    multiply(r, &r->adjacency, r->d_hidden, width, NULL, r->product);
    crd_feature_product_backward(&r->run.first, kernels, team, r->product, gradient[W1]);
    r->fresh = false;
}

static void infer(crd_run *run, float *logits, float *before_graph)
{
    gcn_run *r = (gcn_run *)run;
    (void)before_graph;
    forward(r, (crd_dropout){0});
    crd_run_give(run, r->stride, r->logits, logits);
}

static void latent(const crd_run *run, float *hidden)
{
    const gcn_run *r = (const gcn_run *)run;
    memcpy(hidden, r->hidden, (size_t)(r->nodes * run->model->config.hidden) * sizeof *hidden);
}

/* ---- VGCN ---- */

static void step(crd_run *run, bool warmup, uint64_t dropout_key, float *const *gradient, crd_loss *loss)
{
    gcn_run *r = (gcn_run *)run;
    (void)warmup; /* it has none */
    const crd_inputs *inputs = &run->inputs;
    const crd_dropout dropout = {run->model->config.dropout, dropout_key};
    forward(r, dropout);
    const double mean = crd_cross_entropy(r->logits, r->nodes, run->model->classes, r->stride, inputs->nodes,
                                          inputs->labels, inputs->count, run->class_weight, inputs->team, r->d_logits);
    *loss = (crd_loss){1, {"cross_entropy"}, {mean}};
    backward(r, dropout, gradient);
}

const crd_model_kind crd_vgcn = {
    .name = "vgcn",
    .help = "graph convolutional network; its energy is its epistemic uncertainty",
    .output = CRD_OUTPUT_LOGITS,
    .trained = true,
    .forms = FORMS,
    .energy = true,
    .scores = CRD_SCORES_OF_LOGITS,
    .settings =
        "score=own hidden=64 dropout=0.8 activation=relu weight-decay=1e-4 hold-out=0 patience=50 max-epochs=-1",
    .run_size = sizeof(gcn_run),
    .plan = plan,
    .start = start,
    .step = step,
    .infer = infer,
    .latent = latent,
};

/* ---- GKDE-GCN ---- */

static void evidential_plan(crd_run *run)
{
    gcn_run *r = (gcn_run *)run;
    const int64_t nodes = run->inputs.graph->nodes, cells = nodes * run->model->classes;
    plan(run);
    if (run->inputs.nodes == NULL) return;
    CRD_PLAN(&run->plan, &r->labels, nodes);
    CRD_PLAN(&run->plan, &r->prior, cells);
    CRD_PLAN_ZERO(&run->plan, &r->teacher, cells);
    CRD_PLAN(&run->plan, &r->prior_log_beta, nodes);
    CRD_PLAN(&run->plan, &r->teacher_log_sum, nodes);
}

static crd_status evidential_start(crd_run *run, crd_error *error)
{
    gcn_run *r = (gcn_run *)run;
    const crd_inputs *inputs = &run->inputs;
    const crd_graph *graph = inputs->graph;
    if (inputs->nodes != NULL) {
        crd_status status =
            crd_hop_evidence(graph->nodes, graph->start, graph->neighbour, inputs->nodes, inputs->labels, inputs->count,
                             run->model->classes, CRD_GKDE_HOPS, inputs->team, r->prior, error);
        if (status != CRD_OK) return status;
        for (int64_t i = 0; i < r->nodes; i++) r->labels[i] = -1;
        for (int64_t t = 0; t < inputs->count; t++) r->labels[inputs->nodes[t]] = inputs->labels[t];
        crd_evidential_constants(r->nodes, run->model->classes, r->prior, r->teacher, inputs->team, r->prior_log_beta,
                                 r->teacher_log_sum);
    }
    return start(run, error);
}

static void evidential_teach(crd_run *run, const float *logits)
{
    gcn_run *r = (gcn_run *)run;
    memcpy(r->teacher, logits, (size_t)(r->nodes * run->model->classes) * sizeof *logits);
    crd_evidential_constants(r->nodes, run->model->classes, r->prior, r->teacher, run->inputs.team, r->prior_log_beta,
                             r->teacher_log_sum);
}

static void evidential_step(crd_run *run, bool warmup, uint64_t dropout_key, float *const *gradient, crd_loss *loss)
{
    gcn_run *r = (gcn_run *)run;
    (void)warmup; /* its teacher's training is the warm-up */
    const crd_dropout dropout = {run->model->config.dropout, dropout_key};
    const crd_evidential told = {
        .nodes = r->nodes,
        .classes = run->model->classes,
        .stride = r->stride,
        .labels = r->labels,
        .class_weight = run->class_weight,
        .prior = r->prior,
        .prior_log_beta = r->prior_log_beta,
        .prior_weight = PRIOR_WEIGHT,
        .teacher = r->teacher,
        .teacher_log_sum = r->teacher_log_sum,
        .teacher_weight = fmin(1.0, (double)++r->run.epoch / TEACHER_EPOCHS),
    };
    forward(r, dropout);
    const crd_evidential_terms terms =
        crd_evidential_loss(run->kernels, &told, r->logits, run->inputs.team, r->d_logits);
    *loss = (crd_loss){3, {"risk", "prior", "teacher"}, {terms.risk, terms.prior, terms.teacher}};
    backward(r, dropout, gradient);
}

static void evidential_infer(crd_run *run, float *evidence, float *before_graph)
{
    infer(run, evidence, before_graph);
    const int64_t rows = run->inputs.wanted == NULL ? run->inputs.graph->nodes : run->inputs.wanted_count;
    for (int64_t i = 0; i < rows * run->model->classes; i++) evidence[i] = (float)exp((double)evidence[i]);
}

const crd_model_kind crd_gkde_gcn = {
    .name = "gkde-gcn",
    .help = "graph convolutional network that gives evidence, guided by gkde and a vgcn as its teacher",
    .output = CRD_OUTPUT_EVIDENCE,
    .trained = true,
    .forms = FORMS,
    .scores = CRD_SCORES_OF_EVIDENCE,
    .settings =
        "score=own hidden=16 dropout=0.5 activation=relu weight-decay=5e-4 hold-out=0 patience=50 max-epochs=-1",
    .teacher = &crd_vgcn,
    .run_size = sizeof(gcn_run),
    .plan = evidential_plan,
    .start = evidential_start,
    .teach = evidential_teach,
    .step = evidential_step,
    .infer = evidential_infer,
    .latent = latent,
};

/* ---- evidential GCN ---- */

static void dirichlet_plan(crd_run *run)
{
    gcn_run *r = (gcn_run *)run;
    plan(run);
    if (run->inputs.nodes == NULL) return;
    CRD_PLAN(&run->plan, &r->evidence, run->inputs.graph->nodes * r->stride);
    CRD_PLAN(&run->plan, &r->d_evidence, run->inputs.count * r->stride);
}

static float evidence_of(float logit)
{
    return (float)exp(fmax(-MOST_LOG_EVIDENCE, fmin(MOST_LOG_EVIDENCE, (double)logit)));
}

/* UCE + weight * KL(Dir(alpha) || Dir(1)), summed over the training nodes. KL is minus the entropy and a constant. */
static void dirichlet_step(crd_run *run, bool warmup, uint64_t dropout_key, float *const *gradient, crd_loss *loss)
{
    gcn_run *r = (gcn_run *)run;
    (void)warmup; /* it has none */
    const crd_inputs *inputs = &run->inputs;
    const int64_t classes = run->model->classes, stride = r->stride;
    const crd_dropout dropout = {run->model->config.dropout, dropout_key};
    const double weight = run->model->config.entropy_weight * fmin(1.0, (double)++r->run.epoch / UNIFORM_EPOCHS);
    forward(r, dropout);
    for (int64_t t = 0; t < inputs->count; t++)
        for (int64_t c = inputs->nodes[t] * stride; c < inputs->nodes[t] * stride + classes; c++)
            r->evidence[c] = evidence_of(r->logits[c]);
    const crd_dirichlet_terms terms = crd_dirichlet_loss(
        r->evidence, r->nodes, classes, stride, inputs->nodes, inputs->labels, inputs->count,
        (crd_dirichlet_weights){.entropy = weight, .of_class = run->class_weight}, inputs->team, r->d_evidence);
    for (int64_t t = 0; t < inputs->count; t++)
        for (int64_t k = 0; k < classes; k++) { /* the clamp stops the gradient */
            const int64_t cell = inputs->nodes[t] * stride + k;
            const bool inside = fabs((double)r->logits[cell]) < MOST_LOG_EVIDENCE;
            r->d_logits[cell] = inside ? r->d_evidence[t * stride + k] * r->evidence[cell] : 0.0f;
        }
    const double constant = (double)inputs->count * crd_log_gamma((double)classes);
    *loss = (crd_loss){2, {"uce", "kl"}, {terms.uce, weight != 0.0 ? weight * (-terms.entropy - constant) : 0.0}};
    backward(r, dropout, gradient);
}

static void dirichlet_infer(crd_run *run, float *evidence, float *before_graph)
{
    infer(run, evidence, before_graph);
    const int64_t rows = run->inputs.wanted == NULL ? run->inputs.graph->nodes : run->inputs.wanted_count;
    for (int64_t i = 0; i < rows * run->model->classes; i++) evidence[i] = evidence_of(evidence[i]);
}

const crd_model_kind crd_egcn = {
    .name = "egcn",
    .help = "graph convolutional network that gives evidence; its vacuity is spread over the edges",
    .output = CRD_OUTPUT_EVIDENCE,
    .trained = true,
    .forms = FORMS,
    .scores = CRD_SCORES_OF_EVIDENCE,
    .settings = "score=vacuity hidden=64 dropout=0.5 activation=relu entropy-weight=1 weight-decay=5e-3 hold-out=0 "
                "patience=50 max-epochs=-1",
    .run_size = sizeof(gcn_run),
    .plan = dirichlet_plan,
    .start = start,
    .step = dirichlet_step,
    .infer = dirichlet_infer,
    .latent = latent,
};
