/* SPDX-License-Identifier: MIT */
/* Writing zip archives; zip.c has a picture of their parts. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "io/zip.h"

/* Versions of the format that a reader needs. */
enum { FOR_STORED = 10, FOR_DEFLATED = 20, FOR_ZIP64 = 45 };
enum { STORED = 0, DEFLATED = 8 };
/* Made on Unix, whose file modes are the upper half of a member's attributes: a file that everybody may read and write,
 * as far as the one who unpacks it wants. */
enum { MADE_BY = 3 << 8 | 63 };
static const uint64_t ATTRIBUTES = (uint64_t)0100666 << 16;
enum { NAME_IS_UTF8 = 1 << 11 };
/* Noon of 1 January 1980, the first day that a zip archive can hold. */
enum { DOS_TIME = 12 << 11, DOS_DATE = 1 << 5 | 1 };
/* The best level, 9, takes ten times longer and saves little. */
enum { LEVEL = 3, MEMORY = 9 };
/* zlib counts in 32 bits. */
enum { MOST_AT_ONCE = 1 << 30 };

void crd_zip_writer_free(crd_zip_writer *writer)
{
    crd_text_free(&writer->directory);
    crd_free(writer->packed);
    writer->packed = NULL;
    writer->capacity = 0;
}

/* ---- numbers ---- */

static void add(crd_text *to, int size, uint64_t value)
{
    uint8_t bytes[8];
    for (int i = 0; i < size; i++) bytes[i] = (uint8_t)(value >> 8 * i);
    crd_text_add_bytes(to, bytes, (size_t)size);
}

/* A number, or all ones if it is one of those for ZIP64. */
static void add_or_ones(crd_text *to, int size, uint64_t value, bool zip64)
{
    add(to, size, zip64 ? UINT64_MAX : value);
}

static void write_text(crd_zip_writer *writer, const crd_text *text)
{
    if (text->status != CRD_OK) return;
    crd_outfile_write(writer->file, text->bytes, (size_t)text->length);
    writer->written += (uint64_t)text->length;
}

/* ---- members ---- */

typedef struct {
    const char *name;
    uint64_t begin, packed, size;
    uint32_t crc;
    bool deflated;
} member;

static bool is_ascii(const char *name)
{
    for (; *name != '\0'; name++)
        if ((unsigned char)*name >= 0x80) return false;
    return true;
}

/* The fields that a member's header and its record in the directory have in common. */
static void add_facts(crd_text *to, const member *m, bool zip64, bool packed64, bool size64, size_t extra)
{
    add(to, 2, zip64 ? FOR_ZIP64 : m->deflated ? FOR_DEFLATED : FOR_STORED);
    add(to, 2, is_ascii(m->name) ? 0 : NAME_IS_UTF8);
    add(to, 2, m->deflated ? DEFLATED : STORED);
    add(to, 2, DOS_TIME);
    add(to, 2, DOS_DATE);
    add(to, 4, m->crc);
    add_or_ones(to, 4, m->packed, packed64);
    add_or_ones(to, 4, m->size, size64);
    add(to, 2, strlen(m->name));
    add(to, 2, extra);
}

/* ZIP64's extra field, with those numbers that do not fit elsewhere. */
static void add_zip64(crd_text *to, const uint64_t *values, int count)
{
    if (count == 0) return;
    add(to, 2, 1);
    add(to, 2, 8 * (uint64_t)count);
    for (int i = 0; i < count; i++) add(to, 8, values[i]);
}

/* Here ZIP64 takes both sizes or none. */
static crd_status write_header(crd_zip_writer *writer, const member *m, crd_error *error)
{
    const bool zip64 = m->size >= writer->limit || m->packed >= writer->limit;
    crd_text header = {0};
    crd_text_add_bytes(&header, "PK\x03\x04", 4);
    add_facts(&header, m, zip64, zip64, zip64, zip64 ? 20 : 0);
    crd_text_add(&header, m->name);
    if (zip64) add_zip64(&header, (const uint64_t[]){m->size, m->packed}, 2);
    write_text(writer, &header);
    const crd_status status = header.status;
    crd_text_free(&header);
    return status == CRD_OK ? CRD_OK : crd_fail_memory(error, strlen(m->name));
}

static void add_record(crd_zip_writer *writer, const member *m)
{
    const bool size64 = m->size >= writer->limit, packed64 = m->packed >= writer->limit,
               begin64 = m->begin >= writer->limit;
    uint64_t values[3];
    int count = 0;
    if (size64) values[count++] = m->size;
    if (packed64) values[count++] = m->packed;
    if (begin64) values[count++] = m->begin;
    crd_text *to = &writer->directory;
    crd_text_add_bytes(to, "PK\x01\x02", 4);
    add(to, 2, MADE_BY);
    add_facts(to, m, count > 0, packed64, size64, count > 0 ? 4 + 8 * (size_t)count : 0);
    add(to, 2, 0); /* a comment's length */
    add(to, 2, 0); /* the disk */
    add(to, 2, 0); /* not text */
    add(to, 4, ATTRIBUTES);
    add_or_ones(to, 4, m->begin, begin64);
    crd_text_add(to, m->name);
    add_zip64(to, values, count);
}

