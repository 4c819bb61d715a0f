/* SPDX-License-Identifier: MIT */
/* Splits, read once a dataset is finished: arrays of node numbers or masks, beside a graph or in a separate file, and
 * rows of node and split. */
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "graph/raw.h"
#include "graph/split.h"

/* The names of a split's arrays: training, validation, test and calibration, in this order. */
enum { ROLES = 4 };
typedef struct split_array {
    uint8_t role;          /* crd_role */
    const char *names[12]; /* the spellings in use; NULL after the last */
} split_array;

/* Ours and OGB's, PyTorch Geometric's masks, plain lists. */
static const split_array split_arrays[ROLES] = {
    {CRD_ROLE_TRAIN, {"split_train", "train_idx", "train_mask", "train_masks", "train"}},
    {CRD_ROLE_VALIDATION,
     {"split_valid", "split_val", "val_idx", "valid_idx", "val_mask", "val_masks", "valid_mask", "valid_masks", "val",
      "valid"}},
    {CRD_ROLE_TEST, {"split_test", "test_idx", "test_mask", "test_masks", "test"}},
    {CRD_ROLE_CALIBRATION,
     {"split_calibration", "calibration_idx", "calibration_mask", "calibration_masks", "calibration"}},
};

bool crd_is_split_array(const char *name)
{
    for (int r = 0; r < ROLES; r++)
        for (const char *const *spelling = split_arrays[r].names; *spelling != NULL; spelling++)
            if (strcmp(*spelling, name) == 0) return true;
    return false;
}

/* Arrays of bools, or with "mask" in their name, are masks with one item per node; the others are lists of nodes. */
static bool is_mask(const char *name, const crd_npy *npy)
{
    return npy->kind == CRD_NPY_BOOL || strstr(name, "_mask") != NULL;
}

/* ---- roles of nodes ---- */

/* The words for roles, by their number; then other words for validation. */
static const char *const role_words[] = {"none", "train", "validation", "test", "calibration", "val", "valid"};

/* A node that no row or array has named yet; distinguishes "named twice" from "named as none". */
enum { UNNAMED = 255 };

/* The roles in some splits, one split after the other. */
typedef struct roles {
    int64_t nodes, splits;
    uint8_t *role;
    bool once; /* no node may be named twice, not even with the same role */
} roles;

/* Where a node was named, for messages: "FILE: line 3", "FILE:train: item 7". */
typedef struct place {
    const char *file;
    const char *unit;
    int64_t number;
} place;

static crd_status name_node(const roles *r, int64_t split, int64_t node, uint8_t role, place at, crd_error *error)
{
    if (node < 0 || node >= r->nodes)
        return crd_fail(error, CRD_ERROR_MISMATCH, "%.300s: %s %lld: node %lld does not exist, expected 0 to %lld",
                        at.file, at.unit, (long long)at.number, (long long)node, (long long)r->nodes - 1);
    uint8_t *before = &r->role[split * r->nodes + node];
    if (*before != UNNAMED && (r->once || *before != role))
        return crd_fail(error, CRD_ERROR_FORMAT, "%.300s: %s %lld: node %lld is named twice, as %s and as %s", at.file,
                        at.unit, (long long)at.number, (long long)node, role_words[*before], role_words[role]);
    *before = role;
    return CRD_OK;
}

static crd_status start_roles(roles *r, int64_t nodes, int64_t splits, crd_error *error)
{
    int64_t size;
    r->nodes = nodes;
    r->splits = splits;
    if (!crd_multiply(nodes, splits, &size)) return crd_fail_memory(error, SIZE_MAX);
    crd_status status = CRD_NEW(&r->role, size, error);
    if (status == CRD_OK && size > 0) memset(r->role, UNNAMED, (size_t)size);
    return status;
}

static void end_roles(const roles *r)
{
    for (int64_t i = 0; i < r->nodes * r->splits; i++)
        if (r->role[i] == UNNAMED) r->role[i] = CRD_ROLE_NONE;
}

/* ---- arrays ---- */

/* A mask is [nodes], or one for each split: [splits,nodes] or [nodes,splits]. */
static bool has_columns(const crd_npy *npy, int64_t nodes)
{
    return npy->dims == 2 && npy->shape[1] != nodes;
}

