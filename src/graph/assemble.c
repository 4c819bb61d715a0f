/* From parts to a dataset: how many nodes there are, which id is which node, then everything in its place. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/parts.h"
#include "graph/settle_ids.h"
#include "io/npy.h"

/* What is being settled. */
typedef struct node_plan {
    crd_parts *parts;
    int64_t nodes;         /* -1 until it is known */
    const char *nodes_from; /* the file that said so */
    crd_name_index *index; /* names of nodes; NULL where nodes are numbers */
    const char *index_from;
    bool index_from_ids;   /* the names are those of edges and labels, not a list */
    bool from_one;         /* ids are numbers from 1 */
} node_plan;

static bool any_ids(const crd_parts *parts)
{
    return parts->edges.by_id || parts->labels.by_id;
}

static crd_status agree(node_plan *plan, const char *file, int64_t count, crd_error *error)
{
    if (plan->nodes < 0) {
        plan->nodes = count;
        plan->nodes_from = file;
    }
    if (plan->nodes == count) return CRD_OK;
    if (plan->index_from_ids) {
        const crd_parts *parts = plan->parts;
        bool both = parts->edges.by_id && parts->labels.by_id;
        return crd_fail(error, CRD_ERROR_MISMATCH, "%.250s: has %lld rows, but the %s name %lld nodes", file,
                        (long long)count, both ? "edges and labels" : parts->edges.by_id ? "edges" : "labels",
                        (long long)plan->nodes);
    }
    return crd_fail(error, CRD_ERROR_MISMATCH, "%.250s: has %lld nodes, but %.250s has %lld", file,
                    (long long)count, plan->nodes_from, (long long)plan->nodes);
}

/* The files that say how many nodes there are must say the same. A number in a header that is out of all
 * proportion to what the files hold is not believed: memory for that many nodes would be allocated. */
static crd_status count_nodes(node_plan *plan, crd_error *error)
{
    const crd_parts *parts = plan->parts;
    int64_t rows = parts->edges.count + parts->labels.count + parts->features.triplets.count;
    bool declared = plan->nodes < 0 && !parts->edges.rows;
    crd_status status = CRD_OK;
    if (parts->edges.nodes >= 0) status = agree(plan, parts->edges.file, parts->edges.nodes, error);
    if (status == CRD_OK && parts->features.file != NULL) {
        status = agree(plan, parts->features.file, parts->features.rows, error);
        if (!parts->features.rows_declared) declared = false;
    }
    if (status == CRD_OK && parts->labels.file != NULL && !parts->labels.by_id) {
        status = agree(plan, parts->labels.file, parts->labels.count, error);
        declared = false;
    }
    if (status == CRD_OK && declared && plan->nodes >= 0 && !crd_believable_nodes(plan->nodes, rows))
        status = crd_fail(error, CRD_ERROR_FORMAT,
                          "%s: declares %lld nodes, but there are only %lld edges, labels and features",
                          plan->nodes_from, (long long)plan->nodes, (long long)rows);
    return status;
}

static int64_t largest_token(const crd_ids *ids)
{
    int64_t largest = -1;
    for (int64_t i = 0; i < ids->count; i++)
        if (ids->token[i] > largest) largest = ids->token[i];
    return largest;
}

/* Node numbers alone: one more than the largest. */
static crd_status count_by_numbers(node_plan *plan, bool *named, crd_error *error)
{
    const crd_parts *parts = plan->parts;
    int64_t largest = largest_token(&parts->edges.ids), in_labels = largest_token(&parts->labels.ids);
    if (in_labels > largest) largest = in_labels;
    for (int64_t i = 0; i < parts->edges.count && !parts->edges.by_id; i++) {
        if (parts->edges.source[i] > largest) largest = parts->edges.source[i];
        if (parts->edges.target[i] > largest) largest = parts->edges.target[i];
    }
    int64_t rows = parts->edges.count + parts->labels.count;
    plan->nodes = largest + 1;
    plan->nodes_from = parts->edges.file;
    *named = false;
    if (crd_believable_nodes(plan->nodes, rows)) return CRD_OK;
    if (!parts->edges.by_id)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: has node number %lld, but there are only %lld edges",
                        parts->edges.file, (long long)largest, (long long)parts->edges.count);
    *named = true;
    plan->nodes = -1;
    return crd_dataset_add_note(parts->dataset, error,
                                "node ids are as large as %lld: they are taken as names, not as numbers",
                                (long long)largest);
}

