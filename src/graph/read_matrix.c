/* SPDX-License-Identifier: MIT */
#include "graph/read_matrix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *crd_array_name(char name[CRD_ARRAY_NAME], const char *prefix, const char *suffix)
{
    snprintf(name, CRD_ARRAY_NAME, "%s%s", prefix, suffix);
    return name;
}

crd_status crd_refuse_array(const crd_source *source, const crd_npy *npy, const char *expected, crd_error *error)
{
    char found[64];
    crd_npy_describe(npy, found, sizeof found);
    return crd_fail(error, CRD_ERROR_FORMAT, "%s: expected %s, found %s%s", crd_source_name(source), expected, found,
                    npy->kind == CRD_NPY_OBJECT ? " (pickled objects cannot be read safely)" : "");
}

bool crd_array_has_numbers(const crd_npy *npy)
{
    return !crd_npy_has_text(npy) && npy->kind != CRD_NPY_OBJECT;
}

/* ---- compressed matrices: the arrays PREFIXindptr, PREFIXindices, PREFIXdata and PREFIXshape ---- */

/* Reads a whole one-dimensional array; *count is its length. */
static crd_status read_vector(crd_archive *archive, const char *prefix, const char *suffix, crd_npy_type type,
                              void *items, int64_t *count, crd_error *error)
{
    char name[CRD_ARRAY_NAME];
    crd_npy npy;
    crd_source *source;
    if (!crd_archive_has(archive, crd_array_name(name, prefix, suffix)))
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: has no array '%s', expected one beside '%sindptr'",
                        crd_archive_name(archive), name, prefix);
    crd_status status = crd_archive_array(archive, name, &npy, &source, error);
    if (status != CRD_OK) return status;
    if (npy.dims != 1 || !crd_array_has_numbers(&npy))
        status = crd_refuse_array(source, &npy, "numbers of one dimension", error);
    else status = crd_npy_read(source, &npy, type, items, error);
    *count = npy.count;
    crd_source_free(&source);
    return status;
}

/* Messages name the array's items, which the user can look up. Columns are checked when the matrix is tidied. */
static crd_status check_indptr(const char *file, const char *prefix, const crd_features *m, int64_t entries,
                               crd_error *error)
{
    if (m->start[0] != 0)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s:%sindptr: starts with %lld, expected 0", file, prefix,
                        (long long)m->start[0]);
    for (int64_t i = 0; i < m->rows; i++)
        if (m->start[i + 1] < m->start[i])
            return crd_fail(error, CRD_ERROR_FORMAT, "%s:%sindptr: item %lld is %lld, less than the one before", file,
                            prefix, (long long)i + 1, (long long)m->start[i + 1]);
    if (m->start[m->rows] != entries)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s:%sindptr: ends with %lld, but '%sindices' has %lld items", file,
                        prefix, (long long)m->start[m->rows], prefix, (long long)entries);
    return CRD_OK;
}

/* Without a shape, an adjacency is square, and features end at their largest column. */
static crd_status guess_columns(const char *file, const char *prefix, bool square, crd_raw *raw, crd_features *m,
                                crd_error *error)
{
    m->columns = square ? m->rows : 0;
    if (square) return CRD_OK;
    for (int64_t i = 0; i < m->start[m->rows]; i++)
        if (m->column[i] >= m->columns) m->columns = (int64_t)m->column[i] + 1;
    crd_status status = crd_check_columns(file, m->columns, m->rows, m->start[m->rows], error);
    if (status != CRD_OK) return status;
    return crd_note(&raw->notes, error, "there is no '%sshape': the largest column makes it %lld features", prefix,
                    (long long)m->columns);
}

/* Rows and columns, if there is a shape. */
static crd_status take_shape(crd_archive *archive, const char *prefix, crd_features *m, crd_error *error)
{
    char name[CRD_ARRAY_NAME];
    const char *file = crd_archive_name(archive);
    int64_t *shape = NULL, count;
    (void)crd_array_name(name, prefix, "shape");
    crd_status status = read_vector(archive, prefix, "shape", CRD_NPY_I8, &shape, &count, error);
    if (status != CRD_OK) return status;
    if (count != 2 || shape[0] != m->rows || shape[1] < 0 || shape[1] > CRD_MAX_FEATURES)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s:%s: expected [%lld, columns], because '%sindptr' has %lld items",
                          file, name, (long long)m->rows, prefix, (long long)m->rows + 1);
    else m->columns = shape[1];
    crd_free(shape);
    return status;
}

