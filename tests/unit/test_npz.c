/* SPDX-License-Identifier: MIT */
/* Reading .npz archives, honest and hostile. */
#include "support/outcome.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/archive.h"
#include "support/zip_maker.h"

/* ---- reading archives ---- */

static const char one_dictionary[] = "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }\n";
static const uint8_t one_items[] = {1, 0, 0, 0, 2, 0, 0, 0, 0xff, 0xff, 0xff, 0xff};

static zip_bytes one_array(void)
{
    return npy_make(one_dictionary, one_items, sizeof one_items);
}

/* Opens the archive and reads array `name` as int32. */
static crd_status read_array(const zip_bytes *archive, const char *name, int32_t **items, crd_error *error)
{
    crd_archive *bag;
    crd_npy npy;
    crd_source *source = NULL;
    *items = NULL;
    crd_status status = crd_archive_open_memory(archive->bytes, archive->size, "x.npz", &bag, error);
    if (status == CRD_OK) status = crd_archive_array(bag, name, &npy, &source, error);
    if (status == CRD_OK) status = crd_npy_read(source, &npy, CRD_NPY_I4, items, error);
    crd_source_free(&source);
    crd_archive_free(&bag);
    assert_null(bag);
    return status;
}

static void stored_and_deflated(void **state)
{
    (void)state;
    zip_bytes npy = one_array();
    const zip_member members[] = {{.name = "z.npy", .data = npy.bytes, .size = npy.size},
                                  {.name = "readme.txt", .data = "hello", .size = 5},
                                  {.name = "a.b.npy", .data = npy.bytes, .size = npy.size, .deflate = true},
                                  {.name = ".npy", .data = "", .size = 0}};
    zip_bytes archive = zip_make(members, 4);
    crd_archive *bag;
    crd_error error;
    assert_ok(crd_archive_open_memory(archive.bytes, archive.size, "x.npz", &bag, &error));
    assert_string_equal(crd_archive_name(bag), "x.npz");
    assert_int_equal(crd_archive_count(bag), 2);
    assert_string_equal(crd_archive_array_name(bag, 0), "a.b");
    assert_string_equal(crd_archive_array_name(bag, 1), "z");
    assert_null(crd_archive_array_name(bag, 2));
    assert_null(crd_archive_array_name(bag, -1));
    assert_true(crd_archive_has(bag, "z") && crd_archive_has(bag, "a.b"));
    assert_false(crd_archive_has(bag, "readme") || crd_archive_has(bag, "a") || crd_archive_has(bag, ""));
    /* Both at once, read alternately. */
    crd_npy npys[2];
    crd_source *sources[2];
    assert_ok(crd_archive_array(bag, "z", &npys[0], &sources[0], &error));
    assert_ok(crd_archive_array(bag, "a.b", &npys[1], &sources[1], &error));
    assert_string_equal(crd_source_name(sources[1]), "x.npz:a.b");
    for (int i = 0; i < 2; i++) {
        int32_t *items;
        assert_int_equal(npys[i].count, 3);
        assert_ok(crd_npy_read(sources[i], &npys[i], CRD_NPY_I4, &items, &error));
        assert_true(items[0] == 1 && items[1] == 2 && items[2] == -1);
        free(items);
        crd_source_free(&sources[i]);
    }
    assert_fails(crd_archive_array(bag, "b", &npys[0], &sources[0], &error), CRD_ERROR_FORMAT,
                 "x.npz: has no array named 'b'");
    assert_null(sources[0]);
    crd_archive_free(&bag);
    free(archive.bytes);
    free(npy.bytes);
}

static void members_that_are_refused(void **state)
{
    (void)state;
    zip_bytes npy = one_array();
    zip_member member = {.name = "a.npy", .data = npy.bytes, .size = npy.size};
    static const struct {
        bool deflate;
        uint16_t flags, method;
        uint32_t wrong_crc, claimed_size;
        const char *message;
    } bad[] = {
        {false, 1, 0, 0, 0, "x.npz:a: is encrypted, expected a plain archive"},
        {true, 1, 0, 0, 0, "x.npz:a: is encrypted"},
        {true, 0, 14, 0, 0, "x.npz:a: is packed by method 14, expected 0 (stored) or 8 (deflate)"},
        {false, 0, 0, 0x80, 0, "x.npz:a: is damaged: its checksum (CRC-32) is "},
        {true, 0, 0, 1, 0, "x.npz:a: is damaged: its checksum (CRC-32) is "},
        {true, 0, 0, 0, 3u << 30, "x.npz:a: announces 3221225472 bytes in an archive of"},
        {true, 0, 0, 0, 75, "x.npz:a: unpacks to more bytes than the archive's directory announces"},
        {true, 0, 0, 0, 85, "x.npz:a: unpacks to fewer bytes than the archive's directory announces"},
        {false, 0, 0, 0, 75, "x.npz:a: the archive's directory announces 75 bytes, but 80 are stored"},
        {false, 0, 8, 0, 0, "x.npz:a: unpacks to fewer bytes"}, /* not deflated at all */
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        crd_error error;
        int32_t *items;
        member.deflate = bad[i].deflate;
        member.flags = bad[i].flags;
        member.method = bad[i].method;
        member.wrong_crc = bad[i].wrong_crc;
        member.claimed_size = bad[i].claimed_size;
        zip_bytes archive = zip_make(&member, 1);
        assert_fails(read_array(&archive, "a", &items, &error), CRD_ERROR_FORMAT, bad[i].message);
        assert_null(items);
        free(archive.bytes);
    }
    free(npy.bytes);
}

