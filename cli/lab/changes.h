/* Options that are changed for many models at once: "reg-weight=1e-5,features=binary,rownorm". */
#ifndef CREDENCE_CLI_LAB_CHANGES_H
#define CREDENCE_CLI_LAB_CHANGES_H

#include "lab/models.h"

typedef struct crd_lab_changes {
    char **value; /* one an option of crd_option_at; NULL: not set */
    bool *taken;  /* a model took it */
    bool *made;   /* and had another value before */
} crd_lab_changes;

/* Reads such a list (NULL: an empty one), checks every value. Returns the exit code, after having said what
 * is wrong. */
int crd_lab_changes_read(const crd_cli_options *options, const char *text, crd_lab_changes *changes);
/* Sets what the model has among its options. */
crd_status crd_lab_changes_apply(crd_lab_changes *changes, crd_config *config,
                                 crd_error *error) CRD_MUST_CHECK;
/* An option that no model took, NULL if all were. */
const char *crd_lab_changes_left(const crd_lab_changes *changes);
/* What became different for some model: "reg-weight=1e-5, activation=gelu"; NULL if nothing did. The caller
 * frees it. */
char *crd_lab_changes_text(const crd_lab_changes *changes);
void crd_lab_changes_free(crd_lab_changes *changes);

#endif
