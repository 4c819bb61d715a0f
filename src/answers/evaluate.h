/* The metrics of a prediction whose truth is known. */
#ifndef CRD_ANSWERS_EVALUATE_H
#define CRD_ANSWERS_EVALUATE_H

#include "answers/sample.h"
#include "credence_private.h"

/* `truth` has one entry a node as in answers/classes.h; nodes with CRD_TRUTH_UNKNOWN are not evaluated. For
 * CRD_TASK_SHIFT, CRD_TRUTH_OUT_OF_CLASSES marks the shifted nodes. What the task does not give is NaN.
 * `sample` may be NULL; it is not touched on failure. */
crd_status crd_evaluate_prediction(const crd_prediction *prediction, const int32_t *truth, crd_task task,
                                   crd_evaluation *evaluation, crd_sample **sample, crd_error *error);

/* crd_evaluate_shift, and what crd_evaluate_prediction says of `sample`. */
crd_status crd_evaluate_shifted(const crd_model *model, const crd_dataset *dataset, const crd_split *split,
                                const crd_shift *shift, int threads, crd_evaluation *evaluation,
                                crd_sample **sample, crd_error *error);

/* Such a truth for the test nodes of a split; NULL: the model's own, which must be of this very dataset. The
 * caller frees *truth. */
crd_status crd_evaluation_truth(const crd_model *model, const crd_dataset *dataset, const crd_split *split,
                                int32_t **truth, crd_error *error);

#endif
