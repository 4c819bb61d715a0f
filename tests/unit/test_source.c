/* SPDX-License-Identifier: MIT */
/* Sources: every way to read, gzip in all its conditions, lines at the edges of the buffer. */
#include "support/outcome.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "io/source.h"

enum { BUFFER = 65536 }; /* as in source.c: the edge to test around */

/* One gzip member. */
static size_t gzip(const void *bytes, size_t size, uint8_t *packed, size_t room)
{
    z_stream stream = {0};
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = (Bytef *)bytes;
    stream.avail_in = (uInt)size;
    stream.next_out = packed;
    stream.avail_out = (uInt)room;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    deflateEnd(&stream);
    return room - stream.avail_out;
}

static crd_source *from_memory(const void *bytes, size_t size)
{
    crd_source *source = NULL;
    assert_ok(crd_source_memory(bytes, size, "bytes", &source, NULL));
    return source;
}

static void reads_peeks_and_ends(void **state)
{
    (void)state;
    crd_error error;
    crd_source *source = from_memory("abcdefgh", 8);
    const uint8_t *seen;
    size_t got;
    uint8_t bytes[16];
    assert_string_equal(crd_source_name(source), "bytes");
    assert_ok(crd_source_peek(source, 3, &seen, &got, &error));
    assert_int_equal(got, 3);
    assert_memory_equal(seen, "abc", 3);
    assert_ok(crd_source_read(source, bytes, 2, &got, &error));
    assert_int_equal(got, 2);
    assert_ok(crd_source_peek(source, 100, &seen, &got, &error));
    assert_int_equal(got, 6);
    assert_memory_equal(seen, "cdefgh", 6);
    assert_ok(crd_source_read_exactly(source, bytes, 4, &error));
    assert_memory_equal(bytes, "cdef", 4);
    assert_fails(crd_source_read_exactly(source, bytes, 3, &error), CRD_ERROR_FORMAT,
                 "bytes: is cut off (3 more bytes were expected, 2 are there)");
    assert_ok(crd_source_read(source, bytes, 5, &got, &error));
    assert_int_equal(got, 0);
    crd_source_free(&source);
    assert_null(source);
    crd_source_free(&source);

    source = from_memory(NULL, 0);
    assert_ok(crd_source_peek(source, 4, &seen, &got, &error));
    assert_int_equal(got, 0);
    uint8_t *all;
    assert_ok(crd_source_read_all(source, &all, &got, &error));
    assert_non_null(all);
    assert_int_equal(got, 0);
    free(all);
    crd_source_free(&source);
}

static uint8_t pattern(size_t i)
{
    return (uint8_t)(i * 31 + i / 251);
}

/* Reads of all sizes around that of the buffer give the same bytes as the memory behind them. */
static void mixed_reads_agree(void **state)
{
    (void)state;
    static uint8_t plain[5 * BUFFER + 17], packed[6 * BUFFER], got[sizeof plain];
    static const size_t sizes[] = {1, 4095, BUFFER - 1, BUFFER, BUFFER + 1, 7, 3 * BUFFER};
    for (size_t i = 0; i < sizeof plain; i++) plain[i] = pattern(i);
    size_t packed_size = gzip(plain, sizeof plain, packed, sizeof packed);
    for (int zipped = 0; zipped <= 1; zipped++) {
        crd_source *source = zipped ? from_memory(packed, packed_size) : from_memory(plain, sizeof plain);
        size_t done = 0, part = 1;
        for (int k = 0; part > 0; k++) {
            const uint8_t *seen;
            size_t ahead;
            assert_ok(crd_source_peek(source, 4096, &seen, &ahead, NULL));
            assert_int_equal(ahead, sizeof plain - done < 4096 ? sizeof plain - done : 4096);
            assert_memory_equal(seen, plain + done, ahead);
            assert_ok(crd_source_read(source, got + done,
                                      sizes[k % 7] < sizeof plain - done ? sizes[k % 7] : sizeof plain - done, &part,
                                      NULL));
            done += part;
        }
        assert_int_equal(done, sizeof plain);
        assert_memory_equal(got, plain, sizeof plain);
        crd_source_free(&source);

        source = zipped ? from_memory(packed, packed_size) : from_memory(plain, sizeof plain);
        uint8_t *all;
        size_t size;
        assert_ok(crd_source_read_all(source, &all, &size, NULL));
        assert_int_equal(size, sizeof plain);
        assert_memory_equal(all, plain, size);
        free(all);
        crd_source_free(&source);
    }
}