/* A complete list of names. A list that cannot serve as one (an empty or repeated name) is an error where
 * ids refer to it; where they are decoration, they are left out. */
static crd_status list_names(node_plan *plan, char **names, int64_t count, const char *file, crd_error *error)
{
    crd_status status = crd_name_index_new(&plan->index, error);
    for (int64_t i = 0; i < count && status == CRD_OK; i++) {
        char *name = crd_trim(names[i]);
        memmove(names[i], name, strlen(name) + 1);
        int64_t number;
        status = crd_name_index_add(plan->index, names[i], &number, error);
        if (status != CRD_OK || (number == i && names[i][0] != '\0')) continue;
        const char *problem = names[i][0] == '\0' ? "has an empty name" : "has the name of an earlier node";
        if (any_ids(plan->parts))
            return crd_fail(error, CRD_ERROR_FORMAT, "%s: node %lld %s: '%.60s'", file, (long long)i, problem,
                            names[i]);
        crd_name_index_free(&plan->index);
        return crd_dataset_add_note(plan->parts->dataset, error,
                                    "the names of the nodes are not used: node %lld %s", (long long)i,
                                    problem);
    }
    plan->index_from = file;
    return status;
}

static crd_status add_ids(node_plan *plan, const crd_ids *ids, crd_error *error)
{
    crd_status status = CRD_OK;
    /* Distinct names come in the order of their first appearance, so adding them once each is enough. */
    int64_t count = ids->names != NULL ? crd_name_index_count(ids->names) : ids->count;
    for (int64_t i = 0; i < count && status == CRD_OK; i++) {
        char buffer[CRD_ID_SIZE];
        int64_t number;
        const char *text = ids->names != NULL ? crd_name_index_name(ids->names, i)
                                              : crd_ids_text(ids, i, buffer);
        status = crd_name_index_add(plan->index, text, &number, error);
    }
    return status;
}

/* Rows without names are matched with names by their order alone, which nobody can check. */
static crd_status note_order(const node_plan *plan, crd_error *error)
{
    const crd_parts *parts = plan->parts;
    const char *const files[] = {parts->features.file, parts->labels.by_id ? NULL : parts->labels.file};
    crd_status status = CRD_OK;
    for (int i = 0; i < 2 && status == CRD_OK; i++)
        if (files[i] != NULL && (i == 0 || files[0] == NULL || strcmp(files[0], files[1]) != 0))
            status = crd_dataset_add_note(parts->dataset, error, "rows of %.200s follow the order of %.200s",
                                          files[i], plan->index_from);
    return status;
}

static crd_status settle_names(node_plan *plan, crd_error *error)
{
    crd_parts *parts = plan->parts;
    crd_status status;
    if (parts->node_names != NULL)
        status = list_names(plan, parts->node_names, parts->node_name_count, parts->names_file, error);
    else if (parts->features.row_names != NULL)
        status = list_names(plan, parts->features.row_names, parts->features.rows, parts->features.file,
                            error);
    else {
        status = crd_name_index_new(&plan->index, error);
        plan->index_from = parts->labels.by_id ? parts->labels.file : parts->edges.file;
        plan->index_from_ids = true;
        if (status == CRD_OK && parts->labels.by_id) status = add_ids(plan, &parts->labels.ids, error);
        if (status == CRD_OK && parts->edges.by_id) status = add_ids(plan, &parts->edges.ids, error);
    }
    if (status != CRD_OK || plan->index == NULL) return status;
    status = agree(plan, plan->index_from, crd_name_index_count(plan->index), error);
    return status == CRD_OK && plan->index_from_ids ? note_order(plan, error) : status;
}

static crd_status settle_nodes(node_plan *plan, crd_error *error)
{
    crd_parts *parts = plan->parts;
    bool named = parts->node_names != NULL || parts->features.row_names != NULL
                 || parts->edges.ids.names != NULL || parts->labels.ids.names != NULL;
    crd_status status = named ? settle_names(plan, error) : crd_settle_base(parts, &plan->from_one, error);
    if (status == CRD_OK) status = count_nodes(plan, error);
    if (status == CRD_OK && plan->nodes < 0) {
        status = count_by_numbers(plan, &named, error);
        if (status == CRD_OK && named) status = settle_names(plan, error);
    }
    if (status != CRD_OK) return status;
    if (plan->nodes < 1)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: there are no nodes, expected a graph", parts->name);
    if (plan->nodes > INT32_MAX)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: %lld nodes are more than the %lld that can be held",
                        parts->name, (long long)plan->nodes, (long long)INT32_MAX);
    return CRD_OK;
}

