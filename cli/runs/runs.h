/* A file of runs: one JSON object per line, each line appended whole as soon as its run is over. */
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
    int file; /* -1: only read */
    crd_cli_run *run;
    int64_t count, capacity;
} crd_cli_runs;

/* All return the exit code and report what is wrong. */

/* Opens a file for appending, creates it if necessary, and reads its lines. The file is locked: a second process
 * that opens it gets an error. An incomplete last line, which only a crash of the machine can leave, is cut off. */
int crd_cli_runs_open(crd_cli_runs *runs, const char *path);
/* Reads a file, which another process may be appending to. For a folder, reads its runs.jsonl. */
int crd_cli_runs_read(crd_cli_runs *runs, const char *path);
/* Takes the object over and appends it: afterwards it is on disk completely or not at all. */
int crd_cli_runs_append(crd_cli_runs *runs, json_t *line);
void crd_cli_runs_close(crd_cli_runs *runs);

/* The run whose line has the same seed, model, data, task, shift, split, split_index, fingerprint and config as
 * `wanted`. Of several the last one counts; a failed one counts only if there is no other. NULL: none. Valid until
 * the next append. */
const crd_cli_run *crd_cli_runs_find(const crd_cli_runs *runs, const json_t *wanted);
/* How many successful runs are not among the wanted ones. */
int64_t crd_cli_runs_others(const crd_cli_runs *runs, json_t *const *wanted, int64_t count);

/* Creates the folder if it does not exist. */
int crd_cli_make_folder(const char *path);
/* Adds the command to the folder's command.txt as the user would type it again, with those options in `recorded`
 * (names separated by blanks) that were given. Each command appears once, however often it was resumed. */
int crd_cli_record_command(const crd_cli_options *options, const char *recorded, const char *folder);
/* The lines of command.txt as an array, and the seconds of all runs together, for reports. */
json_t *crd_cli_recorded_commands(const char *folder);
double crd_cli_runs_seconds(const crd_cli_runs *runs);
/* A file's text, which the caller frees; NULL with errno set. */
char *crd_cli_read_text(const char *path);

/* ---- Folders of 'compare' and 'tune' as parts of a report ---- */

/* Whether 'compare' or 'tune' filled this folder. */
bool crd_cli_is_runs_folder(const char *folder);
/* Adds a part for such a folder; returns the exit code. */
int crd_cli_report_folder(crd_report *report, const char *folder);
/* The title of a report about this folder alone. The caller frees it. */
char *crd_cli_report_title(const char *folder);

#endif
