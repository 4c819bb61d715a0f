/* Node features from single files: .npy, Matrix Market, LIBSVM, CSV. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "graph/raw.h"
#include "io/sniff.h"

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

static crd_status read_array(crd_source *source, crd_raw *raw, crd_error *error)
{
    crd_npy npy;
    crd_status status = crd_npy_header(source, &npy, error);
    return status == CRD_OK ? crd_take_feature_array(source, &npy, raw, error) : status;
}

crd_status crd_check_columns(const char *file, int64_t columns, int64_t rows, int64_t entries, crd_error *error)
{
    if (columns <= 1000000 || (columns - 1000001) / 1000 < rows + entries) return CRD_OK;
    return crd_fail(error, CRD_ERROR_FORMAT,
                    "%s: has %lld columns of features, which is out of all proportion to its %lld rows and "
                    "%lld entries",
                    file, (long long)columns, (long long)rows, (long long)entries);
}

/* A counting sort by row; the columns are put in order later. */
static crd_status rows_from_triplets(const crd_triplets *triplets, crd_features *features, crd_error *error)
{
    *features = (crd_features){.rows = triplets->rows, .columns = triplets->columns, .sparse = true};
    crd_status status = CRD_NEW_ZERO(&features->start, triplets->rows + 1, error);
    if (status == CRD_OK) status = CRD_NEW(&features->column, triplets->count, error);
    if (status == CRD_OK) status = CRD_NEW(&features->value, triplets->count, error);
    if (status != CRD_OK) return status;
    int64_t *start = features->start, rows = triplets->rows;
    for (int64_t i = 0; i < triplets->count; i++) start[triplets->row[i] + 1]++;
    for (int64_t r = 0; r < rows; r++) start[r + 1] += start[r];
    for (int64_t i = 0; i < triplets->count; i++) {
        int64_t place = start[triplets->row[i]]++;
        features->column[place] = triplets->column[i];
        features->value[place] = triplets->value == NULL ? 1.0f : triplets->value[i];
    }
    /* Filling moved every start to that of the next row. */
    for (int64_t r = rows; r > 0; r--) start[r] = start[r - 1];
    start[0] = 0;
    return CRD_OK;
}

static crd_status read_triplets(crd_source *source, bool mtx, crd_raw_features *features, crd_error *error)
{
    crd_triplets triplets = {0};
    crd_status status = crd_copy_string(&features->file, crd_source_name(source), error);
    if (status == CRD_OK)
        status = mtx ? crd_mtx_read(source, &triplets, error) : crd_svm_read(source, &triplets, error);
    if (status == CRD_OK)
        status = crd_check_columns(features->file, triplets.columns, triplets.rows, triplets.count, error);
    if (status == CRD_OK) status = rows_from_triplets(&triplets, &features->matrix, error);
    features->rows_declared = mtx;
    features->target = triplets.target;
    triplets.target = NULL;
    crd_triplets_free(&triplets);
    return status;
}

/* ---- a column of ids ---- */

static bool all_listed(const crd_ids *ids, const crd_name_index *list)
{
    for (int64_t i = 0; i < crd_ids_distinct(ids); i++) {
        char buffer[CRD_ID_SIZE];
        if (crd_name_index_find(list, crd_ids_distinct_text(ids, i, buffer)) < 0) return false;
    }
    return true;
}

/* Edges without ids refer to rows by number: then only the rows' own numbers can be ids. Without a header not even
 * those, because a table of values alone looks the same, above all OGB's. */
static bool is_id_column(const crd_raw *raw, const crd_text_matrix *matrix, const crd_name_index *list)
{
    if (raw->edges.by_id) return all_listed(&raw->edges.ids, list) && all_listed(&raw->labels.ids, list);
    return matrix->header && crd_are_numbers(matrix->row_names, matrix->rows);
}

/* Decides whether an undecided first column is ids. It is if no two cells are the same, and if its header says so or
 * it has the ids of all edges and labels read so far. */
static crd_status settle_first_column(crd_raw *raw, crd_text_matrix *matrix, crd_error *error)
{
    if (!matrix->undecided) return CRD_OK;
    crd_name_index *list;
    bool distinct = true;
    crd_status status = crd_name_index_new(&list, error);
    for (int64_t r = 0; r < matrix->rows && status == CRD_OK && distinct; r++) {
        int64_t number = r;
        status = crd_name_index_add(list, matrix->row_names[r], &number, error);
        distinct = number == r;
    }
    bool ids = status == CRD_OK && distinct && (matrix->names_by_header || is_id_column(raw, matrix, list));
    crd_name_index_free(&list);
    crd_text_matrix_decide(matrix, ids);
    if (status != CRD_OK || !ids || matrix->names_by_header) return status;
    return crd_note(&raw->notes, error, "%.300s: the first column is read as node ids", raw->features.file);
}

static crd_status read_matrix(crd_source *source, crd_raw *raw, crd_error *error)
{
    crd_text_matrix matrix = {0};
    crd_raw_features *features = &raw->features;
    crd_status status = crd_copy_string(&features->file, crd_source_name(source), error);
    if (status == CRD_OK) status = crd_csv_read_matrix(source, &matrix, error);
    if (status == CRD_OK && matrix.index_left_out) status = crd_note_index(raw, features->file, error);
    if (status == CRD_OK) status = settle_first_column(raw, &matrix, error);
    if (status != CRD_OK) {
        crd_text_matrix_free(&matrix);
        return status;
    }
    features->matrix = (crd_features){.rows = matrix.rows, .columns = matrix.columns, .dense = matrix.values};
    features->row_names = matrix.row_names;
    features->unnamed_ids = matrix.unnamed_ids;
    return CRD_OK;
}

crd_status crd_read_features(crd_source *source, const char *path, crd_raw *raw, crd_error *error)
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
    if (crd_is_npy(bytes, got)) return read_array(source, raw, error);
    bool svm = crd_is_svm(bytes, got) || has_ending(path, ".svm") || has_ending(path, ".libsvm") ||
               has_ending(path, ".svmlight");
    bool mtx = crd_is_mtx(bytes, got);
    crd_raw_features_free(&raw->features);
    if (mtx || svm) return read_triplets(source, mtx, &raw->features, error);
    return read_matrix(source, raw, error);
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
    if (status == CRD_OK && signs)
        status =
            crd_note(&raw->notes, error, "%.300s: the targets -1 and +1 are read as two classes", raw->features.file);
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
    free(number);
    return status;
}
