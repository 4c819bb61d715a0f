/* The grids of the paper's appendix: which panels they have, and how their models are trained. */
#ifndef CREDENCE_CLI_FIGURES_GRIDS_H
#define CREDENCE_CLI_FIGURES_GRIDS_H

#include "lab/changes.h"
#include "lab/graphs.h"

enum { CRD_FIG_MOST_PANELS = 4 };

typedef struct crd_fig_grid_kind {
    const char *name;
    int columns, panels;
    const char *value[CRD_FIG_MOST_PANELS]; /* what tells them apart, as an option has it */
    const char *title[CRD_FIG_MOST_PANELS];
} crd_fig_grid_kind;

/* The grids one by one, NULL after the last. */
const crd_fig_grid_kind *crd_fig_grid_at(int index);

/* How the model of a panel is trained: as the paper's choice for the graph has it (a graph without one: the
 * preset gpn), with `changes`, then what the panel says. `reg` is the regulariser of the grid lambda. */
crd_status crd_fig_configure(const crd_fig_grid_kind *grid, int panel, const crd_lab_data *data,
                             const char *reg, crd_lab_changes *changes, crd_config *config,
                             crd_error *error) CRD_MUST_CHECK;

/* "latent space for four weights of the distance regulariser"; the caller frees it. */
char *crd_fig_heading(const crd_fig_grid_kind *grid, const char *reg);
/* The settings that the panels share, and what size and colour mean; the caller frees it. */
char *crd_fig_note(const crd_fig_grid_kind *grid, const crd_config *config, int64_t nodes, double perplexity,
                   int64_t iterations);

#endif
