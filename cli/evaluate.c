/* SPDX-License-Identifier: MIT */
/* credence evaluate: how good the answers are, and how good the doubt is. */
#include <math.h>
#include <stdlib.h>
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
    crd_cli_add_whole(options, "folds", 5, 2, 1000,
                      "cross-validate: train N new models in the same way, each without a part of the nodes that MODEL "
                      "has learned from, and measure them on that part")
        ->shown_default[0] = '\0';
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
    static const char *const not_with_folds[] = {"task", "shift", "split-file", "test-nodes"};
    for (size_t i = 0; crd_cli_given(options, "folds") && i < sizeof not_with_folds / sizeof not_with_folds[0]; i++)
        if (crd_cli_given(options, not_with_folds[i]))
            return crd_cli_misused(options, "--folds and --%s contradict each other", not_with_folds[i]);
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

static void print_accuracy(const char *name, double accuracy, FILE *stream)
{
    if (isnan(accuracy)) fprintf(stream, "%s: n.a.\n", name);
    else fprintf(stream, "%s: %.2f %%\n", name, 100.0 * accuracy);
}

static void print_ood(const crd_evaluation *e, FILE *stream)
{
    fprintf(stream, "Finding out-of-distribution nodes: %lld among %lld evaluated nodes (%.2f %%)\n",
            (long long)e->positives, (long long)e->nodes, 100.0 * e->prevalence);
    print_accuracy("Accuracy on the in-distribution nodes", e->accuracy, stream);
    print_accuracy("Balanced accuracy on them", e->balanced_accuracy, stream);
    fputc('\n', stream);
    print_detection(e, "OOD", stream);
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

/* A row; the number before calibration is left out of a table of two columns. */
static void add_calibration(crd_cli_table *table, int digits, double before, double after, const char *name)
{
    crd_cli_table_add(table, "%s", name);
    if (table->columns == 3) crd_cli_table_add_number(table, digits, before);
    crd_cli_table_add_number(table, digits, after);
}

/* What was promised, and what came of it; in percent. */
static void print_promises(const crd_promises *p, const crd_model *model, FILE *stream)
{
    double alarms_can, errors_can;
    crd_cli_table alarms = {.columns = 3}, errors = {.columns = 3}, sets = {.columns = 6};
    if (p->calibration_nodes == 0) return;
    fprintf(stream, "\nPromises, from %lld calibration node%s, and what came of them in percent:\n\n",
            (long long)p->calibration_nodes, p->calibration_nodes == 1 ? "" : "s");
    crd_cli_table_head(&alarms, "false alarms at most|false alarms|unseen classes found");
    crd_cli_table_head(&errors, "wrong answers at most|wrong answers|nodes answered");
    for (int i = 0; i < 3; i++) {
        crd_cli_table_add(&alarms, "%g", 100.0 * crd_alarm_levels[i]);
        crd_cli_table_add_number(&alarms, 2, 100.0 * p->false_alarms[i]);
        crd_cli_table_add_number(&alarms, 2, 100.0 * p->detected[i]);
        crd_cli_table_add(&errors, "%g", 100.0 * crd_error_levels[i]);
        crd_cli_table_add_number(&errors, 2, 100.0 * p->wrong[i]);
        crd_cli_table_add_number(&errors, 2, 100.0 * p->answered[i]);
    }
    crd_cli_table_print(&alarms, stream);
    fputc('\n', stream);
    crd_cli_table_print(&errors, stream);
    if (isnan(p->wrong[0]) && crd_model_least_promises(model, &alarms_can, &errors_can, NULL) == CRD_OK &&
        errors_can < 1.0)
        fprintf(stream, "The smallest promise about wrong answers that the model can make is %g %%.\n",
                100.0 * errors_can);
    fputc('\n', stream);
    crd_cli_table_head(&sets, "sets right at least|right|0 or 1 neighbour|2 to 4|5 or more|classes per set");
    crd_cli_table_add(&sets, "%g", 100.0 * CRD_PROMISE_COVERAGE);
    crd_cli_table_add_number(&sets, 2, 100.0 * p->set_coverage);
    for (int i = 0; i < 3; i++) crd_cli_table_add_number(&sets, 2, 100.0 * p->set_coverage_degree[i]);
    crd_cli_table_add_number(&sets, 2, p->set_size);
    crd_cli_table_print(&sets, stream);
    fprintf(stream,
            "Promises about false alarms and sets hold on average over draws of the calibration nodes, those about\n"
            "wrong answers with confidence %g. One draw of few nodes may be off.\n",
            CRD_PROMISE_CONFIDENCE);
}

static void print_failure(const crd_evaluation *e, FILE *stream)
{
    static const char *const names[] = {"aleatoric", "epistemic"};
    const crd_failure *scores[] = {&e->failure_aleatoric, &e->failure_epistemic};
    crd_cli_table table = {.columns = 5}, calibration = {.columns = 2};
    const double wrong = 100.0 * e->prevalence;
    fprintf(stream, "Finding wrong answers: %lld among %lld in-distribution nodes (%.2f %%)\n", (long long)e->positives,
            (long long)e->nodes, wrong);
    print_accuracy("Accuracy", e->accuracy, stream);
    print_accuracy("Balanced accuracy", e->balanced_accuracy, stream);
    fputc('\n', stream);
    crd_cli_table_head(&table, "uncertainty|AUROC|AUPR-error (wrong, %.2f)|AUPR-success (right, %.2f)|AURC", wrong,
                       100.0 - wrong);
    for (int i = 0; i < 2; i++)
        add_scores(&table, names[i], scores[i]->auroc, scores[i]->aupr_error, scores[i]->aupr_success, scores[i]->aurc);
    crd_cli_table_print(&table, stream);
    fputc('\n', stream);
    const bool calibrated = e->calibration != NULL && strcmp(e->calibration, "none") != 0;
    if (calibrated) calibration.columns = 3;
    if (calibrated) crd_cli_table_head(&calibration, "calibration: %s|before|after", e->calibration);
    add_calibration(&calibration, 2, 100.0 * e->ece_before, 100.0 * e->ece, "ECE (15 bins)");
    add_calibration(&calibration, 4, e->brier_before, e->brier, "Brier score (not in percent)");
    add_calibration(&calibration, 4, e->nll_before, e->nll, "NLL (not in percent)");
    crd_cli_table_print(&calibration, stream);
    fputs(explanation, stream);
    if (isfinite(e->failure_epistemic.aurc))
        fputs("epistemic: how little speaks for the answer itself (in predict: epistemic_class).\n", stream);
}

/* Precision and recall of the classes, in percent, if they fit on a screen. */
static void print_classes(const crd_sample *sample, const crd_model *model, FILE *stream)
{
    enum { MOST = 40 };
    crd_cli_table table = {.columns = 4};
    if (sample->classes > MOST) return;
    crd_cli_table_head(&table, "class|precision|recall|nodes");
    for (int32_t c = 0; c < sample->classes; c++) {
        char *name = crd_cli_printable(crd_model_class_name(model, c));
        crd_cli_table_add(&table, "%s", name);
        crd_cli_table_add_number(&table, 2, 100.0 * sample->of_class[c].precision);
        crd_cli_table_add_number(&table, 2, 100.0 * sample->of_class[c].recall);
        crd_cli_table_add(&table, "%lld", (long long)sample->of_class[c].support);
        free(name);
    }
    fputc('\n', stream);
    crd_cli_table_print(&table, stream);
}

/* Answers for nodes whose labels the training used say little about a model. */
static void print_trained(const crd_evaluation *e, const crd_cli_inputs *in, const crd_split *all, FILE *stream)
{
    static const char *const uses[] = {[CRD_ROLE_TRAIN] = "that the model was trained on",
                                       [CRD_ROLE_VALIDATION] = "that decided when its training stopped",
                                       [CRD_ROLE_CALIBRATION] = "that its promises rest on"};
    crd_model_facts facts;
    char *text = NULL;
    crd_model_get_facts(in->model, &facts);
    for (int role = 0; all != NULL && role <= CRD_ROLE_CALIBRATION; role++) {
        const long long count = uses[role] != NULL ? (long long)crd_split_count(all, (crd_role)role) : 0;
        if (count > 0)
            crd_cli_append(&text, "%s%lld %s%s", text != NULL ? ", " : "", count, text != NULL ? "" : "nodes ",
                           uses[role]);
    }
    if (text != NULL) fprintf(stream, "Not counted: %s.\n\n", text);
    else if (all != NULL && facts.graph_nodes == crd_dataset_nodes(in->dataset))
        fputs("The data are not quite those of training: nodes that the model was trained on may be among these.\n\n",
              stream);
    if (e->trained > 0)
        fprintf(stream, "The training used the labels of %lld of these nodes: on others the model is not as good.\n\n",
                (long long)e->trained);
    free(text);
}

/* ---- cross-validation ---- */

typedef struct {
    const char *name;
    size_t offset; /* in crd_evaluation */
} fold_measure;

static double measured(const crd_evaluation *e, const fold_measure *measure)
{
    double value;
    memcpy(&value, (const char *)e + measure->offset, sizeof value);
    return 100.0 * value;
}

/* A fold without a wrong answer has none to find, and does not count. */
static void add_spread(crd_cli_table *table, const fold_measure *measure, const crd_evaluation *of_fold, int64_t folds)
{
    double count = 0.0, mean = 0.0, squares = 0.0;
    for (int64_t f = 0; f < folds; f++) {
        const double value = measured(&of_fold[f], measure), before = mean;
        if (isnan(value)) continue;
        mean += (value - mean) / ++count;
        squares += (value - mean) * (value - before);
    }
    crd_cli_table_add_number(table, 2, count > 0.0 ? mean : NAN);
    crd_cli_table_add_number(table, 2, count > 1.0 ? sqrt(squares / (count - 1.0)) : NAN);
}

static void print_folds(const crd_evaluation *all, const crd_evaluation *of_fold, int64_t folds, FILE *stream)
{
    static const fold_measure measures[] = {{"accuracy", offsetof(crd_evaluation, accuracy)},
                                            {"balanced accuracy", offsetof(crd_evaluation, balanced_accuracy)},
                                            {"AUROC of aleatoric", offsetof(crd_evaluation, failure_aleatoric.auroc)},
                                            {"AUROC of epistemic", offsetof(crd_evaluation, failure_epistemic.auroc)},
                                            {"ECE", offsetof(crd_evaluation, ece)}};
    crd_cli_table table = {.columns = 4};
    crd_cli_table_head(&table, "%lld folds|all nodes|mean of folds|spread", (long long)folds);
    for (size_t m = 0; m < sizeof measures / sizeof measures[0]; m++) {
        crd_cli_table_add(&table, "%s", measures[m].name);
        crd_cli_table_add_number(&table, 2, measured(all, &measures[m]));
        add_spread(&table, &measures[m], of_fold, folds);
    }
    fputc('\n', stream);
    crd_cli_table_print(&table, stream);
    fputs("\nEach node was answered by a new model that had not seen it. The numbers are about models trained\n"
          "like this one, on somewhat fewer nodes. spread: the standard deviation between folds.\n",
          stream);
}

static void show_progress(int64_t fold, int64_t epoch, void *user)
{
    const int64_t *folds = user;
    const bool live = crd_cli_is_terminal(stderr);
    if (live)
        crd_cli_live_line("fold %lld of %lld  epoch %lld", (long long)fold + 1, (long long)*folds, (long long)epoch);
    else if (epoch == 0) crd_cli_say("fold %lld of %lld", (long long)fold + 1, (long long)*folds);
}

/* ---- all of it ---- */

static int show(const crd_evaluation *e, const crd_sample *sample, const crd_model *model,
                const crd_cli_plotting *plotting)
{
    crd_error error;
    if (e->task == CRD_TASK_OOD) print_ood(e, stdout);
    else if (e->task == CRD_TASK_SHIFT) print_shift(e, stdout);
    else print_failure(e, stdout);
    if (e->task != CRD_TASK_SHIFT) print_classes(sample, model, stdout);
    if (e->task != CRD_TASK_SHIFT) print_promises(&e->promises, model, stdout);
    crd_status status = crd_cli_plot_evaluation(e, sample, model, plotting, 0, stdout, &error);
    return status == CRD_OK ? CRD_CLI_DONE : crd_cli_fail(&error);
}

/* What helps may be another split, or none: these options give it. */
static int fail(crd_status status, const crd_error *error)
{
    if (status != CRD_ERROR_MISMATCH || strstr(error->message, "split") == NULL) return crd_cli_fail(error);
    const bool folds = strstr(error->message, "cross-validate") != NULL;
    return crd_cli_failf(CRD_CLI_FAILED, "%s (%s--split-file FILE, --test-nodes all)", error->message,
                         folds ? "--folds 5, " : "");
}

static int evaluate(const crd_cli_options *options, const crd_cli_inputs *in, const crd_shift *shift,
                    const crd_cli_plotting *plotting)
{
    crd_error error;
    crd_evaluation evaluation;
    crd_sample *sample = NULL;
    crd_split *split = NULL;
    char *json;
    int code = crd_cli_choose_test_nodes(options, in->model, in->dataset, &split);
    if (code != CRD_CLI_DONE) return code;
    crd_status status = crd_evaluate_sample(in->model, in->dataset, split, choose_task(options, in->model), shift,
                                            in->threads, &evaluation, &sample, &error);
    if (status != CRD_OK) {
        code = fail(status, &error);
    } else if (!crd_cli_given(options, "json")) {
        print_trained(&evaluation, in, crd_cli_is(options, "test-nodes", "all") ? split : NULL, stdout);
        code = show(&evaluation, sample, in->model, plotting);
    } else {
        status = crd_evaluation_json_full(&evaluation, sample, in->model, NULL, 0, &json, &error);
        code = crd_cli_print_text(status, &json, &error);
    }
    crd_sample_free(&sample);
    crd_split_free(&split);
    return code;
}

/* Moves the classes that the model does not have behind the others, as its training did. */
static crd_status order_as_trained(const crd_cli_inputs *in, crd_error *error)
{
    crd_model_facts facts;
    const int32_t classes = crd_dataset_classes(in->dataset);
    bool *last = crd_cli_allocate(NULL, (size_t)classes * sizeof *last);
    crd_model_get_facts(in->model, &facts);
    for (int32_t c = 0; c < classes; c++) {
        last[c] = true;
        for (int32_t k = 0; k < facts.classes && last[c]; k++)
            last[c] = strcmp(crd_dataset_class_name(in->dataset, c), crd_model_class_name(in->model, k)) != 0;
    }
    crd_status status = crd_dataset_move_last(in->dataset, last, error);
    free(last);
    return status;
}

static int cross_validate(const crd_cli_options *options, const crd_cli_inputs *in, const crd_cli_plotting *plotting)
{
    crd_error error;
    crd_evaluation evaluation;
    crd_sample *sample = NULL;
    char *json;
    int code;
    int64_t count = crd_cli_whole(options, "folds");
    crd_evaluation *of_fold = crd_cli_allocate(NULL, (size_t)count * sizeof *of_fold);
    const crd_folds folds = {count, in->threads, show_progress, &count};
    crd_status status = order_as_trained(in, &error);
    if (status == CRD_OK)
        status = crd_evaluate_folds(in->model, in->dataset, &folds, of_fold, &evaluation, &sample, &error);
    if (crd_cli_is_terminal(stderr)) crd_cli_live_line("%s", "");
    if (status != CRD_OK) {
        code = crd_cli_fail(&error);
    } else if (!crd_cli_given(options, "json")) {
        code = show(&evaluation, sample, in->model, plotting);
        print_folds(&evaluation, of_fold, count, stdout);
    } else {
        status = crd_evaluation_json_full(&evaluation, sample, in->model, of_fold, count, &json, &error);
        code = crd_cli_print_text(status, &json, &error);
    }
    crd_sample_free(&sample);
    free(of_fold);
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
    if (code == CRD_CLI_DONE && crd_cli_given(options, "folds")) code = cross_validate(options, &in, &plotting);
    else if (code == CRD_CLI_DONE) code = evaluate(options, &in, &shift, &plotting);
    return crd_cli_close_inputs(options, &in, code);
}

const crd_cli_command crd_cli_evaluate = {
    .name = "evaluate",
    .group = CRD_CLI_OWN_GRAPH,
    .summary = "measure the answers and the doubt on test nodes",
    .description = "Measures MODEL on the test nodes of DATA: how often it is right, and how well its\n"
                   "uncertainty finds what it should not be trusted with. Without --task: ood if the model\n"
                   "has left-out classes, else misclassification. With --shift: how well it finds\n"
                   "test nodes that were changed after training. With --folds: measures without test nodes.",
    .positional = {"MODEL", "DATA"},
    .declare = declare,
    .run = run,
};
