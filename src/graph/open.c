#include "graph/open.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <string.h>

#include "graph/array_parts.h"

crd_status crd_open_parts(crd_parts *parts, crd_bag *bag, const crd_open_options *options,
                          crd_dataset **dataset, crd_error *error)
{
    crd_status status = CRD_OK;
    crd_dataset *opened = NULL;
    if (options != NULL && options->features != NULL)
        status = crd_read_part(options->features, CRD_PART_FEATURES, parts, error);
    if (status == CRD_OK && options != NULL && options->labels != NULL) {
        /* Other labels may be of other classes. */
        crd_strings_free(&parts->class_names, parts->class_name_count);
        parts->class_name_count = 0;
        status = crd_read_part(options->labels, CRD_PART_LABELS, parts, error);
    }
    if (status == CRD_OK) status = crd_parts_assemble(parts, &opened, error);
    if (status == CRD_OK && bag != NULL) status = crd_splits_from_bag(bag, opened, error);
    if (status == CRD_OK) *dataset = opened;
    else crd_dataset_free(&opened);
    return status;
}

static crd_status open_bag(crd_bag *bag, const crd_open_options *options, crd_dataset **dataset,
                           crd_error *error)
{
    crd_parts parts;
    crd_status status = crd_parts_new(crd_bag_name(bag), &parts, error);
    if (status == CRD_OK) status = crd_parts_from_bag(bag, options, &parts, error);
    if (status == CRD_OK) status = crd_open_parts(&parts, bag, options, dataset, error);
    crd_parts_free(&parts);
    return status;
}

/* An archive that does not lie in a file of its own: it came through a pipe, or packed once more. */
static crd_status open_archive(crd_source *source, const crd_open_options *options, crd_dataset **dataset,
                               crd_error *error)
{
    uint8_t *bytes;
    size_t size;
    crd_bag *bag;
    crd_status status = crd_source_read_all(source, &bytes, &size, error);
    if (status != CRD_OK) return status;
    status = crd_bag_open_npz_memory(bytes, size, crd_source_name(source), &bag, error);
    if (status == CRD_OK) {
        status = open_bag(bag, options, dataset, error);
        crd_bag_free(&bag);
    }
    free(bytes);
    return status;
}

static crd_status open_source(crd_source *source, const crd_open_options *options, crd_dataset **dataset,
                              crd_error *error)
{
    const uint8_t *bytes;
    size_t got;
    crd_status status = crd_refuse_foreign(source, error);
    if (status == CRD_OK) status = crd_source_peek(source, 16, &bytes, &got, error);
    if (status != CRD_OK) return status;
    if (crd_is_zip(bytes, got)) return open_archive(source, options, dataset, error);
    if (crd_is_safetensors(bytes, got))
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: is a model (safetensors), expected a graph",
                        crd_source_name(source));
    crd_parts parts;
    status = crd_parts_new(crd_source_name(source), &parts, error);
    if (status == CRD_OK) status = crd_read_edges(source, &parts, error);
    if (status == CRD_OK) status = crd_open_parts(&parts, NULL, options, dataset, error);
    crd_parts_free(&parts);
    return status;
}

/* Members of an archive that lies in a file as it is are read from there. */
static crd_status open_archive_file(const char *path, const crd_open_options *options, crd_dataset **dataset,
                                    crd_error *error)
{
    crd_bag *bag;
    crd_status status = crd_bag_open_npz(path, &bag, error);
    if (status != CRD_OK) return status;
    status = open_bag(bag, options, dataset, error);
    crd_bag_free(&bag);
    return status;
}

crd_status crd_dataset_open(const char *path, const crd_open_options *options, crd_dataset **dataset,
                            crd_error *error)
{
    *dataset = NULL;
    if (path == NULL || path[0] == '\0')
        return crd_fail(error, CRD_ERROR_ARGUMENT, "the name of the data is empty");
    struct stat facts = {0};
    bool from_input = strcmp(path, "-") == 0;
    if (!from_input && stat(path, &facts) != 0) return crd_fail_errno(error, path, "open");
    if (!from_input && S_ISDIR(facts.st_mode)) return crd_open_folder(path, options, dataset, error);
    crd_source *source;
    const uint8_t *bytes;
    size_t got = 0;
    crd_status status = crd_source_open(path, &source, error);
    if (status != CRD_OK) return status;
    status = crd_refuse_foreign(source, error);
    if (status == CRD_OK) status = crd_source_peek(source, 4, &bytes, &got, error);
    bool in_place = status == CRD_OK && !from_input && S_ISREG(facts.st_mode) && crd_is_zip(bytes, got) &&
                    !crd_source_is_packed(source);
    if (status == CRD_OK && !in_place) status = open_source(source, options, dataset, error);
    crd_source_free(&source);
    return in_place ? open_archive_file(path, options, dataset, error) : status;
}

crd_status crd_dataset_open_memory(const void *bytes, size_t size, const char *name, crd_dataset **dataset,
                                   crd_error *error)
{
    *dataset = NULL;
    crd_source *source;
    crd_status status = crd_source_memory(bytes, size, name == NULL ? "memory" : name, &source, error);
    if (status != CRD_OK) return status;
    status = open_source(source, NULL, dataset, error);
    crd_source_free(&source);
    return status;
}
