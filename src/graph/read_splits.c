/* Station 2, splits: arrays of node numbers or masks, beside a graph or in a file of their own, and rows of
 * node and split. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "graph/raw.h"
#include "graph/split.h"
#include "io/sniff.h"

/* How the arrays of a split are called: training, validation and test, in this order. */
enum { ROLES = 3 };
typedef struct split_array {
    uint8_t role;          /* crd_role */
    const char *names[12]; /* the spellings in use; NULL after the last */
} split_array;

/* Ours and OGB's, PyTorch Geometric's masks, plain lists. */
static const split_array split_arrays[ROLES] = {
    {CRD_ROLE_TRAIN, {"split_train", "train_idx", "train_mask", "train_masks", "train"}},
    {CRD_ROLE_VALIDATION,
     {"split_valid", "split_val", "val_idx", "valid_idx", "val_mask", "val_masks", "valid_mask",
      "valid_masks", "val", "valid"}},
    {CRD_ROLE_TEST, {"split_test", "test_idx", "test_mask", "test_masks", "test"}},
};

bool crd_is_split_array(const char *name)
{
    for (int r = 0; r < ROLES; r++)
        for (const char *const *spelling = split_arrays[r].names; *spelling != NULL; spelling++)
            if (strcmp(*spelling, name) == 0) return true;
    return false;
}

/* Bools are masks, one item per node, and so is whatever is called so; the rest are lists of nodes. */
static bool is_mask(const char *name, const crd_npy *npy)
{
    return npy->kind == CRD_NPY_BOOL || strstr(name, "_mask") != NULL;
}

/* ---- beside a graph ---- */

/* One role's nodes in every split: splits x nodes, where a single split stands for all. */
typedef struct role_masks {
    int64_t splits;
    uint8_t *mask;
} role_masks;

static crd_status read_mask(crd_source *source, const crd_npy *npy, int64_t nodes, role_masks *masks,
                            crd_error *error)
{
    char found[64];
    crd_npy_describe(npy, found, sizeof found);
    bool one = npy->dims == 1 && npy->shape[0] == nodes;
    bool rows = npy->dims == 2 && npy->shape[1] == nodes, columns = npy->dims == 2 && npy->shape[0] == nodes;
    if (!one && !rows && !columns)
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%s: expected a mask of %lld nodes ([nodes], [splits,nodes] or [nodes,splits]), "
                        "found %s",
                        crd_source_name(source), (long long)nodes, found);
    masks->splits = one ? 1 : rows ? npy->shape[0] : npy->shape[1];
    if (one || rows) return crd_npy_read_bool(source, npy, &masks->mask, error);
    uint8_t *items;
    crd_status status = crd_npy_read_bool(source, npy, &items, error);
    if (status == CRD_OK) status = CRD_NEW(&masks->mask, npy->count, error);
    for (int64_t i = 0; i < nodes && status == CRD_OK; i++)
        for (int64_t s = 0; s < masks->splits; s++) masks->mask[s * nodes + i] = items[i * masks->splits + s];
    free(items);
    return status;
}

static crd_status read_numbers(crd_source *source, const crd_npy *npy, int64_t nodes, role_masks *masks,
                               crd_error *error)
{
    char found[64];
    crd_npy_describe(npy, found, sizeof found);
    if (npy->dims != 1)
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: expected a list of node numbers, found %s",
                        crd_source_name(source), found);
    int64_t *items = NULL;
    crd_status status = crd_npy_read_int64(source, npy, &items, error);
    if (status == CRD_OK) status = CRD_NEW_ZERO(&masks->mask, nodes, error);
    masks->splits = 1;
    for (int64_t i = 0; i < npy->count && status == CRD_OK; i++) {
        if (items[i] < 0 || items[i] >= nodes)
            status =
                crd_fail(error, CRD_ERROR_FORMAT, "%s: item %lld is node %lld, expected 0 to %lld",
                         crd_source_name(source), (long long)i, (long long)items[i], (long long)nodes - 1);
        else
            masks->mask[items[i]] = 1;
    }
    free(items);
    return status;
}

