/* SPDX-License-Identifier: MIT */
/* Metadata of model files: those of the library, whose names are in a table; those of the user, "user.NAME"; and
 * those that other tools have added. Checksum and identifier are made from the first two and the tensors. */
#ifndef CRD_MODELS_METADATA_H
#define CRD_MODELS_METADATA_H

#include "io/safetensors.h"

#define CRD_METADATA_ID "credence_id"
#define CRD_METADATA_CHECKSUM "credence_checksum"

/* What a model keeps of metadata that are not the library's. */
typedef struct crd_extras {
    int64_t count, capacity;
    struct crd_extra {
        char *key; /* as in the file */
        char *value;
    } * entry; /* in the order of the keys */
} crd_extras;

void crd_extras_free(crd_extras *extras);
/* A copy of both strings; the value NULL removes the entry. A failure changes nothing. */
crd_status crd_extras_set(crd_extras *extras, const char *key, const char *value, crd_error *error);
/* Takes those entries of a file that are not the library's; all entries, if the file is not a model of ours. */
crd_status crd_extras_take(crd_extras *extras, const crd_metadata *list, int count, bool ours, crd_error *error);

/* Put the list in the order of its keys, and give the hexadecimal SHA-256 of tensors and metadata.
 *
 * The identifier says which model it is: it leaves out the user's metadata and what only says how the file was
 * written. The checksum covers everything but itself and what other tools have added. */
void crd_metadata_id(crd_metadata *list, int count, const uint8_t tensors[CRD_SHA256_BYTES], char hex[CRD_SHA256_HEX]);
void crd_metadata_checksum(crd_metadata *list, int count, const uint8_t tensors[CRD_SHA256_BYTES],
                           char hex[CRD_SHA256_HEX]);

#endif
