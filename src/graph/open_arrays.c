#include "graph/open_arrays.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "graph/array_parts.h"
#include "graph/split_arrays.h"

/* How the four arrays of a compressed matrix are called in public copies of the same datasets. */
static const char *const adjacency_prefixes[] = {"adj_", "adj_matrix.", "adj.", NULL};
static const char *const attribute_prefixes[] = {"attr_", "attr_matrix.", "attr.", NULL};
static const char *const pair_names[] = {"edge_index", "edges", NULL};
static const char *const feature_names[] = {"attr_matrix", "x", "node_features", "features", NULL};
static const char *const label_names[] = {"labels", "y", "node_labels", NULL};
/* Known and of no use here. */
static const char *const unused_names[] = {"attr_names", NULL};

enum { NAME_SIZE = 32 };

static const char *join(char name[NAME_SIZE], const char *prefix, const char *suffix)
{
    snprintf(name, NAME_SIZE, "%s%s", prefix, suffix);
    return name;
}

static const char *find_prefix(const crd_bag *bag, const char *const *prefixes)
{
    char name[NAME_SIZE];
    for (; *prefixes != NULL; prefixes++)
        if (crd_bag_has(bag, join(name, *prefixes, "indptr"))) return *prefixes;
    return NULL;
}

static const char *find_name(const crd_bag *bag, const char *const *names)
{
    for (; *names != NULL; names++)
        if (crd_bag_has(bag, *names)) return *names;
    return NULL;
}

bool crd_bag_has_graph(const crd_bag *bag)
{
    return find_prefix(bag, adjacency_prefixes) != NULL || find_name(bag, pair_names) != NULL;
}

/* ---- compressed matrices ---- */

typedef struct compressed {
    const char *prefix;
    int64_t rows, columns, count;
    int64_t *start;
    int32_t *column;
    float *value; /* NULL: all 1 */
} compressed;

static void free_compressed(compressed *matrix)
{
    free(matrix->start);
    free(matrix->column);
    free(matrix->value);
}

typedef enum item_type { ITEM_INT32, ITEM_INT64, ITEM_FLOAT } item_type;

/* Reads a one-dimensional array whole; *count is its length. */
static crd_status read_vector(crd_bag *bag, const char *prefix, const char *suffix, item_type type,
                              void *items, int64_t *count, crd_error *error)
{
    char name[NAME_SIZE], found[64];
    crd_npy npy;
    crd_source *source;
    if (!crd_bag_has(bag, join(name, prefix, suffix)))
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: has no array '%s', expected one beside '%sindptr'",
                        crd_bag_name(bag), name, prefix);
    crd_status status = crd_bag_array(bag, name, &npy, &source, error);
    if (status != CRD_OK) return status;
    crd_npy_describe(&npy, found, sizeof found);
    if (npy.dims != 1)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: expected one dimension, found %s",
                          crd_source_name(source), found);
    else if (npy.kind == CRD_NPY_OBJECT || npy.kind == CRD_NPY_UNICODE || npy.kind == CRD_NPY_BYTES)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: expected numbers, found %s", crd_source_name(source),
                          found);
    else if (type == ITEM_INT32) status = crd_npy_read_int32(source, &npy, items, error);
    else if (type == ITEM_INT64) status = crd_npy_read_int64(source, &npy, items, error);
    else status = crd_npy_read_float(source, &npy, items, error);
    *count = npy.count;
    crd_source_free(&source);
    return status;
}

static crd_status check_compressed(const crd_bag *bag, const compressed *matrix, crd_error *error)
{
    const char *name = crd_bag_name(bag), *prefix = matrix->prefix;
    if (matrix->start[0] != 0)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s:%sindptr: starts with %lld, expected 0", name, prefix,
                        (long long)matrix->start[0]);
    for (int64_t i = 0; i < matrix->rows; i++)
        if (matrix->start[i + 1] < matrix->start[i])
            return crd_fail(error, CRD_ERROR_FORMAT,
                            "%s:%sindptr: item %lld is %lld, less than the one before",
                            name, prefix, (long long)i + 1, (long long)matrix->start[i + 1]);
    if (matrix->start[matrix->rows] != matrix->count)
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%s:%sindptr: ends with %lld, but '%sindices' has %lld items",
                        name, prefix, (long long)matrix->start[matrix->rows], prefix,
                            (long long)matrix->count);
    for (int64_t i = 0; i < matrix->count; i++)
        if (matrix->column[i] < 0 || matrix->column[i] >= matrix->columns)
            return crd_fail(error, CRD_ERROR_FORMAT, "%s:%sindices: item %lld is %d, expected 0 to %lld",
                            name, prefix, (long long)i, matrix->column[i], (long long)matrix->columns - 1);
    return CRD_OK;
}

