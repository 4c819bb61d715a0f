#include "graph/split.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

crd_status crd_split_new(int64_t nodes, crd_split **split, crd_error *error)
{
    crd_status status = CRD_NEW_ZERO(split, 1, error);
    if (status != CRD_OK) return status;
    (*split)->nodes = nodes;
    status = CRD_NEW_ZERO(&(*split)->roles, nodes, error);
    if (status != CRD_OK) crd_split_free(split);
    return status;
}

void crd_split_describe(crd_split *split, const char *how)
{
    /* `how` may hold a file's name: cut, so that the counts always fit. */
    snprintf(split->description, sizeof split->description,
             "%.140s: %lld train, %lld validation, %lld test", how,
             (long long)crd_split_count(split, CRD_ROLE_TRAIN),
             (long long)crd_split_count(split, CRD_ROLE_VALIDATION),
             (long long)crd_split_count(split, CRD_ROLE_TEST));
}

crd_status crd_split_from_roles(const uint8_t *roles, int64_t nodes, crd_split **split, crd_error *error)
{
    *split = NULL;
    if (nodes < 0)
        return crd_fail(error, CRD_ERROR_ARGUMENT, "a split of %lld nodes was asked for", (long long)nodes);
    for (int64_t i = 0; i < nodes; i++)
        if (roles[i] > CRD_ROLE_TEST)
            return crd_fail(error, CRD_ERROR_ARGUMENT, "node %lld has the role %d, expected 0 to %d",
                            (long long)i, roles[i], CRD_ROLE_TEST);
    crd_split *made;
    crd_status status = crd_split_new(nodes, &made, error);
    if (status != CRD_OK) return status;
    for (int64_t i = 0; i < nodes; i++) made->roles[i] = roles[i];
    crd_split_describe(made, "given by the caller");
    *split = made;
    return CRD_OK;
}

void crd_split_free(crd_split **split)
{
    if (split == NULL || *split == NULL) return;
    free((*split)->roles);
    free(*split);
    *split = NULL;
}

crd_role crd_split_role(const crd_split *split, int64_t node)
{
    if (node < 0 || node >= split->nodes) return CRD_ROLE_NONE;
    return (crd_role)split->roles[node];
}

int64_t crd_split_count(const crd_split *split, crd_role role)
{
    int64_t count = 0;
    for (int64_t i = 0; i < split->nodes; i++) count += split->roles[i] == role;
    return count;
}

const char *crd_split_description(const crd_split *split)
{
    return split->description;
}
