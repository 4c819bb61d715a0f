/* The classes of a dataset and those of a model: matched by name, whatever their numbers. */
#ifndef CRD_ANSWERS_CLASSES_H
#define CRD_ANSWERS_CLASSES_H

#include "base/memory.h"

/* What is known about a node beside its class in the model's numbering (0, 1, ...). */
enum {
    CRD_TRUTH_UNKNOWN = -1,       /* no label, or not looked at */
    CRD_TRUTH_OUT_OF_CLASSES = -2 /* labelled, but with none of the model's classes */
};

/* (*map)[c] for every class c of the dataset: its number among `names`, the first of equal ones, or
 * CRD_TRUTH_OUT_OF_CLASSES. The caller frees *map. */
crd_status crd_classes_match(const crd_dataset *dataset, const char *const *names, int32_t count, int32_t **map,
                             crd_error *error);
/* (*truth)[i] for every node of the dataset: its label in the numbering of `names`, or one of the above.
 * The caller frees *truth. */
crd_status crd_truth_make(const crd_dataset *dataset, const char *const *names, int32_t count,
                          int32_t **truth, crd_error *error);
/* The same for a model's classes. */
crd_status crd_truth_for_model(const crd_dataset *dataset, const crd_model *model, int32_t **truth,
                               crd_error *error);

#endif