/* 4 MiB of zeros in a few kilobytes, with a directory that says 200 bytes: reading stops there, whatever the
 * array's own header says. */
static void bombs_are_stopped_early(void **state)
{
    (void)state;
    enum { ITEMS = 4 << 20 };
    uint8_t *zeros = calloc(1, ITEMS);
    zip_bytes npy = npy_make("{'descr': '|i1', 'fortran_order': False, 'shape': (4194304,), }", zeros, ITEMS);
    zip_member member = {.name = "a.npy", .data = npy.bytes, .size = npy.size, .deflate = true};
    int32_t *items;
    crd_error error;
    zip_bytes archive = zip_make(&member, 1);
    assert_true(archive.size < 16384);
    assert_ok(read_array(&archive, "a", &items, &error)); /* small enough for any machine */
    free(items);
    free(archive.bytes);
    member.claimed_size = 200;
    archive = zip_make(&member, 1);
    assert_fails(read_array(&archive, "a", &items, &error), CRD_ERROR_FORMAT, "unpacks to more bytes");
    free(archive.bytes);
    free(npy.bytes);
    free(zeros);
}

/* An array of which only the header exists; the directory claims that the items do, too. */
static zip_member announced(const char *name, const char *descr, const char *shape, uint32_t bytes, zip_bytes *npy)
{
    char dictionary[128];
    snprintf(dictionary, sizeof dictionary, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, shape);
    *npy = npy_make(dictionary, NULL, 0);
    return (zip_member){.name = name,
                        .data = npy->bytes,
                        .size = npy->size,
                        .deflate = true,
                        .claimed_size = (uint32_t)npy->size + bytes};
}

static void memory_of_items_is_counted(void **state)
{
    (void)state;
    static const struct {
        const char *descr, *shape, *message; /* NULL: it is fine */
        uint32_t bytes;
    } arrays[] = {
        {"<f4", "8000, 8000", NULL, 256000000}, /* one-hot features: 256 MB and 32 bytes a node */
        {"<f4", "8200, 8200", "x.npz:a: announces 268960", 268960000},
        {"|u1", "8200, 8200", "x.npz:a: uint8[8200,8200] would take the memory of this data to 269 MB, which",
         67240000}, /* a byte becomes a float */
        {"<i8", "170000,", NULL, 1360000},
        {"<f4", "1000000, 64", "x.npz:a: float32[1000000,64] would take the memory of this data to 288 MB", 256000000},
        {"|S1", "2000000,", NULL, 2000000},
        {"|S1", "4000000,", "x.npz:a: bytes[4000000] would take the memory of this data to 388 MB", 4000000},
        {"<U1", "4000000,", "x.npz:a: text[4000000] would take", 16000000},
        {"|u1", "200000000,", "x.npz:a: uint8[200000000] would take the memory of this data to 7200 MB", 200000000},
        {"|u1", "2, 100000000", "x.npz:a: uint8[2,100000000] would take the memory of this data to 4000 MB", 200000000},
        {"|u1", "999999999999999999,", "x.npz:a: uint8[999999999999999999] would take", 9},
    };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        zip_bytes npy;
        zip_member member = announced("a.npy", arrays[i].descr, arrays[i].shape, arrays[i].bytes, &npy);
        zip_bytes archive = zip_make(&member, 1);
        crd_archive *bag;
        crd_npy found;
        crd_source *source;
        crd_error error;
        assert_ok(crd_archive_open_memory(archive.bytes, archive.size, "x.npz", &bag, &error));
        crd_status status = crd_archive_array(bag, "a", &found, &source, &error);
        if (arrays[i].message == NULL) assert_ok(status);
        else assert_fails(status, CRD_ERROR_FORMAT, arrays[i].message);
        crd_source_free(&source);
        crd_archive_free(&bag);
        free(archive.bytes);
        free(npy.bytes);
    }
}

