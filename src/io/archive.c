#include "io/archive.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zip.h>

#include "base/memory.h"

/* ---- members of a zip archive as sources ---- */

typedef struct crd_zip {
    zip_t *archive;
    int64_t size; /* of the archive, in bytes */
} crd_zip;

crd_status crd_zip_fail(crd_error *error, const char *name, const char *what, struct zip_error *problem)
{
    crd_status status;
    switch (zip_error_code_zip(problem)) {
    case ZIP_ER_MEMORY:
        return crd_fail_memory(error, sizeof(zip_stat_t));
    case ZIP_ER_OPEN:
    case ZIP_ER_READ:
    case ZIP_ER_SEEK:
    case ZIP_ER_TELL:
    case ZIP_ER_WRITE:
    case ZIP_ER_CLOSE:
    case ZIP_ER_NOENT:
        status = CRD_ERROR_IO;
        break;
    default:
        status = CRD_ERROR_FORMAT;
    }
    return crd_fail(error, status, "%s: cannot %s: %s", name, what, zip_error_strerror(problem));
}

/* A source for libzip, and the archive's size. */
static crd_status make_source(const char *name, const void *bytes, size_t size, zip_source_t **source,
                              int64_t *archive_size, crd_error *error)
{
    zip_error_t problem;
    zip_error_init(&problem);
    *archive_size = (int64_t)size;
    if (bytes == NULL) {
        struct stat facts;
        if (stat(name, &facts) != 0) return crd_fail_errno(error, name, "open");
        if (S_ISDIR(facts.st_mode)) return crd_fail(error, CRD_ERROR_IO, "%s: is a folder, expected a .npz file", name);
        *archive_size = (int64_t)facts.st_size;
    }
    /* libzip would take an empty file for an archive without members. */
    if (*archive_size == 0)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: is empty, expected a zip archive (.npz)", name);
    *source = bytes != NULL ? zip_source_buffer_create(bytes, size, 0, &problem)
                            : zip_source_file_create(name, 0, -1, &problem);
    crd_status status = *source != NULL ? CRD_OK : crd_zip_fail(error, name, "open", &problem);
    zip_error_fini(&problem);
    return status;
}

static void zip_archive_free(crd_zip **zip)
{
    if (*zip != NULL && (*zip)->archive != NULL) zip_discard((*zip)->archive);
    free(*zip);
    *zip = NULL;
}

static crd_status zip_archive_open(const char *name, const void *bytes, size_t size, crd_zip **zip, crd_error *error)
{
    zip_source_t *source = NULL;
    crd_status status = CRD_NEW_ZERO(zip, 1, error);
    if (status != CRD_OK) return status;
    status = make_source(name, bytes, size, &source, &(*zip)->size, error);
    if (status == CRD_OK) {
        zip_error_t problem;
        zip_error_init(&problem);
        (*zip)->archive = zip_open_from_source(source, ZIP_RDONLY, &problem);
        if ((*zip)->archive == NULL) {
            status = crd_zip_fail(error, name, "open as a zip archive (.npz)", &problem);
            zip_source_free(source);
        }
        zip_error_fini(&problem);
    }
    if (status != CRD_OK) zip_archive_free(zip);
    return status;
}

static int64_t zip_archive_count(const crd_zip *zip)
{
    return zip_get_num_entries(zip->archive, 0);
}

static int64_t zip_archive_size(const crd_zip *zip)
{
    return zip->size;
}

static const char *zip_archive_member_name(const crd_zip *zip, int64_t index)
{
    return zip_get_name(zip->archive, (zip_uint64_t)index, 0);
}

typedef struct {
    zip_file_t *file;
    uint64_t left; /* of the size that the zip directory states */
} member_state;

static int64_t member_read(void *state, void *buffer, size_t count, const char *name, crd_error *error)
{
    member_state *member = state;
    int64_t got = zip_fread(member->file, buffer, count);
    if (got < 0) {
        crd_zip_fail(error, name, "unpack the array", zip_file_get_error(member->file));
        return -1;
    }
    if ((uint64_t)got > member->left) {
        crd_fail(error, CRD_ERROR_FORMAT, "%s: unpacks to more bytes than the archive's directory announces", name);
        return -1;
    }
    member->left -= (uint64_t)got;
    if (got == 0 && count > 0 && member->left > 0) {
        crd_fail(error, CRD_ERROR_FORMAT, "%s: unpacks to fewer bytes than the archive's directory announces", name);
        return -1;
    }
    return got;
}

static void member_close(void *state)
{
    member_state *member = state;
    zip_fclose(member->file);
    free(member);
}

