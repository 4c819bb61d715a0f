#include "runs/results.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runs/plan.h"

/* ---- the order of rows ---- */

static int place_of(char which, const char *name)
{
    for (int i = 0; which == 't' && crd_cli_task_at(i) != NULL; i++)
        if (strcmp(crd_cli_task_at(i)->name, name) == 0) return i;
    for (int i = 0; which == 'd' && i < crd_public_graph_count(); i++)
        if (strcmp(crd_public_graph_at(i)->name, name) == 0) return i;
    for (int i = 0; which == 'm' && crd_cli_contender_at(i) != NULL; i++)
        if (strcmp(crd_cli_contender_at(i)->name, name) == 0) return i;
    return INT_MAX;
}

/* Known names come first, in their order; the others in alphabetical order. */
static int by_place(char which, const char *a, const char *b)
{
    if (strcmp(a, b) == 0) return 0;
    int left = place_of(which, a), right = place_of(which, b);
    return left != right ? (left < right ? -1 : 1) : strcmp(a, b);
}

static int by_subject(const crd_cli_run *a, const crd_cli_run *b)
{
    int order = by_place('t', a->task, b->task);
    if (order == 0) order = by_place('d', a->data, b->data);
    if (order == 0) order = (a->shift_place > b->shift_place) - (a->shift_place < b->shift_place);
    if (order == 0) order = strcmp(a->shift == NULL ? "" : a->shift, b->shift == NULL ? "" : b->shift);
    return order;
}

static int by_row(const crd_cli_run *a, const crd_cli_run *b)
{
    int order = by_subject(a, b);
    if (order == 0) order = by_place('m', a->model, b->model);
    return order != 0 ? order : strcmp(crd_cli_model_title(a), crd_cli_model_title(b));
}

static int by_block(const crd_cli_run *a, const crd_cli_run *b)
{
    int order = by_subject(a, b);
    if (order == 0) order = (a->left_out > b->left_out) - (a->left_out < b->left_out);
    return order != 0 ? order : a->inductive - b->inductive;
}

bool crd_cli_same_row(const crd_cli_run *a, const crd_cli_run *b)
{
    return by_row(a, b) == 0;
}

/* ---- names ---- */

const char *crd_cli_model_title(const crd_cli_run *run)
{
    const char *title = crd_cli_json_string_at(run->line, "model_title");
    const crd_cli_contender *contender = crd_cli_contender_find(run->model);
    return title != NULL ? title : contender != NULL ? contender->title : run->model;
}

static const char *name_of(const crd_cli_run *run, char which)
{
    return which == 't' ? run->task : which == 'd' ? run->data : run->model;
}

static const char *title_of(const crd_cli_run *run, char which)
{
    return which == 't' ? run->task : which == 'd' ? run->title : crd_cli_model_title(run);
}

static bool has_name(const crd_cli_run *run, char which, const char *name, size_t length)
{
    const char *const own[] = {name_of(run, which), title_of(run, which)};
    for (int i = 0; i < 2; i++)
        if (strlen(own[i]) == length && strncmp(own[i], name, length) == 0) return true;
    return false;
}

static bool is_listed(const crd_cli_run *run, char which, const char *list)
{
    if (list == NULL) return true;
    for (const char *item = list;; item++) {
        size_t length = strcspn(item, ",");
        if (has_name(run, which, item, length)) return true;
        item += length;
        if (*item == '\0') return false;
    }
}

/* "lp (LP), gpn (GPN)": the different names, in the order of lines; the caller frees it. */
static char *all_names(const crd_cli_run *runs, int64_t count, char which)
{
    crd_text names = {0};
    for (int64_t i = 0; i < count; i++) {
        const char *name = name_of(&runs[i], which), *title = title_of(&runs[i], which);
        bool again = false, both = strcmp(name, title) != 0;
        for (int64_t j = 0; j < i && !again; j++)
            again = strcmp(name_of(&runs[j], which), name) == 0 && strcmp(title_of(&runs[j], which), title) == 0;
        if (!again)
            crd_text_format(&names, "%s%s%s%s%s", names.length > 0 ? ", " : "", name, both ? " (" : "",
                            both ? title : "", both ? ")" : "");
    }
    return crd_cli_take_text(&names);
}

char *crd_cli_missing_name(const crd_cli_run *runs, int64_t count, char which, const char *list)
{
    for (const char *item = list; item != NULL;) {
        size_t length = which == 'm' ? strlen(item) : strcspn(item, ",");
        bool found = false;
        for (int64_t i = 0; i < count && !found; i++) found = has_name(&runs[i], which, item, length);
        if (!found) {
            char *names = all_names(runs, count, which);
            char *problem =
                crd_cli_text("there is no run %s '%.*s'%s%s",
                             which == 't'   ? "of task"
                             : which == 'd' ? "on data"
                                            : "of model",
                             (int)length, item, count == 0 ? ": there are no runs at all" : "; there are: ", names);
            free(names);
            return problem;
        }
        item = item[length] == '\0' ? NULL : item + length + 1;
    }
    return NULL;
}

