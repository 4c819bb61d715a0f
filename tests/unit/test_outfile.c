/* SPDX-License-Identifier: MIT */
/* Files that appear whole or not at all. */
#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/outfile.h"

/* The library's calls of linkat come here. Without /proc, and without the privilege to do without it, a nameless
 * file cannot get a name. */
static bool links_fail;

int __real_linkat(int from_folder, const char *from, int to_folder, const char *to, int flags);
int __wrap_linkat(int from_folder, const char *from, int to_folder, const char *to, int flags);

int __wrap_linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
    if (!links_fail) return __real_linkat(from_folder, from, to_folder, to, flags);
    errno = ENOENT;
    return -1;
}

/* The same for fchmod and fsync: some file systems refuse them. */
static int refused_fchmod, refused_fsync; /* errno; 0: they work */

int __real_fchmod(int descriptor, mode_t mode);
int __wrap_fchmod(int descriptor, mode_t mode);
int __real_fsync(int descriptor);
int __wrap_fsync(int descriptor);

int __wrap_fchmod(int descriptor, mode_t mode)
{
    if (refused_fchmod == 0) return __real_fchmod(descriptor, mode);
    errno = refused_fchmod;
    return -1;
}

int __wrap_fsync(int descriptor)
{
    if (refused_fsync == 0) return __real_fsync(descriptor);
    errno = refused_fsync;
    return -1;
}

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    links_fail = false;
    refused_fchmod = refused_fsync = 0;
    snprintf(folder, sizeof folder, "/tmp/credence-outfile-XXXXXX");
    return mkdtemp(folder) == NULL ? -1 : 0;
}

