/* SPDX-License-Identifier: MIT */
#include "graph/features.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/watch.h"
#include "graph/graph.h"

void crd_features_free(crd_features *features)
{
    if (!features->start_borrowed) crd_free(features->start);
    if (!features->column_borrowed) crd_free(features->column);
    if (!features->value_borrowed) crd_free(features->value);
    if (!features->dense_borrowed) crd_free(features->dense);
    *features = (crd_features){0};
}

/* Puts a copy of a borrowed array in its place. */
static crd_status own_array(void **array, bool *borrowed, int64_t count, size_t size, crd_error *error)
{
    void *copy;
    if (!*borrowed) return CRD_OK;
    crd_status status = crd_allocate(&copy, count, size, false, error);
    if (status != CRD_OK) return status;
    if (count > 0) memcpy(copy, *array, (size_t)count * size);
    *array = copy;
    *borrowed = false;
    return CRD_OK;
}

crd_status crd_features_own(crd_features *f, crd_error *error)
{
    const int64_t entries = f->sparse ? f->start[f->rows] : 0;
    crd_status status =
        own_array((void **)&f->dense, &f->dense_borrowed, f->rows * f->columns, sizeof *f->dense, error);
    if (status == CRD_OK)
        status = own_array((void **)&f->column, &f->column_borrowed, entries, sizeof *f->column, error);
    if (status == CRD_OK) status = own_array((void **)&f->value, &f->value_borrowed, entries, sizeof *f->value, error);
    if (status == CRD_OK)
        status = own_array((void **)&f->start, &f->start_borrowed, f->rows + 1, sizeof *f->start, error);
    return status;
}

crd_status crd_features_new_sparse(int64_t rows, int64_t columns, int64_t entries, crd_features *features,
                                   crd_error *error)
{
    *features = (crd_features){.rows = rows, .columns = columns, .sparse = true};
    crd_status status = CRD_NEW_ZERO(&features->start, rows + 1, error);
    if (status == CRD_OK) status = CRD_NEW(&features->column, entries, error);
    if (status == CRD_OK) status = CRD_NEW(&features->value, entries, error);
    if (status != CRD_OK) crd_features_free(features);
    return status;
}

crd_status crd_features_take_rows(const crd_features *f, const int32_t *order, int64_t count, crd_features *taken,
                                  crd_error *error)
{
    int64_t total = 0, at = 0;
    if (!f->sparse) {
        *taken = (crd_features){.rows = count, .columns = f->columns};
        crd_status status = CRD_NEW(&taken->dense, count * f->columns, error);
        for (int64_t i = 0; i < count && status == CRD_OK; i++) {
            if (crd_watch_at(i)) status = crd_watch_stopped(error);
            memcpy(taken->dense + i * f->columns, f->dense + order[i] * f->columns,
                   (size_t)f->columns * sizeof *f->dense);
        }
        return status;
    }
    for (int64_t i = 0; i < count; i++) total += f->start[order[i] + 1] - f->start[order[i]];
    crd_status status = crd_features_new_sparse(count, f->columns, total, taken, error);
    for (int64_t i = 0; i < count && status == CRD_OK; i++) {
        if (crd_watch_at(i)) status = crd_watch_stopped(error);
        const int64_t first = f->start[order[i]], entries = f->start[order[i] + 1] - first;
        if (entries > 0) {
            memcpy(taken->column + at, f->column + first, (size_t)entries * sizeof *f->column);
            memcpy(taken->value + at, f->value + first, (size_t)entries * sizeof *f->value);
        }
        taken->start[i + 1] = at += entries;
    }
    return status;
}

crd_status crd_features_transpose(const crd_features *f, crd_features *t, crd_error *error)
{
    crd_status status = crd_features_new_sparse(f->columns, f->rows, f->start[f->rows], t, error);
    if (status != CRD_OK) return status;
    status =
        crd_transpose_rows(f->rows, f->columns, f->start, f->column, f->value, t->start, t->column, t->value, error);
    if (status != CRD_OK) crd_features_free(t);
    return status;
}

int64_t crd_features_nonzero(const crd_features *features)
{
    if (features->sparse) return features->start[features->rows];
    int64_t count = 0, cells = features->rows * features->columns;
    for (int64_t i = 0; i < cells; i++) count += features->dense[i] != 0.0f;
    return count;
}

static crd_status fail_not_finite(const char *name, int64_t row, int64_t column, float found, crd_error *error)
{
    return crd_fail(error, CRD_ERROR_FORMAT,
                    "%.250s: row %lld, column %lld of the features: expected a finite number, found %f", name,
                    (long long)row, (long long)column, (double)found);
}

