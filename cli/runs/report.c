/* The parts of a report about comparisons and tunings: JSON made only from a folder's files. The same files give
 * the same bytes. web/src/experiment.js and tuning.js show it. */
#include "runs/runs.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runs/results.h"

/* The default seed of 'credence compare': the numbers are the same. */
enum { BOOTSTRAP_SEED = 1 };

/* Numbers of a run in addition to the columns of its task's table. */
static const crd_cli_column extras[] = {
    {"shifted_accuracy", "Accuracy on shifted nodes", "after the shift"},
    {"shifted_accuracy_before", "Accuracy on shifted nodes", "before the shift"},
    {"ood.aleatoric.fpr95", "FPR at 95 % recall", "aleatoric"},
    {"ood.epistemic.fpr95", "FPR at 95 % recall", "epistemic"},
    {"ood.epistemic_features.fpr95", "FPR at 95 % recall", "w/o network"},
    {"shift.aleatoric.fpr95", "FPR at 95 % recall", "aleatoric"},
    {"shift.epistemic.fpr95", "FPR at 95 % recall", "epistemic"},
    {"shift.epistemic_features.fpr95", "FPR at 95 % recall", "w/o network"},
    {"misclassification.aleatoric.aurc", "AURC", "aleatoric"},
    {"misclassification.epistemic.aurc", "AURC", "epistemic"},
    {"ece", "Calibration", "ECE"},
    {"brier", "Calibration", "Brier score"},
    {"nll", "Calibration", "log loss"},
    {"training.validation_cross_entropy", "Training", "validation cross-entropy"},
    {"training.epochs", "Training", "epochs"},
    {"seconds", "Training", "seconds"},
};
enum { EXTRAS = sizeof extras / sizeof extras[0], MOST_METRICS = CRD_CLI_COLUMNS + EXTRAS };

/* One task's rows. */
typedef struct {
    const crd_cli_summary *summary;
    int64_t first, end;
    const char *metric[MOST_METRICS];
    int metrics;
} table;

static double number_of(const table *t, const crd_cli_row *row, int64_t run, const char *metric)
{
    return crd_cli_run_number(t->summary->run[row->first + run], metric);
}

static bool any_has(const table *t, const char *metric)
{
    for (int64_t r = t->first; r < t->end; r++)
        for (int64_t i = 0; i < t->summary->row[r].runs; i++)
            if (!isnan(number_of(t, &t->summary->row[r], i, metric))) return true;
    return false;
}

/* The table's columns, and every other metric that some run has. */
static json_t *metrics_json(table *t)
{
    const crd_cli_column *column = t->summary->row[t->first].column;
    json_t *metrics = json_array();
    for (int m = 0; m < MOST_METRICS; m++) {
        const bool shown = m < CRD_CLI_COLUMNS;
        const crd_cli_column *c = shown ? &column[m] : &extras[m - CRD_CLI_COLUMNS];
        if (!shown && !any_has(t, c->metric)) continue;
        json_t *metric = json_object();
        t->metric[t->metrics++] = c->metric;
        crd_cli_json_add(metric, "name", json_string(c->metric), "group", json_string(c->group), "label",
                         json_string(c->name), "column", json_boolean(shown), "percent",
                         json_boolean(crd_cli_is_percent(c->metric)), "loss", json_boolean(crd_cli_is_loss(c->metric)),
                         NULL);
        crd_cli_json_append(metrics, metric);
    }
    return metrics;
}

/* Adds every run of a row, and their configuration, which differs only in the seed. */
static void add_runs(const table *t, const crd_cli_row *row, json_t *object)
{
    json_t *seeds = json_array(), *values = json_object();
    json_t *config = json_copy(json_object_get(row->like->line, "config"));
    for (int64_t i = 0; i < row->runs; i++)
        crd_cli_json_append(seeds, json_integer((json_int_t)t->summary->run[row->first + i]->seed));
    for (int m = 0; m < t->metrics; m++) {
        json_t *list = json_array();
        for (int64_t i = 0; i < row->runs; i++)
            crd_cli_json_append(list, crd_cli_json_rounded(number_of(t, row, i, t->metric[m])));
        crd_cli_json_set(values, t->metric[m], list);
    }
    if (config != NULL) json_object_del(config, "seed");
    crd_cli_json_add(object, "passed_over", json_integer(row->passed_over), "config", config, "seeds", seeds, "values",
                     values, NULL);
}

static json_t *block_json(const table *t, int64_t first, int64_t end)
{
    const crd_cli_row *row = &t->summary->row[first];
    const json_t *shift = crd_cli_json_at(row->like->line, "metrics.shift");
    json_t *block = crd_cli_block_json(t->summary, first, end), *rows = json_object_get(block, "rows");
    char *label = crd_cli_block_title(t->summary, row);
    for (int64_t i = first; i < end; i++) add_runs(t, &t->summary->row[i], json_array_get(rows, (size_t)(i - first)));
    crd_cli_json_add(block, "label", json_string(label), "split", crd_cli_json_copied(row->like->line, "split"),
                     "fingerprint", crd_cli_json_copied(row->like->line, "fingerprint"), NULL);
    if (row->like->shift != NULL) {
        crd_cli_json_add(block, "kind", crd_cli_json_copied(shift, "kind"), "amount",
                         crd_cli_json_copied(shift, "amount"), "mode", crd_cli_json_copied(shift, "mode"), NULL);
    }
    free(label);
    return block;
}

