/* The models that are compared, each a name and a configuration, and the tasks they are compared by. */
#ifndef CREDENCE_CLI_RUNS_CONTENDERS_H
#define CREDENCE_CLI_RUNS_CONTENDERS_H

#include "data.h"

typedef struct crd_cli_contender {
    const char *name, *title, *help;
    const char *kind; /* the library's model; NULL: its options come from a preset, a file or the defaults */
} crd_cli_contender;

/* By number, in the order of tables, NULL after the last; by name, NULL if there is none. */
const crd_cli_contender *crd_cli_contender_at(int index);
const crd_cli_contender *crd_cli_contender_find(const char *name);
/* Whether it exists for these data (NULL: no public graph): published choices are few. */
bool crd_cli_contender_applies(const crd_cli_contender *contender, const crd_public_graph *known);
/* Its configuration for these data; `errors` if wrong answers are to be found, not unseen classes; `file` is
 * that of the contender "config". */
crd_status crd_cli_contender_configure(const crd_cli_contender *contender, const crd_public_graph *known, bool errors,
                                       const char *file, crd_config *config, crd_error *error) CRD_MUST_CHECK;
/* Whether the data have the features that a kind of model needs. Returns the exit code, after having said so. */
int crd_cli_check_features(const char *data, const crd_dataset *dataset, const char *kind);

typedef struct crd_cli_task {
    const char *name, *title, *help;
    const char *models; /* those that are compared if none are named */
} crd_cli_task;

const crd_cli_task *crd_cli_task_at(int index);
const crd_cli_task *crd_cli_task_find(const char *name);

/* Options that are changed for every model that has them: "reg-weight=1e-5,features=binary,rownorm". */
typedef struct crd_cli_changes {
    char **value; /* one per option of crd_option_at; NULL: not set */
    bool *taken;  /* a model took it */
    bool *made;   /* and had another value before */
} crd_cli_changes;

/* Reads --set and checks every value. Returns the exit code, after having said what is wrong. */
int crd_cli_changes_read(const crd_cli_options *options, crd_cli_changes *changes);
/* Sets what the model has among its options. */
crd_status crd_cli_changes_apply(crd_cli_changes *changes, crd_config *config, crd_error *error) CRD_MUST_CHECK;
/* An option that no model took, NULL if all were. */
const char *crd_cli_changes_unused(const crd_cli_changes *changes);
/* What became different for some model, "reg-weight=1e-5, activation=gelu"; NULL if nothing did. The caller
 * frees it. */
char *crd_cli_changes_text(const crd_cli_changes *changes);
void crd_cli_changes_free(crd_cli_changes *changes);

#endif
