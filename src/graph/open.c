/* The road to a dataset starts here, from files and from arrays that a program holds: raw.h has its four
 * stations. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/sized.h"
#include "base/watch.h"
#include "graph/raw.h"
#include "io/folder.h"

/* ---- one part ---- */

typedef crd_status (*array_taker)(crd_source *source, const crd_npy *npy, crd_raw *raw, crd_error *error);
typedef crd_status (*text_reader)(crd_source *source, crd_raw *raw, crd_error *error);

static const struct {
    const char *what, *formats;
    array_taker take; /* NULL: not from arrays */
    text_reader read;
} parts[] = {
    [CRD_PART_EDGES] = {"a graph", "", crd_take_edges, crd_read_edges},
    [CRD_PART_FEATURES] = {"node features", " as .npy, .csv, .tsv, .svm or .mtx", crd_take_features, crd_read_features},
    [CRD_PART_LABELS] = {"labels", " as .csv, .tsv or .npy", crd_take_labels, crd_read_labels},
    [CRD_PART_NODES] = {"node names", "", NULL, crd_read_node_names},
    [CRD_PART_CLASSES] = {"class names", "", NULL, crd_read_class_names},
    [CRD_PART_COLUMNS] = {"feature names", "", crd_take_feature_names, crd_read_feature_names},
};

crd_status crd_read_source(crd_source *source, crd_part part, crd_raw *raw, crd_error *error)
{
    const char *name = crd_source_name(source);
    const uint8_t *bytes;
    size_t got;
    crd_npy npy;
    crd_status status = crd_source_peek(source, 16, &bytes, &got, error);
    if (status != CRD_OK) return status;
    if (got == 0)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: the file is empty, expected %s", name, parts[part].what);
    if (crd_is_zip(bytes, got))
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: is an archive, expected %s%s", name, parts[part].what,
                        parts[part].formats);
    if (parts[part].take == NULL || !crd_is_npy(bytes, got)) return parts[part].read(source, raw, error);
    status = crd_npy_header(source, &npy, error);
    return status == CRD_OK ? parts[part].take(source, &npy, raw, error) : status;
}

crd_status crd_read_part(const char *path, crd_part part, crd_raw *raw, crd_error *error)
{
    if (crd_is_folder(path))
        return crd_fail(error, CRD_ERROR_IO, "%s: is a folder, expected a file of %s", path, parts[part].what);
    crd_source *source;
    crd_status status = crd_source_open(path, &source, error);
    if (status != CRD_OK) return status;
    status = crd_refuse_foreign(source, error);
    if (status == CRD_OK) status = crd_read_source(source, part, raw, error);
    crd_source_free(&source);
    return status;
}

/* ---- a dataset ---- */

/* An archive that came through a pipe, or is packed in gzip, is in memory; else its members are read from its file. */
static crd_status open_archive(crd_source *source, const char *file, const crd_open_options *options,
                               crd_dataset **dataset, crd_error *error)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    crd_archive *archive = NULL;
    crd_raw raw;
    crd_raw_start(&raw, crd_source_name(source));
    crd_status status = file != NULL ? CRD_OK : crd_source_read_all(source, &bytes, &size, error);
    if (status == CRD_OK)
        status = file != NULL ? crd_archive_open(file, &archive, error)
                              : crd_archive_open_memory(bytes, size, crd_source_name(source), &archive, error);
    if (status == CRD_OK) status = crd_read_archive(archive, options, &raw, error);
    if (status == CRD_OK) status = crd_finish_with(&raw, archive, options, dataset, error);
    crd_raw_free(&raw);
    crd_archive_free(&archive);
    free(bytes);
    return status;
}

/* `file` is the source's name if it is a file that can be opened again, else NULL. */
static crd_status open_source(crd_source *source, const char *file, const crd_open_options *options,
                              crd_dataset **dataset, crd_error *error)
{
    const uint8_t *bytes;
    size_t got;
    crd_raw raw;
    crd_status status = crd_refuse_foreign(source, error);
    if (status == CRD_OK) status = crd_source_peek(source, 16, &bytes, &got, error);
    if (status != CRD_OK) return status;
    if (crd_is_zip(bytes, got))
        return open_archive(source, crd_source_is_packed(source) ? NULL : file, options, dataset, error);
    if (crd_is_safetensors(bytes, got))
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: is a model (safetensors), expected a graph",
                        crd_source_name(source));
    crd_raw_start(&raw, crd_source_name(source));
    crd_raw_set_options(&raw, options);
    status = crd_read_source(source, CRD_PART_EDGES, &raw, error);
    if (status == CRD_OK) status = crd_finish_with(&raw, NULL, options, dataset, error);
    crd_raw_free(&raw);
    return status;
}

