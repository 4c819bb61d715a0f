/* SPDX-License-Identifier: MIT */
/* Station 4: the raw form is checked once and becomes a dataset. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/watch.h"
#include "graph/typed.h"
#include "graph/raw.h"

/* ---- weights ---- */

static bool has_weights(const crd_raw_edges *edges)
{
    return edges->weight != NULL || edges->lent_weight.data != NULL;
}

static double weight_of(const crd_raw_edges *edges, int64_t e)
{
    return edges->weight != NULL ? (double)edges->weight[e] : crd_number_at(&edges->lent_weight, e);
}

/* Whether an entry of this weight is an edge. */
static bool is_kept(double weight, double least)
{
    return weight != 0.0 && !(weight < least); /* NaN is kept */
}

static crd_status drop_light_edges(crd_raw_edges *edges, double least, crd_error *error)
{
    const bool rows = edges->rows.start != NULL;
    int64_t kept = 0, begin = 0;
    crd_status status = rows ? crd_graph_own(&edges->rows, error) : CRD_OK;
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < edges->rows.nodes; i++) { /* none for pairs */
        if (crd_watch_at(i)) return crd_watch_stopped(error);
        int64_t end = edges->rows.start[i + 1];
        for (int64_t e = begin; e < end; e++)
            if (is_kept(weight_of(edges, e), least)) edges->rows.neighbour[kept++] = edges->rows.neighbour[e];
        begin = end;
        edges->rows.start[i + 1] = kept;
    }
    for (int64_t e = 0; e < edges->count && !rows; e++) {
        if (crd_watch_at(e)) return crd_watch_stopped(error);
        if (!is_kept(weight_of(edges, e), least)) continue;
        edges->source[kept] = edges->source[e];
        edges->target[kept++] = edges->target[e];
    }
    if (rows) CRD_SHRINK(&edges->rows.neighbour, kept);
    edges->count = kept;
    return CRD_OK;
}

/* If weights matter, every edge must have one; if they are refused, it must be 1. */
static crd_status check_weights(const crd_raw *raw, crd_error *error)
{
    const crd_raw_edges *edges = &raw->edges;
    for (int64_t e = 0; e < edges->count; e++) {
        if (crd_watch_at(e)) return crd_watch_stopped(error);
        const double weight = weight_of(edges, e);
        const char *unit = edges->lines.count > 0 ? "line" : "edge";
        const long long place = edges->lines.count > 0 ? (long long)edges->lines.line[e] : (long long)e;
        if (raw->edge_weights == CRD_WEIGHTS_REFUSE && weight != 1.0 && weight != 0.0)
            return crd_fail(error, CRD_ERROR_FORMAT, "%.300s: %s %lld: has the weight %g, and weights are refused",
                            edges->file, unit, place, weight);
        if (raw->min_edge_weight > 0.0 && isnan(weight))
            return crd_fail(error, CRD_ERROR_FORMAT, "%.300s: %s %lld: has no weight that can be read", edges->file,
                            unit, place);
    }
    return CRD_OK;
}

static crd_status note_weights(crd_raw *raw, int64_t zeros, int64_t light, bool weighted, crd_error *error)
{
    const double least = raw->min_edge_weight;
    crd_status status = CRD_OK;
    if (zeros > 0)
        status = crd_note(&raw->notes, error, "%lld stored edge%s of weight 0 %s left out", (long long)zeros,
                          zeros == 1 ? "" : "s", zeros == 1 ? "was" : "were");
    if (status == CRD_OK && least > 0.0)
        return crd_note(&raw->notes, error, "%lld stored edge%s of a weight below %g %s left out", (long long)light,
                        light == 1 ? "" : "s", least, light == 1 ? "was" : "were");
    if (status != CRD_OK || raw->edge_weights != CRD_WEIGHTS_AUTO) return status;
    if (raw->edges.more_columns)
        return crd_note(&raw->notes, error, "only the edge list's first two columns are used: weights are not");
    return weighted ? crd_note(&raw->notes, error, "edge weights are not used: every edge counts the same") : CRD_OK;
}

