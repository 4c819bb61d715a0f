#include "graph/preprocess.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    switch (preprocessing) {
    case CRD_FEATURES_NONE: return "none";
    case CRD_FEATURES_ROWNORM: return "rownorm";
    case CRD_FEATURES_BINARY_ROWNORM: return "binary,rownorm";
    case CRD_FEATURES_STANDARD: return "standard";
    case CRD_FEATURES_AUTO: break;
    }
    return "auto";
}

/* Calls visit for every stored entry: all of a dense matrix, the non-zeros of a sparse one. */
static void for_entries(const crd_features *f, void (*visit)(void *, int64_t column, double x), void *context)
{
    if (f->sparse)
        for (int64_t e = 0; e < f->start[f->rows]; e++) visit(context, f->column[e], (double)f->value[e]);
    else
        for (int64_t i = 0; i < f->rows; i++)
            for (int64_t c = 0; c < f->columns; c++) visit(context, c, (double)f->dense[i * f->columns + c]);
}

typedef struct {
    double *sum;
    const float *mean;
} column_sums;

static void add_value(void *context, int64_t column, double x)
{
    ((column_sums *)context)->sum[column] += x;
}

static void add_square(void *context, int64_t column, double x)
{
    column_sums *s = context;
    s->sum[column] += (x - (double)s->mean[column]) * (x - (double)s->mean[column]);
}

static void count_entry(void *context, int64_t column, double x)
{
    (void)x;
    ((column_sums *)context)->sum[column] += 1.0;
}

crd_status crd_preprocess_measure(const crd_features *f, float *mean, float *scale, crd_error *error)
{
    const double rows = f->rows > 0 ? (double)f->rows : 1.0;
    column_sums sums = {NULL, mean}, entries = {NULL, NULL};
    crd_status status = CRD_NEW_ZERO(&sums.sum, f->columns, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&entries.sum, f->columns, error);
    if (status == CRD_OK) {
        for_entries(f, add_value, &sums);
        for (int64_t c = 0; c < f->columns; c++) {
            mean[c] = (float)(sums.sum[c] / rows);
            sums.sum[c] = 0.0;
        }
        /* A second pass, because mean of squares minus square of mean cancels where the mean is large. */
        for_entries(f, add_square, &sums);
        for_entries(f, count_entry, &entries);
        for (int64_t c = 0; c < f->columns; c++) {
            double zeros = rows - entries.sum[c]; /* those that sparse rows do not store */
            double square = sums.sum[c] + zeros * (double)mean[c] * (double)mean[c];
            double deviation = sqrt(square / rows);
            scale[c] = deviation > 1e-6 * fabs((double)mean[c]) && deviation > 1e-30
                           ? (float)(1.0 / deviation)
                           : 1.0f;
        }
    }
    free(sums.sum);
    free(entries.sum);
    return status;
}

static crd_status standardise(const crd_features *f, const float *mean, const float *scale,
                              crd_prepared *prepared, crd_error *error)
{
    int64_t cells;
    if (!crd_multiply(f->rows, f->columns, &cells)) return crd_fail_memory(error, SIZE_MAX);
    float *dense;
    crd_status status = CRD_NEW(&dense, cells, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < f->rows; i++) {
        float *row = dense + i * f->columns;
        if (f->sparse) {
            memset(row, 0, (size_t)f->columns * sizeof *row);
            for (int64_t e = f->start[i]; e < f->start[i + 1]; e++) row[f->column[e]] = f->value[e];
        } else {
            memcpy(row, f->dense + i * f->columns, (size_t)f->columns * sizeof *row);
        }
        for (int64_t c = 0; c < f->columns; c++) row[c] = (row[c] - mean[c]) * scale[c];
    }
    prepared->features = (crd_features){.rows = f->rows, .columns = f->columns, .dense = dense};
    prepared->owns_dense = true;
    return CRD_OK;
}

/* Drops the zeros of sparse features whose values are their own already. Most have none, and keep sharing
 * their places. */
