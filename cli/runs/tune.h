/* Choosing options by trial: candidates, splits, and rungs on which the weakest drop out.
 *
 * A trial trains one candidate on one split with a budget of epochs. Successive halving has rungs: the first gives
 * few epochs to every candidate, the next ones give more to the best of them, and the last one trains in full on
 * every split. The choice depends on the trials alone, not on how many ran side by side or which ended first.
 */
#ifndef CREDENCE_CLI_RUNS_TUNE_H
#define CREDENCE_CLI_RUNS_TUNE_H

#include "runs/plan.h"

/* The settings that a search tries: options by name, each with its possible values.
 *
 *     reg-weight=0,decades:-6..-2;activation=relu,gelu
 *
 * An option's values are separated by commas, or by bars if a value contains a comma
 * (features=none|binary,rownorm). In addition to plain values there are
 *     decades:A..B/STEP   powers of ten, their exponents from A to B
 *     range:A..B/STEP     numbers from A to B
 * Without /STEP these are continuous, for random search only. */

/* A plain value, or a continuous range of values or of their exponents. */
typedef struct crd_cli_item {
    char *text; /* NULL: a range */
    double low, high;
    bool decades;
} crd_cli_item;

typedef struct crd_cli_axis {
    const crd_option *option;
    const char *given_as; /* where its values come from, for messages: "--space" */
    crd_cli_item *item;
    int items;
} crd_cli_axis;

typedef struct crd_cli_space {
    crd_cli_axis *axis;
    int axes;
} crd_cli_space;

/* One point of a space. */
typedef struct crd_cli_candidate {
    crd_config config; /* the base with the point's values */
    json_t *json;      /* the same as JSON, without the options of a run */
} crd_cli_candidate;

/* Spaces with names: the values of --grid, in their order. NULL after the last. */
typedef struct crd_cli_grid {
    const char *name, *text;
} crd_cli_grid;
extern const crd_cli_grid crd_cli_grids[];

/* Reads a space; an option that it already holds gets the new values. Returns the exit code. */
int crd_cli_space_add(crd_cli_space *space, const char *given_as, const char *text);
void crd_cli_space_free(crd_cli_space *space);

/* Every combination of values, with the first option changing slowest (draws = 0); or so many of them drawn at
 * random. Settings that mean the same (a regulariser of weight 0 is none) appear once. Returns the exit code, and
 * reports values that the model of the setting does not take. */
int crd_cli_space_candidates(const crd_cli_space *space, const crd_config *base, int64_t draws, uint64_t seed,
                             crd_cli_candidate **candidate, int64_t *count);
/* The space's options with a candidate's values, "reg-weight=0.01 activation=gelu". The caller frees it. */
char *crd_cli_candidate_text(const crd_cli_space *space, const crd_cli_candidate *candidate);

/* ---- the search ---- */

typedef enum crd_cli_criterion {
    CRD_CLI_VAL_CE,         /* the lowest validation cross-entropy */
    CRD_CLI_LEFT_OUT_CLASS, /* the best detection of a held-out class, at little loss of accuracy */
    CRD_CLI_OWN_ERRORS,     /* the best detection of wrong answers, at little loss of accuracy */
    CRD_CLI_CRITERIA        /* the number of criteria */
} crd_cli_criterion;

const char *crd_cli_criterion_name(crd_cli_criterion criterion);
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
    crd_cli_space space;
    crd_cli_candidate *candidate; /* of that space */
    int64_t candidates;
    crd_cli_runs runs; /* open */
    /* Made. */
    bool halves;         /* there are two classes: when one is held out, the model tells halves of the other apart */
    int32_t *held_class; /* splits x held; NULL: no class is held out */
    int rungs;
    crd_cli_rung rung[CRD_CLI_MOST_RUNGS];
    crd_cli_standing *standing; /* all candidates, the chosen one first */
} crd_cli_tuning;

/* Both return the exit code and report what is wrong. */

/* Chooses the classes to hold out and checks before any work that the criterion can be computed. */
int crd_cli_tune_prepare(crd_cli_tuning *tuning);
/* Takes the results on disk, does the other trials, ranks. */
int crd_cli_tune_run(crd_cli_tuning *tuning);
void crd_cli_tune_free(crd_cli_tuning *tuning);

/* ---- trials ---- */

/* A training, done or still to do. */
typedef struct crd_cli_trial {
    int64_t candidate;
    int split, held;
    int64_t budget; /* epochs; -1: no limit */
} crd_cli_trial;

/* The result of one trial. */
typedef struct crd_cli_outcome {
    int64_t budget;    /* allowed epochs; -1: no limit */
    int64_t epochs;    /* used epochs */
    bool limited;      /* the budget ended it */
    bool trained;      /* training ended as it should; it would do so again */
    bool diverged;     /* it failed because of its numbers; it would fail again, with more epochs too */
    double score;      /* cross-entropy or AUROC, depending on the criterion */
    double accuracy;   /* on the validation nodes of the classes trained on */
    double checked;    /* the number of these nodes; 0 if it does not matter */
    const char *error; /* why it has no score; NULL: it has one. It belongs to the trial's line */
} crd_cli_outcome;

/* Does a trial: work of a pool, whose context is the tuning. It may change the dataset, in its own process. */
crd_status crd_cli_trial_run(const void *tuning, const void *trial, json_t *result, crd_error *error) CRD_MUST_CHECK;
/* The fields that identify a trial in its line. */
json_t *crd_cli_trial_line(const crd_cli_tuning *tuning, const crd_cli_trial *trial);
/* A trial's outcome, also from an earlier trial that answers for it; false: it is still to do. */
bool crd_cli_find_outcome(const crd_cli_tuning *tuning, const crd_cli_trial *trial, crd_cli_outcome *outcome);

#endif
