/* The openers that crd_dataset_open chooses from. */
#ifndef CRD_GRAPH_OPEN_H
#define CRD_GRAPH_OPEN_H

#include "graph/open_arrays.h"
#include "graph/parts.h"

/* Reads the files that the options name (NULL: none), which replace what the parts hold, and makes the
 * dataset. The splits come from the bag, if there is one. */
crd_status crd_open_parts(crd_parts *parts, crd_bag *bag, const crd_open_options *options,
                          crd_dataset **dataset, crd_error *error);
/* A folder of arrays or of text files, or OGB's. */
crd_status crd_open_folder(const char *path, const crd_open_options *options, crd_dataset **dataset,
                           crd_error *error);
/* The folder with OGB's edge.csv.gz: FOLDER/raw, or FOLDER itself; NULL if it is no OGB folder. */
crd_status crd_find_ogb_raw(const char *path, char **raw, crd_error *error);
crd_status crd_open_ogb(const char *path, const char *raw, const crd_open_options *options,
                        crd_dataset **dataset, crd_error *error);

/* Splits that are files of their own; more are neither read nor written. */
enum { CRD_MOST_SPLIT_FILES = 1000 };

/* "FOLDER/NAME", newly allocated. */
crd_status crd_join_path(const char *folder, const char *name, char **path, crd_error *error);
/* The names in a folder, sorted; those that start with a dot are left out. Free with crd_strings_free. */
crd_status crd_list_folder(const char *path, char ***names, int64_t *count, crd_error *error);
bool crd_is_folder(const char *path);

#endif
