/* Chance that depends on coordinates alone: nothing is drawn in order, so nothing depends on order. */
#ifndef CREDENCE_CLI_LAB_TUNE_RANDOM_H
#define CREDENCE_CLI_LAB_TUNE_RANDOM_H

#include <stdint.h>

/* Folds one more coordinate into a key; every bit of both moves every bit of the result (splitmix64). */
static inline uint64_t crd_lab_hash(uint64_t key, uint64_t coordinate)
{
    uint64_t x = key + UINT64_C(0x9e3779b97f4a7c15) * (coordinate + 1);
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

#endif