static crd_status read_whole(const uint8_t *bytes, size_t size, uint8_t **all, size_t *count, crd_error *error)
{
    crd_source *source;
    *all = NULL;
    crd_status status = crd_source_memory(bytes, size, "x.gz", &source, error);
    if (status == CRD_OK) status = crd_source_read_all(source, all, count, error);
    crd_source_free(&source);
    return status;
}

static void gzip_members_follow_each_other(void **state)
{
    (void)state;
    uint8_t packed[256] = {0}, *all;
    size_t first = gzip("one,", 4, packed, 100), count;
    size_t second = gzip("", 0, packed + first, 60), third = gzip("two", 3, packed + first + second, 60);
    size_t size = first + second + third;
    assert_ok(read_whole(packed, size, &all, &count, NULL));
    assert_int_equal(count, 7);
    assert_memory_equal(all, "one,two", 7);
    free(all);
    /* Trailing zeros are padding. */
    assert_ok(read_whole(packed, size + 20, &all, &count, NULL));
    assert_int_equal(count, 7);
    free(all);
    crd_error error;
    packed[size + 5] = 'x';
    assert_fails(read_whole(packed, size + 20, &all, &count, &error), CRD_ERROR_FORMAT,
                 "x.gz: the gzip data are "
                 "followed by bytes");
    assert_null(all);
    packed[size] = 0x1f; /* something like a member, but not one */
    assert_fails(read_whole(packed, size + 20, &all, &count, &error), CRD_ERROR_FORMAT, "damaged");
}

static void broken_gzip_is_told(void **state)
{
    (void)state;
    static const char text[] = "node,label\n0,theory\n1,practice\n2,theory\n";
    uint8_t packed[256], *all;
    crd_error error;
    size_t size = gzip(text, sizeof text - 1, packed, sizeof packed), count;
    for (size_t cut = 3; cut < size; cut++)
        assert_fails(read_whole(packed, cut, &all, &count, &error), CRD_ERROR_FORMAT,
                     "x.gz: the gzip data are cut off");
    for (size_t i = size - 8; i < size; i++) { /* checksum, then length */
        packed[i] ^= 1;
        assert_fails(read_whole(packed, size, &all, &count, &error), CRD_ERROR_FORMAT,
                     i < size - 4 ? "damaged (incorrect data check)" : "damaged (incorrect length check)");
        packed[i] ^= 1;
    }
    assert_int_equal(read_whole(packed, size - 1, &all, &count, NULL), CRD_ERROR_FORMAT);
    /* Two bytes are too short for gzip: they are plain data. */
    assert_ok(read_whole(packed, 2, &all, &count, &error));
    assert_int_equal(count, 2);
    free(all);
}

