/* The paper's last example: two classes at [1,0,0] and [-1,0,0], and nodes out of distribution at [0,1,v]
 * with v uniform in (-1, 1). Every class is fully connected inside and not at all outside. */
#include "base/random.h"
#include "graph/generate.h"

/* Nodes lie class by class; class c's are first_of(c) .. first_of(c + 1) - 1. */
static int64_t first_of(int64_t nodes, int64_t c)
{
    return nodes * c / CRD_TOY_CLASSES;
}

static crd_status connect(int64_t nodes, crd_graph *graph, crd_error *error)
{
    int64_t edges = 0;
    for (int64_t c = 0; c < CRD_TOY_CLASSES; c++) {
        int64_t size = first_of(nodes, c + 1) - first_of(nodes, c);
        edges += size * (size - 1);
    }
    graph->nodes = nodes;
    crd_status status = CRD_NEW(&graph->start, nodes + 1, error);
    if (status == CRD_OK) status = CRD_NEW(&graph->neighbour, edges, error);
    if (status != CRD_OK) return status;
    int64_t at = 0;
    for (int64_t c = 0; c < CRD_TOY_CLASSES; c++)
        for (int64_t i = first_of(nodes, c); i < first_of(nodes, c + 1); i++) {
            graph->start[i] = at;
            for (int64_t j = first_of(nodes, c); j < first_of(nodes, c + 1); j++)
                if (j != i) graph->neighbour[at++] = (int32_t)j;
        }
    graph->start[nodes] = at;
    return CRD_OK;
}

crd_status crd_generate_toy(const crd_generate_options *options, crd_dataset *dataset, crd_error *error)
{
    static const float place[CRD_TOY_CLASSES][CRD_TOY_FEATURES] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}};
    int64_t nodes = options->nodes;
    crd_features *features = &dataset->features;
    features->rows = nodes;
    features->columns = CRD_TOY_FEATURES;
    crd_status status = CRD_NEW(&features->dense, nodes * CRD_TOY_FEATURES, error);
    if (status == CRD_OK) status = CRD_NEW(&dataset->labels, nodes, error);
    if (status == CRD_OK) status = connect(nodes, &dataset->input, error);
    if (status != CRD_OK) return status;
    crd_rng rng = crd_rng_start(options->seed, CRD_RNG_GENERATE_FEATURES);
    for (int c = 0; c < CRD_TOY_CLASSES; c++)
        for (int64_t i = first_of(nodes, c); i < first_of(nodes, c + 1); i++) {
            float *row = features->dense + i * CRD_TOY_FEATURES;
            for (int f = 0; f < CRD_TOY_FEATURES; f++) row[f] = place[c][f];
            if (c == CRD_TOY_CLASSES - 1) row[2] = (float)(2.0 * crd_rng_uniform(&rng) - 1.0);
            dataset->labels[i] = c;
        }
    return CRD_OK;
}
