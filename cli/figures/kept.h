/* What a folder of figures holds from earlier commands. */
#ifndef CREDENCE_CLI_FIGURES_KEPT_H
#define CREDENCE_CLI_FIGURES_KEPT_H

#include "figures/panel.h"

/* Whether the command that wants these panels keeps all that is there, or makes anew what is older. Returns the exit code, after having said which panel would be lost. */
int crd_fig_check_kept(const char *folder, const crd_fig_wanted *wanted, int count);

#endif
