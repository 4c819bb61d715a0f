/* SPDX-License-Identifier: MIT */
/* Folders: of .npy arrays, or of text files whose names say what they hold. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "graph/raw.h"
#include "graph/split.h"
#include "io/folder.h"

/* File names and what the files hold; only the part before the first dot counts. */
static const struct {
    crd_part kind;
    const char *what;
    const char *stems[10];
} roles[] = {
    {CRD_PART_EDGES, "graph", {"edges", "edge", "edge_list", "edgelist", "edge_index", "graph", "adjacency", "adj"}},
    {CRD_PART_FEATURES, "features", {"features", "node_features", "feature", "attributes", "x"}},
    {CRD_PART_LABELS, "labels", {"labels", "node_labels", "label", "y"}},
    {CRD_PART_NODES, "node names", {"nodes", "node_names"}},
    {CRD_PART_CLASSES, "class names", {"classes", "class_names"}},
    {CRD_PART_COLUMNS, "feature names", {"feature_names"}},
};

enum { ROLES = sizeof roles / sizeof *roles };

/* With or without ".gz" after it. */
static bool is_known_ending(const char *ending, bool features)
{
    static const char *const known[] = {".csv",    ".tsv",      ".txt", ".mtx",      ".svm",
                                        ".libsvm", ".svmlight", ".npy", ".edgelist", ".edges"};
    static const char *const of_features[] = {".json", ".npz"};
    char bare[16];
    const size_t length = strlen(ending) - (crd_ends_with(ending, ".gz") ? 3 : 0);
    snprintf(bare, sizeof bare, "%.*s", (int)length, ending);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (crd_is_word(bare, known[i])) return true;
    for (size_t i = 0; i < sizeof of_features / sizeof *of_features && features; i++)
        if (crd_is_word(bare, of_features[i])) return true;
    return false;
}

/* Copies the file's stem; false if we do not read files with its ending. */
static bool take_stem(const char *name, bool features, char stem[32])
{
    const char *dot = strchr(name, '.');
    if (dot == NULL || dot - name >= 32 || !is_known_ending(dot, features)) return false;
    memcpy(stem, name, (size_t)(dot - name));
    stem[dot - name] = '\0';
    return true;
}

static bool has_role(const char *name, int role)
{
    char stem[32];
    if (!take_stem(name, roles[role].kind == CRD_PART_FEATURES, stem)) return false;
    for (const char *const *word = roles[role].stems; *word != NULL; word++)
        if (crd_is_word(stem, *word)) return true;
    return false;
}

/* "split.csv", or "split-0.csv", "split-1.csv", ... */
static bool is_split(const char *name)
{
    char stem[32];
    if (!take_stem(name, false, stem) || strncmp(stem, "split", 5) != 0) return false;
    int64_t number;
    return stem[5] == '\0' || (stem[5] == '-' && crd_parse_int64(stem + 6, &number) && number >= 0);
}

typedef struct folder {
    const char *path;
    char **names; /* of the files, sorted */
    int64_t count;
} folder;

/* The only file of a role; NULL if there is none. */
static crd_status find_file(const folder *f, int role, const char **found, crd_error *error)
{
    *found = NULL;
    for (int64_t i = 0; i < f->count; i++) {
        if (!has_role(f->names[i], role)) continue;
        if (*found != NULL)
            return crd_fail(error, CRD_ERROR_FORMAT, "%.300s: has both %.80s and %.80s, expected one file of %s",
                            f->path, *found, f->names[i], roles[role].what);
        *found = f->names[i];
    }
    return CRD_OK;
}

static crd_status read_file(const folder *f, const char *name, crd_part kind, crd_raw *raw, crd_error *error)
{
    char *path;
    crd_status status = crd_join_path(f->path, name, &path, error);
    if (status != CRD_OK) return status;
    status = crd_read_part(path, kind, raw, error);
    crd_free(path);
    return status;
}

/* Files add what the arrays, if there are any, do not have. */
static crd_status read_files(const folder *f, const crd_open_options *options, crd_raw *raw, crd_error *error)
{
    const bool other_features = options != NULL && options->features != NULL;
    const bool other_labels = options != NULL && options->labels != NULL;
    const bool there[] = {
        [CRD_PART_EDGES] = raw->edges.file != NULL,
        [CRD_PART_FEATURES] = raw->features.file != NULL || other_features,
        [CRD_PART_LABELS] = raw->labels.file != NULL || other_labels,
        [CRD_PART_NODES] = raw->nodes.name != NULL,
        [CRD_PART_CLASSES] = raw->classes.name != NULL || other_labels,
        [CRD_PART_COLUMNS] = raw->columns.name != NULL || other_features,
    };
    crd_status status = CRD_OK;
    for (int r = 0; r < ROLES && status == CRD_OK; r++) {
        const char *name = NULL;
        if (there[roles[r].kind]) continue;
        status = find_file(f, r, &name, error);
        if (status == CRD_OK && name != NULL) status = read_file(f, name, roles[r].kind, raw, error);
    }
    return status;
}

