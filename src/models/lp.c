/* Label propagation: the density of labelled nodes, diffused over the graph from where they are, and a little
 * of PageRank so that no node is without any.
 *
 *     evidence_ic = (0.9 ppr_ic + 0.1 pr_ic) n_c / |T|
 *
 * with ppr the diffusion of q_tc = 1/n_c at the training nodes of class c, and pr_ic = pi_i times the sum of
 * column c of q, which is 1. So evidence is a sum over training nodes t of class c, each of which gives
 * (0.9 ppr_i(t) + 0.1 pi_i) / |T|, where ppr_i(t) is the weight of t in what the diffusion brings to i. */
#include <math.h>
#include <stdlib.h>

#include "kernels/diffusion.h"
#include "kernels/padding.h"
#include "models/remember.h"

static const double PAGERANK_SHARE = 0.1, PAGERANK_TELEPORT = 0.1, PAGERANK_CHANGE = 1e-5;

struct crd_run {
    const crd_model *model;
    int64_t nodes;
    float *evidence; /* [N][classes] */
};

/* pi = 0.9 A^ pi + 0.1/N from pi = 1/N until it hardly changes: A^ has no eigenvalue above 1, so the change
 * shrinks by a tenth at least every time. Both arrays hold nodes numbers. */
static void page_rank(const crd_graph *graph, double *rank, double *spare)
{
    const int64_t nodes = graph->nodes, *start = graph->start;
    const double even = 1.0 / (double)nodes;
    for (int64_t i = 0; i < nodes; i++) rank[i] = even;
    for (double change = 1.0; sqrt(change) >= PAGERANK_CHANGE;) {
        for (int64_t i = 0; i < nodes; i++) /* rows scaled once, so that the sums need no roots */
            spare[i] = rank[i] / sqrt((double)(start[i + 1] - start[i]) + 1.0);
        change = 0.0;
        for (int64_t i = 0; i < nodes; i++) {
            double sum = spare[i];
            for (int64_t e = start[i]; e < start[i + 1]; e++) sum += spare[graph->neighbour[e]];
            const double next =
                (1.0 - PAGERANK_TELEPORT) * sum / sqrt((double)(start[i + 1] - start[i]) + 1.0) +
                PAGERANK_TELEPORT * even;
            change += (next - rank[i]) * (next - rank[i]);
            rank[i] = next;
        }
    }
}

static void close_run(crd_run **run)
{
    if (*run != NULL) free((*run)->evidence);
    free(*run);
    *run = NULL;
}

/* evidence = 0.9 diffused + 0.1 pi n_c / |T|; `diffused` has |T| divided out already. */
static void mix(crd_run *r, const float *diffused, int64_t stride, const double *rank)
{
    const crd_model *model = r->model;
    const double all = (double)model->remembered;
    for (int64_t i = 0; i < r->nodes; i++)
        for (int32_t k = 0; k < model->classes; k++)
            r->evidence[i * model->classes + k] =
                (float)((1.0 - PAGERANK_SHARE) * (double)diffused[i * stride + k] +
                        PAGERANK_SHARE * rank[i] * (double)model->class_counts[k] / all);
}

static crd_status fill(crd_run *r, const crd_inputs *inputs, crd_error *error)
{
    const crd_graph *graph = inputs->graph;
    const crd_model *model = r->model;
    const int64_t stride = crd_padded(model->classes);
    const crd_kernels *kernels;
    crd_diffusion diffusion = {0};
    double *rank = NULL, *spare = NULL;
    float *rows = NULL;
    crd_status status = crd_kernels_pick(&kernels, error);
    if (status == CRD_OK) status = CRD_NEW(&r->evidence, graph->nodes * model->classes, error);
    if (status == CRD_OK) status = CRD_NEW(&rank, graph->nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&spare, graph->nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&rows, graph->nodes * stride, error);
    if (status == CRD_OK)
        status = crd_diffusion_open(&diffusion, graph->nodes, graph->start, graph->neighbour, stride,
                                    model->config.teleport, model->config.steps, error);
    if (status == CRD_OK) {
        crd_remembered_fill(model, graph->nodes, stride, (float)(1.0 / (double)model->remembered), rows);
        page_rank(graph, rank, spare);
        mix(r, crd_diffusion_run(&diffusion, kernels, inputs->team, rows, (crd_row_list){0}), stride, rank);
    }
    crd_diffusion_close(&diffusion);
    free(rank);
    free(spare);
    free(rows);
    return status;
}

static crd_status open_run(const crd_model *model, const crd_inputs *inputs, crd_run **run, crd_error *error)
{
    crd_status status = CRD_NEW_ZERO(run, 1, error);
    if (status != CRD_OK) return status;
    (*run)->model = model;
    (*run)->nodes = inputs->graph->nodes;
    status = fill(*run, inputs, error);
    if (status != CRD_OK) close_run(run);
    return status;
}

static void infer(crd_run *r, float *evidence, float *before_graph)
{
    const int32_t classes = r->model->classes;
    for (int64_t i = 0; i < r->nodes * classes; i++) evidence[i] = r->evidence[i];
    if (r->model->config.rounded_alpha) crd_remembered_round(r->nodes * classes, evidence);
    if (before_graph != NULL)
        crd_remembered_fill(r->model, r->nodes, classes, (float)(1.0 / (double)r->model->remembered),
                            before_graph);
}

static void weigh(const crd_model *model, const crd_graph *graph, int64_t node, const int32_t *hops,
                  crd_weights *w)
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
    .open = open_run,
    .close = close_run,
    .infer = infer,
    .weigh = weigh,
};
