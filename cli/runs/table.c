#include "runs/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runs/plan.h"

const char *crd_cli_task_title(const char *task)
{
    const crd_cli_task *found = crd_cli_task_find(task);
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

static void print_block(const crd_cli_summary *summary, int64_t first, int64_t end, crd_text *text)
{
    const crd_cli_column *column = summary->row[first].column;
    crd_cli_table table = {.columns = 1 + CRD_CLI_COLUMNS, .heading = true};
    char *name = block_name(summary, first, end);
    if (text != NULL) {
        crd_text_add(text, "\n");
        crd_cli_add_markdown(text, name);
        crd_text_add(text, "\n\n");
    } else {
        printf("\n%s\n", name);
    }
    crd_cli_table_add(&table, "model");
    for (int c = 0; c < CRD_CLI_COLUMNS; c++) crd_cli_table_add(&table, "%s", column[c].metric);
    for (int64_t i = first; i < end; i++) {
        char *title = crd_cli_printable(summary->row[i].title);
        crd_cli_table_add(&table, "%s", title);
        for (int c = 0; c < CRD_CLI_COLUMNS; c++) add_cell(&table, &summary->row[i], c, text != NULL);
        free(title);
    }
    if (text != NULL) crd_cli_table_markdown(&table, text);
    else crd_cli_table_print(&table, stdout);
    free(name);
}

void crd_cli_summary_print(const crd_cli_summary *summary, const char *changed, crd_text *text)
{
    bool fewer = false;
    crd_text note = {0};
    for (int64_t first = 0, end; first < summary->rows; first = end) {
        const char *task = summary->row[first].like->task;
        bool new_task = first == 0 || strcmp(summary->row[first - 1].like->task, task) != 0;
        char *title = crd_cli_printable(crd_cli_task_title(task));
        end = crd_cli_block_end(summary, first);
        if (new_task && text != NULL) crd_text_format(text, "%s## %s\n", first > 0 ? "\n" : "", title);
        if (new_task && text == NULL) printf("%s%s\n", first > 0 ? "\n" : "", title);
        print_block(summary, first, end, text);
        for (int64_t i = first; i < end; i++)
            for (int c = 0; c < CRD_CLI_COLUMNS; c++) fewer = fewer || summary->row[i].cell[c].fewer;
        free(title);
    }
    crd_text_format(&note, "\nPercent, mean ±standard deviation; %s: the best of its block.%s\n",
                    text != NULL ? "bold" : ">", fewer ? " *: of fewer runs than others." : "");
    if (changed != NULL) crd_text_format(&note, "%sOptions changed: %s\n", text != NULL ? "\n" : "", changed);
    char *whole = crd_cli_take_text(&note);
    if (text != NULL) crd_text_add(text, whole);
    else fputs(whole, stdout);
    free(whole);
}

/* ---- Markdown ---- */

void crd_cli_add_markdown(crd_text *text, const char *name)
{
    for (; *name != '\0'; name++) {
        char c = (unsigned char)*name < 0x20 ? ' ' : *name;
        crd_text_format(text, "%s%c", strchr("|\\`_<", c) != NULL ? "\\" : "", c);
    }
}

void crd_cli_table_markdown(crd_cli_table *table, crd_text *text)
{
    for (int i = 0; i < table->cells; i++) {
        int column = i % table->columns;
        crd_text_add(text, column == 0 ? "| " : " | ");
        crd_cli_add_markdown(text, table->cell[i]);
        free(table->cell[i]);
        if (column < table->columns - 1) continue;
        crd_text_add(text, " |\n");
        for (int c = 0; c < table->columns && i < table->columns; c++)
            crd_text_add(text, c <= table->left_columns ? "|:--" : "|--:");
        if (i < table->columns) crd_text_add(text, "|\n");
    }
    free(table->cell);
}

/* ---- CSV: one line per row and column, so that tasks with different columns fit into one file ---- */

char *crd_cli_summary_csv(const crd_cli_summary *summary)
{
    crd_text text = {0};
    crd_text_add(&text, "task,data,shift,model,metric,mean,sd,runs\n");
    for (int64_t i = 0; i < summary->rows; i++)
        for (int c = 0; c < CRD_CLI_COLUMNS; c++) {
            const crd_cli_row *row = &summary->row[i];
            const crd_cli_cell *cell = &row->cell[c];
            char *title = crd_cli_block_title(summary, row);
            const char *const names[] = {row->like->task, title, row->like->shift == NULL ? "" : row->like->shift,
                                         row->title, row->column[c].metric};
            for (int n = 0; n < 5; n++) {
                if (names[n][0] != '\0') crd_text_add_csv(&text, names[n]);
                crd_text_add(&text, ",");
            }
            if (cell->runs > 0) crd_text_format(&text, "%.4f", cell->mean);
            crd_text_add(&text, ",");
            if (cell->runs > 1) crd_text_format(&text, "%.4f", cell->sd);
            crd_text_format(&text, ",%lld\n", (long long)cell->runs);
            free(title);
        }
    return crd_cli_take_text(&text);
}

/* ---- JSON ---- */

static json_t *row_json(const crd_cli_row *row)
{
    json_t *object = json_object(), *cells = json_object();
    crd_cli_json_add(object, "model", json_string(row->like->model), "title", json_string(row->title), "runs",
                     json_integer(row->runs), "failed", json_integer(row->failed), NULL);
    for (int c = 0; c < CRD_CLI_COLUMNS; c++) {
        const crd_cli_cell *cell = &row->cell[c];
        json_t *item = json_object();
        crd_cli_json_add(item, "mean", crd_cli_json_rounded(cell->mean), "sd", crd_cli_json_rounded(cell->sd), "runs",
                         json_integer(cell->runs), "fewer_runs", json_boolean(cell->fewer), "best",
                         json_boolean(cell->best), NULL);
        crd_cli_json_set(cells, row->column[c].metric, item);
    }
    crd_cli_json_set(object, "cells", cells);
    return object;
}

void crd_cli_set_block(json_t *object, const crd_cli_run *like)
{
    crd_cli_json_add(object, "task", json_string(like->task), "data", json_string(like->data), "title",
                     json_string(like->title), "shift", like->shift == NULL ? NULL : json_string(like->shift),
                     "left_out", like->left_out < 0 ? NULL : json_integer(like->left_out), "inductive",
                     json_boolean(like->inductive), NULL);
}

json_t *crd_cli_block_json(const crd_cli_summary *summary, int64_t first, int64_t end)
{
    json_t *block = json_object(), *rows = json_array();
    crd_cli_set_block(block, summary->row[first].like);
    for (int64_t i = first; i < end; i++) crd_cli_json_append(rows, row_json(&summary->row[i]));
    crd_cli_json_set(block, "rows", rows);
    return block;
}
