/* What the commands are and which options they have, for people and for programs. */
#ifndef CREDENCE_CLI_HELP_H
#define CREDENCE_CLI_HELP_H

#include "options.h"

/* The usage, the description, and every option with its default. */
void crd_cli_print_help(const crd_cli_options *options, FILE *stream);
/* The commands, by their groups. */
void crd_cli_print_overview(const crd_cli_command *const *commands, int count, FILE *stream);
/* Every command with its options, the public graphs, the models and the presets as one JSON object on
 * standard output: the manual pages and the completions are made from it (scripts/docs.py). Returns the exit
 * code. */
int crd_cli_describe(const crd_cli_command *const *commands, int count);

#endif
