/* SPDX-License-Identifier: MIT */
/* Files the command writes: checked before the work, written whole or not at all. */
#ifndef CREDENCE_CLI_FILES_H
#define CREDENCE_CLI_FILES_H

#include "options.h"

/* Checks before any work that a file can be written there: its folder exists and is writable, and the path is
 * neither the file `input` (NULL: none) nor, unless it may be, a folder. "-" is always fine. Returns the exit code and
 * reports what is wrong. */
int crd_cli_check_output(const char *path, const char *input, bool may_be_folder);
/* The same; also, the file must not be an argument or a file that an option names for reading. It may be that of
 * the option `but` (NULL: none). */
int crd_cli_check_output_apart(const crd_cli_options *options, const char *path, const char *but);

/* Adds --output and --format for a table of nodes. */
void crd_cli_add_table(crd_cli_options *options, const char *help);
/* Checks --output, and finds the format of --format or else of the path's ending; an unknown ending is an error. */
int crd_cli_check_table(const crd_cli_options *options, crd_table_format *format);

/* Writes the whole file or nothing. */
int crd_cli_write_text(const char *path, const char *text);
/* The same for a file in a folder; frees the text. */
int crd_cli_write_in(const char *folder, const char *name, char *text);

#endif
