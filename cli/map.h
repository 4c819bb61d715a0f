/* SPDX-License-Identifier: MIT */
/* Shared by every command that makes a map by t-SNE: its options and its progress. */
#ifndef CREDENCE_CLI_MAP_H
#define CREDENCE_CLI_MAP_H

#include "options.h"

/* Zero-initialise. */
typedef struct crd_cli_map_progress {
    bool live;         /* on a terminal: one line that changes */
    int64_t iteration; /* the last one */
    crd_control control;
} crd_cli_map_progress;

/* Adds --perplexity, --iterations and --seed. */
void crd_cli_add_map(crd_cli_options *options);
/* Reads them, and --threads and --quiet. A signal ends a map early, and `progress` shows it on a terminal. */
void crd_cli_map_options(const crd_cli_options *options, crd_tsne_options *tsne, crd_cli_map_progress *progress);

#endif
