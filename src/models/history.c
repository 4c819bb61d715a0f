/* SPDX-License-Identifier: MIT */
#include "models/history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "models/model.h"

/* ---- while training ---- */

crd_status crd_history_open(crd_history *history, crd_error *error)
{
    *history = (crd_history){.every = 1};
    return CRD_NEW(&history->rows, CRD_HISTORY_MOST, error);
}

void crd_history_free(crd_history *history)
{
    crd_free(history->rows);
    *history = (crd_history){0};
}

static bool is_kept(const crd_history *history, double epoch)
{
    return fmod(epoch - 1.0, (double)history->every) == 0.0;
}

static void thin_out(crd_history *history)
{
    int64_t kept = 0;
    history->every *= 2;
    for (int64_t i = 0; i < history->count; i++)
        if (is_kept(history, history->rows[i].value[CRD_HISTORY_EPOCH])) history->rows[kept++] = history->rows[i];
    history->count = kept;
}

/* The column of a term, a new one if needed; -1: there is no room for it. */
static int column_of(crd_history *history, const char *name)
{
    for (int t = 0; t < history->terms; t++)
        if (strcmp(history->term[t], name) == 0) return CRD_HISTORY_FIRST_TERM + t;
    if (history->terms == CRD_HISTORY_TERMS || strlen(name) >= CRD_HISTORY_NAME) return -1;
    snprintf(history->term[history->terms], CRD_HISTORY_NAME, "%s", name);
    return CRD_HISTORY_FIRST_TERM + history->terms++;
}

/* Single precision is enough for a curve; what it cannot hold becomes NaN. */
static double narrow(double number)
{
    const float narrowed = (float)number;
    return isfinite(narrowed) ? (double)narrowed : (double)NAN;
}

static crd_history_row empty_row(bool warmup)
{
    crd_history_row row = {.warmup = warmup};
    for (int c = 0; c < CRD_HISTORY_COLUMNS; c++) row.value[c] = (double)NAN;
    return row;
}

void crd_history_add(crd_history *history, const crd_epoch *epoch)
{
    if (history->rows == NULL) return;
    while (history->count == CRD_HISTORY_MOST) thin_out(history);
    if (!is_kept(history, (double)epoch->epoch)) return;
    crd_history_row *row = &history->rows[history->count++];
    *row = empty_row(epoch->warmup);
    row->value[CRD_HISTORY_EPOCH] = (double)epoch->epoch;
    row->value[CRD_HISTORY_BEST_EPOCH] = (double)epoch->best_epoch;
    row->value[CRD_HISTORY_LOSS] = narrow(epoch->loss);
    row->value[CRD_HISTORY_CROSS_ENTROPY] = narrow(epoch->validation_cross_entropy);
    row->value[CRD_HISTORY_ACCURACY] = narrow(epoch->validation_accuracy);
    for (int t = 0; t < epoch->terms; t++) {
        const int column = column_of(history, epoch->term_name[t]);
        if (column >= 0) row->value[column] = narrow(epoch->term[t]);
    }
}

void crd_history_copy(crd_history *history, const crd_history *from)
{
    crd_history_row *rows = history->rows;
    if (from->count > 0) memcpy(rows, from->rows, (size_t)from->count * sizeof *rows);
    *history = *from;
    history->rows = rows;
    CRD_SHRINK(&history->rows, history->count);
}

/* ---- read from a model ---- */

int64_t crd_model_history_count(const crd_model *model)
{
    return model != NULL ? model->history.count : 0;
}

bool crd_model_history_at_sized(const crd_model *model, int64_t index, crd_epoch *epoch, size_t size)
{
    if (model == NULL || epoch == NULL) return false;
    const crd_history *history = &model->history;
    if (index < 0 || index >= history->count) return false;
    const crd_history_row *row = &history->rows[index];
    crd_epoch found = {.warmup = row->warmup,
                       .epoch = (int64_t)row->value[CRD_HISTORY_EPOCH],
                       .loss = row->value[CRD_HISTORY_LOSS],
                       .validation_cross_entropy = row->value[CRD_HISTORY_CROSS_ENTROPY],
                       .validation_accuracy = row->value[CRD_HISTORY_ACCURACY],
                       .best_epoch = (int64_t)row->value[CRD_HISTORY_BEST_EPOCH]};
    found.best = !row->warmup && found.epoch == found.best_epoch;
    for (int t = 0; t < history->terms && found.terms < CRD_MAX_TERMS; t++) {
        const double value = row->value[CRD_HISTORY_FIRST_TERM + t];
        if (isnan(value)) continue;
        found.term_name[found.terms] = history->term[t];
        found.term[found.terms++] = value;
    }
    crd_give_sized(&found, sizeof found, epoch, size);
    return true;
}

