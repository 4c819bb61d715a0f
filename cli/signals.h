/* SPDX-License-Identifier: MIT */
/* Ctrl-C and its relatives: the first asks to stop, the second stops. */
#ifndef CREDENCE_CLI_SIGNALS_H
#define CREDENCE_CLI_SIGNALS_H

#include <stdbool.h>

/* From here on the first SIGINT, SIGTERM or SIGHUP only makes crd_cli_interrupted true and, on a terminal, prints
 * what is being finished; the next one ends the program at once. Call it before training, and before a write that
 * must not stop half-way. */
void crd_cli_catch_signals(const char *finishing);
bool crd_cli_interrupted(void);
/* Call it with true and then with false around a short write that even the second signal must wait for. */
void crd_cli_hold_signals(bool hold);

#endif
