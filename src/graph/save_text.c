/* Folders of text: edges.csv or graph.mtx, features, labels.csv, and what those cannot say (names of nodes
 * and classes, splits) in files of their own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/save.h"
#include "graph/textfile.h"
#include "io/outfolder.h"

static void add_node(crd_textfile *file, const crd_dataset *dataset, int64_t node)
{
    if (dataset->node_names != NULL) crd_textfile_add_field(file, dataset->node_names[node]);
    else crd_textfile_add_integer(file, node);
}

static crd_status write_edges(const crd_dataset *dataset, const char *folder, crd_error *error)
{
    const crd_graph *graph = &dataset->input;
    crd_textfile *file;
    crd_status status = crd_textfile_open(folder, "edges.csv", &file, error);
    if (status != CRD_OK) return status;
    crd_textfile_add(file, "source,target\n");
    for (int64_t i = 0; i < graph->nodes; i++)
        for (int64_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
            add_node(file, dataset, i);
            crd_textfile_add(file, ",");
            add_node(file, dataset, graph->neighbour[e]);
            crd_textfile_add(file, "\n");
        }
    return crd_textfile_close(&file, status, error);
}

static void add_sizes(crd_textfile *file, int64_t rows, int64_t columns, int64_t entries)
{
    crd_textfile_add_integer(file, rows);
    crd_textfile_add(file, " ");
    crd_textfile_add_integer(file, columns);
    crd_textfile_add(file, " ");
    crd_textfile_add_integer(file, entries);
    crd_textfile_add(file, "\n");
}

static crd_status write_graph_mtx(const crd_dataset *dataset, const char *folder, crd_error *error)
{
    const crd_graph *graph = &dataset->input;
    crd_textfile *file;
    crd_status status = crd_textfile_open(folder, "graph.mtx", &file, error);
    if (status != CRD_OK) return status;
    crd_textfile_add(file, "%%MatrixMarket matrix coordinate pattern general\n");
    add_sizes(file, graph->nodes, graph->nodes, graph->start[graph->nodes]);
    for (int64_t i = 0; i < graph->nodes; i++)
        for (int64_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
            crd_textfile_add_integer(file, i + 1);
            crd_textfile_add(file, " ");
            crd_textfile_add_integer(file, (int64_t)graph->neighbour[e] + 1);
            crd_textfile_add(file, "\n");
        }
    return crd_textfile_close(&file, status, error);
}

static void add_mtx_entry(crd_textfile *file, int64_t row, int64_t column, float value)
{
    crd_textfile_add_integer(file, row + 1);
    crd_textfile_add(file, " ");
    crd_textfile_add_integer(file, column + 1);
    crd_textfile_add(file, " ");
    crd_textfile_add_float(file, value);
    crd_textfile_add(file, "\n");
}

static crd_status write_features_mtx(const crd_features *features, const char *folder, crd_error *error)
{
    crd_textfile *file;
    crd_status status = crd_textfile_open(folder, "features.mtx", &file, error);
    if (status != CRD_OK) return status;
    crd_textfile_add(file, "%%MatrixMarket matrix coordinate real general\n");
    add_sizes(file, features->rows, features->columns, crd_features_nonzero(features));
    for (int64_t r = 0; r < features->rows; r++) {
        if (features->sparse)
            for (int64_t e = features->start[r]; e < features->start[r + 1]; e++)
                add_mtx_entry(file, r, features->column[e], features->value[e]);
        else
            for (int64_t c = 0; c < features->columns; c++) {
                float value = features->dense[r * features->columns + c];
                if (value != 0.0f) add_mtx_entry(file, r, c, value);
            }
    }
    return crd_textfile_close(&file, status, error);
}

/* LIBSVM's leading column is the label. A last column that no row uses is shown by a zero in the first
 * row. */
static crd_status write_features_svm(const crd_dataset *dataset, const char *folder, crd_error *error)
{
    const crd_features *features = &dataset->features;
    int64_t largest = -1;
    for (int64_t e = 0; e < features->start[features->rows]; e++)
        if (features->column[e] > largest) largest = features->column[e];
    crd_textfile *file;
    crd_status status = crd_textfile_open(folder, "features.svm", &file, error);
    if (status != CRD_OK) return status;
    for (int64_t r = 0; r < features->rows; r++) {
        crd_textfile_add_integer(file, dataset->labels[r]);
        for (int64_t e = features->start[r]; e < features->start[r + 1]; e++) {
            crd_textfile_add(file, " ");
            crd_textfile_add_integer(file, (int64_t)features->column[e] + 1);
            crd_textfile_add(file, ":");
            crd_textfile_add_float(file, features->value[e]);
        }
        if (r == 0 && largest + 1 < features->columns) {
            crd_textfile_add(file, " ");
            crd_textfile_add_integer(file, features->columns);
            crd_textfile_add(file, ":0");
        }
        crd_textfile_add(file, "\n");
    }
    return crd_textfile_close(&file, status, error);
}

