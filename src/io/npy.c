/* SPDX-License-Identifier: MIT */
#include "io/npy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "io/bytes.h"

/* ---- the header ----
 *
 * It is a Python dictionary, written out: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } */

enum { MAGIC = 6, LONGEST_HEADER = 65535 };

/* What stands after a key; NULL if the key is missing. A string's opening quote is skipped. */
static const char *find_value(const char *header, const char *key)
{
    const char *at = strstr(header, key);
    if (at == NULL) return NULL;
    at += strlen(key);
    return at + strspn(at, "'\" \t\r\n:");
}

/* "<f4": byte order, kind, size (in bytes; in characters for U). */
static bool parse_type(const char *descr, crd_npy *npy)
{
    static const struct {
        char letter;
        crd_npy_kind kind;
        const char *sizes; /* the allowed ones, as digits; NULL: any */
    } kinds[] = {{'b', CRD_NPY_BOOL, "1"},    {'i', CRD_NPY_INT, "1248"},   {'u', CRD_NPY_UINT, "1248"},
                 {'f', CRD_NPY_FLOAT, "248"}, {'U', CRD_NPY_UNICODE, NULL}, {'S', CRD_NPY_BYTES, NULL},
                 {'a', CRD_NPY_BYTES, NULL},  {'O', CRD_NPY_OBJECT, NULL}};
    if (descr[0] == '\0' || strchr("<>|=", descr[0]) == NULL) return false;
    const char *digits = descr + 2;
    size_t k = 0, count = sizeof kinds / sizeof *kinds;
    while (k < count && kinds[k].letter != descr[1]) k++;
    if (k == count || strlen(digits) > 10 || digits[strspn(digits, "0123456789")] != '\0') return false;
    if (kinds[k].sizes != NULL && (strlen(digits) != 1 || strchr(kinds[k].sizes, digits[0]) == NULL)) return false;
    if (digits[0] == '\0' && kinds[k].kind != CRD_NPY_OBJECT) return false;
    npy->kind = kinds[k].kind;
    npy->item_size = digits[0] != '\0' ? strtoll(digits, NULL, 10) : 8;
    if (npy->kind == CRD_NPY_UNICODE) npy->item_size *= 4;
    npy->big_endian = descr[0] == '>' || (descr[0] != '<' && crd_host_is_big_endian());
    return true;
}

/* A tuple: (), (3,), (3, 4). False if it is none, or has too many dimensions. */
static bool parse_shape(const char *at, crd_npy *npy)
{
    enum { DIGITS = 18 }; /* such a length fits in 64 bits */
    if (*at++ != '(') return false;
    for (;;) {
        at += strspn(at, ", \t\r\n");
        if (*at == ')') return true;
        size_t digits = strspn(at, "0123456789");
        if (digits == 0 || digits > DIGITS || npy->dims == CRD_NPY_MAX_DIMS) return false;
        npy->shape[npy->dims++] = strtoll(at, NULL, 10);
        at += digits;
        if (*at == 'L') at++; /* Python 2's long numbers */
    }
}

static crd_status parse_header(const char *name, const char *header, crd_npy *npy, crd_error *error)
{
    const char *descr = find_value(header, "descr"), *order = find_value(header, "fortran_order");
    const char *shape = find_value(header, "shape");
    if (descr == NULL || order == NULL || shape == NULL)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: the .npy header does not give '%s'", name,
                        descr == NULL   ? "descr"
                        : order == NULL ? "fortran_order"
                                        : "shape");
    char type[24];
    snprintf(type, sizeof type, "%.*s", (int)strcspn(descr, "'\""), descr);
    if (!parse_type(type, npy))
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%s: cannot read items of type '%s'; expected numbers (i, u, f), bool or strings (U, S)", name,
                        type);
    npy->fortran_order = strncmp(order, "True", 4) == 0;
    if (!npy->fortran_order && strncmp(order, "False", 5) != 0)
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%s: bad .npy header: expected True or False as fortran_order, found '%.20s'", name, order);
    if (!parse_shape(shape, npy))
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%s: bad .npy header: expected a shape of at most %d dimensions, such as (3, 4), found '%.20s'",
                        name, CRD_NPY_MAX_DIMS, shape);
    if (npy->fortran_order && npy->dims > 2)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: is in Fortran order, expected two dimensions at most", name);
    int64_t bytes;
    npy->count = 1;
    bool fits = true;
    for (int d = 0; d < npy->dims; d++) fits = fits && crd_multiply(npy->count, npy->shape[d], &npy->count);
    if (!fits || !crd_multiply(npy->count, npy->item_size, &bytes))
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: the shape in the .npy header is impossibly large", name);
    if (npy->item_size == 0 && npy->count > 0)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: the .npy header announces %lld items of no size", name,
                        (long long)npy->count);
    return CRD_OK;
}