/* How many splits an array describes; a list of nodes, or one mask, counts for all of them. */
static crd_status count_splits(const crd_source *source, const char *name, const crd_npy *npy, int64_t nodes,
                               bool several, int64_t *splits, crd_error *error)
{
    char found[64];
    crd_npy_describe(npy, found, sizeof found);
    const char *file = crd_source_name(source);
    bool numbers = npy->kind != CRD_NPY_OBJECT && npy->kind != CRD_NPY_UNICODE && npy->kind != CRD_NPY_BYTES;
    bool mask = is_mask(name, npy);
    *splits = 1;
    if (!numbers || npy->dims < 1 || npy->dims > (mask && several ? 2 : 1))
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: expected a list of node numbers or a mask, found %s", file,
                        found);
    if (!mask) return CRD_OK;
    if (npy->dims == 2) *splits = has_columns(npy, nodes) ? npy->shape[1] : npy->shape[0];
    if (npy->shape[0] == nodes || (npy->dims == 2 && npy->shape[1] == nodes)) return CRD_OK;
    return crd_fail(error, several ? CRD_ERROR_FORMAT : CRD_ERROR_MISMATCH,
                    "%s: expected a mask of %lld nodes%s, found %s", file, (long long)nodes,
                    several ? " ([nodes], [splits,nodes] or [nodes,splits])" : "", found);
}

/* Gives the role to the nodes of a list or a mask: in all splits, unless the mask is of one split. */
static crd_status name_items(const roles *r, crd_source *source, const crd_npy *npy, bool mask, uint8_t role,
                             crd_error *error)
{
    void *items;
    crd_status status = crd_npy_read(source, npy, mask ? CRD_NPY_U1 : CRD_NPY_I8, &items, error);
    if (status != CRD_OK) return status;
    const bool columns = has_columns(npy, r->nodes), all = npy->dims == 1;
    for (int64_t i = 0; i < npy->count && status == CRD_OK; i++) {
        if (mask && ((const uint8_t *)items)[i] == 0) continue;
        const int64_t node = !mask ? ((const int64_t *)items)[i] : columns ? i / r->splits : i % r->nodes;
        const int64_t first = all ? 0 : columns ? i % r->splits : i / r->nodes, end = all ? r->splits : first + 1;
        for (int64_t s = first; s < end && status == CRD_OK; s++)
            status = name_node(r, s, node, role, (place){crd_source_name(source), "item", i}, error);
    }
    crd_free(items);
    return status;
}

/* Checks the array of each role (NULL: there is none), then assigns roles to the nodes. */
static crd_status read_roles(crd_archive *archive, const char *const found[ROLES], int64_t nodes, bool several,
                             roles *r, crd_error *error)
{
    enum { MOST_SPLITS = 1 << 20 };
    crd_npy npy[ROLES];
    crd_source *source[ROLES] = {NULL};
    int64_t splits[ROLES] = {1, 1, 1, 1}, most = 1;
    crd_status status = CRD_OK;
    for (int a = 0; a < ROLES && status == CRD_OK; a++) {
        if (found[a] == NULL) continue;
        status = crd_archive_array(archive, found[a], &npy[a], &source[a], error);
        if (status == CRD_OK) status = count_splits(source[a], found[a], &npy[a], nodes, several, &splits[a], error);
        if (splits[a] > most) most = splits[a];
    }
    if (status == CRD_OK && most > MOST_SPLITS)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: has %lld splits, expected %d at most",
                          crd_archive_name(archive), (long long)most, MOST_SPLITS);
    if (status == CRD_OK) status = start_roles(r, nodes, most, error);
    for (int a = 0; a < ROLES; a++) {
        if (status == CRD_OK && splits[a] != 1 && splits[a] != most)
            status = crd_fail(error, CRD_ERROR_FORMAT, "%s: one mask has %lld splits, another %lld",
                              crd_archive_name(archive), (long long)most, (long long)splits[a]);
        if (status == CRD_OK && source[a] != NULL)
            status = name_items(r, source[a], &npy[a], is_mask(found[a], &npy[a]), split_arrays[a].role, error);
        crd_source_free(&source[a]);
    }
    return status;
}

/* The array of each role, under any of its names; NULL if there is none. If `once`, two are an error, else the first
 * counts. */
