/* Training on a graph from which the nodes of left-out classes are missing. */
#ifndef CRD_TRAIN_INDUCTIVE_H
#define CRD_TRAIN_INDUCTIVE_H

#include "credence_private.h"

/* crd_train for a configuration with `inductive`: the model is one of the whole dataset, with its split and
 * fingerprint, but has never seen those nodes, neither their features nor their edges. */
crd_status crd_train_inductive(const crd_dataset *dataset, const crd_split *split, const crd_config *config,
                               const crd_train_options *options, crd_model **model, crd_error *error);

#endif
