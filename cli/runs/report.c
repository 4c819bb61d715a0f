/* SPDX-License-Identifier: MIT */
/* The parts of a report about comparisons and tunings: JSON made only from a folder's files. The same files give
 * the same bytes. web/src/experiment.js and tuning.js show it. */
#include "runs/runs.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/numbers.h"

/* The default seed of 'credence compare': the numbers are the same. */
enum { BOOTSTRAP_SEED = 1 };

/* The columns of a task's table, and every other metric that some run has. */
static json_t *metrics_json(const crd_cli_summary *summary, int64_t first, int64_t end)
{
    const crd_cli_metric *m;
    json_t *metrics = json_array();
    for (int i = 0; (m = crd_cli_metric_at(summary->row[first].kind, i)) != NULL; i++) {
        bool shown = i < CRD_CLI_COLUMNS, has = shown;
        for (int64_t r = first; r < end && !has; r++)
            has = crd_cli_cell_of(summary, &summary->row[r], m->name).runs > 0;
        if (!has) continue;
        json_t *metric = crd_cli_json_new("name", json_string(m->name), "group", json_string(m->group), "label",
                                          json_string(m->label), "column", json_boolean(shown), "percent",
                                          json_boolean(crd_cli_is_percent(m->name)), "loss",
                                          json_boolean(crd_cli_is_loss(m->name)), NULL);
        crd_cli_json_append(metrics, metric);
    }
    return metrics;
}

static const char *metric_name(const json_t *metrics, size_t index)
{
    return crd_cli_json_string_at(json_array_get(metrics, index), "name");
}

/* Adds every run of a row, and their configuration, which differs only in the seed. */
static void add_runs(const crd_cli_summary *summary, const json_t *metrics, const crd_cli_row *row, json_t *object)
{
    json_t *seeds = json_array(), *values = json_object();
    json_t *config = json_copy(json_object_get(row->like->line, "config"));
    for (int64_t i = 0; i < row->runs; i++)
        crd_cli_json_append(seeds, json_integer((json_int_t)summary->run[row->first + i]->seed));
    for (size_t m = 0; m < json_array_size(metrics); m++) {
        const char *name = metric_name(metrics, m);
        json_t *list = json_array();
        for (int64_t i = 0; i < row->runs; i++)
            crd_cli_json_append(list, crd_cli_json_rounded(crd_cli_run_number(summary->run[row->first + i], name)));
        crd_cli_json_set(values, name, list);
    }
    if (config != NULL) json_object_del(config, "seed");
    crd_cli_json_add(object, "passed_over", json_integer(row->passed_over), "config", config, "seeds", seeds, "values",
                     values, NULL);
}

static json_t *block_json(const crd_cli_summary *summary, const json_t *metrics, int64_t first, int64_t end)
{
    const json_t *line = summary->row[first].like->line, *shift = crd_cli_json_at(line, "metrics.shift");
    json_t *block = crd_cli_block_json(summary, first, end), *rows = json_object_get(block, "rows");
    for (int64_t i = first; i < end; i++)
        add_runs(summary, metrics, &summary->row[i], json_array_get(rows, (size_t)(i - first)));
    crd_cli_json_add(block, "split", crd_cli_json_copied(line, "split"), "fingerprint",
                     crd_cli_json_copied(line, "fingerprint"), "kind", crd_cli_json_copied(shift, "kind"), "amount",
                     crd_cli_json_copied(shift, "amount"), "mode", crd_cli_json_copied(shift, "mode"), NULL);
    return block;
}

