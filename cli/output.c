/* SPDX-License-Identifier: MIT */
#include "output.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* File names and data may contain line breaks and terminal codes; an error stays one harmless line. */
static void make_printable(char *text)
{
    for (unsigned char *c = (unsigned char *)text; *c != '\0'; c++)
        if (*c < 0x20 || *c == 0x7f) *c = '?';
}

/* Prints a line on standard error. */
static void print_line(const char *begin, const char *format, va_list arguments)
{
    char message[2048];
    vsnprintf(message, sizeof message, format, arguments);
    make_printable(message);
    fprintf(stderr, "%s%s\n", begin, message);
}

int crd_cli_failf(int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    print_line("credence: ", format, arguments);
    va_end(arguments);
    return code;
}

int crd_cli_fail(const crd_error *error)
{
    return crd_cli_failf(error->status == CRD_ERROR_ARGUMENT ? CRD_CLI_MISUSED : CRD_CLI_FAILED, "%s", error->message);
}

void crd_cli_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("", format, arguments);
    va_end(arguments);
}

/* The line must not wrap, or the next one would not cover it. */
void crd_cli_live_line(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("\r\033[?7l", stderr);
    vfprintf(stderr, format, arguments);
    fputs("\033[K\033[?7h", stderr);
    va_end(arguments);
}

int crd_cli_print_text(crd_status status, char **text, const crd_error *error)
{
    if (status != CRD_OK) return crd_cli_fail(error);
    puts(*text);
    crd_string_free(text);
    return CRD_CLI_DONE;
}

int crd_cli_finish_output(void)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) return CRD_CLI_DONE;
    return crd_cli_failf(CRD_CLI_FAILED, "standard output: cannot write: %s", strerror(errno != 0 ? errno : EIO));
}

bool crd_cli_is_terminal(FILE *stream)
{
    return isatty(fileno(stream)) == 1;
}

bool crd_cli_may_colour(FILE *stream)
{
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return crd_cli_is_terminal(stream) && no_colour == NULL && terminal != NULL && strcmp(terminal, "dumb") != 0;
}

const char *crd_cli_bold(FILE *stream)
{
    return crd_cli_may_colour(stream) ? "\033[1m" : "";
}

const char *crd_cli_plain(FILE *stream)
{
    return crd_cli_may_colour(stream) ? "\033[0m" : "";
}

void *crd_cli_allocate(void *old, size_t bytes)
{
    void *memory = realloc(old, bytes > 0 ? bytes : 1);
    if (memory != NULL) return memory;
    exit(crd_cli_failf(CRD_CLI_FAILED, "out of memory (%zu bytes were asked for)", bytes));
}

static char *format_text(const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    size_t size = length < 0 ? 1 : (size_t)length + 1;
    char *text = crd_cli_allocate(NULL, size);
    text[0] = '\0';
    vsnprintf(text, size, format, arguments);
    return text;
}

char *crd_cli_text(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = format_text(format, arguments);
    va_end(arguments);
    return text;
}

void crd_cli_append(char **text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *more = format_text(format, arguments), *before = *text;
    va_end(arguments);
    *text = crd_cli_text("%s%s", before != NULL ? before : "", more);
    free(before);
    free(more);
}

char *crd_cli_shell_text(const char *argument)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=,./:@%";
    if (argument[0] != '\0' && argument[strspn(argument, plain)] == '\0') return crd_cli_text("%s", argument);
    char *text = crd_cli_text("'");
    for (const char *c = argument; *c != '\0'; c++) crd_cli_append(&text, *c == '\'' ? "'\\''" : "%c", *c);
    crd_cli_append(&text, "'");
    return text;
}

void crd_cli_size_text(int64_t bytes, char text[16])
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB"};
    double amount = (double)bytes;
    int unit = 0;
    for (; amount >= 999.5 && unit < 3; unit++) amount /= 1000.0;
    snprintf(text, 16, "%.*f %s", unit == 0 || amount >= 99.95 ? 0 : 1, amount, units[unit]);
}

char *crd_cli_printable(const char *name)
{
    char *copy = crd_cli_text("%s", name);
    make_printable(copy);
    return copy;
}

int crd_cli_columns(void)
{
    const char *columns = getenv("COLUMNS");
    const int given = columns != NULL ? atoi(columns) : 0;
    struct winsize size;
    if (given > 0) return given;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static void add_cell(crd_cli_table *table, char *text)
{
    if (table->cells == table->capacity) {
        table->capacity = table->capacity == 0 ? 64 : 2 * table->capacity;
        table->cell = crd_cli_allocate(table->cell, (size_t)table->capacity * sizeof *table->cell);
    }
    make_printable(text);
    table->cell[table->cells++] = text;
}

void crd_cli_table_add(crd_cli_table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_cell(table, format_text(format, arguments));
    va_end(arguments);
}

void crd_cli_table_head(crd_cli_table *table, const char *names, ...)
{
    va_list arguments;
    va_start(arguments, names);
    char *text = format_text(names, arguments);
    va_end(arguments);
    table->heading = true;
    for (char *name = text, *end; name != NULL; name = end) {
        end = strchr(name, '|');
        if (end != NULL) *end++ = '\0';
        crd_cli_table_add(table, "%s", name);
    }
    free(text);
}

void crd_cli_table_add_number(crd_cli_table *table, int digits, double number)
{
    add_cell(table, isnan(number) ? crd_cli_text("n.a.") : crd_cli_text("%.*f", digits, number));
}

/* UTF-8 continuation bytes take no column. */
int crd_cli_width(const char *text)
{
    int width = 0;
    for (; *text != '\0'; text++) width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

char *crd_cli_shortened(const char *text, int width)
{
    const char *end = text + strlen(text), *tail = end;
    const int cut = crd_cli_width(text) - width, head = (width - 3) / 3;
    if (cut <= 0) return crd_cli_text("%s", text);
    for (int left = width - 3 - head; left > 0; left--) do
            tail--;
        while (((unsigned char)*tail & 0xc0) == 0x80);
    size_t bytes = 0;
    for (int w = 0; w <= head; bytes++) w += ((unsigned char)text[bytes] & 0xc0) != 0x80;
    return crd_cli_text("%.*s...%s", (int)bytes - 1, text, tail);
}

void crd_cli_table_print(crd_cli_table *table, FILE *stream)
{
    int columns = table->columns;
    int *width = crd_cli_allocate(NULL, (size_t)columns * sizeof *width);
    for (int c = 0; c < columns; c++) width[c] = 0;
    for (int i = 0; i < table->cells; i++) {
        int w = crd_cli_width(table->cell[i]);
        if (w > width[i % columns]) width[i % columns] = w;
    }
    for (int i = 0; i < table->cells; i++) {
        int column = i % columns;
        bool heading = table->heading && i < columns, last = column == columns - 1;
        int gap = width[column] - crd_cli_width(table->cell[i]);
        bool left = column <= table->left_columns;
        if (heading && column == 0) fputs(crd_cli_bold(stream), stream);
        fprintf(stream, "%*s%s%*s", left ? 0 : gap, "", table->cell[i], left && !last ? gap : 0, "");
        if (heading && last) fputs(crd_cli_plain(stream), stream);
        fputs(last ? "\n" : "  ", stream);
        free(table->cell[i]);
    }
    free(width);
    free(table->cell);
    *table = (crd_cli_table){0};
}
