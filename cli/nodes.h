/* --split-file and --nodes: which nodes count as test nodes. */
#ifndef CREDENCE_CLI_NODES_H
#define CREDENCE_CLI_NODES_H

#include "options.h"

void crd_cli_add_nodes(crd_cli_options *options);
/* Both return the exit code, after having said what is wrong. */
int crd_cli_check_nodes(const crd_cli_options *options);
/* *split is NULL where the model's own is to be taken; the caller frees it. */
int crd_cli_choose_nodes(const crd_cli_options *options, const crd_dataset *dataset, crd_split **split);

#endif
