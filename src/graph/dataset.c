#include "graph/dataset.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "graph/ids.h"
#include "io/npy.h"

crd_status crd_dataset_new(crd_dataset **dataset, crd_error *error)
{
    return CRD_NEW_ZERO(dataset, 1, error);
}

void crd_dataset_free(crd_dataset **dataset)
{
    if (dataset == NULL || *dataset == NULL) return;
    crd_dataset *d = *dataset;
    *dataset = NULL;
    crd_strings_free(&d->node_names, d->input.nodes);
    crd_strings_free(&d->class_names, d->classes);
    crd_strings_free(&d->notes, d->note_count);
    crd_name_index_free(&d->node_index);
    if (!d->graph_is_input) crd_graph_free(&d->graph);
    crd_graph_free(&d->input);
    crd_features_free(&d->features);
    free(d->labels);
    free(d->split_roles);
    free(d);
}

crd_status crd_dataset_add_note(crd_dataset *dataset, crd_error *error, const char *format, ...)
{
    char sentence[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    int64_t capacity = dataset->note_count; /* notes are few: the array may be moved for each */
    crd_status status = CRD_GROW(&dataset->notes, &capacity, dataset->note_count + 1, error);
    if (status == CRD_OK) status = crd_copy_string(&dataset->notes[dataset->note_count], sentence, error);
    if (status == CRD_OK) dataset->note_count++;
    return status;
}

/* Features that are not there are a sparse matrix without columns, so that whoever walks rows finds rows. */
static crd_status finish_features(crd_dataset *dataset, const char *name, crd_error *error)
{
    crd_features *features = &dataset->features;
    int64_t nodes = dataset->input.nodes;
    if (features->columns == 0) {
        crd_features_free(features);
        features->rows = nodes;
        features->sparse = true;
        crd_status status = CRD_NEW_ZERO(&features->start, nodes + 1, error);
        if (status == CRD_OK) status = CRD_NEW(&features->column, 0, error);
        if (status == CRD_OK) status = CRD_NEW(&features->value, 0, error);
        return status;
    }
    if (features->rows != nodes)
        return crd_fail(error, CRD_ERROR_MISMATCH, "%s: has features for %lld nodes, but %lld nodes", name,
                        (long long)features->rows, (long long)nodes);
    crd_status status = crd_features_tidy(features, name, error);
    return status == CRD_OK ? crd_features_settle(features, error) : status;
}

static crd_status finish_labels(crd_dataset *dataset, const char *name, crd_error *error)
{
    int64_t nodes = dataset->input.nodes;
    if (dataset->labels == NULL) {
        crd_status status = CRD_NEW(&dataset->labels, nodes, error);
        if (status != CRD_OK) return status;
        for (int64_t i = 0; i < nodes; i++) dataset->labels[i] = -1;
    }
    for (int64_t i = 0; i < nodes; i++)
        if (dataset->labels[i] < -1 || dataset->labels[i] >= dataset->classes)
            return crd_fail(error, CRD_ERROR_FORMAT,
                            "%s: node %lld has the label %d, expected -1 (unknown) to %d", name, (long long)i,
                            dataset->labels[i], dataset->classes - 1);
    if (dataset->classes > nodes && dataset->class_names == NULL)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: has %d classes but only %lld nodes", name,
                        dataset->classes, (long long)nodes);
    return CRD_OK;
}

static bool are_numbers(char *const *names, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t number;
        if (!crd_id_number(names[i], &number) || number != i) return false;
    }
    return true;
}

static crd_status index_names(char *const *names, int64_t count, const char *what, const char *name,
                              crd_name_index **index, crd_error *error)
{
    crd_status status = crd_name_index_new(index, error);
    for (int64_t i = 0; i < count && status == CRD_OK; i++) {
        int64_t number = i;
        if (names[i][0] != '\0') status = crd_name_index_add(*index, names[i], &number, error);
        if (status != CRD_OK) break;
        if (names[i][0] == '\0')
            status = crd_fail(error, CRD_ERROR_FORMAT, "%s: %s %lld has an empty name", name, what,
                              (long long)i);
        else if (number != i)
            status = crd_fail(error, CRD_ERROR_FORMAT, "%.300s: %s %lld has the name of %s %lld, '%.60s'",
                              name, what, (long long)i, what, (long long)number, names[i]);
    }
    return status;
}

/* Names that are the numbers themselves say nothing: nodes then have none, classes none that were given. */
static crd_status finish_names(crd_dataset *dataset, const char *name, crd_error *error)
{
    crd_status status = CRD_OK;
    int64_t nodes = dataset->input.nodes;
    if (dataset->node_names != NULL && are_numbers(dataset->node_names, nodes))
        crd_strings_free(&dataset->node_names, nodes);
    dataset->names_are_numbers = dataset->node_names != NULL;
    for (int64_t i = 0; i < nodes && dataset->names_are_numbers; i++) {
        int64_t number;
        dataset->names_are_numbers = crd_id_number(dataset->node_names[i], &number);
    }
    if (dataset->node_names != NULL)
        status = index_names(dataset->node_names, nodes, "node", name, &dataset->node_index, error);
    if (status != CRD_OK) return status;
    if (dataset->class_names != NULL) {
        crd_name_index *unique = NULL;
        status = index_names(dataset->class_names, dataset->classes, "class", name, &unique, error);
        crd_name_index_free(&unique);
        dataset->class_names_given = !are_numbers(dataset->class_names, dataset->classes);
        return status;
    }
    dataset->class_names_given = false;
    status = CRD_NEW_ZERO(&dataset->class_names, dataset->classes, error);
    for (int32_t c = 0; c < dataset->classes && status == CRD_OK; c++) {
        char number[16];
        snprintf(number, sizeof number, "%d", c);
        status = crd_copy_string(&dataset->class_names[c], number, error);
    }
    return status;
}

