#include "nodes.h"

#include <stdlib.h>
#include <string.h>

void crd_cli_add_nodes(crd_cli_options *options)
{
    crd_cli_add(options, 0, "split-file", "FILE", NULL,
                "take the test nodes from this split, not from the one stored in the model");
    crd_cli_add(options, 0, "nodes", "WHICH", "test",
                "test: the split's test nodes; all: every labelled node counts as one");
}

int crd_cli_check_nodes(const crd_cli_options *options)
{
    const char *nodes = crd_cli_value(options, "nodes");
    if (nodes != NULL && strcmp(nodes, "test") != 0 && strcmp(nodes, "all") != 0)
        return crd_cli_misused(options, "--nodes: expected test or all, found '%s'", nodes);
    if (nodes != NULL && strcmp(nodes, "all") == 0 && crd_cli_given(options, "split-file"))
        return crd_cli_misused(options, "--nodes all and --split-file contradict each other");
    return CRD_CLI_DONE;
}

/* A split in which every labelled node tests. */
static crd_status all_test(const crd_dataset *dataset, crd_split **split, crd_error *error)
{
    int64_t nodes = crd_dataset_nodes(dataset);
    uint8_t *roles = crd_cli_allocate(NULL, (size_t)nodes);
    for (int64_t i = 0; i < nodes; i++)
        roles[i] = crd_dataset_label(dataset, i) >= 0 ? CRD_ROLE_TEST : CRD_ROLE_NONE;
    crd_status status = crd_split_from_roles(roles, nodes, split, error);
    free(roles);
    return status;
}

int crd_cli_choose_nodes(const crd_cli_options *options, const crd_dataset *dataset, crd_split **split)
{
    crd_error error;
    crd_status status = CRD_OK;
    const char *file = crd_cli_value(options, "split-file"), *nodes = crd_cli_value(options, "nodes");
    *split = NULL;
    if (file != NULL) status = crd_split_read(dataset, file, split, &error);
    else if (nodes != NULL && strcmp(nodes, "all") == 0) status = all_test(dataset, split, &error);
    return status == CRD_OK ? CRD_CLI_DONE : crd_cli_fail(&error);
}