static crd_status read_role(crd_archive *archive, const char *const *names, int64_t nodes, role_masks *masks,
                            crd_error *error)
{
    while (*names != NULL && !crd_archive_has(archive, *names)) names++;
    if (*names == NULL) return CRD_OK;
    crd_npy npy;
    crd_source *source;
    crd_status status = crd_archive_array(archive, *names, &npy, &source, error);
    if (status != CRD_OK) return status;
    if (npy.kind == CRD_NPY_OBJECT || npy.kind == CRD_NPY_UNICODE || npy.kind == CRD_NPY_BYTES)
        status =
            crd_fail(error, CRD_ERROR_FORMAT, "%s: expected node numbers or a mask", crd_source_name(source));
    else if (is_mask(*names, &npy))
        status = read_mask(source, &npy, nodes, masks, error);
    else
        status = read_numbers(source, &npy, nodes, masks, error);
    crd_source_free(&source);
    return status;
}

static crd_status merge(const crd_archive *archive, const role_masks *masks, crd_dataset *dataset,
                        crd_error *error)
{
    static const char *const words[] = {"", "training", "validation", "test"};
    enum { MOST_SPLITS = 1 << 20 };
    int64_t nodes = crd_dataset_nodes(dataset), splits = 1, size;
    for (int r = 0; r < ROLES; r++)
        if (masks[r].splits > splits) splits = masks[r].splits;
    for (int r = 0; r < ROLES; r++)
        if (masks[r].mask != NULL && masks[r].splits != 1 && masks[r].splits != splits)
            return crd_fail(error, CRD_ERROR_FORMAT, "%s: one mask has %lld splits, another %lld",
                            crd_archive_name(archive), (long long)splits, (long long)masks[r].splits);
    if (splits > MOST_SPLITS || !crd_multiply(splits, nodes, &size))
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: has %lld splits, expected %d at most",
                        crd_archive_name(archive), (long long)splits, MOST_SPLITS);
    crd_status status = CRD_NEW_ZERO(&dataset->split_roles, size, error);
    if (status != CRD_OK) return status;
    for (int r = 0; r < ROLES; r++)
        for (int64_t i = 0; i < size && masks[r].mask != NULL; i++) {
            if (masks[r].mask[masks[r].splits == 1 ? i % nodes : i] == 0) continue;
            if (dataset->split_roles[i] != CRD_ROLE_NONE)
                return crd_fail(error, CRD_ERROR_FORMAT, "%s: node %lld is both a %s and a %s node",
                                crd_archive_name(archive), (long long)(i % nodes),
                                words[dataset->split_roles[i]], words[split_arrays[r].role]);
            dataset->split_roles[i] = split_arrays[r].role;
        }
    dataset->splits = (int)splits;
    return CRD_OK;
}

crd_status crd_splits_from_archive(crd_archive *archive, crd_dataset *dataset, crd_error *error)
{
    role_masks masks[ROLES] = {{0}};
    crd_status status = CRD_OK;
    for (int r = 0; r < ROLES && status == CRD_OK; r++)
        status = read_role(archive, split_arrays[r].names, crd_dataset_nodes(dataset), &masks[r], error);
    /* Without training nodes it is no split. */
    if (status == CRD_OK && masks[0].mask != NULL && masks[0].splits > 0)
        status = merge(archive, masks, dataset, error);
    for (int r = 0; r < ROLES; r++) free(masks[r].mask);
    return status;
}

/* ---- a file of its own ---- */

/* A node that no row or array has named yet; tells "named twice" from "named as none". */
enum { UNNAMED = 255 };

static const char *role_word(uint8_t role)
{
    static const char *const words[] = {"none", "train", "validation", "test"};
    return words[role];
}

/* Where a node was named, for messages: "FILE: line 3", "FILE:train: item 7". */
typedef struct place {
    const char *file;
    const char *unit;
    int64_t number;
} place;

static crd_status name_node(crd_split *split, int64_t node, uint8_t role, place at, crd_error *error)
{
    if (node < 0 || node >= split->nodes)
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "%.300s: %s %lld: node %lld does not exist, expected 0 to %lld", at.file, at.unit,
                        (long long)at.number, (long long)node, (long long)split->nodes - 1);
    if (split->roles[node] != UNNAMED)
        return crd_fail(error, CRD_ERROR_FORMAT, "%.300s: %s %lld: node %lld is named twice, as %s and as %s",
                        at.file, at.unit, (long long)at.number, (long long)node,
                        role_word(split->roles[node]), role_word(role));
    split->roles[node] = role;
    return CRD_OK;
}

