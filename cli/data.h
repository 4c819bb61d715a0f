/* What the commands read: graphs, models, splits, and the number of threads for them. */
#ifndef CREDENCE_CLI_DATA_H
#define CREDENCE_CLI_DATA_H

#include "options.h"

/* All return the exit code, after having said what is wrong. */

/* Opens a graph, with --node-features and --labels. */
int crd_cli_open(const crd_cli_options *options, const char *path, crd_dataset **dataset);
/* Opens MODEL and DATA, a command's two arguments. On failure both are NULL. */
int crd_cli_open_both(const crd_cli_options *options, crd_model **model, crd_dataset **dataset);
int crd_cli_threads(const crd_cli_options *options, int *threads);

/* "12", or "12 (its name)" where the data have names; the caller frees it. */
char *crd_cli_node_text(const crd_dataset *dataset, int64_t node);

#endif
