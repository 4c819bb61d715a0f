/* SPDX-License-Identifier: MIT */
/* Station 2, named arrays: an .npz archive or a folder of .npy files, and single arrays. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "graph/raw.h"
#include "graph/read_matrix.h"
#include "graph/split.h"

/* The names of a compressed matrix's four arrays in public copies of the same datasets. */
static const char *const adjacency_prefixes[] = {"adj_", "adj_matrix.", "adj.", NULL};
static const char *const attribute_prefixes[] = {"attr_", "attr_matrix.", "attr.", NULL};

static const char *find_prefix(const crd_archive *archive, const char *const *prefixes)
{
    char name[CRD_ARRAY_NAME];
    for (; *prefixes != NULL; prefixes++)
        if (crd_archive_has(archive, crd_array_name(name, *prefixes, "indptr"))) return *prefixes;
    return NULL;
}

/* ---- sparse matrices ---- */

/* Without a prefix, the matrix is SciPy's. */
static crd_status read_matrix(crd_archive *archive, const char *prefix, bool square, crd_raw *raw, crd_features *m,
                              crd_error *error)
{
    return prefix != NULL ? crd_read_compressed(archive, prefix, square, raw, m, error)
                          : crd_read_scipy(archive, square, raw, m, error);
}

static crd_status take_adjacency(crd_archive *archive, const char *prefix, crd_raw *raw, crd_error *error)
{
    crd_features m = {0};
    crd_raw_edges *edges = &raw->edges;
    const char *file = crd_archive_name(archive);
    crd_status status = crd_copy_string(&edges->file, file, error);
    if (status == CRD_OK) status = read_matrix(archive, prefix, true, raw, &m, error);
    if (status == CRD_OK && m.rows != m.columns)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: the adjacency is %lld x %lld, expected a square matrix", file,
                          (long long)m.rows, (long long)m.columns);
    if (status == CRD_OK) {
        edges->rows = (crd_graph){.nodes = m.rows, .start = m.start, .neighbour = m.column};
        edges->nodes = m.rows;
        edges->count = m.start[m.rows];
        edges->weight = m.value;
        m.start = NULL;
        m.column = NULL;
        m.value = NULL;
    }
    crd_features_free(&m);
    return status;
}

static crd_status take_attributes(crd_archive *archive, const char *prefix, crd_raw *raw, crd_error *error)
{
    crd_features *m = &raw->features.matrix;
    crd_status status = crd_copy_string(&raw->features.file, crd_archive_name(archive), error);
    if (status == CRD_OK) status = read_matrix(archive, prefix, false, raw, m, error);
    if (status != CRD_OK || m->value != NULL) return status;
    status = CRD_NEW(&m->value, m->start[m->rows], error);
    for (int64_t i = 0; status == CRD_OK && i < m->start[m->rows]; i++) m->value[i] = 1.0f;
    return status;
}

/* ---- single arrays ---- */

static crd_status take_pairs(crd_source *source, const crd_npy *npy, bool two_rows, crd_raw *raw, crd_error *error)
{
    crd_raw_edges *edges = &raw->edges;
    bool rows = npy->dims == 2 && npy->shape[0] == 2, columns = npy->dims == 2 && npy->shape[1] == 2;
    if ((!rows && !columns) || !crd_array_has_numbers(npy) || npy->kind == CRD_NPY_BOOL)
        return crd_refuse_array(source, npy, "pairs of node numbers of shape [2,E] or [E,2]", error);
    if (rows && columns) rows = two_rows;
    int32_t *items = NULL;
    crd_status status = crd_copy_string(&edges->file, crd_source_name(source), error);
    if (status == CRD_OK) status = crd_npy_read(source, npy, CRD_NPY_I4, &items, error);
    int64_t count = npy->count / 2;
    if (status == CRD_OK) status = CRD_NEW(&edges->source, count, error);
    if (status == CRD_OK) status = CRD_NEW(&edges->target, count, error);
    for (int64_t i = 0; i < count && status == CRD_OK; i++) {
        edges->source[i] = items[rows ? i : 2 * i];
        edges->target[i] = items[rows ? count + i : 2 * i + 1];
        if (edges->source[i] < 0 || edges->target[i] < 0)
            status = crd_fail(error, CRD_ERROR_FORMAT, "%s: edge %lld has the negative node number %d", edges->file,
                              (long long)i, edges->source[i] < 0 ? edges->source[i] : edges->target[i]);
    }
    edges->count = count;
    crd_free(items);
    return status;
}

