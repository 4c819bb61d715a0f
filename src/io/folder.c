/* SPDX-License-Identifier: MIT */
#include "io/folder.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/outfile.h"

bool crd_is_folder(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

crd_status crd_join_path(const char *folder, const char *name, char **path, crd_error *error)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    crd_status status = CRD_NEW(path, size, error);
    if (status == CRD_OK) snprintf(*path, size, "%s/%s", folder, name);
    return status;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

crd_status crd_list_folder(const char *path, char ***names, int64_t *count, crd_error *error)
{
    *names = NULL;
    *count = 0;
    int64_t capacity = 0;
    DIR *folder = opendir(path);
    if (folder == NULL) return crd_fail_errno(error, path, "look into the folder");
    crd_status status = CRD_NEW_ZERO(names, 1, error);
    if (status == CRD_OK) capacity = 1;
    while (status == CRD_OK) {
        errno = 0;
        const struct dirent *entry = readdir(folder);
        if (entry == NULL && errno != 0) status = crd_fail_errno(error, path, "look into the folder");
        if (entry == NULL) break;
        if (entry->d_name[0] == '.') continue;
        status = CRD_GROW(names, &capacity, *count + 1, error);
        if (status == CRD_OK) status = crd_copy_string(&(*names)[*count], entry->d_name, error);
        if (status == CRD_OK) ++*count;
    }
    closedir(folder);
    if (status != CRD_OK) crd_strings_free(names, *count);
    else if (*count > 1) qsort(*names, (size_t)*count, sizeof **names, compare_names);
    return status;
}

/* ---- new folders ---- */

struct crd_outfolder {
    char *path;      /* the target */
    char *temporary; /* empty when there is nothing to remove */
    mode_t mode;     /* to set at the commit; 0: leave it unchanged */
};

static int remove_one(const char *path, const struct stat *facts, int type, struct FTW *place)
{
    (void)facts;
    (void)type;
    (void)place;
    (void)remove(path);
    return 0;
}

void crd_outfolder_discard(crd_outfolder **folder)
{
    if (folder == NULL || *folder == NULL) return;
    crd_outfolder *f = *folder;
    *folder = NULL;
    /* Links are removed, not followed; a folder comes after what is in it. */
    if (f->temporary != NULL && f->temporary[0] != '\0') nftw(f->temporary, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    crd_free(f->temporary);
    crd_free(f->path);
    crd_free(f);
}

static crd_status check_empty(const char *path, crd_error *error)
{
    DIR *listing = opendir(path);
    if (listing == NULL) return crd_fail_errno(error, path, "look into the folder");
    crd_status status = CRD_OK;
    for (struct dirent *entry = readdir(listing); entry != NULL; entry = readdir(listing)) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        status = crd_fail(error, CRD_ERROR_IO,
                          "%s: the folder is not empty (it holds '%.100s'); expected a new or empty one", path,
                          entry->d_name);
        break;
    }
    closedir(listing);
    return status;
}

/* An existing target keeps its permissions. Its full path is used: links are followed, and rename
 * cannot replace ".". */
static crd_status take_existing(crd_outfolder *folder, const char *path, const struct stat *facts, crd_error *error)
{
    if (!S_ISDIR(facts->st_mode))
        return crd_fail(error, CRD_ERROR_IO, "%s: exists and is not a folder; expected a new or empty one", path);
    struct stat here;
    if (stat(".", &here) == 0 && here.st_dev == facts->st_dev && here.st_ino == facts->st_ino)
        return crd_fail(error, CRD_ERROR_IO, "%s: is the current folder, which cannot be replaced; expected another",
                        path);
    crd_status status = check_empty(path, error);
    if (status != CRD_OK) return status;
    folder->mode = facts->st_mode & 07777;
    char *resolved = realpath(path, NULL);
    if (resolved == NULL) return crd_fail_errno(error, path, "find the folder");
    status = crd_copy_string(&folder->path, resolved, error);
    free(resolved); /* the C library's own */
    return status;
}

static crd_status take_new(crd_outfolder *folder, const char *path, crd_error *error)
{
    crd_status status = crd_copy_string(&folder->path, path, error);
    if (status != CRD_OK) return status;
    for (size_t length = strlen(folder->path); length > 1 && folder->path[length - 1] == '/'; length--)
        folder->path[length - 1] = '\0';
    return CRD_OK;
}

/* Not mkdtemp, which ignores the umask: only the owner could use its folder. */
static crd_status make_temporary(crd_outfolder *folder, crd_error *error)
{
    size_t size = strlen(folder->path) + 16;
    crd_status status = CRD_NEW_ZERO(&folder->temporary, size, error);
    if (status != CRD_OK) return status;
    const char *slash = strrchr(folder->path, '/');
    int parent = slash == NULL ? 0 : (int)(slash - folder->path + 1);
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        snprintf(folder->temporary, size, "%.*s.%s.%06u", parent, folder->path, folder->path + parent,
                 ((unsigned)getpid() * 100u + attempt) % 1000000u);
        if (mkdir(folder->temporary, 0777) == 0) return CRD_OK;
        if (errno != EEXIST) break;
    }
    folder->temporary[0] = '\0';
    return crd_fail_errno(error, folder->path, "write the folder");
}

crd_status crd_outfolder_open(const char *path, crd_outfolder **folder, crd_error *error)
{
    *folder = NULL;
    if (path[0] == '\0') return crd_fail(error, CRD_ERROR_ARGUMENT, "the output folder's name is empty");
    if (strcmp(path, "-") == 0)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "a folder cannot be written to standard output");
    if (strlen(path) > 3500)
        return crd_fail(error, CRD_ERROR_IO, "the output folder's name is %zu bytes long", strlen(path));
    crd_status status = CRD_NEW_ZERO(folder, 1, error);
    if (status != CRD_OK) return status;
    struct stat facts;
    if (stat(path, &facts) == 0) status = take_existing(*folder, path, &facts, error);
    else status = take_new(*folder, path, error);
    if (status == CRD_OK) status = make_temporary(*folder, error);
    if (status != CRD_OK) crd_outfolder_discard(folder);
    return status;
}

const char *crd_outfolder_path(const crd_outfolder *folder)
{
    return folder->temporary;
}

crd_status crd_outfolder_commit(crd_outfolder **folder, crd_error *error)
{
    crd_outfolder *f = *folder;
    crd_status status = CRD_OK;
    if (f->mode != 0) (void)!chmod(f->temporary, f->mode);
    if (rename(f->temporary, f->path) == 0) f->temporary[0] = '\0';
    else status = crd_fail_errno(error, f->path, "put the written folder in place");
    crd_outfolder_discard(folder);
    return status;
}
