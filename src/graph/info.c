/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "base/text.h"
#include "base/watch.h"
#include "credence_private.h"
#include "graph/dataset.h"

/* Below this part of the way from chance to all, edges that stay inside a class say little. */
#define LEAST_GAIN 0.2

void crd_dataset_class_counts(const crd_dataset *dataset, int64_t *counts)
{
    if (dataset == NULL || counts == NULL) return;
    for (int32_t c = 0; c < dataset->classes; c++) counts[c] = 0;
    for (int64_t i = 0; i < dataset->input.nodes; i++)
        if (dataset->labels[i] >= 0) counts[dataset->labels[i]]++;
}

/* Breadth first from every node that is not in a component yet. */
static crd_status count_components(const crd_graph *graph, crd_info *info, crd_error *error)
{
    int32_t *queue = NULL;
    uint8_t *seen;
    crd_status status = CRD_NEW_ZERO(&seen, graph->nodes, error);
    if (status == CRD_OK) status = CRD_NEW(&queue, graph->nodes, error);
    for (int64_t root = 0; root < graph->nodes && status == CRD_OK; root++) {
        if (seen[root]) continue;
        int64_t head = 0, tail = 0;
        queue[tail++] = (int32_t)root;
        seen[root] = 1;
        while (head < tail && !crd_watch_at(head)) {
            int32_t node = queue[head++];
            for (int64_t e = graph->start[node]; e < graph->start[node + 1]; e++) {
                int32_t next = graph->neighbour[e];
                if (seen[next]) continue;
                seen[next] = 1;
                queue[tail++] = next;
            }
        }
        if (head < tail) break; /* stopped */
        info->components++;
        if (tail > info->largest_component) info->largest_component = tail;
    }
    crd_free(queue);
    crd_free(seen);
    return status == CRD_OK ? crd_watch_check(error) : status;
}

/* The median from a count of every degree: no sorting. */
static crd_status describe_degrees(const crd_graph *graph, crd_info *info, crd_error *error)
{
    info->degree_min = INT64_MAX;
    for (int64_t i = 0; i < graph->nodes; i++) {
        int64_t degree = graph->start[i + 1] - graph->start[i];
        if (degree < info->degree_min) info->degree_min = degree;
        if (degree > info->degree_max) info->degree_max = degree;
        info->isolated += degree == 0;
    }
    info->degree_mean = (double)graph->start[graph->nodes] / (double)graph->nodes;
    int64_t *counts;
    crd_status status = CRD_NEW_ZERO(&counts, info->degree_max + 1, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < graph->nodes; i++) counts[graph->start[i + 1] - graph->start[i]]++;
    int64_t below = (graph->nodes - 1) / 2, above = graph->nodes / 2, passed = 0, first = -1, second = -1;
    for (int64_t degree = 0; degree <= info->degree_max && second < 0; degree++) {
        passed += counts[degree];
        if (first < 0 && passed > below) first = degree;
        if (passed > above) second = degree;
    }
    info->degree_median = ((double)first + (double)second) / 2.0;
    crd_free(counts);
    return CRD_OK;
}

static void see_value(crd_info *info, float value, bool *any)
{
    if (!*any || value < info->feature_min) info->feature_min = value;
    if (!*any || value > info->feature_max) info->feature_max = value;
    *any = true;
}

static void describe_features(const crd_features *features, crd_info *info)
{
    bool any = false;
    for (int64_t r = 0; r < features->rows; r++) {
        int64_t nonzero = 0;
        if (features->sparse) {
            nonzero = features->start[r + 1] - features->start[r];
            for (int64_t e = features->start[r]; e < features->start[r + 1]; e++)
                see_value(info, features->value[e], &any);
        } else {
            const float *row = features->dense + r * features->columns;
            for (int64_t c = 0; c < features->columns; c++) {
                nonzero += row[c] != 0.0f;
                see_value(info, row[c], &any);
            }
        }
        /* Entries that a sparse row does not store are zero. */
        if (nonzero < features->columns) see_value(info, 0.0f, &any);
        info->featureless += nonzero == 0 && features->columns > 0;
        info->features_nonzero += nonzero;
    }
    double cells = (double)features->rows * (double)features->columns;
    info->features = features->columns;
    info->features_sparse = features->sparse;
    info->feature_density = cells > 0.0 ? (double)info->features_nonzero / cells : 0.0;
}

/* ---- whether edges join nodes of one class ---- */

/* The class of a node, if it counts: it is below `classes`, and training may look at it; else -1. */
static int32_t visible_label(const crd_dataset *dataset, const crd_split *split, int64_t node, int32_t classes)
{
    const crd_role role = split != NULL ? crd_split_role(split, node) : CRD_ROLE_TRAIN;
    const bool seen = role == CRD_ROLE_TRAIN || role == CRD_ROLE_VALIDATION;
    return seen && dataset->labels[node] < classes ? dataset->labels[node] : -1;
}

/* Whether edges say little about classes: even if as many stayed inside a class as luck may have hidden (two standard
 * errors, Agresti and Coull), they would do so hardly more often than by chance. */
static bool misleads(int64_t inside, int64_t edges, double chance)
{
    const double share = ((double)inside + 2.0) / ((double)edges + 4.0);
    const double most = share + 2.0 * sqrt(share * (1.0 - share) / ((double)edges + 4.0));
    return most - chance < LEAST_GAIN * (1.0 - chance);
}

