/* SPDX-License-Identifier: MIT */
#include "graph/preprocess.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/watch.h"

crd_preprocessing crd_preprocess_choose(const crd_features *features, crd_preprocessing wanted)
{
    if (wanted != CRD_FEATURES_AUTO) return wanted;
    if (features->columns == 0) return CRD_FEATURES_NONE;
    if (!features->sparse) return CRD_FEATURES_STANDARD;
    for (int64_t e = 0; e < features->start[features->rows]; e++)
        if (features->value[e] < 0.0f) return CRD_FEATURES_NONE;
    return CRD_FEATURES_ROWNORM;
}

const char *crd_preprocess_name(crd_preprocessing preprocessing)
{
    static const char *const names[] = {
        [CRD_FEATURES_AUTO] = "auto",       [CRD_FEATURES_NONE] = "none",
        [CRD_FEATURES_ROWNORM] = "rownorm", [CRD_FEATURES_BINARY_ROWNORM] = "binary,rownorm",
        [CRD_FEATURES_UNIT] = "unit",       [CRD_FEATURES_STANDARD] = "standard"};
    const size_t index = (size_t)preprocessing;
    return names[index < sizeof names / sizeof *names ? index : CRD_FEATURES_AUTO];
}

/* Adds every stored entry, or the square of its distance from the mean, to the sum of its column. */
static crd_status add_columns(const crd_features *f, const float *mean, double *sum, crd_error *error)
{
    const int64_t count = f->sparse ? f->start[f->rows] : f->rows * f->columns;
    for (int64_t e = 0, next = 0; e < count; e++) {
        if (crd_watch_at(e)) return crd_watch_stopped(error);
        const int64_t c = f->sparse ? f->column[e] : next;
        const double x = (double)(f->sparse ? f->value[e] : f->dense[e]);
        sum[c] += mean == NULL ? x : (x - (double)mean[c]) * (x - (double)mean[c]);
        next = next + 1 < f->columns ? next + 1 : 0;
    }
    return CRD_OK;
}

crd_status crd_preprocess_measure(const crd_features *f, float *mean, float *scale, crd_error *error)
{
    const double rows = f->rows > 0 ? (double)f->rows : 1.0;
    double *sum, *entries;
    crd_status status = CRD_NEW_ZERO(&sum, 2 * f->columns, error);
    if (status != CRD_OK) return status;
    entries = sum + f->columns;
    status = add_columns(f, NULL, sum, error);
    for (int64_t c = 0; c < f->columns; c++) {
        mean[c] = (float)(sum[c] / rows);
        sum[c] = 0.0;
    }
    /* A second pass, because the mean of squares minus the square of the mean cancels if the mean is large. */
    if (status == CRD_OK) status = add_columns(f, mean, sum, error);
    for (int64_t e = 0; f->sparse && e < f->start[f->rows]; e++) entries[f->column[e]] += 1.0;
    for (int64_t c = 0; c < f->columns; c++) {
        const double zeros = f->sparse ? rows - entries[c] : 0.0; /* those that sparse rows do not store */
        const double square = sum[c] + zeros * (double)mean[c] * (double)mean[c];
        const double deviation = sqrt(square / rows);
        const bool varies = deviation > 1e-6 * fabs((double)mean[c]) && deviation > 1e-30;
        scale[c] = varies ? (float)(1.0 / deviation) : 1.0f;
    }
    crd_free(sum);
    return status;
}

/* What a row is divided by: its sum, or its Euclidean length. */
static double size_of_row(const float *row, int64_t columns, crd_preprocessing preprocessing)
{
    const bool binary = preprocessing == CRD_FEATURES_BINARY_ROWNORM, unit = preprocessing == CRD_FEATURES_UNIT;
    double sum = 0.0;
    for (int64_t c = 0; c < columns; c++) {
        const double x = binary ? (double)(row[c] > 0.0f) : (double)row[c];
        sum += unit ? x * x : x;
    }
    return unit ? sqrt(sum) : sum;
}

