/* SPDX-License-Identifier: MIT */
/* Whether data are like those that a model was trained on: how their features are spread, and nodes whose features are
 * beyond all that training saw. Their names are in align.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/watch.h"
#include "models/model.h"

/* ---- how features are spread ---- */

/* Of each feature, model->seen has the share of nodes with a positive value; then its level, the mean in units of its
 * standard deviation; then its size, the root of the mean square of values other than 0. The first two do not depend on
 * the unit of a feature: words differ in the first, measurements in the second. The third shows another unit. */
enum { SHARE, LEVEL, SIZE };
#define MOST_LEVEL 10.0 /* of a feature that hardly varies */

typedef struct {
    double positive, others, sum, squares; /* `others`: values other than 0 */
} column_sums;

static void finish_column(const column_sums *s, int64_t rows, int64_t columns, int64_t column, float *seen)
{
    const double mean = s->sum / (double)rows, variance = s->squares / (double)rows - mean * mean;
    double level = variance > 0.0 ? mean / sqrt(variance) : mean == 0.0 ? 0.0 : copysign(MOST_LEVEL, mean);
    if (fabs(level) > MOST_LEVEL) level = copysign(MOST_LEVEL, level);
    seen[SHARE * columns + column] = (float)(s->positive / (double)rows);
    seen[LEVEL * columns + column] = (float)level;
    seen[SIZE * columns + column] = (float)(s->others > 0.0 ? sqrt(s->squares / s->others) : 0.0);
}

static void add_value(column_sums *s, float value)
{
    s->positive += value > 0.0f;
    s->others += value != 0.0f;
    s->sum += (double)value;
    s->squares += (double)value * (double)value;
}

static crd_status look_at(const crd_features *features, float **seen, crd_error *error)
{
    const int64_t columns = features->columns;
    column_sums *sums = NULL;
    crd_status status = CRD_NEW(seen, CRD_SEEN * columns, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&sums, columns, error);
    for (int64_t r = 0; r < features->rows && status == CRD_OK; r++) {
        if (crd_watch_at(r)) status = crd_watch_stopped(error);
        if (features->sparse)
            for (int64_t e = features->start[r]; e < features->start[r + 1]; e++)
                add_value(&sums[features->column[e]], features->value[e]);
        else
            for (int64_t j = 0; j < columns; j++) add_value(&sums[j], features->dense[r * columns + j]);
    }
    for (int64_t j = 0; j < columns && status == CRD_OK; j++)
        finish_column(&sums[j], features->rows, columns, j, *seen);
    crd_free(sums);
    return status;
}

crd_status crd_model_see(crd_model *model, const crd_features *features, crd_error *error)
{
    return look_at(features, &model->seen, error);
}

/* The correlation of two signs over the features. False if the first hardly differs between features, compared with
 * what drawing other nodes would change: then it tells nothing. */
static bool correlate(const float *a, const float *b, int64_t count, int sign, double nodes, double *correlation)
{
    double mean_a = 0.0, mean_b = 0.0, aa = 0.0, bb = 0.0, ab = 0.0, noise = 0.0;
    for (int64_t j = 0; j < count; j++) {
        const double x = (double)a[j];
        mean_a += x / (double)count;
        mean_b += (double)b[j] / (double)count;
        noise += (sign == SHARE ? x * (1.0 - x) : 1.0 + x * x / 2.0) / nodes;
    }
    for (int64_t j = 0; j < count; j++) {
        const double x = (double)a[j] - mean_a, y = (double)b[j] - mean_b;
        aa += x * x;
        bb += y * y;
        ab += x * y;
    }
    *correlation = bb > 0.0 && aa > 0.0 ? ab / sqrt(aa * bb) : 0.0;
    return aa > 1.5 * noise && aa > 0.0;
}

/* How many times larger a feature's values are than in training; 1 if too few are positive to say, or it is less than
 * USUAL times, or more than one USUAL-th. */
#define USUAL 5.0
static double times_larger(const float *before, const float *now, int64_t columns, int64_t column, double nodes)
{
    enum { ENOUGH = 20 };
    const double positive =
        fmin((double)before[SHARE * columns + column], (double)now[SHARE * columns + column]) * nodes;
    const double times = (double)now[SIZE * columns + column] / (double)before[SIZE * columns + column];
    return positive < ENOUGH || (times < USUAL && times > 1.0 / USUAL) ? 1.0 : times;
}

