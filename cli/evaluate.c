/* credence evaluate: how good the answers are, and how good the doubt is. */
#include <math.h>
#include <string.h>

#include "credence_private.h"
#include "data.h"
#include "plot.h"

static void declare(crd_cli_options *options)
{
    crd_cli_add_choice(options, "task", "TASK", "by the model", "ood misclassification",
                       "ood: find the nodes of left-out classes; misclassification: find the wrong answers");
    crd_cli_add(options, 0, "shift", "SHIFT", NULL,
                "change test nodes and see whether the model notices: bernoulli:X, normal:X (noise replaces "
                "all features of the fraction X of the nodes), rewire:X, dice:X (other edges replace the "
                "fraction X of those between them)")
        ->suggestions = "bernoulli:0.1 normal:0.1 rewire:0.1 dice:0.1";
    crd_cli_add_choice(options, "shift-mode", "MODE", "all", "all isolated",
                       "all: the shifted nodes are in the graph at the same time; isolated: one node at a time");
    crd_cli_add_whole(options, "shift-nodes", 100, 1, INFINITY, "isolated: shift no more than N nodes");
    crd_cli_add_seed(options, "seed of the shift");
    crd_cli_add_test_nodes(options);
    crd_cli_add_data(options);
    crd_cli_add_threads(options);
    crd_cli_add_plot(options);
    crd_cli_add_json(options);
}

/* ---- options ---- */

static crd_task choose_task(const crd_cli_options *options, const crd_model *model)
{
    crd_model_facts facts;
    if (crd_cli_given(options, "shift")) return CRD_TASK_SHIFT;
    crd_model_get_facts(model, &facts);
    bool ood = crd_cli_given(options, "task") ? crd_cli_is(options, "task", "ood") : facts.left_out > 0;
    return ood ? CRD_TASK_OOD : CRD_TASK_MISCLASSIFICATION;
}

static int check_usage(const crd_cli_options *options)
{
    if (!crd_cli_given(options, "shift")) {
        static const char *const of_shift[] = {"shift-mode", "shift-nodes", "seed"};
        for (size_t i = 0; i < sizeof of_shift / sizeof of_shift[0]; i++)
            if (crd_cli_given(options, of_shift[i]))
                return crd_cli_misused(options, "--%s has no meaning without --shift", of_shift[i]);
    } else if (crd_cli_given(options, "task")) {
        return crd_cli_misused(options, "--shift is a task of its own and contradicts --task");
    }
    return CRD_CLI_DONE;
}

static int read_shift(const crd_cli_options *options, crd_shift *shift)
{
    crd_error error;
    const char *text = crd_cli_value(options, "shift"), *mode = crd_cli_value(options, "shift-mode");
    crd_shift_defaults(shift);
    if (text == NULL) return CRD_CLI_DONE;
    shift->seed = (uint64_t)crd_cli_whole(options, "seed");
    shift->most_nodes = crd_cli_whole(options, "shift-nodes");
    shift->isolated = crd_cli_is(options, "shift-mode", "isolated");
    bool isolated = shift->isolated;
    if (crd_shift_parse(text, shift, &error) != CRD_OK) return crd_cli_misused(options, "--shift: %s", error.message);
    if (mode != NULL && shift->isolated != isolated)
        return crd_cli_misused(options, "--shift %s and --shift-mode %s contradict each other", text, mode);
    if (!shift->isolated && crd_cli_given(options, "shift-nodes"))
        return crd_cli_misused(options, "--shift-nodes has no meaning without --shift-mode isolated");
    return CRD_CLI_DONE;
}

/* ---- the table: percent; beside every AUPR its positive class and that class's share of the nodes ---- */

static const char explanation[] = "\nIn percent. In brackets: the positive class and its share of the nodes, "
                                  "what a guess would\nget in AUPR and AP; in AUROC it gets 50.\n";

/* Four metrics of one uncertainty, in percent. */
static void add_scores(crd_cli_table *table, const char *name, double a, double b, double c, double d)
{
    const double metrics[] = {a, b, c, d};
    crd_cli_table_add(table, "%s", name);
    for (int i = 0; i < 4; i++) crd_cli_table_add_number(table, 2, 100.0 * metrics[i]);
}

