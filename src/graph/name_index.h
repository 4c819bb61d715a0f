/* Names and their numbers: every distinct name gets the next number, from 0. */
#ifndef CRD_GRAPH_NAME_INDEX_H
#define CRD_GRAPH_NAME_INDEX_H

#include "base/memory.h"

typedef struct crd_name_index crd_name_index;

crd_status crd_name_index_new(crd_name_index **index, crd_error *error);
void crd_name_index_free(crd_name_index **index);
/* The number of a name, which is new if it was not there: then it equals the count before the call. */
crd_status crd_name_index_add(crd_name_index *index, const char *name, int64_t *number, crd_error *error);
/* -1 if the name is not there; an index that is NULL has none. */
int64_t crd_name_index_find(const crd_name_index *index, const char *name);
int64_t crd_name_index_count(const crd_name_index *index);
/* Valid until the next addition. */
const char *crd_name_index_name(const crd_name_index *index, int64_t number);

#endif
