/* A model at work on a dataset, for answers that need its output as it is. */
#ifndef CRD_ANSWERS_INFER_H
#define CRD_ANSWERS_INFER_H

#include "models/model.h"

/* The model's output, nodes x classes, and if before_graph is not NULL the evidence before the graph of a
 * kind that weighs it; features are prepared as in training. The model must fit (crd_model_fits). */
crd_status crd_infer(const crd_model *model, const crd_dataset *dataset, int threads, float *output,
                     float *before_graph, crd_error *error);

#endif
