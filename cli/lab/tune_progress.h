/* What people see while the search runs. */
#ifndef CREDENCE_CLI_LAB_TUNE_PROGRESS_H
#define CREDENCE_CLI_LAB_TUNE_PROGRESS_H

#include <time.h>

#include "lab/tune.h"

typedef struct crd_lab_tune_progress {
    bool quiet;
    int rung, rungs;
    int64_t total; /* trials of the rung that are to be done */
    int64_t finished;
    double later;    /* the work of later rungs, as a multiple of a trial of this one */
    double best;     /* the best score of a candidate that has done all trials of the rung; NaN: none yet */
    double started;  /* crd_lab_now */
    time_t shown_at; /* when something was shown last */
    bool line;       /* a live line is on the screen */
} crd_lab_tune_progress;

/* Shows the state: a line that stays in its place on a terminal, else a line a minute. */
void crd_lab_tune_show(crd_lab_tune_progress *progress);
/* Removes the live line. */
void crd_lab_tune_hide(crd_lab_tune_progress *progress);

#endif
