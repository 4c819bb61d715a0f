/* From a map of nodes to the discs that are drawn: where, how large, in which order, and which ones nobody
 * would see. */
#ifndef CREDENCE_CLI_FIGURES_DOTS_H
#define CREDENCE_CLI_FIGURES_DOTS_H

#include <stdbool.h>
#include <stdint.h>

/* Sizes come in steps, so that discs of one size and colour can share a path. */
enum { CRD_FIG_LEVELS = 12 };

/* Lengths are in the drawing's units, of which a pixel has two: positions are whole numbers of them. */
enum { CRD_FIG_UNITS = 2 };

typedef struct crd_fig_dot {
    int32_t x, y;  /* downwards */
    int32_t group; /* its colour */
    int level;     /* its size */
} crd_fig_dot;

typedef struct crd_fig_dots {
    int32_t side;     /* of the square that all discs are inside of */
    crd_fig_dot *dot; /* in the order of drawing: large ones first, so that small ones lie on them */
    int64_t count;
    double radius[CRD_FIG_LEVELS]; /* from small to large */
    double most;                   /* the evidence from which on discs are of the largest size */
} crd_fig_dots;

/* Nodes are at map[2 i], map[2 i + 1], upwards; group[i] is a number from 0 on. */
void crd_fig_dots_make(crd_fig_dots *dots, const float *map, const float *evidence, const int32_t *group,
                       int64_t nodes, int32_t side);
void crd_fig_dots_free(crd_fig_dots *dots);

/* The radius of a disc whose area grows with the square root of the evidence. */
double crd_fig_radius(const crd_fig_dots *dots, double evidence);

/* Drops those of which the others leave nothing to see but a speck, smaller than a pixel. */
void crd_fig_dots_cull(crd_fig_dots *dots);

/* Where most of a group is, in units, at least `apart` from the places before it; false if it has no dots or
 * no such place. */
bool crd_fig_dots_place(const crd_fig_dots *dots, int32_t group, const int32_t *x, const int32_t *y,
                        int before, int32_t apart, int32_t *place_x, int32_t *place_y);

#endif
