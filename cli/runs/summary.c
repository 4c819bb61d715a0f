/* SPDX-License-Identifier: MIT */
/* The numbers of runs, and runs combined into the rows of tables. */
#include "runs/runs.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the numbers: their names, where a line has them, and what they mean ---- */

/* Tables show the metrics that have a path, reports all of them. */
static const crd_cli_metric METRICS[] = {
    {"id_acc", "id_accuracy", "", "ID-ACC", CRD_CLI_OF_NODES},
    {"id_acc", "accuracy", "", "accuracy", CRD_CLI_OF_FAILURES},
    {"auroc_alea", "aleatoric.auroc", "AUROC", "aleatoric", CRD_CLI_OF_ALL},
    {"auroc_epi", "epistemic.auroc", "AUROC", "epistemic", CRD_CLI_OF_ALL},
    {"auroc_epi_wo", "epistemic_features.auroc", "AUROC", "w/o network", CRD_CLI_OF_NODES},
    {"aupr_alea", "aleatoric.aupr", "AUPR", "aleatoric", CRD_CLI_OF_NODES},
    {"aupr_epi", "epistemic.aupr", "AUPR", "epistemic", CRD_CLI_OF_NODES},
    {"aupr_epi_wo", "epistemic_features.aupr", "AUPR", "w/o network", CRD_CLI_OF_NODES},
    {"aupr_alea", "aleatoric.aupr_error", "AUPR-error", "aleatoric", CRD_CLI_OF_FAILURES},
    {"aupr_epi", "epistemic.aupr_error", "AUPR-error", "epistemic", CRD_CLI_OF_FAILURES},
    {"aupr_success_alea", "aleatoric.aupr_success", "AUPR-success", "aleatoric", CRD_CLI_OF_FAILURES},
    {"aupr_success_epi", "epistemic.aupr_success", "AUPR-success", "epistemic", CRD_CLI_OF_FAILURES},
    {"shifted_accuracy", NULL, "Accuracy on shifted nodes", "after the shift", CRD_CLI_OF_NODES},
    {"shifted_accuracy_before", NULL, "Accuracy on shifted nodes", "before the shift", CRD_CLI_OF_NODES},
    {"aleatoric.fpr95", NULL, "FPR at 95 % recall", "aleatoric", CRD_CLI_OF_NODES},
    {"epistemic.fpr95", NULL, "FPR at 95 % recall", "epistemic", CRD_CLI_OF_NODES},
    {"epistemic_features.fpr95", NULL, "FPR at 95 % recall", "w/o network", CRD_CLI_OF_NODES},
    {"aleatoric.aurc", NULL, "AURC", "aleatoric", CRD_CLI_OF_FAILURES},
    {"epistemic.aurc", NULL, "AURC", "epistemic", CRD_CLI_OF_FAILURES},
    {"ece", NULL, "Calibration", "ECE", CRD_CLI_OF_ALL},
    {"brier", NULL, "Calibration", "Brier score", CRD_CLI_OF_ALL},
    {"nll", NULL, "Calibration", "log loss", CRD_CLI_OF_ALL},
    {"training.validation_cross_entropy", NULL, "Training", "validation cross-entropy", CRD_CLI_OF_ALL},
    {"training.epochs", NULL, "Training", "epochs", CRD_CLI_OF_ALL},
    {"training_seconds", NULL, "Training", "seconds", CRD_CLI_OF_ALL},
};
enum { METRIC_COUNT = sizeof METRICS / sizeof METRICS[0] };

const crd_cli_metric *crd_cli_metric_at(crd_cli_metric_kind kind, int index)
{
    for (int i = 0; i < METRIC_COUNT; i++)
        if ((METRICS[i].kind & kind) != 0 && index-- == 0) return &METRICS[i];
    return NULL;
}

static crd_cli_metric_kind kind_of(const crd_cli_run *run)
{
    const char *task = crd_cli_json_string_at(run->line, "metrics.task");
    bool failures = strcmp(task != NULL ? task : run->task, "misclassification") == 0;
    return failures ? CRD_CLI_OF_FAILURES : CRD_CLI_OF_NODES;
}

bool crd_cli_has_word(const char *words, const char *word)
{
    for (size_t length; (length = crd_cli_next_word(&words)) > 0; words += length)
        if (strlen(word) == length && strncmp(word, words, length) == 0) return true;
    return false;
}

/* Whether the last part of a path is one of these words, which are between blanks. */
static bool ends_in(const char *metric, const char *words)
{
    const char *last = strrchr(metric, '.');
    return crd_cli_has_word(words, last == NULL ? metric : last + 1);
}

