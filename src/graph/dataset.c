/* SPDX-License-Identifier: MIT */
#include "graph/dataset.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/tree.h"
#include "base/watch.h"
#include "credence_private.h"

void crd_dataset_free(crd_dataset **dataset)
{
    if (dataset == NULL || *dataset == NULL) return;
    crd_dataset *d = *dataset;
    *dataset = NULL;
    crd_strings_free(&d->node_names, d->input.nodes);
    crd_strings_free(&d->class_names, d->classes);
    crd_notes_free(&d->notes);
    crd_name_index_free(&d->node_index);
    if (!d->graph_is_input) crd_graph_free(&d->graph);
    crd_graph_free(&d->input);
    crd_strings_free(&d->feature_names, d->features.columns);
    crd_features_free(&d->features);
    crd_free(d->labels);
    crd_free(d->split_roles);
    if (d->release != NULL) d->release(d->release_user);
    crd_free(d);
}

crd_status crd_note(crd_notes *notes, crd_error *error, const char *format, ...)
{
    char sentence[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    int64_t capacity = notes->count; /* notes are few: growing by one each time is fine */
    crd_status status = CRD_GROW(&notes->text, &capacity, notes->count + 1, error);
    if (status == CRD_OK) status = crd_copy_string(&notes->text[notes->count], sentence, error);
    if (status == CRD_OK) notes->count++;
    return status;
}

void crd_notes_free(crd_notes *notes)
{
    crd_strings_free(&notes->text, notes->count);
    notes->count = 0;
}

bool crd_are_numbers(char *const *names, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t number;
        if (!crd_id_number(names[i], &number) || number != i) return false;
    }
    return true;
}

/* ---- looking ---- */

int64_t crd_dataset_nodes(const crd_dataset *dataset)
{
    return dataset != NULL ? dataset->input.nodes : 0;
}

int64_t crd_dataset_features(const crd_dataset *dataset)
{
    return dataset != NULL ? dataset->features.columns : 0;
}

int32_t crd_dataset_classes(const crd_dataset *dataset)
{
    return dataset != NULL ? dataset->classes : 0;
}

int32_t crd_dataset_label(const crd_dataset *dataset, int64_t node)
{
    if (dataset == NULL) return -1;
    return node < 0 || node >= dataset->input.nodes ? -1 : dataset->labels[node];
}

const char *crd_dataset_node_name(const crd_dataset *dataset, int64_t node)
{
    if (dataset == NULL) return NULL;
    if (dataset->node_names == NULL || node < 0 || node >= dataset->input.nodes) return NULL;
    return dataset->node_names[node];
}

const char *crd_dataset_feature_name(const crd_dataset *dataset, int64_t feature)
{
    if (dataset == NULL) return NULL;
    if (dataset->feature_names == NULL || feature < 0 || feature >= dataset->features.columns) return NULL;
    return dataset->feature_names[feature];
}

const char *crd_dataset_class_name(const crd_dataset *dataset, int32_t class_index)
{
    if (dataset == NULL) return NULL;
    return class_index < 0 || class_index >= dataset->classes ? NULL : dataset->class_names[class_index];
}

const int32_t *crd_dataset_labels(const crd_dataset *dataset)
{
    return dataset == NULL ? NULL : dataset->labels;
}

static int64_t give_rows(const crd_graph *graph, const int64_t **start, const int32_t **neighbour)
{
    if (start != NULL) *start = graph->start;
    if (neighbour != NULL) *neighbour = graph->neighbour;
    return graph->start[graph->nodes];
}

int64_t crd_dataset_adjacency(const crd_dataset *dataset, const int64_t **start, const int32_t **neighbour)
{
    if (dataset == NULL) return 0;
    return give_rows(&dataset->graph, start, neighbour);
}

int64_t crd_dataset_input(const crd_dataset *dataset, const int64_t **start, const int32_t **neighbour)
{
    if (dataset == NULL) return 0;
    return give_rows(&dataset->input, start, neighbour);
}

const float *crd_dataset_dense(const crd_dataset *dataset)
{
    return dataset == NULL ? NULL : dataset->features.dense;
}

int64_t crd_dataset_sparse(const crd_dataset *dataset, const int64_t **row_start, const int32_t **column,
                           const float **value)
{
    if (dataset == NULL) return 0;
    const crd_features *f = &dataset->features;
    const bool there = f->sparse && f->columns > 0; /* without features there are rows, but empty ones */
    if (row_start != NULL) *row_start = there ? f->start : NULL;
    if (column != NULL) *column = there ? f->column : NULL;
    if (value != NULL) *value = there ? f->value : NULL;
    return there ? f->start[f->rows] : 0;
}

const char *const *crd_dataset_node_names(const crd_dataset *dataset)
{
    return dataset == NULL ? NULL : (const char *const *)dataset->node_names;
}

