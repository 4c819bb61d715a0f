/* How training is shown and logged while it runs. */
#ifndef CREDENCE_CLI_PROGRESS_H
#define CREDENCE_CLI_PROGRESS_H

#include <time.h>

#include "output.h"

/* Zero-initialise, set what is wanted, hand crd_cli_on_epoch and the address to crd_train. */
typedef struct crd_cli_progress {
    bool quiet;             /* nothing but the log */
    void (*before)(void *); /* called once, when training has really begun; NULL: nothing */
    void *context;          /* for it */
    FILE *log;              /* one JSON line an epoch; NULL: none */
    const char *log_path;
    bool log_created, log_begun, log_failed;
    bool begun;
    bool shown; /* the last epoch is on the screen */
    crd_epoch last;
    int64_t epochs; /* finished, of the main phase */
    time_t shown_at;
} crd_cli_progress;

/* Remembers the epoch, shows it, logs it; false once a signal asked to stop. */
bool crd_cli_on_epoch(const crd_epoch *epoch, void *progress);
/* Shows the last epoch, if it is not shown yet, and leaves the live line. */
void crd_cli_progress_end(crd_cli_progress *progress);

/* Opens the log; what it held before is forgotten when the first epoch is written, not sooner. On failure
 * says so and returns the exit code. */
int crd_cli_log_open(crd_cli_progress *progress, const char *path);
/* Closes it; one that was created here and never written to is removed. */
void crd_cli_log_close(crd_cli_progress *progress);

#endif
