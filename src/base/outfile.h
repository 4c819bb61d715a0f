/* Files that appear whole or not at all.
 *
 * The bytes go to a nameless file beside the target (or, where the file system has none, to a temporary
 * name); crd_outfile_commit gives it the target's name. A process that is killed leaves nothing behind.
 * What is replaced keeps its permissions, and a link stays a link. */
#ifndef CRD_BASE_OUTFILE_H
#define CRD_BASE_OUTFILE_H

#include "base/status.h"

typedef struct crd_outfile crd_outfile;

/* "-" is standard output, which is written straight away and cannot be taken back. */
crd_status crd_outfile_open(const char *path, crd_outfile **file, crd_error *error);
/* Where a file that is written to `path` ends up: links are followed, even one to a file that is not there yet.
 * The caller frees it. */
crd_status crd_outfile_target(const char *path, char **target, crd_error *error);
/* Buffered; the first failure sticks and is reported by crd_outfile_commit. */
void crd_outfile_write(crd_outfile *file, const void *bytes, size_t count);
void crd_outfile_text(crd_outfile *file, const char *string);
/* Flushes, names and closes the file; *file is NULL afterwards, whatever happened. */
crd_status crd_outfile_commit(crd_outfile **file, crd_error *error);
/* Forgets the file; what the target held before stays. */
void crd_outfile_discard(crd_outfile **file);

#endif
