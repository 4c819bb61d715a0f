#include "graph/save.h"

#include <stdlib.h>
#include <string.h>

#include "graph/open.h"
#include "io/bag.h"

crd_status crd_format_parse(const char *name, crd_format *format, crd_error *error)
{
    static const char *const names[] = {"auto", "npz", "npy", "csv", "mtx", "ogb"};
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++)
        if (name != NULL && strcmp(name, names[i]) == 0) {
            *format = (crd_format)i;
            return CRD_OK;
        }
    return crd_fail(error, CRD_ERROR_ARGUMENT,
                    "unknown format '%.40s', expected npz, npy, csv, mtx, ogb or auto",
                    name == NULL ? "" : name);
}

crd_status crd_classes_need_list(const crd_dataset *dataset, bool *need, crd_error *error)
{
    *need = dataset->class_names_given;
    if (*need || dataset->classes == 0) return CRD_OK;
    int64_t *counts;
    crd_status status = CRD_NEW(&counts, dataset->classes, error);
    if (status != CRD_OK) return status;
    crd_dataset_class_counts(dataset, counts);
    for (int32_t c = 0; c < dataset->classes; c++)
        if (counts[c] == 0) *need = true;
    free(counts);
    return CRD_OK;
}

/* Arrays that are made for the file; they live until it is written. */
typedef struct arrays {
    float *ones;
    uint8_t *mask[3];
    int64_t graph_shape[2], feature_shape[2];
} arrays;

static crd_status add_vector(crd_bag_writer *writer, const char *name, crd_npy_type type, int64_t count,
                             const void *items, crd_error *error)
{
    return crd_bag_add(writer, name, type, 1, &count, items, error);
}

static crd_status add_graph(const crd_dataset *dataset, crd_bag_writer *writer, arrays *made,
                            crd_error *error)
{
    const crd_graph *graph = &dataset->input;
    int64_t edges = graph->start[graph->nodes];
    made->graph_shape[0] = made->graph_shape[1] = graph->nodes;
    crd_status status = CRD_NEW(&made->ones, edges, error);
    for (int64_t i = 0; i < edges && status == CRD_OK; i++) made->ones[i] = 1.0f;
    if (status == CRD_OK) status = add_vector(writer, "adj_data", CRD_NPY_F4, edges, made->ones, error);
    if (status == CRD_OK) status = add_vector(writer, "adj_indices", CRD_NPY_I4, edges, graph->neighbour,
                                              error);
    if (status == CRD_OK)
        status = add_vector(writer, "adj_indptr", CRD_NPY_I8, graph->nodes + 1, graph->start, error);
    if (status == CRD_OK) status = add_vector(writer, "adj_shape", CRD_NPY_I8, 2, made->graph_shape, error);
    return status;
}

static crd_status add_features(const crd_dataset *dataset, crd_bag_writer *writer, arrays *made,
                               crd_error *error)
{
    const crd_features *features = &dataset->features;
    made->feature_shape[0] = features->rows;
    made->feature_shape[1] = features->columns;
    if (!features->sparse)
        return crd_bag_add(writer, "attr_matrix", CRD_NPY_F4, 2, made->feature_shape, features->dense, error);
    int64_t count = features->start[features->rows];
    crd_status status = add_vector(writer, "attr_data", CRD_NPY_F4, count, features->value, error);
    if (status == CRD_OK) status = add_vector(writer, "attr_indices", CRD_NPY_I4, count, features->column,
                                              error);
    if (status == CRD_OK)
        status = add_vector(writer, "attr_indptr", CRD_NPY_I8, features->rows + 1, features->start, error);
    if (status == CRD_OK) status = add_vector(writer, "attr_shape", CRD_NPY_I8, 2, made->feature_shape,
                                              error);
    return status;
}

static crd_status add_labels(const crd_dataset *dataset, crd_bag_writer *writer, crd_error *error)
{
    int64_t nodes = dataset->input.nodes;
    bool listed = false;
    crd_status status = add_vector(writer, "labels", CRD_NPY_I4, nodes, dataset->labels, error);
    if (status == CRD_OK) status = crd_classes_need_list(dataset, &listed, error);
    if (status == CRD_OK && listed)
        status = crd_bag_add_strings(writer, "class_names", dataset->classes,
                                     (const char *const *)dataset->class_names, error);
    if (status == CRD_OK && dataset->node_names != NULL)
        status = crd_bag_add_strings(writer, "node_names", nodes, (const char *const *)dataset->node_names,
                                     error);
    return status;
}

