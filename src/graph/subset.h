/* Some of a dataset's nodes. */
#ifndef CRD_GRAPH_SUBSET_H
#define CRD_GRAPH_SUBSET_H

#include "graph/dataset.h"

/* The dataset without the nodes that are not kept (one byte a node) and their edges; the others are numbered
 * anew in their order. It is for models to work on: graph, features, labels and classes, without names of
 * nodes, notes and splits, and with the fingerprint of the whole. */
crd_status crd_dataset_subset(const crd_dataset *dataset, const uint8_t *keep, crd_dataset **subset,
                              crd_error *error);

#endif