static crd_status find_arrays(const crd_archive *archive, bool once, const char *found[ROLES], crd_error *error)
{
    for (int a = 0; a < ROLES; a++) {
        found[a] = NULL;
        for (const char *const *name = split_arrays[a].names; *name != NULL; name++) {
            if (!crd_archive_has(archive, *name)) continue;
            if (found[a] == NULL) found[a] = *name;
            else if (once)
                return crd_fail(error, CRD_ERROR_FORMAT, "%.300s: has both \"%s\" and \"%s\", expected one of them",
                                crd_archive_name(archive), found[a], *name);
        }
    }
    return CRD_OK;
}

/* ---- beside a graph ---- */

crd_status crd_splits_from_archive(crd_archive *archive, crd_dataset *dataset, crd_error *error)
{
    const char *found[ROLES];
    roles r = {0};
    crd_status status = find_arrays(archive, false, found, error);
    if (status != CRD_OK || found[0] == NULL) return status; /* without training nodes it is not a split */
    status = read_roles(archive, found, crd_dataset_nodes(dataset), true, &r, error);
    if (status == CRD_OK) {
        end_roles(&r);
        dataset->split_roles = r.role;
        dataset->splits = (int)r.splits;
    } else crd_free(r.role);
    return status;
}

/* ---- in a separate file ---- */

/* If a role is missing, an array with an unknown name may be that role in another spelling. */
static crd_status refuse_unknown(const crd_archive *archive, const char *missing, crd_error *error)
{
    const char *unknown = NULL;
    for (int64_t i = 0; i < crd_archive_count(archive) && unknown == NULL; i++) {
        const char *name = crd_archive_array_name(archive, i);
        if (!crd_is_split_array(name)) unknown = name;
    }
    if (unknown == NULL) return CRD_OK;
    return crd_fail(
        error, CRD_ERROR_FORMAT,
        "%.300s: has no array \"%s\" but '%.80s', whose name says nothing; expected train, val and test, or "
        "names like train_mask, val_mask and test_mask",
        crd_archive_name(archive), missing, unknown);
}

static crd_status read_arrays(crd_archive *archive, int64_t nodes, roles *r, crd_error *error)
{
    static const char *const words[] = {"train", "val"}; /* a split may lack the others */
    const char *found[ROLES];
    crd_status status = find_arrays(archive, true, found, error);
    for (int a = 0; a < 2 && status == CRD_OK; a++)
        if (found[a] == NULL) status = refuse_unknown(archive, words[a], error);
    if (status == CRD_OK && found[0] == NULL && found[2] == NULL)
        status = crd_fail(error, CRD_ERROR_FORMAT,
                          "%.300s: has neither an array \"train\" nor \"test\", expected node numbers in "
                          "train, val and test",
                          crd_archive_name(archive));
    return status == CRD_OK ? read_roles(archive, found, nodes, false, r, error) : status;
}

/* ---- rows ---- */

static bool parse_role(const char *text, uint8_t *role)
{
    for (uint8_t w = 0; w < sizeof role_words / sizeof *role_words; w++)
        if (crd_is_word(text, role_words[w])) {
            *role = w <= CRD_ROLE_CALIBRATION ? w : CRD_ROLE_VALIDATION;
            return true;
        }
    return false;
}

/* Rows of node and split. They are read twice: first to see whether they use names or numbers. */
typedef struct split_rows {
    const crd_dataset *dataset;
    const roles *roles;
    bool by_name;
    int64_t count; /* without a header */
} split_rows;

static bool is_header(const crd_csv *csv)
{
    return csv->row == 0 && csv->count == 2 &&
           (crd_is_word(csv->field[1], "split") || crd_is_word(csv->field[1], "role"));
}

/* Names may look like numbers, so the whole file decides: if all its entries are numbers of nodes, they are numbers,
 * unless the data themselves use names. */
static crd_status look_at_row(crd_csv *csv, void *state, crd_error *error)
{
    split_rows *rows = state;
    int64_t number;
    (void)error;
    if (is_header(csv)) return CRD_OK;
    rows->count++;
    if (!crd_parse_int64(csv->field[0], &number) || number < 0 || number >= rows->roles->nodes) rows->by_name = true;
    return CRD_OK;
}

