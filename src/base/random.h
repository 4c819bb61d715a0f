/* SPDX-License-Identifier: MIT */
/* Random numbers.
 *
 * There are two kinds. A stream (crd_rng) serves work that happens in order on one thread: splits, generators,
 * initial weights. A hash of coordinates (crd_hash, crd_hash_uniform) serves work that threads share: the number
 * depends only on (seed, epoch, row, column), never on the thread. */
#ifndef CRD_BASE_RANDOM_H
#define CRD_BASE_RANDOM_H

#include <stdint.h>

#include "base/memory.h"

/* splitmix64's finaliser: a bijection of 64 bits in which every input bit affects every output bit. */
static inline uint64_t crd_mix(uint64_t x)
{
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return x;
}

/* Folds one more coordinate into a key. */
static inline uint64_t crd_hash(uint64_t key, uint64_t coordinate)
{
    return crd_mix(key + UINT64_C(0x9e3779b97f4a7c15) * (coordinate + 1));
}

typedef struct crd_rng {
    uint64_t state;
} crd_rng;

/* Streams of one seed with different purposes are independent. */
static inline crd_rng crd_rng_start(uint64_t seed, uint64_t purpose)
{
    crd_rng rng = {crd_hash(crd_hash(0, seed), purpose)};
    return rng;
}

static inline uint64_t crd_rng_next(crd_rng *rng)
{
    rng->state += UINT64_C(0x9e3779b97f4a7c15);
    return crd_mix(rng->state);
}

/* Uniform in [0, 1). */
static inline double crd_rng_uniform(crd_rng *rng)
{
    return (double)(crd_rng_next(rng) >> 11) * 0x1p-53;
}

/* Uniform in 0 .. bound - 1, without bias; bound > 0. */
uint64_t crd_rng_below(crd_rng *rng, uint64_t bound);

/* Standard normal. */
double crd_rng_normal(crd_rng *rng);

/* Poisson with a mean of any size. */
int64_t crd_rng_poisson(crd_rng *rng, double mean);

/* Fisher-Yates. */
void crd_rng_shuffle(crd_rng *rng, int64_t *items, int64_t count);

/* Draws from a discrete distribution in constant time: Walker's alias table. */
typedef struct crd_alias {
    int64_t count;
    struct crd_alias_cell {
        double keep;   /* how much of the cell belongs to its own item */
        int32_t other; /* the item that owns the rest */
    } * cell;
} crd_alias;

/* `weight` holds count (1 to INT32_MAX) numbers above 0; they need not add up to 1. */
crd_status crd_alias_new(const double *weight, int64_t count, crd_alias *alias, crd_error *error);
int64_t crd_alias_draw(const crd_alias *alias, crd_rng *rng);
void crd_alias_free(crd_alias *alias);

/* The purpose of each stream. Each has its own number, so that changing one never affects another. */
enum {
    CRD_RNG_SPLIT = 1,
    CRD_RNG_WEIGHTS,
    CRD_RNG_DROPOUT,
    CRD_RNG_GENERATE_EDGES,
    CRD_RNG_GENERATE_FEATURES,
    CRD_RNG_GENERATE_LABELS,
    CRD_RNG_SHIFT_NODES,
    CRD_RNG_SHIFT_NOISE,
    CRD_RNG_SHIFT_EDGES,
    CRD_RNG_MAP_START,
    CRD_RNG_HOLD_OUT,
    CRD_RNG_SETS,
    CRD_RNG_GATS,
    CRD_RNG_FOLDS = 0x666f6c64,
    CRD_RNG_BOOTSTRAP = 0x626f6f74
};

#endif
