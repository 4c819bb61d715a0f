/* A bag of named arrays: an .npz archive or a folder of .npy files, read and written the same way. */
#ifndef CRD_IO_BAG_H
#define CRD_IO_BAG_H

#include "io/npy.h"

typedef struct crd_bag crd_bag;

crd_status crd_bag_open_npz(const char *path, crd_bag **bag, crd_error *error);
/* The bytes are not copied and must outlive the bag. */
crd_status crd_bag_open_npz_memory(const void *bytes, size_t size, const char *name, crd_bag **bag,
                                   crd_error *error);
/* The folder's *.npy files; other files, and hidden ones, are not looked at. */
crd_status crd_bag_open_folder(const char *path, crd_bag **bag, crd_error *error);
void crd_bag_free(crd_bag **bag);

const char *crd_bag_name(const crd_bag *bag); /* for messages */
int64_t crd_bag_count(const crd_bag *bag);
/* Array names without ".npy", in the archive's order (a folder's: sorted). */
const char *crd_bag_array_name(const crd_bag *bag, int64_t index);
bool crd_bag_has(const crd_bag *bag, const char *name);
/* Opens an array and reads its header; the items are read from *source with crd_npy_read_*. Free the source
 * before the bag. Its name is "FILE:NAME" ("FOLDER/NAME.npy" in a folder). A member that is encrypted,
 * damaged, or whose items are out of all proportion to the bytes on disk (a bomb, see source.h) is a format
 * error. What was opened before counts too. */
crd_status crd_bag_array(crd_bag *bag, const char *name, crd_npy *npy, crd_source **source,
                         crd_error *error);

typedef struct crd_bag_writer crd_bag_writer;

/* One .npz (deflated if `compress`; "-" is standard output), or a folder that must not exist yet or must be
 * empty. Same arrays, same bytes: members carry a fixed date. */
crd_status crd_bag_create_npz(const char *path, bool compress, crd_bag_writer **writer, crd_error *error);
crd_status crd_bag_create_folder(const char *path, crd_bag_writer **writer, crd_error *error);
/* `data` must stay as it is until commit. A name is one file's name: not empty, no "/", no "." first. */
crd_status crd_bag_add(crd_bag_writer *writer, const char *name, crd_npy_type type, int dims,
                       const int64_t *shape, const void *data, crd_error *error);
/* Unicode strings, one-dimensional. */
crd_status crd_bag_add_strings(crd_bag_writer *writer, const char *name, int64_t count,
                               const char *const *strings, crd_error *error);
/* Puts everything in place at once, or nothing; a bag without arrays is an argument error. *writer is NULL
 * afterwards. */
crd_status crd_bag_commit(crd_bag_writer **writer, crd_error *error);
void crd_bag_discard(crd_bag_writer **writer);

#endif
