/* SPDX-License-Identifier: MIT */
#include "io/archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/folder.h"
#include "io/zip.h"

typedef struct {
    char *name;     /* without ".npy" */
    int64_t member; /* its place in the zip archive */
    bool opened;
} entry;

struct crd_archive {
    char *name;
    crd_zip *zip;   /* NULL: a folder */
    entry *entries; /* sorted by name */
    int64_t count, capacity;
    int64_t packed; /* bytes on disk: of a zip archive, or of a folder's arrays opened so far */
    double memory;  /* bytes that the items of the arrays opened so far take */
};

void crd_archive_free(crd_archive **archive)
{
    if (archive == NULL || *archive == NULL) return;
    crd_archive *a = *archive;
    *archive = NULL;
    crd_zip_free(&a->zip);
    for (int64_t i = 0; i < a->count; i++) crd_free(a->entries[i].name);
    crd_free(a->entries);
    crd_free(a->name);
    crd_free(a);
}

/* ---- opening ---- */

/* Adds a file if its name ends in .npy. */
static crd_status add_entry(crd_archive *archive, const char *file, int64_t member, crd_error *error)
{
    size_t length = strlen(file);
    if (length <= 4 || strcmp(file + length - 4, ".npy") != 0) return CRD_OK;
    crd_status status = CRD_GROW(&archive->entries, &archive->capacity, archive->count + 1, error);
    if (status != CRD_OK) return status;
    entry *e = &archive->entries[archive->count];
    *e = (entry){.member = member};
    status = crd_copy_string(&e->name, file, error);
    if (status != CRD_OK) return status;
    e->name[length - 4] = '\0';
    archive->count++;
    return CRD_OK;
}

static crd_status list_folder(crd_archive *archive, crd_error *error)
{
    char **names;
    int64_t count;
    crd_status status = crd_list_folder(archive->name, &names, &count, error);
    for (int64_t i = 0; i < count && status == CRD_OK; i++) status = add_entry(archive, names[i], 0, error);
    crd_strings_free(&names, count);
    return status;
}

/* The zip archive in memory, or in the file of the archive's name if `bytes` is NULL. */
static crd_status list_zip(crd_archive *archive, const void *bytes, crd_error *error)
{
    if (archive->packed == 0)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: is empty, expected a zip archive (.npz)", archive->name);
    crd_status status = bytes != NULL
                            ? crd_zip_open_memory(bytes, (size_t)archive->packed, archive->name, &archive->zip, error)
                            : crd_zip_open(archive->name, &archive->zip, error);
    const int64_t members = status == CRD_OK ? crd_zip_count(archive->zip) : 0;
    for (int64_t i = 0; i < members && status == CRD_OK; i++)
        status = add_entry(archive, crd_zip_name(archive->zip, i), i, error);
    return status;
}

static int compare_entries(const void *a, const void *b)
{
    return strcmp(((const entry *)a)->name, ((const entry *)b)->name);
}

/* Sorts for look-ups; two arrays with the same name are an error. */
static crd_status sort_entries(crd_archive *archive, crd_error *error)
{
    if (archive->count > 0) qsort(archive->entries, (size_t)archive->count, sizeof *archive->entries, compare_entries);
    for (int64_t i = 1; i < archive->count; i++)
        if (compare_entries(&archive->entries[i - 1], &archive->entries[i]) == 0)
            return crd_fail(error, CRD_ERROR_FORMAT, "%s: holds two arrays named '%s'", archive->name,
                            archive->entries[i].name);
    return CRD_OK;
}

static crd_status open_archive(const char *name, const void *bytes, int64_t size, bool folder, crd_archive **archive,
                               crd_error *error)
{
    crd_status status = CRD_NEW_ZERO(archive, 1, error);
    if (status != CRD_OK) return status;
    (*archive)->packed = size;
    status = crd_copy_string(&(*archive)->name, name, error);
    if (status == CRD_OK) status = folder ? list_folder(*archive, error) : list_zip(*archive, bytes, error);
    if (status == CRD_OK) status = sort_entries(*archive, error);
    if (status != CRD_OK) crd_archive_free(archive);
    return status;
}

crd_status crd_archive_open(const char *path, crd_archive **archive, crd_error *error)
{
    struct stat facts;
    *archive = NULL;
    if (stat(path, &facts) != 0) return crd_fail_errno(error, path, "open");
    const bool folder = S_ISDIR(facts.st_mode);
    return open_archive(path, NULL, folder ? 0 : (int64_t)facts.st_size, folder, archive, error);
}

crd_status crd_archive_open_memory(const void *bytes, size_t size, const char *name, crd_archive **archive,
                                   crd_error *error)
{
    return open_archive(name, bytes, (int64_t)size, false, archive, error);
}

/* ---- looking ---- */

const char *crd_archive_name(const crd_archive *archive)
{
    return archive->name;
}

