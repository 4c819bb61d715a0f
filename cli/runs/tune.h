/* Choosing options by trial: candidates, splits, and rungs on which the hopeless ones drop out.
 *
 * A trial trains one candidate on one split with a budget of epochs. Rungs of a successive halving give few
 * epochs to every candidate, then more to the best part of them, and the last rung trains in full on every
 * split. What is chosen depends on the trials alone, not on how many ran side by side or which ended first.
 */
#ifndef CREDENCE_CLI_RUNS_TUNE_H
#define CREDENCE_CLI_RUNS_TUNE_H

#include "credence_private.h"
#include "runs/runs.h"

/* The settings a search looks at: options by name, each with the values it may take.
 *
 *     reg-weight=0,decades:-6..-2;activation=relu,gelu
 *
 * An option's values are separated by commas, or by bars where a value has a comma in it
 * (features=none|binary,rownorm). Beside plain values there are
 *     decades:A..B/STEP   powers of ten, their exponents from A to B
 *     range:A..B/STEP     numbers from A to B
 * Without /STEP these are continuous, for random search alone. */

/* A plain value, or a continuous range of values or of their exponents. */
typedef struct crd_cli_item {
    char *text; /* NULL: a range */
    double low, high;
    bool decades;
} crd_cli_item;

typedef struct crd_cli_axis {
    const crd_option *option;
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
    char *json;        /* it as crd_cli_config_text writes it: settings of equal text are equal */
} crd_cli_candidate;

typedef struct crd_cli_candidates {
    crd_cli_candidate *candidate;
    int64_t count, capacity;
} crd_cli_candidates;

/* All return the exit code, after having said what is wrong. */

/* Reads a space; an option that it holds already gets the new values. `name` is what the text was given as,
 * for messages ("--space"). */
int crd_cli_space_add(crd_cli_space *space, const char *name, const char *text);
void crd_cli_space_free(crd_cli_space *space);

/* The spaces that have a name, by number; NULL behind the last. */
const char *crd_cli_space_name(int index);
/* What it consists of; NULL if there is none of that name. */
const char *crd_cli_space_text(const char *name);

/* Every combination of values, the first option's changing slowest; or `count` of them drawn at random.
 * Settings that mean the same (a regulariser of weight 0 is none) are there once. */
int crd_cli_space_grid(const crd_cli_space *space, const crd_config *base, crd_cli_candidates *candidates);
int crd_cli_space_draw(const crd_cli_space *space, const crd_config *base, int64_t count, uint64_t seed,
                       crd_cli_candidates *candidates);
/* The space's options with a candidate's values, "reg-weight=0.01 activation=gelu". The caller frees it. */
char *crd_cli_candidate_text(const crd_cli_space *space, const crd_cli_candidate *candidate);
void crd_cli_candidates_free(crd_cli_candidates *candidates);

/* ---- the search ---- */

typedef enum crd_cli_criterion {
    CRD_CLI_VAL_CE,         /* the lowest validation cross-entropy */
    CRD_CLI_LEFT_OUT_CLASS, /* at little loss of accuracy, the best detection of a class held out */
    CRD_CLI_OWN_ERRORS,     /* at little loss of accuracy, the best detection of its own wrong answers */
    CRD_CLI_CRITERIA        /* how many there are */
} crd_cli_criterion;

/* A training that is to be done, or was. */
typedef struct crd_cli_trial {
    int64_t candidate;
    int split, held;
    int64_t budget; /* epochs; -1: no limit */
} crd_cli_trial;

/* What is known of one trial. */
typedef struct crd_cli_outcome {
    int64_t budget;    /* epochs it might have used; -1: no limit */
    int64_t epochs;    /* that it used */
    bool limited;      /* the budget ended it */
    bool trained;      /* its training ended as it should; it would end so if tried again */
    bool diverged;     /* it failed because of its numbers; it would if tried again, with more epochs too */
    double score;      /* cross-entropy or AUROC, as the criterion has it */
    double accuracy;   /* on the validation nodes of the classes trained on */
    double checked;    /* how many these are; 0 if it does not matter */
    const char *error; /* it has no score because of this; NULL: it has one */
} crd_cli_outcome;

/* The outcomes of a candidate on one split with one class held out, with different budgets. */
typedef struct crd_cli_outcomes {
    crd_cli_outcome *outcome;
    int count;
} crd_cli_outcomes;

/* A candidate, and its trials of the last rung that it was on taken together. */
typedef struct crd_cli_standing {
    int64_t candidate;
    const char *state; /* "chosen", "finalist", "inaccurate", "eliminated", "failed" */
    int rung, trials;
    double score, error;     /* mean, and its standard error over splits (NaN with one) */
    double accuracy, chance; /* mean, and its standard error for so many validation nodes */
    const char *why;         /* it has no score because of this; NULL: it has one */
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
    crd_dataset *dataset;
    const char *data, *title; /* names of the data */
    const char *split;        /* how splits are made */
    uint64_t *seed;
    int splits;
    int64_t left_out;
    int held;           /* classes held out in turn */
    double eta;         /* 1 / the part that stays on every rung; 0: none drops out */
    int64_t min_epochs; /* on the first rung */
    int64_t finalists;  /* at least so many are trained in full */
    double most_loss;   /* of accuracy */
    int jobs;
    bool quiet;
    crd_cli_space space;
    crd_cli_candidates candidates; /* of that space */
    crd_cli_runs runs;             /* open */
    /* Made. */
    int own_splits;         /* of the data that `split` stands for; 0: seeds draw them */
    bool halves;            /* there are two classes: with one held out, halves of the other are told apart */
    int32_t *held_class;    /* splits x held */
    crd_cli_outcomes *cell; /* candidates x splits x held */
    int rungs;
    crd_cli_rung rung[CRD_CLI_MOST_RUNGS];
    crd_cli_standing *standing; /* every candidate, the chosen one first */
} crd_cli_tuning;

