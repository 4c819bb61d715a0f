/* Models that are not trained: they keep their training nodes and use the graph around them. */
#ifndef CRD_MODELS_REMEMBER_H
#define CRD_MODELS_REMEMBER_H

#include "models/model.h"

/* Longer paths do not count in gkde. */
enum { CRD_GKDE_HOPS = 10 };

/* Copies the training nodes, ascending, and their classes into the model. */
crd_status crd_remember(crd_model *model, const int64_t *nodes, const int32_t *classes, int64_t count,
                        crd_error *error);

/* The same as the tensor train.labels of a model file: the class of every training node of split.roles, -1 if it is
 * unknown. The caller frees it. */
crd_status crd_remembered_labels(const crd_model *model, float **labels, int64_t *count, crd_error *error);
/* Reads it, once the model has its split and class counts. */
crd_status crd_remembered_read(crd_model *model, const crd_tensors *tensors, crd_error *error);

/* What the kinds have in common: no parameters, no features, the classes from prior.counts. */
crd_status crd_remember_declare(crd_model *model, crd_error *error);
crd_status crd_remember_recognise(crd_model *model, const crd_tensors *tensors, crd_error *error);
void crd_remember_initialise(crd_model *model, uint64_t seed);

/* `value` at the class of every remembered node, 0 elsewhere; rows are `stride` floats apart. */
void crd_remembered_fill(const crd_model *model, int64_t nodes, int64_t stride, float value, float *rows);
/* Rounds evidence as if 1 + evidence had been stored in a float. */
void crd_remembered_round(int64_t count, float *evidence);

#endif
