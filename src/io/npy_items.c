#include "io/npy_items.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/bytes.h"

static int64_t signed_from(uint64_t bits, int size)
{
    uint64_t sign = UINT64_C(1) << (8 * size - 1);
    return bits & sign ? -(int64_t)(sign - (bits & (sign - 1)) - 1) - 1 : (int64_t)bits;
}

bool crd_npy_decode(const crd_npy *npy, const uint8_t *bytes, crd_npy_number *number)
{
    uint64_t bits;
    /* The sizes are spelt out so that each load becomes one instruction. */
    switch (npy->kind <= CRD_NPY_FLOAT ? npy->item_size : 0) {
    case 1:
        bits = bytes[0];
        break;
    case 2:
        bits = crd_load(bytes, 2, npy->big_endian);
        break;
    case 4:
        bits = crd_load(bytes, 4, npy->big_endian);
        break;
    case 8:
        bits = crd_load(bytes, 8, npy->big_endian);
        break;
    default:
        return false;
    }
    number->kind = npy->kind;
    switch (npy->kind) {
    case CRD_NPY_INT:
        number->integer = signed_from(bits, (int)npy->item_size);
        return true;
    case CRD_NPY_FLOAT:
        number->real = npy->item_size == 8   ? crd_double_from_bits(bits)
                       : npy->item_size == 4 ? (double)crd_float_from_bits((uint32_t)bits)
                                             : (double)crd_float_from_half((uint16_t)bits);
        return true;
    default:
        number->kind = CRD_NPY_UINT;
        number->natural = bits;
        return npy->kind != CRD_NPY_BOOL || bits <= 1;
    }
}

void crd_npy_place(const crd_npy *npy, int64_t index, char *text, size_t size)
{
    int64_t place[CRD_NPY_MAX_DIMS];
    for (int k = 0; k < npy->dims; k++) {
        int d = npy->fortran_order ? k : npy->dims - 1 - k; /* the fastest first */
        place[d] = index % npy->shape[d];
        index /= npy->shape[d];
    }
    if (npy->dims == 0) snprintf(text, size, "the item");
    else if (npy->dims == 1) snprintf(text, size, "item %lld", (long long)place[0]);
    else {
        size_t used = (size_t)snprintf(text, size, "item ");
        for (int d = 0; d < npy->dims && used < size; d++)
            used += (size_t)snprintf(text + used, size - used, "%c%lld", d == 0 ? '[' : ',', (long long)place[d]);
        if (used < size) snprintf(text + used, size - used, "]");
    }
}

crd_status crd_npy_reorder(const crd_npy *npy, size_t size, void **items, crd_error *error)
{
    if (!npy->fortran_order || npy->dims < 2 || npy->count < 2) return CRD_OK;
    void *reordered;
    crd_status status = crd_allocate(&reordered, npy->count, size, false, error);
    if (status != CRD_OK) return status;
    int64_t place[CRD_NPY_MAX_DIMS] = {0}, stride[CRD_NPY_MAX_DIMS], from = 0;
    for (int d = 0; d < npy->dims; d++) stride[d] = d == 0 ? 1 : stride[d - 1] * npy->shape[d - 1];
    for (int64_t to = 0; to < npy->count; to++) {
        memcpy((char *)reordered + to * (int64_t)size, (const char *)*items + from * (int64_t)size, size);
        for (int d = npy->dims - 1; d >= 0; d--) { /* one step in C order */
            from += stride[d];
            if (++place[d] < npy->shape[d]) break;
            from -= stride[d] * npy->shape[d];
            place[d] = 0;
        }
    }
    free(*items);
    *items = reordered;
    return CRD_OK;
}

crd_status crd_npy_fail_short(const crd_source *source, const crd_npy *npy, int64_t got, crd_error *error)
{
    char type[120];
    crd_npy_describe(npy, type, sizeof type);
    return crd_fail(error, CRD_ERROR_FORMAT, "%s: is cut off: %lld of the %lld items of %s are there",
                    crd_source_name(source), (long long)got, (long long)npy->count, type);
}

crd_status crd_npy_check_end(crd_source *source, const crd_npy *npy, crd_error *error)
{
    uint8_t byte;
    size_t got;
    crd_status status = crd_source_read(source, &byte, 1, &got, error);
    if (status != CRD_OK || got == 0) return status;
    char type[120];
    crd_npy_describe(npy, type, sizeof type);
    return crd_fail(error, CRD_ERROR_FORMAT, "%s: more bytes follow the items of %s than its header announces",
                    crd_source_name(source), type);
}
