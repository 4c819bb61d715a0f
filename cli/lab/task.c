/* The tasks: what a table is about. */
#include <string.h>

#include "lab/run.h"
#include "lab/shift_task.h"

static crd_status evaluate(const crd_lab_wanted *wanted, const crd_model *model, const crd_split *split,
                           crd_task task, char **metrics, crd_error *error)
{
    crd_evaluation evaluation;
    crd_status status = crd_evaluate(model, wanted->data->dataset, split, task, 1, &evaluation, error);
    return status == CRD_OK ? crd_evaluation_json(&evaluation, metrics, error) : status;
}

static crd_status find_ood(const crd_lab_wanted *wanted, const crd_model *model, const crd_split *split,
                           char **metrics, crd_error *error)
{
    return evaluate(wanted, model, split, CRD_TASK_OOD, metrics, error);
}

static crd_status find_errors(const crd_lab_wanted *wanted, const crd_model *model, const crd_split *split,
                              char **metrics, crd_error *error)
{
    return evaluate(wanted, model, split, CRD_TASK_MISCLASSIFICATION, metrics, error);
}

static const crd_lab_task TASKS[] = {
    {"ood", "find the nodes of classes that were left out of training", "lp,gkde,vgcn,gkde-gcn,gpn,ours",
     true, find_ood},
    {"misclassification", "find the wrong answers", "appnp,vgcn,gkde-gcn,gpn,ours", false, find_errors},
    {"shift", "find test nodes whose features or edges were changed", "appnp,vgcn,gkde-gcn,gpn,ours", false,
     crd_lab_find_shifted},
    {"ablation", "the same as ood, with GPNs whose options are tuned on validation data first",
     "gpn,gpn-ce,gpn-ce-act,gpn-ce-act-gd", true, find_ood},
};
enum { TASK_COUNT = sizeof TASKS / sizeof TASKS[0] };

const crd_lab_task *crd_lab_task_at(int index)
{
    return index < 0 || index >= TASK_COUNT ? NULL : &TASKS[index];
}

const crd_lab_task *crd_lab_task_find(const char *name)
{
    for (int i = 0; i < TASK_COUNT; i++)
        if (strcmp(TASKS[i].name, name) == 0) return &TASKS[i];
    return NULL;
}
