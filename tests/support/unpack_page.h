/* SPDX-License-Identifier: MIT */
/* Reads a report's page as a browser does: its blocks by part and name. */
#ifndef CRD_TESTS_UNPACK_PAGE_H
#define CRD_TESTS_UNPACK_PAGE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <zlib.h>

static inline char *read_page(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long size = ftell(file);
    char *page = (char *)malloc((size_t)size + 1);
    assert_non_null(page);
    rewind(file);
    assert_int_equal(fread(page, 1, (size_t)size, file), size);
    page[size] = '\0';
    fclose(file);
    assert_int_equal(strlen(page), size);
    return page;
}

static inline int letter_value(char letter)
{
    static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = letter != '\0' ? strchr(LETTERS, letter) : NULL;
    return at == NULL ? -1 : (int)(at - LETTERS);
}

/* Unpacks base64 of gzip up to the end of its element: *size bytes and a zero, or NULL if it is damaged. */
static inline unsigned char *unpack_text(const char *text, size_t *size)
{
    size_t length = 0, letters = strcspn(text, "<");
    unsigned char *gzip = (unsigned char *)malloc(letters + 1);
    unsigned word = 0;
    int bits = 0;
    assert_int_equal(letters % 4, 0);
    for (size_t i = 0; i < letters && text[i] != '='; i++) {
        const int value = letter_value(text[i]);
        if (value < 0) fail_msg("'%c' is no letter of base64", text[i]);
        word = word << 6 | (unsigned)value;
        if ((bits += 6) >= 8) gzip[length++] = (unsigned char)(word >> (bits -= 8));
    }
    /* a header without name and time, the same on every system */
    assert_true(length > 18);
    assert_memory_equal(gzip, "\x1f\x8b\x08\0\0\0\0\0", 8);
    assert_int_equal(gzip[9], 255);
    unsigned expected;
    memcpy(&expected, gzip + length - 4, 4);
    unsigned char *bytes = (unsigned char *)malloc((size_t)expected + 2);
    z_stream stream = {.next_in = gzip, .avail_in = (uInt)length, .next_out = bytes, .avail_out = (uInt)expected + 1};
    assert_int_equal(inflateInit2(&stream, 15 + 16), Z_OK);
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(stream.total_out, expected);
    inflateEnd(&stream);
    free(gzip);
    bytes[expected] = '\0';
    *size = expected;
    return bytes;
}

/* A block's bytes, which the caller frees; NULL if there is none. */
static inline unsigned char *unpack_block(const char *page, int part, const char *name, const char *type, size_t *size)
{
    char tag[256];
    snprintf(tag, sizeof tag,
             "<script type=\"text/plain\" class=\"block\" data-part=\"%d\" data-name=\"%s\" data-type=\"%s\">", part,
             name, type);
    const char *at = strstr(page, tag);
    return at == NULL ? NULL : unpack_text(at + strlen(tag), size);
}

/* NULL if there is no such block; else good JSON. */
static inline json_t *unpack_json(const char *page, int part, const char *name)
{
    size_t size;
    char *text = (char *)unpack_block(page, part, name, "json", &size);
    if (text == NULL) return NULL;
    json_error_t problem;
    json_t *json = json_loadb(text, size, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &problem);
    if (json == NULL) fail_msg("%s: %s", name, problem.text);
    free(text);
    return json;
}

/* An array of `count` items, which the caller frees; it must exist. */
static inline void *unpack_array(const char *page, int part, const char *name, const char *type, size_t item,
                                 int64_t count)
{
    size_t size = 0;
    void *items = unpack_block(page, part, name, type, &size);
    if (items == NULL) fail_msg("there is no block %s of %s", name, type);
    if (size != item * (size_t)count) fail_msg("%s has %zu bytes, expected %zu", name, size, item * (size_t)count);
    return items;
}

#endif
