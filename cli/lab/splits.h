/* Which split belongs to a seed: one rule for experiments and for tuning. */
#ifndef CREDENCE_CLI_LAB_SPLITS_H
#define CREDENCE_CLI_LAB_SPLITS_H

#include "output.h"

/* How many splits of their own the data have that `spec` stands for; 0: the seeds draw them. */
crd_status crd_lab_splits_count(const crd_dataset *dataset, const char *spec, int *own,
                                crd_error *error) CRD_MUST_CHECK;
/* The number of the data's own split that a seed has: they are taken in turn. */
int crd_lab_split_index(int own, uint64_t seed);
/* The split of a seed: drawn by it, or one of the data's own. */
crd_status crd_lab_split_make(const crd_dataset *dataset, const char *spec, int own, uint64_t seed,
                              crd_split **split, crd_error *error) CRD_MUST_CHECK;
/* Says that seeds have to share splits, if there are more seeds than splits. */
void crd_lab_splits_say(const char *data, int own, int64_t seeds);

#endif
