/* Station 2, named arrays: an .npz archive or a folder of .npy files, and single arrays. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "graph/raw.h"
#include "graph/split.h"

/* The names of a compressed matrix's four arrays in public copies of the same datasets. */
static const char *const adjacency_prefixes[] = {"adj_", "adj_matrix.", "adj.", NULL};
static const char *const attribute_prefixes[] = {"attr_", "attr_matrix.", "attr.", NULL};
static const char *const pair_names[] = {"edge_index", "edges", NULL};
static const char *const feature_names[] = {"attr_matrix", "x", "node_features", "features", NULL};
static const char *const label_names[] = {"labels", "y", "node_labels", NULL};
/* Known arrays that we do not use. */
static const char *const unused_names[] = {"attr_names", NULL};

enum { NAME_SIZE = 32 };

static const char *join(char name[NAME_SIZE], const char *prefix, const char *suffix)
{
    snprintf(name, NAME_SIZE, "%s%s", prefix, suffix);
    return name;
}

static const char *find_prefix(const crd_archive *archive, const char *const *prefixes)
{
    char name[NAME_SIZE];
    for (; *prefixes != NULL; prefixes++)
        if (crd_archive_has(archive, join(name, *prefixes, "indptr"))) return *prefixes;
    return NULL;
}

static const char *find_name(const crd_archive *archive, const char *const *names)
{
    for (; *names != NULL; names++)
        if (crd_archive_has(archive, *names)) return *names;
    return NULL;
}

bool crd_archive_has_graph(const crd_archive *archive)
{
    return find_prefix(archive, adjacency_prefixes) != NULL || find_name(archive, pair_names) != NULL;
}

static crd_status refuse_array(const crd_source *source, const crd_npy *npy, const char *expected, crd_error *error)
{
    char found[64];
    crd_npy_describe(npy, found, sizeof found);
    return crd_fail(error, CRD_ERROR_FORMAT, "%s: expected %s, found %s%s", crd_source_name(source), expected, found,
                    npy->kind == CRD_NPY_OBJECT ? " (pickled objects cannot be read safely)" : "");
}

static bool has_numbers(const crd_npy *npy)
{
    return npy->kind != CRD_NPY_UNICODE && npy->kind != CRD_NPY_BYTES && npy->kind != CRD_NPY_OBJECT;
}

/* ---- compressed matrices ---- */

/* A matrix in the arrays PREFIXindptr, PREFIXindices, PREFIXdata and PREFIXshape. */
typedef struct compressed {
    const char *prefix;
    crd_features matrix; /* value is NULL: all 1 */
    int64_t count;
} compressed;

typedef enum item_type { ITEM_INT32, ITEM_INT64, ITEM_FLOAT } item_type;

/* Reads a whole one-dimensional array; *count is its length. */
static crd_status read_vector(crd_archive *archive, const char *prefix, const char *suffix, item_type type, void *items,
                              int64_t *count, crd_error *error)
{
    char name[NAME_SIZE];
    crd_npy npy;
    crd_source *source;
    if (!crd_archive_has(archive, join(name, prefix, suffix)))
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: has no array '%s', expected one beside '%sindptr'",
                        crd_archive_name(archive), name, prefix);
    crd_status status = crd_archive_array(archive, name, &npy, &source, error);
    if (status != CRD_OK) return status;
    if (npy.dims != 1) status = refuse_array(source, &npy, "one dimension", error);
    else if (!has_numbers(&npy)) status = refuse_array(source, &npy, "numbers", error);
    else if (type == ITEM_INT32) status = crd_npy_read_int32(source, &npy, items, error);
    else if (type == ITEM_INT64) status = crd_npy_read_int64(source, &npy, items, error);
    else status = crd_npy_read_float(source, &npy, items, error);
    *count = npy.count;
    crd_source_free(&source);
    return status;
}

