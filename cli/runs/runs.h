/* A file of runs: one JSON object per line, each line appended whole as soon as its run is over. And the processes
 * that do the runs which are not in it yet. */
#ifndef CREDENCE_CLI_RUNS_RUNS_H
#define CREDENCE_CLI_RUNS_RUNS_H

#include "options.h"
#include "runs/json.h"

/* A line, and its most used fields. The strings belong to the line. */
typedef struct crd_cli_run {
    const char *task, *data, *model;
    const char *title; /* of the data */
    const char *shift; /* NULL: none */
    int shift_place;   /* its index among the shifts that a command names, for the order of tables; 0 after reading */
    int64_t left_out;  /* classes; -1: the line does not say */
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

/* The lines of a folder's command.txt, an array of strings. */
json_t *crd_cli_commands(const char *folder);
/* The command as the user would type it again: without output files, numbers of processes and switches. The caller
 * frees it. */
char *crd_cli_command_text(const crd_cli_options *options);

/* ---- Work in separate processes, several at a time ---- */

/* If a piece crashes, or the system ends it because memory ran out, the others go on. Results cannot depend on how
 * many run side by side. */
typedef struct crd_cli_piece {
    json_t *line; /* the fields that identify its run, and that the run's line begins with */
    char *name;   /* what messages call it */
    const void *work;
} crd_cli_piece;

typedef struct crd_cli_pool {
    crd_cli_runs *runs; /* where the line of each finished piece is appended, with its result or its error */
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

/* Works on all pieces. Call crd_cli_catch_signals first: an interruption (crd_cli_interrupted) ends the children
 * and returns CRD_CLI_FAILED silently. Otherwise returns the exit code; failed pieces are no failure here. */
int crd_cli_pool_run(const crd_cli_pool *pool);
/* Frees the array and what it holds. */
void crd_cli_pieces_free(crd_cli_piece *piece, int64_t count);

/* Reads --jobs; 0, the default, means the number of cores. Returns the exit code. */
int crd_cli_jobs(const crd_cli_options *options, int *jobs);

/* ---- Folders of 'compare' and 'tune' as parts of a report ---- */

/* Whether 'compare' or 'tune' filled this folder. */
bool crd_cli_is_runs_folder(const char *folder);
/* Adds a part for such a folder; returns the exit code. */
int crd_cli_report_folder(crd_report *report, const char *folder);
/* The title of a report about this folder alone. The caller frees it. */
char *crd_cli_report_title(const char *folder);

#endif