crd_status crd_take_features(crd_source *source, const crd_npy *npy, crd_raw *raw, crd_error *error)
{
    crd_raw_features *features = &raw->features;
    if (npy->dims < 1 || npy->dims > 2 || !crd_array_has_numbers(npy))
        return crd_refuse_array(source, npy, "numbers of shape [nodes,features]", error);
    crd_status status = crd_raw_expect(raw, crd_source_name(source), npy->shape[0], error);
    if (status == CRD_OK) status = crd_copy_string(&features->file, crd_source_name(source), error);
    if (status == CRD_OK) status = crd_npy_read(source, npy, CRD_NPY_F4, &features->matrix.dense, error);
    features->matrix.rows = npy->shape[0];
    features->matrix.columns = npy->dims == 2 ? npy->shape[1] : 1;
    features->rows_declared = features->matrix.columns == 0; /* such an array has a shape, but no bytes */
    return status;
}

/* In arrays of floats, NaN is an unknown label. */
static crd_status take_numbers(crd_source *source, const crd_npy *npy, crd_raw_labels *labels, crd_error *error)
{
    double *items = NULL;
    int64_t *number = NULL;
    const bool whole = npy->kind != CRD_NPY_FLOAT;
    crd_status status = whole ? crd_npy_read(source, npy, CRD_NPY_I8, &number, error)
                              : crd_npy_read(source, npy, CRD_NPY_F8, &items, error);
    if (status == CRD_OK && !whole) status = CRD_NEW(&number, npy->count, error);
    for (int64_t i = 0; i < npy->count && !whole && status == CRD_OK; i++) {
        if (isnan(items[i])) number[i] = CRD_LABEL_MISSING;
        else if (items[i] == floor(items[i]) && fabs(items[i]) <= 1e15) number[i] = (int64_t)items[i];
        else
            status = crd_fail(error, CRD_ERROR_FORMAT, "%s: label %lld is %g, expected a whole number",
                              crd_source_name(source), (long long)i, items[i]);
    }
    if (status == CRD_OK) status = crd_raw_take_numbers(labels, number, npy->count, error);
    crd_free(items);
    crd_free(number);
    return status;
}

static crd_status take_text_labels(crd_source *source, const crd_npy *npy, crd_raw_labels *labels, crd_error *error)
{
    char **items;
    crd_status status = crd_npy_read(source, npy, CRD_NPY_TEXT, &items, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < npy->count && status == CRD_OK; i++)
        status = crd_raw_add_label(labels, crd_trim(items[i]), 0, error);
    labels->names_only = true;
    crd_strings_free(&items, npy->count);
    return status;
}

crd_status crd_take_labels(crd_source *source, const crd_npy *npy, crd_raw *raw, crd_error *error)
{
    crd_raw_labels *labels = &raw->labels;
    bool column = npy->dims == 2 && npy->shape[1] == 1;
    if ((npy->dims != 1 && !column) || npy->kind == CRD_NPY_OBJECT)
        return crd_refuse_array(source, npy, "one label per node: whole numbers or names of shape [nodes]", error);
    crd_status status = crd_raw_expect(raw, crd_source_name(source), npy->count, error);
    if (status == CRD_OK) status = crd_copy_string(&labels->file, crd_source_name(source), error);
    if (status != CRD_OK) return status;
    return crd_array_has_numbers(npy) ? take_numbers(source, npy, labels, error)
                                      : take_text_labels(source, npy, labels, error);
}

/* Names are optional: a name array that cannot be read is left out, and a note says so. */
static crd_status take_names(crd_source *source, const crd_npy *npy, const char *array, crd_raw *raw,
                             crd_raw_names *names, crd_error *error)
{
    if (npy->kind == CRD_NPY_OBJECT)
        return crd_note(&raw->notes, error, "'%s' holds pickled objects, which cannot be read safely: left out", array);
    if (npy->dims != 1 || npy->count == 0)
        return crd_note(&raw->notes, error, "'%s' is not a list of names and is left out", array);
    crd_status status = CRD_OK;
    if (names == &raw->nodes) status = crd_raw_expect(raw, crd_source_name(source), npy->count, error);
    if (status == CRD_OK) status = crd_copy_string(&names->file, crd_source_name(source), error);
    if (status == CRD_OK) status = crd_npy_read(source, npy, CRD_NPY_TEXT, &names->name, error);
    if (status == CRD_OK) names->count = npy->count;
    return status;
}