/* The magic, the version and the length of the dictionary that follows. */
static crd_status read_preamble(crd_source *source, size_t *length, crd_error *error)
{
    const char *name = crd_source_name(source);
    uint8_t bytes[MAGIC + 2];
    size_t got;
    crd_status status = crd_source_read(source, bytes, MAGIC + 2, &got, error);
    if (status != CRD_OK) return status;
    if (got < MAGIC + 2 || memcmp(bytes, "\x93NUMPY", MAGIC) != 0)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: is not a .npy array (it does not start with \\x93NUMPY)", name);
    int major = bytes[MAGIC], minor = bytes[MAGIC + 1];
    if (major < 1 || major > 3 || minor != 0)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: is .npy version %d.%d, expected 1.0, 2.0 or 3.0", name, major,
                        minor);
    int size = major == 1 ? 2 : 4;
    status = crd_source_read_exactly(source, bytes, (size_t)size, error);
    if (status != CRD_OK) return status;
    *length = (size_t)crd_load(bytes, size, false);
    /* Only structured types, which we do not read anyway, need longer headers than version 1 allows. */
    if (*length > LONGEST_HEADER)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: the .npy header is %zu bytes long, expected at most %d", name,
                        *length, LONGEST_HEADER);
    return CRD_OK;
}

crd_status crd_npy_header(crd_source *source, crd_npy *npy, crd_error *error)
{
    size_t length = 0;
    char *header;
    *npy = (crd_npy){0};
    crd_status status = read_preamble(source, &length, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&header, length + 1, error);
    if (status != CRD_OK) return status;
    status = crd_source_read_exactly(source, header, length, error);
    if (status == CRD_OK) status = parse_header(crd_source_name(source), header, npy, error);
    crd_free(header);
    return status;
}

bool crd_npy_has_text(const crd_npy *npy)
{
    return npy->kind == CRD_NPY_UNICODE || npy->kind == CRD_NPY_BYTES;
}

void crd_npy_describe(const crd_npy *npy, char *text, size_t size)
{
    static const char *const kinds[] = {"bool", "int", "uint", "float", "text", "bytes", "objects"};
    bool sized = npy->kind == CRD_NPY_INT || npy->kind == CRD_NPY_UINT || npy->kind == CRD_NPY_FLOAT;
    char bits[24] = "";
    if (sized) snprintf(bits, sizeof bits, "%lld", 8 * (long long)npy->item_size);
    size_t used = (size_t)snprintf(text, size, "%s%s", kinds[npy->kind], bits);
    for (int d = 0; d < npy->dims && used < size; d++)
        used += (size_t)snprintf(text + used, size - used, "%s%lld%s", d == 0 ? "[" : ",", (long long)npy->shape[d],
                                 d + 1 == npy->dims ? "]" : "");
}

/* ---- one item ---- */

