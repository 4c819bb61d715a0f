#include "models/history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "models/model.h"

/* ---- while training ---- */

crd_status crd_history_open(crd_history *history, crd_error *error)
{
    *history = (crd_history){.every = 1};
    return CRD_NEW(&history->rows, CRD_HISTORY_MOST, error);
}

void crd_history_free(crd_history *history)
{
    free(history->rows);
    *history = (crd_history){0};
}

void crd_history_shrink(crd_history *history)
{
    if (history->rows != NULL) CRD_SHRINK(&history->rows, history->count);
}

static bool is_kept(const crd_history *history, int64_t epoch)
{
    return (epoch - 1) % history->every == 0;
}

static void thin_out(crd_history *history)
{
    int64_t kept = 0;
    history->every *= 2;
    for (int64_t i = 0; i < history->count; i++)
        if (is_kept(history, history->rows[i].epoch)) history->rows[kept++] = history->rows[i];
    history->count = kept;
}

/* The column of a term, a new one if needed; -1: there is no room for it. */
static int column_of(crd_history *history, const char *name)
{
    for (int t = 0; t < history->terms; t++)
        if (strcmp(history->term[t], name) == 0) return t;
    if (history->terms == CRD_HISTORY_TERMS || strlen(name) >= CRD_HISTORY_NAME) return -1;
    snprintf(history->term[history->terms], CRD_HISTORY_NAME, "%s", name);
    return history->terms++;
}

/* Single precision is enough for a curve; what it cannot hold becomes NaN. */
static float narrow(double number)
{
    const float narrowed = (float)number;
    return isfinite(narrowed) ? narrowed : NAN;
}

void crd_history_add(crd_history *history, const crd_epoch *epoch)
{
    if (history->rows == NULL) return;
    while (history->count == CRD_HISTORY_MOST) thin_out(history);
    if (!is_kept(history, epoch->epoch)) return;
    crd_history_row *row = &history->rows[history->count++];
    *row = (crd_history_row){.warmup = epoch->warmup,
                             .epoch = epoch->epoch,
                             .best_epoch = epoch->best_epoch,
                             .loss = narrow(epoch->loss),
                             .cross_entropy = narrow(epoch->validation_cross_entropy),
                             .accuracy = narrow(epoch->validation_accuracy)};
    for (int t = 0; t < CRD_HISTORY_TERMS; t++) row->term[t] = NAN;
    for (int t = 0; t < epoch->terms; t++) {
        const int column = column_of(history, epoch->term_name[t]);
        if (column >= 0) row->term[column] = narrow(epoch->term[t]);
    }
}

/* ---- read from a model ---- */

int64_t crd_model_history_count(const crd_model *model)
{
    return model->history.count;
}

bool crd_model_history_at(const crd_model *model, int64_t index, crd_epoch *epoch)
{
    const crd_history *history = &model->history;
    if (index < 0 || index >= history->count) return false;
    const crd_history_row *row = &history->rows[index];
    *epoch = (crd_epoch){.warmup = row->warmup,
                         .epoch = row->epoch,
                         .loss = (double)row->loss,
                         .validation_cross_entropy = (double)row->cross_entropy,
                         .validation_accuracy = (double)row->accuracy,
                         .best = !row->warmup && row->epoch == row->best_epoch,
                         .best_epoch = row->best_epoch};
    for (int t = 0; t < history->terms && epoch->terms < CRD_MAX_TERMS; t++) {
        if (isnan(row->term[t])) continue;
        epoch->term_name[epoch->terms] = history->term[t];
        epoch->term[epoch->terms++] = (double)row->term[t];
    }
    return true;
}

/* ---- in a file ---- */

/* The columns of floats that are not terms. */
static const struct {
    const char *name;
    size_t offset;
    bool needed;
} COLUMNS[] = {{"loss", offsetof(crd_history_row, loss), true},
               {"validation_cross_entropy", offsetof(crd_history_row, cross_entropy), false},
               {"validation_accuracy", offsetof(crd_history_row, accuracy), false}};
enum { COLUMN_COUNT = sizeof COLUMNS / sizeof COLUMNS[0] };

static float *cell(crd_history_row *row, size_t offset)
{
    return (float *)((char *)row + offset);
}

void crd_history_add_floats(crd_text *text, const crd_history *history, const char *name, size_t offset)
{
    crd_json_open(text, name, "[");
    for (int64_t i = 0; i < history->count; i++) crd_json_add_float(text, NULL, *cell(&history->rows[i], offset));
    crd_text_add(text, "]");
}

void crd_history_add_terms(crd_text *text, const crd_history *history)
{
    crd_json_open(text, "terms", "{");
    for (int t = 0; t < history->terms; t++)
        crd_history_add_floats(text, history, history->term[t],
                               offsetof(crd_history_row, term) + (size_t)t * sizeof(float));
    crd_text_add(text, "}");
}

static bool all_missing(const crd_history *history, size_t offset)
{
    for (int64_t i = 0; i < history->count; i++)
        if (!isnan(*cell(&history->rows[i], offset))) return false;
    return true;
}

