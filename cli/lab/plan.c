#include "lab/plan.h"

#include <stdlib.h>
#include <string.h>

#include "lab/lists.h"
#include "lab/shift_task.h"
#include "lab/splits.h"

static int unknown(const crd_cli_options *options, const char *what, const char *typed,
                   const char *const *names, int count)
{
    const char *nearest = crd_cli_nearest(typed, names, count);
    char *all = crd_cli_text("%s", names[0]);
    for (int i = 1; i < count; i++) {
        char *longer = crd_cli_text("%s, %s", all, names[i]);
        free(all);
        all = longer;
    }
    int code = nearest != NULL
                   ? crd_cli_misused(options, "unknown %s '%s' (did you mean %s?)", what, typed, nearest)
                   : crd_cli_misused(options, "unknown %s '%s', expected %s", what, typed, all);
    free(all);
    return code;
}

static int unknown_task(const crd_cli_options *options, const char *typed)
{
    const char *names[16];
    int count = 0;
    for (; count < 16 && crd_lab_task_at(count) != NULL; count++) names[count] = crd_lab_task_at(count)->name;
    return unknown(options, "task", typed, names, count);
}

static int unknown_model(const crd_cli_options *options, const char *typed)
{
    const char *names[32];
    int count = 0;
    for (; count < 32 && crd_lab_model_at(count) != NULL; count++)
        names[count] = crd_lab_model_at(count)->name;
    return unknown(options, "model", typed, names, count);
}

static int read_models(crd_lab_plan *plan, const crd_cli_options *options)
{
    crd_lab_list list;
    const char *text = crd_cli_value(options, "models");
    int code = crd_lab_list_read(options, "models", text != NULL ? text : plan->task->models, &list);
    if (code != CRD_CLI_DONE) return code;
    bool config = false, tunes = strcmp(plan->task->name, "ablation") == 0;
    plan->model = crd_cli_allocate(NULL, (size_t)list.count * sizeof *plan->model);
    for (int i = 0; i < list.count && code == CRD_CLI_DONE; i++) {
        const crd_lab_model *model = crd_lab_model_find(list.item[i]);
        if (model == NULL) code = unknown_model(options, list.item[i]);
        else if (model->tuned != NULL && !tunes)
            code = crd_cli_misused(options, "the model %s has to be tuned, which only the task ablation does",
                                   model->name);
        else config = config || strcmp(model->name, "config") == 0;
        plan->model[plan->models++] = model;
    }
    crd_lab_list_free(&list);
    if (code != CRD_CLI_DONE) return code;
    if (config && !crd_cli_given(options, "config"))
        return crd_cli_misused(options, "the model config needs --config FILE");
    if (!config && (crd_cli_given(options, "config") || crd_cli_given(options, "title")))
        return crd_cli_misused(options, "--%s is for the model config, which --models does not name",
                               crd_cli_given(options, "config") ? "config" : "title");
    return CRD_CLI_DONE;
}

/* Data ------------------------------------------------------------------------------------------------- */

/* A split that cannot be drawn fails for every seed alike: its sizes do not depend on it. Those that the data
 * have of their own may differ. */
static int check_splits(const crd_lab_plan *plan, const crd_lab_data *data)
{
    const int most = data->own_splits > 1 ? data->own_splits : 1;
    bool *checked = crd_cli_allocate(NULL, (size_t)most * sizeof *checked);
    int code = CRD_CLI_DONE;
    memset(checked, 0, (size_t)most * sizeof *checked);
    for (int64_t i = 0; i < plan->seeds && code == CRD_CLI_DONE; i++) {
        int index = crd_lab_split_index(data->own_splits, plan->seed[i]);
        if (!checked[index]) code = crd_lab_data_check_split(data, plan->seed[i]);
        checked[index] = true;
    }
    free(checked);
    return code;
}

static int read_data(crd_lab_plan *plan, const crd_cli_options *options)
{
    crd_lab_list list;
    int code = crd_lab_list_read(options, "data", crd_cli_value(options, "data"), &list);
    if (code != CRD_CLI_DONE) return code;
    plan->data = crd_cli_allocate(NULL, (size_t)list.count * sizeof *plan->data);
    for (int i = 0; i < list.count && code == CRD_CLI_DONE; i++) {
        code = crd_lab_data_open(options, list.item[i], plan->task->leaves_out, plan->data, plan->datas);
        if (code == CRD_CLI_DONE) code = check_splits(plan, &plan->data[plan->datas++]);
    }
    crd_lab_list_free(&list);
    return code;
}

/* Runs ------------------------------------------------------------------------------------------------- */

/* The configuration of a row for a graph, but for the seed. */
static int configure(crd_lab_plan *plan, const crd_cli_options *options, const crd_lab_data *data,
                     const crd_lab_model *model, crd_config *config)
{
    crd_error error;
    const bool errors = strcmp(plan->task->name, "misclassification") == 0;
    crd_status status = crd_lab_model_configure(model, data->known, errors, crd_cli_value(options, "config"),
                                                config, &error);
    if (status == CRD_OK) status = crd_lab_changes_apply(&plan->changes, config, &error);
    config->left_out = data->left_out;
    config->threads = 1;
    if (status == CRD_OK) status = crd_config_check(config, &error);
    if (status != CRD_OK) return crd_cli_fail(&error);
    return crd_lab_check_features(data->name, data->dataset, config->model);
}

