/* The public graphs that are here, and how far they can be trusted. */
#ifndef CREDENCE_CLI_FETCH_H
#define CREDENCE_CLI_FETCH_H

#include "credence_private.h"
#include "options.h"

typedef enum crd_cli_trust {
    CRD_CLI_VERIFIED,  /* byte for byte the known download, or the known content */
    CRD_CLI_UNKNOWN,   /* nothing is known to verify it by */
    CRD_CLI_DIFFERENT  /* neither the known download nor the known content */
} crd_cli_trust;

/* Looks at a file or folder; `found` becomes its git blob id if it is a file, else "". */
crd_cli_trust crd_cli_examine(const crd_known *known, const char *path, char found[41]);

/* Prints the graphs: a table, or a JSON array. `dir` is where to look first, NULL: nowhere else. */
int crd_cli_list_known(const crd_known *const *known, int count, const char *dir, bool json);

#endif
