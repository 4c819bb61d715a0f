/* SPDX-License-Identifier: MIT */
#include "graph/raw.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "base/watch.h"

void crd_raw_start(crd_raw *raw, const char *name)
{
    *raw = (crd_raw){.name = name, .edges.nodes = -1};
}

void crd_raw_set_options(crd_raw *raw, const crd_open_options *options)
{
    if (options == NULL) return;
    raw->header = options->header;
    raw->first_id = options->first_id;
    raw->edge_weights = options->edge_weights;
    raw->min_edge_weight = options->min_edge_weight;
    raw->label_column = options->label_column;
    raw->id_column = options->id_column;
    raw->category_columns = options->category_columns;
    raw->ignore_columns = options->ignore_columns;
    raw->labels_beside =
        options->features != NULL && options->labels != NULL && strcmp(options->features, options->labels) == 0;
}

void crd_raw_features_free(crd_raw_features *features)
{
    crd_string_free(&features->file);
    crd_strings_free(&features->row_names, features->matrix.rows);
    crd_features_free(&features->matrix);
    crd_free(features->target);
    *features = (crd_raw_features){0};
}

void crd_raw_labels_free(crd_raw_labels *labels)
{
    crd_string_free(&labels->file);
    crd_ids_free(&labels->ids);
    crd_name_index_free(&labels->texts);
    crd_free(labels->lines.line);
    crd_free(labels->text);
    *labels = (crd_raw_labels){0};
}

void crd_raw_names_free(crd_raw_names *names)
{
    crd_string_free(&names->file);
    crd_strings_free(&names->name, names->count);
    *names = (crd_raw_names){0};
}

void crd_raw_free(crd_raw *raw)
{
    crd_notes_free(&raw->notes);
    crd_string_free(&raw->edges.file);
    crd_graph_free(&raw->edges.rows);
    crd_ids_free(&raw->edges.ids);
    crd_free(raw->edges.lines.line);
    crd_free(raw->edges.source);
    crd_free(raw->edges.target);
    crd_free(raw->edges.weight);
    crd_raw_features_free(&raw->features);
    crd_raw_labels_free(&raw->labels);
    crd_raw_names_free(&raw->nodes);
    crd_raw_names_free(&raw->classes);
    crd_raw_names_free(&raw->columns);
    *raw = (crd_raw){0};
}

char *crd_trim(char *text)
{
    while (crd_is_blank(*text)) text++;
    size_t length = strlen(text);
    while (length > 0 && crd_is_blank(text[length - 1])) length--;
    text[length] = '\0';
    return text;
}

bool crd_is_number(const char *text)
{
    double number;
    return crd_parse_double(text, &number);
}

bool crd_label_number(const char *text, int64_t *number)
{
    double value;
    if (crd_parse_int64(text, number)) return true;
    if (!crd_parse_double(text, &value) || value != floor(value) || fabs(value) > 1e15) return false;
    *number = (int64_t)value;
    return true;
}

crd_status crd_lines_add(crd_lines *lines, int64_t line, crd_error *error)
{
    crd_status status = CRD_GROW(&lines->line, &lines->capacity, lines->count + 1, error);
    if (status == CRD_OK) lines->line[lines->count++] = line < UINT32_MAX ? (uint32_t)line : UINT32_MAX;
    return status;
}

crd_status crd_settle_ids(crd_ids *ids, const crd_lines *lines, int width, const char *file, crd_error *error)
{
    int64_t wrong;
    char buffer[CRD_ID_SIZE];
    crd_status status = crd_ids_settle(ids, &wrong, error);
    if (status != CRD_OK || wrong < 0) return status;
    return crd_fail(error, CRD_ERROR_FORMAT, "%.300s: line %lld: expected a node number or name, found '%.40s'", file,
                    (long long)lines->line[wrong / width], crd_ids_text(ids, wrong, buffer));
}

crd_status crd_raw_add_label(crd_raw_labels *labels, const char *text, int64_t line, crd_error *error)
{
    int64_t number = 0;
    crd_status status = labels->texts == NULL ? crd_name_index_new(&labels->texts, error) : CRD_OK;
    if (status == CRD_OK) status = crd_name_index_add(labels->texts, text, &number, error);
    if (status == CRD_OK) status = CRD_GROW(&labels->text, &labels->text_capacity, labels->count + 1, error);
    if (status == CRD_OK && line > 0) status = crd_lines_add(&labels->lines, line, error);
    if (status != CRD_OK) return status;
    if (labels->count >= INT32_MAX) return crd_fail(error, CRD_ERROR_FORMAT, "%s: too many labels", labels->file);
    labels->text[labels->count++] = (int32_t)number;
    return CRD_OK;
}

/* Most labels are small numbers; each distinct one is turned into text once. */
crd_status crd_raw_take_numbers(crd_raw_labels *labels, const int64_t *number, int64_t count, crd_error *error)
{
    enum { SMALL = 1024 };
    int32_t text_of[SMALL + 1]; /* from -1 on */
    for (int i = 0; i <= SMALL; i++) text_of[i] = -1;
    labels->indices = true;
    crd_status status = CRD_GROW(&labels->text, &labels->text_capacity, count, error);
    if (status == CRD_OK && labels->texts == NULL) status = crd_name_index_new(&labels->texts, error);
    for (int64_t i = 0; i < count && status == CRD_OK; i++) {
        if (crd_watch_at(i)) return crd_watch_stopped(error);
        bool small = number[i] >= -1 && number[i] < SMALL;
        int32_t *known = small ? &text_of[number[i] + 1] : NULL;
        if (known != NULL && *known >= 0) {
            labels->text[labels->count++] = *known;
            continue;
        }
        char text[CRD_ID_SIZE] = "";
        if (number[i] != CRD_LABEL_MISSING) snprintf(text, sizeof text, "%" PRId64, number[i]);
        status = crd_raw_add_label(labels, text, 0, error);
        if (status == CRD_OK && known != NULL) *known = labels->text[labels->count - 1];
    }
    return status;
}

