#include "runs/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *crd_cli_task_title(const char *task)
{
    const crd_cli_entry *found = crd_cli_find(crd_cli_tasks, task);
    return found != NULL ? found->title : task;
}

/* A cell's mean and deviation. Marks the best of a block, and numbers from fewer runs than others. */
static void add_cell(crd_cli_table *table, const crd_cli_row *row, int column, bool markdown)
{
    const crd_cli_cell *cell = &row->cell[column];
    const char *before = !cell->best ? "" : markdown ? "**" : ">", *after = cell->best && markdown ? "**" : "";
    const char *star = cell->fewer ? "*" : "";
    if (cell->runs == 0) crd_cli_table_add(table, row->runs == 0 ? "failed" : "n.a.");
    else if (isnan(cell->sd)) crd_cli_table_add(table, "%s%.2f%s%s", before, cell->mean, after, star);
    else crd_cli_table_add(table, "%s%.2f ±%.2f%s%s", before, cell->mean, cell->sd, after, star);
}

/* "CoraML, dice:0.1:all, 10 runs each (1 failed)"; the caller frees it. */
static char *block_name(const crd_cli_summary *summary, int64_t first, int64_t end)
{
    const crd_cli_row *row = summary->row;
    char *title = crd_cli_block_title(summary, &row[first]);
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

void crd_cli_show_table(crd_cli_table *table, FILE *stream, bool markdown)
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
    crd_cli_show_table(&table, stream, markdown);
    free(name);
}

void crd_cli_summary_print(const crd_cli_summary *summary, const char *set, FILE *stream, bool markdown)
{
    bool fewer = false;
    for (int64_t first = 0, end; first < summary->rows; first = end) {
        const char *task = summary->row[first].like->task;
        bool new_task = first == 0 || strcmp(summary->row[first - 1].like->task, task) != 0;
        char *title = crd_cli_printable(crd_cli_task_title(task));
        end = crd_cli_block_end(summary, first);
        if (new_task) fprintf(stream, "%s%s%s\n", first > 0 ? "\n" : "", markdown ? "## " : "", title);
        print_block(summary, first, end, stream, markdown);
        for (int64_t i = first; i < end; i++)
            for (int c = 0; c < CRD_CLI_COLUMNS; c++) fewer = fewer || summary->row[i].cell[c].fewer;
        free(title);
    }
    fprintf(stream, "\nPercent, mean ±standard deviation; %s: the best of its block.%s\n", markdown ? "bold" : ">",
            fewer ? " *: of fewer runs than others." : "");
    if (set != NULL) fprintf(stream, "%sOptions set: %s\n", markdown ? "\n" : "", set);
}

char *crd_cli_summary_csv(const crd_cli_summary *summary)
{
    json_t *lines = json_array();
    for (int64_t i = 0; i < summary->rows; i++)
        for (int c = 0; c < CRD_CLI_COLUMNS; c++) {
            const crd_cli_row *row = &summary->row[i];
            const crd_cli_cell *cell = &row->cell[c];
            json_t *line = crd_cli_block_of(summary, row);
            crd_cli_json_add(line, "model", json_string(row->title), "metric",
                             json_string(crd_cli_metric_at(row->kind, c)->name), "mean",
                             crd_cli_json_rounded(cell->mean), "sd", crd_cli_json_rounded(cell->sd), "runs",
                             json_integer(cell->runs), NULL);
            crd_cli_json_append(lines, line);
        }
    return crd_cli_json_csv(lines, "task,data=label,shift,model,metric,mean,sd,runs");
}

/* ---- JSON ---- */

static json_t *row_json(const crd_cli_row *row)
{
    json_t *cells = json_object();
    for (int c = 0; c < CRD_CLI_COLUMNS; c++) {
        const crd_cli_cell *cell = &row->cell[c];
        json_t *item = crd_cli_json_new("mean", crd_cli_json_rounded(cell->mean), "sd", crd_cli_json_rounded(cell->sd),
                                        "runs", json_integer(cell->runs), "fewer_runs", json_boolean(cell->fewer),
                                        "best", json_boolean(cell->best), NULL);
        crd_cli_json_set(cells, crd_cli_metric_at(row->kind, c)->name, item);
    }
    return crd_cli_json_new("model", json_string(row->like->model), "title", json_string(row->title), "runs",
                            json_integer(row->runs), "failed", json_integer(row->failed), "cells", cells, NULL);
}

json_t *crd_cli_block_of(const crd_cli_summary *summary, const crd_cli_row *row)
{
    const crd_cli_run *like = row->like;
    char *label = crd_cli_block_title(summary, row);
    json_t *block = crd_cli_json_new(
        "task", json_string(like->task), "data", json_string(like->data), "title", json_string(like->title), "label",
        json_string(label), "shift", like->shift == NULL ? NULL : json_string(like->shift), "left_out",
        like->left_out < 0 ? NULL : json_integer(like->left_out), "inductive", json_boolean(like->inductive), NULL);
    free(label);
    return block;
}

json_t *crd_cli_block_json(const crd_cli_summary *summary, int64_t first, int64_t end)
{
    json_t *block = crd_cli_block_of(summary, &summary->row[first]), *rows = json_array();
    for (int64_t i = first; i < end; i++) crd_cli_json_append(rows, row_json(&summary->row[i]));
    crd_cli_json_set(block, "rows", rows);
    return block;
}