const char *const *crd_dataset_feature_names(const crd_dataset *dataset)
{
    return dataset == NULL ? NULL : (const char *const *)dataset->feature_names;
}

const char *const *crd_dataset_class_names(const crd_dataset *dataset)
{
    return dataset != NULL && dataset->classes > 0 ? (const char *const *)dataset->class_names : NULL;
}

int64_t crd_dataset_find_node(const crd_dataset *dataset, const char *name_or_number)
{
    if (dataset == NULL || name_or_number == NULL) return -1;
    int64_t named = crd_name_index_find(dataset->node_index, name_or_number), number;
    if (dataset->names_are_ids && (named >= 0 || dataset->names_are_numbers)) return named;
    if (crd_id_number(name_or_number, &number) && number < dataset->input.nodes) return number;
    return named;
}

int crd_dataset_note_count(const crd_dataset *dataset)
{
    return dataset != NULL ? dataset->notes.count : 0;
}

const char *crd_dataset_note(const crd_dataset *dataset, int index)
{
    if (dataset == NULL) return NULL;
    return index < 0 || index >= dataset->notes.count ? NULL : dataset->notes.text[index];
}

/* ---- changing ---- */

/* (*place)[c] is where class c goes; fails unless every class is in `order` once. */
static crd_status invert(const int32_t *order, int32_t classes, int32_t **place, crd_error *error)
{
    crd_status status = CRD_NEW(place, classes, error);
    if (status != CRD_OK) return status;
    for (int32_t c = 0; c < classes; c++) (*place)[c] = -1;
    for (int32_t i = 0; i < classes; i++) {
        if (order[i] < 0 || order[i] >= classes)
            return crd_fail(error, CRD_ERROR_ARGUMENT,
                            "the order of the classes: place %d has class %d, expected 0 to %d", (int)i, (int)order[i],
                            (int)classes - 1);
        if ((*place)[order[i]] >= 0)
            return crd_fail(error, CRD_ERROR_ARGUMENT,
                            "the order of the classes: class %d is at places %d and %d, expected once", (int)order[i],
                            (int)(*place)[order[i]], (int)i);
        (*place)[order[i]] = i;
    }
    return CRD_OK;
}

/* Labels follow; names too, unless they are only numbers and `renumber` is set. */
static crd_status order_classes(crd_dataset *dataset, const int32_t *order, bool renumber, crd_error *error)
{
    const int32_t classes = dataset->classes;
    int32_t *place = NULL;
    char **names = NULL;
    /* Everything that can fail comes first, so that a failure changes nothing. */
    crd_status status = invert(order, classes, &place, error);
    if (status == CRD_OK) status = CRD_NEW(&names, classes, error);
    if (status == CRD_OK) {
        for (int64_t i = 0; i < dataset->input.nodes; i++)
            if (dataset->labels[i] >= 0) dataset->labels[i] = place[dataset->labels[i]];
        if (dataset->class_names_given || !renumber) {
            for (int32_t c = 0; c < classes; c++) names[c] = dataset->class_names[order[c]];
            memcpy(dataset->class_names, names, (size_t)classes * sizeof *names);
            dataset->class_names_given = !crd_are_numbers(dataset->class_names, classes);
        }
    }
    crd_free(place);
    crd_free(names);
    return status;
}

crd_status crd_dataset_order_classes(crd_dataset *dataset, const int32_t *order, crd_error *error)
{
    crd_status status = order_classes(dataset, order, true, error);
    if (status == CRD_OK) crd_dataset_take_fingerprint(dataset);
    return status;
}

crd_status crd_dataset_move_last(crd_dataset *dataset, const bool *last, crd_error *error)
{
    int32_t *order, at = 0;
    crd_status status = CRD_NEW(&order, dataset->classes, error);
    if (status != CRD_OK) return status;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t c = 0; c < dataset->classes; c++)
            if (last[c] == (pass == 1)) order[at++] = c;
    status = order_classes(dataset, order, false, error);
    crd_free(order);
    return status;
}

crd_status crd_dataset_set_labels(crd_dataset *dataset, const int32_t *labels, crd_error *error)
{
    const int64_t nodes = dataset->input.nodes;
    for (int64_t i = 0; i < nodes; i++)
        if (labels[i] < -1 || labels[i] >= dataset->classes)
            return crd_fail(error, CRD_ERROR_ARGUMENT,
                            "the labels: node %lld has class %d, expected 0 to %d, or -1 for none", (long long)i,
                            (int)labels[i], (int)dataset->classes - 1);
    if (nodes > 0) memcpy(dataset->labels, labels, (size_t)nodes * sizeof *labels);
    crd_dataset_take_fingerprint(dataset);
    return CRD_OK;
}

/* ---- some of the nodes ---- */

/* node_of[i] is the node that the subset's node i was; place is the inverse, -1 if a node is gone. */
typedef struct {
    int64_t count;
    int32_t *node_of, *place;
} selection;

