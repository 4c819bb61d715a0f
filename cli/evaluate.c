/* credence evaluate: how good the answers are, and how good the doubt is. */
#include <string.h>

#include "credence_private.h"
#include "data.h"
#include "evaluation.h"
#include "nodes.h"
#include "plot_evaluation.h"

static void declare(crd_cli_options *options)
{
    crd_cli_add(options, 0, "task", "TASK", "by the model",
                "ood: find the nodes of left-out classes; misclassification: find the wrong answers");
    crd_cli_add(options, 0, "shift", "SHIFT", NULL,
                "change test nodes and see whether the model notices: bernoulli:X, normal:X (noise replaces "
                "all features of the fraction X of the nodes), rewire:X, dice:X (other edges replace the "
                "fraction X of those between them)");
    crd_cli_add(options, 0, "shift-mode", "MODE", "all",
                "all: the shifted nodes are in the graph at the same time; isolated: one node at a time");
    crd_cli_add(options, 0, "shift-nodes", "N", "100", "isolated: shift no more than N nodes");
    crd_cli_add(options, 0, "seed", "N", "1", "seed of the shift");
    crd_cli_add_nodes(options);
    crd_cli_add_data(options);
    crd_cli_add_threads(options);
    crd_cli_add_plot(options);
    crd_cli_add_json(options);
}

static crd_task choose_task(const crd_cli_options *options, const crd_model *model)
{
    const char *name = crd_cli_value(options, "task");
    crd_model_facts facts;
    if (crd_cli_given(options, "shift")) return CRD_TASK_SHIFT;
    crd_model_get_facts(model, &facts);
    bool ood = name == NULL ? facts.left_out > 0 : strcmp(name, "ood") == 0;
    return ood ? CRD_TASK_OOD : CRD_TASK_MISCLASSIFICATION;
}

static int check_usage(const crd_cli_options *options)
{
    const char *task = crd_cli_value(options, "task");
    if (task != NULL && strcmp(task, "ood") != 0 && strcmp(task, "misclassification") != 0)
        return crd_cli_misused(options, "--task: expected ood or misclassification, found '%s'", task);
    if (!crd_cli_given(options, "shift")) {
        static const char *const of_shift[] = {"shift-mode", "shift-nodes", "seed"};
        for (size_t i = 0; i < sizeof of_shift / sizeof of_shift[0]; i++)
            if (crd_cli_given(options, of_shift[i]))
                return crd_cli_misused(options, "--%s has no meaning without --shift", of_shift[i]);
    } else if (task != NULL) {
        return crd_cli_misused(options, "--shift is a task of its own and contradicts --task");
    }
    return crd_cli_check_nodes(options);
}

static int read_shift(const crd_cli_options *options, crd_shift *shift)
{
    crd_error error;
    const char *text = crd_cli_value(options, "shift"), *mode = crd_cli_value(options, "shift-mode");
    int64_t seed;
    crd_shift_defaults(shift);
    if (text == NULL) return CRD_CLI_DONE;
    seed = (int64_t)shift->seed;
    int code = crd_cli_integer(options, "seed", 0, INT64_MAX, &seed);
    if (code == CRD_CLI_DONE)
        code = crd_cli_integer(options, "shift-nodes", 1, INT64_MAX, &shift->most_nodes);
    if (code != CRD_CLI_DONE) return code;
    shift->seed = (uint64_t)seed;
    if (mode != NULL && strcmp(mode, "all") != 0 && strcmp(mode, "isolated") != 0)
        return crd_cli_misused(options, "--shift-mode: expected all or isolated, found '%s'", mode);
    shift->isolated = mode != NULL && strcmp(mode, "isolated") == 0;
    bool isolated = shift->isolated;
    if (crd_shift_parse(text, shift, &error) != CRD_OK)
        return crd_cli_misused(options, "--shift: %s", error.message);
    if (mode != NULL && shift->isolated != isolated)
        return crd_cli_misused(options, "--shift %s and --shift-mode %s contradict each other", text, mode);
    if (!shift->isolated && crd_cli_given(options, "shift-nodes"))
        return crd_cli_misused(options, "--shift-nodes has no meaning without --shift-mode isolated");
    return CRD_CLI_DONE;
}

/* The table, and the plots where they are wanted. */
static crd_status show(const crd_evaluation *evaluation, const crd_sample *sample, const crd_model *model,
                       const crd_cli_plotting *plotting, crd_error *error)
{
    crd_model_facts facts;
    crd_model_get_facts(model, &facts);
    crd_cli_print_evaluation(evaluation, stdout);
    return crd_cli_plot_evaluation(evaluation, sample, facts.classes, plotting, 0, stdout, error);
}

static int evaluate(const crd_cli_options *options, const crd_model *model, const crd_dataset *dataset,
                    const crd_shift *shift, const crd_cli_plotting *plotting, int threads)
{
    crd_error error;
    crd_evaluation evaluation;
    crd_sample *sample = NULL;
    crd_split *split = NULL;
    char *json = NULL;
    int code = crd_cli_choose_nodes(options, dataset, &split);
    if (code != CRD_CLI_DONE) return code;
    crd_status status = crd_evaluate_sample(model, dataset, split, choose_task(options, model), shift, threads,
                                            &evaluation, &sample, &error);
    if (status == CRD_OK) {
        if (crd_cli_given(options, "json")) status = crd_evaluation_json(&evaluation, &json, &error);
        else status = show(&evaluation, sample, model, plotting, &error);
    }
    if (json != NULL) puts(json);
    crd_string_free(&json);
    crd_sample_free(&sample);
    crd_split_free(&split);
    return status == CRD_OK ? CRD_CLI_DONE : crd_cli_fail(&error);
}

static int run(const crd_cli_options *options)
{
    crd_model *model;
    crd_dataset *dataset;
    crd_shift shift;
    crd_cli_plotting plotting;
    int threads;
    int code = check_usage(options);
    if (code == CRD_CLI_DONE) code = read_shift(options, &shift);
    if (code == CRD_CLI_DONE) code = crd_cli_read_plot(options, &plotting);
    if (code == CRD_CLI_DONE) code = crd_cli_threads(options, &threads);
    if (code == CRD_CLI_DONE) code = crd_cli_open_both(options, &model, &dataset);
    if (code != CRD_CLI_DONE) return code;
    code = evaluate(options, model, dataset, &shift, &plotting, threads);
    crd_dataset_free(&dataset);
    crd_model_free(&model);
    return code;
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