/* ---- in a log and in a file ---- */

crd_status crd_epoch_json(const crd_epoch *epoch, char **json, crd_error *error)
{
    crd_text text = {0};
    crd_text_add(&text, "{");
    crd_json_add_string(&text, "phase", epoch->warmup ? "warmup" : "main");
    if (epoch->network > 0) crd_json_add_integer(&text, "network", epoch->network);
    crd_json_add_integer(&text, "epoch", epoch->epoch);
    crd_json_add_number(&text, "loss", epoch->loss);
    for (int t = 0; t < epoch->terms; t++) crd_json_add_number(&text, epoch->term_name[t], epoch->term[t]);
    crd_json_add_number(&text, "validation_cross_entropy", epoch->validation_cross_entropy);
    crd_json_add_number(&text, "validation_accuracy", epoch->validation_accuracy);
    crd_json_add_bool(&text, "best", epoch->best);
    crd_json_add_number(&text, "seconds", epoch->seconds);
    crd_text_add(&text, "}");
    return crd_text_finish(&text, json, error);
}

static const char *const NAMES[] = {"epoch", "best_epoch", "loss", "validation_cross_entropy", "validation_accuracy"};

static void add_column(crd_text *text, const crd_history *history, int c)
{
    crd_json_open(text, c < CRD_HISTORY_FIRST_TERM ? NAMES[c] : history->term[c - CRD_HISTORY_FIRST_TERM], "[");
    for (int64_t i = 0; i < history->count; i++) {
        const double value = history->rows[i].value[c];
        if (c < CRD_HISTORY_LOSS) crd_json_add_integer(text, NULL, (int64_t)value);
        else crd_json_add_float(text, NULL, (float)value);
    }
    crd_text_add(text, "]");
}

static bool has_values(const crd_history *history, int column)
{
    for (int64_t i = 0; i < history->count; i++)
        if (!isnan(history->rows[i].value[column])) return true;
    return false;
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
    for (int c = 0; c < CRD_HISTORY_FIRST_TERM; c++)
        if (c <= CRD_HISTORY_LOSS || has_values(history, c)) add_column(&text, history, c);
    crd_json_open(&text, "terms", "{");
    for (int c = 0; c < history->terms; c++) add_column(&text, history, CRD_HISTORY_FIRST_TERM + c);
    crd_text_add(&text, "}");
    crd_text_add(&text, "}");
    return crd_text_finish(&text, json, error);
}

static bool read_column(crd_history *history, int column, const json_t *json)
{
    if (!json_is_array(json) || json_array_size(json) != (size_t)history->count) return false;
    for (int64_t i = 0; i < history->count; i++) {
        const json_t *entry = json_array_get(json, (size_t)i);
        if (column >= CRD_HISTORY_LOSS && json_is_null(entry)) continue;
        const bool whole = column < CRD_HISTORY_LOSS;
        const double value = whole ? json_number_value(entry) : narrow(json_number_value(entry));
        if (whole ? !json_is_integer(entry) : !json_is_number(entry) || isnan(value)) return false;
        if (whole && value < (column == CRD_HISTORY_EPOCH ? 1.0 : 0.0)) return false;
        history->rows[i].value[column] = value;
    }
    return true;
}

/* Only people read the name, but it is also a key in JSON and in pages. */
static bool is_name(const char *name)
{
    return name[0] != '\0' && strlen(name) < CRD_HISTORY_NAME &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(name);
}

static bool read_columns(crd_history *history, const json_t *json)
{
    const json_t *warmup = json_object_get(json, "warmup");
    json_t *terms = json_object_get(json, "terms"), *column;
    const char *name;
    if (!json_is_integer(warmup) || json_integer_value(warmup) < 0 || json_integer_value(warmup) > history->count ||
        !json_is_object(terms) || json_object_size(terms) > CRD_HISTORY_TERMS)
        return false;
    for (int64_t i = 0; i < history->count; i++) history->rows[i] = empty_row(i < json_integer_value(warmup));
    for (int c = 0; c < CRD_HISTORY_FIRST_TERM; c++) {
        column = json_object_get(json, NAMES[c]);
        if (column == NULL && c > CRD_HISTORY_LOSS) continue;
        if (!read_column(history, c, column)) return false;
    }
    json_object_foreach(terms, name, column)
    {
        if (!is_name(name) || !read_column(history, column_of(history, name), column)) return false;
    }
    return true;
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
