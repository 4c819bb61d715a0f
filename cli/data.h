/* What the commands read: graphs, models, splits, and the number of threads for them. */
#ifndef CREDENCE_CLI_DATA_H
#define CREDENCE_CLI_DATA_H

#include <jansson.h>

#include "credence_private.h"
#include "options.h"
#include "public_graphs.h"

/* All return the exit code, after having said what is wrong. */

/* Opens a graph given by path or by name, with --node-features, --labels and --data-dir. What exists as a
 * path is that path; else the files of a public graph are looked for in --data-dir, in CREDENCE_DATA and in
 * the folder that `credence fetch` fills. */
int crd_cli_open(const crd_cli_options *options, const char *name_or_path, crd_dataset **dataset);
/* The same, and says which public graph it is, by its name or by its content; NULL: none that is known. */
int crd_cli_open_public(const crd_cli_options *options, const char *name_or_path, crd_dataset **dataset,
                        const crd_public_graph **known);
/* Whether a file looks like a model: it begins with the length of a header, which is JSON, and with the
 * header. */
bool crd_cli_is_model(const char *path);
/* Opens MODEL and DATA, a command's two arguments. On failure both are NULL. */
int crd_cli_open_both(const crd_cli_options *options, crd_model **model, crd_dataset **dataset);
/* The file or folder in `folder` that has one of a public graph's names, NULL if there is none; the caller
 * frees it. */
char *crd_cli_find_in(const crd_public_graph *known, const char *folder);
/* The same in all the places where crd_cli_open looks. */
char *crd_cli_find_public(const crd_public_graph *known, const char *data_dir);
/* The folder for public graphs where CREDENCE_DATA names none: ${XDG_DATA_HOME:-~/.local/share}/credence.
 * NULL if there is no home; the caller frees it. */
char *crd_cli_data_home(void);
/* A variable of the environment; NULL if it is not set, or empty. */
const char *crd_cli_environment(const char *name);
/* A public graph as a JSON object. */
json_t *crd_cli_graph_json(const crd_public_graph *graph);
/* A name of a public graph, or what it may have been meant to be, for a message; NULL: none is near. */
const char *crd_cli_nearest_public(const char *typed);

/* Whether --preset depends on what the data are: "published", "best", "errors". */
bool crd_cli_preset_needs_data(const crd_cli_options *options);
/* The value of --preset, where these become what they are for the public graph; NULL if it was not given. */
int crd_cli_preset(const crd_cli_options *options, const crd_public_graph *known, const char **preset);

int crd_cli_threads(const crd_cli_options *options, int *threads);

/* --split-file and --test-nodes: which nodes count as test nodes. */
void crd_cli_add_test_nodes(crd_cli_options *options);
int crd_cli_check_test_nodes(const crd_cli_options *options);
/* *split is NULL if the model's own is to be taken; the caller frees it. */
int crd_cli_choose_test_nodes(const crd_cli_options *options, const crd_dataset *dataset, crd_split **split);

/* "12", or "12 (its name)" where the data have names; the caller frees it. */
char *crd_cli_node_text(const crd_dataset *dataset, int64_t node);

#endif
