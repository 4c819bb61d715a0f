/* A zip archive that holds one folder, made into that folder. */
#ifndef CREDENCE_CLI_UNPACK_H
#define CREDENCE_CLI_UNPACK_H

#include "output.h"

/* Unpacks what the archive's only folder holds into the folder `target`, which appears whole or not at all;
 * what was there before is replaced. `needed` names the files that must be in it, NULL ends the list. Members
 * that would land elsewhere, links, and archives that unpack to much more than they are, are refused. Returns
 * the exit code, after having said what is wrong; *bad then says whether that is the archive's fault. `what`
 * begins the messages, `from` is what the archive is called in them. */
int crd_cli_unpack(const char *archive, const char *target, const char *const *needed, const char *what,
                   const char *from, bool *bad);

/* Creates a folder and those above it; what is there already is fine. Returns the exit code. */
int crd_cli_make_folders(const char *path);

#endif
