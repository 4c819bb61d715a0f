/* SPDX-License-Identifier: MIT */
#include "signals.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static const int caught[] = {SIGINT, SIGTERM, SIGHUP};

/* The message for the first signal, prepared in advance: all a handler may do is write it. */
static char said[128];
static size_t said_length;

static void on_signal(int number)
{
    if (interrupted) _exit(128 + number);
    interrupted = 1;
    const int failure = errno; /* the errno of the interrupted code */
    if (said_length > 0) (void)!write(STDERR_FILENO, said, said_length);
    errno = failure;
}

void crd_cli_catch_signals(const char *finishing)
{
    if (isatty(STDERR_FILENO)) {
        snprintf(said, sizeof said, "\n%s; once more to stop at once\n", finishing);
        said_length = strlen(said);
    }
    for (size_t i = 0; i < sizeof caught / sizeof caught[0]; i++) {
        struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, before;
        sigemptyset(&action.sa_mask);
        /* Respect nohup. SIGINT needs no such check: a shell without job control makes every background program
         * ignore it, and whoever sends it there by hand means it. */
        if (caught[i] == SIGHUP && sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler == SIG_IGN) continue;
        sigaction(caught[i], &action, NULL);
    }
}

bool crd_cli_interrupted(void)
{
    return interrupted != 0;
}

void crd_cli_hold_signals(bool hold)
{
    sigset_t signals;
    sigemptyset(&signals);
    for (size_t i = 0; i < sizeof caught / sizeof caught[0]; i++) sigaddset(&signals, caught[i]);
    sigprocmask(hold ? SIG_BLOCK : SIG_UNBLOCK, &signals, NULL);
}
