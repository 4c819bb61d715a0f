/* Gzip, undone while it is read: a reader of source.h's kind on top of another. */
#ifndef CRD_IO_GUNZIP_H
#define CRD_IO_GUNZIP_H

#include "io/source.h"

typedef struct crd_gunzip crd_gunzip;

/* Unpacks what `methods` reads from `state`, after the `count` bytes that were read already (at most
 * CRD_GUNZIP_BUFFER). The state stays the caller's. */
#define CRD_GUNZIP_BUFFER 65536
crd_status crd_gunzip_new(const crd_source_methods *methods, void *state, const uint8_t *bytes, size_t count,
                          crd_gunzip **gunzip, crd_error *error);
/* As crd_source_methods.read. */
int64_t crd_gunzip_read(crd_gunzip *gunzip, void *buffer, size_t count, const char *name, crd_error *error);
void crd_gunzip_free(crd_gunzip **gunzip);

#endif