bool crd_cli_is_percent(const char *metric)
{
    return strncmp(metric, "config.", 7) != 0 &&
           !ends_in(metric, "nll brier nodes positives ece_bins epochs best_epoch seconds training_seconds "
                            "prediction_seconds edges_removed edges_added amount validation_cross_entropy");
}

bool crd_cli_is_loss(const char *metric)
{
    return ends_in(
        metric, "nll brier ece fpr95 aurc epochs seconds training_seconds prediction_seconds validation_cross_entropy");
}

double crd_cli_run_number(const crd_cli_run *run, const char *metric)
{
    const json_t *metrics = json_object_get(run->line, "metrics");
    const char *task = crd_cli_json_string_at(metrics, "task"), *path = metric;
    const crd_cli_metric *known;
    for (int i = 0; (known = crd_cli_metric_at(kind_of(run), i)) != NULL; i++)
        if (strcmp(known->name, metric) == 0 && known->path != NULL) path = known->path;
    double number = task == NULL ? NAN : crd_cli_json_number_at(json_object_get(metrics, task), path);
    if (isnan(number)) number = crd_cli_json_number_at(metrics, path);
    if (isnan(number)) number = crd_cli_json_number_at(run->line, path);
    return number * (crd_cli_is_percent(path) ? 100.0 : 1.0);
}

char *crd_cli_missing_metric(const crd_cli_run *runs, int64_t count, const char *metric)
{
    for (int64_t i = 0; i < count; i++)
        if (!isnan(crd_cli_run_number(&runs[i], metric))) return NULL;
    char *known = crd_cli_text(" ");
    for (int i = 0; i < METRIC_COUNT; i++)
        if (METRICS[i].path != NULL && strstr(known, METRICS[i].name) == NULL)
            crd_cli_append(&known, "%s, ", METRICS[i].name);
    char *problem = crd_cli_text("no run has the metric '%s'; metrics are%sand places in the runs' metrics, as "
                                 "ood.epistemic.fpr95",
                                 metric, known);
    free(known);
    return problem;
}

/* ---- the order of rows ---- */

static int place_of(char which, const char *name)
{
    const crd_cli_entry *table = which == 't' ? crd_cli_tasks : crd_cli_contenders;
    const crd_cli_entry *entry = which == 'd' ? NULL : crd_cli_find(table, name);
    const crd_public_graph *graph = which == 'd' ? crd_public_graph_find(name) : NULL;
    return entry != NULL ? (int)(entry - table) : graph != NULL ? (int)(graph - crd_public_graph_at(0)) : INT_MAX;
}

/* Known names come first, in their order; the others in alphabetical order. */
static int by_place(char which, const char *a, const char *b)
{
    if (strcmp(a, b) == 0) return 0;
    int left = place_of(which, a), right = place_of(which, b);
    return left != right ? (left < right ? -1 : 1) : strcmp(a, b);
}

static int by_class(const crd_cli_run *a, const crd_cli_run *b)
{
    return strcmp(a->left_out_classes == NULL ? "" : a->left_out_classes,
                  b->left_out_classes == NULL ? "" : b->left_out_classes);
}

int crd_cli_by_partner(const crd_cli_run *a, const crd_cli_run *b)
{
    return a->seed != b->seed ? (a->seed < b->seed ? -1 : 1) : by_class(a, b);
}

static int by_subject(const crd_cli_run *a, const crd_cli_run *b)
{
    int order = by_place('t', a->task, b->task);
    if (order == 0) order = by_place('d', a->data, b->data);
    if (order == 0) order = (a->shift_place > b->shift_place) - (a->shift_place < b->shift_place);
    if (order == 0) order = strcmp(a->shift == NULL ? "" : a->shift, b->shift == NULL ? "" : b->shift);
    if (order == 0) order = a->left_out_each - b->left_out_each;
    if (order == 0 && !a->left_out_each) order = by_class(a, b);
    return order;
}

/* The name of the run's model in tables: the line's "model_title", or the usual title of the model, or its name. */
static const char *model_title(const crd_cli_run *run)
{
    const char *title = crd_cli_json_string_at(run->line, "model_title");
    const crd_cli_entry *contender = crd_cli_find(crd_cli_contenders, run->model);
    return title != NULL ? title : contender != NULL ? contender->title : run->model;
}

static int by_row(const crd_cli_run *a, const crd_cli_run *b)
{
    int order = by_subject(a, b);
    if (order == 0) order = by_place('m', a->model, b->model);
    return order != 0 ? order : strcmp(model_title(a), model_title(b));
}

static int by_block(const crd_cli_run *a, const crd_cli_run *b)
{
    int order = by_subject(a, b);
    if (order == 0) order = (a->left_out > b->left_out) - (a->left_out < b->left_out);
    return order != 0 ? order : a->inductive - b->inductive;
}

