/* SPDX-License-Identifier: MIT */
/* Zip archives: read and written as libzip does, however they are made; what contradicts itself is refused. */
#include "support/outcome.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ZIP_DISABLE_DEPRECATED /* its zip_add is not that of zip_maker.h */
#include <zip.h>

#include "io/zip.h"
#include "support/zip_maker.h"

static char folder[64], path[96];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/credence_zip_XXXXXX");
    if (mkdtemp(folder) == NULL) return 1;
    snprintf(path, sizeof path, "%s/x.zip", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

/* ---- contents to pack: nothing, a line, a mebibyte that packs well, and one that does not ---- */

enum { CONTENTS = 4, LARGE = 1 << 20 };
static struct {
    const char *name;
    uint8_t *bytes;
    size_t size;
} contents[CONTENTS] = {{"nothing", NULL, 0},
                        {"a folder/line.npy", NULL, 14},
                        {"z\xc3\xa9ros.npy", NULL, LARGE},
                        {"noise.npy", NULL, LARGE + 1}};

static int make_contents(void **state)
{
    (void)state;
    uint32_t noise = 1;
    for (int i = 0; i < CONTENTS; i++) {
        contents[i].bytes = calloc(1, contents[i].size + 1);
        if (contents[i].bytes == NULL) return 1;
    }
    memcpy(contents[1].bytes, "Hello, archive", 14);
    for (size_t i = 0; i < LARGE; i += 1000) contents[2].bytes[i] = (uint8_t)(i / 1000);
    for (size_t i = 0; i < contents[3].size; i++) {
        noise = noise * 1664525u + 1013904223u;
        contents[3].bytes[i] = (uint8_t)(noise >> 24);
    }
    return 0;
}

static int free_contents(void **state)
{
    (void)state;
    for (int i = 0; i < CONTENTS; i++) free(contents[i].bytes);
    return 0;
}

/* ---- reading ---- */

static void write_file(const zip_bytes *archive)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(archive->bytes, 1, archive->size, file), archive->size);
    fclose(file);
}

/* Reads a member into `bytes`, `step` bytes at a time. */
static crd_status read_member(const crd_zip *zip, int64_t index, size_t step, zip_bytes *bytes, crd_error *error)
{
    crd_zip_reader *reader;
    uint8_t *chunk = malloc(step);
    size_t got = 1;
    *bytes = (zip_bytes){NULL, 0, 0};
    crd_status status = crd_zip_reader_open(zip, index, "m", &reader, error);
    while (status == CRD_OK && got > 0) {
        status = crd_zip_read(reader, chunk, step, &got, "m", error);
        if (status == CRD_OK) zip_add(bytes, chunk, got);
    }
    crd_zip_reader_free(&reader);
    assert_null(reader);
    free(chunk);
    return status;
}

static void check_contents(const crd_zip *zip)
{
    crd_error error;
    static const size_t steps[] = {1000, 77777, 1 << 22};
    assert_int_equal(crd_zip_count(zip), CONTENTS);
    for (int i = 0; i < CONTENTS; i++) {
        assert_string_equal(crd_zip_name(zip, i), contents[i].name);
        assert_int_equal(crd_zip_announced(zip, i), contents[i].size);
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
            zip_bytes bytes;
            assert_ok(read_member(zip, i, steps[s], &bytes, &error));
            assert_int_equal(bytes.size, contents[i].size);
            if (bytes.size > 0) assert_memory_equal(bytes.bytes, contents[i].bytes, bytes.size);
            free(bytes.bytes);
        }
    }
}

/* The archive has the contents, in a file and in memory. */
static void check_archive(const zip_bytes *archive)
{
    crd_zip *zip;
    crd_error error;
    assert_ok(crd_zip_open_memory(archive->bytes, archive->size, "x.zip", &zip, &error));
    check_contents(zip);
    crd_zip_free(&zip);
    assert_null(zip);
    write_file(archive);
    assert_ok(crd_zip_open(path, &zip, &error));
    check_contents(zip);
    crd_zip_free(&zip);
}

