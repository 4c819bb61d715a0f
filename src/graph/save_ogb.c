/* OGB's folders: packed CSV without headers, everything by number; names go to mapping/. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "graph/open.h"
#include "graph/save.h"
#include "graph/textfile.h"
#include "io/outfolder.h"

static crd_status make_folder(const char *folder, const char *name, char **path, crd_error *error)
{
    crd_status status = crd_join_path(folder, name, path, error);
    if (status != CRD_OK || mkdir(*path, 0777) == 0) return status;
    status = crd_fail_errno(error, *path, "make the folder");
    crd_string_free(path);
    return status;
}

static crd_status write_number(const char *raw, const char *name, int64_t number, crd_error *error)
{
    crd_textfile *file;
    crd_status status = crd_textfile_open(raw, name, &file, error);
    if (status != CRD_OK) return status;
    crd_textfile_add_integer(file, number);
    crd_textfile_add(file, "\n");
    return crd_textfile_close(&file, status, error);
}

static crd_status write_edges(const crd_graph *graph, const char *raw, crd_error *error)
{
    crd_textfile *file;
    crd_status status = crd_textfile_open(raw, "edge.csv.gz", &file, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < graph->nodes; i++)
        for (int64_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
            crd_textfile_add_integer(file, i);
            crd_textfile_add(file, ",");
            crd_textfile_add_integer(file, graph->neighbour[e]);
            crd_textfile_add(file, "\n");
        }
    return crd_textfile_close(&file, status, error);
}

static crd_status write_features(const crd_features *features, const char *raw, crd_error *error)
{
    crd_textfile *file;
    crd_status status = crd_textfile_open(raw, "node-feat.csv.gz", &file, error);
    if (status != CRD_OK) return status;
    for (int64_t r = 0; r < features->rows; r++) {
        int64_t next = features->sparse ? features->start[r] : 0;
        for (int64_t c = 0; c < features->columns; c++) {
            float value = 0.0f;
            if (!features->sparse) value = features->dense[r * features->columns + c];
            else if (next < features->start[r + 1] && features->column[next] == c) value =
                features->value[next++];
            crd_textfile_add_float(file, value);
            crd_textfile_add(file, c + 1 < features->columns ? "," : "\n");
        }
    }
    return crd_textfile_close(&file, status, error);
}

static crd_status write_labels(const crd_dataset *dataset, const char *raw, crd_error *error)
{
    crd_textfile *file;
    crd_status status = crd_textfile_open(raw, "node-label.csv.gz", &file, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < dataset->input.nodes; i++) {
        if (dataset->labels[i] < 0) crd_textfile_add(file, "nan");
        else crd_textfile_add_integer(file, dataset->labels[i]);
        crd_textfile_add(file, "\n");
    }
    return crd_textfile_close(&file, status, error);
}

static crd_status write_raw(const crd_dataset *dataset, const char *folder, crd_error *error)
{
    char *raw;
    const crd_graph *graph = &dataset->input;
    crd_status status = make_folder(folder, "raw", &raw, error);
    if (status != CRD_OK) return status;
    status = write_edges(graph, raw, error);
    if (status == CRD_OK && dataset->features.columns > 0) status = write_features(&dataset->features, raw,
                                                                                   error);
    if (status == CRD_OK) status = write_labels(dataset, raw, error);
    if (status == CRD_OK) status = write_number(raw, "num-node-list.csv.gz", graph->nodes, error);
    if (status == CRD_OK)
        status = write_number(raw, "num-edge-list.csv.gz", graph->start[graph->nodes], error);
    free(raw);
    return status;
}

static crd_status write_mapping(const crd_dataset *dataset, const char *folder, crd_error *error)
{
    bool classes = false;
    crd_status status = crd_classes_need_list(dataset, &classes, error);
    if (status != CRD_OK || (dataset->node_names == NULL && !classes)) return status;
    char *mapping;
    status = make_folder(folder, "mapping", &mapping, error);
    if (status != CRD_OK) return status;
    if (dataset->node_names != NULL)
        status = crd_save_names(mapping, "nodeidx2name.csv.gz", "node idx,name\n", dataset->node_names,
                                dataset->input.nodes, error);
    if (status == CRD_OK && classes)
        status = crd_save_names(mapping, "labelidx2name.csv.gz", "label idx,name\n", dataset->class_names,
                                dataset->classes, error);
    free(mapping);
    return status;
}

static crd_status write_role(const uint8_t *roles, int64_t nodes, uint8_t role, const char *folder,
                             const char *name, crd_error *error)
{
    crd_textfile *file;
    crd_status status = crd_textfile_open(folder, name, &file, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < nodes; i++) {
        if (roles[i] != role) continue;
        crd_textfile_add_integer(file, i);
        crd_textfile_add(file, "\n");
    }
    return crd_textfile_close(&file, status, error);
}

static crd_status write_split(const crd_dataset *dataset, int index, const char *folder, crd_error *error)
{
    char name[24], *path;
    int64_t nodes = dataset->input.nodes;
    const uint8_t *roles = dataset->split_roles + index * nodes;
    /* Readers go by the order of the names. */
    snprintf(name, sizeof name, "split-%03d", index);
    crd_status status = make_folder(folder, name, &path, error);
    if (status != CRD_OK) return status;
    status = write_role(roles, nodes, CRD_ROLE_TRAIN, path, "train.csv.gz", error);
    if (status == CRD_OK) status = write_role(roles, nodes, CRD_ROLE_VALIDATION, path, "valid.csv.gz", error);
    if (status == CRD_OK) status = write_role(roles, nodes, CRD_ROLE_TEST, path, "test.csv.gz", error);
    free(path);
    return status;
}

static crd_status write_splits(const crd_dataset *dataset, const char *folder, crd_error *error)
{
    if (dataset->splits == 0) return CRD_OK;
    char *path;
    crd_status status = make_folder(folder, "split", &path, error);
    for (int i = 0; i < dataset->splits && status == CRD_OK; i++) status = write_split(dataset, i, path,
                                                                                       error);
    crd_string_free(&path);
    return status;
}

/* OGB has every zero of the features written out. */
static crd_status check_features(const crd_features *features, const char *path, crd_error *error)
{
    const double most_cells = 1e8, most_per_entry = 1000.0;
    double cells = (double)features->rows * (double)features->columns;
    int64_t entries = features->sparse ? features->start[features->rows] : 0;
    if (!features->sparse || cells <= most_cells || cells <= most_per_entry * (double)entries) return CRD_OK;
    return crd_fail(error, CRD_ERROR_ARGUMENT,
                    "%s: an OGB folder writes every zero out: %lld x %lld features for %lld that are not "
                    "zero; choose npz, npy, csv or mtx",
                    path, (long long)features->rows, (long long)features->columns, (long long)entries);
}

crd_status crd_save_ogb(const crd_dataset *dataset, const char *path, crd_error *error)
{
    crd_outfolder *out;
    crd_status status = check_features(&dataset->features, path, error);
    if (status == CRD_OK) status = crd_outfolder_open(path, &out, error);
    if (status != CRD_OK) return status;
    const char *folder = crd_outfolder_path(out);
    status = write_raw(dataset, folder, error);
    if (status == CRD_OK) status = write_mapping(dataset, folder, error);
    if (status == CRD_OK) status = write_splits(dataset, folder, error);
    if (status == CRD_OK) status = crd_outfolder_commit(&out, error);
    else crd_outfolder_discard(&out);
    return status;
}
