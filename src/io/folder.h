/* SPDX-License-Identifier: MIT */
/* Folders: what is in them, and new ones.
 *
 * New folders appear whole or not at all, like the files of outfile.h.
 *
 * The files go to a temporary folder beside the target, which crd_outfolder_commit renames. */
#ifndef CRD_IO_FOLDER_H
#define CRD_IO_FOLDER_H

#include "base/text.h"

bool crd_is_folder(const char *path);
/* "FOLDER/NAME", newly allocated. */
crd_status crd_join_path(const char *folder, const char *name, char **path, crd_error *error);
/* The names in a folder, sorted; those that start with a dot are left out. Free with crd_strings_free. */
crd_status crd_list_folder(const char *path, char ***names, int64_t *count, crd_error *error);

typedef struct crd_outfolder crd_outfolder;

/* The target must not exist yet, or be an empty folder. */
crd_status crd_outfolder_open(const char *path, crd_outfolder **folder, crd_error *error);
/* Where to put the files (and folders of files) until the commit; no slash at its end. */
const char *crd_outfolder_path(const crd_outfolder *folder);
/* Gives the folder its name; *folder is NULL afterwards, even on failure. */
crd_status crd_outfolder_commit(crd_outfolder **folder, crd_error *error);
/* Removes the temporary folder and its content. */
void crd_outfolder_discard(crd_outfolder **folder);

#endif
