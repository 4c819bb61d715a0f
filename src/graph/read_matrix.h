/* SPDX-License-Identifier: MIT */
/* Sparse matrices in archives: compressed rows under the names of public graphs, and what scipy.sparse.save_npz
 * writes. */
#ifndef CRD_GRAPH_READ_MATRIX_H
#define CRD_GRAPH_READ_MATRIX_H

#include "graph/raw.h"

enum { CRD_ARRAY_NAME = 32 };

/* The name PREFIXSUFFIX. */
const char *crd_array_name(char name[CRD_ARRAY_NAME], const char *prefix, const char *suffix);
/* Whether the items are numbers, not text or pickled objects. */
bool crd_array_has_numbers(const crd_npy *npy);
/* Fails because an array is not as expected. */
crd_status crd_refuse_array(const crd_source *source, const crd_npy *npy, const char *expected, crd_error *error);

/* The arrays PREFIXindptr, PREFIXindices, PREFIXdata and PREFIXshape. Without data, m->value stays NULL: all entries
 * are
 * 1. A square matrix is a graph, another has features. */
crd_status crd_read_compressed(crd_archive *archive, const char *prefix, bool square, crd_raw *raw, crd_features *m,
                               crd_error *error);

/* SciPy's arrays: format, shape, data, and indices with indptr, or row with col. */
bool crd_is_scipy(const crd_archive *archive);
bool crd_is_scipy_array(const char *name);
crd_status crd_read_scipy(crd_archive *archive, bool square, crd_raw *raw, crd_features *m, crd_error *error);

#endif