/* 300 members of a mebibyte of zeros each. */
static void gzip_bomb_is_refused(void **state)
{
    (void)state;
    enum { MEMBERS = 24, MEBIBYTE = 1 << 20, ROOM = 2048 };
    uint8_t *zeros = calloc(1, MEBIBYTE), *bomb = malloc(MEMBERS * ROOM), *chunk = malloc(MEBIBYTE);
    size_t one = gzip(zeros, MEBIBYTE, bomb, ROOM), got;
    for (size_t i = 1; i < MEMBERS; i++) memcpy(bomb + i * one, bomb, one);
    crd_error error;
    crd_source *source = from_memory(bomb, MEMBERS * one);
    crd_status status;
    int64_t total = 0;
    do {
        status = crd_source_read(source, chunk, MEBIBYTE, &got, &error);
        if (status == CRD_OK) total += (int64_t)got;
    } while (status == CRD_OK && got > 0);
    assert_fails(status, CRD_ERROR_FORMAT, "out of all proportion");
    assert_true(total <= CRD_BOMB_SIZE && total > CRD_BOMB_SIZE - 2 * MEBIBYTE);
    crd_source_free(&source);
    /* Half as much is accepted. */
    source = from_memory(bomb, MEMBERS / 2 * one);
    for (total = 0; total < MEMBERS / 2 * (int64_t)MEBIBYTE; total += MEBIBYTE)
        assert_ok(crd_source_read_exactly(source, chunk, MEBIBYTE, NULL));
    crd_source_free(&source);
    free(zeros);
    free(bomb);
    free(chunk);
}

static void expect_line(crd_source *source, const char *expected, int64_t number)
{
    char *line;
    size_t length;
    assert_ok(crd_source_line(source, &line, &length, NULL));
    if (expected == NULL) {
        assert_null(line);
    } else {
        assert_non_null(line);
        assert_string_equal(line, expected);
        assert_int_equal(length, strlen(expected));
    }
    assert_int_equal(crd_source_line_number(source), number);
}

static void lines(void **state)
{
    (void)state;
    static const char text[] = "\xef\xbb\xbf"
                               "a,b\r\n\n\r\nc\r\r\n\xef\xbb\xbf\nlast\r";
    crd_source *source = from_memory(text, sizeof text - 1);
    expect_line(source, "a,b", 1);
    expect_line(source, "", 2);
    expect_line(source, "", 3);
    expect_line(source, "c", 4);
    expect_line(source, "\xef\xbb\xbf", 5); /* a mark is a mark at the start only */
    expect_line(source, "last", 6);
    expect_line(source, NULL, 6);
    expect_line(source, NULL, 6);
    crd_source_free(&source);

    source = from_memory("", 0);
    expect_line(source, NULL, 0);
    crd_source_free(&source);

    crd_error error;
    char *line;
    size_t length;
    source = from_memory("ok\na\0b\nc\n", 9);
    expect_line(source, "ok", 1);
    assert_fails(crd_source_line(source, &line, &length, &error), CRD_ERROR_FORMAT, "bytes: line 2: holds a NUL byte");
    assert_null(line);
    crd_source_free(&source);

    /* If only CR ended lines, everything would be one line. */
    source = from_memory("0,1\r1,2\r", 8);
    assert_fails(crd_source_line(source, &line, &length, &error), CRD_ERROR_FORMAT,
                 "bytes: line 1: holds a carriage return that ends no line");
    assert_null(line);
    crd_source_free(&source);
}

/* Lines that end on, before and after the edge of the buffer, with either line ending. */
static void lines_across_the_buffer(void **state)
{
    (void)state;
    static char text[2 * BUFFER + 64], expected[BUFFER + 16];
    for (int windows = 0; windows <= 1; windows++) {
        for (size_t first = BUFFER - 4; first <= BUFFER + 3; first++) {
            size_t size = 0;
            memset(text, 'x', first);
            size += first;
            if (windows) text[size++] = '\r';
            text[size++] = '\n';
            memcpy(text + size, "second\n", 7);
            size += 7;
            memset(text + size, 'y', BUFFER - 3);
            size += BUFFER - 3;
            crd_source *source = from_memory(text, size);
            memset(expected, 'x', first);
            expected[first] = '\0';
            expect_line(source, expected, 1);
            expect_line(source, "second", 2);
            memset(expected, 'y', BUFFER - 3);
            expected[BUFFER - 3] = '\0';
            expect_line(source, expected, 3);
            expect_line(source, NULL, 3);
            crd_source_free(&source);
        }
    }
}