crd_status crd_dataset_homophily(const crd_dataset *dataset, const crd_split *split, int32_t classes,
                                 crd_homophily *homophily, crd_error *error)
{
    const crd_graph *graph = &dataset->graph;
    int64_t *ends, inside = 0, all = 0; /* both directions of an edge count: the fractions are the same */
    *homophily = (crd_homophily){.inside = -1.0, .chance = -1.0};
    crd_status status = CRD_NEW_ZERO(&ends, classes, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < graph->nodes; i++) {
        const int32_t label = visible_label(dataset, split, i, classes);
        for (int64_t e = graph->start[i]; e < graph->start[i + 1] && label >= 0; e++) {
            const int32_t other = visible_label(dataset, split, graph->neighbour[e], classes);
            if (other < 0) continue;
            inside += other == label;
            ends[label]++;
            all++;
        }
    }
    if (all > 0) {
        double chance = 0.0;
        for (int32_t c = 0; c < classes; c++)
            chance += ((double)ends[c] / (double)all) * ((double)ends[c] / (double)all);
        *homophily =
            (crd_homophily){all / 2, (double)inside / (double)all, chance, misleads(inside / 2, all / 2, chance)};
    }
    crd_free(ends);
    return CRD_OK;
}

crd_status crd_dataset_info_sized(const crd_dataset *dataset, crd_info *info, size_t size, crd_error *error)
{
    if (CRD_ANY_NULL(error, dataset, info)) return CRD_ERROR_ARGUMENT;
    const crd_graph *graph = &dataset->graph;
    crd_info facts = {.nodes = graph->nodes,
                      .input_edges = dataset->input.start[graph->nodes],
                      .edges = graph->start[graph->nodes] / 2,
                      .directed = dataset->directed,
                      .self_loops = dataset->self_loops,
                      .duplicates = dataset->duplicates,
                      .classes = dataset->classes,
                      .splits = dataset->splits};
    describe_features(&dataset->features, &facts);
    for (int64_t i = 0; i < graph->nodes; i++) facts.labelled += dataset->labels[i] >= 0;
    crd_homophily homophily;
    crd_status status = crd_dataset_homophily(dataset, NULL, dataset->classes, &homophily, error);
    facts.edge_homophily = homophily.inside;
    facts.edge_homophily_chance = homophily.chance;
    facts.edges_mislead = homophily.misleads;
    if (status == CRD_OK) status = count_components(graph, &facts, error);
    if (status == CRD_OK) status = describe_degrees(graph, &facts, error);
    if (status == CRD_OK) crd_give_sized(&facts, sizeof facts, info, size);
    return status;
}

/* ---- JSON ---- */

static void add_facts(crd_text *json, const crd_info *info)
{
    crd_json_add_integer(json, "nodes", info->nodes);
    crd_json_add_integer(json, "input_edges", info->input_edges);
    crd_json_add_integer(json, "edges", info->edges);
    crd_json_add_bool(json, "directed", info->directed);
    crd_json_add_integer(json, "self_loops", info->self_loops);
    crd_json_add_integer(json, "duplicates", info->duplicates);
    crd_json_add_integer(json, "isolated", info->isolated);
    crd_json_add_integer(json, "components", info->components);
    crd_json_add_integer(json, "largest_component", info->largest_component);
    crd_json_add_integer(json, "degree_min", info->degree_min);
    crd_json_add_integer(json, "degree_max", info->degree_max);
    crd_json_add_number(json, "degree_mean", info->degree_mean);
    crd_json_add_number(json, "degree_median", info->degree_median);
    crd_json_add_integer(json, "features", info->features);
    crd_json_add_bool(json, "features_sparse", info->features_sparse);
    crd_json_add_integer(json, "features_nonzero", info->features_nonzero);
    crd_json_add_number(json, "feature_density", info->feature_density);
    crd_json_add_float(json, "feature_min", info->feature_min);
    crd_json_add_float(json, "feature_max", info->feature_max);
    crd_json_add_integer(json, "featureless", info->featureless);
    crd_json_add_integer(json, "classes", info->classes);
    crd_json_add_integer(json, "labelled", info->labelled);
    crd_json_add_number(json, "edge_homophily", info->edge_homophily < 0.0 ? (double)NAN : info->edge_homophily);
    crd_json_add_number(json, "edge_homophily_chance",
                        info->edge_homophily_chance < 0.0 ? (double)NAN : info->edge_homophily_chance);
    crd_json_add_bool(json, "edges_mislead", info->edges_mislead);
    crd_json_add_integer(json, "splits", info->splits);
}

static void add_lists(crd_text *json, const crd_dataset *dataset, const int64_t *counts)
{
    crd_json_open(json, "class_counts", "[");
    for (int32_t c = 0; c < dataset->classes; c++) {
        crd_json_open(json, NULL, "{");
        crd_json_add_string(json, "class", dataset->class_names[c]);
        crd_json_add_integer(json, "nodes", counts[c]);
        crd_text_add(json, "}");
    }
    crd_text_add(json, "]");
    crd_json_open(json, "notes", "[");
    for (int n = 0; n < dataset->notes.count; n++) crd_json_add_string(json, NULL, dataset->notes.text[n]);
    crd_text_add(json, "]");
    crd_json_add_string(json, "fingerprint", dataset->fingerprint);
}

crd_status crd_dataset_info_json(const crd_dataset *dataset, char **json, crd_error *error)
{
    if (json != NULL) *json = NULL;
    if (CRD_ANY_NULL(error, dataset, json)) return CRD_ERROR_ARGUMENT;
    crd_info info;
    int64_t *counts = NULL;
    crd_text text = {0};
    crd_status status = crd_dataset_info(dataset, &info, error);
    if (status == CRD_OK) status = CRD_NEW(&counts, dataset->classes, error);
    if (status != CRD_OK) return status;
    crd_dataset_class_counts(dataset, counts);
    crd_text_add(&text, "{");
    add_facts(&text, &info);
    add_lists(&text, dataset, counts);
    crd_text_add(&text, "}");
    crd_free(counts);
    return crd_text_finish(&text, json, error);
}
