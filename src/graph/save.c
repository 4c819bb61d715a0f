/* Writes a dataset: as arrays in one archive or folder, or as a folder of text files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "graph/dataset.h"
#include "graph/split.h"
#include "io/archive.h"
#include "io/folder.h"

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
    free(counts);
    return CRD_OK;
}

static const uint8_t part_role[] = {CRD_ROLE_TRAIN, CRD_ROLE_VALIDATION, CRD_ROLE_TEST};

/* ---- arrays ---- */

typedef struct array {
    const char *name; /* NULL: not in this dataset */
    crd_npy_type type;
    int dims;
    int64_t shape[2];
    const void *items;
} array;

static crd_status add_arrays(crd_archive_writer *writer, const array *arrays, size_t count, crd_error *error)
{
    crd_status status = CRD_OK;
    for (const array *a = arrays; a < arrays + count && status == CRD_OK; a++)
        if (a->name != NULL) status = crd_archive_add(writer, a->name, a->type, a->dims, a->shape, a->items, error);
    return status;
}

/* Arrays made for the file. They live until it is written. */
typedef struct made {
    float *ones;    /* one per edge */
    uint8_t *masks; /* for each role: splits x nodes */
    int64_t graph_shape[2], feature_shape[2];
} made;

static crd_status add_matrices(const crd_dataset *dataset, made *m, crd_archive_writer *writer, crd_error *error)
{
    const crd_graph *graph = &dataset->input;
    const crd_features *f = &dataset->features;
    const bool dense = f->columns > 0 && !f->sparse, sparse = f->columns > 0 && f->sparse;
    const int64_t nodes = graph->nodes, edges = graph->start[nodes], entries = sparse ? f->start[f->rows] : 0;
    m->graph_shape[0] = m->graph_shape[1] = nodes;
    m->feature_shape[0] = f->rows;
    m->feature_shape[1] = f->columns;
    crd_status status = CRD_NEW(&m->ones, edges, error);
    if (status != CRD_OK) return status;
    for (int64_t e = 0; e < edges; e++) m->ones[e] = 1.0f;
    const array arrays[] = {
        {"adj_data", CRD_NPY_F4, 1, {edges}, m->ones},
        {"adj_indices", CRD_NPY_I4, 1, {edges}, graph->neighbour},
        {"adj_indptr", CRD_NPY_I8, 1, {nodes + 1}, graph->start},
        {"adj_shape", CRD_NPY_I8, 1, {2}, m->graph_shape},
        {dense ? "attr_matrix" : NULL, CRD_NPY_F4, 2, {f->rows, f->columns}, f->dense},
        {sparse ? "attr_data" : NULL, CRD_NPY_F4, 1, {entries}, f->value},
        {sparse ? "attr_indices" : NULL, CRD_NPY_I4, 1, {entries}, f->column},
        {sparse ? "attr_indptr" : NULL, CRD_NPY_I8, 1, {f->rows + 1}, f->start},
        {sparse ? "attr_shape" : NULL, CRD_NPY_I8, 1, {2}, m->feature_shape},
        {"labels", CRD_NPY_I4, 1, {nodes}, dataset->labels},
    };
    return add_arrays(writer, arrays, sizeof arrays / sizeof *arrays, error);
}

/* One mask per role: [nodes], or [splits,nodes] if there are several splits. */
static crd_status add_splits(const crd_dataset *dataset, made *m, crd_archive_writer *writer, crd_error *error)
{
    static const char *const names[] = {"train_mask", "val_mask", "test_mask"};
    const int64_t nodes = dataset->input.nodes, size = dataset->splits * nodes;
    const bool one = dataset->splits == 1;
    crd_status status = CRD_NEW(&m->masks, 3 * size, error);
    for (int r = 0; r < 3 && status == CRD_OK; r++) {
        uint8_t *mask = m->masks + r * size;
        for (int64_t i = 0; i < size; i++) mask[i] = dataset->split_roles[i] == part_role[r];
        const array a = {names[r], CRD_NPY_U1, one ? 1 : 2, {one ? nodes : dataset->splits, nodes}, mask};
        status = add_arrays(writer, &a, 1, error);
    }
    return status;
}

