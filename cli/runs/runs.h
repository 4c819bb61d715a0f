/* SPDX-License-Identifier: MIT */
/* Many runs: 'compare' and 'tune' list them, processes work on them, each becomes a line of a file as soon as it is
 * over, and tables and reports are made from these lines alone. */
#ifndef CREDENCE_CLI_RUNS_H
#define CREDENCE_CLI_RUNS_H

#include <jansson.h>

#include "credence_private.h"
#include "data.h"
#include "options.h"

/* ---- JSON. Only a lack of memory can fail here, and it ends the command ---- */

/* Both take ownership of the value; NULL becomes null. */
void crd_cli_json_set(json_t *object, const char *key, json_t *value);
/* The same for several keys, each followed by its value; NULL ends the list. */
void crd_cli_json_add(json_t *object, const char *key, ...) __attribute__((sentinel));
/* A new object of such a list. */
json_t *crd_cli_json_new(const char *key, ...) __attribute__((sentinel));
void crd_cli_json_append(json_t *array, json_t *value);

/* A number; null for NaN and infinities. `rounded` keeps twelve digits, so that nobody has to read
 * 88.510000000000005. */
json_t *crd_cli_json_number(double value);
json_t *crd_cli_json_rounded(double value);
/* Text from outside: bytes that are not UTF-8, as in some file names, become question marks. */
json_t *crd_cli_json_string(const char *text);
json_t *crd_cli_json_config(const crd_config *config, crd_cli_config_part part);
/* A new reference to a value of an object, to put into another one; NULL if there is none. */
json_t *crd_cli_json_copied(const json_t *object, const char *key);

/* Follows "a.b.c" into an object; NULL if there is no such path. The number there, or NaN. */
const json_t *crd_cli_json_at(const json_t *object, const char *path);
double crd_cli_json_number_at(const json_t *object, const char *path);
const char *crd_cli_json_string_at(const json_t *object, const char *path);
/* Whether two objects have the same value for a key, or both lack it. */
bool crd_cli_json_same(const json_t *a, const json_t *b, const char *key);

/* On one line without spaces, with numbers in the shortest form that reads back the same. The caller frees it. */
char *crd_cli_json_text(const json_t *value);
/* An array of objects as CSV, one line each, with a heading: their values of these columns, "name,name=path,...".
 * null is empty, and switches are on or off. Releases the array; the caller frees the text. */
char *crd_cli_json_csv(json_t *lines, const char *columns);

/* ---- files of runs: one JSON object per line, each line appended whole ---- */

/* A line, and its most used fields. The strings belong to the line. */
typedef struct crd_cli_run {
    const char *task, *data, *model;
    const char *title; /* of the data */
    const char *shift; /* NULL: none */
    int shift_place;   /* its index among the shifts that a command names, for the order of tables; 0 after reading */
    int64_t left_out;  /* classes; -1: the line does not say */
    const char *left_out_classes; /* their names; NULL: the last ones */
    bool left_out_each;           /* a run for each class in turn: this one is for left_out_classes */
    bool inductive;
    uint64_t seed;
    bool failed;  /* the line has an "error" instead of "training" and "metrics" */
    json_t *line; /* all of it */
} crd_cli_run;

typedef struct crd_cli_runs {
    char *path;
    FILE *file; /* open for appending; NULL: the lines were only read */
    crd_cli_run *run;
    int64_t count, capacity;
    int64_t earlier; /* how many were in the file when it was opened */
    const char *key; /* the fields that tell runs apart, separated by blanks; NULL: runs are not looked for */
    json_t *places;  /* for each combination of their values, the indices of its runs */
} crd_cli_runs;

/* All return the exit code and report what is wrong. */

/* Opens a file for appending, in a folder that is created if necessary, and reads its lines. The file is locked: a
 * second process that opens it gets an error. An incomplete last line, which only a crash of the machine can leave,
 * is cut off. Then adds the command to the folder's command.txt: a search that is stopped has its record too. */
int crd_cli_runs_open(crd_cli_runs *runs, const crd_cli_options *options, const char *folder, const char *name,
                      const char *key);
/* Adds the runs of a file, which another process may be appending to, to those that were read before. For a folder,
 * reads its runs.jsonl. Zero-initialise `runs`, and close it in any case. */
int crd_cli_runs_read(crd_cli_runs *runs, const char *path);
/* Takes the object over and appends it: afterwards it is on disk completely or not at all. */
int crd_cli_runs_append(crd_cli_runs *runs, json_t *line);
void crd_cli_runs_close(crd_cli_runs *runs);

