/* How well a trial's model tells its own wrong answers from its right ones.
 *
 * Looked at are the validation nodes of the classes trained on (early stopping looks at them too, as at the
 * same nodes for every candidate). The labels of test nodes and of classes left out are not. */
#ifndef CREDENCE_CLI_LAB_TUNE_ERRORS_H
#define CREDENCE_CLI_LAB_TUNE_ERRORS_H

#include "output.h"

/* What evaluation for misclassification finds where the validation nodes of `split` are the test nodes. */
crd_status crd_lab_own_errors(const crd_dataset *dataset, const crd_split *split, const crd_model *model,
                              crd_evaluation *evaluation, crd_error *error) CRD_MUST_CHECK;

#endif
