/* The options of commands that make a map by t-SNE. */
#ifndef CREDENCE_CLI_MAP_OPTIONS_H
#define CREDENCE_CLI_MAP_OPTIONS_H

#include "options.h"

/* --perplexity, --iterations and --seed. */
void crd_cli_add_map(crd_cli_options *options);
/* Takes over the first two, which a command may also have declared itself. Returns the exit code, after having said
 * what is wrong. */
int crd_cli_map_options(const crd_cli_options *options, crd_tsne_options *tsne);
/* So many in all, the same share of them exaggerated as by default. */
void crd_cli_map_iterations(crd_tsne_options *tsne, int64_t iterations);

#endif
