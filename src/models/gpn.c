/* Graph Posterior Network.
 *
 *     x -> encoder -> z -> one flow per class -> log p(z|c) -> evidence -> diffusion over the graph -> alpha
 *
 * The backward pass walks the same road the other way. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "kernels/diffusion.h"
#include "kernels/dirichlet.h"
#include "kernels/flow.h"
#include "kernels/linear.h"
#include "models/model.h"

enum { W1, B1, W2, B2, CENTER, ALPHA, BETA };

static crd_status declare(crd_model *model, crd_error *error)
{
    const crd_config *c = &model->config;
    const int64_t hidden = c->hidden, latent = c->latent, layers = c->flow_layers, classes = model->classes;
    crd_status status = crd_model_declare(model, "encoder.0.weight", 2, (int64_t[]){hidden, model->features},
                                          true, true, false, error);
    if (status == CRD_OK)
        status =
            crd_model_declare(model, "encoder.0.bias", 1, (int64_t[]){hidden}, false, true, false, error);
    if (status == CRD_OK)
        status = crd_model_declare(model, "encoder.1.weight", 2, (int64_t[]){latent, hidden}, true, true,
                                   false, error);
    if (status == CRD_OK)
        status =
            crd_model_declare(model, "encoder.1.bias", 1, (int64_t[]){latent}, false, true, false, error);
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
    int dims;
    int64_t first[CRD_TENSOR_MAX_DIMS], center[CRD_TENSOR_MAX_DIMS];
    crd_status status = crd_tensors_shape(tensors, "encoder.0.weight", &dims, first, error);
    if (status != CRD_OK) return status;
    if (dims != 2)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: encoder.0.weight has %d dimensions, expected 2",
                        crd_tensors_name(tensors), dims);
    status = crd_tensors_shape(tensors, "flow.center", &dims, center, error);
    if (status != CRD_OK) return status;
    if (dims != 3)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: flow.center has %d dimensions, expected 3",
                        crd_tensors_name(tensors), dims);
    model->config.hidden = first[0];
    model->features = first[1];
    model->config.flow_layers = center[0];
    if (center[1] < 1 || center[1] > CRD_MAX_CLASSES)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: flow.center has %lld classes, expected 1 to %d",
                        crd_tensors_name(tensors), (long long)center[1], CRD_MAX_CLASSES);
    model->classes = (int32_t)center[1];
    model->config.latent = center[2];
    return CRD_OK;
}

static void initialise(crd_model *model, uint64_t seed)
{
    const double first = 1.0 / sqrt(model->features > 0 ? (double)model->features : 1.0);
    const double second = 1.0 / sqrt((double)model->config.hidden);
    const double flow = 1.0 / sqrt((double)model->config.latent);
    const double bound[] = {first, first, second, second, flow, flow, flow};
    for (int p = 0; p < model->parameters; p++)
        crd_parameter_uniform(&model->parameter[p], bound[p], seed, p);
}

struct crd_run {
    const crd_model *model;
    crd_inputs inputs;
    const crd_kernels *kernels;
    crd_rows x;                /* the features */
    crd_features transposed;   /* of sparse features, for the gradient of the first weights */
    crd_flow_workspace flow;
    crd_diffusion diffusion;
    crd_evidence_distance evidence_distance;
    int64_t stride;            /* of evidence rows: classes, padded */
    float *shift;              /* what is added to log p(z|c) before the clamp */
    float ceiling, bottom;     /* evidence at the clamp's ends, where no gradient passes */
    bool fresh;                /* `before` belongs to the current weights */
    float *before;             /* [N][hidden], the first layer's output before the activation */
    float *hidden;             /* [N][hidden], after activation and dropout */
    float *z;                  /* [N][latent] */
    float *evidence;           /* [N][stride], before the graph */
    float *diffused;           /* [N][stride] */
    float *gradient;           /* [N][stride], of the evidence */
    float *d_z;                /* [N][latent] */
    float *d_hidden;           /* [N][hidden] */
    float *w2_transposed;      /* [latent][hidden] */
};

static void close_run(crd_run **run)
{
    crd_run *r = *run;
    if (r == NULL) return;
    crd_features_free(&r->transposed);
    crd_flow_close(&r->flow);
    crd_diffusion_close(&r->diffusion);
    crd_evidence_distance_close(&r->evidence_distance);
    free(r->shift);
    free(r->before);
    free(r->hidden);
    free(r->z);
    free(r->evidence);
    free(r->diffused);
    free(r->gradient);
    free(r->d_z);
    free(r->d_hidden);
    free(r->w2_transposed);
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
    }
}

