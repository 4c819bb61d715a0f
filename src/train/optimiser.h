/* Adam over a model's parameters. */
#ifndef CRD_TRAIN_OPTIMISER_H
#define CRD_TRAIN_OPTIMISER_H

#include "models/model.h"

typedef struct crd_optimiser {
    int64_t steps;
    float *gradient[CRD_MAX_PARAMETERS];
    float *moment[CRD_MAX_PARAMETERS];
    float *square[CRD_MAX_PARAMETERS];
} crd_optimiser;

/* Lists its arrays in a plan. */
void crd_optimiser_plan(crd_optimiser *optimiser, crd_plan *plan, const crd_model *model);
/* Forgets all moments: a fresh Adam. */
void crd_optimiser_reset(crd_optimiser *optimiser, const crd_model *model);
/* Moves the parameters along the gradients; in the warm-up only those that warm up, without decay. */
void crd_optimiser_step(crd_optimiser *optimiser, crd_model *model, bool warmup, const crd_run *run);

#endif
