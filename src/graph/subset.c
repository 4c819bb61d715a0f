/* Some of a dataset's nodes. */
#include "graph/dataset.h"

#include <stdlib.h>
#include <string.h>

/* node_of[i] is the node that the subset's node i was; place is the inverse, -1 if a node is gone. */
typedef struct {
    int64_t count;
    int32_t *node_of, *place;
} selection;

static crd_status select_nodes(const uint8_t *keep, int64_t nodes, selection *s, crd_error *error)
{
    crd_status status = CRD_NEW(&s->node_of, 2 * nodes, error);
    s->place = s->node_of + nodes;
    for (int64_t i = 0; i < nodes && status == CRD_OK; i++) {
        s->place[i] = keep[i] ? (int32_t)s->count : -1;
        if (keep[i]) s->node_of[s->count++] = (int32_t)i;
    }
    return status;
}

/* Neighbours stay in ascending order, because nodes keep theirs. */
static crd_status take_graph(const crd_graph *graph, const selection *s, crd_graph *taken, crd_error *error)
{
    int64_t edges = 0, at = 0;
    for (int64_t i = 0; i < s->count; i++)
        for (int64_t e = graph->start[s->node_of[i]]; e < graph->start[s->node_of[i] + 1]; e++)
            edges += s->place[graph->neighbour[e]] >= 0;
    crd_status status = crd_graph_new(s->count, edges, taken, error);
    for (int64_t i = 0; i < s->count && status == CRD_OK; i++) {
        for (int64_t e = graph->start[s->node_of[i]]; e < graph->start[s->node_of[i] + 1]; e++) {
            const int32_t place = s->place[graph->neighbour[e]];
            if (place >= 0) taken->neighbour[at++] = place;
        }
        taken->start[i + 1] = at;
    }
    return status;
}

static crd_status take_classes(const crd_dataset *dataset, const selection *s, crd_dataset *taken, crd_error *error)
{
    crd_status status = CRD_NEW(&taken->labels, s->count, error);
    for (int64_t i = 0; i < s->count && status == CRD_OK; i++) taken->labels[i] = dataset->labels[s->node_of[i]];
    if (status == CRD_OK) status = CRD_NEW_ZERO(&taken->class_names, dataset->classes, error);
    if (status != CRD_OK) return status;
    taken->classes = dataset->classes;
    taken->class_names_given = dataset->class_names_given;
    for (int32_t c = 0; c < dataset->classes && status == CRD_OK; c++)
        status = crd_copy_string(&taken->class_names[c], dataset->class_names[c], error);
    return status;
}

crd_status crd_dataset_subset(const crd_dataset *dataset, const uint8_t *keep, crd_dataset **subset, crd_error *error)
{
    selection s = {0};
    crd_dataset *taken = NULL;
    *subset = NULL;
    crd_status status = select_nodes(keep, dataset->graph.nodes, &s, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&taken, 1, error);
    if (status == CRD_OK) {
        taken->graph_is_input = true;
        status = take_graph(&dataset->graph, &s, &taken->input, error);
        taken->graph = taken->input;
    }
    if (status == CRD_OK)
        status = crd_features_take_rows(&dataset->features, s.node_of, s.count, &taken->features, error);
    if (status == CRD_OK) status = take_classes(dataset, &s, taken, error);
    if (status == CRD_OK) {
        memcpy(taken->fingerprint, dataset->fingerprint, sizeof taken->fingerprint);
        memcpy(taken->graph_fingerprint, dataset->graph_fingerprint, sizeof taken->graph_fingerprint);
    }
    free(s.node_of);
    if (status == CRD_OK) *subset = taken;
    else crd_dataset_free(&taken);
    return status;
}