static crd_status check_dense(const crd_features *features, const char *name, crd_error *error)
{
    for (int64_t r = 0; r < features->rows; r++) {
        if (crd_watch_at(r)) return crd_watch_stopped(error);
        const float *row = features->dense + r * features->columns;
        for (int64_t c = 0; c < features->columns; c++)
            if (!isfinite(row[c])) return fail_not_finite(name, r, c, row[c], error);
    }
    return CRD_OK;
}

/* Checks columns and values, and whether the rows are in order, without repetitions or zeros. */
static crd_status check_sparse(const crd_features *f, const char *name, bool *sorted, bool *tidy, crd_error *error)
{
    *sorted = *tidy = true;
    for (int64_t r = 0; r < f->rows; r++) {
        if (crd_watch_at(r)) return crd_watch_stopped(error);
        for (int64_t e = f->start[r]; e < f->start[r + 1]; e++) {
            int32_t column = f->column[e];
            if (column < 0 || column >= f->columns)
                return crd_fail(error, CRD_ERROR_FORMAT,
                                "%.250s: row %lld of the features has column %ld, but the columns are 0 to "
                                "%lld",
                                name, (long long)r, (long)column, (long long)f->columns - 1);
            if (!isfinite(f->value[e])) return fail_not_finite(name, r, column, f->value[e], error);
            if (e > f->start[r]) {
                *sorted &= f->column[e - 1] <= column;
                *tidy &= f->column[e - 1] < column;
            }
            *tidy &= f->value[e] != 0.0f;
        }
    }
    return CRD_OK;
}

typedef struct {
    int32_t column;
    float value;
    int64_t place;
} entry;

static int compare_entries(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return x->column != y->column ? (x->column > y->column) - (x->column < y->column)
                                  : (x->place > y->place) - (x->place < y->place);
}

/* Equal columns keep their order, so that their sum does not depend on how they were sorted. */
static crd_status sort_rows(crd_features *f, crd_error *error)
{
    entry *entries;
    int64_t longest = 0;
    for (int64_t r = 0; r < f->rows; r++)
        if (f->start[r + 1] - f->start[r] > longest) longest = f->start[r + 1] - f->start[r];
    crd_status status = CRD_NEW(&entries, longest, error);
    for (int64_t r = 0; r < f->rows && status == CRD_OK; r++) {
        if (crd_watch_at(r)) status = crd_watch_stopped(error);
        const int64_t first = f->start[r], count = f->start[r + 1] - first;
        for (int64_t e = 0; e < count; e++) entries[e] = (entry){f->column[first + e], f->value[first + e], e};
        qsort(entries, (size_t)count, sizeof *entries, compare_entries);
        for (int64_t e = 0; e < count; e++) {
            f->column[first + e] = entries[e].column;
            f->value[first + e] = entries[e].value;
        }
    }
    crd_free(entries);
    return status;
}

static crd_status add_repetitions(crd_features *f, const char *name, crd_error *error)
{
    int64_t kept = 0, begin = 0;
    for (int64_t r = 0; r < f->rows; r++) {
        if (crd_watch_at(r)) return crd_watch_stopped(error);
        int64_t end = f->start[r + 1];
        for (int64_t e = begin; e < end;) {
            int32_t column = f->column[e];
            double sum = 0.0;
            for (; e < end && f->column[e] == column; e++) sum += (double)f->value[e];
            float value = (float)sum;
            if (!isfinite(value))
                return crd_fail(error, CRD_ERROR_FORMAT,
                                "%.250s: row %lld, column %ld of the features: its repeated entries add up "
                                "to %g, too large for a float",
                                name, (long long)r, (long)column, sum);
            if (value == 0.0f) continue;
            f->column[kept] = column;
            f->value[kept++] = value;
        }
        begin = end;
        f->start[r + 1] = kept;
    }
    CRD_SHRINK(&f->column, kept);
    CRD_SHRINK(&f->value, kept);
    return CRD_OK;
}

crd_status crd_features_tidy(crd_features *features, const char *name, crd_error *error)
{
    if (!features->sparse) return check_dense(features, name, error);
    bool sorted, tidy;
    crd_status status = check_sparse(features, name, &sorted, &tidy, error);
    if (status == CRD_OK && !tidy) status = crd_features_own(features, error);
    if (status == CRD_OK && !sorted) status = sort_rows(features, error);
    if (status == CRD_OK && !tidy) status = add_repetitions(features, name, error);
    return status;
}

static crd_status make_sparse(crd_features *f, int64_t nonzero, crd_error *error)
{
    crd_features sparse;
    crd_status status = crd_features_new_sparse(f->rows, f->columns, nonzero, &sparse, error);
    if (status != CRD_OK) return status;
    for (int64_t r = 0, at = 0; r < f->rows && status == CRD_OK; r++) {
        if (crd_watch_at(r)) status = crd_watch_stopped(error);
        const float *row = f->dense + r * f->columns;
        for (int64_t c = 0; c < f->columns; c++) {
            if (row[c] == 0.0f) continue;
            sparse.column[at] = (int32_t)c;
            sparse.value[at++] = row[c];
        }
        sparse.start[r + 1] = at;
    }
    crd_features_free(status == CRD_OK ? f : &sparse);
    if (status == CRD_OK) *f = sparse;
    return status;
}

