/* Files the command writes: checked before the work, whole or not at all. */
#ifndef CREDENCE_CLI_FILES_H
#define CREDENCE_CLI_FILES_H

#include "options.h"

/* Whether a file can be written there, found out before any work: its folder exists and can be written,
 * it is no folder itself and not the file `input` (NULL: none). "-" is always fine. Returns the exit code,
 * after having said what is wrong. */
int crd_cli_check_output(const char *path, const char *input);
/* The same, and it is none of the arguments and of the files that options name to be read; but it may be that
 * of the option `but` (NULL: none). */
int crd_cli_check_output_apart(const crd_cli_options *options, const char *path, const char *but);
/* The same for a dataset, which may be a folder: it must then be new or empty. */
int crd_cli_check_dataset_output(const char *path, const char *input);

/* The same for a folder that a command fills file by file: it must be new, empty, or hold one of the entries
 * in `ours` (NULL ends the list), which say that the command has filled it before. */
int crd_cli_check_folder_output(const char *path, const char *const *ours, const char *expected);

/* --format of a table. */
void crd_cli_add_table_format(crd_cli_options *options);
/* What it says, or else the ending of its path, which is an error if it is none that is known. */
int crd_cli_table_format(const crd_cli_options *options, const char *path, crd_table_format *format);

/* Whether two paths name the same file, there or not yet. */
bool crd_cli_same_path(const char *a, const char *b);

/* Writes the whole file or nothing. */
int crd_cli_write_text(const char *path, const char *text);
/* The same for a file in a folder; frees the text. */
int crd_cli_write_in(const char *folder, const char *name, char *text);

/* --to, the format of a dataset. */
void crd_cli_add_format(crd_cli_options *options);
/* crd_dataset_save, and for "-" an .npz on standard output. */
int crd_cli_save_dataset(const crd_dataset *dataset, const char *path, crd_format format);

#endif
