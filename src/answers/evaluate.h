/* Predictions compared with the truth. */
#ifndef CRD_ANSWERS_EVALUATE_H
#define CRD_ANSWERS_EVALUATE_H

#include "answers/prediction.h"
#include "base/text.h"
#include "credence_private.h"

/* The classes of a dataset and those of a model: matched by name, whatever their numbers. */

/* What is known about a node beside its class in the model's numbering (0, 1, ...). */
enum {
    CRD_TRUTH_UNKNOWN = -1,       /* no label, or not looked at */
    CRD_TRUTH_OUT_OF_CLASSES = -2 /* labelled, but with none of the model's classes */
};

/* (*map)[c] for every class c of the dataset: its number among `names`, the first of equal ones, or
 * CRD_TRUTH_OUT_OF_CLASSES. The caller frees *map. */
crd_status crd_classes_match(const crd_dataset *dataset, const char *const *names, int32_t count, int32_t **map,
                             crd_error *error);
/* (*truth)[i] for every node of the dataset: its label in the numbering of `names`, or one of the above.
 * The caller frees *truth. */
crd_status crd_truth_make(const crd_dataset *dataset, const char *const *names, int32_t count, int32_t **truth,
                          crd_error *error);
/* The same for a model's classes. */
crd_status crd_truth_for_model(const crd_dataset *dataset, const crd_model *model, int32_t **truth, crd_error *error);

/* The nodes that an evaluation looks at. */

/* In the nodes' order. */
struct crd_sample {
    int64_t count, positives;
    int64_t *node;
    bool *positive;
    double *confidence;        /* the probability of the answer; NULL but for misclassification */
    double *score[CRD_SCORES]; /* NULL where the model has none */
};

/* OOD: every labelled node, positive where its class is not the model's. Shift: the same, as shifted nodes
 * are marked like those. Misclassification: the nodes of the model's classes, positive where the answer is
 * wrong. `truth` as above. */
crd_status crd_sample_take(const crd_prediction *prediction, const int32_t *truth, crd_task task, crd_sample **sample,
                           crd_error *error);

/* The metrics of a prediction whose truth is known. */

/* `truth` has one entry per node as above; nodes with CRD_TRUTH_UNKNOWN are not evaluated. For
 * CRD_TASK_SHIFT, CRD_TRUTH_OUT_OF_CLASSES marks the shifted nodes. What the task does not give is NaN.
 * `sample` may be NULL; it is not touched on failure. */
crd_status crd_evaluate_prediction(const crd_prediction *prediction, const int32_t *truth, crd_task task,
                                   crd_evaluation *evaluation, crd_sample **sample, crd_error *error);

/* crd_evaluate_shift, and what crd_evaluate_prediction says of `sample`. */
crd_status crd_evaluate_shifted(const crd_model *model, const crd_dataset *dataset, const crd_split *split,
                                const crd_shift *shift, int threads, crd_evaluation *evaluation, crd_sample **sample,
                                crd_error *error);

/* Such a truth for the test nodes of a split; NULL: the model's own, which must be of this very dataset. The
 * caller frees *truth. */
crd_status crd_evaluation_truth(const crd_model *model, const crd_dataset *dataset, const crd_split *split,
                                int32_t **truth, crd_error *error);

/* Their members, for the JSON object that the caller has opened. */
void crd_detection_add_json(crd_text *text, const crd_detection *detection);
void crd_failure_add_json(crd_text *text, const crd_failure *failure);

#endif
