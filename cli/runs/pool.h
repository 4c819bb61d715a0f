/* Pieces of work in separate processes, several at a time. If a piece crashes, or the system ends it because memory
 * ran out, the others go on. Results cannot depend on how many run side by side. */
#ifndef CREDENCE_CLI_RUNS_POOL_H
#define CREDENCE_CLI_RUNS_POOL_H

#include "options.h"

typedef struct crd_cli_pool {
    int jobs;      /* how many work at a time */
    int64_t count; /* pieces, started in the order 0 .. count - 1 */
    void *context; /* for the functions */
    /* Works on a piece, in a child that has a copy of the parent's memory: writes no file, prints nothing.
     * `*result` is a string for `done`. */
    crd_status (*run)(void *context, int64_t index, char **result, crd_error *error);
    /* Runs in the parent as pieces finish, in any order. `result` NULL: the piece failed because of `why`, a
     * sentence without its full stop. Returns an exit code; any but CRD_CLI_DONE stops everything. */
    int (*done)(void *context, int64_t index, const char *result, const char *why, double seconds);
    /* What messages call a piece; the caller frees it. */
    char *(*name)(void *context, int64_t index);

    /* Progress on standard error: a live line on a terminal; else a line after a piece has finished, at most one
     * every `every_seconds`. */
    bool quiet;
    const char *what;     /* how the line begins: "rung 1 of 3: ", or "" */
    double every_seconds; /* between two lines */
    double later;         /* work that follows these pieces, measured in pieces */
} crd_cli_pool;

/* Works on all pieces. Call crd_cli_catch_signals first: an interruption (crd_cli_interrupted) ends the children
 * and returns CRD_CLI_FAILED silently. Otherwise returns the exit code. */
int crd_cli_pool_run(const crd_cli_pool *pool);

/* Reads --jobs; 0, the default, means the number of cores. Returns the exit code. */
int crd_cli_jobs(const crd_cli_options *options, int *jobs);

#endif
