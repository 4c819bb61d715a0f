/* SPDX-License-Identifier: MIT */
/* A training that may be killed: what it has learnt so far is in a file, from which it goes on.
 *
 * A training has stages: the teacher of a gkde-gcn and then its pupil, or one network of a committee after the other.
 * A stage that is done is kept by its weights, the present one by its weights, the best ones, Adam's moments and a few
 * numbers. Everything else is computed again, and comes out the same. */
#ifndef CRD_TRAIN_CHECKPOINT_H
#define CRD_TRAIN_CHECKPOINT_H

#include "train/train.h"

typedef struct crd_checkpoint crd_checkpoint;

/* How far a stage was. */
typedef struct crd_stage {
    bool done;
    int64_t warmup_epochs, epochs;
} crd_stage;

/* Opens the file if it is there, and checks that it belongs to this training. `seconds` as in crd_train_options. */
crd_status crd_checkpoint_open(const char *path, double seconds, const crd_dataset *dataset, const crd_split *split,
                               const crd_config *config, const crd_model *init, crd_checkpoint **checkpoint,
                               crd_error *error);
void crd_checkpoint_close(crd_checkpoint **checkpoint);

/* For all of the following, NULL is a training without a checkpoint. */

/* The epochs of all stages are listed in `history`, which is open. Takes over those that were done. */
crd_status crd_checkpoint_list(crd_checkpoint *checkpoint, crd_history *history, crd_error *error);
/* Begins the next stage: puts what was learnt in it before into the training. */
crd_status crd_checkpoint_begin(crd_checkpoint *checkpoint, crd_training *training, crd_stage *stage, crd_error *error);
/* After an epoch: writes the file if it is time to, or if `now`. */
crd_status crd_checkpoint_write(crd_checkpoint *checkpoint, const crd_training *training, const crd_stage *stage,
                                bool now, crd_error *error);
/* The stage is done, with the weights that the model has. */
crd_status crd_checkpoint_end(crd_checkpoint *checkpoint, const crd_training *training, crd_error *error);

#endif
