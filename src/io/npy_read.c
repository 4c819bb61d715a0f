#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/bytes.h"
#include "io/npy_items.h"

enum { CHUNK = 65536 }; /* bytes at a time; a multiple of every number's size */

/* What the items are converted to. */
typedef struct {
    size_t size;
    crd_npy_kind kind; /* a file of this kind and size, in the host's byte order, needs no conversion */
    bool (*put)(const crd_npy_number *number, void *items, int64_t index); /* false: it does not fit */
    const char *expected;
} target;

static double as_double(const crd_npy_number *number)
{
    return number->kind == CRD_NPY_INT    ? (double)number->integer
           : number->kind == CRD_NPY_UINT ? (double)number->natural
                                          : number->real;
}

static bool put_float(const crd_npy_number *number, void *items, int64_t index)
{
    double value = as_double(number);
    float narrow = (float)value;
    ((float *)items)[index] = narrow;
    return isfinite(narrow) || !isfinite(value);
}

static bool put_double(const crd_npy_number *number, void *items, int64_t index)
{
    ((double *)items)[index] = as_double(number);
    return true;
}

/* An integer from min to max, from any number; max + 1 must be exact as a double. */
static bool whole(const crd_npy_number *number, int64_t min, int64_t max, int64_t *value)
{
    if (number->kind == CRD_NPY_INT) {
        *value = number->integer;
        return *value >= min && *value <= max;
    }
    if (number->kind == CRD_NPY_UINT) {
        if (number->natural > (uint64_t)max) return false;
        *value = (int64_t)number->natural;
        return true;
    }
    /* The bounds keep NaN out too; 2^63 itself is the first double that does not fit. */
    if (!(number->real >= (double)min && number->real <= (double)max) || number->real >= 0x1p63) return false;
    *value = (int64_t)number->real;
    return (double)*value == number->real;
}

static bool put_int32(const crd_npy_number *number, void *items, int64_t index)
{
    int64_t value;
    if (!whole(number, INT32_MIN, INT32_MAX, &value)) return false;
    ((int32_t *)items)[index] = (int32_t)value;
    return true;
}

static bool put_int64(const crd_npy_number *number, void *items, int64_t index)
{
    return whole(number, INT64_MIN, INT64_MAX, (int64_t *)items + index);
}

static bool put_bool(const crd_npy_number *number, void *items, int64_t index)
{
    int64_t value;
    if (!whole(number, 0, 1, &value)) return false;
    ((uint8_t *)items)[index] = (uint8_t)value;
    return true;
}

static crd_status fail_value(const crd_source *source, const crd_npy *npy, int64_t index, const crd_npy_number *number,
                             const char *expected, crd_error *error)
{
    char place[96], value[40];
    crd_npy_place(npy, index, place, sizeof place);
    if (number->kind == CRD_NPY_INT) snprintf(value, sizeof value, "%lld", (long long)number->integer);
    else if (number->kind == CRD_NPY_UINT) snprintf(value, sizeof value, "%llu", (unsigned long long)number->natural);
    else snprintf(value, sizeof value, "%.12g", number->real);
    return crd_fail(error, CRD_ERROR_FORMAT, "%s: %s is %s, expected %s", crd_source_name(source), place, value,
                    expected);
}

static crd_status convert(const crd_source *source, const crd_npy *npy, const target *t, const uint8_t *bytes,
                          int64_t first, int64_t count, void *items, crd_error *error)
{
    for (int64_t i = 0; i < count; i++) {
        crd_npy_number number;
        if (!crd_npy_decode(npy, bytes + i * npy->item_size, &number))
            return fail_value(source, npy, first + i, &number, "0 or 1", error);
        if (!t->put(&number, items, first + i)) return fail_value(source, npy, first + i, &number, t->expected, error);
    }
    return CRD_OK;
}

/* Reads all items, in the file's order, into *items, which grows as they arrive. */
static crd_status read_in_order(crd_source *source, const crd_npy *npy, const target *t, void **items, crd_error *error)
{
    bool as_is =
        npy->kind == t->kind && npy->item_size == (int64_t)t->size && npy->big_endian == crd_host_is_big_endian();
    int64_t capacity = 0, done = 0, part = CHUNK / npy->item_size;
    uint8_t chunk[CHUNK];
    crd_status status = crd_grow(items, &capacity, 0, t->size, error);
    while (status == CRD_OK && done < npy->count) {
        int64_t wanted = npy->count - done < part ? npy->count - done : part;
        status = crd_grow(items, &capacity, done + wanted, t->size, error);
        if (status != CRD_OK) return status;
        /* Numbers that need no conversion go straight to their place, as many as there is room for. */
        if (as_is) wanted = npy->count < capacity ? npy->count - done : capacity - done;
        void *into = as_is ? (char *)*items + (size_t)done * t->size : (void *)chunk;
        size_t got;
        status = crd_source_read(source, into, (size_t)(wanted * npy->item_size), &got, error);
        if (status != CRD_OK) return status;
        int64_t whole_items = (int64_t)got / npy->item_size;
        if (!as_is) status = convert(source, npy, t, chunk, done, whole_items, *items, error);
        done += whole_items;
        if (status == CRD_OK && whole_items < wanted) return crd_npy_fail_short(source, npy, done, error);
    }
    return status;
}

static crd_status read_items(crd_source *source, const crd_npy *npy, const target *t, void **items, crd_error *error)
{
    *items = NULL;
    if (npy->kind == CRD_NPY_OBJECT)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: holds pickled Python objects, which are never opened",
                        crd_source_name(source));
    if (npy->kind == CRD_NPY_UNICODE || npy->kind == CRD_NPY_BYTES)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: holds text, expected %s", crd_source_name(source), t->expected);
    void *found = NULL;
    crd_status status = read_in_order(source, npy, t, &found, error);
    if (status == CRD_OK) status = crd_npy_check_end(source, npy, error);
    if (status == CRD_OK) crd_shrink(&found, npy->count, t->size);
    if (status == CRD_OK) status = crd_npy_reorder(npy, t->size, &found, error);
    if (status == CRD_OK) *items = found;
    else free(found);
    return status;
}

crd_status crd_npy_read_float(crd_source *source, const crd_npy *npy, float **items, crd_error *error)
{
    static const target t = {sizeof **items, CRD_NPY_FLOAT, put_float, "a number that a float32 can hold"};
    return read_items(source, npy, &t, (void **)items, error);
}

crd_status crd_npy_read_double(crd_source *source, const crd_npy *npy, double **items, crd_error *error)
{
    static const target t = {sizeof **items, CRD_NPY_FLOAT, put_double, "numbers"};
    return read_items(source, npy, &t, (void **)items, error);
}

crd_status crd_npy_read_int32(crd_source *source, const crd_npy *npy, int32_t **items, crd_error *error)
{
    static const target t = {sizeof **items, CRD_NPY_INT, put_int32, "a whole number from -2^31 to 2^31 - 1"};
    return read_items(source, npy, &t, (void **)items, error);
}

crd_status crd_npy_read_int64(crd_source *source, const crd_npy *npy, int64_t **items, crd_error *error)
{
    static const target t = {sizeof **items, CRD_NPY_INT, put_int64, "a whole number from -2^63 to 2^63 - 1"};
    return read_items(source, npy, &t, (void **)items, error);
}

crd_status crd_npy_read_bool(crd_source *source, const crd_npy *npy, uint8_t **items, crd_error *error)
{
    /* OBJECT never gets this far, so every item is checked. */
    static const target t = {sizeof **items, CRD_NPY_OBJECT, put_bool, "0 or 1"};
    return read_items(source, npy, &t, (void **)items, error);
}
