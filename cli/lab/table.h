/* The paper's table out of runs: means and deviations in percent, beside each the published value and the
 * difference, the best of a block in bold. */
#ifndef CREDENCE_CLI_LAB_TABLE_H
#define CREDENCE_CLI_LAB_TABLE_H

#include "lab/summary.h"
#include "lab/text.h"

/* Writes table.txt, .md, .tex, .csv and .json into a folder, each whole or not at all, and adds the command
 * that made the runs to its command.txt. The same runs give the same bytes, whatever order they came in.
 * `changed` is as in crd_lab_summary. Returns the exit code, after having said what is wrong. */
int crd_lab_tables_write(const char *folder, const crd_lab_run *runs, int64_t count, const char *command,
                         const char *changed);
/* For people, at most 120 columns wide. */
void crd_lab_tables_print(const crd_lab_run *runs, int64_t count, const char *changed, FILE *stream);

/* The same as texts, which the caller frees. `styled` is for terminals that show bold. */
char *crd_lab_table_text(const crd_lab_summary *summary, bool styled);
char *crd_lab_table_markdown(const crd_lab_summary *summary);
char *crd_lab_table_latex(const crd_lab_summary *summary);
char *crd_lab_table_csv(const crd_lab_summary *summary);
char *crd_lab_table_json(const crd_lab_summary *summary, const char *command); /* which may be NULL */

/* What a table of the task is called: "Detection of shifted nodes". */
const char *crd_lab_task_title(const char *task);

/* Parts of the JSON, for others to be made of: a cell, the rows of a block. */
json_t *crd_lab_cell_json(const crd_lab_cell *cell);
json_t *crd_lab_block_json(const crd_lab_row *row, int64_t count);

#endif