/* What the items become. */
static const struct {
    size_t size;
    crd_npy_kind kind;   /* a file of this kind and size, in the host's byte order, needs no conversion */
    int64_t least, most; /* of integers */
    const char *expected;
} types[] = {
    [CRD_NPY_U1] = {1, CRD_NPY_OBJECT, 0, 1, "0 or 1"}, /* OBJECT: every item is checked */
    [CRD_NPY_I4] = {4, CRD_NPY_INT, INT32_MIN, INT32_MAX, "a whole number from -2^31 to 2^31 - 1"},
    [CRD_NPY_I8] = {8, CRD_NPY_INT, INT64_MIN, INT64_MAX, "a whole number from -2^63 to 2^63 - 1"},
    [CRD_NPY_F4] = {4, CRD_NPY_FLOAT, 0, 0, "a number that a float32 can hold"},
    [CRD_NPY_F8] = {8, CRD_NPY_FLOAT, 0, 0, "a number"},
    [CRD_NPY_TEXT] = {sizeof(char *), CRD_NPY_OBJECT, 0, 0, "text"},
};

/* The array that is being read. */
typedef struct {
    crd_source *source;
    const crd_npy *npy;
    crd_npy_type type;
    crd_error *error;
    union {
        void *items;
        uint8_t *bools;
        int32_t *ints;
        int64_t *longs;
        float *floats;
        double *doubles;
        char **strings;
    };
    int64_t capacity, done;
    crd_text text; /* scratch */
} reader;

/* Fails with "FILE: item [2,5] PROBLEM" about the next item. */
static crd_status fail_item(const reader *r, const char *problem)
{
    char place[64] = "the item";
    const crd_npy *npy = r->npy;
    long long index = (long long)r->done;
    if (npy->dims > 0) snprintf(place, sizeof place, "item %lld", index);
    if (npy->dims == 2) {
        long long inner = (long long)npy->shape[npy->fortran_order ? 0 : 1], slow = index / inner, fast = index % inner;
        snprintf(place, sizeof place, "item [%lld,%lld]", npy->fortran_order ? fast : slow,
                 npy->fortran_order ? slow : fast);
    }
    return crd_fail(r->error, CRD_ERROR_FORMAT, "%s: %s %s", crd_source_name(r->source), place, problem);
}

typedef struct {
    double real;
    int64_t integer; /* of uint64: its bits */
    bool whole;      /* `integer` has the value */
} number;

static number decode(const crd_npy *npy, const uint8_t *bytes)
{
    const int size = (int)npy->item_size;
    const bool big = npy->big_endian;
    /* The sizes are spelt out so that each load becomes one instruction. */
    const uint64_t bits = size == 1   ? bytes[0]
                          : size == 2 ? crd_load(bytes, 2, big)
                          : size == 4 ? crd_load(bytes, 4, big)
                                      : crd_load(bytes, 8, big);
    if (npy->kind == CRD_NPY_FLOAT) {
        const double real = size == 8   ? crd_double_from_bits(bits)
                            : size == 4 ? (double)crd_float_from_bits((uint32_t)bits)
                                        : (double)crd_float_from_half((uint16_t)bits);
        const bool fits = real >= -0x1p63 && real < 0x1p63; /* false for NaN */
        const int64_t integer = fits ? (int64_t)real : 0;
        return (number){real, integer, fits && (double)integer == real};
    }
    if (npy->kind == CRD_NPY_INT) {
        const int shift = 64 - 8 * size; /* spreads the sign */
        const int64_t integer = (int64_t)(bits << shift) >> shift;
        return (number){(double)integer, integer, true};
    }
    return (number){(double)bits, (int64_t)bits, bits <= INT64_MAX};
}

/* As NumPy writes them, but whole floats are written like integers. */
static void print_number(const crd_npy *npy, number n, crd_text *text)
{
    if (npy->kind == CRD_NPY_BOOL && n.integer >= 0 && n.integer <= 1) crd_text_add(text, n.integer ? "True" : "False");
    else if (npy->kind == CRD_NPY_UINT) crd_text_format(text, "%llu", (unsigned long long)n.integer);
    else if (npy->kind != CRD_NPY_FLOAT) crd_text_format(text, "%lld", (long long)n.integer);
    else if (!isfinite(n.real)) crd_text_add(text, isnan(n.real) ? "nan" : n.real < 0 ? "-inf" : "inf");
    else if (npy->item_size == 8) crd_text_add_json_number(text, n.real);
    else crd_text_add_json_float(text, (float)n.real);
}