/* Every honest way to write the same thing. */
static void every_form(void **state)
{
    (void)state;
    char longest[65536];
    memset(longest, 'c', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    const char *const comments[] = {"", "a comment", "with the PK\x05\x06 of an end in it, and more behind", longest};
    for (unsigned form = 0; form < 32; form++) {
        zip_member members[CONTENTS];
        for (int i = 0; i < CONTENTS; i++)
            members[i] = (zip_member){.name = contents[i].name,
                                      .data = contents[i].bytes,
                                      .size = contents[i].size,
                                      .deflate = form & 1,
                                      .descriptor = form >> 1 & 1,
                                      .zip64 = form >> 2 & 1,
                                      .zip64_in_directory = form >> 3 & 1};
        zip_bytes archive = zip_make_ending(members, CONTENTS, form >> 4 & 1, comments[form % 4]);
        check_archive(&archive);
        zip_add(&archive, "\0\0\0\0 what some transfers leave behind", 20);
        if (form % 4 != 3) check_archive(&archive);
        free(archive.bytes);
    }
}

/* A member behind 5 GiB that belong to nobody; the file is sparse. */
static void far_away(void **state)
{
    (void)state;
    const uint64_t far = UINT64_C(5) << 30;
    crd_zip *zip;
    crd_error error;
    zip_bytes bytes;
    zip_member member = {.name = "a", .data = "far away", .size = 8, .zip64_in_directory = true};
    zip_bytes archive = zip_make_ending(&member, 1, true, "");
    const size_t end64 = archive.size - 22 - 20 - 56, directory = end64 - (46 + 1 + 28);
    for (int i = 0; i < 8; i++) { /* everything is where it was, and 5 GiB further */
        archive.bytes[directory + 47 + 20 + (size_t)i] = (uint8_t)(far >> 8 * i);
        archive.bytes[end64 + 48 + (size_t)i] = (uint8_t)((directory + far) >> 8 * i);
        archive.bytes[end64 + 56 + 8 + (size_t)i] = (uint8_t)((end64 + far) >> 8 * i);
    }
    const int file = open(path, O_RDWR | O_CREAT, 0600);
    assert_true(file >= 0);
    const bool room = pwrite(file, archive.bytes, archive.size, (off_t)far) == (ssize_t)archive.size;
    close(file);
    free(archive.bytes);
    if (!room) {
        print_message("skipped: no file of 5 GiB can be made here\n");
        skip();
    }
    assert_ok(crd_zip_open(path, &zip, &error));
    assert_ok(read_member(zip, 0, 100, &bytes, &error));
    assert_int_equal(bytes.size, 8);
    assert_memory_equal(bytes.bytes, "far away", 8);
    free(bytes.bytes);
    /* Half of it goes while it is open. */
    assert_int_equal(truncate(path, (off_t)far + 4), 0);
    assert_fails(read_member(zip, 0, 100, &bytes, &error), CRD_ERROR_IO, "x.zip: has become shorter while it was read");
    crd_zip_free(&zip);
}

/* ---- lies ---- */

/* Two members of 5 bytes: headers at 0 and 36, the directory at 72 and 119, the end at 166. */
enum { FIRST = 0, SECOND = 36, RECORD_1 = 72, RECORD_2 = 119, END = 166, SIZE = 188 };
/* The same in ZIP64: headers at 0 and 56, records at 112 and 187, ZIP64's end at 262, its place at 318. */
enum { SECOND_64 = 56, RECORD_64 = 112, END_64 = 262, LOCATOR_64 = 318, LAST_64 = 338, SIZE_64 = 360 };

static void lies(void **state)
{
    (void)state;
#define OPEN "x.zip: cannot open as a zip archive (.npz): "
    static const struct {
        const char *message; /* of opening if it begins with "x.zip", else of reading the first member */
        bool zip64;
        uint16_t place, size;
        uint64_t value;
    } changes[] = {
        {OPEN "its end is missing; perhaps it is cut off", false, END, 4, 0},
        {OPEN "its end is missing", false, END + 20, 2, 1}, /* the comment is longer than the file */
        {OPEN "it is one part of several", false, END + 4, 2, 1},
        {OPEN "it is one part of several", false, END + 6, 2, 1},
        {OPEN "it is one part of several", false, END + 8, 2, 1},
        {OPEN "its end announces more members", false, END + 8, 4, 3 << 16 | 3},
        {OPEN "its directory holds more", false, END + 8, 4, 1 << 16 | 1},
        {OPEN "its directory is damaged", false, END + 12, 4, END - RECORD_1 - 1},
        {OPEN "its directory is not where", false, END + 12, 4, END - RECORD_1 + 1},
        {OPEN "its directory is not where", false, END + 16, 4, RECORD_1 + 1},
        {OPEN "its directory is not where", false, END + 16, 4, 0xfffffffe},
        {OPEN "its directory is not where", false, END + 16, 4, 0xffffffff}, /* there is no ZIP64 */
        {OPEN "its directory is damaged", false, END + 16, 4, RECORD_1 - 1},
        {OPEN "its directory is damaged", false, RECORD_1, 1, 'p'},
        {OPEN "its directory is damaged", false, RECORD_2, 1, 'p'},
        {OPEN "its directory is damaged", false, RECORD_2 + 28, 2, 60}, /* the name */
        {OPEN "its directory is damaged", false, RECORD_2 + 30, 2, 0xffff},
        {OPEN "its directory is damaged", false, RECORD_2 + 32, 2, 1},
        {OPEN "the name of a member holds a NUL byte", false, RECORD_1 + 46, 1, 0},
        {OPEN "two of its members overlap", false, RECORD_1 + 20, 4, 6},
        {OPEN "two of its members overlap", false, RECORD_2 + 42, 4, FIRST},
        {OPEN "two of its members overlap", false, RECORD_2 + 42, 4, SECOND - 1},
        {OPEN "two of its members overlap", false, RECORD_1 + 42, 4, SECOND},
        {OPEN "a member reaches into its directory", false, RECORD_2 + 20, 4, 6},
        {OPEN "a member reaches into its directory", false, RECORD_2 + 20, 4, 0xfffffffe},
        {OPEN "a member reaches into its directory", false, RECORD_2 + 42, 4, SECOND + 1},
        {OPEN "a member reaches into its directory", false, RECORD_2 + 42, 4, END},
        {OPEN "a member lacks its ZIP64 sizes", false, RECORD_1 + 20, 4, 0xffffffff},
        {"m: is not where the archive's directory says", false, FIRST, 1, 'p'},
        {"m: reaches into what follows it", false, FIRST + 28, 2, 1},
        {"m: reaches into what follows it", false, FIRST + 26, 2, 0xffff},
        {"m: has another name in the archive's directory than before its data", false, FIRST + 30, 1, 'c'},
        {"m: has another name", false, RECORD_1 + 46, 1, 'c'},
        {"m: has another encryption", false, FIRST + 6, 2, 1},
        {"m: has another method", false, FIRST + 8, 2, 8},
        {"m: has another checksum", false, FIRST + 14, 2, 1},
        {"m: has another size", false, FIRST + 18, 4, 4},
        {"m: has another size", false, FIRST + 22, 4, 4},
        {"m: has another size", false, FIRST + 18, 4, 0xffffffff},
        {"m: is encrypted, expected a plain archive", false, RECORD_1 + 8, 2, 1},
        {"m: is encrypted", false, RECORD_1 + 8, 2, 1 << 6},
        {"m: is packed by method 12, expected 0 (stored) or 8 (deflate)", false, RECORD_1 + 10, 2, 12},
        {"m: the archive's directory announces 4 bytes, but 5 are stored", false, RECORD_1 + 24, 4, 4},
        {"m: is damaged: its checksum (CRC-32) is 3610a686, expected ", false, RECORD_1 + 16, 0, 0},
        {"m: is damaged: its checksum (CRC-32) is ", false, FIRST + 31, 1, 'x'},
        {OPEN "its directory is not where", true, LOCATOR_64, 1, 'p'},
        {OPEN "it is one part of several", true, LOCATOR_64 + 4, 4, 1},
        {OPEN "it is one part of several", true, LOCATOR_64 + 16, 4, 2},
        {OPEN "the end of its directory is not there", true, LOCATOR_64 + 8, 8, END_64 + 1},
        {OPEN "the end of its directory is not there", true, LOCATOR_64 + 8, 8, UINT64_MAX},
        {OPEN "the end of its directory is damaged", true, LOCATOR_64 + 8, 8, END_64 - 1},
        {OPEN "the end of its directory is damaged", true, END_64 + 4, 8, 43},
        {OPEN "the end of its directory is damaged", true, END_64 + 4, 8, 45},
        {OPEN "the end of its directory is damaged", true, END_64 + 4, 8, UINT64_MAX},
        {OPEN "it is one part of several", true, END_64 + 16, 4, 1},
        {OPEN "it is one part of several", true, END_64 + 20, 4, 1},
        {OPEN "it is one part of several", true, END_64 + 24, 8, 1},
        {OPEN "its directory is not where", true, END_64 + 40, 8, END_64 - RECORD_64 + 1},
        {OPEN "its directory is not where", true, END_64 + 40, 8, UINT64_MAX},
        {OPEN "its directory is not where", true, END_64 + 48, 8, UINT64_MAX},
        {OPEN "its directory is not where", true, END_64 + 48, 8, INT64_MAX},
        {OPEN "its directory is damaged", true, END_64 + 48, 8, 0},
        {OPEN "the two ends of its directory contradict each other", true, LAST_64 + 8, 4, 3 << 16 | 3},
        {OPEN "the two ends of its directory contradict each other", true, LAST_64 + 12, 4, 1},
        {OPEN "the two ends of its directory contradict each other", true, LAST_64 + 16, 4, 1},
        {OPEN "a member lacks its ZIP64 sizes", true, RECORD_64 + 47, 2, 2},      /* another field */
        {OPEN "a member lacks its ZIP64 sizes", true, RECORD_64 + 47 + 2, 2, 16}, /* no room for the place */
        {OPEN "a member lacks its ZIP64 sizes", true, RECORD_64 + 47 + 2, 2, 23},
        {OPEN "a member lacks its ZIP64 sizes", true, RECORD_64 + 47 + 2, 2, 25},
        {OPEN "two of its members overlap", true, RECORD_64 + 47 + 12, 8, UINT64_MAX},
        {OPEN "two of its members overlap", true, RECORD_64 + 47 + 12, 8, INT64_MAX},
        {OPEN "a member reaches into its directory", true, RECORD_64 + 47 + 20, 8, UINT64_MAX},
        {OPEN "two of its members overlap", true, RECORD_64 + 47 + 20, 8, SECOND_64},
        {"m: the archive's directory announces 18446744073709551615 bytes", true, RECORD_64 + 47 + 4, 8, UINT64_MAX},
        {"m: has another size", true, 31, 2, 2},
        {"m: has another size", true, 31 + 4, 8, 4},
        {"m: has another size", true, 31 + 12, 8, 4},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        for (int in_file = 0; in_file <= 1; in_file++) {
            const bool zip64 = changes[i].zip64, opening = strncmp(changes[i].message, "x.zip", 5) == 0;
            const zip_member members[] = {
                {.name = "a", .data = "hello", .size = 5, .zip64 = zip64, .zip64_in_directory = zip64},
                {.name = "b", .data = "folks", .size = 5, .zip64 = zip64, .zip64_in_directory = zip64}};
            zip_bytes archive = zip_make_ending(members, 2, zip64, "");
            assert_int_equal(archive.size, zip64 ? SIZE_64 : SIZE);
            for (int b = 0; b < changes[i].size; b++)
                archive.bytes[changes[i].place + b] = (uint8_t)(changes[i].value >> 8 * b);
            if (changes[i].size == 0) /* the checksum is wrong in both places */
                archive.bytes[14] = archive.bytes[changes[i].place] ^= 1;
            if (in_file) write_file(&archive);
            crd_zip *zip = NULL;
            zip_bytes bytes = {NULL, 0, 0};
            crd_error error = {0};
            crd_status status = in_file ? crd_zip_open(path, &zip, &error)
                                        : crd_zip_open_memory(archive.bytes, archive.size, "x.zip", &zip, &error);
            if (opening != (status != CRD_OK)) print_error("change %zu: \"%s\"\n", i, error.message);
            assert_int_equal(opening, status != CRD_OK);
            if (status == CRD_OK) status = read_member(zip, 0, 3, &bytes, &error);
            const char *message = in_file && opening ? changes[i].message + 5 : changes[i].message;
            if (status != CRD_ERROR_FORMAT) print_error("change %zu\n", i);
            assert_fails(status, CRD_ERROR_FORMAT, message);
            crd_zip_free(&zip);
            free(bytes.bytes);
            free(archive.bytes);
        }
}

/* Deflated data that are not what the directory says. */
static void deflated_lies(void **state)
{
    (void)state;
    static const struct {
        const char *data; /* as if they were deflated */
        uint32_t size, claimed;
        const char *message;
    } bad[] = {
        {"\x07", 1, 5, "m: the deflated data are damaged (invalid block type)"},
        {"", 0, 5, "m: the deflated data are cut off (5 more bytes were expected)"},
        {"\x01\x05\x00\xfa\xffhel", 8, 5, "m: the deflated data are cut off"},
        {"\x00\x05\x00\xfa\xffhello", 10, 5,
         "m: the deflated data are cut off (0 more"}, /* the last block is missing */
        {"\x01\x05\x00\xfa\xffhello", 10, 4, "m: unpacks to more bytes"},
        {"\x01\x05\x00\xfa\xffhello", 10, 6, "m: unpacks to fewer bytes"},
        {"\x01\x05\x00\xfa\xffhello??", 12, 5, "m: ends 2 bytes before the archive's directory says"},
        {"\x01\x05\x00\xfa\xffhello", 10, 5, "m: is damaged: its checksum (CRC-32) is 3610a686, expected "},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (size_t step = 1; step <= 10; step += 3) {
            const zip_member member = {
                .name = "a", .data = bad[i].data, .size = bad[i].size, .method = 8, .claimed_size = bad[i].claimed};
            zip_bytes archive = zip_make(&member, 1), bytes;
            crd_zip *zip;
            crd_error error;
            assert_ok(crd_zip_open_memory(archive.bytes, archive.size, "x.zip", &zip, &error));
            assert_fails(read_member(zip, 0, step, &bytes, &error), CRD_ERROR_FORMAT, bad[i].message);
            assert_true(bytes.size <= bad[i].claimed);
            crd_zip_free(&zip);
            free(bytes.bytes);
            free(archive.bytes);
        }
}

/* ---- libzip reads what we write ---- */

static void write_contents(uint64_t limit, bool deflated)
{
    crd_zip_writer writer = {.limit = limit};
    crd_error error;
    assert_ok(crd_outfile_open(path, &writer.file, &error));
    for (int i = 0; i < CONTENTS; i++) {
        const size_t half = contents[i].size / 2;
        const crd_zip_part parts[] = {
            {contents[i].bytes, half}, {NULL, 0}, {contents[i].bytes + half, contents[i].size - half}};
        assert_ok(crd_zip_add(&writer, contents[i].name, parts, 3, deflated, &error));
    }
    assert_ok(crd_zip_finish(&writer, &error));
    assert_ok(crd_outfile_commit(&writer.file, &error));
    crd_zip_writer_free(&writer);
}

static zip_bytes read_file(void)
{
    zip_bytes bytes = {NULL, 0, 0};
    char chunk[4096];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    for (size_t got; (got = fread(chunk, 1, sizeof chunk, file)) > 0;) zip_add(&bytes, chunk, got);
    fclose(file);
    return bytes;
}

static void check_with_libzip(bool deflated)
{
    int code;
    zip_t *twin = zip_open(path, ZIP_RDONLY | ZIP_CHECKCONS, &code);
    assert_non_null(twin);
    assert_int_equal(zip_get_num_entries(twin, 0), CONTENTS);
    for (zip_uint64_t i = 0; i < CONTENTS; i++) {
        zip_stat_t facts;
        zip_uint8_t system;
        zip_uint32_t attributes;
        assert_int_equal(zip_stat_index(twin, i, 0, &facts), 0);
        assert_string_equal(zip_get_name(twin, i, ZIP_FL_ENC_STRICT), contents[i].name);
        assert_int_equal(facts.size, contents[i].size);
        assert_int_equal(facts.comp_method, deflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE);
        assert_int_equal(zip_file_get_external_attributes(twin, i, 0, &system, &attributes), 0);
        assert_int_equal(system, ZIP_OPSYS_UNIX);
        assert_int_equal(attributes >> 16, 0100666);
        uint8_t *bytes = malloc(facts.size + 1);
        zip_file_t *file = zip_fopen_index(twin, i, 0);
        assert_non_null(file);
        assert_int_equal(zip_fread(file, bytes, facts.size + 1), facts.size); /* checks the sum, too */
        if (facts.size > 0) assert_memory_equal(bytes, contents[i].bytes, facts.size);
        zip_fclose(file);
        free(bytes);
    }
    zip_discard(twin);
}

/* With small limits some or all numbers are in ZIP64's fields; the same content gives the same bytes. */
static void written_archives(void **state)
{
    (void)state;
    static const uint64_t limits[] = {CRD_ZIP_LIMIT, 0, 3, 14, 20, 1000, LARGE, LARGE + 1, LARGE + 2, 2 * LARGE};
    size_t smallest = SIZE_MAX;
    for (int deflated = 0; deflated <= 1; deflated++)
        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
            write_contents(limits[i], deflated);
            check_with_libzip(deflated);
            zip_bytes first = read_file();
            check_archive(&first);
            write_contents(limits[i], deflated);
            zip_bytes again = read_file();
            assert_int_equal(again.size, first.size);
            assert_memory_equal(again.bytes, first.bytes, first.size);
            if (i == 0) smallest = first.size;
            if (i == 1) /* three numbers in records, two in headers, and the end */
                assert_int_equal(first.size, smallest + CONTENTS * (28 + 20) + 56 + 20);
            assert_true(first.size >= smallest);
            free(first.bytes);
            free(again.bytes);
        }
}

/* More members than 16 bits can count. */
static void many_members(void **state)
{
    (void)state;
    for (int count = 65534; count <= 65536; count++) {
        crd_zip_writer writer = {.limit = CRD_ZIP_LIMIT};
        crd_error error;
        crd_zip *zip;
        assert_ok(crd_outfile_open(path, &writer.file, &error));
        for (int i = 0; i < count; i++) {
            char name[16];
            snprintf(name, sizeof name, "%d", i);
            const crd_zip_part part = {name, strlen(name)};
            assert_ok(crd_zip_add(&writer, name, &part, 1, false, &error));
        }
        assert_ok(crd_zip_finish(&writer, &error));
        assert_ok(crd_outfile_commit(&writer.file, &error));
        crd_zip_writer_free(&writer);
        assert_ok(crd_zip_open(path, &zip, &error));
        assert_int_equal(crd_zip_count(zip), count);
        zip_bytes bytes;
        assert_ok(read_member(zip, count - 1, 100, &bytes, &error));
        assert_memory_equal(bytes.bytes, crd_zip_name(zip, count - 1), bytes.size);
        free(bytes.bytes);
        crd_zip_free(&zip);
        zip_t *twin = zip_open(path, ZIP_RDONLY | ZIP_CHECKCONS, NULL);
        assert_non_null(twin);
        assert_int_equal(zip_get_num_entries(twin, 0), count);
        zip_discard(twin);
        bytes = read_file(); /* the number that is all ones would ask for ZIP64 */
        assert_int_equal(memcmp(bytes.bytes + bytes.size - 22 - 20, "PK\x06\x07", 4) == 0, count >= 65535);
        free(bytes.bytes);
    }
}

static void names_that_are_too_long(void **state)
{
    (void)state;
    crd_zip_writer writer = {.limit = CRD_ZIP_LIMIT};
    crd_error error;
    char *name = malloc(65537);
    memset(name, 'n', 65536);
    name[65536] = '\0';
    assert_ok(crd_outfile_open(path, &writer.file, &error));
    assert_fails(crd_zip_add(&writer, name, NULL, 0, false, &error), CRD_ERROR_ARGUMENT,
                 "no room for such a long name");
    assert_ok(crd_zip_add(&writer, name + 1, NULL, 0, true, &error));
    crd_outfile_discard(&writer.file);
    crd_zip_writer_free(&writer);
    free(name);
    assert_int_not_equal(access(path, F_OK), 0);
}

/* ---- we read what libzip writes ---- */

static void archives_of_libzip(void **state)
{
    (void)state;
    static const zip_int32_t methods[] = {ZIP_CM_STORE, ZIP_CM_DEFLATE};
    for (int form = 0; form < 4; form++) {
        zip_t *twin = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, NULL);
        assert_non_null(twin);
        for (int i = 0; i < CONTENTS; i++) {
            zip_source_t *source = zip_source_buffer(twin, contents[i].bytes, contents[i].size, 0);
            const zip_int64_t index = zip_file_add(twin, contents[i].name, source, ZIP_FL_ENC_UTF_8);
            assert_int_equal(index, i);
            assert_int_equal(zip_set_file_compression(twin, (zip_uint64_t)index, methods[form & 1], 0), 0);
            if (form & 2) assert_int_equal(zip_file_set_comment(twin, (zip_uint64_t)index, "of a member", 11, 0), 0);
        }
        if (form & 2) assert_int_equal(zip_set_archive_comment(twin, "of the archive", 14), 0);
        assert_int_equal(zip_close(twin), 0);
        zip_bytes archive = read_file();
        check_archive(&archive);
        free(archive.bytes);
    }
}

/* Of archives with one wrong byte, we take none that libzip refuses, and read what it reads. */
static void damaged_as_libzip(void **state)
{
    (void)state;
    for (unsigned form = 0; form < 8; form++) {
        const zip_member member = {.name = "a.npy",
                                   .data = "so many words, so many words",
                                   .size = 28,
                                   .deflate = form & 1,
                                   .zip64 = form >> 1 & 1,
                                   .descriptor = form >> 2 & 1};
        zip_bytes archive = zip_make_ending(&member, 1, form >> 1 & 1, "end");
        for (size_t i = 0; i < 8 * archive.size; i++) {
            archive.bytes[i / 8] ^= (uint8_t)(1u << i % 8);
            crd_zip *zip;
            crd_error error;
            zip_bytes ours = {NULL, 0, 0};
            crd_status status = crd_zip_open_memory(archive.bytes, archive.size, "x.zip", &zip, &error);
            const bool has_member = status == CRD_OK && crd_zip_count(zip) > 0;
            if (has_member) status = read_member(zip, 0, 64, &ours, &error);
            if (has_member && status == CRD_OK) {
                uint8_t theirs[64];
                zip_source_t *source = zip_source_buffer_create(archive.bytes, archive.size, 0, NULL);
                zip_t *twin = zip_open_from_source(source, ZIP_RDONLY, NULL);
                assert_non_null(twin);
                zip_file_t *file = zip_fopen_index(twin, 0, 0);
                assert_non_null(file);
                assert_int_equal(zip_fread(file, theirs, sizeof theirs), ours.size);
                assert_memory_equal(theirs, ours.bytes, ours.size);
                assert_memory_equal(member.data, ours.bytes, 28);
                zip_fclose(file);
                zip_discard(twin);
            }
            if (status != CRD_OK) assert_int_equal(status, CRD_ERROR_FORMAT);
            free(ours.bytes);
            crd_zip_free(&zip);
            archive.bytes[i / 8] ^= (uint8_t)(1u << i % 8);
        }
        free(archive.bytes);
    }
}

#define in_folder(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_folder(every_form),
        in_folder(far_away),
        in_folder(lies),
        in_folder(deflated_lies),
        in_folder(written_archives),
        in_folder(many_members),
        in_folder(names_that_are_too_long),
        in_folder(archives_of_libzip),
        in_folder(damaged_as_libzip),
    };
    return cmocka_run_group_tests(tests, make_contents, free_contents);
}
