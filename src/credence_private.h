/* SPDX-License-Identifier: MIT */
/* credence_private.h - what the library shares with our own command, and with nobody else.
 *
 * Nothing here is a promise: any version may change or remove it. The header is not installed, and libcredence.so
 * does not export these functions; our own programs link the static library. The rules of credence.h (status and
 * error, handles, strings, threads) hold here too. */
#ifndef CREDENCE_PRIVATE_H
#define CREDENCE_PRIVATE_H

#include "credence.h"

/* A crd_control that says nothing but the number of threads. */
#define CRD_THREADS(count) (&(const crd_control){.size = sizeof(crd_control), .threads = (int)(count)})

/* ------------------------------------------------------------------------------------------------------
 * Data
 * ---------------------------------------------------------------------------------------------------- */

/* Changes the order of the classes in place: the new class i is the old class order[i]; `order` has every class once.
 * Labels, names and fingerprint follow, as if the data had been stored that way: classes without names are named by
 * their new numbers. Left-out classes are the last ones, so this call chooses them. */
CRD_MUST_CHECK crd_status crd_dataset_order_classes(crd_dataset *dataset, const int32_t *order, crd_error *error);
/* Moves the marked classes behind the others in place, to leave them out. Both parts keep their order, and every class
 * keeps its name, even if that is only its old number. So does the fingerprint: models know classes by name. */
CRD_MUST_CHECK crd_status crd_dataset_move_last(crd_dataset *dataset, const bool *last, crd_error *error);
/* Gives every node a new label in place: a class of the data, or -1 for none. Updates the fingerprint. */
CRD_MUST_CHECK crd_status crd_dataset_set_labels(crd_dataset *dataset, const int32_t *labels, crd_error *error);

/* The fingerprint of the graph and the labels, without the features. */
const char *crd_dataset_graph_fingerprint(const crd_dataset *dataset);

/* How often edges join nodes of one class, as in crd_info. Only classes below `classes` count, and with a split only
 * the labels of training and validation nodes. */
typedef struct crd_homophily {
    int64_t edges;         /* between nodes that count */
    double inside, chance; /* -1: there are no such edges */
    bool misleads;
} crd_homophily;
CRD_MUST_CHECK crd_status crd_dataset_homophily(const crd_dataset *dataset, const crd_split *split, int32_t classes,
                                                crd_homophily *homophily, crd_error *error);

/* ------------------------------------------------------------------------------------------------------
 * Zip archives
 * ---------------------------------------------------------------------------------------------------- */

typedef struct crd_zip crd_zip;
typedef struct crd_zip_reader crd_zip_reader;

/* Opens an archive and checks its directory: members that overlap or lie outside the file are a format error. */
CRD_MUST_CHECK crd_status crd_zip_open(const char *path, crd_zip **zip, crd_error *error);
void crd_zip_free(crd_zip **zip);
/* The members in the order of the directory. Two may have the same name. */
int64_t crd_zip_count(const crd_zip *zip);
const char *crd_zip_name(const crd_zip *zip, int64_t member);
/* Starts to read a member; free the reader before the archive. Messages begin with `name`. A member that is encrypted,
 * packed by another method than deflate, or described differently before its data, is a format error. */
CRD_MUST_CHECK crd_status crd_zip_reader_open(const crd_zip *zip, int64_t member, const char *name,
                                              crd_zip_reader **reader, crd_error *error);
/* Unpacks the next bytes, up to `count`; *got says how many, 0 at the end. The call that gives the last byte fails if
 * size or checksum are not as announced. */
CRD_MUST_CHECK crd_status crd_zip_read(crd_zip_reader *reader, void *buffer, size_t count, size_t *got,
                                       const char *name, crd_error *error);
void crd_zip_reader_free(crd_zip_reader **reader);

/* ------------------------------------------------------------------------------------------------------
 * Configuration: the structure behind the handle
 * ---------------------------------------------------------------------------------------------------- */

/* The values of each choice are in the order of their names in models/config.c. */
typedef enum crd_activation {
    CRD_ACT_RELU,
    CRD_ACT_GELU,
    CRD_ACT_LOGSIGMOID,
    CRD_ACT_HARDTANH,
    CRD_ACT_SIGMOID,
    CRD_ACT_LINEAR /* no activation: for the theory's examples */
} crd_activation;

