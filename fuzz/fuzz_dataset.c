/* SPDX-License-Identifier: MIT */
/* Datasets from memory. An input is opened as it is. Two other forms let mutations reach the data behind a zip
 * archive's checksums and the files beside a graph:
 *     "A" and pieces, each "NAME\n" and an .npy's bytes, ended by "\n\n--\n": the pieces become an archive;
 *     "T" and up to three pieces: edges, features, labels. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tests/support/zip_maker.h"
#include "graph/raw.h"

enum { MOST_PIECES = 16 };

static const char end_of_piece[] = "\n\n--\n";

typedef struct piece {
    const uint8_t *bytes;
    size_t size;
} piece;

static int cut(const uint8_t *data, size_t size, piece *pieces)
{
    int count = 0;
    size_t mark = strlen(end_of_piece), begin = 0;
    for (size_t i = 0; i + mark <= size && count < MOST_PIECES - 1; i++) {
        if (memcmp(data + i, end_of_piece, mark) != 0) continue;
        pieces[count++] = (piece){data + begin, i - begin};
        begin = i + mark;
        i = begin - 1;
    }
    pieces[count++] = (piece){data + begin, size - begin};
    return count;
}

/* Uses everything that a dataset provides. */
static void use(crd_dataset *dataset)
{
    char *json = NULL;
    crd_error error;
    if (crd_dataset_info_json(dataset, &json, &error) == CRD_OK && json == NULL) abort();
    crd_string_free(&json);
    for (int64_t i = 0; i < crd_dataset_nodes(dataset) && i < 50; i++) {
        const char *name = crd_dataset_node_name(dataset, i);
        /* A name that is also a number means the node with that number. */
        int64_t found = name == NULL ? i : crd_dataset_find_node(dataset, name);
        if (found != i && (found < 0 || strtoll(name, NULL, 10) != found)) abort();
        if (crd_dataset_label(dataset, i) >= crd_dataset_classes(dataset)) abort();
    }
    if (strlen(crd_dataset_fingerprint(dataset)) != 16) abort();
    crd_dataset_free(&dataset);
}

static void open_bytes(const uint8_t *data, size_t size)
{
    crd_dataset *dataset = NULL;
    crd_error error = {0};
    crd_status status = crd_dataset_open_memory(data, size, "fuzz", &dataset, &error);
    if ((status == CRD_OK) != (dataset != NULL) || (status != CRD_OK && error.message[0] == '\0')) abort();
    if (status == CRD_OK) use(dataset);
}

static void open_archive(const piece *pieces, int count)
{
    static char names[MOST_PIECES][48];
    zip_member members[MOST_PIECES] = {{0}};
    for (int i = 0; i < count; i++) {
        const uint8_t *line = pieces[i].size > 0 ? memchr(pieces[i].bytes, '\n', pieces[i].size) : NULL;
        size_t length = line == NULL ? pieces[i].size : (size_t)(line - pieces[i].bytes);
        size_t skip = line == NULL ? length : length + 1;
        snprintf(names[i], sizeof names[i], "%.*s.npy", length < 40 ? (int)length : 40, (const char *)pieces[i].bytes);
        members[i] = (zip_member){.name = names[i], .data = pieces[i].bytes + skip, .size = pieces[i].size - skip};
    }
    zip_bytes archive = zip_make(members, count);
    open_bytes(archive.bytes, archive.size);
    free(archive.bytes);
}

static void open_texts(const piece *pieces, int count)
{
    crd_raw raw;
    crd_dataset *dataset = NULL;
    crd_error error = {0};
    crd_status status = CRD_OK;
    crd_raw_start(&raw, "fuzz");
    for (int i = 0; i < count && i < 3 && status == CRD_OK; i++) {
        crd_source *source;
        status = crd_source_memory(pieces[i].bytes, pieces[i].size, "piece", &source, &error);
        if (status != CRD_OK) break;
        static const crd_part parts[] = {CRD_PART_EDGES, CRD_PART_FEATURES, CRD_PART_LABELS};
        if (i != 1 || pieces[i].size > 0) status = crd_read_source(source, parts[i], &raw, &error);
        crd_source_free(&source);
    }
    if (status == CRD_OK) status = crd_finish(&raw, &dataset, &error);
    if (status == CRD_OK) use(dataset);
    else if (error.message[0] == '\0') abort();
    crd_raw_free(&raw);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    piece pieces[MOST_PIECES];
    if (size > 1 && data[0] == 'A') open_archive(pieces, cut(data + 1, size - 1, pieces));
    else if (size > 1 && data[0] == 'T') open_texts(pieces, cut(data + 1, size - 1, pieces));
    else open_bytes(data, size);
    return 0;
}