/* The indices of the runs that have the same values of the key's fields as this line; NULL: none. Valid until the
 * next append. */
const json_t *crd_cli_runs_like(const crd_cli_runs *runs, const json_t *line);
/* The last of them that did not fail, or else the last; NULL: none. */
const crd_cli_run *crd_cli_runs_find(const crd_cli_runs *runs, const json_t *line);

/* Whether a text of words between blanks has this word. */
bool crd_cli_has_word(const char *words, const char *word);
/* The lines of a folder's command.txt, an array of strings. */
json_t *crd_cli_commands(const char *folder);
/* The command as the user would type it again: without output files, numbers of processes and switches. The caller
 * frees it. */
char *crd_cli_command_text(const crd_cli_options *options);

/* ---- Work in separate processes, several at a time ---- */

/* If a piece crashes, or the system ends it because memory ran out, it fails and the others go on. Results cannot
 * depend on how many run side by side. */
typedef struct crd_cli_piece {
    json_t *line; /* the fields that identify its run, and that the run's line begins with */
    char *name;   /* what messages call it */
    const void *work;
    bool joined; /* the process of the piece before it does this one too, so that they can share work; if that process
                    is killed before, a new one does it */
} crd_cli_piece;

typedef struct crd_cli_pool {
    crd_cli_runs *runs; /* where the line of each piece is appended as soon as it is finished, with its result or its
                           error, and with "seconds": the time since its process finished the piece before it, or
                           since its start. The first piece of a process has the time of the work that they share. */
    int jobs;           /* how many work at a time */
    int64_t count;
    const crd_cli_piece *piece; /* started in this order */
    /* Works on a piece, in a child that has a copy of the parent's memory: writes no file, prints nothing. Adds the
     * result to an empty object. */
    crd_status (*run)(const void *context, const void *work, json_t *result, crd_error *error);
    const void *context;

    /* Progress on standard error: a live line on a terminal; else a line after a piece has finished, at most one
     * every `every_seconds`. */
    bool quiet;
    const char *what;     /* how the line begins: "rung 1 of 3: ", or "" */
    double every_seconds; /* between two lines */
} crd_cli_pool;

/* Works on all pieces. Returns the exit code: an interruption is a failure, failed pieces are none. */
int crd_cli_pool_run(const crd_cli_pool *pool);
/* Frees the array and what it holds. */
void crd_cli_pieces_free(crd_cli_piece *piece, int64_t count);

enum { CRD_CLI_MOST_JOBS = 1024 };
/* The value of --jobs; for 0, the default, the number of cores. */
int crd_cli_jobs(const crd_cli_options *options);

/* ---- Folders of 'compare' and 'tune' as parts of a report ---- */

/* Whether 'compare' or 'tune' filled this folder. */
bool crd_cli_is_runs_folder(const char *folder);
/* Adds a part for such a folder; returns the exit code. */
int crd_cli_report_folder(crd_report *report, const char *folder);
/* The title of a report about this folder alone. The caller frees it. */
char *crd_cli_report_title(const char *folder);

/* ---- the models to compare, each with a name and a configuration, and the tasks to compare them by ---- */

/* A model or a task, chosen by its name. */
typedef struct crd_cli_entry {
    const char *name, *title, *help;
    const char *uses; /* of a task: the default models. Of a model: its options, "model=vgcn score=grasp"; NULL: they
                         come from a preset, a file or the defaults */
} crd_cli_entry;

/* In the order of tables; the name after the last is NULL. */
extern const crd_cli_entry crd_cli_contenders[], crd_cli_tasks[];
/* NULL if there is none of that name. */
const crd_cli_entry *crd_cli_find(const crd_cli_entry *table, const char *name);
/* Whether the data have the features that a kind of model needs. Returns the exit code and reports an error. */
int crd_cli_check_features(const char *data, const crd_dataset *dataset, const char *kind);

/* Options to change, from --set: "reg-weight=1e-5,features=binary,rownorm" becomes an object, by the names of options.
 * Release it in any case. Both return the exit code and report what is wrong. */
int crd_cli_changes_read(const crd_cli_options *options, json_t **changes);
/* Changes those options that the model has, and removes them from `unused`; or all of them, if that is NULL.
 * `given_as` is where they come from, for messages: "--set". */
int crd_cli_changes_apply(const char *given_as, const json_t *changes, json_t *unused, crd_config *config);

