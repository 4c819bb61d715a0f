/* The task shift: test nodes are changed after training, and the model should notice. */
#ifndef CREDENCE_CLI_LAB_SHIFT_TASK_H
#define CREDENCE_CLI_LAB_SHIFT_TASK_H

#include "lab/lists.h"
#include "lab/run.h"

/* What is done if --shifts does not say so. */
#define CRD_LAB_SHIFTS \
    "bernoulli:0.1,normal:0.1,bernoulli:0.1:isolated,normal:0.1:isolated,rewire:0.1,dice:0.1"

/* A shift spelt in full, "dice:0.1:all" for "dice:0.10"; the caller frees it. NULL: the error says why it is
 * none. */
char *crd_lab_shift_spelt(const char *text, crd_error *error);

/* The shifts of --shifts, each spelt in full ("dice:0.1:all"): runs are found by it. Returns the exit code,
 * after having said what is wrong. */
int crd_lab_shifts_read(const crd_cli_options *options, crd_lab_list *shifts);

/* crd_lab_task.measure: the run's seed is the shift's too. */
crd_status crd_lab_find_shifted(const crd_lab_wanted *wanted, const crd_model *model, const crd_split *split,
                                char **metrics, crd_error *error);

#endif
