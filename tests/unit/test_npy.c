/* SPDX-License-Identifier: MIT */
/* .npy arrays made byte by byte: every type and byte order, both orders of items, and every kind of error in a
 * header or an item. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/bytes.h"
#include "support/npy_array.h"

/* ---- every type ---- */

/* Three items of each type, big-endian; the other order is made from them. */
static const struct {
    const char *letter; /* kind and size */
    int size;
    const char *items;
    double values[3];
    const char *type;
} types[] = {
    {"b1", 1, "\x00\x01\x01", {0, 1, 1}, "bool[3]"},
    {"i1", 1, "\x80\xff\x7f", {-128, -1, 127}, "int8[3]"},
    {"i2", 2, "\x80\x00\xff\xfe\x12\x34", {-32768, -2, 0x1234}, "int16[3]"},
    {"i4", 4, "\x80\x00\x00\x00\xff\xff\xff\xfd\x01\x02\x03\x04", {-2147483648.0, -3, 0x01020304}, "int32[3]"},
    {"i8",
     8,
     "\xff\xff\xff\xff\x80\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xfc\x00\x00\x00\x00\x01\x02\x03\x04",
     {-2147483648.0, -4, 0x01020304},
     "int64[3]"},
    {"u1", 1, "\x00\x80\xff", {0, 128, 255}, "uint8[3]"},
    {"u2", 2, "\x00\x01\x80\x00\xff\xff", {1, 32768, 65535}, "uint16[3]"},
    {"u4", 4, "\x00\x00\x00\x00\x00\x01\x00\x00\x7f\xff\xff\xff", {0, 65536, 2147483647.0}, "uint32[3]"},
    {"u8",
     8,
     "\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x7f\xff\xff\xff",
     {2, 65536, 2147483647.0},
     "uint64[3]"},
    /* sign 1, exponent 15 + 1; the largest half; one */
    {"f2", 2, "\xc0\x00\x7b\xff\x3c\x00", {-2, 65504, 1}, "float16[3]"},
    {"f4", 4, "\xc0\x40\x00\x00\x00\x00\x00\x00\x47\x80\x00\x00", {-3, 0, 65536}, "float32[3]"},
    {"f8",
     8,
     "\xc0\x10\x00\x00\x00\x00\x00\x00\x80\x00\x00\x00\x00\x00\x00\x00\x40\xf0\x00\x00\x00\x00\x00\x00",
     {-4, 0, 65536},
     "float64[3]"},
};

static array open_type(size_t t, char order)
{
    char descr[8], items[24];
    snprintf(descr, sizeof descr, "%c%s", order, types[t].letter);
    memcpy(items, types[t].items, 3 * (size_t)types[t].size);
    bool big = order == '>' || (order != '<' && crd_host_is_big_endian());
    if (!big) crd_reverse_items(items, 3, (size_t)types[t].size);
    return open_array(descr, "False", "(3,)", items, 3 * (size_t)types[t].size);
}

static void every_type_in_either_byte_order(void **state)
{
    (void)state;
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        for (const char *order = "<>=|"; *order != '\0'; order++) {
            const double *values = types[t].values;
            char text[40];
            array a = open_type(t, *order);
            crd_npy_describe(&a.npy, text, sizeof text);
            assert_string_equal(text, types[t].type);
            assert_int_equal(a.npy.item_size, types[t].size);
            assert_int_equal(a.npy.count, 3);
            double *doubles;
            assert_ok(crd_npy_read(a.source, &a.npy, CRD_NPY_F8, &doubles, NULL));
            for (int i = 0; i < 3; i++) assert_true(doubles[i] == values[i]);
            free(doubles);
            close_array(&a);

            a = open_type(t, *order);
            float *floats;
            assert_ok(crd_npy_read(a.source, &a.npy, CRD_NPY_F4, &floats, NULL));
            for (int i = 0; i < 3; i++) assert_true(floats[i] == (float)values[i]);
            free(floats);
            close_array(&a);

            a = open_type(t, *order);
            int64_t *longs;
            assert_ok(crd_npy_read(a.source, &a.npy, CRD_NPY_I8, &longs, NULL));
            for (int i = 0; i < 3; i++) assert_true(longs[i] == (int64_t)values[i]);
            free(longs);
            close_array(&a);

            a = open_type(t, *order);
            int32_t *ints;
            assert_ok(crd_npy_read(a.source, &a.npy, CRD_NPY_I4, &ints, NULL));
            for (int i = 0; i < 3; i++) assert_true(ints[i] == (int32_t)values[i]);
            free(ints);
            close_array(&a);

            a = open_type(t, *order);
            uint8_t *bools = NULL;
            crd_status status = crd_npy_read(a.source, &a.npy, CRD_NPY_U1, &bools, NULL);
            assert_int_equal(status, t == 0 ? CRD_OK : CRD_ERROR_FORMAT);
            if (t == 0) assert_memory_equal(bools, "\x00\x01\x01", 3);
            free(bools);
            close_array(&a);
        }
    }
}