/* The header says that there are values from the first column on: one of whole numbers could be taken for
 * ids. */
static crd_status write_features_csv(const crd_features *features, const char *folder, crd_error *error)
{
    crd_textfile *file;
    crd_status status = crd_textfile_open(folder, "features.csv", &file, error);
    if (status != CRD_OK) return status;
    for (int64_t c = 0; c < features->columns; c++) {
        crd_textfile_add(file, "f");
        crd_textfile_add_integer(file, c);
        crd_textfile_add(file, c + 1 < features->columns ? "," : "\n");
    }
    for (int64_t r = 0; r < features->rows; r++)
        for (int64_t c = 0; c < features->columns; c++) {
            crd_textfile_add_float(file, features->dense[r * features->columns + c]);
            crd_textfile_add(file, c + 1 < features->columns ? "," : "\n");
        }
    return crd_textfile_close(&file, status, error);
}

static crd_status write_labels(const crd_dataset *dataset, const char *folder, crd_error *error)
{
    crd_textfile *file;
    crd_status status = crd_textfile_open(folder, "labels.csv", &file, error);
    if (status != CRD_OK) return status;
    crd_textfile_add(file, "node,label\n");
    for (int64_t i = 0; i < dataset->input.nodes; i++) {
        int32_t label = dataset->labels[i];
        add_node(file, dataset, i);
        crd_textfile_add(file, ",");
        if (label >= 0) crd_textfile_add_field(file, dataset->class_names[label]);
        crd_textfile_add(file, "\n");
    }
    return crd_textfile_close(&file, status, error);
}

crd_status crd_save_names(const char *folder, const char *name, const char *header, char *const *names,
                          int64_t count, crd_error *error)
{
    crd_textfile *file;
    crd_status status = crd_textfile_open(folder, name, &file, error);
    if (status != CRD_OK) return status;
    crd_textfile_add(file, header);
    for (int64_t i = 0; i < count; i++) {
        crd_textfile_add_integer(file, i);
        crd_textfile_add(file, ",");
        crd_textfile_add_field(file, names[i]);
        crd_textfile_add(file, "\n");
    }
    return crd_textfile_close(&file, status, error);
}

static crd_status write_split(const crd_dataset *dataset, int index, const char *folder, crd_error *error)
{
    static const char *const words[] = {"none", "train", "val", "test"};
    char name[32] = "split.csv";
    if (dataset->splits > 1) snprintf(name, sizeof name, "split-%d.csv", index);
    const uint8_t *roles = dataset->split_roles + index * dataset->input.nodes;
    crd_textfile *file;
    crd_status status = crd_textfile_open(folder, name, &file, error);
    if (status != CRD_OK) return status;
    crd_textfile_add(file, "node,split\n");
    for (int64_t i = 0; i < dataset->input.nodes; i++) {
        add_node(file, dataset, i);
        crd_textfile_add(file, ",");
        crd_textfile_add(file, words[roles[i]]);
        crd_textfile_add(file, "\n");
    }
    return crd_textfile_close(&file, status, error);
}

static crd_status write_features(const crd_dataset *dataset, const char *folder, bool mtx, crd_error *error)
{
    const crd_features *features = &dataset->features;
    if (features->columns == 0) return CRD_OK;
    if (mtx) return write_features_mtx(features, folder, error);
    return features->sparse ? write_features_svm(dataset, folder, error)
                            : write_features_csv(features, folder, error);
}

crd_status crd_save_text(const crd_dataset *dataset, const char *path, bool mtx, crd_error *error)
{
    crd_outfolder *out;
    bool classes = false;
    crd_status status = crd_classes_need_list(dataset, &classes, error);
    if (status == CRD_OK) status = crd_outfolder_open(path, &out, error);
    if (status != CRD_OK) return status;
    const char *folder = crd_outfolder_path(out);
    status = mtx ? write_graph_mtx(dataset, folder, error) : write_edges(dataset, folder, error);
    if (status == CRD_OK) status = write_features(dataset, folder, mtx, error);
    if (status == CRD_OK) status = write_labels(dataset, folder, error);
    if (status == CRD_OK && dataset->node_names != NULL)
        status = crd_save_names(folder, "nodes.csv", "number,name\n", dataset->node_names,
                                dataset->input.nodes, error);
    if (status == CRD_OK && classes)
        status = crd_save_names(folder, "classes.csv", "number,name\n", dataset->class_names,
                                dataset->classes, error);
    for (int i = 0; i < dataset->splits && status == CRD_OK; i++)
        status = write_split(dataset, i, folder, error);
    if (status == CRD_OK) status = crd_outfolder_commit(&out, error);
    else crd_outfolder_discard(&out);
    return status;
}
