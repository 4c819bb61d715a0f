/* GKDE: a kernel density of the labelled nodes over distances in the graph. Each gives its class the evidence
 * exp(-d^2/2)/sqrt(2 pi) at d hops. */
#include <stdlib.h>
#include <string.h>

#include "kernels/hops.h"
#include "models/remember.h"

struct crd_run {
    const crd_model *model;
    int64_t nodes;
    float *evidence; /* [N][classes] */
};

static void close_run(crd_run **run)
{
    if (*run != NULL) free((*run)->evidence);
    free(*run);
    *run = NULL;
}

static crd_status open_run(const crd_model *model, const crd_inputs *inputs, crd_run **run, crd_error *error)
{
    const crd_graph *graph = inputs->graph;
    crd_status status = CRD_NEW_ZERO(run, 1, error);
    if (status != CRD_OK) return status;
    (*run)->model = model;
    (*run)->nodes = graph->nodes;
    status = CRD_NEW(&(*run)->evidence, graph->nodes * model->classes, error);
    if (status == CRD_OK)
        status = crd_hop_evidence(graph->nodes, graph->start, graph->neighbour, model->remembered_node,
                                  model->remembered_class, model->remembered, model->classes, CRD_GKDE_HOPS,
                                  inputs->team, (*run)->evidence, error);
    if (status != CRD_OK) close_run(run);
    return status;
}

static void infer(crd_run *r, float *evidence, float *before_graph)
{
    const int32_t classes = r->model->classes;
    memcpy(evidence, r->evidence, (size_t)(r->nodes * classes) * sizeof *evidence);
    if (r->model->config.rounded_alpha) crd_remembered_round(r->nodes * classes, evidence);
    if (before_graph != NULL) crd_remembered_fill(r->model, r->nodes, classes, 1.0f, before_graph);
}

static void weigh(const crd_model *model, const crd_graph *graph, int64_t node, const int32_t *hops,
                  crd_weights *w)
{
    (void)model;
    (void)node;
    w->count = 0;
    for (int64_t i = 0; i < graph->nodes; i++) {
        w->weight[i] = 0.0;
        if (hops[i] < 0 || hops[i] > CRD_GKDE_HOPS) continue;
        w->reached[w->count++] = (int32_t)i;
        w->weight[i] = crd_hop_weight(hops[i]);
    }
}

static int64_t reach(const crd_model *model)
{
    (void)model;
    return CRD_GKDE_HOPS;
}

static const crd_setting SETTINGS[] = {{NULL, NULL}};

const crd_model_kind crd_gkde = {
    .name = "gkde",
    .help = "kernel density of the labelled nodes over distances in the graph; needs no features",
    .output = CRD_OUTPUT_EVIDENCE,
    .settings = SETTINGS,
    .declare = crd_remember_declare,
    .recognise = crd_remember_recognise,
    .initialise = crd_remember_initialise,
    .open = open_run,
    .close = close_run,
    .infer = infer,
    .weigh = weigh,
    .reach = reach,
};