crd_status crd_raw_copy_names(crd_raw_names *names, const char *file, const char *const *from, int64_t count,
                              crd_error *error)
{
    crd_raw_names_free(names);
    crd_status status = crd_copy_string(&names->file, file, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&names->name, count, error);
    if (status == CRD_OK) names->count = count;
    for (int64_t i = 0; i < count && status == CRD_OK; i++) {
        if (crd_watch_at(i)) return crd_watch_stopped(error);
        char number[CRD_ID_SIZE];
        snprintf(number, sizeof number, "%" PRId64, i);
        if (from != NULL && from[i] == NULL)
            return crd_fail(error, CRD_ERROR_ARGUMENT, "%s: name %lld is NULL", file, (long long)i);
        status = crd_copy_string(&names->name[i], from != NULL ? from[i] : number, error);
    }
    return status;
}

int64_t crd_raw_known_nodes(const crd_raw *raw, const char **file)
{
    bool rows = raw->features.file != NULL && !raw->features.rows_declared;
    *file = raw->edges.nodes >= 0 ? raw->edges.file : rows ? raw->features.file : NULL;
    return raw->edges.nodes >= 0 ? raw->edges.nodes : rows ? raw->features.matrix.rows : -1;
}

crd_status crd_raw_expect(const crd_raw *raw, const char *file, int64_t count, crd_error *error)
{
    const char *known_from;
    int64_t known = crd_raw_known_nodes(raw, &known_from);
    if (known < 0 || known == count) return CRD_OK;
    return crd_fail(error, CRD_ERROR_MISMATCH, "%.250s: has %lld nodes, but %.250s has %lld", file, (long long)count,
                    known_from, (long long)known);
}

static bool is_listed(char *const *names, int64_t count, const char *name)
{
    for (int64_t i = 0; i < count && names != NULL; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

bool crd_raw_has_name(const crd_raw *raw, const char *name)
{
    return crd_ids_have_name(&raw->edges.ids, name) || crd_ids_have_name(&raw->labels.ids, name) ||
           is_listed(raw->features.row_names, raw->features.matrix.rows, name) ||
           is_listed(raw->nodes.name, raw->nodes.count, name);
}

/* Names identify nodes and classes, so ambiguous names are worse than numbers. */
crd_status crd_index_names(crd_raw *raw, char **names, int64_t count, const char *file, const char *what, bool required,
                           crd_name_index **index, crd_error *error)
{
    const char *problem = NULL;
    crd_status status = crd_name_index_new(index, error);
    for (int64_t i = 0; i < count && status == CRD_OK && problem == NULL; i++) {
        if (crd_watch_at(i)) {
            status = crd_watch_stopped(error);
            break;
        }
        char *name = crd_trim(names[i]);
        memmove(names[i], name, strlen(name) + 1);
        int64_t number;
        status = crd_name_index_add(*index, names[i], &number, error);
        if (status != CRD_OK || (number == i && names[i][0] != '\0')) continue;
        problem = names[i][0] == '\0' ? "has an empty name" : "has the name of an earlier one";
        status = !required ? crd_note(&raw->notes, error, "%.200s: the names are not used: %s %lld %s", file, what,
                                      (long long)i, problem)
                           : crd_fail(error, CRD_ERROR_FORMAT, "%.300s: %s %lld %s: '%.60s'", file, what, (long long)i,
                                      problem, names[i]);
    }
    if (status != CRD_OK || problem != NULL) crd_name_index_free(index);
    return status;
}

bool crd_is_header(const crd_raw *raw, bool guess)
{
    return raw->header == CRD_HEADER_AUTO ? guess : raw->header == CRD_HEADER_YES;
}

crd_status crd_note_header(crd_raw *raw, const char *file, const char *first, const char *second, crd_error *error)
{
    return crd_note(&raw->notes, error, "%.250s: the first row (%.60s%s%.60s) is read as a header", file, first,
                    second != NULL ? ", " : "", second != NULL ? second : "");
}

crd_status crd_note_index(crd_raw *raw, const char *file, crd_error *error)
{
    return crd_note(&raw->notes, error, "%.300s: the first column has no name: it is read as an index and left out",
                    file);
}

crd_status crd_note_comments(crd_raw *raw, const char *file, const crd_csv *csv, crd_error *error)
{
    const int64_t comments = csv->comments;
    if (comments == 0) return CRD_OK;
    return crd_note(&raw->notes, error, "%.300s: %lld line%s after the first row %s passed over as %s", file,
                    (long long)comments, comments == 1 ? "" : "s", comments == 1 ? "is" : "are",
                    comments == 1 ? "a comment" : "comments");
}

crd_status crd_raw_add_weight(crd_raw_edges *edges, int64_t *capacity, int64_t edge, float weight, crd_error *error)
{
    if (edges->weight == NULL && weight == 1.0f) return CRD_OK;
    const int64_t first = edges->weight == NULL ? 0 : edge;
    crd_status status = CRD_GROW(&edges->weight, capacity, edge + 1, error);
    for (int64_t e = first; e < edge && status == CRD_OK; e++) edges->weight[e] = 1.0f;
    if (status == CRD_OK) edges->weight[edge] = weight;
    return status;
}
