/* How an experiment is shown while it runs: what runs, how much is left, when it ends. */
#ifndef CREDENCE_CLI_LAB_LIVE_H
#define CREDENCE_CLI_LAB_LIVE_H

#include "lab/plan.h"

typedef struct crd_lab_live {
    const crd_lab_plan *plan;
    bool quiet;
    int jobs;
    int64_t total, done, failed; /* runs of this start, and how far they are */
    double *seconds;             /* what the runs of a graph and a model took, in sum */
    int64_t *runs;               /* and how many they were; one a graph and model */
    double *started;             /* one a run of the plan; negative: not running */
    bool *over;                  /* likewise */
    bool line;                   /* a live line is on the screen */
} crd_lab_live;

void crd_lab_live_begin(crd_lab_live *live, const crd_lab_plan *plan, int jobs, bool quiet);
/* A run of the plan that needs not be done: it took so long before. */
void crd_lab_live_skip(crd_lab_live *live, int64_t index, double seconds);
/* Called in between: shows the live line, on a terminal. */
void crd_lab_live_show(crd_lab_live *live, const int64_t *running, int count);
/* A run is over: well, or because of `why`. */
void crd_lab_live_over(crd_lab_live *live, int64_t index, const char *why, double seconds);
/* Takes the live line away, for other words; the next crd_lab_live_show brings it back. */
void crd_lab_live_clear(crd_lab_live *live);
/* Takes it away for good. */
void crd_lab_live_end(crd_lab_live *live);

#endif
