/* Experiments and tunings as parts of a report. */
#ifndef CREDENCE_CLI_LAB_REPORT_H
#define CREDENCE_CLI_LAB_REPORT_H

#include "output.h"

/* Whether a folder is one that an experiment or a tuning has filled. */
bool crd_lab_report_takes(const char *folder);
/* Adds a part for the folder of an experiment or a tuning; returns an exit code. */
int crd_lab_report_add(crd_report *report, const char *folder);
/* What a report of this folder alone is called. The caller frees it. */
char *crd_lab_report_title(const char *folder);

#endif
