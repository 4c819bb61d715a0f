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
    for (struct dirent *entry = NULL; status == CRD_OK && (entry = readdir(folder)) != NULL;) {
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
    free(f->temporary);
    free(f->path);
    free(f);
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
    free(resolved);
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

/* ---- text files in new folders ---- */

enum { CHUNK = 1 << 15, GZIP_WINDOW = 15 + 16 };

struct crd_textfile {
    crd_outfile *file;
    crd_text text; /* what is not written yet */
    bool packed;
    z_stream packer;
};

static void release_text(crd_textfile **file)
{
    if (*file == NULL) return;
    if ((*file)->packed) deflateEnd(&(*file)->packer);
    crd_outfile_discard(&(*file)->file);
    crd_text_free(&(*file)->text);
    free(*file);
    *file = NULL;
}

/* zlib writes neither a name nor a date into the header unless told to: same text, same bytes. */
static crd_status start_packing(crd_textfile *file, crd_error *error)
{
    if (deflateInit2(&file->packer, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return crd_fail(error, CRD_ERROR_MEMORY, "out of memory (a file could not be packed)");
    file->packed = true;
    return CRD_OK;
}

crd_status crd_textfile_open(const char *folder, const char *name, crd_textfile **file, crd_error *error)
{
    char *path = NULL;
    size_t length = strlen(name), size = strlen(folder) + length + 2;
    crd_status status = CRD_NEW_ZERO(file, 1, error);
    if (status == CRD_OK) status = CRD_NEW(&path, size, error);
    if (status == CRD_OK) {
        snprintf(path, size, "%s/%s", folder, name);
        status = crd_outfile_open(path, &(*file)->file, error);
    }
    if (status == CRD_OK && length > 3 && strcmp(name + length - 3, ".gz") == 0) status = start_packing(*file, error);
    free(path);
    if (status != CRD_OK) release_text(file);
    return status;
}

static void pack(crd_textfile *file, bool last)
{
    unsigned char packed[CHUNK];
    z_stream *packer = &file->packer;
    packer->next_in = (unsigned char *)file->text.bytes;
    packer->avail_in = (unsigned)file->text.length;
    do {
        packer->next_out = packed;
        packer->avail_out = sizeof packed;
        deflate(packer, last ? Z_FINISH : Z_NO_FLUSH);
        crd_outfile_write(file->file, packed, sizeof packed - packer->avail_out);
    } while (packer->avail_out == 0);
}

static void flush(crd_textfile *file, bool last)
{
    if (file->packed) pack(file, last);
    else if (file->text.length > 0) crd_outfile_write(file->file, file->text.bytes, (size_t)file->text.length);
    file->text.length = 0;
}

static void add_bytes(crd_textfile *file, const char *bytes, size_t count)
{
    crd_text_add_bytes(&file->text, bytes, count);
    if (file->text.length >= CHUNK) flush(file, false);
}

void crd_textfile_add(crd_textfile *file, const char *text)
{
    add_bytes(file, text, strlen(text));
}

void crd_textfile_add_integer(crd_textfile *file, int64_t number)
{
    char digits[24];
    char *first = digits + sizeof digits;
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do *--first = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    if (number < 0) *--first = '-';
    add_bytes(file, first, (size_t)(digits + sizeof digits - first));
}

void crd_textfile_add_float(crd_textfile *file, float number)
{
    /* Most features are counts, which need no search for the shortest form. */
    if (number == floorf(number) && fabsf(number) < 1e6f) crd_textfile_add_integer(file, (int64_t)number);
    else {
        crd_text_add_json_float(&file->text, number);
        add_bytes(file, "", 0);
    }
}

void crd_textfile_add_field(crd_textfile *file, const char *field)
{
    crd_text_add_csv(&file->text, field);
    add_bytes(file, "", 0);
}

crd_status crd_textfile_close(crd_textfile **file, crd_status status, crd_error *error)
{
    crd_textfile *f = *file;
    if (f == NULL) return status;
    if (status == CRD_OK && f->text.status != CRD_OK) status = crd_fail_memory(error, CHUNK);
    if (status == CRD_OK) {
        flush(f, true);
        status = crd_outfile_commit(&f->file, error);
    }
    release_text(file);
    return status;
}
