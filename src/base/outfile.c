/* SPDX-License-Identifier: MIT */
/* O_TMPFILE, a nameless file, exists only on Linux. Thanks to it, a killed process leaves nothing behind. */
#define _GNU_SOURCE
#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/memory.h"

enum { BUFFER = 1 << 16, ATTEMPTS = 100, LONGEST = 4096, MOST_LINKS = 40 };

struct crd_outfile {
    int descriptor;
    crd_writer writer; /* NULL: the descriptor is written to */
    void *user;        /* the writer's */
    int64_t given;     /* bytes that the writer has taken */
    bool direct;       /* written at once: nothing to put in place */
    int failure;       /* errno of the first failed write, 0 if none */
    char *path;        /* the target; for a link, what it points to */
    char *temporary;   /* the name to rename from; empty while the file is nameless */
    size_t used;
    char buffer[BUFFER];
};

void crd_outfile_discard(crd_outfile **file)
{
    crd_outfile *f = *file;
    *file = NULL;
    if (f == NULL) return;
    if (f->descriptor >= 0 && f->descriptor != STDOUT_FILENO) close(f->descriptor);
    if (f->temporary != NULL && f->temporary[0] != '\0') unlink(f->temporary);
    crd_free(f->temporary);
    crd_free(f->path);
    crd_free(f);
}

/* The length of the folder's part of a path, with its slash. */
static int folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (int)(slash - path + 1);
}

crd_status crd_outfile_target(const char *path, char **target, crd_error *error)
{
    char at[LONGEST], link[LONGEST];
    snprintf(at, sizeof at, "%s", path);
    for (int links = 0; links < MOST_LINKS; links++) {
        ssize_t length = readlink(at, link, sizeof link - 1);
        if (length < 0) return crd_copy_string(target, at, error);
        link[length] = '\0';
        int folder = link[0] == '/' ? 0 : folder_length(at);
        if (folder + length >= (ssize_t)sizeof at) break;
        memmove(at + folder, link, (size_t)length + 1);
    }
    errno = ELOOP;
    return crd_fail_errno(error, path, "write");
}

/* "dir/name" -> "dir/.name.123456"; the same folder, because rename cannot leave the file system. The number comes
 * from the process id and the attempt. */
static void temporary_name(const char *path, unsigned attempt, char *name, size_t size)
{
    int folder = folder_length(path);
    snprintf(name, size, "%.*s.%s.%06u", folder, path, path + folder, ((unsigned)getpid() * 100u + attempt) % 1000000u);
}

/* Readable too: see copy_beside. */
static int open_nameless(const char *path)
{
#ifdef O_TMPFILE
    char folder[LONGEST];
    int length = folder_length(path);
    snprintf(folder, sizeof folder, "%.*s", length == 0 ? 1 : length, length == 0 ? "." : path);
    return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
#else
    (void)path;
    return -1;
#endif
}

/* Gives the nameless file a name; -1 if that cannot be. Some containers have no /proc. */
static int link_as(const crd_outfile *file, const char *name)
{
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", file->descriptor);
    return linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

/* Makes the temporary name beside the target: for the nameless file, or for a new one, whose descriptor it returns.
 * Not with mkstemp, which ignores the umask. -1: it failed. */
static int name_beside(crd_outfile *file, bool link)
{
    for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
        temporary_name(file->path, attempt, file->temporary, strlen(file->path) + 16);
        const int made = link ? link_as(file, file->temporary)
                              : open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (made >= 0) return made;
        if (errno != EEXIST) break;
    }
    file->temporary[0] = '\0';
    return -1;
}

static crd_status open_target(crd_outfile *file, const char *path, crd_error *error)
{
    struct stat facts;
    bool exists = stat(path, &facts) == 0;
    if (path[0] == '\0') return crd_fail(error, CRD_ERROR_ARGUMENT, "the output's name is empty");
    if (exists && S_ISDIR(facts.st_mode))
        return crd_fail(error, CRD_ERROR_IO, "%s: is a folder, expected a file to write", path);
    if (strlen(path) > LONGEST - 600)
        return crd_fail(error, CRD_ERROR_IO, "the output's name is %zu bytes long", strlen(path));
    /* A device or pipe (/dev/null, /dev/stdout) cannot be replaced by a rename: write to it directly. */
    file->direct = exists && !S_ISREG(facts.st_mode);
    crd_status status =
        file->direct ? crd_copy_string(&file->path, path, error) : crd_outfile_target(path, &file->path, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&file->temporary, strlen(file->path) + 16, error);
    if (status != CRD_OK) return status;
    if (file->direct) {
        file->descriptor = open(path, O_WRONLY | O_CLOEXEC);
    } else {
        file->descriptor = open_nameless(file->path);
        if (file->descriptor < 0) file->descriptor = name_beside(file, false);
    }
    return file->descriptor < 0 ? crd_fail_errno(error, path, "write") : CRD_OK;
}

