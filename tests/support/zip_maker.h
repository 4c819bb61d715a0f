/* SPDX-License-Identifier: MIT */
/* Zip archives made byte by byte, so that tests and fuzz seeds can contain every lie an archive can tell. */
#ifndef CRD_TESTS_ZIP_MAKER_H
#define CRD_TESTS_ZIP_MAKER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

typedef struct zip_member {
    const char *name;
    const void *data;
    size_t size;
    bool deflate;
    /* lies; 0 for an honest member */
    uint16_t flags;        /* 1: encrypted */
    uint16_t method;       /* instead of the true one */
    uint32_t wrong_crc;    /* changes these bits */
    uint32_t claimed_size; /* unpacked, instead of the true one */
    bool link;             /* a symbolic link; the data are its target */
    /* honest, but not as simple as can be */
    bool descriptor;         /* the header leaves sizes and checksum to a descriptor behind the data */
    bool zip64;              /* the header has its sizes in ZIP64's extra field, as NumPy writes it */
    bool zip64_in_directory; /* so has the directory, with the member's place */
} zip_member;

typedef struct zip_bytes {
    uint8_t *bytes;
    size_t size, capacity;
} zip_bytes;

static inline void zip_add(zip_bytes *to, const void *bytes, size_t count)
{
    if (to->size + count > to->capacity) {
        to->capacity = 2 * (to->size + count) + 1024;
        to->bytes = realloc(to->bytes, to->capacity);
        if (to->bytes == NULL) abort();
    }
    if (count > 0) memcpy(to->bytes + to->size, bytes, count);
    to->size += count;
}

/* A little-endian number. */
static inline void zip_number(zip_bytes *to, int size, uint64_t value)
{
    for (int i = 0; i < size; i++) {
        uint8_t byte = (uint8_t)(value >> 8 * i);
        zip_add(to, &byte, 1);
    }
}

static inline zip_bytes zip_pack(const zip_member *member)
{
    zip_bytes packed = {NULL, 0, 0};
    if (!member->deflate) {
        zip_add(&packed, member->data, member->size);
        return packed;
    }
    z_stream stream = {0};
    if (deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY) != Z_OK) abort();
    packed.capacity = deflateBound(&stream, (uLong)member->size) + 16;
    packed.bytes = malloc(packed.capacity);
    if (packed.bytes == NULL) abort();
    stream.next_in = (Bytef *)member->data;
    stream.avail_in = (uInt)member->size;
    stream.next_out = packed.bytes;
    stream.avail_out = (uInt)packed.capacity;
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END) abort();
    packed.size = stream.total_out;
    deflateEnd(&stream);
    return packed;
}

/* The fields that the local header and the directory's entry share. `extra` is the length of the extra fields. */
static inline void zip_facts(zip_bytes *to, const zip_member *member, size_t packed_size, bool zip64, bool later,
                             size_t extra)
{
    uint32_t crc = (uint32_t)crc32(crc32(0, NULL, 0), member->data, (uInt)member->size) ^ member->wrong_crc;
    uint16_t method = member->method != 0 ? member->method : member->deflate ? 8 : 0;
    uint64_t size = member->claimed_size != 0 ? member->claimed_size : member->size;
    zip_number(to, 2, zip64 ? 45 : 20);
    zip_number(to, 2, member->flags | (member->descriptor ? 8u : 0u));
    zip_number(to, 2, method);
    zip_number(to, 4, 0x00210000); /* 1 January 1980 */
    zip_number(to, 4, later ? 0 : crc);
    zip_number(to, 4, zip64 ? UINT32_MAX : later ? 0 : packed_size);
    zip_number(to, 4, zip64 ? UINT32_MAX : later ? 0 : size);
    zip_number(to, 2, strlen(member->name));
    zip_number(to, 2, extra);
}

static inline void zip_header(zip_bytes *to, const zip_member *member, size_t packed_size)
{
    uint64_t size = member->claimed_size != 0 ? member->claimed_size : member->size;
    zip_add(to, "PK\x03\x04", 4);
    zip_facts(to, member, packed_size, member->zip64, member->descriptor, member->zip64 ? 20 : 0);
    zip_add(to, member->name, strlen(member->name));
    if (!member->zip64) return;
    zip_number(to, 4, 16 << 16 | 1);
    zip_number(to, 8, member->descriptor ? 0 : size);
    zip_number(to, 8, member->descriptor ? 0 : packed_size);
}

