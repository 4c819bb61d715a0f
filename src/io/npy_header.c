/* The header of a .npy file is a Python dictionary, written out:
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
 * The parser knows only this much Python: no names but True and False, no arithmetic, no nesting. */
#include "io/npy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/bytes.h"

enum { MAGIC = 6, LONGEST_HEADER = 65535, LONGEST_DESCR = 24 };

typedef struct {
    const char *at;  /* the next byte */
    const char *end; /* here is a NUL */
    const char *name;
    crd_error *error;
} parser;

static crd_status complain(const parser *p, const char *expected)
{
    char found[24];
    size_t left = (size_t)(p->end - p->at);
    snprintf(found, sizeof found, "%.*s", left < 20 ? (int)left : 20, p->at);
    return crd_fail(p->error, CRD_ERROR_FORMAT, "%s: bad .npy header: expected %s, found '%s'", p->name, expected,
                    found);
}

static void skip_blanks(parser *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\n' || *p->at == '\t' || *p->at == '\r')) p->at++;
}

/* Skips one character, and the blanks before it, if it is there. */
static bool take(parser *p, char wanted)
{
    skip_blanks(p);
    if (p->at == p->end || *p->at != wanted) return false;
    p->at++;
    return true;
}

/* A quoted string without escapes. */
static crd_status parse_string(parser *p, const char *expected, char *text, size_t size)
{
    skip_blanks(p);
    const char *start = p->at;
    if (p->at == p->end || (*p->at != '\'' && *p->at != '"')) return complain(p, expected);
    char quote = *p->at++;
    const char *close = memchr(p->at, quote, (size_t)(p->end - p->at));
    size_t length = close == NULL ? 0 : (size_t)(close - p->at);
    if (close == NULL || length >= size || memchr(p->at, '\\', length) != NULL || memchr(p->at, '\0', length) != NULL) {
        p->at = start;
        return complain(p, expected);
    }
    memcpy(text, p->at, length);
    text[length] = '\0';
    p->at = close + 1;
    return CRD_OK;
}

static crd_status parse_bool(parser *p, bool *value)
{
    skip_blanks(p);
    size_t left = (size_t)(p->end - p->at);
    *value = left >= 4 && memcmp(p->at, "True", 4) == 0;
    if (!*value && !(left >= 5 && memcmp(p->at, "False", 5) == 0)) return complain(p, "True or False");
    p->at += *value ? 4 : 5;
    return CRD_OK;
}

static crd_status parse_length(parser *p, int64_t *value)
{
    skip_blanks(p);
    const char *start = p->at;
    int64_t number = 0;
    bool fits = true;
    for (; p->at < p->end && *p->at >= '0' && *p->at <= '9'; p->at++)
        fits = fits && crd_multiply(number, 10, &number) && crd_add(number, *p->at - '0', &number);
    if (p->at == start || !fits) {
        p->at = start;
        return complain(p, "a length below 2^63");
    }
    if (p->at < p->end && *p->at == 'L') p->at++; /* Python 2's long numbers */
    *value = number;
    return CRD_OK;
}

/* A tuple: (), (3,), (3, 4), (3, 4,). */
static crd_status parse_shape(parser *p, crd_npy *npy)
{
    if (!take(p, '(')) return complain(p, "a shape in parentheses");
    npy->dims = 0;
    bool comma = true;
    while (!take(p, ')')) {
        if (!comma) return complain(p, "',' or ')' in the shape");
        if (npy->dims == CRD_NPY_MAX_DIMS)
            return crd_fail(p->error, CRD_ERROR_FORMAT, "%s: has more than %d dimensions", p->name, CRD_NPY_MAX_DIMS);
        crd_status status = parse_length(p, &npy->shape[npy->dims]);
        if (status != CRD_OK) return status;
        npy->dims++;
        comma = take(p, ',');
    }
    if (npy->dims == 1 && !comma) return complain(p, "a shape like (3,): (3) is a number");
    return CRD_OK;
}