static crd_status refuse_id(const node_plan *plan, const crd_ids *ids, int64_t index, const crd_lines *lines,
                            int width, const char *file, crd_error *error)
{
    char buffer[CRD_ID_SIZE];
    const char *text = crd_ids_text(ids, index, buffer);
    long long line = lines->line[index / width];
    const crd_parts *parts = plan->parts;
    if (plan->index != NULL) {
        bool unnamed = (plan->index_from == parts->features.file && parts->features.unnamed_ids) ||
                       (ids == &parts->labels.ids && parts->labels.unnamed_ids);
        return crd_fail(error, CRD_ERROR_MISMATCH, "%.200s: line %lld: node '%.60s' is not in %.200s%s", file,
                        line, text, plan->index_from,
                        unnamed ? "; a first column without a name is read as node ids: if it is an index, "
                                  "name the column of ids \"node\""
                                : "");
    }
    bool from_one = ids->token[index] == plan->nodes;
    for (int64_t i = 0; i < ids->count && from_one; i++) from_one = ids->token[i] > 0;
    return crd_fail(error, CRD_ERROR_MISMATCH,
                    "%.250s: line %lld: node %s does not exist: %.200s has %lld nodes, numbered from 0%s",
                    file, line, text, plan->nodes_from, (long long)plan->nodes,
                    from_one ? " (these ids seem to count from 1)" : "");
}

/* The node of an id, -1 if there is none. Where the graph has numbers of its own beside the names, an id may
 * also be such a number. */
static int64_t find_node(const node_plan *plan, const char *text)
{
    int64_t node = crd_name_index_find(plan->index, text), number;
    if (node < 0 && (plan->index == NULL || !plan->parts->edges.by_id) && crd_id_number(text, &number)
        && number < plan->nodes)
        node = number;
    return node;
}

/* The node of every id. Each distinct name is looked up once. */
static crd_status resolve(const node_plan *plan, const crd_ids *ids, const crd_lines *lines, int width,
                          const char *file, int32_t **nodes, crd_error *error)
{
    int64_t distinct = crd_name_index_count(ids->names);
    int32_t *node_of_name = NULL;
    crd_status status = CRD_NEW(nodes, ids->count, error);
    if (status == CRD_OK) status = CRD_NEW(&node_of_name, distinct, error);
    if (status != CRD_OK) return status;
    for (int64_t n = 0; n < distinct; n++)
        node_of_name[n] = (int32_t)find_node(plan, crd_name_index_name(ids->names, n));
    for (int64_t i = 0; i < ids->count && status == CRD_OK; i++) {
        int64_t node = ids->token[i];
        char buffer[CRD_ID_SIZE];
        if (ids->names != NULL) node = node_of_name[node];
        else if (plan->index != NULL) node = find_node(plan, crd_ids_text(ids, i, buffer));
        else if (node >= plan->nodes) node = -1;
        if (node < 0) status = refuse_id(plan, ids, i, lines, width, file, error);
        (*nodes)[i] = (int32_t)node;
    }
    free(node_of_name);
    return status;
}

static crd_status resolve_edges(const node_plan *plan, crd_error *error)
{
    crd_edge_part *edges = &plan->parts->edges;
    int32_t *ends = NULL;
    crd_status status = resolve(plan, &edges->ids, &edges->lines, 2, edges->file, &ends, error);
    if (status == CRD_OK) status = CRD_NEW(&edges->source, edges->count, error);
    if (status == CRD_OK) status = CRD_NEW(&edges->target, edges->count, error);
    for (int64_t i = 0; i < edges->count && status == CRD_OK; i++) {
        edges->source[i] = ends[2 * i];
        edges->target[i] = ends[2 * i + 1];
    }
    free(ends);
    return status;
}

static crd_status place_edges(const node_plan *plan, crd_error *error)
{
    crd_edge_part *edges = &plan->parts->edges;
    crd_dataset *dataset = plan->parts->dataset;
    if (edges->rows) return CRD_OK;
    crd_status status = edges->by_id ? resolve_edges(plan, error) : CRD_OK;
    for (int64_t i = 0; i < edges->count && status == CRD_OK; i++) {
        int32_t larger = edges->source[i] > edges->target[i] ? edges->source[i] : edges->target[i];
        if (larger >= plan->nodes)
            status = crd_fail(error, CRD_ERROR_MISMATCH,
                              "%.250s: edge %lld has node %d, but %.250s has %lld nodes, numbered from 0",
                              edges->file, (long long)i, larger, plan->nodes_from, (long long)plan->nodes);
    }
    if (status == CRD_OK)
        status = crd_graph_from_pairs(plan->nodes, edges->count, edges->source, edges->target,
                                      &dataset->input, &dataset->duplicates, error);
    return status;
}

