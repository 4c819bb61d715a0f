#include "graph/order_classes.h"

#include <stdlib.h>
#include <string.h>

#include "credence_private.h"
#include "graph/ids.h"

/* (*place)[c] is where class c goes; fails unless every class is in `order` once. */
static crd_status invert(const int32_t *order, int32_t classes, int32_t **place, crd_error *error)
{
    crd_status status = CRD_NEW(place, classes, error);
    if (status != CRD_OK) return status;
    for (int32_t c = 0; c < classes; c++) (*place)[c] = -1;
    for (int32_t i = 0; i < classes; i++) {
        if (order[i] < 0 || order[i] >= classes)
            return crd_fail(error, CRD_ERROR_ARGUMENT,
                            "the order of the classes: place %d has class %d, expected 0 to %d", (int)i,
                            (int)order[i], (int)classes - 1);
        if ((*place)[order[i]] >= 0)
            return crd_fail(error, CRD_ERROR_ARGUMENT,
                            "the order of the classes: class %d is at places %d and %d, expected once",
                            (int)order[i], (int)(*place)[order[i]], (int)i);
        (*place)[order[i]] = i;
    }
    return CRD_OK;
}

/* As crd_dataset_finish decides it: names that are the numbers themselves were not given. */
static bool names_were_given(const crd_dataset *dataset)
{
    for (int32_t c = 0; c < dataset->classes; c++) {
        int64_t number;
        if (!crd_id_number(dataset->class_names[c], &number) || number != c) return true;
    }
    return false;
}

crd_status crd_order_classes(crd_dataset *dataset, const int32_t *order, bool names_follow, crd_error *error)
{
    const int32_t classes = dataset->classes;
    int32_t *place = NULL;
    char **names = NULL;
    /* All that can fail comes first, so that a failure leaves everything as it was. */
    crd_status status = invert(order, classes, &place, error);
    if (status == CRD_OK) status = CRD_NEW(&names, classes, error);
    if (status == CRD_OK) {
        for (int64_t i = 0; i < dataset->input.nodes; i++)
            if (dataset->labels[i] >= 0) dataset->labels[i] = place[dataset->labels[i]];
        for (int32_t c = 0; c < classes && names_follow; c++) names[c] = dataset->class_names[order[c]];
        if (classes > 0 && names_follow)
            memcpy(dataset->class_names, names, (size_t)classes * sizeof *names);
        dataset->class_names_given = names_were_given(dataset);
        crd_dataset_take_fingerprint(dataset);
    }
    free(place);
    free(names);
    return status;
}

crd_status crd_dataset_order_classes(crd_dataset *dataset, const int32_t *order, crd_error *error)
{
    return crd_order_classes(dataset, order, true, error);
}
