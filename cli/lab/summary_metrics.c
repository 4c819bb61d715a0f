/* The numbers of a run, by the names that people and tables have for them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/summary.h"

typedef struct place {
    const char *name;
    const char *ood, *failures; /* in the metrics; NULL: the task has no such number */
} place;

static const place places[CRD_LAB_COLUMNS] = {
    [CRD_LAB_ID_ACC] = {"id_acc", "id_accuracy", "accuracy"},
    [CRD_LAB_AUROC_ALEA] = {"auroc_alea", "ood.aleatoric.auroc", "misclassification.aleatoric.auroc"},
    [CRD_LAB_AUROC_EPI] = {"auroc_epi", "ood.epistemic.auroc", "misclassification.epistemic.auroc"},
    [CRD_LAB_AUROC_EPI_WO] = {"auroc_epi_wo", "ood.epistemic_features.auroc", NULL},
    [CRD_LAB_AUPR_ALEA] = {"aupr_alea", "ood.aleatoric.aupr", "misclassification.aleatoric.aupr_error"},
    [CRD_LAB_AUPR_EPI] = {"aupr_epi", "ood.epistemic.aupr", "misclassification.epistemic.aupr_error"},
    [CRD_LAB_AUPR_EPI_WO] = {"aupr_epi_wo", "ood.epistemic_features.aupr", NULL},
    [CRD_LAB_AUPR_SUCCESS_ALEA] = {"aupr_success_alea", NULL, "misclassification.aleatoric.aupr_success"},
    [CRD_LAB_AUPR_SUCCESS_EPI] = {"aupr_success_epi", NULL, "misclassification.epistemic.aupr_success"},
};

const char *crd_lab_column_name(crd_lab_column column)
{
    return places[column].name;
}

const crd_lab_heading *crd_lab_headings(bool failures)
{
    static const crd_lab_heading ood[CRD_LAB_SHOWN] = {
        {CRD_LAB_ID_ACC, "", "ID-ACC"},
        {CRD_LAB_AUROC_ALEA, "AUROC", "aleatoric"},
        {CRD_LAB_AUROC_EPI, "AUROC", "epistemic"},
        {CRD_LAB_AUROC_EPI_WO, "AUROC", "w/o network"},
        {CRD_LAB_AUPR_ALEA, "AUPR", "aleatoric"},
        {CRD_LAB_AUPR_EPI, "AUPR", "epistemic"},
        {CRD_LAB_AUPR_EPI_WO, "AUPR", "w/o network"},
    };
    static const crd_lab_heading wrong[CRD_LAB_SHOWN] = {
        {CRD_LAB_ID_ACC, "", "accuracy"},
        {CRD_LAB_AUROC_ALEA, "AUROC", "aleatoric"},
        {CRD_LAB_AUROC_EPI, "AUROC", "epistemic"},
        {CRD_LAB_AUPR_ALEA, "AUPR-error", "aleatoric"},
        {CRD_LAB_AUPR_EPI, "AUPR-error", "epistemic"},
        {CRD_LAB_AUPR_SUCCESS_ALEA, "AUPR-success", "aleatoric"},
        {CRD_LAB_AUPR_SUCCESS_EPI, "AUPR-success", "epistemic"},
    };
    return failures ? wrong : ood;
}

const json_t *crd_lab_json_at(const json_t *object, const char *path)
{
    while (object != NULL) {
        size_t length = strcspn(path, ".");
        char key[64];
        if (length == 0 || length >= sizeof key) return NULL;
        memcpy(key, path, length);
        key[length] = '\0';
        object = json_object_get(object, key);
        if (path[length] == '\0') break;
        path += length + 1;
    }
    return object;
}

/* Whether the last part of a path is one of these words. */
static bool ends_in(const char *metric, const char *const *words)
{
    const char *last = strrchr(metric, '.');
    last = last == NULL ? metric : last + 1;
    for (; *words != NULL; words++)
        if (strcmp(last, *words) == 0) return true;
    return false;
}

bool crd_lab_is_percent(const char *metric)
{
    static const char *const plain[] = {
        "nll",        "brier",   "nodes",         "positives",   "ece_bins", "epochs",
        "best_epoch", "seconds", "edges_removed", "edges_added", "amount",   "validation_cross_entropy",
        NULL};
    return strncmp(metric, "config.", 7) != 0 && !ends_in(metric, plain);
}

bool crd_lab_is_loss(const char *metric)
{
    static const char *const losses[] = {"nll",     "brier", "ece", "fpr95", "aurc", "epochs",
                                         "seconds", "validation_cross_entropy", NULL};
    return ends_in(metric, losses);
}

crd_lab_column crd_lab_column_find(const char *name)
{
    int column = 0;
    while (column < CRD_LAB_COLUMNS && strcmp(places[column].name, name) != 0) column++;
    return (crd_lab_column)column;
}

double crd_lab_run_number(const crd_lab_run *run, const char *metric)
{
    const json_t *metrics = json_object_get(run->line, "metrics");
    const char *task = json_string_value(json_object_get(metrics, "task"));
    bool failures = task != NULL && strcmp(task, "misclassification") == 0;
    crd_lab_column column = crd_lab_column_find(metric);
    const char *path = metric;
    if (column < CRD_LAB_COLUMNS) path = failures ? places[column].failures : places[column].ood;
    if (path == NULL) return NAN;
    const json_t *number = crd_lab_json_at(metrics, path);
    /* Where other nodes than those of left-out classes are to be found, they give the group its name. */
    if (number == NULL && column < CRD_LAB_COLUMNS && task != NULL && strncmp(path, "ood.", 4) == 0)
        number = crd_lab_json_at(json_object_get(metrics, task), path + 4);
    if (number == NULL) number = crd_lab_json_at(run->line, path);
    if (!json_is_number(number)) return NAN;
    return json_number_value(number) * (crd_lab_is_percent(path) ? 100.0 : 1.0);
}

static bool any_has(const char *metric, const crd_lab_run *runs, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (!isnan(crd_lab_run_number(&runs[i], metric))) return true;
    return false;
}

char *crd_lab_metric_problem(const char *metric, const crd_lab_run *runs, int64_t count)
{
    static const char *const deeper[] = {"ood.epistemic.fpr95", "shift.epistemic.fpr95",
                                         "misclassification.epistemic.aurc"};
    const char *example = "training.epochs"; /* every run that ended well has it */
    if (any_has(metric, runs, count)) return NULL;
    for (size_t i = 0; i < sizeof deeper / sizeof deeper[0]; i++)
        if (any_has(deeper[i], runs, count)) example = deeper[i];
    char *names = crd_cli_text("%s", "");
    for (int c = 0; c < CRD_LAB_COLUMNS; c++) {
        if (!any_has(places[c].name, runs, count)) continue;
        char *longer = crd_cli_text("%s%s, ", names, places[c].name);
        free(names);
        names = longer;
    }
    char *problem = crd_cli_text("no run has the metric '%s'; there are: %sand places in the runs' metrics, "
                                 "as %s",
                                 metric, names, example);
    free(names);
    return problem;
}
