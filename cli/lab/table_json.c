/* Tables and comparisons as JSON. */
#include "credence_private.h"
#include "lab/json.h"
#include "lab/summary_pairs.h"
#include "lab/table.h"

static void set(json_t *object, const char *key, json_t *value)
{
    crd_lab_json_set(object, key, value);
}

static json_t *number(double value)
{
    return crd_lab_json_number(value);
}

static json_t *left_out(const crd_lab_run *run)
{
    return run->left_out < 0 ? NULL : json_integer(run->left_out);
}

json_t *crd_lab_cell_json(const crd_lab_cell *cell)
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
        set(cells, crd_lab_column_name(heading[c].column), crd_lab_cell_json(&row->cell[heading[c].column]));
    set(object, "cells", cells);
    return object;
}

/* What tells blocks apart. */
static void set_block(json_t *object, const crd_lab_run *like)
{
    set(object, "task", json_string(like->task));
    set(object, "data", json_string(like->data));
    set(object, "title", json_string(like->title));
    set(object, "shift", like->shift == NULL ? NULL : json_string(like->shift));
    set(object, "left_out", left_out(like));
    set(object, "inductive", json_boolean(like->inductive));
}

json_t *crd_lab_block_json(const crd_lab_row *row, int64_t count)
{
    json_t *block = json_object(), *rows = json_array();
    for (int64_t i = 0; i < count; i++) crd_lab_json_append(rows, row_json(&row[i]));
    set_block(block, row->like);
    set(block, "rows", rows);
    return block;
}

char *crd_lab_table_json(const crd_lab_summary *summary, const char *command)
{
    json_t *object = json_object(), *blocks = json_array();
    if (command != NULL) set(object, "command", json_string(command));
    set(object, "unit", json_string("percent"));
    for (int64_t first = 0, end; first < summary->rows; first = end) {
        const crd_lab_row *row = &summary->row[first];
        for (end = first + 1; end < summary->rows && crd_lab_same_block(row, &summary->row[end]);) end++;
        crd_lab_json_append(blocks, crd_lab_block_json(row, end - first));
    }
    set(object, "blocks", blocks);
    return crd_lab_json_text(object, JSON_INDENT(1));
}

void crd_lab_comparison_json(json_t *object, const crd_comparison *c)
{
    set(object, "pairs", json_integer(c->pairs));
    set(object, "mean_a", number(c->mean_a));
    set(object, "mean_b", number(c->mean_b));
    set(object, "difference", number(c->difference));
    set(object, "low", number(c->low));
    set(object, "high", number(c->high));
    set(object, "wilcoxon_p", number(c->wilcoxon_p));
    set(object, "sign_p", number(c->sign_p));
    set(object, "wins", json_integer(c->wins));
    set(object, "ties", json_integer(c->ties));
    set(object, "losses", json_integer(c->losses));
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
        json_t *comparison = json_object();
        set_block(comparison, pairs->pair[i].like);
        crd_lab_comparison_json(comparison, &pairs->pair[i].comparison);
        crd_lab_json_append(comparisons, comparison);
    }
    set(object, "comparisons", comparisons);
    return crd_lab_json_text(object, JSON_COMPACT);
}