static crd_status fail_number(reader *r, number n, const char *expected)
{
    crd_text problem = {0};
    crd_text_add(&problem, "is ");
    print_number(r->npy, n, &problem);
    crd_text_format(&problem, ", expected %s", expected);
    crd_status status = problem.status == CRD_OK ? fail_item(r, problem.bytes) : crd_fail_memory(r->error, 64);
    crd_text_free(&problem);
    return status;
}

static crd_status put_number(reader *r, const uint8_t *bytes)
{
    const number n = decode(r->npy, bytes);
    bool fits = n.whole && n.integer >= types[r->type].least && n.integer <= types[r->type].most;
    if (r->npy->kind == CRD_NPY_BOOL && (uint64_t)n.integer > 1) return fail_number(r, n, "0 or 1");
    switch (r->type) {
    case CRD_NPY_F4:
        r->floats[r->done] = (float)n.real;
        fits = isfinite(r->floats[r->done]) || !isfinite(n.real);
        break;
    case CRD_NPY_F8:
        r->doubles[r->done] = n.real;
        fits = true;
        break;
    case CRD_NPY_I4:
        if (fits) r->ints[r->done] = (int32_t)n.integer;
        break;
    case CRD_NPY_I8:
        if (fits) r->longs[r->done] = n.integer;
        break;
    case CRD_NPY_U1:
        if (fits) r->bools[r->done] = (uint8_t)n.integer;
        break;
    case CRD_NPY_TEXT:
        print_number(r->npy, n, &r->text);
        return crd_text_finish(&r->text, &r->strings[r->done], r->error);
    }
    return fits ? CRD_OK : fail_number(r, n, types[r->type].expected);
}

static void add_utf8(crd_text *text, uint32_t c)
{
    char bytes[4];
    size_t length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const uint8_t lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length; i-- > 1; c >>= 6) bytes[i] = (char)(0x80 | (c & 0x3f));
    bytes[0] = (char)(lead[length] | c);
    crd_text_add_bytes(text, bytes, length);
}

/* Whether the string is UTF-8: shortest forms, no surrogates, nothing above U+10FFFF. */
static bool is_utf8(const char *string)
{
    for (int length; *string != '\0'; string += length)
        if ((length = crd_utf8_length(string)) == 0) return false;
    return true;
}

/* NULs fill the item up to its size. */
static crd_status put_string(reader *r, const uint8_t *bytes)
{
    const int64_t step = r->npy->kind == CRD_NPY_UNICODE ? 4 : 1;
    bool padding = false;
    for (int64_t i = 0; i < r->npy->item_size; i += step) {
        uint32_t c = (uint32_t)crd_load(bytes + i, (int)step, r->npy->big_endian);
        if (c != 0 && padding) return fail_item(r, "holds a NUL character inside its text");
        if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
            return fail_item(r, "holds a character that Unicode does not have");
        padding = c == 0;
        if (padding) continue;
        if (step == 4) add_utf8(&r->text, c);
        else crd_text_add_bytes(&r->text, bytes + i, 1);
    }
    if (step == 1 && r->text.bytes != NULL && !is_utf8(r->text.bytes))
        return fail_item(r, "holds bytes that are not UTF-8");
    crd_status status = crd_text_finish(&r->text, &r->strings[r->done], r->error);
    if (status == CRD_OK) CRD_SHRINK(&r->strings[r->done], strlen(r->strings[r->done]) + 1);
    return status;
}

/* ---- all items ---- */

enum { CHUNK = 65536 }; /* bytes at a time, and the largest item */

