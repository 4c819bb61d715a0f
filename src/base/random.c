#include "base/random.h"

#include <math.h>

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
    if (mean > 60.0) { /* normal approximation: the error is far below what any generator here needs */
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
    for (int64_t i = count - 1; i > 0; i--) {
        int64_t j = (int64_t)crd_rng_below(rng, (uint64_t)i + 1);
        int64_t item = items[i];
        items[i] = items[j];
        items[j] = item;
    }
}
