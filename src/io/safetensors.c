/* SPDX-License-Identifier: MIT */
#include "io/safetensors.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "io/bytes.h"
#include "io/source.h"

enum { PREFIX = 8, ALIGNMENT = 8, LONGEST_HEADER = 100 * 1000 * 1000 /* the format's own limit */ };

typedef struct {
    const char *name; /* the header's */
    const char *type;
    int dims;
    int64_t shape[CRD_TENSOR_MAX_DIMS];
    int64_t count;
    int64_t begin, end; /* offsets into the data */
} tensor;

struct crd_tensors {
    char *name;
    uint8_t *owned;
    const uint8_t *data;
    int64_t data_size;
    json_t *header;
    tensor *tensors; /* in the order of their bytes */
    int64_t count;
};

void crd_tensors_free(crd_tensors **tensors)
{
    if (tensors == NULL || *tensors == NULL) return;
    crd_tensors *t = *tensors;
    *tensors = NULL;
    json_decref(t->header);
    crd_free(t->tensors);
    crd_free(t->owned);
    crd_free(t->name);
    crd_free(t);
}

/* The bytes of one number; 0 for a type that safetensors does not have. */
static int type_size(const char *type)
{
    static const struct {
        const char *name;
        int size;
    } types[] = {{"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E5M2", 1}, {"F8_E4M3", 1},
                 {"I16", 2},  {"U16", 2}, {"F16", 2}, {"BF16", 2},    {"I32", 4},
                 {"U32", 4},  {"F32", 4}, {"F64", 8}, {"I64", 8},     {"U64", 8}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(type, types[i].name) == 0) return types[i].size;
    return 0;
}

static crd_status wrong(const crd_tensors *tensors, const char *name, const char *problem, crd_error *error)
{
    return crd_fail(error, CRD_ERROR_FORMAT, "%s: tensor '%.200s'%s", tensors->name, name, problem);
}

/* ---- the header ---- */

/* When memory runs out inside a string, jansson reports bad syntax. Parsing the same text twice gives the same
 * result, so two different results mean that memory ran out. */
static crd_status parse_json(crd_tensors *tensors, const char *text, size_t length, crd_error *error)
{
    json_error_t first, second;
    if (crd_json_too_deep(text, length))
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%s: the safetensors header is not good JSON: it is nested more than %d levels deep",
                        tensors->name, CRD_JSON_DEPTH);
    tensors->header = json_loadb(text, length, JSON_REJECT_DUPLICATES, &first);
    if (tensors->header != NULL) return CRD_OK;
    json_t *again = json_loadb(text, length, JSON_REJECT_DUPLICATES, &second);
    bool same = again == NULL && strcmp(first.text, second.text) == 0 && first.position == second.position;
    json_decref(again);
    if (!same || first.text[0] == '\0' || json_error_code(&first) == json_error_out_of_memory)
        return crd_fail_memory(error, length);
    return crd_fail(error, CRD_ERROR_FORMAT, "%s: the safetensors header is not good JSON: %s at byte %d",
                    tensors->name, first.text, first.position);
}

/* Parses the JSON header; *data_start is where it ends. */
static crd_status parse_header(crd_tensors *tensors, const uint8_t *bytes, int64_t size, int64_t *data_start,
                               crd_error *error)
{
    if (size < PREFIX)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: is not a safetensors file (it has %lld bytes)", tensors->name,
                        (long long)size);
    if (memcmp(bytes, "PK\003\004", 4) == 0 || memcmp(bytes, "\x93NUMPY", 6) == 0)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: holds NumPy arrays, expected a model (safetensors)",
                        tensors->name);
    uint64_t length = crd_load(bytes, PREFIX, false);
    if (length > LONGEST_HEADER || (int64_t)length > size - PREFIX)
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%s: is not a safetensors file, or is cut off (a header of %llu bytes is announced, %lld "
                        "bytes follow)",
                        tensors->name, (unsigned long long)length, (long long)(size - PREFIX));
    if (length == 0 || bytes[PREFIX] != '{')
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: the safetensors header does not start with '{'", tensors->name);
    crd_status status = parse_json(tensors, (const char *)bytes + PREFIX, (size_t)length, error);
    *data_start = PREFIX + (int64_t)length;
    return status;
}