/* Edges of weight 0, or less than the options ask for, are left out; the others count the same. */
static crd_status settle_weights(crd_raw *raw, crd_error *error)
{
    crd_raw_edges *edges = &raw->edges;
    const double least = raw->min_edge_weight;
    int64_t zeros = 0, light = 0;
    bool weighted = false;
    if (!(least >= 0.0 && least <= FLT_MAX))
        return crd_fail_about(error, CRD_ERROR_ARGUMENT, "min-edge-weight", "is %g, expected 0 or more", least);
    if (!has_weights(edges) && least > 0.0)
        return crd_fail_about(error, CRD_ERROR_MISMATCH, "min-edge-weight",
                              "is %g, but no edge of %.300s has a weight other than 1", least, edges->file);
    if (!has_weights(edges) && raw->edge_weights == CRD_WEIGHTS_REFUSE && edges->more_columns)
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%.300s: has more than the two nodes of an edge, and weights are refused", edges->file);
    crd_status status = has_weights(edges) ? check_weights(raw, error) : CRD_OK;
    for (int64_t e = 0; e < edges->count && has_weights(edges) && status == CRD_OK; e++) {
        if (crd_watch_at(e)) status = crd_watch_stopped(error);
        const double weight = weight_of(edges, e);
        zeros += weight == 0.0;
        light += weight != 0.0 && !is_kept(weight, least);
        weighted = weighted || (weight != 1.0 && weight != 0.0);
    }
    if (status == CRD_OK && zeros + light > 0) status = drop_light_edges(edges, least, error);
    return status == CRD_OK ? note_weights(raw, zeros, light, weighted, error) : status;
}

/* ---- the graph ---- */

static crd_status make_graph(crd_raw *raw, int64_t nodes, crd_dataset *dataset, crd_error *error)
{
    crd_raw_edges *edges = &raw->edges;
    crd_error problem = {0};
    crd_status status = settle_weights(raw, error);
    if (status != CRD_OK) return status;
    if (edges->rows.start != NULL) {
        dataset->input = edges->rows;
        edges->rows = (crd_graph){0};
        status = crd_graph_tidy(&dataset->input, &dataset->duplicates, &problem);
    } else
        status = crd_graph_from_pairs(nodes, edges->count, edges->source, edges->target, &dataset->input,
                                      &dataset->duplicates, &problem);
    if (status == CRD_ERROR_ARGUMENT || status == CRD_ERROR_FORMAT)
        return crd_fail(error, status == CRD_ERROR_FORMAT ? status : CRD_ERROR_MISMATCH, "%.200s: %.250s", edges->file,
                        problem.message);
    if (status != CRD_OK && error != NULL) *error = problem;
    crd_free(edges->source);
    crd_free(edges->target);
    edges->source = edges->target = NULL;
    return status;
}

/* The graph that models see. If no edge has its reverse, each was written once, and directions say nothing. */
static crd_status make_symmetric(crd_dataset *dataset, crd_error *error)
{
    crd_directions found;
    crd_status status =
        crd_graph_share_symmetric(&dataset->input, &found, &dataset->graph_is_input, &dataset->graph, error);
    if (status != CRD_OK) return status;
    dataset->self_loops = found.self_loops;
    dataset->directed = found.mutual > 0 && found.mutual < found.entries;
    return CRD_OK;
}

/* ---- borrowed arrays ---- */

/* What was borrowed for the time of the call alone is copied; readers borrow nothing. */
static crd_status settle_loan(const crd_raw *raw, crd_dataset *dataset, crd_error *error)
{
    if (raw->lasting_loan) return CRD_OK;
    crd_status status = crd_graph_own(&dataset->input, error);
    if (dataset->graph_is_input) dataset->graph = dataset->input;
    return status == CRD_OK ? crd_features_own(&dataset->features, error) : status;
}

/* ---- features and names ---- */

/* Missing features become a sparse matrix without columns, so that code can always walk its rows. */
static crd_status make_features(crd_raw *raw, int64_t nodes, crd_dataset *dataset, crd_error *error)
{
    crd_features *features = &dataset->features;
    *features = raw->features.matrix;
    raw->features.matrix = (crd_features){.rows = features->rows}; /* the rows may still have names */
    if (features->columns == 0) {
        crd_features_free(features);
        features->rows = nodes;
        features->sparse = true;
        crd_status status = CRD_NEW_ZERO(&features->start, nodes + 1, error);
        if (status == CRD_OK) status = CRD_NEW(&features->column, 0, error);
        if (status == CRD_OK) status = CRD_NEW(&features->value, 0, error);
        return status;
    }
    crd_status status = crd_features_tidy(features, raw->features.file, error);
    return status == CRD_OK ? crd_features_choose_storage(features, error) : status;
}

/* Whether they are the names that we write if there are none: f0, f1, f2, ... */
static bool are_our_own(char *const *names, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t number;
        if (names[i][0] != 'f' || !crd_id_number(names[i] + 1, &number) || number != i) return false;
    }
    return true;
}

/* Names that are just the numbers say nothing. Others are for people and for models, which find columns by them. */
static crd_status make_feature_names(crd_raw *raw, crd_dataset *dataset, crd_error *error)
{
    crd_raw_names *names = &raw->columns;
    const int64_t columns = dataset->features.columns;
    crd_name_index *index = NULL;
    if (names->name == NULL || columns == 0) return CRD_OK;
    if (names->count != columns)
        return crd_note(&raw->notes, error, "%.200s: has the names of %lld features, but there are %lld: left out",
                        names->file, (long long)names->count, (long long)columns);
    if (crd_are_numbers(names->name, columns) || are_our_own(names->name, columns)) return CRD_OK;
    crd_status status =
        crd_index_names(raw, names->name, columns, names->file, "feature", names->required, &index, error);
    if (index == NULL) return status;
    crd_name_index_free(&index);
    dataset->feature_names = names->name;
    names->name = NULL;
    names->count = 0;
    return CRD_OK;
}