/* Says which feature is in another unit than in training, if one seems to be. */
static void note_units(const crd_model *model, const float *seen, double nodes, char *text, size_t size)
{
    int64_t first = -1, count = 0;
    double most = 1.0;
    for (int64_t j = 0; j < model->features; j++) {
        const double times = times_larger(model->seen, seen, model->features, j, nodes);
        if (times == 1.0 || !isfinite(times)) continue;
        if (first < 0) first = j, most = times;
        count++;
    }
    if (first < 0) return;
    char name[80] = "", others[60] = "";
    if (model->feature_names != NULL) snprintf(name, sizeof name, " ('%.60s')", model->feature_names[first]);
    if (count > 1)
        snprintf(others, sizeof others, ", and %lld other feature%s differ%s too", (long long)count - 1,
                 count == 2 ? "" : "s", count == 2 ? "s" : "");
    snprintf(text, size,
             "the values of feature %lld%s are about %.2g times those of training%s; are the units the same?",
             (long long)first, name, most, others);
}

crd_status crd_model_notes(const crd_model *model, const crd_dataset *dataset, char **notes, crd_error *error)
{
    if (notes != NULL) *notes = NULL;
    if (CRD_ANY_NULL(error, model, dataset, notes)) return CRD_ERROR_ARGUMENT;
    const int64_t columns = model->features;
    const bool named = model->feature_names != NULL && dataset->feature_names != NULL;
    const double least = 0.5; /* columns in another order have about 0, nodes of the same kind mostly above 0.8 */
    double worst = 1.0;
    float *seen = NULL;
    char text[320] = "";
    if (model->seen == NULL || dataset->features.columns != columns || dataset->features.rows == 0) return CRD_OK;
    crd_status status = look_at(&dataset->features, &seen, error);
    const double before = model->split != NULL ? (double)model->split->nodes : INFINITY;
    const double nodes = 1.0 / (1.0 / before + 1.0 / (double)dataset->features.rows);
    for (int sign = 0; sign < SIZE && status == CRD_OK; sign++) {
        double correlation;
        if (correlate(model->seen + sign * columns, seen + sign * columns, columns, sign, nodes, &correlation))
            worst = fmin(worst, correlation);
    }
    if (status == CRD_OK && worst < least)
        snprintf(text, sizeof text,
                 "the features look unlike those that the model was trained on (how often each occurs, or how large it "
                 "is: correlation %.2f)%s",
                 worst, named ? "" : "; are their columns in the same order, and made in the same way?");
    else if (status == CRD_OK) note_units(model, seen, nodes, text, sizeof text);
    crd_free(seen);
    return status == CRD_OK && text[0] != '\0' ? crd_copy_string(notes, text, error) : status;
}

/* ---- nodes beyond all that was seen ---- */

/* An entry of dense features, as a model sees it. */
static float entry(const crd_prepared *prepared, int64_t row, int64_t column)
{
    const int64_t from = prepared->order != NULL ? prepared->order[row] : row;
    const float raw = prepared->features.dense[from * prepared->features.columns + column];
    const float value = !prepared->binary ? raw : raw > 0.0f ? 1.0f : 0.0f;
    if (prepared->mean != NULL) return (value - prepared->mean[column]) * prepared->scale[column];
    return prepared->factor != NULL ? value * prepared->factor[from] : value;
}

/* The two smallest and the two largest values of a column. */
typedef struct {
    float least, most, second_least, second_most;
} column_range;

static void widen(column_range *r, float value)
{
    r->second_least = fminf(r->second_least, fmaxf(r->least, value));
    r->second_most = fmaxf(r->second_most, fminf(r->most, value));
    r->least = fminf(r->least, value);
    r->most = fmaxf(r->most, value);
}

/* How far a value is beyond a range: 0 inside, else growing with the distance, measured by the width of the range. */
static double beyond_range(double least, double most, double value)
{
    const double away = fmax(least - value, value - most);
    if (away <= 0.0) return 0.0;
    const double width = most - least, size = fmax(fabs(least), fabs(most));
    return log1p(away / (width > 0.0 ? width : size > 0.0 ? size : 1.0));
}

/* The same for a value that is in the range itself, by the other values. */
static double beyond_others(const column_range *r, float value)
{
    return beyond_range((double)(value == r->least ? r->second_least : r->least),
                        (double)(value == r->most ? r->second_most : r->most), (double)value);
}

static double beyond(const crd_model *model, int64_t column, float value)
{
    return beyond_range((double)model->bounds[column], (double)model->bounds[model->features + column], (double)value);
}

/* How far a row is beyond what the model saw, or with `range` beyond the other rows; without zeros of sparse features.
 */
static double sum_row(const crd_prepared *prepared, int64_t row, const column_range *range, const crd_model *model)
{
    const crd_features *f = &prepared->features;
    const int64_t begin = f->sparse ? f->start[row] : 0, end = f->sparse ? f->start[row + 1] : f->columns;
    double sum = 0.0;
    for (int64_t e = begin; e < end; e++) {
        const int64_t column = f->sparse ? f->column[e] : e;
        const float value = f->sparse ? f->value[e] : entry(prepared, row, e);
        sum += range != NULL ? beyond_others(&range[column], value) : beyond(model, column, value);
    }
    return sum;
}

