/* SPDX-License-Identifier: MIT */
/* safetensors: files made by hand, lies in every part of the header, and writing. */
#include "support/outcome.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/safetensors.h"

/* A file with this header and data, in memory of exactly its size. */
static crd_status open_made(const char *header, const void *data, size_t size, crd_tensors **tensors, uint8_t **bytes,
                            crd_error *error)
{
    size_t length = strlen(header);
    *bytes = malloc(8 + length + size);
    for (int b = 0; b < 8; b++) (*bytes)[b] = (uint8_t)((uint64_t)length >> 8 * b);
    memcpy(*bytes + 8, header, length);
    if (size > 0) memcpy(*bytes + 8 + length, data, size);
    return crd_tensors_open_memory(*bytes, 8 + length + size, "m.safetensors", tensors, error);
}

static void every_type_of_float(void **state)
{
    (void)state;
    static const char header[] =
        "{\"__metadata__\":{\"format\":\"pt\",\"empty\":\"\"},"
        "\"layer.weight\":{\"dtype\":\"F32\",\"shape\":[2,1],\"data_offsets\":[0,8]},"
        "\"half\":{\"shape\":[2],\"dtype\":\"F16\",\"data_offsets\":[8,12]},"
        "\"brain\":{\"dtype\":\"BF16\",\"shape\":[],\"data_offsets\":[12,14],\"later\":[{}]},"
        "\"double\":{\"dtype\":\"F64\",\"shape\":[1,1,1,1,1,1,1,1],\"data_offsets\":[14,22]},"
        "\"bytes\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[22,25]},"
        "\"none\":{\"dtype\":\"F32\",\"shape\":[0,9223372036854775807,9],\"data_offsets\":[22,22]},"
        "\"long\":{\"dtype\":\"I64\",\"shape\":[1],\"data_offsets\":[25,33]}}   ";
    static const uint8_t data[33] = {0,    0, 0x80, 0x3f, 0, 0, 0x20, 0xc1, 0x00, 0x3c, 0x01, 0x80, 0x49,
                                     0x40, 0, 0,    0,    0, 0, 0,    0xe0, 0xbf, 7,    8,    255,  1};
    crd_tensors *tensors;
    uint8_t *bytes;
    crd_error error;
    int dims;
    int64_t shape[CRD_TENSOR_MAX_DIMS];
    float values[4] = {0};
    uint8_t small[4] = {0};
    assert_ok(open_made(header, data, sizeof data, &tensors, &bytes, &error));
    assert_string_equal(crd_tensors_name(tensors), "m.safetensors");
    assert_string_equal(crd_tensors_metadata(tensors, "format"), "pt");
    assert_string_equal(crd_tensors_metadata(tensors, "empty"), "");
    assert_null(crd_tensors_metadata(tensors, "layer.weight"));
    assert_true(crd_tensors_has(tensors, "half") && crd_tensors_has(tensors, "none"));
    assert_false(crd_tensors_has(tensors, "__metadata__") || crd_tensors_has(tensors, "hal"));
    assert_ok(crd_tensors_shape(tensors, "layer.weight", &dims, shape, &error));
    assert_true(dims == 2 && shape[0] == 2 && shape[1] == 1);
    assert_ok(crd_tensors_shape(tensors, "brain", &dims, shape, &error));
    assert_int_equal(dims, 0);
    assert_ok(crd_tensors_read_float(tensors, "layer.weight", values, 2, &error));
    assert_true(values[0] == 1.0f && values[1] == -10.0f);
    assert_ok(crd_tensors_read_float(tensors, "half", values, 2, &error));
    assert_true(values[0] == 1.0f && values[1] == -0x1p-24f);
    assert_ok(crd_tensors_read_float(tensors, "brain", values, 1, &error));
    assert_true(values[0] == 3.140625f);
    assert_ok(crd_tensors_read_float(tensors, "double", values, 1, &error));
    assert_true(values[0] == -0.5f);
    assert_ok(crd_tensors_read_float(tensors, "none", values, 0, &error));
    assert_ok(crd_tensors_read_u8(tensors, "bytes", small, 3, &error));
    assert_memory_equal(small, "\x07\x08\xff", 3);

    assert_fails(crd_tensors_read_float(tensors, "bytes", values, 3, &error), CRD_ERROR_FORMAT,
                 "m.safetensors: tensor 'bytes' is U8, expected F32");
    assert_fails(crd_tensors_read_float(tensors, "long", values, 1, &error), CRD_ERROR_FORMAT, "is I64");
    assert_fails(crd_tensors_read_u8(tensors, "half", small, 2, &error), CRD_ERROR_FORMAT, "expected U8");
    assert_fails(crd_tensors_read_float(tensors, "half", values, 3, &error), CRD_ERROR_FORMAT,
                 "tensor 'half' holds 2 numbers, expected 3");
    assert_fails(crd_tensors_read_u8(tensors, "bytes", small, 2, &error), CRD_ERROR_FORMAT, "expected 2");
    assert_fails(crd_tensors_read_u8(tensors, "gone", small, 2, &error), CRD_ERROR_FORMAT,
                 "m.safetensors: has no tensor named 'gone'");
    assert_fails(crd_tensors_shape(tensors, "gone", &dims, shape, &error), CRD_ERROR_FORMAT, "no tensor named");
    crd_tensors_free(&tensors);
    assert_null(tensors);
    crd_tensors_free(&tensors);
    free(bytes);
}

