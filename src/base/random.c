/* SPDX-License-Identifier: MIT */
#include "base/random.h"

#include <math.h>
#include <stdlib.h>

#include "base/watch.h"

uint64_t crd_rng_below(crd_rng *rng, uint64_t bound)
{
    /* Values under the threshold would make some remainders more likely than others. */
    uint64_t threshold = (0 - bound) % bound;
    uint64_t value;
    do value = crd_rng_next(rng);
    while (value < threshold);
    return value % bound;
}

double crd_rng_normal(crd_rng *rng)
{
    double radius = 1.0 - crd_rng_uniform(rng); /* (0, 1]: the logarithm stays finite */
    double angle = crd_rng_uniform(rng);
    return sqrt(-2.0 * log(radius)) * cos(6.283185307179586 * angle);
}

int64_t crd_rng_poisson(crd_rng *rng, double mean)
{
    if (!(mean > 0.0)) return 0;
    if (mean > 60.0) { /* normal approximation: its error is far below what any generator here would notice */
        double value = floor(mean + sqrt(mean) * crd_rng_normal(rng) + 0.5);
        return value < 0.0 ? 0 : (int64_t)value;
    }
    double limit = exp(-mean), product = 1.0;
    int64_t count = -1;
    do {
        product *= crd_rng_uniform(rng);
        count++;
    } while (product > limit);
    return count;
}

void crd_rng_shuffle(crd_rng *rng, int64_t *items, int64_t count)
{
    for (int64_t i = count - 1; i > 0 && !crd_watch_at(i); i--) {
        int64_t j = (int64_t)crd_rng_below(rng, (uint64_t)i + 1);
        int64_t item = items[i];
        items[i] = items[j];
        items[j] = item;
    }
}

void crd_alias_free(crd_alias *alias)
{
    crd_free(alias->cell);
    *alias = (crd_alias){0};
}

/* All cells have the same size, one per item. An item that does not fill its cell gives the rest to one that
 * overflows; that one shrinks by as much and may then need filling itself. Rounding may leave cells that are not
 * quite full; their own item keeps the rest. `waiting` holds the small items from the front and the large ones from
 * the back. */
static void fill_cells(crd_alias *alias, int32_t *waiting)
{
    struct crd_alias_cell *cell = alias->cell;
    int64_t smalls = 0, large = alias->count;
    for (int64_t i = 0; i < alias->count; i++) {
        cell[i].other = (int32_t)i;
        waiting[cell[i].keep < 1.0 ? smalls++ : --large] = (int32_t)i;
    }
    while (smalls > 0 && large < alias->count) {
        const int32_t poor = waiting[--smalls], rich = waiting[large];
        cell[poor].other = rich;
        cell[rich].keep -= 1.0 - cell[poor].keep;
        if (cell[rich].keep >= 1.0) continue;
        large++;
        waiting[smalls++] = rich;
    }
}

crd_status crd_alias_new(const double *weight, int64_t count, crd_alias *alias, crd_error *error)
{
    int32_t *waiting = NULL;
    *alias = (crd_alias){.count = count};
    crd_status status = CRD_NEW(&alias->cell, count, error);
    if (status == CRD_OK) status = CRD_NEW(&waiting, count, error);
    if (status == CRD_OK) {
        double total = 0.0;
        for (int64_t i = 0; i < count; i++) total += weight[i];
        for (int64_t i = 0; i < count; i++) alias->cell[i].keep = weight[i] * (double)count / total;
        fill_cells(alias, waiting);
    } else {
        crd_alias_free(alias);
    }
    crd_free(waiting);
    return status;
}

int64_t crd_alias_draw(const crd_alias *alias, crd_rng *rng)
{
    const int64_t cell = (int64_t)crd_rng_below(rng, (uint64_t)alias->count);
    return crd_rng_uniform(rng) < alias->cell[cell].keep ? cell : alias->cell[cell].other;
}
