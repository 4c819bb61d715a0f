/* SPDX-License-Identifier: MIT */
/* Node features, sparse (compressed rows) or dense. Opening chooses one by the number of zeros, not by how the file
 * stores them: models treat the two differently, and the same data must give the same model whatever the file. */
#ifndef CRD_GRAPH_FEATURES_H
#define CRD_GRAPH_FEATURES_H

#include "base/memory.h"

typedef struct crd_features {
    int64_t rows, columns;
    bool sparse;
    int64_t *start;  /* sparse: rows + 1 */
    int32_t *column; /* ascending in each row, no repetition */
    float *value;    /* never 0 */
    float *dense;    /* dense: rows x columns */
    /* Such an array is a caller's: it is neither written nor freed. */
    bool start_borrowed, column_borrowed, value_borrowed, dense_borrowed;
} crd_features;

void crd_features_free(crd_features *features);
/* Copies what is borrowed. After a failure the features are still good. */
crd_status crd_features_own(crd_features *features, crd_error *error);
/* Sparse features with room for `entries` entries; every start is 0. A failure leaves nothing to free. */
crd_status crd_features_new_sparse(int64_t rows, int64_t columns, int64_t entries, crd_features *features,
                                   crd_error *error);
/* The rows order[0] .. order[count - 1], sparse or dense like the input. A failure leaves nothing to free. */
crd_status crd_features_take_rows(const crd_features *features, const int32_t *order, int64_t count,
                                  crd_features *taken, crd_error *error);
/* Column j becomes what column order[j] was, or zeros if that is -1. `order` has each column at most once. A failure
 * changes nothing. */
crd_status crd_features_take_columns(crd_features *features, const int32_t *order, int64_t columns, crd_error *error);
/* The transpose of sparse features, by rows (that is, by columns of the original). */
crd_status crd_features_transpose(const crd_features *features, crd_features *transposed, crd_error *error);
int64_t crd_features_nonzero(const crd_features *features);
/* Sorts rows, adds up repetitions and drops zeros, in place; borrowed arrays that are not right already are copied
 * first. `name` is for messages: NaN, infinity and columns out of
 * range are format errors that name the row. The starts must be good. */
crd_status crd_features_tidy(crd_features *features, const char *name, crd_error *error);
/* Makes them sparse, or dense. A failure changes nothing. */
crd_status crd_features_store(crd_features *features, bool sparse, crd_error *error);
/* Sparse if fewer than half of the values are non-zero, else dense. */
bool crd_features_are_sparse(int64_t nonzero, int64_t cells);
crd_status crd_features_choose_storage(crd_features *features, crd_error *error);

#endif
