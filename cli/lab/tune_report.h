/* What a search leaves: the chosen configuration, and tables of what was tried. */
#ifndef CREDENCE_CLI_LAB_TUNE_REPORT_H
#define CREDENCE_CLI_LAB_TUNE_REPORT_H

#include "lab/tune.h"

/* All are made of the trials alone: the same trials give the same bytes. */

/* The best ten, for people. */
void crd_lab_tune_print(const crd_lab_tuning *tuning, FILE *stream);
/* Every candidate as a Markdown page, as CSV, and the search as a JSON object; the caller frees them. */
char *crd_lab_tune_markdown(const crd_lab_tuning *tuning);
char *crd_lab_tune_csv(const crd_lab_tuning *tuning);
/* A JSON object a setting, one a line. */
char *crd_lab_tune_jsonl(const crd_lab_tuning *tuning);
char *crd_lab_tune_json(const crd_lab_tuning *tuning);

/* Reads a Markdown page's beginning back: the words about the search, which the caller frees, and its rungs, of
 * which `fresh` and `best_accuracy` are not said. NULL if it is not such a page. */
char *crd_lab_tune_read_facts(const char *page, crd_lab_rung rung[CRD_LAB_MOST_RUNGS], int *rungs);

/* What was done and what was chosen, in a few lines on standard error. */
void crd_lab_tune_say(const crd_lab_tuning *tuning, const char *output);

#endif