/* Compares every two models of a block by every metric. */
static void add_pairs(const table *t, int64_t first, int64_t end, size_t block, json_t *pairs)
{
    const crd_cli_row *row = t->summary->row;
    for (int64_t a = first; a < end; a++)
        for (int64_t b = a + 1; b < end; b++)
            for (int m = 0; m < t->metrics; m++) {
                crd_comparison comparison;
                if (crd_cli_rows_compare(t->summary, &row[a], &row[b], t->metric[m], BOOTSTRAP_SEED, &comparison) ==
                        0 ||
                    comparison.pairs == 0)
                    continue;
                json_t *pair = json_object();
                crd_cli_json_add(pair, "block", json_integer((json_int_t)block), "a", json_integer(a - first), "b",
                                 json_integer(b - first), "metric", json_string(t->metric[m]), NULL);
                crd_cli_set_comparison(pair, &comparison);
                crd_cli_json_append(pairs, pair);
            }
}

static json_t *table_json(const crd_cli_summary *summary, int64_t first, int64_t end)
{
    table t = {.summary = summary, .first = first, .end = end};
    const crd_cli_row *row = &summary->row[first];
    json_t *object = json_object(), *blocks = json_array(), *pairs = json_array();
    crd_cli_json_add(
        object, "task", json_string(row->like->task), "title", json_string(crd_cli_task_title(row->like->task)),
        "failures", json_boolean(strcmp(row->like->task, "misclassification") == 0), "metrics", metrics_json(&t), NULL);
    for (int64_t block = first, after; block < end; block = after) {
        after = crd_cli_block_end(summary, block);
        add_pairs(&t, block, after, json_array_size(blocks), pairs);
        crd_cli_json_append(blocks, block_json(&t, block, after));
    }
    crd_cli_json_set(object, "blocks", blocks);
    crd_cli_json_set(object, "pairs", pairs);
    return object;
}

/* Runs that failed, unless the same seed succeeded another time or failed again later. */
static json_t *failures_json(const crd_cli_runs *runs)
{
    json_t *failures = json_array();
    for (int64_t i = 0; i < runs->count; i++) {
        const crd_cli_run *run = &runs->run[i];
        bool settled = !run->failed;
        for (int64_t j = 0; j < runs->count && !settled; j++)
            settled = runs->run[j].seed == run->seed && (j > i || !runs->run[j].failed) &&
                      crd_cli_same_row(&runs->run[j], run);
        if (settled) continue;
        json_t *failure = json_object();
        crd_cli_json_add(failure, "task", json_string(run->task), "title", json_string(run->title), "shift",
                         run->shift == NULL ? NULL : json_string(run->shift), "model",
                         json_string(crd_cli_model_title(run)), "seed", json_integer((json_int_t)run->seed), "error",
                         crd_cli_json_copied(run->line, "error"), NULL);
        crd_cli_json_append(failures, failure);
    }
    return failures;
}

static json_t *versions_json(const crd_cli_runs *runs)
{
    json_t *versions = json_array();
    for (int64_t i = 0; i < runs->count; i++) {
        json_t *version = json_object_get(runs->run[i].line, "version"), *other;
        bool known = !json_is_string(version);
        size_t v;
        json_array_foreach(versions, v, other) known = known || json_equal(version, other);
        if (!known) crd_cli_json_append(versions, json_incref(version));
    }
    return versions;
}

/* The lines of command.txt. */
static json_t *commands_json(const char *folder)
{
    json_t *commands = json_array();
    char *path = crd_cli_text("%s/command.txt", folder), *line = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");
    while (file != NULL && getline(&line, &room, file) > 0) {
        line[strcspn(line, "\n")] = '\0';
        crd_cli_json_append(commands, crd_cli_json_string(line));
    }
    if (file != NULL) fclose(file);
    free(line);
    free(path);
    return commands;
}

static double all_seconds(const crd_cli_runs *runs)
{
    double seconds = 0.0;
    for (int64_t i = 0; i < runs->count; i++)
        seconds += json_number_value(json_object_get(runs->run[i].line, "seconds"));
    return seconds;
}

static void set_tables(json_t *object, const crd_cli_runs *runs)
{
    crd_cli_summary summary;
    json_t *tables = json_array();
    crd_cli_summary_make(&summary, runs->run, runs->count, NULL, NULL);
    for (int64_t first = 0, end; first < summary.rows; first = end) {
        end = crd_cli_table_end(&summary, first);
        crd_cli_json_append(tables, table_json(&summary, first, end));
    }
    crd_cli_json_set(object, "tables", tables);
    crd_cli_json_set(object, "failures", failures_json(runs));
    crd_cli_summary_free(&summary);
}

/* ---- tunings ---- */

static int is_json(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
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
    crd_cli_runs runs;
    crd_error error;
    char *path = crd_cli_text("%s/%s", folder, tuning ? "trials.jsonl" : "runs.jsonl");
    const char *kind = tuning ? "tuning" : "experiment";
    int code = crd_cli_runs_read(&runs, path);
    if (code == CRD_CLI_DONE && runs.count == 0)
        code = crd_cli_failf(CRD_CLI_FAILED, "%s: there are no runs in it yet", path);
    if (code == CRD_CLI_DONE) {
        json_t *object = json_object();
        crd_cli_json_add(object, "commands", commands_json(folder), "versions", versions_json(&runs), "lines",
                         json_integer(runs.count), "seconds", crd_cli_json_rounded(all_seconds(&runs)), NULL);
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
