/* credence evaluate: how good the answers are, and how good the doubt is. */
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "evaluation.h"

static void declare(crd_cli_options *options)
{
    crd_cli_add(options, 0, "task", "TASK", "by the model",
                "ood: find the nodes of left-out classes; misclassification: find the wrong answers");
    crd_cli_add(options, 0, "split-file", "FILE", NULL,
                "take the test nodes from this split, not from the one stored in the model");
    crd_cli_add(options, 0, "nodes", "WHICH", "test",
                "test: the split's test nodes; all: every labelled node counts as one");
    crd_cli_add_data(options);
    crd_cli_add_threads(options);
    crd_cli_add_json(options);
}

static crd_task choose_task(const crd_cli_options *options, const crd_model *model)
{
    const char *name = crd_cli_value(options, "task");
    crd_model_facts facts;
    crd_model_get_facts(model, &facts);
    bool ood = name == NULL ? facts.left_out > 0 : strcmp(name, "ood") == 0;
    return ood ? CRD_TASK_OOD : CRD_TASK_MISCLASSIFICATION;
}

static int check_usage(const crd_cli_options *options)
{
    const char *task = crd_cli_value(options, "task"), *nodes = crd_cli_value(options, "nodes");
    if (task != NULL && strcmp(task, "ood") != 0 && strcmp(task, "misclassification") != 0)
        return crd_cli_misused(options, "--task: expected ood or misclassification, found '%s'", task);
    if (nodes != NULL && strcmp(nodes, "test") != 0 && strcmp(nodes, "all") != 0)
        return crd_cli_misused(options, "--nodes: expected test or all, found '%s'", nodes);
    if (nodes != NULL && strcmp(nodes, "all") == 0 && crd_cli_given(options, "split-file"))
        return crd_cli_misused(options, "--nodes all and --split-file contradict each other");
    return CRD_CLI_DONE;
}

/* A split in which every labelled node tests. */
static crd_status all_test(const crd_dataset *dataset, crd_split **split, crd_error *error)
{
    int64_t nodes = crd_dataset_nodes(dataset);
    uint8_t *roles = crd_cli_allocate(NULL, (size_t)nodes);
    for (int64_t i = 0; i < nodes; i++)
        roles[i] = crd_dataset_label(dataset, i) >= 0 ? CRD_ROLE_TEST : CRD_ROLE_NONE;
    crd_status status = crd_split_from_roles(roles, nodes, split, error);
    free(roles);
    return status;
}

static int evaluate(const crd_cli_options *options, const crd_model *model, const crd_dataset *dataset,
                    int threads)
{
    crd_error error;
    crd_evaluation evaluation;
    crd_split *split = NULL;
    crd_status status = CRD_OK;
    char *json = NULL;
    const char *file = crd_cli_value(options, "split-file"), *nodes = crd_cli_value(options, "nodes");
    crd_task task = choose_task(options, model);
    int code = CRD_CLI_DONE;
    if (file != NULL) status = crd_split_read(dataset, file, &split, &error);
    else if (nodes != NULL && strcmp(nodes, "all") == 0) status = all_test(dataset, &split, &error);
    if (status == CRD_OK) status = crd_evaluate(model, dataset, split, task, threads, &evaluation, &error);
    if (status == CRD_OK && crd_cli_given(options, "json"))
        status = crd_evaluation_json(&evaluation, &json, &error);
    if (status != CRD_OK) code = crd_cli_fail(&error);
    else if (json != NULL) puts(json);
    else crd_cli_print_evaluation(&evaluation, stdout);
    crd_string_free(&json);
    crd_split_free(&split);
    return code;
}

static int run(const crd_cli_options *options)
{
    crd_model *model;
    crd_dataset *dataset;
    int threads;
    int code = check_usage(options);
    if (code == CRD_CLI_DONE) code = crd_cli_threads(options, &threads);
    if (code == CRD_CLI_DONE) code = crd_cli_open_both(options, &model, &dataset);
    if (code != CRD_CLI_DONE) return code;
    code = evaluate(options, model, dataset, threads);
    crd_dataset_free(&dataset);
    crd_model_free(&model);
    return code;
}

const crd_cli_command crd_cli_evaluate = {
    .name = "evaluate",
    .summary = "measure the answers and the doubt on test nodes",
    .description = "Measures MODEL on the test nodes of DATA: how often it is right, and how well its\n"
                   "uncertainty finds what it should not be trusted with. Without --task: ood if the model\n"
                   "has left-out classes, else misclassification.",
    .positional = {"MODEL", "DATA"},
    .declare = declare,
    .run = run,
};