/* Compares every two models of a block by every metric. */
static void add_pairs(const crd_cli_summary *summary, const json_t *metrics, int64_t first, int64_t end, size_t block,
                      json_t *pairs)
{
    const crd_cli_row *row = summary->row;
    for (int64_t a = first; a < end; a++)
        for (int64_t b = a + 1; b < end; b++)
            for (size_t m = 0; m < json_array_size(metrics); m++) {
                const char *metric = metric_name(metrics, m);
                json_t *pair = crd_cli_json_new("block", json_integer((json_int_t)block), "a", json_integer(a - first),
                                                "b", json_integer(b - first), "metric", json_string(metric), NULL);
                crd_cli_rows_compare(summary, &row[a], &row[b], metric, BOOTSTRAP_SEED, pair);
                if (crd_cli_json_number_at(pair, "pairs") > 0.0) crd_cli_json_append(pairs, pair);
                else json_decref(pair);
            }
}

static json_t *table_json(const crd_cli_summary *summary, int64_t first, int64_t end)
{
    const crd_cli_row *row = &summary->row[first];
    json_t *metrics = metrics_json(summary, first, end), *blocks = json_array(), *pairs = json_array();
    for (int64_t block = first, after; block < end; block = after) {
        after = crd_cli_block_end(summary, block);
        add_pairs(summary, metrics, block, after, json_array_size(blocks), pairs);
        crd_cli_json_append(blocks, block_json(summary, metrics, block, after));
    }
    return crd_cli_json_new(
        "task", json_string(row->like->task), "title", json_string(crd_cli_task_title(row->like->task)), "failures",
        json_boolean(row->kind == CRD_CLI_OF_FAILURES), "metrics", metrics, "blocks", blocks, "pairs", pairs, NULL);
}

/* Runs that failed, unless the same seed succeeded another time. */
static json_t *failures_json(const crd_cli_summary *summary)
{
    json_t *failures = json_array();
    for (int64_t r = 0; r < summary->rows; r++)
        for (int64_t i = summary->row[r].runs; i < summary->row[r].runs + summary->row[r].failed; i++) {
            const crd_cli_run *run = summary->run[summary->row[r].first + i];
            json_t *failure = crd_cli_json_new(
                "task", json_string(run->task), "title", json_string(run->title), "shift",
                run->shift == NULL ? NULL : json_string(run->shift), "model", json_string(summary->row[r].title),
                "seed", json_integer((json_int_t)run->seed), "error", crd_cli_json_copied(run->line, "error"), NULL);
            crd_cli_json_append(failures, failure);
        }
    return failures;
}

/* What is known about all runs of a folder. */
static json_t *facts_json(const crd_cli_runs *runs, const char *folder)
{
    json_t *versions = json_array(), *known = json_object();
    double seconds = 0.0;
    for (int64_t i = 0; i < runs->count; i++) {
        const char *version = crd_cli_json_string_at(runs->run[i].line, "version");
        seconds += json_number_value(json_object_get(runs->run[i].line, "seconds"));
        if (version == NULL || json_object_get(known, version) != NULL) continue;
        crd_cli_json_set(known, version, json_true());
        crd_cli_json_append(versions, json_string(version));
    }
    json_decref(known);
    return crd_cli_json_new("commands", crd_cli_commands(folder), "versions", versions, "lines",
                            json_integer(runs->count), "seconds", crd_cli_json_rounded(seconds), NULL);
}

static void set_tables(json_t *object, const crd_cli_runs *runs)
{
    crd_cli_summary summary;
    json_t *tables = json_array();
    crd_cli_summary_make(&summary, runs->run, runs->count);
    for (int64_t first = 0, end; first < summary.rows; first = end) {
        end = crd_cli_table_end(&summary, first);
        crd_cli_json_append(tables, table_json(&summary, first, end));
    }
    crd_cli_json_set(object, "tables", tables);
    crd_cli_json_set(object, "failures", failures_json(&summary));
    crd_cli_summary_free(&summary);
}

/* ---- tunings ---- */

static int is_json(const struct dirent *entry)
{
    return crd_ends_with(entry->d_name, ".json");
}

/* The raw material of the page: every trial, the result of the search (tried.json), and the configurations in the
 * folder by the names of their files. */
