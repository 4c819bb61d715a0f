/* What colours, letters and sizes mean. */
#ifndef CREDENCE_CLI_FIGURES_LEGEND_H
#define CREDENCE_CLI_FIGURES_LEGEND_H

#include <stdio.h>

#include "figures/dots.h"
#include "lab/graphs.h"

/* The letter of a class on the map, 0 for the fifty-third and those behind it. */
char crd_fig_letter(int32_t class_index);
/* The colour of a class, of those that were left out (group `classes`) or of no known class (one more). */
const char *crd_fig_group_colour(int32_t group, int32_t classes);

/* Rows of classes from y on, which is the first row's middle; returns where the last one ends. */
double crd_fig_print_classes(FILE *stream, const crd_lab_data *data, double x, double y, double width,
                             double size);
/* A line of discs and the evidence that they stand for, on the base line y. */
void crd_fig_print_sizes(FILE *stream, const crd_fig_dots *dots, double x, double y, double size);

#endif