static crd_status save_arrays(const crd_dataset *dataset, const char *path, bool folder, crd_error *error)
{
    crd_archive_writer *writer;
    made m = {0};
    bool listed = false;
    crd_status status = classes_need_list(dataset, &listed, error);
    if (status == CRD_OK)
        status =
            folder ? crd_archive_create_folder(path, &writer, error) : crd_archive_create(path, true, &writer, error);
    if (status != CRD_OK) return status;
    status = add_matrices(dataset, &m, writer, error);
    if (status == CRD_OK && listed)
        status = crd_archive_add_strings(writer, "class_names", dataset->classes,
                                         (const char *const *)dataset->class_names, error);
    if (status == CRD_OK && dataset->node_names != NULL)
        status = crd_archive_add_strings(writer, "node_names", dataset->input.nodes,
                                         (const char *const *)dataset->node_names, error);
    if (status == CRD_OK && dataset->splits > 0) status = add_splits(dataset, &m, writer, error);
    if (status == CRD_OK) status = crd_archive_commit(&writer, error);
    else crd_archive_discard(&writer);
    free(m.ones);
    free(m.masks);
    return status;
}

/* ---- text ---- */

/* One file of a folder. Closing the file reports the failures of its writer. */
typedef struct text_file {
    const char *name;   /* "raw/edge.csv.gz"; NULL: not in this dataset */
    const char *header; /* the first line, or "" */
    void (*write)(crd_textfile *file, const crd_dataset *dataset, int64_t which);
    int64_t which; /* tells the writer which split, which names, ... */
} text_file;

/* "1,2\n" */
static void add_numbers(crd_textfile *file, const int64_t *numbers, int count, const char *between, const char *end)
{
    for (int i = 0; i < count; i++) {
        crd_textfile_add_integer(file, numbers[i]);
        crd_textfile_add(file, i + 1 < count ? between : end);
    }
}

static void add_node(crd_textfile *file, const crd_dataset *dataset, int64_t node)
{
    if (dataset->node_names != NULL) crd_textfile_add_field(file, dataset->node_names[node]);
    else crd_textfile_add_integer(file, node);
}

/* By name, or by numbers: from 0 in OGB's files, from 1 and after the sizes in Matrix Market's. */
enum { BY_NAME = -1, OGB = 0, MATRIX_MARKET = 1 };

static void write_edges(crd_textfile *file, const crd_dataset *dataset, int64_t form)
{
    const crd_graph *graph = &dataset->input;
    const int64_t sizes[] = {graph->nodes, graph->nodes, graph->start[graph->nodes]};
    if (form == MATRIX_MARKET) add_numbers(file, sizes, 3, " ", "\n");
    for (int64_t i = 0; i < graph->nodes; i++)
        for (int64_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
            const int64_t numbers[] = {form + i, form + graph->neighbour[e]};
            if (form != BY_NAME) {
                add_numbers(file, numbers, 2, form == OGB ? "," : " ", "\n");
                continue;
            }
            add_node(file, dataset, i);
            crd_textfile_add(file, ",");
            add_node(file, dataset, graph->neighbour[e]);
            crd_textfile_add(file, "\n");
        }
}

static void add_mtx_entry(crd_textfile *file, int64_t row, int64_t column, float value)
{
    if (value == 0.0f) return;
    add_numbers(file, (int64_t[]){row + 1, column + 1}, 2, " ", " ");
    crd_textfile_add_float(file, value);
    crd_textfile_add(file, "\n");
}

static void write_features_mtx(crd_textfile *file, const crd_dataset *dataset, int64_t which)
{
    (void)which;
    const crd_features *f = &dataset->features;
    add_numbers(file, (int64_t[]){f->rows, f->columns, crd_features_nonzero(f)}, 3, " ", "\n");
    for (int64_t r = 0; r < f->rows; r++) {
        for (int64_t e = f->sparse ? f->start[r] : 0; f->sparse && e < f->start[r + 1]; e++)
            add_mtx_entry(file, r, f->column[e], f->value[e]);
        for (int64_t c = 0; !f->sparse && c < f->columns; c++) add_mtx_entry(file, r, c, f->dense[r * f->columns + c]);
    }
}

