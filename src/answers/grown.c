/* SPDX-License-Identifier: MIT */
#include "answers/grown.h"

#include <stdlib.h>
#include <string.h>

crd_status crd_grown_open(const crd_dataset *dataset, crd_grown *g, crd_error *error)
{
    *g = (crd_grown){.dataset = dataset};
    g->added = (crd_features){.columns = dataset->features.columns, .sparse = dataset->features.sparse};
    crd_status status = crd_growing_open(&dataset->graph, &g->graph, error);
    if (status == CRD_OK && g->added.sparse) status = CRD_GROW(&g->added.start, &g->start_room, 1, error);
    if (status == CRD_OK && g->added.sparse) g->added.start[0] = 0;
    if (status != CRD_OK) crd_grown_close(g);
    return status;
}

void crd_grown_close(crd_grown *g)
{
    crd_growing_close(&g->graph);
    crd_features_free(&g->added);
    *g = (crd_grown){0};
}

crd_status crd_grown_add_features(crd_grown *g, const crd_features *rows, crd_error *error)
{
    crd_features *a = &g->added;
    const int64_t all = a->rows + rows->rows;
    if (!a->sparse) {
        crd_status status = CRD_GROW(&a->dense, &g->dense_room, all * a->columns, error);
        if (status == CRD_OK && rows->rows > 0)
            memcpy(a->dense + a->rows * a->columns, rows->dense, (size_t)(rows->rows * a->columns) * sizeof *a->dense);
        if (status == CRD_OK) a->rows = all;
        return status;
    }
    const int64_t before = a->start[a->rows], entries = rows->start[rows->rows];
    crd_status status = CRD_GROW(&a->start, &g->start_room, all + 1, error);
    if (status == CRD_OK) status = CRD_GROW(&a->column, &g->column_room, before + entries, error);
    if (status == CRD_OK) status = CRD_GROW(&a->value, &g->value_room, before + entries, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < rows->rows; i++) a->start[a->rows + i + 1] = before + rows->start[i + 1];
    if (entries > 0) memcpy(a->column + before, rows->column, (size_t)entries * sizeof *a->column);
    if (entries > 0) memcpy(a->value + before, rows->value, (size_t)entries * sizeof *a->value);
    a->rows = all;
    return CRD_OK;
}

/* ---- a part as a dataset ---- */

static int64_t node_at(const int32_t *nodes, int64_t index)
{
    return nodes != NULL ? nodes[index] : index;
}

/* Where the features of a node are. */
static const crd_features *features_of(const crd_grown *g, int64_t node, int64_t *row)
{
    const crd_features *first = &g->dataset->features;
    *row = node < first->rows ? node : node - first->rows;
    return node < first->rows ? first : &g->added;
}

static crd_status take_features(const crd_grown *g, const int32_t *nodes, int64_t count, crd_features *taken,
                                crd_error *error)
{
    const int64_t columns = g->added.columns;
    int64_t entries = 0, row;
    if (!g->added.sparse) {
        *taken = (crd_features){.rows = count, .columns = columns};
        crd_status status = CRD_NEW(&taken->dense, count * columns, error);
        for (int64_t i = 0; i < count && status == CRD_OK; i++) {
            const crd_features *from = features_of(g, node_at(nodes, i), &row);
            memcpy(taken->dense + i * columns, from->dense + row * columns, (size_t)columns * sizeof *taken->dense);
        }
        return status;
    }
    for (int64_t i = 0; i < count; i++) {
        const crd_features *from = features_of(g, node_at(nodes, i), &row);
        entries += from->start[row + 1] - from->start[row];
    }
    crd_status status = crd_features_new_sparse(count, columns, entries, taken, error);
    for (int64_t i = 0, at = 0; i < count && status == CRD_OK; i++) {
        const crd_features *from = features_of(g, node_at(nodes, i), &row);
        for (int64_t e = from->start[row]; e < from->start[row + 1]; e++, at++) {
            taken->column[at] = from->column[e];
            taken->value[at] = from->value[e];
        }
        taken->start[i + 1] = at;
    }
    return status;
}

