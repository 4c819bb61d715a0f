/* The numbers of runs: their names, where a line has them, and what they mean. */
#include "runs/runs.h"

#include <math.h>
#include <string.h>

/* Tables show the metrics that have a path, reports all of them. */
static const crd_cli_metric METRICS[] = {
    {"id_acc", "id_accuracy", "", "ID-ACC", CRD_CLI_OF_NODES},
    {"id_acc", "accuracy", "", "accuracy", CRD_CLI_OF_FAILURES},
    {"auroc_alea", "aleatoric.auroc", "AUROC", "aleatoric", CRD_CLI_OF_ALL},
    {"auroc_epi", "epistemic.auroc", "AUROC", "epistemic", CRD_CLI_OF_ALL},
    {"auroc_epi_wo", "epistemic_features.auroc", "AUROC", "w/o network", CRD_CLI_OF_NODES},
    {"aupr_alea", "aleatoric.aupr", "AUPR", "aleatoric", CRD_CLI_OF_NODES},
    {"aupr_epi", "epistemic.aupr", "AUPR", "epistemic", CRD_CLI_OF_NODES},
    {"aupr_epi_wo", "epistemic_features.aupr", "AUPR", "w/o network", CRD_CLI_OF_NODES},
    {"aupr_alea", "aleatoric.aupr_error", "AUPR-error", "aleatoric", CRD_CLI_OF_FAILURES},
    {"aupr_epi", "epistemic.aupr_error", "AUPR-error", "epistemic", CRD_CLI_OF_FAILURES},
    {"aupr_success_alea", "aleatoric.aupr_success", "AUPR-success", "aleatoric", CRD_CLI_OF_FAILURES},
    {"aupr_success_epi", "epistemic.aupr_success", "AUPR-success", "epistemic", CRD_CLI_OF_FAILURES},
    {"shifted_accuracy", NULL, "Accuracy on shifted nodes", "after the shift", CRD_CLI_OF_NODES},
    {"shifted_accuracy_before", NULL, "Accuracy on shifted nodes", "before the shift", CRD_CLI_OF_NODES},
    {"aleatoric.fpr95", NULL, "FPR at 95 % recall", "aleatoric", CRD_CLI_OF_NODES},
    {"epistemic.fpr95", NULL, "FPR at 95 % recall", "epistemic", CRD_CLI_OF_NODES},
    {"epistemic_features.fpr95", NULL, "FPR at 95 % recall", "w/o network", CRD_CLI_OF_NODES},
    {"aleatoric.aurc", NULL, "AURC", "aleatoric", CRD_CLI_OF_FAILURES},
    {"epistemic.aurc", NULL, "AURC", "epistemic", CRD_CLI_OF_FAILURES},
    {"ece", NULL, "Calibration", "ECE", CRD_CLI_OF_ALL},
    {"brier", NULL, "Calibration", "Brier score", CRD_CLI_OF_ALL},
    {"nll", NULL, "Calibration", "log loss", CRD_CLI_OF_ALL},
    {"training.validation_cross_entropy", NULL, "Training", "validation cross-entropy", CRD_CLI_OF_ALL},
    {"training.epochs", NULL, "Training", "epochs", CRD_CLI_OF_ALL},
    {"seconds", NULL, "Training", "seconds", CRD_CLI_OF_ALL},
};
enum { METRIC_COUNT = sizeof METRICS / sizeof METRICS[0] };

const crd_cli_metric *crd_cli_metric_at(crd_cli_metric_kind kind, int index)
{
    for (int i = 0; i < METRIC_COUNT; i++)
        if ((METRICS[i].kind & kind) != 0 && index-- == 0) return &METRICS[i];
    return NULL;
}

crd_cli_metric_kind crd_cli_kind_of(const crd_cli_run *run)
{
    const char *task = crd_cli_json_string_at(run->line, "metrics.task");
    bool failures = strcmp(task != NULL ? task : run->task, "misclassification") == 0;
    return failures ? CRD_CLI_OF_FAILURES : CRD_CLI_OF_NODES;
}

/* Whether the last part of a path is one of these words, which are between blanks. */
static bool ends_in(const char *metric, const char *words)
{
    const char *last = strrchr(metric, '.');
    last = last == NULL ? metric : last + 1;
    for (size_t length; (length = crd_cli_next_word(&words)) > 0; words += length)
        if (strlen(last) == length && strncmp(last, words, length) == 0) return true;
    return false;
}

bool crd_cli_is_percent(const char *metric)
{
    return strncmp(metric, "config.", 7) != 0 &&
           !ends_in(metric, "nll brier nodes positives ece_bins epochs best_epoch seconds edges_removed edges_added "
                            "amount validation_cross_entropy");
}

bool crd_cli_is_loss(const char *metric)
{
    return ends_in(metric, "nll brier ece fpr95 aurc epochs seconds validation_cross_entropy");
}

double crd_cli_run_number(const crd_cli_run *run, const char *metric)
{
    const json_t *metrics = json_object_get(run->line, "metrics");
    const char *task = crd_cli_json_string_at(metrics, "task"), *path = metric;
    const crd_cli_metric *known;
    for (int i = 0; (known = crd_cli_metric_at(crd_cli_kind_of(run), i)) != NULL; i++)
        if (strcmp(known->name, metric) == 0 && known->path != NULL) path = known->path;
    double number = task == NULL ? NAN : crd_cli_json_number_at(json_object_get(metrics, task), path);
    if (isnan(number)) number = crd_cli_json_number_at(metrics, path);
    if (isnan(number)) number = crd_cli_json_number_at(run->line, path);
    return number * (crd_cli_is_percent(path) ? 100.0 : 1.0);
}

char *crd_cli_missing_metric(const crd_cli_run *runs, int64_t count, const char *metric)
{
    for (int64_t i = 0; i < count; i++)
        if (!isnan(crd_cli_run_number(&runs[i], metric))) return NULL;
    char *problem = crd_cli_text("no run has the metric '%s'; metrics are ", metric);
    for (int i = 0; i < METRIC_COUNT; i++)
        if (METRICS[i].path != NULL && strstr(problem, METRICS[i].name) == NULL)
            crd_cli_append(&problem, "%s, ", METRICS[i].name);
    crd_cli_append(&problem, "and places in the runs' metrics, as ood.epistemic.fpr95");
    return problem;
}
