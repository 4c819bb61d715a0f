/* SPDX-License-Identifier: MIT */
/* Reading zip archives. The parts of one, from its first byte to its last:
 *
 *     of each member: a header, its name, extra fields, the packed bytes, perhaps a descriptor (sizes and checksum)
 *     the directory:  a record of each member: fixed fields, its name, extra fields, a comment
 *     the end:        perhaps ZIP64's end and where that is; the place of the directory; a comment
 *
 * Numbers are little-endian. A field of 32 bits that is all ones stands for one of 64 bits in ZIP64's extra field. */
#include "io/zip.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "io/bytes.h"

/* The sizes of the fixed parts. */
enum { HEADER = 30, RECORD = 46, END = 22, END64 = 56, LOCATOR = 20 };
enum { LONGEST_COMMENT = 0xffff, CHUNK = 1 << 16 };
/* zlib counts in 32 bits. What is unpacked at once should still be in the cache when its checksum is computed. */
enum { MOST_PACKED = 1 << 30, MOST_UNPACKED = 1 << 18 };

enum { STORED = 0, DEFLATED = 8 };
enum { ENCRYPTED = 1 << 0 | 1 << 6 | 1 << 13, HAS_DESCRIPTOR = 1 << 3 };

typedef struct {
    const char *name;
    uint64_t begin, end; /* its header; where the next member or the directory begins */
    uint64_t packed, size;
    uint32_t crc;
    uint16_t flags, method;
} member;

struct crd_zip {
    char *name;
    int file;             /* -1: in memory */
    const uint8_t *bytes; /* NULL: in a file */
    uint64_t size;
    member *members;
    int64_t count;
    char *names;
};

void crd_zip_free(crd_zip **zip)
{
    if (zip == NULL || *zip == NULL) return;
    crd_zip *z = *zip;
    *zip = NULL;
    if (z->file >= 0) close(z->file);
    crd_free(z->members);
    crd_free(z->names);
    crd_free(z->name);
    crd_free(z);
}

int64_t crd_zip_count(const crd_zip *zip)
{
    return zip->count;
}

const char *crd_zip_name(const crd_zip *zip, int64_t index)
{
    return zip->members[index].name;
}

uint64_t crd_zip_announced(const crd_zip *zip, int64_t index)
{
    return zip->members[index].size;
}

static uint64_t number(const uint8_t *bytes, int size)
{
    return crd_load(bytes, size, false);
}

/* ---- bytes of the archive ---- */