static crd_status check_member(const crd_zip *zip, const zip_stat_t *facts, const char *name, crd_error *error)
{
    if ((facts->valid & ZIP_STAT_ENCRYPTION_METHOD) == 0 || facts->encryption_method != ZIP_EM_NONE)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: is encrypted, expected a plain .npz", name);
    if ((facts->valid & ZIP_STAT_COMP_METHOD) == 0 ||
        (facts->comp_method != ZIP_CM_STORE && facts->comp_method != ZIP_CM_DEFLATE))
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: is packed by method %u, expected 0 (stored) or 8 (deflate)", name,
                        (unsigned)facts->comp_method);
    if ((facts->valid & ZIP_STAT_SIZE) == 0)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: the archive does not say how large it is", name);
    if (facts->size > (uint64_t)CRD_BOMB_MEMORY && facts->size / CRD_BOMB_RATIO > (uint64_t)zip->size)
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%s: announces %llu bytes in an archive of %lld, which is out of all proportion", name,
                        (unsigned long long)facts->size, (long long)zip->size);
    return CRD_OK;
}

static crd_status zip_archive_member(crd_zip *zip, int64_t index, const char *source_name, crd_source **source,
                                     crd_error *error)
{
    static const crd_source_methods methods = {member_read, member_close};
    zip_stat_t facts;
    *source = NULL;
    if (zip_stat_index(zip->archive, (zip_uint64_t)index, 0, &facts) != 0)
        return crd_zip_fail(error, source_name, "find the array", zip_get_error(zip->archive));
    crd_status status = check_member(zip, &facts, source_name, error);
    if (status != CRD_OK) return status;
    member_state *member;
    status = CRD_NEW(&member, 1, error);
    if (status != CRD_OK) return status;
    member->left = facts.size;
    member->file = zip_fopen_index(zip->archive, (zip_uint64_t)index, 0);
    if (member->file == NULL) {
        free(member);
        return crd_zip_fail(error, source_name, "open the array", zip_get_error(zip->archive));
    }
    return crd_source_custom(&methods, member, source_name, source, error);
}

/* ---- named arrays ---- */

typedef struct {
    char *name;     /* without ".npy" */
    int64_t member; /* its place in the archive */
    bool opened;
} entry;

/* For look-ups by name. */
typedef struct {
    const char *name;
    int64_t entry;
} named_entry;

struct crd_archive {
    char *name;
    crd_zip *zip; /* NULL: a folder */
    entry *entries;
    int64_t count, capacity;
    named_entry *by_name; /* sorted */
    /* of the arrays opened so far: */
    int64_t packed; /* bytes on disk; for an archive, all its bytes */
    double memory;  /* bytes that their items take */
};

void crd_archive_free(crd_archive **archive)
{
    if (archive == NULL || *archive == NULL) return;
    crd_archive *b = *archive;
    *archive = NULL;
    zip_archive_free(&b->zip);
    for (int64_t i = 0; i < b->count; i++) free(b->entries[i].name);
    free(b->entries);
    free(b->by_name);
    free(b->name);
    free(b);
}

/* Adds a file if its name ends in .npy. */
static crd_status add_entry(crd_archive *archive, const char *file, int64_t member, crd_error *error)
{
    size_t length = strlen(file);
    if (length <= 4 || strcmp(file + length - 4, ".npy") != 0) return CRD_OK;
    crd_status status = CRD_GROW(&archive->entries, &archive->capacity, archive->count + 1, error);
    if (status != CRD_OK) return status;
    entry *e = &archive->entries[archive->count];
    status = crd_copy_string(&e->name, file, error);
    if (status != CRD_OK) return status;
    e->name[length - 4] = '\0';
    e->member = member;
    e->opened = false;
    archive->count++;
    return CRD_OK;
}

static int compare_entries(const void *a, const void *b)
{
    return strcmp(((const entry *)a)->name, ((const entry *)b)->name);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const named_entry *)a)->name, ((const named_entry *)b)->name);
}

/* Sorts for look-ups; two arrays with the same name are an error. */
static crd_status index_names(crd_archive *archive, crd_error *error)
{
    crd_status status = CRD_NEW(&archive->by_name, archive->count, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < archive->count; i++) archive->by_name[i] = (named_entry){archive->entries[i].name, i};
    qsort(archive->by_name, (size_t)archive->count, sizeof *archive->by_name, compare_names);
    for (int64_t i = 1; i < archive->count; i++)
        if (strcmp(archive->by_name[i - 1].name, archive->by_name[i].name) == 0)
            return crd_fail(error, CRD_ERROR_FORMAT, "%s: holds two arrays named '%s'", archive->name,
                            archive->by_name[i].name);
    return CRD_OK;
}

