/* How a map is shown while t-SNE works on it. */
#ifndef CREDENCE_CLI_MAP_PROGRESS_H
#define CREDENCE_CLI_MAP_PROGRESS_H

#include "output.h"

/* Zero-initialise, set `live`, hand crd_cli_on_iteration and the address to crd_tsne. */
typedef struct crd_cli_map_progress {
    bool live; /* on a terminal: one line that changes */
    bool shown, stopped;
    int64_t iteration; /* the last one */
    double divergence; /* the last that was told; 0 before the first */
} crd_cli_map_progress;

/* False once a signal asked to stop. */
bool crd_cli_on_iteration(const crd_tsne_state *state, void *progress);
/* Leaves the live line. */
void crd_cli_map_progress_end(crd_cli_map_progress *progress);

#endif