static void numbers_that_are_none(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        const char *data; /* one number of 8, 4 or 2 bytes */
        size_t size;
    } bad[] = {{"F32", "\0\0\xc0\x7f", 4},
               {"F32", "\0\0\x80\xff", 4},
               {"F64", "\0\0\0\0\0\0\xf8\x7f", 8},
               {"F64", "\0\0\0\0\0\0\xf0\x47", 8}, /* 2^128 */
               {"F16", "\0\x7c", 2},
               {"BF16", "\x80\xff", 2}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char header[120];
        uint8_t *bytes;
        crd_tensors *tensors;
        crd_error error;
        float value;
        snprintf(header, sizeof header, "{\"w\":{\"dtype\":\"%s\",\"shape\":[],\"data_offsets\":[0,%zu]}}", bad[i].type,
                 bad[i].size);
        assert_ok(open_made(header, bad[i].data, bad[i].size, &tensors, &bytes, &error));
        assert_fails(crd_tensors_read_float(tensors, "w", &value, 1, &error), CRD_ERROR_FORMAT,
                     "m.safetensors: tensor 'w': number 0 is not finite");
        crd_tensors_free(&tensors);
        free(bytes);
    }
}

static void headers_that_lie(void **state)
{
    (void)state;
#define W "\"w\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}"
    static const struct {
        const char *header, *message;
    } bad[] = {
        {"", "does not start with '{'"},
        {" {}", "does not start with '{'"},
        {"[]", "does not start with '{'"},
        {"{", "is not good JSON: "},
        {"{" W "}}", "is not good JSON: "},
        {"{" W "," W "}", "is not good JSON: duplicate object key"},
        {"{\"__metadata__\":{\"a\":\"1\",\"a\":\"2\"}," W "}", "duplicate object key"},
        {"{\"\xff\":1}", "is not good JSON: "},
        {"{}", "8 bytes follow the last tensor"},
        {"{\"__metadata__\":3," W "}", "__metadata__ is not a JSON object"},
        {"{\"__metadata__\":{\"a\":1}," W "}", "the metadata 'a' is not a string"},
        {"{\"w\":[]}", "tensor 'w' is not described by a JSON object"},
        {"{\"w\":{\"dtype\":\"F32\",\"data_offsets\":[0,8]}}", "tensor 'w': expected a shape"},
        {"{\"w\":{\"dtype\":\"F32\",\"shape\":2,\"data_offsets\":[0,8]}}", "tensor 'w': expected a shape"},
        {"{\"w\":{\"dtype\":\"F32\",\"shape\":[2]}}", "tensor 'w': expected data_offsets"},
        {"{\"w\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0]}}", "tensor 'w': expected data_offsets"},
        {"{\"w\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8.0]}}", "tensor 'w': expected data_offsets"},
        {"{\"w\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[-8,0]}}", "tensor 'w': expected data_offsets"},
        {"{\"w\":{\"shape\":[2],\"data_offsets\":[0,8]}}", "expected a dtype that safetensors has, found 'none'"},
        {"{\"w\":{\"dtype\":4,\"shape\":[2],\"data_offsets\":[0,8]}}", "found 'none'"},
        {"{\"w\":{\"dtype\":\"f32\",\"shape\":[2],\"data_offsets\":[0,8]}}", "found 'f32'"},
        {"{\"w\":{\"dtype\":\"F32\",\"shape\":[1,1,1,1,1,1,1,1,2],\"data_offsets\":[0,8]}}", "at most 8 dimensions"},
        {"{\"w\":{\"dtype\":\"F32\",\"shape\":[-2],\"data_offsets\":[0,8]}}", "something that is not a length"},
        {"{\"w\":{\"dtype\":\"F32\",\"shape\":[2.0],\"data_offsets\":[0,8]}}", "something that is not a length"},
        {"{\"w\":{\"dtype\":\"F32\",\"shape\":[4294967296,4294967296],\"data_offsets\":[0,8]}}", "impossibly large"},
        {"{\"w\":{\"dtype\":\"F32\",\"shape\":[4611686018427387906],\"data_offsets\":[0,8]}}",
         "offsets 0 to 8 do not fit 4611686018427387906 numbers of F32 in 8 bytes"},
        {"{\"w\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[0,8]}}", "offsets 0 to 8 do not fit 3 numbers"},
        {"{\"w\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[0,12]}}", "offsets 0 to 12 do not fit"},
        {"{\"w\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,0]}}", "offsets 8 to 0 do not fit"},
        {"{\"w\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}",
         "starts at byte 4 of the data, leaving a gap"},
        {"{\"w\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", "4 bytes follow the last tensor"},
        {"{" W ",\"v\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}",
         "tensor 'v': starts at byte 4 of the data, inside the one that ends at 8"},
        {"{\"v\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]},\"w\":{\"dtype\":\"U8\",\"shape\":["
         "5],"
         "\"data_offsets\":[3,8]}}",
         "tensor 'w': starts at byte 3 of the data, leaving a gap after 2"},
        {"{\"w\":{\"dtype\":\"F32\",\"shape\":[99999999999999999999],\"data_offsets\":[0,8]}}", "is not good JSON: "},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        crd_tensors *tensors;
        uint8_t *bytes;
        crd_error error;
        assert_fails(open_made(bad[i].header, "12345678", 8, &tensors, &bytes, &error), CRD_ERROR_FORMAT,
                     bad[i].message);
        assert_true(strncmp(error.message, "m.safetensors: ", 15) == 0);
        assert_null(tensors);
        free(bytes);
    }
    /* Deep nesting is refused, not followed. */
    char deep[9000];
    memset(deep, '[', sizeof deep);
    memcpy(deep, "{\"w\":", 5);
    deep[sizeof deep - 1] = '\0';
    crd_tensors *tensors;
    uint8_t *bytes;
    crd_error error;
    assert_fails(open_made(deep, "", 0, &tensors, &bytes, &error), CRD_ERROR_FORMAT, "is not good JSON");
    free(bytes);
}

