/* SPDX-License-Identifier: MIT */
/* Tables of runs, and pairs of models whose runs are compared, as text, Markdown, CSV and JSON. */
#include "runs/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ENOUGH_PAIRS = 6 }; /* fewer tell little */

const char *crd_cli_task_title(const char *task)
{
    const crd_cli_entry *found = crd_cli_find(crd_cli_tasks, task);
    return found != NULL ? found->title : task;
}

/* The name of a row's data: their title. Names the number of left-out classes if it differs within the table. Always
 * says if these classes were not in the training graph. The caller frees it. */
static char *block_title(const crd_cli_summary *summary, const crd_cli_row *row)
{
    const crd_cli_run *like = row->like;
    const char *inductive = like->inductive ? ", inductive" : "";
    bool differs = false;
    if (like->left_out_each) return crd_cli_text("%s (each class left out in turn%s)", like->title, inductive);
    if (like->left_out_classes != NULL)
        return crd_cli_text("%s (%s left out%s)", like->title, like->left_out_classes, inductive);
    for (int64_t i = 0; i < summary->rows; i++) {
        const crd_cli_run *other = summary->row[i].like;
        differs = differs || (other->left_out != like->left_out && strcmp(other->task, like->task) == 0 &&
                              strcmp(other->data, like->data) == 0);
    }
    if (!differs || like->left_out < 0) return crd_cli_text("%s%s", like->title, like->inductive ? " (inductive)" : "");
    return crd_cli_text("%s (%lld class%s left out%s)", like->title, (long long)like->left_out,
                        like->left_out == 1 ? "" : "es", inductive);
}

/* The fields that identify a row's block. */
static json_t *block_of(const crd_cli_summary *summary, const crd_cli_row *row)
{
    const crd_cli_run *like = row->like;
    char *label = block_title(summary, row);
    json_t *block = crd_cli_json_new(
        "task", json_string(like->task), "data", json_string(like->data), "title", json_string(like->title), "label",
        json_string(label), "shift", like->shift == NULL ? NULL : json_string(like->shift), "left_out",
        like->left_out < 0 ? NULL : json_integer(like->left_out), "inductive", json_boolean(like->inductive), NULL);
    if (like->left_out_each || like->left_out_classes != NULL)
        crd_cli_json_set(block, "left_out_classes", json_string(like->left_out_each ? "each" : like->left_out_classes));
    free(label);
    return block;
}

/* A cell's mean and deviation. Marks the best of a block, and numbers from fewer runs than others. */
static void add_cell(crd_cli_table *table, const crd_cli_row *row, int column, bool markdown)
{
    const crd_cli_cell *cell = &row->cell[column];
    const char *before = !cell->best ? "" : markdown ? "**" : ">", *after = cell->best && markdown ? "**" : "";
    const char *star = cell->fewer ? "*" : "";
    if (cell->runs == 0) crd_cli_table_add(table, row->runs == 0 ? "failed" : "n.a.");
    else if (!isnan(cell->worst))
        crd_cli_table_add(table, "%s%.2f (%.2f)%s%s", before, cell->mean, cell->worst, after, star);
    else if (isnan(cell->sd)) crd_cli_table_add(table, "%s%.2f%s%s", before, cell->mean, after, star);
    else crd_cli_table_add(table, "%s%.2f ±%.2f%s%s", before, cell->mean, cell->sd, after, star);
}

/* "CoraML, dice:0.1:all, 10 runs each (1 failed)"; the caller frees it. */
static char *block_name(const crd_cli_summary *summary, int64_t first, int64_t end)
{
    const crd_cli_row *row = summary->row;
    char *title = block_title(summary, &row[first]);
    const char *shift = row[first].like->shift;
    int64_t runs = 0, failed = 0;
    for (int64_t i = first; i < end; i++) {
        if (row[i].runs > runs) runs = row[i].runs;
        failed += row[i].failed;
    }
    char *failures = failed > 0 ? crd_cli_text(" (%lld failed)", (long long)failed) : crd_cli_text("%s", "");
    char *name = crd_cli_text("%s%s%s, %lld run%s each%s", title, shift == NULL ? "" : ", ", shift == NULL ? "" : shift,
                              (long long)runs, runs == 1 ? "" : "s", failures);
    char *shown = crd_cli_printable(name);
    free(failures);
    free(name);
    free(title);
    return shown;
}

