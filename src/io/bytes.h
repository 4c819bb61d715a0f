/* SPDX-License-Identifier: MIT */
/* Numbers as files hold them: loads of either byte order that work on any host, and half floats. */
#ifndef CRD_IO_BYTES_H
#define CRD_IO_BYTES_H

#include <string.h>

#include "base/memory.h"

/* An unsigned number of 1 to 8 bytes. */
static inline uint64_t crd_load(const uint8_t *bytes, int size, bool big_endian)
{
    uint64_t value = 0;
    for (int i = 0; i < size; i++) value |= (uint64_t)bytes[i] << 8 * (big_endian ? size - 1 - i : i);
    return value;
}

static inline bool crd_host_is_big_endian(void)
{
    const uint16_t one = 1;
    return *(const uint8_t *)&one == 0;
}

/* IEEE floats from their bits. */
static inline float crd_float_from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double crd_double_from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline float crd_float_from_half(uint16_t bits)
{
    const uint32_t sign = (uint32_t)(bits & 0x8000u) << 16;
    const uint32_t exponent = bits >> 10 & 0x1fu, fraction = bits & 0x3ffu;
    if (exponent == 0) { /* zero and the subnormals: fraction * 2^-24 is exact in a float */
        const float value = (float)fraction * 0x1p-24f;
        return sign != 0 ? -value : value;
    }
    if (exponent == 31) return crd_float_from_bits(sign | 0x7f800000u | fraction << 13);
    return crd_float_from_bits(sign | (exponent + 112) << 23 | fraction << 13);
}

/* Reverses the bytes of each item. */
static inline void crd_reverse_items(void *bytes, int64_t count, size_t size)
{
    uint8_t *item = bytes;
    for (int64_t i = 0; i < count; i++, item += size)
        for (size_t low = 0, high = size - 1; low < high; low++, high--) {
            const uint8_t byte = item[low];
            item[low] = item[high];
            item[high] = byte;
        }
}

/* Items of `size` bytes as little-endian bytes: on most hosts `data` itself, with *owned NULL; else a copy in *owned,
 * which the caller frees. */
static inline crd_status crd_little_endian(const void *data, int64_t count, size_t size, const void **bytes,
                                           void **owned, crd_error *error)
{
    *bytes = data;
    *owned = NULL;
    if (size == 1 || !crd_host_is_big_endian()) return CRD_OK;
    crd_status status = crd_allocate(owned, count, size, false, error);
    if (status != CRD_OK) return status;
    memcpy(*owned, data, (size_t)count * size);
    crd_reverse_items(*owned, count, size);
    *bytes = *owned;
    return CRD_OK;
}

#endif
