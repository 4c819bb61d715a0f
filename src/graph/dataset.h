/* SPDX-License-Identifier: MIT */
/* The dataset: the checked content of a file, and the graph that models see. */
#ifndef CRD_GRAPH_DATASET_H
#define CRD_GRAPH_DATASET_H

#include "graph/features.h"
#include "graph/graph.h"
#include "graph/names.h"

/* Sentences about something unusual. */
typedef struct crd_notes {
    char **text;
    int count;
} crd_notes;

crd_status crd_note(crd_notes *notes, crd_error *error, const char *format, ...) __attribute__((format(printf, 3, 4)));
void crd_notes_free(crd_notes *notes);

struct crd_dataset {
    crd_graph input; /* as given: perhaps directed, self-loops kept */
    crd_graph graph; /* symmetric, no self-loops; shares the arrays of `input` if that already is */
    bool graph_is_input;
    bool directed; /* some entries of the input have their reverse, others do not */
    int64_t self_loops;
    int64_t duplicates;
    const int32_t *degree; /* if `graph` is a part of a larger one: every node's neighbours in that; else NULL. Belongs
                              to others. */
    crd_features features; /* 0 columns if there are none */
    char **feature_names;  /* one per column; NULL if the input had none */
    int32_t *labels;       /* one per node, -1: unknown */
    int32_t classes;
    char **class_names; /* one per class; made from the numbers if the input had none */
    bool class_names_given;
    char **node_names;          /* NULL if the input had none */
    bool names_are_ids;         /* the input refers to nodes by these names, not by numbers */
    bool names_are_numbers;     /* all of them look like numbers */
    crd_name_index *node_index; /* of node_names; NULL if there are none */
    int splits;                 /* splits that came with the data */
    uint8_t *split_roles;       /* splits x nodes, crd_role */
    crd_notes notes;
    char fingerprint[17];
    char graph_fingerprint[17];  /* without the features */
    void (*release)(void *user); /* ends the loan of borrowed arrays; NULL: there is none */
    void *release_user;
};

/* Whether the names are just the numbers 0, 1, 2, ... */
bool crd_are_numbers(char *const *names, int64_t count);
/* Fills the fingerprints from the graph, the features and the labels. */
void crd_dataset_take_fingerprint(crd_dataset *dataset);
/* The dataset with only the kept nodes (one byte per node) and the edges between them, renumbered in their order. It
 * is for models: it has the graph, features, labels and classes, but no node names, notes or splits. Its fingerprint
 * is that of the whole dataset. */
crd_status crd_dataset_subset(const crd_dataset *dataset, const uint8_t *keep, crd_dataset **subset, crd_error *error);
/* Writes a folder of text: CSV, Matrix Market or OGB's. `classes`: with a list of the classes. */
crd_status crd_save_text(const crd_dataset *dataset, const char *path, crd_format format, bool classes,
                         crd_error *error);

#endif
