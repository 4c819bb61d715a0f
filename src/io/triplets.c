#include "io/triplets.h"

#include <stdlib.h>

void crd_triplets_free(crd_triplets *triplets)
{
    free(triplets->row);
    free(triplets->column);
    free(triplets->value);
    free(triplets->target);
    *triplets = (crd_triplets){0};
}

crd_status crd_triplets_add(crd_triplets *triplets, crd_triplet_room *room, int64_t row, int64_t column,
                            const float *value, crd_error *error)
{
    int64_t at = triplets->count;
    crd_status status = CRD_GROW(&triplets->row, &room->row, at + 1, error);
    if (status == CRD_OK) status = CRD_GROW(&triplets->column, &room->column, at + 1, error);
    if (status == CRD_OK && value != NULL) status = CRD_GROW(&triplets->value, &room->value, at + 1, error);
    if (status != CRD_OK) return status;
    triplets->row[at] = (int32_t)row;
    triplets->column[at] = (int32_t)column;
    if (value != NULL) triplets->value[at] = *value;
    triplets->count++;
    return CRD_OK;
}

void crd_triplets_shrink(crd_triplets *triplets)
{
    CRD_SHRINK(&triplets->row, triplets->count);
    CRD_SHRINK(&triplets->column, triplets->count);
    CRD_SHRINK(&triplets->value, triplets->count);
    CRD_SHRINK(&triplets->target, triplets->rows);
}
