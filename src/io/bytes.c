#include "io/bytes.h"

#include <string.h>

float crd_float_from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double crd_double_from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

float crd_float_from_half(uint16_t bits)
{
    uint32_t sign = (uint32_t)(bits & 0x8000u) << 16;
    uint32_t exponent = bits >> 10 & 0x1fu, fraction = bits & 0x3ffu;
    if (exponent == 0) { /* zero and the subnormals: fraction * 2^-24 is exact in a float */
        float value = (float)fraction * 0x1p-24f;
        return sign != 0 ? -value : value;
    }
    if (exponent == 31) return crd_float_from_bits(sign | 0x7f800000u | fraction << 13);
    return crd_float_from_bits(sign | (exponent + 112) << 23 | fraction << 13);
}

void crd_reverse_items(void *bytes, int64_t count, size_t size)
{
    uint8_t *item = bytes;
    for (int64_t i = 0; i < count; i++, item += size) {
        for (size_t low = 0, high = size; low + 1 < high; low++) {
            high--;
            uint8_t byte = item[low];
            item[low] = item[high];
            item[high] = byte;
        }
    }
}

crd_status crd_little_endian(const void *data, int64_t count, size_t size, const void **bytes, void **owned,
                             crd_error *error)
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