/* ---- names ---- */

/* The name of a run's task ('t'), data ('d') or model ('m'), and its title. */
static const char *name_of(const crd_cli_run *run, char which, const char **title)
{
    *title = which == 't' ? run->task : which == 'd' ? run->title : model_title(run);
    return which == 't' ? run->task : which == 'd' ? run->data : run->model;
}

bool crd_cli_run_is(const crd_cli_run *run, char which, const char *name)
{
    const char *title;
    return strcmp(name_of(run, which, &title), name) == 0 || strcmp(title, name) == 0;
}

char *crd_cli_missing_name(const crd_cli_run *runs, int64_t count, char which, const char *name)
{
    const char *kind = which == 't' ? "of task" : which == 'd' ? "on data" : "of model", *separator = ": ", *title;
    for (int64_t i = 0; i < count; i++)
        if (crd_cli_run_is(&runs[i], which, name)) return NULL;
    char *problem =
        crd_cli_text("there is no run %s '%s'; there are%s", kind, name, count == 0 ? " no runs at all" : "");
    json_t *known = json_object();
    for (int64_t i = 0; i < count; i++) {
        const char *its = name_of(&runs[i], which, &title);
        char *text = its == title ? crd_cli_text("%s", its) : crd_cli_text("%s (%s)", its, title);
        if (json_object_get(known, text) == NULL) {
            crd_cli_append(&problem, "%s%s", separator, text);
            separator = ", ";
        }
        crd_cli_json_set(known, text, json_true());
        free(text);
    }
    json_decref(known);
    return problem;
}

/* ---- rows ---- */

/* Sorts runs by row and seed. Of a seed's runs, the last is the one that counts: pointers into one array keep its
 * order. */
static int compare_runs(const void *a, const void *b)
{
    const crd_cli_run *left = *(const crd_cli_run *const *)a, *right = *(const crd_cli_run *const *)b;
    int order = by_row(left, right);
    if (order == 0) order = crd_cli_by_partner(left, right);
    if (order == 0) order = right->failed - left->failed;
    return order != 0 ? order : (left > right) - (left < right);
}

/* Successful runs first. */
static int compare_success(const void *a, const void *b)
{
    const crd_cli_run *left = *(const crd_cli_run *const *)a, *right = *(const crd_cli_run *const *)b;
    return left->failed != right->failed ? left->failed - right->failed : compare_runs(a, b);
}

/* Sorts by block, and within a block in the order of models. */
static int compare_blocks(const void *a, const void *b)
{
    const crd_cli_run *left = ((const crd_cli_row *)a)->like, *right = ((const crd_cli_row *)b)->like;
    int order = by_block(left, right);
    return order != 0 ? order : by_row(left, right);
}

/* Whether two runs of a row differ in nothing but the seed. */
static bool alike(const crd_cli_run *a, const crd_cli_run *b)
{
    const json_t *left = json_object_get(a->line, "config"), *right = json_object_get(b->line, "config");
    const char *key;
    json_t *value;
    if (!crd_cli_json_same(a->line, b->line, "split")) return false;
    if (!crd_cli_json_same(a->line, b->line, "fingerprint")) return false;
    if (json_object_size(left) != json_object_size(right)) return false;
    json_object_foreach((json_t *)left, key, value)
    {
        if (strcmp(key, "seed") != 0 && !json_equal(value, json_object_get(right, key))) return false;
    }
    return true;
}

/* Keeps those runs of a row that are like its last one (the last successful one, if any), one per seed. Returns how
 * many are left. */
static int64_t keep_last(const crd_cli_run **run, int64_t count, int64_t *passed_over)
{
    const crd_cli_run *last = run[0];
    int64_t kept = 0;
    for (int64_t i = 1; i < count; i++)
        if (run[i]->failed == last->failed ? run[i] > last : last->failed) last = run[i];
    *passed_over = count;
    for (int64_t i = 0; i < count; i++) {
        if (!alike(run[i], last)) continue;
        --*passed_over;
        kept -= kept > 0 && crd_cli_by_partner(run[kept - 1], run[i]) == 0;
        run[kept++] = run[i];
    }
    return kept;
}

/* The worst of the classes' means, if each class was left out in turn. */
static double worst_class(const crd_cli_summary *summary, const crd_cli_row *row, const char *metric)
{
    const crd_cli_run *const *run = summary->run + row->first;
    const double sign = crd_cli_is_loss(metric) ? -1.0 : 1.0;
    double worst = INFINITY;
    for (int64_t first = 0; first < row->runs; first++) {
        double sum = 0.0;
        int64_t count = 0, earlier = 0;
        while (earlier < first && by_class(run[earlier], run[first]) != 0) earlier++;
        if (earlier < first) continue; /* its class was counted */
        for (int64_t i = first; i < row->runs; i++) {
            const double number = by_class(run[first], run[i]) == 0 ? crd_cli_run_number(run[i], metric) : NAN;
            if (isnan(number)) continue;
            sum += number;
            count++;
        }
        if (count > 0) worst = fmin(worst, sign * sum / (double)count);
    }
    return isinf(worst) ? NAN : sign * worst;
}

