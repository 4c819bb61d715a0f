/* SPDX-License-Identifier: MIT */
/* The checksum of downloads. It is SHA-1 as in FIPS 180-4, written out: none of the linked libraries has it, and a
 * cryptographic library is too much for one checksum. It finds damage and wrong files. It does not protect against
 * somebody who can make two files with the same SHA-1. */
#include <string.h>
#include <sys/stat.h>

#include "fetch.h"

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
    static const uint32_t added[] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
    uint32_t w[ROUNDS], s[WORDS];
    memcpy(s, hash->state, sizeof s);
    for (int t = 0; t < 16; t++) {
        w[t] = 0;
        for (int i = 0; i < 4; i++) w[t] = w[t] << 8 | hash->block[4 * t + i];
    }
    for (int t = 16; t < ROUNDS; t++) w[t] = rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    for (int t = 0; t < ROUNDS; t++) {
        const uint32_t b = s[1], c = s[2], d = s[3];
        const uint32_t f = t < 20 ? (b & c) | (~b & d) : t >= 40 && t < 60 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
        const uint32_t next = rotate(s[0], 5) + f + s[4] + added[t / 20] + w[t];
        memmove(s + 1, s, (WORDS - 1) * sizeof *s);
        s[0] = next;
        s[2] = rotate(s[2], 30);
    }
    for (int i = 0; i < WORDS; i++) hash->state[i] += s[i];
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

bool crd_cli_git_blob(const char *path, char id[CRD_CLI_BLOB_SIZE])
{
    sha1 hash = {.state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}};
    struct stat facts;
    char chunk[1 << 16];
    FILE *file = fopen(path, "rb");
    if (file == NULL) return false;
    bool whole = fstat(fileno(file), &facts) == 0 && S_ISREG(facts.st_mode);
    if (whole) {
        int length = snprintf(chunk, sizeof chunk, "blob %lld", (long long)facts.st_size);
        add(&hash, chunk, (size_t)length + 1); /* with its NUL */
        for (size_t got; (got = fread(chunk, 1, sizeof chunk, file)) > 0;) add(&hash, chunk, got);
        whole = !ferror(file);
    }
    fclose(file);
    if (whole) finish(&hash, id);
    return whole;
}
