/* Who lies beside whom: how far classes, and nodes of no known class, keep apart in a space. */
#ifndef CREDENCE_CLI_FIGURES_NEIGHBOURS_H
#define CREDENCE_CLI_FIGURES_NEIGHBOURS_H

#include <stdint.h>

enum { CRD_FIG_NEIGHBOURS = 10, CRD_FIG_SAMPLE = 2000 };

typedef struct crd_fig_neighbours {
    double same; /* of the nearest labelled points of one with a trained class: those of its class */
    double ood;  /* of the nearest labelled points of a left-out one: left-out ones */
} crd_fig_neighbours;

/* Of CRD_FIG_SAMPLE points evenly spread over all (or all, if they are fewer), the CRD_FIG_NEIGHBOURS
 * nearest. Labels are classes, -1 for none; those from `classes` on were left out. NaN where there is nobody
 * to ask. */
crd_fig_neighbours crd_fig_neighbours_of(const float *points, int64_t count, int64_t dims,
                                         const int32_t *label, int32_t classes);

/* How many dimensions the points spread over, evenly counted: (trace C)^2 / trace (C^2) of their covariance
 * C; 0 if they are all one. */
double crd_fig_dimensions(const float *points, int64_t count, int64_t dims);

#endif
