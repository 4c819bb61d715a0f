#include "evaluation.h"

#include <math.h>

#include "credence_private.h"

static const char explanation[] =
    "\nIn percent. In brackets: the positive class and its share of the nodes, what a guess would\nget in AUPR and AP; in AUROC it gets 50.\n";

static void add_detection(crd_cli_table *table, const char *name, const crd_detection *scores)
{
    crd_cli_table_add(table, "%s", name);
    crd_cli_table_add_number(table, 2, 100.0 * scores->auroc);
    crd_cli_table_add_number(table, 2, 100.0 * scores->aupr);
    crd_cli_table_add_number(table, 2, 100.0 * scores->ap);
    crd_cli_table_add_number(table, 2, 100.0 * scores->fpr95);
}

static void add_failure(crd_cli_table *table, const char *name, const crd_failure *scores)
{
    crd_cli_table_add(table, "%s", name);
    crd_cli_table_add_number(table, 2, 100.0 * scores->auroc);
    crd_cli_table_add_number(table, 2, 100.0 * scores->aupr_error);
    crd_cli_table_add_number(table, 2, 100.0 * scores->aupr_success);
    crd_cli_table_add_number(table, 2, 100.0 * scores->aurc);
}

static void print_detection(const crd_evaluation *e, const char *positives, FILE *stream)
{
    crd_cli_table table = {.columns = 5, .heading = true};
    double prevalence = 100.0 * e->prevalence;
    crd_cli_table_add(&table, "uncertainty");
    crd_cli_table_add(&table, "AUROC");
    crd_cli_table_add(&table, "AUPR (%s, %.2f)", positives, prevalence);
    crd_cli_table_add(&table, "AP (%s, %.2f)", positives, prevalence);
    crd_cli_table_add(&table, "FPR95");
    add_detection(&table, "aleatoric", &e->ood_aleatoric);
    add_detection(&table, "epistemic", &e->ood_epistemic);
    add_detection(&table, "epistemic_features", &e->ood_epistemic_features);
    crd_cli_table_print(&table, stream);
    fputs(explanation, stream);
}

static void print_ood(const crd_evaluation *e, FILE *stream)
{
    fprintf(stream, "Finding out-of-distribution nodes: %lld among %lld evaluated nodes (%.2f %%)\n",
            (long long)e->positives, (long long)e->nodes, 100.0 * e->prevalence);
    fprintf(stream, "Accuracy on the in-distribution nodes: %.2f %%\n\n", 100.0 * e->accuracy);
    print_detection(e, "OOD", stream);
}

static void print_accuracy(const char *name, double accuracy, FILE *stream)
{
    if (isnan(accuracy)) fprintf(stream, "%s: n.a.\n", name);
    else fprintf(stream, "%s: %.2f %%\n", name, 100.0 * accuracy);
}

static void print_shift(const crd_evaluation *e, FILE *stream)
{
    bool noise = e->shift.kind == CRD_SHIFT_BERNOULLI || e->shift.kind == CRD_SHIFT_NORMAL;
    fprintf(stream, "Finding shifted nodes (%s %g, %s): %lld among %lld evaluated nodes (%.2f %%)\n",
            crd_shift_kind_name(e->shift.kind), e->shift.amount,
            e->shift.isolated ? "one at a time" : "all at once", (long long)e->positives,
            (long long)e->nodes, 100.0 * e->prevalence);
    if (!noise)
        fprintf(stream, "Edges removed: %lld, added: %lld\n", (long long)e->edges_removed,
                (long long)e->edges_added);
    print_accuracy("Accuracy on the other nodes", e->accuracy, stream);
    print_accuracy("Accuracy on the shifted nodes", e->accuracy_shifted, stream);
    print_accuracy("Accuracy on the shifted nodes before the shift", e->accuracy_before, stream);
    fputc('\n', stream);
    print_detection(e, "shifted", stream);
}

static void print_failure(const crd_evaluation *e, FILE *stream)
{
    crd_cli_table table = {.columns = 5, .heading = true}, calibration = {.columns = 2};
    double wrong = 100.0 * e->prevalence;
    fprintf(stream, "Finding wrong answers: %lld among %lld in-distribution nodes (%.2f %%)\n",
            (long long)e->positives, (long long)e->nodes, wrong);
    fprintf(stream, "Accuracy: %.2f %%\n\n", 100.0 * e->accuracy);
    crd_cli_table_add(&table, "uncertainty");
    crd_cli_table_add(&table, "AUROC");
    crd_cli_table_add(&table, "AUPR-error (wrong, %.2f)", wrong);
    crd_cli_table_add(&table, "AUPR-success (right, %.2f)", 100.0 - wrong);
    crd_cli_table_add(&table, "AURC");
    add_failure(&table, "aleatoric", &e->failure_aleatoric);
    add_failure(&table, "epistemic_class", &e->failure_epistemic);
    crd_cli_table_print(&table, stream);
    fputc('\n', stream);
    crd_cli_table_add(&calibration, "ECE (%d bins)", CRD_ECE_BINS);
    crd_cli_table_add_number(&calibration, 2, 100.0 * e->ece);
    crd_cli_table_add(&calibration, "Brier score (not in percent)");
    crd_cli_table_add_number(&calibration, 4, e->brier);
    crd_cli_table_add(&calibration, "NLL (not in percent)");
    crd_cli_table_add_number(&calibration, 4, e->nll);
    crd_cli_table_print(&calibration, stream);
    fputs(explanation, stream);
    fputs("epistemic_class is minus the largest alpha: the evidence for the answer itself.\n", stream);
}

void crd_cli_print_evaluation(const crd_evaluation *evaluation, FILE *stream)
{
    if (evaluation->task == CRD_TASK_OOD) print_ood(evaluation, stream);
    else if (evaluation->task == CRD_TASK_SHIFT) print_shift(evaluation, stream);
    else print_failure(evaluation, stream);
}
