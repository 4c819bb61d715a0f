/* Numbers as files hold them: loads of either byte order that work on any host, and half floats. */
#ifndef CRD_IO_BYTES_H
#define CRD_IO_BYTES_H

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
float crd_float_from_half(uint16_t bits);
float crd_float_from_bits(uint32_t bits);
double crd_double_from_bits(uint64_t bits);

/* Items of `size` bytes as little-endian bytes: on most hosts `data` itself, with *owned NULL; else a copy
 * that *owned holds for the caller to free. */
crd_status crd_little_endian(const void *data, int64_t count, size_t size, const void **bytes, void **owned,
                             crd_error *error);
/* Turns each item's bytes around. */
void crd_reverse_items(void *bytes, int64_t count, size_t size);

#endif
