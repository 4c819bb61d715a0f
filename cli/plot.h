/* Small plots for a terminal, with labelled axes and a sentence on how to read them. Pure functions: numbers in, a
 * grid of characters out, which the caller frees. */
#ifndef CREDENCE_CLI_PLOT_H
#define CREDENCE_CLI_PLOT_H

#include "credence_private.h"

/* A sheet of characters to draw on: every cell has a symbol and a colour. */
typedef enum crd_cli_ink {
    CRD_CLI_INK_PLAIN,
    CRD_CLI_INK_BOLD,
    CRD_CLI_INK_FIRST, /* two groups to compare */
    CRD_CLI_INK_SECOND
} crd_cli_ink;

typedef struct crd_cli_cell {
    uint32_t symbol; /* a Unicode character */
    crd_cli_ink ink;
} crd_cli_cell;

typedef struct crd_cli_grid {
    int width, height; /* it grows downwards as it is drawn on */
    bool unicode;      /* false: only ASCII may be drawn */
    crd_cli_cell *cell;
} crd_cli_grid;

crd_cli_grid *crd_cli_grid_new(int width, bool unicode);
void crd_cli_grid_free(crd_cli_grid *grid);

/* Whatever lies outside the width is left out. */
void crd_cli_grid_put(crd_cli_grid *grid, int column, int row, uint32_t symbol, crd_cli_ink ink);
/* Writes ASCII in one row; or word by word in as many rows as it needs up to the right edge, and returns the row
 * after them. */
void crd_cli_grid_write(crd_cli_grid *grid, int column, int row, const char *text, crd_cli_ink ink);
int crd_cli_grid_wrap(crd_cli_grid *grid, int column, int row, const char *text);
/* Copies all of `other`; its upper left corner goes there. */
void crd_cli_grid_paste(crd_cli_grid *grid, int column, int row, const crd_cli_grid *other);

/* The lines in UTF-8, without trailing blanks, each indented by so many blanks; with terminal codes for colours if
 * `colour`. The caller frees it. */
char *crd_cli_grid_text(const crd_cli_grid *grid, int indent, bool colour);

enum { CRD_CLI_PLOT_LEAST = 36 }; /* columns that every plot needs */

/* Two groups, one above the other, on one axis. Each has its own scale: shares of the group. */
typedef struct crd_cli_histogram {
    const char *title, *label, *reading;
    const char *negatives, *positives; /* the names of the groups */
    const double *value;
    const bool *positive;
    int64_t count;
} crd_cli_histogram;

crd_status crd_cli_plot_histogram(const crd_cli_histogram *histogram, int width, bool unicode, crd_cli_grid **grid,
                                  crd_error *error);

/* A curve of fractions, in percent: x from 0 to 1, y from 0 to `top`. */
typedef struct crd_cli_curve {
    const char *title, *across, *upwards, *reading; /* across, upwards: labels of the axes */
    const crd_point *point;
    int64_t points;
    double top;
    crd_point from, to; /* the ends of a dotted line for comparison */
} crd_cli_curve;

crd_cli_grid *crd_cli_plot_curve(const crd_cli_curve *curve, int width, bool unicode);

/* One bar for every bin that has answers: the share of right answers, and a mark where it ought to be. */
crd_cli_grid *crd_cli_plot_reliability(const crd_reliability_bin bins[CRD_ECE_BINS], double ece, int width,
                                       bool unicode);

#endif
