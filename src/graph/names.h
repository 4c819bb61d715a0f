/* SPDX-License-Identifier: MIT */
/* Names and their numbers; lists of node ids. */
#ifndef CRD_GRAPH_NAMES_H
#define CRD_GRAPH_NAMES_H

#include "base/memory.h"

/* Every distinct name gets the next number, from 0. */
typedef struct crd_name_index crd_name_index;

crd_status crd_name_index_new(crd_name_index **index, crd_error *error);
void crd_name_index_free(crd_name_index **index);
/* The number of a name. A new name is added; its number equals the count before the call. */
crd_status crd_name_index_add(crd_name_index *index, const char *name, int64_t *number, crd_error *error);
/* -1 if the name is not there; an index that is NULL has none. */
int64_t crd_name_index_find(const crd_name_index *index, const char *name);
int64_t crd_name_index_count(const crd_name_index *index);
/* Valid until the next addition. */
const char *crd_name_index_name(const crd_name_index *index, int64_t number);

/* A list of node ids as a text file gives them: numbers as long as all are, else names. */

/* Zero-initialise. */
typedef struct crd_ids {
    int64_t count, capacity;
    int64_t *token;        /* the numbers; if `names` is not NULL, places in it */
    crd_name_index *names; /* NULL while every id is a number */
    char *waiting[2];      /* the ids of an edge list's first row while it may be a header; else NULL */
    int64_t waiting_line;
} crd_ids;

/* Whether the text is a node number as we would print it: up to 18 digits without a sign or a leading
 * zero. Anything else is a name: "007" and "7" are two names, but one number. */
bool crd_id_number(const char *text, int64_t *number);
/* Appends an id. The first one that is not a number turns all earlier ones into names, in their order. */
crd_status crd_ids_add(crd_ids *ids, const char *text, crd_error *error);
/* Puts ids in front of the others. No row is waiting any more. */
crd_status crd_ids_prepend(crd_ids *ids, const char *const *texts, int64_t count, crd_error *error);
/* For a list that is complete. If all ids are numbers in other spellings ("2.0"), they become numbers. *wrong is the
 * first id that is a number but not a node's ("-1", "1.5"), if all others are numbers and some are nodes'; else -1. */
crd_status crd_ids_settle(crd_ids *ids, int64_t *wrong, crd_error *error);
/* Whether an id is this name; always false if ids are numbers. */
bool crd_ids_have_name(const crd_ids *ids, const char *name);
/* The id as text; `buffer` is used for numbers. */
#define CRD_ID_SIZE 24
const char *crd_ids_text(const crd_ids *ids, int64_t index, char buffer[CRD_ID_SIZE]);
/* The distinct ids in the order of their first appearance; numbers may occur more than once. */
int64_t crd_ids_distinct(const crd_ids *ids);
const char *crd_ids_distinct_text(const crd_ids *ids, int64_t index, char buffer[CRD_ID_SIZE]);
void crd_ids_drop_waiting(crd_ids *ids);
void crd_ids_free(crd_ids *ids);

#endif