/* Deflates more bytes into the writer's buffer; `flush` is Z_FINISH for the last ones. */
static crd_status deflate_some(crd_zip_writer *writer, z_stream *stream, const uint8_t *bytes, size_t count, int flush,
                               uint64_t *packed, crd_error *error)
{
    stream->next_in = (Bytef *)bytes;
    stream->avail_in = (uInt)count;
    for (;;) {
        crd_status status = CRD_GROW(&writer->packed, &writer->capacity, *packed + (1 << 16), error);
        if (status != CRD_OK) return status;
        const uint64_t room = (uint64_t)writer->capacity - *packed;
        const uInt most = room < MOST_AT_ONCE ? (uInt)room : MOST_AT_ONCE;
        stream->next_out = writer->packed + *packed;
        stream->avail_out = most;
        deflate(stream, flush);
        *packed += most - stream->avail_out;
        if (stream->avail_out > 0) return CRD_OK; /* it has nothing more to give */
    }
}

static crd_status pack(crd_zip_writer *writer, const crd_zip_part *parts, int count, uint64_t *packed, crd_error *error)
{
    z_stream stream = {.zalloc = crd_zlib_allocate, .zfree = crd_zlib_free};
    *packed = 0;
    if (deflateInit2(&stream, LEVEL, Z_DEFLATED, -MAX_WBITS, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return crd_fail_memory(error, (size_t)1 << (MAX_WBITS + 2));
    crd_status status = CRD_OK;
    for (int p = 0; p < count; p++)
        for (size_t done = 0, part; done < parts[p].size && status == CRD_OK; done += part) {
            part = parts[p].size - done < MOST_AT_ONCE ? parts[p].size - done : MOST_AT_ONCE;
            status =
                deflate_some(writer, &stream, (const uint8_t *)parts[p].bytes + done, part, Z_NO_FLUSH, packed, error);
        }
    if (status == CRD_OK) status = deflate_some(writer, &stream, NULL, 0, Z_FINISH, packed, error);
    deflateEnd(&stream);
    return status;
}

static uint32_t checksum(const crd_zip_part *parts, int count)
{
    uLong crc = crc32(0, NULL, 0);
    for (int p = 0; p < count; p++)
        for (size_t done = 0, part; done < parts[p].size; done += part) {
            part = parts[p].size - done < MOST_AT_ONCE ? parts[p].size - done : MOST_AT_ONCE;
            crc = crc32(crc, (const Bytef *)parts[p].bytes + done, (uInt)part);
        }
    return (uint32_t)crc;
}

crd_status crd_zip_add(crd_zip_writer *writer, const char *name, const crd_zip_part *parts, int count, bool deflated,
                       crd_error *error)
{
    member m = {.name = name, .begin = writer->written, .crc = checksum(parts, count), .deflated = deflated};
    crd_status status = CRD_OK;
    if (strlen(name) > 0xffff)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "%.60s...: a zip archive has no room for such a long name", name);
    for (int p = 0; p < count; p++) m.size += parts[p].size;
    m.packed = m.size;
    if (deflated) status = pack(writer, parts, count, &m.packed, error);
    if (status == CRD_OK) status = write_header(writer, &m, error);
    if (status != CRD_OK) return status;
    if (deflated) crd_outfile_write(writer->file, writer->packed, (size_t)m.packed);
    for (int p = 0; p < count && !deflated; p++)
        if (parts[p].size > 0) crd_outfile_write(writer->file, parts[p].bytes, parts[p].size);
    writer->written += m.packed;
    writer->count++;
    add_record(writer, &m);
    return CRD_OK;
}

/* ---- the end ---- */

crd_status crd_zip_finish(crd_zip_writer *writer, crd_error *error)
{
    const uint64_t begin = writer->written, size = (uint64_t)writer->directory.length, count = writer->count;
    const bool begin64 = begin >= writer->limit, size64 = size >= writer->limit,
               count64 = count >= 0xffff || count >= writer->limit;
    crd_text *to = &writer->directory;
    if (begin64 || size64 || count64) {
        crd_text_add_bytes(to, "PK\x06\x06", 4);
        add(to, 8, 44); /* the bytes that follow */
        add(to, 2, MADE_BY);
        add(to, 2, FOR_ZIP64);
        add(to, 8, 0); /* the disks */
        add(to, 8, count);
        add(to, 8, count);
        add(to, 8, size);
        add(to, 8, begin);
        crd_text_add_bytes(to, "PK\x06\x07", 4);
        add(to, 4, 0);
        add(to, 8, begin + size);
        add(to, 4, 1);
    }
    crd_text_add_bytes(to, "PK\x05\x06", 4);
    add(to, 4, 0); /* the disks */
    add_or_ones(to, 2, count, count64);
    add_or_ones(to, 2, count, count64);
    add_or_ones(to, 4, size, size64);
    add_or_ones(to, 4, begin, begin64);
    add(to, 2, 0); /* a comment's length */
    write_text(writer, to);
    return to->status == CRD_OK ? CRD_OK : crd_fail_memory(error, (size_t)size);
}
