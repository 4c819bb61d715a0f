/* Two models on the same splits: runs paired by graph, split and seed, and compared. */
#ifndef CREDENCE_CLI_LAB_SUMMARY_PAIRS_H
#define CREDENCE_CLI_LAB_SUMMARY_PAIRS_H

#include "credence_private.h"
#include "lab/summary.h"

/* What to compare: models by name or title, and a metric as crd_lab_run_number takes it. */
typedef struct crd_lab_question {
    const char *a, *b, *metric;
    const char *task, *data; /* lists; NULL: all there are */
    uint64_t seed;           /* of the bootstrap */
} crd_lab_question;

/* The answer for a block. */
typedef struct crd_lab_pair {
    const crd_lab_run *like; /* names task, data, shift and left-out classes */
    char *title;             /* of the data, as crd_lab_block_title has it */
    crd_comparison comparison;
} crd_lab_pair;

typedef struct crd_lab_pairs {
    const char *a, *b; /* the models' titles; as they were asked for if there are several */
    const char *metric;
    bool percent;
    bool loss; /* less is better: so for wins and losses, while the difference is a - b as ever */
    crd_lab_pair *pair; /* in the order of tables */
    int64_t count;
    int64_t alone_a, alone_b; /* runs without a partner */
    int64_t passed_over;      /* runs of an earlier configuration */
} crd_lab_pairs;

/* Compares. The runs and the question's strings must stay for as long as the answer is used. NULL, or a
 * sentence that says what is missing, which the caller frees. */
char *crd_lab_pairs_make(crd_lab_pairs *pairs, const crd_lab_run *runs, int64_t count,
                         const crd_lab_question *question);
void crd_lab_pairs_free(crd_lab_pairs *pairs);

/* Compares two rows of a summary's block by a metric, their runs paired by seed; wins are as in crd_lab_pairs.
 * Returns how many pairs there are: 0 where the splits or the data are not the same ones, and then nothing was
 * compared. Ends the command for want of memory. */
int64_t crd_lab_rows_compare(const crd_lab_summary *summary, const crd_lab_row *a, const crd_lab_row *b,
                             const char *metric, uint64_t seed, crd_comparison *comparison);

/* Fewer pairs than this say little; texts for people say so. */
enum { CRD_LAB_ENOUGH_PAIRS = 6 };

/* As texts, which the caller frees. */
char *crd_lab_pairs_markdown(const crd_lab_pairs *pairs);
char *crd_lab_pairs_csv(const crd_lab_pairs *pairs);
char *crd_lab_pairs_json(const crd_lab_pairs *pairs);
void crd_lab_pairs_print(const crd_lab_pairs *pairs, FILE *stream);

/* Puts a comparison's numbers into an object, as crd_lab_pairs_json has them. */
void crd_lab_comparison_json(json_t *object, const crd_comparison *comparison);

/* "+0.92" and "[0.31, 1.60]"; "n.a." where these are not numbers. The caller frees them. */
char *crd_lab_difference_text(const crd_comparison *comparison, int digits);
char *crd_lab_interval_text(const crd_comparison *comparison, int digits);

#endif