/* ---- arrays ---- */

static crd_status name_masked(crd_split *split, crd_source *source, const crd_npy *npy, uint8_t role,
                              crd_error *error)
{
    const char *name = crd_source_name(source);
    if (npy->count != split->nodes)
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "%s: the mask has %lld items, expected one per node (%lld)", name,
                        (long long)npy->count, (long long)split->nodes);
    uint8_t *mask;
    crd_status status = crd_npy_read_bool(source, npy, &mask, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < npy->count && status == CRD_OK; i++)
        if (mask[i]) status = name_node(split, i, role, (place){name, "item", i}, error);
    free(mask);
    return status;
}

static crd_status name_indexed(crd_split *split, crd_source *source, const crd_npy *npy, uint8_t role,
                               crd_error *error)
{
    int64_t *items;
    crd_status status = crd_npy_read_int64(source, npy, &items, error);
    if (status != CRD_OK) return status;
    const char *name = crd_source_name(source);
    for (int64_t i = 0; i < npy->count && status == CRD_OK; i++)
        status = name_node(split, items[i], role, (place){name, "item", i}, error);
    free(items);
    return status;
}

static crd_status read_array(crd_split *split, crd_archive *archive, const char *name, uint8_t role,
                             crd_error *error)
{
    crd_npy npy;
    crd_source *source = NULL;
    crd_status status = crd_archive_array(archive, name, &npy, &source, error);
    if (status != CRD_OK) return status;
    if (npy.dims != 1) {
        char found[96];
        crd_npy_describe(&npy, found, sizeof found);
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: expected a list of node numbers or a mask, found %s",
                          crd_source_name(source), found);
    } else if (is_mask(name, &npy)) {
        status = name_masked(split, source, &npy, role, error);
    } else {
        status = name_indexed(split, source, &npy, role, error);
    }
    crd_source_free(&source);
    return status;
}

/* The array of a role by whatever name; *found is NULL if there is none. */
static crd_status find_array(const crd_archive *archive, const split_array *array, const char **found,
                             crd_error *error)
{
    *found = NULL;
    for (const char *const *name = array->names; *name != NULL; name++) {
        if (!crd_archive_has(archive, *name)) continue;
        if (*found != NULL)
            return crd_fail(error, CRD_ERROR_FORMAT,
                            "%.300s: has both \"%s\" and \"%s\", expected one of them",
                            crd_archive_name(archive), *found, *name);
        *found = *name;
    }
    return CRD_OK;
}

/* Where a role is missing, an array of an unknown name may be it in another spelling. */
static crd_status refuse_unknown(const crd_archive *archive, const char *missing, crd_error *error)
{
    enum { LISTED = 8 };
    char list[400] = "";
    size_t used = 0;
    int64_t unknown = 0;
    for (int64_t i = 0; i < crd_archive_count(archive); i++) {
        const char *name = crd_archive_array_name(archive, i);
        if (crd_is_split_array(name) || ++unknown > LISTED) continue;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s'%.40s'", unknown > 1 ? ", " : "", name);
    }
    if (unknown == 0) return CRD_OK;
    if (unknown > LISTED)
        snprintf(list + used, sizeof list - used, " and %lld more", (long long)(unknown - LISTED));
    return crd_fail(error, CRD_ERROR_FORMAT,
                    "%.300s: has no array \"%s\" but %s, whose names say nothing; expected train, val and "
                    "test, or names like train_mask, val_mask and test_mask",
                    crd_archive_name(archive), missing, list);
}

