/* SPDX-License-Identifier: MIT */
/* Graph Posterior Network.
 *
 *     x -> encoder -> z -> one flow per class -> log p(z|c) -> evidence -> diffusion over the graph -> alpha
 *
 * The backward pass goes the same way in reverse. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/tree.h"
#include "kernels/diffusion.h"
#include "kernels/linear.h"
#include "kernels/losses.h"
#include "kernels/flow.h"
#include "models/mlp.h"

enum { CENTER = CRD_MLP_PARAMETERS, ALPHA, BETA };

static const crd_form FORMS[] = {
    {"encoder.0.weight", {CRD_HIDDEN, CRD_INPUTS}, CRD_INPUTS, .transposed = true, .decays = true},
    {"encoder.0.bias", {CRD_HIDDEN}, CRD_INPUTS, .decays = true},
    {"encoder.1.weight", {CRD_LATENT, CRD_HIDDEN}, CRD_HIDDEN, .transposed = true, .decays = true},
    {"encoder.1.bias", {CRD_LATENT}, CRD_HIDDEN, .decays = true},
    {"flow.center", {CRD_LAYERS, CRD_CLASSES, CRD_LATENT}, CRD_LATENT, .warms_up = true},
    {"flow.alpha", {CRD_LAYERS, CRD_CLASSES}, CRD_LATENT, .warms_up = true},
    {"flow.beta", {CRD_LAYERS, CRD_CLASSES}, CRD_LATENT, .warms_up = true},
    {.name = NULL},
};

typedef struct {
    crd_run run;
    crd_mlp encoder;
    crd_flow_workspace flow;
    crd_diffusion diffusion;
    crd_evidence_distance evidence_distance;
    int64_t reached;       /* nodes whose evidence reaches a training or wanted node; they come first */
    int64_t evident;       /* nodes that have evidence in a step: R_alpha needs all nodes */
    int64_t placed;        /* nodes that have a z in a step: R_D needs all nodes */
    int64_t stride;        /* of evidence rows: classes, padded */
    bool room;             /* the padding has room for a second forward pass, which then costs no diffusion */
    bool expecting, ahead; /* the next step's key is known; its forward pass is done */
    uint64_t next_key;
    float *shift;          /* added to log p(z|c) before the clamp; twice if there is room */
    float ceiling, bottom; /* evidence at the clamp's ends, where no gradient passes */
    double reg_weight;     /* of the regulariser's sum over the edges */
    float *z;              /* [N][latent] */
    float *evidence;       /* [evident][stride], before the graph */
    const float *diffused; /* [reached][stride], after the graph; belongs to the diffusion */
    float *gradient;       /* [training nodes][stride], of the evidence after the graph */
    float *back;           /* [evident][stride], of the evidence before the graph; belongs to the diffusion */
    float *d_z;            /* [N][latent]; the positions of an infer that goes ahead */
    int64_t *both;         /* if there is room: training nodes, then wanted ones */
} gpn_run;

/* log(n_c/|T|) + (D/2) log 4 pi (+ log K) */
static void fill_shift(gpn_run *r)
{
    const crd_model *model = r->run.model;
    const double log_4pi = 2.5310242469692907;
    double all = 0.0;
    for (int32_t k = 0; k < model->classes; k++) all += (double)model->class_counts[k];
    for (int32_t k = 0; k < model->classes; k++) {
        double shift = log((double)model->class_counts[k] / all) + 0.5 * (double)model->config.latent * log_4pi;
        if (model->config.class_scale) shift += log((double)model->classes);
        r->shift[k] = (float)shift;
        if (r->room) r->shift[model->classes + k] = (float)shift;
    }
}

static void plan_training(gpn_run *r)
{
    const crd_config *c = &r->run.model->config;
    const crd_inputs *inputs = &r->run.inputs;
    const int64_t nodes = inputs->graph->nodes, edges = inputs->graph->start[nodes];
    r->reg_weight = c->reg_weight;
    if (edges > 0) r->reg_weight += c->reg_strength * (double)inputs->count / (double)edges;
    CRD_PLAN(&r->run.plan, &r->gradient, inputs->count * r->stride);
    CRD_PLAN(&r->run.plan, &r->d_z, nodes * c->latent);
    if (c->reg == CRD_REG_EVIDENCE)
        crd_evidence_distance_plan(&r->evidence_distance, &r->run.plan, r->run.kernels, nodes);
    if (r->room && inputs->wanted != NULL) CRD_PLAN(&r->run.plan, &r->both, inputs->count + inputs->wanted_count);
}