static void print_detection(const crd_evaluation *e, const char *positives, FILE *stream)
{
    static const char *const names[] = {"aleatoric", "epistemic", "epistemic_features"};
    const crd_detection *scores[] = {&e->ood_aleatoric, &e->ood_epistemic, &e->ood_epistemic_features};
    crd_cli_table table = {.columns = 5};
    const double prevalence = 100.0 * e->prevalence;
    crd_cli_table_head(&table, "uncertainty|AUROC|AUPR (%s, %.2f)|AP (%s, %.2f)|FPR95", positives, prevalence,
                       positives, prevalence);
    for (int i = 0; i < 3; i++)
        add_scores(&table, names[i], scores[i]->auroc, scores[i]->aupr, scores[i]->ap, scores[i]->fpr95);
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
            crd_shift_kind_name(e->shift.kind), e->shift.amount, e->shift.isolated ? "one at a time" : "all at once",
            (long long)e->positives, (long long)e->nodes, 100.0 * e->prevalence);
    if (!noise)
        fprintf(stream, "Edges removed: %lld, added: %lld\n", (long long)e->edges_removed, (long long)e->edges_added);
    print_accuracy("Accuracy on the other nodes", e->accuracy, stream);
    print_accuracy("Accuracy on the shifted nodes", e->accuracy_shifted, stream);
    print_accuracy("Accuracy on the shifted nodes before the shift", e->accuracy_before, stream);
    fputc('\n', stream);
    print_detection(e, "shifted", stream);
}

static void print_failure(const crd_evaluation *e, FILE *stream)
{
    const crd_failure *aleatoric = &e->failure_aleatoric, *epistemic = &e->failure_epistemic;
    crd_cli_table table = {.columns = 5}, calibration = {.columns = 2};
    const double wrong = 100.0 * e->prevalence;
    fprintf(stream, "Finding wrong answers: %lld among %lld in-distribution nodes (%.2f %%)\n", (long long)e->positives,
            (long long)e->nodes, wrong);
    fprintf(stream, "Accuracy: %.2f %%\n\n", 100.0 * e->accuracy);
    crd_cli_table_head(&table, "uncertainty|AUROC|AUPR-error (wrong, %.2f)|AUPR-success (right, %.2f)|AURC", wrong,
                       100.0 - wrong);
    add_scores(&table, "aleatoric", aleatoric->auroc, aleatoric->aupr_error, aleatoric->aupr_success, aleatoric->aurc);
    add_scores(&table, "epistemic_class", epistemic->auroc, epistemic->aupr_error, epistemic->aupr_success,
               epistemic->aurc);
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

static int show(const crd_evaluation *e, const crd_sample *sample, const crd_model *model,
                const crd_cli_plotting *plotting)
{
    crd_error error;
    crd_model_facts facts;
    crd_model_get_facts(model, &facts);
    if (e->task == CRD_TASK_OOD) print_ood(e, stdout);
    else if (e->task == CRD_TASK_SHIFT) print_shift(e, stdout);
    else print_failure(e, stdout);
    crd_status status = crd_cli_plot_evaluation(e, sample, facts.classes, plotting, 0, stdout, &error);
    return status == CRD_OK ? CRD_CLI_DONE : crd_cli_fail(&error);
}

static int evaluate(const crd_cli_options *options, const crd_cli_inputs *in, const crd_shift *shift,
                    const crd_cli_plotting *plotting)
{
    crd_error error;
    crd_evaluation evaluation;
    crd_sample *sample = NULL;
    crd_split *split = NULL;
    char *json;
    int code = crd_cli_choose_test_nodes(options, in->dataset, &split);
    if (code != CRD_CLI_DONE) return code;
    crd_status status = crd_evaluate_sample(in->model, in->dataset, split, choose_task(options, in->model), shift,
                                            in->threads, &evaluation, &sample, &error);
    /* What helps may be another split: these options give one. */
    if (status == CRD_ERROR_MISMATCH && strstr(error.message, "split") != NULL)
        code = crd_cli_failf(CRD_CLI_FAILED, "%s (--split-file FILE, --test-nodes all)", error.message);
    else if (status != CRD_OK) code = crd_cli_fail(&error);
    else if (!crd_cli_given(options, "json")) code = show(&evaluation, sample, in->model, plotting);
    else code = crd_cli_print_text(crd_evaluation_json(&evaluation, &json, &error), &json, &error);
    crd_sample_free(&sample);
    crd_split_free(&split);
    return code;
}

static int run(const crd_cli_options *options)
{
    crd_cli_inputs in = {0};
    crd_shift shift;
    crd_cli_plotting plotting;
    int code = check_usage(options);
    if (code == CRD_CLI_DONE) code = read_shift(options, &shift);
    if (code == CRD_CLI_DONE) code = crd_cli_read_plot(options, &plotting);
    if (code == CRD_CLI_DONE) code = crd_cli_open_inputs(options, &in);
    if (code == CRD_CLI_DONE) code = evaluate(options, &in, &shift, &plotting);
    return crd_cli_close_inputs(options, &in, code);
}

const crd_cli_command crd_cli_evaluate = {
    .name = "evaluate",
    .group = CRD_CLI_OWN_GRAPH,
    .summary = "measure the answers and the doubt on test nodes",
    .description = "Measures MODEL on the test nodes of DATA: how often it is right, and how well its\n"
                   "uncertainty finds what it should not be trusted with. Without --task: ood if the model\n"
                   "has left-out classes, else misclassification. With --shift: how well it finds\n"
                   "test nodes that were changed after training.",
    .positional = {"MODEL", "DATA"},
    .declare = declare,
    .run = run,
};
