/* SPDX-License-Identifier: MIT */
/* Arrays that a program holds, whose type is known only when the library runs. */
#ifndef CRD_GRAPH_TYPED_H
#define CRD_GRAPH_TYPED_H

#include "credence.h"

/* An item of an array of whole numbers. */
static inline int64_t crd_whole_at(const crd_numbers *array, int64_t i)
{
    return array->type == CRD_INT32 ? ((const int32_t *)array->data)[i] : ((const int64_t *)array->data)[i];
}

/* An item of any array. */
static inline double crd_number_at(const crd_numbers *array, int64_t i)
{
    switch (array->type) {
    case CRD_FLOAT32:
        return (double)((const float *)array->data)[i];
    case CRD_FLOAT64:
        return ((const double *)array->data)[i];
    default:
        return (double)crd_whole_at(array, i);
    }
}

#endif
