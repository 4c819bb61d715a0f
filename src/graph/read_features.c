/* Node features from single files: .npy, Matrix Market, LIBSVM, CSV. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/array_parts.h"
#include "graph/parts.h"
#include "graph/settle_ids.h"
#include "base/numbers.h"

enum { LOOK_AHEAD = 4096 };

static bool has_ending(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    if (length > 3 && crd_is_word(path + length - 3, ".gz")) length -= 3;
    if (length < tail) return false;
    for (size_t i = 0; i < tail; i++) {
        char c = path[length - tail + i];
        if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
        if (c != ending[i]) return false;
    }
    return true;
}

static crd_status read_array(crd_source *source, crd_parts *parts, crd_error *error)
{
    crd_npy npy;
    crd_status status = crd_npy_header(source, &npy, error);
    return status == CRD_OK ? crd_take_feature_array(source, &npy, parts, error) : status;
}

static crd_status read_triplets(crd_source *source, bool mtx, crd_parts *parts, crd_error *error)
{
    crd_feature_part *part = &parts->features;
    crd_status status = crd_copy_string(&part->file, crd_source_name(source), error);
    if (status == CRD_OK)
        status = mtx ? crd_mtx_read(source, &part->triplets, error)
                     : crd_svm_read(source, &part->triplets, error);
    if (status != CRD_OK) return status;
    part->triplets_used = true;
    part->rows = part->triplets.rows;
    part->rows_declared = mtx;
    return CRD_OK;
}

static crd_status read_matrix(crd_source *source, crd_parts *parts, crd_error *error)
{
    crd_text_matrix matrix = {0};
    crd_status status = crd_copy_string(&parts->features.file, crd_source_name(source), error);
    if (status == CRD_OK) status = crd_csv_read_matrix(source, &matrix, error);
    if (status == CRD_OK && matrix.index_left_out)
        status = crd_note_index(parts, parts->features.file, error);
    if (status == CRD_OK) status = crd_settle_first_column(parts, parts->features.file, &matrix, error);
    if (status != CRD_OK) {
        crd_text_matrix_free(&matrix);
        return status;
    }
    crd_features *features = &parts->dataset->features;
    features->rows = parts->features.rows = matrix.rows;
    features->columns = matrix.columns;
    features->dense = matrix.values;
    parts->features.row_names = matrix.row_names;
    parts->features.unnamed_ids = matrix.unnamed_ids;
    return CRD_OK;
}

crd_status crd_read_features(crd_source *source, const char *path, crd_parts *parts, crd_error *error)
{
    const uint8_t *bytes;
    size_t got;
    crd_status status = crd_source_peek(source, LOOK_AHEAD, &bytes, &got, error);
    if (status != CRD_OK) return status;
    if (got == 0)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: the file is empty, expected node features",
                        crd_source_name(source));
    if (crd_is_zip(bytes, got))
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%s: is an archive, expected node features as .npy, .csv, .tsv, .svm or .mtx",
                        crd_source_name(source));
    if (crd_is_npy(bytes, got)) return read_array(source, parts, error);
    bool svm = crd_is_svm(bytes, got) || has_ending(path, ".svm") || has_ending(path, ".libsvm")
               || has_ending(path, ".svmlight");
    bool mtx = crd_is_mtx(bytes, got);
    crd_features_part_free(parts);
    if (mtx || svm) return read_triplets(source, mtx, parts, error);
    return read_matrix(source, parts, error);
}

/* Two classes are often written -1 and +1, where -1 says "unknown" elsewhere. */
static bool are_signs(const crd_triplets *triplets)
{
    int64_t plus = 0;
    for (int64_t i = 0; i < triplets->rows; i++) {
        if (triplets->target[i] != 1.0f && triplets->target[i] != -1.0f) return false;
        plus += triplets->target[i] > 0;
    }
    return plus > 0 && plus < triplets->rows;
}

static crd_status name_signs(crd_parts *parts, crd_error *error)
{
    static const char *const names[2] = {"-1", "+1"};
    crd_status status = CRD_NEW_ZERO(&parts->class_names, 2, error);
    if (status != CRD_OK) return status;
    parts->class_name_count = 2;
    for (int c = 0; c < 2 && status == CRD_OK; c++)
        status = crd_copy_string(&parts->class_names[c], names[c], error);
    if (status == CRD_OK) status = crd_copy_string(&parts->classes_file, parts->features.file, error);
    if (status != CRD_OK) return status;
    return crd_dataset_add_note(parts->dataset, error,
                                "%.300s: the targets -1 and +1 are read as two classes",
                                parts->features.file);
}

/* Without the labels' own file, the leading column is all there is. */
crd_status crd_take_targets(crd_parts *parts, crd_error *error)
{
    const crd_triplets *triplets = &parts->features.triplets;
    crd_label_part *labels = &parts->labels;
    if (labels->file != NULL || !parts->features.triplets_used || triplets->target == NULL) return CRD_OK;
    bool signs = parts->class_names == NULL && are_signs(triplets);
    crd_status status = crd_copy_string(&labels->file, parts->features.file, error);
    if (status == CRD_OK) status = CRD_NEW(&labels->number, triplets->rows, error);
    if (status == CRD_OK && signs) status = name_signs(parts, error);
    labels->count = triplets->rows;
    labels->class_indices = true;
    for (int64_t i = 0; i < triplets->rows && status == CRD_OK; i++) {
        float target = triplets->target[i];
        if (signs) labels->number[i] = target > 0;
        else if (isnan(target)) labels->number[i] = CRD_LABEL_MISSING;
        else if (target == floorf(target) && fabsf(target) < 1e9f) labels->number[i] = (int64_t)target;
        else
            status = crd_fail(error, CRD_ERROR_FORMAT,
                              "%s: row %lld: the target is %g, expected a class number (or give the labels)",
                              labels->file, (long long)i, (double)target);
    }
    return status;
}