/* All runs of a graph. */
static int add_runs(crd_lab_plan *plan, const crd_cli_options *options, const crd_lab_data *data)
{
    crd_lab_wanted *rows = crd_cli_allocate(NULL, (size_t)plan->models * sizeof *rows);
    int count = 0, code = CRD_CLI_DONE;
    for (int m = 0; m < plan->models && code == CRD_CLI_DONE; m++) {
        const crd_lab_model *model = plan->model[m];
        const char *title = strcmp(model->name, "config") == 0 ? crd_cli_value(options, "title") : NULL;
        if (!crd_lab_model_applies(model, data->known)) continue;
        rows[count] =
            (crd_lab_wanted){.task = plan->task, .data = data, .model = model, .model_title = title};
        code = configure(plan, options, data, model, &rows[count++].config);
    }
    const int shifts = plan->shifts.count;
    for (int64_t s = 0; s < plan->seeds * (shifts > 0 ? shifts : 1) && code == CRD_CLI_DONE; s++)
        for (int r = 0; r < count; r++) {
            rows[r].shift = shifts > 0 ? plan->shifts.item[s / plan->seeds] : NULL;
            rows[r].seed = rows[r].config.seed = plan->seed[s % plan->seeds];
            plan->wanted[plan->count++] = rows[r];
        }
    free(rows);
    return code;
}

int crd_lab_plan_begin(crd_lab_plan *plan, const crd_cli_options *options, const char *task)
{
    const char *seeds = crd_cli_value(options, "seeds");
    *plan = (crd_lab_plan){.task = crd_lab_task_find(task)};
    if (plan->task == NULL) return unknown_task(options, task);
    if (!plan->task->leaves_out && crd_cli_given(options, "left-out"))
        return crd_cli_misused(options, "--left-out has no meaning for %s: all classes are trained", task);
    if (!crd_cli_given(options, "data"))
        return crd_cli_misused(options, "%s needs --data", options->command->name);
    const bool shifts = strcmp(task, "shift") == 0;
    if (!shifts && crd_cli_given(options, "shifts"))
        return crd_cli_misused(options, "--shifts has no meaning for %s", task);
    int code = read_models(plan, options);
    if (code == CRD_CLI_DONE && shifts) code = crd_lab_shifts_read(options, &plan->shifts);
    if (code == CRD_CLI_DONE)
        code = crd_lab_seeds_read(options, "seeds", seeds != NULL ? seeds : "10", &plan->seed, &plan->seeds);
    if (code == CRD_CLI_DONE)
        code = crd_lab_changes_read(options, crd_cli_value(options, "set"), &plan->changes);
    return code;
}

int crd_lab_plan_finish(crd_lab_plan *plan, const crd_cli_options *options)
{
    int code = read_data(plan, options);
    if (code != CRD_CLI_DONE) return code;
    size_t most = (size_t)plan->datas * (size_t)plan->models * (size_t)plan->seeds;
    if (plan->shifts.count > 0) most *= (size_t)plan->shifts.count;
    plan->wanted = crd_cli_allocate(NULL, most * sizeof *plan->wanted);
    for (int d = 0; d < plan->datas && code == CRD_CLI_DONE; d++)
        code = add_runs(plan, options, &plan->data[d]);
    if (code != CRD_CLI_DONE) return code;
    if (plan->count == 0)
        return crd_cli_misused(options,
                               "--models paper: the paper has no choice of options for %s%s",
                               plan->data[0].name, plan->datas == 1 ? "" : " nor for the other data");
    const char *left = crd_lab_changes_left(&plan->changes);
    if (left != NULL) return crd_cli_misused(options, "--set %s: none of the models makes use of it", left);
    return CRD_CLI_DONE;
}

void crd_lab_plan_say_notes(const crd_lab_plan *plan)
{
    for (int d = 0; d < plan->datas; d++)
        crd_lab_splits_say(plan->data[d].name, plan->data[d].own_splits, plan->seeds);
    for (int d = 0; d < plan->datas; d++)
        for (int m = 0; m < plan->models; m++)
            if (!crd_lab_model_applies(plan->model[m], plan->data[d].known))
                crd_cli_say("note: there is no published choice for %s: its row '%s' is left out",
                            plan->data[d].name, plan->model[m]->title);
}

void crd_lab_plan_free(crd_lab_plan *plan)
{
    for (int i = 0; i < plan->datas; i++) crd_lab_data_free(&plan->data[i]);
    free(plan->data);
    free(plan->model);
    free(plan->seed);
    free(plan->wanted);
    crd_lab_list_free(&plan->shifts);
    crd_lab_changes_free(&plan->changes);
    *plan = (crd_lab_plan){0};
}
