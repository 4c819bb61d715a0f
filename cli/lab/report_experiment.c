/* The runs of an experiment as the JSON of a report's part. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "credence_private.h"
#include "lab/json.h"
#include "lab/report_parts.h"
#include "lab/summary_pairs.h"
#include "lab/table.h"

/* Numbers of a run beside the columns of its task's table. */
static const struct extra {
    const char *name, *group, *label;
} extras[] = {
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
enum { EXTRAS = sizeof extras / sizeof extras[0], MOST_METRICS = CRD_LAB_SHOWN + EXTRAS };

/* One task's rows. */
typedef struct table {
    const crd_lab_summary *summary;
    const crd_lab_row *row;
    int64_t rows;
    const char *metric[MOST_METRICS];
    int metrics;
} table;

static void set(json_t *object, const char *key, json_t *value)
{
    crd_lab_json_set(object, key, value);
}

static double number_of(const table *t, const crd_lab_row *row, int64_t run, const char *metric)
{
    return crd_lab_run_number(t->summary->run[row->first + run], metric);
}

static bool any_has(const table *t, const char *metric)
{
    for (int64_t r = 0; r < t->rows; r++)
        for (int64_t i = 0; i < t->row[r].runs; i++)
            if (!isnan(number_of(t, &t->row[r], i, metric))) return true;
    return false;
}

/* ---- metrics ---- */

static json_t *metric_json(table *t, const char *name, const char *group, const char *label, bool column)
{
    json_t *metric = json_object();
    t->metric[t->metrics++] = name;
    set(metric, "name", json_string(name));
    set(metric, "group", json_string(group));
    set(metric, "label", json_string(label));
    set(metric, "column", json_boolean(column));
    set(metric, "percent", json_boolean(crd_lab_is_percent(name)));
    set(metric, "loss", json_boolean(crd_lab_is_loss(name)));
    return metric;
}

/* The table's columns, and whatever else some run has. */
static json_t *metrics_json(table *t)
{
    const crd_lab_heading *heading = crd_lab_headings(t->row->failures);
    json_t *metrics = json_array();
    for (int c = 0; c < CRD_LAB_SHOWN; c++)
        crd_lab_json_append(metrics, metric_json(t, crd_lab_column_name(heading[c].column), heading[c].group,
                                                 heading[c].name, true));
    for (int e = 0; e < EXTRAS; e++)
        if (any_has(t, extras[e].name))
            crd_lab_json_append(metrics, metric_json(t, extras[e].name, extras[e].group, extras[e].label,
                                                     false));
    return metrics;
}

/* ---- rows and blocks ---- */

static json_t *values_json(const table *t, const crd_lab_row *row)
{
    json_t *values = json_object();
    for (int m = 0; m < t->metrics; m++) {
        json_t *list = json_array();
        for (int64_t i = 0; i < row->runs; i++)
            crd_lab_json_append(list, crd_lab_json_item(number_of(t, row, i, t->metric[m])));
        set(values, t->metric[m], list);
    }
    return values;
}

/* A row has one configuration but for the seed. */
static json_t *config_json(const crd_lab_row *row)
{
    json_t *config = json_copy(json_object_get(row->like->line, "config"));
    if (config != NULL) json_object_del(config, "seed");
    return config;
}

static void add_runs(const table *t, const crd_lab_row *row, json_t *object)
{
    json_t *seeds = json_array();
    for (int64_t i = 0; i < row->runs; i++)
        crd_lab_json_append(seeds, json_integer((json_int_t)t->summary->run[row->first + i]->seed));
    set(object, "passed_over", json_integer(row->passed_over));
    set(object, "config", config_json(row));
    set(object, "seeds", seeds);
    set(object, "values", values_json(t, row));
}

static json_t *copied(const json_t *object, const char *key)
{
    return json_incref(json_object_get(object, key)); /* NULL stays NULL */
}

static json_t *block_json(const table *t, int64_t first, int64_t count)
{
    const crd_lab_row *row = &t->row[first];
    const json_t *shift = crd_lab_json_at(row->like->line, "metrics.shift");
    json_t *block = crd_lab_block_json(row, count), *rows = json_object_get(block, "rows");
    char *label = crd_lab_block_title(t->row, t->rows, row);
    for (int64_t i = 0; i < count; i++) add_runs(t, &row[i], json_array_get(rows, (size_t)i));
    set(block, "label", json_string(label));
    set(block, "split", copied(row->like->line, "split"));
    set(block, "fingerprint", copied(row->like->line, "fingerprint"));
    if (row->like->shift != NULL) {
        set(block, "kind", copied(shift, "kind"));
        set(block, "amount", copied(shift, "amount"));
        set(block, "mode", copied(shift, "mode"));
    }
    free(label);
    return block;
}

/* ---- every two models of a block ---- */

/* The seed that 'credence compare' uses if it is told none: the numbers are the same. */
enum { BOOTSTRAP_SEED = 1 };

static void add_pairs(const table *t, int64_t first, int64_t count, int64_t block, json_t *pairs)
{
    for (int64_t a = 0; a < count; a++) {
        for (int64_t b = a + 1; b < count; b++) {
            for (int m = 0; m < t->metrics; m++) {
                crd_comparison comparison;
                if (crd_lab_rows_compare(t->summary, &t->row[first + a], &t->row[first + b], t->metric[m],
                                         BOOTSTRAP_SEED, &comparison)
                        == 0
                    || comparison.pairs == 0)
                    continue;
                json_t *pair = json_object();
                set(pair, "block", json_integer(block));
                set(pair, "a", json_integer(a));
                set(pair, "b", json_integer(b));
                set(pair, "metric", json_string(t->metric[m]));
                crd_lab_comparison_json(pair, &comparison);
                crd_lab_json_append(pairs, pair);
            }
        }
    }
}

static json_t *table_json(const crd_lab_summary *summary, int64_t first, int64_t rows)
{
    table t = {.summary = summary, .row = &summary->row[first], .rows = rows};
    json_t *object = json_object(), *blocks = json_array(), *pairs = json_array();
    set(object, "task", json_string(t.row->like->task));
    set(object, "title", json_string(crd_lab_task_title(t.row->like->task)));
    set(object, "failures", json_boolean(t.row->failures));
    set(object, "metrics", metrics_json(&t));
    for (int64_t block = 0, end; block < rows; block = end) {
        for (end = block + 1; end < rows && crd_lab_same_block(&t.row[block], &t.row[end]);) end++;
        add_pairs(&t, block, end - block, (int64_t)json_array_size(blocks), pairs);
        crd_lab_json_append(blocks, block_json(&t, block, end - block));
    }
    set(object, "blocks", blocks);
    set(object, "pairs", pairs);
    return object;
}

/* ---- runs that failed ---- */

/* Whether the run's seed did well another time, or has failed once more since: either is said elsewhere. */
static bool made_good(const crd_lab_runs *runs, int64_t failed)
{
    const crd_lab_run *run = &runs->run[failed];
    for (int64_t i = 0; i < runs->count; i++)
        if (runs->run[i].seed == run->seed && (i > failed || !runs->run[i].failed)
            && crd_lab_row_order(&runs->run[i], run) == 0)
            return true;
    return false;
}

static json_t *failures_json(const crd_lab_runs *runs)
{
    json_t *failures = json_array();
    for (int64_t i = 0; i < runs->count; i++) {
        const crd_lab_run *run = &runs->run[i];
        if (!run->failed || made_good(runs, i)) continue;
        json_t *failure = json_object();
        set(failure, "task", json_string(run->task));
        set(failure, "title", json_string(run->title));
        set(failure, "shift", run->shift == NULL ? NULL : json_string(run->shift));
        set(failure, "model", json_string(crd_lab_run_model_title(run)));
        set(failure, "seed", json_integer((json_int_t)run->seed));
        set(failure, "error", copied(run->line, "error"));
        crd_lab_json_append(failures, failure);
    }
    return failures;
}

char *crd_lab_report_experiment(const crd_lab_runs *runs, const char *folder)
{
    crd_lab_summary summary;
    json_t *object = json_object(), *tables = json_array();
    crd_lab_summary_make(&summary, runs->run, runs->count, NULL);
    set(object, "commands", crd_lab_report_commands(folder));
    set(object, "versions", crd_lab_report_versions(runs));
    set(object, "lines", json_integer(runs->count));
    set(object, "seconds", crd_lab_json_number(crd_lab_report_seconds(runs)));
    for (int64_t first = 0, end; first < summary.rows; first = end) {
        for (end = first + 1; end < summary.rows && crd_lab_same_table(&summary.row[first], &summary.row[end]);)
            end++;
        crd_lab_json_append(tables, table_json(&summary, first, end - first));
    }
    set(object, "tables", tables);
    set(object, "failures", failures_json(runs));
    crd_lab_summary_free(&summary);
    return crd_lab_json_text(object, JSON_COMPACT);
}
