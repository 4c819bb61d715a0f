/* SPDX-License-Identifier: MIT */
/* The ids that git gives to files, as printed by "git hash-object". The lengths are around SHA-1's blocks of 64
 * bytes; padding takes at least 9 bytes and git's header 7 to 13. */
#include "unit/dataset_helpers.h"

#include "../../cli/git_blob.c"

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
    assert_false(crd_cli_git_blob(*state, id));
    assert_false(crd_cli_git_blob("/dev/null", id));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(ids_are_gits),
        FOLDER_TEST(large_files),
        FOLDER_TEST(what_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
