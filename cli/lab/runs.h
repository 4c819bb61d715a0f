/* The file of runs: one JSON object a line, each line appended whole as soon as its run is over. */
#ifndef CREDENCE_CLI_LAB_RUNS_H
#define CREDENCE_CLI_LAB_RUNS_H

#include <jansson.h>

#include "output.h"

/* A line, and what is looked at most. The strings belong to the line. */
typedef struct crd_lab_run {
    const char *task, *data;
    const char *title; /* of the data */
    const char *model;
    const char *shift; /* NULL: none */
    int shift_place;   /* among those that a command names, which tables follow; 0 as it was read */
    int64_t left_out;  /* classes, as the configuration has it; -1: it does not say */
    bool inductive;
    uint64_t seed;
    bool failed;       /* the line has an "error" instead of "training" and "metrics" */
    json_t *line;      /* all of it; an "error" or "metrics" is in here */
} crd_lab_run;

typedef struct crd_lab_runs {
    char *path;
    int file; /* -1: only read */
    crd_lab_run *run;
    int64_t count, capacity;
} crd_lab_runs;

/* All return the exit code, after having said what is wrong. */

/* Opens a file of runs to append to, creating it if it is not there, and reads what it holds. The file is
 * locked: a second process that opens it gets an error. A last line without its end, which only a crash of
 * the machine can leave, is cut off. */
int crd_lab_runs_open(crd_lab_runs *runs, const char *path);
/* Reads a file of runs, which another process may be appending to. */
int crd_lab_runs_read(crd_lab_runs *runs, const char *path);
/* Appends a line, given without its line break: on disk when this returns, or not there at all. */
int crd_lab_runs_append(crd_lab_runs *runs, const char *line);
void crd_lab_runs_close(crd_lab_runs *runs);

/* Whether a run is the one that an object with "task", "data", "fingerprint", "model", "seed", "split",
 * "split_index" and "shift" (or none) and "config" describes. Of two runs that are, the later one counts, but
 * one that failed only if none did not. Returns it or NULL; it is valid until the next append. */
const crd_lab_run *crd_lab_runs_find(const crd_lab_runs *runs, const json_t *wanted);

/* How many runs that ended well are none of those that the objects describe. */
int64_t crd_lab_runs_others(const crd_lab_runs *runs, json_t *const *wanted, int64_t count);

/* What tables call the run's model: the line's "model_title" (rows of somebody's own configuration have one),
 * or the title that belongs to the name, or the name itself. */
const char *crd_lab_run_model_title(const crd_lab_run *run);

#endif
