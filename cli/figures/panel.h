/* One picture of a latent space: a model is trained, its nodes are put on a map, and what can be measured
 * about both is measured. */
#ifndef CREDENCE_CLI_FIGURES_PANEL_H
#define CREDENCE_CLI_FIGURES_PANEL_H

#include <jansson.h>

#include "lab/graphs.h"

/* Numbers that do not apply are NaN. Shares are fractions. */
typedef struct crd_fig_measures {
    double accuracy;                            /* on the test nodes of the classes that were trained */
    double auroc_alea, auroc_epi, auroc_epi_wo; /* finding left-out nodes; the last without the graph */
    double evidence_id, evidence_ood;           /* medians over the test nodes */
    double same_latent, same_map; /* of the neighbours of a node of a trained class: those of its class */
    double ood_latent, ood_map;   /* of the neighbours of a left-out node: left-out ones */
    double dimensions;            /* that the latent space really has */
    double divergence;            /* of the map, Kullback and Leibler's */
    int64_t epochs, best_epoch;
    const char *stop; /* how training ended */
} crd_fig_measures;

/* What is to be drawn. */
typedef struct crd_fig_wanted {
    const crd_lab_data *data;
    const char *grid;  /* "lambda" */
    const char *value; /* "1e-4": what tells the grid's panels apart */
    crd_config config;
    double perplexity;
    int64_t iterations;
} crd_fig_wanted;

typedef struct crd_fig_panel {
    int64_t nodes;
    float *map;      /* nodes x 2 */
    float *evidence; /* of all classes together, after the graph */
    char *line;      /* what it is and what was measured, as JSON: a line of figures.jsonl */
    json_t *record;  /* the same, taken apart */
} crd_fig_panel;

/* Who watches: called with what is done ("training", "t-SNE") and how far it is; false stops. */
typedef bool (*crd_fig_progress)(const char *what, int64_t done, int64_t of, void *user);

/* Trains, predicts, makes the map, measures. `*stopped` where the call-back said so: there is no panel then.
 */
crd_status crd_fig_panel_make(const crd_fig_wanted *wanted, crd_fig_progress progress, void *user,
                              crd_fig_panel *panel, bool *stopped, crd_error *error) CRD_MUST_CHECK;
void crd_fig_panel_free(crd_fig_panel *panel);

/* Writes it to a file, for the next time. Returns the exit code, after having said what is wrong. */
int crd_fig_panel_save(const crd_fig_panel *panel, const char *path);
/* Reads it, if the file is there, whole, and of the very panel that is wanted. */
bool crd_fig_panel_load(const char *path, const crd_fig_wanted *wanted, crd_fig_panel *panel);
/* What a record is to the panel that is wanted: the very same, the same as another version of Credence or a graph that
 * has changed since made it, or something else. */
typedef enum crd_fig_likeness { CRD_FIG_SAME, CRD_FIG_OLDER, CRD_FIG_OTHER } crd_fig_likeness;
crd_fig_likeness crd_fig_panel_compare(const json_t *record, const crd_fig_wanted *wanted);

/* A number of the record, NaN where it has none. */
double crd_fig_panel_number(const crd_fig_panel *panel, const char *name);

#endif
