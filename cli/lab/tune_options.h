/* Options that several commands have for the search: which seeds it uses, how it eliminates. */
#ifndef CREDENCE_CLI_LAB_TUNE_OPTIONS_H
#define CREDENCE_CLI_LAB_TUNE_OPTIONS_H

#include "lab/tune.h"
#include "options.h"

/* Both return the exit code, after having said what is wrong. */

/* The seeds that option --`name` gives, or `usual` if it was not given. How many: numbers from 101 on, which
 * the tables of experiments do not use. */
int crd_lab_tune_seeds(const crd_cli_options *options, const char *name, const char *usual,
                       crd_lab_tuning *tuning);
/* How settings are eliminated: --eta, and what commands without --min-epochs and --finalists use. */
int crd_lab_tune_elimination(const crd_cli_options *options, crd_lab_tuning *tuning);

#endif
