/* SPDX-License-Identifier: MIT */
/* The public graphs that the command knows by name. */
#ifndef CREDENCE_CLI_PUBLIC_GRAPHS_H
#define CREDENCE_CLI_PUBLIC_GRAPHS_H

#include "credence.h"

typedef struct crd_public_graph {
    const char *name;              /* "photos" */
    const char *title;             /* "Photos": its name in the paper's tables */
    const char *const *files;      /* what the file or folder may be called in a data folder, a download's name
                                    * first; NULL ends the list */
    const char *address;           /* where to download it; NULL: there is no single readable file */
    const char *blob;              /* git blob id of that file (SHA-1 of "blob <size>\0<content>"); NULL: unknown */
    const char *instead;           /* how to get it if there is no address; else NULL */
    const char *fingerprint;       /* of its content with the classes in the known order; NULL: unknown */
    const char *graph_fingerprint; /* of its graph and labels alone; NULL: unknown */
    const char *licence;           /* and origin, in one line */
    int64_t nodes;
    int32_t classes;
    int64_t left_out;           /* classes that the paper leaves out */
    const char *gpn;            /* preset: the plain GPN as the paper runs it on this graph */
    const char *published;      /* preset: the paper's choice; NULL: none */
    const char *best;           /* preset: what tuning chose to detect unseen classes; NULL: none */
    const char *errors;         /* preset: what tuning chose to detect wrong answers; NULL: none */
    const char *split;          /* the split of the paper's experiments: "5/15/80" or "auto" (the data's own) */
    const int64_t *class_sizes; /* sizes in the known order, if files disagree about it; else NULL */
} crd_public_graph;

int crd_public_graph_count(void);
/* NULL if there is no such index, name or content. */
const crd_public_graph *crd_public_graph_at(int index);
const crd_public_graph *crd_public_graph_find(const char *name);
const crd_public_graph *crd_public_graph_of(const char *fingerprint);
/* For a dataset opened by a graph's name: fails if its numbers of nodes or classes differ, and puts the classes
 * into the known order. */
CRD_MUST_CHECK crd_status crd_public_graph_prepare(const crd_public_graph *graph, crd_dataset *dataset,
                                                   crd_error *error);

#endif