static void add_integers(crd_text *text, const crd_history *history, const char *name, size_t offset)
{
    crd_json_open(text, name, "[");
    for (int64_t i = 0; i < history->count; i++)
        crd_json_add_integer(text, NULL, *(const int64_t *)((const char *)&history->rows[i] + offset));
    crd_text_add(text, "]");
}

crd_status crd_history_json(const crd_history *history, char **json, crd_error *error)
{
    *json = NULL;
    if (history->count == 0) return CRD_OK;
    crd_text text = {0};
    int64_t warmup = 0;
    while (warmup < history->count && history->rows[warmup].warmup) warmup++;
    crd_text_add(&text, "{");
    crd_json_add_integer(&text, "warmup", warmup);
    add_integers(&text, history, "epoch", offsetof(crd_history_row, epoch));
    add_integers(&text, history, "best_epoch", offsetof(crd_history_row, best_epoch));
    for (int c = 0; c < COLUMN_COUNT; c++)
        if (COLUMNS[c].needed || !all_missing(history, COLUMNS[c].offset))
            crd_history_add_floats(&text, history, COLUMNS[c].name, COLUMNS[c].offset);
    crd_history_add_terms(&text, history);
    crd_text_add(&text, "}");
    return crd_text_finish(&text, json, error);
}

/* An array of as many entries as there are rows. */
static bool is_column(const crd_history *history, const json_t *column)
{
    return json_is_array(column) && json_array_size(column) == (size_t)history->count;
}

static bool read_floats(crd_history *history, const json_t *column, size_t offset)
{
    if (!is_column(history, column)) return false;
    for (int64_t i = 0; i < history->count; i++) {
        const json_t *entry = json_array_get(column, (size_t)i);
        float *value = cell(&history->rows[i], offset);
        if (!json_is_number(entry) && !json_is_null(entry)) return false;
        *value = json_is_null(entry) ? NAN : (float)json_number_value(entry);
        if (isinf(*value)) return false;
    }
    return true;
}

static bool read_integers(crd_history *history, const json_t *column, int64_t least, size_t offset)
{
    if (!is_column(history, column)) return false;
    for (int64_t i = 0; i < history->count; i++) {
        const json_t *entry = json_array_get(column, (size_t)i);
        if (!json_is_integer(entry) || json_integer_value(entry) < least) return false;
        *(int64_t *)((char *)&history->rows[i] + offset) = json_integer_value(entry);
    }
    return true;
}

/* Only people read the name, but it is also a key in JSON and in pages. */
static bool is_name(const char *name)
{
    return name[0] != '\0' && strlen(name) < CRD_HISTORY_NAME &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(name);
}

static bool read_terms(crd_history *history, json_t *terms)
{
    if (!json_is_object(terms) || json_object_size(terms) > CRD_HISTORY_TERMS) return false;
    const char *name;
    json_t *column;
    json_object_foreach(terms, name, column)
    {
        const size_t offset = offsetof(crd_history_row, term) + (size_t)history->terms * sizeof(float);
        if (!is_name(name) || !read_floats(history, column, offset)) return false;
        snprintf(history->term[history->terms++], CRD_HISTORY_NAME, "%s", name);
    }
    return true;
}

static bool read_columns(crd_history *history, const json_t *json)
{
    const json_t *warmup = json_object_get(json, "warmup");
    if (!json_is_integer(warmup) || json_integer_value(warmup) < 0 || json_integer_value(warmup) > history->count)
        return false;
    for (int64_t i = 0; i < history->count; i++) {
        crd_history_row *row = &history->rows[i];
        *row = (crd_history_row){.warmup = i < json_integer_value(warmup)};
        row->cross_entropy = row->accuracy = NAN;
        for (int t = 0; t < CRD_HISTORY_TERMS; t++) row->term[t] = NAN;
    }
    if (!read_integers(history, json_object_get(json, "epoch"), 1, offsetof(crd_history_row, epoch)) ||
        !read_integers(history, json_object_get(json, "best_epoch"), 0, offsetof(crd_history_row, best_epoch)))
        return false;
    for (int c = 0; c < COLUMN_COUNT; c++) {
        const json_t *column = json_object_get(json, COLUMNS[c].name);
        if (column == NULL && !COLUMNS[c].needed) continue;
        if (!read_floats(history, column, COLUMNS[c].offset)) return false;
    }
    return read_terms(history, json_object_get(json, "terms"));
}

crd_status crd_history_read(crd_history *history, const json_t *json, crd_error *error)
{
    const size_t count = json_array_size(json_object_get(json, "epoch"));
    *history = (crd_history){.every = 1};
    if (count == 0 || count > CRD_HISTORY_MOST) return CRD_ERROR_FORMAT;
    crd_status status = CRD_NEW(&history->rows, count, error);
    if (status != CRD_OK) return status;
    history->count = (int64_t)count;
    if (read_columns(history, json)) return CRD_OK;
    crd_history_free(history);
    return CRD_ERROR_FORMAT;
}
