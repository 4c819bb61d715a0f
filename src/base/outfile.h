/* SPDX-License-Identifier: MIT */
/* Everything that the library writes goes through a crd_outfile: to a file, or to a function of the caller.
 *
 * Files appear whole or not at all.
 * The bytes go to a nameless file beside the target (or to a temporary name, if the file system has no nameless
 * files); crd_outfile_commit gives it the target's name. A process that is killed before that leaves no nameless file
 * behind. A replaced file keeps its permissions, and a link stays a link. */
#ifndef CRD_BASE_OUTFILE_H
#define CRD_BASE_OUTFILE_H

#include "base/status.h"

typedef struct crd_outfile crd_outfile;

/* Where bytes go: to a path, or if that is NULL, to a writer. */
typedef struct crd_destination {
    const char *path;
    crd_writer writer;
    void *user;
} crd_destination;

/* For messages. */
const char *crd_destination_name(const crd_destination *to);

/* "-" is standard output, which is written at once and cannot be undone; neither can what a writer got. */
crd_status crd_outfile_open(const char *path, crd_outfile **file, crd_error *error);
crd_status crd_outfile_open_to(const crd_destination *to, crd_outfile **file, crd_error *error);
/* The real path of a file written to `path`: follows links, even one to a file that does not exist yet. The caller
 * frees it. */
crd_status crd_outfile_target(const char *path, char **target, crd_error *error);
/* Buffered; crd_outfile_commit reports the first failure. */
void crd_outfile_write(crd_outfile *file, const void *bytes, size_t count);
void crd_outfile_text(crd_outfile *file, const char *string);
/* Whether nothing has failed so far: who has much to write may ask, and stop. */
bool crd_outfile_good(const crd_outfile *file);
/* Flushes, names and closes the file; *file is NULL afterwards, even on failure. */
crd_status crd_outfile_commit(crd_outfile **file, crd_error *error);
/* Discards the file; the target stays as it was. */
void crd_outfile_discard(crd_outfile **file);

#endif