static crd_status open_path(const char *path, const crd_open_options *options, crd_dataset **dataset, crd_error *error)
{
    struct stat facts = {0};
    crd_source *source;
    if (path == NULL || path[0] == '\0') return crd_fail(error, CRD_ERROR_ARGUMENT, "the name of the data is empty");
    bool from_input = strcmp(path, "-") == 0;
    if (!from_input && stat(path, &facts) != 0) return crd_fail_errno(error, path, "open");
    if (S_ISDIR(facts.st_mode)) return crd_open_folder(path, options, dataset, error);
    crd_status status = crd_source_open(path, &source, error);
    if (status != CRD_OK) return status;
    status = open_source(source, S_ISREG(facts.st_mode) ? path : NULL, options, dataset, error);
    crd_source_free(&source);
    return status;
}

crd_status crd_dataset_open(const char *path, const crd_open_options *options, crd_dataset **dataset, crd_error *error)
{
    crd_open_options complete = {.size = sizeof complete};
    crd_watch watch;
    *dataset = NULL;
    crd_status status = crd_take_sized("crd_open_options", options, &complete, sizeof complete, error);
    if (status != CRD_OK) return status;
    crd_watch_begin(&watch, complete.control);
    crd_watch_phase("reading");
    status = open_path(path, options != NULL ? &complete : NULL, dataset, error);
    crd_watch_end(&watch);
    return status;
}

crd_status crd_dataset_open_memory(const void *bytes, size_t size, const char *name, crd_dataset **dataset,
                                   crd_error *error)
{
    *dataset = NULL;
    crd_source *source;
    crd_status status = crd_source_memory(bytes, size, name == NULL ? "memory" : name, &source, error);
    if (status != CRD_OK) return status;
    status = open_source(source, NULL, NULL, dataset, error);
    crd_source_free(&source);
    return status;
}

/* ---- arrays that a program holds ---- */

static const char arrays_name[] = "arrays";

static crd_status check(const crd_arrays *a, crd_error *error)
{
    const struct {
        bool wrong;
        const char *problem;
    } checks[] = {
        {a->nodes < 1 || a->nodes > INT32_MAX, "nodes must be 1 to 2147483647"},
        {a->edges < 0, "edges must not be negative"},
        {a->edges > 0 && (a->source == NULL || a->target == NULL), "edges need source and target"},
        {a->features < 0 || a->features > INT32_MAX, "features must be 0 to 2147483647"},
        {a->dense != NULL && a->row_start != NULL, "features are either dense or sparse, not both"},
        {a->features > 0 && a->dense == NULL && a->row_start == NULL, "features need dense, or row_start and column"},
        {a->row_start != NULL && a->column == NULL, "sparse features need column"},
        {a->classes < 0, "classes must not be negative"},
        {a->class_names != NULL && a->classes == 0, "class_names need classes"},
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (checks[i].wrong) return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: %s", arrays_name, checks[i].problem);
    if (a->classes > a->nodes && a->class_names == NULL)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: has %d classes but only %lld nodes", arrays_name,
                        (int)a->classes, (long long)a->nodes);
    return CRD_OK;
}

static crd_status copy_edges(const crd_arrays *arrays, crd_raw_edges *edges, crd_error *error)
{
    crd_status status = crd_copy_string(&edges->file, arrays_name, error);
    if (status == CRD_OK) status = CRD_NEW(&edges->source, arrays->edges, error);
    if (status == CRD_OK) status = CRD_NEW(&edges->target, arrays->edges, error);
    edges->nodes = arrays->nodes;
    edges->count = arrays->edges;
    for (int64_t i = 0; i < arrays->edges && status == CRD_OK; i++) {
        int64_t source = arrays->source[i], target = arrays->target[i];
        if (source < 0 || source >= arrays->nodes || target < 0 || target >= arrays->nodes)
            return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: edge %lld joins %lld and %lld, expected 0 to %lld",
                            arrays_name, (long long)i, (long long)source, (long long)target,
                            (long long)arrays->nodes - 1);
        edges->source[i] = (int32_t)source;
        edges->target[i] = (int32_t)target;
    }
    return status;
}