/* LIBSVM's leading column is the label. A zero in the first row records a last column that no row uses. */
static void write_features_svm(crd_textfile *file, const crd_dataset *dataset, int64_t which)
{
    (void)which;
    const crd_features *f = &dataset->features;
    int64_t largest = -1;
    for (int64_t e = 0; e < f->start[f->rows]; e++)
        if (f->column[e] > largest) largest = f->column[e];
    for (int64_t r = 0; r < f->rows; r++) {
        crd_textfile_add_integer(file, dataset->labels[r]);
        for (int64_t e = f->start[r]; e < f->start[r + 1]; e++) {
            crd_textfile_add(file, " ");
            crd_textfile_add_integer(file, (int64_t)f->column[e] + 1);
            crd_textfile_add(file, ":");
            crd_textfile_add_float(file, f->value[e]);
        }
        if (r == 0 && largest + 1 < f->columns) {
            crd_textfile_add(file, " ");
            crd_textfile_add_integer(file, f->columns);
            crd_textfile_add(file, ":0");
        }
        crd_textfile_add(file, "\n");
    }
}

/* Every value, including zeros. The header marks the first column as values, because whole numbers could be taken for
 * ids. */
static void write_features_csv(crd_textfile *file, const crd_dataset *dataset, int64_t header)
{
    const crd_features *f = &dataset->features;
    for (int64_t c = 0; header && c < f->columns; c++) {
        crd_textfile_add(file, "f");
        add_numbers(file, &c, 1, "", c + 1 < f->columns ? "," : "\n");
    }
    for (int64_t r = 0; r < f->rows; r++) {
        int64_t next = f->sparse ? f->start[r] : 0;
        for (int64_t c = 0; c < f->columns; c++) {
            float value = 0.0f;
            if (!f->sparse) value = f->dense[r * f->columns + c];
            else if (next < f->start[r + 1] && f->column[next] == c) value = f->value[next++];
            crd_textfile_add_float(file, value);
            crd_textfile_add(file, c + 1 < f->columns ? "," : "\n");
        }
    }
}

static void write_labels(crd_textfile *file, const crd_dataset *dataset, int64_t form)
{
    for (int64_t i = 0; i < dataset->input.nodes; i++) {
        const int64_t label = dataset->labels[i];
        if (form == OGB) {
            if (label >= 0) crd_textfile_add_integer(file, label);
            crd_textfile_add(file, label >= 0 ? "\n" : "nan\n");
            continue;
        }
        add_node(file, dataset, i);
        crd_textfile_add(file, ",");
        if (label >= 0) crd_textfile_add_field(file, dataset->class_names[label]);
        crd_textfile_add(file, "\n");
    }
}

/* "number,name" rows. */
static void write_names(crd_textfile *file, const crd_dataset *dataset, int64_t of_classes)
{
    char *const *names = of_classes ? dataset->class_names : dataset->node_names;
    const int64_t count = of_classes ? dataset->classes : dataset->input.nodes;
    for (int64_t i = 0; i < count; i++) {
        add_numbers(file, &i, 1, "", ",");
        crd_textfile_add_field(file, names[i]);
        crd_textfile_add(file, "\n");
    }
}

static void write_number(crd_textfile *file, const crd_dataset *dataset, int64_t number)
{
    (void)dataset;
    add_numbers(file, &number, 1, "", "\n");
}

static void write_split(crd_textfile *file, const crd_dataset *dataset, int64_t index)
{
    static const char *const words[] = {",none\n", ",train\n", ",val\n", ",test\n"};
    const uint8_t *roles = dataset->split_roles + index * dataset->input.nodes;
    for (int64_t i = 0; i < dataset->input.nodes; i++) {
        add_node(file, dataset, i);
        crd_textfile_add(file, words[roles[i]]);
    }
}