/* Names that are just the numbers say nothing: such nodes have no names, and such class names do not count as given. */
static crd_status make_names(const crd_raw *raw, crd_nodes *nodes, crd_dataset *dataset, crd_error *error)
{
    crd_status status = CRD_OK;
    dataset->class_names_given = !crd_are_numbers(dataset->class_names, dataset->classes);
    if (nodes->names == NULL || crd_are_numbers(nodes->names, nodes->count)) return CRD_OK;
    dataset->node_names = nodes->names;
    nodes->names = NULL;
    dataset->names_are_ids = raw->edges.by_id || raw->labels.by_id;
    dataset->names_are_numbers = true;
    for (int64_t i = 0; i < nodes->count && dataset->names_are_numbers; i++) {
        int64_t number;
        dataset->names_are_numbers = crd_id_number(dataset->node_names[i], &number);
    }
    dataset->node_index = nodes->index;
    nodes->index = NULL;
    if (dataset->node_index == NULL) status = crd_name_index_new(&dataset->node_index, error);
    for (int64_t i = crd_name_index_count(dataset->node_index); i < nodes->count && status == CRD_OK; i++) {
        if (crd_watch_at(i)) status = crd_watch_stopped(error);
        int64_t number;
        status = crd_name_index_add(dataset->node_index, dataset->node_names[i], &number, error);
    }
    return status;
}

/* ---- classes without nodes ---- */

/* "class 0 has no labelled node and is left out". */
static crd_status note_empty_classes(crd_dataset *dataset, const int64_t *counts, bool left_out, crd_error *error)
{
    enum { LISTED = 8 };
    crd_text list = {0};
    int64_t empty = 0;
    for (int32_t c = 0; c < dataset->classes; c++) {
        if (counts[c] > 0 || ++empty > LISTED) continue;
        crd_text_format(&list, "%s%.40s", empty > 1 ? ", " : "", dataset->class_names[c]);
    }
    if (empty > LISTED) crd_text_format(&list, " and %lld more", (long long)(empty - LISTED));
    char *classes;
    crd_status status = crd_text_finish(&list, &classes, error);
    if (status != CRD_OK) return status;
    const char *end = !left_out ? "" : empty == 1 ? " and is left out" : " and are left out";
    if (empty > 0)
        status = crd_note(&dataset->notes, error, "%s %s %s no labelled node%s", empty == 1 ? "class" : "classes",
                          classes, empty == 1 ? "has" : "have", end);
    crd_string_free(&classes);
    return status;
}

/* Closes the gaps that empty classes leave: renumbers the labels; names stay with their classes. */
static crd_status close_gaps(crd_dataset *dataset, const int64_t *counts, crd_error *error)
{
    int32_t *place, kept = 0;
    crd_status status = CRD_NEW(&place, dataset->classes, error);
    if (status != CRD_OK) return status;
    for (int32_t c = 0; c < dataset->classes; c++) {
        place[c] = kept;
        if (counts[c] > 0) dataset->class_names[kept++] = dataset->class_names[c];
        else crd_string_free(&dataset->class_names[c]);
    }
    for (int64_t i = 0; i < dataset->input.nodes; i++)
        if (dataset->labels[i] >= 0) dataset->labels[i] = place[dataset->labels[i]];
    dataset->classes = kept;
    dataset->class_names_given = !crd_are_numbers(dataset->class_names, kept);
    crd_free(place);
    return CRD_OK;
}

/* A class without a labelled node can neither be learned nor measured, so it is left out. If no node has a label, the
 * list of classes stays. */
static crd_status drop_empty_classes(crd_dataset *dataset, crd_error *error)
{
    int64_t *counts, labelled = 0;
    int32_t empty = 0;
    crd_status status = CRD_NEW(&counts, dataset->classes, error);
    if (status != CRD_OK) return status;
    crd_dataset_class_counts(dataset, counts);
    for (int32_t c = 0; c < dataset->classes; c++) {
        labelled += counts[c];
        empty += counts[c] == 0;
    }
    status = note_empty_classes(dataset, counts, labelled > 0, error);
    if (status == CRD_OK && empty > 0 && labelled > 0) status = close_gaps(dataset, counts, error);
    crd_free(counts);
    return status;
}

/* ---- together ---- */