/* Names the number of left-out classes if it differs within the table. Always says if these classes were not in the
 * training graph. */
char *crd_cli_block_title(const crd_cli_summary *summary, const crd_cli_row *row)
{
    const crd_cli_run *like = row->like;
    bool differs = false;
    for (int64_t i = 0; i < summary->rows; i++) {
        const crd_cli_run *other = summary->row[i].like;
        differs = differs || (other->left_out != like->left_out && strcmp(other->task, like->task) == 0 &&
                              strcmp(other->data, like->data) == 0);
    }
    if (!differs || like->left_out < 0) return crd_cli_text("%s%s", like->title, like->inductive ? " (inductive)" : "");
    return crd_cli_text("%s (%lld class%s left out%s)", like->title, (long long)like->left_out,
                        like->left_out == 1 ? "" : "es", like->inductive ? ", inductive" : "");
}

/* ---- numbers ---- */

/* The columns of tables: the paths of their numbers in a run's metrics. */
static const struct {
    const char *name, *ood, *failures; /* NULL: the task has no such number */
} places[] = {
    {"id_acc", "id_accuracy", "accuracy"},
    {"auroc_alea", "ood.aleatoric.auroc", "misclassification.aleatoric.auroc"},
    {"auroc_epi", "ood.epistemic.auroc", "misclassification.epistemic.auroc"},
    {"auroc_epi_wo", "ood.epistemic_features.auroc", NULL},
    {"aupr_alea", "ood.aleatoric.aupr", "misclassification.aleatoric.aupr_error"},
    {"aupr_epi", "ood.epistemic.aupr", "misclassification.epistemic.aupr_error"},
    {"aupr_epi_wo", "ood.epistemic_features.aupr", NULL},
    {"aupr_success_alea", NULL, "misclassification.aleatoric.aupr_success"},
    {"aupr_success_epi", NULL, "misclassification.epistemic.aupr_success"},
};
enum { PLACES = sizeof places / sizeof places[0] };

static const crd_cli_column ood_columns[CRD_CLI_COLUMNS] = {{"id_acc", "", "ID-ACC"},
                                                            {"auroc_alea", "AUROC", "aleatoric"},
                                                            {"auroc_epi", "AUROC", "epistemic"},
                                                            {"auroc_epi_wo", "AUROC", "w/o network"},
                                                            {"aupr_alea", "AUPR", "aleatoric"},
                                                            {"aupr_epi", "AUPR", "epistemic"},
                                                            {"aupr_epi_wo", "AUPR", "w/o network"}};
static const crd_cli_column failure_columns[CRD_CLI_COLUMNS] = {{"id_acc", "", "accuracy"},
                                                                {"auroc_alea", "AUROC", "aleatoric"},
                                                                {"auroc_epi", "AUROC", "epistemic"},
                                                                {"aupr_alea", "AUPR-error", "aleatoric"},
                                                                {"aupr_epi", "AUPR-error", "epistemic"},
                                                                {"aupr_success_alea", "AUPR-success", "aleatoric"},
                                                                {"aupr_success_epi", "AUPR-success", "epistemic"}};

/* Whether the last part of a path is one of these words. */
static bool ends_in(const char *metric, const char *const *words)
{
    const char *last = strrchr(metric, '.');
    last = last == NULL ? metric : last + 1;
    for (; *words != NULL; words++)
        if (strcmp(last, *words) == 0) return true;
    return false;
}

bool crd_cli_is_percent(const char *metric)
{
    static const char *const plain[] = {
        "nll",        "brier",   "nodes",         "positives",   "ece_bins", "epochs",
        "best_epoch", "seconds", "edges_removed", "edges_added", "amount",   "validation_cross_entropy",
        NULL};
    return strncmp(metric, "config.", 7) != 0 && !ends_in(metric, plain);
}

bool crd_cli_is_loss(const char *metric)
{
    static const char *const losses[] = {
        "nll", "brier", "ece", "fpr95", "aurc", "epochs", "seconds", "validation_cross_entropy", NULL};
    return ends_in(metric, losses);
}

double crd_cli_run_number(const crd_cli_run *run, const char *metric)
{
    const json_t *metrics = json_object_get(run->line, "metrics");
    const char *task = crd_cli_json_string_at(metrics, "task"), *path = metric;
    bool failures = task != NULL && strcmp(task, "misclassification") == 0, column = false;
    for (int p = 0; p < PLACES && !column; p++)
        if (strcmp(places[p].name, metric) == 0) {
            path = failures ? places[p].failures : places[p].ood;
            column = true;
        }
    if (path == NULL) return NAN;
    double number = crd_cli_json_number_at(metrics, path);
    /* If the nodes to find are not those of left-out classes, their kind is the name of the group. */
    if (isnan(number) && column && task != NULL && strncmp(path, "ood.", 4) == 0)
        number = crd_cli_json_number_at(json_object_get(metrics, task), path + 4);
    if (isnan(number)) number = crd_cli_json_number_at(run->line, path);
    return number * (crd_cli_is_percent(path) ? 100.0 : 1.0);
}

