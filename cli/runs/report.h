/* Folders of 'compare' and 'tune' as parts of a report. */
#ifndef CREDENCE_CLI_RUNS_REPORT_H
#define CREDENCE_CLI_RUNS_REPORT_H

#include "output.h"

/* Whether a folder is one that 'compare' or 'tune' has filled. */
bool crd_cli_is_runs_folder(const char *folder);
/* Adds a part for such a folder; returns the exit code. */
int crd_cli_report_folder(crd_report *report, const char *folder);
/* What a report of this folder alone is called. The caller frees it. */
char *crd_cli_report_title(const char *folder);

#endif
