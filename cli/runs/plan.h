/* The runs to do: every graph with every model and every seed. */
#ifndef CREDENCE_CLI_RUNS_PLAN_H
#define CREDENCE_CLI_RUNS_PLAN_H

#include "data.h"
#include "runs/runs.h"

/* The models to compare, each with a name and a configuration, and the tasks to compare them by. */

/* A model or a task, chosen by its name. */
typedef struct crd_cli_entry {
    const char *name, *title, *help;
    const char *uses; /* of a task: the default models. Of a model: the library's kind of model; NULL: its options come
                         from a preset, a file or the defaults */
} crd_cli_entry;

/* In the order of tables; the name after the last is NULL. */
extern const crd_cli_entry crd_cli_contenders[], crd_cli_tasks[];
/* NULL if there is none of that name. */
const crd_cli_entry *crd_cli_find(const crd_cli_entry *table, const char *name);
/* Whether it exists for these data (NULL: not a public graph): there are few published choices. */
bool crd_cli_contender_applies(const crd_cli_entry *contender, const crd_public_graph *known);
/* Its configuration for these data. `errors`: the task is to find wrong answers, not unseen classes. `file` is for
 * the contender "config". */
crd_status crd_cli_contender_configure(const crd_cli_entry *contender, const crd_public_graph *known, bool errors,
                                       const char *file, crd_config *config, crd_error *error) CRD_MUST_CHECK;
/* Whether the data have the features that a kind of model needs. Returns the exit code and reports an error. */
int crd_cli_check_features(const char *data, const crd_dataset *dataset, const char *kind);

/* Options to change, from --set: "reg-weight=1e-5,features=binary,rownorm" becomes an object, by the names of options.
 * Release it in any case. Both return the exit code and report what is wrong. */
int crd_cli_changes_read(const crd_cli_options *options, json_t **changes);
/* Changes those options that the model has, and removes them from `unused`; or all of them, if that is NULL. */
int crd_cli_changes_apply(const crd_cli_options *options, const json_t *changes, json_t *unused, crd_config *config);

/* ---- the plan ---- */

/* Both return the exit code and report what is wrong. */

/* The value of an option, or else the usual one, split at commas: an array of strings, to be released in any case. No
 * entry may be empty or appear twice. */
int crd_cli_list_read(const crd_cli_options *options, const char *name, const char *usual, json_t **list);
/* --seeds. "10": 1 to 10; "11-15": from, to; "1,4,7-9": these seeds. The caller frees *seeds in any case. */
int crd_cli_seeds_read(const crd_cli_options *options, const char *usual, uint64_t **seeds, int64_t *count);

/* A graph to measure on. */
typedef struct crd_cli_graph {
    char *name, *title;
    const crd_public_graph *known; /* NULL: no public graph */
    crd_dataset *dataset;
    int64_t left_out;  /* classes that the task leaves out */
    const char *split; /* as for crd_split_make */
    int own_splits;    /* how many splits of the data this means; 0: seeds draw them */
} crd_cli_graph;

/* Opens a graph, with the split that --split, or else a public graph, says. Returns the exit code; free it in any
 * case. */
int crd_cli_graph_open(const crd_cli_options *options, const char *typed, crd_cli_graph *graph);
void crd_cli_graph_free(crd_cli_graph *graph);
/* A seed either draws its split or takes the next one of the data's own, in turn. */
crd_status crd_cli_graph_split(const crd_cli_graph *graph, uint64_t seed, crd_split **split,
                               crd_error *error) CRD_MUST_CHECK;
/* If there are more seeds than splits, prints that seeds share splits. */
void crd_cli_say_shared_splits(const crd_cli_graph *graph, int64_t seeds);

/* A run to do. */
typedef struct crd_cli_wanted {
    const crd_cli_graph *graph;
    const crd_cli_entry *contender;
    const char *title; /* of the contender; NULL: its usual title */
    const char *shift; /* NULL: none */
    uint64_t seed;     /* of the split; the configuration's is the same */
    crd_config config;
    json_t *line; /* the fields that identify the run, for crd_cli_runs_find */
} crd_cli_wanted;

typedef struct crd_cli_plan {
    const crd_cli_entry *task;
    const crd_cli_entry **contender;
    int contenders;
    uint64_t *seed;
    int64_t seeds;
    json_t *shifts;           /* of the task shift; else NULL */
    json_t *changes, *unused; /* of --set; and those of them that no model has so far */
    crd_cli_graph *graph;
    int graphs;
    crd_cli_wanted *wanted; /* graph by graph, shift by shift, seed by seed, model by model: tables fill
                               evenly */
    int64_t count;
} crd_cli_plan;

/* Reads the options of 'compare', opens its graphs and lists the runs. Finds every error that can be found before
 * the work. Returns the exit code and reports what is wrong. Free the plan in any case. */
int crd_cli_plan_make(crd_cli_plan *plan, const crd_cli_options *options);
/* Prints which models are left out on which graphs, and which graphs' seeds share splits. */
void crd_cli_plan_say_notes(const crd_cli_plan *plan);
void crd_cli_plan_free(crd_cli_plan *plan);

/* Splits, trains, measures: work of a pool, whose context is the plan. Adds "training" and "metrics" to the result. */
crd_status crd_cli_wanted_run(const void *plan, const void *wanted, json_t *result, crd_error *error) CRD_MUST_CHECK;
/* How a training went: {"epochs", "stop", ...}. */
json_t *crd_cli_training_json(const crd_model *model);

#endif