static crd_status read_arrays(crd_split *split, crd_archive *archive, crd_error *error)
{
    static const char *const words[ROLES] = {"train", "val", "test"};
    const char *found[ROLES];
    crd_status status = CRD_OK;
    for (int r = 0; r < ROLES && status == CRD_OK; r++)
        status = find_array(archive, &split_arrays[r], &found[r], error);
    for (int r = 0; r < 2 && status == CRD_OK; r++)
        if (found[r] == NULL) status = refuse_unknown(archive, words[r], error);
    if (status == CRD_OK && found[0] == NULL && found[2] == NULL)
        status = crd_fail(error, CRD_ERROR_FORMAT,
                          "%.300s: has neither an array \"train\" nor \"test\", expected node numbers in "
                          "train, val and test",
                          crd_archive_name(archive));
    for (int r = 0; r < ROLES && status == CRD_OK; r++)
        if (found[r] != NULL) status = read_array(split, archive, found[r], split_arrays[r].role, error);
    return status;
}

static crd_status read_npz(crd_split *split, crd_source *source, crd_error *error)
{
    uint8_t *bytes;
    size_t size;
    crd_archive *archive = NULL;
    crd_status status = crd_source_read_all(source, &bytes, &size, error);
    if (status != CRD_OK) return status;
    status = crd_archive_open_memory(bytes, size, crd_source_name(source), &archive, error);
    if (status == CRD_OK) status = read_arrays(split, archive, error);
    crd_archive_free(&archive);
    free(bytes);
    return status;
}

/* ---- rows ---- */

static bool parse_role(const char *text, uint8_t *role)
{
    static const struct {
        const char *word;
        uint8_t role;
    } words[] = {{"train", CRD_ROLE_TRAIN},      {"val", CRD_ROLE_VALIDATION},
                 {"valid", CRD_ROLE_VALIDATION}, {"validation", CRD_ROLE_VALIDATION},
                 {"test", CRD_ROLE_TEST},        {"none", CRD_ROLE_NONE}};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (crd_is_word(text, words[w].word)) {
            *role = words[w].role;
            return true;
        }
    return false;
}

static crd_status name_row(const crd_dataset *dataset, crd_split *split, bool by_name, char **fields,
                           int64_t count, place at, crd_error *error)
{
    uint8_t role;
    if (count != 2)
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%.300s: line %lld: expected two columns (node,split), found %lld", at.file,
                        (long long)at.number, (long long)count);
    if (!parse_role(fields[1], &role))
        return crd_fail(error, CRD_ERROR_FORMAT,
                        "%.300s: line %lld: the split is \"%.80s\", expected train, val, test or none",
                        at.file, (long long)at.number, fields[1]);
    int64_t node = by_name ? crd_name_index_find(dataset->node_index, fields[0]) : -1;
    if (node < 0) node = crd_dataset_find_node(dataset, fields[0]);
    if (node < 0)
        return crd_fail(error, CRD_ERROR_MISMATCH,
                        "%.300s: line %lld: the data have no node \"%.80s\", expected a name or a number "
                        "from 0 to %lld",
                        at.file, (long long)at.number, fields[0], (long long)split->nodes - 1);
    return name_node(split, node, role, at, error);
}

/* The next row that is not a header; *fields is NULL at the end. */
static crd_status next_row(crd_csv *csv, bool *first, char ***fields, int64_t *count, crd_error *error)
{
    crd_status status = crd_csv_row(csv, fields, count, error);
    bool header = status == CRD_OK && *first && *fields != NULL && *count == 2 &&
                  (crd_is_word((*fields)[1], "split") || crd_is_word((*fields)[1], "role"));
    *first = false;
    return header ? crd_csv_row(csv, fields, count, error) : status;
}

/* Whether the file speaks of nodes by name. Names may look like numbers, so the file as a whole decides: if
 * all its nodes are numbers of nodes, numbers they are; unless the data themselves go by name. */
static crd_status speaks_by_name(const crd_dataset *dataset, crd_source *source, bool *by_name,
                                 crd_error *error)
{
    crd_csv *csv;
    *by_name = dataset->node_index != NULL && dataset->names_are_ids;
    if (dataset->node_index == NULL || *by_name) return CRD_OK;
    crd_status status = crd_csv_open(source, &csv, error);
    if (status != CRD_OK) return status;
    bool first = true;
    while (status == CRD_OK && !*by_name) {
        char **fields;
        int64_t count, number;
        status = next_row(csv, &first, &fields, &count, error);
        if (status != CRD_OK || fields == NULL) break;
        *by_name = count > 0 &&
                   !(crd_parse_int64(fields[0], &number) && number >= 0 && number < dataset->input.nodes);
    }
    crd_csv_free(&csv);
    return status;
}

