/* The metrics of a prediction whose truth is known. */
#ifndef CRD_ANSWERS_EVALUATE_H
#define CRD_ANSWERS_EVALUATE_H

#include "answers/prediction.h"

/* `truth` has one entry a node as in answers/classes.h; nodes with CRD_TRUTH_UNKNOWN are not evaluated.
 * What the task does not give is NaN. */
crd_status crd_evaluate_prediction(const crd_prediction *prediction, const int32_t *truth, crd_task task,
                                   crd_evaluation *evaluation, crd_error *error);

#endif
