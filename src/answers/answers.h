/* SPDX-License-Identifier: MIT */
/* A model's answers for every node of a graph, alone and compared with the truth. */
#ifndef CRD_ANSWERS_ANSWERS_H
#define CRD_ANSWERS_ANSWERS_H

#include "base/text.h"
#include "credence_private.h"
#include "models/model.h"
#include "uncertainty/conformal.h"
#include "uncertainty/metrics.h"
#include "uncertainty/recalibrate.h"

/* Computes the model's output, nodes x classes. If the pointers are not NULL, also the output before the graph (if the
 * kind weighs it; for a committee see below) and the latent positions (if it has them). Features are prepared as in
 * training. The model must fit (crd_model_fits). `numbers` are the nodes' numbers for messages; NULL: the nodes' own.
 */
crd_status crd_infer(const crd_model *model, const crd_dataset *dataset, const int32_t *numbers, int threads,
                     float *output, float *before_graph, float *latent, crd_error *error);

/* The same for a committee: logits, nodes x classes. If they are not NULL: the logarithm of the odds that a node is
 * unlike the labelled ones, the same by its own features alone, the logits before the graph, networks x nodes x views x
 * (classes and "unlabelled"), and what the networks say of each node. */
crd_status crd_infer_committee(const crd_model *model, const crd_dataset *dataset, int threads, float *logits,
                               double *doubt, double *alone, float *before_graph, float *latent, crd_error *error);
/* Adds what one network says of some nodes, rows x views x (classes and "unlabelled"), to the answers for them. */
void crd_committee_add(const crd_model *model, const float *said, int64_t rows, float *logits, double *doubt,
                       double *alone, float *latent);
/* Whether a dataset is the one that the model was trained on. */
bool crd_is_training_graph(const crd_model *model, const crd_dataset *dataset);
/* The part that a node had in the training; none if these are other data. Validation nodes teach the networks of a
 * committee. */
crd_role crd_role_in_training(const crd_model *model, const crd_dataset *dataset, int64_t node);
/* What each node adds to its own doubt because its features are beyond all that training saw (models/likeness.c). */
crd_status crd_beyond(const crd_model *model, const crd_dataset *dataset, double *sum, crd_error *error);
/* The numbers of the output before the graph. */
int64_t crd_before_graph_count(const crd_model *model, int64_t nodes);
/* What calibrates a model's output on a dataset; `output` becomes logits in place. The caller closes it, even after a
 * failure. */
crd_status crd_recalibration_open(const crd_model *model, const crd_dataset *dataset, float *output,
                                  crd_recalibration *on, crd_error *error);
void crd_recalibration_close(crd_recalibration *on);
/* Replaces the epistemic score of a prediction by the one that the model's configuration names, if that is not the
 * kind's own. `output` is the model's; the other arrays of the prediction are filled. */
crd_status crd_peer_score(const crd_model *model, const crd_dataset *dataset, int threads, const float *output,
                          crd_prediction *prediction, crd_error *error);

/* The head of the score epn (train/head.c). How many parameters it has: weights [classes][classes], then biases. */
static inline int64_t crd_head_size(int64_t classes)
{
    return classes * (classes + 1);
}

/* The logarithm of the evidence that it gives a node with these logits for a class, at most CRD_HEAD_MOST and at least
 * -CRD_HEAD_MOST; the sum of the node's alpha. */
#define CRD_HEAD_MOST 30.0
double crd_head_log_evidence(const double *parameters, const float *logits, int32_t classes, int32_t class_index);
double crd_head_total(const double *parameters, const float *logits, int32_t classes);

/* Steps along the edges: x <- keep x + teleport x(0) + (1 - keep - teleport) m, with m the mean over a node's
 * neighbours, and over the node itself if `self`. */
typedef struct crd_walk {
    int64_t steps;
    double keep, teleport;
    bool self;
    bool empty; /* without `self`, m of a node without neighbours is 0, else its own value */
} crd_walk;

/* x is [nodes][columns]. */
crd_status crd_walk_along(const crd_graph *graph, const crd_walk *walk, int64_t columns, crd_team *team, double *x,
                          crd_error *error);

struct crd_prediction {
    int64_t nodes;       /* rows */
    int64_t *node;       /* the node of each row; NULL: row i is node i */
    int64_t graph_nodes; /* of the graph, once `node` is set */
    int32_t classes;
    int32_t *class_index;  /* nodes */
    float *probability;    /* nodes x classes */
    float *before;         /* probabilities before calibration, if crd_predict_evidence kept them; or NULL */
    float *alpha;          /* nodes x classes, or NULL */
    float *alpha_features; /* nodes x classes, or NULL */
    float *evidence, *evidence_features; /* alpha - 1, if crd_predict_evidence made it and the model has it; or NULL */
    int64_t latent_dims;
    float *latent;             /* nodes x latent_dims, or NULL */
    double *score[CRD_SCORES]; /* nodes, or NULL */
    float *x, *y;              /* nodes, in one array; or NULL before crd_prediction_set_map */
    uint8_t *rejected;         /* nodes, or NULL before crd_prediction_reject */
    uint64_t seed;             /* of the model, for sets */
    float *held;               /* the model's calibration nodes: held_count rows of CRD_HELD; NULL: it has none */
    int64_t held_count;
    double *doubt;               /* nodes, 0 to 1; NULL without calibration nodes */
    uint8_t *unknown, *answered; /* nodes; or NULL before the calls that flag */
    uint8_t *set;                /* nodes x classes; or NULL before crd_prediction_sets */
    char **class_names;          /* classes */
    const char *calibration;     /* the method's name */
};

