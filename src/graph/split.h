/* SPDX-License-Identifier: MIT */
/* A split: one role per node. */
#ifndef CRD_GRAPH_SPLIT_H
#define CRD_GRAPH_SPLIT_H

#include "base/status.h"
#include "io/source.h"

#define CRD_SPLIT_DESCRIPTION 256

struct crd_split {
    int64_t nodes;
    uint8_t *roles; /* crd_role */
    char description[CRD_SPLIT_DESCRIPTION];
};

/* Every node starts as CRD_ROLE_NONE; fill `roles`, then call crd_split_describe. */
crd_status crd_split_new(int64_t nodes, crd_split **split, crd_error *error);
/* "HOW: 147 train, 449 validation, 2399 test". */
void crd_split_describe(crd_split *split, const char *how);

/* crd_split_read from memory; the name is for messages. */
crd_status crd_split_read_memory(const crd_dataset *dataset, const void *bytes, size_t size, const char *name,
                                 crd_split **split, crd_error *error);

/* Whether an array of this name would be read as (part of) a split. */
bool crd_is_split_array(const char *name);
/* The most split files in a folder; more are neither read nor written. */
enum { CRD_MOST_SPLIT_FILES = 1000 };

#endif
