#include "lab/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"

static bool has_line(const char *text, const char *line)
{
    size_t length = strlen(line);
    for (const char *at = text; *at != '\0'; at += strcspn(at, "\n"), at += *at == '\n')
        if (strncmp(at, line, length) == 0 && (at[length] == '\n' || at[length] == '\0')) return true;
    return false;
}

/* Several commands may fill one folder; each is there once, however often it was resumed. */
static int add_command(const char *folder, const char *command)
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

int crd_lab_tables_write(const char *folder, const crd_lab_run *runs, int64_t count, const char *command,
                         const char *changed)
{
    crd_lab_summary summary;
    crd_lab_summary_make(&summary, runs, count, NULL);
    summary.changed = changed;
    int code = crd_cli_write_in(folder, "table.txt", crd_lab_table_text(&summary, false));
    if (code == CRD_CLI_DONE) code = crd_cli_write_in(folder, "table.md", crd_lab_table_markdown(&summary));
    if (code == CRD_CLI_DONE) code = crd_cli_write_in(folder, "table.tex", crd_lab_table_latex(&summary));
    if (code == CRD_CLI_DONE) code = crd_cli_write_in(folder, "table.csv", crd_lab_table_csv(&summary));
    if (code == CRD_CLI_DONE)
        code = crd_cli_write_in(folder, "table.json", crd_lab_table_json(&summary, command));
    if (code == CRD_CLI_DONE) code = add_command(folder, command);
    crd_lab_summary_free(&summary);
    return code;
}

void crd_lab_tables_print(const crd_lab_run *runs, int64_t count, const char *changed, FILE *stream)
{
    crd_lab_summary summary;
    crd_lab_summary_make(&summary, runs, count, NULL);
    summary.changed = changed;
    char *text = crd_lab_table_text(&summary, crd_cli_bold(stream)[0] != '\0');
    fputs(text, stream);
    free(text);
    crd_lab_summary_free(&summary);
}
