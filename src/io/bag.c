#include "io/bag.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/zip.h"

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

struct crd_bag {
    char *name;
    crd_zip *zip; /* NULL: a folder */
    entry *entries;
    int64_t count, capacity;
    named_entry *by_name; /* sorted */
    /* of the arrays that were opened: */
    int64_t packed; /* bytes on disk; an archive's are all its bytes */
    double memory;  /* bytes that their items take */
};

void crd_bag_free(crd_bag **bag)
{
    if (bag == NULL || *bag == NULL) return;
    crd_bag *b = *bag;
    *bag = NULL;
    crd_zip_free(&b->zip);
    for (int64_t i = 0; i < b->count; i++) free(b->entries[i].name);
    free(b->entries);
    free(b->by_name);
    free(b->name);
    free(b);
}

/* Adds a file if its name ends in .npy. */
static crd_status add_entry(crd_bag *bag, const char *file, int64_t member, crd_error *error)
{
    size_t length = strlen(file);
    if (length <= 4 || strcmp(file + length - 4, ".npy") != 0) return CRD_OK;
    crd_status status = CRD_GROW(&bag->entries, &bag->capacity, bag->count + 1, error);
    if (status != CRD_OK) return status;
    entry *e = &bag->entries[bag->count];
    status = crd_copy_string(&e->name, file, error);
    if (status != CRD_OK) return status;
    e->name[length - 4] = '\0';
    e->member = member;
    e->opened = false;
    bag->count++;
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

/* Sorts for look-ups; two arrays of one name are a defect. */
static crd_status index_names(crd_bag *bag, crd_error *error)
{
    crd_status status = CRD_NEW(&bag->by_name, bag->count, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < bag->count; i++) bag->by_name[i] = (named_entry){bag->entries[i].name, i};
    qsort(bag->by_name, (size_t)bag->count, sizeof *bag->by_name, compare_names);
    for (int64_t i = 1; i < bag->count; i++)
        if (strcmp(bag->by_name[i - 1].name, bag->by_name[i].name) == 0)
            return crd_fail(error, CRD_ERROR_FORMAT, "%s: holds two arrays named '%s'", bag->name,
                            bag->by_name[i].name);
    return CRD_OK;
}

/* -1: there is none. */
static int64_t find(const crd_bag *bag, const char *name)
{
    int64_t low = 0, high = bag->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        int order = strcmp(name, bag->by_name[middle].name);
        if (order == 0) return bag->by_name[middle].entry;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return -1;
}

static crd_status new_bag(const char *name, crd_bag **bag, crd_error *error)
{
    crd_status status = CRD_NEW_ZERO(bag, 1, error);
    if (status == CRD_OK) status = crd_copy_string(&(*bag)->name, name, error);
    if (status != CRD_OK) crd_bag_free(bag);
    return status;
}

static crd_status list_archive(crd_bag *bag, const void *bytes, size_t size, crd_error *error)
{
    crd_status status = crd_zip_open(bag->name, bytes, size, &bag->zip, error);
    if (status != CRD_OK) return status;
    bag->packed = crd_zip_size(bag->zip);
    int64_t members = crd_zip_count(bag->zip);
    for (int64_t i = 0; i < members && status == CRD_OK; i++) {
        const char *name = crd_zip_member_name(bag->zip, i);
        if (name != NULL) status = add_entry(bag, name, i, error);
    }
    return status;
}

static crd_status open_archive(const char *name, const void *bytes, size_t size, crd_bag **bag,
                               crd_error *error)
{
    crd_status status = new_bag(name, bag, error);
    if (status != CRD_OK) return status;
    status = list_archive(*bag, bytes, size, error);
    if (status == CRD_OK) status = index_names(*bag, error);
    if (status != CRD_OK) crd_bag_free(bag);
    return status;
}

crd_status crd_bag_open_npz(const char *path, crd_bag **bag, crd_error *error)
{
    return open_archive(path, NULL, 0, bag, error);
}

crd_status crd_bag_open_npz_memory(const void *bytes, size_t size, const char *name, crd_bag **bag,
                                   crd_error *error)
{
    return open_archive(name, bytes != NULL ? bytes : "", size, bag, error);
}

static crd_status list_folder(crd_bag *bag, crd_error *error)
{
    DIR *listing = opendir(bag->name);
    if (listing == NULL) return crd_fail_errno(error, bag->name, "open the folder");
    crd_status status = CRD_OK;
    while (status == CRD_OK) {
        errno = 0;
        struct dirent *file = readdir(listing);
        if (file == NULL) {
            if (errno != 0) status = crd_fail_errno(error, bag->name, "list the folder");
            break;
        }
        if (file->d_name[0] != '.') status = add_entry(bag, file->d_name, 0, error);
    }
    closedir(listing);
    return status;
}

crd_status crd_bag_open_folder(const char *path, crd_bag **bag, crd_error *error)
{
    crd_status status = new_bag(path, bag, error);
    if (status != CRD_OK) return status;
    status = list_folder(*bag, error);
    if (status == CRD_OK && (*bag)->count > 0)
        qsort((*bag)->entries, (size_t)(*bag)->count, sizeof *(*bag)->entries, compare_entries);
    if (status == CRD_OK) status = index_names(*bag, error);
    if (status != CRD_OK) crd_bag_free(bag);
    return status;
}

const char *crd_bag_name(const crd_bag *bag)
{
    return bag->name;
}

int64_t crd_bag_count(const crd_bag *bag)
{
    return bag->count;
}

const char *crd_bag_array_name(const crd_bag *bag, int64_t index)
{
    return index >= 0 && index < bag->count ? bag->entries[index].name : NULL;
}

bool crd_bag_has(const crd_bag *bag, const char *name)
{
    return find(bag, name) >= 0;
}

static crd_status open_entry(crd_bag *bag, const entry *e, crd_source **source, crd_error *error)
{
    char *name;
    size_t size = strlen(bag->name) + strlen(e->name) + 8;
    crd_status status = CRD_NEW(&name, size, error);
    if (status != CRD_OK) return status;
    if (bag->zip != NULL) {
        snprintf(name, size, "%s:%s", bag->name, e->name);
        status = crd_zip_member(bag->zip, e->member, name, source, error);
    } else {
        struct stat facts;
        snprintf(name, size, "%s/%s.npy", bag->name, e->name);
        status = crd_source_open(name, source, error);
        if (status == CRD_OK && !e->opened && stat(name, &facts) == 0) bag->packed += (int64_t)facts.st_size;
    }
    free(name);
    return status;
}

/* What the items take in memory once they are a dataset's, roughly and rather too little than too much. A
 * byte in the file becomes a float, a string of one character a block of its own, and whatever is as long as
 * the array's longest side are nodes or edges, of which several lists are kept. */
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

/* Refuses an array that makes a bomb of the bag; each array counts once. */
static crd_status check_memory(crd_bag *bag, entry *e, const crd_npy *npy, const crd_source *source,
                               crd_error *error)
{
    if (!e->opened) bag->memory += memory_of(npy);
    e->opened = true;
    if (bag->memory <= (double)CRD_BOMB_MEMORY || bag->memory <= CRD_BOMB_RATIO * (double)bag->packed)
        return CRD_OK;
    char found[96];
    crd_npy_describe(npy, found, sizeof found);
    return crd_fail(error, CRD_ERROR_FORMAT,
                    "%s: %s would take the memory of this data to %.0f MB, which is out of all proportion to "
                    "its %lld bytes",
                    crd_source_name(source), found, bag->memory / 1e6, (long long)bag->packed);
}

crd_status crd_bag_array(crd_bag *bag, const char *name, crd_npy *npy, crd_source **source, crd_error *error)
{
    *source = NULL;
    int64_t index = find(bag, name);
    if (index < 0) return crd_fail(error, CRD_ERROR_FORMAT, "%s: has no array named '%s'", bag->name, name);
    entry *e = &bag->entries[index];
    crd_status status = open_entry(bag, e, source, error);
    if (status != CRD_OK) return status;
    status = crd_npy_header(*source, npy, error);
    if (status == CRD_OK) status = check_memory(bag, e, npy, *source, error);
    if (status != CRD_OK) crd_source_free(source);
    return status;
}
