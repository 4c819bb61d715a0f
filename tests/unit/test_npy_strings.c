/* SPDX-License-Identifier: MIT */
/* Strings in .npy arrays. */
#include <stdlib.h>
#include <string.h>

#include "io/bytes.h"
#include "io/npy.h"
#include "support/npy_array.h"

static void check_strings(const char *descr, const char *shape, const void *bytes, size_t size,
                          const char *const *expected, int64_t count)
{
    char **strings;
    array a = open_array(descr, "False", shape, bytes, size);
    assert_ok(crd_npy_read(a.source, &a.npy, CRD_NPY_TEXT, &strings, NULL));
    assert_int_equal(a.npy.count, count);
    for (int64_t i = 0; i < count; i++) assert_string_equal(strings[i], expected[i]);
    crd_strings_free(&strings, count);
    close_array(&a);
}

static void strings(void **state)
{
    (void)state;
    /* a, e acute, euro sign, a grinning face: one to four bytes of UTF-8 */
    static const char *const two[] = {"a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "", "bc"};
    char big[48] = "\0\0\0a\0\0\0\xe9\0\0\x20\xac\0\1\xf6\0", little[48];
    memcpy(big + 32, "\0\0\0b\0\0\0c", 8);
    memcpy(little, big, sizeof big);
    crd_reverse_items(little, 12, 4);
    check_strings(">U4", "(3,)", big, 48, two, 3);
    check_strings("<U4", "(3,)", little, 48, two, 3);
    static const char *const bytes[] = {"ab", "\xc3\xa9", ""};
    check_strings("|S3", "(3,)", "ab\0\xc3\xa9\0\0\0\0", 9, bytes, 3);
    static const char *const scalar[] = {"x"};
    check_strings("<U1", "()", "x\0\0\0", 4, scalar, 1);

    static const char *const numbers[] = {"-128", "-1", "127"};
    check_strings("|i1", "(3,)", "\x80\xff\x7f", 3, numbers, 3);
    static const char *const largest[] = {"18446744073709551615"};
    check_strings("<u8", "()", "\xff\xff\xff\xff\xff\xff\xff\xff", 8, largest, 1);
    static const char *const truths[] = {"False", "True"};
    check_strings("|b1", "(2,)", "\0\1", 2, truths, 2);
    static const char *const floats[] = {"3", "0.1", "nan", "-inf"};
    check_strings(">f4", "(4,)", "\x40\x40\0\0\x3d\xcc\xcc\xcd\x7f\xc0\0\0\xff\x80\0\0", 16, floats, 4);
    static const char *const tenth[] = {"0.1"};
    check_strings(">f8", "()", "\x3f\xb9\x99\x99\x99\x99\x99\x9a", 8, tenth, 1);
}

static void bad_strings(void **state)
{
    (void)state;
    static const struct {
        const char *descr;
        const char *bytes;
        size_t size;
        const char *message;
    } bad[] = {
        {">U2", "\0\0\0a\0\0\0b\0\0\0\0\0\0\0a", 16, "item 1 holds a NUL character inside"},
        {">U1", "\0\0\0a\0\0\xd8\0", 8, "item 1 holds a character that Unicode does not have"},
        {">U1", "\0\0\0a\0\0\xdf\xff", 8, "item 1 holds a character that Unicode does not have"},
        {">U1", "\0\x11\0\0\0\0\0a", 8, "item 0 holds a character that Unicode does not have"},
        {"|S2", "ab\0b", 4, "item 1 holds a NUL character inside"},
        {"|S1", "a\xe9", 2, "item 1 holds bytes that are not UTF-8"},
        {"|S3", "abc\xed\xa0\x80", 6, "item 1 holds bytes that are not UTF-8"},      /* a surrogate */
        {"|S2", "ab\xc0\x80", 4, "item 1 holds bytes that are not UTF-8"},           /* NUL the long way */
        {"|S3", "abc\xe0\x9f\xbf", 6, "item 1 holds bytes that are not UTF-8"},      /* likewise too long */
        {"|S4", "abcd\xf4\x90\x80\x80", 8, "item 1 holds bytes that are not UTF-8"}, /* above U+10FFFF */
        {"|b1", "\0\2", 2, "item 1 is 2, expected 0 or 1"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        crd_error error;
        char **strings_read;
        array a = open_array(bad[i].descr, "False", "(2,)", bad[i].bytes, bad[i].size);
        assert_fails(crd_npy_read(a.source, &a.npy, CRD_NPY_TEXT, &strings_read, &error), CRD_ERROR_FORMAT,
                     bad[i].message);
        assert_null(strings_read);
        close_array(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings),
        cmocka_unit_test(bad_strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