static crd_status note_count(crd_notes *notes, int64_t count, const char *one, const char *many, crd_error *error)
{
    if (count == 0) return CRD_OK;
    return crd_note(notes, error, "%lld %s", (long long)count, count == 1 ? one : many);
}

/* As when a column of node numbers is taken for the classes. */
static bool all_classes_differ(const crd_dataset *dataset)
{
    enum { SUSPICIOUS = 10 };
    int64_t labelled = 0;
    for (int64_t i = 0; i < dataset->graph.nodes && dataset->classes > SUSPICIOUS; i++)
        labelled += dataset->labels[i] >= 0;
    return dataset->classes > SUSPICIOUS && labelled == dataset->classes;
}

static crd_status add_notes(crd_dataset *dataset, crd_error *error)
{
    crd_notes *notes = &dataset->notes;
    crd_status status = CRD_OK;
    if (dataset->graph.start[dataset->graph.nodes] == 0) status = crd_note(notes, error, "there are no edges");
    if (status == CRD_OK && dataset->directed)
        status = crd_note(notes, error, "the graph is directed: models see both directions");
    if (status == CRD_OK)
        status = note_count(notes, dataset->self_loops, "self-loop was dropped", "self-loops were dropped", error);
    if (status == CRD_OK)
        status =
            note_count(notes, dataset->duplicates, "repeated edge was dropped", "repeated edges were dropped", error);
    if (status == CRD_OK && dataset->features.columns == 0)
        status = crd_note(notes, error, "there are no node features");
    if (status == CRD_OK && dataset->classes == 0) status = crd_note(notes, error, "there are no labels");
    if (status == CRD_OK && all_classes_differ(dataset))
        status = crd_note(notes, error, "every labelled node has a class of its own: are these really classes?");
    return status;
}

static crd_status finish(crd_raw *raw, crd_nodes *nodes, crd_dataset *dataset, crd_error *error)
{
    crd_status status = make_graph(raw, nodes->count, dataset, error);
    if (status == CRD_OK) status = crd_watch_check(error);
    if (status == CRD_OK) status = make_features(raw, nodes->count, dataset, error);
    if (status == CRD_OK) status = make_feature_names(raw, dataset, error);
    if (status == CRD_OK) status = crd_make_classes(raw, nodes, dataset, error);
    if (status == CRD_OK) status = make_names(raw, nodes, dataset, error);
    if (status == CRD_OK) status = crd_watch_check(error);
    if (status == CRD_OK) status = make_symmetric(dataset, error);
    if (status == CRD_OK) status = crd_watch_check(error);
    if (status == CRD_OK) status = settle_loan(raw, dataset, error);
    dataset->notes = raw->notes;
    raw->notes = (crd_notes){0};
    if (status == CRD_OK) status = add_notes(dataset, error);
    if (status == CRD_OK) status = drop_empty_classes(dataset, error);
    if (status == CRD_OK) crd_dataset_take_fingerprint(dataset);
    if (status == CRD_OK) status = crd_watch_check(error);
    return status;
}

crd_status crd_finish(crd_raw *raw, crd_dataset **dataset, crd_error *error)
{
    crd_nodes nodes = {0};
    crd_dataset *made = NULL;
    crd_status status = crd_take_targets(raw, error);
    if (status == CRD_OK) status = crd_watch_check(error);
    if (status == CRD_OK) status = crd_resolve(raw, &nodes, error);
    if (status == CRD_OK) status = crd_watch_check(error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&made, 1, error);
    if (status == CRD_OK) status = finish(raw, &nodes, made, error);
    crd_nodes_free(&nodes);
    if (status == CRD_OK) *dataset = made;
    else crd_dataset_free(&made);
    return status;
}

crd_status crd_finish_with(crd_raw *raw, crd_archive *archive, const crd_open_options *options, crd_dataset **dataset,
                           crd_error *error)
{
    crd_status status = CRD_OK;
    crd_dataset *made = NULL;
    crd_raw_set_options(raw, options);
    if (options != NULL && options->features != NULL) {
        crd_raw_features_free(&raw->features);
        crd_raw_names_free(&raw->columns);
        status = crd_read_part(options->features, CRD_PART_FEATURES, raw, error);
    }
    if (status == CRD_OK && options != NULL && options->labels != NULL) {
        crd_raw_labels_free(&raw->labels);
        crd_raw_names_free(&raw->classes); /* new labels may have other classes */
        status = crd_read_part(options->labels, CRD_PART_LABELS, raw, error);
    }
    if (status == CRD_OK) status = crd_check_columns_found(raw, error);
    if (status == CRD_OK) status = crd_finish(raw, &made, error);
    if (status == CRD_OK && archive != NULL) status = crd_splits_from_archive(archive, made, error);
    if (status == CRD_OK) *dataset = made;
    else crd_dataset_free(&made);
    return status;
}
