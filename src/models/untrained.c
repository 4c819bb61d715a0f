/* SPDX-License-Identifier: MIT */
/* Models that are not trained: they keep their training nodes and use the graph around them. Features do not matter.
 *
 * Label propagation (lp) is the labelled nodes, diffused over the graph, and a little PageRank so that every node has
 * some evidence:
 *
 *     evidence_ic = (0.9 ppr_ic + 0.1 pr_ic) n_c / |T|
 *
 * with ppr the diffusion of q_tc = 1/n_c at the training nodes of class c, and pr_ic = pi_i times the sum of column c
 * of q, which is 1. So evidence is a sum over training nodes t of class c. Each gives (0.9 ppr_i(t) + 0.1 pi_i) /
 * |T|, where ppr_i(t) is the weight of t in the diffusion's result at i.
 *
 * GKDE is a kernel density of the labelled nodes over distances in the graph. At d hops, each gives its class the
 * evidence exp(-d^2/2)/sqrt(2 pi). */
#include <math.h>
#include <string.h>

#include "kernels/diffusion.h"
#include "kernels/linear.h"
#include "models/model.h"

static const double PAGERANK_SHARE = 0.1, PAGERANK_TELEPORT = 0.1, PAGERANK_CHANGE = 1e-5;

typedef struct {
    crd_run run;
    float own;       /* the evidence of a training node before the graph */
    float *evidence; /* [N][classes] */

    /* Label propagation. */
    crd_diffusion diffusion;
    int64_t stride;       /* of rows that are diffused: classes, padded */
    float *rows;          /* [N][stride], the labelled nodes */
    double *rank, *spare; /* [N] */
} untrained_run;

/* ---- what both have in common ---- */

static void plan(crd_run *run)
{
    untrained_run *r = (untrained_run *)run;
    r->own = 1.0f;
    CRD_PLAN(&run->plan, &r->evidence, run->inputs.graph->nodes * run->model->classes);
}

/* Each training node's own evidence at its class, 0 elsewhere; rows are `stride` floats apart. */
static void fill_own(const untrained_run *r, int64_t stride, float *rows)
{
    const crd_model *model = r->run.model;
    memset(rows, 0, (size_t)(r->run.inputs.graph->nodes * stride) * sizeof *rows);
    for (int64_t t = 0; t < model->remembered; t++)
        rows[model->remembered_node[t] * stride + model->remembered_class[t]] = r->own;
}

static void infer(crd_run *run, float *evidence, float *before_graph)
{
    const untrained_run *r = (untrained_run *)run;
    const crd_model *model = run->model;
    const int64_t count = run->inputs.graph->nodes * model->classes;
    for (int64_t i = 0; i < count; i++) { /* rounded as if 1 + evidence had been stored in a float */
        const float alpha = 1.0f + r->evidence[i];
        evidence[i] = model->config.rounded_alpha ? alpha - 1.0f : r->evidence[i];
    }
    if (before_graph != NULL) fill_own(r, model->classes, before_graph);
}

/* ---- label propagation ---- */

/* pi = 0.9 A^ pi + 0.1/N from pi = 1/N until it hardly changes: A^ has no eigenvalue above 1, so the change shrinks
 * by at least a tenth every time. Both arrays have one number per node. */
static void page_rank(const crd_graph *graph, double *rank, double *spare)
{
    const int64_t nodes = graph->nodes, *start = graph->start;
    const double even = 1.0 / (double)nodes;
    for (int64_t i = 0; i < nodes; i++) rank[i] = even;
    for (double change = 1.0; sqrt(change) >= PAGERANK_CHANGE;) {
        for (int64_t i = 0; i < nodes; i++) /* scales the rows once, so that the sums need no roots */
            spare[i] = rank[i] / sqrt((double)(start[i + 1] - start[i]) + 1.0);
        change = 0.0;
        for (int64_t i = 0; i < nodes; i++) {
            double sum = spare[i];
            for (int64_t e = start[i]; e < start[i + 1]; e++) sum += spare[graph->neighbour[e]];
            const double next = (1.0 - PAGERANK_TELEPORT) * sum / sqrt((double)(start[i + 1] - start[i]) + 1.0) +
                                PAGERANK_TELEPORT * even;
            change += (next - rank[i]) * (next - rank[i]);
            rank[i] = next;
        }
    }
}