char *crd_cli_missing_metric(const crd_cli_run *runs, int64_t count, const char *metric)
{
    for (int64_t i = 0; i < count; i++)
        if (!isnan(crd_cli_run_number(&runs[i], metric))) return NULL;
    crd_text problem = {0};
    crd_text_format(&problem, "no run has the metric '%s'; metrics are ", metric);
    for (int p = 0; p < PLACES; p++) crd_text_format(&problem, "%s, ", places[p].name);
    crd_text_add(&problem, "and places in the runs' metrics, as ood.epistemic.fpr95");
    return crd_cli_take_text(&problem);
}

/* ---- rows ---- */

/* Sorts runs by row, and within a row as they came: pointers into one array keep its order. */
static int compare_rows(const void *a, const void *b)
{
    const crd_cli_run *left = *(const crd_cli_run *const *)a, *right = *(const crd_cli_run *const *)b;
    int order = by_row(left, right);
    return order != 0 ? order : (left > right) - (left < right);
}

static int compare_seeds(const void *a, const void *b)
{
    const crd_cli_run *left = *(const crd_cli_run *const *)a, *right = *(const crd_cli_run *const *)b;
    if (left->seed != right->seed) return left->seed < right->seed ? -1 : 1;
    return (left > right) - (left < right);
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
    const crd_cli_run *last = run[count - 1];
    for (int64_t i = count - 1; i >= 0 && last->failed; i--)
        if (!run[i]->failed) last = run[i];
    int64_t kept = 0, seeds = 0;
    for (int64_t i = 0; i < count; i++)
        if (alike(run[i], last)) run[kept++] = run[i];
    *passed_over = count - kept;
    qsort(run, (size_t)kept, sizeof *run, compare_seeds);
    for (int64_t i = 0; i < kept; i++) {
        bool again = seeds > 0 && run[seeds - 1]->seed == run[i]->seed;
        if (!again) run[seeds++] = run[i];
        else if (!run[i]->failed || run[seeds - 1]->failed) run[seeds - 1] = run[i];
    }
    return seeds;
}

static crd_cli_cell cell_of(const crd_cli_run *const *run, int64_t count, const char *metric)
{
    crd_cli_cell cell = {.mean = NAN, .sd = NAN};
    double sum = 0.0, squares = 0.0;
    for (int64_t i = 0; i < count; i++) {
        double number = crd_cli_run_number(run[i], metric);
        if (isnan(number)) continue;
        sum += number;
        cell.runs++;
    }
    if (cell.runs == 0) return cell;
    cell.mean = sum / (double)cell.runs;
    for (int64_t i = 0; i < count; i++) {
        double away = crd_cli_run_number(run[i], metric) - cell.mean;
        if (!isnan(away)) squares += away * away;
    }
    if (cell.runs > 1) cell.sd = sqrt(squares / (double)(cell.runs - 1));
    return cell;
}

static void make_row(crd_cli_summary *summary, int64_t first, int64_t end)
{
    const crd_cli_run **run = summary->run + first;
    crd_cli_row *row = &summary->row[summary->rows++];
    *row = (crd_cli_row){.first = first};
    int64_t kept = keep_last(run, end - first, &row->passed_over);
    row->like = run[0];
    /* Moves successful runs to the front; they stay sorted by seed. */
    for (int64_t i = 0; i < kept; i++) {
        if (run[i]->failed) row->failed++;
        else run[row->runs++] = run[i];
    }
    if (row->runs > 0) row->like = run[0];
    row->title = crd_cli_model_title(row->like);
    const char *task = crd_cli_json_string_at(row->like->line, "metrics.task");
    bool failures = strcmp(task != NULL ? task : row->like->task, "misclassification") == 0;
    row->column = failures ? failure_columns : ood_columns;
    for (int c = 0; c < CRD_CLI_COLUMNS; c++) row->cell[c] = cell_of(run, row->runs, row->column[c].metric);
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

void crd_cli_summary_make(crd_cli_summary *summary, const crd_cli_run *runs, int64_t count, const char *tasks,
                          const char *data)
{
    const crd_cli_run **run = crd_cli_allocate(NULL, (size_t)count * sizeof *run);
    int64_t wanted = 0;
    *summary = (crd_cli_summary){.run = run};
    for (int64_t i = 0; i < count; i++)
        if (is_listed(&runs[i], 't', tasks) && is_listed(&runs[i], 'd', data)) run[wanted++] = &runs[i];
    if (wanted > 1) qsort(run, (size_t)wanted, sizeof *run, compare_rows);
    summary->row = crd_cli_allocate(NULL, (size_t)wanted * sizeof *summary->row);
    for (int64_t first = 0, end; first < wanted; first = end) {
        for (end = first + 1; end < wanted && by_row(run[first], run[end]) == 0;) end++;
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