/* Without a shape, an adjacency is square; of features, the largest column is the last. */
static crd_status guess_columns(compressed *matrix, bool square, crd_parts *parts, crd_error *error)
{
    int64_t largest = -1;
    for (int64_t i = 0; i < matrix->count && !square; i++)
        if (matrix->column[i] > largest) largest = matrix->column[i];
    matrix->columns = square ? matrix->rows : largest + 1;
    if (square) return CRD_OK;
    crd_status status = crd_check_columns(parts->features.file, matrix->columns, matrix->rows, matrix->count,
                                          error);
    if (status != CRD_OK) return status;
    return crd_dataset_add_note(parts->dataset, error,
                                "there is no '%sshape': the largest column makes it %lld features",
                                matrix->prefix, (long long)matrix->columns);
}

static crd_status take_shape(crd_bag *bag, compressed *matrix, bool square, crd_parts *parts,
                             crd_error *error)
{
    char name[NAME_SIZE];
    int64_t *shape = NULL, count;
    if (!crd_bag_has(bag, join(name, matrix->prefix, "shape")))
        return guess_columns(matrix, square, parts, error);
    crd_status status = read_vector(bag, matrix->prefix, "shape", ITEM_INT64, &shape, &count, error);
    if (status != CRD_OK) return status;
    if (count != 2 || shape[0] != matrix->rows || shape[1] < 0 || shape[1] > INT32_MAX)
        status = crd_fail(error, CRD_ERROR_FORMAT,
                          "%s:%s: expected [%lld, columns], because '%sindptr' has %lld items",
                          crd_bag_name(bag),
                          name, (long long)matrix->rows, matrix->prefix, (long long)matrix->rows + 1);
    else matrix->columns = shape[1];
    free(shape);
    return status;
}

static crd_status read_compressed(crd_bag *bag, const char *prefix, bool square, compressed *matrix,
                                  crd_parts *parts, crd_error *error)
{
    char name[NAME_SIZE];
    int64_t count = 0;
    *matrix = (compressed){.prefix = prefix};
    crd_status status = read_vector(bag, prefix, "indptr", ITEM_INT64, &matrix->start, &count, error);
    if (status == CRD_OK && (count < 1 || count - 1 > INT32_MAX))
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s:%sindptr: has %lld items, expected rows + 1",
                          crd_bag_name(bag), prefix, (long long)count);
    matrix->rows = count - 1;
    if (status == CRD_OK && !square && parts->edges.nodes >= 0 && parts->edges.nodes != matrix->rows)
        status = crd_fail(error, CRD_ERROR_MISMATCH,
                          "%s:%sindptr: has %lld rows, but the graph has %lld nodes", crd_bag_name(bag),
                          prefix, (long long)matrix->rows, (long long)parts->edges.nodes);
    if (status == CRD_OK)
        status = read_vector(bag, prefix, "indices", ITEM_INT32, &matrix->column, &matrix->count, error);
    if (status == CRD_OK) status = take_shape(bag, matrix, square, parts, error);
    if (status == CRD_OK) status = check_compressed(bag, matrix, error);
    if (status == CRD_OK && crd_bag_has(bag, join(name, prefix, "data"))) {
        status = read_vector(bag, prefix, "data", ITEM_FLOAT, &matrix->value, &count, error);
        if (status == CRD_OK && count != matrix->count)
            status = crd_fail(error, CRD_ERROR_FORMAT, "%s:%sdata: has %lld items, but '%sindices' has %lld",
                              crd_bag_name(bag), prefix, (long long)count, prefix, (long long)matrix->count);
    }
    if (status != CRD_OK) free_compressed(matrix);
    return status;
}

