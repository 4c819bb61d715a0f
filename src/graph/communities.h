/* Groups of nodes that have more edges inside than to others. */
#ifndef CRD_GRAPH_COMMUNITIES_H
#define CRD_GRAPH_COMMUNITIES_H

#include "base/memory.h"

/* community[i] = a number below `nodes` that the nodes of a community share, of which none has more than `most`
 * nodes. They are found by label propagation: every node joins the community that most of its neighbours are in,
 * some rounds long. Linear in nodes and edges. */
crd_status crd_communities(int64_t nodes, const int64_t *start, const int32_t *neighbour, int64_t most,
                           int32_t *community, crd_error *error);

#endif
