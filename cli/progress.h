/* How training is shown and logged. */
#ifndef CREDENCE_CLI_PROGRESS_H
#define CREDENCE_CLI_PROGRESS_H

#include <time.h>

#include "output.h"

/* Zero-initialise, set the fields you want, pass crd_cli_on_epoch and the address to crd_train. */
typedef struct crd_cli_progress {
    bool quiet;             /* write nothing but the log */
    void (*before)(void *); /* called once, when training has really begun; NULL: nothing */
    void *context;          /* for it */
    const char *log_path;   /* one JSON line per epoch; NULL: no log */
    FILE *log;              /* NULL until the first epoch */
    bool log_failed;
    bool begun;
    bool shown; /* the last epoch is on the screen */
    crd_epoch last;
    time_t shown_at;
} crd_cli_progress;

/* Remembers, shows and logs the epoch; false once a signal asked to stop. */
bool crd_cli_on_epoch(const crd_epoch *epoch, void *progress);
/* Shows the last epoch if it is not on the screen yet, leaves the live line, and closes the log. */
void crd_cli_progress_end(crd_cli_progress *progress);

#endif