static crd_status check_metadata(const crd_tensors *tensors, json_t *metadata, crd_error *error)
{
    if (!json_is_object(metadata))
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: __metadata__ is not a JSON object", tensors->name);
    const char *key;
    json_t *value;
    json_object_foreach(metadata, key, value)
    {
        if (!json_is_string(value))
            return crd_fail(error, CRD_ERROR_FORMAT, "%s: the metadata '%.200s' is not a string", tensors->name, key);
    }
    return CRD_OK;
}

/* A non-negative integer; false if it is something else. */
static bool natural(const json_t *value, int64_t *number)
{
    *number = json_integer_value(value);
    return json_is_integer(value) && *number >= 0;
}

static crd_status read_shape(const crd_tensors *tensors, const json_t *shape, tensor *t, crd_error *error)
{
    size_t dims = json_array_size(shape);
    if (!json_is_array(shape) || dims > CRD_TENSOR_MAX_DIMS)
        return wrong(tensors, t->name, ": expected a shape of at most 8 dimensions", error);
    t->dims = (int)dims;
    t->count = 1;
    bool fits = true;
    for (int d = 0; d < t->dims; d++) {
        if (!natural(json_array_get(shape, (size_t)d), &t->shape[d]))
            return wrong(tensors, t->name, ": the shape holds something that is not a length", error);
        fits = fits && crd_multiply(t->count, t->shape[d], &t->count);
    }
    return fits ? CRD_OK : wrong(tensors, t->name, ": the shape is impossibly large", error);
}

static crd_status read_tensor(const crd_tensors *tensors, const char *name, const json_t *entry, tensor *t,
                              crd_error *error)
{
    *t = (tensor){.name = name};
    if (!json_is_object(entry)) return wrong(tensors, name, " is not described by a JSON object", error);
    t->type = json_string_value(json_object_get(entry, "dtype"));
    int size = t->type != NULL ? type_size(t->type) : 0;
    if (size == 0)
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%s: tensor '%.200s': expected a dtype that safetensors has, found '%.40s'", tensors->name,
                        name, t->type != NULL ? t->type : "none");
    crd_status status = read_shape(tensors, json_object_get(entry, "shape"), t, error);
    if (status != CRD_OK) return status;
    const json_t *offsets = json_object_get(entry, "data_offsets");
    if (json_array_size(offsets) != 2 || !natural(json_array_get(offsets, 0), &t->begin) ||
        !natural(json_array_get(offsets, 1), &t->end))
        return wrong(tensors, name, ": expected data_offsets [begin, end]", error);
    int64_t bytes;
    if (t->end < t->begin || t->end > tensors->data_size || !crd_multiply(t->count, size, &bytes) ||
        t->end - t->begin != bytes)
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%s: tensor '%.200s': offsets %lld to %lld do not fit %lld numbers of %s in %lld bytes of "
                        "data",
                        tensors->name, name, (long long)t->begin, (long long)t->end, (long long)t->count, t->type,
                        (long long)tensors->data_size);
    return CRD_OK;
}

static int compare_offsets(const void *a, const void *b)
{
    const tensor *x = a, *y = b;
    if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

/* Every byte must belong to exactly one tensor: no holes, no overlap. */
static crd_status check_layout(crd_tensors *tensors, crd_error *error)
{
    int64_t covered = 0;
    qsort(tensors->tensors, (size_t)tensors->count, sizeof *tensors->tensors, compare_offsets);
    for (int64_t i = 0; i < tensors->count; i++) {
        const tensor *t = &tensors->tensors[i];
        if (t->begin != covered)
            return crd_fail(error, CRD_ERROR_FORMAT, "%s: tensor '%.200s': starts at byte %lld of the data, %s %lld",
                            tensors->name, t->name, (long long)t->begin,
                            t->begin < covered ? "inside the one that ends at" : "leaving a gap after",
                            (long long)covered);
        covered = t->end;
    }
    if (covered != tensors->data_size)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: %lld bytes follow the last tensor, expected none", tensors->name,
                        (long long)(tensors->data_size - covered));
    return CRD_OK;
}