/* Reads all items, in the file's order; the array grows as they arrive. */
static crd_status read_in_order(reader *r)
{
    const crd_npy *npy = r->npy;
    const int64_t size = npy->item_size;
    const bool text = crd_npy_has_text(npy);
    const bool as_is = npy->kind == types[r->type].kind && size == (int64_t)types[r->type].size &&
                       npy->big_endian == crd_host_is_big_endian();
    uint8_t chunk[CHUNK];
    crd_status status = crd_grow(&r->items, &r->capacity, 0, types[r->type].size, r->error);
    while (status == CRD_OK && r->done < npy->count) {
        int64_t wanted = npy->count - r->done < CHUNK / size ? npy->count - r->done : CHUNK / size;
        status = crd_grow(&r->items, &r->capacity, r->done + wanted, types[r->type].size, r->error);
        if (status != CRD_OK) return status;
        /* Numbers that need no conversion go straight to their place, as many as there is room for. */
        if (as_is) wanted = npy->count < r->capacity ? npy->count - r->done : r->capacity - r->done;
        size_t got;
        status = crd_source_read(r->source, as_is ? (uint8_t *)r->items + r->done * size : chunk,
                                 (size_t)(wanted * size), &got, r->error);
        const int64_t end = r->done + (status == CRD_OK ? (int64_t)got / size : 0);
        if (as_is) r->done = end;
        for (const uint8_t *item = chunk; status == CRD_OK && r->done < end; item += size) {
            status = text ? put_string(r, item) : put_number(r, item);
            if (status == CRD_OK) r->done++;
        }
        if (status == CRD_OK && (int64_t)got < wanted * size) {
            char type[120];
            crd_npy_describe(npy, type, sizeof type);
            status = crd_fail(r->error, CRD_ERROR_FORMAT, "%s: is cut off: %lld of the %lld items of %s are there",
                              crd_source_name(r->source), (long long)r->done, (long long)npy->count, type);
        }
    }
    return status;
}

/* Nothing may follow the items. At their end, packed sources check what they have read, so this also finds damage. */
static crd_status check_end(crd_source *source, const crd_npy *npy, crd_error *error)
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

/* From Fortran's order to C's. */
static crd_status reorder(reader *r)
{
    const int64_t size = (int64_t)types[r->type].size, rows = r->npy->shape[0], columns = r->npy->shape[1];
    char *ordered;
    if (!r->npy->fortran_order || r->npy->dims < 2) return CRD_OK;
    crd_status status = crd_allocate((void **)&ordered, r->npy->count, (size_t)size, false, r->error);
    if (status != CRD_OK) return status;
    const char *from = r->items;
    for (int64_t column = 0; column < columns; column++)
        for (int64_t row = 0; row < rows; row++, from += size)
            memcpy(ordered + (row * columns + column) * size, from, (size_t)size);
    crd_free(r->items);
    r->items = ordered;
    return CRD_OK;
}

static crd_status check_kind(const reader *r)
{
    const char *name = crd_source_name(r->source);
    if (r->npy->kind == CRD_NPY_OBJECT)
        return crd_fail(r->error, CRD_ERROR_FORMAT, "%s: holds pickled Python objects, which are never opened", name);
    if (crd_npy_has_text(r->npy) && r->type != CRD_NPY_TEXT)
        return crd_fail(r->error, CRD_ERROR_FORMAT, "%s: holds text, expected %s", name, types[r->type].expected);
    if (r->npy->item_size > CHUNK)
        return crd_fail(r->error, CRD_ERROR_FORMAT, "%s: holds text of %lld bytes per item, expected at most %d", name,
                        (long long)r->npy->item_size, CHUNK);
    return CRD_OK;
}

crd_status crd_npy_read(crd_source *source, const crd_npy *npy, crd_npy_type type, void *items, crd_error *error)
{
    reader r = {.source = source, .npy = npy, .type = type, .error = error};
    *(void **)items = NULL;
    crd_status status = check_kind(&r);
    if (status == CRD_OK) status = read_in_order(&r);
    if (status == CRD_OK) status = check_end(source, npy, error);
    if (status == CRD_OK) crd_shrink(&r.items, npy->count, types[type].size);
    if (status == CRD_OK) status = reorder(&r);
    crd_text_free(&r.text);
    if (status == CRD_OK) *(void **)items = r.items;
    else if (type == CRD_NPY_TEXT) crd_strings_free(&r.strings, r.done);
    else crd_free(r.items);
    return status;
}
