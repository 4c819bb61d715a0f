/* SPDX-License-Identifier: MIT */
/* Node features from single files of text: Matrix Market and LIBSVM; tables are in read_table.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "graph/raw.h"

enum { LOOK_AHEAD = 4096 };

static bool is_svm_name(const char *path)
{
    static const char *const endings[] = {".svm", ".libsvm", ".svmlight", ".svm.gz", ".libsvm.gz", ".svmlight.gz"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (crd_ends_with(path, endings[i])) return true;
    return false;
}

crd_status crd_check_columns(const char *file, int64_t columns, int64_t rows, int64_t entries, crd_error *error)
{
    if (columns <= 1000000 || (columns - 1000001) / 1000 < rows + entries) return CRD_OK;
    return crd_fail(error, CRD_ERROR_FORMAT,
                    "%s: has %lld columns of features, which is out of all proportion to its %lld rows and "
                    "%lld entries",
                    file, (long long)columns, (long long)rows, (long long)entries);
}

static crd_status read_triplets(crd_source *source, bool mtx, crd_raw_features *features, crd_error *error)
{
    crd_triplets triplets = {0};
    crd_features *matrix = &features->matrix;
    crd_status status = crd_copy_string(&features->file, crd_source_name(source), error);
    if (status == CRD_OK)
        status = mtx ? crd_mtx_read(source, &triplets, error) : crd_svm_read(source, &triplets, error);
    if (status == CRD_OK)
        status = crd_check_columns(features->file, triplets.columns, triplets.rows, triplets.count, error);
    if (status == CRD_OK)
        status = crd_features_new_sparse(triplets.rows, triplets.columns, triplets.count, matrix, error);
    if (status == CRD_OK)
        status = crd_gather_rows(triplets.rows, triplets.count, triplets.row, triplets.column, triplets.value,
                                 matrix->start, matrix->column, matrix->value, error);
    for (int64_t i = 0; i < triplets.count && status == CRD_OK && triplets.value == NULL; i++) matrix->value[i] = 1.0f;
    features->rows_declared = mtx;
    features->target = triplets.target;
    triplets.target = NULL;
    crd_triplets_free(&triplets);
    return status;
}

crd_status crd_read_features(crd_source *source, crd_raw *raw, crd_error *error)
{
    const uint8_t *bytes;
    size_t got;
    crd_status status = crd_source_peek(source, LOOK_AHEAD, &bytes, &got, error);
    if (status != CRD_OK) return status;
    if (crd_is_json_object(bytes, got)) return crd_read_feature_lists(source, raw, error);
    const bool mtx = crd_is_mtx(bytes, got), svm = crd_is_svm(bytes, got) || is_svm_name(crd_source_name(source));
    return mtx || svm ? read_triplets(source, mtx, &raw->features, error) : crd_read_feature_table(source, raw, error);
}

/* ---- LIBSVM's leading column ---- */

/* Two classes are often written -1 and +1; elsewhere, -1 means "unknown". */
static bool are_signs(const float *target, int64_t rows)
{
    int64_t plus = 0;
    for (int64_t i = 0; i < rows; i++) {
        if (target[i] != 1.0f && target[i] != -1.0f) return false;
        plus += target[i] > 0;
    }
    return plus > 0 && plus < rows;
}

/* Without a file of labels, the leading column is the labels. */
crd_status crd_take_targets(crd_raw *raw, crd_error *error)
{
    static const char *const sign_names[2] = {"-1", "+1"};
    const float *target = raw->features.target;
    const int64_t rows = raw->features.matrix.rows;
    int64_t *number;
    if (raw->labels.file != NULL || target == NULL) return CRD_OK;
    bool signs = raw->classes.name == NULL && are_signs(target, rows);
    crd_status status = CRD_NEW(&number, rows, error);
    if (status != CRD_OK) return status;
    status = crd_copy_string(&raw->labels.file, raw->features.file, error);
    if (status == CRD_OK && signs) status = crd_raw_copy_names(&raw->classes, raw->features.file, sign_names, 2, error);
    if (status == CRD_OK)
        status =
            crd_note(&raw->notes, error, "there is no file of labels: the classes are the first column of %.300s%s",
                     raw->features.file, signs ? ", -1 and +1" : "");
    for (int64_t i = 0; i < rows && status == CRD_OK; i++) {
        if (signs) number[i] = target[i] > 0;
        else if (isnan(target[i])) number[i] = CRD_LABEL_MISSING;
        else if (target[i] == floorf(target[i]) && fabsf(target[i]) < 1e9f) number[i] = (int64_t)target[i];
        else
            status = crd_fail(error, CRD_ERROR_FORMAT,
                              "%s: row %lld: the target is %g, expected a class number (or give the labels)",
                              raw->labels.file, (long long)i, (double)target[i]);
    }
    if (status == CRD_OK) status = crd_raw_take_numbers(&raw->labels, number, rows, error);
    crd_free(number);
    return status;
}
