/* SPDX-License-Identifier: MIT */
/* Model files that were changed on purpose: their checksum is made to fit again. */
#ifndef CRD_TESTS_SEAL_H
#define CRD_TESTS_SEAL_H

#include <stdlib.h>

#include "models/metadata.h"
#include "support/outcome.h"

static inline void seal(unsigned char *bytes, size_t size)
{
    static const char key[] = "\"" CRD_METADATA_CHECKSUM "\":\"";
    crd_tensors *tensors;
    crd_metadata *list;
    int count;
    uint8_t digest[CRD_SHA256_BYTES];
    char checksum[CRD_SHA256_HEX];
    assert_ok(crd_tensors_open_memory(bytes, size, "sealed", &tensors, NULL));
    assert_ok(crd_tensors_digest(tensors, digest, NULL));
    assert_ok(crd_tensors_list_metadata(tensors, &list, &count, NULL));
    crd_metadata_checksum(list, count, digest, checksum);
    free(list);
    crd_tensors_free(&tensors);
    unsigned char *at = bytes;
    while (at + sizeof key < bytes + size && memcmp(at, key, sizeof key - 1) != 0) at++;
    assert_true(at + sizeof key + sizeof checksum < bytes + size);
    memcpy(at + sizeof key - 1, checksum, sizeof checksum - 1);
}

#endif
