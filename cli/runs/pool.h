/* Pieces of work in processes of their own, some at a time. A piece that crashes, or that the system ends
 * because memory ran out, takes no other down, and results cannot depend on how many run side by side. */
#ifndef CREDENCE_CLI_RUNS_POOL_H
#define CREDENCE_CLI_RUNS_POOL_H

#include "options.h"

typedef struct crd_cli_pool {
    int jobs;      /* how many work at a time */
    int64_t count; /* pieces, started in the order 0 .. count - 1 */
    void *context; /* for the functions */
    /* Works on a piece, in a child that shares nothing with the parent but what was there before: writes no
     * file, prints nothing. `*result` is a string for `done`. */
    crd_status (*run)(void *context, int64_t index, char **result, crd_error *error);
    /* In the parent, as pieces finish, in whatever order. `result` NULL: it failed because of `why`, a
     * sentence without its full stop. Returns an exit code; any but CRD_CLI_DONE stops everything. */
    int (*done)(void *context, int64_t index, const char *result, const char *why, double seconds);
    /* What people call a piece; the caller frees it. */
    char *(*name)(void *context, int64_t index);

    /* Progress, on standard error: a live line on a terminal; else a line after a piece that has finished,
     * but not more often than every so many seconds. */
    bool quiet;
    const char *what;     /* what the line begins with: "rung 1 of 3: ", or "" */
    double every_seconds; /* between two lines */
    double later;         /* work that comes after these pieces, counted in such pieces */
} crd_cli_pool;

/* Works on all pieces. Call crd_cli_catch_signals before it: an interruption (crd_cli_interrupted) ends the
 * children and is CRD_CLI_FAILED without a word. Otherwise returns the exit code. */
int crd_cli_pool_run(const crd_cli_pool *pool);

/* Reads --jobs; 0, which is the default, is the number of cores. Returns the exit code. */
int crd_cli_jobs(const crd_cli_options *options, int *jobs);

#endif
