#include "partial.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* True if the path still names the descriptor's file: the previous holder of the lock may have renamed or removed
 * it after we opened it and before we locked it. */
static bool is_still_there(int descriptor, const char *path)
{
    struct stat opened, named;
    return fstat(descriptor, &opened) == 0 && stat(path, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

/* Takes the lock, or takes it again: it ends when this process closes any descriptor of the file. */
static int lock_file(int descriptor)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(descriptor, F_SETLK, &lock);
}

int crd_cli_partial_open(crd_cli_partial *part, const char *target, const char *what)
{
    *part =
        (crd_cli_partial){.path = crd_cli_text("%s.part", target), .from_path = crd_cli_text("%s.part.from", target)};
    int failure = 0;
    for (;;) {
        part->descriptor = open(part->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (part->descriptor < 0) failure = errno;
        else if (lock_file(part->descriptor) != 0) failure = errno;
        else if (is_still_there(part->descriptor, part->path)) return CRD_CLI_DONE;
        if (failure != 0) break;
        close(part->descriptor);
    }
    bool locked = part->descriptor >= 0 && (failure == EAGAIN || failure == EACCES);
    int code =
        locked ? crd_cli_failf(CRD_CLI_FAILED, "%s: another process is downloading it already, to %s", what, part->path)
               : crd_cli_failf(CRD_CLI_FAILED, "%s: cannot write %s: %s", what, part->path, strerror(failure));
    if (part->descriptor >= 0) close(part->descriptor);
    free(part->path);
    free(part->from_path);
    *part = (crd_cli_partial){.descriptor = -1};
    return code;
}

void crd_cli_partial_remove(const crd_cli_partial *part)
{
    if (lock_file(part->descriptor) != 0 || !is_still_there(part->descriptor, part->path)) return;
    unlink(part->from_path);
    unlink(part->path);
}

int crd_cli_partial_rename(const crd_cli_partial *part, const char *target)
{
    if (fsync(part->descriptor) != 0 || rename(part->path, target) != 0)
        return crd_cli_failf(CRD_CLI_FAILED, "%s: cannot write: %s", target, strerror(errno));
    unlink(part->from_path);
    return CRD_CLI_DONE;
}

void crd_cli_partial_close(crd_cli_partial *part)
{
    struct stat facts;
    if (part->path == NULL) return;
    if (is_still_there(part->descriptor, part->path) && fstat(part->descriptor, &facts) == 0 && facts.st_size == 0)
        crd_cli_partial_remove(part);
    close(part->descriptor);
    free(part->path);
    free(part->from_path);
    *part = (crd_cli_partial){.descriptor = -1};
}

void crd_cli_size_text(int64_t bytes, char text[16])
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB"};
    double amount = (double)bytes;
    int unit = 0;
    while (amount >= 999.5 && unit < 3) {
        amount /= 1000.0;
        unit++;
    }
    snprintf(text, 16, "%.*f %s", unit == 0 || amount >= 99.95 ? 0 : 1, amount, units[unit]);
}

/* ---- the checksum ----
 *
 * SHA-1 as in FIPS 180-4, written out: none of the linked libraries has it, and a cryptographic library is too much
 * for one checksum. It finds damage and wrong files. It does not protect against somebody who can make two files
 * with the same SHA-1. */

enum { BLOCK = 64, WORDS = 5, ROUNDS = 80 };

typedef struct {
    uint32_t state[WORDS];
    uint64_t length; /* bytes so far */
    uint8_t block[BLOCK];
} sha1;

static uint32_t rotate(uint32_t word, int bits)
{
    return word << bits | word >> (32 - bits);
}

static void mix(sha1 *hash)
{
    uint32_t w[ROUNDS], a = hash->state[0], b = hash->state[1], c = hash->state[2], d = hash->state[3],
                        e = hash->state[4];
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)hash->block[4 * t] << 24 | (uint32_t)hash->block[4 * t + 1] << 16 |
               (uint32_t)hash->block[4 * t + 2] << 8 | hash->block[4 * t + 3];
    for (int t = 16; t < ROUNDS; t++) w[t] = rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    for (int t = 0; t < ROUNDS; t++) {
        uint32_t f, k;
        if (t < 20) f = (b & c) | (~b & d), k = 0x5a827999;
        else if (t < 40) f = b ^ c ^ d, k = 0x6ed9eba1;
        else if (t < 60) f = (b & c) | (b & d) | (c & d), k = 0x8f1bbcdc;
        else f = b ^ c ^ d, k = 0xca62c1d6;
        uint32_t next = rotate(a, 5) + f + e + k + w[t];
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    hash->state[0] += a;
    hash->state[1] += b;
    hash->state[2] += c;
    hash->state[3] += d;
    hash->state[4] += e;
}

static void add(sha1 *hash, const void *bytes, size_t count)
{
    const uint8_t *from = bytes;
    while (count > 0) {
        size_t used = hash->length % BLOCK, part = BLOCK - used < count ? BLOCK - used : count;
        memcpy(hash->block + used, from, part);
        hash->length += part;
        from += part;
        count -= part;
        if (hash->length % BLOCK == 0) mix(hash);
    }
}

static void finish(sha1 *hash, char id[CRD_CLI_BLOB_SIZE])
{
    const uint64_t bits = 8 * hash->length;
    uint8_t size[8];
    for (int i = 0; i < 8; i++) size[i] = (uint8_t)(bits >> (56 - 8 * i));
    add(hash, "\x80", 1);
    while (hash->length % BLOCK != BLOCK - sizeof size) add(hash, "", 1);
    add(hash, size, sizeof size);
    for (int i = 0; i < WORDS; i++) snprintf(id + 8 * i, 9, "%08lx", (unsigned long)hash->state[i]);
}

bool crd_cli_git_blob_of(int descriptor, char id[CRD_CLI_BLOB_SIZE])
{
    sha1 hash = {.state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}};
    struct stat facts;
    char chunk[1 << 16];
    if (fstat(descriptor, &facts) != 0) return false;
    if (!S_ISREG(facts.st_mode)) {
        errno = S_ISDIR(facts.st_mode) ? EISDIR : EINVAL;
        return false;
    }
    int length = snprintf(chunk, sizeof chunk, "blob %lld", (long long)facts.st_size);
    add(&hash, chunk, (size_t)length + 1); /* with its NUL */
    for (off_t at = 0;;) {
        ssize_t got = pread(descriptor, chunk, sizeof chunk, at);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return false;
        if (got == 0) break;
        add(&hash, chunk, (size_t)got);
        at += got;
    }
    finish(&hash, id);
    return true;
}

bool crd_cli_git_blob(const char *path, char id[CRD_CLI_BLOB_SIZE])
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return false;
    bool read = crd_cli_git_blob_of(descriptor, id);
    int failure = errno;
    close(descriptor);
    errno = failure;
    return read;
}
