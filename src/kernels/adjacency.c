#include "kernels/adjacency.h"

#include <math.h>

static double degree(const int64_t *start, int64_t node)
{
    return (double)(start[node + 1] - start[node]) + 1.0;
}

void crd_adjacency_plan(crd_adjacency *a, crd_plan *plan, int64_t nodes, int64_t edges)
{
    CRD_PLAN(plan, &a->start, nodes + 1);
    CRD_PLAN(plan, &a->column, edges + nodes);
    CRD_PLAN(plan, &a->value, edges + nodes);
}

void crd_adjacency_start(crd_adjacency *a, int64_t nodes, const int64_t *start, const int32_t *neighbour)
{
    int64_t at = 0;
    for (int64_t i = 0; i < nodes; i++) {
        const double own = degree(start, i);
        a->start[i] = at;
        a->column[at] = (int32_t)i;
        a->value[at++] = (float)(1.0 / own);
        for (int64_t e = start[i]; e < start[i + 1]; e++) {
            a->column[at] = neighbour[e];
            a->value[at++] = (float)(1.0 / sqrt(own * degree(start, neighbour[e])));
        }
    }
    a->start[nodes] = at;
    a->rows = (crd_rows){nodes, nodes, a->start, a->column, a->value, NULL};
}