/* Like crd_predict, but keeps what is behind the answers: the probabilities before calibration, and the evidence,
 * without calibration and without the rounding of 1 + evidence. */
crd_status crd_predict_evidence(const crd_model *model, const crd_dataset *dataset, int threads,
                                crd_prediction **prediction, crd_error *error);

/* Where the answers for the rows of a prediction come from. */
typedef struct crd_asked {
    float *output;         /* rows x classes */
    float *before_graph;   /* rows x classes; NULL unless the kind has features_alone */
    float *latent;         /* rows x crd_model_latent_dims, or NULL */
    double *doubt, *alone; /* rows, of a committee; else NULL */
} crd_asked;

typedef struct crd_answering {
    const crd_dataset *dataset; /* the rows as nodes; scores and calibrations that look at edges look at its graph */
    const int32_t *numbers;     /* of the rows, for messages; NULL: their own */
    crd_status (*ask)(void *context, crd_asked to, crd_error *error);
    void *context;
} crd_answering;

/* From outputs to a prediction. `keep` is that of crd_predict_evidence. */
crd_status crd_prediction_from(const crd_model *model, const crd_answering *from, int threads, bool keep,
                               crd_prediction **prediction, crd_error *error);
/* Fails if an output is not a number: weights or features can be finite and still so large. before_graph and numbers
 * may be NULL. */
crd_status crd_check_output(const crd_model *model, const float *output, const float *before_graph, int64_t nodes,
                            const int32_t *numbers, crd_error *error);
/* Keeps the chosen rows, in this order, of a prediction that was just made. After a failure it can only be freed. */
crd_status crd_prediction_choose(crd_prediction *prediction, const int64_t *rows, int64_t count, crd_error *error);

/* Makes a prediction of one row one of so many, all alike. After a failure it can only be freed. */
crd_status crd_prediction_repeat(crd_prediction *prediction, int64_t count, crd_error *error);
/* Replaces a row by the only one of another prediction, made by the same model in the same way. */
void crd_prediction_put(crd_prediction *prediction, int64_t row, const crd_prediction *one);

/* The score behind doubt: the epistemic one, or the aleatoric one if the model has no other. */
const double *crd_strangeness(const crd_prediction *prediction);
/* Gives a prediction the model's calibration nodes, and every row its doubt, if the model has such nodes. */
crd_status crd_prediction_hold(const crd_model *model, crd_prediction *prediction, crd_error *error);

/* The classes of a dataset and those of a model: matched by name, not by number. */

/* The truth about a node is its class as the model numbers it (0, 1, ...), or one of these. */
enum {
    CRD_TRUTH_UNKNOWN = -1,       /* no label, or not evaluated */
    CRD_TRUTH_OUT_OF_CLASSES = -2 /* labelled with a class that the model does not have */
};

/* (*map)[c] is the place of the dataset's class c in `names` (the first if names repeat), or
 * CRD_TRUTH_OUT_OF_CLASSES. The caller frees *map. */
crd_status crd_classes_match(const crd_dataset *dataset, const char *const *names, int32_t count, int32_t **map,
                             crd_error *error);
/* (*truth)[i] is the label of node i, numbered as in `names`, or one of the values above. The caller frees *truth. */
crd_status crd_truth_make(const crd_dataset *dataset, const char *const *names, int32_t count, int32_t **truth,
                          crd_error *error);

/* The metrics of a prediction whose truth is known. */

/* `truth` has one entry per node, as above; nodes with CRD_TRUTH_UNKNOWN are not evaluated. For CRD_TASK_SHIFT,
 * CRD_TRUTH_OUT_OF_CLASSES marks the shifted nodes. Metrics that the task does not have are NaN. `sample` may be
 * NULL; a failure does not change it. */
crd_status crd_evaluate_prediction(const crd_prediction *prediction, const int32_t *truth, crd_task task,
                                   crd_evaluation *evaluation, crd_sample **sample, crd_error *error);

/* Gives a node the answer that it has in another prediction of the same model's kind: class, probabilities, scores. */
void crd_prediction_take(crd_prediction *prediction, int64_t node, const crd_prediction *from);

/* Like crd_evaluate_shift; `sample` is as for crd_evaluate_prediction. */
crd_status crd_evaluate_shifted(const crd_model *model, const crd_dataset *dataset, const crd_split *split,
                                const crd_shift *shift, int threads, crd_evaluation *evaluation, crd_sample **sample,
                                crd_error *error);

/* What the model's promises come to on the nodes whose truth is known; flags the prediction on the way. */
crd_status crd_promises_measure(crd_prediction *prediction, const crd_dataset *dataset, const int32_t *truth,
                                crd_promises *promises, crd_error *error);

/* Sets *split, if it is NULL, to the model's own split; then the model must come from this very dataset. */
crd_status crd_evaluation_split(const crd_model *model, const crd_dataset *dataset, const crd_split **split,
                                crd_error *error);
/* The truth for the test nodes of a split. NULL: the model's own split; then the model must come from this very
 * dataset. The caller frees *truth. */
crd_status crd_evaluation_truth(const crd_model *model, const crd_dataset *dataset, const crd_split *split,
                                int32_t **truth, crd_error *error);

/* An uncertainty that a task measures, and where crd_evaluation has its four metrics. */
typedef struct crd_measure {
    const char *name;
    crd_score score;
    size_t metrics; /* the offset of a crd_detection or crd_failure */
} crd_measure;

/* Returns how many there are. */
int crd_measured_by(crd_task task, const crd_measure **measures);
/* Adds the metrics to the JSON object that the caller has opened. */
void crd_measure_add_json(crd_text *text, const crd_measure *measure, const crd_evaluation *evaluation);

#endif