static crd_status make_dense(crd_features *f, crd_error *error)
{
    crd_features dense = {.rows = f->rows, .columns = f->columns};
    crd_status status = CRD_NEW_ZERO(&dense.dense, f->rows * f->columns, error);
    if (status != CRD_OK) return status;
    for (int64_t r = 0; r < f->rows && status == CRD_OK; r++) {
        if (crd_watch_at(r)) status = crd_watch_stopped(error);
        for (int64_t e = f->start[r]; e < f->start[r + 1]; e++)
            dense.dense[r * f->columns + f->column[e]] = f->value[e];
    }
    crd_features_free(status == CRD_OK ? f : &dense);
    if (status == CRD_OK) *f = dense;
    return status;
}

bool crd_features_are_sparse(int64_t nonzero, int64_t cells)
{
    return nonzero < cells - nonzero;
}

static crd_status count_nonzero(const crd_features *f, int64_t *count, crd_error *error)
{
    *count = f->sparse ? f->start[f->rows] : 0;
    for (int64_t r = 0; r < f->rows && !f->sparse; r++) {
        if (crd_watch_at(r)) return crd_watch_stopped(error);
        for (int64_t c = 0; c < f->columns; c++) *count += f->dense[r * f->columns + c] != 0.0f;
    }
    return CRD_OK;
}

crd_status crd_features_choose_storage(crd_features *features, crd_error *error)
{
    /* Sparse features have at most 2^31 rows and columns and dense ones fit in memory: the product fits. */
    int64_t cells = features->rows * features->columns;
    if (cells == 0) return CRD_OK;
    int64_t nonzero;
    crd_status status = count_nonzero(features, &nonzero, error);
    if (status != CRD_OK) return status;
    const bool few = crd_features_are_sparse(nonzero, cells);
    return features->columns > INT32_MAX ? CRD_OK : crd_features_store(features, few, error);
}

crd_status crd_features_store(crd_features *features, bool sparse, crd_error *error)
{
    if (sparse == features->sparse) return CRD_OK;
    if (!sparse) return make_dense(features, error);
    int64_t nonzero;
    crd_status status = count_nonzero(features, &nonzero, error);
    return status == CRD_OK ? make_sparse(features, nonzero, error) : status;
}

static void take_dense(const crd_features *f, const int32_t *order, crd_features *taken)
{
    for (int64_t r = 0; r < f->rows; r++)
        for (int64_t j = 0; j < taken->columns; j++)
            taken->dense[r * taken->columns + j] = order[j] >= 0 ? f->dense[r * f->columns + order[j]] : 0.0f;
}

/* place[k] is where column k goes, -1: nowhere. */
static void take_sparse(const crd_features *f, const int32_t *place, crd_features *taken)
{
    int64_t at = 0;
    for (int64_t r = 0; r < f->rows; r++) {
        for (int64_t e = f->start[r]; e < f->start[r + 1]; e++) {
            if (place[f->column[e]] < 0) continue;
            taken->column[at] = place[f->column[e]];
            taken->value[at++] = f->value[e];
        }
        taken->start[r + 1] = at;
    }
}

crd_status crd_features_take_columns(crd_features *features, const int32_t *order, int64_t columns, crd_error *error)
{
    const crd_features *f = features;
    crd_features taken = {.rows = f->rows, .columns = columns};
    int32_t *place = NULL;
    int64_t cells;
    crd_status status;
    if (!f->sparse) {
        if (!crd_multiply(f->rows, columns, &cells)) return crd_fail_memory(error, SIZE_MAX);
        status = CRD_NEW(&taken.dense, cells, error);
        if (status == CRD_OK) take_dense(f, order, &taken);
    } else {
        status = crd_features_new_sparse(f->rows, columns, f->start[f->rows], &taken, error);
        if (status == CRD_OK) status = CRD_NEW(&place, f->columns, error);
        for (int64_t k = 0; k < f->columns && status == CRD_OK; k++) place[k] = -1;
        for (int64_t j = 0; j < columns && status == CRD_OK; j++)
            if (order[j] >= 0) place[order[j]] = (int32_t)j;
        if (status == CRD_OK) take_sparse(f, place, &taken);
        if (status == CRD_OK) status = sort_rows(&taken, error);
        crd_free(place);
    }
    if (status != CRD_OK) {
        crd_features_free(&taken);
        return status;
    }
    crd_features_free(features);
    *features = taken;
    return CRD_OK;
}
