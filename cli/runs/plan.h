/* What is to be run: every graph with every model and every seed. */
#ifndef CREDENCE_CLI_RUNS_PLAN_H
#define CREDENCE_CLI_RUNS_PLAN_H

#include "runs/contenders.h"
#include "runs/runs.h"

/* Lists on the command line. Both return the exit code, after having said what is wrong with option --`name`. */
typedef struct crd_cli_list {
    char **item;
    int count;
} crd_cli_list;
/* What stands between commas; nothing may be empty or there twice. */
int crd_cli_list_read(const crd_cli_options *options, const char *name, const char *text, crd_cli_list *list);
void crd_cli_list_free(crd_cli_list *list);
/* "10": 1 to 10; "11-15": from, to; "1,4,7-9": these. The caller frees *seeds. */
int crd_cli_seeds_read(const crd_cli_options *options, const char *name, const char *text, uint64_t **seeds,
                       int64_t *count);

/* A graph that is measured on. */
typedef struct crd_cli_graph {
    char *name, *title;
    const crd_public_graph *known; /* NULL: no public graph */
    crd_dataset *dataset;
    int64_t left_out;  /* classes that the task leaves out */
    const char *split; /* what crd_split_make takes */
    int own_splits;    /* of the data that this stands for; 0: seeds draw them */
} crd_cli_graph;

/* How many splits of their own the data have that `spec` stands for; 0: the seeds draw them. A seed's split is
 * drawn by it, or is the next of the data's own, which are taken in turn. */
crd_status crd_cli_own_splits(const crd_dataset *dataset, const char *spec, int *own,
                              crd_error *error) CRD_MUST_CHECK;
int crd_cli_split_index(int own, uint64_t seed);
crd_status crd_cli_seed_split(const crd_dataset *dataset, const char *spec, int own, uint64_t seed,
                              crd_split **split, crd_error *error) CRD_MUST_CHECK;
/* Says that seeds have to share splits, if there are more seeds than splits. */
void crd_cli_say_shared_splits(const char *data, int own, int64_t seeds);

/* A run that is to be done. */
typedef struct crd_cli_wanted {
    const crd_cli_graph *graph;
    const crd_cli_contender *contender;
    const char *title; /* of the contender; NULL: its own */
    const char *shift; /* NULL: none */
    uint64_t seed;     /* of the split; the configuration's is the same */
    crd_config config;
    json_t *line; /* the fields that say which run it is, for crd_cli_runs_find */
} crd_cli_wanted;

typedef struct crd_cli_plan {
    const crd_cli_task *task;
    const crd_cli_contender **contender;
    int contenders;
    uint64_t *seed;
    int64_t seeds;
    crd_cli_list shifts; /* of the task shift; else it is empty */
    crd_cli_changes changes;
    crd_cli_graph *graph;
    int graphs;
    crd_cli_wanted *wanted; /* graph by graph, shift by shift, seed by seed, model by model: tables fill
                               evenly */
    int64_t count;
} crd_cli_plan;

/* Reads the options of 'compare', opens its graphs and lists the runs: everything that can be wrong is found
 * here. Returns the exit code, after having said what is wrong. Free the plan in any case. */
int crd_cli_plan_make(crd_cli_plan *plan, const crd_cli_options *options);
/* Says which models are left out on which graphs, and whose seeds share splits. */
void crd_cli_plan_say_notes(const crd_cli_plan *plan);
void crd_cli_plan_free(crd_cli_plan *plan);

/* Splits, trains, measures. *result is a JSON object with "training" and "metrics". */
crd_status crd_cli_wanted_run(const crd_cli_plan *plan, int64_t index, char **result,
                              crd_error *error) CRD_MUST_CHECK;
/* {"epochs", "stop", ...}: how a training went. */
json_t *crd_cli_training_json(const crd_model *model);

#endif