static void half_floats(void **state)
{
    (void)state;
    assert_true(crd_float_from_half(0x0001) == 0x1p-24f);
    assert_true(crd_float_from_half(0x83ff) == -1023 * 0x1p-24f);
    assert_true(crd_float_from_half(0x0400) == 0x1p-14f);
    assert_true(crd_float_from_half(0x3555) == 0x1.554p-2f);
    assert_true(crd_float_from_half(0x8000) == 0.0f && signbit(crd_float_from_half(0x8000)));
    assert_true(isinf(crd_float_from_half(0x7c00)) && crd_float_from_half(0xfc00) < 0);
    assert_true(isnan(crd_float_from_half(0x7e01)));
}

/* Arrays with more items than fit into one chunk, with and without conversion. */
static void long_arrays(void **state)
{
    (void)state;
    enum { COUNT = 50001 };
    int64_t *items = malloc(COUNT * sizeof *items), *longs;
    for (int64_t i = 0; i < COUNT; i++) items[i] = i * 7 - 3000;
    for (int converted = 0; converted <= 1; converted++) {
        bool big = crd_host_is_big_endian() != (converted == 1);
        if (converted == 1) crd_reverse_items(items, COUNT, sizeof *items);
        array a = open_array(big ? ">i8" : "<i8", "False", "(50001,)", items, COUNT * sizeof *items);
        assert_ok(crd_npy_read(a.source, &a.npy, CRD_NPY_I8, &longs, NULL));
        for (int64_t i = 0; i < COUNT; i++) assert_true(longs[i] == i * 7 - 3000);
        free(longs);
        close_array(&a);
    }
    free(items);
}

/* ---- shapes ---- */

static void fortran_order_becomes_c_order(void **state)
{
    (void)state;
    uint8_t items[24], *bytes = NULL;
    int32_t *ints;
    for (int i = 0; i < 24; i++) items[i] = (uint8_t)i;
    /* [[0 2 4] [1 3 5]] by columns */
    array a = open_array("|u1", "True", "(2, 3)", items, 6);
    assert_ok(crd_npy_read(a.source, &a.npy, CRD_NPY_I4, &ints, NULL));
    static const int32_t expected[] = {0, 2, 4, 1, 3, 5};
    assert_memory_equal(ints, expected, sizeof expected);
    free(ints);
    close_array(&a);
    /* With one dimension there is only one order. */
    a = open_array("|u1", "True", "(2,)", items, 2);
    assert_ok(crd_npy_read(a.source, &a.npy, CRD_NPY_U1, &bytes, NULL));
    assert_memory_equal(bytes, "\0\1", 2);
    free(bytes);
    close_array(&a);
    a = open_array("|S1", "True", "(2, 2)", "abcd", 4);
    char **strings;
    assert_ok(crd_npy_read(a.source, &a.npy, CRD_NPY_TEXT, &strings, NULL));
    assert_string_equal(strings[0], "a");
    assert_string_equal(strings[1], "c");
    assert_string_equal(strings[2], "b");
    assert_string_equal(strings[3], "d");
    crd_strings_free(&strings, 4);
    assert_null(strings);
    close_array(&a);
}

static void scalars_and_empty_arrays(void **state)
{
    (void)state;
    char text[80];
    float *floats;
    array a = open_array(">f4", "False", "()", "\x3f\x80\x00\x00", 4);
    assert_int_equal(a.npy.dims, 0);
    assert_int_equal(a.npy.count, 1);
    crd_npy_describe(&a.npy, text, sizeof text);
    assert_string_equal(text, "float32");
    assert_ok(crd_npy_read(a.source, &a.npy, CRD_NPY_F4, &floats, NULL));
    assert_true(floats[0] == 1.0f);
    free(floats);
    close_array(&a);

    a = open_array("<f4", "False", "(999999999999999999, 0)", "", 0);
    assert_int_equal(a.npy.count, 0);
    assert_ok(crd_npy_read(a.source, &a.npy, CRD_NPY_F4, &floats, NULL));
    assert_non_null(floats);
    free(floats);
    close_array(&a);

    char **strings;
    a = open_array("<U0", "False", "(0,)", "", 0);
    assert_ok(crd_npy_read(a.source, &a.npy, CRD_NPY_TEXT, &strings, NULL));
    assert_non_null(strings);
    crd_strings_free(&strings, 0);
    close_array(&a);

    crd_npy_describe(&(crd_npy){.kind = CRD_NPY_UNICODE, .dims = 2, .shape = {12, 345}}, text, 9);
    assert_string_equal(text, "text[12,");
}

