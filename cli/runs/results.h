/* Results for people and programs: rows with means over seeds, tables, paired differences. */
#ifndef CREDENCE_CLI_RUNS_RESULTS_H
#define CREDENCE_CLI_RUNS_RESULTS_H

#include "runs/runs.h"

/* Runs combined into the rows of a table: a row is a model on a graph, with means over the seeds. */

/* The columns of a task's table. */
enum { CRD_CLI_COLUMNS = 7 };
typedef struct crd_cli_column {
    const char *metric;       /* "auroc_epi" */
    const char *group, *name; /* "AUROC", "epistemic"; the first column has no group */
} crd_cli_column;

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
    const crd_cli_column *column;
    int64_t runs, failed; /* seeds that succeeded, and that failed */
    int64_t passed_over;  /* runs of an earlier configuration */
    int64_t first;        /* its runs in the summary are `runs` from here on, sorted by seed */
    crd_cli_cell cell[CRD_CLI_COLUMNS];
} crd_cli_row;

typedef struct crd_cli_summary {
    crd_cli_row *row; /* by task, data, shift, left-out classes (and whether these were in the graph of
                         training) and model: a block is the rows that share all but the last */
    int64_t rows;
    const crd_cli_run **run;
} crd_cli_summary;

/* Combines the runs of these tasks and data (comma-separated names or titles; NULL: all). The runs must outlive the
 * summary. A file may hold runs of a row with several configurations, splits or versions of the data: only those
 * like the row's last one count. Of runs with the same seed the last one that did not fail counts. Apart from this,
 * the order of the runs makes no difference. */
void crd_cli_summary_make(crd_cli_summary *summary, const crd_cli_run *runs, int64_t count, const char *tasks,
                          const char *data);
void crd_cli_summary_free(crd_cli_summary *summary);
/* The end (one past the last row) of the block, or of the task's table, that begins at `first`. */
int64_t crd_cli_block_end(const crd_cli_summary *summary, int64_t first);
int64_t crd_cli_table_end(const crd_cli_summary *summary, int64_t first);
/* The name of a row's data in a table: their title, and what distinguishes its block from others. The caller frees
 * it. */
char *crd_cli_block_title(const crd_cli_summary *summary, const crd_cli_row *row);
/* Whether two runs belong to the same row. */
bool crd_cli_same_row(const crd_cli_run *a, const crd_cli_run *b);

/* The name of the run's model in tables: the line's "model_title", or the usual title of the model, or its name. */
const char *crd_cli_model_title(const crd_cli_run *run);
/* Looks for a name in a comma-separated list that no run has as task ('t'), data ('d') or model ('m', not a list).
 * Returns a sentence that says so and names those there are, or NULL if all exist. The caller frees it. */
char *crd_cli_missing_name(const crd_cli_run *runs, int64_t count, char which, const char *list);

/* A number of a run, by the name of a column, by its path in the line's metrics ("ood.epistemic.ap") or in the line
 * itself ("seconds"). In percent if it is a fraction. NaN if the run has none. */
double crd_cli_run_number(const crd_cli_run *run, const char *metric);
bool crd_cli_is_percent(const char *metric);
/* Whether small numbers are good: errors, risks, times. */
bool crd_cli_is_loss(const char *metric);
/* If no run has the metric, a sentence as above. */
char *crd_cli_missing_metric(const crd_cli_run *runs, int64_t count, const char *metric);

/* A summary for people and programs: text, Markdown, CSV, JSON. The same runs give the same bytes in any order. The
 * caller frees what is returned. */

/* For people: to standard output, or as Markdown if `text` is not NULL. `changed` names changed options, for a line
 * below; NULL: none. */
void crd_cli_summary_print(const crd_cli_summary *summary, const char *changed, crd_text *text);
char *crd_cli_summary_csv(const crd_cli_summary *summary);

/* {"task", "data", "title", "shift", "left_out", "inductive", "rows": [{"model", "title", "runs", "failed",
 * "cells": {metric: {"mean", "sd", "runs", "fewer_runs", "best"}}}]} for the block from row `first` to `end`. */
json_t *crd_cli_block_json(const crd_cli_summary *summary, int64_t first, int64_t end);
/* The first six of these fields, which identify the block of a run. */
void crd_cli_set_block(json_t *object, const crd_cli_run *like);
/* "Detection of shifted nodes"; do not free it. */
const char *crd_cli_task_title(const char *task);

/* A name as a cell of a Markdown table, and a whole table, which is freed. */
void crd_cli_add_markdown(crd_text *text, const char *name);
void crd_cli_table_markdown(crd_cli_table *table, crd_text *text);

/* Pairs of models on the same splits: runs are paired by graph, split and seed, and compared. */

typedef struct crd_cli_question {
    const char *metric; /* as crd_cli_run_number takes it */
    bool metric_given;  /* the user asked for it, so it must exist */
    const char *a, *b;  /* models by name or title. Without `a` it is the best of each block, or with `b` alone
                           every other model; without `b` it is every other model */
    uint64_t seed;      /* of the bootstrap */
} crd_cli_question;

typedef struct crd_cli_difference {
    const crd_cli_row *a, *b; /* two rows of a block */
    crd_comparison comparison;
} crd_cli_difference;

typedef struct crd_cli_differences {
    const crd_cli_summary *summary;
    const char *metric;
    crd_cli_difference *item; /* in the order of tables */
    int64_t count;
    int64_t unpaired;    /* runs of these models without a partner */
    int64_t passed_over; /* runs of an earlier configuration */
} crd_cli_differences;

/* Compares. `runs` are those that the summary was made from. Returns NULL, or a sentence that says what is missing,
 * which the caller frees. If no model is named, it is no error that there is nothing to compare. */
char *crd_cli_differences_make(crd_cli_differences *differences, const crd_cli_summary *summary,
                               const crd_cli_run *runs, int64_t count, const crd_cli_question *question);
void crd_cli_differences_free(crd_cli_differences *differences);

/* Compares two rows of a block by a metric. Returns the number of pairs; 0 if the splits or the data differ, and
 * then nothing was compared. The better number wins: the smaller one for losses. */
int64_t crd_cli_rows_compare(const crd_cli_summary *summary, const crd_cli_row *a, const crd_cli_row *b,
                             const char *metric, uint64_t seed, crd_comparison *comparison);

/* For people (to standard output, or as Markdown if `text` is not NULL); as CSV, which the caller frees; and as
 * JSON. */
void crd_cli_differences_print(const crd_cli_differences *differences, crd_text *text);
char *crd_cli_differences_csv(const crd_cli_differences *differences);
json_t *crd_cli_differences_json(const crd_cli_differences *differences);
/* Puts a comparison's numbers into an object. */
void crd_cli_set_comparison(json_t *object, const crd_comparison *comparison);

#endif