int64_t crd_archive_count(const crd_archive *archive)
{
    return archive->count;
}

const char *crd_archive_array_name(const crd_archive *archive, int64_t index)
{
    return index >= 0 && index < archive->count ? archive->entries[index].name : NULL;
}

static entry *find(const crd_archive *archive, const char *name)
{
    const entry wanted = {.name = (char *)name};
    if (archive->count == 0) return NULL;
    return bsearch(&wanted, archive->entries, (size_t)archive->count, sizeof wanted, compare_entries);
}

bool crd_archive_has(const crd_archive *archive, const char *name)
{
    return find(archive, name) != NULL;
}

/* ---- members of a zip archive as sources ---- */

static crd_status member_read(void *state, void *buffer, size_t count, size_t *got, const char *name, crd_error *error)
{
    return crd_zip_read(state, buffer, count, got, name, error);
}

static void member_close(void *state)
{
    crd_zip_reader *reader = state;
    crd_zip_reader_free(&reader);
}

static crd_status open_member(crd_archive *archive, const entry *e, const char *name, crd_source **source,
                              crd_error *error)
{
    static const crd_source_methods methods = {member_read, member_close};
    const uint64_t announced = crd_zip_announced(archive->zip, e->member);
    crd_zip_reader *reader;
    crd_status status = crd_zip_reader_open(archive->zip, e->member, name, &reader, error);
    if (status != CRD_OK) return status;
    if (announced <= (uint64_t)CRD_BOMB_MEMORY || announced / CRD_BOMB_RATIO <= (uint64_t)archive->packed)
        return crd_source_custom(&methods, reader, name, source, error);
    crd_zip_reader_free(&reader);
    return crd_fail(error, CRD_ERROR_FORMAT,
                    "%s: announces %llu bytes in an archive of %lld, which is out of all proportion", name,
                    (unsigned long long)announced, (long long)archive->packed);
}

/* ---- arrays ---- */

static crd_status open_entry(crd_archive *archive, const entry *e, crd_source **source, crd_error *error)
{
    char *name;
    size_t size = strlen(archive->name) + strlen(e->name) + 8;
    crd_status status = CRD_NEW(&name, size, error);
    if (status != CRD_OK) return status;
    if (archive->zip != NULL) {
        snprintf(name, size, "%s:%s", archive->name, e->name);
        status = open_member(archive, e, name, source, error);
    } else {
        struct stat facts;
        snprintf(name, size, "%s/%s.npy", archive->name, e->name);
        status = crd_source_open(name, source, error);
        if (status == CRD_OK && !e->opened && stat(name, &facts) == 0) archive->packed += (int64_t)facts.st_size;
    }
    crd_free(name);
    return status;
}

/* A rough, rather low estimate of the memory that the items take in a dataset. A byte in the file becomes a float, a
 * string of one character its own block, and the array's longest side counts nodes or edges, for which several lists
 * are kept. */
static double memory_of(const crd_npy *npy)
{
    enum { NODE = 32, NAME = 64 };
    int64_t longest = 0;
    for (int d = 0; d < npy->dims; d++)
        if (npy->shape[d] > longest && npy->count > 0) longest = npy->shape[d];
    double item = crd_npy_has_text(npy) ? (double)npy->item_size + NAME : sizeof(float);
    return item * (double)npy->count + (double)NODE * (double)longest;
}

/* Refuses an array that makes a bomb of the archive; each array counts once. */
static crd_status check_memory(crd_archive *archive, entry *e, const crd_npy *npy, const crd_source *source,
                               crd_error *error)
{
    if (!e->opened) archive->memory += memory_of(npy);
    e->opened = true;
    if (archive->memory <= (double)CRD_BOMB_MEMORY || archive->memory <= CRD_BOMB_RATIO * (double)archive->packed)
        return CRD_OK;
    char found[96];
    crd_npy_describe(npy, found, sizeof found);
    return crd_fail(error, CRD_ERROR_FORMAT,
                    "%s: %s would take the memory of this data to %.0f MB, which is out of all proportion to "
                    "its %lld bytes",
                    crd_source_name(source), found, archive->memory / 1e6, (long long)archive->packed);
}

crd_status crd_archive_array(crd_archive *archive, const char *name, crd_npy *npy, crd_source **source,
                             crd_error *error)
{
    *source = NULL;
    entry *e = find(archive, name);
    if (e == NULL) return crd_fail(error, CRD_ERROR_FORMAT, "%s: has no array named '%s'", archive->name, name);
    crd_status status = open_entry(archive, e, source, error);
    if (status != CRD_OK) return status;
    status = crd_npy_header(*source, npy, error);
    if (status == CRD_OK) status = check_memory(archive, e, npy, *source, error);
    if (status != CRD_OK) crd_source_free(source);
    return status;
}
