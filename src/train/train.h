/* What the parts of training have in common. */
#ifndef CRD_TRAIN_TRAIN_H
#define CRD_TRAIN_TRAIN_H

#include "models/feature_product.h"
#include "models/model.h"

/* Whether a configuration can be trained on a dataset and a split: one clear sentence if not. */
crd_status crd_train_check(const crd_dataset *dataset, const crd_split *split, const crd_config *config,
                           crd_error *error);

/* crd_train for a configuration with `inductive`, on a graph from which the nodes of left-out classes are missing: the
 * model is one of the whole dataset, with its split and fingerprint, but has never seen those nodes, neither their
 * features nor their edges. */
crd_status crd_train_inductive(const crd_dataset *dataset, const crd_split *split, const crd_config *config,
                               const crd_train_options *options, crd_model **model, crd_error *error);

#endif
