/* What an experiment consists of: every graph with every model and every seed. */
#ifndef CREDENCE_CLI_LAB_PLAN_H
#define CREDENCE_CLI_LAB_PLAN_H

#include "lab/changes.h"
#include "lab/lists.h"
#include "lab/run.h"

typedef struct crd_lab_plan {
    const crd_lab_task *task;
    const crd_lab_model **model;
    int models;
    uint64_t *seed;
    int64_t seeds;
    crd_lab_list shifts; /* of the task shift; else it is empty */
    crd_lab_changes changes;
    crd_lab_data *data;
    int datas;
    crd_lab_wanted *wanted; /* graph by graph, shift by shift, seed by seed, model by model: tables
                               fill evenly */
    int64_t count;
} crd_lab_plan;

/* Both read a command's options (--data, --data-dir, --models, --seeds, --shifts, --left-out, --split, --set,
 * --config, --title) and return the exit code, after having said what is wrong. Everything that can be wrong
 * is found here. */

/* The task, the models, the seeds: what can be checked at once. */
int crd_lab_plan_begin(crd_lab_plan *plan, const crd_cli_options *options, const char *task);
/* Opens the data and lists the runs. */
int crd_lab_plan_finish(crd_lab_plan *plan, const crd_cli_options *options);
/* Says which rows are left out for which graphs, and whose seeds share splits. */
void crd_lab_plan_say_notes(const crd_lab_plan *plan);
void crd_lab_plan_free(crd_lab_plan *plan);

#endif