/* A counting sort by row; the columns are put in order by crd_features_tidy. */
static crd_status rows_from_triplets(crd_triplets *triplets, crd_features *features, crd_error *error)
{
    *features = (crd_features){.rows = triplets->rows, .columns = triplets->columns, .sparse = true};
    crd_status status = CRD_NEW_ZERO(&features->start, triplets->rows + 1, error);
    if (status == CRD_OK) status = CRD_NEW(&features->column, triplets->count, error);
    if (status == CRD_OK) status = CRD_NEW(&features->value, triplets->count, error);
    if (status != CRD_OK) return status;
    int64_t *start = features->start, rows = triplets->rows;
    for (int64_t i = 0; i < triplets->count; i++) start[triplets->row[i] + 1]++;
    for (int64_t r = 0; r < rows; r++) start[r + 1] += start[r];
    for (int64_t i = 0; i < triplets->count; i++) {
        int64_t place = start[triplets->row[i]]++;
        features->column[place] = triplets->column[i];
        features->value[place] = triplets->value == NULL ? 1.0f : triplets->value[i];
    }
    /* Filling moved every start to the next row's. */
    for (int64_t r = rows; r > 0; r--) start[r] = start[r - 1];
    start[0] = 0;
    return CRD_OK;
}

static crd_status place_features(const node_plan *plan, crd_error *error)
{
    crd_feature_part *part = &plan->parts->features;
    crd_features *features = &plan->parts->dataset->features;
    if (part->file == NULL) return CRD_OK;
    crd_status status = CRD_OK;
    if (part->triplets_used) status = rows_from_triplets(&part->triplets, features, error);
    crd_triplets_free(&part->triplets);
    return status == CRD_OK ? crd_features_tidy(features, part->file, error) : status;
}

static crd_status place_labels(const node_plan *plan, crd_error *error)
{
    crd_label_part *labels = &plan->parts->labels;
    int32_t *node_of = NULL;
    crd_status status = CRD_OK;
    if (labels->by_id) status = resolve(plan, &labels->ids, &labels->lines, 1, labels->file, &node_of, error);
    if (status == CRD_OK) status = crd_parts_settle_labels(plan->parts, plan->nodes, node_of, error);
    free(node_of);
    return status;
}

static crd_status place_names(const node_plan *plan, crd_error *error)
{
    if (plan->index == NULL && !plan->from_one) return CRD_OK;
    crd_dataset *dataset = plan->parts->dataset;
    dataset->names_are_ids = plan->parts->edges.by_id || plan->parts->labels.by_id;
    crd_status status = CRD_NEW_ZERO(&dataset->node_names, plan->nodes, error);
    for (int64_t i = 0; i < plan->nodes && status == CRD_OK; i++) {
        char number[CRD_ID_SIZE];
        snprintf(number, sizeof number, "%lld", (long long)i + 1);
        status = crd_copy_string(&dataset->node_names[i],
                                 plan->from_one ? number : crd_name_index_name(plan->index, i), error);
    }
    if (status != CRD_OK) crd_strings_free(&dataset->node_names, plan->nodes);
    return status;
}

crd_status crd_parts_assemble(crd_parts *parts, crd_dataset **dataset, crd_error *error)
{
    node_plan plan = {.parts = parts, .nodes = -1};
    crd_status status = crd_take_targets(parts, error);
    if (status == CRD_OK) status = crd_settle_edge_header(parts, error);
    if (status == CRD_OK) status = settle_nodes(&plan, error);
    if (status == CRD_OK) status = place_edges(&plan, error);
    if (status == CRD_OK) status = place_features(&plan, error);
    if (status == CRD_OK) status = place_labels(&plan, error);
    if (status == CRD_OK) status = place_names(&plan, error);
    if (status == CRD_OK) status = crd_dataset_finish(parts->dataset, parts->name, error);
    crd_name_index_free(&plan.index);
    if (status != CRD_OK) return status;
    *dataset = parts->dataset;
    parts->dataset = NULL;
    return CRD_OK;
}
