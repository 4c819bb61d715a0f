/* Results for people and programs: rows with means over seeds, tables, paired differences. */
#ifndef CREDENCE_CLI_RUNS_RESULTS_H
#define CREDENCE_CLI_RUNS_RESULTS_H

#include "runs/runs.h"

/* ---- the numbers of runs ---- */

/* What a run looks for: nodes that are unlike the others, or its own wrong answers. */
typedef enum crd_cli_metric_kind {
    CRD_CLI_OF_NODES = 1,
    CRD_CLI_OF_FAILURES = 2,
    CRD_CLI_OF_ALL = 3
} crd_cli_metric_kind;

typedef struct crd_cli_metric {
    const char *name;          /* "auroc_epi" */
    const char *path;          /* its place in the metrics of the run's task; NULL: the name is the place */
    const char *group, *label; /* "AUROC", "epistemic" */
    crd_cli_metric_kind kind;  /* the runs that have it */
} crd_cli_metric;

crd_cli_metric_kind crd_cli_kind_of(const crd_cli_run *run);
/* The metrics of a kind by index, NULL after the last. The first CRD_CLI_COLUMNS are the columns of tables. */
enum { CRD_CLI_COLUMNS = 7 };
const crd_cli_metric *crd_cli_metric_at(crd_cli_metric_kind kind, int index);

/* A number of a run, by the name of a metric, or by its path in the metrics of the line's task, in the metrics
 * ("ood.epistemic.ap") or in the line ("seconds"). In percent if it is a fraction. NaN if the run has none. */
double crd_cli_run_number(const crd_cli_run *run, const char *metric);
bool crd_cli_is_percent(const char *metric);
/* Whether small numbers are good: errors, risks, times. */
bool crd_cli_is_loss(const char *metric);
/* If no run has the metric, a sentence that says so and names those there are; else NULL. The caller frees it. */
char *crd_cli_missing_metric(const crd_cli_run *runs, int64_t count, const char *metric);

/* ---- runs combined into the rows of a table: a row is a model on a graph, with means over the seeds ---- */

/* Percent; NaN if no run has the number, and for the deviation of a single run. */
typedef struct crd_cli_cell {
    int64_t runs; /* with this number */
    double mean, sd;
    bool best;  /* in its block: as large as the largest, in the digits shown */
    bool fewer; /* from fewer runs than another row of its block */
} crd_cli_cell;

typedef struct crd_cli_row {
    const crd_cli_run *like; /* one of its runs, which names task, data, shift, left-out classes and model */
    const char *title;       /* of the model */
    crd_cli_metric_kind kind;
    int64_t runs, failed; /* seeds that succeeded, and that failed */
    int64_t passed_over;  /* runs of an earlier configuration */
    int64_t first;        /* its runs in the summary begin here: `runs`, then `failed`, both sorted by seed */
    crd_cli_cell cell[CRD_CLI_COLUMNS];
} crd_cli_row;

typedef struct crd_cli_summary {
    crd_cli_row *row; /* by task, data, shift, left-out classes (and whether these were in the graph of
                         training) and model: a block is the rows that share all but the last */
    int64_t rows;
    const crd_cli_run **run;
} crd_cli_summary;

/* Combines runs, which must outlive the summary. A file may hold runs of a row with several configurations, splits or
 * versions of the data: only those like the row's last one count. Of runs with the same seed the last one that did
 * not fail counts. Apart from this, the order of the runs makes no difference. */
void crd_cli_summary_make(crd_cli_summary *summary, const crd_cli_run *runs, int64_t count);
void crd_cli_summary_free(crd_cli_summary *summary);
/* The end (one past the last row) of the block, or of the task's table, that begins at `first`. */
int64_t crd_cli_block_end(const crd_cli_summary *summary, int64_t first);
int64_t crd_cli_table_end(const crd_cli_summary *summary, int64_t first);
/* A row's number for any metric; not compared with other rows. */
crd_cli_cell crd_cli_cell_of(const crd_cli_summary *summary, const crd_cli_row *row, const char *metric);

/* The name of the run's model in tables: the line's "model_title", or the usual title of the model, or its name. */
const char *crd_cli_model_title(const crd_cli_run *run);
/* Whether a run's task ('t'), data ('d') or model ('m') has this name or title. */
bool crd_cli_run_is(const crd_cli_run *run, char which, const char *name);
/* If no run has the name, a sentence that says so and names those there are; else NULL. The caller frees it. */
char *crd_cli_missing_name(const crd_cli_run *runs, int64_t count, char which, const char *name);
/* The name of a row's data in a table: their title, and what distinguishes its block from others. The caller frees
 * it. */
char *crd_cli_block_title(const crd_cli_summary *summary, const crd_cli_row *row);

/* ---- tables. The same runs give the same bytes in any order ---- */

/* Prints a table, as Markdown or for a terminal, and frees it. */
void crd_cli_show_table(crd_cli_table *table, FILE *stream, bool markdown);
/* `set`: the value of --set, for a line below; NULL: none. */
void crd_cli_summary_print(const crd_cli_summary *summary, const char *set, FILE *stream, bool markdown);
/* One line per row and column, so that tasks with different columns fit into one file. The caller frees it. */
char *crd_cli_summary_csv(const crd_cli_summary *summary);
/* {"task", "data", "title", "label", "shift", "left_out", "inductive"}, which identify a row's block. */
json_t *crd_cli_block_of(const crd_cli_summary *summary, const crd_cli_row *row);
/* The same with "rows": [{"model", "title", "runs", "failed", "cells": {metric: {"mean", "sd", "runs", "fewer_runs",
 * "best"}}}] for the block from row `first` to `end`. */
json_t *crd_cli_block_json(const crd_cli_summary *summary, int64_t first, int64_t end);
/* "Detection of shifted nodes"; do not free it. */
const char *crd_cli_task_title(const char *task);

/* ---- pairs of models: their runs are paired by graph, split and seed, and compared ---- */

/* Set the question, make, release the list. */
typedef struct crd_cli_differences {
    const crd_cli_summary *summary;
    const char *metric; /* as crd_cli_run_number takes it */
    bool metric_given;  /* the user asked for it, so it must exist */
    const char *a, *b;  /* models by name or title. Without `a` it is the best of each block, or with `b` alone
                           every other model; without `b` it is every other model */
    uint64_t seed;      /* of the bootstrap */

    json_t *list;        /* in the order of tables: crd_cli_block_of with "a", "b", "metric" and the numbers */
    int64_t unpaired;    /* runs of these models without a partner */
    int64_t passed_over; /* runs of an earlier configuration */
} crd_cli_differences;

/* Compares. `runs` are those that the summary was made from. Returns NULL, or a sentence that says what is missing,
 * which the caller frees. If no model is named, it is no error that there is nothing to compare. */
char *crd_cli_differences_make(crd_cli_differences *differences, const crd_cli_run *runs, int64_t count);
void crd_cli_differences_print(const crd_cli_differences *differences, FILE *stream, bool markdown);

/* Compares two rows of a block by a metric and adds the numbers to an object. Returns the number of pairs; 0 if the
 * splits or the data differ, and then nothing was compared. The better number wins: the smaller one for losses. */
int64_t crd_cli_rows_compare(const crd_cli_summary *summary, const crd_cli_row *a, const crd_cli_row *b,
                             const char *metric, uint64_t seed, json_t *object);

#endif
