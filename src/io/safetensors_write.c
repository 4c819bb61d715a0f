#include <stdlib.h>
#include <string.h>

#include "base/outfile.h"
#include "base/text.h"
#include "io/bytes.h"
#include "io/safetensors.h"

enum { PREFIX = 8, ALIGNMENT = 8 };

/* The number of items; names and shapes must make sense. */
static crd_status check_tensor(const crd_tensor_out *tensors, int index, int64_t *items, crd_error *error)
{
    const crd_tensor_out *t = &tensors[index];
    bool good = t->dims >= 0 && t->dims <= CRD_TENSOR_MAX_DIMS;
    int64_t bytes;
    *items = 1;
    for (int d = 0; good && d < t->dims; d++) good = crd_multiply(*items, t->shape[d], items);
    if (!good || !crd_multiply(*items, t->is_u8 ? 1 : 4, &bytes))
        return crd_fail(error, CRD_ERROR_ARGUMENT,
                        "the tensor '%.200s' to be written has an impossible shape", t->name);
    bool taken = strcmp(t->name, "__metadata__") == 0;
    for (int i = 0; i < index; i++) taken = taken || strcmp(tensors[i].name, t->name) == 0;
    if (taken)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "the tensors to be written use the name '%.200s' twice",
                        t->name);
    return CRD_OK;
}

static void add_metadata(crd_text *text, const crd_metadata_out *metadata, int count)
{
    crd_text_add(text, "\"__metadata__\":{");
    for (int i = 0; i < count; i++) {
        if (i > 0) crd_text_add(text, ",");
        crd_text_add_json_string(text, metadata[i].key);
        crd_text_add(text, ":");
        crd_text_add_json_string(text, metadata[i].value);
    }
    crd_text_add(text, "}");
}

static void add_tensor(crd_text *text, const crd_tensor_out *t, int64_t begin, int64_t end)
{
    crd_text_add_json_string(text, t->name);
    crd_text_format(text, ":{\"dtype\":\"%s\",\"shape\":[", t->is_u8 ? "U8" : "F32");
    for (int d = 0; d < t->dims; d++)
        crd_text_format(text, "%s%lld", d > 0 ? "," : "", (long long)t->shape[d]);
    crd_text_format(text, "],\"data_offsets\":[%lld,%lld]}", (long long)begin, (long long)end);
}

/* The whole header, from its length to its padding. Floats first: bytes before them would put them at odd
 * places, which readers that map the file could not use. */
static crd_status make_header(crd_text *text, const crd_tensor_out *tensors, int count,
                              const crd_metadata_out *metadata, int metadata_count, crd_error *error)
{
    int64_t offset = 0;
    bool first = metadata_count == 0;
    crd_text_add_bytes(text, "\0\0\0\0\0\0\0\0", PREFIX);
    crd_text_add(text, "{");
    for (int i = 0; i < metadata_count; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(metadata[i].key, metadata[k].key) == 0)
                return crd_fail(error, CRD_ERROR_ARGUMENT,
                                "the metadata to be written use the key '%.200s' twice", metadata[i].key);
    if (metadata_count > 0) add_metadata(text, metadata, metadata_count);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < count; i++) {
            if (tensors[i].is_u8 != (pass == 1)) continue;
            int64_t items, end;
            crd_status status = check_tensor(tensors, i, &items, error);
            if (status != CRD_OK) return status;
            if (!crd_add(offset, items * (tensors[i].is_u8 ? 1 : 4), &end))
                return crd_fail(error, CRD_ERROR_ARGUMENT, "the tensors to be written are impossibly large");
            if (!first) crd_text_add(text, ",");
            first = false;
            add_tensor(text, &tensors[i], offset, end);
            offset = end;
        }
    }
    crd_text_add(text, "}");
    while (text->length % ALIGNMENT != 0 && text->status == CRD_OK) crd_text_add(text, " ");
    if (text->status != CRD_OK) return crd_fail_memory(error, (size_t)text->capacity);
    for (int b = 0; b < PREFIX; b++)
        text->bytes[b] = (char)(uint8_t)((uint64_t)(text->length - PREFIX) >> 8 * b & 0xff);
    return CRD_OK;
}

static crd_status write_tensor(crd_outfile *file, const crd_tensor_out *t, crd_error *error)
{
    size_t size = t->is_u8 ? 1 : 4;
    int64_t count = 1;
    for (int d = 0; d < t->dims; d++) count *= t->shape[d];
    const void *bytes;
    void *owned;
    crd_status status = crd_little_endian(t->data, count, size, &bytes, &owned, error);
    if (status == CRD_OK) crd_outfile_write(file, bytes, (size_t)count * size);
    free(owned);
    return status;
}

crd_status crd_tensors_write(const char *path, const crd_tensor_out *tensors, int count,
                             const crd_metadata_out *metadata, int metadata_count, crd_error *error)
{
    crd_text header = {0};
    crd_outfile *file = NULL;
    crd_status status = make_header(&header, tensors, count, metadata, metadata_count, error);
    if (status == CRD_OK) status = crd_outfile_open(path, &file, error);
    if (status == CRD_OK) {
        crd_outfile_write(file, header.bytes, (size_t)header.length);
        for (int pass = 0; pass < 2; pass++)
            for (int i = 0; i < count && status == CRD_OK; i++)
                if (tensors[i].is_u8 == (pass == 1)) status = write_tensor(file, &tensors[i], error);
        if (status == CRD_OK)
            status = crd_outfile_commit(&file, error);
        else
            crd_outfile_discard(&file);
    }
    crd_text_free(&header);
    return status;
}