typedef enum crd_regulariser { CRD_REG_NONE, CRD_REG_DISTANCE, CRD_REG_EVIDENCE } crd_regulariser;

/* Of the loss of training nodes. Balanced: every class counts as much as another, and the mean weight is 1. */
typedef enum crd_class_weights { CRD_CLASS_WEIGHTS_NONE, CRD_CLASS_WEIGHTS_BALANCED } crd_class_weights;
/* How the epistemic score of a prediction is made; answers/peers.c defines each. */
typedef enum crd_doubt {
    CRD_DOUBT_OWN, /* as the kind of model does it */
    CRD_DOUBT_ENERGY,
    CRD_DOUBT_GNNSAFE,
    CRD_DOUBT_GEBM,
    CRD_DOUBT_GRASP,
    CRD_DOUBT_EPN,
    CRD_DOUBT_VACUITY,
    CRD_DOUBT_LOG_EVIDENCE,
    CRD_DOUBT_ANCHOR,
    CRD_DOUBTS
} crd_doubt;

typedef enum crd_preprocessing {
    CRD_FEATURES_AUTO,
    CRD_FEATURES_NONE,
    CRD_FEATURES_ROWNORM,        /* each row divided by its sum */
    CRD_FEATURES_BINARY_ROWNORM, /* positive entries become 1, then rownorm: the paper's choice */
    CRD_FEATURES_UNIT,           /* each row divided by its Euclidean length */
    CRD_FEATURES_STANDARD        /* zero mean, unit variance */
} crd_preprocessing;

typedef enum crd_calibration {
    CRD_CALIBRATION_NONE,
    CRD_CALIBRATION_TEMPERATURE, /* one temperature */
    CRD_CALIBRATION_ETS,         /* a mixture: with that temperature, without, and all classes alike */
    CRD_CALIBRATION_GATS         /* a temperature for every node, by attention over its neighbours */
} crd_calibration;

/* Fields that a kind of model does not have are 0. crd_config_set keeps the fields consistent: it follows a new
 * `model` or `reg`, and keeps one of reg_strength and reg_weight at 0. If you write fields directly, you must do the
 * same; crd_config_check checks it. */
struct crd_config {
    char model[16];
    crd_preprocessing features;
    int64_t left_out; /* the last classes, kept from training: out of distribution */
    bool inductive;   /* their nodes are not even in the training graph, only in predictions */
    crd_class_weights class_weights;
    crd_doubt score;
    int64_t hidden;
    int64_t latent;
    int64_t flow_layers;
    double teleport;
    int64_t steps;
    bool class_scale;   /* + log K in the evidence */
    bool rounded_alpha; /* lp and gkde: 1 + evidence in single precision */
    double dropout;
    crd_activation activation;
    crd_regulariser reg;
    double reg_strength; /* weight of the regulariser as a mean: times training nodes / edges, both directions
                          * of an edge counted */
    double reg_weight;   /* weight of the regulariser as a sum over the edges: the paper's lambda 2 */
    double entropy_weight;
    double share_weight; /* of -log of the true class's share of the evidence */
    double lr;
    double weight_decay; /* of a gpn: encoder only */
    int64_t warmup;
    int64_t patience;
    double hold_out;             /* the share of the validation nodes that becomes calibration nodes */
    crd_calibration calibration; /* how outputs become probabilities; fitted after training */
    int64_t networks;            /* of a committee */
    int64_t max_epochs;          /* of the main phase; -1: until patience ends it, or CRD_EPOCHS_WITHOUT_VALIDATION */
    uint64_t seed;
    int64_t threads; /* 0: as in credence.h */
};

#define CRD_EPOCHS_WITHOUT_VALIDATION 200

void crd_config_defaults(crd_config *config);
/* Sets options from "name=value name=value". */
CRD_MUST_CHECK crd_status crd_config_set_all(crd_config *config, const char *settings, crd_error *error);
/* Checks all values together; crd_train does this too, before any work. */
CRD_MUST_CHECK crd_status crd_config_check(const crd_config *config, crd_error *error);
/* The name of the epistemic score; NULL: the model's own. */
const char *crd_config_score(const crd_config *config);
/* Whether the configuration's model has the option. */
bool crd_config_has(const crd_config *config, const char *name);

/* The options as a JSON object, except those in the NULL-terminated list `without`: on one line, or one line per
 * option. */