static void print_markdown(FILE *stream, const char *name)
{
    for (; *name != '\0'; name++) {
        char c = (unsigned char)*name < 0x20 ? ' ' : *name;
        fprintf(stream, "%s%c", strchr("|\\`_<", c) != NULL ? "\\" : "", c);
    }
}

/* Prints a table, as Markdown or for a terminal, and frees it. */
static void show_table(crd_cli_table *table, FILE *stream, bool markdown)
{
    if (!markdown) {
        crd_cli_table_print(table, stream);
        return;
    }
    for (int i = 0; i < table->cells; i++) {
        int column = i % table->columns;
        fputs(column == 0 ? "| " : " | ", stream);
        print_markdown(stream, table->cell[i]);
        free(table->cell[i]);
        if (column < table->columns - 1) continue;
        fputs(" |\n", stream);
        for (int c = 0; c < table->columns && i < table->columns; c++)
            fputs(c <= table->left_columns ? "|:--" : "|--:", stream);
        if (i < table->columns) fputs("|\n", stream);
    }
    free(table->cell);
}

static void print_block(const crd_cli_summary *summary, int64_t first, int64_t end, FILE *stream, bool markdown)
{
    crd_cli_table table = {.columns = 1 + CRD_CLI_COLUMNS, .heading = true};
    char *name = block_name(summary, first, end);
    fputs("\n", stream);
    if (markdown) print_markdown(stream, name);
    else fputs(name, stream);
    fputs(markdown ? "\n\n" : "\n", stream);
    crd_cli_table_add(&table, "model");
    for (int c = 0; c < CRD_CLI_COLUMNS; c++)
        crd_cli_table_add(&table, "%s", crd_cli_metric_at(summary->row[first].kind, c)->name);
    for (int64_t i = first; i < end; i++) {
        crd_cli_table_add(&table, "%s", summary->row[i].title);
        for (int c = 0; c < CRD_CLI_COLUMNS; c++) add_cell(&table, &summary->row[i], c, markdown);
    }
    show_table(&table, stream, markdown);
    free(name);
}

void crd_cli_summary_print(const crd_cli_summary *summary, const char *set, FILE *stream, bool markdown)
{
    bool fewer = false, each = false;
    for (int64_t first = 0, end; first < summary->rows; first = end) {
        const char *task = summary->row[first].like->task;
        bool new_task = first == 0 || strcmp(summary->row[first - 1].like->task, task) != 0;
        char *title = crd_cli_printable(crd_cli_task_title(task));
        end = crd_cli_block_end(summary, first);
        each = each || summary->row[first].like->left_out_each;
        if (new_task) fprintf(stream, "%s%s%s\n", first > 0 ? "\n" : "", markdown ? "## " : "", title);
        print_block(summary, first, end, stream, markdown);
        for (int64_t i = first; i < end; i++)
            for (int c = 0; c < CRD_CLI_COLUMNS; c++) fewer = fewer || summary->row[i].cell[c].fewer;
        free(title);
    }
    fprintf(stream, "\nPercent, mean ±standard deviation; %s: the best of its block.%s\n", markdown ? "bold" : ">",
            fewer ? " *: of fewer runs than others." : "");
    if (each)
        fprintf(stream,
                "%sWhere each class is left out in turn: the mean over classes, and in brackets the worst class.\n",
                markdown ? "\n" : "");
    if (set != NULL) fprintf(stream, "%sOptions set: %s\n", markdown ? "\n" : "", set);
}

/* ---- CSV and JSON ---- */

static json_t *cell_json(const crd_cli_cell *cell)
{
    json_t *json = crd_cli_json_new("mean", crd_cli_json_rounded(cell->mean), "sd", crd_cli_json_rounded(cell->sd),
                                    "runs", json_integer(cell->runs), "fewer_runs", json_boolean(cell->fewer), "best",
                                    json_boolean(cell->best), NULL);
    if (!isnan(cell->worst)) crd_cli_json_set(json, "worst", crd_cli_json_rounded(cell->worst));
    return json;
}

