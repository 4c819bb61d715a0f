/* SPDX-License-Identifier: MIT */
#include "fetch.h"

#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "credence_private.h"
#include "signals.h"

/* ---- folders ---- */

/* Creates a folder and its parents; returns 0 or an errno. */
static int make_folders(const char *path)
{
    char *partial = crd_cli_text("%s", path);
    int failure = 0;
    for (size_t i = 1; i <= strlen(path) && failure == 0; i++) {
        if (path[i] != '/' && path[i] != '\0') continue;
        partial[i] = '\0';
        if (mkdir(partial, 0777) != 0 && errno != EEXIST) failure = errno;
        partial[i] = path[i];
    }
    free(partial);
    struct stat facts;
    if (failure == 0 && stat(path, &facts) != 0) failure = errno;
    return failure != 0 || S_ISDIR(facts.st_mode) ? failure : ENOTDIR;
}

int crd_cli_make_folders(const char *path)
{
    int failure = make_folders(path);
    if (failure == 0) return CRD_CLI_DONE;
    return crd_cli_failf(CRD_CLI_FAILED, "%s: cannot create the folder: %s", path, strerror(failure));
}

static int remove_entry(const char *path, const struct stat *facts, int type, struct FTW *place)
{
    (void)facts;
    (void)type;
    (void)place;
    return remove(path);
}

void crd_cli_remove_folder(const char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- archives ---- */

/* No known archive unpacks to anything near these 16 GiB. */
static const uint64_t MOST_BYTES = UINT64_C(16) << 30;

typedef struct {
    crd_zip *archive;
    const char *what, *from;
    uint64_t size; /* unpacked so far */
    bool bad;      /* the failure is the archive's fault */
} unpacking;

static int refuse(unpacking *u, const char *name, const char *why)
{
    u->bad = true;
    return crd_cli_failf(CRD_CLI_FAILED, "%s: %s: cannot unpack '%s': %s", u->what, u->from, name, why);
}

/* Reports a failed write. It is the archive's fault if two of its members have the same place, else the computer's. */
static int cannot_write(unpacking *u, const char *name, int failure)
{
    if (failure == EEXIST || failure == EISDIR || failure == ENOTDIR)
        return refuse(u, name, "another member has its place");
    return crd_cli_failf(CRD_CLI_FAILED, "%s: cannot unpack '%s': %s", u->what, name,
                         failure == EINTR ? "interrupted" : strerror(failure));
}

/* Whether a name stays inside its folder: no root, no "..", nothing that means these on another system. */
static bool is_plain(const char *name)
{
    for (const char *part = name; *part != '\0';) {
        size_t length = strcspn(part, "/\\");
        if (length == 0 || part[length] == '\\' || strncmp(part, "..", length) == 0) return false;
        part += length + (part[length] == '/');
    }
    return true;
}

/* Reports a member that cannot be read; it may be the archive's fault. */
static int cannot_read(unpacking *u, crd_status status, const crd_error *error)
{
    u->bad = status == CRD_ERROR_FORMAT;
    return crd_cli_failf(CRD_CLI_FAILED, "%s", error->message);
}

/* Copies an open member to a new file. `place` begins messages about its bytes; size and checksum are compared at their
 * end. */
static int copy_member(unpacking *u, crd_zip_reader *member, const char *name, const char *place, const char *path)
{
    char chunk[1 << 16];
    crd_error error;
    FILE *file = fopen(path, "wbx");
    if (file == NULL) return cannot_write(u, name, errno);
    int code = CRD_CLI_DONE;
    for (size_t got = 1; code == CRD_CLI_DONE && got > 0;) {
        const crd_status status = crd_zip_read(member, chunk, sizeof chunk, &got, place, &error);
        u->size += got;
        if (status != CRD_OK) code = cannot_read(u, status, &error);
        else if (u->size > MOST_BYTES) code = refuse(u, name, "the archive holds too much");
        else if (crd_cli_interrupted()) code = cannot_write(u, name, EINTR);
        else if (fwrite(chunk, 1, got, file) != got) code = cannot_write(u, name, errno);
    }
    if (code == CRD_CLI_DONE && (fflush(file) != 0 || fsync(fileno(file)) != 0)) code = cannot_write(u, name, errno);
    fclose(file);
    return code;
}

static int unpack_member(unpacking *u, int64_t index, const char *name, const char *path)
{
    if (!is_plain(name)) return refuse(u, name, "it would not be inside the folder");
    char *parent = crd_cli_text("%.*s", (int)(strrchr(path, '/') - path), path);
    int failure = make_folders(parent);
    free(parent);
    if (failure != 0) return cannot_write(u, name, failure);
    if (path[strlen(path) - 1] == '/') return CRD_CLI_DONE; /* a folder */
    crd_error error;
    crd_zip_reader *member;
    char *place = crd_cli_text("%s: %s: cannot unpack '%s'", u->what, u->from, name);
    const crd_status status = crd_zip_reader_open(u->archive, index, place, &member, &error);
    const int code = status == CRD_OK ? copy_member(u, member, name, place, path) : cannot_read(u, status, &error);
    crd_zip_reader_free(&member);
    free(place);
    return code;
}

/* Other folders are ignored: one system's packer adds one for itself. */
static int unpack_members(unpacking *u, const char *folder)
{
    const char *first = crd_zip_count(u->archive) > 0 ? crd_zip_name(u->archive, 0) : "";
    const size_t top = strcspn(first, "/") + 1;
    int code = CRD_CLI_DONE;
    for (int64_t i = 0; i < crd_zip_count(u->archive) && code == CRD_CLI_DONE; i++) {
        const char *name = crd_zip_name(u->archive, i);
        if (strlen(name) <= top || strncmp(name, first, top) != 0) continue;
        char *path = crd_cli_text("%s/%s", folder, name + top);
        code = unpack_member(u, i, name, path);
        free(path);
    }
    return code;
}

int crd_cli_unpack(const char *archive, const char *folder, const char *what, const char *from, bool *bad)
{
    unpacking u = {.what = what, .from = from};
    *bad = crd_zip_open(archive, &u.archive, NULL) != CRD_OK;
    if (*bad) return crd_cli_failf(CRD_CLI_FAILED, "%s: %s: is not a zip archive that can be opened", what, from);
    crd_cli_remove_folder(folder);
    int code = crd_cli_make_folders(folder);
    if (code == CRD_CLI_DONE) code = unpack_members(&u, folder);
    crd_zip_free(&u.archive);
    *bad = u.bad;
    return code;
}