static crd_status read_tensors(crd_tensors *tensors, crd_error *error)
{
    const char *key;
    json_t *value;
    crd_status status = CRD_NEW(&tensors->tensors, json_object_size(tensors->header), error);
    if (status != CRD_OK) return status;
    json_object_foreach(tensors->header, key, value)
    {
        if (strcmp(key, "__metadata__") == 0) {
            status = check_metadata(tensors, value, error);
        } else {
            status = read_tensor(tensors, key, value, &tensors->tensors[tensors->count], error);
            tensors->count++;
        }
        if (status != CRD_OK) return status;
    }
    return check_layout(tensors, error);
}

/* ---- opening ---- */

/* The bytes of the source, unless it is NULL. */
static crd_status open_tensors(const char *name, crd_source *source, const void *bytes, size_t size,
                               crd_tensors **tensors, crd_error *error)
{
    int64_t data_start = 0;
    crd_status status = CRD_NEW_ZERO(tensors, 1, error);
    if (status != CRD_OK) return status;
    crd_tensors *t = *tensors;
    status = crd_copy_string(&t->name, name, error);
    if (status == CRD_OK && source != NULL) {
        status = crd_source_read_all(source, &t->owned, &size, error);
        bytes = t->owned;
    }
    if (status == CRD_OK) status = parse_header(t, bytes, (int64_t)size, &data_start, error);
    if (status == CRD_OK) {
        t->data = (const uint8_t *)bytes + data_start;
        t->data_size = (int64_t)size - data_start;
        status = read_tensors(t, error);
    }
    if (status != CRD_OK) crd_tensors_free(tensors);
    return status;
}

crd_status crd_tensors_open(const char *path, crd_tensors **tensors, crd_error *error)
{
    crd_source *source;
    *tensors = NULL;
    crd_status status = crd_source_open(path, &source, error);
    if (status != CRD_OK) return status;
    status = open_tensors(crd_source_name(source), source, NULL, 0, tensors, error);
    crd_source_free(&source);
    return status;
}

crd_status crd_tensors_open_memory(const void *bytes, size_t size, const char *name, crd_tensors **tensors,
                                   crd_error *error)
{
    return open_tensors(name, NULL, bytes, size, tensors, error);
}

/* ---- looking ---- */

const char *crd_tensors_name(const crd_tensors *tensors)
{
    return tensors->name;
}

const char *crd_tensors_metadata(const crd_tensors *tensors, const char *key)
{
    return json_string_value(json_object_get(json_object_get(tensors->header, "__metadata__"), key));
}

crd_status crd_tensors_list_metadata(const crd_tensors *tensors, crd_metadata **list, int *count, crd_error *error)
{
    json_t *metadata = json_object_get(tensors->header, "__metadata__");
    const char *key;
    json_t *value;
    *count = 0;
    crd_status status = CRD_NEW(list, json_object_size(metadata), error);
    if (status != CRD_OK) return status;
    json_object_foreach(metadata, key, value)(*list)[(*count)++] = (crd_metadata){key, json_string_value(value)};
    return CRD_OK;
}

static const tensor *find(const crd_tensors *tensors, const char *name)
{
    for (int64_t i = 0; i < tensors->count; i++)
        if (strcmp(tensors->tensors[i].name, name) == 0) return &tensors->tensors[i];
    return NULL;
}

bool crd_tensors_has(const crd_tensors *tensors, const char *name)
{
    return find(tensors, name) != NULL;
}

static crd_status require(const crd_tensors *tensors, const char *name, const tensor **t, crd_error *error)
{
    *t = find(tensors, name);
    if (*t != NULL) return CRD_OK;
    return crd_fail(error, CRD_ERROR_FORMAT, "%s: has no tensor named '%.200s'", tensors->name, name);
}

/* Requires a tensor of one of these types ("F32, F64") with `count` numbers. */
static crd_status require_numbers(const crd_tensors *tensors, const char *name, int64_t count, const char *types,
                                  const char *words, const tensor **found, crd_error *error)
{
    crd_status status = require(tensors, name, found, error);
    if (status != CRD_OK) return status;
    const tensor *t = *found;
    if (t->count != count)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: tensor '%.200s' holds %lld numbers, expected %lld", tensors->name,
                        name, (long long)t->count, (long long)count);
    const size_t length = strlen(t->type);
    for (const char *type = types; *type != '\0'; type += strcspn(type, " ") + 1)
        if (strcspn(type, " ") == length && memcmp(type, t->type, length) == 0) return CRD_OK;
    return crd_fail(error, CRD_ERROR_FORMAT, "%s: tensor '%.200s' is %s, expected %s", tensors->name, name, t->type,
                    words);
}

