/* Downloads that can be interrupted and go on later.
 *
 * The bytes gather in a file NAME.part, and beside it NAME.part.from remembers the address and what the
 * server said to tell versions of the file apart by (its ETag, or its date). A later download asks for the
 * rest on the condition that this is still the same. If it is not, or if the server cannot do so or sends
 * another part than it was asked for, the download begins again. */
#ifndef CREDENCE_CLI_DOWNLOAD_H
#define CREDENCE_CLI_DOWNLOAD_H

#include "partial.h"

/* Both return the exit code, after having said what is wrong; `what` begins the messages. */

/* Fails if this program was built without what downloads need. */
int crd_cli_can_download(const char *what, const char *address);
/* Fills the part from the address. On failure what is there is kept if a later download can go on with it. */
int crd_cli_download(crd_cli_partial *part, const char *address, const char *what, bool quiet);

#endif
