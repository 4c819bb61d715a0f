/* credence_private.h - what only our own command and laboratory need.
 *
 * Nothing here is a promise: it may change or go with any version. The header is not installed, and
 * libcredence.so does not export these functions; programs of ours link the static library. The rules of
 * credence.h (status and error, handles, strings, threads) hold here too. */
#ifndef CREDENCE_PRIVATE_H
#define CREDENCE_PRIVATE_H

#include "credence.h"

/* ------------------------------------------------------------------------------------------------------
 * Data
 * ---------------------------------------------------------------------------------------------------- */

/* Changes the order of the classes in place: class i becomes what class order[i] was; `order` has every class
 * once. Labels, names and fingerprint follow, as if the data had been stored that way; a class that has only
 * its number for a name keeps it. Left-out classes are the last ones, so this is how to choose others. */
CRD_MUST_CHECK crd_status crd_dataset_order_classes(crd_dataset *dataset, const int32_t *order,
                                                    crd_error *error);
/* Gives every node a new label in place: a class of the data, or -1 for none. The fingerprint follows. */
CRD_MUST_CHECK crd_status crd_dataset_set_labels(crd_dataset *dataset, const int32_t *labels,
                                                 crd_error *error);

/* The fingerprint of the graph and the labels alone, whatever the features are. */
const char *crd_dataset_graph_fingerprint(const crd_dataset *dataset);

/* ------------------------------------------------------------------------------------------------------
 * Help texts, logs
 * ---------------------------------------------------------------------------------------------------- */

/* The values that an option of crd_option_at may have, NULL after the last; NULL: they are not a list. */
const char *const *crd_option_choices(int index);
/* One line: what a kind of model does, and where a preset's values come from. */
const char *crd_kind_help(int index);
const char *crd_preset_help(int index);

/* One epoch as a JSON object on one line: a line of a training log. */
CRD_MUST_CHECK crd_status crd_epoch_json(const crd_epoch *epoch, char **json, crd_error *error);

/* ------------------------------------------------------------------------------------------------------
 * Predictions as tables
 * ---------------------------------------------------------------------------------------------------- */

/* Gives every row a place, x and y one after the other, as crd_tsne makes them; NULL: none. The map is copied.
 * Files that crd_prediction_write writes then have columns for it. */
CRD_MUST_CHECK crd_status crd_prediction_set_map(crd_prediction *prediction, const float *map, crd_error *error);
/* The format that a path's ending asks for, as CRD_TABLE_AUTO takes it; fails for any other ending. */
CRD_MUST_CHECK crd_status crd_table_format_of(const char *path, crd_table_format *format, crd_error *error);

/* ------------------------------------------------------------------------------------------------------
 * What evaluations are made of, and what plots draw
 * ---------------------------------------------------------------------------------------------------- */

/* The nodes that an evaluation looked at, in their order. */
typedef struct crd_sample crd_sample;

/* Evaluates like crd_evaluate, or like crd_evaluate_shift for CRD_TASK_SHIFT, and hands out the sample. Other
 * tasks ignore `shift`. */
CRD_MUST_CHECK crd_status crd_evaluate_sample(const crd_model *model, const crd_dataset *dataset,
                                              const crd_split *split, crd_task task, const crd_shift *shift,
                                              int threads, crd_evaluation *evaluation, crd_sample **sample,
                                              crd_error *error);
void crd_sample_free(crd_sample **sample);
int64_t crd_sample_count(const crd_sample *sample);
const int64_t *crd_sample_node(const crd_sample *sample);
/* Whether a node is one of crd_evaluation.positives. */
const bool *crd_sample_positive(const crd_sample *sample);
/* One uncertainty per node; NULL if the model has none of this kind. */
const double *crd_sample_score(const crd_sample *sample, crd_score score);
/* The probability of each answer, for crd_reliability; NULL unless the task is CRD_TASK_MISCLASSIFICATION. */
const double *crd_sample_confidence(const crd_sample *sample);

/* The curves behind the metrics. Equal scores are one step, as in the metrics; a score that is not a number is
 * an error; infinities are ordered like any other number. */
typedef struct crd_point {
    double x, y;
} crd_point;

typedef enum crd_curve {
    CRD_CURVE_ROC, /* x: false-positive rate, y: true-positive rate, from (0, 0) to (1, 1); its area by
                    * trapezoids is auroc. No point at all if there are no positives, or no negatives. */
    CRD_CURVE_PR,  /* x: recall, y: precision, from (0, 1) to (1, positives / count); its area by trapezoids
                    * is aupr. No point if there are no positives. */
    CRD_CURVE_RISK /* x: coverage, y: risk, the error rate among the least uncertain answers, which are covered:
                    * `score` is the uncertainty, `positive` a wrong answer. One point per answer, from
                    * 1 / count to 1; the mean of their y is aurc. Inside a tie it is the expected rate. No
                    * point if count is 0. */
} crd_curve;

