/* Lists on the command line: "a,b,c", and seeds. */
#ifndef CREDENCE_CLI_LAB_LISTS_H
#define CREDENCE_CLI_LAB_LISTS_H

#include "options.h"

typedef struct crd_lab_list {
    char **item;
    int count;
} crd_lab_list;

/* Both return the exit code, after having said what is wrong with option --`name`. */

/* What stands between commas; nothing may be empty or there twice. */
int crd_lab_list_read(const crd_cli_options *options, const char *name, const char *text, crd_lab_list *list);
void crd_lab_list_free(crd_lab_list *list);

/* "10": 1 to 10; "11-15": from, to; "1,4,7-9": these. The caller frees *seeds. */
int crd_lab_seeds_read(const crd_cli_options *options, const char *name, const char *text, uint64_t **seeds,
                       int64_t *count);

/* Whether a comma-separated list has the name or the title. A NULL list has everything. */
bool crd_lab_listed(const char *list, const char *name, const char *title);

#endif
