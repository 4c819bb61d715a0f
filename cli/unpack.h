/* Unpacks a zip archive that holds one folder. */
#ifndef CREDENCE_CLI_UNPACK_H
#define CREDENCE_CLI_UNPACK_H

#include "output.h"

typedef struct crd_cli_unpacking {
    const char *what, *from;   /* `what` begins the messages, `from` is the archive's name in them */
    const char *const *needed; /* the files that it must contain; NULL ends the list */
    /* Checks the folder before it gets its name. Returns the exit code and reports what is wrong. */
    int (*check)(const void *context, const char *folder, const char *from);
    const void *context;
} crd_cli_unpacking;

/* Unpacks the content of the archive's only folder into the folder `target`, which appears whole or not at all; an
 * old one is replaced. Refuses links, members that would land elsewhere, and archives that unpack to far more than
 * their size. Returns the exit code and reports what is wrong; *bad is then set if that is the archive's fault. */
int crd_cli_unpack(const char *archive, const char *target, const crd_cli_unpacking *how, bool *bad);

/* Creates a folder and its parents; an existing one is fine. Returns the exit code. */
int crd_cli_make_folders(const char *path);

#endif