/* The nodes of one role: `which` counts three files per split. */
static void write_role(crd_textfile *file, const crd_dataset *dataset, int64_t which)
{
    const uint8_t *roles = dataset->split_roles + which / 3 * dataset->input.nodes;
    for (int64_t i = 0; i < dataset->input.nodes; i++)
        if (roles[i] == part_role[which % 3]) add_numbers(file, &i, 1, "", "\n");
}

/* Makes the folders in the name if they do not exist. */
static crd_status write_file(const char *folder, const crd_dataset *dataset, const text_file *wanted, crd_error *error)
{
    crd_textfile *file;
    if (wanted->name == NULL) return CRD_OK;
    for (const char *slash = wanted->name; (slash = strchr(slash, '/')) != NULL; slash++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%.*s", folder, (int)(slash - wanted->name), wanted->name);
        if (mkdir(path, 0777) != 0 && errno != EEXIST) return crd_fail_errno(error, path, "make the folder");
    }
    crd_status status = crd_textfile_open(folder, wanted->name, &file, error);
    if (status != CRD_OK) return status;
    crd_textfile_add(file, wanted->header);
    wanted->write(file, dataset, wanted->which);
    return crd_textfile_close(&file, status, error);
}

static crd_status write_files(const char *folder, const crd_dataset *dataset, const text_file *files, size_t count,
                              crd_error *error)
{
    crd_status status = CRD_OK;
    for (size_t i = 0; i < count && status == CRD_OK; i++) status = write_file(folder, dataset, &files[i], error);
    return status;
}

/* Edges, features and labels; names of nodes and classes and splits go into separate files. */
static crd_status write_text(const char *folder, const crd_dataset *dataset, bool mtx, bool classes, crd_error *error)
{
    const bool features = dataset->features.columns > 0, sparse = features && dataset->features.sparse;
    const text_file files[] = {
        {mtx ? NULL : "edges.csv", "source,target\n", write_edges, BY_NAME},
        {mtx ? "graph.mtx" : NULL, "%%MatrixMarket matrix coordinate pattern general\n", write_edges, MATRIX_MARKET},
        {mtx && features ? "features.mtx" : NULL, "%%MatrixMarket matrix coordinate real general\n", write_features_mtx,
         0},
        {!mtx && sparse ? "features.svm" : NULL, "", write_features_svm, 0},
        {!mtx && features && !sparse ? "features.csv" : NULL, "", write_features_csv, true},
        {"labels.csv", "node,label\n", write_labels, BY_NAME},
        {dataset->node_names != NULL ? "nodes.csv" : NULL, "number,name\n", write_names, false},
        {classes ? "classes.csv" : NULL, "number,name\n", write_names, true},
    };
    crd_status status = write_files(folder, dataset, files, sizeof files / sizeof *files, error);
    for (int i = 0; i < dataset->splits && status == CRD_OK; i++) {
        char name[32] = "split.csv";
        if (dataset->splits > 1) snprintf(name, sizeof name, "split-%d.csv", i);
        status = write_file(folder, dataset, &(text_file){name, "node,split\n", write_split, i}, error);
    }
    return status;
}

/* OGB's folders: packed CSV without headers, everything is a number; names go to mapping/. */
static crd_status write_ogb(const char *folder, const crd_dataset *dataset, bool classes, crd_error *error)
{
    static const char *const roles[] = {"train", "valid", "test"};
    const crd_graph *graph = &dataset->input;
    const text_file files[] = {
        {"raw/edge.csv.gz", "", write_edges, OGB},
        {dataset->features.columns > 0 ? "raw/node-feat.csv.gz" : NULL, "", write_features_csv, false},
        {"raw/node-label.csv.gz", "", write_labels, OGB},
        {"raw/num-node-list.csv.gz", "", write_number, graph->nodes},
        {"raw/num-edge-list.csv.gz", "", write_number, graph->start[graph->nodes]},
        {dataset->node_names != NULL ? "mapping/nodeidx2name.csv.gz" : NULL, "node idx,name\n", write_names, false},
        {classes ? "mapping/labelidx2name.csv.gz" : NULL, "label idx,name\n", write_names, true},
    };
    crd_status status = write_files(folder, dataset, files, sizeof files / sizeof *files, error);
    for (int i = 0; i < 3 * dataset->splits && status == CRD_OK; i++) {
        char name[64]; /* readers sort by name */
        snprintf(name, sizeof name, "split/split-%03d/%s.csv.gz", i / 3, roles[i % 3]);
        status = write_file(folder, dataset, &(text_file){name, "", write_role, i}, error);
    }
    return status;
}

