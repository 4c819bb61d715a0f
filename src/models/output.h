/* From a model's output for a node, evidence or logits, to probabilities. */
#ifndef CRD_MODELS_OUTPUT_H
#define CRD_MODELS_OUTPUT_H

#include "models/model.h"

/* -log p of a class. */
double crd_output_surprise(crd_output output, const float *row, int32_t classes, int32_t class_index);
/* p of every class; it may be the row itself. */
void crd_output_probability(crd_output output, const float *row, int32_t classes, float *probability);

#endif
