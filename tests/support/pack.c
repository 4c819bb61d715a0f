/* SPDX-License-Identifier: MIT */
/* pack OUT.zip MEMBER FILE [MEMBER FILE ...]: an archive of these files under these names. A member may begin with
 * a lie: "crc:" has a wrong checksum, "link:" is a symbolic link to the file's text. */
#include <stdio.h>

#include "zip_maker.h"

static zip_bytes read_file(const char *path)
{
    zip_bytes content = {NULL, 0, 0};
    char chunk[4096];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    for (size_t got; (got = fread(chunk, 1, sizeof chunk, file)) > 0;) zip_add(&content, chunk, got);
    fclose(file);
    return content;
}

int main(int argc, char **argv)
{
    enum { MOST = 100 };
    zip_member members[MOST] = {{0}};
    int count = 0;
    for (int i = 2; i + 1 < argc && count < MOST; i += 2, count++) {
        zip_member *member = &members[count];
        zip_bytes content = read_file(argv[i + 1]);
        member->name = argv[i];
        member->data = content.bytes;
        member->size = content.size;
        member->deflate = true;
        const char *colon = strchr(member->name, ':');
        if (colon == NULL) continue;
        switch (member->name[0]) {
        case 'c':
            member->wrong_crc = 1;
            break;
        case 'l':
            member->link = true;
            break;
        default:
            return 1;
        }
        member->name = colon + 1;
    }
    zip_bytes archive = zip_make(members, count);
    FILE *file = argc > 1 ? fopen(argv[1], "wb") : NULL;
    bool written = file != NULL && fwrite(archive.bytes, 1, archive.size, file) == archive.size;
    if (file == NULL || fclose(file) != 0 || !written) {
        fprintf(stderr, "pack: cannot write the archive\n");
        return 1;
    }
    for (int i = 0; i < count; i++) free((void *)members[i].data);
    free(archive.bytes);
    return 0;
}