/* Entries of weight 0 are no edges. */
static int64_t drop_zeros(compressed *matrix)
{
    int64_t kept = 0, begin = 0;
    for (int64_t i = 0; i < matrix->rows; i++) {
        int64_t end = matrix->start[i + 1];
        for (int64_t e = begin; e < end; e++)
            if (matrix->value[e] != 0.0f) matrix->column[kept++] = matrix->column[e];
        begin = end;
        matrix->start[i + 1] = kept;
    }
    return matrix->count - kept;
}

static crd_status take_adjacency(crd_bag *bag, const char *prefix, crd_parts *parts, crd_error *error)
{
    compressed matrix;
    crd_status status = crd_copy_string(&parts->edges.file, crd_bag_name(bag), error);
    if (status == CRD_OK) status = read_compressed(bag, prefix, true, &matrix, parts, error);
    if (status != CRD_OK) return status;
    crd_dataset *dataset = parts->dataset;
    bool weighted = false;
    int64_t zeros = 0;
    for (int64_t i = 0; i < matrix.count && matrix.value != NULL; i++) {
        zeros += matrix.value[i] == 0.0f;
        if (matrix.value[i] != 1.0f && matrix.value[i] != 0.0f) weighted = true;
    }
    if (matrix.rows != matrix.columns)
        status = crd_fail(error, CRD_ERROR_FORMAT,
                          "%s: the adjacency is %lld x %lld, expected a square matrix",
                          crd_bag_name(bag), (long long)matrix.rows, (long long)matrix.columns);
    else if (matrix.rows == 0)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: there are no nodes, expected a graph",
                          crd_bag_name(bag));
    if (status == CRD_OK) {
        if (zeros > 0) drop_zeros(&matrix);
        dataset->input = (crd_graph){matrix.rows, matrix.start, matrix.column};
        parts->edges.rows = true;
        parts->edges.nodes = matrix.rows;
        parts->edges.count = matrix.start[matrix.rows];
        matrix.start = NULL;
        matrix.column = NULL;
        status = crd_graph_tidy(&dataset->input, &dataset->duplicates, error);
    }
    free_compressed(&matrix);
    return status == CRD_OK ? crd_note_weights(parts, zeros, weighted, error) : status;
}

static crd_status take_attributes(crd_bag *bag, const char *prefix, crd_parts *parts, crd_error *error)
{
    compressed matrix;
    crd_status status = crd_copy_string(&parts->features.file, crd_bag_name(bag), error);
    if (status == CRD_OK) status = read_compressed(bag, prefix, false, &matrix, parts, error);
    if (status != CRD_OK) return status;
    if (matrix.value == NULL) {
        status = CRD_NEW(&matrix.value, matrix.count, error);
        for (int64_t i = 0; i < matrix.count && status == CRD_OK; i++) matrix.value[i] = 1.0f;
    }
    if (status != CRD_OK) {
        free_compressed(&matrix);
        return status;
    }
    parts->features.rows = matrix.rows;
    parts->dataset->features = (crd_features){.rows = matrix.rows, .columns = matrix.columns, .sparse = true,
                                              .start = matrix.start, .column = matrix.column,
                                              .value = matrix.value};
    return CRD_OK;
}

/* ---- single arrays ---- */

typedef crd_status (*array_reader)(crd_source *source, const crd_npy *npy, crd_parts *parts,
                                   crd_error *error);

static crd_status take_array(crd_bag *bag, const char *name, array_reader reader, crd_parts *parts,
                             crd_error *error)
{
    crd_npy npy;
    crd_source *source;
    crd_status status = crd_bag_array(bag, name, &npy, &source, error);
    if (status != CRD_OK) return status;
    status = reader(source, &npy, parts, error);
    crd_source_free(&source);
    return status;
}

/* Two rows of E numbers are how edge_index is kept, E rows of two how edges are. */
static crd_status take_edge_index(crd_source *source, const crd_npy *npy, crd_parts *parts, crd_error *error)
{
    return crd_take_edge_pairs(source, npy, true, parts, error);
}

static crd_status take_edges(crd_source *source, const crd_npy *npy, crd_parts *parts, crd_error *error)
{
    return crd_take_edge_pairs(source, npy, false, parts, error);
}

