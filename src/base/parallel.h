/* SPDX-License-Identifier: MIT */
/* Loops over rows in parallel, with results that do not depend on the number of threads: one thread works on one
 * block of rows, and the cut into blocks depends only on the number of rows. Sums over rows have their own header,
 * base/tree.h.
 *
 * The threads are ours, not OpenMP's: an OpenMP runtime keeps its threads in process-wide state, ends the program
 * when it cannot make one, and burns the cores of a busy machine while it waits. */
#ifndef CRD_BASE_PARALLEL_H
#define CRD_BASE_PARALLEL_H

#include <stdint.h>

#include "base/status.h"

/* Seconds on a clock that only goes forward, to measure differences. */
double crd_seconds(void);

/* The threads that share the loops of one piece of work. A team is used by one caller at a time. */
typedef struct crd_team crd_team;

/* A team of `threads` (0: crd_usual_threads), the caller among them. If the system gives fewer threads, the team is
 * smaller; results stay the same. */
crd_status crd_team_open(int64_t threads, crd_team **team, crd_error *error);
void crd_team_close(crd_team **team);
/* Whether loops of this team end early once the current watch (base/watch.h) asks to stop: tasks that nobody has begun
 * are then left out, so nothing that a loop was to fill can be used, least of all as an index. Off at first. */
void crd_team_watch(crd_team *team, bool watched);
/* The largest number of threads that work at once, for loops in which each thread needs its own memory. 1 for NULL. */
int crd_team_size(const crd_team *team);

/* `worker` is the calling thread, 0 to crd_team_size - 1, for memory that belongs to one thread. */
typedef void (*crd_task_function)(int64_t task, int worker, void *context);

/* Calls work(task, worker, context) once for every task 0 .. tasks - 1. A team of NULL is the caller alone, and is not
 * watched. */
void crd_parallel_tasks(crd_team *team, int64_t tasks, crd_task_function work, void *context);

typedef void (*crd_rows_function)(int64_t begin, int64_t end, void *context);

/* Calls work(begin, end, context) for every block of `block` rows of 0 .. rows - 1. */
void crd_parallel_rows(crd_team *team, int64_t rows, int64_t block, crd_rows_function work, void *context);

#endif
