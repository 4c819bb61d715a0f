/* SPDX-License-Identifier: MIT */
/* The runs of 'compare': which of them share a training, and what is done for each. */
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "runs/runs.h"

char *crd_cli_wanted_key(const crd_cli_wanted *wanted)
{
    json_t *line = json_deep_copy(wanted->line);
    json_object_del(line, "model");
    json_object_del(line, "model_title");
    json_object_del(line, "shift");
    json_object_del(json_object_get(line, "config"), "score");
    char *key = crd_cli_json_text(line);
    json_decref(line);
    return key;
}

/* ---- training ---- */

/* Moves the classes that are left out behind the others: in the copy of the data that the process of these runs has. */
static crd_status leave_out(const crd_cli_wanted *wanted, crd_error *error)
{
    crd_dataset *dataset = wanted->graph->dataset;
    const int32_t classes = crd_dataset_classes(dataset);
    if (wanted->held < 0 && wanted->graph->last == NULL) return CRD_OK;
    bool *last = crd_cli_allocate(NULL, (size_t)classes);
    for (int32_t c = 0; c < classes; c++) last[c] = crd_cli_is_left_out(wanted, c);
    crd_status status = crd_dataset_move_last(dataset, last, error);
    free(last);
    return status;
}

/* Trains with the model's own score, which fits no head: its time is the same for all runs. */
static crd_status train(const crd_cli_wanted *wanted, crd_error *error)
{
    crd_cli_shared *shared = wanted->shared;
    crd_config config = wanted->config;
    config.score = CRD_DOUBT_OWN;
    crd_status status = crd_cli_graph_split(wanted->graph, wanted->seed, &shared->split, error);
    if (status == CRD_OK) status = leave_out(wanted, error);
    if (status != CRD_OK) return status;
    return crd_train(wanted->graph->dataset, shared->split, &config, NULL, &shared->model[config.score], error);
}

/* The model of a run, which belongs to what the runs share. */
static crd_status find_model(const crd_cli_wanted *wanted, const crd_model **model, crd_error *error)
{
    crd_cli_shared *shared = wanted->shared;
    crd_model **made = &shared->model[wanted->config.score];
    if (!shared->done) shared->error.status = train(wanted, &shared->error);
    shared->done = true;
    *error = shared->error;
    crd_status status = shared->error.status;
    if (status == CRD_OK && *made == NULL)
        status = crd_rescore(shared->model[CRD_DOUBT_OWN], wanted->graph->dataset, shared->split, wanted->config.score,
                             made, error);
    *model = *made;
    return status;
}

json_t *crd_cli_training_json(const crd_model *model)
{
    crd_model_facts facts;
    crd_model_get_facts(model, &facts);
    return crd_cli_json_new("epochs", json_integer(facts.epochs), "best_epoch", json_integer(facts.best_epoch), "stop",
                            json_string(crd_stop_name(facts.stop)), "validation_cross_entropy",
                            crd_cli_json_number(facts.best_cross_entropy), "validation_accuracy",
                            crd_cli_json_number(facts.best_accuracy), NULL);
}

/* ---- measuring ---- */

static crd_status measure(const crd_cli_plan *plan, const crd_cli_wanted *wanted, const crd_model *model,
                          crd_evaluation *evaluation, crd_error *error)
{
    const crd_dataset *dataset = wanted->graph->dataset;
    const crd_split *split = wanted->shared->split;
    const crd_task task = strcmp(plan->task->name, "ood") == 0 ? CRD_TASK_OOD : CRD_TASK_MISCLASSIFICATION;
    if (wanted->shift == NULL) return crd_evaluate(model, dataset, split, task, CRD_THREADS(1), evaluation, error);
    crd_shift shift;
    crd_shift_defaults(&shift);
    shift.seed = wanted->seed; /* the run's seed is the shift's too */
    crd_status status = crd_shift_parse(wanted->shift, &shift, error);
    return status == CRD_OK ? crd_evaluate_shift(model, dataset, split, &shift, CRD_THREADS(1), evaluation, error)
                            : status;
}

/* How long a prediction takes, without reading the data. */
static crd_status time_prediction(const crd_model *model, const crd_dataset *dataset, double *seconds, crd_error *error)
{
    crd_prediction *prediction = NULL;
    const double started = crd_seconds();
    crd_status status = crd_predict(model, dataset, CRD_THREADS(1), &prediction, error);
    *seconds = crd_seconds() - started;
    crd_prediction_free(&prediction);
    return status;
}

crd_status crd_cli_wanted_run(const void *context, const void *work, json_t *result, crd_error *error)
{
    const crd_cli_wanted *wanted = work;
    const crd_model *model;
    crd_evaluation evaluation;
    crd_model_facts facts;
    char *metrics = NULL;
    double seconds = 0.0;
    crd_status status = find_model(wanted, &model, error);
    if (status == CRD_OK) status = measure(context, wanted, model, &evaluation, error);
    if (status == CRD_OK) status = time_prediction(model, wanted->graph->dataset, &seconds, error);
    if (status == CRD_OK) status = crd_evaluation_json(&evaluation, &metrics, error);
    if (status != CRD_OK) return status;
    crd_model_get_facts(model, &facts);
    crd_cli_json_add(result, "training_seconds", crd_cli_json_rounded(facts.seconds), "prediction_seconds",
                     crd_cli_json_rounded(seconds), "training", crd_cli_training_json(model), "metrics",
                     json_loads(metrics, 0, NULL), NULL);
    crd_string_free(&metrics);
    return CRD_OK;
}
