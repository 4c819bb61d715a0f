/* SPDX-License-Identifier: MIT */
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

/* FOLDER/NAME.csv.gz or FOLDER/NAME.csv; false if there is neither. */
static bool find_csv(const char *folder, const char *name, char path[CRD_PATH_SIZE])
{
    static const char *const endings[] = {".csv.gz", ".csv"};
    for (int i = 0; i < 2; i++)
        if (snprintf(path, CRD_PATH_SIZE, "%s/%s%s", folder, name, endings[i]) < CRD_PATH_SIZE &&
            access(path, F_OK) == 0)
            return true;
    return false;
}

bool crd_find_ogb_raw(const char *path, char raw[CRD_PATH_SIZE])
{
    char file[CRD_PATH_SIZE];
    if (snprintf(raw, CRD_PATH_SIZE, "%s", path) >= CRD_PATH_SIZE) return false;
    /* A lone edge.csv is an ordinary edge list; OGB always puts the number of nodes beside it. */
    if (find_csv(raw, "edge", file) && find_csv(raw, "num-node-list", file)) return true;
    return snprintf(raw, CRD_PATH_SIZE, "%s/raw", path) < CRD_PATH_SIZE && find_csv(raw, "edge", file);
}

static crd_status read_if_there(const char *folder, const char *name, crd_part kind, crd_raw *raw, crd_error *error)
{
    char path[CRD_PATH_SIZE];
    return find_csv(folder, name, path) ? crd_read_part(path, kind, raw, error) : CRD_OK;
}

typedef struct number_list {
    int64_t most;
    int64_t *numbers;
    int64_t count, capacity;
} number_list;

static crd_status take_number(crd_csv *csv, void *state, crd_error *error)
{
    number_list *list = state;
    crd_status status = CRD_GROW(&list->numbers, &list->capacity, list->count + 1, error);
    if (status != CRD_OK) return status;
    int64_t *number = &list->numbers[list->count++];
    if (csv->count == 1 && crd_id_number(csv->field[0], number) && *number <= list->most) return CRD_OK;
    return crd_fail(error, CRD_ERROR_FORMAT, "%s: line %lld: expected a number from 0 to %lld, found '%.40s'",
                    crd_source_name(csv->source), (long long)csv->line, (long long)list->most, csv->field[0]);
}

/* A file with one number per line, none above `most`. The caller frees *numbers, even after a failure. */
static crd_status read_numbers(const char *path, int64_t most, int64_t **numbers, int64_t *count, crd_error *error)
{
    crd_csv csv = {0};
    number_list list = {.most = most};
    crd_status status = crd_source_open(path, &csv.source, error);
    if (status == CRD_OK) status = crd_csv_each(&csv, take_number, &list, error);
    crd_source_free(&csv.source);
    *numbers = list.numbers;
    *count = list.count;
    return status;
}

/* The single number in a file like num-node-list.csv.gz; -1 if there is no such file. */
static crd_status read_count(const char *folder, const char *name, int64_t *number, crd_error *error)
{
    char path[CRD_PATH_SIZE];
    int64_t *numbers, count;
    *number = -1;
    if (!find_csv(folder, name, path)) return CRD_OK;
    crd_status status = read_numbers(path, INT64_MAX, &numbers, &count, error);
    if (status == CRD_OK && count != 1)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: holds the sizes of %lld graphs, expected one", path,
                          (long long)count);
    if (status == CRD_OK) *number = numbers[0];
    crd_free(numbers);
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
        if (source > CRD_MAX_NODES || target > CRD_MAX_NODES)
            status = crd_fail(error, CRD_ERROR_FORMAT, "%s: line %lld: the node number is larger than %lld",
                              edges->file, (long long)edges->lines.line[i], (long long)CRD_MAX_NODES);
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

/* The names in PATH/BELOW; none if there is no such folder. */
static crd_status list_below(const char *path, const char *below, char folder[CRD_PATH_SIZE], char ***names,
                             int64_t *count, crd_error *error)
{
    *names = NULL;
    *count = 0;
    bool fits = snprintf(folder, CRD_PATH_SIZE, "%s/%s", path, below) < CRD_PATH_SIZE;
    return fits && crd_is_folder(folder) ? crd_list_folder(folder, names, count, error) : CRD_OK;
}

/* mapping/nodeidx2paperid.csv.gz and the like: a file whose name begins like that. */
static crd_status read_mapping(const char *path, const char *beginning, crd_part kind, crd_raw *raw, crd_error *error)
{
    char folder[CRD_PATH_SIZE], **names;
    int64_t count, i = 0;
    crd_status status = list_below(path, "mapping", folder, &names, &count, error);
    while (i < count && (strncmp(names[i], beginning, strlen(beginning)) != 0 || strstr(names[i], ".csv") == NULL)) i++;
    if (status == CRD_OK && i < count) {
        char *file;
        status = crd_join_path(folder, names[i], &file, error);
        if (status == CRD_OK) status = crd_read_part(file, kind, raw, error);
        crd_free(file);
    }
    crd_strings_free(&names, count);
    return status;
}

/* ---- splits ---- */

static crd_status read_split(const char *folder, int64_t nodes, uint8_t *roles, crd_error *error)
{
    static const char *const names[] = {"train", "valid", "test"};
    crd_status status = CRD_OK;
    for (int r = 0; r < 3 && status == CRD_OK; r++) {
        char path[CRD_PATH_SIZE];
        int64_t *numbers, count;
        const uint8_t role = (uint8_t)(CRD_ROLE_TRAIN + r);
        if (!find_csv(folder, names[r], path)) continue;
        status = read_numbers(path, nodes - 1, &numbers, &count, error);
        for (int64_t i = 0; i < count && status == CRD_OK; i++) {
            uint8_t *its = &roles[numbers[i]];
            if (*its != CRD_ROLE_NONE && *its != role)
                status = crd_fail(error, CRD_ERROR_FORMAT, "%s: node %lld has another role already", path,
                                  (long long)numbers[i]);
            *its = role;
        }
        crd_free(numbers);
    }
    return status;
}

/* Every folder below split/ that names training nodes is a split. */
static crd_status read_splits(const char *path, crd_dataset *dataset, crd_error *error)
{
    char folder[CRD_PATH_SIZE], file[CRD_PATH_SIZE], **names;
    int64_t count, nodes = crd_dataset_nodes(dataset);
    crd_status status = list_below(path, "split", folder, &names, &count, error);
    if (status == CRD_OK) status = crd_make_room_for_splits(dataset, folder, count, error);
    for (int64_t i = 0; i < count && status == CRD_OK; i++) {
        char *one;
        status = crd_join_path(folder, names[i], &one, error);
        if (status == CRD_OK && find_csv(one, "train", file)) {
            status = read_split(one, nodes, dataset->split_roles + dataset->splits * nodes, error);
            if (status == CRD_OK) dataset->splits++;
        }
        crd_free(one);
    }
    crd_strings_free(&names, count);
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
    raw.classes.required = false;
    if (status == CRD_OK) status = crd_finish_with(&raw, NULL, options, &opened, error);
    if (status == CRD_OK) status = read_splits(path, opened, error);
    if (status == CRD_OK) *dataset = opened;
    else crd_dataset_free(&opened);
    crd_raw_free(&raw);
    return status;
}
