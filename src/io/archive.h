/* An archive of named arrays: an .npz archive or a folder of .npy files, read and written the same way. */
#ifndef CRD_IO_ARCHIVE_H
#define CRD_IO_ARCHIVE_H

#include "io/npy.h"

typedef struct crd_archive crd_archive;

crd_status crd_archive_open(const char *path, crd_archive **archive, crd_error *error);
/* The bytes are not copied and must outlive the archive. */
crd_status crd_archive_open_memory(const void *bytes, size_t size, const char *name, crd_archive **archive,
                                   crd_error *error);
/* The folder's *.npy files; other files and hidden ones are ignored. */
crd_status crd_archive_open_folder(const char *path, crd_archive **archive, crd_error *error);
void crd_archive_free(crd_archive **archive);

const char *crd_archive_name(const crd_archive *archive); /* for messages */
int64_t crd_archive_count(const crd_archive *archive);
/* Array names without ".npy", in the archive's order (a folder's: sorted). */
const char *crd_archive_array_name(const crd_archive *archive, int64_t index);
bool crd_archive_has(const crd_archive *archive, const char *name);
/* Opens an array and reads its header; the items are read from *source with crd_npy_read_*. Free the source before
 * the archive. Its name is "FILE:NAME" ("FOLDER/NAME.npy" in a folder). A member that is encrypted, damaged, or far
 * larger than its bytes on disk (a bomb, see source.h) is a format error; arrays opened before count too. */
crd_status crd_archive_array(crd_archive *archive, const char *name, crd_npy *npy, crd_source **source,
                             crd_error *error);

typedef struct crd_archive_writer crd_archive_writer;

/* One .npz (deflated if `compress`; "-" is standard output), or a folder that must not exist yet or must be
 * empty. Same arrays, same bytes: members carry a fixed date. */
crd_status crd_archive_create(const char *path, bool compress, crd_archive_writer **writer, crd_error *error);
crd_status crd_archive_create_folder(const char *path, crd_archive_writer **writer, crd_error *error);
/* `data` must stay unchanged until commit. A name is a file's name: not empty, no "/", no leading ".". */
crd_status crd_archive_add(crd_archive_writer *writer, const char *name, crd_npy_type type, int dims,
                           const int64_t *shape, const void *data, crd_error *error);
/* Unicode strings, one-dimensional. */
crd_status crd_archive_add_strings(crd_archive_writer *writer, const char *name, int64_t count,
                                   const char *const *strings, crd_error *error);
/* Puts everything in place or nothing; an archive without arrays is an argument error. *writer is NULL afterwards. */
crd_status crd_archive_commit(crd_archive_writer **writer, crd_error *error);
void crd_archive_discard(crd_archive_writer **writer);

struct zip_error;
/* Turns libzip's error into ours: "NAME: cannot WHAT: ...". */
crd_status crd_zip_fail(crd_error *error, const char *name, const char *what, struct zip_error *problem);

#endif
