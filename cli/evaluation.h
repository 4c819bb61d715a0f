/* An evaluation as a table for people. */
#ifndef CREDENCE_CLI_EVALUATION_H
#define CREDENCE_CLI_EVALUATION_H

#include "output.h"

/* Percent; beside every AUPR stand its positive class and that class's share of the nodes. */
void crd_cli_print_evaluation(const crd_evaluation *evaluation, FILE *stream);

#endif
