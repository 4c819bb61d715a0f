/* Parts of a dataset from single arrays: what .npz members, .npy files in a folder and .npy files given
 * beside a graph have in common. `source` stands behind the header that `npy` has; its name is the
 * array's. */
#ifndef CRD_GRAPH_ARRAY_PARTS_H
#define CRD_GRAPH_ARRAY_PARTS_H

#include "graph/parts.h"
#include "io/npy.h"
#include "io/sniff.h"

/* Pairs of node numbers, [2,E] or [E,2]; of [2,2] the former if `two_rows`. */
crd_status crd_take_edge_pairs(crd_source *source, const crd_npy *npy, bool two_rows, crd_parts *parts,
                               crd_error *error);
/* [N,F], or [N] for a single feature. */
crd_status crd_take_feature_array(crd_source *source, const crd_npy *npy, crd_parts *parts, crd_error *error);
/* [N] or [N,1]: integers, floats without fractions, or names of classes. */
crd_status crd_take_label_array(crd_source *source, const crd_npy *npy, crd_parts *parts, crd_error *error);

/* Says what weights were met: entries of weight 0, which are no edges, and weights that are not 1. */
crd_status crd_note_weights(crd_parts *parts, int64_t zeros, bool weighted, crd_error *error);

#endif