/* One mask a role: [nodes], or [splits,nodes] if there are several splits. */
static crd_status add_splits(const crd_dataset *dataset, crd_bag_writer *writer, arrays *made,
                             crd_error *error)
{
    static const char *const names[] = {"train_mask", "val_mask", "test_mask"};
    static const uint8_t roles[] = {CRD_ROLE_TRAIN, CRD_ROLE_VALIDATION, CRD_ROLE_TEST};
    int64_t nodes = dataset->input.nodes, size = dataset->splits * nodes;
    int64_t shape[2] = {dataset->splits, nodes};
    crd_status status = CRD_OK;
    for (int r = 0; r < 3 && status == CRD_OK && dataset->splits > 0; r++) {
        status = CRD_NEW(&made->mask[r], size, error);
        for (int64_t i = 0; i < size && status == CRD_OK; i++)
            made->mask[r][i] = dataset->split_roles[i] == roles[r];
        if (status == CRD_OK && dataset->splits == 1)
            status = crd_bag_add(writer, names[r], CRD_NPY_U1, 1, &nodes, made->mask[r], error);
        else if (status == CRD_OK)
            status = crd_bag_add(writer, names[r], CRD_NPY_U1, 2, shape, made->mask[r], error);
    }
    return status;
}

static crd_status save_arrays(const crd_dataset *dataset, const char *path, bool folder, crd_error *error)
{
    crd_bag_writer *writer;
    arrays made = {0};
    crd_status status = folder ? crd_bag_create_folder(path, &writer, error)
                               : crd_bag_create_npz(path, true, &writer, error);
    if (status != CRD_OK) return status;
    status = add_graph(dataset, writer, &made, error);
    if (status == CRD_OK && dataset->features.columns > 0) status = add_features(dataset, writer, &made,
                                                                                 error);
    if (status == CRD_OK) status = add_labels(dataset, writer, error);
    if (status == CRD_OK) status = add_splits(dataset, writer, &made, error);
    if (status == CRD_OK) status = crd_bag_commit(&writer, error);
    else crd_bag_discard(&writer);
    free(made.ones);
    for (int r = 0; r < 3; r++) free(made.mask[r]);
    return status;
}

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcmp(path + length - tail, ending) == 0;
}

crd_status crd_dataset_save(const crd_dataset *dataset, const char *path, crd_format format, crd_error *error)
{
    if (format == CRD_FORMAT_AUTO) {
        static const char *const files[] = {".csv", ".tsv", ".txt", ".mtx", ".svm", ".npy", ".gz", ".json"};
        for (size_t i = 0; i < sizeof files / sizeof *files; i++)
            if (ends_with(path, files[i]))
                return crd_fail(error, CRD_ERROR_ARGUMENT,
                                "%s: such data are a folder of files: give a folder's name and the format "
                                "(npy, csv, mtx or ogb), or a name that ends in .npz", path);
        format = ends_with(path, ".npz") || strcmp(path, "-") == 0 ? CRD_FORMAT_NPZ : CRD_FORMAT_NPY;
    }
    if (format != CRD_FORMAT_NPZ && format != CRD_FORMAT_NPY && dataset->splits > CRD_MOST_SPLIT_FILES)
        return crd_fail(error, CRD_ERROR_ARGUMENT,
                        "%s: the data have %d splits, but a folder of text takes %d; choose npz or npy", path,
                        dataset->splits, CRD_MOST_SPLIT_FILES);
    switch (format) {
    case CRD_FORMAT_NPZ: return save_arrays(dataset, path, false, error);
    case CRD_FORMAT_NPY: return save_arrays(dataset, path, true, error);
    case CRD_FORMAT_CSV: return crd_save_text(dataset, path, false, error);
    case CRD_FORMAT_MTX: return crd_save_text(dataset, path, true, error);
    case CRD_FORMAT_OGB: return crd_save_ogb(dataset, path, error);
    default: return crd_fail(error, CRD_ERROR_ARGUMENT, "unknown format number %d", (int)format);
    }
}