/* Messages name the arrays' items, which the user can look up. */
static crd_status check_compressed(const char *name, const compressed *c, crd_error *error)
{
    const crd_features *m = &c->matrix;
    const char *prefix = c->prefix;
    if (m->start[0] != 0)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s:%sindptr: starts with %lld, expected 0", name, prefix,
                        (long long)m->start[0]);
    for (int64_t i = 0; i < m->rows; i++)
        if (m->start[i + 1] < m->start[i])
            return crd_fail(error, CRD_ERROR_FORMAT, "%s:%sindptr: item %lld is %lld, less than the one before", name,
                            prefix, (long long)i + 1, (long long)m->start[i + 1]);
    if (m->start[m->rows] != c->count)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s:%sindptr: ends with %lld, but '%sindices' has %lld items", name,
                        prefix, (long long)m->start[m->rows], prefix, (long long)c->count);
    for (int64_t i = 0; i < c->count; i++)
        if (m->column[i] < 0 || m->column[i] >= m->columns)
            return crd_fail(error, CRD_ERROR_FORMAT, "%s:%sindices: item %lld is %d, expected 0 to %lld", name, prefix,
                            (long long)i, m->column[i], (long long)m->columns - 1);
    return CRD_OK;
}

/* Without a shape, an adjacency is square, and features end at their largest column. */
static crd_status guess_columns(const char *file, compressed *c, bool square, crd_raw *raw, crd_error *error)
{
    crd_features *m = &c->matrix;
    m->columns = square ? m->rows : 0;
    if (square) return CRD_OK;
    for (int64_t i = 0; i < c->count; i++)
        if (m->column[i] >= m->columns) m->columns = (int64_t)m->column[i] + 1;
    crd_status status = crd_check_columns(file, m->columns, m->rows, c->count, error);
    if (status != CRD_OK) return status;
    return crd_note(&raw->notes, error, "there is no '%sshape': the largest column makes it %lld features", c->prefix,
                    (long long)m->columns);
}

static crd_status take_shape(crd_archive *archive, compressed *c, bool square, crd_raw *raw, crd_error *error)
{
    char name[NAME_SIZE];
    const char *file = crd_archive_name(archive);
    int64_t *shape = NULL, count;
    if (!crd_archive_has(archive, join(name, c->prefix, "shape"))) return guess_columns(file, c, square, raw, error);
    crd_status status = read_vector(archive, c->prefix, "shape", ITEM_INT64, &shape, &count, error);
    if (status != CRD_OK) return status;
    if (count != 2 || shape[0] != c->matrix.rows || shape[1] < 0 || shape[1] > INT32_MAX)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s:%s: expected [%lld, columns], because '%sindptr' has %lld items",
                          file, name, (long long)c->matrix.rows, c->prefix, (long long)c->matrix.rows + 1);
    else c->matrix.columns = shape[1];
    free(shape);
    return status;
}

static crd_status read_compressed(crd_archive *archive, bool square, compressed *c, crd_raw *raw, crd_error *error)
{
    char name[NAME_SIZE];
    const char *prefix = c->prefix, *file = crd_archive_name(archive);
    crd_features *m = &c->matrix;
    int64_t count = 0;
    m->sparse = true;
    crd_status status = read_vector(archive, prefix, "indptr", ITEM_INT64, &m->start, &count, error);
    if (status == CRD_OK && (count < 1 || count - 1 > INT32_MAX))
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s:%sindptr: has %lld items, expected rows + 1", file, prefix,
                          (long long)count);
    m->rows = count - 1;
    if (status == CRD_OK && !square && raw->edges.nodes >= 0 && raw->edges.nodes != m->rows)
        status = crd_fail(error, CRD_ERROR_MISMATCH, "%s:%sindptr: has %lld rows, but the graph has %lld nodes", file,
                          prefix, (long long)m->rows, (long long)raw->edges.nodes);
    if (status == CRD_OK) status = read_vector(archive, prefix, "indices", ITEM_INT32, &m->column, &c->count, error);
    if (status == CRD_OK) status = take_shape(archive, c, square, raw, error);
    if (status == CRD_OK) status = check_compressed(file, c, error);
    if (status != CRD_OK || !crd_archive_has(archive, join(name, prefix, "data"))) return status;
    status = read_vector(archive, prefix, "data", ITEM_FLOAT, &m->value, &count, error);
    if (status == CRD_OK && count != c->count)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s:%sdata: has %lld items, but '%sindices' has %lld", file, prefix,
                          (long long)count, prefix, (long long)c->count);
    return status;
}

