/* SPDX-License-Identifier: MIT */
/* Where bytes come from: a file, standard input, memory, or a member of a zip archive. Gzip is recognised by its
 * first bytes and unpacked, whatever the file's name (but not in a custom source). */
#ifndef CRD_IO_SOURCE_H
#define CRD_IO_SOURCE_H

#include "base/status.h"

typedef struct crd_source crd_source;

/* A bomb is a few bytes that unpack to very many. Gzip that unpacks to more than CRD_BOMB_SIZE bytes, and an
 * archive whose arrays take more than CRD_BOMB_MEMORY bytes, are refused if that is more than CRD_BOMB_RATIO times
 * the packed bytes. Honest data stay below: numbers and text pack to a tenth, seldom to a hundredth. Only matrices
 * of hardly anything but zeros pack better, above all one-hot features: CRD_BOMB_MEMORY leaves room for a float32
 * identity of 8000 nodes. Gzip mostly holds text, which takes several times its bytes in memory; hence its lower
 * limit. If you have such a file, unpack it first. */
#define CRD_BOMB_SIZE (INT64_C(16) << 20)
#define CRD_BOMB_MEMORY (INT64_C(256) << 20)
#define CRD_BOMB_RATIO 200

/* "-" is standard input. */
crd_status crd_source_open(const char *path, crd_source **source, crd_error *error);
/* The bytes are not copied and must outlive the source. */
crd_status crd_source_memory(const void *bytes, size_t size, const char *name, crd_source **source, crd_error *error);

/* A source over any reader: read() fills up to `count` bytes; *got says how many, 0 at the end. close() may be NULL. If
 * this call fails, it has called close(). */
typedef struct crd_source_methods {
    crd_status (*read)(void *state, void *buffer, size_t count, size_t *got, const char *name, crd_error *error);
    void (*close)(void *state);
} crd_source_methods;
crd_status crd_source_custom(const crd_source_methods *methods, void *state, const char *name, crd_source **source,
                             crd_error *error);

/* For messages. */
const char *crd_source_name(const crd_source *source);
/* Whether the source unpacks gzip. */
bool crd_source_is_packed(const crd_source *source);

/* Reads until `count` bytes are there or the end is reached; *got says how many. */
crd_status crd_source_read(crd_source *source, void *buffer, size_t count, size_t *got, crd_error *error);
/* The same, but fewer bytes than asked for are a format error. */
crd_status crd_source_read_exactly(crd_source *source, void *buffer, size_t count, crd_error *error);
/* Looks at the next bytes without consuming them; at most 4096. */
crd_status crd_source_peek(crd_source *source, size_t count, const uint8_t **bytes, size_t *got, crd_error *error);
/* Reads all the rest into memory that the caller frees. */
crd_status crd_source_read_all(crd_source *source, uint8_t **bytes, size_t *size, crd_error *error);

/* The next line without its end ("\n" or "\r\n"), terminated, valid until the next call; *line is NULL at the end.
 * UTF-8's byte order mark before the first line is skipped. NUL bytes and carriage returns inside a line, and lines
 * longer than 1 GiB, are format errors. */
crd_status crd_source_line(crd_source *source, char **line, size_t *length, crd_error *error);
/* The number of the last returned line, from 1. */
int64_t crd_source_line_number(const crd_source *source);

void crd_source_free(crd_source **source);

/* ---- sniff.c: what a file is, from its first bytes ---- */

bool crd_is_gzip(const uint8_t *bytes, size_t count);
bool crd_is_npy(const uint8_t *bytes, size_t count);
bool crd_is_zip(const uint8_t *bytes, size_t count);
bool crd_is_mtx(const uint8_t *bytes, size_t count);
bool crd_is_svm(const uint8_t *bytes, size_t count);
bool crd_is_safetensors(const uint8_t *bytes, size_t count);
bool crd_is_json_object(const uint8_t *bytes, size_t count); /* begins with a brace */

/* Fails if the source starts like a common format for graphs that we do not read; the format error says what it is
 * and how to convert it: pickles, parquet, HDF5, MATLAB, PyTorch, GraphML, ... */
crd_status crd_refuse_foreign(crd_source *source, crd_error *error);

/* How to convert an adjacency list, for a message if we recognise one only later. */
#define CRD_ADJACENCY_LIST                                                                                             \
    "an adjacency list (a node and its neighbours on each line), not an edge list; convert it with Python: "           \
    "networkx.write_edgelist(networkx.read_adjlist(FILE), \"edges.txt\", data=False)"

#endif
