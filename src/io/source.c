/* SPDX-License-Identifier: MIT */
#include "io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/memory.h"
#include "base/watch.h"

/* A piece is read at once, without a look at the stop flag. */
enum { BUFFER = 65536, LONGEST_PIECE = 1 << 20, LONGEST_PEEK = 4096, GZIP_ONLY = 16 + MAX_WBITS };
static const int64_t longest_line = INT64_C(1) << 30;

struct crd_source {
    crd_source_methods methods;
    void *state;
    bool packed; /* the methods unpack gzip */
    char *name;
    size_t start, end; /* the bytes of `buffer` not consumed yet */
    char *line;        /* a line that was not whole in the buffer */
    int64_t line_capacity;
    int64_t line_number;
    const uint8_t *memory; /* what a source of bytes in memory has not given yet */
    size_t memory_left;
    uint8_t buffer[BUFFER];
};

/* ---- where bytes come from ---- */

/* The state of a file is its descriptor. */
static crd_status file_read(void *state, void *buffer, size_t count, size_t *got, const char *name, crd_error *error)
{
    ssize_t result;
    do result = read((int)(intptr_t)state, buffer, count);
    while (result < 0 && errno == EINTR);
    if (result < 0) return crd_fail_errno(error, name, "read");
    *got = (size_t)result;
    return CRD_OK;
}

static void file_close(void *state)
{
    if ((intptr_t)state != STDIN_FILENO) close((int)(intptr_t)state);
}

static crd_status memory_read(void *state, void *buffer, size_t count, size_t *got, const char *name, crd_error *error)
{
    crd_source *source = state;
    (void)name;
    (void)error;
    *got = count < source->memory_left ? count : source->memory_left;
    if (*got == 0) return CRD_OK;
    memcpy(buffer, source->memory, *got);
    source->memory += *got;
    source->memory_left -= *got;
    return CRD_OK;
}

/* ---- gzip, unpacked while it is read ---- */

typedef struct crd_gunzip {
    crd_source *below; /* the packed bytes */
    z_stream stream;
    bool inside; /* between a member's first byte and its last */
    int64_t packed, unpacked;
} crd_gunzip;

static void gunzip_close(void *state)
{
    crd_gunzip *gunzip = state;
    inflateEnd(&gunzip->stream);
    crd_source_free(&gunzip->below);
    crd_free(gunzip);
}

/* Unpacks some of the bytes that wait below. */
static crd_status inflate_some(crd_gunzip *gunzip, const char *name, crd_error *error)
{
    crd_source *below = gunzip->below;
    const size_t waiting = below->end - below->start;
    gunzip->stream.next_in = below->buffer + below->start;
    gunzip->stream.avail_in = (uInt)waiting;
    const int result = inflate(&gunzip->stream, Z_NO_FLUSH);
    below->start = below->end - gunzip->stream.avail_in;
    gunzip->packed += (int64_t)(waiting - gunzip->stream.avail_in);
    gunzip->inside = result != Z_STREAM_END;
    if (result == Z_STREAM_END || result == Z_OK || result == Z_BUF_ERROR) return CRD_OK;
    if (result == Z_MEM_ERROR) return crd_fail_memory(error, (size_t)1 << MAX_WBITS);
    return crd_fail(error, CRD_ERROR_FORMAT, "%s: the gzip data are damaged (%s) after %lld unpacked bytes", name,
                    gunzip->stream.msg != NULL ? gunzip->stream.msg : "no details", (long long)gunzip->unpacked);
}

/* One step; *ended after the last member. Between two members zeros are padding (tapes and block devices leave it),
 * anything else must be the start of the next member. */
static crd_status gunzip_step(crd_gunzip *gunzip, const char *name, bool *ended, crd_error *error)
{
    const uint8_t *next;
    size_t got;
    crd_status status = crd_source_peek(gunzip->below, 1, &next, &got, error);
    if (status != CRD_OK) return status;
    *ended = got == 0 && !gunzip->inside;
    if (*ended) return CRD_OK;
    if (got == 0)
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%s: the gzip data are cut off (after %lld packed bytes, %lld unpacked)", name,
                        (long long)gunzip->packed, (long long)gunzip->unpacked);
    if (gunzip->inside) return inflate_some(gunzip, name, error);
    if (*next == 0) {
        gunzip->below->start++;
        return CRD_OK;
    }
    if (*next != 0x1f)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: the gzip data are followed by bytes that are not gzip", name);
    inflateReset(&gunzip->stream);
    gunzip->inside = true;
    gunzip->stream.zalloc = crd_zlib_allocate;
    gunzip->stream.zfree = crd_zlib_free;
    return CRD_OK;
}