/* Entries of weight 0 are not edges. */
static void drop_zeros(crd_features *m)
{
    int64_t kept = 0, begin = 0;
    for (int64_t i = 0; i < m->rows; i++) {
        int64_t end = m->start[i + 1];
        for (int64_t e = begin; e < end; e++)
            if (m->value[e] != 0.0f) m->column[kept++] = m->column[e];
        begin = end;
        m->start[i + 1] = kept;
    }
}

static crd_status take_adjacency(crd_archive *archive, const char *prefix, crd_raw *raw, crd_error *error)
{
    compressed c = {.prefix = prefix};
    crd_features *m = &c.matrix;
    crd_raw_edges *edges = &raw->edges;
    const char *file = crd_archive_name(archive);
    int64_t zeros = 0;
    bool weighted = false;
    crd_status status = crd_copy_string(&edges->file, file, error);
    if (status == CRD_OK) status = read_compressed(archive, true, &c, raw, error);
    if (status == CRD_OK && m->rows != m->columns)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: the adjacency is %lld x %lld, expected a square matrix", file,
                          (long long)m->rows, (long long)m->columns);
    for (int64_t i = 0; i < c.count && status == CRD_OK && m->value != NULL; i++) {
        zeros += m->value[i] == 0.0f;
        weighted |= m->value[i] != 1.0f && m->value[i] != 0.0f;
    }
    if (status == CRD_OK) {
        if (zeros > 0) drop_zeros(m);
        edges->rows = (crd_graph){m->rows, m->start, m->column};
        edges->nodes = m->rows;
        edges->count = m->start[m->rows];
        m->start = NULL;
        m->column = NULL;
        status = crd_note_weights(raw, zeros, weighted, error);
    }
    crd_features_free(m);
    return status;
}

static crd_status take_attributes(crd_archive *archive, const char *prefix, crd_raw *raw, crd_error *error)
{
    compressed c = {.prefix = prefix};
    crd_status status = crd_copy_string(&raw->features.file, crd_archive_name(archive), error);
    if (status == CRD_OK) status = read_compressed(archive, false, &c, raw, error);
    if (status == CRD_OK && c.matrix.value == NULL) {
        status = CRD_NEW(&c.matrix.value, c.count, error);
        for (int64_t i = 0; i < c.count && status == CRD_OK; i++) c.matrix.value[i] = 1.0f;
    }
    if (status == CRD_OK) raw->features.matrix = c.matrix;
    else crd_features_free(&c.matrix);
    return status;
}

/* ---- single arrays ---- */

crd_status crd_take_edge_pairs(crd_source *source, const crd_npy *npy, bool two_rows, crd_raw *raw, crd_error *error)
{
    crd_raw_edges *edges = &raw->edges;
    bool rows = npy->dims == 2 && npy->shape[0] == 2, columns = npy->dims == 2 && npy->shape[1] == 2;
    if ((!rows && !columns) || !has_numbers(npy) || npy->kind == CRD_NPY_BOOL)
        return refuse_array(source, npy, "pairs of node numbers of shape [2,E] or [E,2]", error);
    if (rows && columns) rows = two_rows;
    int32_t *items = NULL;
    crd_status status = crd_copy_string(&edges->file, crd_source_name(source), error);
    if (status == CRD_OK) status = crd_npy_read_int32(source, npy, &items, error);
    int64_t count = npy->count / 2;
    if (status == CRD_OK) status = CRD_NEW(&edges->source, count, error);
    if (status == CRD_OK) status = CRD_NEW(&edges->target, count, error);
    for (int64_t i = 0; i < count && status == CRD_OK; i++) {
        int32_t from = items[rows ? i : 2 * i], to = items[rows ? count + i : 2 * i + 1];
        if (from < 0 || to < 0)
            status = crd_fail(error, CRD_ERROR_FORMAT, "%s: edge %lld has the negative node number %d", edges->file,
                              (long long)i, from < 0 ? from : to);
        edges->source[i] = from;
        edges->target[i] = to;
    }
    edges->count = count;
    free(items);
    return status;
}

