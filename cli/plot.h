/* Small plots for a terminal, with labelled axes and a sentence on how to read them. Pure: numbers in, a grid
 * of characters out, which the caller frees. */
#ifndef CREDENCE_CLI_PLOT_H
#define CREDENCE_CLI_PLOT_H

#include "credence_private.h"
#include "grid.h"

enum { CRD_CLI_PLOT_LEAST = 36 }; /* columns that any of them needs */

/* Two groups above each other on one axis, each with a scale of its own: shares of the group. */
typedef struct crd_cli_histogram {
    const char *title, *label, *reading;
    const char *negatives, *positives; /* what the groups are called */
    const double *value;
    const bool *positive;
    int64_t count;
} crd_cli_histogram;

crd_status crd_cli_plot_histogram(const crd_cli_histogram *histogram, int width, bool unicode,
                                  crd_cli_grid **grid, crd_error *error);

/* A curve of fractions, in percent: x from 0 to 1, y from 0 to `top`. */
typedef struct crd_cli_curve {
    const char *title, *across, *upwards, *reading; /* across, upwards: the axes' labels */
    const crd_point *point;
    int64_t points;
    double top;
    crd_point from, to; /* the ends of a dotted line to compare with */
} crd_cli_curve;

crd_cli_grid *crd_cli_plot_curve(const crd_cli_curve *curve, int width, bool unicode);

/* A bar for every bin that has answers: how many of them are right, and a mark where that ought to be. */
crd_cli_grid *crd_cli_plot_reliability(const crd_reliability_bin bins[CRD_ECE_BINS], double ece, int width,
                                       bool unicode);

#endif