static void lengths_that_lie(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        const char *message;
    } bad[] = {
        {"", 0, "is not a safetensors file (it has 0 bytes)"},
        {"\2\0\0\0\0\0\0", 7, "it has 7 bytes"},
        {"\3\0\0\0\0\0\0\0{}", 10, "a header of 3 bytes is announced, 2 bytes follow"},
        {"\2\0\0\0\0\0\0\x80{}", 10, "a header of 9223372036854775810 bytes is announced"},
        {"\xff\xff\xff\xff\xff\xff\xff\xff{}", 10, "a header of 18446744073709551615 bytes is announced"},
    };
    crd_tensors *tensors;
    crd_error error;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_fails(crd_tensors_open_memory(bad[i].bytes, bad[i].size, "m", &tensors, &error), CRD_ERROR_FORMAT,
                     bad[i].message);
    assert_fails(crd_tensors_open("/tmp/no/such.safetensors", &tensors, &error), CRD_ERROR_IO,
                 "/tmp/no/such.safetensors: cannot open: its folder does not exist");
    assert_null(tensors);
}

static void written_files_read_back(void **state)
{
    (void)state;
    static const uint8_t some_bytes[] = {1, 2, 3};
    static const float weights[] = {0.5f, -1.25f, 3e38f, 1e-40f, 0.0f, 7.0f}, one[] = {42.0f};
    const crd_tensor_out out[] = {{"encoder.weight", false, 2, {2, 3}, weights},
                                  {"none", false, 2, {0, 5}, NULL},
                                  {"one", false, 0, {0}, one},
                                  {"seen", true, 1, {3}, some_bytes}};
    const crd_metadata metadata[] = {{"config", "{\"hidden\": 64,\n\"name\": \"caf\xc3\xa9\"}"}, {"empty", ""}};
    char path[64];
    snprintf(path, sizeof path, "/tmp/credence_safetensors_%ld", (long)getpid());
    assert_ok(crd_tensors_write(&(crd_destination){.path = path}, out, 4, metadata, 2, NULL));

    crd_tensors *tensors;
    float values[6];
    uint8_t small[3];
    int dims;
    int64_t shape[CRD_TENSOR_MAX_DIMS];
    assert_ok(crd_tensors_open(path, &tensors, NULL));
    assert_string_equal(crd_tensors_name(tensors), path);
    assert_string_equal(crd_tensors_metadata(tensors, "config"), metadata[0].value);
    assert_string_equal(crd_tensors_metadata(tensors, "empty"), "");
    assert_ok(crd_tensors_read_float(tensors, "encoder.weight", values, 6, NULL));
    assert_memory_equal(values, weights, sizeof weights);
    assert_ok(crd_tensors_read_float(tensors, "one", values, 1, NULL));
    assert_true(values[0] == 42.0f);
    assert_ok(crd_tensors_read_float(tensors, "none", values, 0, NULL));
    assert_ok(crd_tensors_read_u8(tensors, "seen", small, 3, NULL));
    assert_memory_equal(small, some_bytes, 3);
    assert_ok(crd_tensors_shape(tensors, "none", &dims, shape, NULL));
    assert_true(dims == 2 && shape[0] == 0 && shape[1] == 5);
    crd_tensors_free(&tensors);

    /* The bytes themselves, with padding. */
    static const char expected[] = "{\"__metadata__\":{\"config\":\"{\\\"hidden\\\": 64,\\u000a\\\"name\\\": "
                                   "\\\"caf\xc3\xa9\\\"}\",\"empty\":\"\"},"
                                   "\"encoder.weight\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]},"
                                   "\"none\":{\"dtype\":\"F32\",\"shape\":[0,5],\"data_offsets\":[24,24]},"
                                   "\"one\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[24,28]},"
                                   "\"seen\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[28,31]}}";
    char file[1024];
    FILE *opened = fopen(path, "rb");
    size_t size = fread(file, 1, sizeof file, opened);
    fclose(opened);
    unlink(path);
    size_t header = (sizeof expected - 1 + 7) / 8 * 8;
    assert_int_equal(size, 8 + header + 31);
    assert_int_equal((uint8_t)file[0] + 256 * (uint8_t)file[1], header);
    assert_memory_equal(file + 2, "\0\0\0\0\0\0", 6);
    assert_memory_equal(file + 8, expected, sizeof expected - 1);
    assert_int_equal(file[8 + header - 1], (sizeof expected - 1) % 8 == 0 ? '}' : ' ');
    assert_memory_equal(file + 8 + header + 28, some_bytes, 3);
}

static void what_cannot_be_written(void **state)
{
    (void)state;
    crd_error error;
    static const float one[] = {1.0f};
    const crd_tensor_out out = {"w", false, 1, {1}, one};
    assert_fails(crd_tensors_write(&(crd_destination){.path = "/dev/full"}, &out, 1, NULL, 0, &error), CRD_ERROR_IO,
                 "/dev/full: cannot write: No space left");
    assert_fails(crd_tensors_write(&(crd_destination){.path = "/tmp/no/such/file"}, &out, 1, NULL, 0, &error),
                 CRD_ERROR_IO, "cannot write");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_of_float),     cmocka_unit_test(numbers_that_are_none),
        cmocka_unit_test(headers_that_lie),        cmocka_unit_test(lengths_that_lie),
        cmocka_unit_test(written_files_read_back), cmocka_unit_test(what_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