crd_status crd_take_feature_array(crd_source *source, const crd_npy *npy, crd_raw *raw, crd_error *error)
{
    crd_raw_features *features = &raw->features;
    if (npy->dims < 1 || npy->dims > 2 || !has_numbers(npy))
        return refuse_array(source, npy, "numbers of shape [nodes,features]", error);
    crd_raw_features_free(features);
    crd_status status = crd_raw_expect(raw, crd_source_name(source), npy->shape[0], error);
    if (status == CRD_OK) status = crd_copy_string(&features->file, crd_source_name(source), error);
    if (status == CRD_OK) status = crd_npy_read_float(source, npy, &features->matrix.dense, error);
    features->matrix.rows = npy->shape[0];
    features->matrix.columns = npy->dims == 2 ? npy->shape[1] : 1;
    features->rows_declared = features->matrix.columns == 0; /* such an array has a shape, but no bytes */
    return status;
}

/* In arrays of floats, NaN is an unknown label. */
static crd_status take_float_labels(crd_source *source, const crd_npy *npy, int64_t **number, crd_error *error)
{
    double *items = NULL;
    crd_status status = crd_npy_read_double(source, npy, &items, error);
    if (status == CRD_OK) status = CRD_NEW(number, npy->count, error);
    for (int64_t i = 0; i < npy->count && status == CRD_OK; i++) {
        if (isnan(items[i])) (*number)[i] = CRD_LABEL_MISSING;
        else if (items[i] == floor(items[i]) && fabs(items[i]) <= 1e15) (*number)[i] = (int64_t)items[i];
        else
            status = crd_fail(error, CRD_ERROR_FORMAT, "%s: label %lld is %g, expected a whole number",
                              crd_source_name(source), (long long)i, items[i]);
    }
    free(items);
    return status;
}

static crd_status take_text_labels(crd_source *source, const crd_npy *npy, crd_raw_labels *labels, crd_error *error)
{
    char **items;
    crd_status status = crd_npy_read_strings(source, npy, &items, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < npy->count && status == CRD_OK; i++)
        status = crd_raw_add_label(labels, crd_trim(items[i]), 0, error);
    labels->names_only = true;
    crd_strings_free(&items, npy->count);
    return status;
}

crd_status crd_take_label_array(crd_source *source, const crd_npy *npy, crd_raw *raw, crd_error *error)
{
    crd_raw_labels *labels = &raw->labels;
    bool column = npy->dims == 2 && npy->shape[1] == 1;
    int64_t *number = NULL;
    if ((npy->dims != 1 && !column) || npy->kind == CRD_NPY_OBJECT)
        return refuse_array(source, npy, "one label per node: whole numbers or names of shape [nodes]", error);
    crd_raw_labels_free(labels);
    crd_status status = crd_raw_expect(raw, crd_source_name(source), npy->count, error);
    if (status == CRD_OK) status = crd_copy_string(&labels->file, crd_source_name(source), error);
    if (status != CRD_OK) return status;
    if (!has_numbers(npy)) return take_text_labels(source, npy, labels, error);
    status = npy->kind == CRD_NPY_FLOAT ? take_float_labels(source, npy, &number, error)
                                        : crd_npy_read_int64(source, npy, &number, error);
    if (status == CRD_OK) status = crd_raw_take_numbers(labels, number, npy->count, error);
    free(number);
    return status;
}

/* ---- all of them ---- */

typedef enum array_kind { EDGE_INDEX, EDGES, FEATURES, LABELS } array_kind;

static crd_status take_array(crd_archive *archive, const char *name, array_kind kind, crd_raw *raw, crd_error *error)
{
    crd_npy npy;
    crd_source *source;
    crd_status status = crd_archive_array(archive, name, &npy, &source, error);
    if (status != CRD_OK) return status;
    if (kind == FEATURES) status = crd_take_feature_array(source, &npy, raw, error);
    else if (kind == LABELS) status = crd_take_label_array(source, &npy, raw, error);
    /* edge_index has two rows of E numbers, edges has E rows of two. */
    else status = crd_take_edge_pairs(source, &npy, kind == EDGE_INDEX, raw, error);
    crd_source_free(&source);
    return status;
}

