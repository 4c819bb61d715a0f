/* safetensors: 8 bytes of header length, a JSON header, the tensors' bytes. */
#ifndef CRD_IO_SAFETENSORS_H
#define CRD_IO_SAFETENSORS_H

#include "base/memory.h"

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

typedef struct crd_metadata_out {
    const char *key;
    const char *value; /* NULL: the entry is left out */
} crd_metadata_out;

/* The file appears whole or not at all. The header is padded so that tensors start at a multiple of 8. List float32
 * tensors first: bytes before them could misalign them for readers that map the file. */
crd_status crd_tensors_write(const char *path, const crd_tensor_out *tensors, int count,
                             const crd_metadata_out *metadata, int metadata_count, crd_error *error);

#endif
