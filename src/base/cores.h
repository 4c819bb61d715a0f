/* SPDX-License-Identifier: MIT */
/* How many cores this process may use: those it may run on, and no more than its CPU quota is worth. */
#ifndef CRD_BASE_CORES_H
#define CRD_BASE_CORES_H

#include <stdint.h>

/* The cores that the process may run on (its affinity mask), or fewer if a control group gives it less time: at least
 * 1. Whatever cannot be read does not count. */
int64_t crd_cores(void);

/* How many threads "0 threads" means: crd_cores, or OMP_NUM_THREADS if that is a smaller number above 0. */
int64_t crd_usual_threads(void);

/* The CPU quota of the process in cores, rounded up: the least one of its own control groups and of all groups around
 * them, of either version. INT64_MAX if there is none. `root` stands in front of every path that is read ("" for the
 * real system), so that tests can make trees of their own. */
int64_t crd_quota_cores(const char *root);

/* The first number of a list like "4,3,2"; 0 if `list` is NULL or does not begin with a number above 0. */
int64_t crd_first_of_list(const char *list);

#endif
