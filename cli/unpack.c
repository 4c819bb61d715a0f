#include "unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include "signals.h"

/* The archives hold packed tables, which hardly shrink further. */
enum { MOST_MEMBERS = 10000, MOST_RATIO = 20 };
static const uint64_t SMALL = UINT64_C(64) << 20; /* always allowed */

typedef struct {
    zip_t *archive;
    const crd_cli_unpacking *how;
    char *folder; /* where it goes */
    bool bad;     /* the error is the archive's fault */
    size_t top;   /* the length of "NAME/", which every member's name begins with */
} unpacking;

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

/* Removes a folder with its content; does not follow links. */
static void remove_tree(const char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- what may be unpacked ---- */

static int refuse(unpacking *u, const char *name, const char *why)
{
    u->bad = true;
    return crd_cli_failf(CRD_CLI_FAILED, "%s: %s: cannot unpack '%s': %s", u->how->what, u->how->from, name, why);
}

/* Reports a failed write. It is the archive's fault if two of its members have the same place, else the computer's. */
static int cannot_write(unpacking *u, const char *name, int failure)
{
    if (failure == EEXIST || failure == EISDIR || failure == ENOTDIR)
        return refuse(u, name, "another member has its place");
    return crd_cli_failf(CRD_CLI_FAILED, "%s: cannot unpack '%s': %s", u->how->what, name,
                         failure == EINTR ? "interrupted" : strerror(failure));
}

/* Whether a name consists of folders and files below the top: no root, no "..", nothing that means these on another
 * system. */
static bool is_plain(const char *name)
{
    if (name[0] == '/' || strchr(name, '\\') != NULL) return false;
    for (const char *part = name; *part != '\0';) {
        size_t length = strcspn(part, "/");
        if (length == 0 || length > 255 || (length == 1 && part[0] == '.') ||
            (length == 2 && strncmp(part, "..", 2) == 0))
            return false;
        part += length + (part[length] == '/');
    }
    return true;
}

/* Files that one system's packer adds beside the folder for itself. */
static bool is_litter(const char *name)
{
    return strncmp(name, "__MACOSX/", 9) == 0;
}

static bool is_link(zip_t *archive, zip_uint64_t index)
{
    zip_uint8_t system;
    zip_uint32_t attributes;
    return zip_file_get_external_attributes(archive, index, 0, &system, &attributes) == 0 && system == ZIP_OPSYS_UNIX &&
           S_ISLNK(attributes >> 16);
}

static int check_members(unpacking *u, const char *path)
{
    struct stat facts;
    const zip_int64_t count = zip_get_num_entries(u->archive, 0);
    uint64_t size = 0;
    u->bad = true; /* until all members have passed */
    if (count < 1 || count > MOST_MEMBERS)
        return crd_cli_failf(CRD_CLI_FAILED, "%s: %s: the archive has %lld members, expected 1 to %d", u->how->what,
                             u->how->from, (long long)count, MOST_MEMBERS);
    const char *first = NULL;
    for (zip_int64_t i = 0; i < count; i++) {
        zip_stat_t member;
        const char *name = zip_get_name(u->archive, (zip_uint64_t)i, 0);
        if (name == NULL || zip_stat_index(u->archive, (zip_uint64_t)i, 0, &member) != 0)
            return refuse(u, name == NULL ? "?" : name, zip_strerror(u->archive));
        if (is_litter(name)) continue;
        if (first == NULL) u->top = strcspn(first = name, "/") + 1;
        if (!is_plain(name)) return refuse(u, name, "it would not be inside the folder");
        if (strncmp(name, first, u->top) != 0 || strlen(name) < u->top)
            return refuse(u, name, "it is beside the folder that the archive was expected to be");
        if (is_link(u->archive, (zip_uint64_t)i)) return refuse(u, name, "it is a link");
        if ((member.valid & ZIP_STAT_SIZE) == 0 || member.size > UINT64_MAX - size)
            return refuse(u, name, "the archive does not say how large it is");
        size += member.size;
    }
    if (stat(path, &facts) != 0) return refuse(u, path, strerror(errno));
    if (size > SMALL && size / MOST_RATIO > (uint64_t)facts.st_size)
        return crd_cli_failf(CRD_CLI_FAILED,
                             "%s: %s: the archive announces %llu bytes in %lld, which is out of all proportion",
                             u->how->what, u->how->from, (unsigned long long)size, (long long)facts.st_size);
    u->bad = false;
    return CRD_CLI_DONE;
}

/* ---- unpacking ---- */

/* Copies a member to a new file, never more bytes than the archive announced. */
static int copy_member(unpacking *u, zip_uint64_t index, const char *name, const char *path)
{
    char chunk[1 << 16];
    zip_stat_t facts;
    if (zip_stat_index(u->archive, index, 0, &facts) != 0) return refuse(u, name, zip_strerror(u->archive));
    zip_file_t *member = zip_fopen_index(u->archive, index, 0);
    if (member == NULL) return refuse(u, name, zip_strerror(u->archive));
    FILE *file = fopen(path, "wbx");
    uint64_t left = facts.size;
    zip_int64_t got = 0;
    int code = file == NULL ? cannot_write(u, name, errno) : CRD_CLI_DONE;
    while (code == CRD_CLI_DONE && (got = zip_fread(member, chunk, sizeof chunk)) > 0) {
        if ((uint64_t)got > left) code = refuse(u, name, "it is larger than the archive announces");
        else if (fwrite(chunk, 1, (size_t)got, file) != (size_t)got) code = cannot_write(u, name, errno);
        left -= (uint64_t)got;
        if (code == CRD_CLI_DONE && crd_cli_interrupted()) code = cannot_write(u, name, EINTR);
    }
    /* libzip compares the checksum when it reaches the end. */
    if (code == CRD_CLI_DONE && (got < 0 || left > 0)) {
        int problem = zip_error_code_zip(zip_file_get_error(member));
        code = refuse(u, name,
                      problem == ZIP_ER_OK ? "it is shorter than the archive announces"
                                           : zip_error_strerror(zip_file_get_error(member)));
    }
    if (file != NULL) {
        bool written = fflush(file) == 0 && fsync(fileno(file)) == 0;
        int failure = errno;
        if (fclose(file) != 0 && written) failure = errno, written = false;
        if (code == CRD_CLI_DONE && !written) code = cannot_write(u, name, failure);
    }
    zip_fclose(member);
    return code;
}

static int unpack_member(unpacking *u, zip_uint64_t index)
{
    const char *name = zip_get_name(u->archive, index, 0);
    if (is_litter(name)) return CRD_CLI_DONE;
    const char *below = name + u->top;
    if (below[0] == '\0') return CRD_CLI_DONE; /* the top folder itself */
    char *path = crd_cli_text("%s/%s", u->folder, below), *slash = strrchr(path, '/');
    *slash = '\0';
    int failure = make_folders(path), code = failure == 0 ? CRD_CLI_DONE : cannot_write(u, name, failure);
    *slash = '/';
    if (code == CRD_CLI_DONE && slash[1] != '\0') code = copy_member(u, index, name, path);
    free(path);
    return code;
}

static int check_needed(unpacking *u)
{
    for (const char *const *needed = u->how->needed; *needed != NULL; needed++) {
        char *path = crd_cli_text("%s/%s", u->folder, *needed);
        bool there = access(path, R_OK) == 0;
        free(path);
        u->bad = !there;
        if (!there)
            return crd_cli_failf(CRD_CLI_FAILED, "%s: %s: the archive lacks %s", u->how->what, u->how->from, *needed);
    }
    return CRD_CLI_DONE;
}

static int unpack_all(unpacking *u, const char *path)
{
    int problem;
    u->archive = zip_open(path, ZIP_RDONLY, &problem);
    if (u->archive == NULL) {
        zip_error_t error;
        zip_error_init_with_code(&error, problem);
        u->bad = true;
        int code = crd_cli_failf(CRD_CLI_FAILED, "%s: %s: is not a zip archive that can be opened: %s", u->how->what,
                                 u->how->from, zip_error_strerror(&error));
        zip_error_fini(&error);
        return code;
    }
    int code = check_members(u, path);
    const zip_int64_t count = zip_get_num_entries(u->archive, 0);
    for (zip_int64_t i = 0; i < count && code == CRD_CLI_DONE; i++) code = unpack_member(u, (zip_uint64_t)i);
    zip_discard(u->archive);
    if (code == CRD_CLI_DONE) code = check_needed(u);
    if (code != CRD_CLI_DONE) return code;
    code = u->how->check(u->how->context, u->folder, u->how->from);
    u->bad = code != CRD_CLI_DONE;
    return code;
}

/* Puts the folder in its place. A folder cannot be replaced in one step: the old one is moved aside first, and back
 * again if that fails. */
static int put_in_place(const char *folder, const char *target)
{
    char *aside = crd_cli_text("%s.old", folder);
    bool replaced = rename(target, aside) == 0;
    int code = CRD_CLI_DONE;
    if ((!replaced && errno != ENOENT) || rename(folder, target) != 0) {
        code = crd_cli_failf(CRD_CLI_FAILED, "%s: cannot write: %s", target, strerror(errno));
        if (replaced) (void)!rename(aside, target);
    } else if (replaced) {
        remove_tree(aside);
    }
    free(aside);
    return code;
}

int crd_cli_unpack(const char *archive, const char *target, const crd_cli_unpacking *how, bool *bad)
{
    const char *slash = strrchr(target, '/');
    int before = slash == NULL ? 0 : (int)(slash - target) + 1;
    unpacking u = {.how = how};
    u.folder = crd_cli_text("%.*s.%s.XXXXXX", before, target, target + before);
    int code = CRD_CLI_DONE;
    if (mkdtemp(u.folder) == NULL) {
        code = crd_cli_failf(CRD_CLI_FAILED, "%s: cannot create a folder beside it: %s", target, strerror(errno));
    } else {
        mode_t mask = umask(0);
        umask(mask);
        code = unpack_all(&u, archive);
        if (code == CRD_CLI_DONE) (void)!chmod(u.folder, 0777 & ~mask);
        if (code == CRD_CLI_DONE) code = put_in_place(u.folder, target);
        if (code != CRD_CLI_DONE) remove_tree(u.folder);
    }
    *bad = u.bad;
    free(u.folder);
    return code;
}
