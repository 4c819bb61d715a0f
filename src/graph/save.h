/* The writers that crd_dataset_save chooses from, and what they share. */
#ifndef CRD_GRAPH_SAVE_H
#define CRD_GRAPH_SAVE_H

#include "graph/dataset.h"

/* Folders of text: CSV's, Matrix Market's. */
crd_status crd_save_text(const crd_dataset *dataset, const char *path, bool mtx, crd_error *error);
crd_status crd_save_ogb(const crd_dataset *dataset, const char *path, crd_error *error);

/* "number,name" rows below a header line. */
crd_status crd_save_names(const char *folder, const char *name, const char *header, char *const *names,
                          int64_t count, crd_error *error);
/* Whether readers could not tell the classes from the labels alone: they have names, or one of them has no
 * nodes. */
crd_status crd_classes_need_list(const crd_dataset *dataset, bool *need, crd_error *error);

#endif
