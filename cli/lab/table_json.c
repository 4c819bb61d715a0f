/* Tables and comparisons as JSON. */
#include <math.h>
#include <stdlib.h>

#include "lab/summary_pairs.h"
#include "lab/table.h"

/* Takes the value over; jansson fails for want of memory alone, and for text that is no UTF-8. */
static void set(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value != NULL ? value : json_null()) != 0)
        exit(crd_cli_failf(CRD_CLI_FAILED, "out of memory"));
}

static void append(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0) exit(crd_cli_failf(CRD_CLI_FAILED, "out of memory"));
}

/* jansson makes no number of NaN, and `set` a null of that. */
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : NULL;
}

static json_t *left_out(const crd_lab_run *run)
{
    return run->left_out < 0 ? NULL : json_integer(run->left_out);
}

/* The object as a text with a line break behind it; it is freed. Twelve digits are more than any run's, and
 * spare readers 88.510000000000005. */
static char *finish(json_t *object, size_t form)
{
    char *dump = json_dumps(object, form | JSON_REAL_PRECISION(12));
    if (dump == NULL) exit(crd_cli_failf(CRD_CLI_FAILED, "out of memory"));
    char *text = crd_cli_text("%s\n", dump);
    free(dump);
    json_decref(object);
    return text;
}

static json_t *cell_json(const crd_lab_cell *cell)
{
    json_t *object = json_object();
    set(object, "mean", number(cell->mean));
    set(object, "sd", number(cell->sd));
    set(object, "runs", json_integer(cell->runs));
    set(object, "fewer_runs", json_boolean(cell->fewer));
    set(object, "best", json_boolean(cell->best));
    set(object, "published", number(cell->published));
    set(object, "difference", number(cell->difference));
    return object;
}

static json_t *row_json(const crd_lab_row *row)
{
    const crd_lab_heading *heading = crd_lab_headings(row->failures);
    json_t *object = json_object(), *cells = json_object();
    set(object, "model", json_string(row->like->model));
    set(object, "title", json_string(row->model_title));
    set(object, "runs", json_integer(row->runs));
    set(object, "failed", json_integer(row->failed));
    for (int c = 0; c < CRD_LAB_SHOWN; c++)
        set(cells, crd_lab_column_name(heading[c].column), cell_json(&row->cell[heading[c].column]));
    set(object, "cells", cells);
    return object;
}

char *crd_lab_table_json(const crd_lab_summary *summary, const char *command)
{
    json_t *object = json_object(), *blocks = json_array();
    if (command != NULL) set(object, "command", json_string(command));
    set(object, "unit", json_string("percent"));
    for (int64_t first = 0, end; first < summary->rows; first = end) {
        const crd_lab_row *row = &summary->row[first];
        json_t *block = json_object(), *rows = json_array();
        for (end = first; end < summary->rows && crd_lab_same_block(row, &summary->row[end]); end++)
            append(rows, row_json(&summary->row[end]));
        set(block, "task", json_string(row->like->task));
        set(block, "data", json_string(row->like->data));
        set(block, "title", json_string(row->like->title));
        set(block, "shift", row->like->shift == NULL ? NULL : json_string(row->like->shift));
        set(block, "left_out", left_out(row->like));
        set(block, "inductive", json_boolean(row->like->inductive));
        set(block, "rows", rows);
        append(blocks, block);
    }
    set(object, "blocks", blocks);
    return finish(object, JSON_INDENT(1));
}

char *crd_lab_pairs_json(const crd_lab_pairs *pairs)
{
    json_t *object = json_object(), *comparisons = json_array();
    set(object, "a", json_string(pairs->a));
    set(object, "b", json_string(pairs->b));
    set(object, "metric", json_string(pairs->metric));
    set(object, "unit", pairs->percent ? json_string("percent") : NULL);
    set(object, "unpaired_a", json_integer(pairs->alone_a));
    set(object, "unpaired_b", json_integer(pairs->alone_b));
    for (int64_t i = 0; i < pairs->count; i++) {
        const crd_lab_run *like = pairs->pair[i].like;
        const crd_comparison *c = &pairs->pair[i].comparison;
        json_t *comparison = json_object();
        set(comparison, "task", json_string(like->task));
        set(comparison, "data", json_string(like->data));
        set(comparison, "title", json_string(like->title));
        set(comparison, "shift", like->shift == NULL ? NULL : json_string(like->shift));
        set(comparison, "left_out", left_out(like));
        set(comparison, "inductive", json_boolean(like->inductive));
        set(comparison, "pairs", json_integer(c->pairs));
        set(comparison, "mean_a", number(c->mean_a));
        set(comparison, "mean_b", number(c->mean_b));
        set(comparison, "difference", number(c->difference));
        set(comparison, "low", number(c->low));
        set(comparison, "high", number(c->high));
        set(comparison, "wilcoxon_p", number(c->wilcoxon_p));
        set(comparison, "sign_p", number(c->sign_p));
        set(comparison, "wins", json_integer(c->wins));
        set(comparison, "ties", json_integer(c->ties));
        set(comparison, "losses", json_integer(c->losses));
        append(comparisons, comparison);
    }
    set(object, "comparisons", comparisons);
    return finish(object, JSON_COMPACT);
}
