/* The evidence that nodes give to a node, by their distance in hops. */
#ifndef CRD_KERNELS_HOPS_H
#define CRD_KERNELS_HOPS_H

#include "base/memory.h"
#include "base/parallel.h"

/* evidence[i * classes + c] = the sum over the sources t of class c of exp(-d^2 / 2) / sqrt(2 pi), with d the number
 * of hops from i to t. Sources more than most_hops away, or without a path, give nothing. A node listed twice counts
 * twice. The graph must be symmetric. Any team and any order of the sources give the same bytes. */
crd_status crd_hop_evidence(int64_t nodes, const int64_t *start, const int32_t *neighbour, const int64_t *sources,
                            const int32_t *source_class, int64_t count, int32_t classes, int32_t most_hops,
                            crd_team *team, float *evidence, crd_error *error);

/* The evidence that one source gives at this distance. */
double crd_hop_weight(int32_t hops);

#endif