/* Copies bytes; the caller has made sure that the archive has them. */
static crd_status read_at(const crd_zip *zip, uint64_t place, void *buffer, size_t count, crd_error *error)
{
    uint8_t *to = buffer;
    if (zip->bytes != NULL) {
        memcpy(to, zip->bytes + place, count);
        return CRD_OK;
    }
    for (size_t done = 0; done < count;) {
        const ssize_t got = pread(zip->file, to + done, count - done, (off_t)(place + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return crd_fail_errno(error, zip->name, "read");
        if (got == 0) return crd_fail(error, CRD_ERROR_IO, "%s: has become shorter while it was read", zip->name);
        done += (size_t)got;
    }
    return CRD_OK;
}

/* Bytes to look at: in the archive's memory, or copied to *owned, which the caller frees. */
static crd_status look_at(const crd_zip *zip, uint64_t place, size_t count, const uint8_t **bytes, uint8_t **owned,
                          crd_error *error)
{
    *owned = NULL;
    *bytes = zip->bytes != NULL ? zip->bytes + place : NULL;
    if (zip->bytes != NULL) return CRD_OK;
    crd_status status = CRD_NEW(owned, count, error);
    if (status == CRD_OK) status = read_at(zip, place, *owned, count, error);
    *bytes = *owned;
    return status;
}

/* ---- the end ---- */

typedef struct {
    uint64_t entries, size, begin; /* of the directory */
} directory;

static crd_status refuse(const crd_zip *zip, const char *why, crd_error *error)
{
    return crd_fail(error, CRD_ERROR_FORMAT, "%s: cannot open as a zip archive (.npz): %s", zip->name, why);
}

/* The place of the end in the last bytes of the archive, or -1. The archive's comment follows, and should be its last
 * bytes; if nothing fits so well, anything may follow that. */
static int64_t find_end(const uint8_t *tail, size_t size)
{
    int64_t found = -1;
    for (int64_t at = (int64_t)size - END; at >= 0; at--) {
        if (memcmp(tail + at, "PK\x05\x06", 4) != 0) continue;
        const int64_t comment = (int64_t)number(tail + at + 20, 2), rest = (int64_t)size - at - END;
        if (comment == rest) return at;
        if (comment < rest && found < 0) found = at;
    }
    return found;
}

/* Joins what the end says with what ZIP64's end says: that holds where the end has no room, else both must agree. */
static bool join(uint64_t *value, int size, uint64_t value64)
{
    const uint64_t no_room = size == 2 ? 0xffff : 0xffffffff;
    const bool agree = *value == no_room || *value == value64;
    *value = value64;
    return agree;
}

/* Reads ZIP64's end if there is one; *end becomes its place. */
static crd_status read_end64(const crd_zip *zip, uint64_t *end, directory *d, crd_error *error)
{
    uint8_t locator[LOCATOR], bytes[END64];
    if (*end < LOCATOR) return CRD_OK;
    const uint64_t last = *end - LOCATOR; /* of ZIP64's end */
    crd_status status = read_at(zip, last, locator, LOCATOR, error);
    if (status != CRD_OK || memcmp(locator, "PK\x06\x07", 4) != 0) return status;
    const uint64_t place = number(locator + 8, 8);
    if (number(locator + 4, 4) != 0 || number(locator + 16, 4) > 1)
        return refuse(zip, "it is one part of several", error);
    if (last < END64 || place > last - END64) return refuse(zip, "the end of its directory is not there", error);
    status = read_at(zip, place, bytes, END64, error);
    if (status != CRD_OK) return status;
    const uint64_t rest = number(bytes + 4, 8); /* what follows this number */
    if (memcmp(bytes, "PK\x06\x06", 4) != 0 || rest < END64 - 12 || rest > last - place - 12)
        return refuse(zip, "the end of its directory is damaged", error);
    if (number(bytes + 16, 4) != 0 || number(bytes + 20, 4) != 0 || number(bytes + 24, 8) != number(bytes + 32, 8))
        return refuse(zip, "it is one part of several", error);
    const bool entries = join(&d->entries, 2, number(bytes + 32, 8)), size = join(&d->size, 4, number(bytes + 40, 8)),
               begin = join(&d->begin, 4, number(bytes + 48, 8));
    *end = place;
    return entries && size && begin ? CRD_OK
                                    : refuse(zip, "the two ends of its directory contradict each other", error);
}

static crd_status read_end(const crd_zip *zip, directory *d, crd_error *error)
{
    const size_t size = zip->size < END + LONGEST_COMMENT ? (size_t)zip->size : END + LONGEST_COMMENT;
    const uint8_t *tail;
    uint8_t *owned;
    uint64_t end = 0;
    crd_status status = look_at(zip, zip->size - size, size, &tail, &owned, error);
    const int64_t at = status == CRD_OK ? find_end(tail, size) : -1;
    if (status == CRD_OK && at < 0) status = refuse(zip, "its end is missing; perhaps it is cut off", error);
    if (status == CRD_OK) {
        const uint8_t *bytes = tail + at;
        end = zip->size - size + (uint64_t)at;
        *d = (directory){number(bytes + 10, 2), number(bytes + 12, 4), number(bytes + 16, 4)};
        if (number(bytes + 4, 4) != 0 || number(bytes + 8, 2) != d->entries)
            status = refuse(zip, "it is one part of several", error);
    }
    crd_free(owned);
    if (status == CRD_OK) status = read_end64(zip, &end, d, error);
    if (status == CRD_OK && (d->begin > end || d->size > end - d->begin))
        status = refuse(zip, "its directory is not where its end says; perhaps bytes are missing", error);
    if (status == CRD_OK && d->entries > d->size / RECORD)
        status = refuse(zip, "its end announces more members than its directory has room for", error);
    return status;
}

/* ---- the directory ---- */

/* Takes those values from ZIP64's extra field that have no room in 32 bits, in the order of the format. False if they
 * are not there. */
static bool read_zip64(const uint8_t *extra, size_t length, uint64_t *const *values, int count)
{
    const uint8_t *field = NULL;
    size_t left = 0;
    while (length >= 4 && field == NULL) {
        const size_t size = (size_t)number(extra + 2, 2);
        if (size > length - 4) break;
        if (number(extra, 2) == 1) {
            field = extra + 4;
            left = size;
        }
        extra += 4 + size;
        length -= 4 + size;
    }
    for (int i = 0; i < count; i++) {
        if (*values[i] != 0xffffffff) continue;
        if (left < 8) return false;
        *values[i] = number(field, 8);
        field += 8;
        left -= 8;
    }
    return true;
}

/* Reads one record; *used is its length. Its name is copied to `name`. What is wrong, or NULL. */
static const char *read_record(const uint8_t *bytes, uint64_t left, member *m, char *name, size_t *used)
{
    if (left < RECORD || memcmp(bytes, "PK\x01\x02", 4) != 0) return "its directory is damaged";
    const size_t length = (size_t)number(bytes + 28, 2), extra = (size_t)number(bytes + 30, 2),
                 comment = (size_t)number(bytes + 32, 2);
    *used = RECORD + length + extra + comment;
    if (*used > left) return "its directory is damaged";
    *m = (member){.name = name,
                  .flags = (uint16_t)number(bytes + 8, 2),
                  .method = (uint16_t)number(bytes + 10, 2),
                  .crc = (uint32_t)number(bytes + 16, 4),
                  .packed = number(bytes + 20, 4),
                  .size = number(bytes + 24, 4),
                  .begin = number(bytes + 42, 4)};
    memcpy(name, bytes + RECORD, length);
    name[length] = '\0';
    if (strlen(name) != length) return "the name of a member holds a NUL byte";
    uint64_t *const values[] = {&m->size, &m->packed, &m->begin};
    if (!read_zip64(bytes + RECORD + length, extra, values, 3)) return "a member lacks its ZIP64 sizes";
    return NULL;
}

static crd_status read_records(crd_zip *zip, const directory *d, const uint8_t *bytes, crd_error *error)
{
    uint64_t left = d->size;
    char *name = zip->names;
    for (uint64_t i = 0; i < d->entries; i++) {
        size_t used;
        const char *wrong = read_record(bytes, left, &zip->members[i], name, &used);
        if (wrong != NULL) return refuse(zip, wrong, error);
        name += strlen(name) + 1;
        bytes += used;
        left -= used;
    }
    zip->count = (int64_t)d->entries;
    return left == 0 ? CRD_OK : refuse(zip, "its directory holds more than its end announces", error);
}

static int compare_places(const void *a, const void *b)
{
    const uint64_t left = (*(member *const *)a)->begin, right = (*(member *const *)b)->begin;
    return (left > right) - (left < right);
}

/* Finds where members end, and makes sure that no byte belongs to two of them or to the directory. */
static crd_status find_ends(crd_zip *zip, const directory *d, crd_error *error)
{
    member **order;
    crd_status status = CRD_NEW(&order, zip->count, error);
    for (int64_t i = 0; i < zip->count && status == CRD_OK; i++) order[i] = &zip->members[i];
    if (status == CRD_OK && zip->count > 0) qsort(order, (size_t)zip->count, sizeof *order, compare_places);
    for (int64_t i = 0; i < zip->count && status == CRD_OK; i++) {
        member *m = order[i];
        const bool last = i + 1 == zip->count;
        m->end = last ? d->begin : order[i + 1]->begin;
        const uint64_t least = HEADER + strlen(m->name);
        if (m->end < m->begin || m->end - m->begin < least || m->end - m->begin - least < m->packed)
            status = refuse(zip, last ? "a member reaches into its directory" : "two of its members overlap", error);
    }
    crd_free(order);
    return status;
}

static crd_status read_directory(crd_zip *zip, crd_error *error)
{
    directory d;
    const uint8_t *bytes = NULL;
    uint8_t *owned = NULL;
    crd_status status = read_end(zip, &d, error);
    if (status == CRD_OK) status = look_at(zip, d.begin, (size_t)d.size, &bytes, &owned, error);
    if (status == CRD_OK) status = CRD_NEW(&zip->members, d.entries, error);
    if (status == CRD_OK) status = CRD_NEW(&zip->names, d.size + 1, error); /* names are shorter than their records */
    if (status == CRD_OK) status = read_records(zip, &d, bytes, error);
    if (status == CRD_OK) status = find_ends(zip, &d, error);
    crd_free(owned);
    return status;
}

/* Takes over an open file, or has bytes in memory if `file` is -1. */
static crd_status open_zip(int file, const void *bytes, uint64_t size, const char *name, crd_zip **zip,
                           crd_error *error)
{
    crd_status status = CRD_NEW_ZERO(zip, 1, error);
    if (status != CRD_OK) {
        if (file >= 0) close(file);
        return status;
    }
    (*zip)->file = file;
    (*zip)->bytes = bytes;
    (*zip)->size = size;
    status = crd_copy_string(&(*zip)->name, name, error);
    if (status == CRD_OK) status = read_directory(*zip, error);
    if (status != CRD_OK) crd_zip_free(zip);
    return status;
}

crd_status crd_zip_open(const char *path, crd_zip **zip, crd_error *error)
{
    *zip = NULL;
    struct stat facts;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return crd_fail_errno(error, path, "open");
    if (fstat(file, &facts) == 0) return open_zip(file, NULL, (uint64_t)facts.st_size, path, zip, error);
    crd_status status = crd_fail_errno(error, path, "open");
    close(file);
    return status;
}

crd_status crd_zip_open_memory(const void *bytes, size_t size, const char *name, crd_zip **zip, crd_error *error)
{
    return open_zip(-1, bytes, size, name, zip, error);
}

/* ---- a member ---- */

struct crd_zip_reader {
    const crd_zip *zip;
    uint64_t place, packed_left; /* the packed bytes not taken yet */
    uint64_t left;               /* of the unpacked bytes that the directory announces */
    uint32_t crc, expected_crc;
    bool deflated;
    bool unpacked; /* the deflated data have ended */
    bool checked;  /* everything was read and is as announced */
    z_stream stream;
    uint8_t chunk[CHUNK];
};

void crd_zip_reader_free(crd_zip_reader **reader)
{
    if (reader == NULL || *reader == NULL) return;
    if ((*reader)->deflated) inflateEnd(&(*reader)->stream);
    crd_free(*reader);
    *reader = NULL;
}

static crd_status check_record(const member *m, const char *name, crd_error *error)
{
    if ((m->flags & ENCRYPTED) != 0)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: is encrypted, expected a plain archive", name);
    if (m->method != STORED && m->method != DEFLATED)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: is packed by method %u, expected 0 (stored) or 8 (deflate)", name,
                        (unsigned)m->method);
    if (m->method == STORED && m->packed != m->size)
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%s: the archive's directory announces %llu bytes, but %llu are stored", name,
                        (unsigned long long)m->size, (unsigned long long)m->packed);
    return CRD_OK;
}

