/* What a file is, from its first bytes. Everything that looks at first bytes is here: what we read, and what
 * we do not read but know. */
#ifndef CRD_IO_SNIFF_H
#define CRD_IO_SNIFF_H

#include "io/source.h"

bool crd_is_gzip(const uint8_t *bytes, size_t count);
bool crd_is_npy(const uint8_t *bytes, size_t count);
bool crd_is_zip(const uint8_t *bytes, size_t count);
bool crd_is_mtx(const uint8_t *bytes, size_t count);
bool crd_is_svm(const uint8_t *bytes, size_t count);
bool crd_is_safetensors(const uint8_t *bytes, size_t count);

/* A format error that says what the source is and how to convert it, if it starts like one of the formats that
 * people keep graphs in and that we do not read: pickles, parquet, HDF5, MATLAB, PyTorch, GraphML, ... */
crd_status crd_refuse_foreign(crd_source *source, crd_error *error);

/* How to convert an adjacency list, for a message about one that shows itself only later. */
#define CRD_ADJACENCY_LIST                                                                                             \
    "an adjacency list (a node and its neighbours on each line), not an edge list; convert it with Python: "           \
    "networkx.write_edgelist(networkx.read_adjlist(FILE), \"edges.txt\", data=False)"

#endif
