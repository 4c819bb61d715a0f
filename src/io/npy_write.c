#include "io/npy_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "io/bytes.h"

enum { PREAMBLE = 10, ALIGNMENT = 64 };

/* Version 1.0; blanks make the items start at a multiple of 64, as NumPy has it, so that they can be
 * mapped. */
static crd_status make_header(crd_npy_image *image, const char *descr, int dims, const int64_t *shape,
                              crd_error *error)
{
    crd_text text = {0};
    crd_text_add_bytes(&text, "\x93NUMPY\x01\x00\x00\x00", PREAMBLE);
    crd_text_format(&text, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
    for (int d = 0; d < dims; d++)
        crd_text_format(&text, "%lld%s", (long long)shape[d], dims == 1 ? "," : d + 1 < dims ? ", " : "");
    crd_text_add(&text, "), }");
    while ((text.length + 1) % ALIGNMENT != 0 && text.status == CRD_OK) crd_text_add(&text, " ");
    crd_text_add(&text, "\n");
    int64_t length = text.length;
    crd_status status = crd_text_finish(&text, &image->header, error);
    if (status != CRD_OK) return status;
    image->header_size = length;
    image->header[8] = (char)(uint8_t)((length - PREAMBLE) & 0xff);
    image->header[9] = (char)(uint8_t)((length - PREAMBLE) >> 8);
    return CRD_OK;
}

crd_status crd_npy_image_numbers(crd_npy_image *image, crd_npy_type type, int dims, const int64_t *shape,
                                 const void *data, crd_error *error)
{
    static const struct {
        const char *descr;
        size_t size;
    } types[] = {{"|b1", 1}, {"<i4", 4}, {"<i8", 8}, {"<f4", 4}, {"<f8", 8}};
    *image = (crd_npy_image){0};
    int64_t count = 1, size;
    bool fits = dims >= 0 && dims <= CRD_NPY_MAX_DIMS;
    for (int d = 0; fits && d < dims; d++) fits = crd_multiply(count, shape[d], &count);
    if (!fits || !crd_multiply(count, (int64_t)types[type].size, &size))
        return crd_fail(error, CRD_ERROR_ARGUMENT, "an array to be written has an impossible shape");
    image->items_size = size;
    crd_status status = crd_little_endian(data, count, types[type].size, &image->items, &image->owned, error);
    if (status == CRD_OK) status = make_header(image, types[type].descr, dims, shape, error);
    if (status != CRD_OK) crd_npy_image_free(image);
    return status;
}

/* The next character of a UTF-8 string, which is not at its end; U+FFFD for a byte that starts none. */
static uint32_t next_character(const char **string)
{
    static const uint32_t smallest[] = {0, 0x80, 0x800, 0x10000};
    const uint8_t *s = (const uint8_t *)*string;
    int more = *s < 0x80                 ? 0
               : *s >= 0xc0 && *s < 0xe0 ? 1
               : *s >= 0xe0 && *s < 0xf0 ? 2
               : *s >= 0xf0 && *s < 0xf8 ? 3
                                         : -1;
    uint32_t c = more <= 0 ? *s : *s & (0x3fu >> more);
    int i = 1;
    for (; i <= more && (s[i] & 0xc0) == 0x80; i++) c = c << 6 | (s[i] & 0x3fu);
    if (more < 0 || i <= more || c < smallest[more] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) {
        *string += 1;
        return 0xfffd;
    }
    *string += more + 1;
    return c;
}

crd_status crd_npy_image_strings(crd_npy_image *image, int64_t count, const char *const *strings,
                                 crd_error *error)
{
    *image = (crd_npy_image){0};
    int64_t longest = 1; /* NumPy, too, has no strings of no characters */
    for (int64_t i = 0; i < count; i++) {
        int64_t length = 0;
        for (const char *s = strings[i]; *s != '\0'; length++) next_character(&s);
        if (length > longest) longest = length;
    }
    crd_status status = crd_allocate(&image->owned, count, (size_t)longest * 4, true, error);
    if (status != CRD_OK) return status;
    uint8_t *item = image->owned;
    for (int64_t i = 0; i < count; i++, item += 4 * longest) {
        uint8_t *to = item;
        for (const char *s = strings[i]; *s != '\0'; to += 4) {
            uint32_t c = next_character(&s);
            for (int b = 0; b < 4; b++) to[b] = (uint8_t)(c >> 8 * b);
        }
    }
    image->items = image->owned;
    image->items_size = count * longest * 4;
    char descr[32];
    snprintf(descr, sizeof descr, "<U%lld", (long long)longest);
    status = make_header(image, descr, 1, &count, error);
    if (status != CRD_OK) crd_npy_image_free(image);
    return status;
}

void crd_npy_image_write(const crd_npy_image *image, crd_outfile *file)
{
    crd_outfile_write(file, image->header, (size_t)image->header_size);
    crd_outfile_write(file, image->items, (size_t)image->items_size);
}

void crd_npy_image_free(crd_npy_image *image)
{
    free(image->header);
    free(image->owned);
    *image = (crd_npy_image){0};
}