crd_status crd_outfile_open(const char *path, crd_outfile **file, crd_error *error)
{
    crd_status status = CRD_NEW_ZERO(file, 1, error);
    if (status != CRD_OK) return status;
    (*file)->descriptor = -1;
    if (strcmp(path, "-") == 0) {
        (*file)->direct = true;
        (*file)->descriptor = STDOUT_FILENO;
        status = crd_copy_string(&(*file)->path, "standard output", error);
    } else {
        status = open_target(*file, path, error);
    }
    if (status != CRD_OK) crd_outfile_discard(file);
    return status;
}

const char *crd_destination_name(const crd_destination *to)
{
    return to->path != NULL ? to->path : "the writer";
}

crd_status crd_outfile_open_to(const crd_destination *to, crd_outfile **file, crd_error *error)
{
    if (to->path != NULL) return crd_outfile_open(to->path, file, error);
    *file = NULL;
    if (to->writer == NULL) return crd_fail(error, CRD_ERROR_ARGUMENT, "the writer is NULL, expected a function");
    crd_status status = CRD_NEW_ZERO(file, 1, error);
    if (status != CRD_OK) return status;
    (*file)->descriptor = -1;
    (*file)->direct = true;
    (*file)->writer = to->writer;
    (*file)->user = to->user;
    return CRD_OK;
}

/* After its first refusal a writer is not called again. */
static void flush_to_writer(crd_outfile *file)
{
    if (file->used > 0 && file->failure == 0) {
        if (file->writer(file->buffer, file->used, file->user)) file->given += (int64_t)file->used;
        else file->failure = EIO;
    }
    file->used = 0;
}

static void flush(crd_outfile *file)
{
    size_t done = 0;
    if (file->writer != NULL) {
        flush_to_writer(file);
        return;
    }
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

bool crd_outfile_good(const crd_outfile *file)
{
    return file->failure == 0;
}

/* Writes what is in the buffer, down to the disk. A new file has the permissions of the umask, a replaced one keeps
 * its own. Some file systems do without permissions, or without waiting for the disk; that is no failure. */
static bool settle(crd_outfile *file)
{
    struct stat facts;
    flush(file);
    if (file->failure == 0 && !file->direct) {
        if (stat(file->path, &facts) == 0) (void)!fchmod(file->descriptor, facts.st_mode & 07777);
        if (fsync(file->descriptor) != 0 && errno != EINVAL && errno != EROFS && errno != EPERM && errno != ENOTSUP)
            file->failure = errno;
    }
    errno = file->failure;
    return file->failure == 0;
}

/* If the nameless file cannot get a name, its bytes are copied to a file that has one. */
static bool copy_beside(crd_outfile *file)
{
    crd_log(CRD_LOG_DETAIL, "%s: is copied to a file with a name, because a nameless one cannot get it here",
            file->path);
    ssize_t got = 1;
    const int from = file->descriptor, to = name_beside(file, false);
    if (to < 0) return false;
    file->descriptor = to; /* flush writes there */
    for (off_t at = 0; got > 0 && file->failure == 0; at += got) {
        got = pread(from, file->buffer, sizeof file->buffer, at);
        if (got < 0) file->failure = errno;
        else file->used = (size_t)got;
        flush(file);
    }
    close(from);
    return settle(file);
}

/* Puts the file where it belongs. A nameless one takes the target's name at once if that is free; else it
 * first gets a temporary name, so that one rename can put it over what is there. */
static bool put_in_place(crd_outfile *file)
{
    if (file->temporary[0] == '\0') {
        if (link_as(file, file->path) == 0) return true;
        if (!(errno == EEXIST && name_beside(file, true) == 0) && !copy_beside(file)) return false;
    }
    if (rename(file->temporary, file->path) != 0) return false;
    file->temporary[0] = '\0';
    return true;
}

crd_status crd_outfile_commit(crd_outfile **file, crd_error *error)
{
    crd_outfile *f = *file;
    crd_status status = CRD_OK;
    const bool settled = settle(f);
    if (!settled && f->writer != NULL)
        status = crd_fail(error, CRD_ERROR_IO, "the writer stopped after %lld bytes", (long long)f->given);
    else if (!settled) status = crd_fail_errno(error, f->path, "write");
    else if (!f->direct && !put_in_place(f)) status = crd_fail_errno(error, f->path, "put the written file in place");
    crd_outfile_discard(file);
    return status;
}