/* Arrays that are small enough one by one may be a bomb together; reading the same one again does not count. */
static void memory_of_all_arrays_is_counted(void **state)
{
    (void)state;
    zip_bytes npy[3];
    const zip_member members[] = {announced("a.npy", "|u1", "3000000,", 3000000, &npy[0]),
                                  announced("b.npy", "|u1", "3000000,", 3000000, &npy[1]),
                                  announced("c.npy", "|u1", "3000000,", 3000000, &npy[2])};
    static const char *const names[] = {"a", "b", "a", "b", "c"};
    zip_bytes archive = zip_make(members, 3);
    crd_archive *bag;
    crd_error error;
    assert_ok(crd_archive_open_memory(archive.bytes, archive.size, "x.npz", &bag, &error));
    for (int i = 0; i < 5; i++) {
        crd_npy found;
        crd_source *source;
        crd_status status = crd_archive_array(bag, names[i], &found, &source, &error);
        if (i < 4) assert_ok(status);
        else
            assert_fails(status, CRD_ERROR_FORMAT,
                         "x.npz:c: uint8[3000000] would take the memory of this data to 324 MB, which is out "
                         "of all proportion to its ");
        crd_source_free(&source);
    }
    crd_archive_free(&bag);
    free(archive.bytes);
    for (int i = 0; i < 3; i++) free(npy[i].bytes);
}

static void archives_that_are_none(void **state)
{
    (void)state;
    crd_error error;
    crd_archive *bag;
    zip_bytes npy = one_array();
    zip_member members[] = {{.name = "a.npy", .data = npy.bytes, .size = npy.size},
                            {.name = "a.npy", .data = npy.bytes, .size = npy.size}};
    assert_fails(crd_archive_open_memory("", 0, "x.npz", &bag, &error), CRD_ERROR_FORMAT, "x.npz: is empty");
    assert_fails(crd_archive_open_memory(NULL, 0, "x.npz", &bag, &error), CRD_ERROR_FORMAT, "x.npz: is empty");
    assert_fails(crd_archive_open_memory("PK\3\4 and then nothing of the kind", 34, "x.npz", &bag, &error),
                 CRD_ERROR_FORMAT,
                 "x.npz: cannot open as a zip archive (.npz): its end is missing; perhaps it is cut off");
    assert_null(bag);
    zip_bytes archive = zip_make(members, 2);
    assert_fails(crd_archive_open_memory(archive.bytes, archive.size, "x.npz", &bag, &error), CRD_ERROR_FORMAT,
                 "x.npz: holds two arrays named 'a'");
    assert_null(bag);
    free(archive.bytes);
    /* Cut off anywhere, it is an error and nothing worse. */
    members[1].name = "b.npy";
    archive = zip_make(members, 2);
    for (size_t cut = 0; cut < archive.size; cut++) {
        zip_bytes part = {archive.bytes, cut, 0};
        int32_t *items;
        assert_int_equal(read_array(&part, "b", &items, &error), CRD_ERROR_FORMAT);
        assert_null(items);
    }
    /* So is any wrong byte; if it does not matter, the array is still the same. */
    for (size_t i = 0; i < archive.size; i++) {
        int32_t *items;
        archive.bytes[i] ^= 0x20;
        crd_status status = read_array(&archive, "b", &items, &error);
        if (status == CRD_OK) assert_true(items[0] == 1 && items[1] == 2 && items[2] == -1);
        else assert_int_equal(status, CRD_ERROR_FORMAT);
        free(items);
        archive.bytes[i] ^= 0x20;
    }
    free(archive.bytes);
    free(npy.bytes);
    assert_fails(crd_archive_open("/tmp/no/such.npz", &bag, &error), CRD_ERROR_IO,
                 "/tmp/no/such.npz: cannot open: its folder does not exist");
}