static crd_status read_rows(crd_archive *archive, const char *prefix, crd_features *m, crd_error *error)
{
    const char *file = crd_archive_name(archive);
    int64_t starts = 0;
    m->sparse = true;
    crd_status status = read_vector(archive, prefix, "indptr", CRD_NPY_I8, &m->start, &starts, error);
    if (status == CRD_OK && (starts < 1 || starts - 1 > CRD_MAX_NODES))
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s:%sindptr: has %lld items, expected rows + 1", file, prefix,
                          (long long)starts);
    m->rows = starts - 1;
    return status;
}

static crd_status read_columns(crd_archive *archive, const char *prefix, crd_features *m, crd_error *error)
{
    int64_t entries = 0;
    crd_status status = read_vector(archive, prefix, "indices", CRD_NPY_I4, &m->column, &entries, error);
    return status == CRD_OK ? check_indptr(crd_archive_name(archive), prefix, m, entries, error) : status;
}

static crd_status read_values(crd_archive *archive, const char *prefix, const char *beside, int64_t entries,
                              float **value, crd_error *error)
{
    int64_t values = 0;
    crd_status status = read_vector(archive, prefix, "data", CRD_NPY_F4, value, &values, error);
    if (status != CRD_OK || values == entries) return status;
    return crd_fail(error, CRD_ERROR_FORMAT, "%s:%sdata: has %lld items, but '%s%s' has %lld",
                    crd_archive_name(archive), prefix, (long long)values, prefix, beside, (long long)entries);
}

crd_status crd_read_compressed(crd_archive *archive, const char *prefix, bool square, crd_raw *raw, crd_features *m,
                               crd_error *error)
{
    char name[CRD_ARRAY_NAME];
    const char *file = crd_archive_name(archive);
    crd_status status = read_rows(archive, prefix, m, error);
    if (status == CRD_OK && !square && raw->edges.nodes >= 0 && raw->edges.nodes != m->rows)
        status = crd_fail(error, CRD_ERROR_MISMATCH, "%s:%sindptr: has %lld rows, but the graph has %lld nodes", file,
                          prefix, (long long)m->rows, (long long)raw->edges.nodes);
    if (status == CRD_OK) status = read_columns(archive, prefix, m, error);
    if (status == CRD_OK)
        status = crd_archive_has(archive, crd_array_name(name, prefix, "shape"))
                     ? take_shape(archive, prefix, m, error)
                     : guess_columns(file, prefix, square, raw, m, error);
    if (status != CRD_OK || !crd_archive_has(archive, crd_array_name(name, prefix, "data"))) return status;
    return read_values(archive, prefix, "indices", m->start[m->rows], &m->value, error);
}

/* ---- SciPy ---- */

bool crd_is_scipy(const crd_archive *archive)
{
    return crd_archive_has(archive, "format") && crd_archive_has(archive, "shape") && crd_archive_has(archive, "data");
}