const char *crd_cli_criterion_name(crd_cli_criterion criterion);
/* Whether the score is an AUROC: more is better, and accuracy must not be lost for it. */
bool crd_cli_detects(crd_cli_criterion criterion);

/* These return the exit code, after having said what is wrong. */

/* Chooses what is held out and finds out before any work whether the criterion can be met. */
int crd_cli_tune_prepare(crd_cli_tuning *tuning);
/* Takes what is on disk, does the other trials, ranks. */
int crd_cli_tune_run(crd_cli_tuning *tuning);
void crd_cli_tune_free(crd_cli_tuning *tuning);

/* ---- trials ---- */

/* Does a trial, in a process of its own: it may change the dataset. *result is a JSON object. */
crd_status crd_cli_trial_run(const crd_cli_tuning *tuning, const crd_cli_trial *trial, char **result,
                             crd_error *error) CRD_MUST_CHECK;
/* The fields of a trial's line that say which it is. */
json_t *crd_cli_trial_line(const crd_cli_tuning *tuning, const crd_cli_trial *trial);
/* A text by which lines of the same training are found, whatever its budget; NULL for lines that are no
 * trials. The caller frees it. */
char *crd_cli_trial_key(const json_t *line);
/* What a line says; its strings are the line's. */
crd_cli_outcome crd_cli_trial_outcome(crd_cli_criterion criterion, const json_t *line);

/* ---- ranks ---- */

/* The epochs that a candidate may use on a rung; -1: no limit. */
int64_t crd_cli_tune_budget(const crd_cli_tuning *tuning, int64_t candidate, int rung);
/* A trial's outcome, from whichever earlier one answers for it; NULL: it is still to be done. */
const crd_cli_outcome *crd_cli_find_outcome(const crd_cli_tuning *tuning, const crd_cli_trial *trial);
void crd_cli_add_outcome(crd_cli_tuning *tuning, const crd_cli_trial *trial, crd_cli_outcome outcome);
/* Takes the trials of a rung's `count` candidates together, which must be done, and sorts the best first. */
void crd_cli_rank(crd_cli_tuning *tuning, int64_t count, int rung);
/* Whether its accuracy is too far below the best of its rung. */
bool crd_cli_is_inaccurate(const crd_cli_tuning *tuning, const crd_cli_standing *standing);

/* ---- what a search leaves, made of the trials alone: the same trials give the same bytes ---- */

/* The best ten, for people. */
void crd_cli_tune_print(const crd_cli_tuning *tuning, FILE *stream);
/* Every candidate, and the search, as CSV and as a JSON object in one line; the caller frees them. */
char *crd_cli_tune_csv(const crd_cli_tuning *tuning);
char *crd_cli_tune_json(const crd_cli_tuning *tuning);
/* What was done and what was chosen, in a few lines on standard error. */
void crd_cli_tune_say(const crd_cli_tuning *tuning, const char *output);

/* What a trial holds out, and how well it is then detected.
 *
 * Positives are nodes of the class held out that training or validation could have used; negatives are the
 * validation nodes of the classes that stay (early stopping looks at them too, as at the same nodes for every
 * candidate). Test nodes and the classes that are left out for good are neither: their labels are never
 * looked at. */

typedef struct crd_cli_held {
    crd_split *split; /* to train with */
    int64_t left_out; /* to train with */
    uint8_t *mark;    /* one a node: what it is when detection is measured */
    int64_t positives, negatives;
} crd_cli_held;

enum { CRD_CLI_MARK_NONE, CRD_CLI_MARK_NEGATIVE, CRD_CLI_MARK_POSITIVE };

/* Holds out a class (a number below classes - left_out): it is moved behind the others in `dataset` and left
 * out with those that are. Of two classes only one would stay, with nothing to tell apart: it is cut in two,
 * and `dataset` gets these halves as its classes. In one half are the training nodes, and the validation
 * nodes, which label propagation from one of them reaches most, measured by their rank: they lie together in
 * the graph, as a class does. */
crd_status crd_cli_hold_out(crd_dataset *dataset, const crd_split *split, int64_t left_out, int32_t class_index,
                            uint64_t seed, crd_cli_held *held, crd_error *error) CRD_MUST_CHECK;
void crd_cli_held_free(crd_cli_held *held);

/* The AUROC of the epistemic uncertainty (of the aleatoric one for models that have no other), and the
 * accuracy on the negatives. */
crd_status crd_cli_held_measure(const crd_cli_held *held, const crd_dataset *dataset, const crd_model *model,
                                double *auroc, double *accuracy, crd_error *error) CRD_MUST_CHECK;

#endif
