/* SPDX-License-Identifier: MIT */
#include "public_graphs.h"

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
    /* Models tell classes apart by name, or else by the known number: they recognise them in any of the files. */
    if (status == CRD_OK) status = crd_dataset_order_classes(dataset, order, error);
    free(counts);
    free(order);
    return status;
}