crd_status crd_make_room_for_splits(crd_dataset *dataset, const char *path, int64_t count, crd_error *error)
{
    int64_t size;
    if (count > CRD_MOST_SPLIT_FILES || !crd_multiply(count, crd_dataset_nodes(dataset), &size))
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: has %lld splits, expected %d at most", path, (long long)count,
                        CRD_MOST_SPLIT_FILES);
    return count > 0 ? CRD_NEW_ZERO(&dataset->split_roles, size, error) : CRD_OK;
}

/* Reads into the next place of dataset->split_roles, which has room. */
static crd_status read_split(const folder *f, const char *name, crd_dataset *dataset, crd_error *error)
{
    char *path;
    crd_split *split = NULL;
    int64_t nodes = crd_dataset_nodes(dataset);
    crd_status status = crd_join_path(f->path, name, &path, error);
    if (status != CRD_OK) return status;
    status = crd_split_read(dataset, path, &split, error);
    crd_free(path);
    if (status != CRD_OK) return status;
    memcpy(dataset->split_roles + dataset->splits * nodes, split->roles, (size_t)nodes);
    dataset->splits++;
    crd_split_free(&split);
    return CRD_OK;
}

/* Shorter names first, so that split-10 comes after split-9. */
static int compare_splits(const void *a, const void *b)
{
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    return strlen(x) != strlen(y) ? (strlen(x) > strlen(y)) - (strlen(x) < strlen(y)) : strcmp(x, y);
}

static crd_status read_splits(folder *f, crd_dataset *dataset, crd_error *error)
{
    int64_t count = 0;
    for (int64_t i = 0; i < f->count; i++) count += is_split(f->names[i]);
    if (count == 0) return CRD_OK;
    qsort(f->names, (size_t)f->count, sizeof *f->names, compare_splits);
    crd_status status = crd_make_room_for_splits(dataset, f->path, count, error);
    for (int64_t i = 0; i < f->count && status == CRD_OK; i++)
        if (is_split(f->names[i])) status = read_split(f, f->names[i], dataset, error);
    return status;
}

static crd_status refuse_folder(const folder *f, crd_error *error)
{
    for (int64_t i = 0; i < f->count; i++)
        if (crd_ends_with(f->names[i], ".npz"))
            return crd_fail(error, CRD_ERROR_FORMAT, "%.400s: is a folder without a graph; did you mean %.120s in it?",
                            f->path, f->names[i]);
    return crd_fail(error, CRD_ERROR_FORMAT,
                    "%s: is a folder without a graph; expected .npy arrays, an edge list (edges.csv), "
                    "a matrix (graph.mtx), or raw/edge.csv.gz",
                    f->path);
}

static crd_status open_files(folder *f, crd_archive *archive, const crd_open_options *options, crd_dataset **dataset,
                             crd_error *error)
{
    crd_raw raw;
    crd_dataset *opened = NULL;
    crd_status status = CRD_OK;
    crd_raw_start(&raw, f->path);
    crd_raw_set_options(&raw, options);
    if (crd_archive_has_graph(archive)) status = crd_read_archive(archive, options, &raw, error);
    if (status == CRD_OK) status = read_files(f, options, &raw, error);
    if (status == CRD_OK && raw.edges.file == NULL) status = refuse_folder(f, error);
    if (status == CRD_OK) status = crd_finish_with(&raw, archive, options, &opened, error);
    if (status == CRD_OK && opened->splits == 0) status = read_splits(f, opened, error);
    if (status == CRD_OK) *dataset = opened;
    else crd_dataset_free(&opened);
    crd_raw_free(&raw);
    return status;
}

crd_status crd_open_folder(const char *path, const crd_open_options *options, crd_dataset **dataset, crd_error *error)
{
    folder f = {.path = path};
    crd_archive *archive = NULL;
    char raw[CRD_PATH_SIZE], *inner = NULL;
    const char *ogb = NULL; /* OGB's folder: this one, or the only one in it, as OGB's downloader leaves it */
    crd_status status = crd_list_folder(path, &f.names, &f.count, error);
    if (status == CRD_OK && f.count == 1) status = crd_join_path(path, f.names[0], &inner, error);
    if (status == CRD_OK && crd_find_ogb_raw(path, raw)) ogb = path;
    else if (inner != NULL && crd_find_ogb_raw(inner, raw)) ogb = inner;
    if (ogb != NULL) status = crd_open_ogb(ogb, raw, options, dataset, error);
    else if (status == CRD_OK) status = crd_archive_open(path, &archive, error);
    if (archive != NULL) status = open_files(&f, archive, options, dataset, error);
    crd_archive_free(&archive);
    crd_strings_free(&f.names, f.count);
    crd_free(inner);
    return status;
}