/* A directory of 2^60 entries, as zip64 can announce: no memory may be allocated for them. */
static void directories_that_lie(void **state)
{
    (void)state;
    zip_bytes archive = {NULL, 0, 0};
    zip_add(&archive, "PK\x06\x06", 4);
    zip_number(&archive, 8, 44);
    zip_number(&archive, 2, 45);
    zip_number(&archive, 2, 45);
    zip_number(&archive, 8, 0);                 /* disks */
    zip_number(&archive, 8, UINT64_C(1) << 60); /* entries */
    zip_number(&archive, 8, UINT64_C(1) << 60);
    zip_number(&archive, 8, 0); /* the directory's size and place */
    zip_number(&archive, 8, 0);
    zip_add(&archive, "PK\x06\x07", 4);
    zip_number(&archive, 4, 0);
    zip_number(&archive, 8, 0);
    zip_number(&archive, 4, 1);
    zip_add(&archive, "PK\x05\x06\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0", 22);
    crd_archive *bag;
    crd_error error;
    crd_status status = crd_archive_open_memory(archive.bytes, archive.size, "x.npz", &bag, &error);
    assert_fails(status, CRD_ERROR_FORMAT, "x.npz: cannot open as a zip archive");
    assert_null(bag);
    free(archive.bytes);
}

/* ---- real data ---- */

static crd_archive *open_dataset(const char *name)
{
    static const char *const places[] = {"../shared/datasets", "../../shared/datasets", "../../../shared/datasets"};
    char path[1024];
    crd_archive *bag = NULL;
    const char *own = getenv("CREDENCE_DATA");
    if (own != NULL) {
        snprintf(path, sizeof path, "%s/%s", own, name);
        if (access(path, R_OK) == 0) assert_ok(crd_archive_open(path, &bag, NULL));
    }
    for (int i = 0; i < 3 && bag == NULL; i++) {
        snprintf(path, sizeof path, "%s/%s", places[i], name);
        if (access(path, R_OK) == 0) assert_ok(crd_archive_open(path, &bag, NULL));
    }
    if (bag == NULL) {
        print_message("skipped: %s is not here (set CREDENCE_DATA to the folder of the datasets)\n", name);
        skip();
    }
    return bag;
}

static void cora_ml(void **state)
{
    (void)state;
    crd_archive *bag = open_dataset("cora_ml.npz");
    crd_npy npy;
    crd_source *source;
    int64_t *longs, sum = 0;
    float *floats;
    char **names;
    assert_int_equal(crd_archive_count(bag), 12);
    assert_ok(crd_archive_array(bag, "adj_indices", &npy, &source, NULL));
    assert_true(npy.kind == CRD_NPY_INT && npy.item_size == 4 && npy.count == 8416);
    assert_ok(crd_npy_read(source, &npy, CRD_NPY_I8, &longs, NULL));
    for (int i = 0; i < 8416; i++) sum += longs[i];
    assert_int_equal(sum, 12268607);
    free(longs);
    crd_source_free(&source);
    assert_ok(crd_archive_array(bag, "attr_data", &npy, &source, NULL));
    assert_ok(crd_npy_read(source, &npy, CRD_NPY_F4, &floats, NULL));
    double total = 0.0;
    for (int i = 0; i < 151171; i++) total += floats[i];
    assert_true(total > 17938.8063 && total < 17938.8064);
    free(floats);
    crd_source_free(&source);
    assert_ok(crd_archive_array(bag, "class_names", &npy, &source, NULL));
    assert_ok(crd_npy_read(source, &npy, CRD_NPY_TEXT, &names, NULL));
    assert_int_equal(npy.count, 7);
    assert_string_equal(names[6], "Artificial_Intelligence/Machine_Learning/Reinforcement_Learning");
    crd_strings_free(&names, 7);
    crd_source_free(&source);
    crd_archive_free(&bag);
}

/* Deflated, and one array of pickled objects among the rest. */
static void coauthor_cs(void **state)
{
    (void)state;
    crd_archive *bag = open_dataset("coauthor_cs.npz");
    crd_npy npy;
    crd_source *source;
    int32_t *ints;
    assert_ok(crd_archive_array(bag, "class_names", &npy, &source, NULL));
    assert_int_equal(npy.kind, CRD_NPY_OBJECT);
    crd_source_free(&source);
    assert_ok(crd_archive_array(bag, "adj_indptr", &npy, &source, NULL));
    assert_ok(crd_npy_read(source, &npy, CRD_NPY_I4, &ints, NULL));
    assert_int_equal(npy.count, 18334);
    assert_int_equal(ints[18333], 163788);
    free(ints);
    crd_source_free(&source);
    crd_archive_free(&bag);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stored_and_deflated),
        cmocka_unit_test(members_that_are_refused),
        cmocka_unit_test(bombs_are_stopped_early),
        cmocka_unit_test(memory_of_items_is_counted),
        cmocka_unit_test(memory_of_all_arrays_is_counted),
        cmocka_unit_test(archives_that_are_none),
        cmocka_unit_test(directories_that_lie),
        cmocka_unit_test(cora_ml),
        cmocka_unit_test(coauthor_cs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