static crd_status gunzip_read(void *state, void *buffer, size_t count, size_t *got, const char *name, crd_error *error)
{
    crd_gunzip *gunzip = state;
    uInt room = count < BUFFER ? (uInt)count : BUFFER;
    gunzip->stream.next_out = buffer;
    gunzip->stream.avail_out = room;
    crd_status status = CRD_OK;
    for (bool ended = false; status == CRD_OK && gunzip->stream.avail_out == room && !ended;)
        status = gunzip_step(gunzip, name, &ended, error);
    if (status != CRD_OK) return status;
    *got = room - gunzip->stream.avail_out;
    gunzip->unpacked += (int64_t)*got;
    if (gunzip->unpacked <= CRD_BOMB_SIZE || gunzip->unpacked / CRD_BOMB_RATIO <= gunzip->packed) return CRD_OK;
    return crd_fail(error, CRD_ERROR_FORMAT,
                    "%s: %lld gzip bytes unpack to more than %lld, which is out of all proportion", name,
                    (long long)gunzip->packed, (long long)gunzip->unpacked);
}

/* Puts the gzip reader on top of a source whose first bytes are gzip's. A failure frees the source. */
static crd_status undo_gzip(crd_source **source, crd_error *error)
{
    static const crd_source_methods methods = {gunzip_read, gunzip_close};
    const uint8_t *bytes;
    size_t got;
    crd_gunzip *gunzip;
    crd_status status = crd_source_peek(*source, 3, &bytes, &got, error);
    if (status == CRD_OK && !crd_is_gzip(bytes, got)) return CRD_OK;
    if (status == CRD_OK) status = CRD_NEW_ZERO(&gunzip, 1, error);
    if (status != CRD_OK) {
        crd_source_free(source);
        return status;
    }
    gunzip->below = *source;
    gunzip->inside = true;
    if (inflateInit2(&gunzip->stream, GZIP_ONLY) != Z_OK) {
        gunzip_close(gunzip);
        *source = NULL;
        return crd_fail_memory(error, (size_t)1 << MAX_WBITS);
    }
    status = crd_source_custom(&methods, gunzip, gunzip->below->name, source, error);
    if (status == CRD_OK) (*source)->packed = true;
    return status;
}

/* ---- opening ---- */

crd_status crd_source_custom(const crd_source_methods *methods, void *state, const char *name, crd_source **source,
                             crd_error *error)
{
    crd_status status = CRD_NEW(source, 1, error);
    if (status != CRD_OK) {
        if (methods->close != NULL) methods->close(state);
        return status;
    }
    crd_source *s = *source;
    memset(s, 0, offsetof(crd_source, buffer));
    s->methods = *methods;
    s->state = state;
    status = crd_copy_string(&s->name, name, error);
    if (status != CRD_OK) crd_source_free(source);
    return status;
}

crd_status crd_source_open(const char *path, crd_source **source, crd_error *error)
{
    static const crd_source_methods methods = {file_read, file_close};
    *source = NULL;
    bool standard_input = strcmp(path, "-") == 0;
    int descriptor = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return crd_fail_errno(error, path, "open");
    void *state = (void *)(intptr_t)descriptor;
    struct stat facts;
    if (fstat(descriptor, &facts) == 0 && S_ISDIR(facts.st_mode)) {
        file_close(state);
        return crd_fail(error, CRD_ERROR_IO, "%s: is a folder, expected a file", path);
    }
    crd_status status = crd_source_custom(&methods, state, standard_input ? "standard input" : path, source, error);
    return status == CRD_OK ? undo_gzip(source, error) : status;
}

crd_status crd_source_memory(const void *bytes, size_t size, const char *name, crd_source **source, crd_error *error)
{
    static const crd_source_methods methods = {memory_read, NULL};
    crd_status status = crd_source_custom(&methods, NULL, name, source, error);
    if (status != CRD_OK) return status;
    (*source)->state = *source;
    (*source)->memory = bytes;
    (*source)->memory_left = size;
    return undo_gzip(source, error);
}

void crd_source_free(crd_source **source)
{
    if (source == NULL || *source == NULL) return;
    crd_source *s = *source;
    *source = NULL;
    if (s->methods.close != NULL) s->methods.close(s->state);
    crd_free(s->line);
    crd_free(s->name);
    crd_free(s);
}

const char *crd_source_name(const crd_source *source)
{
    return source->name;
}

bool crd_source_is_packed(const crd_source *source)
{
    return source->packed;
}

int64_t crd_source_line_number(const crd_source *source)
{
    return source->line_number;
}

/* ---- reading ---- */

/* Adds to the buffer, at its end; *got is 0 at the end of the bytes. The caller has made room. */
static crd_status fill(crd_source *source, size_t *got, crd_error *error)
{
    *got = 0;
    crd_status status = crd_watch_check(error);
    if (status == CRD_OK)
        status = source->methods.read(source->state, source->buffer + source->end, BUFFER - source->end, got,
                                      source->name, error);
    if (status == CRD_OK) source->end += *got;
    return status;
}

static size_t take_buffered(crd_source *source, void *buffer, size_t count)
{
    size_t waiting = source->end - source->start;
    size_t part = count < waiting ? count : waiting;
    if (part > 0) memcpy(buffer, source->buffer + source->start, part);
    source->start += part;
    if (source->start == source->end) source->start = source->end = 0;
    return part;
}

