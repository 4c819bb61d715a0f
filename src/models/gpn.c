/* Graph Posterior Network.
 *
 *     x -> encoder -> z -> one flow per class -> log p(z|c) -> evidence -> diffusion over the graph -> alpha
 *
 * The backward pass walks the same road the other way. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/tree.h"
#include "kernels/diffusion.h"
#include "kernels/padding.h"
#include "kernels/dirichlet.h"
#include "kernels/flow.h"
#include "models/mlp.h"

enum { CENTER = CRD_MLP_PARAMETERS, ALPHA, BETA };

static crd_status declare(crd_model *model, crd_error *error)
{
    const crd_config *c = &model->config;
    const int64_t latent = c->latent, layers = c->flow_layers, classes = model->classes;
    crd_status status = crd_mlp_declare(model, latent, error);
    if (status == CRD_OK)
        status = crd_model_declare(model, "flow.center", 3, (int64_t[]){layers, classes, latent}, false,
                                   false, true, error);
    if (status == CRD_OK)
        status = crd_model_declare(model, "flow.alpha", 2, (int64_t[]){layers, classes}, false, false, true,
                                   error);
    if (status == CRD_OK)
        status = crd_model_declare(model, "flow.beta", 2, (int64_t[]){layers, classes}, false, false, true,
                                   error);
    return status;
}

static crd_status recognise(crd_model *model, const crd_tensors *tensors, crd_error *error)
{
    int64_t center[CRD_TENSOR_MAX_DIMS];
    crd_status status = crd_mlp_recognise(model, tensors, error);
    if (status == CRD_OK) status = crd_model_sizes(tensors, "flow.center", 3, center, error);
    if (status != CRD_OK) return status;
    model->config.flow_layers = center[0];
    model->config.latent = center[2];
    return crd_model_set_classes(model, tensors, "flow.center", center[1], error);
}

static void initialise(crd_model *model, uint64_t seed)
{
    const double flow = 1.0 / sqrt((double)model->config.latent);
    crd_mlp_initialise(model, seed);
    for (int p = CENTER; p <= BETA; p++) crd_parameter_uniform(&model->parameter[p], flow, seed, p);
}

struct crd_run {
    const crd_model *model;
    crd_inputs inputs;
    const crd_kernels *kernels;
    crd_mlp encoder;
    crd_flow_workspace flow;
    crd_diffusion diffusion;
    crd_evidence_distance evidence_distance;
    int64_t reached;           /* nodes whose evidence reaches a node that is looked at; they come first */
    int64_t evident;           /* nodes that have evidence in a step: R_alpha looks at that of all */
    int64_t placed;            /* nodes that have a z in a step: R_D looks at that of all */
    int64_t stride;            /* of evidence rows: classes, padded */
    bool room;                 /* the padding has room for a second forward pass, which then costs no diffusion */
    bool expecting, ahead;     /* the next step's key is known; its forward pass is done */
    uint64_t next_key;
    float *shift;              /* what is added to log p(z|c) before the clamp; twice if there is room */
    float ceiling, bottom;     /* evidence at the clamp's ends, where no gradient passes */
    double reg_weight;         /* of the regulariser's sum over the edges */
    float *z;                  /* [N][latent] */
    float *evidence;           /* [evident][stride], before the graph */
    const float *diffused;     /* [reached][stride], behind it; belongs to the diffusion */
    float *gradient;           /* [training nodes][stride], of the evidence after the graph */
    float *back;               /* [evident][stride], of the evidence before it; belongs to the diffusion */
    float *d_z;                /* [N][latent]; in an infer that goes ahead, its positions */
    int64_t *both;             /* where there is room: training nodes, then those that are wanted */
};

static void close_run(crd_run **run)
{
    crd_run *r = *run;
    if (r == NULL) return;
    crd_mlp_close(&r->encoder);
    crd_flow_close(&r->flow);
    crd_diffusion_close(&r->diffusion);
    crd_evidence_distance_close(&r->evidence_distance);
    free(r->shift);
    free(r->z);
    free(r->evidence);
    free(r->gradient);
    free(r->d_z);
    free(r->both);
    free(r);
    *run = NULL;
}

/* log(n_c/|T|) + (D/2) log 4 pi (+ log K) */
static void fill_shift(crd_run *r)
{
    const crd_model *model = r->model;
    const double log_4pi = 2.5310242469692907;
    double all = 0.0;
    for (int32_t k = 0; k < model->classes; k++) all += (double)model->class_counts[k];
    for (int32_t k = 0; k < model->classes; k++) {
        double shift =
            log((double)model->class_counts[k] / all) + 0.5 * (double)model->config.latent * log_4pi;
        if (model->config.class_scale) shift += log((double)model->classes);
        r->shift[k] = (float)shift;
        if (r->room) r->shift[model->classes + k] = (float)shift;
    }
}