static void plan(crd_run *run)
{
    gpn_run *r = (gpn_run *)run;
    const crd_model *model = run->model;
    const crd_config *c = &model->config;
    const crd_inputs *inputs = &run->inputs;
    const int64_t nodes = inputs->graph->nodes;
    const bool training = inputs->nodes != NULL;
    r->reached = inputs->reached > 0 ? inputs->reached : nodes;
    r->evident = c->reg == CRD_REG_EVIDENCE ? nodes : r->reached;
    r->placed = c->reg == CRD_REG_DISTANCE ? nodes : r->evident;
    r->stride = crd_padded(model->classes);
    r->room = training && 2 * model->classes <= r->stride;
    crd_mlp_plan(&r->encoder, run, c->latent);
    crd_flow_plan(&r->flow, &run->plan, c->flow_layers, model->classes, c->latent, training ? nodes : 0,
                  crd_team_size(inputs->team));
    crd_diffusion_plan(&r->diffusion, &run->plan, r->evident, r->stride, c->teleport, c->steps);
    CRD_PLAN(&run->plan, &r->shift, r->stride);
    CRD_PLAN(&run->plan, &r->z, nodes * c->latent);
    CRD_PLAN_ZERO(&run->plan, &r->evidence, r->evident * r->stride);
    if (training) plan_training(r);
}

static crd_status start(crd_run *run, crd_error *error)
{
    gpn_run *r = (gpn_run *)run;
    (void)error;
    const crd_inputs *inputs = &run->inputs;
    crd_diffusion_start_part(&r->diffusion, inputs->graph->start, inputs->graph->neighbour, inputs->degree);
    crd_diffusion_limit(&r->diffusion, r->reached);
    fill_shift(r);
    if (r->both != NULL) {
        memcpy(r->both, inputs->nodes, (size_t)inputs->count * sizeof *r->both);
        memcpy(r->both + inputs->count, inputs->wanted, (size_t)inputs->wanted_count * sizeof *r->both);
    }
    const float nothing = 0.0f;
    float ends[2] = {1000.0f, -1000.0f};
    run->kernels->evidence(0, 1, 1, 1, &nothing, &ends[0]);
    run->kernels->evidence(0, 1, 1, 1, &nothing, &ends[1]);
    r->ceiling = ends[0];
    r->bottom = ends[1];
    return CRD_OK;
}

/* x -> z -> log p(z|c), in rows of the evidence's stride */
static void density(gpn_run *r, crd_dropout dropout, int64_t placed, int64_t evident, float *z, float *log_density)
{
    const crd_parameter *p = r->run.model->parameter;
    crd_mlp_forward(&r->encoder, dropout, placed, z);
    crd_flow_forward(&r->flow, r->run.kernels, r->run.inputs.team, p[CENTER].value, p[ALPHA].value, p[BETA].value,
                     evident, z, log_density, r->stride);
}

static void evidence_rows(int64_t begin, int64_t end, void *context)
{
    gpn_run *r = context;
    const int64_t columns = r->run.model->classes * (r->ahead ? 2 : 1);
    r->run.kernels->evidence(begin, end, columns, r->stride, r->shift, r->evidence);
}

/* log p(z|c) -> evidence before the graph -> after it, for the nodes that need it */
static void spread(gpn_run *r, int64_t evident, crd_row_list needed)
{
    crd_team *team = r->run.inputs.team;
    crd_parallel_rows(team, evident, 256, evidence_rows, r);
    r->diffused = crd_diffusion_run(&r->diffusion, r->run.kernels, team, r->evidence, needed);
}

static void expect(crd_run *run, uint64_t dropout_key)
{
    gpn_run *r = (gpn_run *)run;
    r->expecting = true;
    r->next_key = dropout_key;
}

static void distance_rows(int64_t begin, int64_t end, double *sums, void *context)
{
    gpn_run *r = context;
    const crd_graph *graph = r->run.inputs.graph;
    sums[0] += r->run.kernels->distance(begin, end, graph->start, graph->neighbour, r->z, r->run.model->config.latent,
                                        (float)r->reg_weight, r->d_z);
}

/* d evidence -> d log p: the exponential's slope is the evidence itself, and the clamp stops it. */
static void log_rows(int64_t begin, int64_t end, void *context)
{
    gpn_run *r = context;
    for (int64_t i = begin * r->stride; i < end * r->stride; i++) {
        const float evidence = r->evidence[i];
        const bool inside = evidence > r->bottom && evidence < r->ceiling;
        r->back[i] = inside ? r->back[i] * evidence : 0.0f;
    }
}

static void add_term(crd_loss *loss, const char *name, double value)
{
    loss->name[loss->terms] = name;
    loss->value[loss->terms++] = value;
}

