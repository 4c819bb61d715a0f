/* Zip archives that hold one folder, and folders. */
#ifndef CREDENCE_CLI_UNPACK_H
#define CREDENCE_CLI_UNPACK_H

#include "output.h"

/* Functions that return a number return the exit code and report what is wrong. */

/* Unpacks the files of the archive's first folder into `folder`, which is replaced if it exists. Every member becomes
 * a plain file inside it. `from` is the archive's name in messages, which begin with `what`. On failure, *bad tells
 * whether it is the archive's fault. */
int crd_cli_unpack(const char *archive, const char *folder, const char *what, const char *from, bool *bad);

/* Creates a folder and its parents; an existing one is fine. */
int crd_cli_make_folders(const char *path);
/* Gives a folder the name `target`; an old folder or file of that name is removed. */
int crd_cli_replace_folder(const char *folder, const char *target);
/* Removes a folder with its content, if it exists; does not follow links. */
void crd_cli_remove_folder(const char *path);

#endif
