/* SPDX-License-Identifier: MIT */
#include "answers/addition.h"

#include <string.h>

#include "base/memory.h"
#include "base/sized.h"

static const char addition_name[] = "the addition";

static crd_status check(const crd_addition *a, int64_t nodes, int64_t columns, crd_error *error)
{
    const struct {
        bool wrong;
        const char *problem;
    } checks[] = {
        {a->nodes < 0, "nodes must not be negative"},
        {a->edges < 0, "edges must not be negative"},
        {a->edges > 0 && (a->source == NULL || a->target == NULL), "edges need source and target"},
        {a->dense != NULL && a->row_start != NULL, "features are either dense or sparse, not both"},
        {a->nodes > 0 && columns > 0 && a->dense == NULL && a->row_start == NULL,
         "new nodes need features: dense, or row_start and column"},
        {a->row_start != NULL && a->column == NULL, "sparse features need column"},
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (checks[i].wrong) return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: %s", addition_name, checks[i].problem);
    if (a->nodes > INT32_MAX - nodes)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "a graph of %lld nodes and %lld new ones: at most %lld can be held",
                        (long long)nodes, (long long)a->nodes, (long long)INT32_MAX);
    for (int64_t e = 0; e < a->edges; e++)
        if (a->source[e] < 0 || a->source[e] >= nodes + a->nodes || a->target[e] < 0 ||
            a->target[e] >= nodes + a->nodes)
            return crd_fail(error, CRD_ERROR_ARGUMENT,
                            "%s: edge %lld joins nodes %lld and %lld, but the nodes are 0 to %lld, the new ones %lld "
                            "and up",
                            addition_name, (long long)e, (long long)a->source[e], (long long)a->target[e],
                            (long long)(nodes + a->nodes) - 1, (long long)nodes);
    for (int64_t i = 0; i < a->nodes && a->row_start != NULL; i++)
        if (a->row_start[0] != 0 || a->row_start[i + 1] < a->row_start[i])
            return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: row_start must begin with 0 and never fall", addition_name);
    return CRD_OK;
}

/* The features of new nodes, checked, and stored like those of the dataset. */
static crd_status copy_features(const crd_addition *a, int64_t columns, bool sparse, crd_features *rows,
                                crd_error *error)
{
    const bool dense = a->dense != NULL && columns > 0;
    const int64_t entries = a->row_start != NULL && columns > 0 && a->nodes > 0 ? a->row_start[a->nodes] : 0;
    crd_status status;
    if (dense) {
        int64_t cells;
        *rows = (crd_features){.rows = a->nodes, .columns = columns};
        if (!crd_multiply(a->nodes, columns, &cells)) return crd_fail_memory(error, SIZE_MAX);
        status = CRD_NEW(&rows->dense, cells, error);
        if (status == CRD_OK && cells > 0) memcpy(rows->dense, a->dense, (size_t)cells * sizeof *rows->dense);
    } else {
        status = crd_features_new_sparse(a->nodes, columns, entries, rows, error);
        for (int64_t i = 0; i < a->nodes && status == CRD_OK && entries > 0; i++)
            rows->start[i + 1] = a->row_start[i + 1];
        for (int64_t e = 0; e < entries && status == CRD_OK; e++) {
            rows->column[e] = a->column[e];
            rows->value[e] = a->value != NULL ? a->value[e] : 1.0f;
        }
    }
    if (status == CRD_OK) status = crd_features_tidy(rows, addition_name, error);
    if (status == CRD_OK) status = crd_features_store(rows, sparse, error);
    if (status != CRD_OK) crd_features_free(rows);
    return status;
}

crd_status crd_addition_take(const crd_addition *given, int64_t nodes, const crd_features *like, crd_addition *complete,
                             crd_features *rows, crd_error *error)
{
    *complete = (crd_addition){0};
    crd_status status = crd_take_sized("crd_addition", given, complete, sizeof *complete, error);
    if (status == CRD_OK) status = check(complete, nodes, like->columns, error);
    return status == CRD_OK ? copy_features(complete, like->columns, like->sparse, rows, error) : status;
}

/* ---- one by one ---- */

static crd_status check_alone(const crd_addition *a, int64_t nodes, crd_error *error)
{
    for (int64_t e = 0; e < a->edges; e++)
        if (a->source[e] != a->target[e] && (a->source[e] < nodes) == (a->target[e] < nodes))
            return crd_fail(error, CRD_ERROR_ARGUMENT,
                            "%s: edge %lld joins nodes %lld and %lld, but new nodes are answered one by one: expected "
                            "an edge between a node below %lld and a new one",
                            addition_name, (long long)e, (long long)a->source[e], (long long)a->target[e],
                            (long long)nodes);
    return CRD_OK;
}

crd_status crd_ones_open(const crd_addition *a, int64_t nodes, crd_ones *ones, crd_error *error)
{
    *ones = (crd_ones){.first = nodes};
    crd_status status = check_alone(a, nodes, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&ones->start, a->nodes + 2, error);
    if (status == CRD_OK) status = CRD_NEW(&ones->old, a->edges, error);
    if (status == CRD_OK) status = CRD_NEW(&ones->same, a->edges, error);
    if (status != CRD_OK) {
        crd_ones_close(ones);
        return status;
    }
    /* start[i + 2] counts; then start[i + 1] is where the next edge of node i goes. */
    for (int64_t e = 0; e < a->edges; e++) {
        const int64_t from = a->source[e], to = a->target[e];
        ones->same[e] = nodes;
        if (from != to) ones->start[(from > to ? from : to) - nodes + 2]++;
    }
    for (int64_t i = 1; i < a->nodes; i++) ones->start[i + 1] += ones->start[i];
    for (int64_t e = 0; e < a->edges; e++) {
        const int64_t from = a->source[e], to = a->target[e];
        if (from != to) ones->old[ones->start[(from > to ? from : to) - nodes + 1]++] = from > to ? to : from;
    }
    return CRD_OK;
}

void crd_ones_close(crd_ones *ones)
{
    crd_free(ones->start);
    crd_free(ones->old);
    crd_free(ones->same);
    *ones = (crd_ones){0};
}

crd_addition crd_ones_at(const crd_ones *ones, int64_t index)
{
    return (crd_addition){.size = sizeof(crd_addition),
                          .nodes = 1,
                          .edges = ones->start[index + 1] - ones->start[index],
                          .source = ones->same,
                          .target = ones->old + ones->start[index]};
}

crd_features crd_ones_row(const crd_features *rows, int64_t index, int64_t start[2])
{
    crd_features one = {.rows = 1, .columns = rows->columns, .sparse = rows->sparse};
    if (!rows->sparse) {
        one.dense = rows->dense + index * rows->columns;
        return one;
    }
    start[0] = 0;
    start[1] = rows->start[index + 1] - rows->start[index];
    one.start = start;
    one.column = rows->column + rows->start[index];
    one.value = rows->value + rows->start[index];
    return one;
}
