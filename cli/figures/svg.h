/* A grid of panels as one SVG drawing: vectors and text, nothing embedded, so that it is shown wherever SVG
 * is. */
#ifndef CREDENCE_CLI_FIGURES_SVG_H
#define CREDENCE_CLI_FIGURES_SVG_H

#include "figures/panel.h"

/* A panel, and what stands over it. */
typedef struct crd_fig_cell {
    const char *title;
    const crd_fig_panel *panel;
} crd_fig_cell;

typedef struct crd_fig_grid {
    const crd_lab_data *data;
    const char *heading;
    const char *note; /* what the settings were, below the panels */
    int columns;
    const crd_fig_cell *cell;
    int cells;
} crd_fig_grid;

/* The drawing's text; the caller frees it. The same panels give the same bytes. */
char *crd_fig_svg(const crd_fig_grid *grid);

/* The colours of classes, "#rrggbb": distinguishable for most colour-blind readers too; from the seventeenth
 * on they come again. */
enum { CRD_FIG_COLOURS = 16 };
const char *crd_fig_colour(int32_t class_index);

/* What classes are called in a legend: their names without the folders that all share ("a/b/x" and "a/b/y"
 * are x and y), and "class 3" where a name is only the number. The caller frees it. */
char *crd_fig_class_name(const crd_dataset *dataset, int32_t class_index);

#endif
