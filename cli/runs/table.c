#include "runs/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runs/contenders.h"

const char *crd_cli_task_title(const char *task)
{
    const crd_cli_task *found = crd_cli_task_find(task);
    return found != NULL ? found->title : task;
}

/* A cell's mean and deviation with a sign between them; the caller frees it. */
static char *cell_text(const crd_cli_row *row, int column, const char *sign)
{
    const crd_cli_cell *cell = &row->cell[column];
    if (row->runs == 0) return crd_cli_text("failed");
    if (cell->runs == 0) return crd_cli_text("n.a.");
    if (isnan(cell->sd)) return crd_cli_text("%.2f", cell->mean);
    return crd_cli_text("%.2f%s%.2f", cell->mean, sign, cell->sd);
}

static bool any_fewer(const crd_cli_summary *summary, int64_t first, int64_t end)
{
    for (int64_t i = first; i < end; i++)
        for (int c = 0; c < CRD_CLI_COLUMNS; c++)
            if (summary->row[i].cell[c].fewer) return true;
    return false;
}

/* ---- text ----
 *
 *                      ID-ACC   ----------------- AUROC -----------------   ...
 *                               aleatoric    epistemic    w/o network
 *     CoraML, 10 runs each
 *       GPN          88.12 ±0.70  83.01 ±0.52 >86.90 ±0.81  ...
 */

enum { LONGEST_NAME = 16, WIDTH = 12, GAP = 2 };

