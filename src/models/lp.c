/* Label propagation: the labelled nodes, diffused over the graph, and a little PageRank so that every node has some
 * evidence.
 *
 *     evidence_ic = (0.9 ppr_ic + 0.1 pr_ic) n_c / |T|
 *
 * with ppr the diffusion of q_tc = 1/n_c at the training nodes of class c, and pr_ic = pi_i times the sum of column c
 * of q, which is 1. So evidence is a sum over training nodes t of class c. Each gives (0.9 ppr_i(t) + 0.1 pi_i) /
 * |T|, where ppr_i(t) is the weight of t in the diffusion's result at i. */
#include <math.h>
#include <string.h>

#include "kernels/diffusion.h"
#include "kernels/linear.h"
#include "models/remember.h"

static const double PAGERANK_SHARE = 0.1, PAGERANK_TELEPORT = 0.1, PAGERANK_CHANGE = 1e-5;

typedef struct {
    crd_run run;
    crd_diffusion diffusion;
    int64_t stride;       /* of rows that are diffused: classes, padded */
    float *evidence;      /* [N][classes] */
    float *rows;          /* [N][stride], the labelled nodes */
    double *rank, *spare; /* [N] */
} lp_run;

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
static void mix(lp_run *r, const float *diffused)
{
    const crd_model *model = r->run.model;
    const double all = (double)model->remembered;
    for (int64_t i = 0; i < r->run.inputs.graph->nodes; i++)
        for (int32_t k = 0; k < model->classes; k++)
            r->evidence[i * model->classes + k] =
                (float)((1.0 - PAGERANK_SHARE) * (double)diffused[i * r->stride + k] +
                        PAGERANK_SHARE * r->rank[i] * (double)model->class_counts[k] / all);
}

static void plan(crd_run *run)
{
    lp_run *r = (lp_run *)run;
    const crd_model *model = run->model;
    const int64_t nodes = run->inputs.graph->nodes;
    r->stride = crd_padded(model->classes);
    crd_diffusion_plan(&r->diffusion, &run->plan, nodes, r->stride, model->config.teleport, model->config.steps);
    CRD_PLAN(&run->plan, &r->evidence, nodes * model->classes);
    CRD_PLAN(&run->plan, &r->rows, nodes * r->stride);
    CRD_PLAN(&run->plan, &r->rank, nodes);
    CRD_PLAN(&run->plan, &r->spare, nodes);
}

static crd_status start(crd_run *run, crd_error *error)
{
    (void)error;
    lp_run *r = (lp_run *)run;
    const crd_graph *graph = run->inputs.graph;
    crd_diffusion_start(&r->diffusion, graph->start, graph->neighbour);
    crd_remembered_fill(run->model, graph->nodes, r->stride, (float)(1.0 / (double)run->model->remembered), r->rows);
    page_rank(graph, r->rank, r->spare);
    mix(r, crd_diffusion_run(&r->diffusion, run->kernels, run->inputs.team, r->rows, (crd_row_list){0}));
    return CRD_OK;
}

static void infer(crd_run *run, float *evidence, float *before_graph)
{
    const crd_model *model = run->model;
    const int64_t nodes = run->inputs.graph->nodes, count = nodes * model->classes;
    memcpy(evidence, ((lp_run *)run)->evidence, (size_t)count * sizeof *evidence);
    if (model->config.rounded_alpha) crd_remembered_round(count, evidence);
    if (before_graph != NULL)
        crd_remembered_fill(model, nodes, model->classes, (float)(1.0 / (double)model->remembered), before_graph);
}

static void weigh(const crd_model *model, const crd_graph *graph, int64_t node, const int32_t *hops, crd_weights *w)
{
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

static const crd_setting SETTINGS[] = {{"teleport", "0.1"}, {"steps", "10"}, {NULL, NULL}};

const crd_model_kind crd_lp = {
    .name = "lp",
    .help = "label propagation: the density of labelled nodes, spread over the edges; needs no features",
    .output = CRD_OUTPUT_EVIDENCE,
    .settings = SETTINGS,
    .declare = crd_remember_declare,
    .recognise = crd_remember_recognise,
    .initialise = crd_remember_initialise,
    .run_size = sizeof(lp_run),
    .plan = plan,
    .start = start,
    .infer = infer,
    .weigh = weigh,
};
