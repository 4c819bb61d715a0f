/* Predictions compared with the truth. */
#ifndef CRD_ANSWERS_EVALUATE_H
#define CRD_ANSWERS_EVALUATE_H

#include "answers/prediction.h"
#include "base/text.h"
#include "credence_private.h"

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

/* Like crd_evaluate_shift; `sample` is as for crd_evaluate_prediction. */
crd_status crd_evaluate_shifted(const crd_model *model, const crd_dataset *dataset, const crd_split *split,
                                const crd_shift *shift, int threads, crd_evaluation *evaluation, crd_sample **sample,
                                crd_error *error);

/* The truth for the test nodes of a split. NULL: the model's own split; then the model must come from this very
 * dataset. The caller frees *truth. */
crd_status crd_evaluation_truth(const crd_model *model, const crd_dataset *dataset, const crd_split *split,
                                int32_t **truth, crd_error *error);

/* An uncertainty that a task measures, and where its four metrics (crd_detection or crd_failure) are in crd_evaluation.
 */
typedef struct crd_measure {
    const char *name;
    crd_score score;
    size_t metrics; /* offset */
} crd_measure;

/* Returns how many there are. */
int crd_measured_by(crd_task task, const crd_measure **measures);
/* Adds the metrics to the JSON object that the caller has opened. */
void crd_measure_add_json(crd_text *text, const crd_measure *measure, const crd_evaluation *evaluation);

#endif
