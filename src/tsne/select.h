/* The smallest of many numbers, and numbers to select by: a float, and whose it is. */
#ifndef CRD_TSNE_SELECT_H
#define CRD_TSNE_SELECT_H

#include <stdint.h>
#include <string.h>

/* Ascends with the value, and among equal ones with the index; the index (below 2^32) is its lower half. */
static inline uint64_t crd_sort_key(float value, int64_t index)
{
    uint32_t bits;
    value += 0.0f; /* -0 becomes 0 */
    memcpy(&bits, &value, sizeof bits);
    bits = bits >> 31 != 0 ? ~bits : bits | UINT32_C(1) << 31; /* negative ones descend by themselves */
    return (uint64_t)bits << 32 | (uint64_t)index;
}

/* The smallest `wanted` of the items, all different, come first, the largest of these last. */
void crd_select_smallest(uint64_t *item, int64_t count, int64_t wanted);

#endif