/* ---- headers ---- */

static void good_headers(void **state)
{
    (void)state;
    static const char *const good[] = {
        "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 1), }          \n",
        "{\"shape\":(2L,1L),\"fortran_order\":False,\"descr\":\"<i2\"}",
        "  { 'fortran_order' :\tFalse , 'shape' : ( 2 , 1 , ) , 'descr' : '<i2' }\r\n",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        array a;
        int64_t *items;
        assert_ok(open_with(&a, good[i], "\x05\x00\xff\xff", 4, NULL));
        assert_int_equal(a.npy.dims, 2);
        assert_int_equal(a.npy.shape[0], 2);
        assert_int_equal(a.npy.shape[1], 1);
        assert_false(a.npy.fortran_order);
        assert_ok(crd_npy_read(a.source, &a.npy, CRD_NPY_I8, &items, NULL));
        assert_int_equal(items[0], 5);
        assert_int_equal(items[1], -1);
        free(items);
        close_array(&a);
    }
    /* Versions 2 and 3 have a length of four bytes. */
    for (uint8_t version = 2; version <= 3; version++) {
        array a = {.bytes = {NULL, 0, 0}};
        const char *dictionary = good[0];
        zip_add(&a.bytes, "\x93NUMPY", 6);
        zip_number(&a.bytes, 1, version);
        zip_number(&a.bytes, 1, 0);
        zip_number(&a.bytes, 4, strlen(dictionary));
        zip_add(&a.bytes, dictionary, strlen(dictionary));
        assert_ok(open_bytes(&a, NULL));
        assert_int_equal(a.npy.count, 2);
        close_array(&a);
    }
}

static void bad_headers(void **state)
{
    (void)state;
    static const struct {
        const char *dictionary, *message;
    } bad[] = {
        {"", "does not give 'descr'"},
        {"[]", "does not give 'descr'"},
        {"{'descr': '<i2', 'fortran_order': False}", "does not give 'shape'"},
        {"{'shape': (1,), 'fortran_order': False}", "does not give 'descr'"},
        {"{'shape': (1,), 'descr': '<i2'}", "does not give 'fortran_order'"},
        {"{'descr': '<i2', 'fortran_order': False, 'shape'", "expected a shape of at most 4 dimensions"},
        {"{'descr': '<i2', 'fortran_order': False, 'shape': (2,", "expected a shape of at most 4 dimensions"},
        {"{'descr': '<i\\x32', 'fortran_order': False, 'shape': (2,)}", "cannot read items of type"},
        {"{'descr': [('a', '<i2')], 'fortran_order': False, 'shape': (2,)}", "cannot read items of type '[('"},
        {"{'fortran_order': 0, 'descr': '<i2', 'shape': (2,)}", "expected True or False as fortran_order, found '0, "},
        {"{'shape': 2, 'descr': '<i2', 'fortran_order': False}", "expected a shape of at most 4 dimensions"},
        {"{'shape': (-2,), 'descr': '<i2', 'fortran_order': False}", "such as (3, 4), found '(-2"},
        {"{'shape': (9223372036854775808,), 'descr': '<i2', 'fortran_order': False}", "expected a shape"},
        {"{'shape': (1,1,1), 'descr': '<i2', 'fortran_order': True}", "is in Fortran order, expected two dimensions"},
        {"{'shape': (1,1,1,1,1), 'descr': '<i2', 'fortran_order': False}", "expected a shape of at most 4 dimensions"},
        {"{'shape': (4294967296, 2147483648), 'descr': '|i1', 'fortran_order': False}", "impossibly large"},
        {"{'shape': (999999999999999999,), 'descr': '<U9', 'fortran_order': False}", "impossibly large"},
        {"{'shape': (5,), 'descr': '<U0', 'fortran_order': False}", "5 items of no size"},
        {"{'shape': (5,), 'descr': '|S0', 'fortran_order': False}", "5 items of no size"},
    };
    crd_error error;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        array a;
        assert_fails(open_with(&a, bad[i].dictionary, "", 0, &error), CRD_ERROR_FORMAT, bad[i].message);
        assert_true(strncmp(error.message, "a.npy: ", 7) == 0);
        close_array(&a);
    }
    static const char *const bad_types[] = {"",    "i",    "<",  "i4",  "<i3", "<f16", "<c8",  "<i",  "!i4",
                                            "<b2", "<i44", "<U", "<Ux", "<M8", "|V12", "<f4 ", "<S-1"};
    for (size_t i = 0; i < sizeof bad_types / sizeof bad_types[0]; i++) {
        array a;
        char dictionary[100];
        snprintf(dictionary, sizeof dictionary, "{'descr':'%s','fortran_order':False,'shape':()}", bad_types[i]);
        assert_fails(open_with(&a, dictionary, "", 0, &error), CRD_ERROR_FORMAT, "cannot read items of type '");
        close_array(&a);
    }
}

