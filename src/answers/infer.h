/* A model at work on a dataset, for answers that need its output as it is. */
#ifndef CRD_ANSWERS_INFER_H
#define CRD_ANSWERS_INFER_H

#include "models/model.h"

/* The model's output, nodes x classes, and where they are not NULL the evidence before the graph of a kind that
 * weighs it and the latent positions of a kind that has them; features are prepared as in training. The model must fit (crd_model_fits).
 * `numbers` are the nodes' numbers in messages; NULL: those they have. */
crd_status crd_infer(const crd_model *model, const crd_dataset *dataset, const int32_t *numbers, int threads,
                     float *output, float *before_graph, float *latent, crd_error *error);

#endif