static crd_status finish_graph(crd_dataset *dataset, crd_error *error)
{
    const crd_graph *input = &dataset->input;
    dataset->self_loops = 0;
    for (int64_t i = 0; i < input->nodes; i++)
        for (int64_t e = input->start[i]; e < input->start[i + 1]; e++)
            dataset->self_loops += input->neighbour[e] == i;
    dataset->directed = !crd_graph_is_symmetric(input);
    dataset->graph_is_input = !dataset->directed && dataset->self_loops == 0;
    if (!dataset->graph_is_input) return crd_graph_symmetric(input, &dataset->graph, error);
    dataset->graph = *input;
    return CRD_OK;
}

/* "class 0 has no labelled node and is left out". */
static crd_status note_empty_classes(crd_dataset *dataset, const int64_t *counts, bool left_out,
                                     crd_error *error)
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
        status = crd_dataset_add_note(dataset, error, "%s %s %s no labelled node%s",
                                      empty == 1 ? "class" : "classes", classes, empty == 1 ? "has" : "have",
                                      end);
    crd_string_free(&classes);
    return status;
}

/* Closes the gaps that empty classes leave: labels are numbered anew, names stay with their classes. */
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
    dataset->class_names_given = !are_numbers(dataset->class_names, kept);
    free(place);
    return CRD_OK;
}

/* A class without a labelled node can neither be learned nor measured: it is left out. Where no node has a
 * label, the list of classes is all there is, and stays. */
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
    free(counts);
    return status;
}

static crd_status note_count(crd_dataset *dataset, int64_t count, const char *one, const char *many,
                             crd_error *error)
{
    if (count == 0) return CRD_OK;
    return crd_dataset_add_note(dataset, error, "%lld %s", (long long)count, count == 1 ? one : many);
}

static crd_status finish_notes(crd_dataset *dataset, crd_error *error)
{
    crd_status status = CRD_OK;
    if (dataset->graph.start[dataset->graph.nodes] == 0)
        status = crd_dataset_add_note(dataset, error, "there are no edges");
    if (status == CRD_OK && dataset->directed)
        status = crd_dataset_add_note(dataset, error, "the graph is directed: models see both directions");
    if (status == CRD_OK)
        status = note_count(dataset, dataset->self_loops, "self-loop was dropped", "self-loops were dropped",
                            error);
    if (status == CRD_OK)
        status = note_count(dataset, dataset->duplicates, "repeated edge was dropped",
                            "repeated edges were dropped", error);
    if (status == CRD_OK && dataset->features.columns == 0)
        status = crd_dataset_add_note(dataset, error, "there are no node features");
    if (status == CRD_OK && dataset->classes == 0)
        status = crd_dataset_add_note(dataset, error, "there are no labels");
    return status == CRD_OK ? drop_empty_classes(dataset, error) : status;
}

crd_status crd_dataset_finish(crd_dataset *dataset, const char *name, crd_error *error)
{
    if (dataset->input.nodes < 1)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: there are no nodes, expected a graph", name);
    crd_status status = finish_features(dataset, name, error);
    if (status == CRD_OK) status = finish_labels(dataset, name, error);
    if (status == CRD_OK) status = finish_names(dataset, name, error);
    if (status == CRD_OK) status = finish_graph(dataset, error);
    if (status == CRD_OK) status = finish_notes(dataset, error);
    if (status == CRD_OK) crd_dataset_take_fingerprint(dataset);
    return status;
}

int64_t crd_dataset_nodes(const crd_dataset *dataset)
{
    return dataset->input.nodes;
}

int64_t crd_dataset_features(const crd_dataset *dataset)
{
    return dataset->features.columns;
}

int32_t crd_dataset_classes(const crd_dataset *dataset)
{
    return dataset->classes;
}

int32_t crd_dataset_label(const crd_dataset *dataset, int64_t node)
{
    return node < 0 || node >= dataset->input.nodes ? -1 : dataset->labels[node];
}

const char *crd_dataset_node_name(const crd_dataset *dataset, int64_t node)
{
    if (dataset->node_names == NULL || node < 0 || node >= dataset->input.nodes) return NULL;
    return dataset->node_names[node];
}

const char *crd_dataset_class_name(const crd_dataset *dataset, int32_t class_index)
{
    return class_index < 0 || class_index >= dataset->classes ? NULL : dataset->class_names[class_index];
}

int64_t crd_dataset_find_node(const crd_dataset *dataset, const char *name_or_number)
{
    int64_t named = crd_name_index_find(dataset->node_index, name_or_number), number;
    if (dataset->names_are_ids && (named >= 0 || dataset->names_are_numbers)) return named;
    if (crd_id_number(name_or_number, &number) && number < dataset->input.nodes) return number;
    return named;
}

int crd_dataset_note_count(const crd_dataset *dataset)
{
    return dataset->note_count;
}

const char *crd_dataset_note(const crd_dataset *dataset, int index)
{
    return index < 0 || index >= dataset->note_count ? NULL : dataset->notes[index];
}