static crd_status take_node_names(crd_source *source, const crd_npy *npy, crd_raw *raw, crd_error *error)
{
    return take_names(source, npy, "node_names", raw, &raw->nodes, error);
}

/* Many public files have them as pickled objects, which say nothing that is missed. */
crd_status crd_take_feature_names(crd_source *source, const crd_npy *npy, crd_raw *raw, crd_error *error)
{
    if (npy->kind == CRD_NPY_OBJECT) return CRD_OK;
    crd_raw_names_free(&raw->columns);
    return take_names(source, npy, "attr_names", raw, &raw->columns, error);
}

static crd_status take_class_names(crd_source *source, const crd_npy *npy, crd_raw *raw, crd_error *error)
{
    return take_names(source, npy, "class_names", raw, &raw->classes, error);
}

/* edge_index has two rows of E numbers, edges has E rows of two. */
static crd_status take_edge_index(crd_source *source, const crd_npy *npy, crd_raw *raw, crd_error *error)
{
    return take_pairs(source, npy, true, raw, error);
}

crd_status crd_take_edges(crd_source *source, const crd_npy *npy, crd_raw *raw, crd_error *error)
{
    return take_pairs(source, npy, false, raw, error);
}

static crd_status take_edge_weights(crd_source *source, const crd_npy *npy, crd_raw *raw, crd_error *error)
{
    bool column = npy->dims == 2 && npy->shape[1] == 1;
    if ((npy->dims != 1 && !column) || !crd_array_has_numbers(npy) || npy->count != raw->edges.count)
        return crd_refuse_array(source, npy, "one weight for each edge", error);
    return crd_npy_read(source, npy, CRD_NPY_F4, &raw->edges.weight, error);
}

/* ---- all of them ---- */

/* What single arrays are called; the first that is there counts. */
enum { EDGE_INDEX, EDGES, EDGE_WEIGHTS, FEATURES, LABELS, NODE_NAMES, CLASS_NAMES, COLUMNS, ARRAYS };
static const struct {
    const char *names[5];
    crd_status (*take)(crd_source *source, const crd_npy *npy, crd_raw *raw, crd_error *error);
} arrays[ARRAYS] = {
    [EDGE_INDEX] = {{"edge_index"}, take_edge_index},
    [EDGES] = {{"edges"}, crd_take_edges},
    [EDGE_WEIGHTS] = {{"edge_weight", "edge_weights"}, take_edge_weights},
    [FEATURES] = {{"attr_matrix", "x", "node_features", "features"}, crd_take_features},
    [LABELS] = {{"labels", "y", "node_labels"}, crd_take_labels},
    [NODE_NAMES] = {{"node_names"}, take_node_names},
    [CLASS_NAMES] = {{"class_names"}, take_class_names},
    [COLUMNS] = {{"attr_names", "feature_names"}, crd_take_feature_names},
};

/* What is used of an archive; NULL: nothing. */
typedef struct choice {
    const char *adjacency, *attributes; /* prefixes */
    bool scipy;                         /* or the only matrix is SciPy's */
    const char *array[ARRAYS];
} choice;

static choice choose(const crd_archive *archive)
{
    choice c = {.adjacency = find_prefix(archive, adjacency_prefixes),
                .attributes = find_prefix(archive, attribute_prefixes),
                .scipy = crd_is_scipy(archive)};
    for (int a = 0; a < ARRAYS; a++)
        for (const char *const *name = arrays[a].names; *name != NULL && c.array[a] == NULL; name++)
            if (crd_archive_has(archive, *name)) c.array[a] = *name;
    if (c.adjacency != NULL) c.array[EDGE_INDEX] = c.array[EDGE_WEIGHTS] = NULL;
    if (c.adjacency != NULL || c.array[EDGE_INDEX] != NULL) c.array[EDGES] = NULL;
    if (c.attributes != NULL) c.array[FEATURES] = NULL;
    return c;
}

bool crd_archive_has_graph(const crd_archive *archive)
{
    const choice c = choose(archive);
    return c.adjacency != NULL || c.array[EDGE_INDEX] != NULL || c.array[EDGES] != NULL || c.scipy;
}

