/* The ids that git gives to files, as printed by "git hash-object", and the lock of a download, which lasts while
 * they are computed. The lengths are around SHA-1's blocks of 64 bytes; padding takes at least 9 bytes and git's
 * header 7 to 13. */
#include "unit/dataset_helpers.h"

#include <sys/wait.h>

#include "../../cli/output.c"
#include "../../cli/partial.c"

static void ids_are_gits(void **state)
{
    static const struct {
        int length; /* of a file of so many 'a' */
        const char *id;
    } files[] = {
        {0, "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"},   {1, "2e65efe2a145dda7ee51d1741299f848e5bf752e"},
        {46, "50b3bbe915fe104dbbb6786fdcfa310bcfc25d4e"},  {47, "5e3bf7e629b4908cce461530c17a64365cb47303"},
        {48, "12d42395b020f44bb7710113b31f688d0ebeda7c"},  {54, "60704cd2c753c0419b5d235cbf244ec4c696cded"},
        {55, "d1985ddc2983785702b9a90effd5aff2f7cfdca4"},  {56, "1f973e890f52da1f22fa7e5620a628bc4ee74cb3"},
        {57, "d28c6cde5a5ab0b138bd53a288c23e8c011c4171"},  {63, "487e57f9763ebddbed2027c4452510c0ae0f95ff"},
        {64, "71b7a71962774fa5c721e1163f935cb61a0e09e6"},  {111, "d64a843f44190f041194ba87abf3cedc76eeb30e"},
        {112, "30fd1823c28e22defedf47b062cfef13b71f3bcb"}, {118, "a022b0de5df0047aa23aac0b2f5cd841079a8eff"},
        {119, "1325c3d76ea6a66e75dce490a0b8cb8b12233ee0"}, {128, "b9ec37e648dcec4d4f60dd267d05079a696d3267"},
    };
    char content[200], id[CRD_CLI_BLOB_SIZE];
    memset(content, 'a', sizeof content);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = put_bytes(state, "file", content, (size_t)files[i].length);
        assert_true(crd_cli_git_blob(path, id));
        if (strcmp(id, files[i].id) != 0) fail_msg("%d bytes: %s", files[i].length, id);
    }
    assert_true(crd_cli_git_blob(put(state, "hello", "hello\n"), id));
    assert_string_equal(id, "ce013625030ba8dba906f756967f9e9ca394464a");
}

/* Larger than the read buffer. */
static void large_files(void **state)
{
    enum { SIZE = 1000000 };
    char *content = malloc(SIZE), id[CRD_CLI_BLOB_SIZE];
    assert_non_null(content);
    for (int i = 0; i < SIZE; i++) content[i] = (char)(i % 251);
    assert_true(crd_cli_git_blob(put_bytes(state, "file", content, SIZE), id));
    assert_string_equal(id, "becc603548c21fab9444c42905cfad18c205ecb9");
    free(content);
}

static void what_cannot_be_read(void **state)
{
    char id[CRD_CLI_BLOB_SIZE];
    assert_false(crd_cli_git_blob(in(state, "nothing"), id));
    assert_int_equal(errno, ENOENT);
    assert_false(crd_cli_git_blob(*state, id));
    assert_int_equal(errno, EISDIR);
    assert_false(crd_cli_git_blob_of(-1, id));
    assert_int_equal(errno, EBADF);
}

/* Reads from the beginning, wherever the descriptor is, and does not move it. */
static void by_descriptor(void **state)
{
    char id[CRD_CLI_BLOB_SIZE];
    int descriptor = open(put(state, "hello", "hello\n"), O_RDONLY);
    assert_true(descriptor >= 0);
    assert_int_equal(lseek(descriptor, 3, SEEK_SET), 3);
    assert_true(crd_cli_git_blob_of(descriptor, id));
    assert_string_equal(id, "ce013625030ba8dba906f756967f9e9ca394464a");
    assert_int_equal(lseek(descriptor, 0, SEEK_CUR), 3);
    close(descriptor);
}

