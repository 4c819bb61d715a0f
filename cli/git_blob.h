/* The name that git gives to a file's content. */
#ifndef CREDENCE_CLI_GIT_BLOB_H
#define CREDENCE_CLI_GIT_BLOB_H

#include <stdbool.h>

enum { CRD_CLI_BLOB_SIZE = 41 };

/* The SHA-1 of "blob <size>\0<content>" as 40 hex digits. False, with errno set, if the file cannot be read.
 * A file that this process has locked is to be read by its descriptor: the end of any other descriptor of it
 * would end the lock. The descriptor's place in the file stays where it is. */
bool crd_cli_git_blob(const char *path, char id[CRD_CLI_BLOB_SIZE]);
bool crd_cli_git_blob_of(int descriptor, char id[CRD_CLI_BLOB_SIZE]);

#endif
