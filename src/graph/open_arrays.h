/* Datasets as named arrays: an .npz archive or a folder of .npy files. */
#ifndef CRD_GRAPH_OPEN_ARRAYS_H
#define CRD_GRAPH_OPEN_ARRAYS_H

#include "graph/parts.h"
#include "io/bag.h"

/* Whether the bag has arrays that make a graph. */
bool crd_bag_has_graph(const crd_bag *bag);
/* Fills the parts from the arrays of either layout; what the options (or NULL) replace is not read. */
crd_status crd_parts_from_bag(crd_bag *bag, const crd_open_options *options, crd_parts *parts,
                              crd_error *error);
/* The splits in the bag, for a finished dataset. */
crd_status crd_splits_from_bag(crd_bag *bag, crd_dataset *dataset, crd_error *error);

#endif
