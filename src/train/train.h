/* SPDX-License-Identifier: MIT */
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

/* What crd_train is asked for, besides the configuration. `report` is called after every epoch; false: stop. */
typedef struct crd_lesson {
    const crd_model *init; /* or NULL */
    bool (*report)(const crd_epoch *epoch, void *user);
    void *user;
    struct crd_checkpoint *checkpoint; /* or NULL */
} crd_lesson;

typedef struct crd_training {
    const crd_dataset *dataset;
    const crd_lesson *lesson;
    crd_model *model;
    crd_reordered order;            /* the graph, to train on: a node's row is order.place[node] */
    crd_graph graph;                /* the arrays of that order */
    crd_prepared features;          /* in that order */
    crd_labelled train, validation; /* for a trained kind, the nodes are rows in that order */
    crd_plan lists;                 /* of the labelled nodes */
    double *validation_weight;      /* by class, for a network of a committee; else NULL */
    bool unchecked;                 /* there are validation nodes, but none of a known class */
    bool borrows;                   /* order, graph, features and team belong to another training */
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

/* A model without parameters, with the names, counts and split that files keep. */
crd_status crd_training_prepare(crd_training *training, const crd_split *split, const crd_config *config,
                                crd_error *error);
/* Makes the model and, for a kind that is trained, everything that its epochs need; `dataset` and `lesson` are set.
 * The caller closes it even if it failed, and owns the model. */
crd_status crd_training_open(crd_training *training, const crd_split *split, const crd_config *config,
                             crd_error *error);
void crd_training_close(crd_training *training);

/* For a committee: the order, features and threads that its networks share. */
crd_status crd_training_share(crd_training *shared, crd_error *error);
/* Opens the training of one of its networks. `label` has a class for every node, the last one for unlabelled nodes.
 * Of these, `held_out` says which ones validate: it has their class if that is known, CRD_AS_UNLABELLED if it is not,
 * and CRD_NOT_ASKED for nodes that do not validate. */
enum { CRD_AS_UNLABELLED = -1, CRD_NOT_ASKED = -2 };
crd_status crd_training_open_member(crd_training *training, const crd_training *shared, const int32_t *label,
                                    const int32_t *held_out, crd_error *error);
/* After the epochs: if somebody asked to stop, the rest of training goes on with what there is, unless everything is to
 * end at once. Fails if there is no model to keep. */
crd_status crd_training_stopped(const crd_model *model, crd_error *error);
/* Trains it until it stops; the best parameters are kept. */
crd_status crd_training_run(crd_training *training, crd_error *error);
/* What a committee allocates besides the training of one of its networks, `network`, which has no parameters yet. */
int64_t crd_committee_bytes(const crd_model *network, int64_t nodes, int64_t labelled);
/* crd_train for a committee. */
crd_status crd_train_committee(const crd_dataset *dataset, const crd_split *split, const crd_config *config,
                               const crd_lesson *lesson, crd_model **model, crd_error *error);

/* ---- the head of the score epn ---- */

typedef struct crd_head {
    int64_t nodes;
    int32_t classes;
    const float *logits;   /* [nodes][classes] */
    const int32_t *labels; /* the class of a training node, -1 elsewhere */
    int64_t count;         /* training nodes */
    crd_team *team;
} crd_head;

/* The loss, followed by its gradient: 1 + crd_head_size numbers at the beginning of `room`, which holds crd_head_room
 * numbers. */
int64_t crd_head_room(int64_t nodes, int32_t classes, const crd_team *team);
const double *crd_head_loss(const crd_head *head, const double *parameters, double *room);
/* Fits the last two parameters of a trained model; the memory that this takes. */
crd_status crd_head_fit(crd_training *training, crd_error *error);
crd_status crd_head_bytes(const crd_training *training, int64_t *bytes, crd_error *error);

/* Gives a model the split as training uses it: left-out nodes neither teach nor validate, and hold-out's share of the
 * validation nodes becomes calibration nodes, if the split has none. */
crd_status crd_training_split(crd_model *model, const crd_dataset *dataset, const crd_split *split, crd_error *error);

/* What a committee says about nodes whose labels the speaking network has not seen. */
typedef struct crd_out_of_fold {
    int64_t count;
    const int64_t *node;
    const float *logits; /* [count][classes] */
} crd_out_of_fold;

/* After training: calibrates the model's probabilities (see promise.c for the nodes that this takes), and
 * keeps what promises need of its calibration nodes. */
crd_status crd_training_promise(crd_model *model, const crd_dataset *dataset, const crd_out_of_fold *said,
                                crd_error *error);
/* The second part alone, from answers on this graph. */
crd_status crd_training_record(crd_model *model, const crd_dataset *dataset, crd_error *error);

#endif
