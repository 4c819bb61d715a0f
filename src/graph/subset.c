/* Some of a dataset's nodes. */
#include "graph/dataset.h"

#include <stdlib.h>
#include <string.h>

/* node_of[i] is the node that the subset's node i was; place is the inverse, -1 where a node is gone. */
typedef struct {
    int64_t count;
    int32_t *node_of, *place;
} selection;

static crd_status select_nodes(const uint8_t *keep, int64_t nodes, selection *s, crd_error *error)
{
    crd_status status = CRD_NEW(&s->node_of, nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&s->place, nodes, error);
    for (int64_t i = 0; i < nodes && status == CRD_OK; i++) {
        s->place[i] = keep[i] ? (int32_t)s->count : -1;
        if (keep[i]) s->node_of[s->count++] = (int32_t)i;
    }
    return status;
}

/* Neighbours stay in ascending order, as nodes do. */
static crd_status take_graph(const crd_graph *graph, const selection *s, crd_graph *taken, crd_error *error)
{
    crd_status status = CRD_NEW(&taken->start, s->count + 1, error);
    if (status != CRD_OK) return status;
    taken->nodes = s->count;
    taken->start[0] = 0;
    for (int64_t i = 0; i < s->count; i++) {
        const int64_t node = s->node_of[i];
        taken->start[i + 1] = taken->start[i];
        for (int64_t e = graph->start[node]; e < graph->start[node + 1]; e++)
            taken->start[i + 1] += s->place[graph->neighbour[e]] >= 0;
    }
    status = CRD_NEW(&taken->neighbour, taken->start[s->count], error);
    for (int64_t i = 0, at = 0; i < s->count && status == CRD_OK; i++) {
        const int64_t node = s->node_of[i];
        for (int64_t e = graph->start[node]; e < graph->start[node + 1]; e++) {
            const int32_t place = s->place[graph->neighbour[e]];
            if (place >= 0) taken->neighbour[at++] = place;
        }
    }
    return status;
}

static crd_status take_dense(const crd_features *f, const selection *s, crd_features *taken, crd_error *error)
{
    crd_status status = CRD_NEW(&taken->dense, s->count * f->columns, error);
    for (int64_t i = 0; i < s->count && status == CRD_OK; i++)
        memcpy(taken->dense + i * f->columns, f->dense + s->node_of[i] * f->columns,
               (size_t)f->columns * sizeof *f->dense);
    return status;
}

static crd_status take_sparse(const crd_features *f, const selection *s, crd_features *taken,
                              crd_error *error)
{
    crd_status status = CRD_NEW(&taken->start, s->count + 1, error);
    if (status != CRD_OK) return status;
    taken->start[0] = 0;
    for (int64_t i = 0; i < s->count; i++)
        taken->start[i + 1] = taken->start[i] + f->start[s->node_of[i] + 1] - f->start[s->node_of[i]];
    status = CRD_NEW(&taken->column, taken->start[s->count], error);
    if (status == CRD_OK) status = CRD_NEW(&taken->value, taken->start[s->count], error);
    for (int64_t i = 0; i < s->count && status == CRD_OK; i++) {
        const int64_t from = f->start[s->node_of[i]], to = taken->start[i];
        const size_t count = (size_t)(taken->start[i + 1] - to);
        if (count == 0) continue;
        memcpy(taken->column + to, f->column + from, count * sizeof *f->column);
        memcpy(taken->value + to, f->value + from, count * sizeof *f->value);
    }
    return status;
}

/* Sparse or dense as they were: models treat the two differently. */
static crd_status take_features(const crd_features *f, const selection *s, crd_features *taken,
                                crd_error *error)
{
    taken->rows = s->count;
    taken->columns = f->columns;
    taken->sparse = f->sparse;
    if (f->columns == 0) return CRD_OK;
    return f->sparse ? take_sparse(f, s, taken, error) : take_dense(f, s, taken, error);
}

static crd_status take_classes(const crd_dataset *dataset, const selection *s, crd_dataset *taken,
                               crd_error *error)
{
    crd_status status = CRD_NEW(&taken->labels, s->count, error);
    for (int64_t i = 0; i < s->count && status == CRD_OK; i++)
        taken->labels[i] = dataset->labels[s->node_of[i]];
    if (status == CRD_OK) status = CRD_NEW_ZERO(&taken->class_names, dataset->classes, error);
    if (status != CRD_OK) return status;
    taken->classes = dataset->classes;
    taken->class_names_given = dataset->class_names_given;
    for (int32_t c = 0; c < dataset->classes && status == CRD_OK; c++)
        status = crd_copy_string(&taken->class_names[c], dataset->class_names[c], error);
    return status;
}

crd_status crd_dataset_subset(const crd_dataset *dataset, const uint8_t *keep, crd_dataset **subset,
                              crd_error *error)
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
    if (status == CRD_OK) status = take_features(&dataset->features, &s, &taken->features, error);
    if (status == CRD_OK) status = take_classes(dataset, &s, taken, error);
    if (status == CRD_OK) {
        memcpy(taken->fingerprint, dataset->fingerprint, sizeof taken->fingerprint);
        memcpy(taken->graph_fingerprint, dataset->graph_fingerprint, sizeof taken->graph_fingerprint);
    }
    free(s.node_of);
    free(s.place);
    if (status == CRD_OK) *subset = taken;
    else crd_dataset_free(&taken);
    return status;
}
