/* SPDX-License-Identifier: MIT */
/* Writing archives and folders of arrays, whole or not at all. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "io/archive.h"
#include "io/folder.h"
#include "support/outcome.h"
#include "support/zip_maker.h"

/* ---- a temporary folder ---- */

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/credence_npz_XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static const char *inside(const char *name)
{
    static char paths[4][128];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static int entries(const char *path)
{
    int count = -2; /* . and .. */
    DIR *listing = opendir(path);
    assert_non_null(listing);
    while (readdir(listing) != NULL) count++;
    closedir(listing);
    return count;
}

static zip_bytes read_file(const char *path)
{
    zip_bytes file = {NULL, 0, 0};
    char chunk[4096];
    FILE *opened = fopen(path, "rb");
    assert_non_null(opened);
    for (size_t got; (got = fread(chunk, 1, sizeof chunk, opened)) > 0;) zip_add(&file, chunk, got);
    fclose(opened);
    return file;
}

/* ---- writing ---- */

static const float some_floats[] = {0.5f, -1.0f, 2.0f, 3e-3f};
static const double some_doubles[] = {0.1, -1e300, 3.0};
static const int32_t some_ints[] = {-5, 0, INT32_MAX};
static const int64_t some_longs[] = {INT64_MIN, 0, INT64_MAX};
static const uint8_t some_bools[] = {1, 0, 1};
static const char *const some_names[] = {"first", "", "dr\xc3\xa9i \xf0\x9f\x98\x80", "bad \xff\xc3("};

/* All types; one array is left out. */
static crd_status write_everything(const char *path, crd_archive_form form, crd_error *error)
{
    static const crd_array arrays[] = {
        {"floats", CRD_NPY_F4, 2, {2, 2}, some_floats}, {"doubles", CRD_NPY_F8, 1, {3}, some_doubles},
        {"ints", CRD_NPY_I4, 1, {3}, some_ints},        {"longs", CRD_NPY_I8, 1, {3}, some_longs},
        {"bools", CRD_NPY_U1, 1, {3}, some_bools},      {"none", CRD_NPY_F4, 1, {0}, some_floats},
        {"missing", CRD_NPY_F4, 1, {3}, NULL},          {"scalar", CRD_NPY_I4, 0, {0}, some_ints},
        {"names", CRD_NPY_TEXT, 1, {4}, some_names}};
    return crd_archive_write(path, form, arrays, sizeof arrays / sizeof *arrays, error);
}

#define CHECK_ARRAY(archive, name, type, read_as, expected, items)                                                     \
    do {                                                                                                               \
        crd_npy npy_;                                                                                                  \
        crd_source *source_;                                                                                           \
        type *got_;                                                                                                    \
        assert_ok(crd_archive_array(archive, name, &npy_, &source_, NULL));                                            \
        assert_int_equal(npy_.count, items);                                                                           \
        assert_ok(crd_npy_read(source_, &npy_, read_as, &got_, NULL));                                                 \
        if ((items) > 0) assert_memory_equal(got_, expected, (items) * sizeof *got_);                                  \
        free(got_);                                                                                                    \
        crd_source_free(&source_);                                                                                     \
    } while (0)

static void check_everything(crd_archive *archive)
{
    assert_int_equal(crd_archive_count(archive), 8);
    CHECK_ARRAY(archive, "floats", float, CRD_NPY_F4, some_floats, 4);
    CHECK_ARRAY(archive, "doubles", double, CRD_NPY_F8, some_doubles, 3);
    CHECK_ARRAY(archive, "ints", int32_t, CRD_NPY_I4, some_ints, 3);
    CHECK_ARRAY(archive, "longs", int64_t, CRD_NPY_I8, some_longs, 3);
    CHECK_ARRAY(archive, "bools", uint8_t, CRD_NPY_U1, some_bools, 3);
    CHECK_ARRAY(archive, "none", float, CRD_NPY_F4, "", 0);
    CHECK_ARRAY(archive, "scalar", int32_t, CRD_NPY_I4, some_ints, 1);
    crd_npy npy;
    crd_source *source;
    char **names;
    assert_ok(crd_archive_array(archive, "names", &npy, &source, NULL));
    assert_int_equal(npy.kind, CRD_NPY_UNICODE);
    assert_ok(crd_npy_read(source, &npy, CRD_NPY_TEXT, &names, NULL));
    assert_int_equal(npy.item_size, 4 * 7);
    for (int i = 0; i < 3; i++) assert_string_equal(names[i], some_names[i]);
    assert_string_equal(names[3], "bad \xef\xbf\xbd\xef\xbf\xbd("); /* what is not UTF-8 */
    crd_strings_free(&names, 4);
    crd_source_free(&source);
}

static void archives_round_trip(void **state)
{
    (void)state;
    zip_bytes first[2];
    for (int compress = 0; compress <= 1; compress++) {
        for (int again = 0; again <= 1; again++) {
            crd_archive *archive;
            const char *path = inside("out.npz");
            /* The second time in another time zone: the bytes must not show it. */
            setenv("TZ", again ? "Asia/Kathmandu" : "America/Los_Angeles", 1);
            tzset();
            assert_ok(write_everything(path, compress ? CRD_ARCHIVE_DEFLATED : CRD_ARCHIVE_STORED, NULL));
            assert_int_equal(entries(folder), 1);
            assert_ok(crd_archive_open(path, &archive, NULL));
            assert_string_equal(crd_archive_array_name(archive, 0), "bools");
            assert_string_equal(crd_archive_array_name(archive, 7), "scalar");
            check_everything(archive);
            crd_archive_free(&archive);
            zip_bytes bytes = read_file(path);
            if (!again) {
                first[compress] = bytes;
                continue;
            }
            assert_int_equal(bytes.size, first[compress].size);
            assert_memory_equal(bytes.bytes, first[compress].bytes, bytes.size);
            free(bytes.bytes);
        }
        unlink(inside("out.npz"));
    }
    assert_true(first[1].size < first[0].size);
    free(first[0].bytes);
    free(first[1].bytes);
    unsetenv("TZ");
    tzset();
}

/* The bytes of a file, as NumPy would write them. */
static void headers(void **state)
{
    (void)state;
    static const float values[] = {1.5f, -2.0f, 3.25f, 0.0f, -1e30f, 7.0f};
    static const crd_array array = {"a", CRD_NPY_F4, 2, {2, 3}, values};
    assert_ok(crd_archive_write(inside("arrays"), CRD_ARCHIVE_FOLDER, &array, 1, NULL));
    zip_bytes bytes = read_file(inside("arrays/a.npy"));
    static const char header[] = "\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
    assert_int_equal(bytes.size, 128 + sizeof values);
    assert_memory_equal(bytes.bytes, header, sizeof header - 1);
    assert_int_equal(bytes.bytes[127], '\n');
    free(bytes.bytes);
}

static void failed_archives_leave_nothing(void **state)
{
    (void)state;
    crd_error error;
    assert_fails(write_everything(inside("no/such/folder.npz"), CRD_ARCHIVE_DEFLATED, &error), CRD_ERROR_IO,
                 "no/such/folder.npz: cannot write: its folder does not exist");
    /* A full disk. */
    assert_fails(write_everything("/dev/full", CRD_ARCHIVE_STORED, &error), CRD_ERROR_IO,
                 "/dev/full: cannot write: No space left");
    assert_int_equal(entries(folder), 0);
}

/* ---- folders ---- */

static void folders_round_trip(void **state)
{
    (void)state;
    crd_archive *archive;
    crd_error error;
    for (int exists = 0; exists <= 1; exists++) {
        const char *path = inside(exists ? "arrays" : "arrays//"); /* trailing slashes do no harm */
        if (exists) assert_int_equal(mkdir(path, 0750), 0);
        assert_ok(write_everything(path, CRD_ARCHIVE_FOLDER, &error));
        assert_int_equal(entries(folder), 1);
        assert_int_equal(entries(path), 8);
        struct stat facts;
        assert_int_equal(stat(path, &facts), 0);
        if (exists) assert_int_equal(facts.st_mode & 0777, 0750);
        FILE *other = fopen(inside("arrays/notes.txt"), "w");
        fclose(other);
        assert_ok(crd_archive_open(path, &archive, &error));
        assert_string_equal(crd_archive_array_name(archive, 0), "bools");
        assert_string_equal(crd_archive_array_name(archive, 7), "scalar");
        check_everything(archive);
        crd_archive_free(&archive);
        /* Now it is not empty. */
        assert_fails(write_everything(path, CRD_ARCHIVE_FOLDER, &error), CRD_ERROR_IO, "the folder is not empty");
        assert_int_equal(entries(folder), 1);
        remove_folder(NULL);
        assert_int_equal(mkdir(folder, 0700), 0);
    }
}

static void failed_folders_leave_nothing(void **state)
{
    (void)state;
    crd_error error;
    static const struct {
        const char *path; /* NULL: a file */
        crd_status status;
        const char *message;
    } bad[] = {{"no/such", CRD_ERROR_IO, "no/such: cannot write the folder: its folder does not exist"},
               {"", CRD_ERROR_ARGUMENT, "name is empty"},
               {"-", CRD_ERROR_ARGUMENT, "standard output"},
               {NULL, CRD_ERROR_IO, "is not a folder"}};
    FILE *file = fopen(inside("file"), "w");
    fclose(file);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(write_everything(bad[i].path != NULL ? bad[i].path : inside("file"), CRD_ARCHIVE_FOLDER, &error),
                     bad[i].status, bad[i].message);
    unlink(inside("file"));
    char here[1024];
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(folder), 0);
    assert_fails(write_everything(".", CRD_ARCHIVE_FOLDER, &error), CRD_ERROR_IO, "is the current folder");
    assert_int_equal(chdir(here), 0);
    /* A file that cannot be written: its own folder is not there. */
    static const crd_array arrays[] = {{"a", CRD_NPY_I4, 1, {3}, some_ints}, {"no/b", CRD_NPY_I4, 1, {3}, some_ints}};
    assert_fails(crd_archive_write(inside("x"), CRD_ARCHIVE_FOLDER, arrays, 2, &error), CRD_ERROR_IO, "cannot write");
    assert_int_equal(entries(folder), 0);
    /* Somebody else takes the name meanwhile. */
    crd_outfolder *out;
    assert_ok(crd_outfolder_open(inside("x"), &out, &error));
    assert_int_equal(entries(folder), 1);
    assert_int_equal(mkdir(inside("x"), 0700), 0);
    assert_int_equal(mkdir(inside("x/y"), 0700), 0);
    assert_fails(crd_outfolder_commit(&out, &error), CRD_ERROR_IO, "x: cannot put the written folder in place");
    assert_int_equal(entries(folder), 1);
    rmdir(inside("x/y"));
    rmdir(inside("x"));
    /* Folders inside the folder are removed too. */
    char path[256];
    assert_ok(crd_outfolder_open(inside("deep"), &out, &error));
    snprintf(path, sizeof path, "%s/raw", crd_outfolder_path(out));
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/raw/f", crd_outfolder_path(out));
    file = fopen(path, "w");
    fclose(file);
    crd_outfolder_discard(&out);
    assert_null(out);
    assert_int_equal(entries(folder), 0);
}

static void damaged_files_in_folders(void **state)
{
    (void)state;
    crd_error error;
    crd_archive *archive;
    crd_npy npy;
    crd_source *source;
    FILE *file = fopen(inside("broken.npy"), "w");
    fputs("not an array", file);
    fclose(file);
    mkdir(inside("folder.npy"), 0700);
    assert_ok(crd_archive_open(folder, &archive, &error));
    assert_int_equal(crd_archive_count(archive), 2);
    assert_fails(crd_archive_array(archive, "broken", &npy, &source, &error), CRD_ERROR_FORMAT,
                 "/broken.npy: is not a .npy array");
    assert_null(source);
    assert_fails(crd_archive_array(archive, "folder", &npy, &source, &error), CRD_ERROR_IO, "is a folder");
    crd_archive_free(&archive);
    unlink(inside("broken.npy"));
    rmdir(inside("folder.npy"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(archives_round_trip, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(headers, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(failed_archives_leave_nothing, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(folders_round_trip, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(failed_folders_leave_nothing, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(damaged_files_in_folders, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