char *crd_cli_summary_csv(const crd_cli_summary *summary)
{
    json_t *lines = json_array();
    for (const crd_cli_row *row = summary->row; row < summary->row + summary->rows; row++)
        for (int c = 0; c < CRD_CLI_COLUMNS; c++) {
            json_t *line = block_of(summary, row);
            crd_cli_json_add(line, "model", json_string(row->title), "metric",
                             json_string(crd_cli_metric_at(row->kind, c)->name), "cell", cell_json(&row->cell[c]),
                             NULL);
            crd_cli_json_append(lines, line);
        }
    return crd_cli_json_csv(lines, "task,data=label,shift,model,metric,mean=cell.mean,sd=cell.sd,runs=cell.runs");
}

json_t *crd_cli_block_json(const crd_cli_summary *summary, int64_t first, int64_t end)
{
    json_t *block = block_of(summary, &summary->row[first]), *rows = json_array();
    for (const crd_cli_row *row = &summary->row[first]; row < &summary->row[end]; row++) {
        json_t *cells = json_object();
        for (int c = 0; c < CRD_CLI_COLUMNS; c++)
            crd_cli_json_set(cells, crd_cli_metric_at(row->kind, c)->name, cell_json(&row->cell[c]));
        crd_cli_json_append(rows, crd_cli_json_new("model", json_string(row->like->model), "title",
                                                   json_string(row->title), "runs", json_integer(row->runs), "failed",
                                                   json_integer(row->failed), "cells", cells, NULL));
    }
    crd_cli_json_set(block, "rows", rows);
    return block;
}

/* ---- pairing ---- */

int64_t crd_cli_rows_compare(const crd_cli_summary *summary, const crd_cli_row *a, const crd_cli_row *b,
                             const char *metric, uint64_t seed, json_t *object)
{
    if (!crd_cli_json_same(a->like->line, b->like->line, "split")) return 0;
    if (!crd_cli_json_same(a->like->line, b->like->line, "fingerprint")) return 0;
    double *left = crd_cli_allocate(NULL, (size_t)a->runs * sizeof *left);
    double *right = crd_cli_allocate(NULL, (size_t)a->runs * sizeof *right);
    const crd_cli_run *const *run_a = summary->run + a->first, *const *run_b = summary->run + b->first;
    crd_comparison comparison;
    crd_error error;
    int64_t count = 0;
    for (int64_t i = 0, j = 0; i < a->runs && j < b->runs;) { /* both are sorted by partner */
        const int order = crd_cli_by_partner(run_a[i], run_b[j]);
        if (order == 0) {
            left[count] = crd_cli_run_number(run_a[i++], metric);
            right[count++] = crd_cli_run_number(run_b[j++], metric);
        } else if (order < 0) {
            i++;
        } else {
            j++;
        }
    }
    if (count > 0 && crd_compare(left, right, count, seed, &comparison, &error) != CRD_OK) exit(crd_cli_fail(&error));
    free(left);
    free(right);
    if (count == 0) return 0;
    const crd_comparison *c = &comparison;
    const bool loss = crd_cli_is_loss(metric); /* won by the smaller number */
    crd_cli_json_add(object, "pairs", json_integer(c->pairs), "mean_a", crd_cli_json_rounded(c->mean_a), "mean_b",
                     crd_cli_json_rounded(c->mean_b), "difference", crd_cli_json_rounded(c->difference), "low",
                     crd_cli_json_rounded(c->low), "high", crd_cli_json_rounded(c->high), "wilcoxon_p",
                     crd_cli_json_rounded(c->wilcoxon_p), "sign_p", crd_cli_json_rounded(c->sign_p), "wins",
                     json_integer(loss ? c->losses : c->wins), "ties", json_integer(c->ties), "losses",
                     json_integer(loss ? c->wins : c->losses), NULL);
    return count;
}

/* The row of a block with the best mean; NULL if none has the metric. */
static const crd_cli_row *best_row(const crd_cli_summary *summary, int64_t first, int64_t end, const char *metric)
{
    const crd_cli_row *best = NULL;
    double most = -INFINITY;
    for (int64_t i = first; i < end; i++) {
        double mean = crd_cli_cell_of(summary, &summary->row[i], metric).mean;
        if (crd_cli_is_loss(metric)) mean = -mean;
        if (isnan(mean) || mean <= most) continue;
        most = mean;
        best = &summary->row[i];
    }
    return best;
}

static int64_t pairs_of(const json_t *item)
{
    return json_integer_value(json_object_get(item, "pairs"));
}