crd_cli_cell crd_cli_cell_of(const crd_cli_summary *summary, const crd_cli_row *row, const char *metric)
{
    crd_cli_cell cell = {.mean = NAN, .sd = NAN, .worst = NAN};
    double sum = 0.0, squares = 0.0;
    for (int64_t i = 0; i < row->runs; i++) {
        double number = crd_cli_run_number(summary->run[row->first + i], metric);
        if (isnan(number)) continue;
        sum += number;
        cell.runs++;
    }
    if (cell.runs == 0) return cell;
    cell.mean = sum / (double)cell.runs;
    for (int64_t i = 0; i < row->runs; i++) {
        double away = crd_cli_run_number(summary->run[row->first + i], metric) - cell.mean;
        if (!isnan(away)) squares += away * away;
    }
    if (cell.runs > 1) cell.sd = sqrt(squares / (double)(cell.runs - 1));
    if (row->like->left_out_each) cell.worst = worst_class(summary, row, metric);
    return cell;
}

static void make_row(crd_cli_summary *summary, int64_t first, int64_t end)
{
    const crd_cli_run **run = summary->run + first;
    crd_cli_row *row = &summary->row[summary->rows++];
    *row = (crd_cli_row){.first = first};
    int64_t kept = keep_last(run, end - first, &row->passed_over);
    qsort(run, (size_t)kept, sizeof *run, compare_success);
    for (int64_t i = 0; i < kept; i++) row->failed += run[i]->failed;
    row->runs = kept - row->failed;
    row->like = run[0];
    row->title = model_title(row->like);
    row->kind = kind_of(row->like);
    for (int c = 0; c < CRD_CLI_COLUMNS; c++)
        row->cell[c] = crd_cli_cell_of(summary, row, crd_cli_metric_at(row->kind, c)->name);
}

/* Finds the best row in each column and the rows that have fewer runs than others. */
static void mark_block(crd_cli_row *row, int64_t count)
{
    int64_t most = 0;
    for (int64_t i = 0; i < count; i++)
        if (row[i].runs > most) most = row[i].runs;
    for (int c = 0; c < CRD_CLI_COLUMNS; c++) {
        double largest = -INFINITY;
        for (int64_t i = 0; i < count; i++)
            if (row[i].cell[c].runs > 0) largest = fmax(largest, round(100.0 * row[i].cell[c].mean));
        for (int64_t i = 0; i < count; i++) {
            crd_cli_cell *cell = &row[i].cell[c];
            cell->best = cell->runs > 0 && round(100.0 * cell->mean) == largest;
            cell->fewer = cell->runs > 0 && cell->runs < most;
        }
    }
}

void crd_cli_summary_make(crd_cli_summary *summary, const crd_cli_run *runs, int64_t count)
{
    const crd_cli_run **run = crd_cli_allocate(NULL, (size_t)count * sizeof *run);
    *summary = (crd_cli_summary){.run = run};
    for (int64_t i = 0; i < count; i++) run[i] = &runs[i];
    if (count > 1) qsort(run, (size_t)count, sizeof *run, compare_runs);
    summary->row = crd_cli_allocate(NULL, (size_t)count * sizeof *summary->row);
    for (int64_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && by_row(run[first], run[end]) == 0;) end++;
        make_row(summary, first, end);
    }
    if (summary->rows > 1) qsort(summary->row, (size_t)summary->rows, sizeof *summary->row, compare_blocks);
    for (int64_t first = 0; first < summary->rows; first = crd_cli_block_end(summary, first))
        mark_block(summary->row + first, crd_cli_block_end(summary, first) - first);
}

void crd_cli_summary_free(crd_cli_summary *summary)
{
    free(summary->run);
    free(summary->row);
    *summary = (crd_cli_summary){0};
}

int64_t crd_cli_block_end(const crd_cli_summary *summary, int64_t first)
{
    int64_t end = first + 1;
    while (end < summary->rows && by_block(summary->row[first].like, summary->row[end].like) == 0) end++;
    return end;
}

int64_t crd_cli_table_end(const crd_cli_summary *summary, int64_t first)
{
    int64_t end = first + 1;
    while (end < summary->rows && strcmp(summary->row[first].like->task, summary->row[end].like->task) == 0) end++;
    return end;
}
