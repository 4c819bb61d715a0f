#include "lab/run.h"

#include <stdlib.h>
#include <string.h>

#include "config_text.h"
#include "lab/splits.h"
#include "lab/text.h"

crd_status crd_lab_run_do(const crd_lab_wanted *wanted, char **outcome, crd_error *error)
{
    const crd_dataset *dataset = wanted->data->dataset;
    crd_split *split = NULL;
    crd_model *model = NULL;
    char *metrics = NULL;
    crd_status status = crd_lab_split_make(dataset, wanted->data->split, wanted->data->own_splits,
                                           wanted->seed, &split, error);
    if (status == CRD_OK) status = crd_train(dataset, split, &wanted->config, NULL, &model, error);
    if (status == CRD_OK) status = wanted->task->measure(wanted, model, split, &metrics, error);
    if (status == CRD_OK) {
        crd_model_facts facts;
        crd_model_get_facts(model, &facts);
        char *training = crd_lab_training_text(&facts);
        *outcome = crd_cli_text("\"training\":%s,\"metrics\":%s", training, metrics);
        free(training);
    }
    crd_string_free(&metrics);
    crd_model_free(&model);
    crd_split_free(&split);
    return status;
}

/* ,"name":"text", or nothing. */
static char *optional(const char *name, const char *text)
{
    if (text == NULL) return crd_cli_text("%s", "");
    char *value = crd_lab_quoted(text), *field = crd_cli_text(",\"%s\":%s", name, value);
    free(value);
    return field;
}

/* Which of the data's own splits it is, if there are several; else nothing. */
static char *split_index(const crd_lab_wanted *wanted)
{
    const int own = wanted->data->own_splits;
    if (own < 2) return crd_cli_text("%s", "");
    return crd_cli_text(",\"split_index\":%d", crd_lab_split_index(own, wanted->seed));
}

char *crd_lab_run_line(const crd_lab_wanted *wanted, const char *outcome, const char *why, double seconds)
{
    const crd_lab_data *data = wanted->data;
    char *name = crd_lab_quoted(data->name), *title = crd_lab_quoted(data->title);
    char *split = crd_lab_quoted(data->split), *index = split_index(wanted);
    char *model_title = optional("model_title", wanted->model_title);
    char *shift = optional("shift", wanted->shift);
    char *config = crd_cli_config_text(&wanted->config, CRD_CLI_OF_RUN, false);
    char *error = optional("error", why);
    char *line = crd_cli_text("{\"task\":\"%s\",\"data\":%s,\"title\":%s,\"model\":\"%s\"%s%s,\"seed\":%llu,"
                              "\"fingerprint\":\"%s\",\"version\":\"%s\",\"split\":%s%s,\"seconds\":%.3f,"
                              "\"config\":%s%s%s%s}",
                              wanted->task->name, name, title, wanted->model->name, model_title, shift,
                              (unsigned long long)wanted->seed, crd_dataset_fingerprint(data->dataset),
                              crd_version(), split, index, seconds, config, error, outcome != NULL ? "," : "",
                              outcome != NULL ? outcome : "");
    free(name);
    free(title);
    free(split);
    free(index);
    free(model_title);
    free(shift);
    free(config);
    free(error);
    return line;
}

json_t *crd_lab_run_key(const crd_lab_wanted *wanted)
{
    char *line = crd_lab_run_line(wanted, NULL, NULL, 0.0);
    json_t *key = json_loads(line, 0, NULL);
    free(line);
    if (key == NULL) exit(crd_cli_failf(CRD_CLI_FAILED, "out of memory"));
    return key;
}
