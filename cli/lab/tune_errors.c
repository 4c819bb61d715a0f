#include "lab/tune_errors.h"

#include <stdlib.h>

crd_status crd_lab_own_errors(const crd_dataset *dataset, const crd_split *split, const crd_model *model,
                              crd_evaluation *evaluation, crd_error *error)
{
    const int64_t nodes = crd_dataset_nodes(dataset);
    uint8_t *roles = crd_cli_allocate(NULL, (size_t)nodes);
    crd_split *validation = NULL;
    /* The real test nodes have no role at all, so that nothing can be learnt of their labels. */
    for (int64_t i = 0; i < nodes; i++)
        roles[i] = crd_split_role(split, i) == CRD_ROLE_VALIDATION ? CRD_ROLE_TEST : CRD_ROLE_NONE;
    crd_status status = crd_split_from_roles(roles, nodes, &validation, error);
    free(roles);
    if (status == CRD_OK)
        status = crd_evaluate(model, dataset, validation, CRD_TASK_MISCLASSIFICATION, 1, evaluation, error);
    crd_split_free(&validation);
    return status;
}
