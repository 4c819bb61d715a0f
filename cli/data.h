/* SPDX-License-Identifier: MIT */
/* What the commands read: graphs, models, configurations and splits. */
#ifndef CREDENCE_CLI_DATA_H
#define CREDENCE_CLI_DATA_H

#include <jansson.h>

#include "credence_private.h"
#include "options.h"
#include "public_graphs.h"

/* All return the exit code and report what is wrong. */

/* Opens a graph given by path or by name, with the options of crd_cli_add_data. An existing path wins.
 * Otherwise the files of a public graph are looked for in --data-dir, in CREDENCE_DATA and in the folder that
 * `credence fetch` fills. *known becomes the public graph that it is, by its name or its content; NULL: none. */
int crd_cli_open(const crd_cli_options *options, const char *name_or_path, crd_dataset **dataset,
                 const crd_public_graph **known);
/* Whether a file looks like a model, by its name or because it begins with the length of a header and the header, which
 * is JSON. */
bool crd_cli_is_model(const char *path);
/* MODEL and DATA, a command's two arguments. Zero-initialise; freeing is always allowed. */
typedef struct crd_cli_inputs {
    crd_model *model;
    crd_dataset *dataset;
    crd_prediction *prediction; /* NULL until the command makes one */
    char *notes;                /* about the two; NULL: none */
    int threads;                /* the value of --threads */
} crd_cli_inputs;

/* Puts the features of data into a model's order. *notes says what it had to change and what looks unlike the data of
 * training, to be printed after the answers; the caller frees it. NULL: nothing. */
int crd_cli_fit(const crd_model *model, crd_dataset *dataset, char **notes);
int crd_cli_open_inputs(const crd_cli_options *options, crd_cli_inputs *inputs);
/* Frees them. If the command succeeded and is not quiet, prints the notes first. Returns the exit code. */
int crd_cli_close_inputs(const crd_cli_options *options, crd_cli_inputs *inputs, int code);
/* The file or folder in `folder` that has one of a public graph's names; NULL if there is none. The caller frees
 * it. */
char *crd_cli_find_in(const crd_public_graph *known, const char *folder);
/* The same in all the places that crd_cli_open searches. */
char *crd_cli_find_public(const crd_public_graph *known, const char *data_dir);
/* The folders of public graphs, counted from 0: --data-dir, CREDENCE_DATA, ${XDG_DATA_HOME:-~/.local/share}/credence.
 * Those that are not set do not count; NULL after the last. The caller frees it. */
char *crd_cli_data_folder(const char *data_dir, int index);
/* A variable of the environment; NULL if it is unset or empty. */
const char *crd_cli_environment(const char *name);
/* A public graph as a JSON object. */
json_t *crd_cli_graph_json(const crd_public_graph *graph);
/* Offers the names of all public graphs. */
void crd_cli_offer_public(crd_cli_guess *guess);

/* ---- configurations as text, and which options belong to a choice, to a run or to a comparison ---- */

/* Whether an option belongs to a run (seed, threads) or to a comparison (left-out) rather than to a choice. */
bool crd_cli_option_of_run(const char *option);

typedef enum crd_cli_config_part {
    CRD_CLI_OF_CHOICE, /* what `tune` chooses: without the options of a run */
    CRD_CLI_OF_RUN     /* what a result depends on: all but the number of threads */
} crd_cli_config_part;

/* The options as a JSON object, on one line or with one line per option. The caller frees it. */
char *crd_cli_config_text(const crd_config *config, crd_cli_config_part part, bool lines);

/* crd_config_read; if an option's name is mistyped, the error suggests the nearest one. */
crd_status crd_cli_config_read(crd_config *config, const char *file, crd_error *error) CRD_MUST_CHECK;

/* One option's value as the user would type it. The caller frees it. */
char *crd_cli_config_value(const crd_config *config, const char *option);

/* The option of that name, of `length` characters; NULL if there is none. */
const crd_option *crd_cli_find_option(const char *name, size_t length);
/* Reports that there is no such option and names the nearest one. */
int crd_cli_unknown_option(const char *given_as, const char *name, size_t length);

/* ---- --left-out: how many of the last classes, or which classes by name ---- */

crd_cli_option *crd_cli_add_left_out(crd_cli_options *options, const char *shown_default, const char *help);
/* Whether the value names classes. A whole number says how many; "name:3" is the class called 3. */
bool crd_cli_names_classes(const char *left_out);
/* The value for these data: *count classes; *last, one per class, marks those that it names, or is NULL if it says how
 * many. The caller frees it. */
int crd_cli_left_out(const crd_cli_options *options, const char *data, const crd_dataset *dataset, int64_t *count,
                     bool **last);

/* Whether --preset depends on the data: "published", "best", "errors". */
bool crd_cli_preset_needs_data(const crd_cli_options *options);
/* The defaults, then --preset, then the file of --config. "published", "best" and "errors" stand for the presets of the
 * public graph. */
int crd_cli_config(const crd_cli_options *options, const crd_public_graph *known, crd_config *config);

/* --split-file and --test-nodes: which nodes count as test nodes. */
void crd_cli_add_test_nodes(crd_cli_options *options);
/* *split is NULL if the model's own split applies; the caller frees it. */
int crd_cli_choose_test_nodes(const crd_cli_options *options, const crd_model *model, const crd_dataset *dataset,
                              crd_split **split);

#endif
