/* Building crd_triplets entry by entry. */
#ifndef CRD_IO_TRIPLETS_H
#define CRD_IO_TRIPLETS_H

#include "io/text_formats.h"

/* How much the arrays hold; zero-initialise. */
typedef struct crd_triplet_room {
    int64_t row, column, value;
} crd_triplet_room;

/* Adds an entry; without a value (all entries or none) it stands for a 1. */
crd_status crd_triplets_add(crd_triplets *triplets, crd_triplet_room *room, int64_t row, int64_t column,
                            const float *value, crd_error *error);
/* Gives back what was allocated too much. */
void crd_triplets_shrink(crd_triplets *triplets);

#endif