static int ascending(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* place[node] is 1 + its place in the part. */
static crd_status take_graph(const crd_grown *g, const int32_t *nodes, int64_t count, const int32_t *place,
                             crd_graph *taken, crd_error *error)
{
    int64_t entries = 0;
    for (int64_t i = 0; i < count; i++) entries += g->graph.degree[node_at(nodes, i)];
    crd_status status = crd_graph_new(count, entries, taken, error);
    for (int64_t i = 0, at = 0; i < count && status == CRD_OK; i++) {
        crd_neighbours n = crd_neighbours_of(&g->graph, node_at(nodes, i));
        const bool mixed = n.next >= 0;
        for (int32_t j; (j = crd_neighbours_next(&n)) >= 0;)
            if (place[j] > 0) taken->neighbour[at++] = place[j] - 1;
        const int64_t begin = taken->start[i];
        if (mixed && at - begin > 1)
            qsort(taken->neighbour + begin, (size_t)(at - begin), sizeof *taken->neighbour, ascending);
        taken->start[i + 1] = at;
    }
    return status;
}

static crd_status take_classes(const crd_dataset *from, const int32_t *nodes, int64_t count, crd_dataset *taken,
                               crd_error *error)
{
    crd_status status = CRD_NEW(&taken->labels, count, error);
    for (int64_t i = 0; i < count && status == CRD_OK; i++)
        taken->labels[i] = crd_dataset_label(from, node_at(nodes, i));
    if (status == CRD_OK) status = crd_copy_strings(&taken->class_names, from->class_names, from->classes, error);
    if (status == CRD_OK) taken->classes = from->classes;
    return status;
}

crd_status crd_grown_take(const crd_grown *g, const int32_t *nodes, int64_t count, crd_grown_part *part,
                          crd_error *error)
{
    int32_t *place = NULL;
    *part = (crd_grown_part){0};
    crd_status status = CRD_NEW_ZERO(&part->dataset, 1, error);
    if (status == CRD_OK) status = CRD_NEW(&part->degree, count, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&place, g->graph.nodes, error);
    if (status == CRD_OK) {
        crd_dataset *d = part->dataset;
        for (int64_t i = 0; i < count; i++) {
            place[node_at(nodes, i)] = (int32_t)i + 1;
            part->degree[i] = g->graph.degree[node_at(nodes, i)];
        }
        d->graph_is_input = true;
        d->degree = part->degree;
        status = take_graph(g, nodes, count, place, &d->input, error);
        d->graph = d->input;
        if (status == CRD_OK) status = take_features(g, nodes, count, &d->features, error);
        if (status == CRD_OK) status = take_classes(g->dataset, nodes, count, d, error);
        if (status == CRD_OK) crd_dataset_take_fingerprint(d);
    }
    crd_free(place);
    if (status != CRD_OK) crd_grown_part_free(part);
    return status;
}

void crd_grown_part_free(crd_grown_part *part)
{
    crd_dataset_free(&part->dataset);
    crd_free(part->degree);
    *part = (crd_grown_part){0};
}

/* ---- answers ---- */

bool crd_answers_alone(const crd_model *model)
{
    return model->config.score == CRD_DOUBT_OWN &&
           (model->calibration == NULL || model->config.calibration != CRD_CALIBRATION_GATS);
}

crd_status crd_check_nodes(const int64_t *nodes, int64_t count, int64_t all, crd_error *error)
{
    if (count < 0) return crd_fail(error, CRD_ERROR_ARGUMENT, "a list of %lld nodes is no list", (long long)count);
    for (int64_t i = 0; i < count; i++)
        if (nodes[i] < 0 || nodes[i] >= all)
            return crd_fail(error, CRD_ERROR_ARGUMENT, "there is no node %lld: the data have %lld, numbered from 0",
                            (long long)nodes[i], (long long)all);
    return CRD_OK;
}

/* The nodes that are at most two edges away from the chosen ones, ascending. `place` becomes 1 + their place. */
static int64_t find_around(const crd_growing *graph, const int64_t *nodes, int64_t count, int32_t *around,
                           int32_t *place)
{
    int64_t found = 0, begin = 0;
    for (int64_t i = 0; i < count; i++) {
        if (place[nodes[i]] == 0) around[found++] = (int32_t)nodes[i];
        place[nodes[i]] = 1;
    }
    for (int hop = 0; hop < 2; hop++) {
        const int64_t end = found;
        for (; begin < end; begin++) {
            crd_neighbours n = crd_neighbours_of(graph, around[begin]);
            for (int32_t j; (j = crd_neighbours_next(&n)) >= 0;) {
                if (place[j] == 0) around[found++] = j;
                place[j] = 1;
            }
        }
    }
    if (found > 1) qsort(around, (size_t)found, sizeof *around, ascending);
    for (int64_t i = 0; i < found; i++) place[around[i]] = (int32_t)i + 1;
    return found;
}

/* Two convolutions see two hops. */
static crd_status predict_near(const crd_model *model, const crd_grown *g, const int64_t *nodes, int64_t count,
                               int threads, crd_prediction **prediction, crd_error *error)
{
    int32_t *around = NULL, *place = NULL;
    int64_t *rows = NULL;
    crd_grown_part part = {0};
    crd_status status = CRD_NEW(&around, g->graph.nodes, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&place, g->graph.nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&rows, count, error);
    if (status == CRD_OK) {
        const int64_t found = find_around(&g->graph, nodes, count, around, place);
        for (int64_t i = 0; i < count; i++) rows[i] = place[nodes[i]] - 1;
        status = crd_grown_take(g, around, found, &part, error);
    }
    if (status == CRD_OK) status = crd_predict(model, part.dataset, CRD_THREADS(threads), prediction, error);
    if (status == CRD_OK) {
        status = crd_prediction_choose(*prediction, rows, count, error);
        for (int64_t i = 0; i < count && status == CRD_OK; i++) (*prediction)->node[i] = nodes[i];
        (*prediction)->graph_nodes = g->graph.nodes;
    }
    crd_grown_part_free(&part);
    crd_free(around);
    crd_free(place);
    crd_free(rows);
    return status;
}

crd_status crd_grown_predict(const crd_model *model, const crd_grown *g, const int64_t *nodes, int64_t count,
                             int threads, crd_prediction **prediction, crd_error *error)
{
    const crd_model_kind *kind = model->kind;
    const bool near = kind == &crd_vgcn || kind == &crd_gkde_gcn || kind == &crd_egcn;
    crd_grown_part whole = {0};
    crd_status status;
    *prediction = NULL;
    if (near && crd_answers_alone(model)) {
        status = predict_near(model, g, nodes, count, threads, prediction, error);
    } else {
        status = g->changed ? crd_grown_take(g, NULL, g->graph.nodes, &whole, error) : CRD_OK;
        const crd_dataset *dataset = g->changed ? whole.dataset : g->dataset;
        if (whole.dataset != NULL) whole.dataset->degree = NULL;
        if (status == CRD_OK) status = crd_predict(model, dataset, CRD_THREADS(threads), prediction, error);
        if (status == CRD_OK) status = crd_prediction_choose(*prediction, nodes, count, error);
    }
    crd_grown_part_free(&whole);
    if (status != CRD_OK) crd_prediction_free(prediction);
    return status;
}
