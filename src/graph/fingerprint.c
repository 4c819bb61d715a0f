#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "graph/dataset.h"

/* No column and no neighbour is this large, so it ends a row without doubt. */
#define ROW_END UINT64_MAX

static uint64_t add_entry(uint64_t key, int64_t column, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return crd_hash(key, (uint64_t)column << 32 | bits);
}

/* Only what is not zero counts, so that sparse and dense storage of the same numbers agree. */
static uint64_t add_features(uint64_t key, const crd_features *features)
{
    key = crd_hash(key, (uint64_t)features->columns);
    for (int64_t r = 0; r < features->rows; r++) {
        if (features->sparse) {
            for (int64_t e = features->start[r]; e < features->start[r + 1]; e++)
                key = add_entry(key, features->column[e], features->value[e]);
        } else {
            const float *row = features->dense + r * features->columns;
            for (int64_t c = 0; c < features->columns; c++)
                if (row[c] != 0.0f) key = add_entry(key, c, row[c]);
        }
        key = crd_hash(key, ROW_END);
    }
    return key;
}

void crd_dataset_take_fingerprint(crd_dataset *dataset)
{
    const crd_graph *graph = &dataset->graph;
    uint64_t key = crd_hash(0, (uint64_t)graph->nodes);
    for (int64_t i = 0; i < graph->nodes; i++) {
        for (int64_t e = graph->start[i]; e < graph->start[i + 1]; e++)
            key = crd_hash(key, (uint64_t)graph->neighbour[e]);
        key = crd_hash(key, ROW_END);
    }
    key = add_features(key, &dataset->features);
    key = crd_hash(key, (uint64_t)dataset->classes);
    for (int64_t i = 0; i < graph->nodes; i++) key = crd_hash(key, (uint64_t)(int64_t)dataset->labels[i]);
    snprintf(dataset->fingerprint, sizeof dataset->fingerprint, "%016" PRIx64, key);
}