static bool is_part_of(const char *name, const char *prefix)
{
    static const char *const suffixes[] = {"data", "indices", "indptr", "shape"};
    char part[CRD_ARRAY_NAME];
    for (size_t i = 0; prefix != NULL && i < sizeof suffixes / sizeof *suffixes; i++)
        if (strcmp(name, crd_array_name(part, prefix, suffixes[i])) == 0) return true;
    return false;
}

static bool is_known(const choice *c, const char *name)
{
    for (int a = 0; a < ARRAYS; a++)
        if (c->array[a] != NULL && strcmp(name, c->array[a]) == 0) return true;
    if (c->scipy && crd_is_scipy_array(name)) return true;
    return is_part_of(name, c->adjacency) || is_part_of(name, c->attributes) || crd_is_split_array(name);
}

static crd_status note_unknown(const crd_archive *archive, const choice *c, crd_raw *raw, crd_error *error)
{
    enum { LISTED = 8 };
    int64_t unknown = 0;
    crd_text list = {0};
    for (int64_t i = 0; i < crd_archive_count(archive); i++) {
        const char *name = crd_archive_array_name(archive, i);
        if (is_known(c, name) || ++unknown > LISTED) continue;
        crd_text_format(&list, "%s'%.40s'", unknown > 1 ? ", " : "", name);
    }
    if (unknown > LISTED) crd_text_format(&list, " and %lld more", (long long)(unknown - LISTED));
    char *names;
    crd_status status = crd_text_finish(&list, &names, error);
    if (status == CRD_OK && unknown > 0) status = crd_note(&raw->notes, error, "arrays that are not used: %s", names);
    crd_string_free(&names);
    return status;
}

static crd_status take_array(crd_archive *archive, const choice *c, int array, crd_raw *raw, crd_error *error)
{
    crd_npy npy;
    crd_source *source;
    crd_status status = crd_archive_array(archive, c->array[array], &npy, &source, error);
    if (status == CRD_OK) status = arrays[array].take(source, &npy, raw, error);
    crd_source_free(&source);
    return status;
}

crd_status crd_read_archive(crd_archive *archive, const crd_open_options *options, crd_raw *raw, crd_error *error)
{
    const choice c = choose(archive);
    const bool other_features = options != NULL && options->features != NULL;
    const bool other_labels = options != NULL && options->labels != NULL;
    const bool replaced[ARRAYS] = {
        [FEATURES] = other_features, [LABELS] = other_labels, [CLASS_NAMES] = other_labels, [COLUMNS] = other_features};
    crd_status status = CRD_OK;
    if (!crd_archive_has_graph(archive))
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%s: has no graph; expected the arrays adj_indptr and adj_indices, or edge_index",
                        crd_archive_name(archive));
    const bool others = c.array[EDGE_INDEX] != NULL || c.array[EDGES] != NULL;
    if (c.adjacency != NULL || (c.scipy && !others)) status = take_adjacency(archive, c.adjacency, raw, error);
    if (status == CRD_OK && c.attributes != NULL && !other_features)
        status = take_attributes(archive, c.attributes, raw, error);
    for (int a = 0; a < ARRAYS && status == CRD_OK; a++)
        if (c.array[a] != NULL && !replaced[a]) status = take_array(archive, &c, a, raw, error);
    if (status == CRD_OK) status = note_unknown(archive, &c, raw, error);
    return status;
}

/* Features of an archive that may also have a graph, but that is not looked at. */
crd_status crd_read_feature_archive(crd_archive *archive, crd_raw *raw, crd_error *error)
{
    const choice c = choose(archive);
    crd_status status = CRD_OK;
    if (c.attributes == NULL && c.array[FEATURES] == NULL && !c.scipy)
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%s: has no node features; expected a matrix as scipy.sparse.save_npz writes it, or the array "
                        "x, features, attr_matrix or attr_indptr",
                        crd_archive_name(archive));
    if (c.array[FEATURES] != NULL) status = take_array(archive, &c, FEATURES, raw, error);
    else status = take_attributes(archive, c.attributes, raw, error);
    return status == CRD_OK && c.array[COLUMNS] != NULL ? take_array(archive, &c, COLUMNS, raw, error) : status;
}
