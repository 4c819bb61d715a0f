#include "lab/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "credence_private.h"
#include "public_graphs.h"

int crd_lab_read(crd_lab_runs *runs, const char *place)
{
    struct stat facts;
    if (stat(place, &facts) != 0 || !S_ISDIR(facts.st_mode)) return crd_lab_runs_read(runs, place);
    char *path = crd_cli_text("%s/runs.jsonl", place);
    int code = crd_lab_runs_read(runs, path);
    free(path);
    return code;
}

bool crd_lab_same_block(const crd_lab_row *a, const crd_lab_row *b)
{
    return crd_lab_block_order(a->like, b->like) == 0;
}

bool crd_lab_same_table(const crd_lab_row *a, const crd_lab_row *b)
{
    return strcmp(a->like->task, b->like->task) == 0;
}

/* ---- which runs count ---- */

/* Runs row by row, and inside a row as they came: pointers into one array have its order. */
static int by_row(const void *a, const void *b)
{
    const crd_lab_run *left = *(const crd_lab_run *const *)a, *right = *(const crd_lab_run *const *)b;
    int order = crd_lab_row_order(left, right);
    return order != 0 ? order : (left > right) - (left < right);
}

static int by_seed(const void *a, const void *b)
{
    const crd_lab_run *left = *(const crd_lab_run *const *)a, *right = *(const crd_lab_run *const *)b;
    if (left->seed != right->seed) return left->seed < right->seed ? -1 : 1;
    return (left > right) - (left < right);
}

static bool same_field(const crd_lab_run *a, const crd_lab_run *b, const char *key)
{
    const json_t *left = json_object_get(a->line, key), *right = json_object_get(b->line, key);
    return left == right || json_equal(left, right);
}

/* Whether two runs of a row differ in nothing but the seed. */
static bool alike(const crd_lab_run *a, const crd_lab_run *b)
{
    const json_t *left = json_object_get(a->line, "config"), *right = json_object_get(b->line, "config");
    const char *key;
    json_t *value;
    if (!same_field(a, b, "split") || !same_field(a, b, "fingerprint")) return false;
    if (json_object_size(left) != json_object_size(right)) return false;
    json_object_foreach((json_t *)left, key, value) {
        const json_t *other = json_object_get(right, key);
        if (strcmp(key, "seed") != 0 && !json_equal(value, other)) return false;
    }
    return true;
}

/* Keeps the runs of a row that are like its last one (a good one, if there is any), one a seed. Returns how
 * many are left. */
static int64_t keep_last(const crd_lab_run **run, int64_t count, int64_t *passed_over)
{
    const crd_lab_run *last = run[count - 1];
    for (int64_t i = count - 1; i >= 0 && last->failed; i--)
        if (!run[i]->failed) last = run[i];
    int64_t kept = 0, seeds = 0;
    for (int64_t i = 0; i < count; i++)
        if (alike(run[i], last)) run[kept++] = run[i];
    *passed_over = count - kept;
    qsort(run, (size_t)kept, sizeof *run, by_seed);
    for (int64_t i = 0; i < kept; i++) {
        bool again = seeds > 0 && run[seeds - 1]->seed == run[i]->seed;
        if (!again) run[seeds++] = run[i];
        else if (!run[i]->failed || run[seeds - 1]->failed) run[seeds - 1] = run[i];
    }
    return seeds;
}

/* ---- the numbers ---- */

double crd_lab_as_shown(double number)
{
    char text[64];
    snprintf(text, sizeof text, "%.*f", CRD_LAB_DIGITS, number);
    return strtod(text, NULL) + 0.0; /* the sum of -0 and 0 is 0 */
}

static void fill_cell(crd_lab_cell *cell, const crd_lab_run *const *run, int64_t count, const char *metric)
{
    double sum = 0.0, squares = 0.0;
    *cell = (crd_lab_cell){.mean = NAN, .sd = NAN, .published = NAN, .difference = NAN};
    for (int64_t i = 0; i < count; i++) {
        double number = crd_lab_run_number(run[i], metric);
        if (isnan(number)) continue;
        sum += number;
        cell->runs++;
    }
    if (cell->runs == 0) return;
    cell->mean = sum / (double)cell->runs;
    for (int64_t i = 0; i < count; i++) {
        double away = crd_lab_run_number(run[i], metric) - cell->mean;
        if (!isnan(away)) squares += away * away;
    }
    if (cell->runs > 1) cell->sd = sqrt(squares / (double)(cell->runs - 1));
}

/* Whether a run is on a public graph, with the split and the left-out classes of the paper: other numbers
 * cannot be held against the published ones. */
static bool is_papers(const crd_lab_run *run)
{
    const crd_public_graph *known = crd_public_graph_find(run->data);
    const char *split = json_string_value(json_object_get(run->line, "split"));
    const bool all_classes = strcmp(run->task, "misclassification") == 0;
    return known != NULL && strcmp(known->title, run->title) == 0 && run->shift == NULL && split != NULL
           && strcmp(known->split, split) == 0 && run->left_out == (all_classes ? 0 : known->left_out);
}

