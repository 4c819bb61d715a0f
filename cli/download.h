/* Downloads that can be interrupted and go on later.
 *
 * The bytes gather in a file NAME.part, and beside it NAME.part.from remembers the address and what the
 * server said to tell versions of the file apart by (its ETag, or its date). A later download asks for the
 * rest on the condition that this is still the same; if it is not, or the server cannot do so or sends
 * another part than it was asked for, it begins again. */
#ifndef CREDENCE_CLI_DOWNLOAD_H
#define CREDENCE_CLI_DOWNLOAD_H

#include "output.h"

typedef struct crd_cli_part {
    char *path;      /* NAME.part */
    char *from_path; /* NAME.part.from */
    int descriptor;  /* locked as long as it is open */
} crd_cli_part;

/* All return the exit code, after having said what is wrong; `what` begins the messages. */

/* Fails if this program was built without what downloads need. */
int crd_cli_can_download(const char *what, const char *address);

/* Opens TARGET.part, creating it if need be, and keeps other processes from it. */
int crd_cli_part_open(crd_cli_part *part, const char *target, const char *what);
/* Fills the part from the address. On failure what is there is kept if it can be gone on with. */
int crd_cli_download(crd_cli_part *part, const char *address, const char *what, bool quiet);
/* Removes both files: for a download that turned out wrong, or was made use of; unless they are another
 * process's by now, because this one opened the part by its name and closed it, which ends the lock. */
void crd_cli_part_remove(const crd_cli_part *part);
/* Gives the part its target's name. */
int crd_cli_part_rename(const crd_cli_part *part, const char *target);
/* Lets go of it. A part without a byte is removed. */
void crd_cli_part_close(crd_cli_part *part);

/* "1.6 MB" into text, which has room for 16 characters. */
void crd_cli_size_text(int64_t bytes, char text[16]);

#endif
