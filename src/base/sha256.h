/* SPDX-License-Identifier: MIT */
/* SHA-256 (FIPS 180-4): the checksum of model files and the identifier of models. */
#ifndef CRD_BASE_SHA256_H
#define CRD_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { CRD_SHA256_BYTES = 32, CRD_SHA256_HEX = 2 * CRD_SHA256_BYTES + 1 /* with the zero at its end */ };

typedef struct crd_sha256 {
    uint32_t state[8];
    uint64_t size; /* bytes so far */
    uint8_t block[64];
} crd_sha256;

void crd_sha256_start(crd_sha256 *hash);
void crd_sha256_add(crd_sha256 *hash, const void *bytes, size_t count);
/* A number in eight bytes, for lengths in front of what has them. */
void crd_sha256_add_number(crd_sha256 *hash, uint64_t number);
void crd_sha256_end(crd_sha256 *hash, uint8_t digest[CRD_SHA256_BYTES]);
/* The same in lower-case hexadecimal digits. */
void crd_sha256_end_hex(crd_sha256 *hash, char hex[CRD_SHA256_HEX]);

#endif
