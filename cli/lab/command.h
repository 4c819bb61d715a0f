/* A command as it would be typed again, for the record. */
#ifndef CREDENCE_CLI_LAB_COMMAND_H
#define CREDENCE_CLI_LAB_COMMAND_H

#include "options.h"

/* What decides about the results, and nothing of where and how fast: the options in `recorded` (NULL ends the
 * list) that were given, and "--out DIR". The caller frees it. */
char *crd_lab_command_text(const crd_cli_options *options, const char *const *recorded);

#endif
