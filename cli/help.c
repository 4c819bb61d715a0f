/* The help texts, and what to suggest when a name is mistyped. */
#include <stdlib.h>
#include <string.h>

#include "options.h"

enum { LINE = 80, COLUMN = 27 };

/* Prints words from the column on where the cursor stands, breaking before the line's end. A tab is a space
 * that no line breaks at. */
static void print_wrapped(FILE *stream, const char *text, int column)
{
    for (int at = column; *text != '\0'; text += *text == ' ') {
        int length = (int)strcspn(text, " ");
        if (at > column && at + 1 + length > LINE) {
            fprintf(stream, "\n%*s", column, "");
            at = column;
        } else if (at > column) {
            fputc(' ', stream);
            at++;
        }
        for (int i = 0; i < length; i++) fputc(text[i] == '\t' ? ' ' : text[i], stream);
        at += length;
        text += length;
    }
    fputc('\n', stream);
}

static void print_option(FILE *stream, const crd_cli_option *option)
{
    int at = option->letter != 0 ? fprintf(stream, "  -%c, ", option->letter) : fprintf(stream, "      ");
    at += fprintf(stream, "--%s%s", option->negatable ? "[no-]" : "", option->name);
    if (option->argument != NULL) at += fprintf(stream, " %s", option->argument);
    if (at > COLUMN - 2) {
        fputc('\n', stream);
        at = 0;
    }
    fprintf(stream, "%*s", COLUMN - at, "");
    char *text = option->shown_default[0] != '\0'
                     ? crd_cli_text("%s [default:\t%s]", option->help, option->shown_default)
                     : crd_cli_text("%s", option->help);
    print_wrapped(stream, text, COLUMN);
    free(text);
}

void crd_cli_print_help(const crd_cli_options *options, FILE *stream)
{
    const crd_cli_command *command = options->command;
    fprintf(stream, "%sUsage:%s credence %s", crd_cli_bold(stream), crd_cli_plain(stream), command->name);
    for (int i = 0; i < CRD_CLI_MAX_POSITIONAL && command->positional[i] != NULL; i++)
        fprintf(stream, " %s", command->positional[i]);
    if (command->any_number != NULL) fprintf(stream, " [%s...]", command->any_number);
    for (int i = 0; i < options->count && command->required != NULL; i++) {
        const crd_cli_option *option = &options->option[i];
        if (strcmp(option->name, command->required) != 0) continue;
        if (option->letter != 0) fprintf(stream, " -%c %s", option->letter, option->argument);
        else fprintf(stream, " --%s %s", option->name, option->argument);
    }
    fprintf(stream, " [options]\n\n%s\n\n%sOptions:%s\n", command->description, crd_cli_bold(stream),
            crd_cli_plain(stream));
    for (int i = 0; i < options->count; i++) print_option(stream, &options->option[i]);
    const crd_cli_option help = {.letter = 'h', .name = "help", .help = "show this help"};
    print_option(stream, &help);
    if (command->more_help != NULL) command->more_help(stream);
}

/* The Levenshtein distance of two short words. */
static int distance(const char *a, const char *b)
{
    enum { MOST = 64 };
    int row[MOST + 1];
    int length = (int)strlen(b);
    if (length > MOST || strlen(a) > MOST) return MOST;
    for (int j = 0; j <= length; j++) row[j] = j;
    for (int i = 1; a[i - 1] != '\0'; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= length; j++) {
            int change = diagonal + (a[i - 1] != b[j - 1]);
            int drop = row[j] + 1, insert = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = change < drop ? change : drop;
            if (insert < row[j]) row[j] = insert;
        }
    }
    return row[length];
}

const char *crd_cli_nearest(const char *typed, const char *const *candidates, int count)
{
    const char *nearest = NULL;
    size_t length = strlen(typed);
    int least = length < 4 ? 1 : length < 7 ? 2 : 3;
    for (int i = 0; i < count; i++) {
        /* The beginning of a name is the commonest way to know it. */
        if (length >= 3 && strncmp(candidates[i], typed, length) == 0) return candidates[i];
        int d = distance(typed, candidates[i]);
        if (d < least || (d == least && nearest == NULL)) {
            least = d;
            nearest = candidates[i];
        }
    }
    /* A part of a name, as --epochs of --max-epochs. */
    for (int i = 0; i < count && nearest == NULL && length >= 4; i++)
        if (strstr(candidates[i], typed) != NULL) nearest = candidates[i];
    return nearest;
}
