/* SPDX-License-Identifier: MIT */
/* A network of a committee: one encoder, three views of a node. The encoder gives every node logits for each view; the
 * first view takes them as they are, the second spreads them over two hops, the third far over the graph. So no view
 * depends on edges that mislead another one.
 *
 * Its last class is "unlabelled". It learns to tell labelled nodes of each class from the unlabelled ones, among which
 * are nodes of all classes, known and unknown. A node that looks like no labelled one is probably of a class without
 * labels. */
#include <math.h>
#include <string.h>

#include "base/watch.h"
#include "kernels/diffusion.h"
#include "kernels/linear.h"
#include "kernels/losses.h"
#include "models/mlp.h"

enum { ALONE, NEAR, FAR };

typedef struct {
    crd_run run;
    crd_mlp mlp;
    crd_diffusion near, far;
    int64_t stride;   /* of rows that are diffused: classes, padded */
    float *own;       /* [N][views][classes]: logits before the graph; in the backward pass, their gradient */
    float *padded;    /* [N][stride]: those of one view, padded for the diffusion */
    float *gradient;  /* [N][stride]: of the logits of one view */
    double *of_class; /* [classes]: the weight of a training node by its class */
} views_run;

static const crd_form FORMS[] = {
    {"encoder.0.weight", {CRD_HIDDEN, CRD_INPUTS}, CRD_INPUTS, .transposed = true, .decays = true},
    {"encoder.0.bias", {CRD_HIDDEN}, CRD_INPUTS, .decays = true},
    {"encoder.1.weight", {CRD_OUTPUTS, CRD_HIDDEN}, CRD_HIDDEN, .transposed = true, .decays = true},
    {"encoder.1.bias", {CRD_OUTPUTS}, CRD_HIDDEN, .decays = true},
    {.name = NULL},
};

static void plan(crd_run *run)
{
    views_run *r = (views_run *)run;
    const crd_model *model = run->model;
    const int64_t nodes = run->inputs.graph->nodes, outputs = crd_model_outputs(model);
    r->stride = crd_padded(model->classes);
    crd_mlp_plan(&r->mlp, run, outputs);
    crd_diffusion_plan(&r->near, &run->plan, nodes, r->stride, 0.0, CRD_NEAR_HOPS);
    crd_diffusion_plan(&r->far, &run->plan, nodes, r->stride, model->config.teleport, model->config.steps);
    CRD_PLAN(&run->plan, &r->own, nodes * outputs);
    CRD_PLAN_ZERO(&run->plan, &r->padded, nodes * r->stride);
    if (run->inputs.nodes == NULL) return;
    CRD_PLAN_ZERO(&run->plan, &r->gradient, nodes * r->stride);
    CRD_PLAN_ZERO(&run->plan, &r->of_class, model->classes);
}

void crd_views_weigh(const int32_t *labels, int64_t count, int32_t classes, const double *among, double *weight)
{
    int64_t unlabelled = 0;
    double labelled = 0.0;
    for (int64_t t = 0; t < count; t++) {
        if (labels[t] == classes - 1) unlabelled++;
        else labelled += among != NULL ? among[labels[t]] : 1.0;
    }
    for (int32_t c = 0; c < classes; c++) weight[c] = 0.0;
    for (int32_t c = 0; c < classes - 1 && labelled > 0.0; c++)
        weight[c] = CRD_LABELLED_SHARE * (double)count / labelled * (among != NULL ? among[c] : 1.0);
    if (unlabelled > 0) weight[classes - 1] = (1.0 - CRD_LABELLED_SHARE) * (double)count / (double)unlabelled;
}

void crd_views_surprise(const float *row, int32_t classes, int32_t label, double weight, double sums[CRD_TEMPERATURES])
{
    double total[CRD_TEMPERATURES] = {0.0}, most = (double)row[0];
    for (int32_t k = 1; k < classes; k++) most = fmax(most, (double)row[k]);
    for (int32_t k = 0; k < classes; k++) {
        double share = exp(((double)row[k] - most) / 8.0); /* half the temperature squares it */
        for (int t = 0; t < CRD_TEMPERATURES; t++, share *= share) total[t] += share;
    }
    for (int t = 0; t < CRD_TEMPERATURES; t++)
        sums[t] += weight * (log(total[t]) - ((double)row[label] - most) / (double)(8 >> t));
}

static crd_status start(crd_run *run, crd_error *error)
{
    views_run *r = (views_run *)run;
    const crd_inputs *inputs = &run->inputs;
    (void)error;
    crd_diffusion_start_part(&r->near, inputs->graph->start, inputs->graph->neighbour, inputs->degree);
    crd_diffusion_start_part(&r->far, inputs->graph->start, inputs->graph->neighbour, inputs->degree);
    if (inputs->nodes != NULL)
        crd_views_weigh(inputs->labels, inputs->count, run->model->classes, run->class_weight, r->of_class);
    return CRD_OK;
}