static void set_trials(json_t *object, const crd_cli_runs *runs, const char *folder)
{
    json_t *trials = json_array(), *files = json_object();
    struct dirent **entry = NULL;
    int count = scandir(folder, &entry, is_json, alphasort);
    for (int64_t i = 0; i < runs->count; i++)
        if (strcmp(runs->run[i].task, "tune") == 0) crd_cli_json_append(trials, json_incref(runs->run[i].line));
    for (int i = 0; i < count; i++) {
        char *path = crd_cli_text("%s/%s", folder, entry[i]->d_name);
        json_t *config = json_load_file(path, 0, NULL), *name = crd_cli_json_string(entry[i]->d_name);
        if (config != NULL) crd_cli_json_set(files, json_string_value(name), config);
        json_decref(name);
        free(path);
        free(entry[i]);
    }
    free(entry);
    crd_cli_json_set(object, "tried", crd_cli_json_copied(files, "tried.json"));
    json_object_del(files, "tried.json");
    crd_cli_json_set(object, "files", files);
    crd_cli_json_set(object, "trials", trials);
}

/* ---- parts ---- */

static bool has(const char *folder, const char *file)
{
    char *path = crd_cli_text("%s/%s", folder, file);
    const bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

bool crd_cli_is_runs_folder(const char *folder)
{
    return has(folder, "runs.jsonl") || has(folder, "trials.jsonl");
}

/* "Comparison runs": the kind, and the last name in the folder's path, which may not be UTF-8. */
static char *part_title(bool tuning, const char *folder)
{
    char *whole = realpath(folder, NULL);
    const char *name = whole == NULL ? NULL : strrchr(whole, '/');
    json_t *string = crd_cli_json_string(name == NULL || name[1] == '\0' ? folder : name + 1);
    char *title = crd_cli_text("%s %s", tuning ? "Tuning" : "Comparison", json_string_value(string));
    json_decref(string);
    free(whole);
    return title;
}

char *crd_cli_report_title(const char *folder)
{
    return part_title(!has(folder, "runs.jsonl"), folder);
}

static int add_part(crd_report *report, const char *folder, bool tuning)
{
    crd_cli_runs runs = {0};
    crd_error error;
    char *path = crd_cli_text("%s/%s", folder, tuning ? "trials.jsonl" : "runs.jsonl");
    const char *kind = tuning ? "tuning" : "experiment";
    int code = crd_cli_runs_read(&runs, path);
    if (code == CRD_CLI_DONE && runs.count == 0)
        code = crd_cli_failf(CRD_CLI_FAILED, "%s: there are no runs in it yet", path);
    if (code == CRD_CLI_DONE) {
        json_t *object = facts_json(&runs, folder);
        if (tuning) set_trials(object, &runs, folder);
        else set_tables(object, &runs);
        if (tuning && has(folder, "tried.json") && !json_is_object(json_object_get(object, "tried")))
            code = crd_cli_failf(CRD_CLI_FAILED, "%s/tried.json: is damaged, expected a JSON object", folder);
        char *json = crd_cli_json_text(object), *title = part_title(tuning, folder);
        crd_status status = code == CRD_CLI_DONE ? crd_report_begin(report, kind, title, &error) : CRD_OK;
        if (status == CRD_OK && code == CRD_CLI_DONE) status = crd_report_add_json(report, kind, json, &error);
        if (status != CRD_OK) code = crd_cli_fail(&error);
        free(title);
        free(json);
        json_decref(object);
    }
    crd_cli_runs_close(&runs);
    free(path);
    return code;
}

int crd_cli_report_folder(crd_report *report, const char *folder)
{
    int code = CRD_CLI_DONE;
    if (has(folder, "runs.jsonl")) code = add_part(report, folder, false);
    if (code == CRD_CLI_DONE && has(folder, "trials.jsonl")) code = add_part(report, folder, true);
    return code;
}
