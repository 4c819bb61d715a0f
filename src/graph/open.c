/* The road from a file to a dataset starts here: raw.h has its four stations. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "graph/raw.h"
#include "io/folder.h"
#include "io/sniff.h"

static crd_status open_arrays(crd_archive *archive, const crd_open_options *options, crd_dataset **dataset,
                              crd_error *error)
{
    crd_raw raw;
    crd_raw_start(&raw, crd_archive_name(archive));
    crd_status status = crd_read_archive(archive, options, &raw, error);
    if (status == CRD_OK) status = crd_finish_with(&raw, archive, options, dataset, error);
    crd_raw_free(&raw);
    return status;
}

/* An archive in memory came through a pipe, or was packed once more; else its members are read from its file. */
static crd_status open_archive(crd_source *source, const char *file, const crd_open_options *options,
                               crd_dataset **dataset, crd_error *error)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    crd_archive *archive = NULL;
    crd_status status = file != NULL ? CRD_OK : crd_source_read_all(source, &bytes, &size, error);
    if (status == CRD_OK)
        status = file != NULL ? crd_archive_open(file, &archive, error)
                              : crd_archive_open_memory(bytes, size, crd_source_name(source), &archive, error);
    if (status == CRD_OK) status = open_arrays(archive, options, dataset, error);
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
    status = crd_read_edges(source, &raw, error);
    if (status == CRD_OK) status = crd_finish_with(&raw, NULL, options, dataset, error);
    crd_raw_free(&raw);
    return status;
}

crd_status crd_dataset_open(const char *path, const crd_open_options *options, crd_dataset **dataset,
                            crd_error *error)
{
    struct stat facts = {0};
    crd_source *source;
    *dataset = NULL;
    if (path == NULL || path[0] == '\0')
        return crd_fail(error, CRD_ERROR_ARGUMENT, "the name of the data is empty");
    bool from_input = strcmp(path, "-") == 0;
    if (!from_input && stat(path, &facts) != 0) return crd_fail_errno(error, path, "open");
    if (S_ISDIR(facts.st_mode)) return crd_open_folder(path, options, dataset, error);
    crd_status status = crd_source_open(path, &source, error);
    if (status != CRD_OK) return status;
    status = open_source(source, S_ISREG(facts.st_mode) ? path : NULL, options, dataset, error);
    crd_source_free(&source);
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

crd_status crd_read_part(const char *path, crd_part part, crd_raw *raw, crd_error *error)
{
    static const char *const what[] = {"edges", "node features", "labels", "node names", "class names"};
    if (crd_is_folder(path))
        return crd_fail(error, CRD_ERROR_IO, "%s: is a folder, expected a file of %s", path, what[part]);
    crd_source *source;
    crd_status status = crd_source_open(path, &source, error);
    if (status != CRD_OK) return status;
    status = crd_refuse_foreign(source, error);
    if (status == CRD_OK) switch (part) {
        case CRD_PART_EDGES: status = crd_read_edges(source, raw, error); break;
        case CRD_PART_FEATURES: status = crd_read_features(source, path, raw, error); break;
        case CRD_PART_LABELS: status = crd_read_labels(source, raw, error); break;
        case CRD_PART_NODES: status = crd_read_names(source, "node", &raw->nodes, error); break;
        case CRD_PART_CLASSES: status = crd_read_names(source, "class", &raw->classes, error); break;
        }
    crd_source_free(&source);
    return status;
}