static crd_status open_training(crd_run *r, crd_error *error)
{
    const crd_config *c = &r->model->config;
    const int64_t nodes = r->inputs.graph->nodes;
    crd_status status = CRD_NEW(&r->gradient, nodes * r->stride, error);
    if (status == CRD_OK) status = CRD_NEW(&r->d_z, nodes * c->latent, error);
    if (status == CRD_OK) status = CRD_NEW(&r->d_hidden, nodes * c->hidden, error);
    if (status == CRD_OK) status = CRD_NEW(&r->w2_transposed, c->latent * c->hidden, error);
    if (status == CRD_OK && r->x.start != NULL)
        status = crd_features_transpose(r->inputs.features, &r->transposed, error);
    if (status == CRD_OK && c->reg == CRD_REG_EVIDENCE)
        status = crd_evidence_distance_open(&r->evidence_distance, nodes, r->model->classes, error);
    return status;
}

static crd_status open_run(const crd_model *model, const crd_inputs *inputs, crd_run **run, crd_error *error)
{
    crd_status status = CRD_NEW_ZERO(run, 1, error);
    if (status != CRD_OK) return status;
    crd_run *r = *run;
    const crd_config *c = &model->config;
    const crd_features *f = inputs->features;
    const int64_t nodes = inputs->graph->nodes;
    const bool training = inputs->nodes != NULL;
    r->model = model;
    r->inputs = *inputs;
    r->x = (crd_rows){f->rows, f->columns, f->sparse ? f->start : NULL, f->column, f->value, f->dense};
    r->stride = (model->classes + CRD_PAD - 1) / CRD_PAD * CRD_PAD;
    status = crd_kernels_pick(&r->kernels, error);
    if (status == CRD_OK)
        status =
            crd_flow_open(&r->flow, c->flow_layers, model->classes, c->latent, training ? nodes : 0, error);
    if (status == CRD_OK)
        status = crd_diffusion_open(&r->diffusion, nodes, inputs->graph->start, inputs->graph->neighbour,
                                    r->stride, c->teleport, c->steps, error);
    if (status == CRD_OK) status = CRD_NEW(&r->shift, r->stride, error);
    if (status == CRD_OK) status = CRD_NEW(&r->before, nodes * c->hidden, error);
    if (status == CRD_OK) status = CRD_NEW(&r->hidden, nodes * c->hidden, error);
    if (status == CRD_OK) status = CRD_NEW(&r->z, nodes * c->latent, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&r->evidence, nodes * r->stride, error);
    if (status == CRD_OK) status = CRD_NEW(&r->diffused, nodes * r->stride, error);
    if (status == CRD_OK && training) status = open_training(r, error);
    if (status != CRD_OK) {
        close_run(run);
        return status;
    }
    fill_shift(r);
    const float nothing = 0.0f;
    float ends[2] = {1000.0f, -1000.0f};
    r->kernels->evidence(0, 1, 1, 1, &nothing, &ends[0]);
    r->kernels->evidence(0, 1, 1, 1, &nothing, &ends[1]);
    r->ceiling = ends[0];
    r->bottom = ends[1];
    return CRD_OK;
}

typedef struct {
    crd_run *run;
    crd_dropout dropout;
} rows_job;

static void activate_rows(int64_t begin, int64_t end, void *context)
{
    const rows_job *j = context;
    const crd_config *c = &j->run->model->config;
    j->run->kernels->activate(begin, end, c->activation, j->dropout, j->run->before, c->hidden,
                              j->run->hidden);
}

static void evidence_rows(int64_t begin, int64_t end, void *context)
{
    crd_run *r = ((rows_job *)context)->run;
    r->kernels->evidence(begin, end, r->model->classes, r->stride, r->shift, r->evidence);
}

/* x -> z -> evidence before the graph */
static void forward(crd_run *r, crd_dropout dropout)
{
    const crd_config *c = &r->model->config;
    const crd_parameter *p = r->model->parameter;
    crd_team *team = r->inputs.team;
    const int64_t nodes = r->inputs.graph->nodes;
    rows_job job = {r, dropout};
    if (!r->fresh)
        crd_linear_forward(r->kernels, team, &r->x, p[W1].value, c->hidden, p[B1].value, r->before);
    r->fresh = true;
    crd_parallel_rows(team, nodes, 256, activate_rows, &job);
    const crd_rows hidden = {.rows = nodes, .columns = c->hidden, .dense = r->hidden};
    crd_linear_forward(r->kernels, team, &hidden, p[W2].value, c->latent, p[B2].value, r->z);
    crd_flow_forward(&r->flow, r->kernels, team, p[CENTER].value, p[ALPHA].value, p[BETA].value, nodes, r->z,
                     r->evidence, r->stride);
    crd_parallel_rows(team, nodes, 256, evidence_rows, &job);
}

static void distance_rows(int64_t begin, int64_t end, double *sums, void *context)
{
    crd_run *r = context;
    const crd_graph *graph = r->inputs.graph;
    sums[0] += r->kernels->distance(begin, end, graph->start, graph->neighbour, r->z, r->model->config.latent,
                                    (float)r->model->config.reg_weight, r->d_z);
}

/* d evidence -> d log p: the exponential's slope is the evidence itself, and the clamp stops it. */
static void log_rows(int64_t begin, int64_t end, void *context)
{
    crd_run *r = ((rows_job *)context)->run;
    for (int64_t i = begin * r->stride; i < end * r->stride; i++) {
        const float evidence = r->evidence[i];
        const bool inside = evidence > r->bottom && evidence < r->ceiling;
        r->gradient[i] = inside ? r->gradient[i] * evidence : 0.0f;
    }
}