CRD_MUST_CHECK crd_status crd_config_json_without(const crd_config *config, const char *const *without, bool lines,
                                                  char **json, crd_error *error);

int crd_option_count(void);
int crd_kind_count(void);
int crd_preset_count(void);
/* The values that an option of crd_option_at may have, with NULL after the last; NULL if they are not a list. */
const char *const *crd_option_choices(int index);
/* One line: what a kind of model does; where a preset's values come from. */
const char *crd_kind_help(int index);
const char *crd_preset_help(int index);
/* Whether the kind of this name learns from features; other kinds look only at the graph and its labels. */
bool crd_kind_trained(const char *name);
/* What the kind of this name does where edges join different classes: "assumes that edges join like nodes". */
const char *crd_kind_edges(const char *name);
/* The views of a committee: "alone", "near", "far"; NULL past the last. */
const char *crd_view_name(int view);

/* ------------------------------------------------------------------------------------------------------
 * Training
 * ---------------------------------------------------------------------------------------------------- */

/* The model that crd_train makes on these data with the configuration of `trained` and another score, without its
 * epochs: they are the same for every score. The kind must have the option `score`, and the data and the split must be
 * those of `trained`. The seconds are those of `trained` and of the score's own head, if it has one. */
CRD_MUST_CHECK crd_status crd_rescore(const crd_model *trained, const crd_dataset *dataset, const crd_split *split,
                                      crd_doubt score, crd_model **model, crd_error *error);

/* ------------------------------------------------------------------------------------------------------
 * Names as text, logs
 * ---------------------------------------------------------------------------------------------------- */

/* Reads the name of a format: "npz", "npy", "csv", "mtx", "ogb", "auto". */
CRD_MUST_CHECK crd_status crd_format_parse(const char *name, crd_format *format, crd_error *error);
/* Reads "KIND:AMOUNT" or "KIND:AMOUNT:MODE" with the kinds "bernoulli", "normal", "rewire", "dice" and the modes
 * "all" and "isolated". What the text does not give stays unchanged. */
CRD_MUST_CHECK crd_status crd_shift_parse(const char *text, crd_shift *shift, crd_error *error);
/* NULL for any other number. */
const char *crd_shift_kind_name(crd_shift_kind kind);
const char *crd_score_name(crd_score score);

/* One epoch as a JSON object on one line: a line of a training log. */
CRD_MUST_CHECK crd_status crd_epoch_json(const crd_epoch *epoch, char **json, crd_error *error);

/* ------------------------------------------------------------------------------------------------------
 * Predictions as tables
 * ---------------------------------------------------------------------------------------------------- */

/* Gives every row a position, x and y next to each other as crd_tsne writes them; NULL: none. The map is copied.
 * crd_prediction_write then adds columns for it. */
CRD_MUST_CHECK crd_status crd_prediction_set_map(crd_prediction *prediction, const float *map, crd_error *error);
/* The format of a path's ending, as for CRD_TABLE_AUTO; fails for an unknown ending. */
CRD_MUST_CHECK crd_status crd_table_format_of(const char *path, crd_table_format *format, crd_error *error);

/* ------------------------------------------------------------------------------------------------------
 * What evaluations use, and what plots draw
 * ---------------------------------------------------------------------------------------------------- */

#define CRD_SCORES 4 /* values of crd_score */

/* The nodes of an evaluation, in ascending order. */
typedef struct crd_sample {
    int64_t count, positives;
    int64_t *node;
    bool *positive;            /* whether it is one of crd_evaluation.positives */
    double *confidence;        /* the probability of the answer; NULL except for misclassification */
    double *score[CRD_SCORES]; /* by crd_score; NULL if the model has none of this kind */
    int32_t classes;
    crd_class_result *of_class;             /* one for each class of the model */
    struct crd_class_calibration *by_class; /* misclassification: of the answers of each class; else NULL */
} crd_sample;

/* The promises that evaluations measure (crd_promises). */
extern const double crd_alarm_levels[3], crd_error_levels[3];
#define CRD_PROMISE_CONFIDENCE 0.9
#define CRD_PROMISE_COVERAGE 0.9
#define CRD_DAPS_LAMBDA 0.5
#define CRD_RAPS_LAMBDA 0.1

