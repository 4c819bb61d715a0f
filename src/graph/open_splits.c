/* Splits among named arrays: lists of node numbers, or masks. */
#include <stdlib.h>

#include "graph/open_arrays.h"
#include "graph/split_arrays.h"

enum { ROLES = CRD_SPLIT_ARRAYS };

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
            status = crd_fail(error, CRD_ERROR_FORMAT, "%s: item %lld is node %lld, expected 0 to %lld",
                              crd_source_name(source), (long long)i, (long long)items[i],
                              (long long)nodes - 1);
        else masks->mask[items[i]] = 1;
    }
    free(items);
    return status;
}

static crd_status read_role(crd_bag *bag, const char *const *names, int64_t nodes, role_masks *masks,
                            crd_error *error)
{
    while (*names != NULL && !crd_bag_has(bag, *names)) names++;
    if (*names == NULL) return CRD_OK;
    crd_npy npy;
    crd_source *source;
    crd_status status = crd_bag_array(bag, *names, &npy, &source, error);
    if (status != CRD_OK) return status;
    if (npy.kind == CRD_NPY_OBJECT || npy.kind == CRD_NPY_UNICODE || npy.kind == CRD_NPY_BYTES)
        status = crd_fail(error, CRD_ERROR_FORMAT, "%s: expected node numbers or a mask",
                          crd_source_name(source));
    else if (crd_is_split_mask(*names, &npy)) status = read_mask(source, &npy, nodes, masks, error);
    else status = read_numbers(source, &npy, nodes, masks, error);
    crd_source_free(&source);
    return status;
}

static crd_status merge(const crd_bag *bag, const role_masks *masks, crd_dataset *dataset, crd_error *error)
{
    static const char *const words[] = {"", "training", "validation", "test"};
    enum { MOST_SPLITS = 1 << 20 };
    int64_t nodes = crd_dataset_nodes(dataset), splits = 1, size;
    for (int r = 0; r < ROLES; r++)
        if (masks[r].splits > splits) splits = masks[r].splits;
    for (int r = 0; r < ROLES; r++)
        if (masks[r].mask != NULL && masks[r].splits != 1 && masks[r].splits != splits)
            return crd_fail(error, CRD_ERROR_FORMAT, "%s: one mask has %lld splits, another %lld",
                            crd_bag_name(bag), (long long)splits, (long long)masks[r].splits);
    if (splits > MOST_SPLITS || !crd_multiply(splits, nodes, &size))
        return crd_fail(error, CRD_ERROR_FORMAT, "%s: has %lld splits, expected %d at most",
                        crd_bag_name(bag), (long long)splits, MOST_SPLITS);
    crd_status status = CRD_NEW_ZERO(&dataset->split_roles, size, error);
    if (status != CRD_OK) return status;
    for (int r = 0; r < ROLES; r++)
        for (int64_t i = 0; i < size && masks[r].mask != NULL; i++) {
            if (masks[r].mask[masks[r].splits == 1 ? i % nodes : i] == 0) continue;
            if (dataset->split_roles[i] != CRD_ROLE_NONE)
                return crd_fail(error, CRD_ERROR_FORMAT, "%s: node %lld is both a %s and a %s node",
                                crd_bag_name(bag), (long long)(i % nodes), words[dataset->split_roles[i]],
                                words[crd_split_arrays[r].role]);
            dataset->split_roles[i] = crd_split_arrays[r].role;
        }
    dataset->splits = (int)splits;
    return CRD_OK;
}

crd_status crd_splits_from_bag(crd_bag *bag, crd_dataset *dataset, crd_error *error)
{
    role_masks masks[ROLES] = {{0}};
    crd_status status = CRD_OK;
    for (int r = 0; r < ROLES && status == CRD_OK; r++)
        status = read_role(bag, crd_split_arrays[r].names, crd_dataset_nodes(dataset), &masks[r], error);
    /* Without training nodes it is no split. */
    if (status == CRD_OK && masks[0].mask != NULL && masks[0].splits > 0)
        status = merge(bag, masks, dataset, error);
    for (int r = 0; r < ROLES; r++) free(masks[r].mask);
    return status;
}
