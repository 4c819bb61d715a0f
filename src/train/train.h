/* What the parts of training have in common. */
#ifndef CRD_TRAIN_TRAIN_H
#define CRD_TRAIN_TRAIN_H

#include "graph/reorder.h"
#include "models/model.h"

typedef struct crd_labelled {
    int64_t *nodes;
    int32_t *labels;
    int64_t count;
} crd_labelled;

typedef struct crd_training {
    const crd_dataset *dataset;
    const crd_train_options *options;
    crd_model *model;
    crd_reordered order;            /* the graph, to train on: a node's row is order.place[node] */
    crd_graph graph;                /* the arrays of that order */
    crd_prepared features;          /* in that order */
    crd_labelled train, validation; /* for a trained kind, the nodes are rows in that order */
    crd_plan lists;                 /* of the labelled nodes */
    crd_team *team;
    crd_run *run;
    float *output;                                                  /* [validation nodes][classes] */
    float *gradient[CRD_MAX_PARAMETERS], *best[CRD_MAX_PARAMETERS]; /* of each parameter */
    float *moment[CRD_MAX_PARAMETERS], *square[CRD_MAX_PARAMETERS]; /* Adam's */
    int64_t steps;                                                  /* of Adam */
    int64_t drawn; /* epochs so far, warm-up included: the dropout's coordinate */
} crd_training;

/* Checks that a configuration can be trained on a dataset and a split; fails with one clear sentence. */
crd_status crd_train_check(const crd_dataset *dataset, const crd_split *split, const crd_config *config,
                           crd_error *error);

/* Makes the model and, for a kind that is trained, everything that its epochs need; `dataset` and `options` are set.
 * The caller closes it even if it failed, and owns the model. */
crd_status crd_training_open(crd_training *training, const crd_split *split, const crd_config *config,
                             crd_error *error);
void crd_training_close(crd_training *training);

/* Gives a model the split as training uses it: left-out nodes neither teach nor validate, and hold-out's share of the
 * validation nodes becomes calibration nodes. */
crd_status crd_training_split(crd_model *model, const crd_dataset *dataset, const crd_split *split, crd_error *error);

/* After training: calibrates the model's probabilities on its validation nodes, and keeps what promises need of its
 * calibration nodes. */
crd_status crd_training_promise(crd_model *model, const crd_dataset *dataset, crd_error *error);

#endif
