/* A zip archive that holds one folder, made into that folder. */
#ifndef CREDENCE_CLI_UNPACK_H
#define CREDENCE_CLI_UNPACK_H

#include "output.h"

typedef struct crd_cli_unpacking {
    const char *what, *from;   /* `what` begins the messages, `from` is what the archive is called in them */
    const char *const *needed; /* the files that must be in it; NULL ends the list */
    /* Looks at the folder before it gets its name. Returns the exit code, after having said what is wrong. */
    int (*check)(const void *context, const char *folder, const char *from);
    const void *context;
} crd_cli_unpacking;

/* Unpacks what the archive's only folder holds into the folder `target`, which appears whole or not at all;
 * what was there before is replaced. Members that would land elsewhere, links, and archives that unpack to
 * much more than they are, are refused. Returns the exit code, after having said what is wrong; *bad then
 * says whether that is the archive's fault. */
int crd_cli_unpack(const char *archive, const char *target, const crd_cli_unpacking *how, bool *bad);

/* Creates a folder and those above it; what is there already is fine. Returns the exit code. */
int crd_cli_make_folders(const char *path);

#endif