/* What a member's header contradicts its directory's record in, or NULL. `rest` is the name and the extra fields. */
static const char *compare_header(const member *m, const uint8_t *header, const uint8_t *rest)
{
    const size_t length = (size_t)number(header + 26, 2), extra = (size_t)number(header + 28, 2);
    const uint16_t flags = (uint16_t)number(header + 6, 2);
    if (length != strlen(m->name) || memcmp(rest, m->name, length) != 0) return "name";
    if (((flags ^ m->flags) & ENCRYPTED) != 0) return "encryption";
    if (number(header + 8, 2) != m->method) return "method";
    if (((flags | m->flags) & HAS_DESCRIPTOR) != 0) return NULL; /* what follows was not known yet */
    uint64_t packed = number(header + 18, 4), size = number(header + 22, 4);
    uint64_t *const values[] = {&size, &packed};
    if (number(header + 14, 4) != m->crc) return "checksum";
    return read_zip64(rest + length, extra, values, 2) && packed == m->packed && size == m->size ? NULL : "size";
}

/* Checks a member's header and finds where its packed bytes begin. */
static crd_status find_data(const crd_zip *zip, const member *m, const char *name, uint64_t *begin, crd_error *error)
{
    uint8_t header[HEADER], *owned;
    const uint8_t *rest;
    crd_status status = read_at(zip, m->begin, header, HEADER, error);
    if (status != CRD_OK) return status;
    const size_t length = (size_t)(number(header + 26, 2) + number(header + 28, 2));
    const uint64_t room = m->end - m->begin - HEADER - m->packed;
    if (memcmp(header, "PK\x03\x04", 4) != 0)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: is not where the archive's directory says", name);
    if (length > room) return crd_fail(error, CRD_ERROR_FORMAT, "%s: reaches into what follows it", name);
    status = look_at(zip, m->begin + HEADER, length, &rest, &owned, error);
    const char *differs = status == CRD_OK ? compare_header(m, header, rest) : NULL;
    crd_free(owned);
    if (differs != NULL)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: has another %s in the archive's directory than before its data",
                          name, differs);
    *begin = m->begin + HEADER + length;
    return status;
}