static crd_status find_ranges(const crd_prepared *prepared, int64_t *entries, column_range *range, crd_error *error)
{
    const crd_features *f = &prepared->features;
    for (int64_t j = 0; j < f->columns; j++) range[j] = (column_range){INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (int64_t e = 0; f->sparse && e < f->start[f->rows]; e++) {
        if (crd_watch_at(e)) return crd_watch_stopped(error);
        widen(&range[f->column[e]], f->value[e]);
        entries[f->column[e]]++;
    }
    for (int64_t i = 0; i < f->rows && !f->sparse; i++) {
        if (crd_watch_at(i)) return crd_watch_stopped(error);
        for (int64_t j = 0; j < f->columns; j++) widen(&range[j], entry(prepared, i, j));
    }
    /* Rows of sparse features that lack an entry have 0 there. */
    for (int64_t j = 0; j < f->columns && f->sparse; j++)
        for (int64_t lacks = f->rows - entries[j], z = 0; z < lacks && z < 2; z++) widen(&range[j], 0.0f);
    return CRD_OK;
}

static int by_falling_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* How far rows are beyond all others. One row in a thousand is left out: one bad row must not excuse the rest. */
static crd_status find_usual(const crd_prepared *prepared, const column_range *range, float *usual, crd_error *error)
{
    const int64_t rows = prepared->features.rows;
    double *sum;
    crd_status status = CRD_NEW(&sum, rows, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < rows && !crd_watch_at(i); i++) sum[i] = sum_row(prepared, i, range, NULL);
    status = crd_watch_check(error);
    if (status == CRD_OK) status = crd_sort(sum, rows, sizeof *sum, by_falling_size, error);
    *usual = rows > 1 ? (float)sum[rows / 1000] : 0.0f;
    crd_free(sum);
    return status;
}

crd_status crd_model_bound(crd_model *model, const crd_prepared *prepared, crd_error *error)
{
    const crd_features *f = &prepared->features;
    column_range *range = NULL;
    int64_t *entries = NULL;
    crd_status status = CRD_NEW(&model->bounds, 2 * f->columns, error);
    if (status == CRD_OK) status = CRD_NEW(&range, f->columns, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&entries, f->columns, error);
    if (status == CRD_OK) {
        status = find_ranges(prepared, entries, range, error);
        for (int64_t j = 0; j < f->columns; j++) {
            model->bounds[j] = range[j].least;
            model->bounds[f->columns + j] = range[j].most;
        }
        if (status == CRD_OK) status = find_usual(prepared, range, &model->usual, error);
    }
    crd_free(range);
    crd_free(entries);
    return status;
}

/* The columns whose 0 was never seen: a row of sparse features may lack their entry. Returns how many. */
static int64_t list_full_columns(const crd_model *model, int64_t *full)
{
    int64_t count = 0;
    for (int64_t j = 0; j < model->features; j++)
        if (beyond(model, j, 0.0f) > 0.0) full[count++] = j;
    return count;
}

/* What rows of sparse features lack in such columns. */
static crd_status add_lacking(const crd_model *model, const crd_features *f, double *sum, crd_error *error)
{
    int64_t *full, *last = NULL; /* last[j]: the last row with an entry in column j */
    crd_status status = CRD_NEW(&full, f->columns, error);
    if (status == CRD_OK) status = CRD_NEW(&last, f->columns, error);
    const int64_t count = status == CRD_OK ? list_full_columns(model, full) : 0;
    for (int64_t j = 0; j < f->columns && count > 0; j++) last[j] = -1;
    for (int64_t i = 0; i < f->rows && count > 0; i++) {
        if (crd_watch_at(i)) {
            status = crd_watch_stopped(error);
            break;
        }
        for (int64_t e = f->start[i]; e < f->start[i + 1]; e++) last[f->column[e]] = i;
        for (int64_t c = 0; c < count; c++)
            if (last[full[c]] != i) sum[i] += beyond(model, full[c], 0.0f);
    }
    crd_free(full);
    crd_free(last);
    return status;
}

crd_status crd_model_beyond(const crd_model *model, const crd_prepared *prepared, double *sum, crd_error *error)
{
    const crd_features *f = &prepared->features;
    for (int64_t i = 0; i < f->rows && !crd_watch_at(i); i++) sum[i] = sum_row(prepared, i, NULL, model);
    crd_status status = crd_watch_check(error);
    if (status == CRD_OK && f->sparse) status = add_lacking(model, f, sum, error);
    for (int64_t i = 0; i < f->rows; i++) sum[i] = fmax(0.0, sum[i] - (double)model->usual);
    return status;
}
