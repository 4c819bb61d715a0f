/* What a file is, from its first bytes. All checks of first bytes are here: for formats that we read, and for formats
 * that we only recognise. */
#ifndef CRD_IO_SNIFF_H
#define CRD_IO_SNIFF_H

#include "io/source.h"

bool crd_is_gzip(const uint8_t *bytes, size_t count);
bool crd_is_npy(const uint8_t *bytes, size_t count);
bool crd_is_zip(const uint8_t *bytes, size_t count);
bool crd_is_mtx(const uint8_t *bytes, size_t count);
bool crd_is_svm(const uint8_t *bytes, size_t count);
bool crd_is_safetensors(const uint8_t *bytes, size_t count);

/* Fails if the source starts like a common format for graphs that we do not read; the format error says what it is
 * and how to convert it: pickles, parquet, HDF5, MATLAB, PyTorch, GraphML, ... */
crd_status crd_refuse_foreign(crd_source *source, crd_error *error);

/* How to convert an adjacency list, for a message if we recognise one only later. */
#define CRD_ADJACENCY_LIST                                                                                             \
    "an adjacency list (a node and its neighbours on each line), not an edge list; convert it with Python: "           \
    "networkx.write_edgelist(networkx.read_adjlist(FILE), \"edges.txt\", data=False)"

#endif