/* The published choice of options is what the paper calls its own; somebody's own configuration is in no
 * paper, whatever its title. */
static const crd_lab_published *published_row(const crd_lab_row *row)
{
    if (!is_papers(row->like) || strcmp(row->like->model, "config") == 0) return NULL;
    const char *model = strcmp(row->like->model, "paper") == 0 ? "Ours" : row->model_title;
    return crd_lab_published_find(row->like->task, row->like->title, model);
}

crd_lab_cell crd_lab_row_cell(const crd_lab_summary *summary, const crd_lab_row *row, const char *metric)
{
    const crd_lab_published *published = published_row(row);
    crd_lab_column column = crd_lab_column_find(metric);
    crd_lab_cell cell;
    fill_cell(&cell, summary->run + row->first, row->runs, metric);
    if (published == NULL || column == CRD_LAB_COLUMNS) return cell;
    cell.published = published->number[column];
    if (cell.runs > 0 && !isnan(cell.published))
        cell.difference = crd_lab_as_shown(crd_lab_as_shown(cell.mean) - cell.published);
    return cell;
}

static void fill_row(const crd_lab_summary *summary, crd_lab_row *row)
{
    const json_t *metrics = json_object_get(row->like->line, "metrics");
    const char *task = json_string_value(json_object_get(metrics, "task"));
    row->model_title = crd_lab_run_model_title(row->like);
    row->failures = strcmp(task != NULL ? task : row->like->task, "misclassification") == 0;
    for (int c = 0; c < CRD_LAB_COLUMNS; c++)
        row->cell[c] = crd_lab_row_cell(summary, row, crd_lab_column_name((crd_lab_column)c));
}

/* Block by block, and inside a block in the order of models. */
static int by_block(const void *a, const void *b)
{
    const crd_lab_run *left = ((const crd_lab_row *)a)->like, *right = ((const crd_lab_row *)b)->like;
    int order = crd_lab_block_order(left, right);
    return order != 0 ? order : crd_lab_row_order(left, right);
}

static void mark(crd_lab_row *row, int64_t count)
{
    int64_t most = 0;
    for (int64_t i = 0; i < count; i++)
        if (row[i].runs > most) most = row[i].runs;
    for (int c = 0; c < CRD_LAB_COLUMNS; c++) {
        double largest = -INFINITY;
        for (int64_t i = 0; i < count; i++)
            if (row[i].cell[c].runs > 0) largest = fmax(largest, crd_lab_as_shown(row[i].cell[c].mean));
        for (int64_t i = 0; i < count; i++) {
            crd_lab_cell *cell = &row[i].cell[c];
            cell->best = cell->runs > 0 && crd_lab_as_shown(cell->mean) == largest;
            cell->fewer = cell->runs > 0 && cell->runs < most;
        }
    }
}

void crd_lab_summary_make(crd_lab_summary *summary, const crd_lab_run *runs, int64_t count,
                          const crd_lab_filter *filter)
{
    const crd_lab_run **run = crd_cli_allocate(NULL, (size_t)count * sizeof *run);
    int64_t wanted = 0;
    *summary = (crd_lab_summary){.run = run};
    for (int64_t i = 0; i < count; i++)
        if (filter == NULL || crd_lab_filtered(filter, &runs[i])) run[wanted++] = &runs[i];
    if (wanted > 1) qsort(run, (size_t)wanted, sizeof *run, by_row);
    summary->row = crd_cli_allocate(NULL, (size_t)wanted * sizeof *summary->row);
    for (int64_t first = 0, end; first < wanted; first = end) {
        for (end = first + 1; end < wanted && crd_lab_row_order(run[first], run[end]) == 0;) end++;
        crd_lab_row *row = &summary->row[summary->rows++];
        *row = (crd_lab_row){.first = first};
        int64_t kept = keep_last(run + first, end - first, &row->passed_over);
        row->like = run[first];
        /* Good runs to the front; they stay in the order of seeds. */
        for (int64_t i = 0; i < kept; i++) {
            if (run[first + i]->failed) row->failed++;
            else run[first + row->runs++] = run[first + i];
        }
        if (row->runs > 0) row->like = run[first];
        fill_row(summary, row);
    }
    if (summary->rows > 1) qsort(summary->row, (size_t)summary->rows, sizeof *summary->row, by_block);
    for (int64_t first = 0, end; first < summary->rows; first = end) {
        for (end = first + 1; end < summary->rows
                              && crd_lab_same_block(&summary->row[first], &summary->row[end]);)
            end++;
        mark(summary->row + first, end - first);
    }
}

void crd_lab_summary_free(crd_lab_summary *summary)
{
    free(summary->run);
    free(summary->row);
    *summary = (crd_lab_summary){0};
}
