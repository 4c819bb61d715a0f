/* The file that a download gathers in. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "download.h"

/* True if the descriptor is the file that the path names now: whoever held the lock before may have renamed
 * or removed it between our opening and our locking. */
static bool is_still_there(int descriptor, const char *path)
{
    struct stat opened, named;
    return fstat(descriptor, &opened) == 0 && stat(path, &named) == 0 && opened.st_dev == named.st_dev
           && opened.st_ino == named.st_ino;
}

/* Takes the lock, or takes it once more: it ends when this process closes any descriptor of the file. */
static int lock_file(int descriptor)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(descriptor, F_SETLK, &lock);
}

int crd_cli_part_open(crd_cli_part *part, const char *target, const char *what)
{
    *part = (crd_cli_part){.path = crd_cli_text("%s.part", target),
                           .from_path = crd_cli_text("%s.part.from", target)};
    int failure = 0;
    for (;;) {
        part->descriptor = open(part->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (part->descriptor < 0) failure = errno;
        else if (lock_file(part->descriptor) != 0) failure = errno;
        else if (is_still_there(part->descriptor, part->path)) return CRD_CLI_DONE;
        if (failure != 0) break;
        close(part->descriptor);
    }
    bool locked = part->descriptor >= 0 && (failure == EAGAIN || failure == EACCES);
    int code = locked ? crd_cli_failf(CRD_CLI_FAILED, "%s: another process is downloading it already, to %s",
                                      what, part->path)
                      : crd_cli_failf(CRD_CLI_FAILED, "%s: cannot write %s: %s", what, part->path,
                                      strerror(failure));
    if (part->descriptor >= 0) close(part->descriptor);
    free(part->path);
    free(part->from_path);
    *part = (crd_cli_part){.descriptor = -1};
    return code;
}

void crd_cli_part_remove(const crd_cli_part *part)
{
    if (lock_file(part->descriptor) != 0 || !is_still_there(part->descriptor, part->path)) return;
    unlink(part->from_path);
    unlink(part->path);
}

int crd_cli_part_rename(const crd_cli_part *part, const char *target)
{
    if (fsync(part->descriptor) != 0 || rename(part->path, target) != 0)
        return crd_cli_failf(CRD_CLI_FAILED, "%s: cannot write: %s", target, strerror(errno));
    unlink(part->from_path);
    return CRD_CLI_DONE;
}

void crd_cli_part_close(crd_cli_part *part)
{
    struct stat facts;
    if (part->path == NULL) return;
    if (is_still_there(part->descriptor, part->path) && fstat(part->descriptor, &facts) == 0
        && facts.st_size == 0)
        crd_cli_part_remove(part);
    close(part->descriptor);
    free(part->path);
    free(part->from_path);
    *part = (crd_cli_part){.descriptor = -1};
}

void crd_cli_size_text(int64_t bytes, char text[16])
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB"};
    double amount = (double)bytes;
    int unit = 0;
    while (amount >= 999.5 && unit < 3) {
        amount /= 1000.0;
        unit++;
    }
    snprintf(text, 16, "%.*f %s", unit == 0 || amount >= 99.95 ? 0 : 1, amount, units[unit]);
}