static bool several_graphs(const crd_cli_summary *summary)
{
    for (int64_t i = 1; i < summary->rows; i++)
        if (strcmp(summary->row[i].like->data, summary->row[0].like->data) != 0) return true;
    return false;
}

/* Remembers that a row was not compared with another, and why; once for each model and graph. */
static void skip(crd_cli_differences *d, const crd_cli_row *a, const crd_cli_row *b)
{
    const bool several = several_graphs(d->summary);
    const char *graph = several ? a->like->title : "", *after = several ? ", " : "";
    const bool a_lacks = isnan(crd_cli_cell_of(d->summary, a, d->metric).mean);
    const bool lacks = a_lacks || isnan(crd_cli_cell_of(d->summary, b, d->metric).mean);
    char *text = lacks ? crd_cli_text("%s%s%s: it has no %s", graph, after, a_lacks ? a->title : b->title, d->metric)
                       : crd_cli_text("%s%s%s against %s: they have no split and seed in common", graph, after,
                                      a->title, b->title);
    size_t i;
    json_t *known;
    json_array_foreach(d->skipped, i, known) if (strcmp(json_string_value(known), text) == 0) break;
    if (i == json_array_size(d->skipped)) crd_cli_json_append(d->skipped, crd_cli_json_string(text));
    free(text);
}

/* Adds the difference of two rows of a block, if it has pairs. If models are not named, those without the metric are
 * skipped. */
static void add_difference(crd_cli_differences *d, const crd_cli_row *a, const crd_cli_row *b)
{
    const bool both = d->a != NULL && d->b != NULL;
    json_t *item = block_of(d->summary, a);
    crd_cli_json_add(item, "a", json_string(a->title), "b", json_string(b->title), "metric", json_string(d->metric),
                     NULL);
    int64_t pairs = crd_cli_rows_compare(d->summary, a, b, d->metric, d->seed, item);
    if (both) d->unpaired -= 2 * pairs;
    if (!both && pairs_of(item) == 0) skip(d, a, b);
    if (pairs > 0 && (both || pairs_of(item) > 0)) crd_cli_json_append(d->list, item);
    else json_decref(item);
}

/* Compares rows of a block: those that are named, or the best with all others. */
static void compare_block(crd_cli_differences *d, int64_t first, int64_t end)
{
    const bool both = d->a != NULL && d->b != NULL;
    const crd_cli_row *best = d->a == NULL && d->b == NULL ? best_row(d->summary, first, end, d->metric) : NULL;
    for (int64_t i = first; i < end; i++) {
        const crd_cli_row *a = &d->summary->row[i];
        bool is_a = d->a != NULL ? crd_cli_run_is(a->like, 'm', d->a) : d->b != NULL || a == best;
        if (both && (is_a || crd_cli_run_is(a->like, 'm', d->b))) d->unpaired += a->runs;
        d->passed_over += a->passed_over;
        for (int64_t j = first; j < end && is_a; j++) {
            const crd_cli_row *b = &d->summary->row[j];
            if (i != j && (d->b == NULL || crd_cli_run_is(b->like, 'm', d->b))) add_difference(d, a, b);
        }
    }
}

/* The reason why nothing was compared; NULL: that is no error. */
static char *nothing_compared(const crd_cli_differences *d, const crd_cli_run *runs, int64_t count)
{
    for (size_t i = 0; i < json_array_size(d->list); i++)
        if (pairs_of(json_array_get(d->list, i)) > 0) return NULL;
    if (d->a == NULL && d->b == NULL && !d->metric_given) return NULL;
    char *problem = crd_cli_missing_metric(runs, count, d->metric);
    if (problem != NULL || d->a == NULL || d->b == NULL) return problem;
    if (json_array_size(d->list) == 0)
        return crd_cli_text("no run of '%s' has a partner of '%s' on the same data, split, left-out classes "
                            "and seed",
                            d->a, d->b);
    return crd_cli_text("no pair of runs of '%s' and '%s' has the metric '%s' on both sides", d->a, d->b, d->metric);
}