/* Makes dense features that need no more preparation. Unless `divide` is CRD_FEATURES_NONE, every row is divided by its
 * size. */
static crd_status make_dense(crd_prepared *p, crd_preprocessing divide, crd_error *error)
{
    const crd_features *f = &p->features;
    float *dense;
    int64_t cells;
    if (!crd_multiply(f->rows, f->columns, &cells)) return crd_fail_memory(error, SIZE_MAX);
    crd_status status = CRD_NEW(&dense, cells, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < f->rows; i++) {
        if (crd_watch_at(i)) {
            crd_free(dense);
            return crd_watch_stopped(error);
        }
        const int64_t source = p->order != NULL ? p->order[i] : i;
        float *to = dense + i * f->columns;
        const float *from = f->sparse ? to : f->dense + source * f->columns;
        if (f->sparse) memset(to, 0, (size_t)f->columns * sizeof *to);
        for (int64_t e = f->sparse ? f->start[source] : 0; f->sparse && e < f->start[source + 1]; e++)
            to[f->column[e]] = f->value[e];
        const double sum = divide != CRD_FEATURES_NONE ? size_of_row(from, f->columns, divide) : 0.0;
        const float factor = p->factor != NULL ? p->factor[source] : 1.0f;
        for (int64_t c = 0; c < f->columns; c++) {
            if (p->mean != NULL) to[c] = (from[c] - p->mean[c]) * p->scale[c];
            else if (sum != 0.0) to[c] = (float)((double)from[c] / sum);
            else to[c] = p->binary ? (from[c] > 0.0f ? factor : 0.0f) : from[c] * factor;
        }
    }
    const crd_features made = {.rows = f->rows, .columns = f->columns, .dense = dense};
    crd_prepared_free(p);
    *p = (crd_prepared){.features = made, .owned = made};
    return CRD_OK;
}

crd_status crd_prepared_settle(crd_prepared *p, crd_error *error)
{
    return p->order == NULL && p->mean == NULL && p->factor == NULL ? CRD_OK : make_dense(p, CRD_FEATURES_NONE, error);
}

/* One factor per row; a row that is all zero, or adds up to zero, stays unchanged. If a float cannot hold a factor,
 * the rows are divided here. */
static crd_status normalise_dense(crd_prepared *prepared, crd_preprocessing preprocessing, crd_error *error)
{
    const crd_features *f = &prepared->features;
    crd_status status = CRD_NEW(&prepared->factor, f->rows, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < f->rows; i++) {
        if (crd_watch_at(i)) return crd_watch_stopped(error);
        const double sum = size_of_row(f->dense + i * f->columns, f->columns, preprocessing);
        const double factor = sum != 0.0 ? 1.0 / sum : 1.0;
        if (fabs(factor) < (double)FLT_MIN || fabs(factor) > (double)FLT_MAX) {
            crd_free(prepared->factor);
            prepared->factor = NULL;
            return make_dense(prepared, preprocessing == CRD_FEATURES_UNIT ? CRD_FEATURES_UNIT : CRD_FEATURES_ROWNORM,
                              error);
        }
        prepared->factor[i] = (float)factor;
    }
    return CRD_OK;
}

/* Copies the values, and with an order also the places, so that they can be changed. */
static crd_status copy_sparse(const crd_features *f, const int32_t *order, crd_prepared *prepared, crd_error *error)
{
    crd_features *owned = &prepared->owned;
    if (order != NULL) {
        crd_status status = crd_features_take_rows(f, order, f->rows, owned, error);
        prepared->features = *owned;
        return status;
    }
    crd_status status = CRD_NEW(&owned->value, f->start[f->rows], error);
    if (status == CRD_OK) memcpy(owned->value, f->value, (size_t)f->start[f->rows] * sizeof *f->value);
    prepared->features.value = owned->value;
    return status;
}

