/* OGB's folders: raw/ has one file per part and the numbers of nodes and edges to check them, split/NAME/ the nodes
 * of each role, mapping/ the names. Every file may be packed (.csv.gz) or not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/numbers.h"
#include "graph/raw.h"
#include "graph/split.h"
#include "io/folder.h"

/* FOLDER/NAME.csv.gz or FOLDER/NAME.csv; *path is NULL if there is neither. */
static crd_status find_csv(const char *folder, const char *name, char **path, crd_error *error)
{
    static const char *const endings[] = {".csv.gz", ".csv"};
    for (size_t i = 0; i < 2; i++) {
        size_t size = strlen(folder) + strlen(name) + 16;
        crd_status status = CRD_NEW(path, size, error);
        if (status != CRD_OK) return status;
        snprintf(*path, size, "%s/%s%s", folder, name, endings[i]);
        if (access(*path, F_OK) == 0) return CRD_OK;
        crd_string_free(path);
    }
    return CRD_OK;
}

static crd_status has_csv(const char *folder, const char *name, bool *found, crd_error *error)
{
    char *path;
    crd_status status = find_csv(folder, name, &path, error);
    *found = status == CRD_OK && path != NULL;
    crd_string_free(&path);
    return status;
}

/* A lone edge.csv is an ordinary edge list; OGB always puts the number of nodes beside it. */
static crd_status is_raw(const char *path, bool *raw, crd_error *error)
{
    bool edges, counted;
    crd_status status = has_csv(path, "edge", &edges, error);
    if (status == CRD_OK) status = has_csv(path, "num-node-list", &counted, error);
    *raw = status == CRD_OK && edges && counted;
    return status;
}

crd_status crd_find_ogb_raw(const char *path, char **raw, crd_error *error)
{
    bool here, below = false;
    *raw = NULL;
    crd_status status = is_raw(path, &here, error);
    if (status != CRD_OK) return status;
    if (here) return crd_copy_string(raw, path, error);
    status = crd_join_path(path, "raw", raw, error);
    if (status == CRD_OK) status = has_csv(*raw, "edge", &below, error);
    if (!below) crd_string_free(raw);
    return status;
}

static crd_status read_if_there(const char *folder, const char *name, crd_part kind, crd_raw *raw, crd_error *error)
{
    char *path;
    crd_status status = find_csv(folder, name, &path, error);
    if (status == CRD_OK && path != NULL) status = crd_read_part(path, kind, raw, error);
    crd_string_free(&path);
    return status;
}

static crd_status take_count(crd_csv *csv, void *count, crd_error *error)
{
    const char *file = crd_source_name(csv->source);
    if (csv->row > 0)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: holds the sizes of several graphs, expected one", file);
    if (csv->count == 1 && crd_id_number(csv->field[0], count)) return CRD_OK;
    return crd_fail(error, CRD_ERROR_FORMAT, "%s: line %lld: expected a number, found '%.40s'", file,
                    (long long)csv->line, csv->field[0]);
}

/* The single number in a file like num-node-list.csv.gz; -1 if there is no such file. */
static crd_status read_count(const char *folder, const char *name, int64_t *count, crd_error *error)
{
    char *path;
    crd_csv csv = {0};
    *count = -1;
    crd_status status = find_csv(folder, name, &path, error);
    if (status != CRD_OK || path == NULL) return status;
    status = crd_source_open(path, &csv.source, error);
    if (status == CRD_OK) status = crd_csv_each(&csv, take_count, count, error);
    if (status == CRD_OK && csv.columns == 0)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: is empty, expected a number", path);
    crd_source_free(&csv.source);
    free(path);
    return status;
}

/* OGB's nodes are numbers, even if mapping/ has names for them. */
static crd_status take_numbers(crd_raw_edges *edges, crd_error *error)
{
    if (edges->ids.names != NULL)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: expected node numbers, found '%.40s'", edges->file,
                        crd_name_index_name(edges->ids.names, 0));
    crd_status status = CRD_NEW(&edges->source, edges->count, error);
    if (status == CRD_OK) status = CRD_NEW(&edges->target, edges->count, error);
    for (int64_t i = 0; i < edges->count && status == CRD_OK; i++) {
        int64_t source = edges->ids.token[2 * i], target = edges->ids.token[2 * i + 1];
        if (source > INT32_MAX || target > INT32_MAX)
            status = crd_fail(error, CRD_ERROR_FORMAT, "%s: line %lld: the node number is larger than %lld",
                              edges->file, (long long)edges->lines.line[i], (long long)INT32_MAX);
        edges->source[i] = (int32_t)source;
        edges->target[i] = (int32_t)target;
    }
    crd_ids_free(&edges->ids);
    edges->by_id = false;
    return status;
}

static crd_status read_edges(const char *folder, crd_raw *raw, crd_error *error)
{
    int64_t nodes, edges;
    crd_status status = read_count(folder, "num-node-list", &nodes, error);
    if (status == CRD_OK) status = read_count(folder, "num-edge-list", &edges, error);
    if (status != CRD_OK) return status;
    /* A list without edges is an empty file: nothing to read. */
    if (edges == 0) status = crd_copy_string(&raw->edges.file, folder, error);
    else {
        status = read_if_there(folder, "edge", CRD_PART_EDGES, raw, error);
        if (status == CRD_OK) status = take_numbers(&raw->edges, error);
    }
    if (status == CRD_OK && edges >= 0 && edges != raw->edges.count)
        status = crd_fail(error, CRD_ERROR_MISMATCH, "%s: has %lld edges, but num-edge-list says %lld", raw->edges.file,
                          (long long)raw->edges.count, (long long)edges);
    raw->edges.nodes = nodes;
    return status;
}

