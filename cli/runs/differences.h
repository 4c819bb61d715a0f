/* Pairs of models on the same splits: runs paired by graph, split and seed, and compared. */
#ifndef CREDENCE_CLI_RUNS_DIFFERENCES_H
#define CREDENCE_CLI_RUNS_DIFFERENCES_H

#include "runs/summary.h"

typedef struct crd_cli_question {
    const char *metric; /* as crd_cli_run_number takes it */
    bool metric_given;  /* somebody asked for it: it must be there */
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
    int64_t unpaired;    /* runs of the models asked for that have no partner */
    int64_t passed_over; /* runs of an earlier configuration */
} crd_cli_differences;

/* Compares. `runs` are those that the summary is made of. NULL, or a sentence that says what is missing, which
 * the caller frees. Where no model is named there may be nothing to compare, which is no problem. */
char *crd_cli_differences_make(crd_cli_differences *differences, const crd_cli_summary *summary,
                               const crd_cli_run *runs, int64_t count, const crd_cli_question *question);
void crd_cli_differences_free(crd_cli_differences *differences);

/* Compares two rows of a block by a metric. Returns how many pairs there are: 0 where the splits or the data
 * differ, and then nothing was compared. Wins are of the better number: the smaller one for losses. */
int64_t crd_cli_rows_compare(const crd_cli_summary *summary, const crd_cli_row *a, const crd_cli_row *b,
                             const char *metric, uint64_t seed, crd_comparison *comparison);

/* For people, as Markdown, as CSV, which the caller frees, and as JSON. */
void crd_cli_differences_print(const crd_cli_differences *differences, FILE *stream);
void crd_cli_differences_markdown(const crd_cli_differences *differences, crd_text *text);
char *crd_cli_differences_csv(const crd_cli_differences *differences);
json_t *crd_cli_differences_json(const crd_cli_differences *differences);
/* Puts a comparison's numbers into an object. */
void crd_cli_set_comparison(json_t *object, const crd_comparison *comparison);

#endif