static crd_status drop_zeros(crd_prepared *prepared, crd_error *error)
{
    crd_features *f = &prepared->features;
    int64_t kept = 0;
    for (int64_t e = 0; e < f->start[f->rows]; e++) kept += f->value[e] != 0.0f;
    if (kept == f->start[f->rows]) return CRD_OK;
    int64_t *start = NULL;
    int32_t *column = NULL;
    crd_status status = CRD_NEW(&start, f->rows + 1, error);
    if (status == CRD_OK) status = CRD_NEW(&column, kept, error);
    if (status != CRD_OK) {
        free(start);
        return status;
    }
    int64_t to = 0;
    for (int64_t i = 0; i < f->rows; i++) {
        start[i] = to;
        for (int64_t e = f->start[i]; e < f->start[i + 1]; e++) {
            if (f->value[e] == 0.0f) continue;
            column[to] = f->column[e];
            f->value[to++] = f->value[e];
        }
    }
    start[f->rows] = to;
    f->start = start;
    f->column = column;
    prepared->owns_places = true;
    return CRD_OK;
}

/* Divides a row by its sum; one that is all zero, or adds up to zero, stays as it is. */
static void normalise_row(float *value, int64_t count, bool binary)
{
    double sum = 0.0;
    for (int64_t e = 0; e < count; e++) {
        if (binary) value[e] = value[e] > 0.0f ? 1.0f : 0.0f;
        sum += (double)value[e];
    }
    if (sum != 0.0)
        for (int64_t e = 0; e < count; e++) value[e] = (float)((double)value[e] / sum);
}

crd_status crd_preprocess(const crd_features *f, crd_preprocessing preprocessing, const float *mean,
                          const float *scale, crd_prepared *prepared, crd_error *error)
{
    *prepared = (crd_prepared){.features = *f};
    if (preprocessing == CRD_FEATURES_NONE || preprocessing == CRD_FEATURES_AUTO) return CRD_OK;
    if (preprocessing == CRD_FEATURES_STANDARD) return standardise(f, mean, scale, prepared, error);

    const bool binary = preprocessing == CRD_FEATURES_BINARY_ROWNORM;
    const int64_t count = f->sparse ? f->start[f->rows] : f->rows * f->columns;
    float *value;
    crd_status status = CRD_NEW(&value, count, error);
    if (status != CRD_OK) return status;
    memcpy(value, f->sparse ? f->value : f->dense, (size_t)count * sizeof *value);
    for (int64_t i = 0; i < f->rows; i++) {
        int64_t first = f->sparse ? f->start[i] : i * f->columns;
        int64_t end = f->sparse ? f->start[i + 1] : (i + 1) * f->columns;
        normalise_row(value + first, end - first, binary);
    }
    if (f->sparse) {
        prepared->features.value = value;
        prepared->owns_value = true;
        status = drop_zeros(prepared, error);
        if (status != CRD_OK) crd_prepared_free(prepared);
    } else {
        prepared->features.dense = value;
        prepared->owns_dense = true;
    }
    return status;
}

void crd_prepared_free(crd_prepared *prepared)
{
    if (prepared->owns_value) free(prepared->features.value);
    if (prepared->owns_dense) free(prepared->features.dense);
    if (prepared->owns_places) {
        free(prepared->features.start);
        free(prepared->features.column);
    }
    *prepared = (crd_prepared){0};
}

crd_status crd_features_transpose(const crd_features *f, crd_features *t, crd_error *error)
{
    const int64_t count = f->start[f->rows];
    *t = (crd_features){.rows = f->columns, .columns = f->rows, .sparse = true};
    crd_status status = CRD_NEW_ZERO(&t->start, f->columns + 1, error);
    if (status == CRD_OK) status = CRD_NEW(&t->column, count, error);
    if (status == CRD_OK) status = CRD_NEW(&t->value, count, error);
    if (status != CRD_OK) {
        crd_features_free(t);
        return status;
    }
    for (int64_t e = 0; e < count; e++) t->start[f->column[e] + 1]++;
    for (int64_t c = 0; c < f->columns; c++) t->start[c + 1] += t->start[c];
    for (int64_t i = 0; i < f->rows; i++)
        for (int64_t e = f->start[i]; e < f->start[i + 1]; e++) {
            int64_t at = t->start[f->column[e]]++;
            t->column[at] = (int32_t)i;
            t->value[at] = f->value[e];
        }
    /* Each start has moved to the next one's place. */
    memmove(t->start + 1, t->start, (size_t)f->columns * sizeof *t->start);
    t->start[0] = 0;
    return CRD_OK;
}
