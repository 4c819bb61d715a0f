/* SPDX-License-Identifier: MIT */
/* What people see: error lines, tables, colour. */
#ifndef CREDENCE_CLI_OUTPUT_H
#define CREDENCE_CLI_OUTPUT_H

#include <stdio.h>

#include "credence_private.h"

enum { CRD_CLI_DONE = 0, CRD_CLI_FAILED = 1, CRD_CLI_MISUSED = 2 };

/* Prints an error as one line, "credence: ...", whatever the message contains. Both return the exit code: that of
 * the error's status, or the given one. */
int crd_cli_fail(const crd_error *error);
int crd_cli_failf(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints one line on standard error that is not an error. */
void crd_cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a line on standard error, a terminal, over the one before. */
void crd_cli_live_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a text that the library made on standard output, and frees it; or reports the error that it met. Returns the
 * exit code. */
int crd_cli_print_text(crd_status status, char **text, const crd_error *error);

/* Flushes standard output. Reports a failure of any write to it since the start. */
int crd_cli_finish_output(void);

bool crd_cli_is_terminal(FILE *stream);
/* Whether it is a terminal that shows colours and NO_COLOR is not set. */
bool crd_cli_may_colour(FILE *stream);
/* Codes that switch bold on and off; empty unless the stream is a terminal that can show it. */
const char *crd_cli_bold(FILE *stream);
const char *crd_cli_plain(FILE *stream);

/* Allocates memory, or ends the program with an error line. */
void *crd_cli_allocate(void *old, size_t bytes);
/* printf into a string that the caller frees. */
char *crd_cli_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, appended to what *text holds (NULL: nothing). */
void crd_cli_append(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* An argument as a shell takes it, in quotes if it needs them; the caller frees it. */
char *crd_cli_shell_text(const char *argument);
/* "1.6 MB" into text, which has room for 16 characters. */
void crd_cli_size_text(int64_t bytes, char text[16]);
/* A name from outside, fit for a terminal: control characters become '?'. The caller frees it. */
char *crd_cli_printable(const char *name);

/* The width of standard output, by COLUMNS or the terminal; 0: unknown. */
int crd_cli_columns(void);
/* How many columns a text takes on the screen. */
int crd_cli_width(const char *text);
/* A text cut in the middle ("Artifi...Case-Based") if it is wider than so many columns, 8 or more. The caller frees
 * it. */
char *crd_cli_shortened(const char *text, int width);

/* A table of right-aligned columns; the first is left-aligned. Zero-initialise, set `columns`, add the
 * cells row by row, print. The first row is a heading if `heading` is set. Printing frees it. */
typedef struct crd_cli_table {
    int columns;
    bool heading;
    int left_columns; /* how many further columns are left-aligned */
    int cells, capacity;
    char **cell;
} crd_cli_table;

void crd_cli_table_add(crd_cli_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds the first row, a heading: the names of the columns, separated by bars. */
void crd_cli_table_head(crd_cli_table *table, const char *names, ...) __attribute__((format(printf, 2, 3)));
/* Adds a number with so many digits after the point; "n.a." for NaN. */
void crd_cli_table_add_number(crd_cli_table *table, int digits, double number);
void crd_cli_table_print(crd_cli_table *table, FILE *stream);

#endif
