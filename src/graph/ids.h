/* A list of node ids as a text file gives them: numbers as long as all are, names otherwise. */
#ifndef CRD_GRAPH_IDS_H
#define CRD_GRAPH_IDS_H

#include "graph/name_index.h"

/* Zero-initialise. */
typedef struct crd_ids {
    int64_t count, capacity;
    int64_t *token;        /* the numbers; where `names` is there, the names' numbers in it */
    crd_name_index *names; /* NULL while every id is a number */
} crd_ids;

/* Whether the text is a node number as we would print it: up to 18 digits without a sign or a leading
 * zero. Anything else is a name: "007" and "7" are two names, but one number. */
bool crd_id_number(const char *text, int64_t *number);
/* Appends an id. The first one that is no number turns all before it into names, in their order. */
crd_status crd_ids_add(crd_ids *ids, const char *text, crd_error *error);
/* Puts ids in front of the others. */
crd_status crd_ids_prepend(crd_ids *ids, const char *const *texts, int64_t count, crd_error *error);
/* The id as text; `buffer` is used for numbers. */
#define CRD_ID_SIZE 24
const char *crd_ids_text(const crd_ids *ids, int64_t index, char buffer[CRD_ID_SIZE]);
void crd_ids_free(crd_ids *ids);

#endif
