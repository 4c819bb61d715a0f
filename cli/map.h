/* Shared by every command that makes a map by t-SNE: its options and its progress. */
#ifndef CREDENCE_CLI_MAP_H
#define CREDENCE_CLI_MAP_H

#include "options.h"

/* Adds --perplexity, --iterations and --seed. */
void crd_cli_add_map(crd_cli_options *options);
/* Reads the first two, which a command may also have declared itself. Returns the exit code and reports what is
 * wrong. */
int crd_cli_map_options(const crd_cli_options *options, crd_tsne_options *tsne);

/* Zero-initialise, set `live`, hand crd_cli_on_iteration and the address to crd_tsne. */
typedef struct crd_cli_map_progress {
    bool live; /* on a terminal: one line that changes */
    bool shown, stopped;
    int64_t iteration; /* the last one */
    double divergence; /* the last known one; 0 before the first */
} crd_cli_map_progress;

/* False once a signal asked to stop. */
bool crd_cli_on_iteration(const crd_tsne_state *state, void *progress);
/* Leaves the live line. */
void crd_cli_map_progress_end(crd_cli_map_progress *progress);

#endif
