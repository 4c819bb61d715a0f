/* The figures' captions: a Markdown page with the drawings and what was measured. */
#ifndef CREDENCE_CLI_FIGURES_CAPTIONS_H
#define CREDENCE_CLI_FIGURES_CAPTIONS_H

#include "figures/svg.h"

/* A drawing with its file's name, its caption and the table of its panels. */
void crd_fig_print_caption(FILE *stream, const crd_fig_grid *grid, const char *file);

#endif
