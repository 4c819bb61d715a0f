/* What the commands read: graphs, models, splits, and the number of threads for them. */
#ifndef CREDENCE_CLI_DATA_H
#define CREDENCE_CLI_DATA_H

#include "credence_private.h"
#include "options.h"
#include "public_graphs.h"

/* All return the exit code, after having said what is wrong. */

/* Finds data by path, or by the name of a public graph. What exists as a path is that path, and *known is
 * NULL; else the files of a known name are looked for in `data_dir` (may be NULL), in CREDENCE_DATA, and in
 * the folder that `credence fetch` fills. What is neither a path nor a name is handed back as it is, for
 * crd_dataset_open to complain about, unless it is nearly a name. The caller frees *path, which is NULL on
 * failure. */
int crd_cli_find_data(const char *name_or_path, const char *data_dir, const crd_public_graph **known,
                      char **path);

/* Opens a graph given by path or by name, with --node-features, --labels and --data-dir. */
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
/* The same in all the places where crd_cli_find_data looks. */
char *crd_cli_find_public(const crd_public_graph *known, const char *data_dir);
/* The folder for public graphs where CREDENCE_DATA names none: ${XDG_DATA_HOME:-~/.local/share}/credence.
 * NULL if there is no home; the caller frees it. */
char *crd_cli_data_home(void);
/* A variable of the environment; NULL if it is not set, or empty. */
const char *crd_cli_environment(const char *name);
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
