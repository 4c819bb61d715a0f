/* The rows of a table: names of models and, behind each, a configuration. */
#ifndef CREDENCE_CLI_LAB_MODELS_H
#define CREDENCE_CLI_LAB_MODELS_H

#include "credence_private.h"
#include "public_graphs.h"
#include "options.h"

typedef struct crd_lab_model {
    const char *name, *title, *help;
    const char *kind;  /* the library's model */
    bool from_preset;  /* its options come from the data's preset, a file or the defaults, not its kind */
    double effort;     /* roughly how long it takes, a GPN being 1 */
    const char *tuned; /* the options that the task ablation chooses for it, each row those of the row before
                          it and others; NULL: none */
} crd_lab_model;

/* The model of that name, NULL if there is none. */
const crd_lab_model *crd_lab_model_find(const char *name);
/* The models in the order of tables; NULL after the last. */
const crd_lab_model *crd_lab_model_at(int index);

/* Whether the data have the features that a kind of model needs. Returns the exit code, after having said that
 * they have none. */
int crd_lab_check_features(const char *data, const crd_dataset *dataset, const char *kind);

/* Whether there is such a row for these data (NULL: not known ones): published choices are few. */
bool crd_lab_model_applies(const crd_lab_model *model, const crd_public_graph *known);

/* The row's configuration for these data; `errors` if wrong answers are to be detected, not unseen classes;
 * `file` is that of the row "config". For rows that are tuned it is what the tuning starts from. */
crd_status crd_lab_model_configure(const crd_lab_model *model, const crd_public_graph *known, bool errors,
                                   const char *file, crd_config *config, crd_error *error) CRD_MUST_CHECK;

#endif