static crd_status name_rows(const crd_dataset *dataset, crd_split *split, bool by_name, crd_source *source,
                            crd_error *error)
{
    crd_csv *csv;
    crd_status status = crd_csv_open(source, &csv, error);
    if (status != CRD_OK) return status;
    bool first = true, empty = true;
    while (status == CRD_OK) {
        char **fields;
        int64_t count;
        status = next_row(csv, &first, &fields, &count, error);
        if (status != CRD_OK || fields == NULL) break;
        empty = false;
        place at = {crd_source_name(source), "line", crd_csv_line(csv)};
        status = name_row(dataset, split, by_name, fields, count, at, error);
    }
    crd_csv_free(&csv);
    if (status == CRD_OK && empty)
        status = crd_fail(error, CRD_ERROR_FORMAT,
                          "%s: holds no split, expected .npz with train, val and test, or rows of node,split",
                          crd_source_name(source));
    return status;
}

/* Read twice: first to see how nodes are spoken of. */
static crd_status read_rows(const crd_dataset *dataset, crd_split *split, crd_source *source,
                            crd_error *error)
{
    uint8_t *bytes;
    size_t size;
    bool by_name = false;
    crd_status status = crd_source_read_all(source, &bytes, &size, error);
    if (status != CRD_OK) return status;
    for (int pass = 0; pass < 2 && status == CRD_OK; pass++) {
        crd_source *again;
        status = crd_source_memory(bytes, size, crd_source_name(source), &again, error);
        if (status != CRD_OK) break;
        status = pass == 0 ? speaks_by_name(dataset, again, &by_name, error)
                           : name_rows(dataset, split, by_name, again, error);
        crd_source_free(&again);
    }
    free(bytes);
    return status;
}

/* ---- either ---- */

/* The folder is left out: a split is the same wherever its file lies. */
static void describe_file(crd_split *split, const char *name)
{
    const char *slash = strrchr(name, '/');
    crd_split_describe(split, slash != NULL && slash[1] != '\0' ? slash + 1 : name);
}

crd_status crd_split_read_source(const crd_dataset *dataset, crd_source *source, crd_split **split,
                                 crd_error *error)
{
    *split = NULL;
    const uint8_t *head;
    size_t got;
    crd_status status = crd_refuse_foreign(source, error);
    if (status == CRD_OK) status = crd_source_peek(source, 4, &head, &got, error);
    if (status != CRD_OK) return status;
    bool zipped = crd_is_zip(head, got);
    crd_split *made;
    status = crd_split_new(crd_dataset_nodes(dataset), &made, error);
    if (status != CRD_OK) return status;
    memset(made->roles, UNNAMED, (size_t)made->nodes);
    status = zipped ? read_npz(made, source, error) : read_rows(dataset, made, source, error);
    if (status != CRD_OK) {
        crd_split_free(&made);
        return status;
    }
    for (int64_t i = 0; i < made->nodes; i++)
        if (made->roles[i] == UNNAMED) made->roles[i] = CRD_ROLE_NONE;
    describe_file(made, crd_source_name(source));
    *split = made;
    return CRD_OK;
}

crd_status crd_split_read(const crd_dataset *dataset, const char *path, crd_split **split, crd_error *error)
{
    crd_source *source;
    *split = NULL;
    crd_status status = crd_source_open(path, &source, error);
    if (status != CRD_OK) return status;
    status = crd_split_read_source(dataset, source, split, error);
    crd_source_free(&source);
    return status;
}

crd_status crd_split_read_memory(const crd_dataset *dataset, const void *bytes, size_t size, const char *name,
                                 crd_split **split, crd_error *error)
{
    crd_source *source;
    *split = NULL;
    crd_status status = crd_source_memory(bytes, size, name, &source, error);
    if (status != CRD_OK) return status;
    status = crd_split_read_source(dataset, source, split, error);
    crd_source_free(&source);
    return status;
}
