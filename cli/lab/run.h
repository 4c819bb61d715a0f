/* One run: a graph, a task, a row's configuration and a seed in, a line of the file of runs out. */
#ifndef CREDENCE_CLI_LAB_RUN_H
#define CREDENCE_CLI_LAB_RUN_H

#include <jansson.h>

#include "lab/graphs.h"
#include "lab/models.h"

typedef struct crd_lab_wanted crd_lab_wanted;

/* What is asked of the models. A new task is one more of these, in task.c. */
typedef struct crd_lab_task {
    const char *name, *help;
    const char *models; /* the rows of its table if none are named */
    bool leaves_out;    /* the last classes are kept from training */
    /* Measures a trained model: a JSON object, the line's "metrics". */
    crd_status (*measure)(const crd_lab_wanted *wanted, const crd_model *model, const crd_split *split,
                          char **metrics, crd_error *error);
} crd_lab_task;

/* The task of that name, NULL if there is none; the tasks one by one, NULL after the last. */
const crd_lab_task *crd_lab_task_find(const char *name);
const crd_lab_task *crd_lab_task_at(int index);

/* A run that is to be done. */
struct crd_lab_wanted {
    const crd_lab_task *task;
    const crd_lab_data *data;
    const crd_lab_model *model;
    const char *model_title; /* NULL: the model's own */
    const char *shift;       /* NULL: none */
    uint64_t seed;           /* of the split; the configuration's is the same */
    crd_config config;
};

/* Splits, trains, measures. `*outcome` is the second half of the run's line, for crd_lab_run_line. */
crd_status crd_lab_run_do(const crd_lab_wanted *wanted, char **outcome, crd_error *error) CRD_MUST_CHECK;

/* The line of a run that is over: with its outcome, or without one because of `why`. The caller frees it. */
char *crd_lab_run_line(const crd_lab_wanted *wanted, const char *outcome, const char *why, double seconds);

/* What crd_lab_runs_find takes to find this run. */
json_t *crd_lab_run_key(const crd_lab_wanted *wanted);

#endif