static crd_status name_row(crd_csv *csv, void *state, crd_error *error)
{
    const split_rows *rows = state;
    const char *id = csv->field[0];
    place at = {crd_source_name(csv->source), "line", csv->line};
    uint8_t role;
    if (is_header(csv)) return CRD_OK;
    if (csv->count != 2)
        return crd_fail(error, CRD_ERROR_FORMAT, "%.300s: line %lld: expected two columns (node,split), found %lld",
                        at.file, (long long)at.number, (long long)csv->count);
    if (!parse_role(csv->field[1], &role))
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%.300s: line %lld: the split is \"%.80s\", expected train, val, calibration, test or none",
                        at.file, (long long)at.number, csv->field[1]);
    int64_t node = rows->by_name ? crd_name_index_find(rows->dataset->node_index, id) : -1;
    if (node < 0) node = crd_dataset_find_node(rows->dataset, id);
    if (node < 0)
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "%.300s: line %lld: the data have no node \"%.80s\", expected a name or a number "
                        "from 0 to %lld",
                        at.file, (long long)at.number, id, (long long)rows->roles->nodes - 1);
    return name_node(rows->roles, 0, node, role, at, error);
}

static crd_status read_rows(const crd_dataset *dataset, const roles *r, const uint8_t *bytes, size_t size,
                            const char *name, crd_error *error)
{
    static const crd_csv_taker passes[] = {look_at_row, name_row};
    split_rows rows = {dataset, r, .by_name = dataset->names_are_ids};
    crd_status status = CRD_OK;
    for (int pass = 0; pass < 2 && status == CRD_OK; pass++) {
        crd_csv csv = {0};
        status = crd_source_memory(bytes, size, name, &csv.source, error);
        if (status == CRD_OK) status = crd_csv_each(&csv, passes[pass], &rows, error);
        crd_source_free(&csv.source);
    }
    if (status != CRD_OK || rows.count > 0) return status;
    return crd_fail(error, CRD_ERROR_FORMAT,
                    "%s: holds no split, expected .npz with train, val and test, or rows of node,split", name);
}

/* ---- either ---- */

/* Ends the source. */
static crd_status read_split(const crd_dataset *dataset, crd_source *source, crd_split **split, crd_error *error)
{
    const int64_t nodes = crd_dataset_nodes(dataset);
    const char *name = crd_source_name(source), *slash = strrchr(name, '/');
    uint8_t *bytes = NULL;
    size_t size = 0;
    crd_archive *archive = NULL;
    roles r = {.once = true};
    crd_status status = crd_refuse_foreign(source, error);
    if (status == CRD_OK) status = crd_source_read_all(source, &bytes, &size, error);
    if (status == CRD_OK && crd_is_zip(bytes, size)) {
        status = crd_archive_open_memory(bytes, size, name, &archive, error);
        if (status == CRD_OK) status = read_arrays(archive, nodes, &r, error);
    } else if (status == CRD_OK) {
        status = start_roles(&r, nodes, 1, error);
        if (status == CRD_OK) status = read_rows(dataset, &r, bytes, size, name, error);
    }
    if (status == CRD_OK) status = crd_split_new(nodes, split, error);
    if (status == CRD_OK) {
        end_roles(&r);
        if (nodes > 0) memcpy((*split)->roles, r.role, (size_t)nodes);
        /* The folder is left out: a split is the same wherever its file is. */
        crd_split_describe(*split, slash != NULL && slash[1] != '\0' ? slash + 1 : name);
    }
    crd_free(r.role);
    crd_archive_free(&archive);
    crd_free(bytes);
    crd_source_free(&source);
    return status;
}

crd_status crd_split_read(const crd_dataset *dataset, const char *path, crd_split **split, crd_error *error)
{
    if (split != NULL) *split = NULL;
    if (CRD_ANY_NULL(error, dataset, path, split)) return CRD_ERROR_ARGUMENT;
    crd_source *source;
    crd_status status = crd_source_open(path, &source, error);
    return status == CRD_OK ? read_split(dataset, source, split, error) : status;
}

crd_status crd_split_read_memory(const crd_dataset *dataset, const void *bytes, size_t size, const char *name,
                                 crd_split **split, crd_error *error)
{
    crd_source *source;
    *split = NULL;
    crd_status status = crd_source_memory(bytes, size, name, &source, error);
    return status == CRD_OK ? read_split(dataset, source, split, error) : status;
}
