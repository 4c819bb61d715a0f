/* Choosing options by trial: candidates, splits, and rungs on which the hopeless ones drop out.
 *
 * A trial trains one candidate on one split with a budget of epochs. Rungs of a successive halving give few
 * epochs to every candidate, then more to the best part of them, and the last rung trains in full on every
 * split. What is chosen depends on the trials alone, not on how many ran side by side or which ended first.
 */
#ifndef CREDENCE_CLI_LAB_TUNE_H
#define CREDENCE_CLI_LAB_TUNE_H

#include "lab/runs.h"
#include "lab/space.h"

typedef enum crd_lab_criterion {
    CRD_LAB_VAL_CE,         /* the lowest validation cross-entropy */
    CRD_LAB_LEFT_OUT_CLASS, /* at little loss of accuracy, the best detection of a class held out */
    CRD_LAB_OWN_ERRORS,     /* at little loss of accuracy, the best detection of its own wrong answers */
    CRD_LAB_CRITERIA        /* how many there are */
} crd_lab_criterion;

/* What is known of one trial. */
typedef struct crd_lab_outcome {
    int64_t budget;  /* epochs it might have used; -1: no limit */
    int64_t epochs;  /* that it used */
    bool limited;    /* the budget ended it */
    bool trained;    /* its training ended as it should; it would end so if tried again */
    bool failed;     /* it has no score; `error` says why */
    bool diverged;   /* it failed because of its numbers; it would if tried again, with more epochs too */
    double score;    /* cross-entropy or AUROC, as the criterion has it */
    double accuracy; /* on the validation nodes of the classes trained on */
    double checked;  /* how many these are; 0 if it does not matter */
    char *error;
} crd_lab_outcome;

/* The outcomes of a candidate on one split with one class held out, with different budgets. */
typedef struct crd_lab_tune_cell {
    crd_lab_outcome *outcome;
    int count;
} crd_lab_tune_cell;

/* A candidate's trials of a rung, taken together. */
typedef struct crd_lab_tune_summary {
    double score, error; /* mean, and its standard error over splits (NaN with one) */
    double accuracy, chance; /* mean, and its standard error for so many validation nodes */
    int trials;
    const char *why; /* it has no score because of this; NULL: it has one */
} crd_lab_tune_summary;

typedef enum crd_lab_state {
    CRD_LAB_CHOSEN,
    CRD_LAB_FINALIST,   /* was on the last rung */
    CRD_LAB_INACCURATE, /* was on the last rung, but loses too much accuracy */
    CRD_LAB_ELIMINATED, /* on an earlier one */
    CRD_LAB_FAILED
} crd_lab_state;

typedef struct crd_lab_standing {
    int64_t candidate;
    crd_lab_state state;
    int rung; /* the last it was on, from 0 */
    crd_lab_tune_summary summary;
} crd_lab_standing;

typedef struct crd_lab_rung {
    int64_t epochs; /* -1: full training */
    int splits;
    int64_t candidates;
    int64_t fresh; /* trials that were not on disk yet */
    double best_accuracy;
} crd_lab_rung;

enum { CRD_LAB_MOST_RUNGS = 64 };

typedef struct crd_lab_tuning {
    /* Given. */
    crd_lab_criterion criterion;
    crd_dataset *dataset;
    const char *data, *title; /* names of the data */
    const char *split;        /* how splits are made */
    int own_splits;           /* made: of the data that this stands for; 0: seeds draw them */
    uint64_t *seed;
    int splits;
    int64_t left_out;
    int held;           /* classes held out in turn; 1 without a meaning if none is */
    double eta;         /* 1 / the part that stays on every rung; 0: none drops out */
    int64_t min_epochs; /* on the first rung */
    int64_t finalists;  /* at least so many are trained in full */
    double most_loss;   /* of accuracy */
    const char *incumbent; /* for CRD_LAB_VAL_CE: a candidate's JSON; unless it fails it is on the last rung,
                              whoever is better on the others. NULL: none */
    int jobs;
    bool quiet;
    const crd_lab_space *space;
    crd_lab_candidates candidates; /* of that space */
    crd_lab_runs runs;             /* open */
    /* Made. */
    bool halves;         /* there are two classes: with one held out, halves of the other are told apart */
    int32_t *held_class; /* splits x held */
    crd_lab_tune_cell *cell;  /* candidates x splits x held */
    int rungs;
    crd_lab_rung rung[CRD_LAB_MOST_RUNGS];
    crd_lab_standing *standing; /* every candidate, the chosen one first */
    double reference;           /* the best accuracy on the last rung */
} crd_lab_tuning;

/* All return the exit code, after having said what is wrong. */

/* Chooses what is held out and finds out before any work whether the criterion can be met. */
int crd_lab_tune_prepare(crd_lab_tuning *tuning);
/* Takes what is on disk, does the other trials, ranks. */
int crd_lab_tune_run(crd_lab_tuning *tuning);
/* Frees what was made, and the candidates and the runs. */
void crd_lab_tune_free(crd_lab_tuning *tuning);

const char *crd_lab_criterion_name(crd_lab_criterion criterion);
/* Whether the score is an AUROC: more is better, and accuracy must not be lost for it. */
bool crd_lab_detects(crd_lab_criterion criterion);
const char *crd_lab_state_name(crd_lab_state state);

#endif