crd_status crd_source_read(crd_source *source, void *buffer, size_t count, size_t *got, crd_error *error)
{
    uint8_t *to = buffer;
    *got = 0;
    for (;;) {
        *got += take_buffered(source, to + *got, count - *got);
        size_t wanted = count - *got, part = 0;
        if (wanted == 0) return CRD_OK;
        bool directly = wanted >= BUFFER; /* the buffer would not help */
        if (wanted > LONGEST_PIECE) wanted = LONGEST_PIECE;
        crd_status status = directly ? crd_watch_check(error) : fill(source, &part, error);
        if (status == CRD_OK && directly)
            status = source->methods.read(source->state, to + *got, wanted, &part, source->name, error);
        if (status != CRD_OK || part == 0) return status;
        if (directly) *got += part;
    }
}

crd_status crd_source_read_exactly(crd_source *source, void *buffer, size_t count, crd_error *error)
{
    size_t got;
    crd_status status = crd_source_read(source, buffer, count, &got, error);
    if (status != CRD_OK || got == count) return status;
    return crd_fail(error, CRD_ERROR_FORMAT, "%s: is cut off (%zu more bytes were expected, %zu are there)",
                    source->name, count, got);
}

crd_status crd_source_peek(crd_source *source, size_t count, const uint8_t **bytes, size_t *got, crd_error *error)
{
    if (count > LONGEST_PEEK) count = LONGEST_PEEK;
    if (BUFFER - source->start < count || source->start == source->end) { /* make room */
        memmove(source->buffer, source->buffer + source->start, source->end - source->start);
        source->end -= source->start;
        source->start = 0;
    }
    *bytes = source->buffer + source->start;
    *got = 0;
    while (source->end - source->start < count) {
        size_t part;
        crd_status status = fill(source, &part, error);
        if (status != CRD_OK) return status;
        if (part == 0) break;
    }
    size_t waiting = source->end - source->start;
    *got = waiting < count ? waiting : count;
    return CRD_OK;
}

crd_status crd_source_read_all(crd_source *source, uint8_t **bytes, size_t *size, crd_error *error)
{
    int64_t capacity = 0, length = 0;
    size_t got;
    *bytes = NULL;
    *size = 0;
    do {
        crd_status status = CRD_GROW(bytes, &capacity, length + BUFFER, error);
        if (status == CRD_OK)
            status = crd_source_read(source, *bytes + length, (size_t)(capacity - length), &got, error);
        if (status != CRD_OK) {
            crd_free(*bytes);
            *bytes = NULL;
            return status;
        }
        length += (int64_t)got;
    } while (length == capacity);
    CRD_SHRINK(bytes, length);
    *size = (size_t)length;
    return CRD_OK;
}

/* ---- lines ---- */

/* Checks a line of `length` bytes, without its end, and terminates it. */
static crd_status finish_line(crd_source *source, char *bytes, int64_t length, char **line, size_t *line_length,
                              crd_error *error)
{
    while (length > 0 && bytes[length - 1] == '\r') length--;
    if (source->line_number == 1 && length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
        bytes += 3;
        length -= 3;
    }
    if (memchr(bytes, '\0', (size_t)length) != NULL)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: line %lld: holds a NUL byte, expected text", source->name,
                        (long long)source->line_number);
    /* A file whose lines end in CR alone would be one line, of which only the beginning might be read. */
    if (memchr(bytes, '\r', (size_t)length) != NULL)
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%s: line %lld: holds a carriage return that ends no line, expected lines that end "
                        "in LF or CR LF",
                        source->name, (long long)source->line_number);
    bytes[length] = '\0';
    *line = bytes;
    *line_length = (size_t)length;
    return CRD_OK;
}

/* Moves bytes from the buffer to the end of the gathered line. */
static crd_status gather(crd_source *source, int64_t *gathered, size_t count, crd_error *error)
{
    if (*gathered + (int64_t)count > longest_line)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: line %lld: is longer than %lld bytes", source->name,
                        (long long)source->line_number, (long long)longest_line);
    crd_status status = CRD_GROW(&source->line, &source->line_capacity, *gathered + (int64_t)count + 1, error);
    if (status == CRD_OK) *gathered += (int64_t)take_buffered(source, source->line + *gathered, count);
    return status;
}

crd_status crd_source_line(crd_source *source, char **line, size_t *length, crd_error *error)
{
    int64_t gathered = 0;
    *line = NULL;
    *length = 0;
    source->line_number++;
    for (;;) {
        size_t waiting = source->end - source->start, got = 0;
        char *from = (char *)source->buffer + source->start;
        char *newline = waiting > 0 ? memchr(from, '\n', waiting) : NULL;
        if (newline != NULL && gathered == 0) { /* the common case: no copy */
            source->start += (size_t)(newline - from) + 1;
            return finish_line(source, from, newline - from, line, length, error);
        }
        crd_status status = gather(source, &gathered, newline != NULL ? (size_t)(newline - from) : waiting, error);
        if (newline == NULL && status == CRD_OK) status = fill(source, &got, error);
        if (status != CRD_OK) return status;
        if (got > 0) continue;
        source->start += newline != NULL;
        if (newline != NULL || gathered > 0) return finish_line(source, source->line, gathered, line, length, error);
        source->line_number--;
        return CRD_OK;
    }
}
