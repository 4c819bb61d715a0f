#include "io/gunzip.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"

struct crd_gunzip {
    crd_source_methods methods;
    void *state;
    z_stream stream;
    bool started;      /* inflateInit2 succeeded */
    bool inside;       /* between a member's first byte and its last */
    bool packed_ended; /* the reader below has no more */
    int64_t packed, unpacked;
    uint8_t input[CRD_GUNZIP_BUFFER];
};

enum { GZIP_ONLY = 16 + MAX_WBITS };


crd_status crd_gunzip_new(const crd_source_methods *methods, void *state, const uint8_t *bytes, size_t count,
                          crd_gunzip **gunzip, crd_error *error)
{
    crd_status status = CRD_NEW_ZERO(gunzip, 1, error);
    if (status != CRD_OK) return status;
    crd_gunzip *g = *gunzip;
    g->methods = *methods;
    g->state = state;
    memcpy(g->input, bytes, count);
    g->packed = (int64_t)count;
    g->stream.next_in = g->input;
    g->stream.avail_in = (uInt)count;
    g->inside = true;
    if (inflateInit2(&g->stream, GZIP_ONLY) != Z_OK) {
        crd_gunzip_free(gunzip);
        return crd_fail_memory(error, sizeof **gunzip);
    }
    g->started = true;
    return CRD_OK;
}

void crd_gunzip_free(crd_gunzip **gunzip)
{
    if (*gunzip != NULL && (*gunzip)->started) inflateEnd(&(*gunzip)->stream);
    free(*gunzip);
    *gunzip = NULL;
}

/* Makes sure that there is packed input unless it has ended. */
static crd_status refill(crd_gunzip *gunzip, const char *name, crd_error *error)
{
    if (gunzip->stream.avail_in > 0 || gunzip->packed_ended) return CRD_OK;
    int64_t got = gunzip->methods.read(gunzip->state, gunzip->input, sizeof gunzip->input, name, error);
    if (got < 0) return error->status;
    gunzip->packed_ended = got == 0;
    gunzip->packed += got;
    gunzip->stream.next_in = gunzip->input;
    gunzip->stream.avail_in = (uInt)got;
    return CRD_OK;
}

/* Between two members: zeros are padding (tapes and block devices leave it), anything else must be the
 * start of the next member. */
static crd_status next_member(crd_gunzip *gunzip, const char *name, bool *ended, crd_error *error)
{
    *ended = false;
    for (;;) {
        crd_status status = refill(gunzip, name, error);
        if (status != CRD_OK) return status;
        if (gunzip->stream.avail_in == 0) {
            *ended = true;
            return CRD_OK;
        }
        if (*gunzip->stream.next_in != 0) break;
        gunzip->stream.next_in++;
        gunzip->stream.avail_in--;
    }
    if (*gunzip->stream.next_in != 0x1f)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: the gzip data are followed by bytes that are not gzip",
                        name);
    inflateReset(&gunzip->stream);
    gunzip->inside = true;
    return CRD_OK;
}

static crd_status inflate_some(crd_gunzip *gunzip, const char *name, crd_error *error)
{
    crd_status status = refill(gunzip, name, error);
    if (status != CRD_OK) return status;
    if (gunzip->stream.avail_in == 0)
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%s: the gzip data are cut off (after %lld packed bytes, %lld unpacked)", name,
                        (long long)gunzip->packed, (long long)gunzip->unpacked);
    switch (inflate(&gunzip->stream, Z_NO_FLUSH)) {
    case Z_STREAM_END:
        gunzip->inside = false;
        return CRD_OK;
    case Z_OK:
    case Z_BUF_ERROR: /* wants more input */
        return CRD_OK;
    case Z_MEM_ERROR:
        return crd_fail_memory(error, (size_t)1 << MAX_WBITS);
    default:
        return crd_fail(
            error, CRD_ERROR_FORMAT, "%s: the gzip data are damaged (%s) after %lld unpacked bytes", name,
            gunzip->stream.msg != NULL ? gunzip->stream.msg : "no details", (long long)gunzip->unpacked);
    }
}

int64_t crd_gunzip_read(crd_gunzip *gunzip, void *buffer, size_t count, const char *name, crd_error *error)
{
    uInt room = count < CRD_GUNZIP_BUFFER ? (uInt)count : CRD_GUNZIP_BUFFER;
    gunzip->stream.next_out = buffer;
    gunzip->stream.avail_out = room;
    while (gunzip->stream.avail_out == room) {
        bool ended = false;
        crd_status status =
            gunzip->inside ? inflate_some(gunzip, name, error) : next_member(gunzip, name, &ended, error);
        if (status != CRD_OK) return -1;
        if (ended) return 0;
    }
    int64_t got = room - gunzip->stream.avail_out;
    gunzip->unpacked += got;
    if (gunzip->unpacked > CRD_BOMB_SIZE && gunzip->unpacked / CRD_BOMB_RATIO > gunzip->packed) {
        crd_fail(error, CRD_ERROR_FORMAT,
                 "%s: %lld gzip bytes unpack to more than %lld, which is out of all proportion", name,
                 (long long)gunzip->packed, (long long)gunzip->unpacked);
        return -1;
    }
    return got;
}