/* ---- the lock ---- */

/* A separate process that opens the part, reports on a pipe whether it got it, and holds it until the other pipe is
 * closed. */
typedef struct {
    pid_t process;
    int hold;
    bool got;
} rival;

static rival start_rival(const char *target)
{
    int answer[2], hold[2];
    char got = '?';
    assert_int_equal(pipe(answer), 0);
    assert_int_equal(pipe(hold), 0);
    rival r = {.process = fork(), .hold = hold[1]};
    assert_true(r.process >= 0);
    if (r.process == 0) {
        crd_cli_partial part;
        close(hold[1]);
        if (freopen("/dev/null", "w", stderr) == NULL) _exit(1); /* its error message is expected */
        got = crd_cli_partial_open(&part, target, "it") == CRD_CLI_DONE ? 'y' : 'n';
        if (write(answer[1], &got, 1) != 1 || read(hold[0], &got, 1) != 0) _exit(1);
        _exit(0);
    }
    close(answer[1]);
    close(hold[0]);
    assert_int_equal(read(answer[0], &got, 1), 1);
    close(answer[0]);
    r.got = got == 'y';
    return r;
}

static void end_rival(rival r)
{
    int status;
    close(r.hold);
    assert_int_equal(waitpid(r.process, &status, 0), r.process);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static bool another_gets(const char *target)
{
    rival r = start_rival(target);
    end_rival(r);
    return r.got;
}

/* This process holds the part from opening to renaming, also while the id is computed. */
static void locked_until_renamed(void **state)
{
    const char *target = in(state, "file");
    char id[CRD_CLI_BLOB_SIZE];
    crd_cli_partial part;
    assert_int_equal(crd_cli_partial_open(&part, target, "it"), CRD_CLI_DONE);
    assert_false(another_gets(target));
    assert_int_equal(write(part.descriptor, "hello\n", 6), 6);
    assert_true(crd_cli_git_blob_of(part.descriptor, id));
    assert_string_equal(id, "ce013625030ba8dba906f756967f9e9ca394464a");
    assert_false(another_gets(target));
    assert_int_equal(crd_cli_partial_rename(&part, target), CRD_CLI_DONE);
    crd_cli_partial_close(&part);
    assert_int_equal(access(target, F_OK), 0);
    assert_int_equal(access(in(state, "file.part"), F_OK), -1);
    assert_true(another_gets(target));
}

/* A process that opens the part by its name, for example to unpack it, and closes it loses the lock. If another
 * process has taken the lock, the part is not removed from under it; else it is. */
static void lost_and_taken(void **state)
{
    const char *target = in(state, "file"), *path = in(state, "file.part");
    char id[CRD_CLI_BLOB_SIZE];
    crd_cli_partial part;
    assert_int_equal(crd_cli_partial_open(&part, target, "it"), CRD_CLI_DONE);
    assert_int_equal(write(part.descriptor, "hello\n", 6), 6);
    put(state, "file.part.from", "an address");
    assert_true(crd_cli_git_blob(path, id));
    rival r = start_rival(target);
    assert_true(r.got);
    crd_cli_partial_remove(&part);
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(access(in(state, "file.part.from"), F_OK), 0);
    end_rival(r);
    crd_cli_partial_remove(&part);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(access(in(state, "file.part.from"), F_OK), -1);
    put(state, "file.part", "of somebody else"); /* another file with the same name */
    crd_cli_partial_remove(&part);
    assert_int_equal(access(path, F_OK), 0);
    crd_cli_partial_close(&part);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(ids_are_gits),  FOLDER_TEST(large_files),          FOLDER_TEST(what_cannot_be_read),
        FOLDER_TEST(by_descriptor), FOLDER_TEST(locked_until_renamed), FOLDER_TEST(lost_and_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
