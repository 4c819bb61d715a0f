/* A model at work on a dataset, for answers that need its evidence as it is. */
#ifndef CRD_ANSWERS_INFER_H
#define CRD_ANSWERS_INFER_H

#include "models/model.h"

/* Evidence (alpha - 1) after and before the graph, nodes x classes each; features are prepared as in
 * training. The model must fit (crd_model_fits). */
crd_status crd_infer(const crd_model *model, const crd_dataset *dataset, int threads, float *evidence,
                     float *evidence_features, crd_error *error);

#endif
