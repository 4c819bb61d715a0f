/* Who is ahead: a candidate's trials taken together, and candidates compared. */
#ifndef CREDENCE_CLI_LAB_TUNE_RANK_H
#define CREDENCE_CLI_LAB_TUNE_RANK_H

#include "lab/tune_trial.h"

/* The epochs that a candidate may use on a rung; -1: no limit. */
int64_t crd_lab_budget(const crd_lab_tuning *tuning, int64_t candidate, int rung);
/* A trial's outcome, from whichever earlier one answers for it; NULL: it is still to be done. A training that
 * ended before its budget did would have ended so with a larger one. */
const crd_lab_outcome *crd_lab_find_outcome(const crd_lab_tuning *tuning, const crd_lab_trial *trial);
/* Remembers an outcome; takes its strings. */
void crd_lab_add_outcome(crd_lab_tuning *tuning, const crd_lab_trial *trial, crd_lab_outcome outcome);

/* A candidate's trials of a rung. All of them must be done; else false. */
bool crd_lab_summarise(const crd_lab_tuning *tuning, int64_t candidate, int rung,
                       crd_lab_tune_summary *summary);
/* Whether one score is better than another. */
bool crd_lab_better(crd_lab_criterion criterion, double a, double b);

/* Sorts the standings of a rung's candidates, whose summaries are made, best first: by the score, and for
 * criteria that detect those that lose too much accuracy after the others, the more accurate first; those
 * without a score last; equals in the candidates' order. Sets the rung's best accuracy. */
void crd_lab_rank(crd_lab_tuning *tuning, crd_lab_standing *standing, int64_t count, int rung);
/* Whether its accuracy is too far below the best of its rung. */
bool crd_lab_inaccurate(const crd_lab_tuning *tuning, const crd_lab_standing *standing);

#endif