bool crd_is_scipy_array(const char *name)
{
    static const char *const names[] = {"format", "shape", "data", "indices", "indptr", "row", "col", "_is_array"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

/* The text of a single item: "csr". */
static crd_status read_format(crd_archive *archive, char format[16], crd_error *error)
{
    crd_npy npy;
    crd_source *source;
    char **text = NULL;
    crd_status status = crd_archive_array(archive, "format", &npy, &source, error);
    if (status == CRD_OK && (npy.count != 1 || !crd_npy_has_text(&npy)))
        status = crd_refuse_array(source, &npy, "the name of a format of scipy.sparse", error);
    if (status == CRD_OK) status = crd_npy_read(source, &npy, CRD_NPY_TEXT, &text, error);
    if (status == CRD_OK) snprintf(format, 16, "%s", text[0]);
    crd_strings_free(&text, npy.count);
    crd_source_free(&source);
    return status;
}

/* A shape costs no bytes, so rows that nothing else has are believed only if entries make them likely. */
static crd_status read_shape(crd_archive *archive, const crd_raw *raw, bool square, int64_t entries, crd_features *m,
                             crd_error *error)
{
    const char *file = crd_archive_name(archive);
    int64_t *shape = NULL, count;
    crd_status status = read_vector(archive, "", "shape", CRD_NPY_I8, &shape, &count, error);
    if (status == CRD_OK && (count != 2 || shape[0] < 0 || shape[1] < 0 || shape[1] > CRD_MAX_FEATURES))
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s:shape: expected the numbers of rows and columns", file);
    if (status == CRD_OK) {
        m->rows = shape[0];
        m->columns = shape[1];
    }
    crd_free(shape);
    if (status != CRD_OK || (!square && raw->edges.nodes == m->rows)) return status;
    if (m->rows <= CRD_MAX_NODES &&
        crd_believable_nodes(m->rows, entries + raw->edges.count + raw->labels.count + (square ? m->columns : 0)))
        return CRD_OK;
    return crd_fail(error, CRD_ERROR_FORMAT, "%s:shape: has %lld rows, which is out of all proportion to %lld entries",
                    file, (long long)m->rows, (long long)entries);
}

static crd_status check_range(const crd_archive *archive, const char *array, const int32_t *item, int64_t count,
                              int64_t end, crd_error *error)
{
    for (int64_t i = 0; i < count; i++)
        if (item[i] < 0 || item[i] >= end)
            return crd_fail(error, CRD_ERROR_FORMAT, "%s:%s: item %lld is %d, expected 0 to %lld",
                            crd_archive_name(archive), array, (long long)i, (int)item[i], (long long)end - 1);
    return CRD_OK;
}

/* Compressed columns are the compressed rows of the transpose. */
static crd_status read_csc(crd_archive *archive, bool square, const crd_raw *raw, crd_features *m, crd_error *error)
{
    crd_features transpose = {0}, shape = {0};
    crd_status status = read_rows(archive, "", &transpose, error);
    if (status == CRD_OK) status = read_columns(archive, "", &transpose, error);
    const int64_t entries = status == CRD_OK ? transpose.start[transpose.rows] : 0;
    if (status == CRD_OK) status = read_values(archive, "", "indices", entries, &transpose.value, error);
    if (status == CRD_OK) status = read_shape(archive, raw, square, entries, &shape, error);
    if (status == CRD_OK && shape.columns != transpose.rows)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s:shape: has %lld columns, but 'indptr' has %lld items",
                          crd_archive_name(archive), (long long)shape.columns, (long long)transpose.rows + 1);
    if (status == CRD_OK) status = check_range(archive, "indices", transpose.column, entries, shape.rows, error);
    transpose.columns = shape.rows;
    if (status == CRD_OK) status = crd_features_transpose(&transpose, m, error);
    crd_features_free(&transpose);
    return status;
}

static crd_status read_coo(crd_archive *archive, bool square, const crd_raw *raw, crd_features *m, crd_error *error)
{
    int32_t *row = NULL, *column = NULL;
    float *value = NULL;
    int64_t entries = 0, columns = 0;
    crd_features shape = {0};
    crd_status status = read_vector(archive, "", "row", CRD_NPY_I4, &row, &entries, error);
    if (status == CRD_OK) status = read_vector(archive, "", "col", CRD_NPY_I4, &column, &columns, error);
    if (status == CRD_OK && columns != entries)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s:col: has %lld items, but 'row' has %lld",
                          crd_archive_name(archive), (long long)columns, (long long)entries);
    if (status == CRD_OK) status = read_values(archive, "", "row", entries, &value, error);
    if (status == CRD_OK) status = read_shape(archive, raw, square, entries, &shape, error);
    if (status == CRD_OK) status = check_range(archive, "row", row, entries, shape.rows, error);
    if (status == CRD_OK) status = check_range(archive, "col", column, entries, shape.columns, error);
    if (status == CRD_OK) status = crd_features_new_sparse(shape.rows, shape.columns, entries, m, error);
    if (status == CRD_OK)
        status = crd_gather_rows(shape.rows, entries, row, column, value, m->start, m->column, m->value, error);
    crd_free(row);
    crd_free(column);
    crd_free(value);
    return status;
}

crd_status crd_read_scipy(crd_archive *archive, bool square, crd_raw *raw, crd_features *m, crd_error *error)
{
    char format[16];
    crd_status status = read_format(archive, format, error);
    if (status != CRD_OK) return status;
    if (strcmp(format, "csr") == 0) status = crd_read_compressed(archive, "", square, raw, m, error);
    else if (strcmp(format, "csc") == 0) status = read_csc(archive, square, raw, m, error);
    else if (strcmp(format, "coo") == 0) status = read_coo(archive, square, raw, m, error);
    else
        status = crd_fail(error, CRD_ERROR_FORMAT,
                          "%s: is a sparse matrix of SciPy's format %s, expected csr, csc or coo; convert it with "
                          "Python: scipy.sparse.save_npz(FILE, matrix.tocsr())",
                          crd_archive_name(archive), format);
    if (status == CRD_OK && !square)
        status = crd_check_columns(crd_archive_name(archive), m->columns, m->rows, m->start[m->rows], error);
    return status;
}
