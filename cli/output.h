/* What people see: error lines, tables, colour. */
#ifndef CREDENCE_CLI_OUTPUT_H
#define CREDENCE_CLI_OUTPUT_H

#include <stdio.h>

#include "credence.h"

enum { CRD_CLI_DONE = 0, CRD_CLI_FAILED = 1, CRD_CLI_MISUSED = 2 };

/* The one line of an error, "credence: ...", whatever the message holds. Both return the exit code: that
 * of the error's status, or the one given. */
int crd_cli_fail(const crd_error *error);
int crd_cli_failf(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* One line on standard error that is no error. */
void crd_cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Flushes standard output; the failure of any write to it since the start is reported here. */
int crd_cli_finish_output(void);

bool crd_cli_is_terminal(FILE *stream);
/* Whether it is a terminal that shows colours, and nobody asked for none (NO_COLOR). */
bool crd_cli_may_colour(FILE *stream);
/* Switches bold on and off; nothing unless the stream is a terminal that may show it. */
const char *crd_cli_bold(FILE *stream);
const char *crd_cli_plain(FILE *stream);

/* Memory, or the end of the program with its error line. */
void *crd_cli_allocate(void *old, size_t bytes);
/* printf into a string that the caller frees. */
char *crd_cli_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same behind what *text holds already; NULL: nothing. */
void crd_cli_append(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* An argument as a shell takes it, in quotes where it needs them; the caller frees it. */
char *crd_cli_shell_text(const char *argument);
/* A name from outside, fit for a terminal: control characters become '?'. The caller frees it. */
char *crd_cli_printable(const char *name);

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
/* The first row, a heading: the names of the columns with bars between them. */
void crd_cli_table_head(crd_cli_table *table, const char *names);
/* A number with so many digits after the point; "n.a." for NaN. */
void crd_cli_table_add_number(crd_cli_table *table, int digits, double number);
void crd_cli_table_print(crd_cli_table *table, FILE *stream);

#endif