/* "<f4": byte order, kind, size (in bytes; in characters for U). */
static crd_status understand_type(const parser *p, const char *descr, crd_npy *npy)
{
    static const struct {
        char letter;
        crd_npy_kind kind;
        const char *sizes; /* the allowed ones, as digits */
    } kinds[] = {{'b', CRD_NPY_BOOL, "1"},    {'i', CRD_NPY_INT, "1248"},   {'u', CRD_NPY_UINT, "1248"},
                 {'f', CRD_NPY_FLOAT, "248"}, {'U', CRD_NPY_UNICODE, NULL}, {'S', CRD_NPY_BYTES, NULL},
                 {'a', CRD_NPY_BYTES, NULL},  {'O', CRD_NPY_OBJECT, NULL}};
    const char *digits = descr[0] != '\0' && descr[1] != '\0' ? descr + 2 : "";
    size_t length = strlen(digits);
    bool good =
        descr[0] != '\0' && strchr("<>|=", descr[0]) != NULL && length <= 10 && strspn(digits, "0123456789") == length;
    size_t k = 0, count = sizeof kinds / sizeof kinds[0];
    while (good && k < count && kinds[k].letter != descr[1]) k++;
    good = good && k < count;
    if (good && kinds[k].sizes != NULL) good = length == 1 && strchr(kinds[k].sizes, digits[0]) != NULL;
    if (good && kinds[k].kind != CRD_NPY_OBJECT) good = length > 0;
    if (!good)
        return crd_fail(p->error, CRD_ERROR_FORMAT,
                        "%s: cannot read items of type '%s'; expected numbers (i, u, f), bool or strings (U, S)",
                        p->name, descr);
    npy->kind = kinds[k].kind;
    npy->item_size = length > 0 ? strtoll(digits, NULL, 10) : 8;
    if (npy->kind == CRD_NPY_UNICODE) npy->item_size *= 4;
    npy->big_endian = descr[0] == '>' || (descr[0] != '<' && crd_host_is_big_endian());
    return CRD_OK;
}

static crd_status parse_dictionary(parser *p, crd_npy *npy)
{
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    bool seen[3] = {false, false, false}, comma = true;
    crd_status status;
    if (!take(p, '{')) return complain(p, "'{'");
    while (!take(p, '}')) {
        if (!comma) return complain(p, "',' or '}'");
        const char *start = p->at;
        char text[LONGEST_DESCR];
        status = parse_string(p, "'descr', 'fortran_order' or 'shape'", text, sizeof text);
        if (status != CRD_OK) return status;
        int key = 0;
        while (key < 3 && strcmp(text, keys[key]) != 0) key++;
        if (key == 3 || seen[key]) {
            p->at = start;
            return complain(p, "'descr', 'fortran_order' and 'shape', each once");
        }
        seen[key] = true;
        if (!take(p, ':')) return complain(p, "':'");
        if (key == 0) {
            status = parse_string(p, "one type for all items, such as '<f4'", text, sizeof text);
            if (status == CRD_OK) status = understand_type(p, text, npy);
        } else if (key == 1) {
            status = parse_bool(p, &npy->fortran_order);
        } else {
            status = parse_shape(p, npy);
        }
        if (status != CRD_OK) return status;
        comma = take(p, ',');
    }
    for (int key = 0; key < 3; key++)
        if (!seen[key])
            return crd_fail(p->error, CRD_ERROR_FORMAT, "%s: the .npy header does not give '%s'", p->name, keys[key]);
    skip_blanks(p);
    return p->at == p->end ? CRD_OK : complain(p, "nothing after '}'");
}

/* The number of items; the number of their bytes must fit in 64 bits too. */
static crd_status count_items(const parser *p, crd_npy *npy)
{
    bool fits = true;
    int64_t bytes;
    npy->count = 1;
    for (int d = 0; d < npy->dims; d++)
        if (npy->shape[d] == 0) npy->count = 0;
    for (int d = 0; d < npy->dims && npy->count > 0; d++)
        fits = fits && crd_multiply(npy->count, npy->shape[d], &npy->count);
    if (!fits || !crd_multiply(npy->count, npy->item_size, &bytes))
        return crd_fail(p->error, CRD_ERROR_FORMAT, "%s: the shape in the .npy header is impossibly large", p->name);
    if (npy->item_size == 0 && npy->count > 0)
        return crd_fail(p->error, CRD_ERROR_FORMAT, "%s: the .npy header announces %lld items of no size", p->name,
                        (long long)npy->count);
    return CRD_OK;
}

/* The magic, the version and the length of the dictionary that follows. */
static crd_status read_preamble(crd_source *source, size_t *length, crd_error *error)
{
    const char *name = crd_source_name(source);
    uint8_t bytes[MAGIC + 2 + 4];
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
    crd_status status = read_preamble(source, &length, error);
    if (status != CRD_OK) return status;
    char *header;
    status = CRD_NEW(&header, length + 1, error);
    if (status != CRD_OK) return status;
    status = crd_source_read_exactly(source, header, length, error);
    if (status == CRD_OK) {
        header[length] = '\0';
        crd_npy found = {0};
        parser p = {header, header + length, crd_source_name(source), error};
        status = parse_dictionary(&p, &found);
        if (status == CRD_OK) status = count_items(&p, &found);
        if (status == CRD_OK) *npy = found;
    }
    free(header);
    return status;
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
