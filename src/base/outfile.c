/* O_TMPFILE, the nameless file, is Linux's own: it is what makes a killed process leave nothing behind. */
#define _GNU_SOURCE
#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

enum { BUFFER = 1 << 16, ATTEMPTS = 100 };

struct crd_outfile {
    int descriptor;
    bool standard_output;
    int failure;       /* errno of the first failed write, 0 if none */
    char *path;        /* the target; for a link, what it points to */
    char *temporary;   /* the name to rename from; empty while the file is nameless */
    size_t used;
    char buffer[BUFFER];
};

static void release(crd_outfile **file)
{
    crd_outfile *f = *file;
    *file = NULL;
    if (f == NULL) return;
    if (f->descriptor >= 0 && !f->standard_output) close(f->descriptor);
    if (f->temporary != NULL && f->temporary[0] != '\0') unlink(f->temporary);
    free(f->temporary);
    free(f->path);
    free(f);
}

/* "dir/name" -> "dir/.name.123456"; the same folder, because rename stays inside one. The number is the
 * process's, moved on with every attempt. */
static void temporary_name(const char *path, unsigned attempt, char *name, size_t size)
{
    const char *slash = strrchr(path, '/');
    int folder = slash == NULL ? 0 : (int)(slash - path + 1);
    snprintf(name, size, "%.*s.%s.%06u", folder, path, path + folder,
             ((unsigned)getpid() * 100u + attempt) % 1000000u);
}

static int open_nameless(const char *path)
{
#ifdef O_TMPFILE
    char folder[4096];
    const char *slash = strrchr(path, '/');
    if (slash == NULL) snprintf(folder, sizeof folder, ".");
    else snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
#else
    (void)path;
    return -1;
#endif
}

/* Where the file system knows no nameless files. Not mkstemp, which ignores the umask. */
static void open_named(crd_outfile *file)
{
    for (unsigned attempt = 0; attempt < ATTEMPTS && file->descriptor < 0; attempt++) {
        temporary_name(file->path, attempt, file->temporary, strlen(file->path) + 16);
        file->descriptor = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file->descriptor < 0 && errno != EEXIST) break;
    }
    if (file->descriptor < 0) file->temporary[0] = '\0';
}

crd_status crd_outfile_open(const char *path, crd_outfile **file, crd_error *error)
{
    crd_status status = CRD_NEW_ZERO(file, 1, error);
    if (status != CRD_OK) return status;
    crd_outfile *f = *file;
    f->descriptor = -1;
    if (strcmp(path, "-") == 0) {
        f->standard_output = true;
        f->descriptor = STDOUT_FILENO;
        status = crd_copy_string(&f->path, "standard output", error);
        if (status != CRD_OK) release(file);
        return status;
    }
    struct stat facts;
    bool exists = stat(path, &facts) == 0;
    if (path[0] == '\0') status = crd_fail(error, CRD_ERROR_ARGUMENT, "the output's name is empty");
    else if (exists && S_ISDIR(facts.st_mode))
        status = crd_fail(error, CRD_ERROR_IO, "%s: is a folder, expected a file to write", path);
    else if (strlen(path) > 3500)
        status = crd_fail(error, CRD_ERROR_IO, "the output's name is %zu bytes long", strlen(path));
    /* A device or pipe (/dev/null, /dev/stdout) cannot be renamed over: written straight away. */
    bool direct = exists && !S_ISREG(facts.st_mode);
    char *resolved = exists && !direct && status == CRD_OK ? realpath(path, NULL) : NULL;
    if (status == CRD_OK) status = crd_copy_string(&f->path, resolved != NULL ? resolved : path, error);
    free(resolved);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&f->temporary, strlen(f->path) + 16, error);
    if (status == CRD_OK) {
        if (direct) {
            f->standard_output = true; /* nothing to rename */
            f->descriptor = open(path, O_WRONLY | O_CLOEXEC);
        } else {
            f->descriptor = open_nameless(f->path);
            if (f->descriptor < 0) open_named(f);
        }
        if (f->descriptor < 0) status = crd_fail_errno(error, path, "write");
    }
    if (status != CRD_OK) release(file);
    return status;
}

static void flush(crd_outfile *file)
{
    size_t done = 0;
    while (done < file->used && file->failure == 0) {
        ssize_t written = write(file->descriptor, file->buffer + done, file->used - done);
        if (written >= 0) done += (size_t)written;
        else if (errno != EINTR) file->failure = errno;
    }
    file->used = 0;
}

void crd_outfile_write(crd_outfile *file, const void *bytes, size_t count)
{
    const char *from = bytes;
    while (count > 0 && file->failure == 0) {
        size_t room = sizeof file->buffer - file->used;
        size_t part = count < room ? count : room;
        memcpy(file->buffer + file->used, from, part);
        file->used += part;
        from += part;
        count -= part;
        if (file->used == sizeof file->buffer) flush(file);
    }
}

void crd_outfile_text(crd_outfile *file, const char *string)
{
    crd_outfile_write(file, string, strlen(string));
}

static bool link_beside(crd_outfile *file, const char *self)
{
    for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
        temporary_name(file->path, attempt, file->temporary, strlen(file->path) + 16);
        if (linkat(AT_FDCWD, self, AT_FDCWD, file->temporary, AT_SYMLINK_FOLLOW) == 0) return true;
        file->temporary[0] = '\0';
        if (errno != EEXIST) break;
    }
    return false;
}

/* Puts the file where it belongs. A nameless one takes the target's name at once if that is free; else it
 * first gets a temporary name, so that one rename can put it over what is there. */
static bool put_in_place(crd_outfile *file)
{
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", file->descriptor);
    if (file->temporary[0] == '\0') {
        if (linkat(AT_FDCWD, self, AT_FDCWD, file->path, AT_SYMLINK_FOLLOW) == 0) return true;
        if (errno != EEXIST || !link_beside(file, self)) return false;
    }
    if (rename(file->temporary, file->path) != 0) return false;
    file->temporary[0] = '\0';
    return true;
}
crd_status crd_outfile_commit(crd_outfile **file, crd_error *error)
{
    crd_outfile *f = *file;
    crd_status status = CRD_OK;
    flush(f);
    if (f->failure != 0) {
        errno = f->failure;
        status = crd_fail_errno(error, f->path, "write");
    } else if (!f->standard_output) {
        /* A new file has the permissions of the umask; a replaced one keeps its own. */
        struct stat facts;
        if (stat(f->path, &facts) == 0) (void)!fchmod(f->descriptor, facts.st_mode & 07777);
        if (fsync(f->descriptor) != 0 && errno != EINVAL && errno != EROFS)
            status = crd_fail_errno(error, f->path, "write");
        else if (!put_in_place(f))
            status = crd_fail_errno(error, f->path, "put the written file in place");
    }
    release(file);
    return status;
}

void crd_outfile_discard(crd_outfile **file)
{
    release(file);
}