/* Names are welcome but not needed: what cannot be read is left out, and said. */
static crd_status take_names(crd_bag *bag, const char *name, crd_parts *parts, char ***names, int64_t *count,
                             char **file, crd_error *error)
{
    crd_npy npy;
    crd_source *source;
    if (!crd_bag_has(bag, name)) return CRD_OK;
    crd_status status = crd_bag_array(bag, name, &npy, &source, error);
    if (status != CRD_OK) return status;
    if (npy.kind == CRD_NPY_OBJECT)
        status = crd_dataset_add_note(parts->dataset, error,
                                      "'%s' holds pickled objects, which cannot be read safely: left out",
                                      name);
    else if (npy.dims != 1 || npy.count == 0)
        status = crd_dataset_add_note(parts->dataset, error, "'%s' is not a list of names and is left out",
                                      name);
    else {
        if (names == &parts->node_names)
            status = crd_parts_expect(parts, crd_source_name(source), npy.count, error);
        if (status == CRD_OK) status = crd_copy_string(file, crd_source_name(source), error);
        if (status == CRD_OK) status = crd_npy_read_strings(source, &npy, names, error);
        if (status == CRD_OK) *count = npy.count;
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

static crd_status note_unknown(const crd_bag *bag, const char *const *used, const char *adjacency,
                               const char *attributes, crd_dataset *dataset, crd_error *error)
{
    enum { LISTED = 8 };
    int64_t unknown = 0;
    crd_text list = {0};
    for (int64_t i = 0; i < crd_bag_count(bag); i++) {
        const char *name = crd_bag_array_name(bag, i);
        if (is_among(name, used) || is_among(name, unused_names) || is_part_of(name, adjacency)
            || is_part_of(name, attributes) || crd_is_split_array(name) || ++unknown > LISTED)
            continue;
        crd_text_format(&list, "%s'%.40s'", unknown > 1 ? ", " : "", name);
    }
    if (unknown > LISTED) crd_text_format(&list, " and %lld more", (long long)(unknown - LISTED));
    char *names;
    crd_status status = crd_text_finish(&list, &names, error);
    if (status == CRD_OK && unknown > 0)
        status = crd_dataset_add_note(dataset, error, "arrays that are not used: %s", names);
    crd_string_free(&names);
    return status;
}

static crd_status take_graph(crd_bag *bag, const char *adjacency, const char *pairs, crd_parts *parts,
                             crd_error *error)
{
    if (adjacency != NULL) return take_adjacency(bag, adjacency, parts, error);
    if (pairs != NULL)
        return take_array(bag, pairs, strcmp(pairs, "edge_index") == 0 ? take_edge_index : take_edges, parts,
                          error);
    return crd_fail(error, CRD_ERROR_FORMAT,
                    "%s: has no graph; expected the arrays adj_indptr and adj_indices, or edge_index",
                    crd_bag_name(bag));
}

crd_status crd_parts_from_bag(crd_bag *bag, const crd_open_options *options, crd_parts *parts,
                              crd_error *error)
{
    const char *adjacency = find_prefix(bag, adjacency_prefixes);
    const char *attributes = find_prefix(bag, attribute_prefixes);
    const char *pairs = adjacency != NULL ? NULL : find_name(bag, pair_names);
    const char *features = attributes != NULL ? NULL : find_name(bag, feature_names);
    const char *labels = find_name(bag, label_names);
    bool own_features = options == NULL || options->features == NULL;
    bool own_labels = options == NULL || options->labels == NULL;
    crd_status status = take_graph(bag, adjacency, pairs, parts, error);
    if (status == CRD_OK && own_features && attributes != NULL)
        status = take_attributes(bag, attributes, parts, error);
    if (status == CRD_OK && own_features && features != NULL)
        status = take_array(bag, features, crd_take_feature_array, parts, error);
    if (status == CRD_OK && own_labels && labels != NULL)
        status = take_array(bag, labels, crd_take_label_array, parts, error);
    if (status == CRD_OK)
        status = take_names(bag, "node_names", parts, &parts->node_names, &parts->node_name_count,
                            &parts->names_file, error);
    if (status == CRD_OK && own_labels)
        status = take_names(bag, "class_names", parts, &parts->class_names, &parts->class_name_count,
                            &parts->classes_file, error);
    if (status == CRD_OK) status = crd_check_class_names(parts, error);
    const char *used[] = {"node_names", "class_names", labels != NULL ? labels : "labels",
                          features != NULL ? features : "labels", pairs != NULL ? pairs : "labels", NULL};
    if (status == CRD_OK) status = note_unknown(bag, used, adjacency, attributes, parts->dataset, error);
    return status;
}
