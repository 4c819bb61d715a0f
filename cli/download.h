/* Downloads that can be interrupted and resumed later.
 *
 * The bytes gather in a file NAME.part. Beside it, NAME.part.from remembers the address and what identifies the
 * version of the file (its ETag, or its date). A later download asks for the rest on condition that the version is
 * the same. If it is not, or if the server cannot do so or sends a different range than requested, the download
 * starts again. */
#ifndef CREDENCE_CLI_DOWNLOAD_H
#define CREDENCE_CLI_DOWNLOAD_H

#include "partial.h"

/* Both return the exit code and report what is wrong; `what` begins the messages. */

/* Fails if this program was built without support for downloads. */
int crd_cli_can_download(const char *what, const char *address);
/* Fills the part from the address. On failure the part is kept if a later download can resume it. */
int crd_cli_download(crd_cli_partial *part, const char *address, const char *what, bool quiet);

#endif