/* At most `most` points (2 or more) in the order of x: the whole curve if it has no more; else some of its
 * points, with the first and the last, such that no other point is farther from the straight lines between
 * them than L / (most - 1), where L is the curve's length (at most 2 for a ROC curve). That is the worst case:
 * the distance is made as small as possible. *found is how many points there are. */
CRD_MUST_CHECK crd_status crd_curve_points(crd_curve kind, const double *score, const bool *positive,
                                           int64_t count, crd_point *points, int64_t most, int64_t *found,
                                           crd_error *error);

/* Counts values in `bins` bins of equal width from the smallest to the largest finite value. `edges` gets
 * bins + 1 numbers; bin b holds edges[b] <= value < edges[b + 1], and the last bin its upper edge too.
 * -infinity counts in the first bin, infinity in the last; a value that is not a number is an error. If all are
 * equal, the edges go from 0.5 below (a billionth of the value, if that is more) to as much above; if none is
 * finite, from 0 to 1. */
CRD_MUST_CHECK crd_status crd_histogram(const double *value, const bool *positive, int64_t count, int64_t bins,
                                        double *edges, int64_t *negatives, int64_t *positives,
                                        crd_error *error);

#define CRD_ECE_BINS 15

typedef struct crd_reliability_bin {
    double low, high; /* low < confidence <= high; the first bin holds 0 too */
    int64_t count;
    double confidence, accuracy; /* means; NaN if count is 0 */
} crd_reliability_bin;

/* How often answers of some confidence (the probability of the answer) are right. `ece` (may be NULL) is that
 * of crd_evaluation; NaN if there are no answers. A confidence that is not a number is an error; one outside
 * 0 to 1 goes to the nearest bin. */
CRD_MUST_CHECK crd_status crd_reliability(const double *confidence, const bool *right, int64_t count,
                                          crd_reliability_bin bins[CRD_ECE_BINS], double *ece,
                                          crd_error *error);

/* Two models measured on the same splits: is one better, or was it luck? Without any pair all but the counts
 * are NaN. Numbers that agree to twelve digits are equal. */
typedef struct crd_comparison {
    int64_t pairs;
    double mean_a, mean_b;
    double difference;          /* mean of a - b */
    double low, high;           /* 95 % bootstrap interval of that mean (BCa, 10,000 resamples); NaN for fewer
                                 * than three pairs; the difference itself if all pairs differ by the same */
    double wilcoxon_p;          /* two-sided signed-rank test without the pairs that do not differ: exact, ties
                                 * included, for up to 50 pairs (1 for none); beyond that the normal
                                 * approximation, corrected for ties */
    double sign_p;              /* two-sided sign test, exact; 1 if no pair differs */
    int64_t wins, ties, losses; /* of a */
} crd_comparison;

/* a[i] and b[i] belong to the same split; pairs in which one is not a finite number are left out. The same
 * seed gives the same interval. */
CRD_MUST_CHECK crd_status crd_compare(const double *a, const double *b, int64_t count, uint64_t seed,
                                      crd_comparison *comparison, crd_error *error);

/* What crd_tsne makes small, for any map of these points, without a grid: time grows with count squared. */
CRD_MUST_CHECK crd_status crd_tsne_divergence(const float *points, int64_t count, int64_t dims,
                                              double perplexity, const float *map, int threads,
                                              double *divergence, crd_error *error);

/* ------------------------------------------------------------------------------------------------------
 * Blocks of a report
 * ---------------------------------------------------------------------------------------------------- */

/* Begins a part: kind "model", "experiment" or "tuning"; blocks that follow belong to it. */
CRD_MUST_CHECK crd_status crd_report_begin(crd_report *report, const char *kind, const char *title,
                                           crd_error *error);
/* Adds data for the page's script under a name, once per part: any JSON value, or */
CRD_MUST_CHECK crd_status crd_report_add_json(crd_report *report, const char *name, const char *json,
                                              crd_error *error);

typedef enum crd_report_type {
    CRD_REPORT_UINT8,
    CRD_REPORT_UINT16,
    CRD_REPORT_INT16,
    CRD_REPORT_INT32,
    CRD_REPORT_FLOAT32
} crd_report_type;

/* `count` numbers in the machine's own byte order. */
CRD_MUST_CHECK crd_status crd_report_add_array(crd_report *report, const char *name, crd_report_type type,
                                               const void *values, int64_t count, crd_error *error);

#endif