static crd_status read_labels(const char *folder, crd_raw *raw, crd_error *error)
{
    crd_status status = read_if_there(folder, "node-label", CRD_PART_LABELS, raw, error);
    if (status == CRD_OK && raw->labels.by_id)
        status =
            crd_fail(error, CRD_ERROR_FORMAT, "%s: expected one label per node, found two columns", raw->labels.file);
    raw->labels.indices = true;
    return status;
}

/* mapping/nodeidx2paperid.csv.gz and the like: a file whose name begins like that. */
static crd_status read_mapping(const char *path, const char *beginning, crd_part kind, crd_raw *raw, crd_error *error)
{
    char *folder, **names = NULL;
    int64_t count = 0;
    crd_status status = crd_join_path(path, "mapping", &folder, error);
    if (status != CRD_OK) return status;
    if (crd_is_folder(folder)) status = crd_list_folder(folder, &names, &count, error);
    for (int64_t i = 0; i < count && status == CRD_OK; i++) {
        if (strncmp(names[i], beginning, strlen(beginning)) != 0 || strstr(names[i], ".csv") == NULL) continue;
        char *file;
        status = crd_join_path(folder, names[i], &file, error);
        if (status == CRD_OK) status = crd_read_part(file, kind, raw, error);
        free(file);
        break;
    }
    crd_strings_free(&names, count);
    free(folder);
    return status;
}

/* ---- splits ---- */

/* The nodes of one role, each on a line of its own. */
typedef struct role_list {
    uint8_t role;
    int64_t nodes;
    uint8_t *roles; /* of all nodes */
} role_list;

static crd_status take_node(crd_csv *csv, void *state, crd_error *error)
{
    const role_list *list = state;
    int64_t node;
    const char *file = crd_source_name(csv->source);
    if (csv->count != 1 || !crd_id_number(csv->field[0], &node) || node >= list->nodes)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: line %lld: expected a node number from 0 to %lld, found '%.40s'",
                        file, (long long)csv->line, (long long)list->nodes - 1, csv->field[0]);
    if (list->roles[node] != CRD_ROLE_NONE && list->roles[node] != list->role)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: line %lld: node %lld has another role already", file,
                        (long long)csv->line, (long long)node);
    list->roles[node] = list->role;
    return CRD_OK;
}

static crd_status read_split(const char *folder, int64_t nodes, uint8_t *roles, crd_error *error)
{
    static const struct {
        const char *name;
        uint8_t role;
    } files[] = {{"train", CRD_ROLE_TRAIN}, {"valid", CRD_ROLE_VALIDATION}, {"test", CRD_ROLE_TEST}};
    crd_status status = CRD_OK;
    for (size_t i = 0; i < sizeof files / sizeof *files && status == CRD_OK; i++) {
        char *path;
        role_list list = {files[i].role, nodes, roles};
        crd_csv csv = {0};
        status = find_csv(folder, files[i].name, &path, error);
        if (status != CRD_OK || path == NULL) continue;
        status = crd_source_open(path, &csv.source, error);
        if (status == CRD_OK) status = crd_csv_each(&csv, take_node, &list, error);
        crd_source_free(&csv.source);
        free(path);
    }
    return status;
}

/* Every folder below split/ that names training nodes is a split. */
static crd_status read_splits(const char *path, crd_dataset *dataset, crd_error *error)
{
    char *folder, **names = NULL;
    int64_t count = 0, nodes = crd_dataset_nodes(dataset), size;
    crd_status status = crd_join_path(path, "split", &folder, error);
    if (status != CRD_OK) return status;
    if (crd_is_folder(folder)) status = crd_list_folder(folder, &names, &count, error);
    if (status == CRD_OK && (count > CRD_MOST_SPLIT_FILES || !crd_multiply(count, nodes, &size)))
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: has %lld splits, expected %d at most", folder, (long long)count,
                          CRD_MOST_SPLIT_FILES);
    if (status == CRD_OK && count > 0) status = CRD_NEW_ZERO(&dataset->split_roles, size, error);
    for (int64_t i = 0; i < count && status == CRD_OK; i++) {
        char *one;
        bool is_split = false;
        status = crd_join_path(folder, names[i], &one, error);
        if (status == CRD_OK) status = has_csv(one, "train", &is_split, error);
        if (status == CRD_OK && is_split) {
            status = read_split(one, nodes, dataset->split_roles + dataset->splits * nodes, error);
            if (status == CRD_OK) dataset->splits++;
        }
        free(one);
    }
    crd_strings_free(&names, count);
    free(folder);
    return status;
}

crd_status crd_open_ogb(const char *path, const char *folder, const crd_open_options *options, crd_dataset **dataset,
                        crd_error *error)
{
    crd_raw raw;
    crd_dataset *opened = NULL;
    crd_raw_start(&raw, path);
    crd_status status = read_edges(folder, &raw, error);
    if (status == CRD_OK && (options == NULL || options->features == NULL))
        status = read_if_there(folder, "node-feat", CRD_PART_FEATURES, &raw, error);
    if (status == CRD_OK && (options == NULL || options->labels == NULL)) status = read_labels(folder, &raw, error);
    if (status == CRD_OK) status = read_mapping(path, "nodeidx2", CRD_PART_NODES, &raw, error);
    if (status == CRD_OK) status = read_mapping(path, "labelidx2", CRD_PART_CLASSES, &raw, error);
    if (status == CRD_OK) status = crd_raw_check_class_names(&raw, error);
    if (status == CRD_OK) status = crd_finish_with(&raw, NULL, options, &opened, error);
    if (status == CRD_OK) status = read_splits(path, opened, error);
    if (status == CRD_OK) *dataset = opened;
    else crd_dataset_free(&opened);
    crd_raw_free(&raw);
    return status;
}