char *crd_cli_differences_make(crd_cli_differences *d, const crd_cli_run *runs, int64_t count)
{
    char *problem = d->a == NULL ? NULL : crd_cli_missing_name(runs, count, 'm', d->a);
    if (problem == NULL && d->b != NULL) problem = crd_cli_missing_name(runs, count, 'm', d->b);
    if (problem != NULL) return problem;
    d->list = json_array();
    d->skipped = json_array();
    for (int64_t first = 0, end; first < d->summary->rows; first = end) {
        end = crd_cli_block_end(d->summary, first);
        compare_block(d, first, end);
    }
    if (d->unpaired < 0) d->unpaired = 0; /* a name of several rows */
    return nothing_compared(d, runs, count);
}

/* ---- texts ---- */

static void add_chance(crd_cli_table *table, double chance)
{
    if (chance < 0.0001) crd_cli_table_add(table, "<0.0001");
    else crd_cli_table_add_number(table, 4, chance);
}

static void add_row(crd_cli_table *table, const json_t *item, int digits, bool shifts)
{
    const char *shift = crd_cli_json_string_at(item, "shift");
    const double difference = crd_cli_json_number_at(item, "difference");
    const double low = crd_cli_json_number_at(item, "low"), high = crd_cli_json_number_at(item, "high");
    crd_cli_table_add(table, "%s", crd_cli_json_string_at(item, "label"));
    if (shifts) crd_cli_table_add(table, "%s", shift == NULL ? "" : shift);
    crd_cli_table_add(table, "%s", crd_cli_json_string_at(item, "a"));
    crd_cli_table_add(table, "%s", crd_cli_json_string_at(item, "b"));
    crd_cli_table_add(table, "%lld", (long long)pairs_of(item));
    crd_cli_table_add_number(table, digits, crd_cli_json_number_at(item, "mean_a"));
    crd_cli_table_add_number(table, digits, crd_cli_json_number_at(item, "mean_b"));
    char *text = crd_cli_text("%+.*f", digits, difference);
    if (strtod(text, NULL) == 0.0) text[0] = '+'; /* not "-0.00" */
    crd_cli_table_add(table, "%s", isnan(difference) ? "n.a." : text);
    free(text);
    if (isnan(low)) crd_cli_table_add(table, "n.a.");
    else crd_cli_table_add(table, "[%.*f, %.*f]", digits, low, digits, high);
    add_chance(table, crd_cli_json_number_at(item, "wilcoxon_p"));
    add_chance(table, crd_cli_json_number_at(item, "sign_p"));
    crd_cli_table_add(table, "%.0f/%.0f/%.0f", crd_cli_json_number_at(item, "wins"),
                      crd_cli_json_number_at(item, "ties"), crd_cli_json_number_at(item, "losses"));
}

static void print_differences(const crd_cli_differences *d, const char *metric, FILE *stream, bool markdown)
{
    bool few = false, shifts = false;
    size_t i;
    json_t *item;
    json_array_foreach(d->list, i, item)
    {
        few = few || pairs_of(item) < ENOUGH_PAIRS;
        shifts = shifts || crd_cli_json_string_at(item, "shift") != NULL;
    }
    crd_cli_table table = {.columns = 11 + shifts, .left_columns = 2 + shifts};
    crd_cli_table_head(&table, shifts ? "data|shift" : "data");
    crd_cli_table_head(&table, "model|against|pairs|mean|its mean|difference|95 %% interval|Wilcoxon p|sign p|"
                               "won/tied/lost");
    json_array_foreach(d->list, i, item) add_row(&table, item, crd_cli_is_percent(metric) ? 2 : 4, shifts);
    fprintf(stream, "\nPaired differences in %s%s%s\n\n", metric, crd_cli_is_percent(metric) ? ", percent" : "",
            crd_cli_is_loss(metric) ? ", less is better" : "");
    show_table(&table, stream, markdown);
    if (few) fputs("\nDo not trust intervals of fewer than 6 pairs; no p-value of so few is below 0.05.\n", stream);
}

void crd_cli_differences_print(const crd_cli_differences *d, FILE *stream, bool markdown)
{
    char *metric = crd_cli_printable(d->metric);
    size_t i;
    json_t *item;
    if (json_array_size(d->list) > 0) print_differences(d, metric, stream, markdown);
    json_array_foreach(d->skipped, i, item)
    {
        char *text = crd_cli_printable(json_string_value(item));
        fprintf(stream, "\nNot among the differences: %s.\n", text);
        free(text);
    }
    free(metric);
}