static crd_status open_training(crd_run *r, crd_error *error)
{
    const crd_config *c = &r->model->config;
    const int64_t nodes = r->inputs.graph->nodes, edges = r->inputs.graph->start[nodes];
    r->reg_weight = c->reg_weight;
    if (edges > 0) r->reg_weight += c->reg_strength * (double)r->inputs.count / (double)edges;
    crd_status status = CRD_NEW(&r->gradient, r->inputs.count * r->stride, error);
    if (status == CRD_OK) status = CRD_NEW(&r->d_z, nodes * c->latent, error);
    if (status == CRD_OK && c->reg == CRD_REG_EVIDENCE)
        status = crd_evidence_distance_open(&r->evidence_distance, r->kernels, nodes, error);
    if (status != CRD_OK || !r->room || r->inputs.wanted == NULL) return status;
    status = CRD_NEW(&r->both, r->inputs.count + r->inputs.wanted_count, error);
    if (status != CRD_OK) return status;
    memcpy(r->both, r->inputs.nodes, (size_t)r->inputs.count * sizeof *r->both);
    memcpy(r->both + r->inputs.count, r->inputs.wanted, (size_t)r->inputs.wanted_count * sizeof *r->both);
    return CRD_OK;
}

static crd_status open_run(const crd_model *model, const crd_inputs *inputs, crd_run **run, crd_error *error)
{
    crd_status status = CRD_NEW_ZERO(run, 1, error);
    if (status != CRD_OK) return status;
    crd_run *r = *run;
    const crd_config *c = &model->config;
    const int64_t nodes = inputs->graph->nodes;
    const bool training = inputs->nodes != NULL;
    r->model = model;
    r->inputs = *inputs;
    r->reached = inputs->reached > 0 ? inputs->reached : nodes;
    r->evident = c->reg == CRD_REG_EVIDENCE ? nodes : r->reached;
    r->placed = c->reg == CRD_REG_DISTANCE ? nodes : r->evident;
    r->stride = crd_padded(model->classes);
    r->room = training && 2 * model->classes <= r->stride;
    status = crd_kernels_pick(&r->kernels, error);
    if (status == CRD_OK)
        status = crd_mlp_open(&r->encoder, model, inputs, c->latent, r->kernels, error);
    if (status == CRD_OK)
        status =
            crd_flow_open(&r->flow, c->flow_layers, model->classes, c->latent, training ? nodes : 0,
                          crd_team_size(inputs->team), error);
    if (status == CRD_OK)
        status = crd_diffusion_open(&r->diffusion, r->evident, inputs->graph->start, inputs->graph->neighbour,
                                    r->stride, c->teleport, c->steps, error);
    if (status == CRD_OK) status = CRD_NEW(&r->shift, r->stride, error);
    if (status == CRD_OK) status = CRD_NEW(&r->z, nodes * c->latent, error);
    if (status == CRD_OK) status = CRD_NEW(&r->evidence, r->evident * r->stride, error);
    if (status == CRD_OK && training) status = open_training(r, error);
    if (status != CRD_OK) {
        close_run(run);
        return status;
    }
    crd_diffusion_limit(&r->diffusion, r->reached);
    memset(r->evidence, 0, (size_t)(r->evident * r->stride) * sizeof *r->evidence);
    fill_shift(r);
    const float nothing = 0.0f;
    float ends[2] = {1000.0f, -1000.0f};
    r->kernels->evidence(0, 1, 1, 1, &nothing, &ends[0]);
    r->kernels->evidence(0, 1, 1, 1, &nothing, &ends[1]);
    r->ceiling = ends[0];
    r->bottom = ends[1];
    return CRD_OK;
}

/* x -> z -> log p(z|c), in rows of the evidence's stride */
static void density(crd_run *r, crd_dropout dropout, int64_t placed, int64_t evident, float *z, float *log_density)
{
    const crd_parameter *p = r->model->parameter;
    crd_mlp_forward(&r->encoder, dropout, placed, z);
    crd_flow_forward(&r->flow, r->kernels, r->inputs.team, p[CENTER].value, p[ALPHA].value, p[BETA].value,
                     evident, z, log_density, r->stride);
}

static void evidence_rows(int64_t begin, int64_t end, void *context)
{
    crd_run *r = context;
    const int64_t columns = r->model->classes * (r->ahead ? 2 : 1);
    r->kernels->evidence(begin, end, columns, r->stride, r->shift, r->evidence);
}

/* log p(z|c) -> evidence before the graph -> behind it, of the nodes that need it */
static void spread(crd_run *r, int64_t evident, crd_row_list needed)
{
    crd_team *team = r->inputs.team;
    crd_parallel_rows(team, evident, 256, evidence_rows, r);
    r->diffused = crd_diffusion_run(&r->diffusion, r->kernels, team, r->evidence, needed);
}

static void expect(crd_run *r, uint64_t dropout_key)
{
    r->expecting = true;
    r->next_key = dropout_key;
}

static void distance_rows(int64_t begin, int64_t end, double *sums, void *context)
{
    crd_run *r = context;
    const crd_graph *graph = r->inputs.graph;
    sums[0] += r->kernels->distance(begin, end, graph->start, graph->neighbour, r->z, r->model->config.latent,
                                    (float)r->reg_weight, r->d_z);
}

