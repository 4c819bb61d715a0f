#include "public_graphs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "credence_private.h"

const crd_public_graph *crd_public_graph_find(const char *name)
{
    for (int i = 0; i < crd_public_graph_count(); i++)
        if (strcmp(crd_public_graph_at(i)->name, name) == 0) return crd_public_graph_at(i);
    return NULL;
}

const crd_public_graph *crd_public_graph_of(const char *fingerprint)
{
    for (int i = 0; i < crd_public_graph_count(); i++) {
        const crd_public_graph *graph = crd_public_graph_at(i);
        if (graph->fingerprint != NULL && strcmp(graph->fingerprint, fingerprint) == 0) return graph;
    }
    return NULL;
}

/* ---- the order of the classes ---- */

/* For every class in the known order, finds the dataset's class of that size. There must be exactly one, or it is a
 * different graph. */
static crd_status find_order(const crd_public_graph *graph, const int64_t *counts, int32_t *order, crd_error *error)
{
    for (int32_t c = 0; c < graph->classes; c++) {
        int found = 0;
        for (int32_t d = 0; d < graph->classes; d++) {
            if (counts[d] != graph->class_sizes[c]) continue;
            order[c] = d;
            found++;
        }
        if (found != 1)
            return crd_fail(error, CRD_ERROR_MISMATCH,
                            "these data are not %s (%s): one class with %lld nodes was expected, found %d", graph->name,
                            graph->title, (long long)graph->class_sizes[c], found);
    }
    return CRD_OK;
}

/* Whether classes have names other than their numbers. */
static bool has_names(const crd_dataset *dataset)
{
    char number[16];
    bool names = false;
    for (int32_t c = 0; c < crd_dataset_classes(dataset); c++) {
        snprintf(number, sizeof number, "%d", (int)c);
        names = names || strcmp(crd_dataset_class_name(dataset, c), number) != 0;
    }
    return names;
}

/* Classes without names are named by their number, which becomes the known one. Models tell classes apart by name,
 * so they recognise them in any of the files. */
static crd_status number_classes(crd_dataset *dataset, const int32_t *order, crd_error *error)
{
    const int64_t nodes = crd_dataset_nodes(dataset);
    int32_t *labels = NULL;
    crd_status status = CRD_NEW(&labels, nodes, error);
    for (int64_t i = 0; i < nodes && status == CRD_OK; i++) {
        const int32_t label = crd_dataset_label(dataset, i);
        labels[i] = label;
        for (int32_t c = 0; c < crd_dataset_classes(dataset) && label >= 0; c++)
            if (order[c] == label) labels[i] = c;
    }
    if (status == CRD_OK) status = crd_dataset_set_labels(dataset, labels, error);
    free(labels);
    return status;
}

crd_status crd_public_graph_prepare(const crd_public_graph *graph, crd_dataset *dataset, crd_error *error)
{
    if (crd_dataset_nodes(dataset) != graph->nodes || crd_dataset_classes(dataset) != graph->classes)
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "these data are not %s (%s): %lld nodes and %d classes were expected, found %lld and %d",
                        graph->name, graph->title, (long long)graph->nodes, (int)graph->classes,
                        (long long)crd_dataset_nodes(dataset), (int)crd_dataset_classes(dataset));
    if (graph->class_sizes == NULL) return CRD_OK;
    int64_t *counts = NULL;
    int32_t *order = NULL;
    crd_status status = CRD_NEW(&counts, graph->classes, error);
    if (status == CRD_OK) status = CRD_NEW(&order, graph->classes, error);
    if (status == CRD_OK) {
        crd_dataset_class_counts(dataset, counts);
        status = find_order(graph, counts, order, error);
    }
    if (status == CRD_OK)
        status = has_names(dataset) ? crd_dataset_order_classes(dataset, order, error)
                                    : number_classes(dataset, order, error);
    free(counts);
    free(order);
    return status;
}
