/* Loops over rows in parallel, with results that do not depend on the number of threads.
 *
 * Rows are cut into fixed blocks: how many depends on the rows alone. A block is worked on by one thread.
 * Sums go through crd_parallel_sum, which adds the blocks' partial sums in order.
 *
 * The threads are ours, not OpenMP's: an OpenMP runtime keeps its threads in process-wide state, ends the
 * program when it cannot make one, and burns the cores of a busy machine while it waits. */
#ifndef CRD_BASE_PARALLEL_H
#define CRD_BASE_PARALLEL_H

#include <stdint.h>

#include "base/status.h"

/* How many cores this process may use. */
int64_t crd_cores(void);
/* Seconds on a clock that only goes forward, to measure differences. */
double crd_seconds(void);

/* The threads that share the loops of one piece of work. A team is used by one caller at a time. */
typedef struct crd_team crd_team;

/* A team of `threads` (0: all cores), the caller among them. Where the system gives fewer threads, the team
 * is smaller: results are the same. */
crd_status crd_team_open(int64_t threads, crd_team **team, crd_error *error);
void crd_team_close(crd_team **team);
/* How many threads work at once, at most: for loops whose every thread needs memory of its own. 1 for NULL.
 */
int crd_team_size(const crd_team *team);

typedef void (*crd_rows_function)(int64_t begin, int64_t end, void *context);

/* Calls work(begin, end, context) for every block of `block` rows of 0 .. rows - 1. A team of NULL is the
 * caller alone. */
void crd_parallel_rows(crd_team *team, int64_t rows, int64_t block, crd_rows_function work, void *context);

/* A block's partial sums go to `sums`, `width` numbers that start at zero. */
typedef void (*crd_sum_function)(int64_t begin, int64_t end, double *sums, void *context);

#define CRD_MAX_SUMS 8

/* totals[w] = the blocks' sums[w], added in block order; width <= CRD_MAX_SUMS. Allocates nothing. */
void crd_parallel_sum(crd_team *team, int64_t rows, crd_sum_function work, void *context, int width,
                      double *totals);

#endif
