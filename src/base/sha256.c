/* SPDX-License-Identifier: MIT */
#include "base/sha256.h"

#include <string.h>

enum { BLOCK = 64 };

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static inline uint32_t turn(uint32_t x, int bits)
{
    return x >> bits | x << (32 - bits);
}

/* One round changes two of the eight words; which ones, the caller turns by one from round to round. */
static inline void mix(uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e, uint32_t f, uint32_t g, uint32_t *h,
                       uint32_t word)
{
    const uint32_t first = *h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + word;
    *d += first;
    *h = first + (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
}

static void take_block(uint32_t state[8], const uint8_t *bytes)
{
    uint32_t w[64], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6],
                    h = state[7];
    for (int i = 0; i < 16; i++, bytes += 4)
        w[i] = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
    for (int i = 16; i < 64; i++) {
        const uint32_t early = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3;
        const uint32_t late = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + early + w[i - 7] + late;
    }
    for (int i = 0; i < 64; i += 8) {
        mix(a, b, c, &d, e, f, g, &h, K[i] + w[i]);
        mix(h, a, b, &c, d, e, f, &g, K[i + 1] + w[i + 1]);
        mix(g, h, a, &b, c, d, e, &f, K[i + 2] + w[i + 2]);
        mix(f, g, h, &a, b, c, d, &e, K[i + 3] + w[i + 3]);
        mix(e, f, g, &h, a, b, c, &d, K[i + 4] + w[i + 4]);
        mix(d, e, f, &g, h, a, b, &c, K[i + 5] + w[i + 5]);
        mix(c, d, e, &f, g, h, a, &b, K[i + 6] + w[i + 6]);
        mix(b, c, d, &e, f, g, h, &a, K[i + 7] + w[i + 7]);
    }
    const uint32_t mixed[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; i++) state[i] += mixed[i];
}

void crd_sha256_start(crd_sha256 *hash)
{
    *hash = (crd_sha256){
        .state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void crd_sha256_add(crd_sha256 *hash, const void *bytes, size_t count)
{
    const uint8_t *from = bytes;
    while (count > 0) {
        const size_t used = hash->size % BLOCK;
        if (used == 0 && count >= BLOCK) { /* whole blocks need no copy */
            take_block(hash->state, from);
            hash->size += BLOCK;
            from += BLOCK;
            count -= BLOCK;
            continue;
        }
        const size_t part = count < BLOCK - used ? count : BLOCK - used;
        memcpy(hash->block + used, from, part);
        hash->size += part;
        from += part;
        count -= part;
        if (hash->size % BLOCK == 0) take_block(hash->state, hash->block);
    }
}

void crd_sha256_add_number(crd_sha256 *hash, uint64_t number)
{
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)(number >> 8 * (7 - i));
    crd_sha256_add(hash, bytes, sizeof bytes);
}

/* A bit that is 1, zeros, and the number of bits make the last block whole. */
void crd_sha256_end(crd_sha256 *hash, uint8_t digest[CRD_SHA256_BYTES])
{
    static const uint8_t padding[BLOCK] = {0x80};
    const uint64_t bits = hash->size * 8;
    const size_t used = hash->size % BLOCK;
    crd_sha256_add(hash, padding, used < BLOCK - 8 ? BLOCK - 8 - used : 2 * BLOCK - 8 - used);
    crd_sha256_add_number(hash, bits);
    for (int i = 0; i < CRD_SHA256_BYTES; i++) digest[i] = (uint8_t)(hash->state[i / 4] >> 8 * (3 - i % 4));
}

void crd_sha256_end_hex(crd_sha256 *hash, char hex[CRD_SHA256_HEX])
{
    uint8_t digest[CRD_SHA256_BYTES];
    crd_sha256_end(hash, digest);
    for (int i = 0; i < CRD_SHA256_BYTES; i++) {
        hex[2 * i] = "0123456789abcdef"[digest[i] >> 4];
        hex[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
    }
    hex[CRD_SHA256_HEX - 1] = '\0';
}