/* Columns on the screen: UTF-8 continuation bytes take none. */
static int width_of(const char *text)
{
    int width = 0;
    for (; *text != '\0'; text++) width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

static void pad(FILE *stream, int count)
{
    if (count > 0) fprintf(stream, "%*s", count, "");
}

/* Two lines: what belongs together with a rule on either side, and the names below. */
static void print_headings(FILE *stream, int names, const crd_cli_column *column)
{
    pad(stream, names);
    for (int c = 0, end; c < CRD_CLI_COLUMNS; c = end) {
        int width = WIDTH, label = width_of(column[c].group);
        for (end = c + 1; end < CRD_CLI_COLUMNS && strcmp(column[end].group, column[c].group) == 0; end++)
            width += GAP + WIDTH;
        /* The rule begins where the first number does. */
        int before = (width - label - 3) / 2;
        pad(stream, GAP + (label == 0 ? width : 1));
        if (label == 0) continue;
        for (int i = 0; i < before; i++) fputc('-', stream);
        fprintf(stream, " %s ", column[c].group);
        for (int i = before + label + 3; i < width; i++) fputc('-', stream);
    }
    fputc('\n', stream);
    pad(stream, names);
    for (int c = 0; c < CRD_CLI_COLUMNS; c++) fprintf(stream, "%*s", GAP + WIDTH, column[c].name);
    fputc('\n', stream);
}

/* A name cut to the column, in whole characters; returns its width. */
static int print_name(FILE *stream, const char *name)
{
    int width = 0;
    bool cut = width_of(name) > LONGEST_NAME;
    for (; *name != '\0'; name++) {
        if (((unsigned char)*name & 0xc0) != 0x80 && cut && width == LONGEST_NAME - 1) break;
        width += ((unsigned char)*name & 0xc0) != 0x80;
        fputc((unsigned char)*name < 0x20 || *name == 0x7f ? '?' : *name, stream);
    }
    if (cut) fputs("~", stream);
    return width + cut;
}

static void print_row(FILE *stream, int names, const crd_cli_row *row, bool styled)
{
    fputs("  ", stream);
    pad(stream, names - 2 - print_name(stream, row->title));
    /* A mark before or behind a number stands in the gap between two columns. */
    bool marked = false;
    for (int c = 0; c < CRD_CLI_COLUMNS; c++) {
        const crd_cli_cell *cell = &row->cell[c];
        char *text = cell_text(row, c, " ±");
        pad(stream, GAP - 1 - marked + WIDTH - width_of(text));
        if (styled && cell->best) fprintf(stream, " \033[1m%s\033[0m", text);
        else fprintf(stream, "%s%s", cell->best ? ">" : " ", text);
        marked = cell->fewer;
        if (marked) fputc('*', stream);
        free(text);
    }
    fputc('\n', stream);
}

static void print_block_name(FILE *stream, const crd_cli_summary *summary, int64_t first, int64_t end)
{
    const crd_cli_row *row = summary->row;
    char *title = crd_cli_block_title(summary, &row[first]), *shown = crd_cli_printable(title);
    char *shift = crd_cli_printable(row[first].like->shift == NULL ? "" : row[first].like->shift);
    int64_t runs = 0, failed = 0;
    for (int64_t i = first; i < end; i++) {
        if (row[i].runs > runs) runs = row[i].runs;
        failed += row[i].failed;
    }
    fprintf(stream, "%s%s%s, %lld run%s each", shown, shift[0] != '\0' ? ", " : "", shift, (long long)runs,
            runs == 1 ? "" : "s");
    if (failed > 0) fprintf(stream, " (%lld failed)", (long long)failed);
    fputc('\n', stream);
    free(shift);
    free(shown);
    free(title);
}

static void print_table(FILE *stream, const crd_cli_summary *summary, int64_t first, int64_t end, bool styled)
{
    int names = 8;
    for (int64_t i = first; i < end; i++) {
        int width = width_of(summary->row[i].title);
        if (width > LONGEST_NAME) width = LONGEST_NAME;
        if (2 + width > names) names = 2 + width;
    }
    char *task = crd_cli_printable(crd_cli_task_title(summary->row[first].like->task));
    fprintf(stream, "%s\n\n", task);
    free(task);
    print_headings(stream, names, summary->row[first].column);
    for (int64_t block = first, after; block < end; block = after) {
        after = crd_cli_block_end(summary, block);
        if (block > first) fputc('\n', stream);
        print_block_name(stream, summary, block, after);
        for (int64_t i = block; i < after; i++) print_row(stream, names, &summary->row[i], styled);
    }
    fprintf(stream, "\nPercent, mean ±standard deviation; %s the best of its block.%s\n",
            styled ? "\033[1mbold\033[0m:" : ">",
            any_fewer(summary, first, end) ? " * of fewer runs than others." : "");
}

void crd_cli_summary_print(const crd_cli_summary *summary, const char *changed, FILE *stream)
{
    bool styled = crd_cli_bold(stream)[0] != '\0';
    for (int64_t first = 0, end; first < summary->rows; first = end) {
        end = crd_cli_table_end(summary, first);
        if (first > 0) fputc('\n', stream);
        print_table(stream, summary, first, end, styled);
        if (changed != NULL) fprintf(stream, "Options changed: %s\n", changed);
    }
    if (summary->rows == 0) fputs("No runs.\n", stream);
}

/* ---- Markdown ---- */

void crd_cli_add_markdown(crd_text *text, const char *name)
{
    for (; *name != '\0'; name++) {
        char c = (unsigned char)*name < 0x20 ? ' ' : *name;
        crd_text_format(text, "%s%c", strchr("|\\`*_<", c) != NULL ? "\\" : "", c);
    }
}

static void add_markdown_row(crd_text *text, const crd_cli_summary *summary, const crd_cli_row *row)
{
    char *title = crd_cli_block_title(summary, row);
    const char *const names[] = {title, row->like->shift == NULL ? "" : row->like->shift, row->title};
    for (int n = 0; n < 3; n++) {
        crd_text_add(text, "| ");
        crd_cli_add_markdown(text, names[n]);
        crd_text_add(text, " ");
    }
    crd_text_format(text, "| %lld", (long long)row->runs);
    for (int c = 0; c < CRD_CLI_COLUMNS; c++) {
        char *cell = cell_text(row, c, " ± ");
        const char *bold = row->cell[c].best ? "**" : "";
        crd_text_format(text, " | %s%s%s%s", bold, cell, bold, row->cell[c].fewer ? " \\*" : "");
        free(cell);
    }
    crd_text_add(text, " |\n");
    free(title);
}

void crd_cli_summary_markdown(const crd_cli_summary *summary, const char *changed, crd_text *text)
{
    for (int64_t first = 0, end; first < summary->rows; first = end) {
        const crd_cli_column *column = summary->row[first].column;
        end = crd_cli_table_end(summary, first);
        crd_text_format(text, "%s| data | shift | model | runs", first > 0 ? "\n" : "");
        for (int c = 0; c < CRD_CLI_COLUMNS; c++)
            crd_text_format(text, " | %s%s%s", column[c].group, column[c].group[0] != '\0' ? " " : "",
                            column[c].name);
        crd_text_add(text, " |\n|:--|:--|:--|--:");
        for (int c = 0; c < CRD_CLI_COLUMNS; c++) crd_text_add(text, "|--:");
        crd_text_add(text, "|\n");
        for (int64_t i = first; i < end; i++) add_markdown_row(text, summary, &summary->row[i]);
        crd_text_format(text, "\nPercent, mean ± standard deviation over the runs; the best of each graph in bold.%s",
                        any_fewer(summary, first, end) ? " \\* Fewer runs than the others." : "");
        if (changed != NULL) crd_text_add(text, " Options changed: ");
        if (changed != NULL) crd_cli_add_markdown(text, changed);
        crd_text_add(text, "\n");
    }
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
            const char *const names[] = {row->like->task, title,
                                         row->like->shift == NULL ? "" : row->like->shift, row->title,
                                         row->column[c].metric};
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
    crd_cli_json_set(object, "model", json_string(row->like->model));
    crd_cli_json_set(object, "title", json_string(row->title));
    crd_cli_json_set(object, "runs", json_integer(row->runs));
    crd_cli_json_set(object, "failed", json_integer(row->failed));
    for (int c = 0; c < CRD_CLI_COLUMNS; c++) {
        const crd_cli_cell *cell = &row->cell[c];
        json_t *item = json_object();
        crd_cli_json_set(item, "mean", crd_cli_json_rounded(cell->mean));
        crd_cli_json_set(item, "sd", crd_cli_json_rounded(cell->sd));
        crd_cli_json_set(item, "runs", json_integer(cell->runs));
        crd_cli_json_set(item, "fewer_runs", json_boolean(cell->fewer));
        crd_cli_json_set(item, "best", json_boolean(cell->best));
        crd_cli_json_set(cells, row->column[c].metric, item);
    }
    crd_cli_json_set(object, "cells", cells);
    return object;
}

void crd_cli_set_block(json_t *object, const crd_cli_run *like)
{
    crd_cli_json_set(object, "task", json_string(like->task));
    crd_cli_json_set(object, "data", json_string(like->data));
    crd_cli_json_set(object, "title", json_string(like->title));
    crd_cli_json_set(object, "shift", like->shift == NULL ? NULL : json_string(like->shift));
    crd_cli_json_set(object, "left_out", like->left_out < 0 ? NULL : json_integer(like->left_out));
    crd_cli_json_set(object, "inductive", json_boolean(like->inductive));
}

json_t *crd_cli_block_json(const crd_cli_summary *summary, int64_t first, int64_t end)
{
    json_t *block = json_object(), *rows = json_array();
    crd_cli_set_block(block, summary->row[first].like);
    for (int64_t i = first; i < end; i++) crd_cli_json_append(rows, row_json(&summary->row[i]));
    crd_cli_json_set(block, "rows", rows);
    return block;
}