/* Spreads rows of a view over the graph; in both directions, because the matrices are symmetric. */
static const float *spread(views_run *r, int view, const float *rows)
{
    if (view == ALONE) return rows;
    return crd_diffusion_run(view == NEAR ? &r->near : &r->far, r->run.kernels, r->run.inputs.team, rows,
                             (crd_row_list){0});
}

/* The logits of a view, [N][stride]. */
static const float *look(views_run *r, int view)
{
    const int64_t classes = r->run.model->classes;
    for (int64_t i = 0; i < r->run.inputs.graph->nodes && !crd_watch_at(i); i++)
        memcpy(r->padded + i * r->stride, r->own + (i * CRD_VIEWS + view) * classes, (size_t)classes * sizeof *r->own);
    return spread(r, view, r->padded);
}

static void step(crd_run *run, bool warmup, uint64_t dropout_key, float *const *gradient, crd_loss *loss)
{
    views_run *r = (views_run *)run;
    (void)warmup; /* it has none */
    const crd_inputs *inputs = &run->inputs;
    const int64_t nodes = inputs->graph->nodes, classes = run->model->classes;
    const crd_dropout dropout = {run->model->config.dropout, dropout_key};
    double sum = 0.0;
    crd_mlp_forward(&r->mlp, dropout, nodes, r->own);
    for (int view = 0; view < CRD_VIEWS; view++) {
        memset(r->gradient, 0, (size_t)(nodes * r->stride) * sizeof *r->gradient);
        sum += crd_cross_entropy(look(r, view), nodes, classes, r->stride, inputs->nodes, inputs->labels, inputs->count,
                                 r->of_class, inputs->team, r->gradient);
        const float *back = spread(r, view, r->gradient);
        for (int64_t i = 0; i < nodes && !crd_watch_at(i); i++)
            memcpy(r->own + (i * CRD_VIEWS + view) * classes, back + i * r->stride, (size_t)classes * sizeof *r->own);
    }
    *loss = (crd_loss){1, {"cross_entropy"}, {sum}};
    crd_mlp_backward(&r->mlp, dropout, r->own, gradient);
}

static void infer(crd_run *run, float *logits, float *before_graph)
{
    views_run *r = (views_run *)run;
    const crd_inputs *inputs = &run->inputs;
    const int64_t classes = run->model->classes;
    const int64_t rows = inputs->wanted != NULL ? inputs->wanted_count : inputs->graph->nodes;
    crd_mlp_forward(&r->mlp, (crd_dropout){0}, inputs->graph->nodes, r->own);
    if (before_graph != NULL)
        memcpy(before_graph, r->own, (size_t)(inputs->graph->nodes * CRD_VIEWS * classes) * sizeof *r->own);
    for (int view = 0; view < CRD_VIEWS; view++) {
        const float *seen = look(r, view);
        for (int64_t w = 0; w < rows && !crd_watch_at(w); w++) {
            const int64_t i = inputs->wanted != NULL ? inputs->wanted[w] : w;
            memcpy(logits + (w * CRD_VIEWS + view) * classes, seen + i * r->stride, (size_t)classes * sizeof *logits);
        }
    }
}

/* ---- where the logits of a node come from ---- */

void crd_views_walk(const crd_model *model, int view, double *teleport, int64_t *steps)
{
    *teleport = view == FAR ? model->config.teleport : 0.0;
    *steps = view == ALONE ? 0 : view == NEAR ? CRD_NEAR_HOPS : model->config.steps;
}

static void weigh(const crd_model *model, const crd_graph *graph, int view, int64_t node, const int32_t *hops,
                  crd_weights *weights)
{
    double teleport;
    int64_t steps;
    (void)hops;
    crd_views_walk(model, view, &teleport, &steps);
    crd_diffusion_row(graph->start, graph->neighbour, teleport, steps, node, weights);
}

/* One edge more than steps, because what a node passes on depends on its number of neighbours. */
static int64_t reach(const crd_model *model)
{
    return (model->config.steps > CRD_NEAR_HOPS ? model->config.steps : CRD_NEAR_HOPS) + 1;
}

const crd_model_kind crd_views = {
    .name = "committee",
    .help = "one network of a committee",
    .output = CRD_OUTPUT_LOGITS,
    .trained = true,
    .views = CRD_VIEWS,
    .forms = FORMS,
    .settings = CRD_COMMITTEE_SETTINGS,
    .run_size = sizeof(views_run),
    .plan = plan,
    .start = start,
    .step = step,
    .infer = infer,
};

/* All of a committee's work is done by its networks; see train/committee.c and answers/committee.c. */
const crd_model_kind crd_committee = {
    .name = "committee",
    .help = "networks that see nodes alone, near and far, joined by what held-out labels show; the default",
    .output = CRD_OUTPUT_LOGITS,
    .trained = true,
    .edges = "weighs what it sees along edges against a node's own features, by what held-out labels show",
    .settings = CRD_COMMITTEE_SETTINGS,
    .weigh = weigh,
    .reach = reach,
};