static void activate_backward_rows(int64_t begin, int64_t end, void *context)
{
    const rows_job *j = context;
    const crd_config *c = &j->run->model->config;
    j->run->kernels->activate_backward(begin, end, c->activation, j->dropout, j->run->before, c->hidden,
                                       j->run->d_hidden);
}

/* d_z -> the encoder's parameters */
static void backward_encoder(crd_run *r, rows_job *job, float *const *gradient)
{
    const crd_config *c = &r->model->config;
    const crd_parameter *p = r->model->parameter;
    crd_team *team = r->inputs.team;
    const int64_t nodes = r->inputs.graph->nodes;
    const crd_rows hidden = {.rows = nodes, .columns = c->hidden, .dense = r->hidden};
    const crd_rows d_z = {.rows = nodes, .columns = c->latent, .dense = r->d_z};
    crd_linear_backward_weight(r->kernels, team, &hidden, NULL, r->d_z, c->latent, gradient[W2]);
    crd_linear_backward_bias(team, r->d_z, nodes, c->latent, gradient[B2]);
    crd_transpose(p[W2].value, c->hidden, c->latent, r->w2_transposed);
    crd_linear_forward(r->kernels, team, &d_z, r->w2_transposed, c->hidden, NULL, r->d_hidden);
    crd_parallel_rows(team, nodes, 256, activate_backward_rows, job);
    const crd_features *t = &r->transposed;
    const crd_rows transposed = {t->rows, t->columns, t->start, t->column, t->value, NULL};
    crd_linear_backward_weight(r->kernels, team, &r->x, &transposed, r->d_hidden, c->hidden, gradient[W1]);
    crd_linear_backward_bias(team, r->d_hidden, nodes, c->hidden, gradient[B1]);
}

static void step(crd_run *r, bool warmup, uint64_t dropout_key, float *const *gradient, crd_loss *loss)
{
    const crd_config *c = &r->model->config;
    const crd_parameter *p = r->model->parameter;
    const crd_graph *graph = r->inputs.graph;
    crd_team *team = r->inputs.team;
    rows_job job = {r, {c->dropout, dropout_key}};

    forward(r, job.dropout);
    crd_diffusion_run(&r->diffusion, r->kernels, team, r->evidence, r->diffused);

    memset(r->gradient, 0, (size_t)(graph->nodes * r->stride) * sizeof *r->gradient);
    crd_dirichlet_terms terms =
        crd_dirichlet_loss(r->diffused, r->model->classes, r->stride, r->inputs.nodes, r->inputs.labels,
                           r->inputs.count, c->entropy_weight, team, r->gradient);
    *loss = (crd_loss){2, {"uce", "entropy"}, {terms.uce, 0.0 - c->entropy_weight * terms.entropy}};

    crd_diffusion_run(&r->diffusion, r->kernels, team, r->gradient, r->gradient);
    if (c->reg == CRD_REG_EVIDENCE) {
        double sum = crd_evidence_distance_sum(&r->evidence_distance, graph->nodes, graph->start,
                                               graph->neighbour, r->evidence, r->model->classes, r->stride,
                                               c->reg_weight, team, r->gradient);
        loss->name[loss->terms] = "evidence";
        loss->value[loss->terms++] = c->reg_weight * sum;
    }
    crd_parallel_rows(team, graph->nodes, 256, log_rows, &job);
    crd_flow_backward(&r->flow, r->kernels, team, p[ALPHA].value, p[BETA].value, graph->nodes, r->z,
                      r->gradient, r->stride, r->d_z, gradient[CENTER], gradient[ALPHA], gradient[BETA]);
    if (c->reg == CRD_REG_DISTANCE) {
        double sum;
        crd_parallel_sum(team, graph->nodes, distance_rows, r, 1, &sum);
        loss->name[loss->terms] = "distance";
        loss->value[loss->terms++] = c->reg_weight * sum;
    }
    if (!warmup) {
        backward_encoder(r, &job, gradient);
        r->fresh = false; /* the optimiser is about to move the first layer's weights */
    }
}

/* Rows without their padding. */
static void copy_rows(const crd_run *r, const float *padded, float *rows)
{
    const int64_t classes = r->model->classes;
    for (int64_t i = 0; i < r->inputs.graph->nodes; i++)
        memcpy(rows + i * classes, padded + i * r->stride, (size_t)classes * sizeof *rows);
}

static void infer(crd_run *r, float *evidence, float *evidence_features)
{
    forward(r, (crd_dropout){0});
    crd_diffusion_run(&r->diffusion, r->kernels, r->inputs.team, r->evidence, r->diffused);
    copy_rows(r, r->diffused, evidence);
    if (evidence_features != NULL) copy_rows(r, r->evidence, evidence_features);
}

const crd_model_kind crd_gpn = {"gpn", declare, recognise, initialise, open_run, close_run, step, infer};
