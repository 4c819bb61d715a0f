/* The dataset: what a file says, checked, and the graph that models see. */
#ifndef CRD_GRAPH_DATASET_H
#define CRD_GRAPH_DATASET_H

#include "graph/features.h"
#include "graph/graph.h"
#include "graph/name_index.h"

struct crd_dataset {
    crd_graph input;        /* as given: perhaps directed, self-loops kept */
    crd_graph graph;        /* symmetric, no self-loops; shares the arrays of `input` if that is so already */
    bool graph_is_input;
    bool directed;
    int64_t self_loops;
    int64_t duplicates;
    crd_features features;  /* 0 columns if there are none */
    int32_t *labels;        /* one a node, -1: unknown */
    int32_t classes;
    char **class_names;     /* one a class; made from the numbers where the input had none */
    bool class_names_given;
    char **node_names;      /* NULL if the input had none */
    bool names_are_ids;     /* the input speaks of nodes by these names, not by numbers */
    bool names_are_numbers; /* all of them look like numbers */
    crd_name_index *node_index; /* of node_names; made by crd_dataset_finish */
    int splits;             /* splits that came with the data */
    uint8_t *split_roles;   /* splits x nodes, crd_role */
    char **notes;
    int note_count;
    char fingerprint[17];
    char graph_fingerprint[17]; /* without the features */
};

/* A dataset under construction: fill input, features, labels, names; then finish. */
crd_status crd_dataset_new(crd_dataset **dataset, crd_error *error);
/* One sentence about something unusual. */
crd_status crd_dataset_add_note(crd_dataset *dataset, crd_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Checks that everything fits together, counts, builds `graph`, names and fingerprint. `name` is the
 * input's, for messages. Missing labels become -1 everywhere. */
crd_status crd_dataset_finish(crd_dataset *dataset, const char *name, crd_error *error);
/* For crd_dataset_finish: fills `fingerprint` from the graph, the features and the labels. */
void crd_dataset_take_fingerprint(crd_dataset *dataset);

#endif