crd_status crd_zip_reader_open(const crd_zip *zip, int64_t index, const char *name, crd_zip_reader **reader,
                               crd_error *error)
{
    const member *m = &zip->members[index];
    uint64_t begin = 0;
    *reader = NULL;
    crd_status status = check_record(m, name, error);
    if (status == CRD_OK) status = find_data(zip, m, name, &begin, error);
    if (status == CRD_OK) status = CRD_NEW(reader, 1, error);
    if (status != CRD_OK) return status;
    crd_zip_reader *r = *reader;
    r->zip = zip;
    r->place = begin;
    r->packed_left = m->packed;
    r->left = m->size;
    r->crc = (uint32_t)crc32(0, NULL, 0);
    r->expected_crc = m->crc;
    r->deflated = r->unpacked = r->checked = false;
    r->stream = (z_stream){.zalloc = crd_zlib_allocate, .zfree = crd_zlib_free};
    if (m->method == STORED) return CRD_OK;
    r->deflated = inflateInit2(&r->stream, -MAX_WBITS) == Z_OK;
    if (r->deflated) return CRD_OK;
    crd_zip_reader_free(reader);
    return crd_fail_memory(error, (size_t)1 << MAX_WBITS);
}

/* Gives the inflater its next packed bytes, if it has none. */
static crd_status feed(crd_zip_reader *r, const char *name, crd_error *error)
{
    const size_t most = r->zip->bytes != NULL ? MOST_PACKED : CHUNK;
    const size_t count = r->packed_left < most ? (size_t)r->packed_left : most;
    if (r->stream.avail_in > 0) return CRD_OK;
    if (count == 0)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: the deflated data are cut off (%llu more bytes were expected)",
                        name, (unsigned long long)r->left);
    crd_status status = CRD_OK;
    r->stream.next_in = r->chunk;
    if (r->zip->bytes != NULL) r->stream.next_in = (Bytef *)(r->zip->bytes + r->place);
    else status = read_at(r->zip, r->place, r->chunk, count, error);
    if (status != CRD_OK) return status;
    r->stream.avail_in = (uInt)count;
    r->place += count;
    r->packed_left -= count;
    return CRD_OK;
}

