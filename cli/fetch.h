/* SPDX-License-Identifier: MIT */
/* The steps of a download: getting the bytes, their checksum, unpacking. */
#ifndef CREDENCE_CLI_FETCH_H
#define CREDENCE_CLI_FETCH_H

#include "output.h"

/* ---- downloads that can be interrupted and resumed ----
 *
 * The bytes gather in a file NAME.part, and a later download asks for the rest. Whether the whole is the right file
 * is for its checksum to decide. */

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

/* ---- archives and folders ---- */

/* Unpacks the files of the archive's first folder into `folder`, which is replaced if it exists. Every member becomes
 * a plain file inside it. `from` is the archive's name in messages, which begin with `what`. On failure, *bad tells
 * whether it is the archive's fault. */
int crd_cli_unpack(const char *archive, const char *folder, const char *what, const char *from, bool *bad);

/* Creates a folder and its parents; an existing one is fine. */
int crd_cli_make_folders(const char *path);
/* Removes a folder with its content, if it exists; does not follow links. */
void crd_cli_remove_folder(const char *path);

#endif
