/* GKDE: a kernel density of the labelled nodes over distances in the graph. At d hops, each gives its class the
 * evidence exp(-d^2/2)/sqrt(2 pi). */
#include <string.h>

#include "kernels/hops.h"
#include "models/remember.h"

typedef struct {
    crd_run run;
    float *evidence; /* [N][classes] */
} gkde_run;

static void plan(crd_run *run)
{
    CRD_PLAN(&run->plan, &((gkde_run *)run)->evidence, run->inputs.graph->nodes * run->model->classes);
}

static crd_status start(crd_run *run, crd_error *error)
{
    const crd_model *model = run->model;
    const crd_graph *graph = run->inputs.graph;
    return crd_hop_evidence(graph->nodes, graph->start, graph->neighbour, model->remembered_node,
                            model->remembered_class, model->remembered, model->classes, CRD_GKDE_HOPS, run->inputs.team,
                            ((gkde_run *)run)->evidence, error);
}

static void infer(crd_run *run, float *evidence, float *before_graph)
{
    const crd_model *model = run->model;
    const int64_t nodes = run->inputs.graph->nodes, count = nodes * model->classes;
    memcpy(evidence, ((gkde_run *)run)->evidence, (size_t)count * sizeof *evidence);
    if (model->config.rounded_alpha) crd_remembered_round(count, evidence);
    if (before_graph != NULL) crd_remembered_fill(model, nodes, model->classes, 1.0f, before_graph);
}

static void weigh(const crd_model *model, const crd_graph *graph, int64_t node, const int32_t *hops, crd_weights *w)
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
    .run_size = sizeof(gkde_run),
    .plan = plan,
    .start = start,
    .infer = infer,
    .weigh = weigh,
    .reach = reach,
};