static crd_status copy_dense(const crd_arrays *arrays, crd_features *features, crd_error *error)
{
    int64_t cells;
    if (!crd_multiply(arrays->nodes, arrays->features, &cells))
        return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: nodes x features is too large", arrays_name);
    crd_status status = CRD_NEW(&features->dense, cells, error);
    if (status == CRD_OK) memcpy(features->dense, arrays->dense, (size_t)cells * sizeof *features->dense);
    return status;
}

static crd_status copy_sparse(const crd_arrays *arrays, crd_features *features, crd_error *error)
{
    for (int64_t i = 0; i < arrays->nodes; i++)
        if (arrays->row_start[0] != 0 || arrays->row_start[i + 1] < arrays->row_start[i])
            return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: row_start must begin with 0 and never fall", arrays_name);
    int64_t count = arrays->row_start[arrays->nodes];
    crd_status status = crd_features_new_sparse(arrays->nodes, arrays->features, count, features, error);
    if (status != CRD_OK) return status;
    memcpy(features->start, arrays->row_start, (size_t)(arrays->nodes + 1) * sizeof *features->start);
    if (count > 0) memcpy(features->column, arrays->column, (size_t)count * sizeof *features->column);
    for (int64_t i = 0; i < count; i++) features->value[i] = arrays->value == NULL ? 1.0f : arrays->value[i];
    return CRD_OK;
}

static crd_status copy_features(const crd_arrays *arrays, crd_raw_features *raw, crd_error *error)
{
    if (arrays->features == 0) return CRD_OK;
    crd_status status = crd_copy_string(&raw->file, arrays_name, error);
    if (status != CRD_OK) return status;
    status = arrays->dense != NULL ? copy_dense(arrays, &raw->matrix, error) : copy_sparse(arrays, &raw->matrix, error);
    raw->matrix.rows = arrays->nodes;
    raw->matrix.columns = arrays->features;
    return status;
}

static crd_status copy_labels(const crd_arrays *arrays, crd_raw_labels *labels, crd_error *error)
{
    const int64_t classes = arrays->classes > 0 ? arrays->classes : arrays->nodes;
    int64_t *number;
    if (arrays->labels == NULL) return CRD_OK;
    for (int64_t i = 0; i < arrays->nodes; i++)
        if (arrays->labels[i] < -1 || arrays->labels[i] >= classes)
            return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: node %lld has the label %d, expected -1 to %lld",
                            arrays_name, (long long)i, (int)arrays->labels[i], (long long)classes - 1);
    crd_status status = CRD_NEW(&number, arrays->nodes, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < arrays->nodes; i++) number[i] = arrays->labels[i];
    status = crd_copy_string(&labels->file, arrays_name, error);
    if (status == CRD_OK) status = crd_raw_take_numbers(labels, number, arrays->nodes, error);
    free(number);
    return status;
}

crd_status crd_dataset_from_arrays(const crd_arrays *arrays, crd_dataset **dataset, crd_error *error)
{
    crd_raw raw;
    *dataset = NULL;
    crd_raw_start(&raw, arrays_name);
    crd_status status = check(arrays, error);
    if (status == CRD_OK) status = copy_edges(arrays, &raw.edges, error);
    if (status == CRD_OK) status = copy_features(arrays, &raw.features, error);
    if (status == CRD_OK) status = copy_labels(arrays, &raw.labels, error);
    if (status == CRD_OK && arrays->classes > 0)
        status = crd_raw_copy_names(&raw.classes, arrays_name, arrays->class_names, arrays->classes, error);
    if (status == CRD_OK && arrays->node_names != NULL)
        status = crd_raw_copy_names(&raw.nodes, arrays_name, arrays->node_names, arrays->nodes, error);
    if (status == CRD_OK && arrays->feature_names != NULL)
        status = crd_raw_copy_names(&raw.columns, arrays_name, arrays->feature_names, arrays->features, error);
    raw.nodes.required = raw.classes.required = raw.columns.required = true;
    if (status == CRD_OK) status = crd_finish(&raw, dataset, error);
    crd_raw_free(&raw);
    return status;
}
