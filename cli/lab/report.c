#include "lab/report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "credence_private.h"
#include "lab/json.h"
#include "lab/report_parts.h"

static bool has(const char *folder, const char *file)
{
    char *path = crd_cli_text("%s/%s", folder, file);
    const bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

bool crd_lab_report_takes(const char *folder)
{
    return has(folder, "runs.jsonl") || has(folder, "trials.jsonl");
}

/* "Experiment ood": what it is, and the last name of the folder's path. */
static char *part_title(const char *kind, const char *folder)
{
    char *whole = realpath(folder, NULL);
    const char *name = whole == NULL ? NULL : strrchr(whole, '/');
    json_t *string = crd_lab_json_string(name == NULL || name[1] == '\0' ? folder : name + 1); /* may be no UTF-8 */
    const char *what = strcmp(kind, "tuning") == 0 ? "Tuning" : "Experiment";
    char *title = crd_cli_text("%s %s", what, json_string_value(string));
    json_decref(string);
    free(whole);
    return title;
}

char *crd_lab_report_title(const char *folder)
{
    return part_title(has(folder, "runs.jsonl") ? "experiment" : "tuning", folder);
}

static int add_part(crd_report *report, const char *kind, const char *folder, const char *json)
{
    crd_error error;
    char *title = part_title(kind, folder);
    crd_status status = crd_report_begin(report, kind, title, &error);
    if (status == CRD_OK) status = crd_report_add_json(report, kind, json, &error);
    free(title);
    return status == CRD_OK ? CRD_CLI_DONE : crd_cli_fail(&error);
}

/* Adds the part of one of the two kinds, made of a file of the folder. */
static int add_file(crd_report *report, const char *kind, const char *folder, const char *path)
{
    crd_lab_runs runs;
    char *json = NULL, *problem = NULL;
    int code = crd_lab_runs_read(&runs, path);
    if (code != CRD_CLI_DONE) return code;
    if (runs.count == 0) problem = crd_cli_text("%s: there are no runs in it yet", path);
    else if (strcmp(kind, "tuning") == 0) json = crd_lab_report_tuning(&runs, folder, &problem);
    else json = crd_lab_report_experiment(&runs, folder);
    code = problem != NULL ? crd_cli_failf(CRD_CLI_FAILED, "%s", problem)
                           : add_part(report, kind, folder, json);
    free(json);
    free(problem);
    crd_lab_runs_close(&runs);
    return code;
}

int crd_lab_report_add(crd_report *report, const char *folder)
{
    char *runs = crd_cli_text("%s/runs.jsonl", folder), *trials = crd_cli_text("%s/trials.jsonl", folder);
    const bool experiment = has(folder, "runs.jsonl"), tuning = has(folder, "trials.jsonl");
    int code = CRD_CLI_DONE;
    if (!experiment && !tuning)
        code = crd_cli_failf(CRD_CLI_FAILED,
                             "%s: neither the runs.jsonl of an experiment nor the trials.jsonl of a tuning is "
                             "in this folder",
                             folder);
    if (experiment) code = add_file(report, "experiment", folder, runs);
    if (code == CRD_CLI_DONE && tuning) code = add_file(report, "tuning", folder, trials);
    free(runs);
    free(trials);
    return code;
}
