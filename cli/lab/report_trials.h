/* The lines of a file of trials put together again: searches, and in each the settings that it tried. */
#ifndef CREDENCE_CLI_LAB_REPORT_TRIALS_H
#define CREDENCE_CLI_LAB_REPORT_TRIALS_H

#include "lab/tune.h"

/* A configuration and its trials. */
typedef struct crd_lab_setting {
    const json_t *config;
    const json_t **line; /* its trials, as the file has them */
    int64_t count;
    /* Of the trials that count, which are those with the largest budget on each split with each class held
     * out: */
    int trials;
    double score, error; /* as in crd_lab_tune_summary */
    double accuracy, cross_entropy, epochs;
    const char *why; /* it has no score because of this; NULL: it has one */
} crd_lab_setting;

/* Trials of one criterion on one graph and one kind of split. */
typedef struct crd_lab_search {
    const json_t *like; /* a line of it */
    crd_lab_criterion criterion;
    crd_lab_setting *setting; /* in the order of their first trials */
    int64_t count;
    int64_t last; /* the number of its last line in the file */
} crd_lab_search;

typedef struct crd_lab_searches {
    crd_lab_search *search; /* in the order of their last lines: a folder's newest one is the last */
    int64_t count;
} crd_lab_searches;

/* Lines of other commands are passed over. The lines must stay for as long as this is used. */
void crd_lab_searches_make(crd_lab_searches *searches, const crd_lab_runs *trials);
void crd_lab_searches_free(crd_lab_searches *searches);
/* The setting with that configuration, NULL if there is none. */
const crd_lab_setting *crd_lab_setting_find(const crd_lab_search *search, const json_t *config);

#endif
