/* Configurations as text, and which options belong to a choice, to a run or to a comparison. */
#ifndef CREDENCE_CLI_CONFIG_TEXT_H
#define CREDENCE_CLI_CONFIG_TEXT_H

#include "output.h"

/* Whether an option belongs to a run (seed, threads) or to a comparison (left-out) rather than to a choice. */
bool crd_cli_option_of_run(const char *option);

typedef enum crd_cli_config_part {
    CRD_CLI_OF_CHOICE, /* what `tune` chooses: without the options of a run */
    CRD_CLI_OF_RUN     /* what a result depends on: all but the number of threads */
} crd_cli_config_part;

/* The options as a JSON object, on one line or with one line per option. The caller frees it. */
char *crd_cli_config_text(const crd_config *config, crd_cli_config_part part, bool lines);

/* crd_config_read; if an option's name is mistyped, the error suggests the nearest one. */
crd_status crd_cli_config_read(crd_config *config, const char *file, crd_error *error) CRD_MUST_CHECK;

/* One option's value as the user would type it. The caller frees it. */
char *crd_cli_config_value(const crd_config *config, const char *option);

/* The option of that name, of `length` characters; NULL if there is none. */
const crd_option *crd_cli_find_option(const char *name, size_t length);
/* Reports that there is no such option and names the nearest one. */
int crd_cli_unknown_option(const char *given_as, const char *name, size_t length);

#endif
