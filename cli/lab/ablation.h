/* The ablation's rows: GPNs whose options are chosen on validation data, some more of them from row to row.
 *
 * For every graph each row has a search of its own (tune.h, the lowest validation cross-entropy), but all of
 * them share one file of trials, so that a row uses what the rows before it found out. The choice of a row
 * takes part in the next row's search to its end, even if the grid lacks it, and so does the plain GPN's
 * setting in the first row's: an option more never makes the criterion worse.
 *
 *     DIR/tuning/GRAPH/trials.jsonl               one line a trial
 *     DIR/tuning/GRAPH/ROW.json, ROW.md, ROW.csv  the choice, for 'train --config'; what was tried
 */
#ifndef CREDENCE_CLI_LAB_ABLATION_H
#define CREDENCE_CLI_LAB_ABLATION_H

#include "lab/plan.h"
#include "lab/tune.h"

enum { CRD_LAB_MOST_ROWS = 8 };

typedef struct crd_lab_ablation {
    const crd_lab_model *row[CRD_LAB_MOST_ROWS]; /* those that are tuned: the ones of the table and the ones
                                                    before them */
    crd_lab_space space[CRD_LAB_MOST_ROWS];      /* what each is chosen from */
    int rows;                                    /* 0: there is nothing to be tuned */
    crd_lab_tuning search;                       /* what all searches have in common */
} crd_lab_ablation;

/* All return the exit code, after having said what is wrong. For other tasks they do nothing, but that the
 * first one refuses the options that belong to this task. */

/* Reads --tune-grid, --tune-space, --tune-seeds, --eta, after crd_lab_plan_begin. */
int crd_lab_ablation_begin(crd_lab_ablation *ablation, const crd_cli_options *options,
                           const crd_lab_plan *plan);
/* Finds out before any work whether every graph can be tuned on, after crd_lab_plan_finish. */
int crd_lab_ablation_check(crd_lab_ablation *ablation, const crd_lab_plan *plan);
/* Searches, as far as it was not done before, and gives the plan's runs the configurations chosen. */
int crd_lab_ablation_choose(crd_lab_ablation *ablation, crd_lab_plan *plan, const char *folder, int jobs);
void crd_lab_ablation_free(crd_lab_ablation *ablation);

#endif
