/* SPDX-License-Identifier: MIT */
/* Writes a dataset: as arrays in one archive or folder, or as a folder of text files (save_text.c). */
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "graph/dataset.h"
#include "graph/split.h"
#include "io/archive.h"

crd_status crd_format_parse(const char *name, crd_format *format, crd_error *error)
{
    static const char *const names[] = {"auto", "npz", "npy", "csv", "mtx", "ogb"};
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++)
        if (name != NULL && strcmp(name, names[i]) == 0) {
            *format = (crd_format)i;
            return CRD_OK;
        }
    return crd_fail(error, CRD_ERROR_ARGUMENT, "unknown format '%.40s', expected npz, npy, csv, mtx, ogb or auto",
                    name == NULL ? "" : name);
}

/* Whether labels alone would not show the classes: they have names, or one has no nodes. */
static crd_status classes_need_list(const crd_dataset *dataset, bool *need, crd_error *error)
{
    int64_t *counts;
    crd_status status = CRD_NEW(&counts, dataset->classes, error);
    if (status != CRD_OK) return status;
    crd_dataset_class_counts(dataset, counts);
    *need = dataset->class_names_given && dataset->classes > 0;
    for (int32_t c = 0; c < dataset->classes; c++) *need |= counts[c] == 0;
    crd_free(counts);
    return CRD_OK;
}

/* Arrays made for the file: ones, one per edge, and for each role a mask of splits x nodes. */
static crd_status make_arrays(const crd_dataset *dataset, float **ones, uint8_t **masks, crd_error *error)
{
    const int64_t edges = dataset->input.start[dataset->input.nodes], size = dataset->splits * dataset->input.nodes;
    crd_status status = CRD_NEW(ones, edges, error);
    if (status == CRD_OK) status = CRD_NEW(masks, 4 * size, error);
    if (status != CRD_OK) return status;
    for (int64_t e = 0; e < edges; e++) (*ones)[e] = 1.0f;
    for (int r = 0; r < 4; r++)
        for (int64_t i = 0; i < size; i++) (*masks)[r * size + i] = dataset->split_roles[i] == CRD_ROLE_TRAIN + r;
    return CRD_OK;
}

/* A mask is [nodes], or [splits,nodes] if there are several splits. */
static crd_status save_arrays(const crd_dataset *dataset, const crd_destination *to, bool folder, bool classes,
                              crd_error *error)
{
    const crd_graph *graph = &dataset->input;
    const crd_features *f = &dataset->features;
    const bool dense = f->columns > 0 && !f->sparse, sparse = f->columns > 0 && f->sparse, split = dataset->splits > 0;
    const int64_t nodes = graph->nodes, edges = graph->start[nodes], entries = sparse ? f->start[f->rows] : 0;
    const int64_t graph_shape[] = {nodes, nodes}, feature_shape[] = {f->rows, f->columns};
    const int64_t splits = dataset->splits, mask = splits * nodes, length = splits == 1 ? nodes : splits;
    const int mask_dims = splits == 1 ? 1 : 2;
    float *ones = NULL;
    uint8_t *masks = NULL;
    crd_status status = make_arrays(dataset, &ones, &masks, error);
    const bool calibration = status == CRD_OK && memchr(masks + 3 * mask, 1, (size_t)mask) != NULL;
    if (status == CRD_OK) {
        const crd_array arrays[] = {
            {"adj_data", CRD_NPY_F4, 1, {edges}, ones},
            {"adj_indices", CRD_NPY_I4, 1, {edges}, graph->neighbour},
            {"adj_indptr", CRD_NPY_I8, 1, {nodes + 1}, graph->start},
            {"adj_shape", CRD_NPY_I8, 1, {2}, graph_shape},
            {"attr_matrix", CRD_NPY_F4, 2, {f->rows, f->columns}, dense ? f->dense : NULL},
            {"attr_data", CRD_NPY_F4, 1, {entries}, sparse ? f->value : NULL},
            {"attr_indices", CRD_NPY_I4, 1, {entries}, sparse ? f->column : NULL},
            {"attr_indptr", CRD_NPY_I8, 1, {f->rows + 1}, sparse ? f->start : NULL},
            {"attr_shape", CRD_NPY_I8, 1, {2}, sparse ? feature_shape : NULL},
            {"labels", CRD_NPY_I4, 1, {nodes}, dataset->labels},
            {"class_names", CRD_NPY_TEXT, 1, {dataset->classes}, classes ? dataset->class_names : NULL},
            {"attr_names", CRD_NPY_TEXT, 1, {f->columns}, dataset->feature_names},
            {"node_names", CRD_NPY_TEXT, 1, {nodes}, dataset->node_names},
            {"train_mask", CRD_NPY_U1, mask_dims, {length, nodes}, split ? masks : NULL},
            {"val_mask", CRD_NPY_U1, mask_dims, {length, nodes}, split ? masks + mask : NULL},
            {"test_mask", CRD_NPY_U1, mask_dims, {length, nodes}, split ? masks + 2 * mask : NULL},
            {"calibration_mask", CRD_NPY_U1, mask_dims, {length, nodes}, calibration ? masks + 3 * mask : NULL},
        };
        const size_t count = sizeof arrays / sizeof *arrays;
        status = folder ? crd_archive_write(to->path, CRD_ARCHIVE_FOLDER, arrays, count, error)
                        : crd_archive_write_to(to, CRD_ARCHIVE_DEFLATED, arrays, count, error);
    }
    crd_free(ones);
    crd_free(masks);
    return status;
}

crd_status crd_dataset_save(const crd_dataset *dataset, const char *path, crd_format format, crd_error *error)
{
    if (CRD_ANY_NULL(error, dataset, path)) return CRD_ERROR_ARGUMENT;
    static const char *const single[] = {".csv", ".tsv", ".txt", ".mtx", ".svm", ".npy", ".gz", ".json"};
    for (size_t i = 0; format == CRD_FORMAT_AUTO && i < sizeof single / sizeof *single; i++)
        if (crd_ends_with(path, single[i]))
            return crd_fail(error, CRD_ERROR_ARGUMENT,
                            "%s: such data are a folder of files: give a folder's name and the format (npy, csv, mtx "
                            "or ogb), or a name that ends in .npz",
                            path);
    const crd_destination to = {.path = path};
    bool classes = false;
    crd_status status = classes_need_list(dataset, &classes, error);
    if (status != CRD_OK) return status;
    switch (format) {
    case CRD_FORMAT_AUTO:
        return save_arrays(dataset, &to, !crd_ends_with(path, ".npz") && strcmp(path, "-") != 0, classes, error);
    case CRD_FORMAT_NPZ:
    case CRD_FORMAT_NPY:
        return save_arrays(dataset, &to, format == CRD_FORMAT_NPY, classes, error);
    case CRD_FORMAT_CSV:
    case CRD_FORMAT_MTX:
    case CRD_FORMAT_OGB:
        return crd_save_text(dataset, path, format, classes, error);
    default:
        return crd_fail(error, CRD_ERROR_ARGUMENT, "unknown format number %d", (int)format);
    }
}

crd_status crd_dataset_write(const crd_dataset *dataset, crd_writer writer, void *user, crd_error *error)
{
    if (CRD_ANY_NULL(error, dataset)) return CRD_ERROR_ARGUMENT;
    const crd_destination to = {.writer = writer, .user = user};
    bool classes = false;
    crd_status status = classes_need_list(dataset, &classes, error);
    return status == CRD_OK ? save_arrays(dataset, &to, false, classes, error) : status;
}
