#include "graph/alias.h"

#include <stdlib.h>

void crd_alias_free(crd_alias *alias)
{
    free(alias->keep);
    free(alias->other);
    *alias = (crd_alias){0};
}

/* Cells of equal size, one an item. An item that would not fill its cell leaves the rest to one that
 * overflows; what overflows shrinks by as much, and may then need filling itself. */
static void fill_cells(crd_alias *alias, int32_t *small, int32_t *large)
{
    int64_t smalls = 0, larges = 0;
    for (int64_t i = 0; i < alias->count; i++) {
        alias->other[i] = (int32_t)i;
        if (alias->keep[i] < 1.0) small[smalls++] = (int32_t)i;
        else large[larges++] = (int32_t)i;
    }
    while (smalls > 0 && larges > 0) {
        int32_t poor = small[--smalls], rich = large[larges - 1];
        alias->other[poor] = rich;
        alias->keep[rich] -= 1.0 - alias->keep[poor];
        if (alias->keep[rich] < 1.0) {
            larges--;
            small[smalls++] = rich;
        }
    }
    /* Rounding may leave cells that are not quite full: their rest is their own, as `other` says. */
}

crd_status crd_alias_new(const double *weight, int64_t count, crd_alias *alias, crd_error *error)
{
    int32_t *small = NULL, *large = NULL;
    *alias = (crd_alias){.count = count};
    crd_status status = CRD_NEW(&alias->keep, count, error);
    if (status == CRD_OK) status = CRD_NEW(&alias->other, count, error);
    if (status == CRD_OK) status = CRD_NEW(&small, count, error);
    if (status == CRD_OK) status = CRD_NEW(&large, count, error);
    if (status == CRD_OK) {
        double total = 0.0;
        for (int64_t i = 0; i < count; i++) total += weight[i];
        for (int64_t i = 0; i < count; i++) alias->keep[i] = weight[i] * (double)count / total;
        fill_cells(alias, small, large);
    }
    free(small);
    free(large);
    if (status != CRD_OK) crd_alias_free(alias);
    return status;
}

int64_t crd_alias_draw(const crd_alias *alias, crd_rng *rng)
{
    int64_t cell = (int64_t)crd_rng_below(rng, (uint64_t)alias->count);
    return crd_rng_uniform(rng) < alias->keep[cell] ? cell : alias->other[cell];
}
