/* A command as it would be typed again, for the record. */
#ifndef CREDENCE_CLI_LAB_COMMAND_H
#define CREDENCE_CLI_LAB_COMMAND_H

#include "options.h"

/* What decides about the results, and nothing of where and how fast: the options in `recorded` (NULL ends the
 * list) that were given, and "--out DIR". The caller frees it. */
char *crd_lab_command_text(const crd_cli_options *options, const char *const *recorded);

/* Adds it to the folder's command.txt. Several commands may fill one folder; each is there once, however often
 * it was resumed. Returns the exit code, after having said what is wrong. */
int crd_lab_command_add(const char *folder, const char *command);

#endif
