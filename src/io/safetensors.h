/* SPDX-License-Identifier: MIT */
/* safetensors: 8 bytes of header length, a JSON header, the tensors' bytes. */
#ifndef CRD_IO_SAFETENSORS_H
#define CRD_IO_SAFETENSORS_H

#include "base/memory.h"
#include "base/outfile.h"
#include "base/sha256.h"

typedef struct crd_tensors crd_tensors;

/* Reading checks everything: header length, JSON, types, shapes, offsets without gaps or overlap. */
crd_status crd_tensors_open(const char *path, crd_tensors **tensors, crd_error *error);
/* The bytes are not copied and must outlive the tensors. */
crd_status crd_tensors_open_memory(const void *bytes, size_t size, const char *name, crd_tensors **tensors,
                                   crd_error *error);
void crd_tensors_free(crd_tensors **tensors);

const char *crd_tensors_name(const crd_tensors *tensors); /* the file's, for messages */
/* A string of the header's __metadata__; NULL if the key is missing. */
const char *crd_tensors_metadata(const crd_tensors *tensors, const char *key);
/* An entry of the metadata, read or to be written. */
typedef struct crd_metadata {
    const char *key;
    const char *value; /* NULL: the entry is left out of a file */
} crd_metadata;

/* All of them; the caller frees the list, whose strings belong to the tensors. */
crd_status crd_tensors_list_metadata(const crd_tensors *tensors, crd_metadata **list, int *count, crd_error *error);
bool crd_tensors_has(const crd_tensors *tensors, const char *name);

#define CRD_TENSOR_MAX_DIMS 8
/* The shape; a format error if the tensor is missing. */
crd_status crd_tensors_shape(const crd_tensors *tensors, const char *name, int *dims,
                             int64_t shape[CRD_TENSOR_MAX_DIMS], crd_error *error);
/* The numbers as float32, from F32, F64, F16 or BF16; NaN and infinity are format errors. `count` is the size of
 * `values` and must equal the tensor's size. */
crd_status crd_tensors_read_float(const crd_tensors *tensors, const char *name, float *values, int64_t count,
                                  crd_error *error);
crd_status crd_tensors_read_u8(const crd_tensors *tensors, const char *name, uint8_t *values, int64_t count,
                               crd_error *error);

typedef struct crd_tensor_out {
    const char *name;
    bool is_u8; /* else float32 */
    int dims;
    int64_t shape[CRD_TENSOR_MAX_DIMS];
    const void *data;
} crd_tensor_out;

/* A file appears whole or not at all. The header is padded so that tensors start at a multiple of 8. List float32
 * tensors first: bytes before them could misalign them for readers that map the file. */
crd_status crd_tensors_write(const crd_destination *to, const crd_tensor_out *tensors, int count,
                             const crd_metadata *metadata, int metadata_count, crd_error *error);

/* The SHA-256 of all tensors: of each its name, type, shape and bytes. They are taken in the order of their names, so
 * it does not depend on their places in a file. The same for tensors that were read and those to be written. */
crd_status crd_tensors_digest(const crd_tensors *tensors, uint8_t digest[CRD_SHA256_BYTES], crd_error *error);
crd_status crd_tensors_out_digest(const crd_tensor_out *tensors, int count, uint8_t digest[CRD_SHA256_BYTES],
                                  crd_error *error);

#endif