static void lines_and_bytes_mix(void **state)
{
    (void)state;
    crd_source *source = from_memory("head\nabcd\ntail", 14);
    uint8_t bytes[3];
    expect_line(source, "head", 1);
    assert_ok(crd_source_read_exactly(source, bytes, 3, NULL));
    assert_memory_equal(bytes, "abc", 3);
    expect_line(source, "d", 2);
    expect_line(source, "tail", 3);
    crd_source_free(&source);
}

static void files(void **state)
{
    (void)state;
    crd_error error;
    crd_source *source;
    char path[] = "/tmp/credence_source_XXXXXX";
    int descriptor = mkstemp(path);
    uint8_t packed[64];
    size_t size = gzip("plain\n", 6, packed, sizeof packed);
    assert_int_equal(write(descriptor, packed, size), size);
    assert_ok(crd_source_open(path, &source, &error));
    assert_string_equal(crd_source_name(source), path);
    expect_line(source, "plain", 1);
    expect_line(source, NULL, 1);
    crd_source_free(&source);

    /* Standard input, which stays open. */
    int saved = dup(STDIN_FILENO);
    lseek(descriptor, 0, SEEK_SET);
    assert_int_equal(dup2(descriptor, STDIN_FILENO), STDIN_FILENO);
    assert_ok(crd_source_open("-", &source, &error));
    assert_string_equal(crd_source_name(source), "standard input");
    expect_line(source, "plain", 1);
    crd_source_free(&source);
    assert_true(lseek(STDIN_FILENO, 0, SEEK_CUR) >= 0);
    if (saved >= 0) {
        dup2(saved, STDIN_FILENO);
        close(saved);
    }
    close(descriptor);
    unlink(path);

    assert_fails(crd_source_open(path, &source, &error), CRD_ERROR_IO, "cannot open: No such file");
    assert_non_null(strstr(error.message, path));
    assert_null(source);
    assert_fails(crd_source_open("/tmp", &source, &error), CRD_ERROR_IO, "/tmp: is a folder, expected a file");
    assert_null(source);
}

typedef struct {
    int reads, closes;
} failing;

static crd_status failing_read(void *state, void *buffer, size_t count, size_t *got, const char *name, crd_error *error)
{
    failing *f = state;
    (void)count;
    if (f->reads++ == 0) {
        memcpy(buffer, "\x1f\x8b\x08", 3); /* looks like gzip, but a custom source is left alone */
        *got = 3;
        return CRD_OK;
    }
    return crd_fail(error, CRD_ERROR_MISMATCH, "%s: broke", name);
}

static void failing_close(void *state)
{
    ((failing *)state)->closes++;
}

static void custom_sources(void **state)
{
    (void)state;
    static const crd_source_methods methods = {failing_read, failing_close};
    failing f = {0, 0};
    crd_error error;
    crd_source *source;
    uint8_t bytes[8];
    size_t got;
    assert_ok(crd_source_custom(&methods, &f, "own", &source, &error));
    assert_int_equal(f.reads, 0);
    assert_ok(crd_source_read(source, bytes, 3, &got, &error));
    assert_memory_equal(bytes, "\x1f\x8b\x08", 3);
    assert_fails(crd_source_read(source, bytes, 1, &got, &error), CRD_ERROR_MISMATCH, "own: broke");
    assert_int_equal(crd_source_read(source, bytes, 1, &got, NULL), CRD_ERROR_MISMATCH);
    uint8_t *all;
    assert_fails(crd_source_read_all(source, &all, &got, &error), CRD_ERROR_MISMATCH, "own: broke");
    assert_null(all);
    crd_source_free(&source);
    assert_int_equal(f.closes, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_peeks_and_ends),
        cmocka_unit_test(mixed_reads_agree),
        cmocka_unit_test(gzip_members_follow_each_other),
        cmocka_unit_test(broken_gzip_is_told),
        cmocka_unit_test(gzip_bomb_is_refused),
        cmocka_unit_test(lines),
        cmocka_unit_test(lines_across_the_buffer),
        cmocka_unit_test(lines_and_bytes_mix),
        cmocka_unit_test(files),
        cmocka_unit_test(custom_sources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
