/* Draws from a discrete distribution in constant time: Walker's alias table. */
#ifndef CRD_GRAPH_ALIAS_H
#define CRD_GRAPH_ALIAS_H

#include "base/memory.h"
#include "base/random.h"

typedef struct crd_alias {
    int64_t count;
    double *keep;   /* how much of a cell is its own item's */
    int32_t *other; /* whose the rest is */
} crd_alias;

/* `weight` holds count (1 to INT32_MAX) numbers above 0; they need not add up to 1. */
crd_status crd_alias_new(const double *weight, int64_t count, crd_alias *alias, crd_error *error);
int64_t crd_alias_draw(const crd_alias *alias, crd_rng *rng);
void crd_alias_free(crd_alias *alias);

#endif
