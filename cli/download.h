/* Downloads that can be interrupted and resumed.
 *
 * The bytes gather in a file NAME.part, and a later download asks for the rest. Whether the whole is the right file
 * is for its checksum to decide. */
#ifndef CREDENCE_CLI_DOWNLOAD_H
#define CREDENCE_CLI_DOWNLOAD_H

#include "output.h"

typedef struct crd_cli_part {
    char *path; /* NAME.part */
    FILE *file; /* locked against other processes while it is open */
} crd_cli_part;

/* Functions that return a number return the exit code and report what is wrong; `what` begins the messages. */

/* Opens TARGET.part, creating it if necessary, and locks it. */
int crd_cli_part_open(crd_cli_part *part, const char *target, const char *what);
/* Fills it from the address. A failure keeps what is there. */
int crd_cli_download(crd_cli_part *part, const char *address, const char *what, bool quiet);
/* Empties it: it is wrong, or no longer needed. */
void crd_cli_part_empty(const crd_cli_part *part);
/* Closes it, and removes it if it is empty. */
void crd_cli_part_close(crd_cli_part *part);

enum { CRD_CLI_BLOB_SIZE = 41 };

/* The name that git gives to a file's content: the SHA-1 of "blob <size>\0<content>" as 40 hex digits. False if it
 * is not a file that can be read. */
bool crd_cli_git_blob(const char *path, char id[CRD_CLI_BLOB_SIZE]);

#endif