static crd_status select_nodes(const uint8_t *keep, int64_t nodes, selection *s, crd_error *error)
{
    crd_status status = CRD_NEW(&s->node_of, 2 * nodes, error);
    s->place = s->node_of + nodes;
    for (int64_t i = 0; i < nodes && status == CRD_OK; i++) {
        s->place[i] = keep[i] ? (int32_t)s->count : -1;
        if (keep[i]) s->node_of[s->count++] = (int32_t)i;
    }
    return status;
}

/* Neighbours stay in ascending order, because nodes keep theirs. */
static crd_status take_graph(const crd_graph *graph, const selection *s, crd_graph *taken, crd_error *error)
{
    int64_t edges = 0, at = 0;
    for (int64_t i = 0; i < s->count; i++) {
        if (crd_watch_at(i)) return crd_watch_stopped(error);
        for (int64_t e = graph->start[s->node_of[i]]; e < graph->start[s->node_of[i] + 1]; e++)
            edges += s->place[graph->neighbour[e]] >= 0;
    }
    crd_status status = crd_graph_new(s->count, edges, taken, error);
    for (int64_t i = 0; i < s->count && status == CRD_OK; i++) {
        if (crd_watch_at(i)) status = crd_watch_stopped(error);
        for (int64_t e = graph->start[s->node_of[i]]; e < graph->start[s->node_of[i] + 1]; e++) {
            const int32_t place = s->place[graph->neighbour[e]];
            if (place >= 0) taken->neighbour[at++] = place;
        }
        taken->start[i + 1] = at;
    }
    return status;
}

static crd_status take_classes(const crd_dataset *dataset, const selection *s, crd_dataset *taken, crd_error *error)
{
    crd_status status = CRD_NEW(&taken->labels, s->count, error);
    for (int64_t i = 0; i < s->count && status == CRD_OK; i++) taken->labels[i] = dataset->labels[s->node_of[i]];
    if (status == CRD_OK) status = crd_copy_strings(&taken->class_names, dataset->class_names, dataset->classes, error);
    if (status != CRD_OK) return status;
    taken->classes = dataset->classes;
    taken->class_names_given = dataset->class_names_given;
    return CRD_OK;
}

crd_status crd_dataset_subset(const crd_dataset *dataset, const uint8_t *keep, crd_dataset **subset, crd_error *error)
{
    selection s = {0};
    crd_dataset *taken = NULL;
    *subset = NULL;
    crd_status status = select_nodes(keep, dataset->graph.nodes, &s, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&taken, 1, error);
    if (status == CRD_OK) {
        taken->graph_is_input = true;
        status = take_graph(&dataset->graph, &s, &taken->input, error);
        taken->graph = taken->input;
    }
    if (status == CRD_OK)
        status = crd_features_take_rows(&dataset->features, s.node_of, s.count, &taken->features, error);
    if (status == CRD_OK && dataset->feature_names != NULL)
        status = crd_copy_strings(&taken->feature_names, dataset->feature_names, dataset->features.columns, error);
    if (status == CRD_OK) status = take_classes(dataset, &s, taken, error);
    if (status == CRD_OK) {
        memcpy(taken->fingerprint, dataset->fingerprint, sizeof taken->fingerprint);
        memcpy(taken->graph_fingerprint, dataset->graph_fingerprint, sizeof taken->graph_fingerprint);
    }
    crd_free(s.node_of);
    if (status == CRD_OK) *subset = taken;
    else crd_dataset_free(&taken);
    return status;
}

/* ---- fingerprints ---- */

/* A fingerprint is a tree: the nodes are cut into blocks, each block is hashed on its own, and the hashes are
 * combined along one binary tree. */

/* Ends a row: no column and no neighbour is this large. */
#define ROW_END UINT64_MAX

static uint64_t hash_entry(uint64_t key, int64_t column, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return crd_hash(key, (uint64_t)column << 32 | bits);
}

/* Hashes only non-zeros, so that sparse and dense storage of the same numbers agree. */
static uint64_t hash_features(const crd_features *f, int64_t begin, int64_t end)
{
    uint64_t key = 0;
    for (int64_t r = begin; r < end; r++) {
        if (f->sparse)
            for (int64_t e = f->start[r]; e < f->start[r + 1]; e++) key = hash_entry(key, f->column[e], f->value[e]);
        else
            for (int64_t c = 0; c < f->columns; c++)
                if (f->dense[r * f->columns + c] != 0.0f) key = hash_entry(key, c, f->dense[r * f->columns + c]);
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
    for (int64_t b = 0; b < cut.blocks && !crd_watch_asks_to_stop(); b++) {
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
    return dataset != NULL ? dataset->fingerprint : NULL;
}

const char *crd_dataset_graph_fingerprint(const crd_dataset *dataset)
{
    return dataset->graph_fingerprint;
}