/* Whether crd_model_set_metadata would take this entry beside others of so many bytes. */
CRD_MUST_CHECK crd_status crd_metadata_check(const char *key, const char *value, size_t others, crd_error *error);

/* The least false alarms, and the least share of wrong answers at CRD_PROMISE_CONFIDENCE, that predictions of the model
 * can promise, rounded up to two digits; 1: none. */
CRD_MUST_CHECK crd_status crd_model_least_promises(const crd_model *model, double *false_alarms, double *max_error,
                                                   crd_error *error);

/* Before and after calibration. */
typedef struct crd_class_calibration {
    int64_t answers;
    double ece[2], brier[2], nll[2];
} crd_class_calibration;
/* A split in which all labelled nodes test, except the model's own training and calibration nodes, which keep their
 * roles. If the data are not those of its training, it has seen none of them. */
CRD_MUST_CHECK crd_status crd_split_all(const crd_model *model, const crd_dataset *dataset, crd_split **split,
                                        crd_error *error);

/* Evaluates like crd_evaluate, or like crd_evaluate_shift for CRD_TASK_SHIFT, and hands out the sample, unless it is
 * NULL. Other tasks ignore `shift`. */
CRD_MUST_CHECK crd_status crd_evaluate_sample(const crd_model *model, const crd_dataset *dataset,
                                              const crd_split *split, crd_task task, const crd_shift *shift,
                                              int threads, crd_evaluation *evaluation, crd_sample **sample,
                                              crd_error *error);
void crd_sample_free(crd_sample **sample);

/* Cross-validation. The nodes that the model has learned from are dealt into folds, class by class. For each fold a new
 * model is trained in the same way, without the nodes of the fold, and answers for them. A class's only training node
 * is in no fold. `evaluation` and `sample` are about all these answers, `of_fold` (one for each fold) about those of
 * one fold. `progress` may be NULL; it is called when a fold begins, with epoch 0, and after each epoch. */
typedef struct crd_folds {
    int64_t count; /* 2 or more */
    int threads;
    void (*progress)(int64_t fold, int64_t epoch, void *user);
    void *user;
} crd_folds;
CRD_MUST_CHECK crd_status crd_evaluate_folds(const crd_model *model, const crd_dataset *dataset, const crd_folds *folds,
                                             crd_evaluation *of_fold, crd_evaluation *evaluation, crd_sample **sample,
                                             crd_error *error);

/* Like crd_evaluation_json, with the sample's results and calibration of the model's classes, and with `folds`
 * evaluations of folds. The sample may be NULL. */
CRD_MUST_CHECK crd_status crd_evaluation_json_full(const crd_evaluation *evaluation, const crd_sample *sample,
                                                   const crd_model *model, const crd_evaluation *of_fold, int64_t folds,
                                                   char **json, crd_error *error);

/* Counts values in `bins` bins of equal width from the smallest to the largest finite value. `edges` gets bins + 1
 * numbers; bin b holds edges[b] <= value < edges[b + 1], and the last bin its upper edge too. -infinity counts in the
 * first bin, infinity in the last; NaN is an error. If all values are equal, the edges go from 0.5 below (a billionth
 * of the value, if that is more) to as much above; if none is finite, from 0 to 1. */
CRD_MUST_CHECK crd_status crd_histogram(const double *value, const bool *positive, int64_t count, int64_t bins,
                                        double *edges, int64_t *negatives, int64_t *positives, crd_error *error);

/* The divergence that crd_tsne minimises, for any map of these points, without a grid: time grows with
 * count squared. */
CRD_MUST_CHECK crd_status crd_tsne_divergence(const float *points, int64_t count, int64_t dims, double perplexity,
                                              const float *map, int threads, double *divergence, crd_error *error);

/* ------------------------------------------------------------------------------------------------------
 * Blocks of a report
 * ---------------------------------------------------------------------------------------------------- */

/* Begins a part: kind "model", "experiment" or "tuning"; blocks that follow belong to it. */
CRD_MUST_CHECK crd_status crd_report_begin(crd_report *report, const char *kind, const char *title, crd_error *error);
/* Adds JSON for the page's script under a name, once per part. Kind and name are constants of letters, digits and _;
 * they are not copied. */
CRD_MUST_CHECK crd_status crd_report_add_json(crd_report *report, const char *name, const char *json, crd_error *error);

#endif
