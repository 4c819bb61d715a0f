#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "io/bytes.h"
#include "io/npy_items.h"

enum { CHUNK = 65536 }; /* bytes at a time; a multiple of 8 */

/* Strings that arrive piece by piece. */
typedef struct {
    crd_source *source;
    const crd_npy *npy;
    crd_error *error;
    char **strings;
    int64_t count, capacity;
    crd_text text; /* the current string */
    bool padding;  /* a NUL came: only NULs may follow */
} gatherer;

static crd_status complain(gatherer *g, const char *what)
{
    char place[96];
    crd_npy_place(g->npy, g->count, place, sizeof place);
    return crd_fail(g->error, CRD_ERROR_FORMAT, "%s: %s %s", crd_source_name(g->source), place, what);
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

/* Adds some characters to the current string. */
static crd_status add_characters(gatherer *g, const uint8_t *bytes, size_t count)
{
    size_t step = g->npy->kind == CRD_NPY_UNICODE ? 4 : 1;
    for (size_t i = 0; i < count; i += step) {
        uint32_t c = (uint32_t)crd_load(bytes + i, (int)step, g->npy->big_endian);
        if (c == 0) {
            g->padding = true;
            continue;
        }
        if (g->padding) return complain(g, "holds a NUL character inside its text");
        if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
            return complain(g, "holds a character that Unicode does not have");
        if (step == 4) add_utf8(&g->text, c);
        else crd_text_add_bytes(&g->text, bytes + i, 1);
    }
    return CRD_OK;
}

/* The string is complete. */
static crd_status end_string(gatherer *g)
{
    crd_status status = CRD_GROW(&g->strings, &g->capacity, g->count + 1, g->error);
    if (status != CRD_OK) return status;
    if (g->npy->kind == CRD_NPY_BYTES && g->text.bytes != NULL && !is_utf8(g->text.bytes))
        return complain(g, "holds bytes that are not UTF-8");
    status = crd_text_finish(&g->text, &g->strings[g->count], g->error);
    if (status != CRD_OK) return status;
    CRD_SHRINK(&g->strings[g->count], strlen(g->strings[g->count]) + 1);
    g->count++;
    g->padding = false;
    return CRD_OK;
}

static crd_status read_text(gatherer *g)
{
    uint8_t chunk[CHUNK];
    while (g->count < g->npy->count) {
        for (int64_t left = g->npy->item_size; left > 0;) {
            size_t part = left < CHUNK ? (size_t)left : CHUNK, got;
            crd_status status = crd_source_read(g->source, chunk, part, &got, g->error);
            if (status != CRD_OK) return status;
            if (got < part) return crd_npy_fail_short(g->source, g->npy, g->count, g->error);
            status = add_characters(g, chunk, part);
            if (status != CRD_OK) return status;
            left -= (int64_t)part;
        }
        crd_status status = end_string(g);
        if (status != CRD_OK) return status;
    }
    return CRD_OK;
}

/* As NumPy writes them, but whole floats are written like integers. */
static void write_number(const crd_npy *npy, const crd_npy_number *number, crd_text *text)
{
    if (npy->kind == CRD_NPY_BOOL) crd_text_add(text, number->natural != 0 ? "True" : "False");
    else if (number->kind == CRD_NPY_INT) crd_text_format(text, "%lld", (long long)number->integer);
    else if (number->kind == CRD_NPY_UINT) crd_text_format(text, "%llu", (unsigned long long)number->natural);
    else if (isnan(number->real)) crd_text_add(text, "nan");
    else if (isinf(number->real)) crd_text_add(text, number->real < 0 ? "-inf" : "inf");
    else if (npy->item_size == 8) crd_text_add_json_number(text, number->real);
    else crd_text_add_json_float(text, (float)number->real);
}

static crd_status read_numbers(gatherer *g)
{
    while (g->count < g->npy->count) {
        uint8_t bytes[8];
        size_t got;
        crd_npy_number number;
        crd_status status = crd_source_read(g->source, bytes, (size_t)g->npy->item_size, &got, g->error);
        if (status != CRD_OK) return status;
        if ((int64_t)got < g->npy->item_size) return crd_npy_fail_short(g->source, g->npy, g->count, g->error);
        if (!crd_npy_decode(g->npy, bytes, &number)) return complain(g, "is a bool other than 0 and 1");
        write_number(g->npy, &number, &g->text);
        status = end_string(g);
        if (status != CRD_OK) return status;
    }
    return CRD_OK;
}

crd_status crd_npy_read_strings(crd_source *source, const crd_npy *npy, char ***items, crd_error *error)
{
    gatherer g = {.source = source, .npy = npy, .error = error};
    *items = NULL;
    if (npy->kind == CRD_NPY_OBJECT)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: holds pickled Python objects, which are never opened",
                        crd_source_name(source));
    crd_status status = CRD_GROW(&g.strings, &g.capacity, 0, error);
    if (status == CRD_OK)
        status = npy->kind == CRD_NPY_UNICODE || npy->kind == CRD_NPY_BYTES ? read_text(&g) : read_numbers(&g);
    if (status == CRD_OK) status = crd_npy_check_end(source, npy, error);
    if (status == CRD_OK) status = crd_npy_reorder(npy, sizeof *g.strings, (void **)&g.strings, error);
    crd_text_free(&g.text);
    if (status == CRD_OK) *items = g.strings;
    else crd_strings_free(&g.strings, g.count);
    return status;
}