static inline void zip_descriptor(zip_bytes *to, const zip_member *member, size_t packed_size)
{
    zip_add(to, "PK\x07\x08", 4);
    zip_number(to, 4, (uint32_t)crc32(crc32(0, NULL, 0), member->data, (uInt)member->size) ^ member->wrong_crc);
    zip_number(to, member->zip64 ? 8 : 4, packed_size);
    zip_number(to, member->zip64 ? 8 : 4, member->size);
}

static inline void zip_record(zip_bytes *to, const zip_member *member, size_t packed_size, size_t offset)
{
    uint64_t size = member->claimed_size != 0 ? member->claimed_size : member->size;
    bool zip64 = member->zip64_in_directory;
    zip_add(to, "PK\x01\x02", 4);
    zip_number(to, 2, member->link ? 3 << 8 | 20 : 20); /* made by Unix, or unspecified */
    zip_facts(to, member, packed_size, zip64, false, zip64 ? 28 : 0);
    zip_number(to, 2, 0); /* comment */
    zip_number(to, 2, 0); /* disk */
    zip_number(to, 2, 0);
    zip_number(to, 4, member->link ? (uint64_t)0120777 << 16 : 0);
    zip_number(to, 4, zip64 ? UINT32_MAX : offset);
    zip_add(to, member->name, strlen(member->name));
    if (!zip64) return;
    zip_number(to, 4, 24 << 16 | 1);
    zip_number(to, 8, size);
    zip_number(to, 8, packed_size);
    zip_number(to, 8, offset);
}

/* ZIP64's end, and its place. */
static inline void zip_end64(zip_bytes *to, int count, size_t directory_size, size_t start)
{
    size_t place = to->size;
    zip_add(to, "PK\x06\x06", 4);
    zip_number(to, 8, 44);
    zip_number(to, 2, 45);
    zip_number(to, 2, 45);
    zip_number(to, 8, 0); /* disks */
    zip_number(to, 8, (uint64_t)count);
    zip_number(to, 8, (uint64_t)count);
    zip_number(to, 8, directory_size);
    zip_number(to, 8, start);
    zip_add(to, "PK\x06\x07", 4);
    zip_number(to, 4, 0);
    zip_number(to, 8, place);
    zip_number(to, 4, 1);
}

/* An archive that ends in a comment, and perhaps has its numbers in ZIP64's end. The caller frees `bytes`. */
static inline zip_bytes zip_make_ending(const zip_member *members, int count, bool zip64, const char *comment)
{
    zip_bytes archive = {NULL, 0, 0}, directory = {NULL, 0, 0};
    for (int i = 0; i < count; i++) {
        zip_bytes packed = zip_pack(&members[i]);
        zip_record(&directory, &members[i], packed.size, archive.size);
        zip_header(&archive, &members[i], packed.size);
        zip_add(&archive, packed.bytes, packed.size);
        if (members[i].descriptor) zip_descriptor(&archive, &members[i], packed.size);
        free(packed.bytes);
    }
    size_t start = archive.size;
    zip_add(&archive, directory.bytes, directory.size);
    if (zip64) zip_end64(&archive, count, directory.size, start);
    zip_add(&archive, "PK\x05\x06\0\0\0\0", 8);
    zip_number(&archive, 2, zip64 ? UINT16_MAX : (uint64_t)count);
    zip_number(&archive, 2, zip64 ? UINT16_MAX : (uint64_t)count);
    zip_number(&archive, 4, zip64 ? UINT32_MAX : directory.size);
    zip_number(&archive, 4, zip64 ? UINT32_MAX : start);
    zip_number(&archive, 2, strlen(comment));
    zip_add(&archive, comment, strlen(comment));
    free(directory.bytes);
    return archive;
}

static inline zip_bytes zip_make(const zip_member *members, int count)
{
    return zip_make_ending(members, count, false, "");
}

/* A .npy file, version 1.0, around the given dictionary and items. */
static inline zip_bytes npy_make(const char *dictionary, const void *items, size_t size)
{
    zip_bytes npy = {NULL, 0, 0};
    zip_add(&npy, "\x93NUMPY\x01\x00", 8);
    zip_number(&npy, 2, strlen(dictionary));
    zip_add(&npy, dictionary, strlen(dictionary));
    zip_add(&npy, items, size);
    return npy;
}

#endif