crd_status crd_tensors_shape(const crd_tensors *tensors, const char *name, int *dims,
                             int64_t shape[CRD_TENSOR_MAX_DIMS], crd_error *error)
{
    const tensor *t;
    crd_status status = require(tensors, name, &t, error);
    if (status != CRD_OK) return status;
    *dims = t->dims;
    memcpy(shape, t->shape, sizeof t->shape);
    return CRD_OK;
}

crd_status crd_tensors_read_float(const crd_tensors *tensors, const char *name, float *values, int64_t count,
                                  crd_error *error)
{
    const tensor *t;
    crd_status status = require_numbers(tensors, name, count, "F32 F64 F16 BF16 ", "F32, F64, F16 or BF16", &t, error);
    if (status != CRD_OK) return status;
    const int size = type_size(t->type);
    const bool half = strcmp(t->type, "F16") == 0;
    const uint8_t *bytes = tensors->data + t->begin;
    for (int64_t i = 0; i < count; i++, bytes += size) {
        uint64_t bits = crd_load(bytes, size, false);
        values[i] = size == 4   ? crd_float_from_bits((uint32_t)bits)
                    : size == 8 ? (float)crd_double_from_bits(bits)
                    : half      ? crd_float_from_half((uint16_t)bits)
                                : crd_float_from_bits((uint32_t)bits << 16);
        if (!isfinite(values[i]))
            return crd_fail(error, CRD_ERROR_FORMAT,
                            "%s: tensor '%.200s': number %lld is not finite (or too large for a float32)",
                            tensors->name, name, (long long)i);
    }
    return CRD_OK;
}

crd_status crd_tensors_read_u8(const crd_tensors *tensors, const char *name, uint8_t *values, int64_t count,
                               crd_error *error)
{
    const tensor *t;
    crd_status status = require_numbers(tensors, name, count, "U8 ", "U8", &t, error);
    if (status == CRD_OK && count > 0) memcpy(values, tensors->data + t->begin, (size_t)count);
    return status;
}

/* ---- writing ---- */

static int64_t size_of(const crd_tensor_out *t)
{
    int64_t size = t->is_u8 ? 1 : 4;
    for (int d = 0; d < t->dims; d++) size *= t->shape[d];
    return size;
}

/* The whole header, from its length to its padding. */
static crd_status make_header(crd_text *text, const crd_tensor_out *tensors, int count, const crd_metadata *metadata,
                              int metadata_count, crd_error *error)
{
    int64_t offset = 0;
    crd_text_add_bytes(text, "\0\0\0\0\0\0\0\0", PREFIX);
    crd_text_add(text, "{");
    if (metadata_count > 0) crd_json_open(text, "__metadata__", "{");
    for (int i = 0; i < metadata_count; i++)
        if (metadata[i].value != NULL) crd_json_add_string(text, metadata[i].key, metadata[i].value);
    if (metadata_count > 0) crd_text_add(text, "}");
    for (const crd_tensor_out *t = tensors; t < tensors + count; t++) {
        const int64_t end = offset + size_of(t);
        crd_json_key(text, t->name);
        crd_text_format(text, "{\"dtype\":\"%s\",\"shape\":[", t->is_u8 ? "U8" : "F32");
        for (int d = 0; d < t->dims; d++) crd_text_format(text, "%s%lld", d > 0 ? "," : "", (long long)t->shape[d]);
        crd_text_format(text, "],\"data_offsets\":[%lld,%lld]}", (long long)offset, (long long)end);
        offset = end;
    }
    crd_text_add(text, "}");
    while (text->length % ALIGNMENT != 0 && text->status == CRD_OK) crd_text_add(text, " ");
    if (text->status != CRD_OK) return crd_fail_memory(error, (size_t)text->capacity);
    if (text->length - PREFIX > LONGEST_HEADER)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "the metadata take %lld bytes, a safetensors file holds at most %d",
                        (long long)(text->length - PREFIX), (int)LONGEST_HEADER);
    for (int b = 0; b < PREFIX; b++)
        text->bytes[b] = (char)(uint8_t)((uint64_t)(text->length - PREFIX) >> 8 * b & 0xff);
    return CRD_OK;
}

