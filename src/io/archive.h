/* SPDX-License-Identifier: MIT */
/* An archive of named arrays: an .npz archive or a folder of .npy files, read and written the same way. */
#ifndef CRD_IO_ARCHIVE_H
#define CRD_IO_ARCHIVE_H

#include "base/outfile.h"
#include "io/npy.h"

typedef struct crd_archive crd_archive;

/* An .npz file, or the *.npy files of a folder; other members and hidden files are ignored. */
crd_status crd_archive_open(const char *path, crd_archive **archive, crd_error *error);
/* The bytes of an .npz file. They are not copied and must outlive the archive. */
crd_status crd_archive_open_memory(const void *bytes, size_t size, const char *name, crd_archive **archive,
                                   crd_error *error);
void crd_archive_free(crd_archive **archive);

const char *crd_archive_name(const crd_archive *archive); /* for messages */
int64_t crd_archive_count(const crd_archive *archive);
/* Array names without ".npy", sorted. */
const char *crd_archive_array_name(const crd_archive *archive, int64_t index);
bool crd_archive_has(const crd_archive *archive, const char *name);
/* Opens an array and reads its header; the items are read from *source with crd_npy_read. Free the source before
 * the archive. Its name is "FILE:NAME" ("FOLDER/NAME.npy" in a folder). A member that is encrypted, damaged, or far
 * larger than its bytes on disk (a bomb, see source.h) is a format error; arrays opened before count too. */
crd_status crd_archive_array(crd_archive *archive, const char *name, crd_npy *npy, crd_source **source,
                             crd_error *error);

/* An array to be written. */
typedef struct crd_array {
    const char *name; /* a file's name: no "/", no leading "." */
    crd_npy_type type;
    int dims; /* CRD_NPY_TEXT: 1 */
    int64_t shape[CRD_NPY_MAX_DIMS];
    const void *items; /* NULL: this array is left out */
} crd_array;

typedef enum crd_archive_form { CRD_ARCHIVE_FOLDER, CRD_ARCHIVE_STORED, CRD_ARCHIVE_DEFLATED } crd_archive_form;

/* Writes a folder, which must not exist yet or must be empty, or an .npz file ("-" is standard output). Everything is
 * put in place or nothing. Same arrays, same bytes: members carry a fixed date. Of text, what is not UTF-8 becomes
 * U+FFFD. */
crd_status crd_archive_write(const char *path, crd_archive_form form, const crd_array *arrays, size_t count,
                             crd_error *error);
/* An .npz file to anywhere; the form is not that of a folder. */
crd_status crd_archive_write_to(const crd_destination *to, crd_archive_form form, const crd_array *arrays, size_t count,
                                crd_error *error);

#endif
