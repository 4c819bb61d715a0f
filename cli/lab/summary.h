/* Runs put together as the rows of a table: a row is a model on a graph, with means over the seeds. */
#ifndef CREDENCE_CLI_LAB_SUMMARY_H
#define CREDENCE_CLI_LAB_SUMMARY_H

#include "lab/published.h"
#include "lab/runs.h"

/* Percent; not a number where no run has one, and for the deviation of a single run. */
typedef struct crd_lab_cell {
    int64_t runs; /* that have this number */
    double mean, sd;
    double published;
    double difference; /* from it to the mean, as far as these are shown */
    bool best;  /* of its block: as large as the largest, as far as it is shown */
    bool fewer; /* of fewer runs than another cell of its block */
} crd_lab_cell;

typedef struct crd_lab_row {
    const crd_lab_run *like; /* a run of it, which names task, data, shift, left-out classes and model */
    const char *model_title;
    bool failures;           /* the task is to find wrong answers, not strange nodes */
    int64_t runs, failed;    /* seeds that ended well, and that did not */
    int64_t passed_over;     /* runs of an earlier configuration */
    int64_t first;           /* its runs in the summary are `runs` from here on, by seed */
    crd_lab_cell cell[CRD_LAB_COLUMNS];
} crd_lab_row;

typedef struct crd_lab_summary {
    crd_lab_row *row; /* by task, data, shift, left-out classes (and whether these were in the graph of
                         training) and model: a block is the rows that share all but the last */
    int64_t rows;
    const crd_lab_run **run;
    const char *changed; /* options that --set changed, for a line under the table; NULL: none are known */
} crd_lab_summary;

/* What to look at: lists of names or titles, separated by commas, and a single model's name or title, which
 * may have commas in it; NULL: everything. */
typedef struct crd_lab_filter {
    const char *task, *data, *models;
    const char *model;
} crd_lab_filter;

/* Puts runs together; they must stay for as long as the summary is used. A file may hold runs of a row with
 * several configurations, splits or versions of the data: those like the row's last one count. Of runs with
 * the same seed the last one that did not fail counts. The order of the runs makes no other difference. */
void crd_lab_summary_make(crd_lab_summary *summary, const crd_lab_run *runs, int64_t count,
                          const crd_lab_filter *filter);
void crd_lab_summary_free(crd_lab_summary *summary);

/* A cell of a row for any metric, "best" and "fewer" left out. */
crd_lab_cell crd_lab_row_cell(const crd_lab_summary *summary, const crd_lab_row *row, const char *metric);

/* Reads a file of runs, or the runs.jsonl of a folder. Returns the exit code, after having said what is
 * wrong. */
int crd_lab_read(crd_lab_runs *runs, const char *place);

/* Whether two rows are of one block. */
bool crd_lab_same_block(const crd_lab_row *a, const crd_lab_row *b);
/* Whether two rows are of one table: the same task. */
bool crd_lab_same_table(const crd_lab_row *a, const crd_lab_row *b);
/* Below 0, 0, above 0. Runs of one row are those of one task, data, shift and model: of different left-out
 * classes, as of other options, the last ones count. */
int crd_lab_row_order(const crd_lab_run *a, const crd_lab_run *b);
/* The same for blocks: task, data, shift, left-out classes. */
int crd_lab_block_order(const crd_lab_run *a, const crd_lab_run *b);
/* What a table calls the data of a row: their title, and what tells the row from those of other blocks of the
 * table. The caller frees it. */
char *crd_lab_block_title(const crd_lab_row *table, int64_t rows, const crd_lab_row *row);

bool crd_lab_filtered(const crd_lab_filter *filter, const crd_lab_run *run);
/* Whether this is a run of the model of that name or title. */
bool crd_lab_is_model(const crd_lab_run *run, const char *model);
/* A name in the filter that no run has: a sentence that says so and names those there are. NULL: all are
 * there. The caller frees it. */
char *crd_lab_filter_problem(const crd_lab_filter *filter, const crd_lab_run *runs, int64_t count);
/* The different tasks ('t'), data ('d') or models ('m') of runs with their titles: "gpn (GPN), ours (Ours)".
 * The caller frees it. */
char *crd_lab_names(const crd_lab_run *runs, int64_t count, char which);

/* The digits after the point that tables show; a number rounded to as many, and never -0. */
enum { CRD_LAB_DIGITS = 2 };
double crd_lab_as_shown(double number);

/* "auroc_epi" and so on: the columns of table.csv. */
const char *crd_lab_column_name(crd_lab_column column);
/* The columns that a task's table has, as many as CRD_LAB_SHOWN. */
enum { CRD_LAB_SHOWN = 7 };
typedef struct crd_lab_heading {
    crd_lab_column column;
    const char *group, *name; /* "AUROC", "epistemic"; the first column has no group */
} crd_lab_heading;
const crd_lab_heading *crd_lab_headings(bool failures);

/* A number of a run by the name of a column or by its place in the line's metrics ("ood.epistemic.ap"), or in
 * the line itself ("seconds"). Percent, but for what is no fraction. NaN if the run has none. */
double crd_lab_run_number(const crd_lab_run *run, const char *metric);
/* A metric that no run has: a sentence that says so and names what there is. NULL: some run has it. The
 * caller frees it. */
char *crd_lab_metric_problem(const char *metric, const crd_lab_run *runs, int64_t count);
/* Whether such numbers are percent. */
bool crd_lab_is_percent(const char *metric);
/* Whether small ones are good: errors, risks, times. */
bool crd_lab_is_loss(const char *metric);
/* Follows "a.b.c" into an object; NULL if there is no such place. */
const json_t *crd_lab_json_at(const json_t *object, const char *path);
/* The column of that name; CRD_LAB_COLUMNS if there is none. */
crd_lab_column crd_lab_column_find(const char *name);

#endif
