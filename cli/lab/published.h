/* The numbers that the paper published, as facts to compare with: percent, NaN where there is none. */
#ifndef CREDENCE_CLI_LAB_PUBLISHED_H
#define CREDENCE_CLI_LAB_PUBLISHED_H

/* The columns of the paper's tables. The task misclassification has two more: there aupr_alea and aupr_epi
 * take the wrong answers as the positive class, and aupr_success_* the right ones. */
typedef enum crd_lab_column {
    CRD_LAB_ID_ACC,
    CRD_LAB_AUROC_ALEA,
    CRD_LAB_AUROC_EPI,
    CRD_LAB_AUROC_EPI_WO,
    CRD_LAB_AUPR_ALEA,
    CRD_LAB_AUPR_EPI,
    CRD_LAB_AUPR_EPI_WO,
    CRD_LAB_AUPR_SUCCESS_ALEA,
    CRD_LAB_AUPR_SUCCESS_EPI,
    CRD_LAB_COLUMNS
} crd_lab_column;

/* The paper's text takes wrong answers as the positives of the misclassification task, but the AUPR that it
 * prints for its own model there can only come from right ones (it is near the accuracy, twice that of every
 * other model): these stand in the aupr_success columns here. */
typedef struct crd_lab_published {
    const char *task;         /* "ood", "misclassification", "ablation" */
    const char *data, *model; /* titles: "CoraML", "GPN" */
    double number[CRD_LAB_COLUMNS];
} crd_lab_published;

/* NULL if the paper has no such row. */
const crd_lab_published *crd_lab_published_find(const char *task, const char *data, const char *model);

#endif
