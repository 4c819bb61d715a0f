#include "lab/table.h"

#include <stdlib.h>

#include "files.h"
#include "lab/command.h"

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
    if (code == CRD_CLI_DONE) code = crd_lab_command_add(folder, command);
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
