/* SPDX-License-Identifier: MIT */
/* safetensors files: the tensors that the seeds name are read in both ways. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "io/safetensors.h"

static void read_tensor(const crd_tensors *tensors, const char *name)
{
    int dims;
    int64_t shape[CRD_TENSOR_MAX_DIMS], count = 1;
    if (crd_tensors_shape(tensors, name, &dims, shape, NULL) != CRD_OK) return;
    for (int d = 0; d < dims; d++)
        if (shape[d] == 0) count = 0;
    for (int d = 0; d < dims && count > 0; d++) count *= shape[d];
    /* An accepted tensor has its bytes in the input, so this is at most a few times the input's size. */
    float *floats = malloc((size_t)count * sizeof *floats + 1);
    if (floats == NULL) abort();
    crd_error error;
    (void)!crd_tensors_read_float(tensors, name, floats, count, &error);
    (void)!crd_tensors_read_u8(tensors, name, (uint8_t *)floats, count, &error);
    free(floats);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"w", "b", "seen", ""};
    crd_tensors *tensors;
    crd_error error;
    if (crd_tensors_open_memory(data, size, "fuzz", &tensors, &error) != CRD_OK) return 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (crd_tensors_has(tensors, names[i])) read_tensor(tensors, names[i]);
    const char *note = crd_tensors_metadata(tensors, "note");
    if (note != NULL && strlen(note) > size) abort();
    crd_tensors_free(&tensors);
    return 0;
}

void crd_fuzz_seeds(void (*add)(const uint8_t *data, size_t size))
{
    static const struct {
        const char *header;
        size_t data;
    } seeds[] = {
        {"{\"w\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[0,8]}}", 8},
        {"{\"__metadata__\":{\"note\":\"caf\\u00e9\"},\"w\":{\"dtype\":\"F16\",\"shape\":[3],\"data_"
         "offsets\":[0,6]},"
         "\"b\":{\"dtype\":\"BF16\",\"shape\":[],\"data_offsets\":[6,8]}}",
         8},
        {"{\"w\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[3,11]},\"seen\":{\"dtype\":\"U8\","
         "\"shape\":[3],"
         "\"data_offsets\":[0,3]},\"b\":{\"dtype\":\"I64\",\"shape\":[0,4],\"data_offsets\":[3,3]}}  ",
         11},
        {"{}", 0},
    };
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        uint8_t bytes[512] = {0};
        size_t length = strlen(seeds[i].header);
        bytes[0] = (uint8_t)length;
        bytes[1] = (uint8_t)(length >> 8);
        memcpy(bytes + 8, seeds[i].header, length);
        for (size_t b = 0; b < seeds[i].data; b++) bytes[8 + length + b] = (uint8_t)(b % 64);
        add(bytes, 8 + length + seeds[i].data);
    }
}