/* ---- the plan of 'compare': every graph with every model and every seed ---- */

/* All return the exit code and report what is wrong. */

/* The value of an option, or else the usual one, split at commas: an array of strings, to be released in any case. No
 * entry may be empty or appear twice. */
int crd_cli_list_read(const crd_cli_options *options, const char *name, const char *usual, json_t **list);
/* --seeds. "10": 1 to 10; "11-15": from, to; "1,4,7-9": these seeds. The caller frees *seeds in any case. */
int crd_cli_seeds_read(const crd_cli_options *options, const char *usual, uint64_t **seeds, int64_t *count);
/* --shifts, each spelt in full ("dice:0.1:all"), because runs are found by that text: an array of strings, to be
 * released in any case. */
int crd_cli_shifts_read(const crd_cli_options *options, json_t **shifts);

/* A graph to measure on. */
typedef struct crd_cli_graph {
    char *name;
    const crd_public_graph *known; /* NULL: no public graph */
    crd_dataset *dataset;
    int64_t left_out;  /* classes that the task leaves out: the last ones, or */
    bool *last;        /* these, if --left-out names them; else NULL */
    bool each;         /* or each in turn, in a run of its own */
    const char *split; /* as for crd_split_make */
    int own_splits;    /* how many splits of the data this means; 0: seeds draw them */
} crd_cli_graph;

/* Opens a graph, with the split that --split, or else a public graph, says. Returns the exit code; free it in any
 * case. */
int crd_cli_graph_open(const crd_cli_options *options, const char *typed, crd_cli_graph *graph);
void crd_cli_graph_free(crd_cli_graph *graph);
/* The fields that every line of a run on it begins with. */
json_t *crd_cli_graph_line(const crd_cli_graph *graph, const char *task, const char *model, uint64_t seed);
/* A seed either draws its split or takes the next one of the data's own, in turn. */
crd_status crd_cli_graph_split(const crd_cli_graph *graph, uint64_t seed, crd_split **split,
                               crd_error *error) CRD_MUST_CHECK;
/* If there are more seeds than splits, prints that seeds share splits. */
void crd_cli_say_shared_splits(const crd_cli_graph *graph, int64_t seeds);

/* A training that runs share if they differ in nothing but the score and the shift. The process of these runs fills
 * it. */
typedef struct crd_cli_shared {
    bool done;
    crd_error error; /* why there is no model, if the status is not CRD_OK */
    crd_split *split;
    crd_model *model[CRD_DOUBTS]; /* with each score; NULL: not made yet */
} crd_cli_shared;

/* A run to do. */
typedef struct crd_cli_wanted {
    const crd_cli_graph *graph;
    const crd_cli_entry *contender;
    const char *title; /* of the contender; NULL: its usual title */
    const char *shift; /* NULL: none */
    int shift_place;   /* its index in --shifts */
    int32_t held;      /* the class that is left out, one of each in turn; -1: those of the graph */
    uint64_t seed;     /* of the split; the configuration's is the same */
    crd_config config;
    json_t *line;           /* the fields that identify the run, for crd_cli_runs_find */
    crd_cli_shared *shared; /* the training; NULL: the run is not to be done */
} crd_cli_wanted;

typedef struct crd_cli_plan {
    const crd_cli_entry *task;
    const crd_cli_entry **contender;
    int contenders;
    uint64_t *seed;
    int64_t seeds;
    json_t *shifts;           /* of the task shift; else NULL */
    json_t *changes, *unused; /* of --set; and those of them that no model has so far */
    crd_cli_graph *graph;
    int graphs;
    crd_cli_wanted *wanted; /* graph by graph, shift by shift, seed by seed, model by model: tables fill
                               evenly */
    int64_t count;
} crd_cli_plan;

/* Reads the options of 'compare', opens its graphs and lists the runs. Finds every error that can be found before
 * the work. Returns the exit code and reports what is wrong. Free the plan in any case. */
int crd_cli_plan_make(crd_cli_plan *plan, const crd_cli_options *options);
/* Prints which models are left out on which graphs, and which graphs' seeds share splits. */
void crd_cli_plan_say_notes(const crd_cli_plan *plan);
void crd_cli_plan_free(crd_cli_plan *plan);

/* Whether a run keeps the class from training. */
bool crd_cli_is_left_out(const crd_cli_wanted *wanted, int32_t class_index);
/* What the runs of one training, and no others, have in common, as a text. The caller frees it. */
char *crd_cli_wanted_key(const crd_cli_wanted *wanted);
/* Splits, trains, measures: work of a pool, whose context is the plan; only the first of the runs that share a training
 * trains. Adds "training" and "metrics" to the result, exactly as if the run had trained alone; "training_seconds", the
 * time of that training and of the score's own head; and "prediction_seconds". */
