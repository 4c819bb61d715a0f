/* Members of a zip archive as sources. What is not a sound, plain archive is refused in a sentence. */
#ifndef CRD_IO_ZIP_H
#define CRD_IO_ZIP_H

#include "io/source.h"

struct zip_error;
typedef struct crd_zip crd_zip;

/* The bytes, if not NULL, are not copied and must outlive the archive; `name` is then for messages only. */
crd_status crd_zip_open(const char *name, const void *bytes, size_t size, crd_zip **zip, crd_error *error);
void crd_zip_free(crd_zip **zip);

int64_t crd_zip_count(const crd_zip *zip);
int64_t crd_zip_size(const crd_zip *zip); /* the archive's, in bytes */
/* NULL for a member without one. */
const char *crd_zip_member_name(const crd_zip *zip, int64_t index);
/* Stored or deflated members that are not encrypted. The source is called `source_name`; free it before
 * the archive. Its checksum is compared when the end is reached; it never gives more bytes than the
 * archive's directory announces, nor does it start on a bomb (see source.h). */
crd_status crd_zip_member(crd_zip *zip, int64_t index, const char *source_name, crd_source **source,
                          crd_error *error);

/* Turns libzip's error into ours: "NAME: cannot WHAT: ...". */
crd_status crd_zip_fail(crd_error *error, const char *name, const char *what, struct zip_error *problem);

#endif