/* OGB's format writes out every zero of the features. */
static crd_status check_zeros(const crd_features *features, const char *path, crd_error *error)
{
    const double most_cells = 1e8, most_per_entry = 1000.0;
    const double cells = (double)features->rows * (double)features->columns;
    const int64_t entries = features->sparse ? features->start[features->rows] : 0;
    if (!features->sparse || cells <= most_cells || cells <= most_per_entry * (double)entries) return CRD_OK;
    return crd_fail(error, CRD_ERROR_ARGUMENT,
                    "%s: an OGB folder writes every zero out: %lld x %lld features for %lld that are not zero; choose "
                    "npz, npy, csv or mtx",
                    path, (long long)features->rows, (long long)features->columns, (long long)entries);
}

static crd_status save_text(const crd_dataset *dataset, const char *path, crd_format format, crd_error *error)
{
    crd_outfolder *out;
    bool classes = false;
    crd_status status = CRD_OK;
    if (dataset->splits > CRD_MOST_SPLIT_FILES)
        status = crd_fail(error, CRD_ERROR_ARGUMENT,
                          "%s: the data have %d splits, but a folder of text takes %d; choose npz or npy", path,
                          dataset->splits, CRD_MOST_SPLIT_FILES);
    else if (format == CRD_FORMAT_OGB) status = check_zeros(&dataset->features, path, error);
    if (status == CRD_OK) status = classes_need_list(dataset, &classes, error);
    if (status == CRD_OK) status = crd_outfolder_open(path, &out, error);
    if (status != CRD_OK) return status;
    const char *folder = crd_outfolder_path(out);
    status = format == CRD_FORMAT_OGB ? write_ogb(folder, dataset, classes, error)
                                      : write_text(folder, dataset, format == CRD_FORMAT_MTX, classes, error);
    if (status == CRD_OK) return crd_outfolder_commit(&out, error);
    crd_outfolder_discard(&out);
    return status;
}

/* ---- the choice ---- */

static bool ends_with(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcmp(path + length - tail, ending) == 0;
}

crd_status crd_dataset_save(const crd_dataset *dataset, const char *path, crd_format format, crd_error *error)
{
    static const char *const single[] = {".csv", ".tsv", ".txt", ".mtx", ".svm", ".npy", ".gz", ".json"};
    for (size_t i = 0; format == CRD_FORMAT_AUTO && i < sizeof single / sizeof *single; i++)
        if (ends_with(path, single[i]))
            return crd_fail(error, CRD_ERROR_ARGUMENT,
                            "%s: such data are a folder of files: give a folder's name and the format (npy, csv, mtx "
                            "or ogb), or a name that ends in .npz",
                            path);
    switch (format) {
    case CRD_FORMAT_AUTO:
        return save_arrays(dataset, path, !ends_with(path, ".npz") && strcmp(path, "-") != 0, error);
    case CRD_FORMAT_NPZ:
    case CRD_FORMAT_NPY:
        return save_arrays(dataset, path, format == CRD_FORMAT_NPY, error);
    case CRD_FORMAT_CSV:
    case CRD_FORMAT_MTX:
    case CRD_FORMAT_OGB:
        return save_text(dataset, path, format, error);
    default:
        return crd_fail(error, CRD_ERROR_ARGUMENT, "unknown format number %d", (int)format);
    }
}