/* -1: there is none. */
static int64_t find(const crd_archive *archive, const char *name)
{
    int64_t low = 0, high = archive->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        int order = strcmp(name, archive->by_name[middle].name);
        if (order == 0) return archive->by_name[middle].entry;
        if (order < 0) high = middle;
        else low = middle + 1;
    }
    return -1;
}

static crd_status new_bag(const char *name, crd_archive **archive, crd_error *error)
{
    crd_status status = CRD_NEW_ZERO(archive, 1, error);
    if (status == CRD_OK) status = crd_copy_string(&(*archive)->name, name, error);
    if (status != CRD_OK) crd_archive_free(archive);
    return status;
}

static crd_status list_archive(crd_archive *archive, const void *bytes, size_t size, crd_error *error)
{
    crd_status status = zip_archive_open(archive->name, bytes, size, &archive->zip, error);
    if (status != CRD_OK) return status;
    archive->packed = zip_archive_size(archive->zip);
    int64_t members = zip_archive_count(archive->zip);
    for (int64_t i = 0; i < members && status == CRD_OK; i++) {
        const char *name = zip_archive_member_name(archive->zip, i);
        if (name != NULL) status = add_entry(archive, name, i, error);
    }
    return status;
}

static crd_status open_archive(const char *name, const void *bytes, size_t size, crd_archive **archive,
                               crd_error *error)
{
    crd_status status = new_bag(name, archive, error);
    if (status != CRD_OK) return status;
    status = list_archive(*archive, bytes, size, error);
    if (status == CRD_OK) status = index_names(*archive, error);
    if (status != CRD_OK) crd_archive_free(archive);
    return status;
}

crd_status crd_archive_open(const char *path, crd_archive **archive, crd_error *error)
{
    return open_archive(path, NULL, 0, archive, error);
}

crd_status crd_archive_open_memory(const void *bytes, size_t size, const char *name, crd_archive **archive,
                                   crd_error *error)
{
    return open_archive(name, bytes != NULL ? bytes : "", size, archive, error);
}

static crd_status list_folder(crd_archive *archive, crd_error *error)
{
    DIR *listing = opendir(archive->name);
    if (listing == NULL) return crd_fail_errno(error, archive->name, "open the folder");
    crd_status status = CRD_OK;
    while (status == CRD_OK) {
        errno = 0;
        struct dirent *file = readdir(listing);
        if (file == NULL) {
            if (errno != 0) status = crd_fail_errno(error, archive->name, "list the folder");
            break;
        }
        if (file->d_name[0] != '.') status = add_entry(archive, file->d_name, 0, error);
    }
    closedir(listing);
    return status;
}

crd_status crd_archive_open_folder(const char *path, crd_archive **archive, crd_error *error)
{
    crd_status status = new_bag(path, archive, error);
    if (status != CRD_OK) return status;
    status = list_folder(*archive, error);
    if (status == CRD_OK && (*archive)->count > 0)
        qsort((*archive)->entries, (size_t)(*archive)->count, sizeof *(*archive)->entries, compare_entries);
    if (status == CRD_OK) status = index_names(*archive, error);
    if (status != CRD_OK) crd_archive_free(archive);
    return status;
}

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

bool crd_archive_has(const crd_archive *archive, const char *name)
{
    return find(archive, name) >= 0;
}

static crd_status open_entry(crd_archive *archive, const entry *e, crd_source **source, crd_error *error)
{
    char *name;
    size_t size = strlen(archive->name) + strlen(e->name) + 8;
    crd_status status = CRD_NEW(&name, size, error);
    if (status != CRD_OK) return status;
    if (archive->zip != NULL) {
        snprintf(name, size, "%s:%s", archive->name, e->name);
        status = zip_archive_member(archive->zip, e->member, name, source, error);
    } else {
        struct stat facts;
        snprintf(name, size, "%s/%s.npy", archive->name, e->name);
        status = crd_source_open(name, source, error);
        if (status == CRD_OK && !e->opened && stat(name, &facts) == 0) archive->packed += (int64_t)facts.st_size;
    }
    free(name);
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
    bool text = npy->kind == CRD_NPY_UNICODE || npy->kind == CRD_NPY_BYTES;
    double item = text ? (double)npy->item_size + NAME : sizeof(float);
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
    int64_t index = find(archive, name);
    if (index < 0) return crd_fail(error, CRD_ERROR_FORMAT, "%s: has no array named '%s'", archive->name, name);
    entry *e = &archive->entries[index];
    crd_status status = open_entry(archive, e, source, error);
    if (status != CRD_OK) return status;
    status = crd_npy_header(*source, npy, error);
    if (status == CRD_OK) status = check_memory(archive, e, npy, *source, error);
    if (status != CRD_OK) crd_source_free(source);
    return status;
}
