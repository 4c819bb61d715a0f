/* How the arrays of a split are called: beside a graph and in a file of their own alike. */
#ifndef CRD_GRAPH_SPLIT_ARRAYS_H
#define CRD_GRAPH_SPLIT_ARRAYS_H

#include "io/bag.h"

/* Training, validation and test, in this order. */
enum { CRD_SPLIT_ARRAYS = 3 };
typedef struct crd_split_array {
    uint8_t role;          /* crd_role */
    const char *names[12]; /* the spellings in use; NULL after the last */
} crd_split_array;
extern const crd_split_array crd_split_arrays[CRD_SPLIT_ARRAYS];

/* Whether an array of this name would be read as (part of) a split. */
bool crd_is_split_array(const char *name);
/* Whether the array is a mask, one item a node, rather than a list of nodes: bools are, and whatever is
 * called so. */
bool crd_is_split_mask(const char *name, const crd_npy *npy);

#endif
