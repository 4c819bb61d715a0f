/* SPDX-License-Identifier: MIT */
/* Zip archives, with zlib alone: the container of .npz files. Members are stored or deflated; sizes may need ZIP64.
 *
 * A trustworthy archive says everything twice, at its end in a directory and before each member in a header. The
 * reader believes the directory and refuses what contradicts it: members that overlap, headers that differ, more or
 * fewer bytes than announced, another checksum. */
#ifndef CRD_IO_ZIP_H
#define CRD_IO_ZIP_H

#include "base/outfile.h"
#include "base/text.h"
#include "credence_private.h"

/* ---- zip.c: reading; crd_zip_open and the functions of members are in credence_private.h ---- */

/* The bytes are not copied and must outlive the archive. */
crd_status crd_zip_open_memory(const void *bytes, size_t size, const char *name, crd_zip **zip, crd_error *error);
/* How many bytes the directory announces for a member once it is unpacked. */
uint64_t crd_zip_announced(const crd_zip *zip, int64_t member);

/* ---- zip_write.c: writing ---- */

/* Sizes and places from this one on do not fit in the 32 bits of the first zip archives: they go to ZIP64's fields. */
#define CRD_ZIP_LIMIT UINT64_C(0xffffffff)

/* Set `file` and `limit`, the rest to zero. */
typedef struct crd_zip_writer {
    crd_outfile *file;
    uint64_t limit; /* CRD_ZIP_LIMIT; less for tests of ZIP64 */
    uint64_t written, count;
    crd_text directory;
    uint8_t *packed; /* a deflated member */
    int64_t capacity;
} crd_zip_writer;

typedef struct crd_zip_part {
    const void *bytes;
    size_t size;
} crd_zip_part;

/* Adds a member that consists of these parts. Its date is fixed: the same content gives the same bytes. */
crd_status crd_zip_add(crd_zip_writer *writer, const char *name, const crd_zip_part *parts, int count, bool deflated,
                       crd_error *error);
/* Writes the directory. The caller commits or discards the file. */
crd_status crd_zip_finish(crd_zip_writer *writer, crd_error *error);
/* Frees what the writer allocated, whether it was finished or not. */
void crd_zip_writer_free(crd_zip_writer *writer);

#endif
