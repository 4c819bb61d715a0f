/* What the parts of training have in common. */
#ifndef CRD_TRAIN_TRAIN_H
#define CRD_TRAIN_TRAIN_H

#include "models/feature_product.h"
#include "models/model.h"

/* Checks that a configuration can be trained on a dataset and a split; fails with one clear sentence. */
crd_status crd_train_check(const crd_dataset *dataset, const crd_split *split, const crd_config *config,
                           crd_error *error);

/* crd_train for a configuration with `inductive`, on the graph without the nodes of left-out classes. The model has
 * the split and fingerprint of the whole dataset, but has never seen those nodes, neither their features nor their
 * edges. */
crd_status crd_train_inductive(const crd_dataset *dataset, const crd_split *split, const crd_config *config,
                               const crd_train_options *options, crd_model **model, crd_error *error);

#endif
