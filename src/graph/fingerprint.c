/* A fingerprint is a tree: the nodes are cut into blocks, each block is hashed on its own, and the hashes are
 * combined along one binary tree. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "base/tree.h"
#include "credence_private.h"
#include "graph/dataset.h"

/* No column and no neighbour is this large, so it ends a row without doubt. */
#define ROW_END UINT64_MAX

static uint64_t hash_entry(uint64_t key, int64_t column, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return crd_hash(key, (uint64_t)column << 32 | bits);
}

/* Only what is not zero counts, so that sparse and dense storage of the same numbers agree. */
static uint64_t hash_features(const crd_features *f, int64_t begin, int64_t end)
{
    uint64_t key = 0;
    for (int64_t r = begin; r < end; r++) {
        if (f->sparse)
            for (int64_t e = f->start[r]; e < f->start[r + 1]; e++)
                key = hash_entry(key, f->column[e], f->value[e]);
        else
            for (int64_t c = 0; c < f->columns; c++)
                if (f->dense[r * f->columns + c] != 0.0f)
                    key = hash_entry(key, c, f->dense[r * f->columns + c]);
        key = crd_hash(key, ROW_END);
    }
    return key;
}

static uint64_t hash_graph(const crd_dataset *dataset, int64_t begin, int64_t end)
{
    const crd_graph *graph = &dataset->graph;
    uint64_t key = 0;
    for (int64_t i = begin; i < end; i++) {
        for (int64_t e = graph->start[i]; e < graph->start[i + 1]; e++)
            key = crd_hash(key, (uint64_t)graph->neighbour[e]);
        key = crd_hash(crd_hash(key, ROW_END), (uint64_t)(int64_t)dataset->labels[i]);
    }
    return key;
}

static void join(int64_t into, int64_t from, void *context)
{
    uint64_t *hash = context;
    hash[into] = crd_hash(hash[into], hash[from]);
}

void crd_dataset_take_fingerprint(crd_dataset *dataset)
{
    const int64_t nodes = dataset->graph.nodes;
    const crd_cut cut = crd_cut_rows(nodes);
    uint64_t graph[CRD_BLOCKS] = {0}, features[CRD_BLOCKS] = {0};
    for (int64_t b = 0; b < cut.blocks; b++) {
        int64_t begin = crd_block_begin(&cut, b), end = crd_block_begin(&cut, b + 1);
        graph[b] = hash_graph(dataset, begin, end);
        features[b] = hash_features(&dataset->features, begin, end);
    }
    crd_tree_join(cut.blocks, join, graph);
    crd_tree_join(cut.blocks, join, features);
    uint64_t key = crd_hash(crd_hash(graph[0], (uint64_t)nodes), (uint64_t)dataset->classes);
    snprintf(dataset->graph_fingerprint, sizeof dataset->graph_fingerprint, "%016" PRIx64, key);
    key = crd_hash(crd_hash(key, features[0]), (uint64_t)dataset->features.columns);
    snprintf(dataset->fingerprint, sizeof dataset->fingerprint, "%016" PRIx64, key);
}

const char *crd_dataset_fingerprint(const crd_dataset *dataset)
{
    return dataset->fingerprint;
}

const char *crd_dataset_graph_fingerprint(const crd_dataset *dataset)
{
    return dataset->graph_fingerprint;
}