static void add_piece(zip_bytes *to, const char *name, const char *type, const char *shape, const void *items,
                      size_t size)
{
    char dictionary[128];
    snprintf(dictionary, sizeof dictionary, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }\n", type, shape);
    zip_bytes npy = npy_make(dictionary, items, size);
    if (to->size > 1) zip_add(to, end_of_piece, strlen(end_of_piece));
    zip_add(to, name, strlen(name));
    zip_add(to, "\n", 1);
    zip_add(to, npy.bytes, npy.size);
    free(npy.bytes);
}

static void add_archives(void (*add)(const uint8_t *data, size_t size))
{
    static const int32_t start[] = {0, 2, 3, 3}, column[] = {2, 1, 0}, shape[] = {3, 3}, labels[] = {0, 1, -1};
    static const float value[] = {1, 0.5f, 0};
    static const int64_t pairs[] = {0, 1, 2, 1, 2, 0};
    zip_bytes seed = {NULL, 0, 0};
    zip_add(&seed, "A", 1);
    add_piece(&seed, "adj_data", "<f4", "3,", value, sizeof value);
    add_piece(&seed, "adj_indices", "<i4", "3,", column, sizeof column);
    add_piece(&seed, "adj_indptr", "<i4", "4,", start, sizeof start);
    add_piece(&seed, "adj_shape", "<i4", "2,", shape, sizeof shape);
    add_piece(&seed, "attr_indices", "<i4", "3,", column, sizeof column);
    add_piece(&seed, "attr_indptr", "<i4", "4,", start, sizeof start);
    add_piece(&seed, "labels", "<i4", "3,", labels, sizeof labels);
    add_piece(&seed, "class_names", "|S1", "2,", "ab", 2);
    add(seed.bytes, seed.size);
    seed.size = 1;
    add_piece(&seed, "edge_index", "<i8", "2, 3", pairs, sizeof pairs);
    add_piece(&seed, "x", "<f4", "3, 1", value, sizeof value);
    add_piece(&seed, "y", "|S1", "3,", "qpq", 3);
    add_piece(&seed, "node_names", "|S1", "3,", "uvw", 3);
    add_piece(&seed, "train_mask", "|b1", "2, 3", "\1\0\0\0\1\0", 6);
    add_piece(&seed, "test_mask", "|b1", "3,", "\0\0\1", 3);
    add(seed.bytes, seed.size);
    seed.size = 1;
    add_piece(&seed, "edges", "<i8", "3, 2", pairs, sizeof pairs);
    add_piece(&seed, "labels", "<f4", "3,", value, sizeof value);
    add_piece(&seed, "train", "<i4", "1,", labels, 4);
    add(seed.bytes, seed.size);
    free(seed.bytes);
}

void crd_fuzz_seeds(void (*add)(const uint8_t *data, size_t size))
{
    static const char *const texts[] = {
        "source,target\n0,1\n1,2\n2,0,0.5\n",
        "ann ben\nben \"cas x\"\n7 ann\n",
        "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 1\n3 3 -2.5\n",
        "T0,1\n1,2\n\n\n--\n1,0,2.5\n0,0,1\n3,0,0\n\n\n--\nnode,label\n0,red\n2,blue\n",
        "Ta,b\nb,c\n\n\n--\nnode,f\nc,1\na,2\nb,-3\n\n\n--\na,1\nb,nan\nc,0\n",
        "T0 1\n1 2\n\n\n--\n1 1:2 3:0.5\n0 2:1\n-1\n",
        ("T%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n2 1\n\n\n--\n"
         "%%MatrixMarket matrix coordinate real general\n3 2 1\n2 2 4\n\n\n--\n1\n0\nnan\n"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) add((const uint8_t *)texts[i], strlen(texts[i]));
    add_archives(add);
}