static void step(crd_run *run, bool warmup, uint64_t dropout_key, float *const *gradient, crd_loss *loss)
{
    gpn_run *r = (gpn_run *)run;
    const crd_config *c = &r->run.model->config;
    const crd_parameter *p = r->run.model->parameter;
    const crd_graph *graph = r->run.inputs.graph;
    crd_team *team = r->run.inputs.team;
    const crd_dropout dropout = {c->dropout, dropout_key};

    const bool done = r->ahead && dropout_key == r->next_key;
    r->ahead = r->expecting = false;
    if (!done) {
        density(r, dropout, r->placed, r->evident, r->z, r->evidence);
        spread(r, r->evident, (crd_row_list){r->run.inputs.nodes, r->run.inputs.count});
    }

    memset(r->gradient, 0, (size_t)(r->run.inputs.count * r->stride) * sizeof *r->gradient);
    const crd_dirichlet_weights weights = {c->entropy_weight, c->share_weight, run->class_weight};
    crd_dirichlet_terms terms =
        crd_dirichlet_loss(r->diffused, graph->nodes, r->run.model->classes, r->stride, r->run.inputs.nodes,
                           r->run.inputs.labels, r->run.inputs.count, weights, team, r->gradient);
    *loss = (crd_loss){2, {"uce", "entropy"}, {terms.uce, 0.0 - c->entropy_weight * terms.entropy}};
    if (c->share_weight != 0.0) add_term(loss, "share", c->share_weight * terms.share);

    r->back = crd_diffusion_run_some(&r->diffusion, r->run.kernels, team, r->run.inputs.nodes, r->run.inputs.count,
                                     r->gradient);
    memset(r->back + r->reached * r->stride, 0, (size_t)((r->evident - r->reached) * r->stride) * sizeof *r->back);
    if (c->reg == CRD_REG_EVIDENCE) {
        const crd_divergence divergence = {graph->nodes,          graph->start, graph->neighbour, r->evidence,
                                           r->run.model->classes, r->stride,    r->reg_weight,    r->back};
        double sum = crd_evidence_distance_sum(&r->evidence_distance, r->run.kernels, team, &divergence);
        add_term(loss, "evidence", r->reg_weight * sum);
    }
    crd_parallel_rows(team, r->evident, 256, log_rows, r);
    const int64_t latent = c->latent;
    memset(r->d_z + r->evident * latent, 0, (size_t)((graph->nodes - r->evident) * latent) * sizeof *r->d_z);
    crd_flow_backward(&r->flow, r->run.kernels, team, p[ALPHA].value, p[BETA].value, r->evident, r->z, r->back,
                      r->stride, r->d_z, gradient[CENTER], gradient[ALPHA], gradient[BETA]);
    if (c->reg == CRD_REG_DISTANCE) {
        double sum;
        crd_parallel_sum(team, graph->nodes, distance_rows, r, 1, &sum);
        add_term(loss, "distance", r->reg_weight * sum);
    }
    if (!warmup) crd_mlp_backward(&r->encoder, dropout, r->d_z, gradient);
}

/* If there is room for both, this also runs the next step's forward pass: its classes come first in a row, then
 * these. */
static void infer(crd_run *run, float *evidence, float *before_graph)
{
    gpn_run *r = (gpn_run *)run;
    const int64_t classes = r->run.model->classes;
    r->ahead = r->room && r->expecting;
    const int64_t column = r->ahead ? classes : 0;
    if (r->ahead)
        density(r, (crd_dropout){r->run.model->config.dropout, r->next_key}, r->placed, r->evident, r->z, r->evidence);
    density(r, (crd_dropout){0}, r->reached, r->reached, r->ahead ? r->d_z : r->z, r->evidence + column);
    if (r->ahead) spread(r, r->evident, (crd_row_list){r->both, r->run.inputs.count + r->run.inputs.wanted_count});
    else spread(r, r->reached, (crd_row_list){r->run.inputs.wanted, r->run.inputs.wanted_count});
    crd_run_give(run, r->stride, r->diffused + column, evidence);
    if (before_graph != NULL) crd_run_give(run, r->stride, r->evidence + column, before_graph);
}

static void latent(const crd_run *run, float *z)
{
    const gpn_run *r = (const gpn_run *)run;
    memcpy(z, r->z, (size_t)(r->run.inputs.graph->nodes * r->run.model->config.latent) * sizeof *z);
}

static void weigh(const crd_model *model, const crd_graph *graph, int view, int64_t node, const int32_t *hops,
                  crd_weights *weights)
{
    (void)view;
    (void)hops;
    crd_diffusion_row(graph->start, graph->neighbour, model->config.teleport, model->config.steps, node, weights);
}

/* One edge more than steps, because what a node passes on depends on its number of neighbours. */
static int64_t reach(const crd_model *model)
{
    return model->config.steps + 1;
}

const crd_model_kind crd_gpn = {
    .name = "gpn",
    .help = "Graph Posterior Network: evidence from a density of each class, spread over the edges",
    .output = CRD_OUTPUT_EVIDENCE,
    .trained = true,
    .forms = FORMS,
    .features_alone = true,
    .settings = "score=own hidden=64 latent=10 flow-layers=10 teleport=0.25 steps=10 class-scale=off dropout=0.5 "
                "activation=relu reg=evidence reg-strength=2e-3 reg-weight=0 entropy-weight=1e-4 share-weight=0.3 "
                "weight-decay=1e-2 warmup=5 hold-out=0 patience=50 max-epochs=-1",
    .scores = CRD_SCORES_OF_EVIDENCE | 1u << CRD_DOUBT_LOG_EVIDENCE,
    .run_size = sizeof(gpn_run),
    .plan = plan,
    .start = start,
    .step = step,
    .expect = expect,
    .infer = infer,
    .latent = latent,
    .weigh = weigh,
    .reach = reach,
};