/* evidence = 0.9 diffused + 0.1 pi n_c / |T|; `diffused` has |T| divided out already. */
static void mix(untrained_run *r, const float *diffused)
{
    const crd_model *model = r->run.model;
    const double all = (double)model->remembered;
    for (int64_t i = 0; i < r->run.inputs.graph->nodes; i++)
        for (int32_t k = 0; k < model->classes; k++)
            r->evidence[i * model->classes + k] =
                (float)((1.0 - PAGERANK_SHARE) * (double)diffused[i * r->stride + k] +
                        PAGERANK_SHARE * r->rank[i] * (double)model->class_counts[k] / all);
}

static void lp_plan(crd_run *run)
{
    untrained_run *r = (untrained_run *)run;
    const crd_model *model = run->model;
    const int64_t nodes = run->inputs.graph->nodes;
    plan(run);
    r->own = (float)(1.0 / (double)model->remembered);
    r->stride = crd_padded(model->classes);
    crd_diffusion_plan(&r->diffusion, &run->plan, nodes, r->stride, model->config.teleport, model->config.steps);
    CRD_PLAN(&run->plan, &r->rows, nodes * r->stride);
    CRD_PLAN(&run->plan, &r->rank, nodes);
    CRD_PLAN(&run->plan, &r->spare, nodes);
}

static crd_status lp_start(crd_run *run, crd_error *error)
{
    (void)error;
    untrained_run *r = (untrained_run *)run;
    const crd_graph *graph = run->inputs.graph;
    crd_diffusion_start(&r->diffusion, graph->start, graph->neighbour);
    fill_own(r, r->stride, r->rows);
    page_rank(graph, r->rank, r->spare);
    mix(r, crd_diffusion_run(&r->diffusion, run->kernels, run->inputs.team, r->rows, (crd_row_list){0}));
    return CRD_OK;
}

static void lp_weigh(const crd_model *model, const crd_graph *graph, int view, int64_t node, const int32_t *hops,
                     crd_weights *w)
{
    (void)view;
    (void)hops;
    page_rank(graph, w->weight, w->spare);
    const double rank = w->weight[node];
    for (int64_t i = 0; i < graph->nodes; i++) w->weight[i] = 0.0;
    crd_diffusion_row(graph->start, graph->neighbour, model->config.teleport, model->config.steps, node, w);
    for (int64_t i = 0; i < graph->nodes; i++) {
        w->weight[i] = (1.0 - PAGERANK_SHARE) * w->weight[i] + PAGERANK_SHARE * rank;
        if (!w->seen[i]) w->reached[w->count++] = (int32_t)i;
        w->seen[i] = 1;
    }
}

const crd_model_kind crd_lp = {
    .name = "lp",
    .help = "label propagation: the density of labelled nodes, spread over the edges; needs no features",
    .output = CRD_OUTPUT_EVIDENCE,
    .settings = "teleport=0.1 steps=10",
    .run_size = sizeof(untrained_run),
    .plan = lp_plan,
    .start = lp_start,
    .infer = infer,
    .weigh = lp_weigh,
};

/* ---- GKDE ---- */

static crd_status gkde_start(crd_run *run, crd_error *error)
{
    const crd_model *model = run->model;
    const crd_graph *graph = run->inputs.graph;
    return crd_hop_evidence(graph->nodes, graph->start, graph->neighbour, model->remembered_node,
                            model->remembered_class, model->remembered, model->classes, CRD_GKDE_HOPS, run->inputs.team,
                            ((untrained_run *)run)->evidence, error);
}

static void gkde_weigh(const crd_model *model, const crd_graph *graph, int view, int64_t node, const int32_t *hops,
                       crd_weights *w)
{
    (void)model;
    (void)view;
    (void)node;
    w->count = 0;
    for (int64_t i = 0; i < graph->nodes; i++) {
        w->weight[i] = 0.0;
        if (hops[i] < 0 || hops[i] > CRD_GKDE_HOPS) continue;
        w->reached[w->count++] = (int32_t)i;
        w->weight[i] = crd_hop_weight(hops[i]);
    }
}

static int64_t gkde_reach(const crd_model *model)
{
    (void)model;
    return CRD_GKDE_HOPS;
}

const crd_model_kind crd_gkde = {
    .name = "gkde",
    .help = "kernel density of the labelled nodes over distances in the graph; needs no features",
    .output = CRD_OUTPUT_EVIDENCE,
    .settings = "",
    .run_size = sizeof(untrained_run),
    .plan = plan,
    .start = gkde_start,
    .infer = infer,
    .weigh = gkde_weigh,
    .reach = gkde_reach,
};