static void bad_beginnings(void **state)
{
    (void)state;
    crd_error error;
    static const struct {
        const char *bytes;
        size_t size;
        const char *message;
    } bad[] = {
        {"", 0, "is not a .npy array"},
        {"\x93NUMPY\x01", 7, "is not a .npy array"},
        {"\x93NUMPX\x01\x00\x02\x00{}", 12, "is not a .npy array"},
        {"\x93NUMPY\x04\x00\x02\x00{}", 12, "is .npy version 4.0"},
        {"\x93NUMPY\x01\x01\x02\x00{}", 12, "is .npy version 1.1"},
        {"\x93NUMPY\x01\x00\x02", 9, "is cut off"},
        {"\x93NUMPY\x01\x00\x09\x00{}", 12, "is cut off (9 more bytes were expected, 2 are there)"},
        {"\x93NUMPY\x02\x00\x00\x00\x01\x00{}", 14, "the .npy header is 65536 bytes long"},
        {"\x93NUMPY\x03\x00\xff\xff\xff\xff{}", 14, "the .npy header is 4294967295 bytes long"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        array a = {.bytes = {NULL, 0, 0}};
        zip_add(&a.bytes, bad[i].bytes, bad[i].size);
        assert_fails(open_bytes(&a, &error), CRD_ERROR_FORMAT, bad[i].message);
        close_array(&a);
    }
    /* A NUL ends the header. */
    array a = {.bytes = npy_make("{'descr?': '<i2', 'fortran_order': False, 'shape': (0,)}", "", 0)};
    a.bytes.bytes[17] = '\0';
    assert_fails(open_bytes(&a, &error), CRD_ERROR_FORMAT, "does not give 'fortran_order'");
    close_array(&a);
}

/* ---- items ---- */

static void lengths_that_lie(void **state)
{
    (void)state;
    crd_error error;
    static const char *const descrs[] = {"<i4", ">i4", "<f4", "<U1"};
    for (size_t d = 0; d < 4; d++) {
        /* Far more items than any memory holds: memory is only requested for items that arrive. */
        array a = open_array(descrs[d], "False", "(1000000000000,)", "\1\0\0\0\2\0\0\0\3", 9);
        void *items = NULL;
        static const crd_npy_type types_read[] = {CRD_NPY_I4, CRD_NPY_I8, CRD_NPY_F4, CRD_NPY_TEXT};
        crd_status status = crd_npy_read(a.source, &a.npy, types_read[d], &items, &error);
        assert_fails(status, CRD_ERROR_FORMAT, "a.npy: is cut off: 2 of the 1000000000000 items");
        assert_null(items);
        close_array(&a);
    }
    char **strings;
    array a = open_array("<U1000000000", "False", "(2,)", "a\0\0\0", 4);
    assert_fails(crd_npy_read(a.source, &a.npy, CRD_NPY_TEXT, &strings, &error), CRD_ERROR_FORMAT,
                 "holds text of 4000000000 bytes per item, expected at most 65536");
    close_array(&a);
    int32_t *ints;
    a = open_array("<i4", "False", "(1,)", "\1\0\0\0\2", 5);
    assert_fails(crd_npy_read(a.source, &a.npy, CRD_NPY_I4, &ints, &error), CRD_ERROR_FORMAT,
                 "more bytes follow the items of int32[1]");
    assert_null(ints);
    close_array(&a);
}

static void check_refused(const char *descr, const char *shape, const char *order, const void *bytes, size_t size,
                          crd_npy_type target, const char *message)
{
    crd_error error;
    void *items = (void *)&error;
    array a = open_array(descr, order, shape, bytes, size);
    crd_status status = crd_npy_read(a.source, &a.npy, target, &items, &error);
    assert_fails(status, CRD_ERROR_FORMAT, message);
    assert_null(items);
    close_array(&a);
}

static void values_that_do_not_fit(void **state)
{
    (void)state;
    check_refused(">f4", "(2,)", "False", "\x3f\x80\x00\x00\x3f\x00\x00\x00", 8, CRD_NPY_I4,
                  "a.npy: item 1 is 0.5, expected a whole number from -2^31");
    check_refused(">f8", "()", "False", "\x7f\xf8\x00\x00\x00\x00\x00\x00", 8, CRD_NPY_I8, "the item is nan");
    check_refused(">f8", "()", "False", "\x43\xe0\x00\x00\x00\x00\x00\x00", 8, CRD_NPY_I8,
                  "is 9.22337203685");                                                                       /* 2^63 */
    check_refused(">f8", "()", "False", "\x41\xe0\x00\x00\x00\x00\x00\x00", 8, CRD_NPY_I4, "is 2147483648"); /* 2^31 */
    check_refused(">i8", "()", "False", "\xff\xff\xff\xff\x7f\xff\xff\xff", 8, CRD_NPY_I4, "is -2147483649");
    check_refused(">u8", "()", "False", "\x80\x00\x00\x00\x00\x00\x00\x00", 8, CRD_NPY_I8, "is 9223372036854775808");
    check_refused(">u4", "()", "False", "\x80\x00\x00\x00", 4, CRD_NPY_I4, "is 2147483648");
    check_refused("|i1", "(2, 2)", "False", "\x00\x01\x02\x00", 4, CRD_NPY_U1, "item [1,0] is 2, expected 0 or 1");
    check_refused("|i1", "(2, 2)", "True", "\x00\x01\xff\x00", 4, CRD_NPY_U1, "item [0,1] is -1, expected 0 or 1");
    check_refused("|b1", "(3,)", "False", "\x00\x01\x02", 3, CRD_NPY_U1, "item 2 is 2, expected 0 or 1");
    check_refused("|b1", "(3,)", "False", "\x00\x01\x02", 3, CRD_NPY_I4, "item 2 is 2, expected 0 or 1");
    check_refused(">f8", "()", "False", "\x47\xf0\x00\x00\x00\x00\x00\x00", 8, CRD_NPY_F4,
                  "is 3.402823669209"); /* 2^128 */
    check_refused("<U1", "(1,)", "False", "1\0\0\0", 4, CRD_NPY_I4, "holds text, expected a whole number");
    check_refused("|S1", "(1,)", "False", "1", 1, CRD_NPY_F4, "holds text, expected a number");
    check_refused("|O", "()", "False", "\x80\x03", 2, CRD_NPY_I4,
                  "holds pickled Python objects, which are never opened");

    /* The extremes themselves fit; infinity and NaN are floats. */
    int64_t *longs;
    array a = open_array(">f8", "False", "(2,)", "\xc3\xe0\0\0\0\0\0\0\x43\xdf\xff\xff\xff\xff\xff\xff", 16);
    assert_ok(crd_npy_read(a.source, &a.npy, CRD_NPY_I8, &longs, NULL));
    assert_true(longs[0] == INT64_MIN && longs[1] == INT64_MAX - 1023);
    free(longs);
    close_array(&a);
    float *floats;
    a = open_array(">f8", "False", "(2,)", "\x7f\xf0\0\0\0\0\0\0\x7f\xf8\0\0\0\0\0\0", 16);
    assert_ok(crd_npy_read(a.source, &a.npy, CRD_NPY_F4, &floats, NULL));
    assert_true(isinf(floats[0]) && isnan(floats[1]));
    free(floats);
    close_array(&a);
}

static void object_arrays_are_recognised(void **state)
{
    (void)state;
    crd_error error;
    char **strings;
    array a = open_array("|O", "False", "(15,)", "\x80\x03", 2);
    assert_int_equal(a.npy.kind, CRD_NPY_OBJECT);
    assert_int_equal(a.npy.count, 15);
    assert_fails(crd_npy_read(a.source, &a.npy, CRD_NPY_TEXT, &strings, &error), CRD_ERROR_FORMAT, "pickled");
    assert_null(strings);
    close_array(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_in_either_byte_order),
        cmocka_unit_test(half_floats),
        cmocka_unit_test(long_arrays),
        cmocka_unit_test(fortran_order_becomes_c_order),
        cmocka_unit_test(scalars_and_empty_arrays),
        cmocka_unit_test(good_headers),
        cmocka_unit_test(bad_headers),
        cmocka_unit_test(bad_beginnings),
        cmocka_unit_test(lengths_that_lie),
        cmocka_unit_test(values_that_do_not_fit),
        cmocka_unit_test(object_arrays_are_recognised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
