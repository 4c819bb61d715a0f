/* The file that a download gathers in, and the checksum that git would give it. */
#ifndef CREDENCE_CLI_PARTIAL_H
#define CREDENCE_CLI_PARTIAL_H

#include "output.h"

typedef struct crd_cli_partial {
    char *path;      /* NAME.part */
    char *from_path; /* NAME.part.from */
    int descriptor;  /* locked as long as it is open */
} crd_cli_partial;

/* Those that return a number return the exit code, after having said what is wrong; `what` begins the
 * messages. */

/* Opens TARGET.part, creating it if need be, and keeps other processes from it. */
int crd_cli_partial_open(crd_cli_partial *part, const char *target, const char *what);
/* Removes both files: for a download that is wrong, or that was made use of. It does nothing if they belong
 * to another process by now: if this process opens the part by its name and closes it, its lock ends. */
void crd_cli_partial_remove(const crd_cli_partial *part);
/* Gives the part its target's name. */
int crd_cli_partial_rename(const crd_cli_partial *part, const char *target);
/* Lets go of it. A part without a byte is removed. */
void crd_cli_partial_close(crd_cli_partial *part);

/* "1.6 MB" into text, which has room for 16 characters. */
void crd_cli_size_text(int64_t bytes, char text[16]);

enum { CRD_CLI_BLOB_SIZE = 41 };

/* The name that git gives to a file's content: the SHA-1 of "blob <size>\0<content>" as 40 hex digits. False,
 * with errno set, if the file cannot be read. Read a file that this process has locked by its descriptor:
 * closing any other descriptor of it would end the lock. The descriptor's place in the file stays where it
 * is. */
bool crd_cli_git_blob(const char *path, char id[CRD_CLI_BLOB_SIZE]);
bool crd_cli_git_blob_of(int descriptor, char id[CRD_CLI_BLOB_SIZE]);

#endif