/* Names are optional: a name array that cannot be read is left out, and a note says so. */
static crd_status take_names(crd_archive *archive, const char *name, crd_raw *raw, crd_raw_names *names,
                             crd_error *error)
{
    crd_npy npy;
    crd_source *source;
    if (!crd_archive_has(archive, name)) return CRD_OK;
    crd_status status = crd_archive_array(archive, name, &npy, &source, error);
    if (status != CRD_OK) return status;
    if (npy.kind == CRD_NPY_OBJECT)
        status =
            crd_note(&raw->notes, error, "'%s' holds pickled objects, which cannot be read safely: left out", name);
    else if (npy.dims != 1 || npy.count == 0)
        status = crd_note(&raw->notes, error, "'%s' is not a list of names and is left out", name);
    else {
        if (names == &raw->nodes) status = crd_raw_expect(raw, crd_source_name(source), npy.count, error);
        if (status == CRD_OK) status = crd_copy_string(&names->file, crd_source_name(source), error);
        if (status == CRD_OK) status = crd_npy_read_strings(source, &npy, &names->name, error);
        if (status == CRD_OK) names->count = npy.count;
    }
    crd_source_free(&source);
    return status;
}

static bool is_among(const char *name, const char *const *names)
{
    for (; *names != NULL; names++)
        if (strcmp(name, *names) == 0) return true;
    return false;
}

static bool is_part_of(const char *name, const char *prefix)
{
    static const char *const suffixes[] = {"data", "indices", "indptr", "shape", NULL};
    size_t length = prefix == NULL ? 0 : strlen(prefix);
    return prefix != NULL && strncmp(name, prefix, length) == 0 && is_among(name + length, suffixes);
}

static crd_status note_unknown(const crd_archive *archive, const char *const *used, const char *adjacency,
                               const char *attributes, crd_raw *raw, crd_error *error)
{
    enum { LISTED = 8 };
    int64_t unknown = 0;
    crd_text list = {0};
    for (int64_t i = 0; i < crd_archive_count(archive); i++) {
        const char *name = crd_archive_array_name(archive, i);
        if (is_among(name, used) || is_among(name, unused_names) || is_part_of(name, adjacency) ||
            is_part_of(name, attributes) || crd_is_split_array(name) || ++unknown > LISTED)
            continue;
        crd_text_format(&list, "%s'%.40s'", unknown > 1 ? ", " : "", name);
    }
    if (unknown > LISTED) crd_text_format(&list, " and %lld more", (long long)(unknown - LISTED));
    char *names;
    crd_status status = crd_text_finish(&list, &names, error);
    if (status == CRD_OK && unknown > 0) status = crd_note(&raw->notes, error, "arrays that are not used: %s", names);
    crd_string_free(&names);
    return status;
}

crd_status crd_read_archive(crd_archive *archive, const crd_open_options *options, crd_raw *raw, crd_error *error)
{
    const char *adjacency = find_prefix(archive, adjacency_prefixes);
    const char *attributes = find_prefix(archive, attribute_prefixes);
    const char *pairs = adjacency != NULL ? NULL : find_name(archive, pair_names);
    const char *features = attributes != NULL ? NULL : find_name(archive, feature_names);
    const char *labels = find_name(archive, label_names);
    bool own_features = options == NULL || options->features == NULL;
    bool own_labels = options == NULL || options->labels == NULL;
    crd_status status;
    if (adjacency != NULL) status = take_adjacency(archive, adjacency, raw, error);
    else if (pairs != NULL)
        status = take_array(archive, pairs, strcmp(pairs, "edge_index") == 0 ? EDGE_INDEX : EDGES, raw, error);
    else
        status = crd_fail(error, CRD_ERROR_FORMAT,
                          "%s: has no graph; expected the arrays adj_indptr and adj_indices, or edge_index",
                          crd_archive_name(archive));
    if (status == CRD_OK && own_features && attributes != NULL)
        status = take_attributes(archive, attributes, raw, error);
    if (status == CRD_OK && own_features && features != NULL)
        status = take_array(archive, features, FEATURES, raw, error);
    if (status == CRD_OK && own_labels && labels != NULL) status = take_array(archive, labels, LABELS, raw, error);
    if (status == CRD_OK) status = take_names(archive, "node_names", raw, &raw->nodes, error);
    if (status == CRD_OK && own_labels) status = take_names(archive, "class_names", raw, &raw->classes, error);
    if (status == CRD_OK) status = crd_raw_check_class_names(raw, error);
    const char *used[] = {"node_names",
                          "class_names",
                          labels != NULL ? labels : "labels",
                          features != NULL ? features : "labels",
                          pairs != NULL ? pairs : "labels",
                          NULL};
    if (status == CRD_OK) status = note_unknown(archive, used, adjacency, attributes, raw, error);
    return status;
}
