/* What the commands read: graphs, models and splits. */
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
    int threads;                /* the value of --threads */
} crd_cli_inputs;

int crd_cli_open_inputs(const crd_cli_options *options, crd_cli_inputs *inputs);
void crd_cli_free_inputs(crd_cli_inputs *inputs);
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

/* Whether --preset depends on the data: "published", "best", "errors". */
bool crd_cli_preset_needs_data(const crd_cli_options *options);
/* The defaults, then --preset, then the file of --config. Those three become the presets of the public graph. */
int crd_cli_config(const crd_cli_options *options, const crd_public_graph *known, crd_config *config);

/* --split-file and --test-nodes: which nodes count as test nodes. */
void crd_cli_add_test_nodes(crd_cli_options *options);
/* *split is NULL if the model's own split applies; the caller frees it. */
int crd_cli_choose_test_nodes(const crd_cli_options *options, const crd_dataset *dataset, crd_split **split);

#endif
