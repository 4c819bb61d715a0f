#include "kernels/adjacency.h"

#include <math.h>
#include <stdlib.h>

static double degree(const int64_t *start, int64_t node)
{
    return (double)(start[node + 1] - start[node]) + 1.0;
}

crd_status crd_adjacency_open(crd_adjacency *a, int64_t nodes, const int64_t *start, const int32_t *neighbour,
                              crd_error *error)
{
    *a = (crd_adjacency){0};
    const int64_t entries = start[nodes] + nodes;
    crd_status status = CRD_NEW(&a->start, nodes + 1, error);
    if (status == CRD_OK) status = CRD_NEW(&a->column, entries, error);
    if (status == CRD_OK) status = CRD_NEW(&a->value, entries, error);
    if (status != CRD_OK) {
        crd_adjacency_close(a);
        return status;
    }
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
    return CRD_OK;
}

void crd_adjacency_close(crd_adjacency *a)
{
    free(a->start);
    free(a->column);
    free(a->value);
    *a = (crd_adjacency){0};
}
