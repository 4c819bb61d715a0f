/* SPDX-License-Identifier: MIT */
/* What a program adds to a graph that is served: checked, and its features as they are stored. */
#ifndef CRD_ANSWERS_ADDITION_H
#define CRD_ANSWERS_ADDITION_H

#include "graph/features.h"

/* For a graph of so many nodes with such features. The caller frees *rows. A failure leaves nothing to free. */
crd_status crd_addition_take(const crd_addition *given, int64_t nodes, const crd_features *like, crd_addition *complete,
                             crd_features *rows, crd_error *error);

/* The new nodes one by one, each with its own edges. */
typedef struct crd_ones {
    int64_t first;  /* the number that each of them gets */
    int64_t *start; /* [nodes + 1]: where the edges of each begin */
    int64_t *old;   /* [edges]: their other ends */
    int64_t *same;  /* [edges]: `first` */
} crd_ones;

/* Fails if an edge joins two new nodes or two old ones. A failed open leaves nothing to close. */
crd_status crd_ones_open(const crd_addition *addition, int64_t nodes, crd_ones *ones, crd_error *error);
void crd_ones_close(crd_ones *ones);
/* One of them as an addition without features. */
crd_addition crd_ones_at(const crd_ones *ones, int64_t index);
/* Its features: a part of those of all, which must outlive it, as must `start`, which it fills. */
crd_features crd_ones_row(const crd_features *rows, int64_t index, int64_t start[2]);

#endif
