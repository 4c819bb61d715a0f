#include "lab/command.h"

#include <stdlib.h>
#include <string.h>

/* An argument as a shell takes it. */
static char *shell_text(const char *argument)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=,./:@%";
    if (argument[0] != '\0' && argument[strspn(argument, plain)] == '\0') return crd_cli_text("%s", argument);
    char *text = crd_cli_text("'");
    for (const char *c = argument; *c != '\0'; c++) {
        char *longer = *c == '\'' ? crd_cli_text("%s'\\''", text) : crd_cli_text("%s%c", text, *c);
        free(text);
        text = longer;
    }
    char *closed = crd_cli_text("%s'", text);
    free(text);
    return closed;
}

char *crd_lab_command_text(const crd_cli_options *options, const char *const *recorded)
{
    const char *first = options->positional[0];
    char *text = crd_cli_text("credence %s%s%s", options->command->name, first != NULL ? " " : "",
                              first != NULL ? first : "");
    for (; *recorded != NULL; recorded++) {
        const char *value = crd_cli_value(options, *recorded);
        if (value == NULL) continue;
        char *argument = shell_text(value), *longer = crd_cli_text("%s --%s %s", text, *recorded, argument);
        free(argument);
        free(text);
        text = longer;
    }
    char *whole = crd_cli_text("%s --out DIR", text);
    free(text);
    return whole;
}
