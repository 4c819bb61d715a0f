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
    FILE *log;              /* one JSON line per epoch; NULL: none */
    const char *log_path;
    bool log_created, log_begun, log_failed;
    bool begun;
    bool shown; /* the last epoch is on the screen */
    crd_epoch last;
    int64_t epochs; /* finished, of the main phase */
    time_t shown_at;
} crd_cli_progress;

/* Remembers, shows and logs the epoch; false once a signal asked to stop. */
bool crd_cli_on_epoch(const crd_epoch *epoch, void *progress);
/* Shows the last epoch if it is not on the screen yet, and leaves the live line. */
void crd_cli_progress_end(crd_cli_progress *progress);

/* Opens the log. Its old content is kept until the first epoch is written. On failure reports it and returns the
 * exit code. */
int crd_cli_log_open(crd_cli_progress *progress, const char *path);
/* Closes the log. Removes it if it was created here and never written to. */
void crd_cli_log_close(crd_cli_progress *progress);

#endif
