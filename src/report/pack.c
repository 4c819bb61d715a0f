#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "report/report.h"

/* zlib's own memory comes from where all of ours comes from; it overwrites what it gets. */
static void *allocate(void *user, uInt items, uInt size)
{
    (void)user;
    void *memory;
    return crd_allocate(&memory, (int64_t)items, size, false, NULL) == CRD_OK ? memory : NULL;
}

static void release(void *user, void *memory)
{
    (void)user;
    free(memory);
}

/* 16: a gzip header, which zlib writes with neither a time nor a name. */
enum { GZIP_WINDOW = 15 + 16, MEMORY = 9 };

static crd_status compress_bytes(const void *bytes, size_t size, unsigned char **gzip, size_t *length,
                                 crd_error *error)
{
    z_stream stream = {.zalloc = allocate, .zfree = release};
    *gzip = NULL;
    if (size > UINT_MAX / 2)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "%zu bytes of one kind are more than a page can hold, which is %u",
                        size, UINT_MAX / 2);
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return crd_fail_memory(error, (size_t)1 << 18);
    const uLong bound = deflateBound(&stream, (uLong)size);
    crd_status status = CRD_NEW(gzip, bound, error);
    if (status == CRD_OK) {
        stream.next_in = (Bytef *)bytes;
        stream.avail_in = (uInt)size;
        stream.next_out = *gzip;
        stream.avail_out = (uInt)bound;
        (void)deflate(&stream, Z_FINISH); /* there is room for all of it */
        *length = (size_t)stream.total_out;
        (*gzip)[9] = 0xff; /* which system made it: one page, wherever it is made */
    }
    deflateEnd(&stream);
    return status;
}

static void encode(const unsigned char *bytes, size_t size, char *text)
{
    static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const unsigned word = (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0u) |
                              (left > 2 ? (unsigned)bytes[i + 2] : 0u);
        *text++ = LETTERS[word >> 18];
        *text++ = LETTERS[word >> 12 & 63];
        *text++ = left > 1 ? LETTERS[word >> 6 & 63] : '=';
        *text++ = left > 2 ? LETTERS[word & 63] : '=';
    }
    *text = '\0';
}

crd_status crd_report_pack(const void *bytes, size_t size, char **packed, crd_error *error)
{
    unsigned char *gzip;
    size_t length = 0;
    *packed = NULL;
    crd_status status = compress_bytes(bytes, size, &gzip, &length, error);
    if (status == CRD_OK) status = CRD_NEW(packed, (length + 2) / 3 * 4 + 1, error);
    if (status == CRD_OK) encode(gzip, length, *packed);
    free(gzip);
    return status;
}