static const char *in_folder(const char *name)
{
    static char path[2][512];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

/* The number of files in the folder, including hidden ones. */
static int count_files(void)
{
    int count = 0;
    DIR *all = opendir(folder);
    assert_non_null(all);
    for (struct dirent *entry; (entry = readdir(all)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(all);
    return count;
}

static int remove_folder(void **state)
{
    (void)state;
    DIR *all = opendir(folder);
    for (struct dirent *entry; all != NULL && (entry = readdir(all)) != NULL;) unlink(in_folder(entry->d_name));
    if (all != NULL) closedir(all);
    return rmdir(folder);
}

static void assert_content(const char *path, const char *expected)
{
    char text[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

static void write_file(const char *path, const char *text)
{
    crd_outfile *file;
    assert_int_equal(crd_outfile_open(path, &file, NULL), CRD_OK);
    crd_outfile_text(file, text);
    assert_int_equal(crd_outfile_commit(&file, NULL), CRD_OK);
    assert_null(file);
}

static void files_appear_whole(void **state)
{
    (void)state;
    crd_outfile *file;
    assert_int_equal(crd_outfile_open(in_folder("a"), &file, NULL), CRD_OK);
    crd_outfile_text(file, "one");
    assert_int_equal(access(in_folder("a"), F_OK), -1); /* it appears only when it is whole */
    assert_int_equal(crd_outfile_commit(&file, NULL), CRD_OK);
    assert_content(in_folder("a"), "one");
    struct stat facts;
    mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(stat(in_folder("a"), &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0666 & ~mask);

    /* replaced at once, permissions kept; a discarded file changes nothing */
    assert_int_equal(chmod(in_folder("a"), 0640), 0);
    write_file(in_folder("a"), "two");
    assert_content(in_folder("a"), "two");
    assert_int_equal(stat(in_folder("a"), &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0640);
    assert_int_equal(crd_outfile_open(in_folder("a"), &file, NULL), CRD_OK);
    crd_outfile_text(file, "three");
    crd_outfile_discard(&file);
    assert_content(in_folder("a"), "two");
    assert_int_equal(count_files(), 1);

    /* a link stays a link */
    assert_int_equal(symlink("a", in_folder("link")), 0);
    write_file(in_folder("link"), "four");
    assert_content(in_folder("a"), "four");
    assert_int_equal(lstat(in_folder("link"), &facts), 0);
    assert_true(S_ISLNK(facts.st_mode));
    assert_int_equal(count_files(), 2);
}

static void files_that_cannot_be(void **state)
{
    (void)state;
    crd_outfile *file;
    crd_error error;
    assert_int_equal(crd_outfile_open("/tmp", &file, &error), CRD_ERROR_IO);
    assert_non_null(strstr(error.message, "is a folder"));
    assert_int_equal(crd_outfile_open("/nowhere/at/all", &file, &error), CRD_ERROR_IO);
    assert_non_null(strstr(error.message, "its folder does not exist"));
    assert_int_equal(crd_outfile_open("", &file, &error), CRD_ERROR_ARGUMENT);
    assert_null(file);
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(crd_outfile_open("/dev/full", &file, &error), CRD_OK);
        for (int i = 0; i < 100000; i++) crd_outfile_text(file, "more than the buffer holds");
        assert_int_equal(crd_outfile_commit(&file, &error), CRD_ERROR_IO);
        assert_non_null(strstr(error.message, "No space left"));
    }
}

/* A new file, and one that replaces another and keeps its permissions. */
static void nameless_files_that_cannot_be_named_are_copied(void **state)
{
    (void)state;
    enum { SIZE = 300000 };
    struct stat facts;
    crd_outfile *file;
    char *bytes = malloc(SIZE), *read = malloc(SIZE + 1);
    links_fail = true;
    for (int i = 0; i < SIZE; i++) bytes[i] = (char)(i * 31 >> 3);
    for (int turn = 0; turn < 2; turn++) {
        assert_int_equal(crd_outfile_open(in_folder("a"), &file, NULL), CRD_OK);
        crd_outfile_write(file, bytes, SIZE - turn);
        assert_int_equal(crd_outfile_commit(&file, NULL), CRD_OK);
        FILE *written = fopen(in_folder("a"), "r");
        assert_int_equal(fread(read, 1, SIZE + 1, written), SIZE - turn);
        fclose(written);
        assert_memory_equal(read, bytes, SIZE - turn);
        assert_int_equal(count_files(), 1);
        assert_int_equal(stat(in_folder("a"), &facts), 0);
        if (turn == 1) assert_int_equal(facts.st_mode & 0777, 0600);
        assert_int_equal(chmod(in_folder("a"), 0600), 0);
    }
    free(bytes);
    free(read);
}

/* Named by a link or copied: what a file system cannot do is no failure, what goes wrong is one. */
static void refusals_of_the_file_system(void **state)
{
    (void)state;
    static const int harmless[] = {EPERM, ENOTSUP, EINVAL};
    for (int copied = 0; copied < 2; copied++) {
        links_fail = copied == 1;
        for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
            refused_fchmod = refused_fsync = harmless[i];
            write_file(in_folder("a"), "one");
            write_file(in_folder("a"), "two");
            assert_content(in_folder("a"), "two");
            assert_int_equal(count_files(), 1);
        }
        crd_outfile *file;
        crd_error error;
        refused_fsync = EIO;
        assert_int_equal(crd_outfile_open(in_folder("a"), &file, NULL), CRD_OK);
        crd_outfile_text(file, "three");
        assert_int_equal(crd_outfile_commit(&file, &error), CRD_ERROR_IO);
        assert_non_null(strstr(error.message, strerror(EIO)));
        assert_content(in_folder("a"), "two");
        assert_int_equal(count_files(), 1);
        unlink(in_folder("a"));
    }
}

static void links_to_nothing_are_followed(void **state)
{
    (void)state;
    struct stat facts;
    crd_error error;
    crd_outfile *file;
    assert_int_equal(symlink("second", in_folder("first")), 0);
    assert_int_equal(symlink(in_folder("file"), in_folder("second")), 0);
    write_file(in_folder("first"), "one");
    assert_content(in_folder("file"), "one");
    assert_int_equal(lstat(in_folder("first"), &facts), 0);
    assert_true(S_ISLNK(facts.st_mode));
    assert_int_equal(lstat(in_folder("file"), &facts), 0);
    assert_true(S_ISREG(facts.st_mode));
    assert_int_equal(count_files(), 3);

    assert_int_equal(symlink("round", in_folder("round")), 0);
    assert_int_equal(crd_outfile_open(in_folder("round"), &file, &error), CRD_ERROR_IO);
    assert_non_null(strstr(error.message, strerror(ELOOP)));
}

/* If the file system has nameless files. */
static void the_killed_leave_nothing(void **state)
{
    (void)state;
    crd_outfile *file;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (crd_outfile_open(in_folder("a"), &file, NULL) != CRD_OK) _exit(1);
        if (count_files() != 0) _exit(77);
        for (int i = 0; i < 100000; i++) crd_outfile_text(file, "more than the buffer holds");
        raise(SIGKILL);
    }
    int ended;
    assert_int_equal(waitpid(child, &ended, 0), child);
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 77) skip();
    assert_true(WIFSIGNALED(ended));
    assert_int_equal(count_files(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(files_appear_whole, make_folder, remove_folder),
        cmocka_unit_test(files_that_cannot_be),
        cmocka_unit_test_setup_teardown(nameless_files_that_cannot_be_named_are_copied, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(refusals_of_the_file_system, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(links_to_nothing_are_followed, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(the_killed_leave_nothing, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
