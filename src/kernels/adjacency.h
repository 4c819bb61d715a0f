/* The normalised adjacency A^ = S (A + I) S, S = diag(1/sqrt(degree + 1)), as a sparse matrix: what a graph
 * convolution multiplies with. It is symmetric, so a gradient goes through the same product. */
#ifndef CRD_KERNELS_ADJACENCY_H
#define CRD_KERNELS_ADJACENCY_H

#include "base/memory.h"
#include "kernels/linear.h"

typedef struct crd_adjacency {
    crd_rows rows; /* for crd_linear_forward: rows * x, with a bias if wanted */
    int64_t *start;
    int32_t *column;
    float *value;
} crd_adjacency;

/* Lists its arrays in a plan, for a graph of so many entries; filled once they are allocated. */
void crd_adjacency_plan(crd_adjacency *adjacency, crd_plan *plan, int64_t nodes, int64_t edges);
void crd_adjacency_start(crd_adjacency *adjacency, int64_t nodes, const int64_t *start, const int32_t *neighbour);

#endif