/* d evidence -> d log p: the exponential's slope is the evidence itself, and the clamp stops it. */
static void log_rows(int64_t begin, int64_t end, void *context)
{
    crd_run *r = context;
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

static void step(crd_run *r, bool warmup, uint64_t dropout_key, float *const *gradient, crd_loss *loss)
{
    const crd_config *c = &r->model->config;
    const crd_parameter *p = r->model->parameter;
    const crd_graph *graph = r->inputs.graph;
    crd_team *team = r->inputs.team;
    const crd_dropout dropout = {c->dropout, dropout_key};

    const bool done = r->ahead && dropout_key == r->next_key;
    r->ahead = r->expecting = false;
    if (!done) {
        density(r, dropout, r->placed, r->evident, r->z, r->evidence);
        spread(r, r->evident, (crd_row_list){r->inputs.nodes, r->inputs.count});
    }

    memset(r->gradient, 0, (size_t)(r->inputs.count * r->stride) * sizeof *r->gradient);
    const crd_dirichlet_weights weights = {c->entropy_weight, c->share_weight};
    crd_dirichlet_terms terms =
        crd_dirichlet_loss(r->diffused, graph->nodes, r->model->classes, r->stride, r->inputs.nodes, r->inputs.labels,
                           r->inputs.count, weights, team, r->gradient);
    *loss = (crd_loss){2, {"uce", "entropy"}, {terms.uce, 0.0 - c->entropy_weight * terms.entropy}};
    if (c->share_weight != 0.0) add_term(loss, "share", c->share_weight * terms.share);

    r->back = crd_diffusion_run_some(&r->diffusion, r->kernels, team, r->inputs.nodes, r->inputs.count,
                                     r->gradient);
    memset(r->back + r->reached * r->stride, 0, (size_t)((r->evident - r->reached) * r->stride) * sizeof *r->back);
    if (c->reg == CRD_REG_EVIDENCE) {
        const crd_divergence divergence = {graph->nodes,         graph->start, graph->neighbour, r->evidence,
                                           r->model->classes, r->stride,    r->reg_weight,    r->back};
        double sum = crd_evidence_distance_sum(&r->evidence_distance, r->kernels, team, &divergence);
        add_term(loss, "evidence", r->reg_weight * sum);
    }
    crd_parallel_rows(team, r->evident, 256, log_rows, r);
    const int64_t latent = c->latent;
    memset(r->d_z + r->evident * latent, 0, (size_t)((graph->nodes - r->evident) * latent) * sizeof *r->d_z);
    crd_flow_backward(&r->flow, r->kernels, team, p[ALPHA].value, p[BETA].value, r->evident, r->z, r->back,
                      r->stride, r->d_z, gradient[CENTER], gradient[ALPHA], gradient[BETA]);
    if (c->reg == CRD_REG_DISTANCE) {
        double sum;
        crd_parallel_sum(team, graph->nodes, distance_rows, r, 1, &sum);
        add_term(loss, "distance", r->reg_weight * sum);
    }
    if (!warmup) crd_mlp_backward(&r->encoder, dropout, r->d_z, gradient);
}

/* With room for both, the next step's forward pass goes along: its classes come first in a row, then these. */
static void infer(crd_run *r, float *evidence, float *before_graph)
{
    const int64_t classes = r->model->classes;
    r->ahead = r->room && r->expecting;
    const int64_t column = r->ahead ? classes : 0;
    if (r->ahead)
        density(r, (crd_dropout){r->model->config.dropout, r->next_key}, r->placed, r->evident, r->z, r->evidence);
    density(r, (crd_dropout){0}, r->reached, r->reached, r->ahead ? r->d_z : r->z, r->evidence + column);
    if (r->ahead) spread(r, r->evident, (crd_row_list){r->both, r->inputs.count + r->inputs.wanted_count});
    else spread(r, r->reached, (crd_row_list){r->inputs.wanted, r->inputs.wanted_count});
    crd_inputs_wanted(&r->inputs, classes, r->stride, r->diffused + column, evidence);
    if (before_graph != NULL)
        crd_inputs_wanted(&r->inputs, classes, r->stride, r->evidence + column, before_graph);
}

static void latent(const crd_run *r, float *z)
{
    memcpy(z, r->z, (size_t)(r->inputs.graph->nodes * r->model->config.latent) * sizeof *z);
}

static void weigh(const crd_model *model, const crd_graph *graph, int64_t node, const int32_t *hops,
                  crd_weights *weights)
{
    (void)hops;
    crd_diffusion_row(graph->start, graph->neighbour, model->config.teleport, model->config.steps, node, weights);
}

/* One edge more than there are steps: what a node passes on depends on how many neighbours it has. */
static int64_t reach(const crd_model *model)
{
    return model->config.steps + 1;
}

const crd_model_kind crd_gpn = {
    .name = "gpn",
    .help = "Graph Posterior Network: evidence from a density of each class, spread over the edges",
    .output = CRD_OUTPUT_EVIDENCE,
    .trained = true,
    .features_alone = true,
    .declare = declare,
    .recognise = recognise,
    .initialise = initialise,
    .open = open_run,
    .close = close_run,
    .step = step,
    .expect = expect,
    .infer = infer,
    .latent = latent,
    .weigh = weigh,
    .reach = reach,
};
