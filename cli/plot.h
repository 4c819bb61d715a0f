/* SPDX-License-Identifier: MIT */
/* An evaluation in small plots, on terminals that can show them. */
#ifndef CREDENCE_CLI_PLOT_H
#define CREDENCE_CLI_PLOT_H

#include "options.h"

typedef struct crd_cli_plotting {
    bool wanted;
    int width; /* columns, from 40 to 100 */
    bool unicode, colour;
} crd_cli_plotting;

void crd_cli_add_plot(crd_cli_options *options);
/* Reads --plot and looks at standard output, COLUMNS, the locale and NO_COLOR. Returns the exit code and reports
 * what is wrong. */
int crd_cli_read_plot(const crd_cli_options *options, crd_cli_plotting *plotting);

/* Prints the plots of the evaluation's task, if they are wanted, after an empty line and indented by so many
 * columns. */
crd_status crd_cli_plot_evaluation(const crd_evaluation *evaluation, const crd_sample *sample, const crd_model *model,
                                   const crd_cli_plotting *plotting, int indent, FILE *stream, crd_error *error);

#endif
