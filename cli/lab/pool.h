/* Pieces of work in processes of their own, some at a time: one that crashes, or that the system ends because
 * memory ran out, takes no other down, and results cannot depend on how many ran side by side. */
#ifndef CREDENCE_CLI_LAB_POOL_H
#define CREDENCE_CLI_LAB_POOL_H

#include "output.h"

typedef struct crd_lab_pool {
    int jobs;      /* how many work at a time; 0: as many as there are cores */
    int64_t count; /* pieces, started in the order 0 .. count - 1 */
    void *context; /* for the functions */
    /* Works on a piece, in a child that shares nothing with the parent but what was there before: writes no
     * file, prints nothing. `*result` is a string for `done`, from malloc or a library's call. */
    crd_status (*work)(void *context, int64_t index, char **result, crd_error *error);
    /* In the parent, as pieces finish, in whatever order. `result` NULL: it failed because of `why`, a
     * sentence without its full stop. False stops everything. */
    bool (*done)(void *context, int64_t index, const char *result, const char *why, double seconds);
    /* In the parent, a few times a second: the pieces being worked on now, and how many finished. May be
     * NULL. */
    void (*tick)(void *context, const int64_t *running, int count, int64_t finished);
} crd_lab_pool;

/* Works on all of them. Call crd_cli_catch_signals before it; an interruption (crd_cli_interrupted) ends the
 * children and is CRD_CLI_FAILED without a word, which is for the caller to say. If no process can be started
 * it says so. CRD_CLI_DONE otherwise: `done` has seen every piece, or has returned false, in which case the
 * children were ended too. */
int crd_lab_pool_run(const crd_lab_pool *pool);

/* The number of cores, at least 1. */
int crd_lab_cores(void);

/* Seconds on a clock that never jumps. */
double crd_lab_now(void);

#endif
