/* The graphs that are measured on: --data, and what belongs to each. */
#ifndef CREDENCE_CLI_LAB_GRAPHS_H
#define CREDENCE_CLI_LAB_GRAPHS_H

#include "credence_private.h"
#include "public_graphs.h"
#include "options.h"

typedef struct crd_lab_data {
    char *name, *title;
    const crd_public_graph *known; /* NULL: not a graph that is known by name */
    crd_dataset *dataset;
    int64_t left_out;  /* classes that the task leaves out */
    const char *split; /* what crd_split_make takes */
    int own_splits;    /* of the data that this stands for; 0: seeds draw them */
    double cost;       /* roughly the seconds that a GPN takes */
} crd_lab_data;

/* Opens what was typed as the next of `data`, of which there are `count` already, with a command's options
 * --data-dir, --split and --left-out; `leaves_out` if classes have to be left out. Returns the exit code,
 * after having said what is wrong. */
int crd_lab_data_open(const crd_cli_options *options, const char *typed, bool leaves_out, crd_lab_data *data,
                      int count);
/* Whether the split of that seed can be made and has test nodes. Returns the exit code likewise. */
int crd_lab_data_check_split(const crd_lab_data *data, uint64_t seed);
void crd_lab_data_free(crd_lab_data *data);

#endif