crd_status crd_cli_wanted_run(const void *plan, const void *wanted, json_t *result, crd_error *error) CRD_MUST_CHECK;
/* How a training went: {"epochs", "stop", ...}. */
json_t *crd_cli_training_json(const crd_model *model);

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
    double worst; /* if each class was left out in turn: the mean of the class with the worst; else NaN */
    bool best;    /* in its block: as large as the largest, in the digits shown */
    bool fewer;   /* from fewer runs than another row of its block */
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
/* The order of the runs of a row: by seed, then by the class that was left out. Runs of two rows that are equal in it
 * are partners. */
int crd_cli_by_partner(const crd_cli_run *a, const crd_cli_run *b);
/* A row's number for any metric; not compared with other rows. */
crd_cli_cell crd_cli_cell_of(const crd_cli_summary *summary, const crd_cli_row *row, const char *metric);

/* Whether a run's task ('t'), data ('d') or model ('m') has this name or title. */
bool crd_cli_run_is(const crd_cli_run *run, char which, const char *name);
/* If no run has the name, a sentence that says so and names those there are; else NULL. The caller frees it. */
char *crd_cli_missing_name(const crd_cli_run *runs, int64_t count, char which, const char *name);

/* ---- tables. The same runs give the same bytes in any order ---- */

/* `set`: the value of --set, for a line below; NULL: none. */
void crd_cli_summary_print(const crd_cli_summary *summary, const char *set, FILE *stream, bool markdown);
/* One line per row and column, so that tasks with different columns fit into one file. The caller frees it. */
char *crd_cli_summary_csv(const crd_cli_summary *summary);
/* {"task", "data", "title", "label", "shift", "left_out", "inductive", "rows": [{"model", "title", "runs", "failed",
 * "cells": {metric: {"mean", "sd", "runs", "fewer_runs", "best"}}}]} of the block from row `first` to `end`. */
json_t *crd_cli_block_json(const crd_cli_summary *summary, int64_t first, int64_t end);
/* "Detection of shifted nodes"; do not free it. */
const char *crd_cli_task_title(const char *task);

/* ---- pairs of models: their runs are paired by graph, split and seed, and compared ---- */

