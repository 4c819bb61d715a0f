/* One trial, and the line of trials.jsonl that remembers it. */
#ifndef CREDENCE_CLI_LAB_TUNE_TRIAL_H
#define CREDENCE_CLI_LAB_TUNE_TRIAL_H

#include "lab/tune.h"

typedef struct crd_lab_trial {
    int64_t candidate;
    int split, held;
    int64_t budget; /* epochs; -1: no limit */
} crd_lab_trial;

/* Trains and measures, in a process of its own: it changes the order of the dataset's classes. *result is the
 * part of the line that says how it went; a training that diverges is a result too, and so
 * are answers that leave nothing to detect. */
crd_status crd_lab_trial_run(const crd_lab_tuning *tuning, const crd_lab_trial *trial, char **result,
                             crd_error *error) CRD_MUST_CHECK;

/* The line for a result, or for a trial that failed because of `why`. The caller frees it. */
char *crd_lab_trial_line(const crd_lab_tuning *tuning, const crd_lab_trial *trial, const char *result,
                         const char *why, double seconds);

/* What tells trials of different candidates, splits and data apart, budgets not counted: of a trial, and of a
 * line; NULL for a line of another command. The caller frees it. */
char *crd_lab_trial_key(const crd_lab_tuning *tuning, const crd_lab_trial *trial);
char *crd_lab_line_key(const json_t *line);

/* What a line says about how it went. */
crd_lab_outcome crd_lab_line_outcome(crd_lab_criterion criterion, const json_t *line);

#endif