/* Drops the zeros of sparse features. Most have none and keep sharing their places. */
static crd_status drop_zeros(crd_prepared *prepared, crd_error *error)
{
    const crd_features *f = &prepared->features;
    crd_features kept;
    int64_t count = 0, to = 0;
    for (int64_t e = 0; e < f->start[f->rows]; e++) count += f->value[e] != 0.0f;
    if (count == f->start[f->rows]) return CRD_OK;
    crd_status status = crd_features_new_sparse(f->rows, f->columns, count, &kept, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < f->rows && status == CRD_OK; i++) {
        if (crd_watch_at(i)) status = crd_watch_stopped(error);
        for (int64_t e = f->start[i]; e < f->start[i + 1]; e++) {
            if (f->value[e] == 0.0f) continue;
            kept.column[to] = f->column[e];
            kept.value[to++] = f->value[e];
        }
        kept.start[i + 1] = to;
    }
    if (status != CRD_OK) {
        crd_features_free(&kept);
        return status;
    }
    crd_prepared_free(prepared);
    *prepared = (crd_prepared){.features = kept, .owned = kept};
    return CRD_OK;
}

/* Divides a row by its size; one whose size is zero stays unchanged. */
static void normalise_row(float *value, int64_t count, crd_preprocessing preprocessing)
{
    for (int64_t e = 0; e < count && preprocessing == CRD_FEATURES_BINARY_ROWNORM; e++)
        value[e] = value[e] > 0.0f ? 1.0f : 0.0f;
    const double sum = size_of_row(value, count, preprocessing);
    if (sum != 0.0)
        for (int64_t e = 0; e < count; e++) value[e] = (float)((double)value[e] / sum);
}

static crd_status prepare_sparse(const crd_features *f, crd_preprocessing preprocessing, const int32_t *order,
                                 crd_prepared *prepared, crd_error *error)
{
    const bool as_it_is = preprocessing == CRD_FEATURES_NONE || preprocessing == CRD_FEATURES_AUTO;
    if (as_it_is && order == NULL) return CRD_OK;
    crd_status status = copy_sparse(f, order, prepared, error);
    if (status != CRD_OK || as_it_is) return status;
    const crd_features *made = &prepared->features;
    for (int64_t i = 0; i < f->rows; i++) {
        if (crd_watch_at(i)) return crd_watch_stopped(error);
        normalise_row(made->value + made->start[i], made->start[i + 1] - made->start[i], preprocessing);
    }
    return drop_zeros(prepared, error);
}

crd_status crd_preprocess(const crd_features *f, crd_preprocessing preprocessing, const float *mean, const float *scale,
                          const int32_t *order, crd_prepared *prepared, crd_error *error)
{
    const bool standard = preprocessing == CRD_FEATURES_STANDARD;
    crd_status status = CRD_OK;
    *prepared = (crd_prepared){.features = *f};
    if (!f->sparse || standard) {
        prepared->order = order;
        prepared->mean = standard ? mean : NULL;
        prepared->scale = standard ? scale : NULL;
        prepared->binary = preprocessing == CRD_FEATURES_BINARY_ROWNORM;
    }
    if (f->sparse)
        status = standard ? make_dense(prepared, CRD_FEATURES_NONE, error) /* hardly any entry stays zero */
                          : prepare_sparse(f, preprocessing, order, prepared, error);
    else if (preprocessing == CRD_FEATURES_ROWNORM || preprocessing == CRD_FEATURES_UNIT || prepared->binary)
        status = normalise_dense(prepared, preprocessing, error);
    if (status != CRD_OK) crd_prepared_free(prepared);
    return status;
}

void crd_prepared_free(crd_prepared *prepared)
{
    crd_free(prepared->factor);
    crd_features_free(&prepared->owned);
    *prepared = (crd_prepared){0};
}