/* Set the question, make, release list and skipped. */
typedef struct crd_cli_differences {
    const crd_cli_summary *summary;
    const char *metric; /* as crd_cli_run_number takes it */
    bool metric_given;  /* the user asked for it, so it must exist */
    const char *a, *b;  /* models by name or title. Without `a` it is the best of each block, or with `b` alone
                           every other model; without `b` it is every other model */
    uint64_t seed;      /* of the bootstrap */

    json_t *list;        /* in the order of tables: a block's fields with "a", "b", "metric" and the numbers */
    json_t *skipped;     /* sentences: what is not in it, and why */
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

/* ---- tuning: candidates, splits, and rungs on which the weakest drop out ---- */

/* A trial trains one candidate on one split with a budget of epochs. Successive halving has rungs: the first gives
 * few epochs to every candidate, the next ones give more to the best of them, and the last one trains in full on
 * every split. The choice depends on the trials alone, not on how many ran side by side or which ended first.
 */

/* The settings that a search tries: options by name, each with its possible values.
 *
 *     reg-weight=0,decades:-6..-2;activation=relu,gelu
 *
 * An option's values are separated by commas, or by bars if a value contains a comma
 * (features=none|binary,rownorm). In addition to plain values there are
 *     decades:A..B/STEP   powers of ten, their exponents from A to B
 *     range:A..B/STEP     numbers from A to B
 * Without /STEP these are continuous, for random search only.
 *
 * It is an object that has, for the name of each option, an array of texts: values, and ranges without a step. */

/* One point of a space. */
typedef struct crd_cli_candidate {
    crd_config config; /* the base with the point's values */
    json_t *json;      /* the same as JSON, without the options of a run */
} crd_cli_candidate;

/* Reads a space; an option that it already holds gets the new values. Returns the exit code. `given_as` is where the
 * text comes from, for messages: "--space". */
int crd_cli_space_add(json_t *space, const char *given_as, const char *text);

/* Every combination of values, with the first option changing slowest (draws = 0); or so many of them drawn at
 * random. Settings that mean the same (a regulariser of weight 0 is none) appear once. Returns the exit code, and
 * reports values that the model of the setting does not take. */
int crd_cli_space_candidates(const crd_cli_options *options, const json_t *space, const crd_config *base, int64_t draws,
                             uint64_t seed, crd_cli_candidate **candidate, int64_t *count);
/* The space's options with a candidate's values, "reg-weight=0.01 activation=gelu". The caller frees it. */
char *crd_cli_candidate_text(const json_t *space, const crd_cli_candidate *candidate);

/* ---- the search ---- */

typedef enum crd_cli_criterion {
    CRD_CLI_VAL_CE,         /* the lowest validation cross-entropy */
    CRD_CLI_LEFT_OUT_CLASS, /* the best detection of a held-out class, at little loss of accuracy */
    CRD_CLI_OWN_ERRORS,     /* the best detection of wrong answers, at little loss of accuracy */
    CRD_CLI_CRITERIA        /* the number of criteria */
} crd_cli_criterion;

/* Whether the score is an AUROC: then more is better, and it must not cost accuracy. */
bool crd_cli_detects(crd_cli_criterion criterion);

/* A candidate, with the combined trials of the last rung that it reached. */
typedef struct crd_cli_standing {
    int64_t candidate;
    const char *state; /* "chosen", "finalist", "inaccurate", "eliminated", "failed" */
    int rung, trials;
    double score, error;     /* mean, and its standard error over splits (NaN with one) */
    double loss;             /* the score, so that less is better */
    double accuracy, chance; /* mean, and its standard error for so many validation nodes */
    bool inaccurate;         /* its accuracy is too far below the best of its rung */
    const char *why;         /* why it has no score; NULL: it has one */
} crd_cli_standing;

typedef struct crd_cli_rung {
    int64_t epochs; /* -1: full training */
    int splits;
    int64_t candidates;
    double best_accuracy;
} crd_cli_rung;

enum { CRD_CLI_MOST_RUNGS = 64 };

typedef struct crd_cli_tuning {
    /* Given. */
    crd_cli_criterion criterion;
    const char *criterion_name;
    crd_cli_graph graph;
    uint64_t *seed;
    int splits;
    int held;           /* how many classes are held out in turn */
    double eta;         /* 1 / the part that goes on from every rung; 0: none drops out */
    int64_t min_epochs; /* on the first rung */
    int64_t finalists;  /* at least this many are trained in full */
    double most_loss;   /* of accuracy */
    int jobs;
    bool quiet;
    json_t *space;
    crd_cli_candidate *candidate; /* of that space */
    int64_t candidates;
    crd_cli_runs runs; /* open */
    /* Made. */
    bool halves; /* there are two classes: when one is held out, the model tells halves of the other apart */
    int rungs;
    crd_cli_rung rung[CRD_CLI_MOST_RUNGS];
    crd_cli_standing *standing; /* all candidates, the chosen one first */
} crd_cli_tuning;

/* The score's name in lines and results. */
const char *crd_cli_score_name(const crd_cli_tuning *tuning);

/* Both return the exit code and report what is wrong. */

/* Checks before any work that the criterion can be computed. */
int crd_cli_tune_prepare(crd_cli_tuning *tuning);
/* Takes the results on disk, does the other trials, ranks. */
int crd_cli_tune_run(crd_cli_tuning *tuning);
void crd_cli_tune_free(crd_cli_tuning *tuning);

/* ---- trials ---- */

/* The class that a trial holds out, drawn at random with the seed of its split; -1: none. */
int32_t crd_cli_held_class(const crd_cli_tuning *tuning, int split, int held);

/* A training, done or still to do. */
typedef struct crd_cli_trial {
    int64_t candidate;
    int split, held;
    int64_t budget; /* epochs; -1: no limit */
} crd_cli_trial;

/* Does a trial: work of a pool, whose context is the tuning. It may change the dataset, in its own process. */
crd_status crd_cli_trial_run(const void *tuning, const void *trial, json_t *result, crd_error *error) CRD_MUST_CHECK;
/* The fields that identify a trial in its line. */
json_t *crd_cli_trial_line(const crd_cli_tuning *tuning, const crd_cli_trial *trial);
/* The line of a trial, or of an earlier one that answers for it; NULL: it is still to do. Trials of an earlier command
 * that failed for reasons other than their numbers and answers are tried again. */
const json_t *crd_cli_find_trial(const crd_cli_tuning *tuning, const crd_cli_trial *trial);

#endif
