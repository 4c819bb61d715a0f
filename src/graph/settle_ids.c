#include "graph/settle_ids.h"

#include <stdlib.h>
#include <string.h>

crd_status crd_note_header(crd_parts *parts, const char *file, const char *first, const char *second,
                           crd_error *error)
{
    return crd_dataset_add_note(parts->dataset, error,
                                "%.250s: the first row (%.60s%s%.60s) is read as a header", file, first,
                                second != NULL ? ", " : "", second != NULL ? second : "");
}

crd_status crd_note_index(crd_parts *parts, const char *file, crd_error *error)
{
    return crd_dataset_add_note(parts->dataset, error,
                                "%.300s: the first column has no name: it is read as an index and left out",
                                file);
}

crd_status crd_note_comments(crd_parts *parts, const char *file, const crd_csv *csv, crd_error *error)
{
    int64_t comments = crd_csv_comments(csv);
    if (comments == 0) return CRD_OK;
    return crd_dataset_add_note(parts->dataset, error,
                                "%.300s: %lld line%s after the first row %s passed over as %s", file,
                                (long long)comments, comments == 1 ? "" : "s", comments == 1 ? "is" : "are",
                                comments == 1 ? "a comment" : "comments");
}

/* ---- headers ---- */

static bool is_listed(char *const *names, int64_t count, const char *name)
{
    for (int64_t i = 0; i < count && names != NULL; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

bool crd_parts_have_name(const crd_parts *parts, const char *name)
{
    return crd_ids_have_name(&parts->edges.ids, name) || crd_ids_have_name(&parts->labels.ids, name)
           || is_listed(parts->features.row_names, parts->features.rows, name)
           || is_listed(parts->node_names, parts->node_name_count, name);
}

crd_status crd_take_waiting_edge(crd_edge_part *edges, crd_error *error)
{
    const char *texts[2] = {edges->ids.waiting[0], edges->ids.waiting[1]};
    int64_t others = edges->lines.count;
    crd_status status = crd_lines_add(&edges->lines, edges->ids.waiting_line, error);
    if (status == CRD_OK) status = crd_ids_prepend(&edges->ids, texts, 2, error);
    if (status != CRD_OK) return status;
    uint32_t line = edges->lines.line[others];
    memmove(edges->lines.line + 1, edges->lines.line, (size_t)others * sizeof line);
    edges->lines.line[0] = line;
    edges->count = edges->ids.count / 2;
    return CRD_OK;
}

crd_status crd_settle_edge_header(crd_parts *parts, crd_error *error)
{
    crd_edge_part *edges = &parts->edges;
    char *const *waiting = edges->ids.waiting;
    if (waiting[0] == NULL) return CRD_OK;
    if (crd_parts_have_name(parts, waiting[0]) || crd_parts_have_name(parts, waiting[1]))
        return crd_take_waiting_edge(edges, error);
    crd_status status = crd_note_header(parts, edges->file, waiting[0], waiting[1], error);
    crd_ids_drop_waiting(&edges->ids);
    return status;
}

/* ---- a column of ids ---- */

static bool all_listed(const crd_ids *ids, const crd_name_index *list)
{
    bool names = ids->names != NULL;
    int64_t count = names ? crd_name_index_count(ids->names) : ids->count;
    for (int64_t i = 0; i < count; i++) {
        char buffer[CRD_ID_SIZE];
        const char *text = names ? crd_name_index_name(ids->names, i) : crd_ids_text(ids, i, buffer);
        if (crd_name_index_find(list, text) < 0) return false;
    }
    return true;
}

/* Edges that have no ids mean rows by their numbers: then only the rows' own numbers are ids. And not even
 * these without a header, because that is how a table of values alone is written, OGB's above all. */
static bool is_id_column(const crd_parts *parts, const crd_text_matrix *matrix, const crd_name_index *list)
{
    if (parts->edges.by_id)
        return all_listed(&parts->edges.ids, list) && all_listed(&parts->labels.ids, list);
    for (int64_t r = 0; r < matrix->rows && matrix->header; r++) {
        int64_t number;
        if (!crd_id_number(matrix->row_names[r], &number) || number != r) return false;
    }
    return matrix->header;
}

crd_status crd_settle_first_column(crd_parts *parts, const char *file, crd_text_matrix *matrix,
                                   crd_error *error)
{
    if (!matrix->undecided) return CRD_OK;
    crd_name_index *list;
    bool distinct = true;
    crd_status status = crd_name_index_new(&list, error);
    for (int64_t r = 0; r < matrix->rows && status == CRD_OK && distinct; r++) {
        int64_t number = r;
        status = crd_name_index_add(list, matrix->row_names[r], &number, error);
        distinct = number == r;
    }
    bool ids = status == CRD_OK && distinct && (matrix->names_by_header || is_id_column(parts, matrix, list));
    crd_name_index_free(&list);
    crd_text_matrix_decide(matrix, ids);
    if (status != CRD_OK || !ids || matrix->names_by_header) return status;
    return crd_dataset_add_note(parts->dataset, error, "%.300s: the first column is read as node ids", file);
}

/* ---- numbers from 1 ---- */

/* Whether the ids are 1 to `largest`, each of them. There are at least as many as that. */
static crd_status are_all(const crd_ids *ids, int64_t largest, bool *all, crd_error *error)
{
    *all = false;
    if (ids->count < largest) return CRD_OK;
    uint8_t *seen;
    int64_t count = 0;
    crd_status status = CRD_NEW_ZERO(&seen, largest + 1, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < ids->count; i++) {
        count += !seen[ids->token[i]];
        seen[ids->token[i]] = 1;
    }
    free(seen);
    *all = count == largest;
    return CRD_OK;
}

static void look_at(const crd_ids *ids, int64_t *smallest, int64_t *largest)
{
    for (int64_t i = 0; i < ids->count; i++) {
        if (ids->token[i] < *smallest) *smallest = ids->token[i];
        if (ids->token[i] > *largest) *largest = ids->token[i];
    }
}

/* A file with as many rows as the largest id has no node of that number unless ids start at 1. Without such a
 * file, labels for exactly 1 to the largest say the same. Edges alone cannot: node 0 may have none. */
crd_status crd_settle_base(crd_parts *parts, bool *from_one, crd_error *error)
{
    crd_ids *edges = &parts->edges.ids, *labels = &parts->labels.ids;
    int64_t smallest = INT64_MAX, largest = 0, rows = -1;
    *from_one = false;
    if (!parts->edges.by_id || edges->count == 0) return CRD_OK;
    look_at(edges, &smallest, &largest);
    look_at(labels, &smallest, &largest);
    if (smallest == 0) return CRD_OK;
    crd_status status = CRD_OK;
    if (parts->features.file != NULL) rows = parts->features.rows;
    else if (parts->labels.file != NULL && !parts->labels.by_id) rows = parts->labels.count;
    if (rows >= 0) *from_one = rows == largest;
    else status = are_all(labels, largest, from_one, error);
    if (status != CRD_OK) return status;
    if (!*from_one && rows < 0 && smallest == 1 && crd_believable_nodes(largest + 1, parts->edges.count))
        return crd_dataset_add_note(parts->dataset, error,
                                    "no edge and no label has node 0: if ids start at 1, it is one node too "
                                    "many");
    if (!*from_one) return CRD_OK;
    for (int64_t i = 0; i < edges->count; i++) edges->token[i]--;
    for (int64_t i = 0; i < labels->count; i++) labels->token[i]--;
    return crd_dataset_add_note(parts->dataset, error,
                                "ids start at 1: the node called 1 is number 0, and so on");
}
