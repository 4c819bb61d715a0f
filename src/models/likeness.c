/* Whether data are like those that a model was trained on: the names of their features, and how these are spread. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/model.h"

/* ---- names ---- */

/* The first feature that has another name than in the model; `count` if there is none. */
static int64_t first_difference(const crd_model *model, char *const *names, int64_t count)
{
    int64_t j = 0;
    while (j < count && strcmp(model->feature_names[j], names[j]) == 0) j++;
    return j;
}

crd_status crd_model_check_names(const crd_model *model, char *const *names, int64_t count, crd_error *error)
{
    if (model->feature_names == NULL || names == NULL || count != model->features) return CRD_OK;
    const int64_t j = first_difference(model, names, count);
    if (j == count) return CRD_OK;
    return crd_fail(error, CRD_ERROR_MISMATCH,
                    "the features have other names, or another order, than those that the model was trained on: "
                    "number %lld is '%.60s', expected '%.60s'",
                    (long long)j, names[j], model->feature_names[j]);
}

/* Names that a damaged file has twice would take a column twice. */
static crd_status check_distinct(char *const *names, int64_t count, crd_error *error)
{
    crd_name_index *index;
    crd_status status = crd_name_index_new(&index, error);
    for (int64_t j = 0; j < count && status == CRD_OK; j++) {
        int64_t number = j;
        status = crd_name_index_add(index, names[j], &number, error);
        if (status == CRD_OK && number != j)
            status = crd_fail(error, CRD_ERROR_MISMATCH, "two features are called '%.60s', so their order is not known",
                              names[j]);
    }
    crd_name_index_free(&index);
    return status;
}

/* order[j] is the data's column with the name of the model's feature j. */
static crd_status find_order(const crd_model *model, const crd_dataset *dataset, int32_t *order, crd_error *error)
{
    crd_name_index *index;
    int64_t number;
    crd_status status = crd_name_index_new(&index, error);
    for (int64_t j = 0; j < model->features && status == CRD_OK; j++)
        status = crd_name_index_add(index, dataset->feature_names[j], &number, error);
    for (int64_t j = 0; j < model->features && status == CRD_OK; j++) {
        number = crd_name_index_find(index, model->feature_names[j]);
        order[j] = (int32_t)number;
        if (number < 0)
            status = crd_fail(error, CRD_ERROR_MISMATCH,
                              "the data have no feature called '%.60s', which the model was trained on as number %lld "
                              "(there the data have '%.60s')",
                              model->feature_names[j], (long long)j, dataset->feature_names[j]);
    }
    crd_name_index_free(&index);
    return status;
}

crd_status crd_model_align(const crd_model *model, crd_dataset *dataset, bool *moved, crd_error *error)
{
    const int64_t columns = model->features;
    char **names = NULL;
    int32_t *order = NULL;
    *moved = false;
    if (model->feature_names == NULL || dataset->feature_names == NULL || dataset->features.columns != columns ||
        first_difference(model, dataset->feature_names, columns) == columns)
        return CRD_OK;
    crd_status status = CRD_NEW(&order, columns, error);
    if (status == CRD_OK) status = check_distinct(model->feature_names, columns, error);
    if (status == CRD_OK) status = check_distinct(dataset->feature_names, columns, error);
    if (status == CRD_OK) status = find_order(model, dataset, order, error);
    if (status == CRD_OK) status = CRD_NEW(&names, columns, error);
    if (status == CRD_OK) status = crd_features_order_columns(&dataset->features, order, error);
    if (status == CRD_OK) {
        for (int64_t j = 0; j < columns; j++) names[j] = dataset->feature_names[order[j]];
        memcpy(dataset->feature_names, names, (size_t)columns * sizeof *names);
        crd_dataset_take_fingerprint(dataset);
        *moved = true;
    }
    free(names);
    free(order);
    return status;
}

/* ---- how features are spread ---- */

/* Of each feature, model->seen has the share of nodes with a positive value, and then its level: its mean in units of
 * its standard deviation. Neither depends on the unit of a feature. Words differ in the first, measurements in the
 * second. */
enum { SHARE, LEVEL, SIGNS };
#define MOST_LEVEL 10.0 /* of a feature that hardly varies */

static void finish_column(const double sums[3], int64_t rows, int64_t columns, int64_t column, float *seen)
{
    const double mean = sums[1] / (double)rows, variance = sums[2] / (double)rows - mean * mean;
    double level = variance > 0.0 ? mean / sqrt(variance) : mean == 0.0 ? 0.0 : copysign(MOST_LEVEL, mean);
    if (fabs(level) > MOST_LEVEL) level = copysign(MOST_LEVEL, level);
    seen[SHARE * columns + column] = (float)(sums[0] / (double)rows);
    seen[LEVEL * columns + column] = (float)level;
}

static void add_value(double sums[3], float value)
{
    sums[0] += value > 0.0f;
    sums[1] += (double)value;
    sums[2] += (double)value * (double)value;
}

static crd_status look_at(const crd_features *features, float **seen, crd_error *error)
{
    const int64_t columns = features->columns;
    double(*sums)[3] = NULL;
    crd_status status = CRD_NEW(seen, SIGNS * columns, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&sums, columns, error);
    for (int64_t r = 0; r < features->rows && status == CRD_OK; r++) {
        if (features->sparse)
            for (int64_t e = features->start[r]; e < features->start[r + 1]; e++)
                add_value(sums[features->column[e]], features->value[e]);
        else
            for (int64_t j = 0; j < columns; j++) add_value(sums[j], features->dense[r * columns + j]);
    }
    for (int64_t j = 0; j < columns && status == CRD_OK; j++) finish_column(sums[j], features->rows, columns, j, *seen);
    free(sums);
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

crd_status crd_model_notes(const crd_model *model, const crd_dataset *dataset, char **notes, crd_error *error)
{
    const int64_t columns = model->features;
    const bool named = model->feature_names != NULL && dataset->feature_names != NULL;
    const double least = 0.5; /* columns in another order have about 0, nodes of the same kind mostly above 0.8 */
    double worst = 1.0;
    float *seen = NULL;
    *notes = NULL;
    if (model->seen == NULL || dataset->features.columns != columns || dataset->features.rows == 0) return CRD_OK;
    crd_status status = look_at(&dataset->features, &seen, error);
    const double before = model->split != NULL ? (double)model->split->nodes : INFINITY;
    const double nodes = 1.0 / (1.0 / before + 1.0 / (double)dataset->features.rows);
    for (int sign = 0; sign < SIGNS && status == CRD_OK; sign++) {
        double correlation;
        if (correlate(model->seen + sign * columns, seen + sign * columns, columns, sign, nodes, &correlation))
            worst = fmin(worst, correlation);
    }
    free(seen);
    if (status != CRD_OK || worst >= least) return status;
    char text[320];
    snprintf(text, sizeof text,
             "the features look unlike those that the model was trained on (how often each occurs, or how large it is: "
             "correlation %.2f)%s",
             worst, named ? "" : "; are their columns in the same order, and made in the same way?");
    return crd_copy_string(notes, text, error);
}
