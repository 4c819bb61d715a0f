/* SPDX-License-Identifier: MIT */
/* The road from files to a dataset starts here: raw.h has its four stations. */
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
    [CRD_PART_FEATURES] = {"node features", " as .csv, .tsv, .npy, .npz, .svm, .mtx or .json", crd_take_features,
                           crd_read_features},
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

/* An archive that came through a pipe, or is packed in gzip, is in memory; else its members are read from its file.
 * The bytes must outlive the archive. */
static crd_status load_archive(crd_source *source, const char *file, uint8_t **bytes, crd_archive **archive,
                               crd_error *error)
{
    struct stat facts;
    size_t size;
    *bytes = NULL;
    *archive = NULL;
    if (file != NULL && !crd_source_is_packed(source) && stat(file, &facts) == 0 && S_ISREG(facts.st_mode))
        return crd_archive_open(file, archive, error);
    crd_status status = crd_source_read_all(source, bytes, &size, error);
    return status == CRD_OK ? crd_archive_open_memory(*bytes, size, crd_source_name(source), archive, error) : status;
}

static crd_status read_feature_archive(crd_source *source, const char *path, crd_raw *raw, crd_error *error)
{
    uint8_t *bytes;
    crd_archive *archive;
    crd_status status = load_archive(source, path, &bytes, &archive, error);
    if (status == CRD_OK) status = crd_read_feature_archive(archive, raw, error);
    crd_archive_free(&archive);
    crd_free(bytes);
    return status;
}

static crd_status read_opened(crd_source *source, const char *path, crd_part part, crd_raw *raw, crd_error *error)
{
    const uint8_t *bytes;
    size_t got;
    const bool features = part == CRD_PART_FEATURES;
    crd_status status = crd_source_peek(source, 64, &bytes, &got, error);
    if (status != CRD_OK) return status;
    const bool archive = features && crd_is_zip(bytes, got), lists = features && crd_is_json_object(bytes, got);
    if (!lists) status = crd_refuse_foreign(source, error);
    if (status != CRD_OK) return status;
    return archive ? read_feature_archive(source, path, raw, error) : crd_read_source(source, part, raw, error);
}

crd_status crd_read_part(const char *path, crd_part part, crd_raw *raw, crd_error *error)
{
    if (crd_is_folder(path))
        return crd_fail(error, CRD_ERROR_IO, "%s: is a folder, expected a file of %s", path, parts[part].what);
    crd_source *source;
    crd_status status = crd_source_open(path, &source, error);
    if (status != CRD_OK) return status;
    status = read_opened(source, path, part, raw, error);
    crd_source_free(&source);
    return status;
}

/* ---- a dataset ---- */

static crd_status open_archive(crd_source *source, const char *file, const crd_open_options *options,
                               crd_dataset **dataset, crd_error *error)
{
    uint8_t *bytes;
    crd_archive *archive;
    crd_raw raw;
    crd_raw_start(&raw, crd_source_name(source));
    crd_status status = load_archive(source, file, &bytes, &archive, error);
    if (status == CRD_OK) status = crd_read_archive(archive, options, &raw, error);
    if (status == CRD_OK) status = crd_finish_with(&raw, archive, options, dataset, error);
    crd_raw_free(&raw);
    crd_archive_free(&archive);
    crd_free(bytes);
    return status;
}

/* `file` is the source's name if it is a path, else NULL. */
static crd_status open_source(crd_source *source, const char *file, const crd_open_options *options,
                              crd_dataset **dataset, crd_error *error)
{
    const uint8_t *bytes;
    size_t got;
    crd_raw raw;
    crd_status status = crd_refuse_foreign(source, error);
    if (status == CRD_OK) status = crd_source_peek(source, 16, &bytes, &got, error);
    if (status != CRD_OK) return status;
    if (crd_is_zip(bytes, got)) return open_archive(source, file, options, dataset, error);
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
    if (path[0] == '\0') return crd_fail(error, CRD_ERROR_ARGUMENT, "the name of the data is empty");
    bool from_input = strcmp(path, "-") == 0;
    if (!from_input && stat(path, &facts) != 0) return crd_fail_errno(error, path, "open");
    if (S_ISDIR(facts.st_mode)) return crd_open_folder(path, options, dataset, error);
    crd_status status = crd_source_open(path, &source, error);
    if (status != CRD_OK) return status;
    status = open_source(source, from_input ? NULL : path, options, dataset, error);
    crd_source_free(&source);
    return status;
}

crd_status crd_dataset_open(const char *path, const crd_open_options *options, crd_dataset **dataset, crd_error *error)
{
    if (dataset != NULL) *dataset = NULL;
    if (CRD_ANY_NULL(error, path, dataset)) return CRD_ERROR_ARGUMENT;
    crd_open_options complete = {.size = sizeof complete};
    crd_watch watch;
    crd_status status = crd_take_sized("crd_open_options", options, &complete, sizeof complete, error);
    if (status == CRD_OK) status = crd_watch_begin(&watch, complete.control, "reading", error);
    if (status != CRD_OK) return status;
    status = open_path(path, options != NULL ? &complete : NULL, dataset, error);
    crd_watch_end(&watch);
    return status;
}

crd_status crd_dataset_open_memory(const void *bytes, size_t size, const char *name, crd_dataset **dataset,
                                   crd_error *error)
{
    if (dataset != NULL) *dataset = NULL;
    if (CRD_ANY_NULL(error, dataset)) return CRD_ERROR_ARGUMENT;
    if (size > 0 && CRD_ANY_NULL(error, bytes)) return CRD_ERROR_ARGUMENT;
    crd_source *source;
    crd_status status = crd_source_memory(bytes, size, name != NULL ? name : "memory", &source, error);
    if (status != CRD_OK) return status;
    status = open_source(source, NULL, NULL, dataset, error);
    crd_source_free(&source);
    return status;
}
