/* The file in which a download gathers, and the checksum that git would give it. */
#ifndef CREDENCE_CLI_PARTIAL_H
#define CREDENCE_CLI_PARTIAL_H

#include "output.h"

typedef struct crd_cli_partial {
    char *path;      /* NAME.part */
    char *from_path; /* NAME.part.from */
    int descriptor;  /* locked while it is open */
} crd_cli_partial;

/* Functions that return a number return the exit code and report what is wrong; `what` begins the messages. */

/* Opens TARGET.part, creating it if necessary, and locks it against other processes. */
int crd_cli_partial_open(crd_cli_partial *part, const char *target, const char *what);
/* Removes both files, after a download that is wrong or no longer needed. Does nothing if they belong to another
 * process by now. That can happen because this process's lock ends if it opens the part by its name and closes it. */
void crd_cli_partial_remove(const crd_cli_partial *part);
/* Renames the part to its target. */
int crd_cli_partial_rename(const crd_cli_partial *part, const char *target);
/* Closes it. An empty part is removed. */
void crd_cli_partial_close(crd_cli_partial *part);

/* "1.6 MB" into text, which has room for 16 characters. */
void crd_cli_size_text(int64_t bytes, char text[16]);

enum { CRD_CLI_BLOB_SIZE = 41 };

/* The name that git gives to a file's content: the SHA-1 of "blob <size>\0<content>" as 40 hex digits. False, with
 * errno set, if the file cannot be read. If this process has locked the file, use its descriptor: closing any other
 * descriptor of the file would end the lock. The descriptor's position does not change. */
bool crd_cli_git_blob(const char *path, char id[CRD_CLI_BLOB_SIZE]);
bool crd_cli_git_blob_of(int descriptor, char id[CRD_CLI_BLOB_SIZE]);

#endif
