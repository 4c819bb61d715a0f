/* SPDX-License-Identifier: MIT */
/* A dataset and what was added to it: nodes with features, and edges. */
#ifndef CRD_ANSWERS_GROWN_H
#define CRD_ANSWERS_GROWN_H

#include "answers/answers.h"
#include "graph/growing.h"

typedef struct crd_grown {
    const crd_dataset *dataset;
    crd_growing graph;
    crd_features added; /* of the new nodes; stored like those of the dataset */
    int64_t start_room, column_room, value_room, dense_room;
    bool changed; /* something was added */
} crd_grown;

/* The dataset must outlive it. A failed open leaves nothing to close. */
crd_status crd_grown_open(const crd_dataset *dataset, crd_grown *grown, crd_error *error);
void crd_grown_close(crd_grown *grown);
/* Appends the features of new nodes, stored as in `added`; the nodes themselves are added to the graph by the caller.
 * A failure changes nothing. */
crd_status crd_grown_add_features(crd_grown *grown, const crd_features *rows, crd_error *error);

/* Some nodes of it, ascending, or all of them (NULL), with the edges between them, as a dataset of its own. Its
 * `degree` is that in the whole. */
typedef struct crd_grown_part {
    crd_dataset *dataset;
    int32_t *degree;
} crd_grown_part;

crd_status crd_grown_take(const crd_grown *grown, const int32_t *nodes, int64_t count, crd_grown_part *part,
                          crd_error *error);
void crd_grown_part_free(crd_grown_part *part);

/* The answers for some nodes, each of which exists. It looks at the nodes around them if that is all that the model
 * does, else at the whole. */
crd_status crd_grown_predict(const crd_model *model, const crd_grown *grown, const int64_t *nodes, int64_t count,
                             int threads, crd_prediction **prediction, crd_error *error);
/* Fails if one of the nodes does not exist, or if there is none. */
crd_status crd_check_nodes(const int64_t *nodes, int64_t count, int64_t all, crd_error *error);
/* Whether the answer for a node does not depend on how others are answered: the epistemic score is the kind's own, and
 * calibration looks at no neighbours. */
bool crd_answers_alone(const crd_model *model);

#endif