/* Unpacks until the buffer is full or the deflated data end. */
static crd_status inflate_some(crd_zip_reader *r, void *buffer, size_t count, size_t *got, const char *name,
                               crd_error *error)
{
    crd_status status = CRD_OK;
    r->stream.next_out = buffer;
    r->stream.avail_out = (uInt)count;
    while (r->stream.avail_out > 0 && !r->unpacked && status == CRD_OK) {
        status = feed(r, name, error);
        if (status != CRD_OK) break;
        const int result = inflate(&r->stream, Z_NO_FLUSH);
        r->unpacked = result == Z_STREAM_END;
        if (result == Z_MEM_ERROR) status = crd_fail_memory(error, (size_t)1 << MAX_WBITS);
        else if (result != Z_OK && !r->unpacked)
            status = crd_fail(error, CRD_ERROR_FORMAT, "%s: the deflated data are damaged (%s)", name,
                              r->stream.msg != NULL ? r->stream.msg : "no details");
    }
    *got = count - r->stream.avail_out;
    return status;
}

static crd_status wrong_size(const char *more_or_fewer, const char *name, crd_error *error)
{
    return crd_fail(error, CRD_ERROR_FORMAT, "%s: unpacks to %s bytes than the archive's directory announces", name,
                    more_or_fewer);
}

/* After the last announced byte: are the packed bytes used up, and is the checksum right? */
static crd_status check_end(crd_zip_reader *r, const char *name, crd_error *error)
{
    uint8_t surplus;
    size_t got = 0;
    crd_status status = CRD_OK;
    if (r->deflated && !r->unpacked) status = inflate_some(r, &surplus, 1, &got, name, error);
    if (status != CRD_OK) return status;
    if (got > 0) return wrong_size("more", name, error);
    if (r->packed_left + r->stream.avail_in > 0)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: ends %llu bytes before the archive's directory says", name,
                        (unsigned long long)(r->packed_left + r->stream.avail_in));
    if (r->crc != r->expected_crc)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: is damaged: its checksum (CRC-32) is %08lx, expected %08lx", name,
                        (unsigned long)r->crc, (unsigned long)r->expected_crc);
    r->checked = true;
    return CRD_OK;
}

crd_status crd_zip_read(crd_zip_reader *r, void *buffer, size_t count, size_t *got, const char *name, crd_error *error)
{
    crd_status status = CRD_OK;
    *got = 0;
    if (count == 0 || r->checked) return CRD_OK;
    if (count > MOST_UNPACKED) count = MOST_UNPACKED;
    if (count > r->left) count = (size_t)r->left;
    if (count > 0 && r->deflated) {
        status = inflate_some(r, buffer, count, got, name, error);
        if (status == CRD_OK && *got == 0) status = wrong_size("fewer", name, error);
    } else if (count > 0) {
        status = read_at(r->zip, r->place, buffer, count, error);
        r->place += count;
        r->packed_left -= count;
        *got = count;
    }
    if (status != CRD_OK) return status;
    r->crc = (uint32_t)crc32(r->crc, buffer, (uInt)*got);
    r->left -= *got;
    return r->left == 0 ? check_end(r, name, error) : CRD_OK;
}
