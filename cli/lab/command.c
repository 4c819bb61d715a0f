#include "lab/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "lab/text.h"

char *crd_lab_command_text(const crd_cli_options *options, const char *const *recorded)
{
    char *first = options->positional[0] == NULL ? NULL : crd_cli_shell_text(options->positional[0]);
    char *text = crd_cli_text("credence %s%s%s", options->command->name, first != NULL ? " " : "",
                              first != NULL ? first : "");
    free(first);
    for (; *recorded != NULL; recorded++) {
        const char *value = crd_cli_value(options, *recorded);
        if (value == NULL) continue;
        char *argument = crd_cli_shell_text(value), *longer = crd_cli_text("%s --%s %s", text, *recorded, argument);
        free(argument);
        free(text);
        text = longer;
    }
    char *whole = crd_cli_text("%s --out DIR", text);
    free(text);
    return whole;
}

static bool has_line(const char *text, const char *line)
{
    size_t length = strlen(line);
    for (const char *at = text; *at != '\0'; at += strcspn(at, "\n"), at += *at == '\n')
        if (strncmp(at, line, length) == 0 && (at[length] == '\n' || at[length] == '\0')) return true;
    return false;
}

int crd_lab_command_add(const char *folder, const char *command)
{
    char *path = crd_cli_text("%s/command.txt", folder), *line = crd_cli_printable(command);
    char *old = crd_lab_text_read(path);
    int code = CRD_CLI_DONE;
    if (old == NULL && errno == ENOENT) old = crd_cli_text("%s", "");
    if (old == NULL) {
        code = crd_cli_failf(CRD_CLI_FAILED, "%s: cannot read: %s", path, strerror(errno));
    } else if (!has_line(old, line)) {
        size_t length = strlen(old);
        char *text = crd_cli_text("%s%s%s\n", old, length > 0 && old[length - 1] != '\n' ? "\n" : "", line);
        code = crd_cli_write_text(path, text);
        free(text);
    }
    free(old);
    free(line);
    free(path);
    return code;
}
