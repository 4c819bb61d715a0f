/* Folders that appear whole or not at all: outfile.h's promise for more than one file.
 *
 * The files go to a temporary folder beside the target, which crd_outfolder_commit renames. */
#ifndef CRD_IO_OUTFOLDER_H
#define CRD_IO_OUTFOLDER_H

#include "base/status.h"

typedef struct crd_outfolder crd_outfolder;

/* The target must not exist yet, or be an empty folder. */
crd_status crd_outfolder_open(const char *path, crd_outfolder **folder, crd_error *error);
/* Where to put the files (and folders of files) until the commit; no slash at its end. */
const char *crd_outfolder_path(const crd_outfolder *folder);
/* Gives the folder its name; *folder is NULL afterwards, whatever happened. */
crd_status crd_outfolder_commit(crd_outfolder **folder, crd_error *error);
/* Removes the temporary folder and all that is in it. */
void crd_outfolder_discard(crd_outfolder **folder);

#endif