static crd_status write_tensor(crd_outfile *file, const crd_tensor_out *t, crd_error *error)
{
    const size_t size = t->is_u8 ? 1 : 4;
    const void *bytes;
    void *owned;
    crd_status status = crd_little_endian(t->data, size_of(t) / (int64_t)size, size, &bytes, &owned, error);
    if (status == CRD_OK) crd_outfile_write(file, bytes, (size_t)size_of(t));
    crd_free(owned);
    return status;
}

crd_status crd_tensors_write(const crd_destination *to, const crd_tensor_out *tensors, int count,
                             const crd_metadata *metadata, int metadata_count, crd_error *error)
{
    crd_text header = {0};
    crd_outfile *file = NULL;
    crd_status status = make_header(&header, tensors, count, metadata, metadata_count, error);
    if (status == CRD_OK) status = crd_outfile_open_to(to, &file, error);
    if (status == CRD_OK) crd_outfile_write(file, header.bytes, (size_t)header.length);
    for (int i = 0; i < count && status == CRD_OK; i++) status = write_tensor(file, &tensors[i], error);
    if (status == CRD_OK) status = crd_outfile_commit(&file, error);
    crd_outfile_discard(&file);
    crd_text_free(&header);
    return status;
}

/* ---- digests ---- */

static int compare_names(const void *a, const void *b)
{
    return strcmp((*(const tensor *const *)a)->name, (*(const tensor *const *)b)->name);
}

static void add_text(crd_sha256 *hash, const char *text)
{
    crd_sha256_add_number(hash, strlen(text));
    crd_sha256_add(hash, text, strlen(text));
}

static void add_tensor(crd_sha256 *hash, const tensor *t, const void *bytes)
{
    add_text(hash, t->name);
    add_text(hash, t->type);
    crd_sha256_add_number(hash, (uint64_t)t->dims);
    for (int d = 0; d < t->dims; d++) crd_sha256_add_number(hash, (uint64_t)t->shape[d]);
    crd_sha256_add(hash, bytes, (size_t)(t->end - t->begin));
}

/* Hashes tensors in the order of their names. If `out` is not NULL, tensor i has the numbers of out[i], in the order
 * of bytes of this machine; else its bytes are in `data`. */
static crd_status digest_of(const tensor *tensors, int64_t count, const uint8_t *data, const crd_tensor_out *out,
                            uint8_t digest[CRD_SHA256_BYTES], crd_error *error)
{
    const tensor **sorted;
    crd_sha256 hash;
    crd_status status = CRD_NEW(&sorted, count, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < count; i++) sorted[i] = &tensors[i];
    qsort(sorted, (size_t)count, sizeof *sorted, compare_names);
    crd_sha256_start(&hash);
    for (int64_t i = 0; i < count && status == CRD_OK; i++) {
        const tensor *t = sorted[i];
        const void *bytes = data != NULL ? data + t->begin : NULL;
        void *owned = NULL;
        if (out != NULL)
            status =
                crd_little_endian(out[t - tensors].data, t->count, (size_t)type_size(t->type), &bytes, &owned, error);
        if (status == CRD_OK) add_tensor(&hash, t, bytes);
        crd_free(owned);
    }
    crd_sha256_end(&hash, digest);
    crd_free(sorted);
    return status;
}

crd_status crd_tensors_digest(const crd_tensors *tensors, uint8_t digest[CRD_SHA256_BYTES], crd_error *error)
{
    return digest_of(tensors->tensors, tensors->count, tensors->data, NULL, digest, error);
}

crd_status crd_tensors_out_digest(const crd_tensor_out *tensors, int count, uint8_t digest[CRD_SHA256_BYTES],
                                  crd_error *error)
{
    tensor *list;
    crd_status status = CRD_NEW(&list, count, error);
    for (int i = 0; i < count && status == CRD_OK; i++) {
        const crd_tensor_out *t = &tensors[i];
        list[i] = (tensor){.name = t->name, .type = t->is_u8 ? "U8" : "F32", .dims = t->dims, .end = size_of(t)};
        list[i].count = size_of(t) / (t->is_u8 ? 1 : 4);
        memcpy(list[i].shape, t->shape, sizeof t->shape);
    }
    if (status == CRD_OK) status = digest_of(list, count, NULL, tensors, digest, error);
    crd_free(list);
    return status;
}
